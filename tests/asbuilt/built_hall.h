// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/template/template.h"
#include "core/foundation/catalog/entity.h"
#include "core/operations/asbuilt/compare.h"

#include <map>
#include <random>

/// A design as it would be built, cable by cable, to be seen by witnesses and broken in known ways.
struct BuiltHall {
    struct Plug {
        hw::PortId a, b;
        int rate = 0, lanes = 0;
        bool there = true;
        hw::LinkId link{};
    };
    hw::FiguresPtr figures;
    std::vector<Plug> plugs;                                   ///< of every data link but those of scale-up networks
    std::vector<std::pair<hw::PortId, std::string>> strangers; ///< plugged into something that the design does not have

    static BuiltHall of(const char* name, const std::map<std::string, std::string>& values)
    {
        using namespace hw;
        static const Catalog catalog = Catalog::load(HW_RESOURCES "/catalog").value();
        const auto design = Template::load(std::string(HW_RESOURCES "/templates/") + name + ".yaml").value();
        return BuiltHall(figuresOf(instantiate(design, design.complete(values).value(), catalog).value()).value());
    }
    /// A shipped design with as few units as it may have.
    static BuiltHall smallest(const char* name)
    {
        using namespace hw;
        std::map<std::string, std::string> values;
        const auto design = Template::load(std::string(HW_RESOURCES "/templates/") + name + ".yaml").value();
        for (const auto& p : design.parameters())
            for (const char* units : {"pods", "segments", "last_segments", "tpu_pods"})
                if (p.name == units) values[units] = std::to_string(p.minimum);
        return of(name, values);
    }
    explicit BuiltHall(hw::FiguresPtr f) : figures(std::move(f))
    {
        using namespace hw;
        const Snapshot& s = *figures->snapshot;
        s.links.forEach([&](LinkId id) {
            const PortId a = s.links.from[id], b = s.links.to[id];
            if (s.ports.medium[a] != Medium::Data) return;
            if (const auto n = s.ports.network[a]; n && s.networks.kind[*n] == NetworkKind::ScaleUp) return;
            plugs.push_back({a, b, std::min(s.ports.rate[a], s.ports.rate[b]).count(), 4, true, id});
        });
    }
    [[nodiscard]] const hw::Snapshot& s() const { return *figures->snapshot; }
    [[nodiscard]] std::string device(hw::PortId port) const { return s().devices.name[s().ports.device[port]]; }
    [[nodiscard]] std::string port(hw::PortId port) const { return hw::portName(s(), *figures->parts, port); }

    /// What every device would say of its neighbors.
    [[nodiscard]] std::vector<hw::asbuilt::Sighting> seen(hw::Witness witness = hw::Witness::Lldp) const
    {
        std::vector<hw::asbuilt::Sighting> all;
        const auto say = [&](const Plug& p, hw::PortId from, hw::PortId to) {
            all.push_back({witness, device(from), port(from), device(to), port(to), p.rate, p.lanes, {}, "made", "2026-11-23", {}});
        };
        std::set<hw::DeviceId> heard;
        for (const Plug& p : plugs) {
            for (const auto end : {p.a, p.b}) heard.insert(s().ports.device[end]);
            if (!p.there) continue;
            say(p, p.a, p.b);
            say(p, p.b, p.a);
        }
        for (const auto& [at, name] : strangers) all.push_back({witness, device(at), port(at), name, "eth0", 0, 0, {}, "made", "2026-11-23", {}});
        for (const auto id : heard) all.push_back({witness, s().devices.name[id], {}, {}, {}, 0, 0, {}, "made", "2026-11-23", {}});
        return all;
    }
    [[nodiscard]] hw::asbuilt::Comparison compare() const { return hw::asbuilt::compare(figures, seen()).value(); }
};

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bindings_bench.h"

#include "core/design/template/template.h"
#include "core/foundation/base/resources.h"
#include "core/foundation/catalog/entity.h"
#include "core/operations/bindings/binder.h"
#include "simulation/fairshare/cpu_clock.h"

#include <array>
#include <chrono>
#include <ostream>

#include <fmt/ostream.h>

namespace hw::bench {

namespace {

using bindings::ChannelText;
using sim::cpuSeconds;

/// As exporters and a BMS name them: GPUs of hosts, ports of hosts and switches, points of racks.
std::vector<ChannelText> channelsOf(const Figures& design, std::size_t most)
{
    const Snapshot& s = *design.snapshot;
    std::vector<ChannelText> out;
    out.reserve(most);
    const auto metric = [&](const char* name, bindings::Labels labels, const char* unit) {
        if (out.size() == most) return;
        std::string whole = name;
        for (const auto& [label, value] : labels) whole += (whole.size() == std::string_view(name).size() ? "{" : ",") + label + "=\"" + value + '"';
        out.push_back({whole + '}', std::move(labels), unit});
    };
    s.racks.forEach([&](RackId id) {
        for (const auto& [point, unit] : {std::pair{"RackPower", "kW"}, {"RackLiquidFlow", "LPM"}, {"RackLiquidSupplyTemperature", "C"}})
            if (out.size() < most)
                out.push_back({std::string("BMS/v1/PUB/Value/Rack/") + point + "/site/" + s.racks.name[id],
                               {{"engUnit", unit}, {"rackLocationId", s.racks.name[id]}},
                               unit});
    });
    s.devices.forEach([&](DeviceId id) {
        if (s.tiers.kind[s.devices.tier[id]] != TierKind::Server) return;
        for (int gpu = 0; gpu < 8; ++gpu)
            for (const char* name : {"DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_XID_ERRORS"})
                metric(name, {{"Hostname", s.devices.name[id]}, {"gpu", std::to_string(gpu)}}, "");
    });
    s.ports.forEach([&](PortId id) {
        if (s.ports.medium[id] != Medium::Data) return;
        const std::string port = portName(s, *design.parts, id);
        const auto& device = s.devices.name[s.ports.device[id]];
        for (const char* name : {"ifHCInOctets", "ifHCOutOctets"}) metric(name, {{"ifName", port}, {"instance", device}}, "B");
    });
    return out;
}

} // namespace

void benchBindings(std::ostream& out)
{
    const auto catalog = *Catalog::load(resourceFolder() / "catalog");
    const auto design = figuresOf(*instantiate(*Template::load(resourceFolder() / "templates" / "hpn.yaml"), {{"pods", 8}}, catalog)).value();
    const auto channels = channelsOf(*design, 1'500'000);
    double at = cpuSeconds();
    bindings::Binder binder(design);
    const double made = cpuSeconds() - at;
    at = cpuSeconds();
    const std::size_t later = std::min<std::size_t>(1000, channels.size());
    (void)binder.bind(std::span(channels).first(channels.size() - later));
    const double whole = cpuSeconds() - at;
    at = cpuSeconds();
    const auto bound = binder.bind(channels);
    fmt::print(out, "bindings: channels of hpn with 8 pods, CPU seconds of one core\n  {:>12}{:>12}{:>12}{:>12}{:>16}\n", "channels", "bound",
               "names", "all", "1,000 more");
    fmt::print(out, "  {:>12}{:>12}{:>10.2f} s{:>10.2f} s{:>14.2f} s\n", channels.size(), bound->bound, made, whole, cpuSeconds() - at);
}

} // namespace hw::bench

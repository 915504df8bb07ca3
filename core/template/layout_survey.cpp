// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/generator.h"
#include "core/template/layout_plan.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::layout {

namespace {

class Surveyor {
public:
    Surveyor(const Snapshot& design, Parts& parts, const LayoutSpec& spec, const Options& options)
        : m_s(design), m_parts(parts), m_spec(spec), m_options(options)
    {
    }

    Survey run()
    {
        findLoose();
        weighDevices();
        listBelow();
        placeTiers();
        return std::move(m_out);
    }

private:
    void findLoose()
    {
        const auto& d = m_s.devices;
        m_out.isLoose.assign(d.nextId(), 0);
        m_out.level.assign(d.nextId(), 0);
        m_out.kind.assign(d.nextId(), TierKind::Other);
        m_out.isPower.assign(d.nextId(), 0);
        d.forEach([&](DeviceId id) {
            const TierId tier = d.tier[id];
            m_out.level[id.value] = m_s.tiers.level[tier];
            m_out.kind[id.value] = m_s.tiers.kind[tier];
            m_out.isPower[id.value] = m_s.tiers.kind[tier] == TierKind::Power;
            if (d.rack[id] || d.hall[id]) return;
            if (m_parts.device(d.type[id]).halfUnits == 0)
                throw refusal(m_options.where, fmt::format("{} stands on the floor, and the template has no halls", d.name[id]),
                              "leave it to the keys of 'layout' (fan_wall, cdu, busway, transformer), or declare buildings and halls");
            m_out.isLoose[id.value] = 1;
            m_out.loose.push_back(id);
        });
    }

    /// Height, draw and weight by type; optics by the cages in use.
    void weighDevices()
    {
        const auto& d = m_s.devices;
        m_out.demand.resize(d.nextId());
        std::vector<Demand> byType(m_s.partTypes.nextId());
        std::vector<char> countsOptics(byType.size(), 0), known(byType.size(), 0);
        d.forEach([&](DeviceId id) {
            const PartTypeId type = d.type[id];
            if (!std::exchange(known[type.value], 1)) {
                const auto& spec = m_parts.device(type);
                byType[type.value] = {(spec.halfUnits + 1) / 2, spec.design.value.count(), spec.nameplate.value.count(),
                                      spec.design.value.count() * spec.liquidPermille.value / 1000, spec.weight.value.count(), 0};
                countsOptics[type.value] = !spec.opticsIncluded;
            }
            m_out.demand[id.value] = byType[type.value];
        });
        std::vector<char> plugged(m_s.cages.nextId(), 0);
        m_s.links.forEach([&](LinkId link) {
            for (const PortId port : {m_s.links.from[link], m_s.links.to[link]}) {
                const CageId cage = m_s.ports.cage[port];
                if (m_s.ports.medium[port] != Medium::Data || std::exchange(plugged[cage.value], 1)) continue;
                const DeviceId device = m_s.ports.device[port];
                auto& demand = m_out.demand[device.value];
                ++demand.cables;
                if (!countsOptics[d.type[device].value]) continue;
                const auto optics = m_parts.opticsOf(d.type[device], m_s.cages.number[cage]);
                demand.designMw += optics.typicalMw;
                demand.nameplateMw += optics.maximumMw;
            }
        });
    }

    void listBelow()
    {
        auto& first = m_out.firstBelow;
        first.assign(m_s.devices.nextId() + 1, 0);
        const auto forPairs = [&](auto&& f) {
            m_s.links.forEach([&](LinkId link) {
                if (m_s.ports.medium[m_s.links.from[link]] != Medium::Data) return;
                const std::uint32_t low = m_s.ports.device[m_s.links.from[link]].value, high = m_s.ports.device[m_s.links.to[link]].value;
                if (m_s.devices.tier[DeviceId(low)] == m_s.devices.tier[DeviceId(high)]) return; // peers
                f(low, high);
            });
        };
        forPairs([&](std::uint32_t, std::uint32_t high) { ++first[high + 1]; });
        for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
        m_out.below.resize(first.back());
        std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
        forPairs([&](std::uint32_t low, std::uint32_t high) { m_out.below[next[high]++] = low; });
        for (std::size_t i = 0; i + 1 < first.size(); ++i) std::sort(m_out.below.begin() + first[i], m_out.below.begin() + first[i + 1]);
    }

    void placeTiers()
    {
        m_out.place.assign(m_s.tiers.nextId(), Place::NetworkRows);
        std::vector<Maybe<DeviceId>> example(m_s.tiers.nextId());
        for (auto id = m_out.loose.rbegin(); id != m_out.loose.rend(); ++id) example[m_s.devices.tier[*id].value] = *id;
        for (const auto& id : example) {
            const auto stated = id ? m_spec.place.find(m_s.tiers.key[m_s.devices.tier[*id]]) : m_spec.place.end();
            m_racksStated = m_racksStated || (stated != m_spec.place.end() && placeFromText(stated->second) == Place::InRack);
        }
        m_s.tiers.forEach([&](TierId tier) {
            const auto stated = m_spec.place.find(m_s.tiers.key[tier]);
            if (stated != m_spec.place.end()) m_out.place[tier.value] = placeFromText(stated->second);
            else if (example[tier.value]) m_out.place[tier.value] = usualPlace(*example[tier.value]);
        });
    }

    /// Servers make the rows (storage nodes and gateways have the role support); a first-level switch stands with
    /// its servers, in their rack where they all fit; what is above it belongs to the core.
    Place usualPlace(DeviceId device)
    {
        if (m_out.kind[device.value] == TierKind::Server && m_s.devices.role[device] != DeviceRole::Support) return Place::Servers;
        if (m_out.kind[device.value] != TierKind::Switch) return Place::NetworkRows;
        const auto below = m_out.belowOf(device.value);
        if (below.empty()) return Place::NetworkRows;
        if (m_out.kind[below.front()] != TierKind::Server) return m_out.kind[below.front()] == TierKind::Switch ? Place::Core : Place::NetworkRows;
        return !m_racksStated && fitRacks(m_s.devices.tier[device]) ? Place::InRack : Place::WithServers;
    }

    /// Whether all servers that switches of this tier join, directly or through each other or through tiers that
    /// have been found to fit before, fit a rack with them.
    bool fitRacks(TierId tier)
    {
        RackSets tried = m_inRack ? *m_inRack : RackSets{DisjointSets(m_s.devices.nextId()), std::vector<char>(m_s.devices.nextId(), 0)};
        for (const DeviceId id : m_out.loose) {
            if (!(m_s.devices.tier[id] == tier)) continue;
            tried.member[id.value] = 1;
            for (const std::uint32_t below : m_out.belowOf(id.value)) {
                if (m_out.kind[below] != TierKind::Server) continue;
                tried.member[below] = 1;
                tried.sets.join(below, id.value);
            }
        }
        std::vector<Demand> sum(m_s.devices.nextId());
        for (std::uint32_t d = 0; d < sum.size(); ++d)
            if (tried.member[d]) sum[tried.sets.find(d)] += m_out.demand[d];
        const bool fits = std::ranges::all_of(sum, [&](const Demand& d) {
            const auto& rack = m_parts.rack(d.liquidMw > 0 ? m_options.liquidRack : m_options.rack);
            const auto limit = rack.powerLimit.value.count();
            return d.units <= rack.heightU && (limit <= 0 || powerOf(d) <= limit);
        });
        if (fits) m_inRack = std::move(tried);
        return fits;
    }

    struct RackSets { DisjointSets sets; std::vector<char> member; };
    const Snapshot& m_s;
    Parts& m_parts;
    const LayoutSpec& m_spec;
    const Options& m_options;
    std::optional<RackSets> m_inRack; ///< what stands in racks with its servers
    bool m_racksStated = false; ///< the template says what belongs into the servers' racks
    Survey m_out;
};

} // namespace

Survey survey(const Snapshot& design, Parts& parts, const LayoutSpec& spec, const Options& options)
{
    return Surveyor(design, parts, spec, options).run();
}

} // namespace hw::layout

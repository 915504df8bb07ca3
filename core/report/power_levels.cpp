// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/power_levels.h"

#include <algorithm>

namespace hw {
namespace {

/// How loaded an element is; without a capacity the load itself decides.
double severity(const PowerLevel& level)
{
    const double load = double(std::max(level.load, level.failover).count());
    return level.capacity.count() > 0 ? load / double(level.capacity.count()) : load * 1e-18;
}

/// Keeps the worst element of a level while its elements pass by.
class Worst {
public:
    Worst(std::string name, std::string kind) { m_level.name = std::move(name), m_level.kind = std::move(kind); }
    void offer(const std::string& element, Milliwatts load, Milliwatts failover, Milliwatts capacity)
    {
        PowerLevel candidate{m_level.name, m_level.kind, ++m_level.count, element, load, failover, capacity};
        if (m_level.count == 1 || severity(candidate) > severity(m_level)) m_level = std::move(candidate);
    }
    void appendTo(std::vector<PowerLevel>& levels) const
    {
        if (m_level.count > 0) levels.push_back(m_level);
    }

private:
    PowerLevel m_level;
};

/// Which power equipment feeds which rack, from the power links.
class Feeds {
public:
    explicit Feeds(const Figures& figures) : m_s(*figures.snapshot), m_supplier(m_s.devices.nextId()), m_pdus(m_s.racks.nextId())
    {
        const auto& ports = m_s.ports;
        m_s.links.forEach([&](LinkId id) {
            const auto from = m_s.links.from[id];
            if (ports.medium[from] != Medium::Power) return;
            auto& supplier = m_supplier[ports.device[from].value]; // a power link runs from the fed device to its supplier
            if (!supplier) supplier = ports.device[m_s.links.to[id]];
        });
        m_s.devices.forEach([&](DeviceId id) {
            if (m_s.tiers.kind[m_s.devices.tier[id]] != TierKind::Power) return;
            if (const auto rack = m_s.devices.rack[id]) m_pdus[(*rack).value].push_back(id);
        });
    }

    /// The element of `tier` above a PDU (or the PDU itself); a chain longer than the tiers is a loop.
    [[nodiscard]] std::optional<DeviceId> above(DeviceId pdu, TierId tier) const
    {
        std::optional<DeviceId> at = pdu;
        for (std::uint32_t steps = 0; at && steps <= m_s.tiers.size(); ++steps) {
            if (m_s.devices.tier[*at] == tier) return at;
            at = m_supplier[at->value];
        }
        return std::nullopt;
    }
    [[nodiscard]] const std::vector<DeviceId>& pdusOf(RackId rack) const { return m_pdus[rack.value]; }

private:
    const Snapshot& m_s;
    std::vector<Maybe<DeviceId>> m_supplier;   ///< by device
    std::vector<std::vector<DeviceId>> m_pdus; ///< by rack
};

/// Load of every element of one tier: shared evenly by a rack's feeds, and with one other element lost.
class TierLoads {
public:
    void addRack(const std::map<DeviceId, std::int64_t>& feeds, std::int64_t feedCount, std::int64_t load)
    {
        for (const auto& [element, own] : feeds) {
            auto& entry = m_elements[element];
            entry.normal += load * own / feedCount;
            for (const auto& [other, lost] : feeds) {
                if (other == element || lost >= feedCount) continue;
                entry.extra[other] += load * own / (feedCount - lost) - load * own / feedCount;
            }
        }
    }
    [[nodiscard]] Milliwatts normal(DeviceId id) const
    {
        const auto it = m_elements.find(id);
        return Milliwatts(it == m_elements.end() ? 0 : it->second.normal);
    }
    [[nodiscard]] Milliwatts failover(DeviceId id) const
    {
        const auto it = m_elements.find(id);
        if (it == m_elements.end()) return {};
        std::int64_t most = 0;
        for (const auto& [other, extra] : it->second.extra) most = std::max(most, extra);
        return Milliwatts(it->second.normal + most);
    }

private:
    struct Element {
        std::int64_t normal = 0;
        std::map<DeviceId, std::int64_t> extra;
    };
    std::map<DeviceId, Element> m_elements;
};

TierLoads loadsOf(const Figures& figures, const Feeds& feeds, TierId tier, PowerBasis basis)
{
    const auto& s = *figures.snapshot;
    TierLoads loads;
    s.racks.forEach([&](RackId rack) {
        std::map<DeviceId, std::int64_t> byElement;
        for (const auto pdu : feeds.pdusOf(rack))
            if (const auto element = feeds.above(pdu, tier)) ++byElement[*element];
        const auto feedCount = std::int64_t(feeds.pdusOf(rack).size());
        if (!byElement.empty()) loads.addRack(byElement, feedCount, figures.power->rack(rack).at(basis).count());
    });
    return loads;
}

void addEquipment(const Figures& figures, const Feeds& feeds, TierId tier, PowerBasis basis, std::vector<PowerLevel>& levels)
{
    const auto& s = *figures.snapshot;
    const TierLoads loads = loadsOf(figures, feeds, tier, basis);
    Worst worst(s.tiers.name[tier], s.tiers.key[tier]);
    s.devices.forEach([&](DeviceId id) {
        if (s.devices.tier[id] != tier) return;
        worst.offer(s.devices.name[id], loads.normal(id), loads.failover(id), figures.parts->device(s.devices.type[id]).capacity.value);
    });
    worst.appendTo(levels);
}

void addPlaces(const Figures& figures, PowerBasis basis, std::vector<PowerLevel>& levels)
{
    const auto& s = *figures.snapshot;
    const auto add = [&](const std::string& name, const char* kind, Milliwatts load, Milliwatts capacity) {
        levels.push_back({name, kind, 1, name, load, load, capacity});
    };
    s.buildings.forEach(
        [&](BuildingId id) { add(s.buildings.name[id], "building", figures.power->building(id).at(basis), s.buildings.itLimit[id]); });
    s.halls.forEach([&](HallId id) { add(s.halls.name[id], "hall", figures.power->hall(id).at(basis), Milliwatts()); });
}

} // namespace

SupplyLoad supplyLoad(const Figures& figures, DeviceId device, PowerBasis basis)
{
    const TierLoads loads = loadsOf(figures, Feeds(figures), figures.snapshot->devices.tier[device], basis);
    return {loads.normal(device), loads.failover(device)};
}

std::vector<PowerLevel> powerLevels(const Figures& figures, PowerBasis basis)
{
    const auto& s = *figures.snapshot;
    std::vector<PowerLevel> levels;
    addPlaces(figures, basis, levels);
    std::vector<TierId> tiers;
    s.tiers.forEach([&](TierId id) {
        if (s.tiers.kind[id] == TierKind::Power) tiers.push_back(id);
    });
    std::ranges::stable_sort(tiers, {}, [&](TierId id) { return s.tiers.level[id]; });
    const Feeds feeds(figures);
    for (const auto tier : tiers) addEquipment(figures, feeds, tier, basis, levels);

    Worst row("row", "row"), rack("rack", "rack");
    s.rows.forEach([&](RowId id) {
        const auto load = figures.power->row(id).at(basis);
        row.offer(s.rows.name[id], load, load, Milliwatts());
    });
    s.racks.forEach([&](RackId id) {
        const auto load = figures.power->rack(id).at(basis), own = s.racks.powerLimit[id];
        rack.offer(s.racks.name[id], load, load, own.count() > 0 ? own : figures.parts->rack(s.racks.type[id]).powerLimit.value);
    });
    row.appendTo(levels);
    rack.appendTo(levels);
    return levels;
}

} // namespace hw

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/report/power_levels.h"

#include "core/derived/figures/feeder_losses.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <set>

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
    Worst(Text name, std::string kind, Text title)
    {
        m_level.name = std::move(name), m_level.kind = std::move(kind), m_level.title = std::move(title);
    }
    void offer(const std::string& element, Milliwatts load, Milliwatts failover, Milliwatts capacity)
    {
        PowerLevel candidate{m_level.name, m_level.kind, ++m_level.count, element, load, failover, capacity, m_level.title};
        if (m_level.count == 1 || severity(candidate) > severity(m_level)) m_level = std::move(candidate);
    }
    void appendTo(std::vector<PowerLevel>& levels) const
    {
        if (m_level.count > 0) levels.push_back(m_level);
    }

private:
    PowerLevel m_level;
};

/// What a tier of power equipment is called: racks may hold PDUs or power shelves, whatever the tier is named.
Text titleOf(const Figures& figures, TierId tier)
{
    const auto& s = *figures.snapshot;
    std::set<PowerElement> elements;
    s.devices.forEach([&](DeviceId id) {
        if (s.devices.tier[id] == tier) elements.insert(figures.parts->device(s.devices.type[id]).power.element);
    });
    if (elements == std::set{PowerElement::Shelf}) return i18n("Power shelf");
    if (elements == std::set{PowerElement::Pdu}) return i18n("Rack PDU");
    return s.tiers.label[tier].empty() ? verbatim(s.tiers.name[tier]) : resourceText(s.tiers.label[tier]);
}

void addEquipment(const Figures& figures, const PowerChain& chain, const PowerWorst& worstOf, TierId tier, std::vector<PowerLevel>& levels)
{
    const auto& s = *figures.snapshot;
    Worst worst(verbatim(s.tiers.name[tier]), s.tiers.key[tier], titleOf(figures, tier));
    s.devices.forEach([&](DeviceId id) {
        if (s.devices.tier[id] != tier) return;
        worst.offer(s.devices.name[id], chain.through(id), worstOf.through(id), figures.parts->device(s.devices.type[id]).capacity.value);
    });
    worst.appendTo(levels);
}

void addPlaces(const Figures& figures, PowerBasis basis, std::vector<PowerLevel>& levels)
{
    const auto& s = *figures.snapshot;
    const auto add = [&](const std::string& name, const char* kind, Milliwatts load, Milliwatts capacity) {
        levels.push_back({verbatim(name), kind, 1, name, load, load, capacity, verbatim(name)});
    };
    s.buildings.forEach(
        [&](BuildingId id) { add(s.buildings.name[id], "building", figures.power->building(id).at(basis), s.buildings.itLimit[id]); });
    s.halls.forEach([&](HallId id) {
        if (s.halls.kind[id] != RoomKind::Hall && s.halls.kind[id] != RoomKind::Network) return; // rooms of racks
        add(s.halls.name[id], "hall", figures.power->hall(id).at(basis), s.halls.itLimit[id]);
    });
}

} // namespace

void addPowerChain(const Figures& figures, Report::Power& power)
{
    const Snapshot& s = *figures.snapshot;
    const PowerChain& chain = powerChain(figures, power.basis);
    const PowerWorst& worst = worstPower(figures, power.basis);
    const PowerFeeds& feeds = figures.get<PowerFeedsNode>();
    const double powerFactor = powerFactorOf(s);
    const auto lines = feederLosses(figures, chain);
    const auto reached = reachedByUtility(figures, chain);
    std::vector<DeviceId> elements;
    s.devices.forEach([&](DeviceId id) {
        const TierId tier = s.devices.tier[id];
        if (s.tiers.kind[tier] == TierKind::Power) {
            elements.push_back(id);
        } else if (chain.network[id.value].draw.count() > 0) {
            bool fed = !feeds.of(id).empty();
            for (const PowerFeed& feed : feeds.of(id)) fed = fed && reached[feed.supplier.value];
            power.unfedDevices += !fed;
            power.darkOnSingleLoss += worst.darkens(id);
        }
    });
    power.cords = feeds.cords();
    power.supply = supplyTotals(figures.get<SupplyNode>(), figures.get<CordsNode>());
    std::ranges::stable_sort(elements, {}, [&](DeviceId id) { return s.tiers.level[s.devices.tier[id]]; });
    for (const DeviceId id : elements) {
        const DeviceSpec& spec = figures.parts->device(s.devices.type[id]);
        PowerRow row{.device = id, .name = s.devices.name[id], .side = feeds.side(id), .powerFactor = powerFactor};
        row.kind = spec.power.element == PowerElement::None ? s.tiers.key[s.devices.tier[id]] : std::string(wordOf(spec.power.element));
        for (const PowerFeed& feed : feeds.of(id)) row.parents.push_back(s.devices.name[feed.supplier]);
        row.load = chain.load(id);
        row.loss = row.load - chain.through(id);
        row.feederLoss = lines[id.value];
        if (takesDirectCurrent(spec)) row.direct = true, row.powerFactor = 1;
        for (std::size_t p = 0; p < 3; ++p) row.phases[p] = Milliwatts(chain.flow.intake[id.value].mw[p]);
        row.worst = worst.through(id) + (chain.flow.live[id.value] ? chain.network[id.value].loss.at(worst.through(id)) : Milliwatts());
        if (const auto lost = worst.lost(id)) row.worstLost = s.devices.name[*lost];
        row.capacity = spec.capacity.value;
        row.apparentCapacity = spec.power.apparent.value;
        power.chain.push_back(std::move(row));
    }
}

std::vector<PowerLevel> levelsByTitle(const std::vector<PowerLevel>& levels)
{
    std::vector<PowerLevel> out;
    for (const PowerLevel& level : levels) {
        const auto same = std::ranges::find_if(out, [&](const PowerLevel& o) { return words(o.title) == words(level.title); });
        if (same == out.end()) {
            out.push_back(level);
            continue;
        }
        const std::int64_t count = same->count + level.count;
        if (severity(level) > severity(*same)) *same = level;
        same->count = count;
    }
    return out;
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
    for (const auto tier : tiers) addEquipment(figures, powerChain(figures, basis), worstPower(figures, basis), tier, levels);

    Worst row(i18n("row"), "row", i18n("Row")), rack(i18n("rack"), "rack", i18n("Rack"));
    s.rows.forEach([&](RowId id) {
        const auto load = figures.power->row(id).at(basis);
        row.offer(s.rows.name[id], load, load, Milliwatts());
    });
    s.racks.forEach([&](RackId id) {
        const auto load = figures.power->rack(id).at(basis);
        rack.offer(s.racks.name[id], load, load, rackPowerLimit(s, *figures.parts, id));
    });
    row.appendTo(levels);
    rack.appendTo(levels);
    return levels;
}

} // namespace hw

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/functions.h"

#include "core/foundation/model/setting_values.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace hw::rules {

namespace {

bool footprintsOverlap(const Box& a, const Box& b) { return a.low.x < b.high.x && b.low.x < a.high.x && a.low.y < b.high.y && b.low.y < a.high.y; }

bool inside(const Box& inner, const Box& outer)
{
    return inner.low.x >= outer.low.x && inner.low.y >= outer.low.y && inner.high.x <= outer.high.x && inner.high.y <= outer.high.y;
}

/// Pairs of racks whose footprints overlap, found by a sweep along x.
std::vector<std::pair<RackId, RackId>> overlappingRacks(const RuleInput& input)
{
    const Placement& placement = *input.figures.placement;
    std::vector<RackId> racks = input.snapshot().racks.ids();
    std::ranges::stable_sort(racks, {}, [&](RackId r) { return placement.rack(r).low.x; });
    std::vector<std::pair<RackId, RackId>> pairs;
    std::vector<RackId> open; // racks that the sweep line still cuts
    for (const RackId rack : racks) {
        const Box& box = placement.rack(rack);
        std::erase_if(open, [&](RackId other) { return placement.rack(other).high.x <= box.low.x; });
        for (const RackId other : open)
            if (footprintsOverlap(placement.rack(other), box)) pairs.push_back(std::minmax(rack, other));
        open.push_back(rack);
    }
    std::ranges::sort(pairs);
    return pairs;
}

std::string groupMarkOf(const Snapshot& s, const std::vector<EntityRef>& racks)
{
    std::vector<std::string> keys;
    keys.reserve(racks.size());
    for (const EntityRef rack : racks) keys.push_back(keyOrId(s.racks.key[RackId(rack.id)], rack.id));
    return groupMark(std::move(keys));
}

/// One finding per pair of rows: a row that was put onto another one collides with many racks at once.
void collisions(const RuleInput& input, std::vector<Finding>& out)
{
    const Snapshot& s = input.snapshot();
    std::map<std::pair<RowId, RowId>, std::vector<std::pair<RackId, RackId>>> byRows;
    for (const auto& pair : overlappingRacks(input)) byRows[std::minmax(s.racks.row[pair.first], s.racks.row[pair.second])].push_back(pair);
    for (const auto& [rows, pairs] : byRows) {
        const auto& [a, b] = pairs.front();
        Finding f{.message = i18n("{} and {} overlap", input.name(ref(a)), input.name(ref(b)))};
        if (pairs.size() > 1)
            f.message =
                i18np(pairs.size() - 1, "{1}, plus {0:L} more pair of racks of {2} and {3}", "{1}, plus {0:L} more pairs of racks of {2} and {3}",
                      f.message, input.name(ref(rows.first)), input.name(ref(rows.second)));
        for (const auto& [first, second] : pairs) {
            f.entities.push_back(ref(first));
            f.entities.push_back(ref(second));
        }
        f.id = findingId("S5", {input.subject(ref(rows.first)), input.subject(ref(rows.second))}) + groupMarkOf(s, f.entities);
        out.push_back(std::move(f));
    }
}

/// One finding per row.
void outsideHall(const RuleInput& input, std::vector<Finding>& out)
{
    const Snapshot& s = input.snapshot();
    std::map<RowId, std::vector<RackId>> byRow;
    s.racks.forEach([&](RackId rack) {
        const HallId hall = s.rows.hall[s.racks.row[rack]];
        if (!inside(input.figures.placement->rack(rack), input.figures.placement->hall(hall))) byRow[s.racks.row[rack]].push_back(rack);
    });
    for (const auto& [row, racks] : byRow) {
        Finding f{.message = i18n("{} is outside {}", input.name(ref(racks.front())), input.name(ref(s.rows.hall[row])))};
        if (racks.size() > 1)
            f.message =
                i18np(racks.size() - 1, "{1}, plus {0:L} more rack of {2}", "{1}, plus {0:L} more racks of {2}", f.message, input.name(ref(row)));
        for (const RackId rack : racks) f.entities.push_back(ref(rack));
        f.id = findingId("S5", {"outside", input.subject(ref(row))}) + groupMarkOf(s, f.entities);
        out.push_back(std::move(f));
    }
}

} // namespace

std::vector<Finding> rackCollisions(const RuleInput& input)
{
    std::vector<Finding> out;
    collisions(input, out);
    outsideHall(input, out);
    return together(std::move(out), structures(input), egress(input));
}

SiteLimit siteLimit(const RuleInput& input)
{
    if (settingOf(input.snapshot(), "site.limit_basis") != "facility") return {};
    return {true, pueOf(input.figures, input.basis).value};
}

namespace {

/// "7.0 kW (design basis)"; of facility power "8.4 kW of facility power (design basis, 7.0 kW of IT at PUE 1.20)".
Text loadText(const SiteLimit& counts, Milliwatts it, PowerBasis basis)
{
    if (!counts.facility) return i18n("{} ({} basis)", powerText(it), powerBasisName(basis));
    return i18n("{} facility power ({} basis, {} IT power at PUE {:.2f})", powerText(Milliwatts(std::llround(1000.0 * counts.loadW(it)))),
                powerBasisName(basis), powerText(it), counts.pue);
}

} // namespace

std::vector<Finding> hallPower(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const SiteLimit counts = siteLimit(input);
    std::vector<Finding> out;
    const auto compare = [&](EntityRef where, Milliwatts limit, Milliwatts load) {
        if (!counts.exceeded(load, limit)) return;
        const std::string name = input.name(where);
        const Text drawn = loadText(counts, load, input.basis), most = powerText(limit);
        const double over = 100.0 * (counts.loadW(load) / toWatts(limit) - 1.0);
        out.push_back({.message = counts.facility ? i18n("load of {}: {}, exceeding the hall limit of {} by {:.1f} %", name, drawn, most, over)
                                                  : i18n("IT load of {}: {}, exceeding the hall limit of {} by {:.1f} %", name, drawn, most, over),
                       .entities = {where},
                       .id = findingId("P15", {input.subject(where)})});
    };
    s.buildings.forEach([&](BuildingId id) { compare(ref(id), s.buildings.itLimit[id], input.figures.power->building(id).at(input.basis)); });
    s.halls.forEach([&](HallId id) { compare(ref(id), s.halls.itLimit[id], input.figures.power->hall(id).at(input.basis)); });
    return out;
}

/// Planned on less than nameplate, and nameplate would not fit: then something has to hold the power down.
std::vector<Finding> powerCapping(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const SiteLimit counts = siteLimit(input);
    std::vector<Finding> out;
    if (input.basis == PowerBasis::Nameplate) return out;
    s.buildings.forEach([&](BuildingId building) {
        const Milliwatts limit = s.buildings.itLimit[building];
        const Load& load = input.figures.power->building(building);
        const Milliwatts most = load.at(PowerBasis::Nameplate);
        if (counts.exceeded(load.at(input.basis), limit) || !counts.exceeded(most, limit)) return;
        out.push_back({.severity = Severity::Warning,
                       .message = i18n("{} is within its limit of {} at {}, but nameplate power is {}: power capping is mandatory",
                                       input.name(ref(building)), powerText(limit), loadText(counts, load.at(input.basis), input.basis),
                                       powerText(Milliwatts(std::llround(1000.0 * counts.loadW(most))))),
                       .entities = {ref(building)},
                       .id = findingId("P13", {input.subject(ref(building))})});
    });
    return out;
}

} // namespace hw::rules

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/impact/story_coolant.h"

#include "core/foundation/model/places.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace hw::impact {

namespace {

double seconds(std::int64_t ms) { return double(ms) / 1000; }

/// The room of a loop; of one of several rooms what takes its heat out.
EntityRef entityOf(const CoolingLoop& loop)
{
    if (loop.hall) return ref(*loop.hall);
    if (!loop.sources.empty()) return ref(loop.sources.front());
    return loop.members.empty() ? EntityRef() : ref(loop.members.front());
}

double limitC(const CoolingLoop& loop) { return loop.supplyC + loop.limitK; }

Text beginText(const CoolingChain& chain, const CoolantInterval& spell)
{
    const CoolingLoop& loop = chain.loops[spell.loop];
    const Text heat = kilowattText(spell.heat), lasts = timeText(spell.lastsMs);
    if (spell.stands)
        return i18np(spell.cabinets, "no coolant flow through {:L} cabinet of {}: {} ride-through on stagnant coolant, at {}",
                     "no coolant flow through {:L} cabinets of {}: {} ride-through on stagnant coolant, at {}", loop.name, lasts, heat);
    if (loop.kind == LoopKind::Air)
        return i18n("{} of heat not removed from the air of {}: {} until {:.0f} °C", heat, loop.name, lasts, limitC(loop));
    return i18n("{} of heat not removed from {}: {} until {:.0f} °C", heat, loop.name, lasts, limitC(loop));
}

Text endText(const CoolingChain& chain, const CoolantInterval& spell)
{
    const CoolingLoop& loop = chain.loops[spell.loop];
    if (spell.stands)
        return i18n("coolant flow through all cabinets of {} restored, {} before the first overheats", loop.name, timeText(spell.leftMs));
    return i18n("full heat removal of {} restored, {} before overheating", loop.name, timeText(spell.leftMs));
}

/// Units of one place that are without power and back together are one line.
void addRestarts(const Model& m, const Effect& e, std::vector<Line>& lines)
{
    struct Group {
        std::int64_t units = 0;
        DeviceId first;
        Milliwatts capacity;
    };
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::uint32_t>, Group> groups; // from, to, ready; room or kNone
    for (const CoolantRestart& restart : e.coolant.restarts) {
        const auto hall = hallOf(*m.s, restart.device);
        Group& group = groups[{restart.fromMs, restart.toMs, restart.readyMs, hall ? (*hall).value : kNone}];
        if (group.units++ == 0) group.first = restart.device;
        group.capacity += m.coolingCapacity(restart.device);
    }
    for (const auto& [key, group] : groups) {
        const auto& [from, to, ready, hall] = key;
        const Text gap = timeText(to - from), later = timeText(ready - to), lost = kilowattText(group.capacity);
        const bool one = group.units == 1 || hall == kNone;
        lines.push_back(
            {one ? ref(group.first) : ref(HallId(hall)),
             group.units == 1
                 ? i18n("without power for {}, full capacity restored {} later: {} of cooling lost until then", gap, later, lost)
                 : i18np(group.units, "{:L} cooling unit without power for {}, full capacity restored {} later: {} of cooling lost until then",
                         "{:L} cooling units without power for {}, full capacity restored {} later: {} of cooling lost until then", gap, later, lost),
             seconds(from)});
    }
}

/// What gets too hot at one moment in one room, by its racks.
void addHot(const Study& study, const Effect& e, std::vector<Line>& lines)
{
    const Snapshot& s = *study.model().s;
    struct Group {
        std::set<RackId> racks;
        std::int64_t devices = 0, gpus = 0;
        DeviceId first;
    };
    std::map<std::pair<std::int64_t, std::uint32_t>, Group> groups; // ms, room or kNone
    for (std::size_t i = 0; i < e.hot.size(); ++i) {
        const DeviceId id = e.hot[i];
        const auto hall = hallOf(s, id);
        Group& group = groups[{e.hotMs[i], hall ? (*hall).value : kNone}];
        if (group.devices++ == 0) group.first = id;
        group.gpus += study.model().gpus[id.value];
        if (const auto rack = s.devices.rack[id]) group.racks.insert(*rack);
    }
    for (const auto& [at, group] : groups) {
        const auto racks = std::int64_t(group.racks.size());
        const EntityRef entity = group.devices == 1   ? ref(group.first)
                                 : racks == 1         ? ref(*group.racks.begin())
                                 : at.second != kNone ? ref(HallId(at.second))
                                                      : ref(group.first);
        const Text what = group.devices == 1 ? i18n("overheated")
                          : racks == 0       ? i18np(group.devices, "{:L} device overheated", "{:L} devices overheated")
                                             : i18np(racks, "{:L} rack overheated: {:L} GPUs", "{:L} racks overheated: {:L} GPUs", group.gpus);
        lines.push_back({entity, what, seconds(at.first)});
    }
}

} // namespace

Text kilowattText(Milliwatts power) { return i18n("{:.1f} kW", toWatts(power) / 1000); }

Text timeText(std::int64_t ms)
{
    if (ms < 1000) return i18n("{} ms", ms);
    if (ms < 120'000) return i18n("{:.3g} s", double(ms) / 1000);
    return i18n("{:.1f} min", double(ms) / 60'000);
}

std::vector<Line> coolantCascade(const Study& study, const Effect& e)
{
    const CoolingChain& chain = *study.model().coolant.chain;
    std::vector<Line> lines;
    addRestarts(study.model(), e, lines);
    for (const CoolantInterval& spell : e.coolant.spells)
        lines.push_back({entityOf(chain.loops[spell.loop]), beginText(chain, spell), seconds(spell.fromMs)});
    addHot(study, e, lines);
    for (const CoolantInterval& spell : e.coolant.spells)
        if (spell.toMs >= 0) lines.push_back({entityOf(chain.loops[spell.loop]), endText(chain, spell), seconds(spell.toMs)});
    std::ranges::stable_sort(lines, {}, &Line::after);
    return lines;
}

std::vector<Line> coolantReserve(const Study& study, const Effect& e)
{
    const Model& m = study.model();
    std::vector<Line> lines;
    for (const std::uint32_t l : e.coolant.loops) {
        const CoolingLoop& loop = m.coolant.chain->loops[l];
        const std::int64_t lost = study.unitsLost(l);
        if (lost == 0 || std::ranges::any_of(e.coolant.spells, [&](const CoolantInterval& spell) { return spell.loop == l; })) continue;
        CoolingLoop left = loop;
        left.units -= lost;
        lines.push_back({entityOf(loop), i18n("{}: {} instead of {}", loop.name, left.redundancy(), loop.redundancy()), 0});
    }
    for (std::size_t i = 0; i < e.failed.pumps.size();) {
        const DeviceId id = e.failed.pumps[i].first;
        const auto first = i;
        while (i < e.failed.pumps.size() && e.failed.pumps[i].first == id) ++i;
        const int pumps = m.parts->device(m.s->devices.type[id]).cooling.pumps;
        lines.push_back({ref(id), i18n("{} of {} internal pumps left", std::int64_t(pumps) - std::int64_t(i - first), pumps), 0});
    }
    return lines;
}

} // namespace hw::impact

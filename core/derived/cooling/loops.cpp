// SPDX-License-Identifier: GPL-3.0-or-later
// Loops: connected pairs of pipes, parted where heat passes from one fluid to another; and the air of rooms.
#include "core/derived/cooling/reading.h"
#include "core/foundation/base/disjoint_sets.h"

#include "core/foundation/model/places.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>

namespace hw::cooling {

namespace {

/// The sides of devices joined by ways: 2 d takes, 2 d + 1 feeds.
class Sides {
public:
    explicit Sides(std::size_t devices) : m_sets(2 * devices) {}
    static std::uint32_t takes(DeviceId d) { return 2 * d.value; }
    static std::uint32_t feeds(DeviceId d) { return 2 * d.value + 1; }
    std::uint32_t of(std::uint32_t side) { return m_sets.find(side); }
    void join(std::uint32_t a, std::uint32_t b) { m_sets.join(a, b); }

private:
    DisjointSets m_sets;
};

void addMember(CoolingLoop& loop, DeviceId id)
{
    if (loop.members.empty() || loop.members.back() != id) loop.members.push_back(id);
}

/// Loops of everything that a way touches, numbered in the order of devices.
void joinWays(CoolingChain& chain)
{
    Sides sides(chain.unitOf.size());
    for (const CoolingUnit& unit : chain.units)
        if (!partsLoops(unit.element)) sides.join(Sides::takes(unit.device), Sides::feeds(unit.device));
    for (const CoolantPath& way : chain.ways) sides.join(Sides::takes(way.taker), Sides::feeds(way.feeder));
    std::map<std::uint32_t, std::int32_t> loops;
    for (const CoolantPath& way : chain.ways) loops.emplace(sides.of(Sides::takes(way.taker)), 0);
    for (auto& [side, number] : loops) {
        number = std::int32_t(chain.loops.size());
        chain.loops.push_back({.kind = LoopKind::Facility});
    }
    const auto loopOf = [&](std::uint32_t side) {
        const auto found = loops.find(sides.of(side));
        return found == loops.end() ? -1 : found->second;
    };
    for (CoolantPath& way : chain.ways) way.loop = loopOf(Sides::takes(way.taker));
    for (CooledLoad& taker : chain.takers) {
        taker.loop = loopOf(Sides::takes(taker.device));
        if (taker.loop >= 0) chain.loops[std::size_t(taker.loop)].kind = LoopKind::Liquid;
    }
    for (CoolingUnit& unit : chain.units) unit.takes = loopOf(Sides::takes(unit.device)), unit.feeds = loopOf(Sides::feeds(unit.device));
}

/// Rooms whose CDUs no coolant link leaves: all of them feed what in the room depends on nothing.
void implyLoops(const Design& d, CoolingChain& chain)
{
    std::map<HallId, std::int32_t> loops;
    const auto inRoom = [&](DeviceId id, auto&& f) {
        if (const auto hall = hallOf(d.s, id)) f(*hall);
    };
    std::map<HallId, bool> all; // true: none of its CDUs feeds anything
    for (const CoolingUnit& unit : chain.units)
        if (unit.element == CoolingElement::Cdu)
            inRoom(unit.device, [&](HallId hall) {
                const auto [it, fresh] = all.emplace(hall, true);
                it->second = it->second && unit.feeds < 0;
            });
    for (CooledLoad& taker : chain.takers)
        inRoom(taker.device, [&](HallId hall) {
            const auto room = all.find(hall);
            if (taker.loop >= 0 || room == all.end() || !room->second) return;
            const auto [it, fresh] = loops.emplace(hall, std::int32_t(chain.loops.size()));
            if (fresh) chain.loops.push_back({.kind = LoopKind::Liquid, .hall = hall, .implied = true});
            taker.loop = it->second;
            if (const auto at = chain.unitOf[taker.device.value]; at >= 0)
                chain.units[std::size_t(at)].takes = chain.units[std::size_t(at)].feeds = taker.loop;
        });
    for (CoolingUnit& unit : chain.units)
        if (unit.element == CoolingElement::Cdu)
            inRoom(unit.device, [&](HallId hall) {
                if (const auto it = loops.find(hall); it != loops.end()) unit.feeds = it->second;
            });
}

/// The air of rooms with air units, or with heat of IT.
void addAir(const Design& d, CoolingChain& chain)
{
    chain.airOf.assign(d.s.halls.nextId(), -1);
    std::vector<char> units(d.s.halls.nextId(), 0);
    for (const CoolingUnit& unit : chain.units)
        if (const auto hall = hallOf(d.s, unit.device); hall && movesAir(unit.element)) units[(*hall).value] = 1;
    const auto basis = std::size_t(chain.at.basis);
    d.s.halls.forEach([&](HallId hall) {
        const Load& load = d.power.hall(hall);
        if (!units[hall.value] && load.power[basis] <= load.liquid[basis]) return;
        chain.airOf[hall.value] = std::int32_t(chain.loops.size());
        chain.loops.push_back({.kind = LoopKind::Air, .coolant = "air", .hall = hall});
    });
    for (CoolingUnit& unit : chain.units)
        if (const auto hall = hallOf(d.s, unit.device); hall && movesAir(unit.element)) unit.feeds = chain.airOf[(*hall).value];
}

/// Liquid first, then facility, then air; within them as before.
void sortLoops(CoolingChain& chain)
{
    std::vector<std::int32_t> order(chain.loops.size()), place(chain.loops.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::int32_t l) { return chain.loops[std::size_t(l)].kind; });
    std::vector<CoolingLoop> loops;
    for (const std::int32_t l : order) {
        place[std::size_t(l)] = std::int32_t(loops.size());
        loops.push_back(std::move(chain.loops[std::size_t(l)]));
    }
    chain.loops = std::move(loops);
    const auto move = [&](std::int32_t& l) {
        if (l >= 0) l = place[std::size_t(l)];
    };
    for (CoolingUnit& unit : chain.units) move(unit.takes), move(unit.feeds);
    for (CooledLoad& taker : chain.takers) move(taker.loop);
    for (CoolantPath& way : chain.ways) move(way.loop);
    for (std::int32_t& l : chain.airOf) move(l);
}

void addMembers(const Design& d, CoolingChain& chain)
{
    const auto add = [&](std::int32_t loop, DeviceId id) {
        if (loop >= 0) addMember(chain.loops[std::size_t(loop)], id);
    };
    d.s.devices.forEach([&](DeviceId id) {
        if (const CoolingUnit* unit = chain.unit(id)) {
            add(unit->takes, id), add(unit->feeds, id);
            if (unit->feeds >= 0 && partsLoops(unit->element)) chain.loops[std::size_t(unit->feeds)].sources.push_back(id);
            if (unit->feeds >= 0 && unit->element == CoolingElement::Pump) chain.loops[std::size_t(unit->feeds)].pumps.push_back(id);
        } else if (const CooledLoad* taker = chain.taker(id); taker && taker->device == id) {
            add(taker->loop, id);
        }
        if (const CooledLoad* taker = chain.taker(id); taker && taker->loop < 0 && !chain.unit(id)) chain.unfed.push_back(id);
    });
}

/// Where everything stands that takes from a loop; none where that is several rooms.
Maybe<HallId> roomOf(const Design& d, const CoolingChain& chain, std::int32_t loop)
{
    Maybe<HallId> room;
    bool several = false;
    const auto look = [&](DeviceId id) {
        const auto hall = hallOf(d.s, id);
        several = several || !hall || (room && *room != *hall);
        if (hall) room = hall;
    };
    for (const CooledLoad& taker : chain.takers)
        if (taker.loop == loop) look(taker.device);
    for (const CoolingUnit& unit : chain.units)
        if (unit.takes == loop && unit.parts()) look(unit.device);
    return several ? Maybe<HallId>() : room;
}

/// "hall-1 liquid 2": room, kind, and a number where there are several such.
void nameLoops(const Design& d, CoolingChain& chain)
{
    std::map<std::string, int> many, number;
    const auto stem = [&](const CoolingLoop& loop) {
        const std::string kind(wordOf(loop.kind));
        return loop.hall ? d.s.halls.name[*loop.hall] + " " + kind : kind;
    };
    for (std::size_t l = 0; l < chain.loops.size(); ++l) {
        CoolingLoop& loop = chain.loops[l];
        if (!loop.hall) loop.hall = roomOf(d, chain, std::int32_t(l));
        ++many[stem(loop)];
    }
    for (CoolingLoop& loop : chain.loops) {
        const std::string name = stem(loop);
        loop.name = many[name] > 1 ? fmt::format("{} {}", name, ++number[name]) : name;
    }
}

/// Units that could take water from a loop, in a design that has such loops.
void markDry(const Design& d, CoolingChain& chain)
{
    if (std::ranges::none_of(chain.loops, [](const CoolingLoop& loop) { return loop.kind == LoopKind::Facility; })) return;
    for (CoolingUnit& unit : chain.units) {
        const auto& ports = d.spec(unit.device).cooling.ports;
        unit.dry = partsLoops(unit.element) && unit.takes < 0 && std::ranges::any_of(ports, [](const CoolantPort& p) { return !p.feeds; });
    }
}

} // namespace

void formLoops(const Design& design, CoolingChain& chain)
{
    joinWays(chain);
    implyLoops(design, chain);
    addAir(design, chain);
    sortLoops(chain);
    addMembers(design, chain);
    nameLoops(design, chain);
    markDry(design, chain);
}

} // namespace hw::cooling

// SPDX-License-Identifier: GPL-3.0-or-later
// P1: who is fed, on which sides, and from where. P3: what the loss of one element leaves the others with.
#include "core/derived/rules/power_view.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace hw::rules {

namespace {

/// Sides of the live equipment that feeds a device; 0 where one states none.
std::set<char> liveSides(const PowerView& v, DeviceId id)
{
    std::set<char> sides;
    for (const PowerFeed& feed : v.feeds.of(id))
        if (v.live(feed.supplier)) sides.insert(v.feeds.side(feed.supplier));
    return sides;
}

bool rackHasStrip(const PowerView& v, const std::vector<char>& withStrip, DeviceId id)
{
    const auto rack = v.s.devices.rack[id];
    return rack && withStrip[(*rack).value];
}

/// Racks without a strip: one finding a hall.
std::string unfedGroup(const PowerView& v, const std::vector<char>& withStrip, DeviceId id)
{
    const auto hall = hallOf(v.s, id);
    if (!v.s.devices.rack[id] || rackHasStrip(v, withStrip, id)) return "none|" + v.like(id);
    return "strip|" + (hall ? v.input.subject(ref(*hall)) : std::string("-"));
}

Text unfedText(const PowerView& v, const std::vector<char>& withStrip, DeviceId id)
{
    const auto rack = v.s.devices.rack[id];
    if (rack && !rackHasStrip(v, withStrip, id))
        return i18n("{} is unpowered: {} has neither a rack PDU nor a power shelf", v.name(id), v.input.name(ref(*rack)));
    return i18n("{} is unpowered: no feed connected", v.name(id));
}

/// What is fed, but not on all its ways.
void connectedWays(const PowerView& v, DeviceId id, Groups& groups)
{
    const auto ways = v.feeds.of(id);
    const std::size_t inlets = v.spec(id).inlets.size();
    const std::size_t dead = std::size_t(std::ranges::count_if(ways, [&](const PowerFeed& feed) { return !v.live(feed.supplier); }));
    if (dead > 0) {
        const auto first = std::ranges::find_if(ways, [&](const PowerFeed& feed) { return !v.live(feed.supplier); })->supplier;
        groups.add("dead|" + v.like(id), ref(id), Severity::Error, double(dead), [&] {
            return i18np(dead, "{0:L} of {1:L} feeds of {2} is dead: {3} is unpowered", "{0:L} of {1:L} feeds of {2} are dead: {3} is unpowered",
                         ways.size(), v.name(id), v.name(first));
        });
        return;
    }
    const bool overShelves = std::ranges::all_of(ways, [&](const PowerFeed& feed) { return v.element(feed.supplier) == PowerElement::Shelf; });
    if (ways.size() < inlets && !overShelves) {
        groups.add("open|" + v.like(id), ref(id), Severity::Error, double(inlets - ways.size()), [&] {
            return i18np(inlets - ways.size(), "{0:L} of {1:L} power supplies of {2} is not connected",
                         "{0:L} of {1:L} power supplies of {2} are not connected", inlets, v.name(id));
        });
    } else if (ways.size() > 1) {
        const auto sides = liveSides(v, id);
        if (sides.size() != 1 || *sides.begin() == 0 || v.singleFed(id)) return;
        groups.add("side|" + v.like(id), ref(id), Severity::Error, double(ways.size()),
                   [&] { return i18n("all {:L} power inputs of {} are on feed {}", ways.size(), v.name(id), std::string(1, *sides.begin())); });
    }
}

/// True for what is nothing without a way in: strips, busways, boards, UPS.
bool needsWayIn(PowerElement element)
{
    using enum PowerElement;
    return element != None && element != Utility && element != Generator && element != Transformer;
}

/// Where a way to no utility ends: up along the first dead-end.
DeviceId endOf(const PowerView& v, const std::vector<char>& reached, DeviceId id)
{
    for (std::size_t steps = 0; steps < v.chain.network.size(); ++steps) {
        const auto feeds = v.chain.network.feeds(id.value);
        const auto next = std::ranges::find_if(feeds, [&](const power::Feed& feed) { return !reached[feed.from]; });
        if (next == feeds.end()) return id;
        id = DeviceId(next->from);
    }
    return id;
}

/// Live ways that lead to no utility. Where a whole building has none, none is modeled: one warning.
void endsOfChains(const PowerView& v, Groups& groups)
{
    const auto reached = v.reachUtility();
    std::vector<char> modeled(v.s.buildings.nextId() + 1, 0); // the last one: without a building
    const auto place = [&](DeviceId id) {
        const auto building = buildingOf(v.s, id);
        return building ? std::size_t((*building).value) : modeled.size() - 1;
    };
    v.s.devices.forEach([&](DeviceId id) {
        if (v.draws(id) && reached[id.value]) modeled[place(id)] = 1;
    });
    v.s.devices.forEach([&](DeviceId id) {
        if (!v.draws(id) || !v.live(id)) return;
        for (const PowerFeed& feed : v.feeds.of(id)) {
            if (reached[feed.supplier.value] || !v.live(feed.supplier)) continue;
            const auto building = buildingOf(v.s, id);
            const std::string where = building ? v.input.subject(ref(*building)) : std::string("-");
            const bool error = modeled[place(id)];
            groups.add((error ? "end|" : "utility|") + where, ref(id), error ? Severity::Error : Severity::Warning, 0, [&] {
                const DeviceId end = endOf(v, reached, feed.supplier);
                return error ? i18n("a feed of {} ends at {}, which has no utility feed", v.name(id), v.name(end))
                             : i18n("the power chain of {} ends at {}: no utility feed modeled", v.name(id), v.name(end));
            });
            return;
        }
    });
}

} // namespace

std::vector<Finding> fedDevices(const RuleInput& input)
{
    const PowerView v(input);
    std::vector<char> withStrip(v.s.racks.nextId(), 0);
    v.s.devices.forEach([&](DeviceId id) {
        if (const auto rack = v.s.devices.rack[id]; rack && v.isPower(id)) withStrip[(*rack).value] = 1;
    });
    Groups groups(input, "P1");
    v.s.devices.forEach([&](DeviceId id) {
        if (v.isPower(id)) {
            if (v.feeds.of(id).empty() && needsWayIn(v.element(id)))
                groups.add("feed|" + v.like(id), ref(id), Severity::Error, 0, [&] { return i18n("{} has no feed", v.name(id)); });
        } else if (v.draws(id)) {
            if (v.feeds.of(id).empty())
                groups.add(unfedGroup(v, withStrip, id), ref(id), Severity::Error, 0, [&] { return unfedText(v, withStrip, id); });
            else
                connectedWays(v, id, groups);
        }
    });
    endsOfChains(v, groups);
    return groups.findings();
}

namespace {

/// Equipment whose rating other rules know better: P7 UPS, P9 generators, P10 transformers, P12 utilities.
bool hasOwnRule(PowerElement element)
{
    using enum PowerElement;
    return element == Utility || element == Transformer || element == Generator || element == Ups;
}

void overloads(const PowerView& v, Groups& groups)
{
    v.s.devices.forEach([&](DeviceId id) {
        if (!v.isPower(id) || hasOwnRule(v.element(id))) return;
        const double share = continuousShare(v.input, v.spec(id));
        const Rating rating = ratingOf(v.spec(id), v.powerFactor, share);
        const Milliwatts load = v.worstLoad(id);
        if (!rating.exceeded(load) || rating.exceeded(v.chain.load(id))) return; // too much already without a loss: P2, P6
        groups.add("load|" + v.like(id), ref(id), Severity::Error, double(load.count()) / double(rating.real.count()), [&] {
            const auto lost = v.worst().lost(id);
            return i18n("{} carries {} after loss of {} ({} basis), limit {}", v.name(id), v.loadText(id, load), lost ? v.name(*lost) : std::string(),
                        powerBasisName(v.input.basis), ratingText(v.spec(id), rating, v.powerFactor, share));
        });
    });
}

/// Why a single loss leaves a device without power.
enum class Dark { OneWay, WeakSupplies, Shared };

struct OutageCause {
    Dark cause = Dark::Shared;
    std::size_t left = 0; ///< supplies that live after the loss of the supplier that has most of them
    Milliwatts carries{}; ///< what those can carry
};

OutageCause causeOf(const PowerView& v, DeviceId id)
{
    const auto feeds = v.chain.network.feeds(id.value);
    std::map<std::pair<char, std::uint32_t>, std::pair<std::size_t, Milliwatts>> bySide; // of suppliers without a side by themselves
    std::set<std::uint32_t> suppliers;
    std::size_t ways = 0;
    Milliwatts all;
    for (const auto& feed : feeds) {
        if (!v.live(DeviceId(feed.from))) continue;
        const char side = v.feeds.side(DeviceId(feed.from));
        auto& [count, capacity] = bySide[{side, side ? 0 : feed.from}];
        ++count, ++ways;
        capacity += feed.capacity;
        all += feed.capacity;
        suppliers.insert(feed.from);
    }
    if (suppliers.size() < 2) return {Dark::OneWay};
    std::pair<std::size_t, Milliwatts> most{};
    for (const auto& [side, has] : bySide) most = std::max(most, has);
    const OutageCause rest{Dark::WeakSupplies, ways - most.first, all - most.second};
    if (rest.left > 0 && rest.carries.count() > 0 && rest.carries < v.chain.network[id.value].draw) return rest;
    return {Dark::Shared};
}

/// The element, farthest from the device, whose loss takes its power.
Maybe<DeviceId> fatalTo(const PowerView& v, DeviceId id)
{
    const auto upstream = v.upstream(id);
    power::Survey survey(v.chain.network);
    for (const DeviceId e : upstream) { // nearest first: the one that says most
        const auto lost = survey.lose({&e.value, 1});
        if (std::ranges::binary_search(lost.dark, id.value)) return e;
    }
    return {};
}

Text darkText(const PowerView& v, DeviceId id, const OutageCause& cause)
{
    const auto feeds = v.chain.network.feeds(id.value);
    switch (cause.cause) {
    case Dark::OneWay: return i18n("{} loses power when {} fails (single feed)", v.name(id), v.name(DeviceId(feeds.front().from)));
    case Dark::WeakSupplies:
        return i18n("{} loses power when one feed fails: the remaining {:L} of {:L} supplies deliver {}, load {} ({} basis)", v.name(id), cause.left,
                    feeds.size(), powerText(cause.carries), powerText(v.chain.network[id.value].draw), powerBasisName(v.input.basis));
    case Dark::Shared: break;
    }
    const auto fatal = fatalTo(v, id);
    return i18n("{} loses power when {} fails: all its feeds pass through it", v.name(id), fatal ? v.name(*fatal) : std::string("-"));
}

void darkDevices(const PowerView& v, Groups& groups)
{
    static constexpr const char* kCauses[] = {"single", "supplies", "shared"};
    v.s.devices.forEach([&](DeviceId id) {
        if (!v.draws(id) || !v.worst().darkens(id)) return;
        const OutageCause cause = causeOf(v, id);
        // A fan wall or pump with one way is what spare units are for; what is declared single-fed is meant to be.
        const bool spared = v.kind(id) == TierKind::Cooling && cause.cause == Dark::OneWay;
        const Severity severity = v.singleFed(id) ? Severity::Info : spared ? Severity::Warning : Severity::Error;
        groups.add(kCauses[int(cause.cause)] + ('|' + v.like(id)), ref(id), severity, 0, [&] { return darkText(v, id, cause); });
    });
}

} // namespace

std::vector<Finding> failover(const RuleInput& input)
{
    const PowerView v(input);
    Groups groups(input, "P3");
    overloads(v, groups);
    darkDevices(v, groups);
    return groups.findings();
}

} // namespace hw::rules

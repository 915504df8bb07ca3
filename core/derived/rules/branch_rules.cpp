// SPDX-License-Identifier: GPL-3.0-or-later
// P2: cords, taps and boards. P5: plugs and outlets. P6: strips and busways.
#include "core/derived/feeders/feeders.h"
#include "core/derived/rules/power_view.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

namespace hw::rules {

namespace {

/// What a cord with this plug carries all the time, in A; 0 for other plugs.
double plugAmps(const RuleInput& input, const std::string& plug)
{
    if (plug == "iec-60320-c14" || plug == "iec-60320-c16") return input.threshold(kC13Amps);
    if (plug == "iec-60320-c20") return input.threshold(kC19Amps);
    return 0;
}

/// Cords within racks, with one side lost.
void cords(const PowerView& v, Groups& groups)
{
    const FeederLoads loads(v.input.figures, v.input.basis);
    const double volts = v.input.threshold(kPhaseVoltage);
    v.s.devices.forEach([&](DeviceId id) {
        if (!v.draws(id) || !v.live(id) || v.feeds.of(id).empty()) return;
        const PowerFeed& first = v.feeds.of(id).front();
        if (first.link || first.inlet < 0) return;
        const std::string& plug = v.spec(id).inlets[std::size_t(first.inlet)].type;
        const double most = plugAmps(v.input, plug);
        if (most <= 0) return;
        const Milliwatts draw = v.chain.network[id.value].draw, supply = v.spec(id).inlets[std::size_t(first.inlet)].maximumDraw;
        std::size_t left = std::max<std::size_t>(1, loads.waysLeft(id));
        const std::size_t all = v.feeds.of(id).size();
        if (supply.count() > 0 && supply * std::int64_t(left) < draw) left = all; // dark then, see P3: no cord carries more
        const double amps = toWatts(draw) / double(left) / volts / v.powerFactor;
        if (amps <= most) return;
        groups.add("cord|" + v.like(id), ref(id), Severity::Error, amps / most, [&] {
            return left < all
                       ? i18n("power cord of {}: {:.1f} A with one feed lost ({} basis), plug rating {:.0f} A", v.name(id), amps,
                              powerBasisName(v.input.basis), most)
                       : i18n("power cord of {}: {:.1f} A ({} basis), plug rating {:.0f} A", v.name(id), amps, powerBasisName(v.input.basis), most);
        });
    });
}

/// Ways over power links: what the inlet of the consumer may take.
void taps(const PowerView& v, Groups& groups)
{
    const auto& network = v.chain.network;
    v.s.devices.forEach([&](DeviceId id) {
        const auto ways = v.feeds.of(id);
        for (std::size_t w = 0; w < ways.size(); ++w) {
            const auto& inlets = v.spec(id).inlets;
            if (!ways[w].link || ways[w].inlet < 0 || std::size_t(ways[w].inlet) >= inlets.size()) continue;
            const Milliwatts most = inlets[std::size_t(ways[w].inlet)].maximumDraw,
                             load = v.chain.flow.shares[network.firstFeed(id.value) + w].total();
            if (most.count() <= 0 || load <= most) continue;
            groups.add("tap|" + v.like(id), ref(id), Severity::Error, double(load.count()) / double(most.count()), [&] {
                return i18n("{} draws {} from {} ({} basis), input rating {}", v.name(id), powerText(load), v.name(ways[w].supplier),
                            powerBasisName(v.input.basis), powerText(most));
            });
        }
    });
}

/// Equipment that carries more than it may with nothing lost.
void overloaded(const PowerView& v, Groups& groups, std::initializer_list<PowerElement> elements)
{
    v.s.devices.forEach([&](DeviceId id) {
        if (!v.isPower(id) || std::ranges::find(elements, v.element(id)) == elements.end()) return;
        const double share = continuousShare(v.input, v.spec(id));
        const Rating rating = ratingOf(v.spec(id), v.powerFactor, share);
        const Milliwatts load = v.chain.load(id);
        if (!rating.exceeded(load)) return;
        groups.add("load|" + v.like(id), ref(id), Severity::Error, double(load.count()) / double(rating.real.count()), [&] {
            return i18n("{} carries {} ({} basis), limit {}", v.name(id), v.loadText(id, load), powerBasisName(v.input.basis),
                        ratingText(v.spec(id), rating, v.powerFactor, share));
        });
    });
}

} // namespace

std::vector<Finding> branchLoad(const RuleInput& input)
{
    using enum PowerElement;
    const PowerView v(input);
    Groups groups(input, "P2");
    cords(v, groups);
    taps(v, groups);
    overloaded(v, groups, {None, Switchgear, StaticSwitch, Switchboard, Shelf});
    return together(groups.findings(), feederCables(input));
}

/// Every feeder, whip and bus duct at worst against what its cables carry after derating.
std::vector<Finding> feederCables(const RuleInput& input)
{
    const double stated = input.threshold(kFeederAmps) * input.threshold(kFeederDerate) / 100;
    const PowerView v(input);
    const FeederLoads loads(input.figures, input.basis);
    Groups groups(input, "P2");
    v.s.devices.forEach([&](DeviceId id) {
        const auto ways = v.feeds.of(id);
        for (std::size_t w = 0; w < ways.size(); ++w) {
            const SupplyLine* line = loads.line(id, w);
            if (!line || !v.live(ways[w].supplier)) continue;
            const SupplySize& size = line->size;
            const bool low = size.kind == SupplyKind::Feeder && size.volts < 1000 && size.phases == power::LinePhases::Three;
            const double amps = stated > 0 && low ? stated : double(size.carriesMa) / 1000;
            const double carried = power::lineAmps(toWatts(loads.worst(id, w)), size.volts, v.powerFactor, size.phases);
            if (amps <= 0 || carried <= amps + 0.5) continue; // ratings are rounded
            groups.add("feeder|" + v.like(id), ref(id), Severity::Error, carried / amps, [&] {
                return i18n("feeder {} – {}: worst-case {:.0f} A ({} basis), cable ampacity after derating {:.0f} A", v.name(ways[w].supplier),
                            v.name(id), carried, powerBasisName(input.basis), amps);
            });
            return;
        }
    });
    return groups.findings();
}

namespace {

/// IEC 60320 names plug and socket by neighboring numbers; a C39 takes both sizes. Others fit their own name.
bool plugGoesInto(const std::string& plug, const std::string& outlet)
{
    if (plug == "hardwired" || outlet == "hardwired") return true; // a terminal, or a whip of the tap-off box
    if (outlet == "eaton-c39") return plug == "iec-60320-c14" || plug == "iec-60320-c20";
    static constexpr std::pair<std::string_view, std::string_view> kPairs[] = {{"iec-60320-c14", "iec-60320-c13"},
                                                                               {"iec-60320-c14", "iec-60320-c15"},
                                                                               {"iec-60320-c16", "iec-60320-c15"},
                                                                               {"iec-60320-c20", "iec-60320-c19"}};
    if (plug.starts_with("iec-60320-")) return std::ranges::any_of(kPairs, [&](const auto& p) { return p.first == plug && p.second == outlet; });
    if (plug.starts_with("nema-") && plug.ends_with('p') && outlet.ends_with('r')) // plug and receptacle of one name
        return std::string_view(plug).substr(0, plug.size() - 1) == std::string_view(outlet).substr(0, outlet.size() - 1);
    return plug == outlet;
}

/// Cords within racks: on the outlet that each took.
void cordOutlets(const PowerView& v, Groups& groups)
{
    v.s.devices.forEach([&](DeviceId id) {
        std::size_t without = 0;
        for (const PowerFeed& feed : v.feeds.of(id)) {
            const DeviceSpec& strip = v.spec(feed.supplier);
            if (feed.link || feed.inlet < 0 || strip.outlets.empty()) continue;
            const std::string& plug = v.spec(id).inlets[std::size_t(feed.inlet)].type;
            if (feed.outlet < 0) {
                ++without;
                continue;
            }
            const std::string& outlet = strip.outlets[std::size_t(feed.outlet)].type;
            if (plugGoesInto(plug, outlet)) continue;
            groups.add(fmt::format("plug|{}|{}|{}", v.like(id), plug, outlet), ref(id), Severity::Error, 0,
                       [&] { return i18n("plug {} of {} does not match outlet {} of {}", plug, v.name(id), outlet, v.name(feed.supplier)); });
            break;
        }
        if (without == 0) return;
        groups.add("outlets|" + v.like(id), ref(id), Severity::Error, double(without), [&] {
            return i18np(without, "{0:L} power cord of {1} without a free outlet on {2}", "{0:L} power cords of {1} without a free outlet on {2}",
                         v.name(id), v.name(v.feeds.of(id).front().supplier));
        });
    });
}

/// Power links: plugs where all outlets of the supplier are of one type, and how many there are.
void linkedOutlets(const PowerView& v, Groups& groups)
{
    std::vector<std::size_t> taken(v.s.devices.nextId(), 0);
    v.s.devices.forEach([&](DeviceId id) {
        const auto& inlets = v.spec(id).inlets;
        for (const PowerFeed& feed : v.feeds.of(id)) {
            if (!feed.link) continue;
            ++taken[feed.supplier.value];
            const auto& outlets = v.spec(feed.supplier).outlets;
            if (feed.inlet < 0 || std::size_t(feed.inlet) >= inlets.size() || outlets.empty()) continue;
            const std::string& plug = inlets[std::size_t(feed.inlet)].type;
            if (std::ranges::any_of(outlets, [&](const PowerOutlet& o) { return plugGoesInto(plug, o.type); })) continue;
            groups.add(fmt::format("plug|{}|{}", v.like(id), plug), ref(id), Severity::Error, 0, [&] {
                return i18n("plug {} of {} does not match outlet {} of {}", plug, v.name(id), outlets.front().type, v.name(feed.supplier));
            });
        }
    });
    v.s.devices.forEach([&](DeviceId id) {
        const std::size_t outlets = v.spec(id).outlets.size();
        if (outlets == 0 || taken[id.value] <= outlets) return;
        groups.add("taken|" + v.like(id), ref(id), Severity::Error, double(taken[id.value] - outlets), [&] {
            return i18np(outlets, "{2} has {0:L} outlet, but {1:L} are used", "{2} has {0:L} outlets, but {1:L} are used", taken[id.value],
                         v.name(id));
        });
    });
}

/// From the last transformer or UPS to the outlet: every feeder, busway and whip on the way that loses most.
void voltageDrops(const PowerView& v, Groups& groups)
{
    const FeederLoads loads(v.input.figures, v.input.basis);
    const double branch = v.input.threshold(kBranchDrop), total = v.input.threshold(kTotalDrop);
    std::vector<double> dropTo(v.chain.network.size(), 0);
    const auto order = v.chain.network.order();
    for (std::size_t at = order.size(); at-- > 0;) {
        const DeviceId id(order[at]);
        if (!v.s.devices.contains(id) || !v.live(id)) continue;
        double above = 0, line = 0;
        const auto ways = v.feeds.of(id);
        for (std::size_t w = 0; w < ways.size(); ++w) {
            if (!v.live(ways[w].supplier)) continue;
            const double own = 100 * loads.drop(id, w), before = loads.givesVoltage(ways[w].supplier) ? 0 : dropTo[ways[w].supplier.value];
            if (before + own > above + line) above = before, line = own;
        }
        const double along = 100 * loads.alongBusway(id), all = above + line + along;
        dropTo[id.value] = all;
        if (along > branch) {
            groups.add("drop|" + v.like(id), ref(id), Severity::Error, all,
                       [&] { return i18n("{}: voltage drop {:.1f} % at worst-case load, allowable {:.1f} %", v.name(id), along, branch); });
        } else if (line + along > 0 && all > total && above <= total) { // what is behind it only repeats it
            // IEC 60364-5-52, Annex G, allows motors behind a transformer of their own more.
            const Severity severity = v.kind(id) == TierKind::Cooling ? Severity::Warning : Severity::Error;
            groups.add("drop|" + v.like(id), ref(id), severity, all, [&] {
                return i18n("{}: voltage drop {:.1f} % from the last transformer or UPS at worst-case load ({:.1f} % of it in its own feeder), "
                            "allowable {:.1f} %",
                            v.name(id), all, line, total);
            });
        }
    }
}

} // namespace

std::vector<Finding> plugsAndOutlets(const RuleInput& input)
{
    const PowerView v(input);
    Groups groups(input, "P5");
    cordOutlets(v, groups);
    linkedOutlets(v, groups);
    return together(groups.findings(), outletGroups(input));
}

/// Outlets of one phase of a strip, so many at a time, behind one breaker; with one side lost.
std::vector<Finding> outletGroups(const RuleInput& input)
{
    const auto outlets = std::size_t(input.threshold(kGroupOutlets));
    const double most = input.threshold(kGroupAmps), volts = input.threshold(kPhaseVoltage);
    if (outlets == 0 || most <= 0) return {};
    const PowerView v(input);
    const FeederLoads loads(input.figures, input.basis);
    std::map<std::tuple<DeviceId, char, std::size_t>, double> amps;
    v.s.devices.forEach([&](DeviceId id) {
        if (!v.draws(id) || !v.live(id)) return;
        const double each = toWatts(v.chain.network[id.value].draw) / double(std::max<std::size_t>(1, loads.waysLeft(id))) / volts / v.powerFactor;
        for (const PowerFeed& feed : v.feeds.of(id)) {
            if (feed.link || feed.outlet < 0 || v.element(feed.supplier) != PowerElement::Pdu) continue;
            const auto& all = v.spec(feed.supplier).outlets;
            const char leg = all[std::size_t(feed.outlet)].leg;
            const auto before = std::count_if(all.begin(), all.begin() + feed.outlet, [&](const PowerOutlet& o) { return o.leg == leg; });
            amps[{feed.supplier, leg, std::size_t(before) / outlets}] += each;
        }
    });
    Groups groups(input, "P5");
    for (const auto& [group, carried] : amps) {
        const auto& [strip, leg, number] = group;
        if (carried <= most) continue;
        groups.add("group|" + v.like(strip), ref(strip), Severity::Error, carried / most, [&] {
            return leg == 0
                       ? i18n("outlet group {} of {}: {:.1f} A with one feed lost, breaker limit {:.0f} A", number + 1, v.name(strip), carried, most)
                       : i18n("outlet group {}, phase {} of {}: {:.1f} A with one feed lost, breaker limit {:.0f} A", number + 1, std::string(1, leg),
                              v.name(strip), carried, most);
        });
    }
    return groups.findings();
}

std::vector<Finding> stripsAndBusways(const RuleInput& input)
{
    const PowerView v(input);
    Groups groups(input, "P6");
    overloaded(v, groups, {PowerElement::Pdu, PowerElement::Busway});
    voltageDrops(v, groups);
    return together(groups.findings(), stripLegs(input));
}

/// The phase of a strip that carries most, at worst. Where all of the strip carries too much, that says it.
std::vector<Finding> stripLegs(const RuleInput& input)
{
    const PowerView v(input);
    Groups groups(input, "P6");
    v.s.devices.forEach([&](DeviceId id) {
        if (!v.isPower(id) || v.element(id) != PowerElement::Pdu) return;
        const Rating rating = ratingOf(v.spec(id), v.powerFactor, continuousShare(input, v.spec(id)));
        const auto& mw = v.chain.flow.intake[id.value].mw;
        const double now = double(v.chain.load(id).count()), worst = double(v.worstLoad(id).count()), may = double(rating.real.count()) / 3;
        const auto leg = std::ranges::max_element(mw);
        const bool single = std::ranges::count(mw, 0) == 2; // a strip of one phase: all of it is that phase
        if (may <= 0 || now <= 0 || single || rating.exceeded(Milliwatts(std::llround(worst)))) return;
        const double carried = double(*leg) * worst / now;
        if (carried <= may) return;
        groups.add("leg|" + v.like(id), ref(id), Severity::Error, carried / may, [&] {
            return i18n("phase {} of {}: worst-case {} ({} basis), limit {}", std::string(1, char('A' + (leg - mw.begin()))), v.name(id),
                        v.loadText(id, Milliwatts(std::llround(carried))), powerBasisName(input.basis),
                        v.loadText(id, Milliwatts(std::llround(may))));
        });
    });
    return groups.findings();
}

} // namespace hw::rules

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/tiers/availability.h"

#include "core/derived/cooling/chain.h"
#include "core/foundation/model/places.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace hw::tiers {

namespace {

constexpr std::size_t kFewElements = 40; ///< up to so many, cuts of four are searched, too
constexpr double kTolerance = 0.98;      ///< of what is needed: losses of the element itself are part of its load, not of its rating

/// What an element carries; none stated: everything.
std::int64_t ratingMw(const DeviceSpec& spec, double powerFactor)
{
    std::int64_t rated = spec.capacity.value.count();
    const auto apparent = std::int64_t(double(spec.power.apparent.value.count()) * powerFactor);
    if (spec.power.element != PowerElement::Generator && apparent > 0 && (rated <= 0 || apparent < rated)) rated = apparent;
    return rated > 0 ? rated : INT64_MAX / 1024;
}

double outOf(const Figures& figures, DeviceId id)
{
    const PartTypeId type = figures.snapshot->devices.type[id];
    const Part& part = (*figures.parts)[type];
    if (part.failuresPerYear.value > 0 && part.repairHours.value > 0)
        return unavailability(part.failuresPerYear.value, double(part.repairHours.value));
    const DeviceSpec& spec = figures.parts->device(type);
    if (spec.power.element == PowerElement::Generator) return numberSetting(*figures.snapshot, "power.generator_failure_percent") / 100;
    return 0;
}

} // namespace

double unavailability(double failuresPerYear, double repairHours)
{
    const double out = failuresPerYear / kHoursPerYear * repairHours;
    return out / (1 + out);
}

PowerPaths::PowerPaths(const Figures& figures, PowerBasis basis, DeviceId load)
{
    const Snapshot& s = *figures.snapshot;
    const power::Network& network = powerChain(figures, basis).network;
    const PowerWorst& worst = worstPower(figures, basis);
    const double powerFactor = powerFactorOf(s);
    std::vector<power::Index> all{load.value};
    std::set<power::Index> seen{load.value};
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const power::Feed& feed : network.feeds(all[i]))
            if (seen.insert(feed.from).second) all.push_back(feed.from);
    std::ranges::sort(all, [&](power::Index a, power::Index b) { return network.rank(a) > network.rank(b); });
    std::map<power::Index, std::uint32_t> place;
    for (const auto i : all) place.emplace(i, std::uint32_t(m_elements.size())), m_elements.emplace_back(i);
    m_of.resize(all.size()), m_live.resize(all.size());
    std::map<power::Index, std::int64_t> needed;
    for (auto at = all.rbegin(); at != all.rend(); ++at) { // consumers first
        std::int64_t mw = std::max(worst.through(DeviceId(*at)).count(), network[*at].draw.count());
        if (mw == 0) // it stands by: for all that it may have to carry
            for (const auto& use : network.uses(*at)) {
                const auto known = needed.find(use.consumer);
                mw += known != needed.end() ? known->second : worst.through(DeviceId(use.consumer)).count();
            }
        needed.emplace(*at, mw);
    }
    for (const auto i : all) {
        Element& element = m_of[place.at(i)];
        element.source = network[i].source;
        element.neededMw = std::int64_t(kTolerance * double(needed.at(i)));
        std::map<std::uint32_t, std::vector<Way>> groups;
        std::uint32_t number = 0;
        for (const power::Feed& feed : network.feeds(i)) {
            std::int64_t carries = ratingMw(figures.parts->device(s.devices.type[DeviceId(feed.from)]), powerFactor);
            if (feed.capacity.count() > 0) carries = std::min(carries, feed.capacity.count());
            const std::uint32_t group = network[i].intake == power::Intake::Shared     ? 0
                                        : network[i].intake == power::Intake::Parallel ? feed.group
                                                                                       : number++;
            groups[group].push_back({place.at(feed.from), carries});
        }
        for (auto& [group, ways] : groups) element.groups.push_back(std::move(ways));
    }
}

bool PowerPaths::works(std::span<const char> failed) const
{
    for (std::size_t i = 0; i < m_of.size(); ++i) {
        const Element& element = m_of[i];
        bool live = element.source;
        for (std::size_t g = 0; !live && g < element.groups.size(); ++g) {
            std::int64_t mw = 0;
            bool any = false;
            for (const Way& way : element.groups[g])
                if (m_live[way.from]) mw += way.mw, any = true;
            live = any && mw >= element.neededMw;
        }
        m_live[i] = live && !failed[i];
    }
    return m_live.back() != 0;
}

std::vector<FailureEvent> failureEventsOf(std::span<const double> outOf, std::span<const PartTypeId> types, double beta)
{
    std::vector<FailureEvent> events;
    std::map<PartTypeId, FailureEvent> common;
    for (std::uint32_t i = 0; i < outOf.size(); ++i) {
        if (outOf[i] <= 0) continue;
        FailureEvent& all = common[types[i]];
        all.elements.push_back(i), all.share = std::max(all.share, beta * outOf[i]);
    }
    for (std::uint32_t i = 0; i < outOf.size(); ++i)
        if (outOf[i] > 0) events.push_back({{i}, (common[types[i]].elements.size() > 1 ? 1 - beta : 1) * outOf[i]});
    for (auto& [type, all] : common)
        if (all.elements.size() > 1 && all.share > 0) events.push_back(std::move(all));
    return events;
}

std::vector<Cut> minimalCuts(const PowerPaths& paths, std::span<const FailureEvent> events, int order)
{
    std::vector<std::uint32_t> open(events.size());
    std::iota(open.begin(), open.end(), 0u);
    std::vector<char> failed(paths.elements().size(), 0); // how often
    std::vector<Cut> cuts;
    std::set<std::vector<std::uint32_t>> known; // of the orders before
    std::vector<std::uint32_t> chosen;
    const auto hasCut = [&] { // of any smaller part of what is chosen
        for (std::uint32_t mask = 1; mask + 1 < (1u << chosen.size()); ++mask) {
            std::vector<std::uint32_t> part;
            for (std::size_t i = 0; i < chosen.size(); ++i)
                if (mask >> i & 1) part.push_back(chosen[i]);
            if (known.contains(part)) return true;
        }
        return false;
    };
    const auto choose = [&](auto&& self, std::size_t from, int left) -> void {
        if (left == 0) {
            if (paths.works(failed) || hasCut()) return;
            double share = 1;
            for (const auto i : chosen) share *= events[i].share;
            cuts.push_back({chosen, share});
            return;
        }
        for (std::size_t i = from; i < open.size(); ++i) {
            const FailureEvent& event = events[open[i]];
            chosen.push_back(open[i]);
            for (const auto e : event.elements) ++failed[e];
            self(self, i + 1, left - 1);
            chosen.pop_back();
            for (const auto e : event.elements) --failed[e];
        }
    };
    for (int size = 1; size <= order; ++size) {
        const std::size_t before = cuts.size();
        choose(choose, 0, size);
        for (std::size_t i = before; i < cuts.size(); ++i) known.insert(cuts[i].events);
        if (size == 1) std::erase_if(open, [&](std::uint32_t i) { return known.contains({i}); });
    }
    return cuts;
}

double shareOf(const std::vector<Cut>& cuts)
{
    double works = 0; // logarithm, as the shares are small
    for (const Cut& cut : cuts) works += std::log1p(-cut.share);
    return -std::expm1(works);
}

double moreThan(std::span<const double> outOf, std::int64_t most)
{
    if (most < 0) return 1;
    std::vector<double> out(outOf.size() + 1, 0); // by number that are out
    out[0] = 1;
    for (std::size_t i = 0; i < outOf.size(); ++i) {
        for (std::size_t k = i + 1; k > 0; --k) out[k] = out[k] * (1 - outOf[i]) + out[k - 1] * outOf[i];
        out[0] *= 1 - outOf[i];
    }
    double sum = 0;
    for (std::size_t k = std::size_t(most) + 1; k < out.size(); ++k) sum += out[k];
    return sum;
}

namespace {

/// Loops that cool a hall, and those that these give their heat to.
double coolingShare(const Figures& figures, HallId hall, double beta)
{
    const CoolingChain& chain = figures.get<CoolingChainNode>();
    std::set<std::int32_t> loops;
    for (std::size_t l = 0; l < chain.loops.size(); ++l)
        if (chain.loops[l].hall == Maybe<HallId>(hall) && chain.loops[l].kind != LoopKind::Facility) loops.insert(std::int32_t(l));
    for (std::vector<std::int32_t> open(loops.begin(), loops.end()); !open.empty();) {
        const CoolingLoop& loop = chain.loops[std::size_t(open.back())];
        open.pop_back();
        for (const DeviceId id : loop.sources)
            if (const CoolingUnit* unit = chain.unit(id); unit && unit->takes >= 0 && loops.insert(unit->takes).second) open.push_back(unit->takes);
    }
    double share = 0;
    const auto fewer = [&](const std::vector<DeviceId>& units, std::int64_t needed) {
        if (units.empty() || needed <= 0) return;
        std::vector<double> out;
        for (const DeviceId id : units) out.push_back(outOf(figures, id));
        const double common = units.size() > 1 ? beta : 0, worst = std::ranges::max(out);
        for (double& one : out) one *= 1 - common;
        share += moreThan(out, std::ssize(units) - needed) + common * worst;
    };
    for (const std::int32_t l : loops) {
        const CoolingLoop& loop = chain.loops[std::size_t(l)];
        if (loop.heatW <= 0) continue;
        fewer(loop.sources, loop.runningSources), fewer(loop.pumps, loop.runningPumps);
    }
    return std::min(1.0, share);
}

void groupCuts(const Snapshot& s, const PowerPaths& paths, std::span<const FailureEvent> events, const std::vector<Cut>& cuts, Availability& out)
{
    std::map<std::vector<std::pair<PartTypeId, std::size_t>>, Availability::Kind> kinds; // by part types, and how many units at once
    for (const Cut& cut : cuts) {
        std::vector<std::pair<PartTypeId, std::size_t>> types;
        Availability::Kind kind{{}, {}, 0, 0};
        for (const auto i : cut.events) {
            const DeviceId first = paths.elements()[events[i].elements.front()];
            kind.elements.push_back(first), kind.together.push_back(std::ssize(events[i].elements));
            types.emplace_back(s.devices.type[first], events[i].elements.size());
        }
        std::ranges::sort(types);
        const auto found = kinds.try_emplace(std::move(types), std::move(kind)).first;
        ++found->second.likeIt, found->second.share += cut.share;
    }
    for (auto& [types, kind] : kinds) out.cuts.push_back(std::move(kind));
    std::ranges::stable_sort(out.cuts, std::greater(), &Availability::Kind::share);
}

} // namespace

std::vector<Availability> availabilities(const Figures& figures, PowerBasis basis)
{
    const Snapshot& s = *figures.snapshot;
    const power::Network& network = powerChain(figures, basis).network;
    std::map<HallId, std::pair<bool, DeviceId>> loads; // with accelerators, and which
    s.devices.forEach([&](DeviceId id) {
        const TierKind kind = s.tiers.kind[s.devices.tier[id]];
        const auto hall = hallOf(s, id);
        if (!hall || kind == TierKind::Power || kind == TierKind::Cooling || network[id.value].draw.count() == 0 || network.feeds(id.value).empty())
            return;
        const bool computes = figures.parts->device(s.devices.type[id]).accelerators > 0;
        const auto [found, fresh] = loads.try_emplace(*hall, computes, id);
        if (computes && !found->second.first) found->second = {true, id};
    });
    const double beta = numberSetting(s, "power.common_cause_percent") / 100;
    std::vector<Availability> out;
    for (const auto& [hall, load] : loads) {
        const PowerPaths paths(figures, basis, load.second);
        Availability one;
        one.load = load.second, one.hall = hall, one.elements = paths.elements().size() - 1;
        std::vector<double> shares, ofEvents;
        std::vector<PartTypeId> types;
        for (const DeviceId id : paths.elements()) shares.push_back(outOf(figures, id)), types.push_back(s.devices.type[id]);
        shares.back() = 0; // the load itself
        one.withoutData = std::size_t(std::ranges::count(shares, 0.0)) - 1;
        one.order = shares.size() <= kFewElements ? 4 : 3;
        one.beta = beta;
        const auto events = failureEventsOf(shares, types, beta);
        for (const FailureEvent& event : events) ofEvents.push_back(event.share);
        const auto cuts = minimalCuts(paths, events, one.order);
        one.power = shareOf(cuts), one.beyond = moreThan(ofEvents, one.order), one.cooling = coolingShare(figures, hall, beta);
        groupCuts(s, paths, events, cuts, one);
        out.push_back(std::move(one));
    }
    return out;
}

} // namespace hw::tiers

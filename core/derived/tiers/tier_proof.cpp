// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/tiers/tier_proof.h"

#include "core/derived/cooling/survey.h"
#include "core/derived/figures/power_chain.h"
#include "core/derived/installed/plant_sizes.h"
#include "core/derived/rules/check.h"
#include "core/foundation/model/places.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace hw::tiers {

namespace {

constexpr double kOver = 1 + 1e-6; ///< of a rating, as losses are whole milliwatts

/// Works out one outage after the other.
class Outages {
public:
    Outages(const Figures& figures, PowerBasis basis)
        : m_figures(figures), m_s(*figures.snapshot), m_chain(powerChain(figures, basis)), m_cooling(figures.get<CoolingChainNode>()),
          m_feeds(figures.get<PowerFeedsNode>()), m_power(m_chain.network), m_water(m_cooling), m_powerFactor(powerFactorOf(m_s))
    {
        for (const auto& loop : m_water.base().loops) m_before.push_back(loop.shortW());
        m_utilities = elementsOf(figures, PowerElement::Utility);
        m_sets = elementsOf(figures, PowerElement::Generator);
        const power::Flow alone = flowWithoutUtilities(figures, m_chain);
        m_overBefore[0] = overloads(m_chain.flow), m_overBefore[1] = overloads(alone);
    }

    [[nodiscard]] const PowerChain& chain() const { return m_chain; }
    [[nodiscard]] const CoolingChain& cooling() const { return m_cooling; }
    [[nodiscard]] bool hasSets() const { return !m_sets.empty(); }
    [[nodiscard]] bool isPower(DeviceId id) const { return m_s.tiers.kind[m_s.devices.tier[id]] == TierKind::Power; }
    [[nodiscard]] const DeviceSpec& spec(DeviceId id) const { return m_figures.parts->device(m_s.devices.type[id]); }

    /// `devices` and `ways` lost, `shut` pipes shut.
    Outage lose(std::span<const DeviceId> devices, std::span<const power::Network::Use> ways, std::span<const LinkId> shut, bool onGenerators)
    {
        Outage out;
        out.onGenerators = onGenerators;
        std::vector<power::Index> lost = onGenerators ? m_utilities : std::vector<power::Index>{};
        for (const DeviceId id : devices) lost.push_back(id.value);
        std::ranges::sort(lost);
        lost.erase(std::unique(lost.begin(), lost.end()), lost.end());
        const power::Impact impact = m_power.lose(lost, ways);
        const std::set<power::Index> dark(impact.dark.begin(), impact.dark.end());
        bool halfFed = true;
        std::vector<DeviceId> stopped(devices.begin(), devices.end()); // of cooling
        for (const auto i : impact.dark) {
            const DeviceId id(i);
            if (isPower(id)) continue;
            if (m_s.tiers.kind[m_s.devices.tier[id]] == TierKind::Cooling) {
                stopped.push_back(id);
                continue;
            }
            if (m_chain.network[i].draw.count() == 0) continue;
            halfFed = halfFed && std::ranges::any_of(m_feeds.of(id), [&](const PowerFeed& feed) {
                          return !dark.contains(feed.supplier.value) && !std::ranges::binary_search(lost, feed.supplier.value);
                      });
            ++out.devicesDark, out.itLost += m_chain.network[i].draw, out.accelerators += spec(id).accelerators;
        }
        out.suppliesShort = halfFed && out.devicesDark > 0;
        findOverload(impact, onGenerators, out);
        std::erase_if(stopped, [&](DeviceId id) { return m_cooling.unit(id) == nullptr && m_cooling.taker(id) == nullptr; });
        if (!stopped.empty() || !shut.empty()) {
            std::ranges::sort(stopped);
            const auto& answer = m_water.without(stopped, shut);
            for (std::size_t l = 0; l < m_before.size(); ++l) {
                const double missing = answer.loops[l].shortW() - m_before[l];
                if (missing > 1e-6 * std::max(1.0, m_cooling.loops[l].heatW)) out.uncooledW = std::max(out.uncooledW, missing);
            }
        }
        return out;
    }

    [[nodiscard]] const std::vector<power::Index>& sets() const { return m_sets; }
    /// Hours until the first of the loaded sets has an empty tank, with one set and its tank out of service and no utility; 0: a loaded set has none.
    double hoursWithout(DeviceId set)
    {
        std::vector<power::Index> lost = m_utilities;
        lost.push_back(set.value);
        std::ranges::sort(lost);
        double hours = 0;
        bool any = false;
        for (const auto& change : m_power.lose(lost).changed) {
            const DeviceId id(change.element);
            if (!std::ranges::binary_search(m_sets, change.element) || change.through.total().count() <= 0) continue;
            const double lasts = tankHours(m_s, spec(id), toWatts(change.through.total()));
            hours = any ? std::min(hours, lasts) : lasts, any = true;
        }
        return hours;
    }

    /// Both feeds of these depend on the element where no set helps.
    Milliwatts withoutSets(DeviceId element)
    {
        std::vector<power::Index> lost = m_sets;
        lost.push_back(element.value);
        std::ranges::sort(lost);
        Milliwatts sum;
        for (const auto i : m_power.lose(lost).dark)
            if (const DeviceId id(i); !isPower(id) && m_s.tiers.kind[m_s.devices.tier[id]] != TierKind::Cooling) sum += m_chain.network[i].draw;
        return sum;
    }

private:
    [[nodiscard]] double share(power::Index i, Milliwatts through) const
    {
        const DeviceId id(i);
        if (!m_s.devices.contains(id) || !isPower(id)) return 0;
        const DeviceSpec& part = spec(id);
        double rated = double(part.capacity.value.count());
        const double apparent = double(part.power.apparent.value.count()) * m_powerFactor;
        if (part.power.element != PowerElement::Generator && apparent > 0 && (rated <= 0 || apparent < rated)) rated = apparent;
        return rated > 0 ? double(through.count()) / rated : 0;
    }
    [[nodiscard]] std::vector<char> overloads(const power::Flow& flow) const
    {
        std::vector<char> over(flow.through.size(), 0);
        for (std::size_t i = 0; i < over.size(); ++i) over[i] = share(power::Index(i), flow.through[i].total()) > kOver;
        return over;
    }
    void findOverload(const power::Impact& impact, bool onGenerators, Outage& out) const
    {
        for (const auto& change : impact.changed) {
            if (m_overBefore[onGenerators][change.element]) continue;
            const double now = share(change.element, change.through.total());
            if (now > kOver && now > out.overload) out.overload = now, out.overloaded = DeviceId(change.element);
        }
    }

    const Figures& m_figures;
    const Snapshot& m_s;
    const PowerChain& m_chain;
    const CoolingChain& m_cooling;
    const PowerFeeds& m_feeds;
    power::Survey m_power;
    cooling::Survey m_water;
    double m_powerFactor;
    std::vector<double> m_before; ///< by loop: heat that is left with nothing lost
    std::vector<power::Index> m_utilities, m_sets;
    std::array<std::vector<char>, 2> m_overBefore; ///< with utility, without
};

Text remedyFor(const DeviceSpec& part, bool path, bool suppliesShort)
{
    using enum CoolingElement;
    if (suppliesShort) return i18n("servers whose power supplies on one feed carry their full load (rule P3)");
    if (path) return i18n("a second path rated for the full load, with a valve or breaker at each end");
    switch (part.cooling.element) {
    case Header: return i18n("a second header, with a branch from each unit to both (layout: headers: dual)");
    case Tank: return i18n("an additional tank in parallel, each with isolation valves");
    case Manifold: return i18n("one manifold per cabinet");
    case Valve: return i18n("a branch to a second header");
    case None: break;
    default: return i18n("one additional unit (N+1)");
    }
    switch (part.power.element) {
    case PowerElement::Generator: return i18n("one additional generator set, or sets on common switchgear (layout: generators: central)");
    case PowerElement::Transformer:
    case PowerElement::Ups: return i18n("one additional unit in parallel, or a second feed (layout: redundancy: 2n)");
    default: return i18n("a second feed (layout: redundancy: 2n)");
    }
}

/// Outages that are alike in part and kind, the worst of them kept.
class Breaks {
public:
    Breaks(const Figures& figures, Statement& into) : m_figures(figures), m_into(into) {}

    void offer(Outage outage, std::vector<EntityRef> out, PartTypeId part, bool path)
    {
        ++m_into.tried;
        if (outage.harmless()) return;
        const auto key = std::tuple(part.value, path, outage.devicesDark > 0, outage.uncooledW > 0, outage.overloaded.has_value());
        outage.out = std::move(out);
        const auto [at, fresh] = m_kept.try_emplace(key, outage);
        if (fresh) {
            const DeviceSpec& spec = m_figures.parts->device(part);
            at->second.remedy = remedyFor(spec, path, at->second.suppliesShort);
            if (!path && !at->second.suppliesShort) at->second.remedyCost = spec.price.value;
            return;
        }
        const std::int64_t count = at->second.likeIt + 1;
        if (weight(outage) > weight(at->second)) {
            outage.remedy = at->second.remedy, outage.remedyCost = at->second.remedyCost;
            at->second = std::move(outage);
        }
        at->second.likeIt = count;
    }
    void finish()
    {
        for (auto& [key, outage] : m_kept) m_into.breaks.push_back(std::move(outage));
        std::ranges::stable_sort(m_into.breaks, [](const Outage& a, const Outage& b) {
            return std::pair(a.out.size(), -weight(a)) < std::pair(b.out.size(), -weight(b));
        });
        m_into.holds = m_into.breaks.empty();
    }
    [[nodiscard]] static double weight(const Outage& o) { return toWatts(o.itLost) + o.uncooledW + std::max(0.0, o.overload - 1); }

private:
    const Figures& m_figures;
    Statement& m_into;
    std::map<std::tuple<std::uint32_t, bool, bool, bool, bool>, Outage> m_kept;
};

/// Every element of power and every way between two, with the utility or without.
Statement powerElements(const Figures& figures, Outages& outages, const char* id, bool onGenerators)
{
    const Snapshot& s = *figures.snapshot;
    Statement out{.id = id,
                  .title = onGenerators ? i18n("on generator power, no utility: every power component out of service, one at a time")
                                        : i18n("every power component and distribution path out of service, one at a time")};
    Breaks breaks(figures, out);
    const auto& network = outages.chain().network;
    s.devices.forEach([&](DeviceId device) {
        if (!outages.isPower(device)) return;
        const PowerElement element = outages.spec(device).power.element;
        if (onGenerators && element == PowerElement::Utility) return;
        breaks.offer(outages.lose({&device, 1}, {}, {}, onGenerators), {ref(device)}, s.devices.type[device], false);
    });
    const PowerFeeds& feeds = figures.get<PowerFeedsNode>();
    s.devices.forEach([&](DeviceId device) {
        const auto ways = feeds.of(device);
        for (std::uint32_t w = 0; w < ways.size() && w < network.feeds(device.value).size(); ++w) {
            if (!ways[w].link) continue; // a cord: as the strip that it comes from
            const power::Network::Use use{device.value, w};
            breaks.offer(outages.lose({}, {&use, 1}, {}, onGenerators), {ref(*ways[w].link)}, s.devices.type[device], true);
        }
    });
    breaks.finish();
    if (onGenerators && !outages.hasSets()) out.holds = false, out.note = i18n("the design has no generator sets");
    return out;
}

Statement coolingElements(const Figures& figures, Outages& outages)
{
    const Snapshot& s = *figures.snapshot;
    Statement out{.id = "T3.1c", .title = i18n("every cooling component and pipe out of service, one at a time")};
    Breaks breaks(figures, out);
    std::size_t ofCabinets = 0;
    for (const CoolingUnit& unit : outages.cooling().units) {
        if (unit.element == CoolingElement::Manifold && s.devices.rack[unit.device]) { // maintained with its cabinet
            ++ofCabinets;
            continue;
        }
        breaks.offer(outages.lose({&unit.device, 1}, {}, {}, false), {ref(unit.device)}, s.devices.type[unit.device], false);
    }
    if (ofCabinets > 0)
        out.note = i18np(ofCabinets, "{:L} rack manifold not taken out of service: part of its cabinet",
                         "{:L} rack manifolds not taken out of service: part of their cabinets");
    for (const CoolantPath& way : outages.cooling().ways) {
        if (!way.link) continue;
        const LinkId shut = *way.link;
        breaks.offer(outages.lose({}, {}, {&shut, 1}, false), {ref(shut)}, s.devices.type[way.taker], true);
    }
    breaks.finish();
    return out;
}

Statement commonElements(const Figures& figures, Outages& outages)
{
    const Snapshot& s = *figures.snapshot;
    Statement out{.id = "E1", .title = i18n("feeds A and B have no element in common, generator sets excluded")};
    Breaks breaks(figures, out);
    s.devices.forEach([&](DeviceId device) {
        if (!outages.isPower(device)) return;
        const PowerElement element = outages.spec(device).power.element;
        if (element == PowerElement::Generator || outages.chain().network.uses(device.value).empty()) return;
        Outage outage;
        outage.itLost = outages.withoutSets(device);
        outage.devicesDark = outage.itLost.count() > 0;
        breaks.offer(std::move(outage), {ref(device)}, s.devices.type[device], false);
    });
    breaks.finish();
    return out;
}

/// A room with all that stands in it: fire, water, smoke.
Statement rooms(const Figures& figures, Outages& outages)
{
    const Snapshot& s = *figures.snapshot;
    Statement out{.id = "T4.2", .title = i18n("redundant equipment compartmentalized: every plant room lost, one at a time")};
    std::map<HallId, std::vector<DeviceId>> inside;
    s.devices.forEach([&](DeviceId id) {
        const auto hall = hallOf(s, id);
        if (!hall) return;
        const RoomKind kind = s.halls.kind[*hall];
        if (kind == RoomKind::Electrical || kind == RoomKind::Battery || kind == RoomKind::Plant || kind == RoomKind::Yard)
            inside[*hall].push_back(id);
    });
    for (const auto& [hall, devices] : inside) {
        std::vector<EntityRef> entities{ref(hall)};
        Outage outage = outages.lose(devices, {}, {}, false);
        ++out.tried;
        if (outage.harmless()) continue;
        outage.out = std::move(entities);
        outage.remedy = i18n("separate rooms for feeds A and B and for each half of the cooling plant");
        out.breaks.push_back(std::move(outage));
    }
    std::ranges::stable_sort(out.breaks, [](const Outage& a, const Outage& b) { return Breaks::weight(a) > Breaks::weight(b); });
    out.holds = out.breaks.empty();
    return out;
}

/// Coolant lasts until what has no UPS runs again (rule C9), and so does the air of the halls.
Result<Statement> continuousCooling(const Figures& figures, Outages& outages, PowerBasis basis, const Progress& progress)
{
    Statement out{.id = "T4.3", .title = i18n("continuous cooling until generator sets and chillers have restarted")};
    const auto findings = hw::check(figures, {{"C9"}, basis}, progress);
    if (!findings) return tl::unexpected(findings.error());
    for (const Finding& f : findings->findings) {
        Outage outage;
        outage.out = f.entities, outage.remedy = f.message;
        out.breaks.push_back(std::move(outage));
    }
    const double start = numberSetting(*figures.snapshot, "impact.generator_start_s");
    for (const CoolingLoop& loop : outages.cooling().loops) {
        ++out.tried;
        if (loop.kind != LoopKind::Air || loop.heatW <= 0 || loop.rideThroughS >= start) continue;
        Outage outage;
        if (loop.hall) outage.out = {ref(*loop.hall)};
        outage.uncooledW = loop.heatW;
        outage.remedy = i18n("fans on a UPS: ride-through of the air {:.0f} s, generator start {:.0f} s", loop.rideThroughS, start);
        out.breaks.push_back(std::move(outage));
    }
    out.holds = out.breaks.empty();
    return out;
}

/// Every set runs on the tank of its own enclosure, so that a tank or fuel line out of service takes one set with it.
Statement fuelStore(const Figures& figures, Outages& outages, PowerBasis basis)
{
    const FuelNeed fuel = fuelNeed(figures, basis);
    const double asked = std::max(12.0, fuel.hours);
    Statement out{.id = "T3.3f", .title = i18n("{:g} h of fuel at design load, with any tank or fuel line out of service", asked)};
    if (fuel.sets == 0) {
        out.holds = false, out.note = i18n("no generator set carries a load");
        return out;
    }
    if (fuel.tankHours <= 0) {
        out.note = i18n("generator sets have no fuel tanks (setting site.set_tank_hours); provide {} for {:g} h, and the same in a second tank",
                        volumeText(fuel.liters), fuel.hours);
        return out;
    }
    const double missing = std::max(0.0, fuel.litersPerHour * asked / kUsableFuel - fuel.tankLiters);
    std::optional<double> least;
    for (const power::Index set : outages.sets()) {
        const double hours = outages.hoursWithout(DeviceId(set));
        ++out.tried;
        if (hours <= 0 || (least && hours >= *least)) continue; // no other set runs: T3.3
        least = hours;
        if (hours >= asked) continue;
        Outage outage;
        outage.out = {ref(DeviceId(set))}, outage.onGenerators = true;
        outage.remedy =
            i18n("larger tanks at the sets (site.set_tank_hours), or two bulk tanks of {} each with separate fuel lines", volumeText(missing));
        out.breaks.assign(1, std::move(outage));
    }
    out.holds = out.breaks.empty();
    if (least) out.note = i18n("tanks of the sets: {}, {:.1f} h with one set and its tank out of service", volumeText(fuel.tankLiters), *least);
    return out;
}

} // namespace

bool TierProof::holds() const
{
    return std::ranges::none_of(statements, [](const Statement& one) { return one.holds == std::optional(false); });
}

Result<TierProof> proveTier(const Figures& figures, PowerBasis basis, int tier, const Progress& progress)
{
    Outages outages(figures, basis);
    if (outages.chain().network.size() == 0 || elementsOf(figures, PowerElement::Utility).empty() || outages.cooling().units.empty())
        return fail(ErrorCode::Refused, "--tier", i18n("the design lacks a utility feed, power plant or cooling plant"),
                    i18n("have the layout generate the plant: 'layout: {{feed: yes}}' in the template"));
    const auto stopped = [&]() -> bool { return progress.stopRequested(); };
    const auto canceled = [] { return fail(ErrorCode::Canceled, "--tier", i18n("stopped"), {}); };
    TierProof proof{.tier = tier, .basis = basis, .statements = {}};
    proof.statements.push_back(powerElements(figures, outages, "T3.1", false));
    if (stopped()) return canceled();
    proof.statements.push_back(coolingElements(figures, outages));
    if (stopped()) return canceled();
    proof.statements.push_back(powerElements(figures, outages, "T3.3", true));
    proof.statements.push_back(fuelStore(figures, outages, basis));
    if (stopped()) return canceled();
    proof.availability = availabilities(figures, basis);
    if (tier < 4) return proof;
    if (stopped()) return canceled();
    proof.statements.push_back(rooms(figures, outages));
    auto cooling = continuousCooling(figures, outages, basis, progress);
    if (!cooling) return tl::unexpected(cooling.error());
    proof.statements.push_back(std::move(*cooling));
    proof.statements.push_back(commonElements(figures, outages));
    return proof;
}

} // namespace hw::tiers

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/impact/ranking.h"

#include "core/foundation/base/parallel.h"
#include "core/physics/power/battery.h"

#include <algorithm>
#include <array>

namespace hw::impact {

namespace {

Text stopped() { return i18n("stopped"); }

/// Calls f(study, i) for every i below n, on two threads, each with a study of its own. False: stopped.
template <class F>
bool forEachLoss(const ModelPtr& model, std::size_t n, const Progress& progress, F&& f)
{
    constexpr std::size_t kBlock = 64;
    constexpr unsigned kThreads = 2; // each study holds arrays of the whole design
    struct Scratch {
        Study study;
        bool reports;
    };
    return parallelFor(
        n, {.threads = kThreads, .block = kBlock, .stop = progress.stop},
        [&](unsigned thread) {
            return Scratch{Study(model), thread == 0};
        },
        [&](Scratch& scratch, std::size_t i) {
            if (scratch.reports && i % kBlock == 0) progress.report(double(i) / double(n), "failures"); // no text: of the progress line
            f(scratch.study, i);
        });
}

bool isHost(const Model& m, const Failing& f) { return f.entity.kind == EntityKind::Device && m.host[f.entity.id]; }

/// Things that a loss leaves with a way less, as numbers: devices (power), hosts (cards), then cards, loops of coolant and air, and what has pumps
/// inside.
std::vector<std::uint32_t> weakenedBy(const Study& study, const Effect& e)
{
    const Model& m = study.model();
    const auto devices = std::uint32_t(m.backup.size());
    std::vector<std::uint32_t> things;
    for (const DeviceId id : e.weakened) things.push_back(id.value);
    for (std::size_t i = 0; i < e.dark.size(); ++i) // had another way for a while
        if (e.darkMs[i] > 0) things.push_back(e.dark[i].value);
    for (const auto& gap : e.course.gaps) // what was fed by it had a way less meanwhile
        for (const auto& use : m.chain->network.uses(gap.device)) things.push_back(use.consumer);
    for (const std::uint32_t nic : e.nics) {
        const Nic& card = m.nics[nic];
        if (study.isDown(card.device) || !card.backend) continue;
        if (const std::uint32_t thing = devices + card.device.value; things.empty() || things.back() != thing) things.push_back(thing);
    }
    for (const std::uint32_t nic : e.nics)
        if (m.nics[nic].backend && study.linksLost(nic) < m.nics[nic].links) things.push_back(2 * devices + nic);
    for (const std::uint32_t l : e.coolant.loops) things.push_back(2 * devices + std::uint32_t(m.nics.size()) + l);
    for (const auto& [id, pump] : e.failed.pumps) things.push_back(2 * devices + std::uint32_t(m.nics.size() + m.coolant.loops.size()) + id.value);
    std::ranges::sort(things);
    things.erase(std::unique(things.begin(), things.end()), things.end());
    return things;
}

/// Heat that stays counts by what it makes too hot.
std::int64_t cost(const Loss& l)
{
    const auto all = [](const Count& c) { return c.active + c.backup; };
    return all(l.gpusLost) + all(l.hostsLost) + all(l.hostsInterrupted) + all(l.nicsLost) + l.tripped + l.devicesDark + l.equipmentDark +
           l.devicesHot;
}

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// What one loss puts onto the power chain.
struct Strain {
    std::vector<std::pair<power::Index, std::int64_t>> more; ///< by element: mW beyond what it carried, where protection or a battery bears it
    struct Battery {
        power::Index ups = 0;
        std::int64_t drain = 0, untilMs = 0;
    };
    std::vector<Battery> batteries;                     ///< that were in use, at most so long
    std::vector<power::Index> overloaded;               ///< at some moment
    std::vector<std::pair<power::Index, double>> moved; ///< takes another way: mW more that what is upstream of it there can carry
    std::vector<power::Index> touched;                  ///< of what may trip: carries another power, or none
};

constexpr double kNearly = 0.9; ///< losses grow faster than loads: two together add a little more than their sum

/// What an element may carry beyond what it does, of all phases together, and where they trip one by one as the fullest would let it; what is
/// too full already does not count. `share`: of the rest that may be used.
double roomOf(const Plant& plant, const power::Phases& now, power::Index i, double share)
{
    double room = 1e18;
    const auto take = [&](double more) {
        if (more >= 0) room = std::min(room, more);
    };
    take(share * double(plant.trip[i] - now.total().count()));
    if (plant.pole[i] > 0)
        for (const std::int64_t mw : now.mw) take(3 * share * double(plant.pole[i] - mw));
    return room < 1e18 ? room : -1;
}

/// More than before, as much of all phases as the fullest gets more.
std::int64_t extraOf(const Plant& plant, const power::Phases& now, const power::Phases& before, power::Index i)
{
    std::int64_t extra = now.total().count() - before.total().count();
    if (plant.pole[i] > 0)
        for (std::size_t p = 0; p < 3; ++p) extra = std::max(extra, 3 * (now.mw[p] - before.mw[p]));
    return extra;
}

/// Least that an element upstream of this one can carry on top of what a loss leaves it with.
double roomAbove(const Model& m, const std::map<power::Index, std::int64_t>& more, power::Index element)
{
    double room = 1e18;
    std::vector<power::Index> above{element};
    for (std::size_t at = 0; at < above.size(); ++at) {
        const power::Index i = above[at];
        for (const auto& feed : m.chain->network.feeds(i))
            if (std::ranges::find(above, feed.from) == above.end()) above.push_back(feed.from);
        if (m.plant->trip[i] == 0) continue;
        const auto extra = more.find(i);
        const power::Phases& flow = m.chain->flow.through[i];
        const std::int64_t added = extra == more.end() ? 0 : extra->second;
        room = std::min(room, kNearly * double(m.plant->trip[i]) - double(flow.total().count() + added));
        if (m.plant->pole[i] > 0)
            room = std::min(room, 3 * (kNearly * double(m.plant->pole[i]) - double(*std::ranges::max_element(flow.mw))) - double(added));
    }
    return room;
}

Strain strainOf(const Model& m, const Effect& e)
{
    const Plant& plant = *m.plant;
    std::map<power::Index, std::int64_t> more;
    const auto raise = [&](power::Index i, std::int64_t extra) {
        const bool moves = m.chain->network[i].intake == power::Intake::Transfer && m.chain->network.feeds(i).size() > 1;
        if (plant.trip[i] == 0 && plant.batteryOf[i] == Plant::kNoBattery && !moves) return;
        if (extra > 0) more[i] = std::max(more[i], extra);
    };
    for (const auto& change : e.changed) raise(change.element, extraOf(plant, change.through, m.chain->flow.through[change.element], change.element));
    for (const auto& [i, peak] : e.course.peaks) raise(i, peak.count() - m.chain->flow.through[i].total().count());
    Strain strain{{more.begin(), more.end()}, {}, e.course.overloaded, {}, {}};
    const auto moves = [&](power::Index i) {
        if (m.s->tiers.kind[m.s->devices.tier[DeviceId(i)]] != TierKind::Power || m.chain->network.feeds(i).size() < 2) return;
        if (m.chain->network[i].intake == power::Intake::Transfer) strain.moved.emplace_back(i, roomAbove(m, more, i));
    };
    for (const DeviceId id : e.weakened) moves(id.value);
    for (const CascadeEvent& h : e.course.happenings)
        if (h.what == CascadeEvent::What::Started)
            for (const auto& use : m.chain->network.uses(h.device)) moves(use.consumer);
    const auto touch = [&](power::Index i) {
        if (plant.trip[i] > 0) strain.touched.push_back(i);
    };
    for (const auto& change : e.changed) touch(change.element);
    for (const auto& [i, peak] : e.course.peaks) touch(i);
    for (const auto* list : {&e.failed.devices, &e.tripped, &e.dark})
        for (const DeviceId id : *list) touch(id.value);
    for (const CascadeEvent& h : e.course.happenings)
        if (h.what == CascadeEvent::What::OnBattery)
            strain.batteries.push_back({h.device, power::batteryDrain(m.chain->network[h.device].loss, h.load).count(), e.course.endMs});
    return strain;
}

/// Pairs that only together overload something, shift the loads of what one overloads, or empty a battery before a generator runs.
void strainingPairs(const Model& m, const std::vector<Strain>& strains, Pairs& pairs)
{
    const Plant& plant = *m.plant;
    std::map<power::Index, std::vector<std::pair<std::int64_t, std::uint32_t>>> onto; // mW, whose loss
    for (std::uint32_t e = 0; e < strains.size(); ++e)
        for (const auto& [i, more] : strains[e].more) onto[i].emplace_back(more, e);
    for (auto& [i, list] : onto) {
        std::ranges::sort(list, std::greater());
        const double room = roomOf(plant, m.chain->flow.through[i], i, kNearly);
        if (!plant.tripMs || plant.trip[i] == 0 || room < 0) continue;
        for (std::size_t a = 0; a < list.size(); ++a)
            for (std::size_t b = a + 1; b < list.size() && double(list[a].first + list[b].first) > room; ++b)
                pairs.push_back(std::minmax(list[a].second, list[b].second));
    }
    std::map<power::Index, std::vector<std::uint32_t>> overloading; // what trips may be another element when loads shift
    for (std::uint32_t e = 0; e < strains.size(); ++e)
        for (const power::Index i : strains[e].overloaded) overloading[i].push_back(e);
    for (std::uint32_t e = 0; e < strains.size() && !overloading.empty(); ++e)
        for (const power::Index i : strains[e].touched)
            if (const auto found = overloading.find(i); found != overloading.end())
                for (const std::uint32_t other : found->second)
                    if (other != e) pairs.push_back(std::minmax(e, other));
    for (std::uint32_t e = 0; e < strains.size() && plant.tripMs; ++e)
        for (const auto& [i, room] : strains[e].moved) {
            const auto found = onto.find(i);
            if (found == onto.end()) continue;
            for (const auto& [more, other] : found->second) {
                if (double(more) <= room) break;
                if (other != e) pairs.push_back(std::minmax(e, other));
            }
        }
    for (std::uint32_t e = 0; e < strains.size(); ++e)
        for (const auto& battery : strains[e].batteries) {
            const power::Index number = plant.batteryOf[battery.ups] - plant.devices;
            const double energy = kNearly * double(plant.energy[number]), most = kNearly * double(plant.most[number]);
            for (const auto& [more, other] : onto[battery.ups]) {
                const bool tooMuch = most > 0 && double(battery.drain + more) > most;
                if (double(battery.drain + more) * double(battery.untilMs) < energy && !tooMuch) break;
                if (other != e) pairs.push_back(std::minmax(e, other));
            }
        }
}

/// Pairs of elements that share something they weaken, ascending; `pairs` are some already.
Pairs meetingPairs(std::vector<std::pair<std::uint32_t, std::uint32_t>>& byThing, Pairs pairs)
{
    std::ranges::sort(byThing);
    std::vector<std::uint32_t> last; // many things in a row are weakened by the same elements
    for (std::size_t i = 0; i < byThing.size();) {
        std::vector<std::uint32_t> elements;
        const std::uint32_t thing = byThing[i].first;
        for (; i < byThing.size() && byThing[i].first == thing; ++i) elements.push_back(byThing[i].second);
        if (elements == last) continue;
        for (std::size_t a = 0; a < elements.size(); ++a)
            for (std::size_t b = a + 1; b < elements.size(); ++b) pairs.emplace_back(elements[a], elements[b]);
        last = std::move(elements);
        if (pairs.size() > (std::size_t(1) << 22)) {
            std::ranges::sort(pairs);
            pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
        }
    }
    std::ranges::sort(pairs);
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

} // namespace

std::vector<Failing> singleElements(const Model& m)
{
    std::vector<Failing> elements;
    m.s->devices.forEach([&](DeviceId id) { elements.push_back({ref(id), -1, -1}); });
    m.s->trays.forEach([&](TrayId id) { elements.push_back({ref(id), -1, -1}); });
    for (const CoolingUnit& unit : m.coolant.chain->units)
        for (int pump = 0; pump < m.parts->device(m.s->devices.type[unit.device]).cooling.pumps; ++pump)
            elements.push_back({ref(unit.device), -1, -1, std::int16_t(pump)});
    return elements;
}

Result<std::vector<Ranked>> rankSingles(const ModelPtr& model, const Progress& progress)
{
    const auto elements = singleElements(*model);
    std::vector<Ranked> ranked(elements.size());
    const bool done = forEachLoss(model, elements.size(), progress, [&](Study& study, std::size_t i) {
        ranked[i] = {elements[i], study.lose(elements[i]).loss};
    });
    if (!done) return fail(ErrorCode::Canceled, "impact", stopped());
    std::ranges::stable_sort(ranked, [](const Ranked& a, const Ranked& b) { return a.loss.badness() > b.loss.badness(); });
    return ranked;
}

std::vector<Failing> pairElements(const Model& model)
{
    std::vector<Failing> elements = singleElements(model);
    std::erase_if(elements, [&](const Failing& f) { return isHost(model, f); });
    return elements;
}

Result<PairPlan> planPairs(const ModelPtr& model, const Progress& progress, std::size_t mostPairs)
{
    const std::vector<Failing> elements = pairElements(*model);
    std::vector<std::vector<std::uint32_t>> things(elements.size());
    std::vector<Strain> strains(elements.size());
    PairPlan out;
    out.alone.resize(elements.size());
    if (!forEachLoss(model, elements.size(), progress, [&](Study& study, std::size_t i) {
            const Effect& e = study.lose(elements[i]);
            out.alone[i] = cost(e.loss);
            things[i] = weakenedBy(study, e);
            strains[i] = strainOf(*model, e);
        }))
        return fail(ErrorCode::Canceled, "impact", stopped());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> byThing;
    for (std::uint32_t i = 0; i < elements.size(); ++i) {
        out.elements += !things[i].empty();
        for (const std::uint32_t thing : things[i]) byThing.emplace_back(thing, i);
    }
    Pairs straining;
    strainingPairs(*model, strains, straining);
    out.pairs = meetingPairs(byThing, std::move(straining));
    if (out.pairs.size() > mostPairs) {
        // Those that weaken most are tried first.
        std::ranges::stable_sort(out.pairs, std::greater(), [&](const auto& p) { return std::min(things[p.first].size(), things[p.second].size()); });
        out.untried = std::int64_t(out.pairs.size() - mostPairs);
        out.pairs.resize(mostPairs);
    }
    return out;
}

Result<std::vector<std::int64_t>> moreOfPairs(const ModelPtr& model, const PairPlan& plan, std::size_t first, std::size_t count,
                                              const Progress& progress)
{
    const std::vector<Failing> elements = pairElements(*model);
    std::vector<std::int64_t> more(count);
    const bool done = forEachLoss(model, count, progress, [&](Study& study, std::size_t i) {
        const auto [a, b] = plan.pairs[first + i];
        const std::array both{elements[a], elements[b]};
        more[i] = std::max<std::int64_t>(0, cost(study.lose(both).loss) - plan.alone[a] - plan.alone[b]);
    });
    if (!done) return fail(ErrorCode::Canceled, "impact", stopped());
    return more;
}

Result<PairRanking> rankingOf(const ModelPtr& model, const PairPlan& plan, std::span<const std::int64_t> more, const Progress& progress)
{
    const std::vector<Failing> elements = pairElements(*model);
    std::vector<std::size_t> costly;
    for (std::size_t i = 0; i < plan.pairs.size(); ++i)
        if (more[i] > 0) costly.push_back(i);
    PairRanking out;
    out.tried = std::int64_t(plan.pairs.size());
    out.untried = plan.untried, out.elements = plan.elements;
    out.pairs.resize(costly.size());
    const bool done = forEachLoss(model, costly.size(), progress, [&](Study& study, std::size_t i) {
        const auto [a, b] = plan.pairs[costly[i]];
        const std::array both{elements[a], elements[b]};
        out.pairs[i] = {both[0], both[1], study.lose(both).loss, more[costly[i]]};
    });
    if (!done) return fail(ErrorCode::Canceled, "impact", stopped());
    std::ranges::stable_sort(out.pairs, [](const RankedPair& a, const RankedPair& b) { return a.loss.badness() > b.loss.badness(); });
    return out;
}

Result<PairRanking> rankPairs(const ModelPtr& model, const Progress& progress, std::size_t mostPairs)
{
    const auto plan = planPairs(model, progress, mostPairs);
    if (!plan) return tl::unexpected(plan.error());
    const auto more = moreOfPairs(model, *plan, 0, plan->pairs.size(), progress);
    if (!more) return tl::unexpected(more.error());
    return rankingOf(model, *plan, *more, progress);
}

} // namespace hw::impact

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/impact/ranking.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

namespace hw::impact {

namespace {

Text stopped() { return i18n("stopped"); }

/// Calls f(study, i) for every i below n, on two threads, each with a study of its own. False: stopped.
template <class F>
bool forEachLoss(const ModelPtr& model, std::size_t n, const Progress& progress, F&& f)
{
    constexpr std::size_t kBlock = 64, kThreads = 2;
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stop{false};
    const auto work = [&](bool reports) {
        Study study(model);
        for (std::size_t from; !stop && (from = next.fetch_add(kBlock)) < n;) {
            if (progress.stopRequested()) stop = true;
            if (reports) progress.report(double(from) / double(n), "failures"); // no text: of the progress line
            for (std::size_t i = from; i < std::min(n, from + kBlock); ++i) f(study, i);
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t t = 1; t < kThreads && n > kBlock; ++t) others.emplace_back([&] { work(false); });
        work(true);
    }
    return !stop;
}

bool isHost(const Model& m, const Failing& f) { return f.entity.kind == EntityKind::Device && m.host[f.entity.id]; }

/// Things that a loss leaves with a way less, as numbers: devices (power), hosts (cards), devices (coolant), then cards and cooling groups.
std::vector<std::uint32_t> weakenedBy(const Study& study, const Effect& e)
{
    const Model& m = study.model();
    const auto devices = std::uint32_t(m.backup.size());
    std::vector<std::uint32_t> things;
    for (const DeviceId id : e.weakened) things.push_back(id.value);
    for (const std::uint32_t nic : e.nics) {
        const Nic& card = m.nics[nic];
        if (study.isDown(card.device) || !card.backend) continue;
        if (const std::uint32_t thing = devices + card.device.value; things.empty() || things.back() != thing) things.push_back(thing);
    }
    if (m.coolant->arcCount() > 0)
        for (const auto* list : {&e.failed.devices, &e.dark, &e.hot})
            for (const DeviceId id : *list)
                for (const auto& arc : m.coolant->arcs(id))
                    if (!arc.up && !study.isDown(arc.to)) things.push_back(2 * devices + arc.to.value);
    for (const std::uint32_t nic : e.nics)
        if (m.nics[nic].backend && study.linksLost(nic) < m.nics[nic].links) things.push_back(3 * devices + nic);
    for (const std::uint32_t g : e.halls) things.push_back(3 * devices + std::uint32_t(m.nics.size()) + g);
    std::ranges::sort(things);
    things.erase(std::unique(things.begin(), things.end()), things.end());
    return things;
}

std::int64_t cost(const Loss& l)
{
    const auto all = [](const Count& c) { return c.active + c.backup; };
    return all(l.gpusLost) + all(l.hostsLost) + all(l.nicsLost) + l.devicesDark + l.equipmentDark + l.devicesHot + l.coolingShort.count() / 1000;
}

/// Pairs of elements that share something they weaken, ascending.
std::vector<std::pair<std::uint32_t, std::uint32_t>> meetingPairs(std::vector<std::pair<std::uint32_t, std::uint32_t>>& byThing)
{
    std::ranges::sort(byThing);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
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
    return elements;
}

Result<std::vector<Ranked>> rankSingles(const ModelPtr& model, const Progress& progress)
{
    const auto elements = singleElements(*model);
    std::vector<Ranked> ranked(elements.size());
    const bool done = forEachLoss(model, elements.size(), progress, [&](Study& study, std::size_t i) {
        ranked[i] = {elements[i], study.lose(elements[i]).loss};
    });
    if (!done) return fail(ErrorCode::Cancelled, "impact", stopped());
    std::ranges::stable_sort(ranked, [](const Ranked& a, const Ranked& b) { return a.loss.badness() > b.loss.badness(); });
    return ranked;
}

Result<PairRanking> rankPairs(const ModelPtr& model, const Progress& progress, std::size_t mostPairs)
{
    std::vector<Failing> elements = singleElements(*model);
    std::erase_if(elements, [&](const Failing& f) { return isHost(*model, f); });
    std::vector<std::vector<std::uint32_t>> things(elements.size());
    std::vector<std::int64_t> alone(elements.size());
    if (!forEachLoss(model, elements.size(), progress, [&](Study& study, std::size_t i) {
            const Effect& e = study.lose(elements[i]);
            alone[i] = cost(e.loss);
            things[i] = weakenedBy(study, e);
        }))
        return fail(ErrorCode::Cancelled, "impact", stopped());
    PairRanking out;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> byThing;
    for (std::uint32_t i = 0; i < elements.size(); ++i) {
        out.elements += !things[i].empty();
        for (const std::uint32_t thing : things[i]) byThing.emplace_back(thing, i);
    }
    auto pairs = meetingPairs(byThing);
    if (pairs.size() > mostPairs) {
        // Those that weaken most are tried first.
        std::ranges::stable_sort(pairs, std::greater(), [&](const auto& p) { return std::min(things[p.first].size(), things[p.second].size()); });
        out.untried = std::int64_t(pairs.size() - mostPairs);
        pairs.resize(mostPairs);
    }
    out.tried = std::int64_t(pairs.size());
    std::vector<RankedPair> ranked(pairs.size());
    if (!forEachLoss(model, pairs.size(), progress, [&](Study& study, std::size_t i) {
            const auto [a, b] = pairs[i];
            const std::array both{elements[a], elements[b]};
            const Loss& loss = study.lose(both).loss;
            ranked[i] = {both[0], both[1], loss, std::max<std::int64_t>(0, cost(loss) - alone[a] - alone[b])};
        }))
        return fail(ErrorCode::Cancelled, "impact", stopped());
    std::erase_if(ranked, [](const RankedPair& p) { return p.more == 0; });
    std::ranges::stable_sort(ranked, [](const RankedPair& a, const RankedPair& b) { return a.loss.badness() > b.loss.badness(); });
    out.pairs = std::move(ranked);
    return out;
}

} // namespace hw::impact

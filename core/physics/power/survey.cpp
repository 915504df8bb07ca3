// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/power/survey.h"

#include <algorithm>
#include <queue>

namespace hw::power {

Survey::Survey(const Network& network) : m_network(network), m_base(flowOf(network)), m_states(network.size()) {}

Survey::State& Survey::state(Index i)
{
    State& s = m_states[i];
    if (s.round != m_round) s = {m_round, !m_base.live[i], false, false, {}};
    return s;
}

Impact Survey::lose(std::span<const Index> lost, std::span<const Network::Use> cut)
{
    ++m_round;
    Impact out;
    const Network& net = m_network;
    if (!cut.empty()) m_cut.resize(net.feedCount(), 0);
    for (const auto& way : cut) m_cut[net.firstFeed(way.consumer) + way.feed] = m_round;
    std::vector<char> after;
    std::vector<Phases> shares;
    const auto waysOf = [&](Index i) {
        after.clear();
        const auto feeds = net.feeds(i);
        for (std::uint32_t f = 0; f < feeds.size(); ++f) after.push_back(!isDead(feeds[f].from) && !isCut(net.firstFeed(i) + f));
    };

    // Down: what loses a way in, the nearest to the sources first.
    const auto later = [&](Index a, Index b) { return net.rank(a) < net.rank(b); };
    std::priority_queue<Index, std::vector<Index>, decltype(later)> down(later);
    std::vector<Index> touched, changed;
    const auto weaken = [&](Index i) {
        State& s = state(i);
        if (s.dead || s.weakened) return;
        s.weakened = true;
        touched.push_back(i);
        down.push(i);
    };
    const auto dies = [&](Index i) {
        State& s = state(i);
        if (s.dead) return;
        s.dead = true;
        changed.push_back(i);
        for (const auto& use : net.uses(i)) weaken(use.consumer);
    };
    for (const Index i : lost) dies(i);
    for (const auto& way : cut)
        if (m_base.live[net.feeds(way.consumer)[way.feed].from]) weaken(way.consumer);
    while (!down.empty()) {
        const Index i = down.top();
        down.pop();
        if (state(i).dead) continue;
        waysOf(i);
        if (!isFed(net, i, after)) {
            dies(i);
            if (std::ranges::find(lost, i) == lost.end()) out.dark.push_back(i);
        } else {
            changed.push_back(i);
        }
    }

    // Up: what takes another share, or none, changes what its suppliers carry.
    const auto earlier = [&](Index a, Index b) { return net.rank(a) > net.rank(b); };
    std::priority_queue<Index, std::vector<Index>, decltype(earlier)> up(earlier);
    const auto enqueue = [&](Index i) {
        State& s = state(i);
        if (s.queued) return;
        s.queued = true;
        up.push(i);
    };
    for (const Index i : changed) enqueue(i);
    while (!up.empty()) {
        const Index i = up.top();
        up.pop();
        const State& s = state(i);
        const auto feeds = net.feeds(i);
        Phases through, intake;
        if (!s.dead) {
            through = m_base.through[i];
            through += s.delta;
            intake = through;
            intake += Phases::even(net[i].loss.at(through.total()));
            if (through != m_base.through[i]) out.changed.push_back({i, through});
        }
        waysOf(i);
        shares.assign(feeds.size(), {});
        if (!s.dead) shareIntake(net, i, intake, after, shares);
        for (std::size_t f = 0; f < feeds.size(); ++f) {
            const Phases& was = m_base.shares[net.firstFeed(i) + f];
            if (shares[f] == was) continue;
            State& supplier = state(feeds[f].from);
            supplier.delta += shares[f];
            supplier.delta -= was;
            enqueue(feeds[f].from);
        }
    }
    for (const Index i : touched)
        if (!state(i).dead) out.weakened.push_back(i);
    std::ranges::sort(out.dark);
    std::ranges::sort(out.weakened);
    std::ranges::sort(out.changed, {}, &Impact::Change::element);
    return out;
}

Worst worstOver(Survey& survey, const Network& network, std::span<const Index> elements)
{
    Worst out{std::vector<Worst::Load>(network.size()), std::vector<char>(network.size(), 0)};
    for (Index i = 0; i < network.size(); ++i) out.loads[i] = {survey.base().through[i].total(), i};
    for (const Index lost : elements) {
        const Impact impact = survey.lose({&lost, 1});
        for (const Index i : impact.dark) out.darkens[i] = 1;
        for (const auto& change : impact.changed)
            if (auto& worst = out.loads[change.element]; change.through.total() > worst.through) worst = {change.through.total(), lost};
    }
    return out;
}

} // namespace hw::power

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/power/network.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hw::power {

namespace {

/// Part `k` of `n` parts of an amount.
std::int64_t part(std::int64_t amount, std::int64_t n, std::int64_t k) { return amount / n + (k < amount % n); }

} // namespace

Phases Phases::even(Milliwatts power) { return {{part(power.count(), 3, 0), part(power.count(), 3, 1), part(power.count(), 3, 2)}}; }

Phases Phases::on(std::uint8_t phase, Milliwatts power)
{
    if (phase == 0) return even(power);
    Phases out;
    out.mw[std::size_t(phase - 1)] = power.count();
    return out;
}

Phases& Phases::operator+=(const Phases& other)
{
    for (std::size_t i = 0; i < 3; ++i) mw[i] += other.mw[i];
    return *this;
}

Phases& Phases::operator-=(const Phases& other)
{
    for (std::size_t i = 0; i < 3; ++i) mw[i] -= other.mw[i];
    return *this;
}

Milliwatts Loss::at(Milliwatts load) const
{
    const double rated = double(rating.count());
    if (rated <= 0) return fixed;
    const double share = double(load.count()) / rated;
    if (curve.empty()) return fixed + Milliwatts(std::llround(double(atRating.count()) * share * share));
    // Loss over rating at each point; below the first one in proportion to the load, above the last one as the last step goes on.
    const auto lossAt = [&](std::size_t i) { return curve[i].load * (1 / curve[i].efficiency - 1); };
    double loss = 0;
    if (share <= curve.front().load) {
        loss = curve.front().load > 0 ? lossAt(0) * share / curve.front().load : lossAt(0);
    } else {
        std::size_t next = 1;
        while (next + 1 < curve.size() && curve[next].load < share) ++next;
        if (next >= curve.size())
            loss = lossAt(0) * share / curve[0].load;
        else
            loss = lossAt(next - 1) + (lossAt(next) - lossAt(next - 1)) * (share - curve[next - 1].load) / (curve[next].load - curve[next - 1].load);
    }
    return fixed + Milliwatts(std::llround(rated * std::max(0.0, loss)));
}

Network::Network(std::vector<Element> elements, const std::vector<std::vector<Feed>>& feeds) : m_elements(std::move(elements))
{
    const std::size_t n = m_elements.size();
    m_feedOffset.assign(n + 1, 0);
    m_useOffset.assign(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
        m_feedOffset[i + 1] = m_feedOffset[i] + std::uint32_t(feeds[i].size());
        m_feeds.insert(m_feeds.end(), feeds[i].begin(), feeds[i].end());
        for (const Feed& feed : feeds[i]) ++m_useOffset[feed.from + 1];
    }
    std::partial_sum(m_useOffset.begin(), m_useOffset.end(), m_useOffset.begin());
    m_uses.resize(m_feeds.size());
    auto next = m_useOffset;
    for (std::size_t i = 0; i < n; ++i)
        for (std::uint32_t f = 0; f < feeds[i].size(); ++f) m_uses[next[feeds[i][f].from]++] = {Index(i), f};

    // An element comes when all its consumers have come.
    m_order.reserve(n);
    std::vector<std::uint32_t> open(n);
    for (std::size_t i = 0; i < n; ++i)
        if ((open[i] = std::uint32_t(uses(Index(i)).size())) == 0) m_order.push_back(Index(i));
    std::size_t at = 0;
    const auto follow = [&] {
        for (; at < m_order.size(); ++at)
            for (const Feed& feed : this->feeds(m_order[at]))
                if (--open[feed.from] == 0) m_order.push_back(feed.from);
    };
    follow();
    if (m_order.size() < n) {
        // What never comes stands in a loop, or between two, or feeds one; what only feeds it comes once the loops are taken out.
        m_looped = loopsAmong(open);
        for (const Index i : m_looped) open[i] = 0, m_order.push_back(i);
        for (const Index i : m_looped)
            for (const Feed& feed : this->feeds(i))
                if (open[feed.from] > 0 && --open[feed.from] == 0) m_order.push_back(feed.from);
        at += m_looped.size();
        follow();
    }
    m_rank.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) m_rank[m_order[i]] = std::uint32_t(i);
}

std::vector<Index> Network::loopsAmong(const std::vector<std::uint32_t>& open) const
{
    std::vector<std::uint32_t> above(size(), 0); // ways in from elements that are left
    std::vector<Index> free, loops;
    for (Index i = 0; i < size(); ++i) {
        if (open[i] == 0) continue;
        for (const Feed& feed : feeds(i)) above[i] += open[feed.from] > 0;
        if (above[i] == 0) free.push_back(i);
    }
    std::vector<char> outside(size(), 0);
    for (std::size_t at = 0; at < free.size(); ++at) {
        outside[free[at]] = 1;
        for (const Use& use : uses(free[at]))
            if (open[use.consumer] > 0 && --above[use.consumer] == 0) free.push_back(use.consumer);
    }
    for (Index i = 0; i < size(); ++i)
        if (open[i] > 0 && !outside[i]) loops.push_back(i);
    return loops;
}

bool isFed(const Network& network, Index element, std::span<const char> live)
{
    const Element& e = network[element];
    const auto feeds = network.feeds(element);
    Milliwatts capacity;
    bool any = false, limited = true;
    for (std::size_t i = 0; i < feeds.size(); ++i) {
        if (!live[i]) continue;
        any = true;
        limited = limited && feeds[i].capacity.count() > 0;
        capacity += feeds[i].capacity;
    }
    return e.source || (any && (!limited || capacity >= std::max(e.draw, e.least)));
}

void shareIntake(const Network& network, Index element, const Phases& intake, std::span<const char> live, std::span<Phases> shares)
{
    const auto feeds = network.feeds(element);
    std::ranges::fill(shares, Phases());
    const Intake kind = network[element].intake;
    std::size_t first = feeds.size(); // the way that is preferred
    for (std::size_t i = 0; i < feeds.size(); ++i)
        if (live[i] && (first == feeds.size() || (kind == Intake::Parallel && feeds[i].group < feeds[first].group))) first = i;
    if (first == feeds.size()) return;
    const auto inUse = [&](std::size_t i) {
        if (!live[i] || kind == Intake::Shared) return live[i] != 0;
        return kind == Intake::Transfer ? i == first : feeds[i].group == feeds[first].group;
    };
    std::int64_t ways = 0, way = 0;
    for (std::size_t i = 0; i < feeds.size(); ++i) ways += inUse(i);
    for (std::size_t i = 0; i < feeds.size(); ++i) {
        if (!inUse(i)) continue;
        if (feeds[i].phase != 0) {
            shares[i] = Phases::on(feeds[i].phase, Milliwatts(part(intake.total().count(), ways, way)));
        } else {
            for (std::size_t p = 0; p < 3; ++p) shares[i].mw[p] = part(intake.mw[p], ways, way);
        }
        ++way;
    }
    std::int64_t given = 0; // ways of one phase and of three beside each other may leave some milliwatts
    for (const Phases& share : shares) given += share.total().count();
    const std::int64_t left = intake.total().count() - given;
    if (left == 0) return;
    shares[first].mw[feeds[first].phase == 0 ? 0 : std::size_t(feeds[first].phase - 1)] += left;
}

Flow flowOf(const Network& network, std::span<const Index> lost)
{
    const std::size_t n = network.size();
    Flow flow{std::vector<char>(n, 0), std::vector<Phases>(n), std::vector<Phases>(n), std::vector<Phases>(network.feedCount())};
    std::vector<char> gone(n, 0), ways;
    for (const Index i : lost) gone[i] = 1;
    for (const Index i : network.looped()) gone[i] = 1;
    const auto waysOf = [&](Index i) -> std::span<const char> {
        ways.clear();
        for (const Feed& feed : network.feeds(i)) ways.push_back(flow.live[feed.from]);
        return ways;
    };
    const auto order = network.order();
    for (std::size_t at = order.size(); at-- > 0;) {
        const Index i = order[at];
        flow.live[i] = !gone[i] && isFed(network, i, waysOf(i));
    }
    for (const Index i : order) {
        if (!flow.live[i]) continue;
        const Element& e = network[i];
        flow.through[i] += Phases::even(e.draw);
        flow.intake[i] = flow.through[i];
        flow.intake[i] += Phases::even(e.loss.at(flow.through[i].total()));
        const auto shares = std::span(flow.shares).subspan(network.firstFeed(i), network.feeds(i).size());
        shareIntake(network, i, flow.intake[i], waysOf(i), shares);
        for (std::size_t f = 0; f < shares.size(); ++f) flow.through[network.feeds(i)[f].from] += shares[f];
    }
    for (std::size_t i = 0; i < n; ++i)
        if (!flow.live[i]) flow.through[i] = {};
    return flow;
}

} // namespace hw::power

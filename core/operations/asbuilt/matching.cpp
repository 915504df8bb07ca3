// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/asbuilt/matching.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace hw::asbuilt {

namespace {

constexpr std::uint32_t kNoPair = 0xFFFFFFFFu;

struct Step {
    bool planned = true;
    std::uint32_t pair = 0;
};
using Trail = std::vector<Step>;

class Trails {
public:
    Trails(std::span<const PlugPair> planned, std::span<const PlugPair> seen) : m_pairs{planned, seen}
    {
        for (const bool kind : {true, false}) {
            m_taken[kind].assign(of(kind).size(), 0);
            for (std::uint32_t i = 0; i < of(kind).size(); ++i)
                for (const auto place : {of(kind)[i].a, of(kind)[i].b}) m_at[place][kind] = i;
        }
    }

    /// Paths from one of their ends, in the order of places; then rings.
    template <class F>
    void each(F&& f)
    {
        std::vector<std::uint32_t> ends;
        for (const auto& [place, at] : m_at)
            if ((at[0] == kNoPair) != (at[1] == kNoPair)) ends.push_back(place);
        std::sort(ends.begin(), ends.end());
        for (const auto place : ends) {
            const bool kind = m_at[place][1] != kNoPair;
            if (!m_taken[kind][m_at[place][kind]]) f(walk(place, kind), false);
        }
        for (std::uint32_t i = 0; i < of(true).size(); ++i)
            if (!m_taken[true][i]) f(walk(of(true)[i].a, true), true);
    }

private:
    struct At {
        std::uint32_t pair[2] = {kNoPair, kNoPair};
        std::uint32_t& operator[](bool kind) { return pair[kind]; }
        const std::uint32_t& operator[](bool kind) const { return pair[kind]; }
    };
    [[nodiscard]] std::span<const PlugPair> of(bool planned) const { return m_pairs[planned ? 0 : 1]; }

    Trail walk(std::uint32_t place, bool kind)
    {
        Trail trail;
        for (;; kind = !kind) {
            const std::uint32_t pair = m_at[place][kind];
            if (pair == kNoPair || m_taken[kind][pair]) return trail;
            m_taken[kind][pair] = 1;
            trail.push_back({kind, pair});
            place = of(kind)[pair].a == place ? of(kind)[pair].b : of(kind)[pair].a;
        }
    }

    std::span<const PlugPair> m_pairs[2];
    std::vector<char> m_taken[2];
    std::unordered_map<std::uint32_t, At> m_at;
};

using Distance = std::function<int(std::uint32_t, std::uint32_t)>;

/// Neighbors [from, to) of a trail in twos.
int pairUp(const Trail& trail, std::size_t from, std::size_t to, const Distance& distance, std::vector<Explained::Move>& moves)
{
    int sum = 0;
    for (std::size_t i = from; i + 1 < to; i += 2) {
        const Step &one = trail[i], &two = trail[i + 1];
        const Explained::Move move = one.planned ? Explained::Move{one.pair, two.pair} : Explained::Move{two.pair, one.pair};
        sum += distance(move.planned, move.seen);
        moves.push_back(move);
    }
    return sum;
}

Explained ring(Trail trail, const Distance& distance)
{
    Explained one, other;
    const int asIs = pairUp(trail, 0, trail.size(), distance, one.moves);
    std::rotate(trail.begin(), trail.begin() + 1, trail.end());
    return pairUp(trail, 0, trail.size(), distance, other.moves) < asIs ? other : one;
}

/// A path with one pair too many of a kind leaves out that which brings the rest together best.
void path(const Trail& trail, const Distance& distance, std::vector<Explained>& out)
{
    std::vector<Explained::Move> best;
    std::size_t left = trail.size();
    if (trail.size() % 2 == 0) {
        pairUp(trail, 0, trail.size(), distance, best);
    } else {
        int least = 0;
        for (std::size_t out_ = 0; out_ < trail.size(); out_ += 2) {
            std::vector<Explained::Move> moves;
            const int sum = pairUp(trail, 0, out_, distance, moves) + pairUp(trail, out_ + 1, trail.size(), distance, moves);
            if (left < trail.size() && sum >= least) continue;
            least = sum, left = out_, best = std::move(moves);
        }
    }
    for (const auto& move : best) out.push_back({{move}, {}, {}});
    if (left == trail.size()) return;
    if (trail[left].planned)
        out.push_back({{}, {trail[left].pair}, {}});
    else
        out.push_back({{}, {}, {trail[left].pair}});
}

} // namespace

std::vector<Explained> explain(std::span<const PlugPair> planned, std::span<const PlugPair> seen, const Distance& distance)
{
    std::vector<Explained> out;
    Trails(planned, seen).each([&](Trail trail, bool isRing) {
        if (isRing)
            out.push_back(ring(std::move(trail), distance));
        else
            path(trail, distance, out);
    });
    return out;
}

} // namespace hw::asbuilt

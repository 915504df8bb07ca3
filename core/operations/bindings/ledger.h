// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/culprits.h"

namespace hw::bindings::balances {

/// Over which values are averaged before power and the heat that it becomes are compared (assumed: the water of a rack turns over in less).
inline constexpr double kHeatLagS = 60;
/// What swings between its readings is averaged over so many of them, and no longer than so.
inline constexpr double kReadings = 8, kLongestS = 600;

/// What is known of a point.
struct LastReading {
    std::int64_t heardMs = 0, movedMs = 0; ///< by our clock: when it last spoke, and when it last said something else
    double everyS = 0, step = 0;           ///< how often it says something else, NaN: not known yet; and by how much that differs
};

/// What relations between sensors say in time: which are broken for long enough, by which sensor; which leap. Looks at those only of which a
/// value is new. Belongs to Plausibility.
class Ledger {
public:
    Ledger(const Figures& design, const Bound& bound, const PlausibilityLimits& limits);

    [[nodiscard]] bool reads(PointNo point) const { return m_all.of.contains(point) || m_all.poolOf.contains(point); }
    void touch(PointNo point);
    void follow(const Ledger& was, const std::vector<PointNo>& now); ///< by old number; kNoPoint: gone
    using Known = std::function<LastReading(PointNo)>;
    /// The second that ends at `nowMs`. `bad`: sensors that are bad by themselves.
    void second(std::int64_t nowMs, const Value& fast, const Value& slow, const Known& known, const std::set<PointNo>& bad);

    struct Found {
        Contradiction contradiction;
        bool meters = false; ///< by the meters around it
        std::int64_t sinceMs = 0, lastMs = 0;
    };
    [[nodiscard]] const std::map<PointNo, Found>& found() const { return m_found; }
    struct Leaping {
        bool stuck = false; ///< it stays while what it is held against leaps
        double by = 0;
        std::int64_t sinceMs = 0;
    };
    [[nodiscard]] std::map<PointNo, Leaping> leaping(const Known& known) const;
    /// Sensors that may be bad: what they say is in question until it is decided.
    [[nodiscard]] const std::set<PointNo>& disputed() const { return m_disputed; }
    /// Whether what is held against a sensor goes along with leaps of that size.
    [[nodiscard]] bool vouches(PointNo point, double step, const Value& fast) const;
    [[nodiscard]] const All& all() const { return m_all; }
    /// Places of one loop that agree on another share of their power than the design assumes.
    [[nodiscard]] std::vector<LiquidShare> shares() const;

private:
    struct RelationState {
        Terms newest{}, mean{}, longMean{};            ///< of slow ones: over seconds, one minute, five
        double meanS = 0, longS = 0;                   ///< that are averaged
        double ratio = 1, learnedS = 0;                ///< left over right, as it usually is
        double coarseRatio = 1, coarseS = 0;           ///< the same, while it carries little
        std::int64_t lastMs = -1, restMs = -1;         ///< looked at; when it last stood still
        std::int64_t sinceMs = -1, brokeMs = -1;       ///< broken since; was so last
        std::int64_t offMs = -1;                       ///< of slow ones: when its newest values last contradicted each other
        double residual = 0, square = 0, sampledS = 0; ///< means of what is read at different moments, over so long
        double usual = 0, usualSquare = 0;             ///< the same over longer, without what is far off; square: of what differs from it
        std::int64_t togetherMs = -1;                  ///< when all that swings was last read at one moment
        struct Apart {                                 ///< another level of what is read at different moments, since it began
            Terms mean{};
            double from = 0, limit = 0, residual = 0, square = 0, seconds = 0; ///< from, limit: what it is apart from, and by how much at least
        } apart{};
        std::int64_t levelMs = -1;            ///< since when it is at another level; -1: long ago
        int times = 0;                        ///< in a row that it was broken then
        bool sampled = false, seldom = false; ///< compared by such means; by what is read at one moment
        Look look;
        bool known = false, broken = false, open = false;
    };
    struct Leaps {
        double count = 0, by = 0;
        std::int64_t atMs = 0, firstMs = 0;
        bool stands = false;
        bool still = false; ///< it is not itself that leaps
    };
    void update(std::uint32_t number, std::int64_t nowMs, const Value& fast, const Known& known);
    /// What is read seldom and swings: at one moment, or else by means. False: not to be looked at now.
    struct Seldom {
        bool unknown = false, any = false, together = true;
        double everyS = 0, spread = 0; ///< spread: what left - right differs by between readings
    };
    [[nodiscard]] Seldom seldomOf(const Relation& r, std::int64_t nowMs, const Terms& terms, const Value& fast, const Known& known) const;
    void averageSampled(const Relation& r, RelationState& s, const Terms& terms, const Seldom& seldom, double seconds, bool atOneMoment,
                        std::int64_t nowMs);
    void findLevel(const Relation& r, RelationState& s, const Terms& terms, double residual, const Seldom& seldom, double seconds,
                   std::int64_t nowMs) const;
    void settle(RelationState& s, bool doubtful, std::int64_t nowMs);
    [[nodiscard]] bool isSound(const Relation& r) const;
    void learnShares();
    void setShare(std::uint32_t number, double share);
    void average(const Relation& r, RelationState& s, const Terms& now, double seconds);
    static void learnCoarse(RelationState& s, const Terms& terms, double seconds);
    void learn(RelationState& s, const Terms& terms, double residual, double allowed, double seconds);
    [[nodiscard]] bool ripe(std::uint32_t number, std::int64_t nowMs, const Value& fast, const Known& known) const;
    void startAnew(PointNo point, bool all);
    void judge(std::int64_t nowMs, const Value& fast, const Value& slow, const Known& known, const std::set<PointNo>& bad);
    void countLeaps(std::span<const std::uint32_t> began, std::int64_t nowMs, const Culprits& culprits, const Value& fast, const Known& known);

    const Bound& m_bound;
    const PlausibilityLimits& m_limits;
    All m_all;
    std::vector<RelationState> m_standing; ///< by relation
    std::vector<Median> m_medians;         ///< by pool
    std::vector<std::uint32_t> m_touched;
    std::vector<char> m_isTouched, m_poolTouched;
    std::set<std::uint32_t> m_off; ///< broken or open, and of slow ones all that are not settled
    std::map<PointNo, Found> m_found;
    std::map<PointNo, Leaps> m_leaps;
    std::set<PointNo> m_disputed;
};

} // namespace hw::bindings::balances

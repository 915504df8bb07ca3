// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/balances.h"

#include <cmath>
#include <map>
#include <optional>
#include <set>

/// Which sensors a set of broken relations comes from; used by Ledger only.
namespace hw::bindings::balances {

/// A relation at a moment: left - right, what it may be, and the values that it was made of.
struct Look {
    double residual = 0, allowed = 1;
    bool slow = false;           ///< averaged over minutes
    double usual = std::nan(""); ///< left - right, where right is what it usually is to left; NaN: not known
};

struct Contradiction {
    PointNo bad = kNoPoint;
    std::vector<PointNo> against;
    double measured = 0, expected = 0;
    std::vector<std::uint32_t> relations; ///< broken ones that hold once it is right
};

/// A sensor is to blame where one correction of it alone mends what is broken and breaks nothing that holds. Of several that would do, the one
/// is named that stands out among its like; where none would, it is no sensor: the hall is so.
class Culprits {
public:
    using Looks = std::function<std::optional<Look>(std::uint32_t relation)>;
    Culprits(const All& all, const Bound& bound, Looks looks, Value fast, Value slow);

    /// That of `broken` which no sensor of `named` explains: one after the other, until nothing is left or nothing explains it. Named ones come
    /// first, with what they are worth now, where a correction of them still mends something.
    [[nodiscard]] std::vector<Contradiction> of(std::vector<std::uint32_t> broken, const std::set<PointNo>& named);
    /// Sensors of a relation, of which each alone could be it, and how many broken ones it would mend.
    [[nodiscard]] PointNo likeliest(std::uint32_t relation, const std::vector<std::pair<PointNo, int>>& candidates,
                                    const std::vector<std::uint32_t>& broken) const; ///< kNoPoint: several
    [[nodiscard]] std::vector<std::pair<PointNo, int>> candidates(std::uint32_t relation, const std::vector<std::uint32_t>& broken) const;

private:
    struct Band {
        double least = 0, most = 0;
    };
    struct Mended {
        int count = 0;
        double by = 0, half = 0; ///< factor, or K; to within
        double exact = 0;        ///< the same, by the relation that says it most exactly
        bool slow = false;       ///< averages say so, too
    };
    [[nodiscard]] bool isFactor(PointNo point) const;
    [[nodiscard]] double corrected(PointNo point, double value, double by) const { return isFactor(point) ? value * by : value + by; }
    [[nodiscard]] std::optional<Look> lookOf(std::uint32_t relation) const; ///< with what was corrected so far
    [[nodiscard]] std::optional<Band> bandOf(std::uint32_t relation, PointNo point, const Look& look,
                                             double part) const; ///< part: of what is allowed
    [[nodiscard]] Mended mends(PointNo point, bool slow, const std::vector<std::uint32_t>& broken) const;
    [[nodiscard]] Mended mended(PointNo point, const std::vector<std::uint32_t>& broken) const;
    [[nodiscard]] PointNo oddestOf(std::uint32_t relation, const std::vector<PointNo>& best) const;
    [[nodiscard]] std::vector<PointNo> mostUsual(const std::vector<PointNo>& best, std::uint32_t relation,
                                                 const std::vector<std::uint32_t>& broken) const;
    [[nodiscard]] double strangeness(PointNo point, double by, const std::set<std::uint32_t>& relations) const;
    [[nodiscard]] double oddness(const Relation& relation, std::size_t sensor, std::size_t over) const;
    [[nodiscard]] PointNo oddSource(std::uint32_t relation, const std::vector<PointNo>& best) const;
    [[nodiscard]] PointNo oddMeter(std::uint32_t relation, const std::vector<PointNo>& best) const;
    [[nodiscard]] Contradiction blame(PointNo point, const Mended& mended, const std::vector<std::uint32_t>& broken);

    const All& m_all;
    const Bound& m_bound;
    Looks m_looks;
    Value m_fast, m_slow;
    std::map<PointNo, Mended> m_by; ///< corrections so far
    std::set<PointNo> m_waiting;    ///< are bad, too, and not corrected yet: what they stand in says nothing of others
};

} // namespace hw::bindings::balances

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/power_feeds.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hw {

/// A substation as the settings "site.substation*" state it.
struct SubstationSize {
    std::int64_t transformers = 0, spare = 0; ///< spare: outages that it tolerates
    double transformerMva = 0, powerFactor = 1;
    /// Of so many with `spare` transformers out in each; where it has no more, with one substation out.
    [[nodiscard]] double capacityW(std::int64_t stations) const
    {
        const double each = transformerMva * 1e6 * powerFactor;
        if (transformers > spare) return double(stations * (transformers - spare)) * each;
        return double(std::max<std::int64_t>(stations - (spare > 0 ? 1 : 0), 0) * transformers) * each;
    }
    /// Substations that carry a power; 0: none is stated.
    [[nodiscard]] std::int64_t required(double watts) const
    {
        const bool whole = transformers <= spare;
        const double each = double(whole ? transformers : transformers - spare) * transformerMva * 1e6 * powerFactor;
        return each > 0 ? std::int64_t(std::ceil(watts / each - 1e-9)) + (whole && spare > 0 ? 1 : 0) : 0;
    }
    friend bool operator==(const SubstationSize&, const SubstationSize&) = default;
};
[[nodiscard]] SubstationSize substationSize(const Snapshot&);

/// What the substations of a design deliver: those drawn in it, else as its settings state.
struct SubstationSupply {
    std::int64_t stations = 0, transformers = 0; ///< transformers: of all of them
    bool drawn = false;                          ///< in the design; else from the settings "site.substation*", which is an assumption
    /// With "site.substation_spare" transformers out in each; where none is left in one then, with the largest station out instead.
    double capacityW = 0;
    std::vector<DeviceId> devices; ///< the transformers that are drawn
    /// Substations of their mean capacity that a power needs; 0: there are none.
    [[nodiscard]] std::int64_t required(double watts) const
    {
        return capacityW > 0 ? std::int64_t(std::ceil(watts * double(stations) / capacityW - 1e-9)) : 0;
    }
    friend bool operator==(const SubstationSupply&, const SubstationSupply&) = default;
};

/// Transformers between a utility and switchgear are those of a substation; they are one where they stand in one building, or one room, or else
/// where one utility feeds them.
[[nodiscard]] SubstationSupply substationSupply(const Snapshot&, const ProjectParts&, const PowerFeeds&);

} // namespace hw

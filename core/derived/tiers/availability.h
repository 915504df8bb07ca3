// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/derived/figures/power_chain.h"
#include "core/foundation/catalog/entity.h"

#include <span>
#include <vector>

/// Availability of power and cooling of one load in each hall, from failure rates and repair times of the parts.
namespace hw::tiers {

inline constexpr double kHoursPerYear = 8760;

/// Share of time that a part is out: λ r / (1 + λ r), λ per hour and r hours.
[[nodiscard]] double unavailability(double failuresPerYear, double repairHours);

/// Elements of the power chain that one load depends on, suppliers before what they feed. A load or board has power while a group of its ways in
/// that live carries what it needs: one of several transfer switches, so many of parallel modules, transformers or sets.
class PowerPaths {
public:
    PowerPaths(const Figures& figures, PowerBasis basis, DeviceId load);
    [[nodiscard]] const std::vector<DeviceId>& elements() const { return m_elements; } ///< the load is the last
    /// Whether the load has power; `failed` by element.
    [[nodiscard]] bool works(std::span<const char> failed) const;

private:
    struct Way {
        std::uint32_t from = 0; ///< place in `m_elements`
        std::int64_t mw = 0;    ///< that it carries
    };
    struct Element {
        bool source = false;
        std::int64_t neededMw = 0;
        std::vector<std::vector<Way>> groups; ///< each alone is enough
    };
    std::vector<DeviceId> m_elements;
    std::vector<Element> m_of;
    mutable std::vector<char> m_live;
};

/// What puts elements out of service at once: the failure of one of them, or a cause that all units of a type have in common.
struct FailureEvent {
    std::vector<std::uint32_t> elements; ///< places
    double share = 0;                    ///< of the time
};
/// Failures of each element by itself, and of all elements of a type together: the β factor model (IEC 61508-6, annex D), β the share of failures
/// that have a common cause. `outOf`: share of time that each element is out (0: never); `types` of the elements.
[[nodiscard]] std::vector<FailureEvent> failureEventsOf(std::span<const double> outOf, std::span<const PartTypeId> types, double beta);
/// Outages that together take the power of a load away, none of which can be left out, and how much of the time they coincide.
struct Cut {
    std::vector<std::uint32_t> events; ///< places
    double share = 0;
};
/// All minimal cuts of so many events at most.
[[nodiscard]] std::vector<Cut> minimalCuts(const PowerPaths& paths, std::span<const FailureEvent> events, int order);
/// Share of time with any of them, at most: 1 - Π (1 - share).
[[nodiscard]] double shareOf(const std::vector<Cut>& cuts);
/// That more than `most` of so many independent things are out at once.
[[nodiscard]] double moreThan(std::span<const double> outOf, std::int64_t most);

struct Availability {
    /// Cuts of the same part types together.
    struct Kind {
        std::vector<DeviceId> elements;     ///< of the first of them; of a common cause one unit
        std::vector<std::int64_t> together; ///< by element: units of its type that are out by a common cause, 1: it alone
        std::int64_t likeIt = 1;
        double share = 0; ///< of all of them
    };
    DeviceId load;
    Maybe<HallId> hall;
    std::size_t elements = 0, withoutData = 0; ///< of the power chain; the latter count as always in order
    int order = 0;                             ///< largest cuts that were searched, in events
    double beta = 0;                           ///< share of failures with a common cause
    double power = 0;                          ///< share of time without power, by these cuts
    double beyond = 0;                         ///< that more events than that coincide: what larger cuts can add at most
    double cooling = 0;                        ///< share of time with fewer cooling units or pumps in a loop than carry its heat
    std::vector<Kind> cuts;                    ///< largest share first
};
/// Of one load in every hall that has IT: the first with accelerators, otherwise the first that draws power.
[[nodiscard]] std::vector<Availability> availabilities(const Figures& figures, PowerBasis basis);

} // namespace hw::tiers

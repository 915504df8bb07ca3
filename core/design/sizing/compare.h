// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace hw {
class Figures;
}

/// Two designs side by side: every value of their reports, flattened to "networks[backend].tiers[tor].switches".
namespace hw::sizing {

enum class Better { Unknown, Lower, Higher };

/// One value of both reports.
struct ComparedValue {
    std::string key;                 ///< path in the report; list entries by their names
    Text label{};                    ///< of a headline, for people: "Cost per accelerator"
    std::string unit;                ///< "W", "m", "Gb/s", "USD" …; empty for counts, ratios and texts
    std::optional<std::string> a, b; ///< as text; nothing where a report has no such value
    std::optional<double> numberA, numberB;
    Better better = Better::Unknown;
    [[nodiscard]] bool same() const { return a == b; }
    /// -1: the first design is better here, 1: the second one, 0: neither, or not known.
    [[nodiscard]] int winner() const;
    [[nodiscard]] std::optional<double> difference() const; ///< b − a
    [[nodiscard]] std::optional<double> ratio() const;      ///< b / a
    /// A unit in which both numbers read well, and what they are divided by for it: 18.2e6 W → MW, 1e6.
    struct Shown {
        std::string unit;
        double divisor = 1;
    };
    [[nodiscard]] Shown shown() const;
};

/// "1,234,568", "18.21", "0.9375": four significant digits below 10,000, whole numbers above.
[[nodiscard]] Text comparedNumber(double value);

struct Comparison {
    std::string nameA, nameB;
    std::vector<ComparedValue> headline; ///< ten numbers that a planner reads first
    std::vector<ComparedValue> servers;  ///< what servers the designs are made of, told before anything else; empty: the same
    std::vector<ComparedValue> values;   ///< in the order of the first report, then what only the second one has
    [[nodiscard]] std::size_t differences() const;
};

/// Both are reports as `reportJson` makes them. Lists whose entries have names (or ends and rates) are
/// matched by these, others by place; `revision` and the like that say nothing about the design are left out.
[[nodiscard]] Comparison compareReports(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b, std::string nameA, std::string nameB);

/// The ten headline rows of two reports.
[[nodiscard]] std::vector<ComparedValue> compareHeadline(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b);

/// The server types of two designs and what they have; empty where both have the same. Power, cost and computing per accelerator follow from
/// them more than from the network.
[[nodiscard]] std::vector<ComparedValue> compareServers(const Figures& a, const Figures& b);

/// Schema hallwright.compare/1.
[[nodiscard]] nlohmann::ordered_json compareJson(const Comparison& comparison, bool onlyDifferences);
/// A table of at most 100 columns.
[[nodiscard]] std::string compareText(const Comparison& comparison, bool onlyDifferences);

} // namespace hw::sizing

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derive/figures.h"
#include "core/rules/finding.h"

#include <span>

namespace hw {

/// A number that a rule compares with, kept as a project setting of the same key.
struct Threshold {
    std::string_view setting;
    double value = 0; ///< used where the project sets nothing
    std::string_view unit;
    std::string_view source; ///< standard or document that the default comes from
};

/// Parts of the design that a rule reads; a result stays good while none of them changes.
namespace reads {
inline constexpr unsigned kSettings = 1, kParts = 2, kNetworks = 4, kSites = 8, kRacks = 16, kTrays = 32, kDevices = 64, kWiring = 128,
                          kPlacement = 256, kRouting = 512, kCabling = 1024, kPower = 2048, kFabric = 4096;
}

/// What a rule function is given. Lives on the checking thread for the time of one check.
struct RuleInput {
    const Figures& figures;
    PowerBasis basis;
    const Progress& progress;

    [[nodiscard]] const Snapshot& snapshot() const { return *figures.snapshot; }
    [[nodiscard]] const ProjectParts& parts() const { return *figures.parts; }
    [[nodiscard]] std::string name(EntityRef entity) const { return entityName(snapshot(), parts(), entity); }
    [[nodiscard]] std::string subject(EntityRef entity) const { return subjectOf(snapshot(), parts(), entity); }
    [[nodiscard]] double threshold(const Threshold& threshold) const;
};

using RuleFunction = std::vector<Finding> (*)(const RuleInput&);

/// One design rule. The id and its meaning are those of the shared rule list.
struct Rule {
    std::string_view id;
    Severity severity = Severity::Error; ///< the gravest that it reports
    std::string_view title;
    unsigned reads = 0;
    RuleFunction run = nullptr;
    std::vector<Threshold> thresholds;
};

/// Every rule there is, in the order in which findings are listed.
[[nodiscard]] std::span<const Rule> allRules();
[[nodiscard]] const Rule* findRule(std::string_view id);

[[nodiscard]] std::string_view basisName(PowerBasis basis); ///< "typical", "design", "nameplate"
[[nodiscard]] std::optional<PowerBasis> basisFromName(std::string_view name);
/// The basis that limits are compared on: setting "site.power_basis", else design.
[[nodiscard]] PowerBasis projectBasis(const Snapshot& snapshot);

} // namespace hw

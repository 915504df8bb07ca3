// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/derived/rules/finding.h"

#include <span>

namespace hw {

/// A number that a rule compares with, kept as a project setting of the same key.
struct Threshold {
    std::string_view setting;
    TextId label;     ///< with the rule's id before it, in lists of settings
    double value = 0; ///< used where the project sets nothing
    TextId unit;
    TextId source; ///< standard or document that the default comes from
};

/// What a rule reads, stated like a node's inputs; a result stays good while none of it changes. Thresholds are inputs by themselves.
struct RuleInputs {
    std::vector<const NodeInfo*> nodes;
    bool (*touched)(const ChangeSet&, const Snapshot& before, const Snapshot& after) = nullptr;
    template <class Inputs>
    [[nodiscard]] static RuleInputs of()
    {
        return {Inputs::NodeList::infos(), &Inputs::touched};
    }
};

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
    TextId title;
    RuleInputs inputs;
    RuleFunction run = nullptr;
    std::vector<Threshold> thresholds;
};

/// Every rule there is, in the order in which findings are listed.
[[nodiscard]] std::span<const Rule> allRules();
[[nodiscard]] const Rule* findRule(std::string_view id);

} // namespace hw

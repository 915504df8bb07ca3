// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"
#include "core/operations/bindings/channel.h"
#include "core/operations/bindings/measure.h"
#include "core/operations/bindings/pattern.h"

#include <filesystem>
#include <optional>

namespace hw::bindings {

/// A rule as it is written down: see BindingRules. The entity "-" sets its channels aside: they belong to nothing. In a pattern of a label that is
/// empty, the label must be missing or empty.
struct RuleText {
    std::string name, channel, labels, entity, element, measure, unit;
    std::string ifDoubled = {}; ///< its element where a channel of another rule says the same point; empty: both are ambiguous
    bool fallback = false;      ///< it is looked at only where no other rule of the sets fits, in their order
    std::string least = {};     ///< of the channel's values: those below mean that there is none; empty: all are values
    friend bool operator==(const RuleText&, const RuleText&) = default;
};

/// One that was understood.
struct Rule {
    std::string name;
    Pattern channel; ///< of the name; of a metric of what stands before its labels
    std::vector<std::pair<std::string, Pattern>> labels;
    Template entity, element, measure;
    std::optional<Measure> fixed; ///< the measure, where no name stands in it
    std::string unit, channelText;
    Template ifDoubled;    ///< see RuleText
    bool aside = false;    ///< its channels belong to nothing
    bool fallback = false; ///< see RuleText
    std::optional<double> least;
};

/// Error: Refused at a column, for patterns, names and measures that cannot be. `partly`: what is still empty is not looked at.
[[nodiscard]] Result<Rule> readRule(const RuleText& text);
/// One column of a rule, as it is being set.
[[nodiscard]] Result<void> checkRuleColumn(std::string_view column, const std::string& value, const RuleText& rest);
/// A measure by its word. Error: Refused, with near words.
[[nodiscard]] Result<Measure> readMeasure(std::string_view word);

[[nodiscard]] RuleText ruleText(const BindingRules& rules, BindingRuleId id);

/// A set of rules for one kind of source: `resources/telemetry/bindings/NAME.yaml`.
struct RuleSet {
    std::string name, title, source;
    std::vector<RuleText> rules;
};
/// Error: Unreadable with file and line.
[[nodiscard]] Result<RuleSet> readRuleSet(const std::string& yaml, const std::string& file);
/// Those of this installation, by name; read once. Error: Unreadable.
[[nodiscard]] const Result<std::vector<RuleSet>>& shippedRuleSets();
/// Several by their names, parted by commas; "all", "none". Error: Refused, with the names that there are.
[[nodiscard]] Result<std::vector<const RuleSet*>> ruleSetsNamed(std::string_view names);
/// Those that a project uses besides its own rules: the setting "telemetry.rule_sets", all where it says nothing.
[[nodiscard]] Result<std::vector<const RuleSet*>> ruleSetsOf(const Snapshot& snapshot);

} // namespace hw::bindings

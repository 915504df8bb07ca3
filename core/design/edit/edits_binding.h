// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/model/document.h"
#include "core/operations/bindings/rules.h"

#include <optional>
#include <string>

namespace hw::edit {

/// Binds a channel by hand, whatever the rules say; an exception of it that is there is replaced. `unit`: of its values, empty: as the channel
/// states it. Refused: no name, an entity without telemetry, an unknown measure (with near words), a unit that cannot be converted.
[[nodiscard]] Result<void> bindChannel(Transaction& transaction, const std::string& channel, EntityRef entity, const std::string& measure,
                                       const std::string& element, const std::string& unit);
/// Binds a channel to nothing: it counts as looked at.
[[nodiscard]] Result<void> setChannelAside(Transaction& transaction, const std::string& channel);
/// Lets the rules decide again. Refused: a channel that nobody bound by hand.
[[nodiscard]] Result<void> releaseChannel(Transaction& transaction, const std::string& channel);

/// A measure by its word. Error: Refused, with near words.
[[nodiscard]] Result<bindings::Measure> measureOfWord(const std::string& word);
/// Whether a column of a binding rule may hold this. Refused as above, and for patterns that cannot be read.
[[nodiscard]] Result<void> checkBindingRule(const Snapshot& snapshot, BindingRuleId rule, std::string_view column, const std::string& value);
/// Whether all columns of a rule go together.
[[nodiscard]] Result<void> checkBindingRule(const Snapshot& snapshot, BindingRuleId rule);

/// Makes a rule at the end of the list, or makes `rule` say this. Refused: what cannot be read as a whole, and a name that something else has.
[[nodiscard]] Result<BindingRuleId> putBindingRule(Transaction& transaction, std::optional<BindingRuleId> rule, const bindings::RuleText& text);
/// A rule's columns by their names, in the order of the table.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> columnsOf(const bindings::RuleText& text);

} // namespace hw::edit

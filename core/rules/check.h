// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/rules/rule.h"

namespace hw {

struct CheckOptions {
    std::vector<std::string> rules;  ///< ids; empty = every rule
    std::optional<PowerBasis> basis; ///< none = the project's
};

/// The findings of one check, stamped with the revision they belong to. Immutable once made.
struct CheckResult {
    std::uint64_t revision = 0;
    PowerBasis basis = PowerBasis::Design;
    std::vector<Finding> findings;                               ///< in the order of rules, then gravest first, then by id
    std::size_t errors = 0, warnings = 0, infos = 0, waived = 0; ///< waived ones are not in the first three

    /// Findings before waivers, by place in `allRules()`; null where the rule did not run.
    std::vector<std::shared_ptr<const std::vector<Finding>>> byRule;
};

/// Runs the rules over a design. Fails with Usage for an unknown rule id, with Cancelled when stopped.
[[nodiscard]] Result<CheckResult> check(const Figures& figures, const CheckOptions& options = {}, const Progress& progress = {});

/// The same result as `check`, made from the one before: only rules that read what changed run again.
/// `before` must have been made from `figuresBefore` with the same options.
[[nodiscard]] Result<CheckResult> recheck(const CheckResult& before, const Figures& figuresBefore, const Figures& figures,
                                          const CheckOptions& options = {}, const Progress& progress = {});

/// `{"schema": "hallwright.check/1", …}` as JSON text with a newline at the end.
[[nodiscard]] std::string checkJson(const CheckResult& result, const Figures& figures);
/// For people: a block per rule, at most `perRule` findings each, then the totals.
[[nodiscard]] std::string checkText(const CheckResult& result, const Figures& figures, std::size_t perRule = 10);

} // namespace hw

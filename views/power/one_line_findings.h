// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/oneline/one_line.h"
#include "core/derived/rules/check.h"

#include <memory>
#include <vector>

namespace hw::views {

/// Errors and warnings of the rules of power (P) or cooling (C), by element of a diagram; waived ones count least. Immutable.
struct OneLineFindings {
    std::shared_ptr<const CheckResult> check;
    std::vector<std::vector<std::uint32_t>> of; ///< by element, places in check->findings, gravest first; empty: none has any
    std::vector<std::uint32_t> elsewhere;       ///< of what the diagram does not show, such as buildings and sites
    [[nodiscard]] const Finding* worst(const std::vector<std::uint32_t>& elements) const; ///< of several elements; null: none
};
/// `check` may be null: no findings.
[[nodiscard]] std::shared_ptr<const OneLineFindings> findingsOf(const OneLine& line, std::shared_ptr<const CheckResult> check);

} // namespace hw::views

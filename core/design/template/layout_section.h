// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/layout/layout.h"
#include "core/design/template/expression.h"

#include <set>

namespace hw {

/// The `layout:` section of a template as read: expressions and part slugs by key, and `place:` by tier.
struct LayoutSpec {
    std::string where; ///< "file:line: layout"; empty = the section is missing and every key has its default
    std::map<std::string, ExpressionText> fields;
    std::map<std::string, ExpressionText> place;
};

/// Keys of `layout:` besides `place` (meaning and defaults: resources/templates/README.md, "Layout").
[[nodiscard]] const std::set<std::string>& layoutKeys();

/// What the section says at these constants. Throws TemplateFailure: Unreadable for an unknown word, Refused for a number
/// that cannot be laid out.
[[nodiscard]] layout::Options layoutOptions(const LayoutSpec& spec, Scope& constants);

/// What the template that a project came from says, at the project's parameters. Errors: Refused (there is none), Unreadable.
[[nodiscard]] Result<layout::Options> layoutOptionsOf(const Snapshot& design);

/// Refuses places of tiers that the template does not have (Unreadable). A tier that a parameter leaves out may be named.
/// Refuses keys that a template with places of its own has no use for: all but those of feeding.
void checkFeedOnly(const LayoutSpec& spec);
void checkPlaces(const LayoutSpec& spec, const std::set<std::string>& tiers);

} // namespace hw

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/catalogue.h"
#include "core/template/expression.h"

#include <map>
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

/// Refuses places of tiers that the template does not have (Unreadable). A tier that a parameter leaves out may be named.
void checkPlaces(const LayoutSpec& spec, const std::set<std::string>& tiers);

/// Gives a design without places its buildings, halls, rows, racks, trays, power and cooling: every server,
/// switch and other rack device that stands nowhere gets a rack and a unit. Call it once devices, links and
/// cables are there; what stands already stays where it is. Expressions read `constants`. Linear in devices
/// and links; the result depends on nothing else. Throws TemplateFailure: Unreadable for a bad key, Refused
/// for a device that fits no rack.
void layOut(Snapshot& design, const LayoutSpec& spec, Scope& constants, const Catalogue& catalogue);

} // namespace hw

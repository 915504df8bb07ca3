// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/chain.h"
#include "core/output/scene/scene.h"

#include <string>
#include <vector>

namespace hw::importers::usd {

/// An attribute as USD text has it: type, name, and its value as it is written.
struct Attribute {
    std::string type, name, value;
};

[[nodiscard]] std::string usdText(std::string_view utf8); ///< quoted
[[nodiscard]] std::string usdNumber(double value);

/// Attributes of the asset information framework (AIF, SimReady) of a CDU, CRAH, UPS or compute rack; empty for everything else, for which it has no
/// class. What is not known is left out, but for texts of the core set, which are empty. `date`: of the asset, ISO 8601; may be empty.
[[nodiscard]] std::vector<Attribute> aifAttributes(const Figures& figures, const scene::PropertySource& source, const scene::Element& element,
                                                   const std::string& date);

} // namespace hw::importers::usd

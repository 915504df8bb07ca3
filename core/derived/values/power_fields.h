// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/values/value_field.h"

#include "core/derived/figures/figures.h"

namespace hw {

// What the power chain leaves, of racks and of its elements.

/// kW that the feeds of a rack, or an element, can still give when any one other element is lost.
[[nodiscard]] std::vector<ValueField> powerHeadroomFields(const Figures& figures);
/// Load over capacity when any one other element is lost: of an element its own, of a rack that of the fullest one upstream.
[[nodiscard]] std::vector<ValueField> powerWorstFields(const Figures& figures);
/// On which sides a rack is fed, and which side an element belongs to.
[[nodiscard]] std::vector<ValueField> sideFields(const Figures& figures);
/// What still fits into a rack: kW under its limit and its feeds, rack units, ports of its switches.
[[nodiscard]] std::vector<ValueField> spareFields(const Figures& figures, std::string_view unit); ///< "kW", "U" or "ports"

} // namespace hw

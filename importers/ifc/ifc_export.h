// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/scene/scene.h"

namespace hw::importers::ifc {

struct IfcHead {
    std::string file; ///< its name
    std::string date; ///< ISO 8601; of an export that was given none, a fixed one
};
/// An IFC4 file (reference view) of a design.
[[nodiscard]] std::string ifcText(const Figures& figures, const scene::Scope& scope, const IfcHead& head);

} // namespace hw::importers::ifc

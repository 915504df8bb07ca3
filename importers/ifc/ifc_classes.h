// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/scene/scene.h"

namespace hw::importers::ifc {

/// What an element is in IFC4: entity, PredefinedType, and ObjectType where that says more.
struct IfcClass {
    const char* entity;
    const char* predefined;
    const char* objectType = ""; ///< required with USERDEFINED
};
[[nodiscard]] IfcClass classOf(const Figures& figures, const scene::Element& element);

} // namespace hw::importers::ifc

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/scene/scene.h"

namespace hw::importers {

/// A glTF 2.0 binary of a design: a node for every element, meshes shared by elements of one type and size. Meters, y up.
[[nodiscard]] std::string glbOf(const Figures& figures, const scene::Scope& scope);

} // namespace hw::importers

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace hw::importers::ifc {

/// A GlobalId: 22 characters of 0-9A-Za-z_$, made from a name, so that the same thing has the same one in every export.
[[nodiscard]] std::string globalId(std::string_view name);

} // namespace hw::importers::ifc

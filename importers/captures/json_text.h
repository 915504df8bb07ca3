// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace hw::importers {

/// JSON of a file, without the prompts around it. Errors: Unreadable with FILE:LINE.
[[nodiscard]] Result<nlohmann::json> parseJson(std::string_view text, const std::string& file);

} // namespace hw::importers

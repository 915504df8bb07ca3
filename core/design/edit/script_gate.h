// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/model/document.h"

#include <nlohmann/json.hpp>

namespace hw::edit {

/// The edit "accept-gate": how a gate of acceptance went for a segment; what it opened again, for people. Errors: Refused.
[[nodiscard]] Result<Text> acceptGate(Transaction& transaction, const nlohmann::json& edit, const std::string& author, const std::string& date);

} // namespace hw::edit

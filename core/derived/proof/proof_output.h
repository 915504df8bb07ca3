// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/proof/proof.h"

#include <nlohmann/json_fwd.hpp>

namespace hw {

/// The object under `proof` of a network in `report --json`.
[[nodiscard]] nlohmann::ordered_json proofJson(const NetworkProof& proof);
/// The same for people: lines of at most 100 columns, without indent.
[[nodiscard]] std::vector<std::string> proofLines(const NetworkProof& proof);
/// How it was proved and what a reader may take from it, in one sentence.
[[nodiscard]] Text proofMethod(const NetworkProof& proof);

} // namespace hw

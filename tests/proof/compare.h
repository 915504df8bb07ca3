// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/proof/proof.h"
#include "fabric_builder.h"

/// The proof of the builder's network; ends the test where there is none.
[[nodiscard]] hw::NetworkProof prove(const FabricBuilder& b);
/// The pairs of a label; ends the test where there are none.
[[nodiscard]] const hw::NetworkProof::PairClass& pairs(const hw::NetworkProof& proof, const std::string& label);
/// Whether paths, cuts, single points, bisections and connectivity are those that brute force finds; says
/// what differs.
[[nodiscard]] bool sameAsBruteForce(const FabricBuilder& b);

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/physics/coolant/library.h"
#include "core/physics/hydraulics/solver.h"

#include <optional>

#include <nlohmann/json.hpp>

namespace hw::hydraulics {

/// A network as JSON: docs/hydraulics.md says which keys there are.
struct NetworkFile {
    Network network;
    nlohmann::json json;                           ///< as read
    std::string coolant;                           ///< what flows, empty where the file states a viscosity instead
    std::optional<coolant::Properties> properties; ///< of the coolant, at the file's temperature
};

/// Reads and checks a network. Errors: Unreadable, at FILE:LINE where it is no JSON, else at FILE with the key
/// ("loop.json: links[3].diameter_mm").
[[nodiscard]] Result<NetworkFile> readNetwork(const std::string& text, const std::string& file, const coolant::Library& library);

/// The file with its answers: heads and flows where they stand in files with answers, what follows from them beside.
[[nodiscard]] nlohmann::json answerJson(const NetworkFile& file, const Network& solved, const Solution& solution);

/// The same for people: what the pumps do, what is fast, held, shut or cut off, and what the answer is worth.
[[nodiscard]] std::string answerText(const NetworkFile& file, const Network& solved, const Solution& solution);

} // namespace hw::hydraulics

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cabling/cable_choice.h"
#include "core/foundation/catalog/sockets.h"

namespace hw {

/// How far two modules reach over a cable, mm; 0: one of them does not work over its medium.
[[nodiscard]] std::int32_t reachOver(const CableSpec& cable, const TransceiverSpec& a, const TransceiverSpec& b);

/// Why no cable and modules of the project join a class of links, in the order in which a person would look: a
/// module for either socket, two that understand each other, an assembly with the connectors, its medium.
/// `from`, `to`: the modules that fit. `cables`, `modules`: all of the project.
[[nodiscard]] NoCableReason whyNoCable(const CableClass& key, const Interface& fromSocket, const Interface& toSocket,
                                       std::span<const PartTypeId> from, std::span<const PartTypeId> to, std::span<const PartTypeId> cables,
                                       std::span<const PartTypeId> modules, const ProjectParts& parts);

} // namespace hw

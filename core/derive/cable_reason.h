// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derive/cable_choice.h"

namespace hw {

/// How far two modules reach over a cable, mm; 0: one of them does not work over its medium.
[[nodiscard]] std::int32_t reachOver(const CableSpec& cable, const TransceiverSpec& a, const TransceiverSpec& b);

/// The module as cables see it where its socket has so many ports: one with two connectors that serves a single
/// port (its `splits` name 1) has one connector for a pair of cords. All others are as they are.
[[nodiscard]] TransceiverSpec asOnePort(const TransceiverSpec& module, int ports);

/// Why a module whose shape is right does not cool: OSFP modules have fins of their own (IHS, for switches) or a flat
/// top under a heat sink that rides on the cage (RHS, `-rhs`, for NICs). Empty where the shell is not what is wrong.
[[nodiscard]] std::string wrongShell(const TransceiverSpec& module, const Interface& socket);

/// Why no cable and modules of the project join a class of links, in the order in which a person would look: a
/// module for either socket, two that understand each other, an assembly with the connectors, its medium.
/// `from`, `to`: the modules that fit. `cables`, `modules`: all of the project.
[[nodiscard]] NoCable whyNoCable(const CableClass& key, const Interface& fromSocket, const Interface& toSocket, std::span<const PartTypeId> from,
                                 std::span<const PartTypeId> to, std::span<const PartTypeId> cables, std::span<const PartTypeId> modules,
                                 const ProjectParts& parts);

} // namespace hw

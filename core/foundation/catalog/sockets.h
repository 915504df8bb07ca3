// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/catalog.h"

#include <span>
#include <string>

namespace hw {

/// The module as cables see it where its socket has so many ports: one with two connectors that serves a single
/// port (its `splits` name 1) has one connector for a pair of cords. All others are as they are.
[[nodiscard]] TransceiverSpec asOnePort(const TransceiverSpec& module, int ports);

/// Rates as people write them: 27.2T, 800G.
[[nodiscard]] std::string rateText(std::int64_t gbps);

/// What a device's coolant port is called: the `number`th, from 0, of those that supply others, or of those that take. As its part says; numbered
/// where that does not say.
[[nodiscard]] std::string coolantPortName(const DeviceSpec& device, bool feeds, std::size_t number);

/// Why a module whose shape is right does not cool: OSFP modules have fins of their own (IHS, for switches) or a flat
/// top under a heat sink that rides on the cage (RHS, `-rhs`, for NICs). Empty where the shell is not what is wrong.
[[nodiscard]] Text wrongShell(const TransceiverSpec& module, const Interface& socket);

/// How many cables can leave an interface, given the modules that may be bought: a socket of 800G that is split in
/// two takes a twin-port module with two connectors, one for each port; a socket of 400G that is split in two has
/// one connector and needs a breakout cable. The wiring, the counting and the derived figures ask here.
class SocketRules {
public:
    explicit SocketRules(std::vector<const TransceiverSpec*> modules) : m_modules(std::move(modules)) {}
    /// All transceivers of a catalog, or those named in `slugs` where it names any transceiver or cable.
    [[nodiscard]] static SocketRules of(const Catalog& catalog, const std::vector<std::string>& slugs);
    /// The transceivers of a project.
    [[nodiscard]] static SocketRules of(const PartTypes& table, const ProjectParts& parts);

    /// Connectors that an interface has of its own when it is split into so many ports that go to such a peer: as many
    /// as a pair of modules allows that talk to each other; divides `split`. The peer's follow from the same pair.
    [[nodiscard]] int connectors(const Interface& interface, int split, const Interface& peer, int peerSplit) const;

private:
    std::vector<const TransceiverSpec*> m_modules;
};

/// Whether a cable can be plugged in: not so of virtual interfaces, bridges, link aggregations and radios.
[[nodiscard]] bool takesCable(const Interface& interface);

} // namespace hw

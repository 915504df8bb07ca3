// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cabling/cable_choice.h"
#include "core/foundation/catalog/sockets.h"
#include "core/foundation/model/snapshot.h"

#include <array>

namespace hw {

/// The physical sockets of a design, numbered: a cage each, but for the two cages of a twin-port socket.
class Sockets {
public:
    Sockets(const Snapshot& snapshot, const ProjectParts& parts);
    [[nodiscard]] std::uint32_t of(CageId cage) const;
    [[nodiscard]] std::size_t size() const { return m_size; }

private:
    const Snapshot& m_snapshot;
    const ProjectParts& m_parts;
    std::vector<std::uint32_t> m_first; ///< by device
    std::size_t m_size = 0;
};

/// A connector that a cable can be plugged into: of a cage, numbered from 0.
struct Jack {
    CageId cage;
    std::uint8_t connector = 0;
    friend bool operator==(const Jack&, const Jack&) = default;
};

/// Reads off the links of one cable after the other which connectors they use and what assembly they need.
class CableEnds {
public:
    CableEnds(const Snapshot& snapshot, const ProjectParts& parts, CableChoice& choice);
    /// The class of a cable with these links, without a type chosen by hand.
    [[nodiscard]] CableClass classOf(std::span<const LinkId> links);
    /// Of the last cable: its link number `i` has its lower end on the upper side.
    [[nodiscard]] bool flipped(std::size_t i) const { return m_flipped[i] != 0; }
    [[nodiscard]] Jack jackOf(PortId port);

private:
    struct Seen {
        Jack jack;
        std::int8_t side = -1;
    };
    [[nodiscard]] std::size_t seen(const Jack& jack);
    [[nodiscard]] bool takeSides();
    [[nodiscard]] int mostParallel() const;
    [[nodiscard]] CableEnd endOf(const Jack& jack);
    [[nodiscard]] bool gather(std::int8_t side, CableEnd& end);
    [[nodiscard]] const Interface& interfaceOf(CageId cage) const;
    [[nodiscard]] int connectorsOf(CageId cage);

    const Snapshot& m_snapshot;
    const ProjectParts& m_parts;
    CableChoice& m_choice;
    SocketRules m_rules;
    struct Meeting {
        int split = 1;
        std::uint32_t peerKind = 0;
        int peerSplit = 1, connectors = 1;
    };
    struct Known {
        const Interface* interface = nullptr;
        std::uint32_t kind = 0;
        std::vector<Meeting> meetings;
    };
    std::vector<std::vector<Known>> m_known;         ///< by device type, then interface
    std::vector<Maybe<CageId>> m_peer;               ///< by cage that is split: the one that its first link goes to
    std::vector<Seen> m_jacks;                       ///< of the last cable
    std::vector<std::array<std::size_t, 2>> m_links; ///< of the last cable: its jacks
    std::vector<char> m_flipped;
    [[nodiscard]] Known& known(CageId cage);
};

} // namespace hw

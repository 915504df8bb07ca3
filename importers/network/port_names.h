// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/catalog/catalog.h"
#include "core/foundation/model/snapshot.h"
#include "core/foundation/model/words.h"

#include <map>

namespace hw::importers {

/// Whose names the ports of switches get: those of the part library, or those of a network operating system.
enum class PortNaming : std::uint8_t { Design, Sonic, Eos, Cumulus };

} // namespace hw::importers

namespace hw {
HW_WORDS(importers::PortNaming, "design", "sonic", "eos", "cumulus")
} // namespace hw

namespace hw::importers {

/// A platform.json of SONiC: how a switch numbers its lanes, and what its sockets can be broken out into.
struct SonicPlatform {
    struct Mode {
        std::string name; ///< "2x400G[200G,100G]"
        std::vector<std::string> aliases;
    };
    struct Socket {
        int number = 0;    ///< of "Ethernet8"
        std::string index; ///< on the front panel
        std::vector<int> lanes;
        std::vector<Mode> modes;
    };
    std::vector<Socket> sockets; ///< by number

    /// Errors: Unreadable, with file and key.
    [[nodiscard]] static Result<SonicPlatform> read(const std::filesystem::path& file);
};

/// A data interface of a switch type: where it is on the front panel and on the chip. Lanes are assumed to be numbered over the sockets in
/// their order, as those of the SN5600 are.
struct FrontInterface {
    int socket = 0;               ///< from 1, in the order of interfaces; management is left out
    int card = 0, cardSocket = 0; ///< of a chassis whose ports are named CARD/PORT; 0: it is none
    int place = 0, places = 1;    ///< among the interfaces of its socket
    int firstLane = 0, lanes = 1; ///< on the chip
    int laneInSocket = 0, socketLanes = 1;
    int management = 0; ///< from 1: it is the management port of that number
};

/// Gb/s of one electrical lane of an interface: the fastest that it states, else as its form is built (assumed).
[[nodiscard]] int laneGbps(const Interface& interface);

class PortNames {
public:
    PortNames(const Snapshot& snapshot, const ProjectParts& parts, PortNaming naming) : m_s(snapshot), m_parts(parts), m_naming(naming) {}
    /// Lanes, names and breakout modes of a switch type as its platform has them. Error: Refused, where it has fewer sockets.
    [[nodiscard]] Result<void> usePlatform(PartTypeId type, SonicPlatform platform);
    [[nodiscard]] const SonicPlatform* platformOf(PartTypeId type) const;

    /// By interface of the type.
    [[nodiscard]] const std::vector<FrontInterface>& front(PartTypeId type) const;
    /// Of a port of a switch; ports of other devices have the names of the part library.
    [[nodiscard]] std::string of(PortId port) const;
    /// The same of a lane group, whether the design has a port there or not: `lane` of `split` of interface `number`.
    [[nodiscard]] std::string of(PartTypeId type, std::size_t number, int split, int lane) const;
    [[nodiscard]] PortNaming naming() const { return m_naming; }

    /// Lanes of SONiC: of the interface as a whole where `split` is 1.
    [[nodiscard]] std::vector<int> lanes(PartTypeId type, std::size_t number, int split, int lane) const;

private:
    [[nodiscard]] int sonicNumber(PartTypeId type, const FrontInterface& at, int split, int lane) const;
    const Snapshot& m_s;
    const ProjectParts& m_parts;
    PortNaming m_naming;
    mutable std::map<PartTypeId, std::vector<FrontInterface>> m_front;
    std::map<PartTypeId, SonicPlatform> m_platforms;
};

/// "a", "b" … of the ports of one socket.
[[nodiscard]] std::string letterOf(int place);

} // namespace hw::importers

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/catalog.h"

namespace hw {

/// Port use, link counts and oversubscription of every network, counted from the tables.
class FabricFigures {
public:
    struct PortCount {
        Gbps rate;
        PortRole role = PortRole::Down;
        std::int64_t total = 0, used = 0;
        bool operator==(const PortCount&) const = default;
    };
    struct Tier {
        TierId id;
        std::int64_t switches = 0;
        std::int64_t downGbps = 0, upGbps = 0, backupGbps = 0; ///< cabled capacity toward active servers, above, backup servers
        std::vector<PortCount> ports;
        bool operator==(const Tier&) const = default;
        [[nodiscard]] double oversubscription() const { return upGbps ? double(downGbps) / double(upGbps) : 1.0; }
        [[nodiscard]] double oversubscriptionWithBackup() const { return upGbps ? double(downGbps + backupGbps) / double(upGbps) : 1.0; }
    };
    struct LinkCount {
        TierId from, to;
        Gbps rate;
        std::int64_t active = 0, backup = 0;
        bool operator==(const LinkCount&) const = default;
    };
    struct Network {
        NetworkId id;
        int planes = 1, rails = 1, segments = 0, pods = 0; ///< segments per pod
        std::vector<Tier> tiers;                           ///< from the servers up
        std::vector<LinkCount> links;
        double oversubscriptionEndToEnd = 1.0;
        /// Every two servers reach each other through switches, and through servers that are joined to each other by peer ports; of a
        /// scale-up network: within its domains.
        bool connected = false;
        bool throughServers =
            false; ///< all hang together, but some only where servers pass traffic on (BCube, a torus of servers); nothing simulates that
        bool operator==(const Network&) const = default;
    };

    [[nodiscard]] static std::shared_ptr<const FabricFigures> compute(const Snapshot&, const ProjectParts&);
    [[nodiscard]] const std::vector<Network>& networks() const { return m_networks; }
    friend bool operator==(const FabricFigures&, const FabricFigures&) = default;

    std::vector<Network> m_networks;
};

} // namespace hw

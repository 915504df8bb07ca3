// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/topology/nic_ports.h"
#include "core/derived/topology/port_links.h"
#include "core/foundation/model/snapshot.h"

#include <optional>
#include <span>
#include <vector>

namespace hw {
class ProjectParts;
}

namespace hw::proof {

inline constexpr std::uint32_t kNone = 0xFFFFFFFFu;

/// The networks that one runs over, itself first: a switch of another network that looks down or sideways in
/// this one (a front end's core that carries the storage leaves) forwards for it, and so do its own tiers.
[[nodiscard]] std::vector<NetworkId> carriersOf(const Snapshot& snapshot, NetworkId network, std::span<const std::vector<LinkEnds>> linksByNetwork);

/// One network as dense arrays, with its carriers. Vertices are what forwards: the switches of their tiers,
/// and end devices that are joined to each other by peer ports. NICs depend on vertices; alike ones ("twins": same place in the fabric, same
/// cables to the same vertices) are one group. Exchanging twins changes nothing, so what holds for one
/// member of a group holds for all. Refers to the snapshot for names; cheap to move, used on one thread.
class Graph {
public:
    struct Vertex {
        DeviceId device;
        TierId tier;
        std::int16_t level = 0, pod = -1, segment = -1, rail = -1, plane = -1;
        bool endDevice = false;
    };
    /// All cables from a vertex to another one.
    struct Arc {
        std::uint32_t to = 0;
        std::int32_t cables = 0;
        std::int64_t gbps = 0;
        auto operator<=>(const Arc&) const = default;
    };
    /// All cables from one NIC to a vertex. `own`: the vertex is the end device itself.
    struct Attachment {
        std::uint32_t vertex = 0;
        std::int32_t cables = 0;
        std::int64_t gbps = 0;
        bool own = false;
        auto operator<=>(const Attachment&) const = default;
    };
    struct Nic {
        DeviceId device;
        std::uint16_t label = 0, ordinal = 0;
        bool own = true;
    }; ///< ordinal: among its device's, from 0; own: not a carrier's
    struct Group {
        TierId tier;
        bool backup = false, own = true;
        std::int16_t pod = -1, segment = -1, rail = -1;
        std::uint32_t attachmentStart = 0, attachmentEnd = 0, nicStart = 0, nicEnd = 0;
        [[nodiscard]] std::uint32_t nics() const { return nicEnd - nicStart; }
    };

    /// `links` are those of all `networks`, in the order of ids; both must outlive the graph.
    Graph(const Snapshot& snapshot, const ProjectParts& parts, std::span<const NetworkId> networks, std::span<const LinkEnds> links);

    [[nodiscard]] std::uint32_t vertexCount() const { return std::uint32_t(m_vertices.size()); }
    [[nodiscard]] const Vertex& vertex(std::uint32_t v) const { return m_vertices[v]; }
    [[nodiscard]] std::span<const Arc> arcs(std::uint32_t v) const { return {m_arcs.data() + m_arcStart[v], m_arcs.data() + m_arcStart[v + 1]}; }
    [[nodiscard]] std::uint32_t firstArc(std::uint32_t v) const { return m_arcStart[v]; }
    [[nodiscard]] std::size_t arcCount() const { return m_arcs.size(); }
    [[nodiscard]] const std::vector<Group>& groups() const { return m_groups; }
    [[nodiscard]] std::span<const Attachment> attachments(const Group& g) const
    {
        return {m_attachments.data() + g.attachmentStart, m_attachments.data() + g.attachmentEnd};
    }
    [[nodiscard]] std::span<const std::uint32_t> nics(const Group& g) const
    {
        return {m_groupNics.data() + g.nicStart, m_groupNics.data() + g.nicEnd};
    }
    [[nodiscard]] const std::vector<Nic>& allNics() const { return m_nics; }

    [[nodiscard]] std::uint32_t vertexOf(DeviceId device) const { return m_vertexOf[device.value]; } ///< kNone for other devices
    [[nodiscard]] std::uint32_t nicOf(PortId port) const { return m_nicOfPort[port.value]; }         ///< kNone for other ports
    [[nodiscard]] const std::vector<PortId>& nicPorts() const { return m_nicPorts; }
    [[nodiscard]] bool cabled(PortId port) const { return m_cabled[port.value] != 0; }
    [[nodiscard]] int planes() const { return m_planes; }
    [[nodiscard]] int rails() const { return m_rails; }
    [[nodiscard]] NetworkId network() const { return m_networks.front(); }
    [[nodiscard]] bool hasCarriers() const { return m_networks.size() > 1; }
    [[nodiscard]] NetworkKind kind() const { return m_s->networks.kind[network()]; }
    [[nodiscard]] std::span<const LinkEnds> links() const { return m_links; }
    [[nodiscard]] const Snapshot& snapshot() const { return *m_s; }

    [[nodiscard]] std::string vertexName(std::uint32_t v) const;
    [[nodiscard]] std::string nicName(std::uint32_t nic) const; ///< "host3 nic1"
    [[nodiscard]] std::string nicName(const Group& g) const { return nicName(m_groupNics[g.nicStart]); }
    [[nodiscard]] std::string tierName(TierId tier) const;

private:
    struct RawAttachment {
        std::uint32_t nic;
        Attachment attachment;
    };

    void makeVertices();
    void makeNics();
    void makeArcs();
    void makeGroups(std::vector<RawAttachment> raw);
    [[nodiscard]] std::vector<RawAttachment> attachNics() const;
    [[nodiscard]] Group groupOf(const Nic& nic, std::span<const Attachment> attachments) const;

    [[nodiscard]] bool isMember(Maybe<NetworkId> network) const;

    const Snapshot* m_s;
    std::span<const NetworkId> m_networks;
    std::span<const LinkEnds> m_links;
    int m_planes = 1, m_rails = 1;
    mutable CardsOfTypes m_cards;
    std::vector<Vertex> m_vertices;
    std::vector<std::uint32_t> m_vertexOf, m_nicOfPort; ///< by device, by port
    std::vector<std::uint8_t> m_cabled;                 ///< by port
    std::vector<PortId> m_nicPorts;
    std::vector<Nic> m_nics;
    std::vector<std::uint32_t> m_arcStart;
    std::vector<Arc> m_arcs;
    std::vector<Group> m_groups;
    std::vector<Attachment> m_attachments;
    std::vector<std::uint32_t> m_groupNics;
};

/// The graph of a network with what it refers to. Refers to the snapshot and to `byNetwork`, which must outlive it.
class NetworkGraph {
public:
    NetworkGraph(const Snapshot& snapshot, const ProjectParts& parts, NetworkId network, std::span<const std::vector<LinkEnds>> byNetwork);
    NetworkGraph(const NetworkGraph&) = delete;
    NetworkGraph& operator=(const NetworkGraph&) = delete;
    [[nodiscard]] const Graph& graph() const { return *m_graph; }
    [[nodiscard]] std::span<const NetworkId> carriers() const { return std::span(m_networks).subspan(1); }

private:
    std::vector<NetworkId> m_networks;
    std::vector<LinkEnds> m_together; ///< of several networks, each once
    std::optional<Graph> m_graph;
};

} // namespace hw::proof

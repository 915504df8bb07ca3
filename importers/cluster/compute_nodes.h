// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/catalog/catalog.h"
#include "core/foundation/model/snapshot.h"

#include <memory>

namespace hw::importers {

/// How a scheduler sees the compute nodes of a design: near to far. A leaf is a segment, never a rail: a node has NICs on every rail's
/// switch, and a tree lets it be under one switch only. Designs without segments: nodes with the same access switches.
class ComputeNodes {
public:
    /// `network`: whose access switches tell leaves apart where there are no segments; empty: the first back end that compute nodes have ports
    /// in. Errors: Refused where no device has accelerators, or a name is not a host name; Usage for an unknown network.
    [[nodiscard]] static Result<ComputeNodes> of(SnapshotPtr snapshot, const std::string& network);

    struct Leaf {
        std::string name;
        int pod = -1; ///< into `pods`; -1: there is but one
        std::vector<DeviceId> nodes;
    };
    struct Domain {
        std::string name;
        std::vector<DeviceId> nodes; ///< in the order of ids
    };
    SnapshotPtr snapshot;
    std::shared_ptr<const ProjectParts> parts;
    std::vector<DeviceId> nodes;   ///< in the order of ids
    std::vector<Leaf> leaves;      ///< by pod, then segment; every node is in exactly one
    std::vector<std::string> pods; ///< empty where there is but one
    std::string top = "fabric";    ///< over all, where there is more than one of what is below
    /// Nodes whose accelerators reach each other's memory, of those designs where that is more than one node; every node in at most one.
    std::vector<Domain> domains;

    [[nodiscard]] const std::string& name(DeviceId node) const { return snapshot->devices.name[node]; }
    /// From the leaf up: names of what a leaf is under.
    [[nodiscard]] std::vector<std::string> above(const Leaf& leaf) const;

private:
    void findLeaves(std::optional<NetworkId> network);
    void findDomains();
};

} // namespace hw::importers

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/addressing/address_plan.h"
#include "core/foundation/catalog/catalog.h"

#include <functional>
#include <span>

namespace hw {

/// One table of an address plan for export: its rows are made while they are written.
struct AddressTable {
    struct Column {
        const char* name;
        bool number = false;
    };
    using RowSink = std::function<void(std::span<const std::string>)>;

    std::string name;
    std::vector<Column> columns;
    std::function<void(const RowSink&)> forEachRow;
};

/// switches, subnets, host_ports, links, management, breakouts. The arguments must outlive the tables.
[[nodiscard]] std::vector<AddressTable> addressTables(const AddressPlan& plan, const Snapshot& snapshot, const ProjectParts& parts);
/// Every address of the plan in one table: kind, device, port, network, address4, address6, peer, peer_port.
[[nodiscard]] AddressTable allAddresses(const AddressPlan& plan, const Snapshot& snapshot, const ProjectParts& parts);

} // namespace hw

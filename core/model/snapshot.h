// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/tables.h"

#include <array>

namespace hw {

/// All tables of a design at one revision. Handed out as `std::shared_ptr<const Snapshot>`, which
/// any thread may read; copying one copies chunk pointers only (some 40 µs for 122,880 GPUs).
struct Snapshot {
    Snapshot();
    Snapshot(const Snapshot&);
    Snapshot& operator=(const Snapshot&);
    ~Snapshot();

    std::uint64_t revision = 0;
    Settings settings;
    PartTypes partTypes;
    Networks networks;
    Buildings buildings;
    Halls halls;
    Rows rows;
    Racks racks;
    Trays trays;
    Tiers tiers;
    Devices devices;
    Cages cages;
    Ports ports;
    LinkRules linkRules;
    Links links;
    Cables cables;
    Waivers waivers;

    static constexpr std::size_t kTables = 16;
    /// The tables in the order of the file format; new ones go at the end.
    [[nodiscard]] std::array<TableBase*, kTables> tables()
    {
        return {&settings, &partTypes, &networks, &buildings, &halls, &rows, &racks, &trays,
                &tiers, &devices, &cages, &ports, &linkRules, &links, &cables, &waivers};
    }
    [[nodiscard]] std::array<const TableBase*, kTables> tables() const
    {
        return {&settings, &partTypes, &networks, &buildings, &halls, &rows, &racks, &trays,
                &tiers, &devices, &cages, &ports, &linkRules, &links, &cables, &waivers};
    }

    /// The value of a setting, or `fallback`.
    [[nodiscard]] std::string setting(std::string_view key, std::string_view fallback = {}) const;
    /// Inserts or changes a setting (only reachable through a Transaction's working copy).
    void putSetting(std::string_view key, std::string_view value);
};

using SnapshotPtr = std::shared_ptr<const Snapshot>;

/// The same living rows with the same values in every table (revision and unused ids apart).
[[nodiscard]] bool sameContent(const Snapshot& a, const Snapshot& b);

} // namespace hw

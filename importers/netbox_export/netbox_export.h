// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/remote_exporter.h"
#include "importers/netbox_export/sync.h"

namespace hw::netbox {

/// A design to NetBox: over its REST API, or as CSV files that it imports.
[[nodiscard]] std::unique_ptr<exchange::Exporter> netboxExporter();

/// Where to, and how.
struct Target {
    std::string url, branch, site;
    bool cords = false;
    std::filesystem::path credentials;
    Patience patience{};
};

/// An open connection with what a design wants of it.
struct Session {
    std::unique_ptr<Client> client;
    ServerStatus status;
    Inventory inventory;
    std::string schema; ///< of the branch; empty: main, or a branch that is not made yet
    std::unique_ptr<Sync> sync;
};
/// Connects, makes the inventory and plans. Nothing is written. Errors: those of access, client and design.
[[nodiscard]] Result<std::unique_ptr<Session>> planned(const Figures& figures, const Target& target, const Progress& progress);

/// Writes what was planned: journal beside the project, branch made and waited for. `only`: what to write, null: all.
[[nodiscard]] Result<void> writeTo(Session& session, const Target& target, const std::filesystem::path& project, const Progress& progress,
                                   const Wanted* only = nullptr);

/// Writes CSV files and device types (YAML), numbered in the order of import, into a folder.
[[nodiscard]] Result<void> writeCsvFolder(const Inventory& inventory, const std::filesystem::path& folder, const Progress& progress);

/// Counts by table, conflicts, notes: what an export would do.
[[nodiscard]] Text planReport(const Session& session, const Target& target);
/// What of it would be written: counts by table.
[[nodiscard]] std::vector<TableCount> countsOf(const Session& session, const Wanted& wanted);
[[nodiscard]] Text wantedReport(const Session& session, const Target& target, const Wanted& wanted);

} // namespace hw::netbox

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/storage/project_file.h"
#include "core/foundation/storage/sqlite.h"

#include <map>
#include <span>

namespace hw::storage {

/// Everything that the writer knows about the database besides the design: the fingerprints that a
/// reader checks. `manifest` covers the last save, `journalHash` chains the commits onto it.
struct FileState {
    std::map<std::uint64_t, std::uint64_t> chunkHashes; ///< by chunkKey
    std::uint64_t manifest = 0;
    std::uint64_t journalCount = 0, journalHash = 0;
};

inline std::uint64_t chunkKey(std::uint64_t table, std::uint64_t column, std::uint64_t chunk) { return table << 48 | column << 32 | chunk; }

/// Creates the tables in an empty database.
[[nodiscard]] Result<void> createSchema(Database& database);
/// True when the tables are the ones that createSchema makes.
[[nodiscard]] Result<bool> schemaHolds(Database& database);

/// Writes chunks of `now` that are not those of `before` (all without it) and empties the journal.
/// Runs inside the caller's SQL transaction; `state` becomes that of the new save.
[[nodiscard]] Result<void> writeTables(Database& database, const Snapshot& now, const Snapshot* before, FileState& state,
                                       const Progress& progress = {});
/// Appends one commit within the caller's SQL transaction.
[[nodiscard]] Result<void> writeCommit(Database& database, const ChangeSet& changes, std::int64_t time_ms, FileState& state);
/// Empties the journal within the caller's SQL transaction.
[[nodiscard]] Result<void> clearJournal(Database& database, FileState& state);

struct LoadedFile {
    LoadedProject project;
    FileState state;
    /// The commits since the save, kept when the file lists its tables otherwise than this program does:
    /// `rewrite` puts them into the new list.
    struct Commit {
        UndoHistory::Step changes;
        std::int64_t time_ms = 0;
    };
    std::vector<Commit> commits;
    bool current = true; ///< the file lists its tables as this program does
};
/// Reads and verifies everything; `toEdit` also keeps the journal's commits as steps to undo. Errors: Unreadable (damaged), Canceled.
[[nodiscard]] Result<LoadedFile> loadTables(Database& database, const std::string& where, const Progress& progress = {},
                                            std::optional<std::uint64_t> asked = {}, bool toEdit = false);
/// Puts a file that another version wrote into this program's list of tables and columns, save and journal alike,
/// in one SQL transaction; `file.state` becomes that of the result. An error changes nothing.
[[nodiscard]] Result<void> rewrite(Database& database, LoadedFile& file);

/// Fingerprints that both sides compute.
[[nodiscard]] std::uint64_t chunkHash(std::uint64_t key, std::uint64_t revision, int codec, std::string_view data);
struct Counters {
    std::string_view name;
    std::uint32_t nextId = 0, size = 0;
}; ///< of one table, in the order of the file
[[nodiscard]] std::uint64_t manifestHash(std::uint64_t revision, std::span<const Counters> tables,
                                         const std::map<std::uint64_t, std::uint64_t>& chunks);
[[nodiscard]] std::uint64_t commitHash(std::uint64_t previous, std::uint64_t revision, std::int64_t time_ms, std::string_view name,
                                       std::string_view data);
/// The columns of a table as `tab.columns` lists them.
[[nodiscard]] std::string columnNames(const TableBase& table);

} // namespace hw::storage

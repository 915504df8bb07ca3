// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/parallel.h"
#include "core/foundation/storage/chunk_codec.h"
#include "core/foundation/storage/commit_codec.h"
#include "core/foundation/storage/file_image.h"
#include "core/foundation/storage/tables_io.h"
#include "version.h"

namespace hw::storage {

namespace {

struct Piece {
    std::uint16_t table, column;
    std::uint32_t chunk;
    ChunkPtr values;
    PackedChunk packed;
    std::uint64_t hash = 0;
};

/// Chunks that must be written; those that ceased to be are taken out of `state` and listed in `gone`.
std::vector<Piece> changedPieces(const Snapshot& now, const Snapshot* before, FileState& state, std::vector<std::uint64_t>& gone)
{
    std::vector<Piece> pieces;
    const auto tables = now.tables(), old = before ? before->tables() : schemaSnapshot().tables();
    for (std::size_t t = 0; t < tables.size(); ++t) {
        const auto columns = tables[t]->columnList(), oldColumns = old[t]->columnList();
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const auto count = columns[c]->chunkCount(), oldCount = oldColumns[c]->chunkCount();
            for (std::uint32_t i = 0; i < count; ++i)
                if (columns[c]->chunkIdentity(i) != oldColumns[c]->chunkIdentity(i))
                    pieces.push_back({std::uint16_t(t), std::uint16_t(c), i, columns[c]->chunk(i), {}, 0});
            for (std::uint32_t i = count; i < oldCount; ++i) {
                gone.push_back(chunkKey(t, c, i));
                state.chunkHashes.erase(gone.back());
            }
        }
    }
    return pieces;
}

Result<void> insertPieces(Database& database, const std::vector<Piece>& pieces, std::uint64_t revision)
{
    auto statement = database.prepare("INSERT OR REPLACE INTO chunk VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
    if (!statement) return tl::unexpected(statement.error());
    const auto tables = schemaSnapshot().tables();
    for (const auto& piece : pieces) {
        const auto& table = *tables[piece.table];
        statement->bind(1, std::int64_t(chunkKey(piece.table, piece.column, piece.chunk)))
            .bind(2, table.name())
            .bind(3, table.columnList()[piece.column]->name())
            .bind(4, std::int64_t(piece.chunk))
            .bind(5, std::int64_t(revision))
            .bind(6, std::int64_t(piece.packed.codec))
            .bind(7, std::int64_t(piece.hash))
            .bindBlob(8, piece.packed.data);
        if (const auto done = statement->step(); !done) return tl::unexpected(done.error());
    }
    return {};
}

Result<void> deleteChunks(Database& database, const std::vector<std::uint64_t>& keys)
{
    auto statement = database.prepare("DELETE FROM chunk WHERE id = ?");
    if (!statement) return tl::unexpected(statement.error());
    for (const auto key : keys)
        if (const auto done = statement->bind(1, std::int64_t(key)).step(); !done) return tl::unexpected(done.error());
    return {};
}

Result<void> writeCounters(Database& database, const Snapshot& now)
{
    auto statement = database.prepare("INSERT OR REPLACE INTO tab VALUES(?, ?, ?, ?, ?)");
    if (!statement) return tl::unexpected(statement.error());
    std::int64_t id = 0;
    for (const auto* table : now.tables()) {
        const auto names = columnNames(*table);
        statement->bind(1, id++).bind(2, table->name()).bind(3, std::int64_t(table->nextId())).bind(4, std::int64_t(table->size())).bind(5, names);
        if (const auto done = statement->step(); !done) return tl::unexpected(done.error());
    }
    return {};
}

Result<void> putMeta(Database& database, std::string_view key, std::int64_t value)
{
    auto statement = database.prepare("INSERT OR REPLACE INTO meta VALUES(?, ?)");
    if (!statement) return tl::unexpected(statement.error());
    if (const auto done = statement->bind(1, key).bind(2, value).step(); !done) return tl::unexpected(done.error());
    return {};
}

Result<void> putMeta(Database& database, std::string_view key, std::string_view value)
{
    auto statement = database.prepare("INSERT OR REPLACE INTO meta VALUES(?, ?)");
    if (!statement) return tl::unexpected(statement.error());
    if (const auto done = statement->bind(1, key).bind(2, value).step(); !done) return tl::unexpected(done.error());
    return {};
}

Result<void> writeJournalEnd(Database& database, const FileState& state)
{
    return putMeta(database, "journal_count", std::int64_t(state.journalCount)).and_then([&] {
        return putMeta(database, "journal_hash", std::int64_t(state.journalHash));
    });
}

} // namespace

Result<void> writeTables(Database& database, const Snapshot& now, const Snapshot* before, FileState& state, const Progress& progress)
{
    FileState next = state;
    std::vector<std::uint64_t> gone;
    auto pieces = changedPieces(now, before, next, gone);
    const auto tables = now.tables();
    parallelFor(pieces.size(), {.block = kChunksAtATime, .stop = progress.stop}, [&](std::size_t i) {
        auto& piece = pieces[i];
        piece.packed =
            packChunk(*tables[piece.table]->columnList()[piece.column], *piece.values, tables[piece.table]->columnList()[piece.column]->valueBytes());
        piece.hash = chunkHash(chunkKey(piece.table, piece.column, piece.chunk), now.revision, int(piece.packed.codec), piece.packed.data);
    });
    if (progress.stopRequested()) return fail(ErrorCode::Canceled, "save", i18n("stopped"));
    progress.report(0.4, words(i18n("Saving")));
    for (const auto& piece : pieces) next.chunkHashes[chunkKey(piece.table, piece.column, piece.chunk)] = piece.hash;
    std::vector<Counters> counters;
    for (const auto* table : tables) counters.push_back({table->name(), table->nextId(), table->size()});
    next.manifest = manifestHash(now.revision, counters, next.chunkHashes);

    auto done = insertPieces(database, pieces, now.revision)
                    .and_then([&] { return deleteChunks(database, gone); })
                    .and_then([&] { return writeCounters(database, now); })
                    .and_then([&] { return putMeta(database, "revision", std::int64_t(now.revision)); })
                    .and_then([&] { return putMeta(database, "manifest", std::int64_t(next.manifest)); })
                    .and_then([&] { return putMeta(database, "saved_with", HW_VERSION); })
                    .and_then([&] { return putMeta(database, "needs", "0.3.0"); }) // first program that reads this format
                    .and_then([&] { return clearJournal(database, next); });
    if (done) state = std::move(next);
    return done;
}

Result<void> rewrite(Database& database, LoadedFile& file)
{
    auto transaction = SqlTransaction::begin(database);
    if (!transaction) return tl::unexpected(transaction.error());
    FileState state;
    auto done = database.run("DELETE FROM chunk; DELETE FROM tab; PRAGMA user_version = " + std::to_string(kFormatVersion)).and_then([&] { // no text
        return writeTables(database, *file.project.saved, nullptr, state);
    });
    state.journalHash = state.manifest;
    for (const auto& commit : file.commits)
        if (done) done = writeCommit(database, *commit.changes, commit.time_ms, state);
    if (done) done = transaction->commit();
    if (done) file.state = std::move(state), file.commits.clear(), file.current = true;
    return done;
}

Result<void> clearJournal(Database& database, FileState& state)
{
    FileState next{{}, state.manifest, 0, state.manifest};
    auto done = database.run("DELETE FROM journal").and_then([&] { return writeJournalEnd(database, next); }); // no text
    if (done) {
        state.journalCount = next.journalCount;
        state.journalHash = next.journalHash;
    }
    return done;
}

Result<void> writeCommit(Database& database, const ChangeSet& changes, std::int64_t time_ms, FileState& state)
{
    const auto data = packCommit(changes);
    FileState next{{}, state.manifest, state.journalCount + 1, commitHash(state.journalHash, changes.revisionAfter, time_ms, changes.name, data)};
    auto statement = database.prepare("INSERT INTO journal VALUES(?, ?, ?, ?, ?)");
    if (!statement) return tl::unexpected(statement.error());
    statement->bind(1, std::int64_t(changes.revisionAfter)).bind(2, std::string_view(changes.name)).bind(3, time_ms);
    statement->bind(4, std::int64_t(next.journalHash)).bindBlob(5, data);
    if (const auto row = statement->step(); !row) return tl::unexpected(row.error());
    auto done = writeJournalEnd(database, next);
    if (done) {
        state.journalCount = next.journalCount;
        state.journalHash = next.journalHash;
    }
    return done;
}

} // namespace hw::storage

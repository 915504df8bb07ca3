// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/parallel.h"
#include "core/foundation/storage/chunk_codec.h"
#include "core/foundation/storage/commit_codec.h"
#include "core/foundation/storage/file_image.h"
#include "core/foundation/storage/file_schema.h"
#include "core/foundation/storage/tables_io.h"
#include "core/foundation/storage/validate.h"

#include <atomic>

namespace hw::storage {

namespace {

struct Stored {
    std::uint64_t key, revision, hash;
    int codec;
    ColumnBase* column; ///< null: the names beside the key are not those of the key
    std::string data;
    ChunkPtr values;
};

tl::unexpected<Error> damagedTables(const std::string& where, const Text& what)
{
    return fail(ErrorCode::Unreadable, where, i18n("project file damaged: {}", what), i18n("restore a backup"));
}

Result<std::uint64_t> meta(Database& database, const char* key, const std::string& where)
{
    auto statement = database.prepare("SELECT value FROM meta WHERE key = '" + std::string(key) + "'");
    if (!statement) return tl::unexpected(statement.error());
    const auto row = statement->step();
    if (!row) return tl::unexpected(row.error());
    if (!*row || !statement->is(0, 'i')) return damagedTables(where, i18n("missing {}", key));
    return std::uint64_t(statement->integer(0));
}

/// The column that a chunk's key means; null when the file lists none of that number.
ColumnBase* columnOf(Snapshot& snapshot, const FileSchema& schema, std::uint64_t key)
{
    const std::size_t table = key >> 48, column = key >> 32 & 0xFFFF;
    if (table >= schema.tables.size() || column >= schema.tables[table].columns.size()) return nullptr;
    return snapshot.tables()[schema.tables[table].number]->columnList()[schema.tables[table].columns[column]];
}

/// The names beside a chunk's key are for people and other tools; they must say the same.
bool namesHold(const Statement& row, const ColumnBase* column, const FileSchema& schema, std::uint64_t key)
{
    return column && row.text(5) == schema.tables[key >> 48].name && row.text(6) == column->name() &&
           row.integer(7) == std::int64_t(std::uint32_t(key));
}

Result<std::vector<Stored>> readChunks(Database& database, Snapshot& snapshot, const FileSchema& schema)
{
    auto statement = database.prepare("SELECT id, revision, codec, hash, data, tab, col, chunk FROM chunk ORDER BY id");
    if (!statement) return tl::unexpected(statement.error());
    std::vector<Stored> chunks;
    for (;;) {
        const auto row = statement->step();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return chunks;
        const auto key = std::uint64_t(statement->integer(0));
        ColumnBase* column = columnOf(snapshot, schema, key);
        chunks.push_back({key, std::uint64_t(statement->integer(1)), std::uint64_t(statement->integer(3)), int(statement->integer(2)),
                          namesHold(*statement, column, schema, key) ? column : nullptr, std::string(statement->blob(4)), nullptr});
    }
}

/// Verifies and decodes all chunks on all cores; gives the key of a bad one, if any.
std::optional<std::uint64_t> decodeChunks(std::vector<Stored>& chunks, const Progress& progress)
{
    std::atomic<const Stored*> bad = nullptr;
    parallelFor(chunks.size(), {.block = kChunksAtATime, .stop = progress.stop}, [&](std::size_t i) {
        auto& chunk = chunks[i];
        if (bad) return;
        if (chunk.column && chunk.codec >= 0 && chunk.codec <= 2 && chunkHash(chunk.key, chunk.revision, chunk.codec, chunk.data) == chunk.hash)
            chunk.values = unpackChunk(*chunk.column, Codec(chunk.codec), chunk.data, chunk.column->valueBytes());
        if (!chunk.values) bad = &chunk;
        chunk.data = {};
    });
    return bad ? std::optional(bad.load()->key) : std::nullopt;
}

Result<void> placeChunks(const std::vector<Stored>& chunks, FileState& state, const std::string& where)
{
    for (const auto& chunk : chunks) {
        auto& column = *chunk.column;
        const auto index = std::uint32_t(chunk.key);
        if (index != column.chunkCount()) return damagedTables(where, i18n("a chunk of column {} is missing", column.name()));
        column.putChunk(index, chunk.values);
        state.chunkHashes[chunk.key] = chunk.hash;
    }
    return {};
}

UndoHistory::Step named(ChangeSet changes, const CommitInfo& commit)
{
    changes.name = commit.name;
    changes.revisionBefore = commit.revision - 1;
    changes.revisionAfter = commit.revision;
    return std::make_shared<const ChangeSet>(std::move(changes));
}

/// `revision` is kept as `asked`; `history` takes the commits as steps to undo.
Result<void> replayJournal(Database& database, LoadedFile& file, const FileSchema& schema, const std::string& where,
                           std::optional<std::uint64_t> revision, UndoHistory* history)
{
    auto statement = database.prepare("SELECT revision, name, time_ms, hash, data FROM journal ORDER BY revision");
    if (!statement) return tl::unexpected(statement.error());
    auto snapshot = std::make_shared<Snapshot>(*file.project.saved);
    auto& state = file.state;
    state.journalHash = state.manifest;
    if (revision == snapshot->revision) file.project.asked = file.project.saved;
    for (;;) {
        const auto row = statement->step();
        if (!row) return tl::unexpected(row.error());
        if (!*row) break;
        CommitInfo commit{std::uint64_t(statement->integer(0)), std::string(statement->text(1)), statement->integer(2)};
        state.journalHash = commitHash(state.journalHash, commit.revision, commit.time_ms, commit.name, statement->blob(4));
        const auto before = file.current ? nullptr : std::make_unique<const Snapshot>(*snapshot);
        const bool follows = commit.revision == snapshot->revision + 1 && state.journalHash == std::uint64_t(statement->integer(3));
        auto changes = follows ? applyCommit(statement->blob(4), schema, *snapshot) : std::nullopt;
        if (!changes) return damagedTables(where, i18n("invalid journal commit {}", commit.revision));
        snapshot->revision = commit.revision;
        if (revision == commit.revision) file.project.asked = std::make_shared<const Snapshot>(*snapshot);
        if (before) changes = difference(*before, *snapshot, {});
        const auto step = named(std::move(*changes), commit);
        if (before) file.commits.push_back({step, commit.time_ms});
        if (history) history->recall(step);
        file.project.journal.push_back(std::move(commit));
        ++state.journalCount;
    }
    if (state.journalCount > 0) file.project.snapshot = std::move(snapshot);
    return {};
}

Result<void> checkSound(const Snapshot& snapshot, const std::string& where)
{
    if (const auto problem = findInconsistency(snapshot)) return damagedTables(where, *problem);
    return {};
}

} // namespace

Result<LoadedFile> loadTables(Database& database, const std::string& where, const Progress& progress, std::optional<std::uint64_t> asked, bool toEdit)
{
    const auto holds = schemaHolds(database);
    if (!holds) return tl::unexpected(holds.error());
    if (!*holds) return damagedTables(where, i18n("unexpected table structure"));
    const auto revision = meta(database, "revision", where), manifest = meta(database, "manifest", where),
               journalCount = meta(database, "journal_count", where), journalHash = meta(database, "journal_hash", where);
    for (const auto* value : {&revision, &manifest, &journalCount, &journalHash})
        if (!*value) return tl::unexpected(value->error());

    auto saved = std::make_shared<Snapshot>();
    saved->revision = *revision;
    const auto schema = readSchema(database, where);
    if (!schema) return tl::unexpected(schema.error());
    std::vector<Counters> counters;
    for (const auto& table : schema->tables) {
        saved->tables()[table.number]->restoreCounters(table.nextId, table.size);
        counters.push_back({table.name, table.nextId, table.size});
    }
    auto chunks = readChunks(database, *saved, *schema);
    if (!chunks) return tl::unexpected(chunks.error());
    progress.report(0.2, words(i18n("Opening")));
    const auto bad = decodeChunks(*chunks, progress);
    if (progress.stopRequested()) return fail(ErrorCode::Canceled, where, i18n("stopped"));
    if (bad) return damagedTables(where, i18n("invalid chunk {} of table {}, column {}", std::uint32_t(*bad), *bad >> 48, *bad >> 32 & 0xFFFF));
    LoadedFile file;
    if (auto done = placeChunks(*chunks, file.state, where); !done) return tl::unexpected(done.error());
    file.state.manifest = manifestHash(*revision, counters, file.state.chunkHashes);
    if (file.state.manifest != *manifest) return damagedTables(where, i18n("data of the last save is missing"));
    schema->complete(*saved);
    const auto version = database.integer("PRAGMA user_version"); // no text
    if (!version) return tl::unexpected(version.error());
    file.current = schema->current() && *version == kFormatVersion;
    file.project.saved = file.project.snapshot = saved;
    progress.report(0.8, words(i18n("Opening")));
    if (auto done = replayJournal(database, file, *schema, where, asked, toEdit ? &file.project.history : nullptr); !done)
        return tl::unexpected(done.error());
    if (file.state.journalCount != *journalCount || file.state.journalHash != *journalHash)
        return damagedTables(where, i18n("journal data is missing"));
    if (auto done = checkSound(*saved, where); !done) return tl::unexpected(done.error());
    if (file.project.snapshot != saved)
        if (auto done = checkSound(*file.project.snapshot, where); !done) return tl::unexpected(done.error());
    return file;
}

} // namespace hw::storage

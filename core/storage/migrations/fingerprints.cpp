// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/storage/migrations/fingerprints.h"

#include "core/base/hash.h"
#include "core/storage/bytes.h"
#include "core/storage/tables_io.h"

namespace hw::storage {

namespace {

struct Commit { std::int64_t revision, time_ms, hash; std::string name, data; };

tl::unexpected<Error> damaged(const std::string& what)
{
    return fail(ErrorCode::Unreadable, "migration", "the project is damaged: " + what, "use a backup copy");
}

Result<std::uint64_t> meta(Database& database, const std::string& key)
{
    const auto value = database.integer("SELECT value FROM meta WHERE key = '" + key + "'");
    if (!value) return tl::unexpected(value.error());
    return std::uint64_t(*value);
}

/// Calls row(statement) for every row of a query.
template <class F>
Result<void> eachRow(Database& database, std::string_view sql, F&& row)
{
    auto statement = database.prepare(sql);
    if (!statement) return tl::unexpected(statement.error());
    for (;;) {
        const auto more = statement->step();
        if (!more) return tl::unexpected(more.error());
        if (!*more) return {};
        row(*statement);
    }
}

Result<std::uint64_t> manifestOf(Database& database)
{
    const auto revision = meta(database, "revision");
    if (!revision) return revision;
    std::string all;
    put(all, *revision);
    auto done = eachRow(database, "SELECT name, next_id, size FROM tab ORDER BY id", [&](const Statement& row) {
        putBytes(all, row.text(0));
        put(all, std::uint32_t(row.integer(1)));
        put(all, std::uint32_t(row.integer(2)));
    });
    if (done)
        done = eachRow(database, "SELECT id, hash FROM chunk ORDER BY id", [&](const Statement& row) {
            put(all, std::uint64_t(row.integer(0)));
            put(all, std::uint64_t(row.integer(1)));
        });
    if (!done) return tl::unexpected(done.error());
    return hash64(all);
}

Result<std::vector<Commit>> readJournal(Database& database)
{
    std::vector<Commit> commits;
    const auto done = eachRow(database, "SELECT revision, name, time_ms, hash, data FROM journal ORDER BY revision", [&](const Statement& row) {
        commits.push_back({row.integer(0), row.integer(2), row.integer(3), std::string(row.text(1)), std::string(row.blob(4))});
    });
    if (!done) return tl::unexpected(done.error());
    return commits;
}

std::uint64_t hashOf(const Commit& commit, std::uint64_t previous)
{
    return commitHash(previous, std::uint64_t(commit.revision), commit.time_ms, commit.name, commit.data);
}

Result<void> writeCommit(Database& database, const Commit& commit)
{
    auto statement = database.prepare("UPDATE journal SET hash = ?, data = ? WHERE revision = ?");
    if (!statement) return tl::unexpected(statement.error());
    const auto done = statement->bind(1, commit.hash).bindBlob(2, commit.data).bind(3, commit.revision).step();
    if (!done) return tl::unexpected(done.error());
    return {};
}

Result<void> putMeta(Database& database, const std::string& key, std::uint64_t value)
{
    return database.run("UPDATE meta SET value = " + std::to_string(std::int64_t(value)) + " WHERE key = '" + key + "'");
}

} // namespace

Result<void> checkFingerprints(Database& database)
{
    const auto holds = schemaHolds(database); // formats 1 and 2 have the same SQL tables
    if (!holds) return tl::unexpected(holds.error());
    if (!*holds) return damaged("its tables are not those of a project");
    const auto manifest = manifestOf(database), stored = meta(database, "manifest"), count = meta(database, "journal_count"),
               last = meta(database, "journal_hash");
    for (const auto* value : {&manifest, &stored, &count, &last})
        if (!*value) return tl::unexpected(value->error());
    if (*manifest != *stored) return damaged("something of the last save is missing");
    const auto commits = readJournal(database);
    if (!commits) return tl::unexpected(commits.error());
    std::uint64_t hash = *manifest;
    for (const auto& commit : *commits) {
        hash = hashOf(commit, hash);
        if (hash != std::uint64_t(commit.hash)) return damaged("commit " + std::to_string(commit.revision) + " of its journal");
    }
    if (commits->size() != *count || hash != *last) return damaged("something of its journal is missing");
    return {};
}

Result<void> renewFingerprints(Database& database, const CommitChange& change)
{
    const auto manifest = manifestOf(database);
    if (!manifest) return tl::unexpected(manifest.error());
    auto commits = readJournal(database);
    if (!commits) return tl::unexpected(commits.error());
    std::uint64_t hash = *manifest;
    for (auto& commit : *commits) {
        auto data = change(commit.data);
        if (!data) return damaged("commit " + std::to_string(commit.revision) + " of its journal");
        commit.data = std::move(*data);
        hash = hashOf(commit, hash);
        commit.hash = std::int64_t(hash);
        if (auto done = writeCommit(database, commit); !done) return done;
    }
    return putMeta(database, "manifest", *manifest).and_then([&] { return putMeta(database, "journal_hash", hash); });
}

} // namespace hw::storage

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/storage/bytes.h"
#include "core/storage/migrations/fingerprints.h"
#include "core/storage/migrations/migration.h"
#include "core/storage/tables_io.h"

#include <zstd.h>

// Version 2: networks get `kind` (0 = backend), `domain` and `accelerator_rate_gbps` (0 = not stated).

namespace hw::storage {

namespace {

constexpr std::uint16_t kNetworks = 2, kAlive = 0; ///< numbers of the table and of its first column
constexpr std::uint32_t kMostRows = 4096;
constexpr char kOldColumns[] = "alive key name label planes rails color";

struct NewColumn { std::uint16_t number; const char* name; std::uint32_t bytes; };
constexpr NewColumn kNewColumns[] = {{7, "kind", 1}, {8, "domain", 4}, {9, "accelerator_rate_gbps", 4}};

struct Place { std::int64_t chunk, revision; std::uint32_t rows; };

/// Rows of a packed chunk of one byte a row; more than a chunk has when it is malformed.
std::uint64_t rowsOf(std::int64_t codec, std::string_view data)
{
    return codec == 0 ? data.size() : ZSTD_getFrameContentSize(data.data(), data.size());
}

Result<std::vector<Place>> chunksOfNetworks(Database& database)
{
    auto statement = database.prepare("SELECT chunk, revision, codec, data FROM chunk WHERE tab = 'networks' AND col = 'alive' ORDER BY id");
    if (!statement) return tl::unexpected(statement.error());
    std::vector<Place> places;
    for (;;) {
        const auto row = statement->step();
        if (!row) return tl::unexpected(row.error());
        if (!*row) return places;
        const auto rows = rowsOf(statement->integer(2), statement->blob(3));
        if (rows > kMostRows) return fail(ErrorCode::Unreadable, "migration", "the project is damaged: a chunk of networks", "use a backup copy");
        places.push_back({statement->integer(0), statement->integer(1), std::uint32_t(rows)});
    }
}

Result<void> insertChunks(Database& database, const Place& place)
{
    auto statement = database.prepare("INSERT INTO chunk VALUES(?, 'networks', ?, ?, ?, 0, ?, ?)");
    if (!statement) return tl::unexpected(statement.error());
    for (const auto& column : kNewColumns) {
        const std::string zeros(std::size_t(place.rows) * column.bytes, '\0');
        const auto key = chunkKey(kNetworks, column.number, std::uint64_t(place.chunk));
        statement->bind(1, std::int64_t(key)).bind(2, std::string_view(column.name)).bind(3, place.chunk).bind(4, place.revision);
        statement->bind(5, std::int64_t(chunkHash(key, std::uint64_t(place.revision), 0, zeros))).bindBlob(6, zeros);
        if (const auto done = statement->step(); !done) return tl::unexpected(done.error());
    }
    return {};
}

/// What one record of a commit does to the rows of networks, done to the new columns.
void appendRecords(std::uint32_t chunk, std::uint8_t kind, std::uint64_t rows, std::string& out)
{
    for (const auto& column : kNewColumns) {
        put(out, kNetworks);
        put(out, column.number);
        put(out, chunk);
        put(out, std::uint8_t(kind == 0 ? 0 : 1)); // gone, or the whole chunk
        if (kind == 0) continue;
        put(out, std::uint8_t(0)); // as it is
        putBytes(out, std::string(std::size_t(rows) * column.bytes, '\0'));
    }
}

/// Commit as format 1 and 2 write it: counters, number of records, records (commit_codec.cpp).
std::optional<std::string> withNewColumns(std::string_view data)
{
    ByteReader in(data);
    const auto tables = in.take<std::uint16_t>();
    in.takeBytes(std::size_t(tables) * 8);
    const std::size_t head = 2 + std::size_t(tables) * 8;
    const auto count = in.take<std::uint32_t>();
    std::string added;
    std::uint32_t records = count;
    for (std::uint32_t i = 0; in.ok() && i < count; ++i) {
        const auto table = in.take<std::uint16_t>(), column = in.take<std::uint16_t>();
        const auto chunk = in.take<std::uint32_t>();
        const auto kind = in.take<std::uint8_t>();
        if (kind > 2) return std::nullopt;
        const auto codec = kind == 1 ? in.take<std::uint8_t>() : std::uint8_t(0);
        const auto bytes = kind == 0 ? std::string_view() : in.takeSized();
        if (!in.ok() || table != kNetworks || column != kAlive) continue;
        const auto rows = kind == 2 ? ByteReader(bytes).take<std::uint32_t>() : kind == 1 ? rowsOf(codec, bytes) : 0;
        if (rows > kMostRows) return std::nullopt;
        appendRecords(chunk, kind, rows, added);
        records += std::uint32_t(std::size(kNewColumns));
    }
    if (!in.ok() || !in.atEnd()) return std::nullopt;
    std::string out(data.substr(0, head));
    put(out, records);
    out.append(data.substr(head + 4));
    return out + added;
}

} // namespace

Result<void> toVersion2(Database& database)
{
    if (auto done = checkFingerprints(database); !done) return done;
    const auto columns = database.text("SELECT columns FROM tab WHERE id = 2 AND name = 'networks'");
    if (!columns) return tl::unexpected(columns.error());
    if (*columns != kOldColumns)
        return fail(ErrorCode::Unreadable, "migration", "the project is damaged: the table networks is not described as it should", "use a backup copy");
    const auto places = chunksOfNetworks(database);
    if (!places) return tl::unexpected(places.error());
    for (const auto& place : *places)
        if (auto done = insertChunks(database, place); !done) return done;
    std::string all = kOldColumns;
    for (const auto& column : kNewColumns) all += std::string(" ") + column.name;
    return database.run("UPDATE tab SET columns = '" + all + "' WHERE id = 2; UPDATE meta SET value = '0.2.0' WHERE key = 'needs'").and_then([&] {
        return renewFingerprints(database, withNewColumns);
    });
}

} // namespace hw::storage

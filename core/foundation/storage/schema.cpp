// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/hash.h"
#include "core/foundation/storage/bytes.h"
#include "core/foundation/storage/file_image.h"
#include "core/foundation/storage/tables_io.h"

namespace hw::storage {

namespace {

struct TableSql {
    const char* name;
    const char* sql;
};

constexpr TableSql kSchema[] = {
    {"meta", "CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID"},                                                   // no text
    {"tab", "CREATE TABLE tab(id INTEGER PRIMARY KEY, name TEXT, next_id INTEGER, size INTEGER, columns TEXT)"},                // no text
    {"chunk", "CREATE TABLE chunk(id INTEGER PRIMARY KEY, tab TEXT, col TEXT, chunk INTEGER, revision INTEGER, codec INTEGER, " // no text
              "hash INTEGER, data BLOB)"},                                                                                      // no text
    {"journal", "CREATE TABLE journal(revision INTEGER PRIMARY KEY, name TEXT, time_ms INTEGER, hash INTEGER, data BLOB)"},     // no text
};

} // namespace

Result<void> createSchema(Database& database)
{
    std::string sql =
        "PRAGMA application_id = " + std::to_string(kApplicationId) + "; PRAGMA user_version = " + std::to_string(kFormatVersion) + ";"; // no text
    for (const auto& table : kSchema) sql += std::string(table.sql) + ";";
    return database.run(sql);
}

Result<bool> schemaHolds(Database& database)
{
    for (const auto& table : kSchema) {
        const auto sql = database.text("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = '" + std::string(table.name) + "'"); // no text
        if (!sql) return tl::unexpected(sql.error());
        if (*sql != table.sql) return false;
    }
    return true;
}

std::uint64_t chunkHash(std::uint64_t key, std::uint64_t revision, int codec, std::string_view data)
{
    std::string head;
    put(head, key);
    put(head, revision);
    put(head, std::int32_t(codec));
    return hash64(data, hash64(head));
}

std::uint64_t manifestHash(std::uint64_t revision, std::span<const Counters> tables, const std::map<std::uint64_t, std::uint64_t>& chunks)
{
    std::string all;
    put(all, revision);
    for (const auto& table : tables) {
        putBytes(all, table.name);
        put(all, table.nextId);
        put(all, table.size);
    }
    for (const auto& [key, hash] : chunks) {
        put(all, key);
        put(all, hash);
    }
    return hash64(all);
}

std::uint64_t commitHash(std::uint64_t previous, std::uint64_t revision, std::int64_t time_ms, std::string_view name, std::string_view data)
{
    std::string head;
    put(head, revision);
    put(head, time_ms);
    putBytes(head, name);
    return hash64(data, hash64(head, previous));
}

std::string columnNames(const TableBase& table)
{
    std::string names;
    for (const auto* column : table.columnList()) names.append(names.empty() ? "" : " ").append(column->name());
    return names;
}

} // namespace hw::storage

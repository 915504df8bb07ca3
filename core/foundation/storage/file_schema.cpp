// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/storage/file_schema.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace hw::storage {

namespace {

/// The program that a newer file asks for, as an advice.
Text advice(Database& database)
{
    const auto needs = database.text("SELECT value FROM meta WHERE key = 'needs'"); // no text
    return i18n("open it with Hallwright {} or later", needs ? *needs : std::string());
}

template <class List>
std::optional<std::uint16_t> numberOf(const List& list, std::string_view name)
{
    const auto found = std::ranges::find_if(list, [&](const auto* entry) { return entry->name() == name; });
    return found == list.end() ? std::nullopt : std::optional(std::uint16_t(found - list.begin()));
}

/// A column's default in every row of the table.
void refill(ColumnBase& column, std::uint32_t rows)
{
    column.putChunk(0, nullptr);
    column.extendTo(rows);
}

std::uint32_t rowsIn(const ColumnBase& column)
{
    const auto chunks = column.chunkCount();
    return chunks == 0 ? 0 : (chunks - 1) * kChunkRows + std::uint32_t(column.chunk(chunks - 1)->rows());
}

} // namespace

bool FileSchema::current() const
{
    const auto ours = schemaSnapshot().tables();
    if (tables.size() != ours.size()) return false;
    for (std::size_t t = 0; t < tables.size(); ++t) {
        if (tables[t].number != t || tables[t].columns.size() != ours[t]->columnList().size()) return false;
        for (std::size_t c = 0; c < tables[t].columns.size(); ++c)
            if (tables[t].columns[c] != c) return false;
    }
    return true;
}

void FileSchema::complete(Snapshot& snapshot) const
{
    for (const auto& table : tables) {
        const auto columns = snapshot.tables()[table.number]->columnList();
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (std::ranges::find(table.columns, c) != table.columns.end()) continue;
            if (rowsIn(*columns[c]) != rowsIn(*columns.front())) refill(*columns[c], rowsIn(*columns.front()));
        }
    }
}

Result<FileSchema> readSchema(Database& database, const std::string& where)
{
    auto statement = database.prepare("SELECT id, name, next_id, size, columns FROM tab ORDER BY id");
    if (!statement) return tl::unexpected(statement.error());
    FileSchema schema;
    std::set<std::uint16_t> seen;
    const auto damaged = [&](const Text& what) {
        return fail(ErrorCode::Unreadable, where, i18n("project file damaged: {}", what), i18n("restore a backup"));
    };
    for (;;) {
        const auto row = statement->step();
        if (!row) return tl::unexpected(row.error());
        if (!*row) break;
        const std::string name(statement->text(1));
        const auto nextId = statement->integer(2), size = statement->integer(3);
        if (statement->integer(0) != std::int64_t(schema.tables.size())) return damaged(i18n("invalid definition of table {}", name));
        if (nextId < 0 || nextId >= 0xFFFFFFFF || size < 0 || size > nextId) return damaged(i18n("invalid row counts for table {}", name));
        const auto number = numberOf(schemaSnapshot().tables(), name);
        if (!number)
            return fail(ErrorCode::Unreadable, where, i18n("contains a table '{}' that this version does not support", name), advice(database));
        if (!seen.insert(*number).second) return damaged(i18n("table {} occurs twice", name));
        FileSchema::Table table{name, std::uint32_t(nextId), std::uint32_t(size), *number, {}};
        const auto ours = schemaSnapshot().tables()[*number]->columnList();
        std::istringstream names{std::string(statement->text(4))};
        for (std::string column; names >> column;) {
            const auto known = numberOf(ours, column);
            if (!known)
                return fail(ErrorCode::Unreadable, where, i18n("table {} contains a column '{}' that this version does not support", name, column),
                            advice(database));
            if (std::ranges::find(table.columns, *known) != table.columns.end()) return damaged(i18n("table {} contains a duplicate column", name));
            table.columns.push_back(*known);
        }
        if (table.columns.empty() || table.columns.front() != 0) return damaged(i18n("invalid definition of table {}", name));
        schema.tables.push_back(std::move(table));
    }
    if (schema.tables.empty()) return damaged(i18n("table {} is missing", "settings"));
    return schema;
}

} // namespace hw::storage

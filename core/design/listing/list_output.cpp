// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/kinds.h"
#include "core/design/listing/entity_list.h"
#include "core/foundation/base/json_document.h"
#include "core/foundation/files/plain_table.h"

#include <nlohmann/json.hpp>

namespace hw {
namespace {

/// A column in the unit of files: meters and kilowatts.
struct FileUnit {
    std::string_view suffix, written;
    double size;
};
constexpr FileUnit kFileUnits[] = {{"_mm", "_m", 1000}, {"_mw", "_kw", 1e6}};

const FileUnit* fileUnit(const ListColumn& column)
{
    for (const FileUnit& unit : kFileUnits)
        if (column.number && column.key.ends_with(unit.suffix)) return &unit;
    return nullptr;
}

std::string headerOf(const ListColumn& column)
{
    const FileUnit* unit = fileUnit(column);
    return unit ? column.key.substr(0, column.key.size() - unit->suffix.size()) + std::string(unit->written) : column.key;
}

PlainTable::Cell cellOf(const EntityList& list, std::uint32_t row, std::size_t at)
{
    const ListColumn& column = list.columns()[at];
    if (!column.number) {
        std::string text = list.text(row, at);
        return text.empty() ? PlainTable::Cell() : PlainTable::Cell(std::move(text));
    }
    const auto number = list.number(row, at);
    if (!number) return {};
    const FileUnit* unit = fileUnit(column);
    return unit ? *number / unit->size : *number;
}

} // namespace

Result<void> writeList(const EntityList& list, const std::vector<std::uint32_t>& rows, const std::vector<std::size_t>& columns,
                       const std::filesystem::path& file, const Progress& progress)
{
    PlainTable table;
    table.sheet = edit::kindWord(list.kind());
    table.rows = rows.size();
    for (const std::size_t at : columns) table.columns.push_back({headerOf(list.columns()[at]), list.columns()[at].number ? 12.0 : 24.0});
    table.each = [&](const PlainTable::Take& take) -> Result<void> {
        std::vector<PlainTable::Cell> cells(columns.size());
        for (const std::uint32_t row : rows) {
            for (std::size_t i = 0; i < columns.size(); ++i) cells[i] = cellOf(list, row, columns[i]);
            if (const auto taken = take(cells); !taken) return taken;
        }
        return {};
    };
    return writeTable(table, file, progress);
}

std::string listJson(const EntityList& list, const std::vector<std::uint32_t>& rows, const std::vector<std::size_t>& columns)
{
    using Json = nlohmann::ordered_json;
    Json entries = Json::array();
    for (const std::uint32_t row : rows) {
        Json entry = Json::object();
        for (const std::size_t at : columns) {
            const PlainTable::Cell cell = cellOf(list, row, at);
            Json& value = entry[headerOf(list.columns()[at])];
            if (const auto* text = std::get_if<std::string>(&cell))
                value = *text;
            else if (const auto* number = std::get_if<double>(&cell))
                value = *number;
        }
        entries.push_back(std::move(entry));
    }
    return documentText(Json{{"schema", "hallwright.list/1"}, {"kind", edit::kindWord(list.kind())}, {"count", rows.size()}, {"rows", entries}}, 1);
}

} // namespace hw

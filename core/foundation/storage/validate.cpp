// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/storage/validate.h"

namespace hw {

namespace {

using Problem = std::optional<Text>;

/// A table may have a column called `name`.
std::string_view label(const TableBase& table) { return table.name(); }

/// Every column has the same chunks of the same lengths, full but for the last.
Problem shapeProblem(const TableBase& table)
{
    const auto columns = table.columnList();
    const std::uint32_t chunks = columns.front()->chunkCount();
    std::uint64_t rows = 0;
    for (std::uint32_t i = 0; i < chunks; ++i) {
        const auto flags = columns.front()->chunk(i);
        const std::size_t length = flags ? flags->rows() : 0;
        rows += length;
        if (length == 0 || (i + 1 < chunks && length != kChunkRows)) return i18n("table {} contains an undersized chunk", label(table));
        for (const auto* column : columns)
            if (column->chunkCount() != chunks || !column->chunkIdentity(i) || column->chunk(i)->rows() != length)
                return i18n("table {}: length of column {} differs", label(table), column->name());
    }
    if (rows > table.nextId()) return i18n("table {} contains rows beyond its ID range", label(table));
    return std::nullopt;
}

template <class T>
Problem valueProblem(const Snapshot&, const T&)
{
    return std::nullopt;
}
template <class Tag>
Problem valueProblem(const Snapshot& s, const Id<Tag>& id)
{
    if (s.of<Tag>().contains(id)) return std::nullopt;
    return i18n("table {} has no row {}", label(s.of<Tag>()), id.value);
}
template <class IdT>
Problem valueProblem(const Snapshot& s, const Maybe<IdT>& id)
{
    return id ? valueProblem(s, *id) : std::nullopt;
}
template <Worded T>
Problem valueProblem(const Snapshot&, const T& value)
{
    if (std::size_t(value) < kWords<T>.size()) return std::nullopt;
    return i18n("{} is not a valid value", int(value));
}

template <class T>
constexpr bool kChecked = std::is_enum_v<T>;
template <class Tag>
constexpr bool kChecked<Id<Tag>> = true;
template <class IdT>
constexpr bool kChecked<Maybe<IdT>> = true;

template <class TableT, class ColumnT>
Problem columnProblem(const Snapshot& snapshot, const TableT& table, const ColumnT& column)
{
    if constexpr (kChecked<typename ColumnT::Value>) {
        for (std::uint32_t chunk = 0; chunk < column.chunkCount(); ++chunk) {
            const auto values = column.chunkValues(chunk);
            const auto flags = table.aliveFlags.chunkValues(chunk);
            for (std::uint32_t i = 0; i < values.size(); ++i) {
                if (!flags[i]) continue;
                if (const auto problem = valueProblem(snapshot, values[i]))
                    return i18n("{} {}, {}: {}", label(table), (chunk << kChunkBits) + i, column.name(), *problem);
            }
        }
    }
    return std::nullopt;
}

template <class TableT>
Problem tableProblem(const Snapshot& snapshot, const TableT& table)
{
    std::uint32_t living = 0;
    for (std::uint32_t chunk = 0; chunk < table.aliveFlags.chunkCount(); ++chunk)
        for (const auto flag : table.aliveFlags.chunkValues(chunk)) {
            if (flag > 1) return i18n("table {} contains a row with an invalid status flag", label(table));
            living += flag;
        }
    if (living != static_cast<const TableBase&>(table).size()) return i18n("row count of table {} is wrong", label(table));
    Problem problem;
    table.withColumns([&](const auto&... column) { (void)((problem = columnProblem(snapshot, table, column)) || ...); });
    return problem;
}

} // namespace

std::optional<Text> findInconsistency(const Snapshot& s)
{
    for (const auto* table : s.tables())
        if (auto problem = shapeProblem(*table)) return problem;
    Problem problem;
    s.eachTable([&](const auto& table) {
        if (!problem) problem = tableProblem(s, table);
    });
    return problem;
}

} // namespace hw

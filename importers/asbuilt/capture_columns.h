// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/files/csv_table.h"
#include "core/operations/asbuilt/sighting.h"

#include <algorithm>
#include <optional>

namespace hw::importers {

/// Columns of a list of cables by name; case does not count.
class CaptureColumns {
public:
    explicit CaptureColumns(const CsvTable& table) : m_table(table) {}
    [[nodiscard]] bool has(const char* name) const { return find(name).has_value(); }
    [[nodiscard]] std::string cell(const CsvTable::Row& row, const char* name) const
    {
        const auto at = find(name);
        return at ? row.cells[*at] : std::string();
    }

private:
    [[nodiscard]] std::optional<std::size_t> find(const char* name) const
    {
        for (std::size_t i = 0; i < m_table.header.size(); ++i)
            if (asbuilt::lowerCase(m_table.header[i]) == name) return i;
        return std::nullopt;
    }
    const CsvTable& m_table;
};

} // namespace hw::importers

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/files/plain_table.h"
#include "core/foundation/files/workbook.h"
#include "core/output/exchange/bom_sections.h"
#include "core/output/exchange/formats.h"

namespace hw::procurement {

/// Who makes the part of a line, and how it is ordered there; empty for what is no device.
struct Article {
    std::string manufacturer{}, partNumber{};
};
[[nodiscard]] Article articleOf(const Figures& figures, const Bom::Line& line);

/// Texts as texts, numbers in the format of their column.
void writeCells(lxw_worksheet* sheet, lxw_row_t row, std::span<const PlainTable::Cell> cells, const std::function<lxw_format*(std::size_t)>& format);

/// A list of positions of the bill of materials: .csv, or .xlsx with sheets of its own.
class PositionsExporter : public exchange::Exporter {
public:
    bool oneFile() const final { return true; }
    bool takesPhase() const final { return true; }
    Result<void> write(const exchange::ExportJob& job, const Progress& progress) const final;

protected:
    [[nodiscard]] virtual Result<void> writeList(const Figures& figures, const Bom& bom, const std::filesystem::path& file,
                                                 const Progress& progress) const = 0;
    /// `cellsOf`: of a position, as many as there are columns.
    template <class Position, class CellsOf>
    static Result<void> writeText(const std::vector<Workbook::Column>& columns, const std::vector<Position>& positions, const CellsOf& cellsOf,
                                  const std::filesystem::path& file, const Progress& progress)
    {
        PlainTable table;
        for (const auto& column : columns) table.columns.push_back({column.title, column.width});
        table.rows = positions.size();
        table.each = [&](const PlainTable::Take& take) -> Result<void> {
            for (const Position& position : positions)
                if (const auto done = take(cellsOf(position)); !done) return done;
            return {};
        };
        return writeTable(table, file, progress);
    }
};

} // namespace hw::procurement

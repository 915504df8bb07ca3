// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/procurement/positions.h"

namespace hw::procurement {

Article articleOf(const Figures& figures, const Bom::Line& line)
{
    const ProjectParts& parts = *figures.parts;
    if (const auto type = parts.find(line.part))
        if (const auto* device = std::get_if<DeviceSpec>(&parts[*type].spec)) return {device->manufacturer, device->partNumber};
    return {};
}

void writeCells(lxw_worksheet* sheet, lxw_row_t row, std::span<const PlainTable::Cell> cells, const std::function<lxw_format*(std::size_t)>& format)
{
    for (std::size_t c = 0; c < cells.size(); ++c) {
        if (const auto* text = std::get_if<std::string>(&cells[c]))
            worksheet_write_string(sheet, row, lxw_col_t(c), text->c_str(), nullptr);
        else if (const auto* number = std::get_if<double>(&cells[c]))
            worksheet_write_number(sheet, row, lxw_col_t(c), *number, format(c));
    }
}

Result<void> PositionsExporter::write(const exchange::ExportJob& job, const Progress& progress) const
{
    const auto figures = job.figures();
    if (!figures) return tl::unexpected(figures.error());
    if (const auto made = (*figures)->prepare<BomNode>(progress); !made) return made;
    return writeList(**figures, makeBom(**figures), job.output, progress);
}

} // namespace hw::procurement

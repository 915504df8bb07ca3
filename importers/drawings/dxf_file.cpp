// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/drawings/dxf_file.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace hw::drawings {

namespace {

/// Handles of what every drawing has.
enum Fixed : std::uint64_t {
    kVports = 0x1,
    kLineTypes,
    kLayers,
    kStyles,
    kViews,
    kUcs,
    kAppIds,
    kDimStyles,
    kRecords,
    kVport = 0x10,
    kByBlock,
    kByLayer,
    kContinuous,
    kDashed,
    kCenter,
    kStandardStyle,
    kAcad,
    kStandardDims,
    kHallDims,
    kRoot = 0x20,
    kGroups,
    kLayouts,
    kPlotStyles,
    kNormalPlot,
    kPlotSettings
};

void group(std::string& out, int code, std::string_view value) { out += fmt::format("{:3}\n{}\n", code, value); }
void number(std::string& out, int code, double value) { group(out, code, dxfNumber(value)); }
void whole(std::string& out, int code, std::int64_t value) { group(out, code, fmt::format("{}", value)); }
void handle(std::string& out, int code, std::uint64_t value) { group(out, code, fmt::format("{:X}", value)); }

void beginSection(std::string& out, std::string_view name) { group(out, 0, "SECTION"), group(out, 2, name); }
void endSection(std::string& out) { group(out, 0, "ENDSEC"); }

void beginTable(std::string& out, std::string_view name, std::uint64_t own, std::size_t count)
{
    group(out, 0, "TABLE"), group(out, 2, name), handle(out, 5, own), handle(out, 330, 0);
    group(out, 100, "AcDbSymbolTable"), whole(out, 70, std::int64_t(count));
}
void endTable(std::string& out) { group(out, 0, "ENDTAB"); }

void beginRecord(std::string& out, std::string_view kind, std::uint64_t own, std::uint64_t table, std::string_view marker, std::string_view name)
{
    group(out, 0, kind), handle(out, kind == "DIMSTYLE" ? 105 : 5, own), handle(out, 330, table);
    group(out, 100, "AcDbSymbolTableRecord"), group(out, 100, marker), group(out, 2, name);
}

void lineType(std::string& out, std::uint64_t own, std::string_view name, std::string_view shown, const std::vector<double>& dashes)
{
    beginRecord(out, "LTYPE", own, kLineTypes, "AcDbLinetypeTableRecord", name);
    double length = 0;
    for (const double dash : dashes) length += std::abs(dash);
    whole(out, 70, 0), group(out, 3, shown), whole(out, 72, 65), whole(out, 73, std::int64_t(dashes.size())), number(out, 40, length);
    for (const double dash : dashes) number(out, 49, dash), whole(out, 74, 0);
}

void dimStyle(std::string& out, std::uint64_t own, std::string_view name, double textHeight)
{
    beginRecord(out, "DIMSTYLE", own, kDimStyles, "AcDbDimStyleTableRecord", name);
    whole(out, 70, 0);
    number(out, 40, 1), number(out, 41, textHeight * 0.6), number(out, 42, textHeight / 2), number(out, 44, textHeight / 2);
    number(out, 140, textHeight), number(out, 147, textHeight / 3), number(out, 142, textHeight / 3);
    whole(out, 73, 0), whole(out, 74, 0), whole(out, 77, 1), whole(out, 271, 0), whole(out, 277, 2);
    handle(out, 340, kStandardStyle);
}

std::string capitals(std::string name)
{
    std::ranges::transform(name, name.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
    return name;
}

std::string spaceName(std::size_t sheet) { return sheet == 0 ? "*Paper_Space" : fmt::format("*Paper_Space{}", sheet - 1); }

} // namespace

DxfFile::DxfFile()
{
    m_modelBlock = newBlock("*Model_Space", false, true);
    m_model = m_modelBlock.space.get();
}

DxfFile::Block DxfFile::newBlock(std::string name, bool paper, bool layout)
{
    Block block{std::move(name), m_handles.next(), m_handles.next(), m_handles.next(), layout ? m_handles.next() : 0, nullptr};
    block.space = std::unique_ptr<DxfSpace>(new DxfSpace(*this, block.record, paper));
    return block;
}

void DxfFile::layer(DxfLayer layer)
{
    const std::string name = layer.name;
    if (m_layers.try_emplace(name, std::move(layer)).second) m_layerHandles[name] = m_handles.next();
}

DxfSpace* DxfFile::block(const std::string& name)
{
    if (!m_blockNames.emplace(capitals(name), m_blocks.size()).second) return nullptr;
    m_blocks.push_back(newBlock(name, false, false));
    return m_blocks.back().space.get();
}

std::string DxfFile::dimensionBlock() { return fmt::format("*D{}", ++m_dimensions); }

DxfSpace& DxfFile::sheet(const std::string& name, double width, double height)
{
    const std::string plain = dxfName(name);
    std::string own = plain;
    const auto taken = [&] {
        return capitals(own) == "MODEL" || std::ranges::any_of(m_sheets, [&](const Sheet& s) { return capitals(s.name) == capitals(own); });
    };
    for (int n = 2; taken(); ++n) own = fmt::format("{} ({})", plain, n);
    const auto viewport = m_handles.next();
    m_sheets.push_back({own, width, height, newBlock(spaceName(m_sheets.size()), true, true), viewport});
    return *m_sheets.back().block.space;
}

void DxfFile::header(std::string& out) const
{
    beginSection(out, "HEADER");
    const auto variable = [&](std::string_view name) { group(out, 9, name); };
    variable("$ACADVER"), group(out, 1, "AC1021");
    variable("$DWGCODEPAGE"), group(out, 3, "ANSI_1252");
    variable("$INSBASE"), number(out, 10, 0), number(out, 20, 0), number(out, 30, 0);
    variable("$EXTMIN"), number(out, 10, m_low.x), number(out, 20, m_low.y), number(out, 30, 0);
    variable("$EXTMAX"), number(out, 10, m_high.x), number(out, 20, m_high.y), number(out, 30, 0);
    variable("$LIMMIN"), number(out, 10, m_low.x), number(out, 20, m_low.y);
    variable("$LIMMAX"), number(out, 10, m_high.x), number(out, 20, m_high.y);
    variable("$LTSCALE"), number(out, 40, 50);
    variable("$CLAYER"), group(out, 8, "0");
    variable("$DIMSTYLE"), group(out, 2, "HALL");
    variable("$LUNITS"), whole(out, 70, 2);
    variable("$LUPREC"), whole(out, 70, 0);
    variable("$TILEMODE"), whole(out, 70, 1);
    variable("$PSLTSCALE"), whole(out, 70, 1);
    variable("$MEASUREMENT"), whole(out, 70, 1);
    variable("$INSUNITS"), whole(out, 70, 4);
    variable("$HANDSEED"), handle(out, 5, m_handles.seed());
    endSection(out);
    beginSection(out, "CLASSES");
    constexpr std::array<std::array<std::string_view, 2>, 3> kClasses{
        {{"ACDBDICTIONARYWDFLT", "AcDbDictionaryWithDefault"}, {"ACDBPLACEHOLDER", "AcDbPlaceHolder"}, {"LAYOUT", "AcDbLayout"}}};
    for (const auto& [kind, marker] : kClasses) {
        group(out, 0, "CLASS"), group(out, 1, kind), group(out, 2, marker), group(out, 3, "ObjectDBX Classes");
        whole(out, 90, 0), whole(out, 91, 1), whole(out, 280, 0), whole(out, 281, 0);
    }
    endSection(out);
}

void DxfFile::tables(std::string& out) const
{
    beginSection(out, "TABLES");
    beginTable(out, "VPORT", kVports, 1);
    beginRecord(out, "VPORT", kVport, kVports, "AcDbViewportTableRecord", "*Active");
    const double width = std::max(1.0, m_high.x - m_low.x), height = std::max(1.0, m_high.y - m_low.y);
    whole(out, 70, 0);
    number(out, 10, 0), number(out, 20, 0), number(out, 11, 1), number(out, 21, 1);
    number(out, 12, (m_low.x + m_high.x) / 2), number(out, 22, (m_low.y + m_high.y) / 2);
    number(out, 13, 0), number(out, 23, 0), number(out, 14, 10), number(out, 24, 10), number(out, 15, 10), number(out, 25, 10);
    number(out, 16, 0), number(out, 26, 0), number(out, 36, 1), number(out, 17, 0), number(out, 27, 0), number(out, 37, 0);
    number(out, 40, std::max(height, width / 1.6) * 1.05), number(out, 41, 1.6), number(out, 42, 50), number(out, 43, 0), number(out, 44, 0);
    number(out, 50, 0), number(out, 51, 0), whole(out, 71, 0), whole(out, 72, 1000), whole(out, 73, 1), whole(out, 74, 3);
    whole(out, 75, 0), whole(out, 76, 0), whole(out, 77, 0), whole(out, 78, 0);
    endTable(out);

    beginTable(out, "LTYPE", kLineTypes, 5);
    lineType(out, kByBlock, "ByBlock", "", {});
    lineType(out, kByLayer, "ByLayer", "", {});
    lineType(out, kContinuous, "Continuous", "Solid", {});
    lineType(out, kDashed, "DASHED", "__ __ __ __", {12, -6});
    lineType(out, kCenter, "CENTER", "____ _ ____ _", {32, -6, 6, -6});
    endTable(out);

    beginTable(out, "LAYER", kLayers, m_layers.size() + 1);
    const auto layer = [&](const DxfLayer& l, std::uint64_t own) {
        beginRecord(out, "LAYER", own, kLayers, "AcDbLayerTableRecord", l.name);
        whole(out, 70, 0), whole(out, 62, l.color), group(out, 6, l.lineType);
        if (!l.plots) whole(out, 290, 0);
        whole(out, 370, l.weight), handle(out, 390, kNormalPlot);
    };
    layer({"0"}, 0x30);
    for (const auto& [name, l] : m_layers)
        if (name != "0") layer(l, m_layerHandles.find(name)->second);
    endTable(out);

    beginTable(out, "STYLE", kStyles, 1);
    beginRecord(out, "STYLE", kStandardStyle, kStyles, "AcDbTextStyleTableRecord", "Standard");
    whole(out, 70, 0), number(out, 40, 0), number(out, 41, 1), number(out, 50, 0), whole(out, 71, 0), number(out, 42, 2.5);
    group(out, 3, "arial.ttf"), group(out, 4, "");
    endTable(out);
    beginTable(out, "VIEW", kViews, 0), endTable(out);
    beginTable(out, "UCS", kUcs, 0), endTable(out);
    beginTable(out, "APPID", kAppIds, 1);
    beginRecord(out, "APPID", kAcad, kAppIds, "AcDbRegAppTableRecord", "ACAD");
    whole(out, 70, 0);
    endTable(out);
    beginTable(out, "DIMSTYLE", kDimStyles, 2);
    group(out, 100, "AcDbDimStyleTable"), whole(out, 71, 0);
    dimStyle(out, kStandardDims, "Standard", 2.5);
    dimStyle(out, kHallDims, "HALL", 250);
    endTable(out);

    beginTable(out, "BLOCK_RECORD", kRecords, 1 + m_sheets.size() + m_blocks.size());
    const auto record = [&](const Block& block) {
        beginRecord(out, "BLOCK_RECORD", block.record, kRecords, "AcDbBlockTableRecord", block.name);
        handle(out, 340, block.layout), whole(out, 70, 4), whole(out, 280, 1), whole(out, 281, 0); // mm
    };
    record(m_modelBlock);
    for (const Sheet& sheet : m_sheets) record(sheet.block);
    for (const Block& block : m_blocks) record(block);
    endTable(out);
    endSection(out);
}

void DxfFile::blockText(std::string& out, const Block& block, bool paper, std::string_view content) const
{
    const auto common = [&](std::string_view kind, std::uint64_t own, std::string_view marker) {
        group(out, 0, kind), handle(out, 5, own), handle(out, 330, block.record), group(out, 100, "AcDbEntity");
        if (paper) whole(out, 67, 1);
        group(out, 8, "0"), group(out, 100, marker);
    };
    common("BLOCK", block.begin, "AcDbBlockBegin");
    group(out, 2, block.name);
    whole(out, 70, (block.space->m_attributes ? 2 : 0) | (block.name.starts_with("*D") ? 1 : 0));
    number(out, 10, 0), number(out, 20, 0), number(out, 30, 0), group(out, 3, block.name), group(out, 1, "");
    out += content;
    common("ENDBLK", block.end, "AcDbBlockEnd");
}

std::string DxfFile::ownViewport(const Sheet& sheet) const
{
    std::string out;
    group(out, 0, "VIEWPORT"), handle(out, 5, sheet.own), handle(out, 330, sheet.block.record), group(out, 100, "AcDbEntity");
    whole(out, 67, 1), group(out, 8, "0"), group(out, 100, "AcDbViewport");
    number(out, 10, sheet.width / 2), number(out, 20, sheet.height / 2), number(out, 30, 0);
    number(out, 40, sheet.width * 1.05), number(out, 41, sheet.height * 1.05), whole(out, 68, 1), whole(out, 69, 1);
    number(out, 12, sheet.width / 2), number(out, 22, sheet.height / 2);
    number(out, 13, 0), number(out, 23, 0), number(out, 14, 10), number(out, 24, 10), number(out, 15, 10), number(out, 25, 10);
    number(out, 16, 0), number(out, 26, 0), number(out, 36, 1), number(out, 17, 0), number(out, 27, 0), number(out, 37, 0);
    number(out, 42, 50), number(out, 43, 0), number(out, 44, 0), number(out, 45, sheet.height * 1.05), number(out, 50, 0), number(out, 51, 0);
    whole(out, 72, 1000), whole(out, 90, 0x8000 | 0x60), group(out, 1, ""), whole(out, 281, 0), whole(out, 71, 1), whole(out, 74, 0);
    for (const int axis : {110, 111, 112}) number(out, axis, axis == 111), number(out, axis + 10, axis == 112), number(out, axis + 20, 0);
    whole(out, 79, 0), number(out, 146, 0);
    return out;
}

void DxfFile::blocks(std::string& out) const
{
    beginSection(out, "BLOCKS");
    blockText(out, m_modelBlock, false, {});
    for (const Sheet& sheet : m_sheets) { // the first one's content is in the section of entities
        const bool first = &sheet == &m_sheets.front();
        blockText(out, sheet.block, true, first ? std::string() : ownViewport(sheet) + sheet.block.space->m_text);
    }
    for (const Block& block : m_blocks) blockText(out, block, false, block.space->m_text);
    endSection(out);
}

void DxfFile::entities(std::string& out) const
{
    beginSection(out, "ENTITIES");
    out += m_model->m_text;
    if (!m_sheets.empty()) out += ownViewport(m_sheets.front()) + m_sheets.front().block.space->m_text;
    endSection(out);
}

void DxfFile::objects(std::string& out) const
{
    beginSection(out, "OBJECTS");
    const auto dictionary = [&](std::uint64_t own, std::uint64_t owner, const std::vector<std::pair<std::string, std::uint64_t>>& entries) {
        group(out, 0, "DICTIONARY"), handle(out, 5, own), handle(out, 330, owner), group(out, 100, "AcDbDictionary"), whole(out, 281, 1);
        for (const auto& [name, value] : entries) group(out, 3, name), handle(out, 350, value);
    };
    dictionary(kRoot, 0,
               {{"ACAD_GROUP", kGroups}, {"ACAD_LAYOUT", kLayouts}, {"ACAD_PLOTSETTINGS", kPlotSettings}, {"ACAD_PLOTSTYLENAME", kPlotStyles}});
    dictionary(kGroups, kRoot, {});
    std::vector<std::pair<std::string, std::uint64_t>> layouts{{"Model", m_modelBlock.layout}};
    for (const Sheet& sheet : m_sheets) layouts.emplace_back(sheet.name, sheet.block.layout);
    dictionary(kLayouts, kRoot, layouts);
    dictionary(kPlotSettings, kRoot, {});
    group(out, 0, "ACDBDICTIONARYWDFLT"), handle(out, 5, kPlotStyles), handle(out, 330, kRoot), group(out, 100, "AcDbDictionary");
    whole(out, 281, 1), group(out, 3, "Normal"), handle(out, 350, kNormalPlot);
    group(out, 100, "AcDbDictionaryWithDefault"), handle(out, 340, kNormalPlot);
    group(out, 0, "ACDBPLACEHOLDER"), handle(out, 5, kNormalPlot), handle(out, 330, kPlotStyles);
    const auto layout = [&](const std::string& name, const Block& block, std::size_t tab, double width, double height, std::uint64_t viewport) {
        group(out, 0, "LAYOUT"), handle(out, 5, block.layout), handle(out, 330, kLayouts), group(out, 100, "AcDbPlotSettings");
        const bool model = tab == 0;
        group(out, 1, ""), group(out, 2, "none_device");
        group(out, 4, model ? "" : fmt::format("ISO_full_bleed_{}_({:.2f}_x_{:.2f}_MM)", width > 500 ? "A1" : "A3", width, height)),
            group(out, 6, "");
        for (const int code : {40, 41, 42, 43}) number(out, code, 0);
        number(out, 44, width), number(out, 45, height);
        for (const int code : {46, 47, 48, 49, 140, 141}) number(out, code, 0);
        number(out, 142, 1), number(out, 143, 1), whole(out, 70, model ? 1712 : 688), whole(out, 72, 1), whole(out, 73, 0), whole(out, 74, 5);
        group(out, 7, ""), whole(out, 75, 16), number(out, 147, 1), number(out, 148, 0), number(out, 149, 0);
        group(out, 100, "AcDbLayout"), group(out, 1, name), whole(out, 70, 1), whole(out, 71, std::int64_t(tab));
        number(out, 10, 0), number(out, 20, 0), number(out, 11, width), number(out, 21, height);
        number(out, 12, 0), number(out, 22, 0), number(out, 32, 0);
        number(out, 14, model ? m_low.x : 0), number(out, 24, model ? m_low.y : 0), number(out, 34, 0);
        number(out, 15, model ? m_high.x : width), number(out, 25, model ? m_high.y : height), number(out, 35, 0);
        number(out, 146, 0), number(out, 13, 0), number(out, 23, 0), number(out, 33, 0);
        number(out, 16, 1), number(out, 26, 0), number(out, 36, 0), number(out, 17, 0), number(out, 27, 1), number(out, 37, 0);
        whole(out, 76, 0), handle(out, 330, block.record);
        if (viewport != 0) handle(out, 331, viewport);
    };
    layout("Model", m_modelBlock, 0, 420, 297, 0);
    for (std::size_t i = 0; i < m_sheets.size(); ++i)
        layout(m_sheets[i].name, m_sheets[i].block, i + 1, m_sheets[i].width, m_sheets[i].height, m_sheets[i].own);
    endSection(out);
}

std::string DxfFile::text() const
{
    std::string out;
    header(out), tables(out), blocks(out), entities(out), objects(out);
    group(out, 0, "EOF");
    return out;
}

} // namespace hw::drawings

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/files/workbook_reader.h"

#include "core/foundation/base/trim.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <pugixml.hpp>
#include <zip.h>

namespace hw {

namespace {

constexpr std::size_t kLargestPart = std::size_t(256) << 20, kMostCells = 4'000'000, kMostColumns = 16'384, kMostRows = 1'048'576;

struct ZipClose {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};

tl::unexpected<Error> damaged(const std::string& file, Text what)
{
    return fail(ErrorCode::Unreadable, file, std::move(what), i18n("save it again as .xlsx, or the sheet as CSV (UTF-8)"));
}

/// The parts of a workbook by name.
class Package {
public:
    static Result<Package> open(std::string_view bytes, const std::string& file)
    {
        Package package(file);
        zip_error_t error;
        zip_error_init(&error);
        zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
        zip_t* archive = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
        if (!archive && source) zip_source_free(source);
        zip_error_fini(&error);
        if (!archive) return damaged(file, i18n("is a damaged Excel workbook"));
        package.m_archive.reset(archive);
        return package;
    }

    /// Nothing: it is missing, damaged or too large.
    [[nodiscard]] std::optional<std::string> part(const std::string& name) const
    {
        const zip_int64_t index = zip_name_locate(m_archive.get(), name.c_str(), 0);
        zip_stat_t stat;
        if (index < 0 || zip_stat_index(m_archive.get(), zip_uint64_t(index), 0, &stat) != 0 || !(stat.valid & ZIP_STAT_SIZE)) return std::nullopt;
        if (stat.size > kLargestPart) return std::nullopt;
        zip_file_t* in = zip_fopen_index(m_archive.get(), zip_uint64_t(index), 0);
        if (!in) return std::nullopt;
        std::string content(stat.size, '\0');
        const zip_int64_t read = zip_fread(in, content.data(), stat.size);
        const bool whole = zip_fclose(in) == 0 && read == zip_int64_t(stat.size);
        return whole ? std::optional(std::move(content)) : std::nullopt;
    }

private:
    explicit Package(const std::string& file) : m_file(file) {}
    std::string m_file;
    std::unique_ptr<zip_t, ZipClose> m_archive;
};

/// Without the prefix of a namespace.
std::string_view localName(const pugi::xml_node& node)
{
    const std::string_view name = node.name();
    const auto colon = name.find(':');
    return colon == name.npos ? name : name.substr(colon + 1);
}

/// Calls f for every child of a local name.
void eachChild(const pugi::xml_node& node, std::string_view name, const auto& f)
{
    for (const pugi::xml_node child : node.children())
        if (localName(child) == name) f(child);
}

pugi::xml_node childOf(const pugi::xml_node& node, std::string_view name)
{
    for (const pugi::xml_node child : node.children())
        if (localName(child) == name) return child;
    return {};
}

std::string attributeOf(const pugi::xml_node& node, std::string_view name)
{
    for (const pugi::xml_attribute each : node.attributes()) {
        const std::string_view own = each.name();
        const auto colon = own.find(':');
        if ((colon == own.npos ? own : own.substr(colon + 1)) == name) return each.value();
    }
    return {};
}

/// All text of a string item, without how it is pronounced.
std::string stringOf(const pugi::xml_node& item)
{
    std::string text;
    for (const pugi::xml_node child : item.children()) {
        if (localName(child) == "t") text += child.text().get();
        if (localName(child) == "r") text += stringOf(child);
    }
    return text;
}

std::optional<std::vector<std::string>> sharedStrings(const Package& package)
{
    std::vector<std::string> all;
    const auto part = package.part("xl/sharedStrings.xml");
    if (!part) return all;
    pugi::xml_document document;
    if (!document.load_buffer(part->data(), part->size(), pugi::parse_default | pugi::parse_ws_pcdata_single)) return std::nullopt;
    eachChild(document.document_element(), "si", [&](const pugi::xml_node& item) { all.push_back(stringOf(item)); });
    return all;
}

std::string numberText(const char* text)
{
    double value = 0;
    const std::string_view given = trimmed(text);
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
    if (error != std::errc() || end != given.data() + given.size() || !(std::abs(value) < 1e15)) return std::string(given);
    if (value == std::floor(value)) return fmt::format("{:.0f}", value);
    std::string out = fmt::format("{:.6f}", value);
    while (out.ends_with('0')) out.pop_back();
    if (out.size() - out.find('.') == 4) out += '0';
    return out;
}

/// "BC12": column 54, row 11. Nothing: not a cell.
std::optional<std::pair<std::size_t, std::size_t>> cellAt(std::string_view reference)
{
    std::size_t column = 0, at = 0, row = 0;
    for (; at < reference.size() && reference[at] >= 'A' && reference[at] <= 'Z' && column <= kMostColumns; ++at)
        column = column * 26 + std::size_t(reference[at] - 'A') + 1;
    const auto [end, error] = std::from_chars(reference.data() + at, reference.data() + reference.size(), row);
    if (error != std::errc() || end != reference.data() + reference.size() || column == 0 || row == 0) return std::nullopt;
    if (column > kMostColumns || row > kMostRows) return std::nullopt;
    return std::pair(column - 1, row - 1);
}

std::string valueOf(const pugi::xml_node& cell, const std::vector<std::string>& shared)
{
    const std::string type = attributeOf(cell, "t");
    const char* value = childOf(cell, "v").text().get();
    if (type == "inlineStr") return stringOf(childOf(cell, "is"));
    if (type == "s") {
        std::size_t index = 0;
        const std::string_view text = value;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
        return error == std::errc() && end == text.data() + text.size() && index < shared.size() ? shared[index] : std::string();
    }
    if (type == "b") return std::string_view(value) == "1" ? "TRUE" : "FALSE"; // no text
    if (type == "e") return {};
    return type == "str" || type == "d" ? std::string(value) : numberText(value);
}

Result<SheetText> readSheet(const std::string& content, const std::string& name, const std::vector<std::string>& shared, const std::string& file)
{
    SheetText sheet{name, {}};
    pugi::xml_document document;
    if (!document.load_buffer(content.data(), content.size(), pugi::parse_default | pugi::parse_ws_pcdata_single))
        return damaged(file, i18n("sheet {} of the workbook is damaged", name));
    std::size_t row = 0, cells = 0;
    bool fits = true;
    eachChild(childOf(document.document_element(), "sheetData"), "row", [&](const pugi::xml_node& line) {
        std::size_t column = 0;
        if (const std::size_t stated = line.attribute("r").as_uint(); stated > row && stated <= kMostRows) row = stated - 1;
        eachChild(line, "c", [&](const pugi::xml_node& cell) {
            if (const auto at = cellAt(attributeOf(cell, "r"))) column = at->first;
            std::string value = valueOf(cell, shared);
            fits = fits && ++cells <= kMostCells && column < kMostColumns && row < kMostRows;
            if (!fits) return;
            if (!value.empty()) {
                if (sheet.rows.size() <= row) sheet.rows.resize(row + 1);
                if (sheet.rows[row].size() <= column) sheet.rows[row].resize(column + 1);
                sheet.rows[row][column] = std::move(value);
            }
            ++column;
        });
        ++row;
    });
    if (!fits) return damaged(file, i18n("sheet {} has more than {} cells", name, kMostCells));
    return sheet;
}

} // namespace

std::string SheetText::text() const
{
    std::string out;
    std::size_t columns = 0;
    for (const auto& row : rows) columns = std::max(columns, row.size());
    for (const auto& row : rows) {
        for (std::size_t c = 0; c < columns; ++c) { // all rows are as long, so that the first one tells what separates them
            if (c > 0) out += '\t';
            std::string cell = c < row.size() ? row[c] : std::string();
            for (char& ch : cell)
                if (ch == '\t' || ch == '\n' || ch == '\r') ch = ' ';
            if (cell.find('"') == std::string::npos) {
                out += cell;
                continue;
            }
            out += '"';
            for (const char ch : cell) out += ch == '"' ? std::string("\"\"") : std::string(1, ch);
            out += '"';
        }
        out += '\n';
    }
    return out;
}

bool isWorkbook(std::string_view bytes)
{
    return bytes.starts_with("PK\x03\x04") && (bytes.find("xl/") != bytes.npos || bytes.find("[Content_Types].xml") != bytes.npos);
}

Result<std::vector<SheetText>> readWorkbook(std::string_view bytes, const std::string& file)
{
    if (bytes.starts_with("\xD0\xCF\x11\xE0")) return damaged(file, i18n("is an encrypted or Excel 97–2003 workbook"));
    const auto package = Package::open(bytes, file);
    if (!package) return tl::unexpected(package.error());
    const auto book = package->part("xl/workbook.xml"), relations = package->part("xl/_rels/workbook.xml.rels");
    pugi::xml_document document, links;
    if (!book || !relations || !document.load_buffer(book->data(), book->size()) || !links.load_buffer(relations->data(), relations->size()))
        return damaged(file, i18n("is not an Excel workbook, or is damaged"));
    std::map<std::string, std::string> targets;
    eachChild(links.document_element(), "Relationship",
              [&](const pugi::xml_node& link) { targets[attributeOf(link, "Id")] = attributeOf(link, "Target"); });
    const auto shared = sharedStrings(*package);
    if (!shared) return damaged(file, i18n("the texts of the workbook are damaged"));
    std::vector<std::pair<std::string, std::string>> wanted; // name, relation
    eachChild(childOf(document.document_element(), "sheets"), "sheet", [&](const pugi::xml_node& sheet) {
        const std::string state = attributeOf(sheet, "state");
        if (state.empty() || state == "visible") wanted.emplace_back(attributeOf(sheet, "name"), attributeOf(sheet, "id"));
    });
    std::vector<SheetText> sheets;
    for (const auto& [name, relation] : wanted) {
        const auto target = targets.find(relation);
        if (target == targets.end()) return damaged(file, i18n("sheet {} of the workbook is missing", name));
        const std::string path = target->second.starts_with('/') ? target->second.substr(1) : "xl/" + target->second;
        if (path.find("chartsheet") != std::string::npos) continue;
        const auto content = package->part(path);
        if (!content) return damaged(file, i18n("sheet {} of the workbook is missing, damaged or too large", name));
        auto sheet = readSheet(*content, name, *shared, file);
        if (!sheet) return tl::unexpected(sheet.error());
        sheets.push_back(std::move(*sheet));
    }
    return sheets;
}

std::string dateOfSerial(long days)
{
    if (days < 32'874 || days > 73'050) return {}; // 1990-01-01 to 2099-12-31
    using namespace std::chrono;
    const year_month_day day{sys_days{year{1899} / December / 30} + std::chrono::days(days)};
    return fmt::format("{:04}-{:02}-{:02}", int(day.year()), unsigned(day.month()), unsigned(day.day()));
}

} // namespace hw

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/file_kind.h"

#include "core/foundation/base/gunzip.h"
#include "core/foundation/base/text_encoding.h"
#include "core/foundation/base/trim.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <vector>

namespace hw {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kHead = std::size_t(64) << 10, kLargest = std::size_t(1) << 30;

std::string endingOf(const std::filesystem::path& path)
{
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return ending;
}

std::string inSmallLetters(std::string_view text)
{
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return out;
}

std::optional<FileKind> office(const std::filesystem::path& path, std::string_view content)
{
    const std::string ending = endingOf(path);
    const Text sheet = i18n("save the sheet as CSV (UTF-8)");
    if (content.starts_with("PK\x03\x04"sv)) {
        if (content.find("xl/") != content.npos || ending == ".xlsx" || ending == ".xlsm")
            return FileKind{i18n("is an Excel workbook"), sheet, "prices"};
        if (content.find("opendocument.spreadsheet") != content.npos) return FileKind{i18n("is an OpenDocument spreadsheet"), sheet};
        if (content.find("word/") != content.npos || ending == ".docx")
            return FileKind{i18n("is a Word document"), i18n("copy its table into a spreadsheet and save it as CSV (UTF-8)")};
        return FileKind{i18n("is a ZIP archive"), i18n("unpack it and specify the file inside")};
    }
    if (content.starts_with("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv)) {
        if (ending == ".rvt" || ending == ".rfa")
            return FileKind{i18n("is a Revit model"), i18n("export it as IFC, then: import ifc; or the floor plan as DXF, then: import dxf")};
        return FileKind{i18n("is an Office 97–2003 workbook or document"), sheet};
    }
    return std::nullopt;
}

std::optional<FileKind> binaryKind(const std::filesystem::path& path, std::string_view content)
{
    const Text asDxf = i18n("save or convert it as DXF (ASCII, R2000 or later), then: import dxf");
    if (content.size() > 6 && content.starts_with("AC10") && std::isdigit(static_cast<unsigned char>(content[4])))
        return FileKind{i18n("is an AutoCAD DWG drawing"), asDxf};
    if (content.starts_with("AutoCAD Binary DXF")) return FileKind{i18n("is a binary DXF drawing"), asDxf};
    if (content.starts_with("%PDF-")) return FileKind{i18n("is a PDF document"), i18n("request the data as CSV, YAML, JSON or DXF")};
    if (auto kind = office(path, content)) return kind;
    if (content.starts_with("SQLite format 3\0"sv)) { // no text
        if (endingOf(path) == ".hall") return FileKind{i18n("is a Hallwright project file"), i18n("use it where the command expects FILE.hall")};
        return FileKind{i18n("is an SQLite database"), i18n("export its tables as CSV")};
    }
    for (const auto magic : {"\x89PNG"sv, "\xFF\xD8\xFF"sv, "GIF8"sv, "II*\0"sv, "MM\0*"sv})
        if (content.starts_with(magic)) return FileKind{i18n("is an image"), i18n("request the drawing as DXF, or the data as CSV")};
    for (const auto magic : {"\xD4\xC3\xB2\xA1"sv, "\xA1\xB2\xC3\xD4"sv, "\x4D\x3C\xB2\xA1"sv, "\x0A\x0D\x0D\x0A"sv})
        if (content.starts_with(magic))
            return FileKind{i18n("is a packet capture"), i18n("export the neighbors instead: lldpcli show neighbors -f json0")};
    if (content.starts_with("glTF") || content.starts_with("PXR-USDC"))
        return FileKind{i18n("is a 3D scene (glTF or OpenUSD)"), i18n("export the floor plan as DXF, then: import dxf")};
    if (content.starts_with("PAR1")) return FileKind{i18n("is a Parquet file"), i18n("export it as CSV or JSON")};
    if (content.starts_with("\x89HDF")) return FileKind{i18n("is an HDF5 file"), i18n("export it as CSV or JSON")};
    for (const auto& [magic, name] : {std::pair("\x1F\x8B"sv, "gzip"), std::pair("\x28\xB5\x2F\xFD"sv, "zstd"), std::pair("BZh"sv, "bzip2"),
                                      std::pair("\xFD"
                                                "7zXZ"sv,
                                                "xz"),
                                      std::pair("7z\xBC\xAF"sv, "7-Zip"), std::pair("Rar!"sv, "RAR")})
        if (content.starts_with(magic)) return FileKind{i18n("is compressed ({})", std::string(name)), i18n("unpack it and specify the file inside")};
    if (content.size() > 262 && content.substr(257, 5) == "ustar")
        return FileKind{i18n("is a tar archive"), i18n("unpack it and specify the files inside")};
    return std::nullopt;
}

std::vector<std::string_view> firstLines(std::string_view content, std::size_t most)
{
    std::vector<std::string_view> lines;
    while (!content.empty() && lines.size() < most) {
        const auto end = std::min(content.find('\n'), content.size());
        lines.push_back(content.substr(0, end));
        if (lines.back().ends_with('\r')) lines.back().remove_suffix(1);
        content.remove_prefix(std::min(end + 1, content.size()));
    }
    return lines;
}

/// Fixed columns of 80: the section's letter in column 73, then a number.
bool isIges(const std::vector<std::string_view>& lines)
{
    if (lines.size() < 2) return false;
    return std::ranges::all_of(lines.begin(), lines.begin() + 2, [](std::string_view line) {
        return line.size() == 80 && (line[72] == 'S' || line[72] == 'G') && line.substr(73).find_first_not_of(" 0123456789") == line.npos;
    });
}

/// Keys at the left margin of a YAML document.
std::set<std::string> topKeys(const std::vector<std::string_view>& lines)
{
    std::set<std::string> keys;
    for (const auto line : lines) {
        const auto colon = line.find(':');
        if (line.empty() || colon == line.npos || line[0] == ' ' || line[0] == '-' || line[0] == '#' || line[0] == '{' || line[0] == '"') continue;
        keys.emplace(line.substr(0, colon));
    }
    return keys;
}

std::optional<FileKind> netboxKind(const std::filesystem::path& path, const std::vector<std::string_view>& lines)
{
    if (const std::string ending = endingOf(path); ending == ".yaml" || ending == ".yml") {
        const auto keys = topKeys(lines);
        const auto has = [&](const char* key) { return keys.contains(key); };
        if (has("manufacturer") && has("model") && !has("slug") && !has("u_height") && !has("form_factor") && !has("kind"))
            return FileKind{i18n("is a NetBox module type: a module inside a device"),
                            i18n("add its interfaces and power ports to the device type that contains it, and import that")};
    }
    if (lines.empty()) return std::nullopt;
    const std::string head = "," + inSmallLetters(lines.front()) + ",";
    const auto column = [&](const char* name) { return head.find("," + std::string(name) + ",") != head.npos; };
    const Text devices = i18n("import types (netbox, YAML) and cables (netbox-cables); create devices with a template or with 'add' edits");
    if (column("name") && (column("device_type") || column("device type") || column("type")) && column("rack") && column("role")) // no text
        return FileKind{i18n("is a NetBox list of devices"), devices};
    if (column("device") && column("name") && column("type") && (column("mgmt_only") || column("enabled")))
        return FileKind{i18n("is a NetBox list of interfaces"), devices};
    return std::nullopt;
}

std::optional<FileKind> textKind(const std::filesystem::path& path, std::string_view content)
{
    if (isIges(firstLines(content, 2)))
        return FileKind{i18n("is an IGES drawing"), i18n("save or convert it as DXF (ASCII, R2000 or later), then: import dxf")};
    content = trimmed(content);
    if (content.starts_with("\xEF\xBB\xBF")) content.remove_prefix(3);
    const auto lines = firstLines(content, 4000);
    if (lines.empty()) return std::nullopt;
    if (lines.front().starts_with("ISO-10303-21")) {
        if (content.find("IFC") != content.npos)
            return FileKind{i18n("is an IFC building model"), i18n("import its rooms into a project: import ifc FILE --into PROJECT.hall"), "ifc"};
        return FileKind{i18n("is a STEP model"), i18n("export the floor plan as DXF, then: import dxf")};
    }
    const auto section = [&](const char* name) {
        return std::ranges::any_of(lines, [&](std::string_view line) { return inSmallLetters(trimmed(line)) == name; });
    };
    if (section("[conduits]") || section("[subcatchments]")) return FileKind{i18n("is an EPA SWMM model"), i18n("sewer models are not supported")};
    if (section("[junctions]") || section("[pipes]") || section("[reservoirs]"))
        return FileKind{i18n("is an EPANET network"), i18n("solve it: hydraulics FILE.inp; or import epanet FILE.inp"), "epanet"};
    const std::string start = inSmallLetters(content.substr(0, 512));
    if (start.starts_with("<!doctype html") || start.starts_with("<html")) // no text
        return FileKind{i18n("is a web page, possibly a login page instead of the data"),
                        i18n("download the data itself, with a token or after signing in")};
    if (start.find("<svg") != start.npos) return FileKind{i18n("is an SVG image"), i18n("request the drawing as DXF")};
    if (start.starts_with("<?xml")) return FileKind{i18n("is an XML file"), i18n("export the data as CSV, JSON or DXF")};
    if (content.starts_with("#usda")) return FileKind{i18n("is an OpenUSD scene"), i18n("export the floor plan as DXF, then: import dxf")};
    if (lines.size() > 3 && (trimmed(lines[0]) == "0" || trimmed(lines[0]) == "999") &&
        std::ranges::any_of(lines.begin(), lines.begin() + std::ptrdiff_t(std::min<std::size_t>(lines.size(), 40)),
                            [](std::string_view line) { return trimmed(line) == "SECTION"; }))
        return FileKind{i18n("is a DXF drawing"), i18n("import it into a project: import dxf FILE --into PROJECT.hall"), "dxf"};
    return netboxKind(path, lines);
}

std::string headOf(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    std::string head(kHead, '\0');
    in.read(head.data(), std::streamsize(head.size()));
    head.resize(std::size_t(std::max<std::streamsize>(in.gcount(), 0)));
    return head;
}

} // namespace

std::optional<FileKind> fileKindOf(const std::filesystem::path& path, std::string_view content)
{
    const std::string_view head = content.substr(0, kHead);
    if (auto kind = binaryKind(path, head)) return kind;
    return textKind(path, head);
}

std::filesystem::path fileOf(const std::string& where)
{
    const auto isFile = [](const std::string& name) {
        std::error_code error;
        return !name.empty() && std::filesystem::is_regular_file(name, error);
    };
    for (std::size_t end = where.size(); end > 0; --end)
        if ((end == where.size() || where[end] == ':' || where[end] == ' ') && isFile(where.substr(0, end))) return where.substr(0, end);
    return {};
}

Error explainedByFile(Error error, std::string_view format)
{
    if (error.code != ErrorCode::Unreadable && error.code != ErrorCode::Refused) return error;
    const auto file = fileOf(error.where);
    if (file.empty()) return error;
    const auto kind = fileKindOf(file, decodeUtf16(headOf(file)));
    const bool own = endingOf(file) == ".hall" || (kind && !kind->format.empty() && kind->format == format);
    if (!kind || own || error.what == kind->what) return error;
    return {error.code, file.string(), kind->what, kind->todo};
}

Result<std::string> readTextFile(const std::filesystem::path& path)
{
    const auto refuse = [&](Text what, Text todo) { return fail(ErrorCode::Unreadable, path.string(), std::move(what), std::move(todo)); };
    const Text check = i18n("check the path and its permissions");
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) return refuse(i18n("is a folder"), i18n("specify a file"));
    std::ifstream in(path, std::ios::binary);
    if (!in) return refuse(i18n("cannot be read: {}", std::strerror(errno)), check);
    std::string content;
    std::vector<char> buffer(std::size_t(1) << 20);
    while (in && content.size() <= kLargest) {
        in.read(buffer.data(), std::streamsize(buffer.size()));
        content.append(buffer.data(), std::size_t(std::max<std::streamsize>(in.gcount(), 0)));
    }
    if (in.bad()) return refuse(i18n("cannot be read: {}", std::strerror(errno)), check);
    if (content.size() > kLargest) return refuse(i18n("is larger than 1 GiB"), i18n("split it"));
    if (isGzip(content)) {
        auto text = gunzipped(content, kLargest);
        if (!text) return refuse(i18n("is a damaged gzip file, or larger than 1 GiB"), i18n("copy it again"));
        content = std::move(*text);
    }
    if (const auto kind = binaryKind(path, std::string_view(content).substr(0, kHead))) return refuse(kind->what, kind->todo);
    if (content.starts_with("\xEF\xBB\xBF")) content.erase(0, 3);
    return decodeUtf16(std::move(content));
}

} // namespace hw

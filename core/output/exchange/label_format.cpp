// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exchange/label_format.h"

#include "core/foundation/catalog/entity.h"
#include "core/foundation/files/atomic_file.h"
#include "core/foundation/files/csv.h"
#include "core/output/exchange/cable_work.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace hw::exchange {

namespace {

/// What a label printer has to know.
struct LabelSheet {
    double dotsPerMm = 8;               ///< 203 dpi
    double widthMm = 50, heightMm = 25; ///< of one label (assumed)
};

/// Text of a ZPL field after ^FH: '_' begins two hexadecimal digits.
std::string zplText(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c == '^' || c == '~' || c == '_' || c == '\\' || static_cast<unsigned char>(c) < ' ')
            out += fmt::format("_{:02X}", static_cast<unsigned char>(c));
        else
            out += c;
    }
    return out;
}

/// One label: its lines, then the whole text as a QR code below or beside them.
std::string zplLabel(const LabelSheet& sheet, const std::array<std::string, 3>& lines, const std::string& whole)
{
    const auto dots = [&](double mm) { return int(std::lround(mm * sheet.dotsPerMm)); };
    const int width = dots(sheet.widthMm), height = dots(sheet.heightMm), margin = dots(2);
    constexpr int kModules = 37; // of a QR code of version 5, which holds 84 characters
    const int module = std::clamp((height - 2 * margin) / kModules, 1, 10);
    const int code = module * kModules, left = margin + code + margin;
    std::size_t longest = 1;
    for (const auto& line : lines) longest = std::max(longest, line.size());
    // Font 0 is about 0.55 as wide as it is high (assumed); three lines with half a line between.
    const int byWidth = int(double(width - left - margin) / (0.55 * double(longest))), byHeight = (height - 2 * margin) * 2 / 9;
    const int font = std::max(dots(1), std::min({byWidth, byHeight, dots(3.5)}));
    std::string out = fmt::format("^XA^CI28^PW{}^LL{}", width, height);
    int y = margin;
    for (const auto& line : lines) {
        if (line.empty()) continue;
        out += fmt::format("^FO{},{}^A0N,{},{}^FH^FD{}^FS", left, y, font, font, zplText(line));
        y += font * 3 / 2;
    }
    return out + fmt::format("^FO{},{}^BQN,2,{}^FH^FDQA,{}^FS^PQ1^XZ\n", margin, margin, module, zplText(whole));
}

bool realNumber(std::string_view text, double& value)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

Result<LabelSheet> sheetOf(const ExportJob& job)
{
    LabelSheet sheet;
    if (const std::string text = job.option("dots-per-mm"); !text.empty()) {
        if (!realNumber(text, sheet.dotsPerMm) || !(sheet.dotsPerMm >= 4 && sheet.dotsPerMm <= 48))
            return fail(ErrorCode::Usage, "--dots-per-mm " + text, i18n("out of range"), i18n("use 8 (203 dpi), 11.8 (300 dpi) or 23.6 (600 dpi)"));
    }
    if (const std::string text = job.option("size"); !text.empty()) {
        const auto cross = text.find('x');
        const bool read = cross != text.npos && realNumber(std::string_view(text).substr(0, cross), sheet.widthMm) &&
                          realNumber(std::string_view(text).substr(cross + 1), sheet.heightMm);
        if (!read || !(sheet.widthMm >= 15 && sheet.widthMm <= 300 && sheet.heightMm >= 8 && sheet.heightMm <= 300))
            return fail(ErrorCode::Usage, "--size " + text, i18n("not a label size from 15x8 to 300x300 mm"), i18n("use the form {}", "50x25"));
    }
    return sheet;
}

class LabelExporter final : public Exporter {
public:
    FormatInfo info() const override
    {
        return {"labels", i18n("labels for both ends of every cable and leg; .csv, .xlsx, or ZPL for label printers")};
    }
    bool oneFile() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<FormatOption> options() const override
    {
        return {{"format", "table|zpl|csv", i18n("table (default), ZPL for a label printer, or a list with line1, line2 and qr for label software")},
                {"dots-per-mm", "N", i18n("resolution of the label printer for ZPL: 8 (default), 11.8 or 23.6")},
                {"size", "WxH", i18n("label size for ZPL in mm (default: 50x25)")}};
    }
    Result<void> write(const ExportJob& job, const Progress& progress) const override
    {
        const std::string format = job.option("format");
        if (!format.empty() && format != "table" && format != "zpl" && format != "csv")
            return fail(ErrorCode::Usage, "--format " + format, i18n("unknown label format"),
                        i18n("choose from {}", listedNames(std::array{"table", "zpl", "csv"})));
        for (const char* option : {"dots-per-mm", "size"})
            if (format != "zpl" && !job.option(option).empty())
                return fail(ErrorCode::Usage, fmt::format("--{}", option), i18n("applies to ZPL only"), i18n("omit it, or use --format zpl"));
        const auto sheet = sheetOf(job);
        if (!sheet) return tl::unexpected(sheet.error());
        const auto made = job.figures();
        if (!made) return tl::unexpected(made.error());
        const Figures& f = **made;
        if (const auto done = f.prepare<CablingNode>(progress); !done) return done;
        if (format.empty() || format == "table") return writeTable(labelTable(f), job.output, progress);
        std::string out = format == "csv" ? "\xEF\xBB\xBFline1,line2,qr\r\n" : "";
        const CableLabels labels(*f.snapshot);
        std::size_t rows = 0;
        const auto written = forEachLabel(f, [&](const LabelRow& row) -> Result<void> {
            if (++rows % kRowsBetweenLooks == 0 && progress.stopRequested()) return fail(ErrorCode::Canceled, job.output.string(), i18n("canceled"));
            for (const auto& [near, far] : {std::pair(&row.from, &row.to), std::pair(&row.to, &row.from)}) {
                const auto [first, second] = labels.lines(row.cable, *near, *far);
                const std::string whole = labels.of(row.cable, *near, *far);
                if (format == "zpl") {
                    out += zplLabel(*sheet, {first, second, entityName(*f.snapshot, *f.parts, ref(row.cable))}, whole);
                    continue;
                }
                appendCsv(out, first), out += ',';
                appendCsv(out, second), out += ',';
                appendCsv(out, whole), out += "\r\n";
            }
            return {};
        });
        return written ? writeFile(job.output, out) : written;
    }
};

} // namespace

std::unique_ptr<Exporter> labelExporter() { return std::make_unique<LabelExporter>(); }

} // namespace hw::exchange

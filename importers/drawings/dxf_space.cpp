// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/drawings/dxf_space.h"

#include "core/foundation/base/text_encoding.h"
#include "importers/drawings/dxf_file.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::drawings {

namespace {

/// Calls f(code point, bytes) for every character of a text; broken bytes are question marks.
void eachCharacter(std::string_view text, const auto& f)
{
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF8 ? 4 : 0;
        char32_t c = lead < 0x80 ? lead : lead & (0x7F >> length);
        bool whole = length > 0 && i + length <= text.size();
        for (std::size_t k = 1; whole && k < length; ++k) {
            const auto next = static_cast<unsigned char>(text[i + k]);
            whole = (next & 0xC0) == 0x80;
            c = c << 6 | (next & 0x3F);
        }
        f(whole ? c : U'?');
        i += whole ? length : 1;
    }
}

/// A letter's width over its height, on average (assumed; programs set texts themselves).
constexpr double kTextWidth = 0.75;

} // namespace

std::string dxfText(std::string_view utf8)
{
    std::string out;
    bool percent = false;
    eachCharacter(utf8, [&](char32_t c) {
        if (c < 0x20 || c == 0x7F) c = ' ';
        if (c == '%' && percent) out += "%%%%"; // "%%" begins a code, "%%%" is a percent sign
        percent = c == '%';
        appendUtf8(out, c);
        if (c == '^') out += ' '; // "^J" is a control character
    });
    return out;
}

std::string dxfName(std::string_view utf8)
{
    constexpr std::string_view kRefused = "<>/\\\":;?*|,=`^";
    std::string out;
    std::size_t characters = 0;
    eachCharacter(utf8, [&](char32_t c) {
        if (++characters > 200) return; // 255 at most
        const bool bad = c < 0x20 || c == 0x7F || (c < 0x80 && kRefused.find(char(c)) != std::string_view::npos);
        appendUtf8(out, bad ? U'_' : c);
    });
    while (out.starts_with(' ')) out.erase(0, 1);
    while (out.ends_with(' ')) out.pop_back();
    return out.empty() ? "_" : out;
}

std::string dxfNumber(double value)
{
    if (!std::isfinite(value)) return "0.0";
    std::string out = fmt::format("{:.6f}", value);
    while (out.ends_with('0') && !out.ends_with(".0")) out.pop_back();
    return out == "-0.0" ? "0.0" : out;
}

void DxfSpace::put(int code, std::string_view value) { m_text += fmt::format("{:3}\n{}\n", code, value); }
void DxfSpace::put(int code, double value) { put(code, dxfNumber(value)); }
void DxfSpace::put(int code, std::int64_t value) { put(code, fmt::format("{}", value)); }
void DxfSpace::put(int code, At at) { put(code, at.x), put(code + 10, at.y), put(code + 20, 0.0); }

void DxfSpace::begin(std::string_view kind, const std::string& layer, std::string_view marker)
{
    begin(kind, layer, marker, m_file->m_handles.next(), m_owner);
}

void DxfSpace::begin(std::string_view kind, const std::string& layer, std::string_view marker, std::uint64_t handle, std::uint64_t owner)
{
    put(0, kind);
    put(5, fmt::format("{:X}", handle));
    put(330, fmt::format("{:X}", owner));
    put(100, "AcDbEntity");
    if (m_paper) put(67, std::int64_t(1));
    put(8, layer);
    put(100, marker);
}

void DxfSpace::line(const std::string& layer, At a, At b)
{
    begin("LINE", layer, "AcDbLine");
    put(10, a), put(11, b);
}

void DxfSpace::polyline(const std::string& layer, const std::vector<At>& points, bool closed, double width)
{
    if (points.size() < 2) return;
    begin("LWPOLYLINE", layer, "AcDbPolyline");
    put(90, std::int64_t(points.size()));
    put(70, std::int64_t(closed ? 1 : 0));
    if (width > 0) put(43, width);
    for (const At p : points) put(10, p.x), put(20, p.y);
}

void DxfSpace::circle(const std::string& layer, At center, double radius)
{
    begin("CIRCLE", layer, "AcDbCircle");
    put(10, center), put(40, radius);
}

void DxfSpace::filled(const std::string& layer, At low, At high)
{
    begin("SOLID", layer, "AcDbTrace");
    put(10, low), put(11, At{high.x, low.y}), put(12, At{low.x, high.y}), put(13, high); // the last two cross
}

void DxfSpace::triangle(const std::string& layer, At a, At b, At c)
{
    begin("SOLID", layer, "AcDbTrace");
    put(10, a), put(11, b), put(12, c), put(13, c);
}

/// Place, height, value, angle, style and how it is set, but for what is upright: that follows another marker.
void DxfSpace::writing(const Writing& w)
{
    const bool set = w.across != Across::Left || w.upright != Upright::Base;
    At start = w.at; // the left end of the base line, for programs that do not set texts themselves
    if (set) {
        std::size_t characters = 0;
        eachCharacter(w.text, [&](char32_t) { ++characters; });
        const double turn = w.angle * 3.14159265358979323846 / 180, wide = double(characters) * w.height * kTextWidth;
        const double back = w.across == Across::Left     ? 0
                            : w.across == Across::Middle ? wide / 2
                                                         : wide,
                     down = w.upright == Upright::Base     ? 0
                            : w.upright == Upright::Middle ? w.height / 2
                                                           : w.height;
        start = {w.at.x - back * std::cos(turn) + down * std::sin(turn), w.at.y - back * std::sin(turn) - down * std::cos(turn)};
    }
    put(10, start), put(40, w.height), put(1, dxfText(w.text));
    if (w.angle != 0) put(50, w.angle);
    put(7, "Standard");
    if (set) put(72, std::int64_t(w.across)), put(11, w.at);
}

void DxfSpace::write(const std::string& layer, const Writing& w)
{
    if (w.text.empty()) return;
    begin("TEXT", layer, "AcDbText");
    writing(w);
    put(100, "AcDbText");
    const auto upright = w.upright == Upright::Base ? 0 : w.upright == Upright::Middle ? 2 : 3;
    if (upright != 0) put(73, std::int64_t(upright));
}

void DxfSpace::attribute(const std::string& layer, const Attribute& a, bool definition, std::uint64_t owner)
{
    begin(definition ? "ATTDEF" : "ATTRIB", layer, "AcDbText", m_file->m_handles.next(), owner);
    writing(a.writing);
    put(100, definition ? "AcDbAttributeDefinition" : "AcDbAttribute");
    if (definition) put(3, dxfText(a.prompt.empty() ? a.tag : a.prompt));
    put(2, a.tag);
    put(70, std::int64_t(a.hidden ? 1 : 0));
    const auto upright = a.writing.upright == Upright::Base ? 0 : a.writing.upright == Upright::Middle ? 2 : 3;
    if (upright != 0) put(74, std::int64_t(upright));
}

void DxfSpace::define(const std::string& layer, const Attribute& a)
{
    m_attributes = true;
    attribute(layer, a, true, m_owner);
}

void DxfSpace::insert(const std::string& layer, const Insertion& in)
{
    const auto own = m_file->m_handles.next();
    begin("INSERT", layer, "AcDbBlockReference", own, m_owner);
    if (!in.attributes.empty()) put(66, std::int64_t(1));
    put(2, in.block), put(10, in.at);
    if (in.scale != 1) put(41, in.scale), put(42, in.scale), put(43, in.scale);
    if (in.angle != 0) put(50, in.angle);
    if (in.attributes.empty()) return;
    for (const Attribute& a : in.attributes) attribute(a.layer.empty() ? layer : a.layer, a, false, own);
    put(0, "SEQEND");
    put(5, fmt::format("{:X}", m_file->m_handles.next()));
    put(330, fmt::format("{:X}", own));
    put(100, "AcDbEntity");
    if (m_paper) put(67, std::int64_t(1));
    put(8, layer);
}

void DxfSpace::dimension(const std::string& layer, At a, At b, At line, bool upright, double textHeight)
{
    const double from = upright ? std::min(a.y, b.y) : std::min(a.x, b.x), to = upright ? std::max(a.y, b.y) : std::max(a.x, b.x);
    if (to - from < 1) return;
    const auto at = [&](double along, double aside) { return upright ? At{line.x + aside, along} : At{along, line.y + aside}; };
    const std::string name = m_file->dimensionBlock();
    DxfSpace& drawn = *m_file->block(name);
    const At start = at(from, 0), end = at(to, 0);
    drawn.line("0", start, end);
    for (const At measured : {a, b}) { // from what is measured to beyond the line
        const double along = upright ? measured.y : measured.x, aside = upright ? measured.x - line.x : measured.y - line.y;
        const double sign = aside < 0 ? -1 : 1;
        if (std::abs(aside) > textHeight / 2) drawn.line("0", at(along, aside - sign * textHeight / 2), at(along, -sign * textHeight / 2));
    }
    for (const double along : {from, to}) { // ticks
        const At middle = at(along, 0);
        const double half = textHeight / 3;
        drawn.line("0", {middle.x - half, middle.y - half}, {middle.x + half, middle.y + half});
    }
    const double above = textHeight / 3;
    const At text = upright ? At{line.x - above, (from + to) / 2} : At{(from + to) / 2, line.y + above};
    drawn.write("0", {fmt::format("{:.0f}", to - from), text, textHeight, upright ? 90.0 : 0.0, Across::Middle, Upright::Base});

    begin("DIMENSION", layer, "AcDbDimension");
    put(2, name);
    put(10, end), put(11, text);
    put(70, std::int64_t(32)); // turned, with a block of its own
    put(71, std::int64_t(8));  // the text's point is its lower middle
    put(42, to - from);
    put(3, "HALL");
    put(100, "AcDbAlignedDimension");
    put(13, a), put(14, b);
    if (upright) put(50, 90.0);
    put(100, "AcDbRotatedDimension");
}

void DxfSpace::viewport(const std::string& layer, const Viewport& v)
{
    begin("VIEWPORT", layer, "AcDbViewport");
    const int number = ++m_viewports;
    put(10, v.middle), put(40, v.width), put(41, v.height);
    put(68, std::int64_t(number)), put(69, std::int64_t(number));
    put(12, v.sees.x), put(22, v.sees.y);
    put(13, 0.0), put(23, 0.0), put(14, 10.0), put(24, 10.0), put(15, 10.0), put(25, 10.0);
    put(16, 0.0), put(26, 0.0), put(36, 1.0);
    put(17, At{});
    put(42, 50.0), put(43, 0.0), put(44, 0.0);
    put(45, v.height * v.scale); // of the model that is seen
    put(50, 0.0), put(51, 0.0), put(72, std::int64_t(1000));
    put(90, std::int64_t(0x8000 | 0x4000 | 0x60)); // on, its scale locked
    put(1, "");
    put(281, std::int64_t(0)), put(71, std::int64_t(1)), put(74, std::int64_t(0));
    put(110, At{}), put(111, 1.0), put(121, 0.0), put(131, 0.0), put(112, 0.0), put(122, 1.0), put(132, 0.0);
    put(79, std::int64_t(0)), put(146, 0.0);
}

} // namespace hw::drawings

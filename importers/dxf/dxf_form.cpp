// SPDX-License-Identifier: GPL-3.0-or-later
// dxflib reads what it can and says nothing of the rest. So the form of a file is checked first, with its lines; what dxflib does not read of
// what is drawn goes to it as polylines.
#include "importers/dxf/curves.h"

#include "core/foundation/base/text_encoding.h"
#include "core/foundation/base/trim.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace hw::importers::dxf {

namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF"; ///< with which some write UTF-8
constexpr std::size_t kLongestValue = 1000;        ///< dxflib reads lines up to 1024 characters

template <class T>
std::optional<T> number(std::string_view text)
{
    text = trimmed(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return value;
}

/// As $DWGCODEPAGE names them, and as iconv does.
struct CodePage {
    std::string_view name, charset;
};
constexpr auto kCodePages = std::to_array<CodePage>(
    {{"ascii", "CP1252"},      {"8859_1", "ISO-8859-1"}, {"8859_2", "ISO-8859-2"}, {"8859_3", "ISO-8859-3"},   {"8859_4", "ISO-8859-4"},
     {"8859_5", "ISO-8859-5"}, {"8859_6", "ISO-8859-6"}, {"8859_7", "ISO-8859-7"}, {"8859_8", "ISO-8859-8"},   {"8859_9", "ISO-8859-9"},
     {"dos437", "CP437"},      {"dos850", "CP850"},      {"dos852", "CP852"},      {"dos855", "CP855"},        {"dos857", "CP857"},
     {"dos860", "CP860"},      {"dos861", "CP861"},      {"dos863", "CP863"},      {"dos864", "CP864"},        {"dos865", "CP865"},
     {"dos866", "CP866"},      {"dos869", "CP869"},      {"dos932", "CP932"},      {"mac-roman", "MACINTOSH"}, {"big5", "BIG5"},
     {"ksc5601", "CP949"},     {"johab", "JOHAB"},       {"gb2312", "GB18030"},    {"ansi_932", "CP932"},      {"ansi_936", "GB18030"},
     {"ansi_949", "CP949"},    {"ansi_950", "BIG5"},     {"ansi_1361", "JOHAB"},   {"utf-8", "UTF-8"},         {"utf8", "UTF-8"}});
/// \M+nXXXX: a character of the n-th of these.
constexpr std::array<std::string_view, 5> kMultibyte = {"CP932", "BIG5", "CP949", "JOHAB", "GB18030"};
constexpr int kUtf8Since = 1021; ///< AC1021 is AutoCAD 2007

std::string charsetNamed(std::string_view page)
{
    std::string lower;
    for (const char c : trimmed(page)) lower += c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    for (const CodePage& known : kCodePages)
        if (known.name == lower) return std::string(known.charset);
    if (lower.starts_with("ansi_") && lower.find_first_not_of("0123456789", 5) == std::string::npos && lower.size() < 10)
        return "CP" + lower.substr(5);
    return {};
}

/// A character in three bytes, as all of Chinese, Japanese and Korean have in UTF-8.
bool hasLongCharacter(std::string_view text)
{
    return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0xE0; });
}

/// Names as they are written in the file: in UTF-8 since AutoCAD 2007, before in the code page that it states; others as \U+58D9 or \M+5B5BA.
class NameReader {
public:
    void page(std::string_view said) { m_page = trimmed(said), m_charset = charsetNamed(said); }
    void version(std::string_view said)
    {
        said = trimmed(said);
        if (said.starts_with("AC")) m_version = number<int>(said.substr(2)).value_or(0);
    }
    /// `all`: the whole file, by which it is decided whether it is UTF-8.
    [[nodiscard]] std::string read(std::string_view text, std::string_view all)
    {
        const bool plain = std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
        std::string out = plain ? std::string(text) : decoded(text, all);
        return out.find('\\') == std::string::npos ? out : unescaped(out);
    }
    /// What of it had to be assumed; empty: nothing.
    [[nodiscard]] Text doubt() const
    {
        if (!m_guessed) return {};
        if (m_page.empty()) return i18n("no code page in the drawing: names are read as Windows-1252");
        return i18n("names are not valid in code page {} of the drawing: they are read as Windows-1252", m_page);
    }

private:
    std::string decoded(std::string_view text, std::string_view all)
    {
        if (!m_utf8) {
            // Two bytes of an Asian code page can be one character in UTF-8, three hardly.
            const bool asian = m_charset == "GB18030" || m_charset == "BIG5" || m_charset == "CP932" || m_charset == "CP949" || m_charset == "JOHAB";
            m_utf8 = isUtf8(all) && (m_version >= kUtf8Since || !asian || hasLongCharacter(all));
        }
        if (*m_utf8 && isUtf8(text)) return std::string(text);
        if (!m_charset.empty())
            if (auto read = toUtf8(text, m_charset)) return *read;
        m_guessed = true;
        if (auto read = toUtf8(text, "CP1252")) return *read;
        std::string out; // CP1252 has five holes
        for (const char c : text) appendUtf8(out, static_cast<unsigned char>(c));
        return out;
    }

    static std::string unescaped(std::string_view text)
    {
        std::string out;
        while (!text.empty()) {
            const auto digits = [&](std::size_t from, std::size_t count) -> std::optional<std::uint32_t> {
                std::uint32_t value = 0;
                if (text.size() < from + count) return std::nullopt;
                const auto read = std::from_chars(text.data() + from, text.data() + from + count, value, 16);
                return read.ec == std::errc() && read.ptr == text.data() + from + count ? std::optional(value) : std::nullopt;
            };
            if (const auto c = text.starts_with("\\U+") ? digits(3, 4) : std::nullopt; c && (*c < 0xD800 || *c > 0xDFFF) && *c >= 0x20) {
                appendUtf8(out, *c);
                text.remove_prefix(7);
                continue;
            }
            if (const auto c = text.starts_with("\\M+") && text.size() > 3 && text[3] >= '1' && text[3] <= '5' ? digits(4, 4) : std::nullopt) {
                const char bytes[2] = {char(*c >> 8), char(*c & 0xFF)};
                if (const auto read = toUtf8({bytes, 2}, std::string(kMultibyte[std::size_t(text[3] - '1')]))) {
                    out += *read;
                    text.remove_prefix(8);
                    continue;
                }
            }
            out += text.front();
            text.remove_prefix(1);
        }
        return out;
    }

    std::string m_page, m_charset;
    int m_version = 0;
    std::optional<bool> m_utf8;
    bool m_guessed = false;
};

class FormChecker {
public:
    explicit FormChecker(const exchange::ImportSource& source) : m_file(source.path.string()), m_text(source.content) {}

    Result<Checked> run()
    {
        if (auto wrong = refuseForeign()) return tl::unexpected(*wrong);
        while (!m_ended && m_at < m_text.size()) {
            const std::size_t line = m_line + 1;
            const auto code = number<int>(nextLine());
            if (!code || *code < -5 || *code > 1071) return broken(line, i18n("invalid DXF group code"));
            if (m_at >= m_text.size() && !m_lastLineEnded) return broken(m_line, i18n("file ends in the middle of a group"));
            const std::string_view value = nextLine();
            if (auto wrong = group(*code, value, line)) return tl::unexpected(*wrong);
        }
        if (!m_ended) return broken(m_line, i18n("end marker (EOF) is missing: the file is incomplete"));
        if (!m_entities) return broken(m_line, i18n("contains no entities"));
        m_out.doubt = m_names.doubt();
        return std::move(m_out);
    }

private:
    tl::unexpected<Error> broken(std::size_t line, Text what)
    {
        return fail(ErrorCode::Unreadable, fmt::format("{}:{}", m_file, line), std::move(what),
                    i18n("save the drawing again as ASCII DXF (R12 to 2018)"));
    }

    std::optional<Error> refuseForeign()
    {
        const auto foreign = [&](Text what) { return Error{ErrorCode::Unreadable, m_file + ":1", std::move(what), i18n("save it as ASCII DXF")}; };
        if (m_text.empty()) return foreign(i18n("empty"));
        if (m_text.starts_with("AutoCAD Binary DXF")) return foreign(i18n("is a binary DXF file"));
        if (m_text.starts_with("AC10")) return foreign(i18n("is a DWG file"));
        if (m_text.find('\0') != std::string::npos) return foreign(i18n("is not a text file"));
        if (!looksLikeDrawing(m_text)) return foreign(i18n("is not a DXF drawing"));
        return std::nullopt;
    }

    std::string_view nextLine()
    {
        const auto end = m_text.find('\n', m_at);
        m_lastLineEnded = end != std::string::npos;
        const std::string_view line = std::string_view(m_text).substr(m_at, m_lastLineEnded ? end - m_at : std::string::npos);
        m_at = m_lastLineEnded ? end + 1 : m_text.size();
        ++m_line;
        return line;
    }

    std::optional<Error> group(int code, std::string_view value, std::size_t line)
    {
        const auto wrong = [&](std::size_t at, Text what) { return broken(at, std::move(what)).value(); };
        const bool real = (code >= 10 && code <= 59) || (code >= 140 && code <= 149) || (code >= 210 && code <= 239),
                   whole = (code >= 60 && code <= 79) || (code >= 90 && code <= 99);
        if (m_keep && real && !number<double>(value)) return wrong(line + 1, i18n("not a number: '{}'", trimmed(value)));
        if (m_keep && whole && !number<long long>(value)) return wrong(line + 1, i18n("not a whole number: '{}'", trimmed(value)));
        if (code == 999) return std::nullopt;
        if (code == 0) return begin(trimmed(value), line);
        if (m_section.empty() && code == 2) {
            m_section = trimmed(value);
            m_entities = m_entities || m_section == "ENTITIES";
            m_keep = m_section == "ENTITIES" || m_section == "BLOCKS";
            if (m_keep) put(0, "SECTION"), put(2, m_section);
            m_kind.clear();
            return std::nullopt;
        }
        if (m_section == "HEADER") return header(code, value, line);
        if (m_section == "TABLES") return layer(code, value), std::nullopt;
        if (m_kind == "LWPOLYLINE") {
            if (code == 10) ++m_corners;
            if (code == 90) m_cornersSaid = number<long long>(value);
        }
        if (m_keep && !m_kind.empty() && code < 1000) m_groups.emplace_back(code, isName(code) ? name(value) : std::string(trimmed(value)));
        return std::nullopt;
    }

    [[nodiscard]] bool isName(int code) const { return code == 2 || code == 8 || (code == 1 && m_kind == "ATTRIB"); }
    std::string name(std::string_view value) { return m_names.read(trimmed(value), m_text); }

    /// Of the table of layers: the name comes first.
    void layer(int code, std::string_view value)
    {
        if (m_kind != "LAYER") return;
        if (code == 2) m_layer = name(value);
        const auto whole = number<long long>(value);
        if (code == 70 && whole && (*whole & 1) != 0) m_out.hiddenLayers[m_layer] = true;
        if (code == 62 && whole && *whole < 0) m_out.hiddenLayers.try_emplace(m_layer, false);
    }

    std::optional<Error> header(int code, std::string_view value, std::size_t line)
    {
        if (code == 9) m_variable = trimmed(value);
        if (code == 1 && m_variable == "$ACADVER") m_names.version(value);
        if (code == 3 && m_variable == "$DWGCODEPAGE") m_names.page(value);
        if (code != 70 || m_variable != "$INSUNITS") return std::nullopt;
        const auto units = number<int>(value);
        if (!units) return broken(line + 1, i18n("not a whole number: '{}'", trimmed(value))).value();
        m_out.units = *units;
        return std::nullopt;
    }

    /// A new section, entity or end.
    std::optional<Error> begin(std::string_view what, std::size_t line)
    {
        if (m_kind == "LWPOLYLINE" && m_cornersSaid && *m_cornersSaid != m_corners)
            return broken(m_kindLine, i18n("polyline declares {} vertices but has {}", *m_cornersSaid, m_corners)).value();
        flush();
        if (what != "VERTEX" && what != "SEQEND") endSequence();
        if (what == "EOF") {
            if (!m_section.empty()) return broken(line, i18n("file ends inside section {}", m_section)).value();
            put(0, "EOF");
            m_ended = true;
        } else if (what == "SECTION") {
            if (!m_section.empty()) return broken(line, i18n("section nested inside section {}", m_section)).value();
        } else if (what == "ENDSEC") {
            if (m_section.empty()) return broken(line, i18n("end of a section that was not started")).value();
            if (keptSection()) put(0, "ENDSEC");
            m_section.clear(), m_kind.clear(), m_keep = false;
        } else if (keptSection()) {
            entity(what, line);
        } else if (m_section == "TABLES") {
            m_kind = what, m_layer.clear();
        }
        return std::nullopt;
    }

    [[nodiscard]] bool keptSection() const { return m_section == "ENTITIES" || m_section == "BLOCKS"; }

    void entity(std::string_view what, std::size_t line)
    {
        static const std::set<std::string_view> kRead = {"LINE", "LWPOLYLINE", "POLYLINE", "VERTEX", "SEQEND", "CIRCLE",
                                                         "ARC",  "INSERT",     "ATTRIB",   "BLOCK",  "ENDBLK"};
        m_keep = kRead.contains(what) || hasPaths(what);
        m_kind = m_keep ? std::string(what) : std::string();
        m_kindLine = line + 1;
        m_corners = 0, m_cornersSaid.reset();
        if (!m_keep && what != "ATTDEF" && what != "VIEWPORT") notRead(what); // these two draw nothing
    }

    void notRead(std::string_view what)
    {
        auto& others = m_out.others[name(what)];
        if (others.count++ == 0) others.line = m_kindLine;
    }

    struct Entity {
        std::string kind;
        Groups groups;
    };

    /// Passes on the entity that has ended.
    void flush()
    {
        if (m_kind.empty() || !keptSection()) return;
        Entity entity{std::exchange(m_kind, {}), std::exchange(m_groups, {})};
        const bool drawn =
            entity.kind != "BLOCK" && entity.kind != "ENDBLK" && entity.kind != "VERTEX" && entity.kind != "SEQEND" && entity.kind != "ATTRIB";
        if (drawn && wholeOf(entity, 60) == 1) return void(++m_out.invisible);
        if (entity.kind == "POLYLINE") {
            m_sequence.push_back(std::move(entity));
        } else if (entity.kind == "VERTEX" && !m_sequence.empty()) {
            m_sequence.push_back(std::move(entity));
        } else if (entity.kind == "SEQEND" && !m_sequence.empty()) {
            m_sequence.push_back(std::move(entity));
            endSequence();
        } else if (entity.kind == "LWPOLYLINE") {
            wide(entity, wideLineOf(entity.groups), [&] { put(entity); });
        } else if (hasPaths(entity.kind)) {
            if (const auto paths = pathsOf(entity.kind, entity.groups))
                for (const Path& path : *paths) put(path, entity.groups, inOwnPlane(entity.kind));
            else
                notRead(entity.kind);
        } else {
            put(entity);
        }
    }

    /// A POLYLINE with its corners: a wide one becomes its edges.
    void endSequence()
    {
        const auto all = std::exchange(m_sequence, {});
        if (all.empty()) return;
        const long long flags = wholeOf(all.front(), 70);
        const auto asItIs = [&] {
            for (const Entity& entity : all) put(entity);
        };
        if ((flags & (8 | 16 | 64)) != 0) return asItIs(); // in space, or a mesh
        Groups line{{70, std::to_string(flags & 1)}};
        for (const Entity& entity : all) {
            const bool corner = entity.kind == "VERTEX";
            if (corner && (wholeOf(entity, 70) & 16) != 0) continue; // of the frame of a curve
            for (const auto& [code, value] : entity.groups) {
                const bool own = code == 10 || code == 20 || code == 40 || code == 41 || code == 42;
                if (corner && own) line.emplace_back(code, value);
                if (!corner && code == 40) line.emplace_back(43, value); // the width of all corners that state none
            }
        }
        wide({"POLYLINE", all.front().groups}, wideLineOf(line), asItIs);
    }

    void wide(const Entity& entity, const WideLine& line, const auto& asItIs)
    {
        const Width width = widthOf(line);
        if (width == Width::Varying) ++m_out.tapered;
        const auto edges = width == Width::Constant ? edgesOf(line) : std::vector<Path>();
        if (edges.empty()) return asItIs();
        for (const Path& path : edges) put(path, entity.groups, true);
    }

    static long long wholeOf(const Entity& entity, int code)
    {
        for (const auto& [own, value] : entity.groups)
            if (own == code) return number<long long>(value).value_or(0);
        return 0;
    }

    void put(const Entity& entity)
    {
        put(0, entity.kind);
        for (const auto& [code, value] : entity.groups) put(code, value);
    }

    /// With the layer, space and, where its points are in it, plane of the entity that it is made of.
    void put(const Path& path, const Groups& groups, bool plane)
    {
        put(0, path.radius > 0 ? "CIRCLE" : "LWPOLYLINE");
        for (const auto& [code, value] : groups)
            if (code == 8 || code == 67 || (plane && (code == 210 || code == 220 || code == 230))) put(code, value);
        if (path.radius > 0) put(40, fmt::format("{:.15g}", path.radius));
        if (path.radius <= 0) put(90, std::to_string(path.points.size())), put(70, path.closed ? "1" : "0");
        for (const Spot p : path.points) put(10, fmt::format("{:.15g}", p.x)), put(20, fmt::format("{:.15g}", p.y));
    }

    void put(int code, std::string_view value) { m_out.readable += fmt::format("{}\n{}\n", code, value.substr(0, kLongestValue)); }

    const std::string m_file;
    const std::string& m_text;
    Checked m_out;
    std::size_t m_at = m_text.starts_with(kMark) ? kMark.size() : 0, m_line = 0, m_kindLine = 0;
    std::string m_section, m_kind, m_variable, m_layer;
    NameReader m_names;
    Groups m_groups;                ///< of the entity that is read
    std::vector<Entity> m_sequence; ///< a POLYLINE with its corners so far
    long long m_corners = 0;
    std::optional<long long> m_cornersSaid;
    bool m_keep = false, m_ended = false, m_entities = false, m_lastLineEnded = true;
};

} // namespace

bool looksLikeDrawing(const std::string& content)
{
    if (content.starts_with("AutoCAD Binary DXF") || content.starts_with("AC10")) return true;
    std::string_view rest = content;
    if (rest.starts_with(kMark)) rest.remove_prefix(kMark.size());
    const auto line = [&] {
        const auto end = rest.find('\n');
        const auto first = trimmed(rest.substr(0, end));
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        return first;
    };
    while (!rest.empty()) {
        const auto code = line(), value = line();
        if (code == "999") continue;
        return code == "0" && value == "SECTION";
    }
    return false;
}

Result<Checked> checkForm(const exchange::ImportSource& source) { return FormChecker(source).run(); }

} // namespace hw::importers::dxf

// SPDX-License-Identifier: GPL-3.0-or-later
// dxflib reads what it can and says nothing of the rest. So the form of a file is checked first, with its lines.
#include "importers/dxf/drawing.h"

#include "core/base/trim.h"

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

bool isUtf8(std::string_view text)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        int more = c < 0x80 ? 0 : c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xF0 && c < 0xF5 ? 3 : -1;
        for (; more > 0; --more)
            if (++i >= text.size() || (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return false;
        if (more < 0) return false;
    }
    return true;
}

/// Names of older files are in a code page; what is no UTF-8 is taken for Latin-1.
std::string nameText(std::string_view text)
{
    if (isUtf8(text)) return std::string(text);
    std::string out;
    for (const char c : text) {
        const auto u = static_cast<unsigned char>(c);
        if (u < 0x80)
            out += c;
        else
            out += char(0xC0 | u >> 6), out += char(0x80 | (u & 0x3F));
    }
    return out;
}

class FormChecker {
public:
    explicit FormChecker(const exchange::ImportSource& source) : m_file(source.path.string()), m_text(source.content) {}

    Result<Checked> run()
    {
        if (auto wrong = refuseForeign()) return tl::unexpected(*wrong);
        while (!m_ended && m_at < m_text.size()) {
            const std::size_t line = m_line + 1;
            const auto code = number<int>(nextLine());
            if (!code || *code < -5 || *code > 1071) return broken(line, i18n("is no group code of a DXF file"));
            if (m_at >= m_text.size() && !m_lastLineEnded) return broken(m_line, i18n("ends in the middle of a group"));
            const std::string_view value = nextLine();
            if (auto wrong = group(*code, value, line)) return tl::unexpected(*wrong);
        }
        if (!m_ended) return broken(m_line, i18n("ends before its end mark (EOF): a part is missing"));
        if (!m_entities) return broken(m_line, i18n("holds no entities"));
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
        if (m_text.empty()) return foreign(i18n("is empty"));
        if (m_text.starts_with("AutoCAD Binary DXF")) return foreign(i18n("is a binary DXF"));
        if (m_text.starts_with("AC10")) return foreign(i18n("is a DWG drawing"));
        if (m_text.find('\0') != std::string::npos) return foreign(i18n("is no text"));
        if (!looksLikeDrawing(m_text)) return foreign(i18n("is no DXF drawing"));
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
        if (m_keep && real && !number<double>(value)) return wrong(line + 1, i18n("is no number: '{}'", trimmed(value)));
        if (m_keep && whole && !number<long long>(value)) return wrong(line + 1, i18n("is no whole number: '{}'", trimmed(value)));
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
        if (m_kind == "LWPOLYLINE") {
            if (code == 10) ++m_corners;
            if (code == 90) m_cornersSaid = number<long long>(value);
        }
        if (m_keep && !m_kind.empty()) put(code, code == 2 || code == 8 ? nameText(trimmed(value)) : std::string(trimmed(value)));
        return std::nullopt;
    }

    std::optional<Error> header(int code, std::string_view value, std::size_t line)
    {
        if (code == 9) m_variable = trimmed(value);
        if (code != 70 || m_variable != "$INSUNITS") return std::nullopt;
        const auto units = number<int>(value);
        if (!units) return broken(line + 1, i18n("is no whole number: '{}'", trimmed(value))).value();
        m_out.units = *units;
        return std::nullopt;
    }

    /// A new section, entity or end.
    std::optional<Error> begin(std::string_view what, std::size_t line)
    {
        if (m_kind == "LWPOLYLINE" && m_cornersSaid && *m_cornersSaid != m_corners)
            return broken(m_kindLine, i18n("is a polyline of {} corners with {}", *m_cornersSaid, m_corners)).value();
        if (what == "EOF") {
            if (!m_section.empty()) return broken(line, i18n("ends inside of section {}", m_section)).value();
            put(0, "EOF");
            m_ended = true;
        } else if (what == "SECTION") {
            if (!m_section.empty()) return broken(line, i18n("is a section inside of section {}", m_section)).value();
        } else if (what == "ENDSEC") {
            if (m_section.empty()) return broken(line, i18n("ends a section that was not begun")).value();
            if (keptSection()) put(0, "ENDSEC");
            m_section.clear(), m_kind.clear(), m_keep = false;
        } else if (keptSection()) {
            entity(what, line);
        }
        return std::nullopt;
    }

    [[nodiscard]] bool keptSection() const { return m_section == "ENTITIES" || m_section == "BLOCKS"; }

    void entity(std::string_view what, std::size_t line)
    {
        static const std::set<std::string_view> kRead = {"LINE",   "LWPOLYLINE", "POLYLINE", "VERTEX", "SEQEND",
                                                         "CIRCLE", "ARC",        "INSERT",   "BLOCK",  "ENDBLK"};
        m_keep = kRead.contains(what);
        m_kind = m_keep ? std::string(what) : std::string();
        m_kindLine = line + 1;
        m_corners = 0, m_cornersSaid.reset();
        if (m_keep) return put(0, what);
        auto& others = m_out.others[nameText(what)];
        if (others.count++ == 0) others.line = line + 1;
    }

    void put(int code, std::string_view value) { m_out.readable += fmt::format("{}\n{}\n", code, value.substr(0, kLongestValue)); }

    const std::string m_file;
    const std::string& m_text;
    Checked m_out;
    std::size_t m_at = m_text.starts_with(kMark) ? kMark.size() : 0, m_line = 0, m_kindLine = 0;
    std::string m_section, m_kind, m_variable;
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

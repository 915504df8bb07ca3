// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/ifc/step_reader.h"

#include "core/foundation/base/text_encoding.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace hw::importers::ifc {

namespace {

constexpr int kDeepest = 40;                         ///< lists in lists
constexpr std::size_t kLooks = std::size_t(1) << 16; ///< instances between looks at the progress

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Past blanks and comments.
std::size_t skipBlanks(std::string_view text, std::size_t at)
{
    for (;;) {
        while (at < text.size() && isBlank(text[at])) ++at;
        if (!text.substr(at).starts_with("/*")) return at;
        const auto end = text.find("*/", at + 2);
        at = end == text.npos ? text.size() : end + 2;
    }
}

/// The end of a statement: its semicolon outside of strings and comments; npos: there is none.
std::size_t endOfStatement(std::string_view text, std::size_t at)
{
    while (at < text.size()) {
        const char c = text[at];
        if (c == ';') return at;
        if (c == '\'' || c == '"') {
            at = text.find(c, at + 1);
            if (at == text.npos) return at;
        } else if (c == '/' && text.substr(at).starts_with("/*")) {
            at = text.find("*/", at + 2);
            if (at == text.npos) return at;
            ++at;
        }
        ++at;
    }
    return text.npos;
}

std::size_t lineOf(std::string_view text, std::size_t at)
{
    return std::size_t(std::count(text.begin(), text.begin() + std::ptrdiff_t(std::min(at, text.size())), '\n')) + 1;
}

/// Reads the attributes of one instance.
class AttributeReader {
public:
    explicit AttributeReader(std::string_view text) : m_text(text) {}

    bool list(std::vector<StepValue>& values, char closing, int depth)
    {
        if (depth > kDeepest) return false;
        m_at = skipBlanks(m_text, m_at);
        if (closed(closing)) return true;
        for (;;) {
            if (!value(values.emplace_back(), depth)) return false;
            m_at = skipBlanks(m_text, m_at);
            if (closed(closing)) return true;
            if (m_at >= m_text.size() || m_text[m_at] != ',') return false;
            ++m_at;
        }
    }

private:
    bool closed(char closing)
    {
        if (closing == 0) return m_at >= m_text.size();
        if (m_at >= m_text.size() || m_text[m_at] != closing) return false;
        ++m_at;
        return true;
    }

    bool value(StepValue& v, int depth)
    {
        m_at = skipBlanks(m_text, m_at);
        if (m_at >= m_text.size()) return false;
        const char c = m_text[m_at];
        switch (c) {
        case '$': ++m_at; return true;
        case '*': v.kind = StepValue::Kind::Derived, ++m_at; return true;
        case '#': return reference(v);
        case '\'': return text(v);
        case '"': return binary(v);
        case '.':
            if (m_at + 1 < m_text.size() && !std::isdigit(static_cast<unsigned char>(m_text[m_at + 1]))) return word(v);
            return number(v);
        case '(': v.kind = StepValue::Kind::List, ++m_at; return list(v.items, ')', depth + 1);
        default: break;
        }
        if (std::isalpha(static_cast<unsigned char>(c))) return typed(v, depth);
        return number(v);
    }

    bool reference(StepValue& v)
    {
        v.kind = StepValue::Kind::Reference;
        const char* end = m_text.data() + m_text.size();
        const auto [after, error] = std::from_chars(m_text.data() + m_at + 1, end, v.reference);
        if (error != std::errc()) return false;
        m_at = std::size_t(after - m_text.data());
        return true;
    }

    bool text(StepValue& v)
    {
        v.kind = StepValue::Kind::Text;
        std::size_t end = m_at + 1;
        for (;; end += 2) {
            end = m_text.find('\'', end);
            if (end == m_text.npos) return false;
            if (end + 1 >= m_text.size() || m_text[end + 1] != '\'') break;
        }
        v.text = stepTextOf(m_text.substr(m_at + 1, end - m_at - 1));
        m_at = end + 1;
        return true;
    }

    bool binary(StepValue& v)
    {
        const auto end = m_text.find('"', m_at + 1);
        if (end == m_text.npos) return false;
        v.kind = StepValue::Kind::Word;
        m_at = end + 1;
        return true;
    }

    bool word(StepValue& v)
    {
        const auto end = m_text.find('.', m_at + 1);
        if (end == m_text.npos) return false;
        v.kind = StepValue::Kind::Word;
        v.text = m_text.substr(m_at + 1, end - m_at - 1);
        m_at = end + 1;
        return true;
    }

    bool number(StepValue& v)
    {
        v.kind = StepValue::Kind::Number;
        std::size_t from = m_at + (m_text[m_at] == '+' ? 1 : 0);
        const char* end = m_text.data() + m_text.size();
        const auto [after, error] = std::from_chars(m_text.data() + from, end, v.number);
        if (error != std::errc() || !std::isfinite(v.number)) return false;
        m_at = std::size_t(after - m_text.data());
        return true;
    }

    bool typed(StepValue& v, int depth)
    {
        std::size_t end = m_at;
        while (end < m_text.size() && (std::isalnum(static_cast<unsigned char>(m_text[end])) || m_text[end] == '_')) ++end;
        v.kind = StepValue::Kind::List;
        v.text = m_text.substr(m_at, end - m_at);
        m_at = skipBlanks(m_text, end);
        if (m_at >= m_text.size() || m_text[m_at] != '(') return false;
        ++m_at;
        return list(v.items, ')', depth + 1);
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

/// Hexadecimal digits as UTF-16 or UTF-32; nothing where they are none.
bool appendWide(std::string& out, std::string_view hex, std::size_t digits)
{
    if (hex.size() % digits != 0) return false;
    std::string made;
    std::uint32_t high = 0;
    for (std::size_t i = 0; i < hex.size(); i += digits) {
        std::uint32_t value = 0;
        const char* end = hex.data() + i + digits;
        if (const auto [after, error] = std::from_chars(hex.data() + i, end, value, 16); error != std::errc() || after != end) return false;
        if (digits == 4 && value >= 0xD800 && value < 0xDC00) {
            high = value;
            continue;
        }
        if (digits == 4 && high != 0 && value >= 0xDC00 && value < 0xE000) value = 0x10000 + ((high - 0xD800) << 10) + (value - 0xDC00);
        high = 0;
        if (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) return false;
        appendUtf8(made, char32_t(value));
    }
    out += made;
    return true;
}

} // namespace

std::string stepTextOf(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const std::string_view rest = text.substr(i);
        if (rest.starts_with("''")) {
            out += '\'', i += 2;
        } else if (rest.starts_with("\\\\")) {
            out += '\\', i += 2;
        } else if (rest.starts_with("\\S\\") && rest.size() > 3) {
            appendUtf8(out, char32_t((static_cast<unsigned char>(rest[3]) & 0x7F) | 0x80)), i += 4;
        } else if (rest.starts_with("\\X\\") && rest.size() > 4 && appendWide(out, rest.substr(3, 2), 2)) {
            i += 5;
        } else if (rest.size() > 4 && (rest.starts_with("\\X2\\") || rest.starts_with("\\X4\\"))) {
            const auto end = rest.find("\\X0\\", 4);
            if (end != rest.npos && appendWide(out, rest.substr(4, end - 4), rest[2] == '2' ? 4 : 8))
                i += end + 4;
            else
                out += rest[0], ++i;
        } else if (rest[0] == '\n' || rest[0] == '\r') {
            ++i; // long lines are broken anywhere
        } else {
            out += rest[0], ++i;
        }
    }
    return isUtf8(out) ? out : toUtf8(out, "WINDOWS-1252").value_or(std::string());
}

Result<StepFile> StepFile::read(std::string_view text, const std::string& file, const Progress& progress)
{
    const auto refuse = [&](std::size_t at, Text what, Text todo) {
        return fail(ErrorCode::Unreadable, file + ":" + std::to_string(lineOf(text, at)), std::move(what), std::move(todo));
    };
    const Text again = i18n("export or copy it again");
    std::size_t at = skipBlanks(text, 0);
    if (!text.substr(at).starts_with("ISO-10303-21")) return refuse(at, i18n("not an IFC file (ISO 10303-21)"), i18n("export it as IFC4 (.ifc)"));
    StepFile step;
    bool data = false, ended = false;
    for (std::size_t count = 0;; ++count) {
        if (count % kLooks == 0 && progress.stopRequested()) return fail(ErrorCode::Canceled, file, i18n("stopped"));
        at = skipBlanks(text, at);
        if (at >= text.size()) break;
        const auto end = endOfStatement(text, at);
        if (end == text.npos) return refuse(at, i18n("is truncated within a statement"), again);
        const std::string_view statement = text.substr(at, end - at);
        const std::size_t from = at;
        at = end + 1;
        if (statement == "DATA" || statement.starts_with("DATA(") || statement.starts_with("DATA ")) {
            data = true;
        } else if (statement.starts_with("ENDSEC")) {
            data = false;
        } else if (statement.starts_with("END-ISO-10303-21")) {
            ended = true;
            break;
        } else if (statement.starts_with("FILE_SCHEMA")) {
            const auto open = statement.find('\''), close = open == statement.npos ? open : statement.find('\'', open + 1);
            if (close != statement.npos) step.m_schema = statement.substr(open + 1, close - open - 1);
        } else if (data) {
            std::uint64_t number = 0;
            const char* last = text.data() + end;
            if (statement[0] != '#') return refuse(from, i18n("not an instance"), again);
            const auto [after, error] = std::from_chars(statement.data() + 1, last, number);
            std::size_t p = skipBlanks(text, std::size_t(after - text.data()));
            if (error != std::errc() || p >= end || text[p] != '=') {
                ++step.m_skipped;
                continue;
            }
            p = skipBlanks(text, p + 1);
            std::size_t nameEnd = p;
            while (nameEnd < end && (std::isalnum(static_cast<unsigned char>(text[nameEnd])) || text[nameEnd] == '_')) ++nameEnd;
            std::size_t open = skipBlanks(text, nameEnd), close = end;
            while (close > open && isBlank(text[close - 1])) --close;
            if (nameEnd == p || open >= close || text[open] != '(' || text[close - 1] != ')' || close - open < 2) {
                ++step.m_skipped;
                continue;
            }
            const std::string_view entity = text.substr(p, nameEnd - p);
            if (!step.m_instances.try_emplace(number, Instance{entity, text.substr(open + 1, close - open - 2)}).second)
                ++step.m_skipped;
            else
                step.m_byEntity[entity].push_back(number);
        }
    }
    if (!ended) return refuse(text.size(), i18n("is truncated: END-ISO-10303-21 is missing"), again);
    for (auto& [entity, numbers] : step.m_byEntity) std::ranges::sort(numbers);
    return step;
}

const StepFile::Instance* StepFile::find(std::uint64_t number) const
{
    const auto found = m_instances.find(number);
    return found == m_instances.end() ? nullptr : &found->second;
}

std::vector<StepValue> StepFile::attributesOf(std::uint64_t number) const
{
    std::vector<StepValue> values;
    const Instance* instance = find(number);
    if (!instance || !AttributeReader(instance->attributes).list(values, 0, 0)) values.clear();
    return values;
}

const std::vector<std::uint64_t>& StepFile::of(std::string_view entity) const
{
    static const std::vector<std::uint64_t> none;
    const auto found = m_byEntity.find(entity);
    return found == m_byEntity.end() ? none : found->second;
}

} // namespace hw::importers::ifc

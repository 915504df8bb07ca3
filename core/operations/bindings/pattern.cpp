// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bindings/pattern.h"

#include <algorithm>
#include <cctype>

namespace hw::bindings {

namespace {

struct Piece {
    bool name = false;
    std::string text;
};

/// Texts and {names} in turn.
Result<std::vector<Piece>> pieces(std::string_view text)
{
    std::vector<Piece> out;
    const auto refused = [&](Text what) {
        return fail(ErrorCode::Refused, std::string(text), std::move(what), i18n("use {{name}} with letters, digits, - or _"));
    };
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '}') return refused(i18n("unmatched closing brace"));
        if (text[at] != '{') {
            plain += text[at];
            continue;
        }
        const auto end = text.find('}', at);
        if (end == text.npos) return refused(i18n("missing closing brace"));
        const std::string name(text.substr(at + 1, end - at - 1));
        const bool fine = !name.empty() && std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; });
        if (!fine) return refused(i18n("'{}' is not a valid name", name));
        if (!plain.empty()) out.push_back({false, std::move(plain)});
        plain.clear();
        out.push_back({true, name});
        at = end;
    }
    if (!plain.empty()) out.push_back({false, std::move(plain)});
    return out;
}

} // namespace

Result<Pattern> Pattern::of(std::string_view text)
{
    const auto read = pieces(text);
    if (!read) return tl::unexpected(read.error());
    Pattern made;
    const auto put = [&](Part::Kind kind, std::string_view part) {
        const bool again = kind == Part::Kind::Any && !made.m_parts.empty() && made.m_parts.back().kind == kind;
        if (!again && (kind != Part::Kind::Text || !part.empty())) made.m_parts.push_back({kind, std::string(part)});
    };
    for (const Piece& piece : *read) {
        if (piece.name) {
            put(Part::Kind::Name, piece.text);
            continue;
        }
        std::string_view rest = piece.text;
        for (auto star = rest.find('*'); star != rest.npos; star = rest.find('*')) {
            put(Part::Kind::Text, rest.substr(0, star));
            put(Part::Kind::Any, {});
            rest.remove_prefix(star + 1);
        }
        put(Part::Kind::Text, rest);
    }
    return made;
}

std::vector<std::string> Pattern::names() const
{
    std::vector<std::string> out;
    for (const Part& part : m_parts)
        if (part.kind == Part::Kind::Name) out.push_back(part.text);
    return out;
}

bool Pattern::matches(std::string_view text, Captures& captures, bool slashes) const
{
    const auto before = captures.size();
    if (fits(0, text, captures, slashes)) return true;
    captures.resize(before);
    return false;
}

bool Pattern::fits(std::size_t at, std::string_view text, Captures& captures, bool slashes) const
{
    if (at == m_parts.size()) return text.empty();
    const Part& part = m_parts[at];
    if (part.kind == Part::Kind::Text) return text.starts_with(part.text) && fits(at + 1, text.substr(part.text.size()), captures, slashes);
    const bool name = part.kind == Part::Kind::Name;
    if (!name && at + 1 == m_parts.size()) return true;
    if (name) {
        const auto known = std::ranges::find(captures, std::string_view(part.text), &Captures::value_type::first);
        if (known != captures.end()) {
            const std::string_view value = known->second;
            return text.starts_with(value) && fits(at + 1, text.substr(value.size()), captures, slashes);
        }
    }
    const std::size_t most = name && !slashes ? std::min(text.find('/'), text.size()) : text.size();
    const std::string* next = at + 1 < m_parts.size() && m_parts[at + 1].kind == Part::Kind::Text ? &m_parts[at + 1].text : nullptr;
    for (std::size_t length = name ? 1 : 0; length <= most; ++length) {
        if (next) { // straight to where the text behind it stands
            length = text.find(*next, length);
            if (length > most) return false;
        } else if (at + 1 == m_parts.size()) {
            if (most != text.size() || text.empty()) return false;
            length = text.size();
        }
        const auto before = captures.size();
        if (name) captures.emplace_back(part.text, text.substr(0, length));
        if (fits(at + 1, text.substr(length), captures, slashes)) return true;
        captures.resize(before);
    }
    return false;
}

Result<Template> Template::of(std::string_view text, const std::vector<std::string>& known)
{
    const auto read = pieces(text);
    if (!read) return tl::unexpected(read.error());
    Template made;
    for (const Piece& piece : *read) {
        if (piece.name && std::ranges::find(known, piece.text) == known.end())
            return fail(ErrorCode::Refused, std::string(text), i18n("no pattern of the rule defines {{{}}}", piece.text),
                        known.empty() ? i18n("add the name to the pattern of the channel or of a label")
                                      : i18n("choose from {}", listedNames(known)));
        made.m_parts.emplace_back(piece.name, piece.text);
    }
    return made;
}

bool Template::fixed() const
{
    return std::ranges::none_of(m_parts, [](const auto& part) { return part.first; });
}

void Template::fill(const Captures& captures, std::string& out) const
{
    out.clear();
    for (const auto& [name, text] : m_parts)
        if (!name)
            out += text;
        else if (const auto found = std::ranges::find(captures, std::string_view(text), &Captures::value_type::first); found != captures.end())
            out += found->second;
}

} // namespace hw::bindings

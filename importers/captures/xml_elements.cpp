// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/captures/xml_elements.h"

#include "core/foundation/base/text_encoding.h"
#include "core/foundation/base/trim.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace hw::importers {

namespace {

std::string_view localName(std::string_view name)
{
    const auto colon = name.rfind(':');
    return colon == name.npos ? name : name.substr(colon + 1);
}

/// The character that an entity stands for; nothing: unknown.
std::optional<std::string> entity(std::string_view name)
{
    for (const auto& [known, text] :
         {std::pair("amp", "&"), std::pair("lt", "<"), std::pair("gt", ">"), std::pair("quot", "\""), std::pair("apos", "'")})
        if (name == known) return text;
    if (!name.starts_with('#') || name.size() < 2) return std::nullopt;
    const bool hex = name[1] == 'x';
    const auto digits = name.substr(hex ? 2 : 1);
    std::uint32_t code = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        return std::nullopt;
    std::string out;
    appendUtf8(out, char32_t(code));
    return out;
}

std::string withEntities(std::string_view text)
{
    std::string out;
    while (!text.empty()) {
        const auto sign = std::min(text.find('&'), text.size());
        out += text.substr(0, sign);
        text.remove_prefix(sign);
        if (text.empty()) break;
        const auto end = text.find(';');
        const auto found = end == text.npos ? std::nullopt : entity(text.substr(1, end - 1));
        out += found ? *found : "&";
        text.remove_prefix(found ? end + 1 : 1);
    }
    return out;
}

class XmlReader {
public:
    XmlReader(std::string_view text, const std::string& file) : m_text(text), m_file(file) {}

    Result<XmlElements> run()
    {
        while (m_at < m_text.size()) {
            const auto open = std::min(m_text.find('<', m_at), m_text.size());
            if (!m_open.empty()) m_out.all[m_open.back()].text += withEntities(m_text.substr(m_at, open - m_at));
            goTo(open);
            if (m_at == m_text.size()) break;
            if (!markup()) {
                if (!m_wrong.empty())
                    return fail(ErrorCode::Unreadable, m_file + ":" + std::to_string(m_line), m_wrong,
                                i18n("repeat the capture and save the complete output"));
                break; // the text ends within it
            }
        }
        m_out.cut = m_out.cut || !m_open.empty();
        for (auto& element : m_out.all) element.text = std::string(trimmed(element.text));
        return std::move(m_out);
    }

private:
    void goTo(std::size_t at)
    {
        m_line += std::size_t(std::count(m_text.begin() + std::ptrdiff_t(m_at), m_text.begin() + std::ptrdiff_t(at), '\n'));
        m_at = at;
    }
    /// To behind `end`; false: it does not come any more.
    bool skip(std::string_view end)
    {
        const auto found = m_text.find(end, m_at);
        if (found == m_text.npos) return m_out.cut = true, false;
        goTo(found + end.size());
        return true;
    }

    bool markup()
    {
        const std::string_view rest = m_text.substr(m_at);
        if (rest.starts_with("<!--")) return skip("-->");
        if (rest.starts_with("<![CDATA[")) {
            const std::size_t start = m_at + 9;
            if (!skip("]]>")) return false;
            if (!m_open.empty()) m_out.all[m_open.back()].text += m_text.substr(start, m_at - 3 - start);
            return true;
        }
        if (rest.starts_with("<?")) return skip("?>");
        if (rest.starts_with("<!")) return skip(">");
        const auto end = tagEnd();
        if (end == m_text.npos) return m_out.cut = true, false;
        const std::string_view tag = m_text.substr(m_at + 1, end - m_at - 1);
        const bool done = tag.starts_with('/') ? close(trimmed(tag.substr(1))) : open(tag);
        if (done) goTo(end + 1);
        return done;
    }

    /// Of the tag at hand, outside of quotes.
    [[nodiscard]] std::size_t tagEnd() const
    {
        char quote = 0;
        for (std::size_t i = m_at + 1; i < m_text.size(); ++i) {
            const char c = m_text[i];
            if (quote) {
                if (c == quote) quote = 0;
            } else if (c == '"' || c == '\'')
                quote = c;
            else if (c == '>')
                return i;
            else if (c == '<')
                return m_text.npos;
        }
        return m_text.npos;
    }

    bool close(std::string_view name)
    {
        if (m_open.empty() || m_out.all[m_open.back()].name != localName(name)) {
            m_wrong = i18n("</{}> has no opening tag", name);
            return false;
        }
        m_out.all[m_open.back()].closed = true;
        m_open.pop_back();
        return true;
    }

    bool open(std::string_view tag)
    {
        const bool empty = tag.ends_with('/');
        if (empty) tag.remove_suffix(1);
        const auto nameEnd = std::min(tag.find_first_of(" \t\r\n"), tag.size());
        XmlElements::Element element;
        element.name = localName(tag.substr(0, nameEnd));
        if (element.name.empty() || m_out.all.size() >= kMost || m_open.size() >= kDeepest) {
            m_wrong = element.name.empty() ? i18n("tag without a name") : i18n("too many elements");
            return false;
        }
        element.line = m_line;
        element.closed = empty;
        tag.remove_prefix(nameEnd);
        while (!(tag = trimmed(tag)).empty()) {
            const auto equals = tag.find('=');
            const auto quote = equals == tag.npos ? tag.npos : tag.find_first_not_of(" \t\r\n", equals + 1);
            const auto closing = quote == tag.npos || (tag[quote] != '"' && tag[quote] != '\'') ? tag.npos : tag.find(tag[quote], quote + 1);
            if (closing == tag.npos) {
                m_wrong = i18n("attribute without a value in quotes");
                return false;
            }
            element.attributes.emplace_back(localName(trimmed(tag.substr(0, equals))), withEntities(tag.substr(quote + 1, closing - quote - 1)));
            tag.remove_prefix(closing + 1);
        }
        const auto number = std::uint32_t(m_out.all.size());
        if (!m_open.empty()) {
            element.parent = m_open.back();
            m_out.all[m_open.back()].children.push_back(number);
        }
        m_out.all.push_back(std::move(element));
        if (!empty) m_open.push_back(number);
        return true;
    }

    static constexpr std::size_t kMost = 5'000'000, kDeepest = 200;
    std::string_view m_text;
    const std::string& m_file;
    std::size_t m_at = 0, m_line = 1;
    std::vector<std::uint32_t> m_open;
    XmlElements m_out;
    Text m_wrong;
};

} // namespace

const XmlElements::Element* XmlElements::child(const Element& of, std::string_view name) const
{
    for (const auto number : of.children)
        if (all[number].name == name) return &all[number];
    return nullptr;
}

std::string XmlElements::textOf(const Element& of, std::string_view name) const
{
    const Element* found = child(of, name);
    return found ? found->text : std::string();
}

std::string XmlElements::attribute(const Element& of, std::string_view name)
{
    for (const auto& [key, value] : of.attributes)
        if (key == name) return value;
    return {};
}

Result<XmlElements> readXmlElements(std::string_view text, const std::string& file) { return XmlReader(text, file).run(); }

} // namespace hw::importers

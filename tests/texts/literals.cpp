// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/texts/literals.h"

#include <cctype>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace hw {

namespace {

class Lexer {
public:
    explicit Lexer(std::string text) : m_text(std::move(text)) {}

    std::vector<Literal> run()
    {
        bool adjacent = false; // the last token was a literal
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (c == '\n') ++m_line;
            if (std::isspace(static_cast<unsigned char>(c))) {
                ++m_at;
            } else if (skipped("//", "\n") || skipped("/*", "*/")) {
            } else if (c == '#' && startsLine()) {
                directive();
            } else if (c == '"' || (c == 'R' && m_text.compare(m_at, 2, "R\"") == 0)) {
                const int line = m_line;
                std::string value = c == '"' ? string() : raw();
                if (adjacent)
                    m_out.back().value += value;
                else
                    m_out.push_back({std::move(value), line, m_brackets.empty() ? "" : m_brackets.back().callee,
                                     m_brackets.empty() ? 0 : m_brackets.back().argument, m_brackets.empty() ? 0 : m_brackets.back().number});
                adjacent = true;
                continue;
            } else if (c == '\'') {
                character();
                adjacent = false;
            } else if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
                word();
                adjacent = false;
            } else {
                punctuation(c);
                adjacent = false;
            }
        }
        return std::move(m_out);
    }

private:
    struct Bracket {
        std::string callee;
        int argument = 0, number = 0;
    };

    bool skipped(std::string_view open, std::string_view close)
    {
        if (m_text.compare(m_at, open.size(), open) != 0) return false;
        std::size_t end = m_text.find(close, m_at + open.size());
        if (end == std::string::npos) end = m_text.size();
        for (std::size_t i = m_at; i < end; ++i) m_line += m_text[i] == '\n';
        m_at = close == "\n" ? end : end + close.size();
        return true;
    }

    bool startsLine() const
    {
        std::size_t i = m_at;
        while (i > 0 && (m_text[i - 1] == ' ' || m_text[i - 1] == '\t')) --i;
        return i == 0 || m_text[i - 1] == '\n';
    }

    void directive() // #include "…" and the like, to the end of a line that does not go on
    {
        while (m_at < m_text.size() && m_text[m_at] != '\n') {
            if (m_text[m_at] == '\\' && m_at + 1 < m_text.size() && m_text[m_at + 1] == '\n') ++m_at, ++m_line;
            ++m_at;
        }
    }

    std::string string()
    {
        std::string out;
        for (++m_at; m_text[m_at] != '"'; ++m_at) {
            if (m_text[m_at] != '\\') {
                out += m_text[m_at];
                continue;
            }
            switch (const char escaped = m_text[++m_at]) {
            case 'n': out += '\n'; break;
            case 't': out += '\t'; break;
            case '0': out += '\0'; break;
            case 'x': {
                unsigned value = 0;
                while (std::isxdigit(static_cast<unsigned char>(m_text[m_at + 1])))
                    value = value * 16 + unsigned(std::stoi(std::string(1, m_text[++m_at]), nullptr, 16));
                out += char(value);
                break;
            }
            default: out += escaped;
            }
        }
        ++m_at;
        return out;
    }

    std::string raw()
    {
        const std::size_t open = m_text.find('(', m_at);
        const std::string close = ")" + m_text.substr(m_at + 2, open - m_at - 2) + "\"";
        const std::size_t end = m_text.find(close, open);
        if (end == std::string::npos) throw std::runtime_error("raw string without end");
        std::string out = m_text.substr(open + 1, end - open - 1);
        for (const char c : out) m_line += c == '\n';
        m_at = end + close.size();
        return out;
    }

    void character()
    {
        for (++m_at; m_text[m_at] != '\''; ++m_at)
            if (m_text[m_at] == '\\') ++m_at;
        ++m_at;
    }

    void word()
    {
        const std::size_t start = m_at;
        const bool number = std::isdigit(static_cast<unsigned char>(m_text[m_at]));
        while (m_at < m_text.size() &&
               (std::isalnum(static_cast<unsigned char>(m_text[m_at])) || m_text[m_at] == '_' || (number && m_text[m_at] == '\'')))
            ++m_at;
        m_word = m_text.substr(start, m_at - start);
    }

    void punctuation(char c)
    {
        if (c == '(' || c == '{' || c == '[')
            m_brackets.push_back({m_word, 0, ++m_numbers});
        else if ((c == ')' || c == '}' || c == ']') && !m_brackets.empty())
            m_brackets.pop_back();
        else if (c == ',' && !m_brackets.empty())
            ++m_brackets.back().argument;
        if (c != ':' && c != '.') m_word.clear();
        ++m_at;
    }

    std::string m_text;
    std::size_t m_at = 0;
    int m_line = 1, m_numbers = 0;
    std::string m_word;
    std::vector<Bracket> m_brackets;
    std::vector<Literal> m_out;
};

} // namespace

std::vector<Literal> literalsOf(const std::filesystem::path& source)
{
    std::ifstream in(source, std::ios::binary);
    return Lexer(std::string(std::istreambuf_iterator<char>(in), {})).run();
}

} // namespace hw

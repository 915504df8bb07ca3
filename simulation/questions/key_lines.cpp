// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/key_lines.h"

namespace hw::sim {
inline namespace questions {

namespace {

class Scanner {
public:
    explicit Scanner(std::string_view text) : m_text(text) {}

    KeyLines scan()
    {
        value("", 0);
        return std::move(m_found);
    }

private:
    [[nodiscard]] char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    void step() { m_line += m_text[m_at++] == '\n'; }
    void space()
    {
        while (m_at < m_text.size() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) step();
    }
    bool take(char c)
    {
        space();
        if (peek() != c) return false;
        step();
        return true;
    }
    std::string_view string()
    {
        take('"');
        const std::size_t from = m_at;
        while (m_at < m_text.size() && peek() != '"') m_at += peek() == '\\' ? 2 : 1;
        const auto inside = m_text.substr(from, m_at - from);
        take('"');
        return inside;
    }

    void value(const std::string& path, int depth)
    {
        if (depth > 64) {
            m_at = m_text.size();
            return;
        }
        space();
        if (peek() == '{')
            members(path, depth);
        else if (peek() == '[')
            entries(path, depth);
        else if (peek() == '"')
            string();
        else
            while (m_at < m_text.size() && std::string_view(",]} \t\r\n").find(peek()) == std::string_view::npos) step();
    }

    void members(const std::string& path, int depth)
    {
        take('{');
        while (m_at < m_text.size() && !take('}')) {
            space();
            const int line = m_line;
            const std::string key = (path.empty() ? "" : path + ".") + std::string(string());
            if (!m_found.line.emplace(key, line).second && m_found.duplicate.empty()) m_found.duplicate = key;
            take(':');
            value(key, depth + 1);
            take(',');
        }
    }

    void entries(const std::string& path, int depth)
    {
        take('[');
        for (std::size_t i = 0; m_at < m_text.size() && !take(']'); ++i) {
            const std::string entry = path + "[" + std::to_string(i) + "]";
            space();
            m_found.line.emplace(entry, m_line);
            value(entry, depth + 1);
            take(',');
        }
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_line = 1;
    KeyLines m_found;
};

} // namespace

KeyLines keyLines(std::string_view json) { return Scanner(json).scan(); }

} // namespace questions
} // namespace hw::sim

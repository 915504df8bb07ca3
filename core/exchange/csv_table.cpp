// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/csv_table.h"

#include "core/base/trim.h"

#include <algorithm>
#include <set>

namespace hw {

namespace {

/// Of the first line, outside of quotes; a comma where it has none of them.
char separatorOf(std::string_view text)
{
    std::array<std::pair<char, int>, 3> counts{{{',', 0}, {';', 0}, {'\t', 0}}};
    bool quoted = false;
    for (const char c : text) {
        if (c == '"') quoted = !quoted;
        if (!quoted && (c == '\n' || c == '\r')) break;
        if (!quoted)
            for (auto& [separator, n] : counts) n += c == separator;
    }
    return std::ranges::max_element(counts, {}, &std::pair<char, int>::second)->first;
}

/// Takes a text apart, cell by cell.
class Reader {
public:
    Reader(std::string_view text, char separator, std::size_t line) : m_text(text), m_separator(separator), m_line(line) {}

    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] std::size_t line() const { return m_line; }
    [[nodiscard]] const Text& wrong() const { return m_wrong; }

    /// The cells of one row; false where it is broken.
    bool row(std::vector<std::string>& cells)
    {
        cells.clear();
        for (;;) {
            cells.emplace_back();
            if (!cell(cells.back())) return false;
            if (atEnd()) return true;
            if (m_text[m_at] != m_separator) break;
            ++m_at;
        }
        endLine();
        return true;
    }

private:
    bool cell(std::string& out)
    {
        std::size_t start = m_at;
        while (start < m_text.size() && m_text[start] == ' ') ++start;
        if (start < m_text.size() && m_text[start] == '"') return m_at = start, quotedCell(out);
        const auto end = std::min(m_text.find_first_of(std::string{m_separator, '\r', '\n'}, m_at), m_text.size());
        out = trimmed(m_text.substr(m_at, end - m_at));
        m_at = end;
        return true;
    }
    bool quotedCell(std::string& out)
    {
        for (++m_at;; ++m_at) {
            if (atEnd()) return m_wrong = i18n("a quote is never closed"), false;
            const char c = m_text[m_at];
            if (c == '"' && (m_at + 1 >= m_text.size() || m_text[m_at + 1] != '"')) break;
            if (c == '"') ++m_at;
            if (c == '\n') ++m_inner;
            out += c;
        }
        ++m_at;
        while (!atEnd() && m_text[m_at] == ' ') ++m_at;
        if (!atEnd() && m_text[m_at] != m_separator && m_text[m_at] != '\r' && m_text[m_at] != '\n')
            return m_wrong = i18n("there is text behind a closing quote"), false;
        out = std::string(trimmed(out));
        return true;
    }
    void endLine()
    {
        if (!atEnd() && m_text[m_at] == '\r') ++m_at;
        if (!atEnd() && m_text[m_at] == '\n') ++m_at;
        m_line += 1 + m_inner;
        m_inner = 0;
    }

    std::string_view m_text;
    char m_separator;
    std::size_t m_at = 0, m_line, m_inner = 0;
    Text m_wrong;
};

tl::unexpected<Error> broken(const std::string& file, std::size_t line, Text what, Text todo)
{
    return fail(ErrorCode::Unreadable, file + ":" + std::to_string(line), std::move(what), std::move(todo));
}

std::size_t continuation(unsigned char c) { return c < 0x80 ? 0 : c >= 0xF0 && c < 0xF5 ? 3 : c >= 0xE0 ? 2 : c >= 0xC2 ? 1 : 9; }

Result<void> checkHeader(const CsvTable& table, const std::string& file)
{
    std::set<std::string> seen;
    for (const auto& name : table.header)
        if (!name.empty() && !seen.insert(name).second)
            return broken(file, table.headerLine, i18n("the column '{}' is there twice", name), i18n("leave one out"));
    return {};
}

bool blank(const std::vector<std::string>& cells)
{
    return std::ranges::all_of(cells, [](const std::string& cell) { return cell.empty(); });
}

} // namespace

bool isPlainText(std::string_view text)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F) return false;
        const std::size_t more = continuation(c);
        if (more > 3 || i + more >= text.size() + (more == 0)) return false;
        for (std::size_t k = 1; k <= more; ++k)
            if ((static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80) return false;
        i += more;
    }
    return true;
}

Result<CsvTable> readCsv(std::string_view text, const std::string& file)
{
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (!isPlainText(text)) return broken(file, 1, i18n("is no text in UTF-8"), i18n("save it as CSV in UTF-8"));
    CsvTable table;
    std::size_t line = 1;
    if (text.size() > 4 && text.starts_with("sep=") && (text.size() == 5 || text[5] == '\n' || text[5] == '\r')) {
        table.separator = text[4];
        text.remove_prefix(std::min(text.size(), text.find('\n') == text.npos ? text.size() : text.find('\n') + 1));
        ++line;
    } else {
        while (text.starts_with('\n') || text.starts_with("\r\n")) text.remove_prefix(text.front() == '\r' ? 2 : 1), ++line;
        table.separator = separatorOf(text);
    }
    Reader reader(text, table.separator, line);
    std::vector<std::string> cells;
    while (!reader.atEnd()) {
        const std::size_t at = reader.line();
        if (!reader.row(cells)) return broken(file, at, reader.wrong(), i18n("correct the quotes of this line"));
        if (blank(cells)) continue;
        if (table.header.empty()) {
            table.header = cells, table.headerLine = at;
            if (auto fine = checkHeader(table, file); !fine) return tl::unexpected(fine.error());
            continue;
        }
        while (cells.size() > table.header.size() && cells.back().empty()) cells.pop_back();
        if (cells.size() > table.header.size())
            return broken(file, at, i18n("has {} cells, the header {}", cells.size(), table.header.size()),
                          i18n("put quotes around cells with a separator in them"));
        cells.resize(table.header.size());
        table.rows.push_back({at, cells});
    }
    if (table.header.empty()) return broken(file, 1, i18n("has no header"), i18n("name the columns in the first line"));
    return table;
}

} // namespace hw

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/files/csv_table.h"

#include "core/foundation/base/trim.h"

#include <algorithm>
#include <array>
#include <optional>
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
class LineReader {
public:
    LineReader(std::string_view text, char separator, std::size_t line) : m_text(text), m_separator(separator), m_line(line) {}

    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] std::size_t line() const { return m_line; }
    [[nodiscard]] const Text& wrong() const { return m_wrong; }

    /// Behind a broken row that began in line `line`: on from the end of that line.
    void toNextLine(std::size_t line)
    {
        const auto end = m_text.find('\n', m_start);
        m_at = end == m_text.npos ? m_text.size() : end + 1;
        m_line = line + 1, m_inner = 0;
        m_wrong = {};
    }

    /// The cells of one row; false where it is broken.
    bool row(std::vector<std::string>& cells)
    {
        cells.clear();
        m_start = m_at;
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
            if (atEnd()) return m_wrong = i18n("missing closing quote"), false;
            const char c = m_text[m_at];
            if (c == '"' && (m_at + 1 >= m_text.size() || m_text[m_at + 1] != '"')) break;
            if (c == '"') ++m_at;
            if (c == '\n') ++m_inner;
            out += c;
        }
        ++m_at;
        while (!atEnd() && m_text[m_at] == ' ') ++m_at;
        if (!atEnd() && m_text[m_at] != m_separator && m_text[m_at] != '\r' && m_text[m_at] != '\n')
            return m_wrong = i18n("text after a closing quote"), false;
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
    std::size_t m_at = 0, m_start = 0, m_line, m_inner = 0;
    Text m_wrong;
};

tl::unexpected<Error> broken(const std::string& file, std::size_t line, Text what, Text todo)
{
    return fail(ErrorCode::Unreadable, file + ":" + std::to_string(line), std::move(what), std::move(todo));
}

Result<void> checkHeader(const CsvTable& table, const std::string& file)
{
    std::set<std::string> seen;
    for (const auto& name : table.header)
        if (!name.empty() && !seen.insert(name).second)
            return broken(file, table.headerLine, i18n("duplicate column '{}'", name), i18n("remove one of them"));
    return {};
}

bool blank(const std::vector<std::string>& cells)
{
    return std::ranges::all_of(cells, [](const std::string& cell) { return cell.empty(); });
}

} // namespace

namespace {

constexpr std::size_t kMostPreamble = 50; ///< lines in which a header is looked for

/// Of the first lines the one that is a header, with its separator; nothing where none is.
struct HeaderAt {
    std::size_t offset = 0, line = 1;
    char separator = ',';
};
std::optional<HeaderAt> headerIn(std::string_view text, std::size_t line, const CsvWays& ways)
{
    std::vector<std::string> cells;
    for (std::size_t at = 0, n = 0; at < text.size() && n < kMostPreamble; ++n, ++line) {
        const auto end = std::min(text.find('\n', at), text.size());
        for (const char separator : {',', ';', '\t'}) {
            LineReader one(text.substr(at, end - at), separator, line);
            if (one.row(cells) && cells.size() > 1 && ways.isHeader(cells)) return HeaderAt{at, line, separator};
        }
        at = std::min(end + 1, text.size());
    }
    return std::nullopt;
}

} // namespace

Result<CsvTable> readCsv(std::string_view given, const std::string& file, const CsvWays& ways)
{
    const auto decoded = decodeText(given);
    if (!decoded) return broken(file, 1, i18n("is not a text file"), i18n("save it as UTF-8 CSV"));
    std::string_view text = decoded->text;
    CsvTable table;
    table.encoding = decoded->encoding;
    std::size_t line = 1;
    if (text.size() > 4 && text.starts_with("sep=") && (text.size() == 5 || text[5] == '\n' || text[5] == '\r')) {
        table.separator = text[4];
        text.remove_prefix(std::min(text.size(), text.find('\n') == text.npos ? text.size() : text.find('\n') + 1));
        ++line;
    } else {
        while (text.starts_with('\n') || text.starts_with("\r\n")) text.remove_prefix(text.front() == '\r' ? 2 : 1), ++line;
        table.separator = separatorOf(text);
        if (const auto found = ways.isHeader ? headerIn(text, line, ways) : std::nullopt) {
            text.remove_prefix(found->offset);
            line = found->line, table.separator = found->separator;
        }
    }
    LineReader reader(text, table.separator, line);
    std::vector<std::string> cells;
    while (!reader.atEnd()) {
        const std::size_t at = reader.line();
        if (!reader.row(cells)) {
            if (!ways.everyRow || table.header.empty()) return broken(file, at, reader.wrong(), i18n("correct the quotes in this line"));
            table.rows.push_back({at, std::vector<std::string>(table.header.size()), reader.wrong()});
            reader.toNextLine(at);
            continue;
        }
        if (blank(cells)) continue;
        if (table.header.empty()) {
            table.header = cells, table.headerLine = at;
            if (auto fine = checkHeader(table, file); !fine && !ways.everyRow) return tl::unexpected(fine.error());
            continue;
        }
        while (cells.size() > table.header.size() && cells.back().empty()) cells.pop_back();
        Text wrong;
        if (cells.size() > table.header.size()) {
            wrong = i18n("{} cells, but the header has {}", cells.size(), table.header.size());
            if (!ways.everyRow) return broken(file, at, std::move(wrong), i18n("put quotes around cells that contain a separator"));
        }
        cells.resize(table.header.size());
        table.rows.push_back({at, cells, std::move(wrong)});
    }
    if (table.header.empty()) return broken(file, 1, i18n("no header"), i18n("put the column names in the first line"));
    return table;
}

} // namespace hw

// SPDX-License-Identifier: GPL-3.0-or-later
// Neighbors as a table: SONiC, NX-OS, EOS, Junos, NVUE, NetQ. Cells are where their column titles are, and not where blanks part words.
#include "core/foundation/base/trim.h"
#include "core/operations/asbuilt/sighting.h"
#include "importers/captures/lldp_file.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace hw::importers {

namespace {

/// Titles of columns (see lldpKey); null: the dialect has no such column.
struct TableDialect {
    const char *local, *name, *port;
    const char *host = nullptr, *chassis = nullptr, *description = nullptr;
    bool counts = false;             ///< ends with "Total entries displayed"
    const char* onlyLocal = nullptr; ///< the local port where no column has it
    const char* number = nullptr;    ///< a column that has numbers alone: what has none there is no row
};
constexpr std::array<TableDialect, 8> kTables{{
    // SONiC, NX-OS, EOS, Junos, NVUE, NetQ; NVOS has LLDP at eth0 alone
    {"localport", "remotedevice", "remoteportid", nullptr, nullptr, "remoteportdescr", true},
    {"local_intf", "device_id", "port_id", nullptr, nullptr, nullptr, true, nullptr, "hold-time"},
    {"port", "neighbor_device_id", "neighbor_port_id", nullptr, nullptr, nullptr, false, nullptr, "ttl"},
    {"local_interface", "system_name", "port_info", nullptr, "chassis_id", nullptr},
    {"interface", "remote_host", "remote_port", nullptr, nullptr, nullptr},
    {"interface", "peer_hostname", "peer_interface", "hostname", nullptr, nullptr},
    {"interface", "neighbor", "remote_port", nullptr, nullptr, nullptr},
    {nullptr, "neighbor", "remote_port", nullptr, nullptr, nullptr, false, "eth0"},
}};

struct Cell {
    std::size_t at = 0;
    std::string text;
};

/// Cells of a heading, two blanks or more apart.
std::vector<Cell> headingCells(const std::string& line)
{
    std::vector<Cell> cells;
    for (std::size_t at = line.find_first_not_of(' '); at < line.size();) {
        const auto end = std::min(line.find("  ", at), line.size());
        cells.push_back({at, lldpKey(line.substr(at, end - at))});
        at = line.find_first_not_of(' ', end);
    }
    return cells;
}

/// The columns of a table that was found.
struct Table {
    const TableDialect* dialect = nullptr;
    std::vector<std::size_t> starts, ends; ///< ends: of a line of dashes, for cells that stand to the right
    std::size_t local = 0, name = 0, port = 0, host = 0, chassis = 0, description = 0, number = 0; ///< places; `starts.size()`: none
};

std::optional<Table> tableOf(const std::string& line)
{
    const auto cells = headingCells(line);
    if (cells.size() < 3) return std::nullopt;
    const auto place = [&](const char* title) {
        std::size_t at = 0;
        while (at < cells.size() && (!title || cells[at].text != title)) ++at;
        return at;
    };
    for (const TableDialect& dialect : kTables) {
        Table table;
        table.dialect = &dialect;
        table.local = place(dialect.local), table.name = place(dialect.name), table.port = place(dialect.port);
        table.host = place(dialect.host), table.chassis = place(dialect.chassis), table.description = place(dialect.description);
        table.number = place(dialect.number);
        const std::size_t none = cells.size();
        if (table.name == none || table.port == none || (dialect.local && table.local == none) || (dialect.host && table.host == none)) continue;
        for (const Cell& cell : cells) table.starts.push_back(cell.at);
        return table;
    }
    return std::nullopt;
}

bool isRuler(const std::string& line) { return line.find("---") != line.npos && line.find_first_not_of("-+= ") == line.npos; }

/// Where the dashes of each column end, if they begin where the titles do.
void takeRuler(Table& table, const std::string& line)
{
    std::vector<std::size_t> starts, ends;
    for (std::size_t at = line.find_first_not_of(' '); at < line.size(); at = line.find_first_not_of(' ', ends.back())) {
        starts.push_back(at);
        ends.push_back(std::min(line.find(' ', at), line.size()));
    }
    if (starts == table.starts) table.ends = std::move(ends);
}

/// Each cell in its column, from its first or to its last place.
std::optional<std::vector<std::string>> alignedCells(const Table& table, const std::string& line)
{
    std::vector<std::string> cells;
    const std::size_t n = table.starts.size();
    if (line.find_first_not_of(' ') < table.starts.front()) return std::nullopt;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t start = table.starts[i], stop = i + 1 < n ? table.starts[i + 1] : line.npos;
        if (start >= line.size()) {
            cells.emplace_back();
            continue;
        }
        if (i > 0 && line[start - 1] != ' ') return std::nullopt;
        const std::string cell = line.substr(start, stop == line.npos ? stop : stop - start);
        const auto first = cell.find_first_not_of(' ');
        if (first == cell.npos) {
            cells.emplace_back();
            continue;
        }
        const auto last = cell.find_last_not_of(' ') + 1;
        const bool right = i < table.ends.size() && start + last == table.ends[i];
        if (first != 0 && !right) return std::nullopt;
        cells.push_back(cell.substr(first, last - first));
    }
    return cells;
}

/// A row with a cell wider than its column, which moves those behind it by as much: each begins in its place or one blank behind what is before.
std::optional<std::vector<std::string>> widenedCells(const Table& table, const std::string& line)
{
    std::vector<std::string> cells;
    std::size_t at = line.find_first_not_of(' '), behind = 0;
    for (std::size_t i = 0; i < table.starts.size(); ++i) {
        if (at == line.npos || at != std::max(table.starts[i], i == 0 ? 0 : behind + 1)) return std::nullopt;
        behind = std::min(line.find(' ', at), line.size());
        cells.push_back(line.substr(at, behind - at));
        at = line.find_first_not_of(' ', behind);
    }
    return at == line.npos ? std::optional(cells) : std::nullopt;
}

/// Reads the rows of one part.
class TableRows {
public:
    TableRows(const TerminalPart& part, const std::string& file, LldpFile& out) : m_part(part), m_file(file), m_out(out) {}

    void run()
    {
        for (const TerminalLine& line : m_part.lines) take(line);
        finishTable(!m_part.ended);
    }

private:
    void take(const TerminalLine& line)
    {
        const std::string& text = line.text;
        if (text.empty()) return;
        if (auto found = tableOf(text)) {
            finishTable(false);
            m_table = std::move(*found), m_rows = 0, m_total.clear(), m_wrapped.clear();
            return;
        }
        if (!m_table) return;
        if (isRuler(text)) return takeRuler(*m_table, text);
        if (text.front() == '{') return; // {master:0}
        if (asbuilt::lowerCase(trimmed(text)).starts_with("total")) {
            const auto digit = text.find_first_of("0123456789");
            m_total = digit == text.npos ? "?" : text.substr(digit);
            return finishTable(false);
        }
        if (!line.whole) { // it may go on
            m_out.mayGoOn = true;
            return;
        }
        row(line);
    }

    void row(const TerminalLine& line)
    {
        const std::string& text = line.text;
        const Table& table = *m_table;
        // A name wider than its column, which stands first, has a line of its own.
        if (table.name == 0 && table.starts.size() > 1 && text.size() > table.starts[1] && text.find(' ', table.starts[0]) == text.npos &&
            text.find_first_not_of(' ') == table.starts[0]) {
            dropWrapped();
            m_wrapped = text.substr(table.starts[0]), m_wrappedAt = line.number;
            return;
        }
        auto cells = alignedCells(table, text);
        if (!cells) cells = widenedCells(table, text);
        ++m_rows;
        if (!cells) return leave(line.number, i18n("is not aligned with the column titles"));
        const auto cell = [&](std::size_t place) { return place < cells->size() ? (*cells)[place] : std::string(); };
        if (const std::string number = cell(table.number);
            table.number < cells->size() && (number.empty() || number.find_first_not_of("0123456789") != number.npos))
            return leave(line.number, i18n("not a table row"));
        LldpNeighbor n;
        n.device = m_part.device;
        if (table.dialect->host) n.device = cell(table.host), n.inRow = true;
        n.localPort = table.dialect->local ? cell(table.local) : table.dialect->onlyLocal;
        n.name = cell(table.name);
        if (!m_wrapped.empty()) {
            if (!n.name.empty()) return leave(m_wrappedAt, i18n("name without a row"));
            n.name = std::exchange(m_wrapped, {});
        }
        const std::string port = cell(table.port);
        n.port = lldpPort(asbuilt::hardwareId(port).empty() ? "ifname" : "mac", port, cell(table.description));
        n.id = asbuilt::hardwareId(cell(table.chassis));
        if (const auto id = asbuilt::hardwareId(n.name); !id.empty()) n.id = id, n.name.clear();
        if (table.dialect->chassis && n.localPort.ends_with(".0")) n.localPort.resize(n.localPort.size() - 2); // the unit, of Junos
        if (n.localPort.empty() || (n.inRow && n.device.empty()) || (n.name.empty() && n.port.empty() && n.id.empty()))
            return leave(line.number, i18n("not a table row"));
        m_out.neighbors.push_back(std::move(n));
    }

    void leave(std::size_t number, Text what)
    {
        m_wrapped.clear();
        m_out.left.push_back(leftOut(m_file + ":" + std::to_string(number), std::move(what)));
    }
    void dropWrapped()
    {
        if (!m_wrapped.empty()) leave(m_wrappedAt, i18n("name without a row"));
    }

    /// `atEnd`: of the file, so that more may have been meant to follow.
    void finishTable(bool atEnd)
    {
        if (!m_table) return;
        dropWrapped();
        if (m_table->dialect->counts && (m_total.empty() ? atEnd : m_total != std::to_string(m_rows))) m_out.mayGoOn = true;
        m_table.reset();
    }

    const TerminalPart& m_part;
    const std::string& m_file;
    LldpFile& m_out;
    std::optional<Table> m_table;
    std::size_t m_rows = 0, m_wrappedAt = 0;
    std::string m_total, m_wrapped;
};

} // namespace

bool isLldpTable(const TerminalPart& part)
{
    return std::ranges::any_of(part.lines, [](const TerminalLine& line) { return tableOf(line.text).has_value(); });
}

void readLldpTable(const TerminalPart& part, const std::string& file, LldpFile& out) { TableRows(part, file, out).run(); }

} // namespace hw::importers

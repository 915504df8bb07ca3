// SPDX-License-Identifier: GPL-3.0-or-later
// What ibnetdiscover prints: blocks of nodes, or with -p a line for each port; and iblinkinfo --line.
#include "importers/asbuilt/capture_reader.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>

namespace hw::importers {

namespace {

struct IbNode {
    std::string name, adapter; ///< "host01" and "mlx5_0"; a switch has no adapter
    std::string module;        ///< "L03/U1" of a director, "U1" of a switch that is one chip
    bool isSwitch = false, aggregation = false;
};

/// "MF0;sw01:MQM9700/U1" → sw01; "host01 mlx5_0" → host01, mlx5_0; a description that only says the make names nothing.
IbNode nodeOf(std::string_view description, bool isSwitch)
{
    IbNode node;
    node.isSwitch = isSwitch;
    std::string_view text = description;
    if (text.find("Aggregation Node") != text.npos) node.aggregation = true;
    if (text.find("Mellanox Technologies") != text.npos || text.find("MT4") == 0) return node;
    if (isSwitch) {
        if (const auto semicolon = text.find(';'); semicolon != text.npos) {
            text.remove_prefix(semicolon + 1);
            const auto colon = text.find(':'), slash = colon == text.npos ? colon : text.find('/', colon);
            if (slash != text.npos) node.module = text.substr(slash + 1);
            text = text.substr(0, colon);
        }
        node.name = text;
        return node;
    }
    const auto space = text.rfind(' ');
    node.name = text.substr(0, space);
    if (space != text.npos) node.adapter = text.substr(space + 1);
    return node;
}

/// Tenths of Gb/s of one lane, by the name of its rate (InfiniBand Architecture Specification; XDR: NVIDIA).
int laneRate(std::string_view rate)
{
    static const std::map<std::string_view, int> all = {{"SDR", 25},  {"DDR", 50},  {"QDR", 100},  {"FDR10", 103}, {"FDR", 140},
                                                        {"EDR", 250}, {"HDR", 500}, {"NDR", 1000}, {"XDR", 2000}};
    const auto found = all.find(rate);
    return found == all.end() ? 0 : found->second;
}

struct IbRate {
    int lanes = 0, gbps = 0;
};
/// "4xNDR" or "4x NDR"; nothing stated: zeros.
IbRate rateOf(std::string_view text)
{
    for (std::size_t x = text.find('x'); x != text.npos; x = text.find('x', x + 1)) {
        std::size_t start = x;
        while (start > 0 && text[start - 1] >= '0' && text[start - 1] <= '9') --start;
        if (start == x || (start > 0 && text[start - 1] != ' ')) continue;
        std::size_t word = x + 1;
        while (word < text.size() && text[word] == ' ') ++word;
        const auto rate = text.substr(word, std::min(text.find_first_of(" \t)", word), text.size()) - word);
        IbRate out;
        std::from_chars(text.data() + start, text.data() + x, out.lanes);
        if (const int lane = laneRate(rate); lane > 0 && out.lanes > 0) return {out.lanes, out.lanes * lane / 10};
    }
    return {};
}

/// "4X 106.25 Gbps Active/ LinkUp" of iblinkinfo, which tells the rate of the signal of a lane, Gb/s (InfiniBand Architecture, volume 2).
IbRate signalRate(const std::string& text)
{
    static const std::map<std::string, const char*> names = {{"2.5", "SDR"},       {"5.0", "DDR"},     {"10.0", "QDR"},
                                                             {"10.3125", "FDR10"}, {"14.0625", "FDR"}, {"25.78125", "EDR"},
                                                             {"53.125", "HDR"},    {"106.25", "NDR"},  {"212.5", "XDR"}};
    std::istringstream in(text);
    std::string width, signal;
    in >> width >> signal;
    const auto found = names.find(signal);
    return found == names.end() || !width.ends_with('X') ? IbRate() : rateOf(width.substr(0, width.size() - 1) + "x" + found->second);
}

struct IbPort {
    std::string node; ///< GUID as the design writes it
    int port = 0;
};
struct IbLine {
    IbPort near, far;
    IbRate rate;
    std::size_t line = 0;
};

/// One file, taken apart.
class IbReader {
public:
    explicit IbReader(const exchange::ImportSource& source) : m_file(source.path.string()), m_text(source.content) {}

    Result<void> run(asbuilt::Capture& capture)
    {
        std::string line;
        while (std::getline(m_text, line)) {
            ++m_line;
            if (line.ends_with('\r')) line.pop_back();
            if (auto done = take(line); !done) return done;
        }
        if (m_nodes.empty()) return bad(i18n("has no node"), i18n("capture it again: ibnetdiscover > FILE"));
        tellChipsApart();
        put(capture);
        if (!m_text.str().ends_with('\n'))
            capture.doubts.push_back({m_file + ":" + std::to_string(m_line), i18n("the last line has no end: it may be a part of the capture only")});
        return {};
    }

private:
    [[nodiscard]] tl::unexpected<Error> bad(Text what, Text todo) const
    {
        return fail(ErrorCode::Unreadable, m_line > 0 ? m_file + ":" + std::to_string(m_line) : m_file, std::move(what), std::move(todo));
    }
    [[nodiscard]] tl::unexpected<Error> bad(Text what) const { return bad(std::move(what), i18n("capture it again: ibnetdiscover > FILE")); }

    Result<void> take(const std::string& line)
    {
        if (line.starts_with("Switch") || line.starts_with("Ca") || line.starts_with("Rt")) return node(line);
        if (line.starts_with("[")) return port(line);
        if (line.find("==(") != line.npos) return infoLine(line);
        if (line.starts_with("SW ") || line.starts_with("CA ") || line.starts_with("RT ")) return portLine(line);
        const bool known = line.empty() || line.starts_with("#") || line.find('=') != line.npos || line.starts_with("DR path"); // no text
        if (!known) return bad(i18n("is no line of ibnetdiscover: {}", line.substr(0, 40)));
        return {};
    }

    static std::string quoted(std::string_view text, std::size_t from, char sign)
    {
        const auto open = text.find(sign, from);
        const auto close = open == text.npos ? open : text.find(sign, open + 1);
        return close == text.npos ? std::string() : std::string(text.substr(open + 1, close - open - 1));
    }

    void know(const std::string& guid, std::string_view description, bool isSwitch)
    {
        IbNode& known = m_nodes[guid];
        const IbNode said = nodeOf(description, isSwitch);
        if (known.name.empty()) known.name = said.name, known.adapter = said.adapter;
        if (known.module.empty()) known.module = said.module;
        known.isSwitch = isSwitch, known.aggregation = known.aggregation || said.aggregation;
    }

    /// Switch	64 "S-e8eb…"		# "MF0;sw01:MQM9700/U1" enhanced port 0 lid 5 lmc 0
    Result<void> node(const std::string& line)
    {
        const std::string id = quoted(line, 0, '"');
        m_at = asbuilt::hardwareId(id);
        if (m_at.empty()) return bad(i18n("a node without a GUID"));
        const auto comment = line.find('#');
        know(m_at, comment == line.npos ? std::string() : quoted(line, comment, '"'), line.starts_with("Switch"));
        m_blocks.push_back(m_at);
        return {};
    }

    static bool numberIn(std::string_view text, std::size_t open, int& value)
    {
        const auto close = text.find(']', open);
        if (open == text.npos || close == text.npos) return false;
        const auto [end, error] = std::from_chars(text.data() + open + 1, text.data() + close, value);
        return error == std::errc() && end == text.data() + close;
    }

    /// [1]	"H-b83f…"[1](b83f…) 		# "host01 mlx5_0" lid 12 4xNDR
    Result<void> port(const std::string& line)
    {
        if (m_at.empty()) return bad(i18n("a port before any node"));
        IbLine out;
        out.near.node = m_at, out.line = m_line;
        const auto open = line.find('"'), close = open == line.npos ? open : line.find('"', open + 1);
        if (close == line.npos || !numberIn(line, 0, out.near.port) || !numberIn(line, line.find('[', close), out.far.port))
            return bad(i18n("a port without a number or a neighbour"));
        const std::string far = line.substr(open + 1, close - open - 1);
        out.far.node = asbuilt::hardwareId(far);
        if (out.far.node.empty()) return bad(i18n("'{}' is no GUID", far));
        const auto comment = line.find('#');
        const std::string rest = comment == line.npos ? std::string() : line.substr(comment);
        know(out.far.node, quoted(rest, 0, '"'), far.starts_with("S-"));
        const auto name = rest.rfind('"');
        out.rate = rateOf(name == rest.npos ? rest : rest.substr(name + 1));
        m_lines.push_back(std::move(out));
        return {};
    }

    /// 0xe8eb… "MF0;sw01:MQM9700/U1" 5 1[  ] ==( 4X 106.25 Gbps Active/ LinkUp)==> 0xb83f… 12 1[  ] "host01 mlx5_0" ( )
    Result<void> infoLine(const std::string& line)
    {
        const auto link = line.find("==("), close = line.find(")==>", link);
        const auto end = [&](std::string_view side, IbPort& port) {
            const auto hex = side.find("0x"), name = side.find('"'), square = side.find('[', name < side.find(']') ? side.find('"', name + 1) : 0);
            if (hex == side.npos || square == side.npos) return false;
            port.node = asbuilt::hardwareId(std::string(side.substr(hex, side.find_first_of(" \t", hex) - hex)));
            const auto digits = side.find_last_not_of("0123456789", square - 1);
            std::from_chars(side.data() + digits + 1, side.data() + square, port.port);
            if (port.node.empty() || port.port < 1) return false;
            std::string description = name == side.npos ? std::string() : quoted(side, name, '"');
            description.erase(description.find_last_not_of(' ') + 1);
            know(port.node, description, description.find(';') != description.npos);
            return true;
        };
        m_switchesOnly = true;
        IbLine out;
        out.line = m_line;
        if (close == line.npos || !end(std::string_view(line).substr(0, link), out.near)) return bad(i18n("a port without number or GUID"));
        if (std::ranges::find(m_blocks, out.near.node) == m_blocks.end()) m_blocks.push_back(out.near.node);
        if (!end(std::string_view(line).substr(close + 4), out.far)) return {}; // nothing is plugged in
        out.rate = signalRate(line.substr(link + 3, close - link - 3));
        m_lines.push_back(std::move(out));
        return {};
    }

    /// SW  5  1 0xe8eb… 4x NDR - CA  12  1 0xb83f… ( 'MF0;sw01:MQM9700/U1' - 'host01 mlx5_0' )
    Result<void> portLine(const std::string& line)
    {
        std::istringstream words_(line);
        std::string kind, lid, guid, farKind, farLid, farGuid, word;
        IbLine out;
        out.line = m_line;
        if (!(words_ >> kind >> lid >> out.near.port >> guid) || asbuilt::hardwareId(guid).empty()) return bad(i18n("a port without number or GUID"));
        out.near.node = asbuilt::hardwareId(guid);
        const auto dash = line.find(" - ");
        const std::string first = quoted(line, 0, '\'');
        know(out.near.node, first, kind == "SW");
        if (std::ranges::find(m_blocks, out.near.node) == m_blocks.end()) m_blocks.push_back(out.near.node);
        const auto paren = line.find('(');
        if (dash == line.npos || (paren != line.npos && paren < dash)) return {}; // nothing is plugged in
        std::istringstream far(line.substr(dash + 3));
        if (!(far >> farKind >> farLid >> out.far.port >> farGuid) || asbuilt::hardwareId(farGuid).empty())
            return bad(i18n("a neighbour without number or GUID"));
        out.far.node = asbuilt::hardwareId(farGuid);
        m_nodes.try_emplace(out.far.node);
        const auto second = line.rfind('\'', line.size() - 1);
        const auto begin = second == line.npos || second == 0 ? line.npos : line.rfind('\'', second - 1);
        if (begin != line.npos) know(out.far.node, line.substr(begin + 1, second - begin - 1), farKind == "SW");
        out.rate = rateOf(line.substr(0, dash));
        m_lines.push_back(std::move(out));
        return {};
    }

    /// The chips of a director share its name, and each counts its ports from 1: they are told apart by their module.
    void tellChipsApart()
    {
        std::map<std::string, int> chips;
        for (const auto& [guid, node] : m_nodes)
            if (node.isSwitch && !node.name.empty()) ++chips[node.name];
        for (auto& [guid, node] : m_nodes)
            if (node.isSwitch && !node.name.empty() && chips[node.name] > 1) node.name += "/" + (node.module.empty() ? guid : node.module);
    }

    [[nodiscard]] std::string deviceName(const std::string& guid) const
    {
        const IbNode& node = m_nodes.at(guid);
        return node.name.empty() ? guid : node.name;
    }
    [[nodiscard]] std::string portName(const IbPort& port) const
    {
        const IbNode& node = m_nodes.at(port.node);
        return node.adapter.empty() ? std::to_string(port.port) : node.adapter + "/" + std::to_string(port.port);
    }

    /// A whole fabric has a block for every node that is a neighbour; iblinkinfo lists switches alone.
    void doubtWhatIsCut(asbuilt::Capture& capture) const
    {
        const auto lacks = std::ranges::count_if(m_nodes, [&](const auto& node) {
            return !node.second.aggregation && (node.second.isSwitch || !m_switchesOnly) && std::ranges::find(m_blocks, node.first) == m_blocks.end();
        });
        if (lacks > 0)
            capture.doubts.push_back({m_file, i18np(lacks, "{:L} neighbour has no lines of its own: it is a part of the capture only",
                                                    "{:L} neighbours have no lines of their own: it is a part of the capture only")});
    }

    void put(asbuilt::Capture& capture) const
    {
        doubtWhatIsCut(capture);
        for (const auto& [guid, node] : m_nodes)
            if (!node.name.empty() && !node.aggregation) capture.ids.emplace_back(node.name, guid);
        std::map<std::string, bool> seen;
        for (const IbLine& one : m_lines) {
            if (m_nodes.at(one.near.node).aggregation || m_nodes.at(one.far.node).aggregation) continue; // inside of switches
            seen[one.near.node] = true;
            capture.sightings.push_back({Witness::Ibnetdiscover,
                                         deviceName(one.near.node),
                                         portName(one.near),
                                         deviceName(one.far.node),
                                         portName(one.far),
                                         one.rate.gbps,
                                         one.rate.lanes,
                                         {},
                                         m_file + ":" + std::to_string(one.line),
                                         {},
                                         one.far.node});
        }
        for (const auto& guid : m_blocks)
            if (!seen.contains(guid) && !m_nodes.at(guid).aggregation)
                capture.sightings.push_back({Witness::Ibnetdiscover, deviceName(guid), {}, {}, {}, 0, 0, {}, m_file, {}, {}});
    }

    std::string m_file;
    std::istringstream m_text;
    std::size_t m_line = 0;
    bool m_switchesOnly = false;
    std::string m_at;
    std::map<std::string, IbNode> m_nodes; ///< by GUID
    std::vector<std::string> m_blocks;
    std::vector<IbLine> m_lines;
};

Result<asbuilt::Capture> readIb(Sources sources, const SnapshotPtr&, const Progress& progress)
{
    asbuilt::Capture capture;
    capture.witness = Witness::Ibnetdiscover;
    for (const auto& source : sources) {
        if (progress.stopRequested()) return fail(ErrorCode::Cancelled, source.path.string(), i18n("stopped"));
        if (const auto done = IbReader(source).run(capture); !done) return tl::unexpected(done.error());
    }
    return capture;
}

bool looksLikeIb(const exchange::ImportSource& source)
{
    const auto& text = source.content;
    return text.find("switchguid=") != text.npos || text.find("==(") != text.npos || text.find("caguid=") != text.npos ||
           text.find("\n[1]\t\"") != text.npos;
}

} // namespace

CaptureFormat ibnetdiscoverFormat()
{
    return {"ibnetdiscover", TextId("an InfiniBand fabric as ibnetdiscover prints it, also with -p, or iblinkinfo --line"), {}, looksLikeIb, readIb};
}

} // namespace hw::importers

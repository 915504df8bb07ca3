// SPDX-License-Identifier: GPL-3.0-or-later
// What ibnetdiscover prints: blocks of nodes, or with -p a line for each port; and iblinkinfo, in blocks or with --line.
#include "importers/asbuilt/capture_reader.h"
#include "importers/asbuilt/prompts.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

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
    std::string node; ///< GUID as the design writes it, or `lidKey` where the capture has none
    int port = 0;
};

/// A node of which only the address in its subnet is known; no text can be taken for it.
std::string lidKey(int lid) { return "lid " + std::to_string(lid); }
bool isLidKey(const std::string& node) { return node.starts_with("lid "); }
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
            if (auto done = take(line); !done) m_left.push_back(done.error());
        }
        if (auto told = tellLeftOut(m_left, !m_lines.empty(), capture); !told) return told;
        if (m_lines.empty() && m_unknown > 0) return m_firstUnknown;
        if (m_nodes.empty()) return bad(i18n("contains no node"), i18n("repeat the capture: ibnetdiscover > FILE"));
        resolveLids();
        tellChipsApart();
        put(capture);
        if (!m_text.str().ends_with('\n'))
            capture.doubts.push_back({m_file + ":" + std::to_string(m_line), i18n("last line is incomplete: the capture may be truncated")});
        return {};
    }

private:
    [[nodiscard]] tl::unexpected<Error> bad(Text what, Text todo) const
    {
        return fail(ErrorCode::Unreadable, m_line > 0 ? m_file + ":" + std::to_string(m_line) : m_file, std::move(what), std::move(todo));
    }
    [[nodiscard]] tl::unexpected<Error> bad(Text what) const { return bad(std::move(what), i18n("repeat the capture: ibnetdiscover > FILE")); }

    Result<void> take(const std::string& line)
    {
        if (line.starts_with("Switch:") || line.starts_with("CA:") || line.starts_with("Router:")) return infoHead(line);
        if (line.starts_with("Switch") || line.starts_with("Ca") || line.starts_with("Rt")) return node(line);
        if (line.starts_with("[")) return port(line);
        if (line.find("==(") != line.npos) return infoLine(line);
        if (line.starts_with("SW ") || line.starts_with("CA ") || line.starts_with("RT ")) return portLine(line);
        const bool known = line.find_first_not_of(" \t") == line.npos || line.starts_with("#") || line.find('=') != line.npos ||
                           line.starts_with("DR path") || isPrompt(line); // no text
        if (!known && m_unknown++ == 0) m_firstUnknown = bad(i18n("not an ibnetdiscover line: {}", line.substr(0, 40)));
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
        if (m_at.empty()) return bad(i18n("node without a GUID"));
        const auto comment = line.find('#');
        know(m_at, comment == line.npos ? std::string() : quoted(line, comment, '"'), line.starts_with("Switch"));
        block(m_at);
        return {};
    }

    void block(const std::string& guid)
    {
        if (m_inBlocks.insert(guid).second) m_blocks.push_back(guid);
    }

    /// Of iblinkinfo: "Switch: 0x2c5e… MF0;sw01:MQM9700/U1:" and "CA: host01 HCA-1:", whose lines have the GUID.
    Result<void> infoHead(const std::string& line)
    {
        std::string_view rest = std::string_view(line).substr(line.find(':') + 1);
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        if (rest.ends_with(':')) rest.remove_suffix(1);
        m_at.clear(), m_headIsSwitch = line.starts_with("Switch");
        if (rest.starts_with("0x")) {
            const auto end = std::min(rest.find(' '), rest.size());
            m_at = asbuilt::hardwareId(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        if (m_headIsSwitch && m_at.empty()) return bad(i18n("node without a GUID"));
        m_head = rest;
        if (m_at.empty()) return {};
        know(m_at, m_head, m_headIsSwitch);
        block(m_at);
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
        if (m_at.empty()) return bad(i18n("port before any node"));
        IbLine out;
        out.near.node = m_at, out.line = m_line;
        const auto open = line.find('"'), close = open == line.npos ? open : line.find('"', open + 1);
        if (close == line.npos || !numberIn(line, 0, out.near.port) || !numberIn(line, line.find('[', close), out.far.port))
            return bad(i18n("port without a number or neighbor"));
        const std::string far = line.substr(open + 1, close - open - 1);
        out.far.node = asbuilt::hardwareId(far);
        if (out.far.node.empty()) return bad(i18n("'{}' is not a valid GUID", far));
        const auto comment = line.find('#');
        const std::string rest = comment == line.npos ? std::string() : line.substr(comment);
        know(out.far.node, quoted(rest, 0, '"'), far.starts_with("S-"));
        const auto name = rest.rfind('"');
        out.rate = rateOf(name == rest.npos ? rest : rest.substr(name + 1));
        m_lines.push_back(std::move(out));
        return {};
    }

    /// One side of a line of iblinkinfo: "0xe8eb… "MF0;sw01:MQM9700/U1" 5 1[  ]", where it stands alone; in blocks without GUID or name.
    struct InfoEnd {
        std::string guid, description;
        int lid = 0, port = 0;
    };
    static std::optional<InfoEnd> infoEnd(std::string_view side)
    {
        InfoEnd out;
        const auto name = side.find('"'), closing = name == side.npos ? name : side.find('"', name + 1);
        out.description = name == side.npos ? std::string() : quoted(side, name, '"');
        out.description.erase(out.description.find_last_not_of(' ') + 1);
        if (const auto hex = side.find("0x"); hex < name) // in front of the name
            out.guid = asbuilt::hardwareId(side.substr(hex, side.find_first_of(" \t", hex) - hex));
        const auto square = side.find('[', name < side.find(']') ? closing : 0);
        if (square == side.npos || square == 0) return std::nullopt;
        const auto digits = side.find_last_not_of("0123456789", square - 1);
        std::from_chars(side.data() + digits + 1, side.data() + square, out.port);
        if (const auto last = digits == side.npos ? digits : side.find_last_not_of(" \t", digits); last != side.npos) {
            const auto before = side.find_last_not_of("0123456789", last);
            std::from_chars(side.data() + before + 1, side.data() + last + 1, out.lid);
        }
        return out.port < 1 ? std::nullopt : std::optional(out);
    }

    /// 0xe8eb… "MF0;sw01:MQM9700/U1" 5 1[  ] ==( 4X 106.25 Gbps Active/ LinkUp)==> 0xb83f… 12 1[  ] "host01 mlx5_0" ( )
    Result<void> infoLine(const std::string& line)
    {
        const auto link = line.find("==("), close = line.find(")==>", link);
        m_switchesOnly = true;
        const auto near = close == line.npos ? std::nullopt : infoEnd(std::string_view(line).substr(0, link));
        if (!near || (near->guid.empty() && m_at.empty())) return bad(i18n("port without number or GUID"));
        IbLine out;
        out.line = m_line;
        out.near = {near->guid.empty() ? m_at : near->guid, near->port};
        if (near->lid > 0) m_guidOfLid.emplace(near->lid, out.near.node);
        if (!near->description.empty())
            know(out.near.node, near->description, near->description.find(';') != std::string::npos);
        else if (!m_head.empty())
            know(out.near.node, m_head, m_headIsSwitch);
        block(out.near.node);
        const auto far = infoEnd(std::string_view(line).substr(close + 4));
        if (!far || (far->guid.empty() && far->lid == 0)) return {}; // nothing is plugged in
        out.far = {far->guid.empty() ? lidKey(far->lid) : far->guid, far->port};
        know(out.far.node, far->description, far->description.find(';') != std::string::npos);
        out.rate = signalRate(line.substr(link + 3, close - link - 3));
        m_lines.push_back(std::move(out));
        return {};
    }

    /// Neighbours that blocks of iblinkinfo name by their address in the subnet are the nodes whose own lines have it.
    void resolveLids()
    {
        for (IbLine& one : m_lines) {
            if (!isLidKey(one.far.node)) continue;
            const auto found = m_guidOfLid.find(std::stoi(one.far.node.substr(4)));
            if (found == m_guidOfLid.end()) continue;
            m_nodes.erase(one.far.node);
            one.far.node = found->second;
        }
    }

    /// SW  5  1 0xe8eb… 4x NDR - CA  12  1 0xb83f… ( 'MF0;sw01:MQM9700/U1' - 'host01 mlx5_0' )
    Result<void> portLine(const std::string& line)
    {
        std::istringstream words_(line);
        std::string kind, lid, guid, farKind, farLid, farGuid, word;
        IbLine out;
        out.line = m_line;
        if (!(words_ >> kind >> lid >> out.near.port >> guid) || asbuilt::hardwareId(guid).empty()) return bad(i18n("port without number or GUID"));
        out.near.node = asbuilt::hardwareId(guid);
        const auto dash = line.find(" - ");
        const std::string first = quoted(line, 0, '\'');
        know(out.near.node, first, kind == "SW");
        block(out.near.node);
        const auto paren = line.find('(');
        if (dash == line.npos || (paren != line.npos && paren < dash)) return {}; // nothing is plugged in
        std::istringstream far(line.substr(dash + 3));
        if (!(far >> farKind >> farLid >> out.far.port >> farGuid) || asbuilt::hardwareId(farGuid).empty())
            return bad(i18n("neighbor without number or GUID"));
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
        std::unordered_map<std::string, int> chips;
        for (const auto& [guid, node] : m_nodes)
            if (node.isSwitch && !node.name.empty()) ++chips[node.name];
        for (auto& [guid, node] : m_nodes)
            if (node.isSwitch && !node.name.empty() && chips[node.name] > 1) node.name += "/" + (node.module.empty() ? guid : node.module);
    }

    /// Lines between that mean nothing: what a terminal has written, or a part of another capture.
    void doubtUnknownLines(asbuilt::Capture& capture) const
    {
        if (m_unknown > 0)
            capture.doubts.push_back(
                {m_file, i18np(m_unknown, "{:L} line skipped: not a line of ibnetdiscover or iblinkinfo ({})",
                               "{:L} lines skipped: not lines of ibnetdiscover or iblinkinfo (first: {})", m_firstUnknown.error().where)});
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
            return !node.second.aggregation && (node.second.isSwitch || !m_switchesOnly) && !m_inBlocks.contains(node.first);
        });
        if (lacks > 0)
            capture.doubts.push_back({m_file, i18np(lacks, "{:L} neighbor has no entry of its own: the capture is incomplete",
                                                    "{:L} neighbors have no entries of their own: the capture is incomplete")});
    }

    void put(asbuilt::Capture& capture) const
    {
        doubtWhatIsCut(capture);
        doubtUnknownLines(capture);
        capture.facts.push_back(i18n("{:L} nodes, {:L} ports with a neighbor in {}", m_blocks.size(), m_lines.size(), m_file));
        capture.read += m_lines.size(), capture.left += m_left.size() + m_unknown;
        for (const auto& [guid, node] : m_nodes)
            if (!node.name.empty() && !node.aggregation && !isLidKey(guid)) capture.ids.emplace_back(node.name, guid);
        std::unordered_set<std::string> seen;
        for (const IbLine& one : m_lines) {
            if (m_nodes.at(one.near.node).aggregation || m_nodes.at(one.far.node).aggregation) continue; // inside of switches
            seen.insert(one.near.node);
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
                                         isLidKey(one.far.node) ? std::string() : one.far.node});
        }
        for (const auto& guid : m_blocks)
            if (!seen.contains(guid) && !m_nodes.at(guid).aggregation)
                capture.sightings.push_back({Witness::Ibnetdiscover, deviceName(guid), {}, {}, {}, 0, 0, {}, m_file, {}, {}});
    }

    std::string m_file;
    std::istringstream m_text;
    std::size_t m_line = 0;
    bool m_switchesOnly = false;
    std::string m_at, m_head; ///< node of the block, and its description where the block alone has it (iblinkinfo)
    bool m_headIsSwitch = false;
    std::size_t m_unknown = 0;
    Result<void> m_firstUnknown;
    std::vector<Error> m_left;             ///< lines that are broken
    std::map<std::string, IbNode> m_nodes; ///< by GUID
    std::vector<std::string> m_blocks;     ///< nodes that have lines of their own, in the order of the file
    std::unordered_set<std::string> m_inBlocks;
    std::unordered_map<int, std::string> m_guidOfLid;
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
    return {
        "ibnetdiscover", TextId("an InfiniBand fabric from ibnetdiscover, also with -p, or iblinkinfo, also with --line"), {}, looksLikeIb, readIb};
}

} // namespace hw::importers

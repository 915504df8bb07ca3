// SPDX-License-Identifier: GPL-3.0-or-later
// What ibnetdiscover prints: blocks of nodes, or with -p a line for each port; iblinkinfo, in blocks or with --line; links of UFM.
#include "importers/asbuilt/capture_reader.h"
#include "importers/asbuilt/ib_nodes.h"
#include "importers/captures/prompts.h"
#include "importers/captures/terminal.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace hw::importers {

namespace {

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

/// A node of which only the address in its subnet and the description are known; no text can be taken for it.
std::string lidKey(int lid, const std::string& description) { return "lid " + std::to_string(lid) + " " + description; }
bool isLidKey(const std::string& node) { return node.starts_with("lid "); }
struct IbLine {
    IbPort near, far;
    IbRate rate;
    std::size_t line = 0;
};

/// One file, taken apart.
class IbReader {
public:
    IbReader(const exchange::ImportSource& source, const IbNames& names) : m_file(source.path.string()), m_text(source.content), m_names(names)
    {
        m_ends = source.content.ends_with('\n');
    }

    Result<void> run(asbuilt::Capture& capture)
    {
        std::string line;
        while (std::getline(m_text, line)) {
            ++m_line;
            line = plainLine(line);
            line.erase(line.find_last_not_of(" \t\r") + 1);
            line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
            m_whole = m_ends || !m_text.eof();
            if (auto done = take(line); !done) m_left.push_back(done.error());
        }
        if (auto told = tellLeftOut(m_left, !m_lines.empty(), capture); !told) return told;
        if (m_lines.empty() && m_unknown > 0) return m_firstUnknown;
        if (m_nodes.empty()) return bad(i18n("contains no node"), i18n("repeat the capture: ibnetdiscover > FILE"));
        resolveLids();
        tellChipsApart();
        put(capture);
        if (!m_ends) capture.doubts.push_back({m_file + ":" + std::to_string(m_line), i18n("last line is incomplete: the capture may be truncated")});
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
        const std::string word = asbuilt::lowerCase(line.substr(0, line.find_first_of(" \t")));
        if (word == "switch:" || word == "ca:" || word == "router:") return infoHead(line, word == "switch:");
        if (word == "switch" || (word == "ca" && line.find('"') != line.npos) || word == "rt") return node(line, word == "switch");
        if (line.starts_with("[")) return port(line);
        if (line.find("==(") != line.npos) return infoLine(line);
        if (line.starts_with("SW ") || line.starts_with("CA ") || line.starts_with("RT ")) return portLine(line);
        const bool known = line.find_first_not_of(" \t") == line.npos || line.starts_with("#") || line.find('=') != line.npos ||
                           line.starts_with("DR path") || isPrompt(line); // no text
        if (!known && m_unknown++ == 0) m_firstUnknown = bad(i18n("not an ibnetdiscover line: {}", line.substr(0, 40)));
        // It may have been the head of a block: what follows is not of the block before.
        if (!known && (line.ends_with(':') || line.find("\"S-") != line.npos || line.find("\"H-") != line.npos)) m_at.clear(), m_head.clear();
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
        const IbNode said = ibNodeOf(description, isSwitch);
        if (known.name.empty()) known.name = said.name, known.adapter = said.adapter;
        if (known.module.empty()) known.module = said.module;
        known.isSwitch = isSwitch, known.aggregation = known.aggregation || said.aggregation;
    }

    /// Switch	64 "S-e8eb…"		# "MF0;sw01:MQM9700/U1" enhanced port 0 lid 5 lmc 0
    Result<void> node(const std::string& line, bool isSwitch)
    {
        const std::string id = quoted(line, 0, '"');
        m_at = asbuilt::hardwareId(id);
        if (m_at.empty()) return bad(i18n("node without a GUID"));
        const auto comment = line.find('#');
        know(m_at, comment == line.npos ? std::string() : quoted(line, comment, '"'), isSwitch);
        block(m_at);
        return {};
    }

    void block(const std::string& guid)
    {
        if (m_inBlocks.insert(guid).second) m_blocks.push_back(guid);
    }

    /// Of iblinkinfo: "Switch: 0x2c5e… MF0;sw01:MQM9700/U1:" and "CA: host01 HCA-1:", whose lines have the GUID.
    Result<void> infoHead(const std::string& line, bool isSwitch)
    {
        std::string_view rest = std::string_view(line).substr(line.find(':') + 1);
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        if (rest.ends_with(':')) rest.remove_suffix(1);
        m_at.clear(), m_head.clear(), m_headIsSwitch = isSwitch, m_headLid = 0, m_headLine = m_line, m_headLinks = m_lines.size();
        if (!m_whole || !line.ends_with(':')) return bad(i18n("line is incomplete"));
        if (rest.starts_with("0x") || rest.starts_with("0X")) {
            const auto end = std::min(rest.find(' '), rest.size());
            m_at = asbuilt::hardwareId(asbuilt::lowerCase(rest.substr(0, end)));
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
        if (!m_whole) return bad(i18n("line is incomplete"));
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

    /// One side of a line of iblinkinfo: "0xe8eb… "MF0;sw01:MQM9700/U1" 5 1[  ]", where it stands alone; in blocks without GUID or name. Names may
    /// have any sign in them.
    struct InfoEnd {
        std::string guid, description;
        int lid = 0, port = 0;
    };
    static std::optional<InfoEnd> infoEnd(std::string_view side)
    {
        InfoEnd out;
        std::string rest(side);
        const auto open = side.find('"'), close = side.rfind('"');
        if (open != side.npos) {
            if (open == close) return std::nullopt;
            out.description = std::string(side.substr(open + 1, close - open - 1));
            out.description.erase(out.description.find_last_not_of(' ') + 1);
            out.description.erase(0, std::min(out.description.find_first_not_of(' '), out.description.size()));
            rest = std::string(side.substr(0, open)) + " " + std::string(side.substr(close + 1));
        }
        const auto square = rest.find('[');
        if (square == rest.npos || square == 0 || rest[square - 1] == ' ') return std::nullopt; // "Port not available", or nothing is plugged in
        std::istringstream words_(rest.substr(0, square));
        std::vector<std::string> all;
        for (std::string word; words_ >> word;) all.push_back(std::move(word));
        if (!all.empty() && asbuilt::lowerCase(all.front()).starts_with("0x")) {
            out.guid = asbuilt::hardwareId(asbuilt::lowerCase(all.front()));
            if (out.guid.empty()) return std::nullopt;
            all.erase(all.begin());
        }
        const auto number = [](const std::string& word, int& value) {
            const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
            return error == std::errc() && end == word.data() + word.size() && value >= 0;
        };
        if (all.size() != 2 || !number(all[0], out.lid) || !number(all[1], out.port)) return std::nullopt;
        return out.port < 1 ? std::nullopt : std::optional(out);
    }

    /// 0xe8eb… "MF0;sw01:MQM9700/U1" 5 1[  ] ==( 4X 106.25 Gbps Active/ LinkUp)==> 0xb83f… 12 1[  ] "host01 mlx5_0" ( )
    Result<void> infoLine(const std::string& line)
    {
        const auto link = line.find("==("), close = line.find(")==>", link);
        m_switchesOnly = true;
        const auto near = close == line.npos ? std::nullopt : infoEnd(std::string_view(line).substr(0, link));
        if (!near || (near->guid.empty() && m_at.empty())) return bad(i18n("port without number or GUID"));
        if (m_headIsSwitch && near->guid.empty() && near->lid > 0) {
            if (m_headLid == 0) m_headLid = near->lid;
            if (m_headLid != near->lid) return dropBlock(near->lid);
        }
        const bool empty = line.find("Port not available", close) != line.npos; // no text
        if (!empty && !line.ends_with(')')) return bad(i18n("line is incomplete"));
        IbLine out;
        out.line = m_line;
        out.near = {near->guid.empty() ? m_at : near->guid, near->port};
        if (near->lid > 0) m_guidsOfLid[near->lid].insert(out.near.node);
        if (!near->description.empty())
            know(out.near.node, near->description, near->description.find(';') != std::string::npos);
        else if (!m_head.empty())
            know(out.near.node, m_head, m_headIsSwitch);
        m_nodes.try_emplace(out.near.node);
        block(out.near.node);
        const std::string state = line.substr(link + 3, close - link - 3);
        std::string_view farSide = std::string_view(line).substr(close + 4);
        const auto paren = farSide.rfind('(');
        findings(out.near, state, empty || paren == farSide.npos ? std::string_view() : farSide.substr(paren + 1, farSide.size() - paren - 2));
        const auto far = empty ? std::nullopt : infoEnd(farSide.substr(0, paren));
        if (!far || (far->guid.empty() && far->lid == 0)) return {}; // nothing is plugged in
        if (far->guid.empty()) m_lids.emplace(lidKey(far->lid, far->description), far->lid);
        out.far = {far->guid.empty() ? lidKey(far->lid, far->description) : far->guid, far->port};
        know(out.far.node, far->description, far->description.find(';') != std::string::npos);
        out.rate = signalRate(state);
        m_lines.push_back(std::move(out));
        return {};
    }

    /// The ports of a switch have one LID: rows of another are of another block, and which of them is in the wrong place cannot be told.
    Result<void> dropBlock(int lid)
    {
        m_lines.resize(std::min(m_lines.size(), m_headLinks));
        std::erase_if(m_findings, [&](const Finding& one) { return one.line > m_headLine; });
        m_guidsOfLid[m_headLid].erase(m_at);
        if (m_inBlocks.erase(m_at) > 0) std::erase(m_blocks, m_at);
        m_at.clear(), m_head.clear();
        return bad(i18n("rows with LIDs {} and {} in the block of one switch", m_headLid, lid));
    }

    /// Ports that are disabled, stopped on the way up, or below what they could be.
    void findings(const IbPort& port, const std::string& state, std::string_view remark)
    {
        const auto slash = state.find('/');
        if (slash == state.npos) return;
        const auto word = [](std::string_view text) {
            const auto last = text.find_last_not_of(' ');
            if (last == text.npos) return std::string();
            const auto blank = text.find_last_of(' ', last);
            return std::string(text.substr(blank == text.npos ? 0 : blank + 1, last - (blank == text.npos ? 0 : blank + 1) + 1));
        };
        const std::string logical = word(std::string_view(state).substr(0, slash)), physical = word(std::string_view(state).substr(slash + 1));
        const std::string low = asbuilt::lowerCase(logical);
        if (asbuilt::lowerCase(physical) == "disabled") m_findings.push_back({port, m_line, i18n("disabled")});
        if (low != "active" && low != "down") m_findings.push_back({port, m_line, i18n("state {} / {}, not active", logical, physical)});
        while (remark.starts_with(' ')) remark.remove_prefix(1);
        while (remark.ends_with(' ')) remark.remove_suffix(1);
        if (!remark.empty()) m_findings.push_back({port, m_line, i18n("below its capability ({})", remark)});
    }

    /// Neighbors that blocks of iblinkinfo name by their address in the subnet are the nodes whose own lines have it; of several subnets in one
    /// file the one of the same name.
    void resolveLids()
    {
        std::map<std::string, std::string> guids; // of keys
        for (const auto& [key, lid] : m_lids) {
            const auto own = m_guidsOfLid.find(lid);
            if (own == m_guidsOfLid.end()) continue;
            const IbNode& said = m_nodes[key];
            std::vector<std::string> same;
            for (const auto& guid : own->second) {
                const IbNode& node = m_nodes[guid];
                if (said.name.empty() || node.name.empty() || (node.name == said.name && node.adapter == said.adapter)) same.push_back(guid);
            }
            if (same.size() == 1) guids.emplace(key, same.front());
        }
        for (const auto& [key, guid] : guids) {
            const IbNode said = m_nodes[key];
            IbNode& node = m_nodes[guid];
            if (node.name.empty()) node.name = said.name, node.adapter = said.adapter, node.isSwitch = said.isSwitch;
            m_nodes.erase(key);
        }
        for (IbLine& one : m_lines)
            if (const auto found = guids.find(one.far.node); found != guids.end()) one.far.node = found->second;
    }

    /// SW  5  1 0xe8eb… 4x NDR - CA  12  1 0xb83f… ( 'MF0;sw01:MQM9700/U1' - 'host01 mlx5_0' )
    Result<void> portLine(const std::string& line)
    {
        std::istringstream words_(line);
        std::string kind, lid, guid, farKind, farLid, farGuid, word;
        IbLine out;
        out.line = m_line;
        if (!(words_ >> kind >> lid >> out.near.port >> guid) || asbuilt::hardwareId(guid).empty()) return bad(i18n("port without number or GUID"));
        if (!m_whole && !line.ends_with(')')) return bad(i18n("line is incomplete"));
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
            if (node.isSwitch && !node.name.empty() && !isLidKey(guid)) ++chips[node.name];
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
        if (!node.name.empty()) return node.name;
        const auto mapped = m_names.find(guid);
        return mapped == m_names.end() ? guid : ibNodeOf(mapped->second, node.isSwitch).name;
    }
    [[nodiscard]] std::string portName(const IbPort& port) const
    {
        const IbNode& node = m_nodes.at(port.node);
        return node.adapter.empty() ? std::to_string(port.port) : node.adapter + "/" + std::to_string(port.port);
    }

    /// A whole fabric has a block for every node that is a neighbor; iblinkinfo lists switches alone.
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
        for (const auto& [port, line, what] : m_findings)
            capture.doubts.push_back({m_file + ":" + std::to_string(line), i18n("{} port {}: {}", deviceName(port.node), portName(port), what)});
        capture.facts.push_back(i18n("{}, {} in {}", i18np(m_blocks.size(), "{:L} node", "{:L} nodes"),
                                     i18np(m_lines.size(), "{:L} port with a neighbor", "{:L} ports with a neighbor"), m_file));
        capture.read += m_lines.size(), capture.left += m_left.size() + m_unknown;
        for (const auto& [guid, node] : m_nodes)
            if (!node.name.empty() && !node.aggregation && !isLidKey(guid)) capture.ids.emplace_back(node.name, guid);
        std::unordered_set<std::string> seen;
        std::set<std::tuple<std::string, int, std::string, int>> twice; // the same capture twice in a file
        for (const IbLine& one : m_lines) {
            if (!twice.emplace(one.near.node, one.near.port, one.far.node, one.far.port).second) continue;
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
    int m_headLid = 0;                           ///< of the rows below a switch
    std::size_t m_headLine = 0, m_headLinks = 0; ///< where the block begins, and the links before it
    std::size_t m_unknown = 0;
    Result<void> m_firstUnknown;
    std::vector<Error> m_left;             ///< lines that are broken
    std::map<std::string, IbNode> m_nodes; ///< by GUID
    std::vector<std::string> m_blocks;     ///< nodes that have lines of their own, in the order of the file
    std::unordered_set<std::string> m_inBlocks;
    std::map<int, std::set<std::string>> m_guidsOfLid;
    std::map<std::string, int> m_lids; ///< nodes that only have such an address, by their keys
    struct Finding {
        IbPort port;
        std::size_t line = 0;
        Text what;
    };
    std::vector<Finding> m_findings;
    std::vector<IbLine> m_lines;
    const IbNames& m_names;
    bool m_ends = true, m_whole = true; ///< the file ends with a line end; a line does
};

/// With -p: "SW  5  1 0xe8eb… 4x NDR - CA  12  1 0xb83f… ( 'a' - 'b' )".
bool isPortList(std::string_view text)
{
    std::istringstream in{std::string(text.substr(0, 65'536))};
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("SW ") || line.starts_with("CA ")) return line.find(" 0x") != line.npos && line.find('\'') != line.npos;
    return false;
}

bool looksLikeIb(const exchange::ImportSource& source)
{
    const auto& text = source.content;
    return text.find("switchguid=") != text.npos || text.find(")==>") != text.npos || text.find("caguid=") != text.npos ||
           text.find("\n[1]\t\"") != text.npos || isUfmLinks(text) || isPortList(text);
}

Result<asbuilt::Capture> readIb(Sources sources, const SnapshotPtr&, const Progress& progress)
{
    asbuilt::Capture capture;
    capture.witness = Witness::Ibnetdiscover;
    IbNames names;
    for (const auto& source : sources)
        if (sources.size() > 1 && isNodeNameMap(source.content)) readNodeNameMap(source.content, names);
    std::size_t taken = 0;
    for (const auto& source : sources) {
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, source.path.string(), i18n("stopped"));
        if (sources.size() > 1 && isNodeNameMap(source.content)) continue;
        if (sources.size() > 1 && !looksLikeIb(source)) {
            skipForeign(source, i18n("not an InfiniBand capture"), capture);
            continue;
        }
        const auto done = isUfmLinks(source.content) ? readUfmLinks(source, names, capture) : IbReader(source, names).run(capture);
        if (!done) return tl::unexpected(done.error());
        ++taken;
    }
    if (const auto any = noneTaken(taken, sources); !any) return tl::unexpected(any.error());
    return capture;
}

} // namespace

CaptureFormat ibnetdiscoverFormat()
{
    return {"ibnetdiscover",
            TextId("InfiniBand fabric: output of ibnetdiscover (with or without -p) or iblinkinfo (with or without --line), or UFM links"),
            {},
            looksLikeIb,
            readIb};
}

} // namespace hw::importers

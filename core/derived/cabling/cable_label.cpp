// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cabling/cable_label.h"

#include "core/derived/cabling/cable_index.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/places.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace hw {

namespace {

constexpr std::array<std::string_view, 7> kLabelPlaces{"device", "rack", "row", "hall", "u", "port", "grid"};
constexpr int kTileMm = 600; ///< of a raised floor, which the coordinates of ANSI/TIA-606 count

/// "1-12", "3+7-8": positions from 1.
std::string ranges(std::vector<std::int32_t> positions)
{
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    std::string out;
    for (std::size_t i = 0; i < positions.size();) {
        std::size_t last = i;
        while (last + 1 < positions.size() && positions[last + 1] == positions[last] + 1) ++last;
        out += fmt::format("{}{}", out.empty() ? "" : "+", positions[i] + 1);
        if (last > i) out += fmt::format("-{}", positions[last] + 1);
        i = last + 1;
    }
    return out;
}

} // namespace

bool CablePlugs::isTrunk(CableId cable) const
{
    const auto type = m_cabling[cable].type;
    return type && m_parts.cable(*type).positions > 1;
}

/// Trunks come from behind; of two cords at one position the one that goes on.
std::string CablePlugs::panelPort(CableId cable, std::span<const RunId> runs, bool behind) const
{
    std::vector<std::int32_t> positions;
    const bool rear = isTrunk(cable) || behind;
    for (const RunId run : runs) {
        const int each = rear ? m_parts.device(m_s.devices.type[m_s.runs.panel[run]]).panel.perRear : 1;
        positions.push_back(m_s.runs.position[run] / each);
    }
    return (rear ? "r" : "f") + ranges(std::move(positions));
}

CablePlugs::Ends CablePlugs::of(CableId cable) const
{
    Ends ends;
    const auto links = m_cabling.linksOf(cable);
    if (links.empty()) return ends;
    const auto put = [](std::vector<CablePlug>& side, CablePlug plug) {
        if (std::find(side.begin(), side.end(), plug) == side.end()) side.push_back(std::move(plug));
    };
    std::vector<CageId> seen; // the ports of one connector are plugged once
    const auto putPort = [&](std::vector<CablePlug>& side, PortId port) {
        const CageId cage = m_s.ports.cage[port];
        if (m_s.ports.medium[port] == Medium::Data && std::find(seen.begin(), seen.end(), cage) != seen.end()) return;
        seen.push_back(cage);
        put(side, {m_s.ports.device[port], portName(m_s, m_parts, port)});
    };
    const bool run = m_cabling.isRun(cable);
    const auto& runs = m_cabling.runs();
    std::vector<RunId> begins, ends_; // at the panel that it leaves, and at the one that it reaches
    for (const LinkId link : links) {
        const auto own = runs.of(link);
        const auto at = run ? std::find_if(own.begin(), own.end(), [&](RunId r) { return m_s.runs.cable[r] == cable; }) : own.begin();
        const bool flipped = !run && m_s.cables.medium[cable] == Medium::Data && m_cabling.isFlipped(link);
        auto &lower = flipped ? ends.to : ends.from, &upper = flipped ? ends.from : ends.to;
        if (!run) putPort(lower, m_s.links.from[link]);
        if (run && at != own.end()) begins.push_back(*at);
        const auto next = run && at != own.end() ? at + 1 : at;
        if (next != own.end())
            ends_.push_back(*next);
        else
            putPort(upper, m_s.links.to[link]);
    }
    // Between two cords the later one is behind; a cord beside a trunk is in front.
    if (!begins.empty()) {
        const auto own = runs.of(m_s.runs.link[begins.front()]);
        const auto at = std::find(own.begin(), own.end(), begins.front());
        const auto before = at == own.begin() ? m_s.links.cable[m_s.runs.link[begins.front()]] : Maybe<CableId>(m_s.runs.cable[*(at - 1)]);
        put(ends.from, {m_s.runs.panel[begins.front()], panelPort(cable, begins, before && !isTrunk(*before))});
    }
    if (!ends_.empty()) put(ends.to, {m_s.runs.panel[ends_.front()], panelPort(cable, ends_, false)});
    return ends;
}

std::vector<CablePlugs::Pair> CablePlugs::pairs(CableId cable) const
{
    const Ends ends = of(cable);
    if (ends.from.empty() || ends.to.empty()) return {};
    const std::size_t most = std::max(ends.from.size(), ends.to.size());
    if (most > 1)
        if (auto all = legs(cable, most); !all.empty()) return all;
    std::vector<Pair> all;
    for (std::size_t i = 0; i < most; ++i) all.push_back({ends.from[std::min(i, ends.from.size() - 1)], ends.to[std::min(i, ends.to.size() - 1)]});
    return all;
}

/// Of a data cable between devices: the first link of each connector at its divided end. Empty where the links do not tell.
std::vector<CablePlugs::Pair> CablePlugs::legs(CableId cable, std::size_t connectors) const
{
    if (m_s.cables.medium[cable] != Medium::Data || m_cabling.isRun(cable)) return {};
    std::vector<std::pair<PortId, PortId>> links;
    for (const LinkId link : m_cabling.linksOf(cable)) {
        if (!m_cabling.runs().of(link).empty()) return {};
        const bool flipped = m_cabling.isFlipped(link);
        links.emplace_back(flipped ? m_s.links.to[link] : m_s.links.from[link], flipped ? m_s.links.from[link] : m_s.links.to[link]);
    }
    const auto cagesOf = [&](auto side) {
        std::vector<CageId> cages;
        for (const auto& link : links)
            if (const CageId cage = m_s.ports.cage[side(link)]; std::find(cages.begin(), cages.end(), cage) == cages.end()) cages.push_back(cage);
        return cages;
    };
    const std::vector<CageId> from = cagesOf([](const auto&link) { return link.first; }), to = cagesOf([](const auto&link) { return link.second; });
    if (std::max(from.size(), to.size()) != connectors) return {};
    std::vector<Pair> all;
    for (std::size_t i = 0; i < connectors; ++i) {
        const CageId a = from[std::min(i, from.size() - 1)], b = to[std::min(i, to.size() - 1)];
        const auto link =
            std::find_if(links.begin(), links.end(), [&](const auto& l) { return m_s.ports.cage[l.first] == a && m_s.ports.cage[l.second] == b; });
        if (link == links.end()) return {};
        all.push_back({{m_s.ports.device[link->first], portName(m_s, m_parts, link->first)},
                       {m_s.ports.device[link->second], portName(m_s, m_parts, link->second)}});
    }
    return all;
}

CableLabels::CableLabels(const Snapshot& snapshot) : m_s(snapshot)
{
    if (snapshot.setting("cabling.label_unit") == "top")
        if (auto parts = ProjectParts::of(snapshot.partTypes)) m_heights = *parts;
    const std::string own = snapshot.setting("cabling.label");
    m_pieces = piecesOf(own.empty() || !fault(own).empty() ? kPattern : std::string_view(own));
}

std::vector<CableLabels::Piece> CableLabels::piecesOf(std::string_view pattern)
{
    std::vector<Piece> pieces;
    for (std::size_t at = 0; at < pattern.size();) {
        const auto open = pattern.find('{', at);
        if (open != at) pieces.push_back({std::string(pattern.substr(at, open == pattern.npos ? open : open - at)), false});
        if (open == pattern.npos) break;
        const auto close = pattern.find('}', open);
        pieces.push_back({std::string(pattern.substr(open + 1, close == pattern.npos ? close : close - open - 1)), true});
        at = close == pattern.npos ? pattern.size() : close + 1;
    }
    return pieces;
}

Text CableLabels::fault(std::string_view pattern)
{
    bool near = false;
    for (const Piece& piece : piecesOf(pattern)) {
        if (!piece.word) continue;
        std::string_view word = piece.text;
        if (word == "cable") {
            near = true;
            continue;
        }
        const bool far = word.starts_with("far_");
        if (far) word.remove_prefix(4);
        if (std::find(kLabelPlaces.begin(), kLabelPlaces.end(), word) == kLabelPlaces.end())
            return i18n("'{}' is not a label placeholder", piece.text);
        near = near || !far;
    }
    return near ? Text() : i18n("the label does not identify the end it is attached to");
}

void CableLabels::add(std::string& out, std::string_view word, CableId cable, const CablePlug& plug) const
{
    if (word == "cable") {
        out += entityName(m_s, ProjectParts(), ref(cable));
        return;
    }
    const auto rack = m_s.devices.rack[plug.device];
    const auto row = rowOf(m_s, plug.device);
    if (word == "device")
        out += m_s.devices.name[plug.device];
    else if (word == "rack") // what stands in no rack is its own place
        out += rack ? m_s.racks.name[*rack] : m_s.devices.name[plug.device];
    else if (word == "row")
        out += row ? m_s.rows.name[*row] : std::string();
    else if (word == "hall") {
        if (const auto hall = hallOf(m_s, plug.device)) out += m_s.halls.name[*hall];
    } else if (word == "u")
        out += unit(plug.device);
    else if (word == "grid")
        out += grid(plug.device);
    else if (word == "port")
        out += plug.port;
}

std::string CableLabels::unit(DeviceId device) const
{
    if (!m_s.devices.rack[device]) return "00";
    int u = m_s.devices.u[device];
    if (m_heights && u > 0) u += std::max(1, (m_heights->device(m_s.devices.type[device]).halfUnits + 1) / 2) - 1;
    return fmt::format("{:02}", u);
}

/// "AJ05": the tile in which the left front corner of the rack is, letters along the hall's x axis, numbers along y. Of what is in no rack, its own
/// corner; empty where it is not placed.
std::string CableLabels::grid(DeviceId device) const
{
    std::int64_t x = m_s.devices.x[device].count(), y = m_s.devices.y[device].count();
    const auto rack = m_s.devices.rack[device];
    if (rack) x = m_s.racks.along[*rack].count(), y = m_s.racks.across[*rack].count();
    if (const auto row = rowOf(m_s, device)) {
        const int turns = ((m_s.rows.angle[*row] / 90) % 4 + 4) % 4; // angles are multiples of 90
        for (int turn = 0; turn < turns; ++turn) std::tie(x, y) = std::pair(-y, x);
        x += m_s.rows.x[*row].count(), y += m_s.rows.y[*row].count();
    } else if (!m_s.devices.hall[device])
        return {};
    const auto tile = [](std::int64_t mm) { return std::max<std::int64_t>(0, mm / kTileMm); };
    std::string letters;
    for (std::int64_t column = tile(x); letters.size() < 2 || column > 0; column /= 26) letters.insert(letters.begin(), char('A' + column % 26));
    return fmt::format("{}{:02}", letters, tile(y) + 1);
}

std::string CableLabels::of(CableId cable, const CablePlug& near, const CablePlug& far) const
{
    std::string out;
    for (const Piece& piece : m_pieces) {
        if (!piece.word)
            out += piece.text;
        else if (piece.text.starts_with("far_"))
            add(out, std::string_view(piece.text).substr(4), cable, far);
        else
            add(out, piece.text, cable, near);
    }
    return out;
}

std::pair<std::string, std::string> CableLabels::lines(CableId cable, const CablePlug& near, const CablePlug& far) const
{
    std::string first, second, between;
    bool reached = false;
    for (const Piece& piece : m_pieces) {
        if (!piece.word) {
            (reached ? second : between) += piece.text;
            continue;
        }
        const bool isFar = piece.text.starts_with("far_");
        if (!reached && !isFar) first += std::exchange(between, {});
        reached = reached || isFar;
        if (isFar)
            add(second, std::string_view(piece.text).substr(4), cable, far);
        else
            add(reached ? second : first, piece.text, cable, near);
    }
    if (!reached) first += between;
    return {first, second};
}

} // namespace hw

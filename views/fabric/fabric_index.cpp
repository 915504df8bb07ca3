// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/fabric/fabric_index.h"

#include <algorithm>

namespace hw::views {

std::vector<FabricIndex::Run> FabricIndex::runs(const Part& part) const
{
    if (part.first != kNone) return {{part.first, part.last}};
    const Column& column = m_columns[std::size_t(part.column)];
    const auto before = [&](const Group& g, std::pair<int, int> at) { return std::pair(g.layer, m_columns[std::size_t(g.column)].order) < at; };
    const auto begin = std::lower_bound(m_groups.begin(), m_groups.end(), std::pair(part.layer, column.order), before);
    const auto end = std::lower_bound(begin, m_groups.end(), std::pair(part.layer, column.orderEnd), before);
    std::vector<Run> result;
    for (auto g = begin; g != end; ++g) {
        if (part.lane != FabricKey::kAllLanes && g->lane != part.lane) continue;
        if (!result.empty() && result.back().last == g->first)
            result.back().last = g->last;
        else
            result.push_back({g->first, g->last});
    }
    return result;
}

std::vector<FabricIndex::Run> FabricIndex::cut(Run run) const
{
    const std::uint32_t count = run.last - run.first;
    if (count <= 1) return {};
    std::uint32_t step = count <= kReadable ? 1 : kRange;
    while (step > 1 && (count + step - 1) / step > kReadable) step *= kRange;
    std::vector<Run> result;
    for (std::uint32_t at = run.first; at < run.last; at += step) result.push_back({at, std::min(at + step, run.last)});
    return result;
}

std::vector<FabricIndex::Part> FabricIndex::children(const Part& part) const
{
    std::vector<Part> result;
    if (part.first != kNone) {
        for (const Run run : cut({part.first, part.last})) result.push_back({part.layer, part.column, part.lane, run.first, run.last});
        return result;
    }
    const auto content = [&](const Part& p) { return !runs(p).empty(); };
    for (const int child : m_columns[std::size_t(part.column)].children)
        if (const Part p{part.layer, child, part.lane}; content(p)) result.push_back(p);
    std::vector<const Group*> own;
    for (const Group& g : m_groups)
        if (g.layer == part.layer && g.column == part.column && (part.lane == FabricKey::kAllLanes || g.lane == part.lane)) own.push_back(&g);
    if (result.empty() && own.size() == 1) {
        for (const Run run : cut({own[0]->first, own[0]->last})) result.push_back({part.layer, part.column, own[0]->lane, run.first, run.last});
        if (result.empty()) return {{part.layer, part.column, own[0]->lane, own[0]->first, own[0]->last}};
        return result;
    }
    if (own.empty() && result.size() == 1) {
        const auto below = children(result[0]);
        return below.empty() ? result : below;
    }
    for (const Group* g : own) result.push_back({part.layer, part.column, g->lane, g->first, g->last});
    return result;
}

FabricIndex::Sums FabricIndex::sums(std::span<const Run> runs) const
{
    Sums sums;
    sums.ports.resize(m_classes.size());
    for (const auto& [first, last] : runs) {
        const std::int64_t backup = m_backupTo[last] - m_backupTo[first];
        sums.backup += backup;
        sums.devices += std::int64_t(last) - first - backup;
        sums.upGbps += m_upTo[last] - m_upTo[first];
        sums.downGbps += m_downTo[last] - m_downTo[first];
        sums.backupGbps += m_backupGbpsTo[last] - m_backupGbpsTo[first];
        sums.peerGbps += m_peerTo[last] - m_peerTo[first];
        for (std::size_t c = 0; c < m_classes.size(); ++c) {
            sums.ports[c].total += m_portsTo[c][last] - m_portsTo[c][first];
            sums.ports[c].used += m_usedTo[c][last] - m_usedTo[c][first];
        }
    }
    return sums;
}

FabricKey FabricIndex::columnKey(int column) const
{
    const Column& c = m_columns[std::size_t(column)];
    FabricKey key;
    key.podFrom = c.podFrom, key.podTo = c.podTo, key.segmentFrom = c.segmentFrom, key.segmentTo = c.segmentTo;
    return key;
}

FabricKey FabricIndex::key(const Part& part) const
{
    FabricKey key = columnKey(part.column);
    key.tier = m_layers[std::size_t(part.layer)].tier.value;
    key.lane = part.lane;
    if (part.first == kNone) return key;
    key.firstDevice = m_devices[part.first].value;
    key.lastDevice = m_devices[part.last - 1].value;
    return key;
}

std::vector<PortId> FabricIndex::portsOf(DeviceId device) const
{
    std::vector<PortId> result;
    const auto& ports = m_snapshot->ports;
    for (const PortId id : m_plugged->portsOfDevice[device.value])
        if (ports.network[id] == m_network && ports.medium[id] == Medium::Data) result.push_back(id);
    return result;
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topology/medium_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hw {

std::shared_ptr<const MediumGraph> MediumGraph::compute(const Snapshot& s, Medium medium)
{
    auto graph = std::make_shared<MediumGraph>();
    const auto& ports = s.ports;
    const auto each = [&](auto&& f) {
        s.links.forEach([&](LinkId id) {
            const PortId from = s.links.from[id], to = s.links.to[id];
            if (ports.medium[from] == medium) f(id, ports.device[from], ports.device[to]);
        });
    };
    auto& offset = graph->m_offset;
    offset.assign(std::size_t(s.devices.nextId()) + 1, 0);
    each([&](LinkId, DeviceId from, DeviceId to) { ++offset[from.value + 1], ++offset[to.value + 1]; });
    std::partial_sum(offset.begin(), offset.end(), offset.begin());
    graph->m_arcs.resize(offset.back());
    auto next = offset;
    each([&](LinkId link, DeviceId from, DeviceId to) {
        graph->m_arcs[next[from.value]++] = {to, link, true};
        graph->m_arcs[next[to.value]++] = {from, link, false};
    });
    return graph;
}

Maybe<DeviceId> MediumGraph::supplierOf(DeviceId device) const
{
    for (const Arc& arc : arcs(device))
        if (arc.up) return arc.to;
    return {};
}

std::vector<DeviceId> MediumGraph::starvedBy(std::span<const DeviceId> lost) const
{
    const std::size_t devices = m_offset.empty() ? 0 : m_offset.size() - 1;
    std::vector<std::uint32_t> feeds(devices, 0); // that still feed
    for (std::uint32_t d = 0; d < devices; ++d) feeds[d] = std::uint32_t(std::ranges::count_if(arcs(DeviceId(d)), &Arc::up));
    std::vector<char> out(devices, 0);
    std::vector<DeviceId> open;
    const auto take = [&](DeviceId d) {
        if (d.value < devices && !std::exchange(out[d.value], 1)) open.push_back(d);
    };
    for (const DeviceId d : lost) take(d);
    while (!open.empty()) {
        const DeviceId d = open.back();
        open.pop_back();
        for (const Arc& arc : arcs(d))
            if (!arc.up && --feeds[arc.to.value] == 0) take(arc.to);
    }
    std::vector<DeviceId> starved;
    for (std::uint32_t d = 0; d < devices; ++d)
        if (out[d] && std::ranges::find(lost, DeviceId(d)) == lost.end()) starved.emplace_back(d);
    return starved;
}

} // namespace hw

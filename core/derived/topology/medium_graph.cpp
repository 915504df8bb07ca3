// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/topology/medium_graph.h"

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

} // namespace hw

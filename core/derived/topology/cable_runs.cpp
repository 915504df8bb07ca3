// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/topology/cable_runs.h"

#include <algorithm>
#include <tuple>

namespace hw {

std::span<const RunId> CableRuns::Lists::operator[](std::uint32_t owner) const
{
    if (std::size_t(owner) + 1 >= first.size()) return {};
    return {runs.data() + first[owner], runs.data() + first[owner + 1]};
}

CableRuns::Lists CableRuns::listed(std::span<const RunId> sorted, std::uint32_t owners, std::span<const std::uint32_t> ownerOf)
{
    Lists lists;
    lists.first.assign(std::size_t(owners) + 1, 0);
    for (const std::uint32_t owner : ownerOf) ++lists.first[owner + 1];
    for (std::size_t i = 1; i < lists.first.size(); ++i) lists.first[i] += lists.first[i - 1];
    lists.runs.resize(sorted.size());
    auto next = lists.first;
    for (std::size_t i = 0; i < sorted.size(); ++i) lists.runs[next[ownerOf[i]]++] = sorted[i];
    return lists;
}

CableRuns::CableRuns(const Snapshot& s)
{
    if (s.runs.empty()) return;
    m_runs = s.runs.ids();
    std::sort(m_runs.begin(), m_runs.end(),
              [&](RunId a, RunId b) { return std::tuple(s.runs.link[a], s.runs.number[a], a) < std::tuple(s.runs.link[b], s.runs.number[b], b); });
    std::vector<std::uint32_t> link, cable, panel;
    for (const RunId run : m_runs) {
        link.push_back(s.runs.link[run].value);
        cable.push_back(s.runs.cable[run].value);
        panel.push_back(s.runs.panel[run].value);
    }
    m_ofLink = listed(m_runs, s.links.nextId(), link);
    m_onCable = listed(m_runs, s.cables.nextId(), cable);
    m_overPanel = listed(m_runs, s.devices.nextId(), panel);
}

std::span<const RunId> CableRuns::of(LinkId link) const { return m_ofLink[link.value]; }
std::span<const RunId> CableRuns::on(CableId cable) const { return m_onCable[cable.value]; }
std::span<const RunId> CableRuns::over(DeviceId panel) const { return m_overPanel[panel.value]; }

DeviceId CableRuns::firstEnd(const Snapshot& s, LinkId link) const
{
    const auto runs = of(link);
    return runs.empty() ? s.ports.device[s.links.to[link]] : s.runs.panel[runs.front()];
}

DeviceId CableRuns::endOf(const Snapshot& s, RunId run) const
{
    const LinkId link = s.runs.link[run];
    const auto runs = of(link);
    const auto next = std::find(runs.begin(), runs.end(), run) + 1;
    return next == runs.end() ? s.ports.device[s.links.to[link]] : s.runs.panel[*next];
}

} // namespace hw

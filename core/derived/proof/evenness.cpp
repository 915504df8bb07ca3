// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/proof/sections.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

namespace hw::proof {

namespace {

using TierPair = NetworkProof::TierPair;

/// The commonest value; of equally common ones the largest, since cables get lost.
std::int64_t commonest(const std::map<std::int64_t, std::int64_t>& counts)
{
    return std::ranges::max_element(counts, {}, [](const auto& entry) { return std::pair(entry.second, entry.first); })->first;
}

/// Cables of the members of a tier toward another, by member; names those that differ from most.
template <class Name>
void compareMembers(const std::vector<std::int64_t>& cables, std::span<const std::uint32_t> members, ValueRange<std::int64_t>& range, TierPair& pair,
                    Name&& name)
{
    std::map<std::int64_t, std::int64_t> counts;
    for (const auto m : members) {
        range.add(cables[m]);
        ++counts[cables[m]];
    }
    if (counts.size() < 2) return;
    pair.even = false;
    const auto usual = commonest(counts);
    for (const auto m : members)
        if (cables[m] != usual) pair.where.add([&] { return i18n("{}: {} instead of {}", name(m), cables[m], usual); });
}

class Evenness {
public:
    explicit Evenness(const Graph& graph) : m_graph(graph)
    {
        std::vector<std::uint8_t> busy(graph.vertexCount(), 0);
        for (const auto& g : graph.groups())
            for (const auto& a : graph.attachments(g)) busy[a.vertex] = 1;
        for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
            if (busy[v] || !graph.arcs(v).empty()) m_members[graph.vertex(v).tier].push_back(v); // idle switches are reported elsewhere
    }

    [[nodiscard]] std::vector<TierPair> run()
    {
        std::vector<TierId> tiers;
        for (const auto& [tier, _] : m_members) tiers.push_back(tier);
        std::ranges::stable_sort(tiers, {}, [&](TierId t) { return m_graph.snapshot().tiers.level[t]; });
        compareAccess();
        for (std::size_t i = 0; i < tiers.size(); ++i)
            for (std::size_t k = i; k < tiers.size(); ++k) compareTiers(tiers[i], tiers[k]);
        return std::move(m_result);
    }

private:
    void compareTiers(TierId low, TierId high)
    {
        TierPair pair;
        pair.lower = m_graph.tierName(low), pair.upper = m_graph.tierName(high);
        std::vector<std::int64_t> up(m_graph.vertexCount(), 0), down(m_graph.vertexCount(), 0);
        std::map<std::int64_t, std::int64_t> perPair;
        for (const auto v : m_members[low])
            for (const auto& arc : m_graph.arcs(v)) {
                if (m_graph.vertex(arc.to).tier != high || (low == high && arc.to < v)) continue;
                up[v] += arc.cables;
                (low == high ? up : down)[arc.to] += arc.cables;
                pair.perPair.add(arc.cables);
                ++perPair[arc.cables];
            }
        if (perPair.empty()) return;
        const auto name = [&](std::uint32_t v) { return m_graph.vertexName(v); };
        compareMembers(up, m_members[low], pair.perLower, pair, name);
        if (low == high)
            pair.perUpper = pair.perLower;
        else
            compareMembers(down, m_members[high], pair.perUpper, pair, name);
        if (perPair.size() > 1) {
            pair.even = false;
            const auto usual = commonest(perPair);
            for (const auto v : m_members[low])
                for (const auto& arc : m_graph.arcs(v))
                    if (m_graph.vertex(arc.to).tier == high && (low != high || v < arc.to) && arc.cables != usual)
                        pair.where.add([&] { return i18n("{} - {}: {} instead of {}", name(v), name(arc.to), arc.cables, usual); });
        }
        m_result.push_back(std::move(pair));
    }

    /// Every tier of end devices, backups apart: ports of a NIC, NIC cables of a switch.
    void compareAccess()
    {
        std::map<std::pair<TierId, TierId>, std::vector<std::pair<std::uint32_t, Graph::Attachment>>> access;
        for (std::uint32_t i = 0; i < m_graph.groups().size(); ++i) {
            const auto& g = m_graph.groups()[i];
            for (const auto& a : m_graph.attachments(g))
                if (!g.backup && !a.own) access[{g.tier, m_graph.vertex(a.vertex).tier}].emplace_back(i, a);
        }
        for (const auto& [tiers, entries] : access) {
            TierPair pair;
            pair.access = true;
            pair.lower = m_graph.tierName(tiers.first), pair.upper = m_graph.tierName(tiers.second);
            std::vector<std::int64_t> perNic(m_graph.groups().size(), 0), perSwitch(m_graph.vertexCount(), 0);
            std::vector<std::uint32_t> groups, switches;
            for (const auto& [i, a] : entries) {
                if (groups.empty() || groups.back() != i) groups.push_back(i);
                if (perSwitch[a.vertex] == 0) switches.push_back(a.vertex);
                perNic[i] += a.cables;
                perSwitch[a.vertex] += std::int64_t(a.cables) * m_graph.groups()[i].nics();
                pair.perPair.add(a.cables);
            }
            std::ranges::sort(switches);
            compareMembers(perNic, groups, pair.perLower, pair, [&](std::uint32_t g) { return m_graph.nicName(m_graph.groups()[g]); });
            compareMembers(perSwitch, switches, pair.perUpper, pair, [&](std::uint32_t v) { return m_graph.vertexName(v); });
            m_result.push_back(std::move(pair));
        }
    }

    const Graph& m_graph;
    std::map<TierId, std::vector<std::uint32_t>> m_members;
    std::vector<TierPair> m_result;
};

} // namespace

std::vector<NetworkProof::TierPair> proveEvenness(const Graph& graph) { return Evenness(graph).run(); }

} // namespace hw::proof

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/proof/sections.h"

#include "core/derived/proof/quotient.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

namespace hw::proof {

namespace {

/// Which half a device's NICs are in: 0, 1, or neither.
using Sides = std::vector<std::int8_t>;
constexpr std::int8_t kNeither = -1;

class Bisections {
public:
    explicit Bisections(const Graph& graph) : m_graph(graph), m_s(graph.snapshot())
    {
        std::set<DeviceId> devices;
        bool servers = false;
        for (const auto& g : graph.groups()) {
            if (g.backup || g.attachmentStart == g.attachmentEnd) continue;
            servers = servers || m_s.tiers.kind[g.tier] == TierKind::Server;
        }
        for (const auto& g : graph.groups()) {
            const bool counts = !g.backup && g.attachmentStart != g.attachmentEnd && (!servers || m_s.tiers.kind[g.tier] == TierKind::Server);
            if (!counts) continue;
            m_groups.push_back(&g);
            for (const auto nic : graph.nics(g)) devices.insert(graph.allNics()[nic].device);
        }
        m_devices.assign(devices.begin(), devices.end());
    }

    [[nodiscard]] std::vector<NetworkProof::Bisection> run()
    {
        if (m_graph.kind() == NetworkKind::Frontend || m_graph.kind() == NetworkKind::Storage) byKind();
        if (m_graph.hasCarriers()) return std::move(m_result); // halves of the servers are the carrier's matter
        byPod();
        bySegment();
        withinSegments();
        byRail();
        if (m_result.empty()) byOrder();
        return std::move(m_result);
    }

private:
    [[nodiscard]] int pod(DeviceId d) const { return m_s.devices.pod[d]; }
    [[nodiscard]] int segment(DeviceId d) const { return m_s.devices.segment[d]; }

    /// What servers can exchange with all other end devices at once.
    void byKind()
    {
        std::vector<std::int64_t> source(m_graph.vertexCount(), 0), sink(source);
        std::set<std::string> others;
        for (const auto& g : m_graph.groups()) {
            if (g.backup) continue;
            const bool server = m_s.tiers.kind[g.tier] == TierKind::Server;
            if (!server && !g.own) continue;
            add(g, server ? source : sink, g.nics());
            if (!server) others.insert(m_graph.tierName(g.tier));
        }
        Text names;
        for (const auto& name : others) names = names.empty() ? verbatim(name) : i18n("{} and {}", names, name);
        solve("servers", i18n("servers vs {}", names), source, sink);
    }

    void byPod()
    {
        std::set<int> pods;
        for (const auto d : m_devices) pods.insert(pod(d));
        const auto half = pods.size() / 2;
        if (half == 0) return;
        const std::vector<int> order(pods.begin(), pods.end());
        const auto place = [&](DeviceId d) { return std::size_t(std::ranges::lower_bound(order, pod(d)) - order.begin()); };
        flowOfWorse(kPods, order.size(), [&](DeviceId d) { return std::pair(place(d), order.size()); });
    }

    void bySegment()
    {
        std::map<int, std::set<int>> segments; // by pod
        std::size_t most = 0;
        for (const auto d : m_devices) segments[pod(d)].insert(segment(d));
        for (const auto& [_, own] : segments) most = std::max(most, own.size());
        if (most < 2) return;
        const auto place = [&](DeviceId d) {
            const auto& own = segments[pod(d)];
            return std::pair(std::size_t(std::distance(own.begin(), own.find(segment(d)))), own.size());
        };
        flowOfWorse(segments.size() > 1 ? kSegmentsOfPods : kSegments, most, place);
    }

    void withinSegments()
    {
        std::map<std::pair<int, int>, std::vector<DeviceId>> hosts;
        for (const auto d : m_devices) hosts[{pod(d), segment(d)}].push_back(d);
        std::size_t most = 0;
        for (const auto& [_, own] : hosts) most = std::max(most, own.size());
        if (most < 2 || hosts.begin()->first == std::pair(-1, -1)) return;
        const auto place = [&](DeviceId d) {
            const auto& own = hosts[{pod(d), segment(d)}];
            return std::pair(std::size_t(std::ranges::lower_bound(own, d) - own.begin()), own.size());
        };
        flow("hosts", halvesText(most, hosts.size() > 1 ? TextId("hosts {} vs {} of every segment") : TextId("hosts {} vs {}")), sidesBy(place));
    }

    void byOrder()
    {
        if (m_devices.size() < 2) return;
        const auto place = [&](DeviceId d) {
            return std::pair(std::size_t(std::ranges::lower_bound(m_devices, d) - m_devices.begin()), m_devices.size());
        };
        flow("hosts", halvesText(m_devices.size(), TextId("end devices {} vs {}")), sidesBy(place));
    }

    void byRail()
    {
        std::set<int> rails;
        for (const auto* g : m_groups)
            if (g->rail >= 0) rails.insert(g->rail);
        if (rails.size() < 2) return;
        std::vector<std::int64_t> source(m_graph.vertexCount(), 0), sink(source);
        std::size_t place = 0;
        std::map<int, bool> second;
        for (const auto rail : rails) second[rail] = place++ >= rails.size() / 2;
        for (const auto* g : m_groups)
            if (g->rail >= 0 && (rails.size() % 2 == 0 || g->rail != *rails.rbegin())) add(*g, second[g->rail] ? sink : source, g->nics());
        solve("rails", halvesText(rails.size(), TextId("rails {} vs {}")), source, sink);
    }

    /// "pods 1-4 against 5-8": the lower half, and as many that follow; one left over stays out.
    static Text halvesText(std::size_t count, TextId against)
    {
        const auto half = count / 2;
        const auto range = [](std::size_t from, std::size_t to) { return from == to ? fmt::format("{}", from) : fmt::format("{}-{}", from, to); };
        return texts::made(Text::Kind::Pattern, against.id, {}, {range(1, half), range(half + 1, 2 * half)});
    }

    /// What has halves, and how they are called.
    struct Level {
        const char* name;
        TextId against, odd;
    };
    static constexpr Level kPods{"pods", TextId("pods {} vs {}"), TextId("odd vs even pods")};
    static constexpr Level kSegments{"segments", TextId("segments {} vs {}"), TextId("odd vs even segments")};
    static constexpr Level kSegmentsOfPods{"segments", TextId("segments {} vs {} of every pod"), TextId("odd vs even segments of every pod")};

    template <class Place>
    void flowOfWorse(const Level& level, std::size_t count, Place&& place)
    {
        flow(level.name, halvesText(count, level.against), sidesBy(place));
        if (count < 4) return;
        flow(level.name, level.odd, sidesBy([&](DeviceId d) {
                 const auto [at, of] = place(d);
                 return std::pair(at < of / 2 * 2 ? at % 2 * (of / 2) : at, of);
             }));
        const auto last = m_result.end() - 1, before = m_result.end() - 2;
        m_result.erase(last->fraction() < before->fraction() ? before : last);
    }

    /// `place` gives (place, of how many) of a device; the last of an odd number is in neither half.
    template <class Place>
    Sides sidesBy(Place&& place) const
    {
        Sides sides(m_s.devices.nextId(), kNeither);
        for (const auto d : m_devices) {
            const auto [at, of] = place(d);
            sides[d.value] = at < of / 2 ? 0 : at < of / 2 * 2 ? 1 : kNeither;
        }
        return sides;
    }

    void add(const Graph::Group& g, std::vector<std::int64_t>& capacity, std::int64_t nics) const
    {
        for (const auto& a : m_graph.attachments(g)) capacity[a.vertex] += a.gbps * nics;
    }

    void flow(std::string level, Text halves, const Sides& sides)
    {
        std::vector<std::int64_t> source(m_graph.vertexCount(), 0), sink(source);
        for (const auto* g : m_groups) {
            std::int64_t in[2] = {0, 0};
            for (const auto nic : m_graph.nics(*g))
                if (const auto side = sides[m_graph.allNics()[nic].device.value]; side != kNeither) ++in[side];
            add(*g, source, in[0]);
            add(*g, sink, in[1]);
        }
        solve(std::move(level), std::move(halves), source, sink);
    }

    void solve(std::string level, Text halves, const std::vector<std::int64_t>& source, const std::vector<std::int64_t>& sink)
    {
        const auto total = [](const auto& v) { return std::accumulate(v.begin(), v.end(), std::int64_t(0)); };
        const auto wanted = std::min(total(source), total(sink));
        if (wanted == 0) return;
        const auto result = quotientFlow(m_graph, source, sink);
        m_result.push_back({std::move(level), std::move(halves), wanted, result.gbps, result.cells});
    }

    const Graph& m_graph;
    const Snapshot& m_s;
    std::vector<const Graph::Group*> m_groups;
    std::vector<DeviceId> m_devices; ///< ascending
    std::vector<NetworkProof::Bisection> m_result;
};

} // namespace

std::vector<NetworkProof::Bisection> proveBisections(const Graph& graph) { return Bisections(graph).run(); }

} // namespace hw::proof

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/proof/sections.h"

#include "core/derived/proof/disjoint.h"
#include "core/derived/proof/paths.h"
#include "core/derived/proof/quotient.h"
#include "core/derived/proof/single_points.h"
#include "core/derived/proof/symmetry.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace hw::proof {

namespace {

/// End devices of more kinds than these (management has a dozen) are reported together.
constexpr std::size_t kMostTiers = 4;

/// How two NICs stand to each other, nearest first.
struct Relation {
    TierId from, to; ///< tiers of their devices, the lower id first, where there are few
    int place = 0;   ///< 0 same segment, 1 other segment, 2 other pod, 3 one of them in no pod
    int rail = 0;    ///< 0 same, 1 other
    auto operator<=>(const Relation&) const = default;
};

class PairProof {
public:
    PairProof(const Graph& graph, const Progress& progress, NetworkProof& out, std::uint64_t mostArcs)
        : m_graph(graph), m_progress(progress), m_out(out), m_mostArcs(mostArcs), m_counter(graph),
          m_byCable(graph, DisjointPaths::Sharing::NoCableReason), m_bySwitch(graph, DisjointPaths::Sharing::NoSwitch)
    {
        std::set<int> pods, rails;
        std::set<std::pair<int, int>> segments;
        std::set<TierId> tiers;
        for (std::uint32_t g = 0; g < graph.groups().size(); ++g) {
            const auto& group = graph.groups()[g];
            if (group.backup || group.attachmentStart == group.attachmentEnd) continue;
            m_active.push_back(g);
            pods.insert(group.pod), rails.insert(group.rail), segments.insert({group.pod, group.segment}), tiers.insert(group.tier);
        }
        m_domain = domainsOf(graph);
        m_manyTiers = tiers.size() > 1 && tiers.size() <= kMostTiers;
        m_manyRails = rails.size() > 1, m_manyPods = pods.size() - pods.count(-1) > 1, m_manySegments = segments.size() > pods.size();
    }

    /// False when stopped.
    bool run()
    {
        const Partition classes = classesOf(m_graph);
        std::set<std::uint32_t> groupCells(classes.cell.begin() + m_graph.vertexCount(), classes.cell.end());
        Symmetry symmetry(m_graph, groupCells.size());
        const auto sources = symmetry.sources();
        auto& method = m_out.method;
        method.classes = classes.cells;
        method.twins = std::int64_t(m_graph.groups().size());
        method.sourceClasses = std::int64_t(sources.size());
        const std::size_t stride = strideFor(sources.size());
        method.exhaustive = stride == 1;
        for (std::size_t i = 0; i < sources.size(); i += stride) {
            if (m_progress.stopRequested()) return false;
            ++method.sources;
            countFrom(sources[i]);
            if (!solveFrom(sources[i], symmetry)) return false;
        }
        for (auto& [_, pair] : m_pairs) m_out.pairs.push_back(std::move(pair));
        return true;
    }

private:
    [[nodiscard]] std::uint64_t arcsPerSource() const { return (m_graph.arcCount() + m_active.size() + 1) * 4; }
    [[nodiscard]] std::size_t strideFor(std::size_t sources) const { return std::max<std::size_t>(1, sources * arcsPerSource() / m_mostArcs); }

    [[nodiscard]] Relation relation(std::uint32_t a, std::uint32_t b) const
    {
        const auto &x = m_graph.groups()[a], &y = m_graph.groups()[b];
        const auto low = m_manyTiers ? std::min(x.tier, y.tier) : TierId(), high = m_manyTiers ? std::max(x.tier, y.tier) : TierId();
        const int place = x.pod != y.pod ? (x.pod < 0 || y.pod < 0 ? 3 : 2) : x.segment != y.segment ? 1 : 0;
        return {low, high, place, x.rail != y.rail ? 1 : 0};
    }

    [[nodiscard]] Text label(const Relation& r) const
    {
        std::vector<Text> parts;
        if (m_manyTiers) parts.push_back(i18n("{} to {}", m_graph.tierName(r.from), m_graph.tierName(r.to)));
        if (m_manyRails) parts.push_back(r.rail ? i18n("different rail") : i18n("same rail"));
        if (r.place == 2)
            parts.push_back(i18n("different pod"));
        else if (r.place == 3 && !m_manyTiers)
            parts.push_back(i18n("one NIC outside the pods"));
        else if (r.place != 3 && m_manySegments)
            parts.push_back(r.place ? i18n("different segment") : i18n("same segment"));
        else if (r.place != 3 && m_manyPods)
            parts.push_back(i18n("same pod"));
        return parts.empty() ? i18n("any two NICs") : listed(std::move(parts));
    }

    NetworkProof::PairClass& classOf(std::uint32_t a, std::uint32_t b)
    {
        const Relation r = relation(a, b);
        const auto it = m_pairs.try_emplace(std::tuple(r.from, r.to, r.rail, r.place)).first;
        if (it->second.label.empty()) it->second.label = label(r), it->second.otherRail = r.rail != 0;
        return it->second;
    }

    [[nodiscard]] bool isPair(std::uint32_t a, std::uint32_t b) const
    {
        const auto &x = m_graph.groups()[a], &y = m_graph.groups()[b];
        return m_domain[a] == m_domain[b] && (x.own || y.own) && (a != b || x.nics() > 1);
    }

    void countFrom(std::uint32_t source)
    {
        m_counter.aimFrom(source);
        for (const auto target : m_active) {
            if (!isPair(source, target)) continue;
            auto& pair = classOf(source, target);
            const PathCount count = m_counter.to(target);
            if (!count.reachable) {
                pair.reachable = false;
                continue;
            }
            const bool fewer = !pair.paths.any || count.paths < pair.paths.min;
            if (fewer) pair.fewest = i18n("{} to {}", m_graph.nicName(m_graph.groups()[source]), nameOfOther(source, target));
            if (!pair.paths.any || count.paths > pair.paths.max) describeChoices(pair, source, target);
            pair.hops.add(count.hops);
            pair.paths.add(count.paths);
            pair.pathsPerPort.add(count.leastPerPort);
            pair.pathsPerPort.add(count.mostPerPort);
        }
    }

    [[nodiscard]] std::string nameOfOther(std::uint32_t source, std::uint32_t target) const
    {
        const auto nics = m_graph.nics(m_graph.groups()[target]);
        return m_graph.nicName(source == target ? nics[1] : nics[0]);
    }

    void describeChoices(NetworkProof::PairClass& pair, std::uint32_t source, std::uint32_t target)
    {
        pair.choices.clear();
        for (const Hop& hop : choicesOnTheWay(m_graph, source, target))
            pair.choices.push_back({m_graph.tierName(m_graph.vertex(hop.vertex).tier), hop.choices, hop.ports, hop.up});
    }

    /// Cuts are the same from either end, so a target that an earlier source stands for was solved from there.
    bool solveFrom(std::uint32_t source, Symmetry& symmetry)
    {
        for (const auto target : symmetry.targets(source)) {
            if (!isPair(source, target) || symmetry.sourceOf(target) < source) continue;
            if (m_progress.stopRequested()) return false;
            if (m_byCable.work() + m_bySwitch.work() > m_mostArcs) {
                m_out.method.exhaustive = false;
                return true;
            }
            ++m_out.method.pairs;
            solve(source, target);
        }
        return true;
    }

    /// One cable, so one path at most, through that cable and its switch.
    [[nodiscard]] bool hangsOnOneCable(std::uint32_t group) const
    {
        const auto attachments = m_graph.attachments(m_graph.groups()[group]);
        return attachments.size() == 1 && attachments[0].cables == 1 && !attachments[0].own;
    }

    void solve(std::uint32_t source, std::uint32_t target)
    {
        auto& pair = classOf(source, target);
        const bool named = m_out.cableCut.size == 1 && m_out.switchCut.size == 1;
        if (named && (hangsOnOneCable(source) || hangsOnOneCable(target))) {
            const std::int64_t paths = m_counter.to(target).reachable;
            pair.disjointCables.add(paths);
            pair.disjointSwitches.add(paths);
            return;
        }
        const auto cables = m_byCable.between(source, target), switches = m_bySwitch.between(source, target);
        pair.disjointCables.add(cables);
        pair.disjointSwitches.add(switches);
        if (cables == 0) return;
        const auto keep = [&](NetworkProof::Cut& cut, std::int64_t size, const DisjointPaths& solved) {
            if (cut.size > 0 && cut.size <= size) return;
            cut = {size, solved.cut(), i18n("{} and {}", m_graph.nicName(m_graph.groups()[source]), nameOfOther(source, target))};
        };
        keep(m_out.cableCut, cables, m_byCable);
        keep(m_out.switchCut, switches, m_bySwitch);
    }

    const Graph& m_graph;
    const Progress& m_progress;
    NetworkProof& m_out;
    std::uint64_t m_mostArcs;
    std::vector<std::uint32_t> m_active;
    std::vector<std::uint32_t> m_domain;
    bool m_manyTiers = false, m_manyRails = false, m_manyPods = false, m_manySegments = false;
    std::map<std::tuple<TierId, TierId, int, int>, NetworkProof::PairClass> m_pairs;
    PathCounter m_counter;
    DisjointPaths m_byCable, m_bySwitch;
};

} // namespace

bool provePaths(const Graph& graph, const Progress& progress, NetworkProof& proof, std::uint64_t mostArcs)
{
    return PairProof(graph, progress, proof, mostArcs).run();
}

} // namespace hw::proof

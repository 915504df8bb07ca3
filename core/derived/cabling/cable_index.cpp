// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cabling/cable_index.h"

#include "core/derived/cabling/cable_ends.h"
#include "core/foundation/base/disjoint_sets.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace hw {

namespace {

class IndexBuilder {
public:
    IndexBuilder(const Snapshot& snapshot, const ProjectParts& parts, const Routing& routing)
        : m_snapshot(snapshot), m_parts(parts), m_routing(routing),
          m_choice(std::make_shared<CableChoice>(snapshot.partTypes, parts, FiberLoss::of(snapshot))), m_sockets(snapshot, parts),
          m_loss(FiberLoss::of(snapshot))
    {
    }

    std::shared_ptr<const CableIndex> run()
    {
        m_index->runs = std::make_shared<CableRuns>(m_snapshot);
        placeDevices();
        gatherEnds();
        gatherLinks();
        gatherBehind();
        gatherPairs();
        classify();
        own();
        bundle();
        for (const auto& members : m_index->bundles) m_index->copperOf.push_back(copperFor(members));
        m_index->choice = m_choice;
        return m_index;
    }

private:
    void placeDevices()
    {
        const auto& d = m_snapshot.devices;
        m_index->heightMm.assign(d.nextId(), 0);
        m_rackOf.assign(d.nextId(), Routing::kNoPair);
        d.forEach([&](DeviceId id) {
            const std::int64_t half = std::int64_t(m_parts.device(d.type[id]).halfUnits) * kRackUnitUm / 4000;
            m_index->heightMm[id.value] = heightOfUnitMm(d.u[id]) + std::int32_t(half);
            if (d.rack[id]) m_rackOf[id.value] = (*d.rack[id]).value;
        });
        for (const DeviceId id : m_routing.stands()) {
            m_rackOf[id.value] = (*m_routing.endOf(m_snapshot, id)).value;
            m_index->heightMm[id.value] = CableIndex::kOnFloor;
        }
    }

    void gatherEnds()
    {
        if (m_index->runs->empty()) return;
        m_index->firstEnd.resize(m_snapshot.links.nextId());
        m_snapshot.links.forEach([&](LinkId link) { m_index->firstEnd[link.value] = m_index->runs->firstEnd(m_snapshot, link); });
    }

    /// Cables behind panels. What runs of one cable say of its ends should agree; the first is taken.
    void gatherBehind()
    {
        if (m_index->runs->empty()) return;
        m_index->behindOf.assign(m_snapshot.cables.nextId(), CableIndex::kAlone);
        m_snapshot.cables.forEach([&](CableId id) {
            const auto runs = m_index->runs->on(id);
            if (runs.empty()) return;
            const DeviceId from = m_snapshot.runs.panel[runs.front()], to = m_index->runs->endOf(m_snapshot, runs.front());
            m_index->behindOf[id.value] = std::uint32_t(m_index->behind.size());
            m_index->behind.push_back({from, to, m_routing.pairOfRun(runs.front()), placeFlags(from, to)});
            for (DeviceId last = to; const RunId run : runs) {
                const DeviceId end = m_index->runs->endOf(m_snapshot, run);
                if (end == last || m_rackOf[end.value] != m_rackOf[to.value]) continue;
                m_index->behind.back().legs.push_back(last = end);
            }
        });
    }

    void gatherLinks()
    {
        const auto& links = m_snapshot.links;
        const auto& ports = m_snapshot.ports;
        const auto& runs = m_snapshot.runs;
        auto& first = m_index->firstLink;
        first.assign(m_snapshot.cables.nextId() + 1, 0);
        m_index->ends.resize(links.nextId());
        runs.forEach([&](RunId run) { ++first[runs.cable[run].value + 1]; });
        m_index->flags.assign(links.nextId(), 0);
        links.forEach([&](LinkId link) {
            const auto cable = links.cable[link];
            if (!cable) return;
            ++first[(*cable).value + 1];
            const PortId a = links.from[link], b = links.to[link];
            m_index->ends[link.value] = {ports.device[a], ports.device[b]};
            m_index->flags[link.value] = placeFlags(m_index->ends[link.value].from, m_index->endOfFirst(link));
        });
        for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
        m_index->links.resize(first.back());
        std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
        links.forEach([&](LinkId link) {
            if (const auto cable = links.cable[link]) m_index->links[next[(*cable).value]++] = link;
            for (const RunId run : m_index->runs->of(link)) m_index->links[next[runs.cable[run].value]++] = link;
        });
    }

    std::uint8_t placeFlags(DeviceId from, DeviceId to) const
    {
        const std::uint32_t rackA = m_rackOf[from.value], rackB = m_rackOf[to.value];
        if (rackA == Routing::kNoPair || rackB == Routing::kNoPair) return 0;
        if (rackA == rackB) return CableIndex::kSameRack;
        return rackA > rackB ? CableIndex::kFromIsB : std::uint8_t(0);
    }

    /// Calls f(pair) for every pair that the cable's links go between, each once.
    template <class F>
    void forPairs(CableId cable, F&& f) const
    {
        if (m_index->isBehind(cable)) {
            const std::uint32_t pair = m_index->behind[m_index->behindOf[cable.value]].pair;
            if (pair != Routing::kNoPair) f(pair);
            return;
        }
        const auto links = m_index->linksOf(cable);
        for (std::size_t i = 0; i < links.size(); ++i) {
            const std::uint32_t pair = m_routing.pairOfLink(links[i]);
            if (pair == Routing::kNoPair) continue;
            const auto seen = links.first(i);
            if (std::none_of(seen.begin(), seen.end(), [&](LinkId l) { return m_routing.pairOfLink(l) == pair; })) f(pair);
        }
    }

    void gatherPairs()
    {
        auto& first = m_index->firstCable;
        first.assign(m_routing.pairs().size() + 1, 0);
        m_snapshot.cables.forEach([&](CableId id) { forPairs(id, [&](std::uint32_t pair) { ++first[pair + 1]; }); });
        for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
        m_index->cables.resize(first.back());
        std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
        m_snapshot.cables.forEach([&](CableId id) { forPairs(id, [&](std::uint32_t pair) { m_index->cables[next[pair]++] = id; }); });
    }

    void classify()
    {
        CableEnds ends(m_snapshot, m_parts, *m_choice);
        m_index->classOf.assign(m_snapshot.cables.nextId(), 0);
        m_snapshot.cables.forEach([&](CableId id) {
            const auto links = m_index->linksOf(id);
            if (links.empty() || m_snapshot.cables.medium[id] != Medium::Data || m_index->isBehind(id)) return;
            CableClass key = ends.classOf(links);
            key.type = m_snapshot.cables.type[id];
            if (const auto runs = m_index->runs->of(links.front()); !runs.empty()) takePanels(key, runs);
            for (std::size_t i = 0; i < links.size(); ++i)
                if (ends.flipped(i)) m_index->flags[links[i].value] |= CableIndex::kFlipped;
            if (!(m_known && key == m_lastKey)) m_lastClass = m_choice->classNumber(key);
            m_known = true;
            m_lastKey = key;
            m_index->classOf[id.value] = std::uint16_t(m_lastClass);
        });
    }

    /// What the panels on the way ask of the choice.
    void takePanels(CableClass& key, std::span<const RunId> runs) const
    {
        key.panels = std::uint8_t(std::min<std::size_t>(runs.size(), 255));
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const PanelSpec& panel = m_parts.device(m_snapshot.devices.type[m_snapshot.runs.panel[runs[i]]]).panel;
            const auto stated = std::int32_t(std::lround(1000 * panel.pairLoss.value));
            const std::int32_t rear = panel.rear.empty() || panel.rear == panel.connector ? 0 : m_loss.pair(panel.rear);
            key.jointsMdb += stated > 0 ? stated : m_loss.pair(panel.connector) + rear;
            const auto type = m_snapshot.cables.type[m_snapshot.runs.cable[runs[i]]];
            if (i + 1 == runs.size() || !type) continue; // the last run is a cord like the first
            if (!key.trunk) key.trunk = type;
            key.jointsMdb += m_loss.trunkSplices * m_loss.splice;
        }
        key.panel = m_snapshot.devices.type[m_snapshot.runs.panel[runs.front()]];
    }

    /// Calls f(link, cable, socket, flag) for both ends of all links on data cables.
    template <class F>
    void forEnds(F&& f) const
    {
        const auto& links = m_snapshot.links;
        links.forEach([&](LinkId link) {
            const auto cable = links.cable[link];
            if (!cable || m_snapshot.cables.medium[*cable] != Medium::Data || m_index->isBehind(*cable)) return;
            f(link, *cable, m_sockets.of(m_snapshot.ports.cage[links.from[link]]), CableIndex::kOwnsFrom);
            f(link, *cable, m_sockets.of(m_snapshot.ports.cage[links.to[link]]), CableIndex::kOwnsTo);
        });
    }

    /// A module counts with the first link of its socket that gets one.
    void own()
    {
        std::vector<char> seen(m_sockets.size(), 0);
        forEnds([&](LinkId link, CableId cable, std::uint32_t socket, std::uint8_t flag) {
            if (m_choice->possible(m_index->classOf[cable.value]) && !std::exchange(seen[socket], 1)) m_index->flags[link.value] |= flag;
        });
    }

    void bundle()
    {
        m_index->bundleOf.assign(m_snapshot.cables.nextId(), CableIndex::kAlone);
        std::vector<std::uint32_t> last(m_sockets.size(), CableIndex::kAlone);
        DisjointSets joined;
        forEnds([&](LinkId, CableId cable, std::uint32_t socket, std::uint8_t) {
            const std::uint32_t before = std::exchange(last[socket], cable.value);
            if (before == CableIndex::kAlone || before == cable.value) return;
            joined.grow(m_snapshot.cables.nextId());
            joined.join(before, cable.value);
        });
        if (joined.size() == 0) return;
        std::vector<std::uint32_t> members(joined.size(), 0);
        for (std::uint32_t cable = 0; cable < joined.size(); ++cable) ++members[joined.find(cable)];
        m_snapshot.cables.forEach([&](CableId id) {
            const auto first = joined.find(id.value);
            if (members[first] < 2) return;
            auto& number = m_index->bundleOf[first]; // the root has the lowest id of its bundle
            if (number == CableIndex::kAlone) {
                number = std::uint32_t(m_index->bundles.size());
                m_index->bundles.emplace_back();
            }
            m_index->bundleOf[id.value] = number;
            m_index->bundles[number].push_back(id);
        });
    }

    /// A bundle that one assembly of copper could be: cables alike, which fill one socket at one side, and go to one
    /// that they fill too, or to a socket each.
    std::uint32_t copperFor(const std::vector<CableId>& members)
    {
        std::set<std::uint32_t> lower, upper;
        const std::uint32_t number = m_index->classOf[members.front().value];
        for (const CableId id : members) {
            if (m_index->classOf[id.value] != number) return CableChoice::kNone;
            for (const LinkId link : m_index->linksOf(id)) {
                const bool flipped = m_index->flags[link.value] & CableIndex::kFlipped;
                const auto from = m_sockets.of(m_snapshot.ports.cage[m_snapshot.links.from[link]]),
                           to = m_sockets.of(m_snapshot.ports.cage[m_snapshot.links.to[link]]);
                lower.insert(flipped ? to : from);
                upper.insert(flipped ? from : to);
            }
        }
        const CableClass key = m_choice->keyOf(number);
        const bool trunkFrom = lower.size() == 1;
        if (!trunkFrom && upper.size() != 1) return CableChoice::kNone;
        const CableEnd &trunk = trunkFrom ? key.from : key.to, &leg = trunkFrom ? key.to : key.from;
        const std::size_t perCable = trunkFrom ? key.shape.to : key.shape.from, legs = std::max(lower.size(), upper.size());
        const bool full = trunk.connectors == members.size() && trunk.jacks == 1;
        const bool straight = legs == 1 && leg.connectors == members.size(), broken = legs == members.size() * perCable && leg.connectors == 1;
        return full && (straight || broken) ? m_choice->copperNumber(key, trunkFrom, int(legs)) : CableChoice::kNone;
    }

    const Snapshot& m_snapshot;
    const ProjectParts& m_parts;
    const Routing& m_routing;
    std::shared_ptr<CableChoice> m_choice;
    std::shared_ptr<CableIndex> m_index = std::make_shared<CableIndex>();
    Sockets m_sockets;
    FiberLoss m_loss;
    std::vector<std::uint32_t> m_rackOf;
    CableClass m_lastKey;
    std::uint32_t m_lastClass = 0;
    bool m_known = false;
};

} // namespace

std::shared_ptr<const CableIndex> CableIndex::build(const Snapshot& snapshot, const ProjectParts& parts, const Routing& routing)
{
    return IndexBuilder(snapshot, parts, routing).run();
}

} // namespace hw

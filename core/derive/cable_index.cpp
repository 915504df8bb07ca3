// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derive/cable_index.h"

#include <algorithm>

namespace hw {

namespace {

class IndexBuilder {
public:
    IndexBuilder(const Snapshot& snapshot, const ProjectParts& parts, const Routing& routing)
        : m_snapshot(snapshot), m_parts(parts), m_routing(routing), m_choice(std::make_shared<CableChoice>(snapshot.partTypes, parts))
    {
    }

    std::shared_ptr<const CableIndex> run()
    {
        placeDevices();
        gatherLinks();
        gatherPairs();
        classify();
        m_index->choice = m_choice;
        return m_index;
    }

private:
    void placeDevices()
    {
        const auto& d = m_snapshot.devices;
        m_index->heightMm.assign(d.nextId(), 0);
        m_rackOf.assign(d.nextId(), Routing::kNoPair);
        m_typeOf.assign(d.nextId(), 0);
        d.forEach([&](DeviceId id) {
            const std::int64_t half = std::int64_t(m_parts.device(d.type[id]).halfUnits) * kRackUnitUm / 4000;
            m_index->heightMm[id.value] = heightOfUnitMm(d.u[id]) + std::int32_t(half);
            if (d.rack[id]) m_rackOf[id.value] = (*d.rack[id]).value;
            m_typeOf[id.value] = d.type[id].value;
        });
    }

    void gatherLinks()
    {
        const auto& links = m_snapshot.links;
        const auto& ports = m_snapshot.ports;
        auto& first = m_index->firstLink;
        first.assign(m_snapshot.cables.nextId() + 1, 0);
        m_index->ends.resize(links.nextId());
        m_index->flags.assign(links.nextId(), 0);
        std::vector<char> cageSeen(m_snapshot.cages.nextId(), 0);
        links.forEach([&](LinkId link) {
            const auto cable = links.cable[link];
            if (!cable) return;
            ++first[(*cable).value + 1];
            const PortId a = links.from[link], b = links.to[link];
            m_index->ends[link.value] = {ports.device[a], ports.device[b]};
            std::uint8_t flags = placeFlags(link);
            if (!std::exchange(cageSeen[ports.cage[a].value], 1)) flags |= CableIndex::kOwnsFrom;
            if (!std::exchange(cageSeen[ports.cage[b].value], 1)) flags |= CableIndex::kOwnsTo;
            m_index->flags[link.value] = flags;
        });
        for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
        m_index->links.resize(first.back());
        std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
        links.forEach([&](LinkId link) {
            if (const auto cable = links.cable[link]) m_index->links[next[(*cable).value]++] = link;
        });
    }

    std::uint8_t placeFlags(LinkId link) const
    {
        const auto [from, to] = m_index->ends[link.value];
        const std::uint32_t rackA = m_rackOf[from.value], rackB = m_rackOf[to.value];
        if (rackA == Routing::kNoPair || rackB == Routing::kNoPair) return 0;
        if (rackA == rackB) return CableIndex::kSameRack;
        return rackA > rackB ? CableIndex::kFromIsB : std::uint8_t(0);
    }

    /// Calls f(pair) for every pair that the cable's links go between, each once.
    template <class F>
    void forPairs(CableId cable, F&& f) const
    {
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
        m_slugs.resize(m_snapshot.partTypes.nextId());
        m_index->classOf.assign(m_snapshot.cables.nextId(), 0);
        m_snapshot.cables.forEach([&](CableId id) {
            const auto links = m_index->linksOf(id);
            if (links.empty() || m_snapshot.cables.medium[id] != Medium::Data) return;
            CableClass key;
            key.from = endOf(links, true);
            key.to = endOf(links, false);
            key.rateGbps = m_snapshot.ports.rate[m_snapshot.links.from[links.front()]].count();
            key.type = m_snapshot.cables.type[id];
            if (!(m_known && key == m_lastKey)) m_lastClass = m_choice->classNumber(key);
            m_known = true;
            m_lastKey = key;
            m_index->classOf[id.value] = std::uint16_t(m_lastClass);
        });
    }

    CableEnd endOf(std::span<const LinkId> links, bool lower)
    {
        const auto& ports = m_snapshot.ports;
        const auto cageAt = [&](LinkId l) { return ports.cage[lower ? m_snapshot.links.from[l] : m_snapshot.links.to[l]]; };
        const CageId cage = cageAt(links.front());
        CableEnd end;
        for (std::size_t i = 1; i < links.size(); ++i) {
            const CageId other = cageAt(links[i]);
            const auto seen = links.first(i);
            if (std::none_of(seen.begin(), seen.end(), [&](LinkId l) { return cageAt(l) == other; })) ++end.cages;
        }
        const auto& cages = m_snapshot.cages;
        end.split = std::max<std::uint8_t>(cages.split[cage], 1);
        end.module = cages.module[cage];
        end.slug = slugOf(m_typeOf[cages.device[cage].value], cages.number[cage]);
        return end;
    }

    std::uint32_t slugOf(std::uint32_t type, std::uint16_t interface)
    {
        auto& slugs = m_slugs[type];
        if (slugs.empty())
            for (const Interface& i : m_parts.device(PartTypeId(type)).interfaces) slugs.push_back(m_choice->slugNumber(i.slug));
        return interface < slugs.size() ? slugs[interface] : m_choice->slugNumber({});
    }

    const Snapshot& m_snapshot;
    const ProjectParts& m_parts;
    const Routing& m_routing;
    std::shared_ptr<CableChoice> m_choice;
    std::shared_ptr<CableIndex> m_index = std::make_shared<CableIndex>();
    std::vector<std::uint32_t> m_rackOf, m_typeOf;
    std::vector<std::vector<std::uint32_t>> m_slugs; ///< by device type, then interface
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

// SPDX-License-Identifier: GPL-3.0-or-later
// The cooling of a design as a one-line diagram.
#include "core/derived/oneline/one_line.h"

#include "core/derived/cooling/chain.h"
#include "core/foundation/model/places.h"

#include <algorithm>

namespace hw {

namespace {

/// Milliwatts of a number of watts; nothing below nothing.
Milliwatts heatOf(double watts) { return Milliwatts(std::int64_t(std::max(0.0, watts) * 1000)); }

/// Gathers elements from the cooling chain: equipment by tier, then the racks that liquid cools, then the air of rooms.
class CoolingLineBuilder {
public:
    CoolingLineBuilder(const Figures& figures, OneLine& line)
        : m_figures(figures), m_s(*figures.snapshot), m_chain(figures.get<CoolingChainNode>()), m_line(line),
          m_ofDevice(m_s.devices.nextId(), OneLine::kNone), m_ofRack(m_s.racks.nextId(), OneLine::kNone),
          m_ofLoop(m_chain.loops.size(), OneLine::kNone)
    {
    }

    void build()
    {
        addUnits();
        addCabinets();
        addAir();
        for (const CoolantPath& way : m_chain.ways) feed(elementOf(way.taker), elementOf(way.feeder));
        feedImplied();
        cutCircles();
    }

private:
    [[nodiscard]] const CoolingLoop* loop(std::int32_t number) const { return number < 0 ? nullptr : &m_chain.loops[std::size_t(number)]; }

    /// Manifolds belong to their rack.
    [[nodiscard]] bool inCabinet(DeviceId id) const { return m_s.devices.rack[id].has_value() && m_chain.taker(id) != nullptr; }

    void addUnits()
    {
        std::vector<TierId> tiers;
        std::vector<std::vector<const CoolingUnit*>> ofTier(m_s.tiers.nextId());
        for (const CoolingUnit& unit : m_chain.units)
            if (!inCabinet(unit.device)) ofTier[m_s.devices.tier[unit.device].value].push_back(&unit);
        m_s.tiers.forEach([&](TierId id) {
            if (!ofTier[id.value].empty()) tiers.push_back(id);
        });
        std::ranges::stable_sort(tiers, {}, [&](TierId id) { return m_s.tiers.level[id]; });
        for (const TierId tier : tiers) addTier(tier, ofTier[tier.value]);
    }

    void addTier(TierId tier, std::vector<const CoolingUnit*> units)
    {
        std::ranges::stable_sort(units, {}, [](const CoolingUnit* unit) { return unit->element; }); // a tier may hold several kinds
        for (const CoolingUnit* unit : units) {
            const bool fresh =
                m_line.groups.empty() || m_line.groups.back().tier != Maybe<TierId>(tier) || m_line.groups.back().cooling != unit->element;
            if (fresh)
                startGroup(
                    {.cooling = unit->element, .tier = tier, .label = m_s.tiers.label[tier].empty() ? m_s.tiers.name[tier] : m_s.tiers.label[tier]});
            addUnit(*unit);
        }
    }

    void startGroup(OneLineGroup group)
    {
        group.first = group.last = std::uint32_t(m_line.elements.size());
        m_line.groups.push_back(std::move(group));
    }

    OneLineElement& add(OneLineElement element, OneLineCoolant coolant)
    {
        element.group = std::uint32_t(m_line.groups.size() - 1);
        m_line.elements.push_back(std::move(element));
        m_line.coolant.push_back(std::move(coolant));
        m_line.groups.back().last = std::uint32_t(m_line.elements.size());
        return m_line.elements.back();
    }

    [[nodiscard]] OneLineCoolant coolantOf(const CoolingLoop* loop) const
    {
        OneLineCoolant coolant;
        if (!loop) return coolant;
        coolant.supplyC = loop->supplyC, coolant.returnC = loop->returnC;
        coolant.redundancy = loop->redundancy(), coolant.loop = loop->name, coolant.fits = loop->fits;
        return coolant;
    }

    void addUnit(const CoolingUnit& unit)
    {
        const DeviceId id = unit.device;
        m_ofDevice[id.value] = std::uint32_t(m_line.elements.size());
        OneLineCoolant coolant = coolantOf(loop(unit.feeds));
        coolant.lpm = unit.lpm, coolant.airM3s = unit.airM3s, coolant.supplyC = unit.supplyC, coolant.returnC = unit.returnC;
        coolant.fits = coolant.fits && !unit.dry;
        OneLineElement& e = add({.entity = ref(id), .name = m_s.devices.name[id]}, std::move(coolant));
        e.type = m_s.devices.type[id];
        e.building = buildingOf(m_s, id);
        e.row = rowOf(m_s, id);
        e.load = e.worst = heatOf(unit.heatW);
        e.capacity = heatOf(unit.capacityW);
        e.live = !unit.dry;
    }

    void addCabinets()
    {
        struct Cabinet {
            double heatW = 0, lpm = 0, available = 0;
            std::int32_t loop = -1;
            bool fed = true;
        };
        std::vector<std::optional<Cabinet>> cabinets(m_s.racks.nextId());
        for (const CooledLoad& taker : m_chain.takers) {
            if (!taker.rack) continue;
            auto& cabinet = cabinets[(*taker.rack).value];
            if (!cabinet) cabinet.emplace();
            cabinet->heatW += taker.liquidW, cabinet->lpm += taker.lpm, cabinet->available += taker.availableLpm;
            cabinet->loop = std::max(cabinet->loop, taker.loop);
            cabinet->fed = cabinet->fed && taker.loop >= 0;
        }
        if (std::ranges::none_of(cabinets, [](const auto& cabinet) { return cabinet.has_value(); })) return;
        startGroup({.load = true});
        m_s.racks.forEach([&](RackId id) {
            const auto& cabinet = cabinets[id.value];
            if (!cabinet) return;
            m_ofRack[id.value] = std::uint32_t(m_line.elements.size());
            OneLineCoolant coolant = coolantOf(loop(cabinet->loop));
            coolant.lpm = cabinet->lpm;
            coolant.fits = coolant.fits && cabinet->fed && cabinet->available >= cabinet->lpm * 0.999;
            OneLineElement& e = add({.entity = ref(id), .name = m_s.racks.name[id]}, std::move(coolant));
            e.type = m_s.racks.type[id];
            e.row = m_s.racks.row[id];
            e.building = m_s.halls.building[m_s.rows.hall[m_s.racks.row[id]]];
            e.load = e.worst = heatOf(cabinet->heatW);
            e.live = cabinet->fed;
        });
    }

    void addAir()
    {
        bool started = false;
        for (std::size_t i = 0; i < m_chain.loops.size(); ++i) {
            const CoolingLoop& loop = m_chain.loops[i];
            if (loop.kind != LoopKind::Air || !loop.hall) continue;
            if (!std::exchange(started, true)) startGroup({.load = true, .rooms = true});
            m_ofLoop[i] = std::uint32_t(m_line.elements.size());
            OneLineCoolant coolant = coolantOf(&loop);
            coolant.airM3s = loop.airM3s;
            OneLineElement& e = add({.entity = ref(*loop.hall), .name = m_s.halls.name[*loop.hall]}, std::move(coolant));
            e.building = m_s.halls.building[*loop.hall];
            e.load = e.worst = heatOf(loop.heatW);
            e.capacity = heatOf(loop.capacityW);
            for (const DeviceId source : loop.sources) feed(m_ofLoop[i], m_ofDevice[source.value]);
        }
    }

    [[nodiscard]] std::uint32_t elementOf(DeviceId id) const
    {
        if (const std::uint32_t own = m_ofDevice[id.value]; own != OneLine::kNone) return own;
        const auto rack = m_s.devices.rack[id];
        return rack ? m_ofRack[(*rack).value] : OneLine::kNone;
    }

    void feed(std::uint32_t taker, std::uint32_t feeder)
    {
        if (taker == OneLine::kNone || feeder == OneLine::kNone || taker == feeder || m_line.groups[m_line.elements[feeder].group].load) return;
        auto& feeds = m_line.elements[taker].feeds;
        if (std::ranges::find(feeds, feeder, &OneLineFeed::from) == feeds.end()) feeds.push_back({feeder, false});
    }

    /// A room without links: all its units feed all its cabinets.
    void feedImplied()
    {
        for (std::size_t i = 0; i < m_chain.loops.size(); ++i) {
            if (!m_chain.loops[i].implied) continue;
            for (const CooledLoad& taker : m_chain.takers)
                if (taker.loop == std::int32_t(i))
                    for (const DeviceId source : m_chain.loops[i].sources) feed(elementOf(taker.device), m_ofDevice[source.value]);
        }
    }

    /// Coolant that runs in a circle of links has no first element: the link that closes it is not drawn.
    void cutCircles()
    {
        std::vector<std::uint8_t> state(m_line.elements.size(), 0); // 1: on the way, 2: done
        for (std::uint32_t root = 0; root < m_line.elements.size(); ++root) {
            std::vector<std::pair<std::uint32_t, std::size_t>> way{{root, 0}};
            if (state[root] == 2) continue;
            state[root] = 1;
            while (!way.empty()) {
                auto& [at, next] = way.back();
                auto& feeds = m_line.elements[at].feeds;
                if (next >= feeds.size()) {
                    state[at] = 2;
                    way.pop_back();
                    continue;
                }
                const std::uint32_t to = feeds[next].from;
                if (state[to] == 1) {
                    feeds.erase(feeds.begin() + std::ptrdiff_t(next));
                    continue;
                }
                ++next;
                if (state[to] == 2) continue;
                state[to] = 1;
                way.emplace_back(to, 0);
            }
        }
    }

    const Figures& m_figures;
    const Snapshot& m_s;
    const CoolingChain& m_chain;
    OneLine& m_line;
    std::vector<std::uint32_t> m_ofDevice, m_ofRack, m_ofLoop;
};

} // namespace

std::shared_ptr<const OneLine> OneLine::makeCooling(const Figures& figures)
{
    auto line = std::make_shared<OneLine>();
    line->snapshot = figures.snapshot;
    line->medium = Medium::Coolant;
    line->basis = powerBasisOf(*figures.snapshot);
    line->parts.resize(figures.snapshot->partTypes.nextId());
    figures.snapshot->partTypes.forEach([&](PartTypeId id) { line->parts[id.value] = (*figures.parts)[id].model; });
    CoolingLineBuilder(figures, *line).build();
    setOneLineLevels(*line);
    setOneLineAlike(*line);
    setOneLineBlocks(*line);
    for (const OneLineElement& e : line->elements) {
        if (!line->groups[e.group].load) continue;
        line->drawn += e.load;
        line->unfed += e.feeds.empty();
    }
    return line;
}

} // namespace hw

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/installed/plant_phases.h"

#include "core/derived/cooling/chain.h"
#include "core/derived/figures/figures.h"
#include "core/derived/figures/power_chain.h"
#include "core/foundation/money/phases.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace hw {

namespace {

/// Watts by phase.
class Shares {
public:
    void add(int phase, double watts)
    {
        if (watts > 0) m_watts[phase] += watts;
    }
    void add(const Shares& other)
    {
        for (const auto& [phase, watts] : other.m_watts) m_watts[phase] += watts;
    }
    [[nodiscard]] bool empty() const { return m_watts.empty(); }
    [[nodiscard]] int first() const { return m_watts.begin()->first; }
    [[nodiscard]] double total() const
    {
        double sum = 0;
        for (const auto& [phase, watts] : m_watts) sum += watts;
        return sum;
    }
    /// Phases with the part of the total that is there once they are installed.
    template <class F>
    void forEach(F&& f) const
    {
        const double all = total();
        double soFar = 0;
        for (const auto& [phase, watts] : m_watts) soFar += watts, f(phase, all > 0 ? soFar / all : 1.0);
    }

private:
    std::map<int, double> m_watts;
};

class PlantPhasing {
public:
    explicit PlantPhasing(const Figures& figures)
        : m_f(figures), m_s(*figures.snapshot), m_phases(m_s), m_cooling(figures.get<CoolingChainNode>()), m_feeds(figures.get<PowerFeedsNode>()),
          m_worst(worstPower(figures, m_basis)), m_number(m_s.devices.nextId(), 0), m_firstIt(m_s.devices.nextId(), 0),
          m_coolantOf(m_s.devices.nextId()), m_powerOf(m_s.devices.nextId()), m_seen(m_s.devices.nextId(), 0)
    {
        for (const CoolantPath& path : m_cooling.ways) m_coolantOf[path.feeder.value].push_back(path.taker);
        m_s.devices.forEach([&](DeviceId id) {
            for (const PowerFeed& feed : m_feeds.of(id)) m_powerOf[feed.supplier.value].push_back(id);
        });
        for (auto* of : {&m_coolantOf, &m_powerOf})
            for (auto& takers : *of) {
                std::ranges::sort(takers);
                takers.erase(std::unique(takers.begin(), takers.end()), takers.end());
            }
        readAir();
    }

    std::vector<int> run()
    {
        phase(TierKind::Cooling, m_coolantOf, [&](DeviceId id, Shares& to) { addHeat(id, to); });
        phase(TierKind::Power, m_powerOf, [&](DeviceId id, Shares& to) { addDraw(id, to); });
        return std::move(m_number);
    }

private:
    using Takers = std::vector<std::vector<DeviceId>>;
    /// Parallel units: those of one type with the same consumers.
    using Group = std::vector<DeviceId>;

    [[nodiscard]] TierKind kind(DeviceId id) const { return m_s.tiers.kind[m_s.devices.tier[id]]; }
    [[nodiscard]] const DeviceSpec& spec(DeviceId id) const { return m_f.parts->device(m_s.devices.type[id]); }
    [[nodiscard]] bool isPlant(DeviceId id) const
    {
        return (kind(id) == TierKind::Power || kind(id) == TierKind::Cooling) && !m_s.devices.rack[id] && !m_s.devices.row[id];
    }
    /// Of plant the phase found so far, at least that of its room.
    [[nodiscard]] int of(DeviceId id) const { return isPlant(id) ? m_number[id.value] : m_phases.of(id); }
    [[nodiscard]] int ofRoom(DeviceId id) const
    {
        const auto hall = m_s.devices.hall[id];
        return hall ? m_phases.of(*hall) : 1;
    }

    /// Heat that the racks of each room reject to its air, by phase.
    void readAir()
    {
        m_s.racks.forEach([&](RackId id) {
            const Load& load = m_f.power->rack(id);
            m_air[m_s.rows.hall[m_s.racks.row[id]]].add(m_phases.of(id), toWatts(load.at(m_basis) - load.liquid[std::size_t(m_basis)]));
        });
    }

    /// Heat that enters the cooling at this device.
    void addHeat(DeviceId id, Shares& to) const
    {
        if (const CooledLoad* taker = m_cooling.taker(id)) return to.add(of(id), taker->liquidW);
        const CoolingUnit* unit = m_cooling.unit(id);
        if (!unit || unit->feeds < 0 || unit->feeds == unit->takes) return;
        const CoolingLoop& loop = m_cooling.loops[std::size_t(unit->feeds)];
        if (loop.kind == LoopKind::Air && loop.hall) {
            if (const auto air = m_air.find(*loop.hall); air != m_air.end()) return to.add(air->second);
            for (const auto& [hall, air] : m_air) // losses of power equipment: as the racks of its building
                if (m_s.halls.building[hall] == m_s.halls.building[*loop.hall]) to.add(air);
        } else if (loop.implied) {
            for (const CooledLoad& taker : m_cooling.takers)
                if (taker.loop == unit->feeds) to.add(of(taker.device), taker.liquidW);
        }
    }
    /// Power that leaves the chain at this device.
    void addDraw(DeviceId id, Shares& to) const
    {
        if (kind(id) == TierKind::Power) return;
        const double watts = toWatts(kind(id) == TierKind::Cooling ? spec(id).design.value : m_f.power->device(id).at(m_basis));
        if (watts > 0) to.add(of(id), watts);
    }

    /// The phase of the first IT that has power over this device; the last phase there is where none has.
    [[nodiscard]] int firstIt(DeviceId id)
    {
        if (kind(id) == TierKind::Cooling) return kLast;
        if (kind(id) != TierKind::Power) return m_f.power->device(id).at(m_basis).count() > 0 ? of(id) : kLast;
        if (const int known = m_firstIt[id.value]; known > 0) return known;
        int first = m_firstIt[id.value] = kLast; // also where suppliers feed each other
        for (const DeviceId taker : m_powerOf[id.value]) first = std::min(first, firstIt(taker));
        return m_firstIt[id.value] = first;
    }
    /// Of parallel units with heat for one loop those come first whose switchboards the IT of an early phase requires anyway, and those of one
    /// switchboard together.
    void sortBySupply(Group& group)
    {
        using Key = std::pair<int, std::vector<DeviceId>>;
        std::vector<std::pair<Key, DeviceId>> keyed;
        for (const DeviceId id : group) {
            Key key{0, {}};
            for (const PowerFeed& feed : m_feeds.of(id)) {
                key.first = std::max(key.first, firstIt(feed.supplier));
                key.second.push_back(feed.supplier);
            }
            std::ranges::sort(key.second);
            keyed.emplace_back(std::move(key), id);
        }
        std::ranges::sort(keyed);
        // Where their heat goes to several loops, each of these gets its part of the units of a phase.
        std::map<std::int32_t, std::vector<DeviceId>> byLoop;
        for (const auto& [key, id] : keyed) {
            const CoolingUnit* unit = m_cooling.unit(id);
            byLoop[unit ? unit->takes : -1].push_back(id);
        }
        std::vector<std::pair<double, DeviceId>> inTurn;
        for (const auto& [loop, ids] : byLoop)
            for (std::size_t i = 0; i < ids.size(); ++i) inTurn.emplace_back((double(i) + 0.5) / double(ids.size()), ids[i]);
        std::ranges::stable_sort(inTurn, {}, &std::pair<double, DeviceId>::first);
        std::ranges::transform(inTurn, group.begin(), [](const auto& unit) { return unit.second; });
    }

    /// Everything that depends on these devices.
    template <class Leaf>
    [[nodiscard]] Shares served(const Group& group, const Takers& takers, Leaf&& leaf)
    {
        ++m_pass;
        Shares shares;
        std::vector<DeviceId> open(group.begin(), group.end());
        for (const DeviceId id : open) m_seen[id.value] = m_pass;
        while (!open.empty()) {
            const DeviceId id = open.back();
            open.pop_back();
            leaf(id, shares);
            for (const DeviceId taker : takers[id.value])
                if (std::exchange(m_seen[taker.value], m_pass) != m_pass) open.push_back(taker);
        }
        return shares;
    }

    template <class Leaf>
    void phase(TierKind kindOf, const Takers& takers, Leaf&& leaf)
    {
        using Key = std::tuple<PartTypeId, TierId, std::vector<DeviceId>, std::int32_t>;
        std::map<Key, std::size_t> known;
        std::vector<Group> groups;
        m_s.devices.forEach([&](DeviceId id) {
            if (kind(id) != kindOf || !isPlant(id)) return;
            const CoolingUnit* unit = kindOf == TierKind::Cooling ? m_cooling.unit(id) : nullptr;
            const std::int32_t loop = unit ? unit->feeds : -1; // air units have no consumer but the room
            const auto [found, fresh] = known.try_emplace({m_s.devices.type[id], m_s.devices.tier[id], takers[id.value], loop}, groups.size());
            if (fresh) groups.emplace_back();
            groups[found->second].push_back(id);
        });
        for (Group& group : groups) {
            if (kindOf == TierKind::Cooling) sortBySupply(group);
            const Shares shares = served(group, takers, leaf);
            const auto needed = kindOf == TierKind::Cooling ? coolingNeeded(group) : powerNeeded(group, shares.total());
            place(group, shares, needed);
        }
    }

    /// Units that carry the final load of a loop; all of them where others help.
    [[nodiscard]] std::optional<std::int64_t> coolingNeeded(const Group& group) const
    {
        const CoolingUnit* unit = m_cooling.unit(group.front());
        if (!unit || unit->feeds < 0) return std::nullopt;
        const CoolingLoop& loop = m_cooling.loops[std::size_t(unit->feeds)];
        const auto all = [&](const std::vector<DeviceId>& units) { return std::ranges::is_permutation(group, units); };
        if (all(loop.sources)) return loop.runningSources;
        if (all(loop.pumps)) return loop.runningPumps;
        return std::nullopt;
    }
    /// As far as ratings specify it: `watts` is what all that depends on the group draws.
    [[nodiscard]] std::optional<std::int64_t> powerNeeded(const Group& group, double watts) const
    {
        const PowerSpec& power = spec(group.front()).power;
        if (power.element != PowerElement::Ups && power.element != PowerElement::Generator && power.element != PowerElement::Transformer)
            return std::nullopt;
        const double real = toWatts(spec(group.front()).capacity.value),
                     apparent = power.element == PowerElement::Generator ? 0 : double(power.apparent.value.count()) / 1e3 * powerFactorOf(m_s),
                     each = real > 0 && apparent > 0 ? std::min(real, apparent) : std::max(real, apparent);
        if (each <= 0) return std::nullopt;
        double passed = 0; // by the consumers, at the worst single loss
        for (const DeviceId taker : m_powerOf[group.front().value]) passed += toWatts(m_worst.through(taker));
        return std::int64_t(std::ceil(std::min(watts, passed) / each - 1e-9));
    }

    /// `needed` of the group carry the final load; none: the group is not divided.
    void place(const Group& group, const Shares& shares, std::optional<std::int64_t> needed)
    {
        const auto count = std::int64_t(group.size());
        std::int64_t placed = 0;
        const auto put = [&](std::int64_t upTo, int number) {
            for (; placed < std::min(upTo, count); ++placed) {
                const DeviceId id = group[std::size_t(placed)];
                m_number[id.value] = std::max(number, ofRoom(id));
            }
        };
        if (!shares.empty() && shares.total() > 0 && needed && *needed > 0 && *needed <= count)
            shares.forEach([&](int number, double share) { put(std::int64_t(std::ceil(double(*needed) * share - 1e-9)) + count - *needed, number); });
        put(count, shares.empty() ? 1 : shares.first());
    }

    static constexpr PowerBasis m_basis = PowerBasis::Design;
    static constexpr int kLast = std::numeric_limits<int>::max();
    const Figures& m_f;
    const Snapshot& m_s;
    PhaseIndex m_phases;
    const CoolingChain& m_cooling;
    const PowerFeeds& m_feeds;
    const PowerWorst& m_worst;
    std::map<HallId, Shares> m_air;
    std::vector<int> m_number, m_firstIt;
    Takers m_coolantOf, m_powerOf;
    std::vector<std::uint32_t> m_seen;
    std::uint32_t m_pass = 0;
};

} // namespace

std::vector<int> plantPhases(const Figures& figures) { return PlantPhasing(figures).run(); }

Result<std::vector<int>> plantPhases(const SnapshotPtr& design)
{
    return figuresOf(design).transform([](const FiguresPtr& figures) { return plantPhases(*figures); });
}

} // namespace hw

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/feeders/feeders.h"

#include "core/derived/figures/figures.h"
#include "core/foundation/model/setting_values.h"
#include "core/physics/power/fault.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

namespace hw {

namespace {

using power::FaultImpedance;

constexpr double kColdConductorC = 20; ///< the largest current flows in cold conductors

/// Impedances upstream of every element, from one kind of source.
class FaultStudy {
public:
    FaultStudy(const Figures& figures, bool sets)
        : m_figures(figures), m_s(*figures.snapshot), m_feeds(figures.get<PowerFeedsNode>()), m_supply(figures.get<SupplyNode>()),
          m_chain(powerChain(figures, powerBasisOf(m_s))), m_sets(sets), m_z(m_chain.network.size()), m_ways(m_chain.network.size())
    {
        m_grid = numberSetting(m_s, "site.fault_mva") * 1e6;
        m_uk = numberSetting(m_s, "power.transformer_uk_percent") / 100, m_highUk = numberSetting(m_s, "power.high_uk_percent") / 100;
        m_subtransient = numberSetting(m_s, "power.subtransient_percent") / 100;
        const auto order = m_chain.network.order();
        for (std::size_t at = order.size(); at-- > 0;)
            if (m_s.devices.contains(DeviceId(order[at]))) study(DeviceId(order[at]));
    }
    /// At the outgoing terminals; none: no source reaches it.
    [[nodiscard]] std::optional<FaultImpedance> at(DeviceId id) const { return m_z[id.value]; }

    /// Between phases, at its outgoing terminals.
    [[nodiscard]] double volts(DeviceId id) const
    {
        for (const auto& use : m_chain.network.uses(id.value))
            if (const double volts = voltsOf(DeviceId(use.consumer), use.feed); volts > 0) return volts;
        if (element(id) != PowerElement::Transformer && element(id) != PowerElement::Ups)
            for (std::size_t w = 0; w < m_feeds.of(id).size(); ++w)
                if (const double volts = voltsOf(id, w); volts > 0) return volts;
        return std::numbers::sqrt3 * numberSetting(m_s, "rule.p2.phase_v", 230);
    }

private:
    [[nodiscard]] const DeviceSpec& spec(DeviceId id) const { return m_figures.parts->device(m_s.devices.type[id]); }
    [[nodiscard]] PowerElement element(DeviceId id) const { return spec(id).power.element; }
    [[nodiscard]] const SupplyLine* lineOf(DeviceId id, std::size_t way) const
    {
        const PowerFeed& feed = m_feeds.of(id)[way];
        return feed.link ? m_supply.of(*feed.link) : nullptr;
    }
    [[nodiscard]] double voltsOf(DeviceId consumer, std::size_t way) const
    {
        const SupplyLine* line = way < m_feeds.of(consumer).size() ? lineOf(consumer, way) : nullptr;
        if (!line || line->size.phases == power::LinePhases::Direct) return 0;
        return line->size.volts * (line->size.phases == power::LinePhases::One ? std::numbers::sqrt3 : 1);
    }
    [[nodiscard]] bool feedsSwitchgear(DeviceId id) const
    {
        return std::ranges::any_of(m_chain.network.uses(id.value),
                                   [&](const auto& use) { return element(DeviceId(use.consumer)) == PowerElement::Switchgear; });
    }
    [[nodiscard]] double ratedVa(DeviceId id) const
    {
        const DeviceSpec& own = spec(id);
        const double va = double(own.power.apparent.value.count()) / 1000;
        return va > 0 ? va : toWatts(own.capacity.value) / 0.8; // sets are rated at power factor 0.8
    }

    void study(DeviceId id)
    {
        const PowerElement own = element(id);
        if (takesDirectCurrent(spec(id)) || own == PowerElement::Shelf) return;
        if (own == PowerElement::Utility && m_feeds.of(id).empty()) {
            const double c = volts(id) > 1000 ? power::kFaultMedium : power::kFaultLow;
            if (!m_sets) m_z[id.value] = power::gridImpedance(m_grid, c);
            return;
        }
        if (own == PowerElement::Generator) {
            if (m_sets && ratedVa(id) > 0) m_z[id.value] = power::generatorImpedance(ratedVa(id), m_subtransient, volts(id) <= 1000);
            return;
        }
        auto& ways = m_ways[id.value] = waysUsed(id);
        if (ways.empty()) return;
        if (ways.size() == 1) {
            m_z[id.value] = *m_z[m_feeds.of(id)[ways.front()].supplier.value] + between(id, ways.front());
            return;
        }
        m_z[id.value] = together(id);
    }

    /// The ways whose currents meet in it: all that work together, of those that do not the strongest; sets on one board run in parallel.
    [[nodiscard]] std::vector<std::size_t> waysUsed(DeviceId id) const
    {
        const auto feeds = m_feeds.of(id);
        std::map<int, std::vector<std::size_t>> groups;
        const power::Intake intake = m_chain.network[id.value].intake;
        for (std::size_t w = 0; w < feeds.size(); ++w) {
            if (!m_z[feeds[w].supplier.value]) continue;
            const bool set = element(feeds[w].supplier) == PowerElement::Generator;
            groups[intake == power::Intake::Shared ? 0 : set ? -1 : intake == power::Intake::Parallel ? int(feeds[w].group) : int(w)].push_back(w);
        }
        const auto weight = [&](const std::vector<std::size_t>& ways) {
            FaultImpedance y;
            for (const std::size_t w : ways) {
                const FaultImpedance z = *m_z[feeds[w].supplier.value] + between(id, w);
                if (std::abs(z) > 0) y += 1.0 / z;
            }
            return std::abs(y);
        };
        std::vector<std::size_t> best;
        double most = -1;
        for (const auto& [group, ways] : groups)
            if (const double y = weight(ways); y > most) most = y, best = ways;
        return best;
    }

    /// Of the line of a way, and of its consumer in series.
    [[nodiscard]] FaultImpedance between(DeviceId id, std::size_t way) const
    {
        FaultImpedance z;
        if (const SupplyLine* line = lineOf(id, way); line && line->size.phases == power::LinePhases::Three) {
            const power::Impedance own = impedanceOf(*m_figures.parts, *line, kColdConductorC);
            z += power::lineImpedance(own.r, own.x, line->size.volts);
        }
        if (element(id) == PowerElement::Transformer && ratedVa(id) > 0) {
            const double uk = feedsSwitchgear(id) ? m_highUk : ratedVa(id) <= 630e3 ? std::min(m_uk, 0.04) : m_uk;
            const double c = volts(id) > 1000 ? power::kFaultMedium : power::kFaultLow;
            z += power::transformerImpedance(ratedVa(id), uk, toWatts(spec(id).power.loadLoss.value), c);
        }
        return z;
    }

    /// Several ways, which may share what is upstream of them: the network from the element to its sources.
    [[nodiscard]] std::optional<FaultImpedance> together(DeviceId id) const
    {
        std::map<std::uint32_t, power::Index> number{{id.value, 0}};
        std::vector<DeviceId> open{id};
        std::vector<power::FaultBranch> branches, sources;
        while (!open.empty()) {
            const DeviceId now = open.back();
            open.pop_back();
            const power::Index n = number.at(now.value);
            if (m_ways[now.value].empty()) sources.push_back({n, n, *m_z[now.value]});
            for (const std::size_t w : m_ways[now.value]) {
                const DeviceId up = m_feeds.of(now)[w].supplier;
                const auto [it, fresh] = number.try_emplace(up.value, power::Index(number.size()));
                if (fresh) open.push_back(up);
                branches.push_back({n, it->second, between(now, w)});
            }
        }
        return power::drivingPoint(number.size(), branches, sources, 0);
    }

    const Figures& m_figures;
    const Snapshot& m_s;
    const PowerFeeds& m_feeds;
    const Supply& m_supply;
    const PowerChain& m_chain;
    const bool m_sets;
    double m_grid = 0, m_uk = 0.06, m_highUk = 0.12, m_subtransient = 0.15;
    std::vector<std::optional<FaultImpedance>> m_z;
    std::vector<std::vector<std::size_t>> m_ways;
};

bool distributes(PowerElement element)
{
    using enum PowerElement;
    return element == Switchgear || element == Switchboard || element == StaticSwitch || element == Busway || element == Pdu;
}

} // namespace

std::vector<FaultLevel> faultLevelsOf(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    const FaultStudy grid(figures, false), sets(figures, true);
    std::vector<FaultLevel> out;
    s.devices.forEach([&](DeviceId id) {
        if (s.tiers.kind[s.devices.tier[id]] != TierKind::Power || !distributes(figures.parts->device(s.devices.type[id]).power.element)) return;
        const auto fromGrid = grid.at(id), fromSets = sets.at(id);
        if (!fromGrid && !fromSets) return;
        FaultLevel level{.at = id, .volts = grid.volts(id)};
        const double c = level.volts > 1000 ? power::kFaultMedium : power::kFaultLow;
        if (fromGrid) level.gridAmps = power::faultAmps(*fromGrid, level.volts, c), level.gridPeak = power::peakAmps(*fromGrid, level.gridAmps);
        if (fromSets) level.setsAmps = power::faultAmps(*fromSets, level.volts, c);
        out.push_back(level);
    });
    return out;
}

} // namespace hw

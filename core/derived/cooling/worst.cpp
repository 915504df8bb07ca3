// SPDX-License-Identifier: GPL-3.0-or-later
// The worst that one lost element leaves every loop with: units, pumps, valves, and what feeds them with power.
#include "core/derived/cooling/reading.h"
#include "core/derived/cooling/survey.h"
#include "core/physics/power/survey.h"

#include <algorithm>
#include <map>
#include <set>

namespace hw::cooling {

namespace {

/// What fails by itself, with the valves beside it. Pipes, headers, tanks and manifolds do not.
bool canFail(CoolingElement e) { return partsLoops(e) || e == CoolingElement::Pump || e == CoolingElement::Valve; }

/// Holds answers against the worst so far.
class Worst {
public:
    /// What is short with nothing lost no loss has done.
    Worst(CoolingChain& chain, const Survey::Answer& base) : m_chain(chain)
    {
        for (std::size_t l = 0; l < chain.loops.size(); ++l) {
            m_short.push_back(base.loops[l].shortW());
            chain.loops[l].worstW = std::max(chain.loops[l].heatW - m_short.back(), 0.0);
        }
    }
    void offer(const Survey::Answer& answer, DeviceId lost, Maybe<LinkId> shut)
    {
        if (onlyItsBranch(answer)) return;
        for (std::size_t l = 0; l < m_chain.loops.size(); ++l) {
            const double missing = answer.loops[l].shortW();
            if (missing <= m_short[l] + 1e-9 * m_chain.loops[l].heatW) continue;
            CoolingLoop& loop = m_chain.loops[l];
            m_short[l] = missing;
            loop.worstW = std::max(loop.heatW - missing, 0.0);
            loop.worstLost.clear(), loop.worstShut = shut;
            if (!shut) loop.worstLost = {lost};
        }
    }
    [[nodiscard]] double shortW(std::size_t loop) const { return m_short[loop]; }

private:
    /// A valve of one cabinet's own: what it shuts is that cabinet, however many sources there are.
    bool onlyItsBranch(const Survey::Answer& answer) const
    {
        std::int64_t takers = 0, units = 0, more = 0;
        for (std::size_t l = 0; l < answer.loops.size(); ++l) {
            double cut = 0;
            for (const DeviceId id : answer.loops[l].cutOff)
                if (const CooledLoad* taker = m_chain.taker(id); taker && taker->device == id)
                    ++takers, cut += taker->liquidW;
                else if (m_chain.unit(id)->parts())
                    ++units;
            more += answer.loops[l].shortW() > cut * (1 + 1e-9) + 1e-6;
        }
        return takers == 1 && units == 0 && more == 0;
    }

    CoolingChain& m_chain;
    std::vector<double> m_short;
};

/// Elements of the power chain that units depend on.
std::set<DeviceId> behindUnits(const Design& d, const CoolingChain& chain)
{
    std::set<DeviceId> seen;
    std::vector<DeviceId> open;
    const auto take = [&](DeviceId id) {
        for (const PowerFeed& feed : d.feeds.of(id))
            if (seen.insert(feed.supplier).second) open.push_back(feed.supplier);
    };
    for (const CoolingUnit& unit : chain.units) take(unit.device);
    while (!open.empty()) {
        const DeviceId id = open.back();
        open.pop_back();
        take(id);
    }
    return seen;
}

/// Units that lose power together, and the first element that does it to them.
std::map<std::vector<DeviceId>, DeviceId> darkTogether(const Design& d, const CoolingChain& chain)
{
    std::map<std::vector<DeviceId>, DeviceId> out;
    const auto behind = behindUnits(d, chain);
    if (behind.empty()) return out;
    power::Survey survey(d.chain.network);
    for (const DeviceId lost : behind) {
        std::vector<DeviceId> dark;
        for (const power::Index i : survey.lose({&lost.value, 1}).dark)
            if (chain.unit(DeviceId(i))) dark.emplace_back(i);
        if (!dark.empty()) out.emplace(std::move(dark), lost);
    }
    return out;
}

} // namespace

void findWorst(const Design& d, CoolingChain& chain)
{
    Survey survey(chain);
    Worst worst(chain, survey.base());
    for (const CoolingUnit& unit : chain.units)
        if (canFail(unit.element) && (unit.takes >= 0 || unit.feeds >= 0)) worst.offer(survey.without({&unit.device, 1}, {}), unit.device, {});
    for (const CoolantPath& way : chain.ways) {
        const CoolingUnit *taker = chain.unit(way.taker), *feeder = chain.unit(way.feeder);
        if (!way.link || !((taker && canFail(taker->element)) || canFail(feeder->element))) continue;
        const LinkId shut = *way.link;
        worst.offer(survey.without({}, {&shut, 1}), {}, shut);
    }
    for (const auto& [dark, lost] : darkTogether(d, chain)) worst.offer(survey.without(dark, {}), lost, {});
    for (std::size_t l = 0; l < chain.loops.size(); ++l) {
        CoolingLoop& loop = chain.loops[l];
        const bool heads = loop.headKpa <= 0 || loop.neededKpa <= loop.headKpa;
        loop.fits = loop.carries() && heads && worst.shortW(l) <= 1e-9 * loop.heatW && survey.base().loops[l].shortW() <= 0;
    }
}

} // namespace hw::cooling

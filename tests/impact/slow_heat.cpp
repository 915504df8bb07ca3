// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/impact/slow_heat.h"

#include "core/foundation/model/places.h"
#include "core/foundation/model/setting_values.h"
#include "tests/cooling/cooling_without.h"

#include <algorithm>

namespace hw::test {

namespace {

constexpr double kNever = 1e18, kHair = 0.2; // W: what is out leaves milliwatts
using Set = std::set<DeviceId>;

class HeatPlayer {
public:
    HeatPlayer(const impact::Model& model, const impact::Failed& failed, const SlowCourse& power)
        : m(model), s(*model.s), f(failed), p(power), chain(*model.coolant.chain), loopJ(chain.loops.size(), 0), takerJ(chain.takers.size(), 0),
          stood(chain.takers.size(), 0)
    {
        cabinetS = numberSetting(s, "impact.cabinet_margin_s", 15), airS = numberSetting(s, "impact.air_margin_s", 120);
    }

    SlowHeatCourse run()
    {
        if (!touched()) return {};
        const auto moments = momentsOf();
        base();
        for (std::size_t step = 0; step < 10'000; ++step) {
            state();
            for (bool more = true; more;) { // what is at its limit and still warms up takes its devices along
                more = false;
                for (std::size_t l = 0; l < loopJ.size(); ++l) more = heatLoop(l) || more;
                for (std::size_t t = 0; t < takerJ.size(); ++t) more = heatTaker(t) || more;
                if (more) state();
            }
            double next = kNever;
            for (const double at : moments)
                if (at > now + 1e-9) next = std::min(next, at);
            next = std::min(next, limit());
            if (next >= kNever / 2) break;
            for (std::size_t l = 0; l < loopJ.size(); ++l) loopJ[l] += rate[l] * (next - now);
            for (std::size_t t = 0; t < takerJ.size(); ++t) takerJ[t] += takerRate[t] * (next - now);
            now = next;
            slackS = anyAtLimit() ? 0.0105 : 0; // what comes to its limit with it
            for (std::size_t l = 0; l < loopJ.size(); ++l) (void)heatLoop(l);
            for (std::size_t t = 0; t < takerJ.size(); ++t) (void)heatTaker(t);
            slackS = 0;
        }
        return out;
    }

private:
    [[nodiscard]] static bool rejects(CoolingElement e)
    {
        return e == CoolingElement::Chiller || e == CoolingElement::DryCooler || e == CoolingElement::Tower;
    }
    [[nodiscard]] static bool passive(CoolingElement e)
    {
        return e == CoolingElement::Manifold || e == CoolingElement::Header || e == CoolingElement::Valve;
    }
    [[nodiscard]] double restart(const CoolingUnit& unit) const
    {
        const double own = m.parts->device(s.devices.type[unit.device]).cooling.restartS.value;
        return own > 0 || unit.element != CoolingElement::Chiller ? own : numberSetting(s, "impact.chiller_restart_s", 600);
    }
    [[nodiscard]] bool touched() const
    {
        const auto unit = [&](DeviceId id) { return chain.unit(id) != nullptr; };
        for (const auto& way : chain.ways)
            if (way.link && way.loop >= 0 && std::ranges::find(f.links, *way.link) != f.links.end()) return true;
        return std::ranges::any_of(f.devices, unit) || !f.stalled.empty() ||
               std::ranges::any_of(p.darkSince, [&](const auto& dark) { return unit(dark.first); }) ||
               std::ranges::any_of(p.gaps, [&](const auto& gap) { return unit(std::get<0>(gap)); });
    }
    [[nodiscard]] std::vector<double> momentsOf() const
    {
        std::vector<double> at;
        for (const auto& [id, since] : p.darkSince) at.push_back(double(since) / 1000);
        for (const auto& [id, from, to] : p.gaps) {
            at.push_back(double(from) / 1000), at.push_back(double(to) / 1000);
            if (const CoolingUnit* unit = chain.unit(id)) at.push_back(double(to) / 1000 + restart(*unit));
        }
        return at;
    }
    [[nodiscard]] bool failed(DeviceId id) const
    {
        return std::ranges::find(f.devices, id) != f.devices.end() || std::ranges::find(f.stalled, id) != f.stalled.end();
    }
    [[nodiscard]] bool dark(DeviceId id) const
    {
        if (const CoolingUnit* unit = chain.unit(id); unit && (passive(unit->element) || unit->element == CoolingElement::Tank)) return false;
        const double ms = now * 1000 + 1e-6;
        if (const auto since = p.darkSince.find(id); since != p.darkSince.end() && double(since->second) <= ms) return true;
        return std::ranges::any_of(
            p.gaps, [&](const auto& gap) { return std::get<0>(gap) == id && double(std::get<1>(gap)) <= ms && ms < double(std::get<2>(gap)); });
    }
    [[nodiscard]] bool starting(DeviceId id) const
    {
        const CoolingUnit* unit = chain.unit(id);
        return unit && std::ranges::any_of(p.gaps, [&](const auto& gap) {
                   const double to = double(std::get<2>(gap)) / 1000;
                   return std::get<0>(gap) == id && to <= now + 1e-9 && now + 1e-9 < to + restart(*unit);
               });
    }
    [[nodiscard]] bool isOut(DeviceId id) const { return failed(id) || dark(id) || starting(id) || hotNow.contains(id); }

    /// By loop of the whole design: heat that stays, and takers that nothing reaches, with units lost and what is out without heat.
    struct Kept {
        std::vector<double> missing;
    };
    [[nodiscard]] Kept without(const std::vector<DeviceId>& units, const std::vector<LinkId>& shut) const
    {
        Snapshot left = s;
        s.devices.forEach([&](DeviceId id) {
            const TierKind kind = s.tiers.kind[s.devices.tier[id]];
            if (kind == TierKind::Power || kind == TierKind::Cooling || !isOut(id)) return;
            left.devices.type.set(id, coldPart(left, s.devices.type[id])); // coolant still flows through it
        });
        const auto figures = computeFigures(std::make_shared<const Snapshot>(std::move(left))).value();
        const CoolingChain& now_ = figures->get<CoolingChainNode>();
        const auto after = test::coolingWithout(now_, units, shut);
        Kept kept{std::vector<double>(chain.loops.size(), 0)};
        std::set<std::size_t> seen;
        for (const CooledLoad& taker : now_.takers) {
            const CooledLoad* was = chain.taker(taker.device);
            if (!was || was->loop < 0) continue;
            if (seen.insert(std::size_t(taker.loop)).second) kept.missing[std::size_t(was->loop)] += after[std::size_t(taker.loop)].shortW();
        }
        for (std::size_t hall = 0; hall < chain.airOf.size(); ++hall)
            if (chain.airOf[hall] >= 0 && now_.airOf[hall] >= 0)
                kept.missing[std::size_t(chain.airOf[hall])] = after[std::size_t(now_.airOf[hall])].shortW();
        return kept;
    }
    /// The same with next to no power, its modules included.
    static PartTypeId coldPart(Snapshot& in, PartTypeId like)
    {
        std::string text = in.partTypes.definition[like];
        const std::size_t at = text.find("design_power: {value: ") + 22, end = text.find(',', at);
        text.replace(at, end - at, "0.0000025");
        if (text.find("optics_included: true") == std::string::npos) text.insert(text.find("design_power: "), "optics_included: true\n");
        const PartTypeId id = in.partTypes.insert();
        const std::string slug = in.partTypes.slug[like] + "-cold";
        for (std::size_t p = 0; (p = text.find(in.partTypes.slug[like], p)) != std::string::npos; p += slug.size())
            text.replace(p, slug.size() - 5, slug);
        in.partTypes.slug.set(id, slug), in.partTypes.kind.set(id, PartKind::Device), in.partTypes.definition.set(id, text);
        return id;
    }
    [[nodiscard]] double liquid(DeviceId id) const { return toWatts(m.figures->power->device(id).liquid[std::size_t(m.basis)]); }
    [[nodiscard]] double liveHeat(const CooledLoad& taker) const
    {
        double sum = 0;
        for (const DeviceId id : taker.cooled) sum += isOut(id) ? 0 : liquid(id);
        return sum;
    }
    [[nodiscard]] double most(std::size_t l) const
    {
        const CoolingLoop& loop = chain.loops[l];
        if (loop.kind == LoopKind::Air) return airS * loop.heatW;
        return loop.kind == LoopKind::Liquid && loop.flowingLiters <= 0 ? cabinetS * loop.heatW : loop.storedJ;
    }
    [[nodiscard]] double takerMost(std::size_t t) const
    {
        const CooledLoad& taker = chain.takers[t];
        const double liters = taker.liters + (chain.unit(taker.device) ? chain.unit(taker.device)->liters : 0);
        return liters > 0 ? liters * 60 * chain.loops[std::size_t(taker.loop)].wattsPerLpmK * chain.loops[std::size_t(taker.loop)].limitK
                          : cabinetS * taker.liquidW;
    }

    void base()
    {
        for (const auto& loop : test::coolingWithout(chain, {}, {})) before.push_back(loop.shortW());
    }

    void state()
    {
        std::vector<DeviceId> all, flowing, own;
        for (const CoolingUnit& unit : chain.units) {
            const DeviceId id = unit.device;
            if (!isOut(id)) continue;
            const std::int32_t in = unit.feeds >= 0 ? unit.feeds : unit.takes;
            const bool water = in >= 0 && chain.loops[std::size_t(in)].kind == LoopKind::Facility;
            all.push_back(id);
            const bool still = rejects(unit.element) && !(dark(id) && in >= 0 && chain.loops[std::size_t(in)].pumps.empty());
            if (!still) flowing.push_back(id);
            if (!water) own.push_back(id);
        }
        std::vector<LinkId> cabinets;
        for (const auto& way : chain.ways)
            if (way.link && way.loop >= 0 && chain.loops[std::size_t(way.loop)].kind == LoopKind::Liquid) cabinets.push_back(*way.link);
        std::vector<LinkId> shut;
        for (const LinkId id : f.links)
            if (std::ranges::find(cabinets, id) != cabinets.end()) shut.push_back(id);
        const Kept whole = without(all, f.links), pumped = without(flowing, f.links);
        const auto reach = test::coolingWithout(chain, own, shut);
        rate.assign(chain.loops.size(), 0), takerRate.assign(chain.takers.size(), 0);
        std::vector<double> stands(chain.loops.size(), 0), upstream(chain.loops.size(), 0);
        std::vector<char> flows(chain.loops.size(), 0);
        const auto loopWas = loopJ;
        for (std::size_t t = 0; t < chain.takers.size(); ++t) {
            const CooledLoad& taker = chain.takers[t];
            if (taker.loop < 0) continue;
            const auto l = std::size_t(taker.loop);
            const double heat = liveHeat(taker);
            const bool cut = std::ranges::find(reach[l].cutOff, taker.device) != reach[l].cutOff.end();
            if (cut && !stood[t]) {
                takerJ[t] = std::min(loopJ[l], most(l) > 0 ? loopWas[l] * takerMost(t) / most(l) : 0);
                loopJ[l] -= takerJ[t];
            } else if (!cut && stood[t]) {
                loopJ[l] = std::min(loopJ[l] + takerJ[t], std::max(loopJ[l], most(l))), takerJ[t] = 0;
            }
            stood[t] = cut;
            if (cut) takerRate[t] = heat, stands[l] += heat;
            flows[l] = flows[l] || !cut;
        }
        double missing = 0;
        for (std::size_t l = 0; l < chain.loops.size(); ++l) {
            if (chain.loops[l].kind == LoopKind::Facility) continue;
            if (chain.loops[l].kind == LoopKind::Air) flows[l] = std::ranges::any_of(chain.loops[l].sources, [&](DeviceId id) { return !isOut(id); });
            const double kept = std::max(stands[l], whole.missing[l] - before[l]), alone = std::max(stands[l], pumped.missing[l] - before[l]);
            rate[l] += alone - stands[l];
            upstream[l] = std::max(0.0, kept - alone);
            missing += kept;
        }
        out.missingW = std::max(out.missingW, missing);
        for (std::size_t l = 0; l < chain.loops.size(); ++l) spread(l, upstream[l], flows);
    }
    /// All facility water of the tests is one loop.
    void spread(std::size_t l, double heat, const std::vector<char>& flows)
    {
        if (heat <= 0) return;
        std::set<std::size_t> group;
        for (const CoolingUnit& unit : chain.units)
            if (unit.feeds == std::int32_t(l) && unit.takes >= 0 && unit.parts()) group.insert(std::size_t(unit.takes));
        if (group.empty()) {
            rate[l] += heat;
            return;
        }
        const std::size_t water = *group.begin();
        for (const CoolingUnit& unit : chain.units)
            if (unit.takes == std::int32_t(water) && unit.feeds >= 0 && unit.parts() && unit.heatW > 0 && flows[std::size_t(unit.feeds)])
                group.insert(std::size_t(unit.feeds));
        double whole = 0;
        const auto perKelvin = [&](std::size_t g) { return most(g) / chain.loops[g].limitK; };
        double taken = 0, given = 0; // of the loop; to the water, with the heat of fans
        for (const CoolingUnit& unit : chain.units)
            if (unit.feeds == std::int32_t(l) && unit.takes >= 0 && unit.parts() && !unit.dry)
                taken += unit.heatW, given += unit.heatW + (chain.loops[l].kind == LoopKind::Air ? unit.ownW : 0);
        const double gives = taken > 0 ? given / std::min(taken, chain.loops[l].heatW) : 1;
        for (const std::size_t g : group) whole += chain.loops[g].kind == LoopKind::Air ? 0 : perKelvin(g);
        for (const std::size_t g : group) rate[g] += whole > 0 ? heat * gives * perKelvin(g) / whole : 0;
    }

    [[nodiscard]] double limit() const
    {
        double next = kNever;
        for (std::size_t l = 0; l < loopJ.size(); ++l)
            if (chain.loops[l].kind != LoopKind::Facility && rate[l] > kHair && loopJ[l] < most(l) * (1 - 1e-12))
                next = std::min(next, now + (most(l) - loopJ[l]) / rate[l]);
        for (std::size_t t = 0; t < takerJ.size(); ++t)
            if (takerRate[t] > kHair && takerJ[t] < takerMost(t) * (1 - 1e-12))
                next = std::min(next, now + (takerMost(t) - takerJ[t]) / takerRate[t]);
        return next;
    }
    [[nodiscard]] bool atLimit(double taken, double most_, double rate_) const { return taken >= most_ * (1 - 1e-9) - slackS * rate_; }
    [[nodiscard]] bool anyAtLimit() const
    {
        for (std::size_t l = 0; l < loopJ.size(); ++l)
            if (chain.loops[l].kind != LoopKind::Facility && rate[l] > kHair && atLimit(loopJ[l], most(l), rate[l])) return true;
        for (std::size_t t = 0; t < takerJ.size(); ++t)
            if (takerRate[t] > kHair && atLimit(takerJ[t], takerMost(t), takerRate[t])) return true;
        return false;
    }
    bool heat(DeviceId id)
    {
        if (isOut(id)) return false;
        hotNow.insert(id);
        return out.hot.emplace(id, now).second;
    }
    bool heatLoop(std::size_t l)
    {
        if (chain.loops[l].kind == LoopKind::Facility || rate[l] <= kHair || !atLimit(loopJ[l], most(l), rate[l])) return false;
        bool any = false;
        for (const CooledLoad& taker : chain.takers)
            if (taker.loop == std::int32_t(l))
                for (const DeviceId id : taker.cooled) any = heat(id) || any;
        if (chain.loops[l].kind == LoopKind::Air)
            s.devices.forEach([&](DeviceId id) {
                const TierKind kind = s.tiers.kind[s.devices.tier[id]];
                const Load& load = m.figures->power->device(id);
                if (kind != TierKind::Power && kind != TierKind::Cooling && hallOf(s, id) == chain.loops[l].hall &&
                    load.at(m.basis) > load.liquid[std::size_t(m.basis)])
                    any = heat(id) || any;
            });
        return any;
    }
    bool heatTaker(std::size_t t)
    {
        if (takerRate[t] <= kHair || !atLimit(takerJ[t], takerMost(t), takerRate[t])) return false;
        bool any = false;
        for (const DeviceId id : chain.takers[t].cooled) any = heat(id) || any;
        return any;
    }

    const impact::Model& m;
    const Snapshot& s;
    const impact::Failed& f;
    const SlowCourse& p;
    const CoolingChain& chain;
    std::vector<double> loopJ, takerJ, rate, takerRate, before;
    std::vector<char> stood;
    Set hotNow;
    double now = 0, cabinetS = 0, airS = 0, slackS = 0;
    SlowHeatCourse out;
};

} // namespace

SlowHeatCourse playHeat(const impact::Model& model, const impact::Failed& failed, const SlowCourse& power)
{
    return HeatPlayer(model, failed, power).run();
}

} // namespace hw::test

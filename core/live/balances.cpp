// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/balances.h"

#include "core/coolant/library.h"
#include "core/cooling/chain.h"
#include "core/derive/nodes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace hw::live::balances {

namespace {

double medianOf(std::vector<double> values)
{
    if (values.empty()) return std::nan("");
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Finds the places at which heat can be balanced.
class HeatPlaces {
public:
    HeatPlaces(const Figures& design, const Bound& bound, All& out)
        : m_figures(design), m_bound(bound), m_out(out), m_chain(design.get<CoolingChainNode>())
    {
    }

    void run()
    {
        for (const CoolingUnit& unit : m_chain.units) {
            if (unit.feeds >= 0 && unit.parts()) place(ref(unit.device), "", unit.feeds, 0);
            if (unit.takes >= 0 && unit.parts()) place(ref(unit.device), "primary", unit.takes, 0);
        }
        std::map<RackId, std::pair<std::int32_t, double>> racks; // loop, and what it is to take
        for (const CoolingTaker& taker : m_chain.takers)
            if (taker.rack && taker.loop >= 0) {
                auto& [loop, watts] = racks.try_emplace(*taker.rack, std::pair{taker.loop, 0.0}).first->second;
                loop = loop == taker.loop ? loop : -1;
                watts += taker.liquidW;
            }
        for (const auto& [rack, of] : racks)
            if (of.first >= 0) place(ref(rack), "", of.first, of.second);
    }

private:
    void place(EntityRef entity, const char* element, std::int32_t loop, double liquidW)
    {
        const auto at = [&](Measure measure) { return m_bound.find({entity, measure, element}); };
        Heat heat{entity,
                  at(Measure::Flow),
                  at(Measure::SupplyTemperature),
                  at(Measure::ReturnTemperature),
                  at(Measure::Heat),
                  1,
                  false,
                  m_chain.loops[std::size_t(loop)].coolant,
                  loop};
        if (heat.heat == kNoPoint && liquidW > 0 && entity.kind == EntityKind::Rack) {
            const double whole = wattsOf(RackId(entity.id));
            if (whole > 0) heat.heat = at(Measure::ActivePower), heat.share = std::min(1.0, liquidW / whole), heat.ofPower = true;
        }
        if (heat.flow != kNoPoint && heat.supply != kNoPoint && heat.back != kNoPoint && heat.heat != kNoPoint)
            m_out.heats.push_back(std::move(heat));
    }
    /// What a rack draws on the basis of the chain.
    [[nodiscard]] double wattsOf(RackId rack) const { return toWatts(m_figures.power->rack(rack).at(m_chain.at.basis)); }

    const Figures& m_figures;
    const Bound& m_bound;
    All& m_out;
    const CoolingChain& m_chain;
};

bool carriesPower(const DeviceSpec& spec) { return spec.power.element != PowerElement::None; }

/// Meters of the chain whose children all have meters and no other supplier; and racks over their strips.
void addMeters(const Figures& design, const Bound& bound, All& out)
{
    const Snapshot& s = *design.snapshot;
    const auto& feeds = design.get<PowerFeedsNode>();
    const auto meter = [&](EntityRef entity) { return bound.find({entity, Measure::ActivePower, ""}); };
    struct Below {
        std::vector<PointNo> children;
        bool whole = true;
    };
    std::map<DeviceId, Below> below;
    std::map<RackId, Below> strips;
    s.devices.forEach([&](DeviceId id) {
        std::set<DeviceId> suppliers;
        for (const PowerFeed& feed : feeds.of(id)) suppliers.insert(feed.supplier);
        const PointNo own = meter(ref(id));
        for (const DeviceId supplier : suppliers) {
            Below& b = below[supplier];
            b.whole = b.whole && suppliers.size() == 1 && own != kNoPoint;
            b.children.push_back(own);
        }
        const auto rack = s.devices.rack[id];
        const bool enters = rack && carriesPower(design.parts->device(s.devices.type[id])) &&
                            std::ranges::any_of(suppliers, [&](DeviceId from) { return !(s.devices.rack[from] == rack); });
        if (!enters) return;
        Below& b = strips[*rack];
        b.whole = b.whole && own != kNoPoint;
        b.children.push_back(own);
    });
    const auto& chain = powerChain(design, PowerBasis::Design);
    const auto put = [&](PointNo parent, Below& b, double lossW) {
        if (parent != kNoPoint && b.whole && !b.children.empty()) out.meters.push_back({parent, std::move(b.children), lossW});
    };
    for (auto& [id, b] : below) put(meter(ref(id)), b, std::max(0.0, toWatts(chain.load(id)) - toWatts(chain.through(id))));
    for (auto& [id, b] : strips) put(meter(ref(id)), b, 0);
}

/// How far a value is from the middle of its neighbours, in what they differ by.
double oddness(double value, const std::vector<double>& neighbours, double floor)
{
    if (neighbours.size() < 2) return -1;
    const double middle = medianOf(neighbours);
    std::vector<double> off;
    for (const double n : neighbours) off.push_back(std::abs(n - middle));
    return std::abs(value - middle) / std::max(floor, medianOf(off));
}

/// The sensor of a place that stands out most among those of its neighbours: temperatures by themselves, flow and heat by what they are to
/// each other, and then the one of them that is further from its like.
PointNo oddest(const Heat& h, const std::vector<Heat>& all, const Value& value)
{
    std::vector<double> supplies, returns, flows, heats, ratios;
    for (const Heat& other : all) {
        if (other.loop != h.loop || other.entity == h.entity || other.entity.kind != h.entity.kind) continue;
        const double flow = value(other.flow), supply = value(other.supply), back = value(other.back), heat = value(other.heat) * other.share;
        if (std::isnan(flow + supply + back + heat) || !(heat > 0)) continue;
        supplies.push_back(supply), returns.push_back(back), flows.push_back(flow), heats.push_back(heat), ratios.push_back(flow / heat);
    }
    constexpr double kOdd = 3, kShare = 0.05; // so many times what neighbours differ by, or this share of their middle (assumed)
    const auto share = [&](const std::vector<double>& values) { return values.empty() ? 0 : std::abs(medianOf(values)) * kShare; };
    const double flow = value(h.flow), heat = value(h.heat) * h.share;
    const double oddSupply = oddness(value(h.supply), supplies, 0.5), oddReturn = oddness(value(h.back), returns, 1.0);
    const double oddRatio = oddness(flow / std::max(1.0, heat), ratios, share(ratios));
    if (oddSupply < 0) return h.flow; // no neighbours: of all it is the flow meter that fails most often (assumed)
    if (std::max(oddSupply, oddReturn) > std::max(kOdd, oddRatio)) return oddSupply > oddReturn ? h.supply : h.back;
    return oddness(heat, heats, share(heats)) > oddness(flow, flows, share(flows)) ? h.heat : h.flow;
}

} // namespace

double heatOf(const std::string& coolant, double lpm, double supplyC, double returnC)
{
    const auto fluid = coolant::shippedProperties(coolant, std::clamp((supplyC + returnC) / 2, 5.0, 95.0));
    return fluid ? lpm / 60'000 * fluid->volumetricHeat() * (returnC - supplyC) : std::nan("");
}

All allOf(const Figures& design, const Bound& bound)
{
    All out;
    HeatPlaces(design, bound, out).run();
    addMeters(design, bound, out);
    const auto put = [&](PointNo point, std::size_t number) { out.of[point].push_back(std::uint32_t(number)); };
    for (std::size_t i = 0; i < out.heats.size(); ++i)
        for (const PointNo point : {out.heats[i].flow, out.heats[i].supply, out.heats[i].back, out.heats[i].heat}) put(point, i);
    for (std::size_t i = 0; i < out.meters.size(); ++i) {
        put(out.meters[i].parent, out.heats.size() + i);
        for (const PointNo child : out.meters[i].children) put(child, out.heats.size() + i);
    }
    return out;
}

std::optional<Contradiction> judge(const Heat& h, const std::vector<Heat>& all, const Value& value, const PlausibilityLimits& limits)
{
    const double flow = value(h.flow), supply = value(h.supply), back = value(h.back), heat = value(h.heat) * h.share;
    const double carried = heatOf(h.coolant, flow, supply, back);
    if (std::isnan(heat + carried)) return std::nullopt;
    const double allowed = std::max(limits.heatW, limits.heatShare * (h.ofPower ? 2 : 1) * std::max(std::abs(heat), std::abs(carried)));
    if (std::abs(carried - heat) <= allowed) return std::nullopt;
    Contradiction c;
    c.bad = oddest(h, all, value);
    for (const PointNo point : {h.flow, h.supply, h.back, h.heat})
        if (point != c.bad) c.against.push_back(point);
    const double perK = (carried / std::max(1e-9, std::abs(back - supply))) * (back < supply ? -1 : 1);
    c.measured = value(c.bad);
    if (c.bad == h.flow) c.expected = carried != 0 ? flow * heat / carried : std::nan("");
    if (c.bad == h.heat) c.expected = carried / h.share;
    if (c.bad == h.supply) c.expected = back - heat / std::max(1e-9, std::abs(perK));
    if (c.bad == h.back) c.expected = supply + heat / std::max(1e-9, std::abs(perK));
    return c;
}

std::optional<Contradiction> judge(const Meter& m, const All& all, const Value& value, const PlausibilityLimits& limits)
{
    const auto sumOf = [&](const Meter& meter) {
        double sum = 0;
        for (const PointNo child : meter.children) sum += value(child);
        return sum;
    };
    const auto off = [&](const Meter& meter) { // how much the meter says too much; 0: within what is allowed
        const double sum = sumOf(meter), own = value(meter.parent);
        if (std::isnan(sum + own)) return 0.0;
        const double allowed = std::max(limits.meterW, limits.meterShare * std::max(std::abs(sum), std::abs(own)));
        if (own > sum + meter.lossW + allowed) return own - sum - meter.lossW;
        return own < sum - allowed ? own - sum : 0.0;
    };
    const double excess = off(m);
    if (excess == 0) return std::nullopt;
    Contradiction c{m.parent, m.children, value(m.parent), sumOf(m)};
    // Where one child would be among its neighbours again with what is missing, it is that one, unless it agrees with what is below it.
    std::vector<double> children;
    for (const PointNo child : m.children) children.push_back(value(child));
    PointNo suspect = kNoPoint;
    double expected = 0;
    int suspects = 0;
    for (std::size_t i = 0; i < children.size() && children.size() > 2; ++i) {
        auto others = children;
        others.erase(others.begin() + std::ptrdiff_t(i));
        const double middle = medianOf(others), mended = children[i] + excess;
        const bool fits = std::abs(mended - middle) < 0.3 * std::abs(children[i] - middle);
        const auto own = std::ranges::find(all.meters, m.children[i], &Meter::parent);
        const bool sound = own != all.meters.end() && off(*own) == 0 && !std::isnan(sumOf(*own));
        if (fits && !sound) suspect = m.children[i], expected = mended, ++suspects;
    }
    if (suspects != 1) return c;
    c.bad = suspect, c.measured = value(suspect), c.expected = expected;
    c.against = {m.parent};
    for (const PointNo child : m.children)
        if (child != suspect) c.against.push_back(child);
    return c;
}

} // namespace hw::live::balances

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/feeder_size.h"

#include "core/derived/figures/power_chain.h"
#include "core/derived/geometry/routing.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

namespace hw {

namespace {

// What a cable ends in says for which voltage it is.
constexpr std::array<std::string_view, 4> kEndOfLevel{"lv-lug", "mv-termination", "hv-termination", "dc-lug"};
constexpr std::string_view kDuctEnd = "bus-duct-flange", kWhipEnd = "iec-60309-3p-n-e-6h";
constexpr double kRechargeOfUps = 1.25; ///< input current while the battery charges, Galaxy VXL 990-55111

/// A box that plugs onto a busway, by its one way in.
bool isTapOff(const DeviceSpec& spec)
{
    return spec.power.element == PowerElement::None && spec.inlets.size() == 1 && spec.inlets.front().name == "Busway" && spec.outlets.size() == 1;
}

} // namespace

FeederSizes::FeederSizes(const Snapshot& snapshot, const ProjectParts& parts, const MediumGraph& power)
    : m_s(snapshot), m_parts(parts), m_power(power)
{
    const double root = std::numbers::sqrt3;
    m_voltsOfPhases = {root * root * numberSetting(snapshot, "rule.p2.phase_v", 230), root * 1000 * numberSetting(snapshot, "power.medium_kv"),
                       root * 1000 * numberSetting(snapshot, "power.high_kv"), kDirectVolts};
    m_derate = numberSetting(snapshot, "rule.p2.feeder_derate_percent", 91) / 100 * numberSetting(snapshot, "cabling.grouping_percent") / 100;
    m_continuous = std::max(0.01, numberSetting(snapshot, "rule.p2.continuous_percent", 80) / 100);
    m_mostRuns = std::max<std::int64_t>(1, std::int64_t(numberSetting(snapshot, "cabling.parallel_runs")));
    m_powerFactor = std::max(0.01, powerFactorOf(snapshot));
    readParts(parts);
}

void FeederSizes::readParts(const ProjectParts& parts)
{
    m_s.partTypes.forEach([&](PartTypeId id) {
        if (m_s.partTypes.kind[id] == PartKind::Device) {
            const DeviceSpec& spec = parts.device(id);
            const std::int64_t ma = isTapOff(spec) ? std::llround(double(spec.inlets.front().maximumDraw.count()) / m_voltsOfPhases[0]) : 0;
            if (ma > 0) m_tapOffs.push_back({id, ma, 0});
            return;
        }
        if (m_s.partTypes.kind[id] != PartKind::Cable) return;
        const CableSpec& cable = parts.cable(id);
        if (cable.medium != "power" || cable.milliamperes.value <= 0) return;
        const Choice choice{id, cable.milliamperes.value, crossSectionUm2(cable)};
        if (cable.connector == kDuctEnd) m_ducts.push_back(choice);
        if (cable.connector == kWhipEnd) m_whips.push_back(choice);
        for (std::size_t level = 0; level < kLevels; ++level)
            if (cable.connector == kEndOfLevel[level]) m_cables[level].push_back(choice);
    });
    const auto sort = [&](std::vector<Choice>& choices) {
        std::ranges::sort(choices, {}, [&](const Choice& c) { return std::tuple(c.milliamperes, c.area, m_s.partTypes.slug[c.type]); });
    };
    for (auto& cables : m_cables) sort(cables);
    sort(m_ducts), sort(m_whips), sort(m_tapOffs);
}

FeederSizes::Level FeederSizes::levelOf(DeviceId consumer, DeviceId supplier) const
{
    const PowerElement above = spec(supplier).power.element, below = spec(consumer).power.element;
    const auto feedsSwitchgear = [&](DeviceId id) {
        return std::ranges::any_of(m_power.arcs(id),
                                   [&](const auto& arc) { return !arc.up && spec(arc.to).power.element == PowerElement::Switchgear; });
    };
    if (above == PowerElement::Utility && below == PowerElement::Transformer && feedsSwitchgear(consumer)) return Level::High;
    if (above == PowerElement::Utility || above == PowerElement::Switchgear || below == PowerElement::Switchgear) return Level::Medium;
    return takesDirectCurrent(spec(consumer)) ? Level::Direct : Level::Low;
}

/// `fed`: its intake, else what it gives.
std::int64_t FeederSizes::ratedMa(DeviceId device, Level level, bool fed) const
{
    const DeviceSpec& own = spec(device);
    const double volts = m_voltsOfPhases[std::size_t(level)];
    double mva = double(own.power.apparent.value.count()); // mVA, or mW
    if (own.power.element == PowerElement::None || mva <= 0) {
        const bool equipment = own.power.element != PowerElement::None;
        const double mw = double(equipment ? own.capacity.value.count() : own.nameplate.value.count());
        mva = mw / (level == Level::Direct ? 1 : m_powerFactor);
        // Capacities of strips and shelves are what they may carry all the time.
        const bool tail = own.power.element == PowerElement::Pdu || own.power.element == PowerElement::Shelf;
        if (tail || !equipment) mva = (tail ? mw : mva) / m_continuous;
    }
    if (fed && own.power.element == PowerElement::Ups) mva *= kRechargeOfUps;
    return std::llround(mva / volts);
}

std::int64_t FeederSizes::needMa(DeviceId consumer, DeviceId supplier, Level level) const
{
    const std::int64_t below = ratedMa(consumer, level, true), above = ratedMa(supplier, level, false);
    if (below == 0 || above == 0) return std::max(below, above);
    return std::min(below, above);
}

void FeederSizes::setVolts(SupplySize& size, Level level) const
{
    const bool direct = level == Level::Direct;
    size.volts = direct ? m_voltsOfPhases[std::size_t(level)] : m_voltsOfPhases[std::size_t(level)] / std::numbers::sqrt3;
    size.phases = direct ? power::LinePhases::Direct : power::LinePhases::Three;
}

void FeederSizes::take(SupplySize& size, PartTypeId type) const
{
    size.type = type, size.byHand = true;
    const CableSpec& cable = m_parts.cable(type);
    const bool laid = size.kind == SupplyKind::Feeder && cable.connector != kDuctEnd; // among others; ducts and whips are rated as they are
    size.carriesMa = std::int64_t(double(cable.milliamperes.value) * (laid ? m_derate : 1)) * size.runs;
}

SupplySize FeederSizes::feeder(DeviceId consumer, DeviceId supplier) const
{
    const Level level = levelOf(consumer, supplier);
    SupplySize size;
    setVolts(size, level);
    size.needMa = needMa(consumer, supplier, level);
    const auto& cables = m_cables[std::size_t(level)];
    const auto most = cables.empty() ? 0.0 : double(cables.back().milliamperes) * m_derate;
    const std::int64_t runs = most > 0 ? std::max<std::int64_t>(1, std::int64_t(std::ceil(double(size.needMa) / most))) : 0;
    if ((runs > m_mostRuns || runs == 0) && !m_ducts.empty() && (level == Level::Low || level == Level::Direct)) {
        size.kind = SupplyKind::BusDuct;
        const auto fits = std::ranges::find_if(m_ducts, [&](const Choice& c) { return c.milliamperes >= size.needMa; });
        const Choice& duct = fits == m_ducts.end() ? m_ducts.back() : *fits;
        size.type = duct.type;
        size.runs = std::int16_t(std::max<std::int64_t>(1, (size.needMa + duct.milliamperes - 1) / duct.milliamperes));
        size.carriesMa = duct.milliamperes * size.runs;
        return size;
    }
    if (runs == 0) return size;
    const auto derated = [&](const Choice& c) { return std::int64_t(double(c.milliamperes) * m_derate); };
    const auto thinnest = std::ranges::find_if(cables, [&](const Choice& c) { return derated(c) * runs >= size.needMa; });
    const Choice& cable = thinnest == cables.end() ? cables.back() : *thinnest;
    size.type = cable.type;
    size.runs = std::int16_t(std::min<std::int64_t>(runs, 64));
    size.carriesMa = derated(cable) * size.runs;
    return size;
}

SupplySize FeederSizes::whip(DeviceId consumer, DeviceId supplier) const
{
    SupplySize size;
    size.kind = SupplyKind::Whip;
    const Level level = takesDirectCurrent(spec(consumer)) ? Level::Direct : Level::Low;
    setVolts(size, level);
    size.needMa = ratedMa(consumer, level, true);
    if (size.needMa == 0) size.needMa = needMa(consumer, supplier, Level::Low);
    const auto first = [&](const std::vector<Choice>& choices) {
        return std::ranges::find_if(choices, [&](const Choice& c) { return c.milliamperes + 500 >= size.needMa; }); // ratings are rounded
    };
    if (const auto whip = first(m_whips); whip != m_whips.end()) size.type = whip->type, size.carriesMa = whip->milliamperes;
    if (const auto box = first(m_tapOffs); box != m_tapOffs.end()) size.tapOff = box->type;
    return size;
}

FeederDrops FeederSizes::drops() const
{
    FeederDrops drops;
    drops.allowed = numberSetting(m_s, "cabling.feeder_drop_percent") / 100;
    drops.powerFactor = m_powerFactor, drops.continuous = m_continuous, drops.mostRuns = m_mostRuns;
    for (const Level level : {Level::Low, Level::Direct}) {
        auto& family = drops.families.emplace_back();
        for (const Choice& choice : m_cables[std::size_t(level)]) {
            const CableSpec& cable = m_parts.cable(choice.type);
            const double r = cable.milliohms.value > 0 ? cable.milliohms.value : power::copperResistance(cable.squareMm.value);
            if (r > 0) family.push_back({choice.type, std::int64_t(double(choice.milliamperes) * m_derate), choice.area, {r, cable.reactance.value}});
        }
    }
    return drops;
}

bool FeederDrops::widen(SupplySize& size, std::int32_t lengthMm) const
{
    if (size.kind != SupplyKind::Feeder || size.byHand || !size.type || size.needMa <= 0) return false;
    const auto family = std::ranges::find_if(families, [&](const auto& f) { return std::ranges::find(f, *size.type, &Cable::type) != f.end(); });
    if (family == families.end()) return false;
    const double amps = double(size.needMa) / 1000 * continuous, meters = double(lengthMm) / 1000,
                 watts = size.phases == power::LinePhases::Direct
                             ? amps * size.volts
                             : amps * size.volts * powerFactor * (size.phases == power::LinePhases::Three ? std::numbers::sqrt3 : 1);
    const auto lost = [&](const Cable& cable, std::int64_t runs) {
        const double share = meters / double(runs);
        return power::voltageDrop({cable.perMeter.r * share, cable.perMeter.x * share}, watts, size.volts, powerFactor, size.phases);
    };
    const Cable& now = *std::ranges::find(*family, *size.type, &Cable::type);
    if (lost(now, size.runs) <= allowed) return false;
    const Cable* best = nullptr;
    std::int64_t bestRuns = size.runs;
    double least = 0;
    const std::int64_t most = std::max<std::int64_t>(size.runs, mostRuns);
    for (std::int64_t runs = size.runs; runs <= most; ++runs)
        for (const Cable& cable : *family) {
            if (cable.carriesMa * runs < size.needMa) continue;
            const double drop = lost(cable, runs), copper = 1 / cable.perMeter.r * double(runs); // conductance grows with copper
            const bool keeps = drop <= allowed;
            const double rank = keeps ? copper : 1e12 + drop;
            if (!best || rank < least) best = &cable, bestRuns = runs, least = rank;
        }
    if (!best || (best->type == *size.type && bestRuns == size.runs)) return false;
    size.type = best->type, size.runs = std::int16_t(bestRuns), size.carriesMa = best->carriesMa * bestRuns;
    return true;
}

} // namespace hw

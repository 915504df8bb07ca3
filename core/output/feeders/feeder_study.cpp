// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/feeders/feeder_study.h"

#include "core/derived/cooling/facility.h"
#include "core/derived/installed/plant_sizes.h"
#include "core/derived/rules/grid_rules.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/setting_values.h"
#include "core/foundation/money/phases.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

namespace hw {

double FeederStudy::lossW() const
{
    double sum = 0;
    for (const Feeder& f : feeders) sum += f.lossW;
    return sum;
}

const Feeder* FeederStudy::worstDrop() const
{
    const auto most = std::ranges::max_element(feeders, {}, &Feeder::regulatedShare);
    return most == feeders.end() ? nullptr : &*most;
}

std::vector<const Feeder*> FeederStudy::overloaded() const
{
    const auto load = [](const Feeder* f) { return 1000 * f->worstAmps / double(f->size.carriesMa); };
    std::vector<const Feeder*> over;
    for (const Feeder& f : feeders)
        if (f.size.carriesMa > 0 && load(&f) > 1) over.push_back(&f);
    std::ranges::stable_sort(over, std::greater(), load);
    return over;
}

Result<DeviceId> powerEquipment(const Figures& figures, EntityRef entity)
{
    const Snapshot& s = *figures.snapshot;
    if (entity.kind == EntityKind::Device && s.tiers.kind[s.devices.tier[DeviceId(entity.id)]] == TierKind::Power) return DeviceId(entity.id);
    return fail(ErrorCode::Refused, entityName(s, *figures.parts, entity), i18n("not power equipment"),
                i18n("choose a utility feed, transformer, generator, UPS, switchboard or busway"));
}

Result<FeederStudy> feederStudy(const Figures& figures, std::span<const DeviceId> lost)
{
    const Snapshot& s = *figures.snapshot;
    FeederStudy study{.basis = powerBasisOf(s)};
    auto grid = gridOf(s);
    if (!grid) return tl::unexpected(grid.error());
    const auto steps = contractSteps(s);
    if (!steps) return tl::unexpected(steps.error());
    const FeederLoads loads(figures, study.basis, lost);
    study.powerFactor = loads.powerFactor, study.conductorC = loads.celsius;
    study.feeders = feedersOf(loads), study.utilities = utilityLoadsOf(loads);
    const Progress none;
    const RuleInput input{figures, study.basis, none};
    study.leastFactor = input.threshold(rules::kPowerFactor);
    if (lost.empty()) {
        study.faults = faultLevelsOf(figures);
        for (const FaultLevel& level : study.faults) study.withstand.push_back(rules::withstandAmps(input, level));
    } else {
        study.lost.assign(lost.begin(), lost.end());
        s.devices.forEach([&](DeviceId id) {
            if (loads.chain.flow.live[id.value] && !loads.flow().live[id.value] && std::ranges::find(lost, id) == lost.end())
                study.dark.push_back(id);
        });
    }
    study.grid = std::move(*grid), study.swing = loadSwing(figures, study.basis);
    study.facilityW = toWatts(pueOf(figures, study.basis).facility);
    study.contractW = contractAt(s, *steps, PhaseIndex(s).numbers().back());
    return study;
}

void addPhase(FeederStudy& study, const Figures& figures, int number, std::string name)
{
    const auto steps = contractSteps(*figures.snapshot);
    study.phases.push_back(
        {number, std::move(name), toWatts(pueOf(figures, study.basis).facility), steps ? contractAt(*figures.snapshot, *steps, number) : 0});
}

std::vector<FeederGroup> feederGroups(const FeederStudy& study, const Snapshot& s, const ProjectParts&)
{
    std::map<std::tuple<std::string, std::string, std::string, int>, FeederGroup> groups;
    std::vector<const FeederGroup*> order;
    for (const Feeder& f : study.feeders) {
        const auto slug = [&](DeviceId id) { return s.partTypes.slug[s.devices.type[id]]; };
        const std::string conductor = f.size.type ? s.partTypes.slug[*f.size.type] : std::string("–");
        FeederGroup& g = groups[{slug(f.supplier), slug(f.consumer), conductor, f.size.runs}];
        if (g.count++ == 0) g.from = slug(f.supplier), g.to = slug(f.consumer), g.conductor = conductor, g.runs = f.size.runs, g.shortestM = f.meters;
        g.shortestM = std::min(g.shortestM, f.meters), g.longestM = std::max(g.longestM, f.meters);
        g.amps = std::max(g.amps, f.worstAmps), g.ampacity = std::max(g.ampacity, double(f.size.carriesMa) / 1000), g.lossW += f.lossW;
        g.drop = std::max(g.drop, f.dropShare), g.regulated = std::max(g.regulated, f.regulatedShare), g.path = std::max(g.path, f.pathShare);
    }
    std::vector<FeederGroup> out;
    for (auto& [key, group] : groups) out.push_back(std::move(group));
    return out;
}

std::vector<FaultGroup> faultGroups(const FeederStudy& study, const Snapshot& s, const ProjectParts& parts)
{
    std::map<std::string, FaultGroup> groups;
    for (std::size_t i = 0; i < study.faults.size(); ++i) {
        const FaultLevel& level = study.faults[i];
        FaultGroup& g = groups[s.partTypes.slug[s.devices.type[level.at]]];
        if (g.count++ > 0 && level.most() <= g.level.most()) continue;
        g.type = s.partTypes.slug[s.devices.type[level.at]], g.worst = entityName(s, parts, ref(level.at)), g.level = level,
        g.withstand = study.withstand[i];
    }
    std::vector<FaultGroup> out;
    for (auto& [type, group] : groups) out.push_back(std::move(group));
    std::ranges::stable_sort(out, [](const FaultGroup& a, const FaultGroup& b) {
        return std::pair(a.level.volts, a.level.most()) > std::pair(b.level.volts, b.level.most());
    });
    return out;
}

std::vector<GridFact> gridFacts(const FeederStudy& study, const Snapshot& s, const ProjectParts& parts)
{
    std::vector<GridFact> out;
    for (const UtilityLoad& load : study.utilities)
        out.push_back({.label = verbatim(entityName(s, parts, ref(load.at))),
                       .value = i18n("{:L} kW, {:L} kvar, power factor {:.3f}", std::int64_t(std::llround(load.watts / 1000)),
                                     std::int64_t(std::llround(load.vars / 1000)), load.factor()),
                       .limit = study.leastFactor > 0 ? i18n("minimum {:.2f}", study.leastFactor) : Text(),
                       .over = load.factor() < study.leastFactor,
                       .at = load.at});
    const auto contracted = [](double facilityW, double contractW, Text label) -> GridFact {
        return {.label = std::move(label),
                .value = i18n("{:.2f} MW", facilityW / 1e6),
                .limit = contractW > 0 ? i18n("contracted {:.2f} MW", contractW / 1e6) : i18n("no contracted power specified"),
                .over = contractW > 0 && facilityW > contractW};
    };
    out.push_back(contracted(study.facilityW, study.contractW, i18n("Facility power")));
    for (const FeederStudy::Phase& phase : study.phases)
        out.push_back(contracted(phase.facilityW, phase.contractW, i18n("Phase {}: {}", phase.number, phase.name)));
    out.push_back({.label = i18n("Load step of one job"), .value = i18n("{:.2f} MW in {:g} s", study.swing.watts / 1e6, study.swing.seconds)});
    if (!study.grid) {
        out.push_back({.label = i18n("Grid operator"), .value = i18n("not specified; set site.grid")});
        return out;
    }
    const GridRule& g = *study.grid;
    out.push_back({.label = i18n("Grid operator"), .value = i18n("{} ({})", g.title, g.status)});
    const auto limit = [&](Text label, double most, double seconds) {
        const double computed = study.swing.within(seconds) / 1e6;
        if (most <= 0)
            out.push_back({.label = std::move(label), .value = i18n("no published limit")});
        else
            out.push_back({.label = std::move(label),
                           .value = i18n("{:.1f} MW within {:g} s", computed, seconds),
                           .limit = i18n("limit {:g} MW", most),
                           .over = computed > most});
    };
    limit(i18n("Load step"), g.stepMw, g.stepS), limit(i18n("Ramp"), g.rampMwPerMin, 60);
    if (!g.recovery.empty()) out.push_back({.label = i18n("Recovery after a fault"), .value = verbatim(g.recovery)});
    if (study.facilityW < g.fromMw * 1e6) out.push_back({.label = i18n("Applies from"), .value = i18n("{:g} MW", g.fromMw)});
    return out;
}

std::array<Text, 2> feederScope() { return {i18n("Planning values, to be superseded by a short-circuit and coordination study."), plantScopeText()}; }

double nominalVolts(double volts)
{
    for (const double nominal : {208.0, 400.0, 415.0, 480.0, 690.0})
        if (std::abs(volts / nominal - 1) < 0.01) return nominal;
    return volts;
}

} // namespace hw

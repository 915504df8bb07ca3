// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/feeders/feeder_study.h"

#include "core/derived/cooling/facility.h"
#include "core/foundation/catalogue/entity.h"
#include "core/foundation/model/setting_values.h"
#include "core/foundation/money/phases.h"

#include <algorithm>
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

Result<FeederStudy> feederStudy(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    FeederStudy study{.basis = powerBasisOf(s)};
    auto grid = gridOf(s);
    if (!grid) return tl::unexpected(grid.error());
    const auto steps = contractSteps(s);
    if (!steps) return tl::unexpected(steps.error());
    const FeederLoads loads(figures, study.basis);
    study.powerFactor = loads.powerFactor, study.conductorC = loads.celsius;
    study.feeders = feedersOf(loads), study.faults = faultLevelsOf(figures), study.utilities = utilityLoadsOf(loads);
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
    for (const FaultLevel& level : study.faults) {
        FaultGroup& g = groups[s.partTypes.slug[s.devices.type[level.at]]];
        if (g.count++ > 0 && level.most() <= g.level.most()) continue;
        g.type = s.partTypes.slug[s.devices.type[level.at]], g.worst = entityName(s, parts, ref(level.at)), g.level = level;
    }
    std::vector<FaultGroup> out;
    for (auto& [type, group] : groups) out.push_back(std::move(group));
    std::ranges::stable_sort(out, [](const FaultGroup& a, const FaultGroup& b) {
        return std::pair(a.level.volts, a.level.most()) > std::pair(b.level.volts, b.level.most());
    });
    return out;
}

std::array<Text, 2> feederScope()
{
    return {i18n("Planning values: a short-circuit and coordination study replaces them."),
            i18n("Not covered: selectivity, arc flash, earthing, harmonics beyond K-factor, pipe stress, water hammer.")};
}

} // namespace hw

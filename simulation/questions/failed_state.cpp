// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/failed_state.h"

#include "simulation/questions/analyses.h"

#include "simulation/questions/cut_off.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::sim {
inline namespace questions {

namespace {

bool hasActiveHost(const Snapshot& s)
{
    bool found = false;
    s.devices.forEach(
        [&](DeviceId id) { found = found || (s.tiers.kind[s.devices.tier[id]] == TierKind::Server && s.devices.role[id] == DeviceRole::Active); });
    return found;
}

} // namespace

Field failedField()
{
    return texts("failed", nullptr,
                 i18n("elements lost before the start, with all consequences: power equipment, racks, rows, trays, cables, "
                      "switches, hosts, cooling equipment; ports, power supplies and pumps as DEVICE:PORT"));
}

bool FailedState::hasLost(DeviceId host) const { return std::ranges::binary_search(hosts, host); }

Text FailedState::note() const
{
    return i18n("Before the start, {} hosts with {} GPUs and {} links were lost; routing has converged, and these hosts are not used.", hosts.size(),
                gpus, links.size());
}

Json FailedState::json() const
{
    Json out = {{"hosts", hosts.size()}, {"gpus", gpus}, {"links", links.size()}};
    if (loss) out.update(lossJson(*loss));
    return out;
}

Result<impact::Loss> lossOf(const ScenarioDesign& design, std::span<const EntityRef> lost, const Progress& progress)
{
    auto figures = computeFigures(design.snapshot);
    if (!figures) return tl::unexpected(figures.error());
    const auto model = impact::Model::of(*figures, progress);
    if (!model) return tl::unexpected(model.error());
    std::vector<impact::Failing> failing;
    for (const EntityRef entity : lost) failing.push_back({entity});
    return impact::Study(*model).lose(failing).loss;
}

Json lossJson(const impact::Loss& loss)
{
    return {{"gpus_lost", loss.gpusLost.active},   {"gpus_degraded", loss.gpusDegraded.active}, {"hosts_lost", loss.hostsLost.active},
            {"ports_lost", loss.portsLost.active}, {"nics_lost", loss.nicsLost.active},         {"nics_half", loss.nicsHalf.active}};
}

Result<std::optional<FailedState>> failedState(const ScenarioDesign& design, const Json& parameters, const Progress& progress)
{
    if (!parameters.contains("failed")) return design.lost ? std::optional(*design.lost) : std::nullopt;
    auto figures = computeFigures(design.snapshot);
    if (!figures) return tl::unexpected(figures.error());
    const auto model = impact::Model::of(*figures, progress);
    if (!model) return tl::unexpected(model.error());
    std::vector<impact::Failing> failing;
    const Json& names = parameters.at("failed");
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto found = impact::findFailing(**model, names[i].get<std::string>());
        if (!found) return fail(ErrorCode::Refused, fmt::format("failed[{}]", i), found.error().what, found.error().todo); // no text
        failing.push_back(*found);
    }
    impact::Study study(*model);
    const impact::Effect& effect = study.lose(failing);
    FailedState state;
    if (design.lost) state = *design.lost;
    for (const auto* list : {&effect.failed.devices, &effect.dark, &effect.hot, &effect.hosts})
        for (const DeviceId id : *list)
            if ((*model)->host[id.value]) state.hosts.push_back(id);
    std::ranges::sort(state.hosts);
    state.hosts.erase(std::unique(state.hosts.begin(), state.hosts.end()), state.hosts.end());
    state.links.insert(state.links.end(), effect.links.begin(), effect.links.end());
    std::ranges::sort(state.links);
    state.links.erase(std::unique(state.links.begin(), state.links.end()), state.links.end());
    state.gpus = effect.loss.gpusLost.active;
    state.loss = effect.loss;
    return std::optional(std::move(state));
}

SnapshotPtr designLeft(const Snapshot& design, const FailedState& failed)
{
    auto left = std::make_shared<Snapshot>(design);
    for (const LinkId link : failed.links) left->links.erase(link);
    for (const DeviceId host : failed.hosts) left->devices.role.set(host, DeviceRole::Support);
    return left;
}

ScenarioKind afterFailure(ScenarioKind kind)
{
    kind.fields.push_back(failedField());
    kind.run = [run = std::move(kind.run)](const ScenarioDesign& design, const Json& parameters,
                                           const Progress& progress) -> Result<ScenarioOutcome> {
        const auto failed = failedState(design, parameters, progress);
        if (!failed) return tl::unexpected(failed.error());
        if (!*failed) return run(design, parameters, progress);
        Json rest = parameters;
        rest.erase("failed");
        const SnapshotPtr left = designLeft(*design.snapshot, **failed);
        if (!hasActiveHost(*left))
            return fail(ErrorCode::Refused, "failed", i18n("no host left"), i18n("reduce the number of failures, or choose other segments"));
        auto outcome = run({left, design.parts}, rest, progress);
        if (!outcome) {
            if (outcome.error().where != "network") return outcome;
            return tl::unexpected(namingCutOff(outcome.error(), cutOffText(design, textOf(parameters, "network"), **failed)));
        }
        outcome->results["lost_before"] = (*failed)->json();
        outcome->notes.insert(outcome->notes.begin(), (*failed)->note());
        return outcome;
    };
    return kind;
}

} // namespace questions
} // namespace hw::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/failed_state.h"

#include "core/impact/study.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::sim {
inline namespace questions {

Field failedField()
{
    return texts("failed", nullptr,
                 i18n("elements that are lost before it starts, with all that follows: power equipment, racks, rows, trays, "
                      "cables, switches, hosts, cooling equipment; ports, power supplies and pumps as DEVICE:PORT"));
}

bool FailedState::hasLost(DeviceId host) const { return std::ranges::binary_search(hosts, host); }

Text FailedState::note() const
{
    return i18n("Before it starts {} hosts with {} GPUs and {} links were lost; all routers know, and the hosts take no part.", hosts.size(), gpus,
                links.size());
}

Json FailedState::json() const { return {{"hosts", hosts.size()}, {"gpus", gpus}, {"links", links.size()}}; }

Result<std::optional<FailedState>> failedState(const ScenarioDesign& design, const Json& parameters, const Progress& progress)
{
    if (!parameters.contains("failed")) return std::nullopt;
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
    for (const auto* list : {&effect.failed.devices, &effect.dark, &effect.hot, &effect.hosts})
        for (const DeviceId id : *list)
            if ((*model)->host[id.value]) state.hosts.push_back(id);
    std::ranges::sort(state.hosts);
    state.hosts.erase(std::unique(state.hosts.begin(), state.hosts.end()), state.hosts.end());
    state.links = effect.links;
    std::ranges::sort(state.links);
    state.gpus = effect.loss.gpusLost.active;
    return std::optional(std::move(state));
}

} // namespace questions
} // namespace hw::sim

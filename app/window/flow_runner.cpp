// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/flow_runner.h"

#include "simulation/engine/run.h"

namespace hw::app {

views::ScenarioRunner flowRunner()
{
    return [](const FiguresPtr& figures, const views::ScenarioChoice& choice, const Progress& progress) -> Result<views::FlowPtr> {
        sim::Scenario scenario;
        scenario.workload = choice.permutation ? sim::Workload::Permutation : sim::Workload::RingAllReduce;
        scenario.name = choice.permutation ? "permutation" : "ring all-reduce";
        for (const int segment : choice.segments) scenario.segments.push_back(decltype(scenario.segments)::value_type(segment));
        scenario.bytes = choice.bytes;
        scenario.seed = choice.seed;
        return sim::runScenario(*figures->snapshot, scenario, progress);
    };
}

} // namespace hw::app

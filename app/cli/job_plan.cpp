// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/job_plan.h"

#include "simulation/reliability/planned_job.h"

namespace hw::cli {

Result<jobs::JobPlan> jobPlanOf(const std::string& scenario, const nlohmann::ordered_json& results, const Figures& figures)
{
    return sim::plannedJob(scenario, results, figures);
}

} // namespace hw::cli

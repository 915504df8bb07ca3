// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/training/job_run.h"
#include "tests/template/shipped_design.h"

using hw::test::design;

/// Without the scale-up rate that the server states, so that the jobs' own counts: 1,600 Gb/s of an H800.
inline hw::sim::WorkloadFabric hpn(std::int64_t pods, std::int64_t segments)
{
    auto f = *hw::sim::workloadFabric(*design("hpn", {{"pods", pods}, {"segments", segments}}));
    f.scaleUpGbps = 0;
    return f;
}

/// GPT-3 cut like this, without latencies and with a stated share of the peak: what these tests look at is the network.
inline hw::sim::TrainingJob gptJob(int tp, int pp, int dp)
{
    hw::sim::TrainingJob job;
    job.cut.tensor = tp, job.cut.pipeline = pp, job.cut.data = dp;
    job.latency = {0, 0, 0};
    job.accelerator.efficiency = 0.55;
    return job;
}

/// Load spread evenly over equal paths.
inline hw::sim::PhaseOptions sprayed()
{
    hw::sim::PhaseOptions o;
    o.routing.selection = hw::sim::PathSelection::Spray;
    return o;
}

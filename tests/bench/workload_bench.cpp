// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/workload_bench.h"

#include "core/design/template/template.h"
#include "core/foundation/base/resources.h"
#include "simulation/fairshare/cpu_clock.h"
#include "simulation/training/job_run.h"
#include "simulation/training/presets.h"
#include "tests/bench/peak_memory.h"
#include "tests/simulation/training/preset_job.h"

#include <ostream>

#include <fmt/ostream.h>

namespace hw::bench {

namespace {

using namespace hw::sim;

void row(std::ostream& out, const WorkloadFabric& fabric, const WorkloadLibrary& library, const char* preset, Placement placement,
         PathSelection selection)
{
    auto job = presetJob(library, preset, fabric);
    if (!job) return fmt::print(out, "{}: {}\n", preset, job.error().text());
    job->placement = placement;
    JobRunOptions options;
    options.keepLinkBytes = false;
    options.phase.routing.selection = selection;
    const double start = cpuSeconds();
    const auto run = runJob(fabric, *job, options);
    const double seconds = cpuSeconds() - start;
    if (!run) return fmt::print(out, "{}: {}\n", preset, run.error().text());
    bool certified = true;
    for (const auto& phase : run->phases) certified = certified && phase.result.certified;
    const Iteration& it = run->iteration;
    fmt::print(out, "| {} | {} | {} | {:.2f} | {} | {} | {} | {:.3f} | {:.3f} | {:.1f} % |\n", preset, name(placement), name(selection), seconds,
               run->flows, certified ? "ok" : "no", peakMiB(), it.iterationS, it.gradientS, it.mfu * 100);
}

} // namespace

void benchWorkload(std::ostream& out)
{
    const auto catalog = Catalog::load(resourceFolder() / "catalog");
    const auto loaded = Template::load((resourceFolder() / "templates" / "hpn.yaml").string());
    const auto library = loadWorkloads(resourceFolder() / "workloads");
    if (!catalog || !loaded || !library) return fmt::print(out, "the shipped data cannot be read\n");
    double start = cpuSeconds();
    const auto snapshot = instantiate(*loaded, {{"pods", std::int64_t(8)}}, *catalog);
    if (!snapshot) return fmt::print(out, "{}\n", snapshot.error().text());
    const double designS = cpuSeconds() - start;
    const long designMiB = peakMiB();
    start = cpuSeconds();
    const auto fabric = workloadFabric(**snapshot);
    if (!fabric) return fmt::print(out, "{}\n", fabric.error().text());
    fmt::print(out, "One iteration over {} GPUs. Design {:.2f} s, {} MiB; its fabric as arrays {:.2f} s, {} MiB.\n\n", fabric->gpuCount(), designS,
               designMiB, cpuSeconds() - start, peakMiB());
    fmt::print(out, "| job | placement | paths | CPU s | flows | proof | peak MiB | iteration s | gradients s | MFU "
                    "|\n|---|---|---|---|---|---|---|---|---|---|\n");
    row(out, *fabric, *library, "gpt3-175b", Placement::Contiguous, PathSelection::Hash);
    row(out, *fabric, *library, "gpt3-175b", Placement::Contiguous, PathSelection::Spray);
    row(out, *fabric, *library, "gpt3-175b", Placement::AlternatingPods, PathSelection::Hash);
    row(out, *fabric, *library, "gpt3-175b", Placement::Random, PathSelection::Hash);
    row(out, *fabric, *library, "moe-1.8t", Placement::Contiguous, PathSelection::Hash);
}

} // namespace hw::bench

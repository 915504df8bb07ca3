// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/training/presets.h"

/// A preset on a design: the accelerator is that of its servers, and there are as many replicas as fit. Errors as fitToGpus().
inline hw::Result<hw::sim::TrainingJob> presetJob(const hw::sim::WorkloadLibrary& library, std::string_view preset,
                                                  const hw::sim::WorkloadFabric& fabric)
{
    hw::sim::TrainingJob job = library.preset(preset)->job;
    auto accelerator = designAccelerator(library, fabric);
    if (!accelerator) return tl::unexpected(accelerator.error());
    job.accelerator = std::move(*accelerator);
    return fitToGpus(std::move(job), fabric.gpuCount());
}

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/training/published.h"
#include "simulation/training/workload_fabric.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hw::sim {
inline namespace training {

/// One number of the workload data with where it comes from; A to D as in the catalog (C: assumed).
struct WorkloadFact {
    std::string path; ///< "accelerators.h800.efficiency"
    double value = 0;
    std::string unit, source;
    char confidence = 'C';
};

/// Accelerators, collective libraries, models, jobs to start from and published runs: resources/workloads/*.yaml.
struct WorkloadLibrary {
    struct AcceleratorEntry {
        std::string slug;
        std::vector<std::string> servers;
        Accelerator accelerator;
    };
    struct CollectiveLibrary {
        std::string slug, name;
        double factor = 1;
    };
    struct ModelEntry {
        std::string slug;
        TransformerModel model;
    };
    struct Preset {
        std::string slug, title, source;
        TrainingJob job;
    };
    std::vector<AcceleratorEntry> accelerators;
    std::vector<CollectiveLibrary> libraries;
    std::vector<ModelEntry> models;
    std::vector<Preset> presets;
    std::vector<PublishedRun> published;
    std::vector<WorkloadFact> facts; ///< every number, in the order of the files

    /// nullptr when there is none.
    [[nodiscard]] const AcceleratorEntry* accelerator(std::string_view slug) const;
    [[nodiscard]] const AcceleratorEntry* acceleratorOfServer(std::string_view serverSlug) const;
    [[nodiscard]] const CollectiveLibrary* library(std::string_view slug) const;
    [[nodiscard]] const ModelEntry* model(std::string_view slug) const;
    [[nodiscard]] const Preset* preset(std::string_view slug) const;
};

/// Reads the five files of a folder. Errors: Unreadable with file, line and key for what is missing, unknown, not a number, out of
/// range or without source and confidence, and for names that another file does not have.
[[nodiscard]] Result<WorkloadLibrary> loadWorkloads(const std::filesystem::path& folder);

/// The accelerator of a design's servers: type by the server's slug, with the peaks and the scale-up rate that the design states. No type
/// stands in for another. Errors: Refused for a server type that no entry names.
[[nodiscard]] Result<Accelerator> designAccelerator(const WorkloadLibrary& library, const WorkloadFabric& fabric);
/// The same for collectives alone, which compute nothing: a server type that no entry names will do if the design states its scale-up rate.
[[nodiscard]] Result<Accelerator> designScaleUp(const WorkloadLibrary& library, const WorkloadFabric& fabric);

} // namespace training
} // namespace hw::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/batch/slurm_sweep.h"

#include "core/foundation/files/atomic_file.h"
#include "core/foundation/storage/project_file.h"

namespace hw::sim {
inline namespace batch {

Result<ScenarioAnswer> runOnSlurm(const ScenarioRequest& request, const ScenarioDesign& design, SlurmPoints points, const Progress& progress)
{
    points.name = request.name;
    points.command = {"simulate"};
    if (design.snapshot) points.command.push_back((points.folder / "design.hall").string());
    points.command.insert(points.command.end(), {"--scenario", (points.folder / "request.json").string()});
    points.prepare = [&](const std::filesystem::path& folder) -> Result<void> {
        if (const auto written = writeFile(folder / "request.json", toJson(request).dump(1) + "\n"); !written) return written;
        if (!design.snapshot) return {};
        const auto copy = ProjectFile::create(folder / "design.hall", design.snapshot);
        if (!copy) return tl::unexpected(copy.error());
        return {};
    };
    RunOptions options;
    options.elsewhere = [&](const std::string& identity, std::vector<Json>& found) { return fillOnSlurm(points, identity, found, progress); };
    auto answer = runRequest(request, design, options, progress);
    std::error_code error;
    if (answer) std::filesystem::remove_all(points.folder, error);
    return answer;
}

} // namespace batch
} // namespace hw::sim

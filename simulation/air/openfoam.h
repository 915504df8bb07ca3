// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/air/hall.h"

#include <filesystem>
#include <map>
#include <memory>

namespace hw::sim::air {

struct FoamOptions {
    int iterations = 1500; ///< at most; the solver ends earlier where its residuals are small
    int processes = 1;     ///< of MPI
};

inline constexpr const char* kFoamSolver = "buoyantBoussinesqSimpleFoam";
/// Shell: the variables that programs of Debian's package need where its user has not set them.
inline constexpr const char* kFoamSettings = "if [ -z \"$WM_PROJECT_DIR\" ] && [ -d /usr/share/openfoam ]; then\n"
                                             "  export WM_PROJECT_DIR=/usr/share/openfoam WM_PROJECT=OpenFOAM\nfi\n"; // no text
inline constexpr const char* kFoamNote = "boundaries.txt"; ///< in each case: what its boundaries stand for
inline constexpr const char* kFoamScript = "Allrun";       ///< in each case: solves it
inline constexpr const char* kFoamLog = "log";

struct FoamFile {
    std::string path, text; ///< path within the case
};

/// The hall as a case of buoyantBoussinesqSimpleFoam (k-epsilon, first-order upwind) on the grid of the embedded solver: walls and equipment as
/// boundaries, containment and grilles as porous baffles, racks as pairs of boundaries with their heat in the cells behind them. `start`: fields to
/// start from, of the same grid; null: air at rest. Errors: those of makeRoom(); Refused for a hall that is parted into spaces without connection.
[[nodiscard]] Result<std::vector<FoamFile>> foamCase(const HallPlan& hall, const Room& room, const FoamOptions& options,
                                                     const Solver* start = nullptr);

[[nodiscard]] Result<void> writeFoam(const std::vector<FoamFile>& files, const std::filesystem::path& folder);

/// Temperatures in °C of the cells of air, in the order of the case, from the text of a field T. Error: Unreadable.
[[nodiscard]] Result<std::vector<double>> foamTemperatures(const std::string& text, const std::string& where, std::size_t cells);

/// Answer of OpenFOAM for the racks of a hall.
struct FoamAnswer {
    std::string version;
    int iterations = 0;
    bool converged = false;                  ///< all residuals below the limits of the case
    double heatError = 0;                    ///< |heat in − heat out| over heat in
    double seconds = 0;                      ///< by the clock
    std::map<std::string, double> residuals; ///< of the last iteration, by field
    std::vector<double> celsius;             ///< by cell of the grid
    std::vector<RackAir> racks;              ///< temperatures only
};

/// Where a case runs: on this machine (localFoam) or as a job of a cluster. Its log is `log` in the folder of the case.
struct FoamRun {
    virtual ~FoamRun() = default;
    [[nodiscard]] virtual Result<void> start(const std::filesystem::path& folder) = 0;
    [[nodiscard]] virtual Result<bool> ended() = 0;         ///< asked several times a second; an error ends the run
    [[nodiscard]] virtual Text state() const { return {}; } ///< shown until the first iteration
    virtual void cancel() = 0;                              ///< returns when nothing of it runs any more
};
[[nodiscard]] std::unique_ptr<FoamRun> localFoam();
/// Version of the OpenFOAM in PATH. Errors: Unreadable without it, with the package to install; Refused for a version whose cases differ.
[[nodiscard]] Result<std::string> findFoam();

/// Runs the case of a hall that the embedded solver has solved, from its fields, in `folder`, which is filled. Progress has the residuals. Errors:
/// those of FoamRun; Unreadable where OpenFOAM fails, with the last lines of its log; Canceled.
[[nodiscard]] Result<FoamAnswer> runFoam(const HallAir& air, const std::filesystem::path& folder, const FoamOptions& options, FoamRun& where,
                                         const Progress& progress = {});

/// Both answers for each rack, and their difference.
[[nodiscard]] nlohmann::ordered_json foamJson(const Figures& figures, const HallAir& air, const FoamAnswer& foam);
[[nodiscard]] std::string foamText(const Figures& figures, const HallAir& air, const FoamAnswer& foam);

} // namespace hw::sim::air

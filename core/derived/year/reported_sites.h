// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/physics/plant/plant_model.h"

namespace hw {

/// An annual PUE that an operator reports of a site, and the kind of plant that is assumed of it.
struct ReportedSite {
    std::string operatorName{}, site{}, climate{}, plant{}, period{}, source{};
    std::string notComparable{}; ///< why no reference plant is held against it; empty: one is
    char confidence = 'B';
    double least = 1, most = 1; ///< of the halls there
};
[[nodiscard]] Result<std::vector<ReportedSite>> readReportedSites(std::string_view text, const std::string& file);
[[nodiscard]] const Result<std::vector<ReportedSite>>& shippedReportedSites(); ///< `resources/plant/reported.csv`, read once

/// Plants of 10 MW by kind, as operators of large sites build them: "tower" (towers, heat exchangers and water-cooled chillers, 20 °C, batteries in
/// racks), "dry" (40 °C water and dry coolers with pads for liquid-cooled IT), "chiller" (air-cooled chillers with free cooling at 20 °C, central
/// UPS). Error: Refused for another kind.
[[nodiscard]] Result<plant::PlantModel> referencePlant(std::string_view kind);

struct ReportedComparison {
    const ReportedSite* site = nullptr;
    double computed = 0;
    [[nodiscard]] double error() const; ///< to the nearest end of what is reported; 0 within
    static constexpr double kAllowed = 0.05;
    [[nodiscard]] bool compared() const;
    [[nodiscard]] bool ok() const; ///< within what is allowed, or not compared
};
/// The reference plant of every reported site over the year of its climate, at `load`.
[[nodiscard]] Result<std::vector<ReportedComparison>> compareReported(double load = 0.7);

} // namespace hw

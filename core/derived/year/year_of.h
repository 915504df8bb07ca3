// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/derived/year/year.h"

namespace hw {

/// What a year is asked with beside the design; what is empty follows from its settings.
struct YearRequest {
    std::string climate{}; ///< of a shipped place; "site.climate" where neither this nor an EPW file is given
    std::string epw{};     ///< path of a weather file
    std::string tariff{};  ///< of a shipped tariff, or the path of a YAML file
    std::string load{};    ///< path of a table of hours
};
/// Errors: Refused for an unknown climate, an incomplete plant; Unreadable for files; Canceled.
[[nodiscard]] Result<weather::WeatherYear> weatherOf(const Snapshot& snapshot, const YearRequest& request = {});
[[nodiscard]] Result<Year> yearOf(const Figures& figures, const YearRequest& request = {}, const Progress& progress = {});

/// Where the weather comes from, and how far it holds.
[[nodiscard]] Text weatherText(const Year& year);
/// ASHRAE class of facility water by the highest supply that a loop needs: "W17" … "W+".
[[nodiscard]] const char* waterClass(double supplyC);

} // namespace hw

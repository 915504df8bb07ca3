// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/report/report.h"

#include <filesystem>

#include <nlohmann/json_fwd.hpp>

namespace hw::cli {

/// Power and cooling that the design of a file has built up to a phase, beyond its share of the IT. Error: as `readFigures`.
struct Prebuilt {
    Report::PhaseRow row;
    std::string currency;
    [[nodiscard]] std::string text() const;            ///< human-readable; empty where nothing is pre-built
    [[nodiscard]] nlohmann::ordered_json json() const; ///< prebuilt, prebuilt_parts: as in the phases of the report
};
[[nodiscard]] Result<Prebuilt> prebuiltAt(const std::filesystem::path& file, int phase, const Progress& progress);

} // namespace hw::cli

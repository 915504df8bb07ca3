// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"
#include "core/physics/hydraulics/network_file.h"

#include <map>

namespace hw::importers {

/// An EPANET input file (2.0 to 2.3) as a network of the product, at one moment.
struct EpanetFile {
    std::string title;
    std::string flowUnit, headLoss, pressureUnit; ///< as written: LPS, D-W, KPA
    hydraulics::NetworkFile network;              ///< checked, in SI, as JSON too
    std::map<std::string, std::string> tags;      ///< of links ([TAGS]), by id
    std::vector<exchange::ImportIssue> issues;    ///< what has no effect on a steady state, or means something else here
    std::size_t pipes = 0, pumps = 0, valves = 0, tanks = 0, reservoirs = 0, junctions = 0;
};

/// Whether a text looks like one.
[[nodiscard]] bool looksLikeEpanet(std::string_view content);

/// Reads it for the hour `hour` of its demand and head patterns: a steady state, tanks at their initial levels. Any unit; Hazen-Williams,
/// Darcy-Weisbach, Chezy-Manning; pumps of all laws; TCV, FCV and GPV valves. Errors: Unreadable at FILE:LINE; Refused at FILE:LINE for what
/// the solver does not have (PRV, PSV, PBV, PCV that are not fixed open or closed, emitters, leakage, pressure driven demands).
[[nodiscard]] Result<EpanetFile> readEpanet(std::string_view text, const std::string& file, const coolant::Library& library, double hour = 0);

} // namespace hw::importers

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

namespace hw::cli {

/// `compare FILE --netbox URL`: a design against an installation, row by row.
struct NetboxComparison {
    std::string url, branch, site, credentials;
    std::vector<std::string> take; ///< "netbox:1,4-6", "design:all"
    bool toMain = false, cords = false, dryRun = false;
};
void declareNetbox(CLI::App& app, NetboxComparison& o);
/// What needs --netbox is refused without it. Error: Usage.
[[nodiscard]] Result<void> refuseWithoutNetbox(const NetboxComparison& o);
/// `output`: file for the rows, .csv or .xlsx; empty: they are printed.
[[nodiscard]] Outcome compareNetbox(const std::string& file, const NetboxComparison& o, const std::string& output, bool json, bool expectSame,
                                    const Progress& progress);

} // namespace hw::cli

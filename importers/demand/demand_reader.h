// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/sizing/demand.h"

#include <vector>

namespace hw::importers {

/// A demand curve as far as its list could be read.
struct DemandList {
    sizing::DemandCurve curve;
    std::size_t rows = 0;              ///< points and growth laws, with those that were left out
    std::vector<Error> left;           ///< that were left out, each with its line or key
    [[nodiscard]] Text counts() const; ///< "12 rows: 11 read, 1 skipped"
};

/// Reads CSV (`date,accelerators[,tenant]`, a point a line) or JSON (README.md, "Demand"). Each row is taken or named. Errors: Unreadable with line
/// or key where the form is wrong, or no row can be taken.
[[nodiscard]] Result<DemandList> readDemand(const std::string& text, const std::string& where);

} // namespace hw::importers

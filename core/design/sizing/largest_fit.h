// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/sizing/parts_of_size.h"

#include <functional>

namespace hw::sizing {

/// A design at these parameters with its `limits` filled in.
using Describe = std::function<Result<SizedDesign>(const ParameterValues&)>;

/// "power 18.6 MW of 18.00 MW": the limits that a design passes; empty: it fits.
[[nodiscard]] Text tooMuch(const SizedDesign& design);

/// The largest design of a variant within the limits, with `binding` set where a limit ends it; or why there is none.
struct LargestFit {
    std::optional<SizedDesign> design;
    Text reason;
    bool tooLarge = false; ///< the smallest passes a limit
};
/// `reach`: what the variant grows to at most.
[[nodiscard]] LargestFit largestFit(TemplateCounter& counter, const GrowthPath& path, std::int64_t reach, const Describe& describe);

} // namespace hw::sizing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/facility_of_size.h"

#include "core/derived/cooling/facility.h"
#include "core/derived/figures/figures.h"
#include "core/foundation/base/parallel.h"

#include <algorithm>

namespace hw::sizing {

namespace {

void makeAndRead(SizedDesign& design, const Template& source, const Catalogue& catalogue, const Progress& progress)
{
    const auto made = instantiate(source, design.parameters, catalogue, progress);
    if (!made) return; // one that `new` refuses, too: it keeps the constant
    const auto figures = computeFigures(*made, progress);
    if (!figures) return;
    const Pue pue = pueOf(**figures, design.basis);
    design.pue = pue.value, design.campusIt = pue.it, design.facility = pue.facility, design.facilityBasis = pue.basis();
}

} // namespace

Result<void> addFacilityPower(SizeAnswer& answer, const std::vector<Template>& templates, const Catalogue& catalogue, std::int64_t mostAccelerators,
                              const Progress& progress)
{
    parallelFor(answer.designs.size(), {.threads = answer.request.threads, .stop = progress.stop}, [&](std::size_t i) {
        SizedDesign& design = answer.designs[i];
        const auto source = std::ranges::find_if(templates, [&](const Template& t) { return t.name() == design.templateName; });
        if (source == templates.end() || design.accelerators + design.backupAccelerators > mostAccelerators) return;
        makeAndRead(design, *source, catalogue, progress);
    });
    if (progress.stopRequested()) return fail(ErrorCode::Cancelled, "size", i18n("canceled"));
    return {};
}

} // namespace hw::sizing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/facility_of_size.h"

#include "core/cooling/facility.h"
#include "core/derive/figures.h"

#include <algorithm>
#include <atomic>
#include <thread>

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
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < answer.designs.size() && !progress.stopRequested(); i = next++) {
            SizedDesign& design = answer.designs[i];
            const auto source = std::ranges::find_if(templates, [&](const Template& t) { return t.name() == design.templateName; });
            if (source == templates.end() || design.accelerators + design.backupAccelerators > mostAccelerators) continue;
            makeAndRead(design, *source, catalogue, progress);
        }
    };
    const unsigned threads = answer.request.threads ? answer.request.threads : std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::jthread> pool;
    for (unsigned i = 1; i < std::min<unsigned>(threads, unsigned(answer.designs.size())); ++i) pool.emplace_back(work);
    work();
    pool.clear();
    if (progress.stopRequested()) return fail(ErrorCode::Cancelled, "size", i18n("cancelled"));
    return {};
}

} // namespace hw::sizing

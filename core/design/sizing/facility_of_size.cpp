// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/facility_of_size.h"

#include "core/derived/cooling/facility.h"
#include "core/derived/figures/figures.h"
#include "core/design/sizing/growth.h"
#include "core/design/sizing/parts_of_size.h"
#include "core/foundation/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace hw::sizing {

namespace {

constexpr std::int64_t kSmaller = 8'000; ///< accelerators of the design that stands for a larger one
constexpr int kMostPasses = 4;           ///< of a search for the largest design within facility power

std::optional<Pue> pueOfMade(const Template& source, const ParameterValues& parameters, PowerBasis basis, const Catalog& catalog,
                             const Progress& progress)
{
    const auto made = instantiate(source, parameters, catalog, progress);
    if (!made) return std::nullopt; // one that `new` refuses, too
    const auto figures = computeFigures(*made, progress);
    if (!figures) return std::nullopt;
    return pueOf(**figures, basis);
}

/// The PUE of a smaller design of the same variant, where that has its own losses.
void scaleFromSmaller(SizedDesign& design, const Template& source, const Catalog& catalog, std::int64_t mostAccelerators, const Progress& progress)
{
    auto counter = TemplateCounter::bind(source, catalog);
    if (!counter) return;
    const Variant variant = variantOf(source, design.parameters);
    const GrowthPath path(source, variant, *counter);
    const GrownDesign smaller = smallestReaching(*counter, path, std::min(kSmaller, mostAccelerators));
    if (!smaller.values || smaller.accelerators > mostAccelerators) return;
    const auto pue = pueOfMade(source, *smaller.values, design.basis, catalog, progress);
    if (!pue) return;
    design.pue = pue->value;
    if (pue->computed) design.facilityBasis = "losses-of-smaller", design.pueAccelerators = smaller.accelerators; // no text
    design.facility = Milliwatts(std::llround(design.pue * double(design.campusIt.count())));
}

bool asked(const SizedDesign& design, FacilityOf which) { return which == FacilityOf::All || design.pareto; }

} // namespace

std::int64_t mostMade(const SizeAnswer& answer, FacilityOf which)
{
    std::int64_t large = 0;
    for (const SizedDesign& design : answer.designs)
        if (const auto all = design.accelerators + design.backupAccelerators; all > kMostMade && asked(design, which)) large += all;
    return std::max(kMostMade, large <= kMostMadeTogether ? large : 0);
}

Result<void> addFacilityPower(SizeAnswer& answer, const std::vector<Template>& templates, const Catalog& catalog, std::int64_t mostAccelerators,
                              const Progress& progress, FacilityOf which)
{
    parallelFor(answer.designs.size(), {.threads = answer.request.threads, .stop = progress.stop}, [&](std::size_t i) {
        SizedDesign& design = answer.designs[i];
        if (!asked(design, which)) return;
        const auto source = std::ranges::find_if(templates, [&](const Template& t) { return t.name() == design.templateName; });
        if (source == templates.end()) return;
        design.pue = design.constantPue, design.facility = Milliwatts(std::llround(design.pue * double(design.campusIt.count())));
        if (design.accelerators + design.backupAccelerators > mostAccelerators)
            scaleFromSmaller(design, *source, catalog, mostAccelerators, progress);
        else if (const auto pue = pueOfMade(*source, design.parameters, design.basis, catalog, progress))
            design.pue = pue->value, design.campusIt = pue->it, design.facility = pue->facility, design.facilityBasis = pue->basis();
        if (answer.request.limits.facility) design.limits = limitUses(answer.request.limits, design);
    });
    if (progress.stopRequested()) return fail(ErrorCode::Canceled, "size", i18n("canceled"));
    return {};
}

Result<SizeAnswer> sizeWithFacility(const SizeRequest& request, const std::vector<Template>& templates, const Catalog& catalog,
                                    const Progress& progress, FacilityOf which)
{
    if (request.limits.facility) which = FacilityOf::All; // each is held against the limit
    SizeRequest with = request;
    if (request.limits.facility) // what does not fit without any losses never fits; the next passes count with the PUE that was found
        for (const Template& design : templates) with.limits.pueOf[design.name()] = 1;
    for (int pass = 1;; ++pass) {
        auto answer = size(with, templates, catalog, progress);
        if (!answer) return answer;
        if (auto made = addFacilityPower(*answer, templates, catalog, mostMade(*answer, which), progress, which); !made)
            return tl::unexpected(made.error());
        bool fits = true;
        for (const SizedDesign& design : answer->designs) {
            const bool over = std::ranges::any_of(design.limits, [](const LimitUse& use) { return use.share > 1 + 1e-9; });
            double& pue = with.limits.pueOf[design.templateName];
            fits = fits && !over;
            pue = std::max(pue, design.pue);
        }
        if (fits || pass == kMostPasses || !request.limits.facility) return answer;
    }
}

Text pueSource(const SizedDesign& design)
{
    if (design.facilityBasis == "losses") return i18n("losses and cooling of this design");
    if (design.pueAccelerators > 0) return i18n("losses and cooling of the same design with {:L} accelerators", design.pueAccelerators);
    return i18n("constant of the template");
}

} // namespace hw::sizing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/asbuilt/capture_alone.h"

namespace hw::importers {

Result<CaptureAlone> captureAlone(const exchange::Importer& importer, std::span<const exchange::ImportSource> sources, const SnapshotPtr& design,
                                  const Progress& progress)
{
    Snapshot alone(*design);
    asbuilt::forgetObservations(alone);
    const auto plan = importer.planTogether(sources, std::make_shared<const Snapshot>(std::move(alone)), progress);
    if (!plan) return tl::unexpected(plan.error());
    if (!plan->after)
        return fail(ErrorCode::Refused, importer.info().name, i18n("contains no observations of cables"), i18n("choose another format"));
    auto figures = figuresOf(plan->after);
    if (!figures) return tl::unexpected(figures.error());
    CaptureAlone out{std::move(*figures), plan->facts, {}};
    for (const auto& issue : plan->issues) out.doubts.push_back({issue.where, issue.what});
    return out;
}

} // namespace hw::importers

// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/sites.h"

#include <algorithm>

namespace hw::sim {
inline namespace formulas {

double SiteJob::iterationS() const { return 6 * parameters * samples * sequence / (gpus * teraflops * 1e12 * mfu); }

const char* name(SiteSplit split)
{
    switch (split) {
    case SiteSplit::None: return "single-site";
    case SiteSplit::Data: return "data-parallel";
    case SiteSplit::Pipeline: return "pipeline";
    }
    return "";
}

SplitTimes splitTimes(const SiteJob& job, const WanLink& link, SiteSplit split, double rate)
{
    SplitTimes out;
    const double alone = job.iterationS(), bytesPerS = link.gbps() * rate * 1.25e8, wayS = link.km * kUsPerKm * 1e-6;
    if (split == SiteSplit::Data) {
        out.wanBytes = 2 * job.parameters;
        const double seconds = out.wanBytes / bytesPerS + 2 * wayS; // there and back: reduce, then distribute
        out.iterationS = alone + std::max(0.0, seconds - job.overlap * alone);
    } else if (split == SiteSplit::Pipeline) {
        out.wanBytes = 2 * job.samples * job.sequence * job.hidden;
        const double seconds = out.wanBytes / bytesPerS;
        out.iterationS = std::max(alone + 2 * (wayS + seconds / job.microBatches), seconds);
    } else {
        out.iterationS = alone;
    }
    out.wanShare = out.iterationS > 0 ? out.wanBytes / bytesPerS / out.iterationS : 0;
    return out;
}

std::vector<SitePlacement> placeOnSites(const std::vector<double>& freeGpus, const std::vector<WanLink>& links, const std::vector<SiteJob>& jobs,
                                        double mostSlowDown)
{
    std::vector<double> free = freeGpus;
    std::vector<int> onLink(links.size(), 0);
    std::vector<SitePlacement> out;
    std::vector<std::size_t> linkOf; // by job
    for (const SiteJob& job : jobs) {
        SitePlacement place;
        std::size_t used = links.size();
        place.iterationS = job.iterationS();
        for (std::size_t s = 0; s < free.size(); ++s)
            if (free[s] >= job.gpus && (!place.site || free[s] < free[*place.site])) place.site = s;
        if (place.site) {
            free[*place.site] -= job.gpus;
        } else {
            for (std::size_t l = 0; l < links.size(); ++l) {
                const WanLink& link = links[l];
                if (free[link.from] + free[link.to] < job.gpus || free[link.from] <= 0 || free[link.to] <= 0) continue;
                for (const SiteSplit split : {SiteSplit::Pipeline, SiteSplit::Data}) {
                    const SplitTimes times = splitTimes(job, link, split, 1.0 / (onLink[l] + 1));
                    if (times.iterationS > mostSlowDown * job.iterationS() || (place.site && times.iterationS >= place.iterationS)) continue;
                    const bool more = free[link.from] >= free[link.to];
                    place.split = split, place.site = more ? link.from : link.to, place.other = more ? link.to : link.from;
                    place.iterationS = times.iterationS, place.wan = times, used = l;
                }
            }
            if (place.site) {
                place.gpusThere = job.gpus - std::min(free[*place.site], job.gpus);
                if (place.gpusThere <= 0) place.gpusThere = job.gpus / 2;
                free[*place.site] -= job.gpus - place.gpusThere, free[*place.other] -= place.gpusThere;
                ++onLink[used];
            }
        }
        linkOf.push_back(used);
        out.push_back(place);
    }
    for (std::size_t j = 0; j < jobs.size(); ++j) { // as many as are there in the end share the link
        SitePlacement& place = out[j];
        if (place.other)
            place.wan = splitTimes(jobs[j], links[linkOf[j]], place.split, 1.0 / onLink[linkOf[j]]), place.iterationS = place.wan.iterationS;
        place.slowDown = place.iterationS / jobs[j].iterationS();
    }
    return out;
}

} // namespace formulas
} // namespace hw::sim

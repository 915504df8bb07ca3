// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/job_fault_playback.h"

#include <algorithm>
#include <cmath>

namespace hw::sim {
inline namespace training {

namespace {

std::vector<float> meanLoads(const JobRun& run, std::size_t links)
{
    std::vector<float> load(links, 0.0f);
    const double length = run.iteration.iterationS;
    if (!(length > 0) || std::isinf(length)) return load;
    for (const auto& phase : run.phases)
        for (std::size_t l = 0; l < std::min(links, phase.result.linkBytes.size()); ++l)
            load[l] += float(double(phase.result.linkBytes[l]) * phase.timesPerIteration * 8e-9 / length);
    return load;
}

} // namespace

std::shared_ptr<const Playback> jobFaultPlayback(const Snapshot& snapshot, const WorkloadFabric& fabric, const JobFaultResult& r)
{
    auto play = std::make_shared<Playback>();
    play->revision = snapshot.revision;
    play->title = verbatim(r.before.job.name);
    play->endS = r.untilS;
    play->capacityGbps = fabric.graph->capacityGbps();
    Playback::Job job{r.before.job.name, {}};
    for (const auto h : r.before.hosts) job.hosts.push_back(fabric.hosts[h].value);
    if (r.replaced)
        if (const auto& after = r.runsDuring ? r.during : r.moved; after.hosts.size() == r.before.hosts.size())
            for (std::size_t i = 0; i < after.hosts.size(); ++i)
                if (after.hosts[i] != r.before.hosts[i]) job.hosts.push_back(fabric.hosts[after.hosts[i]].value);
    play->jobs.push_back(std::move(job));
    std::vector<std::uint32_t> dead;
    for (const auto link : r.links) dead.push_back(2 * link), dead.push_back(2 * link + 1);
    for (const auto v : r.switches) {
        for (const auto& arc : fabric.graph->arcs(v)) dead.push_back(arc.link), dead.push_back(arc.link ^ 1u);
        for (const LinkId link : fabric.graph->hostLinks(v)) dead.push_back(2 * link.value), dead.push_back(2 * link.value + 1);
    }
    const JobRun& rest = r.replaced && !r.runsDuring ? r.moved : r.during;
    const auto whole = meanLoads(r.before, play->capacityGbps.size()), left = meanLoads(rest, play->capacityGbps.size());
    const std::vector<float> nothing(whole.size(), 0.0f);
    std::vector<float> shown = nothing;
    for (const auto& span : r.spans) {
        play->spans.push_back({i18n("Job"), keyText(span.state), span.state, span.fromS, span.toS});
        const auto& load = span.speed == 0 ? nothing : span.speed == 1 && !span.moved ? whole : left;
        auto& frame = play->frames.emplace_back(Playback::Frame{
            span.fromS, i18n("{}, mean loads", keyText(span.state)), {}, span.state == "full" && !span.moved ? std::vector<std::uint32_t>() : dead});
        for (std::uint32_t l = 0; l < load.size(); ++l)
            if (load[l] != shown[l]) frame.loadGbps.emplace_back(l, load[l]);
        shown = load;
    }
    Playback::Series speed{i18n("Job speed"), i18n("relative to before the fault"), {}};
    for (const auto& span : r.spans) speed.points.emplace_back(span.fromS, span.speed);
    play->series.push_back(std::move(speed));
    return play;
}

} // namespace training
} // namespace hw::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/studies/failover_playback.h"

#include <map>

namespace hw::sim {
inline namespace fabric {

std::shared_ptr<const Playback> failoverPlayback(const Snapshot& snapshot, const FailoverResult& r, const std::string& network, Text title)
{
    auto play = std::make_shared<Playback>();
    play->revision = snapshot.revision;
    play->title = std::move(title);
    play->endS = r.line.endS;
    if (const auto fabric = studyFabric(snapshot, network)) play->capacityGbps = fabric->graph.capacityGbps();
    for (std::size_t f = 0; f < r.line.frames.size(); ++f) {
        const auto& frame = r.line.frames[f];
        const auto last = f + 1 < r.line.frames.size() ? r.line.frames[f + 1].firstLoad : std::uint32_t(r.line.loads.size());
        auto& out = play->frames.emplace_back(Playback::Frame{frame.timeS, frame.what, {}, {}});
        for (auto i = frame.firstLoad; i < last; ++i) out.loadGbps.emplace_back(r.line.loads[i].link, r.line.loads[i].gbps);
    }
    for (const auto& span : r.job) play->spans.push_back({i18n("Job"), keyText(span.state), span.state, span.fromS, span.toS});
    Playback::Series sum{i18n("Delivered, all NICs"), verbatim("Gb/s"), {}};
    std::map<double, double> change;
    for (const auto& group : r.line.groups) {
        double before = 0;
        for (const auto& point : group) {
            change[point.timeS] += point.sumGbps - before;
            before = point.sumGbps;
        }
    }
    double level = 0;
    for (const auto& [t, delta] : change) sum.points.emplace_back(t, level += delta);
    play->series.push_back(std::move(sum));
    return play;
}

} // namespace fabric
} // namespace hw::sim

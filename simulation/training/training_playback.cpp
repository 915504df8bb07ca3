// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/training_playback.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

namespace hw::sim {
inline namespace training {

namespace {

constexpr std::size_t kMostSpans = 60'000;

enum Stretch : std::size_t { Fill, Steady, Drain, Reduce, kStretches };

/// Whether a kind of communication goes on in a part of the iteration: while the pipeline fills there is no backward pass, while it
/// drains no forward one, and gradients are reduced behind the last passes.
bool goesOn(const PhaseReport& phase, Stretch stretch)
{
    const bool gradient = phase.name.find("gradient") != std::string::npos;
    if (gradient || stretch == Reduce) return gradient && stretch == Reduce;
    if (phase.name == "send forward") return stretch != Drain; // no text
    if (phase.name == "send backward") return stretch != Fill; // no text
    return true;
}

const char* spanKind(TimelineSegment::Kind kind)
{
    switch (kind) {
    case TimelineSegment::Kind::Forward: return "forward";
    case TimelineSegment::Kind::Backward: return "backward";
    case TimelineSegment::Kind::Tensor: return "tp";
    case TimelineSegment::Kind::Context: return "cp";
    case TimelineSegment::Kind::Expert: return "ep";
    case TimelineSegment::Kind::Gradient: return "dp";
    case TimelineSegment::Kind::Optimizer: return "optimizer";
    }
    return "";
}

void addSpans(Playback& play, const Iteration& iteration)
{
    std::size_t left = kMostSpans;
    for (const auto& s : iteration.segments) {
        if (left-- == 0) break;
        const bool pass = s.kind == TimelineSegment::Kind::Forward || s.kind == TimelineSegment::Kind::Backward;
        play.spans.push_back({i18n("Stage {}", s.stage + 1), pass ? verbatim(fmt::format("{}", s.microBatch + 1)) : keyText(spanKind(s.kind)),
                              spanKind(s.kind), s.startS, s.endS});
    }
}

/// What every link carries while the phases of a stretch use it: of each phase its bytes over the time that they take at line rate, of
/// several phases the largest, since a GPU does one after the other.
std::vector<float> peakLoad(const JobRun& run, std::size_t links, Stretch stretch)
{
    std::vector<float> load(links, 0.0f);
    for (const auto& phase : run.phases) {
        if (!goesOn(phase, stretch) || phase.result.fluidS <= 0) continue;
        const double factor = kGbitPerByte / phase.result.fluidS;
        for (std::size_t l = 0; l < std::min(links, phase.result.linkBytes.size()); ++l)
            load[l] = std::max(load[l], float(double(phase.result.linkBytes[l]) * factor));
    }
    return load;
}

/// "sends and experts; busiest link 93 % while they last, 1.2 % over the stretch".
Text labelOf(const JobRun& run, const std::vector<float>& capacity, const std::vector<float>& peak, Stretch stretch, double lengthS)
{
    static constexpr TextId kTitles[] = {TextId("Pipeline fills"), TextId("Pipeline full"), TextId("Pipeline drains"), TextId("Gradients")};
    std::vector<Text> what;
    double most = 0, mean = 0;
    std::vector<double> bytes(capacity.size(), 0.0);
    for (const auto& phase : run.phases) {
        if (!goesOn(phase, stretch) || phase.result.networkBytes <= 0) continue;
        what.push_back(keyText(phase.name));
        const double share = stretch == Reduce ? 1 : lengthS / run.iteration.iterationS; // operations are spread evenly over the passes
        for (std::size_t l = 0; l < std::min(bytes.size(), phase.result.linkBytes.size()); ++l)
            bytes[l] += double(phase.result.linkBytes[l]) * phase.timesPerIteration * share;
    }
    for (std::size_t l = 0; l < capacity.size(); ++l) {
        if (capacity[l] <= 0) continue;
        most = std::max(most, double(peak[l]) / double(capacity[l]));
        if (lengthS > 0) mean = std::max(mean, bytes[l] * kGbitPerByte / lengthS / double(capacity[l]));
    }
    if (what.empty()) return i18n("{}: no network traffic", kTitles[stretch]);
    return i18n("{}: {} at peak, busiest link {:.3g} % (mean {:.2g} %)", kTitles[stretch], listed(std::move(what)), most * 100,
                std::min(mean, most) * 100);
}

void addFrame(Playback& play, double timeS, Text label, const std::vector<float>& load, std::vector<float>& before)
{
    auto& frame = play.frames.emplace_back(Playback::Frame{timeS, std::move(label), {}, {}});
    for (std::uint32_t l = 0; l < load.size(); ++l)
        if (load[l] != before[l]) frame.loadGbps.emplace_back(l, load[l]);
    before = load;
}

/// When the parts of an iteration begin: it fills until the first backward pass, and drains from the end of the last forward one on.
std::array<double, kStretches + 1> stretches(const Iteration& iteration)
{
    const double end = iteration.iterationS - iteration.optimizerS;
    double backward = end, forward = 0, gradient = end;
    for (const auto& s : iteration.segments) {
        if (s.kind == TimelineSegment::Kind::Backward) backward = std::min(backward, s.startS);
        if (s.kind == TimelineSegment::Kind::Forward) forward = std::max(forward, s.endS);
        if (s.kind == TimelineSegment::Kind::Gradient) gradient = std::min(gradient, s.startS);
    }
    std::array<double, kStretches + 1> at{0, backward, std::max(backward, forward), gradient, end};
    for (std::size_t i = kStretches; i > 0; --i) at[i - 1] = std::min(at[i - 1], at[i]); // gradients may begin behind the last passes
    return at;
}

} // namespace

std::shared_ptr<const Playback> trainingPlayback(const Snapshot& snapshot, const WorkloadFabric& fabric, const JobRun& run)
{
    auto play = std::make_shared<Playback>();
    play->revision = snapshot.revision;
    play->title = verbatim(run.job.name);
    play->endS = run.iteration.iterationS;
    play->capacityGbps = fabric.graph->capacityGbps();
    addSpans(*play, run.iteration);
    const std::size_t links = play->capacityGbps.size();
    std::vector<float> before(links, 0.0f);
    const auto at = stretches(run.iteration);
    for (const Stretch stretch : {Fill, Steady, Drain, Reduce}) {
        if (at[stretch] >= at[stretch + 1]) continue;
        const auto peak = peakLoad(run, links, stretch);
        addFrame(*play, at[stretch], labelOf(run, play->capacityGbps, peak, stretch, at[stretch + 1] - at[stretch]), peak, before);
        play->frames.back().flows = stretch == Reduce;
    }
    addFrame(*play, at.back(), run.iteration.optimizerS > 0 ? i18n("Optimizer, end of the iteration") : i18n("End of the iteration"),
             std::vector<float>(links, 0.0f), before);
    Playback::Job job{run.job.name, {}};
    for (const auto h : run.hosts) job.hosts.push_back(fabric.hosts[h].value);
    play->jobs.push_back(std::move(job));
    return play;
}

} // namespace training
} // namespace hw::sim

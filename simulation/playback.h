// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hw::sim {

/// The words of a state, phase or kind of span, which are keys in answers ("black hole", "expert gradient", "forward").
[[nodiscard]] inline Text keyText(std::string_view key)
{
    static constexpr std::array kWords{TextId("full"),
                                       TextId("degraded"),
                                       TextId("black hole"),
                                       TextId("stopped"),
                                       TextId("restarting"),
                                       TextId("lost"),
                                       TextId("tensor"),
                                       TextId("context"),
                                       TextId("expert"),
                                       TextId("gradient"),
                                       TextId("expert gradient"),
                                       TextId("pipeline"),
                                       TextId("send forward"),
                                       TextId("send backward"),
                                       TextId("forward"),
                                       TextId("backward"),
                                       TextId("optimizer"),
                                       TextId("effective"),
                                       TextId("saving"),
                                       TextId("stalled"),
                                       TextId("detecting"),
                                       TextId("waiting-for-host"),
                                       TextId("repairing"),
                                       TextId("planned"),
                                       TextId("shared"),
                                       TextId("alone")};
    for (const TextId word : kWords)
        if (word.id == key) return word;
    return verbatim(std::string(key));
}

/// How a simulation moves over time, for the window's time line: link loads that change at key frames, and spans of work for a Gantt
/// chart. Immutable, stamped with the revision it belongs to. Directed link index = 2 × LinkId + direction, as in FlowResult.
struct Playback {
    std::uint64_t revision = 0;
    Text title;
    std::vector<float> capacityGbps; ///< by directed link, 0 where there is none
    /// Loads hold from `timeS` until the next frame. The first frame starts from zero everywhere.
    struct Frame {
        double timeS = 0;
        Text label;                                            ///< what goes on, for people: "Gradient all-reduce"
        std::vector<std::pair<std::uint32_t, float>> loadGbps; ///< links whose load differs from the frame before
        std::vector<std::uint32_t> dead = {};                  ///< directed links that are down in this frame
        bool flows = false;                                    ///< the single flows of the result are those under way
    };
    std::vector<Frame> frames;
    double endS = 0;
    /// A bar of the Gantt chart: `lane` is a row (a pipeline stage, a job, a host).
    struct Span {
        Text lane, label;
        std::string kind;
        double fromS = 0, toS = 0;
    };
    std::vector<Span> spans;
    /// A curve over time, for example delivered throughput.
    struct Series {
        Text name, unit;
        std::vector<std::pair<double, double>> points;
    };
    std::vector<Series> series;
    /// What is in the way of whom: flows by job, so that a click on a link can say whose they are. Empty where the result has none.
    struct Job {
        std::string name;
        std::vector<std::uint32_t> hosts;
    }; ///< DeviceId values
    std::vector<Job> jobs;
};

} // namespace hw::sim

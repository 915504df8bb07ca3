// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hw::sim {

/// How a simulation moves over time, for the window's time line: link loads that change at key frames, and spans of work for a Gantt
/// chart. Immutable, stamped with the revision it belongs to. Directed link index = 2 × LinkId + direction, as in FlowResult.
struct Playback {
    std::uint64_t revision = 0;
    std::string title;
    std::vector<float> capacityGbps; ///< by directed link, 0 where there is none
    /// Loads hold from `timeS` until the next frame. The first frame starts from zero everywhere.
    struct Frame {
        double timeS = 0;
        std::string label;                                     ///< what goes on, for people: "Gradient all-reduce"
        std::vector<std::pair<std::uint32_t, float>> loadGbps; ///< links whose load differs from the frame before
        std::vector<std::uint32_t> dead = {};                  ///< directed links that are down in this frame
        bool flows = false;                                    ///< the single flows of the result are those under way
    };
    std::vector<Frame> frames;
    double endS = 0;
    /// A bar of the Gantt chart: `lane` is a row (a pipeline stage, a job, a host).
    struct Span {
        std::string lane, label, kind;
        double fromS = 0, toS = 0;
    };
    std::vector<Span> spans;
    /// A curve over time, for example delivered throughput.
    struct Series {
        std::string name, unit;
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

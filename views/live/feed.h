// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/following/follower.h"
#include "core/operations/jobs/job_telemetry.h"

#include <functional>
#include <memory>
#include <vector>

namespace hw::views {

/// What the window follows: sources with their follower, or a recording. Everything here may be called by any thread and returns at once,
/// but for `stop`, which waits for the threads behind it.
class Feed {
public:
    /// Called by the follower's thread.
    struct Callbacks {
        std::function<void(const monitoring::Event&)> event;
        std::function<void()> boundAgain;
    };
    Feed() = default;
    Feed(const Feed&) = delete;
    Feed& operator=(const Feed&) = delete;
    virtual ~Feed() = default; ///< stops
    virtual void stop() = 0;
    [[nodiscard]] virtual bool ended() const = 0;
    virtual void design(FiguresPtr design) = 0;
    virtual void answer(const monitoring::Answer& answer) = 0;
    virtual void simulated(std::vector<float> /*gbps*/, impact::LoadsAfter /*after*/) {} ///< what links should carry, see monitoring::Monitor
    [[nodiscard]] virtual monitoring::FramePtr frame() const = 0;                        ///< null: nothing yet
    [[nodiscard]] virtual following::Counts counts() const = 0;
    [[nodiscard]] virtual std::vector<bindings::ChannelText> channels() const = 0;
    [[nodiscard]] virtual std::shared_ptr<const history::Reader> history() const = 0; ///< null: none is kept
    [[nodiscard]] virtual std::int64_t oldestMs() const = 0;                          ///< of the history; 0: nothing
    [[nodiscard]] virtual std::vector<Text> troubles() const = 0;
    [[nodiscard]] virtual std::shared_ptr<const jobs::JobTelemetry> jobs() const { return nullptr; } ///< of training jobs; null: none is collected
};

} // namespace hw::views

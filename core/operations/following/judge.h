// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/point.h"
#include "core/operations/monitoring/monitor.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace hw::following {

/// What the follower judges with; `watchJudge` is the real one, tests write down what is asked of theirs.
class Judge {
public:
    virtual ~Judge() = default;
    virtual void design(FiguresPtr design, bindings::BoundPtr bound) = 0;
    virtual void take(std::span<const bindings::PointSample> samples) = 0;
    virtual void gap(const bindings::Gap& gap) = 0;
    virtual void unboundLeak(const std::string& /*channel*/, bool /*leaks*/) {}              ///< see monitoring::Monitor
    virtual void clock(const monitoring::ClockShift& /*shift*/) {}                           ///< see monitoring::Monitor
    virtual void simulated(std::span<const float> /*gbps*/, impact::LoadsAfter /*after*/) {} ///< by directed link, see monitoring::Monitor
    virtual void answer(const monitoring::Answer& answer, std::int64_t atMs) = 0;
    [[nodiscard]] virtual std::vector<monitoring::Event> advance(std::int64_t atMs) = 0; ///< of one whole second
    [[nodiscard]] virtual monitoring::FramePtr frame() const = 0;
};
[[nodiscard]] std::unique_ptr<Judge> watchJudge();
/// Makes one at the start, and another one in the place of one that failed.
using JudgeMaker = std::function<std::unique_ptr<Judge>()>;

/// Finds the point of every channel; `changed` are those that were there before and say something else now. May keep what it found.
using Binder = std::function<bindings::BoundPtr(const FiguresPtr& design, std::span<const bindings::ChannelText> channels,
                                                std::span<const bindings::ChannelNo> changed)>;
[[nodiscard]] Binder liveBinder(); ///< bindings::Binder

} // namespace hw::following

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/point.h"
#include "core/operations/monitoring/watch.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace hw::follow {

/// What the follower judges with; `watchJudge` is the real one, tests write down what is asked of theirs.
class Judge {
public:
    virtual ~Judge() = default;
    virtual void design(FiguresPtr design, live::BoundPtr bound) = 0;
    virtual void take(std::span<const live::PointSample> samples) = 0;
    virtual void gap(const live::Gap& gap) = 0;
    virtual void unboundLeak(const std::string& /*channel*/, bool /*leaks*/) {}              ///< see watch::Watch
    virtual void simulated(std::span<const float> /*gbps*/, impact::LoadsAfter /*after*/) {} ///< by directed link, see watch::Watch
    virtual void answer(const watch::Answer& answer, std::int64_t atMs) = 0;
    [[nodiscard]] virtual std::vector<watch::Event> advance(std::int64_t atMs) = 0; ///< of one whole second
    [[nodiscard]] virtual watch::FramePtr frame() const = 0;
};
[[nodiscard]] std::unique_ptr<Judge> watchJudge();
/// Makes one at the start, and another one in the place of one that failed.
using JudgeMaker = std::function<std::unique_ptr<Judge>()>;

/// Finds the point of every channel; `changed` are those that were there before and say something else now. May keep what it found.
using Binder =
    std::function<live::BoundPtr(const FiguresPtr& design, std::span<const live::ChannelText> channels, std::span<const live::ChannelNo> changed)>;
[[nodiscard]] Binder liveBinder(); ///< live::Binder

} // namespace hw::follow

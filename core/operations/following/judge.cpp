// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/following/judge.h"

#include "core/operations/bindings/binder.h"

#include <utility>

namespace hw::following {

namespace {

class WatchJudge final : public Judge {
public:
    void design(FiguresPtr design, bindings::BoundPtr bound) override { m_watch.design(std::move(design), std::move(bound)); }
    void take(std::span<const bindings::PointSample> samples) override { m_watch.take(samples); }
    void gap(const bindings::Gap& gap) override { m_watch.gap(gap); }
    void unboundLeak(const std::string& channel, bool leaks) override { m_watch.unboundLeak(channel, leaks); }
    void clock(const monitoring::ClockShift& shift) override { m_watch.clock(shift); }
    void simulated(std::span<const float> gbps, impact::LoadsAfter after) override { m_watch.simulated(gbps, std::move(after)); }
    void answer(const monitoring::Answer& answer, std::int64_t atMs) override { m_watch.answer(answer, atMs); }
    std::vector<monitoring::Event> advance(std::int64_t atMs) override { return m_watch.advance(atMs); }
    monitoring::FramePtr frame() const override { return m_watch.frame(); }

private:
    monitoring::Monitor m_watch;
};

} // namespace

std::unique_ptr<Judge> watchJudge() { return std::make_unique<WatchJudge>(); }

Binder liveBinder()
{
    return [binder = std::shared_ptr<bindings::Binder>(), of = FiguresPtr()](
               const FiguresPtr& design, std::span<const bindings::ChannelText> channels, std::span<const bindings::ChannelNo> changed) mutable {
        auto used = std::exchange(binder, nullptr); // what fails on its way is not asked again
        if (!used)
            used = std::make_shared<bindings::Binder>(design);
        else if (of != design)
            used->design(design);
        of = design;
        auto bound = used->bind(channels, changed);
        binder = std::move(used);
        return bound;
    };
}

} // namespace hw::following

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/follow/judge.h"

#if HW_HAS_LIVE
#include "core/live/binder.h"
#endif

namespace hw::follow {

namespace {

#if HW_HAS_WATCH
class WatchJudge final : public Judge {
public:
    void design(FiguresPtr design, live::BoundPtr bound) override { m_watch.design(std::move(design), std::move(bound)); }
    void take(std::span<const live::PointSample> samples) override { m_watch.take(samples); }
    void gap(const live::Gap& gap) override { m_watch.gap(gap); }
    void answer(const watch::Answer& answer, std::int64_t atMs) override { m_watch.answer(answer, atMs); }
    std::vector<watch::Event> advance(std::int64_t atMs) override { return m_watch.advance(atMs); }
    watch::FramePtr frame() const override { return m_watch.frame(); }

private:
    watch::Watch m_watch;
};
#else
/// Until there is a watch: values only.
class WatchJudge final : public Judge {
public:
    void design(FiguresPtr design, live::BoundPtr bound) override
    {
        m_frame.design = std::move(design);
        m_frame.bound = std::move(bound);
        m_frame.values.assign(m_frame.bound->points.size(), std::numeric_limits<float>::quiet_NaN());
        m_frame.times.assign(m_frame.bound->points.size(), 0);
    }
    void take(std::span<const live::PointSample> samples) override
    {
        for (const auto& sample : samples) {
            m_frame.values[sample.point] = float(sample.value);
            m_frame.times[sample.point] = sample.timeMs;
        }
    }
    void gap(const live::Gap&) override {}
    void answer(const watch::Answer&, std::int64_t) override {}
    std::vector<watch::Event> advance(std::int64_t atMs) override
    {
        m_frame.atMs = atMs;
        return {};
    }
    watch::FramePtr frame() const override { return std::make_shared<watch::Frame>(m_frame); }

private:
    watch::Frame m_frame;
};
#endif

} // namespace

std::unique_ptr<Judge> watchJudge() { return std::make_unique<WatchJudge>(); }

Binder liveBinder()
{
#if HW_HAS_LIVE
    return [binder = std::shared_ptr<live::Binder>(), of = FiguresPtr()](const FiguresPtr& design, std::span<const live::ChannelText> channels,
                                                                         std::span<const live::ChannelNo> changed) mutable {
        if (!binder)
            binder = std::make_shared<live::Binder>(design);
        else if (of != design)
            binder->design(design);
        of = design;
        return binder->bind(channels, changed);
    };
#else
    return [](const FiguresPtr&, std::span<const live::ChannelText> channels, std::span<const live::ChannelNo>) -> live::BoundPtr {
        auto bound = std::make_shared<live::Bound>(); // until there is a binder: nothing is bound
        bound->channels.resize(channels.size());
        bound->unbound = channels.size();
        return bound;
    };
#endif
}

} // namespace hw::follow

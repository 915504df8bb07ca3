// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/frame_ring.h"

#include <algorithm>
#include <cmath>

namespace hw::views {

namespace {

constexpr std::int64_t kStepMs = 1000;

std::size_t bytesOf(const monitoring::Frame& frame) { return frame.values.size() * (sizeof(float) + sizeof(std::int64_t)) + 256; }

} // namespace

bool FrameRing::push(const monitoring::FramePtr& frame)
{
    if (!frame || (!m_frames.empty() && frame->atMs - m_frames.back()->atMs < kStepMs)) return false;
    m_frames.push_back(frame);
    m_bytes += bytesOf(*frame);
    while (m_frames.size() > 1 && (m_bytes > m_most || m_frames.size() > m_mostFrames)) {
        m_bytes -= bytesOf(*m_frames.front());
        m_frames.pop_front();
    }
    return true;
}

void FrameRing::clear()
{
    m_frames.clear();
    m_bytes = 0;
}

monitoring::FramePtr FrameRing::at(std::int64_t timeMs) const
{
    const auto after = std::ranges::upper_bound(m_frames, timeMs, {}, [](const monitoring::FramePtr& f) { return f->atMs; });
    return after == m_frames.begin() ? nullptr : *std::prev(after);
}

PointSeries FrameRing::series(const bindings::Point& point, std::int64_t fromMs, std::int64_t toMs) const
{
    PointSeries out;
    bindings::BoundPtr bound;
    bindings::PointNo number = bindings::kNoPoint;
    for (const monitoring::FramePtr& frame : m_frames) {
        if (frame->bound != bound) {
            bound = frame->bound;
            number = bound ? bound->find(point) : bindings::kNoPoint;
        }
        if (number >= frame->values.size() || std::isnan(frame->values[number])) continue;
        const std::int64_t at = number < frame->times.size() ? frame->times[number] : frame->atMs;
        if (at < fromMs || at > toMs || (!out.timesMs.empty() && at <= out.timesMs.back())) continue;
        out.timesMs.push_back(at);
        out.values.push_back(double(frame->values[number]));
    }
    return out;
}

} // namespace hw::views

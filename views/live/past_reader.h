// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"
#include "views/live/feed.h"
#include "views/live/past.h"

namespace hw::views {

/// Reads the history of the hall that is followed, on workers: moments for the views, series for charts. A newer question of a slot replaces an
/// older one; what comes after the hall has been left is dropped. Lives on the GUI thread.
class PastReader {
public:
    explicit PastReader(DocumentBridge& bridge) : m_bridge(bridge) {}

    void follow(std::shared_ptr<Feed> feed); ///< null: of nothing any more
    /// A moment of what `newest` is bound to, with the deviations and alarms that stood then. False: there is no history, and nothing will come.
    /// Where it cannot be read the user is informed, and `done` gets null.
    bool moment(const char* slot, const monitoring::FramePtr& newest, const Wanted& wanted, std::int64_t timeMs, const EventLog& log,
                std::function<void(monitoring::FramePtr)> done);
    /// Series of points between two moments. `memory`: what is known of them without reading; what of it is newer than the history follows it,
    /// and without a history it is all.
    void series(const QString& slot, const monitoring::FramePtr& newest, std::vector<bindings::Point> points, std::int64_t fromMs, std::int64_t toMs,
                std::vector<PointSeries> memory, std::function<void(std::vector<PointSeries>)> done);

private:
    using Names = std::shared_ptr<const std::vector<std::string>>; ///< of channels
    struct Moment {
        monitoring::FramePtr frame;
        Names names;
    };
    DocumentBridge& m_bridge;
    std::shared_ptr<Feed> m_feed;
    Names m_names; ///< as a moment was read last
};

} // namespace hw::views

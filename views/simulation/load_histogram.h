// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/simulation/simulation_session.h"

#include <QWidget>

#include <array>

namespace hw::views {

/// How full the links between two tiers are, in one direction.
struct LoadHistogram {
    static constexpr std::size_t kBins = 11; ///< unused, then tenths of the capacity
    QString label;
    std::array<std::uint32_t, kBins> links{};
    double mean = 0, most = 0; ///< utilization, of all links
    std::uint32_t total = 0;
};
/// One histogram for every pair of tiers and direction that carries data in the network of the result; in the order of tiers.
[[nodiscard]] std::vector<LoadHistogram> loadHistograms(const sim::FlowResult& result, const Snapshot& snapshot);

/// Histograms of the present loads, beside those of the pinned answer on the same scale.
class LoadHistogramView : public QWidget {
    Q_OBJECT
public:
    explicit LoadHistogramView(SimulationSession& session, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh() { m_stale = true, update(); }
    void recount(); ///< when it is looked at: half a million links take a while
    SimulationSession& m_session;
    std::vector<LoadHistogram> m_now, m_pinned;
    QString m_nowName, m_pinnedName;
    bool m_stale = true;
};

} // namespace hw::views

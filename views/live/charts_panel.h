// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer> // before core's headers: moc cannot read <compare> as the very first one
#include <QWidget>

#include "views/live/live_session.h"

class QComboBox;
class QLabel;
class QListWidget;
class QCustomPlot;

namespace hw::views {

/// Chosen points over time, one field for each unit, what was planned as a dashed line of the same color. Points are dropped here, or come by
/// the inspector's menu.
class ChartsPanel : public QWidget {
    Q_OBJECT
public:
    ChartsPanel(DocumentBridge& bridge, LiveSession& session, QWidget* parent = nullptr);
    void add(const bindings::Point& point);
    void removeAt(std::size_t place);
    [[nodiscard]] const std::vector<bindings::Point>& points() const { return m_points; }
    [[nodiscard]] QCustomPlot* plot() const { return m_plot; }

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void read();
    void draw();
    void fillList();
    [[nodiscard]] QColor color(std::size_t place) const;
    [[nodiscard]] std::int64_t spanMs() const;

    DocumentBridge& m_bridge;
    LiveSession& m_session;
    QCustomPlot* m_plot;
    QListWidget* m_list;
    QComboBox* m_span;
    QLabel* m_hint;
    QTimer m_timer;
    std::vector<bindings::Point> m_points;
    std::vector<PointSeries> m_series;
};

} // namespace hw::views

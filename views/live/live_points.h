// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer> // before core's headers: moc cannot read <compare> as the very first one
#include <QWidget>

#include "views/live/live_session.h"

namespace hw::views {

/// What is measured of the selected entity, in the inspector: name, the last ten minutes as a line with what was planned, the value. A drag
/// carries a point to the charts, as its menu does. Hidden where nothing is measured.
class LivePoints : public QWidget {
    Q_OBJECT
public:
    LivePoints(DocumentBridge& bridge, LiveSession& session, QWidget* parent = nullptr);
    [[nodiscard]] const std::vector<bindings::Point>& points() const { return m_points; }
    [[nodiscard]] QString valueOf(std::size_t row) const; ///< as drawn
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void chartRequested(const hw::bindings::Point& point);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void choose(); ///< which points
    void refresh();
    void paintLine(QPainter& p, std::size_t row, const QRectF& place) const;
    [[nodiscard]] double rowHeight() const;
    [[nodiscard]] double headHeight() const;
    [[nodiscard]] int rowAt(double y) const;
    [[nodiscard]] std::size_t rows() const;

    DocumentBridge& m_bridge;
    LiveSession& m_session;
    std::vector<bindings::Point> m_points;
    std::vector<PointSeries> m_series;
    std::vector<std::optional<double>> m_planned;
    EntityRef m_entity;
    bindings::BoundPtr m_bound;
    QTimer m_timer;
    QPoint m_pressed;
};

/// A point as it is carried by a drag.
inline constexpr const char* kPointMime = "application/x-hallwright-point";
[[nodiscard]] QByteArray pointBytes(const bindings::Point& point);
[[nodiscard]] std::optional<bindings::Point> pointFrom(const QByteArray& bytes); ///< none: something else

} // namespace hw::views

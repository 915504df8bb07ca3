// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // before core's headers: moc cannot read <compare> as the very first one

#include <QTimer>

#include "views/plan/elevation_painter.h"
#include "views/values/overlay_source.h"

namespace hw::views {

/// The front or rear of one rack, unit by unit, and what is mounted beside the units: its devices with power and plugged ports, and bars for power,
/// weight, space and ports. Devices have the colors of the overlay that all views show. Follows the selection; a click selects a device, with Ctrl or
/// Shift one more; up and down walk through the devices, left and right go to the neighboring racks of the row. Dragged devices move to other units,
/// and over the left or right edge (or by the arrow keys) to the neighboring rack; Escape takes that back.
class ElevationView : public QWidget {
    Q_OBJECT
public:
    explicit ElevationView(DocumentBridge& bridge, QWidget* parent = nullptr);

    void setRack(std::optional<RackId> rack);
    [[nodiscard]] std::optional<RackId> rack() const { return m_rack; }
    void setRear(bool rear);
    [[nodiscard]] bool rear() const { return m_rear; }
    [[nodiscard]] const std::optional<ElevationGhost>& ghost() const { return m_ghost; } ///< of a drag in progress
    [[nodiscard]] QPointF pointAt(DeviceId device, int u) const;                         ///< the middle of a device, were it there
    [[nodiscard]] EntityRef entityAt(QPointF position) const;
    [[nodiscard]] QRectF screenRect(DeviceId device) const;
    [[nodiscard]] QSize sizeHint() const override { return {260, 600}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void onSelection();
    void step(int devices);
    void stepRack(int racks);
    [[nodiscard]] RackId neighbor(int racks) const;
    void beginDrag();
    void dragTo(QPointF position);
    void endDrag();
    void cancelDrag();
    [[nodiscard]] ElevationGhost ghostAt(int u) const;
    [[nodiscard]] std::vector<std::pair<DeviceId, int>> placesAt(int u) const;
    [[nodiscard]] std::span<const DeviceId> devices() const;
    [[nodiscard]] const Figures& figures() const { return *m_bridge.figures(); }

    [[nodiscard]] ElevationPainter elevation() const;

    DocumentBridge& m_bridge;
    OverlaySource& m_overlay;
    std::optional<RackId> m_rack;
    bool m_rear = false;
    EntityRef m_pressed; ///< by the mouse; none: nothing is held
    QPointF m_from, m_at;
    double m_grabbed = 0;            ///< from the lower edge of what is dragged, pixels
    std::vector<DeviceId> m_dragged; ///< the one that is held first
    RackId m_home{};                 ///< where they come from
    std::optional<ElevationGhost> m_ghost;
    QTimer m_edge;
};

} // namespace hw::views

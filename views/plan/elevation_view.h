// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // before core's headers: moc cannot read <compare> as the very first one

#include "views/plan/elevation_painter.h"
#include "views/values/overlay_source.h"

namespace hw::views {

/// The front of one rack, unit by unit: its devices with power and plugged ports, and bars for power,
/// weight, space and ports. Devices have the colors of the overlay that all views show. Follows the selection; a click selects a device, up and down
/// walk through the devices, left and right go to the neighboring racks of the row.
class ElevationView : public QWidget {
    Q_OBJECT
public:
    explicit ElevationView(DocumentBridge& bridge, QWidget* parent = nullptr);

    void setRack(std::optional<RackId> rack);
    [[nodiscard]] std::optional<RackId> rack() const { return m_rack; }
    [[nodiscard]] EntityRef entityAt(QPointF position) const;
    [[nodiscard]] QRectF screenRect(DeviceId device) const;
    [[nodiscard]] QSize sizeHint() const override { return {260, 600}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void onSelection();
    void step(int devices);
    void stepRack(int racks);
    [[nodiscard]] std::span<const DeviceId> devices() const;
    [[nodiscard]] const Figures& figures() const { return *m_bridge.figures(); }

    [[nodiscard]] ElevationPainter elevation() const;

    DocumentBridge& m_bridge;
    OverlaySource& m_overlay;
    std::optional<RackId> m_rack;
};

} // namespace hw::views

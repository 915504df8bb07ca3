// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // before core's headers: moc cannot read <compare> as the very first one

#include "views/style/legend.h"
#include "views/values/overlay_source.h"

namespace hw::views {

/// The front of one rack, unit by unit: its devices with power and plugged ports, and bars for power,
/// weight, space and ports. Devices have the colours of the overlay that all views show. Follows the selection; a click selects a device, up and down
/// walk through the devices, left and right go to the neighbouring racks of the row.
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
    void drawRack(QPainter& painter) const;
    void drawDevice(QPainter& painter, DeviceId device, const QRectF& rect) const;
    void drawPorts(QPainter& painter, DeviceId device, const QRectF& rect) const;
    void drawBars(QPainter& painter) const;
    [[nodiscard]] QRectF frame() const; ///< of all units
    [[nodiscard]] std::span<const DeviceId> devices() const;
    [[nodiscard]] const Figures& figures() const { return *m_bridge.figures(); }

    [[nodiscard]] Legend legend() const; ///< of the devices' colours; empty while they say what devices are for
    [[nodiscard]] QSizeF legendRoom() const;
    [[nodiscard]] double legendHeight() const;
    [[nodiscard]] QColor colourOf(DeviceId device) const;

    DocumentBridge& m_bridge;
    OverlaySource& m_overlay;
    std::optional<RackId> m_rack;
    NetworkId m_mainNetwork; ///< of the design that is being drawn
    PowerBasis m_basis = PowerBasis::Design;
};

} // namespace hw::views

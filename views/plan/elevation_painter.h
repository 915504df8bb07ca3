// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/operations/overlays/overlays.h"
#include "views/style/legend.h"

#include <QStringList>

#include <span>
#include <vector>

namespace hw::views {

/// Target position of dragged devices, and the resulting load of the rack.
struct ElevationGhost {
    std::vector<std::pair<DeviceId, int>> places; ///< lowest units; 0: zero-U
    bool fits = false;
    QStringList lines; ///< beside it
};

/// Which rack is drawn, and in which colors. Borrowed for the time of a painter.
struct ElevationScene {
    const Figures& figures;
    RackId rack;
    const OverlayValues& values;
    EntityRef selected{};
    std::span<const EntityRef> selection{}; ///< more than `selected`
    bool rear = false;                      ///< from behind: left is right
    bool zeroU = false;                     ///< with what is mounted beside the units
    const ElevationGhost* ghost = nullptr;
};

/// Draws the front or rear of one rack from (0, 0) to `size`: its devices unit by unit, and bars for power, weight, space and ports below. On a
/// widget, or on paper. Made again for each frame; any thread.
class ElevationPainter {
public:
    ElevationPainter(QSizeF size, const ElevationScene& scene);
    void paint(QPainter& painter) const;
    [[nodiscard]] QRectF frame() const;                     ///< of all units
    [[nodiscard]] QRectF deviceRect(DeviceId device) const; ///< empty for one beside the units, unless those are drawn
    [[nodiscard]] QRectF rectAt(DeviceId device, int u) const;
    [[nodiscard]] bool behind(DeviceId device) const; ///< mounted on the other side, and not as deep as the rack
    [[nodiscard]] double unitHeight() const;
    [[nodiscard]] std::span<const DeviceId> devices() const;

private:
    void drawRack(QPainter& painter) const;
    void drawDevice(QPainter& painter, DeviceId device, const QRectF& rect) const;
    void drawBeside(QPainter& painter, DeviceId device, const QRectF& rect) const;
    void drawGhost(QPainter& painter) const;
    [[nodiscard]] bool chosen(DeviceId device) const;
    [[nodiscard]] double stripWidth() const;
    void drawPorts(QPainter& painter, DeviceId device, const QRectF& rect) const;
    void drawBars(QPainter& painter) const;
    [[nodiscard]] bool plain() const { return m_scene.values.name == "kind"; } ///< colors only say what devices are for
    [[nodiscard]] QSizeF legendRoom() const;
    [[nodiscard]] double legendHeight() const;
    [[nodiscard]] QColor colorOf(DeviceId device) const;
    [[nodiscard]] QString valueOf(DeviceId device) const;

    QSizeF m_size;
    const ElevationScene m_scene;
    const Figures& m_figures;
    const Snapshot& m_s;
    const DesignIndex& m_index;
    NetworkId m_mainNetwork;
    std::vector<DeviceId> m_left, m_right; ///< beside the units, as seen
    Legend m_legend;                       ///< of the devices' colors; empty while colors show device roles
};

} // namespace hw::views

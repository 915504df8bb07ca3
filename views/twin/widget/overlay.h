// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/twin/scene/twin_scene.h"

#include <QFont>
#include <QHash>
#include <QImage>
#include <QString>

class QPainter;

namespace hw::views::twin {

/// What is written over the 3D picture with QPainter, crisp at any device ratio: names, the legend, the
/// key of rack kinds, compass, scale bar and hall size. Sizes are in logical pixels.
class Overlay {
public:
    /// The values that the racks are colored by; null: by kinds.
    void setValues(std::shared_ptr<const OverlayValues> values)
    {
        m_values = std::move(values);
        m_panelsStale = true; // names stay
    }
    /// What the colors of the air mean; nothing: no air is shown.
    void setAirScale(std::optional<ValueField> scale)
    {
        m_airScale = std::move(scale);
        m_panelsStale = true;
    }
    /// By what the slice is dragged along an axis; nothing: there is none.
    void setHandle(std::optional<Vec3> at, int axis) { m_handle = at, m_handleAxis = axis; }
    void paint(QPainter& painter, QSize size, const TwinScene& scene, const TwinCamera& camera, const QFont& font);

private:
    void paintLabels(QPainter& painter, const TwinScene& scene, const CameraFrame& frame, const QFont& font, std::vector<QRectF> taken) const;
    void refreshPanels(const TwinScene& scene, const QFont& font, double ratio, QSize size);

    struct Key;                             ///< what the cached panels show
    mutable QHash<QString, QImage> m_names; ///< names with their halo, as painted once
    std::shared_ptr<const OverlayValues> m_values;
    QImage m_legend, m_rackKey, m_airKey;
    std::optional<ValueField> m_airScale;
    std::optional<Vec3> m_handle;
    int m_handleAxis = 2;
    std::shared_ptr<const sim::FlowResult> m_legendOf;
    QString m_panelState, m_sizeText;
    bool m_panelsStale = false;
    FactsPtr m_sizeFacts;
};

/// "120 × 20 m hall · 576 racks": what the picture shows, in words.
[[nodiscard]] QString sizeText(const TwinScene& scene);
/// The caption in lines that leave room for the compass: broken between its parts, and cut where one of them is too long.
[[nodiscard]] QStringList captionLines(const QString& caption, const QFontMetricsF& metrics, double room);

} // namespace hw::views::twin

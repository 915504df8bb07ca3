// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/overlays/overlays.h"
#include "views/style/theme.h"

#include <QRectF>
#include <QString>
#include <QStringList>

class QPainter;

namespace hw::views {

/// What explains the colors of a field, the same in every view: the title with the unit, the histogram over the
/// color bar with its ticks, or the categories with their counts; then whose values they are. Where there is
/// little room it says less, and never leaves its place.
struct Legend {
    struct Entry {
        QColor color;
        QString text, count; ///< `count` is left out where there is no room
    };
    struct Tick {
        double place = 0; ///< 0 … 1 along the bar
        QString text;
    };
    QString title;
    std::vector<Entry> entries;                     ///< categories, and things like a network that is shown alone
    std::vector<QColor> ramp;                       ///< the bar's colors from left to right; empty: there is no bar
    std::vector<Tick> ticks, fewTicks;              ///< of the bar; of a short bar
    std::vector<float> bars;                        ///< heights of the histogram's steps, 0 … 1; none where it says nothing
    std::optional<std::pair<double, double>> marks; ///< places of the mean and of the most on the bar
    QStringList notes;                              ///< what else is to be said, most important first
    QString warning;                                ///< that the values are of an earlier state, or missing
};

[[nodiscard]] Legend legendOf(const ValueField& field, const ValueHistogram& histogram, const Theme& theme);
/// Of what an overlay says of a kind of thing; where it has no values, what they wait for.
/// What the colors of an overlay are about most: racks, or where it knows nothing of racks, devices or trays.
[[nodiscard]] EntityKind legendEntity(const OverlayValues& values);
[[nodiscard]] Legend overlayLegend(const OverlayValues& values, EntityKind entity, const Theme& theme);

/// "Power / limit of the rack, %": the title of what it says of a kind of thing.
[[nodiscard]] QString overlayTitle(const OverlayValues& values, EntityKind entity);

/// How a legend is drawn in a room of this size: the fullest form that fits, lines wrapped and cut to it. A text of
/// `font`'s size; all of it in logical pixels.
class LegendLayout {
public:
    enum class Frame : std::uint8_t { Panel, None }; ///< over a drawing; on a strip of its own
    LegendLayout(const Legend& legend, const QFont& font, QSizeF room, Frame frame = Frame::Panel);
    [[nodiscard]] QSizeF size() const { return m_size; } ///< never larger than the room; empty where nothing fits
    void paint(QPainter& painter, QPointF topLeft, const Theme& theme) const;

private:
    struct Form {
        bool histogram, ticks, counts, title;
        int notes;
    };
    [[nodiscard]] QSizeF measure(const Form& form);
    void wrapEntries(double width, bool counts);
    double paintBar(QPainter& painter, const QRectF& line, const Theme& theme) const;
    void paintEntries(QPainter& painter, double top, const Theme& theme) const;

    const Legend& m_legend;
    QFont m_font, m_bold;
    QSizeF m_room, m_size;
    Form m_form{};
    Frame m_frame;
    double m_padY;                 ///< above and below
    std::vector<QPointF> m_places; ///< of the entries, from the panel's corner
    double m_entriesHeight = 0;
};

/// Draws the legend at the lower left of `room` and gives the place that it took.
QRectF paintLegend(QPainter& painter, const Legend& legend, const Theme& theme, const QFont& font, const QRectF& room);

} // namespace hw::views

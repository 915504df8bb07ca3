// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/legend.h"

#include "core/derived/values/impact_fields.h"
#include "views/style/format.h"
#include "views/style/value_colors.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace hw::views {
namespace {

constexpr int kRampSteps = 128;
constexpr double kLegendPad = 9, kLegendGap = 5, kRadius = 6, kBarHeight = 9, kHistogramHeight = 26, kBarWidth = 200, kNoteWidth = 300;

/// Heights of the steps: the root makes a step of a few things visible beside one of thousands.
std::vector<float> barHeights(const ValueHistogram& histogram)
{
    const auto most = histogram.counts.empty() ? 0u : *std::ranges::max_element(histogram.counts);
    std::vector<float> bars;
    if (most == 0) return bars;
    for (const std::uint32_t n : histogram.counts) bars.push_back(n ? std::max(0.06f, std::sqrt(float(n) / float(most))) : 0.0f);
    return bars;
}

QString sayRange(const ValueField& field, const ValueHistogram& histogram)
{
    return QCoreApplication::translate("Legend", "mean %1, maximum %2")
        .arg(text(valueText(field, float(histogram.mean))), text(valueText(field, float(histogram.most))));
}

/// Classes: their limits on the bar, and how many values each of them has.
void addBands(Legend& legend, const ValueField& field, bool dark)
{
    legend.ticks.clear();
    std::vector<int> counts(field.bands.size(), 0);
    for (const float value : field.values) {
        if (!known(value)) continue;
        const auto band = std::ranges::find_if(field.bands, [&](const FieldBand& b) { return double(value) <= b.to; });
        ++counts[std::min(std::size_t(band - field.bands.begin()), counts.size() - 1)];
    }
    double from = field.low;
    for (std::size_t i = 0; i < field.bands.size(); ++i) {
        const FieldBand& band = field.bands[i];
        const QString upper = text(tickText(field, band.to)), lower = text(tickText(field, from));
        const QString range = i == 0                       ? QStringLiteral("≤ %1").arg(upper)
                              : i + 1 < field.bands.size() ? QStringLiteral("%1–%2").arg(lower, upper)
                                                           : QStringLiteral("> %1").arg(lower);
        if (counts[i] > 0 || field.values.empty())
            legend.entries.push_back({QColor::fromRgb(valueRgb(field, float((from + band.to) / 2), dark)), range + ' ' + text(band.title),
                                      field.values.empty() ? QString() : count(counts[i])});
        if (i + 1 < field.bands.size()) legend.ticks.push_back({mapPlace(field, float(band.to)), upper});
        from = band.to;
    }
    legend.fewTicks = legend.ticks;
}

void addBar(Legend& legend, const ValueField& field, const ValueHistogram& histogram, bool dark)
{
    for (int i = 0; i < kRampSteps; ++i)
        legend.ramp.push_back(QColor::fromRgb(valueRgb(field, float(field.low + (field.high - field.low) * (i + 0.5) / kRampSteps), dark)));
    const auto ticks = [&](std::size_t most) {
        std::vector<Legend::Tick> made;
        for (const double value : ticksOf(field, most)) made.push_back({mapPlace(field, float(value)), text(tickText(field, value))});
        return made;
    };
    legend.ticks = ticks(5);
    legend.fewTicks = ticks(3);
    if (!field.bands.empty()) addBands(legend, field, dark);
    if (!field.unit.empty() && field.scale != FieldScale::Category) legend.title += ", " + text(field.unit);
    if (histogram.known == 0) return;
    legend.bars = barHeights(histogram);
    legend.marks = {mapPlace(field, float(histogram.mean)), mapPlace(field, float(histogram.most))};
    legend.notes << sayRange(field, histogram);
}

} // namespace

Legend legendOf(const ValueField& field, const ValueHistogram& histogram, const Theme& t)
{
    Legend legend;
    legend.title = text(field.title);
    if (field.scale == FieldScale::Category) {
        for (std::size_t i = 0; i < field.categories.size(); ++i)
            if (const std::uint32_t n = i < histogram.counts.size() ? histogram.counts[i] : 0; n > 0 || field.categories[i].tone != Tone::RackKind)
                legend.entries.push_back({QColor::fromRgb(valueRgb(field, float(i), t.dark())), text(field.categories[i].title), count(n)});
    } else {
        addBar(legend, field, histogram, t.dark());
    }
    if (!field.source.empty()) legend.notes << text(field.source);
    if (field.timeS) legend.notes << QCoreApplication::translate("Legend", "at %1").arg(duration(*field.timeS));
    if (field.stale) legend.warning = QCoreApplication::translate("Legend", "outdated");
    return legend;
}

QString overlayTitle(const OverlayValues& values, EntityKind entity)
{
    const ValueField* field = values.of(entity);
    if (!field) return {};
    return text(field->title) + (field->unit.empty() ? QString() : ", " + text(field->unit));
}

EntityKind legendEntity(const OverlayValues& values)
{
    if (values.name == kImpactOverlay && values.of(EntityKind::Device)) return EntityKind::Device; // what fails need not stand in a rack
    for (const EntityKind kind : {EntityKind::Rack, EntityKind::Device, EntityKind::Tray})
        if (const ValueField* field = values.of(kind); field && std::ranges::any_of(field->values, known)) return kind;
    return !values.of(EntityKind::Rack) && values.of(EntityKind::Tray) ? EntityKind::Tray : EntityKind::Rack;
}

Legend overlayLegend(const OverlayValues& values, EntityKind entity, const Theme& theme)
{
    if (const ValueField* field = values.of(entity)) return legendOf(*field, histogramOf(*field), theme);
    Legend legend;
    const Overlay* overlay = findOverlay(values.name);
    if (!overlay) return legend;
    legend.title = text(overlay->title);
    switch (overlay->needs) {
    case OverlayNeeds::Nothing: break;
    case OverlayNeeds::Findings: legend.warning = QCoreApplication::translate("Legend", "not checked yet"); break;
    case OverlayNeeds::Loads: legend.warning = QCoreApplication::translate("Legend", "no simulation of this design"); break;
    case OverlayNeeds::Live: legend.warning = QCoreApplication::translate("Legend", "no measurements"); break;
    }
    return legend;
}

LegendLayout::LegendLayout(const Legend& legend, const QFont& font, QSizeF room, Frame frame)
    : m_legend(legend), m_font(font), m_bold(font), m_room(room), m_frame(frame), m_padY(frame == Frame::Panel ? kLegendPad : 1)
{
    m_bold.setWeight(QFont::DemiBold);
    const bool bar = !legend.ramp.empty();
    if (!bar && legend.entries.empty() && legend.title.isEmpty() && legend.notes.isEmpty() && legend.warning.isEmpty()) return; // says nothing
    const int notes = int(legend.notes.size());
    std::vector<Form> forms; // from the fullest on
    for (int n = notes; bar && n >= 0; --n) forms.push_back({true, true, true, true, n});
    if (bar) forms.insert(forms.end(), {{false, true, true, true, 1}, {false, true, true, true, 0}, {false, true, false, false, 0}});
    if (!bar) forms = {{false, false, true, true, notes}, {false, false, true, false, 0}, {false, false, false, false, 0}};
    for (const Form& form : forms) {
        const QSizeF wanted = measure(form);
        if (wanted.width() > room.width() || wanted.height() > room.height()) continue;
        m_form = form;
        m_size = wanted;
        return;
    }
}

/// Entries side by side, on as many lines as the width asks for.
void LegendLayout::wrapEntries(double width, bool counts)
{
    const QFontMetricsF m(m_font);
    const double swatch = m.ascent(), line = m.height() + 2;
    m_places.clear();
    double x = 0, y = 0;
    for (const Legend::Entry& entry : m_legend.entries) {
        const double wide = swatch + kLegendGap + m.horizontalAdvance(entry.text) +
                            (counts && !entry.count.isEmpty() ? kLegendGap + m.horizontalAdvance(entry.count) : 0);
        if (x > 0 && x + wide > width) x = 0, y += line;
        m_places.emplace_back(x, y);
        x += wide + 2.5 * kLegendGap;
    }
    m_entriesHeight = m_legend.entries.empty() ? 0 : y + line;
}

QSizeF LegendLayout::measure(const Form& form)
{
    const QFontMetricsF m(m_font), b(m_bold);
    const bool bar = !m_legend.ramp.empty();
    const double inside = m_room.width() - 2 * kLegendPad, scale = m.height() / 15;
    double width = bar ? std::min(inside, kBarWidth * scale) : 0, height = 2 * m_padY;
    if (form.title && !m_legend.title.isEmpty()) {
        width = std::max(width, std::min(inside, b.horizontalAdvance(m_legend.title)));
        height += b.height() + 3;
    }
    if (form.histogram && !m_legend.bars.empty()) height += kHistogramHeight * scale;
    if (bar) height += kBarHeight * scale + (form.ticks ? m.height() + 1 : 0);
    if (form.notes > 0 || !m_legend.warning.isEmpty()) height += 3;
    for (int i = 0; i < form.notes && i < m_legend.notes.size(); ++i) {
        width = std::max(width, std::min({inside, m.horizontalAdvance(m_legend.notes[i]), kNoteWidth * scale}));
        height += m.height();
    }
    if (!m_legend.warning.isEmpty()) {
        width = std::max(width, std::min(inside, m.horizontalAdvance(m_legend.warning)));
        height += m.height();
    }
    wrapEntries(inside, form.counts);
    double entries = 0;
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        const Legend::Entry& entry = m_legend.entries[i];
        const double number = form.counts && !entry.count.isEmpty() ? kLegendGap + m.horizontalAdvance(entry.count) : 0;
        entries = std::max(entries, m_places[i].x() + m.ascent() + kLegendGap + m.horizontalAdvance(entry.text) + number);
    }
    if (bar && m_entriesHeight > 0) height += kLegendGap;
    return {std::max(width, entries) + 2 * kLegendPad, height + m_entriesHeight};
}

/// Histogram, bar and ticks; gives the lower end.
double LegendLayout::paintBar(QPainter& p, const QRectF& line, const Theme& t) const
{
    const QFontMetricsF m(m_font);
    const double scale = m.height() / 15;
    double y = line.top();
    const auto colorAt = [&](double place) {
        return m_legend.ramp[std::min(m_legend.ramp.size() - 1, std::size_t(place * double(m_legend.ramp.size())))];
    };
    if (m_form.histogram && !m_legend.bars.empty()) {
        const double tall = kHistogramHeight * scale - 2, step = line.width() / double(m_legend.bars.size());
        for (std::size_t i = 0; i < m_legend.bars.size(); ++i) {
            const double height = tall * double(m_legend.bars[i]);
            p.fillRect(QRectF(line.left() + step * double(i) + 0.5, y + tall - height, step - 1, height),
                       colorAt((double(i) + 0.5) / double(m_legend.bars.size())));
        }
        y += kHistogramHeight * scale;
    }
    const QRectF bar(line.left(), y, line.width(), kBarHeight * scale);
    QLinearGradient ramp(bar.topLeft(), bar.topRight());
    for (std::size_t i = 0; i < m_legend.ramp.size(); i += 8) ramp.setColorAt((double(i) + 0.5) / double(m_legend.ramp.size()), m_legend.ramp[i]);
    ramp.setColorAt(1, m_legend.ramp.back());
    p.setPen(Qt::NoPen);
    p.setBrush(ramp);
    p.drawRoundedRect(bar, 2, 2);
    if (m_form.histogram && !m_legend.bars.empty() && m_legend.marks) { // a notch where the mean is
        const double x = bar.left() + bar.width() * m_legend.marks->first;
        p.fillRect(QRectF(x - 1, bar.top() - 2, 2, bar.height() + 4), t.text);
    }
    y = bar.bottom();
    if (!m_form.ticks) return y;
    p.setPen(t.textDim);
    const bool tight = bar.width() < 30.0 * double(m_legend.ticks.size()) * scale;
    for (const Legend::Tick& tick : tight ? m_legend.fewTicks : m_legend.ticks) {
        const double wide = m.horizontalAdvance(tick.text);
        const double x = std::clamp(bar.left() + bar.width() * tick.place - wide / 2, bar.left(), std::max(bar.left(), bar.right() - wide));
        p.drawText(QPointF(x, y + 1 + m.ascent()), tick.text);
    }
    return y + m.height() + 1;
}

void LegendLayout::paintEntries(QPainter& p, double top, const Theme& t) const
{
    const QFontMetricsF m(m_font);
    const double swatch = m.ascent() * 0.8;
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        const Legend::Entry& entry = m_legend.entries[i];
        const QPointF at(kLegendPad + m_places[i].x(), top + m_places[i].y());
        p.setPen(Qt::NoPen);
        p.setBrush(entry.color);
        p.drawRoundedRect(QRectF(at.x(), at.y() + (m.height() - swatch) / 2, swatch, swatch), 2, 2);
        const double x = at.x() + m.ascent() + kLegendGap, room = m_size.width() - kLegendPad - x;
        p.setPen(t.text);
        p.drawText(QPointF(x, at.y() + m.ascent()), m.elidedText(entry.text, Qt::ElideRight, room));
        if (!m_form.counts || entry.count.isEmpty()) continue;
        p.setPen(t.textDim);
        p.drawText(QPointF(x + m.horizontalAdvance(entry.text) + kLegendGap, at.y() + m.ascent()), entry.count);
    }
}

void LegendLayout::paint(QPainter& p, QPointF topLeft, const Theme& t) const
{
    if (m_size.isEmpty()) return;
    const QFontMetricsF m(m_font), b(m_bold);
    p.save();
    p.translate(topLeft);
    p.setRenderHint(QPainter::Antialiasing);
    if (m_frame == Frame::Panel) {
        QColor panel = t.panel;
        panel.setAlpha(232);
        p.setPen(QPen(t.border, 1));
        p.setBrush(panel);
        p.drawRoundedRect(QRectF(QPointF(), m_size).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
    }
    const double inside = m_size.width() - 2 * kLegendPad;
    double y = m_padY;
    if (m_form.title && !m_legend.title.isEmpty()) {
        p.setFont(m_bold);
        p.setPen(t.text);
        p.drawText(QPointF(kLegendPad, y + b.ascent()), b.elidedText(m_legend.title, Qt::ElideRight, inside));
        y += b.height() + 3;
    }
    p.setFont(m_font);
    if (!m_legend.ramp.empty()) y = paintBar(p, {kLegendPad, y, inside, 0}, t);
    if (!m_legend.ramp.empty() && m_entriesHeight > 0) y += kLegendGap;
    paintEntries(p, y, t);
    y += m_entriesHeight;
    if (m_form.notes > 0 || !m_legend.warning.isEmpty()) y += 3;
    const auto say = [&](const QString& words, const QColor& color) {
        p.setPen(color);
        p.drawText(QPointF(kLegendPad, y + m.ascent()), m.elidedText(words, Qt::ElideRight, inside));
        y += m.height();
    };
    for (int i = 0; i < m_form.notes && i < m_legend.notes.size(); ++i) say(m_legend.notes[i], t.textDim);
    if (!m_legend.warning.isEmpty()) say(m_legend.warning, t.warning);
    p.restore();
}

QRectF paintLegend(QPainter& painter, const Legend& legend, const Theme& theme, const QFont& font, const QRectF& room)
{
    const LegendLayout layout(legend, font, room.size());
    const QRectF place(QPointF(room.left(), room.bottom() - layout.size().height()), layout.size());
    layout.paint(painter, place.topLeft(), theme);
    return place;
}

} // namespace hw::views

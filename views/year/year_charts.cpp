// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/year/year_charts.h"

#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/style/units.h"

#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace hw::views {

namespace {

constexpr int kDays = 365, kHoursADay = 24;

QString megawatts(double watts) { return power(Milliwatts(std::llround(watts * 1000))); }

/// Steps of an axis that people count in: 1, 2 or 5 times a power of ten, at most `most` of them up to `top`.
double niceStep(double top, int most)
{
    if (top <= 0) return 1;
    const double raw = top / std::max(1, most), base = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * base >= raw) return factor * base;
    return 10 * base;
}

} // namespace

QString yearQuantityName(YearQuantity quantity)
{
    switch (quantity) {
    case YearQuantity::Pue: return QObject::tr("PUE");
    case YearQuantity::SitePower: return QObject::tr("Facility power");
    case YearQuantity::CoolingPower: return QObject::tr("Cooling power");
    case YearQuantity::DryBulb: return QObject::tr("Dry bulb");
    case YearQuantity::WetBulb: return QObject::tr("Wet bulb");
    }
    return {};
}

double yearValue(const Year& year, YearQuantity quantity, std::size_t h)
{
    const plant::PlantHour& hour = year.hours[h];
    switch (quantity) {
    case YearQuantity::Pue: return hour.pue();
    case YearQuantity::SitePower: return hour.siteW;
    case YearQuantity::CoolingPower: return hour.pumpsW + hour.fansW + hour.chillersW + hour.rejectionW + hour.humidityW + hour.ventilationW;
    case YearQuantity::DryBulb: return year.weather.hours[h].dryBulbC;
    case YearQuantity::WetBulb: return year.weather.hours[h].wetBulbC;
    }
    return 0;
}

QString yearValueText(YearQuantity quantity, double value)
{
    switch (quantity) {
    case YearQuantity::Pue: return QString::number(value, 'f', 3);
    case YearQuantity::SitePower:
    case YearQuantity::CoolingPower: return megawatts(value);
    case YearQuantity::DryBulb:
    case YearQuantity::WetBulb: return temperature(value);
    }
    return {};
}

YearMap::YearMap(QWidget* parent) : QWidget(parent)
{
    setObjectName("yearMap");
    setAccessibleName(tr("Heat map of the year"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setMouseTracking(true);
}

void YearMap::setYear(YearPtr year)
{
    m_year = std::move(year);
    remake();
}

void YearMap::setQuantity(YearQuantity quantity)
{
    m_quantity = quantity;
    remake();
}

void YearMap::remake()
{
    m_image = {};
    m_dark = theme().dark();
    m_least = m_most = 0;
    if (m_year && m_year->hours.size() == std::size_t(kDays) * kHoursADay) {
        std::vector<double> values(m_year->hours.size());
        for (std::size_t h = 0; h < values.size(); ++h) values[h] = yearValue(*m_year, m_quantity, h);
        const auto [least, most] = std::ranges::minmax(values);
        m_least = least, m_most = most;
        m_image = QImage(kDays, kHoursADay, QImage::Format_RGB32);
        for (std::size_t h = 0; h < values.size(); ++h)
            m_image.setPixelColor(int(h) / kHoursADay, kHoursADay - 1 - int(h) % kHoursADay,
                                  mapColor(most > least ? (values[h] - least) / (most - least) : 0));
    }
    update();
}

QSize YearMap::sizeHint() const { return {space(120), space(40)}; }
QSize YearMap::minimumSizeHint() const { return {space(44), space(24)}; }

QRectF YearMap::map() const
{
    const int line = fontMetrics().height(), left = fontMetrics().horizontalAdvance("00:00") + space(2);
    return QRectF(left, line + space(1), std::max(1, width() - left - space(2)), std::max(1, height() - 2 * line - space(3)));
}

std::optional<std::size_t> YearMap::hourAt(const QPointF& point) const
{
    const QRectF area = map();
    if (!m_year || m_image.isNull() || !area.contains(point)) return std::nullopt;
    const int day = std::clamp(int((point.x() - area.left()) / area.width() * kDays), 0, kDays - 1);
    const int hour = std::clamp(int((area.bottom() - point.y()) / area.height() * kHoursADay), 0, kHoursADay - 1);
    return std::size_t(day * kHoursADay + hour);
}

void YearMap::paintEvent(QPaintEvent*)
{
    if (m_dark != theme().dark()) remake(); // the map's ends follow the theme
    QPainter p(this);
    const QRectF area = map();
    p.setPen(theme().textDim);
    if (m_image.isNull()) return;
    p.drawImage(area, m_image, QRectF(0, 0, kDays, kHoursADay));
    p.setPen(theme().border);
    p.drawRect(area);
    p.setPen(theme().textDim);
    const int line = fontMetrics().height();
    for (const int hour : {0, 6, 12, 18, 24}) {
        const double y = area.bottom() - area.height() * hour / kHoursADay;
        p.drawText(QRectF(0, y - line / 2.0, area.left() - space(1), line), Qt::AlignRight | Qt::AlignVCenter, QString("%1:00").arg(hour));
    }
    int day = 0;
    const QLocale names;
    for (int month = 1; month <= 12; ++month) {
        const double x = area.left() + area.width() * day / kDays, wide = area.width() * weather::kMonthDays[std::size_t(month - 1)] / kDays;
        const QString full = names.standaloneMonthName(month, QLocale::ShortFormat);
        p.drawText(QRectF(x, area.bottom() + space(1) / 2.0, wide, line), Qt::AlignHCenter,
                   fontMetrics().horizontalAdvance(full) < wide ? full : QString::number(month));
        day += weather::kMonthDays[std::size_t(month - 1)];
    }
    // The scale, over the map.
    const QString low = yearValueText(m_quantity, m_least), high = yearValueText(m_quantity, m_most);
    const double bar = std::min(area.width() / 4, double(space(30))), y = (line - space(2)) / 2.0;
    double x = area.left();
    p.drawText(QRectF(x, 0, area.width(), line), Qt::AlignLeft | Qt::AlignVCenter, low);
    x += fontMetrics().horizontalAdvance(low) + space(1);
    constexpr int kSteps = 32;
    for (int i = 0; i < kSteps; ++i) p.fillRect(QRectF(x + bar * i / kSteps, y, bar / kSteps + 1, space(2)), mapColor(double(i) / (kSteps - 1)));
    p.drawText(QRectF(x + bar + space(1), 0, area.width(), line), Qt::AlignLeft | Qt::AlignVCenter, high);
    // The worst hour.
    const std::size_t worst = m_year->worst;
    const QPointF at(area.left() + area.width() * (double(worst / kHoursADay) + 0.5) / kDays,
                     area.bottom() - area.height() * (double(worst % kHoursADay) + 0.5) / kHoursADay);
    p.setRenderHint(QPainter::Antialiasing);
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(theme().dark() ? Qt::black : Qt::white, 3));
    p.drawEllipse(at, space(1) + 1, space(1) + 1);
    p.setPen(QPen(theme().text, 1.5));
    p.drawEllipse(at, space(1) + 1, space(1) + 1);
}

bool YearMap::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto hour = hourAt(help->pos());
    if (!hour) {
        QToolTip::hideText();
        event->ignore();
        return true;
    }
    QString tip = text(weather::momentOf(*hour).text());
    for (int i = 0; i < kYearQuantities; ++i)
        tip += '\n' + yearQuantityName(YearQuantity(i)) + ": " + yearValueText(YearQuantity(i), yearValue(*m_year, YearQuantity(i), *hour));
    QToolTip::showText(help->globalPos(), tip, this);
    return true;
}

DurationCurve::DurationCurve(QWidget* parent) : QWidget(parent)
{
    setObjectName("yearDuration");
    setAccessibleName(tr("Load-duration curve"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void DurationCurve::setYear(YearPtr year)
{
    m_year = std::move(year);
    m_itW.clear();
    if (m_year)
        for (const plant::PlantHour& hour : m_year->hours) m_itW.push_back(hour.itW);
    std::ranges::sort(m_itW, std::greater<>());
    update();
}

QSize DurationCurve::sizeHint() const { return {space(80), space(40)}; }
QSize DurationCurve::minimumSizeHint() const { return {space(32), space(24)}; }

void DurationCurve::paintEvent(QPaintEvent*)
{
    if (!m_year || m_year->durationW.empty()) return;
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const int line = fontMetrics().height();
    const double peak = m_year->durationW.front(), step = niceStep(peak / 1e6, std::max(2, height() / (3 * line))) * 1e6;
    const double top = std::ceil(peak / step) * step;
    const auto label = [&](double watts) { return QString::number(watts / 1e6, 'g', 4); };
    double left = 0;
    for (double w = 0; w <= top * 1.0001; w += step) left = std::max(left, double(fontMetrics().horizontalAdvance(label(w))));
    const QRectF area(left + space(2), line + space(1), std::max(1.0, width() - left - space(4)), std::max(1, height() - 2 * line - space(3)));
    const auto place = [&](double share, double watts) {
        return QPointF(area.left() + area.width() * share, area.bottom() - area.height() * watts / top);
    };
    for (double w = 0; w <= top * 1.0001; w += step) {
        const double y = place(0, w).y();
        p.setPen(theme().border);
        p.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        p.setPen(theme().textDim);
        p.drawText(QRectF(0, y - line / 2.0, area.left() - space(1), line), Qt::AlignRight | Qt::AlignVCenter, label(w));
    }
    for (const int percentOfHours : {0, 25, 50, 75, 100}) {
        const double x = place(percentOfHours / 100.0, 0).x();
        const Qt::Alignment align = percentOfHours == 0 ? Qt::AlignLeft : percentOfHours == 100 ? Qt::AlignRight : Qt::AlignHCenter;
        const double wide = space(16), from = percentOfHours == 0 ? x : percentOfHours == 100 ? x - wide : x - wide / 2;
        p.drawText(QRectF(from, area.bottom() + space(1) / 2.0, wide, line), align, QString("%1 %").arg(percentOfHours));
    }
    const auto curve = [&](const std::vector<double>& sorted, const QColor& color, bool filled) {
        QPainterPath path;
        const std::size_t steps = std::min<std::size_t>(sorted.size(), 400);
        for (std::size_t i = 0; i <= steps; ++i) {
            const std::size_t at = std::min(sorted.size() - 1, i * sorted.size() / steps);
            const QPointF point = place(double(i) / double(steps), sorted[at]);
            i == 0 ? path.moveTo(point) : path.lineTo(point);
        }
        if (filled) {
            QPainterPath under = path;
            under.lineTo(area.bottomRight());
            under.lineTo(area.bottomLeft());
            under.closeSubpath();
            QColor soft = color;
            soft.setAlphaF(0.15F);
            p.fillPath(under, soft);
        }
        p.setPen(QPen(color, 1.6));
        p.drawPath(path);
    };
    curve(m_year->durationW, theme().accent, true);
    if (!m_itW.empty()) curve(m_itW, theme().textDim, false);
    p.setPen(theme().accent);
    const QString first = tr("MW facility, peak %1").arg(QString::number(peak / 1e6, 'f', 2));
    p.drawText(QRectF(area.left(), 0, area.width(), line), Qt::AlignLeft | Qt::AlignVCenter, first);
    p.setPen(theme().textDim);
    p.drawText(QRectF(area.left() + fontMetrics().horizontalAdvance(first) + space(2), 0, area.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
               tr("IT"));
}

} // namespace hw::views

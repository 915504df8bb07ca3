// SPDX-License-Identifier: GPL-3.0-or-later
// How moments, points and measured values are said.
#include "views/live/live_session.h"
#include "views/style/format.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace hw::views {

QString momentText(std::int64_t timeMs, std::int64_t nowMs)
{
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(timeMs), now = QDateTime::fromMSecsSinceEpoch(nowMs);
    return at.date() == now.date() ? at.toString("HH:mm:ss") : at.toString("yyyy-MM-dd HH:mm:ss");
}

QString pointText(const bindings::Point& point)
{
    const QString title = text(bindings::infoOf(point.measure).title);
    return point.element.empty() ? title : title + " · " + text(point.element);
}

std::vector<bindings::Point> pointsOf(const bindings::Bound& bound, EntityRef entity)
{
    const auto found = std::ranges::equal_range(bound.points, entity, {}, &bindings::Point::entity);
    std::vector<bindings::Point> points(found.begin(), found.end());
    std::ranges::stable_sort(points, {}, [](const bindings::Point& p) { return std::pair(p.measure, p.element.size()); });
    return points;
}

QString measureText(bindings::Measure measure, double value)
{
    const auto& info = bindings::infoOf(measure);
    if (std::isnan(value)) return QStringLiteral("–");
    const QString unit = QString::fromUtf8(info.unit.data(), qsizetype(info.unit.size()));
    if (unit == "W") return power(Milliwatts(std::llround(value * 1000)));
    if (unit == "VA") return QLocale().toString(value / 1000, 'f', std::abs(value) < 100'000 ? 1 : 0) + " kVA"; // no text
    if (unit == "bit/s") return rate(value / 1e9);
    const double size = std::abs(value);
    const QString number = QLocale().toString(value, 'f', info.state || value == std::floor(value) || size >= 100 ? 0 : size >= 10 ? 1 : 2);
    return unit.isEmpty() ? number : number + " " + unit;
}

} // namespace hw::views

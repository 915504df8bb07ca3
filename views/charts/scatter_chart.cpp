// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/scatter_chart.h"

#include "simulation/answers/plot_svg.h"
#include "views/style/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace hw::views {

namespace {

constexpr double kReach = 14, kPoint = 4, kStrong = 5.5;

/// Room around the values: a twentieth of the range, or a part of a decade.
sim::PlotAxis around(double low, double high, bool logarithmic)
{
    if (low > high) low = logarithmic ? 1 : 0, high = logarithmic ? 10 : 1;
    if (logarithmic) return {low / 1.6, high * 1.6, 0, 1, true};
    const double range = high - low, more = range > 0 ? range * 0.06 : std::max(0.5, std::abs(low) * 0.1);
    return {low > 0 && low < range ? 0 : low - more, high + more, 0, 1, false};
}

} // namespace

struct ScatterChart::Scale : sim::PlotAxis {};

ScatterChart::ScatterChart(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(space(60), space(40));
}

QSize ScatterChart::sizeHint() const { return {space(130), space(80)}; }

void ScatterChart::setChart(ScatterAxis x, ScatterAxis y, std::vector<ScatterMark> marks, std::vector<std::pair<QColor, QString>> legend,
                            QPolygonF line)
{
    m_x = std::move(x), m_y = std::move(y);
    m_legend = std::move(legend);
    m_line = std::move(line);
    m_marks.clear();
    for (ScatterMark& mark : marks) {
        mark.xTo = std::max(mark.x, mark.xTo), mark.yTo = std::max(mark.y, mark.yTo);
        if (shown(mark)) m_marks.push_back(std::move(mark));
    }
    if (m_current && std::ranges::find(m_marks, *m_current, &ScatterMark::id) == m_marks.end()) m_current.reset();
    update();
}

bool ScatterChart::shown(const ScatterMark& mark) const
{
    const auto fits = [](const ScatterAxis& axis, double from, double to) {
        return std::isfinite(from) && std::isfinite(to) && (!axis.logarithmic || from > 0);
    };
    return fits(m_x, mark.x, mark.xTo) && fits(m_y, mark.y, mark.yTo);
}

void ScatterChart::setCurrent(std::optional<int> id)
{
    if (id == m_current) return;
    m_current = id;
    update();
}

QRectF ScatterChart::area() const
{
    const double line = fontMetrics().height();
    return QRectF(rect()).adjusted(fontMetrics().horizontalAdvance("000,000,000") + space(2), line * (m_legend.empty() ? 1.8 : 3.0), -space(6),
                                   -line * 2.8);
}

ScatterChart::Scale ScatterChart::scaleX() const
{
    double low = 1e300, high = -1e300;
    for (const ScatterMark& mark : m_marks) low = std::min(low, mark.x), high = std::max({high, mark.xTo, mark.reach});
    Scale s{around(low, high, m_x.logarithmic)};
    s.from = area().left(), s.to = area().right();
    return s;
}

ScatterChart::Scale ScatterChart::scaleY() const
{
    double low = 1e300, high = -1e300;
    for (const ScatterMark& mark : m_marks) low = std::min(low, mark.y), high = std::max(high, mark.yTo);
    Scale s{around(low, high, m_y.logarithmic)};
    s.from = area().bottom(), s.to = area().top();
    return s;
}

QRectF ScatterChart::boxOf(const ScatterMark& mark, const Scale& x, const Scale& y)
{
    const QRectF box(QPointF(x.at(mark.x), y.at(mark.yTo)), QPointF(x.at(mark.xTo), y.at(mark.y)));
    const double r = mark.strong ? kStrong : kPoint;
    return box.adjusted(-r, -r, r, r);
}

std::optional<QPointF> ScatterChart::placeOf(int id) const
{
    const auto found = std::ranges::find(m_marks, id, &ScatterMark::id);
    return found == m_marks.end() ? std::nullopt : std::optional(boxOf(*found, scaleX(), scaleY()).center());
}

/// The smallest of those that hold the position, else the nearest.
std::optional<int> ScatterChart::markAt(QPointF position) const
{
    const Scale x = scaleX(), y = scaleY();
    std::optional<int> best;
    double least = kReach * 1000;
    for (const ScatterMark& mark : m_marks) {
        const QRectF box = boxOf(mark, x, y);
        const double dx = std::max({box.left() - position.x(), 0.0, position.x() - box.right()});
        const double dy = std::max({box.top() - position.y(), 0.0, position.y() - box.bottom()});
        const double distance = std::hypot(dx, dy);
        if (distance > kReach - kPoint) continue;
        const double score = distance * 100 + std::sqrt(box.width() * box.height()) * 0.1 +
                             std::hypot(box.center().x() - position.x(), box.center().y() - position.y()) * 0.01;
        if (score < least) least = score, best = mark.id;
    }
    return best;
}

QString ScatterChart::tickText(const ScatterAxis& axis, double value) const
{
    return axis.text ? axis.text(value) : QLocale().toString(value, 'g', 4);
}

void ScatterChart::paintAxes(QPainter& p) const
{
    const QRectF in = area();
    const double line = fontMetrics().height();
    const Scale x = scaleX(), y = scaleY();
    p.setPen(theme().text);
    p.drawText(QRectF(0, in.top() - line * 1.5, width(), line), Qt::AlignLeft | Qt::AlignVCenter, "  " + m_y.title);
    p.drawText(QRectF(in.left(), height() - line * 1.2, in.width(), line), Qt::AlignCenter, m_x.title);
    for (const double t : sim::ticksOf(y, std::max(2, int(in.height() / (line * 2.2))))) {
        p.setPen(theme().gridStrong);
        p.drawLine(QPointF(in.left(), y.at(t)), QPointF(in.right(), y.at(t)));
        p.setPen(theme().textDim);
        p.drawText(QRectF(0, y.at(t) - line / 2, in.left() - space(2), line), Qt::AlignRight | Qt::AlignVCenter, tickText(m_y, t));
    }
    double free = -1e9; // numbers never cover each other
    for (const double t : sim::ticksOf(x, std::max(2, int(in.width() / space(26))))) {
        p.setPen(theme().gridStrong);
        p.drawLine(QPointF(x.at(t), in.top()), QPointF(x.at(t), in.bottom()));
        const QString label = tickText(m_x, t);
        const double wide = fontMetrics().horizontalAdvance(label) + 4.0;
        const double left = std::clamp(x.at(t) - wide / 2, 0.0, std::max(0.0, width() - wide));
        if (left < free) continue;
        free = left + wide + space(2);
        p.setPen(theme().textDim);
        p.drawText(QRectF(left, in.bottom() + 4, wide, line), Qt::AlignCenter, label);
    }
    p.setPen(theme().borderStrong);
    p.drawRect(in);
}

void ScatterChart::paintMarks(QPainter& p) const
{
    const Scale x = scaleX(), y = scaleY();
    if (m_line.size() > 1) {
        QPolygonF line;
        for (const QPointF& at : m_line) line << QPointF(x.at(at.x()), y.at(at.y()));
        p.setBrush(Qt::NoBrush);
        p.setPen(QPen(theme().textDim, 1.5, Qt::DashLine));
        p.drawPolyline(line);
    }
    std::vector<const ScatterMark*> order; // what is faint lies below
    for (const ScatterMark& mark : m_marks) order.push_back(&mark);
    std::ranges::stable_sort(order, {}, [](const ScatterMark* mark) { return mark->faint ? 0 : mark->strong ? 2 : 1; });
    for (const ScatterMark* mark : order) {
        const QRectF box = boxOf(*mark, x, y);
        const double radius = mark->strong ? kStrong : kPoint;
        QColor fill = mark->color;
        const bool wide = box.width() > 2 * radius + 1 || box.height() > 2 * radius + 1;
        fill.setAlphaF(mark->faint ? 0.18F : wide ? 0.3F : 0.9F);
        p.setPen(QPen(mark->id == m_current ? theme().text : mark->color, mark->id == m_current || mark->strong ? 2 : 1));
        p.setBrush(fill);
        p.drawRoundedRect(box, radius, radius);
        if (mark->reach <= mark->xTo) continue;
        p.setPen(QPen(mark->color, mark->id == m_current ? 2 : 1.5, Qt::DotLine));
        p.drawLine(QPointF(box.right(), box.center().y()), QPointF(x.at(mark->reach), box.center().y()));
    }
}

void ScatterChart::paintNames(QPainter& p) const
{
    const Scale x = scaleX(), y = scaleY();
    std::vector<QRectF> taken;
    const double line = fontMetrics().height();
    std::vector<const ScatterMark*> order;
    for (const ScatterMark& mark : m_marks)
        if (!mark.name.isEmpty()) order.push_back(&mark);
    std::ranges::stable_sort(order, {}, [this](const ScatterMark* mark) { return mark->id == m_current ? 0 : mark->strong ? 1 : 2; });
    for (const ScatterMark* mark : order) {
        const QRectF box = boxOf(*mark, x, y);
        const double wide = fontMetrics().horizontalAdvance(mark->name) + 2.0;
        const QPointF places[] = {{box.right() + 4, box.center().y() - line / 2},
                                  {box.left() - wide - 4, box.center().y() - line / 2},
                                  {box.center().x() - wide / 2, box.top() - line - 1},
                                  {box.center().x() - wide / 2, box.bottom() + 1}};
        for (const QPointF& place : places) {
            const QRectF label(place, QSizeF(wide, line));
            const bool inside = QRectF(rect()).contains(label) && label.bottom() < area().bottom() + line && label.top() > area().top() - line;
            if (!inside || std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(label); })) continue;
            taken.push_back(label);
            p.setPen(mark->strong || mark->id == m_current ? theme().text : theme().textDim);
            p.drawText(label, Qt::AlignCenter, mark->name);
            break;
        }
    }
}

void ScatterChart::paintLegend(QPainter& p) const
{
    const double line = fontMetrics().height();
    double left = space(2);
    for (const auto& [color, title] : m_legend) {
        p.setPen(Qt::NoPen);
        p.setBrush(color);
        p.drawEllipse(QPointF(left + 5, line * 0.75), 4, 4);
        p.setPen(theme().textDim);
        p.drawText(QPointF(left + 14, line * 1.05), title);
        left += fontMetrics().horizontalAdvance(title) + 32;
    }
}

void ScatterChart::paintEvent(QPaintEvent*)
{
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (m_marks.empty()) {
        p.setPen(theme().textDim);
        p.drawText(rect(), Qt::AlignCenter, tr("No values to show"));
        return;
    }
    paintLegend(p);
    paintAxes(p);
    paintMarks(p);
    paintNames(p);
}

void ScatterChart::choose(int id)
{
    setCurrent(id);
    emit chosen(id);
}

void ScatterChart::mousePressEvent(QMouseEvent* event)
{
    if (const auto mark = markAt(event->position()); mark && event->button() == Qt::LeftButton) choose(*mark);
}

void ScatterChart::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const auto mark = markAt(event->position()); mark && event->button() == Qt::LeftButton) emit opened(*mark);
}

/// Left and right go through the marks in the order of x, up and down of y.
void ScatterChart::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    if ((key == Qt::Key_Return || key == Qt::Key_Enter) && m_current) return emit opened(*m_current);
    if (m_marks.empty() || (key != Qt::Key_Left && key != Qt::Key_Right && key != Qt::Key_Up && key != Qt::Key_Down))
        return QWidget::keyPressEvent(event);
    const bool byX = key == Qt::Key_Left || key == Qt::Key_Right;
    std::vector<const ScatterMark*> order;
    for (const ScatterMark& mark : m_marks) order.push_back(&mark);
    std::ranges::stable_sort(order, {}, [byX](const ScatterMark* mark) { return byX ? mark->x : mark->y; });
    auto at = std::ranges::find_if(order, [this](const ScatterMark* mark) { return mark->id == m_current; });
    if (at == order.end()) return choose(order.front()->id);
    const auto i = at - order.begin() + (key == Qt::Key_Right || key == Qt::Key_Up ? 1 : -1);
    if (i >= 0 && std::size_t(i) < order.size()) choose(order[std::size_t(i)]->id);
}

bool ScatterChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto mark = markAt(help->pos());
    const auto found = mark ? std::ranges::find(m_marks, *mark, &ScatterMark::id) : m_marks.end();
    QToolTip::showText(help->globalPos(), found == m_marks.end() ? QString() : found->tip, this);
    return true;
}

} // namespace hw::views

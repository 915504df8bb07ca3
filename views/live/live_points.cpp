// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/live_points.h"

#include "views/style/format.h"
#include "views/style/theme.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QDrag>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace hw::views {

namespace {

constexpr int kPointsEveryMs = 1000;
constexpr std::int64_t kMinutesMs = 10 * 60 * 1000;
constexpr std::size_t kMostPoints = 32;

/// The values that a line over `columns` pixels needs: the first, least, most and last of each column, ascending.
std::vector<std::size_t> drawnOf(const PointSeries& series, std::int64_t fromMs, std::int64_t toMs, int columns)
{
    std::vector<std::size_t> drawn;
    const auto columnOf = [&](std::size_t i) {
        return (series.timesMs[i] - fromMs) * std::max(1, columns) / std::max<std::int64_t>(1, toMs - fromMs);
    };
    for (std::size_t begin = 0, end = 0; begin < series.values.size(); begin = end) {
        std::size_t least = begin, most = begin;
        for (end = begin; end < series.values.size() && columnOf(end) == columnOf(begin); ++end) {
            if (series.values[end] < series.values[least]) least = end;
            if (series.values[end] > series.values[most]) most = end;
        }
        for (const std::size_t i : {begin, std::min(least, most), std::max(least, most), end - 1})
            if (drawn.empty() || drawn.back() < i) drawn.push_back(i);
    }
    return drawn;
}

} // namespace

QByteArray pointBytes(const bindings::Point& point)
{
    return QString("%1/%2/%3/%4").arg(int(point.entity.kind)).arg(point.entity.id).arg(int(point.measure)).arg(text(point.element)).toUtf8();
}

std::optional<bindings::Point> pointFrom(const QByteArray& bytes)
{
    const QString all = QString::fromUtf8(bytes);
    bool kind = false, id = false, measure = false;
    bindings::Point point;
    point.entity = {EntityKind(all.section('/', 0, 0).toInt(&kind)), all.section('/', 1, 1).toUInt(&id)};
    const int number = all.section('/', 2, 2).toInt(&measure);
    if (!kind || !id || !measure || number < 0 || number > int(bindings::Measure::Retransmits)) return std::nullopt;
    point.measure = bindings::Measure(number);
    point.element = all.section('/', 3).toStdString();
    return point;
}

LivePoints::LivePoints(DocumentBridge& bridge, LiveSession& session, QWidget* parent) : QWidget(parent), m_bridge(bridge), m_session(session)
{
    setObjectName("livePoints");
    setAccessibleName(tr("Measurements of the selection"));
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setVisible(false);
    m_timer.setSingleShot(true);
    m_timer.setInterval(kPointsEveryMs);
    connect(&m_timer, &QTimer::timeout, this, &LivePoints::refresh);
    connect(&bridge, &DocumentBridge::selectionChanged, this, &LivePoints::choose);
    connect(&bridge, &DocumentBridge::figuresChanged, this, &LivePoints::choose);
    connect(&session, &LiveSession::shownChanged, this, [this] {
        const auto& frame = m_session.shown();
        if (!frame || frame->bound != m_bound) choose();
        if (m_session.mode() != LiveSession::Mode::Live && !m_points.empty()) update(); // while it is dragged
        if (!m_points.empty() && !m_timer.isActive()) m_timer.start();
    });
    choose();
}

std::size_t LivePoints::rows() const { return std::min(m_points.size(), kMostPoints); }
double LivePoints::rowHeight() const { return fontMetrics().height() * 2.5; }
double LivePoints::headHeight() const { return fontMetrics().height() * 1.7; }
QSize LivePoints::sizeHint() const { return {space(40), m_points.empty() ? 0 : int(headHeight() + double(rows()) * rowHeight()) + space(2)}; }
QSize LivePoints::minimumSizeHint() const { return {space(20), sizeHint().height()}; }

void LivePoints::choose()
{
    const auto& frame = m_session.shown();
    m_entity = m_bridge.figures() ? m_bridge.selected() : EntityRef{};
    m_bound = frame ? frame->bound : nullptr;
    auto points = m_bound && m_entity ? pointsOf(*m_bound, m_entity) : std::vector<bindings::Point>();
    if (points != m_points) m_series.assign(points.size(), {});
    m_points = std::move(points);
    m_planned.clear();
    for (const bindings::Point& point : m_points) m_planned.push_back(plannedValue(*m_bridge.figures(), point));
    setVisible(!m_points.empty());
    updateGeometry();
    refresh();
}

void LivePoints::refresh()
{
    update();
    if (m_points.empty()) return;
    const std::int64_t to = m_session.wantedMs();
    const std::vector<bindings::Point> asked(m_points.begin(), m_points.begin() + std::ptrdiff_t(rows()));
    m_session.readSeries("inspector", asked, to - kMinutesMs, to, [this, entity = m_entity](std::vector<PointSeries> series) {
        if (!(entity == m_entity) || series.size() > m_points.size()) return;
        m_series = std::move(series);
        m_series.resize(m_points.size());
        update();
    });
}

QString LivePoints::valueOf(std::size_t row) const
{
    const auto& frame = m_session.shown();
    if (!frame || !frame->bound || row >= m_points.size()) return {};
    const bindings::PointNo no = frame->bound->find(m_points[row]);
    return measureText(m_points[row].measure, no < frame->values.size() ? double(frame->values[no]) : std::nan(""));
}

/// The last minutes; what was planned is a dashed line.
void LivePoints::paintLine(QPainter& p, std::size_t row, const QRectF& place) const
{
    p.fillRect(place, theme().canvas);
    if (row >= m_series.size() || m_series[row].values.empty()) return;
    const PointSeries& series = m_series[row];
    const auto planned = m_planned[row];
    auto [least, most] = std::ranges::minmax(series.values);
    if (planned) least = std::min(least, *planned), most = std::max(most, *planned);
    const double margin = std::max((most - least) * 0.12, std::abs(most) * 0.002 + 1e-9);
    least -= margin, most += margin;
    const std::int64_t to = m_session.wantedMs(), from = to - kMinutesMs;
    const auto x = [&](std::int64_t ms) { return place.left() + double(ms - from) / double(to - from) * place.width(); };
    const auto y = [&](double value) { return place.bottom() - (value - least) / (most - least) * place.height(); };
    p.setClipRect(place);
    if (planned) {
        p.setPen(QPen(theme().textFaint, 1, Qt::DashLine));
        p.drawLine(QPointF(place.left(), y(*planned)), QPointF(place.right(), y(*planned)));
    }
    QPolygonF line; // what was said stands until something else is
    for (const std::size_t i : drawnOf(series, from, to, int(place.width()))) {
        const QPointF at(x(series.timesMs[i]), y(series.values[i]));
        if (!line.isEmpty() && at.x() - line.back().x() > 2) line << QPointF(at.x(), line.back().y());
        line << at;
    }
    const bool dense = double(line.size()) > place.width(); // up and down within a pixel: smoothing each of them shows nothing, and costs most
    p.setRenderHint(QPainter::Antialiasing, !dense);
    p.setPen(QPen(theme().accent, dense ? 1 : 1.1));
    p.drawPolyline(line);
    p.setRenderHint(QPainter::Antialiasing);
    p.setBrush(theme().accent);
    p.setPen(Qt::NoPen);
    p.drawEllipse(QPointF(x(series.timesMs.back()), y(series.values.back())), 2, 2);
    p.setClipping(false);
}

void LivePoints::paintEvent(QPaintEvent* event)
{
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const double left = space(3), right = width() - space(3), line = fontMetrics().height();
    const bool live = m_session.mode() == LiveSession::Mode::Live;
    p.setFont(scaledFont(0.9, QFont::DemiBold));
    p.setPen(live ? theme().textDim : theme().warning);
    p.drawText(QRectF(left, 0, right - left, headHeight()), Qt::AlignVCenter | Qt::AlignLeft,
               live ? tr("Live measurements") : tr("Measurements at %1, not live").arg(momentText(m_session.wantedMs(), m_session.newestMs())));
    for (std::size_t i = 0; i < rows(); ++i) {
        const double top = headHeight() + double(i) * rowHeight(), middle = left + (right - left) * 0.5;
        if (top > event->rect().bottom() || top + rowHeight() < event->rect().top()) continue; // scrolled out of sight
        const QRectF name(left, top, middle - left - space(2), line * 1.1), value(left, top + line * 1.05, middle - left - space(2), line * 1.2);
        p.setFont(scaledFont(0.9));
        p.setPen(theme().textDim);
        p.drawText(name, Qt::AlignVCenter | Qt::AlignLeft, QFontMetricsF(p.font()).elidedText(pointText(m_points[i]), Qt::ElideRight, name.width()));
        p.setFont(scaledFont(1.05, QFont::DemiBold));
        p.setPen(theme().text);
        const QString words = valueOf(i);
        p.drawText(value, Qt::AlignVCenter | Qt::AlignLeft, words);
        if (m_planned[i]) {
            const double after = QFontMetricsF(p.font()).horizontalAdvance(words) + space(2);
            p.setFont(scaledFont(0.85));
            p.setPen(theme().textFaint);
            p.drawText(value.adjusted(after, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                       QFontMetricsF(p.font()).elidedText(tr("of %1").arg(measureText(m_points[i].measure, *m_planned[i])), Qt::ElideRight,
                                                          value.width() - after));
        }
        paintLine(p, i, QRectF(middle, top + line * 0.25, right - middle, line * 1.9));
    }
}

int LivePoints::rowAt(double y) const
{
    const double row = (y - headHeight()) / rowHeight();
    return row >= 0 && row < double(rows()) ? int(row) : -1;
}

void LivePoints::mousePressEvent(QMouseEvent* event) { m_pressed = event->pos(); }

void LivePoints::mouseMoveEvent(QMouseEvent* event)
{
    setCursor(rowAt(event->position().y()) >= 0 ? Qt::OpenHandCursor : Qt::ArrowCursor);
    const int row = rowAt(m_pressed.y());
    if (!(event->buttons() & Qt::LeftButton) || row < 0 || (event->pos() - m_pressed).manhattanLength() < QApplication::startDragDistance()) return;
    auto* mime = new QMimeData;
    mime->setData(kPointMime, pointBytes(m_points[std::size_t(row)]));
    auto* drag = new QDrag(this);
    drag->setMimeData(mime);
    drag->exec(Qt::CopyAction);
}

void LivePoints::contextMenuEvent(QContextMenuEvent* event)
{
    const int row = rowAt(event->pos().y());
    if (row < 0) return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(tr("Show in charts")), &QAction::triggered, this,
            [this, point = m_points[std::size_t(row)]] { emit chartRequested(point); });
    menu->popup(event->globalPos());
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/time_bar.h"

#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDateTime>
#include <QHelpEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QSignalBlocker>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace hw::views {

namespace {

constexpr std::int64_t kSecond = 1000, kMinute = 60 * kSecond, kHour = 60 * kMinute, kDay = 24 * kHour;
constexpr std::int64_t kLeastSpan = 30 * kSecond;

std::int64_t stepOf(std::int64_t spanMs, int pieces)
{
    for (const std::int64_t step : {kSecond, 2 * kSecond, 5 * kSecond, 10 * kSecond, 30 * kSecond, kMinute, 2 * kMinute, 5 * kMinute, 10 * kMinute,
                                    15 * kMinute, 30 * kMinute, kHour, 2 * kHour, 3 * kHour, 6 * kHour, 12 * kHour})
        if (spanMs / step <= pieces) return step;
    return kDay * std::max<std::int64_t>(1, spanMs / kDay / pieces);
}

QColor alarmColor(const monitoring::Alarm& alarm) { return alarm.kind == monitoring::AlarmKind::Cause ? theme().error : theme().warning; }

/// A style that is set lays the window out again, even where it is the same.
void restyle(QWidget& widget, const QString& style)
{
    if (widget.styleSheet() != style) widget.setStyleSheet(style);
}

QString spanText(std::int64_t ms)
{
    if (ms == 0) return QObject::tr("All");
    if (ms < kHour) return QObject::tr("%1 min").arg(ms / kMinute);
    return ms < 2 * kDay ? QObject::tr("%1 h").arg(ms / kHour) : QObject::tr("%1 days").arg(ms / kDay);
}

} // namespace

TimeCanvas::TimeCanvas(LiveSession& session, QWidget* parent) : QWidget(parent), m_session(session)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumWidth(space(30));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Time"));
    const auto follow = [this] {
        place();
        update();
    };
    for (const auto signal : {&LiveSession::timeChanged, &LiveSession::eventsChanged, &LiveSession::compareChanged, &LiveSession::stateChanged})
        connect(&session, signal, this, follow);
}

QSize TimeCanvas::sizeHint() const { return {space(100), int(fontMetrics().height() * 3.1)}; }

void TimeCanvas::setSpan(std::int64_t spanMs)
{
    m_spanMs = spanMs == 0 ? 0 : std::max(spanMs, kLeastSpan);
    place();
    update();
    emit spanChanged();
}

/// Up to now; further back where the views stand before that.
void TimeCanvas::place()
{
    const std::int64_t newest = m_session.newestMs(), at = m_session.wantedMs();
    const std::int64_t span = m_spanMs > 0 ? m_spanMs : std::max(kLeastSpan, newest - m_session.oldestMs());
    m_toMs = newest + span / 50;
    m_fromMs = m_toMs - span;
    if (at > 0 && at < m_fromMs) {
        m_fromMs = at - span / 10;
        m_toMs = m_fromMs + span;
    }
}

double TimeCanvas::xOf(std::int64_t timeMs) const
{
    return double(timeMs - m_fromMs) / double(std::max<std::int64_t>(1, m_toMs - m_fromMs)) * width();
}
std::int64_t TimeCanvas::timeAt(double x) const
{
    return m_fromMs + std::int64_t(std::llround(x / std::max(1, width()) * double(m_toMs - m_fromMs)));
}
QRectF TimeCanvas::band() const { return QRectF(rect()).adjusted(0, 2, 0, -fontMetrics().height() * 1.15); }

void TimeCanvas::paintTotal(QPainter& p) const
{
    const PointSeries& total = m_session.total();
    if (total.values.empty()) return;
    const double most = std::max(1e-9, *std::ranges::max_element(total.values));
    const QRectF place = band().adjusted(0, fontMetrics().height() * 0.2, 0, -6);
    QPainterPath path;
    double last = 0;
    for (std::size_t i = 0; i < total.timesMs.size(); ++i) {
        if (total.timesMs[i] < m_fromMs - kMinute || total.timesMs[i] > m_toMs) continue;
        const QPointF at(xOf(total.timesMs[i]), place.bottom() - total.values[i] / most * place.height());
        if (path.isEmpty())
            path.moveTo(at.x(), place.bottom());
        else if (at.x() - last < 0.7)
            continue; // no two in a pixel
        path.lineTo(at);
        last = at.x();
    }
    if (path.isEmpty()) return;
    QPainterPath under = path;
    under.lineTo(last, place.bottom());
    p.fillPath(under, withOpacity(theme().accent, 0.16F));
    p.setPen(QPen(withOpacity(theme().accent, 0.8F), 1.3));
    p.drawPath(path);
    p.setPen(theme().textFaint);
    p.drawText(band().adjusted(space(1), 0, 0, 0), Qt::AlignLeft | Qt::AlignTop,
               tr("all racks, maximum %1").arg(power(Milliwatts(std::llround(most * 1e6)))));
}

void TimeCanvas::paintGaps(QPainter& p) const
{
    for (const bindings::Gap& gap : m_session.log().gaps()) {
        const double from = std::max(0.0, xOf(gap.fromMs)), to = gap.toMs == 0 ? xOf(m_session.newestMs()) : xOf(gap.toMs);
        if (to < 0 || from > width()) continue;
        const QRectF place(from, band().top(), std::max(2.0, to - from), band().height());
        p.fillRect(place, withOpacity(theme().warning, 0.12F));
        p.fillRect(place, QBrush(withOpacity(theme().warning, 0.55F), Qt::BDiagPattern));
    }
}

/// Those of causes above the others; what is over is fainter.
void TimeCanvas::paintAlarms(QPainter& p) const
{
    for (const monitoring::Alarm& alarm : m_session.log().alarms()) {
        const double from = xOf(alarm.sinceMs), to = alarm.clearedMs == 0 ? xOf(m_session.newestMs()) : xOf(alarm.clearedMs);
        if (to < 0 || from > width()) continue;
        const bool cause = alarm.kind == monitoring::AlarmKind::Cause, over = alarm.clearedMs != 0;
        const QColor color = withOpacity(alarmColor(alarm), over ? 0.45F : 1.0F);
        const double y = band().bottom() - (cause ? 5 : 3);
        p.fillRect(QRectF(from, y, std::max(2.0, to - from), cause ? 5 : 3), color);
        if (cause) p.fillRect(QRectF(from, band().top(), 1.5, band().height()), color);
    }
}

void TimeCanvas::paintAxis(QPainter& p) const
{
    const std::int64_t span = m_toMs - m_fromMs, step = stepOf(span, std::max(2, width() / (fontMetrics().averageCharWidth() * 16)));
    const std::int64_t offset = std::int64_t(QDateTime::fromMSecsSinceEpoch(m_toMs).offsetFromUtc()) * 1000;
    const QString format = step >= kDay ? "MMM d" : step >= kMinute ? "HH:mm" : "HH:mm:ss"; // no text
    for (std::int64_t t = ((m_fromMs + offset) / step + 1) * step - offset; t <= m_toMs; t += step) {
        const double x = xOf(t);
        p.setPen(theme().grid);
        p.drawLine(QPointF(x, band().top()), QPointF(x, band().bottom()));
        p.setPen(theme().textFaint);
        p.drawText(QRectF(x - space(16), band().bottom() + 1, space(32), fontMetrics().height()), Qt::AlignHCenter | Qt::AlignTop,
                   QDateTime::fromMSecsSinceEpoch(t).toString(format));
    }
    p.setPen(theme().border);
    p.drawLine(band().bottomLeft(), band().bottomRight());
}

void TimeCanvas::paintMarker(QPainter& p, std::int64_t timeMs, const QColor& color, const QString& letter) const
{
    const double x = std::clamp(xOf(timeMs), 1.0, double(width() - 2));
    p.setPen(QPen(color, 1.8));
    p.drawLine(QPointF(x, band().top()), QPointF(x, band().bottom()));
    const double size = fontMetrics().height() * 0.95;
    const QRectF flag(std::min(x, width() - size), band().top(), size, size);
    if (letter.isEmpty()) {
        const QPolygonF head({QPointF(x - 5, band().top()), QPointF(x + 5, band().top()), QPointF(x, band().top() + 7)});
        p.setBrush(color);
        p.drawPolygon(head);
        return;
    }
    p.fillRect(flag, color);
    p.setPen(theme().window);
    p.drawText(flag, Qt::AlignCenter, letter);
}

void TimeCanvas::paintEvent(QPaintEvent*)
{
    QPainter p(this);
    p.setFont(scaledFont(0.85));
    p.fillRect(rect(), theme().canvas);
    if (m_session.newestMs() == 0) {
        p.setPen(theme().textDim);
        p.drawText(rect(), Qt::AlignCenter, tr("Waiting for the first readings …"));
        return;
    }
    p.setRenderHint(QPainter::Antialiasing);
    paintAxis(p);
    paintTotal(p);
    paintGaps(p);
    paintAlarms(p);
    if (const double now = xOf(m_session.newestMs()); now < width())
        p.fillRect(QRectF(now, 0, width() - now, height()), withOpacity(theme().window, 0.7F));
    if (const auto with = m_session.comparedMs()) paintMarker(p, *with, theme().accent, "A");
    const bool live = m_session.mode() == LiveSession::Mode::Live;
    paintMarker(p, m_session.wantedMs(), live ? theme().ok : theme().warning, m_session.comparedMs() ? "B" : "");
}

void TimeCanvas::moveTo(const QMouseEvent& event)
{
    const std::int64_t at = timeAt(event.position().x());
    if (event.modifiers() & Qt::ShiftModifier)
        m_session.compare(std::clamp(at, m_session.oldestMs(), m_session.newestMs()));
    else
        m_session.scrub(at);
}

void TimeCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) moveTo(*event);
}

void TimeCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & Qt::LeftButton) moveTo(*event);
}

void TimeCanvas::wheelEvent(QWheelEvent* event)
{
    const double factor = std::pow(0.8, event->angleDelta().y() / 120.0);
    setSpan(std::clamp(std::int64_t(double(m_toMs - m_fromMs) * factor), kLeastSpan, 400 * kDay));
    event->accept();
}

void TimeCanvas::keyPressEvent(QKeyEvent* event)
{
    const std::int64_t step = (m_toMs - m_fromMs) / 100;
    switch (event->key()) {
    case Qt::Key_Left: return m_session.scrub(m_session.wantedMs() - step);
    case Qt::Key_Right: return m_session.scrub(m_session.wantedMs() + step);
    case Qt::Key_End: return m_session.goLive();
    case Qt::Key_Space:
        if (m_session.mode() == LiveSession::Mode::Still) return m_session.play(m_session.speed());
        return m_session.pause();
    default: return QWidget::keyPressEvent(event);
    }
}

bool TimeCanvas::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::int64_t at = timeAt(help->pos().x()), around = (m_toMs - m_fromMs) / 200;
    QStringList lines{momentText(at, m_session.newestMs())};
    for (const monitoring::Alarm& alarm : m_session.log().alarms())
        if (alarm.sinceMs - around <= at && at <= (alarm.clearedMs == 0 ? m_session.newestMs() : alarm.clearedMs) + around && lines.size() < 8)
            lines << text(alarm.what);
    for (const bindings::Gap& gap : m_session.log().gaps())
        if (gap.fromMs - around <= at && at <= (gap.toMs == 0 ? m_session.newestMs() : gap.toMs) + around && lines.size() < 10)
            lines << tr("no data from %1: %2").arg(text(gap.source), text(gap.why));
    QToolTip::showText(help->globalPos(), lines.join("\n"), this);
    return true;
}

TimeBar::TimeBar(LiveSession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_canvas(new TimeCanvas(session)), m_live(new QToolButton), m_play(new QToolButton),
      m_compare(new QToolButton), m_speed(new QComboBox), m_span(new QComboBox), m_time(new QLabel), m_mark(new QLabel)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(space(2), space(1), space(2), space(1));
    layout->setSpacing(space(2));
    m_live->setObjectName("timeLive");
    m_live->setCheckable(true);
    m_live->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_live->setToolTip(tr("Show live readings (End)"));
    m_play->setObjectName("timePlay");
    m_speed->setAccessibleName(tr("Playback speed"));
    for (const int speed : {1, 10, 60, 600}) m_speed->addItem(tr("%1x").arg(speed), speed);
    m_speed->setCurrentIndex(1);
    m_compare->setObjectName("timeCompare");
    m_compare->setCheckable(true);
    m_compare->setText(tr("Compare"));
    m_compare->setToolTip(tr("Color by change from this time on (Shift+click the bar to choose another)"));
    m_span->setAccessibleName(tr("Time range"));
    fillSpans();
    m_time->setFont(scaledFont(1.15, QFont::DemiBold));
    m_time->setMinimumWidth(QFontMetrics(m_time->font()).horizontalAdvance("00:00:00 ")); // no text
    auto* clock = new QVBoxLayout;
    clock->setSpacing(0);
    clock->addWidget(m_time);
    clock->addWidget(m_mark);
    layout->addWidget(m_live);
    layout->addWidget(m_play);
    layout->addWidget(m_speed);
    layout->addLayout(clock);
    layout->addWidget(m_canvas, 1);
    layout->addWidget(m_compare);
    layout->addWidget(m_span);
    setFocusProxy(m_canvas);
    connect(m_live, &QToolButton::clicked, &session, [this] {
        m_session.goLive();
        refresh();
    });
    connect(m_play, &QToolButton::clicked, &session, [this] {
        if (m_session.mode() == LiveSession::Mode::Still)
            m_session.play(m_speed->currentData().toDouble());
        else
            m_session.pause();
    });
    connect(m_speed, &QComboBox::activated, &session, [this] {
        if (m_session.mode() == LiveSession::Mode::Playing) m_session.play(m_speed->currentData().toDouble());
    });
    connect(m_compare, &QToolButton::clicked, &session,
            [this](bool on) { m_session.compare(on ? std::optional(m_session.wantedMs()) : std::nullopt); });
    connect(m_span, &QComboBox::activated, m_canvas, [this] { m_canvas->setSpan(m_span->currentData().toLongLong()); });
    connect(m_canvas, &TimeCanvas::spanChanged, this, &TimeBar::fillSpans);
    for (const auto signal : {&LiveSession::timeChanged, &LiveSession::shownChanged, &LiveSession::compareChanged, &LiveSession::stateChanged})
        connect(&session, signal, this, &TimeBar::refresh);
    refresh();
}

/// The past is not to be taken for the present: the whole bar says so.
void TimeBar::paintEvent(QPaintEvent*)
{
    QPainter p(this);
    p.fillRect(rect(), theme().panel);
    const bool past = m_session.newestMs() > 0 && m_session.mode() != LiveSession::Mode::Live;
    if (past) p.fillRect(rect(), withOpacity(theme().warning, 0.14F));
    p.fillRect(QRect(0, 0, width(), past ? 3 : 1), past ? theme().warning : theme().border);
}

/// The usual spans, and the present one where it is none of them.
void TimeBar::fillSpans()
{
    const QSignalBlocker quiet(m_span);
    const std::vector<std::int64_t> spans{5 * kMinute, 15 * kMinute, kHour, 6 * kHour, kDay, 7 * kDay, 0};
    m_span->setPlaceholderText(tr("zoomed"));
    m_span->clear();
    for (const std::int64_t span : spans) m_span->addItem(spanText(span), qlonglong(span));
    m_span->setCurrentIndex(m_span->findData(qlonglong(m_canvas->span())));
}

void TimeBar::refresh()
{
    const bool live = m_session.mode() == LiveSession::Mode::Live, still = m_session.mode() == LiveSession::Mode::Still;
    const bool any = m_session.newestMs() > 0, ended = m_session.state() == LiveSession::State::Ended;
    m_live->setChecked(live);
    m_live->setText(ended ? tr("End") : live ? tr("Live") : tr("Go live"));
    m_live->setIcon(icon("ok", live && !ended ? theme().ok : theme().textFaint));
    m_play->setIcon(icon(still ? "play" : "pause"));
    m_play->setToolTip(still ? tr("Play history (Space)") : tr("Pause playback here (Space)"));
    m_play->setAccessibleName(m_play->toolTip());
    for (QWidget* widget : {static_cast<QWidget*>(m_live), static_cast<QWidget*>(m_play), static_cast<QWidget*>(m_compare)}) widget->setEnabled(any);
    m_speed->setEnabled(!live);
    m_compare->setChecked(m_session.comparedMs().has_value());
    m_time->setText(any ? momentText(m_session.wantedMs(), m_session.newestMs()) : QStringLiteral("–"));
    m_mark->setText(!any ? tr("waiting") : m_session.comparedMs() ? tr("B − A") : live ? (ended ? tr("ended") : tr("now")) : tr("not live"));
    const QColor color = !any || (live && !ended) ? theme().textDim : theme().warning;
    restyle(*m_mark, QString("color: %1; font-weight: %2").arg(color.name(), live ? "400" : "600")); // no text
    restyle(*m_time, live || !any ? QString() : QString("color: %1").arg(theme().warning.name()));   // no text
    update();
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/time_line_view.h"

#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QCoreApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace hw::views {

namespace {

constexpr double kMostLaneHeight = 26;

double axisStep(double range, int pieces)
{
    const double raw = range / pieces, power = std::pow(10.0, std::floor(std::log10(raw)));
    return raw / power < 1.5 ? power : raw / power < 3.5 ? 2 * power : raw / power < 7.5 ? 5 * power : 10 * power;
}

} // namespace

QColor spanColor(const std::string& kind)
{
    static const std::pair<const char*, QColor> known[] = {
        {"forward", QColor("#3b82f6")},    {"backward", QColor("#6366f1")},  {"compute", QColor("#3b82f6")},   {"recompute", QColor("#818cf8")},
        {"full", QColor("#22c55e")},       {"effective", QColor("#22c55e")}, {"tp", QColor("#14b8a6")},        {"pp", QColor("#eab308")},
        {"dp", QColor("#f97316")},         {"ep", QColor("#ec4899")},        {"cp", QColor("#a855f7")},        {"degraded", QColor("#eab308")},
        {"black hole", QColor("#d946ef")}, {"stopped", QColor("#dc2626")},   {"lost", QColor("#dc2626")}, // no text
        {"restarting", QColor("#f97316")}, {"repair", QColor("#f97316")},    {"optimizer", QColor("#64748b")}, {"bubble", QColor("#64748b")}};
    for (const auto& [name, color] : known)
        if (kind == name) return color;
    std::uint32_t h = 2166136261u;
    for (const char c : kind) h = (h ^ std::uint8_t(c)) * 16777619u;
    return QColor::fromHsv(int(h % 360), 140, 210);
}

namespace {

/// The bar says of what kind it is, and nothing else.
bool isKind(const sim::Playback::Span& span) { return span.label == sim::keyText(span.kind) || span.label == verbatim(span.kind); }

} // namespace

QString spanWords(const std::string& kind)
{
    static const std::pair<const char*, const char*> known[] = {{"tp", QT_TRANSLATE_NOOP("TimeLine", "tensor parallel")},
                                                                {"pp", QT_TRANSLATE_NOOP("TimeLine", "pipeline sends")},
                                                                {"dp", QT_TRANSLATE_NOOP("TimeLine", "gradients")},
                                                                {"ep", QT_TRANSLATE_NOOP("TimeLine", "experts")},
                                                                {"cp", QT_TRANSLATE_NOOP("TimeLine", "context parallel")}};
    for (const auto& [name, words] : known)
        if (kind == name) return QCoreApplication::translate("TimeLine", words);
    return text(sim::keyText(kind));
}

TimeLineCanvas::TimeLineCanvas(SimulationSession& session, QWidget* parent) : QWidget(parent), m_session(session)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumHeight(space(20));
    setAccessibleName(tr("Timeline"));
    connect(&session, &SimulationSession::positionChanged, this, qOverload<>(&QWidget::update));
}

void TimeLineCanvas::reset()
{
    m_lanes.clear();
    if (const auto* play = m_session.playback()) {
        m_from = 0;
        m_to = play->endS > 0 ? play->endS : 1;
        for (const auto& span : play->spans) {
            auto lane = std::ranges::find(m_lanes, span.lane, &Lane::name);
            if (lane == m_lanes.end()) lane = m_lanes.insert(m_lanes.end(), {span.lane, {}});
            lane->spans.push_back(&span);
        }
    }
    redraw();
}

void TimeLineCanvas::measure()
{
    int widest = fontMetrics().horizontalAdvance(tr("Delivered"));
    for (const auto& lane : m_lanes) widest = std::max(widest, fontMetrics().horizontalAdvance(text(lane.name)));
    m_left = std::min(double(widest), width() * 0.25) + space(3);
}

void TimeLineCanvas::redraw()
{
    measure();
    m_still = {};
    update();
}

void TimeLineCanvas::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    redraw();
}

void TimeLineCanvas::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange || event->type() == QEvent::PaletteChange) redraw();
}

double TimeLineCanvas::seriesHeight() const
{
    const auto* play = m_session.playback();
    return play && !play->series.empty() ? std::max(double(space(12)), height() * (m_lanes.size() > 3 ? 0.25 : 0.45)) : 0.0;
}
double TimeLineCanvas::laneHeight() const
{
    return m_lanes.empty() ? 0 : std::min(kMostLaneHeight, (height() - seriesHeight() - fontMetrics().height() * 1.6) / double(m_lanes.size()));
}
double TimeLineCanvas::xOf(double seconds) const { return left() + (seconds - m_from) / (m_to - m_from) * (width() - left() - space(2)); }
double TimeLineCanvas::timeAt(double x) const { return m_from + (x - left()) / (width() - left() - space(2)) * (m_to - m_from); }

void TimeLineCanvas::paintLanes(QPainter& p)
{
    const double tall = laneHeight(), line = fontMetrics().height();
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        const double y = double(i) * tall;
        if (tall >= line * 0.8) {
            p.setPen(theme().textDim);
            p.drawText(QRectF(0, y, left() - space(2), tall), Qt::AlignRight | Qt::AlignVCenter,
                       fontMetrics().elidedText(text(m_lanes[i].name), Qt::ElideLeft, int(left() - space(2))));
        }
        std::string_view kind;
        QColor color;
        double covered = -1; // bars narrower than a pixel are drawn once a pixel
        for (const auto* span : m_lanes[i].spans) {
            const double a = std::max(left(), xOf(span->fromS)), b = std::min(double(width()), xOf(span->toS));
            if (b < left() || a > width() || b <= covered) continue;
            if (kind != span->kind) kind = span->kind, color = spanColor(span->kind);
            const QRectF bar(a, y + 1, std::max(1.0, b - a), std::max(1.0, tall - 2));
            p.fillRect(bar, color);
            covered = std::max(covered, std::floor(b));
            if (tall < line * 0.8 || bar.width() < line * 0.5) continue; // nothing to be written into
            const QString label = isKind(*span) ? spanWords(span->kind) : text(span->label);
            if (bar.width() > fontMetrics().horizontalAdvance(label) + 6) {
                p.setPen(color.lightness() > 140 ? QColor("#0f172a") : QColor(Qt::white));
                p.drawText(bar, Qt::AlignCenter, label);
            }
        }
    }
}

void TimeLineCanvas::paintSeries(QPainter& p)
{
    const auto* play = m_session.playback();
    if (seriesHeight() <= 0) return;
    const double top = double(m_lanes.size()) * laneHeight() + fontMetrics().height(), bottom = height() - fontMetrics().height() * 1.6;
    for (std::size_t s = 0; s < play->series.size(); ++s) {
        const auto& series = play->series[s];
        double most = 0;
        for (const auto& [t, v] : series.points) most = std::max(most, v);
        if (most <= 0) continue;
        const auto yOf = [&](double v) { return bottom - v / most * (bottom - top); };
        QPainterPath path;
        double level = 0;
        for (const auto& [t, v] : series.points) { // step curves: a value holds until the next
            const double x = std::clamp(xOf(t), left(), double(width() - space(2)));
            if (path.isEmpty()) path.moveTo(x, yOf(v));
            path.lineTo(x, yOf(level));
            path.lineTo(x, yOf(v));
            level = v;
        }
        path.lineTo(std::clamp(xOf(play->endS), left(), double(width() - space(2))), yOf(level));
        const QColor color = s == 0 ? theme().accent : spanColor(std::string(series.name.id()));
        p.setPen(QPen(color, 1.6));
        p.drawPath(path);
        p.setPen(theme().textDim);
        const QString top_ = words(series.unit) == "Gb/s" ? rate(most) : QString::number(most, 'g', 4) + " " + text(series.unit);
        p.drawText(QRectF(left() + space(2), top - fontMetrics().height() + double(s) * fontMetrics().height(), width(), fontMetrics().height()),
                   Qt::AlignLeft, tr("%1, maximum %2").arg(text(series.name), top_));
    }
}

void TimeLineCanvas::paintAxis(QPainter& p)
{
    const double base = height() - fontMetrics().height() * 1.4, step = axisStep(m_to - m_from, 8);
    for (double t = std::ceil(m_from / step) * step; t <= m_to + step * 1e-6; t += step) {
        p.setPen(theme().grid);
        p.drawLine(QPointF(xOf(t), 0), QPointF(xOf(t), base));
        p.setPen(theme().textFaint);
        p.drawText(QRectF(xOf(t) - space(12), base + 2, space(24), fontMetrics().height()), Qt::AlignHCenter, t == 0 ? QString("0") : duration(t));
    }
    p.setPen(theme().borderStrong);
    for (const auto& frame : m_session.playback()->frames)
        if (frame.timeS >= m_from && frame.timeS <= m_to) p.drawLine(QPointF(xOf(frame.timeS), base - 4), QPointF(xOf(frame.timeS), base));
}

void TimeLineCanvas::paintStill()
{
    m_dark = theme().dark();
    m_still = QPixmap((QSizeF(size()) * devicePixelRatioF()).toSize());
    m_still.setDevicePixelRatio(devicePixelRatioF());
    QPainter p(&m_still);
    p.setFont(font());
    p.fillRect(rect(), theme().canvas);
    if (!m_session.playback()) {
        p.setPen(theme().textDim);
        p.drawText(rect().adjusted(space(2), 0, -space(2), 0), Qt::AlignCenter | Qt::TextWordWrap,
                   tr("This result has no timeline. Training iterations and failures have one."));
        return;
    }
    paintAxis(p);
    p.setRenderHint(QPainter::Antialiasing);
    p.setClipRect(rect());
    paintLanes(p);
    paintSeries(p);
}

void TimeLineCanvas::paintEvent(QPaintEvent*)
{
    if (m_still.isNull() || m_dark != theme().dark() || m_still.devicePixelRatio() != devicePixelRatioF()) paintStill();
    QPainter p(this);
    p.drawPixmap(0, 0, m_still);
    if (!m_session.playback()) return;
    p.setRenderHint(QPainter::Antialiasing);
    if (m_session.position() < m_from || m_session.position() > m_to) return;
    p.setPen(QPen(theme().text, 1.5));
    p.drawLine(QPointF(xOf(m_session.position()), 0), QPointF(xOf(m_session.position()), height()));
}

void TimeLineCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && event->position().x() >= left()) m_session.setPosition(timeAt(event->position().x()));
}

void TimeLineCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & Qt::LeftButton) m_session.setPosition(timeAt(event->position().x()));
}

void TimeLineCanvas::wheelEvent(QWheelEvent* event)
{
    const auto* play = m_session.playback();
    if (!play) return;
    const double at = timeAt(event->position().x()), factor = std::pow(0.8, event->angleDelta().y() / 120.0);
    const double range = std::clamp((m_to - m_from) * factor, play->endS * 1e-6, play->endS);
    const double share = (at - m_from) / (m_to - m_from);
    m_from = std::clamp(at - share * range, 0.0, play->endS - range);
    m_to = m_from + range;
    redraw();
    event->accept();
}

void TimeLineCanvas::keyPressEvent(QKeyEvent* event)
{
    const auto* play = m_session.playback();
    if (!play || (event->key() != Qt::Key_Left && event->key() != Qt::Key_Right && event->key() != Qt::Key_Space))
        return QWidget::keyPressEvent(event);
    if (event->key() == Qt::Key_Space) return m_session.play(!m_session.playing());
    const std::size_t now = m_session.frame();
    if (event->key() == Qt::Key_Right && now + 1 < play->frames.size()) m_session.setPosition(play->frames[now + 1].timeS);
    if (event->key() == Qt::Key_Left && now > 0) m_session.setPosition(play->frames[now - 1].timeS);
}

bool TimeLineCanvas::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const double t = timeAt(help->pos().x());
    const auto lane = laneHeight() > 0 ? std::size_t(help->pos().y() / laneHeight()) : m_lanes.size();
    QString tip;
    if (lane < m_lanes.size())
        for (const auto* span : m_lanes[lane].spans)
            if (span->fromS <= t && t <= span->toS)
                tip = tr("%1: %2 %3, %4 from %5")
                          .arg(text(span->lane), spanWords(span->kind), isKind(*span) ? QString() : text(span->label),
                               duration(span->toS - span->fromS), duration(span->fromS));
    QToolTip::showText(help->globalPos(), tip, this);
    return true;
}

TimeLineView::TimeLineView(SimulationSession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_canvas(new TimeLineCanvas(session)), m_play(new QToolButton), m_speed(new QComboBox), m_now(new QLabel),
      m_legend(new QLabel), m_standing(new QLabel)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space(1));
    auto* bar = new QHBoxLayout;
    m_play->setObjectName("timeLinePlay");
    m_play->setAccessibleName(tr("Play"));
    for (const int seconds : {5, 12, 30, 60}) m_speed->addItem(tr("full run in %1 s").arg(seconds), seconds);
    m_speed->setCurrentIndex(1);
    m_now->setProperty("role", "dim");
    m_standing->setObjectName("timeLineStanding");
    m_standing->setProperty("role", "warning");
    m_standing->setWordWrap(true);
    m_now->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a long text must not widen the window
    m_legend->setMinimumWidth(1);
    m_legend->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    bar->addWidget(m_play);
    bar->addWidget(m_speed);
    bar->addWidget(m_now, 1);
    bar->addWidget(m_legend);
    column->addLayout(bar);
    column->addWidget(m_standing);
    column->addWidget(m_canvas, 1);
    connect(m_play, &QToolButton::clicked, this, [this] { m_session.play(!m_session.playing()); });
    connect(m_speed, &QComboBox::currentIndexChanged, this, [this] { m_session.setSecondsForAll(m_speed->currentData().toDouble()); });
    connect(&session, &SimulationSession::answerChanged, this, &TimeLineView::refresh);
    connect(&session, &SimulationSession::playingChanged, this, &TimeLineView::onPlaying);
    connect(&session, &SimulationSession::positionChanged, this, &TimeLineView::onPosition);
    connect(&session, &SimulationSession::standingChanged, this, &TimeLineView::onStanding);
    refresh();
}

void TimeLineView::onStanding()
{
    m_standing->setText(m_session.playback() ? m_session.standingText() : QString());
    m_standing->setVisible(!m_standing->text().isEmpty());
    m_play->setToolTip(m_session.playing() ? tr("Pause (space)")
                       : m_session.drawn() ? tr("Play: animate link loads in the 3D, plan and fabric views (space)")
                                           : tr("Play (space)"));
}

void TimeLineView::refresh()
{
    m_canvas->reset();
    QString legend;
    if (const auto* play = m_session.playback()) {
        std::vector<std::string> kinds;
        for (const auto& span : play->spans)
            if (std::ranges::find(kinds, span.kind) == kinds.end()) kinds.push_back(span.kind);
        for (const auto& kind : kinds)
            legend += QString("<span style='color:%1'>&#9632;</span> %2 &nbsp;").arg(spanColor(kind).name(), spanWords(kind).toHtmlEscaped());
    }
    m_legend->setText(legend);
    onStanding();
    m_play->setEnabled(m_session.playback() != nullptr);
    m_speed->setEnabled(m_session.playback() != nullptr);
    onPosition();
    onPlaying();
}

void TimeLineView::onPosition()
{
    const auto* play = m_session.playback();
    if (!play) return m_now->clear();
    const std::size_t frame = m_session.frame();
    const QString what = m_session.atPeaks()           ? tr("ended: peak of every link shown")
                         : frame < play->frames.size() ? text(play->frames[frame].label)
                                                       : QString();
    const QString now = tr("%1 of %2 · %3").arg(duration(m_session.position()), duration(play->endS), what);
    m_now->setText(now);
    m_now->setToolTip(now);
}

void TimeLineView::onPlaying()
{
    m_play->setIcon(icon(m_session.playing() ? "stop" : "play", theme().accent));
    onStanding();
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // before core's headers: moc cannot read <compare> as the very first one

#include "views/live/live_session.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace hw::views {

/// The time that can be looked at, from left to right: what all racks draw, gaps without data, alarms, where the views stand, and what they
/// are compared with. A click or drag moves there, with Shift the moment of comparison; the wheel shows more or less time; arrows step, Space
/// stops and goes on, End is now.
class TimeCanvas : public QWidget {
    Q_OBJECT
public:
    explicit TimeCanvas(LiveSession& session, QWidget* parent = nullptr);
    [[nodiscard]] std::int64_t timeAt(double x) const;
    [[nodiscard]] double xOf(std::int64_t timeMs) const;
    void setSpan(std::int64_t spanMs); ///< 0: all there is
    [[nodiscard]] std::int64_t span() const { return m_spanMs; }
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void spanChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void place(); ///< which time is shown
    void moveTo(const QMouseEvent& event);
    void paintTotal(QPainter& p) const;
    void paintGaps(QPainter& p) const;
    void paintAlarms(QPainter& p) const;
    void paintAxis(QPainter& p) const;
    void paintMarker(QPainter& p, std::int64_t timeMs, const QColor& color, const QString& letter) const;
    [[nodiscard]] QRectF band() const; ///< above the axis

    LiveSession& m_session;
    std::int64_t m_spanMs = 15 * 60 * 1000, m_fromMs = 0, m_toMs = 1;
};

/// The canvas with what goes with it: now or a moment of the past, stop and go on, how fast, compared with what.
class TimeBar : public QWidget {
    Q_OBJECT
public:
    explicit TimeBar(LiveSession& session, QWidget* parent = nullptr);
    [[nodiscard]] TimeCanvas* canvas() const { return m_canvas; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void fillSpans();

    LiveSession& m_session;
    TimeCanvas* m_canvas;
    QToolButton *m_live, *m_play, *m_compare;
    QComboBox *m_speed, *m_span;
    QLabel *m_time, *m_mark;
};

} // namespace hw::views

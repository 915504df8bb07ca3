// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/simulation/simulation_session.h"

#include <QPixmap>
#include <QWidget>

class QComboBox;
class QLabel;
class QToolButton;

namespace hw::views {

/// Draws a time line: bars by lane, curves, key frames, and where it stands. A click or drag moves it there, the wheel zooms, arrows step
/// from frame to frame. What does not move while it plays is painted once and kept.
class TimeLineCanvas : public QWidget {
    Q_OBJECT
public:
    explicit TimeLineCanvas(SimulationSession& session, QWidget* parent = nullptr);
    [[nodiscard]] double timeAt(double x) const;
    [[nodiscard]] double xOf(double seconds) const;
    void reset(); ///< a new answer: all of it

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Lane {
        Text name;
        std::vector<const sim::Playback::Span*> spans;
    };
    void paintLanes(QPainter& p);
    void paintSeries(QPainter& p);
    void paintAxis(QPainter& p);
    [[nodiscard]] double laneHeight() const;
    void measure(); ///< m_left: names are measured here only, not for every x
    void redraw();
    void paintStill();
    [[nodiscard]] double left() const { return m_left; }
    [[nodiscard]] double seriesHeight() const;

    SimulationSession& m_session;
    std::vector<Lane> m_lanes;
    double m_from = 0, m_to = 1; ///< seconds shown
    double m_left = 0;           ///< width of the lanes' names
    QPixmap m_still;             ///< all but where it stands; null: to be painted
    bool m_dark = false;         ///< the theme of m_still
};

/// The canvas with its player: play, pause, speed, what goes on.
class TimeLineView : public QWidget {
    Q_OBJECT
public:
    explicit TimeLineView(SimulationSession& session, QWidget* parent = nullptr);
    [[nodiscard]] TimeLineCanvas* canvas() const { return m_canvas; }

private:
    void refresh();
    void onPosition();
    void onPlaying();
    void onStanding();

    SimulationSession& m_session;
    TimeLineCanvas* m_canvas;
    QToolButton* m_play;
    QComboBox* m_speed;
    QLabel *m_now, *m_legend, *m_standing;
};

/// The color of a kind of work, the same in every picture; none of them is that of a canvas.
[[nodiscard]] QColor spanColor(const std::string& kind);
/// What a kind of work is called: "dp" is "gradients".
[[nodiscard]] QString spanWords(const std::string& kind);

} // namespace hw::views

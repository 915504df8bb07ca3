// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/simulation/simulation_session.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QToolButton;

namespace hw::views {

/// Draws a time line: bars by lane, curves, key frames, and where it stands. A click or drag moves it there, the wheel zooms, arrows step
/// from frame to frame.
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

private:
    struct Lane { std::string name; std::vector<const sim::Playback::Span*> spans; };
    void paintLanes(QPainter& p);
    void paintSeries(QPainter& p);
    void paintAxis(QPainter& p);
    [[nodiscard]] double laneHeight() const;
    [[nodiscard]] double left() const;
    [[nodiscard]] double seriesHeight() const;

    SimulationSession& m_session;
    std::vector<Lane> m_lanes;
    double m_from = 0, m_to = 1; ///< seconds shown
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

    SimulationSession& m_session;
    TimeLineCanvas* m_canvas;
    QToolButton* m_play;
    QComboBox* m_speed;
    QLabel *m_now, *m_legend;
};

/// The colour of a kind of work, the same in every picture.
[[nodiscard]] QColor spanColor(const std::string& kind);

} // namespace hw::views

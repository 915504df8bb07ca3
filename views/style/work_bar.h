// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

namespace hw::views {

/// How far a long job is: a bar that fills, or a block that moves on twice a second while nobody knows how far. A change of it composes the
/// whole window again, with the 3D view in it, and so takes time from the job; therefore it is never animated.
class WorkBar : public QWidget {
public:
    explicit WorkBar(QWidget* parent = nullptr);
    void setFraction(double fraction); ///< 0 … 1; below 0: unknown
    [[nodiscard]] double fraction() const { return m_fraction; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    double m_fraction = -1;
    int m_step = 0;
    QTimer m_timer;
};

} // namespace hw::views

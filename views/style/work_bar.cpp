// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/work_bar.h"

#include "views/style/theme.h"

#include <QPainter>

#include <cmath>

namespace hw::views {

namespace {
constexpr int kAnimationStepMs = 500, kSteps = 6;
}

WorkBar::WorkBar(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_timer.setInterval(kAnimationStepMs);
    QObject::connect(&m_timer, &QTimer::timeout, this, [this] {
        m_step = (m_step + 1) % kSteps;
        update();
    });
}

QSize WorkBar::sizeHint() const { return {space(24), space(2)}; }

void WorkBar::setFraction(double fraction)
{
    const bool sameLook =
        (fraction < 0) == (m_fraction < 0) && (fraction < 0 || std::lround(fraction * width()) == std::lround(m_fraction * width()));
    m_fraction = fraction;
    if (fraction >= 0)
        m_timer.stop();
    else if (isVisible() && !m_timer.isActive())
        m_timer.start();
    if (!sameLook) update();
}

void WorkBar::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_fraction < 0) m_timer.start();
}

void WorkBar::hideEvent(QHideEvent* event)
{
    m_timer.stop();
    QWidget::hideEvent(event);
}

void WorkBar::paintEvent(QPaintEvent*)
{
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    const QRectF all = QRectF(rect()).adjusted(0, height() / 2.0 - 2, 0, -(height() / 2.0 - 2));
    p.setPen(Qt::NoPen);
    p.setBrush(theme().borderStrong);
    p.drawRoundedRect(all, 2, 2);
    p.setBrush(theme().accent);
    const QRectF done = m_fraction >= 0 ? QRectF(all.left(), all.top(), all.width() * std::min(1.0, m_fraction), all.height())
                                        : QRectF(all.left() + all.width() * m_step / kSteps, all.top(), all.width() / kSteps, all.height());
    p.drawRoundedRect(done, 2, 2);
}

} // namespace hw::views

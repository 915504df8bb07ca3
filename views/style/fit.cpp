// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/fit.h"

#include "views/style/theme.h"

#include <QEvent>
#include <QGuiApplication>
#include <QLayout>
#include <QPainter>
#include <QScreen>
#include <QStyle>

#include <algorithm>

namespace hw::views {

ElidedLabel::ElidedLabel(const QString& text, Qt::TextElideMode mode) : m_mode(mode)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setText(text);
}

void ElidedLabel::setText(const QString& text)
{
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    noteCut();
    update();
}

QSize ElidedLabel::minimumSizeHint() const { return {0, fontMetrics().height()}; }
QSize ElidedLabel::sizeHint() const { return {fontMetrics().horizontalAdvance(m_text) + 2, fontMetrics().height()}; }

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QString shown = fontMetrics().elidedText(m_text, m_mode, contentsRect().width());
    style()->drawItemText(&painter, contentsRect(), int(alignment()), palette(), isEnabled(), shown, foregroundRole());
}

void ElidedLabel::resizeEvent(QResizeEvent*) { noteCut(); }

void ElidedLabel::noteCut() { setToolTip(fontMetrics().horizontalAdvance(m_text) > contentsRect().width() ? m_text : QString()); }

FittingArea::FittingArea(QWidget* content)
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setFocusProxy(content);
    setWidget(content);
}

void FittingArea::giveHeight()
{
    const QLayout* layout = widget() ? widget()->layout() : nullptr;
    if (layout && layout->hasHeightForWidth())
        widget()->setMinimumHeight(layout->totalMinimumHeightForWidth(std::max(viewport()->width(), widget()->minimumSizeHint().width())));
}

void FittingArea::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    giveHeight();
}

bool FittingArea::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == widget() && event->type() == QEvent::LayoutRequest) giveHeight();
    return QScrollArea::eventFilter(watched, event);
}

QSize FittingArea::minimumSizeHint() const { return {space(28), space(16)}; }
QSize FittingArea::sizeHint() const { return widget() ? widget()->sizeHint() : QScrollArea::sizeHint(); }

void fitToScreen(QWidget& window, QSize wanted)
{
    const QScreen* screen = window.parentWidget() ? window.parentWidget()->screen() : QGuiApplication::primaryScreen();
    if (!screen) return window.resize(wanted);
    const QSize room = screen->availableGeometry().size() - QSize(space(4), space(12)); // the frame and title of the window manager
    window.resize(wanted.boundedTo(room));
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/message_bar.h"

#include "views/style/icons.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace hw::views {

MessageBar::MessageBar(QWidget* window) : QFrame(window), m_icon(new QLabel), m_text(new QLabel), m_buttons(new QHBoxLayout)
{
    setProperty("role", "toast");
    setAutoFillBackground(true);
    setAccessibleName(tr("Message"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(space(3), space(2), space(2), space(2));
    layout->setSpacing(space(2));
    layout->addWidget(m_icon);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_text, 1);
    layout->addLayout(m_buttons);
    auto* close = new QToolButton;
    close->setIcon(icon("close"));
    close->setToolTip(tr("Close"));
    close->setAccessibleName(tr("Close this message"));
    layout->addWidget(close);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &QWidget::hide);
    window->installEventFilter(this);
    for (auto* sibling : window->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) watch(sibling);
    hide();
}

void MessageBar::say(const QString& text, bool problem, std::vector<Choice> choices, Stays stays)
{
    while (auto* item = m_buttons->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    const bool lasting = !choices.empty() && stays == Stays::UntilChosen;
    for (auto& choice : choices) {
        auto* button = new QPushButton(choice.text);
        connect(button, &QPushButton::clicked, this, [this, run = std::move(choice.run)] {
            hide();
            if (run) run();
        });
        m_buttons->addWidget(button);
    }
    m_icon->setPixmap((problem ? icon("warning", theme().warning) : icon("info", theme().accent)).pixmap(space(5)));
    m_text->setText(text);
    place();
    show();
    raise();
    if (lasting)
        m_timer.stop();
    else
        m_timer.start(problem ? 12000 : 5000);
}

QString MessageBar::text() const { return isVisible() ? m_text->text() : QString(); }

void MessageBar::place()
{
    const int width = std::min(parentWidget()->width() - 60, fontMetrics().averageCharWidth() * 110);
    const int height = std::max(heightForWidth(width), sizeHint().height());
    setGeometry((parentWidget()->width() - width) / 2, parentWidget()->height() - height - space(14), width, height);
}

void MessageBar::watch(QObject* sibling)
{
    if (sibling != this && sibling->isWidgetType()) sibling->installEventFilter(this);
}

/// Follows the window's size, and stays above whatever of it comes to the front.
bool MessageBar::eventFilter(QObject* watched, QEvent* event)
{
    const bool window = watched == parent();
    if (window && event->type() == QEvent::ChildAdded) watch(static_cast<QChildEvent*>(event)->child());
    if (isVisible() && window && event->type() == QEvent::Resize) place();
    if (isVisible() && !window && event->type() == QEvent::ZOrderChange) raise();
    return QFrame::eventFilter(watched, event);
}

} // namespace hw::views

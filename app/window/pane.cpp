// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pane.h"

#include "views/style/icons.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QLabel>

namespace hw::app {

using views::space;

Pane::Pane(const QString& iconName, QWidget* content, QWidget* parent)
    : QWidget(parent), m_header(new QHBoxLayout), m_title(new QLabel), m_note(new views::ElidedLabel)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* head = new QWidget;
    head->setProperty("role", "paneHeader");
    head->setLayout(m_header);
    m_header->setContentsMargins(space(2), space(1), space(1), space(1));
    m_header->setSpacing(space(2));
    auto* picture = new QLabel;
    picture->setPixmap(views::icon(iconName).pixmap(space(4)));
    m_title->setProperty("role", "section");
    m_note->setProperty("role", "faint");
    m_header->addWidget(picture);
    m_header->addWidget(m_title);
    m_header->addWidget(m_note, 1);
    layout->addWidget(head);
    layout->addWidget(content, 1);
    setFocusProxy(content);
}

void Pane::setTitle(const QString& title) { m_title->setText(title); }
void Pane::addTool(QWidget* tool) { m_header->addWidget(tool); }
void Pane::setNote(const QString& note) { m_note->setText(note); }

} // namespace hw::app

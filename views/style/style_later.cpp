// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/style_later.h"

#include <QApplication>
#include <QWidget>

#include <algorithm>

namespace hw::views {

StyleLater::StyleLater()
{
    if (std::ranges::any_of(QApplication::topLevelWidgets(), [](const QWidget* window) { return window->isVisible(); })) return;
    m_sheet = qApp->styleSheet();
    if (!m_sheet.isEmpty()) qApp->setStyleSheet({});
}

StyleLater::~StyleLater()
{
    if (!m_sheet.isEmpty()) qApp->setStyleSheet(m_sheet);
}

} // namespace hw::views

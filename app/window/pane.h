// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/style/fit.h"

class QBoxLayout;
class QLabel;

namespace hw::app {

/// A view of the middle with its title line above it: name, what it says, its own tool buttons.
class Pane : public QWidget {
    Q_OBJECT
public:
    Pane(const QString& iconName, QWidget* content, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    void addTool(QWidget* tool);
    void setNote(const QString& note);

private:
    QBoxLayout* m_header;
    QLabel* m_title;
    views::ElidedLabel* m_note;
};

} // namespace hw::app

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include <vector>

class QAction;

namespace hw::app {

/// Every key and what the mouse does in each view, to be searched.
class ShortcutsDialog : public QDialog {
    Q_OBJECT
public:
    ShortcutsDialog(const std::vector<QAction*>& actions, QWidget* parent);
};

} // namespace hw::app

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include <array>
#include <vector>

class QAction;
class QLineEdit;

namespace hw::app {

/// Every key and what the mouse does in each view, to be searched.
class ShortcutsDialog : public QDialog {
    Q_OBJECT
public:
    ShortcutsDialog(const std::vector<QAction*>& actions, QWidget* parent);
    void search(const QString& words);
    /// Where, input, action: of what is done with mouse and keys in the views.
    [[nodiscard]] static std::vector<std::array<QString, 3>> gestures();

private:
    QLineEdit* m_search;
};

} // namespace hw::app

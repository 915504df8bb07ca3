// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/main_window.h"

#include <QObject>

namespace hw::app {

/// Takes the pictures of the documentation from the real window, one after the other, and quits.
class Screenshots : public QObject {
    Q_OBJECT
public:
    Screenshots(MainWindow& window, QString folder);

private:
    struct Step {
        QString file;
        std::function<void()> prepare;
        int settle_ms = 400;
    }; ///< no file: only prepares
    void next();
    void begin();
    void hoverOver(QWidget* widget);
    void dragRow(RowId row, double meters); ///< presses and moves, and does not let go
    void letGo();
    [[nodiscard]] EntityRef firstRackWith(TierKind kind) const;
    MainWindow& m_window;
    QString m_folder;
    std::vector<Step> m_steps;
    std::size_t m_step = 0;
};

} // namespace hw::app

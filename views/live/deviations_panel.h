// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer> // before core's headers: moc cannot read <compare> as the very first one
#include <QWidget>

#include "views/live/live_session.h"

class QLabel;

namespace hw::views {

class ListView;

/// What is measured off the design at the moment that is shown, worst first. A click selects it in all views, a double click brings it near.
class DeviationsPanel : public QWidget {
    Q_OBJECT
public:
    DeviationsPanel(DocumentBridge& bridge, LiveSession& session, QWidget* parent = nullptr);
    [[nodiscard]] ListView* list() const { return m_list; }
    [[nodiscard]] QString summary() const;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();

    DocumentBridge& m_bridge;
    LiveSession& m_session;
    ListView* m_list;
    QLabel* m_summary;
    QTimer m_timer; ///< a list that is read does not change ten times a second
    bool m_any = false;
};

/// "over budget", "low flow" …
[[nodiscard]] QString deviationWords(monitoring::DeviationKind kind);

} // namespace hw::views

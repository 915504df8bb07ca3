// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer> // before core's headers: moc cannot read <compare> as the very first one
#include <QWidget>

#include "core/operations/tickets/tickets.h"
#include "views/live/live_session.h"

class QLabel;
class QTextBrowser;
class QToolButton;

namespace hw::views {

class ListView;

/// Active alarms and deviations as tickets: fault category, responsible team, remedy, evidence. Written to files on request, never sent.
class TicketsPanel : public QWidget {
    Q_OBJECT
public:
    TicketsPanel(DocumentBridge& bridge, LiveSession& session, QWidget* parent = nullptr);
    [[nodiscard]] ListView* list() const { return m_list; }
    [[nodiscard]] QTextBrowser* detail() const { return m_detail; }
    void write(const QString& file); ///< JSON, or CSV by its name; errors go to the bridge

signals:
    void locateRequested(const std::vector<hw::EntityRef>& equipment);
    void written(const QString& file);

protected:
    void showEvent(QShowEvent* event) override;

private:
    [[nodiscard]] const tickets::Ticket* current() const;
    void refresh();
    void showDetail();

    DocumentBridge& m_bridge;
    LiveSession& m_session;
    ListView* m_list;
    QTextBrowser* m_detail;
    QLabel* m_summary;
    QToolButton *m_locate, *m_export;
    QTimer m_timer;
    std::vector<tickets::Ticket> m_tickets; ///< as listed
    QString m_shownDetail;
};

} // namespace hw::views

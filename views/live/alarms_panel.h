// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer> // before core's headers: moc cannot read <compare> as the very first one
#include <QWidget>

#include "views/live/live_session.h"

class QLabel;
class QTextBrowser;
class QToolButton;

namespace hw::views {

class ListView;

/// The alarms that stand at the moment that is shown, each with the cause that explains its symptoms, what that costs, and what the design
/// says it would cost. Answers to them: seen, not now, show the cause, what follows.
class AlarmsPanel : public QWidget {
    Q_OBJECT
public:
    AlarmsPanel(DocumentBridge& bridge, LiveSession& session, QWidget* parent = nullptr);
    [[nodiscard]] ListView* list() const { return m_list; }
    [[nodiscard]] QTextBrowser* detail() const { return m_detail; }
    [[nodiscard]] const monitoring::Alarm* current() const; ///< of the list; null: none is chosen

signals:
    void impactRequested(const std::vector<hw::EntityRef>& cause); ///< what the design says of its loss
    void reportRequested(const QString& alarm);                    ///< by its id

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void showDetail();
    [[nodiscard]] QString rideThroughText(const monitoring::Alarm& alarm) const;
    [[nodiscard]] QString comparedHtml(const monitoring::Alarm& alarm) const;
    void answer(monitoring::Answer::Kind kind, std::int64_t untilMs = 0);

    DocumentBridge& m_bridge;
    LiveSession& m_session;
    ListView* m_list;
    QTextBrowser* m_detail;
    QLabel* m_summary;
    QToolButton *m_acknowledge, *m_shelve, *m_cause, *m_impact, *m_report;
    QTimer m_timer;
    std::vector<monitoring::Alarm> m_alarms; ///< as listed
    QString m_shownDetail;
};

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // before core's headers: moc cannot read <compare> as the very first one

#include "views/live/job_watch.h"

class QLabel;
class QTextBrowser;
class QToolButton;

namespace hw::views {

class ListView;

/// Training jobs beside their plan: iteration time, throughput, MFU, effective training time; what slows the selected one, with links.
class JobsPanel : public QWidget {
    Q_OBJECT
public:
    explicit JobsPanel(JobWatch& watch, QWidget* parent = nullptr);
    [[nodiscard]] ListView* list() const { return m_list; }
    [[nodiscard]] QTextBrowser* detail() const { return m_detail; }
    [[nodiscard]] QString summary() const;

protected:
    void showEvent(QShowEvent* event) override;

private:
    [[nodiscard]] const jobs::JobState* current() const;
    void refresh();
    void showDetail();
    void locateCurrent();
    void zoomToCause();
    void showHosts();

    JobWatch& m_watch;
    ListView* m_list;
    QTextBrowser* m_detail;
    QLabel* m_summary;
    QToolButton *m_hosts, *m_logs, *m_show, *m_locate, *m_cause;
    QString m_shownDetail;
};

} // namespace hw::views

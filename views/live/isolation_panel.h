// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // before core's headers: moc cannot read <compare> as the very first one

#include "views/live/job_watch.h"

class QLabel;
class QTextBrowser;
class QToolButton;

namespace hw::views {

class ListView;

/// Hosts that no job should be put on: reason, evidence, age, and what schedulers have cordoned. Written to files on request, never sent.
class IsolationPanel : public QWidget {
    Q_OBJECT
public:
    enum class Format { Json, Slurm, Kubernetes, Csv };

    explicit IsolationPanel(JobWatch& watch, QWidget* parent = nullptr);
    [[nodiscard]] ListView* list() const { return m_list; }
    [[nodiscard]] QTextBrowser* detail() const { return m_detail; }
    [[nodiscard]] QString summary() const;
    void write(Format format, const QString& file); ///< the present list; errors go to the bridge

signals:
    void locateRequested(const std::vector<hw::EntityRef>& equipment);
    void written(const QString& file);

protected:
    void showEvent(QShowEvent* event) override;

private:
    [[nodiscard]] const isolation::Node* current() const;
    void refresh();
    void showDetail();
    void askAndWrite(Format format, const QString& name, const QString& filter);

    JobWatch& m_watch;
    ListView* m_list;
    QTextBrowser* m_detail;
    QLabel* m_summary;
    QToolButton *m_cordoned, *m_locate, *m_export;
    QString m_shownDetail;
};

} // namespace hw::views

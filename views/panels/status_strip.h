// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"

#include "views/style/fit.h"

class QLabel;
class QToolButton;

namespace hw::views {

class WorkBar;

/// The right part of the status line: running jobs with progress and cancel, rule counts, revision and
/// whether what was done is on disk.
class StatusStrip : public QWidget {
    Q_OBJECT
public:
    explicit StatusStrip(DocumentBridge& bridge, QWidget* parent = nullptr);
    /// "saved", "journaled", "not in a file" …, as the session knows it.
    void setDurability(const QString& text, bool good);

signals:
    void findingsRequested();

private:
    void onJobs();
    void onFindings();
    void onRevision();
    DocumentBridge& m_bridge;
    ElidedLabel *m_job, *m_durability;
    QLabel* m_revision;
    WorkBar* m_progress;
    QToolButton *m_cancel, *m_rules;
    int m_shownJob = 0;
};

} // namespace hw::views

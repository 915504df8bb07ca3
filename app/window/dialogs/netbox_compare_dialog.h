// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog> // before core's headers: moc cannot read <compare> as the very first one

#include "app/window/session.h"
#include "importers/netbox_export/differences.h"

#include <QPointer>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeView;

namespace hw::views {
class WorkBar;
}

namespace hw::app {

class NetboxFields;
class NetboxRowsModel;

/// The open design against a NetBox, row by row, as `compare --netbox` has it. Chosen rows go into the design, as one undo step, or to NetBox,
/// after a preview of what that changes. All requests are made on workers.
class NetboxCompareDialog : public QDialog {
    Q_OBJECT
public:
    NetboxCompareDialog(Session& session, QWidget* parent);
    ~NetboxCompareDialog() override;
    [[nodiscard]] bool running() const { return m_running; }
    void compare();

signals:
    void compared(); ///< the rows are there
    void failed(const QString& text);
    void taken();   ///< rows are in the design
    void written(); ///< rows are in NetBox

private:
    using Rows = std::set<std::size_t>;
    struct Seen; ///< what was compared
    void build();
    [[nodiscard]] netbox::Target target() const;
    template <class R>
    void work(const QString& name, std::function<R(const Progress&)> job, std::function<void(R)> done);
    void setRunning(bool running);
    void showRows(std::shared_ptr<Seen> seen);
    void previewWrite();
    void write(const Rows& chosen, const netbox::Target& target);
    void previewTake();
    void take(exchange::ImportPlan plan, std::size_t rows);
    void exportTable();
    void onDocumentChanged();
    void enable();
    void stop(const Error& error);
    void say(const QString& text, bool problem);
    void showProgress();
    /// Shows what would change; `then` follows where that is agreed to.
    void ask(const QString& title, const QString& text, const QString& action, std::function<void()> then);

    Session& m_session;
    NetboxFields* m_server;
    QLineEdit *m_branch, *m_site, *m_filter;
    QCheckBox *m_main, *m_cords;
    NetboxRowsModel* m_rows;
    QTreeView* m_list;
    QLabel *m_summary, *m_message;
    views::WorkBar* m_work;
    QPushButton *m_compare, *m_stop, *m_all, *m_none, *m_write, *m_take, *m_export;
    std::shared_ptr<Seen> m_seen; ///< null: nothing yet
    QPointer<views::Jobs> m_jobs;
    QString m_done; ///< said once the rows are there again
    bool m_doneWhole = true;
    bool m_running = false;
    bool m_again = false;   ///< compared once more when the figures are there
    bool m_stopped = false; ///< a worker may still use what was compared
};

} // namespace hw::app

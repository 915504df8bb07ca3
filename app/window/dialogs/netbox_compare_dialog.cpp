// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/netbox_compare_dialog.h"

#include "app/window/dialogs/netbox_fields.h"
#include "app/window/dialogs/netbox_rows_model.h"
#include "app/window/export_name.h"
#include "views/style/fit.h"
#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/style/work_bar.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QStyle>
#include <QTreeView>

#include <algorithm>
#include <utility>

namespace hw::app {

using netbox::Difference;
using views::space;
using views::text;

namespace {
constexpr const char* kSlot = "netbox";
}

struct NetboxCompareDialog::Seen {
    std::unique_ptr<netbox::Session> session; ///< one job at a time
    std::vector<Difference> rows;
    SnapshotPtr design;
    netbox::Target target;
};

NetboxCompareDialog::NetboxCompareDialog(Session& session, QWidget* parent)
    : QDialog(parent), m_session(session), m_server(new NetboxFields), m_branch(new QLineEdit), m_site(new QLineEdit), m_filter(new QLineEdit),
      m_main(new QCheckBox(tr("Write to &main instead of a branch"))), m_cords(new QCheckBox(tr("Also power cords within rac&ks"))),
      m_rows(new NetboxRowsModel(this)), m_list(new QTreeView), m_summary(new QLabel), m_message(new QLabel), m_work(new views::WorkBar),
      m_compare(new QPushButton(tr("&Compare"))), m_stop(new QPushButton(tr("Sto&p"))), m_all(new QPushButton(tr("Select &all"))),
      m_none(new QPushButton(tr("Select &none"))), m_write(new QPushButton), m_take(new QPushButton),
      m_export(new QPushButton(tr("E&xport table …"))), m_jobs(&session.bridge().jobs())
{
    setWindowTitle(tr("Compare with NetBox"));
    build();
    connect(m_compare, &QPushButton::clicked, this, &NetboxCompareDialog::compare);
    connect(m_stop, &QPushButton::clicked, this, [this] { m_session.bridge().jobs().cancelSlot(kSlot); });
    connect(m_all, &QPushButton::clicked, this, [this] { m_rows->checkShown(true); });
    connect(m_none, &QPushButton::clicked, this, [this] { m_rows->checkShown(false); });
    connect(m_write, &QPushButton::clicked, this, &NetboxCompareDialog::previewWrite);
    connect(m_take, &QPushButton::clicked, this, &NetboxCompareDialog::previewTake);
    connect(m_export, &QPushButton::clicked, this, &NetboxCompareDialog::exportTable);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_rows->setFilter(words);
        m_list->expandAll();
    });
    connect(m_rows, &NetboxRowsModel::checkedChanged, this, &NetboxCompareDialog::enable);
    connect(m_server, &NetboxFields::changed, this, &NetboxCompareDialog::enable);
    for (QLineEdit* line : {m_branch, m_site}) connect(line, &QLineEdit::textChanged, this, &NetboxCompareDialog::enable);
    for (QCheckBox* box : {m_main, m_cords}) connect(box, &QCheckBox::toggled, this, &NetboxCompareDialog::enable);
    connect(m_list, &QTreeView::activated, this, [this](const QModelIndex& index) {
        const std::size_t row = m_rows->rowAt(index);
        if (row == NetboxRowsModel::kNone || !m_seen || m_rows->rows()[row].kind == netbox::DifferenceKind::NetboxOnly) return;
        const EntityRef entity = m_seen->session->inventory.items[m_rows->rows()[row].item].source;
        if (entity && living(*m_session.bridge().snapshot(), entity)) m_session.bridge().zoomTo(entity);
    });
    auto& bridge = m_session.bridge();
    connect(&bridge.jobs(), &views::Jobs::changed, this, &NetboxCompareDialog::showProgress);
    connect(&bridge.jobs(), &views::Jobs::faulted, this, [this](const QString&, const QString& what) {
        if (!m_running || m_session.bridge().jobs().busy(kSlot)) return;
        setRunning(false);
        say(what, true);
    });
    connect(&bridge, &views::DocumentBridge::documentChanged, this, &NetboxCompareDialog::onDocumentChanged);
    connect(&bridge, &views::DocumentBridge::figuresChanged, this, [this] {
        if (m_again && m_session.bridge().figuresCurrent()) compare();
    });
    views::fitToScreen(*this, {fontMetrics().averageCharWidth() * 150, fontMetrics().height() * 40});
    enable();
}

NetboxCompareDialog::~NetboxCompareDialog()
{
    if (m_jobs) m_jobs->cancelSlot(kSlot); // the window's session may be gone before its dialogs
}

void NetboxCompareDialog::build()
{
    m_branch->setObjectName("netboxBranch");
    m_branch->setPlaceholderText(tr("main"));
    m_branch->setToolTip(tr("Branch to compare with and to write to; created by writing, never merged"));
    m_site->setObjectName("netboxSite");
    m_site->setPlaceholderText(tr("the project's name"));
    m_site->setToolTip(tr("NetBox site of buildings that belong to no site"));
    m_main->setObjectName("netboxMain");
    m_cords->setObjectName("netboxCords");
    m_filter->setObjectName("netboxFilter");
    m_filter->setPlaceholderText(tr("Filter: object, type, field, value"));
    m_filter->setAccessibleName(tr("Filter"));
    m_filter->setClearButtonEnabled(true);
    m_list->setObjectName("netboxRows");
    m_list->setAccessibleName(tr("Differences"));
    m_list->setModel(m_rows);
    m_list->setUniformRowHeights(true);
    m_list->setAlternatingRowColors(true);
    m_summary->setObjectName("netboxSummary");
    m_summary->setProperty("role", "dim");
    m_message->setObjectName("netboxMessage");
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    const std::pair<QPushButton*, const char*> names[] = {{m_compare, "netboxCompare"}, {m_stop, "netboxStop"},   {m_all, "netboxAll"},
                                                          {m_none, "netboxNone"},       {m_write, "netboxWrite"}, {m_take, "netboxTake"},
                                                          {m_export, "netboxExport"}};
    for (const auto& [button, name] : names) button->setObjectName(name), button->setAutoDefault(false);
    m_compare->setDefault(true);
    const int character = fontMetrics().averageCharWidth();
    const int widths[] = {34, 14, 16, 26, 26, 15, 6};
    for (int i = 0; i < NetboxRowsModel::Columns; ++i) m_list->setColumnWidth(i, widths[i] * character);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(NetboxRowsModel::NetBox, QHeaderView::Stretch);

    auto* options = new QFormLayout;
    options->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    options->setVerticalSpacing(space(1));
    options->addRow(tr("&Branch"), m_branch);
    options->addRow(tr("S&ite"), m_site);
    auto* boxes = new QHBoxLayout;
    boxes->setSpacing(space(4));
    boxes->addWidget(m_main);
    boxes->addWidget(m_cords);
    boxes->addStretch(1);
    options->addRow(boxes);
    auto* top = new QHBoxLayout;
    top->setSpacing(space(5));
    top->addWidget(m_server, 1);
    top->addLayout(options, 1);
    auto* find = new QHBoxLayout;
    find->addWidget(m_compare);
    find->addWidget(m_stop);
    find->addWidget(m_work);
    find->addWidget(m_filter, 1);
    find->addWidget(m_all);
    find->addWidget(m_none);
    auto* close = new QPushButton(tr("Close"));
    close->setAutoDefault(false);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_export);
    buttons->addStretch(1);
    buttons->addWidget(m_take);
    buttons->addWidget(m_write);
    buttons->addWidget(close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space(4), space(4), space(4), space(4));
    column->setSpacing(space(3));
    column->addLayout(top);
    column->addLayout(find);
    column->addWidget(m_list, 1);
    column->addWidget(m_summary);
    column->addWidget(m_message);
    column->addLayout(buttons);
    m_message->hide(), m_stop->hide(), m_work->hide();
    m_summary->setText(tr("Comparing reads from NetBox; nothing is written."));
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
}

netbox::Target NetboxCompareDialog::target() const
{
    return {m_server->url(),
            m_branch->text().trimmed().toStdString(),
            m_site->text().trimmed().toStdString(),
            m_cords->isChecked(),
            m_server->credentials(),
            {}};
}

/// A job of this dialog, with its progress and a way to stop it. What is typed as a token holds as long as the job.
template <class R>
void NetboxCompareDialog::work(const QString& name, std::function<R(const Progress&)> job, std::function<void(R)> done)
{
    setRunning(true);
    say({}, false);
    m_session.bridge().jobs().start<R>(
        kSlot, name, [job = std::move(job), token = m_server->token()](const Progress& progress) { return job(progress); },
        [dialog = QPointer(this), done = std::move(done)](R result) {
            if (!dialog) return;
            dialog->setRunning(false);
            done(std::move(result));
        });
}

void NetboxCompareDialog::compare()
{
    auto& bridge = m_session.bridge();
    if (m_running || !bridge.figures()) return;
    m_again = !bridge.figuresCurrent();
    if (m_again) return say(tr("Waiting for the figures of the design …"), false);
    m_server->remember();
    const netbox::Target where = target();
    using Outcome = Result<std::shared_ptr<Seen>>;
    work<Outcome>(
        tr("Comparing with NetBox"),
        [figures = bridge.figures(), where](const Progress& progress) -> Outcome {
            auto session = netbox::planned(*figures, where, progress);
            if (!session) return tl::unexpected(session.error());
            auto seen = std::make_shared<Seen>();
            seen->rows = netbox::differencesOf(**session);
            seen->session = std::move(*session), seen->design = figures->snapshot, seen->target = where;
            return seen;
        },
        [this](Outcome seen) {
            if (!seen) return stop(seen.error());
            showRows(std::move(*seen));
            emit compared();
        });
}

void NetboxCompareDialog::showRows(std::shared_ptr<Seen> seen)
{
    m_seen = std::move(seen);
    m_stopped = false;
    m_rows->setRows(m_seen->rows);
    m_list->expandAll();
    enable();
    if (!m_done.isEmpty()) say(std::exchange(m_done, {}), !m_doneWhole);
    onDocumentChanged();
}

void NetboxCompareDialog::onDocumentChanged()
{
    if (m_seen && m_seen->design != m_session.bridge().snapshot() && !m_again) say(tr("The design has changed: compare again."), false);
    enable();
}

/// Rows are taken only from what was compared, and while that still holds.
void NetboxCompareDialog::enable()
{
    const bool fresh = m_seen && !m_stopped && m_seen->design == m_session.bridge().snapshot();
    const netbox::Target now = target();
    const bool same = m_seen && now.url == m_seen->target.url && now.branch == m_seen->target.branch && now.site == m_seen->target.site &&
                      now.cords == m_seen->target.cords;
    const auto toNetbox = m_rows->chosen(&Difference::toNetbox).size(), toDesign = m_rows->chosen(&Difference::toDesign).size();
    m_compare->setEnabled(!m_running && !now.url.empty());
    m_main->setEnabled(now.branch.empty());
    for (QPushButton* button : {m_all, m_none, m_export}) button->setEnabled(!m_running && m_seen && !m_seen->rows.empty());
    m_write->setText(toNetbox == 0 ? tr("&Write to NetBox …") : text(i18np(toNetbox, "&Write {:L} row to NetBox …", "&Write {:L} rows to NetBox …")));
    m_take->setText(toDesign == 0 ? tr("Take into the desi&gn …")
                                  : text(i18np(toDesign, "Take {:L} row into the desi&gn …", "Take {:L} rows into the desi&gn …")));
    m_write->setEnabled(!m_running && fresh && same && toNetbox > 0);
    m_take->setEnabled(!m_running && fresh && same && toDesign > 0);
    if (!m_seen) return;
    const std::string server = m_seen->session->client->url();
    QString found = m_seen->rows.empty() ? tr("No differences between the design and NetBox.")
                                         : text(i18np(m_seen->rows.size(), "{:L} difference", "{:L} differences"));
    if (const auto checked = m_rows->checkedRows(); checked > 0) found += ", " + text(i18np(checked, "{:L} selected", "{:L} selected"));
    const QString where = m_seen->target.branch.empty() ? tr("main") : tr("branch %1").arg(text(m_seen->target.branch));
    m_summary->setText(tr("NetBox %1 at %2, %3: %4").arg(text(m_seen->session->status.version), text(server), where, found));
    if (!same) m_summary->setText(m_summary->text() + tr(" – compare again for the changed source"));
}

void NetboxCompareDialog::ask(const QString& title, const QString& content, const QString& action, std::function<void()> then)
{
    auto* dialog = new QDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName("netboxPreview");
    dialog->setWindowTitle(title);
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(space(4), space(4), space(4), space(4));
    column->setSpacing(space(3));
    auto* shown = new QPlainTextEdit(content);
    shown->setObjectName("netboxPreviewText");
    shown->setReadOnly(true);
    shown->setLineWrapMode(QPlainTextEdit::NoWrap);
    shown->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont)); // columns of numbers
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    auto* apply = buttons->addButton(action, QDialogButtonBox::AcceptRole);
    apply->setObjectName("netboxApply");
    column->addWidget(shown, 1);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    connect(dialog, &QDialog::accepted, this, std::move(then));
    views::fitToScreen(*dialog, {fontMetrics().averageCharWidth() * 100, fontMetrics().height() * 26});
    dialog->open();
}

/// What would be written, with the types and places that the rows need; then it is written.
void NetboxCompareDialog::previewWrite()
{
    if (m_running || !m_seen) return;
    if (m_session.path().isEmpty()) return say(tr("Save the project first: what is written to NetBox is recorded in a file beside it."), true);
    netbox::Target where = m_seen->target;
    if (where.branch.empty() && !m_main->isChecked())
        return say(tr("Without a branch the rows would be written to main: specify a branch and compare again, or check \"Write to main\"."), true);
    const Rows chosen = m_rows->chosen(&Difference::toNetbox);
    work<QString>(
        tr("Preview of NetBox"),
        [seen = m_seen, chosen](const Progress&) {
            return text(words(netbox::wantedReport(*seen->session, seen->target, netbox::wantedBy(*seen->session, seen->rows, chosen))));
        },
        [this, chosen, where](const QString& report) {
            const QString to = where.branch.empty() ? tr("Write to main") : tr("Write to branch %1").arg(text(where.branch));
            ask(to, report, to, [this, chosen, where] { write(chosen, where); });
        });
}

void NetboxCompareDialog::write(const Rows& chosen, const netbox::Target& where)
{
    work<Result<void>>(
        tr("Writing to NetBox"),
        [seen = m_seen, chosen, where, project = m_session.path().toStdString()](const Progress& progress) {
            return netbox::takeFromDesign(*seen->session, seen->rows, chosen, where, project, progress);
        },
        [this, rows = chosen.size()](const Result<void>& done) {
            if (!done) return stop(done.error());
            QStringList lines{text(i18np(rows, "{:L} row written to NetBox", "{:L} rows written to NetBox"))};
            const auto& refused = m_seen->session->sync->refused();
            for (const Text& one : refused) lines << text(i18n("rejected by NetBox: {}", one));
            m_done = lines.join('\n'), m_doneWhole = refused.empty();
            emit written();
            compare();
        });
}

/// What would change in the design; then it changes, as one undo step.
void NetboxCompareDialog::previewTake()
{
    if (m_running || !m_seen) return;
    const Rows chosen = m_rows->chosen(&Difference::toDesign);
    using Outcome = Result<exchange::ImportPlan>;
    work<Outcome>(
        tr("Preview of the design"),
        [seen = m_seen, chosen](const Progress&) { return netbox::planFromNetbox(*seen->session, seen->rows, chosen, seen->design); },
        [this, rows = chosen.size()](Outcome plan) {
            if (!plan) return stop(plan.error());
            ask(tr("Take into the design"), text(exchange::planText(*plan)), tr("Change the design"),
                [this, plan = *plan, rows] { take(plan, rows); });
        });
}

void NetboxCompareDialog::take(exchange::ImportPlan plan, std::size_t rows)
{
    if (m_session.bridge().jobs().busy("edit") || m_session.bridge().previewing())
        return say(tr("Another change is in progress: finish or cancel it first."), true);
    setRunning(true);
    const QString name = text(words(plan.name));
    m_session.bridge().editInWorker<bool>(
        name,
        [plan = std::move(plan)](Transaction& t, const Progress&) -> Result<bool> {
            if (const auto done = exchange::applyPlan(t, plan); !done) return tl::unexpected(done.error());
            return true;
        },
        [dialog = QPointer(this), rows, &bridge = m_session.bridge()](const Result<bool>& done) {
            if (!dialog) {
                if (!done) bridge.report(done.error());
                return;
            }
            dialog->setRunning(false);
            if (!done) return dialog->stop(done.error());
            dialog->m_done = text(i18np(rows, "{:L} row taken into the design", "{:L} rows taken into the design")), dialog->m_doneWhole = true;
            emit dialog->taken();
            dialog->compare(); // as soon as the figures are there
        });
}

void NetboxCompareDialog::exportTable()
{
    const QString filter = tr("CSV (*.csv);;Excel (*.xlsx)");
    QString chosen;
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Export differences"), QString("%1-netbox.csv").arg(m_session.title()), filter, &chosen);
    if (path.isEmpty()) return;
    const ExportName name = exportName(path, filter, chosen);
    if (!name.problem.isEmpty()) return say(name.problem, true);
    work<Result<void>>(
        tr("Exporting differences"),
        [seen = m_seen, file = name.path.toStdString()](const Progress& progress) {
            return writeTable(netbox::differencesTable(seen->rows), file, progress);
        },
        [this, file = name.path](const Result<void>& done) {
            if (!done) return stop(done.error());
            say(tr("Saved %1").arg(QFileInfo(file).absoluteFilePath()), false);
        });
}

void NetboxCompareDialog::setRunning(bool running)
{
    m_running = running;
    enable();
    showProgress();
}

void NetboxCompareDialog::showProgress()
{
    auto& jobs = m_session.bridge().jobs();
    const auto own = std::ranges::find(jobs.running(), QString(kSlot), &views::Jobs::Job::slot);
    const bool on = m_running && own != jobs.running().end();
    if (on) m_work->setFraction(own->fraction);
    const bool stopped = m_stop->isVisibleTo(this) && m_running && !on && !jobs.busy("edit");
    m_work->setVisible(on), m_stop->setVisible(on);
    if (!stopped) return;
    m_running = false, m_stopped = true; // canceled; `done` comes before this where it was not
    enable();
    say(tr("Stopped: compare again. What was written to NetBox stays."), false);
}

void NetboxCompareDialog::stop(const Error& error)
{
    m_done.clear();
    say(text(error.text()), true);
    emit failed(text(error.text()));
}

void NetboxCompareDialog::say(const QString& what, bool problem)
{
    m_message->setVisible(!what.isEmpty());
    m_message->setText(what);
    m_message->setProperty("role", problem ? "error" : "dim");
    m_message->style()->unpolish(m_message);
    m_message->style()->polish(m_message);
}

} // namespace hw::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/kept_view.h"

#include "core/foundation/files/atomic_file.h"
#include "core/foundation/model/fingerprint.h"
#include "simulation/answers/answer_text.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QDateTime>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>

namespace hw::views {

namespace {

/// "2026-11-22T07:38:00Z" in the user's time and way of writing dates.
QString savedText(const std::string& iso)
{
    const QDateTime at = QDateTime::fromString(text(iso), Qt::ISODate);
    return at.isValid() ? QLocale().toString(at.toLocalTime(), QLocale::ShortFormat) : text(iso);
}

} // namespace

StoredResultsView::StoredResultsView(SimulationSession& session, QWidget* parent)
    : QWidget(parent), m_session(session),
      m_list(new ListView(session.bridge(), {tr("No."), tr("Result"), tr("Kind"), tr("Revision"), tr("Saved at"), tr("State")}, tr("Saved results"))),
      m_note(new QLabel), m_open(new QPushButton(tr("&Show"))), m_export(new QPushButton(tr("&Export…"))), m_remove(new QPushButton(tr("&Delete")))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    auto* buttons = new QVBoxLayout;
    buttons->setSpacing(space(1));
    for (auto* button : {m_open, m_export, m_remove}) buttons->addWidget(button);
    m_note->setWordWrap(true);
    m_note->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored); // it must not make the panel taller than its place
    m_note->setProperty("role", "faint");
    buttons->addWidget(m_note, 1, Qt::AlignTop);
    row->addWidget(m_list, 1);
    row->addLayout(buttons);
    m_list->setObjectName("scenarioKept");
    m_list->setColumnWidths({5, -1, 16, 9, 22, 8});
    m_note->setFixedWidth(fontMetrics().averageCharWidth() * 26);
    connect(m_open, &QPushButton::clicked, this, &StoredResultsView::open);
    connect(m_export, &QPushButton::clicked, this, &StoredResultsView::exportChosen);
    connect(m_remove, &QPushButton::clicked, this, [this] {
        if (chosen()) m_session.removeKept(chosen());
    });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        for (auto* button : {m_open, m_export, m_remove}) button->setEnabled(chosen() > 0);
    });
    connect(&session, &SimulationSession::keptChanged, this, &StoredResultsView::refresh);
    connect(&session.bridge(), &DocumentBridge::documentChanged, this, &StoredResultsView::refresh);
    refresh();
}

int StoredResultsView::chosen() const
{
    const CellRow* row = m_list->currentRow();
    return row ? row->key.toInt() : 0;
}

void StoredResultsView::refresh()
{
    std::vector<CellRow> rows;
    const std::uint64_t content = m_session.kept().empty() ? 0 : designFingerprint(*m_session.bridge().snapshot());
    for (const auto& e : m_session.kept()) {
        const bool stale = e.staleAt(content);
        CellRow row;
        row.key = QString::number(e.number);
        row.dim = stale;
        row.cells = {{QString::number(e.number), e.number, {}, {}, -1, true},
                     {text(resourceText(e.name))},
                     {text(e.kind)},
                     {e.onDesign ? QString::number(e.revision) : QString("–"), int(e.revision), {}, {}, -1, true},
                     {savedText(e.savedAt), text(e.savedAt)},
                     {stale ? tr("outdated") : QString(), {}, {}, stale ? theme().warning : QColor()}};
        rows.push_back(std::move(row));
    }
    m_list->cells()->setRows(std::move(rows));
    for (auto* button : {m_open, m_export, m_remove}) button->setEnabled(chosen() > 0);
    m_note->setText(m_session.hasStore()
                        ? tr("Saved next to the project. Outdated: the design has changed since. Pin a result, then show another to compare.")
                        : tr("Save the project to store results next to it."));
}

void StoredResultsView::open()
{
    auto document = m_session.keptAnswer(chosen());
    if (!document) return m_session.bridge().report(document.error());
    m_session.show(std::move(*document));
}

void StoredResultsView::exportChosen()
{
    const auto document = m_session.keptAnswer(chosen());
    if (!document) return m_session.bridge().report(document.error());
    const QString path = QFileDialog::getSaveFileName(this, tr("Export result"), {}, tr("JSON (*.json);;Table (*.csv)"));
    if (path.isEmpty()) return;
    const std::string content = path.endsWith(".csv") ? sim::answerCsv(*document) : document->dump(1) + "\n";
    if (const auto written = writeFile(path.toStdString(), content); !written) m_session.bridge().report(written.error());
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/document.h"

#include "core/derived/figures/figures.h"
#include "core/derived/rules/check.h"
#include "core/foundation/catalog/entity.h"
#include "simulation/result.h"
#include "views/bridge/jobs.h"

#include <QObject>
#include <QPoint>
#include <QTimer>

namespace hw::views {

using ChangesPtr = std::shared_ptr<const ChangeSet>;
using CheckPtr = std::shared_ptr<const CheckResult>;
using FlowPtr = std::shared_ptr<const sim::FlowResult>;

class ViewClock;

/// Whose loads the views show, for legends and headlines.
struct FlowsMark {
    QString whose;      ///< "GPT-3 175B: gradient reduction"
    bool stale = false; ///< of an earlier state of the design
    bool peak = false;  ///< of every link its most, not those of one moment
    friend bool operator==(const FlowsMark&, const FlowsMark&) = default;
};

/// The one QObject around the document: what it holds, what follows from it, and what is selected.
/// Views draw from `figures()` only (tables and derived values of one revision), never from a newer
/// snapshot whose figures are still being worked out. Lives on the GUI thread, owned by the window.
class DocumentBridge : public QObject {
    Q_OBJECT
public:
    explicit DocumentBridge(QObject* parent = nullptr);
    ~DocumentBridge() override;

    [[nodiscard]] const Document& document() const { return m_document; }
    [[nodiscard]] const SnapshotPtr& snapshot() const { return m_document.snapshot(); }
    [[nodiscard]] const FiguresPtr& figures() const { return m_figures; } ///< null until the first are made
    [[nodiscard]] const DesignIndex& index() const;                       ///< of the same snapshot as the figures
    [[nodiscard]] bool figuresCurrent() const;
    [[nodiscard]] SnapshotPtr shown() const;                           ///< with the gesture in progress, or as of the phase that is shown
    [[nodiscard]] const CheckPtr& findings() const { return m_check; } ///< null until checked
    [[nodiscard]] const FlowPtr& flows() const { return m_flows; }
    [[nodiscard]] const FlowsMark& flowsMark() const { return m_flowsMark; }
    [[nodiscard]] Jobs& jobs() { return m_jobs; }
    [[nodiscard]] ViewClock& viewClock() { return *m_viewClock; }
    [[nodiscard]] QStringList history() const;                                                    ///< names of done, then undone steps
    [[nodiscard]] int historyPosition() const { return int(m_document.history().done().size()); } ///< how many of them are done

    /// Opening or a new design. `figures` may have been made beforehand (by a worker); else they follow.
    /// `history` leads up to the snapshot and can be undone.
    void load(SnapshotPtr snapshot, FiguresPtr figures = nullptr, UndoHistory history = {});
    using Edit = std::function<Result<void>(Transaction&)>;
    /// One user gesture: runs `edit` in one transaction and commits it; on an error nothing changes.
    Result<void> edit(const QString& name, const Edit& edit);
    /// A large edit: `work` fills the transaction on a worker while the window stays usable (other edits
    /// are refused meanwhile), then it is committed here as one undo step and `done` is called.
    template <class R>
    void editInWorker(const QString& name, std::function<Result<R>(Transaction&, const Progress&)> work, std::function<void(Result<R>)> done)
    {
        const auto transaction = beginInWorker(name);
        if (!transaction) return done(fail(ErrorCode::Refused, "edit", i18n("another change is in progress"), i18n("finish or cancel it first")));
        m_jobs.start<Result<R>>(
            "edit", name, [transaction, work = std::move(work)](const Progress& progress) { return work(*transaction, progress); },
            [this, transaction, done = std::move(done)](Result<R> result) {
                if (result) transaction->commit();
                endInWorker(*transaction); // the worker's thread may hold it a moment longer
                done(std::move(result));
            });
    }
    void undo();
    void redo();

    /// Shows the design as installed by a phase in all views; edits are refused meanwhile. None: the whole design again. On a worker; a number that
    /// no phase has is reported.
    void showPhase(std::optional<int> phase);
    [[nodiscard]] std::optional<int> phase() const { return m_phase; }
    [[nodiscard]] const FiguresPtr& wholeFigures() const { return m_phase ? m_whole : m_figures; } ///< of all phases

    /// A gesture in progress: every call of `preview` adds to one open transaction, and all views show
    /// the state so far. Ends with commitPreview (one undo step) or cancelPreview.
    bool beginPreview(const QString& name);
    Result<void> preview(const Edit& edit);
    void commitPreview(const QString& name = {}); ///< a name that tells how far it went replaces that of beginPreview
    void cancelPreview();
    [[nodiscard]] bool previewing() const { return m_preview.has_value(); }
    [[nodiscard]] const FiguresPtr& figuresBeforePreview() const { return m_beforePreview; }

    [[nodiscard]] const std::vector<EntityRef>& selection() const { return m_selection; }
    [[nodiscard]] EntityRef selected() const { return m_selection.empty() ? EntityRef{} : m_selection.front(); }
    void select(EntityRef entity) { select(entity ? std::vector{entity} : std::vector<EntityRef>{}); }
    void select(std::vector<EntityRef> entities); ///< the first one is what the inspector shows
    void zoomTo(EntityRef entity);                ///< selects it and asks all views to bring it near
    [[nodiscard]] QString nameOf(EntityRef entity) const;
    /// Asks the window for what can be done with an entity, which is selected unless the selection holds it already.
    void openMenu(EntityRef entity, QPoint globalPosition);
    /// Shows the ways of the cables of what is selected, until something else is.
    void showCables(bool shown);
    [[nodiscard]] bool cablesShown() const { return m_cablesShown; }
    /// Links that end at an entity: a device, rack, row, port, link or cable. Empty for others.
    [[nodiscard]] std::vector<LinkId> linksOf(EntityRef entity) const;

    void setFlows(FlowPtr flows, FlowsMark mark = {});
    void markFlows(FlowsMark mark);      ///< the same loads, said to be of something else
    void setFindings(CheckPtr findings); ///< of a check made elsewhere, for pictures without an event loop
    /// Lets a storage file follow the document (ProjectFile::follow) without giving the document away.
    template <class File>
    [[nodiscard]] Signal<const ChangeEvent&>::Connection journal(File& file)
    {
        return file.follow(m_document);
    }
    void report(const Error& error) { emit problem(QString::fromStdString(error.text())); }

signals:
    void documentChanged(const hw::ChangeEvent& event);
    /// Before `figuresChanged`: the buildings or halls are others than those shown until now (opening, a new
    /// design, other parameters), so that drawings show all of them.
    void placesReplaced();
    /// `changes` lead from the figures shown before to these; null when everything is new.
    void figuresChanged(const hw::FiguresPtr& figures, const hw::views::ChangesPtr& changes);
    void findingsChanged();
    void selectionChanged();
    void zoomRequested(hw::EntityRef entity);
    void menuRequested(QPoint globalPosition); ///< of what is selected
    void cablesShownChanged();
    void simulationChanged();
    void simulationMarked(); ///< only whose loads they are: legends change, no colors
    void phaseChanged();
    void previewChanged();             ///< a gesture began, moved on or ended
    void problem(const QString& text); ///< something the user should know; shown without blocking

private:
    [[nodiscard]] std::shared_ptr<Transaction> beginInWorker(const QString& name);
    void endInWorker(Transaction& transaction);
    void onChanged(const ChangeEvent& event);
    void follow(); ///< brings the figures to the shown snapshot
    void adopt(FiguresPtr figures, ChangesPtr changes);
    void startCheck();
    void dropDeadSelection();
    [[nodiscard]] std::optional<Error> notEditable() const; ///< why no edit can begin now

    Document m_document;
    Signal<const ChangeEvent&>::Connection m_connection;
    Jobs m_jobs;
    FiguresPtr m_figures, m_beforePreview;
    FiguresPtr m_whole; ///< while a phase is shown
    std::optional<int> m_phase;
    CheckPtr m_check;
    FlowPtr m_flows;
    FlowsMark m_flowsMark;
    std::optional<Transaction> m_preview;
    SnapshotPtr m_previewSnapshot;
    std::vector<EntityRef> m_selection;
    bool m_cablesShown = false;
    std::uint64_t m_workerEdit = 0, m_workerEditsBegun = 0; ///< the one in progress; 0: none
    QTimer m_followTimer, m_checkTimer;
    ViewClock* m_viewClock;
};

} // namespace hw::views

Q_DECLARE_METATYPE(hw::EntityRef)

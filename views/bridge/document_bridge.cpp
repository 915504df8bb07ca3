// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/document_bridge.h"

#include "core/derived/topology/holding.h"
#include "core/design/edit/edits_phase.h"
#include "views/bridge/following_view.h"

#include <algorithm>

namespace hw::views {
namespace {

/// Figures of a change up to this size are made at once; larger ones go to a worker.
constexpr std::size_t kSynchronousChunks = 24;

/// Whether two designs have the same buildings and halls, wherever these stand.
bool samePlaces(const Snapshot& a, const Snapshot& b)
{
    return a.buildings.ids() == b.buildings.ids() && a.halls.ids() == b.halls.ids() && a.setting("template.name") == b.setting("template.name");
}

} // namespace

DocumentBridge::DocumentBridge(QObject* parent) : QObject(parent), m_viewClock(new ViewClock(*this))
{
    m_connection = m_document.changed.connect([this](const ChangeEvent& event) { onChanged(event); });
    m_followTimer.setSingleShot(true);
    m_checkTimer.setSingleShot(true);
    connect(&m_followTimer, &QTimer::timeout, this, &DocumentBridge::follow);
    connect(&m_checkTimer, &QTimer::timeout, this, &DocumentBridge::startCheck);
}

DocumentBridge::~DocumentBridge() { m_preview.reset(); }

bool DocumentBridge::figuresCurrent() const { return m_figures && m_figures->snapshot == shown(); }

const DesignIndex& DocumentBridge::index() const
{
    static const DesignIndex kNothing;
    return m_figures ? m_figures->get<IndexNode>() : kNothing;
}

SnapshotPtr DocumentBridge::shown() const
{
    if (m_phase) return m_figures->snapshot;
    return m_previewSnapshot ? m_previewSnapshot : m_document.snapshot();
}

std::optional<Error> DocumentBridge::notEditable() const
{
    if (m_phase) return Error(ErrorCode::Refused, "edit", i18n("the design is shown as of phase {}", *m_phase), i18n("show all phases to edit"));
    if (m_preview || m_workerEdit != 0)
        return Error(ErrorCode::Refused, "edit", i18n("another change is in progress"), i18n("finish or cancel it first"));
    return {};
}

void DocumentBridge::showPhase(std::optional<int> phase)
{
    if (phase == m_phase && !m_jobs.busy("figures")) return;
    if (!phase) {
        m_jobs.cancelSlot("figures");
        if (!m_phase) return;
        m_phase.reset();
        adopt(std::exchange(m_whole, nullptr), nullptr);
        emit phaseChanged();
        return;
    }
    const auto refused = [this](const Error& error) {
        report(error);
        emit phaseChanged(); // whoever asked shows what there is
    };
    if (!m_phase && (notEditable() || !figuresCurrent()))
        return refused({ErrorCode::Refused, "phase", i18n("another change is in progress"), i18n("finish or cancel it first")}); // no text
    const FiguresPtr whole = wholeFigures();
    m_jobs.start<Result<FiguresPtr>>(
        "figures", tr("Phase %1").arg(*phase), [whole, number = *phase](const Progress&) { return edit::figuresAtPhase(whole, number); },
        [this, whole, phase, refused](Result<FiguresPtr> figures) {
            if (!figures) return refused(figures.error());
            if (whole->snapshot != m_document.snapshot()) return; // it was edited before this came
            m_whole = whole;
            m_phase = phase;
            adopt(std::move(*figures), nullptr);
            emit phaseChanged();
        });
}

void DocumentBridge::load(SnapshotPtr snapshot, FiguresPtr figures, UndoHistory history)
{
    cancelPreview();
    m_jobs.cancelSlot("figures");
    m_jobs.cancelSlot("check");
    const bool ofPhase = std::exchange(m_phase, std::nullopt).has_value();
    m_whole.reset();
    m_check.reset();
    m_flows.reset();
    m_flowsMark = {};
    m_selection.clear();
    m_figures.reset();
    m_document.load(std::move(snapshot), std::move(history));
    if (ofPhase) emit phaseChanged();
    emit selectionChanged();
    emit simulationChanged();
    emit findingsChanged();
    if (figures && figures->snapshot == m_document.snapshot())
        adopt(std::move(figures), nullptr);
    else
        follow();
}

Result<void> DocumentBridge::edit(const QString& name, const Edit& edit)
{
    Result<void> result;
    if (const auto why = notEditable()) {
        result = tl::unexpected(*why);
    } else {
        Transaction transaction = m_document.begin(name.toStdString());
        result = edit(transaction);
        if (result) transaction.commit();
    }
    if (!result) report(result.error());
    return result;
}

std::shared_ptr<Transaction> DocumentBridge::beginInWorker(const QString& name)
{
    if (const auto why = notEditable()) {
        report(*why);
        return nullptr;
    }
    m_workerEdit = ++m_workerEditsBegun;
    // Whoever lets go last, also a canceled worker: the transaction ends on this thread.
    const auto end = [this, number = m_workerEdit](Transaction* transaction) {
        QMetaObject::invokeMethod(
            this,
            [this, transaction, number] {
                delete transaction;
                if (m_workerEdit == number) m_workerEdit = 0;
            },
            Qt::QueuedConnection);
    };
    return {new Transaction(m_document.begin(name.toStdString())), end};
}

void DocumentBridge::endInWorker(Transaction& transaction)
{
    {
        const Transaction ended(std::move(transaction));
    }
    m_workerEdit = 0;
}

void DocumentBridge::undo()
{
    if (m_phase) return report(*notEditable());
    if (!m_preview) m_document.undo();
}

void DocumentBridge::redo()
{
    if (m_phase) return report(*notEditable());
    if (!m_preview) m_document.redo();
}

bool DocumentBridge::beginPreview(const QString& name)
{
    if (m_phase) report(*notEditable());
    if (notEditable() || !figuresCurrent()) return false;
    m_beforePreview = m_figures;
    m_preview.emplace(m_document.begin(name.toStdString()));
    emit previewChanged();
    return true;
}

Result<void> DocumentBridge::preview(const Edit& edit)
{
    if (!m_preview) return fail(ErrorCode::Fault, "preview", i18n("no interactive change is in progress"));
    auto result = edit(*m_preview);
    if (!result) return result;
    m_previewSnapshot = m_preview->preview();
    m_followTimer.start(0); // several mouse moves make one update
    return result;
}

void DocumentBridge::commitPreview(const QString& name)
{
    if (!m_preview) return;
    m_previewSnapshot.reset();
    m_followTimer.stop();
    Transaction transaction = std::move(*m_preview);
    m_preview.reset();
    if (!name.isEmpty()) transaction.setName(name.toStdString());
    const auto changes = transaction.commit();
    m_beforePreview.reset();
    if (changes->empty()) follow();
    emit previewChanged();
}

void DocumentBridge::cancelPreview()
{
    if (!m_preview) return;
    m_preview.reset();
    m_previewSnapshot.reset();
    m_beforePreview.reset();
    m_followTimer.stop();
    follow();
    emit previewChanged();
}

void DocumentBridge::select(std::vector<EntityRef> entities)
{
    if (entities == m_selection) return;
    m_selection = std::move(entities);
    showCables(false);
    emit selectionChanged();
}

void DocumentBridge::openMenu(EntityRef entity, QPoint globalPosition)
{
    if (entity && std::ranges::find(m_selection, entity) == m_selection.end()) select(entity);
    emit menuRequested(globalPosition);
}

void DocumentBridge::showCables(bool shown)
{
    if (shown == m_cablesShown) return;
    m_cablesShown = shown;
    emit cablesShownChanged();
}

std::vector<LinkId> DocumentBridge::linksOf(EntityRef entity) const
{
    if (!m_figures || !living(*m_figures->snapshot, entity)) return {};
    // of a whole hall or building: all of them, which shows nothing
    if (entity.kind == EntityKind::Hall || entity.kind == EntityKind::Building) return {};
    return linksAt(*m_figures->snapshot, index(), entity);
}

void DocumentBridge::zoomTo(EntityRef entity)
{
    if (!entity) return;
    select(entity);
    emit zoomRequested(entity);
}

QString DocumentBridge::nameOf(EntityRef entity) const
{
    if (!m_figures || !entity) return {};
    return QString::fromStdString(entityName(*m_figures->snapshot, *m_figures->parts, entity));
}

void DocumentBridge::setFlows(FlowPtr flows, FlowsMark mark)
{
    if (!flows && !m_flows) return;
    m_flows = std::move(flows);
    m_flowsMark = m_flows ? std::move(mark) : FlowsMark();
    emit simulationChanged();
}

void DocumentBridge::markFlows(FlowsMark mark)
{
    if (!m_flows || mark == m_flowsMark) return;
    m_flowsMark = std::move(mark);
    emit simulationMarked();
}

void DocumentBridge::setFindings(CheckPtr findings)
{
    m_check = std::move(findings);
    emit findingsChanged();
}

void DocumentBridge::onChanged(const ChangeEvent& event)
{
    emit documentChanged(event);
    if (event.origin == ChangeOrigin::Load) return; // load() goes on with the figures
    follow();
}

QStringList DocumentBridge::history() const
{
    QStringList names;
    const UndoHistory& history = m_document.history();
    for (const auto& step : history.done()) names += QString::fromStdString(step->name);
    for (auto step = history.undone().rbegin(); step != history.undone().rend(); ++step) names += QString::fromStdString((*step)->name);
    return names;
}

void DocumentBridge::follow()
{
    const SnapshotPtr target = shown();
    if (m_phase || (m_figures && m_figures->snapshot == target)) return;
    if (m_figures) {
        auto changes = std::make_shared<const ChangeSet>(difference(*m_figures->snapshot, *target, {}));
        if (m_preview || changes->chunks.size() <= kSynchronousChunks) {
            auto figures = updateFigures(m_figures, target, *changes);
            m_jobs.cancelSlot("figures");
            if (figures)
                adopt(std::move(*figures), std::move(changes));
            else
                report(figures.error());
            return;
        }
    }
    m_jobs.start<Result<FiguresPtr>>(
        "figures", tr("Calculating figures"),
        [target, before = m_figures](const Progress& progress) { return computeFigures(target, progress, before); },
        [this, target](Result<FiguresPtr> figures) {
            if (!figures) return report(figures.error());
            if (shown() == target)
                adopt(std::move(*figures), nullptr);
            else
                follow();
        });
}

void DocumentBridge::adopt(FiguresPtr figures, ChangesPtr changes)
{
    const bool otherPlaces = !m_figures || !samePlaces(*m_figures->snapshot, *figures->snapshot);
    m_figures = std::move(figures);
    if (otherPlaces) emit placesReplaced();
    dropDeadSelection();
    emit figuresChanged(m_figures, changes);
    if (m_preview)
        emit previewChanged();
    else
        m_checkTimer.start(30);
}

void DocumentBridge::startCheck()
{
    if (m_preview || !m_figures) return;
    m_jobs.start<Result<CheckResult>>(
        "check", tr("Checking rules"), [figures = m_figures](const Progress& progress) { return check(*figures, {}, progress); },
        [this](Result<CheckResult> result) {
            if (!result) return report(result.error());
            m_check = std::make_shared<const CheckResult>(std::move(*result));
            emit findingsChanged();
        });
}

void DocumentBridge::dropDeadSelection()
{
    const auto dead = [&](EntityRef e) { return !living(*m_figures->snapshot, e); };
    if (std::erase_if(m_selection, dead) > 0) emit selectionChanged();
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/impact_panel.h"

#include "core/derived/impact/impact_output.h"
#include "core/derived/values/impact_fields.h"
#include "views/panels/entity_link.h"
#include "views/panels/impact_story.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"
#include "views/style/work_bar.h"
#include "views/values/overlay_source.h"

#include <QBoxLayout>
#include <QLabel>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>

namespace hw::views {

namespace {

constexpr std::size_t kMostStoryRows = 200;
constexpr std::size_t kMostStoryLines = 60;
const QString kRanking = QStringLiteral("impact.ranking"), kAnswer = QStringLiteral("impact.answer"); // slots of jobs

Cell number(std::int64_t n) { return {n == 0 ? QString("–") : text(i18n("{:L}", n)), qlonglong(n), {}, {}, -1, true}; }

CellRow rowOf(const impact::Model& model, const impact::Ranked& first, std::size_t alike)
{
    const impact::Loss& l = first.loss;
    CellRow row;
    row.entity = first.element.entity;
    row.key = QString("%1/%2/%3").arg(int(row.entity.kind)).arg(row.entity.id).arg(first.element.pump);
    row.dim = l.gpusLost.active + l.gpusDegraded.active + l.devicesDark + l.devicesHot == 0;
    row.cells = {{.text = text(impact::nameOf(model, first.element)), .place = true},
                 number(std::int64_t(alike)),
                 number(l.gpusLost.active),
                 number(l.hostsLost.active),
                 number(l.nicsLost.active),
                 number(l.gpusDegraded.active),
                 number(l.devicesDark),
                 number(l.devicesHot),
                 {text(i18n("{:.1f} %", l.bisectionShare * 100)), l.bisectionShare, {}, {}, -1, true},
                 number(l.redundancyLost)};
    return row;
}

} // namespace

struct ImpactPanel::Ranking {
    impact::ModelPtr model;
    std::vector<CellRow> rows;
    std::size_t elements = 0, groups = 0;
};

struct ImpactPanel::Answer {
    impact::ModelPtr model;
    QString html;
    OverlayPtr values;
    std::vector<std::string> failed;
    std::pair<HallId, std::vector<DeviceId>> airLost;
};

namespace {

/// Of the halls that lose air units the one that loses most.
std::pair<HallId, std::vector<DeviceId>> airUnitsLost(const impact::Study& study)
{
    std::pair<HallId, std::vector<DeviceId>> most;
    for (const CoolingLoop& loop : study.model().coolant.chain->loops) {
        if (loop.kind != LoopKind::Air || !loop.hall) continue;
        std::vector<DeviceId> down;
        std::ranges::copy_if(loop.sources, std::back_inserter(down), [&](DeviceId id) { return study.isDown(id); });
        if (down.size() > most.second.size()) most = {*loop.hall, std::move(down)};
    }
    return most;
}

} // namespace

ImpactPanel::ImpactPanel(DocumentBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge),
      m_list(new ListView(bridge,
                          {tr("Failed element"), tr("Identical"), tr("GPUs lost"), tr("Hosts lost"), tr("NICs lost"), tr("Degraded"),
                           tr("Without power"), tr("Overheated"), tr("Bisection"), tr("Redundancy lost")},
                          tr("Worst single failures"))),
      m_answer(new QTextBrowser), m_summary(new QLabel), m_work(new WorkBar), m_stop(new QToolButton), m_simulate(new QToolButton),
      m_air(new QToolButton), m_clear(new QToolButton), m_following(bridge, *this, FollowingView::Pace::Rested, [this] { rank(); })
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space(1), 0, 0);
    layout->setSpacing(space(1));
    m_summary->setWordWrap(true);
    m_work->setFixedWidth(fontMetrics().averageCharWidth() * 16);
    const auto tool = [](QToolButton* button, const char* name, const QString& image, const QString& title, const QString& tip) {
        button->setObjectName(name);
        button->setIcon(icon(image));
        button->setText(title);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setToolTip(tip);
    };
    tool(m_stop, "impactStop", "stop", tr("Stop"), tr("Stop calculating single failures"));
    tool(m_simulate, "impactSimulate", "flow", tr("Simulate after failure"), tr("Run the simulation scenario starting with this loss"));
    tool(m_air, "impactAir", "cooling", tr("Simulate air"), tr("Simulate the air of the hall that loses air units, before and after"));
    tool(m_clear, "impactClear", "close", tr("Clear"), tr("Clear the result and its coloring"));
    auto* top = new QHBoxLayout;
    top->setContentsMargins(space(3), 0, space(1), 0);
    top->addWidget(m_summary, 1);
    for (QWidget* widget : {static_cast<QWidget*>(m_work), static_cast<QWidget*>(m_stop), static_cast<QWidget*>(m_simulate),
                            static_cast<QWidget*>(m_air), static_cast<QWidget*>(m_clear)})
        top->addWidget(widget);
    layout->addLayout(top);
    auto* both = new QSplitter(Qt::Horizontal);
    both->addWidget(m_list);
    both->addWidget(m_answer);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
    layout->addWidget(both, 1);
    m_answer->setFrameShape(QFrame::NoFrame);
    m_answer->setAccessibleName(tr("Losses"));
    followEntityLinks(*m_answer, bridge);
    m_answer->setPlaceholderText(tr("Select an object and choose “Failure impact” (Ctrl+I), or select a row of the list."));
    m_list->setColumnWidths({-1, 6, 8, 8, 8, 8, 6, 7, 8, 9});
    m_list->sortByColumn(-1, Qt::AscendingOrder); // as they come: worst first
    connect(&bridge, &DocumentBridge::figuresChanged, this, [this] {
        m_answer->clear(); // it was of the design before
        m_failed.clear();
        m_airLost = {};
        m_model = nullptr;
        m_stopped = false;
        m_of.reset();
        onJobs();
    });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ImpactPanel::onCurrent);
    connect(&bridge.jobs(), &Jobs::changed, this, &ImpactPanel::onJobs);
    connect(m_stop, &QToolButton::clicked, this, [this] {
        if (m_ranking) return m_bridge.jobs().cancelSlot(kRanking);
        m_stopped = false;
        m_following.soon();
    });
    connect(m_simulate, &QToolButton::clicked, this, [this] { emit simulateRequested(m_failed); });
    connect(m_air, &QToolButton::clicked, this, [this] { emit airRequested(m_airLost.first, m_airLost.second); });
    connect(m_clear, &QToolButton::clicked, this, &ImpactPanel::clear);
    onJobs();
}

/// What can be done just now, and how far it is.
void ImpactPanel::onJobs()
{
    double fraction = -1;
    bool ranking = false;
    for (const auto& job : m_bridge.jobs().running())
        if (job.slot == kRanking) ranking = true, fraction = job.fraction;
    if (m_ranking && !ranking) m_ranking = false, m_stopped = true; // here or in the status line
    m_work->setVisible(ranking || m_bridge.jobs().busy(kAnswer));
    m_work->setFraction(ranking ? fraction : -1);
    m_stop->setVisible(ranking || m_stopped);
    m_stop->setText(m_stopped ? tr("Calculate") : tr("Stop"));
    m_stop->setIcon(icon(m_stopped ? "play" : "stop"));
    m_simulate->setEnabled(!m_failed.empty());
    m_air->setVisible(!m_airLost.second.empty());
    m_clear->setEnabled(!m_failed.empty());
    say();
}

QString ImpactPanel::summary() const { return m_summary->text(); }

void ImpactPanel::say()
{
    const bool current = m_bridge.figures() && m_of == m_bridge.figures()->snapshot;
    if (m_stopped)
        m_summary->setText(tr("Stopped: the list does not match the current design."));
    else
        m_summary->setText(current ? m_ranked : tr("Calculating all single failures …"));
}

void ImpactPanel::clear()
{
    m_bridge.jobs().cancelSlot(kAnswer);
    m_answer->clear();
    m_failed.clear();
    m_airLost = {};
    m_list->clearSelection();
    m_list->setCurrentIndex({});
    OverlaySource& overlay = OverlaySource::of(m_bridge);
    if (overlay.name() == kImpactOverlay) overlay.hide();
    onJobs();
}

void ImpactPanel::rank()
{
    const auto figures = m_bridge.figures();
    m_stopped = false, m_ranking = true;
    m_bridge.jobs().start<Result<Ranking>>(
        kRanking, tr("Failure impact"),
        [figures, model = m_model && m_model->figures == figures ? m_model : impact::ModelPtr()](const Progress& progress) -> Result<Ranking> {
            const auto made = model ? Result<impact::ModelPtr>(model) : impact::Model::of(figures, progress);
            if (!made) return tl::unexpected(made.error());
            const auto singles = impact::rankSingles(*made, progress);
            if (!singles) return tl::unexpected(singles.error());
            const auto groups = impact::alike(**made, *singles);
            Ranking out{*made, {}, singles->size(), groups.size()};
            for (std::size_t g = 0; g < std::min(groups.size(), kMostStoryRows); ++g)
                out.rows.push_back(rowOf(**made, (*singles)[groups[g].from], groups[g].to - groups[g].from));
            return out;
        },
        [this, of = figures->snapshot](Result<Ranking> ranking) {
            if (ranking)
                take(*ranking, of);
            else if (ranking.error().code != ErrorCode::Canceled)
                m_bridge.report(ranking.error());
        });
}

void ImpactPanel::take(const Ranking& ranking, const SnapshotPtr& of)
{
    if (!m_bridge.figures() || of != m_bridge.figures()->snapshot) { // of a design that is gone
        m_ranking = false;
        m_following.soon();
        return;
    }
    const QScopedValueRollback filling(m_filling, true);
    m_revision = of->revision;
    m_of = of;
    m_ranking = false;
    m_model = ranking.model;
    m_list->cells()->setRows(ranking.rows);
    const Text elements =
        i18np(std::int64_t(ranking.elements), "{:L} single failure", "{:L} single failures, worst first; identical outcomes grouped");
    m_ranked = ranking.elements == 0                  ? tr("The design contains no equipment that can fail.")
               : ranking.groups > ranking.rows.size() ? tr("%1; first %2 of %3 rows").arg(text(elements)).arg(ranking.rows.size()).arg(ranking.groups)
                                                      : text(elements);
    onJobs();
}

void ImpactPanel::onCurrent()
{
    const CellRow* row = m_list->currentRow();
    if (!row || !row->entity || m_filling) return;
    impact::Failing failing{row->entity, -1, -1};
    failing.pump = row->key.section('/', 2).toShort(); // a pump inside is a line of its own
    askFor({failing});
}

void ImpactPanel::ask(const std::vector<EntityRef>& entities)
{
    std::vector<impact::Failing> failing;
    for (const EntityRef entity : entities) failing.push_back({entity, -1, -1});
    askFor(failing);
}

void ImpactPanel::askFor(const std::vector<impact::Failing>& failing)
{
    const auto figures = m_bridge.figures();
    if (!figures || failing.empty()) return;
    const bool current = m_model && m_model->figures == figures;
    m_bridge.jobs().start<Result<Answer>>(
        kAnswer, {},
        [figures, failing, model = current ? m_model : impact::ModelPtr()](const Progress& progress) -> Result<Answer> {
            const auto made = model ? Result<impact::ModelPtr>(model) : impact::Model::of(figures, progress);
            if (!made) return tl::unexpected(made.error());
            impact::Study study(*made);
            const impact::Effect& effect = study.lose(failing);
            Answer answer{*made, impactHtml(study, effect, failing, kMostStoryLines), nullptr, {}, airUnitsLost(study)};
            for (const impact::Failing& f : failing) answer.failed.push_back(impact::nameOf(**made, f));
            answer.values = std::make_shared<const OverlayValues>(
                OverlayValues{std::string(kImpactOverlay), impactFields(study, effect, impactTitle(**made, failing))});
            return answer;
        },
        [this, figures](Result<Answer> answer) {
            if (!answer) {
                if (answer.error().code != ErrorCode::Canceled) m_bridge.report(answer.error());
                return;
            }
            if (m_bridge.figures() != figures) return; // of a design that is gone
            m_model = answer->model;
            m_failed = answer->failed;
            m_airLost = answer->airLost;
            m_answer->setHtml(answer->html);
            OverlaySource::of(m_bridge).show(answer->values);
            onJobs();
        });
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/scenario_panel.h"

#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QStyle>

#include <algorithm>
#include <set>

namespace hw::views {

ScenarioPanel::ScenarioPanel(DocumentBridge& bridge, ScenarioRunner runner, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_runner(std::move(runner)), m_kind(new QComboBox), m_segments(new QLineEdit), m_megabytes(new QDoubleSpinBox),
      m_seed(new QSpinBox), m_run(new QPushButton), m_clear(new QPushButton(tr("C&lear"))), m_progress(new QProgressBar), m_state(new QLabel), m_completion(new QLabel),
      m_rates(new QLabel), m_certificate(new QLabel), m_notes(new QLabel),
      m_hottest(new ListView(bridge, {tr("Hottest links"), tr("Direction"), tr("Load"), tr("Flows"), tr("Used")}, tr("Hottest links")))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(space(3), space(2), 0, 0);
    layout->setSpacing(space(4));
    layout->addWidget(makeForm());
    layout->addWidget(makeResults());
    layout->addWidget(m_hottest, 1);
    m_hottest->setColumnWidths({-1, 8, 11, 6, 9});
    connect(&bridge.jobs(), &Jobs::changed, this, &ScenarioPanel::onJobs);
    connect(&bridge, &DocumentBridge::simulationChanged, this, &ScenarioPanel::showResult);
    onJobs();
    showResult();
}

QWidget* ScenarioPanel::makeForm()
{
    auto* box = new QWidget;
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(space(1));
    m_kind->addItems({tr("Ring all-reduce per rail"), tr("Permutation")});
    m_segments->setPlaceholderText(tr("all, or 1-4, 7"));
    m_segments->setObjectName("scenarioSegments");
    m_megabytes->setRange(0.001, 1e6);
    m_megabytes->setDecimals(0);
    m_megabytes->setValue(1024);
    m_megabytes->setSuffix(" MB");
    m_seed->setRange(1, 1000000000);
    m_run->setObjectName("scenarioRun");
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    form->addRow(tr("&Workload"), m_kind);
    form->addRow(tr("Se&gments"), m_segments);
    form->addRow(tr("Si&ze"), m_megabytes);
    form->addRow(tr("See&d"), m_seed);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_run, 1);
    buttons->addWidget(m_clear);
    form->addRow(buttons);
    form->addRow(m_progress);
    connect(m_run, &QPushButton::clicked, this, [this] { m_bridge.jobs().busy("simulation") ? cancel() : run(); });
    connect(m_clear, &QPushButton::clicked, this, [this] { m_bridge.setFlows(nullptr); });
    connect(m_segments, &QLineEdit::textChanged, this, [this] {
        m_segments->setProperty("bad", !parseSegments(m_segments->text()).has_value());
        m_segments->style()->polish(m_segments);
    });
    box->setFixedWidth(fontMetrics().averageCharWidth() * 36);
    return box;
}

QWidget* ScenarioPanel::makeResults()
{
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space(1));
    m_completion->setFont(scaledFont(1.7, QFont::DemiBold));
    m_state->setProperty("role", "dim");
    m_notes->setProperty("role", "faint");
    for (QLabel* label : {m_state, m_rates, m_certificate, m_notes}) label->setWordWrap(true);
    for (QLabel* label : {m_state, m_completion, m_rates, m_certificate, m_notes}) column->addWidget(label);
    column->addStretch(1);
    box->setFixedWidth(fontMetrics().averageCharWidth() * 40);
    return box;
}

std::optional<std::vector<int>> ScenarioPanel::parseSegments(const QString& text)
{
    std::set<int> result;
    for (const QString& piece : text.split(',', Qt::SkipEmptyParts)) {
        const QStringList ends = piece.trimmed().split('-');
        bool first = false, last = false;
        const int from = ends.front().trimmed().toInt(&first), to = ends.back().trimmed().toInt(&last);
        if (!first || !last || ends.size() > 2 || from < 1 || to < from || to > 100000) return std::nullopt;
        for (int i = from; i <= to; ++i) result.insert(i - 1);
    }
    return std::vector<int>(result.begin(), result.end());
}

std::optional<ScenarioChoice> ScenarioPanel::choice() const
{
    const auto segments = parseSegments(m_segments->text());
    if (!segments) return std::nullopt;
    return ScenarioChoice{m_kind->currentIndex() == 1, *segments, m_megabytes->value() * 1e6, std::uint64_t(m_seed->value())};
}

void ScenarioPanel::run()
{
    const auto wanted = choice();
    if (!wanted || !m_bridge.figures()) return m_segments->setFocus();
    if (!m_runner) return m_bridge.report({ErrorCode::Fault, "simulation", "this build has no flow engine", {}});
    m_bridge.jobs().start<Result<FlowPtr>>(
        "simulation", tr("Simulating flows"),
        [runner = m_runner, figures = m_bridge.figures(), wanted = *wanted](const Progress& progress) { return runner(figures, wanted, progress); },
        [this](Result<FlowPtr> result) {
            if (result) m_bridge.setFlows(std::move(*result));
            else if (result.error().code != ErrorCode::Cancelled) m_bridge.report(result.error());
        });
}

void ScenarioPanel::cancel() { m_bridge.jobs().cancelSlot("simulation"); }

void ScenarioPanel::onJobs()
{
    const auto& jobs = m_bridge.jobs().running();
    const auto job = std::ranges::find(jobs, QString("simulation"), &Jobs::Job::slot);
    const bool busy = job != jobs.end();
    m_run->setText(busy ? tr("Cancel") : tr("&Run"));
    m_run->setIcon(icon(busy ? "stop" : "play", theme().accent));
    m_progress->setVisible(busy);
    if (busy && job->fraction < 0) m_progress->setRange(0, 0);
    else if (busy) {
        m_progress->setRange(0, 1000);
        m_progress->setValue(int(job->fraction * 1000));
        m_state->setText(job->step);
    }
}

void ScenarioPanel::showResult()
{
    const FlowPtr& flows = m_bridge.flows();
    m_clear->setEnabled(flows != nullptr);
    for (QLabel* label : {m_completion, m_rates, m_certificate, m_notes}) label->setVisible(flows != nullptr);
    if (!flows) {
        m_state->setText(tr("Run a workload to see the load of every link, here, in the plan and in 3D."));
        m_hottest->cells()->setRows({});
        return;
    }
    m_state->setText(m_bridge.flowsStale() ? tr("%1 — of an earlier state of the design").arg(text(flows->scenarioName)) : text(flows->scenarioName));
    m_completion->setText(duration(flows->completionS));
    m_rates->setText(tr("%1 flows, slowest %2, mean %3").arg(count(std::int64_t(flows->flows.size())), rate(flows->minRateGbps), rate(flows->meanRateGbps)));
    const QColor color = flows->certificateOk ? theme().ok : theme().error;
    m_certificate->setText(QString("<span style='color:%1'>%2</span>").arg(color.name(), flows->certificateOk ? tr("Proved max-min fair (gap %1)").arg(flows->certificateGap, 0, 'g', 2)
                                                                                                            : tr("Not proved max-min: gap %1").arg(flows->certificateGap, 0, 'g', 2)));
    QStringList notes;
    for (const auto& note : flows->notes) notes << text(note);
    m_notes->setText(notes.join("\n"));
    fillHottest(*flows);
}

void ScenarioPanel::fillHottest(const sim::FlowResult& result)
{
    if (!m_bridge.figures()) return;
    std::vector<CellRow> rows;
    for (const auto& hot : result.hottest) {
        const LinkId link(hot.directedLink / 2);
        if (!m_bridge.figures()->snapshot->links.contains(link)) continue;
        CellRow row;
        row.entity = ref(link);
        row.key = QString::number(hot.directedLink);
        row.cells = {{m_bridge.nameOf(ref(link))},
                     {hot.directedLink % 2 == 0 ? tr("up") : tr("down")},
                     {rate(result.loadGbps[hot.directedLink]), double(result.loadGbps[hot.directedLink]), {}, {}, -1, true},
                     {count(hot.flows), hot.flows, {}, {}, -1, true},
                     {percent(hot.utilisation), hot.utilisation, {}, {}, hot.utilisation, true}};
        row.toolTip = tr("%1 of %2").arg(rate(result.loadGbps[hot.directedLink]), rate(result.capacityGbps[hot.directedLink]));
        rows.push_back(std::move(row));
    }
    m_hottest->cells()->setRows(std::move(rows));
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/feeders/feeders_panel.h"

#include "core/derived/rules/functions.h"
#include "core/foundation/model/setting_values.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/named_figure.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QStackedWidget>
#include <QTabBar>

#include <algorithm>
#include <cmath>

namespace hw::views {

namespace {

Cell figure(const QString& shown, double key, const QColor& color = {}) { return {shown, key, {}, color, -1, true}; }
QString amperes(double a) { return QObject::tr("%1 A").arg(count(std::llround(a))); }
QString voltage(double v) { return QObject::tr("%1 V").arg(count(std::llround(v))); }
QString kiloamperes(double a) { return a > 0 ? QObject::tr("%1 kA").arg(a / 1000, 0, 'f', 1) : QString("–"); }

/// What rows of runs say by their color.
struct RunLimits {
    double branchDrop = 0, totalDrop = 0; ///< shares
};

CellRow runRow(const Feeder& f, const Figures& figures, const RunLimits& limits)
{
    const Snapshot& s = *figures.snapshot;
    const auto name = [&](DeviceId id) { return text(entityName(s, *figures.parts, ref(id))); };
    CellRow row;
    row.entity = ref(f.consumer);
    row.key = QString::number(f.link.value);
    const QString conductor = f.size.type ? text(s.partTypes.slug[*f.size.type]) : QString("–");
    const double most = double(f.size.carriesMa) / 1000, share = most > 0 ? f.worstAmps / most : 0;
    const QString unknown = "–";
    row.cells = {{name(f.supplier)},
                 {.text = name(f.consumer), .place = true},
                 {f.side ? QString(QChar(f.side)) : QString()},
                 {f.size.runs > 1 ? QString("%1 × %2").arg(f.size.runs).arg(conductor) : conductor},
                 figure(length(std::llround(f.meters * 1000)), f.meters),
                 figure(power(f.loadW), f.loadW),
                 figure(amperes(f.worstAmps), f.worstAmps),
                 most > 0 ? figure(percent(share, 0), share, share > 1 ? theme().error : QColor()) : figure(unknown, -1),
                 f.known ? figure(percent(f.dropShare, 2), f.dropShare, f.dropShare > limits.branchDrop ? theme().warning : QColor())
                         : figure(unknown, -1),
                 figure(percent(f.regulatedShare, 2), f.regulatedShare, f.regulatedShare > limits.totalDrop ? theme().warning : QColor()),
                 f.known ? figure(power(f.lossW), f.lossW) : figure(unknown, -1)};
    row.toolTip = QObject::tr("%1, %2; worst case %3 of %4 at %5; drop from the last transformer with UPS on bypass: %6")
                      .arg(row.cells[3].text, row.cells[4].text, amperes(f.worstAmps), amperes(most), voltage(f.size.volts), percent(f.pathShare, 2));
    return row;
}

CellRow faultRow(const FaultLevel& level, double withstand, const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    CellRow row;
    row.entity = ref(level.at);
    row.key = QString::number(level.at.value);
    const bool over = withstand > 0 && level.most() > withstand;
    row.cells = {{.text = text(entityName(s, *figures.parts, ref(level.at))), .place = true},
                 {text(s.partTypes.slug[s.devices.type[level.at]])},
                 figure(voltage(level.volts), level.volts),
                 figure(kiloamperes(level.gridAmps), level.gridAmps),
                 figure(kiloamperes(level.gridPeak), level.gridPeak),
                 figure(kiloamperes(level.setsAmps), level.setsAmps),
                 figure(kiloamperes(withstand), withstand, over ? theme().error : QColor())};
    return row;
}

CellRow gridRow(const GridFact& fact)
{
    CellRow row;
    if (fact.at) row.entity = ref(*fact.at);
    row.key = text(fact.label);
    row.cells = {{text(fact.label)}, {.text = text(fact.value), .color = fact.over ? theme().warning : QColor()}, {text(fact.limit)}};
    return row;
}

QString summaryOf(const FeederStudy& study, const Figures& figures)
{
    QStringList parts{namedFigure(QObject::tr("Conductor runs"), count(std::int64_t(study.feeders.size()))),
                      namedFigure(QObject::tr("Losses"), power(study.lossW())), namedFigure(QObject::tr("Facility power"), power(study.facilityW))};
    if (const Feeder* worst = study.worstDrop())
        parts << namedFigure(QObject::tr("Largest voltage drop"),
                             QObject::tr("%1 to %2")
                                 .arg(percent(worst->regulatedShare, 2), text(entityName(*figures.snapshot, *figures.parts, ref(worst->consumer)))));
    if (!study.lost.empty()) parts << namedFigure(QObject::tr("Devices without power"), count(std::int64_t(study.dark.size())));
    if (const auto over = study.overloaded(); !over.empty())
        parts << QString("<span style='color:%1'>%2</span>")
                     .arg(theme().error.name(), QObject::tr("above ampacity: %1").arg(count(std::int64_t(over.size()))));
    return parts.join("&nbsp;&nbsp;&nbsp;");
}

} // namespace

FeedersPanel::FeedersPanel(DocumentBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_states(new QComboBox), m_pages(new QTabBar), m_summary(new QLabel), m_problem(new QLabel),
      m_runs(new ListView(bridge,
                          {tr("From"), tr("To"), tr("Feed"), tr("Conductor"), tr("Length"), tr("Load"), tr("Worst case"), tr("Ampacity"), tr("Drop"),
                           tr("Total drop"), tr("Losses")},
                          tr("Conductor runs"))),
      m_faults(new ListView(bridge,
                            {tr("Equipment"), tr("Type"), tr("Voltage"), tr("From the grid"), tr("Peak"), tr("From generators"), tr("Withstand")},
                            tr("Short-circuit currents"))),
      m_grid(new ListView(bridge, {tr("Grid connection"), tr("Value"), tr("Limit")}, tr("Grid connection"))), m_result(new QStackedWidget),
      m_following(bridge, *this, FollowingView::Pace::Rested, [this] { refresh(); })
{
    m_states->setObjectName("feedersState"), m_summary->setObjectName("feedersFigures"), m_problem->setObjectName("feedersProblem");
    m_states->addItem(tr("All in service (worst single failure)"), -1);
    m_states->setToolTip(tr("Element out of service; the others carry its load"));
    m_states->setAccessibleName(tr("State"));
    m_states->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_states->setMinimumContentsLength(24);
    m_summary->setTextFormat(Qt::RichText), m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->setWordWrap(true), m_problem->hide();
    m_runs->setColumnWidths({-1, -1, 5, 18, 9, 10, 11, 10, 9, 11, 10});
    m_runs->setSpareColumns({2, 4, 5, 3, 6, 8}); // ampacity, total drop and losses stay
    m_faults->setColumnWidths({-1, -1, 10, 12, 9, 14, 10});
    m_faults->setSpareColumns({1, 4, 5});
    m_grid->setColumnWidths({26, -1, 20});

    m_pages->setObjectName("feedersPages");
    m_pages->setDrawBase(false), m_pages->setExpanding(false);
    for (const QString& title : {tr("Conductor runs"), tr("Short circuits"), tr("Grid connection")}) m_pages->addTab(title);
    for (QWidget* page : {static_cast<QWidget*>(m_runs), static_cast<QWidget*>(m_faults), static_cast<QWidget*>(m_grid)}) m_result->addWidget(page);

    auto* top = new QHBoxLayout;
    top->setContentsMargins(space(3), 0, space(3), 0);
    top->setSpacing(space(2));
    top->addWidget(m_pages), top->addStretch(1), top->addWidget(m_states);
    auto* figures = new QHBoxLayout;
    figures->setContentsMargins(space(3), 0, space(3), 0);
    figures->addWidget(m_summary, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space(1), 0, 0);
    layout->setSpacing(space(1));
    layout->addLayout(top), layout->addLayout(figures), layout->addWidget(m_problem), layout->addWidget(m_result, 1);
    const QString scope = text(feederScope()[0]) + ' ' + text(feederScope()[1]);
    m_summary->setToolTip(scope), m_faults->setToolTip(scope);

    connect(m_pages, &QTabBar::currentChanged, m_result, &QStackedWidget::setCurrentIndex);
    connect(m_states, &QComboBox::currentIndexChanged, this, [this] { m_following.soon(); });
}

void FeedersPanel::showPage(Page page) { m_pages->setCurrentIndex(page); }

void FeedersPanel::showStates()
{
    const Snapshot& s = *m_bridge.figures()->snapshot;
    std::vector<std::pair<QString, int>> states;
    s.devices.forEach([&](DeviceId id) {
        const auto element = m_bridge.figures()->parts->device(s.devices.type[id]).power.element;
        if (s.tiers.kind[s.devices.tier[id]] == TierKind::Power && (element == PowerElement::Utility || element == PowerElement::Transformer))
            states.emplace_back(tr("Without %1").arg(text(s.devices.name[id])), int(id.value));
    });
    std::ranges::sort(states);
    bool same = std::size_t(m_states->count()) == states.size() + 1;
    for (int i = 0; same && i < int(states.size()); ++i)
        same = m_states->itemData(i + 1).toInt() == states[std::size_t(i)].second && m_states->itemText(i + 1) == states[std::size_t(i)].first;
    if (same) return;
    const QSignalBlocker quiet(m_states);
    const int chosen = m_states->currentData().toInt();
    while (m_states->count() > 1) m_states->removeItem(1);
    for (const auto& [name, id] : states) m_states->addItem(name, id);
    m_states->setCurrentIndex(std::max(0, m_states->findData(chosen)));
}

void FeedersPanel::refresh()
{
    if (!m_bridge.figures()) return;
    showStates();
    m_following.work<Outcome>(
        "feeders",
        [figures = m_bridge.figures(), chosen = m_states->currentData().toInt()](const Progress& progress) {
            Outcome out{.study = {}, .figures = figures, .problem = {}};
            std::vector<DeviceId> lost;
            if (chosen >= 0) lost.emplace_back(std::uint32_t(chosen));
            if (const auto made = figures->prepare<PowerNode, SupplyNode>(progress); !made) return out;
            auto study = feederStudy(*figures, lost);
            if (study)
                out.study = std::make_shared<const FeederStudy>(std::move(*study));
            else
                out.problem = text(words(i18n("{}: {}; {}", study.error().where, study.error().what, study.error().todo)));
            return out;
        },
        [this](const Outcome& outcome) { show(outcome); });
}

void FeedersPanel::show(const Outcome& outcome)
{
    m_study = outcome.study;
    m_problem->setText(outcome.problem);
    m_problem->setVisible(!m_study);
    m_result->setVisible(bool(m_study));
    m_summary->setText(m_study ? summaryOf(*m_study, *outcome.figures) : QString());
    std::vector<CellRow> runs, faults, grid;
    if (m_study) {
        const Figures& figures = *outcome.figures;
        const auto share = [&](const Threshold& limit) { return numberSetting(*figures.snapshot, limit.setting, limit.value) / 100; };
        const RunLimits limits{share(rules::kBranchDrop), share(rules::kTotalDrop)};
        for (const Feeder& f : m_study->feeders) runs.push_back(runRow(f, figures, limits));
        std::vector<std::size_t> order(m_study->faults.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) {
            const FaultLevel& level = m_study->faults[i];
            return std::tuple(m_study->withstand[i] > 0, level.volts, level.most());
        });
        for (const std::size_t i : order) faults.push_back(faultRow(m_study->faults[i], m_study->withstand[i], figures));
        for (const GridFact& fact : gridFacts(*m_study, *figures.snapshot, *figures.parts)) grid.push_back(gridRow(fact));
    }
    m_pages->setTabVisible(Faults, !m_study || m_study->lost.empty());
    m_runs->cells()->setRows(std::move(runs)), m_faults->cells()->setRows(std::move(faults)), m_grid->cells()->setRows(std::move(grid));
    emit shown();
}

} // namespace hw::views

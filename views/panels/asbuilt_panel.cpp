// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/asbuilt_panel.h"

#include "core/operations/asbuilt/compare_output.h"
#include "core/operations/asbuilt/segment.h"
#include "core/operations/asbuilt/work_order.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>

#include <algorithm>
#include <array>

namespace hw::views {

namespace {

using asbuilt::Difference;
constexpr int kAllKinds = -1, kNotMatched = -2, kToday = -3, kGates = -4; ///< of the choice what to show; from 0: a kind
constexpr std::size_t kMostDifferences = 5000;

QString floorText(const asbuilt::FloorPlace& place)
{
    if (place.rack.empty()) return text(place.row.empty() ? place.hall : place.hall + " / " + place.row);
    return text(place.hall + " / " + place.row + " / " + place.rack) + (place.u >= 0 ? QString(" U%1").arg(place.u) : QString());
}

/// What a difference is about: its planned cables, then the devices at their ends.
std::vector<EntityRef> aboutOf(const Difference& d)
{
    std::vector<EntityRef> all;
    for (const LinkId link : d.links) all.push_back(ref(link));
    const auto add = [&](Maybe<DeviceId> device) {
        if (device && std::ranges::find(all, ref(*device)) == all.end()) all.push_back(ref(*device));
    };
    for (const asbuilt::WorkStep& step : d.work) add(step.device), add(step.to);
    for (const asbuilt::SeenLink& seen : d.seen) add(seen.from.device), add(seen.to.device);
    return all;
}

CellRow differenceRow(const Snapshot& s, const Difference& d, std::size_t rank, bool today)
{
    CellRow row;
    row.key = text(d.id);
    const auto about = aboutOf(d);
    row.entity = about.empty() ? EntityRef{} : about.front();
    row.dim = today;
    const bool lost = d.cost.gpusLost.active > 0;
    const QString place = d.work.empty() ? QString() : floorText(asbuilt::floorPlace(s, d.work.front().device));
    row.cells = {{text(asbuilt::kindTitle(d.kind)), int(d.kind), lost ? "error" : "warning", lost ? theme().error : theme().warning},
                 {text(d.message)},
                 {.text = place, .place = true},
                 {text(asbuilt::costText(d.cost)), qlonglong(rank)}};
    row.toolTip = row.cells[1].text;
    return row;
}

QString gateResultText(GateResult result)
{
    switch (result) {
    case GateResult::Open: return AsBuiltPanel::tr("open");
    case GateResult::Passed: return AsBuiltPanel::tr("passed");
    case GateResult::Failed: return AsBuiltPanel::tr("failed");
    case GateResult::Waived: return AsBuiltPanel::tr("waived");
    }
    return {};
}

CellRow doubtRow(const QString& kind, const asbuilt::CaptureIssue& doubt)
{
    CellRow row;
    row.key = kind + "|" + text(doubt.where) + "|" + text(doubt.what);
    row.dim = true;
    row.cells = {{kind, 1000, "info", theme().accent}, {text(doubt.what)}, {text(doubt.where)}, {QString(), qlonglong(kMostDifferences * 10)}};
    row.toolTip = text(doubt.where) + ": " + text(doubt.what);
    return row;
}

constexpr std::array kWorkColumns{14, 22, 22, 28, 30}; ///< characters; then all in one sentence, for where they have no room
constexpr int kWorkSentence = int(kWorkColumns.size()), kWorkLabel = kWorkSentence - 1;

/// What to do, step by step: in columns, or where they have no room as sentences over several lines. Never scrolls sideways.
class WorkList final : public ListView {
public:
    explicit WorkList(DocumentBridge& bridge)
        : ListView(bridge,
                   {AsBuiltPanel::tr("Action"), AsBuiltPanel::tr("Plug"), AsBuiltPanel::tr("To"), AsBuiltPanel::tr("Location"),
                    AsBuiltPanel::tr("Label"), AsBuiltPanel::tr("Instructions")},
                   AsBuiltPanel::tr("Instructions"))
    {
        setColumnWidths({kWorkColumns.begin(), kWorkColumns.end()});
        connect(model(), &QAbstractItemModel::modelReset, this, &WorkList::arrange);
        connect(model(), &QAbstractItemModel::layoutChanged, this, &WorkList::arrange);
        connect(model(), &QAbstractItemModel::dataChanged, this, &WorkList::arrange);
        arrange();
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        ListView::resizeEvent(event);
        arrange();
    }

private:
    /// The label leaves first, as labels say what stands beside them.
    void arrange()
    {
        int needed = 0, withLabel = 0;
        for (int i = 0; i < kWorkSentence; ++i) {
            withLabel += int(kWorkColumns[std::size_t(i)] * double(fontMetrics().averageCharWidth())) + space(4); // as ListView makes them
            if (i < kWorkLabel) needed = withLabel;
        }
        const int room = viewport()->width(), usual = verticalHeader()->defaultSectionSize();
        const bool narrow = room < needed;
        for (int i = 0; i <= kWorkSentence; ++i) setColumnHidden(i, i == kWorkSentence ? !narrow : narrow || (i == kWorkLabel && room < withLabel));
        setWordWrap(narrow);
        if (narrow) setColumnWidth(kWorkSentence, room);
        for (int i = 0; i < model()->rowCount(); ++i) setRowHeight(i, narrow ? std::max(sizeHintForRow(i) + space(2), usual) : usual);
    }
};

/// How the gates of acceptance went, segment by segment, each network with hosts.
std::vector<CellRow> gateRows(const Snapshot& s)
{
    std::vector<CellRow> rows;
    const auto addSegment = [&](const asbuilt::SegmentKey& key) {
        const auto states = asbuilt::gatesOf(s, key);
        for (int gate = 1; gate <= asbuilt::kGates; ++gate) {
            const asbuilt::GateState& state = states[std::size_t(gate - 1)];
            const bool failed = state.result == GateResult::Failed;
            CellRow row;
            row.entity = ref(key.network);
            row.key = QString("gate/%1/%2/%3/%4").arg(key.network.value).arg(key.pod).arg(key.segment).arg(gate);
            row.dim = state.result == GateResult::Open;
            row.cells = {{gateResultText(state.result), int(state.result),
                          failed              ? "error"
                          : state.isThrough() ? "ok"
                                              : "info",
                          failed              ? theme().error
                          : state.isThrough() ? theme().ok
                                              : theme().textFaint},
                         {QString("%1. %2").arg(gate).arg(text(asbuilt::gateTitle(gate))) +
                          (state.evidence.empty() ? QString() : ": " + text(state.evidence))},
                         {text(asbuilt::segmentTitle(s, key))},
                         {text(state.author + (state.date.empty() ? "" : " " + state.date))}};
            row.toolTip = row.cells[1].text;
            rows.push_back(std::move(row));
        }
    };
    s.networks.forEach([&](NetworkId id) {
        if (s.networks.kind[id] == NetworkKind::Backend) std::ranges::for_each(asbuilt::segmentsOf(s, id), addSegment);
    });
    return rows;
}

} // namespace

AsBuiltPanel::AsBuiltPanel(DocumentBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge),
      m_list(new ListView(bridge, {tr("Kind"), tr("Difference"), tr("Location"), tr("At risk")}, tr("Differences between design and as-built"))),
      m_work(new WorkList(bridge)), m_summary(new QLabel), m_show(new QComboBox), m_read(new QPushButton(tr("&Import captures …"))),
      m_keep(new QPushButton(tr("&Save to project"))), m_kept(new QPushButton(tr("Show &saved data"))), m_order(new QPushButton(tr("&Work order …"))),
      m_following(bridge, *this, FollowingView::Pace::Rested, [this] { refresh(); })
{
    makeLayout();
    connect(&bridge, &DocumentBridge::figuresChanged, this, [this](const FiguresPtr&, const ChangesPtr& changes) {
        if (!changes) m_see = nullptr; // another design: the capture was of the one before
    });
    connect(m_show, &QComboBox::activated, this, &AsBuiltPanel::fill);
    connect(m_read, &QPushButton::clicked, this, &AsBuiltPanel::captureRequested);
    connect(m_keep, &QPushButton::clicked, this, &AsBuiltPanel::keepRequested);
    connect(m_kept, &QPushButton::clicked, this, &AsBuiltPanel::compareKept);
    connect(m_order, &QPushButton::clicked, this, [this] { emit workOrderRequested(m_figures, m_comparison); });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &AsBuiltPanel::fillWork);
    connect(m_list, &QTableView::clicked, this, &AsBuiltPanel::onClicked);
    fill();
}

void AsBuiltPanel::makeLayout()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space(1), 0, 0);
    layout->setSpacing(space(1));
    auto* top = new QHBoxLayout;
    top->setContentsMargins(space(3), 0, space(3), 0);
    m_summary->setWordWrap(true);
    top->addWidget(m_summary, 1);
    m_show->addItem(tr("All"), kAllKinds);
    for (std::size_t k = 0; k < kWords<asbuilt::Kind>.size(); ++k) m_show->addItem(text(asbuilt::kindTitle(asbuilt::Kind(k))), int(k));
    m_show->addItem(tr("Unmatched"), kNotMatched);
    m_show->addItem(tr("Current as-built state"), kToday);
    m_show->addItem(tr("Acceptance gates"), kGates);
    m_show->setAccessibleName(tr("Differences to show"));
    m_show->setObjectName("asbuiltShow");
    m_read->setObjectName("asbuiltRead"), m_keep->setObjectName("asbuiltKeep");
    m_kept->setObjectName("asbuiltKept"), m_order->setObjectName("asbuiltOrder");
    top->addWidget(m_show);
    layout->addLayout(top);
    auto* buttons = new QHBoxLayout; // below: beside them a narrow window has no room for words
    buttons->setContentsMargins(space(3), 0, space(3), 0);
    for (QPushButton* button : {m_read, m_keep, m_kept, m_order}) buttons->addWidget(button);
    buttons->addStretch(1);
    layout->addLayout(buttons);
    auto* both = new QSplitter(Qt::Horizontal);
    both->setChildrenCollapsible(false);
    both->addWidget(m_list);
    both->addWidget(m_work);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
    m_list->setObjectName("asbuilt"), m_work->setObjectName("asbuiltWork");
    m_list->setColumnWidths({14, -1, 26, 18});
    m_list->setSpareColumns({2, 3}); // what to do says where, beside it
    layout->addWidget(both, 1);
}

QString AsBuiltPanel::summary() const { return m_summary->text(); }

void AsBuiltPanel::compareWith(const QString& name, See see)
{
    m_name = name;
    m_see = std::move(see);
    m_comparison = nullptr;
    fill();
    m_following.soon();
}

void AsBuiltPanel::compareKept() { compareWith({}, nullptr); }

void AsBuiltPanel::refresh()
{
    m_bridge.jobs().start<Result<Compared>>(
        "asbuilt", m_see ? tr("Comparing %1 with the design").arg(m_name) : QString(),
        [see = m_see, figures = m_bridge.figures()](const Progress& progress) -> Result<Compared> {
            Compared out{figures, {}, {}};
            if (see) {
                auto seen = see(figures->snapshot, progress);
                if (!seen) return tl::unexpected(seen.error());
                out.figures = std::move(seen->figures), out.doubts = std::move(seen->doubts);
            }
            auto comparison = asbuilt::compareStored(out.figures, progress);
            if (!comparison) return tl::unexpected(comparison.error());
            out.comparison = std::move(*comparison);
            return out;
        },
        [this](Result<Compared> compared) { showCompared(std::move(compared)); });
}

void AsBuiltPanel::showCompared(Result<Compared> compared)
{
    if (!compared) {
        m_comparison = nullptr;
        if (compared.error().code != ErrorCode::Canceled) m_bridge.report(compared.error());
        return fill();
    }
    m_figures = std::move(compared->figures);
    m_doubts = std::move(compared->doubts);
    m_comparison = std::make_shared<const asbuilt::Comparison>(std::move(compared->comparison));
    fill();
}

QString AsBuiltPanel::tallyText() const
{
    asbuilt::NetworkTally sum;
    for (const asbuilt::NetworkTally& n : m_comparison->networks) {
        sum.planned += n.planned, sum.asDesigned += n.asDesigned, sum.differs += n.differs;
        sum.notTold += n.notTold, sum.notBuilt += n.notBuilt, sum.unseen += n.unseen;
    }
    QStringList parts{tr("%1 of %2 planned links as designed").arg(count(sum.asDesigned), count(sum.planned)),
                      text(i18np(std::int64_t(m_comparison->differences.size()), "{:L} difference", "{:L} differences"))};
    if (sum.notTold > 0) parts << tr("%1 with unidentified ports").arg(count(sum.notTold));
    if (sum.notBuilt > 0) parts << tr("%1 not yet built").arg(count(sum.notBuilt));
    if (sum.unseen > 0) parts << tr("%1 not inspected").arg(count(sum.unseen));
    const auto doubts = m_comparison->unmatched.size() + m_comparison->contradictions.size() + m_doubts.size();
    if (doubts > 0) parts << tr("%1 unmatched").arg(count(std::int64_t(doubts)));
    return (m_see ? tr("%1, not saved: %2").arg(m_name, parts.join(", ")) : parts.join(", ")) + ".";
}

void AsBuiltPanel::fill()
{
    const bool any = m_comparison && (m_see || m_comparison->sightings > 0);
    m_keep->setVisible(bool(m_see)), m_kept->setVisible(bool(m_see));
    m_order->setEnabled(any && !m_comparison->differences.empty());
    const int filter = m_show->currentData().toInt();
    m_summary->setText(!m_comparison && m_see ? tr("Comparing %1 …").arg(m_name)
                       : !any                 ? tr("No as-built data yet. Import an LLDP, ibnetdiscover, NetBox or label-scan capture.")
                                              : tallyText());
    std::vector<CellRow> rows;
    if (filter == kGates && m_bridge.figures()) {
        rows = gateRows(*m_bridge.figures()->snapshot);
    } else if (any) {
        const Snapshot& s = *m_figures->snapshot;
        const auto& list = filter == kToday ? m_comparison->changing : m_comparison->differences;
        for (std::size_t i = 0; i < list.size() && rows.size() < kMostDifferences; ++i)
            if (filter == kAllKinds || filter == kToday || filter == int(list[i].kind))
                rows.push_back(differenceRow(s, list[i], i, filter == kToday));
        if (filter == kAllKinds || filter == kNotMatched) {
            for (const asbuilt::CaptureIssue& doubt : m_doubts) rows.push_back(doubtRow(tr("unmatched"), doubt));
            for (const asbuilt::CaptureIssue& doubt : m_comparison->unmatched) rows.push_back(doubtRow(tr("unmatched"), doubt));
            for (const asbuilt::CaptureIssue& doubt : m_comparison->contradictions) rows.push_back(doubtRow(tr("contradiction"), doubt));
        }
    }
    m_list->cells()->setRows(std::move(rows));
    fillWork();
}

const Difference* AsBuiltPanel::current() const
{
    const CellRow* row = m_list->currentRow();
    if (!row || !m_comparison) return nullptr;
    for (const auto* list : {&m_comparison->differences, &m_comparison->changing}) {
        const auto found = std::ranges::find(*list, row->key.toStdString(), &Difference::id);
        if (found != list->end()) return &*found;
    }
    return nullptr;
}

void AsBuiltPanel::fillWork()
{
    std::vector<CellRow> rows;
    if (const Difference* d = current())
        for (std::size_t i = 0; i < d->work.size(); ++i) {
            const asbuilt::WorkStep& step = d->work[i];
            const auto plug = [](const std::string& device, const std::string& port) { return text(port.empty() ? device : device + ":" + port); };
            CellRow row;
            row.key = text(d->id) + QString("/%1").arg(i);
            row.entity = step.device ? ref(*step.device) : EntityRef{};
            row.cells = {{text(asbuilt::actionText(step.what))},
                         {plug(step.deviceName, step.port)},
                         {plug(step.toDevice, step.toPort)},
                         {floorText(asbuilt::floorPlace(*m_figures->snapshot, step.device))},
                         {text(step.label)}};
            row.toolTip = tr("at %1, then at %2").arg(row.cells[3].text, floorText(asbuilt::floorPlace(*m_figures->snapshot, step.to)));
            if (!step.label.empty()) row.toolTip += "\n" + row.cells[4].text;
            row.cells.push_back({tr("%1 %2 → %3").arg(row.cells[0].text, row.cells[1].text, row.cells[2].text) +
                                 (row.cells[3].text.isEmpty() ? QString() : "\n" + tr("at %1").arg(row.cells[3].text))});
            rows.push_back(std::move(row));
        }
    m_work->cells()->setRows(std::move(rows));
}

/// All that the difference is about, as far as the plan still has it.
void AsBuiltPanel::onClicked()
{
    const Difference* d = current();
    if (!d) return;
    auto about = aboutOf(*d);
    std::erase_if(about, [&](EntityRef entity) { return !living(*m_bridge.snapshot(), entity); });
    if (!about.empty()) m_bridge.select(std::move(about));
}

} // namespace hw::views

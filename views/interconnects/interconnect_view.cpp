// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/interconnects/interconnect_view.h"

#include "views/charts/scatter_chart.h"
#include "views/panels/list_view.h"
#include "views/style/fit.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"
#include "views/style/units.h"

#include <QBoxLayout>
#include <QLocale>
#include <QSplitter>
#include <QToolButton>

#include <array>

namespace hw::views {

namespace {

/// Okabe and Ito's colors, which color-blind readers can tell apart.
QColor linkColor(std::size_t i)
{
    static const std::array<QColor, 7> kColors{"#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#0072b2", "#b5a400"};
    return kColors[i % kColors.size()];
}

/// Of marks and of rows: links of the design first.
int idOf(std::size_t index, bool ofDesign) { return ofDesign ? int(index) : -1 - int(index); }

/// From centimeters to kilometers; 0: not known.
QString lengthText(double meters)
{
    if (meters <= 0) return QStringLiteral("–");
    if (!units().feet) return text(interconnectLength(meters));
    const double feet = meters / 0.3048;
    return feet < 5280 ? QLocale().toString(feet, 'g', 3) + " ft" : QLocale().toString(feet / 5280, 'g', 3) + " mi";
}

Cell figure(double value) { return {value > 0 ? QLocale().toString(value, 'g', 4) : QStringLiteral("–"), value, {}, {}, -1, true}; }

/// "15 m – 20 m"; equal: once.
Cell lengthCell(double from, double to)
{
    const QString least = lengthText(from), most = lengthText(to);
    return {least == most ? most : QString("%1 – %2").arg(least, most), to, {}, {}, -1, true};
}

QString mediaText(const DesignInterconnect& one)
{
    QStringList media;
    for (const auto& medium : one.media) media << text(medium);
    return media.join(", ");
}

CellRow rowOf(const DesignInterconnect& one, std::size_t index)
{
    CellRow row;
    row.key = QString::number(idOf(index, true));
    row.bold = true;
    if (one.id) row.entity = ref(*one.id);
    row.cells = {{.text = text(one.network + ", " + interconnectName(one)), .color = linkColor(index)},
                 {text(titleOf(one.level)), int(one.level)},
                 {count(one.links), qlonglong(one.links), {}, {}, -1, true},
                 figure(one.gbytesPerS),
                 figure(one.gbytesPerSPerGpu),
                 lengthCell(one.shortestM, one.longestM),
                 {lengthText(one.reachM), one.reachM, {}, {}, -1, true},
                 {mediaText(one)}};
    row.toolTip = text(interconnectLine(one));
    return row;
}

CellRow rowOf(const InterconnectKind& kind, std::size_t index)
{
    CellRow row;
    row.key = QString::number(idOf(index, false));
    const QString assumed = QObject::tr("%1 (assumed)");
    row.cells = {{text(std::string(kind.technology))},
                 {text(titleOf(kind.level)), int(kind.level)},
                 {QStringLiteral("–"), 0, {}, {}, -1, true},
                 figure(kind.gbytesPerS),
                 {QStringLiteral("–"), 0, {}, {}, -1, true},
                 {QStringLiteral("–"), 0, {}, {}, -1, true},
                 {lengthText(kind.reachM), kind.reachM, {}, {}, -1, true},
                 {kind.assumed || kind.reachAssumed ? assumed.arg(text(std::string(kind.source))) : text(std::string(kind.source))}};
    row.toolTip = QObject::tr("Bandwidth: %1. Reach: %2.").arg(text(std::string(kind.source)), text(std::string(kind.reachSource)));
    return row;
}

ScatterMark scatterOf(const InterconnectMark& mark, const InterconnectMap& map)
{
    ScatterMark out;
    out.id = idOf(mark.index, mark.ofDesign);
    out.x = mark.fromM, out.xTo = mark.toM, out.y = mark.gbytesPerS, out.reach = mark.reachM;
    if (mark.ofDesign) {
        const DesignInterconnect& one = map.links[mark.index];
        out.name = text(one.network + ", " + interconnectName(one));
        out.tip = text(interconnectLine(one));
        out.color = linkColor(mark.index), out.strong = true;
    } else {
        const InterconnectKind& kind = interconnectKinds()[mark.index];
        out.name = text(std::string(kind.technology));
        out.tip = QObject::tr("%1: %2 GB/s, %3").arg(out.name, QLocale().toString(kind.gbytesPerS, 'g', 4), lengthText(kind.reachM));
        out.color = theme().textDim, out.faint = mark.assumed;
    }
    return out;
}

} // namespace

InterconnectView::InterconnectView(DocumentBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_summary(new ElidedLabel), m_chart(new ScatterChart),
      m_list(new ListView(
          bridge, {tr("Links or technology"), tr("Level"), tr("Links"), tr("GB/s"), tr("per GPU"), tr("Length"), tr("Reach"), tr("Medium or source")},
          tr("Interconnects"))),
      m_following(bridge, *this, FollowingView::Pace::Rested, [this] { refresh(); })
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(space(2), space(1), space(1), space(1));
    bar->addWidget(m_summary, 1);
    auto* write = new QToolButton;
    write->setObjectName("interconnectExport");
    write->setIcon(icon("export"));
    write->setToolTip(tr("Export the map as a drawing or a table"));
    write->setAccessibleName(write->toolTip());
    connect(write, &QToolButton::clicked, this, &InterconnectView::exportRequested);
    bar->addWidget(write);
    layout->addLayout(bar);
    m_chart->setObjectName("interconnectChart");
    m_chart->setAccessibleName(tr("Bandwidth and reach of interconnects"));
    m_list->setObjectName("interconnectList");
    m_list->setColumnWidths({-1, 9, 8, 7, 8, 17, 8, 22});
    m_list->setSpareColumns({7, 1, 3, 2, 5});
    auto* both = new QSplitter(Qt::Horizontal);
    both->addWidget(m_chart);
    both->addWidget(m_list);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
    both->setSizes({600, 400});
    layout->addWidget(both, 1);
    setFocusProxy(m_list);
    connect(m_chart, &ScatterChart::chosen, this, [this](int id) { choose(id, true); });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        if (const CellRow* row = m_list->currentRow()) choose(row->key.toInt(), false);
    });
}

/// Chart and table show the same; a mark also selects what its row would.
void InterconnectView::choose(int id, bool fromChart)
{
    m_chart->setCurrent(id);
    if (!fromChart) return;
    const QString key = QString::number(id);
    for (int row = 0; row < m_list->model()->rowCount(); ++row) {
        const CellRow* at = m_list->rowOf(m_list->model()->index(row, 0));
        if (!at || at->key != key) continue;
        m_list->showRow(row);
        if (at->entity) m_bridge.select(at->entity);
        return;
    }
}

void InterconnectView::refresh()
{
    if (!m_bridge.figures()) return;
    using Made = std::shared_ptr<const InterconnectMap>;
    m_following.work<Made>(
        "interconnects",
        [figures = m_bridge.figures()](const Progress& progress) -> Made {
            if (const auto made = figures->prepare<CablingNode>(progress); !made) return nullptr;
            return std::make_shared<const InterconnectMap>(interconnectsOf(*figures));
        },
        [this](const Made& map) {
            if (map) show(map);
        });
}

void InterconnectView::show(std::shared_ptr<const InterconnectMap> map)
{
    m_map = std::move(map);
    std::vector<ScatterMark> marks;
    for (const InterconnectMark& mark : interconnectMarks(*m_map)) marks.push_back(scatterOf(mark, *m_map));
    const auto reach = [](double meters) { return lengthText(meters); };
    m_chart->setChart({tr("Reach; links of the design: cable length"), true, reach},
                      {tr("GB/s per direction; links of the design: per GPU"), true, {}}, std::move(marks));
    std::vector<CellRow> rows;
    for (std::size_t i = 0; i < m_map->links.size(); ++i) rows.push_back(rowOf(m_map->links[i], i));
    for (std::size_t i = 0; i < interconnectKinds().size(); ++i) rows.push_back(rowOf(interconnectKinds()[i], i));
    m_list->cells()->setRows(std::move(rows));
    m_summary->setText(m_map->links.empty()
                           ? tr("The design has no data links and no scale-up domains.")
                           : tr("Links of the design from their shortest to their longest cable; dotted: reach of the cables and modules"));
}

} // namespace hw::views

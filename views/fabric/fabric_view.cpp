// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/fabric/fabric_view.h"

#include "core/derived/topology/holding.h"

#include "views/bridge/network_filter.h"
#include "views/fabric/fabric_canvas.h"
#include "views/fabric/matrix_view.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"
#include "views/values/overlay_source.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QToolButton>

#include <algorithm>

namespace hw::views {
namespace {

/// Tables that an index is made from; where things stand is not in it.
bool touchesNetworks(const ChangeSet& changes) { return changes.changesAny<Networks, Tiers, Devices, Ports, Links>(); }

} // namespace

FabricView::FabricView(DocumentBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_canvas(new FabricCanvas), m_matrix(new MatrixView), m_networks(new QComboBox), m_colors(new QComboBox),
      m_filter(new QLineEdit), m_found(new QLabel), m_crumbs(new QWidget)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    makeBar();
    layout->addLayout(m_bar);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(m_canvas);
    splitter->addWidget(m_matrix);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    layout->addWidget(splitter, 1);
    m_matrix->hide();
    setFocusProxy(m_canvas);
    connect(&bridge, &DocumentBridge::figuresChanged, this, [this](const FiguresPtr&, const ChangesPtr& changes) { onFigures(changes); });
    connect(&bridge, &DocumentBridge::documentChanged, this,
            [this](const ChangeEvent& event) { m_fresh = m_fresh || event.origin == ChangeOrigin::Load; });
    connect(&bridge, &DocumentBridge::selectionChanged, this, &FabricView::showSelection);
    connect(&bridge, &DocumentBridge::zoomRequested, this, &FabricView::reveal);
    connect(&bridge, &DocumentBridge::simulationChanged, this, &FabricView::onLoads);
    connect(&bridge, &DocumentBridge::simulationMarked, this, &FabricView::followLoads);
    connect(&OverlaySource::of(bridge), &OverlaySource::changed, this, &FabricView::onValues);
    for (QWidget* part : {static_cast<QWidget*>(m_canvas), static_cast<QWidget*>(m_matrix)})
        part->setObjectName(part == m_canvas ? "fabricCanvas" : "fabricMatrix");
    const auto pick = [this](const std::vector<EntityRef>& entities) { m_bridge.select(entities); };
    connect(m_canvas, &FabricCanvas::picked, this, pick);
    connect(m_matrix, &MatrixView::picked, this, pick);
    connect(m_canvas, &FabricCanvas::menuRequested, this, [this](QPoint at) { m_bridge.openMenu({}, at); });
    connect(m_canvas, &FabricCanvas::focusMoved, this, [this] {
        m_matrix->setModel(m_canvas->model());
        fillCrumbs();
    });
    if (bridge.figures()) onFigures(nullptr);
}

QToolButton* FabricView::addTool(const QString& iconName, const QString& tip, bool checkable)
{
    auto* button = new QToolButton;
    button->setIcon(icon(iconName));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setCheckable(checkable);
    m_bar->addWidget(button);
    return button;
}

void FabricView::makeBar()
{
    m_bar = new QHBoxLayout;
    m_bar->setContentsMargins(space(2), space(1), space(1), space(1));
    m_bar->setSpacing(space(2));
    m_networks->setAccessibleName(tr("Network"));
    m_networks->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_networks->setMaximumWidth(space(64));
    m_colors->setAccessibleName(tr("Color by"));
    m_colors->setToolTip(tr("Color by"));
    m_colors->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_filter->setPlaceholderText(tr("Filter by name"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setAccessibleName(tr("Fabric filter"));
    m_filter->addAction(icon("filter"), QLineEdit::LeadingPosition);
    m_filter->setFixedWidth(space(44));
    m_found->setProperty("role", "dim");
    m_crumbs->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_crumbs->setLayout(new QHBoxLayout);
    m_crumbs->layout()->setContentsMargins(0, 0, 0, 0);
    m_crumbs->layout()->setSpacing(0);
    m_bar->addWidget(m_networks);
    m_bar->addWidget(m_colors);
    m_bar->addWidget(m_crumbs, 1);
    m_bar->addWidget(m_found);
    m_bar->addWidget(m_filter);
    connect(addTool("layers", tr("Collapse all")), &QToolButton::clicked, m_canvas, &FabricCanvas::foldAll);
    m_matrixButton = addTool("table", tr("Show link counts as a matrix"), true);
    connect(m_matrixButton, &QToolButton::toggled, m_matrix, &QWidget::setVisible);
    connect(addTool("fit", tr("Zoom to all")), &QToolButton::clicked, m_canvas, &FabricCanvas::fit);
    connect(m_networks, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_filling) refreshIndex();
    });
    connect(m_colors, &QComboBox::currentIndexChanged, this, [this] {
        if (m_filling || m_colors->currentIndex() < 0) return;
        m_before.reset(); // the user's own choice stays
        m_showLoads = false;
        m_canvas->setColor(FabricColor(m_colors->currentData().toInt()));
        m_matrix->setLoadColors(m_canvas->look().color == FabricColor::Load);
    });
    connect(m_filter, &QLineEdit::textChanged, this, &FabricView::applyFilter);
}

void FabricView::onFigures(const ChangesPtr& changes)
{
    if (changes && !touchesNetworks(*changes)) return;
    m_stale = true;
    if (!changes && !isVisible()) m_canvas->setIndex(nullptr), m_matrix->setModel(nullptr); // would keep the design before in memory
    fillNetworks();
    refreshIndex();
}

void FabricView::fillNetworks()
{
    m_filling = true;
    const auto before = chosen();
    m_networks->clear();
    const Snapshot& s = *m_bridge.figures()->snapshot;
    s.networks.forEach([&](NetworkId id) {
        m_networks->addItem(networkIcon(s, id), networkTitle(s, id), id.value);
        if (before == id) m_networks->setCurrentIndex(m_networks->count() - 1);
    });
    m_filling = false;
}

std::optional<NetworkId> FabricView::chosen() const
{
    return m_networks->currentIndex() < 0 ? std::nullopt : std::optional(NetworkId(m_networks->currentData().toUInt()));
}

void FabricView::setNetwork(NetworkId network)
{
    const int at = m_networks->findData(network.value);
    if (at >= 0) m_networks->setCurrentIndex(at);
}

void FabricView::setColor(FabricColor color)
{
    const int at = m_colors->findData(int(color));
    if (at >= 0) m_colors->setCurrentIndex(at);
}

void FabricView::setMatrixVisible(bool visible) { m_matrixButton->setChecked(visible); }
void FabricView::fit() { m_canvas->fit(); }

void FabricView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale)
        refreshIndex();
    else
        onLoads();
}

void FabricView::whenReady(std::function<void()> call)
{
    if (!m_stale && m_canvas->model() && !m_bridge.jobs().busy("fabric")) return call();
    m_waiting.push_back(std::move(call));
    refreshIndex();
}

/// On a worker: 122,880 GPUs take some tens of milliseconds.
void FabricView::refreshIndex()
{
    if ((!isVisible() && m_waiting.empty()) || !m_bridge.figures()) {
        m_stale = true;
        return;
    }
    m_stale = false;
    const auto network = chosen();
    if (!network) return adopt(nullptr);
    m_bridge.jobs().start<FabricIndexPtr>(
        "fabric", {},
        [figures = m_bridge.figures(), id = *network](const Progress&) {
            return FabricIndex::make(figures->snapshot, id, figures->share<IndexNode>());
        },
        [this](FabricIndexPtr index) { adopt(std::move(index)); });
}

void FabricView::adopt(FabricIndexPtr index)
{
    m_canvas->setValues(OverlaySource::of(m_bridge).values());
    m_canvas->setLoads(m_bridge.flows());
    if (std::exchange(m_fresh, false)) m_canvas->setIndex(nullptr); // what was open belongs to another design
    m_canvas->setIndex(std::move(index));
    followLoads();
    m_matrix->setModel(m_canvas->model());
    fillColors();
    applyFilter();
    showSelection();
    if (m_pending) reveal(std::exchange(m_pending, EntityRef{}));
    for (const auto& call : std::exchange(m_waiting, {}))
        if (m_canvas->model()) call();
}

/// While nobody sees the view, loads that move cost nothing: they are taken up when it is shown.
void FabricView::onValues()
{
    if (!isVisible() || m_stale) return;
    m_canvas->setValues(OverlaySource::of(m_bridge).values());
    fillColors();
}

void FabricView::onLoads()
{
    if (!isVisible() || m_stale) return;
    m_canvas->setValues(OverlaySource::of(m_bridge).values());
    m_canvas->setLoads(m_bridge.flows());
    followLoads();
    m_matrix->setModel(m_canvas->model());
    fillColors();
}

void FabricView::showLoads(bool on)
{
    m_showLoads = on;
    if (!on && m_before) m_canvas->setColor(*std::exchange(m_before, std::nullopt));
    onLoads();
}

void FabricView::followLoads()
{
    m_canvas->setLoadsMark(m_bridge.flowsMark().peak ? tr("%1 (peak)").arg(m_bridge.flowsMark().whose) : m_bridge.flowsMark().whose,
                           m_bridge.flowsMark().stale);
    const auto model = m_canvas->model();
    if (!m_showLoads || !model || !model->loads() || m_canvas->look().color == FabricColor::Load) return;
    m_before = m_canvas->look().color;
    m_canvas->setColor(FabricColor::Load);
}

/// What is measured, or what somebody worked out, shows without another choice, and goes with it.
void FabricView::followMeasured()
{
    const OverlayPtr& values = OverlaySource::of(m_bridge).values();
    const Overlay* overlay = findOverlay(values->name);
    const bool measured = (!overlay || overlay->needs == OverlayNeeds::Live) && values->of(EntityKind::Device) && m_canvas->model();
    if (measured == m_beforeMeasured.has_value()) return;
    if (measured) {
        m_beforeMeasured = m_canvas->look().color;
        m_canvas->setColor(FabricColor::Values);
    } else {
        m_canvas->setColor(*std::exchange(m_beforeMeasured, std::nullopt));
    }
}

void FabricView::fillColors()
{
    followMeasured();
    m_filling = true;
    std::vector<FabricColor> modes;
    if (const auto model = m_canvas->model()) modes = colorModes(model->index(), model->loads() != nullptr, m_canvas->look().values.get());
    const auto name = [&](FabricColor mode) { return colorName(m_canvas->model()->index(), mode, m_canvas->look().values.get()); };
    bool same = m_colors->count() == int(modes.size());
    for (int i = 0; same && i < m_colors->count(); ++i)
        same = m_colors->itemData(i).toInt() == int(modes[std::size_t(i)]) && m_colors->itemText(i) == name(modes[std::size_t(i)]);
    if (!same) {
        m_colors->clear();
        for (const FabricColor mode : modes) m_colors->addItem(name(mode), int(mode));
    }
    if (const auto at = std::ranges::find(modes, m_canvas->look().color); at != modes.end()) m_colors->setCurrentIndex(int(at - modes.begin()));
    m_filling = false;
    m_matrix->setLoadColors(m_canvas->look().color == FabricColor::Load);
}

/// One flat button per step, each brings its group into view.
void FabricView::fillCrumbs()
{
    QLayout* layout = m_crumbs->layout();
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (item->widget()) item->widget()->deleteLater();
        delete item;
    }
    const auto steps = m_canvas->crumbs();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (i > 0) layout->addWidget(new QLabel(QStringLiteral("›")));
        auto* button = new QToolButton;
        button->setText(i == 0 ? tr("All") : steps[i].title);
        button->setToolTip(i == 0 ? tr("Zoom to all") : tr("Zoom to this level"));
        button->setFocusPolicy(Qt::TabFocus);
        connect(button, &QToolButton::clicked, this, [this, i, key = steps[i].key] {
            if (i == 0)
                m_canvas->fit();
            else
                m_canvas->zoomTo(key);
        });
        layout->addWidget(button);
    }
    static_cast<QHBoxLayout*>(layout)->addStretch(1);
}

void FabricView::showSelection()
{
    const auto model = m_canvas->model();
    if (!model || !isVisible()) return;
    if (m_bridge.selection().empty()) {
        m_canvas->setSelected({});
        m_matrix->setSelected({});
        return;
    }
    auto members = fabricMembers(model->index(), m_bridge.selection());
    m_matrix->setSelected(members);
    m_canvas->setSelected(std::move(members));
}

void FabricView::applyFilter()
{
    const std::size_t found = m_canvas->setFilter(m_filter->text());
    m_found->setText(m_filter->text().trimmed().isEmpty() ? QString() : tr("%1 found").arg(count(std::int64_t(found))));
}

void FabricView::reveal(EntityRef entity)
{
    const auto model = m_canvas->model();
    if (!m_bridge.figures()) return;
    if (!isVisible() || !model) {
        m_pending = entity;
        return;
    }
    if (entity.kind == EntityKind::Network) return setNetwork(NetworkId(entity.id));
    const auto device = deviceOf(*m_bridge.figures()->snapshot, entity);
    if (!device) return;
    if (const std::uint32_t member = model->index().memberOf(*device); member != FabricIndex::kNone) {
        m_canvas->reveal(member);
        showSelection();
        return;
    }
    const Snapshot& s = *m_bridge.figures()->snapshot;
    const auto own = s.tiers.network[s.devices.tier[*device]];
    if (!own || own == model->index().network()) return; // power, cooling, or wired into nothing
    m_pending = entity;
    setNetwork(*own);
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/tree_panel.h"

#include "views/models/project_tree_model.h"
#include "views/style/icons.h"
#include "views/style/theme.h"
#include "views/values/overlay_source.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTimer>
#include <QTreeView>

namespace hw::views {

TreePanel::TreePanel(DocumentBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_model(new ProjectTreeModel(this)), m_proxy(new QSortFilterProxyModel(this)), m_view(new QTreeView),
      m_filter(new QLineEdit)
{
    m_proxy->setSourceModel(m_model);
    m_proxy->setRecursiveFilteringEnabled(true);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_proxy->setFilterRole(ProjectTreeModel::NameRole);
    m_view->setModel(m_proxy);
    m_view->setHeaderHidden(true);
    m_view->setUniformRowHeights(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setIndentation(space(4));
    m_view->setIconSize({space(4), space(4)});
    m_view->setExpandsOnDoubleClick(false);
    m_view->setAccessibleName(tr("Project tree"));
    m_filter->setPlaceholderText(tr("Filter by name"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setAccessibleName(tr("Project tree filter"));
    m_filter->addAction(icon("filter"), QLineEdit::LeadingPosition);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space(2), 0, 0);
    layout->setSpacing(space(2));
    auto* top = new QHBoxLayout;
    top->setContentsMargins(space(2), 0, space(2), 0);
    top->addWidget(m_filter);
    layout->addLayout(top);
    layout->addWidget(m_view, 1);

    auto* delay = new QTimer(this);
    delay->setSingleShot(true);
    delay->setInterval(120);
    connect(delay, &QTimer::timeout, this, [this] { setFilter(m_filter->text()); });
    connect(m_filter, &QLineEdit::textChanged, delay, qOverload<>(&QTimer::start));
    connect(&bridge, &DocumentBridge::figuresChanged, this, [this](const FiguresPtr&, const ChangesPtr& changes) { onFigures(changes); });
    connect(&OverlaySource::of(bridge), &OverlaySource::changed, m_model, [this] { m_model->setValues(OverlaySource::of(m_bridge).listed()); });
    connect(&bridge, &DocumentBridge::selectionChanged, this, &TreePanel::showSelection);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TreePanel::takeSelection);
    connect(m_view, &QTreeView::doubleClicked, this, [this](const QModelIndex& at) { m_bridge.zoomTo(m_model->entityAt(m_proxy->mapToSource(at))); });
    m_view->setTextElideMode(Qt::ElideMiddle); // names of one kind begin alike
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_view, &QWidget::customContextMenuRequested, this, [this](QPoint at) {
        const QModelIndex index = m_view->indexAt(at);
        m_bridge.openMenu(index.isValid() ? m_model->entityAt(m_proxy->mapToSource(index)) : EntityRef{}, m_view->viewport()->mapToGlobal(at));
    });
    if (bridge.figures()) onFigures(nullptr);
}

QModelIndex TreePanel::viewIndexOf(EntityRef entity) const { return m_proxy->mapFromSource(m_model->indexOf(entity)); }

void TreePanel::onFigures(const ChangesPtr& changes)
{
    if (m_bridge.previewing()) return; // a drag changes no name and no structure
    std::vector<EntityRef> open;
    std::function<void(const QModelIndex&)> collect = [&](const QModelIndex& at) {
        for (int row = 0; row < m_proxy->rowCount(at); ++row) {
            const QModelIndex child = m_proxy->index(row, 0, at);
            if (!m_view->isExpanded(child)) continue;
            open.push_back(m_model->entityAt(m_proxy->mapToSource(child)));
            collect(child);
        }
    };
    collect({});
    const bool first = open.empty();
    m_following = true;
    bool reset = false;
    const auto connection = connect(m_model, &QAbstractItemModel::modelReset, this, [&] { reset = true; });
    m_model->setSnapshot(m_bridge.figures()->snapshot, changes.get());
    disconnect(connection);
    if (reset && first)
        expandTop();
    else if (reset)
        for (const EntityRef e : open) m_view->expand(viewIndexOf(e));
    m_following = false;
    hideNetworks();
    if (reset) showSelection();
}

void TreePanel::expandTop()
{
    for (int row = 0; row < m_proxy->rowCount(); ++row) {
        const QModelIndex top = m_proxy->index(row, 0);
        if (row < 3) m_view->expand(top);
        if (m_model->entityAt(m_proxy->mapToSource(top)).kind == EntityKind::Network) m_view->expand(top);
    }
    m_view->expand(m_proxy->index(0, 0, m_proxy->index(0, 0)));
}

void TreePanel::setHiddenNetworks(std::set<std::uint32_t> networks)
{
    m_hiddenNetworks = std::move(networks);
    hideNetworks();
}

void TreePanel::hideNetworks()
{
    for (int row = 0; row < m_proxy->rowCount(); ++row) {
        const EntityRef e = m_model->entityAt(m_proxy->mapToSource(m_proxy->index(row, 0)));
        m_view->setRowHidden(row, {}, e.kind == EntityKind::Network && m_hiddenNetworks.contains(e.id));
    }
}

void TreePanel::showSelection()
{
    m_following = true;
    QItemSelection selection;
    for (const EntityRef e : m_bridge.selection())
        if (const QModelIndex at = viewIndexOf(e); at.isValid()) selection.select(at, at);
    m_view->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    if (const QModelIndex at = viewIndexOf(m_bridge.selected()); at.isValid()) {
        m_view->selectionModel()->setCurrentIndex(at, QItemSelectionModel::NoUpdate);
        m_view->scrollTo(at);
    }
    m_following = false;
}

void TreePanel::takeSelection()
{
    if (m_following) return;
    std::vector<EntityRef> entities;
    const QModelIndex current = m_view->currentIndex();
    if (m_view->selectionModel()->isSelected(current)) entities.push_back(m_model->entityAt(m_proxy->mapToSource(current)));
    for (const QModelIndex& at : m_view->selectionModel()->selectedIndexes())
        if (at != current) entities.push_back(m_model->entityAt(m_proxy->mapToSource(at)));
    m_bridge.select(std::move(entities));
}

void TreePanel::setFilter(const QString& words)
{
    m_following = true;
    m_proxy->setFilterFixedString(words.trimmed());
    if (!words.trimmed().isEmpty()) m_view->expandToDepth(2);
    hideNetworks();
    m_following = false;
    showSelection();
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/project_tree_model.h"

#include "core/foundation/model/label.h"
#include "core/foundation/model/outline.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"
#include "views/style/value_colors.h"

#include <algorithm>

namespace hw::views {
namespace {

constexpr EntityRef kUnplaced{EntityKind::None, 1}; ///< above what is not placed; no row of the design

const char* iconName(EntityRef entity)
{
    switch (entity.kind) {
    case EntityKind::Building: return "building";
    case EntityKind::Hall: return "hall";
    case EntityKind::Row: return "row";
    case EntityKind::Rack: return "rack";
    case EntityKind::Network: return "network";
    case EntityKind::Tier: return "layers";
    case EntityKind::Device: return "server";
    default: return "link";
    }
}

} // namespace

void ProjectTreeModel::setSnapshot(SnapshotPtr snapshot, const ChangeSet* changes)
{
    if (m_snapshot && changes && !Outline::changedBy(*changes)) {
        m_snapshot = std::move(snapshot);
        for (const EntityRef renamed : Outline::renamedBy(*changes))
            if (const QModelIndex at = indexOf(renamed); at.isValid()) emit dataChanged(at, at);
        return;
    }
    beginResetModel();
    m_snapshot = std::move(snapshot);
    rebuild();
    endResetModel();
}

void ProjectTreeModel::rebuild()
{
    m_nodes.assign(1, Node{});
    m_places.clear();
    if (!m_snapshot) return;
    const Outline outline(*m_snapshot);
    std::vector<EntityRef> top = outline.roots();
    if (!outline.unplaced().empty()) top.push_back(kUnplaced);
    append(0, top);
    for (std::uint32_t i = 1; i < m_nodes.size(); ++i) {
        const EntityRef entity = m_nodes[i].entity;
        append(i, entity == kUnplaced ? outline.unplaced() : outline.children(entity));
    }
}

void ProjectTreeModel::append(std::uint32_t parent, const std::vector<EntityRef>& entities)
{
    m_nodes[parent].firstChild = std::uint32_t(m_nodes.size());
    m_nodes[parent].children = std::uint32_t(entities.size());
    std::uint32_t row = 0;
    for (const EntityRef entity : entities) {
        const auto place = std::uint32_t(m_nodes.size());
        m_nodes.push_back({entity, parent, row++, 0, 0});
        const bool inRack = m_nodes[parent].entity.kind == EntityKind::Rack;
        if (inRack)
            m_places[entity] = place;
        else
            m_places.try_emplace(entity, place);
    }
}

void ProjectTreeModel::setValues(std::shared_ptr<const OverlayValues> values)
{
    if (values == m_values) return;
    m_values = std::move(values);
    if (const int rows = rowCount(); rows > 0) emit dataChanged(index(0, 0), index(rows - 1, 0), {Qt::DecorationRole, Qt::DisplayRole});
}

EntityRef ProjectTreeModel::entityAt(const QModelIndex& index) const
{
    const Node* n = node(index);
    return n && n->entity ? n->entity : EntityRef{};
}

QModelIndex ProjectTreeModel::indexOf(EntityRef entity) const
{
    const auto found = m_places.find(entity);
    return found == m_places.end() ? QModelIndex() : createIndex(int(m_nodes[found->second].row), 0, quintptr(found->second));
}

const ProjectTreeModel::Node* ProjectTreeModel::node(const QModelIndex& index) const
{
    const std::size_t place = index.isValid() ? std::size_t(index.internalId()) : 0;
    return place < m_nodes.size() ? &m_nodes[place] : nullptr;
}

QModelIndex ProjectTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    const Node* n = node(parent);
    if (!n || column != 0 || row < 0 || row >= int(n->children)) return {};
    return createIndex(row, column, quintptr(n->firstChild + std::uint32_t(row)));
}

QModelIndex ProjectTreeModel::parent(const QModelIndex& index) const
{
    const Node* n = node(index);
    if (!index.isValid() || !n || n->parent == 0) return {};
    return createIndex(int(m_nodes[n->parent].row), 0, quintptr(n->parent));
}

int ProjectTreeModel::rowCount(const QModelIndex& parent) const
{
    const Node* n = node(parent);
    return n ? int(n->children) : 0;
}

int ProjectTreeModel::columnCount(const QModelIndex&) const { return 1; }

QVariant ProjectTreeModel::data(const QModelIndex& index, int role) const
{
    const Node* n = node(index);
    if (!index.isValid() || !n) return {};
    switch (role) {
    case Qt::DisplayRole: {
        QString said = textOf(*n);
        if (const QString detail = detailOf(*n); !detail.isEmpty()) said += "  ·  " + detail;
        if (const ValueField* field = m_values ? m_values->of(n->entity) : nullptr)
            if (const Text note = noteText(*field, field->at(n->entity.id)); !note.empty()) said += "  ·  " + text(note);
        return said;
    }
    case NameRole: return textOf(*n);
    case Qt::DecorationRole:
        if (n->entity.kind == EntityKind::Network)
            if (const std::uint32_t rgb = m_snapshot->networks.color[NetworkId(n->entity.id)]) return icon("network", QColor::fromRgb(QRgb(rgb)));
        if (const ValueField* field = m_values ? m_values->of(n->entity) : nullptr)
            return icon(iconName(n->entity), QColor::fromRgb(valueRgb(*field, field->at(n->entity.id), theme().dark())));
        return icon(iconName(n->entity));
    case Qt::ToolTipRole: return textOf(*n);
    case EntityRole: return QVariant::fromValue(quint64(n->entity.kind) << 32 | n->entity.id);
    default: return {};
    }
}

/// The label of what has one besides its name, else the name.
QString ProjectTreeModel::textOf(const Node& n) const
{
    if (n.entity == kUnplaced) return tr("Not placed");
    std::string text;
    visitEntity(*m_snapshot, n.entity, [&](const auto& table, auto id) {
        if constexpr (requires { table.label[id]; }) text = words(labelText(table, id));
        if constexpr (requires { table.name[id]; })
            if (text.empty()) text = table.name[id];
    });
    return QString::fromStdString(text);
}

/// How many things are inside, so that one need not unfold to know.
QString ProjectTreeModel::detailOf(const Node& n) const
{
    if (n.children == 0) return {};
    const auto first = m_nodes.begin() + n.firstChild;
    const auto alike =
        std::uint32_t(std::count_if(first, first + n.children, [&](const Node& child) { return child.entity.kind == first->entity.kind; }));
    switch (n.entity.kind) {
    case EntityKind::Hall: return first->entity.kind == EntityKind::Row ? text(i18np(alike, "{:L} row", "{:L} rows")) : QString();
    case EntityKind::Row: return first->entity.kind == EntityKind::Rack ? text(i18np(alike, "{:L} rack", "{:L} racks")) : QString();
    case EntityKind::Tier:
    case EntityKind::None: return QString::number(n.children);
    default: return {};
    }
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/project_tree_model.h"

#include "core/model/changeset.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"
#include "views/style/value_colours.h"

#include <algorithm>

namespace hw::views {
namespace {

/// Tables whose rows the tree shows by name.
template <class...>
struct TablesShown {
};
using Shown = TablesShown<Networks, Buildings, Halls, Rows, Racks, Tiers, Devices>;

bool structureChanged(const ChangeSet& changes)
{
    const auto moved = [&](auto... column) { return (changes.touches(column) || ...); };
    const auto rows = [&]<class... T>(TablesShown<T...>) {
        return (!(changes.rows<T>().inserted.empty() && changes.rows<T>().erased.empty()) || ...);
    };
    return rows(Shown{}) || moved(&Halls::building, &Rows::hall, &Racks::row, &Devices::rack, &Devices::hall, &Devices::tier, &Devices::u);
}

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
    case EntityKind::None:
    case EntityKind::Tray:
    case EntityKind::Cage:
    case EntityKind::Port:
    case EntityKind::Link:
    case EntityKind::Cable:
    case EntityKind::PartType: return "link";
    }
    return "link";
}

/// The children of every parent, in the order in which people look for them.
template <class ParentId, class ChildId>
struct Grouped {
    std::vector<std::vector<ChildId>> lists;
    explicit Grouped(std::uint32_t parents) : lists(parents) {}
    void add(ParentId parent, ChildId child) { lists[parent.value].push_back(child); }
    [[nodiscard]] std::vector<EntityRef> of(std::uint32_t parent) const
    {
        std::vector<EntityRef> result;
        if (parent >= lists.size()) return result;
        for (ChildId id : lists[parent]) result.push_back(ref(id));
        return result;
    }
};

} // namespace

struct ProjectTreeModel::Children {
    Grouped<BuildingId, HallId> halls;
    Grouped<HallId, RowId> rows;
    Grouped<RowId, RackId> racks;
    Grouped<RackId, DeviceId> devices;
    Grouped<NetworkId, TierId> tiers;
    Grouped<TierId, DeviceId> switches;

    explicit Children(const Snapshot& s)
        : halls(s.buildings.nextId()), rows(s.halls.nextId()), racks(s.rows.nextId()), devices(s.racks.nextId()), tiers(s.networks.nextId()),
          switches(s.tiers.nextId())
    {
        s.halls.forEach([&](HallId id) { halls.add(s.halls.building[id], id); });
        s.rows.forEach([&](RowId id) { rows.add(s.rows.hall[id], id); });
        s.racks.forEach([&](RackId id) { racks.add(s.racks.row[id], id); });
        s.tiers.forEach([&](TierId id) {
            if (const auto network = s.tiers.network[id]) tiers.add(*network, id);
        });
        s.devices.forEach([&](DeviceId id) {
            if (const auto rack = s.devices.rack[id]) devices.add(*rack, id);
            if (s.tiers.network[s.devices.tier[id]]) switches.add(s.devices.tier[id], id);
        });
        for (auto& list : racks.lists) std::ranges::stable_sort(list, {}, [&](RackId id) { return s.racks.along[id]; });
        for (auto& list : devices.lists) std::ranges::stable_sort(list, std::greater(), [&](DeviceId id) { return s.devices.u[id]; });
        for (auto& list : tiers.lists) std::ranges::stable_sort(list, {}, [&](TierId id) { return s.tiers.level[id]; });
    }

    [[nodiscard]] std::vector<EntityRef> of(EntityRef e, bool underNetwork) const
    {
        switch (e.kind) {
        case EntityKind::Building: return halls.of(e.id);
        case EntityKind::Hall: return rows.of(e.id);
        case EntityKind::Row: return racks.of(e.id);
        case EntityKind::Rack: return devices.of(e.id);
        case EntityKind::Network: return tiers.of(e.id);
        case EntityKind::Tier: return underNetwork ? switches.of(e.id) : std::vector<EntityRef>{};
        case EntityKind::None:
        case EntityKind::Tray:
        case EntityKind::Device:
        case EntityKind::Cage:
        case EntityKind::Port:
        case EntityKind::Link:
        case EntityKind::Cable:
        case EntityKind::PartType: return {};
        }
        return {};
    }
};

void ProjectTreeModel::setSnapshot(SnapshotPtr snapshot, const ChangeSet* changes)
{
    if (m_snapshot && changes && !structureChanged(*changes)) {
        m_snapshot = std::move(snapshot);
        const auto rename = [&]<class T>(TablesShown<T>) {
            if (!changes->touches(&T::name)) return;
            for (const auto& update : changes->rows<T>().updated)
                if (const QModelIndex at = indexOf({kKindOf<T>, update.row}); at.isValid()) emit dataChanged(at, at);
        };
        [&]<class... T>(TablesShown<T...>) { (rename(TablesShown<T>{}), ...); }(Shown{});
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
    const Children children(*m_snapshot);
    std::vector<EntityRef> top;
    m_snapshot->buildings.forEach([&](BuildingId id) { top.push_back(ref(id)); });
    m_snapshot->networks.forEach([&](NetworkId id) { top.push_back(ref(id)); });
    append(0, top);
    for (std::uint32_t i = 1; i < m_nodes.size(); ++i) append(i, children.of(m_nodes[i].entity, true));
}

void ProjectTreeModel::append(std::uint32_t parent, std::vector<EntityRef> entities)
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
    if (values && values->name == "kind") values = nullptr;
    if (values == m_values) return;
    m_values = std::move(values);
    if (const int rows = rowCount(); rows > 0) emit dataChanged(index(0, 0), index(rows - 1, 0), {Qt::DecorationRole, Qt::DisplayRole});
}

const ValueField* ProjectTreeModel::valueOf(EntityRef entity) const
{
    const ValueField* field = m_values ? m_values->of(entity.kind) : nullptr;
    return field && known(field->at(entity.id)) ? field : nullptr;
}

EntityRef ProjectTreeModel::entityAt(const QModelIndex& index) const
{
    const Node* n = node(index);
    return n ? n->entity : EntityRef{};
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
        if (const ValueField* field = valueOf(n->entity)) said += "  ·  " + text(valueText(*field, field->at(n->entity.id)));
        return said;
    }
    case NameRole: return textOf(*n);
    case Qt::DecorationRole:
        if (n->entity.kind == EntityKind::Network)
            if (const std::uint32_t rgb = m_snapshot->networks.color[NetworkId(n->entity.id)]) return icon("network", QColor::fromRgb(QRgb(rgb)));
        if (const ValueField* field = valueOf(n->entity))
            return icon(iconName(n->entity), QColor::fromRgb(valueRgb(*field, field->at(n->entity.id), theme().dark())));
        return icon(iconName(n->entity));
    case Qt::ToolTipRole: return textOf(*n);
    case EntityRole: return QVariant::fromValue(quint64(n->entity.kind) << 32 | n->entity.id);
    default: return {};
    }
}

QString ProjectTreeModel::textOf(const Node& n) const
{
    const Snapshot& s = *m_snapshot;
    const auto text = [](const std::string& name) { return QString::fromStdString(name); };
    switch (n.entity.kind) {
    case EntityKind::Network: {
        const NetworkId id(n.entity.id);
        return text(s.networks.label[id].empty() ? s.networks.name[id] : s.networks.label[id]);
    }
    case EntityKind::Building: return text(s.buildings.name[BuildingId(n.entity.id)]);
    case EntityKind::Hall: return text(s.halls.name[HallId(n.entity.id)]);
    case EntityKind::Row: return text(s.rows.name[RowId(n.entity.id)]);
    case EntityKind::Rack: return text(s.racks.name[RackId(n.entity.id)]);
    case EntityKind::Tier: {
        const TierId id(n.entity.id);
        return text(s.tiers.label[id].empty() ? s.tiers.name[id] : s.tiers.label[id]);
    }
    case EntityKind::Device: return text(s.devices.name[DeviceId(n.entity.id)]);
    case EntityKind::None:
    case EntityKind::Tray:
    case EntityKind::Cage:
    case EntityKind::Port:
    case EntityKind::Link:
    case EntityKind::Cable:
    case EntityKind::PartType: return {};
    }
    return {};
}

/// How many things are inside, so that one need not unfold to know.
QString ProjectTreeModel::detailOf(const Node& n) const
{
    if (n.children == 0) return {};
    switch (n.entity.kind) {
    case EntityKind::Hall: return counted(n.children, tr("row"), tr("rows"));
    case EntityKind::Row: return counted(n.children, tr("rack"), tr("racks"));
    case EntityKind::Tier: return QString::number(n.children);
    default: return {};
    }
}

} // namespace hw::views

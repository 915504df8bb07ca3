// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel> // before core's headers: moc cannot read <compare> as the very first one

#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/changeset.h"
#include "core/operations/overlays/overlays.h"

#include <map>
#include <vector>

namespace hw::views {

/// The design as a tree, as its tables declare it: buildings > halls > rows > racks > devices, and networks > tiers > switches.
/// Holds one flat array of nodes made from a snapshot; renames change a text, everything else that
/// alters the structure makes the array again. GUI thread.
class ProjectTreeModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Role { EntityRole = Qt::UserRole + 1, NameRole };

    using QAbstractItemModel::QAbstractItemModel;
    /// Shows `snapshot`; with the changes since the one before, names are updated in place.
    void setSnapshot(SnapshotPtr snapshot, const ChangeSet* changes);
    /// Icons in the colors of these values, and the values beside the names; null: plain.
    void setValues(std::shared_ptr<const OverlayValues> values);
    [[nodiscard]] EntityRef entityAt(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(EntityRef entity) const; ///< invalid when the tree does not hold it

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    struct Node {
        EntityRef entity;
        std::uint32_t parent = 0, row = 0, firstChild = 0, children = 0;
    };
    void rebuild();
    void append(std::uint32_t parent, const std::vector<EntityRef>& entities);
    [[nodiscard]] const Node* node(const QModelIndex& index) const;
    [[nodiscard]] QString textOf(const Node& node) const;
    [[nodiscard]] QString detailOf(const Node& node) const;

    SnapshotPtr m_snapshot;
    std::shared_ptr<const OverlayValues> m_values;
    std::vector<Node> m_nodes{Node{}};           ///< the first one is the invisible root
    std::map<EntityRef, std::uint32_t> m_places; ///< where each entity stands (devices: in their rack)
};

} // namespace hw::views

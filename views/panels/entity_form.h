// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/edit/fields.h"
#include "views/bridge/document_bridge.h"

#include <QWidget>

#include <span>
#include <vector>

class QFormLayout;
class QLabel;

namespace hw::views {

/// Every column of an object that a person may set, with its unit and range: made of the schema, so that a new column is there by itself. With
/// several objects of one kind a value goes to all of them, and where theirs differ the field says so. An edit is one undo step; what is
/// refused goes back to the present value.
class EntityForm : public QWidget {
    Q_OBJECT
public:
    explicit EntityForm(DocumentBridge& bridge, QWidget* parent = nullptr);
    /// Shows the fields of an entity of the bridge's figures; None shows nothing. `others` of its kind are edited with it.
    void setEntity(EntityRef entity, std::span<const EntityRef> others = {});
    [[nodiscard]] QWidget* editor(const QString& column) const; ///< a QLineEdit, or a QComboBox of words; null for others

private:
    struct Row {
        const edit::Field* field;
        QWidget* editor;
    };
    void build();
    void refresh();
    void commit(const edit::Field& field, const QString& text);
    [[nodiscard]] QString textOf(const edit::Field& field) const;
    [[nodiscard]] bool differs(const edit::Field& field, const QString& text) const; ///< in others of what is edited

    DocumentBridge& m_bridge;
    QFormLayout* m_layout;
    QLabel* m_scope; ///< how many objects an edit goes to
    EntityRef m_entity;
    std::vector<EntityRef> m_all; ///< what an edit goes to, `m_entity` first
    EntityKind m_built = EntityKind::None;
    UnitPreference m_units; ///< in which the fields show and read lengths
    std::vector<Row> m_rows;
};

} // namespace hw::views

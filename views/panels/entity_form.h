// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/edit/fields.h"
#include "views/bridge/document_bridge.h"

#include <QWidget>

class QFormLayout;

namespace hw::views {

/// Every column of one thing that a person may set, with its unit and range: made of the schema, so that a new column
/// is there by itself. What is written becomes one undo step; what is refused goes back to what holds.
class EntityForm : public QWidget {
    Q_OBJECT
public:
    explicit EntityForm(DocumentBridge& bridge, QWidget* parent = nullptr);
    /// Shows the fields of an entity of the bridge's figures; None shows nothing.
    void setEntity(EntityRef entity);
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

    DocumentBridge& m_bridge;
    QFormLayout* m_layout;
    EntityRef m_entity;
    EntityKind m_built = EntityKind::None;
    std::vector<Row> m_rows;
};

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace hw::views {

class EntityForm;
class PropertyList;

/// What is selected: where it is, its name and place (both can be edited), and everything known of it.
class InspectorPanel : public QWidget {
    Q_OBJECT
public:
    explicit InspectorPanel(DocumentBridge& bridge, QWidget* parent = nullptr);
    void beginRename(); ///< puts the cursor into the name of what is selected
    /// Shows or hides the form of every column that a person may set, below what there is to say.
    void editValues();
    [[nodiscard]] EntityForm* fields() const { return m_fields; }
    /// Puts something more above what is known of the selection; it shows and hides itself.
    void addAbove(QWidget* widget);

signals:
    void impactRequested(); ///< what is lost when what is selected fails

private:
    void refresh();
    void buildHeader();
    void commitName();
    void commitPlace();
    [[nodiscard]] std::optional<QPointF> placeOf(EntityRef entity) const; ///< mm in the frame of its parent

    DocumentBridge& m_bridge;
    EntityRef m_entity;
    QLabel *m_kind, *m_path, *m_placeLabel, *m_more;
    QLineEdit *m_name, *m_x, *m_y;
    PropertyList* m_list;
    EntityForm* m_fields;
    QToolButton* m_fails;
    QWidget* m_body;
};

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/edit/edits_create.h"
#include "views/bridge/document_bridge.h"

#include <QWidget>

#include <array>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace hw::views {

/// What can be added to the design: places, and the part types of the project and of the catalog, by kind and
/// searchable. A thing goes to the nearest place around the selection that can hold it.
class CatalogPanel : public QWidget {
    Q_OBJECT
public:
    explicit CatalogPanel(DocumentBridge& bridge, QWidget* parent = nullptr);
    void setCatalog(std::shared_ptr<const Catalog> catalog);
    /// Finds a part type of the catalog, for edits.
    [[nodiscard]] edit::PartSource source() const;
    /// Adds what is chosen; says why not where it is refused.
    void addChosen();
    /// Slug, model and group of every part type that is listed.
    [[nodiscard]] std::vector<std::array<QString, 3>> partTypes() const;
    void showPart(const QString& slug); ///< alone and current, with the keyboard focus: Return adds it
    [[nodiscard]] QTreeWidget* list() const { return m_list; }
    [[nodiscard]] QLineEdit* search() const { return m_search; }

private:
    void fill();
    void filter();
    void refresh();
    [[nodiscard]] std::vector<std::string> ownParts() const;
    [[nodiscard]] edit::NewThing chosen() const;
    [[nodiscard]] std::optional<EntityRef> holderFor(EntityKind kind) const;

    DocumentBridge& m_bridge;
    std::shared_ptr<const Catalog> m_catalog;
    std::vector<std::string> m_own; ///< as listed
    QLineEdit* m_search;
    QTreeWidget* m_list;
    QComboBox* m_tier;
    QLabel* m_where;
    QPushButton* m_add;
};

} // namespace hw::views

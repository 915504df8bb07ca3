// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"

#include <QModelIndex>
#include <QWidget>

#include <set>

class QLineEdit;
class QSortFilterProxyModel;
class QTreeView;

namespace hw::views {

class ProjectTreeModel;

/// The project tree with a filter above it. Its selection is the document's.
class TreePanel : public QWidget {
    Q_OBJECT
public:
    explicit TreePanel(DocumentBridge& bridge, QWidget* parent = nullptr);
    [[nodiscard]] QTreeView* view() const { return m_view; }
    [[nodiscard]] ProjectTreeModel* model() const { return m_model; }
    [[nodiscard]] QModelIndex viewIndexOf(EntityRef entity) const;
    [[nodiscard]] QLineEdit* filter() const { return m_filter; }
    void setHiddenNetworks(std::set<std::uint32_t> networks); ///< their branches are not shown

private:
    void onFigures(const ChangesPtr& changes);
    void showSelection();
    void takeSelection();
    void setFilter(const QString& words);
    void expandTop();
    void hideNetworks();

    DocumentBridge& m_bridge;
    ProjectTreeModel* m_model;
    QSortFilterProxyModel* m_proxy;
    QTreeView* m_view;
    QLineEdit* m_filter;
    std::set<std::uint32_t> m_hiddenNetworks;
    bool m_following = false; ///< the view is being brought to the document's selection
};

} // namespace hw::views

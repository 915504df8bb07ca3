// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/following_view.h"

#include "core/design/listing/entity_list.h"

#include <QWidget>

#include <map>
#include <set>

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QStackedWidget;
class QToolButton;

namespace hw::views {

class EntityTableModel;
class EntityTableView;
class ListView;

/// Every object of one kind in a table: columns chosen, filtered, sorted, grouped with totals; cells are edited in place, filled down and
/// pasted. What is selected here is selected everywhere, and the other way round.
class TablesPanel : public QWidget {
    Q_OBJECT
public:
    explicit TablesPanel(DocumentBridge& bridge, QWidget* parent = nullptr);
    [[nodiscard]] EntityTableView* table() const { return m_table; }
    [[nodiscard]] EntityTableModel* model() const { return m_model; }
    [[nodiscard]] ListView* groupList() const { return m_groups; }
    [[nodiscard]] EntityKind kind() const { return m_kind; }
    void setKind(EntityKind kind);
    /// The kind of an entity, with its row selected.
    void showEntity(EntityRef entity);
    [[nodiscard]] static bool lists(EntityKind kind);

    /// What an export writes: the selected rows, or all that are listed where fewer than two are selected.
    struct Listed {
        std::shared_ptr<const EntityList> list;
        std::vector<std::uint32_t> rows;
        std::vector<std::size_t> columns;
    };
    [[nodiscard]] Listed listed() const;

    /// Only rows whose column has the value; beside the conditions on other columns.
    void filterBy(const std::string& columnKey, const QString& value);
    void selectListed();   ///< everything that is listed, in all views
    void beginSelecting(); ///< the kind of what is selected, with the cursor in the filter

    void copyCells();
    void pasteCells();
    void fillDown();

signals:
    void exportRequested();

private:
    struct Answer {
        std::shared_ptr<const EntityList> list;
        std::vector<std::uint32_t> rows;
        std::vector<EntityList::Group> groups;
        std::vector<std::optional<double>> totals;
        std::vector<std::vector<std::optional<double>>> groupTotals;
        std::vector<std::size_t> counts; ///< of every kind
        QString problem;                 ///< with the filter
    };
    void refresh();
    void show(const Answer& answer);
    void showGroups(const Answer& answer);
    void fillColumns();
    void fillFilterMenu();
    void fillValues(QMenu* menu, std::size_t column);
    void chooseColumn(std::size_t column, bool shown);
    [[nodiscard]] std::vector<std::size_t> shownColumns() const;
    void onTyped(const QModelIndex& at, const QString& text);
    void onCells();
    void onSelection();
    void showTotals();
    void openMenu(QPoint at);
    void openHeaderMenu(QPoint at);

    DocumentBridge& m_bridge;
    EntityKind m_kind = EntityKind::Rack;
    QComboBox *m_kinds, *m_by;
    QLineEdit* m_filter;
    QToolButton *m_columnButton, *m_filterButton;
    QMenu *m_columnMenu, *m_filterMenu;
    QLabel *m_sum, *m_problem;
    QStackedWidget* m_stack;
    EntityTableModel* m_model;
    EntityTableView* m_table;
    ListView* m_groups;
    std::map<EntityKind, std::set<std::string>> m_hidden; ///< columns by key, of kinds whose columns were chosen
    std::shared_ptr<const EntityList> m_list;             ///< whose columns are offered
    std::vector<std::optional<double>> m_totals;
    std::string m_sortKey, m_byKey;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    EntityRef m_wanted;       ///< to be selected once its row is there
    bool m_following = false; ///< the selection is being taken over from the other views
    FollowingView m_follow;
};

} // namespace hw::views

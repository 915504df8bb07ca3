// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/tables_panel.h"

#include "core/design/edit/kinds.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/sentence.h"
#include "views/style/theme.h"
#include "views/style/units.h"
#include "views/tables/cell_edits.h"
#include "views/tables/entity_table_model.h"
#include "views/tables/entity_table_view.h"
#include "views/tables/paste_dialog.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace hw::views {
namespace {

constexpr std::size_t kMostSelected = 20'000; ///< that the other views are asked to light up

QString kindTitle(EntityKind kind, std::size_t count) { return text(edit::counted(count, kind)); }

} // namespace

bool TablesPanel::lists(EntityKind kind) { return std::ranges::find(EntityList::kinds(), kind) != EntityList::kinds().end(); }

TablesPanel::TablesPanel(DocumentBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_kinds(new QComboBox), m_by(new QComboBox), m_filter(new QLineEdit), m_columnButton(new QToolButton),
      m_filterButton(new QToolButton), m_columnMenu(new QMenu(this)), m_filterMenu(new QMenu(this)), m_sum(new QLabel), m_problem(new QLabel),
      m_stack(new QStackedWidget), m_model(new EntityTableModel(this)), m_table(new EntityTableView),
      m_groups(new ListView(bridge, {tr("Value"), tr("Count"), tr("Totals")}, tr("Groups"))),
      m_follow(bridge, *this, FollowingView::Pace::Live, [this] { refresh(); })
{
    m_kinds->setObjectName("tableKind");
    m_kinds->setAccessibleName(tr("Objects in the table"));
    for (const EntityKind kind : EntityList::kinds()) m_kinds->addItem(kindTitle(kind, 0), int(kind));
    m_kinds->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_filter->setObjectName("tableFilter");
    m_filter->setAccessibleName(tr("Filter"));
    m_filter->setPlaceholderText(tr("Filter: words, or type=hgx-h100; load>30 kW"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setToolTip(tr("Words are searched for in all columns shown. Conditions: column=text, column!=text, column:text (contains), "
                            "column>number unit, also <, <= and >=; separate several by semicolons."));
    m_by->setObjectName("tableBy");
    m_by->setAccessibleName(tr("Group by"));
    m_by->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_columnButton->setObjectName("tableColumns");
    m_columnButton->setText(tr("Columns"));
    m_columnButton->setPopupMode(QToolButton::InstantPopup);
    m_columnButton->setMenu(m_columnMenu);
    m_filterButton->setObjectName("tableFilterBy");
    m_filterButton->setText(tr("Filter by"));
    m_filterButton->setToolTip(tr("Network, plane, rail, feed, phase or another column"));
    m_filterButton->setPopupMode(QToolButton::InstantPopup);
    m_filterButton->setMenu(m_filterMenu);
    connect(m_filterMenu, &QMenu::aboutToShow, this, &TablesPanel::fillFilterMenu);
    auto* all = new QPushButton(tr("&Select listed"));
    all->setObjectName("tableSelectListed");
    all->setToolTip(tr("Select every listed object in all views"));
    connect(all, &QPushButton::clicked, this, &TablesPanel::selectListed);
    auto* write = new QPushButton(icon("export"), tr("E&xport …"));
    m_table->setObjectName("entityTable");
    m_table->setModel(m_model);
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_problem->setObjectName("tableProblem");
    m_problem->setWordWrap(true);
    m_problem->hide();
    m_sum->setObjectName("tableTotals");
    m_sum->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_groups->setColumnWidths({30, 10, -1});

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space(1), 0, 0);
    layout->setSpacing(space(1));
    auto* top = new QHBoxLayout;
    top->setContentsMargins(space(3), 0, space(3), 0);
    top->addWidget(m_kinds);
    top->addWidget(m_filter, 1);
    top->addWidget(m_filterButton);
    top->addWidget(all);
    top->addWidget(m_by);
    top->addWidget(m_columnButton);
    top->addWidget(write);
    layout->addLayout(top);
    auto* notes = new QHBoxLayout;
    notes->setContentsMargins(space(3), 0, space(3), 0);
    notes->addWidget(m_problem, 1);
    layout->addLayout(notes);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_groups);
    layout->addWidget(m_stack, 1);
    auto* below = new QHBoxLayout;
    below->setContentsMargins(space(3), 0, space(3), space(1));
    below->addWidget(m_sum, 1);
    layout->addLayout(below);

    connect(m_kinds, &QComboBox::activated, this, [this](int at) { setKind(EntityKind(m_kinds->itemData(at).toInt())); });
    auto* typing = new QTimer(this);
    typing->setSingleShot(true);
    typing->setInterval(200);
    connect(m_filter, &QLineEdit::textChanged, typing, qOverload<>(&QTimer::start));
    connect(typing, &QTimer::timeout, this, [this] { m_follow.soon(); });
    connect(m_by, &QComboBox::activated, this, [this](int at) {
        m_byKey = m_by->itemData(at).toString().toStdString();
        m_follow.soon();
    });
    connect(write, &QPushButton::clicked, this, &TablesPanel::exportRequested);
    connect(&bridge, &DocumentBridge::figuresChanged, this, [this](const FiguresPtr&, const ChangesPtr& changes) {
        if (changes || isVisible()) return;
        m_list.reset(); // would keep the design before in memory
        m_model->show({}, {}, {});
    });
    connect(m_model, &EntityTableModel::typed, this, &TablesPanel::onTyped);
    connect(m_model, &EntityTableModel::sortWanted, this, [this](int column, Qt::SortOrder order) {
        const ListColumn* by = m_model->columnAt(column);
        m_sortKey = by ? by->key : std::string();
        m_sortOrder = order;
        m_follow.soon();
    });
    connect(m_table, &EntityTableView::copyWanted, this, &TablesPanel::copyCells);
    connect(m_table, &EntityTableView::pasteWanted, this, &TablesPanel::pasteCells);
    connect(m_table, &EntityTableView::fillWanted, this, &TablesPanel::fillDown);
    connect(m_table, &EntityTableView::menuWanted, this, &TablesPanel::openMenu);
    connect(m_table, &EntityTableView::cellsSelected, this, &TablesPanel::onCells);
    connect(m_table->horizontalHeader(), &QHeaderView::customContextMenuRequested, this, &TablesPanel::openHeaderMenu);
    connect(m_groups, &QTableView::doubleClicked, this, [this](const QModelIndex& at) {
        const CellRow* row = m_groups->rowOf(at);
        if (!row || !m_list) return;
        m_filter->setText(QString::fromStdString(m_byKey) + "=" + row->key);
        m_byKey.clear();
        m_by->setCurrentIndex(0);
        m_follow.soon();
    });
    connect(&bridge, &DocumentBridge::selectionChanged, this, &TablesPanel::onSelection);
}

void TablesPanel::setKind(EntityKind kind)
{
    if (!lists(kind) || kind == m_kind) return;
    m_kind = kind;
    m_kinds->setCurrentIndex(m_kinds->findData(int(kind)));
    m_sortKey.clear(), m_byKey.clear();
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    m_list.reset();
    m_filter->clear();
    m_follow.soon();
}

void TablesPanel::showEntity(EntityRef entity)
{
    m_wanted = entity;
    if (entity.kind != m_kind)
        setKind(entity.kind);
    else
        m_filter->clear();
    m_follow.soon();
}

void TablesPanel::refresh()
{
    m_follow.work<Answer>(
        "tables",
        [figures = m_bridge.figures(), kind = m_kind, filter = m_filter->text().toStdString(), sortKey = m_sortKey, byKey = m_byKey,
         descending = m_sortOrder == Qt::DescendingOrder, hidden = m_hidden](const Progress& progress) {
            Answer answer;
            const auto list = std::make_shared<EntityList>(figures, kind, units());
            answer.list = list;
            for (const EntityKind other : EntityList::kinds()) answer.counts.push_back(EntityList::count(*figures->snapshot, other));
            ListQuery query{.descending = descending};
            if (auto filters = readFilters(*list, filter); filters)
                query.filters = std::move(*filters);
            else
                answer.problem = text(filters.error().text());
            if (!sortKey.empty()) query.sortBy = list->column(sortKey);
            auto rows = list->rows(query, progress);
            if (!rows) return answer;
            answer.rows = std::move(*rows);
            answer.totals = list->totals(answer.rows);
            if (const auto by = byKey.empty() ? std::nullopt : list->column(byKey)) {
                answer.groups = list->groups(answer.rows, *by);
                for (const auto& group : answer.groups) answer.groupTotals.push_back(list->totals(group.rows));
            }
            return answer;
        },
        [this](const Answer& answer) { show(answer); });
}

std::vector<std::size_t> TablesPanel::shownColumns() const
{
    std::vector<std::size_t> shown;
    const auto chosen = m_hidden.find(m_kind);
    for (std::size_t i = 0; m_list && i < m_list->columns().size(); ++i) {
        const ListColumn& column = m_list->columns()[i];
        if (chosen != m_hidden.end() ? !chosen->second.contains(column.key) : column.shown) shown.push_back(i);
    }
    return shown;
}

void TablesPanel::show(const Answer& answer)
{
    if (answer.list->kind() != m_kind) return; // another was chosen meanwhile, and is on its way
    const bool first = !m_list;
    m_list = answer.list;
    m_totals = answer.totals;
    for (int i = 0; i < m_kinds->count(); ++i)
        m_kinds->setItemText(i, kindTitle(EntityKind(m_kinds->itemData(i).toInt()), answer.counts[std::size_t(i)]));
    m_problem->setText(answer.problem);
    m_problem->setVisible(!answer.problem.isEmpty());
    if (first) fillColumns();
    const int scrolled = m_table->verticalScrollBar()->value();
    const QModelIndex current = m_table->currentIndex();
    const EntityRef kept = m_model->entityAt(current.row());
    m_following = true;
    m_model->show(answer.list, answer.rows, shownColumns());
    if (first) m_table->resizeColumnsToContents();
    if (first)
        for (int i = 0; i < m_model->columnCount(); ++i) m_table->setColumnWidth(i, std::min(m_table->columnWidth(i), space(60)));
    if (kept && m_model->entityAt(m_table->currentIndex().row()) != kept) {
        if (const int row = m_model->rowOf(kept); row >= 0) m_table->setCurrentIndex(m_model->index(row, std::max(0, current.column())));
        m_table->verticalScrollBar()->setValue(scrolled);
    }
    m_following = false;
    if (m_wanted) {
        if (const int row = m_model->rowOf(m_wanted); row >= 0) {
            m_table->setCurrentIndex(m_model->index(row, 0));
            m_table->scrollTo(m_model->index(row, 0), QAbstractItemView::PositionAtCenter);
        }
        m_wanted = {};
    } else if (first) {
        onSelection();
    }
    showGroups(answer);
    m_stack->setCurrentIndex(answer.groups.empty() ? 0 : 1);
    showTotals();
}

void TablesPanel::showGroups(const Answer& answer)
{
    std::vector<CellRow> rows;
    for (std::size_t i = 0; i < answer.groups.size(); ++i) {
        CellRow row;
        row.key = text(answer.groups[i].text);
        QStringList sums;
        for (std::size_t at = 0; at < answer.groupTotals[i].size(); ++at)
            if (const auto sum = answer.groupTotals[i][at]; sum && *sum != 0)
                sums << text(answer.list->columns()[at].title) + " " + text(answer.list->amount(*sum, at));
        row.cells = {{row.key.isEmpty() ? tr("none") : row.key},
                     {count(std::int64_t(answer.groups[i].rows.size())), qlonglong(answer.groups[i].rows.size()), {}, {}, -1, true},
                     {sums.join("   ")}};
        rows.push_back(std::move(row));
    }
    m_groups->cells()->setRows(std::move(rows));
}

void TablesPanel::fillColumns()
{
    m_columnMenu->clear();
    m_by->clear();
    m_by->addItem(tr("Not grouped"), QString());
    const auto shown = shownColumns();
    for (std::size_t i = 0; i < m_list->columns().size(); ++i) {
        const ListColumn& column = m_list->columns()[i];
        auto* action = m_columnMenu->addAction(text(column.title));
        action->setCheckable(true);
        action->setChecked(std::ranges::find(shown, i) != shown.end());
        action->setEnabled(i > 0); // the name stays
        connect(action, &QAction::toggled, this, [this, i](bool on) { chooseColumn(i, on); });
        if (i > 0 && !column.number) m_by->addItem(tr("By %1").arg(inSentence(text(column.title))), text(column.key));
    }
}

/// Columns that have few values, such as network, plane and phase; of the numbers those that count.
void TablesPanel::fillFilterMenu()
{
    qDeleteAll(m_filterMenu->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly)); // clear() leaves submenus
    m_filterMenu->clear();
    for (std::size_t i = 1; m_list && i < m_list->columns().size(); ++i) {
        const ListColumn& column = m_list->columns()[i];
        static constexpr std::array<std::string_view, 5> kCounted{"pod", "segment", "rail", "plane", "index"};
        static constexpr std::array<std::string_view, 8> kManyValues{"location", "from",   "to",         "connected_to",
                                                                     "cable",    "serial", "stage_date", "rack"};
        const auto is = [&](const auto& keys) { return std::ranges::find(keys, std::string_view(column.key)) != keys.end(); };
        if (column.number ? !is(kCounted) : is(kManyValues)) continue;
        auto* values = m_filterMenu->addMenu(text(column.title));
        values->setObjectName("filterBy." + text(column.key));
        connect(values, &QMenu::aboutToShow, this, [this, values, i] { fillValues(values, i); });
    }
    if (m_filter->text().isEmpty()) return;
    m_filterMenu->addSeparator();
    m_filterMenu->addAction(tr("Clear filter"), m_filter, &QLineEdit::clear);
}

/// The values of a column over all objects of the kind; there may be very many, so a worker looks.
void TablesPanel::fillValues(QMenu* menu, std::size_t at)
{
    constexpr std::size_t kMostValues = 60;
    menu->clear();
    menu->addAction(tr("Reading values …"))->setEnabled(false);
    const auto list = m_list;
    m_bridge.jobs().start<std::vector<EntityList::Group>>(
        "tables.values", {},
        [list, at](const Progress& progress) {
            const auto rows = list->rows({}, progress);
            return rows ? list->groups(*rows, at) : std::vector<EntityList::Group>();
        },
        [this, menu = QPointer(menu), list, at](const std::vector<EntityList::Group>& groups) {
            if (!menu) return;
            menu->clear();
            const std::string key = list->columns()[at].key;
            for (const auto& group : groups) {
                if (group.text.empty() || group.text.find(';') != std::string::npos) continue;
                if (std::size_t(menu->actions().size()) == kMostValues) {
                    menu->addAction(tr("More than %1 values; enter %2=VALUE in the filter").arg(kMostValues).arg(text(key)))->setEnabled(false);
                    break;
                }
                auto* action = menu->addAction(tr("%1 (%2)").arg(text(group.text).replace('&', "&&"), count(std::int64_t(group.rows.size()))));
                action->setData(text(group.text));
                connect(action, &QAction::triggered, this, [this, key, value = text(group.text)] { filterBy(key, value); });
            }
            if (menu->isEmpty()) menu->addAction(tr("No values"))->setEnabled(false);
        });
}

void TablesPanel::filterBy(const std::string& columnKey, const QString& value)
{
    const QString key = text(columnKey);
    QStringList conditions;
    for (const QString& one : m_filter->text().split(';', Qt::SkipEmptyParts))
        if (!one.trimmed().startsWith(key + "=")) conditions << one.trimmed();
    conditions << key + "=" + value;
    m_filter->setText(conditions.join("; "));
}

void TablesPanel::selectListed()
{
    std::vector<EntityRef> entities;
    for (const std::uint32_t row : m_model->rows()) {
        if (entities.size() == kMostSelected) break;
        entities.push_back({m_kind, row});
    }
    m_bridge.select(std::move(entities));
}

void TablesPanel::beginSelecting()
{
    if (const EntityRef chosen = m_bridge.selected(); chosen && lists(chosen.kind)) setKind(chosen.kind);
    m_filter->setFocus(Qt::ShortcutFocusReason);
}

void TablesPanel::chooseColumn(std::size_t at, bool shown)
{
    if (!m_list) return;
    if (!m_hidden.contains(m_kind))
        for (const ListColumn& column : m_list->columns())
            if (!column.shown) m_hidden[m_kind].insert(column.key);
    auto& hidden = m_hidden[m_kind]; // also where nothing is hidden: then all were chosen
    if (shown)
        hidden.erase(m_list->columns()[at].key);
    else
        hidden.insert(m_list->columns()[at].key);
    m_model->show(m_list, m_model->rows(), shownColumns());
    m_table->resizeColumnsToContents();
}

TablesPanel::Listed TablesPanel::listed() const
{
    Listed listed{m_model->list(), m_model->rows(), m_model->columns()};
    const auto chosen = m_table->selectedRows();
    if (chosen.size() < 2) return listed;
    listed.rows.clear();
    for (const int row : chosen) listed.rows.push_back(m_model->rows()[std::size_t(row)]);
    return listed;
}

void TablesPanel::onTyped(const QModelIndex& at, const QString& typed)
{
    const ListColumn* column = m_model->columnAt(at.column());
    if (!column || !column->field) return;
    const EntityRef entity = m_model->entityAt(at.row());
    const QString before = at.data(Qt::EditRole).toString();
    applyCells(m_bridge, tr("Set %1 of %2").arg(inSentence(text(column->title)), m_bridge.nameOf(entity)), {{entity, column->field, typed, before}});
}

void TablesPanel::copyCells()
{
    const QModelIndexList cells = m_table->selectedCells();
    if (cells.isEmpty()) return;
    std::map<int, std::map<int, QString>> byRow;
    std::set<int> columns;
    for (const QModelIndex& at : cells) {
        byRow[at.row()][at.column()] = at.data().toString();
        columns.insert(at.column());
    }
    std::vector<QStringList> rows;
    if (columns.size() > 1 && int(columns.size()) == m_model->columnCount()) { // whole rows: with their headers, as spreadsheets like them
        QStringList header;
        for (const int column : columns) header << m_model->headerData(column, Qt::Horizontal).toString();
        rows.push_back(header);
    }
    for (const auto& [row, texts] : byRow) {
        QStringList line;
        for (const int column : columns) line << (texts.contains(column) ? texts.at(column) : QString());
        rows.push_back(line);
    }
    QGuiApplication::clipboard()->setText(textOfCells(rows));
}

void TablesPanel::fillDown()
{
    QModelIndexList cells = m_table->selectedCells();
    std::ranges::sort(cells,
                      [](const QModelIndex& a, const QModelIndex& b) { return std::pair(a.column(), a.row()) < std::pair(b.column(), b.row()); });
    std::vector<CellEdit> edits;
    QModelIndex top;
    for (const QModelIndex& at : cells) {
        if (!top.isValid() || top.column() != at.column()) {
            top = at;
            continue;
        }
        const ListColumn* column = m_model->columnAt(at.column());
        if (!column->field || column->key == "name" || at.data() == top.data()) continue;
        edits.push_back({m_model->entityAt(at.row()), column->field, top.data().toString(), at.data().toString()});
    }
    if (!edits.empty()) applyCells(m_bridge, text(i18np(std::int64_t(edits.size()), "Fill down {:L} cell", "Fill down {:L} cells")), edits);
}

void TablesPanel::pasteCells()
{
    auto rows = cellsOfText(QGuiApplication::clipboard()->text());
    const QModelIndexList selected = m_table->selectedCells();
    if (rows.empty() || !m_list || (selected.isEmpty() && !m_table->currentIndex().isValid())) return;
    int top = m_model->rowCount(), left = m_model->columnCount();
    for (const QModelIndex& at : selected) top = std::min(top, at.row()), left = std::min(left, at.column());
    if (selected.isEmpty()) top = m_table->currentIndex().row(), left = m_table->currentIndex().column();
    std::vector<CellEdit> edits;
    QStringList notes;
    const auto add = [&](int row, int at, const QString& typed) {
        const ListColumn* column = m_model->columnAt(at);
        const QModelIndex index = m_model->index(row, at);
        if (!column || !index.isValid() || index.data().toString() == typed) return;
        CellEdit cell{m_model->entityAt(row), column->field, typed, index.data().toString()};
        if (!column->field) cell.problem = tr("%1 is computed and cannot be set").arg(text(column->title));
        edits.push_back(cell);
    };
    if (rows.size() == 1 && rows.front().size() == 1) { // one value for all that is selected
        for (const QModelIndex& at : selected) add(at.row(), at.column(), rows.front().front());
    } else {
        // A header row names the columns; then a column of names says which rows are meant.
        std::vector<int> columns;
        for (const QString& title : rows.front()) {
            int found = -1;
            for (int i = 0; i < m_model->columnCount(); ++i)
                if (const ListColumn* c = m_model->columnAt(i); title.compare(text(c->title), Qt::CaseInsensitive) == 0 || title == text(c->key))
                    found = i;
            columns.push_back(found);
        }
        const bool headed = std::ranges::all_of(columns, [](int column) { return column >= 0; });
        const int name = headed ? int(std::ranges::find(columns, 0) - columns.begin()) : -1;
        if (headed) rows.erase(rows.begin());
        std::map<QString, int> rowByName;
        if (headed && name < int(columns.size()))
            for (int row = 0; row < m_model->rowCount(); ++row) rowByName[m_model->index(row, 0).data().toString()] = row;
        int beyond = 0;
        QStringList unknown;
        for (int i = 0; i < int(rows.size()); ++i) {
            int row = top + i;
            const QStringList& line = rows[std::size_t(i)];
            if (!rowByName.empty()) {
                const auto found = rowByName.find(name < line.size() ? line[name] : QString());
                if (found == rowByName.end()) {
                    unknown << (name < line.size() ? line[name] : QString());
                    continue;
                }
                row = found->second;
            }
            if (row >= m_model->rowCount()) {
                ++beyond;
                continue;
            }
            for (int j = 0; j < line.size(); ++j) {
                const int column = headed ? (j < int(columns.size()) ? columns[std::size_t(j)] : -1) : left + j;
                if (column < 0 || (!rowByName.empty() && column == 0)) continue;
                add(row, column, line[j]);
            }
        }
        if (beyond > 0)
            notes << text(
                i18np(beyond, "{:L} row does not fit below the last row of the table.", "{:L} rows do not fit below the last row of the table."));
        if (!unknown.isEmpty()) {
            const qsizetype all = unknown.size();
            notes
                << tr("%1 rows have names that are not listed: %2.").arg(all).arg(QStringList(unknown.mid(0, 5)).join(", ") + (all > 5 ? " …" : ""));
        }
    }
    if (edits.empty() && notes.isEmpty()) return;
    PasteDialog dialog(m_bridge, std::move(edits), notes, this);
    dialog.exec();
}

/// Rows with a selected cell are what is selected in the project.
void TablesPanel::onCells()
{
    showTotals();
    if (m_following) return;
    std::vector<EntityRef> entities;
    for (const int row : m_table->selectedRows()) {
        if (entities.size() == kMostSelected) break;
        entities.push_back(m_model->entityAt(row));
    }
    m_following = true;
    if (!entities.empty()) m_bridge.select(std::move(entities));
    m_following = false;
}

/// What another view selected is selected here, where it is listed.
void TablesPanel::onSelection()
{
    if (m_following || !isVisible() || !m_list) return;
    QItemSelection rows;
    int first = -1;
    for (const EntityRef entity : m_bridge.selection()) {
        if (entity.kind != m_kind || rows.size() >= 1000) continue;
        const int row = m_model->rowOf(entity);
        if (row < 0) continue;
        if (first < 0) first = row;
        rows.select(m_model->index(row, 0), m_model->index(row, m_model->columnCount() - 1));
    }
    if (first < 0) return;
    m_following = true;
    m_table->selectionModel()->setCurrentIndex(m_model->index(first, 0), QItemSelectionModel::NoUpdate);
    m_table->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
    m_table->scrollTo(m_model->index(first, 0));
    m_following = false;
    showTotals();
}

void TablesPanel::showTotals()
{
    if (!m_list) return;
    const auto chosen = m_table->selectedRows();
    const bool some = chosen.size() > 1 && m_stack->currentIndex() == 0;
    std::vector<std::optional<double>> totals = m_totals;
    if (some) {
        std::vector<std::uint32_t> rows;
        for (const int row : chosen) rows.push_back(m_model->rows()[std::size_t(row)]);
        totals = m_list->totals(rows);
    }
    QStringList parts{some ? tr("%1 selected").arg(kindTitle(m_kind, chosen.size())) : kindTitle(m_kind, m_model->rows().size())};
    for (std::size_t at = 0; at < totals.size(); ++at)
        if (totals[at] && *totals[at] != 0) parts << text(m_list->columns()[at].title) + " " + text(m_list->amount(*totals[at], at));
    if (some && chosen.size() > kMostSelected) parts << tr("the first %1 are selected in the other views").arg(count(kMostSelected));
    m_sum->setText(parts.join("   ·   "));
}

void TablesPanel::openMenu(QPoint at)
{
    QMenu menu;
    menu.setObjectName("tableMenu");
    menu.addAction(tr("&Copy cells"), this, &TablesPanel::copyCells);
    menu.addAction(tr("&Paste cells …"), this, &TablesPanel::pasteCells)->setEnabled(!QGuiApplication::clipboard()->text().isEmpty());
    menu.addAction(tr("&Fill down"), this, &TablesPanel::fillDown)->setEnabled(m_table->selectedCells().size() > 1);
    menu.addSeparator();
    const QModelIndex current = m_table->currentIndex();
    const ListColumn* column = m_model->columnAt(current.column());
    const QString value = current.data().toString();
    auto* same = menu.addAction(tr("Show only rows with the &same value"), this,
                                [this, column, value] { m_filter->setText(QString::fromStdString(column->key) + "=" + value); });
    same->setEnabled(column && !value.isEmpty() && !value.contains(';'));
    auto* more = menu.addAction(tr("&Object actions …"));
    more->setEnabled(bool(m_model->entityAt(current.row())));
    if (menu.exec(at) == more) m_bridge.openMenu(m_model->entityAt(current.row()), at);
}

void TablesPanel::openHeaderMenu(QPoint at) { m_columnMenu->exec(m_table->horizontalHeader()->mapToGlobal(at)); }

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/entity_table_view.h"

#include "views/style/theme.h"
#include "views/tables/entity_table_model.h"

#include <QComboBox>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QStyledItemDelegate>

#include <algorithm>
#include <set>

namespace hw::views {
namespace {

/// Choices are edited by a list of their words.
class CellDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& at) const override
    {
        const QStringList words = at.data(EntityTableModel::WordsRole).toStringList();
        if (words.isEmpty()) return QStyledItemDelegate::createEditor(parent, option, at);
        auto* box = new QComboBox(parent);
        box->addItems(words);
        connect(box, &QComboBox::activated, this, [this, box] {
            auto* self = const_cast<CellDelegate*>(this);
            emit self->commitData(box);
            emit self->closeEditor(box);
        });
        return box;
    }
    void setEditorData(QWidget* editor, const QModelIndex& at) const override
    {
        auto* box = qobject_cast<QComboBox*>(editor);
        if (!box) return QStyledItemDelegate::setEditorData(editor, at);
        box->setCurrentText(at.data(Qt::EditRole).toString());
    }
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& at) const override
    {
        auto* box = qobject_cast<QComboBox*>(editor);
        if (!box) return QStyledItemDelegate::setModelData(editor, model, at);
        model->setData(at, box->currentText());
    }
};

/// Keys that mean something else in the window while the table has no focus.
bool ownKey(const QKeyEvent& key)
{
    return key.matches(QKeySequence::Copy) || key.matches(QKeySequence::Paste) || key.key() == Qt::Key_F2 ||
           (key.key() == Qt::Key_D && key.modifiers() == Qt::ControlModifier) || (key.key() == Qt::Key_A && key.modifiers() == Qt::ControlModifier);
}

} // namespace

EntityTableView::EntityTableView(QWidget* parent) : QTableView(parent)
{
    setItemDelegate(new CellDelegate(this));
    setSelectionBehavior(SelectItems);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(DoubleClicked | EditKeyPressed | AnyKeyPressed);
    setShowGrid(true);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setAccessibleName(tr("Table of objects"));
    verticalHeader()->setDefaultSectionSize(int(fontMetrics().height() * 1.55));
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsMovable(false);
    horizontalHeader()->setResizeContentsPrecision(60);
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    setHorizontalScrollMode(ScrollPerPixel);
}

std::vector<int> EntityTableView::selectedRows() const
{
    std::set<int> rows;
    if (selectionModel())
        for (const QItemSelectionRange& range : selectionModel()->selection())
            for (int row = range.top(); row <= range.bottom(); ++row) rows.insert(row);
    return {rows.begin(), rows.end()};
}

bool EntityTableView::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && ownKey(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QTableView::event(event);
}

void EntityTableView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) return emit copyWanted();
    if (event->matches(QKeySequence::Paste)) return emit pasteWanted();
    if (event->key() == Qt::Key_D && event->modifiers() == Qt::ControlModifier) return emit fillWanted();
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && state() != EditingState && currentIndex().isValid())
        return edit(currentIndex());
    QTableView::keyPressEvent(event);
}

void EntityTableView::contextMenuEvent(QContextMenuEvent* event) { emit menuWanted(event->globalPos()); }

void EntityTableView::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected)
{
    QTableView::selectionChanged(selected, deselected);
    emit cellsSelected();
}

} // namespace hw::views

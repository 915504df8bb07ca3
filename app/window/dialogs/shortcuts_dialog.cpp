// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/shortcuts_dialog.h"

#include "views/style/fit.h"
#include "views/style/theme.h"

#include <QAction>
#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>

namespace hw::app {
namespace {

using views::space;

struct Gesture {
    const char *where, *how, *what;
};

constexpr Gesture kGestures[] = {
    {QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "3D twin"), QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Left drag, arrows"),
     QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Orbit around the point under the cursor")},
    {QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "3D twin"), QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Right or middle drag, Shift + arrows"),
     QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Pan")},
    {QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "3D twin"), QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Home, T, R, F"),
     QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "View all, top view, front view, zoom to selection")},
    {QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Plan"), QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Drag on a row or rack"),
     QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Move the row; with Ctrl, a single rack")},
    {QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Plan"), QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Shift or Alt while dragging"),
     QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Snap to 600 mm tiles, or to 10 mm")},
    {QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Plan"), QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Arrows"),
     QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Move the selection by the snap step")},
    {QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Plan"), QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Drag on empty floor, Shift + click"),
     QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Select multiple objects")},
    {QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Plan"), QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Escape"),
     QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Cancel the drag; otherwise clear the selection")},
    {QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Fabric"), QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Double-click, Return"),
     QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Expand or collapse a group; Backspace collapses the last one")},
    {QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Fabric"), QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Wheel; with Ctrl; with Shift"),
     QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Zoom; stretch rows; pan horizontally")},
    {QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "All views"), QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Click, double-click"),
     QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Select; zoom to it in all views")},
    {QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "All views"), QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Right-click, menu key"),
     QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Context menu")},
    {QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "All views"), QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Wheel, + and −"),
     QT_TRANSLATE_NOOP("hw::app::ShortcutsDialog", "Zoom")},
};

} // namespace

ShortcutsDialog::ShortcutsDialog(const std::vector<QAction*>& actions, QWidget* parent) : QDialog(parent), m_search(new QLineEdit)
{
    setWindowTitle(tr("Keyboard and mouse"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space(4), space(4), space(4), space(4));
    m_search->setPlaceholderText(tr("Search"));
    m_search->setAccessibleName(tr("Search shortcuts"));
    m_search->setClearButtonEnabled(true);
    auto* list = new QTreeWidget;
    list->setObjectName("shortcuts");
    list->setRootIsDecorated(false);
    list->setHeaderLabels({tr("Location"), tr("Input"), tr("Action")});
    const auto add = [list](const QString& where, const QString& how, const QString& what) {
        list->addTopLevelItem(new QTreeWidgetItem({where, how, what}));
    };
    for (const QAction* action : actions)
        for (const QKeySequence& keys : action->shortcuts())
            add(tr("Menu"), keys.toString(QKeySequence::NativeText), QString(action->text()).remove('&').remove(QString::fromUtf8(" …")));
    for (const auto& [where, how, what] : gestures()) add(where, how, what);
    list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    connect(m_search, &QLineEdit::textChanged, this, [list](const QString& words) {
        for (int i = 0; i < list->topLevelItemCount(); ++i) {
            auto* item = list->topLevelItem(i);
            item->setHidden(!(item->text(0) + " " + item->text(1) + " " + item->text(2)).contains(words, Qt::CaseInsensitive));
        }
    });
    auto* buttons = new QDialogButtonBox;
    buttons->addButton(new QPushButton(tr("Close")), QDialogButtonBox::RejectRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(m_search);
    column->addWidget(list, 1);
    column->addWidget(buttons);
    views::fitToScreen(*this, {fontMetrics().averageCharWidth() * 110, fontMetrics().height() * 40});
}

void ShortcutsDialog::search(const QString& words) { m_search->setText(words); }

std::vector<std::array<QString, 3>> ShortcutsDialog::gestures()
{
    std::vector<std::array<QString, 3>> all;
    for (const Gesture& g : kGestures) all.push_back({tr(g.where), tr(g.how), tr(g.what)});
    return all;
}

} // namespace hw::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/find_palette.h"

#include "views/panels/properties.h"
#include "views/style/icons.h"
#include "views/style/theme.h"

#include <QAction>
#include <QApplication>
#include <QBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>

#include <algorithm>

namespace hw::views {
namespace {

constexpr std::size_t kResults = 40;

bool holdsEveryWord(const QString& text, const QString& words)
{
    const auto list = words.split(' ', Qt::SkipEmptyParts);
    return std::ranges::all_of(list, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace

FindPalette::FindPalette(DocumentBridge& bridge, QWidget* window) : QFrame(window), m_bridge(bridge), m_field(new QLineEdit), m_list(new QListWidget)
{
    setProperty("role", "palette");
    setAutoFillBackground(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space(2), space(2), space(2), space(2));
    layout->addWidget(m_field);
    layout->addWidget(m_list);
    m_field->setPlaceholderText(tr("Find a rack, switch, link rule … or a command"));
    m_field->setAccessibleName(tr("Find"));
    m_field->setFont(scaledFont(1.15));
    m_field->installEventFilter(this);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    connect(m_field, &QLineEdit::textChanged, this, &FindPalette::search);
    connect(m_list, &QListWidget::itemClicked, this, &FindPalette::accept);
    hide();
}

void FindPalette::open(const QList<QAction*>& commands)
{
    m_commands = commands;
    const int width = std::min(parentWidget()->width() - 40, fontMetrics().averageCharWidth() * 90);
    setGeometry((parentWidget()->width() - width) / 2, space(24), width, fontMetrics().height() * 22);
    m_field->clear();
    search();
    show();
    raise();
    m_field->setFocus(Qt::ShortcutFocusReason);
}

void FindPalette::search()
{
    m_list->clear();
    m_entities.clear();
    const QString words = m_field->text().trimmed();
    if (!words.isEmpty()) addEntities(words);
    addCommands(words);
    if (m_list->count() == 0) {
        auto* item = new QListWidgetItem(tr("No match"));
        item->setFlags(Qt::NoItemFlags);
        m_list->addItem(item);
    }
    m_list->setCurrentRow(0);
}

void FindPalette::addEntities(const QString& words)
{
    if (!m_bridge.figures()) return;
    const Snapshot& s = *m_bridge.figures()->snapshot;
    for (const EntityRef e : searchEntities(s, words.toStdString(), kResults)) {
        QStringList path;
        for (const EntityRef up : ancestry(s, e))
            if (up != e) path << m_bridge.nameOf(up);
        m_entities.push_back(e);
        m_list->addItem(new QListWidgetItem(icon(e.kind == EntityKind::Device ? "server"
                                                 : e.kind == EntityKind::Rack ? "rack"
                                                 : e.kind == EntityKind::Row  ? "row"
                                                                              : "hall"),
                                            QString("%1      %2   %3").arg(m_bridge.nameOf(e), kindName(s, e), path.join(" › "))));
    }
}

void FindPalette::addCommands(const QString& words)
{
    struct Match {
        QString name;
        QAction* action;
        int rank; ///< 0: the words are its name, 1: it begins with them, 2: it holds them
    };
    std::vector<Match> matches;
    for (QAction* action : m_commands) {
        const QString name = action->text().remove('&');
        if (!action->isEnabled() || name.isEmpty() || !holdsEveryWord(name, words)) continue;
        const bool begins = name.startsWith(words, Qt::CaseInsensitive);
        matches.push_back({name, action, begins ? (name.size() == words.size() ? 0 : 1) : 2});
    }
    std::stable_sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) { return a.rank < b.rank; });
    for (const auto& [name, action, rank] : matches) {
        auto* item =
            new QListWidgetItem(action->icon().isNull() ? icon("chevron") : action->icon(),
                                name + (action->shortcut().isEmpty() ? QString() : "      " + action->shortcut().toString(QKeySequence::NativeText)));
        item->setData(Qt::UserRole, QVariant::fromValue<QObject*>(action));
        m_list->addItem(item);
    }
}

void FindPalette::accept()
{
    const auto* item = m_list->currentItem();
    const int row = m_list->currentRow();
    if (!item) return;
    auto* action = qobject_cast<QAction*>(item->data(Qt::UserRole).value<QObject*>());
    const EntityRef entity = row >= 0 && row < int(m_entities.size()) ? m_entities[std::size_t(row)] : EntityRef{};
    dismiss();
    if (action)
        action->trigger();
    else
        m_bridge.zoomTo(entity);
}

void FindPalette::dismiss()
{
    hide();
    parentWidget()->setFocus();
}

bool FindPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_field) return QFrame::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut && isVisible() && !isAncestorOf(QApplication::focusWidget())) hide();
    if (event->type() != QEvent::KeyPress) return false;
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape: dismiss(); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: accept(); return true;
    case Qt::Key_Down: m_list->setCurrentRow(std::min(m_list->currentRow() + 1, m_list->count() - 1)); return true;
    case Qt::Key_Up: m_list->setCurrentRow(std::max(m_list->currentRow() - 1, 0)); return true;
    default: return false;
    }
}

} // namespace hw::views

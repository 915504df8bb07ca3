// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/find_palette.h"

#include "views/panels/properties.h"
#include "views/style/icons.h"
#include "views/style/theme.h"

#include <QAction>
#include <QApplication>
#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <array>

namespace hw::views {
namespace {

constexpr std::size_t kObjects = 40, kResults = 120;
constexpr int kTitle = Qt::UserRole, kDetail = Qt::UserRole + 1, kMatchGroup = Qt::UserRole + 2;
constexpr std::array<char, 6> kSigns{'@', '>', '#', ':', '!', '?'}; ///< of the groups, in their order

QString groupName(PaletteScope scope)
{
    switch (scope) {
    case PaletteScope::Object: return FindPalette::tr("Object");
    case PaletteScope::Command: return FindPalette::tr("Command");
    case PaletteScope::PartType: return FindPalette::tr("Part type");
    case PaletteScope::Setting: return FindPalette::tr("Setting");
    case PaletteScope::Rule: return FindPalette::tr("Rule");
    case PaletteScope::Help: return FindPalette::tr("Help");
    }
    return {};
}

bool everyWordIn(const QString& text, const QStringList& words)
{
    return std::ranges::all_of(words, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

bool everyWordBegins(const QString& title, const QStringList& words)
{
    const auto begins = [&](const QString& word) {
        for (qsizetype at = title.indexOf(word, 0, Qt::CaseInsensitive); at >= 0; at = title.indexOf(word, at + 1, Qt::CaseInsensitive))
            if (at == 0 || !title[at - 1].isLetterOrNumber()) return true;
        return false;
    };
    return std::ranges::all_of(words, begins);
}

/// 0: the words are the title; 1: it begins with them; 2: each begins a word of it; 3: it has them; 4: title and detail have them.
std::optional<int> rankOf(const PaletteEntry& entry, const QString& sought, const QStringList& words)
{
    if (entry.title.startsWith(sought, Qt::CaseInsensitive)) return entry.title.size() == sought.size() ? 0 : 1;
    if (everyWordIn(entry.title, words)) return everyWordBegins(entry.title, words) ? 2 : 3;
    return everyWordIn(entry.title + ' ' + entry.detail, words) ? std::optional(4) : std::nullopt;
}

/// Title, faint detail behind it, and the group at the right edge.
class PaletteDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override { return {0, option.fontMetrics.height() + space(2)}; }
    void paint(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const override
    {
        QStyleOptionViewItem option = given;
        initStyleOption(&option, index);
        option.text.clear();
        const QIcon icon = std::exchange(option.icon, {});
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);
        QRect box = option.rect.adjusted(space(2), 0, -space(2), 0);
        const int side = option.fontMetrics.height();
        icon.paint(painter, QRect(box.left(), box.center().y() - side / 2, side, side));
        box.setLeft(box.left() + side + space(2));
        const QString group = index.data(kMatchGroup).toString(), detail = index.data(kDetail).toString();
        painter->setFont(option.font);
        painter->setPen(theme().textFaint);
        painter->drawText(box, Qt::AlignRight | Qt::AlignVCenter, group);
        box.setRight(box.right() - option.fontMetrics.horizontalAdvance(group) - space(4));
        const QString title = option.fontMetrics.elidedText(index.data(kTitle).toString(), Qt::ElideRight, box.width());
        painter->setPen(theme().text);
        painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter, title);
        box.setLeft(box.left() + option.fontMetrics.horizontalAdvance(title) + space(3));
        painter->setPen(theme().textDim);
        if (box.width() > 0)
            painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter, option.fontMetrics.elidedText(detail, Qt::ElideRight, box.width()));
    }
};

} // namespace

FindPalette::FindPalette(DocumentBridge& bridge, QWidget* window)
    : QFrame(window), m_bridge(bridge), m_field(new QLineEdit), m_list(new QListWidget), m_signs(new QLabel)
{
    setProperty("role", "palette");
    setAutoFillBackground(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space(2), space(2), space(2), space(2));
    layout->addWidget(m_field);
    layout->addWidget(m_list);
    layout->addWidget(m_signs);
    m_field->setPlaceholderText(tr("Command, object, part type, setting, rule or help topic"));
    m_field->setAccessibleName(tr("Command palette"));
    m_field->setFont(scaledFont(1.15));
    m_field->installEventFilter(this);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    m_list->setAccessibleName(tr("Matches"));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setItemDelegate(new PaletteDelegate(m_list));
    m_signs->setProperty("role", "dim");
    m_signs->setText(tr("Prefix:  > commands   @ objects   # part types   : settings   ! rules   ? help"));
    connect(m_field, &QLineEdit::textChanged, this, &FindPalette::search);
    connect(m_list, &QListWidget::itemClicked, this, &FindPalette::accept);
    hide();
}

void FindPalette::open(const QList<QAction*>& commands, std::vector<PaletteEntry> others)
{
    if (!isVisible()) m_before = QApplication::focusWidget();
    m_known.clear();
    for (QAction* action : commands) {
        const QString name = action->text().remove('&');
        if (!action->isEnabled() || name.isEmpty()) continue;
        m_known.push_back({PaletteScope::Command, name, action->shortcut().toString(QKeySequence::NativeText),
                           action->icon().isNull() ? icon("chevron") : action->icon(), [action = QPointer(action)] {
                               if (action) action->trigger();
                           }});
    }
    std::ranges::move(others, std::back_inserter(m_known));
    const int width = std::min(parentWidget()->width() - 40, fontMetrics().averageCharWidth() * 100);
    const int height = std::min(parentWidget()->height() - space(24) - space(10), fontMetrics().height() * 24);
    setGeometry((parentWidget()->width() - width) / 2, space(24), width, height);
    m_field->clear();
    search();
    show();
    raise();
    m_field->setFocus(Qt::ShortcutFocusReason);
}

void FindPalette::search()
{
    QString sought = m_field->text().trimmed();
    std::optional<PaletteScope> only;
    if (const auto at = sought.isEmpty() ? kSigns.end() : std::ranges::find(kSigns, sought.front().toLatin1()); at != kSigns.end()) {
        only = PaletteScope(at - kSigns.begin());
        sought = sought.mid(1).trimmed();
    }
    const QStringList words = sought.split(' ', Qt::SkipEmptyParts);
    std::vector<Match> matches;
    if (!words.isEmpty() && only.value_or(PaletteScope::Object) == PaletteScope::Object) addObjects(sought, matches);
    for (const PaletteEntry& entry : m_known) {
        if (entry.scope != only.value_or(words.isEmpty() ? PaletteScope::Command : entry.scope)) continue;
        if (words.isEmpty())
            matches.push_back({4, entry});
        else if (const auto rank = rankOf(entry, sought, words))
            matches.push_back({*rank, entry});
    }
    std::ranges::stable_sort(matches, {}, [](const Match& m) { return std::pair(m.rank, m.entry.scope); });
    if (matches.size() > kResults) matches.resize(kResults);
    fill(std::move(matches));
}

void FindPalette::addObjects(const QString& words, std::vector<Match>& matches)
{
    if (!m_bridge.figures()) return;
    const Snapshot& s = *m_bridge.figures()->snapshot;
    const QStringList list = words.split(' ', Qt::SkipEmptyParts);
    for (const EntityRef e : searchEntities(s, words.toStdString(), kObjects)) {
        QStringList path;
        for (const EntityRef up : ancestry(s, e))
            if (up != e) path << m_bridge.nameOf(up);
        const char* sign = e.kind == EntityKind::Device ? "server" : e.kind == EntityKind::Rack ? "rack" : e.kind == EntityKind::Row ? "row" : "hall";
        PaletteEntry entry{PaletteScope::Object, m_bridge.nameOf(e), kindName(s, e) + "   " + path.join(QString::fromUtf8(" › ")), icon(sign),
                           [this, e] { emit objectChosen(e); }};
        const int rank = rankOf(entry, words, list).value_or(4); // found by its key
        matches.push_back({rank, std::move(entry)});
    }
}

void FindPalette::fill(std::vector<Match> matches)
{
    m_list->clear();
    m_shown.clear();
    for (Match& match : matches) {
        const PaletteEntry& entry = match.entry;
        const QString group = groupName(entry.scope);
        auto* item = new QListWidgetItem(entry.icon, QStringList{entry.title, entry.detail, group}.join(",  "));
        item->setData(kTitle, entry.title);
        item->setData(kDetail, entry.detail);
        item->setData(kMatchGroup, group);
        m_list->addItem(item);
        m_shown.push_back(std::move(match.entry));
    }
    if (m_shown.empty()) {
        auto* item = new QListWidgetItem(tr("No match"));
        item->setData(kTitle, tr("No match"));
        item->setFlags(Qt::NoItemFlags);
        m_list->addItem(item);
    }
    m_list->setCurrentRow(0);
}

void FindPalette::accept()
{
    const auto row = std::size_t(std::max(0, m_list->currentRow()));
    if (row >= m_shown.size()) return;
    const auto run = m_shown[row].run;
    dismiss();
    if (run) run();
}

void FindPalette::dismiss()
{
    hide();
    if (m_before && m_before->isVisible())
        m_before->setFocus();
    else
        parentWidget()->setFocus();
}

void FindPalette::step(int rows) { m_list->setCurrentRow(std::clamp(m_list->currentRow() + rows, 0, std::max(0, m_list->count() - 1))); }

bool FindPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_field) return QFrame::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut && isVisible() && !isAncestorOf(QApplication::focusWidget())) hide();
    if (event->type() != QEvent::KeyPress) return false;
    const int page = std::max(1, m_list->viewport()->height() / std::max(1, m_list->sizeHintForRow(0)) - 1);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape: dismiss(); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: accept(); return true;
    case Qt::Key_Down: step(1); return true;
    case Qt::Key_Up: step(-1); return true;
    case Qt::Key_PageDown: step(page); return true;
    case Qt::Key_PageUp: step(-page); return true;
    default: return false;
    }
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/netbox_rows_model.h"

#include "views/style/format.h"
#include "views/style/theme.h"

#include <QFont>

#include <algorithm>

namespace hw::app {

using netbox::Difference;
using netbox::DifferenceKind;
using views::text;

namespace {

constexpr DifferenceKind kKindOrder[] = {DifferenceKind::Differs, DifferenceKind::DesignOnly, DifferenceKind::NetboxOnly, DifferenceKind::Conflict};

QString kindTitle(DifferenceKind kind)
{
    switch (kind) {
    case DifferenceKind::Differs: return NetboxRowsModel::tr("Different values");
    case DifferenceKind::DesignOnly: return NetboxRowsModel::tr("Missing in NetBox");
    case DifferenceKind::NetboxOnly: return NetboxRowsModel::tr("Missing in the design");
    case DifferenceKind::Conflict: return NetboxRowsModel::tr("Conflicts");
    }
    return {};
}

/// A field of NetBox in words; others as NetBox calls them.
QString fieldTitle(const std::string& field)
{
    static const std::pair<const char*, const char*> kTitles[] = {
        {"name", QT_TRANSLATE_NOOP("NetboxRowsModel", "Name")},
        {"serial", QT_TRANSLATE_NOOP("NetboxRowsModel", "Serial number")},
        {"rack", QT_TRANSLATE_NOOP("NetboxRowsModel", "Rack")},
        {"position", QT_TRANSLATE_NOOP("NetboxRowsModel", "Rack unit")},
        {"face", QT_TRANSLATE_NOOP("NetboxRowsModel", "Face")},
        {"length", QT_TRANSLATE_NOOP("NetboxRowsModel", "Length, m")},
        {"type", QT_TRANSLATE_NOOP("NetboxRowsModel", "Type")},
        {"tags", QT_TRANSLATE_NOOP("NetboxRowsModel", "Tags")},
        {"site", QT_TRANSLATE_NOOP("NetboxRowsModel", "Site")},
        {"location", QT_TRANSLATE_NOOP("NetboxRowsModel", "Location")},
        {"role", QT_TRANSLATE_NOOP("NetboxRowsModel", "Role")},
        {"rack_type", QT_TRANSLATE_NOOP("NetboxRowsModel", "Rack type")},
        {"device_type", QT_TRANSLATE_NOOP("NetboxRowsModel", "Device type")},
        {"custom_fields.hall_x_mm", QT_TRANSLATE_NOOP("NetboxRowsModel", "Position x, mm")},
        {"custom_fields.hall_y_mm", QT_TRANSLATE_NOOP("NetboxRowsModel", "Position y, mm")},
        {"custom_fields.hall_z_mm", QT_TRANSLATE_NOOP("NetboxRowsModel", "Position z, mm")},
        {"custom_fields.hall_rotation", QT_TRANSLATE_NOOP("NetboxRowsModel", "Rotation, °")},
        {"custom_fields.hall_size_x_mm", QT_TRANSLATE_NOOP("NetboxRowsModel", "Size x, mm")},
        {"custom_fields.hall_size_y_mm", QT_TRANSLATE_NOOP("NetboxRowsModel", "Size y, mm")},
        {"custom_fields.hall_mount", QT_TRANSLATE_NOOP("NetboxRowsModel", "Mounting side")},
        {"label", QT_TRANSLATE_NOOP("NetboxRowsModel", "Label")},
        {"custom_fields.hall_row", QT_TRANSLATE_NOOP("NetboxRowsModel", "Row")},
    };
    for (const auto& [name, title] : kTitles)
        if (field == name) return NetboxRowsModel::tr(title);
    return text(field).remove("custom_fields.").replace('_', ' ');
}

} // namespace

NetboxRowsModel::NetboxRowsModel(QObject* parent) : QAbstractItemModel(parent) {}

void NetboxRowsModel::setRows(std::vector<Difference> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    m_checked.assign(m_rows.size(), false);
    regroup();
    endResetModel();
    emit checkedChanged();
}

void NetboxRowsModel::setFilter(const QString& words)
{
    beginResetModel();
    m_words = words.split(' ', Qt::SkipEmptyParts);
    regroup();
    endResetModel();
}

void NetboxRowsModel::regroup()
{
    m_groups.clear();
    for (const DifferenceKind kind : kKindOrder) {
        Group group{kind, 0, {}};
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            if (m_rows[i].kind != kind) continue;
            ++group.all;
            bool fits = true;
            if (!m_words.isEmpty()) {
                QString all;
                for (int column = 0; column < Columns; ++column) all += cell(m_rows[i], i, column) + '\n';
                fits = std::ranges::all_of(m_words, [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
            }
            if (fits) group.shown.push_back(i);
        }
        if (!group.shown.empty()) m_groups.push_back(std::move(group));
    }
}

std::set<std::size_t> NetboxRowsModel::chosen(bool Difference::*side) const
{
    std::set<std::size_t> rows;
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_checked[i] && m_rows[i].*side) rows.insert(rows.end(), i);
    return rows;
}

std::size_t NetboxRowsModel::checkedRows() const { return std::size_t(std::ranges::count(m_checked, true)); }

void NetboxRowsModel::checkShown(bool checked)
{
    for (int g = 0; g < int(m_groups.size()); ++g) {
        for (const std::size_t row : m_groups[std::size_t(g)].shown) m_checked[row] = checked && able(row);
        tellGroup(g);
    }
    emit checkedChanged();
}

/// The boxes of a group and of its rows.
void NetboxRowsModel::tellGroup(int group)
{
    const QModelIndex top = index(group, 0);
    emit dataChanged(top, top, {Qt::CheckStateRole});
    if (const int rows = rowCount(top); rows > 0) emit dataChanged(index(0, 0, top), index(rows - 1, 0, top), {Qt::CheckStateRole});
}

std::size_t NetboxRowsModel::rowAt(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == 0) return kNone;
    return m_groups[index.internalId() - 1].shown[std::size_t(index.row())];
}

QModelIndex NetboxRowsModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) + 1 : quintptr(0));
}

QModelIndex NetboxRowsModel::parent(const QModelIndex& index) const
{
    return index.isValid() && index.internalId() != 0 ? createIndex(int(index.internalId()) - 1, 0, quintptr(0)) : QModelIndex();
}

int NetboxRowsModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid()) return int(m_groups.size());
    return parent.internalId() == 0 && parent.column() == 0 ? int(m_groups[std::size_t(parent.row())].shown.size()) : 0;
}

int NetboxRowsModel::columnCount(const QModelIndex&) const { return Columns; }

QString NetboxRowsModel::cell(const Difference& row, std::size_t number, int column) const
{
    switch (column) {
    case Object: return text(row.name);
    case Type: return text(words(Text(netbox::tableList()[row.table].what)));
    case Field: return row.field.empty() ? QString() : fieldTitle(row.field);
    case Design: return row.kind == DifferenceKind::NetboxOnly ? tr("–") : text(row.design);
    case NetBox: return row.kind == DifferenceKind::DesignOnly || row.netbox.empty() ? tr("–") : text(row.netbox);
    case Sides:
        if (row.toNetbox && row.toDesign) return tr("either");
        if (row.toNetbox) return tr("to NetBox");
        if (row.toDesign) return tr("to the design");
        return row.kind == DifferenceKind::NetboxOnly ? tr("import it") : tr("resolve in NetBox");
    case Row: return QString::number(number + 1);
    default: return {};
    }
}

QVariant NetboxRowsModel::groupData(const Group& group, int column, int role) const
{
    if (role == Qt::FontRole) {
        QFont font;
        font.setBold(true);
        return font;
    }
    if (column != Object) return {};
    if (role == Qt::DisplayRole) {
        const QString title = kindTitle(group.kind);
        return group.shown.size() == group.all
                   ? tr("%1: %2").arg(title, views::count(std::int64_t(group.all)))
                   : tr("%1: %2 of %3").arg(title, views::count(std::int64_t(group.shown.size())), views::count(std::int64_t(group.all)));
    }
    if (role == Qt::CheckStateRole) {
        std::size_t able = 0, checked = 0;
        for (const std::size_t row : group.shown) able += this->able(row), checked += m_checked[row];
        if (able == 0) return {};
        return checked == 0 ? Qt::Unchecked : checked == able ? Qt::Checked : Qt::PartiallyChecked;
    }
    return {};
}

QVariant NetboxRowsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    if (index.internalId() == 0) return groupData(m_groups[std::size_t(index.row())], index.column(), role);
    const std::size_t number = rowAt(index);
    const Difference& row = m_rows[number];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: return cell(row, number, index.column());
    case Qt::CheckStateRole:
        if (index.column() != Object || !able(number)) return {};
        return m_checked[number] ? Qt::Checked : Qt::Unchecked;
    case Qt::ForegroundRole:
        if (!able(number) || index.column() == Sides || index.column() == Row) return views::theme().textDim;
        return {};
    case Qt::TextAlignmentRole: return index.column() == Row ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    default: return {};
    }
}

bool NetboxRowsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !index.isValid() || index.column() != Object) return false;
    const bool checked = value.toInt() != Qt::Unchecked;
    if (index.internalId() == 0) {
        for (const std::size_t row : m_groups[std::size_t(index.row())].shown) m_checked[row] = checked && able(row);
        tellGroup(index.row());
    } else {
        const std::size_t row = rowAt(index);
        if (!able(row)) return false;
        m_checked[row] = checked;
        emit dataChanged(index, index, {role});
        emit dataChanged(index.parent(), index.parent(), {role});
    }
    emit checkedChanged();
    return true;
}

QVariant NetboxRowsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Object: return tr("Object");
    case Type: return tr("Type");
    case Field: return tr("Field");
    case Design: return tr("Design");
    case NetBox: return tr("NetBox");
    case Sides: return tr("Can be taken");
    case Row: return tr("Row");
    default: return {};
    }
}

Qt::ItemFlags NetboxRowsModel::flags(const QModelIndex& index) const
{
    if (!index.isValid()) return {};
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (index.column() == Object && data(index, Qt::CheckStateRole).isValid()) flags |= Qt::ItemIsUserCheckable;
    return flags;
}

} // namespace hw::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/object_list.h"

#include "views/simulation/field_form.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QToolButton>

#include <algorithm>

namespace hw::views {
namespace {

constexpr int kMostSaid = 48; ///< characters of what is set, in the line of a folded entry

/// The name of an entry, else "gpus 512, priority 2": what it sets, as long as the line has room.
QString summaryOf(const sim::Json& values)
{
    if (const auto name = values.find("name"); name != values.end() && name->is_string()) return text(name->get<std::string>()).left(kMostSaid);
    QStringList said;
    for (const auto& [key, value] : values.items())
        if (!value.is_structured()) said << text(key) + " " + text(value.is_string() ? value.get<std::string>() : value.dump());
    const QString all = said.join(", ");
    return all.size() > kMostSaid ? all.left(kMostSaid) + "…" : all;
}

} // namespace

ObjectList::ObjectList(const sim::Field& field, const sim::Json& values, const QString& place, QWidget* parent)
    : QWidget(parent), m_field(field), m_given(values), m_place(place), m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(space(1));
    auto* more = new QToolButton;
    more->setObjectName("add." + place);
    more->setIcon(icon("new"));
    more->setText(tr("Add"));
    more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_column->addWidget(more, 0, Qt::AlignLeft);
    if (values.is_array())
        for (const auto& one : values) add(one, false);
    tell();
    connect(more, &QToolButton::clicked, this, [this] {
        add(sim::Json::object(), true);
        onChanged();
    });
}

void ObjectList::add(const sim::Json& values, bool open)
{
    Entry entry;
    entry.box = new QWidget;
    entry.head = new QToolButton;
    entry.form = new FieldForm(nullptr, QString("%1[%2].").arg(m_place).arg(m_entries.size()));
    auto* column = new QVBoxLayout(entry.box);
    column->setContentsMargins(0, 0, 0, 0);
    auto* first = new QHBoxLayout;
    auto* away = new QToolButton;
    away->setIcon(icon("close"));
    away->setToolTip(tr("Remove"));
    away->setAccessibleName(tr("Remove"));
    entry.head->setCheckable(true);
    entry.head->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    entry.head->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    first->addWidget(entry.head, 1);
    first->addWidget(away);
    column->addLayout(first);
    column->addWidget(entry.form);
    entry.form->setFields(m_field.fields, values);
    const auto fold = [head = entry.head, form = entry.form](bool shown) {
        head->setIcon(icon(shown ? "chevron-down" : "chevron"));
        form->setVisible(shown);
    };
    fold(open);
    entry.head->setChecked(open);
    connect(entry.head, &QToolButton::toggled, this, fold);
    connect(away, &QToolButton::clicked, this, [this, box = entry.box] { remove(box); });
    connect(entry.form, &FieldForm::changed, this, &ObjectList::onChanged);
    m_column->insertWidget(m_column->count() - 1, entry.box);
    m_entries.push_back(entry);
}

void ObjectList::remove(QWidget* box)
{
    std::erase_if(m_entries, [&](const Entry& entry) { return entry.box == box; });
    box->hide();
    box->deleteLater();
    onChanged();
}

void ObjectList::onChanged()
{
    m_touched = true;
    tell();
    emit changed();
}

void ObjectList::tell()
{
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const QString summary = summaryOf(m_entries[i].form->given(true));
        m_entries[i].head->setText(summary.isEmpty() ? QString::number(i + 1) : QString("%1  %2").arg(i + 1).arg(summary));
    }
}

sim::Json ObjectList::value() const
{
    if (!m_touched) return m_given;
    if (m_entries.empty() && m_field.fallback.is_null()) return {};
    sim::Json list = sim::Json::array();
    for (const Entry& entry : m_entries) list.push_back(entry.form->given(true));
    return list;
}

} // namespace hw::views

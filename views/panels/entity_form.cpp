// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/entity_form.h"

#include "core/design/edit/lookup.h"
#include "views/style/format.h"
#include "views/style/sentence.h"
#include "views/style/theme.h"
#include "views/style/units.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>

namespace hw::views {

namespace {

/// "power_limit_mw" → "Power limit"
QString labelOf(const edit::Field& field) { return text(edit::fieldLabel(field)); }

QString hintOf(const edit::Field& field)
{
    switch (field.kind) {
    case edit::FieldKind::Number:
        if (field.money) return QWidget::tr("Amount, for example 1250.5");
        if (field.fromZero) return QWidget::tr("Counted from 1; empty: none");
        return (field.unit.empty() ? QWidget::tr("%1 to %2") : QWidget::tr("%1 to %2; a number without a unit uses the unit shown"))
            .arg(text(edit::fieldRange(field, units()).first), text(edit::fieldRange(field, units()).second));
    case edit::FieldKind::Color: return QWidget::tr("#rrggbb");
    case edit::FieldKind::Reference: return field.optional ? QWidget::tr("Name; empty: none") : QWidget::tr("Name");
    case edit::FieldKind::Text:
    case edit::FieldKind::Choice: break;
    }
    return {};
}

} // namespace

EntityForm::EntityForm(DocumentBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_layout(new QFormLayout(this)), m_scope(new QLabel(this))
{
    m_scope->setObjectName("editScope");
    m_scope->setWordWrap(true);
    m_layout->setContentsMargins(space(3), space(1), space(3), space(2));
    m_layout->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
}

void EntityForm::setEntity(EntityRef entity, std::span<const EntityRef> others)
{
    m_entity = entity;
    m_all.assign(1, entity);
    int apart = 0;
    for (const EntityRef other : others) {
        if (other == entity) continue;
        if (other.kind == entity.kind)
            m_all.push_back(other);
        else
            ++apart;
    }
    if (m_built != entity.kind || m_units != units()) build();
    m_scope->setVisible(m_all.size() > 1 || apart > 0);
    const QString all =
        m_all.size() > 1 ? tr("Edits apply to all %1 selected objects of this kind.").arg(m_all.size()) : tr("Edits apply to this object only.");
    m_scope->setText(apart > 0 ? tr("%1 Not applied to %2 of another kind.").arg(all).arg(apart) : all);
    refresh();
}

void EntityForm::build()
{
    if (m_layout->rowCount() > 0) m_layout->takeRow(m_scope);
    while (m_layout->rowCount() > 0) m_layout->removeRow(0);
    m_layout->addRow(m_scope);
    m_rows.clear();
    m_built = m_entity.kind, m_units = units();
    for (const edit::Field& field : edit::fieldsOf(m_entity.kind)) {
        if (field.column == "name") continue; // has a place of its own
        QWidget* editor = nullptr;
        if (field.kind == edit::FieldKind::Choice) {
            auto* box = new QComboBox;
            for (const auto word : field.words) box->addItem(QString::fromUtf8(word.data(), qsizetype(word.size())));
            connect(box, &QComboBox::activated, this, [this, box, &field] { commit(field, box->currentText()); });
            editor = box;
        } else {
            auto* line = new QLineEdit;
            connect(line, &QLineEdit::editingFinished, this, [this, line, &field] {
                if (line->isModified()) commit(field, line->text().trimmed());
            });
            editor = line;
        }
        editor->setObjectName("field." + QString::fromStdString(field.column));
        editor->setAccessibleName(labelOf(field));
        editor->setToolTip(hintOf(field));
        m_layout->addRow(labelOf(field), editor);
        m_rows.push_back({&field, editor});
    }
}

QString EntityForm::textOf(const edit::Field& field) const
{
    const Figures& f = *m_bridge.figures();
    return QString::fromStdString(edit::formText(*f.snapshot, *f.parts, m_entity, field, m_units));
}

bool EntityForm::differs(const edit::Field& field, const QString& text) const
{
    constexpr std::size_t kMost = 2000; // compared; a hall's worth of racks
    const Figures& f = *m_bridge.figures();
    return std::any_of(m_all.begin() + 1, m_all.begin() + std::ptrdiff_t(std::min(m_all.size(), kMost)),
                       [&](EntityRef other) { return QString::fromStdString(edit::formText(*f.snapshot, *f.parts, other, field, m_units)) != text; });
}

void EntityForm::refresh()
{
    if (!m_entity || !m_bridge.figures()) return;
    for (const Row& row : m_rows) {
        const QString text = textOf(*row.field);
        const bool mixed = m_all.size() > 1 && differs(*row.field, text);
        if (auto* box = qobject_cast<QComboBox*>(row.editor)) {
            box->setCurrentIndex(mixed ? -1 : box->findText(text));
            box->setPlaceholderText(mixed ? tr("Mixed values") : QString());
        } else if (auto* line = qobject_cast<QLineEdit*>(row.editor); line && !(line->isModified() && line->hasFocus())) {
            line->setText(mixed ? QString() : text);
            line->setPlaceholderText(mixed ? tr("Mixed values") : QString());
            line->setCursorPosition(0);
        }
    }
}

void EntityForm::commit(const edit::Field& field, const QString& typed)
{
    if (!m_entity || !m_bridge.figures()) return;
    for (const Row& row : m_rows)
        if (auto* line = qobject_cast<QLineEdit*>(row.editor); line && row.field == &field) line->setModified(false);
    const QString shown = textOf(field);
    const bool mixed = m_all.size() > 1 && differs(field, shown);
    if (!mixed && typed == shown) return;
    if (mixed && typed.isEmpty()) return refresh(); // left as it is
    const auto value = edit::fromForm(field, typed.toStdString(), shown.toStdString(), m_units);
    const QString written = typed.isEmpty() ? tr("none") : value && !field.fromZero ? text(*value) : typed;
    const QString of = m_all.size() > 1 ? tr("%1 objects").arg(m_all.size()) : m_bridge.nameOf(m_entity);
    const auto done = m_bridge.edit(tr("Set %1 of %2 to %3").arg(inSentence(labelOf(field)), of, written), [&](Transaction& t) -> Result<void> {
        const auto parts = ProjectParts::of(t->partTypes);
        if (!parts) return tl::unexpected(parts.error());
        edit::Lookup lookup(t.preview());
        for (const EntityRef entity : m_all)
            if (const auto set = edit::setField(t, **parts, lookup, entity, field.column, value); !set) return set;
        return {};
    });
    if (!done) refresh();
}

QWidget* EntityForm::editor(const QString& column) const
{
    for (const Row& row : m_rows)
        if (QString::fromStdString(row.field->column) == column) return row.editor;
    return nullptr;
}

} // namespace hw::views

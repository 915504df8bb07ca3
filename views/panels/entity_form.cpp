// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/entity_form.h"

#include "core/edit/lookup.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>

namespace hw::views {

namespace {

/// "power_limit_mw" → "Power limit"
QString labelOf(const edit::Field& field) { return text(edit::fieldLabel(field)); }

QString hintOf(const edit::Field& field)
{
    switch (field.kind) {
    case edit::FieldKind::Number:
        if (field.money) return QWidget::tr("A sum, for example 1250.5");
        return QWidget::tr("%1 to %2")
            .arg(QString::fromStdString(edit::fieldRange(field).first), QString::fromStdString(edit::fieldRange(field).second));
    case edit::FieldKind::Colour: return QWidget::tr("#rrggbb");
    case edit::FieldKind::Reference: return field.optional ? QWidget::tr("A name; empty: none") : QWidget::tr("A name");
    case edit::FieldKind::Text:
    case edit::FieldKind::Choice: break;
    }
    return {};
}

} // namespace

EntityForm::EntityForm(DocumentBridge& bridge, QWidget* parent) : QWidget(parent), m_bridge(bridge), m_layout(new QFormLayout(this))
{
    m_layout->setContentsMargins(space(3), space(1), space(3), space(2));
    m_layout->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
}

void EntityForm::setEntity(EntityRef entity)
{
    m_entity = entity;
    if (m_built != entity.kind) build();
    refresh();
}

void EntityForm::build()
{
    while (m_layout->rowCount() > 0) m_layout->removeRow(0);
    m_rows.clear();
    m_built = m_entity.kind;
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
    return QString::fromStdString(edit::fieldText(*f.snapshot, *f.parts, m_entity, field));
}

void EntityForm::refresh()
{
    if (!m_entity || !m_bridge.figures()) return;
    for (const Row& row : m_rows) {
        const QString text = textOf(*row.field);
        if (auto* box = qobject_cast<QComboBox*>(row.editor)) {
            box->setCurrentText(text);
        } else if (auto* line = qobject_cast<QLineEdit*>(row.editor); line && !(line->isModified() && line->hasFocus())) {
            line->setText(text);
            line->setCursorPosition(0);
        }
    }
}

void EntityForm::commit(const edit::Field& field, const QString& text)
{
    if (!m_entity || !m_bridge.figures()) return;
    for (const Row& row : m_rows)
        if (auto* line = qobject_cast<QLineEdit*>(row.editor); line && row.field == &field) line->setModified(false);
    if (text == textOf(field)) return;
    const bool none = text.isEmpty() && field.kind == edit::FieldKind::Reference;
    const auto value = none ? std::nullopt : std::optional(text.toStdString());
    const auto done = m_bridge.edit(tr("Set %1 of %2 to %3").arg(labelOf(field).toLower(), m_bridge.nameOf(m_entity), none ? tr("none") : text),
                                    [&](Transaction& t) -> Result<void> {
                                        const auto parts = ProjectParts::of(t->partTypes);
                                        if (!parts) return tl::unexpected(parts.error());
                                        edit::Lookup lookup(t.preview());
                                        return edit::setField(t, **parts, lookup, m_entity, field.column, value);
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/field_form.h"

#include "views/style/format.h"
#include "views/style/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QStyle>

#include <set>

namespace hw::views {

using sim::Field;
using sim::Json;

namespace {

Json literal(const QString& text)
{
    Json value = Json::parse(text.toStdString(), nullptr, false);
    return value.is_discarded() ? Json(text.toStdString()) : value;
}

QString shown(const Field& field, const Json& value)
{
    if (value.is_null()) return {};
    if (value.is_string()) return text(value.get<std::string>());
    if (value.is_array() && (field.kind == Field::Kind::Numbers || field.kind == Field::Kind::Integers || field.kind == Field::Kind::Selection || field.kind == Field::Kind::Texts)) {
        QStringList parts;
        for (const Json& v : value) parts << text(v.is_string() ? v.get<std::string>() : v.dump());
        return parts.join(", ");
    }
    if (value.is_number_float()) return QString::number(value.get<double>(), 'g', 12);
    return text(value.dump());
}

/// `bytes_per_nic` reads "Bytes per nic".
QString labelOf(const Field& field)
{
    QString label = text(field.key);
    if (!field.unit.empty() && label.endsWith("_" + text(field.unit))) label.chop(int(field.unit.size()) + 1);
    label.replace('_', ' ');
    label[0] = label[0].toUpper();
    label.replace(QRegularExpression("\\b[Gg]pus\\b"), "GPUs");
    return label;
}

} // namespace

FieldForm::FieldForm(QWidget* parent) : QWidget(parent), m_form(new QFormLayout(this)), m_problem(new QLabel)
{
    m_form->setContentsMargins(0, 0, space(1), 0);
    m_form->setVerticalSpacing(space(1));
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_problem->setWordWrap(true);
    m_problem->setObjectName("scenarioProblem");
}

Json FieldForm::selectionOf(const QString& given)
{
    const QString trimmed = given.trimmed();
    if (trimmed.isEmpty() || trimmed.compare("all", Qt::CaseInsensitive) == 0) return "all";
    std::set<int> numbers;
    for (const QString& piece : trimmed.split(',', Qt::SkipEmptyParts)) {
        const QStringList ends = piece.trimmed().split('-');
        bool first = false, last = false;
        const int from = ends.front().trimmed().toInt(&first), to = ends.back().trimmed().toInt(&last);
        if (!first || !last || ends.size() > 2 || from < 1 || to < from || to > 100000) return nullptr;
        for (int i = from; i <= to; ++i) numbers.insert(i);
    }
    return numbers;
}

QWidget* FieldForm::editorFor(const Field& field, const Json& value)
{
    if (field.kind == Field::Kind::Boolean) {
        auto* box = new QCheckBox;
        box->setChecked(value.is_boolean() && value.get<bool>());
        connect(box, &QCheckBox::toggled, this, &FieldForm::check);
        return box;
    }
    if (field.kind == Field::Kind::Text && !field.choices.empty()) {
        auto* box = new QComboBox;
        for (const auto& choice : field.choices) box->addItem(text(choice));
        box->setCurrentText(shown(field, value));
        connect(box, &QComboBox::currentTextChanged, this, &FieldForm::check);
        return box;
    }
    auto* line = new QLineEdit(shown(field, value));
    line->setCursorPosition(0);
    if (!field.unit.empty()) line->setPlaceholderText(text(field.unit));
    connect(line, &QLineEdit::textChanged, this, &FieldForm::check);
    return line;
}

void FieldForm::setFields(std::span<const Field> fields, const Json& values)
{
    if (m_form->indexOf(m_problem) >= 0) m_form->takeRow(m_problem);
    m_problem->setParent(this);
    while (m_form->rowCount() > 0) m_form->removeRow(0);
    m_fields.assign(fields.begin(), fields.end());
    m_editors.clear();
    for (const Field& field : m_fields) {
        QWidget* editor = editorFor(field, values.contains(field.key) ? values[field.key] : field.fallback);
        editor->setObjectName("field." + text(field.key));
        const QString range = field.most > field.least ? tr(" (%1 to %2)").arg(field.least).arg(field.most) : QString();
        editor->setToolTip(text(field.key) + ": " + text(field.help) + range);
        auto* label = new QLabel(labelOf(field) + (field.unit.empty() ? QString() : ", " + text(field.unit)));
        label->setToolTip(editor->toolTip());
        label->setBuddy(editor);
        m_form->addRow(label, editor);
        m_editors.push_back(editor);
    }
    m_form->addRow(m_problem);
    check();
}

Json FieldForm::read(std::size_t index) const
{
    const Field& field = m_fields[index];
    if (const auto* box = qobject_cast<QCheckBox*>(m_editors[index])) return box->isChecked();
    if (const auto* box = qobject_cast<QComboBox*>(m_editors[index])) return box->currentText().toStdString();
    const QString given = qobject_cast<QLineEdit*>(m_editors[index])->text().trimmed();
    switch (field.kind) {
    case Field::Kind::Text: return given.isEmpty() && field.fallback.is_null() ? Json() : Json(given.toStdString());
    case Field::Kind::Selection: {
        Json chosen = selectionOf(given);
        return chosen.is_null() ? Json(given.toStdString()) : chosen;
    }
    case Field::Kind::Numbers:
    case Field::Kind::Integers:
    case Field::Kind::Texts: {
        Json list = Json::array();
        for (const QString& part : given.split(',', Qt::SkipEmptyParts)) list.push_back(field.kind == Field::Kind::Texts ? Json(part.trimmed().toStdString()) : literal(part.trimmed()));
        return list;
    }
    case Field::Kind::Number:
    case Field::Kind::Integer:
    case Field::Kind::Object:
    case Field::Kind::Objects:
    case Field::Kind::Boolean: break;
    }
    return given.isEmpty() ? Json() : literal(given);
}

Result<Json> FieldForm::values() const
{
    Json given = Json::object();
    for (std::size_t i = 0; i < m_fields.size(); ++i)
        if (Json value = read(i); !value.is_null() || !m_fields[i].fallback.is_null()) given[m_fields[i].key] = std::move(value);
    std::vector<std::string> unused; // what does not count in this combination is left out
    return sim::readParameters(given, m_fields, &unused);
}

void FieldForm::check()
{
    const auto now = values();
    const std::string place = now ? std::string() : now.error().where.substr(0, now.error().where.find_first_of("[."));
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
        const bool bad = !now && m_fields[i].key == place;
        if (m_editors[i]->property("bad").toBool() == bad) continue;
        m_editors[i]->setProperty("bad", bad);
        m_editors[i]->style()->polish(m_editors[i]);
    }
    m_problem->setVisible(!now);
    if (!now) m_problem->setText(QString("<span style='color:%1'>%2</span>").arg(theme().error.name(), text(now.error().text()).toHtmlEscaped()));
    emit changed();
}

} // namespace hw::views

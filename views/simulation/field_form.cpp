// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/field_form.h"

#include "simulation/answers/answer_words.h"
#include "views/simulation/object_list.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>

#include <algorithm>
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

bool isList(const Field& field)
{
    return field.kind == Field::Kind::Numbers || field.kind == Field::Kind::Integers || field.kind == Field::Kind::Selection ||
           field.kind == Field::Kind::Texts;
}

/// A value as one types it; reading it again gives the same number.
QString typed(const Field& field, const Json& value)
{
    if (value.is_null()) return {};
    if (value.is_string()) return text(value.get<std::string>());
    if (value.is_array() && isList(field)) {
        QStringList parts;
        for (const Json& v : value) parts << typed({}, v);
        return parts.join(", ");
    }
    if (value.is_number_float()) return QString::number(value.get<double>(), 'g', QLocale::FloatingPointShortest);
    return text(value.dump());
}

/// `bytes_per_nic` reads "Bytes per NIC"; `overlap.tensor` "Overlap: tensor".
QString fieldLabel(const Field& field, const std::vector<std::string>& path)
{
    std::string key = field.key;
    static constexpr std::pair<std::string_view, std::string_view> kSuffixes[] = {
        {"GB", "gbytes"}, {"MB", "mbytes"}, {"GB/s", "gbytes_per_s"}, {"Gb/s", "gbps"}}; // said by the unit behind the label
    std::string_view said = field.unit;
    for (const auto& [unit, suffix] : kSuffixes)
        if (unit == field.unit) said = suffix;
    if (!said.empty() && key.ends_with("_" + std::string(said))) key.resize(key.size() - said.size() - 1);
    Text label;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) label = i == 0 ? sim::titleText(path[i]) : i18n("{}: {}", label, sim::plainText(path[i]));
    label = path.size() < 2 ? sim::titleText(key) : i18n("{}: {}", label, sim::plainText(key));
    return text(field.unit.empty() ? label : i18n("{}, {}", label, sim::unitWords(field)));
}

/// Takes the key at a path such as `overlap.tensor` out of an object; places inside lists stay.
void drop(Json& object, const std::string& path)
{
    if (path.find('[') != std::string::npos) return;
    const auto dot = path.find('.');
    if (dot == std::string::npos)
        object.erase(path);
    else if (const auto inner = object.find(path.substr(0, dot)); inner != object.end())
        drop(*inner, path.substr(dot + 1));
}

} // namespace

std::string FieldForm::Row::key() const
{
    std::string key;
    for (const auto& part : path) key += (key.empty() ? "" : ".") + part;
    return key;
}

FieldForm::FieldForm(QWidget* parent, QString place)
    : QWidget(parent), m_place(std::move(place)), m_form(new QFormLayout(this)), m_problem(new QLabel)
{
    m_form->setContentsMargins(0, 0, space(1), 0);
    m_form->setVerticalSpacing(space(1));
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->setRowWrapPolicy(QFormLayout::WrapLongRows);
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

/// Choices and switches without a default have "not set" as their first entry, so that looking at a form changes no answer.
QWidget* FieldForm::editorFor(const Row& row, const Json& value)
{
    const Field& field = row.field;
    if (field.kind == Field::Kind::Objects) {
        auto* list = new ObjectList(field, value, m_place + text(row.key()));
        connect(list, &ObjectList::changed, this, &FieldForm::check);
        return list;
    }
    const bool switches = field.kind == Field::Kind::Boolean;
    if (switches && !field.fallback.is_null()) {
        auto* box = new QCheckBox;
        box->setChecked(value.is_boolean() && value.get<bool>());
        connect(box, &QCheckBox::toggled, this, &FieldForm::check);
        return box;
    }
    if (switches || (field.kind == Field::Kind::Text && !field.choices.empty())) {
        auto* box = new QComboBox;
        if (field.fallback.is_null()) box->addItem(tr("not set"));
        if (switches) box->addItem(tr("yes"), "true"), box->addItem(tr("no"), "false");
        for (const auto& choice : field.choices) box->addItem(text(choice), text(choice));
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
        box->setCurrentIndex(std::max(
            0, box->findData(switches ? (value.is_boolean() ? QString(value.get<bool>() ? "true" : "false") : QString("-")) : typed(field, value))));
        connect(box, &QComboBox::currentIndexChanged, this, &FieldForm::check);
        return box;
    }
    auto* line = new QLineEdit(typed(field, value));
    line->setCursorPosition(0);
    const QString otherwise = typed(field, field.fallback);
    line->setPlaceholderText(field.fallback.is_null() ? tr("not set") : otherwise.isEmpty() ? text(sim::unitWords(field)) : otherwise);
    connect(line, &QLineEdit::textChanged, this, &FieldForm::check);
    if (field.isFile) offerFile(line, text(field.help));
    return line;
}

void FieldForm::offerFile(QLineEdit* line, const QString& title)
{
    QAction* browse = line->addAction(icon("open"), QLineEdit::TrailingPosition);
    browse->setToolTip(tr("Choose file"));
    connect(browse, &QAction::triggered, this, [this, line, title] {
        if (const QString path = QFileDialog::getOpenFileName(this, title, line->text()); !path.isEmpty()) line->setText(path);
    });
}

void FieldForm::addRow(Row row, const Json& value)
{
    const Field& field = row.field;
    row.editor = editorFor(row, value);
    row.editor->setObjectName("field." + m_place + text(row.key()));
    QString tip = text(row.key()) + ": " + text(field.help);
    if (field.most > field.least) tip += " " + tr("(%1 to %2)").arg(field.least).arg(field.most);
    if (field.fallback.is_null()) tip += "\n" + tr("Not set: determined by the preset or the design");
    row.editor->setToolTip(tip);
    auto* label = new QLabel(fieldLabel(field, row.path));
    label->setToolTip(row.editor->toolTip());
    label->setBuddy(row.editor);
    m_form->addRow(label, row.editor);
    m_rows.push_back(std::move(row));
}

void FieldForm::addFields(std::span<const Field> fields, const Json& values, const std::vector<std::string>& path)
{
    for (const Field& field : fields) {
        auto own = path;
        own.push_back(field.key);
        const Json value = values.is_object() && values.contains(field.key) ? values[field.key] : field.fallback;
        if (field.kind == Field::Kind::Object)
            addFields(field.fields, value, own);
        else
            addRow({std::move(own), field, nullptr, values.is_object() && values.contains(field.key)}, value);
    }
}

void FieldForm::setFields(std::span<const Field> fields, const Json& values)
{
    if (m_form->indexOf(m_problem) >= 0) m_form->takeRow(m_problem);
    m_problem->setParent(this);
    while (m_form->rowCount() > 0) m_form->removeRow(0);
    m_fields.assign(fields.begin(), fields.end());
    m_rows.clear();
    addFields(m_fields, values, {});
    m_form->addRow(m_problem);
    check();
}

Json FieldForm::read(const Row& row)
{
    const Field& field = row.field;
    if (const auto* list = qobject_cast<ObjectList*>(row.editor)) return list->value();
    if (const auto* box = qobject_cast<QCheckBox*>(row.editor)) return box->isChecked();
    if (const auto* box = qobject_cast<QComboBox*>(row.editor)) {
        const QString chosen = box->currentData().toString();
        if (chosen.isEmpty()) return {};
        return field.kind == Field::Kind::Boolean ? Json(chosen == "true") : Json(chosen.toStdString());
    }
    const QString given = qobject_cast<QLineEdit*>(row.editor)->text().trimmed();
    if (given.isEmpty()) return {};
    if (field.kind == Field::Kind::Text) return given.toStdString();
    if (field.kind == Field::Kind::Selection) {
        Json chosen = selectionOf(given);
        return chosen.is_null() ? Json(given.toStdString()) : chosen;
    }
    if (!isList(field)) return literal(given);
    Json list = Json::array();
    for (const QString& part : given.split(',', Qt::SkipEmptyParts))
        list.push_back(field.kind == Field::Kind::Texts ? Json(part.trimmed().toStdString()) : literal(part.trimmed()));
    return list;
}

Json FieldForm::given(bool all) const
{
    Json given = Json::object();
    for (const Row& row : m_rows) {
        Json value = read(row);
        if (value.is_null() || (value == row.field.fallback && !row.stated)) continue;
        Json* place = &given;
        for (const auto& key : row.path) place = &(*place)[key];
        *place = std::move(value);
    }
    std::vector<std::string> unused;
    if (!all && sim::readParameters(given, m_fields, &unused))
        for (const auto& path : unused) drop(given, path);
    return given;
}

Result<Json> FieldForm::values() const { return sim::readParameters(given(), m_fields); }

void FieldForm::check()
{
    const auto now = values();
    const std::string place = now ? std::string() : now.error().where;
    std::vector<std::string> unused;
    const auto whole = sim::readParameters(given(true), m_fields, &unused);
    for (const Row& row : m_rows) { // what would change nothing beside the others is gray, and not sent
        const std::string key = row.key();
        const bool silent = row.path.size() == 1 && whole && !row.field.fallback.is_null() && !whole->contains(key);
        row.editor->setEnabled(!silent && std::ranges::find(unused, key) == unused.end());
        const bool bad = !now && place.starts_with(key) && (place.size() == key.size() || place[key.size()] == '[' || place[key.size()] == '.');
        if (row.editor->property("bad").toBool() == bad) continue;
        row.editor->setProperty("bad", bad);
        row.editor->style()->polish(row.editor);
    }
    m_problem->setVisible(!now);
    if (!now) m_problem->setText(QString("<span style='color:%1'>%2</span>").arg(theme().error.name(), text(now.error().text()).toHtmlEscaped()));
    emit changed();
}

} // namespace hw::views

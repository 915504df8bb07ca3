// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/format_fields.h"

#include "views/style/format.h"
#include "views/style/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>

namespace hw::app {

using views::space;
using views::text;

namespace {

/// "platform-json" as a label.
QString labelOf(const std::string& option)
{
    QString label = QString::fromStdString(option).replace('-', ' ');
    if (!label.isEmpty()) label[0] = label[0].toUpper();
    return label;
}

/// The words of "tree|block"; none where the placeholder is anything else.
QStringList wordsOf(const std::string& placeholder)
{
    const QString words = QString::fromStdString(placeholder);
    return words.contains('|') && words == words.toLower() ? words.split('|') : QStringList();
}

} // namespace

QString sentence(QString text)
{
    static const QRegularExpression word("^[a-z]+(?=[ ,;:(]|$)"); // no name of a file or key, such as platform.json
    if (word.match(text).hasMatch()) text[0] = text[0].toUpper();
    return text;
}

FormatFields::FormatFields(QWidget* parent) : QWidget(parent)
{
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow); // notes use the whole width
    form->setVerticalSpacing(space(1));
}

QWidget* FormatFields::fieldFor(const exchange::FormatOption& option)
{
    if (option.value.empty()) {
        auto* box = new QCheckBox(labelOf(option.name));
        connect(box, &QCheckBox::toggled, this, &FormatFields::changed);
        return box;
    }
    if (const QStringList words = wordsOf(option.value); !words.isEmpty()) {
        auto* list = new QComboBox;
        list->addItem(tr("Default"));
        for (const QString& word : words) list->addItem(word, word);
        connect(list, &QComboBox::currentIndexChanged, this, &FormatFields::changed);
        return list;
    }
    auto* line = new QLineEdit;
    line->setPlaceholderText(QString::fromStdString(option.value));
    connect(line, &QLineEdit::textChanged, this, &FormatFields::changed);
    return line;
}

void FormatFields::setOptions(std::vector<exchange::FormatOption> options)
{
    auto* form = static_cast<QFormLayout*>(layout());
    while (form->rowCount() > 0) form->removeRow(0);
    m_fields.clear();
    for (auto& option : options) {
        QWidget* field = fieldFor(option);
        const QString help = sentence(option.repeats ? tr("%1; separate several with semicolons").arg(text(option.help)) : text(option.help));
        field->setObjectName(QString::fromStdString(option.name));
        field->setAccessibleName(labelOf(option.name));
        field->setAccessibleDescription(help);
        field->setToolTip(help);
        auto* note = new QLabel(help);
        note->setProperty("role", "dim");
        note->setWordWrap(true);
        note->setContentsMargins(0, 0, 0, space(1));
        if (option.value.empty())
            form->addRow(field);
        else
            form->addRow(labelOf(option.name), field);
        form->addRow(QString(), note);
        m_fields.emplace_back(std::move(option), field);
    }
}

exchange::FormatChoices FormatFields::choices() const
{
    exchange::FormatChoices choices;
    for (const auto& [option, field] : m_fields) {
        QString value;
        if (const auto* box = qobject_cast<const QCheckBox*>(field))
            value = box->isChecked() ? "yes" : "";
        else if (const auto* list = qobject_cast<const QComboBox*>(field))
            value = list->currentData().toString();
        else if (const auto* line = qobject_cast<const QLineEdit*>(field)) {
            value = line->text().trimmed();
            if (option.repeats) value = value.split(';', Qt::SkipEmptyParts).join('\n');
        }
        if (!value.isEmpty()) choices[option.name] = value.toStdString();
    }
    return choices;
}

} // namespace hw::app

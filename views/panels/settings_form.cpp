// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/settings_form.h"

#include "core/design/edit/edits.h"
#include "core/foundation/model/setting_values.h"
#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/style/units.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>

#include <algorithm>
#include <cmath>

namespace hw::views {
namespace {

/// "18 MW", "450 kW", "12000 W" and "18" (MW) to W; empty = 0, no limit. Nothing for anything else.
std::optional<std::int64_t> parseWatts(const QString& typed)
{
    if (typed.trimmed().isEmpty()) return 0;
    const auto mw = readInUnit(typed.toStdString(), "MW");
    return mw && *mw >= 0 && *mw < 9e9 ? std::optional(std::llround(*mw * 1e6)) : std::nullopt;
}

/// A number, in `from` where it has no unit of its own, in the unit `to`; what is none stays.
QString inUnit(const QString& given, const std::string& from, const std::string& to)
{
    std::string typed = given.trimmed().toStdString();
    if (typed.empty()) return given;
    const char last = typed.back();
    const bool bare = (last >= '0' && last <= '9') || last == '.';
    if (bare && from == to) return text(ungrouped(typed));
    const auto value = readInUnit(bare ? typed + " " + from : typed, to);
    return value ? QString::number(*value, 'g', 7) : given;
}

void setBad(QWidget* editor, bool bad)
{
    if (editor->property("bad").toBool() == bad) return;
    editor->setProperty("bad", bad);
    editor->style()->unpolish(editor);
    editor->style()->polish(editor);
}

} // namespace

SettingsForm::SettingsForm(DocumentBridge& bridge, QWidget* parent) : QWidget(parent), m_bridge(bridge), m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 0, space(2), 0);
    m_column->setSpacing(space(2));
    const Snapshot& s = *bridge.snapshot();
    for (edit::Setting& setting : edit::knownSettings(s)) {
        const QString value = text(s.setting(setting.key));
        const bool site = setting.group == i18n("Site power");
        addRow(std::move(setting), {}, value);
        if (!site || m_rows.back().setting.key != "site.limit_basis") continue;
        s.buildings.forEach([&](BuildingId id) {
            edit::Setting limit{.key = "limit." + s.buildings.name[id], .kind = edit::SettingKind::Text, .group = i18n("Site power")};
            limit.label = i18n("Limit of {}", s.buildings.name[id]), limit.fallback = "none", limit.unit = "MW",
            limit.help = i18n("maximum power draw; kW and W are also accepted");
            const double mw = toWatts(s.buildings.itLimit[id]) / 1e6;
            addRow(std::move(limit), ref(id), mw > 0 ? QString::number(mw, 'g', 10) : QString());
        });
    }
    addCurrencyChooser();
    m_column->addStretch(1);
}

/// A rate can be entered for a currency that nothing names yet, for example before a price list in it is imported.
void SettingsForm::addCurrencyChooser()
{
    Group& group = groupOf(TextId("Exchange rates"));
    auto* code = new QLineEdit;
    code->setObjectName("currencyCode");
    code->setMaxLength(3);
    code->setPlaceholderText("EUR"); // no text
    code->setFixedWidth(fontMetrics().averageCharWidth() * 14);
    auto* add = new QPushButton(tr("Add exchange rate"));
    add->setObjectName("currencyAdd");
    add->setAutoDefault(false);
    add->setEnabled(false);
    m_currencyLine = new QWidget;
    auto* line = new QHBoxLayout(m_currencyLine);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(space(2));
    line->addWidget(code), line->addWidget(add), line->addStretch(1);
    auto* name = new QLabel(tr("Other currency"));
    name->setBuddy(code);
    m_currencyName = name;
    code->setAccessibleName(name->text());
    group.form->addRow(name, m_currencyLine);
    const auto fits = [this](const QString& typed) {
        const std::string wanted = typed.toUpper().toStdString();
        return !edit::currencySettings(wanted).empty() && wanted != settingOf(*m_bridge.snapshot(), "project.currency");
    };
    connect(code, &QLineEdit::textChanged, this, [add, fits](const QString& typed) { add->setEnabled(fits(typed)); });
    connect(add, &QPushButton::clicked, this, [this, code] {
        showCurrency(code->text().toUpper());
        code->clear();
    });
    connect(code, &QLineEdit::returnPressed, add, &QPushButton::click);
    if (auto* project = qobject_cast<QLineEdit*>(editor("project.currency")))
        connect(project, &QLineEdit::textEdited, this, &SettingsForm::onCurrency);
}

void SettingsForm::addCurrency(const std::string& code)
{
    for (edit::Setting& setting : edit::currencySettings(code)) {
        const QString key = text(setting.key);
        if (!editor(key)) addRow(std::move(setting), {}, text(m_bridge.snapshot()->setting(key.toStdString())));
    }
}

void SettingsForm::showCurrency(const QString& code)
{
    addCurrency(code.toStdString());
    if (QWidget* rate = editor("currency." + code + ".rate")) rate->setFocus(Qt::OtherFocusReason);
}

void SettingsForm::onCurrency(const QString& typed)
{
    const std::string before = settingOf(*m_bridge.snapshot(), "project.currency"), now = typed.trimmed().toUpper().toStdString();
    if (now != before && !edit::currencySettings(now).empty()) addCurrency(before);
}

SettingsForm::Group& SettingsForm::groupOf(const Text& name)
{
    const auto found = std::ranges::find(m_groups, name, &std::pair<Text, Group>::first);
    if (found != m_groups.end()) return found->second;
    Group group;
    auto* title = new QLabel(text(name));
    title->setProperty("role", "section");
    group.title = title;
    group.box = new QWidget;
    group.form = new QFormLayout(group.box);
    group.form->setContentsMargins(0, 0, 0, space(2));
    group.form->setHorizontalSpacing(space(4));
    group.form->setVerticalSpacing(space(1));
    m_column->addWidget(group.title);
    m_column->addWidget(group.box);
    return m_groups.emplace_back(name, group).second;
}

void SettingsForm::addRow(edit::Setting setting, EntityRef limitOf, const QString& value)
{
    const std::size_t place = m_rows.size();
    Row row{std::move(setting), limitOf, nullptr, new QLabel, nullptr, new QWidget, value, {}};
    const edit::Setting& of = row.setting;
    if (of.kind == edit::SettingKind::Number)
        row.unit = preferredUnit(of.unit, units());
    else
        row.unit = of.unit;
    row.before = inUnit(value, of.unit, row.unit);
    const QString fallback = inUnit(text(of.fallback), of.unit, row.unit);
    auto* line = new QHBoxLayout(row.line);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(space(2));
    if (of.kind == edit::SettingKind::Choice) {
        auto* box = new QComboBox;
        box->addItem(tr("%1 (default)").arg(fallback), QString());
        for (const auto& choice : of.choices) box->addItem(text(choice), text(choice));
        box->setCurrentIndex(std::max(0, box->findData(value)));
        connect(box, &QComboBox::currentIndexChanged, this, &SettingsForm::edited);
        row.editor = box;
    } else {
        auto* field = new QLineEdit(row.before);
        field->setPlaceholderText(fallback);
        connect(field, &QLineEdit::textEdited, this, [this, place] {
            check(m_rows[place]);
            emit edited();
        });
        row.editor = field;
    }
    row.editor->setObjectName("setting." + text(of.key));
    row.editor->setAccessibleName(text(of.label));
    row.editor->setToolTip(text(of.key) + (of.help.empty() ? QString() : "\n" + text(of.help)));
    row.editor->setFixedWidth(fontMetrics().averageCharWidth() *
                              (of.kind == edit::SettingKind::Number || of.kind == edit::SettingKind::Count || limitOf ? 14 : 30));
    line->addWidget(row.editor);
    if (!row.unit.empty()) line->addWidget(new QLabel(text(row.unit)));
    row.problem->setText(text(of.help));
    row.problem->setProperty("role", "dim");
    row.problem->setWordWrap(true);
    line->addWidget(row.problem, 1);
    auto* name = new QLabel(text(of.label));
    name->setBuddy(row.editor);
    row.name = name;
    Group& group = groupOf(of.group);
    group.form->addRow(name, row.line);
    group.rows.push_back(place);
    const bool addresses = of.group.id() == "Addresses"; // many, and seldom wanted: a search shows them
    for (QWidget* part : {row.name, row.line}) part->setVisible(!addresses);
    m_rows.push_back(std::move(row));
}

QString SettingsForm::textOf(const Row& row)
{
    if (const auto* box = qobject_cast<const QComboBox*>(row.editor)) return box->currentData().toString();
    return qobject_cast<const QLineEdit*>(row.editor)->text().trimmed();
}

/// As the project keeps it: a number in the unit of the setting, whatever unit it was typed in.
QString SettingsForm::keptOf(const Row& row)
{
    const bool measured = row.setting.kind == edit::SettingKind::Number && !row.limitOf && !writtenUnits(row.setting.unit).empty();
    return measured ? inUnit(textOf(row), row.unit, row.setting.unit) : textOf(row);
}

QWidget* SettingsForm::editor(const QString& key) const
{
    const auto found = std::ranges::find(m_rows, key.toStdString(), [](const Row& row) { return row.setting.key; });
    return found == m_rows.end() ? nullptr : found->editor;
}

bool SettingsForm::changed() const
{
    return std::ranges::any_of(m_rows, [](const Row& row) { return textOf(row) != row.before; });
}

/// Says at the field what is wrong with it; else what it is for.
void SettingsForm::check(const Row& row)
{
    const QString value = keptOf(row);
    Result<void> fine;
    if (row.limitOf) {
        if (!parseWatts(value))
            fine = fail(ErrorCode::Refused, words(row.setting.label), i18n("is not a valid power value"), i18n("use 18 MW, 450 kW or 12000 W"));
    } else if (!value.isEmpty()) {
        fine = edit::checkSetting(*m_bridge.snapshot(), row.setting.key, value.toStdString());
    }
    setBad(row.editor, !fine);
    row.problem->setText(fine ? text(row.setting.help) : text(words(i18n("{}; {}", fine.error().what, fine.error().todo))));
    row.problem->setProperty("role", fine ? "dim" : "error");
    row.problem->style()->unpolish(row.problem);
    row.problem->style()->polish(row.problem);
}

Result<void> SettingsForm::write(Transaction& transaction, const Row& row) const
{
    const QString value = keptOf(row);
    if (row.limitOf) {
        const auto limit = parseWatts(value);
        if (!limit)
            return fail(ErrorCode::Refused, words(row.setting.label), i18n("is not a valid power value"), i18n("use 18 MW, 450 kW or 12000 W"));
        return edit::setPowerLimit(transaction, row.limitOf, *limit);
    }
    return value.isEmpty() ? edit::resetSetting(transaction, row.setting.key) : edit::setSetting(transaction, row.setting.key, value.toStdString());
}

bool SettingsForm::apply()
{
    std::vector<const Row*> wanted;
    for (const Row& row : m_rows)
        if (textOf(row) != row.before) wanted.push_back(&row);
    if (wanted.empty()) return true;
    std::ranges::stable_partition(wanted, [](const Row* row) { return row->setting.key.starts_with("currency."); }); // a new currency needs its rate
    const QString one = textOf(*wanted.front());
    const QString name = wanted.size() > 1 ? tr("Change %1 settings").arg(wanted.size())
                                           : tr("Set %1 to %2").arg(text(wanted.front()->setting.label), one.isEmpty() ? tr("default") : one);
    const auto done = m_bridge.edit(name, [&](Transaction& transaction) -> Result<void> {
        for (const Row* row : wanted)
            if (auto set = write(transaction, *row); !set) {
                check(*row);
                row->editor->setFocus();
                return set;
            }
        return {};
    });
    if (!done) return false;
    for (Row& row : m_rows) row.before = textOf(row);
    return true;
}

void SettingsForm::filter(const QString& sought)
{
    const QStringList wanted = sought.split(' ', Qt::SkipEmptyParts);
    for (auto& [name, group] : m_groups) {
        bool any = false;
        for (const std::size_t place : group.rows) {
            const Row& row = m_rows[place];
            const QString about =
                text(row.setting.key + " " + words(row.setting.label) + " " + words(row.setting.help) + " " + words(row.setting.group));
            const bool shown = wanted.isEmpty()
                                   ? name.id() != "Addresses"
                                   : std::ranges::all_of(wanted, [&](const QString& word) { return about.contains(word, Qt::CaseInsensitive); });
            for (QWidget* part : {row.name, row.line}) part->setVisible(shown);
            any = any || shown;
        }
        if (m_currencyLine && m_currencyLine->parentWidget() == group.box) {
            const QString about = tr("Other currency") + " " + text(words(name)) + " project.currency";
            const bool shown = std::ranges::all_of(wanted, [&](const QString& word) { return about.contains(word, Qt::CaseInsensitive); });
            for (QWidget* part : {m_currencyName, m_currencyLine}) part->setVisible(shown);
            any = any || shown;
        }
        group.box->setVisible(any);
        group.title->setVisible(any);
    }
}

} // namespace hw::views

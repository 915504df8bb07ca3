// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/preferences_dialog.h"

#include "views/style/fit.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

namespace hw::app {

using views::space;

PreferencesDialog::PreferencesDialog(Workspace& workspace)
    : QDialog(workspace.dialogParent()), m_workspace(workspace), m_search(new QLineEdit), m_form(new QFormLayout)
{
    setWindowTitle(tr("Preferences"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space(4), space(4), space(4), space(4));
    column->setSpacing(space(3));
    auto* hint = new QLabel(tr("Preferences apply to all projects and take effect immediately. Files, exports and reports stay in metric units "
                               "and in the currency of the project."));
    hint->setProperty("role", "dim");
    hint->setWordWrap(true);
    m_search->setPlaceholderText(tr("Search preferences"));
    m_search->setAccessibleName(tr("Search preferences"));
    m_search->setClearButtonEnabled(true);
    m_form->setHorizontalSpacing(space(4));
    m_form->setVerticalSpacing(space(2));
    const UnitPreference units = views::units();
    add("theme", tr("Theme"), {tr("Dark"), tr("Light")}, m_workspace.themeKind() == views::ThemeKind::Dark ? 0 : 1, tr("colors of the window"));
    add("length", tr("Length"), {tr("Meters"), tr("Feet and inches")}, units.feet, tr("units of sizes, positions and cable lengths; m, ft, in"));
    add("temperature", tr("Temperature"), {tr("Degrees Celsius"), tr("Degrees Fahrenheit")}, units.fahrenheit,
        tr("units of air and coolant; °C, °F"));
    add("heat", tr("Heat"), {tr("Kilowatts"), tr("BTU per hour")}, units.btu, tr("units of heat to coolant and air; kW, BTU/h"));
    m_currencies = {"", "USD", "EUR", "GBP", "CNY", "JPY"}; // no text
    if (const QString now = m_workspace.currency(); !m_currencies.contains(now)) m_currencies << now;
    QStringList currencies = m_currencies;
    currencies.front() = tr("As in the project");
    add("currency", tr("Currency"), currencies, int(m_currencies.indexOf(m_workspace.currency())),
        tr("currency of sums in the window; converted with the exchange rates of the project"));
    auto* close = new QDialogButtonBox;
    close->addButton(new QPushButton(tr("&Close")), QDialogButtonBox::RejectRole);
    connect(close, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_search, &QLineEdit::textChanged, this, &PreferencesDialog::filter);
    column->addWidget(hint);
    column->addWidget(m_search);
    column->addLayout(m_form);
    column->addStretch(1);
    column->addWidget(close);
    const int wide = fontMetrics().averageCharWidth() * 80;
    views::fitToScreen(*this, {wide, column->totalHeightForWidth(wide)});
}

void PreferencesDialog::add(const QString& key, const QString& label, const QStringList& choices, int current, const QString& help)
{
    auto* box = new QComboBox;
    box->addItems(choices);
    box->setCurrentIndex(current);
    box->setObjectName("preference." + key);
    box->setAccessibleName(label);
    box->setAccessibleDescription(help);
    box->setToolTip(help);
    auto* name = new QLabel(label);
    name->setBuddy(box);
    m_form->addRow(name, box);
    m_rows.push_back({key, QStringList{label, help, choices.join(' ')}.join(' '), box});
    connect(box, &QComboBox::currentIndexChanged, this, &PreferencesDialog::apply);
}

QComboBox* PreferencesDialog::choice(const QString& key) const
{
    const auto found = std::ranges::find(m_rows, key, &Row::key);
    return found == m_rows.end() ? nullptr : found->box;
}

void PreferencesDialog::filter(const QString& words)
{
    const QStringList list = words.split(' ', Qt::SkipEmptyParts);
    for (const Row& row : m_rows)
        m_form->setRowVisible(row.box, std::ranges::all_of(list, [&](const QString& w) { return row.words.contains(w, Qt::CaseInsensitive); }));
}

void PreferencesDialog::apply()
{
    const auto second = [this](const char* key) { return choice(key)->currentIndex() == 1; };
    const views::ThemeKind theme = second("theme") ? views::ThemeKind::Light : views::ThemeKind::Dark;
    if (theme != m_workspace.themeKind()) m_workspace.setTheme(theme);
    const QString currency = m_currencies.value(choice("currency")->currentIndex());
    if (currency != m_workspace.currency()) m_workspace.setCurrency(currency);
    m_workspace.setUnits({second("length"), second("temperature"), second("heat")});
}

} // namespace hw::app

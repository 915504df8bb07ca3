// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/explore/explore_form.h"

#include "views/explore/explore_figures.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QTableWidget>
#include <QToolButton>

#include <algorithm>

namespace hw::views {

namespace {

constexpr int kObjectives = 3, kTemplateColumn = 0, kValuesColumn = 1;
constexpr double kMillion = 1e6;

sim::Json valueOf(const QString& word)
{
    bool whole = false;
    const qlonglong number = word.toLongLong(&whole);
    if (whole) return number;
    if (word == "true" || word == "false") return word == "true";
    return word.toStdString();
}

QString wordOfJson(const sim::Json& value) { return text(value.is_string() ? value.get<std::string>() : value.dump()); }

/// "1,200" and "1200.5"; nothing for an empty field.
Result<std::optional<double>> numberIn(const QLineEdit& field)
{
    const QString typed = field.text().trimmed();
    if (typed.isEmpty()) return std::optional<double>();
    bool fine = false;
    double value = QLocale().toDouble(typed, &fine);
    if (!fine) value = QLocale::c().toDouble(typed, &fine);
    if (!fine || value < 0)
        return fail(ErrorCode::Usage, field.accessibleName().toStdString(), i18n("'{}' is not a number", typed.toStdString()),
                    i18n("specify a number, or leave the field empty"));
    return std::optional(value);
}

void putNumber(QLineEdit& field, const sim::Json& limits, const char* figure, const char* end, double unit)
{
    const auto found = limits.find(figure);
    const bool has = found != limits.end() && found->is_object() && found->contains(end) && (*found)[end].is_number();
    field.setText(has ? QLocale().toString((*found)[end].get<double>() / unit, 'g', 10) : QString());
}

} // namespace

ExploreForm::ExploreForm(const std::vector<Template>& templates, QWidget* parent)
    : QWidget(parent), m_templates(templates), m_name(new QLineEdit(tr("Exploration"))), m_designs(new QTableWidget(0, 2)), m_add(new QToolButton),
      m_remove(new QToolButton), m_parameters(new QLabel), m_least(new QLineEdit), m_most(new QLineEdit), m_power(new QLineEdit),
      m_capital(new QLineEdit)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* head = new QFormLayout;
    m_name->setObjectName("exploreName");
    head->addRow(tr("&Name"), m_name);
    column->addLayout(head);
    m_designs->setObjectName("exploreDesigns");
    m_designs->setAccessibleName(tr("Templates and parameter values"));
    m_designs->setHorizontalHeaderLabels({tr("Template"), tr("Parameter values")});
    m_designs->horizontalHeader()->setSectionResizeMode(kTemplateColumn, QHeaderView::ResizeToContents);
    m_designs->horizontalHeader()->setSectionResizeMode(kValuesColumn, QHeaderView::Stretch);
    m_designs->verticalHeader()->hide();
    m_designs->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_designs->setSelectionMode(QAbstractItemView::SingleSelection);
    column->addWidget(m_designs, 1);
    m_add->setText(tr("&Add template"));
    m_add->setObjectName("exploreAdd");
    m_remove->setText(tr("&Remove"));
    m_remove->setObjectName("exploreRemove");
    auto* tools = new QHBoxLayout;
    tools->addWidget(m_add);
    tools->addWidget(m_remove);
    tools->addStretch(1);
    column->addLayout(tools);
    m_parameters->setWordWrap(true);
    m_parameters->setProperty("role", "dim");
    column->addWidget(m_parameters);
    auto* limits = new QGroupBox(tr("Limits"));
    auto* form = new QFormLayout(limits);
    const auto field = [&](QLineEdit* edit, const char* object, const QString& name) {
        edit->setObjectName(object);
        edit->setAccessibleName(name);
        edit->setPlaceholderText(tr("no limit"));
        connect(edit, &QLineEdit::textChanged, this, &ExploreForm::changed);
    };
    field(m_least, "exploreLeast", tr("Minimum accelerators"));
    field(m_most, "exploreMost", tr("Maximum accelerators"));
    field(m_power, "explorePower", tr("Maximum facility power"));
    field(m_capital, "exploreCapital", tr("Maximum capital cost"));
    auto* both = new QHBoxLayout;
    both->addWidget(m_least, 1);
    both->addWidget(new QLabel("–"));
    both->addWidget(m_most, 1);
    form->addRow(tr("Accelerators"), both);
    form->addRow(tr("Facility power, MW"), m_power);
    form->addRow(tr("Capital cost, millions"), m_capital);
    column->addWidget(limits);
    auto* goals = new QGroupBox(tr("Objectives"));
    auto* list = new QVBoxLayout(goals);
    for (int i = 0; i < kObjectives; ++i) {
        auto* box = new QComboBox;
        box->setObjectName(QString("exploreObjective%1").arg(i));
        box->setAccessibleName(tr("Objective %1").arg(i + 1));
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        list->addWidget(box);
        m_objectives.push_back(box);
        connect(box, &QComboBox::currentIndexChanged, this, &ExploreForm::changed);
    }
    column->addWidget(goals);
    fillObjectives();
    connect(m_name, &QLineEdit::textChanged, this, &ExploreForm::changed);
    connect(m_designs, &QTableWidget::itemChanged, this, &ExploreForm::changed);
    connect(m_designs, &QTableWidget::currentCellChanged, this, &ExploreForm::showParameters);
    connect(m_add, &QToolButton::clicked, this, [this] {
        addDesign(m_templates.empty() ? QString() : text(m_templates.front().name()), {});
        m_designs->setCurrentCell(m_designs->rowCount() - 1, kValuesColumn);
    });
    connect(m_remove, &QToolButton::clicked, this, [this] {
        m_designs->removeRow(m_designs->currentRow());
        emit changed();
    });
    addDesign("hpn", "segments=8,12,15"); // no text
    m_designs->setCurrentCell(0, kValuesColumn);
}

void ExploreForm::fillObjectives()
{
    const char* usual[kObjectives] = {"cost_hour", "goodput_per_mw", "worst_loss_share"};
    for (int i = 0; i < kObjectives; ++i) {
        QComboBox* box = m_objectives[std::size_t(i)];
        if (i > 0) box->addItem(tr("none"), QString());
        for (const ExploreFigure& figure : exploreFigures())
            if (figure.objective) box->addItem((figure.high ? tr("%1, highest") : tr("%1, lowest")).arg(figure.title), QString(figure.key));
        box->setCurrentIndex(std::max(0, box->findData(QString(usual[i]))));
    }
}

QComboBox* ExploreForm::makeTemplates(const QString& chosen)
{
    auto* box = new QComboBox;
    for (const Template& design : m_templates) box->addItem(text(design.name()), text(design.name()));
    if (box->findData(chosen) < 0) box->addItem(chosen, chosen); // of a file
    box->setCurrentIndex(box->findData(chosen));
    box->setAccessibleName(tr("Template"));
    connect(box, &QComboBox::currentIndexChanged, this, [this] {
        showParameters();
        emit changed();
    });
    return box;
}

void ExploreForm::addDesign(const QString& templateName, const QString& values)
{
    const int row = m_designs->rowCount();
    m_designs->insertRow(row);
    m_designs->setCellWidget(row, kTemplateColumn, makeTemplates(templateName));
    m_designs->setItem(row, kValuesColumn, new QTableWidgetItem(values));
    emit changed();
}

/// Which parameters the template of the current row has, and what they take.
void ExploreForm::showParameters()
{
    m_remove->setEnabled(m_designs->rowCount() > 1 && m_designs->currentRow() >= 0);
    const auto* box = qobject_cast<QComboBox*>(m_designs->cellWidget(m_designs->currentRow(), kTemplateColumn));
    const auto found = box ? std::ranges::find(m_templates, box->currentText().toStdString(), &Template::name) : m_templates.end();
    if (found == m_templates.end()) return m_parameters->clear();
    QStringList names;
    QString choices;
    for (const Parameter& p : found->parameters()) {
        names << text(p.name);
        QStringList values;
        for (const auto& one : p.choices) values << text(one);
        if (p.flag) values = {"true", "false"};
        if (values.isEmpty()) values << QString("%1 … %2").arg(count(p.minimum), count(p.maximum));
        choices += QString("<tr><td>%1&nbsp;</td><td>%2</td></tr>").arg(text(p.name), values.join(", "));
    }
    m_parameters->setText(tr("Values as NAME=VALUE,VALUE …; every combination is a design. Parameters: %1").arg(names.join(", ")));
    m_parameters->setToolTip("<table>" + choices + "</table>");
}

Result<sim::Json> ExploreForm::design(int row) const
{
    const auto* box = qobject_cast<QComboBox*>(m_designs->cellWidget(row, kTemplateColumn));
    const auto* item = m_designs->item(row, kValuesColumn);
    sim::Json out{{"template", box ? box->currentText().toStdString() : std::string()}};
    for (const QString& word : (item ? item->text() : QString()).split(' ', Qt::SkipEmptyParts)) {
        const qsizetype at = word.indexOf('=');
        const QStringList values = word.mid(at + 1).split(',', Qt::SkipEmptyParts);
        if (at <= 0 || values.isEmpty())
            return fail(ErrorCode::Usage, tr("row %1").arg(row + 1).toStdString(),
                        i18n("'{}' is not of the form NAME=VALUE,VALUE", word.toStdString()),
                        i18n("separate parameters with spaces and values with commas"));
        const std::string name = word.left(at).toStdString();
        if (values.size() == 1)
            out["set"][name] = valueOf(values.front());
        else
            for (const QString& value : values) out["vary"][name].push_back(valueOf(value));
    }
    return out;
}

Result<void> ExploreForm::addLimits(sim::Json& limits) const
{
    for (const auto& [field, figure, end, unit] :
         {std::tuple(m_least, "accelerators", "min", 1.0), std::tuple(m_most, "accelerators", "max", 1.0),
          std::tuple(m_power, "facility_w", "max", kMillion), std::tuple(m_capital, "capital", "max", kMillion)}) {
        const auto value = numberIn(*field);
        if (!value) return tl::unexpected(value.error());
        if (*value)
            limits[figure][end] = **value * unit;
        else if (limits.contains(figure) && limits[figure].is_object())
            limits[figure].erase(end);
        if (limits.contains(figure) && limits[figure].empty()) limits.erase(figure);
    }
    return {};
}

std::vector<int> ExploreForm::shownObjectives() const
{
    std::vector<int> out;
    for (const QComboBox* box : m_objectives) out.push_back(box->currentIndex());
    return out;
}

Result<sim::ExploreRequest> ExploreForm::request() const
{
    sim::Json all = m_base;
    all["schema"] = "hallwright.explore/1";
    all["name"] = m_name->text().trimmed().toStdString();
    all["designs"] = sim::Json::array();
    for (int row = 0; row < m_designs->rowCount(); ++row) {
        auto one = design(row);
        if (!one) return tl::unexpected(one.error());
        all["designs"].push_back(std::move(*one));
    }
    sim::Json limits = all.contains("limits") ? all["limits"] : sim::Json::object();
    if (const auto fine = addLimits(limits); !fine) return tl::unexpected(fine.error());
    all.erase("limits");
    if (!limits.empty()) all["limits"] = std::move(limits);
    if (shownObjectives() == m_shownObjectives && m_base.contains("objectives")) // of a file: more of them, or others than the form offers
        return sim::parseExploreRequest(all.dump(), tr("request").toStdString());
    all["objectives"] = sim::Json::array();
    for (const QComboBox* box : m_objectives) {
        const std::string key = box->currentData().toString().toStdString();
        const auto figure = std::ranges::find_if(exploreFigures(), [&](const ExploreFigure& f) { return f.key == key; });
        if (figure == exploreFigures().end()) continue;
        const bool given = std::ranges::any_of(all["objectives"], [&](const sim::Json& one) { return one["figure"] == key; });
        if (!given) all["objectives"].push_back({{"figure", key}, {"best", figure->high ? "high" : "low"}});
    }
    return sim::parseExploreRequest(all.dump(), tr("request").toStdString());
}

void ExploreForm::setRequest(const sim::ExploreRequest& request)
{
    const QSignalBlocker quiet(this);
    m_base = request.given;
    m_name->setText(text(request.name));
    m_designs->setRowCount(0);
    for (const sim::Json& one : request.given["designs"]) {
        QStringList words;
        for (const char* part : {"set", "vary"})
            if (one.contains(part))
                for (const auto& [name, value] : one[part].items()) {
                    QStringList values;
                    if (value.is_array())
                        for (const sim::Json& v : value) values << wordOfJson(v);
                    else
                        values << wordOfJson(value);
                    words << text(name) + "=" + values.join(',');
                }
        addDesign(text(one["template"].get<std::string>()), words.join(' '));
    }
    const sim::Json limits = m_base.contains("limits") ? m_base["limits"] : sim::Json::object();
    putNumber(*m_least, limits, "accelerators", "min", 1);
    putNumber(*m_most, limits, "accelerators", "max", 1);
    putNumber(*m_power, limits, "facility_w", "max", kMillion);
    putNumber(*m_capital, limits, "capital", "max", kMillion);
    for (std::size_t i = 0; i < m_objectives.size(); ++i) {
        const int at = i < request.objectives.size() ? m_objectives[i]->findData(text(request.objectives[i].figure)) : 0;
        m_objectives[i]->setCurrentIndex(std::max(0, at));
    }
    m_shownObjectives = shownObjectives();
    m_designs->setCurrentCell(0, kValuesColumn);
    showParameters();
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/scenario_setup.h"

#include "core/base/resources.h"
#include "views/simulation/field_form.h"
#include "views/simulation/json_dialog.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QStandardItemModel>
#include <QStyle>

#include <algorithm>

namespace hw::views {

ScenarioSetup::ScenarioSetup(SimulationSession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_chooser(new QComboBox), m_form(new FieldForm), m_sweep(new QLineEdit), m_summary(new QLabel), m_step(new QLabel), m_run(new QPushButton),
      m_json(new QPushButton(tr("&JSON…"))), m_progress(new QProgressBar)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space(1));
    m_chooser->setObjectName("scenarioChooser");
    m_chooser->setMaxVisibleItems(30);
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_summary->setWordWrap(true);
    m_summary->setProperty("role", "dim");
    m_step->setProperty("role", "faint");
    m_run->setObjectName("scenarioRun");
    m_run->setDefault(true);
    m_sweep->setObjectName("scenarioSweep");
    m_sweep->setPlaceholderText(tr("Sweep: seed=1:20:1 or design.segments=4,8,15"));
    m_sweep->setToolTip(tr("Runs it for every value: a parameter of the scenario, or design.NAME for a parameter of the template"));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_form);
    scroll->setMinimumHeight(space(8));
    auto* first = new QHBoxLayout;
    first->addWidget(m_chooser, 1);
    first->addWidget(m_run);
    auto* last = new QHBoxLayout;
    last->addWidget(m_sweep, 1);
    last->addWidget(m_json);
    column->addLayout(first);
    column->addWidget(m_progress);
    column->addWidget(m_step);
    column->addWidget(m_summary);
    column->addWidget(scroll, 1);
    column->addLayout(last);
    setFixedWidth(fontMetrics().averageCharWidth() * 52);
    connect(m_chooser, &QComboBox::activated, this, &ScenarioSetup::onChosen);
    connect(m_run, &QPushButton::clicked, this, [this] { m_session.busy() ? m_session.cancel() : run(); });
    connect(m_json, &QPushButton::clicked, this, &ScenarioSetup::editJson);
    connect(m_form, &FieldForm::changed, this, &ScenarioSetup::check);
    connect(m_sweep, &QLineEdit::textChanged, this, &ScenarioSetup::check);
    connect(&session.bridge().jobs(), &Jobs::changed, this, &ScenarioSetup::onJobs);
    fillChooser();
    onJobs();
}

/// Shipped scenarios first, then every kind with its default case. The data is a scenario file's path, or a kind's name.
void ScenarioSetup::fillChooser()
{
    const auto heading = [this](const QString& title) {
        m_chooser->addItem(title);
        auto* item = qobject_cast<QStandardItemModel*>(m_chooser->model())->item(m_chooser->count() - 1);
        item->setEnabled(false);
        QFont bold = font();
        bold.setBold(true);
        item->setFont(bold);
    };
    heading(tr("On this design"));
    for (const auto& kind : sim::scenarioKinds())
        if (kind.onDesign) m_chooser->addItem(text(kind.name), text(kind.name));
    heading(tr("Ready scenarios"));
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& file : std::filesystem::directory_iterator(resourceFolder() / "scenarios", error))
        if (file.path().extension() == ".json") files.push_back(file.path());
    std::ranges::sort(files);
    for (const auto& file : files) {
        QFile in(QString::fromStdString(file.string()));
        if (!in.open(QIODevice::ReadOnly)) continue;
        if (const auto request = sim::parseScenarioRequest(in.readAll().toStdString(), file.string())) m_chooser->addItem(text(request->name), QString::fromStdString(file.string()));
    }
    heading(tr("Without a design"));
    for (const auto& kind : sim::scenarioKinds())
        if (!kind.onDesign) m_chooser->addItem(text(kind.name), text(kind.name));
    if (!choose("training")) choose("ring-allreduce");
}

bool ScenarioSetup::choose(const QString& name)
{
    for (int i = 0; i < m_chooser->count(); ++i)
        if (const QString data = m_chooser->itemData(i).toString(); data == name || data.endsWith("/" + name + ".json")) {
            m_chooser->setCurrentIndex(i);
            onChosen();
            return true;
        }
    return false;
}

void ScenarioSetup::onChosen()
{
    const QString data = m_chooser->currentData().toString();
    if (const auto* kind = sim::findScenarioKind(data.toStdString())) {
        sim::ScenarioRequest fresh;
        fresh.name = kind->name == "training" ? tr("One training iteration").toStdString() : kind->name;
        fresh.where = kind->name;
        fresh.kind = kind;
        fresh.parameters = *sim::readParameters(sim::Json::object(), kind->fields);
        return setRequest(fresh);
    }
    QFile in(data);
    if (!in.open(QIODevice::ReadOnly)) return;
    auto request = sim::parseScenarioRequest(in.readAll().toStdString(), data.toStdString());
    if (!request) return m_session.bridge().report(request.error());
    request->designTemplate.clear(); // here it is asked about the open design
    request->designSet.clear();
    setRequest(*request);
}

void ScenarioSetup::setRequest(const sim::ScenarioRequest& request)
{
    m_kind = request.kind;
    m_base = request;
    m_summary->setText(text(m_kind->summary));
    QStringList axes;
    for (const auto& axis : request.sweep) {
        QStringList values;
        for (const auto& v : axis.values) values << text(v.is_string() ? v.get<std::string>() : v.dump());
        axes << text(axis.parameter) + "=" + values.join(",");
    }
    m_sweep->setText(axes.join("  "));
    m_form->setFields(m_kind->fields, request.parameters);
    check();
}

Result<sim::ScenarioRequest> ScenarioSetup::request() const
{
    const auto values = m_form->values();
    if (!values) return tl::unexpected(values.error());
    sim::ScenarioRequest request = m_base;
    request.parameters = *values;
    request.sweep.clear();
    for (const QString& axis : m_sweep->text().split(' ', Qt::SkipEmptyParts))
        if (const auto added = sim::addSweepAxis(request, axis.toStdString()); !added) return tl::unexpected(added.error());
    return request;
}

void ScenarioSetup::check()
{
    const auto now = request();
    const bool sweepBad = !now && m_form->values().has_value();
    if (m_sweep->property("bad").toBool() != sweepBad) {
        m_sweep->setProperty("bad", sweepBad);
        m_sweep->style()->polish(m_sweep);
    }
    m_sweep->setToolTip(sweepBad ? text(now.error().text()) : tr("Runs it for every value: a parameter of the scenario, or design.NAME for a parameter of the template"));
    m_run->setEnabled(now.has_value() || m_session.busy());
}

void ScenarioSetup::run()
{
    auto now = request();
    if (!now) return m_session.bridge().report(now.error());
    m_session.run(std::move(*now));
}

void ScenarioSetup::editJson()
{
    const auto now = request();
    JsonDialog dialog(text((now ? sim::toJson(*now) : sim::toJson(m_base)).dump(2)), this);
    if (dialog.exec() == QDialog::Accepted && dialog.request()) setRequest(*dialog.request());
}

void ScenarioSetup::onJobs()
{
    const auto& jobs = m_session.bridge().jobs().running();
    const auto job = std::ranges::find(jobs, QString("simulation"), &Jobs::Job::slot);
    const bool busy = job != jobs.end();
    m_run->setText(busy ? tr("Cancel") : tr("&Run"));
    m_run->setIcon(icon(busy ? "stop" : "play", theme().accentText));
    m_progress->setVisible(busy);
    m_step->setVisible(busy);
    if (busy) {
        m_progress->setRange(0, job->fraction < 0 ? 0 : 1000);
        m_progress->setValue(int(job->fraction * 1000));
        m_step->setText(job->step);
    }
    check();
}

} // namespace hw::views

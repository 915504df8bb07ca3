// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/scenario_setup.h"

#include "core/foundation/base/resources.h"
#include "simulation/answers/answer_words.h"
#include "views/simulation/field_form.h"
#include "views/simulation/json_dialog.h"
#include "views/simulation/slurm_dialog.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"
#include "views/style/work_bar.h"

#include <QBoxLayout>
#include <QCollator>
#include <QComboBox>
#include <QCompleter>
#include <QCoreApplication>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStandardItemModel>
#include <QStyle>
#include <QTimer>

#include <algorithm>

namespace hw::views {
namespace {

/// What a kind is called in the window; its own name is what scenarios and the command line say.
QString kindTitle(const sim::ScenarioKind& kind)
{
    static const std::pair<const char*, const char*> kTitles[] = {
        {"ring-allreduce", QT_TRANSLATE_NOOP("ScenarioSetup", "Ring all-reduce")},
        {"permutation", QT_TRANSLATE_NOOP("ScenarioSetup", "Random permutation traffic")},
        {"training", QT_TRANSLATE_NOOP("ScenarioSetup", "One training iteration")},
        {"scaling", QT_TRANSLATE_NOOP("ScenarioSetup", "Training job by size")},
        {"bandwidth", QT_TRANSLATE_NOOP("ScenarioSetup", "Collective bandwidth")},
        {"pod-crossing", QT_TRANSLATE_NOOP("ScenarioSetup", "Parallelism across pods")},
        {"job-mix", QT_TRANSLATE_NOOP("ScenarioSetup", "Multi-tenant job mix")},
        {"training-failure", QT_TRANSLATE_NOOP("ScenarioSetup", "Failure during a training job")},
        {"jobs", QT_TRANSLATE_NOOP("ScenarioSetup", "Concurrent predefined jobs")},
        {"fault-causes", QT_TRANSLATE_NOOP("ScenarioSetup", "Job interruptions by cause")},
        {"aicb", QT_TRANSLATE_NOOP("ScenarioSetup", "Workload file (AICB, SimAI)")},
        {"chakra", QT_TRANSLATE_NOOP("ScenarioSetup", "Execution traces (Chakra)")},
        {"design-goodput", QT_TRANSLATE_NOOP("ScenarioSetup", "Goodput of a long job on this design")},
        {"dual-plane", QT_TRANSLATE_NOOP("ScenarioSetup", "Two planes vs one")},
        {"failure", QT_TRANSLATE_NOOP("ScenarioSetup", "Failure and recovery")},
        {"silent-fault", QT_TRANSLATE_NOOP("ScenarioSetup", "Silent black hole on a link")},
        {"cross-pod", QT_TRANSLATE_NOOP("ScenarioSetup", "Job traffic across pods")},
        {"rail-locality", QT_TRANSLATE_NOOP("ScenarioSetup", "Traffic within one access switch")},
        {"sub-flows", QT_TRANSLATE_NOOP("ScenarioSetup", "Sub-flows over equal-cost paths")},
        {"storage-flows", QT_TRANSLATE_NOOP("ScenarioSetup", "Data loading and checkpoints over the frontend")},
        {"image-pull", QT_TRANSLATE_NOOP("ScenarioSetup", "Image distribution over the frontend")},
        {"inference-flows", QT_TRANSLATE_NOOP("ScenarioSetup", "Inference requests over the frontend")},
        {"core-hash", QT_TRANSLATE_NOOP("ScenarioSetup", "Hashing at core switches")},
        {"hall-air", QT_TRANSLATE_NOOP("ScenarioSetup", "Air of a hall")},
        {"deployment", QT_TRANSLATE_NOOP("ScenarioSetup", "Duration of deployment")},
        {"cross-site", QT_TRANSLATE_NOOP("ScenarioSetup", "Jobs across sites and availability zones")},
        {"inference", QT_TRANSLATE_NOOP("ScenarioSetup", "Inference by scale-up domain")},
        {"spot", QT_TRANSLATE_NOOP("ScenarioSetup", "Jobs on spot instances")},
        {"fault-prediction", QT_TRANSLATE_NOOP("ScenarioSetup", "Fault prediction on emulated histories")},
        {"goodput-target", QT_TRANSLATE_NOOP("ScenarioSetup", "Checkpoint and restart for a target goodput")},
        {"goodput", QT_TRANSLATE_NOOP("ScenarioSetup", "Goodput of a long job")},
        {"checkpoint", QT_TRANSLATE_NOOP("ScenarioSetup", "Checkpoint interval")},
        {"amdahl", QT_TRANSLATE_NOOP("ScenarioSetup", "Savings from a faster network")},
        {"collective", QT_TRANSLATE_NOOP("ScenarioSetup", "Collective duration")},
        {"pxn", QT_TRANSLATE_NOOP("ScenarioSetup", "All-to-all forwarded through the rail (PXN)")},
        {"xlink", QT_TRANSLATE_NOOP("ScenarioSetup", "Experts by scale-up domain")},
        {"priority", QT_TRANSLATE_NOOP("ScenarioSetup", "Jobs sharing links, by policy")},
        {"hash-dodging", QT_TRANSLATE_NOOP("ScenarioSetup", "Black hole and host countermeasures")},
        {"port-failover", QT_TRANSLATE_NOOP("ScenarioSetup", "NIC port failure and recovery")},
        {"published-training", QT_TRANSLATE_NOOP("ScenarioSetup", "Published training runs, predicted")},
        {"training-volume", QT_TRANSLATE_NOOP("ScenarioSetup", "Bytes and FLOPs of an iteration")}};
    for (const auto& [name, title] : kTitles)
        if (kind.name == name) return QCoreApplication::translate("ScenarioSetup", title);
    return text(sim::titleText(kind.name)).replace('-', ' ');
}

Result<sim::ScenarioRequest> readScenario(const QString& path)
{
    QFile in(path);
    if (!in.open(QIODevice::ReadOnly))
        return fail(ErrorCode::Unreadable, path.toStdString(), i18n("cannot be read"), i18n("specify a shipped scenario or an existing file"));
    return sim::parseScenarioRequest(in.readAll().toStdString(), path.toStdString());
}

} // namespace

ScenarioSetup::ScenarioSetup(SimulationSession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_chooser(new QComboBox), m_form(new FieldForm), m_sweep(new QLineEdit), m_summary(new QLabel),
      m_step(new QLabel), m_run(new QPushButton), m_json(new QPushButton(tr("&JSON…"))), m_slurm(new QPushButton(tr("S&lurm …"))),
      m_progress(new WorkBar)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space(1));
    m_chooser->setObjectName("scenarioChooser");
    m_chooser->setMaxVisibleItems(30);
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_chooser->setEditable(true); // any part of a title finds it
    m_chooser->setInsertPolicy(QComboBox::NoInsert);
    m_chooser->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_chooser->completer()->setFilterMode(Qt::MatchContains);
    m_chooser->completer()->setMaxVisibleItems(15);
    m_summary->setWordWrap(true);
    m_summary->setProperty("role", "dim");
    m_step->setProperty("role", "faint");
    m_run->setObjectName("scenarioRun");
    m_run->setDefault(true);
    m_sweep->setObjectName("scenarioSweep");
    m_sweep->setPlaceholderText(tr("Sweep: seed=1:20:1 or design.segments=4,8,15"));
    m_sweep->setToolTip(tr("Runs the scenario for every value: a parameter of the scenario, or design.NAME for a parameter of the template"));
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
    last->addWidget(m_slurm);
    last->addWidget(m_json);
    column->addLayout(first);
    column->addWidget(m_progress);
    column->addWidget(m_step);
    column->addWidget(m_summary);
    column->addWidget(scroll, 1);
    column->addLayout(last);
    setMinimumWidth(fontMetrics().averageCharWidth() * 34);
    setMaximumWidth(sizeHint().width());
    connect(m_chooser, &QComboBox::activated, this, &ScenarioSetup::onChosen);
    connect(m_chooser->lineEdit(), &QLineEdit::editingFinished, this,
            [this] { m_chooser->setEditText(m_chooser->itemText(m_chooser->currentIndex())); });
    connect(m_run, &QPushButton::clicked, this, [this] { m_session.busy() ? m_session.cancel() : run(); });
    connect(m_json, &QPushButton::clicked, this, &ScenarioSetup::editJson);
    m_slurm->setObjectName("scenarioSlurm");
    connect(m_slurm, &QPushButton::clicked, this, &ScenarioSetup::askForSlurm);
    connect(m_form, &FieldForm::changed, this, &ScenarioSetup::check);
    connect(m_sweep, &QLineEdit::textChanged, this, &ScenarioSetup::check);
    connect(&session.bridge().jobs(), &Jobs::changed, this, &ScenarioSetup::onJobs);
    connect(&session, &SimulationSession::requestOffered, this, &ScenarioSetup::offer);
    fillChooser();
    onJobs();
}

Result<void> ScenarioSetup::chooseOrRead(const QString& nameOrPath)
{
    if (choose(nameOrPath)) return {};
    const auto request = readScenario(nameOrPath);
    if (!request) return tl::unexpected(request.error());
    setRequest(*request);
    return {};
}

QSize ScenarioSetup::sizeHint() const { return {fontMetrics().averageCharWidth() * 52, QWidget::sizeHint().height()}; }

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
    const auto kinds = [this](bool onDesign) {
        for (const auto& kind : sim::scenarioKinds()) {
            if (kind.onDesign != onDesign) continue;
            m_chooser->addItem(kindTitle(kind), text(kind.name));
            m_chooser->setItemData(m_chooser->count() - 1, text(kind.name) + ": " + text(kind.summary), Qt::ToolTipRole);
        }
    };
    kinds(true);
    heading(tr("Predefined scenarios"));
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& file : std::filesystem::directory_iterator(resourceFolder() / "scenarios", error))
        if (file.path().extension() == ".json") files.push_back(file.path());
    QCollator byNumber; // S2 before S10
    byNumber.setNumericMode(true);
    std::ranges::sort(files,
                      [&](const auto& a, const auto& b) { return byNumber.compare(text(a.filename().string()), text(b.filename().string())) < 0; });
    for (const auto& file : files)
        if (const auto request = readScenario(text(file.string()))) m_chooser->addItem(text(resourceText(request->name)), text(file.string()));
    heading(tr("Without a design"));
    kinds(false);
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
        fresh.name = kindTitle(*kind).toStdString();
        fresh.where = kind->name;
        fresh.kind = kind;
        fresh.parameters = sim::Json::object();
        return setRequest(fresh);
    }
    const auto request = readScenario(data); // asked about the open design, as the command line does with a project
    if (!request) return m_session.bridge().report(request.error());
    setRequest(*request);
}

/// A scenario that somebody filled in elsewhere, for example from a menu on a device.
void ScenarioSetup::offer(const sim::ScenarioRequest& request)
{
    m_chooser->setCurrentIndex(std::max(0, m_chooser->findData(text(request.kind->name))));
    setRequest(request);
    m_run->setFocus(Qt::OtherFocusReason);
    for (const auto& [key, value] : request.parameters.items()) // what it is about is seen without searching
        if (auto* editor = m_form->findChild<QWidget*>("field." + text(key)))
            if (auto* scroll = qobject_cast<QScrollArea*>(m_form->parentWidget()->parentWidget()))
                QTimer::singleShot(0, editor, [scroll, editor] { scroll->ensureWidgetVisible(editor); });
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
    m_sweepText = axes.join("  ");
    m_sweep->setText(m_sweepText);
    m_form->setFields(m_kind->fields, request.parameters);
    check();
}

Result<sim::ScenarioRequest> ScenarioSetup::request() const
{
    const auto values = m_form->values();
    if (!values) return tl::unexpected(values.error());
    sim::ScenarioRequest request = m_base;
    request.parameters = m_form->given(!m_sweep->text().trimmed().isEmpty());
    if (m_sweep->text() == m_sweepText) return request; // the axes as they came, with all their values
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
    m_sweep->setToolTip(sweepBad
                            ? text(now.error().text())
                            : tr("Runs the scenario for every value: a parameter of the scenario, or design.NAME for a parameter of the template"));
    m_run->setEnabled(now.has_value() || m_session.busy());
    const bool sweep = now && !now->sweep.empty();
    m_slurm->setEnabled(sweep && !m_session.busy());
    m_slurm->setToolTip(sweep ? tr("Run the points of the sweep as a Slurm job array") : tr("A Slurm job array requires a sweep"));
}

void ScenarioSetup::askForSlurm()
{
    auto now = request();
    if (!now) return m_session.bridge().report(now.error());
    std::size_t points = 1;
    for (const auto& axis : now->sweep) points *= axis.values.size();
    auto* dialog = new SlurmDialog(text(now->name), points, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, request = *now] { m_session.run(request, dialog->points()); });
    dialog->open();
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
        m_progress->setFraction(job->fraction);
        m_step->setText(job->step);
    }
    check();
}

} // namespace hw::views

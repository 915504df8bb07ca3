// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/acceptance_dialog.h"

#include "views/style/fit.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDate>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QTextBrowser>
#include <QToolButton>

#include <algorithm>

namespace hw::app {

using views::space;
using views::text;

namespace {

QString gateStateText(GateResult result)
{
    switch (result) {
    case GateResult::Open: return AcceptanceDialog::tr("open");
    case GateResult::Passed: return AcceptanceDialog::tr("passed");
    case GateResult::Failed: return AcceptanceDialog::tr("failed");
    case GateResult::Waived: return AcceptanceDialog::tr("waived");
    }
    return {};
}

QColor gateColor(GateResult result)
{
    const views::Theme& t = views::theme();
    return result == GateResult::Failed ? t.error : result == GateResult::Open ? t.textDim : t.ok;
}

QString listOf(const std::vector<Text>& lines, const QColor& color)
{
    QString html;
    for (const Text& line : lines) html += QString("<li style='color:%1'>%2</li>").arg(color.name(), text(words(line)).toHtmlEscaped());
    return html.isEmpty() ? html : "<ul style='margin-top:2px'>" + html + "</ul>";
}

} // namespace

AcceptanceDialog::AcceptanceDialog(views::DocumentBridge& bridge, QWidget* parent)
    : QDialog(parent), m_bridge(bridge), m_form(new QFormLayout), m_segment(new QComboBox), m_preCheck(new QCheckBox), m_text(new QTextBrowser),
      m_evaluate(new QPushButton(tr("&Evaluate"))), m_record(new QPushButton(tr("&Record in the project"))), m_waive(new QPushButton(tr("Wai&ve"))),
      m_waivedGate(new QComboBox), m_reason(new QLineEdit)
{
    setWindowTitle(tr("Acceptance gates"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space(4), space(4), space(4), space(4));
    m_segment->setObjectName("acceptanceSegment");
    m_form->addRow(tr("&Segment"), m_segment);
    addField("audit", tr("1. &Audit of firmware and settings"), tr("JSON file"), false);
    addField("config", tr("1. &Configuration of hosts and switches"), tr("captured files or folders"), true);
    m_preCheck->setText(tr("Switches only, before the hosts are deployed"));
    m_preCheck->setObjectName("acceptancePreCheck");
    m_form->addRow(QString(), m_preCheck);
    addField("perftest", tr("2. &NIC bandwidth"), tr("output of ib_write_bw, files or folders"), true);
    addField("nccl", tr("3. C&ollectives"), tr("output of nccl-tests, files or folders"), true);
    addField("model", tr("4. &Model run and fault injection"), tr("JSON file"), false);
    addField("injected", tr("4. &Injected faults"), tr("fault script, JSON file"), false);
    addField("recording", tr("4. Recor&ding of the fault injection"), tr("recording of the live hall"), false);
    layout->addLayout(m_form);
    auto* waiver = new QHBoxLayout;
    for (int gate = 1; gate <= asbuilt::kGates; ++gate) m_waivedGate->addItem(QString("%1. %2").arg(gate).arg(text(words(asbuilt::gateTitle(gate)))));
    m_waivedGate->setObjectName("acceptanceWaivedGate");
    m_waivedGate->setAccessibleName(tr("Gate to waive"));
    m_reason->setObjectName("acceptanceReason");
    m_reason->setPlaceholderText(tr("reason"));
    m_waive->setObjectName("acceptanceWaive");
    m_waive->setToolTip(tr("Waives the gate for this reason, as one undo step; later gates can then pass"));
    waiver->addWidget(m_waivedGate);
    waiver->addWidget(m_reason, 1);
    waiver->addWidget(m_waive);
    auto* waiverTitle = new QLabel(tr("&Waive a gate"));
    waiverTitle->setBuddy(m_reason);
    m_form->addRow(waiverTitle, waiver);
    m_text->setAccessibleName(tr("Gates and results"));
    m_text->setObjectName("acceptanceResult");
    layout->addWidget(m_text, 1);
    auto* buttons = new QDialogButtonBox;
    m_evaluate->setObjectName("acceptanceEvaluate");
    m_record->setObjectName("acceptanceRecord");
    m_evaluate->setDefault(true);
    m_record->setToolTip(tr("Stores result and evidence of each gate in the project, as one undo step"));
    buttons->addButton(m_evaluate, QDialogButtonBox::ActionRole);
    buttons->addButton(m_record, QDialogButtonBox::ActionRole);
    buttons->addButton(new QPushButton(tr("C&lose")), QDialogButtonBox::RejectRole);
    layout->addWidget(buttons);
    const Snapshot& s = *bridge.snapshot();
    s.networks.forEach([&](NetworkId network) {
        if (s.networks.kind[network] != NetworkKind::Backend) return;
        for (const asbuilt::SegmentKey& key : asbuilt::segmentsOf(s, network)) {
            m_keys.push_back(key);
            m_segment->addItem(text(words(asbuilt::segmentTitle(s, key))));
        }
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &AcceptanceDialog::reject);
    connect(m_evaluate, &QPushButton::clicked, this, &AcceptanceDialog::evaluate);
    connect(m_record, &QPushButton::clicked, this, &AcceptanceDialog::record);
    connect(m_waive, &QPushButton::clicked, this, &AcceptanceDialog::waive);
    connect(m_reason, &QLineEdit::textChanged, this, [this] { enable(); });
    connect(m_segment, &QComboBox::currentIndexChanged, this, &AcceptanceDialog::forget);
    connect(m_preCheck, &QCheckBox::toggled, this, &AcceptanceDialog::forget);
    views::fitToScreen(*this, {space(200), space(170)});
    forget();
}

void AcceptanceDialog::addField(const char* name, const QString& label, const QString& hint, bool many)
{
    auto* line = new QLineEdit;
    line->setObjectName(QString("acceptance.%1").arg(name));
    line->setPlaceholderText(hint);
    auto* open = new QToolButton;
    open->setText("…"); // no text
    open->setAccessibleName(tr("Choose files"));
    auto* row = new QHBoxLayout;
    row->addWidget(line, 1);
    row->addWidget(open);
    auto* title = new QLabel(label);
    title->setBuddy(line);
    m_form->addRow(title, row);
    const Field field{name, line, many};
    m_fields.push_back(field);
    connect(line, &QLineEdit::textChanged, this, &AcceptanceDialog::forget);
    if (!many) {
        connect(open, &QToolButton::clicked, this, [this, field] { browse(field, false); });
        return;
    }
    auto* menu = new QMenu(open);
    connect(menu->addAction(tr("Files …")), &QAction::triggered, this, [this, field] { browse(field, false); });
    connect(menu->addAction(tr("Folder …")), &QAction::triggered, this, [this, field] { browse(field, true); });
    open->setMenu(menu);
    open->setPopupMode(QToolButton::InstantPopup);
}

void AcceptanceDialog::browse(const Field& field, bool folder)
{
    QStringList chosen;
    if (folder)
        chosen << QFileDialog::getExistingDirectory(this, tr("Folder with test results"));
    else if (field.many)
        chosen = QFileDialog::getOpenFileNames(this, tr("Test results"));
    else
        chosen << QFileDialog::getOpenFileName(this, tr("Test results"), {},
                                               QLatin1String(field.name) == QLatin1String("recording")
                                                   ? tr("Recordings (*.jsonl *.zst);;All files (*)")
                                                   : tr("JSON (*.json);;All files (*)"));
    chosen.removeAll(QString());
    if (chosen.isEmpty()) return;
    if (field.many && !field.line->text().trimmed().isEmpty()) chosen.prepend(field.line->text().trimmed());
    field.line->setText(chosen.join("; "));
}

std::optional<asbuilt::SegmentKey> AcceptanceDialog::key() const
{
    const int at = m_segment->currentIndex();
    return at < 0 ? std::nullopt : std::optional(m_keys[std::size_t(at)]);
}

std::vector<std::string> AcceptanceDialog::paths(const char* name) const
{
    const auto field = std::ranges::find_if(m_fields, [&](const Field& one) { return QLatin1String(one.name) == QLatin1String(name); });
    const QString all = field->line->text();
    std::vector<std::string> out;
    for (const QString& one : field->many ? all.split(';') : QStringList(all))
        if (!one.trimmed().isEmpty()) out.push_back(one.trimmed().toStdString());
    return out;
}

void AcceptanceDialog::evaluate()
{
    const auto segment = key();
    if (!segment || !m_bridge.figures()) return;
    const auto one = [this](const char* name) {
        const auto all = paths(name);
        return all.empty() ? std::string() : all.front();
    };
    GateEvidence evidence{one("audit"),  one("model"),    paths("config"),  paths("perftest"),
                          paths("nccl"), one("injected"), one("recording"), m_preCheck->isChecked()};
    m_results.reset();
    m_problem = tr("Evaluating …");
    showResults();
    m_bridge.jobs().start<Result<GateResults>>(
        "acceptance", tr("Evaluating acceptance gates"),
        [figures = m_bridge.wholeFigures(), segment = *segment, evidence = std::move(evidence)](const Progress& progress) {
            return evaluateGates(figures, segment, evidence, progress);
        },
        [self = QPointer(this)](Result<GateResults> results) {
            if (!self) return;
            self->m_problem = results ? QString() : text(results.error().text());
            if (results) self->m_results = std::move(*results);
            self->showResults();
        });
}

void AcceptanceDialog::record()
{
    const auto segment = key();
    if (!segment || !m_results) return;
    const std::string author = qEnvironmentVariable("USER", "user").toStdString(), date = QDate::currentDate().toString(Qt::ISODate).toStdString();
    GateResults now = *m_results;
    const auto done = m_bridge.edit(tr("Acceptance of %1").arg(m_segment->currentText()),
                                    [&](Transaction& t) { return recordGates(*t, *segment, now.gates, author, date); });
    m_problem = done ? QString() : text(done.error().text());
    if (done) m_results = std::move(now);
    showResults();
    if (done) m_record->setEnabled(false); // it is recorded
}

void AcceptanceDialog::waive()
{
    const auto segment = key();
    const std::string reason = m_reason->text().trimmed().toStdString();
    if (!segment || reason.empty()) return;
    const std::string author = qEnvironmentVariable("USER", "user").toStdString(), date = QDate::currentDate().toString(Qt::ISODate).toStdString();
    const int gate = m_waivedGate->currentIndex() + 1;
    const auto done = m_bridge.edit(tr("Gate %1 of %2 waived").arg(gate).arg(m_segment->currentText()), [&](Transaction& t) -> Result<void> {
        const auto opened = waiveGate(*t, *segment, gate, reason, author, date);
        if (!opened) return tl::unexpected(opened.error());
        return {};
    });
    m_problem = done ? QString() : text(done.error().text());
    if (done) m_reason->clear();
    showResults();
}

void AcceptanceDialog::forget()
{
    m_results.reset();
    m_problem.clear();
    showResults();
}

void AcceptanceDialog::showResults()
{
    enable();
    const auto segment = key();
    if (!segment) return m_text->setHtml(tr("No backend network of this design has hosts."));
    const views::Theme& t = views::theme();
    QString html;
    if (!m_problem.isEmpty()) html += QString("<p style='color:%1'>%2</p>").arg(t.warning.name(), m_problem.toHtmlEscaped());
    html += "<p><b>" + tr("Recorded in the project") + "</b></p><table cellpadding='3'>";
    const auto states = asbuilt::gatesOf(*m_bridge.snapshot(), *segment);
    for (int gate = 1; gate <= asbuilt::kGates; ++gate) {
        const asbuilt::GateState& state = states[std::size_t(gate - 1)];
        html += QString("<tr><td>%1. %2</td><td style='color:%3'><b>%4</b></td><td style='color:%5'>%6</td></tr>")
                    .arg(gate)
                    .arg(text(words(asbuilt::gateTitle(gate))).toHtmlEscaped(), gateColor(state.result).name(), gateStateText(state.result),
                         t.textDim.name(),
                         text(state.author + (state.date.empty() ? "" : " " + state.date) +
                              (state.result == GateResult::Waived ? ": " + state.evidence : std::string()))
                             .toHtmlEscaped());
    }
    html += "</table>";
    if (m_results) {
        html += "<p><b>" + tr("Evaluated now") + "</b></p>";
        for (const asbuilt::GateEvaluation& gate : m_results->gates)
            html += QString("<p style='margin-bottom:0'>%1. %2: <b style='color:%3'>%4</b></p>")
                        .arg(gate.gate)
                        .arg(text(words(asbuilt::gateTitle(gate.gate))).toHtmlEscaped(), (gate.passes ? t.ok : t.error).name(),
                             gate.passes ? tr("pass") : tr("fail")) +
                    listOf(gate.faults, t.error) + listOf(gate.facts, t.text);
        html += listOf(m_results->doubts, t.warning);
    }
    m_text->setHtml(html);
}

void AcceptanceDialog::enable()
{
    const auto given = [this](const char* name) { return !paths(name).empty(); };
    const bool onlySwitches = m_preCheck->isChecked();
    m_preCheck->setEnabled(given("config"));
    if (!given("config") && onlySwitches) return m_preCheck->setChecked(false);
    for (const Field& field : m_fields) field.line->setEnabled(!onlySwitches || QLatin1String(field.name) == QLatin1String("config"));
    const bool any = std::ranges::any_of(m_fields, [&](const Field& field) { return given(field.name); });
    m_evaluate->setEnabled(key() && any && m_bridge.figures());
    m_record->setEnabled(m_results && !m_results->gates.empty() && !onlySwitches);
    m_waive->setEnabled(key() && !m_reason->text().trimmed().isEmpty());
}

} // namespace hw::app

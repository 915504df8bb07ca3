// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/prediction_panel.h"

#include "core/foundation/files/atomic_file.h"
#include "importers/telemetry/recorded_prediction.h"
#include "simulation/reliability/prediction_trial.h"
#include "views/live/live_session.h"
#include "views/panels/entity_link.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QLabel>
#include <QSpinBox>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>

#include <algorithm>
#include <memory>

namespace hw::views {

namespace {

constexpr const char* kPredicting = "live.prediction"; // of both sources: a newer request replaces an older one

QToolButton* predictionTool(const char* name, const QString& image, const QString& title, const QString& tip)
{
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setIcon(icon(image));
    button->setText(title);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setToolTip(tip);
    return button;
}

QSpinBox* predictionNumber(const char* name, int least, int most, int value, const QString& prefix, const QString& tip)
{
    auto* box = new QSpinBox;
    box->setObjectName(name);
    box->setRange(least, most);
    box->setValue(value);
    box->setPrefix(prefix);
    box->setToolTip(tip);
    box->setAccessibleName(tip);
    return box;
}

} // namespace

PredictionPanel::PredictionPanel(DocumentBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge),
      m_list(
          new ListView(bridge, {tr("Host"), tr("Probability"), tr("Hazard ratio"), tr("Signs"), tr("Since"), tr("Fails")}, tr("Fault prediction"))),
      m_detail(new QTextBrowser), m_summary(new QLabel),
      m_days(predictionNumber("predictionDays", 1, 3650, 90, tr("days "), tr("Days of the emulated history"))),
      m_seed(predictionNumber("predictionSeed", 0, 1'000'000'000, 1, tr("seed "), tr("Random seed of the emulated history"))),
      m_recordings(
          predictionTool("predictionRecordings", "open", tr("Recordings …"), tr("Recordings of several days, read in the order of their names"))),
      m_emulate(
          predictionTool("predictionEmulate", "pulse", tr("Emulate"), tr("Emulated history for the hosts of the design, with precision and recall"))),
      m_goodput(predictionTool("predictionGoodput", "gauge", tr("Goodput …"), tr("Goodput of the design with this precision and recall"))),
      m_locate(predictionTool("predictionLocate", "find", tr("Locate fault"),
                              tr("Check connection, configuration, packet loss and performance of the host"))),
      m_export(predictionTool("predictionExport", "export", tr("Export …"), tr("Write the ranking to a file. Nothing is sent to a scheduler.")))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space(1), 0, 0);
    layout->setSpacing(space(1));
    auto* top = new QHBoxLayout; // above the summary: what is clicked does not move when that grows
    top->setContentsMargins(space(3), 0, space(1), 0);
    for (QWidget* one : std::initializer_list<QWidget*>{m_recordings, m_days, m_seed, m_emulate, m_goodput, m_locate, m_export}) top->addWidget(one);
    top->addStretch(1);
    layout->addLayout(top);
    m_summary->setWordWrap(true);
    m_summary->setContentsMargins(space(3), 0, space(1), 0);
    layout->addWidget(m_summary);
    auto* both = new QSplitter(Qt::Horizontal);
    both->addWidget(m_list);
    both->addWidget(m_detail);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
    layout->addWidget(both, 1);
    m_list->setObjectName("predictions");
    m_list->setColumnWidths({20, 12, 12, -1, 18, 8});
    m_list->setSpareColumns({2, 4});
    m_list->sortByColumn(-1, Qt::AscendingOrder);
    m_detail->setFrameShape(QFrame::NoFrame);
    m_detail->setAccessibleName(tr("Selected host"));
    m_detail->setPlaceholderText(tr("Select a host to see its signs of failure."));
    followEntityLinks(*m_detail, bridge);
    connect(m_recordings, &QToolButton::clicked, this, [this] {
        const QStringList files = QFileDialog::getOpenFileNames(this, tr("Recordings of several days"), {},
                                                                tr("Recordings (*.jsonl *.jsonl.zst *.csv *.prom *.txt);;All files (*)"));
        if (!files.isEmpty()) read(files);
    });
    connect(m_emulate, &QToolButton::clicked, this, &PredictionPanel::emulate);
    connect(m_goodput, &QToolButton::clicked, this, [this] {
        if (m_prediction && m_prediction->quality) emit goodputRequested(m_prediction->quality->recall(), m_prediction->quality->precision());
    });
    connect(m_locate, &QToolButton::clicked, this, [this] {
        if (const prediction::Likely* host = current()) emit locateRequested({ref(host->host)});
    });
    connect(m_export, &QToolButton::clicked, this, [this] {
        const QString file = QFileDialog::getSaveFileName(this, tr("Export fault prediction"), "nodes-likely-to-fail.json", // no text: a file
                                                          tr("JSON (*.json);;CSV (*.csv)"));
        if (!file.isEmpty()) write(file);
    });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &PredictionPanel::showDetail);
    connect(&bridge, &DocumentBridge::documentChanged, this, &PredictionPanel::clear); // hosts may be others
    refresh();
}

QString PredictionPanel::summary() const { return m_summary->text(); }

void PredictionPanel::read(const QStringList& recordings)
{
    const FiguresPtr figures = m_bridge.figures();
    if (!figures) return;
    std::vector<std::string> files;
    for (const QString& file : recordings) files.push_back(file.toStdString());
    std::ranges::sort(files); // named by date as a rule; the command takes them as they come
    m_bridge.jobs().start<Result<telemetry::RecordedPrediction>>(
        kPredicting, tr("Reading recordings"),
        [figures, files](const Progress& progress) { return telemetry::predictionOf(figures, files, progress); },
        [this, n = std::int64_t(files.size())](Result<telemetry::RecordedPrediction> made) {
            if (!made) return m_bridge.report(made.error());
            for (const Text& note : made->notes) emit m_bridge.problem(text(note));
            const std::int64_t fromMs = made->prediction.fromMs, toMs = made->prediction.toMs;
            show(std::move(made->prediction),
                 fromMs == 0
                     ? text(i18np(n, "{:L} recording", "{:L} recordings"))
                     : tr("%1, %2 to %3").arg(text(i18np(n, "{:L} recording", "{:L} recordings")), momentText(fromMs, 0), momentText(toMs, 0)));
        });
}

void PredictionPanel::emulate()
{
    const FiguresPtr figures = m_bridge.figures();
    if (!figures) return;
    const int days = m_days->value(), seed = m_seed->value();
    m_bridge.jobs().start<Result<prediction::Prediction>>(
        kPredicting, tr("Emulating a history"),
        [figures, days, seed](const Progress& progress) { return sim::emulatedPrediction(*figures, days, std::uint64_t(seed), progress); },
        [this, days, seed](Result<prediction::Prediction> made) {
            if (!made) return m_bridge.report(made.error());
            show(std::move(*made), tr("emulated history, %1 days, seed %2").arg(days).arg(seed));
        });
}

void PredictionPanel::show(prediction::Prediction prediction, const QString& source)
{
    m_prediction = std::move(prediction);
    m_source = source;
    refresh();
}

void PredictionPanel::clear()
{
    if (!m_prediction) return;
    m_prediction.reset();
    refresh();
}

void PredictionPanel::write(const QString& file)
{
    if (!m_prediction) return;
    const bool csv = file.endsWith(".csv", Qt::CaseInsensitive);
    const auto done = writeFile(file.toStdString(), csv ? prediction::predictionCsv(*m_prediction, 0) : prediction::predictionJson(*m_prediction, 0));
    if (!done) return m_bridge.report(done.error());
    emit written(file);
}

const prediction::Likely* PredictionPanel::current() const
{
    const CellRow* row = m_list->currentRow();
    if (!row || !m_prediction) return nullptr;
    const auto found = std::ranges::find(m_prediction->hosts, row->key.toStdString(), &prediction::Likely::name);
    return found == m_prediction->hosts.end() ? nullptr : &*found;
}

void PredictionPanel::refresh()
{
    std::vector<CellRow> rows;
    QStringList summary;
    if (m_prediction) {
        for (const auto& host : m_prediction->hosts) {
            CellRow row;
            row.entity = ref(host.host);
            row.key = text(host.name);
            row.bold = host.predicted;
            row.cells = {{.text = text(host.name), .place = true},
                         {percent(host.probability), host.probability, {}, host.predicted ? theme().error : QColor(), -1, true},
                         {ratio(host.ratio), host.ratio, {}, {}, -1, true},
                         {text(signsText(host, m_prediction->model))},
                         {host.sinceMs > 0 ? momentText(host.sinceMs, 0) : QStringLiteral("–"), qlonglong(host.sinceMs)},
                         {!host.failed   ? QStringLiteral("–")
                          : *host.failed ? tr("yes")
                                         : tr("no")}};
            rows.push_back(std::move(row));
        }
        summary << m_source;
        for (const Text& line : prediction::summaryOf(*m_prediction)) summary << text(line);
    } else
        summary << tr("Rank the GPU hosts by their probability of failure: read recordings of several days, or emulate a history.");
    m_summary->setText(summary.join("; "));
    m_list->cells()->setRows(std::move(rows));
    m_goodput->setEnabled(m_prediction && m_prediction->quality);
    m_export->setEnabled(m_prediction.has_value());
    if (!m_list->currentRow() && m_list->cells()->rowCount() > 0) m_list->showRow(0);
    showDetail();
}

void PredictionPanel::showDetail()
{
    const prediction::Likely* host = current();
    m_locate->setEnabled(host);
    QString html;
    if (host) {
        const prediction::HazardModel& model = m_prediction->model;
        html = QString("<p><b>%1</b><br>%2</p><table>")
                   .arg(entityLink(ref(host->host), text(host->name)),
                        tr("%1 probability of failure within %2 days").arg(percent(host->probability)).arg(model.horizonDays));
        for (std::size_t i = 0; i < prediction::kSigns; ++i)
            if (host->counts[i] > 0)
                html += QString("<tr><td style='padding-right:14px'>%1</td><td align='right'>%2</td></tr>")
                            .arg(text(prediction::titleOf(prediction::Sign(i))).toHtmlEscaped(), QString::number(host->counts[i], 'g', 3));
        html += "</table><p>" + tr("Counts above the usual rate of the host; weights are assumed.") + "</p>";
    }
    m_detail->setHtml(html);
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/explore/explore_panel.h"

#include "core/foundation/base/file_kind.h"
#include "core/foundation/files/atomic_file.h"
#include "views/charts/scatter_chart.h"
#include "views/explore/explore_figures.h"
#include "views/explore/explore_form.h"
#include "views/panels/list_view.h"
#include "views/simulation/slurm_dialog.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"
#include "views/style/work_bar.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>

#include <algorithm>
#include <array>
#include <set>

namespace hw::views {

namespace {

constexpr const char* kExploring = "explore";

/// Okabe and Ito's colors, which color-blind readers can tell apart.
QColor templateColor(std::size_t i)
{
    static const std::array<QColor, 7> kColors{"#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#0072b2", "#b5a400"};
    return kColors[i % kColors.size()];
}

std::string nameOf(const sim::Json& point) { return point["template"].get<std::string>(); }

QString currencyOf(const sim::Json& point)
{
    const auto found = point.find("currency");
    return found != point.end() && found->is_string() ? text(found->get<std::string>()) : QString();
}

QString tipOf(const sim::Json& point)
{
    QString tip = text(nameOf(point)) + "\n" + exploreParameters(point);
    for (const ExploreFigure& figure : exploreFigures())
        if (const auto value = exploreValue(point, figure.key)) tip += "\n" + figure.title + ": " + figure.text(*value, currencyOf(point));
    return tip;
}

Result<void> writeResult(const sim::Json& document, const std::string& file, const Progress& progress)
{
    if (std::filesystem::path(file).extension() == ".json") return writeFile(file, document.dump(1) + "\n");
    return sim::writeExploreTable(document, file, progress);
}

Result<sim::Json> explored(const sim::ExploreRequest& request, const std::optional<sim::SlurmPoints>& slurm, const Progress& progress)
{
    sim::ExploreOptions options;
    std::optional<sim::SlurmPoints> points = slurm;
    if (points) {
        points->command = {"explore", (points->folder / "request.json").string()};
        points->prepare = [&](const std::filesystem::path& folder) { return writeFile(folder / "request.json", request.given.dump(1) + "\n"); };
        options.elsewhere = [&](const std::string& identity, std::vector<sim::Json>& found) {
            return sim::fillOnSlurm(*points, identity, found, progress);
        };
    }
    auto document = sim::exploreDesigns(request, options, progress);
    std::error_code error;
    if (document && points) std::filesystem::remove_all(points->folder, error);
    return document;
}

} // namespace

ExplorePanel::ExplorePanel(DocumentBridge& bridge, const std::vector<Template>& templates, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_form(new ExploreForm(templates)), m_chart(new ScatterChart), m_xBox(new QComboBox), m_yBox(new QComboBox),
      m_problem(new QLabel), m_summary(new QLabel), m_step(new QLabel), m_run(new QPushButton), m_slurm(new QPushButton(tr("S&lurm …"))),
      m_open(new QPushButton(tr("&Open design"))), m_export(new QPushButton(tr("&Export …"))), m_work(new WorkBar)
{
    QStringList headers{tr("Template"), tr("Parameters"), tr("Pareto front")};
    for (const ExploreFigure& figure : exploreFigures()) headers << figure.title;
    m_table = new ListView(bridge, headers, tr("Designs"));
    m_table->setObjectName("exploreTable");
    std::vector<int> widths{14, -1, 10};
    widths.resize(std::size_t(headers.size()), 13);
    m_table->setColumnWidths(widths);
    std::vector<int> spare;
    for (int c = int(headers.size()) - 1; c > 6; --c) spare.push_back(c);
    m_table->setSpareColumns(spare);
    m_chart->setObjectName("exploreChart");
    m_chart->setAccessibleName(tr("Chart of designs by two figures"));
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_form, 1);
    m_problem->setWordWrap(true);
    m_problem->setObjectName("exploreProblem");
    column->addWidget(m_problem);
    column->addWidget(m_work);
    m_step->setProperty("role", "faint");
    column->addWidget(m_step);
    auto* buttons = new QHBoxLayout;
    auto* load = new QPushButton(tr("Open &request …"));
    auto* save = new QPushButton(tr("Sa&ve request …"));
    m_run->setObjectName("exploreRun");
    m_slurm->setObjectName("exploreSlurm");
    m_run->setDefault(true);
    for (QPushButton* button : {load, save, m_slurm, m_run}) buttons->addWidget(button);
    column->addLayout(buttons);
    left->setFixedWidth(fontMetrics().averageCharWidth() * 66);
    auto* right = new QWidget;
    auto* page = new QVBoxLayout(right);
    page->setContentsMargins(0, 0, 0, 0);
    m_summary->setWordWrap(true);
    m_summary->setObjectName("exploreSummary");
    page->addWidget(m_summary);
    auto* axes = new QHBoxLayout;
    for (const auto& [box, name, title] : {std::tuple(m_xBox, "exploreX", tr("&X axis")), std::tuple(m_yBox, "exploreY", tr("&Y axis"))}) {
        auto* label = new QLabel(title);
        label->setBuddy(box);
        box->setObjectName(name);
        for (const ExploreFigure& figure : exploreFigures()) box->addItem(figure.title, QString(figure.key));
        axes->addWidget(label);
        axes->addWidget(box, 1);
        connect(box, &QComboBox::currentIndexChanged, this, &ExplorePanel::plot);
    }
    page->addLayout(axes);
    auto* both = new QSplitter(Qt::Vertical);
    both->addWidget(m_chart);
    both->addWidget(m_table);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
    page->addWidget(both, 1);
    auto* bottom = new QHBoxLayout;
    bottom->addStretch(1);
    m_open->setObjectName("exploreOpen");
    m_export->setObjectName("exploreExport");
    bottom->addWidget(m_export);
    bottom->addWidget(m_open);
    page->addLayout(bottom);
    auto* row = new QHBoxLayout(this);
    row->setSpacing(space(4));
    row->addWidget(left);
    row->addWidget(right, 1);
    connect(load, &QPushButton::clicked, this, &ExplorePanel::openRequest);
    connect(save, &QPushButton::clicked, this, &ExplorePanel::saveRequest);
    connect(m_run, &QPushButton::clicked, this, [this] { busy() ? m_bridge.jobs().cancelSlot(kExploring) : run({}); });
    connect(m_slurm, &QPushButton::clicked, this, &ExplorePanel::askForSlurm);
    connect(m_export, &QPushButton::clicked, this, &ExplorePanel::exportResult);
    connect(m_open, &QPushButton::clicked, this, [this] {
        if (const CellRow* current = m_table->currentRow()) open(current->key.toInt());
    });
    connect(m_table, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
        if (const CellRow* activated = m_table->rowOf(index)) open(activated->key.toInt());
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
        const CellRow* current = m_table->currentRow();
        choose(current ? std::optional(current->key.toInt()) : std::nullopt);
    });
    connect(m_chart, &ScatterChart::chosen, this, [this](int point) { choose(point); });
    connect(m_chart, &ScatterChart::opened, this, &ExplorePanel::open);
    connect(m_form, &ExploreForm::changed, this, &ExplorePanel::check);
    connect(&bridge.jobs(), &Jobs::changed, this, &ExplorePanel::onJobs);
    choose({});
    onJobs();
    present({});
}

ExplorePanel::~ExplorePanel() { m_bridge.jobs().cancelSlot(kExploring); }

bool ExplorePanel::busy() const { return m_bridge.jobs().busy(kExploring); }

void ExplorePanel::check()
{
    const auto request = m_form->request();
    m_problem->setText(request ? text(i18np(std::int64_t(request->candidates.size()), "{:L} design", "{:L} designs"))
                               : QString("<span style='color:%1'>%2</span>").arg(theme().error.name(), text(request.error().text()).toHtmlEscaped()));
    m_run->setEnabled(request.has_value() || busy());
    m_slurm->setEnabled(request.has_value() && !busy());
}

void ExplorePanel::onJobs()
{
    const auto& jobs = m_bridge.jobs().running();
    const auto job = std::ranges::find(jobs, QString(kExploring), &Jobs::Job::slot);
    const bool runs = job != jobs.end();
    m_run->setText(runs ? tr("Cancel") : tr("&Run"));
    m_run->setIcon(icon(runs ? "stop" : "play", theme().accentText));
    m_work->setVisible(runs);
    m_step->setVisible(runs);
    if (runs) {
        m_work->setFraction(job->fraction);
        m_step->setText(job->step);
    }
    check();
}

void ExplorePanel::run(std::optional<sim::SlurmPoints> slurm)
{
    auto request = m_form->request();
    if (!request) return check();
    m_bridge.jobs().start<Result<sim::Json>>(
        kExploring, slurm ? tr("Exploring on Slurm: %1").arg(text(request->name)) : tr("Exploring: %1").arg(text(request->name)),
        [request = std::move(*request), slurm = std::move(slurm)](const Progress& progress) { return explored(request, slurm, progress); },
        [this](Result<sim::Json> document) {
            if (document)
                present(std::move(*document));
            else if (document.error().code != ErrorCode::Canceled)
                m_bridge.report(document.error());
        });
}

void ExplorePanel::askForSlurm()
{
    const auto request = m_form->request();
    if (!request) return check();
    auto* dialog = new SlurmDialog(text(request->name), request->candidates.size(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { run(dialog->points()); });
    dialog->open();
}

void ExplorePanel::openRequest()
{
    const QString file = QFileDialog::getOpenFileName(this, tr("Open exploration request"), {}, tr("Requests (*.json)"));
    if (file.isEmpty()) return;
    const auto content = readTextFile(file.toStdString());
    if (!content) return m_bridge.report(content.error());
    const auto request = sim::parseExploreRequest(*content, file.toStdString());
    if (!request) return m_bridge.report(request.error());
    m_form->setRequest(*request);
    check();
}

void ExplorePanel::saveRequest()
{
    const auto request = m_form->request();
    if (!request) return check();
    const QString file = QFileDialog::getSaveFileName(this, tr("Save exploration request"), "request.json", tr("Requests (*.json)"));
    if (file.isEmpty()) return;
    if (const auto written = writeFile(file.toStdString(), request->given.dump(1) + "\n"); !written) m_bridge.report(written.error());
}

void ExplorePanel::exportResult()
{
    const QString file = QFileDialog::getSaveFileName(this, tr("Export designs"), "designs.xlsx", tr("Excel (*.xlsx);;CSV (*.csv);;JSON (*.json)"));
    if (file.isEmpty()) return;
    m_bridge.jobs().start<Result<void>>(
        "export", tr("Exporting designs"),
        [document = m_document, file = file.toStdString()](const Progress& progress) { return writeResult(document, file, progress); },
        [this](Result<void> written) {
            if (!written && written.error().code != ErrorCode::Canceled) m_bridge.report(written.error());
        });
}

void ExplorePanel::present(sim::Json document)
{
    m_document = std::move(document);
    m_export->setEnabled(!m_document.is_null());
    if (m_document.is_null()) {
        m_summary->setText(
            tr("Every design is generated, checked, priced and simulated. The Pareto front contains the designs that no other design dominates."));
        m_table->cells()->setRows({});
        return plot();
    }
    const auto& points = m_document["points"];
    const auto outside = std::ranges::count_if(points, [](const sim::Json& p) { return !p["outside"].empty(); });
    QString summary = tr("%1: %2 designs, %3 on the Pareto front, %4 outside the limits, %5 failed")
                          .arg(text(m_document["name"].get<std::string>()), count(m_document["designs"].get<std::int64_t>()),
                               count(std::int64_t(m_document["front"].size())), count(outside), count(std::int64_t(m_document["failed"].size())));
    if (!m_document["failed"].empty()) {
        const sim::Json& first = m_document["failed"][0];
        summary += tr("; first failure: %1 %2: %3").arg(text(nameOf(first)), exploreParameters(first), text(first["error"].get<std::string>()));
    }
    m_summary->setText(summary);
    const QSignalBlocker xQuiet(m_xBox), yQuiet(m_yBox);
    const auto& objectives = m_document["objectives"];
    const auto axis = [&](QComboBox* box, std::size_t objective, const char* usual) {
        const int at = objective < objectives.size() ? box->findData(text(objectives[objective]["figure"].get<std::string>())) : -1;
        box->setCurrentIndex(at >= 0 ? at : box->findData(QString(usual)));
    };
    axis(m_xBox, 0, "cost_hour");
    axis(m_yBox, 1, "accelerators");
    fillTable();
    plot();
}

void ExplorePanel::fillTable()
{
    const auto& points = m_document["points"];
    std::set<std::size_t> front;
    for (const sim::Json& place : m_document["front"]) front.insert(place.get<std::size_t>());
    std::vector<CellRow> rows;
    for (std::size_t p = 0; p < points.size(); ++p) {
        const sim::Json& point = points[p];
        const bool best = front.contains(p), outside = !point["outside"].empty();
        CellRow row;
        row.key = QString::number(p);
        row.bold = best;
        row.dim = outside;
        row.toolTip = tipOf(point);
        row.cells = {{text(nameOf(point))},
                     {exploreParameters(point)},
                     {best      ? tr("yes")
                      : outside ? tr("outside limits")
                                : QStringLiteral("–"),
                      best      ? 0
                      : outside ? 2
                                : 1}};
        for (const ExploreFigure& figure : exploreFigures()) {
            const auto value = exploreValue(point, figure.key);
            row.cells.push_back(
                {value ? figure.text(*value, currencyOf(point)) : QStringLiteral("–"), value ? QVariant(*value) : QVariant(), {}, {}, -1, true});
        }
        rows.push_back(std::move(row));
    }
    std::ranges::stable_sort(rows, {}, [](const CellRow& row) { return row.cells[2].sortKey.toInt(); });
    m_table->cells()->setRows(std::move(rows));
    m_table->sortByColumn(-1, Qt::AscendingOrder);
    if (!points.empty()) m_table->showRow(0);
}

void ExplorePanel::plot()
{
    const std::string xKey = m_xBox->currentData().toString().toStdString(), yKey = m_yBox->currentData().toString().toStdString();
    std::vector<ScatterMark> marks;
    std::vector<std::string> templates;
    QPolygonF line;
    QString currency;
    if (!m_document.is_null()) {
        const auto& points = m_document["points"];
        std::set<std::size_t> front;
        for (const sim::Json& place : m_document["front"]) front.insert(place.get<std::size_t>());
        for (std::size_t p = 0; p < points.size(); ++p) {
            const sim::Json& point = points[p];
            const std::string name = nameOf(point);
            if (std::ranges::find(templates, name) == templates.end()) templates.push_back(name);
            const auto x = exploreValue(point, xKey.c_str()), y = exploreValue(point, yKey.c_str());
            if (!x || !y) continue;
            currency = currencyOf(point);
            ScatterMark mark;
            mark.id = int(p), mark.x = *x, mark.y = *y, mark.tip = tipOf(point);
            mark.color = templateColor(std::size_t(std::ranges::find(templates, name) - templates.begin()));
            mark.strong = front.contains(p), mark.faint = !point["outside"].empty();
            if (mark.strong) line << QPointF(*x, *y);
            marks.push_back(std::move(mark));
        }
    }
    std::ranges::sort(line, {}, [](const QPointF& at) { return std::pair(at.x(), at.y()); });
    const auto axisOf = [&](const std::string& key) {
        const auto figure = std::ranges::find_if(exploreFigures(), [&](const ExploreFigure& f) { return f.key == key; });
        ScatterAxis axis;
        if (figure != exploreFigures().end()) axis = {figure->title, false, [say = figure->text, currency](double v) { return say(v, currency); }};
        return axis;
    };
    std::vector<std::pair<QColor, QString>> legend;
    for (std::size_t i = 0; i < templates.size(); ++i) legend.emplace_back(templateColor(i), text(templates[i]));
    m_chart->setChart(axisOf(xKey), axisOf(yKey), std::move(marks), std::move(legend), line);
}

/// The same one in chart and table.
void ExplorePanel::choose(std::optional<int> point)
{
    m_open->setEnabled(point.has_value());
    m_chart->setCurrent(point);
    const CellRow* current = m_table->currentRow();
    if (!point || (current && current->key == QString::number(*point))) return;
    for (int row = 0; row < m_table->model()->rowCount(); ++row)
        if (const CellRow* one = m_table->rowOf(m_table->model()->index(row, 0)); one && one->key == QString::number(*point))
            return m_table->showRow(row);
}

void ExplorePanel::open(int point)
{
    if (m_document.is_null() || point < 0 || std::size_t(point) >= m_document["points"].size()) return;
    const sim::Json& chosen = m_document["points"][std::size_t(point)];
    std::map<std::string, std::string> parameters;
    for (const auto& [name, value] : chosen["parameters"].items()) parameters[name] = value.is_string() ? value.get<std::string>() : value.dump();
    emit openRequested(text(nameOf(chosen)), parameters);
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/air/air_panel.h"

#include "core/derived/cooling/chain.h"
#include "core/foundation/base/json_document.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/files/atomic_file.h"
#include "simulation/batch/slurm_foam.h"
#include "views/air/air_look_form.h"
#include "views/air/air_rows.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"
#include "views/style/work_bar.h"
#include "views/values/overlay_source.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace hw::views {

namespace air = sim::air;

namespace {

const QString kAirJob = QStringLiteral("air"), kAirPlaces = QStringLiteral("air.places"), kAirCheck = QStringLiteral("air.check"),
              kFoamJob = QStringLiteral("air.openfoam"); // slots of jobs
constexpr int kCheckMs = 250;                            ///< after the last edit

} // namespace

AirPanel::AirPanel(DocumentBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_hall(new QComboBox), m_cells(new QSpinBox), m_leakage(new QDoubleSpinBox), m_fans(new QDoubleSpinBox),
      m_failed(new QListWidget), m_run(new QPushButton), m_export(new QPushButton(tr("&Export …"))), m_clear(new QPushButton(tr("&Clear"))),
      m_foamRun(new QPushButton), m_step(new QLabel), m_summary(new QLabel), m_work(new WorkBar), m_pages(new QTabBar), m_lists(new QStackedWidget),
      m_racks(new ListView(bridge, airRackHeaders(), tr("Racks and their inlet air"))),
      m_units(new ListView(bridge, airUnitHeaders(), tr("Air units"))),
      m_findings(new ListView(bridge, {tr("Finding")}, tr("Findings of the air simulation"))),
      m_metrics(new ListView(bridge, {tr("Metric"), tr("Value"), tr("Before"), tr("Source")}, tr("Metrics of the air"))), m_look(new AirLookForm),
      m_sides(new QTabWidget), m_lookBox(new QWidget), m_right(new QWidget),
      m_following(bridge, *this, FollowingView::Pace::Rested, [this] { readPlaces(); })
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(space(3), space(1), space(3), space(1));
    row->setSpacing(space(3));
    m_sides->setDocumentMode(true);
    m_sides->setTabBarAutoHide(true);
    m_sides->addTab(makeForm(), tr("Simulation"));
    m_sides->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    row->addWidget(m_sides);
    row->addWidget(makeResult(), 1);
    m_look->setFixedWidth(fontMetrics().averageCharWidth() * 38);
    auto* shown = new QVBoxLayout(m_lookBox);
    shown->setContentsMargins(0, 0, 0, 0);
    shown->addWidget(m_look);
    shown->addStretch(1);
    auto* right = new QVBoxLayout(m_right);
    right->setContentsMargins(0, 0, 0, 0);
    right->addWidget(m_lookBox);
    row->addWidget(m_right);

    m_check.setSingleShot(true);
    m_check.setInterval(kCheckMs);
    connect(&m_check, &QTimer::timeout, this, &AirPanel::checkCurrent);
    connect(&bridge, &DocumentBridge::placesReplaced, this, &AirPanel::clear);
    connect(&bridge, &DocumentBridge::figuresChanged, this, &AirPanel::onFigures);
    connect(&bridge.jobs(), &Jobs::changed, this, &AirPanel::onJobs);
    connect(&OverlaySource::of(bridge), &OverlaySource::changed, this, [this] {
        if (OverlaySource::of(m_bridge).name() != air::kAirOverlay && m_study.air) m_look->setRacks({}); // somebody chose other colors
    });
    connect(m_run, &QPushButton::clicked, this, [this] { m_bridge.jobs().busy(kAirJob) ? m_bridge.jobs().cancelSlot(kAirJob) : run(); });
    connect(m_clear, &QPushButton::clicked, this, &AirPanel::clear);
    connect(m_export, &QPushButton::clicked, this, &AirPanel::exportResult);
    connect(m_foamRun, &QPushButton::clicked, this, [this] { m_bridge.jobs().busy(kFoamJob) ? m_bridge.jobs().cancelSlot(kFoamJob) : askForFoam(); });
    connect(m_hall, &QComboBox::currentIndexChanged, this, &AirPanel::showUnits);
    connect(m_look, &AirLookForm::changed, this, &AirPanel::showAir);
    connect(m_pages, &QTabBar::currentChanged, m_lists, &QStackedWidget::setCurrentIndex);
    fill();
    onJobs();
}

QWidget* AirPanel::makeForm()
{
    m_hall->setObjectName("airHall"), m_cells->setObjectName("airCells"), m_leakage->setObjectName("airLeakage");
    m_failed->setObjectName("airFailed"), m_run->setObjectName("airRun"), m_clear->setObjectName("airClear"), m_export->setObjectName("airExport");
    m_hall->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_hall->setMinimumContentsLength(12);
    m_cells->setRange(2'000, 4'000'000);
    m_cells->setSingleStep(20'000);
    m_cells->setGroupSeparatorShown(true);
    m_cells->setValue(int(air::HallOptions().cells));
    m_cells->setToolTip(tr("Approximate number of grid cells; a coarser grid is solved and shown first"));
    m_leakage->setRange(0.01, 50);
    m_leakage->setSingleStep(0.5);
    m_leakage->setSuffix(tr(" %"));
    m_leakage->setValue(air::HallOptions().leakagePercent);
    m_leakage->setToolTip(tr("Open share of containment and of gaps between racks"));
    m_fans->setObjectName("airFans");
    m_fans->setRange(0, 2000);
    m_fans->setDecimals(0);
    m_fans->setSingleStep(10);
    m_fans->setSuffix(tr(" Pa"));
    m_fans->setSpecialValueText(tr("fixed flow"));
    m_fans->setToolTip(tr("Shutoff pressure of rack fans; 0: fixed flow at any pressure"));
    m_failed->setAccessibleName(tr("Failed air units"));
    m_failed->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    m_failed->setMinimumHeight(fontMetrics().height() * 3);
    m_failed->setToolTip(tr("Air units that stand still; the result is shown beside the one with all units"));
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(space(1));
    form->addRow(tr("&Hall"), m_hall);
    form->addRow(tr("Cell&s"), m_cells);
    form->addRow(tr("&Leakage"), m_leakage);
    form->addRow(tr("Rack fa&ns"), m_fans);
    auto* failed = new QLabel(tr("&Failed air units"));
    failed->setBuddy(m_failed);
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space(1));
    column->addLayout(form);
    column->addWidget(failed);
    column->addWidget(m_failed, 1);
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {m_run, m_clear}) buttons->addWidget(button);
    column->addLayout(buttons);
    auto* more = new QHBoxLayout;
    m_foamRun->setObjectName("airFoam");
    m_foamRun->setToolTip(tr("Solve the same hall with OpenFOAM, locally over MPI or as a Slurm job, and show the difference for each rack"));
    for (QPushButton* button : {m_export, m_foamRun}) more->addWidget(button);
    column->addLayout(more);
    box->setFixedWidth(fontMetrics().averageCharWidth() * 32);
    return box;
}

QWidget* AirPanel::makeResult()
{
    m_summary->setObjectName("airSummary"), m_pages->setObjectName("airPages");
    m_summary->setWordWrap(true);
    m_summary->setTextFormat(Qt::RichText);
    m_racks->setColumnWidths({-1, 10, 10, 10, 9, 11, 9, 10, 9, 10, 10});
    m_racks->setSpareColumns({8, 7, 6, 3});
    m_units->setColumnWidths({-1, 11, 10, 10, 10, 11, 11});
    m_findings->setColumnWidths({-1});
    m_metrics->setColumnWidths({24, 11, 11, -1});
    for (ListView* list : {m_racks, m_units, m_findings, m_metrics}) m_lists->addWidget(list);
    for (const QString& page : {tr("Racks"), tr("Air units"), tr("Findings"), tr("Metrics")}) m_pages->addTab(page);
    m_lists->setMinimumHeight(fontMetrics().height() * 4); // in a low panel the lists give way, not the buttons
    m_pages->setExpanding(false);
    m_pages->setDrawBase(false);
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space(1));
    auto* work = new QHBoxLayout;
    work->addWidget(m_work, 1);
    m_step->setProperty("role", "faint");
    work->addWidget(m_step);
    column->addLayout(work);
    column->addWidget(m_summary);
    column->addWidget(m_pages);
    column->addWidget(m_lists, 1);
    return box;
}

void AirPanel::readPlaces()
{
    const auto figures = m_bridge.figures();
    if (!figures) return;
    m_following.work<Places>(
        kAirPlaces,
        [figures](const Progress&) {
            const CoolingChain& chain = figures->get<CoolingChainNode>();
            Places out;
            for (const HallId hall : air::airHalls(*figures)) {
                Place place{hall, text(figures->snapshot->halls.name[hall]), {}};
                for (const DeviceId unit : chain.loops[std::size_t(chain.airOf[hall.value])].sources)
                    place.units.emplace_back(unit, text(entityName(*figures->snapshot, *figures->parts, ref(unit))));
                std::ranges::sort(place.units, {}, &std::pair<DeviceId, QString>::second);
                out.all.push_back(std::move(place));
            }
            return out;
        },
        [this](const Places& places) { showPlaces(places); });
}

void AirPanel::showPlaces(const Places& places)
{
    const int chosen = m_hall->currentData().toInt();
    {
        const QSignalBlocker quiet(m_hall);
        m_hall->clear();
        for (const Place& place : places.all) m_hall->addItem(place.name, int(place.hall.value));
        m_hall->setCurrentIndex(std::max(0, m_hall->findData(chosen)));
    }
    m_places = places;
    showUnits();
    onJobs();
    summarize();
}

void AirPanel::showUnits()
{
    std::vector<DeviceId> failed = options().failed;
    m_failed->clear();
    const auto place = std::ranges::find(m_places.all, HallId(std::uint32_t(m_hall->currentData().toInt())), &Place::hall);
    if (place == m_places.all.end()) return;
    for (const auto& [unit, name] : place->units) {
        auto* item = new QListWidgetItem(name, m_failed);
        item->setData(Qt::UserRole, int(unit.value));
        item->setCheckState(std::ranges::find(failed, unit) != failed.end() ? Qt::Checked : Qt::Unchecked);
    }
}

air::HallOptions AirPanel::options() const
{
    air::HallOptions options;
    options.cells = std::size_t(m_cells->value());
    options.leakagePercent = m_leakage->value();
    options.rackFanPa = m_fans->value();
    for (int i = 0; i < m_failed->count(); ++i)
        if (m_failed->item(i)->checkState() == Qt::Checked) options.failed.emplace_back(std::uint32_t(m_failed->item(i)->data(Qt::UserRole).toInt()));
    return options;
}

void AirPanel::simulateFailure(HallId hall, const std::vector<DeviceId>& failed)
{
    const int at = m_hall->findData(int(hall.value));
    if (at < 0) return;
    m_hall->setCurrentIndex(at);
    for (int i = 0; i < m_failed->count(); ++i) {
        const DeviceId unit(std::uint32_t(m_failed->item(i)->data(Qt::UserRole).toInt()));
        m_failed->item(i)->setCheckState(std::ranges::find(failed, unit) != failed.end() ? Qt::Checked : Qt::Unchecked);
    }
    run();
}

void AirPanel::run()
{
    const auto figures = m_bridge.figures();
    if (!figures || m_hall->currentIndex() < 0) return;
    const HallId hall{std::uint32_t(m_hall->currentData().toInt())};
    const air::HallOptions asked = options();
    const int number = ++m_runs;
    // The worker outlives the panel in tests: what it finds on the way goes by the bridge.
    const auto picture = [bridge = &m_bridge, panel = QPointer(this), number, figures](air::HallAir coarse) {
        QMetaObject::invokeMethod(
            bridge,
            [panel, number, figures, solved = std::make_shared<const air::HallAir>(std::move(coarse))] {
                if (panel && panel->m_runs == number && panel->m_bridge.jobs().busy(kAirJob)) panel->take({nullptr, solved}, true, figures);
            },
            Qt::QueuedConnection);
    };
    const auto whole = m_wholeCells == asked.cells ? m_whole : nullptr;
    m_bridge.jobs().start<Result<air::HallStudy>>(
        kAirJob, tr("Air of %1").arg(m_hall->currentText()),
        [figures, hall, asked, whole, picture](const Progress& progress) -> Result<air::HallStudy> {
            air::HallOptions all = asked;
            all.failed.clear();
            const auto plan = air::hallPlan(*figures, hall, all);
            if (!plan) return tl::unexpected(plan.error());
            const bool known = whole && air::sameHall(*plan, whole->hall);
            if (known && asked.failed.empty()) return air::HallStudy{nullptr, whole};
            // After an edit, the answer for the hall before is near the new one.
            const air::HallCourse course{whole && !known && whole->hall.hall == hall ? whole->room : nullptr, picture};
            return air::studyHall(*figures, hall, asked, progress, course, known ? whole : nullptr);
        },
        [this, figures, asked](Result<air::HallStudy> study) {
            if (!study) {
                if (study.error().code != ErrorCode::Canceled) m_bridge.report(study.error());
                return summarize();
            }
            m_asked = asked;
            m_whole = study->whole ? study->whole : study->air;
            m_wholeCells = asked.cells;
            take(std::move(*study), false, figures);
        });
}

void AirPanel::take(air::HallStudy study, bool coarse, const FiguresPtr& figures)
{
    m_study = std::move(study);
    m_foam = nullptr;
    m_bridge.jobs().cancelSlot(kFoamJob);
    m_coarse = coarse;
    m_of = figures;
    m_stale = m_bridge.figures() != figures;
    if (m_stale) m_check.start();
    m_look->setRoom(m_study.air->hall, bool(m_study.whole));
    fill();
    showAir();
}

void AirPanel::clear()
{
    m_bridge.jobs().cancelSlot(kAirJob);
    m_bridge.jobs().cancelSlot(kFoamJob);
    ++m_runs;
    m_study = {};
    m_foam = nullptr;
    m_whole = nullptr;
    m_of = nullptr;
    m_coarse = m_stale = false;
    OverlaySource& overlay = OverlaySource::of(m_bridge);
    if (overlay.name() == air::kAirOverlay) overlay.hide();
    fill();
    emit airChanged({});
}

void AirPanel::onFigures()
{
    if (!m_study.air) return;
    setStale(m_bridge.figures() != m_of);
    if (m_stale) m_check.start();
}

/// An edit that changes nothing for the air, or that was undone, leaves the result valid.
void AirPanel::checkCurrent()
{
    const auto figures = m_bridge.figures();
    if (!m_study.air || !m_stale || !figures) return;
    m_bridge.jobs().start<bool>(
        kAirCheck, {},
        [figures, study = m_study, asked = m_asked, coarse = m_coarse](const Progress&) {
            if (coarse) return false;
            const auto plan = air::hallPlan(*figures, study.air->hall.hall, asked);
            return plan && air::sameHall(*plan, study.air->hall);
        },
        [this, figures, study = m_study.air](bool same) {
            if (!same || m_study.air != study || m_bridge.figures() != figures) return;
            m_of = figures;
            setStale(false);
        });
}

void AirPanel::setStale(bool stale)
{
    if (std::exchange(m_stale, stale) == stale) return;
    fill();
    showAir();
}

void AirPanel::onJobs()
{
    const auto& jobs = m_bridge.jobs().running();
    auto job = std::ranges::find(jobs, kAirJob, &Jobs::Job::slot);
    const bool runs = job != jobs.end();
    const auto foam = std::ranges::find(jobs, kFoamJob, &Jobs::Job::slot);
    const bool foams = foam != jobs.end();
    m_run->setText(runs ? tr("Cancel") : tr("S&imulate"));
    m_run->setIcon(icon(runs ? "stop" : "play"));
    m_run->setEnabled(runs || m_hall->count() > 0);
    m_foamRun->setText(foams ? tr("Cancel OpenFOAM") : tr("&OpenFOAM …"));
    m_foamRun->setEnabled(foams || (finished() && !runs));
    if (!runs) job = foam; // its residuals are the step
    m_work->setVisible(runs || foams);
    m_step->setVisible(runs || foams);
    if (!runs && !foams) return;
    m_work->setFraction(job->fraction);
    m_step->setText(job->step);
}

void AirPanel::summarize()
{
    if (!m_study.air) {
        m_summary->setText(m_hall->count() > 0 || !m_bridge.figures()
                               ? tr("Temperature, flow and recirculation of the air in a hall. A first picture appears after seconds.")
                               : tr("No hall of this design has fan walls or CRAHs."));
        return;
    }
    const air::HallAir& a = *m_study.air;
    const auto colored = [](const QColor& color, const QString& words) {
        return QString("<span style='color:%1'>%2</span>").arg(color.name(), words);
    };
    QStringList parts{QString("<b>%1</b>").arg(text(a.hall.name).toHtmlEscaped())};
    if (m_stale) parts << colored(theme().warning, tr("outdated: the design was edited"));
    if (m_coarse)
        parts << colored(theme().warning, m_bridge.jobs().busy(kAirJob) ? tr("coarse grid; refining") : tr("coarse grid"));
    else
        parts << (a.certificate.settled ? tr("settled")
                                        : colored(theme().warning, tr("not settled; inlets swing by %1 K").arg(a.certificate.swingK, 0, 'f', 2)));
    parts << tr("%1 cells, %2 steps, %3").arg(count(std::int64_t(a.cells)), count(a.certificate.steps), duration(a.seconds));
    if (m_study.whole && !m_asked.failed.empty())
        parts << text(i18np(std::int64_t(m_asked.failed.size()), "{:L} failed air unit", "{:L} failed air units"));
    if (m_foam) {
        double squares = 0;
        for (std::size_t r = 0; r < m_foam->racks.size(); ++r) squares += std::pow(m_foam->racks[r].inletMeanC - a.racks[r].inletMeanC, 2);
        const double rms = m_foam->racks.empty() ? 0 : std::sqrt(squares / double(m_foam->racks.size()));
        const QString state = m_foam->converged ? tr("converged") : colored(theme().warning, tr("not converged"));
        parts << tr("OpenFOAM %1: %2, %3 iterations, %4 K RMS difference of mean inlets")
                     .arg(QString::fromStdString(m_foam->version), state, count(m_foam->iterations))
                     .arg(rms, 0, 'f', 2);
    }
    m_summary->setText(parts.join(QStringLiteral(" · ")));
}

void AirPanel::fill()
{
    summarize();
    m_export->setEnabled(bool(m_study.air));
    m_clear->setEnabled(bool(m_study.air));
    m_racks->setColumnHidden(4, !m_study.whole);
    for (const int column : {9, 10}) m_racks->setColumnHidden(column, !m_foam);
    onJobs();
    m_units->setColumnHidden(6, !m_study.whole);
    if (!m_study.air || !m_bridge.figures()) {
        for (ListView* list : {m_racks, m_units, m_findings, m_metrics}) list->cells()->setRows({});
        m_pages->setTabText(2, tr("Findings"));
        return;
    }
    const Figures& figures = *m_bridge.figures();
    m_racks->cells()->setRows(airRackRows(figures, *m_study.air, m_study.whole.get(), m_foam.get()));
    m_units->cells()->setRows(airUnitRows(figures, *m_study.air, m_study.whole.get()));
    m_metrics->setColumnHidden(2, !m_study.whole);
    m_metrics->cells()->setRows(airMetricRows(*m_study.air, m_study.whole.get()));
    auto found = airFindingRows(figures, *m_study.air);
    m_pages->setTabText(2, found.empty() ? tr("Findings") : tr("Findings (%1)").arg(count(std::int64_t(found.size()))));
    m_findings->cells()->setRows(std::move(found));
}

/// Racks in all views, the rest in the 3D view.
void AirPanel::showAir()
{
    if (!m_study.air || !m_bridge.figures()) return;
    const bool before = m_study.whole && m_look->state() == AirLookForm::State::Before;
    const auto& shown = before ? m_study.whole : m_study.air;
    OverlaySource& overlay = OverlaySource::of(m_bridge);
    auto quantity = m_look->racks();
    if (quantity && m_study.whole && m_look->state() == AirLookForm::State::Change) quantity = air::RackQuantity::Change;
    if (quantity) {
        OverlayValues values{std::string(air::kAirOverlay), air::rackFields(*m_bridge.figures()->snapshot, *shown, *quantity, m_study.whole.get())};
        values.lasting = true;
        for (ValueField& field : values.fields) field.stale = m_stale;
        if (overlay.name() != air::kAirOverlay || overlay.values()->fields != values.fields)
            overlay.show(std::make_shared<const OverlayValues>(std::move(values)));
    } else if (overlay.name() == air::kAirOverlay) {
        overlay.hide();
    }
    emit airChanged({shown, m_study.whole, m_look->look(), m_stale});
}

/// Where the panel is narrow, what is shown is a second page beside the form, so that nothing scrolls sideways.
void AirPanel::arrange()
{
    constexpr int kWide = 150; // characters
    const bool narrow = width() < fontMetrics().averageCharWidth() * kWide;
    if (narrow == (m_sides->count() > 1)) return;
    if (narrow) {
        m_sides->addTab(m_lookBox, tr("View"));
    } else {
        m_sides->removeTab(1);
        m_right->layout()->addWidget(m_lookBox);
        m_lookBox->show();
    }
    m_right->setVisible(!narrow);
}

void AirPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

/// That of the narrow form.
QSize AirPanel::minimumSizeHint() const
{
    const int lists = fontMetrics().averageCharWidth() * 40;
    return {m_look->minimumSizeHint().width() + lists, QWidget::minimumSizeHint().height()};
}

void AirPanel::askForFoam()
{
    QDialog dialog(this);
    dialog.setObjectName("airFoamDialog");
    dialog.setWindowTitle(tr("Solve with OpenFOAM"));
    auto* processes = new QSpinBox;
    processes->setObjectName("foamProcesses");
    processes->setRange(1, 4096);
    processes->setToolTip(tr("MPI processes"));
    auto* iterations = new QSpinBox;
    iterations->setObjectName("foamIterations");
    iterations->setRange(1, 1'000'000);
    iterations->setGroupSeparatorShown(true);
    iterations->setValue(air::FoamOptions().iterations);
    auto* folder = new QLineEdit;
    folder->setObjectName("foamFolder");
    folder->setPlaceholderText(tr("temporary; with Slurm on a shared file system"));
    auto* slurm = new QCheckBox(tr("As a Slurm job in partition"));
    slurm->setObjectName("foamSlurm");
    auto* partition = new QLineEdit;
    partition->setObjectName("foamPartition");
    partition->setPlaceholderText(tr("default partition"));
    partition->setEnabled(false);
    connect(slurm, &QCheckBox::toggled, partition, &QWidget::setEnabled);
    auto* form = new QFormLayout(&dialog);
    form->addRow(tr("MPI &processes"), processes);
    form->addRow(tr("&Iterations at most"), iterations);
    form->addRow(tr("Case &folder"), folder);
    form->addRow(slurm, partition);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Solve"));
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    if (dialog.exec() != QDialog::Accepted) return;
    FoamRequest request;
    request.options.processes = processes->value();
    request.options.iterations = iterations->value();
    request.folder = folder->text().trimmed();
    request.slurm = slurm->isChecked();
    request.partition = partition->text().trimmed();
    runFoam(request);
}

void AirPanel::runFoam(const FoamRequest& request)
{
    if (!finished()) return;
    m_bridge.jobs().start<Result<air::FoamAnswer>>(
        kFoamJob, tr("OpenFOAM: air of %1").arg(text(m_study.air->hall.name)),
        [solved = m_study.air, request](const Progress& progress) -> Result<air::FoamAnswer> {
            if (request.slurm && request.folder.isEmpty())
                return fail(ErrorCode::Usage, "OpenFOAM", i18n("needs a folder that all nodes share"), i18n("specify a case folder"));
            if (!request.slurm)
                if (const auto there = air::findFoam(); !there) return tl::unexpected(there.error());
            const auto host = request.slurm ? sim::slurmFoam(request.options.processes, {request.partition.toStdString(), {}, {}}) : air::localFoam();
            QTemporaryDir temporary;
            const std::filesystem::path folder = (request.folder.isEmpty() ? temporary.path() : request.folder).toStdString();
            std::error_code error;
            if (!request.folder.isEmpty() && std::filesystem::exists(folder, error) && !std::filesystem::is_empty(folder, error))
                return fail(ErrorCode::Refused, folder.string(), i18n("is not an empty folder"), i18n("specify a new one"));
            return air::runFoam(*solved, folder, request.options, *host, progress);
        },
        [this, solved = m_study.air](Result<air::FoamAnswer> answer) {
            if (!answer) {
                if (answer.error().code != ErrorCode::Canceled) m_bridge.report(answer.error());
                return;
            }
            if (m_study.air != solved) return;
            m_foam = std::make_shared<const air::FoamAnswer>(std::move(*answer));
            fill();
        });
}

void AirPanel::setSliceAt(double at) { m_look->setSliceAt(at); }

void AirPanel::exportResult()
{
    if (!m_study.air || !m_of) return;
    const QString file =
        QFileDialog::getSaveFileName(this, tr("Export air of the hall"), "racks.csv", tr("Racks (*.csv);;Everything (*.json);;Fields (*.vtk)"));
    if (file.isEmpty()) return;
    m_bridge.jobs().start<Result<void>>(
        "export", tr("Exporting the air of the hall"),
        [figures = m_of, study = m_study, foam = m_foam, file = file.toStdString()](const Progress&) {
            const std::string format = std::filesystem::path(file).extension().string(), engine = foam ? "openfoam" : ""; // no text
            if (format == ".vtk") return writeFile(file, air::hallVtk(*study.air, foam ? &foam->celsius : nullptr, engine));
            if (format != ".json") return writeFile(file, air::hallCsv(*figures, *study.air, foam ? &foam->racks : nullptr, engine));
            auto document = air::hallJson(*figures, *study.air, study.whole.get());
            if (foam) document["openfoam"] = air::foamJson(*figures, *study.air, *foam);
            return writeFile(file, documentText(document));
        },
        [this](Result<void> written) {
            if (!written && written.error().code != ErrorCode::Canceled) m_bridge.report(written.error());
        });
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/size_dialog.h"

#include "core/design/sizing/facility_of_size.h"

#include "core/design/template/spec.h"
#include "importers/demand/demand_reader.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileDialog>
#include <QFormLayout>
#include <QGroupBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScreen>
#include <QSplitter>
#include <QTextBrowser>

#include <algorithm>
#include <cmath>
#include <set>

namespace hw::app {

using views::count;
using views::space;
using views::text;
using views::theme;

namespace {

/// As large as its content wants, and never larger than the screen.
QSize sizeOnScreen(const QWidget& dialog, QSize wanted)
{
    return dialog.screen() ? wanted.boundedTo(dialog.screen()->availableSize() - QSize(space(10), space(14))) : wanted;
}

} // namespace

SizeDialog::SizeDialog(Session& session, QWidget* parent)
    : QDialog(parent), m_session(session), m_accelerators(new QSpinBox), m_planes(new QSpinBox), m_tiers(new QSpinBox), m_growth(new QSpinBox),
      m_split(new QSpinBox), m_class(new QComboBox), m_server(new QComboBox), m_switch(new QComboBox), m_powerBasis(new QComboBox),
      m_oversubscription(new QDoubleSpinBox), m_megawatts(new QDoubleSpinBox), m_hallLength(new QDoubleSpinBox), m_hallWidth(new QDoubleSpinBox),
      m_racks(new QSpinBox), m_wantedLabel(new QLabel), m_curveNote(new QLabel(text(Text(sizing::kCurveFormat)))),
      m_list(new views::ListView(session.bridge(),
                                 {tr("Design"), tr("Verdict"), tr("Accelerators"), tr("Switches"), tr("Racks"), tr("Oversub."), tr("Power"),
                                  tr("Price"), tr("Loss of one ToR")},
                                 tr("Designs"))),
      m_details(new QTextBrowser), m_headline(new QLabel), m_create(new QPushButton(tr("&Create this design"))),
      m_place(new QPushButton(tr("&Put into hall"))), m_curveButton(new QPushButton(tr("&Demand curve…")))
{
    setWindowTitle(tr("Size a fabric"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space(4), space(4), space(4), space(4));
    auto* middle = new QHBoxLayout;
    middle->setSpacing(space(5));
    middle->addWidget(makeForm());
    auto* split = new QSplitter(Qt::Vertical);
    m_list->setObjectName("sizeList");
    m_list->setColumnWidths({-1, 0, 0, 0, 0, 0, 0, 0, 0});
    m_details->setObjectName("sizeDetails");
    split->addWidget(m_list);
    split->addWidget(m_details);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    auto* right = new QVBoxLayout;
    m_headline->setObjectName("sizeHeadline");
    m_headline->setProperty("role", "dim");
    m_headline->setWordWrap(true);
    right->addWidget(m_headline);
    right->addWidget(split, 1);
    middle->addLayout(right, 1);
    layout->addLayout(middle, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(m_create, QDialogButtonBox::ActionRole);
    buttons->addButton(m_place, QDialogButtonBox::ActionRole);
    m_place->setObjectName("sizePlace");
    m_place->setAutoDefault(false);
    m_place->setMenu(new QMenu(m_place));
    m_place->setToolTip(tr("Lays out this design in a hall, with the limits specified here"));
    connect(m_place->menu(), &QMenu::aboutToShow, this, &SizeDialog::fillHalls);
    auto* bottom = new QHBoxLayout;
    m_curveNote->setProperty("role", "dim");
    m_curveNote->setWordWrap(true);
    bottom->addWidget(m_curveButton);
    bottom->addWidget(m_curveNote, 1);
    bottom->addWidget(buttons);
    m_curveButton->setAutoDefault(false);
    m_create->setDefault(true);
    layout->addLayout(bottom);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_create, &QPushButton::clicked, this, [this] {
        if (const auto* design = chosen()) emit createRequested(text(design->templateName), design->parameters);
    });
    connect(m_curveButton, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Demand curve: %1").arg(text(Text(sizing::kCurveFormat))), {},
                                                          tr("Demand curves, CSV or JSON (*.csv *.json)"));
        if (!path.isEmpty()) loadCurve(path);
    });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &SizeDialog::showChosen);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &SizeDialog::start);
    resize(sizeOnScreen(*this, {fontMetrics().averageCharWidth() * 190, fontMetrics().height() * 48}));
    start();
}

SizeDialog::~SizeDialog() { m_session.bridge().jobs().cancelSlot("size"); }

QWidget* SizeDialog::makeForm()
{
    auto* box = new QWidget;
    auto* form = new QFormLayout(box);
    form->setContentsMargins(0, 0, 0, 0);
    const auto spin = [this](QSpinBox* field, const char* name, int low, int high, int value, const QString& none) {
        field->setObjectName(name);
        field->setRange(low, high);
        field->setValue(value);
        field->setGroupSeparatorShown(true);
        if (!none.isEmpty()) field->setSpecialValueText(none);
        connect(field, &QSpinBox::valueChanged, this, [this] { m_timer.start(200); });
    };
    spin(m_accelerators, "sizeAccelerators", 0, 10'000'000, 16384, tr("as many as fit"));
    m_accelerators->setSingleStep(1024);
    spin(m_planes, "sizePlanes", 0, 64, 0, tr("any"));
    spin(m_tiers, "sizeTiers", 0, 5, 0, tr("any"));
    spin(m_split, "sizeSplit", 0, 8, 0, tr("any"));
    m_split->setToolTip(tr("Breakout per uplink cage: 1 = none, 2 = one 800G cage as 2 × 400G"));
    spin(m_growth, "sizeGrowth", 0, 10'000'000, 0, tr("none"));
    spin(m_racks, "sizeRacks", 0, 1'000'000, 0, tr("no limit"));
    m_oversubscription->setRange(0, 1000);
    m_oversubscription->setSpecialValueText(tr("any"));
    m_oversubscription->setSuffix(" : 1");
    connect(m_oversubscription, &QDoubleSpinBox::valueChanged, this, [this] { m_timer.start(200); });
    fillPartBoxes();
    m_wantedLabel->setBuddy(m_accelerators);
    form->addRow(m_wantedLabel, m_accelerators);
    form->addRow(tr("Accelerator &class"), m_class);
    form->addRow(tr("&Server"), m_server);
    form->addRow(tr("S&witch"), m_switch);
    form->addRow(tr("Maximum &oversubscription"), m_oversubscription);
    form->addRow(tr("&Planes"), m_planes);
    form->addRow(tr("&Tiers"), m_tiers);
    form->addRow(tr("Ports per &uplink cage"), m_split);
    form->addRow(tr("&Growth target"), m_growth);
    form->addRow(makeLimits());
    box->setFixedWidth(fontMetrics().averageCharWidth() * 33);
    return box;
}

/// What the site has. Each is left out at 0.
QWidget* SizeDialog::makeLimits()
{
    auto* box = new QGroupBox(tr("Available resources"));
    auto* form = new QFormLayout(box);
    const auto number = [this](QDoubleSpinBox* field, const char* name, double most, int decimals, const QString& none, const QString& suffix) {
        field->setObjectName(name);
        field->setRange(0, most);
        field->setDecimals(decimals);
        field->setSpecialValueText(none);
        field->setSuffix(suffix);
        connect(field, &QDoubleSpinBox::valueChanged, this, [this] { m_timer.start(200); });
    };
    number(m_megawatts, "sizeMegawatts", 100'000, 2, tr("no limit"), tr(" MW"));
    number(m_hallLength, "sizeHallLength", 2000, 1, tr("any"), tr(" m"));
    number(m_hallWidth, "sizeHallWidth", 2000, 1, tr("any"), tr(" m"));
    m_powerBasis->addItem(tr("IT"), false);
    m_powerBasis->addItem(tr("facility"), true);
    m_powerBasis->setToolTip(tr("IT power, or facility power: IT power times PUE"));
    connect(m_powerBasis, &QComboBox::currentIndexChanged, this, [this] { m_timer.start(0); });
    const auto pair = [](QWidget* a, QWidget* b) {
        auto* row = new QHBoxLayout;
        row->addWidget(a, 1);
        row->addWidget(b, 1);
        return row;
    };
    form->addRow(tr("Power"), pair(m_megawatts, m_powerBasis));
    form->addRow(tr("&Racks"), m_racks);
    form->addRow(tr("Single hall"), pair(m_hallLength, m_hallWidth));
    return box;
}

void SizeDialog::fillPartBoxes()
{
    std::set<std::string> servers, switches, classes;
    for (const Template& t : m_session.library().templates)
        for (const auto& tier : t.spec().tiers)
            for (const auto& type : tier.types) {
                const auto* kind = tier.field("kind");
                const bool server = kind && kind->text == "server";
                const bool other = kind && kind->text != "server" && kind->text != "switch";
                if (!other) (server ? servers : switches).insert(type.text);
                const Part* part = server ? m_session.library().catalog->find(type.text) : nullptr;
                const auto* device = part ? std::get_if<DeviceSpec>(&part->spec) : nullptr;
                if (device && device->accelerators > 0) classes.insert(device->acceleratorClass);
            }
    const auto fillBox = [this](QComboBox* field, const std::set<std::string>& slugs) {
        field->addItem(tr("any"));
        for (const auto& slug : slugs) field->addItem(text(slug), text(slug));
        field->setMinimumContentsLength(12);
        field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        connect(field, &QComboBox::currentIndexChanged, this, [this] { m_timer.start(0); });
    };
    fillBox(m_server, servers);
    fillBox(m_switch, switches);
    m_class->setObjectName("sizeClass");
    for (const auto& name : classes) m_class->addItem(text(sizing::className(name)), text(name));
    m_class->addItem(tr("any, ranked separately"), QString());
    m_class->setCurrentIndex(std::max(0, m_class->findData("gpu")));
    m_class->setMinimumContentsLength(12);
    m_class->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_wantedLabel->setText(tr("%1 requ&ired").arg(acceleratorsName()));
    connect(m_class, &QComboBox::currentIndexChanged, this, [this] {
        m_wantedLabel->setText(tr("%1 requ&ired").arg(acceleratorsName()));
        m_timer.start(0);
    });
}

/// The halls of the project, and one of the size that the limits name.
void SizeDialog::fillHalls()
{
    QMenu* menu = m_place->menu();
    menu->clear();
    const auto add = [&](const QString& title, const QString& hall) {
        connect(menu->addAction(title), &QAction::triggered, this, [this, hall] {
            if (const auto* design = chosen()) emit placementRequested(hall, sizing::SizedDesign(*design), m_answer->request.limits);
        });
    };
    const Snapshot& s = *m_session.bridge().snapshot();
    s.halls.forEach([&](HallId id) {
        if (s.halls.kind[id] == RoomKind::Hall || s.halls.kind[id] == RoomKind::Network)
            add(tr("%1, %2 × %3").arg(text(s.halls.name[id]), views::length(s.halls.sizeX[id].count()), views::length(s.halls.sizeY[id].count())),
                text(s.halls.name[id]));
    });
    if (!menu->isEmpty()) menu->addSeparator();
    if (const auto& hall = m_answer->request.limits.hall)
        add(tr("New project with a hall of %1 × %2 m").arg(hall->lengthM).arg(hall->widthM), {});
    else
        menu->addAction(tr("New hall: specify its dimensions under Limits"))->setEnabled(false);
}

QString SizeDialog::acceleratorsName() const { return m_class->currentData().toString().isEmpty() ? tr("Accelerators") : m_class->currentText(); }

sizing::SizeRequest SizeDialog::request() const
{
    sizing::SizeRequest r;
    r.accelerators = m_accelerators->value();
    r.server = m_server->currentData().toString().toStdString();
    if (const auto type = m_switch->currentData().toString(); !type.isEmpty()) r.switches = {type.toStdString()};
    if (m_oversubscription->value() > 0) r.maxOversubscription = m_oversubscription->value();
    if (m_planes->value() > 0) r.planes = m_planes->value();
    if (m_tiers->value() > 0) r.tiers = m_tiers->value();
    if (m_split->value() > 0) r.split = {{"", m_split->value()}};
    if (m_growth->value() > 0) r.growTo = m_growth->value();
    r.acceleratorClass = m_class->currentData().toString().toStdString();
    if (m_megawatts->value() > 0) r.limits.megawatts = m_megawatts->value();
    r.limits.facility = r.limits.megawatts && m_powerBasis->currentData().toBool();
    if (m_racks->value() > 0) r.limits.racks = m_racks->value();
    if (m_hallLength->value() > 0 && m_hallWidth->value() > 0) r.limits.hall = sizing::SizeLimits::Hall{m_hallLength->value(), m_hallWidth->value()};
    return r;
}

void SizeDialog::start()
{
    m_powerBasis->setEnabled(m_megawatts->value() > 0);
    if (m_accelerators->value() == 0 && !request().limits.any())
        return m_headline->setText(
            QString("<span style='color:%1'>%2</span>")
                .arg(theme().warning.name(), tr("Specify the number required, or a limit: power, racks or both hall dimensions")));
    m_headline->setText(tr("Sizing …"));
    m_session.bridge().jobs().start<Result<sizing::SizeAnswer>>(
        "size", tr("Sizing"),
        [request = request(), templates = m_session.library().templates, catalog = m_session.library().catalog](const Progress& progress) {
            return (request.limits.facility ? sizing::sizeWithFacility(request, templates, *catalog, progress)
                                            : sizing::size(request, templates, *catalog, progress));
        },
        [this](Result<sizing::SizeAnswer> answer) {
            if (!answer) return m_headline->setText(text(answer.error().text()));
            m_answer = std::move(*answer);
            m_facility = m_answer->request.limits.facility;
            fill();
            if (!m_facility && !m_answer->designs.empty()) addFacility();
        });
}

/// The designs are made for their losses while the list is read: seconds where they are large.
void SizeDialog::addFacility()
{
    m_session.bridge().jobs().start<Result<sizing::SizeAnswer>>(
        "size", tr("Facility power"),
        [answer = *m_answer, templates = m_session.library().templates,
         catalog = m_session.library().catalog](const Progress& progress) mutable -> Result<sizing::SizeAnswer> {
            constexpr auto kWhich = sizing::FacilityOf::ParetoOptimal;
            const auto added = sizing::addFacilityPower(answer, templates, *catalog, sizing::mostMade(answer, kWhich), progress, kWhich);
            if (!added) return tl::unexpected(added.error());
            return std::move(answer);
        },
        [this](Result<sizing::SizeAnswer> answer) {
            if (!answer) return;
            m_answer = std::move(*answer);
            m_facility = true;
            showChosen();
        });
}

void SizeDialog::fill()
{
    std::vector<views::CellRow> rows;
    addDesigns(rows);
    addRefused(rows);
    const auto best = std::ranges::count_if(m_answer->designs, &sizing::SizedDesign::pareto);
    const auto wanted = m_answer->request.accelerators;
    const QString name = acceleratorsName().toLower() == "accelerators" ? tr("accelerators") : acceleratorsName();
    QString head = wanted > 0
                       ? tr("%1 designs support %2 %3; %4 of them are Pareto-optimal in price, switches, oversubscription, "
                            "failure impact, power and size.")
                             .arg(m_answer->designs.size())
                             .arg(count(wanted), name)
                             .arg(best)
                       : tr("%1 designs fit, each the largest of its type; %2 of them are Pareto-optimal.").arg(m_answer->designs.size()).arg(best);
    for (const auto& limit : m_answer->tierLimits)
        head += " " + text(i18np(std::int64_t(limit.tiers), "{:L} tier supports at least {:L} accelerators.",
                                 "{:L} tiers support at least {:L} accelerators.", limit.reach));
    m_headline->setText(head);
    m_list->cells()->setRows(std::move(rows));
    if (m_list->model()->rowCount() > 0) m_list->selectRow(0);
    showChosen();
}

void SizeDialog::addDesigns(std::vector<views::CellRow>& rows) const
{
    for (std::size_t i = 0; i < m_answer->designs.size(); ++i) {
        const auto& d = m_answer->designs[i];
        views::CellRow row;
        row.key = QString::number(i);
        row.dim = !d.pareto;
        const auto number = [](const QString& shown, double value) { return views::Cell{shown, value, {}, {}, -1, true}; };
        const QString verdict = d.pareto ? tr("optimal") : d.dominatedBy ? tr("no. %1 is better").arg(*d.dominatedBy + 1) : tr("dominated");
        row.cells = {{QString("%1. %2  %3").arg(i + 1).arg(text(d.title), text(d.variant)), double(i)},
                     {verdict, d.pareto ? 0 : 1, d.pareto ? QString("ok") : QString()},
                     number(count(d.accelerators), double(d.accelerators)),
                     number(count(d.switches), double(d.switches)),
                     number(count(d.racks), double(d.racks)),
                     number(QString::number(d.oversubscription, 'g', 4), d.oversubscription),
                     number(views::power(d.powerAtBasis()), double(d.powerAtBasis().count())),
                     number(views::money(d.price.total, text(d.currency)), double(d.price.total.count())),
                     number(d.failure.jobStops ? tr("%1, job stops").arg(count(d.failure.accelerators))
                                               : tr("%1 at %2").arg(count(d.failure.accelerators), views::percent(d.failure.bandwidthLeft, 0)),
                            d.failure.rank())};
        row.toolTip = text(d.title) + "  " + text(d.variant) + (d.explanation.empty() ? QString() : "\n" + text(d.explanation)) +
                      (d.binding.empty() ? QString() : "\n" + text(d.binding));
        rows.push_back(std::move(row));
    }
}

/// One row for each kind of reason; the details name the designs.
void SizeDialog::addRefused(std::vector<views::CellRow>& rows) const
{
    for (const auto kind : {sizing::Refusal::Limit, sizing::Refusal::Scale, sizing::Refusal::Requirement, sizing::Refusal::Wiring}) {
        const auto refused = std::ranges::count(m_answer->refused, kind, &sizing::RefusedDesign::kind);
        if (refused == 0) continue;
        views::CellRow row;
        row.key = QString("refused %1").arg(int(kind));
        row.dim = true;
        row.cells.resize(9);
        row.cells[0] = {text(i18np(std::int64_t(refused), "{:L} further design: {}", "{:L} further designs: {}", sizing::refusalText(kind))),
                        double(m_answer->designs.size() + std::size_t(kind))};
        row.cells[1] = {tr("not possible"), 2, QString("error")};
        rows.push_back(std::move(row));
    }
}

std::optional<sizing::Refusal> SizeDialog::refusedRow() const
{
    const auto* row = m_list->currentRow();
    if (!row || !m_answer || !row->key.startsWith("refused ")) return std::nullopt;
    return sizing::Refusal(row->key.mid(8).toInt());
}

const sizing::SizedDesign* SizeDialog::chosen() const
{
    const auto* row = m_list->currentRow();
    bool fine = false;
    const int index = row ? row->key.toInt(&fine) : -1;
    return m_answer && fine && std::size_t(index) < m_answer->designs.size() ? &m_answer->designs[std::size_t(index)] : nullptr;
}

void SizeDialog::showChosen()
{
    const auto* design = chosen();
    m_create->setEnabled(design != nullptr);
    m_place->setEnabled(design != nullptr);
    if (const auto kind = refusedRow()) return m_details->setHtml(refusals(*kind));
    if (!design) return m_details->clear();
    QString html = details(*design);
    if (!m_curve.empty())
        if (const Template* source = m_session.library().find(design->templateName))
            if (const auto stages = sizing::growthStages(*design, *source, *m_session.library().catalog, m_curve))
                html += QString("<p><b>%1</b></p><pre>%2</pre>")
                            .arg(tr("Growth stages for the demand curve"), text(sizing::stagesText(*stages)).toHtmlEscaped());
    m_details->setHtml(html);
}

bool SizeDialog::loadCurve(const QString& path)
{
    QFile file(path);
    const bool opened = file.open(QIODevice::ReadOnly);
    auto list =
        opened ? importers::readDemand(file.readAll().toStdString(), path.toStdString())
               : Result<importers::DemandList>(fail(ErrorCode::Unreadable, path.toStdString(), i18n("cannot be opened"), i18n("check the path")));
    if (!list) {
        m_headline->setText(QString("<span style='color:%1'>%2</span>").arg(theme().error.name(), text(list.error().text()).toHtmlEscaped()));
        return false;
    }
    m_curve = std::move(list->curve);
    m_curveNote->setText(list->left.empty() ? tr("Demand from %1").arg(path)
                                            : tr("Demand from %1. %2; first: %3").arg(path, text(list->counts()), text(list->left.front().text())));
    m_accelerators->setValue(int(std::min(1e7, std::ceil(m_curve.peak()))));
    m_timer.start(0);
    return true;
}

} // namespace hw::app

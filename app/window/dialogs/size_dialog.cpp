// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/dialogs/size_dialog.h"

#include "core/template/spec.h"
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
#include <QLabel>
#include <QPushButton>
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

SizeDialog::SizeDialog(Session& session, QWidget* parent)
    : QDialog(parent), m_session(session), m_accelerators(new QSpinBox), m_planes(new QSpinBox), m_tiers(new QSpinBox), m_growth(new QSpinBox), m_split(new QSpinBox), m_server(new QComboBox), m_switch(new QComboBox),
      m_oversubscription(new QDoubleSpinBox),
      m_list(new views::ListView(session.bridge(), {tr("Design"), tr("GPUs"), tr("Tiers"), tr("Switches"), tr("Cables"), tr("Oversub."), tr("Power"), tr("Price"), tr("One ToR lost"), tr("Grows to"), tr("Verdict")}, tr("Designs"))),
      m_details(new QTextBrowser), m_headline(new QLabel), m_create(new QPushButton(tr("&Create this design"))), m_curveButton(new QPushButton(tr("&Demand curve…")))
{
    setWindowTitle(tr("Size a fabric"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(space(4), space(4), space(4), space(4));
    auto* middle = new QHBoxLayout;
    middle->setSpacing(space(5));
    middle->addWidget(makeForm());
    auto* split = new QSplitter(Qt::Vertical);
    m_list->setObjectName("sizeList");
    m_list->setColumnWidths({46, 10, 6, 10, 11, 9, 11, 11, 16, 11, -1});
    m_details->setObjectName("sizeDetails");
    split->addWidget(m_list);
    split->addWidget(m_details);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    auto* right = new QVBoxLayout;
    m_headline->setProperty("role", "dim");
    m_headline->setWordWrap(true);
    right->addWidget(m_headline);
    right->addWidget(split, 1);
    middle->addLayout(right, 1);
    layout->addLayout(middle, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(m_curveButton, QDialogButtonBox::ActionRole);
    buttons->addButton(m_create, QDialogButtonBox::ActionRole);
    m_curveButton->setAutoDefault(false);
    m_create->setDefault(true);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_create, &QPushButton::clicked, this, [this] {
        if (const auto* design = chosen()) emit createRequested(text(design->templateName), design->parameters);
    });
    connect(m_curveButton, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Demand over time"), {}, tr("Curves (*.csv *.json)"));
        if (!path.isEmpty()) loadCurve(path);
    });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &SizeDialog::showChosen);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &SizeDialog::start);
    resize(fontMetrics().averageCharWidth() * 220, fontMetrics().height() * 48);
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
    spin(m_accelerators, "sizeAccelerators", 1, 100'000'000, 16384, {});
    m_accelerators->setSingleStep(1024);
    spin(m_planes, "sizePlanes", 0, 64, 0, tr("any"));
    spin(m_tiers, "sizeTiers", 0, 5, 0, tr("any"));
    spin(m_split, "sizeSplit", 0, 8, 0, tr("any"));
    m_split->setToolTip(tr("How many ports come out of one uplink socket: 1 leaves uplinks whole, 2 makes 2 × 400G of 800G"));
    spin(m_growth, "sizeGrowth", 0, 100'000'000, 0, tr("none"));
    m_oversubscription->setRange(0, 1000);
    m_oversubscription->setSpecialValueText(tr("any"));
    m_oversubscription->setSuffix(" : 1");
    connect(m_oversubscription, &QDoubleSpinBox::valueChanged, this, [this] { m_timer.start(200); });
    std::set<std::string> servers, switches;
    for (const Template& t : m_session.library().templates)
        for (const auto& tier : t.spec().tiers)
            for (const auto& type : tier.types) {
                const auto* kind = tier.field("kind");
                const bool server = kind && kind->text == "server";
                const bool other = kind && kind->text != "server" && kind->text != "switch";
                if (!other) (server ? servers : switches).insert(type.text);
            }
    const auto fillBox = [this](QComboBox* field, const std::set<std::string>& slugs) {
        field->addItem(tr("any"));
        for (const auto& slug : slugs) field->addItem(text(slug), text(slug));
        connect(field, &QComboBox::currentIndexChanged, this, [this] { m_timer.start(0); });
    };
    fillBox(m_server, servers);
    fillBox(m_switch, switches);
    form->addRow(tr("&GPUs wanted"), m_accelerators);
    form->addRow(tr("&Server"), m_server);
    form->addRow(tr("S&witch"), m_switch);
    form->addRow(tr("Most &oversubscription"), m_oversubscription);
    form->addRow(tr("&Planes"), m_planes);
    form->addRow(tr("&Tiers"), m_tiers);
    form->addRow(tr("Ports an &uplink socket"), m_split);
    form->addRow(tr("Must grow t&o"), m_growth);
    box->setFixedWidth(fontMetrics().averageCharWidth() * 46);
    return box;
}

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
    return r;
}

void SizeDialog::start()
{
    m_headline->setText(tr("Sizing …"));
    m_session.bridge().jobs().start<Result<sizing::SizeAnswer>>(
        "size", tr("Sizing"),
        [request = request(), templates = m_session.library().templates, catalogue = m_session.library().catalogue](const Progress& progress) { return sizing::size(request, templates, *catalogue, progress); },
        [this](Result<sizing::SizeAnswer> answer) {
            if (!answer) return m_headline->setText(text(answer.error().text()));
            m_answer = std::move(*answer);
            fill();
        });
}

void SizeDialog::fill()
{
    std::vector<views::CellRow> rows;
    std::size_t best = 0;
    for (std::size_t i = 0; i < m_answer->designs.size(); ++i) {
        const auto& d = m_answer->designs[i];
        best += d.pareto;
        views::CellRow row;
        row.key = QString::number(i);
        row.bold = d.pareto;
        row.dim = !d.pareto;
        const auto number = [](const QString& shown, double value) { return views::Cell{shown, value, {}, {}, -1, true}; };
        row.cells = {{text(d.title) + "  " + text(d.variant)},
                     number(count(d.accelerators), double(d.accelerators)),
                     number(QString::number(d.tiers.size()), double(d.tiers.size())),
                     number(count(d.switches), double(d.switches)),
                     number(count(d.cables), double(d.cables)),
                     number(QString::number(d.oversubscription, 'g', 4), d.oversubscription),
                     number(views::power(d.powerAtBasis()), double(d.powerAtBasis().count())),
                     number(views::money(d.price.total, text(d.currency)), double(d.price.total.count())),
                     number(d.failure.jobStops ? tr("%1, job stops").arg(count(d.failure.accelerators)) : tr("%1 at %2").arg(count(d.failure.accelerators), views::percent(d.failure.bandwidthLeft, 0)), d.failure.rank()),
                     number(count(d.reach), double(d.reach)),
                     {d.pareto ? tr("Pareto-optimal") : text(d.explanation), d.pareto ? 0 : 1, d.pareto ? QString("ok") : QString()}};
        row.toolTip = text(d.explanation);
        rows.push_back(std::move(row));
    }
    for (std::size_t i = 0; i < m_answer->refused.size(); ++i) {
        const auto& r = m_answer->refused[i];
        views::CellRow row;
        row.key = QString("refused %1").arg(i);
        row.dim = true;
        row.cells.resize(11);
        row.cells[0] = {text(r.title) + "  " + text(r.variant)};
        if (r.reach) row.cells[9] = {count(r.reach), double(r.reach), {}, {}, -1, true};
        row.cells[10] = {text(r.reason), 2, QString("error")};
        row.toolTip = text(r.reason);
        rows.push_back(std::move(row));
    }
    QString head = tr("%1 designs reach %2 GPUs, %3 of them Pareto-optimal in price, switches, oversubscription, failure impact and power.").arg(m_answer->designs.size()).arg(count(m_answer->request.accelerators)).arg(best);
    for (const auto& limit : m_answer->tierLimits) head += " " + tr("%1 tiers reach at least %2.").arg(limit.tiers).arg(count(limit.reach));
    m_headline->setText(head);
    m_list->cells()->setRows(std::move(rows));
    if (m_list->model()->rowCount() > 0) m_list->selectRow(0);
    showChosen();
}

const sizing::SizedDesign* SizeDialog::chosen() const
{
    const auto* row = m_list->currentRow();
    bool fine = false;
    const int index = row ? row->key.toInt(&fine) : -1;
    return m_answer && fine && std::size_t(index) < m_answer->designs.size() ? &m_answer->designs[std::size_t(index)] : nullptr;
}

QString SizeDialog::details(const sizing::SizedDesign& d) const
{
    QString html = QString("<h3 style='margin:0'>%1 <span style='color:%2'>%3</span></h3>").arg(text(d.title).toHtmlEscaped(), theme().textDim.name(), text(d.variant).toHtmlEscaped());
    const auto line = [&](const QString& label, const QString& value) { html += QString("<tr><td style='color:%1'>%2&nbsp;&nbsp;</td><td>%3</td></tr>").arg(theme().textDim.name(), label, value.toHtmlEscaped()); };
    html += "<table cellpadding='2'>";
    line(tr("Servers"), tr("%1 × %2, %3 backup").arg(count(d.servers), text(d.serverType), count(d.backupServers)));
    for (const auto& t : d.tiers) line(text(t.label), tr("%1 × %2, oversubscription %3").arg(count(t.switches), text(t.type), views::ratio(t.oversubscription)));
    for (const auto& p : d.ports) line(tr("Ports left"), tr("%1 of %2 at %3 (%4)").arg(count(p.left()), count(p.total), views::rate(double(p.rate.count())), text(p.tier)));
    for (const auto& [slug, n] : d.cabling.transceivers) line(tr("Transceivers (estimate)"), tr("%1 × %2").arg(count(n), text(slug)));
    line(tr("Power"), tr("%1 for servers and this network, %2 for everything").arg(views::power(d.powerAtBasis()), views::power(d.powerOfAll[std::size_t(d.basis)])));
    line(tr("Price"), tr("%1; %2 of it at assumed prices, %3 from estimated lengths").arg(views::money(d.price.total, text(d.currency)), views::percent(d.price.assumedShare(), 0), views::percent(d.price.estimatedShare(), 0)));
    line(tr("One %1 lost").arg(text(d.failure.tier)), tr("%1 GPUs (%2) keep %3 of their NIC; the job %4").arg(count(d.failure.accelerators), views::percent(d.failure.acceleratorShare), views::percent(d.failure.bandwidthLeft, 0), d.failure.jobStops ? tr("stops") : tr("runs on")));
    line(tr("Grows to"), tr("%1 GPUs: %2").arg(count(d.reach), text(d.reachLimit)));
    if (!d.tierNote.empty()) line(tr("Tiers"), text(d.tierNote));
    for (const auto& s : d.schedulers) line(tr("Scheduler"), tr("%1: %2 nodes, this has %3 servers (%4)").arg(text(s.limit), count(s.nodes), count(s.servers), text(s.source)));
    if (!d.explanation.empty()) line(tr("Verdict"), text(d.explanation));
    return html + "</table>";
}

void SizeDialog::showChosen()
{
    const auto* design = chosen();
    m_create->setEnabled(design != nullptr);
    if (!design) return m_details->clear();
    QString html = details(*design);
    if (!m_curve.empty())
        if (const Template* source = m_session.library().find(design->templateName))
            if (const auto stages = sizing::growthStages(*design, *source, *m_session.library().catalogue, m_curve))
                html += QString("<p><b>%1</b></p><pre>%2</pre>").arg(tr("Under the demand curve"), text(sizing::stagesText(*stages)).toHtmlEscaped());
    m_details->setHtml(html);
}

bool SizeDialog::loadCurve(const QString& path)
{
    QFile file(path);
    const bool opened = file.open(QIODevice::ReadOnly);
    auto curve = opened ? sizing::readDemand(file.readAll().toStdString(), path.toStdString()) : Result<sizing::DemandCurve>(fail(ErrorCode::Unreadable, path.toStdString(), "cannot be opened", "check the path"));
    if (!curve) {
        m_headline->setText(QString("<span style='color:%1'>%2</span>").arg(theme().error.name(), text(curve.error().text()).toHtmlEscaped()));
        return false;
    }
    m_curve = std::move(*curve);
    m_accelerators->setValue(int(std::min(1e8, std::ceil(m_curve.peak()))));
    m_timer.start(0);
    return true;
}

} // namespace hw::app

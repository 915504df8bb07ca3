// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/year/year_panel.h"

#include "core/derived/year/year_of.h"
#include "core/design/edit/edits.h"
#include "core/foundation/model/setting_values.h"
#include "core/physics/weather/climates.h"
#include "views/style/format.h"
#include "views/style/named_figure.h"
#include "views/style/theme.h"
#include "views/style/units.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSplitter>
#include <QTableWidget>

#include <cmath>

namespace hw::views {

namespace {

QString titleOf(const std::string& slug)
{
    if (const auto& all = weather::shippedClimates())
        for (const weather::Climate& climate : *all)
            if (climate.slug == slug) return text(climate.title);
    return text(slug);
}

QString figuresOf(const Year& year)
{
    const YearSums& s = year.all;
    const plant::PlantHour& worst = year.hours[year.worst];
    const auto [bill, currency] = inDisplayCurrency(year.bill.total(), text(year.tariff.currency));
    QStringList list{
        namedFigure(QObject::tr("PUE"), QString::number(s.pue(), 'f', 3)),
        namedFigure(QObject::tr("WUE"), QObject::tr("%1 L/kWh").arg(s.wue(), 0, 'f', 3)),
        namedFigure(QObject::tr("CUE"), year.cue() ? QObject::tr("%1 kg/kWh").arg(*year.cue(), 0, 'f', 3) : QObject::tr("unknown")),
        namedFigure(QObject::tr("Energy"), QObject::tr("%1 MWh").arg(count(std::llround(s.site / 1000)))),
        namedFigure(QObject::tr("Electricity"), count(std::llround(bill)) + ' ' + currency),
        namedFigure(QObject::tr("Free cooling"), QObject::tr("%1 h").arg(count(s.freeHours))),
        namedFigure(QObject::tr("Highest PUE"), QObject::tr("%1: PUE %2 at %3")
                                                    .arg(text(weather::momentOf(year.worst).text()), QString::number(worst.pue(), 'f', 3),
                                                         temperature(year.weather.hours[year.worst].dryBulbC)))};
    if (year.overHours > 0)
        list << QString("<span style='color:%1'>%2</span>")
                    .arg(theme().warning.name(),
                         QObject::tr("above set point: %1 h, maximum %2 K").arg(count(year.overHours)).arg(year.mostOverK, 0, 'f', 1));
    return list.join("&nbsp;&nbsp;&nbsp;");
}

} // namespace

YearPanel::YearPanel(DocumentBridge& bridge, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_places(new QComboBox), m_quantity(new QComboBox), m_use(new QPushButton(tr("Use for the project"))),
      m_figures(new QLabel), m_problem(new QLabel), m_months(new QTableWidget), m_duration(new DurationCurve), m_map(new YearMap),
      m_result(new QWidget), m_following(bridge, *this, FollowingView::Pace::Rested, [this] { refresh(); })
{
    m_places->setObjectName("yearPlace"), m_quantity->setObjectName("yearQuantity"), m_use->setObjectName("yearUse");
    m_figures->setObjectName("yearFigures"), m_problem->setObjectName("yearProblem"), m_months->setObjectName("yearMonths");
    m_places->addItem(tr("Project location"), QString());
    if (const auto& all = weather::shippedClimates())
        for (const weather::Climate& climate : *all) m_places->addItem(text(climate.title), text(climate.slug));
    m_places->setToolTip(tr("Location whose monthly normals define the weather; the project keeps its own until it is set"));
    m_places->setAccessibleName(tr("Location"));
    m_use->setEnabled(false);
    m_use->setToolTip(tr("Sets the climate of the project to this location"));
    for (int i = 0; i < kYearQuantities; ++i) m_quantity->addItem(yearQuantityName(YearQuantity(i)));
    m_quantity->setAccessibleName(tr("Quantity of the heat map"));
    m_figures->setTextFormat(Qt::RichText), m_figures->setWordWrap(true);
    m_figures->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->setWordWrap(true), m_problem->hide();

    const QStringList titles{tr("Month"),    tr("Mean °C"), tr("IT MWh"),         tr("Facility MWh"), tr("PUE"),
                             tr("Water m³"), tr("Peak"),    tr("Free-cooling h"), tr("Cost")};
    m_months->setColumnCount(int(titles.size()));
    m_months->setHorizontalHeaderLabels(titles);
    m_months->verticalHeader()->hide();
    m_months->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + space(1));
    m_months->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_months->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_months->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_months->setSelectionMode(QAbstractItemView::ContiguousSelection);
    m_months->setShowGrid(false), m_months->setFrameShape(QFrame::NoFrame);
    m_months->setAccessibleName(tr("Months"));

    m_places->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_places->setMinimumContentsLength(16);

    auto* top = new QHBoxLayout;
    top->setContentsMargins(space(3), 0, space(3), 0);
    top->setSpacing(space(2));
    top->addWidget(m_places), top->addWidget(m_use), top->addStretch(1), top->addWidget(m_quantity);
    auto* figures = new QHBoxLayout;
    figures->setContentsMargins(space(3), 0, space(3), 0);
    figures->addWidget(m_figures, 1);

    m_months->setMinimumWidth(space(40));
    auto* parts = new QSplitter(Qt::Horizontal);
    parts->setChildrenCollapsible(false);
    parts->addWidget(m_months), parts->addWidget(m_duration), parts->addWidget(m_map);
    parts->setStretchFactor(0, 4), parts->setStretchFactor(1, 3), parts->setStretchFactor(2, 5);
    parts->setSizes({400, 300, 500});
    auto* resultLayout = new QVBoxLayout(m_result);
    resultLayout->setContentsMargins(space(3), 0, space(3), 0);
    resultLayout->addWidget(parts, 1);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space(1), 0, space(1));
    layout->setSpacing(space(1));
    layout->addLayout(top), layout->addLayout(figures), layout->addWidget(m_problem), layout->addWidget(m_result, 1);

    connect(m_places, &QComboBox::currentIndexChanged, this, [this] { m_following.soon(); });
    connect(m_quantity, &QComboBox::currentIndexChanged, this, [this](int index) { m_map->setQuantity(YearQuantity(std::max(0, index))); });
    connect(m_use, &QPushButton::clicked, this, [this] { usePlace(); });
}

std::string YearPanel::place() const { return m_places->currentData().toString().toStdString(); }

void YearPanel::setPlace(const std::string& slug)
{
    if (const int index = m_places->findData(text(slug)); index >= 0) m_places->setCurrentIndex(index);
}

void YearPanel::refresh()
{
    if (!m_bridge.figures()) return;
    const std::string own = settingOf(*m_bridge.figures()->snapshot, "site.climate");
    m_places->setItemText(0, tr("Project: %1").arg(titleOf(own)));
    m_use->setEnabled(!place().empty() && place() != own);
    m_following.work<Outcome>(
        "year",
        [figures = m_bridge.figures(), chosen = place()](const Progress& progress) {
            YearRequest request;
            request.climate = chosen;
            auto year = yearOf(*figures, request, progress);
            Outcome out;
            if (year)
                out.year = std::make_shared<const Year>(std::move(*year));
            else
                out.problem = text(words(i18n("{}: {}; {}", year.error().where, year.error().what, year.error().todo)));
            return out;
        },
        [this](const Outcome& outcome) { show(outcome); });
}

void YearPanel::show(const Outcome& outcome)
{
    m_year = outcome.year;
    m_problem->setText(outcome.problem);
    m_problem->setVisible(!m_year);
    m_result->setVisible(bool(m_year));
    m_figures->setText(m_year ? figuresOf(*m_year) : QString());
    m_figures->setToolTip(m_year ? text(words(weatherText(*m_year))) : QString());
    m_duration->setYear(m_year);
    m_map->setYear(m_year);
    showMonths();
    emit shown();
}

void YearPanel::showMonths()
{
    m_months->setRowCount(m_year ? 13 : 0);
    if (!m_year) return;
    const QString currency = text(m_year->tariff.currency);
    m_months->horizontalHeaderItem(8)->setText(inDisplayCurrency(0, currency).second);
    const QLocale names;
    const auto row = [&](int at, const QString& name, const YearSums& s, double cost) {
        const QStringList cells{name,
                                QString::number(s.meanC, 'f', 1),
                                count(std::llround(s.it / 1000)),
                                count(std::llround(s.site / 1000)),
                                QString::number(s.pue(), 'f', 3),
                                count(std::llround(s.water() / 1000)),
                                power(Milliwatts(std::llround(s.peakW * 1000))),
                                count(s.freeHours),
                                count(std::llround(inDisplayCurrency(cost, currency).first))};
        for (int c = 0; c < cells.size(); ++c) {
            auto* item = new QTableWidgetItem(cells[c]);
            item->setTextAlignment((c == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            if (at == 12) {
                QFont bold = item->font();
                bold.setBold(true);
                item->setFont(bold);
            }
            m_months->setItem(at, c, item);
        }
    };
    for (int m = 0; m < 12; ++m)
        row(m, names.standaloneMonthName(m + 1, QLocale::ShortFormat), m_year->months[std::size_t(m)], m_year->bill.months[std::size_t(m)].total());
    row(12, tr("Year"), m_year->all, m_year->bill.total());
}

void YearPanel::usePlace()
{
    const std::string chosen = place();
    if (chosen.empty()) return;
    const auto done = m_bridge.edit(tr("Set the climate to %1").arg(titleOf(chosen)),
                                    [&](Transaction& transaction) { return edit::setSetting(transaction, "site.climate", chosen); });
    if (done) m_places->setCurrentIndex(0);
}

} // namespace hw::views

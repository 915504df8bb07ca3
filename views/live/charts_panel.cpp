// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/charts_panel.h"

#include "views/live/live_points.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace hw::views {

namespace {

constexpr int kChartEveryMs = 1000;
constexpr std::int64_t kMinuteMs = 60'000;

/// The unit of a chart's axis and what a value is multiplied with for it.
struct AxisUnit {
    QString name;
    double factor = 1;
};
AxisUnit axisUnit(bindings::Measure measure)
{
    const auto unit = bindings::infoOf(measure).unit;
    if (unit == "W") return {"kW", 1e-3};       // no text
    if (unit == "bit/s") return {"Gb/s", 1e-9}; // no text
    return {unit.empty() ? text(bindings::infoOf(measure).title) : QString::fromUtf8(unit.data(), qsizetype(unit.size())), 1};
}

void paintAxis(QCPAxis& axis)
{
    axis.setBasePen(QPen(theme().borderStrong));
    axis.setTickPen(QPen(theme().borderStrong));
    axis.setSubTickPen(QPen(Qt::NoPen));
    axis.setTickLabelColor(theme().textDim);
    axis.setLabelColor(theme().textDim);
    axis.setTickLabelFont(scaledFont(0.85));
    axis.setLabelFont(scaledFont(0.85));
    axis.grid()->setPen(QPen(theme().grid));
    axis.grid()->setSubGridVisible(false);
    axis.grid()->setZeroLinePen(QPen(theme().gridStrong));
}

} // namespace

ChartsPanel::ChartsPanel(DocumentBridge& bridge, LiveSession& session, QWidget* parent)
    : QWidget(parent), m_bridge(bridge), m_session(session), m_plot(new QCustomPlot), m_list(new QListWidget), m_span(new QComboBox),
      m_hint(new QLabel)
{
    setAcceptDrops(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, space(1), 0, 0);
    auto* split = new QSplitter(Qt::Horizontal);
    auto* side = new QWidget;
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(space(1), 0, space(1), 0);
    for (const auto& [title, minutes] :
         {std::pair(tr("10 minutes"), 10), {tr("1 hour"), 60}, {tr("6 hours"), 360}, {tr("1 day"), 1440}, {tr("1 week"), 10080}})
        m_span->addItem(title, minutes);
    m_span->setAccessibleName(tr("Time range"));
    column->addWidget(m_span);
    column->addWidget(m_list, 1);
    m_list->setAccessibleName(tr("Charts"));
    m_list->setToolTip(tr("Press Delete to remove a line"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setTextElideMode(Qt::ElideMiddle); // names of a hall begin alike
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setMinimumWidth(fontMetrics().averageCharWidth() * 22);
    m_list->installEventFilter(this);
    m_hint->setText(tr("Drag a value from the inspector here, or choose “Show in charts” there."));
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setWordWrap(true);
    m_hint->setProperty("role", "dim");
    auto* stack = new QWidget;
    auto* both = new QVBoxLayout(stack);
    both->setContentsMargins(0, 0, 0, 0);
    both->addWidget(m_plot, 1);
    both->addWidget(m_hint, 1);
    split->addWidget(stack);
    split->addWidget(side);
    split->setStretchFactor(0, 5);
    split->setStretchFactor(1, 1);
    layout->addWidget(split);
    m_plot->setObjectName("chart");
    m_plot->setMinimumHeight(space(20));
    m_timer.setSingleShot(true);
    m_timer.setInterval(kChartEveryMs);
    connect(&m_timer, &QTimer::timeout, this, &ChartsPanel::read);
    connect(m_span, &QComboBox::activated, this, &ChartsPanel::read);
    connect(m_list, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) {
        const auto place = std::size_t(m_list->row(item));
        if (place < m_points.size()) m_bridge.select(m_points[place].entity);
    });
    connect(&session, &LiveSession::timeChanged, this, [this] {
        if (isVisible() && !m_points.empty() && !m_timer.isActive()) m_timer.start();
    });
    connect(&session, &LiveSession::stateChanged, this, [this] {
        if (m_session.state() == LiveSession::State::Off) m_points.clear(), m_series.clear();
        fillList();
        draw();
    });
    draw();
}

void ChartsPanel::add(const bindings::Point& point)
{
    if (std::ranges::find(m_points, point) != m_points.end()) return;
    m_points.push_back(point);
    m_series.resize(m_points.size());
    fillList();
    read();
}

void ChartsPanel::removeAt(std::size_t place)
{
    if (place >= m_points.size()) return;
    m_points.erase(m_points.begin() + std::ptrdiff_t(place));
    m_series.erase(m_series.begin() + std::ptrdiff_t(place));
    fillList();
    draw();
}

bool ChartsPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_list && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete &&
        m_list->currentRow() >= 0) {
        removeAt(std::size_t(m_list->currentRow()));
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

QColor ChartsPanel::color(std::size_t place) const
{
    constexpr int kHues[] = {212, 28, 140, 330, 268, 52, 180, 0};
    return QColor::fromHsv(kHues[place % std::size(kHues)], 190, theme().dark() ? 235 : 170);
}

std::int64_t ChartsPanel::spanMs() const { return m_span->currentData().toLongLong() * kMinuteMs; }

void ChartsPanel::fillList()
{
    m_list->clear();
    if (!m_bridge.figures()) return;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        QPixmap swatch(space(3), space(3));
        swatch.fill(color(i));
        const QString name = m_bridge.nameOf(m_points[i].entity), point = pointText(m_points[i]);
        auto* item = new QListWidgetItem(QIcon(swatch), point + "\n" + name); // no text
        item->setToolTip(name + " · " + point);
        m_list->addItem(item);
    }
}

void ChartsPanel::read()
{
    if (m_points.empty()) return draw();
    const std::int64_t to = m_session.wantedMs();
    m_session.readSeries("charts", m_points, to - spanMs(), to, [this, asked = m_points](std::vector<PointSeries> series) {
        if (asked != m_points) return;
        m_series = std::move(series);
        draw();
    });
}

/// One field for each unit, all over the same time.
void ChartsPanel::draw()
{
    m_hint->setVisible(m_points.empty());
    m_plot->setVisible(!m_points.empty());
    if (m_points.empty() || !m_bridge.figures()) return;
    m_plot->setBackground(theme().canvas);
    m_plot->clearPlottables();
    m_plot->plotLayout()->clear();
    auto* group = new QCPMarginGroup(m_plot);
    std::map<QString, QCPAxisRect*> fields;
    const double to = double(m_session.wantedMs()) / 1000, from = to - double(spanMs()) / 1000;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const AxisUnit unit = axisUnit(m_points[i].measure);
        QCPAxisRect*& field = fields[unit.name];
        if (!field) {
            field = new QCPAxisRect(m_plot);
            m_plot->plotLayout()->addElement(m_plot->plotLayout()->rowCount(), 0, field);
            field->setMarginGroup(QCP::msLeft | QCP::msRight, group);
            for (QCPAxis* axis : field->axes()) paintAxis(*axis);
            const QSharedPointer<QCPAxisTickerDateTime> ticker(new QCPAxisTickerDateTime);
            ticker->setDateTimeFormat(spanMs() > 12 * 60 * kMinuteMs ? "MMM d HH:mm" : "HH:mm:ss"); // no text
            field->axis(QCPAxis::atBottom)->setTicker(ticker);
            field->axis(QCPAxis::atBottom)->setRange(from, to);
            field->axis(QCPAxis::atLeft)->setLabel(unit.name);
        }
        auto* graph = m_plot->addGraph(field->axis(QCPAxis::atBottom), field->axis(QCPAxis::atLeft));
        graph->setPen(QPen(color(i), 1.6));
        graph->setLineStyle(QCPGraph::lsStepLeft); // what was said stands until something else is
        QVector<double> x, y;
        for (std::size_t k = 0; k < m_series[i].values.size(); ++k) {
            x << double(m_series[i].timesMs[k]) / 1000;
            y << m_series[i].values[k] * unit.factor;
        }
        graph->setData(x, y, true);
        if (const auto planned = plannedValue(*m_bridge.figures(), m_points[i])) {
            auto* line = m_plot->addGraph(field->axis(QCPAxis::atBottom), field->axis(QCPAxis::atLeft));
            line->setPen(QPen(color(i), 1.1, Qt::DashLine));
            line->setData({from, to}, {*planned * unit.factor, *planned * unit.factor}, true);
        }
    }
    const int tall = m_plot->height() / int(std::max<std::size_t>(1, fields.size())), line = fontMetrics().height();
    for (const auto& [unit, field] : fields) {
        const bool last = field == m_plot->plotLayout()->element(m_plot->plotLayout()->rowCount() - 1, 0);
        field->axis(QCPAxis::atBottom)->setTickLabels(last); // one time below all
        field->axis(QCPAxis::atLeft)->ticker()->setTickCount(std::clamp(tall / (2 * line), 1, 6));
        field->setMinimumMargins({line, 3, line, 3});
        QCPAxis* axis = field->axis(QCPAxis::atLeft);
        axis->rescale();
        const QCPRange range = axis->range();
        const double margin = std::max(range.size() * 0.1, std::abs(range.upper) * 0.005 + 1e-9);
        axis->setRange(range.lower - margin, range.upper + margin);
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ChartsPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    read();
}

void ChartsPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) fillList(), draw();
}

void ChartsPanel::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasFormat(kPointMime)) event->acceptProposedAction();
}

void ChartsPanel::dropEvent(QDropEvent* event)
{
    if (const auto point = pointFrom(event->mimeData()->data(kPointMime))) {
        add(*point);
        event->acceptProposedAction();
    }
}

} // namespace hw::views

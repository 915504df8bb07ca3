// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/sweep_view.h"

#include "simulation/answers/answer_in_words.h"
#include "simulation/answers/answer_words.h"
#include "views/panels/list_view.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace hw::views {
namespace {

/// Okabe and Ito's colors, which color-blind readers can tell apart; the first is the accent.
QColor lineColor(std::size_t i)
{
    static const std::array<QColor, 6> kOthers{"#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#b5a400"};
    return i == 0 ? theme().accent : kOthers[(i - 1) % kOthers.size()];
}

QString numberLabel(const std::string& path)
{
    const auto dot = path.rfind('.');
    const Text own = sim::wordsOf(path).label;
    return dot == std::string::npos ? text(own) : text(i18n("{}: {}", sim::titleText(path.substr(0, dot)), own));
}

} // namespace

SweepChart::SweepChart(QWidget* parent) : QWidget(parent)
{
    setObjectName("sweepChart");
    setAccessibleName(tr("Sweep chart"));
    setMouseTracking(true);
    setMinimumSize(space(50), space(36));
}

QSize SweepChart::sizeHint() const { return {space(110), space(56)}; }

void SweepChart::setPlot(std::optional<sim::SweepPlot> plot)
{
    m_plot = std::move(plot);
    update();
}

QString SweepChart::valueText(double v) const { return text(sim::shownValue(v, sim::wordsOf(m_plot->key).quantity)); }

QString SweepChart::xText(double v) const
{
    if (!m_plot->categories.empty()) return text(m_plot->categories[std::min(m_plot->categories.size() - 1, std::size_t(std::lround(v)))]);
    return text(sim::shownValue(v, sim::wordsOf(m_plot->xName).quantity));
}

QRectF SweepChart::area() const
{
    const double line = fontMetrics().height();
    return QRectF(rect()).adjusted(fontMetrics().horizontalAdvance("000,000 Gb/s"), line * (m_plot->lines.size() > 1 ? 1.8 : 0.6), -space(4),
                                   -line * 2.6);
}

sim::PlotAxis SweepChart::xScale() const
{
    sim::PlotAxis x{1e300, -1e300, area().left(), area().right(), m_plot->logarithmic};
    for (const auto& line : m_plot->lines)
        for (const auto& [px, py] : line.points) x.low = std::min(x.low, px), x.high = std::max(x.high, px);
    if (!m_plot->categories.empty())
        x.low -= 0.4, x.high += 0.4;
    else if (x.low >= x.high)
        x.low -= 0.5, x.high += 0.5;
    return x;
}

/// From zero where that costs little of the picture; else from just below the least value.
sim::PlotAxis SweepChart::yScale() const
{
    sim::PlotAxis y{1e300, -1e300, area().bottom(), area().top(), false};
    for (const auto& line : m_plot->lines)
        for (const auto& [px, py] : line.points) y.low = std::min(y.low, py), y.high = std::max(y.high, py);
    const double range = y.high - y.low;
    if (range <= 0) return {y.low - std::max(0.5, std::abs(y.low) * 0.1), y.high + std::max(0.5, std::abs(y.high) * 0.1), y.from, y.to, false};
    if (y.low > 0 && y.low < range)
        y.low = 0;
    else if (y.low != 0)
        y.low -= range * 0.08;
    y.high += range * 0.08;
    return y;
}

void SweepChart::paintAxes(QPainter& p)
{
    const sim::PlotAxis x = xScale(), y = yScale();
    const double line = fontMetrics().height();
    const auto number = [&](double v) { return valueText(v); };
    for (const double t : ticksOf(y, std::max(2, int(area().height() / (line * 2.2))))) {
        p.setPen(theme().gridStrong);
        p.drawLine(QPointF(x.from, y.at(t)), QPointF(x.to, y.at(t)));
        p.setPen(theme().textDim);
        p.drawText(QRectF(0, y.at(t) - line / 2, area().left() - space(2), line), Qt::AlignRight | Qt::AlignVCenter, number(t));
    }
    std::vector<double> marks;
    for (std::size_t i = 0; i < m_plot->categories.size(); ++i) marks.push_back(double(i));
    if (marks.empty()) marks = ticksOf(x, std::max(2, int(area().width() / space(26))));
    const double room = area().width() / double(std::max<std::size_t>(1, marks.size()));
    p.setPen(theme().borderStrong);
    p.drawLine(QPointF(x.from, y.from), QPointF(x.to, y.from));
    for (const double t : marks) {
        p.setPen(theme().borderStrong);
        p.drawLine(QPointF(x.at(t), y.from), QPointF(x.at(t), y.from + 4));
        p.setPen(theme().textDim);
        const QString label = fontMetrics().elidedText(xText(t), Qt::ElideRight, int(room));
        const double wide = fontMetrics().horizontalAdvance(label) + 2.0; // the last one stays in the picture
        p.drawText(QRectF(std::clamp(x.at(t) - wide / 2, 0.0, std::max(0.0, width() - wide)), y.from + 5, wide, line), Qt::AlignCenter, label);
    }
    p.setPen(theme().text);
    p.drawText(QRectF(area().left(), height() - line * 1.3, area().width(), line), Qt::AlignCenter,
               text(sim::wordsOf(m_plot->xName.starts_with("design.") ? m_plot->xName.substr(7) : m_plot->xName).label));
}

void SweepChart::paintLines(QPainter& p)
{
    const sim::PlotAxis x = xScale(), y = yScale();
    double legend = area().left();
    for (std::size_t i = 0; i < m_plot->lines.size(); ++i) {
        const auto& line = m_plot->lines[i];
        p.setPen(QPen(lineColor(i), 2));
        QPolygonF path;
        for (const auto& [px, py] : line.points) path << QPointF(x.at(px), y.at(py));
        p.drawPolyline(path);
        p.setBrush(lineColor(i));
        for (const QPointF& at : path) p.drawEllipse(at, 3.2, 3.2);
        if (m_plot->lines.size() < 2) continue;
        const QString label = text(line.words);
        p.drawRect(QRectF(legend, fontMetrics().height() * 0.7, 12, 3));
        p.setPen(theme().textDim);
        p.drawText(QPointF(legend + 17, fontMetrics().height()), label);
        legend += fontMetrics().horizontalAdvance(label) + 34;
    }
}

void SweepChart::paintEvent(QPaintEvent*)
{
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    if (!m_plot || std::ranges::all_of(m_plot->lines, [](const auto& line) { return line.points.empty(); })) {
        p.setPen(theme().textDim);
        p.drawText(rect(), Qt::AlignCenter, tr("All points have the same values"));
        return;
    }
    paintAxes(p);
    paintLines(p);
}

bool SweepChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || !m_plot) return QWidget::event(event);
    const QPoint at = static_cast<QHelpEvent*>(event)->pos();
    const sim::PlotAxis x = xScale(), y = yScale();
    double nearest = 24;
    QString tip;
    for (const auto& line : m_plot->lines)
        for (const auto& [px, py] : line.points)
            if (const double d = std::hypot(x.at(px) - at.x(), y.at(py) - at.y()); d < nearest) {
                nearest = d;
                tip = tr("%1: %2").arg(xText(px), valueText(py)) + (line.words.empty() ? QString() : "\n" + text(line.words));
            }
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), tip, this);
    return true;
}

SweepView::SweepView(SimulationSession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_head(new QLabel), m_foot(new QLabel), m_number(new QComboBox), m_chart(new SweepChart),
      m_both(new QBoxLayout(QBoxLayout::LeftToRight))
{
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space(2));
    for (QLabel* label : {m_head, m_foot}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::RichText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setMinimumWidth(1);
    }
    m_number->setObjectName("sweepNumber");
    m_number->setAccessibleName(tr("Charted value"));
    m_number->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    auto* left = new QVBoxLayout;
    left->addWidget(m_number);
    left->addWidget(m_chart, 1);
    m_both->setSpacing(space(3));
    m_both->addLayout(left, 2);
    column->addWidget(m_head);
    column->addLayout(m_both, 1);
    column->addWidget(m_foot);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(page);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(scroll);
    connect(m_number, &QComboBox::currentIndexChanged, this, &SweepView::plot);
}

void SweepView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_both->setDirection(width() > space(160) ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void SweepView::fillTable(const sim::Json& document)
{
    delete m_table;
    const auto said = sim::inWords(document);
    QStringList headers;
    if (!said.tables.empty())
        for (const auto& column : said.tables.front().columns) headers << text(column.title);
    m_table = new ListView(m_session.bridge(), headers, tr("Sweep points"));
    m_table->setObjectName("sweepTable");
    m_both->addWidget(m_table, 3);
    if (said.tables.empty()) return;
    const auto& table = said.tables.front();
    std::vector<CellRow> rows;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        CellRow row;
        row.key = QString::number(r);
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            const auto& value = table.values[r][c];
            row.cells.push_back({text(table.rows[r][c]),
                                 value.is_number() ? QVariant(value.get<double>()) : QVariant(),
                                 {},
                                 table.columns[c].swept ? theme().accent : QColor(),
                                 -1,
                                 table.columns[c].number});
        }
        rows.push_back(std::move(row));
    }
    m_table->cells()->setRows(std::move(rows));
    auto* header = m_table->horizontalHeader();
    header->setDefaultAlignment(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter | Qt::Alignment::fromInt(Qt::TextWordWrap)));
    const QFontMetrics metrics = fontMetrics();
    int lines = 1;
    for (int c = 0; c < headers.size(); ++c) {
        int cells = 0;
        for (const auto& row : table.rows) cells = std::max(cells, metrics.horizontalAdvance(text(row[std::size_t(c)])));
        const int own = metrics.horizontalAdvance(headers[c]), wide = std::max(cells, std::min(own, metrics.averageCharWidth() * 16)) + space(5);
        m_table->setColumnWidth(c, wide);
        lines = std::max(lines, metrics.boundingRect(QRect(0, 0, wide - space(3), 1000), Qt::TextWordWrap, headers[c]).height() /
                                    std::max(1, metrics.lineSpacing()));
    }
    header->setFixedHeight(int(metrics.lineSpacing() * (std::min(lines, 3) + 0.6)));
    m_table->setMinimumHeight(header->height() + int(metrics.height() * 1.55) * std::min(8, int(table.rows.size())) + space(5));
}

void SweepView::present(const sim::Json& document, const QString& head, const QString& foot)
{
    m_head->setText(head);
    m_foot->setText(foot);
    if (document == m_document && m_table) return;
    m_document = document;
    fillTable(document);
    const QSignalBlocker blocker(m_number);
    m_number->clear();
    for (const auto& key : sim::sweptNumbers(document)) m_number->addItem(numberLabel(key), text(key));
    const auto best = sim::inWords(document); // the sentence speaks of the first that people look for: the table's first column behind the swept ones
    if (!best.tables.empty())
        for (const auto& column : best.tables.front().columns)
            if (const int at = m_number->findData(text(column.key)); !column.swept && at >= 0) {
                m_number->setCurrentIndex(at);
                break;
            }
    plot();
}

void SweepView::plot()
{
    const auto key = m_number->currentData().toString().toStdString();
    auto plot = key.empty() ? std::nullopt : std::optional(sim::sweepPlot(m_document, key));
    m_chart->setPlot(plot && *plot ? std::optional(std::move(**plot)) : std::nullopt);
}

} // namespace hw::views

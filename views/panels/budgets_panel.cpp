// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/budgets_panel.h"

#include "views/style/theme.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace hw::views {
namespace {

struct Made {
    std::vector<KeyFigure> keys;
    std::vector<BudgetCard> cards;
};

} // namespace

BudgetsPanel::BudgetsPanel(DocumentBridge& bridge, QWidget* parent)
    : QScrollArea(parent), m_bridge(bridge), m_sheet(new QWidget), m_following(bridge, *this, FollowingView::Pace::Live, [this] { refresh(); })
{
    setWidget(m_sheet);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Budgets"));
    m_sheet->installEventFilter(this);
    m_sheet->setMouseTracking(true);
}

void BudgetsPanel::refresh()
{
    m_following.work<Made>(
        "budgets",
        [figures = m_bridge.figures()](const Progress&) {
            const Report report = makeReport(*figures, makeBom(*figures));
            return Made{keyFigures(report, *figures), budgetCards(report, *figures)};
        },
        [this](const Made& made) {
            m_keys = made.keys;
            m_cards = made.cards;
            layoutCards();
        });
}

double BudgetsPanel::keyHeight() const { return QFontMetricsF(scaledFont(1.55)).height() + QFontMetricsF(scaledFont(0.88)).height() + space(3); }
int BudgetsPanel::keysPerLine() const
{
    return std::clamp(int(viewport()->width() / (fontMetrics().averageCharWidth() * 17.0)), 1, std::max(1, int(m_keys.size())));
}
double BudgetsPanel::keysHeight() const { return keyHeight() * double((int(m_keys.size()) + keysPerLine() - 1) / keysPerLine()); }

double BudgetsPanel::cardHeight(const BudgetCard& card) const
{
    const double title = fontMetrics().height() + space(2), note = QFontMetricsF(scaledFont(0.88)).height() + 1;
    return title + double(card.bars.size()) * (loadBarHeight() + space(1)) + double(card.notes.size()) * note + space(4);
}

/// Cards go into as many columns as there is width for, each into the column that is shortest so far.
void BudgetsPanel::layoutCards()
{
    const double gap = space(2), least = fontMetrics().averageCharWidth() * 40;
    const double width = viewport()->width() - 2 * gap;
    const int columns = std::clamp(int((width + gap) / (least + gap)), 1, std::max(1, int(m_cards.size())));
    const double columnWidth = (width - gap * (columns - 1)) / columns;
    std::vector<double> bottoms(std::size_t(columns), keysHeight() + 2 * gap);
    m_places.clear();
    for (const auto& card : m_cards) {
        const auto column = std::size_t(std::ranges::min_element(bottoms) - bottoms.begin());
        m_places.emplace_back(gap + double(column) * (columnWidth + gap), bottoms[column], columnWidth, cardHeight(card));
        bottoms[column] += cardHeight(card) + gap;
    }
    m_sheet->resize(viewport()->width(), std::max(viewport()->height(), int(*std::ranges::max_element(bottoms))));
    m_sheet->update();
}

void BudgetsPanel::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    layoutCards();
}

bool BudgetsPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_sheet && event->type() == QEvent::Paint) {
        QPainter painter(m_sheet);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillRect(m_sheet->rect(), theme().panel);
        paintKeys(painter);
        paintCards(painter);
        return true;
    }
    if (watched == m_sheet && event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), tipAt(help->pos()), m_sheet);
        return true;
    }
    if (watched == m_sheet && event->type() == QEvent::MouseMove)
        m_sheet->setCursor(subjectAt(static_cast<QMouseEvent*>(event)->position()).isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
    if (watched == m_sheet && event->type() == QEvent::MouseButtonRelease) follow(subjectAt(static_cast<QMouseEvent*>(event)->position()));
    return QScrollArea::eventFilter(watched, event);
}

void BudgetsPanel::paintKeys(QPainter& painter) const
{
    if (m_keys.empty()) return;
    const int perLine = keysPerLine();
    const double left = space(3), width = (m_sheet->width() - 2.0 * left) / double(perLine);
    const QFont big = scaledFont(1.55, QFont::DemiBold), small = scaledFont(0.88);
    const double bigHeight = QFontMetricsF(big).height();
    for (std::size_t i = 0; i < m_keys.size(); ++i) {
        const QRectF area(left + double(int(i) % perLine) * width, space(2) + double(int(i) / perLine) * keyHeight(), width - space(2), keyHeight());
        painter.setFont(big);
        painter.setPen(m_keys[i].share > 1 ? theme().error : theme().text);
        painter.drawText(QRectF(area.topLeft(), QSizeF(area.width(), bigHeight)), Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(m_keys[i].value, Qt::ElideRight, int(area.width())));
        painter.setFont(small);
        painter.setPen(m_keys[i].share > 0.9 && m_keys[i].share <= 1 ? theme().warning : theme().textDim);
        painter.drawText(QRectF(area.left(), area.top() + bigHeight, area.width(), bigHeight), Qt::AlignLeft | Qt::AlignTop,
                         painter.fontMetrics().elidedText(m_keys[i].label, Qt::ElideRight, int(area.width())));
    }
}

void BudgetsPanel::paintCards(QPainter& painter) const
{
    for (std::size_t i = 0; i < m_cards.size() && i < m_places.size(); ++i) paintCard(painter, m_cards[i], m_places[i]);
}

void BudgetsPanel::paintCard(QPainter& painter, const BudgetCard& card, const QRectF& rect) const
{
    painter.setPen(QPen(theme().border, 1));
    painter.setBrush(theme().raised);
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    const QRectF inside = rect.adjusted(space(3), space(2), -space(3), -space(2));
    painter.setFont(scaledFont(1.0, QFont::DemiBold));
    painter.setPen(theme().text);
    painter.drawText(inside, Qt::AlignTop | Qt::AlignLeft, card.title);
    double y = inside.top() + fontMetrics().height() + space(2);
    for (const auto& bar : card.bars) {
        drawLoadBar(painter, QRectF(inside.left(), y, inside.width(), loadBarHeight()), bar);
        y += loadBarHeight() + space(1);
    }
    painter.setFont(scaledFont(0.88));
    painter.setPen(theme().textFaint);
    for (const QString& note : card.notes) {
        const double height = painter.fontMetrics().height() + 1;
        painter.drawText(QRectF(inside.left(), y, inside.width(), height), Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(note, Qt::ElideRight, int(inside.width())));
        y += height;
    }
}

const LoadBar* BudgetsPanel::barAt(QPointF position) const
{
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        if (!m_places[i].contains(position)) continue;
        const double y = position.y() - m_places[i].top() - space(2) - fontMetrics().height() - space(2);
        const auto bar = std::size_t(std::max(0.0, y / (loadBarHeight() + space(1))));
        if (y >= 0 && bar < m_cards[i].bars.size()) return &m_cards[i].bars[bar];
    }
    return nullptr;
}

QString BudgetsPanel::subjectAt(QPointF position) const
{
    const LoadBar* bar = barAt(position);
    return bar ? bar->subject : QString();
}

QString BudgetsPanel::tipAt(QPointF position) const
{
    const LoadBar* b = barAt(position);
    if (!b) return {};
    return b->label.trimmed() + ": " + b->numbers + (b->hint.isEmpty() ? QString() : "\n" + b->hint) +
           (b->subject.isEmpty() ? QString() : "\n" + tr("Click to show"));
}

QRectF BudgetsPanel::barRect(std::size_t card, std::size_t bar) const
{
    const QRectF place = m_places.at(card);
    return {place.left(), place.top() + space(2) + fontMetrics().height() + space(2) + double(bar) * (loadBarHeight() + space(1)), place.width(),
            loadBarHeight()};
}

void BudgetsPanel::follow(const QString& subject)
{
    if (subject.isEmpty() || !m_bridge.figures()) return;
    const Figures& f = *m_bridge.figures();
    if (const auto entity = findEntity(*f.snapshot, *f.parts, subject.toStdString())) m_bridge.zoomTo(*entity);
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/budgets_panel.h"

#include "views/style/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace hw::views {
namespace {

struct Made { std::vector<KeyFigure> keys; std::vector<BudgetCard> cards; };

} // namespace

BudgetsPanel::BudgetsPanel(DocumentBridge& bridge, QWidget* parent) : QScrollArea(parent), m_bridge(bridge), m_sheet(new QWidget)
{
    setWidget(m_sheet);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Budgets"));
    m_sheet->installEventFilter(this);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &BudgetsPanel::refresh);
    connect(&bridge, &DocumentBridge::figuresChanged, this, [this] { if (!m_timer.isActive()) m_timer.start(m_bridge.previewing() ? 60 : 0); });
    if (bridge.figures()) refresh();
}

void BudgetsPanel::refresh()
{
    if (!m_bridge.figures()) return;
    m_again = m_bridge.jobs().busy("budgets");
    if (m_again) return; // the running one finishes, so that a long drag still shows numbers
    m_bridge.jobs().start<Made>(
        "budgets", {},
        [figures = m_bridge.figures()](const Progress&) {
            const Report report = makeReport(*figures, makeBom(*figures));
            return Made{keyFigures(report), budgetCards(report, *figures)};
        },
        [this](Made made) {
            m_keys = std::move(made.keys);
            m_cards = std::move(made.cards);
            layoutCards();
            if (m_again) m_timer.start(0);
        });
}

double BudgetsPanel::keysHeight() const { return QFontMetricsF(scaledFont(1.55)).height() + QFontMetricsF(scaledFont(0.88)).height() + space(3); }

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
    return QScrollArea::eventFilter(watched, event);
}

void BudgetsPanel::paintKeys(QPainter& painter) const
{
    if (m_keys.empty()) return;
    const double left = space(3), width = (m_sheet->width() - 2.0 * left) / double(m_keys.size());
    const QFont big = scaledFont(1.55, QFont::DemiBold), small = scaledFont(0.88);
    const double bigHeight = QFontMetricsF(big).height();
    for (std::size_t i = 0; i < m_keys.size(); ++i) {
        const QRectF area(left + double(i) * width, space(2), width - space(2), keysHeight());
        painter.setFont(big);
        painter.setPen(m_keys[i].share > 1 ? theme().error : theme().text);
        painter.drawText(QRectF(area.topLeft(), QSizeF(area.width(), bigHeight)), Qt::AlignLeft | Qt::AlignVCenter, m_keys[i].value);
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
        painter.drawText(QRectF(inside.left(), y, inside.width(), height), Qt::AlignLeft | Qt::AlignVCenter, painter.fontMetrics().elidedText(note, Qt::ElideRight, int(inside.width())));
        y += height;
    }
}

QString BudgetsPanel::tipAt(QPointF position) const
{
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        if (!m_places[i].contains(position)) continue;
        const double y = position.y() - m_places[i].top() - space(2) - fontMetrics().height() - space(2);
        const auto bar = std::size_t(std::max(0.0, y / (loadBarHeight() + space(1))));
        if (y >= 0 && bar < m_cards[i].bars.size()) {
            const LoadBar& b = m_cards[i].bars[bar];
            return b.label.trimmed() + ": " + b.numbers + (b.hint.isEmpty() ? QString() : "\n" + b.hint);
        }
    }
    return {};
}

} // namespace hw::views

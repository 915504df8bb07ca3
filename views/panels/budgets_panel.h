// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/following_view.h"
#include "views/panels/budget_cards.h"

#include <QScrollArea>

namespace hw::views {

/// Headline numbers, and cards of bars against capacity: power, cooling, ports, fiber, cost. Live.
class BudgetsPanel : public QScrollArea {
    Q_OBJECT
public:
    explicit BudgetsPanel(DocumentBridge& bridge, QWidget* parent = nullptr);
    [[nodiscard]] const std::vector<KeyFigure>& keys() const { return m_keys; }
    [[nodiscard]] const std::vector<BudgetCard>& cards() const { return m_cards; }
    [[nodiscard]] QRectF barRect(std::size_t card, std::size_t bar) const; ///< on the scrolled sheet

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void layoutCards();
    void paintCards(QPainter& painter) const;
    void paintKeys(QPainter& painter) const;
    void paintCard(QPainter& painter, const BudgetCard& card, const QRectF& rect) const;
    [[nodiscard]] double cardHeight(const BudgetCard& card) const;
    [[nodiscard]] double keysHeight() const;
    [[nodiscard]] double keyHeight() const;
    [[nodiscard]] int keysPerLine() const;
    [[nodiscard]] QString tipAt(QPointF position) const;
    [[nodiscard]] const LoadBar* barAt(QPointF position) const;
    [[nodiscard]] QString subjectAt(QPointF position) const;
    void follow(const QString& subject);

    DocumentBridge& m_bridge;
    QWidget* m_sheet;
    FollowingView m_following;
    std::vector<KeyFigure> m_keys;
    std::vector<BudgetCard> m_cards;
    std::vector<QRectF> m_places;
};

} // namespace hw::views

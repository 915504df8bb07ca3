// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea> // before core's headers: moc cannot read <compare> as the very first one

#include "views/bridge/document_bridge.h" // EntityRef as a meta type
#include "views/fabric/fabric_matrix.h"
#include "views/fabric/fabric_text.h"

#include <QFont>

namespace hw::views {

/// Link counts as a table: tier by tier, and inside a cell pod by pod, segment by segment, switch by switch.
/// A click picks what a cell joins, a double click or Return goes into it, Backspace back. GUI thread.
class MatrixView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit MatrixView(QWidget* parent = nullptr);

    void setModel(FabricModelPtr model); ///< null: nothing; the place stays where it still exists
    void setSelected(std::vector<char> members);
    void setLoadColors(bool loads); ///< busiest link instead of the number of links

    [[nodiscard]] const FabricMatrix& matrix() const { return m_matrix; }
    [[nodiscard]] QRectF cellRect(int row, int column) const;         ///< in the viewport
    [[nodiscard]] std::pair<int, int> cellAt(QPointF position) const; ///< -1 outside
    [[nodiscard]] QStringList path() const;                           ///< from all tiers to what is shown
    void enter(int row, int column);
    void back(int steps = 1);
    [[nodiscard]] QSize sizeHint() const override { return {520, 600}; }
    [[nodiscard]] QString headerText(const FabricIndex::Part& part) const;

signals:
    void picked(const std::vector<hw::EntityRef>& entities);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Step {
        FabricIndex::Part row, column;
    };
    void recount();
    void measure();
    void pick(int row, int column);
    void moveTo(int row, int column);
    void paintCells(QPainter& painter);
    void paintHeaders(QPainter& painter);
    void paintCell(QPainter& painter, int row, int column, const QRectF& rect);
    void paintLegend(QPainter& painter, const QRectF& rect);
    [[nodiscard]] QRectF crumbRect(int step) const;
    [[nodiscard]] bool selected(const FabricIndex::Part& part) const;
    [[nodiscard]] double share(const FabricBundle& cell) const;
    [[nodiscard]] FabricCard card(int row, int column) const;

    FabricModelPtr m_model;
    FabricMatrix m_matrix;
    std::vector<Step> m_path;
    std::vector<char> m_selected;
    std::pair<int, int> m_current{-1, -1}, m_hover{-1, -1};
    QPointF m_cursor;
    QFont m_font;
    double m_cellWidth = 60, m_cellHeight = 24, m_left = 80, m_top = 60;
    bool m_upright = false, m_loads = false; ///< column titles written upwards
};

} // namespace hw::views

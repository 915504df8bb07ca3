// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPolygonF>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

namespace hw::views {

/// A thing over two numbers: a point, or an area where it spans a range.
struct ScatterMark {
    int id = 0;
    double x = 0, y = 0, xTo = 0, yTo = 0; ///< To: as much or more; equal: a point in this direction
    double reach = 0;                      ///< a dotted line from xTo to here; less: none
    QString name;                          ///< beside it; empty: none
    QString tip;
    QColor color;
    bool strong = false, faint = false;
};

struct ScatterAxis {
    QString title;
    bool logarithmic = false;
    std::function<QString(double)> text; ///< of a mark of the axis; none: the number
};

/// Marks over two axes, linear or logarithmic; the nearest to the cursor shows a tool tip. A click or the arrow keys choose one, a double click
/// or Return opens it. Names are left out where they would cover each other. GUI thread.
class ScatterChart : public QWidget {
    Q_OBJECT
public:
    explicit ScatterChart(QWidget* parent = nullptr);
    /// Values that are not finite, and those of a logarithmic axis that are not positive, are left out.
    void setChart(ScatterAxis x, ScatterAxis y, std::vector<ScatterMark> marks, std::vector<std::pair<QColor, QString>> legend = {},
                  QPolygonF line = {}); ///< line: in values, for example a front
    void setCurrent(std::optional<int> id);
    [[nodiscard]] std::optional<int> current() const { return m_current; }
    [[nodiscard]] std::optional<int> markAt(QPointF position) const; ///< the nearest within reach
    [[nodiscard]] std::optional<QPointF> placeOf(int id) const;      ///< in the widget
    [[nodiscard]] const std::vector<ScatterMark>& marks() const { return m_marks; }
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void chosen(int id);
    void opened(int id);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Scale;
    [[nodiscard]] Scale scaleX() const;
    [[nodiscard]] Scale scaleY() const;
    [[nodiscard]] QRectF area() const;
    [[nodiscard]] static QRectF boxOf(const ScatterMark& mark, const Scale& x, const Scale& y);
    [[nodiscard]] bool shown(const ScatterMark& mark) const;
    [[nodiscard]] QString tickText(const ScatterAxis& axis, double value) const;
    void choose(int id);
    void paintAxes(QPainter& p) const;
    void paintMarks(QPainter& p) const;
    void paintNames(QPainter& p) const;
    void paintLegend(QPainter& p) const;

    ScatterAxis m_x, m_y;
    std::vector<ScatterMark> m_marks;
    std::vector<std::pair<QColor, QString>> m_legend;
    QPolygonF m_line;
    std::optional<int> m_current;
};

} // namespace hw::views

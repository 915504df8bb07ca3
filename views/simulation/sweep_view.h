// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/simulation/simulation_session.h"

#include "simulation/answers/plot_svg.h"

#include <QWidget>

class QBoxLayout;
class QComboBox;
class QLabel;

namespace hw::views {

class ListView;

/// A chart of a sweep in the window's colors: ticks with units, the nearest point said under the cursor.
class SweepChart : public QWidget {
    Q_OBJECT
public:
    explicit SweepChart(QWidget* parent = nullptr);
    void setPlot(std::optional<sim::SweepPlot> plot);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] sim::PlotAxis xScale() const;
    [[nodiscard]] sim::PlotAxis yScale() const;
    [[nodiscard]] QRectF area() const;
    [[nodiscard]] QString valueText(double v) const;
    [[nodiscard]] QString xText(double v) const;
    void paintAxes(QPainter& p);
    void paintLines(QPainter& p);

    std::optional<sim::SweepPlot> m_plot;
};

/// A swept answer: the sentence, a chart of one number, and a table of what varies, a row a point; beside each other where there is room.
class SweepView : public QWidget {
    Q_OBJECT
public:
    explicit SweepView(SimulationSession& session, QWidget* parent = nullptr);
    void present(const sim::Json& document, const QString& head, const QString& foot);
    [[nodiscard]] SweepChart* chart() const { return m_chart; }
    [[nodiscard]] ListView* table() const { return m_table; } ///< of the present answer

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fillTable(const sim::Json& document);
    void plot();

    SimulationSession& m_session;
    sim::Json m_document;
    QLabel *m_head, *m_foot;
    QComboBox* m_number;
    SweepChart* m_chart;
    ListView* m_table = nullptr;
    QBoxLayout* m_both;
};

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/simulation/simulation_session.h"

#include <QStackedWidget>

class QTextBrowser;

namespace hw::views {

class SweepView;

/// What came out, as a page: whose it is, the sentence, the figures that one looks for first, tables, notes; beside the pinned answer,
/// number by number, where there is one. A sweep has a chart and a table.
class AnswerView : public QStackedWidget {
    Q_OBJECT
public:
    explicit AnswerView(SimulationSession& session, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    [[nodiscard]] std::size_t columns() const; ///< pairs of label and value that have room beside each other
    [[nodiscard]] QString head(const sim::Json& document) const;
    [[nodiscard]] QString page(const sim::Json& document) const;
    [[nodiscard]] QString comparison(const sim::Json& a, const sim::Json& b) const;

    SimulationSession& m_session;
    QTextBrowser* m_page;
    SweepView* m_sweep;
    std::size_t m_columns = 1; ///< of the page shown
};

} // namespace hw::views

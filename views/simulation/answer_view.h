// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/simulation/simulation_session.h"

#include <QTextBrowser>

namespace hw::views {

/// What came out, as a page: headline, single values, tables, the chart of a sweep, notes; beside the pinned answer, number by number,
/// where there is one.
class AnswerView : public QTextBrowser {
    Q_OBJECT
public:
    explicit AnswerView(SimulationSession& session, QWidget* parent = nullptr);

private:
    void refresh();
    [[nodiscard]] QString page(const sim::ScenarioAnswer& answer);
    [[nodiscard]] QString comparison(const sim::Json& a, const sim::Json& b) const;

    SimulationSession& m_session;
};

} // namespace hw::views

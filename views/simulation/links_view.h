// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/simulation/simulation_session.h"

#include <QWidget>

class QLabel;

namespace hw::views {

class ListView;

/// The most loaded links, and the flows on the selected one: from whom to whom, at what rate, of which job and ranks.
class LinksView : public QWidget {
    Q_OBJECT
public:
    explicit LinksView(SimulationSession& session, QWidget* parent = nullptr);
    [[nodiscard]] ListView* links() const { return m_links; }
    [[nodiscard]] ListView* flows() const { return m_flows; }

private:
    void fillLinks();
    void fillFlows();
    void onSelection();

    SimulationSession& m_session;
    ListView *m_links, *m_flows;
    QWidget* m_flowSide = nullptr;
    QLabel *m_headline, *m_standing, *m_flowsTitle;
    std::optional<LinkId> m_link; ///< whose flows are listed: the last one that was selected
};

} // namespace hw::views

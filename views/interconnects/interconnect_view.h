// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget> // before core's headers: moc cannot read <compare> as the very first one

#include "core/output/interconnects/interconnects.h"
#include "views/bridge/following_view.h"

#include <memory>

class QToolButton;

namespace hw::views {

class ElidedLabel;
class ListView;
class ScatterChart;

/// Bandwidth and reach from chip to region: technologies, and the links of the design among them, as a chart and a table. A row or a mark chooses
/// the other; links of the design select their network. Follows the design while it is seen. GUI thread.
class InterconnectView : public QWidget {
    Q_OBJECT
public:
    explicit InterconnectView(DocumentBridge& bridge, QWidget* parent = nullptr);

    [[nodiscard]] const InterconnectMap* map() const { return m_map.get(); } ///< null: not computed yet
    [[nodiscard]] ListView* list() const { return m_list; }
    [[nodiscard]] ScatterChart* chart() const { return m_chart; }

signals:
    void exportRequested();

private:
    void refresh();
    void show(std::shared_ptr<const InterconnectMap> map);
    void choose(int id, bool fromChart);

    DocumentBridge& m_bridge;
    ElidedLabel* m_summary;
    ScatterChart* m_chart;
    ListView* m_list;
    std::shared_ptr<const InterconnectMap> m_map;
    FollowingView m_following;
};

} // namespace hw::views

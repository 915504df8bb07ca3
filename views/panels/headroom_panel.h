// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/following_view.h"

#include "core/derived/headroom/headroom.h"

#include <QWidget>

class QLabel;

namespace hw::views {

class ListView;

/// What still fits, by hall and row: spare power, units, ports and weight, how many more servers that is, and what runs out first.
class HeadroomPanel : public QWidget {
    Q_OBJECT
public:
    explicit HeadroomPanel(DocumentBridge& bridge, QWidget* parent = nullptr);
    [[nodiscard]] ListView* list() const { return m_list; }

private:
    void refresh();
    void show(const Headroom& headroom);
    DocumentBridge& m_bridge;
    ListView* m_list;
    QLabel* m_sum;
    FollowingView m_following;
};

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject> // before core's headers: moc cannot read <compare> as the very first one

#include "views/bridge/document_bridge.h"

#include <QColor>

#include <set>

class QMenu;

namespace hw::views {

/// Which networks of the document the views show: one choice for twin, plan, tree and fabric. Everything is
/// shown until somebody hides it. GUI thread.
class NetworkFilter : public QObject {
    Q_OBJECT
public:
    explicit NetworkFilter(DocumentBridge& bridge, QObject* parent = nullptr);
    [[nodiscard]] const std::set<std::uint32_t>& hidden() const { return m_hidden; } ///< network ids
    [[nodiscard]] bool shown(NetworkId network) const { return !m_hidden.contains(network.value); }
    void setShown(NetworkId network, bool shown);
    void showOnly(NetworkId network);
    void showAll();
    void fill(QMenu& menu); ///< every network with its color, to be ticked; and all of them

signals:
    void changed();

private:
    void dropDead();
    DocumentBridge& m_bridge;
    std::set<std::uint32_t> m_hidden;
};

/// The color of a network and its label, else its name, as all views write them.
[[nodiscard]] QColor networkColor(const Snapshot& snapshot, NetworkId network);
[[nodiscard]] QString networkTitle(const Snapshot& snapshot, NetworkId network);
[[nodiscard]] QIcon networkIcon(const Snapshot& snapshot, NetworkId network);
/// For menus, which have one place for icon and tick: a full square with a tick, or a hollow one.
[[nodiscard]] QIcon networkTick(const Snapshot& snapshot, NetworkId network, bool shown);

} // namespace hw::views

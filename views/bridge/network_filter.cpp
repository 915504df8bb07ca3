// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/network_filter.h"

#include "core/foundation/model/label.h"

#include <QIcon>
#include <QMenu>
#include <QPainter>
#include <QPixmap>

#include <functional>

namespace hw::views {

NetworkFilter::NetworkFilter(DocumentBridge& bridge, QObject* parent) : QObject(parent), m_bridge(bridge)
{
    connect(&bridge, &DocumentBridge::figuresChanged, this, &NetworkFilter::dropDead);
}

void NetworkFilter::setShown(NetworkId network, bool shown)
{
    if (shown ? m_hidden.erase(network.value) > 0 : m_hidden.insert(network.value).second) emit changed();
}

void NetworkFilter::showOnly(NetworkId network)
{
    std::set<std::uint32_t> hidden;
    if (m_bridge.figures())
        m_bridge.figures()->snapshot->networks.forEach([&](NetworkId id) {
            if (id != network) hidden.insert(id.value);
        });
    if (hidden == m_hidden) return;
    m_hidden = std::move(hidden);
    emit changed();
}

void NetworkFilter::showAll()
{
    if (m_hidden.empty()) return;
    m_hidden.clear();
    emit changed();
}

/// Another design has other networks.
void NetworkFilter::dropDead()
{
    const Snapshot& s = *m_bridge.figures()->snapshot;
    if (std::erase_if(m_hidden, [&](std::uint32_t id) { return !s.networks.alive(id); }) > 0) emit changed();
}

void NetworkFilter::fill(QMenu& menu)
{
    menu.clear();
    if (!m_bridge.figures()) return;
    const Snapshot& s = *m_bridge.figures()->snapshot;
    QAction* all = menu.addAction(tr("All networks"), this, &NetworkFilter::showAll);
    all->setEnabled(!m_hidden.empty());
    menu.addSeparator();
    s.networks.forEach([&](NetworkId id) {
        QAction* action = menu.addAction(networkTitle(s, id));
        action->setIcon(networkTick(s, id, shown(id)));
        action->setCheckable(true);
        action->setChecked(shown(id));
        connect(action, &QAction::toggled, this, [this, id](bool on) { setShown(id, on); });
    });
    menu.addSeparator();
    QMenu* only = menu.addMenu(tr("Only"));
    s.networks.forEach([&](NetworkId id) { only->addAction(networkIcon(s, id), networkTitle(s, id), this, [this, id] { showOnly(id); }); });
}

QColor networkColor(const Snapshot& snapshot, NetworkId network)
{
    const std::uint32_t rgb = snapshot.networks.color[network];
    return rgb ? QColor::fromRgb(QRgb(rgb)) : QColor("#4596db");
}

QString networkTitle(const Snapshot& snapshot, NetworkId network) { return QString::fromStdString(words(labelText(snapshot.networks, network))); }

namespace {

QIcon drawnIcon(const std::function<void(QPainter&)>& draw)
{
    QPixmap pixmap(28, 28);
    pixmap.setDevicePixelRatio(2);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    draw(painter);
    return QIcon(pixmap);
}

} // namespace

QIcon networkIcon(const Snapshot& snapshot, NetworkId network)
{
    return drawnIcon([&](QPainter& painter) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(networkColor(snapshot, network));
        painter.drawRoundedRect(QRectF(2, 2, 10, 10), 3, 3);
    });
}

QIcon networkTick(const Snapshot& snapshot, NetworkId network, bool shown)
{
    return drawnIcon([&](QPainter& painter) {
        const QColor color = networkColor(snapshot, network);
        painter.setPen(QPen(color, 1.5));
        painter.setBrush(shown ? QBrush(color) : QBrush(Qt::NoBrush));
        painter.drawRoundedRect(QRectF(1.5, 1.5, 11, 11), 3, 3);
        if (!shown) return;
        painter.setPen(QPen(color.lightnessF() > 0.55 ? Qt::black : Qt::white, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(QPolygonF{QPointF(4, 7.2), QPointF(6.3, 9.6), QPointF(10, 4.6)});
    });
}

} // namespace hw::views

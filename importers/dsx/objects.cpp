// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/dsx/objects.h"

#include "core/derived/figures/nodes.h"

namespace hw::importers {

namespace {

/// Calls f(feeder, fed) for every way of power, also over a cord within a rack, and of coolant.
void eachWay(const Figures& design, const auto& f)
{
    const Snapshot& s = *design.snapshot;
    const auto& feeds = design.get<PowerFeedsNode>();
    const auto& coolant = design.get<MediumNode<Medium::Coolant>>();
    s.devices.forEach([&](DeviceId id) {
        for (const PowerFeed& feed : feeds.of(id)) f(feed.supplier, id);
        for (const auto& arc : coolant.arcs(id))
            if (arc.up) f(arc.to, id);
    });
}

} // namespace

DsxObjects::DsxObjects(const Figures& design) : m_figures(design), m_own(design.snapshot->devices.nextId(), 0)
{
    const Snapshot& s = *design.snapshot;
    std::vector<char> connected(m_own.size(), 0);
    eachWay(design, [&](DeviceId feeder, DeviceId fed) {
        connected[feeder.value] = connected[fed.value] = 1;
        const auto rack = s.devices.rack[feeder];
        if (!rack || !(rack == s.devices.rack[fed])) m_own[feeder.value] = 1; // a rack serves nothing
    });
    s.devices.forEach([&](DeviceId id) {
        if (standsAlone(id) || (!s.devices.rack[id] && connected[id.value])) m_own[id.value] = 1;
        if (m_own[id.value]) m_devices.push_back(id);
    });
    eachWay(design, [&](DeviceId feeder, DeviceId fed) {
        if (const EntityRef from = of(feeder), to = of(fed); from != to) m_serves[from].insert(to);
    });
}

bool DsxObjects::standsAlone(DeviceId id) const
{
    const DeviceSpec& spec = m_figures.parts->device(m_figures.snapshot->devices.type[id]);
    const CoolingElement cooling = coolingElement(spec);
    return spec.power.element != PowerElement::None || (cooling != CoolingElement::None && cooling != CoolingElement::Manifold);
}

EntityRef DsxObjects::of(DeviceId id) const
{
    const auto rack = m_figures.snapshot->devices.rack[id];
    return m_own[id.value] || !rack ? ref(id) : ref(*rack);
}

const std::set<EntityRef>& DsxObjects::fedBy(EntityRef object) const
{
    static const std::set<EntityRef> none;
    const auto found = m_serves.find(object);
    return found == m_serves.end() ? none : found->second;
}

} // namespace hw::importers

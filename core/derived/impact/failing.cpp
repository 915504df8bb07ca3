// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/impact/failing.h"

#include "core/derived/topology/holding.h"
#include "core/foundation/catalog/entity.h"

#include <algorithm>

namespace hw::impact {

namespace {

const std::string kPump = "pump"; // no text: a name

/// Gathers what an element takes with it.
class Gatherer {
public:
    explicit Gatherer(const Model& model) : m(model) {}

    void add(const Failing& f)
    {
        const std::uint32_t id = f.entity.id;
        switch (f.entity.kind) {
        case EntityKind::Building:
        case EntityKind::Rack: return devicesOf(f.entity);
        case EntityKind::Hall:
        case EntityKind::Row:
            for (const TrayId t : traysIn(*m.s, f.entity)) tray(t);
            return devicesOf(f.entity);
        case EntityKind::Tray: return tray(TrayId(id));
        case EntityKind::Device: return device(f);
        case EntityKind::Port: return port(PortId(id));
        case EntityKind::Cage:
            for (const PortId p : m.index->portsOfDevice[m.s->cages.device[CageId(id)].value])
                if (m.s->ports.cage[p] == CageId(id)) port(p);
            return;
        case EntityKind::Link: return link(LinkId(id));
        case EntityKind::Cable:
            for (const LinkId l : linksAt(*m.s, *m.index, f.entity)) link(l);
            return;
        default: return;
        }
    }

    Failed take()
    {
        const auto once = [](auto& list) {
            std::ranges::sort(list);
            list.erase(std::unique(list.begin(), list.end()), list.end());
        };
        once(m_out.devices);
        for (const DeviceId d : m_out.devices) // a patch panel takes the links that go over it
            for (const LinkId l : m.domains->linksOver(*m.s, d)) link(l);
        once(m_out.links);
        once(m_out.pumps);
        std::erase_if(m_out.pumps, [&](const auto& pump) { return std::ranges::binary_search(m_out.devices, pump.first); });
        for (auto at = m_out.pumps.begin(); at != m_out.pumps.end();) {
            const DeviceId id = at->first;
            const auto end = std::find_if(at, m_out.pumps.end(), [&](const auto& pump) { return pump.first != id; });
            if (end - at > m.parts->device(m.s->devices.type[id]).cooling.spares) m_out.stalled.push_back(id);
            at = end;
        }
        return std::move(m_out);
    }

private:
    void devicesOf(EntityRef place)
    {
        const auto inside = devicesIn(*m.s, *m.index, place);
        m_out.devices.insert(m_out.devices.end(), inside.begin(), inside.end());
    }
    void tray(TrayId id)
    {
        for (const LinkId l : m.linksThrough(id)) m_out.links.push_back(l);
        for (const LinkId l : m.feedersThrough(id)) link(l);
    }
    void device(const Failing& f)
    {
        const DeviceId id(f.entity.id);
        if (f.whole()) return m_out.devices.push_back(id);
        if (f.pump >= 0) return m_out.pumps.emplace_back(id, f.pump), void();
        if (f.inlet >= 0)
            waysInto(id, [&](const PowerFeed& way) { return way.inlet == f.inlet; });
        else
            for (const auto& use : m.chain->network.uses(id.value))
                if (m.feeds->of(DeviceId(use.consumer))[use.feed].outlet == f.outlet) m_out.ways.push_back(use);
    }
    template <class Is>
    void waysInto(DeviceId id, Is&& is)
    {
        std::uint32_t feed = 0;
        for (const PowerFeed& way : m.feeds->of(id)) {
            if (is(way)) m_out.ways.push_back({id.value, feed});
            ++feed;
        }
    }
    /// A port without a link may still be the place of a cord within the rack.
    void port(PortId id)
    {
        if (const auto l = m.index->linkOf(id)) return link(*l);
        if (m.s->ports.medium[id] != Medium::Power) return;
        Failing f{ref(m.s->ports.device[id]), -1, -1};
        (m.s->ports.role[id] == PortRole::Down ? f.outlet : f.inlet) = std::int16_t(m.s->ports.number[id]);
        device(f);
    }
    void link(LinkId id)
    {
        if (m.s->ports.medium[m.s->links.from[id]] != Medium::Power)
            m_out.links.push_back(id);
        else if (const auto way = m.wayOf(id))
            m_out.ways.push_back(*way);
    }

    const Model& m;
    Failed m_out;
};

/// "pump2" of two or more; none where it is no such name.
std::optional<std::int16_t> pumpNamed(const DeviceSpec& spec, const std::string& name)
{
    for (int i = 0; i < spec.cooling.pumps; ++i)
        if (name == kPump + std::to_string(i + 1)) return std::int16_t(i);
    return std::nullopt;
}

/// A supply, outlet or pump of a device by the name in its type.
std::optional<Failing> supplyNamed(const Model& m, const std::string& name)
{
    const auto colon = name.rfind(':');
    if (colon == std::string::npos) return std::nullopt;
    const auto device = findEntity(*m.s, *m.parts, name.substr(0, colon));
    if (!device || device->kind != EntityKind::Device) return std::nullopt;
    const DeviceSpec& spec = m.parts->device(m.s->devices.type[DeviceId(device->id)]);
    const std::string own = name.substr(colon + 1);
    for (std::size_t i = 0; i < spec.inlets.size(); ++i)
        if (spec.inlets[i].name == own) return Failing{*device, std::int16_t(i), -1};
    for (std::size_t i = 0; i < spec.outlets.size(); ++i)
        if (spec.outlets[i].name == own) return Failing{*device, -1, std::int16_t(i)};
    if (const auto pump = pumpNamed(spec, own)) return Failing{*device, -1, -1, *pump};
    return std::nullopt;
}

} // namespace

bool canFail(EntityKind kind)
{
    switch (kind) {
    case EntityKind::Building:
    case EntityKind::Hall:
    case EntityKind::Row:
    case EntityKind::Rack:
    case EntityKind::Tray:
    case EntityKind::Device:
    case EntityKind::Cage:
    case EntityKind::Port:
    case EntityKind::Link:
    case EntityKind::Cable: return true;
    default: return false;
    }
}

Result<Failing> findFailing(const Model& m, const std::string& name)
{
    const auto entity = findEntity(*m.s, *m.parts, name);
    if (!entity) {
        if (const auto supply = supplyNamed(m, name)) return *supply;
        return fail(ErrorCode::Refused, name, i18n("unknown element"),
                    i18n("specify a device, rack, row, hall, tray or cable, or a port, power supply, breaker (feed of a "
                         "switchboard, tap-off, outlet) or pump as DEVICE:PORT"));
    }
    if (!canFail(entity->kind))
        return fail(ErrorCode::Refused, name, i18n("this object is not equipment and has no failure mode"),
                    i18n("specify a device, rack, row, hall, tray or cable, or a port, power supply, breaker (feed of a "
                         "switchboard, tap-off, outlet) or pump as DEVICE:PORT"));
    return Failing{*entity, -1, -1};
}

std::string nameOf(const Model& m, const Failing& f)
{
    std::string name = entityName(*m.s, *m.parts, f.entity);
    if (f.whole()) return name;
    const DeviceSpec& spec = m.parts->device(m.s->devices.type[DeviceId(f.entity.id)]);
    name += ':';
    if (f.pump >= 0) return name + kPump + std::to_string(f.pump + 1);
    return name + (f.inlet >= 0 ? spec.inlets[std::size_t(f.inlet)].name : spec.outlets[std::size_t(f.outlet)].name);
}

Failed failedBy(const Model& model, std::span<const Failing> elements)
{
    Gatherer gatherer(model);
    for (const Failing& f : elements) gatherer.add(f);
    return gatherer.take();
}

} // namespace hw::impact

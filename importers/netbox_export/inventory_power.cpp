// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/cords.h"
#include "core/derived/figures/supply.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/catalog/slugs.h"
#include "core/foundation/catalog/sockets.h"
#include "core/foundation/model/places.h"
#include "importers/netbox_export/inventory_maker.h"

#include <fmt/format.h>

namespace hw::netbox {

std::string powerPlug(const std::string& type, bool outlet)
{
    if (type.empty()) return "other";
    return (outlet ? catalog::isPowerOutletSlug(type) : catalog::isPowerPortSlug(type)) ? type : "other";
}

void InventoryMaker::makePanels()
{
    const Supply& supply = m_f.get<SupplyNode>();
    std::set<std::uint32_t> fed, tooHigh;
    std::vector<LinkId> links;
    m_s.links.forEach([&](LinkId link) {
        if (m_s.ports.medium[m_s.links.from[link]] != Medium::Power) return;
        fed.insert(m_s.ports.device[m_s.links.from[link]].value);
        const DeviceId supplier = m_s.ports.device[m_s.links.to[link]];
        if (m_parts.device(m_s.devices.type[supplier]).power.element != PowerElement::Utility) return;
        links.push_back(link);
        const SupplyLine* line = supply.of(link);
        if (!line || line->size.volts > kMostSmall) tooHigh.insert(supplier.value);
    });
    for (const LinkId link : links) {
        const DeviceId panel = m_s.ports.device[m_s.links.to[link]], consumer = m_s.ports.device[m_s.links.from[link]];
        if (tooHigh.contains(panel.value) || fed.contains(panel.value)) continue;
        const auto hall = hallOf(m_s, panel);
        std::size_t& item = m_panels[panel.value];
        if (item == kNone) {
            json body{{"site", ref(siteOf(hall))}, {"name", m_s.devices.name[panel]}, {"tags", tags(hw::ref(panel))}};
            if (hall) body["location"] = ref(m_halls[(*hall).value]);
            body["description"] = m_parts[m_s.devices.type[panel]].slug;
            item = add("dcim/power-panels", m_s.devices.name[panel], std::move(body), hw::ref(panel));
        }
        const SupplyLine* line = supply.of(link);
        const std::int64_t carries = line->size.needMa > 0 ? line->size.needMa : line->size.carriesMa;
        const double volts = line->size.volts;
        const int amperes = int(std::clamp<std::int64_t>((carries + 999) / 1000, 1, kMostSmall));
        const bool direct = takesDirectCurrent(m_parts.device(m_s.devices.type[consumer]));
        m_feedOfLink[link.value] = add("dcim/power-feeds", m_s.devices.name[panel] + " / " + portName(m_s, m_parts, m_s.links.to[link]),
                                       {{"power_panel", ref(item)},
                                        {"name", portName(m_s, m_parts, m_s.links.to[link])},
                                        {"status", "planned"},
                                        {"type", m_s.links.role[link] == LinkRole::Backup ? "redundant" : "primary"},
                                        {"supply", direct ? "dc" : "ac"},
                                        {"phase", direct ? "single-phase" : "three-phase"},
                                        {"voltage", int(std::lround(volts))},
                                        {"amperage", amperes},
                                        {"max_utilization", 100},
                                        {"tags", tags(hw::ref(link))}},
                                       hw::ref(link), {"status"});
    }
    if (!tooHigh.empty())
        m_out.notes.push_back(
            i18np(tooHigh.size(), "{:L} utility connection above 32,767 V is written as a device: NetBox does not support feeds of higher voltage",
                  "{:L} utility connections above 32,767 V are written as devices: NetBox does not support feeds of higher voltage"));
}

Termination InventoryMaker::onlyOnce(const char* table, DeviceId device, const std::string& name, const std::string& plug)
{
    std::string own = name;
    for (int n = 2; m_used.contains({table, m_devices[device.value], own}); ++n) own = fmt::format("{}/{}", name, n);
    m_used.insert({table, m_devices[device.value], own});
    return componentOf(table, device, own, [&](json& body) { body["type"] = plug; });
}

void InventoryMaker::makePowerCables()
{
    const Supply& supply = m_f.get<SupplyNode>();
    for (const SupplyLine& line : supply.lines()) {
        if (line.medium != Medium::Power) continue;
        const PortId from = m_s.links.from[line.link], to = m_s.links.to[line.link];
        const DeviceId consumer = m_s.ports.device[from], supplier = m_s.ports.device[to];
        const DeviceSpec &fed = m_parts.device(m_s.devices.type[consumer]), &feeds = m_parts.device(m_s.devices.type[supplier]);
        const std::size_t in = m_s.ports.number[from], out = m_s.ports.number[to];
        const std::size_t feed = m_feedOfLink[line.link.value];
        if (m_devices[consumer.value] == kNone || (feed == kNone && m_devices[supplier.value] == kNone)) continue;
        const Termination a = onlyOnce("dcim/power-ports", consumer, portName(m_s, m_parts, from),
                                       in < fed.inlets.size() ? powerPlug(fed.inlets[in].type, false) : "other");
        const Termination b = feed != kNone ? Termination{"dcim/power-feeds", feed, {}}
                                            : onlyOnce("dcim/power-outlets", supplier, portName(m_s, m_parts, to),
                                                       out < feeds.outlets.size() ? powerPlug(feeds.outlets[out].type, true) : "other");
        const auto cable = m_s.links.cable[line.link];
        const std::string label = cable ? entityName(m_s, m_parts, hw::ref(*cable)) : fmt::format("power-{:06}", line.link.value + 1);
        addCable(label, cableBody("power", line.lengthMm, label, cable ? hw::ref(*cable) : EntityRef()), {a}, {b},
                 cable ? hw::ref(*cable) : hw::ref(line.link));
    }
}

void InventoryMaker::makeCords()
{
    int number = 0;
    Cords::forCords(m_s, m_parts, m_f.get<PowerFeedsNode>(), [&](const Cord& cord) {
        ++number;
        if (!cord.supplier || cord.inlet < 0 || cord.outlet < 0) return;
        const DeviceSpec &fed = m_parts.device(m_s.devices.type[cord.device]), &feeds = m_parts.device(m_s.devices.type[*cord.supplier]);
        if (std::size_t(cord.inlet) >= fed.inlets.size() || std::size_t(cord.outlet) >= feeds.outlets.size()) return;
        const PowerInlet& inlet = fed.inlets[std::size_t(cord.inlet)];
        const PowerOutlet& outlet = feeds.outlets[std::size_t(cord.outlet)];
        const std::string label = fmt::format("cord-{:06}", number);
        addCable(label, cableBody("power", cord.lengthMm, label, {}),
                 {onlyOnce("dcim/power-ports", cord.device, inlet.name, powerPlug(inlet.type, false))},
                 {onlyOnce("dcim/power-outlets", *cord.supplier, outlet.name, powerPlug(outlet.type, true))}, {});
    });
}

} // namespace hw::netbox

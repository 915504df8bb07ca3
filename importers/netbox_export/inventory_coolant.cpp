// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/chain.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/catalog/sockets.h"
#include "core/foundation/model/places.h"
#include "importers/netbox_export/inventory_maker.h"

#include <fmt/format.h>

namespace hw::netbox {

namespace {

const char* coolingSourceType(CoolingElement element)
{
    switch (element) {
    case CoolingElement::Chiller: return "chiller";
    case CoolingElement::Tower: return "cooling-tower";
    case CoolingElement::DryCooler: return "dry-cooler";
    case CoolingElement::Crah:
    case CoolingElement::FanWall:
    case CoolingElement::InRow: return "crah";
    default: return nullptr;
    }
}

} // namespace

void InventoryMaker::makeCoolant()
{
    std::size_t links = 0;
    m_s.links.forEach([&](LinkId link) { links += m_s.ports.medium[m_s.links.from[link]] == Medium::Coolant; });
    if (m_o.minor < 7) {
        if (links > 0)
            m_out.notes.push_back(i18np(links, "{:L} coolant connection is skipped: cooling models require NetBox 4.7 or later",
                                        "{:L} coolant connections are skipped: cooling models require NetBox 4.7 or later"));
        return;
    }
    std::vector<std::size_t> sources(m_s.devices.nextId(), kNone);
    m_s.devices.forEach([&](DeviceId id) {
        const DeviceSpec& spec = m_parts.device(m_s.devices.type[id]);
        const char* type = coolingSourceType(spec.cooling.element);
        if (!type) return;
        const auto hall = hallOf(m_s, id);
        json body{{"site", ref(siteOf(hall))}, {"name", m_s.devices.name[id]}, {"type", type}, {"status", "planned"}, {"tags", tags(hw::ref(id))}};
        if (hall) body["location"] = ref(m_halls[(*hall).value]);
        const std::string& coolant = spec.cooling.coolant.value;
        if (coolant == "water")
            body["fluid_type"] = "water";
        else if (coolant.starts_with("pg") || coolant.starts_with("eg"))
            body["fluid_type"] = "water-glycol";
        if (spec.capacity.value.count() > 0) body["cooling_capacity"] = inSteps(toWatts(spec.capacity.value) / 1000, 100);
        sources[id.value] = add("dcim/cooling-sources", m_s.devices.name[id], std::move(body), hw::ref(id), {"status"});
    });
    std::set<std::pair<std::size_t, std::string>> outflows, intakes, feeds;
    const auto unique = [](std::set<std::pair<std::size_t, std::string>>& used, std::size_t owner, const std::string& name) {
        std::string own = name;
        for (int n = 2; !used.insert({owner, own}).second; ++n) own = fmt::format("{}/{}", name, n);
        return own;
    };
    m_s.links.forEach([&](LinkId link) {
        const PortId from = m_s.links.from[link], to = m_s.links.to[link];
        if (m_s.ports.medium[from] != Medium::Coolant) return;
        const DeviceId consumer = m_s.ports.device[from], supplier = m_s.ports.device[to];
        const std::size_t source = sources[supplier.value];
        const std::string outName = unique(outflows, m_devices[supplier.value], portName(m_s, m_parts, to));
        const std::string inName = unique(intakes, m_devices[consumer.value], portName(m_s, m_parts, from));
        if (source != kNone) {
            const std::string feed = unique(feeds, source, m_s.devices.name[consumer]);
            json body{{"cooling_source", ref(source)}, {"name", feed}, {"status", "planned"}, {"tags", tags({})}};
            if (const auto rack = m_s.devices.rack[consumer]) body["rack"] = ref(m_racks[(*rack).value]);
            add("dcim/cooling-feeds", m_s.devices.name[supplier] + " / " + feed, std::move(body), hw::ref(link), {"status"});
        }
        const std::size_t out = add("dcim/cooling-outflows", m_s.devices.name[supplier] + " / " + outName,
                                    {{"device", ref(m_devices[supplier.value])}, {"name", outName}}, hw::ref(link));
        add("dcim/cooling-intakes", m_s.devices.name[consumer] + " / " + inName,
            {{"device", ref(m_devices[consumer.value])}, {"name", inName}, {"cooling_outflow", ref(out)}}, hw::ref(link));
    });
}

} // namespace hw::netbox

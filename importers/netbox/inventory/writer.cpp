// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/netbox/inventory/writer.h"

#include "core/design/template/offered_parts.h"
#include "core/foundation/catalog/slugs.h"
#include "importers/netbox/inventory/design_writer.h"
#include "importers/netbox/inventory/values.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::importers::netbox_in {

DesignWriter::DesignWriter(Snapshot& design, Inventory& inventory, const Wiring& wiring, ChosenParts& parts, const Catalog& catalog)
    : m_s(design), m_build(design), m(inventory), m_wiring(wiring), m_parts(parts), m_catalog(catalog), m_places(design, m_build, inventory, parts)
{
    m_s.eachTable([&](const auto& table) { m_before[table.rowKind()] = table.nextId(); });
}

void DesignWriter::run()
{
    m_places.write();
    findManagement();
    nameDevices();
    chooseTiers();
    findUnits();
    for (std::size_t i = 0; i < m.devices.size(); ++i) addDevice(i);
    addSupplies();
    planPorts();
    addPorts();
    addLinks();
    addCooling();
    addNumbers();
    addTags();
    offerParts();
    m_places.finish();
    findNetworkBuildings();
    tell();
}

void DesignWriter::addNumbers()
{
    std::set<std::string> known;
    m_s.hardwareIds.forEach([&](HardwareIdId id) { known.insert(m_s.hardwareIds.value[id]); });
    for (const Port& port : m.of(PortKind::Interface)) {
        const auto device = m_written[port.ofDevice].id;
        if (!device || !isMac(port.mac) || !known.insert(port.mac).second) continue;
        const HardwareIdId id = m_s.hardwareIds.insert();
        m_s.hardwareIds.device.set(id, *device), m_s.hardwareIds.value.set(id, port.mac);
    }
    std::size_t optics = 0;
    for (const Optic& optic : m.optics) {
        const Part* part = m_catalog.find(slugOf(optic.part));
        const Written& written = m_written[std::size_t(optic.device.id)];
        if (!part || !std::holds_alternative<TransceiverSpec>(part->spec) || !written.isNew) continue;
        for (std::size_t i = 0; i < m.of(PortKind::Interface).size(); ++i) {
            const Port& port = m.of(PortKind::Interface)[i];
            if (std::int64_t(port.ofDevice) != optic.device.id || port.name != optic.component.name) continue;
            if (const auto at = endOf({PortKind::Interface, i}, 0))
                m_s.cages.module.set(m_s.ports.cage[*at], Maybe<PartTypeId>(m_build.partType(*part))), ++optics;
        }
    }
    if (optics > 0) m.facts.push_back(i18np(optics, "{:L} transceiver of the inventory", "{:L} transceivers of the inventory"));
}

void DesignWriter::offerParts()
{
    Catalog all = m_catalog;
    std::set<std::string> panels;
    for (const PartTypeId id : m_s.partTypes.ids()) {
        const auto part = partOf(id);
        if (!part) return;
        if (const auto* device = std::get_if<DeviceSpec>(&part->spec); device && device->panel.positions > 0)
            panels.insert({device->panel.connector, device->panel.behind()});
        if (!all.find(part->slug)) all.add(*part);
    }
    const auto offered = offeredParts(m_s.partTypes, all);
    for (const auto& slug : offered)
        if (const Part* part = m_catalog.find(slug)) (void)m_build.partType(*part);
    if (offered.empty()) return;
    for (const auto& [slug, part] : m_catalog.parts(PartKind::Cable)) // trunks and straight cords for panels
        if (const auto* cable = std::get_if<CableSpec>(&part->spec);
            cable && (cable->positions > 1 || !cable->crosses) && panels.contains(cable->connector))
            (void)m_build.partType(*part);
}

void DesignWriter::findNetworkBuildings()
{
    std::set<BuildingId> servers, switches;
    m_s.devices.forEach([&](DeviceId id) {
        const auto rack = m_s.devices.rack[id];
        if (!rack) return;
        const BuildingId building = m_s.halls.building[m_s.rows.hall[m_s.racks.row[*rack]]];
        const TierKind kind = m_s.tiers.kind[m_s.devices.tier[id]];
        if (kind == TierKind::Server) servers.insert(building);
        if (kind == TierKind::Switch) switches.insert(building);
    });
    if (servers.empty()) return;
    for (const BuildingId building : switches)
        if (!servers.contains(building) && m_places.isNew(building)) m_s.buildings.kind.set(building, BuildingKind::Network);
}

bool DesignWriter::isMac(const std::string& text)
{
    return text.size() == 17 &&
           std::ranges::all_of(text, [i = 0](char c) mutable { return i++ % 3 == 2 ? c == ':' : (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

void DesignWriter::tell()
{
    const auto fresh = std::ranges::count_if(m_written, [](const Written& written) { return written.isNew; });
    m.facts.push_back(i18n("{}, {}, {}, {}", i18np(m.sites.size(), "{:L} site", "{:L} sites"), i18np(m.racks.size(), "{:L} rack", "{:L} racks"),
                           i18np(m.devices.size(), "{:L} device", "{:L} devices"), i18np(m.cables.size(), "{:L} cable", "{:L} cables")));
    m.facts.push_back(
        i18n("{}, {}", i18np(m_dataLinks, "{:L} data link", "{:L} data links"), i18np(m_powerLinks, "{:L} power link", "{:L} power links")));
    if (m_followed > 0) m.facts.push_back(i18np(m_followed, "{:L} link over patch panels followed", "{:L} links over patch panels followed"));
    if (m_there > 0) m.facts.push_back(i18np(m_there, "{:L} device is already in the design", "{:L} devices are already in the design"));
    if (m_linksThere > 0) m.facts.push_back(i18np(m_linksThere, "{:L} link is already in the design", "{:L} links are already in the design"));
    if (fresh == 0 && m_there == 0) m.remarks.push_back({m.source, i18n("no devices: only sites, locations and racks are imported")});
    if (m_children > 0)
        m.facts.push_back(i18np(m_children, "{:L} device in a device bay: placed in the rack of its parent, without a rack unit",
                                "{:L} devices in device bays: placed in the racks of their parents, without rack units"));
    if (m_loose > 0)
        m.facts.push_back(i18np(m_loose, "{:L} device without rack and position: not placed; place it with `layout`",
                                "{:L} devices without rack and position: not placed; `layout` places them"));
    if (m_besides > 0)
        m.facts.push_back(i18np(m_besides, "{:L} piece of equipment without position: placed beside the rows",
                                "{:L} pieces of equipment without positions: placed beside the rows"));
    if (m_halved > 0)
        m.facts.push_back(
            i18np(m_halved, "{:L} port is broken out because its peer is slower", "{:L} ports are broken out because their peers are slower"));
    const auto doubt = [&](std::size_t count, const std::string& where, Text what) {
        if (count > 0) m.remarks.push_back({where, std::move(what)});
    };
    doubt(m_noUnit, m_unitWhere,
          i18np(m_noUnit, "{:L} device in a rack without position: lowest free unit assumed",
                "{:L} devices in racks without positions: lowest free units assumed"));
    doubt(m_outside, m_unitWhere,
          i18np(m_outside, "{:L} device with a position outside its rack: lowest free unit assumed",
                "{:L} devices with positions outside their racks: lowest free units assumed"));
    doubt(m_halves, m.source, i18np(m_halves, "{:L} device at half a unit: rounded down", "{:L} devices at half units: rounded down"));
    doubt(m_rates, m_rateWhere, i18np(m_rates, "{:L} link connects ports of different rates", "{:L} links connect ports of different rates"));
    doubt(m_direct, m.source,
          i18np(m_direct, "{:L} link over a panel that is not a patch panel of the design: connected directly",
                "{:L} links over panels that are not patch panels of the design: connected directly"));
    doubt(m_unmade, m_unmadeWhere,
          i18np(m_unmade, "{:L} link not created: its device was skipped, or its type has no such port",
                "{:L} links not created: their devices were skipped, or their types have no such ports"));
}

void writeDesign(Snapshot& design, Inventory& inventory, const Wiring& wiring, ChosenParts& parts, const Catalog& catalog)
{
    DesignWriter(design, inventory, wiring, parts, catalog).run();
}

} // namespace hw::importers::netbox_in

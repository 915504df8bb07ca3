// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/geometry/frame.h"
#include "importers/netbox/inventory/design_writer.h"
#include "importers/netbox/inventory/values.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::importers::netbox_in {

namespace {

constexpr double kFarthestSpot = 1'000'000; ///< mm, of a place in a hall

Stage deviceStage(const std::string& status)
{
    if (status == "inventory") return Stage::Received;
    if (status == "staged" || status == "offline" || status == "failed") return Stage::Installed;
    if (status == "active" || status == "decommissioning") return Stage::Live;
    return Stage::Planned;
}

} // namespace

void DesignWriter::findUnits()
{
    m_s.racks.forEach([&](RackId id) {
        if (const auto part = partOf(m_s.racks.type[id])) m_units.emplace(id, RackUnits(std::get<RackSpec>(part->spec)));
    });
    const auto parts = ProjectParts::of(m_s.partTypes);
    if (!parts) return;
    m_s.devices.forEach([&](DeviceId id) {
        const auto rack = m_s.devices.rack[id];
        if (!rack || m_s.devices.u[id] < 1) return;
        if (const auto units = m_units.find(*rack); units != m_units.end()) units->second.put(mounted(m_s, **parts, id));
    });
}

std::shared_ptr<const Part> DesignWriter::partOf(PartTypeId id)
{
    if (const auto known = m_types.find(id); known != m_types.end()) return known->second;
    auto part = Catalog::parse(m_s.partTypes.definition[id], m_s.partTypes.slug[id]);
    return m_types[id] = part ? std::make_shared<const Part>(std::move(*part)) : nullptr;
}

int DesignWriter::unitOf(const Device& device, const DeviceSpec& spec)
{
    const Rack& rack = m.racks[device.inRack];
    const RackSize& size = rack.ofType != kNone && m.rackTypes[rack.ofType].size.units > 0 ? m.rackTypes[rack.ofType].size : rack.size;
    const auto part = m_parts.ofRack(device.inRack);
    const int height = part ? std::get<RackSpec>(part->spec).heightU : size.units;
    const double position = *device.position;
    m_halves += std::floor(position) != position;
    const int tall = (spec.halfUnits + 1) / 2, first = std::max(1, rack.size.startingUnit);
    if (position < 0 || position > 1'000) return 0;
    const int own = int(std::floor(position)) - first + 1;
    const int u = rack.size.fromTop || size.fromTop ? height - own + 1 - std::max(tall, 1) + 1 : own;
    return u >= 1 && u + std::max(tall, 1) - 1 <= height ? u : 0;
}

void DesignWriter::addDevice(std::size_t i)
{
    Written& written = m_written[i];
    if (!written.part) return;
    const Device& device = m.devices[i];
    const auto& spec = std::get<DeviceSpec>(written.part->spec);
    Tier& tier = m_tiers[written.tier];
    NewDevice row{.name = m_names[i], .tier = *tier.id};
    place(i, spec, row);
    if (written.id) return compare(i, row);
    row.type = m_build.partType(*written.part);
    const bool backup = tier.kind == TierKind::Server && device.spot.backup.value_or(contains(tier.name, {"backup", "spare"}));
    row.role = backup                                                           ? DeviceRole::Backup
               : tier.kind == TierKind::Server || tier.kind == TierKind::Switch ? DeviceRole::Active
                                                                                : DeviceRole::Support;
    row.index = tier.next++;
    const DeviceId id = m_build.device(std::move(row));
    if (const Stage stage = deviceStage(device.status); stage != Stage::Planned) m_s.devices.stage.set(id, stage);
    if (!device.serial.empty()) m_s.devices.serial.set(id, device.serial);
    written.id = id, written.isNew = true;
}

void DesignWriter::place(std::size_t i, const DeviceSpec& spec, NewDevice& row)
{
    const Device& device = m.devices[i];
    const auto rack = device.inRack == kNone ? std::nullopt : m_places.rack(device.inRack);
    row.face = device.face == "rear" ? Face::Rear : Face::Front;
    if (!rack) return placeFree(i, spec, row);
    row.rack = *rack;
    const auto units = m_units.find(*rack);
    if (device.inParent != kNone && !device.position) { // in a bay of another device
        ++m_children;                                   // takes no unit of its own
        return;
    }
    if (device.position) row.u = std::int16_t(unitOf(device, spec));
    if (spec.halfUnits == 0) {
        if (row.u == 0 && device.face.empty()) row.face = ++m_zeroU[*rack] % 2 == 1 ? Face::Left : Face::Right;
        if (const auto& mount = device.spot.mount; mount == "left" || mount == "right") row.face = mount == "left" ? Face::Left : Face::Right;
        return;
    }
    if (row.u == 0 && units != m_units.end()) {
        const bool known = m_written[i].id && m_s.devices.rack[*m_written[i].id] == Maybe<RackId>(*rack);
        row.u = known ? m_s.devices.u[*m_written[i].id] : std::int16_t(units->second.lowestFor(spec, row.face));
        if (!known) ++(device.position ? m_outside : m_noUnit), m_unitWhere = device.where;
        if (row.u == 0) {
            row.rack = {};
            m.remarks.push_back({device.where, i18n("no room for device {} in its rack: not placed", m_names[i])});
            return;
        }
    }
    if (units != m_units.end() && !m_written[i].id) units->second.put(mountedAt(spec, row.face, row.u));
}

void DesignWriter::placeFree(std::size_t i, const DeviceSpec& spec, NewDevice& row)
{
    const Device& device = m.devices[i];
    const std::int32_t width = std::max(spec.width.value.count(), 300), depth = std::max(spec.depth.value.count(), 300);
    const auto hall = m_places.hall(device.inSite, device.inLocation);
    if (!hall) return;
    if (device.spot.placed() && std::abs(*device.spot.x) < kFarthestSpot && std::abs(*device.spot.y) < kFarthestSpot) {
        const double rotation = std::abs(device.spot.rotation.value_or(0)) < 1e6 ? device.spot.rotation.value_or(0) : 0;
        const int quarter = int((std::lround(rotation / 90) % 4 + 4) % 4);
        const std::int32_t x = std::int32_t(std::lround(*device.spot.x)) - (device.drawn ? width / 2 : 0);
        const std::int32_t y = std::int32_t(std::lround(*device.spot.y)) - (device.drawn ? depth / 2 : 0);
        const double z = device.spot.z.value_or(0);
        row.z = Millimeters(std::abs(z) < kFarthestSpot ? std::int32_t(std::lround(z)) : 0);
        if (const auto over = m_places.row(*hall, device.spot.row)) return placeOver(*over, spec, quarter, x, y, row);
        row.hall = *hall, row.angle = std::int16_t(quarter * 90);
        row.x = Millimeters(x), row.y = Millimeters(y);
        return;
    }
    const Purpose purpose = m_parts.purpose(i);
    if (device.inLocation == kNone || (purpose != Purpose::Power && purpose != Purpose::Cooling) || m_written[i].id) {
        m_loose += !m_written[i].id;
        return;
    }
    if (const auto at = m_places.besides(*hall, width, depth))
        row.hall = *hall, row.x = Millimeters(at->first), row.y = Millimeters(at->second), ++m_besides;
}

void DesignWriter::placeOver(RowId over, const DeviceSpec& spec, int quarter, std::int32_t x, std::int32_t y, NewDevice& row)
{
    const int turn = quarterOf(m_s.rows.angle[over]), own = ((quarter - turn) % 4 + 4) % 4;
    std::int32_t along = spec.width.value.count(), across = spec.depth.value.count();
    if (own % 2 != 0) std::swap(along, across);
    if (turn % 2 != 0) std::swap(along, across); // in the frame of the hall
    const std::int32_t dx = x - m_s.rows.x[over].count(), dy = y - m_s.rows.y[over].count();
    std::int32_t ahead = 0, left = 0;
    switch (turn) {
    case 0: ahead = dx, left = dy; break;
    case 1: ahead = dy, left = -(dx + along); break;
    case 2: ahead = -(dx + along), left = -(dy + across); break;
    default: ahead = -(dy + across), left = dx; break;
    }
    row.row = over, row.angle = std::int16_t(own * 90);
    row.x = Millimeters(ahead), row.y = Millimeters(left);
}

void DesignWriter::compare(std::size_t i, const NewDevice& row)
{
    const DeviceId id = *m_written[i].id;
    const Device& device = m.devices[i];
    ++m_there;
    const auto say = [&](Text what) { m.remarks.push_back({device.where, i18n("device {}: {}; unchanged", m_names[i], std::move(what))}); };
    const std::string& here = m_s.partTypes.slug[m_s.devices.type[id]];
    const bool another = here != m_written[i].part->slug;
    if (another) say(i18n("type {} in the design, {} in NetBox", here, m_written[i].part->slug));
    const auto rackName = [&](Maybe<RackId> rack) { return rack ? m_s.racks.name[*rack] : std::string("–"); };
    if (m_s.devices.rack[id] != row.rack)
        say(i18n("rack {} in the design, {} in NetBox", rackName(m_s.devices.rack[id]), rackName(row.rack)));
    else if (row.rack && m_s.devices.u[id] != row.u)
        say(i18n("rack unit {} in the design, {} in NetBox", m_s.devices.u[id], row.u));
    if (another) m_written[i].part.reset(); // its ports are not those of NetBox: nothing is connected to it
}

} // namespace hw::importers::netbox_in

// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/netbox/inventory/places.h"

#include "core/derived/geometry/frame.h"
#include "core/design/layout/layout.h"
#include "importers/netbox/inventory/values.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::importers::netbox_in {

namespace {

constexpr std::int32_t kHallZ = 4'500, kBuildingZ = 7'000, kMargin = 1'000, kBesideOthers = 20'000; ///< mm, as `add` makes them
constexpr std::int32_t kPassage = 1'800;                                                            ///< around rows and before equipment beside them
constexpr std::int32_t kSameLine = 10;  ///< racks of one row are out of line by so much at most
constexpr double kFarthest = 1'000'000; ///< of a place in a hall

/// A corner in the frame of a row that looks along a quarter: ahead, left.
std::pair<std::int32_t, std::int32_t> ofRow(int quarter, std::int32_t x, std::int32_t y)
{
    switch (quarter) {
    case 1: return {y, -x};
    case 2: return {-x, -y};
    case 3: return {-y, x};
    }
    return {x, y};
}

/// What of a place is within bounds.
Spot boundedSpot(Spot spot)
{
    constexpr double kFar = 10'000'000;
    for (auto* one : {&spot.x, &spot.y, &spot.sizeX, &spot.sizeY})
        if (*one && std::abs(**one) > kFar) one->reset();
    for (auto* size : {&spot.sizeX, &spot.sizeY})
        if (*size && **size < 1) size->reset();
    return spot;
}

/// The design's word for how far a rack or device of NetBox is.
Stage rackStage(const std::string& status)
{
    if (status == "available") return Stage::Installed;
    if (status == "active" || status == "deprecated") return Stage::Live;
    return Stage::Planned;
}

} // namespace

Places::Places(Snapshot& design, DesignBuilder& builder, Inventory& inventory, const ChosenParts& parts)
    : m_s(design), m_build(builder), m(inventory), m_parts(parts), m_racks(inventory.racks.size())
{
    m_s.rows.forEach([&](RowId id) { m_rowNames.insert(m_s.rows.name[id]); });
}

const RackSpec* Places::spec(std::size_t rack) const
{
    const auto part = m_parts.ofRack(rack);
    return part ? std::get_if<RackSpec>(&part->spec) : nullptr;
}

/// Racks are named within their location; where two have one name, that of the location or site comes before it.
void Places::nameRacks()
{
    std::map<std::string, int> uses;
    for (const Rack& rack : m.racks) ++uses[rack.name];
    std::set<std::string> taken;
    std::size_t renamed = 0;
    for (const Rack& rack : m.racks) {
        std::string name = rack.name;
        if (uses[name] > 1) {
            if (rack.inLocation != kNone)
                name = m.locations[rack.inLocation].name + "-" + name;
            else if (rack.inSite != kNone)
                name = m.sites[rack.inSite].name + "-" + name;
            ++renamed;
        }
        const std::string wanted = name;
        for (int n = 2; !taken.insert(name).second; ++n) name = fmt::format("{}-{}", wanted, n);
        m_rackNames.push_back(std::move(name));
    }
    if (renamed > 0)
        m.facts.push_back(i18np(renamed, "{:L} rack with a duplicate name: prefixed with its location",
                                "{:L} racks with duplicate names: prefixed with their locations"));
}

SiteId Places::siteOf(std::size_t site)
{
    const std::string name = site == kNone ? "NetBox" : m.sites[site].name;
    const auto known = findNamed(m_s.sites, name);
    return m_sites[site] = known ? *known : m_build.site({.name = name});
}

EntityRef Places::siteEntity(std::size_t site) const
{
    const auto found = m_sites.find(site);
    return found == m_sites.end() ? EntityRef() : ref(found->second);
}

EntityRef Places::locationEntity(std::size_t location) const
{
    if (const auto building = m_buildings.find(location); building != m_buildings.end()) return ref(building->second);
    const auto hall = m_halls.find({m.locations[location].inSite, location});
    return hall == m_halls.end() ? EntityRef() : ref(hall->second.id);
}

/// The building of a hall: the outermost location around it, else one for the site.
BuildingId Places::buildingOf(Key key)
{
    const SiteId site = siteOf(key.first);
    std::string name = m_s.sites.name[site] + "-building"; // no text: a name
    std::size_t up = key.second;
    while (up != kNone && m.locations[up].inParent != kNone) up = m.locations[up].inParent;
    if (up != kNone && up != key.second) name = m.locations[up].name;
    std::optional<BuildingId> known;
    bool taken = false;
    Millimeters x(0);
    m_s.buildings.forEach([&](BuildingId id) {
        x = std::max(x, m_s.buildings.x[id] + m_s.buildings.sizeX[id] + Millimeters(kBesideOthers));
        if (m_s.buildings.name[id] != name) return;
        if (m_s.buildings.site[id] == Maybe<SiteId>(site) && !known) known = id;
        taken = true;
    });
    if (up != kNone && up != key.second && known) m_buildings[up] = *known;
    if (known) return *known;
    if (taken) name = freeName(m_s.buildings, m_s.sites.name[site] + "-" + name);
    const Spot spot = up == kNone || up == key.second ? Spot() : boundedSpot(m.locations[up].spot);
    const BuildingId made = m_build.building({.name = name,
                                              .site = site,
                                              .x = spot.x ? Millimeters(int(*spot.x)) : x,
                                              .y = Millimeters(int(spot.y.value_or(0))),
                                              .sizeX = Millimeters(int(spot.sizeX.value_or(1))),
                                              .sizeY = Millimeters(int(spot.sizeY.value_or(1))),
                                              .sizeZ = Millimeters(kBuildingZ)});
    m_made.insert(made);
    if (up != kNone && up != key.second) m_buildings[up] = made;
    if (spot.x) m_given.insert(made);
    return made;
}

Places::Hall& Places::hallOf(Key key)
{
    if (const auto known = m_halls.find(key); known != m_halls.end()) return known->second;
    Hall hall;
    std::string name = (key.first == kNone ? "NetBox" : m.sites[key.first].name) + "-hall"; // no text: a name
    if (key.second != kNone) {
        name = m.locations[key.second].name;
        const auto alike = std::ranges::count(m.locations, name, &Location::name);
        if (alike > 1 && key.first != kNone) name = m.sites[key.first].name + " " + name;
    }
    if (const auto known = findNamed(m_s.halls, name)) {
        hall.id = *known;
    } else {
        const Spot spot = key.second == kNone ? Spot() : boundedSpot(m.locations[key.second].spot);
        hall.id = m_build.hall({.name = name,
                                .building = buildingOf(key),
                                .x = Millimeters(int(spot.x.value_or(kMargin))),
                                .y = Millimeters(int(spot.y.value_or(kMargin))),
                                .sizeX = Millimeters(int(spot.sizeX.value_or(1))),
                                .sizeY = Millimeters(int(spot.sizeY.value_or(1))),
                                .sizeZ = Millimeters(kHallZ)});
        hall.isNew = true, hall.isSized = spot.sizeX && spot.sizeY;
    }
    return m_halls.emplace(key, std::move(hall)).first->second;
}

std::optional<HallId> Places::hall(std::size_t site, std::size_t location) const
{
    for (std::size_t up = location; up != kNone; up = m.locations[up].inParent)
        if (const auto found = m_halls.find({site, up}); found != m_halls.end()) return found->second.id;
    if (const auto found = m_halls.find({site, kNone}); found != m_halls.end()) return found->second.id;
    for (const auto& [key, hall] : m_halls) // of the whole site
        if (key.first == site) return hall.id;
    return std::nullopt;
}

std::optional<RowId> Places::row(HallId hall, const std::string& name) const
{
    std::optional<RowId> found;
    m_s.rows.forEach([&](RowId id) {
        if (m_s.rows.hall[id] == hall && m_s.rows.name[id] == name) found = id;
    });
    return name.empty() ? std::nullopt : found;
}

void Places::write()
{
    nameRacks();
    for (std::size_t i = 0; i < m.racks.size(); ++i) {
        const Rack& rack = m.racks[i];
        if (!spec(i)) continue;
        Hall& hall = hallOf({rack.inSite, rack.inLocation});
        if (const auto known = findNamed(m_s.racks, m_rackNames[i])) {
            m_racks[i] = *known;
            const std::string here = m_s.partTypes.slug[m_s.racks.type[*known]];
            if (here != m_parts.ofRack(i)->slug)
                m.remarks.push_back({rack.where, i18n("rack {} is of type {} in the design and {} in NetBox: unchanged", m_rackNames[i], here,
                                                      m_parts.ofRack(i)->slug)});
            continue;
        }
        (rack.spot.placed() && std::abs(*rack.spot.x) < kFarthest && std::abs(*rack.spot.y) < kFarthest ? hall.placed : hall.unplaced).push_back(i);
    }
    for (std::size_t i = 0; i < m.devices.size(); ++i) // free on a floor
        if (m.devices[i].inRack == kNone && m.devices[i].spot.placed()) (void)hallOf({m.devices[i].inSite, m.devices[i].inLocation});
    if (m_halls.empty() && !m.devices.empty()) (void)hallOf({m.devices.front().inSite, m.devices.front().inLocation});
    for (auto& [key, hall] : m_halls) {
        if (!hall.isNew) {
            hall.farX = m_s.halls.sizeX[hall.id].count();
            m_s.rows.forEach([&](RowId id) {
                if (m_s.rows.hall[id] == hall.id) hall.farY = std::max(hall.farY, m_s.rows.y[id].count() + 1'200);
            });
        }
        writePlaced(hall);
        writeRows(hall);
    }
    if (m_turned > 0)
        m.remarks.push_back({m.source, i18np(m_turned, "{:L} rack with a rotation that is not a multiple of 90°: rounded",
                                             "{:L} racks with rotations that are not multiples of 90°: rounded")});
    if (m_inRows > 0)
        m.facts.push_back(i18np(m_inRows, "{:L} rack without a position: placed in rows in the order of names, in a hall sized for them",
                                "{:L} racks without positions: placed in rows in the order of names, in halls sized for them"));
}

std::string Places::rowName(const Hall& hall, const std::string& group)
{
    const std::string& of = m_s.halls.name[hall.id];
    std::string wanted = group, name = group;
    if (group.empty()) wanted = name = fmt::format("{}-row-{:02}", of, ++m_rowNumbers[of]);
    for (int n = 2; !m_rowNames.insert(name).second; ++n)
        name = group.empty() ? fmt::format("{}-row-{:02}", of, ++m_rowNumbers[of]) : fmt::format("{}-{}", wanted, n);
    return name;
}

void Places::addRack(std::size_t rack, RowId row, std::int32_t along)
{
    const RackId id =
        m_build.rack({.name = m_rackNames[rack], .row = row, .type = m_build.partType(*m_parts.ofRack(rack)), .along = Millimeters(along)});
    if (const Stage stage = rackStage(m.racks[rack].status); stage != Stage::Planned) m_s.racks.stage.set(id, stage);
    if (!m.racks[rack].serial.empty()) m_s.racks.serial.set(id, m.racks[rack].serial);
    m_racks[rack] = id;
}

/// Racks with places: those of one direction on one line, and of one rack group, are a row.
void Places::writePlaced(Hall& hall)
{
    struct Standing {
        std::string group;
        int quarter = 0;
        std::int32_t line = 0, ahead = 0, left = 0, x = 0, y = 0; ///< line: 0 in a row with a name
        std::size_t rack = 0;
        auto operator<=>(const Standing&) const = default;
    };
    std::vector<Standing> all;
    for (const std::size_t i : hall.placed) {
        const Rack& rack = m.racks[i];
        const double rotation = rack.spot.rotation.value_or(0);
        const double bounded = std::abs(rotation) < 1e6 ? rotation : 0;
        const int quarter = quarterOf(int(std::lround(bounded)));
        m_turned += std::abs(std::remainder(bounded, 90.0)) > 0.5;
        std::int32_t x = std::int32_t(std::lround(*rack.spot.x)), y = std::int32_t(std::lround(*rack.spot.y));
        const std::int32_t width = spec(i)->width.value.count(), depth = spec(i)->depth.value.count();
        if (rack.drawn) { // the middle: to the lower corner
            x -= (quarter % 2 == 0 ? width : depth) / 2, y -= (quarter % 2 == 0 ? depth : width) / 2;
        }
        if (quarter == 1) x += depth; // from the lower corner of the footprint to the left front one
        if (quarter == 2) x += width, y += depth;
        if (quarter == 3) y += width;
        const auto [ahead, left] = ofRow(quarter, x, y);
        all.push_back({rack.spot.row.empty() ? rack.group.name : rack.spot.row, quarter, rack.spot.row.empty() ? left : 0, ahead, left, x, y, i});
        const Point far = Frame{x, y, quarter}.at(spec(i)->width.value.count(), spec(i)->depth.value.count(), 0);
        hall.farX = std::max({hall.farX, x, far.x}), hall.farY = std::max({hall.farY, y, far.y});
    }
    std::ranges::sort(all);
    for (std::size_t first = 0; first < all.size();) {
        const Standing& start = all[first];
        const RowId row = m_build.row({.name = rowName(hall, start.group),
                                       .hall = hall.id,
                                       .x = Millimeters(start.x),
                                       .y = Millimeters(start.y),
                                       .angle = std::int16_t(start.quarter * 90)});
        std::size_t next = first;
        for (; next < all.size() && all[next].group == start.group && all[next].quarter == start.quarter && all[next].line - start.line <= kSameLine;
             ++next) {
            const std::int32_t along = all[next].ahead - start.ahead;
            addRack(all[next].rack, row, along);
            if (all[next].left != start.left) m_s.racks.across.set(*m_racks[all[next].rack], Millimeters(all[next].left - start.left));
        }
        first = next;
    }
}

/// Racks without places: rows in the order of names, two of them around a hot aisle.
void Places::writeRows(Hall& hall)
{
    if (hall.unplaced.empty()) return;
    const layout::Options usual;
    std::ranges::sort(hall.unplaced, [&](std::size_t a, std::size_t b) {
        if (m.racks[a].group.name != m.racks[b].group.name) return naturalLess(m.racks[a].group.name, m.racks[b].group.name);
        if (m_rackNames[a] != m_rackNames[b]) return naturalLess(m_rackNames[a], m_rackNames[b]);
        return a < b;
    });
    std::vector<std::vector<std::size_t>> rows;
    for (const std::size_t rack : hall.unplaced) {
        const bool fresh = rows.empty() || std::int64_t(rows.back().size()) >= usual.racksPerRow ||
                           m.racks[rows.back().front()].group.name != m.racks[rack].group.name;
        if (fresh) rows.emplace_back();
        rows.back().push_back(rack);
    }
    std::int32_t y = hall.farY > 0 ? hall.farY + usual.coldAisle : kPassage, longest = 0;
    const std::int32_t cells = std::int32_t(m_s.rows.nextId());
    for (const auto& row : rows) {
        std::int32_t length = 0;
        for (const std::size_t rack : row) length += spec(rack)->width.value.count();
        longest = std::max(longest, length);
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const bool back = r % 2 == 1; // its rear to that of the row before
        std::int32_t length = 0, depth = 0;
        for (const std::size_t rack : rows[r]) length += spec(rack)->width.value.count(), depth = std::max(depth, spec(rack)->depth.value.count());
        const RowId row = m_build.row({.name = rowName(hall, m.racks[rows[r].front()].group.name),
                                       .hall = hall.id,
                                       .x = Millimeters(back ? kPassage + length : kPassage),
                                       .y = Millimeters(back ? y + depth : y),
                                       .angle = std::int16_t(back ? 180 : 0),
                                       .cell = cells + std::int32_t(r / 2)});
        std::int32_t along = 0;
        for (const std::size_t rack : rows[r]) addRack(rack, row, along), along += spec(rack)->width.value.count(), ++m_inRows;
        hall.farX = std::max(hall.farX, kPassage + length), hall.farY = std::max(hall.farY, y + depth);
        y += depth + (back ? usual.coldAisle : usual.hotAisle);
    }
}

std::optional<std::pair<std::int32_t, std::int32_t>> Places::besides(HallId id, std::int32_t width, std::int32_t depth)
{
    const auto found = std::ranges::find_if(m_halls, [&](const auto& one) { return one.second.id == id; });
    if (found == m_halls.end() || !found->second.isNew) return std::nullopt;
    Hall& hall = found->second;
    if (hall.stripX == 0) hall.stripX = hall.farX + kPassage, hall.stripY = kPassage;
    if (hall.stripY > kPassage && hall.stripY + depth > std::max(hall.farY, 10'000)) hall.stripX = hall.farX + kPassage, hall.stripY = kPassage;
    const std::pair at(hall.stripX, hall.stripY);
    hall.stripY += depth + 200;
    hall.farX = std::max(hall.farX, hall.stripX + width), hall.farY = std::max(hall.farY, at.second + depth);
    return at;
}

void Places::finish()
{
    std::map<BuildingId, std::int32_t> ends; // halls of one building stand beside one another
    for (auto& [key, hall] : m_halls) {
        if (!hall.isNew) continue;
        const BuildingId building = m_s.halls.building[hall.id];
        std::int32_t& end = ends.try_emplace(building, kMargin).first->second;
        m_s.halls.forEach([&](HallId other) {
            if (other != hall.id && m_s.halls.building[other] == building && m_s.halls.sizeX[other].count() > 1)
                end = std::max(end, m_s.halls.x[other].count() + m_s.halls.sizeX[other].count() + kMargin);
        });
        const bool fits = hall.isSized && m_s.halls.sizeX[hall.id].count() >= hall.farX && m_s.halls.sizeY[hall.id].count() >= hall.farY;
        if (!fits) {
            const std::int32_t x = hall.farX + kPassage, y = hall.farY + kPassage;
            if (!hall.isSized) m_s.halls.x.set(hall.id, Millimeters(end));
            m_s.halls.sizeX.set(hall.id, Millimeters(std::max({x, 3'000, m_s.halls.sizeX[hall.id].count()})));
            m_s.halls.sizeY.set(hall.id, Millimeters(std::max({y, 3'000, m_s.halls.sizeY[hall.id].count()})));
        }
        const auto grow = [&](auto& column, std::int32_t least) {
            if (column[building].count() < least) column.set(building, Millimeters(least));
        };
        grow(m_s.buildings.sizeX, m_s.halls.x[hall.id].count() + m_s.halls.sizeX[hall.id].count() + kMargin);
        grow(m_s.buildings.sizeY, m_s.halls.y[hall.id].count() + m_s.halls.sizeY[hall.id].count() + kMargin);
    }
    Millimeters x(0); // buildings that grew stand beside one another again
    for (const BuildingId id : m_s.buildings.ids()) {
        if (ends.contains(id) && !m_given.contains(id) && m_s.buildings.x[id] < x) m_s.buildings.x.set(id, x);
        x = std::max(x, m_s.buildings.x[id] + m_s.buildings.sizeX[id] + Millimeters(kBesideOthers));
    }
}

} // namespace hw::importers::netbox_in

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/fitting/turn_to_walls.h"

#include "core/derived/geometry/placement.h"
#include "core/derived/rules/check.h"
#include "core/design/fitting/place_rules.h"
#include "core/foundation/model/laid_out.h"
#include "core/physics/site/room_shape.h"
#include "core/physics/site/turn.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace hw::fitting {

namespace {

using site::PlanPoint;

constexpr double kOneWallMm = 2;   ///< places of walls that were one before they were rounded to mm
constexpr double kSameWalls = 0.5; ///< degrees between rooms that run in one direction

double directionOf(const Snapshot& s, HallId hall)
{
    const auto outline = site::RoomShape::of(s, hall).outline();
    std::vector<site::WallPiece> walls;
    for (std::size_t i = 0; i < outline.size(); ++i) {
        const auto a = outline[i], b = outline[(i + 1) % outline.size()];
        walls.push_back({{double(a.x), double(a.y)}, {double(b.x), double(b.y)}});
    }
    return site::wallDirection(walls);
}

/// Quarter turns are none.
bool sameDirection(double a, double b)
{
    const double apart = std::abs(std::remainder(a - b, 90));
    return apart <= kSameWalls;
}

Millimeters mm(double value) { return Millimeters(std::int32_t(std::lround(value))); }

/// The plan of a campus, about to be turned.
class PlanTurner {
public:
    PlanTurner(Snapshot& design, const ProjectParts& parts, HallId hall, double degrees)
        : m_s(design), m_parts(parts), m_hall(hall), m_degrees(degrees), m_turn(-degrees), m_before(Placement::compute(design, parts))
    {
        const Box& box = m_before->hall(hall);
        m_about = {std::round((double(box.low.x) + box.high.x) / 2), std::round((double(box.low.y) + box.high.y) / 2)};
    }

    [[nodiscard]] bool furnished() const { return m_furnished; } ///< something stands in a room

    Result<void> run()
    {
        if (auto fine = readRooms(); !fine) return fine;
        const site::Levels across(std::move(m_wallX), kOneWallMm), along(std::move(m_wallY), kOneWallMm);
        m_across = &across, m_along = &along;
        for (auto& [hall, room] : m_rooms) placeRoom(HallId(hall), room);
        turnBuildings();
        turnStructures();
        turnUnderlays();
        turnTrays();
        turnRows();
        turnEquipment();
        return {};
    }

private:
    struct Room {
        std::vector<PlanPoint> outline;                  ///< on the campus, turned
        std::vector<CornerId> corners;                   ///< of it, in order; empty: a rectangle so far
        bool straight = false;                           ///< its walls run along the axes after the turn
        double lowX = 0, lowY = 0;                       ///< its low corner on the campus, turned
        std::int32_t x = 0, y = 0, sizeX = 0, sizeY = 0; ///< the same, to the mm
    };

    [[nodiscard]] PlanPoint turned(PlanPoint p) const
    {
        const PlanPoint q = m_turn({p.x - m_about.x, p.y - m_about.y});
        return {q.x + m_about.x, q.y + m_about.y};
    }
    [[nodiscard]] PlanPoint onCampus(HallId hall, double x, double y) const
    {
        const Box& box = m_before->hall(hall);
        return {box.low.x + x, box.low.y + y};
    }
    Result<void> readRooms()
    {
        std::set<std::uint32_t> furnished;
        m_s.rows.forEach([&](RowId id) { furnished.insert(m_s.rows.hall[id].value); });
        m_s.devices.forEach([&](DeviceId id) {
            if (!m_s.devices.hall[id] || m_s.devices.rack[id] || m_s.devices.row[id]) return;
            furnished.insert((*m_s.devices.hall[id]).value);
            m_equipment.emplace_back(id, m_before->device(m_s, m_parts, id));
        });
        m_furnished = !furnished.empty();
        std::vector<std::pair<std::int32_t, CornerId>> numbered;
        m_s.corners.forEach([&](CornerId id) { numbered.emplace_back(m_s.corners.number[id], id); });
        std::ranges::stable_sort(numbered, {}, [](const auto& corner) { return corner.first; });
        std::optional<Error> error;
        m_s.halls.forEach([&](HallId id) {
            Room& room = m_rooms[id.value];
            room.straight = sameDirection(directionOf(m_s, id), m_degrees);
            if (!room.straight && furnished.contains(id.value) && !error)
                error = Error{ErrorCode::Refused, m_s.halls.name[id],
                              i18n("contains equipment along its own walls: the plan cannot be rotated {:.1f}° to the walls of {}",
                                   std::abs(m_degrees), m_s.halls.name[m_hall]),
                              i18n("use a separate project for {}, or draw both rooms with the same orientation", m_s.halls.name[m_hall])};
            for (const auto& [number, corner] : numbered)
                if (m_s.corners.hall[corner] == id) room.corners.push_back(corner);
            if (room.corners.size() < 3) {
                for (const CornerId corner : room.corners) m_s.corners.erase(corner); // no outline
                room.corners.clear();
            }
            const site::RoomShape shape = site::RoomShape::of(m_s, id);
            for (const site::FloorPoint p : shape.outline()) {
                room.outline.push_back(turned(onCampus(id, p.x, p.y)));
                if (room.straight) m_wallX.push_back(room.outline.back().x), m_wallY.push_back(room.outline.back().y);
            }
        });
        if (error) return tl::unexpected(std::move(*error));
        return {};
    }

    void placeRoom(HallId hall, Room& room)
    {
        if (room.straight)
            for (PlanPoint& p : room.outline) p = {m_across->nearest(p.x), m_along->nearest(p.y)};
        const auto [x1, x2] = std::ranges::minmax(room.outline, {}, &PlanPoint::x);
        const auto [y1, y2] = std::ranges::minmax(room.outline, {}, &PlanPoint::y);
        const double highX = x2.x, highY = y2.y;
        room.lowX = x1.x, room.lowY = y1.y;
        room.x = mm(room.lowX).count(), room.y = mm(room.lowY).count();
        room.sizeX = mm(highX - room.lowX).count(), room.sizeY = mm(highY - room.lowY).count(); // from the low corner: lengths are right to the mm
        for (std::size_t i = 0; i < room.outline.size(); ++i) {
            if (room.corners.size() <= i) {
                const CornerId corner = m_s.corners.insert();
                m_s.corners.hall.set(corner, hall), m_s.corners.number.set(corner, std::int32_t(i));
                room.corners.push_back(corner);
            }
            m_s.corners.x.set(room.corners[i], mm(room.outline[i].x - room.lowX));
            m_s.corners.y.set(room.corners[i], mm(room.outline[i].y - room.lowY));
        }
        m_s.halls.sizeX.set(hall, Millimeters(room.sizeX)), m_s.halls.sizeY.set(hall, Millimeters(room.sizeY));
        markMoved(m_s.halls, hall, overridden::kPlace | overridden::kSize);
    }

    /// As far around its rooms as it was; one without rooms keeps its size.
    void turnBuildings()
    {
        m_s.buildings.forEach([&](BuildingId id) {
            const Box& old = m_before->building(id);
            Box inner{{INT32_MAX, INT32_MAX, 0}, {INT32_MIN, INT32_MIN, 0}}, now = inner;
            const auto add = [](Box& box, std::int32_t x1, std::int32_t y1, std::int32_t x2, std::int32_t y2) {
                box.low.x = std::min(box.low.x, x1), box.low.y = std::min(box.low.y, y1);
                box.high.x = std::max(box.high.x, x2), box.high.y = std::max(box.high.y, y2);
            };
            for (const auto& [hall, room] : m_rooms) {
                if (m_s.halls.building[HallId(hall)] != id) continue;
                const Box& was = m_before->hall(HallId(hall));
                add(inner, was.low.x, was.low.y, was.high.x, was.high.y);
                add(now, room.x, room.y, room.x + room.sizeX, room.y + room.sizeY);
            }
            if (inner.low.x == INT32_MAX) {
                const PlanPoint middle = turned({(double(old.low.x) + old.high.x) / 2, (double(old.low.y) + old.high.y) / 2});
                const std::int32_t x = mm(middle.x - (old.high.x - old.low.x) / 2.0).count(),
                                   y = mm(middle.y - (old.high.y - old.low.y) / 2.0).count();
                now = {{x, y, 0}, {x + old.high.x - old.low.x, y + old.high.y - old.low.y, 0}};
            } else {
                now.low.x -= std::max(0, inner.low.x - old.low.x), now.low.y -= std::max(0, inner.low.y - old.low.y);
                now.high.x += std::max(0, old.high.x - inner.high.x), now.high.y += std::max(0, old.high.y - inner.high.y);
            }
            m_s.buildings.x.set(id, Millimeters(now.low.x)), m_s.buildings.y.set(id, Millimeters(now.low.y));
            m_s.buildings.sizeX.set(id, Millimeters(now.high.x - now.low.x)), m_s.buildings.sizeY.set(id, Millimeters(now.high.y - now.low.y));
            markMoved(m_s.buildings, id, overridden::kPlace | overridden::kSize);
        });
        for (const auto& [hall, room] : m_rooms) {
            const BuildingId building = m_s.halls.building[HallId(hall)];
            m_s.halls.x.set(HallId(hall), Millimeters(room.x - m_s.buildings.x[building].count()));
            m_s.halls.y.set(HallId(hall), Millimeters(room.y - m_s.buildings.y[building].count()));
        }
    }

    /// A place in the frame of a hall, turned with it, on the walls that it is near to.
    [[nodiscard]] PlanPoint placed(HallId hall, double x, double y) const
    {
        const Room& room = m_rooms.at(hall.value);
        PlanPoint p = turned(onCampus(hall, x, y));
        if (room.straight) p = {m_across->nearest(p.x), m_along->nearest(p.y)};
        return {p.x - room.lowX, p.y - room.lowY};
    }

    /// Both ends of a straight piece; one that runs along a wall of the hall does so exactly.
    template <class TableT, class IdT>
    void turnPiece(TableT& t, IdT id, HallId hall)
    {
        PlanPoint a = placed(hall, t.x1[id].count(), t.y1[id].count()), b = placed(hall, t.x2[id].count(), t.y2[id].count());
        const Room& room = m_rooms.at(hall.value);
        if (std::abs(a.x - b.x) <= kOneWallMm) a.x = b.x = between(*m_across, room, room.lowX, a.x, b.x);
        if (std::abs(a.y - b.y) <= kOneWallMm) a.y = b.y = between(*m_along, room, room.lowY, a.y, b.y);
        t.x1.set(id, mm(a.x)), t.y1.set(id, mm(a.y)), t.x2.set(id, mm(b.x)), t.y2.set(id, mm(b.y));
        markMoved(t, id, overridden::kPlace);
    }
    /// The wall near two ends, else the middle of both.
    static double between(const site::Levels& walls, const Room& room, double low, double a, double b)
    {
        const double middle = (a + b) / 2;
        return room.straight ? walls.nearest(low + middle) - low : middle;
    }

    void turnStructures()
    {
        m_s.structures.forEach([&](StructureId id) { turnPiece(m_s.structures, id, m_s.structures.hall[id]); });
    }

    void turnTrays()
    {
        m_s.trays.forEach([&](TrayId id) {
            if (m_s.trays.row[id]) return; // goes with it
            if (m_s.trays.hall[id]) return turnPiece(m_s.trays, id, *m_s.trays.hall[id]);
            const PlanPoint a = turned({double(m_s.trays.x1[id].count()), double(m_s.trays.y1[id].count())});
            const PlanPoint b = turned({double(m_s.trays.x2[id].count()), double(m_s.trays.y2[id].count())});
            m_s.trays.x1.set(id, mm(a.x)), m_s.trays.y1.set(id, mm(a.y)), m_s.trays.x2.set(id, mm(b.x)), m_s.trays.y2.set(id, mm(b.y));
            markMoved(m_s.trays, id, overridden::kPlace);
        });
    }

    /// "x1,y1,x2,y2;…"; what is no line stays as it is.
    void turnUnderlays()
    {
        m_s.underlays.forEach([&](UnderlayId id) {
            const HallId hall = m_s.underlays.hall[id];
            const std::string& text = m_s.underlays.lines[id];
            std::string out;
            for (std::size_t at = 0; at < text.size();) {
                const std::size_t end = std::min(text.find(';', at), text.size());
                std::array<std::int32_t, 4> v{};
                const char *next = text.data() + at, *const last = text.data() + end;
                std::size_t n = 0;
                for (; n < 4; ++n) {
                    const auto [rest, error] = std::from_chars(next, last, v[n]);
                    if (error != std::errc()) break;
                    next = rest;
                    if (n < 3 && (next == last || *next++ != ',')) break;
                }
                if (!out.empty()) out += ';';
                if (n == 4) {
                    const PlanPoint a = placed(hall, v[0], v[1]), b = placed(hall, v[2], v[3]);
                    out += fmt::format("{},{},{},{}", mm(a.x).count(), mm(a.y).count(), mm(b.x).count(), mm(b.y).count());
                } else {
                    out.append(text, at, end - at);
                }
                at = end + 1;
            }
            if (text.ends_with(';')) out += ';';
            m_s.underlays.lines.set(id, out);
        });
    }

    /// How far the middle of a box moves in the frame of its hall.
    [[nodiscard]] std::pair<Millimeters, Millimeters> shiftOf(HallId hall, const Box& box) const
    {
        const Box& was = m_before->hall(hall);
        const double x = (double(box.low.x) + box.high.x) / 2, y = (double(box.low.y) + box.high.y) / 2;
        const PlanPoint middle = turned({x, y});
        const Room& room = m_rooms.at(hall.value);
        return {mm(middle.x - room.lowX - (x - was.low.x)), mm(middle.y - room.lowY - (y - was.low.y))};
    }

    void turnRows()
    {
        m_s.rows.forEach([&](RowId id) {
            const auto [x, y] = shiftOf(m_s.rows.hall[id], m_before->row(id));
            m_s.rows.x.set(id, m_s.rows.x[id] + x), m_s.rows.y.set(id, m_s.rows.y[id] + y);
            markMoved(m_s.rows, id, overridden::kPlace);
        });
    }

    void turnEquipment()
    {
        for (const auto& [id, box] : m_equipment) {
            const auto [x, y] = shiftOf(*m_s.devices.hall[id], box);
            m_s.devices.x.set(id, m_s.devices.x[id] + x), m_s.devices.y.set(id, m_s.devices.y[id] + y);
            markMoved(m_s.devices, id, overridden::kPlace);
        }
    }

    /// Of a template: a regeneration leaves it where it is.
    template <class TableT, class IdT>
    static void markMoved(TableT& table, IdT id, std::uint32_t bits)
    {
        if constexpr (requires { table.key; })
            if (!table.key[id].empty()) table.overridden.set(id, table.overridden[id] | bits);
    }

    Snapshot& m_s;
    const ProjectParts& m_parts;
    HallId m_hall;
    double m_degrees;
    site::Turn m_turn;
    std::shared_ptr<const Placement> m_before;
    PlanPoint m_about;
    std::map<std::uint32_t, Room> m_rooms;
    std::vector<std::pair<DeviceId, Box>> m_equipment; ///< on floors, as it stood
    bool m_furnished = false;
    std::vector<double> m_wallX, m_wallY;
    const site::Levels *m_across = nullptr, *m_along = nullptr;
};

/// What rules of places find after a turn and did not before.
Result<void> breaksNothing(const SnapshotPtr& before, const SnapshotPtr& after, const std::string& hall, double degrees, const Progress& progress)
{
    std::set<std::string> known;
    for (const SnapshotPtr& design : {before, after}) {
        const auto figures = computeFigures(design, progress);
        if (!figures) return tl::unexpected(figures.error());
        const auto found = check(**figures, placeRules(), progress);
        if (!found) return tl::unexpected(found.error());
        for (const Finding& finding : found->findings) {
            if (finding.severity != Severity::Error) continue;
            if (design == after && !known.contains(finding.id))
                return fail(ErrorCode::Refused, hall, i18n("the plan cannot be rotated {:.1f}° to its walls: {}", std::abs(degrees), finding.message),
                            i18n("move or remove the object, then lay out again"));
            known.insert(finding.id);
        }
    }
    return {};
}

} // namespace

double askew(const Snapshot& s, HallId hall)
{
    bool laidOut = false;
    s.rows.forEach([&](RowId id) { laidOut = laidOut || (s.rows.hall[id] == hall && (s.rows.overridden[id] & overridden::kLaidOut)); });
    return laidOut ? 0 : directionOf(s, hall);
}

Result<Turned> turnToWalls(Snapshot& design, HallId hall, const Progress& progress)
{
    const auto parts = ProjectParts::of(design.partTypes);
    if (!parts) return tl::unexpected(parts.error());
    const double degrees = directionOf(design, hall);
    Snapshot turned(design);
    PlanTurner turner(turned, **parts, hall, degrees);
    if (auto done = turner.run(); !done) return tl::unexpected(done.error());
    if (turner.furnished()) {
        const auto fine = breaksNothing(std::make_shared<const Snapshot>(design), std::make_shared<const Snapshot>(turned), design.halls.name[hall],
                                        degrees, progress);
        if (!fine) return tl::unexpected(fine.error());
    }
    Turned out;
    out.clockwise = degrees;
    out.planNorth = site::planNorthAfter(design, -degrees);
    site::setPlanNorth(turned, out.planNorth);
    const std::string& name = design.halls.name[hall];
    out.text = degrees > 0 ? i18n("the plan was rotated {:.1f}° clockwise so that rows run along the walls of {}; plan north is now {:.1f}°", degrees,
                                  name, out.planNorth)
                           : i18n("the plan was rotated {:.1f}° counterclockwise so that rows run along the walls of {}; plan north is now {:.1f}°",
                                  -degrees, name, out.planNorth);
    design = std::move(turned);
    return out;
}

} // namespace hw::fitting

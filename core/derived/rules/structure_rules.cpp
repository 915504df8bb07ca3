// SPDX-License-Identifier: GPL-3.0-or-later
// S5, second part: walls, columns, doors, ramps, corners of rooms. S6: the way in. S8: room before electrical equipment.
#include "core/derived/geometry/frame.h"
#include "core/derived/rules/floor_things.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hw::rules {

namespace {

struct Vec {
    double x = 0, y = 0;
};

/// A rectangle in any direction: a structure on the floor.
struct Slanted {
    std::array<Vec, 4> corner{};
};

Slanted outlineOf(const StructureShape& shape, double beyond)
{
    const double dx = shape.b.x - shape.a.x, dy = shape.b.y - shape.a.y, length = std::hypot(dx, dy), half = shape.width / 2.0 + beyond;
    const Vec along = length > 0 ? Vec{dx / length, dy / length} : Vec{1, 0}, across{-along.y, along.x};
    const double back = length > 0 ? 0 : shape.width / 2.0; // a point is a round column: the square around it
    const auto at = [&](double alongBy, double acrossBy, const Point& from) {
        return Vec{from.x + along.x * alongBy + across.x * acrossBy, from.y + along.y * alongBy + across.y * acrossBy};
    };
    return {{at(-back, -half, shape.a), at(back, -half, shape.b), at(back, half, shape.b), at(-back, half, shape.a)}};
}

/// Separating axes of a rectangle and an upright box; what only touches does not overlap.
bool overlaps(const Slanted& shape, const Box& box)
{
    const std::array<Vec, 4> corners{{{double(box.low.x), double(box.low.y)},
                                      {double(box.high.x), double(box.low.y)},
                                      {double(box.high.x), double(box.high.y)},
                                      {double(box.low.x), double(box.high.y)}}};
    const auto& c = shape.corner;
    const std::array<Vec, 4> axes{{{1, 0}, {0, 1}, {c[1].x - c[0].x, c[1].y - c[0].y}, {c[3].x - c[0].x, c[3].y - c[0].y}}};
    constexpr double kTouch = 0.5; // mm
    for (const Vec& axis : axes) {
        const double length = std::hypot(axis.x, axis.y);
        if (length <= 0) continue;
        const auto span = [&](const std::array<Vec, 4>& of) {
            double low = 1e18, high = -1e18;
            for (const Vec& p : of) {
                const double at = (p.x * axis.x + p.y * axis.y) / length;
                low = std::min(low, at), high = std::max(high, at);
            }
            return std::pair(low, high);
        };
        const auto [lowA, highA] = span(c);
        const auto [lowB, highB] = span(corners);
        if (std::min(highA, highB) - std::max(lowA, lowB) <= kTouch) return false;
    }
    return true;
}

/// What a structure keeps free: itself, of a door as much before and behind it as it is wide.
Slanted keptFree(const RuleInput& input, StructureId id)
{
    const StructureShape& shape = input.figures.placement->structure(id);
    const bool door = input.snapshot().structures.kind[id] == StructureKind::Door;
    return outlineOf(shape, door ? std::hypot(shape.b.x - shape.a.x, shape.b.y - shape.a.y) : 0);
}

std::vector<StructureId> structuresOf(const Snapshot& s, HallId hall)
{
    std::vector<StructureId> out;
    s.structures.forEach([&](StructureId id) {
        if (s.structures.hall[id] == hall) out.push_back(id);
    });
    return out;
}

void intoStructures(const RuleInput& input, const std::vector<FloorThing>& things, std::vector<Finding>& out)
{
    const Snapshot& s = input.snapshot();
    s.structures.forEach([&](StructureId id) {
        const Slanted shape = keptFree(input, id);
        std::vector<EntityRef> hit;
        for (const FloorThing& thing : things)
            if (thing.hall == s.structures.hall[id] && overlaps(shape, thing.box)) hit.push_back(thing.who);
        if (hit.empty()) return;
        const std::string what = input.name(ref(id)), first = input.name(hit.front());
        const bool door = s.structures.kind[id] == StructureKind::Door;
        Finding f{.message = door ? i18n("{} blocks {}", first, what) : i18n("{} overlaps {}", first, what)};
        if (hit.size() > 1) f.message = i18np(hit.size() - 1, "{1}; {0:L} more like this", "{1}; {0:L} more like this", f.message);
        std::vector<std::string> keys;
        for (const EntityRef e : hit) keys.push_back(input.subject(e));
        f.entities = std::move(hit);
        f.entities.push_back(ref(id));
        f.id = findingId("S5", {"structure", input.subject(ref(id))}) + groupMark(std::move(keys));
        out.push_back(std::move(f));
    });
}

/// Corners of a room on the campus, in order; empty for a rectangle.
std::vector<std::vector<Vec>> polygonsOf(const Snapshot& s)
{
    std::vector<std::vector<std::pair<std::int32_t, Vec>>> numbered(s.halls.nextId());
    s.corners.forEach([&](CornerId id) {
        const HallId hall = s.corners.hall[id];
        const Point at = hallFrame(s, hall).at(s.corners.x[id].count(), s.corners.y[id].count(), 0);
        numbered[hall.value].push_back({s.corners.number[id], {double(at.x), double(at.y)}});
    });
    std::vector<std::vector<Vec>> out(numbered.size());
    for (std::size_t hall = 0; hall < numbered.size(); ++hall) {
        std::ranges::stable_sort(numbered[hall], {}, [](const auto& corner) { return corner.first; });
        for (const auto& [number, at] : numbered[hall]) out[hall].push_back(at);
    }
    return out;
}

/// Even-odd; a point on the wall counts as inside on two of four sides, so that boxes are shrunk by a millimeter before.
bool insidePolygon(const std::vector<Vec>& polygon, Vec p)
{
    bool in = false;
    for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
        const Vec &a = polygon[i], &b = polygon[j];
        if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) in = !in;
    }
    return in;
}

/// All corners of the box lie in the room, and no corner of the room in the box.
bool boxInside(const std::vector<Vec>& polygon, const Box& box)
{
    const double lowX = box.low.x + 1, lowY = box.low.y + 1, highX = box.high.x - 1, highY = box.high.y - 1;
    for (const Vec p : {Vec{lowX, lowY}, Vec{highX, lowY}, Vec{highX, highY}, Vec{lowX, highY}})
        if (!insidePolygon(polygon, p)) return false;
    return std::ranges::none_of(polygon, [&](const Vec& p) { return p.x > lowX && p.x < highX && p.y > lowY && p.y < highY; });
}

bool footprintsMeet(const Box& a, const Box& b) { return a.low.x < b.high.x && b.low.x < a.high.x && a.low.y < b.high.y && b.low.y < a.high.y; }

/// Racks and equipment that stand in a wall, or beyond a corner. What stands wholly beside the room, in its yard or gallery, is in no wall.
void outsideRoom(const RuleInput& input, const std::vector<FloorThing>& things, Groups& groups)
{
    const auto polygons = polygonsOf(input.snapshot());
    for (const FloorThing& thing : things) {
        const auto& polygon = polygons[thing.hall.value];
        const Box& room = input.figures.placement->hall(thing.hall);
        if (!footprintsMeet(thing.box, room) || (thing.rack && polygon.size() < 3)) continue; // racks and rectangles: see rackCollisions
        const bool box =
            thing.box.low.x >= room.low.x && thing.box.low.y >= room.low.y && thing.box.high.x <= room.high.x && thing.box.high.y <= room.high.y;
        if (polygon.size() < 3 ? box : boxInside(polygon, thing.box)) continue;
        groups.add("walls|" + input.subject(ref(thing.hall)), thing.who, Severity::Error, 0,
                   [&] { return i18n("{} is not within the walls of {}", input.name(thing.who), input.name(ref(thing.hall))); });
    }
}

void equipmentInRacks(const RuleInput& input, const std::vector<FloorThing>& things, Groups& groups)
{
    std::vector<const FloorThing*> open; // sorted by low x: what the sweep line still cuts
    for (const FloorThing& thing : things) {
        std::erase_if(open, [&](const FloorThing* other) { return other->box.high.x <= thing.box.low.x; });
        for (const FloorThing* other : open) {
            if ((thing.rack && other->rack) || thing.hall != other->hall) continue;
            if (other->box.low.y >= thing.box.high.y || thing.box.low.y >= other->box.high.y) continue;
            const FloorThing &one = thing.rack ? *other : thing, &two = thing.rack ? thing : *other;
            const std::string group = "equipment|" + input.subject(ref(thing.hall));
            groups.add(group, one.who, Severity::Error, 0, [&] { return i18n("{} and {} overlap", input.name(one.who), input.name(two.who)); });
        }
        open.push_back(&thing);
    }
}

} // namespace

std::vector<Finding> structures(const RuleInput& input)
{
    std::vector<Finding> out;
    const auto things = floorThings(input);
    intoStructures(input, things, out);
    Groups groups(input, "S5");
    outsideRoom(input, things, groups);
    equipmentInRacks(input, things, groups);
    for (auto& f : groups.findings()) out.push_back(std::move(f));
    return out;
}

namespace {

/// Cabinets as they are delivered against the lift on their way in.
void intoLift(const RuleInput& input, Groups& groups)
{
    const Snapshot& s = input.snapshot();
    const double kg = input.threshold(kLiftMass), high = input.threshold(kLiftHeight), deep = input.threshold(kLiftDepth),
                 crate = input.threshold(kCrate), filled = input.threshold(kDelivered) / 100;
    if (kg <= 0 && high <= 0 && deep <= 0) return;
    std::vector<std::int64_t> grams(s.racks.nextId());
    s.devices.forEach([&](DeviceId d) {
        if (const auto rack = s.devices.rack[d]) grams[(*rack).value] += input.parts().device(s.devices.type[d]).weight.value.count();
    });
    s.racks.forEach([&](RackId rack) {
        const RackSpec& spec = input.parts().rack(s.racks.type[rack]);
        const std::string group = s.partTypes.slug[s.racks.type[rack]];
        const double weight = (double(spec.weight.value.count()) + filled * double(grams[rack.value])) / 1000,
                     height = spec.height.value.count() + crate;
        if (kg > 0 && weight > kg)
            groups.add("lift|" + group, ref(rack), Severity::Error, weight, [&] {
                return i18n("{}: delivery weight {:L} kg, elevator capacity {:L} kg", input.name(ref(rack)), std::llround(weight), std::llround(kg));
            });
        if (high > 0 && height > high)
            groups.add("lift-height|" + group, ref(rack), Severity::Error, height, [&] {
                return i18n("{}: delivery height {}, elevator limit {}", input.name(ref(rack)), lengthText(std::llround(height)),
                            lengthText(std::llround(high)));
            });
        if (deep > 0 && spec.depth.value.count() > deep)
            groups.add("lift-depth|" + group, ref(rack), Severity::Error, spec.depth.value.count(), [&] {
                return i18n("{}: depth {}, elevator depth {}", input.name(ref(rack)), lengthText(spec.depth.value.count()),
                            lengthText(std::llround(deep)));
            });
    });
}

} // namespace

std::vector<Finding> deliveryPath(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const double play = input.threshold(kDoorPlay), crate = input.threshold(kCrate);
    Groups groups(input, "S6");
    intoLift(input, groups);
    std::vector<std::vector<StructureId>> doors(s.halls.nextId());
    s.structures.forEach([&](StructureId id) {
        if (s.structures.kind[id] == StructureKind::Door) doors[s.structures.hall[id].value].push_back(id);
    });
    const auto fitsThrough = [&](const RackSpec& spec, StructureId door) {
        const StructureShape& shape = input.figures.placement->structure(door);
        const double opening = std::hypot(shape.b.x - shape.a.x, shape.b.y - shape.a.y);
        return (shape.height == 0 || shape.height >= spec.height.value.count() + crate + play) &&
               opening >= std::min(spec.width.value.count(), spec.depth.value.count()) + play;
    };
    s.racks.forEach([&](RackId rack) {
        const HallId hall = s.rows.hall[s.racks.row[rack]];
        const RackSpec& spec = input.parts().rack(s.racks.type[rack]);
        const std::string group = input.subject(ref(hall)) + '|' + s.partTypes.slug[s.racks.type[rack]];
        const std::int32_t clear = s.halls.clearHeight[hall].count();
        if (clear > 0 && spec.height.value.count() > clear)
            groups.add("height|" + group, ref(rack), Severity::Error, 0, [&] {
                return i18n("{} is {} high, but {} has a clear height of {}", input.name(ref(rack)), lengthText(spec.height.value.count()),
                            input.name(ref(hall)), lengthText(clear));
            });
        const auto& ways = doors[hall.value];
        if (ways.empty() || std::ranges::any_of(ways, [&](StructureId door) { return fitsThrough(spec, door); })) return;
        groups.add("door|" + group, ref(rack), Severity::Error, 0, [&] {
            return i18n("{} ({} × {} × {}) fits through no door of {}", input.name(ref(rack)), lengthText(spec.width.value.count()),
                        lengthText(spec.depth.value.count()), lengthText(spec.height.value.count()), input.name(ref(hall)));
        });
    });
    return groups.findings();
}

namespace {

/// The floor before the front of a box, `depth` mm deep.
Box beforeFront(const Box& box, int facing, std::int32_t depth)
{
    Box space = box;
    switch (facing) {
    case 0: space.low.x = box.high.x, space.high.x = box.high.x + depth; break;
    case 90: space.low.y = box.high.y, space.high.y = box.high.y + depth; break;
    case 180: space.high.x = box.low.x, space.low.x = box.low.x - depth; break;
    default: space.high.y = box.low.y, space.low.y = box.low.y - depth; break;
    }
    return space;
}

/// What stands in the working space of a piece of electrical equipment; nothing where it is free.
std::optional<EntityRef> inTheWay(const RuleInput& input, const std::vector<FloorThing>& things, const std::vector<StructureId>& structures,
                                  const FloorThing& thing, std::int32_t grounded, std::int32_t live)
{
    const Box space = beforeFront(thing.box, *thing.electricFront, grounded), wide = beforeFront(thing.box, *thing.electricFront, live);
    const Box& room = input.figures.placement->hall(thing.hall);
    const bool inRoom = footprintsMeet(thing.box, room); // yards have no walls
    if (inRoom && (space.low.x < room.low.x || space.low.y < room.low.y || space.high.x > room.high.x || space.high.y > room.high.y))
        return ref(thing.hall);
    for (const FloorThing& other : things) {
        if (other.who == thing.who || other.hall != thing.hall) continue;
        const bool faces = other.electricFront && (*other.electricFront + 180) % 360 == *thing.electricFront; // live parts on both sides
        if (footprintsMeet(faces ? wide : space, other.box)) return other.who;
    }
    for (const StructureId id : structures)
        if (input.snapshot().structures.kind[id] != StructureKind::Door && input.snapshot().structures.kind[id] != StructureKind::Ramp &&
            overlaps(outlineOf(input.figures.placement->structure(id), 0), space))
            return ref(id);
    return {};
}

} // namespace

std::vector<Finding> workingSpace(const RuleInput& input)
{
    const auto grounded = std::int32_t(input.threshold(kClearGrounded)), live = std::int32_t(input.threshold(kClearLive));
    const auto things = floorThings(input);
    Groups groups(input, "S8");
    std::map<HallId, std::vector<FloorThing>> byHall;
    for (const FloorThing& thing : things) byHall[thing.hall].push_back(thing);
    for (const auto& [hall, all] : byHall) {
        if (std::ranges::none_of(all, [](const FloorThing& t) { return t.electricFront.has_value(); })) continue;
        const auto here = structuresOf(input.snapshot(), hall);
        for (const FloorThing& thing : all) {
            if (!thing.electricFront) continue;
            const auto other = inTheWay(input, all, here, thing, grounded, live);
            if (!other) continue;
            const std::string group =
                input.subject(ref(hall)) + '|' + input.snapshot().partTypes.slug[input.snapshot().devices.type[DeviceId(thing.who.id)]];
            groups.add(group, thing.who, Severity::Error, 0, [&] {
                const Text what = other->kind == EntityKind::Hall ? i18n("wall of {}", input.name(*other)) : verbatim(input.name(*other));
                return i18n("no clear working space in front of {}: blocked by {}; {} to {} required", input.name(thing.who), what,
                            lengthText(grounded), lengthText(live));
            });
        }
    }
    return groups.findings();
}

} // namespace hw::rules

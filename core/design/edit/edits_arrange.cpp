// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/edits_arrange.h"

#include "core/derived/geometry/frame.h"
#include "core/design/edit/places.h"
#include "core/foundation/model/laid_out.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hw::edit {
namespace {

constexpr std::array<std::string_view, 6> kAlignWords{"left", "center-x", "right", "bottom", "center-y", "top"};
constexpr std::int64_t kLeastSide = 50; ///< mm

struct Placed {
    EntityRef entity;
    Box box;
};

std::int64_t low(const Box& b, PlanAxis a) { return a == PlanAxis::X ? b.low.x : b.low.y; }
std::int64_t high(const Box& b, PlanAxis a) { return a == PlanAxis::X ? b.high.x : b.high.y; }

Box around(const std::vector<Placed>& things)
{
    Box all = things.front().box;
    for (const Placed& p : things) {
        all.low = {std::min(all.low.x, p.box.low.x), std::min(all.low.y, p.box.low.y), 0};
        all.high = {std::max(all.high.x, p.box.high.x), std::max(all.high.y, p.box.high.y), 0};
    }
    return all;
}

std::string shownName(const Snapshot& s, const ProjectParts& parts, EntityRef e)
{
    const std::string name = living(s, e) ? entityName(s, parts, e) : std::string();
    return name.empty() ? "arrange" : name;
}

/// The things with their places, without those that others of them carry.
Result<std::vector<Placed>> placedOnes(const Snapshot& s, const ProjectParts& parts, std::span<const EntityRef> entities, std::size_t least)
{
    const auto placement = Placement::compute(s, parts);
    std::vector<Placed> things;
    for (const EntityRef e : entities) {
        if (std::ranges::any_of(things, [&](const Placed& p) { return p.entity == e; })) continue;
        if (std::ranges::any_of(ancestry(s, e), [&](EntityRef up) { return up != e && std::ranges::find(entities, up) != entities.end(); })) continue;
        const auto box = living(s, e) ? boxOf(s, parts, *placement, e) : std::nullopt;
        if (!box)
            return fail(ErrorCode::Refused, shownName(s, parts, e), i18n("has no position of its own"),
                        i18n("supported: buildings, halls, rows, racks, trays, structures and free-standing devices"));
        things.push_back({e, *box});
    }
    if (things.size() >= least) return things;
    return fail(ErrorCode::Refused, "arrange", i18np(things.size(), "{} object given", "{} objects given"),
                i18n("select at least {} that are not inside each other", least));
}

Result<void> moveOne(Transaction& t, EntityRef e, PlanAxis axis, std::int64_t by)
{
    return axis == PlanAxis::X ? moveEntity(t, e, by, 0) : moveEntity(t, e, 0, by);
}

bool inHallFrame(const Snapshot& s, EntityRef e)
{
    switch (e.kind) {
    case EntityKind::Row:
    case EntityKind::Structure: return true;
    case EntityKind::Device: return !s.devices.rack[DeviceId(e.id)] && !s.devices.row[DeviceId(e.id)];
    case EntityKind::Tray: return !s.trays.row[TrayId(e.id)];
    default: return false;
    }
}

Result<void> checkTurns(const Snapshot& s, const ProjectParts& parts, const std::vector<Placed>& things)
{
    for (const Placed& p : things)
        if (!inHallFrame(s, p.entity))
            return fail(ErrorCode::Refused, shownName(s, parts, p.entity), i18n("this object cannot be rotated or mirrored"),
                        i18n("supported: rows, free-standing devices, structures and trays of a hall"));
    return {};
}

/// Where the hall of a thing has its origin on the campus.
PlanPoint originOf(const Snapshot& s, EntityRef e)
{
    std::optional<HallId> hall;
    if (e.kind == EntityKind::Row) hall = s.rows.hall[RowId(e.id)];
    if (e.kind == EntityKind::Structure) hall = s.structures.hall[StructureId(e.id)];
    if (e.kind == EntityKind::Tray && s.trays.hall[TrayId(e.id)]) hall = *s.trays.hall[TrayId(e.id)];
    if (e.kind == EntityKind::Device && s.devices.hall[DeviceId(e.id)]) hall = *s.devices.hall[DeviceId(e.id)];
    if (!hall) return {};
    const Frame frame = hallFrame(s, *hall);
    return {frame.x, frame.y};
}

bool inReach(std::initializer_list<std::int64_t> values)
{
    return std::ranges::all_of(values, [](std::int64_t v) { return std::abs(v) <= column::kFarthest; });
}

Millimeters mm(std::int64_t value) { return Millimeters(std::int32_t(value)); }

Result<void> tooFar(const std::string& name)
{
    return fail(ErrorCode::Refused, name, i18n("new position exceeds ±100 km from the origin"), i18n("reduce the distance"));
}

/// Both ends of a line of any table with x1 … y2 through a function of campus points.
template <class TableT, class IdT, class F>
Result<void> mapEnds(TableT& table, IdT id, PlanPoint origin, F&& to)
{
    const auto end = [&](const auto& x, const auto& y) {
        const PlanPoint p = to(PlanPoint{x[id].count() + origin.x, y[id].count() + origin.y});
        return PlanPoint{p.x - origin.x, p.y - origin.y};
    };
    const PlanPoint a = end(table.x1, table.y1), b = end(table.x2, table.y2);
    if (!inReach({a.x, a.y, b.x, b.y})) return tooFar(table.name[id]);
    table.x1.set(id, mm(a.x)), table.y1.set(id, mm(a.y)), table.x2.set(id, mm(b.x)), table.y2.set(id, mm(b.y));
    table.overridden.set(id, overridden::placedByHand(table.overridden[id]));
    return {};
}

/// Moves a thing so that the low corner of its box, as it is now, comes to a point.
Result<void> bringTo(Transaction& t, const ProjectParts& parts, const Placement& placement, EntityRef e, PlanPoint low)
{
    const auto box = boxOf(*t, parts, placement, e);
    return box ? moveEntity(t, e, low.x - box->low.x, low.y - box->low.y) : Result<void>();
}

PlanPoint turned(PlanPoint p, PlanPoint about, int quarter)
{
    const std::int64_t x = p.x - about.x, y = p.y - about.y;
    switch (quarter) {
    case 1: return {about.x - y, about.y + x};
    case 2: return {about.x - x, about.y - y};
    case 3: return {about.x + y, about.y - x};
    default: return p;
    }
}

/// The racks of a row, and what hangs over it, in the opposite order along it.
void reverseRow(Snapshot& s, const ProjectParts& parts, RowId row)
{
    std::optional<std::int64_t> first, last;
    const auto widthOf = [&](RackId id) { return std::int64_t(parts.rack(s.racks.type[id]).width.value.count()); };
    s.racks.forEach([&](RackId id) {
        if (s.racks.row[id] != row) return;
        const std::int64_t from = s.racks.along[id].count(), to = from + widthOf(id);
        first = std::min(first.value_or(from), from), last = std::max(last.value_or(to), to);
    });
    const std::int64_t sum = first.value_or(0) + last.value_or(0);
    s.racks.forEach([&](RackId id) {
        if (s.racks.row[id] != row) return;
        s.racks.along.set(id, mm(sum - s.racks.along[id].count() - widthOf(id)));
        s.racks.overridden.set(id, overridden::placedByHand(s.racks.overridden[id]));
    });
    s.trays.forEach([&](TrayId id) {
        if (s.trays.row[id] != row) return;
        s.trays.x1.set(id, mm(sum - s.trays.x1[id].count())), s.trays.x2.set(id, mm(sum - s.trays.x2[id].count()));
        s.trays.overridden.set(id, overridden::placedByHand(s.trays.overridden[id]));
    });
    s.devices.forEach([&](DeviceId id) {
        if (s.devices.row[id] != row) return;
        const DeviceSpec& spec = parts.device(s.devices.type[id]);
        const std::int64_t size = quarterOf(s.devices.angle[id]) % 2 == 0 ? spec.width.value.count() : spec.depth.value.count();
        s.devices.x.set(id, mm(sum - s.devices.x[id].count() - size));
        s.devices.overridden.set(id, overridden::placedByHand(s.devices.overridden[id]));
    });
}

template <class TableT, class IdT>
void faceAbout(TableT& table, IdT id)
{
    table.angle.set(id, std::int16_t((table.angle[id] + 180) % 360));
    table.overridden.set(id, overridden::placedByHand(table.overridden[id]));
}

/// Corners of a rectangle in order, of a size that something can have.
Result<PlanLine> rectangleOf(const std::string& name, const PlanLine& to)
{
    PlanLine r = to;
    if (r.x1 > r.x2) std::swap(r.x1, r.x2);
    if (r.y1 > r.y2) std::swap(r.y1, r.y2);
    if (!inReach({r.x1, r.y1, r.x2, r.y2})) return tl::unexpected(tooFar(name).error());
    for (const std::int64_t side : {r.x2 - r.x1, r.y2 - r.y1})
        if (side < kLeastSide || side > column::kLargest)
            return fail(ErrorCode::Refused, name, i18n("{} mm is out of range", side), i18n("specify {} to {} mm", kLeastSide, column::kLargest));
    return r;
}

template <class TableT, class IdT>
void setBox(TableT& table, IdT id, const PlanLine& r)
{
    const auto set = [&](auto& column, std::int64_t value, std::uint32_t bits) {
        if (column[id].count() == value) return;
        column.set(id, mm(value));
        table.overridden.set(id, table.overridden[id] | bits);
    };
    set(table.x, r.x1, overridden::kPlace), set(table.y, r.y1, overridden::kPlace);
    set(table.sizeX, r.x2 - r.x1, overridden::kSize), set(table.sizeY, r.y2 - r.y1, overridden::kSize);
}

Result<void> reshapeBuilding(Transaction& t, BuildingId id, const PlanLine& to)
{
    Snapshot& s = *t;
    const auto r = rectangleOf(s.buildings.name[id], to);
    if (!r) return tl::unexpected(r.error());
    const Shift back{s.buildings.x[id].count() - r->x1, s.buildings.y[id].count() - r->y1};
    setBox(s.buildings, id, *r);
    for (const HallId hall : s.halls.ids())
        if (s.halls.building[hall] == id)
            if (auto moved = shiftPlace(t, ref(hall), back); !moved) return moved;
    return {};
}

Result<void> reshapeHall(Transaction& t, HallId id, const PlanLine& to)
{
    Snapshot& s = *t;
    for (const CornerId corner : s.corners.ids())
        if (s.corners.hall[corner] == id)
            return fail(ErrorCode::Refused, s.halls.name[id], i18n("not a rectangle"), i18n("move its corners instead"));
    const auto r = rectangleOf(s.halls.name[id], to);
    if (!r) return tl::unexpected(r.error());
    const Shift back{s.halls.x[id].count() - r->x1, s.halls.y[id].count() - r->y1};
    setBox(s.halls, id, *r);
    const auto stays = [&](auto& table, auto&& inside) -> Result<void> {
        for (const auto row : table.ids())
            if (inside(row))
                if (auto moved = shiftPlace(t, ref(row), back); !moved) return moved;
        return {};
    };
    if (auto moved = stays(s.rows, [&](RowId row) { return s.rows.hall[row] == id; }); !moved) return moved;
    if (auto moved = stays(s.structures, [&](StructureId row) { return s.structures.hall[row] == id; }); !moved) return moved;
    if (auto moved = stays(s.trays, [&](TrayId row) { return !s.trays.row[row] && s.trays.hall[row] == id; }); !moved) return moved;
    return stays(s.devices, [&](DeviceId row) { return !s.devices.rack[row] && !s.devices.row[row] && s.devices.hall[row] == id; });
}

Result<void> reshapeStructure(Snapshot& s, StructureId id, const PlanLine& to)
{
    auto& t = s.structures;
    PlanLine line = to;
    const bool area = t.kind[id] == StructureKind::KeepOut || t.kind[id] == StructureKind::Column;
    if (area) {
        const auto r = rectangleOf(t.name[id], to);
        if (!r) return tl::unexpected(r.error());
        line = {r->x1, (r->y1 + r->y2) / 2, r->x2, (r->y1 + r->y2) / 2};
        if (t.width[id].count() != r->y2 - r->y1) t.width.set(id, mm(r->y2 - r->y1));
        t.overridden.set(id, t.overridden[id] | overridden::kSize);
    } else if (std::hypot(double(line.x2 - line.x1), double(line.y2 - line.y1)) < double(kLeastSide)) {
        return fail(ErrorCode::Refused, t.name[id], i18n("shorter than {} mm", kLeastSide), i18n("move its ends apart"));
    }
    if (!inReach({line.x1, line.y1, line.x2, line.y2})) return tooFar(t.name[id]);
    t.x1.set(id, mm(line.x1)), t.y1.set(id, mm(line.y1)), t.x2.set(id, mm(line.x2)), t.y2.set(id, mm(line.y2));
    t.overridden.set(id, overridden::placedByHand(t.overridden[id]));
    return {};
}

Result<void> reshapeTray(Snapshot& s, TrayId id, const PlanLine& to)
{
    auto& t = s.trays;
    const std::int64_t z1 = to.z1.value_or(t.z1[id].count()), z2 = to.z2.value_or(t.z2[id].count());
    if (!inReach({to.x1, to.y1, to.x2, to.y2, z1, z2})) return tooFar(t.name[id]);
    if (to.x1 == to.x2 && to.y1 == to.y2 && z1 == z2)
        return fail(ErrorCode::Refused, t.name[id], i18n("both ends at one point"), i18n("move its ends apart"));
    t.x1.set(id, mm(to.x1)), t.y1.set(id, mm(to.y1)), t.x2.set(id, mm(to.x2)), t.y2.set(id, mm(to.y2));
    t.z1.set(id, mm(z1)), t.z2.set(id, mm(z2));
    t.overridden.set(id, overridden::placedByHand(t.overridden[id]));
    return {};
}

} // namespace

std::optional<AlignTo> alignOf(std::string_view word)
{
    const auto at = std::ranges::find(kAlignWords, word);
    return at == kAlignWords.end() ? std::nullopt : std::optional(AlignTo(at - kAlignWords.begin()));
}

std::optional<PlanAxis> axisOf(std::string_view word)
{
    if (word == "x") return PlanAxis::X;
    return word == "y" ? std::optional(PlanAxis::Y) : std::nullopt;
}

std::optional<Box> boxOf(const Snapshot& s, const ProjectParts& parts, const Placement& placement, EntityRef e)
{
    switch (e.kind) {
    case EntityKind::Building: return placement.building(BuildingId(e.id));
    case EntityKind::Hall: return placement.hall(HallId(e.id));
    case EntityKind::Row: return placement.row(RowId(e.id));
    case EntityKind::Rack: return placement.rack(RackId(e.id));
    case EntityKind::Structure: return placement.structure(StructureId(e.id)).box();
    case EntityKind::Tray: {
        const TrayLine& line = placement.tray(TrayId(e.id));
        return boxAround(line.a, line.b);
    }
    case EntityKind::Device: {
        const DeviceId id(e.id);
        if (s.devices.rack[id] || (!s.devices.row[id] && !s.devices.hall[id])) return std::nullopt;
        return placement.device(s, parts, id);
    }
    default: return std::nullopt;
    }
}

Result<void> align(Transaction& t, const ProjectParts& parts, std::span<const EntityRef> entities, AlignTo to)
{
    const auto things = placedOnes(*t, parts, entities, 2);
    if (!things) return tl::unexpected(things.error());
    const Box all = around(*things);
    const PlanAxis axis = to <= AlignTo::Right ? PlanAxis::X : PlanAxis::Y;
    for (const Placed& p : *things) {
        std::int64_t by = low(all, axis) - low(p.box, axis);
        if (to == AlignTo::Right || to == AlignTo::Top) by = high(all, axis) - high(p.box, axis);
        if (to == AlignTo::CenterX || to == AlignTo::CenterY) by = (low(all, axis) + high(all, axis) - low(p.box, axis) - high(p.box, axis)) / 2;
        if (auto moved = moveOne(t, p.entity, axis, by); !moved) return moved;
    }
    return {};
}

Result<void> distribute(Transaction& t, const ProjectParts& parts, std::span<const EntityRef> entities, PlanAxis axis,
                        std::optional<std::int64_t> gap_mm)
{
    auto things = placedOnes(*t, parts, entities, gap_mm ? 2 : 3);
    if (!things) return tl::unexpected(things.error());
    if (gap_mm && !inReach({*gap_mm})) return fail(ErrorCode::Refused, "gap_mm", i18n("{} mm is out of range", *gap_mm), i18n("reduce the distance"));
    std::ranges::stable_sort(*things, {}, [&](const Placed& p) { return low(p.box, axis); });
    std::int64_t filled = 0;
    for (const Placed& p : *things) filled += high(p.box, axis) - low(p.box, axis);
    const Box all = around(*things);
    const std::int64_t gaps = std::int64_t(things->size()) - 1, free = high(all, axis) - low(all, axis) - filled;
    std::int64_t size = 0;
    for (std::size_t i = 0; i < things->size(); ++i) {
        const Box& box = (*things)[i].box;
        const std::int64_t gapsSoFar = gap_mm ? std::int64_t(i) * *gap_mm : std::int64_t(std::llround(double(free) * double(i) / double(gaps)));
        if (auto moved = moveOne(t, (*things)[i].entity, axis, low(all, axis) + size + gapsSoFar - low(box, axis)); !moved) return moved;
        size += high(box, axis) - low(box, axis);
    }
    return {};
}

Result<void> rotateAbout(Transaction& t, const ProjectParts& parts, std::span<const EntityRef> entities, std::int64_t by_deg,
                         std::optional<PlanPoint> about)
{
    const auto things = placedOnes(*t, parts, entities, 1);
    if (!things) return tl::unexpected(things.error());
    if (auto fine = checkTurns(*t, parts, *things); !fine) return fine;
    if (by_deg % 90 != 0)
        return fail(ErrorCode::Refused, "by_deg", i18n("{}° is not a multiple of 90°", by_deg), i18n("specify a multiple of 90, counterclockwise"));
    if (about && !inReach({about->x, about->y})) return tooFar("about");
    const int quarter = quarterOf(int(by_deg % 360));
    const Box all = around(*things);
    const PlanPoint center = about.value_or(PlanPoint{(std::int64_t(all.low.x) + all.high.x) / 2, (std::int64_t(all.low.y) + all.high.y) / 2});
    const auto turn = [&](PlanPoint p) { return turned(p, center, quarter); };
    std::vector<std::pair<EntityRef, PlanPoint>> targets; // low corners of the boxes of what turns itself
    for (const Placed& p : *things) {
        const PlanPoint origin = originOf(*t, p.entity);
        if (p.entity.kind == EntityKind::Structure) {
            if (auto done = mapEnds(t->structures, StructureId(p.entity.id), origin, turn); !done) return done;
        } else if (p.entity.kind == EntityKind::Tray) {
            if (auto done = mapEnds(t->trays, TrayId(p.entity.id), origin, turn); !done) return done;
        } else {
            const PlanPoint a = turn({p.box.low.x, p.box.low.y}), b = turn({p.box.high.x, p.box.high.y});
            if (auto done = rotate(t, p.entity, by_deg); !done) return done;
            targets.push_back({p.entity, {std::min(a.x, b.x), std::min(a.y, b.y)}});
        }
    }
    if (targets.empty()) return {};
    const auto placement = Placement::compute(*t, parts);
    for (const auto& [entity, corner] : targets)
        if (auto done = bringTo(t, parts, *placement, entity, corner); !done) return done;
    return {};
}

Result<void> mirror(Transaction& t, const ProjectParts& parts, std::span<const EntityRef> entities, PlanAxis axis, std::optional<std::int64_t> at_mm)
{
    const auto things = placedOnes(*t, parts, entities, 1);
    if (!things) return tl::unexpected(things.error());
    if (auto fine = checkTurns(*t, parts, *things); !fine) return fine;
    const Box all = around(*things);
    if (at_mm && !inReach({*at_mm})) return tooFar("at_mm");
    const std::int64_t sum = at_mm ? 2 * *at_mm : low(all, axis) + high(all, axis);
    const auto reflect = [&](PlanPoint p) { return axis == PlanAxis::X ? PlanPoint{sum - p.x, p.y} : PlanPoint{p.x, sum - p.y}; };
    std::vector<std::pair<EntityRef, PlanPoint>> targets;
    for (const Placed& p : *things) {
        const PlanPoint origin = originOf(*t, p.entity);
        if (p.entity.kind == EntityKind::Structure) {
            if (auto done = mapEnds(t->structures, StructureId(p.entity.id), origin, reflect); !done) return done;
            continue;
        }
        if (p.entity.kind == EntityKind::Tray) {
            if (auto done = mapEnds(t->trays, TrayId(p.entity.id), origin, reflect); !done) return done;
            continue;
        }
        const PlanPoint a = reflect({p.box.low.x, p.box.low.y}), b = reflect({p.box.high.x, p.box.high.y});
        targets.push_back({p.entity, {std::min(a.x, b.x), std::min(a.y, b.y)}});
        const bool row = p.entity.kind == EntityKind::Row;
        const int angle = row ? t->rows.angle[RowId(p.entity.id)] : t->devices.angle[DeviceId(p.entity.id)];
        const bool across = (quarterOf(angle) % 2 == 0) == (axis == PlanAxis::Y); // the front looks along the axis
        if (row) reverseRow(*t, parts, RowId(p.entity.id));
        if (across && row) faceAbout(t->rows, RowId(p.entity.id));
        if (across && !row) faceAbout(t->devices, DeviceId(p.entity.id));
    }
    if (targets.empty()) return {};
    const auto placement = Placement::compute(*t, parts);
    for (const auto& [entity, corner] : targets)
        if (auto done = bringTo(t, parts, *placement, entity, corner); !done) return done;
    return {};
}

Result<void> reshape(Transaction& t, EntityRef e, const PlanLine& to)
{
    if (living(*t, e) && (e.kind == EntityKind::Tray || (!to.z1 && !to.z2))) {
        if (e.kind == EntityKind::Building) return reshapeBuilding(t, BuildingId(e.id), to);
        if (e.kind == EntityKind::Hall) return reshapeHall(t, HallId(e.id), to);
        if (e.kind == EntityKind::Structure) return reshapeStructure(*t, StructureId(e.id), to);
        if (e.kind == EntityKind::Tray) return reshapeTray(*t, TrayId(e.id), to);
    }
    return fail(ErrorCode::Refused, "reshape", i18n("this object cannot be reshaped this way"),
                i18n("supported: buildings, halls, structures, and trays, which alone have z1_mm and z2_mm"));
}

} // namespace hw::edit

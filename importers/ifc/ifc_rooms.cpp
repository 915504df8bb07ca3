// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/ifc/ifc_rooms.h"

#include "core/design/build/design_builder.h"
#include "importers/rooms/replaced_room.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <set>

#include <fmt/format.h>

namespace hw::importers::ifc {

namespace {

constexpr double kMargin = 1000, kBesideOthers = 20'000, kAbove = 2500,
                 kHeight = 4500; ///< mm: around and between buildings, over rooms; assumed height
constexpr double kSmallest = 1000, kLargest = 10'000'000, kFarthestSite = 1'000'000'000; ///< mm, of a room; of a place on the campus
constexpr double kNearWall = 50, kNearDoor = 500; ///< mm: what is so near to a room's outline belongs to it; a door is in the middle of its wall
constexpr double kParallel = 0.05 * std::numbers::pi / 180;

struct Rect {
    double x1 = INFINITY, y1 = INFINITY, x2 = -INFINITY, y2 = -INFINITY;
    void add(Spot2 p) { x1 = std::min(x1, p.x), y1 = std::min(y1, p.y), x2 = std::max(x2, p.x), y2 = std::max(y2, p.y); }
    [[nodiscard]] double width() const { return x2 - x1; }
    [[nodiscard]] double depth() const { return y2 - y1; }
};
Rect around(const std::vector<Spot2>& outline)
{
    Rect rect;
    for (const Spot2 p : outline) rect.add(p);
    return rect;
}

/// Halves go up, so that neighbors meet.
std::int32_t whole(double mm) { return std::int32_t(std::floor(mm + 0.5 + 1e-4)); }
Millimeters mm(double v) { return Millimeters(whole(v)); }

Spot2 turned(Spot2 p, double angle) { return {p.x * std::cos(angle) - p.y * std::sin(angle), p.x * std::sin(angle) + p.y * std::cos(angle)}; }

/// Cuts a line off at a rectangle; false: it is outside.
bool clip(Spot2& a, Spot2& b, const Rect& r)
{
    double from = 0, to = 1;
    const double dx = b.x - a.x, dy = b.y - a.y;
    const auto side = [&](double p, double q) {
        if (p == 0) return q >= 0;
        const double t = q / p;
        if (p < 0)
            from = std::max(from, t);
        else
            to = std::min(to, t);
        return from <= to;
    };
    if (!side(-dx, a.x - r.x1) || !side(dx, r.x2 - a.x) || !side(-dy, a.y - r.y1) || !side(dy, r.y2 - a.y)) return false;
    const Spot2 start = a;
    if (to < 1) b = {start.x + dx * to, start.y + dy * to};
    if (from > 0) a = {start.x + dx * from, start.y + dy * from};
    return true;
}

/// Rooms that get one building.
struct Group {
    std::string name;
    std::uint64_t building = 0;
    std::vector<const IfcRoom*> rooms;
};

class RoomWriter {
public:
    RoomWriter(Snapshot& design, const IfcModel& model, const RoomChoice& choice, exchange::ImportPlan& plan)
        : m_s(design), m_build(design), m_model(model), m_choice(choice), m_plan(plan)
    {
    }

    Result<void> run()
    {
        if (const auto chosen = choose(); !chosen) return chosen;
        if (!m_choice.hall.empty()) return intoHall();
        for (const Group& group : groups())
            if (const auto written = newBuilding(group); !written) return written;
        tell();
        return {};
    }

private:
    void doubt(Text what) { m_plan.issues.push_back({m_choice.path, std::move(what)}); }

    [[nodiscard]] std::string label(const IfcRoom& room) const
    {
        if (!room.name.empty()) return room.name;
        return room.longName.empty() ? m_choice.stem : room.longName;
    }

    Result<void> choose()
    {
        std::set<std::string> missing(m_choice.spaces.begin(), m_choice.spaces.end());
        std::vector<std::string> names;
        for (const IfcRoom& room : m_model.rooms) {
            names.push_back(label(room));
            const bool named =
                std::ranges::any_of(m_choice.spaces, [&](const auto& wanted) { return wanted == room.name || wanted == room.longName; });
            missing.erase(room.name), missing.erase(room.longName);
            if (m_choice.spaces.empty() || named) m_rooms.push_back(&room);
        }
        if (m_model.rooms.empty())
            return fail(ErrorCode::Refused, m_choice.path, i18n("contains no spaces, and its walls do not enclose a room"),
                        i18n("export the spaces (IfcSpace) with their bodies"));
        if (missing.empty()) return checkSizes();
        constexpr std::size_t kMostNames = 20;
        if (names.size() > kMostNames) names.resize(kMostNames);
        return fail(ErrorCode::Refused, "--space " + *missing.begin(), i18n("space not found"), i18n("choose from {}", listedNames(names)));
    }

    Result<void> checkSizes()
    {
        std::vector<const IfcRoom*> kept;
        for (const IfcRoom* room : m_rooms) {
            const Rect size = around(room->outline);
            if (std::min(size.width(), size.depth()) >= kSmallest && std::max(size.width(), size.depth()) <= kLargest)
                kept.push_back(room);
            else
                doubt(i18n("space {} is skipped: {:.3f} m × {:.3f} m", label(*room), size.width() / 1000, size.depth() / 1000));
        }
        m_rooms = std::move(kept);
        if (!m_rooms.empty()) return {};
        return fail(ErrorCode::Refused, m_choice.path, i18n("no space between 1 m and 10 km in size"), i18n("check the length unit of the model"));
    }

    // --- Buildings ------------------------------------------------------------------------------------------------------------------------------
    [[nodiscard]] std::vector<Group> groups() const
    {
        std::map<std::uint64_t, std::set<std::uint64_t>> stories; // of a building
        for (const IfcRoom* room : m_rooms) stories[room->building].insert(room->story);
        std::map<std::pair<std::uint64_t, std::uint64_t>, Group> all;
        for (const IfcRoom* room : m_rooms) {
            const bool several = stories[room->building].size() > 1;
            Group& group = all[{room->building, several ? room->story : 0}];
            group.building = room->building;
            group.rooms.push_back(room);
            const auto building = m_model.buildings.find(room->building);
            group.name = building == m_model.buildings.end() || building->second.name.empty() ? m_choice.stem : building->second.name;
            const auto story = m_model.stories.find(room->story);
            if (several && story != m_model.stories.end() && !story->second.name.empty()) group.name += " " + story->second.name;
        }
        std::vector<Group> list;
        for (auto& [key, group] : all) list.push_back(std::move(group));
        return list;
    }

    /// By which everything is turned, so that walls run along the axes.
    static double turnOf(const std::vector<const IfcRoom*>& rooms)
    {
        double longest = 0, angle = 0;
        for (const IfcRoom* room : rooms)
            for (std::size_t i = 0; i < room->outline.size(); ++i) {
                const Spot2 a = room->outline[i], b = room->outline[(i + 1) % room->outline.size()];
                const double length = std::hypot(b.x - a.x, b.y - a.y);
                double own = std::remainder(std::atan2(b.y - a.y, b.x - a.x), std::numbers::pi / 2);
                if (length > kSmallest && std::abs(own) < kParallel) return 0;
                if (length > longest) longest = length, angle = own;
            }
        return -angle;
    }

    template <class T>
    std::string freeName(const T& table, const std::string& wanted) const
    {
        std::set<std::string> taken;
        table.forEach([&](auto id) { taken.insert(table.name[id]); });
        std::string name = wanted;
        for (int n = 2; taken.contains(name); ++n) name = fmt::format("{}-{}", wanted, n);
        return name;
    }

    static double numberIn(const std::map<std::string, std::string>& values, const char* name, double most = kLargest)
    {
        const auto found = values.find(name);
        double number = 0;
        if (found != values.end()) std::from_chars(found->second.data(), found->second.data() + found->second.size(), number);
        return std::isfinite(number) && number > 0 && number < most ? number : 0;
    }
    template <Worded E>
    static E wordIn(const std::map<std::string, std::string>& values, const char* name, E otherwise)
    {
        const auto found = values.find(name);
        return found == values.end() ? otherwise : fromWord<E>(found->second).value_or(otherwise);
    }

    Result<void> newBuilding(const Group& group)
    {
        const double turn = turnOf(group.rooms);
        if (turn != 0) doubt(i18n("building {} is rotated by {:.1f}° so that rows run along its walls", group.name, turn * 180 / std::numbers::pi));
        Rect extent;
        double tallest = 0;
        for (const IfcRoom* room : group.rooms) {
            for (const Spot2 p : room->outline) extent.add(turned(p, turn));
            tallest = std::max(tallest, room->height > 0 ? room->height : kHeight);
        }
        if (std::max(extent.width(), extent.depth()) > kLargest)
            return fail(ErrorCode::Refused, m_choice.path, i18n("building {} is larger than 10 km", group.name),
                        i18n("check the length unit of the model"));
        Spot2 origin{extent.x1 - kMargin, extent.y1 - kMargin};
        static const std::map<std::string, std::string> kNone;
        const auto known = m_model.buildings.find(group.building);
        const auto& own = known == m_model.buildings.end() ? kNone : known->second.properties;
        if (turn == 0 && known != m_model.buildings.end() && known->second.origin) {
            const Spot3 o = *known->second.origin;
            if (extent.x1 >= o.x - 0.5 && extent.y1 >= o.y - 0.5 && extent.x1 - o.x < kLargest && extent.y1 - o.y < kLargest) origin = {o.x, o.y};
        }
        NewBuilding row;
        row.name = freeName(m_s.buildings, group.name);
        const auto sites = m_s.sites.ids();
        if (sites.size() == 1) row.site = sites.front();
        row.kind = wordIn(own, "Kind", BuildingKind::Pod);
        const double sizeX = extent.x2 - origin.x, sizeY = extent.y2 - origin.y;
        const double ownX = numberIn(own, "SizeX"), ownY = numberIn(own, "SizeY"), ownZ = numberIn(own, "SizeZ");
        row.sizeX = mm(ownX >= sizeX - 0.5 ? ownX : sizeX + kMargin), row.sizeY = mm(ownY >= sizeY - 0.5 ? ownY : sizeY + kMargin);
        row.sizeZ = mm(ownZ > 0 ? ownZ : tallest + kAbove);
        place(row, origin);
        const BuildingId building = m_build.building(row);
        for (const IfcRoom* room : group.rooms) newHall(*room, building, origin, turn);
        return {};
    }

    /// Where the model has it, unless something is there already.
    void place(NewBuilding& row, Spot2 origin)
    {
        Millimeters beside(0);
        const bool far = std::abs(origin.x) > kFarthestSite || std::abs(origin.y) > kFarthestSite;
        bool meets = false;
        if (!far) row.x = mm(origin.x), row.y = mm(origin.y);
        m_s.buildings.forEach([&](BuildingId id) {
            const auto& t = m_s.buildings;
            beside = std::max(beside, t.x[id] + t.sizeX[id] + mm(kBesideOthers));
            const bool apart =
                row.x + row.sizeX <= t.x[id] || t.x[id] + t.sizeX[id] <= row.x || row.y + row.sizeY <= t.y[id] || t.y[id] + t.sizeY[id] <= row.y;
            meets = meets || !apart;
        });
        if (!far && !meets) return;
        row.x = beside, row.y = Millimeters(0);
        doubt(far ? i18n("building {}: position out of range; it is placed beside the other buildings", row.name)
                  : i18n("building {} overlaps another one; it is placed beside the other buildings", row.name));
    }

    void newHall(const IfcRoom& room, BuildingId building, Spot2 origin, double turn)
    {
        Rect extent;
        for (const Spot2 p : room.outline) extent.add(turned(p, turn));
        NewHall row;
        row.name = freeName(m_s.halls, label(room));
        row.building = building;
        row.x = mm(extent.x1 - origin.x), row.y = mm(extent.y1 - origin.y);
        row.sizeX = Millimeters(whole(extent.x2 - origin.x) - row.x.count()), row.sizeY = Millimeters(whole(extent.y2 - origin.y) - row.y.count());
        row.sizeZ = mm(heightOf(room));
        row.kind = wordIn(room.properties, "Kind", RoomKind::Hall);
        row.floor = wordIn(room.properties, "Floor", FloorKind::Slab);
        row.floorLoad = KilogramsPerSquareMeter(std::int32_t(std::min(numberIn(room.properties, "FloorLoadKgPerM2"), 100'000.0)));
        row.clearHeight = mm(std::min(numberIn(room.properties, "ClearHeight"), 100'000.0));
        row.itLimit = Milliwatts(std::llround(numberIn(room.properties, "PowerLimit", 1e12) * 1000));
        const HallId hall = m_build.hall(row);
        const Spot2 corner{origin.x + row.x.count(), origin.y + row.y.count()};
        contents(room, hall, corner, turn);
    }

    double heightOf(const IfcRoom& room)
    {
        if (room.height >= 1 && room.height < 1e6) return room.height;
        doubt(i18n("space {} has no height: {} m assumed", label(room), kHeight / 1000));
        return kHeight;
    }

    // --- What is in a room ----------------------------------------------------------------------------------------------------------------------
    /// Corners, walls, columns and doors; `corner`: of the hall's frame in the turned world.
    void contents(const IfcRoom& room, HallId hall, Spot2 corner, double turn)
    {
        std::vector<std::pair<std::int32_t, std::int32_t>> corners;
        Rect extent;
        std::int32_t x2 = 0, y2 = 0;
        for (const Spot2 p : room.outline) {
            const Spot2 t = turned(p, turn);
            extent.add(t);
            const std::pair at(whole(t.x - corner.x), whole(t.y - corner.y));
            if (corners.empty() || corners.back() != at) corners.push_back(at);
            x2 = std::max(x2, at.first), y2 = std::max(y2, at.second);
        }
        while (corners.size() > 1 && corners.front() == corners.back()) corners.pop_back();
        const bool rectangle = corners.size() == 4 && std::ranges::all_of(corners, [&](const auto& c) {
                                   return (c.first == 0 || c.first == x2) && (c.second == 0 || c.second == y2);
                               });
        if (!rectangle) m_build.corners(hall, corners);
        ++m_halls;
        for (const IfcPiece& piece : m_model.pieces) pieceInto(room, piece, hall, extent, corner, turn);
    }

    void pieceInto(const IfcRoom& room, const IfcPiece& piece, HallId hall, const Rect& extent, Spot2 corner, double turn)
    {
        Spot2 a = turned(piece.a, turn), b = turned(piece.b, turn);
        if (piece.spaces.empty()) { // by its place
            if (room.story != 0 && piece.story != 0 && room.story != piece.story) return;
            if (piece.low > room.low + std::max(room.height, kHeight) || piece.low + piece.height < room.low) return;
            const double by = piece.kind == StructureKind::Door ? std::max(piece.width / 2, kNearDoor) : piece.width / 2 + kNearWall;
            const Rect reach{extent.x1 - by, extent.y1 - by, extent.x2 + by, extent.y2 + by};
            if (!clip(a, b, reach)) return;
        } else if (std::ranges::find(piece.spaces, room.number) == piece.spaces.end()) {
            return;
        }
        NewStructure row;
        const std::size_t number = ++m_counts[piece.kind];
        if (m_names.empty()) m_s.structures.forEach([&](StructureId id) { m_names.insert(m_s.structures.name[id]); });
        const std::string plain = fmt::format("{}-{}-{}", m_s.halls.name[hall], wordOf(piece.kind), number);
        row.name = piece.name.empty() || m_names.contains(piece.name) ? plain : piece.name;
        for (int n = 2; !m_names.insert(row.name).second; ++n) row.name = fmt::format("{}-{}", plain, n);
        row.hall = hall;
        row.kind = piece.kind;
        row.x1 = mm(a.x - corner.x), row.y1 = mm(a.y - corner.y), row.x2 = mm(b.x - corner.x), row.y2 = mm(b.y - corner.y);
        row.width = Millimeters(std::max(whole(piece.width), 1));
        const bool flat = piece.kind == StructureKind::Ramp || piece.kind == StructureKind::KeepOut;
        const double roomHeight = m_s.halls.sizeZ[hall].count();
        if (!flat && piece.height >= 1 && piece.height < 100'000 && std::abs(piece.height - roomHeight) > 1) row.height = mm(piece.height);
        m_build.structure(row);
    }

    // --- Into a hall that is there --------------------------------------------------------------------------------------------------------------
    Result<void> intoHall()
    {
        std::optional<HallId> found;
        std::vector<std::string> names;
        m_s.halls.forEach([&](HallId id) {
            names.push_back(m_s.halls.name[id]);
            if (m_s.halls.name[id] == m_choice.hall) found = id;
        });
        if (!found)
            return fail(ErrorCode::Refused, "--hall " + m_choice.hall, i18n("hall not found"),
                        names.empty() ? i18n("omit it to create a hall") : i18n("choose from {}", listedNames(names)));
        if (m_rooms.size() != 1)
            return fail(ErrorCode::Refused, "--hall " + m_choice.hall, i18np(m_rooms.size(), "the model has {} space", "the model has {} spaces"),
                        i18n("choose one with --space"));
        const IfcRoom& room = *m_rooms.front();
        const double turn = turnOf(m_rooms);
        Rect extent;
        for (const Spot2 p : room.outline) extent.add(turned(p, turn));
        auto& t = m_s.halls;
        const auto put = [&](auto& column, Millimeters value) {
            if (column[*found] == value) return;
            column.set(*found, value);
            t.overridden.set(*found, t.overridden[*found] | overridden::kSize);
        };
        const Spot2 corner{extent.x1, extent.y1};
        put(t.sizeX, mm(extent.width())), put(t.sizeY, mm(extent.depth())), put(t.sizeZ, mm(heightOf(room)));
        std::set<StructureKind> brought;
        for (const IfcPiece& piece : m_model.pieces) brought.insert(piece.kind);
        const auto said = [this](Text what) { doubt(std::move(what)); };
        clearRoom(m_s, *found, brought, said);
        contents(room, *found, corner, turn);
        growBuilding(m_s, *found, said);
        tell();
        return {};
    }

    void tell()
    {
        const auto count = [&](StructureKind kind) { return m_counts[kind]; };
        m_plan.facts.push_back(i18n("{}, {}, {}, {}", i18np(m_halls, "{} room", "{} rooms"), i18np(count(StructureKind::Wall), "{} wall", "{} walls"),
                                    i18np(count(StructureKind::Column), "{} column", "{} columns"),
                                    i18np(count(StructureKind::Door), "{} door", "{} doors")));
        if (count(StructureKind::Ramp) + count(StructureKind::KeepOut) > 0)
            m_plan.facts.push_back(i18n("{}, {}", i18np(count(StructureKind::Ramp), "{} ramp", "{} ramps"),
                                        i18np(count(StructureKind::KeepOut), "{} keep-out", "{} keep-outs")));
    }

    Snapshot& m_s;
    DesignBuilder m_build;
    const IfcModel& m_model;
    const RoomChoice& m_choice;
    exchange::ImportPlan& m_plan;
    std::vector<const IfcRoom*> m_rooms;
    std::size_t m_halls = 0;
    std::map<StructureKind, std::size_t> m_counts;
    std::set<std::string> m_names; ///< of structures
};

} // namespace

Result<void> writeRooms(Snapshot& design, const IfcModel& model, const RoomChoice& choice, exchange::ImportPlan& plan)
{
    return RoomWriter(design, model, choice, plan).run();
}

} // namespace hw::importers::ifc

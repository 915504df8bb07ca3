// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/dxf/room_writer.h"

#include "core/design/build/design_builder.h"
#include "importers/rooms/replaced_room.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

#include <fmt/format.h>

namespace hw::importers::dxf {

namespace {

constexpr Millimeters kBuildingZ(7'000), kHallZ(4'500), kMargin(1'000), kBesideOthers(20'000); ///< as `add` makes them
constexpr std::int64_t kSmallestRoom = 1'000, kLargestRoom = 10'000'000;                       ///< of a room, mm
constexpr std::int64_t kAroundRoom = 5'000;                                                    ///< what of the drawing stays under it

Millimeters mm(std::int64_t v) { return Millimeters(std::int32_t(v)); }

class Writer {
public:
    Writer(Snapshot& design, const RoomDrawing& room, exchange::ImportPlan& plan) : m_s(design), m_build(design), m_from(room), m_plan(plan)
    {
        for (const Pt p : room.room->outline) m_extent.add(p);
    }

    Result<void> run()
    {
        if (const auto fits = checkSize(); !fits) return fits;
        const auto hall = m_from.hall.empty() ? newHall() : knownHall();
        if (!hall) return tl::unexpected(hall.error());
        m_hall = *hall;
        writeOutline();
        writePieces();
        writeUnderlays();
        return m_from.rackRules ? writeRacks(m_build, m_hall, m_from.racks, m_from.path, m_plan) : Result<void>();
    }

private:
    Result<void> checkSize()
    {
        const auto least = std::min(m_extent.width(), m_extent.depth()), most = std::max(m_extent.width(), m_extent.depth());
        if (least >= kSmallestRoom && most <= kLargestRoom) return {};
        return fail(ErrorCode::Refused, m_from.path, i18n("room would be {} mm × {} mm", m_extent.width(), m_extent.depth()),
                    i18n("specify the unit of the drawing with --units, or a known length with --known-length"));
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

    Result<HallId> newHall()
    {
        Millimeters x(0);
        m_s.buildings.forEach([&](BuildingId id) { x = std::max(x, m_s.buildings.x[id] + m_s.buildings.sizeX[id] + kBesideOthers); });
        const auto sites = m_s.sites.ids();
        const std::string name = freeName(m_s.buildings, m_from.stem);
        const BuildingId building = m_build.building({.name = name,
                                                      .site = sites.size() == 1 ? Maybe<SiteId>(sites.front()) : Maybe<SiteId>(),
                                                      .x = x,
                                                      .sizeX = mm(m_extent.width()) + kMargin + kMargin,
                                                      .sizeY = mm(m_extent.depth()) + kMargin + kMargin,
                                                      .sizeZ = kBuildingZ});
        doubt(i18n("drawing has no heights: {} m clear height assumed", toMeters(kHallZ)));
        return m_build.hall({.name = freeName(m_s.halls, name + "-hall"),
                             .building = building,
                             .x = kMargin,
                             .y = kMargin,
                             .sizeX = mm(m_extent.width()),
                             .sizeY = mm(m_extent.depth()),
                             .sizeZ = kHallZ});
    }

    Result<HallId> knownHall()
    {
        std::optional<HallId> found;
        std::vector<std::string> names;
        m_s.halls.forEach([&](HallId id) {
            names.push_back(m_s.halls.name[id]);
            if (m_s.halls.name[id] == m_from.hall) found = id;
        });
        if (!found) {
            const Text todo = names.empty() ? i18n("omit it to create a hall") : i18n("choose from {}", listedNames(names));
            return fail(ErrorCode::Refused, "--hall " + m_from.hall, i18n("hall not found"), todo);
        }
        auto& t = m_s.halls;
        const auto put = [&](auto& column, Millimeters value) {
            if (column[*found] == value) return;
            column.set(*found, value);
            t.overridden.set(*found, t.overridden[*found] | overridden::kSize);
        };
        put(t.sizeX, mm(m_extent.width())), put(t.sizeY, mm(m_extent.depth()));
        clear(*found);
        return *found;
    }

    /// Takes away what the drawing brings again.
    void clear(HallId hall)
    {
        std::set<StructureKind> brought;
        for (const Piece& piece : m_from.room->pieces) brought.insert(piece.kind);
        const auto said = [this](Text what) { doubt(std::move(what)); };
        clearRoom(m_s, hall, brought, said);
        for (const UnderlayId id : m_s.underlays.ids())
            if (m_s.underlays.hall[id] == hall && m_s.underlays.source[id] == m_from.file) m_s.underlays.erase(id);
        growBuilding(m_s, hall, said);
    }

    void writeOutline()
    {
        const auto& outline = m_from.room->outline;
        const bool rectangle = outline.size() == 4 && std::ranges::all_of(outline, [&](Pt p) {
                                   return (p.x == m_extent.low.x || p.x == m_extent.high.x) && (p.y == m_extent.low.y || p.y == m_extent.high.y);
                               });
        m_plan.facts.push_back(i18n("room: {} m × {} m, {}", double(m_extent.width()) / 1000, double(m_extent.depth()) / 1000,
                                    i18np(outline.size(), "{} corner", "{} corners")));
        if (rectangle) return;
        std::vector<std::pair<std::int32_t, std::int32_t>> corners;
        for (const Pt p : outline) corners.emplace_back(std::int32_t(p.x - m_extent.low.x), std::int32_t(p.y - m_extent.low.y));
        m_build.corners(m_hall, corners);
        const bool straight = std::ranges::any_of(outline, [&, n = std::size_t(0)](Pt p) mutable {
            const Pt next = outline[++n % outline.size()];
            return p.x == next.x || p.y == next.y;
        });
        if (!straight) doubt(i18n("no wall of the room is parallel to the drawing axes; rack rows will be"));
    }

    void writePieces()
    {
        std::map<StructureKind, std::size_t> counts;
        const Pt o = m_extent.low;
        for (const Piece& piece : m_from.room->pieces) {
            const std::size_t number = ++counts[piece.kind];
            const auto& hall = m_s.halls.name[m_hall];
            m_build.structure({.name = fmt::format("{}-{}-{}", hall, wordOf(piece.kind), number),
                               .hall = m_hall,
                               .kind = piece.kind,
                               .x1 = mm(piece.a.x - o.x),
                               .y1 = mm(piece.a.y - o.y),
                               .x2 = mm(piece.b.x - o.x),
                               .y2 = mm(piece.b.y - o.y),
                               .width = mm(std::max<std::int64_t>(piece.width, 1))});
        }
        const auto count = [&](StructureKind kind) { return counts[kind]; };
        m_plan.facts.push_back(i18n("{}, {}, {}", i18np(count(StructureKind::Wall), "{} wall", "{} walls"),
                                    i18np(count(StructureKind::Column), "{} column", "{} columns"),
                                    i18np(count(StructureKind::Door), "{} door", "{} doors")));
        if (count(StructureKind::Ramp) + count(StructureKind::KeepOut) > 0)
            m_plan.facts.push_back(i18n("{}, {}", i18np(count(StructureKind::Ramp), "{} ramp", "{} ramps"),
                                        i18np(count(StructureKind::KeepOut), "{} keep-out", "{} keep-outs")));
    }

    /// The lines of each layer that are in the room or near it.
    void writeUnderlays()
    {
        std::map<std::string, std::string> byLayer;
        std::size_t outside = 0;
        const Pt o = m_extent.low;
        const auto near = [&](Pt a, Pt b) {
            return std::max(a.x, b.x) >= o.x - kAroundRoom && std::min(a.x, b.x) <= m_extent.high.x + kAroundRoom &&
                   std::max(a.y, b.y) >= o.y - kAroundRoom && std::min(a.y, b.y) <= m_extent.high.y + kAroundRoom;
        };
        const auto add = [&](std::string& lines, Pt a, Pt b) {
            if (a == b) return;
            if (!near(a, b)) return void(++outside);
            if (!lines.empty()) lines += ';';
            const std::int64_t values[] = {a.x - o.x, a.y - o.y, b.x - o.x, b.y - o.y};
            for (std::size_t i = 0; i < 4; ++i) {
                std::array<char, 24> digits{};
                const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), values[i]).ptr;
                if (i > 0) lines += ',';
                lines.append(digits.data(), end);
            }
        };
        for (const Drawn& drawn : *m_from.drawn) {
            std::string& lines = byLayer[drawn.shape->layer];
            for (std::size_t i = 1; i < drawn.points.size(); ++i) add(lines, drawn.points[i - 1], drawn.points[i]);
            if (drawn.closed() && drawn.points.size() > 2) add(lines, drawn.points.back(), drawn.points.front());
        }
        std::size_t layers = 0;
        for (auto& [layer, lines] : byLayer)
            if (!lines.empty()) m_build.underlay(m_hall, layer, m_from.file, std::move(lines)), ++layers;
        m_plan.facts.push_back(i18np(layers, "{} layer added as underlay of the room", "{} layers added as underlay of the room"));
        if (outside > 0)
            doubt(i18np(outside, "{} line more than 5 m outside the room is skipped", "{} lines more than 5 m outside the room are skipped"));
    }

    void doubt(Text what) { m_plan.issues.push_back({m_from.path, std::move(what)}); }

    Snapshot& m_s;
    DesignBuilder m_build;
    const RoomDrawing& m_from;
    exchange::ImportPlan& m_plan;
    Extent m_extent;
    HallId m_hall{};
};

} // namespace

Result<void> writeRoom(Snapshot& design, const RoomDrawing& room, exchange::ImportPlan& plan) { return Writer(design, room, plan).run(); }

} // namespace hw::importers::dxf

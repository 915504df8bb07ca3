// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/fitting/room_equipment.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::layout {

namespace {

constexpr std::int32_t kStepMm = 100, kBetweenMm = 100; ///< places that are looked at; between units. Assumed

using site::FloorRect;

class RoomEquipment {
public:
    RoomEquipment(const Plan& plan, PlannedHall& hall, const site::RoomShape& shape, std::span<const site::FloorRect> standing,
                  std::span<const RowSlot> slots, std::int32_t passage, const Parts& parts)
        : m_plan(plan), m_hall(hall), m_shape(shape), m_slots(slots), m_parts(parts)
    {
        m_passage = passage;
        for (std::size_t r = 0; r < hall.rows.size(); ++r)
            if (!hall.rows[r].racks.empty()) m_taken.push_back(slots[r].box.grown(passage, passage));
        for (const FloorRect& rack : standing) m_taken.push_back(rack.grown(passage, passage));
    }

    std::optional<RoomLimit> run()
    {
        auto limit = standCdus();
        return limit ? limit : standFanWalls();
    }

private:
    /// Units that a cell needs stand in its rows, at their ends in turn.
    std::optional<RoomLimit> standCdus()
    {
        if (m_plan.options.cdu == "none") return std::nullopt;
        const auto& spec = m_parts.device(m_plan.options.cdu);
        const std::int32_t width = spec.width.value.count(), depth = spec.depth.value.count();
        std::int64_t needed = 0, stand = 0;
        for (std::size_t first = 0, end = 0; first < m_hall.rows.size(); first = end) {
            while (end < m_hall.rows.size() && m_slots[end].cell == m_slots[first].cell) ++end;
            const int rows = int(end - first);
            const auto cell = std::size_t(m_slots[first].cell);
            const int count = cdusFor(liquidOfCell(m_plan, m_hall, cell), m_plan.options, m_parts);
            int done = 0;
            for (int n = 0; done < count && n < 2 * rows * count; ++n) {
                const std::size_t number = first + std::size_t(n % rows);
                const RowSlot& row = m_slots[number];
                const std::int32_t deep = n / (2 * rows) * width, from = n / rows % 2 == 0 ? deep : row.length - deep - width;
                const FloorRect box = inRow(row, from, width, depth);
                if (!freeOfRacks(number, from, width) || !m_shape.fits(box)) continue;
                ++done;
                m_taken.push_back(box.grown(m_passage, m_passage)); // a row of the cell may have no racks
                m_hall.cduSpots.push_back(
                    {fmt::format("cell={}/unit={}", cell, done - 1), fmt::format("c{:02}-cdu{}", cell + 1, done), box.x1, box.y1, row.angle});
            }
            needed += count, stand += done;
        }
        if (stand < needed) return RoomLimit{RoomLimit::Kind::Liquid, needed, stand};
        return std::nullopt;
    }

    [[nodiscard]] static FloorRect inRow(const RowSlot& row, std::int32_t from, std::int32_t width, std::int32_t depth)
    {
        const std::int32_t a = std::min(row.inHall(from), row.inHall(from + width)), b = a + width;
        switch (row.angle) {
        case 0: return {a, row.box.y1, b, row.box.y1 + depth};
        case 180: return {a, row.box.y2 - depth, b, row.box.y2};
        case 270: return {row.box.x1, a, row.box.x1 + depth, b};
        default: return {row.box.x2 - depth, a, row.box.x2, b};
        }
    }

    [[nodiscard]] bool freeOfRacks(std::size_t number, std::int32_t from, std::int32_t width) const
    {
        const PlannedRow& row = m_hall.rows[number];
        const std::int32_t first = row.racks.empty() ? 0 : row.begin;
        return std::ranges::none_of(row.racks, [&](std::uint32_t rack) {
            const std::int32_t at = first + m_plan.racks[rack].along;
            return at < from + width && from < at + m_plan.racks[rack].width;
        });
    }

    /// A wall of the room's bounds along which units may stand: lower corners by place along it.
    struct Wall {
        bool alongX = true;
        std::int32_t fixed = 0;
        std::vector<std::int32_t> places{};
    };

    /// Units as large as the template names have room, so that what fits does not depend on their size; smaller ones stand where they have room too.
    std::optional<RoomLimit> standFanWalls()
    {
        const std::int64_t airMw = m_hall.demand.designMw - m_hall.demand.liquidMw;
        const std::vector<FloorRect> taken = m_taken;
        if (const auto limit = standFanWalls(m_plan.options, airMw)) return limit;
        const Options sized = sizedFor(m_plan.options, airMw, 0, m_parts);
        if (sized.fanWall == m_plan.options.fanWall) return std::nullopt;
        const PlannedHall before = m_hall;
        m_taken = taken, m_hall.fanWallSpots.clear();
        if (standFanWalls(sized, airMw)) m_hall = before;
        return std::nullopt;
    }

    /// First along the walls at the rows' ends, then along the others.
    std::optional<RoomLimit> standFanWalls(const Options& options, std::int64_t airMw)
    {
        m_hall.fanWall = options.fanWall, m_hall.fanWalls = fanWallsFor(airMw, options, m_parts);
        if (m_hall.fanWalls == 0) return std::nullopt;
        const auto& spec = m_parts.device(options.fanWall);
        const std::int32_t width = spec.width.value.count(), depth = spec.depth.value.count();
        const FloorRect b = m_shape.bounds();
        const bool rowsAlongX = m_slots.front().alongX();
        std::vector<Wall> walls;
        for (const bool alongX : {!rowsAlongX, rowsAlongX})
            for (const bool far : {false, true}) {
                const std::int32_t low = (alongX ? b.y1 : b.x1) + kFanWallBackMm, high = (alongX ? b.y2 : b.x2) - kFanWallBackMm - depth;
                walls.push_back(findPlaces({alongX, far ? high : low}, width, depth, b));
            }
        const auto all = [&](std::size_t first) { return std::int64_t(walls[first].places.size() + walls[first + 1].places.size()); };
        if (all(0) + all(2) < m_hall.fanWalls) return RoomLimit{RoomLimit::Kind::Air, m_hall.fanWalls, all(0) + all(2)};
        int left = m_hall.fanWalls;
        for (std::size_t w = 0; w < walls.size(); ++w) { // evenly on two walls that face each other
            const auto own = std::int64_t(walls[w].places.size()), other = w % 2 == 0 ? std::int64_t(walls[w + 1].places.size()) : 0;
            const int share = int(std::min<std::int64_t>(own, w % 2 == 0 ? std::max<std::int64_t>((left + 1) / 2, left - other) : left));
            stand(walls[w], w, share);
            left -= share;
        }
        return std::nullopt;
    }

    [[nodiscard]] FloorRect unitAt(const Wall& wall, std::int32_t at, std::int32_t width, std::int32_t depth) const
    {
        return wall.alongX ? FloorRect{at, wall.fixed, at + width, wall.fixed + depth} : FloorRect{wall.fixed, at, wall.fixed + depth, at + width};
    }

    Wall findPlaces(Wall wall, std::int32_t width, std::int32_t depth, const FloorRect& b)
    {
        const std::int32_t end = (wall.alongX ? b.x2 : b.y2) - kFanWallEndMm - width;
        for (std::int32_t at = (wall.alongX ? b.x1 : b.y1) + kFanWallEndMm; at <= end;) {
            const FloorRect box = unitAt(wall, at, width, depth);
            const bool taken = std::ranges::any_of(m_taken, [&](const FloorRect& t) { return t.meets(box); });
            if (taken || !m_shape.fits(box)) {
                at += kStepMm;
                continue;
            }
            wall.places.push_back(at);
            m_own.push_back(box);
            at += width + kBetweenMm;
        }
        m_taken.insert(m_taken.end(), m_own.begin(), m_own.end());
        m_own.clear();
        return wall;
    }

    /// So many of a wall's places, evenly.
    void stand(const Wall& wall, std::size_t number, int count)
    {
        for (int n = 0; n < count; ++n) {
            const std::int32_t at = wall.places[wall.places.size() * std::size_t(2 * n + 1) / std::size_t(2 * count)];
            m_hall.fanWallSpots.push_back({fmt::format("wall={}/unit={}", number, n), fmt::format("{}-{:02}", number + 1, n + 1),
                                           wall.alongX ? at : wall.fixed, wall.alongX ? wall.fixed : at, std::int16_t(wall.alongX ? 0 : 90)});
        }
    }

    const Plan& m_plan;
    PlannedHall& m_hall;
    const site::RoomShape& m_shape;
    std::span<const RowSlot> m_slots;
    const Parts& m_parts;
    std::int32_t m_passage = 0;
    std::vector<FloorRect> m_taken, m_own;
};

} // namespace

std::optional<RoomLimit> standInRoom(const Plan& plan, PlannedHall& hall, const site::RoomShape& shape, std::span<const site::FloorRect> standing,
                                     std::span<const RowSlot> slots, std::int32_t passage, const Parts& parts)
{
    return RoomEquipment(plan, hall, shape, standing, slots, passage, parts).run();
}

} // namespace hw::layout

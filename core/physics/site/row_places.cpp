// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/site/row_places.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace hw::site {

namespace {

constexpr std::int32_t kColumnAir = 25; ///< between a column and the racks beside it (assumed)

/// Looks for cells whose rows run along y.
class Scan {
public:
    Scan(const RoomShape& room, const CellRequest& wish)
        : m_room(room), m_w(wish), m_depth(wish.single ? wish.rackDepth + wish.passage : 2 * wish.rackDepth + wish.hotAisle),
          m_rear(wish.single ? 0 : wish.wallFront), m_step(std::max(1, wish.grid))
    {
        const FloorRect b = room.bounds();
        m_x0 = b.x1 + wish.wallFront, m_y0 = b.y1 + wish.wallEnd;
        m_across = places(b.x2 - m_rear - m_depth - m_x0);
        m_along = places(b.y2 - wish.wallEnd - wish.rowLength - m_y0);
        for (const Obstacle& o : room.obstacles()) {
            const Obstacle whole = o.kind == StructureKind::Door ? o.withFloor() : o;
            m_obstacles.push_back({whole, whole.box(), o.a.x == o.b.x || o.a.y == o.b.y});
        }
        sortByX();
        findFar();
    }

    std::vector<CellPlace> best()
    {
        if (m_along <= 0 || m_across <= 0 || m_w.rowLength <= 0 || m_w.rackWidth <= 0) return {};
        const std::int32_t next = steps(m_w.rowLength + m_w.passage);
        std::vector<std::int64_t> line(std::size_t(m_along), 0), from(std::size_t(m_along + next) + 1, 0);
        std::vector<char> takes(std::size_t(m_along), 0);
        for (std::int32_t j = 0; j < m_along; ++j) line[std::size_t(j)] = bestLine(j, nullptr);
        for (std::int32_t j = m_along - 1; j >= 0; --j) {
            const auto at = std::size_t(j);
            const std::int64_t with = line[at] + from[at + std::size_t(next)];
            takes[at] = line[at] > 0 && with >= from[at + 1];
            from[at] = std::max(with, from[at + 1]);
        }
        std::vector<CellPlace> cells;
        for (std::int32_t j = 0; j < m_along;)
            if (takes[std::size_t(j)]) {
                bestLine(j, &cells);
                j += next;
            } else {
                ++j;
            }
        return cells;
    }

private:
    struct Near {
        Obstacle what;         ///< a door with its floor
        FloorRect floor;       ///< that no cell may take
        bool straight = false; ///< along the axes: it is the floor around it
    };

    [[nodiscard]] std::int32_t places(std::int32_t length) const { return length < 0 ? 0 : length / m_step + 1; }
    [[nodiscard]] std::int32_t steps(std::int32_t length) const { return (length + m_step - 1) / m_step; }

    /// What stands near a place across the room, for every place; the rest of the room is looked at once.
    void sortByX()
    {
        m_near.resize(std::size_t(std::max(0, m_across)));
        for (std::int32_t i = 0; i < m_across; ++i) {
            const std::int32_t x1 = m_x0 + i * m_step - reach(), x2 = m_x0 + i * m_step + m_depth + reach();
            for (std::uint32_t n = 0; n < m_obstacles.size(); ++n)
                if (m_obstacles[n].floor.x1 < x2 && m_obstacles[n].floor.x2 > x1) m_near[std::size_t(i)].push_back(n);
        }
    }
    [[nodiscard]] std::int32_t reach() const { return std::max(m_w.passage, m_w.wallFront); }

    using Gaps = std::vector<std::pair<std::int32_t, std::int32_t>>;

    /// Where the racks of either row of a cell would be too far from every door, for every place across the room.
    void findFar()
    {
        std::vector<std::pair<double, double>> doors;
        for (const Obstacle& o : m_room.obstacles())
            if (o.kind == StructureKind::Door) doors.emplace_back((double(o.a.x) + o.b.x) / 2, (double(o.a.y) + o.b.y) / 2);
        if (doors.empty() || m_w.egress <= 0) return;
        m_far.resize(std::size_t(std::max(0, m_across)));
        for (std::int32_t i = 0; i < m_across; ++i) {
            const std::int32_t x = m_x0 + i * m_step, half = m_w.rackDepth / 2;
            m_far[std::size_t(i)] = {farAlong(x + half, doors), farAlong(x + m_depth - half, doors)};
        }
    }

    /// What is not near any door of the room's length at x, ascending.
    [[nodiscard]] Gaps farAlong(std::int32_t x, const std::vector<std::pair<double, double>>& doors) const
    {
        Gaps near;
        for (const auto& [doorX, doorY] : doors)
            if (const auto left = std::int32_t(std::floor(m_w.egress - std::abs(doorX - x))); left >= 0)
                near.emplace_back(std::int32_t(std::ceil(doorY)) - left, std::int32_t(std::floor(doorY)) + left);
        std::ranges::sort(near);
        Gaps far;
        std::int32_t at = m_room.bounds().y1;
        for (const auto& [low, high] : near) {
            if (low > at) far.emplace_back(at, low);
            at = std::max(at, high);
        }
        if (at < m_room.bounds().y2) far.emplace_back(at, m_room.bounds().y2);
        return far;
    }

    /// The best cells of a line whose rows begin at place j, by how many racks they hold; from the low end.
    std::int64_t bestLine(std::int32_t j, std::vector<CellPlace>* cells)
    {
        const std::int32_t next = steps(m_depth + m_w.coldAisle);
        std::vector<std::int64_t> from(std::size_t(m_across + next) + 1, 0);
        std::vector<std::int32_t> racks(std::size_t(m_across), 0);
        for (std::int32_t i = m_across - 1; i >= 0; --i) {
            const auto at = std::size_t(i);
            racks[at] = racksAt(i, j, nullptr);
            from[at] = std::max(from[at + 1], racks[at] > 0 ? racks[at] + from[at + std::size_t(next)] : 0);
        }
        if (cells)
            for (std::int32_t i = 0; i < m_across;) {
                const auto at = std::size_t(i);
                if (racks[at] > 0 && racks[at] + from[at + std::size_t(next)] >= from[at + 1]) {
                    racksAt(i, j, &cells->emplace_back());
                    i += next;
                } else {
                    ++i;
                }
            }
        return from[0];
    }

    /// Racks of the cell at a place; 0 where it cannot stand.
    std::int32_t racksAt(std::int32_t i, std::int32_t j, CellPlace* out) const
    {
        const std::int32_t x = m_x0 + i * m_step, y = m_y0 + j * m_step;
        const FloorRect body{x, y, x + m_depth, y + m_w.rowLength};
        std::array<Gaps, 2> gaps;
        for (const std::uint32_t n : m_near[std::size_t(i)])
            if (blocks(m_obstacles[n], body, gaps)) return 0;
        if (!m_room.contains({body.x1 - m_w.wallFront, body.y1 - m_w.wallEnd, body.x2 + m_rear, body.y2 + m_w.wallEnd})) return 0;
        std::int32_t racks = 0;
        for (std::size_t r = 0; r < 2; ++r) {
            if (m_w.single && r == 1) break;
            if (!m_far.empty())
                for (const auto& [low, high] : m_far[std::size_t(i)][r])
                    if (low < body.y2 && high > body.y1) gaps[r].emplace_back(std::max(0, low - y), std::min(m_w.rowLength, high - y));
            const std::int32_t count = positions(gaps[r]);
            racks += count;
            if (!out) continue;
            const std::int32_t low = r == 0 ? x : x + m_depth - m_w.rackDepth;
            out->rows[r] = {{low, y, low + m_w.rackDepth, y + m_w.rowLength}, std::move(gaps[r]), count};
        }
        return racks;
    }

    /// Whether something keeps a cell from standing; a column within a row only takes a part of it.
    bool blocks(const Near& near, const FloorRect& body, std::array<Gaps, 2>& gaps) const
    {
        const StructureKind kind = near.what.kind;
        const std::int32_t free = kind == StructureKind::Door || kind == StructureKind::KeepOut ? 0 : m_w.passage;
        if (!near.floor.meets(body.grown(free, free))) return false;
        if (kind != StructureKind::Column) return meets(near, body.grown(free, 0)) || meets(near, body.grown(0, free));
        const FloorRect first{body.x1, body.y1, body.x1 + m_w.rackDepth, body.y2}, second{body.x2 - m_w.rackDepth, body.y1, body.x2, body.y2};
        const FloorRect c = near.floor;
        for (std::size_t r = 0; r < (m_w.single ? 1u : 2u); ++r) {
            const FloorRect& row = r == 0 ? first : second;
            if (c.x1 < row.x1 || c.x2 > row.x2 || c.y1 < row.y1 || c.y2 > row.y2) continue;
            gaps[r].emplace_back(std::max(0, c.y1 - kColumnAir - row.y1), std::min(m_w.rowLength, c.y2 + kColumnAir - row.y1));
            return false;
        }
        return meets(near, body.grown(free, 0)) || meets(near, body.grown(0, free));
    }

    static bool meets(const Near& near, const FloorRect& rect) { return near.floor.meets(rect) && (near.straight || near.what.meets(rect)); }

    /// Racks beside the gaps of a row.
    std::int32_t positions(Gaps& gaps) const
    {
        std::ranges::sort(gaps);
        std::int32_t at = 0, count = 0;
        for (const auto& [from, to] : gaps) {
            count += std::max(0, from - at) / m_w.rackWidth;
            at = std::max(at, to);
        }
        return count + std::max(0, m_w.rowLength - at) / m_w.rackWidth;
    }

    const RoomShape& m_room;
    const CellRequest& m_w;
    const std::int32_t m_depth, m_rear, m_step; ///< of a cell; from it to the outline behind it
    std::int32_t m_x0 = 0, m_y0 = 0, m_across = 0, m_along = 0;
    std::vector<Near> m_obstacles;
    std::vector<std::vector<std::uint32_t>> m_near;
    std::vector<std::array<Gaps, 2>> m_far; ///< in the room's coordinate along rows; empty: nowhere
};

} // namespace

std::vector<CellPlace> cellPlaces(const RoomShape& room, const CellRequest& wish)
{
    if (wish.angle % 180 != 0) return Scan(room, wish).best();
    const RoomShape turned = room.transposed();
    auto cells = Scan(turned, wish).best();
    for (CellPlace& cell : cells)
        for (RowPlace& row : cell.rows) row.box = row.box.transposed();
    return cells;
}

std::int32_t racksOf(std::span<const CellPlace> cells)
{
    std::int32_t racks = 0;
    for (const CellPlace& cell : cells) racks += cell.racks();
    return racks;
}

} // namespace hw::site

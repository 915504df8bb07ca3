// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/geometry/placement.h"
#include "core/layout/room.h"
#include "core/layout/room_cost.h"
#include "core/layout/room_equipment.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace hw::layout {

namespace {

constexpr std::int64_t kMostInRow = 20, kLeastInRow = 4;  ///< racks of a row (S4)
constexpr std::int32_t kFrontsMm[] = {2'400, kPassageMm}; ///< from the outer fronts to the wall: wished for, and the least (S4)
constexpr std::size_t kKept = 3;                          ///< plans that are measured to the end
constexpr int kLooks = 400;                               ///< arrangements that are tried for one of them

/// One way to divide a hall into rows and to fill these.
struct Try {
    std::vector<RowSlot> slots;
    std::vector<std::uint32_t> order; ///< of items
    bool packed = false;
    Filling filling;
    RoomCost cost;
};

class RoomPlanner {
public:
    RoomPlanner(const Snapshot& design, HallId hall, Plan packed, const Parts& parts, const FreeFloor& floor, const Progress& progress)
        : m_plan(std::move(packed)), m_o(m_plan.options), m_parts(parts), m_shape(floor.shape), m_standing(floor.racks), m_progress(progress),
          m_pairs(design, m_plan), m_hall(hall)
    {
        readItems();
        readSizes();
    }

    /// False when a stop was asked for.
    bool run(RoomPlans& out)
    {
        for (const bool single : {false, true}) // one by one only where no pairs of rows fit
            for (const std::int32_t front : kFrontsMm) {
                if (!m_best.empty()) break;
                for (const int angle : {90, 0})
                    for (const Length length : rowLengths(angle, single)) {
                        if (m_progress.stopRequested()) return false;
                        look(front, angle, length, single);
                    }
            }
        for (Try& one : m_best) improve(one);
        std::ranges::stable_sort(m_best, {}, &Try::cost);
        out.tried = m_tried;
        if (m_best.empty()) out.limits.push_back({RoomLimit::Kind::Space, out.racks, std::int64_t(m_most), 0});
        std::optional<RoomLimit> missing;
        for (const Try& one : m_best)
            if (auto limit = finish(one, out.plans); limit && !missing) missing = limit;
        if (out.plans.empty() && missing) out.limits.push_back(*missing);
        return true;
    }

private:
    void readItems()
    {
        const PlannedHall& hall = m_plan.halls.front();
        for (const std::uint32_t b : hall.blocks) m_items.push_back({m_plan.blocks[b].serverRacks, m_plan.blocks[b].networkRacks});
        m_items.push_back({{}, hall.networkRacks});
        for (std::uint32_t i = 0; i + 1 < m_items.size(); ++i) m_natural.push_back(i);
        m_natural.insert(m_natural.begin() + std::ptrdiff_t(m_natural.size() / 2), std::uint32_t(m_items.size() - 1));
    }

    void readSizes()
    {
        m_width = INT32_MAX;
        for (const PlannedRack& rack : m_plan.racks) {
            m_width = std::min(m_width, rack.width), m_widest = std::max(m_widest, rack.width);
            m_depth = std::max(m_depth, m_parts.rack(rack.type).depth.value.count());
            m_hottest = std::max(m_hottest, rack.demand.liquidMw);
        }
        for (const RoomItem& item : m_items)
            for (const auto rack : item.network) m_mixed = m_mixed || m_plan.racks[rack].width > m_width;
        m_wallEnd = kPassageMm;
        if (m_o.fanWall != "none") m_wallEnd += kFanWallBackMm + m_parts.device(m_o.fanWall).depth.value.count();
    }

    struct Length {
        std::int32_t mm = 0, reserve = 0; ///< of the row; at either end for coolant distribution units
    };
    /// Of rows that are worth a look: of whole racks, the longest first.
    [[nodiscard]] std::vector<Length> rowLengths(int angle, bool single) const
    {
        const site::FloorRect b = m_shape.bounds();
        const std::int32_t most = (angle % 180 != 0 ? b.y2 - b.y1 : b.x2 - b.x1) - 2 * m_wallEnd, wider = m_mixed ? m_widest - m_width : 0;
        std::vector<Length> lengths;
        for (std::int64_t racks = kMostInRow; racks >= kLeastInRow; --racks) {
            const int atEnd = single ? (cdusFor(racks * m_hottest, m_o, m_parts) + 1) / 2 : (cdusFor(2 * racks * m_hottest, m_o, m_parts) + 3) / 4;
            const std::int32_t reserve = atEnd > 0 ? atEnd * m_parts.device(m_o.cdu).width.value.count() : 0;
            const auto mm = std::int32_t(racks * m_width) + wider + 2 * reserve;
            if (mm <= most) lengths.push_back({mm, reserve});
        }
        return lengths;
    }

    void look(std::int32_t front, int angle, Length length, bool single)
    {
        site::CellWish wish;
        wish.rowLength = length.mm, wish.rackDepth = m_depth, wish.rackWidth = m_width, wish.angle = angle;
        wish.hotAisle = m_o.hotAisle, wish.coldAisle = m_o.coldAisle, wish.wallFront = front, wish.wallEnd = m_wallEnd;
        wish.single = single;
        const auto cells = site::cellPlaces(m_shape, wish);
        if (cells.empty()) return;
        Try one{rowSlots(cells, angle, length.reserve), m_natural, false, {}, {}};
        for (const bool packed : {false, true}) {
            one.packed = packed;
            if (fill(one)) keep(one);
        }
    }

    bool fill(Try& one)
    {
        ++m_tried;
        one.filling = RoomFiller(m_plan, m_items, one.slots).fill(one.order, one.packed);
        m_most = std::max(m_most, one.filling.placed);
        if (!one.filling.whole()) return false;
        one.cost = m_pairs.cost(one.filling, one.slots, m_plan);
        return true;
    }

    void keep(const Try& one)
    {
        const auto place = std::ranges::upper_bound(m_best, one.cost, {}, &Try::cost);
        m_best.insert(place, one);
        if (m_best.size() > kKept) m_best.pop_back();
    }

    /// Puts what all share elsewhere and swaps blocks, as long as that saves cable.
    void improve(Try& best)
    {
        int looks = 0;
        const auto better = [&](const std::vector<std::uint32_t>& order) {
            Try one{best.slots, order, best.packed, {}, {}};
            ++looks;
            if (!fill(one) || one.cost >= best.cost) return false;
            best = std::move(one);
            return true;
        };
        const std::size_t n = best.order.size();
        for (bool again = true; again && looks < kLooks;) {
            again = false;
            for (std::size_t i = 0; i < n && looks < kLooks; ++i) {
                auto order = best.order;
                order.erase(std::ranges::find(order, std::uint32_t(n - 1)));
                order.insert(order.begin() + std::ptrdiff_t(i), std::uint32_t(n - 1));
                again = better(order) || again;
            }
            for (std::size_t i = 0; i < n && looks < kLooks; ++i)
                for (std::size_t k = i + 1; k < n && looks < kLooks; ++k) {
                    auto order = best.order;
                    std::swap(order[i], order[k]);
                    again = better(order) || again;
                }
        }
    }

    /// The plan of one try, with its equipment; a limit where that finds no place.
    std::optional<RoomLimit> finish(const Try& one, std::vector<Plan>& plans) const
    {
        Plan plan = m_plan;
        PlannedHall& hall = plan.halls.front();
        hall.id = m_hall, hall.given = true;
        hall.rackDepth = m_depth;
        hall.rows.resize(one.slots.size());
        for (std::uint32_t r = 0; r < one.slots.size(); ++r) standRow(plan, r, one);
        drawLines(hall, one.slots);
        if (auto limit = standInRoom(plan, hall, m_shape, m_standing, one.slots, m_parts)) return limit;
        while (!hall.rows.empty() && hall.rows.back().racks.empty()) hall.rows.pop_back();
        plans.push_back(std::move(plan));
        return std::nullopt;
    }

    static void standRow(Plan& plan, std::uint32_t number, const Try& one)
    {
        const RowSlot& slot = one.slots[number];
        PlannedRow& row = plan.halls.front().rows[number];
        row.racks = one.filling.rows[number];
        row.angle = slot.angle, row.cell = slot.cell, row.line = slot.line, row.slot = slot.slot;
        if (row.racks.empty()) return;
        row.begin = one.filling.along[row.racks.front()];
        const std::int32_t origin = slot.inHall(row.begin);
        for (std::uint32_t i = 0; i < row.racks.size(); ++i) {
            PlannedRack& rack = plan.racks[row.racks[i]];
            rack.hall = 0, rack.row = number, rack.position = i;
            rack.along = one.filling.along[row.racks[i]] - row.begin;
            row.widthMm = rack.along + rack.width;
        }
        row.x = slot.alongX() ? origin : slot.angle == 270 ? slot.box.x1 : slot.box.x2;
        row.y = !slot.alongX() ? origin : slot.angle == 0 ? slot.box.y1 : slot.box.y2;
        row.crossing = std::abs(slot.middle() - origin);
    }

    /// Spines over the middle of the rows of each line of cells, from its first row to its last.
    static void drawLines(PlannedHall& hall, const std::vector<RowSlot>& slots)
    {
        for (std::size_t r = 0; r < slots.size(); ++r) {
            if (hall.rows[r].racks.empty()) continue;
            const RowSlot& slot = slots[r];
            if (hall.lines.size() <= std::size_t(slot.line)) hall.lines.resize(std::size_t(slot.line) + 1, {INT32_MAX, INT32_MAX, 0, 0, 0});
            PlannedLine& line = hall.lines[std::size_t(slot.line)];
            line.places = std::max(line.places, slot.slot + 1);
            line.x1 = std::min(line.x1, slot.alongX() ? slot.middle() : slot.box.x1);
            line.x2 = std::max(line.x2, slot.alongX() ? slot.middle() : slot.box.x2);
            line.y1 = std::min(line.y1, slot.alongX() ? slot.box.y1 : slot.middle());
            line.y2 = std::max(line.y2, slot.alongX() ? slot.box.y2 : slot.middle());
        }
        if (hall.lines.size() > 1) joinLines(hall, slots);
    }

    /// One more line of spines across the others, which all reach it.
    static void joinLines(PlannedHall& hall, const std::vector<RowSlot>& slots)
    {
        const bool alongX = slots.front().alongX();
        const std::int32_t at = crossingOfLines(slots);
        PlannedLine across{INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN, std::int32_t(hall.lines.size())};
        for (PlannedLine& line : hall.lines) {
            (alongX ? line.y1 : line.x1) = std::min(alongX ? line.y1 : line.x1, at);
            (alongX ? line.y2 : line.x2) = std::max(alongX ? line.y2 : line.x2, at);
            across.x1 = std::min(across.x1, alongX ? line.x1 : at), across.x2 = std::max(across.x2, alongX ? line.x2 : at);
            across.y1 = std::min(across.y1, alongX ? at : line.y1), across.y2 = std::max(across.y2, alongX ? at : line.y2);
        }
        for (const RowSlot& slot : slots)
            if (std::size_t(slot.line) < hall.lines.size() && slot.across() < at)
                hall.lines[std::size_t(slot.line)].crossSlot = std::max(hall.lines[std::size_t(slot.line)].crossSlot, slot.slot + 1);
        for (PlannedLine& line : hall.lines) line.crossSlot = std::min(line.crossSlot, line.places);
        hall.across = across;
    }

    Plan m_plan;
    const Options& m_o;
    const Parts& m_parts;
    const site::RoomShape& m_shape;
    std::span<const site::FloorRect> m_standing; ///< racks that are there
    const Progress& m_progress;
    RackPairs m_pairs;
    HallId m_hall;
    std::vector<RoomItem> m_items; ///< blocks, then what all share
    std::vector<std::uint32_t> m_natural;
    std::int32_t m_width = 600, m_widest = 0, m_depth = 0, m_wallEnd = 0;
    std::int64_t m_hottest = 0; ///< heat of a rack that goes to coolant, mW
    bool m_mixed = false;
    std::vector<Try> m_best;
    std::size_t m_most = 0;
    std::int64_t m_tried = 0;
};

/// Where the project has a room for network racks, what belongs to no pod stands there, and the rest in a hall.
void chooseForRoom(const Snapshot& s, HallId hall, const Survey& survey, Groups& groups)
{
    const bool network = s.halls.kind[hall] == RoomKind::Network;
    bool apart = network;
    s.halls.forEach([&](HallId id) { apart = apart || s.halls.kind[id] == RoomKind::Network; });
    if (!apart) return;
    std::erase_if(groups.network, [&](DeviceId id) { return (survey.pod[id.value] < 0) != network; });
    if (!network) return;
    groups.blocks.clear();
    groups.blockOf.assign(groups.blockOf.size(), kNone);
}

/// What the devices that are to stand here ask for.
void countUp(const Snapshot& design, const Survey& survey, const Parts& parts, const Plan& plan, RoomPlans& out)
{
    out.racks = std::int64_t(plan.racks.size());
    std::int64_t servers = 0, all = 0;
    for (const DeviceId id : survey.loose) {
        if (plan.rackOf[id.value] == kNone) continue;
        out.demand += survey.demand[id.value];
        const int accelerators = parts.device(design.devices.type[id]).accelerators;
        all += accelerators;
        if (design.devices.role[id] != DeviceRole::Backup) out.accelerators += accelerators;
    }
    for (const Block& block : plan.blocks) servers += std::int64_t(block.serverRacks.size());
    out.acceleratorsPerRack = servers > 0 ? all / servers : 0;
}

} // namespace

FreeFloor freeFloor(const Snapshot& s, const ProjectParts& parts, HallId hall)
{
    const site::RoomShape shape = site::RoomShape::of(s, hall);
    std::vector<site::Obstacle> all = shape.obstacles();
    const auto placement = Placement::compute(s, parts);
    const Point origin = placement->hall(hall).low;
    std::vector<site::FloorRect> racks;
    const auto add = [&](const Box& box) { // a straight piece through its middle, as thick as it is
        const std::int32_t width = box.high.y - box.low.y, y = (box.low.y + box.high.y) / 2 - origin.y;
        all.push_back({StructureKind::Wall, {box.low.x - origin.x, y}, {box.high.x - origin.x, y}, width});
    };
    s.racks.forEach([&](RackId id) {
        if (s.rows.hall[s.racks.row[id]] != hall) return;
        const Box& box = placement->rack(id);
        add(box);
        racks.push_back({box.low.x - origin.x, box.low.y - origin.y, box.high.x - origin.x, box.high.y - origin.y});
    });
    s.devices.forEach([&](DeviceId id) {
        if (s.devices.hall[id] && *s.devices.hall[id] == hall && !s.devices.rack[id]) add(placement->device(s, parts, id));
    });
    return {site::RoomShape(shape.outline(), std::move(all)), std::move(racks)};
}

Result<RoomPlans> planRoom(const Snapshot& design, HallId hall, const Options& wished, const Catalogue& catalogue, const Progress& progress)
{
    Options options = wished; // one hall, as large as need be: what it takes is found out here
    options.racksPerRow = 100, options.cellsPerHall = 1'000'000, options.hallsPerBuilding = 1;
    options.buildingPerPod = false;
    options.buildingLimitW = 1'000'000'000'000;
    try {
        const auto known = ProjectParts::of(design.partTypes);
        if (!known) return tl::unexpected(known.error());
        Snapshot scratch(design);
        DesignBuilder builder(scratch);
        Parts parts(builder, catalogue, options.where);
        RoomPlans out;
        const Survey found = survey(scratch, parts, options);
        if (found.loose.empty()) return out;
        Groups groups = group(found, options);
        chooseForRoom(design, hall, found, groups);
        Plan packed = pack(found, std::move(groups), parts, options);
        if (packed.racks.empty()) return out;
        packed.othersStand = design.racks.size() > 0;
        packed.halls.front().name = packed.halls.front().hallName = design.halls.name[hall];
        countUp(design, found, parts, packed, out);
        const FreeFloor floor = freeFloor(design, **known, hall);
        if (!RoomPlanner(scratch, hall, std::move(packed), parts, floor, progress).run(out))
            return fail(ErrorCode::Cancelled, design.halls.name[hall], i18n("cancelled"));
        const auto perRack = std::max<std::int64_t>(1, out.acceleratorsPerRack);
        for (RoomLimit& limit : out.limits) // whole racks of the share that finds its place
            limit.accelerators = out.accelerators * limit.available / std::max<std::int64_t>(1, limit.needed) / perRack * perRack;
        return out;
    } catch (const Failure& failure) {
        return tl::unexpected(failure.error);
    }
}

} // namespace hw::layout

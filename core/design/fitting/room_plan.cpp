// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/geometry/placement.h"
#include "core/design/fitting/room.h"
#include "core/design/fitting/room_cost.h"
#include "core/design/fitting/room_equipment.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

namespace hw::layout {

namespace {

constexpr std::int64_t kLeastInRow = 4;                         ///< racks of a row
constexpr std::int32_t kWideFrontMm = 2'400;                    ///< from the outer fronts to the wall, wished for
constexpr std::int32_t kColdAislesMm[] = {2'400, 1'800, 1'500}; ///< between the aisle of the options and the least of the rules
constexpr std::size_t kKept = 3;                                ///< plans that are measured to the end
constexpr std::size_t kMostTries = 12;                          ///< that are looked at for places of equipment
constexpr int kLooks = 400;                                     ///< arrangements that are tried for one of them

/// One way to divide a hall into rows and to fill these.
struct Try {
    std::vector<RowSlot> slots;
    std::vector<std::uint32_t> order; ///< of items
    FillMode mode = FillMode::Apart;
    Filling filling;
    RoomCost cost;
};

/// Aisles of a layout, mm.
struct Aisles {
    std::int32_t front = 0, cold = 0, hot = 0; ///< front: from the outer fronts to the wall
    bool single = false;                       ///< one row to a cell
};

using CellCache = std::map<site::CellRequest, std::vector<site::CellPlace>>;

class RoomPlanner {
public:
    RoomPlanner(const Snapshot& design, HallId hall, Plan packed, const Parts& parts, const FreeFloor& floor, const RoomNeeds& needs,
                CellCache& cells, const Progress& progress)
        : m_design(design), m_plan(std::move(packed)), m_o(m_plan.options), m_parts(parts), m_shape(floor.shape), m_standing(floor.racks),
          m_needs(needs), m_cells(cells), m_progress(progress), m_hall(hall)
    {
        readItems();
        readSizes();
    }

    /// Widest aisles first, or, `first`, whatever plan is found first. Incomplete when a stop was asked for.
    void run(RoomPlans& out, bool first)
    {
        m_quick = first;
        std::optional<RoomLimit> missing;
        for (const bool single : {false, true}) { // one by one only where no pairs of rows fit
            const auto all = aisles(single);
            const auto done = [&](const Aisles& one) { return standAt(one, out, missing); };
            if (done(all.front()) || m_progress.stopRequested()) break;
            if (m_quick ? done(all.back()) : fitsAt(all.back(), missing) && std::any_of(all.begin() + 1, all.end(), done)) break;
        }
        out.tried = m_tried;
        if (out.plans.empty())
            out.limit = missing ? missing : RoomLimit{RoomLimit::Kind::Space, std::int64_t(m_plan.racks.size()), std::int64_t(m_most)};
    }

private:
    /// Wide aisles first, down to the least that the rules of the project allow.
    [[nodiscard]] std::vector<Aisles> aisles(bool single) const
    {
        const std::int32_t free = passage(), cold = std::max(m_o.coldAisle, m_needs.front), hot = std::max(m_o.hotAisle, m_needs.rear);
        std::vector<Aisles> all{{std::max(kWideFrontMm, free), cold, hot, single}, {free, cold, hot, single}};
        for (const std::int32_t one : kColdAislesMm)
            if (one < cold && one > m_needs.front) all.push_back({free, one, hot, single});
        all.push_back({free, m_needs.front, hot, single});
        if (!single) all.push_back({free, m_needs.front, m_needs.rear, single});
        return all;
    }
    /// Around rows, whatever stands there.
    [[nodiscard]] std::int32_t passage() const { return std::max({m_needs.passage, m_needs.front, m_needs.rear}); }

    /// Plans with these aisles; false where there are none.
    bool standAt(const Aisles& aisles, RoomPlans& out, std::optional<RoomLimit>& missing)
    {
        collect(aisles);
        if (!m_quick) {
            std::vector<Try> best(m_best.begin(), m_best.begin() + std::ptrdiff_t(std::min(m_best.size(), kKept)));
            for (Try& one : best) improve(one);
            std::ranges::stable_sort(best, {}, &Try::cost);
            for (const Try& one : best) (void)finish(one, out.plans);
        }
        for (const Try& one : m_best) {
            if (!out.plans.empty()) break;
            if (auto limit = finish(one, out.plans); limit && !missing) missing = limit;
        }
        return !out.plans.empty();
    }

    bool fitsAt(const Aisles& aisles, std::optional<RoomLimit>& missing)
    {
        const bool before = std::exchange(m_quick, true);
        RoomPlans plans;
        const bool fits = standAt(aisles, plans, missing);
        m_quick = before;
        return fits;
    }

    void collect(const Aisles& aisles)
    {
        m_best.clear();
        for (const int angle : {90, 0})
            for (const Length length : rowLengths(angle, aisles.single)) {
                if (m_progress.stopRequested()) return;
                look(aisles, angle, length);
            }
    }

    void readItems()
    {
        const PlannedHall& hall = m_plan.halls.front();
        for (const std::uint32_t b : hall.blocks) {
            RoomItem item{m_plan.blocks[b].serverRacks, m_plan.blocks[b].networkRacks};
            if (item.racks() > 0) m_items.push_back(std::move(item)); // part of a design is laid out as a design of that size
        }
        m_items.push_back({{}, hall.networkRacks});
        for (std::uint32_t i = 0; i + 1 < m_items.size(); ++i) m_natural.push_back(i);
        m_natural.insert(m_natural.begin() + std::ptrdiff_t(m_natural.size() / 2), std::uint32_t(m_items.size() - 1));
    }

    void readSizes()
    {
        m_width = INT32_MAX;
        for (const PlannedRack& rack : m_plan.racks) {
            m_width = std::min(m_width, rack.width), m_widest = std::max(m_widest, rack.width);
            const std::int32_t depth = m_parts.rack(rack.type).depth.value.count();
            m_depth = std::max(m_depth, depth), m_shallowest = std::min(m_shallowest, depth);
            m_hottest = std::max(m_hottest, rack.demand.liquidMw);
        }
        for (const RoomItem& item : m_items)
            for (const auto rack : item.network) m_mixed = m_mixed || m_plan.racks[rack].width > m_width;
        m_wallEnd = passage();
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
        for (std::int64_t racks = m_needs.racksPerRow; racks >= kLeastInRow; --racks) {
            const int atEnd = single ? (cdusFor(racks * m_hottest, m_o, m_parts) + 1) / 2 : (cdusFor(2 * racks * m_hottest, m_o, m_parts) + 3) / 4;
            const std::int32_t reserve = atEnd > 0 ? atEnd * m_parts.device(m_o.cdu).width.value.count() : 0;
            const auto mm = std::int32_t(racks * m_width) + wider + 2 * reserve;
            if (mm <= most) lengths.push_back({mm, reserve});
        }
        return lengths;
    }

    void look(const Aisles& aisles, int angle, Length length)
    {
        site::CellRequest wish;
        wish.rowLength = length.mm, wish.rackDepth = m_depth, wish.rackWidth = m_width, wish.angle = angle;
        wish.hotAisle = aisles.hot, wish.coldAisle = aisles.cold, wish.wallFront = aisles.front, wish.wallEnd = m_wallEnd;
        wish.passage = passage(), wish.single = aisles.single;
        // Racks that are less deep than others have their middles nearer to the front.
        if (m_needs.egress > 0) wish.egress = std::max(1, m_needs.egress - (m_depth - m_shallowest) / 2 - 1);
        auto [known, fresh] = m_cells.try_emplace(wish);
        if (fresh) known->second = site::cellPlaces(m_shape, wish);
        if (known->second.empty()) return;
        if (m_quick && std::size_t(site::racksOf(known->second)) < m_plan.racks.size()) return;
        Try one{rowSlots(known->second, angle, length.reserve), m_natural, FillMode::Apart, {}, {}};
        for (RowSlot& slot : one.slots) blockSingles(slot, m_width, m_needs.apart);
        bool whole = false;
        for (const FillMode mode : {FillMode::Apart, FillMode::Packed, FillMode::Dense}) {
            if (mode == FillMode::Dense && whole) break;
            one.mode = mode;
            if (!fill(one)) continue;
            keep(one);
            whole = true;
        }
    }

    bool fill(Try& one)
    {
        ++m_tried;
        one.filling = RoomFiller(m_plan, m_items, one.slots, m_needs.apart).fill(one.order, one.mode);
        m_most = std::max(m_most, one.filling.placed);
        if (!one.filling.whole()) return false;
        if (!m_pairs) m_pairs.emplace(m_design, m_plan);
        one.cost = m_pairs->cost(one.filling, one.slots, m_plan);
        return true;
    }

    void keep(const Try& one)
    {
        const auto place = std::ranges::upper_bound(m_best, one.cost, {}, &Try::cost);
        m_best.insert(place, one);
        if (m_best.size() > kMostTries) m_best.pop_back();
    }

    /// Puts what all share elsewhere and swaps blocks, as long as that saves cable.
    void improve(Try& best)
    {
        int looks = 0;
        const auto better = [&](const std::vector<std::uint32_t>& order) {
            Try one{best.slots, order, best.mode, {}, {}};
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
        if (auto limit = standInRoom(plan, hall, m_shape, m_standing, one.slots, passage(), m_parts)) return limit;
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

    const Snapshot& m_design;
    Plan m_plan;
    const Options& m_o;
    const Parts& m_parts;
    const site::RoomShape& m_shape;
    std::span<const site::FloorRect> m_standing; ///< racks that are there
    const RoomNeeds& m_needs;
    CellCache& m_cells;
    const Progress& m_progress;
    std::optional<RackPairs> m_pairs;
    HallId m_hall;
    std::vector<RoomItem> m_items; ///< blocks, then what all share
    std::vector<std::uint32_t> m_natural;
    std::int32_t m_width = 600, m_widest = 0, m_depth = 0, m_shallowest = INT32_MAX, m_wallEnd = 0;
    std::int64_t m_hottest = 0; ///< heat of a rack that goes to coolant, mW
    bool m_mixed = false, m_quick = false;
    std::vector<Try> m_best; ///< of some aisles
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

/// How many of so many racks of support nodes go with some of the server racks.
std::size_t supportFor(std::size_t support, std::size_t servers, std::size_t allServers)
{
    return allServers == 0 ? support : (support * servers + allServers - 1) / allServers;
}

/// The plan with the first of its server racks only. Network racks of a block without any are left out, and as large a share of `support`, racks
/// of storage nodes and the like; what else all share stays.
Plan firstRacks(const Plan& all, std::size_t servers, std::span<const std::uint32_t> support)
{
    Plan out = all;
    const std::size_t asked = servers;
    PlannedHall& hall = out.halls.front();
    std::vector<std::uint32_t> number(all.racks.size(), kNone);
    const auto take = [&](const std::vector<std::uint32_t>& racks) {
        for (const std::uint32_t rack : racks) number[rack] = 0;
    };
    for (const std::uint32_t b : hall.blocks) {
        Block& block = out.blocks[b];
        const std::size_t own = std::min(servers, block.serverRacks.size());
        if (own == 0 && !block.serverRacks.empty()) block.networkRacks.clear();
        block.serverRacks.resize(own);
        servers -= own;
        take(block.serverRacks), take(block.networkRacks);
    }
    std::size_t allServers = 0;
    for (const std::uint32_t b : hall.blocks) allServers += all.blocks[b].serverRacks.size();
    const auto left = support.subspan(supportFor(support.size(), asked, allServers));
    std::erase_if(hall.networkRacks, [&](std::uint32_t rack) { return std::ranges::find(left, rack) != left.end(); });
    take(hall.networkRacks);
    out.racks.clear(), out.ownPdus.clear(), hall.demand = {};
    for (std::uint32_t rack = 0; rack < all.racks.size(); ++rack) {
        if (number[rack] == kNone) continue;
        number[rack] = std::uint32_t(out.racks.size());
        out.racks.push_back(all.racks[rack]), out.ownPdus.push_back(all.ownPdus[rack]);
        hall.demand += all.racks[rack].demand;
    }
    const auto renumber = [&](std::vector<std::uint32_t>& racks) {
        for (std::uint32_t& rack : racks) rack = number[rack];
    };
    for (Block& block : out.blocks) renumber(block.serverRacks), renumber(block.networkRacks);
    renumber(hall.networkRacks);
    for (std::uint32_t& rack : out.rackOf)
        if (rack != kNone) rack = number[rack];
    return out;
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

class RoomSearch::Impl {
public:
    Impl(const Snapshot& design, HallId hall, const RoomNeeds& needs, Options options, const Catalog& catalog, const ProjectParts& known)
        : m_design(design), m_hall(hall), m_needs(needs), m_scratch(design), m_builder(m_scratch), m_parts(m_builder, catalog, options.where),
          m_floor(freeFloor(design, known, hall))
    {
        // One hall, as large as need be: what it takes is found out here.
        options.racksPerRow = 100, options.cellsPerHall = 1'000'000, options.hallsPerBuilding = 1;
        options.buildingPerPod = false;
        options.buildingLimitW = 1'000'000'000'000;
        const Survey found = survey(m_scratch, m_parts, options);
        if (found.loose.empty()) return;
        Groups groups = group(found, options);
        chooseForRoom(design, hall, found, groups);
        m_all = pack(found, std::move(groups), m_parts, options);
        m_all.othersStand = design.racks.size() > 0;
        m_all.halls.front().name = m_all.halls.front().hallName = design.halls.name[hall];
        m_all.halls.front().cdu = m_all.options.cdu; // rows keep room for these
        countUp();
    }

    /// What the server racks of the plan bring, one after the other.
    void countUp()
    {
        Step step; // with those that all share
        const auto add = [&](std::uint32_t rack) {
            ++step.racks;
            step.demand += m_all.racks[rack].demand;
            for (const auto& [device, u] : m_all.racks[rack].devices)
                if (m_design.devices.role[device] != DeviceRole::Backup)
                    step.accelerators += m_parts.device(m_design.devices.type[device]).accelerators;
        };
        std::size_t servers = 0, supported = 0;
        for (const std::uint32_t rack : m_all.halls.front().networkRacks) {
            const bool support = std::ranges::all_of(m_all.racks[rack].devices,
                                                     [&](const auto& one) { return m_design.devices.role[one.first] == DeviceRole::Support; });
            if (support)
                m_support.push_back(rack);
            else
                add(rack);
        }
        for (const std::uint32_t b : m_all.halls.front().blocks) {
            servers += m_all.blocks[b].serverRacks.size();
            if (m_all.blocks[b].serverRacks.empty())
                for (const std::uint32_t rack : m_all.blocks[b].networkRacks) add(rack);
        }
        const auto addSupport = [&](std::size_t with) {
            for (; supported < supportFor(m_support.size(), with, servers); ++supported) add(m_support[supported]);
        };
        addSupport(0);
        m_steps.front() = step;
        for (const std::uint32_t b : m_all.halls.front().blocks)
            for (const std::uint32_t rack : m_all.blocks[b].serverRacks) {
                if (rack == m_all.blocks[b].serverRacks.front())
                    for (const std::uint32_t network : m_all.blocks[b].networkRacks) add(network);
                add(rack);
                addSupport(m_steps.size());
                m_steps.push_back(step);
            }
    }

    struct Step {
        std::int64_t racks = 0, accelerators = 0;
        Demand demand;
    };
    [[nodiscard]] const Step& step(std::int64_t serverRacks) const { return m_steps[std::size_t(serverRacks)]; }
    [[nodiscard]] std::int64_t serverRacks() const { return std::int64_t(m_steps.size()) - 1; }

    RoomPlanner planner(std::int64_t serverRacks, const Progress& progress)
    {
        return RoomPlanner(m_scratch, m_hall, firstRacks(m_all, std::size_t(serverRacks), m_support), m_parts, m_floor, m_needs, m_cells, progress);
    }
    [[nodiscard]] tl::unexpected<Error> canceled() const { return fail(ErrorCode::Canceled, m_design.halls.name[m_hall], i18n("canceled")); }

private:
    const Snapshot& m_design;
    HallId m_hall;
    RoomNeeds m_needs;
    Snapshot m_scratch;
    DesignBuilder m_builder;
    Parts m_parts;
    FreeFloor m_floor;
    Plan m_all;
    std::vector<std::uint32_t> m_support; ///< racks of nothing but storage nodes and the like
    std::vector<Step> m_steps{Step{}};    ///< by number of server racks
    CellCache m_cells;
};

RoomSearch::RoomSearch(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
RoomSearch::RoomSearch(RoomSearch&&) noexcept = default;
RoomSearch::~RoomSearch() = default;

Result<RoomSearch> RoomSearch::begin(const Snapshot& design, HallId hall, const RoomNeeds& needs, const Options& options, const Catalog& catalog)
{
    const auto known = ProjectParts::of(design.partTypes);
    if (!known) return tl::unexpected(known.error());
    try {
        return RoomSearch(std::make_unique<Impl>(design, hall, needs, options, catalog, **known));
    } catch (const Failure& failure) {
        return tl::unexpected(failure.error);
    }
}

std::int64_t RoomSearch::serverRacks() const { return m_impl->serverRacks(); }
std::int64_t RoomSearch::racks(std::int64_t serverRacks) const { return m_impl->step(serverRacks).racks; }
std::int64_t RoomSearch::accelerators(std::int64_t serverRacks) const { return m_impl->step(serverRacks).accelerators; }
Demand RoomSearch::demand(std::int64_t serverRacks) const { return m_impl->step(serverRacks).demand; }

Result<RoomPlans> RoomSearch::plans(std::int64_t serverRacks, const Progress& progress, bool first)
{
    try {
        RoomPlans out;
        m_impl->planner(serverRacks, progress).run(out, first);
        if (progress.stopRequested()) return m_impl->canceled();
        return out;
    } catch (const Failure& failure) {
        return tl::unexpected(failure.error);
    }
}

} // namespace hw::layout

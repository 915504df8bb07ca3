// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/supply_trays.h"

#include "core/derived/figures/supply.h"
#include "core/derived/geometry/frame.h"
#include "core/derived/geometry/tray_graph.h"
#include "core/foundation/model/places.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

namespace hw::layout {

namespace {

// Assumed: heights, gaps between sides, from the end of a row to the ladder along it, and how far what one ladder serves may be away.
constexpr std::int32_t kTopZ = 3880, kLevelMm = 260, kBesideRowMm = 600, kLaneMm = 850, kClusterMm = 2500, kConnectorEveryMm = 24'000,
                       kAcrossRowsMm = 6000, kUnderCeilingMm = 620, kFromWallMm = 200, kBuriedZ = -1200, kEndMm = 300,
                       kPipesZ = 2850; // over racks of 48 U and below fiber: a frame of headers at 2,553 mm, cables from 2,934 mm (Deschutes)
constexpr std::int32_t kMouthMm = 100; ///< of a duct, from the wall that it comes through
constexpr std::int32_t kYardAsideMm = 500, kYardLaneMm = 300;  ///< of ladders beside what stands in a yard: in the ways before and beside its lines
constexpr std::int32_t kAsideStepMm = 50, kMostAsideMm = 6000; ///< places beside one that are looked at. Assumed
constexpr const char* kLadder = "ladder-1000x150";
constexpr std::array kSupplyParts{
    "power-cord-c13-c14", "power-cord-c19-c20", "power-whip-16a",   "power-whip-32a",   "power-whip-63a",   "power-whip-125a",  "tap-off-32a",
    "tap-off-63a",        "tap-off-125a",       "tap-off-250a",     "cable-lv-5x6",     "cable-lv-5x10",    "cable-lv-5x16",    "cable-lv-5x25",
    "cable-lv-5x35",      "cable-lv-4x50",      "cable-lv-4x70",    "cable-lv-4x95",    "cable-lv-4x120",   "cable-lv-4x150",   "cable-lv-4x185",
    "cable-lv-4x240",     "cable-mv-3x1x95",    "cable-mv-3x1x150", "cable-mv-3x1x240", "cable-mv-3x1x400", "cable-mv-3x1x630", "cable-hv-3x1x630",
    "cable-hv-3x1x1200",  "cable-dc-2x70",      "cable-dc-2x150",   "cable-dc-2x300",   "bus-duct-1600a",   "bus-duct-2500a",   "bus-duct-3200a",
    "bus-duct-4000a",     "bus-duct-5000a",     "bus-duct-6300a"};

struct Spot {
    std::int32_t x = 0, y = 0;
};

/// A ladder that is to be written: along x at `at` = y, or along y at `at` = x; on the campus.
struct Ladder {
    HallId hall;
    int lane = 0;
    bool alongX = true;
    std::int32_t at = 0, low = 0, high = 0, z = 0;
    TrayKind kind = TrayKind::Spine;
    [[nodiscard]] Spot end(bool last) const { return alongX ? Spot{last ? high : low, at} : Spot{at, last ? high : low}; }
    void reach(std::int32_t to) { low = std::min(low, to), high = std::max(high, to); }
};

/// What of one lane is fed in one room: where its cables enter.
struct Served {
    std::vector<Spot> spots;
    bool rowsAlongX = false, rows = false; ///< of what hangs over rows
};

class SupplyTrays {
public:
    /// `medium`: power, or coolant whose pipes lie on racks of one lane.
    SupplyTrays(DesignBuilder& builder, const Options& options, Parts& parts, Medium medium, const Scope& scope)
        : m_builder(builder), m_out(builder.design()), m_o(options), m_parts(parts), m_medium(medium), m_scope(scope)
    {
    }

    void run()
    {
        if (power())
            for (const char* slug : kSupplyParts) (void)m_parts.use(slug);
        else
            (void)m_parts.tray(m_o.pipeRack); // it is a tray
        read();
        if (m_lines.empty()) return;
        for (const auto& [key, served] : m_served) collect(key.first, key.second, served);
        for (const auto& [key, pairs] : m_between) joinRooms(key);
        write();
        count();
    }

private:
    struct Line {
        DeviceId consumer, supplier;
        HallId from, to;
        int lane = 0;
    };
    using RoomLane = std::pair<HallId, int>;
    struct Between {
        HallId a, b;
        int lane = 0;
        auto operator<=>(const Between&) const = default;
    };

    [[nodiscard]] bool power() const { return m_medium == Medium::Power; }

    [[nodiscard]] std::shared_ptr<const Supply> supply() const
    {
        const auto power = MediumGraph::compute(m_out, Medium::Power), coolant = MediumGraph::compute(m_out, Medium::Coolant);
        return Supply::compute(m_out, *m_types, *m_placement, *power, *coolant, *PowerFeeds::compute(m_out, *m_types, *power));
    }

    void read()
    {
        m_types = ProjectParts::of(m_out.partTypes).value();
        m_placement = Placement::compute(m_out, *m_types);
        if (power()) readData();
        m_out.devices.forEach([&](DeviceId id) {
            if (const auto hall = hallOf(m_out, id); hall && isYard(*hall) && !m_out.devices.rack[id]) m_outdoors.push_back(boxOf(id));
        });
        const auto all = supply();
        for (const SupplyLine& line : all->lines()) {
            if (line.medium != m_medium || line.pair == Routing::kNoPair || line.size.kind == SupplyKind::Hose) continue;
            if (all->routing(m_medium).pairs()[line.pair].lengthMm >= 0) continue; // trays are there
            const HallId from = *hallOf(m_out, line.consumer), to = *hallOf(m_out, line.supplier);
            if (!m_scope.covers(from) && !m_scope.covers(to)) continue;
            m_lines.push_back({line.consumer, line.supplier, from, to, power() && line.side ? line.side - 'A' : 0});
            const auto& last = m_lines.back();
            if (!(from == to)) ++m_between[{std::min(from, to), std::max(from, to), last.lane}];
        }
        for (const Line& line : m_lines) {
            serve(line.consumer, line.from, line.lane, boxOf(line.supplier));
            serve(line.supplier, line.to, line.lane, boxOf(line.consumer));
        }
    }

    /// A straight tray of a room that carries data.
    struct DataRun {
        HallId hall;
        Box box;
        bool alongX = true;
    };

    void readData()
    {
        m_out.trays.forEach([&](TrayId id) {
            const auto row = m_out.trays.row[id];
            const auto hall = row ? Maybe<HallId>(m_out.rows.hall[*row]) : m_out.trays.hall[id];
            if (!hall || m_out.trays.barrier[id] || !carriesMedium(m_out.trays.carries[id], Medium::Data)) return;
            const TrayLine& line = m_placement->tray(id);
            const TraySpec& spec = m_types->tray(m_out.trays.type[id]);
            Box box = boxAround(line.a, line.b);
            const bool alongX = box.high.x - box.low.x >= box.high.y - box.low.y;
            const std::int32_t half = spec.width.value.count() / 2;
            (alongX ? box.low.y : box.low.x) -= half, (alongX ? box.high.y : box.high.x) += half;
            box.high.z += spec.height.value.count();
            m_data.push_back({*hall, box, alongX});
        });
    }

    /// As rule K4 sees it: not beside data along a meter or more, nearer than wanted.
    [[nodiscard]] bool clearOfData(const Ladder& l) const
    {
        const double apart = numberSetting(m_out, "rule.k4.separation_mm", 200.0), least = numberSetting(m_out, "rule.k4.length_mm", 1000.0);
        const TraySpec& spec = m_parts.tray(kLadder);
        const std::int32_t half = spec.width.value.count() / 2;
        const auto gap = [](std::int32_t lowA, std::int32_t highA, std::int32_t lowB, std::int32_t highB) {
            return std::max({0, lowA - highB, lowB - highA});
        };
        return std::ranges::none_of(m_data, [&](const DataRun& run) {
            if (!(run.hall == l.hall) || run.alongX != l.alongX) return false;
            const Box& b = run.box;
            const std::int32_t low = l.alongX ? b.low.x : b.low.y, high = l.alongX ? b.high.x : b.high.y;
            if (std::min(high, l.high) - std::max(low, l.low) < least) return false;
            const std::int32_t across =
                l.alongX ? gap(l.at - half, l.at + half, b.low.y, b.high.y) : gap(l.at - half, l.at + half, b.low.x, b.high.x);
            return std::hypot(across, gap(l.z, l.z + spec.height.value.count(), b.low.z, b.high.z)) < apart;
        });
    }

    /// The place nearest to that of a ladder, within bounds, where it keeps its distance to data; its own where there is none.
    [[nodiscard]] std::int32_t besideData(Ladder ladder, std::int32_t low, std::int32_t high) const
    {
        const std::int32_t wished = ladder.at;
        for (std::int32_t aside = 0; aside <= kMostAsideMm; aside += kAsideStepMm)
            for (const std::int32_t at : {wished + aside, wished - aside}) {
                ladder.at = at;
                if (at >= low && at <= high && clearOfData(ladder)) return at;
            }
        return wished;
    }

    [[nodiscard]] Box boxOf(DeviceId id) const
    {
        if (const auto rack = m_out.devices.rack[id]) return m_placement->rack(*rack);
        return m_placement->device(m_out, *m_types, id);
    }
    [[nodiscard]] static Spot middleOf(const Box& box) { return {(box.low.x + box.high.x) / 2, (box.low.y + box.high.y) / 2}; }

    [[nodiscard]] bool isYard(HallId hall) const { return m_out.halls.kind[hall] == RoomKind::Yard; }

    /// `other`: what is at the far end; what is long is fed at the end that is nearer to it.
    void serve(DeviceId id, HallId hall, int lane, const Box& other)
    {
        Served& served = m_served[{hall, lane}];
        const Box box = boxOf(id);
        const Spot middle = middleOf(box), far = middleOf(other);
        if (isYard(hall)) return served.spots.push_back({middle.x, box.low.y});
        if (const auto row = rowOf(m_out, id)) {
            const bool alongX = m_out.rows.angle[*row] % 180 == 0;
            served.rows = true, served.rowsAlongX = alongX;
            const Box& whole = m_placement->row(*row);
            if (!m_out.devices.rack[id]) { // over the row: beyond its end
                if (alongX)
                    served.spots.push_back({far.x < middle.x ? std::min(box.low.x, whole.low.x) : std::max(box.high.x, whole.high.x), middle.y});
                else
                    served.spots.push_back({middle.x, far.y < middle.y ? std::min(box.low.y, whole.low.y) : std::max(box.high.y, whole.high.y)});
                return;
            }
        }
        served.spots.push_back(middle);
    }

    [[nodiscard]] std::int32_t zOf(HallId hall, int lane) const
    {
        const std::int32_t height = m_out.halls.sizeZ[hall].count(), wanted = power() ? kTopZ : kPipesZ;
        const std::int32_t top = height > 0 ? std::min(wanted, height - kUnderCeilingMm) : wanted;
        return top - lane * kLevelMm;
    }

    /// Ladders of one lane in one room: one for every line of things, and what joins them.
    void collect(HallId hall, int lane, const Served& served)
    {
        const Box& room = m_placement->hall(hall);
        Spot low = served.spots.front(), high = low;
        for (const Spot& s : served.spots) {
            low = {std::min(low.x, s.x), std::min(low.y, s.y)};
            high = {std::max(high.x, s.x), std::max(high.y, s.y)};
        }
        const bool yard = isYard(hall), alongX = yard || (served.rows ? !served.rowsAlongX : high.x - low.x >= high.y - low.y);
        std::vector<std::pair<std::int32_t, std::int32_t>> spots; // across the ladders, along them
        for (const Spot& s : served.spots) spots.emplace_back(alongX ? s.y : s.x, alongX ? s.x : s.y);
        std::ranges::sort(spots);
        const std::int32_t wallLow = alongX ? room.low.y : room.low.x, wallHigh = alongX ? room.high.y : room.high.x;
        std::vector<std::size_t> own;
        for (std::size_t i = 0; i < spots.size();) {
            std::size_t end = i;
            while (end < spots.size() && spots[end].first - spots[i].first <= kClusterMm) ++end;
            // Beyond rows toward the nearer wall, before what stands in a yard, over other things in their middle; sides beside each other.
            const std::int32_t first = spots[i].first, last = spots[end - 1].first;
            const bool toHigh = wallHigh - last < first - wallLow;
            std::int32_t at = served.rows ? (toHigh ? last + kBesideRowMm + lane * kLaneMm : first - kBesideRowMm - lane * kLaneMm)
                                          : (first + last) / 2 + lane * kLaneMm - kLaneMm / 2;
            const std::int32_t least = std::min(wallLow + kFromWallMm, wallHigh), most = std::max(wallLow, wallHigh - kFromWallMm);
            if (yard) at = first - kYardAsideMm - lane * kYardLaneMm;
            at = std::clamp(at, least, most);
            Ladder ladder{.hall = hall,
                          .lane = lane,
                          .alongX = alongX,
                          .at = at,
                          .low = (alongX ? low.x : low.y) - kEndMm, // they all reach as far in the end
                          .high = (alongX ? high.x : high.y) + kEndMm,
                          .z = zOf(hall, lane)};
            ladder.at = besideData(ladder, least, most);
            ladder.low = INT32_MAX, ladder.high = INT32_MIN;
            for (; i < end; ++i) ladder.reach(spots[i].second);
            ladder.low -= kEndMm, ladder.high += kEndMm;
            if (!own.empty() && m_ladders[own.back()].at == ladder.at) {
                m_ladders[own.back()].reach(ladder.low), m_ladders[own.back()].reach(ladder.high);
                continue;
            }
            own.push_back(m_ladders.size());
            m_ladders.push_back(ladder);
        }
        for (const std::size_t a : own)
            for (const std::size_t b : own) m_ladders[a].reach(m_ladders[b].low), m_ladders[a].reach(m_ladders[b].high);
        m_ofRoom[{hall, lane}] = own;
        for (std::size_t n = 1; n < own.size(); ++n) join(own[n - 1], own[n]);
    }

    /// Two ladders of one lane, of one building.
    void join(std::size_t a, std::size_t b)
    {
        if (m_ladders[a].alongX != m_ladders[b].alongX) { // they cross once both are long enough
            Ladder one = m_ladders[a], two = m_ladders[b];
            one.reach(two.at), two.reach(one.at);
            if (!clearOfYards(one) || !clearOfYards(two)) return joinAround(a, b);
            m_ladders[a] = one, m_ladders[b] = two;
            return;
        }
        const std::int32_t low = std::max(m_ladders[a].low, m_ladders[b].low), high = std::min(m_ladders[a].high, m_ladders[b].high);
        const bool sameRoom = m_ladders[a].hall == m_ladders[b].hall;
        const std::int32_t aside = m_ladders[a].lane * kLaneMm;
        if (high <= low) { // one after the other
            const std::int32_t between = (low + high) / 2 + aside;
            Ladder one = m_ladders[a], two = m_ladders[b];
            one.reach(between), two.reach(between);
            if (!one.alongX && (!clearOfYards(one) || !clearOfYards(two))) return joinAround(a, b);
            m_ladders[a] = one, m_ladders[b] = two;
            return connect(a, b, between);
        }
        if (sameRoom && std::abs(m_ladders[a].at - m_ladders[b].at) > kAcrossRowsMm) { // over the rows: at their ends
            connect(a, b, low + aside);
            return connect(a, b, high - aside);
        }
        const std::int32_t count = std::max(1, (high - low + kConnectorEveryMm - 1) / kConnectorEveryMm);
        for (std::int32_t n = 0; n < count; ++n)
            connect(a, b, std::min(low + std::int32_t(std::int64_t(high - low) * (2 * n + 1) / (2 * count)) + aside, high));
    }

    void connect(std::size_t a, std::size_t b, std::int32_t where)
    {
        const Ladder &one = m_ladders[a], &two = m_ladders[b];
        if (one.at == two.at) return;
        Ladder between{.hall = one.hall,
                       .lane = one.lane,
                       .alongX = !one.alongX,
                       .at = where,
                       .low = std::min(one.at, two.at),
                       .high = std::max(one.at, two.at),
                       .z = std::min(one.z, two.z)};
        between.at = besideData(between, std::max(one.low, two.low), std::min(one.high, two.high));
        if (!between.alongX && !clearOfYards(between)) {
            between.at = besideYards(between);
            m_ladders[a].reach(between.at), m_ladders[b].reach(between.at);
        }
        m_ladders.push_back(between);
    }

    /// It runs over nothing that stands in a yard.
    [[nodiscard]] bool clearOfYards(const Ladder& l) const
    {
        const std::int32_t half = m_parts.tray(power() ? std::string(kLadder) : m_o.pipeRack).width.value.count() / 2;
        return std::ranges::none_of(m_outdoors, [&](const Box& b) {
            const auto [low, high, from, to] =
                l.alongX ? std::array{b.low.y, b.high.y, b.low.x, b.high.x} : std::array{b.low.x, b.high.x, b.low.y, b.high.y};
            return l.at - half < high && low < l.at + half && l.low < to && from < l.high;
        });
    }
    /// The place nearest to that of a ladder between the things of yards and clear of data; its own where there is none.
    [[nodiscard]] std::int32_t besideYards(Ladder ladder) const
    {
        constexpr std::int32_t kMost = 300'000;
        const std::int32_t wished = ladder.at;
        for (std::int32_t aside = 0; aside <= kMost; aside += kAsideStepMm)
            for (const std::int32_t at : {wished + aside, wished - aside}) {
                ladder.at = at;
                if (clearOfYards(ladder) && clearOfData(ladder)) return at;
            }
        return wished;
    }

    /// Where a ladder would run over what stands in a yard: from the end of each along x to a place between the things there.
    void joinAround(std::size_t a, std::size_t b)
    {
        const auto ends = [&](const Ladder& l, std::int32_t to) {
            return l.alongX ? l.at : std::abs(l.low - to) < std::abs(l.high - to) ? l.low : l.high;
        };
        const std::int32_t fromA = ends(m_ladders[a], middle(b).y), fromB = ends(m_ladders[b], middle(a).y);
        Ladder across{.hall = m_ladders[a].hall,
                      .lane = m_ladders[a].lane,
                      .alongX = false,
                      .at = m_ladders[a].alongX ? middle(b).x : middle(a).x,
                      .low = std::min(fromA, fromB),
                      .high = std::max(fromA, fromB),
                      .z = std::min(m_ladders[a].z, m_ladders[b].z)};
        across.at = besideYards(across);
        for (const auto& [l, y] : {std::pair(a, fromA), std::pair(b, fromB)}) {
            const Ladder& from = m_ladders[l];
            if (from.alongX)
                m_ladders[l].reach(across.at);
            else if (from.at != across.at)
                m_ladders.push_back({.hall = from.hall,
                                     .lane = from.lane,
                                     .alongX = true,
                                     .at = y,
                                     .low = std::min(from.at, across.at),
                                     .high = std::max(from.at, across.at),
                                     .z = from.z});
        }
        if (across.low < across.high) m_ladders.push_back(across);
    }

    [[nodiscard]] bool ductsLead(HallId from, HallId to, int lane) const
    {
        const auto ends = [&](TrayId id, HallId hall) {
            const Box& box = m_placement->hall(hall);
            const TrayLine& line = m_placement->tray(id);
            return std::ranges::any_of(std::array{line.a, line.b}, [&](const Point& p) {
                return p.x >= box.low.x && p.x <= box.high.x && p.y >= box.low.y && p.y <= box.high.y;
            });
        };
        bool atFrom = false, atTo = false;
        m_out.trays.forEach([&](TrayId id) {
            if (m_out.trays.carries[id] != Carries::Power || m_out.trays.kind[id] != TrayKind::Duct) return;
            const PowerSide side = m_out.trays.side[id];
            if (side != PowerSide::None && int(side) - 1 != lane) return;
            atFrom = atFrom || ends(id, from), atTo = atTo || ends(id, to);
        });
        return atFrom && atTo;
    }

    void joinRooms(const Between& key)
    {
        const auto a = m_ofRoom.find({key.a, key.lane}), b = m_ofRoom.find({key.b, key.lane});
        if (a == m_ofRoom.end() || b == m_ofRoom.end() || a->second.empty() || b->second.empty()) return;
        if (m_out.halls.building[key.a] == m_out.halls.building[key.b]) return joinNearest(a->second, b->second);
        if (power() && m_o.powerDuct != "none" && !ductsLead(key.a, key.b, key.lane))
            addDucts(key, m_ladders[a->second.front()], m_ladders[b->second.front()]);
    }

    /// The two ladders that are nearest to each other, so that the others of a room are reached through its own.
    void joinNearest(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b)
    {
        std::pair<std::int64_t, std::pair<std::size_t, std::size_t>> best{INT64_MAX, {}};
        for (const std::size_t one : a)
            for (const std::size_t two : b) {
                const Spot p = middle(one), q = middle(two);
                const std::int64_t apart = m_ladders[one].alongX == m_ladders[two].alongX ? std::abs(m_ladders[one].at - m_ladders[two].at)
                                                                                          : std::abs(p.x - q.x) + std::abs(p.y - q.y);
                best = std::min(best, {apart, {one, two}});
            }
        join(best.second.first, best.second.second);
    }
    [[nodiscard]] Spot middle(std::size_t ladder) const
    {
        const Spot a = m_ladders[ladder].end(false), b = m_ladders[ladder].end(true);
        return {(a.x + b.x) / 2, (a.y + b.y) / 2};
    }

    /// Where a duct meets a ladder: at its end; where that lies in no room, just inside the one that it serves.
    [[nodiscard]] Spot mouth(const Ladder& ladder) const
    {
        const Spot end = ladder.end(false);
        const auto within = [&](const Box& box) { return end.x >= box.low.x && end.x <= box.high.x && end.y >= box.low.y && end.y <= box.high.y; };
        if (std::ranges::any_of(m_out.halls.ids(), [&](HallId id) { return within(m_placement->hall(id)); })) return end;
        const Box& room = m_placement->hall(ladder.hall);
        return {std::clamp(end.x, room.low.x + kMouthMm, room.high.x - kMouthMm), std::clamp(end.y, room.low.y + kMouthMm, room.high.y - kMouthMm)};
    }

    /// Below ground, along x and then along y; each end in the room that it serves.
    void addDucts(const Between& key, const Ladder& a, const Ladder& b)
    {
        const Spot p = mouth(a), q = mouth(b);
        const std::int32_t aside = key.lane * kLaneMm;
        Ladder first{.hall = key.a,
                     .lane = key.lane,
                     .alongX = true,
                     .at = p.y,
                     .low = std::min(p.x, q.x + aside),
                     .high = std::max(p.x, q.x + aside),
                     .z = kBuriedZ,
                     .kind = TrayKind::Duct};
        Ladder second{.hall = key.b,
                      .lane = key.lane,
                      .alongX = false,
                      .at = q.x + aside,
                      .low = std::min(p.y, q.y),
                      .high = std::max(p.y, q.y),
                      .z = kBuriedZ,
                      .kind = TrayKind::Duct};
        for (const Ladder& duct : {first, second})
            if (duct.low < duct.high) m_ladders.push_back(duct);
    }

    void write()
    {
        std::map<RoomLane, int> numbers;
        const PartTypeId ladder = m_parts.use(power() ? std::string(kLadder) : m_o.pipeRack);
        for (const Ladder& l : m_ladders) {
            const int number = ++numbers[{l.hall, l.lane}];
            const Frame o = hallFrame(m_out, l.hall);
            const Spot a = l.end(false), b = l.end(true);
            const char side = char('a' + l.lane);
            const std::string &key = m_out.halls.key[l.hall], &name = m_out.halls.name[l.hall];
            const bool duct = l.kind == TrayKind::Duct;
            const std::string own = power() ? fmt::format("supply/{}/side={}/n={}", key, side, number) : fmt::format("pipes/{}/n={}", key, number);
            m_made.push_back(m_builder.tray({.key = key.empty() ? std::string() : "tray.plant/" + own,
                                             .name = power() ? fmt::format("{}-{}-{}-{}", duct ? "power-duct" : "ladder", name, side, number)
                                                             : fmt::format("pipe-rack-{}-{}", name, number),
                                             .kind = l.kind,
                                             .hall = l.hall,
                                             .type = duct && m_o.powerDuct != "none" ? m_parts.use(m_o.powerDuct) : ladder,
                                             .x1 = Millimeters(a.x - o.x),
                                             .y1 = Millimeters(a.y - o.y),
                                             .z1 = Millimeters(l.z),
                                             .x2 = Millimeters(b.x - o.x),
                                             .y2 = Millimeters(b.y - o.y),
                                             .z2 = Millimeters(l.z),
                                             .count = 64,
                                             .carries = power() ? Carries::Power : Carries::Coolant,
                                             .side = power() ? PowerSide(1 + l.lane) : PowerSide::None}));
        }
    }

    /// As many beside each other as the cables through the fullest piece need.
    void count()
    {
        m_out.trays.forEach([&](TrayId tray) { // banks of the plant lead on from building to building, so that one may carry what two were made for
            if (power() && m_out.trays.kind[tray] == TrayKind::Duct && m_out.trays.key[tray].starts_with("tray.plant/duct/"))
                m_banks.emplace_back(tray, m_out.trays.count[tray]);
        });
        for (const auto& [bank, planned] : m_banks) m_out.trays.count.set(bank, 64);
        m_types = ProjectParts::of(m_out.partTypes).value();
        m_placement = Placement::compute(m_out, *m_types);
        const auto lines = supply();
        const Routing& routes = lines->routing(m_medium);
        std::vector<std::pair<std::int64_t, std::int64_t>> loads(routes.sections().size()); // µm², g/m
        for (const SupplyLine& line : lines->lines()) {
            if (line.medium != m_medium || !line.size.type) continue;
            const std::int64_t area = Supply::areaOf(*m_types, line.size),
                               grams = std::int64_t(m_types->cable(*line.size.type).gramsPerMeter.value) * line.size.runs;
            for (const std::uint32_t section : lines->sectionsOf(line)) loads[section].first += area, loads[section].second += grams;
        }
        std::map<TrayId, std::int16_t> counts;
        for (std::size_t i = 0; i < loads.size(); ++i) {
            const auto tray = routes.sections()[i].tray;
            if (!tray) continue;
            const std::string& slug = m_out.partTypes.slug[m_out.trays.type[*tray]];
            const std::int64_t bears = m_parts.tray(slug).bearsGramsPerMeter.value;
            std::int16_t needed = m_parts.traysFor(double(loads[i].first) / 1e6, slug);
            if (bears > 0) needed = std::max(needed, std::int16_t(std::clamp<std::int64_t>((loads[i].second + bears - 1) / bears, 1, 64)));
            std::int16_t& known = counts[*tray];
            known = std::max(known, needed);
        }
        for (const TrayId tray : m_made) m_out.trays.count.set(tray, std::clamp<std::int16_t>(counts[tray], 1, 64));
        for (const auto& [bank, planned] : m_banks) m_out.trays.count.set(bank, std::clamp<std::int16_t>(counts[bank], planned, 64));
    }

    DesignBuilder& m_builder;
    Snapshot& m_out;
    const Options& m_o;
    Parts& m_parts;
    Medium m_medium;
    const Scope& m_scope;
    std::shared_ptr<const ProjectParts> m_types;
    std::shared_ptr<const Placement> m_placement;
    std::vector<DataRun> m_data;
    std::vector<Box> m_outdoors; ///< what stands in yards
    std::vector<Line> m_lines;
    std::map<RoomLane, Served> m_served;
    std::map<Between, std::int64_t> m_between;
    std::vector<Ladder> m_ladders;
    std::map<RoomLane, std::vector<std::size_t>> m_ofRoom; ///< ladders over things, not those between
    std::vector<TrayId> m_made;
    std::vector<std::pair<TrayId, std::int16_t>> m_banks; ///< and how many they were planned for
};

} // namespace

void writeSupplyTrays(DesignBuilder& builder, const Options& options, Parts& parts, const Scope& scope)
{
    SupplyTrays(builder, options, parts, Medium::Power, scope).run();
    if (options.pipeRack != "none") SupplyTrays(builder, options, parts, Medium::Coolant, scope).run();
}

} // namespace hw::layout

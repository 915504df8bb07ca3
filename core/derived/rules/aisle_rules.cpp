// SPDX-License-Identifier: GPL-3.0-or-later
// S4: how long rows are, how wide the aisles before and behind their racks, and whether racks stand in their row.
#include "core/derived/rules/floor_things.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace hw::rules {

namespace {

/// Free floor from a box to another one in a direction in degrees; nothing where it does not lie there.
std::optional<std::int32_t> gapTo(const Box& from, const Box& to, int direction)
{
    const bool alongX = direction % 180 == 0;
    const bool beside = alongX ? from.low.y < to.high.y && to.low.y < from.high.y : from.low.x < to.high.x && to.low.x < from.high.x;
    if (!beside) return std::nullopt;
    const std::int32_t gap = direction == 0     ? to.low.x - from.high.x
                             : direction == 90  ? to.low.y - from.high.y
                             : direction == 180 ? from.low.x - to.high.x
                                                : from.low.y - to.high.y;
    return gap >= 0 ? std::optional(gap) : std::nullopt;
}

std::int32_t gapToWall(const Box& from, const Box& hall, int direction)
{
    return direction == 0     ? hall.high.x - from.high.x
           : direction == 90  ? hall.high.y - from.high.y
           : direction == 180 ? from.low.x - hall.low.x
                              : from.low.y - hall.low.y;
}

enum class Side { Front, Rear };

/// What stands nearest before or behind a rack.
struct Nearest {
    std::int32_t gap = std::numeric_limits<std::int32_t>::max();
    EntityRef what;
};

/// By rack id: the nearest thing before it and behind it within `reach`; walls included.
std::vector<std::array<Nearest, 2>> nearestThings(const RuleInput& input, std::int32_t reach)
{
    const Placement& places = *input.figures.placement;
    std::vector<std::array<Nearest, 2>> nearest(input.snapshot().racks.nextId());
    const auto offer = [&](RackId rack, Side side, std::int32_t gap, EntityRef what) {
        Nearest& best = nearest[rack.value][std::size_t(side)];
        if (gap < best.gap) best = {gap, what};
    };
    const auto directionOf = [&](RackId rack, Side side) { return (places.facing(rack) + (side == Side::Front ? 0 : 180)) % 360; };
    const auto look = [&](const FloorThing& from, const FloorThing& to) {
        if (!from.rack || from.hall != to.hall) return;
        for (const Side side : {Side::Front, Side::Rear})
            if (const auto gap = gapTo(from.box, to.box, directionOf(*from.rack, side)); gap && *gap < reach) offer(*from.rack, side, *gap, to.who);
    };
    const auto all = floorThings(input);
    std::vector<const FloorThing*> open; // what the sweep along x has passed by less than `reach`
    for (const FloorThing& f : all) {
        std::erase_if(open, [&](const FloorThing* other) { return other->box.high.x + reach <= f.box.low.x; });
        for (const FloorThing* other : open) {
            if (other->box.low.y - reach >= f.box.high.y || f.box.low.y - reach >= other->box.high.y) continue;
            look(f, *other);
            look(*other, f);
        }
        open.push_back(&f);
        if (!f.rack) continue;
        for (const Side side : {Side::Front, Side::Rear})
            if (const auto gap = gapToWall(f.box, places.hall(f.hall), directionOf(*f.rack, side)); gap >= 0 && gap < reach)
                offer(*f.rack, side, gap, ref(f.hall));
    }
    return nearest;
}

Text widthText(double mm) { return i18n("{:.2f} m", mm / 1000.0); }

/// An aisle that is too narrow: between two rows, or between a row and something else.
struct Narrow {
    Side side = Side::Front;
    std::int32_t gap = 0;
    double needed = 0, shortfall = 0;
    bool error = false;
    EntityRef rack, what;          ///< where it is narrowest: the rack, and what stands before or behind it
    std::vector<EntityRef> things; ///< all racks and equipment along it
};

struct AisleLimits {
    double front, rear, rearAdvised;
};

Text messageOf(const RuleInput& input, const Narrow& n, EntityRef row, EntityRef other)
{
    const bool front = n.side == Side::Front;
    const Text width = widthText(n.gap), needed = widthText(n.needed);
    const std::string rack = input.name(n.rack), of = input.name(row), name = input.name(n.what);
    const Text what = n.what.kind == EntityKind::Hall ? i18n("wall of {}", name) : verbatim(name);
    const Text found = other.kind == EntityKind::Row && other != row ? i18n("aisle between {} and {}: {} wide", of, input.name(other), width)
                       : front                                       ? i18n("{} clear in front of {} of {}, to {}", width, rack, of, what)
                                                                     : i18n("{} clear behind {} of {}, to {}", width, rack, of, what);
    if (n.error) return front ? i18n("{}; {} required in front of racks", found, needed) : i18n("{}; {} required behind racks", found, needed);
    return front ? i18n("{}; {} recommended in front of racks", found, needed) : i18n("{}; {} recommended behind racks", found, needed);
}

void narrowAisles(const RuleInput& input, std::vector<Finding>& out)
{
    const Snapshot& s = input.snapshot();
    const AisleLimits limits{input.threshold(kFrontAisle), input.threshold(kRearAisle), input.threshold(kRearAdvised)};
    const auto nearest = nearestThings(input, std::int32_t(std::ceil(std::max({limits.front, limits.rear, limits.rearAdvised}))));
    std::map<std::pair<EntityRef, EntityRef>, Narrow> aisles;
    s.racks.forEach([&](RackId rack) {
        for (const Side side : {Side::Front, Side::Rear}) {
            const auto& [gap, what] = nearest[rack.value][std::size_t(side)];
            const double least = side == Side::Front ? limits.front : limits.rear;
            const bool error = gap < least;
            const double needed = error ? least : side == Side::Front ? limits.front : limits.rearAdvised;
            if (gap >= needed) continue;
            const EntityRef row = ref(s.racks.row[rack]), other = what.kind == EntityKind::Rack ? ref(s.racks.row[RackId(what.id)]) : what;
            const bool turned = other.kind == EntityKind::Row && other < row; // an aisle between two rows is one, from whichever it is seen
            Narrow& n = aisles[turned ? std::pair(other, row) : std::pair(row, other)];
            if (n.things.empty() || std::pair(error, needed - gap) > std::pair(n.error, n.shortfall))
                n.side = side, n.gap = gap, n.needed = needed, n.shortfall = needed - gap, n.error = error, n.rack = ref(rack), n.what = what;
            for (const EntityRef e : {ref(rack), what})
                if (e.kind != EntityKind::Hall && std::ranges::find(n.things, e) == n.things.end()) n.things.push_back(e);
        }
    });
    for (auto& [pair, n] : aisles) {
        std::vector<std::string> keys;
        for (const EntityRef e : n.things) keys.push_back(input.subject(e));
        Finding f{.severity = n.error ? Severity::Error : Severity::Warning,
                  .message = messageOf(input, n, pair.first, pair.second),
                  .entities = std::move(n.things)};
        f.id = findingId("S4", {"aisle", input.subject(pair.first), input.subject(pair.second)}) + groupMark(std::move(keys));
        out.push_back(std::move(f));
    }
}

/// A rack as it stands in its row.
struct RackInRow {
    RackId rack;
    std::int32_t from = 0, to = 0, across = 0;
};

/// The place across the row that most of its racks share; of two such the one nearer to the row's own line.
std::int32_t lineOf(const std::vector<RackInRow>& racks)
{
    std::map<std::int32_t, std::size_t> votes;
    for (const RackInRow& r : racks) ++votes[r.across];
    return std::ranges::max_element(votes, {}, [](const auto& vote) { return std::pair(vote.second, -std::abs(vote.first)); })->first;
}

/// Racks of a row without a neighbor within `apart`, unless the whole row stands like that.
std::vector<std::pair<RackId, std::int32_t>> aloneIn(std::vector<RackInRow> racks, double apart)
{
    std::ranges::stable_sort(racks, {}, &RackInRow::from);
    std::vector<std::pair<RackId, std::int32_t>> alone;
    constexpr auto kNone = std::numeric_limits<std::int32_t>::max();
    for (std::size_t i = 0; i < racks.size(); ++i) {
        const std::int32_t before = i == 0 ? kNone : racks[i].from - racks[i - 1].to,
                           after = i + 1 == racks.size() ? kNone : racks[i + 1].from - racks[i].to;
        if (std::min(before, after) > apart) alone.emplace_back(racks[i].rack, std::min(before, after));
    }
    if (racks.size() < 3 || 2 * alone.size() >= racks.size()) alone.clear();
    return alone;
}

/// Racks that were moved away from their row, into an aisle or a passage.
void outOfRow(const RuleInput& input, std::vector<Finding>& out)
{
    const Snapshot& s = input.snapshot();
    const double line = input.threshold(kOutOfLine), apart = input.threshold(kApart);
    std::vector<std::vector<RackInRow>> rows(s.rows.nextId());
    s.racks.forEach([&](RackId id) {
        const std::int32_t from = s.racks.along[id].count();
        rows[s.racks.row[id].value].push_back(
            {id, from, from + input.parts().rack(s.racks.type[id]).width.value.count(), s.racks.across[id].count()});
    });
    const auto report = [&](RackId rack, RowId row, Text message) {
        out.push_back({.severity = Severity::Error,
                       .message = std::move(message),
                       .entities = {ref(rack), ref(row)},
                       .id = findingId("S4", {"place", input.subject(ref(rack))})});
    };
    s.rows.forEach([&](RowId row) {
        auto& racks = rows[row.value];
        if (racks.size() < 2) return;
        const std::int32_t common = lineOf(racks);
        const auto astray = [&](const RackInRow& r) { return std::abs(r.across - common) > line; };
        for (const RackInRow& r : racks)
            if (astray(r))
                report(r.rack, row,
                       i18n("{} is {} out of line with {}", input.name(ref(r.rack)), widthText(std::abs(r.across - common)), input.name(ref(row))));
        std::erase_if(racks, astray);
        for (const auto& [rack, gap] : aloneIn(std::move(racks), apart))
            report(rack, row, i18n("{} is isolated, {} from the next rack of {}", input.name(ref(rack)), widthText(gap), input.name(ref(row))));
    });
}

void longRows(const RuleInput& input, std::vector<Finding>& out)
{
    const Snapshot& s = input.snapshot();
    std::vector<int> racks(s.rows.nextId());
    s.racks.forEach([&](RackId rack) { ++racks[s.racks.row[rack].value]; });
    const double most = input.threshold(kRowLength);
    s.rows.forEach([&](RowId row) {
        if (racks[row.value] <= most) return;
        out.push_back({.severity = Severity::Warning,
                       .message = i18np(racks[row.value], "{1} has {0} contiguous rack; recommended maximum {2:.0f}",
                                        "{1} has {0} contiguous racks; recommended maximum {2:.0f}", input.name(ref(row)), most),
                       .entities = {ref(row)},
                       .id = findingId("S4", {input.subject(ref(row))})});
    });
}

} // namespace

std::vector<Finding> rowsAndAisles(const RuleInput& input)
{
    std::vector<Finding> out;
    narrowAisles(input, out);
    outOfRow(input, out);
    longRows(input, out);
    return together(std::move(out), closedEnds(input));
}

} // namespace hw::rules

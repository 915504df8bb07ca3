// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/clip.h"

#include "core/derived/geometry/frame.h"
#include "core/design/edit/copier.h"
#include "core/design/edit/kinds.h"
#include "core/design/edit/places.h"
#include "core/foundation/storage/text_form.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::edit {
namespace {

constexpr std::string_view kMark = "hallwright.clip/1";
constexpr std::size_t kMostTries = 400'000; ///< places that are tried
constexpr std::int64_t kReach = 60'000;     ///< mm around the place asked for

bool inRack(const Snapshot& s, EntityRef e) { return e.kind == EntityKind::Device && s.devices.rack[DeviceId(e.id)]; }

/// The kind of what holds a thing that is pasted.
EntityKind holderKind(const Snapshot& s, EntityRef e)
{
    switch (e.kind) {
    case EntityKind::Building: return EntityKind::Site;
    case EntityKind::Hall: return EntityKind::Building;
    case EntityKind::Rack: return EntityKind::Row;
    case EntityKind::Device: return inRack(s, e) ? EntityKind::Rack : EntityKind::Hall;
    default: return EntityKind::Hall;
    }
}

/// The smallest room, building or site around a point.
std::optional<EntityRef> placeAt(const Snapshot& s, const ProjectParts& parts, EntityKind kind, std::optional<PlanPoint> at)
{
    std::vector<EntityRef> all;
    if (kind == EntityKind::Site) s.sites.forEach([&](SiteId id) { all.push_back(ref(id)); });
    if (kind == EntityKind::Building) s.buildings.forEach([&](BuildingId id) { all.push_back(ref(id)); });
    if (kind == EntityKind::Hall) s.halls.forEach([&](HallId id) { all.push_back(ref(id)); });
    if (kind == EntityKind::Site || !at)
        return all.size() == 1 || (kind == EntityKind::Site && !all.empty()) ? std::optional(all.front()) : std::nullopt;
    const auto placement = Placement::compute(s, parts);
    std::optional<EntityRef> best;
    double least = 0;
    for (const EntityRef e : all) {
        const auto box = boxOf(s, parts, *placement, e);
        if (!box || at->x < box->low.x || at->x > box->high.x || at->y < box->low.y || at->y > box->high.y) continue;
        const double area = double(box->high.x - box->low.x) * double(box->high.y - box->low.y);
        if (!best || area < least) best = e, least = area;
    }
    return best ? best : all.size() == 1 ? std::optional(all.front()) : std::nullopt;
}

Result<EntityRef> holderFor(const Snapshot& s, const ProjectParts& parts, EntityKind kind, const PasteTarget& target)
{
    const auto around = [&](std::optional<EntityRef> e) -> std::optional<EntityRef> {
        if (!e || !living(s, *e)) return std::nullopt;
        const auto chain = ancestry(s, *e);
        const auto found = std::find_if(chain.rbegin(), chain.rend(), [&](EntityRef up) { return up.kind == kind; });
        return found == chain.rend() ? std::nullopt : std::optional(*found);
    };
    if (const auto holder = around(target.into)) return *holder;
    if (const auto place = placeAt(s, parts, kind, target.at)) return *place;
    if (const auto holder = around(target.otherwise)) return *holder;
    return fail(ErrorCode::Refused, "paste", i18n("no {} is selected", kindText(kind)), i18n("select a {} to paste into", kindText(kind)));
}

/// A rectangle of the plan; what touches another does not overlap it.
struct Area {
    std::int64_t x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    [[nodiscard]] bool overlaps(const Area& o) const { return x1 < o.x2 && o.x1 < x2 && y1 < o.y2 && o.y1 < y2; }
    [[nodiscard]] bool within(const Area& o) const { return x1 >= o.x1 && x2 <= o.x2 && y1 >= o.y1 && y2 <= o.y2; }
    [[nodiscard]] Area moved(PlanPoint by) const { return {x1 + by.x, y1 + by.y, x2 + by.x, y2 + by.y}; }
};

Area areaOf(const Box& b) { return {b.low.x, b.low.y, std::max(b.high.x, b.low.x + 1), std::max(b.high.y, b.low.y + 1)}; }

/// What a thing of a kind must not stand on, in one holder.
std::vector<Area> obstacles(const Snapshot& s, const ProjectParts& parts, const Placement& placement, EntityRef holder, EntityKind kind,
                            const std::vector<EntityRef>& except)
{
    std::vector<Area> found;
    const auto add = [&](EntityRef e) {
        if (std::ranges::find(except, e) != except.end()) return;
        if (const auto box = boxOf(s, parts, placement, e)) found.push_back(areaOf(*box));
    };
    if (holder.kind == EntityKind::Site)
        s.buildings.forEach([&](BuildingId id) { add(ref(id)); });
    else if (holder.kind == EntityKind::Building)
        s.halls.forEach([&](HallId id) {
            if (s.halls.building[id].value == holder.id) add(ref(id));
        });
    if (holder.kind != EntityKind::Hall) return found;
    const HallId hall(holder.id);
    if (kind == EntityKind::Tray) {
        s.trays.forEach([&](TrayId id) {
            if (s.trays.hall[id] == Maybe<HallId>(hall)) add(ref(id));
        });
        return found;
    }
    s.rows.forEach([&](RowId id) {
        if (s.rows.hall[id] == hall) add(ref(id));
    });
    s.devices.forEach([&](DeviceId id) {
        if (!s.devices.rack[id] && !s.devices.row[id] && s.devices.hall[id] == Maybe<HallId>(hall)) add(ref(id));
    });
    s.structures.forEach([&](StructureId id) {
        if (s.structures.hall[id] == hall && s.structures.kind[id] != StructureKind::Door) add(ref(id));
    });
    return found;
}

/// The shortest shift of an area, after `wanted`, that brings it clear of all others and into the room.
std::optional<PlanPoint> freeShift(const Area& area, PlanPoint wanted, const std::vector<Area>& others, const std::optional<Area>& room)
{
    const Area start = area.moved(wanted);
    const auto clear = [&](PlanPoint by) {
        const Area a = start.moved(by);
        return (!room || a.within(*room)) && std::ranges::none_of(others, [&](const Area& o) { return a.overlaps(o); });
    };
    std::vector<std::int64_t> xs{0}, ys{0};
    const Area near{start.x1 - kReach, start.y1 - kReach, start.x2 + kReach, start.y2 + kReach};
    for (const Area& o : others) {
        if (!o.overlaps(near)) continue;
        xs.insert(xs.end(), {o.x2 - start.x1, o.x1 - start.x2});
        ys.insert(ys.end(), {o.y2 - start.y1, o.y1 - start.y2});
    }
    if (room) {
        xs.insert(xs.end(), {room->x1 - start.x1, room->x2 - start.x2});
        ys.insert(ys.end(), {room->y1 - start.y1, room->y2 - start.y2});
    }
    for (auto* list : {&xs, &ys}) {
        std::ranges::sort(*list, [](auto a, auto b) { return std::pair(std::abs(a), a) < std::pair(std::abs(b), b); });
        list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    std::optional<PlanPoint> best;
    double least = 0;
    std::size_t tries = 0;
    for (const std::int64_t x : xs)
        for (const std::int64_t y : ys) {
            const double way = std::hypot(double(x), double(y));
            if (best && way >= least) break; // those behind it are further
            if (++tries > kMostTries) return best;
            if (clear({x, y})) best = PlanPoint{x, y}, least = way;
        }
    if (best) return PlanPoint{wanted.x + best->x, wanted.y + best->y};
    return std::nullopt;
}

class Paster {
public:
    Paster(Transaction& t, Lookup& lookup, const Clip& clip, const PasteTarget& target) : m_t(t), m_lookup(lookup), m_clip(clip), m_target(target) {}

    Result<Copied> run()
    {
        for (const EntityRef e : m_clip.things)
            if (!living(*m_clip.design, e)) return fail(ErrorCode::Refused, "paste", i18n("the clipboard is damaged"), i18n("copy again"));
        if (m_clip.things.empty()) return fail(ErrorCode::Refused, "paste", i18n("the clipboard is empty"), i18n("copy objects first"));
        const EntityKind kind = holderKind(*m_clip.design, m_clip.things.front());
        for (const EntityRef e : m_clip.things)
            if (holderKind(*m_clip.design, e) != kind)
                return fail(ErrorCode::Refused, "paste", i18n("the objects require different types of parent"),
                            i18n("copy racks, rows and devices separately"));
        const auto before = ProjectParts::of(m_t->partTypes);
        if (!before) return tl::unexpected(before.error());
        const auto holder = holderFor(*m_t, **before, kind, m_target);
        if (!holder) return tl::unexpected(holder.error());
        Copier copier(*m_t, m_lookup, m_clip.design, m_clip.things, false);
        Copied result{copier.make({}), {}};
        result.made = copier.made();
        for (const EntityRef e : result.copies)
            if (auto held = hold(*m_t, e, *holder); !held) return tl::unexpected(held.error());
        const auto parts = ProjectParts::of(m_t->partTypes);
        if (!parts) return tl::unexpected(parts.error());
        const auto placed = kind == EntityKind::Rack  ? intoUnits(**parts, RackId(holder->id), result.copies)
                            : kind == EntityKind::Row ? intoRow(**parts, RowId(holder->id), result.copies)
                                                      : ontoFloor(**parts, *holder, result.copies);
        if (!placed) return tl::unexpected(placed.error());
        return result;
    }

private:
    Result<void> intoUnits(const ProjectParts& parts, RackId rack, const std::vector<EntityRef>& copies)
    {
        for (const EntityRef e : copies) {
            const DeviceId device(e.id);
            if (m_t->devices.u[device] == 0) continue; // a zero-U place takes any number
            m_t->devices.u.set(device, std::int16_t(-1));
            Lookup now(m_t.preview());
            const auto u = freeUnit(*m_t, parts, now, rack, device);
            if (!u) return tl::unexpected(u.error());
            m_t->devices.u.set(device, std::int16_t(*u));
        }
        return {};
    }

    /// Racks stay in their order, side by side as they were, at the free place of the row that is nearest.
    Result<void> intoRow(const ProjectParts& parts, RowId row, const std::vector<EntityRef>& copies)
    {
        Snapshot& s = *m_t;
        const auto widthOf = [&](RackId id) { return std::int64_t(parts.rack(s.racks.type[id]).width.value.count()); };
        std::vector<std::pair<std::int64_t, std::int64_t>> taken;
        std::int64_t from = column::kFarthest, to = -column::kFarthest;
        s.racks.forEach([&](RackId id) {
            const std::int64_t along = s.racks.along[id].count();
            const bool copied = std::ranges::find(copies, ref(id)) != copies.end();
            if (copied)
                from = std::min(from, along), to = std::max(to, along + widthOf(id));
            else if (s.racks.row[id] == row)
                taken.emplace_back(along, along + widthOf(id));
        });
        std::int64_t wanted = 0;
        for (const auto& [low, high] : taken) wanted = std::max(wanted, high);
        if (m_target.at) {
            const Frame frame = rowFrame(s, row);
            const std::int64_t dx = m_target.at->x - frame.x, dy = m_target.at->y - frame.y;
            const std::int64_t along = frame.quarter == 0 ? dx : frame.quarter == 1 ? dy : frame.quarter == 2 ? -dx : -dy;
            wanted = std::max<std::int64_t>(0, along - (to - from) / 2);
        }
        const auto clear = [&](std::int64_t at) {
            return at >= 0 && std::ranges::none_of(taken, [&](const auto& t) { return at < t.second && t.first < at + to - from; });
        };
        std::vector<std::int64_t> places{wanted, 0};
        for (const auto& [low, high] : taken) places.insert(places.end(), {high, low - (to - from)});
        std::erase_if(places, [&](std::int64_t at) { return !clear(at); });
        if (places.empty()) return fail(ErrorCode::Refused, s.rows.name[row], i18n("no room for the racks"), i18n("paste into another row"));
        const std::int64_t at = *std::ranges::min_element(places, {}, [&](std::int64_t p) { return std::pair(std::abs(p - wanted), p); });
        for (const EntityRef e : copies) {
            const RackId id(e.id);
            s.racks.along.set(id, Millimeters(std::int32_t(s.racks.along[id].count() - from + at)));
        }
        return {};
    }

    Result<void> ontoFloor(const ProjectParts& parts, EntityRef holder, const std::vector<EntityRef>& copies)
    {
        const auto original = ProjectParts::of(m_clip.design->partTypes);
        if (!original) return tl::unexpected(original.error());
        const auto there = Placement::compute(*m_clip.design, **original), here = Placement::compute(*m_t, parts);
        std::vector<Area> wanted; // where they stood
        std::optional<Area> all;
        for (const EntityRef e : m_clip.things) {
            const auto box = boxOf(*m_clip.design, **original, *there, e);
            if (!box) return fail(ErrorCode::Refused, "paste", i18n("the clipboard is damaged"), i18n("copy again"));
            const Area area = areaOf(*box);
            wanted.push_back(area);
            all = all ? Area{std::min(all->x1, area.x1), std::min(all->y1, area.y1), std::max(all->x2, area.x2), std::max(all->y2, area.y2)} : area;
        }
        PlanPoint by;
        if (m_target.at) by = {m_target.at->x - (all->x1 + all->x2) / 2, m_target.at->y - (all->y1 + all->y2) / 2};
        std::optional<Area> room;
        if (holder.kind == EntityKind::Hall)
            if (const auto box = boxOf(*m_t, parts, *here, holder)) room = areaOf(*box);
        const auto shift = freeShift(*all, by, obstacles(*m_t, parts, *here, holder, copies.front().kind, copies), room);
        if (!shift)
            return fail(ErrorCode::Refused, entityName(*m_t, parts, holder), i18n("no room for the objects"),
                        i18n("paste elsewhere, or copy fewer objects at a time"));
        for (std::size_t i = 0; i < copies.size(); ++i) {
            const auto box = boxOf(*m_t, parts, *here, copies[i]);
            if (!box) continue;
            if (auto moved = moveEntity(m_t, copies[i], wanted[i].x1 + shift->x - box->low.x, wanted[i].y1 + shift->y - box->low.y); !moved)
                return moved;
        }
        return {};
    }

    Transaction& m_t;
    Lookup& m_lookup;
    const Clip& m_clip;
    const PasteTarget& m_target;
};

/// A file that goes with it, for what is only read from and written to files.
class Scratch {
public:
    Scratch()
    {
        std::random_device random;
        m_folder = std::filesystem::temp_directory_path() / fmt::format("hallwright-clip-{:08x}{:08x}", random(), random());
        std::error_code ignored;
        std::filesystem::create_directory(m_folder, ignored);
    }
    ~Scratch()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_folder, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    [[nodiscard]] std::filesystem::path file() const { return m_folder / "clip.txt"; }

private:
    std::filesystem::path m_folder;
};

} // namespace

bool canClip(const Snapshot& s, EntityRef e)
{
    switch (e.kind) {
    case EntityKind::Building:
    case EntityKind::Hall:
    case EntityKind::Row:
    case EntityKind::Rack:
    case EntityKind::Structure: return living(s, e);
    case EntityKind::Device:
        return living(s, e) && !s.devices.row[DeviceId(e.id)] && (s.devices.rack[DeviceId(e.id)] || s.devices.hall[DeviceId(e.id)]);
    case EntityKind::Tray: return living(s, e) && !s.trays.row[TrayId(e.id)] && s.trays.hall[TrayId(e.id)];
    default: return false;
    }
}

Result<Clip> clipOf(const SnapshotPtr& design, std::span<const EntityRef> entities)
{
    std::vector<EntityRef> roots;
    for (const EntityRef e : entities) {
        if (!canClip(*design, e))
            return fail(ErrorCode::Refused, "copy", i18n("this object cannot be copied to the clipboard"),
                        i18n("supported: buildings, halls, rows, racks, structures, trays of a hall, devices in racks or on the floor"));
        const auto chain = ancestry(*design, e);
        const bool carried = std::ranges::any_of(chain, [&](EntityRef up) { return up != e && std::ranges::find(entities, up) != entities.end(); });
        if (!carried && std::ranges::find(roots, e) == roots.end()) roots.push_back(e);
    }
    auto small = std::make_shared<Snapshot>();
    Lookup names(std::make_shared<const Snapshot>());
    Clip clip;
    clip.things = Copier(*small, names, design, roots, true).make({});
    small->revision = 1;
    clip.design = std::move(small);
    return clip;
}

Result<std::string> clipBytes(const Clip& clip)
{
    const Scratch scratch;
    if (auto written = exportText(*clip.design, scratch.file()); !written) return tl::unexpected(written.error());
    std::ifstream file(scratch.file(), std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    nlohmann::json things = nlohmann::json::array();
    for (const EntityRef e : clip.things) things.push_back({int(e.kind), e.id});
    return std::string(kMark) + '\n' + things.dump() + '\n' + text;
}

Result<Clip> readClip(std::string_view bytes)
{
    const auto damaged = [] {
        return fail(ErrorCode::Unreadable, "clipboard", i18n("contains no Hallwright objects, or is damaged"), i18n("copy again"));
    };
    const auto first = bytes.find('\n'), second = bytes.find('\n', first == bytes.npos ? first : first + 1);
    if (second == bytes.npos || bytes.substr(0, first) != kMark) return damaged();
    const auto things = nlohmann::json::parse(bytes.substr(first + 1, second - first - 1), nullptr, false);
    if (!things.is_array()) return damaged();
    Clip clip;
    for (const auto& one : things) {
        if (!one.is_array() || one.size() != 2 || !one[0].is_number_unsigned() || !one[1].is_number_unsigned()) return damaged();
        clip.things.push_back({EntityKind(one[0].get<std::uint8_t>()), one[1].get<std::uint32_t>()});
    }
    const Scratch scratch;
    {
        std::ofstream file(scratch.file(), std::ios::binary);
        file.write(bytes.data() + second + 1, std::streamsize(bytes.size() - second - 1));
        if (!file) return damaged();
    }
    auto design = importText(scratch.file());
    if (!design) return damaged();
    clip.design = std::move(*design);
    for (const EntityRef e : clip.things)
        if (!canClip(*clip.design, e)) return damaged();
    return clip;
}

Result<Copied> paste(Transaction& t, Lookup& lookup, const Clip& clip, const PasteTarget& target) { return Paster(t, lookup, clip, target).run(); }

} // namespace hw::edit

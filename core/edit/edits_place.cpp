// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/edits.h"

#include "core/model/exists.h"

#include <algorithm>

namespace hw::edit {

namespace {

constexpr std::int64_t kFarthest_mm = 100'000'000; ///< 100 km: sums over the nested frames stay far from overflow
constexpr std::size_t kLongestName = 100;

struct Shift { std::int64_t x, y; };

/// Hall directions turned into those of a row (along, to the left), whose angle is a multiple of 90°.
Shift intoRow(const Snapshot& s, RowId row, Shift d)
{
    switch (((s.rows.angle[row] % 360) + 360) % 360) {
    case 90: return {d.y, -d.x};
    case 180: return {-d.x, -d.y};
    case 270: return {-d.y, d.x};
    default: return d;
    }
}

template <class TableT, class IdT, class ColumnT>
bool inReach(const TableT&, IdT id, const ColumnT& column, std::int64_t by)
{
    const std::int64_t place = std::int64_t(column[id].count()) + by;
    return by >= -2 * kFarthest_mm && by <= 2 * kFarthest_mm && place >= -kFarthest_mm && place <= kFarthest_mm;
}

template <class ColumnT, class IdT>
void shift(ColumnT& column, IdT id, std::int64_t by)
{
    column.set(id, Millimetres(std::int32_t(column[id].count() + by)));
}

template <class TableT, class IdT, class ColumnT>
Result<void> moveRow(TableT& table, IdT id, ColumnT& x, ColumnT& y, Shift d)
{
    if (!inReach(table, id, x, d.x) || !inReach(table, id, y, d.y))
        return fail(ErrorCode::Refused, table.name[id], "would stand further than 100 km from its origin", "move it less far");
    if (d.x == 0 && d.y == 0) return {};
    shift(x, id, d.x);
    shift(y, id, d.y);
    table.overridden.set(id, table.overridden[id] | overridden::kPlace);
    return {};
}

Result<void> moveTray(Snapshot& s, TrayId id, Shift d)
{
    auto& t = s.trays;
    if (const std::optional<RowId> row = t.row[id]) d = intoRow(s, *row, d);
    if (!inReach(t, id, t.x2, d.x) || !inReach(t, id, t.y2, d.y))
        return fail(ErrorCode::Refused, t.name[id], "would end further than 100 km from its origin", "move it less far");
    auto done = moveRow(t, id, t.x1, t.y1, d);
    if (!done || (d.x == 0 && d.y == 0)) return done;
    shift(t.x2, id, d.x);
    shift(t.y2, id, d.y);
    return {};
}

Result<void> moveDevice(Snapshot& s, DeviceId id, Shift d)
{
    if (const std::optional<RackId> rack = s.devices.rack[id])
        return fail(ErrorCode::Refused, s.devices.name[id], "stands in " + s.racks.name[*rack], "move the rack, or place the device elsewhere");
    return moveRow(s.devices, id, s.devices.x, s.devices.y, d);
}

bool living(const Snapshot& s, EntityRef e) { return canRename(e.kind) && exists(s, e); } ///< the same kinds have a place

bool taken(const Snapshot& s, std::string_view name, EntityRef except)
{
    bool found = false;
    const auto look = [&](const auto& table) {
        table.forEach([&](auto id) { found = found || (table.name[id] == name && ref(id) != except); });
    };
    look(s.networks), look(s.buildings), look(s.halls), look(s.rows), look(s.racks), look(s.trays), look(s.tiers), look(s.devices);
    return found;
}

template <class TableT, class IdT>
Result<void> setName(TableT& table, IdT id, std::string_view name)
{
    if (table.name[id] == name) return {};
    table.name.set(id, std::string(name));
    table.overridden.set(id, table.overridden[id] | overridden::kName);
    return {};
}

/// Half units [from, to) that a device fills, counted from the rack's lowest.
struct Span { int from, to; };
Span spanOf(const ProjectParts& parts, PartTypeId type, int u)
{
    const int from = 2 * (u - 1);
    return {from, from + std::max(1, parts.device(type).halfUnits)};
}

} // namespace

bool canRename(EntityKind kind)
{
    switch (kind) {
    case EntityKind::Building: case EntityKind::Hall: case EntityKind::Row: case EntityKind::Rack: case EntityKind::Tray: case EntityKind::Device: return true;
    case EntityKind::None: case EntityKind::Network: case EntityKind::Tier: case EntityKind::Cage: case EntityKind::Port:
    case EntityKind::Link: case EntityKind::Cable: case EntityKind::PartType: return false;
    }
    return false;
}

Result<void> moveEntity(Transaction& transaction, EntityRef e, std::int64_t dx_mm, std::int64_t dy_mm)
{
    Snapshot& s = *transaction;
    const Shift d{dx_mm, dy_mm};
    if (living(s, e) && std::max(std::abs(dx_mm / 2), std::abs(dy_mm / 2)) <= kFarthest_mm) {
        if (e.kind == EntityKind::Building) return moveRow(s.buildings, BuildingId(e.id), s.buildings.x, s.buildings.y, d);
        if (e.kind == EntityKind::Hall) return moveRow(s.halls, HallId(e.id), s.halls.x, s.halls.y, d);
        if (e.kind == EntityKind::Row) return moveRow(s.rows, RowId(e.id), s.rows.x, s.rows.y, d);
        if (e.kind == EntityKind::Tray) return moveTray(s, TrayId(e.id), d);
        if (e.kind == EntityKind::Device) return moveDevice(s, DeviceId(e.id), d);
        const RackId rack(e.id);
        return moveRow(s.racks, rack, s.racks.along, s.racks.across, intoRow(s, s.racks.row[rack], d));
    }
    if (living(s, e)) return fail(ErrorCode::Refused, "move", "more than 200 km", "move it less far");
    return fail(ErrorCode::Refused, "move", "this cannot be moved", "buildings, halls, rows, racks, trays and free-standing devices can");
}

Result<void> renameEntity(Transaction& transaction, EntityRef e, std::string_view name)
{
    Snapshot& s = *transaction;
    const std::string where(name);
    const bool control = std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
    if (name.empty() || name.size() > kLongestName || name.front() == ' ' || name.back() == ' ')
        return fail(ErrorCode::Refused, where, "a name has 1 to 100 characters and no blanks at its ends", "choose another name");
    if (control || name.find(':') != std::string_view::npos)
        return fail(ErrorCode::Refused, where, "a name has no colon, tab, line break or other control character", "choose another name");
    if (!living(s, e)) return fail(ErrorCode::Refused, where, "this cannot be renamed", "buildings, halls, rows, racks, trays and devices can");
    if (taken(s, name, e)) return fail(ErrorCode::Refused, where, "something else has this name", "choose another name");
    switch (e.kind) {
    case EntityKind::Building: return setName(s.buildings, BuildingId(e.id), name);
    case EntityKind::Hall: return setName(s.halls, HallId(e.id), name);
    case EntityKind::Row: return setName(s.rows, RowId(e.id), name);
    case EntityKind::Rack: return setName(s.racks, RackId(e.id), name);
    case EntityKind::Tray: return setName(s.trays, TrayId(e.id), name);
    default: return setName(s.devices, DeviceId(e.id), name);
    }
}

Result<void> placeDevice(Transaction& transaction, const ProjectParts& parts, DeviceId device, RackId rack, int u)
{
    Snapshot& s = *transaction;
    const std::string& where = s.devices.name[device];
    const int height = parts.rack(s.racks.type[rack]).heightU;
    const Span want = spanOf(parts, s.devices.type[device], u);
    if (u < 0 || u > height || (u > 0 && want.to > 2 * height))
        return fail(ErrorCode::Refused, where, "does not fit at U " + std::to_string(u) + ": " + s.racks.name[rack] + " has " + std::to_string(height) + " U",
                    "choose a lower place");
    std::optional<DeviceId> other;
    if (u > 0)
        s.devices.forEach([&](DeviceId id) {
            if (id == device || s.devices.rack[id] != rack || s.devices.u[id] <= 0) return;
            const Span have = spanOf(parts, s.devices.type[id], s.devices.u[id]);
            if (have.from < want.to && want.from < have.to && !other) other = id;
        });
    if (other)
        return fail(ErrorCode::Refused, where, "U " + std::to_string(u) + " of " + s.racks.name[rack] + " is taken by " + s.devices.name[*other],
                    "choose a free place");
    if (s.devices.rack[device] == rack && s.devices.u[device] == u) return {};
    s.devices.rack.set(device, rack);
    s.devices.u.set(device, std::int16_t(u));
    s.devices.hall.set(device, std::nullopt);
    s.devices.overridden.set(device, s.devices.overridden[device] | overridden::kPlace);
    return {};
}

} // namespace hw::edit

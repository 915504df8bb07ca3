// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/edits.h"

#include "core/design/edit/places.h"
#include "core/foundation/model/laid_out.h"

#include <algorithm>

namespace hw::edit {

namespace {

constexpr std::int64_t kFarthest_mm = column::kFarthest; ///< sums over the nested frames stay far from overflow

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

/// The row whose directions the places of an entity are stored in, if they are not the hall's.
std::optional<RowId> rowFrame(const Snapshot& s, EntityRef e)
{
    if (e.kind == EntityKind::Rack) return s.racks.row[RackId(e.id)];
    if (e.kind == EntityKind::Tray) return s.trays.row[TrayId(e.id)];
    if (e.kind == EntityKind::Device) return s.devices.row[DeviceId(e.id)];
    return std::nullopt;
}

/// Calls f(column, shift) for every column that holds a place of the table's rows along x or y.
template <class TableT, class F>
void eachPlace(TableT& table, Shift d, F&& f)
{
    const auto look = [&](auto& column) {
        if constexpr (std::is_same_v<typename std::decay_t<decltype(column)>::Value, Millimeters>) {
            if (column.traits().role == ColumnRole::X) f(column, d.x);
            if (column.traits().role == ColumnRole::Y) f(column, d.y);
        }
    };
    table.withColumns([&](auto&... column) { (look(column), ...); });
}

/// Moves a row of any table that has places; nothing for one that has none.
template <class TableT, class IdT>
std::optional<Result<void>> shiftRow(TableT& table, IdT id, Shift d)
{
    bool placed = false, inReach = true;
    eachPlace(table, d, [&](auto& column, std::int64_t by) {
        placed = true;
        inReach = inReach && std::abs(std::int64_t(column[id].count()) + by) <= kFarthest_mm;
    });
    if (!placed) return std::nullopt;
    if constexpr (requires {
                      table.overridden[id];
                      table.name[id];
                  }) {
        if (!inReach)
            return fail(ErrorCode::Refused, table.name[id], i18n("new position exceeds ±100 km from the origin"), i18n("reduce the distance"));
        if (d.x == 0 && d.y == 0) return Result<void>();
        eachPlace(table, d, [&](auto& column, std::int64_t by) { column.set(id, Millimeters(std::int32_t(column[id].count() + by))); });
        table.overridden.set(id, overridden::placedByHand(table.overridden[id]));
    }
    return Result<void>();
}

/// Calls f(table) for every table whose rows a person can name.
template <class S, class F>
void eachNamedTable(S& snapshot, F&& f)
{
    snapshot.eachTable([&](auto& table) {
        if constexpr (requires {
                          table.name;
                          table.overridden;
                      })
            f(table);
    });
}

bool taken(const Snapshot& s, std::string_view name, EntityRef except)
{
    bool found = false;
    eachNamedTable(s, [&](const auto& table) { table.forEach([&](auto id) { found = found || (table.name[id] == name && ref(id) != except); }); });
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

} // namespace

bool canRename(EntityKind kind)
{
    bool named = false;
    eachNamedTable(schemaSnapshot(), [&](const auto& table) { named = named || kKindOf<std::decay_t<decltype(table)>> == kind; });
    return named && kind != EntityKind::None;
}

Result<void> moveEntity(Transaction& transaction, EntityRef e, std::int64_t dx_mm, std::int64_t dy_mm)
{
    Snapshot& s = *transaction;
    if (!living(s, e))
        return fail(ErrorCode::Refused, "move", i18n("this object cannot be moved"),
                    i18n("supported: buildings, halls, rows, racks, trays and free-standing devices"));
    if (std::max(std::abs(dx_mm / 2), std::abs(dy_mm / 2)) > kFarthest_mm)
        return fail(ErrorCode::Refused, "move", i18n("exceeds 200 km"), i18n("reduce the distance"));
    if (e.kind == EntityKind::Device)
        if (const std::optional<RackId> rack = s.devices.rack[DeviceId(e.id)])
            return fail(ErrorCode::Refused, s.devices.name[DeviceId(e.id)], i18n("mounted in {}", s.racks.name[*rack]),
                        i18n("move the rack, or place the device elsewhere"));
    Shift d{dx_mm, dy_mm};
    if (const auto row = rowFrame(s, e)) d = intoRow(s, *row, d);
    std::optional<Result<void>> done;
    visitEntity(s, e, [&](auto& table, auto id) { done = shiftRow(table, id, d); });
    if (done) return *done;
    return fail(ErrorCode::Refused, "move", i18n("this object cannot be moved"),
                i18n("supported: buildings, halls, rows, racks, trays and free-standing devices"));
}

Result<void> shiftPlace(Transaction& transaction, EntityRef e, Shift by)
{
    if (by.x == 0 && by.y == 0) return {};
    std::optional<Result<void>> done;
    visitEntity(*transaction, e, [&](auto& table, auto id) { done = shiftRow(table, id, by); });
    return done.value_or(Result<void>());
}

namespace {

/// Characters that show nothing, or turn the direction of others: in UTF-8, besides those of ASCII.
constexpr std::string_view kUnseen[] = {"\u200B", "\u200E", "\u200F", "\u2028", "\u2029", "\u202A", "\u202B", "\u202C",
                                        "\u202D", "\u202E", "\u2060", "\u2066", "\u2067", "\u2068", "\u2069", "\uFEFF"};

bool hasControl(std::string_view text)
{
    return std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }) ||
           std::ranges::any_of(kUnseen, [&](std::string_view unseen) { return text.find(unseen) != std::string_view::npos; });
}

} // namespace

Result<void> checkPlainText(const std::string& where, std::string_view text)
{
    if (!hasControl(text) && text.size() <= 200) return {};
    return fail(ErrorCode::Refused, where, i18n("longer than 200 bytes, or contains control characters"), i18n("choose another text"));
}

Result<void> checkName(std::string_view name)
{
    const std::string where(name);
    if (name.empty() || charactersOf(name) > kLongestName || name.front() == ' ' || name.back() == ' ')
        return fail(ErrorCode::Refused, where, i18n("name must have 1 to 100 characters and no leading or trailing spaces"),
                    i18n("choose another name"));
    if (hasControl(name) || name.find(':') != std::string_view::npos)
        return fail(ErrorCode::Refused, where, i18n("name must not contain colons, tabs, line breaks or other control characters"),
                    i18n("choose another name"));
    return {};
}

Result<void> renameEntity(Transaction& transaction, EntityRef e, std::string_view name, Lookup* lookup)
{
    Snapshot& s = *transaction;
    if (auto fine = checkName(name); !fine) return fine;
    std::optional<Result<void>> done;
    visitEntity(s, e, [&](auto& table, auto id) {
        if constexpr (Named<decltype(table)>) {
            if (lookup ? lookup->taken(name, e) : taken(s, name, e))
                done = fail(ErrorCode::Refused, std::string(name), i18n("name already in use"), i18n("choose another name"));
            else
                done = setName(table, id, name);
        }
    });
    if (done) return *done;
    return fail(ErrorCode::Refused, std::string(name), i18n("this object cannot be renamed"),
                i18n("supported: networks, tiers, buildings, halls, rows, racks, trays and devices"));
}

Result<void> placeDevice(Transaction& transaction, const ProjectParts& parts, DeviceId device, RackId rack, int u, Lookup* lookup)
{
    Snapshot& s = *transaction;
    const std::string& where = s.devices.name[device];
    const RackSpec& spec = parts.rack(s.racks.type[rack]);
    const Mounted want = mountedAt(parts.device(s.devices.type[device]), s.devices.face[device], u);
    if (u < 0 || u > spec.heightU || (u > 0 && want.high > 2 * spec.heightU))
        return fail(ErrorCode::Refused, where, i18n("does not fit at U {}: {} has {} U", u, s.racks.name[rack], spec.heightU),
                    i18n("choose a lower position"));
    std::optional<DeviceId> other;
    const auto look = [&](DeviceId id) {
        if (id == device || s.devices.rack[id] != rack || s.devices.u[id] <= 0 || (other && *other < id)) return;
        const Mounted there = mounted(s, parts, id);
        if (overlap(want, there) || touchBack(want, there, spec)) other = id;
    };
    if (u > 0 && lookup)
        lookup->referring(&Devices::rack, rack.value, [&](std::uint32_t row) { look(DeviceId(row)); });
    else if (u > 0)
        s.devices.forEach(look);
    if (other)
        return fail(ErrorCode::Refused, where, i18n("U {} of {} is occupied by {}", u, s.racks.name[rack], s.devices.name[*other]),
                    i18n("choose a free position"));
    if (s.devices.rack[device] == rack && s.devices.u[device] == u && !s.devices.row[device] && !s.devices.hall[device]) return {};
    s.devices.rack.set(device, rack);
    s.devices.u.set(device, std::int16_t(u));
    s.devices.row.set(device, std::nullopt);
    s.devices.hall.set(device, std::nullopt);
    s.devices.overridden.set(device, overridden::placedByHand(s.devices.overridden[device]));
    return {};
}

} // namespace hw::edit

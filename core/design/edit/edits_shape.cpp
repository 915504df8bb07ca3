// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/edits_create.h"
#include "core/foundation/model/laid_out.h"

#include <cmath>

namespace hw::edit {

Result<void> rotate(Transaction& t, EntityRef e, std::int64_t by_deg)
{
    Snapshot& s = *t;
    const bool device = e.kind == EntityKind::Device && living(s, e) && !s.devices.rack[DeviceId(e.id)];
    if (!device && (e.kind != EntityKind::Row || !living(s, e)))
        return fail(ErrorCode::Refused, "rotate", i18n("this object cannot be rotated"), i18n("supported: rows and free-standing devices"));
    if (by_deg % 90 != 0)
        return fail(ErrorCode::Refused, "by_deg", i18n("{}° is not a multiple of 90°", by_deg), i18n("specify a multiple of 90, counterclockwise"));
    const auto turn = [&](auto& table, auto id) {
        const auto angle = std::int16_t(((table.angle[id] + by_deg % 360) % 360 + 360) % 360);
        if (angle == table.angle[id]) return;
        table.angle.set(id, angle);
        table.overridden.set(id, overridden::placedByHand(table.overridden[id]));
    };
    if (device)
        turn(s.devices, DeviceId(e.id));
    else
        turn(s.rows, RowId(e.id));
    return {};
}

namespace {

Result<void> checkSize(const char* name, const std::optional<std::int64_t>& size)
{
    if (!size || (*size >= 1 && *size <= column::kLargest)) return {};
    return fail(ErrorCode::Refused, name, i18n("{} mm is out of range", *size), i18n("specify 1 to {} mm", column::kLargest));
}

/// Of an end that moved.
Result<void> checkReach(const std::string& name, std::initializer_list<Millimeters> end)
{
    for (const Millimeters at : end)
        if (std::abs(std::int64_t(at.count())) > column::kFarthest)
            return fail(ErrorCode::Refused, name, i18n("end exceeds ±100 km from the origin"), i18n("reduce the length"));
    return {};
}

template <class TableT, class IdT>
Result<void> resizeBox(TableT& table, IdT id, const NewSize& size)
{
    if (size.length) return fail(ErrorCode::Refused, "length_mm", i18n("applies to trays only"), i18n("use size_x_mm, size_y_mm or size_z_mm"));
    const auto set = [&](auto& column, const std::optional<std::int64_t>& to) {
        if (!to || column[id].count() == *to) return;
        column.set(id, Millimeters(std::int32_t(*to)));
        table.overridden.set(id, table.overridden[id] | overridden::kSize);
    };
    set(table.sizeX, size.x), set(table.sizeY, size.y), set(table.sizeZ, size.z);
    return {};
}

/// Wall, column or door: its end moves along its direction.
Result<void> resizeStructure(Structures& t, StructureId id, const NewSize& size)
{
    if (!size.length || size.x || size.y || size.z)
        return fail(ErrorCode::Refused, "resize", i18n("only the length of a structure can be resized"),
                    i18n("use length_mm, and set width_mm or height_mm"));
    const double dx = t.x2[id].count() - t.x1[id].count(), dy = t.y2[id].count() - t.y1[id].count(), length = std::hypot(dx, dy);
    const auto end = [&](const auto& from, double by) { return Millimeters(std::int32_t(std::lround(from[id].count() + by))); };
    const Millimeters x = end(t.x1, length > 0 ? dx / length * double(*size.length) : double(*size.length)),
                      y = end(t.y1, length > 0 ? dy / length * double(*size.length) : 0);
    if (auto fine = checkReach(t.name[id], {x, y}); !fine) return fine;
    if (x == t.x2[id] && y == t.y2[id]) return {};
    t.x2.set(id, x), t.y2.set(id, y);
    t.overridden.set(id, overridden::placedByHand(t.overridden[id]));
    return {};
}

/// Moves the tray's end along its direction.
Result<void> resizeTray(Trays& t, TrayId id, const NewSize& size)
{
    if (!size.length || size.x || size.y || size.z)
        return fail(ErrorCode::Refused, "resize", i18n("only the length of a tray can be resized"), i18n("use length_mm"));
    const double dx = t.x2[id].count() - t.x1[id].count(), dy = t.y2[id].count() - t.y1[id].count(), dz = t.z2[id].count() - t.z1[id].count();
    const double length = std::sqrt(dx * dx + dy * dy + dz * dz), scale = length > 0 ? double(*size.length) / length : 0;
    const auto end = [&](const auto& from, double by) { return Millimeters(std::int32_t(std::lround(from[id].count() + by))); };
    const Millimeters x = end(t.x1, length > 0 ? dx * scale : double(*size.length)), y = end(t.y1, dy * scale), z = end(t.z1, dz * scale);
    if (auto fine = checkReach(t.name[id], {x, y, z}); !fine) return fine;
    if (x == t.x2[id] && y == t.y2[id] && z == t.z2[id]) return {};
    t.x2.set(id, x), t.y2.set(id, y), t.z2.set(id, z);
    t.overridden.set(id, overridden::placedByHand(t.overridden[id]));
    return {};
}

} // namespace

Result<void> resize(Transaction& t, EntityRef e, const NewSize& size)
{
    Snapshot& s = *t;
    for (const auto& [name, value] : {std::pair("size_x_mm", size.x), {"size_y_mm", size.y}, {"size_z_mm", size.z}, {"length_mm", size.length}})
        if (auto fine = checkSize(name, value); !fine) return fine;
    if (!size.x && !size.y && !size.z && !size.length)
        return fail(ErrorCode::Refused, "resize", i18n("no size given"), i18n("use size_x_mm, size_y_mm or length_mm"));
    if (e.kind == EntityKind::Building && living(s, e)) return resizeBox(s.buildings, BuildingId(e.id), size);
    if (e.kind == EntityKind::Hall && living(s, e)) return resizeBox(s.halls, HallId(e.id), size);
    if (e.kind == EntityKind::Tray && living(s, e)) return resizeTray(s.trays, TrayId(e.id), size);
    if (e.kind == EntityKind::Structure && living(s, e)) return resizeStructure(s.structures, StructureId(e.id), size);
    return fail(ErrorCode::Refused, "resize", i18n("this object has no size"), i18n("supported: buildings, halls, trays and structures"));
}

Result<void> placeInHall(Transaction& t, DeviceId device, HallId hall)
{
    Snapshot& s = *t;
    if (!s.devices.contains(device) || !s.halls.contains(hall))
        return fail(ErrorCode::Refused, "place", i18n("object not found"), i18n("specify others"));
    if (!s.devices.rack[device] && !s.devices.row[device] && s.devices.hall[device] == hall) return {};
    s.devices.rack.set(device, std::nullopt);
    s.devices.u.set(device, std::int16_t(0));
    s.devices.row.set(device, std::nullopt);
    s.devices.hall.set(device, hall);
    s.devices.overridden.set(device, overridden::placedByHand(s.devices.overridden[device]));
    return {};
}

Result<void> placeOverRow(Transaction& t, DeviceId device, RowId row)
{
    Snapshot& s = *t;
    if (!s.devices.contains(device) || !s.rows.contains(row))
        return fail(ErrorCode::Refused, "place", i18n("object not found"), i18n("specify others"));
    if (!s.devices.rack[device] && s.devices.row[device] == row) return {};
    s.devices.rack.set(device, std::nullopt);
    s.devices.u.set(device, std::int16_t(0));
    s.devices.row.set(device, row);
    s.devices.hall.set(device, std::nullopt);
    s.devices.overridden.set(device, overridden::placedByHand(s.devices.overridden[device]));
    return {};
}

} // namespace hw::edit

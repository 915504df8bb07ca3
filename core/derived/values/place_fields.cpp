// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/values/place_fields.h"

#include "core/derived/figures/tray_load.h"
#include "core/derived/geometry/outlook.h"
#include "core/derived/values/field_helpers.h"

namespace hw {

namespace {

/// By rack, of what is in it.
std::vector<std::int64_t> gramsInRacks(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    std::vector<std::int64_t> grams(s.racks.nextId(), 0);
    s.devices.forEach([&](DeviceId id) {
        if (const auto rack = s.devices.rack[id]) grams[(*rack).value] += figures.parts->device(s.devices.type[id]).weight.value.count();
    });
    return grams;
}

double squareMeters(const Box& box) { return double(box.high.x - box.low.x) * double(box.high.y - box.low.y) * 1e-6; }

std::vector<ValueField> one(ValueField field)
{
    std::vector<ValueField> fields;
    fields.push_back(std::move(field));
    return fields;
}

} // namespace

std::vector<ValueField> weightFields(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    ValueField racks = emptyField(EntityKind::Rack, s.racks.nextId(), FieldScale::Share, TextId("Contents weight / rack rating"), "%");
    const auto grams = gramsInRacks(figures);
    s.racks.forEach([&](RackId id) {
        if (const auto rating = figures.parts->rack(s.racks.type[id]).maxWeight.value.count(); rating > 0)
            racks.values[id.value] = float(double(grams[id.value]) / double(rating));
    });
    return one(std::move(racks));
}

std::vector<ValueField> floorLoadFields(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    ValueField racks = emptyField(EntityKind::Rack, s.racks.nextId(), FieldScale::Amount, TextId("Floor load on footprint"), "kg/m²");
    const auto grams = gramsInRacks(figures);
    s.racks.forEach([&](RackId id) {
        const double area = squareMeters(figures.placement->rack(id));
        const auto own = figures.parts->rack(s.racks.type[id]).weight.value.count();
        if (area > 0) racks.values[id.value] = float(double(grams[id.value] + own) * 1e-3 / area);
    });
    fitToValues(racks);
    return one(std::move(racks));
}

std::vector<ValueField> heatDensityFields(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    const PowerBasis basis = powerBasisOf(s);
    ValueField rows = emptyField(EntityKind::Row, s.rows.nextId(), FieldScale::Amount, TextId("Row heat load per area"), "W/m²");
    ValueField racks = emptyField(EntityKind::Rack, s.racks.nextId(), FieldScale::Amount, TextId("Row heat load per area"), "W/m²");
    rows.source = racks.source = basisOf(s);
    std::vector<double> area(s.rows.nextId(), 0);
    s.racks.forEach([&](RackId id) { area[s.racks.row[id].value] += squareMeters(figures.placement->rack(id)); });
    s.rows.forEach([&](RowId id) {
        if (area[id.value] > 0) rows.values[id.value] = float(double(figures.power->row(id).at(basis).count()) * 1e-3 / area[id.value]);
    });
    s.racks.forEach([&](RackId id) { racks.values[id.value] = rows.values[s.racks.row[id].value]; });
    fitToValues(rows);
    racks.high = rows.high;
    std::vector<ValueField> fields = one(std::move(racks));
    fields.push_back(std::move(rows));
    return fields;
}

std::vector<ValueField> clearanceFields(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    const Placement& places = *figures.placement;
    ValueField racks = emptyField(EntityKind::Rack, s.racks.nextId(), FieldScale::Amount, TextId("Free floor in front of rack"), "m");
    std::vector<std::vector<Box>> inHall(s.halls.nextId()); // rows, walls and columns, equipment that stands alone
    s.rows.forEach([&](RowId id) {
        if (places.row(id) != Box{}) inHall[s.rows.hall[id].value].push_back(places.row(id));
    });
    s.structures.forEach([&](StructureId id) {
        const StructureKind kind = s.structures.kind[id];
        if (kind == StructureKind::Wall || kind == StructureKind::Column || kind == StructureKind::Ramp)
            inHall[s.structures.hall[id].value].push_back(places.structure(id).box());
    });
    s.devices.forEach([&](DeviceId id) {
        const auto hall = s.devices.hall[id];
        if (!hall || s.devices.rack[id] || s.devices.row[id]) return;
        constexpr std::int32_t kOverHead = 2000; // what hangs above people takes no floor
        const Box box = places.device(s, *figures.parts, id);
        const bool busway = figures.parts->device(s.devices.type[id]).power.element == PowerElement::Busway; // hangs, whatever its place says
        if (box.low.z < kOverHead && !busway) inHall[(*hall).value].push_back(box);
    });
    s.racks.forEach([&](RackId id) {
        const HallId hall = s.rows.hall[s.racks.row[id]];
        const Outlook look{places.rack(id), ((places.facing(id) % 360) + 360) % 360};
        std::int64_t nearest = std::max<std::int64_t>(0, look.toWall(places.hall(hall)));
        for (const Box& other : inHall[hall.value])
            if (const auto distance = look.to(other); distance >= 0) nearest = std::min(nearest, distance);
        racks.values[id.value] = float(double(nearest) * 1e-3);
    });
    racks.high = 4; // wider aisles are alike
    return one(std::move(racks));
}

std::vector<ValueField> trayFillFields(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    ValueField trays = emptyField(EntityKind::Tray, s.trays.nextId(), FieldScale::Share, TextId("Tray fill"), "%");
    const auto& loads = figures.get<TrayLoadNode>();
    s.trays.forEach([&](TrayId id) { trays.values[id.value] = float(fillPermille(s, *figures.parts, id, loads[id.value])) / 1000; });
    return one(std::move(trays));
}

} // namespace hw

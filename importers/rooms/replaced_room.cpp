// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/rooms/replaced_room.h"

namespace hw::importers {

void clearRoom(Snapshot& s, HallId hall, const std::set<StructureKind>& kinds, const RoomDoubt& doubt)
{
    std::size_t replaced = 0;
    for (const CornerId id : s.corners.ids())
        if (s.corners.hall[id] == hall) s.corners.erase(id);
    for (const StructureId id : s.structures.ids())
        if (s.structures.hall[id] == hall && kinds.contains(s.structures.kind[id])) s.structures.erase(id), ++replaced;
    if (replaced > 0)
        doubt(i18np(replaced, "{} existing wall, column or door of the hall is replaced",
                    "{} existing walls, columns and doors of the hall are replaced"));
}

void growBuilding(Snapshot& s, HallId hall, const RoomDoubt& doubt)
{
    auto& b = s.buildings;
    const BuildingId building = s.halls.building[hall];
    const auto grow = [&](auto& column, Millimeters wanted) {
        if (column[building] >= wanted) return;
        column.set(building, wanted);
        b.overridden.set(building, b.overridden[building] | overridden::kSize);
        doubt(i18n("building {} is enlarged to fit the hall", b.name[building]));
    };
    grow(b.sizeX, s.halls.x[hall] + s.halls.sizeX[hall]);
    grow(b.sizeY, s.halls.y[hall] + s.halls.sizeY[hall]);
}

} // namespace hw::importers

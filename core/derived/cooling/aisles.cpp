// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/aisles.h"

#include "core/derived/geometry/outlook.h"

#include <algorithm>
#include <map>

namespace hw {

namespace {

/// Which row stands opposite another one, and how wide the floor before each is: to a row there, else to the wall of the room.
struct Fronts {
    std::map<RowId, RowId> opposite;
    std::map<RowId, std::int64_t> width;
};

Fronts frontsOf(const Snapshot& s, const Placement& places)
{
    Fronts out;
    std::vector<int> facing(s.rows.nextId(), -1);
    s.racks.forEach([&](RackId id) { facing[s.racks.row[id].value] = places.facing(id); });
    auto& [opposite, width] = out;
    s.rows.forEach([&](RowId row) {
        if (facing[row.value] < 0) return;
        const Outlook front{places.row(row), facing[row.value]};
        std::int64_t nearest = front.toWall(places.hall(s.rows.hall[row]));
        s.rows.forEach([&](RowId other) {
            if (other == row || facing[other.value] < 0 || s.rows.hall[other] != s.rows.hall[row]) return;
            const std::int64_t gap = front.to(places.row(other));
            if (gap <= 0 || gap > nearest) return;
            nearest = gap;
            if (facing[other.value] == (facing[row.value] + 180) % 360)
                opposite.insert_or_assign(row, other);
            else
                opposite.erase(row);
        });
        width[row] = nearest;
    });
    return out;
}

} // namespace

std::vector<ColdAisle> coldAisles(const Figures& figures, const CoolingChain& chain)
{
    const Snapshot& s = *figures.snapshot;
    const Fronts fronts = frontsOf(s, *figures.placement);
    const auto heat = [&](RowId row) {
        const Load& load = figures.power->row(row);
        return toWatts(load.at(chain.at.basis) - load.liquid[std::size_t(chain.at.basis)]);
    };
    std::vector<ColdAisle> aisles;
    for (const auto& [row, wide] : fronts.width) {
        const auto with = fronts.opposite.find(row);
        const bool shared = with != fronts.opposite.end() && fronts.opposite.contains(with->second) && fronts.opposite.at(with->second) == row;
        if (shared && with->second < row) continue; // told by the other row
        ColdAisle aisle{.hall = s.rows.hall[row], .rows = {row}, .widthMm = wide, .heatW = heat(row)};
        if (shared) aisle.heatW += heat(with->second), aisle.rows.push_back(with->second);
        const auto air = chain.airOf[aisle.hall.value];
        const auto clear = s.halls.clearHeight[aisle.hall].count() > 0 ? s.halls.clearHeight[aisle.hall] : s.halls.sizeZ[aisle.hall];
        if (air >= 0 && chain.loops[std::size_t(air)].wattsPerLpmK > 0 && wide > 0 && clear.count() > 0) {
            aisle.airM3s = aisle.heatW / chain.loops[std::size_t(air)].wattsPerLpmK / chain.at.airDeltaK;
            aisle.sectionM2 = double(wide) / 1000 * toMeters(clear);
        }
        aisles.push_back(std::move(aisle));
    }
    return aisles;
}

} // namespace hw

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/layout/plant.h"

#include <cmath>

namespace hw::layout {

/// What equipment carries of so many kW and kVA.
[[nodiscard]] inline std::int64_t realRating(const DeviceSpec& spec, double powerFactor)
{
    const std::int64_t real = spec.capacity.value.count();
    const auto apparent = std::int64_t(double(spec.power.apparent.value.count()) * powerFactor);
    return apparent > 0 && (real == 0 || apparent < real) ? apparent : real;
}
/// Load of UPS modules: as designed at most 90 % of their rating, as rule P7 advises; at nameplate their kW.
struct UpsLoad {
    std::int64_t mw = 0, designMw = 0;
    static constexpr double kMargin = 1.01; ///< between what is planned and what the chain counts
    /// Modules that carry it; `real`: what one does at the power factor, `rated`: its kW.
    [[nodiscard]] std::int64_t modules(std::int64_t real, std::int64_t rated) const
    {
        const double wanted = std::max(double(designMw) * kMargin / (0.9 * double(std::max<std::int64_t>(1, real))),
                                       double(mw) * kMargin / double(std::max<std::int64_t>(1, rated)));
        return std::max<std::int64_t>(1, std::int64_t(std::ceil(wanted)));
    }
};

/// Rooms for plant behind the halls, filled while equipment is made and written at the end.
class PlantRooms {
public:
    explicit PlantRooms(DesignBuilder& builder, const Parts& parts) : m_builder(builder), m_out(builder.design()), m_parts(parts) {}
    void inside(HallId of, DeviceId device) { m_electrical[of].push_back(device); }
    void outside(HallId of, DeviceId device) { m_yard[of].push_back(device); }
    /// Pumps and headers of facility water; what rejects its heat.
    void inPlantRoom(HallId of, DeviceId device) { m_plant[of].push_back(device); }
    void amongCoolers(HallId of, DeviceId device) { m_coolers[of].push_back(device); }
    /// A substation of one side, beside everything else.
    void inSubstation(int side, DeviceId device) { m_substation[side].push_back(device); }
    void write();
    /// A feeder runs from the substation of a side to the switchgear of a hall.
    void ductTo(int side, HallId hall) { ++m_ducts[side][hall]; }
    [[nodiscard]] const std::map<int, std::map<HallId, std::int64_t>>& ducts() const { return m_ducts; } ///< feeders, by side and hall
    /// Rooms that `write` made.
    [[nodiscard]] HallId electricalOf(HallId hall) const { return m_electricalOf.at(hall); }
    [[nodiscard]] HallId substationOf(int side) const { return m_substationOf.at(side); }

private:
    [[nodiscard]] std::vector<Footprint> sizesOf(const std::vector<DeviceId>& devices) const;
    HallId room(HallId of, const char* stem, RoomKind kind, std::int32_t x, std::int32_t y, std::int32_t width, std::int32_t depth);
    void fill(HallId room, const std::vector<DeviceId>& devices, const std::vector<Line>& places);
    void writeSubstations();

    DesignBuilder& m_builder;
    Snapshot& m_out;
    const Parts& m_parts;
    std::map<HallId, std::vector<DeviceId>> m_electrical, m_yard, m_plant, m_coolers;
    std::map<int, std::vector<DeviceId>> m_substation;
    std::map<int, std::map<HallId, std::int64_t>> m_ducts;
    std::map<HallId, HallId> m_electricalOf;
    std::map<int, HallId> m_substationOf;
};

} // namespace hw::layout

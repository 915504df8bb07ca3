// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/layout/plant_rooms.h"
#include "core/design/layout/plant_wirer.h"
#include "core/design/layout/water.h"
#include "core/design/layout/water_sizes.h"
#include "core/foundation/model/places.h"

#include <fmt/format.h>

namespace hw::layout {

/// What the steps share that lead heat out.
struct WaterBench {
    Snapshot& out;
    const Options& o;
    Parts& parts;
    Wirer& wire;
    PlantRooms& rooms;
    const Scope& scope;
    WaterConditions at;
    std::vector<Demand> demands; ///< by device, of those that were there before
    WaterMade made{};
    /// Heat that a CDU takes with all of its loop, and when one of them is lost.
    struct UnitHeat {
        double meanW = 0, worstW = 0;
    };
    std::map<DeviceId, UnitHeat> unitHeat{};

    [[nodiscard]] const DeviceSpec& spec(DeviceId id) const { return parts.device(out.devices.type[id]); }
    [[nodiscard]] const Demand& demand(DeviceId id) const
    {
        static const Demand kNothing;
        return id.value < demands.size() ? demands[id.value] : kNothing;
    }
    [[nodiscard]] bool isCdu(DeviceId id) const
    {
        const auto& part = spec(id);
        return part.cooling.element == CoolingElement::Cdu || (part.cooling.element == CoolingElement::None && part.removes == "liquid");
    }
    [[nodiscard]] Maybe<HallId> hallOf(DeviceId id) const
    {
        const auto found = made.served.find(id);
        return found == made.served.end() ? hw::hallOf(out, id) : Maybe<HallId>(found->second);
    }
    /// `count` parallel pairs of pipes or hoses of one type.
    void join(DeviceId taker, DeviceId feeder, const std::string& pipe, int count = 1)
    {
        for (int n = 0; n < count; ++n)
            if (const auto cable = out.links.cable[wire.join(taker, feeder, n)]) out.cables.type.set(*cable, parts.use(pipe));
    }
    [[nodiscard]] static std::string keyed(const std::string& key, const std::string& text) { return key.empty() ? std::string() : text; }
    /// Of the plant of a hall; placed when its rooms are written.
    DeviceId plant(HallId hall, TierId tier, const std::string& slug, const std::string& key, std::string name, bool outdoors = false)
    {
        const DeviceId id = wire.device(tier, slug, keyed(out.halls.key[hall], key), std::move(name), -1);
        made.served.emplace(id, hall);
        outdoors ? rooms.amongCoolers(hall, id) : rooms.inPlantRoom(hall, id);
        return id;
    }
};

/// From the cabinets to the CDUs.
void writeCabinetLoops(WaterBench& bench);
/// From CDUs and air units to the outdoor air.
void writeFacility(WaterBench& bench);

} // namespace hw::layout

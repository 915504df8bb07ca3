// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/layout/plant_rooms.h"
#include "core/design/layout/plant_wirer.h"
#include "core/design/layout/water.h"

#include "core/foundation/model/places.h"

#include <fmt/format.h>

namespace hw::layout {

/// What the steps share that feed a design.
struct PlantBench {
    Snapshot& out;
    const Options& o;
    Parts& parts;
    Wirer& wire;
    PlantRooms& rooms;
    const WaterMade& water;
    std::map<HallId, std::int64_t> densest{}; ///< most that a rack of a room draws as designed, mW

    [[nodiscard]] const DeviceSpec& spec(DeviceId id) const { return parts.device(out.devices.type[id]); }
    [[nodiscard]] TierKind kind(DeviceId id) const { return out.tiers.kind[out.devices.tier[id]]; }
    [[nodiscard]] std::int64_t capacity(const std::string& slug) const { return parts.device(slug).capacity.value.count(); }
    [[nodiscard]] static std::string keyed(const std::string& key, const std::string& text) { return key.empty() ? std::string() : text; }
    /// The room that a device stands in, or whose plant it belongs to.
    [[nodiscard]] Maybe<HallId> hallOf(DeviceId id) const
    {
        const auto found = water.served.find(id);
        return found == water.served.end() ? hw::hallOf(out, id) : Maybe<HallId>(found->second);
    }
    /// Equipment of loops that cool cabinets is fed behind the UPS.
    [[nodiscard]] bool isPump(DeviceId id) const { return spec(id).removes == "liquid" || water.pumps.contains(id); }
    /// Air units and facility pumps of a room: its racks overheat soon after they stop.
    [[nodiscard]] bool keepsAir(DeviceId id) const
    {
        using enum CoolingElement;
        const CoolingElement element = spec(id).cooling.element;
        return element == FanWall || element == Crah || element == InRow || element == RearDoor || water.airPumps.contains(id);
    }
    /// Sides of busways and strips: one where everything is on one side.
    [[nodiscard]] int ways() const { return o.redundancy == Redundancy::NPlusOne ? 1 : 2; }
};

/// Busways, or strips where there are no busways, that carry the same racks.
struct PlantSection {
    std::array<Maybe<DeviceId>, 2> ways;
    std::int64_t mw = 0, designMw = 0; ///< what one of them takes when it carries all, at nameplate and as designed
};

struct PlantTransformer {
    HallId hall;
    int side = 0;
    DeviceId id;
    DeviceId board; ///< that it feeds, or itself
};

/// Before the names of what a hall gets: nothing where it is the only one with rows.
[[nodiscard]] std::string hallPrefix(const Snapshot& design, HallId hall);
/// Boards, UPS, generators and transformers for the sections of every hall, and for its cooling.
[[nodiscard]] std::vector<PlantTransformer> writeGroups(PlantBench& bench, const std::map<HallId, std::vector<PlantSection>>& sections);
/// Switchgear of every building, utility feeds, substations.
void writeGrid(PlantBench& bench, const std::vector<PlantTransformer>& transformers);
/// Duct banks from the substations to the electrical rooms, once all rooms stand.
void writePowerDucts(DesignBuilder& builder, const Options& options, Parts& parts, const PlantRooms& rooms);

} // namespace hw::layout

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/installed/site_loads.h"

#include "core/derived/cooling/chain.h"
#include "core/derived/installed/plant_sizes.h"
#include "core/foundation/model/places.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hw {

namespace {

constexpr double kDieselKgL = 0.839; ///< data sheet of a 2,750 kW set

constexpr double kNoiseAtM = 7; ///< distance at which levels are specified

struct Source {
    DeviceId id{};
    Box box;
    bool set = false;
    double x = 0, y = 0; ///< of its middle, m
};

double middle(std::int32_t low, std::int32_t high) { return (double(low) + double(high)) / 2000; }

/// Generator sets and heat rejection in yards.
std::vector<Source> outdoorSources(const Figures& f)
{
    const Snapshot& s = *f.snapshot;
    std::vector<Source> out;
    s.devices.forEach([&](DeviceId id) {
        const auto hall = s.devices.hall[id];
        if (!hall || s.halls.kind[*hall] != RoomKind::Yard) return;
        const DeviceSpec& spec = f.parts->device(s.devices.type[id]);
        const CoolingElement element = coolingElement(spec);
        const bool set = spec.power.element == PowerElement::Generator;
        if (!set && element != CoolingElement::Chiller && element != CoolingElement::DryCooler && element != CoolingElement::Tower) return;
        const Box box = f.placement->device(s, *f.parts, id);
        out.push_back({id, box, set, middle(box.low.x, box.high.x), middle(box.low.y, box.high.y)});
    });
    return out;
}

/// Between the nearest points of two boxes seen from above, m.
double gapM(const Box& a, const Box& b)
{
    const auto apart = [](std::int32_t lowA, std::int32_t highA, std::int32_t lowB, std::int32_t highB) {
        return double(std::max({0, lowB - highA, lowA - highB})) / 1000;
    };
    return std::hypot(apart(a.low.x, a.high.x, b.low.x, b.high.x), apart(a.low.y, a.high.y, b.low.y, b.high.y));
}

} // namespace

std::vector<RoomMass> roomMasses(const Figures& f)
{
    const Snapshot& s = *f.snapshot;
    const CoolingChain& cooling = f.get<CoolingChainNode>();
    std::map<HallId, RoomMass> rooms;
    s.devices.forEach([&](DeviceId id) {
        const auto hall = s.devices.hall[id];
        const TierKind kind = s.tiers.kind[s.devices.tier[id]];
        if (!hall || s.devices.rack[id] || s.devices.row[id] || (kind != TierKind::Power && kind != TierKind::Cooling)) return;
        const DeviceSpec& spec = f.parts->device(s.devices.type[id]);
        const CoolingUnit* unit = cooling.unit(id);
        const double liters = unit ? unit->liters : 0, kg = double(spec.weight.value.count()) / 1000 + liters + kDieselKgL * tankLiters(s, spec);
        RoomMass& room = rooms[*hall];
        room.room = *hall, room.kg += kg, room.liters += liters;
        const double area = double(spec.width.value.count()) * double(spec.depth.value.count()) / 1e6;
        if (area <= 0 || kg / area <= room.densestKgM2) return;
        room.densest = id, room.densestKg = kg, room.densestKgM2 = kg / area;
    });
    std::vector<RoomMass> out;
    for (auto& [hall, room] : rooms) {
        if (room.kg <= 0) continue;
        room.areaM2 = double(s.halls.sizeX[hall].count()) * double(s.halls.sizeY[hall].count()) / 1e6;
        out.push_back(room);
    }
    return out;
}

std::optional<SiteNoise> siteNoise(const Figures& f)
{
    const Snapshot& s = *f.snapshot;
    const std::vector<Source> sources = outdoorSources(f);
    if (sources.empty()) return std::nullopt;
    SiteNoise noise{.boundaryM = numberSetting(s, "site.boundary_m"), .limitDba = numberSetting(s, "site.noise_limit_dba")};
    const auto powerOf = [&](const char* key) { return std::pow(10, numberSetting(s, key) / 10); };
    const double setPower = powerOf("site.generator_noise_dba"), coolerPower = powerOf("site.cooler_noise_dba");
    double x0 = 1e9, y0 = 1e9, x1 = -1e9, y1 = -1e9; // m, around everything
    const auto hold = [&](const Box& box) {
        x0 = std::min(x0, box.low.x / 1e3), y0 = std::min(y0, box.low.y / 1e3), x1 = std::max(x1, box.high.x / 1e3),
        y1 = std::max(y1, box.high.y / 1e3);
    };
    s.buildings.forEach([&](BuildingId id) { hold(f.placement->building(id)); });
    for (const Source& source : sources) hold(source.box), ++(source.set ? noise.sets : noise.coolers);
    x0 -= noise.boundaryM, y0 -= noise.boundaryM, x1 += noise.boundaryM, y1 += noise.boundaryM;
    const auto level = [&](double x, double y, bool sets) {
        double power = 0;
        for (const Source& source : sources) {
            if (source.set && !sets) continue;
            const double r =
                std::max(1.0, std::hypot(x - middle(source.box.low.x, source.box.high.x), y - middle(source.box.low.y, source.box.high.y)));
            power += (source.set ? setPower : coolerPower) * (kNoiseAtM / r) * (kNoiseAtM / r);
        }
        return power > 0 ? 10 * std::log10(power) : 0.0;
    };
    constexpr int kSteps = 40; // along each side of the boundary
    for (int i = 0; i <= kSteps; ++i) {
        const double x = x0 + (x1 - x0) * i / kSteps, y = y0 + (y1 - y0) * i / kSteps;
        for (const auto& [px, py] : {std::pair(x, y0), std::pair(x, y1), std::pair(x0, y), std::pair(x1, y)}) {
            noise.normalDba = std::max(noise.normalDba, level(px, py, false));
            noise.outageDba = std::max(noise.outageDba, level(px, py, true));
        }
    }
    return noise;
}

std::optional<ExhaustGap> exhaustGap(const Figures& f)
{
    const std::vector<Source> sources = outdoorSources(f);
    std::optional<ExhaustGap> least;
    for (const Source& set : sources)
        for (const Source& intake : sources) {
            if (!set.set || intake.set) continue;
            if (const double gap = gapM(set.box, intake.box); !least || gap < least->meters) least = ExhaustGap{set.id, intake.id, gap};
        }
    if (least) least->leastM = numberSetting(*f.snapshot, "site.exhaust_gap_m");
    return least;
}

} // namespace hw

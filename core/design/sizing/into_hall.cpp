// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/into_hall.h"

#include "core/design/build/design_builder.h"
#include "core/design/build/empty_site.h"

#include <algorithm>
#include <cmath>

namespace hw::sizing {
namespace {

constexpr double kMostMeters = 10'000, kMostMegawatts = 1'000'000;
constexpr Millimeters kAround(1'000), kHallHeight(4'500), kBuildingHeight(7'000); // as for a hall that is drawn

Milliwatts megawatts(double value) { return watts(std::int64_t(std::floor(std::clamp(value, 0.0, kMostMegawatts) * 1e6))); }

struct PowerLimits {
    Milliwatts it, contract; ///< 0: none
};

PowerLimits powerOf(const SizeLimits& limits, double pue)
{
    if (!limits.megawatts) return {};
    if (!limits.facility) return {megawatts(*limits.megawatts), {}};
    return {megawatts(*limits.megawatts / std::max(pue, 1.0)), megawatts(*limits.megawatts)};
}

bool lowers(Milliwatts limit, Milliwatts present) { return limit.count() > 0 && (present.count() == 0 || limit < present); }

std::optional<SiteId> siteOf(const Snapshot& s, HallId hall)
{
    const auto site = s.buildings.site[s.halls.building[hall]];
    return site ? std::optional(*site) : std::nullopt;
}

} // namespace

Result<SnapshotPtr> siteWithHall(const SizeLimits& limits, double pue, const std::string& name)
{
    const SizeLimits::Hall size = limits.hall.value_or(SizeLimits::Hall{30, 20});
    for (const double side : {size.lengthM, size.widthM})
        if (!(side >= 1 && side <= kMostMeters))
            return fail(ErrorCode::Refused, words(i18n("hall")), i18n("{:.4g} x {:.4g} m is out of range", size.lengthM, size.widthM),
                        i18n("specify 1 to 10,000 m"));
    const PowerLimits power = powerOf(limits, pue);
    auto made = std::make_shared<Snapshot>();
    made->putSetting("project.name", name.empty() ? words(i18n("New site")) : name);
    DesignBuilder builder(*made);
    const SiteId site = builder.site({.name = "site", .contract = power.contract});
    const Millimeters x(std::int32_t(std::llround(size.lengthM * 1000))), y(std::int32_t(std::llround(size.widthM * 1000)));
    const BuildingId building = builder.building(
        {.name = "building-1", .site = site, .sizeX = x + kAround + kAround, .sizeY = y + kAround + kAround, .sizeZ = kBuildingHeight});
    builder.hall(
        {.name = "hall-1", .building = building, .x = kAround, .y = kAround, .sizeX = x, .sizeY = y, .sizeZ = kHallHeight, .itLimit = power.it});
    made->revision = 1;
    return SnapshotPtr(made);
}

bool limitsHall(const Snapshot& s, HallId hall, const SizeLimits& limits, double pue)
{
    const PowerLimits power = powerOf(limits, pue);
    const auto site = siteOf(s, hall);
    return lowers(power.it, s.halls.itLimit[hall]) || (site && lowers(power.contract, s.sites.contract[*site]));
}

void limitHall(Snapshot& s, HallId hall, const SizeLimits& limits, double pue)
{
    const PowerLimits power = powerOf(limits, pue);
    if (lowers(power.it, s.halls.itLimit[hall])) {
        s.halls.itLimit.set(hall, power.it);
        s.halls.overridden.set(hall, s.halls.overridden[hall] | overridden::kLimit);
    }
    const auto site = siteOf(s, hall);
    if (!site || !lowers(power.contract, s.sites.contract[*site])) return;
    s.sites.contract.set(*site, power.contract);
    s.sites.overridden.set(*site, s.sites.overridden[*site] | overridden::kLimit);
}

} // namespace hw::sizing

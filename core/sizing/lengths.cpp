// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/lengths.h"

#include "core/geometry/placement.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace hw::sizing {

namespace {

constexpr std::int32_t kTrayMm = 3300;      ///< row trays above the floor
constexpr std::int32_t kSpineRiseMm = 300;  ///< spine trays above row trays
constexpr std::int32_t kPatchMm = 800;      ///< within one rack, as Cabling::kPatchingMm
constexpr std::int64_t kRacksPerRow = 18, kRackMm = 600, kRowPairMm = 7200, kRackUnits = 48, kNetworkUnits = 32; ///< as the automatic layout's defaults

std::int32_t middleMm(const LinkEndPlace& place)
{
    const std::int64_t low = kRackBaseMm + std::int64_t(std::max(place.unit - 1, 0)) * kRackUnitUm / 1000;
    return std::int32_t(low + std::int64_t(place.halfUnits) * kRackUnitUm / 4000);
}

std::int32_t drop(const LinkEndPlace& place) { return std::abs(kTrayMm - middleMm(place)); }

} // namespace

LengthModel::LengthModel(TemplateCounter& counter, const TemplateCount& count, const Catalogue& catalogue, std::int64_t serversPerRack)
    : m_counter(counter), m_count(count)
{
    if (count.laidOut) layOut(catalogue, serversPerRack);
}

std::vector<std::int32_t> LengthModel::sample(std::size_t rule, std::size_t most)
{
    std::vector<std::int32_t> result;
    for (const LinkSample& link : m_counter.sampleLinks(rule, most)) {
        if (link.from && link.to) result.push_back(measured(*link.from, *link.to));
        else if (m_count.laidOut) result.push_back(ranked(m_count.rules[rule], link));
    }
    return result;
}

std::int32_t LengthModel::measured(const LinkEndPlace& a, const LinkEndPlace& b)
{
    if (a.rack == b.rack) return std::abs(middleMm(a) - middleMm(b)) + kPatchMm;
    const std::int32_t drops = drop(a) + drop(b);
    if (a.row == b.row) return std::abs(a.x - b.x) + std::abs(a.y - b.y) + drops;
    return acrossHall(a, b) + drops + 2 * kSpineRiseMm;
}

/// Along the rows to the nearest spine tray and along that; Manhattan where there is none or the halls differ.
std::int32_t LengthModel::acrossHall(const LinkEndPlace& a, const LinkEndPlace& b)
{
    const std::int32_t dx = std::abs(a.x - b.x), dy = std::abs(a.y - b.y);
    std::int32_t best = dx + dy, bySpine = INT32_MAX;
    if (a.hall != b.hall) return best;
    const auto [known, fresh] = m_spines.try_emplace(a.hallSet);
    if (fresh) known->second = m_counter.spines(a.hallSet);
    for (const SpineLine& spine : known->second) {
        if (spine.y1 == spine.y2) bySpine = std::min(bySpine, std::abs(a.y - a.hallY - spine.y1) + std::abs(b.y - b.hallY - spine.y1) + dx);
        else if (spine.x1 == spine.x2) bySpine = std::min(bySpine, std::abs(a.x - a.hallX - spine.x1) + std::abs(b.x - b.hallX - spine.x1) + dy);
    }
    return bySpine == INT32_MAX ? best : bySpine;
}

/// Servers fill racks in order; switches that servers attach to stand mid-row among them, the others at the
/// head of a row mid-hall.
void LengthModel::layOut(const Catalogue& catalogue, std::int64_t serversPerRack)
{
    m_strips.resize(m_count.tiers.size());
    int lowest = INT32_MAX;
    for (const auto& tier : m_count.tiers)
        if (tier.kind == TierKind::Switch) lowest = std::min(lowest, tier.level);
    std::int64_t serverRacks = 0, networkRacks = 0;
    for (std::size_t t = 0; t < m_count.tiers.size(); ++t) {
        const auto& tier = m_count.tiers[t];
        if (tier.devices.empty() || tier.kind == TierKind::Power || tier.kind == TierKind::Cooling) continue;
        const auto& part = std::get<DeviceSpec>(catalogue.find(tier.devices.front().type)->spec);
        const std::int64_t units = std::max((part.halfUnits + 1) / 2, 1);
        const bool server = tier.kind == TierKind::Server;
        std::int64_t perRack = std::max<std::int64_t>((server ? kRackUnits : kNetworkUnits) / units, 1);
        if (const auto* rack = catalogue.find("rack-48u-600x1200"); server && rack && part.liquidPermille.value < 500) {
            const auto limit = std::get<RackSpec>(rack->spec).powerLimit.value.count(), draw = part.nameplate.value.count(); // as the layout does under air
            if (limit > 0 && draw > 0) perRack = std::clamp<std::int64_t>(limit / draw, 1, perRack);
        }
        if (server && serversPerRack > 0) perRack = std::min(perRack, serversPerRack);
        m_strips[t] = {perRack, (tier.total() + perRack - 1) / perRack, !server && tier.level > lowest};
        (server ? serverRacks : networkRacks) += m_strips[t].racks;
    }
    m_racks = serverRacks + networkRacks;
    m_rows = std::max<std::int64_t>((m_racks + kRacksPerRow - 1) / kRacksPerRow, 1);
}

LengthModel::Spot LengthModel::spotOf(std::size_t tier, std::size_t member) const
{
    const Strip& strip = m_strips[tier];
    const std::int64_t members = std::max<std::int64_t>(m_count.tiers[tier].total(), 1);
    const double share = std::min(double(member) / double(members), 1.0);
    Spot spot;
    const bool server = m_count.tiers[tier].kind == TierKind::Server;
    const auto rack = std::min(std::int64_t(share * double(m_racks)), m_racks - 1);
    spot.row = strip.middle ? m_rows / 2 : rack / kRacksPerRow;
    const std::int64_t place = server ? rack % kRacksPerRow : strip.middle ? std::int64_t(member) / strip.perRack % kRacksPerRow : kRacksPerRow / 2;
    spot.rack = spot.row * kRacksPerRow + place;
    spot.x = spot.row / 2 * kRowPairMm + spot.row % 2 * (kRowPairMm / 2);
    spot.y = place * kRackMm;
    return spot;
}

std::int32_t LengthModel::ranked(const TemplateCount::Rule& rule, const LinkSample& link) const
{
    const Spot a = spotOf(rule.from, link.fromMember), b = spotOf(rule.to, link.toMember);
    const std::int64_t drops = 2 * (kTrayMm - 1000);
    if (a.row == b.row) return std::int32_t(std::abs(a.y - b.y) + kRackMm + drops);
    const std::int64_t spine = kRacksPerRow * kRackMm / 2; // crosses the rows in their middle
    return std::int32_t(std::abs(a.y - spine) + std::abs(b.y - spine) + std::abs(a.x - b.x) + drops + 2 * kSpineRiseMm);
}

} // namespace hw::sizing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/count/survey.h"
#include "core/design/template/generator.h"
#include "core/design/template/offered_parts.h"

#include <algorithm>

namespace hw::count {

/// Templates with places of their own: the generator makes these alone.
SitePlan Design::ownPlaces()
{
    std::map<std::string, std::vector<std::uint32_t>> rows;
    SitePlan plan;
    plan.places = Generator(m_spec, m_last, m_catalog, m_noProgress).places(rows);
    for (const auto& set : m_places.racks) plan.rackRows.push_back(std::move(rows[set->set.spec().name]));
    return plan;
}

SitePlan Design::laidOut(const std::optional<HallRoom>& room)
{
    auto places = std::make_shared<Snapshot>();
    layout::Options options = layoutOptions(m_spec.layout, m_constants.scope());
    DesignBuilder builder(*places);
    layout::Parts parts(builder, m_catalog, options.where);
    for (const auto& slug : m_spec.parts) (void)parts.use(slug);
    const TemplateCount counts = count(m_last);
    for (const auto& tier : counts.tiers)
        for (const auto& devices : tier.devices) (void)parts.use(devices.type);
    standAtLast();
    for (const auto& slug : offeredParts(places->partTypes, m_catalog)) (void)parts.use(slug);
    if (room) layout::fitInto(options, *room, parts);
    CountedDevices counted(m_tiers, m_rules, counts, parts);
    layout::Survey survey = counted.survey();
    layout::placeTiers(survey, parts, options);
    SitePlan plan;
    plan.stands = counted.emptyStands();
    if (!survey.loose.empty()) {
        layout::Plan made = layout::plan(survey, layout::group(survey, options), parts, options);
        layout::writePlaces(builder, made, parts);
        layout::writeTrays(builder, made, parts, counted.planes());
        counted.fill(plan.stands, made);
    }
    plan.places = std::move(places);
    return plan;
}

SitePlan Design::sitePlan(const std::optional<HallRoom>& room)
{
    standAtLast();
    return laidOutByEngine() ? laidOut(room) : ownPlaces();
}

/// The member that a rack set stands at.
RackId Design::rackOf(const SitePlan& plan, Set& racks) const
{
    const auto& sets = m_places.racks;
    const auto own = std::find_if(sets.begin(), sets.end(), [&](const auto& set) { return &set->set == &racks; });
    return RackId(plan.rackRows[std::size_t(own - sets.begin())][racks.ordinal()]);
}

std::optional<DeviceSpot> Design::spot(const SitePlan& plan, std::size_t number, std::size_t member)
{
    standAtLast();
    Tier& tier = *m_tiers[number];
    tier.set.assignOrdinal(member);
    const Part* part = m_catalog.find(tier.type().text);
    if (!part) throw noPart(tier.type(), m_catalog);
    const auto& device = std::get<DeviceSpec>(part->spec);
    DeviceSpot spot{RackId(SitePlan::kNowhere), 0, device.halfUnits, -1};
    if (const auto plane = tier.set.coordinate("plane")) spot.plane = std::int16_t(tier.set.value(*plane));
    if (!plan.stands.empty()) {
        const auto& stand = plan.stands[number][member];
        spot.rack = RackId(stand.rack), spot.unit = stand.unit;
    } else if (tier.rack && tier.rack->go()) {
        spot.rack = rackOf(plan, tier.rack->target());
        spot.unit = int(bound::orElse(tier.unit, 0));
    } else if (tier.inRack) {
        spot.rack = rackOf(plan, tier.inRack->set);
    }
    return spot.rack.value == SitePlan::kNowhere ? std::nullopt : std::optional(spot);
}

} // namespace hw::count

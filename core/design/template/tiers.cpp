// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/generator.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw {

namespace {

constexpr std::int64_t kMostDevices = 2'000'000; ///< of a design; beyond these it is a typing error
constexpr std::int64_t kMostPorts = 24'000'000;

/// A coordinate that devices keep in a column of their own.
class FabricCoordinate {
public:
    FabricCoordinate(bound::Set& set, const char* name) : m_set(set), m_at(set.coordinate(name))
    {
        if (m_at && set.extents()[*m_at] > INT16_MAX)
            throw refusal(set.spec().where, i18n("coordinate '{1}' has {0} values, more than a design supports", set.extents()[*m_at], name),
                          i18n("stay below {}", INT16_MAX));
    }
    [[nodiscard]] std::int16_t value() const { return std::int16_t(m_at ? m_set.value(*m_at) : -1); } ///< of the member that is assigned

private:
    bound::Set& m_set;
    std::optional<std::size_t> m_at;
};

Millimeters place(const Expression& e)
{
    return Millimeters(std::int32_t(std::clamp<std::int64_t>(bound::orElse(e, 0), -2'000'000'000, 2'000'000'000)));
}

void stand(const bound::Tier& tier, NewDevice& row)
{
    row.u = std::int16_t(std::clamp<std::int64_t>(bound::orElse(tier.unit, 0), -1, 1000));
    row.x = place(tier.x), row.y = place(tier.y);
    const std::int64_t degrees = bound::orElse(tier.angle, 0);
    if (!isQuarterTurn(degrees))
        throw refusal(tier.set.spec().where, i18n("device angle of {} degrees is not supported", degrees), i18n("use 0, 90, 180 or 270"));
    row.angle = std::int16_t(degrees);
}

} // namespace

void Generator::checkSize(const SetSpec& spec, const PortBinder& binder, std::size_t members) const
{
    const std::int64_t devices = std::int64_t(m.out->devices.size()) + std::int64_t(members);
    if (devices > kMostDevices)
        throw refusal(spec.where, i18n("with {} of these, the design would have {} devices", members, devices), i18n("stay below {}", kMostDevices));
    if (binder.portsPerDevice() > UINT16_MAX)
        throw refusal(spec.where, i18n("each device would have {} ports", binder.portsPerDevice()), i18n("stay below {}", UINT16_MAX));
    const std::int64_t ports = std::int64_t(m.out->ports.size()) + std::int64_t(members) * binder.portsPerDevice();
    if (ports > kMostPorts)
        throw refusal(spec.where, i18n("with {} of these and {} ports each, the design would have {} ports", members, binder.portsPerDevice(), ports),
                      i18n("stay below {}", kMostPorts));
}

void Generator::makeTier(const SetSpec& spec)
{
    if (m.tiers.contains(spec.name)) throw mistake(spec.where, i18n("tier is declared twice"), i18n("rename one of them"));
    MadeTier& tier = m.tiers[spec.name];
    const auto* network = spec.field("network");
    if (network && m.networks->absent(network->text)) return;
    if (spec.types.empty()) throw mistake(spec.where, i18n("'type' is missing"), i18n("specify a device type from the catalog"));
    tier.bound = std::make_unique<bound::Tier>(spec, *m.places, m.constants.scope());
    if (tier.bound->broken) throw TemplateFailure{*tier.bound->broken};
    if (m.laidOut && (tier.bound->inRack || tier.bound->inHall)) return tier.bound.reset(); // left out with the place that it stands in
    tier.bound->set.refresh();
    const PortBinder binder(m.constants.scope(), *m.networks, m.catalog, spec);
    checkSize(spec, binder, std::size_t(tier.bound->set.size()));
    tier.id = m.builder.tier({.key = spec.name,
                              .name = spec.name,
                              .label = tier.bound->label,
                              .kind = tier.bound->kind,
                              .network = network ? Maybe<NetworkId>(m.networks->id(*network)) : Maybe<NetworkId>(),
                              .level = std::int16_t(std::clamp<std::int64_t>(bound::orElse(tier.bound->level, 0), 0, INT16_MAX))});
    std::vector<std::uint16_t> typeOf(std::size_t(tier.bound->set.size()), 0);
    makeDevices(tier, typeOf);
    makePorts(tier, binder, typeOf);
}

void Generator::makeDevices(MadeTier& tier, std::vector<std::uint16_t>& typeOf)
{
    bound::Tier& b = *tier.bound;
    bound::Set& set = b.set;
    const NamePattern name = set.name();
    const FabricCoordinate pod(set, "pod"), segment(set, "segment"), rail(set, "rail"), plane(set, "plane");
    const MemberRows* const racks = b.rackSet && !m.laidOut ? &m.rows.at(&b.rackSet->set) : nullptr;
    const MemberRows* const halls = b.hallSet && !m.laidOut ? &m.rows.at(&b.hallSet->set) : nullptr;
    const bound::Place* const parent = b.inRack ? b.inRack : b.inHall;
    std::vector<Maybe<PartTypeId>> types(set.spec().types.size());
    std::int32_t running = 0;
    std::size_t member = 0;
    tier.devices = makeMembers(set, parent ? &m.rows.at(&parent->set) : nullptr, [&](std::uint32_t parentRow) {
        member = set.ordinal();
        typeOf[member] = std::uint16_t(b.typeNumber());
        auto& type = types[typeOf[member]];
        if (!type) type = m.use(set.spec().types[typeOf[member]]);
        NewDevice row{.key = set.key("device"), .name = name.text(), .tier = tier.id, .type = *type, .role = b.roleHere()};
        if (b.inRack) row.rack = RackId(parentRow);
        if (b.inHall) row.hall = HallId(parentRow);
        if (racks) {
            const std::uint32_t found = (*racks)[b.rack->ordinal()];
            if (found == kNoRow)
                throw refusal(set.spec().where, i18n("no rack available for '{}'", row.name), i18n("add a rack at this position of the rack set"));
            row.rack = RackId(found);
        } else if (halls) {
            if (const std::uint32_t found = (*halls)[b.hall->ordinal()]; found != kNoRow) row.hall = HallId(found);
        }
        if (!m.laidOut) stand(b, row);
        row.pod = pod.value(), row.segment = segment.value(), row.rail = rail.value(), row.plane = plane.value();
        row.index = running++;
        return m.builder.device(std::move(row)).value;
    });
}

void Generator::makePorts(MadeTier& tier, const PortBinder& binder, const std::vector<std::uint16_t>& typeOf)
{
    const auto& types = tier.bound->set.spec().types;
    std::vector<std::optional<std::vector<PortBinder::Bound>>> byType(types.size());
    tier.groups = binder.layout();
    tier.firstPort.assign(tier.devices.size(), 0);
    for (std::size_t member = 0; member < tier.devices.size(); ++member) {
        if (tier.devices[member] == kNoRow) continue;
        if (member % 256 == 0) m.step(0.3, TextId("Placing devices"));
        auto& groups = byType[typeOf[member]];
        if (!groups) groups = binder.bind(types[typeOf[member]]);
        tier.firstPort[member] = m.out->ports.nextId();
        for (const auto& group : *groups)
            (void)m.builder.ports(DeviceId(tier.devices[member]), group.cages,
                                  {.split = group.split,
                                   .firstNumber = group.firstNumber,
                                   .rate = group.rate,
                                   .role = group.role,
                                   .network = group.network,
                                   .medium = group.medium});
    }
}

} // namespace hw

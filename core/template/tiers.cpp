// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/generator.h"
#include "core/template/port_groups.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw {

namespace {

constexpr std::int64_t kMostDevices = 2'000'000; ///< of a design; beyond these it is a typing error
constexpr std::int64_t kMostPorts = 24'000'000;

std::int64_t orElse(const Expression& e, std::int64_t fallback) { return e.empty() ? fallback : e.whole(); }

/// Slot number of a coordinate that devices keep in a column of their own.
struct FabricCoordinates {
    explicit FabricCoordinates(const SetInstance& set)
        : pod(slot(set, "pod")), segment(slot(set, "segment")), rail(slot(set, "rail")), plane(slot(set, "plane"))
    {
    }
    static std::optional<std::size_t> slot(const SetInstance& set, const char* name)
    {
        const auto found = set.coordinate(name);
        if (found && set.extents[*found] > INT16_MAX)
            throw refusal(set.spec->where, fmt::format("{} of the coordinate '{}' are more than a design can tell apart", set.extents[*found], name),
                          fmt::format("stay below {}", INT16_MAX));
        return found;
    }
    static std::int16_t read(const SetScope& scope, std::optional<std::size_t> slot)
    {
        return slot ? std::int16_t(scope.slot(*slot)) : std::int16_t(-1);
    }
    std::optional<std::size_t> pod, segment, rail, plane;
};

/// Finder of the rack or hall that the tier's devices stand in, when the template says so.
std::optional<MemberFinder> placeOf(const char* kind, const SetSpec& spec, const std::map<std::string, SetInstance>& sets, SetMaker& m)
{
    const auto member = spec.members.find(kind);
    if (member == spec.members.end()) return std::nullopt;
    const auto set = sets.find(member->second.set);
    if (set == sets.end())
        throw mistake(member->second.where, fmt::format("no {}s are called '{}'", kind, member->second.set),
                      fmt::format("declare them under '{}s'", kind));
    return std::make_optional<MemberFinder>(member->second, set->second, m.set(), m.scope());
}

} // namespace

void Generator::checkSize(const SetSpec& spec, const PortBinder& binder, std::size_t members) const
{
    const std::int64_t devices = std::int64_t(m_out->devices.size()) + std::int64_t(members);
    if (devices > kMostDevices)
        throw refusal(spec.where, fmt::format("with {} of these the design would have {} devices", members, devices),
                      fmt::format("stay below {}", kMostDevices));
    if (binder.portsPerDevice() > UINT16_MAX)
        throw refusal(spec.where, fmt::format("each of these would have {} ports", binder.portsPerDevice()),
                      fmt::format("stay below {}", UINT16_MAX));
    const std::int64_t ports = std::int64_t(m_out->ports.size()) + std::int64_t(members) * binder.portsPerDevice();
    if (ports > kMostPorts)
        throw refusal(spec.where,
                      fmt::format("with {} of these, {} ports each, the design would have {} ports", members, binder.portsPerDevice(), ports),
                      fmt::format("stay below {}", kMostPorts));
}

void Generator::makeTier(const SetSpec& spec)
{
    if (m_tiers.contains(spec.name)) throw mistake(spec.where, "the tier is declared twice", "rename one");
    if (absent(spec.field("network"))) {
        m_tiers[spec.name].absent = true;
        return;
    }
    if (spec.types.empty()) throw mistake(spec.where, "'type' is missing", "name a device type of the catalogue");
    const SetInstance* parent = spec.parent.empty() ? nullptr : m_racks.contains(spec.parent) ? &m_racks.at(spec.parent) : &parentOf(spec, m_halls);
    const bool inRack = m_racks.contains(spec.parent), inHall = !spec.parent.empty() && !inRack;
    SetMaker m(*this, spec, parent);
    const PortBinder binder(*this, spec);
    checkSize(spec, binder, m.set().size());

    auto& out = *m_out;
    TierInstance tier;
    tier.id = out.tiers.insert();
    out.tiers.key.set(tier.id, spec.name);
    out.tiers.name.set(tier.id, spec.name);
    out.tiers.label.set(tier.id, m.word("label", spec.name));
    out.tiers.kind.set(tier.id, wordIn<TierKind>(m.word("kind", "switch"), spec.where));
    if (const auto* name = spec.field("network")) out.tiers.network.set(tier.id, network(*name));
    out.tiers.level.set(tier.id, std::int16_t(std::clamp<std::int64_t>(orElse(m.expression("level"), 0), 0, INT16_MAX)));

    const auto role = wordIn<DeviceRole>(m.word("role", "active"), spec.where);
    const NamePattern name = m.name();
    const Expression backup = m.expression("backup"), u = m.expression("u"), x = m.expression("atx"), y = m.expression("aty"),
                     which = m.expression("type_index");
    const auto rack = placeOf("rack", spec, m_racks, m), hall = placeOf("hall", spec, m_halls, m);
    const FabricCoordinates at(m.set());
    std::vector<std::uint16_t> typeOf(m.set().size(), 0);
    std::int32_t running = 0;
    tier.set = m.forEach([&](std::size_t ordinal, std::uint32_t parentRow) {
        auto& t = out.devices;
        typeOf[ordinal] = std::uint16_t(std::clamp<std::int64_t>(orElse(which, 0), 0, std::int64_t(spec.types.size()) - 1));
        const PartTypeId type = part(spec.types[typeOf[ordinal]]);
        const DeviceId id = t.insert();
        t.key.set(id, key("device", m.set(), ordinal));
        t.name.set(id, name.text());
        t.tier.set(id, tier.id);
        t.type.set(id, type);
        t.role.set(id, !backup.empty() && backup.truth() ? DeviceRole::Backup : role);
        if (inRack) t.rack.set(id, RackId(parentRow));
        if (inHall) t.hall.set(id, HallId(parentRow));
        if (rack) {
            const auto found = rack->find();
            if (!found) throw refusal(spec.where, fmt::format("'{}' has no rack to stand in", name.text()), "let the rack set have one there");
            t.rack.set(id, RackId(*found));
        } else if (hall) {
            if (const auto found = hall->find()) t.hall.set(id, HallId(*found));
        }
        t.u.set(id, std::int16_t(std::clamp<std::int64_t>(orElse(u, 0), -1, 1000)));
        t.x.set(id, Millimetres(std::int32_t(std::clamp<std::int64_t>(orElse(x, 0), -2'000'000'000, 2'000'000'000))));
        t.y.set(id, Millimetres(std::int32_t(std::clamp<std::int64_t>(orElse(y, 0), -2'000'000'000, 2'000'000'000))));
        t.pod.set(id, FabricCoordinates::read(m.scope(), at.pod)), t.segment.set(id, FabricCoordinates::read(m.scope(), at.segment));
        t.rail.set(id, FabricCoordinates::read(m.scope(), at.rail)), t.plane.set(id, FabricCoordinates::read(m.scope(), at.plane));
        t.index.set(id, running++);
        return id.value;
    });
    makePorts(tier, binder, spec, typeOf);
    m_tiers.emplace(spec.name, std::move(tier));
}

void Generator::makePorts(TierInstance& tier, const PortBinder& binder, const SetSpec& spec, const std::vector<std::uint16_t>& typeOf)
{
    auto& out = *m_out;
    std::vector<std::vector<PortBinder::Bound>> byType(spec.types.size());
    std::vector<bool> bound(spec.types.size(), false);
    tier.groups = binder.layout();
    tier.firstPort.assign(tier.set.size(), 0);
    for (std::size_t ordinal = 0; ordinal < tier.set.size(); ++ordinal) {
        if (tier.set.members[ordinal] == SetInstance::kAbsent) continue;
        if (ordinal % 256 == 0) step(0.3, "Placing devices");
        const auto type = typeOf[ordinal];
        if (!bound[type]) byType[type] = binder.bind(spec.types[type]);
        bound[type] = true;
        const DeviceId id(tier.set.members[ordinal]);
        tier.firstPort[ordinal] = out.ports.nextId();
        for (const auto& group : byType[type]) {
            std::uint16_t number = group.firstNumber;
            for (const auto c : group.cages) {
                const CageId cage = out.cages.insert();
                out.cages.device.set(cage, id);
                out.cages.number.set(cage, c);
                out.cages.split.set(cage, group.split);
                for (std::uint8_t lane = 0; lane < group.split; ++lane) {
                    const PortId port = out.ports.insert();
                    out.ports.cage.set(port, cage);
                    out.ports.device.set(port, id);
                    out.ports.network.set(port, group.network);
                    out.ports.rate.set(port, group.rate);
                    out.ports.number.set(port, number++);
                    out.ports.lane.set(port, lane);
                    out.ports.role.set(port, group.role);
                    out.ports.medium.set(port, group.medium);
                }
            }
        }
    }
}

} // namespace hw

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/generator.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw {

namespace {

std::int64_t orElse(const Expression& e, std::int64_t fallback) { return e.empty() ? fallback : e.whole(); }

/// Slot number of a coordinate that devices keep in a column of their own.
struct FabricCoordinates {
    explicit FabricCoordinates(const SetInstance& set)
        : pod(set.coordinate("pod")), segment(set.coordinate("segment")), rail(set.coordinate("rail")), plane(set.coordinate("plane"))
    {
    }
    static std::int16_t read(const SetScope& scope, std::optional<std::size_t> slot) { return slot ? std::int16_t(scope.slot(*slot)) : std::int16_t(-1); }
    std::optional<std::size_t> pod, segment, rail, plane;
};

} // namespace

void Generator::makeTier(const SetSpec& spec)
{
    if (m_tiers.contains(spec.name)) throw mistake(spec.where, "the tier is declared twice", "rename one");
    if (spec.types.empty()) throw mistake(spec.where, "'type' is missing", "name a device type of the catalogue");
    const SetInstance* parent = spec.parent.empty() ? nullptr : m_racks.contains(spec.parent) ? &m_racks.at(spec.parent) : &parentOf(spec, m_halls);
    const bool inRack = m_racks.contains(spec.parent), inHall = !spec.parent.empty() && !inRack;
    SetMaker m(*this, spec, parent);

    auto& out = *m_out;
    TierInstance tier;
    tier.id = out.tiers.insert();
    out.tiers.key.set(tier.id, spec.name);
    out.tiers.name.set(tier.id, spec.name);
    out.tiers.label.set(tier.id, m.word("label", spec.name));
    out.tiers.kind.set(tier.id, oneOf<TierKind>(m.word("kind", "switch"), spec.where,
                                               {{"server", TierKind::Server}, {"switch", TierKind::Switch}, {"power", TierKind::Power}, {"cooling", TierKind::Cooling}, {"other", TierKind::Other}}));
    if (const auto* name = spec.field("network")) out.tiers.network.set(tier.id, network(*name));
    out.tiers.level.set(tier.id, std::int16_t(orElse(m.expression("level"), 0)));

    const auto role = oneOf<DeviceRole>(m.word("role", "active"), spec.where, {{"active", DeviceRole::Active}, {"backup", DeviceRole::Backup}, {"support", DeviceRole::Support}});
    const NamePattern name = m.name();
    const Expression backup = m.expression("backup"), u = m.expression("u"), x = m.expression("atx"), y = m.expression("aty"), which = m.expression("type_index");
    std::optional<MemberFinder> rack, hall;
    if (const auto member = spec.members.find("rack"); member != spec.members.end()) {
        if (!m_racks.contains(member->second.set)) throw mistake(member->second.where, fmt::format("no racks are called '{}'", member->second.set), "declare them under 'racks'");
        rack.emplace(member->second, m_racks.at(member->second.set), m.set(), m.scope());
    }
    if (const auto member = spec.members.find("hall"); member != spec.members.end()) {
        if (!m_halls.contains(member->second.set)) throw mistake(member->second.where, fmt::format("no halls are called '{}'", member->second.set), "declare them under 'halls'");
        hall.emplace(member->second, m_halls.at(member->second.set), m.set(), m.scope());
    }
    const FabricCoordinates at(m.set());
    std::int32_t running = 0;
    tier.set = m.forEach([&](std::size_t ordinal, std::uint32_t parentRow) {
        auto& t = out.devices;
        const PartTypeId type = part(spec.types[std::size_t(std::clamp<std::int64_t>(orElse(which, 0), 0, std::int64_t(spec.types.size()) - 1))]);
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
        t.u.set(id, std::int16_t(orElse(u, 0)));
        t.x.set(id, Millimetres(std::int32_t(orElse(x, 0)))), t.y.set(id, Millimetres(std::int32_t(orElse(y, 0))));
        t.pod.set(id, FabricCoordinates::read(m.scope(), at.pod)), t.segment.set(id, FabricCoordinates::read(m.scope(), at.segment));
        t.rail.set(id, FabricCoordinates::read(m.scope(), at.rail)), t.plane.set(id, FabricCoordinates::read(m.scope(), at.plane));
        t.index.set(id, running++);
        return id.value;
    });
    makePorts(tier, spec);
    m_tiers.emplace(spec.name, std::move(tier));
}

void Generator::makePorts(TierInstance& tier, const SetSpec& spec)
{
    struct Group { std::uint16_t firstCage, cages; std::uint8_t split; Gbps rate; PortRole role; Maybe<NetworkId> network; Medium medium; };
    std::vector<Group> groups;
    const Part& part = *m_catalogue.find(spec.types.front().text);
    const auto* device = std::get_if<DeviceSpec>(&part.spec);
    if (!device) throw mistake(spec.types.front().where, fmt::format("'{}' is not a device", part.slug), "name a device type");
    std::size_t next = 0;
    std::uint32_t offset = 0;
    for (const auto& text : spec.ports) {
        const auto field = [&](const char* key) -> const ExpressionText* { const auto f = text.fields.find(key); return f == text.fields.end() ? nullptr : &f->second; };
        const auto whole = [&](const char* key, std::int64_t fallback) { return field(key) ? Expression(*field(key), m_constants).whole() : fallback; };
        const auto medium = oneOf<Medium>(field("medium") ? field("medium")->text : "data", text.where, {{"data", Medium::Data}, {"power", Medium::Power}, {"coolant", Medium::Coolant}});
        const std::int64_t first = whole("first", std::int64_t(next)), cages = whole("cages", 0), split = whole("split", 1);
        const bool data = medium == Medium::Data;
        std::int64_t rate = 0;
        if (data) {
            if (cages < 0 || first < 0 || first + cages > std::int64_t(device->interfaces.size()))
                throw refusal(text.where, fmt::format("port group '{}' needs interfaces {} to {}, and {} has {}", text.name, first + 1, first + cages, part.slug, device->interfaces.size()),
                              "use fewer ports or a larger device");
            for (std::int64_t c = first; c < first + cages; ++c) {
                const auto& interface = device->interfaces[std::size_t(c)];
                if (split != 1 && std::find(interface.splits.begin(), interface.splits.end(), int(split)) == interface.splits.end())
                    throw refusal(text.where, fmt::format("{} of {} cannot be split into {} ports", interface.name, part.slug, split), "choose a split that the device allows");
                if (interface.rate.count() % split != 0) throw refusal(text.where, fmt::format("{} Gb/s do not divide by {}", interface.rate.count(), split), "choose another split");
                rate = interface.rate.count() / split;
            }
        }
        const auto role = oneOf<PortRole>(field("role") ? field("role")->text : text.name, text.where,
                                          {{"host", PortRole::Host}, {"down", PortRole::Down}, {"up", PortRole::Up}, {"backup", PortRole::Backup}, {"peer", PortRole::Peer}});
        groups.push_back({std::uint16_t(first), std::uint16_t(cages), std::uint8_t(split), Gbps(std::int32_t(rate)), role,
                          field("network") ? Maybe<NetworkId>(network(*field("network"))) : spec.field("network") ? Maybe<NetworkId>(network(*spec.field("network"))) : Maybe<NetworkId>(), medium});
        tier.groups.push_back({text.name, offset, std::uint32_t(cages * split)});
        offset += std::uint32_t(cages * split);
        next = std::max(next, std::size_t(first + cages));
    }
    auto& out = *m_out;
    tier.firstPort.assign(tier.set.size(), 0);
    for (std::size_t ordinal = 0; ordinal < tier.set.size(); ++ordinal) {
        if (tier.set.members[ordinal] == SetInstance::kAbsent) continue;
        if (ordinal % 256 == 0) step(0.3, "Placing devices");
        const DeviceId id(tier.set.members[ordinal]);
        tier.firstPort[ordinal] = out.ports.nextId();
        std::array<std::uint16_t, 8> running{};
        for (const auto& group : groups)
            for (std::uint16_t c = 0; c < group.cages; ++c) {
                const CageId cage = out.cages.insert();
                out.cages.device.set(cage, id);
                out.cages.number.set(cage, std::uint16_t(group.firstCage + c));
                out.cages.split.set(cage, group.split);
                for (std::uint8_t lane = 0; lane < group.split; ++lane) {
                    const PortId port = out.ports.insert();
                    out.ports.cage.set(port, cage);
                    out.ports.device.set(port, id);
                    out.ports.network.set(port, group.network);
                    out.ports.rate.set(port, group.rate);
                    out.ports.number.set(port, running[std::size_t(group.role)]++);
                    out.ports.lane.set(port, lane);
                    out.ports.role.set(port, group.role);
                    out.ports.medium.set(port, group.medium);
                }
            }
    }
}

} // namespace hw

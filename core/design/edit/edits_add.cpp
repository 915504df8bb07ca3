// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/build/design_builder.h"
#include "core/design/edit/edits_create.h"
#include "core/design/edit/fields.h"
#include "core/design/edit/kinds.h"
#include "core/design/edit/places.h"

#include "core/foundation/model/setting_values.h"
#include <algorithm>

namespace hw::edit {

namespace {

constexpr int kMostAtOnce = 10'000, kHighestLevel = 1000;
constexpr Millimeters kBuildingX(60'000), kBuildingY(40'000), kBuildingZ(7'000), kHallZ(4'500), kWall(1'000), kAisle(1'200), kTrayZ(2'500),
    kColumn(600);

tl::unexpected<Error> refused(std::string where, Text what, Text todo)
{
    return fail(ErrorCode::Refused, std::move(where), std::move(what), std::move(todo));
}

/// Makes things of one kind, one after the other.
class Adder {
public:
    Adder(Transaction& t, const ProjectParts& known, Lookup& lookup, const PartSource& source, const NewThing& thing)
        : m_t(t), m_s(*t), m_known(known), m_lookup(lookup), m_source(source), m_thing(thing), m_names(lookup), m_build(*t)
    {
    }

    Result<std::vector<EntityRef>> run()
    {
        if (m_thing.count < 1 || m_thing.count > kMostAtOnce)
            return refused("count", i18n("{} is out of range", m_thing.count), i18n("specify 1 to 10,000"));
        if (!m_thing.name.empty())
            if (auto fine = checkName(m_thing.name); !fine) return tl::unexpected(fine.error());
        if (!m_thing.name.empty() && m_lookup.taken(m_thing.name))
            return refused(m_thing.name, i18n("name already in use"), i18n("choose another name"));
        if (auto ready = prepare(); !ready) return tl::unexpected(ready.error());
        std::vector<EntityRef> made;
        for (int i = 0; i < m_thing.count; ++i) {
            m_name = m_thing.kind == EntityKind::Port ? std::string() : made.empty() ? firstName() : m_names.after(m_name);
            const auto one = make();
            if (!one) return tl::unexpected(one.error());
            made.push_back(*one);
            m_first = false;
            for (const auto& [column, value] : m_thing.fields)
                if (auto set = setField(m_t, parts(), m_lookup, *one, column, value); !set) return tl::unexpected(set.error());
            if (m_thing.kind == EntityKind::Port) break;
            const Shift step = i > 0 && !inRack() ? besideOf(m_s, parts(), *one) : Shift();
            if (auto shifted = shiftPlace(m_t, *one, {i * step.x, i * step.y}); !shifted) return tl::unexpected(shifted.error());
        }
        return made;
    }

private:
    [[nodiscard]] const ProjectParts& parts() const { return m_parts ? *m_parts : m_known; }
    [[nodiscard]] bool inRack() const { return m_thing.kind == EntityKind::Device && m_thing.into && m_thing.into->kind == EntityKind::Rack; }

    std::string firstName()
    {
        if (!m_thing.name.empty()) return m_names.of(m_thing.name);
        return m_names.of(kindWord(m_thing.kind) + "-1");
    }

    /// The type, the tier, and whether what shall hold it can.
    Result<void> prepare()
    {
        const EntityKind kind = m_thing.kind;
        if (auto fine = checkFields(); !fine) return fine;
        if (kind == EntityKind::Rack || kind == EntityKind::Tray || kind == EntityKind::Device) {
            const auto partKind = kind == EntityKind::Rack ? PartKind::Rack : kind == EntityKind::Tray ? PartKind::Tray : PartKind::Device;
            const auto type = usePartType(m_t, m_lookup, m_source, m_thing.type, partKind);
            if (!type) return tl::unexpected(type.error());
            m_type = *type;
            auto with = partsWith(m_s, m_known, m_type);
            if (!with) return tl::unexpected(with.error());
            m_parts = *with;
        }
        if (kind == EntityKind::Device) return findTier();
        if (kind == EntityKind::Rack) {
            const auto row = holder<RowId>(EntityKind::Row);
            if (!row) return tl::unexpected(row.error());
            m_lookup.referring(&Racks::row, row->value, [&](std::uint32_t id) {
                const RackId other(id);
                m_end = std::max(m_end, m_s.racks.along[other].count() + parts().rack(m_s.racks.type[other]).width.value.count());
            });
        }
        return {};
    }

    /// No column that says what holds it: `in` does.
    [[nodiscard]] Result<void> checkFields() const
    {
        Result<void> fine;
        schemaSnapshot().eachTable([&](const auto& table) {
            if (kKindOf<std::decay_t<decltype(table)>> != m_thing.kind) return;
            eachReference(table, [&](const auto& column, std::size_t) {
                const std::string name(column.name());
                if (column.traits().role == ColumnRole::Parent && m_thing.fields.contains(name))
                    fine = refused(name, i18n("the position is already defined by 'in'"), i18n("omit it"));
            });
        });
        return fine;
    }

    template <class IdT>
    Result<IdT> holder(EntityKind kind) const
    {
        if (!m_thing.into || m_thing.into->kind != kind)
            return refused("in", i18n("a {} must be placed in a {}", kindText(m_thing.kind), kindText(kind)), i18n("specify one"));
        return IdT(m_thing.into->id);
    }
    template <class IdT>
    Maybe<IdT> maybeHolder(EntityKind kind) const
    {
        return m_thing.into && m_thing.into->kind == kind ? Maybe<IdT>(IdT(m_thing.into->id)) : Maybe<IdT>();
    }

    /// The named tier, or the one of the devices that have this type.
    Result<void> findTier()
    {
        if (!m_thing.tier.empty()) {
            const auto found = m_lookup.find(parts(), m_thing.tier, EntityKind::Tier);
            if (!found || found->kind != EntityKind::Tier) return refused(m_thing.tier, i18n("unknown tier"), i18n("specify a tier, or add one"));
            m_tier = TierId(found->id);
        } else {
            m_lookup.referring(&Devices::type, m_type.value, [&](std::uint32_t row) {
                const TierId tier = m_s.devices.tier[DeviceId(row)];
                if (!m_tier || tier < *m_tier) m_tier = tier;
            });
        }
        if (!m_tier) {
            std::vector<std::string> names;
            m_s.tiers.forEach([&](TierId id) { names.push_back(m_s.tiers.name[id]); });
            return refused("tier", i18n("missing"), names.empty() ? i18n("add a tier first") : i18n("choose from {}", listedNames(names)));
        }
        m_index = m_lookup.nextIndex(*m_tier);
        return {};
    }

    Result<EntityRef> make()
    {
        switch (m_thing.kind) {
        case EntityKind::Network: return ref(m_build.network({.name = m_name, .label = m_name}));
        case EntityKind::Site: return ref(m_build.site({.name = m_name}));
        case EntityKind::Structure: return structure();
        case EntityKind::Underlay: return refused("add", i18n("a drawing must be imported from a file"), i18n("use import dxf"));
        case EntityKind::Phase: return ref(phase());
        case EntityKind::Price: return ref(price());
        case EntityKind::BindingRule: return ref(bindingRule());
        case EntityKind::Building:
            return ref(m_build.building(
                {.name = m_name, .site = maybeHolder<SiteId>(EntityKind::Site), .sizeX = kBuildingX, .sizeY = kBuildingY, .sizeZ = kBuildingZ}));
        case EntityKind::Hall: return hall();
        case EntityKind::Row: return row();
        case EntityKind::Rack: return rack();
        case EntityKind::Tray: return ref(tray());
        case EntityKind::Tier: return tier();
        case EntityKind::Device: return device();
        case EntityKind::Port: return port();
        case EntityKind::PartType: return refused("add", i18n("a part type requires a definition"), i18n("specify its YAML as definition"));
        case EntityKind::Cage: return refused("add", i18n("a cage is created with its ports"), i18n("add a port"));
        case EntityKind::Link:
        case EntityKind::Cable: return refused("add", i18n("a {} is created by connecting two ports", kindText(m_thing.kind)), i18n("use connect"));
        case EntityKind::None: break;
        }
        return refused("add", i18n("this object cannot be added"), i18n("see `edit --help`"));
    }

    Result<EntityRef> hall()
    {
        const auto in = holder<BuildingId>(EntityKind::Building);
        if (!in) return tl::unexpected(in.error());
        const auto inside = [](Millimeters size) { return std::max(size - kWall - kWall, Millimeters(1)); };
        const auto& b = m_s.buildings;
        return ref(m_build.hall({.name = m_name,
                                 .building = *in,
                                 .x = kWall,
                                 .y = kWall,
                                 .sizeX = inside(b.sizeX[*in]),
                                 .sizeY = inside(b.sizeY[*in]),
                                 .sizeZ = std::min(kHallZ, b.sizeZ[*in])}));
    }
    /// The next number, until a column says another.
    PhaseId phase()
    {
        int last = 0;
        m_s.phases.forEach([&](PhaseId id) { last = std::max(last, m_s.phases.number[id]); });
        const PhaseId id = m_s.phases.insert();
        m_s.phases.name.set(id, m_name);
        m_s.phases.number.set(id, std::min(last + 1, 1000));
        return id;
    }
    /// Last of the list.
    BindingRuleId bindingRule()
    {
        std::int32_t last = 0;
        m_s.bindingRules.forEach([&](BindingRuleId id) { last = std::max(last, m_s.bindingRules.number[id]); });
        const BindingRuleId id = m_s.bindingRules.insert();
        m_s.bindingRules.name.set(id, m_name);
        m_s.bindingRules.number.set(id, last + 1);
        return id;
    }

    PriceId price()
    {
        const PriceId id = m_s.prices.insert();
        m_s.prices.name.set(id, m_name);
        m_s.prices.currency.set(id, settingOf(m_s, "project.currency"));
        return id;
    }
    Result<EntityRef> structure()
    {
        const auto in = holder<HallId>(EntityKind::Hall);
        if (!in) return tl::unexpected(in.error());
        return ref(m_build.structure({.name = m_name, .hall = *in, .x2 = kColumn, .width = kColumn}));
    }
    Result<EntityRef> row()
    {
        const auto in = holder<HallId>(EntityKind::Hall);
        if (!in) return tl::unexpected(in.error());
        return ref(m_build.row({.name = m_name, .hall = *in, .x = kAisle, .y = kAisle}));
    }
    Result<EntityRef> rack()
    {
        const auto in = holder<RowId>(EntityKind::Row);
        if (!in) return tl::unexpected(in.error());
        if (m_end > column::kFarthest)
            return refused(m_s.rows.name[*in], i18n("coordinates exceed ±100 km from the origin"), i18n("move its last rack first"));
        return ref(m_build.rack(
            {.name = m_name, .row = *in, .type = m_type, .along = Millimeters(m_end), .powerLimit = parts().rack(m_type).powerLimit.value}));
    }
    TrayId tray()
    {
        const auto row = maybeHolder<RowId>(EntityKind::Row);
        const auto hall = maybeHolder<HallId>(EntityKind::Hall);
        return m_build.tray({.name = m_name,
                             .kind = row    ? TrayKind::Row
                                     : hall ? TrayKind::Spine
                                            : TrayKind::Duct,
                             .row = row,
                             .hall = hall,
                             .type = m_type,
                             .z1 = kTrayZ,
                             .x2 = Millimeters(10'000),
                             .z2 = kTrayZ});
    }
    /// Above the tiers that its network has; servers below all.
    Result<EntityRef> tier()
    {
        const auto network = maybeHolder<NetworkId>(EntityKind::Network);
        int level = 0;
        m_s.tiers.forEach([&](TierId id) {
            if (network && m_s.tiers.network[id] == network) level = std::max<int>(level, m_s.tiers.level[id]);
        });
        const auto kind = m_thing.fields.find("kind");
        const bool server = kind != m_thing.fields.end() && kind->second == "server";
        return ref(m_build.tier(
            {.name = m_name, .label = m_name, .network = network, .level = std::int16_t(server ? 0 : std::min(level + 1, kHighestLevel))}));
    }

    Result<EntityRef> device()
    {
        const auto hall = maybeHolder<HallId>(EntityKind::Hall);
        const auto row = maybeHolder<RowId>(EntityKind::Row);
        if (!inRack() && !hall && !row) return refused("in", i18n("a device must be placed in a rack or hall, or above a row"), i18n("specify one"));
        const DeviceId id =
            m_build.device({.name = m_name, .tier = *m_tier, .type = m_type, .row = row, .hall = hall, .index = std::min(m_index++, kLastIndex)});
        if (m_sockets.empty()) m_sockets = socketsOf(parts().device(m_type), m_s.tiers.kind[*m_tier], m_s.tiers.network[*m_tier]);
        m_build.allPorts(id, m_sockets);
        if (!inRack()) return ref(id);
        const RackId rack(m_thing.into->id);
        if (const auto face = m_thing.fields.find("face"); face != m_thing.fields.end()) // it says which units are free
            if (auto set = setField(m_t, parts(), m_lookup, ref(id), face->first, face->second); !set) return tl::unexpected(set.error());
        const DeviceSpec& spec = parts().device(m_type);
        if (!m_units) m_units = unitsOf(m_s, parts(), m_lookup, rack);
        if (m_thing.u && m_first) {
            if (auto placed = placeDevice(m_t, parts(), id, rack, int(std::clamp<std::int64_t>(*m_thing.u, -1, 10'000)), &m_lookup); !placed)
                return tl::unexpected(placed.error());
        } else {
            const int u = spec.halfUnits > 0 ? m_units->lowestFor(spec, m_s.devices.face[id]) : 0;
            if (spec.halfUnits > 0 && u == 0)
                return refused(m_s.racks.name[rack], i18n("no room for another {}", parts()[m_type].slug), i18n("choose another rack"));
            m_s.devices.rack.set(id, rack);
            m_s.devices.u.set(id, std::int16_t(u));
        }
        if (m_s.devices.u[id] > 0) m_units->put(mounted(m_s, parts(), id));
        return ref(id);
    }

    /// A socket that the device's type has and the device does not use yet.
    Result<EntityRef> port()
    {
        const auto in = holder<DeviceId>(EntityKind::Device);
        if (!in) return tl::unexpected(in.error());
        const TierId tier = m_s.devices.tier[*in];
        const DeviceSpec& spec = parts().device(m_s.devices.type[*in]);
        const auto sockets = socketsOf(spec, m_s.tiers.kind[tier], m_s.tiers.network[tier]);
        const auto socket = std::ranges::find(sockets, m_thing.interface, &DeviceSocket::name);
        if (socket == sockets.end()) {
            std::vector<std::string> names;
            for (std::size_t i = 0; i < std::min<std::size_t>(3, sockets.size()); ++i) names.push_back(sockets[i].name);
            return refused("interface", i18n("'{}' is not an interface of {}", m_thing.interface, parts()[m_s.devices.type[*in]].slug),
                           names.empty() ? i18n("it has none") : i18n("available: {} …", listedNames(names)));
        }
        bool used = false;
        std::uint16_t next = 0;
        m_lookup.referring(&Ports::device, in->value, [&](std::uint32_t row) {
            const PortId other(row);
            const bool same = m_s.ports.medium[other] == socket->medium && m_s.ports.role[other] == socket->role;
            used = used || (socket->medium == Medium::Data
                                ? m_s.ports.medium[other] == Medium::Data && m_s.cages.number[m_s.ports.cage[other]] == socket->cage
                                : same && m_s.ports.number[other] == socket->number);
            if (same && m_s.ports.network[other] == socket->network) next = std::max<std::uint16_t>(next, std::uint16_t(m_s.ports.number[other] + 1));
        });
        if (used) return refused(m_thing.interface, i18n("the device already has this port"), i18n("specify another interface"));
        const bool data = socket->medium == Medium::Data;
        const int split = m_thing.split;
        if (split != 1 && (!data || std::ranges::find(spec.interfaces[socket->cage].splits, split) == spec.interfaces[socket->cage].splits.end()))
            return refused("split", i18n("{} cannot be split into {}", m_thing.interface, split),
                           i18n("omit it, or choose a split that the device supports"));
        return ref(m_build.ports(*in, socket->cage, 1,
                                 {.split = std::uint8_t(split),
                                  .firstNumber = data ? next : socket->number,
                                  .rate = Gbps(socket->rate.count() / split),
                                  .role = socket->role,
                                  .network = socket->network,
                                  .medium = socket->medium}));
    }

    Transaction& m_t;
    Snapshot& m_s;
    const ProjectParts& m_known;
    Lookup& m_lookup;
    const PartSource& m_source;
    const NewThing& m_thing;
    FreshNames m_names;
    DesignBuilder m_build;
    std::shared_ptr<const ProjectParts> m_parts;
    PartTypeId m_type;
    std::optional<TierId> m_tier;
    std::optional<RackUnits> m_units;
    std::vector<DeviceSocket> m_sockets;
    std::int32_t m_index = 0, m_end = 0;
    bool m_first = true;
    std::string m_name;
};

} // namespace

Result<std::vector<EntityRef>> add(Transaction& transaction, const ProjectParts& parts, Lookup& lookup, const PartSource& source,
                                   const NewThing& thing)
{
    if (thing.into && !living(*transaction, *thing.into)) return refused("in", i18n("object not found"), i18n("specify another"));
    return Adder(transaction, parts, lookup, source, thing).run();
}

} // namespace hw::edit

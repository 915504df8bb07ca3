// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/build/design_builder.h"
#include "core/design/edit/edits_create.h"
#include "core/design/edit/kinds.h"
#include "core/design/edit/lookup.h"
#include "core/design/edit/places.h"

#include <algorithm>
#include <set>

namespace hw::edit {

Result<std::shared_ptr<const ProjectParts>> partsWith(const Snapshot& s, const ProjectParts& known, PartTypeId type)
{
    if (type.value < known.size()) return std::shared_ptr<const ProjectParts>(std::shared_ptr<void>(), &known);
    return ProjectParts::of(s.partTypes);
}

Result<PartTypeId> usePartType(Transaction& t, Lookup& lookup, const PartSource& source, const std::string& slug, PartKind kind)
{
    const Text name = i18n("specify a {} type", kindText(kind));
    if (slug.empty()) return fail(ErrorCode::Refused, "type", i18n("missing"), name);
    if (const auto own = lookup.partType(slug)) {
        if (t->partTypes.kind[*own] != kind) return fail(ErrorCode::Refused, slug, i18n("not a {} type", kindText(kind)), name);
        return *own;
    }
    const Part* part = source ? source(slug) : nullptr;
    if (!part)
        return fail(ErrorCode::Refused, slug, i18n("not a part type of the project or the catalog"),
                    i18n("specify a {} type, or add your own", kindText(kind)));
    if (kindOf(*part) != kind) return fail(ErrorCode::Refused, slug, i18n("not a {} type", kindText(kind)), name);
    return DesignBuilder(*t).partType(*part);
}

Result<PartTypeId> takePartType(Transaction& t, Lookup& lookup, const PartSource& source, const std::string& slug)
{
    if (lookup.partType(slug)) return fail(ErrorCode::Refused, slug, i18n("already a part type of the project"), i18n("no action required"));
    const Text todo = i18n("specify one, or provide your own definition");
    if (slug.empty()) return fail(ErrorCode::Refused, "type", i18n("missing"), todo);
    const Part* part = source ? source(slug) : nullptr;
    if (!part) return fail(ErrorCode::Refused, slug, i18n("not a part type of the catalog"), todo);
    return DesignBuilder(*t).partType(*part);
}

Result<PartTypeId> addPartType(Transaction& t, Lookup& lookup, const std::string& definition)
{
    std::vector<LintIssue> doubts;
    auto part = Catalog::parse(definition, "definition", &doubts);
    if (!part) return fail(ErrorCode::Refused, part.error().where, part.error().what, part.error().todo);
    for (const auto& doubt : doubts)
        if (doubt.what.id().find("unknown") != std::string_view::npos)
            return fail(ErrorCode::Refused, doubt.where, doubt.what, i18n("remove or correct it"));
    if (lookup.partType(part->slug))
        return fail(ErrorCode::Refused, part->slug, i18n("the project already has a part type with this slug"),
                    i18n("choose another slug, or remove that one first"));
    return DesignBuilder(*t).partType(*part);
}

namespace {

/// What a device keeps when it becomes one of another type: its sockets by the names of their interfaces.
class DeviceRetyper {
public:
    DeviceRetyper(Snapshot& s, Lookup& lookup, DeviceId device, const DeviceSpec& before, const DeviceSpec& after)
        : m_s(s), m_lookup(lookup), m_device(device), m_before(before), m_after(after),
          m_sockets(socketsOf(after, s.tiers.kind[s.devices.tier[device]], s.tiers.network[s.devices.tier[device]]))
    {
        lookup.referring(&Cages::device, device.value, [&](std::uint32_t row) { m_cages.push_back(CageId(row)); });
        std::sort(m_cages.begin(), m_cages.end());
    }

    /// Sorts the cages into those that stay and those that go with their ports.
    void plan()
    {
        for (const CageId cage : m_cages) {
            const auto number = newNumber(cage);
            if (number && keeps(cage, *number))
                m_stay.emplace_back(cage, *number);
            else
                m_go.push_back(ref(cage));
        }
    }
    [[nodiscard]] std::size_t linksLost()
    {
        std::size_t lost = 0;
        for (const EntityRef cage : m_go) eachPort(CageId(cage.id), [&](PortId port) { lost += m_lookup.linkOf(port).has_value(); });
        return lost;
    }
    [[nodiscard]] const std::vector<EntityRef>& gone() const { return m_go; }

    /// Renumbers what stays. A device made by hand gets the sockets that it lacks.
    void apply()
    {
        std::set<std::uint16_t> used;
        for (const auto& [cage, number] : m_stay) {
            used.insert(number);
            if (m_s.cages.number[cage] != number) m_s.cages.number.set(cage, number);
            if (number >= m_after.interfaces.size()) continue;
            const Gbps rate(m_after.interfaces[number].rate.count() / std::max<std::int32_t>(1, m_s.cages.split[cage]));
            eachPort(cage, [&](PortId port) {
                if (m_s.ports.rate[port] != rate) m_s.ports.rate.set(port, rate);
            });
            m_s.cages.module.set(cage, std::nullopt); // another socket may take other modules
        }
        if (!m_s.devices.key[m_device].empty()) return;
        std::vector<DeviceSocket> missing;
        for (const auto& socket : m_sockets)
            if (!used.contains(socket.cage)) missing.push_back(socket);
        DesignBuilder(m_s).allPorts(m_device, missing);
    }

private:
    template <class F>
    void eachPort(CageId cage, F&& f)
    {
        m_lookup.referring(&Ports::cage, cage.value, [&](std::uint32_t row) { f(PortId(row)); });
    }

    [[nodiscard]] std::optional<std::uint16_t> newNumber(CageId cage)
    {
        const std::size_t number = m_s.cages.number[cage];
        Medium medium = Medium::Data;
        PortRole role = PortRole::Host;
        std::size_t running = 0;
        eachPort(cage, [&](PortId port) { medium = m_s.ports.medium[port], role = m_s.ports.role[port], running = m_s.ports.number[port]; });
        if (medium == Medium::Data) {
            if (number >= m_before.interfaces.size()) return std::nullopt;
            const auto found = std::ranges::find(m_after.interfaces, m_before.interfaces[number].name, &Interface::name);
            return found != m_after.interfaces.end() ? std::optional(std::uint16_t(found - m_after.interfaces.begin())) : std::nullopt;
        }
        const auto socket = std::ranges::find_if(
            m_sockets, [&](const DeviceSocket& one) { return one.medium == medium && one.role == role && one.number == running; });
        if (socket == m_sockets.end()) {
            const auto same = [&](const DeviceSocket& one) { return one.medium == medium && one.role == role; };
            const bool alike = m_before.power.element != PowerElement::None && m_after.power.element == m_before.power.element;
            if (!alike || number < m_before.interfaces.size() || std::ranges::any_of(m_sockets, same)) return std::nullopt;
            // The part type lists no sockets of this kind, as for the feed of some busways: a number beyond all of its own.
            std::size_t beyond = m_after.interfaces.size();
            for (const DeviceSocket& one : m_sockets) beyond = std::max<std::size_t>(beyond, one.cage + 1u);
            return beyond + number <= UINT16_MAX ? std::optional(std::uint16_t(beyond + number)) : std::nullopt;
        }
        return number < m_before.interfaces.size() ? std::uint16_t(number)
                                                   : socket->cage; // the former: numbered by a template, apart from the interfaces
    }

    /// Whether the new interface can be split as the cage is; one with a link also needs the rate that the link has.
    [[nodiscard]] bool keeps(CageId cage, std::uint16_t number)
    {
        if (number >= m_after.interfaces.size()) return true;
        const Interface& interface = m_after.interfaces[number];
        const int split = std::max<int>(1, m_s.cages.split[cage]);
        if (split > 1 && std::ranges::find(interface.splits, split) == interface.splits.end()) return false;
        bool same = true;
        eachPort(cage, [&](PortId port) {
            if (m_s.ports.medium[port] == Medium::Data && m_lookup.linkOf(port))
                same = same && m_s.ports.rate[port].count() * split == interface.rate.count();
        });
        return same;
    }

    Snapshot& m_s;
    Lookup& m_lookup;
    DeviceId m_device;
    const DeviceSpec &m_before, &m_after;
    std::vector<DeviceSocket> m_sockets; ///< of the new type
    std::vector<CageId> m_cages;
    std::vector<std::pair<CageId, std::uint16_t>> m_stay;
    std::vector<EntityRef> m_go;
};

/// Links that run over a panel need the positions that they are at, and connectors as before.
Result<void> checkPanel(const Snapshot& s, const ProjectParts& parts, Lookup& lookup, DeviceId device, PartTypeId type)
{
    const PanelSpec &before = parts.device(s.devices.type[device]).panel, &after = parts.device(type).panel;
    std::int32_t used = 0;
    lookup.referring(&Runs::panel, device.value, [&](std::uint32_t row) { used = std::max(used, s.runs.position[RunId(row)] + 1); });
    if (used == 0) return {};
    const bool fits = after.positions >= used && after.connector == before.connector && after.behind() == before.behind();
    if (fits && after.perRear == before.perRear) return {};
    return fail(ErrorCode::Refused, s.devices.name[device],
                i18np(used, "links use {} position that {} does not have", "links use {} positions that {} does not have", used, parts[type].slug),
                i18n("remove these links from the panels first (unpanel)"));
}

Result<RowCount> retypeDevice(Transaction& t, const ProjectParts& parts, Lookup& lookup, DeviceId device, PartTypeId type, bool force)
{
    Snapshot& s = *t;
    const DeviceSpec &before = parts.device(s.devices.type[device]), &after = parts.device(type);
    if (const std::optional<RackId> rack = s.devices.rack[device]; rack && s.devices.u[device] > 0)
        if (!unitsOf(s, parts, lookup, *rack, device).takes(mountedAt(after, s.devices.face[device], s.devices.u[device])))
            return fail(ErrorCode::Refused, s.devices.name[device],
                        i18n("{} does not fit at its position in {}", parts[type].slug, s.racks.name[*rack]),
                        i18n("free up space there, or move the device first"));
    if (auto fine = checkPanel(s, parts, lookup, device, type); !fine) return tl::unexpected(fine.error());
    DeviceRetyper retyper(s, lookup, device, before, after);
    retyper.plan();
    if (const auto lost = retyper.linksLost(); lost > 0 && !force)
        return fail(ErrorCode::Refused, s.devices.name[device],
                    i18n("{} of its links end at ports that {} does not have or has at another rate", lost, parts[type].slug),
                    i18n("disconnect them first, or force it"));
    const RowCount gone = retyper.gone().empty() ? RowCount() : takeOut(s, lookup, retyper.gone());
    retyper.apply();
    s.devices.type.set(device, type);
    s.devices.overridden.set(device, s.devices.overridden[device] | overridden::kType);
    return gone;
}

Result<RowCount> retypeRack(Transaction& t, const ProjectParts& parts, Lookup& lookup, RackId rack, PartTypeId type)
{
    Snapshot& s = *t;
    int top = 0;
    lookup.referring(&Devices::rack, rack.value, [&](std::uint32_t row) {
        const DeviceId id(row);
        if (s.devices.u[id] > 0) top = std::max(top, (mounted(s, parts, id).high + 1) / 2);
    });
    if (top > parts.rack(type).heightU)
        return fail(ErrorCode::Refused, s.racks.name[rack],
                    i18n("occupied up to U {}, but {} has only {}", top, parts[type].slug, parts.rack(type).heightU),
                    i18n("move the upper devices first"));
    if (s.racks.powerLimit[rack] == parts.rack(s.racks.type[rack]).powerLimit.value) s.racks.powerLimit.set(rack, parts.rack(type).powerLimit.value);
    s.racks.type.set(rack, type);
    s.racks.overridden.set(rack, s.racks.overridden[rack] | overridden::kType);
    return RowCount();
}

} // namespace

Result<RowCount> retype(Transaction& t, const ProjectParts& known, Lookup& lookup, const PartSource& source, EntityRef e, const std::string& slug,
                        bool force)
{
    Snapshot& s = *t;
    const bool possible = e.kind == EntityKind::Rack || e.kind == EntityKind::Tray || e.kind == EntityKind::Device;
    if (!possible || !living(s, e))
        return fail(ErrorCode::Refused, "retype", i18n("this object has no part type"), i18n("supported: racks, trays and devices"));
    const PartKind kind = e.kind == EntityKind::Rack ? PartKind::Rack : e.kind == EntityKind::Tray ? PartKind::Tray : PartKind::Device;
    const auto type = usePartType(t, lookup, source, slug, kind);
    if (!type) return tl::unexpected(type.error());
    const auto parts = partsWith(s, known, *type);
    if (!parts) return tl::unexpected(parts.error());
    if (e.kind == EntityKind::Device)
        return s.devices.type[DeviceId(e.id)] == *type ? RowCount() : retypeDevice(t, **parts, lookup, DeviceId(e.id), *type, force);
    if (e.kind == EntityKind::Rack) return s.racks.type[RackId(e.id)] == *type ? RowCount() : retypeRack(t, **parts, lookup, RackId(e.id), *type);
    const TrayId tray(e.id);
    if (s.trays.type[tray] == *type) return RowCount();
    s.trays.type.set(tray, *type);
    s.trays.overridden.set(tray, s.trays.overridden[tray] | overridden::kType);
    return RowCount();
}

} // namespace hw::edit

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/special_fields.h"

#include "core/design/edit/edits_binding.h"
#include "core/design/edit/edits_create.h"
#include "core/design/edit/places.h"
#include "core/foundation/money/price_book.h"

#include <algorithm>

namespace hw::edit {

namespace {

/// One column being set: what the small functions below share.
struct FieldEdit {
    Transaction& t;
    const ProjectParts& parts;
    Lookup& lookup;
    const Field& field;
    const std::optional<std::string>& value;

    [[nodiscard]] Snapshot& s() const { return *t; }
    [[nodiscard]] tl::unexpected<Error> refused(Text what, Text todo) const
    {
        return fail(ErrorCode::Refused, field.column, std::move(what), std::move(todo));
    }

    /// The part type that the value names; nothing for none.
    [[nodiscard]] Result<std::optional<PartTypeId>> part(PartKind kind) const
    {
        if (!value) return std::optional<PartTypeId>();
        const auto found = lookup.partType(*value);
        if (!found || s().partTypes.kind[*found] != kind)
            return refused(i18n("'{}' is not a {} of the project", *value, kindText(kind)), i18n("add it as a part type first"));
        return std::optional(*found);
    }

    [[nodiscard]] Result<void> module(CageId cage) const
    {
        const auto type = part(PartKind::Transceiver);
        if (!type) return tl::unexpected(type.error());
        const auto& device = parts.device(s().devices.type[s().cages.device[cage]]);
        const std::size_t number = s().cages.number[cage];
        if (*type && (number >= device.interfaces.size() || !fits(parts.transceiver(**type), device.interfaces[number])))
            return refused(i18n("{} does not fit into this cage", *value), i18n("choose a module with its form factor and rate"));
        if (!(s().cages.module[cage] == Maybe<PartTypeId>(*type))) s().cages.module.set(cage, *type);
        return {};
    }

    [[nodiscard]] Result<void> cableType(CableId cable) const
    {
        const auto type = part(PartKind::Cable);
        return type ? setCableType(t, cable, *type, &lookup) : tl::unexpected(type.error());
    }

    [[nodiscard]] Result<void> cableLength(CableId cable) const
    {
        const auto length = value ? readQuantity(*value, "mm") : Result<std::int64_t>(0);
        if (!length) return refused(length.error().what, i18n("specify a length, 0 = from the route"));
        return setCableLength(t, cable, *length, &lookup);
    }

    /// Network or role of a port that is wired to nothing, on a device that was made by hand.
    [[nodiscard]] Result<void> port(PortId id) const
    {
        auto& ports = s().ports;
        if (!s().devices.key[ports.device[id]].empty())
            return refused(i18n("the ports of {} are defined by the template", s().devices.name[ports.device[id]]),
                           i18n("change the template, or add your own device"));
        if (lookup.linkOf(id)) return refused(i18n("port is connected"), i18n("disconnect it first"));
        if (field.column == "network") {
            Maybe<NetworkId> network;
            if (value) {
                const auto found = lookup.find(parts, *value, EntityKind::Network);
                if (!found || found->kind != EntityKind::Network) return refused(i18n("unknown network '{}'", *value), i18n("specify a network"));
                network = NetworkId(found->id);
            }
            if (network == ports.network[id]) return {};
            ports.network.set(id, network);
        } else {
            const auto role = value ? fromWord<PortRole>(*value) : std::nullopt;
            if (!role) return refused(i18n("not a port role"), i18n("choose from host, down, up, backup, peer"));
            if (*role == ports.role[id]) return {};
            ports.role.set(id, *role);
        }
        number(id);
        return {};
    }

    /// The first running number that no other port of the device has among those of its role, network and medium.
    void number(PortId id) const
    {
        auto& ports = s().ports;
        std::vector<bool> used;
        lookup.referring(&Ports::device, ports.device[id].value, [&](std::uint32_t row) {
            const PortId other(row);
            if (other == id || ports.role[other] != ports.role[id] || !(ports.network[other] == ports.network[id]) ||
                ports.medium[other] != ports.medium[id])
                return;
            if (used.size() <= ports.number[other]) used.resize(ports.number[other] + 1u);
            used[ports.number[other]] = true;
        });
        ports.number.set(id, std::uint16_t(std::find(used.begin(), used.end(), false) - used.begin()));
    }

    /// Nothing for a date that is one: then the column is set as any other.
    [[nodiscard]] std::optional<Result<void>> date() const
    {
        if (!value || value->empty() || isDate(*value)) return std::nullopt;
        return refused(i18n("'{}' is not a valid date", *value), i18n("use the form 2026-11-23"));
    }

    /// Nothing where its units are free on the side that it is turned to.
    [[nodiscard]] std::optional<Result<void>> face(DeviceId device) const
    {
        const auto& d = s().devices;
        const auto face = value ? fromWord<Face>(*value) : std::nullopt;
        if (!face || !d.rack[device] || d.u[device] <= 0) return std::nullopt;
        const Mounted turned = mountedAt(parts.device(d.type[device]), *face, d.u[device]);
        if (unitsOf(s(), parts, lookup, *d.rack[device], device).takes(turned)) return std::nullopt;
        return refused(i18n("the rack units of {} are occupied on that side", d.name[device]), i18n("move it to free rack units first"));
    }

    [[nodiscard]] Result<void> home(DeviceId device) const
    {
        if (!value) return refused(i18n("a value is required"), i18n("specify the rack, row or hall to place it in"));
        const EntityKind wanted = field.column == "rack" ? EntityKind::Rack : field.column == "row" ? EntityKind::Row : EntityKind::Hall;
        const auto found = lookup.find(parts, *value, wanted);
        if (!found || found->kind != wanted)
            return refused(i18n("'{}' is not a {}", *value, kindText(wanted)), i18n("specify a {}", kindText(wanted)));
        if (wanted == EntityKind::Hall) return placeInHall(t, device, HallId(found->id));
        if (wanted == EntityKind::Row) return placeOverRow(t, device, RowId(found->id));
        const RackId rack(found->id);
        if (s().devices.rack[device] == rack) return {};
        const auto u = freeUnit(s(), parts, lookup, rack, device);
        if (!u) return tl::unexpected(u.error());
        return placeDevice(t, parts, device, rack, *u, &lookup);
    }
};

} // namespace

std::optional<Result<void>> setSpecially(Transaction& t, const ProjectParts& parts, Lookup& lookup, EntityRef e, const Field& field,
                                         const std::optional<std::string>& value)
{
    const FieldEdit set{t, parts, lookup, field, value};
    const auto& column = field.column;
    if (column == "date" || column == "stage_date") {
        if (auto bad = set.date()) return bad;
    }
    if (e.kind == EntityKind::Price && column == "part" && value && !lookup.partType(*value))
        return set.refused(i18n("'{}' is not a part of the project", *value), i18n("use the slug from the bill of materials"));
    if (e.kind == EntityKind::Price && column == "currency" && value && !isCurrency(*value))
        return set.refused(i18n("'{}' is not a currency", *value), i18n("use three capital letters, for example USD"));
    if (e.kind == EntityKind::Phase && column == "number" && value) {
        const auto number = readQuantity(*value, "");
        bool taken = false;
        t->phases.forEach([&](PhaseId id) { taken = taken || (id.value != e.id && number && t->phases.number[id] == *number); });
        if (taken) return set.refused(i18n("phase number {} is already in use", *value), i18n("choose another number"));
    }
    if (e.kind == EntityKind::BindingRule)
        if (auto fine = checkBindingRule(*t, BindingRuleId(e.id), column, value.value_or(std::string())); !fine) return fine;
    if (e.kind == EntityKind::Cage && column == "module") return set.module(CageId(e.id));
    if (e.kind == EntityKind::Cable && column == "type") return set.cableType(CableId(e.id));
    if (e.kind == EntityKind::Cable && column == "length_mm") return set.cableLength(CableId(e.id));
    if (e.kind == EntityKind::Port) return set.port(PortId(e.id));
    if (e.kind == EntityKind::Device && column == "face") return set.face(DeviceId(e.id));
    if (e.kind == EntityKind::Device && (column == "rack" || column == "row" || column == "hall")) return set.home(DeviceId(e.id));
    if (e.kind == EntityKind::Device && (column == "x_mm" || column == "y_mm" || column == "z_mm") && t->devices.rack[DeviceId(e.id)])
        return set.refused(i18n("{} is mounted in a rack", t->devices.name[DeviceId(e.id)]), i18n("place it in a hall first"));
    if (e.kind == EntityKind::Tier && column == "level") {
        bool any = false;
        lookup.referring(&Devices::tier, e.id, [&](std::uint32_t) { any = true; });
        if (any) return set.refused(i18n("the tier has devices with links from lower to higher levels"), i18n("create another tier"));
    }
    return std::nullopt;
}

} // namespace hw::edit

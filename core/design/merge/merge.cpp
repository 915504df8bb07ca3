// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/topology/rack_units.h"
#include "core/design/merge/merge_rows.h"
#include "core/foundation/model/dangling.h"

#include <map>

// Regeneration: the new design ("theirs") is generated whole, then brought into the open one ("mine")
// table by table. Rows are matched by key; what `overridden` marks as changed by hand stays. A link that
// the old parameters give ("base") and mine lacked was disconnected by hand, and stays so; base is generated
// only where a link is new between two devices that were there, and links were erased at some time.
// Rows of theirs that somebody removed (Removals) are left out, with all that cannot stand without them. A device
// that was made one of another type keeps its own sockets; theirs are found among them by the names of their interfaces.

namespace hw {
namespace merging {

void Merge::findRetyped()
{
    m_retyped.assign(m_mine.devices.nextId(), 0);
    bool any = false;
    m_mine.devices.forEach([&](DeviceId id) {
        if (!(m_mine.devices.overridden[id] & overridden::kType) || m_mine.devices.key[id].empty()) return;
        m_retyped[id.value] = 1;
        any = true;
    });
    if (!any) return;
    if (const auto parts = ProjectParts::of(m_mine.partTypes)) m_mineParts = *parts;
    if (const auto parts = ProjectParts::of(m_theirs.partTypes)) m_theirParts = *parts;
}

std::optional<std::uint16_t> Merge::cageNumber(CageId theirs) const
{
    const std::uint16_t number = m_theirs.cages.number[theirs];
    const DeviceId device = mapped(m_theirs.cages.device[theirs]);
    if (device.value >= m_retyped.size() || !m_retyped[device.value] || !m_mineParts || !m_theirParts) return number;
    const auto& before = m_theirParts->device(m_theirs.devices.type[m_theirs.cages.device[theirs]]).interfaces;
    const auto& after = m_mineParts->device(m_mine.devices.type[device]).interfaces;
    if (number >= before.size()) return number;
    const auto found = std::ranges::find(after, before[number].name, &Interface::name);
    return found != after.end() ? std::optional(std::uint16_t(found - after.begin())) : std::nullopt;
}

void Merge::mergeTypes()
{
    // A project keeps the definitions that it has; new part types are added.
    IdMap& parts = ids<PartTypes>();
    parts.assign(m_theirs.partTypes.nextId(), kNone);
    std::unordered_map<std::string, PartTypeId> bySlug;
    m_mine.partTypes.forEach([&](PartTypeId id) { bySlug.emplace(m_mine.partTypes.slug[id], id); });
    m_theirs.partTypes.forEach([&](PartTypeId id) {
        auto found = bySlug.find(m_theirs.partTypes.slug[id]);
        if (found == bySlug.end()) {
            const PartTypeId fresh = m_mine.partTypes.insert();
            copyRow(m_mine.partTypes, fresh, m_theirs.partTypes, id, 0);
            found = bySlug.emplace(m_theirs.partTypes.slug[id], fresh).first;
        }
        parts[id.value] = found->second.value;
    });
}

/// Devices added by hand lose their place with what they stand in.
void Merge::leaveGonePlaces()
{
    Devices& devices = m_mine.devices;
    devices.forEach([&](DeviceId id) {
        if (!devices.key[id].empty() || !lostPlace(devices, id)) return;
        m_report.notKept.push_back(i18n("{} was added manually to an object that no longer exists; it is now unplaced", devices.name[id]));
        devices.rack.set(id, {}), devices.row.set(id, {}), devices.hall.set(id, {});
        devices.u.set(id, std::int16_t(0));
    });
}

/// What a person mounted keeps its units; what the template would put there gets the lowest free ones, now and at every regeneration.
void Merge::makeRoom()
{
    const Devices& devices = m_mine.devices;
    const auto inRack = [&](DeviceId id) { return devices.rack[id] && devices.u[id] > 0; };
    const auto byHand = [&](DeviceId id) {
        return devices.key[id].empty() || (devices.overridden[id] & (overridden::kPlace | overridden::kType)) != 0;
    };
    std::map<RackId, RackUnits> racks; // those with something by hand
    std::shared_ptr<const ProjectParts> parts;
    devices.forEach([&](DeviceId id) {
        if (!inRack(id) || !byHand(id)) return;
        if (!parts) parts = ProjectParts::of(m_mine.partTypes).value_or(nullptr);
        if (!parts) return;
        const RackId rack = *devices.rack[id];
        racks.try_emplace(rack, parts->rack(m_mine.racks.type[rack])).first->second.put(mounted(m_mine, *parts, id));
    });
    if (racks.empty()) return;
    std::vector<DeviceId> homeless;
    devices.forEach([&](DeviceId id) {
        if (!inRack(id) || byHand(id)) return;
        const auto rack = racks.find(*devices.rack[id]);
        if (rack == racks.end()) return;
        const Mounted wanted = mounted(m_mine, *parts, id);
        if (rack->second.takes(wanted))
            rack->second.put(wanted);
        else
            homeless.push_back(id);
    });
    for (const DeviceId id : homeless) {
        const RackId rack = *devices.rack[id];
        RackUnits& units = racks.at(rack);
        const int u = units.lowestFor(parts->device(devices.type[id]), devices.face[id]);
        if (u == 0) {
            m_report.notKept.push_back(
                i18n("no room for {} next to equipment placed manually in {}: they overlap", devices.name[id], m_mine.racks.name[rack]));
            continue;
        }
        m_report.notKept.push_back(
            i18n("the position of {} in {} is occupied by a manually placed device; moved to U {}", devices.name[id], m_mine.racks.name[rack], u));
        m_mine.devices.u.set(id, std::int16_t(u));
        units.put(mounted(m_mine, *parts, id));
    }
}

std::vector<char> Merge::fedCages() const
{
    std::vector<char> fed(m_mine.cages.nextId(), 0);
    if (m_theirs.setting("template.places") != "given") return fed;
    m_mine.ports.forEach([&](PortId id) {
        if (m_mine.ports.medium[id] == Medium::Power && m_mine.devices.contains(m_mine.ports.device[id])) fed[m_mine.ports.cage[id].value] = 1;
    });
    return fed;
}

void Merge::mergePorts()
{
    auto& m = m_mine;
    const auto& t = m_theirs;
    findRetyped();
    const auto byHand = [&](DeviceId d) { return !m.devices.contains(d) ? false : m.devices.key[d].empty(); };
    const auto retyped = [&](DeviceId d) { return d.value < m_retyped.size() && m_retyped[d.value]; };
    // Sockets of a device of another type stay as they are, and no other than its own are made.
    const auto fitting = [&](CageId id) {
        const DeviceId device = mapped(t.cages.device[id]);
        return device.value != kNone && (!retyped(device) || (cageNumber(id) && m_kept.contains(cageKey(device, *cageNumber(id)))));
    };
    const std::vector<char> fed = fedCages();
    m_kept.clear();
    m.cages.forEach([&](CageId id) {
        if (retyped(m.cages.device[id])) m_kept.insert(cageKey(m.cages.device[id], m.cages.number[id]));
    });
    ids<Cages>() = matchParts(
        m.cages, t.cages,
        [&](const Cages& table, CageId id, bool own) {
            return own ? std::pair(table.device[id].value, table.number[id]) : std::pair(mapped(table.device[id]).value, *cageNumber(id));
        },
        [&](CageId id) { return !byHand(m.cages.device[id]); }, fitting,
        [&](CageId a, CageId b, bool) {
            if (!retyped(mapped(t.cages.device[b]))) copyRow(m.cages, a, t.cages, b, 0);
        },
        [&](CageId id) { return retyped(m.cages.device[id]) || fed[id.value]; });
    const auto portStands = [&](PortId id) {
        const CageId cage = mapped(t.ports.cage[id]);
        return cage.value != kNone && standing(t.ports, id) && (!retyped(m.cages.device[cage]) || t.ports.lane[id] < m.cages.split[cage]);
    };
    ids<Ports>() = matchParts(
        m.ports, t.ports,
        [&](const Ports& table, PortId id, bool own) { return std::pair(own ? table.cage[id].value : mapped(table.cage[id]).value, table.lane[id]); },
        [&](PortId id) { return !byHand(m.ports.device[id]); }, portStands,
        [&](PortId a, PortId b, bool isNew) {
            if (isNew || !retyped(mapped(t.ports.device[b]))) copyRow(m.ports, a, t.ports, b, 0);
        },
        [&](PortId id) { return retyped(m.ports.device[id]) || (m.ports.cage[id].value < fed.size() && fed[m.ports.cage[id].value]); });
}

void Merge::mergeSettings()
{
    // What the engine found out about the wiring is its own; pools of addresses stay as they are.
    for (const SettingId id : m_mine.settings.ids())
        if (const auto& key = m_mine.settings.key[id]; (key.starts_with("wiring.") || key.starts_with("note.")) && m_theirs.setting(key).empty())
            m_mine.settings.erase(id);
    m_theirs.settings.forEach([&](SettingId id) {
        const auto& key = m_theirs.settings.key[id];
        const bool own = key.starts_with("parameter.") || key.starts_with("choice.") || key.starts_with("template.") || key.starts_with("wiring.") ||
                         key.starts_with("note.");
        if (own) m_mine.putSetting(key, m_theirs.settings.value[id]);
    });
    m_theirs.waivers.forEach([&](WaiverId id) {
        bool present = false;
        m_mine.waivers.forEach([&](WaiverId own) { present = present || m_mine.waivers.finding[own] == m_theirs.waivers.finding[id]; });
        if (present) return;
        const WaiverId own = m_mine.waivers.insert();
        m_mine.waivers.finding.set(own, m_theirs.waivers.finding[id]);
        m_mine.waivers.reason.set(own, m_theirs.waivers.reason[id]);
        m_mine.waivers.author.set(own, m_theirs.waivers.author[id]);
    });
}

/// What was made by hand on something that is gone goes with it.
void Merge::dropOrphans()
{
    dropDangling(m_mine, [&](const auto& table, auto id) {
        ++m_report.erased;
        if constexpr (requires { table.name[id]; })
            m_report.notKept.push_back(i18n("{} was added manually to an object that no longer exists and was removed with it", table.name[id]));
    });
}

/// Afterward phases are the person's.
void Merge::adoptPhases()
{
    m_mine.eachTable([&](auto& mine) {
        using TableT = std::decay_t<decltype(mine)>;
        using IdT = typename TableT::IdType;
        if constexpr (requires {
                          mine.phase;
                          mine.key;
                      }) { // not the phase conductor of a link
            const TableT& theirs = m_theirs.of<TableT>();
            theirs.forEach([&](IdT id) {
                const IdT own = mapped(id);
                if (own.value != kNone && !m_before.of<TableT>().contains(own)) put(mine.phase, own, mapped(theirs.phase[id]));
            });
        }
    });
}

Result<MergeReport> Merge::run()
{
    mergeTypes();
    m_mine.eachTable([&](auto& table) { // what a row refers to stands in a table before its own
        if constexpr (requires { table.key; }) {
            if (table.key.traits().role == ColumnRole::Key) mergeKeyed(table);
        }
    });
    adoptPhases();
    leaveGonePlaces();
    makeRoom();
    mergePorts();
    if (const auto merged = mergeLinks(); !merged) return tl::unexpected(merged.error());
    mergeRuns();
    dropOrphans();
    nameApart();
    mergeSettings();
    return std::move(m_report);
}

} // namespace merging

Result<MergeReport> mergeDesign(Snapshot& mine, const Snapshot& theirs, MakeDesign makeBase)
{
    return merging::Merge(mine, theirs, std::move(makeBase)).run();
}

} // namespace hw

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/power.h"

#include "core/foundation/model/places.h"

namespace hw {

std::string_view powerBasisName(PowerBasis basis)
{
    switch (basis) {
    case PowerBasis::Typical: return "typical";
    case PowerBasis::Design: return "design";
    case PowerBasis::Nameplate: return "nameplate";
    }
    return {};
}

std::optional<PowerBasis> powerBasisFromName(std::string_view name)
{
    for (const auto basis : {PowerBasis::Typical, PowerBasis::Design, PowerBasis::Nameplate})
        if (powerBasisName(basis) == name) return basis;
    return std::nullopt;
}

PowerBasis powerBasisOf(const Snapshot& snapshot) { return powerBasisFromName(snapshot.setting("site.power_basis")).value_or(PowerBasis::Design); }

Milliwatts rackPowerLimit(const Snapshot& s, const ProjectParts& parts, RackId rack)
{
    const Milliwatts own = s.racks.powerLimit[rack];
    return own.count() > 0 ? own : parts.rack(s.racks.type[rack]).powerLimit.value;
}

Load& Load::operator+=(const Load& other)
{
    for (std::size_t i = 0; i < kPowerBases; ++i) {
        power[i] += other.power[i];
        liquid[i] += other.liquid[i];
    }
    return *this;
}

Load& Load::operator-=(const Load& other)
{
    for (std::size_t i = 0; i < kPowerBases; ++i) {
        power[i] -= other.power[i];
        liquid[i] -= other.liquid[i];
    }
    return *this;
}

namespace {

bool drawsPower(TierKind kind)
{
    switch (kind) {
    case TierKind::Server:
    case TierKind::Switch:
    case TierKind::Other: return true;
    case TierKind::Power:
    case TierKind::Cooling: return false;
    }
    return true;
}

Load loadOf(const DeviceSpec& spec)
{
    Load load;
    load.power = {spec.typical.value, spec.design.value, spec.nameplate.value};
    for (std::size_t i = 0; i < kPowerBases; ++i) load.liquid[i] = Milliwatts(load.power[i].count() * spec.liquidPermille.value / 1000);
    return load;
}

Load loadOf(const TransceiverSpec& module)
{
    Load load;
    load.power = {module.typical.value, module.typical.value, module.maximum.value};
    return load;
}

/// Loads of all types once, so that a hundred thousand transceivers cost an addition each.
class TypeLoads {
public:
    TypeLoads(const Snapshot& snapshot, const ProjectParts& parts) : m_loads(snapshot.partTypes.nextId()), m_optics(m_loads.size(), 0)
    {
        snapshot.partTypes.forEach([&](PartTypeId id) {
            if (snapshot.partTypes.kind[id] == PartKind::Transceiver) m_loads[id.value] = loadOf(parts.transceiver(id));
            if (snapshot.partTypes.kind[id] != PartKind::Device) return;
            m_loads[id.value] = loadOf(parts.device(id));
            m_optics[id.value] = parts.device(id).opticsIncluded;
        });
    }
    const Load& of(PartTypeId id) const { return m_loads[id.value]; }
    /// True when transceivers add to the device's own load.
    bool countsOptics(const Snapshot& s, DeviceId id) const
    {
        return drawsPower(s.tiers.kind[s.devices.tier[id]]) && !m_optics[s.devices.type[id].value];
    }

private:
    std::vector<Load> m_loads;
    std::vector<char> m_optics;
};

} // namespace

/// Adds to the device and every place around it.
void PowerFigures::add(const Snapshot& s, DeviceId id, const Load& load)
{
    m_devices[id.value] += load;
    if (const auto rack = s.devices.rack[id]) m_racks[(*rack).value] += load;
    if (const auto row = rowOf(s, id)) m_rows[(*row).value] += load;
    const auto hall = hallOf(s, id);
    if (!hall) return;
    m_halls[(*hall).value] += load;
    m_buildings[s.halls.building[*hall].value] += load;
}

std::shared_ptr<const PowerFigures> PowerFigures::compute(const Snapshot& s, const ProjectParts& parts, const Cabling& cabling)
{
    auto result = std::make_shared<PowerFigures>();
    result->m_devices.resize(s.devices.nextId());
    result->m_racks.resize(s.racks.nextId());
    result->m_rows.resize(s.rows.nextId());
    result->m_halls.resize(s.halls.nextId());
    result->m_buildings.resize(s.buildings.nextId());

    const TypeLoads types(s, parts);
    std::vector<Load> optics(s.devices.nextId());
    s.cables.forEach(
        [&](CableId id) { cabling.forModules(id, [&](DeviceId device, PartTypeId module) { optics[device.value] += types.of(module); }); });
    s.devices.forEach([&](DeviceId id) {
        if (!drawsPower(s.tiers.kind[s.devices.tier[id]])) return;
        Load load = types.of(s.devices.type[id]);
        if (types.countsOptics(s, id)) load += optics[id.value];
        result->add(s, id, load);
    });
    return result;
}

std::shared_ptr<const PowerFigures> PowerFigures::refitted(const PowerFigures& before, const Snapshot& s, const ProjectParts& parts,
                                                           const Cabling& cablingBefore, const Cabling& cablingAfter, std::span<const CableId> cables)
{
    auto result = std::make_shared<PowerFigures>(before);
    const TypeLoads types(s, parts);
    for (const CableId id : cables) {
        cablingBefore.forModules(id, [&](DeviceId device, PartTypeId module) {
            Load less;
            less -= types.of(module);
            if (types.countsOptics(s, device)) result->add(s, device, less);
        });
        cablingAfter.forModules(id, [&](DeviceId device, PartTypeId module) {
            if (types.countsOptics(s, device)) result->add(s, device, types.of(module));
        });
    }
    return result;
}

} // namespace hw

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/money/systems.h"

namespace hw {

namespace {

CostSystem deviceSystem(const DeviceSpec& device, TierKind tier)
{
    if (device.power.element != PowerElement::None) return CostSystem::Power;
    if (device.cooling.element != CoolingElement::None || !device.removes.empty()) return CostSystem::Cooling;
    if (device.accelerators > 0) return CostSystem::Compute;
    switch (tier) {
    case TierKind::Server: return CostSystem::Compute;
    case TierKind::Switch: return CostSystem::Network;
    case TierKind::Power: return CostSystem::Power;
    case TierKind::Cooling: return CostSystem::Cooling;
    case TierKind::Other: break;
    }
    // Storage and gateways compute; tap-off boxes feed; panels and cassettes draw nothing.
    if (device.interfaces.empty()) return device.outlets.empty() ? CostSystem::Building : CostSystem::Power;
    return device.inlets.empty() && device.typical.value.count() == 0 ? CostSystem::OpticsAndCables : CostSystem::Compute;
}

CostSystem cableSystem(const CableSpec& cable)
{
    if (cable.medium == "power" || cable.milliamperes.value > 0) return CostSystem::Power;
    return cable.innerMm.value > 0 ? CostSystem::Cooling : CostSystem::OpticsAndCables;
}

} // namespace

CostSystem systemOf(const Part& part, TierKind tier)
{
    if (const auto* device = std::get_if<DeviceSpec>(&part.spec)) return deviceSystem(*device, tier);
    if (const auto* cable = std::get_if<CableSpec>(&part.spec)) return cableSystem(*cable);
    if (std::holds_alternative<TransceiverSpec>(part.spec)) return CostSystem::OpticsAndCables;
    return std::holds_alternative<RackSpec>(part.spec) ? CostSystem::Racks : CostSystem::Building;
}

Text systemText(CostSystem system)
{
    switch (system) {
    case CostSystem::Compute: return i18n("compute");
    case CostSystem::Network: return i18n("network");
    case CostSystem::OpticsAndCables: return i18n("optics and cables");
    case CostSystem::Power: return i18n("power");
    case CostSystem::Cooling: return i18n("cooling");
    case CostSystem::Racks: return i18n("racks");
    case CostSystem::Building: return i18n("building");
    }
    return {};
}

} // namespace hw

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/operations/configuration/profiles.h"

#include <span>

namespace hw::configuration {

/// What a device or one of its ports should be set to.
struct Expected {
    DeviceId device{};
    Maybe<PortId> port;
    std::string portName; ///< as the design has it; empty: the device
    std::string item, value, unit, set, profile, source;
    char confidence = 'C';
    Match match = Match::Equal;
};

/// Of all hosts with accelerators and all switches, by device and port in the order of ids, items in the order of the profiles. The settings
/// `config.business` and `config.values` choose profiles and override values. Errors: Refused for a setting that cannot be read.
[[nodiscard]] Result<std::vector<Expected>> expectedOf(const Figures& figures, std::span<const Profile> profiles);

/// RoCE's headroom of a priority: what arrives after a pause frame was sent. `gbps` of the port, `meters` of cable, `mtu` in bytes.
[[nodiscard]] std::int64_t headroomBytes(double gbps, double meters, int mtu);
/// The slowest PCIe generation whose x16 link carries so much, in GT/s; 64 for more than all.
[[nodiscard]] int pcieGts(double gbps);

} // namespace hw::configuration

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/model.h"

namespace hw::impact {

/// Something that may fail: an entity, or a power supply or outlet of a device that is no port of its own, because only a cord in the rack
/// uses it, or one of the pumps in it.
struct Failing {
    EntityRef entity;
    std::int16_t inlet = -1, outlet = -1; ///< number in the device's type
    std::int16_t pump = -1;               ///< from 0
    [[nodiscard]] bool whole() const { return inlet < 0 && outlet < 0 && pump < 0; }
    friend bool operator==(const Failing&, const Failing&) = default;
};

/// By name, as people see it; "device:psu1" is a power supply, "device:out3" an outlet or breaker, "device:pump1" a pump.
/// Errors: Refused.
[[nodiscard]] Result<Failing> findFailing(const Model& model, const std::string& name);
/// Whether entities of a kind can fail; others hold nothing that works.
[[nodiscard]] bool canFail(EntityKind kind);
[[nodiscard]] std::string nameOf(const Model& model, const Failing& failing);

/// What stops working at once, without what follows from it.
struct Failed {
    std::vector<DeviceId> devices;                        ///< ascending, each once
    std::vector<LinkId> links;                            ///< data and coolant links
    std::vector<power::Network::Use> ways;                ///< of power
    std::vector<std::pair<DeviceId, std::int16_t>> pumps; ///< within cooling equipment that works itself; ascending, each once
    std::vector<DeviceId> stalled;                        ///< of these devices: more pumps failed than they have to spare; ascending
};
[[nodiscard]] Failed failedBy(const Model& model, std::span<const Failing> elements);

} // namespace hw::impact

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/impact/model.h"

namespace hw::impact {

/// Something that may fail: an entity, or a power supply or outlet of a device that is no port of its own, because only a cord in the rack
/// uses it.
struct Failing {
    EntityRef entity;
    std::int16_t inlet = -1, outlet = -1; ///< number in the device's type
    friend bool operator==(const Failing&, const Failing&) = default;
};

/// By name, as people see it; "device:psu1" is a power supply, "device:out3" an outlet or breaker. Errors: Refused.
[[nodiscard]] Result<Failing> findFailing(const Model& model, const std::string& name);
/// Whether entities of a kind can fail; others hold nothing that works.
[[nodiscard]] bool canFail(EntityKind kind);
[[nodiscard]] std::string nameOf(const Model& model, const Failing& failing);

/// What stops working at once, without what follows from it.
struct Failed {
    std::vector<DeviceId> devices;         ///< ascending, each once
    std::vector<LinkId> links;             ///< data and coolant links
    std::vector<power::Network::Use> ways; ///< of power
};
[[nodiscard]] Failed failedBy(const Model& model, std::span<const Failing> elements);

} // namespace hw::impact

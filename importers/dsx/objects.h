// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/chain.h"
#include "core/derived/figures/figures.h"

#include <map>
#include <set>
#include <vector>

namespace hw::importers {

/// What a BMS counts as an object, and which of them feed which.
class DsxObjects {
public:
    explicit DsxObjects(const Figures& design);

    /// The object that a device belongs to: itself, or its rack.
    [[nodiscard]] EntityRef of(DeviceId device) const;
    /// Devices that are objects of their own, in the order of ids.
    [[nodiscard]] const std::vector<DeviceId>& devices() const { return m_devices; }
    /// Objects that it feeds with power or coolant.
    [[nodiscard]] const std::set<EntityRef>& fedBy(EntityRef object) const;

private:
    [[nodiscard]] bool standsAlone(DeviceId device) const;
    const Figures& m_figures;
    std::vector<char> m_own; ///< by device
    std::vector<DeviceId> m_devices;
    std::map<EntityRef, std::set<EntityRef>> m_serves;
};

} // namespace hw::importers

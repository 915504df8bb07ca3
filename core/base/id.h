// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace hw {

/// A typed row id of the document: small, explicit to make, never reused within a project.
/// Its value is the row's place in its table, so a look-up is an array access.
/// Absence is `std::optional<RackId>`, never a special id.
template <class Tag>
struct Id {
    std::uint32_t value = 0;

    constexpr Id() = default;
    constexpr explicit Id(std::uint32_t v) : value(v) {}
    friend constexpr auto operator<=>(Id, Id) = default;
};

using NetworkId = Id<struct NetworkTag>;
using PartTypeId = Id<struct PartTypeTag>;
using BuildingId = Id<struct BuildingTag>;
using HallId = Id<struct HallTag>;
using RowId = Id<struct RowTag>;
using RackId = Id<struct RackTag>;
using TrayId = Id<struct TrayTag>;
using TierId = Id<struct TierTag>;
using DeviceId = Id<struct DeviceTag>;
using CageId = Id<struct CageTag>;
using PortId = Id<struct PortTag>;
using LinkRuleId = Id<struct LinkRuleTag>;
using LinkId = Id<struct LinkTag>;
using CableId = Id<struct CableTag>;
using SettingId = Id<struct SettingTag>;
using WaiverId = Id<struct WaiverTag>;

} // namespace hw

template <class Tag>
struct std::hash<hw::Id<Tag>> {
    std::size_t operator()(hw::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>{}(id.value); }
};

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cabling/cabling.h"

#include <array>

namespace hw {

enum class PowerBasis : std::uint8_t { Typical, Design, Nameplate };
inline constexpr std::size_t kPowerBases = 3;

[[nodiscard]] std::string_view powerBasisName(PowerBasis basis); ///< "typical", "design", "nameplate"
[[nodiscard]] std::optional<PowerBasis> powerBasisFromName(std::string_view name);
/// The basis that limits are compared on and power is shown on: setting "site.power_basis", design where it is missing or unknown.
[[nodiscard]] PowerBasis powerBasisOf(const Snapshot& snapshot);
/// A rack's limit: its own, else that of its type; zero where neither states one.
[[nodiscard]] Milliwatts rackPowerLimit(const Snapshot& snapshot, const ProjectParts& parts, RackId rack);

/// Power and heat of one place or level on every basis.
struct Load {
    std::array<Milliwatts, kPowerBases> power{};
    std::array<Milliwatts, kPowerBases> liquid{}; ///< part of the heat that goes to coolant
    Load& operator+=(const Load& other);
    Load& operator-=(const Load& other);
    friend bool operator==(const Load&, const Load&) = default;
    [[nodiscard]] Milliwatts at(PowerBasis basis) const { return power[std::size_t(basis)]; }
};

/// Electrical load and heat, summed from devices (with their optics) to racks, rows, halls, buildings.
/// A device draws what its type says plus its transceivers (typical, typical and maximum power on the
/// three bases) unless the type's figures include optics. Power and cooling equipment draws nothing
/// here: it carries or removes the load of the others. The liquid share applies to the device without
/// its transceivers, whose heat goes to the air.
class PowerFigures {
public:
    [[nodiscard]] static std::shared_ptr<const PowerFigures> compute(const Snapshot&, const ProjectParts&, const Cabling&);
    /// The same as `compute` after only the transceivers of the given cables changed.
    [[nodiscard]] static std::shared_ptr<const PowerFigures> refitted(const PowerFigures& before, const Snapshot&, const ProjectParts&,
                                                                      const Cabling& cablingBefore, const Cabling& cablingAfter,
                                                                      std::span<const CableId> cables);

    [[nodiscard]] const Load& device(DeviceId id) const { return m_devices[id.value]; }
    [[nodiscard]] const Load& rack(RackId id) const { return m_racks[id.value]; }
    [[nodiscard]] const Load& row(RowId id) const { return m_rows[id.value]; }
    [[nodiscard]] const Load& hall(HallId id) const { return m_halls[id.value]; }
    [[nodiscard]] const Load& building(BuildingId id) const { return m_buildings[id.value]; }

private:
    void add(const Snapshot&, DeviceId, const Load&);
    friend bool operator==(const PowerFigures&, const PowerFigures&) = default;
    std::vector<Load> m_devices, m_racks, m_rows, m_halls, m_buildings;
};

} // namespace hw

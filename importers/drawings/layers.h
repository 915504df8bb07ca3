// SPDX-License-Identifier: GPL-3.0-or-later
// Layers of a drawing: names of the AIA CAD layer guidelines (discipline, major, minor group), each of which may be set.
#pragma once

#include "core/foundation/base/result.h"
#include "importers/drawings/dxf_file.h"

#include <array>

namespace hw::drawings {

enum class On : std::uint8_t {
    Building,
    Room,
    Wall,
    Column,
    Door,
    Ramp,
    KeepOut,
    RoomName,
    Rack,
    RackName,
    RowName,
    Containment,
    Tray,
    PowerTray,
    PipeRack,
    Supply,
    Return,
    Busway,
    Feeder,
    Power,
    Cooling,
    Equipment,
    EquipmentName,
    Text,
    Dimension,
    Elevation,
    ElevationName,
    OneLine,
    CoolingDiagram,
    Sheet,
    Viewport,
    Underlay
};
inline constexpr std::size_t kLayersOn = std::size_t(On::Underlay) + 1;

/// What is drawn on which layer.
class Layers {
public:
    Layers();
    /// "walls=A-WALL-FULL", or the path of a file of such lines; several by line ends. Errors: Usage, Refused, Unreadable.
    [[nodiscard]] static Result<Layers> of(const std::string& given);
    [[nodiscard]] const std::string& operator[](On on) const { return m_names[std::size_t(on)]; }
    /// Of one layer of an imported drawing: its name behind that of `Underlay`.
    [[nodiscard]] std::string underlay(const std::string& name) const;
    void declare(DxfFile& file) const; ///< all but underlays
    /// "walls A-WALL, columns A-COLS …": words and default names, for help and documents.
    [[nodiscard]] static std::vector<std::pair<std::string, std::string>> defaults();

private:
    [[nodiscard]] Result<void> set(const std::string& assignment, const std::string& where);
    std::array<std::string, kLayersOn> m_names;
};

} // namespace hw::drawings

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/operations/asbuilt/names.h"
#include "core/operations/bindings/pattern.h"

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hw::bindings {

/// By which a facility can know a thing that may be renamed: "hw:rack:17", of a rack, device, row or hall. No name has a colon.
[[nodiscard]] std::string objectIdOf(EntityRef entity);

/// What telemetry can belong to (devices, racks, rows, halls, ports), by names, object ids, hardware ids and serial numbers. Ports are
/// "device:port". What is called otherwise where it is captured is found by the rules for that: settings asbuilt.devices and asbuilt.ports, and what
/// interfaces are usually called (swp1, mlx5_0). Views into the figures' snapshot.
class Names {
public:
    explicit Names(FiguresPtr figures);

    struct Found {
        enum class Kind { Nothing, One, Several, Other } kind = Kind::Nothing; ///< Other: a thing that has no telemetry
        EntityRef entity;
    };
    [[nodiscard]] Found find(std::string_view name); ///< once looked for, it is remembered: many channels are of one thing
    /// Whether the tables that it was made from are the same ones.
    [[nodiscard]] bool holdsFor(const Snapshot& snapshot) const;

private:
    struct Entry {
        EntityRef entity;
        bool several = false;
    };
    using Index = std::unordered_map<std::string_view, Entry>;
    static void put(Index& index, std::string_view name, EntityRef entity);
    [[nodiscard]] Found search(std::string_view name);
    [[nodiscard]] Found byName(std::string_view name) const;
    [[nodiscard]] Found byId(std::string_view name) const;
    [[nodiscard]] Found deviceOf(std::string_view name) const; ///< also by a rule of the project
    [[nodiscard]] Found portOf(std::string_view name);
    [[nodiscard]] Found capturedPort(DeviceId device, std::string_view name);

    FiguresPtr m_figures;
    Index m_names, m_ids;
    /// Names of ports, as places in a device's list. Devices of one type whose sockets are split alike have the same.
    struct PortPlaces {
        std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> own, written; ///< written: keys of the names, where only one has it
    };
    [[nodiscard]] const PortPlaces& placesOf(DeviceId device);
    std::unordered_map<std::string, Found, TextHash, std::equal_to<>> m_known;
    std::string m_last; ///< what was looked for last, and found
    Found m_lastFound;
    std::unordered_map<std::string, PortPlaces> m_places; ///< by what names depend on
    std::vector<const PortPlaces*> m_ports;               ///< by device, of those asked for
    std::vector<asbuilt::NameRule> m_rules;               ///< for devices
    std::optional<asbuilt::PortNames> m_portNames;
    std::unordered_map<std::string, std::optional<PortId>> m_captured; ///< "device:port", of those asked for
};

} // namespace hw::bindings

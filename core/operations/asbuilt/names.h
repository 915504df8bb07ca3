// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/catalog.h"
#include "core/operations/asbuilt/name_rules.h"
#include "core/operations/asbuilt/sighting.h"

#include <map>
#include <set>
#include <unordered_map>

namespace hw::asbuilt {

/// The project's own rules for names: settings "asbuilt.ports" and "asbuilt.devices".
struct NameRules {
    std::vector<NameRule> ports, devices;
    [[nodiscard]] static Result<NameRules> of(const Snapshot& snapshot);
};

/// Devices by the names and numbers that captures have for them: the name in the design (case does not count), a rule, a burned-in number, the
/// name up to its first point ("leaf1.dc.example").
class DeviceNames {
public:
    DeviceNames(const Snapshot& snapshot, std::vector<NameRule> rules);
    [[nodiscard]] std::optional<DeviceId> find(const std::string& name) const;
    [[nodiscard]] std::optional<DeviceId> byName(const std::string& name) const; ///< without burned-in numbers
    [[nodiscard]] bool isSetAside(const std::string& name) const;                ///< a rule says "-"

private:
    std::unordered_map<std::string, DeviceId> m_names, m_ids;
    std::vector<NameRule> m_rules;
};

/// An end of a sighting in the design's terms.
struct SeenEnd {
    std::string deviceName, portName; ///< as the witness names them
    Maybe<DeviceId> device;
    Maybe<PortId> port;
    Text why{}; ///< why there is no port, where there is a device
};

/// Ports by the names that captures have for them. Nothing is guessed: the design's own name; a rule of the project; a built-in rule; the
/// number of an InfiniBand port. A rule counts only where it hits a port of the device.
class PortNames {
public:
    PortNames(const Snapshot& snapshot, const ProjectParts& parts, std::vector<NameRule> rules);
    /// Names that were captured at a device, from which follows whether its sub-ports count from 0. To be told before `find`.
    void hear(DeviceId device, const std::string& name);
    [[nodiscard]] std::optional<PortId> find(DeviceId device, const std::string& name, Text& why);
    [[nodiscard]] bool isSetAside(const std::string& name) const;

private:
    struct OfDevice {
        std::unordered_map<std::string, PortId> byName; ///< in small letters, whole sockets also without a lane
        std::vector<PortId> byNumber;                   ///< data ports but those for management, in the order of sockets and lanes
        int mostLanes = 1;
    };
    [[nodiscard]] const OfDevice& of(DeviceId device);
    [[nodiscard]] std::optional<PortId> ownName(DeviceId device, const OfDevice& ports, const std::string& name, Text& why);
    const Snapshot& m_s;
    const ProjectParts& m_parts;
    std::vector<NameRule> m_rules;
    std::vector<std::vector<PortId>> m_portsOf;
    std::map<DeviceId, OfDevice> m_devices;
    std::map<DeviceId, std::set<int>> m_lanes; ///< sub-ports that were heard of
};

} // namespace hw::asbuilt

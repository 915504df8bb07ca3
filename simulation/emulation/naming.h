// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/emulation/hall.h"

#include <string>
#include <utility>
#include <vector>

namespace hw::emulation {

/// What the sensors of a hall are called outside: as points of a DSX Exchange BMS (NVIDIA's BMS Integration Companion Guide), as series of
/// exporters (DCGM, node, SNMP), and these over MQTT. The emulator's own; what reads telemetry has rules of its own.
class Naming {
public:
    explicit Naming(const Hall& hall) : m_hall(hall) {}

    /// A point of the building management; else a series of an exporter.
    [[nodiscard]] bool isPoint(SensorNo sensor) const;
    /// "BMS/v1/PUB/Value/Rack/RackPower/hall/row/rack" or "telemetry/HOST/gpu/3/DCGM_FI_DEV_GPU_TEMP".
    [[nodiscard]] std::string topic(SensorNo sensor) const;
    /// Of a point: "BMS/v1/PUB/Metadata/…", and what is retained there, as JSON.
    [[nodiscard]] std::string metadataTopic(SensorNo sensor) const;
    [[nodiscard]] std::string metadata(SensorNo sensor) const;
    /// The same as fields, lists joined by commas; `engUnit` apart. Empty for series over MQTT, which say nothing of themselves.
    using Fields = std::vector<std::pair<std::string, std::string>>;
    [[nodiscard]] Fields fields(SensorNo sensor) const; ///< ascending by name
    [[nodiscard]] std::string unit(SensorNo sensor) const;

    /// As an exporter names it; points are metrics "bms_point".
    [[nodiscard]] std::string metric(SensorNo sensor) const;
    [[nodiscard]] Fields labels(SensorNo sensor) const; ///< ascending by name
    [[nodiscard]] bool isCounter(SensorNo sensor) const;

    /// From the reading's unit to that of the name: kW, Mbit/s …
    [[nodiscard]] double said(SensorNo sensor, double value) const;

private:
    struct Point;
    [[nodiscard]] Point pointOf(SensorNo sensor) const;
    [[nodiscard]] std::string tagPath(SensorNo sensor, const Point& point) const;
    [[nodiscard]] std::vector<std::string> serves(EntityRef entity) const;
    [[nodiscard]] DeviceId deviceOf(const Sensor& sensor) const;
    [[nodiscard]] std::string portOf(const Sensor& sensor) const; ///< name within its device
    [[nodiscard]] bool isHost(const Sensor& sensor) const;

    const Hall& m_hall;
};

/// A value as JSON has it: null for what is no number.
[[nodiscard]] std::string numberOrNull(double value);

} // namespace hw::emulation

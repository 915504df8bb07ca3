// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/words.h"

#include <cstdint>

namespace hw::emulation {

/// What a sensor of the emulated hall reads, in plain units: W, VA, A, V, Hz, %, °C, L/min, kPa, m³/s, octets, bit/s.
enum class Reading : std::uint8_t {
    ActivePower, ///< of racks: what their devices draw; of power equipment: what it takes in
    ApparentPower,
    Current,      ///< mean of the phases
    PhaseCurrent, ///< part: 1 to 3
    Voltage,      ///< line to line
    PowerFactor,
    Frequency,
    StateOfCharge,
    Status, ///< 1: works
    Available,
    SupplyTemperature, ///< part 0: of the loop that it feeds or takes from, 1: of the facility water of what has both
    ReturnTemperature,
    Flow,
    DifferentialPressure,
    ValvePosition,
    PumpSpeed, ///< part: from 1
    FanSpeed,
    AirInlet, ///< of racks the room's supply; of air units what they blow out
    AirOutlet,
    AirFlow,
    Humidity,
    Leak,
    GpuPower, ///< part: number of the GPU, from 0
    GpuTemperature,
    GpuUtilization,
    GpuXid,
    HostPower,
    ReceivedOctets,
    SentOctets,
    ReceiveErrors,
    ReceiveDrops,
    LinkUp,
    LinkRate,
    LinkLanes,
    LinkChanges, ///< how often the link went down or came back
    Retransmits, ///< of an RDMA NIC: part 0 what it sent and a peer asked for again, 1 what it missed and asked a peer for
    Heartbeat,
};

/// A value of an entity that is measured. `part` tells sensors of one reading apart.
struct Sensor {
    EntityRef entity;
    Reading reading = Reading::ActivePower;
    std::uint8_t part = 0;
    friend bool operator==(const Sensor&, const Sensor&) = default;
};
using SensorNo = std::uint32_t;

struct Value {
    SensorNo sensor = 0;
    std::int64_t timeMs = 0; ///< since 1970
    double value = 0;
    bool good = true;
    friend bool operator==(const Value&, const Value&) = default;
};

} // namespace hw::emulation

namespace hw {
HW_WORDS(emulation::Reading, "active-power", "apparent-power", "current", "phase-current", "voltage", "power-factor", "frequency", "state-of-charge",
         "status", "available", "supply-temperature", "return-temperature", "flow", "differential-pressure", "valve-position", "pump-speed",
         "fan-speed", "air-inlet", "air-outlet", "air-flow", "humidity", "leak", "gpu-power", "gpu-temperature", "gpu-utilization", "gpu-xid",
         "host-power", "received-octets", "sent-octets", "receive-errors", "receive-drops", "link-up", "link-rate", "link-lanes", "link-changes",
         "retransmits", "heartbeat")
} // namespace hw

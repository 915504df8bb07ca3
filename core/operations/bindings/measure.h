// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"
#include "core/foundation/model/words.h"

#include <cstdint>
#include <string_view>

namespace hw::bindings {

/// What a telemetry channel measures. Values are kept in the unit of their measure, see MeasureInfo.
enum class Measure : std::uint8_t {
    ActivePower,
    ApparentPower,
    Energy,
    Current,
    Voltage,
    Frequency,
    PowerFactor,
    StateOfCharge,
    BreakerClosed,
    SupplyTemperature, ///< of coolant
    ReturnTemperature,
    Flow,
    DifferentialPressure,
    Pressure,
    Heat, ///< taken away by coolant or air
    ValvePosition,
    PumpSpeed,
    FanSpeed,
    Rotation, ///< of fans and pumps that state it in turns
    DamperPosition,
    AirInlet,
    AirOutlet,
    AirFlow,
    Humidity,
    DewPoint,
    Level,
    Leak,        ///< 1: coolant where there should be none
    Status,      ///< 1: works, 0: does not
    Temperature, ///< of a component
    Utilization,
    Clock,
    MemoryUsed,
    Xid, ///< the last error code of a GPU
    Transmit,
    Receive,
    Errors, ///< frames per second that were damaged
    Drops,  ///< packets per second that found no buffer
    LinkUp,
    LinkRate,
    LinkLanes,
    LinkChanges, ///< how often a second a link went down or came back
    OpticalPower,
    Retransmits, ///< packets per second that an RDMA NIC sent again, or asked for again
};
} // namespace hw::bindings

namespace hw {
HW_WORDS(bindings::Measure, "active-power", "apparent-power", "energy", "current", "voltage", "frequency", "power-factor", "state-of-charge",
         "breaker-closed", "supply-temperature", "return-temperature", "flow", "differential-pressure", "pressure", "heat", "valve-position",
         "pump-speed", "fan-speed", "rotation", "damper-position", "air-inlet", "air-outlet", "air-flow", "humidity", "dew-point", "level", "leak",
         "status", "temperature", "utilization", "clock", "memory-used", "xid", "transmit", "receive", "errors", "drops", "link-up", "link-rate",
         "link-lanes", "link-changes", "optical-power", "retransmits")
} // namespace hw

namespace hw::bindings {

struct MeasureInfo {
    std::string_view unit; ///< of all values of the measure: "W", "VA", "Wh", "A", "V", "Hz", "", "%", "°C", "L/min", "kPa", "rpm", "m³/s", "MHz",
                           ///< "B", "bit/s", "1/s", "dBm"
    TextId title;          ///< "Active power"
    bool state = false;    ///< 0 or 1 (or a code), nothing between: never averaged
    double least = 0, most = 0; ///< values outside cannot be: the sensor is broken; both 0: any
};
[[nodiscard]] const MeasureInfo& infoOf(Measure measure);

} // namespace hw::bindings

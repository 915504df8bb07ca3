// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/model/words.h"
#include "simulation/emulation/sensor.h"

#include <optional>
#include <string>
#include <vector>

namespace hw::emulation {

enum class Verb : std::uint8_t {
    Fail,          ///< entity
    Restore,       ///< entity; none: everything
    Degrade,       ///< port, link or cable: lanes | gbps (what the slot behind it lets through)
    DropPackets,   ///< port, link, cable or device: percent
    Misconfigure,  ///< port, link or cable: gbps that it is set to
    Leak,          ///< rack, or equipment with a leak sensor
    Throttle,      ///< server: percent of its speed
    Xid,           ///< server: gpu, code
    SensorStuck,   ///< entity, reading or none for all of it
    SensorMissing, ///< the same; or percent of all sensors
    SensorOffset,  ///< the same: by
    SensorJump,    ///< the same: by, every few seconds
    RenameChannel, ///< entity, reading or none; to: what is appended
    Gap,           ///< for_s: nothing is said
    SensorScale,   ///< as SensorStuck: by, a factor
    SensorDrift,   ///< the same: by a minute more
    Clog,          ///< rack, liquid-cooled device, or cooling unit: percent of its flow is left
    Overload,      ///< rack or device: percent of its design power is drawn
    Flap,          ///< every_s: fails and is back, in turn; for_s
    Replug,        ///< rack or device: all its cords are plugged to one phase
    SilentLoss,    ///< port, link, cable or device: percent of its packets vanish, and no port counts them
    SensorNan,     ///< as SensorMissing: speaks, and says that it has no number
    SensorSwap,    ///< entity, with, reading or none: the sensors of the two are exchanged
    ClockShift,    ///< entity, or percent of all: by, seconds that the times of its values are wrong
    ResetCounters  ///< entity: its counters begin at zero
};

/// Something that is done to the hall.
struct FaultAction {
    double atS = 0;
    Verb verb = Verb::Fail;
    std::string entity; ///< by name; empty where the verb takes none
    std::optional<Reading> reading;
    std::optional<double> lanes, gbps, percent, by, gpu, code, everyS, part, phase;
    std::string to, with;
    double forS = 0;   ///< after which it is undone; 0: never
    std::string place; ///< in its script: "actions[3]"
    friend bool operator==(const FaultAction&, const FaultAction&) = default;
};

/// A script: {"schema": "hallwright.faults/1", "actions": [{"at_s": 10, "do": "fail", "entity": "…"}, …]}, docs/emulate.md; ascending by time.
/// Errors: Unreadable for what is no JSON of that kind, Refused for unknown words and values that cannot be; with the place.
[[nodiscard]] Result<std::vector<FaultAction>> readScript(const std::string& text, const std::string& where);
/// "fail NAME", "degrade NAME lanes=2", "sensor-missing percent=5": as a person types it.
[[nodiscard]] Result<FaultAction> readLine(const std::string& line);

} // namespace hw::emulation

namespace hw {
HW_WORDS(emulation::Verb, "fail", "restore", "degrade", "drop-packets", "misconfigure", "leak", "throttle", "xid", "sensor-stuck", "sensor-missing",
         "sensor-offset", "sensor-jump", "rename-channel", "gap", "sensor-scale", "sensor-drift", "clog", "overload", "flap", "replug", "silent-loss",
         "sensor-nan", "sensor-swap", "clock-shift", "reset-counters")
} // namespace hw

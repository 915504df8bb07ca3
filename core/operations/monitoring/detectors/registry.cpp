// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/air.h"
#include "core/operations/monitoring/detectors/exchanged.h"
#include "core/operations/monitoring/detectors/lost_coolant.h"
#include "core/operations/monitoring/detectors/no_cooling.h"
#include "core/operations/monitoring/detectors/rack_dark.h"
#include "core/operations/monitoring/detectors/reserve.h"
#include "core/operations/monitoring/detectors/supply_quality.h"

namespace hw::monitoring {

std::span<const DetectorInfo> detectors()
{
    static const std::array all{
        DetectorInfo{"on-battery", TextId("UPS on battery"),
                     TextId("battery charge falls in three consecutive readings; cleared when it rises, or is constant for one minute"),
                     makeOnBattery},
        DetectorInfo{"open-path", TextId("Open breaker"),
                     TextId("a transformer or UPS that carried load is energized and carries less than 1 % of its rating for 5 s while the elements "
                            "that it feeds carry load"),
                     makeOpenPath, true},
        DetectorInfo{"on-generator", TextId("Generator sets carrying load"),
                     TextId("active power above 1 % of the rating; cleared 10 s after the load has ended"), makeOnGenerator},
        DetectorInfo{"frequency", TextId("Frequency out of range"), TextId("deviates by more than 1 % from 50 or 60 Hz for 4 s (EN 50160)"),
                     makeFrequency},
        DetectorInfo{"voltage", TextId("Voltage out of range"),
                     TextId("deviates by more than 10 % from the normal voltage for 4 s while energized (EN 50160); reported at its origin"),
                     makeVoltage},
        DetectorInfo{"phase-loss", TextId("Phase loss"),
                     TextId("a phase that carried load carries less than 5 % of the other two for 4 s, and so do most metered elements downstream"),
                     makePhaseLoss},
        DetectorInfo{"no-cooling", TextId("Unit without cooling water"),
                     TextId("the difference between supply and return temperature of a CDU or air-cooling unit falls below 15 % of its usual value "
                            "for 10 s while its "
                            "flow continues and another unit of its loop is cooling"),
                     makeNoCooling, true},
        DetectorInfo{"low-air-flow", TextId("Air flow below fan speed"),
                     TextId("air flow per fan speed is below 70 % of its usual value, or of that of units of the same type, for 20 s"),
                     makeLowAirFlow},
        DetectorInfo{"warm-aisle", TextId("High cold aisle temperature"),
                     TextId("air inlets of at least two racks of a row are above the higher of `watch.aisle_warm_c` and 5 K over the design supply "
                            "temperature for 30 s"),
                     makeWarmAisle, true},
        DetectorInfo{"rack-dark", TextId("Rack without power"),
                     TextId("all rack PDUs or power shelves of a rack are energized and carry less than 2 % of their planned load for 2 s, and its "
                            "coolant flowed before"),
                     makeRackDark},
        DetectorInfo{"exchanged", TextId("Meters swapped"),
                     TextId("the mean readings of two racks or hosts contradict other measurements of them and match when swapped, for one minute "
                            "(four minutes where the readings fluctuate more)"),
                     makeExchanged},
        DetectorInfo{"lost-coolant", TextId("Coolant loss"),
                     TextId("the units of a loop supply at least 4 % and 5 L/min more than its racks receive, for three minutes; cleared when that "
                            "has halved for one minute"),
                     makeLostCoolant},
    };
    return all;
}

} // namespace hw::monitoring

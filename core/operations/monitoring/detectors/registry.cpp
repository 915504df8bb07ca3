// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/reserve.h"
#include "core/operations/monitoring/detectors/supply_quality.h"

namespace hw::monitoring {

std::span<const DetectorInfo> detectors()
{
    static const std::array all{
        DetectorInfo{"on-battery", TextId("UPS on battery"),
                     TextId("battery charge falls in three readings in a row; cleared when it rises, or rests for one minute"), makeOnBattery},
        DetectorInfo{"open-path", TextId("Open breaker"),
                     TextId("a transformer or UPS that carried load is live and carries less than 1 % of its rating for 5 s while what it feeds "
                            "carries load"),
                     makeOpenPath},
        DetectorInfo{"on-generator", TextId("Generator sets carry load"),
                     TextId("active power above 1 % of the rating; cleared 10 s after the load is gone"), makeOnGenerator},
        DetectorInfo{"frequency", TextId("Frequency out of range"), TextId("50 or 60 Hz ± 1 % exceeded for 4 s (EN 50160)"), makeFrequency},
        DetectorInfo{"voltage", TextId("Voltage out of range"),
                     TextId("usual voltage ± 10 % exceeded for 4 s, not dead (EN 50160); reported where it arises"), makeVoltage},
        DetectorInfo{"phase-loss", TextId("Phase lost"),
                     TextId("a phase that carried load carries less than 5 % of the other two for 4 s, and so do most metered elements behind it"),
                     makePhaseLoss},
    };
    return all;
}

} // namespace hw::monitoring

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/network_loss.h"
#include "core/operations/jobs/evaluation.h"

#include <array>

namespace hw::jobs {

/// Why a host, link or job performs badly, in four dimensions: what was found, and what readings exclude.
struct FaultLocation {
    struct Dimension {
        monitoring::DeviationKind kind = monitoring::DeviationKind::LowPerformance;
        std::vector<std::pair<EntityRef, Text>> found; ///< active deviations, worst first
        std::size_t readings = 0;                      ///< present readings that would show one; 0: cannot be excluded
        [[nodiscard]] bool excluded() const { return found.empty() && readings > 0; }
    };
    std::array<Dimension, 4> dimensions; ///< connection, configuration, packet loss, performance
    struct Named {
        EntityRef entity;
        Text what, remedy; ///< remedy may be empty
    };
    std::vector<Named> alarms; ///< active, newest first; where a network is cut off, those of causes anywhere
    std::vector<Named> causes; ///< of slow jobs that use the equipment
    std::size_t links = 0;     ///< that were looked at
};

/// Of the equipment: devices with their ports, links and cables; links and cables with both ends. `frame` may be null: nothing is measured. A job's
/// causes count where they are of the equipment, or of the job as a whole and one of its hosts is among the equipment. With `lost` links of data,
/// a device that reaches less over a network than as designed has no connection there, whatever its own ports read.
[[nodiscard]] FaultLocation locateFault(const Figures& design, const std::vector<EntityRef>& equipment, const monitoring::Frame* frame,
                                        const std::vector<JobState>& jobs, const impact::NetworkLoss& lost = {});

/// What a job's traffic passes next: its hosts, and the access switches of their backend networks with all links.
[[nodiscard]] std::vector<EntityRef> equipmentOf(const Figures& design, const JobState& job);

} // namespace hw::jobs

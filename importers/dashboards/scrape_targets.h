// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/foundation/base/result.h"

#include <map>
#include <string>
#include <vector>

namespace hw::importers {

/// What a Prometheus server can ask of one device, and where the device is.
struct ScrapeTarget {
    DeviceId device;
    std::string address, job;
    std::map<std::string, std::string> labels; ///< without the job
};

/// Jobs by what a device is: hosts have exporters of their own (GPUs, operating system, service processor); power, network and cooling equipment is
/// asked over SNMP by an exporter elsewhere, so that its target is the device alone.
inline constexpr int kDcgmPort = 9400, kNodePort = 9100, kIpmiPort = 9290; ///< defaults of dcgm-exporter, node_exporter and ipmi_exporter

/// In the order of devices. `byAddress`: management addresses of the addressing plan in the place of names. Errors: as the plan has them.
[[nodiscard]] Result<std::vector<ScrapeTarget>> scrapeTargets(const Figures& design, bool byAddress, const Progress& progress);

} // namespace hw::importers

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/configuration/comparison.h"
#include "core/output/exchange/formats.h"

#include <functional>

namespace hw::importers {

/// What files say of the configuration of devices.
struct ReadConfiguration {
    std::vector<configuration::Actual> items;
    std::vector<asbuilt::CaptureIssue> doubts; ///< files that were skipped, and why
    std::size_t files = 0;                     ///< that were read
};

/// Outputs of ethtool, ethtool -i and -a, ip link, mlnx_qos, lspci -vv, nvidia-smi -q, `show …` of SONiC and NX-OS, config_db.json of SONiC,
/// JSON of NVUE, environment files of NCCL. A device is named by the prompt, the file itself, or the file's name: HOST.txt, HOST.PORT.txt; the
/// longest beginning counts that `isDevice` knows. Errors: Unreadable where no file is one of these.
[[nodiscard]] Result<ReadConfiguration> readConfiguration(std::span<const exchange::ImportSource> sources,
                                                          const std::function<bool(const std::string&)>& isDevice);
/// The same with the names of a design.
[[nodiscard]] Result<ReadConfiguration> readConfiguration(std::span<const exchange::ImportSource> sources, const Snapshot& design);

[[nodiscard]] std::unique_ptr<exchange::Importer> configImporter();
[[nodiscard]] std::unique_ptr<exchange::Exporter> expectedConfigExporter();

} // namespace hw::importers

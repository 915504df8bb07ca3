// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"

namespace hw::importers {

[[nodiscard]] std::unique_ptr<exchange::Exporter> prometheusSdExporter();
[[nodiscard]] std::unique_ptr<exchange::Exporter> grafanaExporter();

} // namespace hw::importers

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/asbuilt/sighting.h"
#include "core/output/exchange/formats.h"

#include <map>
#include <string>
#include <string_view>

namespace hw::importers {

struct IbNode {
    std::string name, adapter; ///< "host01" and "mlx5_0"; a switch has no adapter
    std::string module;        ///< "L03/U1" of a director, "U1" of a switch that is one chip
    bool isSwitch = false, aggregation = false;
};
/// "MF0;sw01:MQM9700/U1" → sw01; "host01 mlx5_0" → host01, mlx5_0; a description that only says the make names nothing.
[[nodiscard]] IbNode ibNodeOf(std::string_view description, bool isSwitch);

/// Names by GUID: a node-name-map of opensm beside a capture.
using IbNames = std::map<std::string, std::string>;
[[nodiscard]] bool isNodeNameMap(std::string_view content);
void readNodeNameMap(std::string_view content, IbNames& names);

/// Links as UFM states them (GET /ufmRest/resources/links).
[[nodiscard]] bool isUfmLinks(std::string_view content);
[[nodiscard]] Result<void> readUfmLinks(const exchange::ImportSource& source, const IbNames& names, asbuilt::Capture& capture);

} // namespace hw::importers

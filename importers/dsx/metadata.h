// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace hw::importers {

/// What a BMS publishes once of a point and the broker retains: DSX Exchange, BMS event bus, `BMS/v1/PUB/Metadata/…`.
struct DsxMessage {
    std::string topic;
    nlohmann::ordered_json payload;
};

/// The metadata of every point that a facility built to this design should publish: racks, meters of the whole power chain, UPS, generators,
/// breakers, cooling from the cabinets to the outside air, rooms. What stands in a rack and is no power or cooling equipment of its own is
/// the rack to a BMS. `servesId` has exactly the ways of power and coolant of the design between these objects. By object, then point.
[[nodiscard]] std::vector<DsxMessage> dsxMetadata(const Figures& design);

/// One array, a message a line; or a message a line and nothing else, where `lines`.
[[nodiscard]] std::string dsxText(const std::vector<DsxMessage>& messages, bool lines);

} // namespace hw::importers

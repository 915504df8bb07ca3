// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/foundation/files/plain_table.h"
#include "core/foundation/model/words.h"
#include "core/output/exchange/design_stamp.h"

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace hw {

/// The smallest space that contains both ends of a link.
enum class InterconnectLevel : std::uint8_t { Chip, Package, Host, Rack, Row, Hall, Building, Campus, Region };
HW_WORDS(InterconnectLevel, "chip", "package", "host", "rack", "row", "hall", "building", "campus", "region")
[[nodiscard]] Text titleOf(InterconnectLevel level);

/// A technology: one direction of one accelerator, port or stack, and how far it goes.
struct InterconnectKind {
    InterconnectLevel level;
    const char* technology;
    double gbytesPerS, reachM;
    const char *source, *reachSource;
    bool assumed, reachAssumed;
};
/// From the chip outward, at each level the fastest first.
[[nodiscard]] std::span<const InterconnectKind> interconnectKinds();

/// Links of one rate between two tiers of a network, or the scale-up domains of a server type.
struct DesignInterconnect {
    std::string network, from, to; ///< names; from = to: a scale-up domain
    InterconnectLevel level = InterconnectLevel::Host;
    std::int64_t links = 0;      ///< active and backup; of a scale-up domain one per accelerator
    double gbytesPerS = 0;       ///< of one link, one direction
    double gbytesPerSPerGpu = 0; ///< of all links together, divided by the accelerators of the design; 0: it has none
    double shortestM = 0,
           longestM = 0;            ///< routed length of its cables, of a scale-up domain the depth of a host or the height of a rack; 0: not routed
    double reachM = 0;              ///< the shortest that its cables and modules state; 0: none chosen
    std::vector<std::string> media; ///< cable media, ascending; empty: no cable
};

struct InterconnectMap {
    std::int64_t accelerators = 0;         ///< active and backup
    std::vector<DesignInterconnect> links; ///< the fastest per accelerator first
};
[[nodiscard]] InterconnectMap interconnectsOf(const Figures& figures);

[[nodiscard]] nlohmann::ordered_json interconnectJson(const InterconnectMap& map, const DesignStamp& stamp); ///< hallwright.interconnects/1
[[nodiscard]] std::string interconnectText(const InterconnectMap& map, const DesignStamp& stamp);            ///< at most 100 columns
/// Links of the design, then the kinds; borrows the map.
[[nodiscard]] PlainTable interconnectTable(const InterconnectMap& map);
/// Bandwidth over reach, both logarithmic.
[[nodiscard]] std::string interconnectSvg(const InterconnectMap& map, const DesignStamp& stamp);

} // namespace hw

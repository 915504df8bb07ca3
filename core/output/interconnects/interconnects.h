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
    Maybe<NetworkId> id{};         ///< of the network; none: a scale-up domain
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

/// What the map draws: a technology, or links of the design from their shortest to their longest cable.
struct InterconnectMark {
    std::size_t index = 0; ///< in InterconnectMap::links, or in interconnectKinds()
    bool ofDesign = false; ///< links of the design
    bool assumed = false;  ///< bandwidth or reach of a technology
    double gbytesPerS = 0; ///< one direction; links of the design: per accelerator, or of a link where there are none
    double fromM = 0, toM = 0;
    double reachM = 0; ///< that cables and modules state, where it is beyond `toM`; 0: none
};
/// Technologies first; links below 1 GB/s (management) are left out. Those that are not routed have no length.
[[nodiscard]] std::vector<InterconnectMark> interconnectMarks(const InterconnectMap& map);
[[nodiscard]] std::string interconnectName(const DesignInterconnect& one);    ///< "tor - agg", or the server of a scale-up domain
[[nodiscard]] std::string interconnectLengths(const DesignInterconnect& one); ///< "15 - 20 m"
[[nodiscard]] std::string interconnectLength(double meters);                  ///< "2 km"; 0: "-"
[[nodiscard]] Text interconnectLine(const DesignInterconnect& one);           ///< one line with all of it

[[nodiscard]] nlohmann::ordered_json interconnectJson(const InterconnectMap& map, const DesignStamp& stamp); ///< hallwright.interconnects/1
[[nodiscard]] std::string interconnectText(const InterconnectMap& map, const DesignStamp& stamp);            ///< at most 100 columns
/// Links of the design, then the kinds; borrows the map.
[[nodiscard]] PlainTable interconnectTable(const InterconnectMap& map);
/// The marks, bandwidth over reach, both logarithmic.
[[nodiscard]] std::string interconnectSvg(const InterconnectMap& map, const DesignStamp& stamp);

} // namespace hw

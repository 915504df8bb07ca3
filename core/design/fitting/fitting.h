// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/fitting/turn_to_walls.h"
#include "core/design/template/template.h"
#include "core/foundation/catalog/catalog.h"
#include "core/foundation/model/document.h"

#include <optional>

#include <nlohmann/json_fwd.hpp>

namespace hw::fitting {

/// What keeps a design out of a hall, or comes nearest to it.
struct Limit {
    enum class Kind : std::uint8_t { Space, Power, Air, Liquid, Reach, Floor, Height, Rule };
    Kind kind = Kind::Space;
    Text text;                        ///< for people, with its number
    double needed = 0, available = 0; ///< in `unit`
    std::string unit;                 ///< "racks", "W", "fan-walls", "CDUs", "cables", "kg/m2", "mm"; empty: no number
    std::int64_t accelerators = 0;    ///< active ones that it lets in, in whole racks
    bool binds = false;               ///< it keeps some out
};
[[nodiscard]] std::string_view limitWord(Limit::Kind kind); ///< "space", "power" … in files

/// How a layout into a given hall went.
struct Fit {
    std::string hall;
    bool fits = false;             ///< all of it
    std::int64_t accelerators = 0; ///< active ones that stood nowhere
    std::int64_t most = 0;         ///< of them that fit: this many were laid out and checked, on a copy where not all fit
    std::int64_t laidOut = 0;      ///< of them that stand now
    std::int64_t racks = 0;        ///< that these take, or all where none stand now
    std::int64_t rows = 0, fanWalls = 0, cdus = 0;
    std::vector<Limit> limits; ///< what binds first first
    std::string currency = "USD";
    Money cost, bound; ///< of data cables with their modules, and what they cost at least in any order of these racks
    double longestM = 0;
    std::int64_t arrangements = 0;  ///< that were compared
    std::optional<Turned> turned{}; ///< the plan, to the walls of the hall; not where nothing was laid out
};

/// The hall of a name; without one the only hall for racks. Errors: Refused (several, none, of another use).
[[nodiscard]] Result<HallId> hallFor(const Snapshot& design, const std::string& name);

/// What to do where not all of it fits.
enum class WhereNotAll : std::uint8_t {
    Refuse,     ///< nothing is laid out
    AsManyAsFit ///< the first racks of servers, with the network racks that belong to them and those that all share; the rest is not placed
};

/// Stands what is not placed in a given hall (nothing: it fits, without racks), with rows, trays, cooling and power: cheapest data cables first,
/// then the shortest longest run; aisles as wide as the template's, or as narrow as the rules of the project allow. Where the walls of the hall lie
/// askew the whole plan is turned to them first (turn_to_walls.h); else neither the hall nor anything in it is changed. Where it does not fit the
/// limits say why; `most` was laid out on a copy and breaks no rule of places that was not broken before. Errors: Refused for what fits no hall at
/// all, Unreadable for parts, Canceled.
[[nodiscard]] Result<Fit> layOut(Snapshot& working, HallId hall, const Catalog& catalog, const Progress& progress = {},
                                 WhereNotAll whereNotAll = WhereNotAll::Refuse);

/// Changes parameters of the design's template. Where it stands in given halls these are laid out again: what somebody has moved stays where
/// it is. Refused with the limits where it does not fit any more.
[[nodiscard]] Result<MergeReport> changeParameters(Transaction& transaction, const ParameterValues& changed, const Catalog& catalog,
                                                   const Progress& progress = {});

[[nodiscard]] nlohmann::ordered_json fitJson(const Fit& fit); ///< `hallwright.layout/1`
[[nodiscard]] Text fitText(const Fit& fit);                   ///< in one sentence: what stands, or what would and why no more
[[nodiscard]] std::string fitReport(const Fit& fit);          ///< lines for people

} // namespace hw::fitting

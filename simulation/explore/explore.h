// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/files/plain_table.h"
#include "simulation/answers/parameter_schema.h"

#include <filesystem>
#include <functional>
#include <map>
#include <span>

namespace hw::sim {
inline namespace explore {

/// A design to make: a template with parameters.
struct Candidate {
    std::string designTemplate;
    std::map<std::string, Json> parameters;
};

/// A figure of a design that counts when designs are compared.
struct Objective {
    std::string figure; ///< key of a point
    bool high = false;  ///< greater is better
};

/// A bound on a figure; points outside are listed, but not compared.
struct Bound {
    std::string figure;
    std::optional<double> least, most;
};

/// `{"schema": "hallwright.explore/1", "name": "…",
///   "designs": [{"template": "hpn", "set": {"segments": 4}, "vary": {"server": ["hgx-h100", "hgx-b200"], "segments": [4, 8]}}, …],
///   "goodput": {PARAMETER of design-goodput: …},
///   "limits": {"accelerators": {"min": 10000, "max": 20000}, "facility_w": {"max": 3e7}, …},
///   "objectives": [{"figure": "cost_hour", "best": "low"}, …]}`, all combinations of `vary`. Without objectives: cost of an accelerator-hour and
/// accelerators lost to the worst single failure (as a share), both low, and goodput per facility MW, high.
struct ExploreRequest {
    std::string name, where;
    Json given; ///< as the file has it
    std::vector<Candidate> candidates;
    Json goodput = Json::object();
    std::vector<Bound> limits;
    std::vector<Objective> objectives;
};

/// Most designs of a request.
inline constexpr std::size_t kMostDesigns = 100'000;

/// Errors: Unreadable, with the key as place.
[[nodiscard]] Result<ExploreRequest> parseExploreRequest(std::string_view text, const std::string& where);

/// What is asked, together with templates, catalog and program, as 16 hexadecimal digits.
[[nodiscard]] std::string exploreIdentity(const ExploreRequest& request);

/// Figures of one design, generated, checked, priced, simulated: or {"template", "parameters", "error"}. `values` and `notes` are those of kept
/// points. Error: Canceled only.
[[nodiscard]] Result<Json> evaluate(const ExploreRequest& request, const Candidate& candidate, const Progress& progress = {});

struct ExploreOptions {
    unsigned threads = 0;            ///< 0 = as many as cores
    std::filesystem::path keep = {}; ///< keeps finished points, so that a run goes on after a stop
    std::function<Result<void>(const std::string& identity, std::vector<Json>& found)> elsewhere = {}; ///< fills what is null of `found`
};

/// Computes these points alone and leaves them in `options.keep`. Error: Canceled.
[[nodiscard]] Result<void> explorePoints(const ExploreRequest& request, std::span<const std::size_t> points, const ExploreOptions& options,
                                         const Progress& progress = {});

/// `{"schema": "hallwright.explore/1", "name", "identity", "program", "designs": n, "objectives", "failed": [{"template", "parameters", "error"}],
/// "front": [places in "points"], "points": [{"template", "parameters", figures, "outside": [figures beyond a limit]}]}`: the same whatever the
/// number of threads. The front has every point within the limits that no other one beats: at least as good in all objectives, better in one. Errors:
/// Canceled; Refused, where no design could be made.
[[nodiscard]] Result<Json> exploreDesigns(const ExploreRequest& request, const ExploreOptions& options = {}, const Progress& progress = {});

/// The front as places of points; NaN or null never counts. Of equal points the first.
[[nodiscard]] std::vector<std::size_t> paretoFront(const Json& points, std::span<const Objective> objectives);

/// For people: counts and the front with the command that makes each design.
[[nodiscard]] std::string exploreText(const Json& document);
/// Two figures of all designs within the limits as a picture in SVG, those of a template alike, the front apart; the command that makes a design is
/// the title of its point. Empty names: the first two objectives. Error: Usage for a figure that no design has.
[[nodiscard]] Result<std::string> exploreSvg(const Json& document, std::string x, std::string y);
/// All points, one a row.
[[nodiscard]] Result<void> writeExploreTable(const Json& document, const std::filesystem::path& file, const Progress& progress = {});

} // namespace explore
} // namespace hw::sim

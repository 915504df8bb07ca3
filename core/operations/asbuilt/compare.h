// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/derived/impact/study.h"
#include "core/operations/asbuilt/names.h"

namespace hw::asbuilt {

/// How a cable differs from its plan; each counts once, under the most telling of these.
enum class Kind : std::uint8_t {
    Swapped,       ///< plugs of two cables (or more, in a ring) are exchanged
    UnknownDevice, ///< it ends at something that the design does not have
    WrongRail,     ///< a plug is in a port of another rail
    WrongPlane,    ///< of another plane
    WrongPort,     ///< of the right rail and plane
    Missing,       ///< nothing is where it should be
    Extra,         ///< it is in no plan
    WrongSpeed,    ///< it runs at another rate than planned
    DegradedLanes  ///< at the planned rate of a lane, on fewer lanes
};
} // namespace hw::asbuilt
namespace hw {
HW_WORDS(asbuilt::Kind, "swapped", "unknown-device", "wrong-rail", "wrong-plane", "wrong-port", "missing", "extra", "wrong-speed", "degraded-lanes")
}
namespace hw::asbuilt {
[[nodiscard]] Text kindTitle(Kind kind);

/// A cable that is there.
struct SeenLink {
    SeenEnd from, to;
    int rateGbps = 0, lanes = 0;
    std::string label, source, date;
    std::vector<Witness> witnesses;
};

/// One thing to do at one rack.
struct WorkStep {
    enum class Do : std::uint8_t { Connect, Unplug, Move, Reseat, SetSpeed };
    Do what = Do::Connect;
    Maybe<DeviceId> device;       ///< at which
    std::string deviceName, port; ///< where to begin
    std::string toDevice, toPort; ///< the other end; of a move where the plug belongs
    Maybe<DeviceId> to;
    std::string label; ///< of the cable end, as the design prints it
};

struct Difference {
    Kind kind = Kind::Missing;
    std::string id;                                                   ///< "as-built@swapped|tor-1:port3s1|…", the same in every run
    std::vector<LinkId> links;                                        ///< planned ones that are not there as planned
    std::vector<SeenLink> seen;                                       ///< what is there instead
    int wantedGbps = 0, seenGbps = 0, wantedLanes = 0, seenLanes = 0; ///< of speed and lanes
    impact::Loss cost;                                                ///< of the planned links, were they down
    std::vector<WorkStep> work;
    Text message;
};

/// Of one network: every data link counts in one of the columns behind `planned`.
struct NetworkTally {
    NetworkId network{};
    std::string name;
    std::int64_t planned = 0, asDesigned = 0, differs = 0, notTold = 0, notBuilt = 0, unseen = 0;
};

struct Comparison {
    std::vector<Difference> differences;                         ///< what costs most first
    std::vector<NetworkTally> networks;                          ///< links without a network under no name
    std::vector<LinkId> notBuilt;                                ///< planned, between things of which one is neither installed nor seen
    std::vector<std::pair<DeviceId, std::int64_t>> notSeen;      ///< devices that are neither installed nor seen, with how many of these links
    std::vector<Difference> changing;                            ///< what is there today where the plan has something that is not built yet
    std::vector<CaptureIssue> unmatched;                         ///< sightings that could not be matched, with why
    std::vector<CaptureIssue> contradictions;                    ///< sightings that others say otherwise of, and which are followed
    std::vector<std::pair<std::string, std::int64_t>> strangers; ///< names that are no device of the design, with how often
    std::vector<char> linkState;                                 ///< by link: LinkState
    std::int64_t sightings = 0;
    [[nodiscard]] bool clean() const { return differences.empty() && unmatched.empty() && contradictions.empty(); }
    [[nodiscard]] std::int64_t count(Kind kind) const;
};
/// What is known of a planned link. NotTold: its two devices are joined, by which ports nobody could tell.
enum class LinkState : char { None, AsDesigned, Differs, NotTold, NotBuilt, Unseen };

/// Compares. A planned link is judged where a witness looked at one of its ends: at its device, and at its network at all; ports for management
/// only where the witness saw one of that device; scale-up links only in lists of cables. Others are `unseen`. Errors: Refused for rules for
/// names that are none; Canceled.
[[nodiscard]] Result<Comparison> compare(const FiguresPtr& figures, std::span<const Sighting> sightings, const Progress& progress = {});
/// With the observations that the project keeps.
[[nodiscard]] Result<Comparison> compareStored(const FiguresPtr& figures, const Progress& progress = {});
/// The same without what differences cost; by kind and id.
[[nodiscard]] Result<Comparison> differencesStored(const Figures& figures, const Progress& progress = {});

/// Rate and lanes that are in use against the plan; nothing where they agree or are not stated.
[[nodiscard]] std::optional<Kind> speedFault(int wantedGbps, int seenGbps, int seenLanes);

} // namespace hw::asbuilt

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/simulated_loads.h"
#include "core/operations/following/follower.h"
#include "core/output/incident/incident.h"

#include <chrono>
#include <map>

namespace hw::cli {

/// What `live` and `replay` print: one line for each event, at the end the counts. It depends on what arrived and in which order, never on the
/// clock of this machine or the pace of a replay, so that both print the same.
class FollowOutput {
public:
    /// `notes`: troubles are reported on standard error as they come; a replay has but its end to tell of, and tells it itself.
    FollowOutput(FiguresPtr design, bool json, bool notes) : m_design(std::move(design)), m_json(json), m_notes(notes) {}

    /// Follows until `sources` have ended, `seconds` are over (none: never) or a stop is requested, and prints. Error: what could not be started
    /// or written to its end.
    [[nodiscard]] Result<void> follow(following::Options options, std::vector<std::unique_ptr<bindings::Source>> sources,
                                      std::optional<double> seconds, const Progress& progress);

    /// What links should carry. Before `follow`.
    void simulated(SimulatedLoads loads) { m_simulated = std::move(loads); }
    /// From now on what is reported is kept for `incident`.
    void keepIncident() { m_keeps = true; }
    /// What was reported, once all is followed; nothing where nothing was judged.
    [[nodiscard]] std::optional<monitoring::Incident> incident();

private:
    void event(const monitoring::Event& event);
    void bound(const following::Counts& counts);
    void summary(const following::Counts& counts) const;
    void notes(const following::Follower& follower); ///< troubles that are new, on standard error

    FiguresPtr m_design;
    SimulatedLoads m_simulated;
    bool m_json, m_notes;
    bool m_keeps = false;
    bool m_kept = false;                     ///< samples are stored
    following::Counts m_said;                ///< of channels, as last printed for people
    std::vector<monitoring::Event> m_events; ///< written by the follower's thread while it runs
    monitoring::FramePtr m_frame;
    std::map<std::string, std::chrono::steady_clock::time_point> m_told; ///< notes without their numbers, and when each last held
};

} // namespace hw::cli

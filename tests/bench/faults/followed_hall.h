// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/following/sequence.h"
#include "simulation/emulation/naming.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hw::bench {

/// How a hall's meters are read.
enum class ReadBy : std::uint8_t {
    Change, ///< they speak when their value changes
    Second, ///< each second
    Polls   ///< every 10 to 60 s, each device at its own interval and phase
};

/// An emulated hall whose telemetry is followed as that of a built one: channels by name, bound by the shipped rules, ordered, judged. One thread.
class FollowedHall {
public:
    FollowedHall(FiguresPtr figures, std::uint64_t seed, ReadBy by, double missingPercent);
    [[nodiscard]] std::vector<monitoring::Event> watch(int seconds);
    void act(const std::vector<std::string>& lines); ///< as a person types them; throws what is wrong with them
    [[nodiscard]] monitoring::FramePtr frame() { return m_sequence.frame(); }
    [[nodiscard]] following::Counts counts() const { return m_sequence.counts(); }
    [[nodiscard]] const FiguresPtr& figures() const { return m_figures; }
    [[nodiscard]] const emulation::Hall& hall() const { return *m_hall; }
    /// What each host will send, by host and interval of 30 s; in a copy: this hall stays as it is.
    [[nodiscard]] std::map<DeviceId, std::vector<double>> sentAhead(int intervals);
    [[nodiscard]] bool speaks(EntityRef entity, emulation::Reading reading, int part = 0) const; ///< that sensor did so far

private:
    FiguresPtr m_figures;
    std::unique_ptr<emulation::Hall> m_hall;
    emulation::Naming m_naming;
    std::vector<char> m_spoke;               ///< by sensor
    std::vector<monitoring::Event> m_events; ///< since they were asked for
    following::Sequence m_sequence;
};

/// A design of a template.
[[nodiscard]] FiguresPtr designOf(const std::string& name, const std::map<std::string, std::string>& values);

} // namespace hw::bench

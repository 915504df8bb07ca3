// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/faults/fault_cases.h"
#include "tests/monitoring/emulated.h"

namespace hw::bench {

/// How a hall's meters are read.
enum class ReadBy : std::uint8_t {
    Change, ///< they speak when their value changes
    Second, ///< each second
    Polls   ///< every 10 to 60 s, each device at its own phase
};

/// A hall whose values come as such meters are read.
class ReadHall {
public:
    ReadHall(FiguresPtr figures, const emulation::Options& options, ReadBy by, double missingPercent);
    [[nodiscard]] std::vector<monitoring::Event> watch(monitoring::Monitor& monitor, int seconds);
    void clocksAhead(bool ahead) { m_ahead = ahead; }
    [[nodiscard]] Emulated& hall() { return m_hall; }

private:
    [[nodiscard]] std::vector<monitoring::PointSample> read();
    Emulated m_hall;
    ReadBy m_by;
    bool m_ahead = false;
    std::vector<monitoring::PointSample> m_last; ///< by point; NaN: nothing
    std::vector<char> m_facility;                ///< by point: read as `m_by` says; servers and ports have paces of their own
};

struct TrialResult {
    bool found = false, named = false, alike = false; ///< found: something was told; at the end it is named, or told beside what is alike
    int seconds = -1;                                 ///< until then
    int wrong = 0;                                    ///< causes that were told and are none
    int others = 0;                                   ///< other things said
    std::string text;                                 ///< what was said, for people
};
/// The hall was watched before; it fails now.
[[nodiscard]] TrialResult tryIt(const impact::Model& model, ReadHall& hall, monitoring::Monitor& monitor, const Trial& trial, int slower);

struct HealthyResult {
    int seconds = 0, causes = 0, deviations = 0;
    std::string text;
};
[[nodiscard]] HealthyResult watchHealthy(ReadHall& hall, monitoring::Monitor& monitor, int seconds);

} // namespace hw::bench

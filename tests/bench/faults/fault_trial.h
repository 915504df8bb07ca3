// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/faults/fault_cases.h"
#include "tests/bench/faults/followed_hall.h"

namespace hw::bench {

struct TrialResult {
    bool found = false, named = false, alike = false; ///< found: something was told; at the end it is named, or told beside what is alike
    int seconds = -1;                                 ///< until then
    int wrong = 0;                                    ///< causes that were told and are none
    int others = 0;                                   ///< other things said
    std::string text;                                 ///< what was said, for people
};
/// The hall was watched before; it fails now. Ends once what is expected has stood for `standsS`; meters that are read less often have `slower` times
/// as long.
[[nodiscard]] TrialResult tryIt(const impact::Model& model, FollowedHall& hall, const Trial& trial, int slower, int standsS);

struct HealthyResult {
    int seconds = 0, causes = 0, deviations = 0;
    std::string text;
};
[[nodiscard]] HealthyResult watchHealthy(FollowedHall& hall, int seconds);

} // namespace hw::bench

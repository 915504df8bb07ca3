// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/physics/hydraulics/network.h"

#include <stop_token>

namespace hw::hydraulics {

enum class LinkState : std::uint8_t {
    Open,
    Shut, ///< by hand
    Held  ///< a check valve, or a pump that does not reach the head behind it
};

/// What an answer is worth, measured on the answer itself.
struct Certificate {
    double massM3s = 0;            ///< worst imbalance of a junction
    double flowM3s = 0;            ///< the largest flow or demand, to hold it against
    double headM = 1;              ///< the largest head, at least 1 m
    double energyM = 0;            ///< worst difference between an open link's loss and the heads at its ends
    double backwardM = 0;          ///< worst head that would open a held link
    [[nodiscard]] bool ok() const; ///< mass within 1e-9 of the largest flow, heads within 1 µm or 1e-7 of the largest
};

struct Solution {
    std::vector<double> headM;   ///< of every node; NaN where `cutOff` names it
    std::vector<double> flowM3s; ///< of every link, positive from its start to its end
    std::vector<LinkState> state;
    std::vector<Index> cutOff; ///< nodes behind shut valves, whose head nothing determines; nothing flows to them from elsewhere
    int trials = 0;            ///< systems of equations solved
    Certificate certificate;
};

/// Flows and heads by the global gradient method (Todini and Pilati) with a line search; check valves and pumps are held or let
/// go until none of them contradicts the answer. Errors: as check(); Refused where a demand is behind what is shut, naming
/// the nodes; Canceled; Fault when the answer does not hold what the certificate asks.
[[nodiscard]] Result<Solution> solve(const Network& network, const std::stop_token& stop = {});

/// The certificate of any answer.
[[nodiscard]] Certificate certify(const Network& network, const Solution& solution);

} // namespace hw::hydraulics

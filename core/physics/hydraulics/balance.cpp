// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/hydraulics/balance.h"

#include "core/physics/hydraulics/checks.h"
#include "core/physics/hydraulics/head_loss.h"

#include <algorithm>
#include <cmath>

namespace hw::hydraulics {

namespace {

constexpr double kLeastDropM = 1e-6; ///< less is no valve

bool toBeSet(const Link& link) { return link.kind == LinkKind::Valve && link.kv == 0 && link.curve.empty(); }

/// The valves to be set are shut, and their flows leave and enter at their ends.
Network forced(const Network& network)
{
    Network out = network;
    for (auto& link : out.links) {
        if (!toBeSet(link) || !link.open) continue;
        out.nodes[link.from].demandM3s += link.wantedM3s;
        out.nodes[link.to].demandM3s -= link.wantedM3s;
        link.open = false;
    }
    for (auto& link : out.links)
        if (toBeSet(link)) link.kv = 1; // shut: any
    return out;
}

} // namespace

bool wantsBalance(const Network& network) { return std::ranges::any_of(network.links, toBeSet); }

Result<Network> balanced(const Network& network, const std::stop_token& stop)
{
    if (const auto fine = check(network); !fine) return tl::unexpected(fine.error());
    const auto solution = solve(forced(network), stop);
    if (!solution) return tl::unexpected(solution.error());
    Network out = network;
    std::vector<std::string> starved;
    double missing = 0;
    for (auto& link : out.links) {
        if (!toBeSet(link)) continue;
        if (!link.open) { // whatever it is set to
            link.kv = kvFor(link.wantedM3s, 1);
            continue;
        }
        const double drop = solution->headM[link.from] - solution->headM[link.to];
        if (std::isnan(drop))
            return fail(ErrorCode::Refused, "links", i18n("\"{}\" is connected to a fixed head only through valves with a target flow", link.id),
                        i18n("leave one of them open, with a Kv"));
        if (drop < kLeastDropM) starved.push_back(link.id), missing = std::max(missing, kLeastDropM - drop);
        link.kv = kvFor(link.wantedM3s, std::max(drop, kLeastDropM));
    }
    if (!starved.empty())
        return fail(ErrorCode::Refused, "links", i18n("the target flows require {:.3f} m more head at {}", missing, someNames(starved)),
                    i18n("use a stronger pump, larger pipes or less flow"));
    return out;
}

} // namespace hw::hydraulics

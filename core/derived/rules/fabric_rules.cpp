// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/functions.h"

#include <fmt/format.h>

namespace hw::rules {

namespace {

struct Target {
    double ratio;
    bool ownOfTier;
};

/// What the design sets for this tier on purpose, else the project's target.
Target targetOf(const RuleInput& input, const std::string& network, const std::string& tier)
{
    const double own = input.threshold({fmt::format("network.{}.target_oversubscription.{}", network, tier), {}, -1.0, {}, {}});
    return own > 0 ? Target{own, true} : Target{input.threshold(kOversubscriptionTarget), false};
}

} // namespace

std::vector<Finding> oversubscription(const RuleInput& input)
{
    constexpr double kRounding = 1.0005;
    const Snapshot& s = input.snapshot();
    std::vector<Finding> out;
    for (const auto& network : input.figures.fabric->networks()) {
        for (const auto& tier : network.tiers) {
            const double ratio = tier.oversubscription();
            if (ratio <= kRounding) continue;
            const Target target = targetOf(input, s.networks.key[network.id], s.tiers.key[tier.id]);
            const bool above = ratio > target.ratio * kRounding;
            if (!above && !target.ownOfTier) continue;
            const Text found = i18n("{} of {}: oversubscription {:.4g}:1", input.name(ref(tier.id)), input.name(ref(network.id)), ratio);
            Text message = target.ownOfTier ? above ? i18n("{}, above the design target of {:.4g}:1", found, target.ratio)
                                                    : i18n("{}, within the design target of {:.4g}:1", found, target.ratio)
                           : above ? i18n("{}, above the default target of {:.4g}:1", found, target.ratio)
                                            : i18n("{}, within the target of {:.4g}:1", found, target.ratio);
            out.push_back({.severity = above ? Severity::Warning : Severity::Info,
                           .message = std::move(message),
                           .entities = {ref(tier.id), ref(network.id)},
                           .id = findingId("N10", {input.subject(ref(network.id)), input.subject(ref(tier.id))})});
        }
    }
    return out;
}

std::vector<Finding> sparePorts(const RuleInput& input)
{
    const double least = input.threshold(kSparePorts);
    std::vector<Finding> out;
    for (const auto& network : input.figures.fabric->networks()) {
        if (input.snapshot().networks.kind[network.id] == NetworkKind::ScaleUp) continue; // a domain is built full and never grows
        for (const auto& tier : network.tiers) {
            std::int64_t total = 0, used = 0;
            for (const auto& ports : tier.ports) {
                total += ports.total;
                used += ports.used;
            }
            const double spare = total ? 100.0 * double(total - used) / double(total) : 100.0;
            if (tier.switches == 0 || spare >= least) continue;
            out.push_back({.severity = Severity::Warning,
                           .message = i18n("{} of {}: {:L} of {:L} ports spare ({:.1f} %, required {:.3g} %)", input.name(ref(tier.id)),
                                           input.name(ref(network.id)), total - used, total, spare, least),
                           .entities = {ref(tier.id), ref(network.id)},
                           .id = findingId("N11", {input.subject(ref(network.id)), input.subject(ref(tier.id))})});
        }
    }
    return out;
}

} // namespace hw::rules

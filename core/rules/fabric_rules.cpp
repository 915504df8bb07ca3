// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/functions.h"

#include <fmt/format.h>

namespace hw::rules {

namespace {

/// Oversubscription that a published design has on purpose.
struct Intended { std::string_view design, tier; double ratio; std::string_view why; };
constexpr Intended kIntended[] = {
    {"hpn", "tor", 16.0 / 15.0, "HPN (SIGCOMM 2024): 60 × 400G up for 128 × 200G down"},
    {"hpn", "agg", 15.0, "HPN (SIGCOMM 2024): 15:1 toward the core, crossed by pipeline-parallel traffic only"},
};

struct Target { double ratio; std::string_view why; };

/// A tier's own setting, else what its design intends, else the project's target.
Target targetOf(const RuleInput& input, const std::string& network, const std::string& tier)
{
    const std::string own = "rule.N10.target." + network + '.' + tier;
    const double set = input.threshold({own, -1.0, {}, {}});
    if (set > 0) return {set, "as set for this tier"};
    const std::string design = input.snapshot().setting("template.name");
    for (const Intended& intended : kIntended)
        if (design == intended.design && tier == intended.tier) return {intended.ratio, intended.why};
    return {input.threshold(kOversubscriptionTarget), {}};
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
            if (!above && target.why.empty()) continue;
            std::string message = fmt::format("{} of {} is oversubscribed {:.4g}:1", input.name(ref(tier.id)), input.name(ref(network.id)), ratio);
            message += above ? fmt::format(", above the target of {:.4g}:1", target.ratio) : fmt::format(", as intended ({})", target.why);
            out.push_back({.severity = above ? Severity::Warning : Severity::Info, .message = std::move(message),
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
        for (const auto& tier : network.tiers) {
            std::int64_t total = 0, used = 0;
            for (const auto& ports : tier.ports) {
                total += ports.total;
                used += ports.used;
            }
            const double spare = total ? 100.0 * double(total - used) / double(total) : 100.0;
            if (tier.switches == 0 || spare >= least) continue;
            out.push_back({.severity = Severity::Warning,
                           .message = fmt::format("{} of {}: {} of {} ports are spare ({:.1f} %, wanted {:.3g} %)", input.name(ref(tier.id)),
                                                  input.name(ref(network.id)), grouped(total - used), grouped(total), spare, least),
                           .entities = {ref(tier.id), ref(network.id)},
                           .id = findingId("N11", {input.subject(ref(network.id)), input.subject(ref(tier.id))})});
        }
    }
    return out;
}

std::vector<Finding> connected(const RuleInput& input)
{
    std::vector<Finding> out;
    for (const auto& network : input.figures.fabric->networks())
        if (!network.connected && !network.tiers.empty())
            out.push_back({.message = fmt::format("{} falls into parts that do not reach each other", input.name(ref(network.id))),
                           .entities = {ref(network.id)}, .id = findingId("N12", {input.subject(ref(network.id))})});
    return out;
}

} // namespace hw::rules

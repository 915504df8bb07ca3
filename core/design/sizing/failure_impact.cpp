// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/topology/nic_ports.h"
#include "core/design/sizing/parts_of_size.h"

#include <algorithm>
#include <map>
#include <set>

namespace hw::sizing {

namespace {

/// Switches that each network card of one server ends in: by tier and member.
struct Cards {
    using Switch = std::pair<std::size_t, std::size_t>;
    std::map<std::string, std::set<Switch>> switchesOf;
    std::map<std::string, std::int64_t> linksOf;
    std::size_t tier = 0;
};

Cards cardsOfFirstServer(TemplateCounter& counter, const TemplateCount& count, const std::string& network)
{
    Cards cards;
    std::optional<std::pair<std::size_t, std::size_t>> server;
    std::map<std::size_t, std::int64_t> next; // ports without a number go in order
    for (std::size_t r = 0; r < count.rules.size(); ++r) {
        const auto& rule = count.rules[r];
        const auto &from = count.tiers[rule.from], &to = count.tiers[rule.to];
        if (rule.links == 0 || rule.role != LinkRole::Active || from.kind != TierKind::Server || to.kind != TierKind::Switch ||
            from.ports[rule.fromGroup].network != network)
            continue;
        const auto& ports = from.ports[rule.fromGroup];
        for (const LinkSample& link : counter.linksOfFirst(r)) {
            const std::pair<std::size_t, std::size_t> own{rule.from, link.fromMember};
            if (server && *server != own) continue;
            server = own;
            const auto cage = std::size_t(link.fromIndex >= 0 ? link.fromIndex : next[rule.fromGroup]++) / std::size_t(ports.split);
            const std::string card = cage < ports.interfaces.size() ? std::string(nicOf(ports.interfaces[cage])) : std::to_string(cage);
            cards.switchesOf[card].insert({rule.to, link.toMember});
            ++cards.linksOf[card];
            cards.tier = rule.to;
        }
    }
    return cards;
}

} // namespace

FailureImpact failureImpact(TemplateCounter& counter, const TemplateCount& count, const std::string& network)
{
    FailureImpact impact;
    const Cards cards = cardsOfFirstServer(counter, count, network);
    if (cards.switchesOf.empty()) return impact;
    const auto& tier = count.tiers[cards.tier];
    impact.tier = tier.name;
    impact.switches = tier.total();
    impact.nicPortShare = impact.switches > 0 ? 1.0 / double(impact.switches) : 0.0;
    impact.jobStops = false;
    impact.bandwidthLeft = 1.0;
    std::int64_t hits = 0; // pairs of a card and a switch that it needs
    for (const auto& [card, switches] : cards.switchesOf) {
        hits += std::int64_t(switches.size());
        impact.jobStops = impact.jobStops || switches.size() < 2;
        impact.bandwidthLeft = std::min(impact.bandwidthLeft, 1.0 - 1.0 / double(switches.size()));
    }
    // Each hit costs the share of accelerators behind one card of one server.
    const double perCard = double(count.activeAccelerators) / double(cards.switchesOf.size());
    impact.accelerators =
        std::min(count.activeAccelerators, std::int64_t(perCard * double(hits) / double(std::max<std::int64_t>(impact.switches, 1)) + 0.5));
    impact.acceleratorShare = count.activeAccelerators ? double(impact.accelerators) / double(count.activeAccelerators) : 0.0;
    return impact;
}

} // namespace hw::sizing

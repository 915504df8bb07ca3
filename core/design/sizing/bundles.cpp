// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/bundles.h"

#include "core/foundation/base/disjoint_sets.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>

namespace hw::sizing {

namespace {

/// One end of a rule's links: which connector, and which socket.
struct End {
    const TemplateCount::PortGroup& ports;
    bool from;
    [[nodiscard]] std::uint64_t key(const LinkSample& link, std::int64_t number) const
    {
        return std::uint64_t(from ? link.fromMember : link.toMember) << 20 | std::uint64_t(number);
    }
    [[nodiscard]] std::int64_t port(const LinkSample& link) const { return from ? link.fromIndex : link.toIndex; }
    [[nodiscard]] std::uint64_t jack(const LinkSample& link) const { return key(link, ports.jackOf(port(link))); }
    [[nodiscard]] std::uint64_t socket(const LinkSample& link) const { return key(link, ports.socketOf(port(link))); }
};

template <class K>
void joinBy(DisjointSets& joined, const std::vector<LinkSample>& links, K&& key)
{
    std::unordered_map<std::uint64_t, std::uint32_t> first;
    for (std::uint32_t i = 0; i < links.size(); ++i)
        if (const auto [known, fresh] = first.try_emplace(key(links[i]), i); !fresh) joined.join(i, known->second);
}

void findTrunk(Bundle& bundle, const End& from, const End& to)
{
    std::set<std::uint64_t> lower, upper;
    for (const auto& cable : bundle.cables)
        for (const auto& link : cable) lower.insert(from.socket(link)), upper.insert(to.socket(link));
    bundle.trunkFrom = lower.size() == 1;
    if (lower.size() == 1 || upper.size() == 1) bundle.legs = int(std::max(lower.size(), upper.size()));
}

} // namespace

std::vector<Bundle> bundlesOf(const TemplateCount& count, const TemplateCount::Rule& rule, const std::vector<LinkSample>& links)
{
    const End from{count.tiers[rule.from].ports[rule.fromGroup], true}, to{count.tiers[rule.to].ports[rule.toGroup], false};
    DisjointSets cables(links.size());
    for (const End& end : {from, to}) joinBy(cables, links, [&](const LinkSample& link) { return end.jack(link); });
    DisjointSets bundles = cables;
    for (const End& end : {from, to}) joinBy(bundles, links, [&](const LinkSample& link) { return end.socket(link); });

    std::vector<Bundle> result;
    std::unordered_map<std::uint32_t, std::size_t> bundleOf;
    std::unordered_map<std::uint32_t, std::size_t> cableOf;
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        const auto [number, fresh] = bundleOf.try_emplace(bundles.find(i), result.size());
        if (fresh) result.emplace_back();
        auto& own = result[number->second].cables;
        const auto [cable, first] = cableOf.try_emplace(cables.find(i), own.size());
        if (first) own.emplace_back();
        own[cable->second].push_back(links[i]);
    }
    for (auto& bundle : result) findTrunk(bundle, from, to);
    return result;
}

} // namespace hw::sizing

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/count/design.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace hw::count {

/// Walks the campus in steps of the golden ratio, which spread evenly at every length of the walk.
std::vector<LinkSample> Design::sampleLinks(std::size_t number, std::size_t most)
{
    standAtLast();
    Rule& rule = *m_rules[number];
    std::vector<LinkSample> samples;
    const std::int64_t total = rule.combinations();
    if (rule.links() == 0 || total == 0) return samples;
    if (total <= std::int64_t(most)) {
        for (std::int64_t n = 0; n < total; ++n)
            if (rule.at(n)) samples.push_back(sample(rule));
        return samples;
    }
    constexpr double kGolden = 0.6180339887498949;
    double at = 0.5;
    for (std::size_t tries = 0; samples.size() < most && tries < 20 * most; ++tries) {
        at += kGolden;
        at -= std::floor(at);
        if (rule.at(std::min(std::int64_t(at * double(total)), total - 1))) samples.push_back(sample(rule));
    }
    return samples;
}

std::vector<LinkSample> Design::allLinks(std::size_t number, std::int64_t most)
{
    standAtLast();
    Rule& rule = *m_rules[number];
    std::vector<LinkSample> links;
    if (rule.links() > most || rule.work() > 16 * most) return links;
    if (&rule.group(true) == &rule.group(false) && !(rule.hasIndex(true) && rule.hasIndex(false))) return links;
    for (const auto& other : m_rules)
        for (const bool from : {true, false})
            for (const bool own : {true, false})
                if (other.get() != &rule && other->links() > 0 && !rule.hasIndex(own) && &other->group(from) == &rule.group(own)) return links;
    std::array<std::map<std::int64_t, std::int64_t>, 2> next;
    const auto portOf = [&](bool from, std::int64_t member) { return rule.hasIndex(from) ? rule.index(from) : next[from ? 0 : 1][member]++; };
    const auto member = [](Rule& at, bool from) {
        at.assignTier(from);
        return std::int64_t(at.tier(from).set.ordinal());
    };
    walkLinks(rule, rule.all(), member, [&](std::int64_t low, std::int64_t high) {
        const auto port = portOf(true, low); // in turn: the lower end first, as links are made
        links.push_back({std::size_t(low), std::size_t(high), port, portOf(false, high)});
    });
    return links;
}

std::vector<LinkSample> Design::linksOfFirst(std::size_t number)
{
    standAtLast();
    Rule& rule = *m_rules[number];
    std::vector<LinkSample> samples;
    std::int64_t members = 1, perMember = 1;
    for (std::size_t v = 0; v < rule.variables(); ++v) (v < rule.tier(true).set.extents().size() ? members : perMember) *= rule.extent(v);
    for (std::int64_t m = 0; m < std::min<std::int64_t>(members, 4096) && samples.empty(); ++m)
        for (std::int64_t n = 0; n < perMember; ++n)
            if (rule.at(m * perMember + n)) samples.push_back(sample(rule));
    if (!rule.spread() || samples.empty()) return samples;
    std::vector<LinkSample> dealt; // the first device starts with the first target
    const std::size_t n = samples.size(), ports = std::size_t(rule.spreadPorts());
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < ports / n + (i < ports % n); ++k) {
            dealt.push_back(samples[i]);
            dealt.back().fromIndex = std::int64_t(dealt.size()) - 1;
        }
    return dealt;
}

LinkSample Design::sample(Rule& rule)
{
    LinkSample result;
    if (rule.hasIndex(true)) result.fromIndex = rule.index(true);
    if (rule.hasIndex(false)) result.toIndex = rule.index(false);
    rule.assignTier(true);
    result.fromMember = rule.tier(true).set.ordinal();
    rule.assignTier(false);
    result.toMember = rule.tier(false).set.ordinal();
    return result;
}

} // namespace hw::count

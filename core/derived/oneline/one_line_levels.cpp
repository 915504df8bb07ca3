// SPDX-License-Identifier: GPL-3.0-or-later
// On which level an element stands, and with which others it belongs.
#include "core/derived/oneline/one_line.h"

#include <algorithm>
#include <map>

namespace hw {

namespace {

/// Elements with what they feed before what feeds them: feeds have no loops.
std::vector<std::uint32_t> consumersFirst(const OneLine& line)
{
    std::vector<std::uint32_t> open(line.elements.size(), 0), order;
    for (const auto& e : line.elements)
        for (const OneLineFeed& feed : e.feeds) ++open[feed.from];
    for (std::uint32_t i = 0; i < open.size(); ++i)
        if (open[i] == 0) order.push_back(i);
    for (std::size_t at = 0; at < order.size(); ++at)
        for (const OneLineFeed& feed : line.elements[order[at]].feeds)
            if (--open[feed.from] == 0) order.push_back(feed.from);
    return order;
}

/// Raises what feeds above what it feeds.
void raise(OneLine& line, const std::vector<std::uint32_t>& order)
{
    for (const std::uint32_t i : order)
        for (const OneLineFeed& feed : line.elements[i].feeds) {
            auto& above = line.elements[feed.from].level;
            above = std::max(above, line.elements[i].level + 1);
        }
}

/// All of a group as high as the highest of them; true when something moved.
bool align(OneLine& line, const std::vector<char>& uneven)
{
    bool moved = false;
    for (std::size_t g = 0; g < line.groups.size(); ++g) {
        if (uneven[g]) continue;
        std::int32_t most = 0;
        for (std::uint32_t i = line.groups[g].first; i < line.groups[g].last; ++i) most = std::max(most, line.elements[i].level);
        for (std::uint32_t i = line.groups[g].first; i < line.groups[g].last; ++i) {
            moved = moved || line.elements[i].level != most;
            line.elements[i].level = most;
        }
    }
    return moved;
}

/// Levels without gaps between them.
void closeGaps(OneLine& line)
{
    std::vector<std::int32_t> used;
    for (const auto& e : line.elements) used.push_back(e.level);
    std::ranges::sort(used);
    used.erase(std::ranges::unique(used).begin(), used.end());
    if (used.empty() || used.front() != 0) used.insert(used.begin(), 0);
    for (auto& e : line.elements) e.level = std::int32_t(std::ranges::lower_bound(used, e.level) - used.begin());
    line.levels = std::int32_t(used.size());
}

constexpr std::uint32_t kMostAnchors = 20;

/// The lowest group above the loads that can be shown one by one, and that there is more than one of.
std::uint32_t anchorOf(const OneLine& line)
{
    std::uint32_t found = OneLine::kNone;
    for (std::uint32_t g = 0; g < line.groups.size(); ++g) {
        const OneLineGroup& group = line.groups[g];
        if (group.load || group.size() < 2 || group.size() > kMostAnchors) continue;
        if (found == OneLine::kNone || group.level < line.groups[found].level ||
            (group.level == line.groups[found].level && group.size() > line.groups[found].size()))
            found = g;
    }
    return found;
}

} // namespace

void setOneLineLevels(OneLine& line)
{
    std::vector<char> uneven(line.groups.size(), 0);
    for (auto& e : line.elements) {
        e.level = line.groups[e.group].load ? 0 : 1;
        for (const OneLineFeed& feed : e.feeds) uneven[e.group] |= line.elements[feed.from].group == e.group;
    }
    const auto order = consumersFirst(line);
    constexpr int kRounds = 32; // groups that feed each other crosswise would climb for ever
    for (int round = 0; round < kRounds; ++round) {
        raise(line, order);
        if (!align(line, uneven)) break;
    }
    raise(line, order);
    closeGaps(line);
    for (auto& group : line.groups)
        for (std::uint32_t i = group.first; i < group.last; ++i) group.level = std::max(group.level, line.elements[i].level);
}

void setOneLineAlike(OneLine& line)
{
    std::map<BuildingId, std::map<std::pair<std::uint32_t, char>, std::uint32_t>> counts;
    for (const auto& e : line.elements)
        if (e.building && !line.groups[e.group].load) ++counts[*e.building][{e.group, e.side}];
    std::map<std::map<std::pair<std::uint32_t, char>, std::uint32_t>, std::uint32_t> kinds;
    std::map<BuildingId, std::uint32_t> kindOf;
    for (const auto& [building, count] : counts) kindOf[building] = kinds.emplace(count, std::uint32_t(kinds.size()) + 1).first->second;
    for (auto& e : line.elements)
        if (const auto found = e.building ? kindOf.find(*e.building) : kindOf.end(); found != kindOf.end()) e.alike = found->second;
}

void setOneLineBlocks(OneLine& line)
{
    line.anchor = anchorOf(line);
    if (line.anchor == OneLine::kNone) return;
    using Set = std::vector<std::uint32_t>;
    std::vector<Set> blocks(line.elements.size());
    const auto unite = [](Set& into, const Set& from) {
        Set both;
        std::ranges::set_union(into, from, std::back_inserter(both));
        into = std::move(both);
    };
    for (std::uint32_t i = line.groups[line.anchor].first; i < line.groups[line.anchor].last; ++i) blocks[i] = {i};
    const auto order = consumersFirst(line);
    for (auto at = order.rbegin(); at != order.rend(); ++at) // downwards
        if (line.elements[*at].group != line.anchor)
            for (const OneLineFeed& feed : line.elements[*at].feeds) unite(blocks[*at], blocks[feed.from]);
    std::vector<char> above(line.elements.size(), 0);
    for (std::uint32_t i = 0; i < above.size(); ++i) above[i] = blocks[i].empty();
    for (const std::uint32_t i : order) // and upwards
        for (const OneLineFeed& feed : line.elements[i].feeds)
            if (above[feed.from]) unite(blocks[feed.from], blocks[i]);
    std::map<Set, std::uint32_t> numbers{{Set(), 0u}};
    for (std::uint32_t i = 0; i < blocks.size(); ++i) {
        const auto next = std::uint32_t(numbers.size());
        line.elements[i].block = numbers.emplace(blocks[i], next).first->second;
    }
}

} // namespace hw

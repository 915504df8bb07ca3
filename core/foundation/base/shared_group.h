// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace hw {

/// Whether every two of some things have a group in common, where a thing may be in several. Pairs (thing, group) in any order, any
/// of them twice. Mostly linear: one group mostly has all; else things of the same groups are compared as one.
[[nodiscard]] inline bool everyTwoShareAGroup(std::vector<std::pair<std::uint32_t, std::uint32_t>> memberships)
{
    std::sort(memberships.begin(), memberships.end());
    std::set<std::vector<std::uint32_t>> kinds;
    std::vector<std::uint32_t> common; // to all things so far
    for (std::size_t i = 0, next; i < memberships.size(); i = next) {
        std::vector<std::uint32_t> groups;
        for (next = i; next < memberships.size() && memberships[next].first == memberships[i].first; ++next)
            if (groups.empty() || groups.back() != memberships[next].second) groups.push_back(memberships[next].second);
        if (i == 0)
            common = groups;
        else
            std::erase_if(common, [&](std::uint32_t group) { return !std::binary_search(groups.begin(), groups.end(), group); });
        kinds.insert(std::move(groups));
    }
    if (!common.empty()) return true;
    const auto meet = [](const auto& a, const auto& b) {
        for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
            if (*x == *y) return true;
            ++(*x < *y ? x : y);
        }
        return false;
    };
    for (auto a = kinds.begin(); a != kinds.end(); ++a)
        for (auto b = std::next(a); b != kinds.end(); ++b)
            if (!meet(*a, *b)) return false;
    return !kinds.empty();
}

} // namespace hw

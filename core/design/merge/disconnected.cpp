// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/merge/disconnected.h"

#include <algorithm>
#include <unordered_map>

namespace hw {

namespace {

constexpr std::uint32_t kGone = 0xFFFFFFFFu;

/// Rows of `theirs` → rows of `mine` with the same key; kGone where there is none.
template <class TableT>
std::vector<std::uint32_t> rowsOf(const TableT& mine, const TableT& theirs)
{
    std::unordered_map<std::string_view, std::uint32_t> byKey;
    mine.forEach([&](auto id) { byKey.emplace(mine.key[id], id.value); });
    std::vector<std::uint32_t> map(theirs.nextId(), kGone);
    theirs.forEach([&](auto id) {
        if (const auto found = byKey.find(theirs.key[id]); found != byKey.end()) map[id.value] = found->second;
    });
    return map;
}

} // namespace

std::vector<LinkId> disconnectedLinks(const Snapshot& before, const Snapshot& base, std::vector<AddedLink> links)
{
    std::sort(links.begin(), links.end());
    std::vector<std::uint8_t> hadIt(links.size(), 0), hasIt(links.size(), 0);
    const auto mark = [&](const WholeLinkKey& key, std::vector<std::uint8_t>& marks) {
        for (auto at = std::lower_bound(links.begin(), links.end(), AddedLink{key, {}}); at != links.end() && at->key == key; ++at)
            marks[std::size_t(at - links.begin())] = 1;
    };
    before.links.forEach([&](LinkId id) {
        const auto& l = before.links;
        const auto device = [&](PortId port) { return before.ports.device[port].value; };
        if (l.rule[id]) mark({device(l.from[id]), {(*l.rule[id]).value, device(l.to[id]), l.ordinal[id]}}, hadIt);
    });
    const auto devices = rowsOf(before.devices, base.devices), rules = rowsOf(before.linkRules, base.linkRules);
    base.links.forEach([&](LinkId id) {
        const auto& l = base.links;
        const auto device = [&](PortId port) { return devices[base.ports.device[port].value]; };
        const WholeLinkKey key{device(l.from[id]), {rules[(*l.rule[id]).value], device(l.to[id]), l.ordinal[id]}};
        if (key.from != kGone && key.rest.to != kGone && key.rest.rule != kGone) mark(key, hasIt);
    });
    std::vector<LinkId> result;
    for (std::size_t i = 0; i < links.size(); ++i)
        if (hasIt[i] && !hadIt[i]) result.push_back(links[i].link);
    return result;
}

} // namespace hw

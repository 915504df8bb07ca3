// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/merge/merge_rows.h"

namespace hw::merging {

namespace {

/// Calls f(table, id) for every row that people name.
template <class F>
void eachNamed(Snapshot& s, F&& f)
{
    s.eachTable([&](auto& table) {
        if constexpr (requires {
                          table.name;
                          table.key;
                          table.overridden;
                      })
            table.forEach([&](auto id) { f(table, id); });
    });
}

template <class TableT, class IdT>
bool namedByHand(const TableT& table, IdT id)
{
    return table.key[id].empty() || (table.overridden[id] & overridden::kName) != 0;
}

} // namespace

/// What a person named keeps its name; what the template calls the same gets a number behind it, now and at every regeneration.
void Merge::nameApart()
{
    std::unordered_set<std::string> byHand;
    eachNamed(m_mine, [&](const auto& table, auto id) {
        if (namedByHand(table, id)) byHand.insert(table.name[id]);
    });
    if (byHand.empty()) return;
    std::unordered_set<std::string> all; // read when the first one is met
    std::size_t count = 0;
    std::string first;
    const auto apart = [&](const std::string& name) {
        if (all.empty()) eachNamed(m_mine, [&](const auto& table, auto id) { all.insert(table.name[id]); });
        for (int number = 2;; ++number)
            if (auto own = fmt::format("{}-{}", name, number); all.insert(own).second) return own;
    };
    eachNamed(m_mine, [&](auto& table, auto id) {
        if (namedByHand(table, id) || !byHand.contains(table.name[id])) return;
        if (count++ == 0) first = table.name[id];
        table.name.set(id, apart(table.name[id]));
    });
    if (count > 0)
        m_report.notKept.push_back(
            i18np(count, "{1} is a manually assigned name: the template object of this name now has a number appended",
                  "{0} names, for example {1}, were assigned manually: the template objects of these names now have a number appended", first));
}

} // namespace hw::merging

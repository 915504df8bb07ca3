// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

namespace hw {

/// Mends references to rows that are gone, in every table: an optional one becomes none, a row that cannot be without goes too, and so do
/// the rows that refer to it. Calls dropped(table, id) before each such row is erased.
template <class F>
void dropDangling(Snapshot& snapshot, F&& dropped)
{
    const auto gone = [&]<class T>(const Id<T>& id) { return !snapshot.of<T>().contains(id); };
    for (bool again = true; again;) {
        again = false;
        snapshot.eachTable([&](auto& table) {
            using IdT = typename std::decay_t<decltype(table)>::IdType;
            std::vector<IdT> doomed;
            const auto look = [&](auto& column) {
                using Value = typename std::decay_t<decltype(column)>::Value;
                if constexpr (requires(Value v) {
                                  *v;
                                  v.has_value();
                              }) {
                    table.forEach([&](IdT id) {
                        if (column[id] && gone(*column[id])) column.set(id, {});
                    });
                } else if constexpr (requires(Value v) { gone(v); }) {
                    table.forEach([&](IdT id) {
                        if (gone(column[id])) doomed.push_back(id);
                    });
                }
            };
            table.withColumns([&](auto&... column) { (look(column), ...); });
            for (const IdT id : doomed) {
                if (!table.contains(id)) continue; // by two of its columns
                dropped(table, id);
                table.erase(id);
                again = true;
            }
        });
    }
}

} // namespace hw

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/template/shipped_design.h"
#include "views/fabric/fabric_model.h"

#include <random>
#include <stdexcept>

namespace hw::test {

template <class T>
T need(Result<T> result)
{
    if (!result) throw std::runtime_error(result.error().text());
    return std::move(*result);
}

inline NetworkId backend(const Snapshot& s)
{
    NetworkId found;
    s.networks.forEach([&](NetworkId id) {
        if (s.networks.name[id] == "backend") found = id;
    });
    return found;
}

/// Some of everything that can be opened: columns, groups, ranges, devices.
inline views::FabricOpen randomOpen(const views::FabricIndex& index, std::mt19937& random)
{
    views::FabricOpen open;
    open.keys.insert(index.columnKey(0));
    const auto chance = [&](unsigned in) { return random() % in == 0; };
    for (std::size_t i = 1; i < index.columns().size(); ++i)
        if (chance(2)) open.keys.insert(index.columnKey(int(i)));
    for (const auto& group : index.groups()) {
        views::FabricIndex::Part part{group.layer, group.column, group.lane};
        if (!chance(4)) continue;
        open.keys.insert(index.key(part));
        for (const auto run : index.cut({group.first, group.last})) {
            part.first = run.first, part.last = run.last;
            if (chance(5)) open.keys.insert(index.key(part));
        }
    }
    return open;
}

} // namespace hw::test

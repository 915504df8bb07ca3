// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/fabric/fabric_matrix.h"

#include <algorithm>

namespace hw::views {
namespace {

/// Counts links from the members of `rows` to those of `columns`, whichever end is the lower one.
FabricMatrix linksBetween(const FabricIndex& index, std::vector<FabricIndex::Part> rows, std::vector<FabricIndex::Part> columns, bool same,
                          const FabricLoads* loads)
{
    FabricMatrix m{std::move(rows), std::move(columns), {}, same, 0};
    std::vector<int> owner(index.members(), -1);
    const auto own = [&](const std::vector<FabricIndex::Part>& parts, int first) {
        for (std::size_t i = 0; i < parts.size(); ++i)
            for (const auto run : index.runs(parts[i])) std::fill(owner.begin() + run.first, owner.begin() + run.last, first + int(i));
    };
    own(m.rows, 0);
    if (!same) own(m.columns, int(m.rows.size()));
    const int split = same ? 0 : int(m.rows.size());
    m.cells.assign(m.rows.size() * m.columns.size(), {});
    for (const FabricBundle& bundle : countFabricLinks(index, owner, loads, same)) {
        int row = bundle.a, column = bundle.b;
        if (!same && row >= split) std::swap(row, column);
        if (!same && (row >= split || column < split)) continue; // within one side
        column -= split;
        const auto add = [&](int r, int c) {
            FabricBundle& cell = m.cells[std::size_t(r) * m.columns.size() + std::size_t(c)];
            cell.links += bundle.links, cell.backup += bundle.backup, cell.gbps += bundle.gbps;
            cell.load.add(bundle.load);
            m.most = std::max(m.most, cell.links);
        };
        add(row, column);
        if (same && row != column) add(column, row);
    }
    return m;
}

std::vector<FabricIndex::Part> pieces(const FabricIndex& index, const FabricIndex::Part& part)
{
    auto parts = index.children(part);
    if (parts.empty()) parts.push_back(part);
    return parts;
}

} // namespace

FabricMatrix FabricMatrix::tiers(const FabricIndex& index, const FabricLoads* loads)
{
    std::vector<FabricIndex::Part> parts;
    for (std::size_t layer = 0; layer < index.layers().size(); ++layer)
        if (index.layers()[layer].last > index.layers()[layer].first) parts.push_back({int(layer), 0});
    return linksBetween(index, parts, parts, true, loads);
}

FabricMatrix FabricMatrix::between(const FabricIndex& index, const FabricIndex::Part& row, const FabricIndex::Part& column, const FabricLoads* loads)
{
    const bool same = index.key(row) == index.key(column);
    return linksBetween(index, pieces(index, row), pieces(index, column), same, loads);
}

} // namespace hw::views

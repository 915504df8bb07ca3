// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/fabric/fabric_model.h"

#include <algorithm>
#include <map>

namespace hw::views {
namespace {

constexpr std::size_t kReadableBlocks = 40; ///< of one row, side by side

/// The most blocks in a row when every column down to `depth` is open.
std::size_t blocksAt(const FabricIndex& index, int depth)
{
    const auto& columns = index.columns();
    std::vector<std::set<std::tuple<int, int, int>>> rows(std::size_t(index.rows())); // column, layer, lane
    for (const auto& group : index.groups()) {
        int column = group.column;
        while (columns[std::size_t(column)].depth > depth) column = columns[std::size_t(column)].parent;
        rows[std::size_t(index.layers()[std::size_t(group.layer)].row)].emplace(column, group.layer, group.lane);
    }
    std::size_t most = 0;
    for (const auto& row : rows) most = std::max(most, row.size());
    return most;
}

} // namespace

FabricOpen FabricOpen::readable(const FabricIndex& index)
{
    FabricOpen open;
    int deepest = 0;
    for (const auto& column : index.columns()) deepest = std::max(deepest, column.depth);
    int depth = 0;
    while (depth < deepest && (depth == 0 || blocksAt(index, depth + 1) <= kReadableBlocks)) ++depth;
    for (std::size_t i = 0; i < index.columns().size(); ++i)
        if (index.columns()[i].depth < depth) open.keys.insert(index.columnKey(int(i)));
    if (depth < deepest) return open;
    std::vector<std::uint32_t> devices(std::size_t(index.rows()), 0);
    for (const auto& layer : index.layers()) devices[std::size_t(layer.row)] += layer.last - layer.first;
    for (const auto& group : index.groups()) {
        const auto& layer = index.layers()[std::size_t(group.layer)];
        if (!layer.attached && devices[std::size_t(layer.row)] <= kReadableBlocks)
            open.keys.insert(index.key({group.layer, group.column, group.lane}));
    }
    return open;
}

void FabricOpen::reveal(const FabricIndex& index, std::uint32_t member)
{
    const auto& group = index.groups()[index.groupOf(member)];
    for (int column = index.columns()[std::size_t(group.column)].parent; column >= 0; column = index.columns()[std::size_t(column)].parent)
        keys.insert(index.columnKey(column));
    FabricIndex::Part part{group.layer, group.column, group.lane};
    FabricIndex::Run run{group.first, group.last};
    while (run.last - run.first > 1) {
        keys.insert(index.key(part));
        for (const auto piece : index.cut(run)) {
            if (member < piece.first || member >= piece.last) continue;
            run = piece;
            part.first = piece.first, part.last = piece.last;
            break;
        }
    }
}

void FabricOpen::fold(const FabricIndex& index, const FabricKey& key)
{
    const auto within = [](int from, int to, int outerFrom, int outerTo) { return outerFrom < 0 || (from >= outerFrom && to <= outerTo); };
    const auto column = [&](const FabricKey& inner) {
        if (key.podFrom < 0 && key.segmentFrom >= 0 && inner.podFrom >= 0) return false; // segments without a pod are not those of the pods
        return within(inner.podFrom, inner.podTo, key.podFrom, key.podTo) &&
               within(inner.segmentFrom, inner.segmentTo, key.segmentFrom, key.segmentTo);
    };
    const auto member = [&](std::uint32_t device) { return device == FabricKey::kNoId ? FabricIndex::kNone : index.memberOf(DeviceId(device)); };
    std::erase_if(keys, [&](const FabricKey& inner) {
        if (inner == key) return true;
        const bool own =
            inner.podFrom == key.podFrom && inner.podTo == key.podTo && inner.segmentFrom == key.segmentFrom && inner.segmentTo == key.segmentTo;
        if (key.tier == FabricKey::kNoId) return column(inner) && !own; // groups of the column itself stay as they are
        if (inner.tier != key.tier || inner.lane != key.lane || !column(inner)) return false;
        if (key.firstDevice == FabricKey::kNoId) return true;
        return inner.firstDevice != FabricKey::kNoId && member(inner.firstDevice) >= member(key.firstDevice) &&
               member(inner.lastDevice) <= member(key.lastDevice);
    });
}

} // namespace hw::views

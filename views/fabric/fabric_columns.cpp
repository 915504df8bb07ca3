// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/fabric/fabric_columns.h"

#include <algorithm>

namespace hw::views {
namespace {

using Column = FabricIndex::Column;

/// A tree while it is being made; turned into the flat form at the end.
struct Node {
    Column column;
    std::vector<Node> children;
};

Node range(std::vector<Node> parts)
{
    const Column &first = parts.front().column, &last = parts.back().column;
    const bool pods = first.kind == FabricIndex::ColumnKind::Pod || first.kind == FabricIndex::ColumnKind::Pods;
    Node node;
    node.column.kind = pods ? FabricIndex::ColumnKind::Pods : FabricIndex::ColumnKind::Segments;
    node.column.podFrom = first.podFrom;
    node.column.podTo = last.podTo;
    node.column.segmentFrom = pods ? -1 : first.segmentFrom;
    node.column.segmentTo = pods ? -1 : last.segmentTo;
    node.children = std::move(parts);
    return node;
}

std::vector<Node> inRanges(std::vector<Node> list)
{
    if (list.size() <= FabricIndex::kReadable) return list;
    std::vector<Node> ranges;
    for (std::size_t i = 0; i < list.size(); i += FabricIndex::kRange) {
        const auto end = std::min(i + FabricIndex::kRange, list.size());
        if (end - i == 1)
            ranges.push_back(std::move(list[i])); // a range of one is the one
        else
            ranges.push_back(range({std::make_move_iterator(list.begin() + long(i)), std::make_move_iterator(list.begin() + long(end))}));
    }
    return inRanges(std::move(ranges));
}

Node segmentNode(int pod, int segment)
{
    Node node;
    node.column = {FabricIndex::ColumnKind::Segment, -1, 0, pod, pod, segment, segment, {}, 0, 0};
    return node;
}

int flatten(const Node& node, int parent, int depth, std::vector<Column>& out)
{
    const int place = int(out.size());
    out.push_back(node.column);
    out.back().parent = parent;
    out.back().depth = depth;
    out.back().order = place;
    for (const Node& child : node.children) {
        const int at = flatten(child, place, depth + 1, out);
        out[std::size_t(place)].children.push_back(at);
    }
    out[std::size_t(place)].orderEnd = int(out.size());
    return place;
}

} // namespace

FabricColumns FabricColumns::make(const std::set<Place>& places)
{
    std::map<int, std::vector<Node>> segments;
    for (const auto& [pod, segment] : places) {
        auto& list = segments[pod];
        if (segment >= 0) list.push_back(segmentNode(pod, segment));
    }
    std::vector<Node> pods, loose;
    for (auto& [pod, list] : segments) {
        if (pod < 0) {
            loose = inRanges(std::move(list));
            continue;
        }
        Node node;
        node.column = {FabricIndex::ColumnKind::Pod, -1, 0, pod, pod, -1, -1, {}, 0, 0};
        node.children = inRanges(std::move(list));
        pods.push_back(std::move(node));
    }
    Node root;
    root.children = inRanges(std::move(pods));
    std::ranges::move(loose, std::back_inserter(root.children));
    FabricColumns result;
    flatten(root, -1, 0, result.columns);
    for (std::size_t i = 0; i < result.columns.size(); ++i) {
        const Column& c = result.columns[i];
        if (c.kind == FabricIndex::ColumnKind::Pod)
            result.own[{c.podFrom, -1}] = int(i);
        else if (c.kind == FabricIndex::ColumnKind::Segment)
            result.own[{c.podFrom, c.segmentFrom}] = int(i);
    }
    result.own[{-1, -1}] = 0;
    return result;
}

} // namespace hw::views

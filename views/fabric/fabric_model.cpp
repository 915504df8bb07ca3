// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/fabric/fabric_model.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace hw::views {

void FabricLoad::add(const FabricLoad& other)
{
    for (int i = 0; i < 2; ++i) {
        gbps[i] += other.gbps[i];
        capacityGbps[i] += other.capacityGbps[i];
    }
    busiest = std::max(busiest, other.busiest);
    dead += other.dead;
}

double FabricLoad::mean() const
{
    double most = 0;
    for (int i = 0; i < 2; ++i)
        if (capacityGbps[i] > 0) most = std::max(most, gbps[i] / capacityGbps[i]);
    return most;
}

FabricLoad FabricLoads::of(const FabricIndex::Link& link) const
{
    FabricLoad load;
    const std::size_t at = 2 * std::size_t(link.id.value);
    if (at + 1 >= flows->loadGbps.size() || at + 1 >= flows->capacityGbps.size()) return load;
    for (std::size_t direction = 0; direction < 2; ++direction) {
        const std::size_t from = at + (link.flipped ? 1 - direction : direction);
        load.gbps[direction] = double(flows->loadGbps[from]);
        load.capacityGbps[direction] = double(flows->capacityGbps[from]);
        load.busiest = std::max(load.busiest, float(flows->utilization(std::uint32_t(from))));
    }
    load.dead = load.capacityGbps[0] <= 0 && load.capacityGbps[1] <= 0;
    return load;
}

FabricLoadsPtr FabricLoads::make(const FabricIndex& index, std::shared_ptr<const sim::FlowResult> flows)
{
    if (!flows) return nullptr;
    auto loads = std::make_shared<FabricLoads>();
    loads->flows = std::move(flows);
    loads->pairs.resize(index.pairs().size());
    for (std::size_t p = 0; p < index.pairs().size(); ++p)
        for (std::uint32_t i = index.pairs()[p].first; i < index.pairs()[p].last; ++i) loads->pairs[p].add(loads->of(index.links()[i]));
    return loads;
}

std::vector<FabricBundle> countFabricLinks(const FabricIndex& index, const std::vector<int>& ownerOf, const FabricLoads* loads, bool within)
{
    constexpr int kMixed = -2;
    std::vector<int> groupOwner(index.groups().size(), -1);
    for (std::size_t g = 0; g < groupOwner.size(); ++g) {
        const auto& group = index.groups()[g];
        groupOwner[g] = ownerOf[group.first];
        for (std::uint32_t m = group.first; m < group.last && groupOwner[g] != kMixed; ++m)
            if (ownerOf[m] != groupOwner[g]) groupOwner[g] = kMixed;
    }
    std::vector<FabricBundle> bundles;
    std::unordered_map<std::uint64_t, std::size_t> places; // only looked up: the result is sorted
    const auto bundle = [&](int a, int b) -> FabricBundle& {
        const auto [place, fresh] = places.try_emplace(std::uint64_t(std::uint32_t(a)) << 32 | std::uint32_t(b), bundles.size());
        if (fresh) bundles.push_back({a, b, 0, 0, 0, {}});
        return bundles[place->second];
    };
    for (std::size_t p = 0; p < index.pairs().size(); ++p) {
        const auto& pair = index.pairs()[p];
        int a = groupOwner[pair.a], b = groupOwner[pair.b];
        const bool peers =
            index.layers()[std::size_t(index.groups()[pair.a].layer)].row == index.layers()[std::size_t(index.groups()[pair.b].layer)].row;
        if (peers && a > b && b != kMixed) std::swap(a, b);
        if (a == -1 || b == -1 || (a == b && a != kMixed && !within)) continue;
        if (a != kMixed && b != kMixed) {
            FabricBundle& sum = bundle(a, b);
            sum.links += pair.last - pair.first;
            sum.backup += pair.backup;
            sum.gbps += pair.gbps;
            if (loads) sum.load.add(loads->pairs[p]);
            continue;
        }
        for (std::uint32_t i = pair.first; i < pair.last; ++i) {
            const auto& link = index.links()[i];
            int from = ownerOf[link.a], to = ownerOf[link.b];
            if (from < 0 || to < 0 || (from == to && !within)) continue;
            if (peers && from > to) std::swap(from, to); // neither end is the lower one
            FabricBundle& sum = bundle(from, to);
            ++sum.links;
            sum.backup += link.backup;
            sum.gbps += link.gbps;
            if (loads) sum.load.add(loads->of(link));
        }
    }
    std::ranges::sort(bundles, {}, [](const FabricBundle& x) { return std::pair(x.a, x.b); });
    return bundles;
}

std::shared_ptr<const FabricModel> FabricModel::make(FabricIndexPtr index, const FabricOpen& open, FabricLoadsPtr loads)
{
    auto model = std::make_shared<FabricModel>();
    model->m_index = std::move(index);
    model->m_loads = std::move(loads);
    model->m_leafOf.assign(model->m_index->members(), -1);
    model->findColumns(open);
    model->makeBoxes(open);
    model->countBundles();
    return model;
}

void FabricModel::findColumns(const FabricOpen& open)
{
    const auto& columns = m_index->columns();
    m_columns.assign(columns.size(), Fold::Hidden);
    m_shownColumn.assign(columns.size(), 0);
    for (std::size_t i = 0; i < columns.size(); ++i) { // parents come first
        const auto parent = std::size_t(std::max(0, columns[i].parent));
        if (i > 0 && m_columns[parent] != Fold::Open) {
            m_shownColumn[i] = m_shownColumn[parent];
            continue;
        }
        m_shownColumn[i] = int(i);
        m_columns[i] = !columns[i].children.empty() && open.has(m_index->columnKey(int(i))) ? Fold::Open : Fold::Closed;
    }
}

void FabricModel::makeBoxes(const FabricOpen& open)
{
    std::map<std::tuple<int, int, int, int>, bool> places; // column, row, layer, lane: whole
    for (const auto& group : m_index->groups()) {
        const int column = m_shownColumn[std::size_t(group.column)];
        const auto [place, fresh] = places.try_emplace({column, m_index->layers()[std::size_t(group.layer)].row, group.layer, group.lane}, true);
        place->second = place->second && group.column == column;
    }
    for (const auto& [place, whole] : places) {
        const auto [column, row, layer, lane] = place;
        m_tops.push_back(addBox({layer, column, lane}, whole, -1, open));
    }
}

namespace {

/// The rail that all devices share, or -1.
int commonRail(const FabricIndex& index, const std::vector<FabricIndex::Run>& runs)
{
    const auto& rails = index.snapshot().devices.rail;
    const int rail = rails[index.device(runs.front().first)];
    for (const auto run : runs)
        for (std::uint32_t m = run.first; m < run.last; ++m)
            if (rails[index.device(m)] != rail) return -1;
    return rail;
}

/// Members of a part; of a whole one without the columns inside its column.
std::vector<FabricIndex::Run> runsOf(const FabricIndex& index, const FabricIndex::Part& part, bool whole)
{
    if (!whole || part.first != FabricIndex::kNone) return index.runs(part);
    for (const auto& group : index.groups())
        if (group.layer == part.layer && group.column == part.column && group.lane == part.lane) return {{group.first, group.last}};
    return {};
}

} // namespace

int FabricModel::addBox(const FabricIndex::Part& part, bool whole, int parent, const FabricOpen& open)
{
    FabricBox box;
    box.part = part;
    box.whole = whole;
    box.parent = parent;
    box.column = part.column;
    box.row = m_index->layers()[std::size_t(part.layer)].row;
    box.runs = runsOf(*m_index, part, whole);
    box.sums = m_index->sums(box.runs);
    box.rail = commonRail(*m_index, box.runs);
    if (box.devices() == 1) {
        box.kind = FabricBox::Kind::Device;
        box.part.column = m_index->groups()[m_index->groupOf(box.runs.front().first)].column;
        box.part.first = box.runs.front().first, box.part.last = box.runs.front().last;
    }
    box.key = m_index->key(box.part);
    const bool opened = open.has(box.key);
    box.open = opened && box.kind == FabricBox::Kind::Device;
    if (box.open) box.ports = m_index->portsOf(m_index->device(box.part.first));
    if (opened && !box.open && whole) box.kind = FabricBox::Kind::Frame;
    m_boxes.push_back(std::move(box));
    const int place = int(m_boxes.size()) - 1;
    if (m_boxes.back().kind == FabricBox::Kind::Frame)
        makeFrame(place, open);
    else
        for (const auto run : m_boxes.back().runs) std::fill(m_leafOf.begin() + run.first, m_leafOf.begin() + run.last, place);
    return place;
}

void FabricModel::makeFrame(int place, const FabricOpen& open)
{
    FabricIndex::Part part = m_boxes[std::size_t(place)].part;
    for (const auto run : m_index->cut(m_boxes[std::size_t(place)].runs.front())) {
        part.first = run.first, part.last = run.last;
        const int child = addBox(part, true, place, open);
        m_boxes[std::size_t(place)].children.push_back(child);
    }
}

void FabricModel::countBundles()
{
    m_bundles = countFabricLinks(*m_index, m_leafOf, m_loads.get());
    for (const auto& bundle : m_bundles)
        for (const int end : {bundle.a, bundle.b})
            for (int box = end; box >= 0; box = m_boxes[std::size_t(box)].parent)
                m_boxes[std::size_t(box)].busiest = std::max(m_boxes[std::size_t(box)].busiest, bundle.load.busiest);
}

int FabricModel::find(const FabricKey& key) const
{
    for (std::size_t i = 0; i < m_boxes.size(); ++i)
        if (m_boxes[i].key == key) return int(i);
    return -1;
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/oneline/one_line_model.h"

#include "core/derived/oneline/one_line_layout.h"

#include <algorithm>
#include <array>
#include <map>

namespace hw {

namespace {

constexpr std::uint32_t kAny = OneLineKey::kAny;

/// How far a group is taken apart.
enum FoldStage : std::uint8_t { kAlike, kBuilding, kBlock, kRow, kElement };
constexpr FoldStage kStages[] = {kAlike, kBuilding, kBlock, kRow, kElement};

template <class T>
std::uint32_t numberOf(const Maybe<T>& id)
{
    return id ? (*id).value : kAny - 1; // known to be nowhere
}

OneLineKey keyOf(const OneLine& line, std::uint32_t element, FoldStage stage)
{
    const OneLineElement& e = line.elements[element];
    OneLineKey key{.group = e.group, .side = e.side, .alike = e.alike};
    if (stage >= kBuilding) key.building = numberOf(e.building);
    if (stage >= kBlock) key.block = e.block;
    if (stage >= kRow) key.row = numberOf(e.row);
    if (stage >= kElement) key.element = element;
    return key;
}

std::uint32_t boxesAt(const OneLine& line, const OneLineGroup& group, FoldStage stage)
{
    if (stage == kElement) return group.size();
    std::set<OneLineKey> keys;
    for (std::uint32_t i = group.first; i < group.last; ++i) keys.insert(keyOf(line, i, stage));
    return std::uint32_t(keys.size());
}

/// How far every group is taken apart: as far as the layout is not wider than wanted.
class FoldedLevels {
public:
    FoldedLevels(const OneLine& line, double width) : m_line(line), m_width(width)
    {
        const auto most = std::uint32_t(std::max(1.0, width / (OneLineLayout::kBoxWidth + OneLineLayout::kGap)));
        for (const OneLineGroup& group : line.groups) {
            auto& count = m_counts.emplace_back();
            FoldStage finest = kAlike;
            for (const FoldStage stage : kStages) {
                count[stage] = boxesAt(line, group, stage);
                if (count[stage] <= most) finest = stage;
            }
            m_stages.push_back(finest);
        }
        for (std::int32_t level = 0; level < line.levels; ++level)
            while (sum(level) > most && coarsen(level)) {}
        for (const auto& e : line.elements)
            for (const OneLineFeed& feed : e.feeds)
                if (const auto from = line.elements[feed.from].group; from != e.group) m_feeders.emplace(e.group, from);
    }

    [[nodiscard]] OneLineOpen open()
    {
        while (true) {
            evenOut();
            OneLineOpen found = keys();
            const auto model = OneLineModel::make(OneLinePtr(OneLinePtr(), &m_line), found); // for the time of this call
            if (OneLineLayout::make(*model).width <= m_width || !coarsenWidest()) return found;
        }
    }

private:
    [[nodiscard]] OneLineOpen keys() const
    {
        OneLineOpen open;
        for (std::uint32_t g = 0; g < m_line.groups.size(); ++g)
            for (std::uint32_t i = m_line.groups[g].first; i < m_line.groups[g].last; ++i)
                for (const FoldStage stage : kStages)
                    if (stage < m_stages[g]) open.keys.insert(keyOf(m_line, i, stage));
        return open;
    }

    /// Buildings that are folded together above are so below too.
    void evenOut()
    {
        for (std::int32_t level = m_line.levels; level-- > 0;)
            for (std::uint32_t g = 0; g < m_stages.size(); ++g) {
                if (m_line.groups[g].level != level) continue;
                bool any = false, folded = true;
                for (auto at = m_feeders.lower_bound({g, 0}); at != m_feeders.end() && at->first == g; ++at)
                    any = true, folded = folded && m_stages[at->second] == kAlike;
                if (any && folded) m_stages[g] = kAlike;
            }
    }

    [[nodiscard]] std::uint32_t sum(std::int32_t level) const
    {
        std::uint32_t boxes = 0;
        for (std::uint32_t g = 0; g < m_stages.size(); ++g)
            if (m_line.groups[g].level == level) boxes += m_counts[g][m_stages[g]];
        return boxes;
    }

    /// The group of a level with most boxes folds by a stage that makes it less; false where none does.
    bool coarsen(std::int32_t level)
    {
        std::uint32_t largest = kAny;
        for (std::uint32_t g = 0; g < m_stages.size(); ++g)
            if (m_line.groups[g].level == level && m_counts[g][m_stages[g]] > m_counts[g][kAlike] &&
                (largest == kAny || m_counts[g][m_stages[g]] > m_counts[largest][m_stages[largest]]))
                largest = g;
        if (largest == kAny) return false;
        const std::uint32_t before = m_counts[largest][m_stages[largest]];
        while (m_counts[largest][m_stages[largest]] == before) m_stages[largest] = FoldStage(m_stages[largest] - 1);
        return true;
    }

    bool coarsenWidest()
    {
        std::vector<std::int32_t> levels;
        for (std::int32_t level = 0; level < m_line.levels; ++level) levels.push_back(level);
        std::ranges::stable_sort(levels, std::greater(), [&](std::int32_t level) { return sum(level); });
        return std::ranges::any_of(levels, [&](std::int32_t level) { return coarsen(level); });
    }

    const OneLine& m_line;
    double m_width;
    std::vector<std::array<std::uint32_t, std::size(kStages)>> m_counts;
    std::vector<FoldStage> m_stages;
    std::set<std::pair<std::uint32_t, std::uint32_t>> m_feeders; ///< groups, with those that feed them
};

/// Makes the boxes of a design.
class Boxes {
public:
    Boxes(const OneLine& line, const OneLineOpen& open, OneLineModel& model) : m_line(line), m_open(open), m_model(model) {}

    void add(const OneLineGroup& group)
    {
        std::vector<std::uint32_t> members;
        for (std::uint32_t i = group.first; i < group.last; ++i) members.push_back(i);
        for (auto& [key, part] : parts(members, kAlike)) add(key, std::move(part), kAlike, std::nullopt);
    }

private:
    [[nodiscard]] std::map<OneLineKey, std::vector<std::uint32_t>> parts(const std::vector<std::uint32_t>& members, FoldStage stage) const
    {
        std::map<OneLineKey, std::vector<std::uint32_t>> found;
        for (const std::uint32_t i : members) found[keyOf(m_line, i, stage)].push_back(i);
        return found;
    }

    /// A fold has the narrowest key that gathers the same: where all is in one block or row there is nothing to choose.
    void add(OneLineKey key, std::vector<std::uint32_t> members, FoldStage stage, std::optional<OneLineKey> around)
    {
        auto next = FoldStage(stage + 1);
        auto split = members.size() > 1 ? parts(members, next) : std::map<OneLineKey, std::vector<std::uint32_t>>();
        while (split.size() == 1) key = split.begin()->first, next = FoldStage(next + 1), split = parts(members, next);
        if (members.size() == 1) return put(key, std::move(members), around);
        if (!m_open.has(key)) return putApart(key, std::move(members), FoldStage(next - 1), around);
        for (auto& [part, own] : split) add(part, std::move(own), next, key);
    }

    /// A fold, and beside it what is told apart from it.
    void putApart(const OneLineKey& key, std::vector<std::uint32_t> members, FoldStage stage, const std::optional<OneLineKey>& around)
    {
        if (m_open.apart.empty()) return put(key, std::move(members), around);
        std::map<std::pair<OneLineKey, FoldStage>, std::vector<std::uint32_t>> parts;
        std::vector<std::uint32_t> rest;
        for (const std::uint32_t i : members) {
            FoldStage own = kElement;
            while (own > stage && !m_open.apart.contains(keyOf(m_line, i, own))) own = FoldStage(own - 1);
            if (own > stage)
                parts[{keyOf(m_line, i, own), own}].push_back(i);
            else
                rest.push_back(i);
        }
        for (auto& [part, own] : parts) add(part.first, std::move(own), part.second, key);
        if (!rest.empty()) put(key, std::move(rest), around);
    }

    void put(const OneLineKey& key, std::vector<std::uint32_t> members, const std::optional<OneLineKey>& around)
    {
        const OneLineElement& first = m_line.elements[members.front()];
        OneLineBox box{.key = members.size() == 1 ? keyOf(m_line, members.front(), kElement) : key,
                       .around = around,
                       .group = first.group,
                       .level = first.level,
                       .side = first.side};
        bool limited = true;
        for (const std::uint32_t i : members) {
            const OneLineElement& e = m_line.elements[i];
            m_model.boxOf[i] = std::uint32_t(m_model.boxes.size());
            box.level = std::max(box.level, e.level);
            box.load += e.load;
            box.capacity += e.capacity;
            limited = limited && e.capacity.count() > 0;
            box.dark += !e.live;
            if (e.capacity.count() > 0 && (box.worst == OneLine::kNone || e.share() > box.share)) box.share = e.share(), box.worst = i;
        }
        if (!limited) box.capacity = {};
        box.members = std::move(members);
        m_model.boxes.push_back(std::move(box));
    }

    const OneLine& m_line;
    const OneLineOpen& m_open;
    OneLineModel& m_model;
};

void connect(OneLineModel& model)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, OneLineEdge> edges;
    for (std::uint32_t i = 0; i < model.line->elements.size(); ++i)
        for (const OneLineFeed& feed : model.line->elements[i].feeds) {
            const std::uint32_t from = model.boxOf[feed.from], to = model.boxOf[i];
            if (from == to) continue;
            OneLineEdge& edge = edges.try_emplace({from, to}, OneLineEdge{from, to, 0, true}).first->second;
            ++edge.ways;
            edge.reserve = edge.reserve && feed.reserve;
        }
    for (const auto& [ends, edge] : edges)
        if (model.boxes[edge.from].level > model.boxes[edge.to].level) model.edges.push_back(edge);
}

} // namespace

OneLineOpen OneLineOpen::readable(const OneLine& line, double width) { return FoldedLevels(line, width).open(); }

void OneLineOpen::reveal(const OneLine& line, std::uint32_t element) { apart.insert(keyOf(line, element, kElement)); }

bool OneLineOpen::open(const OneLine& line, EntityRef entity)
{
    if (const std::uint32_t own = line.elementOf(entity); own != OneLine::kNone) return reveal(line, own), true;
    bool any = false;
    const auto part = [&](std::uint32_t element, FoldStage stage) { any = true, apart.insert(keyOf(line, element, stage)); };
    const auto is = [&](auto id) { return id && ref(*id) == entity; };
    for (std::uint32_t i = 0; i < line.elements.size(); ++i) {
        const OneLineElement& e = line.elements[i];
        if (is(e.row) || (e.row && entity == ref(line.snapshot->rows.hall[*e.row]))) part(i, kRow);
        if (is(line.groups[e.group].tier)) part(i, kElement);
        if (is(e.building)) part(i, kBuilding);
    }
    return any;
}

void OneLineOpen::fold(const OneLineKey& key)
{
    const auto within = [&](const OneLineKey& k) {
        const auto same = [](std::uint32_t wanted, std::uint32_t is) { return wanted == kAny || wanted == is; };
        return k.group == key.group && k.side == key.side && k.alike == key.alike && same(key.building, k.building) && same(key.block, k.block) &&
               same(key.row, k.row);
    };
    std::erase_if(keys, within);
    std::erase_if(apart, [&](const OneLineKey& k) { return k != key && within(k); });
}

std::shared_ptr<const OneLineModel> OneLineModel::make(OneLinePtr line, const OneLineOpen& open)
{
    auto model = std::make_shared<OneLineModel>();
    model->line = std::move(line);
    model->boxOf.assign(model->line->elements.size(), OneLine::kNone);
    Boxes boxes(*model->line, open, *model);
    for (const OneLineGroup& group : model->line->groups) boxes.add(group);
    connect(*model);
    return model;
}

std::string OneLineModel::shortName(const OneLineElement& e) const
{
    if (!e.building) return e.name;
    const std::string building = line->snapshot->buildings.name[*e.building] + "-";
    return e.name.starts_with(building) && e.name.size() > building.size() ? e.name.substr(building.size()) : e.name;
}

Text OneLineModel::title(const OneLineBox& box) const
{
    if (!box.folded()) return verbatim(shortName(line->elements[box.members.front()]));
    return countedText(line->groups[box.group], std::int64_t(box.members.size()));
}

std::string OneLineModel::part(const OneLineBox& box) const
{
    const auto type = line->elements[box.members.front()].type;
    const auto other = [&](std::uint32_t i) { return line->elements[i].type != type; };
    return !type || (*type).value >= line->parts.size() || std::ranges::any_of(box.members, other) ? std::string() : line->parts[(*type).value];
}

Text OneLineModel::place(const OneLineBox& box) const
{
    const Snapshot& s = *line->snapshot;
    const OneLineElement& first = line->elements[box.members.front()];
    const OneLineElement& last = line->elements[box.members.back()];
    if (first.row && first.row == last.row) return verbatim(s.rows.name[*first.row]);
    if (box.folded() && first.row && last.row) return i18n("{} … {}", s.rows.name[*first.row], s.rows.name[*last.row]);
    return first.building ? verbatim(s.buildings.name[*first.building]) : Text();
}

std::uint32_t OneLineModel::find(const OneLineKey& key) const
{
    const auto at = std::ranges::find(boxes, key, &OneLineBox::key);
    return at == boxes.end() ? OneLine::kNone : std::uint32_t(at - boxes.begin());
}

} // namespace hw

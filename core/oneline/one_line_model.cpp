// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/oneline/one_line_model.h"

#include <algorithm>
#include <array>
#include <map>

namespace hw {

namespace {

constexpr std::uint32_t kAny = OneLineKey::kAny;

/// How far a group is taken apart.
enum Stage : std::uint8_t { kBuilding, kBlock, kRow, kElement };
constexpr Stage kStages[] = {kBuilding, kBlock, kRow, kElement};

template <class T>
std::uint32_t numberOf(const Maybe<T>& id)
{
    return id ? (*id).value : kAny - 1; // known to be nowhere
}

OneLineKey keyOf(const OneLine& line, std::uint32_t element, Stage stage)
{
    const OneLineElement& e = line.elements[element];
    OneLineKey key{.group = e.group, .side = e.side, .building = numberOf(e.building)};
    if (stage >= kBlock) key.block = e.block;
    if (stage >= kRow) key.row = numberOf(e.row);
    if (stage >= kElement) key.element = element;
    return key;
}

std::uint32_t boxesAt(const OneLine& line, const OneLineGroup& group, Stage stage)
{
    if (stage == kElement) return group.size();
    std::set<OneLineKey> keys;
    for (std::uint32_t i = group.first; i < group.last; ++i) keys.insert(keyOf(line, i, stage));
    return std::uint32_t(keys.size());
}

/// The finest stage of every group that can be read, with what shares its level.
std::vector<Stage> readableStages(const OneLine& line)
{
    constexpr std::uint32_t kMostOfLevel = 2 * kOneLineReadable;
    std::vector<std::array<std::uint32_t, 4>> counts;
    std::vector<Stage> stages;
    for (const OneLineGroup& group : line.groups) {
        auto& count = counts.emplace_back();
        Stage finest = kBuilding;
        for (const Stage stage : kStages) {
            count[stage] = boxesAt(line, group, stage);
            if (count[stage] <= kOneLineReadable) finest = stage;
        }
        stages.push_back(finest);
    }
    for (std::int32_t level = 0; level < line.levels; ++level)
        while (true) {
            std::uint32_t sum = 0, largest = kAny;
            for (std::uint32_t g = 0; g < line.groups.size(); ++g) {
                if (line.groups[g].level != level) continue;
                sum += counts[g][stages[g]];
                if (g != line.anchor && stages[g] > kBuilding && (largest == kAny || counts[g][stages[g]] > counts[largest][stages[largest]]))
                    largest = g;
            }
            if (sum <= kMostOfLevel || largest == kAny) break;
            stages[largest] = Stage(stages[largest] - 1);
        }
    return stages;
}

/// Makes the boxes of a design.
class Boxes {
public:
    Boxes(const OneLine& line, const OneLineOpen& open, OneLineModel& model) : m_line(line), m_open(open), m_model(model) {}

    void add(const OneLineGroup& group)
    {
        std::vector<std::uint32_t> members;
        for (std::uint32_t i = group.first; i < group.last; ++i) members.push_back(i);
        for (auto& [key, part] : parts(members, kBuilding)) add(key, std::move(part), kBuilding, std::nullopt);
    }

private:
    [[nodiscard]] std::map<OneLineKey, std::vector<std::uint32_t>> parts(const std::vector<std::uint32_t>& members, Stage stage) const
    {
        std::map<OneLineKey, std::vector<std::uint32_t>> found;
        for (const std::uint32_t i : members) found[keyOf(m_line, i, stage)].push_back(i);
        return found;
    }

    /// A fold has the narrowest key that gathers the same: where all is in one block or row there is nothing to choose.
    void add(OneLineKey key, std::vector<std::uint32_t> members, Stage stage, std::optional<OneLineKey> around)
    {
        auto next = Stage(stage + 1);
        auto split = members.size() > 1 ? parts(members, next) : std::map<OneLineKey, std::vector<std::uint32_t>>();
        while (split.size() == 1) key = split.begin()->first, next = Stage(next + 1), split = parts(members, next);
        if (members.size() == 1 || !m_open.has(key)) return put(key, std::move(members), around);
        for (auto& [part, own] : split) add(part, std::move(own), next, key);
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

OneLineOpen OneLineOpen::readable(const OneLine& line)
{
    OneLineOpen open;
    const auto stages = readableStages(line);
    for (std::uint32_t g = 0; g < line.groups.size(); ++g)
        for (std::uint32_t i = line.groups[g].first; i < line.groups[g].last; ++i)
            for (const Stage stage : kStages)
                if (stage < stages[g]) open.keys.insert(keyOf(line, i, stage));
    return open;
}

void OneLineOpen::reveal(const OneLine& line, std::uint32_t element)
{
    for (const Stage stage : kStages)
        if (stage < kElement) keys.insert(keyOf(line, element, stage));
}

void OneLineOpen::fold(const OneLineKey& key)
{
    const auto within = [&](const OneLineKey& k) {
        const auto same = [](std::uint32_t wanted, std::uint32_t is) { return wanted == kAny || wanted == is; };
        return k.group == key.group && k.side == key.side && same(key.building, k.building) && same(key.block, k.block) && same(key.row, k.row);
    };
    std::erase_if(keys, within);
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

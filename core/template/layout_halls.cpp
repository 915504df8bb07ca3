// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/generator.h"
#include "core/template/layout_plan.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

namespace hw::layout {

namespace {

constexpr std::int32_t kRowEndMm = 4500;    ///< from a row's end to the wall: fan walls, doors, 1.2 m of passage and more
constexpr std::int32_t kHallEndMm = 2400;   ///< from the first and last front to the wall
constexpr std::int32_t kBuildingRoomMm = 8000; ///< of a building besides its hall, in depth: transformers stand there

/// Divides the blocks among buildings and decides in which building every other switch stands.
class BuildingPlanner {
public:
    BuildingPlanner(Plan& plan, const Snapshot& design, const Survey& survey, const Groups& groups)
        : m_plan(plan), m_s(design), m_survey(survey), m_groups(groups)
    {
    }

    void run()
    {
        findRanges();
        fillBuildings();
        nameBuildings();
        placeNetwork();
    }

private:
    /// Blocks [low, high] that a device reaches downwards; low > high: none.
    struct Range { std::uint32_t low = kNone, high = 0; };

    void findRanges()
    {
        m_range.resize(m_s.devices.nextId());
        for (std::uint32_t d = 0; d < m_range.size(); ++d)
            if (m_groups.blockOf[d] != kNone) m_range[d] = {m_groups.blockOf[d], m_groups.blockOf[d]};
        for (const DeviceId id : m_groups.network) { // by level, so that what is below is known
            auto& range = m_range[id.value];
            for (const std::uint32_t below : m_survey.belowOf(id.value)) {
                range.low = std::min(range.low, m_range[below].low);
                range.high = std::max(range.high, m_range[below].high);
            }
            // What belongs to a pod as a whole goes to the core together where the pod is split over buildings.
            const bool ofPod = m_survey.place[m_s.devices.tier[id].value] == Place::Core && range.low <= range.high;
            const Range pod = ofPod || range.low > range.high ? rangeOfPod(m_s.devices.pod[id]) : Range{};
            if (pod.low <= pod.high) range = {std::min(range.low, pod.low), std::max(range.high, pod.high)};
        }
    }

    Range rangeOfPod(std::int16_t pod)
    {
        if (m_pods.empty())
            for (std::uint32_t b = 0; b < m_plan.blocks.size(); ++b) {
                auto& range = m_pods[m_plan.blocks[b].pod];
                range.low = std::min(range.low, b), range.high = b;
            }
        const auto found = m_pods.find(pod);
        return pod < 0 || found == m_pods.end() ? Range{} : found->second;
    }

    [[nodiscard]] std::size_t racksOf(const Block& block) const { return block.serverRacks.size() + block.networkRacks.size(); }

    /// Consecutive blocks of one pod stay together where a building can take them.
    void fillBuildings()
    {
        const Options& o = m_plan.options;
        const std::int64_t limitMw = o.buildingLimitW * 1000;
        const auto mostRacks = std::size_t(2 * o.cellsPerHall * o.racksPerRow);
        std::vector<std::int64_t> load(m_plan.blocks.size());
        for (std::size_t b = 0; b < load.size(); ++b) load[b] = m_plan.blocks[b].demand.designMw;
        std::int64_t shared = 0;
        for (const DeviceId id : m_groups.network) {
            const Range range = m_range[id.value];
            const std::int64_t mw = m_survey.demand[id.value].designMw;
            const bool ofPod = range.low <= range.high && m_plan.blocks[range.low].pod == m_plan.blocks[range.high].pod;
            if (ofPod && (range.low == range.high || m_plan.blocks[range.low].pod >= 0)) load[range.low] += mw;
            else shared += mw;
        }
        std::int64_t all = shared;
        std::size_t racks = 0;
        for (std::size_t b = 0; b < load.size(); ++b) all += load[b], racks += racksOf(m_plan.blocks[b]);
        const bool one = !o.buildingPerPod && all <= limitMw && racks <= mostRacks;

        std::int64_t mw = 0;
        std::size_t used = 0;
        for (std::uint32_t b = 0; b < load.size();) {
            std::uint32_t end = b;
            std::int64_t podMw = 0;
            std::size_t podRacks = 0;
            do podMw += load[end], podRacks += racksOf(m_plan.blocks[end]), ++end;
            while (end < load.size() && m_plan.blocks[end].pod >= 0 && m_plan.blocks[end].pod == m_plan.blocks[b].pod);
            const auto fits = [&](std::int64_t moreMw, std::size_t moreRacks) { return one || (mw + moreMw <= limitMw && used + moreRacks <= mostRacks); };
            const auto open = [&] {
                m_plan.buildings.emplace_back();
                mw = 0, used = 0;
            };
            if (m_plan.buildings.empty() || (o.buildingPerPod && !one) || !fits(podMw, podRacks)) open();
            for (; b < end; ++b) {
                if (!fits(load[b], racksOf(m_plan.blocks[b])) && !m_plan.buildings.back().blocks.empty()) open();
                m_plan.buildings.back().blocks.push_back(b);
                mw += load[b], used += racksOf(m_plan.blocks[b]);
            }
        }
        if (m_plan.buildings.empty()) m_plan.buildings.emplace_back();
        m_buildingOf.assign(m_plan.blocks.size(), 0);
        for (std::uint32_t n = 0; n < m_plan.buildings.size(); ++n)
            for (const std::uint32_t b : m_plan.buildings[n].blocks) m_buildingOf[b] = n;
    }

    /// "pod3" where every building holds one pod, else "building3".
    void nameBuildings()
    {
        bool pods = m_plan.buildings.size() > 1;
        std::set<std::int16_t> seen;
        for (const auto& building : m_plan.buildings) {
            const std::int16_t pod = building.blocks.empty() ? std::int16_t(-1) : m_plan.blocks[building.blocks.front()].pod;
            pods = pods && pod >= 0 && seen.insert(pod).second && m_plan.blocks[building.blocks.back()].pod == pod;
        }
        for (std::size_t n = 0; n < m_plan.buildings.size(); ++n) {
            auto& building = m_plan.buildings[n];
            building.name = pods ? fmt::format("pod{}", m_plan.blocks[building.blocks.front()].pod + 1) : fmt::format("building{}", n + 1);
            building.key = fmt::format("building.auto/n={}", n);
        }
    }

    void placeNetwork()
    {
        const auto count = std::uint32_t(m_plan.buildings.size());
        std::vector<DeviceId> core;
        for (const DeviceId id : m_groups.network) {
            const Range range = m_range[id.value];
            const Place place = m_survey.place[m_s.devices.tier[id].value];
            const bool known = range.low <= range.high;
            const std::uint32_t low = known ? m_buildingOf[range.low] : 0, high = known ? m_buildingOf[range.high] : count - 1;
            if (low == high || (known && place == Place::NetworkRows)) m_plan.buildings[(low + high) / 2].network.push_back(id);
            else core.push_back(id);
        }
        if (core.empty()) return;
        PlannedBuilding building;
        building.name = "core";
        building.key = "building.auto/core=0";
        building.core = true;
        building.network = std::move(core);
        m_plan.buildings.push_back(std::move(building));
    }

    Plan& m_plan;
    const Snapshot& m_s;
    const Survey& m_survey;
    const Groups& m_groups;
    std::vector<Range> m_range;
    std::map<std::int16_t, Range> m_pods;
    std::vector<std::uint32_t> m_buildingOf;
};

/// Cuts blocks of more than a hall's racks or power in pieces, so that a building can take each.
std::vector<Block> cut(std::vector<Block> blocks, const Options& o, std::vector<std::uint32_t>& blockOf)
{
    std::vector<Block> result;
    for (auto& block : blocks) {
        const std::int64_t parts = (block.demand.designMw + o.buildingLimitW * 800 - 1) / (o.buildingLimitW * 800);
        if (parts <= 1) {
            result.push_back(std::move(block));
            continue;
        }
        const auto share = [&](std::size_t n, std::size_t count) { return count * n / std::size_t(parts); };
        for (std::size_t n = 0; n < std::size_t(parts); ++n) {
            Block piece{.key = fmt::format("{}/part={}", block.key, n), .pod = block.pod};
            for (std::size_t i = share(n, block.groups.size()); i < share(n + 1, block.groups.size()); ++i) {
                piece.demand += block.groups[i].demand;
                piece.groups.push_back(std::move(block.groups[i]));
            }
            piece.switches.assign(block.switches.begin() + std::ptrdiff_t(share(n, block.switches.size())), block.switches.begin() + std::ptrdiff_t(share(n + 1, block.switches.size())));
            result.push_back(std::move(piece));
        }
    }
    const auto mark = [&](const std::vector<DeviceId>& devices, std::uint32_t b) {
        for (const DeviceId id : devices) blockOf[id.value] = b;
    };
    for (std::uint32_t b = 0; b < result.size(); ++b) {
        mark(result[b].switches, b);
        for (const auto& group : result[b].groups) mark(group.servers, b), mark(group.switches, b), mark(group.others, b);
    }
    return result;
}

/// Racks in rows: a block that fits stays in one row, a larger one is spread evenly over rows of its own.
class RowFiller {
public:
    RowFiller(Plan& plan, PlannedBuilding& building) : m_plan(plan), m_b(building), m_most(std::size_t(plan.options.racksPerRow)) {}

    void add(const std::vector<std::uint32_t>& servers, const std::vector<std::uint32_t>& network)
    {
        const std::size_t total = servers.size() + network.size();
        if (total == 0) return;
        if (m_b.rows.empty() || m_b.rows.back().racks.size() + total > m_most) m_b.rows.emplace_back();
        const std::size_t rows = (total + m_most - 1) / m_most;
        std::size_t laid = 0; // servers
        for (std::size_t r = 0; r < rows; ++r) {
            if (r > 0) m_b.rows.emplace_back();
            const auto share = [&](std::size_t count) { return count * (r + 1) / rows; };
            const std::size_t netFrom = network.size() * r / rows, netTo = share(network.size());
            const std::size_t to = std::max(laid, share(total) - netTo);
            lay(std::span(servers).subspan(laid, to - laid), std::span(network).subspan(netFrom, netTo - netFrom));
            laid = to;
        }
    }

private:
    /// Network racks in the middle of their servers, or after them.
    void lay(std::span<const std::uint32_t> servers, std::span<const std::uint32_t> network)
    {
        const std::size_t middle = m_plan.options.endOfRow ? servers.size() : servers.size() / 2;
        for (const auto rack : servers.first(middle)) put(rack);
        for (const auto rack : network) put(rack);
        for (const auto rack : servers.subspan(middle)) put(rack);
    }

    void put(std::uint32_t number)
    {
        auto& row = m_b.rows.back();
        auto& rack = m_plan.racks[number];
        rack.row = std::uint32_t(m_b.rows.size() - 1);
        rack.position = std::uint32_t(row.racks.size());
        rack.along = row.widthMm;
        row.widthMm += rack.width;
        row.racks.push_back(number);
    }

    Plan& m_plan;
    PlannedBuilding& m_b;
    std::size_t m_most;
};

/// Network rows stand in the middle of the blocks that they serve.
void fillRows(Plan& plan, std::uint32_t number, Parts& parts)
{
    auto& building = plan.buildings[number];
    std::size_t total = 0, done = 0;
    for (const std::uint32_t b : building.blocks) total += plan.blocks[b].serverRacks.size() + plan.blocks[b].networkRacks.size();
    RowFiller rows(plan, building);
    bool laid = false;
    const auto layNetwork = [&] {
        if (!std::exchange(laid, true)) rows.add({}, building.networkRacks);
    };
    for (const std::uint32_t b : building.blocks) {
        const auto& block = plan.blocks[b];
        const std::size_t own = block.serverRacks.size() + block.networkRacks.size();
        if (2 * done + own >= total) layNetwork();
        rows.add(block.serverRacks, block.networkRacks);
        done += own;
        building.demand += block.demand;
    }
    layNetwork();
    for (auto& row : building.rows)
        for (const std::uint32_t rack : row.racks) {
            plan.racks[rack].building = number;
            building.rackDepth = std::max(building.rackDepth, parts.rack(plan.racks[rack].type).depth.value.count());
        }
}

void sizeHall(const Options& o, PlannedBuilding& b)
{
    for (const auto& row : b.rows) b.rowLength = std::max(b.rowLength, row.widthMm);
    b.pitch = 2 * b.rackDepth + o.hotAisle + o.coldAisle;
    b.hallX = std::max(b.cells(), 1) * b.pitch + 2 * kHallEndMm;
    b.hallY = b.rowLength + 2 * kRowEndMm;
    b.sizeY = b.hallY + kBuildingRoomMm;
}

/// Power devices of a tier `pdu` that the template itself puts into racks.
void findPdus(Plan& plan, const Snapshot& design)
{
    for (std::size_t r = plan.ownPdus.size(); r < plan.racks.size(); ++r) {
        auto& own = plan.ownPdus.emplace_back();
        for (const auto& [device, u] : plan.racks[r].devices)
            if (const TierId tier = design.devices.tier[device]; design.tiers.kind[tier] == TierKind::Power && design.tiers.key[tier] == "pdu") own.push_back(device);
        std::ranges::sort(own);
    }
}

} // namespace

Plan plan(const Snapshot& design, const Survey& survey, Groups groups, Parts& parts, const Options& options)
{
    Plan result;
    result.options = options;
    result.rackOf.assign(design.devices.nextId(), kNone);
    result.blocks = cut(std::move(groups.blocks), options, groups.blockOf);
    for (auto& block : result.blocks) packBlock(result, block, design, survey, parts);
    BuildingPlanner(result, design, survey, groups).run();
    for (std::uint32_t n = 0; n < result.buildings.size(); ++n) {
        auto& building = result.buildings[n];
        packNetwork(result, building, design, survey, parts);
        for (const DeviceId id : building.network) building.demand += survey.demand[id.value];
        fillRows(result, n, parts);
        findPdus(result, design);
        sizeHall(options, building);
        planEquipment(result, building, parts);
    }
    arrangeCampus(result);
    return result;
}

} // namespace hw::layout

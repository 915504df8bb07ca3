// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/plan.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

namespace hw::layout {

namespace {

constexpr std::int32_t kBuildingRoomMm = 8000; ///< of a building besides its hall and plant, in depth

/// Cuts blocks of more than a hall's racks or power in pieces, so that a building can take each.
std::vector<Block> cut(std::vector<Block> blocks, const Survey& survey, const Options& o, std::vector<std::uint32_t>& blockOf)
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
            for (std::size_t i = share(n, block.switches.size()); i < share(n + 1, block.switches.size()); ++i)
                piece.switches.push_back(block.switches[i]);
            for (const DeviceId id : piece.switches) piece.demand += survey.demand[id.value];
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
    RowFiller(Plan& plan, PlannedHall& hall) : m_plan(plan), m_b(hall), m_most(std::size_t(plan.options.racksPerRow)) {}

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
    void lay(std::span<const std::uint32_t> servers, std::span<const std::uint32_t> network)
    {
        for (const auto rack : inOneRow(m_plan.options, servers, network)) put(rack);
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
    PlannedHall& m_b;
    std::size_t m_most;
};

/// Network rows stand in the middle of the blocks that they serve.
void fillRows(Plan& plan, std::uint32_t number, const Parts& parts)
{
    auto& hall = plan.halls[number];
    std::size_t total = 0, done = 0;
    for (const std::uint32_t b : hall.blocks) total += plan.blocks[b].serverRacks.size() + plan.blocks[b].networkRacks.size();
    RowFiller rows(plan, hall);
    bool laid = false;
    const auto layNetwork = [&] {
        if (!std::exchange(laid, true)) rows.add({}, hall.networkRacks);
    };
    for (const std::uint32_t b : hall.blocks) {
        const auto& block = plan.blocks[b];
        const std::size_t own = block.serverRacks.size() + block.networkRacks.size();
        if (2 * done + own >= total) layNetwork();
        rows.add(block.serverRacks, block.networkRacks);
        done += own;
    }
    layNetwork();
    for (auto& row : hall.rows)
        for (const std::uint32_t rack : row.racks) {
            plan.racks[rack].hall = number;
            hall.rackDepth = std::max(hall.rackDepth, parts.rack(plan.racks[rack].type).depth.value.count());
        }
}

void sizeHall(const Options& o, PlannedHall& b)
{
    for (const auto& row : b.rows) b.rowLength = std::max(b.rowLength, row.widthMm);
    b.pitch = 2 * b.rackDepth + o.hotAisle + o.coldAisle;
    b.hallX = std::max(b.cells(), 1) * b.pitch + 2 * kHallEndMm;
    b.hallY = b.rowLength + 2 * kRowEndMm;
    b.sizeY = b.hallY + kBuildingRoomMm;
}

/// Rows of a cell stand back to back at its hot aisle; all are centered on the middle of the hall, under its spines.
void standRows(const Options& o, PlannedHall& b)
{
    b.lines = {{kSpineEndMm, b.hallY / 2, b.hallX - kSpineEndMm, b.hallY / 2, b.cells()}};
    for (std::size_t r = 0; r < b.rows.size(); ++r) {
        auto& row = b.rows[r];
        row.cell = row.slot = std::int32_t(r / 2);
        const bool second = r % 2 != 0;
        const std::int32_t front = kFirstFrontMm + row.cell * b.pitch, low = (b.hallY - row.widthMm) / 2;
        row.x = second ? front + b.pitch - o.coldAisle : front;
        row.y = second ? low : low + row.widthMm;
        row.angle = second ? 90 : 270;
        row.crossing = row.widthMm / 2;
    }
}

/// Power devices of a tier `pdu` that the template itself puts into racks.
void findPdus(Plan& plan, const Survey& survey)
{
    for (std::size_t r = plan.ownPdus.size(); r < plan.racks.size(); ++r) {
        auto& own = plan.ownPdus.emplace_back();
        for (const auto& [device, u] : plan.racks[r].devices)
            if (const auto& tier = survey.tierOf(device.value); tier.kind == TierKind::Power && tier.key == "pdu") own.push_back(device);
        std::ranges::sort(own);
    }
}

} // namespace

std::vector<std::uint32_t> inOneRow(const Options& options, std::span<const std::uint32_t> servers, std::span<const std::uint32_t> network)
{
    const auto middle = std::ptrdiff_t(options.endOfRow ? servers.size() : servers.size() / 2);
    std::vector<std::uint32_t> racks(servers.begin(), servers.begin() + middle);
    racks.insert(racks.end(), network.begin(), network.end());
    racks.insert(racks.end(), servers.begin() + middle, servers.end());
    return racks;
}

Plan pack(const Survey& survey, Groups groups, const Parts& parts, const Options& options)
{
    Plan result;
    result.options = options;
    result.rackOf.assign(survey.devices(), kNone);
    result.blocks = cut(std::move(groups.blocks), survey, options, groups.blockOf);
    for (auto& block : result.blocks) packBlock(result, block, survey, parts);
    planBuildings(result, survey, groups);
    for (auto& hall : result.halls) {
        packNetwork(result, hall, survey, parts);
        for (const DeviceId id : hall.network) hall.demand += survey.demand[id.value];
        for (const std::uint32_t block : hall.blocks) hall.demand += result.blocks[block].demand;
        findPdus(result, survey);
    }
    return result;
}

Plan plan(const Survey& survey, Groups groups, const Parts& parts, const Options& options)
{
    Plan result = pack(survey, std::move(groups), parts, options);
    for (std::uint32_t n = 0; n < result.halls.size(); ++n) {
        auto& hall = result.halls[n];
        fillRows(result, n, parts);
        sizeHall(options, hall);
        planEquipment(result, hall, parts);
        standRows(options, hall);
        standEquipment(result, hall, parts);
    }
    arrangeCampus(result);
    return result;
}

} // namespace hw::layout

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/fitting/room_cost.h"

#include <algorithm>
#include <cstdlib>

namespace hw::layout {

RackPairs::RackPairs(const Snapshot& design, const Plan& plan)
{
    std::vector<std::uint64_t> cables; // a pair of racks for each
    std::vector<char> seen(design.cables.nextId(), 0);
    design.links.forEach([&](LinkId link) {
        const PortId from = design.links.from[link], to = design.links.to[link];
        if (design.ports.medium[from] != Medium::Data) return;
        if (const auto cable = design.links.cable[link]; cable && std::exchange(seen[(*cable).value], 1)) return;
        const std::uint32_t a = plan.rackOf[design.ports.device[from].value], b = plan.rackOf[design.ports.device[to].value];
        if (a != kNone && b != kNone && a != b) cables.push_back(std::uint64_t(std::min(a, b)) << 32 | std::max(a, b));
    });
    std::ranges::sort(cables);
    for (const std::uint64_t pair : cables) {
        const auto a = std::uint32_t(pair >> 32), b = std::uint32_t(pair);
        if (m_pairs.empty() || m_pairs.back().a != a || m_pairs.back().b != b) m_pairs.push_back({a, b, 0});
        ++m_pairs.back().cables;
    }
}

RoomCost RackPairs::cost(const Filling& filling, std::span<const RowSlot> slots, const Plan& plan) const
{
    std::vector<std::int32_t> at(filling.along.size(), 0); // middle of each rack along its row
    for (std::size_t rack = 0; rack < at.size(); ++rack)
        if (filling.row[rack] != kNone) at[rack] = slots[filling.row[rack]].inHall(filling.along[rack] + plan.racks[rack].width / 2);
    const std::int32_t crossing = crossingOfLines(slots);
    RoomCost result;
    for (const Pair& pair : m_pairs) {
        const std::uint32_t rowA = filling.row[pair.a], rowB = filling.row[pair.b];
        if (rowA == kNone || rowB == kNone) continue;
        std::int32_t run = 0;
        if (rowA == rowB) {
            run = std::abs(at[pair.a] - at[pair.b]);
        } else {
            const RowSlot &a = slots[rowA], &b = slots[rowB];
            run = std::abs(at[pair.a] - a.middle()) + std::abs(at[pair.b] - b.middle());
            run += a.line == b.line ? std::abs(a.across() - b.across())
                                    : std::abs(a.across() - crossing) + std::abs(b.across() - crossing) + std::abs(a.middle() - b.middle());
        }
        result.metersMm += run * pair.cables;
        result.longestMm = std::max(result.longestMm, run);
    }
    return result;
}

} // namespace hw::layout

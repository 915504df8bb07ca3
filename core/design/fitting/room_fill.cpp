// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/fitting/room_fill.h"

#include <algorithm>

namespace hw::layout {

std::int32_t RowSlot::inHall(std::int32_t along) const
{
    switch (angle) {
    case 0: return box.x1 + along;
    case 180: return box.x2 - along;
    case 270: return box.y2 - along;
    default: return box.y1 + along;
    }
}

std::vector<RowSlot> rowSlots(std::span<const site::CellPlace> cells, int angle, std::int32_t reserve)
{
    const bool alongX = angle % 180 == 0;
    std::vector<site::CellPlace> order(cells.begin(), cells.end());
    const auto lineOf = [&](const site::CellPlace& c) { return alongX ? c.rows[0].box.x1 : c.rows[0].box.y1; };
    const auto slotOf = [&](const site::CellPlace& c) { return alongX ? c.rows[0].box.y1 : c.rows[0].box.x1; };
    std::ranges::sort(order, {}, [&](const auto& c) { return std::pair(lineOf(c), slotOf(c)); });
    std::vector<RowSlot> rows;
    std::int32_t line = -1, cell = 0;
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i;
        while (end < order.size() && lineOf(order[end]) == lineOf(order[i])) ++end;
        ++line;
        for (std::size_t n = 0; n < end - i; ++n, ++cell) {
            const auto slot = line % 2 == 0 ? n : end - i - 1 - n; // there and back
            for (std::size_t side = 0; side < 2; ++side) {
                const site::RowPlace& place = order[i + slot].rows[side];
                if (place.box == site::FloorRect{}) continue; // a single row
                const bool downwards = (side == 0) != alongX; // rows of a cell turn their backs to each other
                RowSlot& row = rows.emplace_back(
                    RowSlot{place.box, std::int16_t(alongX ? (downwards ? 180 : 0) : (downwards ? 270 : 90)), cell, line, std::int32_t(slot)});
                row.length = alongX ? place.box.x2 - place.box.x1 : place.box.y2 - place.box.y1;
                for (const auto& [from, to] : place.gaps)
                    row.blocked.push_back(downwards ? std::pair(row.length - to, row.length - from) : std::pair(from, to));
                if (reserve > 0) row.blocked.emplace_back(0, reserve), row.blocked.emplace_back(row.length - reserve, row.length);
                std::ranges::sort(row.blocked);
            }
        }
        i = end;
    }
    return rows;
}

std::int32_t crossingOfLines(std::span<const RowSlot> slots)
{
    std::int32_t low = INT32_MAX, high = INT32_MIN;
    for (const RowSlot& slot : slots) low = std::min(low, slot.across()), high = std::max(high, slot.across());
    return slots.empty() ? 0 : low + (high - low) / 2;
}

void blockSingles(RowSlot& slot, std::int32_t rackWidth, std::int32_t apart)
{
    std::vector<std::pair<std::int32_t, std::int32_t>> merged, gaps = slot.blocked;
    gaps.emplace_back(slot.length, slot.length);
    std::int32_t at = 0;
    bool apartBefore = true; // the row's end
    for (const auto& [from, to] : gaps) {
        const bool apartAfter = from >= slot.length || to - from > apart;
        if (from > at && from - at < 2 * rackWidth && apartBefore && apartAfter && !(at == 0 && from >= slot.length)) merged.emplace_back(at, from);
        if (from < slot.length) merged.emplace_back(from, to);
        at = std::max(at, to);
        apartBefore = apartAfter;
    }
    slot.blocked = std::move(merged);
}

bool RoomFiller::place(std::size_t row, std::span<const std::uint32_t> racks, std::int32_t from, std::vector<std::int32_t>* along) const
{
    const RowSlot& slot = m_slots[row];
    std::vector<std::int32_t> places(racks.size());
    std::int32_t at = from;
    auto gap = slot.blocked.begin();
    for (std::size_t i = 0; i < racks.size(); ++i) {
        const std::int32_t width = m_plan.racks[racks[i]].width;
        for (; gap != slot.blocked.end() && gap->first < at + width; ++gap) at = std::max(at, gap->second);
        if (at + width > slot.length) return false;
        places[i] = at;
        at += width;
    }
    if (!joinLast(slot, racks, places) || anyAlone(racks, places)) return false;
    if (along)
        for (std::size_t i = 0; i < racks.size(); ++i) (*along)[racks[i]] = places[i];
    return true;
}

/// As rule S4 counts them.
bool RoomFiller::anyAlone(std::span<const std::uint32_t> racks, std::span<const std::int32_t> at) const
{
    const auto divided = [&](std::size_t i) { return i == 0 || i == racks.size() || at[i] - at[i - 1] - m_plan.racks[racks[i - 1]].width > m_apart; };
    std::size_t alone = 0;
    for (std::size_t i = 0; i < racks.size(); ++i) alone += divided(i) && divided(i + 1);
    return racks.size() >= 3 && alone > 0 && 2 * alone < racks.size();
}

/// The last rack alone beyond a wide gap is joined by its neighbor, or by two that would be left as one.
bool RoomFiller::joinLast(const RowSlot& slot, std::span<const std::uint32_t> racks, std::vector<std::int32_t>& at) const
{
    const auto divided = [&](std::size_t i) { return at[i] - at[i - 1] - m_plan.racks[racks[i - 1]].width > m_apart; };
    const std::size_t n = racks.size();
    if (n < 3 || !divided(n - 1)) return true;
    const std::size_t more = n >= 3 && (n == 3 || divided(n - 2) || divided(n - 3)) ? 2 : 1;
    std::int32_t next = at[n - 1];
    for (std::size_t i = n - 1 - more; i < n; ++i) {
        const std::int32_t width = m_plan.racks[racks[i]].width;
        if (next + width > slot.length) return false;
        if (std::ranges::any_of(slot.blocked, [&](const auto& gap) { return gap.first < next + width && gap.second > next; })) return false;
        at[i] = next;
        next += width;
    }
    return true;
}

bool RoomFiller::fits(std::size_t row, std::span<const std::uint32_t> more) const
{
    std::vector<std::uint32_t> all = m_rows[row];
    all.insert(all.end(), more.begin(), more.end());
    return place(row, all, 0, nullptr);
}

std::size_t RoomFiller::mostServers(std::size_t row, std::span<const std::uint32_t> servers, std::span<const std::uint32_t> network,
                                    std::size_t most) const
{
    std::size_t low = 0, high = std::min(most, servers.size()); // more racks never fit where fewer do not
    while (low < high) {
        const std::size_t middle = (low + high + 1) / 2;
        if (fits(row, inOneRow(m_plan.options, servers.first(middle), network)))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

void RoomFiller::put(std::size_t row, const std::vector<std::uint32_t>& racks) { m_rows[row].insert(m_rows[row].end(), racks.begin(), racks.end()); }

bool RoomFiller::spread(const RoomItem& item, std::size_t first, std::size_t rows)
{
    const std::span<const std::uint32_t> servers(item.servers), network(item.network);
    std::vector<std::size_t> room(rows);
    std::size_t all = 0;
    for (std::size_t i = 0; i < rows; ++i) all += room[i] = mostServers(first + i, servers, {}, servers.size());
    if (all < servers.size()) return false;
    std::vector<std::vector<std::uint32_t>> laid(rows);
    std::size_t done = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t from = network.size() * i / rows, to = network.size() * (i + 1) / rows, left = servers.size() - done;
        const auto share = network.subspan(from, to - from);
        if (!fits(first + i, share)) return false;
        const std::size_t even = all > 0 ? (left * room[i] + all - 1) / all : 0;
        const std::size_t count = mostServers(first + i, servers.subspan(done), share, m_mode == FillMode::Packed ? left : even);
        laid[i] = inOneRow(m_plan.options, servers.subspan(done, count), share);
        done += count, all -= room[i];
    }
    if (done < servers.size()) return false;
    for (std::size_t i = 0; i < rows; ++i) put(first + i, laid[i]);
    return true;
}

bool RoomFiller::add(const RoomItem& item)
{
    if (item.racks() == 0) return true;
    if (const auto whole = inOneRow(m_plan.options, item.servers, item.network); fits(m_row, whole)) {
        put(m_row, whole);
        return true;
    }
    const std::size_t first = m_mode == FillMode::Apart && !m_rows[m_row].empty() ? m_row + 1 : m_row;
    for (std::size_t rows = 1; first + rows <= m_slots.size(); ++rows)
        if (spread(item, first, rows)) {
            m_row = first + rows - 1;
            return true;
        }
    return false;
}

/// The widest first, so that how many find a place depends on what they are and not on their order.
void RoomFiller::addDense(std::span<const std::uint32_t> order)
{
    std::vector<std::uint32_t> racks;
    for (const std::uint32_t item : order) {
        const auto more = inOneRow(m_plan.options, m_items[item].servers, m_items[item].network);
        racks.insert(racks.end(), more.begin(), more.end());
    }
    std::ranges::stable_sort(racks, [&](std::uint32_t a, std::uint32_t b) { return m_plan.racks[a].width > m_plan.racks[b].width; });
    for (const std::uint32_t rack : racks) {
        std::size_t row = 0;
        while (row < m_slots.size() && !fits(row, std::span(&rack, 1))) ++row;
        if (row < m_slots.size()) put(row, {rack});
    }
}

void RoomFiller::addWhatFits(const RoomItem& item)
{
    std::vector<std::uint32_t> racks = inOneRow(m_plan.options, item.servers, item.network);
    for (std::size_t row = m_row, next = 0; row < m_slots.size(); ++row)
        while (next < racks.size() && fits(row, std::span(racks).subspan(next, 1))) put(row, {racks[next++]});
}

Filling RoomFiller::fill(std::span<const std::uint32_t> order, FillMode mode)
{
    m_rows.assign(m_slots.size(), {});
    m_row = 0, m_mode = mode;
    if (mode == FillMode::Dense)
        addDense(order);
    else if (!m_slots.empty())
        for (const std::uint32_t item : order)
            if (!add(m_items[item])) {
                addWhatFits(m_items[item]);
                break;
            }
    Filling result;
    result.along.assign(m_plan.racks.size(), -1);
    result.row.assign(m_plan.racks.size(), kNone);
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        std::int32_t used = 0;
        for (const std::uint32_t rack : m_rows[row]) used += m_plan.racks[rack].width;
        const std::int32_t spare = std::max(0, (m_slots[row].length - used) / 2); // in the middle of the row where columns let it
        if (!place(row, m_rows[row], spare, &result.along)) (void)place(row, m_rows[row], 0, &result.along);
        for (const std::uint32_t rack : m_rows[row]) result.row[rack] = std::uint32_t(row);
        result.placed += m_rows[row].size();
    }
    result.rows = m_rows;
    return result;
}

} // namespace hw::layout

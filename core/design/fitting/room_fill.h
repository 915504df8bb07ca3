// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/layout/plan.h"
#include "core/physics/site/row_places.h"

namespace hw::layout {

/// A row of a hall that racks may fill, along its direction from the end where its first rack stands.
struct RowSlot {
    site::FloorRect box;
    std::int16_t angle = 90;
    std::int32_t cell = 0, line = 0, slot = 0, length = 0;
    std::vector<std::pair<std::int32_t, std::int32_t>> blocked{}; ///< by columns and by what stands in the row besides racks, ascending
    [[nodiscard]] bool alongX() const { return angle % 180 == 0; }
    /// A place along the row, in the hall's coordinate of its direction.
    [[nodiscard]] std::int32_t inHall(std::int32_t along) const;
    [[nodiscard]] std::int32_t middle() const { return alongX() ? (box.x1 + box.x2) / 2 : (box.y1 + box.y2) / 2; }
    [[nodiscard]] std::int32_t across() const { return alongX() ? (box.y1 + box.y2) / 2 : (box.x1 + box.x2) / 2; }
};
/// Rows of cells, line after line and there and back, two to a cell or one; `reserve`: kept free at either end of a row.
[[nodiscard]] std::vector<RowSlot> rowSlots(std::span<const site::CellPlace> cells, int angle, std::int32_t reserve);
/// Blocks the parts of a row between gaps wider than `apart` that take one rack only, of this width: it would stand alone.
void blockSingles(RowSlot& slot, std::int32_t rackWidth, std::int32_t apart);

/// Where spines join several lines of cells: over the middle of all rows, in the hall's coordinate across them.
[[nodiscard]] std::int32_t crossingOfLines(std::span<const RowSlot> slots);

/// What stands together: a block's racks, or the network racks that all share.
struct RoomItem {
    std::vector<std::uint32_t> servers, network;
    [[nodiscard]] std::size_t racks() const { return servers.size() + network.size(); }
};
/// Racks in rows.
struct Filling {
    std::vector<std::vector<std::uint32_t>> rows; ///< racks by row slot
    std::vector<std::int32_t> along;              ///< by rack; -1: it has no place
    std::vector<std::uint32_t> row;               ///< by rack
    std::size_t placed = 0;
    [[nodiscard]] bool whole() const { return placed == along.size(); }
};

/// Stands items in rows, one after the other: those that fit a row together stay in one, larger ones are spread over rows of their own,
/// or, `Packed`, fill the row that is open first, or, `Dense`, stand rack by rack where there is room: as many as rows take.
enum class FillMode : std::uint8_t { Apart, Packed, Dense };
class RoomFiller {
public:
    /// `apart`: a wider gap divides a row, and no rack stands alone beyond one.
    RoomFiller(const Plan& plan, std::span<const RoomItem> items, std::span<const RowSlot> slots, std::int32_t apart)
        : m_plan(plan), m_items(items), m_slots(slots), m_apart(apart)
    {
    }
    [[nodiscard]] Filling fill(std::span<const std::uint32_t> order, FillMode mode);

private:
    bool add(const RoomItem& item);
    void addDense(std::span<const std::uint32_t> order);
    bool spread(const RoomItem& item, std::size_t first, std::size_t rows);
    void addWhatFits(const RoomItem& item);
    [[nodiscard]] bool fits(std::size_t row, std::span<const std::uint32_t> more) const;
    [[nodiscard]] std::size_t mostServers(std::size_t row, std::span<const std::uint32_t> servers, std::span<const std::uint32_t> network,
                                          std::size_t most) const;
    /// Where the racks of a row stand; nothing where they do not fit.
    [[nodiscard]] bool place(std::size_t row, std::span<const std::uint32_t> racks, std::int32_t from, std::vector<std::int32_t>* along) const;
    [[nodiscard]] bool joinLast(const RowSlot& slot, std::span<const std::uint32_t> racks, std::vector<std::int32_t>& at) const;
    [[nodiscard]] bool anyAlone(std::span<const std::uint32_t> racks, std::span<const std::int32_t> at) const;
    void put(std::size_t row, const std::vector<std::uint32_t>& racks);

    const Plan& m_plan;
    std::span<const RoomItem> m_items;
    std::span<const RowSlot> m_slots;
    std::vector<std::vector<std::uint32_t>> m_rows;
    std::int32_t m_apart;
    std::size_t m_row = 0;
    FillMode m_mode = FillMode::Apart;
};

} // namespace hw::layout

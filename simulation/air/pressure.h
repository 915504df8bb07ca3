// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/air/room.h"

#include <span>

namespace hw::sim::air {

/// Solves Σ k (p − p of the neighbor) = b over cells of air: conjugate gradients, preconditioned by one V-cycle of multigrid over blocks of two cells
/// an axis. Blocks are split where a wall or a large loss parts them, so that both sides of a containment stay apart on coarse grids.
class PressureSolver {
public:
    explicit PressureSolver(const Room& room);

    [[nodiscard]] std::size_t size() const { return m_cells.size(); }
    [[nodiscard]] std::span<const std::uint32_t> cells() const { return m_cells; }   ///< cell by number
    [[nodiscard]] std::span<const std::int32_t> numbers() const { return m_number; } ///< number by cell, −1 = solid
    /// k of each face, by face, an axis each; faces that are not open are not read.
    void setCoefficients(const std::array<std::vector<double>, 3>& k);
    /// Until Σ|b − A p| is at most `tolerance`. The mean of each region is 0. Number of iterations.
    int solve(std::span<const double> b, std::span<double> p, double tolerance, int most);

private:
    struct Level {
        std::vector<std::uint32_t> start, column;
        std::vector<float> value;
        std::vector<float> diagonal, inverse;
        std::vector<std::array<float, 3>> center;
        std::vector<std::array<std::int32_t, 3>> block;
        std::vector<std::uint32_t> parent;     ///< number on the next level
        std::vector<std::uint32_t> parentLink; ///< by link: link on the next level, none inside a block
        std::vector<float> shrink;             ///< by link: its share in the coefficient there
        std::vector<float> x, b, r;
    };
    void coarsen();
    void cycle(std::size_t level);
    void factorize();
    void removeMeans(std::span<double> v) const;

    const Room& m_room;
    std::vector<std::uint32_t> m_cells;
    std::vector<std::int32_t> m_number;
    struct Link {
        std::uint8_t axis;
        std::uint32_t face;
    };
    std::vector<Link> m_links;
    std::vector<double> m_value, m_diagonal; ///< of the finest level
    std::vector<Level> m_levels;
    std::vector<double> m_factor; ///< of the coarsest level
    std::vector<std::int32_t> m_region;
    std::vector<double> m_regionSize;
    std::vector<double> m_r, m_z, m_d, m_q;
};

} // namespace hw::sim::air

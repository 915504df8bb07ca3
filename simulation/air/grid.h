// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hw::sim::air {

/// A Cartesian grid with spacing of its own along each axis and one layer of ghost cells around it. Cells are numbered 1 … count along an axis,
/// ghosts 0 and count + 1. A face has the number of the cell above it: face i of an axis lies between cells i − 1 and i. Lengths in m.
class Grid {
public:
    Grid() = default;
    /// Edges ascending, at least two an axis.
    explicit Grid(std::array<std::vector<double>, 3> edges);

    [[nodiscard]] int count(int axis) const { return m_count[std::size_t(axis)]; }
    [[nodiscard]] std::size_t stride(int axis) const { return m_stride[std::size_t(axis)]; }
    [[nodiscard]] std::size_t total() const { return m_total; } ///< with ghosts
    [[nodiscard]] std::size_t cells() const { return std::size_t(m_count[0]) * std::size_t(m_count[1]) * std::size_t(m_count[2]); }
    [[nodiscard]] std::size_t at(int i, int j, int k) const { return std::size_t(i) + std::size_t(j) * m_stride[1] + std::size_t(k) * m_stride[2]; }
    [[nodiscard]] std::array<int, 3> place(std::size_t cell) const
    {
        const std::size_t k = cell / m_stride[2], rest = cell % m_stride[2];
        return {int(rest % m_stride[1]), int(rest / m_stride[1]), int(k)};
    }
    [[nodiscard]] double size(int axis, int i) const { return m_size[std::size_t(axis)][std::size_t(i)]; }
    [[nodiscard]] double center(int axis, int i) const { return m_center[std::size_t(axis)][std::size_t(i)]; }
    [[nodiscard]] double edge(int axis, int i) const { return m_edge[std::size_t(axis)][std::size_t(i)]; } ///< of face i, 1 … count + 1
    /// Between the centers of cells i − 1 and i.
    [[nodiscard]] double spacing(int axis, int i) const { return center(axis, i) - center(axis, i - 1); }
    /// Face nearest to a coordinate.
    [[nodiscard]] int nearestFace(int axis, double at) const;
    /// Cell that contains a coordinate, the outermost beyond the ends.
    [[nodiscard]] int cellOf(int axis, double at) const;

private:
    std::array<int, 3> m_count{};
    std::array<std::size_t, 3> m_stride{};
    std::size_t m_total = 0;
    std::array<std::vector<double>, 3> m_edge, m_size, m_center;
};

/// Edges through all planes, at most `step` apart; planes nearer to each other than `least` become one, the outermost two stay.
[[nodiscard]] std::vector<double> axisEdges(std::vector<double> planes, double step, double least);

} // namespace hw::sim::air

// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/air/grid.h"

#include <algorithm>
#include <cmath>

namespace hw::sim::air {

Grid::Grid(std::array<std::vector<double>, 3> edges)
{
    for (std::size_t a = 0; a < 3; ++a) {
        const std::vector<double>& e = edges[a];
        const std::size_t n = e.size() - 1;
        m_count[a] = int(n);
        m_edge[a].assign(n + 3, 0);
        m_size[a].assign(n + 2, 0);
        m_center[a].assign(n + 2, 0);
        std::ranges::copy(e, m_edge[a].begin() + 1);
        for (std::size_t i = 1; i <= n; ++i) m_size[a][i] = e[i] - e[i - 1];
        m_size[a][0] = m_size[a][1];
        m_size[a][n + 1] = m_size[a][n];
        m_edge[a][0] = e.front() - m_size[a][0];
        m_edge[a][n + 2] = e.back() + m_size[a][n + 1];
        for (std::size_t i = 0; i <= n + 1; ++i) m_center[a][i] = (m_edge[a][i] + m_edge[a][i + 1]) / 2;
    }
    m_stride = {1, std::size_t(m_count[0] + 2), std::size_t(m_count[0] + 2) * std::size_t(m_count[1] + 2)};
    m_total = m_stride[2] * std::size_t(m_count[2] + 2);
}

int Grid::nearestFace(int axis, double at) const
{
    const auto& e = m_edge[std::size_t(axis)];
    int best = 1;
    for (int i = 1; i <= count(axis) + 1; ++i)
        if (std::abs(e[std::size_t(i)] - at) < std::abs(e[std::size_t(best)] - at)) best = i;
    return best;
}

int Grid::cellOf(int axis, double at) const
{
    const auto& e = m_edge[std::size_t(axis)];
    const auto above = std::upper_bound(e.begin() + 1, e.begin() + count(axis) + 2, at);
    return std::clamp(int(above - e.begin()) - 1, 1, count(axis));
}

std::vector<double> axisEdges(std::vector<double> planes, double step, double least)
{
    std::ranges::sort(planes);
    std::vector<double> kept;
    for (const double plane : planes)
        if (kept.empty() || plane - kept.back() >= least) kept.push_back(plane);
    if (planes.back() - kept.back() > 0) {
        if (kept.size() > 1)
            kept.back() = planes.back();
        else
            kept.push_back(planes.back());
    }
    std::vector<double> edges{kept.front()};
    for (std::size_t i = 1; i < kept.size(); ++i) {
        const double from = kept[i - 1], length = kept[i] - from;
        const int parts = std::max(1, int(std::ceil(length / step - 1e-6)));
        for (int part = 1; part <= parts; ++part) edges.push_back(part == parts ? kept[i] : from + length * part / parts);
    }
    return edges;
}

} // namespace hw::sim::air

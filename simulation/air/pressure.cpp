// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/air/pressure.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hw::sim::air {

namespace {

constexpr std::uint32_t kInside = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kDirect = 160; ///< unknowns that are solved directly
constexpr float kStrong = 0.2F;      ///< of the strongest link: weaker ones join no block
constexpr std::size_t kMostLevels = 24;

} // namespace

PressureSolver::PressureSolver(const Room& room) : m_room(room)
{
    const Grid& grid = room.grid;
    m_number.assign(grid.total(), -1);
    for (std::size_t c = 0; c < grid.total(); ++c)
        if (!room.solid[c]) {
            m_number[c] = std::int32_t(m_cells.size());
            m_cells.push_back(std::uint32_t(c));
            m_region.push_back(room.region[c]);
        }
    m_regionSize.assign(std::size_t(room.regions), 0);
    for (const std::int32_t region : m_region) ++m_regionSize[std::size_t(region)];

    Level& level = m_levels.emplace_back();
    level.start.push_back(0);
    for (const std::uint32_t c : m_cells) {
        const auto place = grid.place(c);
        level.center.push_back({float(grid.center(0, place[0])), float(grid.center(1, place[1])), float(grid.center(2, place[2]))});
        level.block.push_back({place[0], place[1], place[2]});
        for (std::uint8_t a = 0; a < 3; ++a)
            for (const bool up : {false, true}) {
                const std::size_t f = up ? c + grid.stride(a) : c, other = up ? c + grid.stride(a) : c - grid.stride(a);
                if (room.face[a][f] != Face::Open) continue;
                level.column.push_back(std::uint32_t(m_number[other]));
                m_links.push_back({a, std::uint32_t(f)});
            }
        level.start.push_back(std::uint32_t(level.column.size()));
    }
    for (auto* v : {&m_r, &m_z, &m_d, &m_q, &m_diagonal}) v->assign(m_cells.size(), 0);
    m_value.assign(m_links.size(), 0);
}

void PressureSolver::setCoefficients(const std::array<std::vector<double>, 3>& k)
{
    Level& fine = m_levels.front();
    fine.value.resize(m_links.size());
    for (std::size_t l = 0; l < m_links.size(); ++l) {
        m_value[l] = k[m_links[l].axis][m_links[l].face];
        fine.value[l] = float(m_value[l]);
    }
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        double sum = 0;
        for (std::uint32_t l = fine.start[i]; l < fine.start[i + 1]; ++l) sum += m_value[l];
        m_diagonal[i] = sum;
    }
    if (m_levels.size() == 1) coarsen();
    for (std::size_t n = 0; n + 1 < m_levels.size(); ++n) {
        const Level& from = m_levels[n];
        Level& to = m_levels[n + 1];
        std::ranges::fill(to.value, 0.F);
        for (std::size_t l = 0; l < from.value.size(); ++l)
            if (from.parentLink[l] != kInside) to.value[from.parentLink[l]] += from.value[l] * from.shrink[l];
    }
    for (Level& level : m_levels) {
        const std::size_t n = level.start.size() - 1;
        level.diagonal.assign(n, 0);
        level.inverse.assign(n, 0);
        level.x.resize(n);
        level.b.resize(n);
        level.r.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            float sum = 0;
            for (std::uint32_t l = level.start[i]; l < level.start[i + 1]; ++l) sum += level.value[l];
            level.diagonal[i] = sum;
            level.inverse[i] = sum > 0 ? 1 / sum : 0;
        }
    }
    factorize();
}

void PressureSolver::coarsen()
{
    while (m_levels.back().start.size() - 1 > kDirect && m_levels.size() < kMostLevels) {
        Level& fine = m_levels.back();
        const std::size_t n = fine.start.size() - 1;
        std::vector<float> strongest(n, 0);
        for (std::size_t i = 0; i < n; ++i)
            for (std::uint32_t l = fine.start[i]; l < fine.start[i + 1]; ++l) strongest[i] = std::max(strongest[i], fine.value[l]);
        // A block: what strong links join among the cells of the same eight.
        const auto together = [&](std::size_t i, std::size_t j) {
            for (std::size_t a = 0; a < 3; ++a)
                if ((fine.block[i][a] - 1) / 2 != (fine.block[j][a] - 1) / 2) return false;
            return true;
        };
        fine.parent.assign(n, kInside);
        std::uint32_t blocks = 0;
        std::vector<std::uint32_t> stack;
        for (std::size_t i = 0; i < n; ++i) {
            if (fine.parent[i] != kInside) continue;
            fine.parent[i] = blocks;
            stack.assign(1, std::uint32_t(i));
            while (!stack.empty()) {
                const std::uint32_t at = stack.back();
                stack.pop_back();
                for (std::uint32_t l = fine.start[at]; l < fine.start[at + 1]; ++l) {
                    const std::uint32_t to = fine.column[l];
                    if (fine.parent[to] != kInside || !together(i, to)) continue;
                    if (fine.value[l] < kStrong * std::max(strongest[at], strongest[to])) continue;
                    fine.parent[to] = blocks;
                    stack.push_back(to);
                }
            }
            ++blocks;
        }
        // A grid that is coarse along some axes only would stop here: its blocks grow anyway, since their coordinates halve.
        Level coarse;
        coarse.center.assign(blocks, {0, 0, 0});
        coarse.block.assign(blocks, {0, 0, 0});
        std::vector<float> members(blocks, 0);
        std::vector<std::vector<std::uint32_t>> of(blocks);
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint32_t p = fine.parent[i];
            of[p].push_back(std::uint32_t(i));
            ++members[p];
            for (std::size_t a = 0; a < 3; ++a) {
                coarse.center[p][a] += fine.center[i][a];
                coarse.block[p][a] = (fine.block[i][a] - 1) / 2 + 1;
            }
        }
        for (std::uint32_t p = 0; p < blocks; ++p)
            for (float& x : coarse.center[p]) x /= members[p];
        fine.parentLink.assign(fine.column.size(), kInside);
        fine.shrink.assign(fine.column.size(), 0);
        coarse.start.push_back(0);
        std::vector<std::uint32_t> linkTo(blocks, kInside);
        for (std::uint32_t p = 0; p < blocks; ++p) {
            const std::size_t first = coarse.column.size();
            for (const std::uint32_t i : of[p])
                for (std::uint32_t l = fine.start[i]; l < fine.start[i + 1]; ++l) {
                    const std::uint32_t q = fine.parent[fine.column[l]];
                    if (q == p) continue;
                    if (linkTo[q] == kInside) {
                        linkTo[q] = std::uint32_t(coarse.column.size());
                        coarse.column.push_back(q);
                    }
                    fine.parentLink[l] = linkTo[q];
                    const auto distance = [](const std::array<float, 3>& a, const std::array<float, 3>& b) {
                        return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
                    };
                    const float here = distance(fine.center[i], fine.center[fine.column[l]]), there = distance(coarse.center[p], coarse.center[q]);
                    fine.shrink[l] = std::clamp(there > 0 ? here / there : 1.F, 0.4F, 1.F);
                }
            for (std::size_t l = first; l < coarse.column.size(); ++l) linkTo[coarse.column[l]] = kInside;
            coarse.start.push_back(std::uint32_t(coarse.column.size()));
        }
        coarse.value.assign(coarse.column.size(), 0);
        for (std::size_t l = 0; l < fine.column.size(); ++l)
            if (fine.parentLink[l] != kInside) coarse.value[fine.parentLink[l]] += fine.value[l] * fine.shrink[l];
        const bool same = blocks == n;
        m_levels.push_back(std::move(coarse));
        if (same && m_levels.size() > 12) break;
    }
}

void PressureSolver::factorize()
{
    const Level& level = m_levels.back();
    const std::size_t n = level.start.size() - 1;
    m_factor.clear();
    if (n > 4 * kDirect) return;
    m_factor.assign(n * n, 0);
    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, double(level.diagonal[i]));
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0; // exactly the sum of the links: float rounding would make the matrix indefinite
        for (std::uint32_t l = level.start[i]; l < level.start[i + 1]; ++l) {
            m_factor[i * n + level.column[l]] = -double(level.value[l]);
            sum += double(level.value[l]);
        }
        m_factor[i * n + i] = sum * (1 + 1e-6) + 1e-9 * largest; // regions are defined up to a constant
    }
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < j; ++k) {
            const double f = m_factor[j * n + k];
            if (f == 0) continue;
            for (std::size_t i = j; i < n; ++i) m_factor[i * n + j] -= m_factor[i * n + k] * f;
        }
        const double pivot = std::sqrt(std::max(m_factor[j * n + j], 1e-12 * largest + 1e-300));
        for (std::size_t i = j; i < n; ++i) m_factor[i * n + j] /= pivot;
    }
}

void PressureSolver::cycle(std::size_t number)
{
    Level& level = m_levels[number];
    const std::size_t n = level.start.size() - 1;
    if (number + 1 == m_levels.size() && !m_factor.empty()) {
        std::vector<double> y(n);
        for (std::size_t i = 0; i < n; ++i) {
            double sum = level.b[i];
            for (std::size_t k = 0; k < i; ++k) sum -= m_factor[i * n + k] * y[k];
            y[i] = sum / m_factor[i * n + i];
        }
        for (std::size_t i = n; i-- > 0;) {
            double sum = y[i];
            for (std::size_t k = i + 1; k < n; ++k) sum -= m_factor[k * n + i] * y[k];
            y[i] = sum / m_factor[i * n + i];
        }
        for (std::size_t i = 0; i < n; ++i) level.x[i] = float(y[i]);
        return;
    }
    const auto relax = [&level](std::size_t i) {
        float sum = level.b[i];
        for (std::uint32_t l = level.start[i]; l < level.start[i + 1]; ++l) sum += level.value[l] * level.x[level.column[l]];
        level.x[i] = sum * level.inverse[i];
    };
    std::ranges::fill(level.x, 0.F);
    const bool last = number + 1 == m_levels.size();
    const int sweeps = last ? 20 : 1;
    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (std::size_t i = 0; i < n; ++i) relax(i);
    if (!last) {
        Level& coarse = m_levels[number + 1];
        std::ranges::fill(coarse.b, 0.F);
        for (std::size_t i = 0; i < n; ++i) {
            float r = level.b[i] - level.diagonal[i] * level.x[i];
            for (std::uint32_t l = level.start[i]; l < level.start[i + 1]; ++l) r += level.value[l] * level.x[level.column[l]];
            coarse.b[level.parent[i]] += r;
        }
        cycle(number + 1);
        for (std::size_t i = 0; i < n; ++i) level.x[i] += coarse.x[level.parent[i]];
    }
    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (std::size_t i = n; i-- > 0;) relax(i);
}

void PressureSolver::removeMeans(std::span<double> v) const
{
    std::vector<double> mean(m_regionSize.size(), 0);
    for (std::size_t i = 0; i < v.size(); ++i) mean[std::size_t(m_region[i])] += v[i];
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] /= m_regionSize[k];
    for (std::size_t i = 0; i < v.size(); ++i) v[i] -= mean[std::size_t(m_region[i])];
}

int PressureSolver::solve(std::span<const double> b, std::span<double> p, double tolerance, int most)
{
    const Level& fine = m_levels.front();
    const std::size_t n = size();
    const auto apply = [&](std::span<const double> x, std::span<double> y) {
        for (std::size_t i = 0; i < n; ++i) {
            double sum = m_diagonal[i] * x[i];
            for (std::uint32_t l = fine.start[i]; l < fine.start[i + 1]; ++l) sum -= m_value[l] * x[fine.column[l]];
            y[i] = sum;
        }
    };
    const auto precondition = [&] {
        Level& level = m_levels.front();
        for (std::size_t i = 0; i < n; ++i) level.b[i] = float(m_r[i]);
        cycle(0);
        for (std::size_t i = 0; i < n; ++i) m_z[i] = level.x[i];
        removeMeans(m_z);
    };
    std::vector<double> rhs(b.begin(), b.end());
    removeMeans(rhs);
    apply(p, m_q);
    double error = 0;
    for (std::size_t i = 0; i < n; ++i) {
        m_r[i] = rhs[i] - m_q[i];
        error += std::abs(m_r[i]);
    }
    double rho = 0;
    int iteration = 0;
    for (; iteration < most && error > tolerance; ++iteration) {
        precondition();
        double next = 0, change = 0;
        for (std::size_t i = 0; i < n; ++i) next += m_r[i] * m_z[i];
        if (iteration > 0)
            for (std::size_t i = 0; i < n; ++i) change += m_q[i] * m_z[i]; // flexible: the cycle works in single precision
        if (!(next > 0)) break;
        const double beta = iteration > 0 ? std::max(0.0, -change / rho) : 0.0;
        for (std::size_t i = 0; i < n; ++i) m_d[i] = m_z[i] + beta * m_d[i];
        apply(m_d, m_q);
        double curvature = 0;
        for (std::size_t i = 0; i < n; ++i) curvature += m_d[i] * m_q[i];
        if (!(curvature > 0)) break;
        const double alpha = next / curvature;
        error = 0;
        for (std::size_t i = 0; i < n; ++i) {
            p[i] += alpha * m_d[i];
            m_r[i] -= alpha * m_q[i];
            error += std::abs(m_r[i]);
        }
        rho = curvature;
    }
    removeMeans(p);
    return iteration;
}

} // namespace hw::sim::air

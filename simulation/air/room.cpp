// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/air/room.h"

#include <algorithm>
#include <cmath>

namespace hw::sim::air {

Room::Room(Grid g) : grid(std::move(g))
{
    solid.assign(grid.total(), 1);
    isothermal.assign(grid.total(), 0);
    wallC.assign(grid.total(), 0);
    for (std::size_t a = 0; a < 3; ++a) {
        face[a].assign(grid.total(), Face::Wall);
        velocity[a].assign(grid.total(), 0);
        loss[a].assign(grid.total(), 0);
    }
    for (int k = 1; k <= grid.count(2); ++k)
        for (int j = 1; j <= grid.count(1); ++j)
            for (int i = 1; i <= grid.count(0); ++i) solid[grid.at(i, j, k)] = 0;
}

namespace {

/// Cells whose edges the interval covers, after both ends went to the nearest face.
std::pair<int, int> covered(const Grid& grid, int axis, double low, double high)
{
    return {grid.nearestFace(axis, low), grid.nearestFace(axis, high) - 1};
}

} // namespace

void Room::fillSolid(const Box& box)
{
    std::array<std::pair<int, int>, 3> range;
    for (std::size_t a = 0; a < 3; ++a) range[a] = covered(grid, int(a), box.low[a], box.high[a]);
    for (int k = range[2].first; k <= range[2].second; ++k)
        for (int j = range[1].first; j <= range[1].second; ++j)
            for (int i = range[0].first; i <= range[0].second; ++i) solid[grid.at(i, j, k)] = 1;
}

std::vector<std::size_t> Room::plane(int axis, double at, const Box& box) const
{
    std::array<std::pair<int, int>, 3> range;
    for (std::size_t a = 0; a < 3; ++a) range[a] = covered(grid, int(a), box.low[a], box.high[a]);
    const int face = grid.nearestFace(axis, at);
    range[std::size_t(axis)] = {face, face};
    std::vector<std::size_t> out;
    for (int k = range[2].first; k <= range[2].second; ++k)
        for (int j = range[1].first; j <= range[1].second; ++j)
            for (int i = range[0].first; i <= range[0].second; ++i) out.push_back(grid.at(i, j, k));
    return out;
}

void Room::openFaces()
{
    for (std::size_t a = 0; a < 3; ++a) {
        const std::size_t step = grid.stride(int(a));
        for (std::size_t c = step; c < grid.total(); ++c) face[a][c] = solid[c] || solid[c - step] ? Face::Wall : Face::Open;
    }
}

void Room::addWall(int axis, double at, const Box& box)
{
    for (const std::size_t f : plane(axis, at, box))
        if (face[std::size_t(axis)][f] == Face::Open) face[std::size_t(axis)][f] = Face::Wall;
}

void Room::addLoss(int axis, double at, const Box& box, double coefficient)
{
    const std::size_t step = grid.stride(axis);
    for (const std::size_t f : plane(axis, at, box)) {
        if (solid[f] || solid[f - step]) continue;
        face[std::size_t(axis)][f] = Face::Open;
        loss[std::size_t(axis)][f] = float(coefficient);
    }
}

Patch Room::patch(int axis, double at, const Box& box, int sign, bool intoSolid) const
{
    Patch out;
    out.axis = axis;
    out.sign = sign;
    const std::size_t step = grid.stride(axis);
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    for (const std::size_t f : plane(axis, at, box)) {
        const std::size_t after = sign > 0 ? f : f - step, before = sign > 0 ? f - step : f;
        if (face[std::size_t(axis)][f] != Face::Wall || bool(solid[after]) != intoSolid || bool(solid[before]) == intoSolid) continue;
        const auto place = grid.place(f);
        out.faces.push_back(f);
        out.area += grid.size(b, place[std::size_t(b)]) * grid.size(c, place[std::size_t(c)]);
    }
    return out;
}

void Room::addExchange(Exchange exchange)
{
    exchanges.push_back(std::move(exchange));
    for (const Patch* patch : {&exchanges.back().intake, &exchanges.back().outlet})
        for (const std::size_t f : patch->faces) face[std::size_t(patch->axis)][f] = Face::Given;
    setFlow(exchanges.size() - 1, exchanges.back().flow);
}

void Room::setFlow(std::size_t number, double flow)
{
    Exchange& exchange = exchanges[number];
    exchange.flow = flow;
    for (const Patch* patch : {&exchange.intake, &exchange.outlet})
        for (const std::size_t f : patch->faces) velocity[std::size_t(patch->axis)][f] = patch->sign * flow / patch->area;
}

std::optional<Room::Imbalance> Room::closeAndCheck()
{
    region.assign(grid.total(), -1);
    regions = 0;
    std::vector<std::size_t> stack, cells;
    std::optional<Imbalance> bad;
    double allFlow = 0;
    for (const Exchange& e : exchanges) allFlow += e.flow;
    for (std::size_t start = 0; start < grid.total(); ++start) {
        if (solid[start] || region[start] >= 0) continue;
        cells.clear();
        stack.assign(1, start);
        region[start] = regions;
        double net = 0;
        while (!stack.empty()) {
            const std::size_t c = stack.back();
            stack.pop_back();
            cells.push_back(c);
            const auto place = grid.place(c);
            for (std::size_t a = 0; a < 3; ++a) {
                const std::size_t step = grid.stride(int(a));
                const double area = grid.size(int((a + 1) % 3), place[(a + 1) % 3]) * grid.size(int((a + 2) % 3), place[(a + 2) % 3]);
                for (const bool up : {false, true}) {
                    const std::size_t f = up ? c + step : c, other = up ? c + step : c - step;
                    if (face[a][f] == Face::Given) net += (up ? -1 : 1) * velocity[a][f] * area;
                    if (face[a][f] != Face::Open || region[other] >= 0) continue;
                    region[other] = regions;
                    stack.push_back(other);
                }
            }
        }
        if (std::abs(net) > 1e-9 * std::max(allFlow, 1e-9)) {
            if (!bad || std::abs(net) > std::abs(bad->flow)) bad = Imbalance{start, net};
        }
        if (cells.size() == 1) { // nothing moves there
            region[start] = -1;
            solid[start] = 1;
            continue;
        }
        ++regions;
    }
    return bad;
}

} // namespace hw::sim::air

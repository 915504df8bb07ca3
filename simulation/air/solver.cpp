// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/air/solver.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace hw::sim::air {

namespace {

/// Harmonic limiter (van Leer): second order where the profile is smooth, never beyond its neighbors.
double limited(double up, double down) { return up * down > 0 ? 2 * up * down / (up + down) : 0.0; }

/// Share of a face with a loss through which air mixes: about its free area.
double passing(float loss) { return loss > 0 ? 1 / std::sqrt(1 + double(loss)) : 1.0; }

constexpr float kScreen = 10; ///< loss from which a face ends the eddies before it, as a wall does

constexpr double kChenXu = 0.03874; ///< turbulent viscosity = this × speed × distance to the nearest wall (Chen and Xu 1998)

} // namespace

Solver::Solver(Room& room, Air air, Controls c) : controls(c), m_room(room), m_air(air), m_solver(room)
{
    const std::size_t n = room.grid.total();
    for (std::size_t a = 0; a < 3; ++a) {
        fields.velocity[a] = room.velocity[a];
        m_coefficient[a].assign(n, 0);
        m_momentum[a].change.assign(n, 0);
        for (std::size_t f = 0; f < n; ++f)
            if (room.face[a][f] == Face::Open) m_momentum[a].faces.push_back(std::uint32_t(f));
        m_momentum[a].rows.resize(m_momentum[a].faces.size());
    }
    double supply = 0, flow = 0;
    for (const Exchange& e : room.exchanges)
        if (e.plant) {
            supply += e.supplyC * e.flow;
            flow += e.flow;
        }
    fields.pressure.assign(n, 0);
    fields.celsius.assign(n, flow > 0 ? supply / flow : air.referenceC);
    for (std::size_t cell = 0; cell < n; ++cell)
        if (room.isothermal[cell]) fields.celsius[cell] = room.wallC[cell];
    fields.turbulence.assign(n, 0);
    m_rows.resize(m_solver.size());
    m_divergence.assign(m_solver.size(), 0);
    m_correction.assign(m_solver.size(), 0);
    m_outletC.assign(room.exchanges.size(), flow > 0 ? supply / flow : air.referenceC);
    findDistances();
    updateOutlets();
}

/// Distance to the nearest wall: |∇d| = 1 by sweeps in the eight directions, from half a cell beside each wall.
void Solver::findDistances()
{
    const Grid& g = m_room.grid;
    std::vector<float>& d = m_distance;
    d.assign(g.total(), 1e9F);
    for (std::size_t c = 0; c < g.total(); ++c) {
        if (m_room.solid[c]) { continue; }
        const auto place = g.place(c);
        for (std::size_t a = 0; a < 3; ++a)
            for (const std::size_t f : {c, c + g.stride(int(a))})
                if (m_room.face[a][f] == Face::Wall || m_room.loss[a][f] > kScreen) d[c] = std::min(d[c], float(g.size(int(a), place[a]) / 2));
    }
    const std::array<int, 3> n{g.count(0), g.count(1), g.count(2)};
    for (int round = 0; round < 2; ++round)
        for (int direction = 0; direction < 8; ++direction) {
            const auto at = [&](int axis, int i) { return (direction >> axis) & 1 ? n[std::size_t(axis)] + 1 - i : i; };
            for (int kk = 1; kk <= n[2]; ++kk)
                for (int jj = 1; jj <= n[1]; ++jj)
                    for (int ii = 1; ii <= n[0]; ++ii) {
                        const std::array<int, 3> place{at(0, ii), at(1, jj), at(2, kk)};
                        const std::size_t c = g.at(place[0], place[1], place[2]);
                        if (m_room.solid[c]) continue;
                        // a x² − 2 b x + c = 1 over the axes whose neighbor is nearer
                        std::array<std::pair<double, double>, 3> near; // distance, spacing
                        for (std::size_t a = 0; a < 3; ++a) {
                            const std::size_t s = g.stride(int(a));
                            const bool open = m_room.face[a][c] == Face::Open, openUp = m_room.face[a][c + s] == Face::Open;
                            near[a] = {1e9, 1};
                            if (open) near[a] = {d[c - s], g.spacing(int(a), place[a])};
                            if (openUp && double(d[c + s]) < near[a].first) near[a] = {d[c + s], g.spacing(int(a), place[a] + 1)};
                        }
                        std::ranges::sort(near);
                        double x = 1e9;
                        double qa = 0, qb = 0, qc = -1;
                        for (const auto& [value, h] : near) {
                            if (value >= x || value > 1e8) break;
                            qa += 1 / (h * h);
                            qb += value / (h * h);
                            qc += value * value / (h * h);
                            const double root = qb * qb - qa * qc;
                            if (root < 0) break;
                            x = (qb + std::sqrt(root)) / qa;
                        }
                        d[c] = std::min(d[c], float(x));
                    }
        }
    for (float& x : d)
        if (x > 1e8F) x = 1;
}

void Solver::updateTurbulence()
{
    if (!controls.turbulent) return;
    const Grid& g = m_room.grid;
    for (const std::uint32_t c : m_solver.cells()) {
        double square = 0;
        for (std::size_t a = 0; a < 3; ++a) {
            const double v = (fields.velocity[a][c] + fields.velocity[a][c + g.stride(int(a))]) / 2;
            square += v * v;
        }
        fields.turbulence[c] = kChenXu * std::sqrt(square) * double(m_distance[c]);
    }
}

void Solver::assemble(int axis)
{
    const auto a = std::size_t(axis);
    const Grid& g = m_room.grid;
    const std::vector<double>& u = fields.velocity[a];
    const std::size_t s = g.stride(axis);
    Momentum& momentum = m_momentum[a];
    const double nu0 = m_air.viscosity, blend = controls.blend;
    for (std::size_t n = 0; n < momentum.faces.size(); ++n) {
        const std::size_t f = momentum.faces[n], p = f, m = f - s;
        const auto place = g.place(f);
        const int i = place[a];
        const double halfM = g.size(axis, i - 1) / 2, halfP = g.size(axis, i) / 2;
        const int b0 = (axis + 1) % 3, c0 = (axis + 2) % 3;
        const double area = g.size(b0, place[std::size_t(b0)]) * g.size(c0, place[std::size_t(c0)]);
        const double volume = area * (halfM + halfP);
        Row row{0, 0, {}};
        double out = 0; // what leaves: as much comes in
        const auto second = [&](double flux, std::size_t from, std::size_t to, std::ptrdiff_t stride, double spacing, double behind, double reach) {
            // the neighbor behind must be a velocity of the same line
            const std::size_t back = std::size_t(std::ptrdiff_t(from) - stride);
            const double up = (u[from] - u[back]) / behind, down = (u[to] - u[from]) / spacing;
            row.constant -= blend * flux * limited(up, down) * reach;
        };
        // along the axis: through the centers of both cells
        {
            const double high = (u[f] + u[f + s]) / 2 * area, low = (u[f] + u[f - s]) / 2 * area;
            row.neighbor[2 * a + 1] = (nu0 + fields.turbulence[p]) * area / (2 * halfP) + std::max(-high, 0.0);
            row.neighbor[2 * a] = (nu0 + fields.turbulence[m]) * area / (2 * halfM) + std::max(low, 0.0);
            out += std::max(high, 0.0) + std::max(-low, 0.0);
            if (blend > 0) {
                const auto st = std::ptrdiff_t(s);
                if (high > 0)
                    second(high, f, f + s, st, 2 * halfP, 2 * halfM, halfP);
                else if (m_room.face[a][f + s] == Face::Open)
                    second(high, f + s, f, -st, 2 * halfP, g.size(axis, i + 1), halfP);
                if (low < 0)
                    second(-low, f, f - s, -st, 2 * halfM, 2 * halfP, halfM);
                else if (m_room.face[a][f - s] == Face::Open)
                    second(-low, f - s, f, st, 2 * halfM, g.size(axis, i - 2), halfM);
            }
        }
        for (const int b : {b0, c0}) {
            const auto bb = std::size_t(b);
            const int c = b == b0 ? c0 : b0;
            const std::size_t sb = g.stride(b);
            const int j = place[bb];
            const double depth = g.size(c, place[std::size_t(c)]);
            for (const bool up : {false, true}) {
                double open = 0;
                double& neighbor = row.neighbor[2 * bb + (up ? 1 : 0)];
                const std::size_t beside = up ? f + sb : f - sb;
                for (const auto& [q, half] : {std::pair{m, halfM}, std::pair{p, halfP}}) {
                    const std::size_t lateral = up ? q + sb : q, other = up ? q + sb : q - sb;
                    const double piece = half * depth;
                    const Face kind = m_room.face[bb][lateral];
                    const double flux = (up ? 1 : -1) * fields.velocity[bb][lateral] * piece; // outward
                    if (kind == Face::Open) {
                        const double spacing = up ? g.spacing(b, j + 1) : g.spacing(b, j);
                        const double nu = nu0 + (fields.turbulence[q] + fields.turbulence[other]) / 2;
                        neighbor += nu * piece / spacing * passing(m_room.loss[bb][lateral]) + std::max(-flux, 0.0);
                        open += flux;
                    } else if (kind == Face::Given || !controls.frictionless[bb]) {
                        const double k = (nu0 + fields.turbulence[q]) * piece / (g.size(b, j) / 2) + std::max(-flux, 0.0);
                        row.diagonal += k;
                        if (m_room.solid[other]) row.constant += k * m_room.velocity[a][beside];
                    }
                    out += std::max(flux, 0.0);
                }
                if (blend > 0 && open != 0) {
                    const auto st = std::ptrdiff_t(sb);
                    const double here = g.spacing(b, up ? j + 1 : j);
                    if (open > 0) {
                        const std::size_t back = up ? f - sb : f + sb;
                        if (m_room.face[a][back] == Face::Open)
                            second(open, f, beside, up ? st : -st, here, g.spacing(b, up ? j : j + 1), g.size(b, j) / 2);
                    } else if (m_room.face[a][beside] == Face::Open) {
                        const std::size_t back = up ? beside + sb : beside - sb;
                        if (m_room.face[a][back] == Face::Open)
                            second(open, beside, f, up ? -st : st, here, g.spacing(b, up ? j + 2 : j - 1), g.size(b, up ? j + 1 : j - 1) / 2);
                    }
                }
            }
        }
        double sum = row.diagonal;
        for (const double k : row.neighbor) sum += k;
        const double step = std::min(controls.courant * volume / sum, controls.longestStep);
        // Pressure of the last step, buoyancy, losses (linear about the last velocity).
        row.constant -= (fields.pressure[p] - fields.pressure[m]) * area;
        if (axis == 2) {
            const double t = (fields.celsius[m] * halfP + fields.celsius[p] * halfM) / (halfM + halfP);
            row.constant += m_air.gravity * m_air.expansion * (t - m_air.referenceC) * volume;
        }
        double drag = 0;
        if (const double k = double(m_room.loss[a][f]); k > 0) {
            const double speed = std::max(std::abs(u[f]), 1e-3);
            drag = k * speed * area;
            row.constant += k / 2 * std::abs(u[f]) * u[f] * area + k * (speed - std::abs(u[f])) * u[f] * area;
        }
        row.diagonal = sum + volume / step + drag;
        row.constant += volume / step * u[f];
        momentum.rows[n] = row;
        momentum.change[f] = volume / (volume / step + drag);
    }
}

void Solver::sweep(int axis, int sweeps)
{
    const Grid& g = m_room.grid;
    std::vector<double>& u = fields.velocity[std::size_t(axis)];
    Momentum& momentum = m_momentum[std::size_t(axis)];
    const std::array<std::size_t, 3> s{g.stride(0), g.stride(1), g.stride(2)};
    const auto relax = [&](std::size_t n) {
        const std::size_t f = momentum.faces[n];
        const Row& r = momentum.rows[n];
        u[f] = (r.constant + r.neighbor[0] * u[f - s[0]] + r.neighbor[1] * u[f + s[0]] + r.neighbor[2] * u[f - s[1]] + r.neighbor[3] * u[f + s[1]] +
                r.neighbor[4] * u[f - s[2]] + r.neighbor[5] * u[f + s[2]]) /
               r.diagonal;
    };
    for (int round = 0; round < sweeps; ++round) {
        for (std::size_t n = 0; n < momentum.faces.size(); ++n) relax(n);
        for (std::size_t n = momentum.faces.size(); n-- > 0;) relax(n);
    }
}

double Solver::movedFlow() const
{
    double flow = 0;
    for (const Exchange& e : m_room.exchanges) flow += e.flow;
    if (flow > 0) return flow;
    // A closed cavity: what passes the faces of one axis, on average over its planes.
    const Grid& g = m_room.grid;
    for (std::size_t a = 0; a < 3; ++a) {
        double sum = 0;
        for (const std::uint32_t f : m_momentum[a].faces) {
            const auto place = g.place(f);
            sum += std::abs(fields.velocity[a][f]) * g.size(int((a + 1) % 3), place[(a + 1) % 3]) * g.size(int((a + 2) % 3), place[(a + 2) % 3]);
        }
        flow = std::max(flow, sum / (2 * g.count(int(a))));
    }
    return std::max(flow, 1e-12);
}

void Solver::project(double relative, int most)
{
    const Grid& g = m_room.grid;
    const std::span<const std::uint32_t> cells = m_solver.cells();
    for (std::size_t a = 0; a < 3; ++a)
        for (const std::uint32_t f : m_momentum[a].faces) {
            const auto place = g.place(f);
            const double area = g.size(int((a + 1) % 3), place[(a + 1) % 3]) * g.size(int((a + 2) % 3), place[(a + 2) % 3]);
            m_coefficient[a][f] = m_momentum[a].change[f] * area / g.spacing(int(a), place[a]);
        }
    m_solver.setCoefficients(m_coefficient);
    const auto diverge = [&] {
        double sum = 0;
        for (std::size_t n = 0; n < cells.size(); ++n) {
            const std::size_t c = cells[n];
            const auto place = g.place(c);
            double d = 0;
            for (std::size_t a = 0; a < 3; ++a) {
                const double area = g.size(int((a + 1) % 3), place[(a + 1) % 3]) * g.size(int((a + 2) % 3), place[(a + 2) % 3]);
                d += (fields.velocity[a][c] - fields.velocity[a][c + g.stride(int(a))]) * area;
            }
            m_divergence[n] = d;
            sum += std::abs(d);
        }
        return sum;
    };
    const double before = diverge(), flow = movedFlow();
    std::ranges::fill(m_correction, 0.0);
    m_solver.solve(m_divergence, m_correction, std::max(std::min(before * relative, 1e-3 * flow), 0.2 * controls.massError * flow), most);
    const std::span<const std::int32_t> numbers = m_solver.numbers();
    for (std::size_t a = 0; a < 3; ++a)
        for (const std::uint32_t f : m_momentum[a].faces) {
            const auto place = g.place(f);
            const double gradient =
                (m_correction[std::size_t(numbers[f])] - m_correction[std::size_t(numbers[f - g.stride(int(a))])]) / g.spacing(int(a), place[a]);
            fields.velocity[a][f] -= m_momentum[a].change[f] * gradient;
        }
    for (std::size_t n = 0; n < cells.size(); ++n) fields.pressure[cells[n]] += m_correction[n];
    m_massError = diverge() / flow;
}

void Solver::assembleScalar(const std::vector<double>& value, std::vector<Row>& rows, bool steady) const
{
    const Grid& g = m_room.grid;
    const std::span<const std::uint32_t> cells = m_solver.cells();
    const double blend = controls.blend, cap = controls.longestHeatStep > 0 ? controls.longestHeatStep : controls.longestStep;
    for (std::size_t n = 0; n < cells.size(); ++n) {
        const std::size_t c = cells[n];
        const auto place = g.place(c);
        Row row{0, 0, {}};
        for (std::size_t a = 0; a < 3; ++a) {
            const int axis = int(a), i = place[a];
            const std::size_t s = g.stride(axis);
            const double area = g.size(int((a + 1) % 3), place[(a + 1) % 3]) * g.size(int((a + 2) % 3), place[(a + 2) % 3]);
            const auto diffusivity = [&](std::size_t cell) {
                return m_air.viscosity / m_air.prandtl + fields.turbulence[cell] / controls.turbulentPrandtl;
            };
            for (const bool up : {false, true}) {
                const std::size_t f = up ? c + s : c, other = up ? c + s : c - s;
                const double flux = (up ? 1 : -1) * fields.velocity[a][f] * area;
                double& neighbor = row.neighbor[2 * a + (up ? 1 : 0)];
                switch (m_room.face[a][f]) {
                case Face::Open: {
                    const double spacing = g.spacing(axis, up ? i + 1 : i);
                    neighbor = (diffusivity(c) + diffusivity(other)) / 2 * area / spacing * passing(m_room.loss[a][f]) + std::max(-flux, 0.0);
                    if (blend > 0) { // what leaves or comes beyond first order, by the limited slope on the windward side
                        const std::size_t from = flux > 0 ? c : other, to = flux > 0 ? other : c;
                        const bool forward = to > from;
                        const std::size_t back = forward ? from - s : from + s, between = forward ? from : from + s;
                        if (m_room.face[a][between] == Face::Open) {
                            const int at = flux > 0 ? i : (up ? i + 1 : i - 1);
                            const double behind = g.spacing(axis, forward ? at : at + 1);
                            row.constant -= blend * flux * limited((value[from] - value[back]) / behind, (value[to] - value[from]) / spacing) *
                                            g.size(axis, at) / 2;
                        }
                    }
                    break;
                }
                case Face::Given: // air that comes out of a solid has the temperature kept there
                    neighbor = std::max(-flux, 0.0);
                    break;
                case Face::Wall:
                    if (!steady && m_room.isothermal[other]) neighbor = diffusivity(c) * area / (g.size(axis, i) / 2);
                    break;
                }
            }
        }
        double sum = 0;
        for (const double k : row.neighbor) sum += k;
        const double volume = g.size(0, place[0]) * g.size(1, place[1]) * g.size(2, place[2]);
        const double rate = steady ? sum * 1e-3 : volume / std::min(controls.courant * volume / std::max(sum, 1e-30), cap);
        row.diagonal = sum + rate;
        row.constant += rate * value[c];
        rows[n] = row;
    }
}

void Solver::transportHeat()
{
    const Grid& g = m_room.grid;
    assembleScalar(fields.celsius, m_rows, false);
    const std::span<const std::uint32_t> cells = m_solver.cells();
    std::vector<double>& t = fields.celsius;
    const std::array<std::size_t, 3> s{g.stride(0), g.stride(1), g.stride(2)};
    const auto relax = [&](std::size_t n) {
        const std::size_t c = cells[n];
        const Row& r = m_rows[n];
        t[c] = (r.constant + r.neighbor[0] * t[c - s[0]] + r.neighbor[1] * t[c + s[0]] + r.neighbor[2] * t[c - s[1]] + r.neighbor[3] * t[c + s[1]] +
                r.neighbor[4] * t[c - s[2]] + r.neighbor[5] * t[c + s[2]]) /
               r.diagonal;
    };
    for (int round = 0; round < 3; ++round) {
        for (std::size_t n = 0; n < cells.size(); ++n) relax(n);
        for (std::size_t n = cells.size(); n-- > 0;) relax(n);
    }
    m_wallHeatW = 0;
    double in = 0;
    for (std::size_t n = 0; n < cells.size(); ++n)
        for (std::size_t a = 0; a < 3; ++a)
            for (const bool up : {false, true}) {
                const std::size_t f = up ? cells[n] + s[a] : cells[n], other = up ? cells[n] + s[a] : cells[n] - s[a];
                if (m_room.face[a][f] != Face::Wall || !m_room.isothermal[other]) continue;
                const double w = m_rows[n].neighbor[2 * a + (up ? 1 : 0)] * (t[other] - t[cells[n]]) * m_air.heat();
                m_wallHeatW += w;
                in += std::max(w, 0.0);
            }
    m_wallInW = in;
    updateOutlets();
}

double Solver::intakeMeanOf(const Patch& patch, const std::vector<double>& scalar) const
{
    const Grid& g = m_room.grid;
    const std::size_t s = g.stride(patch.axis);
    const auto b = std::size_t((patch.axis + 1) % 3), c = std::size_t((patch.axis + 2) % 3);
    double sum = 0;
    for (const std::size_t f : patch.faces) {
        const auto place = g.place(f);
        sum += scalar[patch.sign > 0 ? f - s : f] * g.size(int(b), place[b]) * g.size(int(c), place[c]);
    }
    return patch.area > 0 ? sum / patch.area : 0.0;
}

double Solver::intakeC(std::size_t exchange) const { return intakeMeanOf(m_room.exchanges[exchange].intake, fields.celsius); }

void Solver::updateOutlets()
{
    const Grid& g = m_room.grid;
    for (std::size_t e = 0; e < m_room.exchanges.size(); ++e) {
        const Exchange& x = m_room.exchanges[e];
        if (x.flow <= 0) continue;
        const double in = intakeC(e), rate = m_air.heat() * x.flow;
        double out = x.plant ? x.supplyC : in + x.heatW / rate;
        if (x.plant && x.capacityW > 0) out = std::max(out, in - capacityAt(x, in) / rate);
        m_outletC[e] = out;
        for (const std::size_t f : x.outlet.faces) fields.celsius[x.outlet.sign > 0 ? f - g.stride(x.outlet.axis) : f] = out;
    }
}

double Solver::plantW(std::size_t exchange) const
{
    const Exchange& x = m_room.exchanges[exchange];
    return x.plant ? m_air.heat() * x.flow * (intakeC(exchange) - m_outletC[exchange]) : 0.0;
}

double Solver::heatInW() const
{
    double sum = 0;
    for (const Exchange& x : m_room.exchanges)
        if (!x.plant && x.flow > 0) sum += x.heatW;
    return sum;
}

void Solver::step()
{
    updateFans();
    updateTurbulence();
    for (int axis = 0; axis < 3; ++axis) assemble(axis);
    for (int axis = 0; axis < 3; ++axis) sweep(axis, 2);
    if (m_resting)
        project(0, 200); // to the certificate's tolerance
    else
        project(0.02, 30);
    transportHeat();
    ++m_steps;
}

double Solver::capacityAt(const Exchange& x, double returnC) const
{
    if (x.ratedReturnC <= x.waterC) return x.capacityW;
    return x.capacityW * std::clamp((returnC - x.waterC) / (x.ratedReturnC - x.waterC), 0.0, 1.0);
}

/// Fans and what they blow through as one parabola: the rated flow without a difference of pressure between front and rear, none against `fanPa`.
void Solver::updateFans()
{
    constexpr double kRelax = 0.1, kLeast = 0.05, kMost = 1.5;
    m_fanError = 0;
    for (std::size_t e = 0; e < m_room.exchanges.size(); ++e) {
        const Exchange& x = m_room.exchanges[e];
        if (x.fanPa <= 0 || x.ratedFlow <= 0) continue;
        Patch rear = x.outlet;
        rear.sign = -rear.sign; // the air behind it
        const double pa = m_air.density * (intakeMeanOf(x.intake, fields.pressure) - intakeMeanOf(rear, fields.pressure));
        const double wanted = x.ratedFlow * std::clamp(std::sqrt(std::max(1 + pa / x.fanPa, 0.0)), kLeast, kMost);
        m_fanError = std::max(m_fanError, std::abs(wanted - x.flow) / x.ratedFlow);
        m_room.setFlow(e, x.flow + kRelax * (wanted - x.flow));
        for (const Patch* patch : {&x.intake, &x.outlet})
            for (const std::size_t f : patch->faces) fields.velocity[std::size_t(patch->axis)][f] = m_room.velocity[std::size_t(patch->axis)][f];
    }
}

Certificate Solver::certificate() const
{
    Certificate out;
    out.steps = m_steps;
    out.massError = m_massError;
    double removed = 0;
    for (std::size_t e = 0; e < m_room.exchanges.size(); ++e) removed += plantW(e);
    const double in = heatInW() + m_wallInW;
    out.heatError = in > 0 ? std::abs(heatInW() + m_wallHeatW - removed) / in : 0.0;
    return out;
}

Certificate Solver::run(const Progress& progress, double from, double to)
{
    m_history.clear();
    const std::size_t exchanges = m_room.exchanges.size();
    Certificate out;
    for (int n = 1; n <= controls.most; ++n) {
        if (progress.stopRequested()) break;
        step();
        std::vector<double> now;
        for (std::size_t e = 0; e < exchanges; ++e) now.push_back(intakeC(e));
        for (const std::size_t c : monitors) now.push_back(fields.celsius[c]);
        for (const std::size_t c : monitors) {
            double square = 0;
            for (std::size_t a = 0; a < 3; ++a) {
                const double v = (fields.velocity[a][c] + fields.velocity[a][c + m_room.grid.stride(int(a))]) / 2;
                square += v * v;
            }
            now.push_back(std::sqrt(square));
        }
        m_history.push_back(std::move(now));
        out = certificate();
        const std::size_t window = std::min(m_history.size(), std::size_t(controls.window));
        const std::size_t count = m_history.back().size(), speeds = monitors.size();
        m_intakeMean.assign(exchanges, 0);
        m_intakeSwing.assign(exchanges, 0);
        for (std::size_t k = 0; k < count; ++k) {
            double low = 1e30, high = -1e30, sum = 0;
            for (std::size_t h = m_history.size() - window; h < m_history.size(); ++h) {
                low = std::min(low, m_history[h][k]);
                high = std::max(high, m_history[h][k]);
                sum += m_history[h][k];
            }
            (k + speeds < count ? out.swingK : out.swingMs) = std::max(k + speeds < count ? out.swingK : out.swingMs, high - low);
            if (k < exchanges) {
                m_intakeMean[k] = sum / double(window);
                m_intakeSwing[k] = high - low;
            }
        }
        m_resting = int(window) >= controls.window && out.swingK <= controls.settledK && out.swingMs <= controls.settledMs;
        out.fanError = m_fanError;
        m_resting = m_resting && m_fanError <= controls.fanError;
        out.settled = n >= controls.least && m_fanError <= controls.fanError && int(window) >= controls.window && out.swingK <= controls.settledK &&
                      out.swingMs <= controls.settledMs && out.massError <= controls.massError && out.heatError <= controls.heatError;
        if (out.settled) break;
        if (n % 5 == 0)
            progress.report(from + (to - from) * n / controls.most, words(i18n("Step {:L}: rack inlets move by {:.2f} K", m_steps, out.swingK)));
    }
    return out;
}

std::vector<double> Solver::tracer(const std::vector<char>& source) const
{
    const Grid& g = m_room.grid;
    std::vector<double> share(g.total(), 0);
    for (std::size_t e = 0; e < m_room.exchanges.size(); ++e) {
        const Exchange& x = m_room.exchanges[e];
        if (x.flow > 0)
            for (const std::size_t f : x.outlet.faces) share[x.outlet.sign > 0 ? f - g.stride(x.outlet.axis) : f] = source[e] ? 1.0 : 0.0;
    }
    std::vector<Row> rows(m_solver.size());
    const std::span<const std::uint32_t> cells = m_solver.cells();
    const std::array<std::size_t, 3> s{g.stride(0), g.stride(1), g.stride(2)};
    for (int round = 0; round < 60; ++round) {
        if (round % 4 == 0) assembleScalar(share, rows, true);
        double change = 0;
        const auto relax = [&](std::size_t n) {
            const std::size_t c = cells[n];
            const Row& r = rows[n];
            const double value = (r.constant + r.neighbor[0] * share[c - s[0]] + r.neighbor[1] * share[c + s[0]] + r.neighbor[2] * share[c - s[1]] +
                                  r.neighbor[3] * share[c + s[1]] + r.neighbor[4] * share[c - s[2]] + r.neighbor[5] * share[c + s[2]]) /
                                 r.diagonal;
            change = std::max(change, std::abs(value - share[c]));
            share[c] = value;
        };
        for (std::size_t n = 0; n < cells.size(); ++n) relax(n);
        for (std::size_t n = cells.size(); n-- > 0;) relax(n);
        if (change < 1e-5) break;
    }
    return share;
}

double Solver::averageC() const
{
    const Grid& g = m_room.grid;
    double sum = 0, volume = 0;
    for (const std::uint32_t c : m_solver.cells()) {
        const auto place = g.place(c);
        const double v = g.size(0, place[0]) * g.size(1, place[1]) * g.size(2, place[2]);
        sum += v * fields.celsius[c];
        volume += v;
    }
    return volume > 0 ? sum / volume : 0.0;
}

/// The eight corners around a point, each with its weight: `low` is the lowest, `share` how far from it the point lies, 0 to 1.
template <class Visit>
static void eachCorner(const std::array<int, 3>& low, const std::array<double, 3>& share, Visit visit)
{
    for (int corner = 0; corner < 8; ++corner) {
        double weight = 1;
        std::array<int, 3> at = low;
        for (std::size_t b = 0; b < 3; ++b) {
            const bool up = (corner >> b) & 1;
            at[b] += up ? 1 : 0;
            weight *= up ? share[b] : 1 - share[b];
        }
        visit(at, weight);
    }
}

std::array<double, 3> Solver::velocityAt(double x, double y, double z) const
{
    // Along the axis between its two faces; across, between the centers of the cells around (walls count as resting).
    const Grid& g = m_room.grid;
    const std::array<double, 3> point{x, y, z};
    std::array<double, 3> out{};
    for (std::size_t a = 0; a < 3; ++a) {
        std::array<int, 3> low{};
        std::array<double, 3> share{};
        for (std::size_t b = 0; b < 3; ++b) {
            const int i = g.cellOf(int(b), point[b]);
            if (a == b) {
                low[b] = i;
                share[b] = (point[b] - g.edge(int(b), i)) / g.size(int(b), i);
            } else {
                low[b] = point[b] < g.center(int(b), i) ? i - 1 : i;
                share[b] = (point[b] - g.center(int(b), low[b])) / g.spacing(int(b), low[b] + 1);
            }
            share[b] = std::clamp(share[b], 0.0, 1.0);
        }
        eachCorner(low, share,
                   [&](const std::array<int, 3>& at, double weight) { out[a] += weight * fields.velocity[a][g.at(at[0], at[1], at[2])]; });
    }
    return out;
}

double Solver::celsiusAt(double x, double y, double z) const
{
    const Grid& g = m_room.grid;
    const std::array<double, 3> point{x, y, z};
    std::array<int, 3> low{};
    std::array<double, 3> share{};
    for (std::size_t b = 0; b < 3; ++b) {
        const int i = g.cellOf(int(b), point[b]);
        low[b] = point[b] < g.center(int(b), i) ? i - 1 : i;
        share[b] = std::clamp((point[b] - g.center(int(b), low[b])) / g.spacing(int(b), low[b] + 1), 0.0, 1.0);
    }
    double sum = 0, weights = 0;
    eachCorner(low, share, [&](const std::array<int, 3>& at, double weight) {
        const std::size_t c = g.at(at[0], at[1], at[2]);
        if (m_room.solid[c]) return;
        sum += weight * fields.celsius[c];
        weights += weight;
    });
    const int i = g.cellOf(0, x), j = g.cellOf(1, y), k = g.cellOf(2, z);
    return weights > 0 ? sum / weights : fields.celsius[g.at(i, j, k)];
}

void Solver::startFrom(const Solver& coarse)
{
    const Grid& g = m_room.grid;
    for (std::size_t a = 0; a < 3; ++a)
        for (const std::uint32_t f : m_momentum[a].faces) {
            const auto place = g.place(f);
            std::array<double, 3> at{g.center(0, place[0]), g.center(1, place[1]), g.center(2, place[2])};
            at[a] = g.edge(int(a), place[a]);
            fields.velocity[a][f] = coarse.velocityAt(at[0], at[1], at[2])[a];
        }
    const Grid& from = coarse.m_room.grid;
    for (const std::uint32_t c : m_solver.cells()) {
        const auto place = g.place(c);
        const std::array<double, 3> at{g.center(0, place[0]), g.center(1, place[1]), g.center(2, place[2])};
        const std::size_t source = from.at(from.cellOf(0, at[0]), from.cellOf(1, at[1]), from.cellOf(2, at[2]));
        if (coarse.m_room.solid[source]) continue;
        fields.celsius[c] = coarse.fields.celsius[source];
        fields.pressure[c] = coarse.fields.pressure[source];
    }
    updateOutlets();
}

} // namespace hw::sim::air

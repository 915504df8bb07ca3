// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/air/picture.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace hw::sim::air {

namespace {

constexpr double kLow = 15, kHigh = 45; ///< °C of the color scale: fixed, so that pictures of designs compare

bool passes(const Room& room, int axis, std::size_t face)
{
    return room.face[std::size_t(axis)][face] == Face::Open && room.loss[std::size_t(axis)][face] <= 0;
}

/// Mean over the cells around a corner that are reached from one of them through air. `up`: on which side of the cell the corner lies, by axis; axes
/// that are left out do not count.
template <class Value>
double cornerMean(const Room& room, std::size_t cell, std::span<const int> axes, std::span<const int> up, const Value& value)
{
    std::array<std::size_t, 8> at{cell};
    std::array<bool, 8> reached{true};
    double sum = value(cell);
    int found = 1;
    // By the number of axes moved along: a cell two or three moves away is reached from one that is.
    const auto n = axes.size();
    for (int moves = 1; moves <= int(n); ++moves)
        for (unsigned mask = 1; mask < (1U << n); ++mask) {
            if (std::popcount(mask) != moves) continue;
            for (std::size_t a = 0; a < n && !reached[mask]; ++a) {
                const unsigned from = mask & ~(1U << a);
                if (!(mask & (1U << a)) || !reached[from]) continue;
                const std::size_t step = room.grid.stride(axes[a]), here = at[from];
                if (!passes(room, axes[a], up[a] ? here + step : here)) continue;
                at[mask] = up[a] ? here + step : here - step;
                reached[mask] = true;
                sum += value(at[mask]);
                ++found;
            }
        }
    return sum / found;
}

double speedOf(const Room& room, const Fields& fields, std::size_t c)
{
    double square = 0;
    for (std::size_t a = 0; a < 3; ++a) {
        const double v = (fields.velocity[a][c] + fields.velocity[a][c + room.grid.stride(int(a))]) / 2;
        square += v * v;
    }
    return std::sqrt(square);
}

/// Where a path starts: faces of outlets, each with its flow.
struct Source {
    int exchange = -1, axis = 0, sign = 1;
    std::size_t face = 0;
    double flow = 0;
};

std::vector<Source> sourcesOf(const SolvedRoom& solved, PathStart start)
{
    const Room& room = *solved.room;
    std::vector<Source> out;
    for (std::size_t e = 0; e < room.exchanges.size(); ++e) {
        const Exchange& x = room.exchanges[e];
        if (x.plant != (start == PathStart::Units) || x.flow <= 0 || x.outlet.faces.empty()) continue;
        const Patch& p = x.outlet;
        for (const std::size_t f : p.faces) {
            const auto at = room.grid.place(f);
            double area = 1;
            for (int a = 0; a < 3; ++a)
                if (a != p.axis) area *= room.grid.size(a, at[std::size_t(a)]);
            out.push_back({int(e), p.axis, p.sign, f, x.flow * area / p.area});
        }
    }
    return out;
}

constexpr int kMostCells = 4000;
constexpr double kMostSeconds = 120, kResting = 1e-7;

struct Tracer {
    const Room& room;
    const Fields& fields;
    std::array<std::vector<std::int32_t>, 3> taker; ///< by face: the exchange that takes air in there

    explicit Tracer(const SolvedRoom& solved) : room(*solved.room), fields(solved.solver->fields)
    {
        for (auto& faces : taker) faces.assign(room.grid.total(), -1);
        for (std::size_t e = 0; e < room.exchanges.size(); ++e) {
            const Patch& p = room.exchanges[e].intake;
            for (const std::size_t f : p.faces) taker[std::size_t(p.axis)][f] = std::int32_t(e);
        }
    }

    AirPath follow(const Source& source, double u, double v) const
    {
        const Grid& g = room.grid;
        AirPath path;
        path.from = source.exchange;
        std::size_t cell = source.sign > 0 ? source.face : source.face - g.stride(source.axis);
        std::array<int, 3> at = g.place(cell);
        std::array<double, 3> x{};
        const std::array<double, 2> share{u, v};
        for (std::size_t a = 0, next = 0; a < 3; ++a)
            x[a] = int(a) == source.axis ? g.edge(int(a), source.sign > 0 ? at[a] : at[a] + 1)
                                         : g.edge(int(a), at[a]) + share[next++] * g.size(int(a), at[a]);
        double time = 0;
        const auto add = [&] {
            path.points.push_back({float(x[0]), float(x[1]), float(x[2])});
            path.cells.push_back(std::uint32_t(cell));
            path.seconds.push_back(float(time));
        };
        add();
        for (int step = 0; step < kMostCells && time < kMostSeconds; ++step) {
            std::array<double, 3> low{}, gradient{}, speed{};
            double least = std::numeric_limits<double>::infinity();
            std::size_t through = 3;
            bool up = false;
            for (std::size_t a = 0; a < 3; ++a) {
                const double size = g.size(int(a), at[a]), from = fields.velocity[a][cell], to = fields.velocity[a][cell + g.stride(int(a))];
                low[a] = g.edge(int(a), at[a]);
                gradient[a] = (to - from) / size;
                speed[a] = from + gradient[a] * (x[a] - low[a]);
                const bool ahead = speed[a] > 0;
                const double exit = ahead ? to : from, way = ahead ? low[a] + size - x[a] : low[a] - x[a];
                if (std::abs(speed[a]) < kResting || exit * speed[a] <= 0) continue; // it turns back before that face
                const double ratio = exit / speed[a];
                const double needed = std::abs(ratio - 1) < 1e-6 ? way / speed[a] : std::log(ratio) / gradient[a];
                if (needed < least) least = std::max(needed, 0.0), through = a, up = ahead;
            }
            if (through == 3) break; // at rest
            for (std::size_t a = 0; a < 3; ++a) {
                const double growth = gradient[a] * least;
                x[a] += std::abs(growth) < 1e-9 ? speed[a] * least : speed[a] * std::expm1(growth) / gradient[a];
                x[a] = std::clamp(x[a], low[a], low[a] + g.size(int(a), at[a]));
            }
            x[through] = g.edge(int(through), up ? at[through] + 1 : at[through]);
            time += least;
            const std::size_t stride = g.stride(int(through)), face = up ? cell + stride : cell;
            if (room.face[through][face] != Face::Open) { // an intake
                add();
                path.to = taker[through][face];
                break;
            }
            cell = up ? cell + stride : cell - stride;
            at[through] += up ? 1 : -1;
            add();
        }
        return path;
    }
};

ValueField rackField(const Snapshot& s, const HallAir& air, const HallAir* before, RackQuantity quantity)
{
    ValueField f = celsiusScale();
    f.entity = EntityKind::Rack;
    f.values.assign(s.racks.nextId(), ValueField::kNone);
    switch (quantity) {
    case RackQuantity::InletMax: f.title = i18n("Rack inlet air, maximum"); break;
    case RackQuantity::InletMean: f.title = i18n("Rack inlet air, mean"); break;
    case RackQuantity::InletTop: f.title = i18n("Rack inlet air, top third"); break;
    case RackQuantity::Capture:
        f.title = i18n("Air from air units (capture index)");
        f.scale = FieldScale::Share, f.unit = "%", f.low = 0, f.high = 1, f.bands.clear();
        break;
    case RackQuantity::Change:
        f.title = i18n("Change of the rack inlet, maximum");
        f.unit = "K", f.bands.clear();
        break;
    }
    float most = 0;
    for (const RackAir& r : air.racks) {
        if (r.rack.value >= f.values.size()) continue;
        float& value = f.values[r.rack.value];
        switch (quantity) {
        case RackQuantity::InletMax: value = float(r.inletMaxC); break;
        case RackQuantity::InletMean: value = float(r.inletMeanC); break;
        case RackQuantity::InletTop: value = float(r.inletTopC); break;
        case RackQuantity::Capture: value = float(r.captureIndex); break;
        case RackQuantity::Change:
            if (const RackAir* was = rackOf(before, r.rack)) value = float(r.inletMaxC - was->inletMaxC), most = std::max(most, std::abs(value));
        }
    }
    if (quantity == RackQuantity::Change) f.high = roundUp(std::max(double(most), 1.0)), f.low = -f.high;
    return f;
}

} // namespace

std::vector<float> cellValues(const HallAir& air, Quantity quantity, const HallAir* before)
{
    const Room& room = *air.room->room;
    const Fields& fields = air.room->solver->fields;
    const Grid& g = room.grid;
    std::vector<float> out(g.total(), 0);
    for (int k = 1; k <= g.count(2); ++k)
        for (int j = 1; j <= g.count(1); ++j)
            for (int i = 1; i <= g.count(0); ++i) {
                const std::size_t c = g.at(i, j, k);
                if (room.solid[c]) continue;
                if (quantity == Quantity::Speed) {
                    out[c] = float(speedOf(room, fields, c));
                } else if (quantity == Quantity::Celsius) {
                    out[c] = float(fields.celsius[c]);
                } else if (quantity == Quantity::Pressure) {
                    out[c] = float(Air().density * fields.pressure[c]);
                } else if (before) {
                    const Grid& b = before->room->room->grid;
                    const std::size_t was = b.at(b.cellOf(0, g.center(0, i)), b.cellOf(1, g.center(1, j)), b.cellOf(2, g.center(2, k)));
                    if (!before->room->room->solid[was]) out[c] = float(fields.celsius[c] - before->room->solver->fields.celsius[was]);
                }
            }
    return out;
}

Slice sliceOf(const Room& room, std::span<const float> values, int axis, double at)
{
    const Grid& g = room.grid;
    const std::array<int, 2> across{axis == 0 ? 1 : 0, axis == 2 ? 1 : 2};
    const auto a = std::size_t(across[0]), b = std::size_t(across[1]);
    at = std::clamp(at, g.edge(axis, 1), g.edge(axis, g.count(axis) + 1));
    const int layer = g.cellOf(axis, at);
    const bool above = at > g.center(axis, layer);
    const int other = above ? layer + 1 : layer - 1;
    const double share = std::clamp((at - g.center(axis, layer)) / (g.center(axis, other) - g.center(axis, layer)), 0.0, 1.0);
    const std::size_t step = g.stride(axis);
    const auto value = [&](std::size_t c) {
        const double own = double(values[c]);
        return passes(room, axis, above ? c + step : c) ? own + share * (double(values[above ? c + step : c - step]) - own) : own;
    };
    Slice out;
    std::array<int, 3> place{};
    place[std::size_t(axis)] = layer;
    for (place[b] = 1; place[b] <= g.count(across[1]); ++place[b])
        for (place[a] = 1; place[a] <= g.count(across[0]); ++place[a]) {
            const std::size_t c = g.at(place[0], place[1], place[2]);
            if (room.solid[c]) continue;
            for (const std::array<int, 2> up : {std::array{0, 0}, {1, 0}, {1, 1}, {0, 1}}) {
                std::array<float, 3> point{};
                point[std::size_t(axis)] = float(at);
                point[a] = float(g.edge(across[0], place[a] + up[0]));
                point[b] = float(g.edge(across[1], place[b] + up[1]));
                out.points.insert(out.points.end(), point.begin(), point.end());
                out.values.push_back(float(cornerMean(room, c, across, up, value)));
            }
        }
    return out;
}

SurfaceCells surfaceCells(const Room& room, std::span<const float> values, double level)
{
    const Grid& g = room.grid;
    constexpr std::array<int, 3> kAxes{0, 1, 2};
    const auto value = [&](std::size_t c) { return double(values[c]); };
    SurfaceCells out;
    for (int k = 1; k <= g.count(2); ++k)
        for (int j = 1; j <= g.count(1); ++j)
            for (int i = 1; i <= g.count(0); ++i) {
                const std::size_t c = g.at(i, j, k);
                if (room.solid[c]) continue;
                bool below = false, beyond = false; // among the cells around: most are far from the level
                for (int dk = -1; dk <= 1; ++dk)
                    for (int dj = -1; dj <= 1; ++dj)
                        for (int di = -1; di <= 1; ++di) {
                            const std::size_t n = g.at(i + di, j + dj, k + dk);
                            if (room.solid[n]) continue;
                            (value(n) < level ? below : beyond) = true;
                        }
                if (!below || !beyond) continue;
                std::array<float, 8> corners{};
                for (unsigned v = 0; v < 8; ++v)
                    corners[v] = float(cornerMean(room, c, kAxes, std::array{int(v & 1U), int(v >> 1U & 1U), int(v >> 2U)}, value));
                const auto [least, most] = std::ranges::minmax(corners);
                if (!(double(least) < level && double(most) >= level)) continue;
                for (unsigned v = 0; v < 8; ++v) {
                    out.points.insert(out.points.end(), {float(g.edge(0, i + int(v & 1U))), float(g.edge(1, j + int(v >> 1U & 1U))),
                                                         float(g.edge(2, k + int(v >> 2U)))});
                    out.values.push_back(corners[v]);
                }
            }
    return out;
}

std::vector<AirPath> airPaths(const SolvedRoom& solved, PathStart start, std::size_t count, const Progress& progress)
{
    const std::vector<Source> sources = sourcesOf(solved, start);
    double whole = 0;
    for (const Source& s : sources) whole += s.flow;
    std::vector<AirPath> out;
    if (whole <= 0 || count == 0) return out;
    const Tracer tracer(solved);
    const double each = whole / double(count);
    double passed = 0;
    std::size_t made = 0;
    for (const Source& s : sources) {
        passed += s.flow;
        for (; made < count && (double(made) + 0.5) * each <= passed; ++made) {
            if (progress.stop.stop_requested()) return out;
            // Evenly over the face, the same each time (Roberts' sequence).
            const double u = std::fmod(0.5 + 0.7548776662466927 * double(made + 1), 1.0),
                         v = std::fmod(0.5 + 0.5698402909980532 * double(made + 1), 1.0);
            AirPath path = tracer.follow(s, u, v);
            if (path.points.size() > 1) out.push_back(std::move(path));
        }
    }
    return out;
}

ValueField celsiusScale()
{
    ValueField f;
    f.title = i18n("Air temperature");
    f.unit = "°C";
    f.low = kLow, f.high = kHigh;
    f.bands = {{18, i18n("below recommended")},
               {27, i18n("recommended")},
               {32, i18n("allowable A1")},
               {35, i18n("allowable A2")},
               {kHigh, i18n("above A2")}};
    f.source = i18n("classes: ASHRAE TC 9.9");
    return f;
}

ValueField quantityScale(const HallAir& air, Quantity quantity, std::span<const float> values)
{
    if (quantity == Quantity::Celsius) return celsiusScale();
    ValueField f;
    const Room& room = *air.room->room;
    double most = 0;
    std::vector<float> sizes;
    for (std::size_t c = 0; c < values.size(); ++c)
        if (!room.solid[c]) sizes.push_back(std::abs(values[c]));
    if (!sizes.empty()) { // a jet in a few cells does not set the scale
        const auto at = sizes.begin() + std::ptrdiff_t(double(sizes.size() - 1) * 0.995);
        std::ranges::nth_element(sizes, at);
        most = double(*at);
    }
    if (quantity == Quantity::Speed) {
        f.title = i18n("Air speed");
        f.unit = "m/s";
        f.high = roundUp(std::max(most, 0.1));
    } else if (quantity == Quantity::Pressure) {
        f.title = i18n("Static pressure of the air");
        f.unit = "Pa";
        f.high = roundUp(std::max(most, 1.0));
        f.low = -f.high;
    } else {
        f.title = i18n("Change of the air temperature");
        f.unit = "K";
        f.high = roundUp(std::max(most, 0.5));
        f.low = -f.high;
    }
    return f;
}

std::vector<ValueField> rackFields(const Snapshot& s, const HallAir& air, RackQuantity quantity, const HallAir* before)
{
    std::vector<ValueField> out{rackField(s, air, before, quantity)};
    if (quantity == RackQuantity::Capture || quantity == RackQuantity::Change) return out;
    ValueField units = celsiusScale();
    units.entity = EntityKind::Device;
    units.title = i18n("Supply air of air units");
    units.values.assign(s.devices.nextId(), ValueField::kNone);
    for (const UnitAir& u : air.units)
        if (!u.failed && u.device.value < units.values.size()) units.values[u.device.value] = float(u.supplyC);
    out.push_back(std::move(units));
    return out;
}

bool sameHall(const HallPlan& a, const HallPlan& b)
{
    const auto nameless = [](HallPlan plan) {
        for (PlannedExchange& e : plan.plan.exchanges) e.exchange.name.clear();
        return plan;
    };
    const HallPlan x = nameless(a), y = nameless(b);
    return x.hall == y.hall && x.corner == y.corner && x.plan == y.plan && x.racks == y.racks && x.units == y.units && x.rackRiseK == y.rackRiseK &&
           x.supplyC == y.supplyC && x.limitC == y.limitC && x.wattsPerM3sK == y.wattsPerM3sK && x.shortM3s == y.shortM3s;
}

} // namespace hw::sim::air

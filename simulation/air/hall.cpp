// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/air/hall.h"

#include "core/derived/cooling/aisles.h"
#include "core/derived/cooling/capacity.h"
#include "core/derived/geometry/contained_aisle.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/places.h"

#include <algorithm>
#include <cmath>

namespace hw::sim::air {

namespace {

constexpr double kGrilleLoss = 2.4;          ///< return grille on gross speed, as its maker states
constexpr double kLeast = 0.1;               ///< m between planes of the grid
constexpr double kHeatStep = 8;              ///< s: calm corners of a hall take as many minutes to warm up as its air takes to be changed
constexpr std::size_t kThreeGrids = 200'000; ///< cells from which a third grid gives a picture within seconds
constexpr double kPanel = 0.02;              ///< m: nearer walls are the same plane

Box inHall(const hw::Box& box, const hw::Box& hall)
{
    const auto m = [](std::int64_t mm) { return double(mm) / 1000; };
    return {{m(box.low.x - hall.low.x), m(box.low.y - hall.low.y), m(box.low.z - hall.low.z)},
            {m(box.high.x - hall.low.x), m(box.high.y - hall.low.y), m(box.high.z - hall.low.z)}};
}

/// Axis and sign of a rack's front.
std::pair<int, int> direction(int degrees)
{
    switch (((degrees % 360) + 360) % 360) {
    case 0: return {0, 1};
    case 90: return {1, 1};
    case 180: return {0, -1};
    default: return {1, -1};
    }
}

struct Builder {
    const Figures& figures;
    const CoolingChain& chain;
    const HallOptions& options;
    HallPlan& out;
    hw::Box hall;
    double ceiling = 0;

    void addRack(RackId id, double watts)
    {
        const Box box = inHall(figures.placement->rack(id), hall);
        out.plan.solids.push_back(box);
        if (watts < 1) return;
        const auto [axis, sign] = direction(figures.placement->facing(id));
        const auto a = std::size_t(axis);
        const double front = sign > 0 ? box.high[a] : box.low[a], rear = sign > 0 ? box.low[a] : box.high[a];
        const double flow = watts / out.wattsPerM3sK / out.rackRiseK;
        const int owner = int(out.racks.size());
        out.racks.push_back(id);
        out.demandM3s += flow;
        out.heatW += watts;
        const double z0 = box.low[2], tall = box.high[2] - box.low[2];
        for (int third = 0; third < 3; ++third) {
            PlannedExchange e;
            e.exchange.name = figures.snapshot->racks.name[id];
            e.exchange.owner = owner;
            e.exchange.flow = e.exchange.ratedFlow = flow / 3;
            e.exchange.fanPa = options.rackFanPa;
            e.exchange.heatW = watts / 3;
            Box band = box;
            band.low[2] = z0 + tall * third / 3;
            band.high[2] = z0 + tall * (third + 1) / 3;
            e.intake = {axis, front, band, -sign};
            e.outlet = {axis, rear, band, -sign};
            out.plan.exchanges.push_back(std::move(e));
        }
    }

    void addAisle(const ContainedAisle& aisle)
    {
        const Box box = inHall(aisle.box, hall);
        const std::size_t across = aisle.alongX ? 1 : 0, along = aisle.alongX ? 0 : 1;
        const double loss = lossOfOpenShare(options.leakagePercent / 100);
        Box side = box;
        side.high[2] = aisle.kind == Containment::HotAisle ? ceiling : box.high[2];
        for (const double at : {box.low[across], box.high[across]}) out.plan.screens.push_back({int(across), at, side, loss});
        if (aisle.kind == Containment::HotAisle) {
            for (const double at : {box.low[along], box.high[along]}) out.plan.screens.push_back({int(along), at, side, loss});
            out.plan.screens.push_back({2, ceiling, side, kGrilleLoss});
        } else { // the ends stay open: air comes in there
            out.plan.screens.push_back({2, box.high[2], side, loss});
        }
    }

    void addUnit(const CoolingUnit& unit, double flow)
    {
        const DeviceId id = unit.device;
        Box box = inHall(figures.placement->device(*figures.snapshot, *figures.parts, id), hall);
        box.low[2] = 0;
        if (out.plenum || box.high[2] > ceiling - 0.3) box.high[2] = out.plenum ? ceiling : ceiling - 0.5;
        // It stands with its back to the nearest wall and blows into the room.
        const double wide = box.high[0] - box.low[0], deep = box.high[1] - box.low[1];
        const std::size_t a = wide < deep ? 0 : 1;
        const int sign = (box.low[a] + box.high[a]) / 2 < out.plan.room.high[a] / 2 ? 1 : -1;
        out.plan.solids.push_back(box);
        out.units.push_back(id);
        if (flow <= 0) return;
        PlannedExchange e;
        e.exchange.name = figures.snapshot->devices.name[id];
        e.exchange.owner = int(out.racks.size() + out.units.size()) - 1;
        e.exchange.plant = true;
        e.exchange.flow = flow;
        e.exchange.supplyC = out.supplyC;
        const double capacity = cooling::capacityW(chain, unit, flow);
        e.exchange.capacityW = std::isfinite(capacity) ? capacity : 0;
        if (unit.takes >= 0 && unit.returnC > 0) {
            e.exchange.waterC = chain.loops[std::size_t(unit.takes)].supplyC;
            e.exchange.ratedReturnC = unit.returnC;
        }
        e.intake = {2, box.high[2], box, -1};
        e.outlet = {int(a), sign > 0 ? box.high[a] : box.low[a], box, sign};
        out.plan.exchanges.push_back(std::move(e));
    }
};

double weighted(double sum, double weight) { return weight > 0 ? sum / weight : 0.0; }

/// A step between planes with which a plan has about so many cells.
Resolution resolutionFor(const RoomPlan& plan, std::size_t cells)
{
    Resolution r;
    r.least = kLeast;
    double low = 0.05, high = 3;
    for (int round = 0; round < 24; ++round) {
        const double step = std::sqrt(low * high);
        (cellsOf(plan, {step, step, step}, kLeast) > cells ? low : high) = step;
    }
    r.step = {high, high, high};
    r.grids = cells > kThreeGrids ? 3 : 2;
    return r;
}

} // namespace

std::vector<HallId> airHalls(const Figures& figures)
{
    std::vector<HallId> out;
    for (const CoolingLoop& loop : figures.get<CoolingChainNode>().loops)
        if (loop.kind == LoopKind::Air && loop.hall && !loop.sources.empty()) out.push_back(*loop.hall);
    std::ranges::sort(out, {}, &HallId::value);
    return out;
}

Result<HallId> airHall(const Figures& figures, const std::string& name)
{
    const std::vector<HallId> halls = airHalls(figures);
    if (halls.empty())
        return fail(ErrorCode::Refused, name, i18n("no hall has fan walls or CRAHs"), i18n("place air units, for example with edit --script"));
    if (name.empty()) return halls.front();
    std::string known;
    for (const HallId hall : halls) {
        const std::string& own = figures.snapshot->halls.name[hall];
        if (own == name) return hall;
        known += (known.empty() ? "" : ", ") + own;
    }
    return fail(ErrorCode::Refused, name, i18n("not a hall with fan walls or CRAHs"), i18n("specify one of {}", known));
}

std::vector<DeviceId> airUnits(const Figures& figures, HallId hall)
{
    const CoolingChain& chain = figures.get<CoolingChainNode>();
    const std::int32_t loop = hall.value < chain.airOf.size() ? chain.airOf[hall.value] : -1;
    return loop < 0 ? std::vector<DeviceId>() : chain.loops[std::size_t(loop)].sources;
}

Result<DeviceId> airUnit(const Figures& figures, HallId hall, const std::string& name)
{
    const std::vector<DeviceId> units = airUnits(figures, hall);
    const auto found = findEntity(*figures.snapshot, *figures.parts, name);
    if (found && found->kind == EntityKind::Device && std::ranges::find(units, DeviceId{found->id}) != units.end()) return DeviceId{found->id};
    return fail(ErrorCode::Usage, name, i18n("is not an air unit of {}", figures.snapshot->halls.name[hall]),
                i18n("specify a fan wall or CRAH of that hall"));
}

Result<HallPlan> hallPlan(const Figures& figures, HallId hall, const HallOptions& options)
{
    const Snapshot& s = *figures.snapshot;
    const CoolingChain& chain = figures.get<CoolingChainNode>();
    const std::string& name = s.halls.name[hall];
    const std::int32_t number = hall.value < chain.airOf.size() ? chain.airOf[hall.value] : -1;
    if (number < 0 || chain.loops[std::size_t(number)].sources.empty())
        return fail(ErrorCode::Refused, name, i18n("no fan wall or CRAH cools this room"), i18n("place an air unit, or specify another hall"));
    const CoolingLoop& loop = chain.loops[std::size_t(number)];

    HallPlan out;
    out.hall = hall;
    out.name = name;
    out.wattsPerM3sK = loop.wattsPerLpmK;
    out.rackRiseK = chain.at.airDeltaK;
    out.supplyC = loop.supplyC;
    out.limitC = chain.at.airLimitC;
    const hw::Box room = figures.placement->hall(hall);
    const Box whole = inHall(room, room);
    out.corner = {double(room.low.x) / 1000, double(room.low.y) / 1000, double(room.low.z) / 1000};
    const std::vector<ContainedAisle> all = containedAisles(s, *figures.placement);
    std::vector<ContainedAisle> aisles;
    for (const ContainedAisle& aisle : all)
        if (s.rows.hall[aisle.row] == hall) aisles.push_back(aisle);
    out.plenum = std::ranges::any_of(aisles, [](const ContainedAisle& a) { return a.kind == Containment::HotAisle; });
    const double clear = s.halls.clearHeight[hall].count() > 0 ? toMeters(s.halls.clearHeight[hall]) : whole.high[2];
    out.ceilingM = clear;
    Builder builder{figures, chain, options, out, room, clear};
    out.plan.room = {{0, 0, 0}, {whole.high[0], whole.high[1], out.plenum ? std::max(clear + options.plenumM, whole.high[2]) : whole.high[2]}};

    double rackHeat = 0;
    const auto heatOf = [&](RackId rack) {
        const Load& load = figures.power->rack(rack);
        return std::max(toWatts(load.at(chain.at.basis) - load.liquid[std::size_t(chain.at.basis)]), 0.0);
    };
    std::vector<RackId> racks;
    s.racks.forEach([&](RackId id) {
        if (s.rows.hall[s.racks.row[id]] != hall) return;
        racks.push_back(id);
        rackHeat += heatOf(id);
    });
    if (rackHeat <= 0) return fail(ErrorCode::Refused, name, i18n("no rack in this room gives heat to the air"), i18n("specify another hall"));
    const double share = loop.heatW / rackHeat; // busways and boards of the room: spread over its racks
    for (const RackId id : racks) builder.addRack(id, heatOf(id) * share);

    s.structures.forEach([&](StructureId id) {
        if (s.structures.hall[id] != hall || (s.structures.kind[id] != StructureKind::Wall && s.structures.kind[id] != StructureKind::Column)) return;
        out.plan.solids.push_back(inHall(figures.placement->structure(id).box(), room));
    });
    if (out.plenum) out.plan.screens.push_back({2, clear, {{0, 0, clear}, {whole.high[0], whole.high[1], clear}}, 0});
    for (const ContainedAisle& aisle : aisles) builder.addAisle(aisle);

    double running = 0, limit = 0;
    std::vector<const CoolingUnit*> units;
    for (const DeviceId id : loop.sources) {
        units.push_back(chain.unit(id));
        if (std::ranges::find(options.failed, id) != options.failed.end()) continue;
        const double weight = units.back()->capacityM3s > 0 ? units.back()->capacityM3s : 1;
        running += weight;
        limit += units.back()->capacityM3s > 0 ? units.back()->capacityM3s : 1e9;
    }
    if (running <= 0) return fail(ErrorCode::Refused, name, i18n("no air unit is left running"), i18n("let at least one run"));
    out.supplyM3s = std::min(loop.airM3s, limit);
    out.shortM3s = loop.airM3s - out.supplyM3s;
    for (const CoolingUnit* unit : units) {
        const bool failed = std::ranges::find(options.failed, unit->device) != options.failed.end();
        const double weight = unit->capacityM3s > 0 ? unit->capacityM3s : 1;
        builder.addUnit(*unit, failed ? 0.0 : out.supplyM3s * weight / running);
    }
    double capacity = 0; // 0 of a unit: no limit stated
    bool limited = true;
    for (const PlannedExchange& e : out.plan.exchanges)
        if (e.exchange.plant) {
            capacity += e.exchange.capacityW;
            limited = limited && e.exchange.capacityW > 0;
        }
    if (limited && capacity < out.heatW)
        return fail(
            ErrorCode::Refused, name,
            i18n("the air units left running remove {:.0Lf} kW of {:.0Lf} kW; temperatures rise without end", capacity / 1000, out.heatW / 1000),
            i18n("let more units run, or reduce the heat"));
    for (const ColdAisle& aisle : coldAisles(figures, chain))
        if (aisle.hall == hall) out.mouthMs = std::max(out.mouthMs, aisle.speedMs());

    out.assumptions.push_back(i18n("racks draw air evenly over three thirds of their height, at {:g} K (cooling.air_delta_k)", out.rackRiseK));
    out.assumptions.push_back(options.rackFanPa > 0
                                  ? i18n("rack fans: that flow at zero pressure difference, none at {:g} Pa (parabolic curve)", options.rackFanPa)
                                  : i18n("rack fans: fixed flow at any pressure"));
    if (std::ranges::any_of(out.plan.exchanges, [](const PlannedExchange& e) { return e.exchange.ratedReturnC > e.exchange.waterC; }))
        out.assumptions.push_back(
            i18n("coils: full capacity at or above the design return temperature, below it in proportion to return minus entering "
                 "water temperature"));
    if (!aisles.empty()) out.assumptions.push_back(i18n("containment and gaps between racks are {:g} % open", options.leakagePercent));
    if (out.plenum)
        out.assumptions.push_back(i18n("hot aisles open into a return plenum of {:g} m above {:g} m; units draw from it", options.plenumM, clear));
    out.assumptions.push_back(
        i18n("losses of power equipment in the room are spread over its racks ({:.1f} % of its heat)", 100 * loop.lossesW / loop.heatW));
    return out;
}

Result<Room> hallRoom(const HallPlan& plan, std::size_t cells)
{
    const Resolution resolution = resolutionFor(plan.plan, cells);
    return makeRoom(plan.plan, resolution.step, resolution.least);
}

std::vector<RackAir> rackInlets(const HallPlan& plan, const SolvedRoom& solved, const std::vector<double>& celsius)
{
    std::vector<RackAir> out;
    for (const RackId id : plan.racks) out.push_back({.rack = id, .inletMaxC = -1e9});
    const Room& room = *solved.room;
    for (const Exchange& x : room.exchanges) {
        if (x.plant) continue;
        RackAir& rack = out[std::size_t(x.owner)];
        const double mean = solved.solver->intakeMeanOf(x.intake, celsius);
        rack.heatW += x.heatW, rack.m3s += x.flow;
        rack.inletMeanC += x.flow * mean;
        rack.inletTopC = mean; // bands rise: the last one stays
        const std::size_t step = room.grid.stride(x.intake.axis);
        for (const std::size_t f : x.intake.faces) rack.inletMaxC = std::max(rack.inletMaxC, celsius[x.intake.sign > 0 ? f - step : f]);
    }
    for (RackAir& rack : out) rack.inletMeanC = weighted(rack.inletMeanC, rack.m3s);
    return out;
}

namespace {

/// What an answer means for racks and units.
HallAir readOff(const HallPlan& h, SolvedRoom solved, const Air& air)
{
    HallAir out;
    out.hall = h;
    out.certificate = solved.certificate;
    out.seconds = solved.seconds;
    out.cells = solved.room->grid.cells();
    out.room = std::make_shared<const SolvedRoom>(std::move(solved));
    const Room& room = *out.room->room;
    const Solver& solver = *out.room->solver;
    std::vector<char> plant(room.exchanges.size(), 0);
    for (std::size_t e = 0; e < plant.size(); ++e) plant[e] = room.exchanges[e].plant;
    const std::vector<double> share = solver.tracer(plant);

    for (const RackId id : h.racks) out.racks.push_back({.rack = id});
    for (const DeviceId id : h.units) out.units.push_back({.device = id, .failed = true});
    std::vector<double> back(room.exchanges.size(), 0);
    double returned = 0, supplied = 0, supplyHeat = 0;
    for (std::size_t e = 0; e < room.exchanges.size(); ++e) {
        const Exchange& x = room.exchanges[e];
        if (x.plant) {
            UnitAir& unit = out.units[std::size_t(x.owner) - h.racks.size()];
            unit = {unit.device, x.flow, solver.intakeC(e), solver.outletC(e), solver.plantW(e), false};
            returned += x.flow * unit.returnC, supplied += x.flow, supplyHeat += x.flow * unit.supplyC;
            continue;
        }
        RackAir& rack = out.racks[std::size_t(x.owner)];
        const double mean = solver.intakeMean()[e];
        rack.heatW += x.heatW, rack.m3s += x.flow, rack.ratedM3s += x.ratedFlow;
        rack.inletMeanC += x.flow * mean;
        rack.inletTopC = mean; // bands rise: the last one stays
        rack.swingK = std::max(rack.swingK, solver.intakeSwing()[e]);
        rack.captureIndex += x.flow * solver.intakeMeanOf(x.intake, share);
        const std::size_t step = room.grid.stride(x.intake.axis);
        if (rack.inletMaxC == 0) rack.inletMaxC = -1e9;
        for (const std::size_t f : x.intake.faces) rack.inletMaxC = std::max(rack.inletMaxC, solver.fields.celsius[x.intake.sign > 0 ? f - step : f]);
        Patch rear = x.outlet;
        rear.sign = -rear.sign; // the air behind it
        rack.frontPa +=
            x.flow * air.density * (solver.intakeMeanOf(x.intake, solver.fields.pressure) - solver.intakeMeanOf(rear, solver.fields.pressure));
    }
    if (h.plenum) {
        double above = 0, below = 0, aboveM3 = 0, belowM3 = 0;
        const Grid& g = room.grid;
        for (int k = 1; k <= g.count(2); ++k)
            for (int j = 1; j <= g.count(1); ++j)
                for (int i = 1; i <= g.count(0); ++i) {
                    const std::size_t c = g.at(i, j, k);
                    if (room.solid[c]) continue;
                    const double m3 = g.size(0, i) * g.size(1, j) * g.size(2, k), pa = air.density * solver.fields.pressure[c];
                    (g.center(2, k) > h.ceilingM ? above : below) += m3 * pa;
                    (g.center(2, k) > h.ceilingM ? aboveM3 : belowM3) += m3;
                }
        out.plenumPa = weighted(above, aboveM3) - weighted(below, belowM3);
    }
    const double supplyC = weighted(supplyHeat, supplied);
    out.returnC = weighted(returned, supplied);
    constexpr double kRecommendedLow = 18, kRecommendedHigh = 27, kAllowableLow = 10; // ASHRAE A2
    double over = 0, under = 0, in = 0, exhaust = 0, demand = 0;
    for (RackAir& rack : out.racks) {
        rack.inletMeanC = weighted(rack.inletMeanC, rack.m3s);
        rack.captureIndex = weighted(rack.captureIndex, rack.m3s);
        rack.frontPa = weighted(rack.frontPa, rack.m3s);
        over += std::max(0.0, rack.inletMaxC - kRecommendedHigh);
        under += std::max(0.0, kRecommendedLow - rack.inletMeanC);
        in += rack.m3s * (rack.inletMeanC - supplyC);
        exhaust += rack.m3s * (rack.inletMeanC - supplyC) + rack.heatW / h.wattsPerM3sK;
        demand += rack.m3s;
        out.aboveRecommended += rack.inletMaxC > kRecommendedHigh ? 1 : 0;
        out.aboveAllowable += rack.inletMaxC > h.limitC ? 1 : 0;
    }
    const auto racks = double(out.racks.size());
    out.rciHigh = 100 * (1 - over / (racks * std::max(h.limitC - kRecommendedHigh, 0.1)));
    out.rciLow = 100 * (1 - under / (racks * (kRecommendedLow - kAllowableLow)));
    out.rti = 100 * (out.returnC - supplyC) / weighted(h.heatW / h.wattsPerM3sK, demand);
    out.shi = weighted(in, exhaust);
    out.rhi = 1 - out.shi;
    return out;
}

bool sameSize(const Grid& grid, const Box& room)
{
    for (int a = 0; a < 3; ++a)
        if (std::abs(grid.edge(a, grid.count(a) + 1) - room.high[std::size_t(a)]) > 0.01) return false;
    return true;
}

} // namespace

Result<HallAir> solveHall(const Figures& figures, HallId hall, const HallOptions& options, const Progress& progress, const HallCourse& course)
{
    const auto plan = hallPlan(figures, hall, options);
    if (!plan) return tl::unexpected(plan.error());
    Air air;
    air.specificHeat = plan->wattsPerM3sK / air.density;
    air.referenceC = plan->supplyC;
    air.expansion = 1 / (plan->supplyC + 273.15);
    Controls controls;
    controls.blend = 0;
    controls.most = 400;
    controls.longestHeatStep = kHeatStep;
    Course grids;
    if (course.start && sameSize(course.start->room->grid, plan->plan.room)) grids.start = course.start->solver.get();
    if (course.picture) grids.picture = [&](const SolvedRoom& coarse) { course.picture(readOff(*plan, coarse, air)); };
    auto solved = solveRoom(plan->plan, resolutionFor(plan->plan, options.cells), air, controls, {}, progress, grids);
    if (!solved) return tl::unexpected(solved.error());
    return readOff(*plan, std::move(*solved), air);
}

Result<HallStudy> studyHall(const Figures& figures, HallId hall, const HallOptions& options, const Progress& progress, const HallCourse& course,
                            std::shared_ptr<const HallAir> known)
{
    HallStudy out;
    const bool fails = !options.failed.empty();
    if (fails && !known) {
        HallOptions all = options;
        all.failed.clear();
        const Progress half{progress.stop, [&](double fraction, std::string_view step) { progress.report(fraction / 2, step); }};
        auto whole = solveHall(figures, hall, all, half, course);
        if (!whole) return tl::unexpected(whole.error());
        known = std::make_shared<const HallAir>(std::move(*whole));
    }
    const Progress rest{progress.stop, [&](double fraction, std::string_view step) { progress.report(fails ? (1 + fraction) / 2 : fraction, step); }};
    auto air = solveHall(figures, hall, options, rest, fails ? HallCourse{known->room, {}} : course);
    if (!air) return tl::unexpected(air.error());
    out.air = std::make_shared<const HallAir>(std::move(*air));
    if (fails) out.whole = std::move(known);
    return out;
}

} // namespace hw::sim::air

// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/air/validation.h"

#include "core/foundation/base/resources.h"
#include "simulation/air/validation_rooms.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/ranges.h>

namespace hw::sim::air {

namespace {

using Json = nlohmann::ordered_json;

/// 0 … length in `count` cells, narrower toward both ends the larger `stretch` is (0: even).
std::vector<double> wallEdges(double length, int count, double stretch)
{
    std::vector<double> out;
    for (int i = 0; i <= count; ++i) {
        const double x = double(i) / count;
        out.push_back(length * (stretch > 0 ? (1 + std::tanh(stretch * (2 * x - 1)) / std::tanh(stretch)) / 2 : x));
    }
    out.front() = 0, out.back() = length;
    return out;
}

/// Two-dimensional in x and z.
Controls planeControls()
{
    Controls c;
    c.frictionless = {false, true, false};
    c.turbulent = false;
    c.longestStep = 10;
    c.most = 4000;
    c.settledMs = c.settledK = 1e-4;
    return c;
}

/// Sums squares of deviations.
struct Deviations {
    double squares = 0, sum = 0;
    int count = 0;
    void add(double computed, double measured)
    {
        squares += (computed - measured) * (computed - measured);
        sum += computed - measured;
        ++count;
    }
    [[nodiscard]] double rms() const { return count > 0 ? std::sqrt(squares / count) : 0.0; }
    [[nodiscard]] double mean() const { return count > 0 ? sum / count : 0.0; }
};

Text gridNote(const Room& room, const Certificate& c, const Text& more)
{
    return i18n("{} cells, {} steps, mass error {:.1e}, heat error {:.1e}, {}; {}", room.grid.cells(), c.steps, c.massError, c.heatError,
                c.settled ? i18n("settled") : i18n("not settled"), more);
}

Result<void> lidCavity(const Json& d, ValidationReport& out, const Progress& progress)
{
    constexpr int kCells = 48;
    Room room(Grid({wallEdges(1, kCells, 0), {0, 0.1}, wallEdges(1, kCells, 0)}));
    room.openFaces();
    for (int i = 0; i <= kCells + 1; ++i)
        for (int j = 0; j <= 2; ++j) room.velocity[0][room.grid.at(i, j, kCells + 1)] = 1;
    if (room.closeAndCheck()) return fail(ErrorCode::Fault, "lid-cavity", i18n("the cavity is open"));
    Air air;
    air.viscosity = 0.01;
    air.gravity = 0;
    Controls c = planeControls();
    c.courant = 10;
    c.settledMs = 2e-5;
    Solver solver(room, air, c);
    for (const int i : {1, 2, 3}) solver.monitors.push_back(room.grid.at(i * kCells / 4, 1, i * kCells / 4));
    const Certificate done = solver.run(progress);
    Deviations u, v;
    const auto inside = [](const Json& p) { return p[0] > 0.0 && p[0] < 1.0; };
    for (const Json& p : d.at("u"))
        if (inside(p)) u.add(solver.velocityAt(0.5, 0.05, p[0])[0], p[1]);
    for (const Json& p : d.at("v"))
        if (inside(p)) v.add(solver.velocityAt(p[0], 0.05, 0.5)[2], p[1]);
    out.rows.push_back(
        {"lid-cavity", i18n("horizontal velocity, RMS over {} points", u.count), "of lid", 0, u.rms(), 0.024, true, done.settled}); // no text
    out.rows.push_back(
        {"lid-cavity", i18n("vertical velocity, RMS over {} points", v.count), "of lid", 0, v.rms(), 0.024, true, done.settled}); // no text
    out.notes.emplace_back("lid-cavity", gridNote(room, done, i18n("without the two end points, which lie on walls")));
    return {};
}

Result<void> squareCavity(const Json& d, ValidationReport& out, const Progress& progress)
{
    for (const Json& row : d.at("rows")) {
        const double ra = row.at("ra");
        const int cells = ra > 5e5 ? 40 : 32;
        const double stretch = ra > 5e5 ? 2 : 1.4;
        Air air; // lengths in the cavity's side, temperatures in its difference
        air.prandtl = 0.71;
        const double diffusivity = 1 / std::sqrt(ra * air.prandtl);
        air.viscosity = air.prandtl * diffusivity;
        air.gravity = air.expansion = air.density = air.specificHeat = 1;
        air.referenceC = 0.5;
        Room room(Grid({wallEdges(1, cells, stretch), {0, 0.1}, wallEdges(1, cells, stretch)}));
        room.openFaces();
        for (int k = 1; k <= cells; ++k)
            for (const int side : {0, cells + 1}) {
                const std::size_t c = room.grid.at(side, 1, k);
                room.isothermal[c] = 1;
                room.wallC[c] = side == 0 ? 1 : 0;
            }
        if (room.closeAndCheck()) return fail(ErrorCode::Fault, "square-cavity", i18n("the cavity is open"));
        Controls c = planeControls();
        c.longestStep = 0.5;
        Solver solver(room, air, c);
        for (const int i : {1, 2, 3}) solver.monitors.push_back(room.grid.at(i * cells / 4, 1, i * cells / 4));
        const Certificate done = solver.run(progress);
        double u = 0, v = 0;
        for (int i = 1; i < 400; ++i) {
            u = std::max(u, solver.velocityAt(0.5, 0.05, i / 400.0)[0] / diffusivity);
            v = std::max(v, solver.velocityAt(i / 400.0, 0.05, 0.5)[2] / diffusivity);
        }
        const double nu = solver.wallHeatInW() / (diffusivity * 0.1);
        const auto add = [&](const Text& what, double measured, double computed, double share) {
            out.rows.push_back({"square-cavity", i18n("{} at Ra {:.0e}", what, ra), "", measured, computed, share * measured, true, done.settled});
        };
        add(i18n("Nusselt number"), row.at("nu"), nu, 0.02);
        add(i18n("largest horizontal velocity"), row.at("u"), u, 0.02);
        add(i18n("largest vertical velocity"), row.at("v"), v, 0.02);
        if (progress.stopRequested()) break;
    }
    out.notes.emplace_back("square-cavity", i18n("32 × 32 cells, 40 × 40 at Ra 1e6, narrower at the walls"));
    return {};
}

Result<void> tallCavity(const Json& d, ValidationReport& out, const Progress& progress)
{
    constexpr double kHeight = 2.18, kWidth = 0.076;
    constexpr int kAcross = 30, kUp = 60;
    const double cold = d.at("cold_c"), hot = d.at("hot_c");
    Air air;
    air.referenceC = (cold + hot) / 2;
    air.expansion = 1 / (air.referenceC + 273.15);
    Room room(Grid({wallEdges(kWidth, kAcross, 1.6), {0, 0.1}, wallEdges(kHeight, kUp, 1.2)}));
    room.openFaces();
    const auto isothermal = [&](std::size_t cell, double celsius) {
        room.isothermal[cell] = 1;
        room.wallC[cell] = celsius;
    };
    for (int k = 1; k <= kUp; ++k) {
        isothermal(room.grid.at(0, 1, k), cold);
        isothermal(room.grid.at(kAcross + 1, 1, k), hot);
    }
    for (int i = 1; i <= kAcross; ++i)
        for (const int end : {0, kUp + 1}) isothermal(room.grid.at(i, 1, end), cold + (hot - cold) * room.grid.center(0, i) / kWidth);
    if (room.closeAndCheck()) return fail(ErrorCode::Fault, "tall-cavity", i18n("the cavity is open"));
    Controls c = planeControls();
    c.turbulent = true;
    c.longestStep = 0.1;
    c.settledK = 0.02;
    c.settledMs = 5e-4;
    Solver solver(room, air, c);
    std::ranges::fill(solver.fields.celsius, air.referenceC);
    for (std::size_t cell = 0; cell < room.grid.total(); ++cell)
        if (room.isothermal[cell]) solver.fields.celsius[cell] = room.wallC[cell];
    for (const int i : {1, 2, 3}) solver.monitors.push_back(room.grid.at(i * kAcross / 4, 1, i * kUp / 4));
    const Certificate done = solver.run(progress);
    Deviations t, v;
    for (const Json& p : d.at("t")) t.add(solver.celsiusAt(p[1].get<double>() / 1000, 0.05, p[0].get<double>() * kHeight), p[2]);
    for (const Json& p : d.at("v")) v.add(solver.velocityAt(p[1].get<double>() / 1000, 0.05, p[0].get<double>() * kHeight)[2], p[2]);
    double fastest = 0, heat = 0;
    for (int i = 1; i < 400; ++i) fastest = std::max(fastest, solver.velocityAt(kWidth * i / 400, 0.05, kHeight / 2)[2]);
    // At mid-height, by the gradient at the hot wall.
    const std::size_t last = room.grid.at(kAcross, 1, kUp / 2);
    heat = (air.viscosity / air.prandtl + solver.fields.turbulence[last] / c.turbulentPrandtl) * (hot - solver.fields.celsius[last]) /
           (room.grid.size(0, kAcross) / 2);
    const double nu = heat * kWidth / (air.viscosity / air.prandtl * (hot - cold));
    out.rows.push_back(
        {"tall-cavity", i18n("Nusselt number at mid-height"), "", d.at("nu"), nu, 0.05 * d.at("nu").get<double>(), true, done.settled});
    out.rows.push_back({"tall-cavity", i18n("largest velocity at mid-height"), "m/s", d.at("v_max"), fastest, 0.1 * d.at("v_max").get<double>(), true,
                        done.settled});
    out.rows.push_back({"tall-cavity", i18n("temperature, RMS over {} points", t.count), "K", 0, t.rms(), 1, true, done.settled});
    out.rows.push_back({"tall-cavity", i18n("velocity, RMS over {} points", v.count), "m/s", 0, v.rms(), 0.02, true, done.settled});
    out.notes.emplace_back("tall-cavity", gridNote(room, done, i18n("zero-equation turbulence; ends linear between the plates")));
    return {};
}

Controls roomControls()
{
    Controls c;
    c.blend = 0;
    c.most = 500;
    return c;
}

Result<void> module1(const Json& d, ValidationReport& out, const Progress& progress)
{
    const RoomPlan plan = module1Plan(d);
    auto solved = solveRoom(plan, {{0.15, 0.15, 0.15}, 0.05, 2}, {}, roomControls(), {}, progress);
    if (!solved) return tl::unexpected(solved.error());
    const Solver& s = *solved->solver;
    Deviations front, back, speeds, frontCfd;
    for (std::size_t rack = 0; rack < 10; ++rack) {
        const Json& t = d.at("temperatures").at(rack);
        const PlannedExchange& e = plan.exchanges[rack * 3 + 1]; // the band in which the sensors hang
        const double y = (e.intake.box.low[1] + e.intake.box.high[1]) / 2, z = 1.14;
        const double at = s.celsiusAt(e.intake.at - e.intake.sign * 0.05, y, z), rear = s.celsiusAt(e.outlet.at + e.outlet.sign * 0.05, y, z);
        if (t.at("front_c").is_number()) front.add(at, t.at("front_c"));
        if (t.at("back_c").is_number()) back.add(rear, t.at("back_c"));
        frontCfd.add(at, t.at("front_cfd_c"));
    }
    Deviations masts;
    for (const Json& p : d.at("speeds")) {
        const auto at = module1Mast(p.at("mast").get<std::string>());
        const auto v = s.velocityAt(at[0], at[1], p.at("z"));
        masts.add(std::hypot(v[0], v[1], v[2]), p.at("m_s"));
    }
    const bool settled = solved->certificate.settled;
    out.rows.push_back({"module-1", i18n("rack fronts, RMS over {} racks", front.count), "K", 0, front.rms(), 1.03, true, settled});
    out.rows.push_back({"module-1", i18n("rack rears, RMS over {} racks", back.count), "K", 0, back.rms(), 2, true, settled});
    out.rows.push_back({"module-1", i18n("rack fronts beside the paper's CFD, RMS"), "K", 0, frontCfd.rms(), 1.03, false, settled});
    out.rows.push_back({"module-1", i18n("speeds at masts, RMS over {} points", masts.count), "m/s", 0, masts.rms(), 0.2, true, settled});
    out.notes.emplace_back("module-1", gridNote(*solved->room, solved->certificate, i18n("positions of racks, units and masts assumed")));
    return {};
}

Result<void> pod2(const Json& d, ValidationReport& out, const Progress& progress)
{
    Deviations front, rear, back, inlets;
    bool settled = true;
    std::size_t cells = 0, done = 0;
    const std::array<double, 4> fronts{5.29, 5.29, 1.75, 1.75}, rears{4.17, 4.17, 2.87, 2.87}, along{2.79, 0.93, 0.93, 2.79};
    const std::array<double, 3> heights{0.4, 1.2, 2.0};
    for (const Json& window : d.at("windows")) {
        Progress part{progress.stop, {}};
        progress.report(double(done++) / double(d.at("windows").size()), "pod2");
        auto solved = solveRoom(pod2Plan(window), {{0.2, 0.2, 0.2}, 0.04, 1}, {}, roomControls(), {}, part);
        if (!solved) return tl::unexpected(solved.error());
        const Solver& s = *solved->solver;
        settled = settled && solved->certificate.settled;
        cells = solved->room->grid.cells();
        Deviations f, r, t;
        for (std::size_t strip = 0; strip < 4; ++strip)
            for (std::size_t level = 0; level < 3; ++level) {
                const Json& measured = window.at("strips").at(strip);
                f.add(s.celsiusAt(fronts[strip], along[strip], heights[level]), measured.at("front_c").at(level));
                r.add(s.celsiusAt(rears[strip], along[strip], heights[level]), measured.at("rear_c").at(level));
            }
        std::array<double, 12> inlet{}, flow{};
        std::size_t unit = 0;
        for (std::size_t e = 0; e < solved->room->exchanges.size(); ++e) {
            const Exchange& x = solved->room->exchanges[e];
            if (x.plant) {
                t.add(s.intakeC(e), window.at("units").at(unit++).at("return_c"));
            } else {
                inlet[std::size_t(x.owner)] += s.intakeC(e) * x.flow;
                flow[std::size_t(x.owner)] += x.flow;
            }
        }
        for (std::size_t k = 0; k < 12; ++k) inlets.add(inlet[k] / flow[k], window.at("racks").at(k).at("inlet_c"));
        for (const auto& [all, one] : {std::pair{&front, &f}, std::pair{&rear, &r}, std::pair{&back, &t}}) {
            all->squares += one->squares;
            all->sum += one->sum;
            all->count += one->count;
        }
        out.rows.push_back({"pod2", i18n("window {}: strips in front, RMS", window.at("name").get<std::string>()), "K", 0, f.rms(), 2.6, true,
                            solved->certificate.settled});
    }
    out.rows.push_back({"pod2", i18n("strips in front, RMS over {} points", front.count), "K", 0, front.rms(), 2.6, true, settled});
    out.rows.push_back({"pod2", i18n("strips behind, RMS over {} points", rear.count), "K", 0, rear.rms(), 4.0, true, settled});
    out.rows.push_back({"pod2", i18n("returns of units, RMS over {} points", back.count), "K", 0, back.rms(), 2.6, true, settled});
    out.rows.push_back({"pod2", i18n("rack inlet means, RMS over {} racks", inlets.count), "K", 0, inlets.rms(), 2.6, true, settled});
    out.notes.emplace_back("pod2", i18n("{} cells; allowed: the errors of the lattice Boltzmann model of the same room (2.6, 4.0, 2.6 K)", cells));
    return {};
}

using Run = Result<void> (*)(const Json&, ValidationReport&, const Progress&);
struct Situation {
    const char* name;
    const char* key;
    Run run;
};
constexpr std::array<Situation, 5> kSituations{{{"lid-cavity", "lid_cavity", lidCavity},
                                                {"square-cavity", "square_cavity", squareCavity},
                                                {"tall-cavity", "tall_cavity", tallCavity},
                                                {"module-1", "module_1", module1},
                                                {"pod2", "pod2", pod2}}};

} // namespace

std::vector<std::string> validationCases()
{
    std::vector<std::string> out;
    for (const Situation& s : kSituations) out.emplace_back(s.name);
    return out;
}

Result<ValidationReport> validate(const std::vector<std::string>& names, const Progress& progress)
{
    for (const std::string& name : names)
        if (std::ranges::none_of(kSituations, [&](const Situation& s) { return name == s.name; }))
            return fail(ErrorCode::Usage, "--case", i18n("unknown validation case {}", name),
                        i18n("specify one of: {}", fmt::format("{}", fmt::join(validationCases(), ", "))));
    const std::filesystem::path file = resourceFolder() / "air/validation.json";
    std::ifstream stream(file);
    const Json document = Json::parse(stream, nullptr, false);
    if (document.is_discarded()) return fail(ErrorCode::Unreadable, file.string(), i18n("not valid JSON"), i18n("reinstall the program"));
    ValidationReport out;
    for (const Situation& s : kSituations) {
        if (!names.empty() && std::ranges::find(names, s.name) == names.end()) continue;
        progress.report(0, s.name);
        if (const auto fine = s.run(document.at(s.key), out, progress); !fine) return tl::unexpected(fine.error());
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, {}, i18n("canceled"));
    }
    return out;
}

Json validationJson(const ValidationReport& report)
{
    Json rows = Json::array(), notes = Json::array();
    for (const ValidationRow& r : report.rows)
        rows.push_back({{"case", r.situation},
                        {"quantity", words(r.quantity)},
                        {"unit", r.unit},
                        {"measured", r.measured},
                        {"computed", r.computed},
                        {"error", r.error()},
                        {"allowed", r.allowed},
                        {"settled", r.settled},
                        {"ok", r.ok()}});
    for (const auto& [situation, note] : report.notes) notes.push_back({{"case", situation}, {"note", words(note)}});
    return {{"schema", "hallwright.air-validation/1"}, {"rows", rows}, {"notes", notes}};
}

} // namespace hw::sim::air

// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/air/hall.h"

#include "core/foundation/catalog/entity.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include <fmt/format.h>

namespace hw::sim::air {

namespace {

using Json = nlohmann::ordered_json;

const std::string& rackName(const Figures& figures, const RackAir& rack) { return figures.snapshot->racks.name[rack.rack]; }
const std::string& unitName(const Figures& figures, DeviceId id) { return figures.snapshot->devices.name[id]; }

double rounded(double value, double step) { return std::isfinite(value) ? std::round(value / step) * step : 0.0; }
/// To a thousandth, without the digits that binary fractions leave.
double milli(double value) { return std::isfinite(value) ? std::round(value * 1000) / 1000 : 0.0; }

/// Numbers of racks, warmest inlet first.
std::vector<std::size_t> warmestFirst(const HallAir& air)
{
    std::vector<std::size_t> order(air.racks.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t r) { return rounded(air.racks[r].inletMaxC, 0.001); });
    return order;
}

} // namespace

const RackAir* rackOf(const HallAir* air, RackId rack)
{
    if (!air) return nullptr;
    const auto found = std::ranges::find(air->racks, rack, &RackAir::rack);
    return found == air->racks.end() ? nullptr : &*found;
}

std::vector<AirMetric> airMetrics(const HallAir& a)
{
    std::vector<AirMetric> out;
    const auto add = [&](Text title, Text value, Text source) { out.push_back({std::move(title), std::move(value), std::move(source)}); };
    add(i18n("RCI high"), i18n("{:.1f} %", a.rciHigh), i18n("rack cooling index (Herrlin) by the largest inlet; recommended up to 27 °C"));
    add(i18n("RCI low"), i18n("{:.1f} %", a.rciLow), i18n("rack cooling index (Herrlin) by the mean inlet; recommended from 18 °C"));
    add(i18n("RTI"), i18n("{:.1f} %", a.rti), i18n("(return − supply) / temperature rise of the racks; below 100 % bypass, above recirculation"));
    add(i18n("SHI"), i18n("{:.3f}", a.shi), i18n("supply heat index (Sharma 2002)"));
    add(i18n("RHI"), i18n("{:.3f}", a.rhi), i18n("return heat index (Sharma 2002)"));
    double least = 1, sum = 0, flow = 0;
    for (const RackAir& r : a.racks) least = std::min(least, r.captureIndex), sum += r.m3s * r.captureIndex, flow += r.m3s;
    add(i18n("Capture index"), i18n("{:.1f} %, minimum {:.1f} %", flow > 0 ? 100 * sum / flow : 0, 100 * least),
        i18n("share of rack intake air that comes directly from air units (VanGilder; passive tracer)"));
    add(i18n("Racks above recommended"), i18n("{:L}", a.aboveRecommended), i18n("largest inlet above 27 °C (ASHRAE TC 9.9)"));
    add(i18n("Racks above allowable"), i18n("{:L}", a.aboveAllowable), i18n("largest inlet above {:g} °C (cooling.air_limit_c)", a.hall.limitC));
    if (const auto starved = std::ranges::min_element(a.racks, {}, &RackAir::frontPa); starved != a.racks.end())
        add(i18n("Minimum pressure at a rack front"), i18n("{:.1f} Pa", starved->frontPa), i18n("front minus rear, at fixed flow"));
    if (a.hall.plenum) add(i18n("Return plenum pressure"), i18n("{:.1f} Pa", a.plenumPa), i18n("mean, relative to the room below"));
    double moved = 1;
    for (const RackAir& r : a.racks)
        if (r.ratedM3s > 0) moved = std::min(moved, r.m3s / r.ratedM3s);
    add(i18n("Minimum rack airflow"), i18n("{:.0f} %", 100 * moved), i18n("relative to the flow at zero pressure difference; 100 % at fixed flow"));
    if (a.hall.mouthMs > 0)
        add(i18n("Aisle mouth speed"), i18n("{:.1f} m/s", a.hall.mouthMs), i18n("fastest mean speed at the mouth of a cold aisle"));
    return out;
}

Json hallJson(const Figures& figures, const HallAir& air, const HallAir* before)
{
    const HallPlan& h = air.hall;
    const Certificate& c = air.certificate;
    Json racks = Json::array(), units = Json::array(), failed = Json::array(), found = Json::array(), assumed = Json::array();
    for (const RackAir& r : air.racks) {
        Json row{{"rack", rackName(figures, r)},
                 {"heat_w", milli(r.heatW)},
                 {"air_m3s", milli(r.m3s)},
                 {"inlet_mean_c", milli(r.inletMeanC)},
                 {"inlet_max_c", milli(r.inletMaxC)},
                 {"inlet_top_c", milli(r.inletTopC)},
                 {"swing_k", milli(r.swingK)},
                 {"capture_index", milli(r.captureIndex)},
                 {"recirculation", milli(1 - r.captureIndex)},
                 {"front_pa", milli(r.frontPa)},
                 {"rated_m3s", milli(r.ratedM3s)}};
        if (const RackAir* was = rackOf(before, r.rack)) {
            row["before_inlet_mean_c"] = milli(was->inletMeanC);
            row["before_inlet_max_c"] = milli(was->inletMaxC);
        }
        racks.push_back(std::move(row));
    }
    for (const UnitAir& u : air.units) {
        if (u.failed) {
            failed.push_back(unitName(figures, u.device));
            continue;
        }
        units.push_back({{"unit", unitName(figures, u.device)},
                         {"air_m3s", milli(u.m3s)},
                         {"return_c", milli(u.returnC)},
                         {"supply_c", milli(u.supplyC)},
                         {"heat_w", milli(u.heatW)}});
    }
    for (const Finding& f : hallFindings(figures, air)) {
        Json entities = Json::array();
        for (const EntityRef e : f.entities) entities.push_back(entityName(*figures.snapshot, *figures.parts, e));
        Json row{{"rule", f.rule},
                 {"severity", severityName(f.severity)},
                 {"message", words(f.message)},
                 {"entities", std::move(entities)},
                 {"waived", f.waived},
                 {"id", f.id}};
        if (f.waived) row["reason"] = resourceText(f.reason);
        found.push_back(std::move(row));
    }
    for (const Text& text : h.assumptions) assumed.push_back(words(text));
    return {{"schema", "hallwright.air/2"},
            {"hall", h.name},
            {"failed", failed},
            {"cells", air.cells},
            {"certificate",
             {{"settled", c.settled}, {"steps", c.steps}, {"mass_error", c.massError}, {"heat_error", c.heatError}, {"swing_k", milli(c.swingK)}}},
            {"heat_w", milli(h.heatW)},
            {"supply_m3s", milli(h.supplyM3s)},
            {"demand_m3s", milli(h.demandM3s)},
            {"short_m3s", milli(h.shortM3s)},
            {"supply_c", milli(h.supplyC)},
            {"return_c", milli(air.returnC)},
            {"aisle_mouth_m_s", milli(h.mouthMs)},
            {"metrics",
             {{"rci_high_percent", milli(air.rciHigh)},
              {"rci_low_percent", milli(air.rciLow)},
              {"rti_percent", milli(air.rti)},
              {"shi", milli(air.shi)},
              {"rhi", milli(air.rhi)}}},
            {"plenum_pa", milli(air.plenumPa)},
            {"above_recommended", air.aboveRecommended},
            {"above_allowable", air.aboveAllowable},
            {"racks", racks},
            {"units", units},
            {"findings", found},
            {"assumptions", assumed}};
}

std::string hallText(const Figures& figures, const HallAir& air, const HallAir* before)
{
    const HallPlan& h = air.hall;
    const Certificate& c = air.certificate;
    std::string out;
    const auto line = [&out](const Text& label, const Text& value) {
        fmt::format_to(std::back_inserter(out), "  {:<26} {}\n", words(label), words(value));
    };
    out += words(h.name.empty() ? i18n("Air of the hall") : i18n("Air of {}", h.name)) + '\n';
    line(i18n("Result"), c.settled ? i18n("settled") : i18n("not settled; means of the last steps"));
    line(i18n("Grid"), i18n("{:L} cells, {:L} steps", air.cells, c.steps));
    line(i18n("Errors"), i18n("mass {:.1e}, heat {:.2f} %, inlets swing by {:.2f} K", c.massError, c.heatError * 100, c.swingK));
    line(i18n("Heat to air"), i18n("{:.1Lf} kW", h.heatW / 1000));
    line(i18n("Air"), i18n("supply {:.1Lf} m³/s, racks {:.1Lf} m³/s", h.supplyM3s, h.demandM3s));
    line(i18n("Supply, return"), i18n("{:.1f} °C, {:.1f} °C", h.supplyC, air.returnC));
    line(i18n("Aisle mouth speed"), i18n("{:.1f} m/s", h.mouthMs));
    line(i18n("RCI high, low"), i18n("{:.1f} %, {:.1f} % (Herrlin; ASHRAE A2)", air.rciHigh, air.rciLow));
    line(i18n("RTI"), i18n("{:.0f} % (below 100: bypass, above: recirculation)", air.rti));
    line(i18n("SHI, RHI"), i18n("{:.3f}, {:.3f} (Sharma)", air.shi, air.rhi));
    if (h.plenum) line(i18n("Return plenum pressure"), i18n("{:.1f} Pa relative to the room below", air.plenumPa));
    const std::vector<std::size_t> order = warmestFirst(air);
    if (before) {
        out += words(i18n("Before and after the failure")) + '\n';
        double most = 0;
        const RackAir* worst = nullptr;
        for (const RackAir& r : air.racks)
            if (const RackAir* was = rackOf(before, r.rack); was && (!worst || r.inletMaxC - was->inletMaxC > most))
                most = r.inletMaxC - was->inletMaxC, worst = &r;
        line(i18n("Return"), i18n("{:.1f} °C before, {:.1f} °C after", before->returnC, air.returnC));
        line(i18n("Racks above recommended"), i18n("{:L} before, {:L} after", before->aboveRecommended, air.aboveRecommended));
        line(i18n("Racks above allowable"), i18n("{:L} before, {:L} after", before->aboveAllowable, air.aboveAllowable));
        if (worst) line(i18n("Largest rise of an inlet"), i18n("{:+.1f} K at {}", most, rackName(figures, *worst)));
    }
    out += words(i18n("Warmest rack inlets")) + '\n';
    constexpr std::size_t kShown = 12;
    for (std::size_t n = 0; n < std::min(kShown, order.size()); ++n) {
        const RackAir& r = air.racks[order[n]];
        out += "  " +
               words(i18n("{}: mean {:.1f} °C, largest {:.1f} °C, top third {:.1f} °C; {:.0f} % of its air from air units", rackName(figures, r),
                          r.inletMeanC, r.inletMaxC, r.inletTopC, r.captureIndex * 100)) +
               '\n';
    }
    if (const auto found = hallFindings(figures, air); !found.empty()) {
        out += words(i18n("Findings")) + '\n';
        for (const Finding& f : found) {
            const std::string message = words(f.message);
            out +=
                "  " + (f.rule.empty() ? message : fmt::format("{:<4} {}", f.rule, f.waived ? words(i18n("waived: {}", message)) : message)) + '\n';
            if (!f.id.empty()) out += "       " + words(i18n("id {}", f.id)) + '\n';
        }
    }
    out += words(i18n("Assumptions")) + '\n';
    for (const Text& text : h.assumptions) out += "  " + words(text) + '\n';
    return out;
}

std::string hallCsv(const Figures& figures, const HallAir& air, const std::vector<RackAir>* other, const std::string& engine)
{
    std::string out = "rack,heat_w,air_m3s,inlet_mean_c,inlet_max_c,inlet_top_c,swing_k,capture_index,front_pa"; // no text: names of columns
    if (other) out += fmt::format(",{0}_inlet_mean_c,{0}_inlet_max_c,{0}_inlet_top_c,{0}_difference_k", engine); // no text
    out += '\n';
    for (std::size_t number = 0; number < air.racks.size(); ++number) {
        const RackAir& r = air.racks[number];
        std::string name = rackName(figures, r);
        if (name.find_first_of(",\"\n") != std::string::npos) {
            std::string quoted = "\"";
            for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
            name = quoted + '"';
        }
        fmt::format_to(std::back_inserter(out), "{},{:.1f},{:.4f},{:.3f},{:.3f},{:.3f},{:.3f},{:.4f},{:.2f}", name, r.heatW, r.m3s, r.inletMeanC,
                       r.inletMaxC, r.inletTopC, r.swingK, r.captureIndex, r.frontPa);
        if (other) {
            const RackAir& o = (*other)[number];
            fmt::format_to(std::back_inserter(out), ",{:.3f},{:.3f},{:.3f},{:.3f}", o.inletMeanC, o.inletMaxC, o.inletTopC,
                           o.inletMeanC - r.inletMeanC);
        }
        out += '\n';
    }
    return out;
}

std::string hallVtk(const HallAir& air, const std::vector<double>* other, const std::string& engine)
{
    const Room& room = *air.room->room;
    const Solver& solver = *air.room->solver;
    const Grid& g = room.grid;
    std::string out = "# vtk DataFile Version 3.0\nair\nASCII\nDATASET RECTILINEAR_GRID\n";
    const auto add = std::back_inserter(out);
    fmt::format_to(add, "DIMENSIONS {} {} {}\n", g.count(0) + 1, g.count(1) + 1, g.count(2) + 1);
    for (int a = 0; a < 3; ++a) {
        fmt::format_to(add, "{}_COORDINATES {} double\n", "XYZ"[a], g.count(a) + 1);
        for (int i = 1; i <= g.count(a) + 1; ++i) fmt::format_to(add, "{:.4f}\n", g.edge(a, i));
    }
    const auto each = [&](auto&& write) {
        for (int k = 1; k <= g.count(2); ++k)
            for (int j = 1; j <= g.count(1); ++j)
                for (int i = 1; i <= g.count(0); ++i) write(g.at(i, j, k));
    };
    fmt::format_to(add, "CELL_DATA {}\nSCALARS temperature_c float 1\nLOOKUP_TABLE default\n", g.cells()); // no text
    each([&](std::size_t c) { fmt::format_to(add, "{:.2f}\n", solver.fields.celsius[c]); });
    if (other) {
        fmt::format_to(add, "SCALARS {}_temperature_c float 1\nLOOKUP_TABLE default\n", engine); // no text
        each([&](std::size_t c) { fmt::format_to(add, "{:.2f}\n", (*other)[c]); });
    }
    out += "SCALARS solid int 1\nLOOKUP_TABLE default\n"; // no text
    each([&](std::size_t c) { fmt::format_to(add, "{}\n", int(room.solid[c])); });
    out += "VECTORS velocity_m_s float\n"; // no text
    each([&](std::size_t c) {
        std::array<double, 3> v{};
        for (std::size_t a = 0; a < 3; ++a) v[a] = (solver.fields.velocity[a][c] + solver.fields.velocity[a][c + g.stride(int(a))]) / 2;
        fmt::format_to(add, "{:.3f} {:.3f} {:.3f}\n", v[0], v[1], v[2]);
    });
    return out;
}

} // namespace hw::sim::air

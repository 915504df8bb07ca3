// SPDX-License-Identifier: GPL-3.0-or-later
// The air of a hall as a kind of scenario, so that sweeps of it (failures, leakage, cells) run as other sweeps do.
#include "simulation/questions/form.h"
#include "simulation/questions/kinds.h"

#include "core/derived/figures/figures.h"
#include "simulation/air/hall.h"

#include <cmath>

namespace hw::sim {
inline namespace questions {

namespace {

constexpr int kQuickCells = 20'000; ///< for many cases; a single hall has more

struct AirQuestion {
    std::string hall, failed;
    air::HallOptions options;
};

Form<AirQuestion> airForm()
{
    using Q = AirQuestion;
    const air::HallOptions usual;
    Form<Q> form;
    form.to(&Q::hall, text("hall", nullptr, {}, i18n("hall; default: the first with fan walls or CRAHs")))
        .to(&Q::failed, text("failed_units", nullptr, {}, i18n("air units that stand still, joined by +")))
        .take(integer("cells", kQuickCells, 2'000, 4e6, i18n("approximate number of grid cells")),
              [](Q& q, const Json& value) { q.options.cells = value.get<std::size_t>(); })
        .to([](Q& q) -> double& { return q.options.leakagePercent; },
            number("leakage_percent", "%", usual.leakagePercent, 0.01, 50, i18n("open share of containment and of gaps between racks")))
        .to([](Q& q) -> double& { return q.options.rackFanPa; },
            number("rack_fan_pa", "Pa", usual.rackFanPa, 0, 2000, i18n("shutoff pressure of rack fans; 0: fixed flow")));
    return form;
}

Json rounded(double value, double step) { return std::isfinite(value) ? Json(std::round(value / step) * step) : Json(); }

Result<ScenarioOutcome> runAir(const ScenarioDesign& design, AirQuestion q, const Progress& progress)
{
    const auto figures = figuresOf(design.snapshot);
    if (!figures) return tl::unexpected(figures.error());
    const auto place = [](Error error, const char* key) {
        return tl::unexpected(Error(error.code, key, std::move(error.what), std::move(error.todo)));
    };
    const auto hall = air::airHall(**figures, q.hall);
    if (!hall) return place(hall.error(), "hall");
    for (std::size_t from = 0; from < q.failed.size();) {
        const std::size_t to = std::min(q.failed.find('+', from), q.failed.size());
        const auto unit = air::airUnit(**figures, *hall, q.failed.substr(from, to - from));
        if (!unit) return place(unit.error(), "failed_units");
        q.options.failed.push_back(*unit);
        from = to + 1;
    }
    ScenarioOutcome out;
    // Too few units left is an answer, too: other points of a sweep have theirs.
    if (const auto plan = air::hallPlan(**figures, *hall, q.options); !plan) {
        if (plan.error().code != ErrorCode::Refused || q.options.failed.empty()) return tl::unexpected(plan.error());
        out.results = {{"settled", false}, {"verdict", plan.error().text()}};
        return out;
    }
    const auto solved = air::solveHall(**figures, *hall, q.options, progress);
    if (!solved) return tl::unexpected(solved.error());
    const auto warmest = std::ranges::max_element(solved->racks, {}, &air::RackAir::inletMaxC);
    const auto least = std::ranges::min_element(solved->racks, {}, &air::RackAir::frontPa);
    Json racks = Json::array();
    for (const air::RackAir& rack : solved->racks)
        racks.push_back({{"rack", design.snapshot->racks.name[rack.rack]},
                         {"inlet_mean_c", rounded(rack.inletMeanC, 1e-3)},
                         {"inlet_max_c", rounded(rack.inletMaxC, 1e-3)},
                         {"capture_share", rounded(rack.captureIndex, 1e-4)}});
    out.results = {{"hall", solved->hall.name},
                   {"settled", solved->certificate.settled},
                   {"grid_cells", solved->cells},
                   {"steps", solved->certificate.steps},
                   {"heat_kw", rounded(solved->hall.heatW / 1000, 1e-3)},
                   {"supply_m3s", rounded(solved->hall.supplyM3s, 1e-3)},
                   {"return_c", rounded(solved->returnC, 1e-3)},
                   {"warmest_inlet_c", rounded(warmest->inletMaxC, 1e-3)},
                   {"warmest_rack", design.snapshot->racks.name[warmest->rack]},
                   {"racks_above_recommended", solved->aboveRecommended},
                   {"racks_above_allowable", solved->aboveAllowable},
                   {"least_front_pa", rounded(least->frontPa, 1e-3)},
                   {"rci_high_share", rounded(solved->rciHigh / 100, 1e-5)},
                   {"rci_low_share", rounded(solved->rciLow / 100, 1e-5)},
                   {"rti_share", rounded(solved->rti / 100, 1e-5)},
                   {"shi_share", rounded(solved->shi, 1e-5)},
                   {"racks", std::move(racks)}};
    for (const Finding& found : air::hallFindings(**figures, *solved)) out.notes.push_back(found.message);
    for (const Text& text : solved->hall.assumptions) out.notes.push_back(text);
    return out;
}

} // namespace

std::vector<ScenarioKind> airKinds()
{
    return {formKind("hall-air", i18n("Air of a hall with failed units, leakage or cells to vary: rack inlets, RCI, RTI, SHI"), airForm(), runAir)};
}

} // namespace questions
} // namespace hw::sim

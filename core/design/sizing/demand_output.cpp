// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/demand.h"
#include "core/design/sizing/parts_of_size.h"
#include "core/design/sizing/wrapped.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::sizing {

namespace {

using Json = nlohmann::ordered_json;

double rounded(double value) { return std::round(value * 1000) / 1000; }
Text people(double accelerators) { return grouped(std::int64_t(std::ceil(accelerators - 1e-9))); }

Text ranOut(const Exhaustion& r)
{
    const std::string quarter = quarterName(*r.quarter), &what = r.limit.resource;
    const Text wanted = people(r.demand);
    const std::int64_t had = r.limit.accelerators;
    if (what == "power") return i18n("In {}, power runs out: {} accelerators required, {:L} possible.", quarter, wanted, had);
    if (what == "template")
        return i18n("In {}, the template parameters are exhausted: {} accelerators required, {:L} possible.", quarter, wanted, had);
    if (what == "ports") return i18n("In {}, ports run out: {} accelerators required, {:L} possible.", quarter, wanted, had);
    if (what == "racks") return i18n("In {}, racks run out: {} accelerators required, {:L} possible.", quarter, wanted, had);
    return i18n("In {}, servers run out: {} accelerators required, {:L} possible.", quarter, wanted, had);
}

} // namespace

Text DesignLimit::label() const
{
    if (resource == "servers") return i18n("servers");
    if (resource == "ports") return i18n("ports");
    if (resource == "power") return i18n("power");
    if (resource == "racks") return i18n("racks");
    return i18n("template");
}

nlohmann::ordered_json demandJson(const DemandAnswer& answer, const std::string& design)
{
    Json quarters = Json::array(), runOuts = Json::array();
    for (const auto& q : answer.quarters) {
        Json tenants = Json::object();
        for (const auto& [tenant, n] : q.byTenant) tenants[tenant] = rounded(n);
        quarters.push_back({{"quarter", quarterName(q.quarter)}, {"accelerators", rounded(q.accelerators)}, {"by_tenant", tenants}});
    }
    for (const auto& r : answer.runOuts) {
        Json row{{"resource", r.limit.resource},
                 {"building", r.limit.building.empty() ? Json(nullptr) : Json(r.limit.building)},
                 {"accelerators", r.limit.accelerators}};
        if (!r.limit.building.empty()) row["filled_before"] = r.filledBefore;
        row["runs_out"] = r.quarter ? Json(quarterName(*r.quarter)) : Json(nullptr);
        row["demand_then"] = r.quarter ? Json(rounded(r.demand)) : Json(nullptr);
        row["detail"] = r.limit.detail;
        runOuts.push_back(std::move(row));
    }
    return {{"schema", "hallwright.demand/1"}, {"design", design}, {"quarters", quarters}, {"limits", runOuts}};
}

std::string demandText(const DemandAnswer& answer, const std::string& design)
{
    std::string out = fmt::format("{}\n\n{:<12} {:<22} {:>14} {:>10} {:>14}\n", design, i18n("resource"), i18n("location"), i18n("supports"),
                                  i18n("runs out"), i18n("demand at that time"));
    for (const auto& r : answer.runOuts) {
        out += fmt::format("{:<12} {:<22} {:>14} {:>10} {:>14}\n", r.limit.label(),
                           r.limit.building.empty() ? i18n("whole design") : verbatim(r.limit.building), grouped(r.limit.accelerators),
                           r.quarter ? verbatim(quarterName(*r.quarter)) : i18n("sufficient"), r.quarter ? people(r.demand) : Text());
        out += wrapped("             " + words(r.limit.detail), 13);
    }
    for (const auto& r : answer.runOuts)
        if (r.quarter && r.limit.building.empty()) out += wrapped(words(ranOut(r)), 0);
    if (!answer.quarters.empty()) out += fmt::format("\n{}\n", i18n("Buildings are filled in order. Peak of each quarter:"));
    for (const auto& q : answer.quarters) {
        out += fmt::format("  {}  {:>14}\n", quarterName(q.quarter), people(q.accelerators));
        const bool over =
            std::all_of(answer.runOuts.begin(), answer.runOuts.end(), [&](const Exhaustion& r) { return r.quarter && *r.quarter < q.quarter; });
        if (over && &q != &answer.quarters.back()) return out + "  ...\n";
    }
    return out;
}

nlohmann::ordered_json stagesJson(const std::vector<GrowthStage>& stages)
{
    Json result = Json::array();
    for (const auto& stage : stages) {
        Json row{{"quarter", quarterName(stage.quarter)}, {"demand", rounded(stage.demand)}};
        row["accelerators"] = stage.accelerators ? Json(*stage.accelerators) : Json(nullptr);
        row[stage.accelerators ? "variant" : "reason"] = stage.variant;
        result.push_back(std::move(row));
    }
    return result;
}

std::string stagesText(const std::vector<GrowthStage>& stages)
{
    std::string out;
    for (const auto& stage : stages)
        out += wrapped("  " + words(stage.accelerators ? i18n("{}  {:>12} required  {:>12} built: {}", quarterName(stage.quarter),
                                                              people(stage.demand), grouped(*stage.accelerators), stage.variant)
                                                       : i18n("{}  {:>12} required, design limit reached: {}", quarterName(stage.quarter),
                                                              people(stage.demand), stage.variant)),
                       11);
    return out;
}

} // namespace hw::sizing

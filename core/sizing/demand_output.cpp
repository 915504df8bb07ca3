// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/demand.h"
#include "core/sizing/parts_of_size.h"
#include "core/sizing/wrapped.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::sizing {

namespace {

using Json = nlohmann::ordered_json;

double rounded(double value) { return std::round(value * 1000) / 1000; }
std::string people(double accelerators) { return grouped(std::int64_t(std::ceil(accelerators - 1e-9))); }

const char* unitOf(const std::string& resource)
{
    if (resource == "power") return "MW";
    if (resource == "template") return "the template's parameters";
    return resource == "ports" ? "ports" : resource == "racks" ? "racks" : "servers";
}

} // namespace

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
    std::string out = fmt::format("{}\n\n{:<12} {:<22} {:>14} {:>10} {:>14}\n", design, "what", "where", "carries", "runs out", "wanted then");
    for (const auto& r : answer.runOuts) {
        out += fmt::format("{:<12} {:<22} {:>14} {:>10} {:>14}\n", r.limit.resource, r.limit.building.empty() ? "whole design" : r.limit.building,
                           grouped(r.limit.accelerators), r.quarter ? quarterName(*r.quarter) : "lasts", r.quarter ? people(r.demand) : "");
        out += wrapped("             " + r.limit.detail, 13);
    }
    for (const auto& r : answer.runOuts)
        if (r.quarter && r.limit.building.empty())
            out += wrapped(fmt::format("In {} {} run out: {} accelerators are wanted, {} can be had.", quarterName(*r.quarter),
                                       unitOf(r.limit.resource), people(r.demand), grouped(r.limit.accelerators)),
                           0);
    if (!answer.quarters.empty()) out += "\nBuildings fill in their order. Peak of each quarter:\n";
    for (const auto& q : answer.quarters) {
        out += fmt::format("  {}  {:>14}\n", quarterName(q.quarter), people(q.accelerators));
        const bool over =
            std::all_of(answer.runOuts.begin(), answer.runOuts.end(), [&](const RunOut& r) { return r.quarter && *r.quarter < q.quarter; });
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
        out += stage.accelerators ? wrapped(fmt::format("  {}  {:>12} wanted  {:>12} built: {}", quarterName(stage.quarter), people(stage.demand),
                                                        grouped(*stage.accelerators), stage.variant),
                                            11)
                                  : wrapped(fmt::format("  {}  {:>12} wanted, and the design ends: {}", quarterName(stage.quarter),
                                                        people(stage.demand), stage.variant),
                                            11);
    return out;
}

} // namespace hw::sizing

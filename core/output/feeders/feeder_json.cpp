// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/feeders/feeder_study.h"

#include "core/foundation/base/rounding.h"
#include "core/foundation/catalog/entity.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace hw {

namespace {

using Json = nlohmann::ordered_json;

Json gridJson(const FeederStudy& study)
{
    if (!study.grid) return nullptr;
    const GridRule& g = *study.grid;
    const auto orNull = [](double value) { return value > 0 ? Json(value) : Json(); };
    return {{"name", g.slug},
            {"title", g.title},
            {"status", g.status},
            {"from_mw", orNull(g.fromMw)},
            {"ramp_mw_per_min", orNull(g.rampMwPerMin)},
            {"step_mw", orNull(g.stepMw)},
            {"step_s", orNull(g.stepS)},
            {"recovery", g.recovery.empty() ? Json() : Json(g.recovery)},
            {"swing_in_step_mw", g.stepMw > 0 ? Json(inSteps(study.swing.within(g.stepS) / 1e6, 1e4)) : Json()},
            {"swing_in_minute_mw", inSteps(study.swing.within(60) / 1e6, 1e4)},
            {"applies", study.facilityW >= g.fromMw * 1e6},
            {"source", g.source},
            {"confidence", std::string(1, g.confidence)}};
}

} // namespace

Json feederJson(const FeederStudy& study, const Figures& figures, const DesignStamp& stamp)
{
    const Snapshot& s = *figures.snapshot;
    const auto name = [&](DeviceId id) { return entityName(s, *figures.parts, ref(id)); };
    Json json{{"schema", "hallwright.feeders/1"},     {"design", {{"name", stamp.project}, {"revision", stamp.revision}, {"date", stamp.date}}},
              {"basis", powerBasisName(study.basis)}, {"power_factor_of_loads", study.powerFactor},
              {"conductor_c", study.conductorC},      {"loss_w", inSteps(study.lossW(), 10)}};
    const auto named = [&](const std::vector<DeviceId>& ids) {
        Json list = Json::array();
        for (const DeviceId id : ids) list.push_back(name(id));
        return list;
    };
    json["without"] = named(study.lost);
    json["loses_power"] = named(study.dark);
    json["above_ampacity"] = study.overloaded().size();
    Json rows = Json::array();
    for (const Feeder& f : study.feeders)
        rows.push_back({{"from", name(f.supplier)},
                        {"to", name(f.consumer)},
                        {"side", f.side ? Json(std::string(1, f.side)) : Json()},
                        {"kind", wordOf(f.size.kind)},
                        {"conductor", f.size.type ? Json(s.partTypes.slug[*f.size.type]) : Json()},
                        {"runs", f.size.runs},
                        {"length_m", f.meters},
                        {"volts", inSteps(f.size.volts, 10)},
                        {"load_w", inSteps(f.loadW, 10)},
                        {"worst_w", inSteps(f.worstW, 10)},
                        {"worst_a", inSteps(f.worstAmps, 10)},
                        {"design_a", double(f.size.needMa) / 1000},
                        {"ampacity_a", double(f.size.carriesMa) / 1000},
                        {"loss_w", f.known ? Json(inSteps(f.lossW, 10)) : Json()},
                        {"drop_percent", f.known ? Json(inSteps(100 * f.dropShare, 1e4)) : Json()},
                        {"drop_total_percent", inSteps(100 * f.regulatedShare, 1e4)},
                        {"drop_path_percent", inSteps(100 * f.pathShare, 1e4)}});
    json["feeders"] = std::move(rows);
    Json faults = Json::array();
    for (std::size_t i = 0; i < study.faults.size(); ++i) {
        const FaultLevel& level = study.faults[i];
        faults.push_back({{"name", name(level.at)},
                          {"volts", inSteps(level.volts, 10)},
                          {"grid_ka", level.gridAmps > 0 ? Json(inSteps(level.gridAmps / 1000, 1e3)) : Json()},
                          {"grid_peak_ka", level.gridPeak > 0 ? Json(inSteps(level.gridPeak / 1000, 1e3)) : Json()},
                          {"generators_ka", level.setsAmps > 0 ? Json(inSteps(level.setsAmps / 1000, 1e3)) : Json()},
                          {"withstand_ka", study.withstand[i] > 0 ? Json(study.withstand[i] / 1000) : Json()}});
    }
    json["short_circuits"] = study.lost.empty() ? std::move(faults) : Json();
    Json utilities = Json::array();
    for (const UtilityLoad& load : study.utilities)
        utilities.push_back({{"name", name(load.at)},
                             {"load_w", inSteps(load.watts, 10)},
                             {"reactive_var", inSteps(load.vars, 10)},
                             {"power_factor", inSteps(load.factor(), 1e4)}});
    json["utilities"] = std::move(utilities);
    json["facility_w"] = inSteps(study.facilityW, 1);
    json["contract_w"] = study.contractW > 0 ? Json(study.contractW) : Json();
    json["grid"] = gridJson(study);
    Json phases = Json::array();
    for (const FeederStudy::Phase& phase : study.phases)
        phases.push_back({{"number", phase.number},
                          {"name", phase.name},
                          {"facility_w", inSteps(phase.facilityW, 1)},
                          {"contract_w", phase.contractW > 0 ? Json(phase.contractW) : Json()},
                          {"fits", phase.contractW > 0 ? Json(phase.facilityW <= phase.contractW) : Json()}});
    json["phases"] = std::move(phases);
    json["scope"] = {words(feederScope()[0]), words(feederScope()[1])};
    return json;
}

} // namespace hw

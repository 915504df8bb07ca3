// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/proof/proof_output.h"
#include "core/foundation/model/text_values.h"
#include "core/output/report/cooling_report.h"
#include "core/output/report/json_values.h"
#include "core/output/report/network_view.h"
#include "core/output/report/report_money.h"
#include "core/output/report/space_report.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw {
namespace {

using Json = nlohmann::ordered_json;

Json metersJson(std::int64_t mm) { return mm % 1000 == 0 ? Json(mm / 1000) : Json(double(mm) / 1000.0); }

/// A parameter that is a number is written as one.
Json parameterJson(const std::string& value)
{
    std::int64_t number = 0;
    return text::fromText(value, number) ? Json(number) : Json(value);
}

Json designJson(const Report::Design& design)
{
    Json parameters = Json::object();
    for (const auto& [name, value] : design.parameters) parameters[name] = parameterJson(value);
    return {
        {"name", design.name}, {"template", design.templateName}, {"parameters", parameters}, {"revision", design.revision}, {"date", design.date}};
}

Json acceleratorsJson(const Report::Accelerators& accelerators)
{
    Json peak = Json::object(), assumed = Json::array();
    for (const auto& [precision, flops] : accelerators.peakFlops) {
        peak[precision] = flops.value;
        if (flops.assumed()) assumed.push_back(precision);
    }
    return {{"active", accelerators.active}, {"backup", accelerators.backup}, {"peak_flops", peak}, {"peak_flops_assumed", assumed}};
}

Json tierJson(const FabricFigures::Tier& tier, const Figures& figures)
{
    Json ports = Json::array();
    for (const auto& count : tier.ports)
        ports.push_back({{"rate_gbps", count.rate.count()},
                         {"role", wordOf(count.role)},
                         {"total", count.total},
                         {"used", count.used},
                         {"free", count.total - count.used}});
    return {{"name", figures.snapshot->tiers.name[tier.id]},
            {"switches", tier.switches},
            {"type", typeOfTier(figures, tier.id)},
            {"down_gbps", tier.downGbps},
            {"up_gbps", tier.upGbps},
            {"oversubscription", tier.oversubscription()},
            {"oversubscription_with_backup", tier.oversubscriptionWithBackup()},
            {"ports", ports}};
}

Json networkJson(const FabricFigures::Network& network, const Figures& figures)
{
    const auto& s = *figures.snapshot;
    Json tiers = Json::array(), links = Json::array();
    for (const auto& tier : network.tiers)
        if (s.tiers.kind[tier.id] != TierKind::Server) tiers.push_back(tierJson(tier, figures));
    for (const auto& link : network.links)
        links.push_back({{"from", tierName(s, link.from)},
                         {"to", tierName(s, link.to)},
                         {"active", link.active},
                         {"backup", link.backup},
                         {"rate_gbps", link.rate.count()}});
    return {{"name", s.networks.name[network.id]},
            {"label", resourceText(s.networks.label[network.id])},
            {"kind", wordOf(s.networks.kind[network.id])},
            {"color", fmt::format("#{:06x}", s.networks.color[network.id])},
            {"domain", s.networks.domain[network.id]},
            {"accelerator_gbps", s.networks.acceleratorRate[network.id].count()},
            {"uneven", unevenWiring(s, network.id)},
            {"planes", network.planes},
            {"rails", network.rails},
            {"segments", network.segments},
            {"pods", network.pods},
            {"tiers", tiers},
            {"links", links},
            {"oversubscription_end_to_end", network.oversubscriptionEndToEnd},
            {"connected", network.connected},
            {"through_servers", network.throughServers}};
}

Json supplyJson(const SupplyTotals& t)
{
    return {{"cords", t.cords},
            {"cord_m", metersJson(t.cordMm)},
            {"whips", t.whips},
            {"whip_m", metersJson(t.whipMm)},
            {"tap_offs", t.tapOffs},
            {"feeders", t.feeders},
            {"feeder_runs", t.runs},
            {"feeder_m", metersJson(t.feederMm)},
            {"longest_feeder_m", metersJson(t.longestFeederMm)},
            {"bus_ducts", t.busDucts},
            {"bus_duct_m", metersJson(t.busDuctMm)},
            {"hose_pairs", t.hoses},
            {"hose_pair_m", metersJson(t.hoseMm)},
            {"pipe_pairs", t.pipes},
            {"pipe_pair_m", metersJson(t.pipeMm)},
            {"without_route", t.noWay},
            {"without_part", t.withoutPart}};
}

Json powerJson(const Report::Power& power)
{
    Json bases = Json::object(), levels = Json::array();
    for (const auto basis : {PowerBasis::Typical, PowerBasis::Design, PowerBasis::Nameplate}) {
        const auto it = power.it[std::size_t(basis)], core = power.coreIt[std::size_t(basis)];
        bases[std::string(powerBasisName(basis))] = {
            {"it_w", wattsJson(it)},
            {"core_it_w", wattsJson(core)},
            {"campus_it_w", wattsJson(it + core)},
            {"facility_w", rounded(basis == power.basis ? power.facilityW() : toWatts(it + core) * power.pue, 0.001)}};
    }
    for (const auto& level : power.levels)
        levels.push_back({{"name", level.name},
                          {"kind", level.kind},
                          {"count", level.count},
                          {"worst", level.worst},
                          {"load_w", wattsJson(level.load)},
                          {"capacity_w", wattsJson(level.capacity)},
                          {"worst_failover_load_w", wattsJson(level.failover)},
                          {"fits", level.fits()}});
    Json nodes = Json::array();
    for (const auto& row : power.chain)
        nodes.push_back(
            {{"name", row.name},
             {"kind", row.kind},
             {"side", row.side ? std::string(1, row.side) : std::string()},
             {"parent", row.parents},
             {"load_w", wattsJson(row.load)},
             {"load_va", rounded(row.apparentVa(row.load), 0.001)},
             {"loss_w", wattsJson(row.loss)},
             {"feeder_loss_w", wattsJson(row.feederLoss)},
             {"capacity_w", wattsJson(row.capacity)},
             {"capacity_va", double(row.apparentCapacity.count()) / 1000},
             {"worst_load_w", wattsJson(row.worst)},
             {"worst_lost", row.worstLost.empty() ? Json::array() : Json::array({row.worstLost})},
             {"phases_w", row.direct ? Json::array() : Json{wattsJson(row.phases[0]), wattsJson(row.phases[1]), wattsJson(row.phases[2])}},
             {"fits", row.fits()}});
    return {{"basis", powerBasisName(power.basis)},
            {"it_w", wattsJson(power.itAtBasis())},
            {"facility_w", rounded(power.facilityW(), 0.001)},
            {"facility_basis", power.facilityBasis},
            {"pue", power.pue},
            {"pue_assumed", power.pueAssumed},
            {"pue_computed", power.pueComputed},
            {"losses_w", wattsJson(power.facility.losses)},
            {"feeder_losses_w", wattsJson(power.facility.feeders)},
            {"cooling_equipment_w", wattsJson(power.facility.cooling)},
            {"cooling_at_load_w", wattsJson(power.facility.coolingAtLoad)},
            {"utility_w", wattsJson(power.facility.total())},
            {"pue_from_losses", power.facility.complete ? Json(rounded(power.facility.pue(), 1e-6)) : Json()},
            {"per_accelerator_w", rounded(power.perAcceleratorW, 1e-6)},
            {"core_it_w", wattsJson(power.coreAtBasis())},
            {"campus_it_w", wattsJson(power.itAtBasis() + power.coreAtBasis())},
            {"by_basis", bases},
            {"levels", levels},
            {"nodes", nodes},
            {"unfed_devices", power.unfedDevices},
            {"dark_on_single_loss", power.darkOnSingleLoss},
            {"cords", power.cords},
            {"cabling", supplyJson(power.supply)}};
}

/// `of`: the buildings whose power is meant.
Json readingsJson(const std::vector<LimitReading>& readings, const char* of)
{
    Json result = Json::array();
    for (const auto& r : readings)
        result.push_back({{"basis", r.basis},
                          {"of", of},
                          {"load_w", rounded(r.loadW, 0.001)},
                          {"limit_w", r.limited() ? Json(rounded(r.limitW, 0.001)) : Json()},
                          {"fits", r.limited() ? Json(r.fits()) : Json()},
                          {"spare_share", r.limited() ? Json(site::spareShare(r.loadW, r.limitW)) : Json()}});
    return result;
}

Json siteJson(const Report::Site& site)
{
    return {{"limit_w", wattsJson(site.limit)},
            {"limit_basis", site.limitBasis},
            {"fits", site.fits},
            {"spare_share", site.spareShare},
            {"max_accelerators_at_limit", site.maxAccelerators},
            {"buildings", site.buildings},
            {"substation_capacity_w", rounded(site.substations.capacityW, 0.001)},
            {"substations", site.substations.stations},
            {"substation_transformers", site.substations.transformers},
            {"substation_basis", site.substations.stations == 0 ? Json() : Json(site.substations.drawn ? "design" : "setting")},
            {"substations_required", site.substationsRequired},
            {"substation_accelerators", site.substationAccelerators},
            {"substation_size",
             {{"transformers", site.substationSize.transformers},
              {"transformers_out", site.substationSize.spare},
              {"transformer_mva", site.substationSize.transformerMva},
              {"required", site.substationsOfSize}}},
            {"readings", readingsJson(site.readings, "pods")},
            {"substation_readings", readingsJson(site.substationReadings, "campus")}};
}

Json roomsJson(const Report& report, const Snapshot& s)
{
    Json rooms = Json::array();
    for (const RoomMass& room : report.rooms)
        rooms.push_back({{"room", s.halls.name[room.room]},
                         {"kg", rounded(room.kg, 1)},
                         {"water_l", rounded(room.liters, 1)},
                         {"area_m2", rounded(room.areaM2, 0.1)},
                         {"highest_kg_m2", rounded(room.densestKgM2, 1)},
                         {"highest_at", s.devices.name[room.densest]}});
    return rooms;
}

Json noiseJson(const Report& report)
{
    if (!report.noise) return Json();
    const SiteNoise& noise = *report.noise;
    return {{"boundary_m", noise.boundaryM},
            {"normal_dba", rounded(noise.normalDba, 0.1)},
            {"all_sets_dba", rounded(noise.outageDba, 0.1)},
            {"limit_dba", noise.limitDba > 0 ? Json(noise.limitDba) : Json()},
            {"generator_sets", noise.sets},
            {"heat_rejection_units", noise.coolers}};
}

Json exhaustJson(const Report& report, const Snapshot& s)
{
    if (!report.exhaust) return Json();
    const ExhaustGap& gap = *report.exhaust;
    return {{"from", s.devices.name[gap.set]}, {"to", s.devices.name[gap.intake]}, {"m", rounded(gap.meters, 0.01)}, {"required_m", gap.leastM}};
}

Json plantJson(const Report& report, const Snapshot& s)
{
    Json sizes = Json::array();
    for (const PlantSize& size : report.plant)
        sizes.push_back({{"part", std::string(wordOf(size.part))},
                         {"count", size.count},
                         {"installed_w", rounded(size.installedW, 1)},
                         {"needed_w", rounded(size.neededW, 1)},
                         {"ratio", rounded(size.ratio(), 0.001)},
                         {"needed_with_loss_w", rounded(size.worstW, 1)},
                         {"ratio_with_loss", rounded(size.worstRatio(), 0.001)}});
    const FuelNeed& fuel = report.fuel;
    return {{"sizes", sizes},
            {"fuel",
             {{"sets", fuel.sets},
              {"load_w", rounded(fuel.loadW, 1)},
              {"liters_per_hour", rounded(fuel.litersPerHour, 0.1)},
              {"hours", fuel.hours},
              {"liters", rounded(fuel.liters, 1)},
              {"deliveries", fuel.deliveries},
              {"tank_liters", rounded(fuel.tankLiters, 1)},
              {"tank_hours", rounded(fuel.tankHours, 0.01)}}},
            {"rooms", roomsJson(report, s)},
            {"noise", noiseJson(report)},
            {"exhaust", exhaustJson(report, s)},
            {"scope", plantScopeText()}};
}

Json runJson(const Report::Run& run)
{
    return {{"cables", run.cables},
            {"length_m", metersJson(run.lengthMm)},
            {"physical_cables", run.physicalCables},
            {"physical_length_m", metersJson(run.physicalLengthMm)}};
}

Json fiberJson(const Report::Fiber& fiber)
{
    Json result = runJson(fiber.all);
    result["longest_m"] = metersJson(fiber.longestMm);
    result["by_medium"] = Json::object();
    for (const auto& [medium, run] : fiber.byMedium) result["by_medium"][medium] = runJson(run);
    result["transceivers"] = fiber.transceivers.empty() ? Json::object() : Json(fiber.transceivers);
    result["reach_exceeded"] = fiber.reachExceeded;
    result["without_route"] = fiber.noRoute;
    return result;
}

double thousandths(double value) { return std::round(value * 1000) / 1000; }

/// A place: what is left, servers that fit in every respect, those that would by one resource alone (null: it sets no limit), and what of each
/// would then be left for nothing.
Json placeJson(const Headroom& headroom, const PlaceSpare& place)
{
    Json alone = Json::object(), stranded = Json::object();
    for (std::size_t r = 0; r < kResources; ++r) {
        const auto name = std::string(resourceName(Resource(r)));
        alone[name] = place.alone[r] ? Json(*place.alone[r]) : Json();
        stranded[name] = thousandths(headroom.stranded(place, Resource(r)));
    }
    return {{"name", place.name},
            {"kw", place.power ? Json(thousandths(double(place.power->count()) * 1e-6)) : Json()},
            {"u", place.units},
            {"ports", place.ports},
            {"kg", place.weight ? Json(thousandths(double(place.weight->count()) * 1e-3)) : Json()},
            {"servers", place.servers},
            {"limit", place.limit ? std::string(resourceName(*place.limit)) : std::string()},
            {"by", alone},
            {"stranded", stranded}};
}

Json headroomJson(const Headroom& headroom, const Figures& figures)
{
    Json rows = Json::array(), halls = Json::array();
    for (const auto& place : headroom.rows) rows.push_back(placeJson(headroom, place));
    for (const auto& place : headroom.halls) halls.push_back(placeJson(headroom, place));
    Json server = Json::object();
    if (headroom.server)
        server = {{"type", (*figures.parts)[*headroom.server].slug},
                  {"kw", thousandths(double(headroom.serverPower.count()) * 1e-6)},
                  {"u", headroom.serverUnits},
                  {"ports", headroom.serverPorts},
                  {"kg", thousandths(double(headroom.serverWeight.count()) * 1e-3)}};
    if (headroom.serversPerRack > 0) server["per_rack"] = headroom.serversPerRack;
    return {{"server", server}, {"rows", rows}, {"halls", halls}};
}

} // namespace

Json reportJson(const Report& report, const Figures& figures)
{
    Json json{{"schema", "hallwright.report/1"}, {"design", designJson(report.design)}, {"accelerators", acceleratorsJson(report.accelerators)}};
    json["notes"] = report.notes;
    json["servers"] = {{"active", report.servers.active}, {"backup", report.servers.backup}};
    json["racks"] = {{"total", report.racks.total}, {"by_type", report.racks.byType.empty() ? Json::object() : Json(report.racks.byType)}};
    json["halls"] = hallsJson(figures);
    json["networks"] = Json::array();
    for (const auto& network : figures.fabric->networks()) {
        json["networks"].push_back(networkJson(network, figures));
        for (const auto& proof : report.proofs)
            if (proof.network == network.id) json["networks"].back()["proof"] = proofJson(proof);
    }
    json["power"] = powerJson(report.power);
    json["power"]["by_tier"] = tierPowerJson(figures);
    json["power"]["peaks"] = peaksJson(figures);
    json["plant"] = plantJson(report, *figures.snapshot);
    json["site"] = siteJson(report.site);
    json["cooling"] = coolingJson(report.cooling, figures);
    json["fibre"] = fiberJson(report.fiber);
    json["fibre"]["runs"] = cableRunsJson(figures);
    json["fibre"]["trays"] = traysJson(figures);
    json["cost"] = costJson(report.cost);
    json["phases"] = phasesJson(report);
    json["stages"] = stagesJson(report.stages);
    json["headroom"] = headroomJson(report.headroom, figures);
    return json;
}

} // namespace hw

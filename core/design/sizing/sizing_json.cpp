// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/parts_of_size.h"
#include "core/design/sizing/supply_of_size.h"
#include "core/output/report/network_view.h"
#include "core/output/report/report.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace hw::sizing {

namespace {

using Json = nlohmann::ordered_json;

constexpr TextId kLengths = TextId("cable lengths are based on a sample of links routed through the trays of the site plan; switch, "
                                   "link, cable and server counts are exact");

double rounded(double value, double step) { return std::round(value / step) * step; }

Json requestJson(const SizeRequest& request)
{
    Json json{{"accelerators", request.accelerators > 0 ? Json(request.accelerators) : Json("as many as fit")}}; // no text
    if (!request.acceleratorClass.empty()) json["accelerator_class"] = request.acceleratorClass;
    if (const auto& limits = request.limits; limits.any()) {
        auto& out = json["limits"] = Json::object();
        if (limits.megawatts) out["power_mw"] = *limits.megawatts, out["power_basis"] = limits.facility ? "facility" : "it";
        if (limits.racks) out["racks"] = *limits.racks;
        if (limits.hall) out["hall_m"] = {limits.hall->lengthM, limits.hall->widthM};
    }
    if (!request.server.empty()) json["server"] = request.server;
    if (!request.switches.empty()) json["switches"] = request.switches;
    if (request.maxOversubscription) json["max_oversubscription"] = *request.maxOversubscription;
    if (request.planes) json["planes"] = *request.planes;
    if (request.tiers) json["tiers"] = *request.tiers;
    for (const auto& [tier, ports] : request.split) json["split"][tier.empty() ? "all" : tier] = ports;
    if (request.growTo) json["grow_to"] = *request.growTo;
    if (!request.templates.empty()) json["templates"] = request.templates;
    return json;
}

Json tiersJson(const SizedDesign& design)
{
    Json tiers = Json::array();
    for (const auto& tier : design.tiers)
        tiers.push_back({{"name", tier.name},
                         {"label", resourceText(tier.label)},
                         {"level", tier.level},
                         {"switches", tier.switches},
                         {"type", tier.type},
                         {"oversubscription", tier.oversubscription}});
    return tiers;
}

Json portsJson(const SizedDesign& design)
{
    Json ports = Json::array();
    for (const auto& p : design.ports)
        ports.push_back(
            {{"tier", p.tier}, {"role", wordOf(p.role)}, {"rate_gbps", p.rate.count()}, {"total", p.total}, {"used", p.used}, {"left", p.left()}});
    return ports;
}

Json cablesJson(const SizedDesign& design)
{
    const auto& c = design.cabling;
    return {{"links", design.links},
            {"physical", design.cables},
            {"panels", design.panels},
            {"by_type", c.cables.empty() ? Json::object() : Json(c.cables)},
            {"length_m", rounded(double(c.lengthMm) / 1000, 0.001)},
            {"longest_m", double(c.longestMm) / 1000},
            {"beyond_reach", c.beyondReach},
            {"estimated", {"by_type", "length_m", "longest_m", "beyond_reach"}}};
}

Json powerJson(const SizedDesign& design)
{
    Json byBasis = Json::object(), all = Json::object();
    for (const auto basis : {PowerBasis::Typical, PowerBasis::Design, PowerBasis::Nameplate}) {
        byBasis[std::string(powerBasisName(basis))] = toWatts(design.power[std::size_t(basis)]);
        all[std::string(powerBasisName(basis))] = toWatts(design.powerOfAll[std::size_t(basis)]);
    }
    const double watts = toWatts(design.powerAtBasis());
    const SupplyNeed ofIt = supplyNeed(design.supply, toWatts(design.campusIt)), ofAll = supplyNeed(design.supply, toWatts(design.facility));
    const SupplyOfFewer fewer = supplyOfFewer(design);
    return {{"scope", i18n("servers and the sized network")},
            {"basis", powerBasisName(design.basis)},
            {"it_w", watts},
            {"campus_it_w", toWatts(design.campusIt)},
            {"facility_w", toWatts(design.facility)},
            {"facility_basis", design.facilityBasis},
            {"pue_of_accelerators", design.pueAccelerators > 0 ? design.pueAccelerators : design.accelerators},
            {"pue", design.pue},
            {"per_accelerator_w", design.accelerators ? rounded(watts / double(design.accelerators), 1e-6) : 0.0},
            {"by_basis", byBasis},
            {"whole_template_by_basis", all},
            {"supply",
             {{"substations", ofAll.substations},
              {"substations_it", ofIt.substations},
              {"transformers_each", design.supply.station.transformers},
              {"transformers_out_each", design.supply.station.spare},
              {"transformer_mva", design.supply.station.transformerMva},
              {"one_fewer", {{"substations", fewer.substations}, {"capacity_w", fewer.watts}, {"accelerators", fewer.accelerators}}},
              {"feeds", ofAll.feeds},
              {"feed_mva", design.supply.feedMva}}},
            {"site_limit_w", toWatts(design.siteLimit)},
            {"buildings", design.buildings},
            {"estimated", Json::array({words(i18n("transceiver power"))})}};
}

Json priceJson(const SizedDesign& design)
{
    return {{"scope", i18n("servers, plus switches, transceivers and cables of the sized network")},
            {"currency", design.currency},
            {"total", toCurrency(design.price.total)},
            {"assumed_share", rounded(design.price.assumedShare(), 1e-6)},
            {"estimated_share", rounded(design.price.estimatedShare(), 1e-6)}};
}

Json failureJson(const FailureImpact& f)
{
    return {{"tier", f.tier},
            {"switches", f.switches},
            {"nic_port_share", f.nicPortShare},
            {"accelerators", f.accelerators},
            {"accelerator_share", f.acceleratorShare},
            {"bandwidth_left_of_hit_nic", f.bandwidthLeft},
            {"job_stops", f.jobStops}};
}

Json growthJson(const SizedDesign& design)
{
    Json parameters = Json::object();
    for (const auto& [name, value] : design.reachParameters) parameters[name] = value;
    return {{"reach", design.reach},
            {"headroom", design.reach - design.accelerators},
            {"factor", design.accelerators ? rounded(double(design.reach) / double(design.accelerators), 1e-6) : 0.0},
            {"parameters", parameters},
            {"limit", design.reachLimit}};
}

Json designJson(const SizedDesign& d, std::int64_t asked)
{
    Json parameters = Json::object(), schedulers = Json::array();
    for (const auto& [name, value] : d.parameters)
        parameters[name] = d.parameterTexts.at(name) == std::to_string(value) ? Json(value) : Json(d.parameterTexts.at(name));
    for (const auto& note : d.schedulers)
        schedulers.push_back({{"limit", note.limit}, {"nodes", note.nodes}, {"servers", note.servers}, {"source", note.source}});
    Json json{
        {"template", d.templateName}, {"title", resourceText(d.title)}, {"parameters", parameters}, {"variant", d.variant}, {"pareto", d.pareto}};
    if (d.dominatedBy) json["dominated_by"] = *d.dominatedBy;
    if (!d.explanation.empty()) json["explanation"] = d.explanation;
    if (!d.tierNote.empty()) json["tier_note"] = d.tierNote;
    if (!d.limits.empty()) {
        auto& limits = json["limits"] = Json::array();
        for (const auto& use : d.limits)
            limits.push_back({{"name", use.name}, {"taken", use.taken}, {"limit", use.limit}, {"share", rounded(use.share, 1e-6)}});
    }
    if (!d.binding.empty()) json["binding"] = d.binding;
    json["accelerators"] = {{"active", d.accelerators}, {"backup", d.backupAccelerators}};
    if (asked > 0) json["accelerators"]["beyond_asked"] = d.accelerators - asked;
    json["servers"] = {{"active", d.servers},
                       {"backup", d.backupServers},
                       {"type", d.serverType},
                       {"accelerator_class", d.acceleratorClass},
                       {"teraflops_per_accelerator", d.teraflops}};
    json["network"] = {{"name", d.network},
                       {"planes", d.planes},
                       {"rails", d.rails},
                       {"rails_apart", d.railsApart},
                       {"access_gbps_per_accelerator", d.accessGbps},
                       {"switches", d.switches},
                       {"oversubscription_end_to_end", d.oversubscription},
                       {"tiers", tiersJson(d)}};
    Json halls = Json::array();
    for (const auto& size : d.hallsM) halls.push_back({rounded(size[0], 0.001), rounded(size[1], 0.001)});
    json["racks"] = {{"total", d.racks}, {"estimate", d.racksEstimated}, {"halls_m", halls}};
    json["switches_of_all_networks"] = d.switchesOfAll;
    json["cables"] = cablesJson(d);
    json["transceivers"] = {{"estimate", true}, {"by_type", d.cabling.transceivers.empty() ? Json::object() : Json(d.cabling.transceivers)}};
    json["ports"] = portsJson(d);
    json["power"] = powerJson(d);
    json["price"] = priceJson(d);
    json["access_switch_failure"] = failureJson(d.failure);
    json["growth"] = growthJson(d);
    json["scheduler_limits_passed"] = schedulers;
    return json;
}

} // namespace

nlohmann::ordered_json sizeJson(const SizeAnswer& answer)
{
    Json designs = Json::array(), refused = Json::array(), limits = Json::array();
    for (const auto& design : answer.designs) designs.push_back(designJson(design, answer.request.accelerators));
    for (const auto& r : answer.refused)
        refused.push_back({{"template", r.templateName},
                           {"title", resourceText(r.title)},
                           {"variant", r.variant},
                           {"tiers", r.tiers},
                           {"reach", r.reach},
                           {"group", refusalWord(r.kind)},
                           {"reason", r.reason}});
    for (const auto& l : answer.tierLimits)
        limits.push_back({{"tiers", l.tiers}, {"reach", l.reach}, {"template", l.templateName}, {"variant", l.variant}});
    return {{"schema", "hallwright.size/1"},
            {"request", requestJson(answer.request)},
            {"estimates", Text(kLengths)},
            {"designs", designs},
            {"refused", refused},
            {"reach_by_tiers", limits}};
}

} // namespace hw::sizing

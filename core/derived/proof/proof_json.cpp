// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/proof/proof_output.h"

#include <nlohmann/json.hpp>

namespace hw {
namespace {

using Json = nlohmann::ordered_json;

Json namesJson(const NamedSet& set) { return {{"count", set.count}, {"names", set.names}}; }

template <class T>
Json rangeJson(const ValueRange<T>& range)
{
    return {{"min", range.min}, {"max", range.max}, {"equal", range.equal()}};
}

Json partJson(const NetworkProof::Part& part)
{
    Json json{{"switches", part.switches},
              {"nics", part.nics},
              {"pieces", part.pieces},
              {"connected", part.connected},
              {"connected_within_rails", part.withinRails},
              {"nics_without_cable", namesJson(part.missing)},
              {"cut_off", namesJson(part.cutOff)}};
    if (part.plane >= 0) json["plane"] = part.plane + 1;
    return json;
}

Json connectivityJson(const NetworkProof::Connectivity& c)
{
    Json planes = Json::array();
    for (const auto& plane : c.planes) planes.push_back(partJson(plane));
    return {{"through_switches", c.throughSwitches},
            {"through_hosts", c.throughHosts},
            {"end_devices_meet", c.devicesMeet},
            {"peers_forward", c.peersForward},
            {"domains", c.domains},
            {"end_devices_per_domain", rangeJson(c.domainDevices)},
            {"whole", partJson(c.whole)},
            {"planes", planes},
            {"separate_devices", namesJson(c.separateDevices)},
            {"switches_without_cable", namesJson(c.idleSwitches)}};
}

Json wiringJson(const NetworkProof::Wiring& w)
{
    return {{"sound", w.sound()},
            {"ports_used_twice", namesJson(w.portsUsedTwice)},
            {"ports_of_other_networks", namesJson(w.portsOfOtherNetworks)},
            {"rates_that_differ", namesJson(w.ratesThatDiffer)},
            {"cables_between_nics", namesJson(w.endToEnd)},
            {"cables_used_twice", namesJson(w.cablesUsedTwice)},
            {"links_without_cable", namesJson(w.linksWithoutCable)},
            {"uncabled_nic_ports", namesJson(w.uncabledPorts)},
            {"planes_disjoint", w.planesDisjoint},
            {"planes_meet_at", w.planesMeetAt},
            {"planes_crossed", namesJson(w.planesCrossed)},
            {"nics_on_one_plane", namesJson(w.nicsOnOnePlane)}};
}

Json tierJson(const NetworkProof::TierPair& t)
{
    return {{"lower", t.lower},
            {"upper", t.upper},
            {"access", t.access},
            {"even", t.even},
            {"cables_per_lower", rangeJson(t.perLower)},
            {"cables_per_upper", rangeJson(t.perUpper)},
            {"cables_per_pair", rangeJson(t.perPair)},
            {"differ", namesJson(t.where)}};
}

Json pairJson(const NetworkProof::PairClass& p)
{
    Json choices = Json::array();
    for (const auto& c : p.choices) choices.push_back({{"tier", c.tier}, {"choices", c.choices}, {"ports", c.ports}, {"up", c.up}});
    Json json{{"class", p.label}, {"reachable", p.reachable}};
    if (!p.paths.any) return json;
    json["switches_on_path"] = rangeJson(p.hops);
    json["shortest_paths"] = rangeJson(p.paths);
    json["shortest_paths_per_port"] = rangeJson(p.pathsPerPort);
    if (!p.paths.equal()) json["fewest"] = p.fewest;
    json["cable_disjoint_paths"] = rangeJson(p.disjointCables);
    json["switch_disjoint_paths"] = rangeJson(p.disjointSwitches);
    json["choices"] = choices;
    json["path_search_space"] = p.searchSpace();
    json["path_search_space_up"] = p.searchSpaceUp();
    json["path_search_space_all_ports"] = p.searchSpaceBlind();
    return json;
}

Json bisectionJson(const NetworkProof::Bisection& b)
{
    return {{"level", b.level},         {"halves", b.halves},       {"wanted_gbps", b.wantedGbps}, {"carried_gbps", b.carriedGbps},
            {"fraction", b.fraction()}, {"quotient_cells", b.cells}};
}

Json cutJson(const NetworkProof::Cut& cut) { return {{"size", cut.size}, {"members", cut.members}, {"between", cut.between}}; }

Json methodJson(const NetworkProof& proof)
{
    const auto& m = proof.method;
    return {{"text", proofMethod(proof)},   {"classes", m.classes},    {"twin_groups", m.twins},    {"source_classes", m.sourceClasses},
            {"sources_counted", m.sources}, {"pairs_solved", m.pairs}, {"exhaustive", m.exhaustive}};
}

template <class List, class ToJson>
Json listJson(const List& list, ToJson&& toJson)
{
    Json json = Json::array();
    for (const auto& entry : list) json.push_back(toJson(entry));
    return json;
}

} // namespace

nlohmann::ordered_json proofJson(const NetworkProof& proof)
{
    const auto& size = proof.size;
    Json json{{"holds", proof.holds()}, {"method", methodJson(proof)},    {"switches", size.switches}, {"end_devices", size.endDevices},
              {"nics", size.nics},      {"backup_nics", size.backupNics}, {"cables", size.cables}};
    json["needs_forwarding"] = proof.needsForwarding();
    json["carriers"] = proof.carriers;
    json["flags"] = proof.flags;
    if (!proof.hasCables()) return json;
    json["connectivity"] = connectivityJson(proof.connectivity);
    json["wiring"] = wiringJson(proof.wiring);
    json["tiers"] = listJson(proof.tiers, tierJson);
    json["pairs"] = listJson(proof.pairs, pairJson);
    json["bisections"] = listJson(proof.bisections, bisectionJson);
    const auto* worst = proof.worstBisection();
    json["worst_bisection"] = worst ? bisectionJson(*worst) : Json();
    json["full_bisection"] = worst && worst->carriedGbps >= worst->wantedGbps;
    json["smallest_switch_cut"] = cutJson(proof.switchCut);
    json["smallest_cable_cut"] = cutJson(proof.cableCut);
    json["single_points_of_failure"] = {{"switches", namesJson(proof.singleSwitches)}, {"cables", namesJson(proof.singleCables)}};
    return json;
}

} // namespace hw

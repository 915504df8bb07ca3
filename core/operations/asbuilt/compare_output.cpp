// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/asbuilt/compare_output.h"

#include "core/foundation/catalog/entity.h"
#include "core/operations/asbuilt/work_order.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::asbuilt {

namespace {

using Json = nlohmann::ordered_json;

Json endJson(const Snapshot& s, const ProjectParts& parts, const SeenEnd& end)
{
    Json json{{"device", end.device ? s.devices.name[*end.device] : end.deviceName},
              {"port", end.port ? portName(s, parts, *end.port) : end.portName}};
    json["in_design"] = bool(end.device);
    return json;
}

Json placeJson(const FloorPlace& place)
{
    return {{"hall", place.hall}, {"row", place.row}, {"rack", place.rack}, {"u", place.u >= 0 ? Json(place.u) : Json(nullptr)}};
}

Json stepJson(const Snapshot& s, const WorkStep& step)
{
    Json json{{"do", actionWord(step.what)}, {"device", step.deviceName}, {"port", step.port}};
    json["at"] = placeJson(floorPlace(s, step.device));
    json["to_device"] = step.toDevice, json["to_port"] = step.toPort;
    json["to"] = placeJson(floorPlace(s, step.to));
    json["label"] = step.label;
    return json;
}

Json linkJson(const Snapshot& s, const ProjectParts& parts, LinkId id)
{
    Json json{{"from", entityName(s, parts, ref(s.links.from[id]))}, {"to", entityName(s, parts, ref(s.links.to[id]))}};
    const auto network = s.ports.network[s.links.from[id]];
    json["network"] = network ? Json(s.networks.name[*network]) : Json(nullptr);
    json["rate_gbps"] = std::min(s.ports.rate[s.links.from[id]], s.ports.rate[s.links.to[id]]).count();
    const auto cable = s.links.cable[id];
    json["cable"] = cable ? Json(entityName(s, parts, ref(*cable))) : Json(nullptr);
    return json;
}

Json seenJson(const Snapshot& s, const ProjectParts& parts, const SeenLink& seen)
{
    Json json{{"from", endJson(s, parts, seen.from)}, {"to", endJson(s, parts, seen.to)}};
    if (seen.rateGbps > 0) json["rate_gbps"] = seen.rateGbps;
    if (seen.lanes > 0) json["lanes"] = seen.lanes;
    if (!seen.label.empty()) json["label"] = seen.label;
    for (const Witness w : seen.witnesses) json["witnesses"].push_back(wordOf(w));
    json["source"] = seen.source, json["date"] = seen.date;
    return json;
}

Json differenceJson(const Snapshot& s, const ProjectParts& parts, const Difference& d)
{
    Json json{{"kind", wordOf(d.kind)}, {"id", d.id}, {"message", words(d.message)}};
    json["links"] = Json::array(), json["seen"] = Json::array(), json["work"] = Json::array();
    for (const LinkId id : d.links) json["links"].push_back(linkJson(s, parts, id));
    for (const SeenLink& seen : d.seen) json["seen"].push_back(seenJson(s, parts, seen));
    json["cost"] = {{"gpus_lost", d.cost.gpusLost.active},        {"gpus_degraded", d.cost.gpusDegraded.active},
                    {"gpus_lost_backup", d.cost.gpusLost.backup}, {"gpus_degraded_backup", d.cost.gpusDegraded.backup},
                    {"nics_lost", d.cost.nicsLost.active},        {"nics_half", d.cost.nicsHalf.active},
                    {"redundancy_lost", d.cost.redundancyLost},   {"bisection_share", d.cost.bisectionShare}};
    for (const WorkStep& step : d.work) json["work"].push_back(stepJson(s, step));
    return json;
}

Json doubtsJson(const std::vector<CaptureIssue>& doubts)
{
    Json list = Json::array();
    for (const CaptureIssue& doubt : doubts) list.push_back({{"where", doubt.where}, {"what", words(doubt.what)}});
    return list;
}

} // namespace

Json comparisonJson(const Figures& figures, const Comparison& c)
{
    const Snapshot& s = *figures.snapshot;
    Json json{{"schema", "hallwright.as-built/1"}, {"as_designed", c.clean()}, {"sightings", c.sightings}};
    for (std::size_t k = 0; k < kWords<Kind>.size(); ++k) json["counts"][std::string(kWords<Kind>[k])] = c.count(Kind(k));
    json["networks"] = Json::array();
    for (const NetworkTally& n : c.networks)
        json["networks"].push_back({{"name", n.name},
                                    {"planned", n.planned},
                                    {"as_designed", n.asDesigned},
                                    {"differs", n.differs},
                                    {"port_not_told", n.notTold},
                                    {"not_built", n.notBuilt},
                                    {"unseen", n.unseen}});
    json["differences"] = Json::array();
    for (const Difference& d : c.differences) json["differences"].push_back(differenceJson(s, *figures.parts, d));
    json["changing"] = Json::array();
    for (const Difference& d : c.changing) json["changing"].push_back(differenceJson(s, *figures.parts, d));
    json["not_built"] = Json::array();
    for (const auto& [device, links] : c.notSeen) json["not_built"].push_back({{"device", s.devices.name[device]}, {"links", links}});
    json["unmatched"] = doubtsJson(c.unmatched);
    json["contradictions"] = doubtsJson(c.contradictions);
    json["strangers"] = Json::array();
    for (const auto& [name, count] : c.strangers) json["strangers"].push_back({{"name", name}, {"sightings", count}});
    return json;
}

namespace {

void addDoubts(std::string& out, const Text& title, const std::vector<CaptureIssue>& doubts, std::size_t most)
{
    if (doubts.empty()) return;
    out += "\n" + words(title) + "\n";
    for (std::size_t i = 0; i < doubts.size() && i < most; ++i) out += fmt::format("  {}: {}\n", doubts[i].where, words(doubts[i].what));
    if (doubts.size() > most) out += "  " + words(i18n("and {:L} more", std::int64_t(doubts.size() - most))) + "\n";
}

} // namespace

std::string costText(const impact::Loss& loss)
{
    std::vector<Text> all;
    if (loss.gpusLost.active) all.push_back(i18np(loss.gpusLost.active, "{:L} GPU lost", "{:L} GPUs lost"));
    if (loss.gpusDegraded.active) all.push_back(i18np(loss.gpusDegraded.active, "{:L} GPU degraded", "{:L} GPUs degraded"));
    if (loss.redundancyLost) all.push_back(i18np(loss.redundancyLost, "{:L} element without redundancy", "{:L} elements without redundancy"));
    return all.empty() ? std::string() : words(listed(std::move(all)));
}

std::string comparisonText(const Figures& figures, const Comparison& c, std::size_t most)
{
    std::string out;
    for (const NetworkTally& n : c.networks) {
        out += words(i18n("{}: {} planned, {:L} as designed, {:L} different, {:L} not built yet, {:L} not inspected", n.name.empty() ? "–" : n.name,
                          i18np(n.planned, "{:L} link", "{:L} links"), n.asDesigned, n.differs, n.notBuilt, n.unseen));
        if (n.notTold > 0) out += words(i18n(", {:L} with unidentified ports", n.notTold));
        out += "\n";
    }
    if (c.sightings == 0) out += words(i18n("No as-built data yet: import lldp, ibnetdiscover, netbox-cables or labels.")) + "\n";
    for (std::size_t i = 0; i < c.differences.size() && i < most; ++i) {
        const Difference& d = c.differences[i];
        const std::string cost = costText(d.cost);
        out += fmt::format("\n{}. {}: {}\n", i + 1, words(kindTitle(d.kind)), words(d.message));
        if (!cost.empty()) out += "   " + words(i18n("impact: {}", cost)) + "\n";
        for (const WorkStep& step : d.work)
            out += fmt::format("   {} {}:{} → {}:{}\n", words(actionText(step.what)), step.deviceName, step.port, step.toDevice, step.toPort);
    }
    if (c.differences.size() > most)
        out += "\n" + words(i18n("and {:L} more; use -o to write all of them", std::int64_t(c.differences.size() - most))) + "\n";
    if (!c.changing.empty()) {
        out += "\n" + words(i18n("Current connections that differ because planned work is not built yet")) + "\n";
        for (const Difference& d : c.changing) out += "  " + words(d.message) + "\n";
    }
    if (!c.notSeen.empty()) {
        out += "\n" + words(i18n("Not installed (stage) and not observed; planned links count as not built yet")) + "\n";
        for (std::size_t i = 0; i < c.notSeen.size() && i < 20; ++i)
            out += "  " +
                   words(i18np(c.notSeen[i].second, "{1}: {0:L} link", "{1}: {0:L} links", figures.snapshot->devices.name[c.notSeen[i].first])) +
                   "\n";
        if (c.notSeen.size() > 20) out += "  " + words(i18n("and {:L} more", std::int64_t(c.notSeen.size() - 20))) + "\n";
    }
    addDoubts(out, i18n("Not matched"), c.unmatched, 20);
    addDoubts(out, i18n("Contradictions"), c.contradictions, 20);
    if (!c.strangers.empty()) {
        out += "\n" + words(i18n("Names that match no device of the design (settings asbuilt.devices, or --device NAME=DEVICE)")) + "\n";
        for (const auto& [name, count] : c.strangers) out += fmt::format("  {} ({})\n", name, count);
    }
    const bool whole =
        c.unmatched.empty() && c.strangers.empty() && std::ranges::all_of(c.networks, [](const NetworkTally& n) { return n.unseen == 0; });
    if (c.clean() && c.sightings > 0) out += words(whole ? i18n("As designed.") : i18n("All observed links are as designed.")) + "\n";
    return out;
}

} // namespace hw::asbuilt

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/impact/impact_output.h"
#include "core/foundation/catalog/entity.h"

#include <array>
#include <map>

#include <nlohmann/json.hpp>

namespace hw::impact {

namespace {

using Json = nlohmann::ordered_json;

void put(Json& json, const std::string& key, const Count& count)
{
    json[key] = count.active;
    json[key + "_backup"] = count.backup;
}

Json lossJson(const Effect& e, Json json)
{
    const Loss& loss = e.loss;
    put(json, "gpus_lost", loss.gpusLost);
    put(json, "gpus_degraded", loss.gpusDegraded);
    put(json, "hosts_lost", loss.hostsLost);
    json["devices_dark"] = loss.devicesDark;
    json["equipment_dark"] = loss.equipmentDark;
    json["devices_hot"] = loss.devicesHot;
    json["cooling_short_w"] = toWatts(loss.coolingShort);
    json["cooling_lost_w"] = toWatts(loss.coolingLost);
    const auto ride = e.rideThroughMs();
    json["ride_through_s"] = ride ? Json(double(*ride) / 1000) : Json();
    json["ride_through_of"] = !ride ? Json() : !e.ridesOnCoolant() ? Json("battery") : Json(e.coolant.ofAir ? "air" : "coolant"); // no text: keys
    json["devices_interrupted"] = loss.devicesInterrupted;
    put(json, "hosts_interrupted", loss.hostsInterrupted);
    json["elements_tripped"] = loss.tripped;
    put(json, "ports_lost", loss.portsLost);
    put(json, "nics_lost", loss.nicsLost);
    put(json, "nics_half", loss.nicsHalf);
    json["links_lost"] = loss.linksLost;
    json["bisection_share"] = loss.bisectionShare;
    return json;
}

/// Bandwidth of every segment that has less of it; pods and segments count from 1.
Json segmentsJson(const Model& m, const Effect& e, std::size_t most)
{
    Json rows = Json::array();
    const auto number = [](std::int16_t n) { return n < 0 ? Json() : Json(n + 1); };
    for (const auto& share : e.segments) {
        if (rows.size() == most) break;
        const Segment& segment = m.segments[share.segment];
        rows.push_back({{"pod", number(segment.pod)}, {"segment", number(segment.segment)}, {"share", share.left}});
    }
    return rows;
}

/// Cards and ports in the other networks: front end, storage, management.
Json networksJson(const Study& study, const Effect& e)
{
    const Model& m = study.model();
    struct Sum {
        std::int64_t ports = 0, lost = 0, half = 0;
    };
    std::map<NetworkId, Sum> sums;
    for (const std::uint32_t nic : e.nics) {
        const Nic& card = m.nics[nic];
        if (card.backend) continue;
        Sum& sum = sums[card.network];
        sum.ports += study.linksLost(nic);
        ++(study.linksLost(nic) >= card.links ? sum.lost : sum.half);
    }
    Json rows = Json::array();
    for (const auto& [network, sum] : sums)
        rows.push_back({{"name", m.s->networks.name[network]}, {"ports_lost", sum.ports}, {"nics_lost", sum.lost}, {"nics_half", sum.half}});
    return rows;
}

Json oneJson(Study& study, std::span<const Failing> failed, std::size_t most, Json json)
{
    const Model& m = study.model();
    const Effect& e = study.lose(failed);
    const Story story = tell(study, e, failed, most);
    const auto name = [&](EntityRef entity) { return entityName(*m.s, *m.parts, entity); };
    Json names = Json::array(), redundancy = Json::array(), cascade = Json::array(), loads = Json::array(), tripped = Json::array();
    for (const Failing& f : failed) names.push_back(nameOf(m, f));
    for (const Line& line : story.redundancy.lines) redundancy.push_back({{"entity", name(line.entity)}, {"what", words(line.what)}});
    for (std::size_t i = 0; i < story.cascade.lines.size(); ++i) {
        const Line& line = story.cascade.lines[i];
        cascade.push_back(
            {{"after_s", line.after}, {"entity", i < failed.size() ? nameOf(m, failed[i]) : name(line.entity)}, {"because", words(line.what)}});
    }
    for (const Taken& t : story.taken)
        loads.push_back(
            {{"entity", name(ref(t.device))}, {"load_w", toWatts(t.now)}, {"before_w", toWatts(t.before)}, {"capacity_w", toWatts(t.capacity)}});
    for (const DeviceId id : e.tripped) tripped.push_back(name(ref(id)));
    json["failed"] = std::move(names);
    json = lossJson(e, std::move(json));
    json["segments"] = segmentsJson(m, e, most);
    json["networks"] = networksJson(study, e);
    json["tripped"] = std::move(tripped);
    json["overloaded"] = story.overloaded;
    json["loads"] = std::move(loads);
    json["redundancy_lost"] = std::move(redundancy);
    json["redundancy_lost_left_out"] = story.redundancy.leftOut;
    json["cascade"] = std::move(cascade);
    json["cascade_left_out"] = story.cascade.leftOut;
    return json;
}

} // namespace

Json impactJson(Study& study, std::span<const Failing> failed, std::size_t most)
{
    return oneJson(study, failed, most, {{"schema", "hallwright.impact/1"}});
}

Result<Json> rankingJson(Study& study, const std::vector<Ranked>& singles, const PairRanking* pairs, const Progress& progress)
{
    constexpr std::size_t kLines = 5; // each; an element by its name tells all
    Json rows = Json::array();
    for (const Ranked& r : singles) {
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, "impact", i18n("stopped"));
        rows.push_back(oneJson(study, {&r.element, 1}, kLines, {{"entity", nameOf(study.model(), r.element)}}));
    }
    Json all{{"schema", "hallwright.impact/1"}, {"ranking", std::move(rows)}};
    if (!pairs) return all;
    Json list = Json::array();
    for (const RankedPair& p : pairs->pairs) {
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, "impact", i18n("stopped"));
        const std::array both{p.a, p.b};
        list.push_back(oneJson(study, both, kLines, Json::object()));
    }
    all["pairs"] = std::move(list);
    all["pairs_tried"] = pairs->tried;
    all["pairs_left_out"] = pairs->untried;
    return all;
}

} // namespace hw::impact

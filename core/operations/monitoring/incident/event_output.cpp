// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/incident/event_output.h"

#include "core/foundation/catalog/entity.h"
#include "core/operations/monitoring/incident/alarm_texts.h"

#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::monitoring {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kMostSymptoms = 200;

std::string entityNameOf(EntityRef entity, const Figures& figures) { return entityName(*figures.snapshot, *figures.parts, entity); }

/// With the part of it that is no entity: "pod1-host1:gpu3".
std::string causeNameOf(const Alarm& a, const Figures& figures)
{
    if (!a.cause) return {};
    const std::string name = entityNameOf(a.cause, figures);
    return a.element.empty() ? name : name + ':' + a.element;
}

std::string clockText(std::int64_t ms) { return timeText(ms).substr(11, 8); }

/// Six figures are all that a meter has; so a sum made in another order says the same.
Json numberJson(double value)
{
    if (!std::isfinite(value)) return nullptr;
    if (value == 0) return 0.0;
    const double scale = std::pow(10, 5 - std::floor(std::log10(std::abs(value))));
    return std::round(value * scale) / scale;
}

const char* stepOf(Event::Kind kind)
{
    switch (kind) {
    case Event::Kind::Deviation:
    case Event::Kind::Alarm:
    case Event::Kind::Gap:
    case Event::Kind::Trouble: return "begins";
    case Event::Kind::AlarmChanges: return "changes";
    case Event::Kind::DeviationEnds:
    case Event::Kind::AlarmEnds: return "ends";
    }
    return "";
}

Json comparedJson(const Compared& c, const Figures& figures)
{
    Json json{{"entity", entityNameOf(c.entity, figures)}, {"measure", wordOf(c.measure)}};
    if (!c.element.empty()) json["element"] = c.element;
    json["unit"] = bindings::infoOf(c.measure).unit;
    json["measured"] = numberJson(c.measured), json["planned"] = numberJson(c.planned), json["predicted"] = numberJson(c.predicted);
    return json;
}

} // namespace

std::string timeText(std::int64_t ms)
{
    using namespace std::chrono;
    const sys_time<milliseconds> at{milliseconds(ms)};
    const auto day = floor<days>(at);
    const year_month_day date(day);
    const hh_mm_ss<milliseconds> time(at - day);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", int(date.year()), unsigned(date.month()), unsigned(date.day()),
                       time.hours().count(), time.minutes().count(), time.seconds().count(), time.subseconds().count());
}

Json deviationJson(const Deviation& d, const Figures& figures)
{
    Json json{{"kind", wordOf(d.kind)}, {"entity", entityNameOf(d.entity, figures)}, {"measure", wordOf(d.measure)}};
    if (!d.element.empty()) json["element"] = d.element;
    json["unit"] = bindings::infoOf(d.measure).unit;
    json["measured"] = numberJson(d.measured), json["expected"] = numberJson(d.expected), json["share"] = numberJson(d.share);
    json["since"] = timeText(d.sinceMs), json["message"] = d.what;
    if (!d.risk.empty()) json["risk"] = d.risk;
    return json;
}

Json alarmJson(const Alarm& a, const Figures& figures)
{
    Json json{{"id", a.id}, {"kind", wordOf(a.kind)}, {"since", timeText(a.sinceMs)}};
    if (a.clearedMs) json["cleared"] = timeText(a.clearedMs);
    if (a.cause) json["cause"] = entityNameOf(a.cause, figures);
    if (!a.element.empty()) json["element"] = a.element;
    for (const EntityRef one : a.together) json["together"].push_back(entityNameOf(one, figures));
    if (!a.alike.empty()) json["alike"] = a.alike;
    Json& symptoms = json["symptoms"] = Json::array();
    for (std::size_t i = 0; i < std::min(a.symptoms.size(), kMostSymptoms); ++i) symptoms.push_back(entityNameOf(a.symptoms[i], figures));
    if (a.symptoms.size() > kMostSymptoms) json["symptoms_left_out"] = a.symptoms.size() - kMostSymptoms;
    if (a.acknowledged) json["acknowledged"] = true;
    if (a.shelvedUntilMs) json["shelved_until"] = timeText(a.shelvedUntilMs);
    json["message"] = a.what;
    if (a.kind == AlarmKind::Condition && a.rideThroughS >= 0)
        json["impact"] = {{"ride_through_s", numberJson(a.rideThroughS)}, {"ride_through_ends", timeText(a.rideThroughEndsMs)}};
    if (a.kind != AlarmKind::Cause) return json;
    json["impact"] = {{"gpus_lost", a.gpusLost}, {"gpus_degraded", a.gpusDegraded}, {"redundancy_lost", a.redundancyLost}};
    json["impact"]["ride_through_s"] = a.rideThroughS < 0 ? Json(nullptr) : numberJson(a.rideThroughS);
    json["impact"]["ride_through_ends"] = a.rideThroughS < 0 ? Json(nullptr) : Json(timeText(a.rideThroughEndsMs));
    Json& compared = json["compared"] = Json::array();
    for (const Compared& c : a.compared) compared.push_back(comparedJson(c, figures));
    return json;
}

Json eventJson(const Event& event, const Figures& figures)
{
    Json json{{"t", timeText(event.atMs)}};
    switch (event.kind) {
    case Event::Kind::Deviation:
    case Event::Kind::DeviationEnds:
        json["event"] = "deviation", json["what"] = stepOf(event.kind);
        if (event.explained) json["part_of_alarm"] = true;
        json.update(deviationJson(event.deviation, figures));
        break;
    case Event::Kind::Alarm:
    case Event::Kind::AlarmChanges:
    case Event::Kind::AlarmEnds:
        json["event"] = "alarm", json["what"] = stepOf(event.kind);
        json.update(alarmJson(event.alarm, figures));
        break;
    case Event::Kind::Gap:
        json["event"] = "gap", json["what"] = event.gap.toMs ? "ends" : "begins";
        json["source"] = event.gap.source, json["from"] = timeText(event.gap.fromMs);
        json["to"] = event.gap.toMs ? Json(timeText(event.gap.toMs)) : Json(nullptr);
        json["message"] = event.gap.why;
        break;
    case Event::Kind::Trouble:
        json["event"] = "trouble", json["what"] = event.trouble.over ? "ends" : stepOf(event.kind);
        json["place"] = event.trouble.place, json["message"] = event.trouble.what;
        if (event.trouble.judgedAnew) json["judged_anew"] = true;
        break;
    }
    return json;
}

Text eventText(const Event& event, const Figures& figures)
{
    const std::string at = clockText(event.atMs);
    const auto& [d, a, g] = std::tie(event.deviation, event.alarm, event.gap);
    switch (event.kind) {
    case Event::Kind::Deviation:
        if (d.risk.empty()) return i18n("{} {} {}", at, entityNameOf(d.entity, figures), d.what);
        return i18n("{} {} {}. Impact if lost: {}", at, entityNameOf(d.entity, figures), d.what, d.risk);
    case Event::Kind::DeviationEnds: // it may be as planned again, or dead
        if (event.explained) return i18n("{} Deviation, now part of an alarm: {} {}", at, entityNameOf(d.entity, figures), d.what);
        return i18n("{} Cleared: {}", at, endedText(d, entityNameOf(d.entity, figures)));
    case Event::Kind::Alarm: return i18n("{} Alarm: {}", at, a.what);
    case Event::Kind::AlarmChanges:
        if (a.shelvedUntilMs) return i18n("{} Alarm, shelved until {}: {}", at, clockText(a.shelvedUntilMs), a.what);
        if (a.acknowledged) return i18n("{} Alarm, acknowledged: {}", at, a.what);
        return i18n("{} Alarm updated: {}", at, a.what);
    case Event::Kind::AlarmEnds: return i18n("{} Cleared: {}", at, endedText(a, causeNameOf(a, figures)));
    case Event::Kind::Gap:
        if (g.toMs) return i18n("{} {}: data restored after {:.0f} s", at, g.source, double(g.toMs - g.fromMs) / 1000);
        return i18n("{} {}: no data ({})", at, g.source, g.why);
    case Event::Kind::Trouble:
        if (event.trouble.over) return i18n("{} Recovered, {}: {}", at, event.trouble.place, event.trouble.what);
        return i18n("{} Internal error, {}: {}", at, event.trouble.place, event.trouble.what);
    }
    return {};
}

} // namespace hw::monitoring

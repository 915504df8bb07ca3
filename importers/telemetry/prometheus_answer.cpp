// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/prometheus_answer.h"

#include "importers/telemetry/prometheus_text.h"

#include <cmath>
#include <cstdlib>

#include <nlohmann/json.hpp>

namespace hw::telemetry {

namespace {

using nlohmann::json;

void add(PrometheusSeries& series, const json& point)
{
    if (!point.is_array() || point.size() != 2 || !point[0].is_number() || !point[1].is_string()) return;
    if (!(std::abs(point[0].get<double>()) < 9e12)) return; // no moment of any calendar
    series.timesMs.push_back(std::llround(point[0].get<double>() * 1000));
    series.values.push_back(std::strtod(point[1].get_ref<const std::string&>().c_str(), nullptr)); // also "NaN", "+Inf"
}

PrometheusSeries seriesOf(const json& entry)
{
    PrometheusSeries series;
    if (const auto labels = entry.find("metric"); labels != entry.end() && labels->is_object())
        for (const auto& [name, value] : labels->items()) {
            if (!value.is_string()) continue;
            if (name == "__name__")
                series.metric = value.get<std::string>();
            else
                series.labels.emplace_back(name, value.get<std::string>());
        }
    if (const auto values = entry.find("values"); values != entry.end() && values->is_array())
        for (const auto& point : *values) add(series, point);
    if (const auto value = entry.find("value"); value != entry.end()) add(series, *value);
    return series;
}

std::string textOf(const json& root, const char* key)
{
    return root.contains(key) && root[key].is_string() ? root[key].get<std::string>() : std::string();
}

/// null where there is none.
const json& memberOf(const json& object, const char* key)
{
    static const json nothing;
    if (!object.is_object()) return nothing;
    const auto found = object.find(key);
    return found == object.end() ? nothing : *found;
}

/// Thanos and Prometheus warn in words, VictoriaMetrics says no more than that a part is missing. Notes on a query ("infos") are none of these.
Text partialOf(const json& root)
{
    if (const auto warnings = root.find("warnings"); warnings != root.end() && warnings->is_array())
        for (const auto& one : *warnings)
            if (one.is_string() && !one.get_ref<const std::string&>().starts_with("PromQL ")) // no text
                return i18n("incomplete response: {}", one.get<std::string>());
    if (root.contains("isPartial") && root["isPartial"] == true) return i18n("incomplete response: part of the store did not respond");
    return {};
}

} // namespace

PrometheusAnswer readAnswer(std::string_view body)
{
    PrometheusAnswer answer;
    const json root = json::parse(body, nullptr, false);
    if (!root.is_object() || !root.contains("status")) return answer.why = i18n("response is not from a Prometheus server"), answer;
    if (textOf(root, "status") != "success") return answer.why = i18n("request rejected by the server: {}", textOf(root, "error")), answer;
    answer.partial = partialOf(root);
    const json& data = memberOf(root, "data");
    const json& result = memberOf(data, "result");
    if (textOf(data, "resultType") == "scalar") {
        answer.series.emplace_back();
        add(answer.series.back(), result);
        return answer;
    }
    for (const auto& entry : result)
        if (entry.is_object()) answer.series.push_back(seriesOf(entry));
    return answer;
}

std::string seriesName(std::string_view metric, const bindings::Labels& labels)
{
    std::string out(metric);
    if (labels.empty()) return out;
    out += '{';
    for (const auto& [name, value] : labels) {
        if (out.back() != '{') out += ',';
        out += name;
        out += "=\"";
        for (const char c : value) {
            if (c == '\n') {
                out += "\\n";
                continue;
            }
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
        out += '"';
    }
    return out += '}';
}

PrometheusSeries readSeriesName(std::string_view name)
{
    const auto line = readExposition(std::string(name) + " 0");
    if (!line) return {};
    return {line->metric, line->labels, {}, {}};
}

} // namespace hw::telemetry

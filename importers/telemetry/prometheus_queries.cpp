// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/prometheus_queries.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hw::telemetry {

namespace {

std::string expressionOf(const QueryMapping& query, const std::string& selector)
{
    return query.query.empty() ? fmt::format("rate({}[{}])", selector, query.rate) : query.query;
}

bool isPlain(const QueryMapping& query) { return query.rate.empty() && query.query.empty(); }

PrometheusReply reply(HttpAnswer http)
{
    PrometheusReply out;
    // Also refusals of a query (400, 422) come as JSON with the reason.
    out.answer = http.status == 200 || http.status == 400 || http.status == 422 ? readAnswer(http.body) : PrometheusAnswer{{}, refusalOf(http), {}};
    http.body.clear();
    out.http = std::move(http);
    return out;
}

} // namespace

std::string PrometheusQuestions::unitOf(std::string_view metric, const bindings::Labels& labels, bool page) const
{
    if (const auto label = unitLabels.find(metric); label != unitLabels.end())
        for (const auto& [name, value] : labels)
            if (name == label->second) return value;
    const auto& known = page ? pageUnits : units;
    const auto unit = known.find(metric);
    return unit == known.end() ? std::string() : unit->second;
}

void PrometheusQuestions::forget(std::string_view metric, bindings::Labels& labels) const
{
    const auto names = without.find(metric);
    if (names == without.end()) return;
    std::erase_if(labels, [&](const auto& label) { return std::ranges::find(names->second, label.first) != names->second.end(); });
}

PrometheusQuestions questionsOf(const std::vector<Mapping>& mappings)
{
    PrometheusQuestions out;
    for (const auto& mapping : mappings)
        for (const auto& query : mapping.queries) {
            if (!out.units.emplace(query.metric, query.answerUnit()).second) continue; // the first mapping that names it
            if (!mapping.without.empty()) out.without.emplace(query.metric, mapping.without);
            if (!query.unitLabel.empty()) out.unitLabels.emplace(query.metric, query.unitLabel);
            if (query.query.empty()) out.pageUnits.emplace(query.metric, query.unit);
            if (isPlain(query))
                out.plain.push_back(query.metric);
            else
                out.expressions.push_back({expressionOf(query, query.metric), query.metric});
        }
    return out;
}

std::string selectorOf(const std::vector<std::string>& metrics)
{
    return metrics.size() == 1 ? metrics.front() : fmt::format("{{__name__=~\"{}\"}}", fmt::join(metrics, "|"));
}

std::string queryOf(const std::string& channel, const std::vector<Mapping>& mappings)
{
    const auto series = readSeriesName(channel);
    if (series.metric.empty()) return {};
    const std::string selector = seriesName(series.metric, series.labels);
    for (const auto& mapping : mappings)
        for (const auto& query : mapping.queries)
            if (query.metric == series.metric) return isPlain(query) ? selector : expressionOf(query, selector);
    return selector;
}

PrometheusReply askAt(HttpReader& http, const std::string& query, std::int64_t atMs, const std::stop_token& stop, std::chrono::seconds limit)
{
    std::string path = "/api/v1/query?query=" + HttpReader::escaped(query);
    if (atMs != 0) path += fmt::format("&time={:.3f}", double(atMs) / 1000);
    return reply(http.get(path, stop, limit));
}

PrometheusReply askRange(HttpReader& http, const std::string& query, std::int64_t fromMs, std::int64_t toMs, std::int64_t stepMs,
                         const std::stop_token& stop, std::chrono::seconds limit)
{
    return reply(http.get(fmt::format("/api/v1/query_range?query={}&start={:.3f}&end={:.3f}&step={:.3f}", HttpReader::escaped(query),
                                      double(fromMs) / 1000, double(toMs) / 1000, double(stepMs) / 1000),
                          stop, limit));
}

std::string promDuration(std::int64_t ms) { return ms % 1000 == 0 ? fmt::format("{}s", ms / 1000) : fmt::format("{}ms", ms); }

Text refusalOf(const HttpAnswer& answer)
{
    if (answer.status == 0) return answer.why;
    if (answer.status == 401 || answer.status == 403) return i18n("user name, password or token rejected by the server");
    return i18n("server returned status {}", answer.status);
}

} // namespace hw::telemetry

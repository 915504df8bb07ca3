// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/channel.h"
#include "importers/telemetry/http_reader.h"
#include "importers/telemetry/mapping.h"
#include "importers/telemetry/prometheus_answer.h"

#include <string>
#include <vector>

namespace hw::telemetry {

/// PromQL for what the mappings want: metrics as they are in one question of all, rates and expressions one by one.
struct PrometheusQuestions {
    std::vector<std::string> plain; ///< metrics that are asked for as they are
    struct Expression {
        std::string query, metric;
    };
    std::vector<Expression> expressions;
    std::map<std::string, std::string, std::less<>> units, pageUnits;     ///< of the answers and of a page, by metric
    std::map<std::string, std::string, std::less<>> unitLabels;           ///< the label that states the unit, by metric
    std::map<std::string, std::vector<std::string>, std::less<>> without; ///< labels that are no part of a channel, by metric
    /// Series that differ in such labels alone are one channel.
    void forget(std::string_view metric, bindings::Labels& labels) const;
    [[nodiscard]] std::string unitOf(std::string_view metric, const bindings::Labels& labels, bool page) const;
};
[[nodiscard]] PrometheusQuestions questionsOf(const std::vector<Mapping>& mappings);
/// PromQL for one channel; `mappings` say which are rates. Empty: no name of one.
[[nodiscard]] std::string queryOf(const std::string& channel, const std::vector<Mapping>& mappings);

/// The two questions of the HTTP API. `answer.why` is set where there is none; `away` where the server is.
struct PrometheusReply {
    PrometheusAnswer answer;
    HttpAnswer http; ///< without its body
    [[nodiscard]] bool away() const { return http.status == 0 || http.status >= 500 || http.status == 401 || http.status == 403; }
};
[[nodiscard]] PrometheusReply askAt(HttpReader& http, const std::string& query, std::int64_t atMs, const std::stop_token& stop,
                                    std::chrono::seconds limit = std::chrono::seconds(30)); ///< atMs 0: now
[[nodiscard]] PrometheusReply askRange(HttpReader& http, const std::string& query, std::int64_t fromMs, std::int64_t toMs, std::int64_t stepMs,
                                       const std::stop_token& stop, std::chrono::seconds limit = std::chrono::seconds(30));
/// PromQL for metrics as they are.
[[nodiscard]] std::string selectorOf(const std::vector<std::string>& metrics);
/// "90s", "1500ms": a time in PromQL.
[[nodiscard]] std::string promDuration(std::int64_t ms);
/// Why an HTTP answer is of no use.
[[nodiscard]] Text refusalOf(const HttpAnswer& answer);

} // namespace hw::telemetry

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/channel.h"

#include <string>
#include <string_view>
#include <vector>

namespace hw::telemetry {

struct PrometheusSeries {
    std::string metric;      ///< empty: the answer of an expression
    bindings::Labels labels; ///< without the metric, ascending
    std::vector<std::int64_t> timesMs;
    std::vector<double> values;
};

/// What the HTTP API answered: series, or why there are none.
struct PrometheusAnswer {
    std::vector<PrometheusSeries> series; ///< a scalar is one series without labels
    Text why;
    Text partial; ///< what the server says is missing in its answer, empty: nothing
    [[nodiscard]] const Text& doubt() const { return why.empty() ? partial : why; }
};
/// The body of /api/v1/query or query_range.
[[nodiscard]] PrometheusAnswer readAnswer(std::string_view body);

/// metric{a="b",c="d"}: a channel's name, and PromQL for that series.
[[nodiscard]] std::string seriesName(std::string_view metric, const bindings::Labels& labels);
/// The other way round; empty metric: it is no such name.
[[nodiscard]] PrometheusSeries readSeriesName(std::string_view name);

} // namespace hw::telemetry

// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/prometheus_queries.h"
#include "importers/telemetry/sources.h"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>

#include <fmt/format.h>

namespace hw::telemetry {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// Times of one answer with the values of others put beside them; a step that another lacks is NaN.
std::vector<double> alongside(const history::Series& series, const PrometheusSeries& other)
{
    std::vector<double> out(series.timesMs.size(), kNothing);
    for (std::size_t i = 0; i < other.timesMs.size(); ++i) {
        const auto found = std::ranges::lower_bound(series.timesMs, other.timesMs[i]);
        if (found != series.timesMs.end() && *found == other.timesMs[i]) out[std::size_t(found - series.timesMs.begin())] = other.values[i];
    }
    return out;
}

class PrometheusReader final : public history::Reader {
public:
    PrometheusReader(const Url& url, SourceOptions options, std::vector<Mapping> mappings)
        : m_name(url.text()), m_options(std::move(options)), m_mappings(std::move(mappings)), m_questions(questionsOf(m_mappings)),
          m_http(m_name, m_options.access)
    {
    }

    Result<std::vector<history::Series>> read(std::span<const std::string> channels, std::int64_t fromMs, std::int64_t toMs,
                                              std::size_t most) const override
    {
        const std::lock_guard lock(m_mutex);
        std::vector<history::Series> out;
        for (const auto& channel : channels) {
            auto series = readOne(channel, fromMs, toMs, std::max<std::size_t>(1, most));
            if (!series) return tl::unexpected(series.error());
            out.push_back(std::move(*series));
        }
        return out;
    }

    Result<std::vector<double>> at(std::span<const std::string> channels, std::int64_t timeMs, std::int64_t maxAgeMs) const override
    {
        const std::lock_guard lock(m_mutex);
        std::vector<double> out(channels.size(), kNothing);
        std::map<std::string, std::vector<std::size_t>> metrics; // one question of each
        for (std::size_t i = 0; i < channels.size(); ++i)
            if (auto series = readSeriesName(channels[i]); !series.metric.empty()) metrics[series.metric].push_back(i);
        for (const auto& [metric, places] : metrics) {
            const auto reply = askAt(m_http, lastOf(queryOf(metric, m_mappings), maxAgeMs), timeMs, {});
            if (!reply.answer.why.empty()) return refuse(reply);
            std::map<std::string, double> values;
            for (auto series : reply.answer.series) {
                m_questions.forget(metric, series.labels);
                if (!series.values.empty()) values[seriesName(metric, series.labels)] = series.values.back();
            }
            for (const auto place : places)
                if (const auto found = values.find(channels[place]); found != values.end()) out[place] = found->second;
        }
        return out;
    }

private:
    [[nodiscard]] bool plain(const std::string& query) const { return !readSeriesName(query).metric.empty(); }
    /// The series itself over a time, or an expression at every minute of it.
    [[nodiscard]] std::string over(const std::string& query, std::int64_t ms) const
    {
        return plain(query) ? fmt::format("{}[{}]", query, promDuration(ms)) : fmt::format("({})[{}:1m]", query, promDuration(ms));
    }
    [[nodiscard]] std::string lastOf(const std::string& query, std::int64_t ms) const
    {
        return fmt::format("last_over_time({})", over(query, std::max<std::int64_t>(1, ms)));
    }
    [[nodiscard]] tl::unexpected<Error> refuse(const PrometheusReply& reply) const
    {
        return fail(ErrorCode::Unreadable, m_name, reply.answer.why, i18n("check that the server is running"));
    }

    Result<history::Series> readOne(const std::string& channel, std::int64_t fromMs, std::int64_t toMs, std::size_t most) const
    {
        const std::string query = queryOf(channel, m_mappings);
        if (query.empty() || toMs < fromMs) return history::Series();
        const std::int64_t span = std::max<std::int64_t>(1, toMs - fromMs);
        const auto count = askAt(m_http, fmt::format("count_over_time({})", over(query, span)), toMs, {});
        if (!count.answer.why.empty()) return refuse(count);
        double samples = 0;
        for (const auto& series : count.answer.series)
            if (isOf(series, readSeriesName(channel))) samples += series.values.empty() ? 0 : series.values.back();
        return samples <= double(most) ? readSamples(channel, query, fromMs, toMs) : readSteps(channel, query, fromMs, toMs, most);
    }

    Result<history::Series> readSamples(const std::string& channel, const std::string& query, std::int64_t fromMs, std::int64_t toMs) const
    {
        const auto reply = askAt(m_http, over(query, std::max<std::int64_t>(1, toMs - fromMs)), toMs, {});
        if (!reply.answer.why.empty()) return refuse(reply);
        history::Series out;
        auto found = only(channel, reply.answer);
        out.timesMs = std::move(found.timesMs), out.values = std::move(found.values);
        return out;
    }

    Result<history::Series> readSteps(const std::string& channel, const std::string& query, std::int64_t fromMs, std::int64_t toMs,
                                      std::size_t most) const
    {
        constexpr std::int64_t kMinute = 60'000;
        const std::int64_t step = std::max<std::int64_t>(1, ((toMs - fromMs) / std::int64_t(most) + kMinute - 1) / kMinute) * kMinute;
        const std::int64_t last = fromMs + (toMs - fromMs + step - 1) / step * step;
        history::Series out;
        for (const auto* function : {"avg", "min", "max"}) {
            const auto reply = askRange(m_http, fmt::format("{}_over_time({})", function, over(query, step)), fromMs + step, last, step, {});
            if (!reply.answer.why.empty()) return refuse(reply);
            auto found = only(channel, reply.answer);
            if (function[0] == 'a')
                out.timesMs = std::move(found.timesMs), out.values = std::move(found.values);
            else if (function[1] == 'i')
                out.least = alongside(out, found);
            else if (function[1] == 'a')
                out.most = alongside(out, found);
        }
        for (auto& time : out.timesMs) time -= step; // a step stands at its beginning
        return out;
    }

    [[nodiscard]] bool isOf(const PrometheusSeries& series, const PrometheusSeries& wanted) const
    {
        auto labels = series.labels;
        m_questions.forget(wanted.metric, labels);
        return labels == wanted.labels;
    }
    /// What an answer says of this channel, in the order of time; it may have series of others. Where several are one channel (a job that
    /// changed) each moment counts once.
    [[nodiscard]] PrometheusSeries only(const std::string& channel, const PrometheusAnswer& answer) const
    {
        const auto wanted = readSeriesName(channel);
        std::map<std::int64_t, double> points;
        for (const auto& series : answer.series) {
            if (!isOf(series, wanted)) continue;
            for (std::size_t i = 0; i < series.timesMs.size(); ++i) points.emplace(series.timesMs[i], series.values[i]);
        }
        PrometheusSeries out;
        for (const auto& [time, value] : points) out.timesMs.push_back(time), out.values.push_back(value);
        return out;
    }

    const std::string m_name;
    const SourceOptions m_options;
    const std::vector<Mapping> m_mappings;
    const PrometheusQuestions m_questions;
    mutable std::mutex m_mutex;
    mutable HttpReader m_http;
};

} // namespace

Result<std::unique_ptr<history::Reader>> makePrometheusReader(SourceOptions options)
{
    const auto url = parseUrl(options.url);
    if (!url) return tl::unexpected(url.error());
    if (url->scheme != "http" && url->scheme != "https")
        return fail(ErrorCode::Usage, url->text(), i18n("is not a Prometheus server address"), i18n("use http://HOST:PORT or https://HOST:PORT"));
    auto mappings = mappingsOf(Mapping::Kind::Prometheus, options.mappings);
    if (!mappings) return tl::unexpected(mappings.error());
    return std::make_unique<PrometheusReader>(*url, std::move(options), std::move(*mappings));
}

} // namespace hw::telemetry

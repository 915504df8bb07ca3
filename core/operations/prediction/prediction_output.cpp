// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/files/csv.h"
#include "core/operations/prediction/ranking.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::prediction {

namespace {

using Json = nlohmann::ordered_json;

/// Rounded to four decimals.
double fine(double value) { return std::round(value * 1e4) / 1e4; }
std::string timeOf(std::int64_t ms)
{
    if (ms <= 0) return {};
    const std::chrono::sys_time<std::chrono::milliseconds> at{std::chrono::milliseconds(ms)};
    const auto day = std::chrono::floor<std::chrono::days>(at);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(at - day));
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", int(date.year()), unsigned(date.month()), unsigned(date.day()), clock.hours().count(),
                       clock.minutes().count(), clock.seconds().count());
}

/// Those that are listed: with a sign, up to `most`.
std::span<const Likely> listed(const Prediction& prediction, std::size_t most)
{
    std::size_t count = 0;
    while (count < prediction.hosts.size() && prediction.hosts[count].ratio > 1 + 1e-9) ++count;
    if (most == 0) count = prediction.hosts.size();
    return std::span(prediction.hosts).first(most == 0 ? count : std::min(count, most));
}

} // namespace

std::vector<Text> summaryOf(const Prediction& p)
{
    const auto predicted = std::ranges::count(p.hosts, true, &Likely::predicted);
    std::vector<Text> out{
        i18np(predicted, "{:L} host predicted to fail ({:g} % or more)", "{:L} hosts predicted to fail ({:g} % or more)", 100 * p.model.threshold)};
    if (p.quality)
        out.push_back(i18n("Precision {:.1f} %, recall {:.1f} %: {:.0f} of {:.0f} faults predicted, {:.0f} false alarms, mean lead time {:.0f} h",
                           100 * p.quality->precision(), 100 * p.quality->recall(), p.quality->right, p.quality->faults, p.quality->falseAlarms,
                           p.quality->warningH));
    return out;
}

std::string predictionJson(const Prediction& p, std::size_t most)
{
    Json weights = Json::object();
    for (std::size_t i = 0; i < kSigns; ++i) weights[std::string(wordOf(Sign(i)))] = p.model.weights[i];
    Json out{{"schema", "hallwright.prediction/1"},
             {"from", timeOf(p.fromMs)},
             {"to", timeOf(p.toMs)},
             {"model",
              {{"base_per_host_year", p.model.perHostYear},
               {"half_life_days", p.model.halfLifeDays},
               {"horizon_days", p.model.horizonDays},
               {"threshold", p.model.threshold},
               {"hot_c", p.model.hotC},
               {"weights", weights},
               {"confidence", "C"}}},
             {"quality", nullptr},
             {"hosts", Json::array()}};
    if (p.quality)
        out["quality"] = {{"faults", p.quality->faults},           {"predicted", p.quality->right},
                          {"missed", p.quality->missed},           {"false_alarms", p.quality->falseAlarms},
                          {"recall", fine(p.quality->recall())},   {"precision", fine(p.quality->precision())},
                          {"warning_h", fine(p.quality->warningH)}};
    for (const Likely& host : listed(p, most)) {
        Json signs = Json::object();
        for (std::size_t i = 0; i < kSigns; ++i)
            if (host.counts[i] > 0) signs[std::string(wordOf(Sign(i)))] = fine(host.counts[i]);
        out["hosts"].push_back({{"host", host.name},
                                {"probability", fine(host.probability)},
                                {"hazard_ratio", fine(host.ratio)},
                                {"predicted", host.predicted},
                                {"since", host.sinceMs > 0 ? Json(timeOf(host.sinceMs)) : Json()},
                                {"signs", signs},
                                {"failed", host.failed ? Json(*host.failed) : Json()}});
    }
    return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string predictionCsv(const Prediction& p, std::size_t most)
{
    std::string out = "host,probability,hazard_ratio,predicted,since";
    for (std::size_t i = 0; i < kSigns; ++i) out += ',' + std::string(wordOf(Sign(i)));
    out += ",failed\n";
    for (const Likely& host : listed(p, most)) {
        appendCsv(out, host.name);
        out += fmt::format(",{:.4f},{:.4g},{},{}", host.probability, host.ratio, host.predicted ? "yes" : "no", timeOf(host.sinceMs));
        for (const double count : host.counts) out += fmt::format(",{:.4g}", count);
        out += host.failed ? *host.failed ? ",yes\n" : ",no\n" : ",\n";
    }
    return out;
}

std::string predictionText(const Prediction& p, std::size_t most)
{
    std::string out = words(i18n("Probability of failure within {:g} days", p.model.horizonDays)) + '\n';
    for (const Likely& host : listed(p, most)) {
        out += "  " + words(i18n("{:>3.0f} %  {}: {}", 100 * host.probability, host.name, signsText(host, p.model)));
        if (host.failed) out += " (" + words(*host.failed ? i18n("fails") : i18n("does not fail")) + ')';
        out += '\n';
    }
    if (listed(p, most).empty()) out += "  " + words(i18n("no host shows signs of failure")) + '\n';
    for (const Text& line : summaryOf(p)) out += words(line) + '\n';
    return out;
}

} // namespace hw::prediction

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/jobs/job_rules.h"

#include "core/foundation/base/resources.h"
#include "core/foundation/base/yaml_keys.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

namespace hw::jobs {

namespace {

/// What one of a unit is in that of the measure.
std::optional<double> factorOf(JobMeasure measure, const std::string& unit)
{
    using enum JobMeasure;
    const bool time = measure == IterationTime || measure == ComputeTime || measure == SendTime || measure == DataWait || measure == CheckpointTime;
    if (time) {
        for (const auto& [name, factor] : {std::pair("s", 1.0), {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}})
            if (unit == name) return factor;
        return std::nullopt;
    }
    if (measure == Mfu) return unit == "%" ? std::optional(0.01) : unit == "ratio" ? std::optional(1.0) : std::nullopt;
    return unit.empty() || unit == "1/s" ? std::optional(1.0) : std::nullopt;
}

std::string_view labelOf(const bindings::ChannelText& channel, const std::vector<std::string>& names)
{
    for (const std::string& name : names)
        for (const auto& [label, value] : channel.labels)
            if (label == name && !value.empty()) return value;
    return {};
}

std::string_view captured(const bindings::Captures& captures, std::string_view name)
{
    for (const auto& [known, value] : captures)
        if (known == name) return value;
    return {};
}

int rankOf(std::string_view text)
{
    int rank = -1;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), rank);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() && rank >= 0 && rank < 10'000'000 ? rank : -1;
}

} // namespace

Result<JobRules> JobRules::read(const std::string& yaml, const std::string& file)
{
    JobRules rules;
    const auto done = readYaml(yaml, file, [&](YamlKeys& keys) {
        (void)keys.text("set"), (void)keys.text("title"), (void)keys.text("source");
        Labels labels;
        for (const auto& [key, list] : {std::pair("job_labels", &labels.job), {"rank_labels", &labels.rank}, {"host_labels", &labels.host}})
            if (keys.has(key)) *list = keys.texts(key);
        rules.m_labels.push_back(std::move(labels));
        for (YamlKeys& one : keys.maps("channels")) {
            Rule rule;
            auto pattern = bindings::Pattern::of(one.text("channel"));
            if (!pattern) one.refuse("channel", pattern.error().what);
            rule.channel = std::move(*pattern);
            for (const auto& name : rule.channel.names())
                if (name != "job" && name != "rank" && name != "host" && name != "any")
                    one.refuse("channel", i18n("'{}' is not one of {}", name, "job, rank, host, any")); // no text
            const std::string measure = one.text("measure"), unit = one.text("unit", "");
            const auto known = fromWord<JobMeasure>(measure);
            if (!known) one.refuse("measure", i18n("unknown measure '{}'", measure));
            rule.measure = *known;
            const auto factor = factorOf(rule.measure, unit);
            if (!factor) one.refuse("unit", i18n("'{}' is not a unit of {}", unit, measure));
            rule.factor = *factor;
            one.finish();
            rules.m_rules.push_back(std::move(rule));
        }
    });
    if (!done) return tl::unexpected(done.error());
    return rules;
}

Result<JobRules> JobRules::of(const std::vector<std::filesystem::path>& files)
{
    std::vector<std::filesystem::path> all = files;
    std::error_code error;
    if (files.empty())
        for (const auto& entry : std::filesystem::directory_iterator(resourceFolder() / "telemetry" / "jobs", error))
            if (entry.path().extension() == ".yaml") all.push_back(entry.path());
    std::ranges::sort(all);
    JobRules out;
    for (const auto& file : all) {
        std::ifstream in(file, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        if (!in) return fail(ErrorCode::Unreadable, file.string(), i18n("cannot be read"), i18n("check the path"));
        auto rules = read(text, file.string());
        if (!rules) return tl::unexpected(rules.error());
        for (Rule& rule : rules->m_rules) rule.set = out.m_labels.size(), out.m_rules.push_back(std::move(rule));
        out.m_labels.insert(out.m_labels.end(), rules->m_labels.begin(), rules->m_labels.end());
    }
    return out;
}

std::optional<JobRules::Found> JobRules::find(const bindings::ChannelText& channel) const
{
    const std::string_view name = std::string_view(channel.name).substr(0, channel.name.find('{'));
    for (const Rule& rule : m_rules) {
        bindings::Captures captures;
        if (!rule.channel.matches(name, captures, false)) continue;
        const Labels& labels = m_labels[rule.set];
        const auto either = [&](std::string_view key, const std::vector<std::string>& names) {
            const auto inName = captured(captures, key);
            return inName.empty() ? labelOf(channel, names) : inName;
        };
        Found found;
        found.job = std::string(either("job", labels.job));
        if (found.job.empty()) found.job = "job"; // an exporter of one job does not name it
        found.host = std::string(either("host", labels.host));
        if (const auto colon = found.host.rfind(':'); colon != std::string::npos) found.host.erase(colon); // instance="host:port"
        found.rank = rankOf(either("rank", labels.rank));
        found.measure = rule.measure, found.factor = rule.factor;
        return found;
    }
    return std::nullopt;
}

} // namespace hw::jobs

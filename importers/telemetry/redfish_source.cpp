// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/http_reader.h"
#include "importers/telemetry/polling_thread.h"
#include "importers/telemetry/prometheus_queries.h"
#include "importers/telemetry/redfish_readings.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <set>
#include <unordered_map>

namespace hw::telemetry {

namespace {

using namespace std::chrono_literals;
using nlohmann::json;

constexpr std::size_t kMostResources = 50'000;
constexpr auto kWalkAgain = 10min;         ///< what is there changes seldom
constexpr std::int64_t kFreshMs = 120'000; ///< so near to our clock, what a report says is of now (assumed); else the resource itself is asked

/// A resource that has readings, or is to be looked at.
struct Resource {
    std::string path;
    bindings::Labels unit;                  ///< of what it belongs to
    std::vector<RedfishReading> readings{}; ///< when it was asked last, where there are reports
};

/// Where a value that several resources repeat is read: what the equipment says of itself, then its chassis, then the sensor.
int rankOf(const std::string& path)
{
    if (path.find("/Sensors/") != path.npos) return 2;
    return path.starts_with("/redfish/v1/Chassis/") ? 1 : 0;
}

/// Without its domain; an address of numbers stays whole.
std::string shortName(const std::string& host)
{
    const bool numbers = host.find_first_not_of("0123456789.") == std::string::npos || host.find(':') != std::string::npos;
    return numbers ? host : host.substr(0, host.find('.'));
}

/// Walks a Redfish service once, then asks the resources that have readings every interval; looks again from time to time.
class RedfishSource final : public bindings::Source {
public:
    RedfishSource(const Url& url, SourceOptions options)
        : m_place(url.port == 443 || url.port == 80 ? url.host : url.host + ':' + std::to_string(url.port)), m_host(shortName(url.host)),
          m_options(std::move(options)), m_http(url.address(), m_options.access, "X-Auth-Token: "),
          m_thread(url.address(), m_options,
                   {[this](const std::stop_token& stop) { return m_greeted ? ServerState() : greet(stop); },
                    [this](const std::stop_token& stop) { return look(stop); }})
    {
    }
    ~RedfishSource() override { m_thread.stop(); }

    [[nodiscard]] std::string name() const override { return m_thread.name(); }
    Result<void> start(bindings::Intake& intake) override { return m_intake = &intake, m_thread.start(intake); }
    void stop() override { m_thread.stop(); }
    [[nodiscard]] bool ended() const override { return m_thread.ended(); }
    [[nodiscard]] Text trouble() const override { return m_thread.trouble(); }

private:
    ServerState greet(const std::stop_token& stop);
    Text look(const std::stop_token& stop);
    Text walk(const std::stop_token& stop);
    Text poll(const std::stop_token& stop);
    Text ask(const std::string& path, const std::stop_token& stop, std::optional<json>& resource);
    void keep(const Resource& from, const json& resource, std::int64_t atMs);
    Text readReports(const std::stop_token& stop);
    [[nodiscard]] bool keepReported(const Resource& from);
    void keepOthers();
    [[nodiscard]] std::string nameOf(const std::string& path, const std::string& property) const { return "//" + m_place + path + '#' + property; }

    const std::string m_place, m_host;
    const SourceOptions m_options;
    HttpReader m_http;
    std::vector<Resource> m_resources;
    std::vector<std::string> m_reports;                        ///< of the TelemetryService, by path
    std::unordered_map<std::string, RedfishMetric> m_reported; ///< what they say now, by resource#property
    std::set<std::string> m_known;                             ///< resources that are asked themselves, and sensors that these repeat
    std::unordered_map<std::string, int> m_saidBy;             ///< by sensor: the best rank of those who repeat it, which alone are read for it
    bool m_greeted = false, m_walkAgain = true;
    std::string m_door; ///< a resource that only those can read who may
    std::chrono::steady_clock::time_point m_walked;
    std::unordered_map<std::string, bindings::ChannelNo> m_channels;
    std::vector<bindings::Sample> m_samples;
    Text m_doubt, m_walkDoubt; ///< of one resource among others: at the moment, and of those that the last walk could not read
    bindings::Intake* m_intake = nullptr;
    PollingThread m_thread;
};

/// The root of a service can be read by anybody; what is below it shows whether the password is right.
ServerState RedfishSource::greet(const std::stop_token& stop)
{
    std::string path = "/redfish/v1/";
    for (int i = 0; i < 2; ++i) {
        const auto answer = m_http.get(path, stop);
        if (answer.status == 404) return {i18n("not a Redfish service"), true};
        if (answer.status != 200) return {refusalOf(answer), answer.distrusted || (answer.status != 0 && answer.status < 500)};
        const auto links = redfishLinks(json::parse(answer.body, nullptr, false), {m_http.server(), path});
        if (links.empty())
            return i == 0 ? ServerState{i18n("Redfish service exposes no chassis, power or thermal equipment"), true}
                          : (m_greeted = true, ServerState());
        m_door = path = links.front();
    }
    m_greeted = true;
    return {};
}

/// What is there, from time to time; what it says.
Text RedfishSource::look(const std::stop_token& stop)
{
    m_doubt = {};
    Text wrong;
    if (m_walkAgain || std::chrono::steady_clock::now() - m_walked > kWalkAgain) wrong = walk(stop);
    if (wrong.empty()) wrong = poll(stop);
    if (wrong.empty()) m_thread.trouble(m_doubt.empty() ? m_walkDoubt : m_doubt);
    return wrong;
}

/// Nothing in `resource`: this one has nothing to say at the moment, others may. What it answers tells of the whole service only where the
/// first of its collections cannot be read either.
Text RedfishSource::ask(const std::string& path, const std::stop_token& stop, std::optional<json>& resource)
{
    const auto answer = m_http.get(path, stop);
    if ((answer.status == 0 || answer.status == 401) && (stop.stop_requested() || m_http.get(m_door, stop, 5s).status != 200))
        return refusalOf(answer);
    if (answer.status == 200) {
        auto read = json::parse(answer.body, nullptr, false);
        if (read.is_object()) return resource = std::move(read), Text();
    }
    m_doubt = i18n("{}: {}", path, answer.status == 200 ? i18n("response is not a Redfish resource") : refusalOf(answer));
    return {};
}

Text RedfishSource::walk(const std::stop_token& stop)
{
    std::deque<Resource> waiting{{"/redfish/v1/", {}}};
    std::set<std::string> seen;
    std::vector<Resource> found;
    std::unordered_map<std::string, int> saidBy;
    std::vector<std::string> reports;
    while (!waiting.empty() && !stop.stop_requested() && seen.size() < kMostResources) {
        Resource next = std::move(waiting.front());
        waiting.pop_front();
        std::optional<json> resource;
        if (auto wrong = ask(next.path, stop, resource); !wrong.empty()) return wrong;
        if (!resource) continue;
        if (auto unit = redfishUnit(*resource); !unit.empty()) next.unit = std::move(unit);
        for (auto& link : redfishLinks(*resource, {m_http.server(), next.path}))
            if (seen.insert(link).second) waiting.push_back({std::move(link), next.unit});
        if (isMetricReport(*resource)) reports.push_back(next.path);
        const auto readings = redfishReadings(*resource);
        for (const auto& reading : readings)
            if (!reading.sensor.empty()) {
                const auto by = saidBy.try_emplace(reading.sensor, rankOf(next.path)).first;
                by->second = std::min(by->second, rankOf(next.path));
            }
        if (!readings.empty()) found.push_back(std::move(next));
    }
    std::erase_if(found, [&](const Resource& one) { return saidBy.contains(one.path); });
    m_resources = std::move(found), m_saidBy = std::move(saidBy), m_reports = std::move(reports);
    m_known.clear();
    for (const auto& one : m_resources) m_known.insert(one.path);
    for (const auto& [sensor, by] : m_saidBy) m_known.insert(sensor);
    m_walked = std::chrono::steady_clock::now();
    m_walkAgain = m_resources.empty();
    m_walkDoubt = std::exchange(m_doubt, {});
    return {};
}

/// One question for many values.
Text RedfishSource::readReports(const std::stop_token& stop)
{
    m_reported.clear();
    for (const auto& path : m_reports) {
        std::optional<json> report;
        if (auto wrong = ask(path, stop, report); !wrong.empty()) return wrong;
        if (!report) {
            m_walkAgain = true;
            continue;
        }
        for (auto& metric : redfishMetrics(*report)) {
            if (std::abs(nowMs() - metric.timeMs) > kFreshMs) continue;
            RedfishMetric& newest = m_reported[metric.path + '#' + metric.property];
            if (newest.timeMs <= metric.timeMs) newest = std::move(metric);
        }
    }
    return {};
}

/// Whether all that a resource has to say stands in reports: then it is taken from there, and the resource is not asked.
bool RedfishSource::keepReported(const Resource& from)
{
    if (m_reported.empty() || from.readings.empty()) return false;
    const auto isReported = [&](const RedfishReading& one) { return m_reported.contains(from.path + '#' + one.property); };
    if (!std::ranges::all_of(from.readings, isReported)) return false;
    for (const auto& reading : from.readings) {
        const auto found = m_reported.find(from.path + '#' + reading.property);
        const auto channel = m_channels.find(nameOf(from.path, reading.property));
        if (found == m_reported.end() || channel == m_channels.end()) continue;
        const RedfishMetric& metric = found->second;
        m_samples.push_back({channel->second, metric.timeMs, metric.value, metric.value == metric.value});
    }
    return true;
}

/// What reports say of resources that are not asked themselves, as of GPUs, where the name of the property states its unit.
void RedfishSource::keepOthers()
{
    for (const auto& [key, metric] : m_reported) {
        if (m_known.contains(metric.path)) continue;
        std::string unit = redfishUnitOf(metric.property);
        if (unit.empty()) continue;
        const auto [channel, fresh] = m_channels.try_emplace(nameOf(metric.path, metric.property));
        if (fresh) channel->second = m_intake->channel({channel->first, {{"host", m_host}}, std::move(unit)});
        m_samples.push_back({channel->second, metric.timeMs, metric.value, metric.value == metric.value});
    }
}

Text RedfishSource::poll(const std::stop_token& stop)
{
    if (auto wrong = readReports(stop); !wrong.empty()) return wrong;
    for (auto& one : m_resources) {
        if (keepReported(one)) continue;
        std::optional<json> resource;
        if (auto wrong = ask(one.path, stop, resource); !wrong.empty()) return m_samples.clear(), wrong;
        if (resource) {
            keep(one, *resource, nowMs());
            if (!m_reports.empty()) one.readings = redfishReadings(*resource);
        } else {
            m_walkAgain = true; // it may be gone
        }
    }
    keepOthers();
    if (!m_samples.empty()) m_intake->take(m_samples);
    m_samples.clear();
    return {};
}

void RedfishSource::keep(const Resource& from, const json& resource, std::int64_t atMs)
{
    for (const auto& reading : redfishReadings(resource)) {
        if (const auto by = m_saidBy.find(reading.sensor); by != m_saidBy.end() && by->second < rankOf(from.path)) continue;
        bindings::ChannelText text{nameOf(from.path, reading.property), {}, reading.unit};
        const auto [channel, fresh] = m_channels.try_emplace(text.name);
        if (fresh) {
            text.labels = from.unit;
            text.labels.emplace_back("host", m_host);
            for (const auto& [label, key] : {std::pair("ResourceName", "Name"), std::pair("PhysicalContext", "PhysicalContext")})
                if (auto value = redfishText(resource, key); !value.empty()) text.labels.emplace_back(label, std::move(value));
            if (!reading.member.empty()) text.labels.emplace_back("MemberName", reading.member);
            std::ranges::sort(text.labels);
            channel->second = m_intake->channel(text);
        }
        m_samples.push_back({channel->second, atMs, reading.value, reading.good});
    }
}

} // namespace

Result<std::unique_ptr<bindings::Source>> makeRedfishSource(SourceOptions options)
{
    const auto url = parseUrl(options.url);
    if (!url) return tl::unexpected(url.error());
    if ((url->scheme != "http" && url->scheme != "https") || (!url->path.empty() && url->path != "/redfish/v1"))
        return fail(ErrorCode::Usage, url->text(), i18n("is not a Redfish service address"), i18n("use https://HOST"));
    if (!options.mappings.empty())
        return fail(ErrorCode::Usage, options.mappings.front().string(), i18n("Redfish sources do not use a mapping"), i18n("omit it"));
    return std::make_unique<RedfishSource>(*url, std::move(options));
}

} // namespace hw::telemetry

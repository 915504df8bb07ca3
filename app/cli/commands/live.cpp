// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/commands/incident_report.h"
#include "app/cli/design_input.h"
#include "app/cli/follow_output.h"
#include "app/cli/simulated_loads.h"
#include "importers/telemetry/mapping.h"
#include "importers/telemetry/sources.h"

#include <cmath>

namespace hw::cli {

namespace live_command {

struct Options {
    std::string file, record, credentials, incident, paper, scenario;
    std::vector<std::string> mqtt, prometheus, redfish, mappings;
    std::optional<double> seconds, interval;
    bool store = true, json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    app.add_option("--mqtt", o.mqtt, words(i18n("MQTT broker: mqtt://HOST:PORT or mqtts://HOST:PORT")))->option_text("URL");
    app.add_option("--prometheus", o.prometheus, words(i18n("Prometheus server, Prometheus-compatible store, or metrics endpoint")))
        ->option_text("URL");
    app.add_option("--redfish", o.redfish, words(i18n("Redfish service: https://HOST")))->option_text("URL");
    app.add_option("--mapping", o.mappings, words(i18n("Custom queries or subscriptions that replace the shipped mappings (docs/live.md)")))
        ->option_text("FILE");
    app.add_option("--interval", o.interval, words(i18n("Polling interval for Prometheus and Redfish in seconds (default: 10)")))->option_text("S");
    app.add_option("--credentials", o.credentials, words(i18n("Credentials file (users, passwords, certificates) readable only by its owner")))
        ->option_text("FILE");
    app.add_option("--for", o.seconds, words(i18n("Run time in seconds (default: until Ctrl-C)")))->option_text("S");
    app.add_option("--record", o.record, words(i18n("Record incoming samples for `replay`; NAME.zst is compressed")))->option_text("PATH");
    auto* store = app.add_flag("--store", o.store, words(i18n("Store samples in FILE.telemetry next to the project (default)")));
    app.add_flag_callback(
           "--no-store", [&o] { o.store = false; }, words(i18n("Do not store samples")))
        ->excludes(store);
    app.add_flag("--json", o.json, words(i18n("Print one JSON object per line instead of text")));
    declareSimulated(app, o.scenario);
    declareIncident(app, o.incident, o.paper);
    app.footer(words(i18n("Read-only: nothing is published, and only GET requests are sent. Several sources can be given. "
                          "Credentials come from HALLWRIGHT_MQTT_USER, HALLWRIGHT_MQTT_PASSWORD (and …_PROMETHEUS_…, "
                          "…_REDFISH_…) or from the --credentials file, never from a URL.")));
}

using Sources = std::vector<std::unique_ptr<bindings::Source>>;
using Make = Result<std::unique_ptr<bindings::Source>> (*)(telemetry::SourceOptions);

Result<void> checkNumber(const std::optional<double>& number, const char* option)
{
    if (!number || (std::isfinite(*number) && *number > 0 && *number < 1e9)) return {};
    return fail(ErrorCode::Refused, option, i18n("must be a number of seconds greater than 0"), i18n("for example: {} 60", option));
}

/// Every mapping must be of use to a source.
Result<std::vector<std::filesystem::path>> mappingsFor(telemetry::Mapping::Kind kind, const Options& o)
{
    std::vector<std::filesystem::path> out;
    for (const auto& file : o.mappings) {
        const auto mapping = telemetry::readMapping(file);
        if (!mapping) return tl::unexpected(mapping.error());
        const bool wanted = mapping->kind == telemetry::Mapping::Kind::Mqtt ? !o.mqtt.empty() : !o.prometheus.empty();
        if (!wanted) return fail(ErrorCode::Usage, file, i18n("mapping matches none of the given sources"), i18n("omit it, or add the source"));
        if (mapping->kind == kind) out.emplace_back(file);
    }
    return out;
}

Result<void> addSources(const Options& o, const std::string& kind, const std::vector<std::string>& urls, std::vector<std::filesystem::path> mappings,
                        Make make, Sources& sources)
{
    for (const auto& url : urls) {
        telemetry::SourceOptions options;
        auto access = telemetry::accessOf(url, kind, o.credentials);
        if (!access) return tl::unexpected(access.error());
        options.url = url, options.access = std::move(*access), options.mappings = mappings;
        if (o.interval) options.interval = std::chrono::milliseconds(std::int64_t(std::max(0.1, *o.interval) * 1000));
        auto source = make(std::move(options));
        if (!source) return tl::unexpected(source.error());
        sources.push_back(std::move(*source));
    }
    return {};
}

Result<Sources> sourcesOf(const Options& o)
{
    if (o.mqtt.empty() && o.prometheus.empty() && o.redfish.empty())
        return fail(ErrorCode::Usage, "live", i18n("no source given"), i18n("add --mqtt, --prometheus or --redfish with its URL"));
    if (o.interval && o.prometheus.empty() && o.redfish.empty())
        return fail(ErrorCode::Usage, "--interval", i18n("MQTT brokers push data and are not polled"), i18n("omit it"));
    const auto topics = mappingsFor(telemetry::Mapping::Kind::Mqtt, o);
    if (!topics) return tl::unexpected(topics.error());
    const auto queries = mappingsFor(telemetry::Mapping::Kind::Prometheus, o);
    if (!queries) return tl::unexpected(queries.error());
    Sources sources;
    if (auto added = addSources(o, "mqtt", o.mqtt, *topics, telemetry::makeMqttSource, sources); !added) return tl::unexpected(added.error());
    if (auto added = addSources(o, "prometheus", o.prometheus, *queries, telemetry::makePrometheusSource, sources); !added)
        return tl::unexpected(added.error());
    if (auto added = addSources(o, "redfish", o.redfish, {}, telemetry::makeRedfishSource, sources); !added) return tl::unexpected(added.error());
    return sources;
}

Outcome run(const Options& o, const Progress& progress)
{
    for (const auto& checked : {checkNumber(o.seconds, "--for"), checkNumber(o.interval, "--interval"), checkIncident(o.incident, o.paper)})
        if (!checked) return tl::unexpected(checked.error());
    auto sources = sourcesOf(o);
    if (!sources) return tl::unexpected(sources.error());
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    auto loads = simulatedLoads(o.scenario, **figures, progress);
    if (!loads) return tl::unexpected(loads.error());
    following::Options options;
    if (o.store) options.store = history::Store::besides(o.file), options.retention = following::retentionOf(*(*figures)->snapshot);
    if (!o.record.empty()) {
        auto recorder = telemetry::makeRecorder(o.record);
        if (!recorder) return tl::unexpected(recorder.error());
        options.recorder = std::move(*recorder);
    }
    FollowOutput output(*figures, o.json, true);
    output.simulated(std::move(*loads));
    if (!o.incident.empty()) output.keepIncident();
    const auto followed = output.follow(std::move(options), std::move(*sources), o.seconds, progress);
    if (!followed && followed.error().code != ErrorCode::Fault) return tl::unexpected(followed.error());
    auto incident = o.incident.empty() ? std::nullopt : output.incident();
    if (!o.incident.empty() && (followed || incident)) // also of what was followed in spite of a fault
        if (const auto written = writeIncident(o.file, std::move(incident), o.incident, o.paper, {}); !written || *written != kDone) return written;
    if (!followed) return tl::unexpected(followed.error());
    return kDone;
}

} // namespace live_command

void addLive(Session& session)
{
    using namespace live_command;
    session.command<Options>("live", i18n("Monitor a live hall and compare telemetry with the design"), declare, run);
}

} // namespace hw::cli

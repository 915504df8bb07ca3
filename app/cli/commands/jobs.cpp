// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "app/cli/simulated_loads.h"
#include "core/foundation/base/file_kind.h"
#include "core/operations/following/follower.h"
#include "core/operations/jobs/job_tap.h"
#include "core/operations/jobs/out_of_service.h"
#include "importers/cluster/cordoned_nodes.h"
#include "importers/cluster/job_hosts.h"
#include "importers/joblogs/job_log.h"
#include "importers/telemetry/sources.h"
#include "simulation/reliability/planned_job.h"

#include <chrono>
#include <thread>

namespace hw::cli {

namespace jobs_command {

constexpr double kUsualS = 60;

struct Options {
    std::string file, recording, credentials, scenario, output;
    std::vector<std::string> mqtt, prometheus, logs, hosts, rules, mappings, failed, cordoned;
    std::optional<double> seconds;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    app.add_option("RECORDING", o.recording, words(i18n("Recording, as used by `replay`")));
    app.add_option("--prometheus", o.prometheus, words(i18n("Prometheus server, Prometheus-compatible store, or metrics endpoint")))
        ->option_text("URL");
    app.add_option("--mqtt", o.mqtt, words(i18n("MQTT broker: mqtt://HOST:PORT or mqtts://HOST:PORT")))->option_text("URL");
    app.add_option("--for", o.seconds, words(i18n("Observation time of live sources in seconds (default: 60)")))->option_text("S");
    app.add_option("--credentials", o.credentials, words(i18n("Credentials file (users, passwords, certificates) readable only by its owner")))
        ->option_text("FILE");
    app.add_option("--log-file", o.logs, words(i18n("Log of the training framework (docs/jobs.md); repeatable")))->option_text("[JOB=]FILE");
    app.add_option("--hosts", o.hosts,
                   words(i18n("Hosts of the jobs: output of scontrol show job, squeue, kubectl get pods -o json, or a CSV table; repeatable")))
        ->option_text("FILE");
    app.add_option("--scenario", o.scenario, words(i18n("Scenario of the training job to compare with")))->option_text("SCENARIO.json");
    app.add_option(
           "--failed", o.failed,
           words(i18n("Element out of service, with all elements that depend on it: host, switch, link, rack, feed; repeatable. Elements that alarms "
                      "report as failed are included")))
        ->option_text("NAME")
        ->allow_extra_args(false);
    app.add_option("--cordoned", o.cordoned,
                   words(i18n("Hosts out of service: output of sinfo -R, scontrol show node or kubectl get nodes -o json; repeatable")))
        ->option_text("PATH")
        ->allow_extra_args(false);
    app.add_option("--rules", o.rules, words(i18n("Job channels that replace the shipped ones (docs/jobs.md); repeatable")))->option_text("FILE");
    app.add_option("--mapping", o.mappings, words(i18n("Prometheus queries that replace the shipped mappings (docs/live.md); repeatable")))
        ->option_text("FILE");
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.add_option("-o,--output", o.output, words(i18n("Also write JSON to this file")))->option_text("PATH");
    app.footer(words(i18n("Read-only: nothing is sent to a scheduler or a job.")));
}

Result<void> check(const Options& o)
{
    const bool live = !o.prometheus.empty() || !o.mqtt.empty();
    if (o.recording.empty() && !live && o.logs.empty())
        return fail(ErrorCode::Usage, "jobs", i18n("no source given"), i18n("add a recording, --prometheus, --mqtt or --log-file"));
    if (!o.recording.empty() && live)
        return fail(ErrorCode::Usage, o.recording, i18n("cannot be combined with live sources"), i18n("specify one of them"));
    if (!live && (o.seconds || !o.credentials.empty()))
        return fail(ErrorCode::Usage, o.seconds ? "--for" : "--credentials", i18n("applies to live sources only"), i18n("omit it"));
    if (o.prometheus.empty() && !o.mappings.empty())
        return fail(ErrorCode::Usage, "--mapping", i18n("applies to --prometheus only"), i18n("omit it"));
    if (o.scenario.empty() && (!o.failed.empty() || !o.cordoned.empty()))
        return fail(ErrorCode::Usage, o.failed.empty() ? "--cordoned" : "--failed", i18n("applies with --scenario only"), i18n("add --scenario"));
    if (o.seconds && !(*o.seconds > 0 && *o.seconds <= 31'536'000))
        return fail(ErrorCode::Usage, "--for", i18n("out of range"), i18n("specify {} to {}", 1, 31'536'000));
    if (!o.output.empty()) return refuseProject(o.output);
    return {};
}

using Sources = std::vector<std::unique_ptr<bindings::Source>>;
using Make = Result<std::unique_ptr<bindings::Source>> (*)(telemetry::SourceOptions);

Result<Sources> sourcesOf(const Options& o)
{
    Sources out;
    if (!o.recording.empty()) {
        auto opened = telemetry::openRecording(o.recording, 0, {});
        if (!opened) return tl::unexpected(opened.error());
        out.push_back(std::move(*opened));
    }
    const auto add = [&](const std::string& kind, const std::vector<std::string>& urls, Make make) -> Result<void> {
        for (const auto& url : urls) {
            telemetry::SourceOptions options;
            auto access = telemetry::accessOf(url, kind, o.credentials);
            if (!access) return tl::unexpected(access.error());
            options.url = url, options.access = std::move(*access);
            if (kind == "prometheus") options.mappings.assign(o.mappings.begin(), o.mappings.end());
            auto source = make(std::move(options));
            if (!source) return tl::unexpected(source.error());
            out.push_back(std::move(*source));
        }
        return {};
    };
    if (const auto added = add("prometheus", o.prometheus, telemetry::makePrometheusSource); !added) return tl::unexpected(added.error());
    if (const auto added = add("mqtt", o.mqtt, telemetry::makeMqttSource); !added) return tl::unexpected(added.error());
    return out;
}

/// What is observed of the hall meanwhile: evidence for what slows a job.
Result<monitoring::FramePtr> observed(const Options& o, const FiguresPtr& figures, SimulatedLoads loads,
                                      std::shared_ptr<jobs::JobTelemetry> telemetry, const Progress& progress)
{
    auto sources = sourcesOf(o);
    if (!sources) return tl::unexpected(sources.error());
    if (sources->empty()) return monitoring::FramePtr();
    auto rules = jobs::JobRules::of({o.rules.begin(), o.rules.end()});
    if (!rules) return tl::unexpected(rules.error());
    const auto shared = std::make_shared<const jobs::JobRules>(std::move(*rules));
    for (auto& source : *sources) source = jobs::tapped(std::move(source), shared, telemetry);
    following::Follower follower(figures, {});
    follower.simulated(std::move(loads.gbps), std::move(loads.after));
    if (const auto started = follower.start(std::move(*sources)); !started) return tl::unexpected(started.error());
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(o.seconds.value_or(kUsualS));
    while (!progress.stopRequested() && !follower.ended() && (!o.recording.empty() || std::chrono::steady_clock::now() < end))
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (const auto stopped = follower.stop(); !stopped) return tl::unexpected(stopped.error());
    if (progress.stopRequested()) return fail(ErrorCode::Canceled, "jobs", i18n("stopped"), i18n("no result"));
    for (const auto& trouble : follower.troubles()) printNote(trouble);
    return follower.frame();
}

Result<void> readLogs(const Options& o, jobs::JobTelemetry& telemetry)
{
    for (const auto& given : o.logs) {
        const auto equals = given.find('=');
        const bool named = equals != std::string::npos && equals > 0 && given.find('/') > equals;
        const std::string path = named ? given.substr(equals + 1) : given;
        const std::string job = named ? given.substr(0, equals) : std::filesystem::path(path).stem().string();
        const auto text = readTextFile(path);
        if (!text) return tl::unexpected(text.error());
        const auto log = importers::readJobLog(*text, path, job);
        if (!log) return tl::unexpected(log.error());
        for (const auto& sample : log->samples) telemetry.take(sample);
        for (const auto& note : log->notes) printNote(note);
    }
    return {};
}

/// The plan on what is left of the hall. A job that cannot run there keeps the plan of the whole design.
Result<jobs::JobPlan> planLeft(const Options& o, const jobs::JobPlan& whole, const FiguresPtr& figures, const monitoring::Frame* frame,
                               const std::function<Result<nlohmann::ordered_json>(const impact::NetworkLoss&)>& resultsAfter,
                               const Progress& progress)
{
    const auto cordoned = importers::readCordonedFiles(o.cordoned);
    if (!cordoned) return tl::unexpected(cordoned.error());
    const auto lost = jobs::OutOfService(figures).of(frame, o.failed, *cordoned, progress);
    if (!lost) {
        Error error = lost.error();
        if (error.code == ErrorCode::Refused) error.where = "--failed " + error.where;
        return tl::unexpected(std::move(error));
    }
    const sim::PlanLeft left = sim::plannedJobAfter(whole, *lost, resultsAfter, *figures);
    if (!left.note.empty()) printNote(left.note);
    return left.plan;
}

Outcome run(const Options& o, const Progress& progress)
{
    if (const auto fine = check(o); !fine) return tl::unexpected(fine.error());
    std::vector<jobs::JobPlace> places;
    for (const auto& path : o.hosts) {
        const auto source = exchange::readSource(path);
        if (!source) return tl::unexpected(source.error());
        const auto read = importers::readJobHosts(*source);
        if (!read) return tl::unexpected(read.error());
        places.insert(places.end(), read->begin(), read->end());
    }
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    auto loads = simulatedLoads(o.scenario, **figures, progress);
    if (!loads) return tl::unexpected(loads.error());
    std::optional<jobs::JobPlan> plan;
    if (!o.scenario.empty()) {
        auto made = sim::plannedJob(o.scenario, loads->results, **figures);
        if (!made) return tl::unexpected(made.error());
        plan = std::move(*made);
    }
    const auto resultsAfter = loads->resultsAfter;
    const auto telemetry = std::make_shared<jobs::JobTelemetry>();
    if (const auto read = readLogs(o, *telemetry); !read) return tl::unexpected(read.error());
    const auto frame = observed(o, *figures, std::move(*loads), telemetry, progress);
    if (!frame) return tl::unexpected(frame.error());
    const bool live = *frame && (*frame)->bound;
    if (plan) {
        const auto left = planLeft(o, *plan, *figures, live ? frame->get() : nullptr, resultsAfter, progress);
        if (!left) return tl::unexpected(left.error());
        plan = *left;
    }
    const auto states = jobs::evaluateJobs(**figures, telemetry->jobs(), places, plan, live ? frame->get() : nullptr, live ? (*frame)->atMs : 0);
    const std::string json = jobs::jobsJson(states, **figures);
    if (!o.output.empty())
        if (const auto written = writeWholeText(o.output, json); !written) return tl::unexpected(written.error());
    print(o.json ? json : jobs::jobsText(states));
    if (states.empty()) printNote(i18n("no training job channels found; see docs/jobs.md"));
    return kDone;
}

} // namespace jobs_command

void addJobs(Session& session)
{
    using namespace jobs_command;
    session.command<Options>("jobs", i18n("Compare training jobs with the simulated iteration, and locate what slows them"), declare, run);
}

} // namespace hw::cli

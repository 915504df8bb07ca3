// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/commands/emulate_loop.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "app/cli/simulated_loads.h"
#include "core/foundation/base/file_kind.h"
#include "simulation/reliability/planned_job.h"
#include "simulation/reliability/storage_path.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

namespace hw::cli {

namespace emulate_command {

using namespace emulation;

/// A recording begins on a Monday morning, so that one seed gives one file: 2026-01-05 08:00 UTC.
constexpr std::int64_t kRecordedFromMs = 1'767'600'000'000;

struct Options {
    std::string file, mqtt, output, fault, scenario, meters = "on-change";
    int prometheus = 0;
    double rate = 1, forS = 0, pollS = 30;
    std::uint64_t seed = 1;
    std::vector<std::string> series;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    auto* mqtt =
        app.add_option("--mqtt", o.mqtt, words(i18n("Publish to this broker: DSX points with metadata, GPU and port series")))->option_text("URL");
    auto* prometheus = app.add_option("--prometheus", o.prometheus, words(i18n("Serve metrics at http://127.0.0.1:PORT/metrics")))
                           ->option_text("PORT")
                           ->check(CLI::Range(1, 65535));
    app.add_option("-o,--output", o.output, words(i18n("Write a recording for `replay` without waiting in real time; needs --for")))
        ->option_text("RECORDING")
        ->excludes(mqtt)
        ->excludes(prometheus);
    app.add_option("--rate", o.rate, words(i18n("Steps per second (default: 1)")))->option_text("HZ")->check(CLI::Range(0.1, 100.0));
    app.add_option("--poll", o.pollS, words(i18n("Polling interval of GPU series in seconds; ports are polled every third interval (default: 30)")))
        ->option_text("S")
        ->check(CLI::Range(0.1, 3600.0));
    app.add_option("--meters", o.meters,
                   words(i18n("Readings of facility meters: on-change, or the polling interval in seconds, or a range such as 10-60 from which each "
                              "device has its own interval and phase (default: on-change)")))
        ->option_text("S|S-S");
    app.add_option("--series", o.series, words(i18n("Series to publish: facility, gpus, ports (default: these three), jobs (with --scenario)")))
        ->option_text("NAME,…")
        ->delimiter(',')
        ->check(CLI::IsMember({"facility", "gpus", "ports", "jobs"}));
    app.add_option("--fault", o.fault, words(i18n("Fault script (docs/emulate.md)")))->option_text("SCRIPT.json");
    app.add_option("--scenario", o.scenario, words(i18n("Run only the job or flows of this scenario, with its link loads (docs/emulate.md)")))
        ->option_text("SCENARIO.json");
    app.add_option("--for", o.forS, words(i18n("Duration in seconds")))->option_text("S")->check(CLI::Range(1.0, 31'536'000.0));
    app.add_option("--seed", o.seed, words(i18n("Random seed for jobs and noise (default: 1)")))->option_text("N");
    app.footer(words(i18n("While running, commands are read from standard input: fail NAME, restore [NAME], list [WORD], help, "
                          "quit. Ctrl-C ends the run. Broker user name and password are taken from HALLWRIGHT_MQTT_USER and "
                          "HALLWRIGHT_MQTT_PASSWORD.")));
}

/// "on-change", "5" or "10-60".
Result<std::pair<double, double>> metersOf(const std::string& text)
{
    if (text == "on-change") return std::pair(0.0, 0.0);
    double from = 0, to = 0;
    const char* const end = text.data() + text.size();
    auto read = std::from_chars(text.data(), end, from);
    to = from;
    if (read.ec == std::errc() && read.ptr != end && *read.ptr == '-') read = std::from_chars(read.ptr + 1, end, to);
    const bool whole = to == from || (from == std::floor(from) && to == std::floor(to));
    if (read.ec == std::errc() && read.ptr == end && from >= 0.1 && to >= from && to <= 3600 && whole) return std::pair(from, to);
    return fail(ErrorCode::Usage, "--meters " + text, i18n("is not a polling interval"),
                i18n("use on-change, seconds from 0.1 to 3600, or a range in whole seconds such as 10-60"));
}

bool has(const Options& o, const char* series) { return std::ranges::find(o.series, series) != o.series.end(); }

Result<void> check(const Options& o)
{
    if (o.mqtt.empty() && o.prometheus == 0 && o.output.empty())
        return fail(ErrorCode::Usage, "emulate", i18n("no output selected"), i18n("add --mqtt URL, --prometheus PORT or -o RECORDING"));
    if (!o.output.empty() && o.forS <= 0)
        return fail(ErrorCode::Usage, "-o " + o.output, i18n("needs a duration"), i18n("specify the duration in seconds with --for"));
    if (o.pollS != Options().pollS && !o.series.empty() && std::ranges::all_of(o.series, [](const auto& name) { return name == "facility"; }))
        return fail(ErrorCode::Usage, "--poll", i18n("only GPUs and ports are polled, and --series excludes them"), i18n("omit it"));
    if (o.meters != Options().meters && !o.series.empty() && std::ranges::find(o.series, "facility") == o.series.end())
        return fail(ErrorCode::Usage, "--meters", i18n("--series excludes the facility meters"), i18n("omit it"));
    if (has(o, "jobs") && o.scenario.empty())
        return fail(ErrorCode::Usage, "--series", i18n("jobs requires a training job"), i18n("add --scenario, for example gpt3-iteration"));
    return refuseProject(o.output);
}

emulation::Options hallOptions(const Options& o)
{
    emulation::Options out;
    out.seed = o.seed, out.pollS = o.pollS;
    if (const auto meters = metersOf(o.meters)) out.metersFromS = meters->first, out.metersToS = meters->second;
    out.startMs = kRecordedFromMs;
    if (o.output.empty())
        out.startMs = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    if (o.series.empty()) return out;
    out.facility = has(o, "facility"), out.gpus = has(o, "gpus"), out.ports = has(o, "ports");
    return out;
}

Outcome record(Hall& hall, JobEmulation* job, const Options& o, const Progress& progress)
{
    Output::Counts counts;
    const auto written = writeWhole(o.output, [&](const std::filesystem::path& path) -> Result<void> {
        const auto output = recordingOutput(hall, path);
        if (auto begun = output->begin(); !begun) return begun;
        const auto until = std::llround(o.forS * 1000);
        for (std::int64_t step = 1; hall.nowMs() < until; ++step) {
            if (progress.stopRequested()) return fail(ErrorCode::Canceled, "emulate", i18n("stopped"), i18n("no recording was written"));
            const auto target = std::min(until, std::llround(double(step) * 1000 / o.rate));
            if (auto said = output->say(hall.advance(target)); !said) return said;
            if (job)
                if (auto said = output->sayJob(*job, job->advance()); !said) return said;
            progress.report(double(hall.nowMs()) / double(until), words(i18n("emulating")));
        }
        auto ended = output->end();
        counts = output->counts();
        return ended;
    });
    if (!written) return tl::unexpected(written.error());
    print(words(i18n("{}: {} from {} over {} s", o.output, i18np(std::int64_t(counts.values), "{:L} value", "{:L} values"),
                     i18np(std::int64_t(hall.sensors().size()), "{:L} sensor", "{:L} sensors"), o.forS)) +
          '\n');
    return kDone;
}

/// The job of the scenario, as simulated. Error: Refused where it is no training job.
Result<TrainingSeries> jobSeriesOf(const Options& o, const SimulatedLoads& loads, const Figures& figures)
{
    const auto plan = sim::plannedJob(o.scenario, loads.results, figures);
    if (!plan) return tl::unexpected(plan.error());
    TrainingSeries out;
    out.job = plan->name, out.iterationS = plan->iterationS, out.computeS = plan->computeS, out.sendS = plan->sendS;
    out.tokensPerS = plan->tokensPerS, out.mfu = plan->mfu;
    if (plan->checkpointS > 0) out.checkpointS = plan->checkpointS;
    const Snapshot& s = *figures.snapshot;
    const auto tiers = sim::storageTiers(s);
    s.devices.forEach([&](DeviceId id) {
        if (std::ranges::find(tiers, s.tiers.name[s.devices.tier[id]]) != tiers.end()) out.storage.push_back(id);
    });
    return out;
}

Outcome run(const Options& o, const Progress& progress)
{
    if (const auto fine = check(o); !fine) return tl::unexpected(fine.error());
    if (const auto meters = metersOf(o.meters); !meters) return tl::unexpected(meters.error());
    std::vector<FaultAction> deeds;
    if (!o.fault.empty()) {
        const auto text = readTextFile(o.fault);
        if (!text) return tl::unexpected(text.error());
        auto script = readScript(*text, o.fault);
        if (!script) return tl::unexpected(script.error());
        deeds = std::move(*script);
    }
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    auto loads = simulatedLoads(o.scenario, **figures, progress);
    if (!loads) return tl::unexpected(loads.error());
    emulation::Options options = hallOptions(o);
    options.linkGbps = std::move(loads->gbps), options.loadsAfter = std::move(loads->after);
    const auto made = Hall::of(*figures, options, progress);
    if (!made) return tl::unexpected(made.error());
    Hall& hall = **made;
    if (const auto planned = hall.plan(deeds, o.fault); !planned) return tl::unexpected(planned.error());
    std::optional<JobEmulation> job;
    if (has(o, "jobs")) {
        auto series = jobSeriesOf(o, *loads, **figures);
        if (!series) return tl::unexpected(series.error());
        job.emplace(hall, std::move(*series), o.seed);
    }
    if (!o.output.empty()) return record(hall, job ? &*job : nullptr, o, progress);
    std::vector<std::unique_ptr<Output>> outputs;
    if (!o.mqtt.empty()) {
        auto output = mqttOutput(hall, o.mqtt);
        if (!output) return tl::unexpected(output.error());
        outputs.push_back(std::move(*output));
    }
    if (o.prometheus != 0) outputs.push_back(prometheusOutput(hall, std::uint16_t(o.prometheus)));
    return emulateLive(hall, job ? &*job : nullptr, outputs, {o.rate, o.forS}, progress);
}

} // namespace emulate_command

void addEmulate(Session& session)
{
    using namespace emulate_command;
    session.command<Options>("emulate", i18n("Publish simulated telemetry for a design"), declare, run);
}

} // namespace hw::cli

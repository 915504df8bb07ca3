// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/commands/incident_report.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/follow_output.h"
#include "app/cli/simulated_loads.h"
#include "importers/telemetry/sources.h"

#include <charconv>
#include <cmath>

namespace hw::cli {

namespace replay_command {

struct Options {
    std::string file, recording, speed = "1", incident, paper, scenario;
    telemetry::TableWays ways;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    app.add_option("RECORDING", o.recording,
                   words(i18n("Output of `live --record`; or CSV (including Grafana and BMS exports), JSON lines, Prometheus text or "
                              "a Prometheus query response; gzip or zstd")))
        ->required();
    app.add_option("--speed", o.speed, words(i18n("Playback speed: a number greater than 0, or max (default: 1)")))->option_text("X");
    app.add_option("--zone", o.ways.zone, words(i18n("Time zone of CSV times without one: a name or an offset such as +01:00 (default: UTC)")))
        ->option_text("ZONE");
    app.add_option("--dates", o.ways.dates, words(i18n("Order of CSV dates with slashes: dmy or mdy (default: detected from the file)")))
        ->option_text("ORDER");
    app.add_flag("--json", o.json, words(i18n("Print one JSON object per line instead of text")));
    declareSimulated(app, o.scenario);
    declareIncident(app, o.incident, o.paper);
    app.footer(words(i18n("Evaluates the recording with the same code as `live`; the output is the same at any speed. Nothing is stored.")));
}

Result<double> speedOf(const std::string& text)
{
    if (text == "max") return 0;
    double speed = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), speed);
    if (read.ec == std::errc() && read.ptr == text.data() + text.size() && std::isfinite(speed) && speed > 0) return speed;
    return fail(ErrorCode::Refused, "--speed", i18n("\"{}\" is not a number greater than 0", text),
                i18n("for example: {}", "--speed 100, --speed max")); // no text
}

Outcome run(const Options& o, const Progress& progress)
{
    if (const auto fine = checkIncident(o.incident, o.paper); !fine) return tl::unexpected(fine.error());
    const auto speed = speedOf(o.speed);
    if (!speed) return tl::unexpected(speed.error());
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    auto loads = simulatedLoads(o.scenario, **figures, progress);
    if (!loads) return tl::unexpected(loads.error());
    auto opened = telemetry::openRecording(o.recording, *speed, o.ways);
    if (!opened) return tl::unexpected(opened.error());
    const std::shared_ptr<telemetry::RecordingEnd> end = (*opened)->end();
    std::vector<std::unique_ptr<bindings::Source>> sources;
    sources.push_back(std::move(*opened));
    FollowOutput output(*figures, o.json, false);
    output.simulated(std::move(*loads));
    if (!o.incident.empty()) output.keepIncident();
    const auto followed = output.follow({}, std::move(sources), std::nullopt, progress);
    if (!followed && followed.error().code != ErrorCode::Fault) return tl::unexpected(followed.error());
    auto incident = o.incident.empty() ? std::nullopt : output.incident();
    if (!o.incident.empty() && (followed || incident)) {
        if (const auto written = writeIncident(o.file, std::move(incident), o.incident, o.paper, progress); !written || *written != kDone)
            return written;
    }
    if (end->damage) return tl::unexpected(*end->damage);
    if (!followed) return tl::unexpected(followed.error());
    for (const auto& note : end->notes) printNote(note);
    if (!end->cut.empty()) printNote(i18n("{}; the readable part was replayed", end->cut));
    return kDone;
}

} // namespace replay_command

void addReplay(Session& session)
{
    using namespace replay_command;
    session.command<Options>("replay", i18n("Replay a recording as live data"), declare, run);
}

} // namespace hw::cli

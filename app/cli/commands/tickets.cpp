// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/tickets/tickets.h"
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/design/edit/edits.h"
#include "core/foundation/catalog/entity.h"
#include "core/operations/following/follower.h"
#include "core/operations/jobs/fault_location.h"
#include "core/operations/jobs/job_tap.h"
#include "core/operations/jobs/out_of_service.h"
#include "importers/telemetry/sources.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace tickets_command {

struct Options {
    std::string file, recording, prometheus, credentials, output, locate;
    std::optional<double> seconds;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    auto* recording = app.add_option("RECORDING", o.recording, words(i18n("Recording, as used by `replay`")));
    auto* prometheus =
        app.add_option("--prometheus", o.prometheus, words(i18n("Prometheus server of the live hall")))->option_text("URL")->excludes(recording);
    app.add_option("--for", o.seconds, words(i18n("Observation time in seconds (default: 60)")))
        ->option_text("S")
        ->needs(prometheus)
        ->check(CLI::Range(1.0, 31'536'000.0));
    app.add_option("--credentials", o.credentials, words(i18n("Credentials file (default: ~/.config/hallwright/credentials.yaml)")))
        ->option_text("FILE")
        ->needs(prometheus);
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.add_option(
           "--locate", o.locate,
           words(
               i18n("Only this host, switch, port, link, rack or training job: which of the four fault categories its readings show, and which they "
                    "exclude")))
        ->option_text("NAME");
    app.add_option("-o,--output", o.output, words(i18n("Also write the result to this file")))->option_text("OUT.json|.csv");
    app.footer(words(i18n("Teams: setting operations.teams. Nothing is sent to a ticket system.")));
}

Result<monitoring::FramePtr> observed(const Options& o, const FiguresPtr& figures, std::shared_ptr<jobs::JobTelemetry> telemetry,
                                      const Progress& progress)
{
    std::vector<std::unique_ptr<bindings::Source>> sources;
    if (!o.recording.empty()) {
        auto opened = telemetry::openRecording(o.recording, 0, {});
        if (!opened) return tl::unexpected(opened.error());
        sources.push_back(std::move(*opened));
    } else {
        telemetry::SourceOptions options;
        auto access = telemetry::accessOf(o.prometheus, "prometheus", o.credentials);
        if (!access) return tl::unexpected(access.error());
        options.url = o.prometheus, options.access = std::move(*access);
        auto made = telemetry::makePrometheusSource(std::move(options));
        if (!made) return tl::unexpected(made.error());
        sources.push_back(std::move(*made));
    }
    auto rules = jobs::JobRules::of({});
    if (!rules) return tl::unexpected(rules.error());
    const auto shared = std::make_shared<const jobs::JobRules>(std::move(*rules));
    for (auto& source : sources) source = jobs::tapped(std::move(source), shared, telemetry);
    following::Follower follower(figures, {});
    if (const auto started = follower.start(std::move(sources)); !started) return tl::unexpected(started.error());
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(o.seconds.value_or(60));
    while (!progress.stopRequested() && !follower.ended() && (!o.recording.empty() || std::chrono::steady_clock::now() < end))
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (const auto stopped = follower.stop(); !stopped) return tl::unexpected(stopped.error());
    if (progress.stopRequested()) return fail(ErrorCode::Canceled, "tickets", i18n("stopped"), i18n("no result"));
    for (const auto& trouble : follower.troubles()) printNote(trouble);
    return follower.frame();
}

Text titleOf(monitoring::DeviationKind kind)
{
    using enum monitoring::DeviationKind;
    switch (kind) {
    case NoConnection: return i18n("connection");
    case WrongSetting: return i18n("configuration");
    case PacketLoss: return i18n("packet loss");
    default: return i18n("performance");
    }
}

std::string stateOf(const jobs::FaultLocation::Dimension& one)
{
    return !one.found.empty() ? "found" : one.excluded() ? "excluded" : "not-measured"; // no text: of JSON
}

void printLocation(const Options& o, const Figures& f, const jobs::FaultLocation& location)
{
    const auto name = [&](EntityRef entity) { return entityName(*f.snapshot, *f.parts, entity); };
    if (o.json) {
        auto json = nlohmann::json{{"schema", "hallwright.fault-location/1"}, {"entity", o.locate}, {"links", location.links}};
        for (const auto& one : location.dimensions) {
            auto found = nlohmann::json::array();
            for (const auto& [entity, what] : one.found) found.push_back({{"entity", name(entity)}, {"what", words(what)}});
            json["categories"].push_back(
                {{"kind", wordOf(one.kind)}, {"state", stateOf(one)}, {"readings", one.readings}, {"found", std::move(found)}});
        }
        json["alarms"] = nlohmann::json::array();
        for (const auto& alarm : location.alarms) json["alarms"].push_back({{"entity", name(alarm.entity)}, {"what", words(alarm.what)}});
        json["job_causes"] = nlohmann::json::array();
        for (const auto& cause : location.causes)
            json["job_causes"].push_back(
                {{"entity", cause.entity ? name(cause.entity) : std::string()}, {"what", words(cause.what)}, {"remedy", words(cause.remedy)}});
        return print(json.dump(2) + '\n');
    }
    std::string out;
    const auto line = [&](const Text& text) { out += words(text) + '\n'; };
    line(i18np(std::int64_t(location.links), "{1}: {0:L} link", "{1}: {0:L} links", o.locate));
    for (const auto& one : location.dimensions) {
        if (one.excluded())
            line(i18n("  {}: {}", titleOf(one.kind),
                      i18np(std::int64_t(one.readings), "excluded: {:L} reading without deviation", "excluded: {:L} readings without deviation")));
        else if (one.found.empty())
            line(i18n("  {}: not measured", titleOf(one.kind)));
        for (const auto& [entity, what] : one.found) line(i18n("  {}: {} {}", titleOf(one.kind), name(entity), what));
    }
    for (const auto& alarm : location.alarms) line(i18n("  alarm: {} {}", name(alarm.entity), alarm.what));
    for (const auto& cause : location.causes) line(i18n("  slows a training job: {}; {}", cause.what, cause.remedy));
    print(out);
}

Outcome run(const Options& o, const Progress& progress)
{
    if (o.recording.empty() && o.prometheus.empty())
        return fail(ErrorCode::Usage, "tickets", i18n("no source given"), i18n("add a recording or --prometheus"));
    std::string format;
    if (!o.output.empty()) {
        const auto chosen = outputFormat(o.output, {".json", ".csv"});
        if (!chosen) return tl::unexpected(chosen.error());
        format = *chosen;
    }
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    std::vector<EntityRef> equipment;
    std::optional<Error> unknown; // unless it is a job
    if (!o.locate.empty()) {
        if (!o.output.empty()) return fail(ErrorCode::Usage, "--locate", i18n("cannot be combined with -o"), i18n("use --json"));
        const auto entity = edit::requireEntity(*(*figures)->snapshot, *(*figures)->parts, o.locate);
        if (entity)
            equipment = {*entity};
        else
            unknown = entity.error();
        const auto& s = *(*figures)->snapshot;
        if (entity && entity->kind == EntityKind::Rack)
            s.devices.forEach([&](DeviceId id) {
                if (s.devices.rack[id] && ref(*s.devices.rack[id]) == *entity) equipment.push_back(ref(id));
            });
    }
    const auto telemetry = std::make_shared<jobs::JobTelemetry>();
    const auto frame = observed(o, *figures, telemetry, progress);
    if (!frame) return tl::unexpected(frame.error());
    if (!o.locate.empty()) {
        const auto states = jobs::evaluateJobs(**figures, telemetry->jobs(), {}, {}, frame->get(), *frame ? (*frame)->atMs : 0);
        const auto job = std::ranges::find(states, o.locate, &jobs::JobState::name);
        if (unknown && job == states.end()) return tl::unexpected(*unknown);
        if (unknown) equipment = jobs::equipmentOf(**figures, *job);
        const auto lost = jobs::OutOfService(*figures).of(frame->get(), {}, {}, progress);
        if (!lost) return tl::unexpected(lost.error());
        printLocation(o, **figures, jobs::locateFault(**figures, equipment, frame->get(), states, *lost));
        return kDone;
    }
    std::vector<tickets::Ticket> all;
    if (*frame) {
        auto made = tickets::ticketsOf(**figures, **frame);
        if (!made) return tl::unexpected(made.error());
        all = std::move(*made);
    }
    if (!o.output.empty())
        if (const auto written = writeWholeText(o.output, format == ".csv" ? tickets::ticketsCsv(all) : tickets::ticketsJson(all)); !written)
            return tl::unexpected(written.error());
    print(o.json ? tickets::ticketsJson(all) : tickets::ticketsText(all));
    return kDone;
}

} // namespace tickets_command

void addTickets(Session& session)
{
    using namespace tickets_command;
    session.command<Options>("tickets", i18n("Active alarms as tickets: fault category, responsible team, location, remedy, evidence"), declare, run);
}

} // namespace hw::cli

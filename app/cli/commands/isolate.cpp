// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/foundation/base/file_kind.h"
#include "core/operations/following/follower.h"
#include "core/operations/isolation/isolation.h"
#include "core/operations/jobs/evaluation.h"
#include "core/operations/jobs/job_rules.h"
#include "core/operations/jobs/job_tap.h"
#include "importers/cluster/cordoned_nodes.h"
#include "importers/telemetry/sources.h"

#include <chrono>
#include <thread>

namespace hw::cli {

namespace isolate_command {

constexpr double kUsualS = 60;

struct Options {
    std::string file, recording, prometheus, credentials, format = "json", output;
    std::vector<std::string> cordoned;
    std::optional<double> seconds;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    auto* recording =
        app.add_option("RECORDING", o.recording, words(i18n("Recording as for `replay`; without a source: failed acceptance gates only")));
    auto* prometheus =
        app.add_option("--prometheus", o.prometheus, words(i18n("Prometheus server of the live hall")))->option_text("URL")->excludes(recording);
    app.add_option("--for", o.seconds, words(i18n("Observation time in seconds (default: 60)")))->option_text("S")->needs(prometheus);
    app.add_option("--credentials", o.credentials, words(i18n("Credentials file (default: ~/.config/hallwright/credentials.yaml)")))
        ->option_text("FILE")
        ->needs(prometheus);
    app.add_option("--format", o.format, words(i18n("json (default), slurm: scontrol lines, k8s: taints, csv")))
        ->option_text("FORMAT")
        ->check(CLI::IsMember({"json", "slurm", "k8s", "csv"}));
    app.add_option("--cordoned", o.cordoned,
                   words(i18n("Nodes already cordoned: output of sinfo -R, scontrol show node or kubectl get nodes -o json; repeatable")))
        ->option_text("PATH");
    app.add_option("-o,--output", o.output, words(i18n("File to write")))->option_text("PATH")->required();
    app.footer(words(i18n("Nothing is sent to a scheduler.")));
}

Result<std::unique_ptr<bindings::Source>> sourceOf(const Options& o)
{
    if (!o.recording.empty()) {
        auto opened = telemetry::openRecording(o.recording, 0, {});
        if (!opened) return tl::unexpected(opened.error());
        return std::unique_ptr<bindings::Source>(std::move(*opened));
    }
    telemetry::SourceOptions options;
    auto access = telemetry::accessOf(o.prometheus, "prometheus", o.credentials);
    if (!access) return tl::unexpected(access.error());
    options.url = o.prometheus, options.access = std::move(*access);
    return telemetry::makePrometheusSource(std::move(options));
}

/// What is observed of the hall, and of its training jobs.
Result<monitoring::FramePtr> observed(const Options& o, const FiguresPtr& figures, std::shared_ptr<jobs::JobTelemetry> telemetry,
                                      const Progress& progress)
{
    if (o.recording.empty() && o.prometheus.empty()) return monitoring::FramePtr();
    auto source = sourceOf(o);
    if (!source) return tl::unexpected(source.error());
    std::vector<std::unique_ptr<bindings::Source>> sources;
    auto rules = jobs::JobRules::of({});
    if (!rules) return tl::unexpected(rules.error());
    sources.push_back(jobs::tapped(std::move(*source), std::make_shared<const jobs::JobRules>(std::move(*rules)), telemetry));
    following::Follower follower(figures, {});
    if (const auto started = follower.start(std::move(sources)); !started) return tl::unexpected(started.error());
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(o.seconds.value_or(kUsualS));
    while (!progress.stopRequested() && !follower.ended() && (!o.recording.empty() || std::chrono::steady_clock::now() < end))
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (const auto stopped = follower.stop(); !stopped) return tl::unexpected(stopped.error());
    if (progress.stopRequested()) return fail(ErrorCode::Canceled, "isolate", i18n("stopped"), i18n("no list was written"));
    for (const auto& trouble : follower.troubles()) printNote(trouble);
    return follower.frame();
}

Outcome run(const Options& o, const Progress& progress)
{
    if (o.seconds && !(*o.seconds > 0 && *o.seconds <= 31'536'000))
        return fail(ErrorCode::Usage, "--for", i18n("out of range"), i18n("specify {} to {}", 1, 31'536'000));
    if (const auto fine = refuseProject(o.output); !fine) return tl::unexpected(fine.error());
    const auto cordoned = importers::readCordonedFiles(o.cordoned);
    if (!cordoned) return tl::unexpected(cordoned.error());
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    const auto telemetry = std::make_shared<jobs::JobTelemetry>();
    const auto frame = observed(o, *figures, telemetry, progress);
    if (!frame) return tl::unexpected(frame.error());
    const bool live = *frame && (*frame)->bound;
    const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    auto list = isolation::nodesToIsolate(**figures, live ? frame->get() : nullptr, live ? (*frame)->atMs : now);
    const auto slow = jobs::evaluateJobs(**figures, telemetry->jobs(), {}, std::nullopt, live ? frame->get() : nullptr, list.atMs);
    jobs::addSlowHosts(list, **figures, slow);
    isolation::compareWith(list, **figures, *cordoned);
    const std::string text = o.format == "slurm" ? isolation::isolationSlurm(list)
                             : o.format == "k8s" ? isolation::isolationKubernetes(list)
                             : o.format == "csv" ? isolation::isolationCsv(list)
                                                 : isolation::isolationJson(list);
    if (const auto written = writeWholeText(o.output, text); !written) return tl::unexpected(written.error());
    print(words(i18n("{}: nodes to isolate: {:L} ({:L} already cordoned); nodes cordoned for other reasons: {:L}", o.output,
                     std::int64_t(list.nodes.size()), std::int64_t(list.both.size()), std::int64_t(list.onlyCordoned.size()))) +
          '\n');
    for (const auto& one : list.unknown) printNote(i18n("{}: not in the design", one.node));
    return kDone;
}

} // namespace isolate_command

void addIsolate(Session& session)
{
    using namespace isolate_command;
    session.command<Options>("isolate", i18n("List nodes to isolate, with reason, evidence and age, for Slurm or Kubernetes, or as JSON or CSV"),
                             declare, run);
}

} // namespace hw::cli

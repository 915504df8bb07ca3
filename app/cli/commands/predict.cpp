// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "importers/telemetry/recorded_prediction.h"
#include "simulation/reliability/prediction_trial.h"

namespace hw::cli {

namespace predict_command {

struct Options {
    std::string file, output;
    std::vector<std::string> recordings;
    std::optional<int> emulated;
    std::int64_t seed = 1;
    int most = 20;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    auto* recordings =
        app.add_option("RECORDING", o.recordings, words(i18n("Recordings of several days in chronological order, in the format of `replay`")));
    auto* emulated = app.add_option("--emulated", o.emulated,
                                    words(i18n("Emulated history of this many days for the hosts of the design, with precision and recall")))
                         ->option_text("DAYS")
                         ->check(CLI::Range(1, 3650))
                         ->excludes(recordings);
    app.add_option("--seed", o.seed, words(i18n("Random seed of the emulated history (default: 1)")))
        ->needs(emulated)
        ->check(CLI::Range(0, 1'000'000'000));
    app.add_option("--most", o.most, words(i18n("Hosts listed (default: 20; 0: all hosts)")))->check(CLI::Range(0, 1'000'000));
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.add_option("-o,--output", o.output, words(i18n("Also write the result to this file")))->option_text("OUT.json|.csv");
    app.footer(words(i18n("Hazard model: settings prediction.*; docs/prediction.md. Nothing is sent to a scheduler.")));
}

Result<prediction::Prediction> recorded(const Options& o, const FiguresPtr& figures, const Progress& progress)
{
    auto made = telemetry::predictionOf(figures, o.recordings, progress);
    if (!made) return tl::unexpected(made.error());
    for (const Text& note : made->notes) printNote(note);
    return std::move(made->prediction);
}

Outcome run(const Options& o, const Progress& progress)
{
    if (o.recordings.empty() && !o.emulated)
        return fail(ErrorCode::Usage, "predict", i18n("no history given"), i18n("add a recording or --emulated DAYS"));
    std::string format;
    if (!o.output.empty()) {
        const auto chosen = outputFormat(o.output, {".json", ".csv"});
        if (!chosen) return tl::unexpected(chosen.error());
        format = *chosen;
    }
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    if (prediction::gpuHosts(**figures).empty())
        return fail(ErrorCode::Refused, o.file, i18n("contains no server with accelerators"), i18n("specify a design with GPU hosts"));
    const auto made = o.emulated ? sim::emulatedPrediction(**figures, *o.emulated, std::uint64_t(o.seed), progress) : recorded(o, *figures, progress);
    if (!made) return tl::unexpected(made.error());
    const auto most = std::size_t(o.most);
    if (!o.output.empty()) {
        const auto written = writeWholeText(o.output, format == ".csv" ? predictionCsv(*made, most) : predictionJson(*made, most));
        if (!written) return tl::unexpected(written.error());
    }
    print(o.json ? predictionJson(*made, most) : predictionText(*made, most));
    return kDone;
}

} // namespace predict_command

void addPredict(Session& session)
{
    using namespace predict_command;
    session.command<Options>("predict", i18n("GPU hosts likely to fail, ranked by signs of failure in several days of telemetry"), declare, run);
}

} // namespace hw::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/exchange/cable_schedule.h"

namespace hw::cli {

namespace {

struct Options {
    std::string file, output;
    bool reason = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("The project")))->option_text("FILE.hall")->required();
    app.add_option("-o,--output", o.output, words(i18n("The cable schedule to write, one row per logical link")))
        ->option_text("OUT.csv|.xlsx")
        ->required();
    app.add_flag("--reason", o.reason,
                 words(i18n("Add columns: loss and its budget, why each cable is what it is, the runner-up and what it costs more")));
}

Outcome run(const Options& o, const Progress& progress)
{
    if (const auto format = outputFormat(o.output, {".csv", ".xlsx"}); !format) return tl::unexpected(format.error());
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    if (const auto made = (*figures)->prepare<CablingNode>(progress); !made) return tl::unexpected(made.error());
    const auto written =
        writeWhole(o.output, [&](const std::filesystem::path& path) { return writeCableSchedule(**figures, path, progress, o.reason); });
    if (!written) return tl::unexpected(written.error());
    return kDone;
}

} // namespace

void addCables(Session& session) { session.command<Options>("cables", i18n("Write the cable schedule"), declare, run); }

} // namespace hw::cli

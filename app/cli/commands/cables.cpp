// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/exchange/supply_schedule.h"

namespace hw::cli {

namespace {

struct Options {
    std::string file, output, kind = "data";
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("The project")))->option_text("FILE.hall")->required();
    app.add_option("-o,--output", o.output, words(i18n("The cable schedule to write, one row per logical link")))
        ->option_text("OUT.csv|.xlsx")
        ->required();
    app.add_option("--kind", o.kind, words(i18n("What to list: data links, what carries power or coolant, or all; data unless stated")))
        ->option_text("data|power|coolant|all")
        ->check(CLI::IsMember({"data", "power", "coolant", "all"}));
}

Outcome run(const Options& o, const Progress& progress)
{
    if (const auto format = outputFormat(o.output, {".csv", ".xlsx"}); !format) return tl::unexpected(format.error());
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    if (const auto made = (*figures)->prepare<CablingNode>(progress); !made) return tl::unexpected(made.error());
    const auto written = writeWhole(
        o.output, [&](const std::filesystem::path& path) { return writeSchedule(**figures, *fromWord<ScheduleKind>(o.kind), path, progress); });
    if (!written) return tl::unexpected(written.error());
    return kDone;
}

} // namespace

void addCables(Session& session) { session.command<Options>("cables", i18n("Write the cable schedule"), declare, run); }

} // namespace hw::cli

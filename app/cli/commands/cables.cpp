// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/output/exchange/cable_schedule.h"
#include "core/output/exchange/supply_schedule.h"

namespace hw::cli {

namespace cables_command {

struct Options {
    std::string file, output, kind = "data";
    bool reason = false;
    std::optional<int> phase;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    app.add_option("-o,--output", o.output, words(i18n("Cable schedule file to write, one row per logical link")))
        ->option_text("OUT.csv|.xlsx")
        ->required();
    app.add_flag("--reason", o.reason, words(i18n("Add columns: loss and loss budget, selection reason, next-best option and its extra cost")));
    app.add_option("--kind", o.kind, words(i18n("Cables to list: data, power, coolant or all (default: data)")))
        ->option_text("data|power|coolant|all")
        ->check(CLI::IsMember({"data", "power", "coolant", "all"}));
    addPhaseOption(app, o.phase);
}

Outcome run(const Options& o, const Progress& progress)
{
    if (const auto format = outputFormat(o.output, {".csv", ".xlsx"}); !format) return tl::unexpected(format.error());
    const auto figures = readFigures(o.file, progress, o.phase);
    if (!figures) return tl::unexpected(figures.error());
    if (const auto made = (*figures)->prepare<CablingNode>(progress); !made) return tl::unexpected(made.error());
    const auto kind = *fromWord<ScheduleKind>(o.kind);
    if (o.reason && kind != ScheduleKind::Data)
        return fail(ErrorCode::Usage, "--reason", i18n("only data cables are selected by rate, length and loss"),
                    i18n("omit it, or list data cables only"));
    const auto written = writeWhole(o.output, [&](const std::filesystem::path& path) {
        return o.reason ? writeCableSchedule(**figures, path, progress, true) : writeSchedule(**figures, kind, path, progress);
    });
    if (!written) return tl::unexpected(written.error());
    return kDone;
}

} // namespace cables_command

void addCables(Session& session)
{
    using namespace cables_command;
    session.command<Options>("cables", i18n("Write the cable schedule"), declare, run);
}

} // namespace hw::cli

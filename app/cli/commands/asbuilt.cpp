// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/asbuilt/compare_output.h"
#include "core/asbuilt/work_order.h"

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace asbuilt_command {

struct Options {
    std::string file, output;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("The project")))->option_text("FILE.hall")->required();
    app.add_flag("--json", o.json, words(i18n("JSON instead of text")));
    app.add_option("-o,--output", o.output, words(i18n("The work order, rack by rack: a table, or .txt to print and tick")))
        ->option_text("WORK.csv|.xlsx|.txt");
    app.footer(words(
        i18n("Compares what was observed (import lldp|ibnetdiscover|netbox-cables|labels … --into FILE.hall) with the design as it is planned now. "
             "Exit code 3 where they differ.")));
}

Outcome run(const Options& o, const Progress& progress)
{
    std::string format;
    if (!o.output.empty()) {
        const auto known = outputFormat(o.output, {".csv", ".xlsx", ".txt"});
        if (!known) return tl::unexpected(known.error());
        format = *known;
    }
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    const auto compared = asbuilt::compareStored(*figures, progress);
    if (!compared) return tl::unexpected(compared.error());
    if (!o.output.empty()) {
        const auto written = format == ".txt" ? writeWholeText(o.output, asbuilt::workSheet(**figures, *compared))
                                              : writeWhole(o.output, [&](const std::filesystem::path& path) {
                                                    return writeTable(asbuilt::workTable(**figures, *compared), path, progress);
                                                });
        if (!written) return tl::unexpected(written.error());
    }
    print(o.json ? asbuilt::comparisonJson(**figures, *compared).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n'
                 : asbuilt::comparisonText(**figures, *compared));
    return compared->clean() ? kDone : kAnswerIsNo;
}

} // namespace asbuilt_command

void addAsBuilt(Session& session)
{
    using namespace asbuilt_command;
    session.command<Options>("asbuilt", i18n("What was built against what is planned, and how to mend it"), declare, run);
}

} // namespace hw::cli

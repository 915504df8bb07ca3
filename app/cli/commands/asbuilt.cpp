// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/operations/asbuilt/compare_output.h"
#include "core/operations/asbuilt/work_order.h"

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace asbuilt_command {

struct Options {
    std::string file, output;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.add_option("-o,--output", o.output, words(i18n("Write a work order by rack (.csv/.xlsx, or .txt checklist)")))
        ->option_text("WORK.csv|.xlsx|.txt");
    app.footer(words(i18n("Compares as-built captures (import lldp|ibnetdiscover|netbox-cables|labels … --into FILE.hall) with "
                          "the current design. Exits with 3 if they differ.")));
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
    session.command<Options>("asbuilt", i18n("Compare as-built data with the design and list corrections"), declare, run);
}

} // namespace hw::cli

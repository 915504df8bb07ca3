// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/interconnects/interconnects.h"
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace interconnects_command {

struct Options {
    std::string file, output;
    std::optional<int> phase;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.add_option("-o,--output", o.output, words(i18n("Map as a drawing (SVG) or a table (CSV, XLSX)")))->option_text("OUT.svg|.csv|.xlsx");
    addPhaseOption(app, o.phase);
}

Outcome run(const Options& o, const Progress& progress)
{
    std::string format;
    if (!o.output.empty()) {
        const auto chosen = outputFormat(o.output, {".svg", ".csv", ".xlsx"});
        if (!chosen) return tl::unexpected(chosen.error());
        format = *chosen;
    }
    const auto figures = readFigures(o.file, progress, o.phase);
    if (!figures) return tl::unexpected(figures.error());
    if (const auto made = (*figures)->prepare<CablingNode>(progress); !made) return tl::unexpected(made.error());
    const InterconnectMap map = interconnectsOf(**figures);
    const auto stamp = DesignStamp::of(*(*figures)->snapshot);
    if (!o.output.empty()) {
        const auto written =
            format == ".svg" ? writeWholeText(o.output, interconnectSvg(map, stamp)) : writeTable(interconnectTable(map), o.output, progress);
        if (!written) return tl::unexpected(written.error());
    }
    print(o.json ? interconnectJson(map, stamp).dump(2) + '\n' : interconnectText(map, stamp));
    return kDone;
}

} // namespace interconnects_command

void addInterconnects(Session& session)
{
    using namespace interconnects_command;
    session.command<Options>("interconnects", i18n("Map of interconnects: bandwidth and reach from chip to region, with the links of the design"),
                             declare, run);
}

} // namespace hw::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/bom.h"
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"

namespace hw::cli {

namespace {

struct Options {
    std::string file, output;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("The project")))->option_text("FILE.hall")->required();
    app.add_option("-o,--output", o.output, words(i18n("The bill of materials to write")))->option_text("OUT.csv|.xlsx|.json")->required();
}

Outcome run(const Options& o, const Progress& progress)
{
    if (const auto format = outputFormat(o.output, {".csv", ".xlsx", ".json"}); !format) return tl::unexpected(format.error());
    const auto figures = readFigures(o.file, progress);
    if (!figures) return tl::unexpected(figures.error());
    if (const auto made = (*figures)->prepare<BomNode>(progress); !made) return tl::unexpected(made.error());
    const std::string name = (*figures)->snapshot->setting("project.name");
    const Bom bom = makeBom(**figures);
    const auto written = writeWhole(o.output, [&](const std::filesystem::path& path) { return writeBom(bom, path, name, progress); });
    if (!written) return tl::unexpected(written.error());
    for (const auto& out : bom.leftOut) printNote(i18n("left out of the bill: {}", leftOutText(out)));
    return kDone;
}

} // namespace

void addBom(Session& session) { session.command<Options>("bom", i18n("Write the bill of materials"), declare, run); }

} // namespace hw::cli

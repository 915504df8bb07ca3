// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/report/report.h"
#include "app/cli/commands/commands.h"
#include "app/cli/commands/drawing_program.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/derived/rules/rule.h"
#include "core/foundation/base/json_document.h"
#include "simulation/air/hall_document.h"

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace report_command {

struct Options {
    std::string file, basis, output, paper;
    bool json = false, air = false;
    std::size_t cells = sim::air::HallOptions().cells;
    std::optional<int> phase;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.add_option("-o,--output", o.output, words(i18n("Report as a document: a .pdf, or a single self-contained .html file")))
        ->option_text("OUT.pdf|.html");
    app.add_option("--paper", o.paper, words(i18n("Paper size of the document: a4 or letter (default: a4)")))
        ->option_text("NAME")
        ->check(CLI::IsMember({"a4", "letter"}));
    app.add_option("--basis", o.basis, words(i18n("Power basis: typical, design, nameplate")))->option_text("NAME");
    auto* air = app.add_flag("--air", o.air, words(i18n("Also the simulated air of each hall with air units (docs/air.md); takes minutes")));
    app.add_option("--cells", o.cells, words(i18n("Approximate number of grid cells per hall (default: 120000)")))
        ->option_text("N")
        ->check(CLI::Range(std::size_t(2'000), std::size_t(4'000'000)))
        ->needs(air);
    addPhaseOption(app, o.phase);
}

/// Drawn by the half of this program that can draw.
Outcome writeDocument(const Options& o, const Progress& progress)
{
    if (o.json) return fail(ErrorCode::Usage, "--json", i18n("a document cannot be written as JSON"), i18n("omit it, or omit -o")); // no text
    if (const auto format = outputFormat(o.output, {".pdf", ".html"}); !format) return tl::unexpected(format.error());
    const auto arguments = [&](const std::filesystem::path& path) {
        return std::vector<std::string>{"--report",
                                        o.file,
                                        path.string(),
                                        o.paper.empty() ? "a4" : o.paper,
                                        o.basis,
                                        o.phase ? std::to_string(*o.phase) : std::string(),
                                        o.air ? std::to_string(o.cells) : std::string()};
    };
    return runDrawing(o.output, DrawsWith::IfPossible, arguments, progress);
}

Outcome run(const Options& o, const Progress& progress)
{
    const auto basis = chosenBasis(o.basis);
    if (!basis) return tl::unexpected(basis.error());
    if (!o.output.empty()) return writeDocument(o, progress);
    if (!o.paper.empty()) return fail(ErrorCode::Usage, "--paper", i18n("a paper size applies only to a document"), i18n("specify one with -o"));
    auto read = readFigures(o.file, progress, o.phase);
    if (read && *basis) read = onBasis(*read, **basis);
    if (!read) return tl::unexpected(read.error());
    const Figures& figures = **read;
    if (const auto made = figures.prepare<BomNode, PowerNode>(progress); !made) return tl::unexpected(made.error());
    const auto report = makeProvenReport(figures, makeBom(figures), progress);
    if (!report) return tl::unexpected(report.error());
    std::vector<std::shared_ptr<const sim::air::HallAir>> halls;
    if (o.air) {
        sim::air::HallOptions options;
        options.cells = o.cells;
        auto solved = sim::air::solveHalls(figures, options, progress);
        if (!solved) return tl::unexpected(solved.error());
        halls = std::move(*solved);
    }
    print(o.json ? documentText(sim::air::reportJson(*report, figures, halls)) : sim::air::reportText(*report, figures, halls));
    return kDone;
}

} // namespace report_command

void addReport(Session& session)
{
    using namespace report_command;
    session.command<Options>("report", i18n("Report counts, ports, power, cooling, fiber, site and cost"), declare, run);
}

} // namespace hw::cli

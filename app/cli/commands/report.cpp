// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report.h"
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "core/rules/rule.h"

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace {

struct Options {
    std::string file, basis;
    bool json = false;
    std::optional<int> phase;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("The project")))->option_text("FILE.hall")->required();
    app.add_flag("--json", o.json, words(i18n("JSON instead of text")));
    app.add_option("--basis", o.basis, words(i18n("Power on this basis: typical, design, nameplate")))->option_text("NAME");
    addPhaseOption(app, o.phase);
}

/// The same design with the limit compared on another basis, in memory only.
Result<FiguresPtr> onBasis(const FiguresPtr& figures, PowerBasis basis)
{
    auto snapshot = std::make_shared<Snapshot>(*figures->snapshot);
    snapshot->putSetting("site.power_basis", powerBasisName(basis));
    return updateFigures(figures, snapshot, difference(*figures->snapshot, *snapshot, {}));
}

Outcome run(const Options& o, const Progress& progress)
{
    const auto basis = chosenBasis(o.basis);
    if (!basis) return tl::unexpected(basis.error());
    auto read = readFigures(o.file, progress, o.phase);
    if (read && *basis) read = onBasis(*read, **basis);
    if (!read) return tl::unexpected(read.error());
    const Figures& figures = **read;
    if (const auto made = figures.prepare<BomNode, PowerNode>(progress); !made) return tl::unexpected(made.error());
    const auto report = makeProvenReport(figures, makeBom(figures), progress);
    if (!report) return tl::unexpected(report.error());
    print(o.json ? reportJson(*report, figures).dump(2) + '\n' : reportText(*report, figures));
    return kDone;
}

} // namespace

void addReport(Session& session) { session.command<Options>("report", i18n("Counts, ports, power, cooling, fibre, site and cost"), declare, run); }

} // namespace hw::cli

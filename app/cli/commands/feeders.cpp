// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/design/edit/edits.h"
#include "core/design/edit/edits_phase.h"
#include "core/foundation/money/phases.h"
#include "core/output/feeders/feeder_study.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace feeders_command {

struct Options {
    std::string file, output;
    std::vector<std::string> without;
    std::optional<int> phase;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.add_option("-o,--output", o.output, words(i18n("Every feeder as a table")))->option_text("OUT.csv|.xlsx");
    app.add_option("--without", o.without,
                   words(i18n("Power equipment to take out of service; shows the loading of the remaining equipment; repeatable")))
        ->option_text("NAME")
        ->allow_extra_args(false);
    addPhaseOption(app, o.phase);
    app.footer(words(i18n("Grid limits: site.grid, site.contract_steps, site.fault_mva; change them with edit, 'set-setting'.")));
}

Result<void> addPhases(FeederStudy& study, const FiguresPtr& figures)
{
    const PhaseIndex phases(*figures->snapshot);
    if (phases.single()) return {};
    for (const int number : phases.numbers()) {
        const auto part = edit::figuresAtPhase(figures, number);
        if (!part) return tl::unexpected(part.error());
        addPhase(study, **part, number, words(phaseText(*figures->snapshot, number)));
    }
    return {};
}

Outcome run(const Options& o, const Progress& progress)
{
    if (!o.output.empty())
        if (const auto format = outputFormat(o.output, {".csv", ".xlsx"}); !format) return tl::unexpected(format.error());
    const auto figures = readFigures(o.file, progress, o.phase);
    if (!figures) return tl::unexpected(figures.error());
    if (const auto made = (*figures)->prepare<PowerNode, SupplyNode>(progress); !made) return tl::unexpected(made.error());
    std::vector<DeviceId> lost;
    for (const std::string& name : o.without) {
        const auto entity = edit::requireEntity(*(*figures)->snapshot, *(*figures)->parts, name);
        if (!entity) return tl::unexpected(entity.error());
        const auto device = powerEquipment(**figures, *entity);
        if (!device) return tl::unexpected(device.error());
        if (std::ranges::find(lost, *device) == lost.end()) lost.push_back(*device);
    }
    auto study = feederStudy(**figures, lost);
    if (!study) return tl::unexpected(study.error());
    if (!o.phase)
        if (const auto added = addPhases(*study, *figures); !added) return tl::unexpected(added.error());
    if (!o.output.empty())
        if (const auto written = writeTable(feederTable(*study, **figures), o.output, progress); !written) return tl::unexpected(written.error());
    const auto stamp = DesignStamp::of(*(*figures)->snapshot);
    print(o.json ? feederJson(*study, **figures, stamp).dump(2) + '\n' : feederText(*study, **figures, stamp));
    return kDone;
}

} // namespace feeders_command

void addFeeders(Session& session)
{
    using namespace feeders_command;
    session.command<Options>("feeders", i18n("Voltage drop, losses and short-circuit currents of the power path, and the grid connection"), declare,
                             run);
}

} // namespace hw::cli

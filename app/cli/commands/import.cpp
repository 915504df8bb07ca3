// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/commands/compare_config.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/format_options.h"
#include "app/cli/formats.h"
#include "app/formats/plan_files.h"
#include "core/foundation/base/file_kind.h"
#include "core/foundation/storage/project_file.h"
#include "core/operations/asbuilt/compare_output.h"
#include "importers/asbuilt/capture_alone.h"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace import_command {

namespace fs = std::filesystem;
using exchange::Importer;
using exchange::ImportPlan;

struct Options {
    std::string format, into, compare;
    std::vector<std::string> paths;
    exchange::FormatChoices choices;
    bool dryRun = false, json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FORMAT", o.format, formats().importHelp())->required();
    app.add_option("PATH", o.paths, words(i18n("File, folder or URL to read")))->required();
    app.add_option("--into", o.into, words(i18n("Project file; text import creates it, other formats change it in one undo step")))
        ->option_text("FILE.hall");
    app.add_flag("--dry-run", o.dryRun, words(i18n("Only show what would change")));
    app.add_flag("--json", o.json, words(i18n("Print the plan as JSON")));
    app.add_option("--compare", o.compare,
                   words(i18n("For lldp, ibnetdiscover, netbox-cables, labels and config: compare with this project without changing it; "
                              "exits with 3 if they differ")))
        ->option_text("FILE.hall");
    addFormatOptions(app, std::span(formats().importers()), o.choices);
}

/// Of a file of another kind: which, and what to do with it.
Error explained(const Importer& importer, const Error& given)
{
    Error error = explainedByFile(given, importer.info().name);
    if (error.what != given.what || (given.code != ErrorCode::Unreadable && given.code != ErrorCode::Refused)) return error;
    const auto read = exchange::readSource(hw::fileOf(given.where));
    if (!read) return error;
    if (const Importer* other = formats().importerOf(*read); other && other != &importer)
        error.todo = i18n("{}; the file appears to be in format {}", error.todo, other->info().name);
    return error;
}

Result<ImportPlan> planAll(const Importer& importer, const Options& o, const SnapshotPtr& base, const Progress& progress)
{
    const auto sources = app::sourcesOf(importer, o.paths, o.choices);
    if (!sources) return tl::unexpected(sources.error());
    auto plan = app::planFiles(importer, *sources, base, progress);
    if (!plan) return tl::unexpected(explained(importer, plan.error()));
    return plan;
}

void show(const ImportPlan& plan, const Options& o)
{
    print(o.json ? exchange::planJson(plan) : exchange::planText(plan, o.dryRun));
    if (!o.json && !o.dryRun)
        for (const auto& issue : plan.issues) printNote(i18n("{}: {}", issue.where, issue.what));
}

Outcome makeProject(const Importer& importer, const Options& o, const Progress& progress)
{
    if (o.paths.size() != 1) return fail(ErrorCode::Usage, "PATH " + o.paths[1], i18n("unexpected argument"), i18n("specify one file"));
    if (std::error_code error; !o.dryRun && fs::exists(fs::symlink_status(o.into, error)))
        return fail(ErrorCode::Unreadable, "--into " + o.into, i18n("already exists"), i18n("choose another name or delete it"));
    const auto plan = planAll(importer, o, std::make_shared<const Snapshot>(), progress);
    if (!plan) return tl::unexpected(plan.error());
    if (!o.dryRun)
        if (const auto written = writeProject(*plan->after, o.into, progress); !written) return tl::unexpected(written.error());
    show(*plan, o);
    return kDone;
}

Outcome onlyShow(const Importer& importer, const Options& o, const Progress& progress)
{
    SnapshotPtr base = std::make_shared<const Snapshot>();
    if (!o.into.empty()) {
        const auto design = readDesign(o.into, progress);
        if (!design) return tl::unexpected(design.error());
        base = *design;
    }
    const auto plan = planAll(importer, o, base, progress);
    if (!plan) return tl::unexpected(plan.error());
    show(*plan, o);
    return kDone;
}

Outcome changeProject(const Importer& importer, const Options& o, const Progress& progress)
{
    auto file = ProjectFile::open(o.into, {}, progress);
    if (!file) return tl::unexpected(file.error());
    if ((*file)->loaded().recovery()) printNote(i18n("{}: {}", o.into, (*file)->loaded().recoveryText()));
    Document document((*file)->loaded().snapshot);
    (*file)->releaseLoaded();
    const auto plan = planAll(importer, o, document.snapshot(), progress);
    if (!plan) return tl::unexpected(plan.error());
    const auto following = (*file)->follow(document);
    {
        auto transaction = document.begin(words(plan->name));
        if (const auto done = exchange::applyPlan(transaction, *plan); !done) return tl::unexpected(done.error());
        transaction.commit();
    }
    (*file)->save(document.snapshot());
    if (const auto closed = (*file)->close(); !closed) return tl::unexpected(closed.error());
    show(*plan, o);
    return kDone;
}

/// The capture alone against the design; nothing is written.
Outcome compareWith(const Importer& importer, const Options& o, const Progress& progress)
{
    if (!importer.observes())
        return fail(ErrorCode::Usage, "--compare", i18n("format {} is not an as-built capture format", importer.info().name), i18n("omit it"));
    if (!o.into.empty()) return fail(ErrorCode::Usage, "--compare", i18n("cannot be combined with --into"), i18n("omit one of the two"));
    if (o.dryRun) return fail(ErrorCode::Usage, "--dry-run", i18n("a comparison never changes the project"), i18n("omit it"));
    const auto sources = app::sourcesOf(importer, o.paths, o.choices);
    if (!sources) return tl::unexpected(sources.error());
    if (importer.info().name == "config") return compareConfig(o.compare, *sources, o.json, progress);
    const auto design = readDesign(o.compare, progress);
    if (!design) return tl::unexpected(design.error());
    const auto alone = importers::captureAlone(importer, *sources, *design, progress);
    if (!alone) return tl::unexpected(explained(importer, alone.error()));
    const auto compared = asbuilt::compareStored(alone->figures, progress);
    if (!compared) return tl::unexpected(compared.error());
    for (const auto& fact : alone->facts) printNote(fact);
    for (const auto& doubt : alone->doubts) printNote(i18n("{}: {}", doubt.where, doubt.what));
    print(o.json ? asbuilt::comparisonJson(*alone->figures, *compared).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n'
                 : asbuilt::comparisonText(*alone->figures, *compared));
    return compared->clean() ? kDone : kAnswerIsNo;
}

Outcome run(const Options& o, const Progress& progress)
{
    const auto importer = formats().importer(o.format);
    if (!importer) return tl::unexpected(importer.error());
    if (const auto fits = exchange::checkChoices(o.format, (*importer)->options(), o.choices); !fits) return tl::unexpected(fits.error());
    if (!o.compare.empty()) return compareWith(**importer, o, progress);
    if (o.into.empty() && !o.dryRun) return fail(ErrorCode::Usage, "--into", i18n("missing"), i18n("specify the project, or preview with --dry-run"));
    if ((*importer)->makesProject()) return makeProject(**importer, o, progress);
    return o.dryRun ? onlyShow(**importer, o, progress) : changeProject(**importer, o, progress);
}

} // namespace import_command

void addImport(Session& session)
{
    using namespace import_command;
    session.command<Options>("import", i18n("Import a file of another format into a project"), declare, run);
}

} // namespace hw::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "core/design/fitting/fitting.h"
#include "core/foundation/base/json_document.h"
#include "core/foundation/storage/project_file.h"

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace layout_command {

struct Options {
    std::string file, hall;
    bool json = false, asManyAsFit = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file to change")))->option_text("FILE.hall")->required();
    app.add_option("--hall", o.hall, words(i18n("Hall to fill; optional if there is only one")))->option_text("NAME");
    app.add_flag("--as-many-as-fit", o.asManyAsFit,
                 words(i18n("If not everything fits, lay out the largest number of accelerators that fits, and report the limiting resource")));
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.footer(words(i18n("The hall and its contents stay unchanged; if its walls are not parallel to the axes, the whole plan is rotated so that "
                          "rows run along them. Exits with 3 if not everything fits: the limits are "
                          "listed, tightest first, and the project is unchanged; with --as-many-as-fit only if nothing fits. "
                          "'edit' with use-template adds the devices of a template.")));
}

Outcome run(const Options& o, const Progress& progress)
{
    const auto catalog = shippedCatalog();
    if (!catalog) return tl::unexpected(catalog.error());
    auto file = ProjectFile::open(o.file, {}, progress);
    if (!file) return tl::unexpected(file.error());
    const LoadedProject& loaded = (*file)->loaded();
    if (loaded.recovery()) printNote(i18n("{}: {}", o.file, loaded.recoveryText()));
    Document document(loaded.snapshot);
    (*file)->releaseLoaded();
    const auto following = (*file)->follow(document);
    const auto hall = fitting::hallFor(*document.snapshot(), o.hall);
    if (!hall) return tl::unexpected(hall.error());
    auto transaction = document.begin(words(i18n("Lay out {}", document.snapshot()->halls.name[*hall])));
    const auto whereNotAll = o.asManyAsFit ? fitting::WhereNotAll::AsManyAsFit : fitting::WhereNotAll::Refuse;
    const auto fit = fitting::layOut(*transaction, *hall, *catalog, progress, whereNotAll);
    if (!fit) return tl::unexpected(fit.error());
    const bool done = fit->fits || fit->laidOut > 0;
    if (done) {
        (void)transaction.commit();
        (*file)->save(document.snapshot());
    }
    if (const auto closed = (*file)->close(); !closed) return tl::unexpected(closed.error());
    print(o.json ? documentText(fitting::fitJson(*fit)) : fitting::fitReport(*fit));
    return done ? kDone : kAnswerIsNo;
}

} // namespace layout_command

void addLayout(Session& session)
{
    using namespace layout_command;
    session.command<Options>("layout", i18n("Lay out unplaced devices in an existing hall"), declare, run);
}

} // namespace hw::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "core/edit/script.h"
#include "core/storage/project_file.h"

#include <cstdlib>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

namespace hw::cli {

namespace {

struct Options { std::string file, script; };

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, "The project to change")->option_text("FILE.hall")->required();
    app.add_option("--script", o.script, "The edits, {\"edits\": [{\"do\": …}, …]}")->option_text("EDITS.json")->required();
}

std::string userName()
{
    const passwd* entry = getpwuid(getuid());
    return entry ? entry->pw_name : "unknown";
}

/// `set-parameter`: generates the design anew and merges.
Result<void> setParameter(Transaction& transaction, std::string_view name, std::string_view value, const Progress& progress)
{
    std::int64_t number = 0;
    if (!text::fromText(value, number))
        return fail(ErrorCode::Refused, std::string(name), "'" + std::string(value) + "' is not a whole number", "give a whole number");
    const auto catalogue = shippedCatalogue();
    if (!catalogue) return tl::unexpected(catalogue.error());
    const auto merged = regenerate(transaction, {{std::string(name), number}}, *catalogue, progress);
    if (!merged) return tl::unexpected(merged.error());
    for (const auto& lost : merged->notKept) printNote("not kept: " + lost);
    return {};
}

Result<void> applyAll(Document& document, ProjectFile& file, const std::vector<edit::ScriptEdit>& edits, const std::string& script,
                      const Progress& progress)
{
    edit::EditContext context;
    context.author = userName();
    context.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
    context.regenerate = [&](Transaction& t, std::string_view name, std::string_view value) { return setParameter(t, name, value, progress); };
    for (const auto& one : edits) {
        if (progress.stopRequested()) return fail(ErrorCode::Cancelled, script, fmt::format("stopped before edit {}", one.number));
        if (auto done = edit::applyEdit(document, one, context, script); !done) return done;
        if (auto durable = file.flush(); !durable) return durable;
        print(fmt::format("committed {}\n", document.snapshot()->revision));
        if (auto shown = finishOutput(); !shown) return shown;
    }
    return {};
}

Outcome run(const Options& o, const Progress& progress)
{
    const auto edits = edit::readScript(o.script);
    if (!edits) return tl::unexpected(edits.error());
    auto file = ProjectFile::open(o.file, {}, progress);
    if (!file) return tl::unexpected(file.error());
    const LoadedProject& loaded = (*file)->loaded();
    if (loaded.recovery()) printNote(o.file + ": " + loaded.recoveryText());
    Document document(loaded.snapshot);
    (*file)->releaseLoaded();
    const auto following = (*file)->follow(document);
    const auto applied = applyAll(document, **file, *edits, o.script, progress);
    (*file)->save(document.snapshot()); // what was committed stays, also after a failure
    const auto closed = (*file)->close();
    if (!applied) return tl::unexpected(applied.error());
    if (!closed) return tl::unexpected(closed.error());
    return kDone;
}

} // namespace

void addEdit(Session& session) { session.command<Options>("edit", "Change a design by a script of edits", declare, run); }

} // namespace hw::cli

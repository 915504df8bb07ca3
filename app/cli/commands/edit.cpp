// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "core/derived/rules/check.h"
#include "core/design/edit/script.h"
#include "core/design/fitting/fitting.h"
#include "core/foundation/model/text_values.h"
#include "core/foundation/storage/project_file.h"

#include <cstdlib>
#include <ctime>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

namespace hw::cli {

namespace edit_command {

struct Options {
    std::string file, script;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project file to change")))->option_text("FILE.hall")->required();
    app.add_option("--script", o.script, words(i18n("Edit script, {{\"edits\": [{{\"do\": …}}, …]}}")))->option_text("EDITS.json")->required();
    app.footer(words(
        i18n("Edit actions and their keys; keys in brackets are optional; cables are identified by entity or by from:\n{}", edit::describeEdits())));
}

std::string userName()
{
    const passwd* entry = getpwuid(getuid());
    return entry ? entry->pw_name : words(i18n("unknown"));
}

/// `set-parameter`: generates the design again and merges.
Result<void> setParameter(Transaction& transaction, std::string_view name, std::string_view value, const Progress& progress)
{
    const auto design = templateOf(*transaction);
    if (!design) return tl::unexpected(design.error());
    const auto wanted = design->complete(std::map<std::string, std::string>{{std::string(name), std::string(value)}});
    if (!wanted) return tl::unexpected(wanted.error());
    const auto catalog = shippedCatalog();
    if (!catalog) return tl::unexpected(catalog.error());
    const auto merged = fitting::changeParameters(transaction, {{std::string(name), wanted->at(std::string(name))}}, *catalog, progress);
    if (!merged) return tl::unexpected(merged.error());
    for (const auto& lost : merged->notKept) printNote(i18n("could not be kept: {}", lost));
    return {};
}

/// `use-template`: its devices, in place of those of the template before.
Result<void> useTemplateOf(Transaction& transaction, const std::string& name, const std::map<std::string, std::string>& parameters,
                           const Progress& progress)
{
    const auto design = findTemplate(name);
    if (!design) return tl::unexpected(design.error());
    const auto values = design->complete(parameters);
    if (!values) return tl::unexpected(values.error());
    const auto catalog = shippedCatalog();
    if (!catalog) return tl::unexpected(catalog.error());
    const auto merged = useTemplate(transaction, *design, *values, *catalog, progress);
    if (!merged) return tl::unexpected(merged.error());
    for (const auto& lost : merged->notKept) printNote(i18n("could not be kept: {}", lost));
    return {};
}

/// `layout`: refused with the limits where not all of it fits.
Result<Text> layOutHall(Transaction& transaction, const std::string& name, const Progress& progress)
{
    const auto catalog = shippedCatalog();
    if (!catalog) return tl::unexpected(catalog.error());
    const auto hall = fitting::hallFor(*transaction, name);
    if (!hall) return tl::unexpected(hall.error());
    const auto fit = fitting::layOut(*transaction, *hall, *catalog, progress);
    if (!fit) return tl::unexpected(fit.error());
    if (!fit->fits) return fail(ErrorCode::Refused, fit->hall, fitting::fitText(*fit), i18n("reduce the number, or change the limiting factor"));
    return fitting::fitText(*fit);
}

/// Ids of the findings that a design has now; found once for as long as only waivers change.
class Findings {
public:
    explicit Findings(const Progress& progress) : m_progress(progress) {}
    void forget() { m_ids.reset(); }
    Result<bool> contains(const Snapshot& snapshot, const std::string& id)
    {
        if (!m_ids) {
            const auto figures = computeFigures(std::make_shared<Snapshot>(snapshot), m_progress);
            if (!figures) return tl::unexpected(figures.error());
            const auto result = check(**figures, {}, m_progress);
            if (!result) return tl::unexpected(result.error());
            m_ids.emplace();
            for (const Finding& finding : result->findings) m_ids->insert(finding.id);
        }
        return m_ids->contains(id);
    }

private:
    const Progress& m_progress;
    std::optional<std::set<std::string>> m_ids;
};

/// Says `committed REVISION` of each edit once it is on disk, while the next ones are made: those that wait behind each other
/// get there together. Called by the storage thread, too.
class Durable {
public:
    void made(std::uint64_t revision)
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.push_back(revision);
    }
    void reached(std::uint64_t revision)
    {
        const std::lock_guard lock(m_mutex);
        if (m_waiting.empty() || m_waiting.front() > revision) return;
        for (; !m_waiting.empty() && m_waiting.front() <= revision; m_waiting.pop_front()) print(fmt::format("committed {}\n", m_waiting.front()));
        if (auto shown = finishOutput(); !shown) m_unheard = shown.error();
    }
    void failed()
    {
        const std::lock_guard lock(m_mutex);
        m_diskFailed = true;
    }
    /// Waits where the disk failed or is far behind. Errors: of the disk, of standard output.
    Result<void> keepsUp(ProjectFile& file)
    {
        constexpr std::size_t kFarBehind = 1024;
        reached(file.durableRevision());
        std::unique_lock lock(m_mutex);
        if (m_diskFailed || m_waiting.size() > kFarBehind) {
            m_diskFailed = false;
            lock.unlock();
            if (auto durable = file.flush(); !durable) return durable;
            reached(file.durableRevision());
            lock.lock();
        }
        if (m_unheard) return tl::unexpected(*m_unheard);
        return {};
    }

private:
    std::mutex m_mutex;
    std::deque<std::uint64_t> m_waiting; ///< revisions of edits not yet told
    std::optional<Error> m_unheard;
    bool m_diskFailed = false;
};

tl::unexpected<Error> stopped(Error error, std::size_t committed)
{
    if (error.code == ErrorCode::Canceled && committed > 0) error.todo = i18n("the {} edits before it remain committed", committed);
    return tl::unexpected(std::move(error));
}

Result<void> applyAll(Document& document, ProjectFile& file, Durable& durable, const std::vector<edit::ScriptEdit>& edits, const std::string& script,
                      const Progress& progress)
{
    edit::EditContext context;
    context.author = userName();
    context.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
    context.regenerate = [&](Transaction& t, std::string_view name, std::string_view value) { return setParameter(t, name, value, progress); };
    context.useTemplate = [&](Transaction& t, const std::string& name, const std::map<std::string, std::string>& parameters) {
        return useTemplateOf(t, name, parameters, progress);
    };
    context.layOut = [&](Transaction& t, const std::string& hall) { return layOutHall(t, hall, progress); };
    Findings findings(progress);
    context.hasFinding = [&](const Snapshot& snapshot, const std::string& id) { return findings.contains(snapshot, id); };
    std::optional<Result<Catalog>> catalog; // read when an edit asks for a part type that the project lacks
    context.catalog = [&](const std::string& slug) -> const Part* {
        if (!catalog) catalog = shippedCatalog();
        return *catalog ? (*catalog)->find(slug) : nullptr;
    };
    context.note = [](const Text& text) { printNote(text); };
    edit::ScriptRunner runner(document, context, script);
    for (const auto& one : edits) {
        if (progress.stopRequested()) return stopped({ErrorCode::Canceled, script, i18n("stopped before edit {}", one.number), {}}, one.number - 1);
        if (one.action != "waive" && one.action != "unwaive") findings.forget();
        if (auto done = runner.apply(one); !done) return stopped(done.error(), one.number - 1);
        durable.made(document.snapshot()->revision);
        if (auto fine = durable.keepsUp(file); !fine) return fine;
    }
    return {};
}

/// All edits that can be made, then until they are on disk.
Result<void> applyDurably(Document& document, ProjectFile& file, Durable& durable, const std::vector<edit::ScriptEdit>& edits,
                          const std::string& script, const Progress& progress)
{
    const auto applied = applyAll(document, file, durable, edits, script, progress);
    const auto flushed = file.flush();
    const auto told = durable.keepsUp(file);
    return !applied ? applied : !flushed ? flushed : told;
}

Outcome run(const Options& o, const Progress& progress)
{
    const auto edits = edit::readScript(o.script);
    if (!edits) return tl::unexpected(edits.error());
    Durable durable;
    auto file = ProjectFile::open(o.file, {[&](std::uint64_t revision) { durable.reached(revision); }, {}, [&](const Error&) { durable.failed(); }},
                                  progress);
    if (!file) return tl::unexpected(file.error());
    const LoadedProject& loaded = (*file)->loaded();
    if (loaded.recovery()) printNote(i18n("{}: {}", o.file, loaded.recoveryText()));
    Document document(loaded.snapshot, loaded.history);
    (*file)->releaseLoaded();
    const auto following = (*file)->follow(document);
    const auto applied = applyDurably(document, **file, durable, *edits, o.script, progress);
    (*file)->save(document.snapshot()); // what was committed stays, also after a failure
    const auto closed = (*file)->close();
    if (!applied) return tl::unexpected(applied.error());
    if (!closed) return tl::unexpected(closed.error());
    return kDone;
}

} // namespace edit_command

void addEdit(Session& session)
{
    using namespace edit_command;
    session.command<Options>("edit", i18n("Change a design with an edit script"), declare, run);
}

} // namespace hw::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/foundation/base/json_document.h"
#include "core/foundation/model/fingerprint.h"
#include "simulation/answers/answer_text.h"
#include "simulation/questions/result_store.h"

#include <fmt/format.h>

namespace hw::cli {

namespace results_command {

struct Options {
    std::string file, output;
    int show = 0, remove = 0;
    std::vector<int> compare;
    bool json = false;
};

void declare(CLI::App& app, Options& o)
{
    app.add_option("FILE", o.file, words(i18n("Project whose stored results are listed")))->option_text("FILE.hall")->required();
    auto* show = app.add_option("--show", o.show, words(i18n("Show one result")))->option_text("N");
    auto* compare = app.add_option("--compare", o.compare, words(i18n("Compare two results value by value")))->option_text("A B")->expected(2);
    auto* remove = app.add_option("--remove", o.remove, words(i18n("Remove one result")))->option_text("N");
    app.add_option("-o,--output", o.output, words(i18n("Output file for --show or --compare")))->option_text("OUT.json|.csv");
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    show->excludes(compare)->excludes(remove);
    compare->excludes(remove);
}

Outcome give(const Options& o, const sim::Json& document, const std::string& text, const std::string& csv)
{
    if (!o.output.empty())
        if (const auto written = writeWholeText(o.output, std::filesystem::path(o.output).extension() == ".csv" ? csv : documentText(document, 1));
            !written)
            return tl::unexpected(written.error());
    print(o.json ? documentText(document, 1) : text);
    return kDone;
}

Outcome compared(const Options& o, const sim::ResultStore& store)
{
    const auto a = store.load(o.compare[0]), b = store.load(o.compare[1]);
    if (!a) return tl::unexpected(a.error());
    if (!b) return tl::unexpected(b.error());
    const sim::Json found = sim::compareAnswers(*a, *b);
    const sim::Json asAnswer = {{"name", words(i18n("{} vs {}", (*a)["name"].get<std::string>(), (*b)["name"].get<std::string>()))},
                                {"results", {{"rows", found["rows"]}}},
                                {"notes", sim::Json::array()}};
    return give(o, found, sim::answerText(asAnswer), sim::answerCsv(asAnswer));
}

Outcome listed(const Options& o, const sim::ResultStore& store, const Snapshot& design)
{
    const std::uint64_t content = designFingerprint(design);
    sim::Json list = sim::Json::array();
    std::string text;
    for (const auto& e : store.list()) {
        list.push_back({{"number", e.number},
                        {"name", e.name},
                        {"kind", e.kind},
                        {"revision", e.revision},
                        {"content", e.content},
                        {"saved_at", e.savedAt},
                        {"stale", e.staleAt(content)},
                        {"file", e.file.string()}});
        text += fmt::format("{:>4}  {:<40} {:<20} {:<15} {}{}\n", e.number, e.name, e.kind, words(i18n("revision {}", e.revision)), e.savedAt,
                            e.staleAt(content) ? "  " + words(i18n("outdated")) : "");
    }
    if (text.empty()) text = words(i18n("no stored results; run simulate with --store")) + '\n';
    print(o.json
              ? sim::Json{{"schema", "hallwright.results/1"}, {"revision", design.revision}, {"content", fingerprintText(content)}, {"results", list}}
                        .dump(1) +
                    "\n"
              : text);
    return kDone;
}

Outcome run(const Options& o, const Progress& progress)
{
    if (const auto fine = refuseProject(o.output); !fine) return tl::unexpected(fine.error());
    if (!o.output.empty() && !o.show && o.compare.empty())
        return fail(ErrorCode::Usage, "-o " + o.output, i18n("only --show and --compare write a file"), i18n("omit it, or add one of them"));
    if (o.json && o.remove) return fail(ErrorCode::Usage, "--json", i18n("removing a result prints nothing"), i18n("omit it"));
    const auto snapshot = readDesign(o.file, progress);
    if (!snapshot) return tl::unexpected(snapshot.error());
    sim::ResultStore store(o.file);
    if (o.remove) {
        if (const auto done = store.remove(o.remove); !done) return tl::unexpected(done.error());
        return kDone;
    }
    if (!o.compare.empty()) return compared(o, store);
    if (!o.show) return listed(o, store, **snapshot);
    const auto document = store.load(o.show);
    if (!document) return tl::unexpected(document.error());
    return give(o, *document, sim::answerText(*document), sim::answerCsv(*document));
}

} // namespace results_command

void addResults(Session& session)
{
    using namespace results_command;
    session.command<Options>("results", i18n("List, show, compare or remove the stored simulation results of a project"), declare, run);
}

} // namespace hw::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/compare_netbox.h"

#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/output_file.h"
#include "core/foundation/storage/project_file.h"
#include "importers/netbox_export/differences.h"

#include <nlohmann/json.hpp>

namespace hw::cli {

namespace {

struct TakenRows {
    std::string netbox, design; ///< row lists; empty: none
};

Result<TakenRows> takenRows(const std::vector<std::string>& given)
{
    TakenRows taken;
    for (const auto& one : given) {
        const auto colon = one.find(':');
        const std::string side = one.substr(0, colon), rows = colon == std::string::npos ? std::string() : one.substr(colon + 1);
        std::string* to = side == "netbox" ? &taken.netbox : side == "design" ? &taken.design : nullptr;
        if (!to || rows.empty())
            return fail(ErrorCode::Usage, "--take " + one, i18n("requires a side and rows"), i18n("use {} or {}", "netbox:1,4-6", "design:all"));
        *to += (to->empty() ? "" : ",") + rows;
    }
    return taken;
}

/// NetBox's side of the rows into the project, as one undo step.
Result<void> changeDesign(const std::string& file, const SnapshotPtr& seen, const netbox::Session& session, std::span<const netbox::Difference> rows,
                          const std::set<std::size_t>& chosen, const Progress& progress)
{
    auto project = ProjectFile::open(file, {}, progress);
    if (!project) return tl::unexpected(project.error());
    Document document((*project)->loaded().snapshot);
    (*project)->releaseLoaded();
    if (document.snapshot()->revision != seen->revision)
        return fail(ErrorCode::Refused, file, i18n("changed during the comparison"), i18n("compare again"));
    const auto plan = netbox::planFromNetbox(session, rows, chosen, document.snapshot());
    if (!plan) return tl::unexpected(plan.error());
    const auto following = (*project)->follow(document);
    {
        auto transaction = document.begin(words(plan->name));
        if (const auto done = exchange::applyPlan(transaction, *plan); !done) return done;
        transaction.commit();
    }
    (*project)->save(document.snapshot());
    return (*project)->close();
}

/// What each side would become; nothing is written.
Result<void> preview(const netbox::Session& session, const netbox::Target& target, std::span<const netbox::Difference> rows,
                     const std::set<std::size_t>& toDesign, const std::set<std::size_t>& toNetbox, const SnapshotPtr& design, bool json)
{
    nlohmann::ordered_json out = netbox::differencesJson(session, rows);
    std::string text;
    if (!toDesign.empty()) {
        const auto plan = netbox::planFromNetbox(session, rows, toDesign, design);
        if (!plan) return tl::unexpected(plan.error());
        out["to_design"] = nlohmann::ordered_json::parse(exchange::planJson(*plan), nullptr, false);
        text += exchange::planText(*plan);
    }
    if (!toNetbox.empty()) {
        const auto wanted = netbox::wantedBy(session, rows, toNetbox);
        const auto counts = netbox::countsOf(session, wanted);
        out["to_netbox"] = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < counts.size(); ++i)
            if (counts[i].create + counts[i].change > 0)
                out["to_netbox"].push_back({{"table", netbox::tableList()[i].name}, {"create", counts[i].create}, {"change", counts[i].change}});
        text += words(netbox::wantedReport(session, target, wanted));
    }
    if (text.empty()) text = words(i18n("No rows that can be taken.")) + '\n';
    print(json ? out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n' : text);
    printNote(i18n("dry run: nothing was written"));
    return {};
}

} // namespace

void declareNetbox(CLI::App& app, NetboxComparison& o)
{
    app.add_option("--netbox", o.url,
                   words(i18n("Compare A with this NetBox, row by row; the token is read from HALLWRIGHT_NETBOX_TOKEN or the credentials file")))
        ->option_text("URL");
    app.add_option("--branch", o.branch, words(i18n("NetBox branch to compare with and write to")))->option_text("NAME");
    app.add_flag("--to-main", o.toMain, words(i18n("With --take design: write to the NetBox main branch")));
    app.add_option("--site", o.site, words(i18n("NetBox site for buildings without a site")))->option_text("NAME");
    app.add_flag("--cords", o.cords, words(i18n("Also compare the power cords within racks")));
    app.add_option("--credentials", o.credentials, words(i18n("Credentials file (default: ~/.config/hallwright/credentials.yaml)")))
        ->option_text("FILE");
    app.add_option("--take", o.take, words(i18n("Resolve rows: netbox:ROWS changes the project, design:ROWS changes NetBox; ROWS as 1,4-6 or all")))
        ->option_text("SIDE:ROWS")
        ->allow_extra_args(false);
    app.add_flag("--dry-run", o.dryRun, words(i18n("With --take: only show what would change")));
}

Result<void> refuseWithoutNetbox(const NetboxComparison& o)
{
    for (const auto& [given, name] :
         {std::pair(!o.branch.empty(), "--branch"), std::pair(o.toMain, "--to-main"), std::pair(!o.site.empty(), "--site"),
          std::pair(o.cords, "--cords"), std::pair(!o.credentials.empty(), "--credentials"), std::pair(!o.take.empty(), "--take"),
          std::pair(o.dryRun, "--dry-run")})
        if (given) return fail(ErrorCode::Usage, name, i18n("applies to a comparison with NetBox only"), i18n("add --netbox, or omit it"));
    return {};
}

Outcome compareNetbox(const std::string& file, const NetboxComparison& o, const std::string& output, bool json, bool expectSame,
                      const Progress& progress)
{
    const auto taken = takenRows(o.take);
    if (!taken) return tl::unexpected(taken.error());
    if (o.dryRun && o.take.empty())
        return fail(ErrorCode::Usage, "--dry-run", i18n("a comparison alone changes nothing"), i18n("add --take, or omit it"));
    if (!output.empty()) {
        if (json) return fail(ErrorCode::Usage, "-o " + output, i18n("cannot be combined with --json"), i18n("omit one of the two"));
        if (!o.take.empty()) return fail(ErrorCode::Usage, "-o " + output, i18n("cannot be combined with --take"), i18n("omit one of the two"));
        if (const auto format = outputFormat(output, {".csv", ".xlsx"}); !format) return tl::unexpected(format.error());
    }
    if (o.toMain && taken->design.empty())
        return fail(ErrorCode::Usage, "--to-main", i18n("nothing is written to NetBox"), i18n("add --take design:ROWS, or omit it"));
    if (o.toMain && !o.branch.empty())
        return fail(ErrorCode::Usage, "--to-main", i18n("cannot be combined with --branch"), i18n("omit one of the two"));
    if (!taken->design.empty() && !o.toMain && o.branch.empty() && !o.dryRun)
        return fail(ErrorCode::Usage, "--take design", i18n("without a branch, the rows would be written to main"), // no text: an option
                    i18n("specify a branch with --branch, or write to main with --to-main"));
    const auto figures = readFigures(file, progress);
    if (!figures) return tl::unexpected(figures.error());
    const netbox::Target target{o.url, o.branch, o.site, o.cords, o.credentials, {}};
    auto session = netbox::planned(**figures, target, progress);
    if (!session) return tl::unexpected(session.error());
    const auto rows = netbox::differencesOf(**session);
    std::set<std::size_t> toDesign, toNetbox;
    if (!taken->netbox.empty()) {
        const auto chosen = netbox::chosenRows(taken->netbox, rows, &netbox::Difference::toDesign);
        if (!chosen) return tl::unexpected(chosen.error());
        toDesign = *chosen;
    }
    if (!taken->design.empty()) {
        const auto chosen = netbox::chosenRows(taken->design, rows, &netbox::Difference::toNetbox);
        if (!chosen) return tl::unexpected(chosen.error());
        for (const std::size_t row : *chosen) {
            if (!toDesign.contains(row))
                toNetbox.insert(row);
            else if (taken->design != "all")
                return fail(ErrorCode::Usage, "--take", i18n("row {} is selected for both sides", row + 1), i18n("select it for one side"));
        }
    }
    if (!output.empty()) {
        const auto written =
            writeWhole(output, [&](const std::filesystem::path& path) { return writeTable(netbox::differencesTable(rows), path, progress); });
        if (!written) return tl::unexpected(written.error());
        return expectSame && !rows.empty() ? kAnswerIsNo : kDone;
    }
    if (o.dryRun) {
        const auto shown = preview(**session, target, rows, toDesign, toNetbox, (*figures)->snapshot, json);
        if (!shown) return tl::unexpected(shown.error());
        return expectSame && !rows.empty() ? kAnswerIsNo : kDone;
    }
    if (!toDesign.empty())
        if (const auto done = changeDesign(file, (*figures)->snapshot, **session, rows, toDesign, progress); !done)
            return tl::unexpected(done.error());
    if (!toNetbox.empty())
        if (const auto done = netbox::takeFromDesign(**session, rows, toNetbox, target, file, progress); !done) return tl::unexpected(done.error());
    print(json ? netbox::differencesJson(**session, rows).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n'
               : netbox::differencesText(rows));
    if (!toDesign.empty()) printNote(i18np(toDesign.size(), "{:L} row applied to the project", "{:L} rows applied to the project"));
    if (!toNetbox.empty()) printNote(i18np(toNetbox.size(), "{:L} row written to NetBox", "{:L} rows written to NetBox"));
    for (const Text& refused : (*session)->sync->refused()) printNote(i18n("rejected by NetBox: {}", refused));
    const std::size_t left = rows.size() - toDesign.size() - toNetbox.size() + (*session)->sync->refused().size();
    return !(*session)->sync->refused().empty() || (expectSame && left > 0) ? kAnswerIsNo : kDone;
}

} // namespace hw::cli

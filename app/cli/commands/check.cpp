// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/check.h"
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/cli/design_input.h"
#include "app/cli/prebuilt.h"
#include "core/derived/tiers/tier_proof.h"

namespace hw::cli {

namespace check_command {

struct Options {
    std::string file, basis;
    std::vector<std::string> rules;
    bool json = false;
    std::optional<int> tier;
    std::optional<int> phase;
};

void declare(CLI::App& app, Options& o)
{
    std::string ids;
    for (const Rule& rule : allRules()) ids += (ids.empty() ? "" : " ") + std::string(rule.id);
    app.add_option("FILE", o.file, words(i18n("Project file")))->option_text("FILE.hall")->required();
    app.add_flag("--json", o.json, words(i18n("Print JSON instead of text")));
    app.add_option("--rules", o.rules, words(i18n("Rules to check: {}", ids)))->option_text("ID,ID")->delimiter(',')->allow_extra_args(false);
    app.add_option("--basis", o.basis, words(i18n("Power basis for limits: typical, design, nameplate")))->option_text("NAME");
    app.add_option("--tier", o.tier,
                   words(i18n("Check for Tier III (concurrently maintainable) or Tier IV (fault tolerant): take every component and "
                              "distribution path of power and cooling out of service, one at a time")))
        ->option_text("3|4")
        ->excludes("--rules");
    addPhaseOption(app, o.phase);
    app.footer(words(i18n("Exits with 3 if any unwaived error remains (the edit action 'waive' waives a finding), or if the tier is not met.")));
}

Outcome run(const Options& o, const Progress& progress)
{
    const auto basis = chosenBasis(o.basis);
    if (!basis) return tl::unexpected(basis.error());
    for (const auto& id : o.rules) // before the file is read: a wrong option is a wrong option
        if (!findRule(id)) return fail(ErrorCode::Usage, "--rules " + id, i18n("unknown rule ID"), i18n("see 'hallwright-cli rules'"));
    if (o.tier && *o.tier != 3 && *o.tier != 4)
        return fail(ErrorCode::Usage, "--tier " + std::to_string(*o.tier), i18n("unknown tier"), i18n("use 3 or 4"));
    const auto figures = readFigures(o.file, progress, o.phase);
    if (!figures) return tl::unexpected(figures.error());
    if (o.tier) {
        const auto proof = tiers::proveTier(**figures, basis->value_or(powerBasisOf(*(*figures)->snapshot)), *o.tier, progress);
        if (!proof) return tl::unexpected(proof.error());
        print(o.json ? tiers::tierJson(*proof, **figures) : tiers::tierText(*proof, **figures));
        return proof->holds() ? kDone : kAnswerIsNo;
    }
    const auto result = hw::check(**figures, {o.rules, *basis}, progress);
    if (!result) return tl::unexpected(result.error());
    std::string text = o.json ? checkJson(*result, **figures) : checkText(*result, **figures);
    if (o.phase) {
        const auto row = prebuiltAt(o.file, *o.phase, progress);
        if (!row) return tl::unexpected(row.error());
        if (o.json) {
            auto json = nlohmann::ordered_json::parse(text);
            json.update(row->json());
            text = json.dump(2) + '\n';
        } else {
            text += row->text();
        }
    }
    print(text);
    return result->errors > 0 ? kAnswerIsNo : kDone;
}

} // namespace check_command

void addCheck(Session& session)
{
    using namespace check_command;
    session.command<Options>("check", i18n("Check a design against the rules"), declare, run);
}

} // namespace hw::cli

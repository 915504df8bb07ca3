// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/check.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

namespace hw {

namespace {

using RuleFindings = std::shared_ptr<const std::vector<Finding>>;

/// Which of the parts that rules read differ between two sets of figures.
unsigned changedParts(const Figures& a, const Figures& b)
{
    unsigned parts = 0;
    const ChangeSet d = difference(*a.snapshot, *b.snapshot, {});
    const auto mark = [&](bool touched, unsigned bit) {
        if (touched) parts |= bit;
    };
    mark(d.touches<Settings>(), reads::kSettings);
    mark(d.touches<PartTypes>(), reads::kParts);
    mark(d.touchesAny<Networks, Tiers>(), reads::kNetworks);
    mark(d.touchesAny<Buildings, Halls, Rows>(), reads::kSites);
    mark(d.touches<Racks>(), reads::kRacks);
    mark(d.touches<Trays>(), reads::kTrays);
    mark(d.touches<Devices>(), reads::kDevices);
    mark(d.touchesAny<Cages, Ports, LinkRules, Links, Cables>(), reads::kWiring);
    if (a.placement != b.placement) parts |= reads::kPlacement;
    if (a.routing != b.routing) parts |= reads::kRouting;
    if (a.cabling != b.cabling) parts |= reads::kCabling;
    if (a.power != b.power) parts |= reads::kPower;
    if (a.fabric != b.fabric) parts |= reads::kFabric;
    return parts;
}

Result<std::vector<const Rule*>> chosenRules(const CheckOptions& options)
{
    std::vector<const Rule*> chosen;
    for (const Rule& rule : allRules())
        if (options.rules.empty() || std::ranges::find(options.rules, rule.id) != options.rules.end()) chosen.push_back(&rule);
    for (const auto& id : options.rules) {
        if (findRule(id)) continue;
        std::string known;
        for (const Rule& rule : allRules()) known += (known.empty() ? "" : ", ") + std::string(rule.id);
        return fail(ErrorCode::Usage, "--rules", "there is no rule '" + id + "'", "choose from " + known);
    }
    return chosen;
}

RuleFindings runRule(const Rule& rule, const RuleInput& input)
{
    auto found = rule.run(input);
    for (auto& finding : found) finding.rule = rule.id;
    std::ranges::stable_sort(found, [](const Finding& a, const Finding& b) { return std::tie(a.severity, a.id) < std::tie(b.severity, b.id); });
    return std::make_shared<const std::vector<Finding>>(std::move(found));
}

/// Joins the findings of all rules, marks the waived ones and counts.
void collect(CheckResult& result, const Snapshot& s)
{
    std::unordered_map<std::string_view, WaiverId> waivers;
    s.waivers.forEach([&](WaiverId id) { waivers.emplace(s.waivers.finding[id], id); });
    for (const auto& list : result.byRule) {
        if (!list) continue;
        for (const Finding& finding : *list) {
            Finding& f = result.findings.emplace_back(finding);
            if (const auto waiver = waivers.find(f.id); waiver != waivers.end()) {
                f.waived = true;
                f.reason = s.waivers.reason[waiver->second];
                ++result.waived;
            } else {
                ++(f.severity == Severity::Error ? result.errors : f.severity == Severity::Warning ? result.warnings : result.infos);
            }
        }
    }
}

/// Runs the chosen rules; takes over from `before` what still holds.
Result<CheckResult> checkWith(const Figures& figures, const CheckOptions& options, const Progress& progress, const CheckResult* before,
                              unsigned changed)
{
    const auto chosen = chosenRules(options);
    if (!chosen) return tl::unexpected(chosen.error());
    CheckResult result;
    result.revision = figures.snapshot->revision;
    result.basis = options.basis.value_or(projectBasis(*figures.snapshot));
    result.byRule.resize(allRules().size());
    const RuleInput input{figures, result.basis, progress};
    std::size_t done = 0;
    for (const Rule* rule : *chosen) {
        const auto place = std::size_t(rule - allRules().data());
        const bool holds = before && before->byRule[place] && before->basis == result.basis && !(rule->reads & changed);
        progress.report(double(done++) / double(chosen->size()), fmt::format("checking {} {}", rule->id, rule->title));
        result.byRule[place] = holds ? before->byRule[place] : runRule(*rule, input);
        if (progress.stopRequested()) return fail(ErrorCode::Cancelled, "check", "stopped");
    }
    collect(result, *figures.snapshot);
    return result;
}

} // namespace

Result<CheckResult> check(const Figures& figures, const CheckOptions& options, const Progress& progress)
{
    return checkWith(figures, options, progress, nullptr, ~0u);
}

Result<CheckResult> recheck(const CheckResult& before, const Figures& figuresBefore, const Figures& figures, const CheckOptions& options,
                            const Progress& progress)
{
    return checkWith(figures, options, progress, &before, changedParts(figuresBefore, figures));
}

} // namespace hw

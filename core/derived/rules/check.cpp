// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/check.h"

#include "core/derived/figures/node_info.h"
#include "core/derived/rules/air_rules.h"

#include <algorithm>
#include <unordered_map>

namespace hw {

namespace {

using OneRule = std::shared_ptr<const std::vector<Finding>>;

Result<std::vector<const Rule*>> chosenRules(const CheckOptions& options)
{
    std::vector<const Rule*> chosen;
    for (const Rule& rule : allRules())
        if (options.rules.empty() || std::ranges::find(options.rules, rule.id) != options.rules.end()) chosen.push_back(&rule);
    for (const auto& id : options.rules) {
        if (findRule(id)) continue;
        if (std::ranges::find(airRules(), id, &Rule::id) != airRules().end())
            return fail(ErrorCode::Usage, "rules", i18n("rule {} evaluates simulated air", id), i18n("run 'air FILE'"));
        std::vector<std::string_view> known;
        for (const Rule& rule : allRules()) known.push_back(rule.id);
        return fail(ErrorCode::Usage, "rules", i18n("unknown rule '{}'", id), i18n("choose from {}", listedNames(known)));
    }
    return chosen;
}

OneRule runRule(const Rule& rule, const RuleInput& input)
{
    auto found = rule.run(input);
    for (auto& finding : found) finding.rule = rule.id;
    std::ranges::stable_sort(found, [](const Finding& a, const Finding& b) { return std::tie(a.severity, a.id) < std::tie(b.severity, b.id); });
    return std::make_shared<const std::vector<Finding>>(std::move(found));
}

/// Runs the rules for which `kept(rule)` has nothing, one after the other; null when stopped.
template <class Rules, class Kept>
std::shared_ptr<RuleFindings> runRules(const Rules& rules, const RuleInput& input, Kept&& kept)
{
    auto result = std::make_shared<RuleFindings>();
    std::size_t done = 0;
    for (const Rule& rule : rules) {
        input.progress.report(double(done++) / double(rules.size()), words(i18n("checking {} {}", rule.id, rule.title)));
        OneRule findings = kept(rule);
        result->byRule.push_back(findings ? std::move(findings) : runRule(rule, input));
        if (input.progress.stopRequested()) return nullptr;
    }
    return result;
}

OneRule none(const Rule&) { return nullptr; }

/// Whether an id is as a waiver writes it, in which `*` stands for any characters (the rooms and members of a finding that a template cannot know).
bool matchesPattern(std::string_view pattern, std::string_view id)
{
    std::size_t p = 0, i = 0, star = std::string_view::npos, from = 0;
    while (i < id.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++, from = i;
        } else if (p < pattern.size() && pattern[p] == id[i]) {
            ++p, ++i;
        } else if (star != std::string_view::npos) {
            p = star + 1, i = ++from;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

/// Joins the findings of all rules, marks the waived ones and counts.
void collect(CheckResult& result, const RuleFindings& found, const Snapshot& s)
{
    for (const auto& list : found.byRule) result.findings.insert(result.findings.end(), list->begin(), list->end());
    markWaived(result.findings, s);
    for (const Finding& f : result.findings)
        ++(f.waived                          ? result.waived
           : f.severity == Severity::Error   ? result.errors
           : f.severity == Severity::Warning ? result.warnings
                                             : result.infos);
}

/// Whether nothing changed that the rule reads.
bool stands(const Rule& rule, const Was<FindingsNode>& was, const Now<FindingsNode>& now, const ChangeSet& changes)
{
    if (rule.inputs.touched(changes, was.snapshot(), now.snapshot())) return false;
    const auto& nodes = nodeInfo<FindingsNode>().nodes;
    for (const NodeInfo* node : rule.inputs.nodes) {
        const auto at = std::size_t(std::ranges::find(nodes, node) - nodes.begin());
        if (at == nodes.size() || was.inputs()[at] != now.inputs()[at]) return false;
    }
    return std::ranges::none_of(rule.thresholds, [&](const Threshold& threshold) {
        return was.snapshot().setting(threshold.setting) != now.snapshot().setting(threshold.setting);
    });
}

} // namespace

void markWaived(std::vector<Finding>& findings, const Snapshot& s)
{
    std::unordered_map<std::string_view, WaiverId> waivers;
    std::vector<WaiverId> patterns;
    s.waivers.forEach([&](WaiverId id) {
        waivers.emplace(s.waivers.finding[id], id);
        if (s.waivers.finding[id].find('*') != std::string::npos) patterns.push_back(id);
    });
    const auto waiverOf = [&](const Finding& f) -> std::optional<WaiverId> {
        if (const auto exact = waivers.find(f.id); exact != waivers.end()) return exact->second;
        for (const WaiverId id : patterns)
            if (matchesPattern(s.waivers.finding[id], f.id)) return id;
        return std::nullopt;
    };
    for (Finding& f : findings)
        if (const auto waiver = waiverOf(f)) {
            f.waived = true;
            f.reason = s.waivers.reason[*waiver];
        }
}

std::shared_ptr<const RuleFindings> FindingsNode::compute(const Now<FindingsNode>& now)
{
    return runRules(allRules(), RuleInput{now.figures(), powerBasisOf(now.snapshot()), now.progress()}, none);
}

std::shared_ptr<const RuleFindings> FindingsNode::update(const Was<FindingsNode>& was, const Now<FindingsNode>& now, const ChangeSet& changes)
{
    return runRules(allRules(), RuleInput{now.figures(), powerBasisOf(now.snapshot()), now.progress()}, [&](const Rule& rule) {
        return stands(rule, was, now, changes) ? was.value()->byRule[std::size_t(&rule - allRules().data())] : OneRule();
    });
}

Result<CheckResult> check(const Figures& figures, const CheckOptions& options, const Progress& progress)
{
    const auto chosen = chosenRules(options);
    if (!chosen) return tl::unexpected(chosen.error());
    const Snapshot& s = *figures.snapshot;
    CheckResult result;
    result.revision = s.revision;
    result.basis = options.basis.value_or(powerBasisOf(s));
    if (chosen->size() == allRules().size() && result.basis == powerBasisOf(s)) {
        if (auto made = figures.prepare<FindingsNode>(progress); !made) return tl::unexpected(made.error());
        collect(result, figures.get<FindingsNode>(), s);
        return result;
    }
    std::vector<Rule> rules;
    for (const Rule* rule : *chosen) rules.push_back(*rule);
    const auto found = runRules(rules, RuleInput{figures, result.basis, progress}, none);
    if (!found) return fail(ErrorCode::Canceled, "check", i18n("stopped"));
    collect(result, *found, s);
    return result;
}

template const NodeInfo& nodeInfo<FindingsNode>();

} // namespace hw

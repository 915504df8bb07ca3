// SPDX-License-Identifier: GPL-3.0-or-later
// Findings of the rules, and those that somebody accepted.
#include "core/output/document/parts.h"

#include "core/output/report/amounts.h"

#include <algorithm>
#include <map>

namespace hw::document {
namespace {

using namespace amounts;

constexpr std::size_t kPerRule = 12; ///< listed of one rule; the rest is counted

Cell severityCell(Severity severity)
{
    switch (severity) {
    case Severity::Error: return {i18n("error"), Tone::Bad};
    case Severity::Warning: return {i18n("warning"), Tone::Warning};
    case Severity::Info: return {i18n("info"), Tone::Dim};
    }
    return {};
}

Table openTable(const CheckResult& checked)
{
    Table table;
    table.columns = {{i18n("Rule"), 0.5}, {i18n("Severity"), 0.8}, {i18n("Finding"), 6}};
    const auto& findings = checked.findings;
    for (std::size_t i = 0; i < findings.size();) {
        const std::string& id = findings[i].rule;
        const Rule* rule = findRule(id);
        std::size_t shown = 0, more = 0;
        for (; i < findings.size() && findings[i].rule == id; ++i) {
            if (findings[i].waived) continue;
            if (shown == 0) table.rows.push_back({{i18n("{} – {}", id, rule ? Text(rule->title) : Text())}, RowKind::Group});
            if (shown++ >= kPerRule) {
                ++more;
                continue;
            }
            table.rows.push_back({{verbatim(id), severityCell(findings[i].severity), findings[i].message}});
        }
        if (more > 0) table.rows.push_back({{verbatim(id), Cell(), Cell(i18np(std::int64_t(more), "and {:L} more", "and {:L} more"), Tone::Dim)}});
    }
    return table;
}

Table waivedTable(const Input& in)
{
    std::map<std::string, WaiverId> of;
    const auto& waivers = in.snapshot().waivers;
    waivers.forEach([&](WaiverId id) { of.emplace(waivers.finding[id], id); });
    Table table;
    table.columns = {{i18n("Rule"), 0.5}, {i18n("Finding"), 3.4}, {i18n("Waiver reason"), 2.4}, {i18n("By"), 1}, {i18n("Date"), 0.8}};
    std::map<std::string, std::size_t> shown;
    for (const Finding& f : in.findings.findings) {
        if (!f.waived || shown[f.rule]++ >= kPerRule) continue;
        const auto found = of.find(f.id);
        table.rows.push_back({{verbatim(f.rule), f.message, resourceText(f.reason), verbatim(found == of.end() ? "" : waivers.author[found->second]),
                               verbatim(found == of.end() ? "" : waivers.date[found->second])}});
    }
    for (const auto& [rule, count] : shown)
        if (count > kPerRule)
            table.rows.push_back(
                {{verbatim(rule), Cell(i18np(std::int64_t(count - kPerRule), "and {:L} more", "and {:L} more"), Tone::Dim), Cell(), Cell(), Cell()}});
    return table;
}

} // namespace

void addFindings(const Input& in, std::vector<Section>& sections)
{
    const auto& c = in.findings;
    Section section{i18n("Findings and waivers"), 1, "findings", {}};
    section.blocks.push_back(
        Paragraph{i18n("{}, {}, {} from {} on the {} power basis; {:L} waived.", i18np(std::int64_t(c.errors), "{:L} error", "{:L} errors"),
                       i18np(std::int64_t(c.warnings), "{:L} warning", "{:L} warnings"), i18np(std::int64_t(c.infos), "{:L} info", "{:L} info"),
                       i18np(std::int64_t(allRules().size()), "{:L} rule", "{:L} rules"), powerBasisName(c.basis), std::int64_t(c.waived)),
                  Paragraph::Style::Lead});
    if (Table open = openTable(c); open.rows.empty())
        section.blocks.push_back(Paragraph{i18n("No unwaived findings."), Paragraph::Style::Body, Tone::Good});
    else
        section.blocks.push_back(std::move(open));
    sections.push_back(std::move(section));
    if (c.waived == 0) return;
    sections.push_back({i18n("Waivers"), 2, "findings.waivers", {waivedTable(in)}});
}

} // namespace hw::document

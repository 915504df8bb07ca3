// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/air_rules.h"
#include "core/derived/rules/check.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace hw {

namespace {

/// "pod-1 / hall-1 / row-03 / rack-07": where to look for the first entity that has a place.
std::string location(const Finding& finding, const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    if (finding.entities.empty()) return {};
    std::string place;
    for (const EntityRef e : ancestry(s, finding.entities.front())) {
        if (e.kind != EntityKind::Building && e.kind != EntityKind::Hall && e.kind != EntityKind::Row && e.kind != EntityKind::Rack) continue;
        place += (place.empty() ? "" : " / ") + entityName(s, *figures.parts, e);
    }
    return place;
}

Text severityText(Severity severity)
{
    switch (severity) {
    case Severity::Error: return i18n("error");
    case Severity::Warning: return i18n("warning");
    case Severity::Info: return i18n("info");
    }
    return {};
}

} // namespace

std::string checkJson(const CheckResult& result, const Figures& figures)
{
    using Json = nlohmann::ordered_json;
    Json findings = Json::array();
    for (const Finding& f : result.findings) {
        Json entities = Json::array();
        for (const EntityRef e : f.entities) entities.push_back(entityName(*figures.snapshot, *figures.parts, e));
        Json row{{"rule", f.rule},       {"severity", severityName(f.severity)},
                 {"message", f.message}, {"entities", std::move(entities)},
                 {"waived", f.waived},   {"id", f.id}};
        if (f.waived) row["reason"] = resourceText(f.reason);
        if (const auto place = location(f, figures); !place.empty()) row["location"] = place;
        findings.push_back(std::move(row));
    }
    const Json all{{"schema", "hallwright.check/1"}, {"revision", result.revision},    {"basis", powerBasisName(result.basis)},
                   {"errors", result.errors},        {"warnings", result.warnings},    {"infos", result.infos},
                   {"waived", result.waived},        {"findings", std::move(findings)}};
    return all.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string checkText(const CheckResult& result, const Figures& figures, std::size_t perRule)
{
    std::string out;
    for (std::size_t i = 0; i < result.findings.size();) {
        const std::string& id = result.findings[i].rule;
        const Rule* rule = findRule(id);
        out += fmt::format("{} {}\n", id, rule ? Text(rule->title) : Text());
        std::size_t shown = 0;
        for (; i < result.findings.size() && result.findings[i].rule == id; ++i) {
            const Finding& f = result.findings[i];
            if (shown++ >= perRule) continue;
            const Text severity = severityText(f.severity);
            out += fmt::format("  {}: {}\n", f.waived ? i18n("waived {}", severity) : severity, f.message);
            if (const auto place = location(f, figures); !place.empty()) out += fmt::format("    {}\n", i18n("at {}", place));
            out += fmt::format("    {}\n", i18n("id {}", f.id));
            if (f.waived) out += fmt::format("    {}\n", i18n("waived: {}", resourceText(f.reason)));
        }
        if (shown > perRule) out += fmt::format("  {}\n", i18n("… and {} more of {}; use --json to list all", shown - perRule, id));
    }
    return out +
           words(i18n("{}, {}, {}, {} waived ({} power basis)", i18np(result.errors, "{:L} error", "{:L} errors"),
                      i18np(result.warnings, "{:L} warning", "{:L} warnings"), i18np(result.infos, "{:L} info", "{:L} info"), result.waived,
                      powerBasisName(result.basis))) +
           '\n';
}

std::string rulesJson()
{
    using Json = nlohmann::ordered_json;
    Json all = Json::array();
    const auto list = [&](std::span<const Rule> rules, const char* command) {
        for (const Rule& rule : rules) {
            Json thresholds = Json::array();
            for (const Threshold& t : rule.thresholds)
                thresholds.push_back({{"setting", t.setting}, {"value", t.value}, {"unit", Text(t.unit)}, {"source", Text(t.source)}});
            all.push_back({{"id", rule.id},
                           {"severity", severityName(rule.severity)},
                           {"title", Text(rule.title)},
                           {"thresholds", std::move(thresholds)},
                           {"command", command}});
        }
    };
    list(allRules(), "check");
    list(airRules(), "air");
    return Json{{"schema", "hallwright.rules/1"}, {"rules", std::move(all)}}.dump(2) + '\n';
}

std::string rulesText()
{
    std::string out;
    const auto list = [&](std::span<const Rule> rules) {
        for (const Rule& rule : rules) {
            out += fmt::format("{:<5}{:<9}{}\n", rule.id, severityText(rule.severity), Text(rule.title));
            for (const Threshold& t : rule.thresholds)
                out += fmt::format("     {:<32}{:>8} {:<10}{}\n", t.setting, fmt::format("{:g}", t.value), Text(t.unit), Text(t.source));
        }
    };
    list(allRules());
    out += words(i18n("Evaluated by 'air' and the Air panel, not by 'check':")) + '\n';
    list(airRules());
    return out;
}

} // namespace hw

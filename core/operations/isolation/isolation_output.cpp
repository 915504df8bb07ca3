// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/files/csv.h"
#include "core/operations/isolation/isolation.h"
#include "core/operations/monitoring/incident/event_output.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::isolation {

namespace {

using Json = nlohmann::ordered_json;

std::string since(std::int64_t ms) { return ms > 0 ? monitoring::timeText(ms) : std::string(); }

/// Whole seconds; negative clocks count as now.
std::int64_t ageS(const List& list, std::int64_t sinceMs) { return std::max<std::int64_t>(0, (list.atMs - sinceMs) / 1000); }

Json cordonedJson(const Cordoned& one) { return {{"node", one.node}, {"scheduler", one.scheduler}, {"reason", one.reason}, {"since", one.since}}; }

/// One line without quotes and control characters, at most so long: scontrol takes no more.
std::string plainLine(const Node& node, std::size_t most)
{
    std::string out;
    for (const Reason& reason : node.reasons) out += (out.empty() ? "" : "; ") + reason.what;
    for (char& c : out) {
        if (c == '"' || c == '\\' || c == '\'' || c == '`' || c == '$') c = ' ';
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    }
    if (out.size() <= most) return out;
    std::size_t cut = most;
    while (cut > 0 && (static_cast<unsigned char>(out[cut]) & 0xC0) == 0x80) --cut; // no half of a character
    return out.substr(0, cut);
}

std::string yamlQuoted(const std::string& text)
{
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace); // a JSON text is one of YAML
}

} // namespace

std::string isolationJson(const List& list)
{
    Json json{{"schema", "hallwright.isolation/1"},
              {"at", since(list.atMs)},
              {"nodes", Json::array()},
              {"only_cordoned", Json::array()},
              {"unknown", Json::array()}};
    for (const Node& node : list.nodes) {
        Json one{{"node", node.name}, {"since", nullptr}, {"age_s", nullptr}, {"reasons", Json::array()}, {"cordoned", nullptr}};
        if (const auto from = node.sinceMs(); from > 0) one["since"] = since(from), one["age_s"] = ageS(list, from);
        for (const Reason& reason : node.reasons) {
            Json r{{"what", reason.what}, {"kind", reason.kind}, {"evidence", reason.evidence}, {"since", nullptr}, {"age_s", nullptr}};
            if (reason.sinceMs > 0) r["since"] = since(reason.sinceMs), r["age_s"] = ageS(list, reason.sinceMs);
            one["reasons"].push_back(std::move(r));
        }
        if (const Cordoned* by = list.cordoned(node.name)) one["cordoned"] = cordonedJson(*by);
        json["nodes"].push_back(std::move(one));
    }
    for (const Cordoned& one : list.onlyCordoned) json["only_cordoned"].push_back(cordonedJson(one));
    for (const Cordoned& one : list.unknown) json["unknown"].push_back(cordonedJson(one));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string isolationCsv(const List& list)
{
    std::string out = "node,kind,reason,evidence,since,age_s,scheduler,cordon_reason,cordoned_since\r\n";
    const auto put = [&](const std::array<std::string, 9>& row) {
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (c) out += ',';
            appendCsv(out, row[c]);
        }
        out += "\r\n";
    };
    for (const Node& node : list.nodes) {
        const Cordoned* by = list.cordoned(node.name);
        for (const Reason& reason : node.reasons) {
            std::string evidence;
            for (const auto& one : reason.evidence) evidence += (evidence.empty() ? "" : "; ") + one;
            put({node.name, reason.kind, reason.what, evidence, since(reason.sinceMs),
                 reason.sinceMs > 0 ? std::to_string(ageS(list, reason.sinceMs)) : std::string(), by ? by->scheduler : "", by ? by->reason : "",
                 by ? by->since : ""});
        }
    }
    for (const auto* others : {&list.onlyCordoned, &list.unknown})
        for (const Cordoned& one : *others) put({one.node, "", "", "", "", "", one.scheduler, one.reason, one.since});
    return out;
}

std::string isolationSlurm(const List& list)
{
    std::string out = fmt::format("# {}\n", words(i18n("Nodes to isolate as of {}; review before running", since(list.atMs))));
    for (const Node& node : list.nodes) {
        const Cordoned* by = list.cordoned(node.name);
        if (by) out += fmt::format("# {}\n", words(i18n("already cordoned by {}:", by->scheduler)));
        out += fmt::format("{}scontrol update NodeName={} State=DRAIN Reason=\"{}\"\n", by ? "# " : "", node.name, plainLine(node, 200)); // no text
    }
    return out;
}

std::string isolationKubernetes(const List& list)
{
    std::string out = fmt::format(
        "# {}\n# kubectl apply --server-side -f FILE\n", // no text
        words(i18n("Nodes to isolate as of {}; review before applying: taints set by other tools are kept only if listed here", since(list.atMs))));
    for (const Node& node : list.nodes) {
        if (const Cordoned* by = list.cordoned(node.name))
            out += fmt::format("# {}\n", words(i18n("{}: already cordoned by {}", node.name, by->scheduler)));
        out += fmt::format(
            "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: {}\n  annotations:\n    hallwright/reason: {}\nspec:\n  taints:\n" // no text
            "    - key: hallwright/isolate\n      value: {}\n      effect: NoSchedule\n",
            yamlQuoted(node.name), yamlQuoted(plainLine(node, 2000)), yamlQuoted(node.reasons.front().kind));
    }
    return out;
}

} // namespace hw::isolation

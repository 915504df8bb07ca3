// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes that schedulers have set aside.
#include "importers/cluster/cordoned_nodes.h"

#include "importers/captures/json_text.h"
#include "importers/cluster/node_list.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

namespace hw::importers {

namespace {

using CordonJson = nlohmann::json;
using isolation::Cordoned;

std::string cordonText(const CordonJson& object, const char* key)
{
    if (!object.is_object()) return {};
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Result<std::vector<Cordoned>> kubernetes(const CordonJson& json, const std::string& file)
{
    std::vector<Cordoned> out;
    if (!json.is_object() || !json.contains("items") || !json["items"].is_array())
        return fail(ErrorCode::Unreadable, file + ": items", i18n("missing or not a list"),
                    i18n("save the output of {}", "kubectl get nodes -o json")); // no text
    for (const CordonJson& item : json["items"]) {
        if (!item.is_object()) continue;
        const std::string name = item.contains("metadata") ? cordonText(item["metadata"], "name") : std::string();
        const CordonJson spec = item.contains("spec") && item["spec"].is_object() ? item["spec"] : CordonJson::object();
        const bool off = spec.contains("unschedulable") && spec["unschedulable"].is_boolean() && spec["unschedulable"].get<bool>();
        std::string reason, since;
        if (spec.contains("taints") && spec["taints"].is_array())
            for (const CordonJson& taint : spec["taints"]) {
                const std::string key = cordonText(taint, "key"), effect = cordonText(taint, "effect");
                if (effect != "NoSchedule" && effect != "NoExecute") continue;
                if (key.empty() || key.starts_with("node-role.kubernetes.io/") || key == "nvidia.com/gpu") continue; // of every such node
                const std::string value = cordonText(taint, "value");
                reason += fmt::format("{}{}{}{}:{}", reason.empty() ? "" : "; ", key, value.empty() ? "" : "=", value, effect);
                if (since.empty()) since = cordonText(taint, "timeAdded");
            }
        if (!name.empty() && (off || !reason.empty())) out.push_back({name, "kubernetes", reason.empty() ? "unschedulable" : reason, since});
    }
    return out;
}

bool isSetAside(const std::string& state)
{
    for (const char* word : {"DRAIN", "DOWN", "FAIL", "NOT_RESPONDING", "MAINT"})
        if (state.find(word) != std::string::npos) return true;
    return false;
}

Result<std::vector<Cordoned>> slurmJson(const CordonJson& json, const std::string& file)
{
    std::vector<Cordoned> out;
    if (!json["nodes"].is_array())
        return fail(ErrorCode::Unreadable, file + ": nodes", i18n("is not a list"),
                    i18n("save the output of {}", "scontrol show node --json")); // no text
    for (const CordonJson& node : json["nodes"]) {
        if (!node.is_object()) continue;
        std::string state = cordonText(node, "state");
        if (node.contains("state") && node["state"].is_array())
            for (const CordonJson& one : node["state"])
                if (one.is_string()) state += (state.empty() ? "" : "+") + one.get<std::string>();
        if (const std::string name = cordonText(node, "name"); !name.empty() && isSetAside(state))
            out.push_back({name, "slurm", cordonText(node, "reason").empty() ? state : cordonText(node, "reason"), {}});
    }
    return out;
}

/// What stands behind KEY= up to the next blank; of a reason to the end of the line.
std::string slurmValue(const std::string& line, const std::string& key)
{
    auto at = line.starts_with(key) ? 0 : line.find(" " + key);
    if (at == line.npos) return {};
    at = line.find('=', at) + 1;
    return line.substr(at, key == "Reason=" ? line.npos : line.find(' ', at) == line.npos ? line.npos : line.find(' ', at) - at);
}

/// Records of `scontrol show node`, in lines or one a line (-o).
std::vector<Cordoned> scontrol(const std::string& text)
{
    std::vector<Cordoned> out;
    std::istringstream in(text);
    std::string name, state, reason;
    const auto end = [&] {
        if (!name.empty() && isSetAside(state)) {
            Cordoned one{name, "slurm", reason.empty() ? state : reason, {}};
            if (const auto who = one.reason.rfind(" ["); who != one.reason.npos && one.reason.ends_with(']')) { // [root@2026-11-20T08:00:00]
                const auto sign = one.reason.find('@', who);
                if (sign != one.reason.npos) one.since = one.reason.substr(sign + 1, one.reason.size() - sign - 2);
                one.reason.erase(who);
            }
            out.push_back(std::move(one));
        }
        name.clear(), state.clear(), reason.clear();
    };
    for (std::string line; std::getline(in, line);) {
        if (line.ends_with('\r')) line.pop_back();
        line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
        if (line.starts_with("NodeName=")) end(), name = slurmValue(line, "NodeName=");
        if (const auto value = slurmValue(line, "State="); !value.empty()) state = value;
        if (const auto value = slurmValue(line, "Reason="); !value.empty()) reason = value;
    }
    end();
    return out;
}

/// `sinfo -R`: REASON USER TIMESTAMP NODELIST; the list of nodes is the last word, the reason begins the line.
Result<std::vector<Cordoned>> sinfo(const std::string& text, const std::string& file)
{
    std::vector<Cordoned> out;
    std::istringstream in(text);
    std::size_t number = 0, user = std::string::npos, time = std::string::npos;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (line.ends_with('\r')) line.pop_back();
        if (line.starts_with("REASON") && line.find("NODELIST") != line.npos) {
            user = line.find("USER"), time = line.find("TIMESTAMP");
            continue;
        }
        while (line.ends_with(' ')) line.pop_back();
        const auto last = line.find_last_of(' ');
        if (line.empty() || user == std::string::npos || last == line.npos) continue;
        const auto nodes = nodesOfList(line.substr(last + 1));
        if (nodes.empty())
            return fail(ErrorCode::Unreadable, fmt::format("{}:{}", file, number), i18n("'{}' is not a list of nodes", line.substr(last + 1)),
                        i18n("save the output of {}", "sinfo -R"));
        const auto trimmed = [](std::string part) {
            while (part.ends_with(' ')) part.pop_back();
            part.erase(0, std::min(part.find_first_not_of(' '), part.size()));
            return part;
        };
        const std::string reason = trimmed(line.substr(0, std::min(user, last)));
        const std::string since = time != std::string::npos && time < last ? trimmed(line.substr(time, last - time)) : std::string();
        for (const auto& node : nodes) out.push_back({node, "slurm", reason, since});
    }
    return out;
}

} // namespace

Result<std::vector<Cordoned>> readCordoned(const exchange::ImportSource& source)
{
    const std::string file = source.path.string();
    const auto first = source.content.find_first_not_of(" \t\r\n");
    if (first != std::string::npos && (source.content[first] == '{' || source.content[first] == '[')) {
        const auto json = parseJson(source.content, file);
        if (!json) return tl::unexpected(json.error());
        return json->is_object() && json->contains("nodes") ? slurmJson(*json, file) : kubernetes(*json, file);
    }
    if (source.content.find("NodeName=") != std::string::npos) return scontrol(source.content);
    if (source.content.find("REASON") != std::string::npos && source.content.find("NODELIST") != std::string::npos)
        return sinfo(source.content, file);
    return fail(ErrorCode::Unreadable, file, i18n("neither output of Slurm nor of Kubernetes"),
                i18n("save the output of {}", "sinfo -R, scontrol show node, kubectl get nodes -o json")); // no text
}

Result<std::vector<Cordoned>> readCordonedFiles(const std::vector<std::string>& files)
{
    std::vector<Cordoned> all;
    for (const auto& file : files) {
        const auto source = exchange::readSource(file);
        if (!source) return tl::unexpected(source.error());
        const auto read = readCordoned(*source);
        if (!read) return tl::unexpected(read.error());
        all.insert(all.end(), read->begin(), read->end());
    }
    return all;
}

} // namespace hw::importers

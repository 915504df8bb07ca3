// SPDX-License-Identifier: GPL-3.0-or-later
// Links as UFM states them: both ends by GUID, in newer releases also by node description.
#include "importers/asbuilt/capture_reader.h"
#include "importers/asbuilt/ib_nodes.h"

#include <charconv>
#include <set>
#include <tuple>

namespace hw::importers {

namespace {

using UfmJson = nlohmann::json;

std::string ufmText(const UfmJson& row, const char* key)
{
    const auto found = row.find(key);
    if (found == row.end()) return {};
    return found->is_string() ? found->get<std::string>() : found->is_number_integer() ? found->dump() : std::string();
}

struct UfmEnd {
    std::string guid, device, port;
    bool named = false;
};

/// The node's description; else its name by GUID; else the GUID, which the design may know.
UfmEnd ufmEnd(const UfmJson& row, const std::string& side, const IbNames& names)
{
    UfmEnd end;
    end.guid = asbuilt::hardwareId(ufmText(row, (side + "_guid").c_str()));
    const std::string number = ufmText(row, (side + "_port").c_str()), shown = ufmText(row, (side + "_port_dname").c_str());
    const bool adapter = shown.find('/') != shown.npos && shown.find_first_not_of("0123456789/") != shown.npos; // HCA-1/1
    end.port = adapter ? shown : number;
    const IbNode node = ibNodeOf(ufmText(row, (side + "_port_node_description").c_str()), !adapter);
    end.device = node.name;
    if (const auto known = names.find(end.guid); end.device.empty() && known != names.end()) end.device = ibNodeOf(known->second, !adapter).name;
    end.named = !end.device.empty();
    if (!end.named) end.device = end.guid;
    return end;
}

} // namespace

bool isUfmLinks(std::string_view content) { return content.find("\"source_guid\"") != content.npos; }

Result<void> readUfmLinks(const exchange::ImportSource& source, const IbNames& names, asbuilt::Capture& capture)
{
    const std::string file = source.path.string();
    const auto json = parseJson(source.content, file);
    if (!json) return tl::unexpected(json.error());
    const auto wrong = [&](const std::string& key, Text what) {
        return fail(ErrorCode::Unreadable, file + ": " + key, std::move(what), i18n("save the response of {}", "/ufmRest/resources/links"));
    };
    if (!json->is_array()) return wrong("[]", i18n("is not a list"));
    std::vector<Error> left;
    std::set<std::tuple<std::string, std::string, std::string, std::string>> seen;
    std::size_t links = 0, number = 0;
    for (const UfmJson& row : *json) {
        const std::string key = "[" + std::to_string(number++) + "]", where = file + ": " + key;
        if (!row.is_object()) {
            left.push_back(wrong(key, i18n("is not an object")).value());
            continue;
        }
        const UfmEnd a = ufmEnd(row, "source", names), b = ufmEnd(row, "destination", names);
        if (a.guid.empty() || b.guid.empty() || a.port.empty() || b.port.empty()) {
            left.push_back(wrong(key, i18n("GUID or port of an end is missing")).value());
            continue;
        }
        if (seen.contains({b.guid, b.port, a.guid, a.port}) || !seen.insert({a.guid, a.port, b.guid, b.port}).second) continue;
        ++links;
        int lanes = 0;
        if (const std::string width = ufmText(row, "width"); width.starts_with("IB_") && width.ends_with("x"))
            std::from_chars(width.data() + 3, width.data() + width.size() - 1, lanes);
        if (const std::string severity = ufmText(row, "severity"); !severity.empty() && severity != "Info")
            capture.doubts.push_back({where, i18n("{} port {} – {} port {}: severity {}", a.device, a.port, b.device, b.port, severity)});
        for (const auto& [near, far] : {std::pair(&a, &b), std::pair(&b, &a)}) {
            if (near->named) capture.ids.emplace_back(near->device, near->guid);
            capture.sightings.push_back(
                {Witness::Ibnetdiscover, near->device, near->port, far->device, far->port, 0, lanes, {}, where, {}, far->guid});
        }
    }
    capture.read += links, capture.left += left.size();
    capture.facts.push_back(i18n("{:L} links in {}", links, file));
    return tellLeftOut(left, links > 0, capture);
}

} // namespace hw::importers

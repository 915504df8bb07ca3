// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/captures/lldp_file.h"

#include "core/foundation/base/trim.h"
#include "core/operations/asbuilt/sighting.h"
#include "importers/captures/json_text.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace hw::importers {

bool sameWord(std::string_view a, std::string_view b) { return asbuilt::lowerCase(a) == asbuilt::lowerCase(b); }

std::string oneBlank(std::string_view text)
{
    std::string out;
    for (const char c : text)
        if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
    return out;
}

std::string lldpKey(std::string_view text)
{
    std::string out = asbuilt::lowerCase(oneBlank(trimmed(text)));
    std::ranges::replace(out, ' ', '_');
    return out;
}

Error leftOut(const std::string& where, Text what)
{
    return {ErrorCode::Unreadable, where, std::move(what), i18n("repeat the capture and save the complete output")};
}

std::string lldpPort(std::string_view type, const std::string& id, const std::string& description)
{
    if (description.empty()) return id;
    if (id.empty() || type == "mac" || type == "ip") return description;
    const bool named = std::ranges::any_of(id, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
    return type == "local" && !named ? description : id;
}

namespace {

bool isMarkup(std::string_view content) { return isLldpXml(content) || content.find("<rpc-reply") != content.npos; }

/// What a text begins with, behind blanks: the sign of a JSON document, which Junos's {master:0} is not.
bool isJsonText(std::string_view text)
{
    text = trimmed(text);
    if (text.size() < 2 || (text.front() != '{' && text.front() != '[')) return false;
    const char next = trimmed(text.substr(1)).empty() ? ' ' : trimmed(text.substr(1)).front();
    return text.front() == '{' ? next == '"' || next == '}' : next == '{' || next == ']' || next == '[';
}

bool mentionsNeighbors(std::string_view json)
{
    for (const std::string_view key : {"\"lldp\"", "lldpNeighbors", "\"local-chassis\"", "\"peerHostname\"", "\"peer_hostname\""})
        if (json.find(key) != json.npos) return true;
    return false;
}

enum class PartKind { Other, Json, Xml, Blocks, Table };

PartKind kindOf(const TerminalPart& part, const std::string& text)
{
    if (isJsonText(text)) return PartKind::Json;
    if (isLldpXml(text)) return PartKind::Xml;
    if (isLldpBlocks(part)) return PartKind::Blocks;
    return isLldpTable(part) ? PartKind::Table : PartKind::Other;
}

/// Output of one command.
Result<void> readPart(const TerminalPart& part, PartKind kind, const std::string& text, const std::string& file, LldpFile& out)
{
    const std::size_t before = out.neighbors.size();
    switch (kind) {
    case PartKind::Json: {
        const auto json = parseJson(text, file);
        if (!json) return tl::unexpected(json.error());
        if (auto read = readLldpJson(*json, file, out); !read) return read;
        break;
    }
    case PartKind::Xml:
        if (auto read = readLldpXml(text, file, out); !read) return read;
        break;
    case PartKind::Blocks: readLldpBlocks(part, file, out); break;
    case PartKind::Table: readLldpTable(part, file, out); break;
    case PartKind::Other: return {};
    }
    for (std::size_t i = before; i < out.neighbors.size(); ++i)
        if (!out.neighbors[i].inRow) out.neighbors[i].device = part.device;
    out.looked.push_back(part.device);
    return {};
}

} // namespace

bool isLldp(std::string_view content)
{
    if (isMarkup(content)) return isLldpXml(content);
    for (const TerminalPart& part : terminalParts(content, false)) {
        const std::string text = part.text();
        const PartKind kind = kindOf(part, text);
        if (kind == PartKind::Json ? mentionsNeighbors(text) : kind != PartKind::Other) return true;
    }
    return false;
}

Result<void> readLldp(std::string_view content, const std::string& file, LldpFile& out)
{
    bool any = false;
    const auto parts = terminalParts(content, isMarkup(content));
    for (const TerminalPart& part : parts) {
        const std::string text = part.text();
        const PartKind kind = kindOf(part, text);
        if (kind == PartKind::Other || (kind == PartKind::Json && parts.size() > 1 && !mentionsNeighbors(text))) continue;
        any = true;
        if (auto read = readPart(part, kind, text, file, out); !read) return read;
    }
    if (!any)
        return fail(ErrorCode::Unreadable, file, i18n("contains no LLDP neighbors in a known format"),
                    i18n("repeat the capture: lldpcli show neighbors -f json0"));
    std::set<std::tuple<std::string, std::string, std::string, std::string, std::string>> seen; // the same capture twice in a file
    std::erase_if(out.neighbors, [&](const LldpNeighbor& n) { return !seen.emplace(n.device, n.localPort, n.name, n.id, n.port).second; });
    return {};
}

} // namespace hw::importers

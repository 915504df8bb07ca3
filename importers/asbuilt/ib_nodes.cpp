// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/asbuilt/ib_nodes.h"

#include "core/foundation/base/trim.h"

namespace hw::importers {

IbNode ibNodeOf(std::string_view description, bool isSwitch)
{
    IbNode node;
    node.isSwitch = isSwitch;
    std::string_view text = trimmed(description);
    if (text.find("Aggregation Node") != text.npos) node.aggregation = true;
    if (text.find("Mellanox Technologies") != text.npos || text.find("MT4") == 0) return node;
    if (isSwitch) {
        if (const auto semicolon = text.find(';'); semicolon != text.npos) {
            text.remove_prefix(semicolon + 1);
            const auto colon = text.find(':'), slash = colon == text.npos ? colon : text.find('/', colon);
            if (slash != text.npos) node.module = text.substr(slash + 1);
            text = text.substr(0, colon);
        }
        node.name = text;
        return node;
    }
    const auto space = text.rfind(' ');
    node.name = trimmed(text.substr(0, space));
    if (space != text.npos) node.adapter = text.substr(space + 1);
    return node;
}

namespace {

/// 0x2c5eab0300bb0001 "leaf01"; nothing: another line.
std::pair<std::string, std::string> mapLine(std::string_view line)
{
    line = trimmed(line.substr(0, line.find('#')));
    const auto blank = line.find_first_of(" \t");
    if (!line.starts_with("0x") || blank == line.npos) return {};
    std::string_view name = trimmed(line.substr(blank));
    if (name.size() < 3 || name.front() != '"' || name.back() != '"' || name.find("==(") != name.npos) return {};
    return {asbuilt::hardwareId(line.substr(0, blank)), std::string(trimmed(name.substr(1, name.size() - 2)))};
}

template <class F>
void eachLine(std::string_view content, F&& f)
{
    while (!content.empty()) {
        const auto end = std::min(content.find('\n'), content.size());
        f(content.substr(0, end));
        content.remove_prefix(std::min(end + 1, content.size()));
    }
}

} // namespace

bool isNodeNameMap(std::string_view content)
{
    std::size_t entries = 0, others = 0;
    eachLine(content, [&](std::string_view line) {
        if (trimmed(line.substr(0, line.find('#'))).empty()) return;
        ++(mapLine(line).first.empty() ? others : entries);
    });
    return entries > 0 && others == 0;
}

void readNodeNameMap(std::string_view content, IbNames& names)
{
    eachLine(content, [&](std::string_view line) {
        if (auto [guid, name] = mapLine(line); !guid.empty() && !name.empty()) names.emplace(std::move(guid), std::move(name));
    });
}

} // namespace hw::importers

// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/captures/terminal.h"

#include "core/foundation/base/trim.h"
#include "importers/captures/prompts.h"

#include <algorithm>

namespace hw::importers {

namespace {

/// Where an escape sequence (ECMA-48) that begins at `at` ends.
std::size_t behindEscape(std::string_view text, std::size_t at)
{
    if (at + 1 >= text.size()) return text.size();
    if (text[at + 1] != '[') return at + 2;
    for (at += 2; at < text.size(); ++at)
        if (text[at] >= '@' && text[at] <= '~') return at + 1;
    return at;
}

/// A command that runs somewhere else than where it was typed.
bool isRemote(std::string_view command)
{
    for (const std::string_view tool : {"ssh ", "pdsh ", "clush ", "ansible ", "srun "})
        if (command.starts_with(tool) || command.find(" " + std::string(tool)) != command.npos) return true;
    return false;
}

} // namespace

std::string plainLine(std::string_view line)
{
    std::string out;
    for (std::size_t i = 0; i < line.size();) {
        const char c = line[i];
        if (c == '\x1b') {
            i = behindEscape(line, i);
            continue;
        }
        ++i;
        if (c == '\b') {
            if (!out.empty()) out.pop_back();
        } else if (c == '\t')
            out.append(8 - out.size() % 8, ' ');
        else if (c != '\r' && c != '\0')
            out += c;
    }
    for (const std::string_view pager : {"--More--", "---(more)---", "-- More --"}) // no text
        if (const auto at = out.find(pager); at != out.npos) out.erase(at, pager.size());
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
}

bool TerminalPart::empty() const
{
    return std::ranges::all_of(lines, [](const TerminalLine& line) { return line.text.empty(); });
}

std::string TerminalPart::text() const
{
    if (lines.empty()) return {};
    std::string out(lines.front().number - 1, '\n');
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i > 0) out.append(lines[i].number - lines[i - 1].number, '\n');
        out += lines[i].text;
    }
    if (lines.back().whole) out += '\n';
    return out;
}

std::vector<TerminalPart> terminalParts(std::string_view content, bool markup)
{
    std::vector<TerminalPart> parts(1);
    std::vector<std::string> hosts; // of prompts
    std::size_t number = 0;
    while (!content.empty()) {
        const auto end = content.find('\n');
        TerminalLine line{plainLine(content.substr(0, end)), ++number, end != content.npos};
        content.remove_prefix(end == content.npos ? content.size() : end + 1);
        const bool tag = markup && trimmed(line.text).starts_with('<');
        if (tag || !isPrompt(line.text)) {
            if (!line.text.empty()) parts.back().ended = false;
            parts.back().lines.push_back(std::move(line));
            continue;
        }
        const Prompt prompt = promptIn(line.text);
        parts.back().ended = true;
        if (!prompt.host.empty() && std::ranges::find(hosts, prompt.host) == hosts.end()) hosts.push_back(prompt.host);
        if (prompt.command.empty() && !prompt.host.empty()) continue; // somebody pressed return
        if (parts.back().empty()) parts.pop_back();
        parts.push_back({isRemote(prompt.command) ? std::string() : prompt.host, false, {}});
        if (isRemote(prompt.command)) hosts.emplace_back(); // no single one
    }
    if (hosts.size() == 1)
        for (auto& part : parts) part.device = hosts.front();
    std::erase_if(parts, [](const TerminalPart& part) { return part.lines.empty(); });
    return parts;
}

} // namespace hw::importers

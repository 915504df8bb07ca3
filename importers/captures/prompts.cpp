// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/captures/prompts.h"

#include <algorithm>

namespace hw::importers {

namespace {

bool isBlank(std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; }

/// A name with an optional user, folder or mode, and its sign behind: leaf1#, admin@leaf1:~$, [edit] has none.
bool isPromptWord(std::string_view word)
{
    if (word.starts_with('<') && word.ends_with('>')) return word.size() > 2; // Comware, VRP
    if (word.size() < 2 || std::string_view("#$>%").find(word.back()) == std::string_view::npos) return false;
    word.remove_suffix(1);
    const auto isName = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("-_.@:~/()[]").find(c) != std::string_view::npos;
    };
    const char first = word.front();
    const bool starts = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '[' || first == '(';
    return starts && std::ranges::all_of(word, isName);
}

/// Where a command follows the sign of a prompt without a blank: "leaf07#show lldp neighbors".
std::size_t signBeforeCommand(std::string_view word)
{
    const auto sign = word.find_first_of("#>");
    if (sign == word.npos || sign + 1 == word.size() || !isPromptWord(word.substr(0, sign + 1))) return word.npos;
    const auto command = word.substr(sign + 1);
    for (const std::string_view known : {"show", "sh", "display", "lldpctl", "lldpcli", "terminal", "exit", "quit"})
        if (command == known) return sign;
    return word.npos;
}

} // namespace

Prompt promptIn(std::string_view line)
{
    if (!isPrompt(line)) return {};
    while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.starts_with("Script ")) return {}; // no text
    Prompt out;
    std::string_view word = line.substr(0, line.find(' '));
    std::size_t end = word.size();
    bool shell = false; // has a user before the host
    if (const auto bracket = std::min(line.find("]$"), line.find("]#")); line.starts_with('[') && bracket != line.npos) {
        end = bracket + 2;
        word.remove_prefix(1);
    } else if (word.starts_with('<')) {
        word = word.substr(1, word.size() - 2);
    } else {
        if (const auto sign = signBeforeCommand(word); sign != word.npos) end = sign + 1;
        shell = line[end - 1] == '$' || line[end - 1] == '%';
        word = word.substr(0, end - 1);
    }
    out.command = line.substr(end);
    out.command.erase(0, std::min(out.command.find_first_not_of(' '), out.command.size()));
    const bool noUser = word.find('@') == word.npos;
    if (const auto at = word.find('@'); at != word.npos)
        word.remove_prefix(at + 1);
    else if (const auto colon = word.rfind(':'); word.find('/') < colon && colon != word.npos)
        word.remove_prefix(colon + 1); // RP/0/RP0/CPU0:leaf1
    const auto isName = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    };
    word = word.substr(0, std::size_t(std::ranges::find_if_not(word, isName) - word.begin()));
    if (!(shell && noUser) && !word.starts_with("bash-") && !word.starts_with("sh-")) out.host = word; // "bash-5.1#"; "eaf2:~$" was cut
    return out;
}

bool isPrompt(std::string_view line)
{
    while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.starts_with("Script started on ") || line.starts_with("Script done on ")) return true; // no text
    if (line.starts_with("[") && line.find("]$") != line.npos)                                      // [root@host ~]$ ibnetdiscover
        return isPromptWord("a" + std::string(line.substr(1, line.find(' ') - 1)) + "$");
    if (line.starts_with("[") && line.find("]#") != line.npos) return isPromptWord("a" + std::string(line.substr(1, line.find(' ') - 1)) + "#");
    const auto word = line.substr(0, line.find(' '));
    return isPromptWord(word) || signBeforeCommand(word) != word.npos;
}

std::string withoutPrompts(std::string_view text)
{
    std::string out(text);
    const auto clear = [&](std::size_t from, std::size_t to) {
        std::fill(out.begin() + std::ptrdiff_t(from), out.begin() + std::ptrdiff_t(to), ' ');
    };
    std::size_t at = 0;
    while (at < text.size()) { // before
        const auto end = std::min(text.find('\n', at), text.size());
        const auto line = text.substr(at, end - at);
        if (!isBlank(line) && !isPrompt(line)) break;
        clear(at, end);
        at = std::min(end + 1, text.size());
    }
    std::size_t last = text.size();
    while (last > at) { // behind
        const auto start = text.rfind('\n', last - 1) == text.npos ? 0 : text.rfind('\n', last - 1) + 1;
        const auto line = text.substr(start, last - start);
        if (!isBlank(line) && !isPrompt(line)) break;
        clear(start, last);
        if (start == 0) break;
        last = start - 1;
    }
    return out;
}

} // namespace hw::importers

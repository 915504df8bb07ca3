// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/asbuilt/names.h"
#include "importers/captures/json_text.h"
#include "importers/captures/prompts.h"
#include "importers/configuration/outputs.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

namespace hw::importers {

std::string trimmedText(std::string_view text)
{
    const auto from = text.find_first_not_of(" \t\r"), to = text.find_last_not_of(" \t\r");
    return from == text.npos ? std::string() : std::string(text.substr(from, to + 1 - from));
}

std::vector<std::string> fieldsOf(const std::string& line)
{
    std::istringstream in(line);
    std::vector<std::string> out;
    for (std::string word; in >> word;) out.push_back(word);
    return out;
}

std::optional<std::string> valueAfter(const std::string& line, std::string_view name)
{
    if (!line.starts_with(name)) return std::nullopt;
    const std::string rest = trimmedText(std::string_view(line).substr(name.size()));
    if (!rest.starts_with(':')) return std::nullopt;
    return trimmedText(std::string_view(rest).substr(1));
}

std::string CommandOutput::interface() const
{
    auto words = fieldsOf(command);
    while (!words.empty() && (words.front() == "sudo" || words.front() == "+")) words.erase(words.begin()); // "+": of `set -x`
    const std::string tool = words.empty() ? std::string() : std::filesystem::path(words.front()).filename().string();
    if (tool == "mlnx_qos")
        for (std::size_t i = 1; i < words.size(); ++i) {
            if ((words[i] == "-i" || words[i] == "--interface") && i + 1 < words.size()) return words[i + 1];
            if (words[i].starts_with("--interface=")) return words[i].substr(12);
        }
    if (tool == "ethtool")
        for (std::size_t i = 1; i < words.size() && words[i] != "|" && words[i] != ">"; ++i)
            if (!words[i].starts_with('-')) return words[i];
    return port;
}

namespace {

struct FileName {
    std::string device, port;
};
/// "host1.nic1.ethtool.txt": the longest beginning that is a device, then a port.
FileName fileNameOf(const std::filesystem::path& path, const std::function<bool(const std::string&)>& isDevice)
{
    const std::string name = path.filename().string();
    constexpr std::string_view kCuts = "._";
    std::size_t end = name.size();
    while (end != name.npos && end > 0 && !isDevice(name.substr(0, end))) end = name.find_last_of(kCuts, end - 1);
    if (end == name.npos || end == 0) return {name.substr(0, name.find('.')), {}};
    if (end == name.size()) return {name, {}};
    const std::string rest = name.substr(end + 1);
    const std::string port = rest.substr(0, rest.find('.'));
    return {name.substr(0, end), rest.find('.') == rest.npos ? std::string() : port}; // an ending is no port
}

/// Commands of a recorded terminal; without prompts one output.
std::vector<CommandOutput> outputsOf(const exchange::ImportSource& source, const FileName& named)
{
    std::vector<CommandOutput> all{{named.device, {}, named.port, source.path.string(), {}}};
    std::istringstream in(source.content);
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (line.ends_with('\r')) line.pop_back();
        if (const Prompt prompt = isPrompt(line) ? promptIn(line) : Prompt(); !prompt.host.empty()) {
            all.push_back({prompt.host, trimmedText(prompt.command), {}, source.path.string(), {}});
            continue;
        }
        all.back().lines.push_back({line, number});
    }
    return all;
}

/// The first lines of a known output that could not be read, and how many more.
void nameUnread(const CommandOutput& output, const UnreadLines& unread, std::vector<asbuilt::CaptureIssue>& doubts)
{
    constexpr std::size_t kMost = 5;
    for (std::size_t i = 0; i < std::min(kMost, unread.size()); ++i)
        doubts.push_back({output.at(*unread[i]), i18n("line not read: {}", trimmedText(unread[i]->text).substr(0, 80))});
    if (unread.size() > kMost) doubts.push_back({output.file, i18n("and {:L} more lines not read", std::int64_t(unread.size() - kMost))});
}

/// Keys of JSON files that were not read: each once, at the first file, as all switches of a hall tend to have the same.
class UnreadKeys {
public:
    void add(const std::string& file, const std::vector<std::string>& keys)
    {
        for (const std::string& key : keys) {
            const auto [at, first] = m_files.try_emplace(key, file, 0);
            if (first) m_order.push_back(key);
            ++at->second.second;
        }
    }
    void name(std::vector<asbuilt::CaptureIssue>& doubts) const
    {
        constexpr std::size_t kMost = 20;
        for (std::size_t i = 0; i < std::min(kMost, m_order.size()); ++i) {
            const auto& [file, count] = m_files.at(m_order[i]);
            doubts.push_back(
                {file, count > 1 ? i18n("key not read: {} (in {:L} files)", m_order[i], std::int64_t(count)) : i18n("key not read: {}", m_order[i])});
        }
        if (m_order.size() > kMost)
            doubts.push_back({m_files.at(m_order[kMost]).first, i18n("and {:L} more keys not read", std::int64_t(m_order.size() - kMost))});
    }

private:
    std::map<std::string, std::pair<std::string, std::size_t>> m_files; ///< the first, and how many
    std::vector<std::string> m_order;
};

} // namespace

Result<ReadConfiguration> readConfiguration(std::span<const exchange::ImportSource> sources, const std::function<bool(const std::string&)>& isDevice)
{
    ReadConfiguration out;
    UnreadKeys unreadKeys;
    for (const auto& source : sources) {
        const std::string file = source.path.string();
        const FileName named = fileNameOf(source.path, isDevice);
        const std::size_t before = out.items.size();
        bool known = false;
        const auto first = source.content.find_first_not_of(" \t\r\n");
        if (first != std::string::npos && (source.content[first] == '{' || source.content[first] == '[')) {
            const auto json = parseJson(source.content, file);
            if (!json && sources.size() == 1) return tl::unexpected(json.error());
            if (!json) {
                out.doubts.push_back({json.error().where, i18n("{}; skipped", json.error().what)});
                continue;
            }
            if (const auto unread = readSwitchJson(*json, named.device, file, out.items)) known = true, unreadKeys.add(file, *unread);
        } else {
            for (const CommandOutput& output : outputsOf(source, named)) {
                if (output.lines.empty()) continue;
                auto unread = readHostOutput(output, out.items);
                if (!unread) unread = readSwitchOutput(output, out.items);
                known = known || unread;
                if (unread)
                    nameUnread(output, *unread, out.doubts);
                else if (!output.command.empty())
                    out.doubts.push_back({output.at(output.lines.front()), i18n("output of '{}' is not read: skipped", output.command)});
            }
        }
        if (!known)
            out.doubts.push_back({file, i18n("contains no known configuration output: skipped")});
        else if (out.items.size() == before)
            out.doubts.push_back({file, i18n("no item could be read; name the file HOST.PORT.txt, or keep the prompt with the command")});
        else
            ++out.files;
    }
    unreadKeys.name(out.doubts);
    if (out.files == 0)
        return fail(ErrorCode::Unreadable, out.doubts.empty() ? std::string("PATH") : out.doubts.front().where,
                    out.doubts.empty() ? i18n("nothing to read") : out.doubts.front().what,
                    i18n("see docs/configuration.md for the commands that are read"));
    return out;
}

Result<ReadConfiguration> readConfiguration(std::span<const exchange::ImportSource> sources, const Snapshot& design)
{
    auto rules = asbuilt::NameRules::of(design);
    if (!rules) return tl::unexpected(rules.error());
    const asbuilt::DeviceNames names(design, std::move(rules->devices));
    return readConfiguration(sources, [&](const std::string& name) { // "host1.nic1.txt" is found as well, for what is before its point
        const auto id = names.find(name);
        return id && (name.find('.') == name.npos || asbuilt::lowerCase(design.devices.name[*id]) == asbuilt::lowerCase(name));
    });
}

} // namespace hw::importers

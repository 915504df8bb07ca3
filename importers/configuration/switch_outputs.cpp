// SPDX-License-Identifier: GPL-3.0-or-later
// What switches print of MTU, flow control and congestion control.
#include "importers/configuration/outputs.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace hw::importers {

bool isNumber(std::string_view text)
{
    return !text.empty() && text.size() < 10 && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::string switchGbps(const std::string& text)
{
    if (text == "N/A" || text == "auto") return {};
    if (isNumber(text)) return fmt::format("{:g}", std::stod(text) / 1000);
    const std::string number = text.empty() ? text : text.substr(0, text.size() - 1);
    return isNumber(number) && (text.back() == 'G' || text.back() == 'g') ? number : text;
}

namespace {

using Line = CommandOutput::Line;

bool isTableRule(const std::string& text) { return text.find_first_not_of("-=+| \t") == std::string::npos; }

void addSwitchItem(const CommandOutput& output, const Line& line, std::string port, const char* item, std::string value, Items& items)
{
    if (!value.empty()) items.push_back({output.device, std::move(port), item, std::move(value), output.at(line)});
}

/// SONiC: "Interface    Lossless priorities", then a line a port, by name or alias; "N/A": none.
std::optional<UnreadLines> sonicPfc(const CommandOutput& output, Items& items)
{
    std::optional<UnreadLines> unread;
    for (const Line& line : output.lines) {
        if (line.text.find("Lossless priorities") != std::string::npos) { // no text
            unread.emplace();
            continue;
        }
        if (!unread || isTableRule(line.text)) continue;
        const auto fields = fieldsOf(line.text);
        std::string list;
        for (std::size_t i = 1; i < fields.size(); ++i) list += fields[i];
        const bool priorities = list == "N/A" || (!list.empty() && list.find_first_not_of("01234567,") == std::string::npos);
        if (!priorities || !(fields[0].starts_with("Eth") || fields[0].starts_with("etp"))) {
            unread->push_back(&line);
            continue;
        }
        addSwitchItem(output, line, fields[0], "pfc.priorities", list == "N/A" ? "none" : list, items);
    }
    return unread;
}

/// SONiC: columns are right-aligned, so their order counts: interface, lanes, speed, MTU. LAGs and sub-interfaces have no lanes.
std::optional<UnreadLines> sonicStatus(const CommandOutput& output, Items& items)
{
    std::optional<UnreadLines> unread;
    for (const Line& line : output.lines) {
        const auto fields = fieldsOf(line.text);
        if (fields.size() > 4 && fields[0] == "Interface" && fields[1] == "Lanes" && fields[2] == "Speed" && fields[3] == "MTU") { // no text
            unread.emplace();
            continue;
        }
        if (!unread || isTableRule(line.text)) continue;
        if (fields.size() > 1 && fields[1] == "N/A") continue;
        if (fields.size() < 6 || fields[1].find_first_not_of("0123456789,") != std::string::npos || !isNumber(fields[3])) {
            unread->push_back(&line);
            continue;
        }
        addSwitchItem(output, line, fields[0], "nic.speed_gbps", switchGbps(fields[2]), items);
        addSwitchItem(output, line, fields[0], "mtu", fields[3], items);
    }
    return unread;
}

/// "(8)" → "3"; the bits are printed in hexadecimal, as "(18)" of priorities 3 and 4 (assumed: no capture has more than one digit).
std::optional<std::string> prioritiesOf(std::string_view bits)
{
    if (bits.empty() || bits.size() > 2 || !std::ranges::all_of(bits, [](unsigned char c) { return std::isxdigit(c) != 0; })) return std::nullopt;
    const long map = std::stol(std::string(bits), nullptr, 16);
    std::string list;
    for (int priority = 0; priority < 8; ++priority)
        if ((map >> priority & 1) != 0) list += (list.empty() ? "" : ",") + std::to_string(priority);
    return list.empty() ? "none" : list;
}

/// NX-OS: "Ethernet1/1   Auto On (8)   0   0", or "Eth1/1 ON On(8) …": priorities as a bit map. Other interfaces (Vethernet, ii) are left out.
std::optional<UnreadLines> nxosPfc(const CommandOutput& output, Items& items)
{
    std::optional<UnreadLines> unread;
    for (const Line& line : output.lines) {
        if (line.text.find("Oper(VL bmap)") != std::string::npos || line.text.find("Oper (VL bmap)") != std::string::npos) { // no text
            if (!unread) unread.emplace();
            continue;
        }
        const auto fields = fieldsOf(line.text);
        const bool port =
            !fields.empty() && (fields[0].starts_with("Eth") || fields[0].starts_with("eth")) && fields[0].find('/') != std::string::npos;
        if (!unread || !port) continue;
        std::string state = fields.size() < 3 ? std::string() : fields[2];
        const auto open = line.text.find('('), close = line.text.find(')', open == std::string::npos ? 0 : open);
        const bool bits = open != std::string::npos && close != std::string::npos;
        state = state.substr(0, state.find('('));
        std::ranges::transform(state, state.begin(), [](unsigned char c) { return char(std::tolower(c)); });
        std::optional<std::string> list;
        if (state == "off") list = "none";
        if (state == "on") list = bits ? prioritiesOf(trimmedText(std::string_view(line.text).substr(open + 1, close - open - 1))) : "none";
        if (list)
            addSwitchItem(output, line, fields[0], "pfc.priorities", *list, items);
        else
            unread->push_back(&line);
    }
    return unread;
}

/// NX-OS `show policy-map system type network-qos`: MTU of the classes that are paused; `… type queuing`: queues with ECN. Also of a running
/// configuration. A line that ends a class or a policy map ends what was said of it.
std::optional<UnreadLines> nxosPolicy(const CommandOutput& output, Items& items)
{
    std::optional<UnreadLines> unread;
    std::string mtu, queue, ecn;
    const Line *mtuAt = nullptr, *ecnAt = nullptr, *red = nullptr;
    bool pause = false, input = false;
    const auto endClass = [&] {
        if (pause && mtuAt) addSwitchItem(output, *mtuAt, "*", "mtu", mtu, items);
        mtu.clear(), mtuAt = nullptr, pause = false, red = nullptr;
    };
    for (const Line& line : output.lines) {
        const std::string text = trimmedText(line.text);
        const bool policy = text.starts_with("policy-map ") || text.starts_with("Service-policy ") || text.starts_with("service-policy ");
        if ((text.find("type network-qos") != text.npos || text.find("type queuing") != text.npos) && !unread) unread.emplace(); // no text
        if (policy) endClass(), queue.clear(), input = text.find("input") != text.npos;
        if (text.starts_with("class ") || text.starts_with("Class-map ")) { // no text
            endClass();
            const auto words = fieldsOf(text);
            queue.clear();
            for (const std::string& word : words) {
                if (!word.starts_with("c-out-") && !word.starts_with("c-in-")) continue;
                input = word.starts_with("c-in-");
                const auto q = word.rfind('q');
                queue = word.ends_with("q-default") ? "0" : q == word.npos ? "" : word.substr(q + 1);
                if (!isNumber(queue)) queue.clear();
            }
        }
        if (text.starts_with("mtu ")) mtu = trimmedText(text.substr(4)), mtuAt = &line;
        if (text.starts_with("pause ")) pause = true;
        if (text.starts_with("random-detect")) red = &line;
        const auto words = fieldsOf(text);
        if (!red || std::ranges::find(words, "ecn") == words.end()) continue; // "ecn" may be on a line that the terminal has wrapped
        if (queue.empty() || input) {
            if (queue.empty()) unread->push_back(red);
            red = nullptr;
            continue;
        }
        ecn += (ecn.empty() ? "" : ",") + queue, ecnAt = red, red = nullptr;
    }
    endClass();
    if (ecnAt) addSwitchItem(output, *ecnAt, {}, "ecn.queues", ecn, items);
    return unread;
}

/// `nv show qos roce`: a column of what is in operation and one of what was applied; the first value of a line counts.
std::optional<UnreadLines> nvueTable(const CommandOutput& output, Items& items)
{
    const bool table =
        std::ranges::any_of(output.lines, [](const Line& line) { return line.text.find("operational") != std::string::npos; }); // no text
    const bool roce = std::ranges::any_of(output.lines, [](const Line& line) {
        return line.text.find("RoCE PCP/DSCP->SP") != std::string::npos || line.text.find("enabled-tc") != std::string::npos || // no text
               line.text.find("pfc-priority") != std::string::npos;                                                             // no text
    });
    if (!table || !roce) return std::nullopt;
    UnreadLines unread;
    NvueRoce found;
    const Line* first = nullptr;
    bool mapping = false;
    std::string section;
    for (const Line& line : output.lines) {
        const auto fields = fieldsOf(line.text);
        if (fields.empty() || isTableRule(line.text)) continue;
        if (fields[0] == "RoCE" || fields[0] == "Exception") {                                // no text
            mapping = line.text.find("PCP/DSCP->SP") != std::string::npos, section = "table"; // no text
            continue;
        }
        if (section == "table") {
            if (!mapping || fields[0] == "pcp") continue;
            if (fields.size() < 4 || !isNumber(fields.back())) { // index, PCP, DSCP, priority
                unread.push_back(&line);
                continue;
            }
            std::string list = fields[fields.size() - 2];
            std::ranges::replace(list, ',', ' ');
            for (const std::string& dscp : fieldsOf(list))
                if (isNumber(dscp)) found.dscpPriorities.push_back(dscp + ":" + fields.back());
            continue;
        }
        if (!std::isspace(static_cast<unsigned char>(line.text.front()))) section = fields[0];
        const std::string value = fields.size() > 1 ? fields[1] : std::string();
        const auto take = [&](std::string_view key, std::string_view under, std::string& into) {
            if (fields[0] != key || (!under.empty() && section != under)) return;
            if (!first) first = &line;
            into = value;
        };
        take("enable", {}, found.enable), take("state", {}, found.enable), take("mode", {}, found.mode);
        take("pfc-priority", {}, found.priority), take("trust-mode", {}, found.trust), take("enabled-tc", {}, found.classes);
    }
    if (first) addNvueRoce(found, output.device, output.at(*first), items);
    return unread;
}

} // namespace

std::optional<UnreadLines> readSwitchOutput(const CommandOutput& output, Items& items)
{
    for (const auto reader : {sonicPfc, sonicStatus, nxosPfc, nvueTable, nxosPolicy})
        if (auto unread = reader(output, items)) return unread;
    return std::nullopt;
}

} // namespace hw::importers

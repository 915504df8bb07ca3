// SPDX-License-Identifier: GPL-3.0-or-later
// What hosts print of their NICs, PCIe devices and GPUs.
#include "importers/configuration/outputs.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

namespace hw::importers {

namespace {

using Line = CommandOutput::Line;

bool anyLine(const CommandOutput& output, std::string_view word)
{
    return std::ranges::any_of(output.lines, [&](const Line& line) { return line.text.find(word) != std::string::npos; });
}

void add(const CommandOutput& output, const Line& line, std::string port, std::string item, std::string value, Items& items)
{
    if (!value.empty()) items.push_back({output.device, std::move(port), std::move(item), std::move(value), output.at(line)});
}

/// "1a:00.0" or "00000000:1A:00.0" → "0000:1a:00.0"; empty: no address.
std::string busAddress(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    const auto hex = [](std::string_view part, std::size_t least, std::size_t most) {
        return part.size() >= least && part.size() <= most && std::ranges::all_of(part, [](unsigned char c) { return std::isxdigit(c) != 0; });
    };
    const auto dot = text.rfind('.'), colon = text.rfind(':');
    if (dot == text.npos || colon == text.npos || dot < colon || dot + 2 != text.size() || !hex(text.substr(dot + 1), 1, 1)) return {};
    if (!hex(std::string_view(text).substr(colon + 1, dot - colon - 1), 2, 2)) return {};
    std::string_view head = std::string_view(text).substr(0, colon);
    std::string_view domain = "0000";
    if (const auto first = head.find(':'); first != head.npos) domain = head.substr(0, first), head = head.substr(first + 1);
    if (!hex(head, 2, 2) || !hex(domain, 4, 8)) return {};
    return fmt::format("{}:{}", domain.substr(domain.size() - 4), text.substr(colon - 2));
}

/// "400000Mb/s" → "400"; "Unknown!" as it is, so that it differs
std::string gbpsOf(const std::string& text)
{
    std::size_t digits = 0;
    while (digits < text.size() && digits < 9 && std::isdigit(static_cast<unsigned char>(text[digits]))) ++digits;
    if (digits == 0 || !text.substr(digits).starts_with("Mb/s")) return text;
    return fmt::format("{:g}", std::stod(text.substr(0, digits)) / 1000);
}

void readEthtool(const CommandOutput& output, Items& items)
{
    std::string settings, pause;
    for (const Line& line : output.lines) {
        const std::string text = trimmedText(line.text);
        if (text.starts_with("Settings for ")) { // no text
            settings = trimmedText(text.substr(13));
            if (settings.ends_with(':')) settings.pop_back();
        }
        if (text.starts_with("Pause parameters for ")) { // no text
            pause = trimmedText(text.substr(21));
            if (pause.ends_with(':')) pause.pop_back();
        }
        if (const auto speed = valueAfter(text, "Speed"); speed && !settings.empty())
            add(output, line, settings, "nic.speed_gbps", gbpsOf(*speed), items);
        if (const auto rx = valueAfter(text, "RX"); rx && !pause.empty()) add(output, line, pause, "pause.rx", *rx, items);
        if (const auto tx = valueAfter(text, "TX"); tx && !pause.empty()) add(output, line, pause, "pause.tx", *tx, items);
    }
}

void readEthtoolDriver(const CommandOutput& output, Items& items, UnreadLines& unread)
{
    const std::string port = output.interface();
    if (port.empty()) return;
    std::string driver;
    for (const Line& line : output.lines) {
        const std::string text = trimmedText(line.text);
        if (const auto name = valueAfter(text, "driver")) driver = *name;
        if (const auto version = valueAfter(text, "version")) add(output, line, port, "nic.driver", driver + " " + *version, items);
        if (const auto firmware = valueAfter(text, "firmware-version"))
            add(output, line, port, "nic.firmware", firmware->substr(0, firmware->find(' ')), items); // "28.39.1002 (MT_0000000838)"
        if (const auto bus = valueAfter(text, "bus-info")) {
            if (busAddress(*bus).empty()) unread.push_back(&line);
            add(output, line, port, std::string(configuration::kBusItem), busAddress(*bus), items);
        }
    }
}

/// "3: enp1s0np0: <BROADCAST,UP> mtu 9000 qdisc …"
void readIpLink(const CommandOutput& output, Items& items)
{
    for (const Line& line : output.lines) {
        const auto fields = fieldsOf(line.text);
        const auto mtu = std::ranges::find(fields, "mtu");
        if (fields.size() < 4 || mtu == fields.end() || mtu + 1 == fields.end() || !fields[0].ends_with(':') || !fields[1].ends_with(':')) continue;
        std::string name = fields[1].substr(0, fields[1].size() - 1);
        name = name.substr(0, name.find('@'));
        if (name != "lo") add(output, line, name, "mtu", *(mtu + 1), items);
    }
}

void readMlnxQos(const CommandOutput& output, Items& items, UnreadLines& unread)
{
    const std::string port = output.interface();
    if (port.empty()) return;
    std::vector<std::string> priorities;
    for (const Line& line : output.lines) {
        const std::string text = trimmedText(line.text);
        for (const char* name : {"Priority trust state", "Priority trust mode"}) // no text
            if (const auto trust = valueAfter(text, name)) add(output, line, port, "qos.trust", *trust, items);
        auto fields = fieldsOf(text);
        if (fields.size() < 2) continue;
        if (fields[0].ends_with(':')) fields[0].pop_back(); // "enabled:"
        if (fields[0] == "priority") priorities.assign(fields.begin() + 1, fields.end());
        if (fields[0] == "enabled" && priorities.size() + 1 != fields.size()) unread.push_back(&line);
        if (fields[0] == "enabled" && priorities.size() + 1 == fields.size()) {
            std::string on;
            for (std::size_t i = 1; i < fields.size(); ++i)
                if (fields[i] == "1") on += (on.empty() ? "" : ",") + priorities[i - 1];
            add(output, line, port, "pfc.priorities", on.empty() ? "none" : on, items);
        }
    }
}

void readLspci(const CommandOutput& output, Items& items, UnreadLines& unread)
{
    std::string bus;
    bool nic = false, bridge = false, acs = false;
    const Line *acsAt = nullptr, *denied = nullptr;
    for (const Line& line : output.lines) {
        const std::string text = trimmedText(line.text);
        if (!line.text.empty() && !std::isspace(static_cast<unsigned char>(line.text.front()))) {
            const auto fields = fieldsOf(line.text);
            bus = fields.empty() ? std::string() : busAddress(fields.front());
            nic = !bus.empty() && (text.find("Infiniband controller:") != text.npos || text.find("Ethernet controller:") != text.npos); // no text
            bridge = !bus.empty() && text.find("PCI bridge:") != text.npos;                                                             // no text
            continue;
        }
        if (text.find("<access denied>") != text.npos && (nic || bridge) && !denied) denied = &line; // of another user than root
        if (const auto control = valueAfter(text, "ACSCtl"); control && bridge) {
            const bool on = control->find("SrcValid+") != control->npos;
            if (!acsAt || (on && !acs)) acsAt = &line;
            acs = acs || on;
        }
        if (!nic) continue;
        if (const auto node = valueAfter(text, "NUMA node")) add(output, line, "pci " + bus, "nic.numa", *node, items); // no text
        if (const auto state = valueAfter(text, "LnkSta")) { // "Speed 32GT/s (ok), Width x16 (ok)"
            if (state->find("Speed ") == state->npos || state->find("GT/s") == state->npos || state->find("Width x") == state->npos)
                unread.push_back(&line);
            const auto speed = state->find("Speed "), rate = state->find("GT/s"), width = state->find("Width x");
            if (speed != state->npos && rate != state->npos && rate > speed)
                add(output, line, "pci " + bus, "nic.pcie.gts", state->substr(speed + 6, rate - speed - 6), items);
            if (width != state->npos) {
                std::string lanes;
                for (std::size_t i = width + 7; i < state->size() && std::isdigit(static_cast<unsigned char>((*state)[i])); ++i) lanes += (*state)[i];
                add(output, line, "pci " + bus, "nic.pcie.width", lanes, items);
            }
        }
    }
    if (acsAt) add(output, *acsAt, {}, "pcie.acs", acs ? "on" : "off", items);
    if (denied) unread.push_back(denied);
}

/// Sections by their indentation: "ECC Mode" › "Current : Enabled".
void readNvidiaSmi(const CommandOutput& output, Items& items)
{
    int gpu = 0;
    std::vector<std::pair<std::size_t, std::string>> sections;
    const auto within = [&](std::string_view name) { return std::ranges::any_of(sections, [&](const auto& one) { return one.second == name; }); };
    for (const Line& line : output.lines) {
        const auto indent = line.text.find_first_not_of(" \t");
        if (indent == std::string::npos) continue;
        const std::string text = trimmedText(line.text);
        if (indent == 0 && text.starts_with("GPU ")) {
            ++gpu;
            sections.clear();
            continue;
        }
        while (!sections.empty() && sections.back().first >= indent) sections.pop_back();
        const auto colon = text.find(" : ");
        if (colon == text.npos) {
            sections.emplace_back(indent, text);
            continue;
        }
        const std::string key = trimmedText(text.substr(0, colon)), value = trimmedText(text.substr(colon + 3));
        if (value.empty() || value == "N/A" || value == "[N/A]") continue;
        const std::string element = gpu > 0 ? fmt::format("gpu{}", gpu - 1) : std::string();
        if (gpu == 0) {
            if (key == "Driver Version") add(output, line, {}, "gpu.driver", value, items);
            if (key == "Attached GPUs") add(output, line, {}, "gpu.count", value, items);
            continue;
        }
        if (key == "Persistence Mode") add(output, line, element, "gpu.persistence", value, items);
        if (key == "VBIOS Version") add(output, line, element, "gpu.vbios", value, items);
        if (key == "Current" && within("MIG Mode")) add(output, line, element, "gpu.mig", value, items);
        if (key == "Current" && within("ECC Mode")) add(output, line, element, "gpu.ecc", value, items);
        if (key == "Current" && within("Link Width")) add(output, line, element, "gpu.pcie.width", value.substr(0, value.find('x')), items);
        if (key == "State" && within("Fabric")) add(output, line, element, "gpu.fabric", value, items);
        if (key == "Status" && within("Fabric")) add(output, line, element, "gpu.fabric.status", value, items);
    }
}

/// `nvidia-smi nvlink --status`: "GPU 0: NVIDIA H100 80GB HBM3 (UUID: …)", then "Link 0: 26.562 GB/s" or "Link 3: <inactive>".
void readNvlink(const CommandOutput& output, Items& items)
{
    const Line* gpu = nullptr;
    std::string element;
    double sum = 0;
    const auto end = [&] {
        if (gpu) add(output, *gpu, element, "nvlink.gbytes_per_s", fmt::format("{:g}", std::round(sum * 1000) / 1000), items);
    };
    for (const Line& line : output.lines) {
        const std::string text = trimmedText(line.text);
        int number = 0;
        if (std::sscanf(text.c_str(), "GPU %d:", &number) == 1) {
            end();
            gpu = &line, element = fmt::format("gpu{}", number), sum = 0;
        }
        double rate = 0;
        if (gpu && std::sscanf(text.c_str(), "Link %d: %lf GB/s", &number, &rate) == 2 && std::isfinite(rate)) sum += rate;
    }
    end();
}

/// "export NCCL_IB_TC=104"
bool readEnvironment(const CommandOutput& output, Items& items, UnreadLines& unread)
{
    bool found = false;
    for (const Line& line : output.lines) {
        std::string text = trimmedText(line.text);
        if (text.starts_with("export ")) text = trimmedText(text.substr(7));
        const auto equals = text.find('=');
        if (!(text.starts_with("NCCL_") || text.starts_with("TCCL_"))) continue;
        if (equals == text.npos) {
            unread.push_back(&line);
            continue;
        }
        std::string value = text.substr(equals + 1);
        if (value.size() > 1 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front())
            value = value.substr(1, value.size() - 2);
        add(output, line, {}, "nccl." + text.substr(0, equals), value, items);
        found = true;
    }
    return found;
}

} // namespace

std::optional<UnreadLines> readHostOutput(const CommandOutput& output, Items& items)
{
    UnreadLines unread;
    if (anyLine(output, "NVSMI LOG"))
        readNvidiaSmi(output, items);
    else if (anyLine(output, "GPU 0:") && anyLine(output, "Link 0:")) // no text
        readNvlink(output, items);
    else if (anyLine(output, "firmware-version:") && anyLine(output, "bus-info:"))
        readEthtoolDriver(output, items, unread);
    else if (anyLine(output, "Settings for ") || anyLine(output, "Pause parameters for ")) // no text
        readEthtool(output, items);
    else if (anyLine(output, "Priority trust ") || anyLine(output, "PFC configuration:")) // no text
        readMlnxQos(output, items, unread);
    else if (anyLine(output, "LnkSta:") || anyLine(output, "ACSCtl:") || anyLine(output, "<access denied>"))
        readLspci(output, items, unread);
    else if (anyLine(output, "> mtu "))
        readIpLink(output, items);
    else if (!readEnvironment(output, items, unread))
        return std::nullopt;
    return unread;
}

} // namespace hw::importers

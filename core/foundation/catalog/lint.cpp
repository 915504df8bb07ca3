// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/sockets.h"
#include "core/foundation/catalog/yaml_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <regex>
#include <set>

namespace hw::catalog {
namespace {

/// "P22.1" → skeleton "P#.#" and numbers {22, 1}.
struct NumberedName {
    std::string skeleton;
    std::vector<int> numbers;
};

NumberedName splitName(const std::string& name)
{
    NumberedName result;
    for (std::size_t i = 0; i < name.size();) {
        if (name[i] < '0' || name[i] > '9') {
            result.skeleton += name[i++];
            continue;
        }
        int value = 0;
        for (; i < name.size() && name[i] >= '0' && name[i] <= '9' && value < 1'000'000; ++i) value = value * 10 + (name[i] - '0');
        result.skeleton += '#';
        result.numbers.push_back(value);
    }
    return result;
}

/// Names of one skeleton should fill a grid: sw1p1 … sw72p2. Reports how many places of it are empty.
Text gapIn(const std::string& skeleton, const std::set<std::vector<int>>& members)
{
    std::vector<std::set<int>> axes(members.begin()->size());
    for (const auto& numbers : members)
        for (std::size_t i = 0; i < axes.size(); ++i) axes[i].insert(numbers[i]);
    std::size_t full = 1;
    for (const auto& axis : axes) {
        const auto span = std::size_t(*axis.rbegin() - *axis.begin()) + 1;
        if (span > 4096 || (full *= span) > 65536) return {};
    }
    if (full == members.size() || members.size() * 2 < full) return {}; // sparse numbers are no series
    return i18n("{} of {} ports of series {} are missing", full - members.size(), full, skeleton);
}

void lintSeries(const DeviceSpec& device, const std::string& where, std::vector<LintIssue>& lint)
{
    std::map<std::string, std::set<std::vector<int>>> series;
    for (const auto& port : device.interfaces) {
        auto split = splitName(port.name);
        if (!split.numbers.empty() && split.numbers.size() <= 3) series[split.skeleton].insert(std::move(split.numbers));
    }
    for (const auto& [skeleton, members] : series)
        if (auto gap = gapIn(skeleton, members); !gap.empty()) lint.push_back({where + " interfaces", std::move(gap)});
}

/// The largest "x kW" that the text of the type speaks of, in mW.
Milliwatts powerInText(const std::string& text)
{
    static const std::regex kPattern(R"(([0-9]+(?:\.[0-9]+)?)\s*kW)", std::regex::icase);
    Milliwatts most;
    for (auto it = std::sregex_iterator(text.begin(), text.end(), kPattern); it != std::sregex_iterator(); ++it)
        most = std::max(most, Milliwatts(std::int64_t(std::stod((*it)[1]) * 1e6)));
    return most;
}

void lintSupplies(const Part& part, const DeviceSpec& device, const std::string& comments, const std::string& where, std::vector<LintIssue>& lint)
{
    Milliwatts supplies;
    for (const auto& inlet : device.inlets) {
        if (inlet.maximumDraw.count() == 0) return; // unstated: nothing to compare
        supplies += inlet.maximumDraw;
    }
    if (device.inlets.empty()) return;
    const bool feeds = !device.outlets.empty();
    const auto said = device.capacity.value.count() > 0 ? Milliwatts() : powerInText(part.description + " " + comments);
    const auto draw = std::max(feeds ? device.capacity.value : device.nameplate.value, said);
    if (supplies < draw)
        lint.push_back({where + " power-ports", i18n("power supplies provide {:.0f} W, but the draw is {:.0f} W", toWatts(supplies), toWatts(draw))});
}

void lintLegs(const DeviceSpec& device, const std::string& where, std::vector<LintIssue>& lint)
{
    std::set<char> legs;
    for (const auto& outlet : device.outlets) legs.insert(outlet.leg);
    if (device.outlets.size() >= 3 && legs.size() == 1 && *legs.begin() != 0)
        lint.push_back({where + " power-outlets", i18n("all outlets specify leg {}, which carries no information", std::string(1, *legs.begin()))});
    const auto on = [&](char leg) { return std::ranges::count(device.outlets, leg, &PowerOutlet::leg); };
    const auto [low, high] = std::minmax({on('A'), on('B'), on('C')});
    if (legs.size() > 1 && high > 2 * low)
        lint.push_back({where + " power-outlets", i18n("legs are unbalanced: {} outlets on one, {} on another", high, low)});
}

/// A server with more data ports than its accelerators and NICs can use is most likely a copied switch.
void lintPorts(const DeviceSpec& device, const std::string& where, std::vector<LintIssue>& lint)
{
    std::int64_t sum = 0;
    for (const auto& port : device.interfaces)
        if (!port.management && takesCable(port)) sum += port.rate.count();
    if (device.switching.value.count() > 0 && sum > device.switching.value.count())
        lint.push_back({where + " interfaces", i18n("ports total {} Gb/s, switch chip {} Gb/s", sum, device.switching.value.count())});
    const auto data = std::ranges::count_if(
        device.interfaces, [](const Interface& port) { return !port.management && takesCable(port) && port.slug != "other"; }); // other: a backplane
    if (device.accelerators > 0 && data > 4 * device.accelerators)
        lint.push_back({where + " interfaces", i18n("{} data ports for {} accelerators", data, device.accelerators)});
}

} // namespace

void lintDevice(const Part& part, const std::string& comments, const std::string& where, std::vector<LintIssue>& lint)
{
    const auto& device = std::get<DeviceSpec>(part.spec);
    if (device.halfUnits > 0 && device.weight.value.count() == 0) lint.push_back({where + " weight", i18n("no weight given")});
    if (device.halfUnits > 0 && device.airflow.empty()) lint.push_back({where + " airflow", i18n("no airflow given")});
    lintSeries(device, where, lint);
    lintSupplies(part, device, comments, where, lint);
    lintLegs(device, where, lint);
    lintPorts(device, where, lint);
    lintCooling(part, where, lint);
}

} // namespace hw::catalog

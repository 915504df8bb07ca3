// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/spelling.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hw {

namespace {

constexpr std::pair<std::string_view, std::string_view> kSpellings[] = {
    {"catalog", "catalogue"}, // a panel in the kept layout of the window
    {"cabling.service_loop_mm", "rule.k8.loop_mm"},
    {"cost.utilization_percent", "cost.utilisation_percent"},
    {"feed_liters", "feed_litres"},
    {"fibers", "fibres"},
    {"gpu-utilization", "gpu-utilisation"},
    {"links_by_utilization", "links_by_utilisation"},
    {"liters", "litres"},
    {"live-utilization", "live-utilisation"},
    {"minimized", "minimised"},
    {"per_meter", "per_metre"},
    {"polarization", "polarisation"},
    {"price_per_meter", "price_per_metre"},
    {"rail-optimized-2", "rail-optimised-2"},
    {"rail-optimized-3", "rail-optimised-3"},
    {"utilization", "utilisation"},
    {"utilization_alone", "utilisation_alone"},
    {"utilization_max", "utilisation_max"},
    {"utilization_mean", "utilisation_mean"},
};

} // namespace

std::string_view otherSpelling(std::string_view name)
{
    for (const auto& [american, british] : kSpellings) {
        if (name == american) return british;
        if (name == british) return american;
    }
    return {};
}

std::string_view formerName(std::string_view name)
{
    const auto* found = std::ranges::find(kSpellings, name, &std::pair<std::string_view, std::string_view>::first);
    return found == std::end(kSpellings) ? std::string_view() : found->second;
}

bool sameName(std::string_view a, std::string_view b) { return a == b || (!b.empty() && otherSpelling(a) == b); }

} // namespace hw

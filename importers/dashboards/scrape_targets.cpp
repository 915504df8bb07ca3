// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/dashboards/scrape_targets.h"

#include "core/derived/cooling/chain.h"
#include "core/design/addressing/address_plan.h"
#include "core/foundation/model/places.h"

#include <unordered_map>

#include <fmt/format.h>

namespace hw::importers {

namespace {

/// The jobs that ask a device: name and port of the exporter, 0 where it is asked over SNMP.
std::vector<std::pair<const char*, int>> jobsOf(const Snapshot& s, const DeviceSpec& spec, DeviceId id)
{
    switch (s.tiers.kind[s.devices.tier[id]]) {
    case TierKind::Server: return {{"dcgm", kDcgmPort}, {"node", kNodePort}, {"ipmi", kIpmiPort}};
    case TierKind::Switch: return {{"snmp-switch", 0}};
    default: break;
    }
    switch (spec.power.element) {
    case PowerElement::Pdu:
    case PowerElement::Shelf: return {{"snmp-pdu", 0}};
    case PowerElement::Ups: return {{"snmp-ups", 0}};
    case PowerElement::None: break;
    default: return {{"snmp-power", 0}};
    }
    const CoolingElement cooling = coolingElement(spec);
    const bool passive = cooling == CoolingElement::None || cooling == CoolingElement::Manifold || cooling == CoolingElement::Header;
    return passive ? std::vector<std::pair<const char*, int>>() : std::vector<std::pair<const char*, int>>{{"snmp-cooling", 0}};
}

std::map<std::string, std::string> placeLabels(const Snapshot& s, DeviceId id)
{
    std::map<std::string, std::string> labels;
    const auto put = [&](const char* name, const std::string& value) {
        if (!value.empty()) labels.emplace(name, value);
    };
    if (const auto hall = hallOf(s, id)) put("hall", s.halls.name[*hall]);
    if (const auto row = rowOf(s, id)) put("row", s.rows.name[*row]);
    if (const auto rack = s.devices.rack[id]) put("rack", s.racks.name[*rack]);
    if (s.devices.rack[id] && s.devices.u[id] > 0) put("u", std::to_string(s.devices.u[id]));
    if (const auto side = s.devices.side[id]; side != PowerSide::None) put("feed", std::string(1, char('A' + int(side) - 1)));
    put("tier", s.tiers.name[s.devices.tier[id]]);
    for (const auto& [name, value] : {std::pair("pod", s.devices.pod[id]), std::pair("segment", s.devices.segment[id]),
                                      std::pair("rail", s.devices.rail[id]), std::pair("plane", s.devices.plane[id])})
        if (value >= 0) put(name, std::to_string(value + 1)); // names count from 1
    return labels;
}

} // namespace

Result<std::vector<ScrapeTarget>> scrapeTargets(const Figures& design, bool byAddress, const Progress& progress)
{
    const Snapshot& s = *design.snapshot;
    std::unordered_map<std::uint32_t, std::string> addresses;
    if (byAddress) {
        const auto plan = planAddresses(s, progress);
        if (!plan) return tl::unexpected(plan.error());
        for (const auto& one : plan->management) addresses.emplace(one.device.value, addressText(one.v4, IpFamily::V4));
    }
    std::vector<ScrapeTarget> out;
    s.devices.forEach([&](DeviceId id) {
        const auto jobs = jobsOf(s, design.parts->device(s.devices.type[id]), id);
        if (jobs.empty()) return;
        const auto found = addresses.find(id.value);
        if (byAddress && found == addresses.end()) return; // without a port for management
        const std::string address = byAddress ? found->second : s.devices.name[id];
        auto labels = placeLabels(s, id);
        if (byAddress) labels.emplace("device", s.devices.name[id]);
        for (const auto& [job, port] : jobs) out.push_back({id, port > 0 ? fmt::format("{}:{}", address, port) : address, job, labels});
    });
    return out;
}

} // namespace hw::importers

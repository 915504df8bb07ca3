// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/netbox/inventory/design_writer.h"
#include "importers/netbox/inventory/values.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::importers::netbox_in {

void DesignWriter::addCooling()
{
    std::size_t links = 0;
    const auto join = [&](std::optional<PortId> in, std::optional<PortId> out) {
        if (in && out && !isUsed(*in) && !isUsed(*out) && m_s.ports.device[*in] != m_s.ports.device[*out])
            use(m_build.cabledLink({.from = *in, .to = *out})), ++links;
    };
    std::map<std::pair<std::string, std::string>, std::size_t> outflows;
    std::map<std::int64_t, std::size_t> byId;
    for (std::size_t i = 0; i < m.of(PortKind::Outflow).size(); ++i) {
        const Port& port = m.of(PortKind::Outflow)[i];
        outflows.emplace(std::pair(m.devices[port.ofDevice].name, port.name), i);
        if (port.id != 0) byId.emplace(port.id, i);
    }
    std::map<std::size_t, std::vector<std::size_t>> roots; // intakes that nothing feeds, by rack
    for (std::size_t i = 0; i < m.of(PortKind::Intake).size(); ++i) {
        const Port& port = m.of(PortKind::Intake)[i];
        std::size_t from = kNone;
        if (const auto known = byId.find(port.outflow.id); port.outflow.id != 0 && known != byId.end()) from = known->second;
        if (const auto named = outflows.find({port.outflowDevice, port.outflow.name}); from == kNone && named != outflows.end()) from = named->second;
        if (from != kNone)
            join(endOf({PortKind::Intake, i}, 0), endOf({PortKind::Outflow, from}, 0));
        else if (const std::size_t rack = m.devices[port.ofDevice].inRack; rack != kNone)
            roots[rack].push_back(i);
    }
    for (std::size_t s = 0; s < m.coolingSources.size(); ++s) {
        std::vector<std::size_t> intakes;
        for (const CoolingFeed& feed : m.coolingFeeds)
            if (feed.ofSource == s && feed.inRack != kNone) {
                if (m_names.end() != std::ranges::find(m_names, m.coolingSources[s].name)) continue;
                auto& own = roots[feed.inRack];
                intakes.insert(intakes.end(), own.begin(), own.end());
                own.clear(); // the first feed of a rack takes them
            }
        if (m_names.end() != std::ranges::find(m_names, m.coolingSources[s].name)) continue; // a device, too, with outflows of its own
        const auto supply = addSource(m.coolingSources[s], intakes.size());
        if (!supply) continue;
        for (std::size_t n = 0; n < intakes.size(); ++n) join(endOf({PortKind::Intake, intakes[n]}, 0), portAt(supply->id, std::uint16_t(n), 0));
    }
    if (!m.coolingSources.empty() || links > 0)
        m.facts.push_back(i18n("{}, {}", i18np(m.coolingSources.size(), "{:L} cooling source", "{:L} cooling sources"),
                               i18np(links, "{:L} coolant link", "{:L} coolant links")));
}

std::optional<DesignWriter::Supply> DesignWriter::addSource(const CoolingSource& source, std::size_t ways)
{
    const bool air = source.type == "crac" || source.type == "crah";
    const std::string element = source.type == "cooling-tower" ? "tower" : source.type == "crac" ? "crah" : source.type;
    const bool known = element == "chiller" || element == "tower" || element == "dry-cooler" || element == "crah";
    const std::string head = fmt::format(
        "manufacturer: Generic\nmodel: \"Cooling source ({}), {:.0f} kW\"\nslug: {{SLUG}}\nu_height: 0\nis_full_depth: true\n", // no text: YAML
        known ? element : "other", source.kilowatts);
    std::string side =
        "kind: device\nslug: {SLUG}\n" + sizeFact("width", 2'000) + sizeFact("depth", 1'200) + sizeFact("height", 2'000); // no text: YAML
    if (source.kilowatts > 0)
        side += fmt::format("capacity: {{value: {:.0f}, unit: kW, source: \"NetBox: cooling_capacity\", confidence: B}}\n", // no text: YAML
                            source.kilowatts);                                                                              // no text: YAML
    side += fmt::format("removes: {}\ncooling:\n", air ? "air" : "liquid");
    side += fmt::format("  element: {}\n", known ? element : "exchanger");
    if (ways > 0 && !air) {
        side += "  ports:\n";
        for (std::size_t n = 1; n <= std::min<std::size_t>(ways, 500); ++n)
            side += fmt::format("    - {{name: feed-{}, feeds: true}}\n", n); // no text: YAML
    }
    const std::string slug = slugOf(fmt::format("cooling-source-{}-{:.0f}kw-{}", known ? element : "other", source.kilowatts, air ? 0 : ways));
    return addSupply(source.name, "cooling-source", TierKind::Cooling, m_parts.made(slug, head, side, source.where), source.inSite,
                     source.inLocation);
}

} // namespace hw::importers::netbox_in

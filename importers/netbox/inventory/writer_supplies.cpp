// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/netbox/inventory/design_writer.h"
#include "importers/netbox/inventory/values.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::importers::netbox_in {

TierId DesignWriter::supplyTier(const char* name, TierKind kind)
{
    const std::size_t at = tierOf(name, kind);
    if (!m_tiers[at].id) writeTier(m_tiers[at]);
    return *m_tiers[at].id;
}

std::optional<DesignWriter::Supply> DesignWriter::addSupply(const std::string& name, const char* tierName, TierKind kind,
                                                            std::shared_ptr<const Part> part, std::size_t site, std::size_t location)
{
    if (!part) return std::nullopt;
    if (const auto known = m_known.find(name); known != m_known.end()) return Supply{known->second, partOf(m_s.devices.type[known->second]), 1};
    const TierId tier = supplyTier(tierName, kind);
    const auto& spec = std::get<DeviceSpec>(part->spec);
    NewDevice row{.name = name, .tier = tier, .type = m_build.partType(*part), .role = DeviceRole::Support};
    row.index = m_tiers[tierOf(tierName, kind)].next++;
    if (const auto hall = m_places.hall(site, location))
        if (const auto at = m_places.besides(*hall, std::max(spec.width.value.count(), 300), std::max(spec.depth.value.count(), 300)))
            row.hall = *hall, row.x = Millimeters(at->first), row.y = Millimeters(at->second);
    const DeviceId id = m_build.device(std::move(row));
    m_known.emplace(name, id);
    m_build.allPorts(id, spec, kind, {});
    return Supply{id, part, 1};
}

std::string DesignWriter::sizeFact(const char* key, int mm)
{
    return fmt::format("{}: {{value: {}, unit: mm, source: assumed, confidence: C}}\n", key, mm); // no text: YAML
}

void DesignWriter::addSupplies()
{
    std::vector<std::vector<std::size_t>> ofPanel(m.panels.size());
    for (std::size_t i = 0; i < m.feeds.size(); ++i) ofPanel[m.feeds[i].ofPanel].push_back(i);
    m_feeds.resize(m.feeds.size());
    const bool sided = std::ranges::any_of(m.feeds, [](const PowerFeed& feed) { return feed.type == "redundant"; });
    for (std::size_t p = 0; p < m.panels.size(); ++p) {
        const PowerPanel& panel = m.panels[p];
        std::ranges::sort(ofPanel[p], [&](std::size_t a, std::size_t b) { return naturalLess(m.feeds[a].name, m.feeds[b].name); });
        if (addKnownPanel(panel, ofPanel[p])) continue;
        std::string head =
            fmt::format("manufacturer: Generic\nmodel: {}\nslug: {{SLUG}}\nu_height: 0\nis_full_depth: true\ndescription: \"Power " // no text: YAML
                        "panel of NetBox\"\n",                                                                                      // no text: YAML
                        Json("Power panel " + panel.name).dump(-1, ' ', false, Json::error_handler_t::replace));                    // no text: YAML
        if (!ofPanel[p].empty()) head += "power-outlets:\n";
        for (std::size_t n = 1; n <= ofPanel[p].size(); ++n) head += fmt::format("  - {{name: \"{}\", type: hardwired}}\n", n); // no text: YAML
        const std::string side = "kind: device\nslug: {SLUG}\n" + sizeFact("width", 800) + sizeFact("depth", 400) +             // no text: YAML
                                 sizeFact("height", 2000) +                                                                     // no text: YAML
                                 "power:\n  element: utility\n";                                                                // no text: YAML
        const auto board = addSupply(panel.name, "power-panel", TierKind::Power,
                                     m_parts.made(slugOf("power-panel-" + std::to_string(ofPanel[p].size())), head, side, panel.where), panel.inSite,
                                     panel.inLocation);
        if (!board) continue;
        for (std::size_t n = 0; n < ofPanel[p].size(); ++n) addFeed(ofPanel[p][n], *board, n, sided);
    }
    if (!m.panels.empty())
        m.facts.push_back(i18np(m.panels.size(), "{:L} power panel: modeled as a power source because NetBox has no equipment upstream of it",
                                "{:L} power panels: modeled as power sources because NetBox has no equipment upstream of them"));
}

bool DesignWriter::addKnownPanel(const PowerPanel& panel, const std::vector<std::size_t>& feeds)
{
    const auto id = m_build.findPartType(panel.description);
    const auto part = id ? partOf(*id) : m_catalog.share(panel.description);
    const auto* spec = part ? std::get_if<DeviceSpec>(&part->spec) : nullptr;
    if (!spec || spec->power.element != PowerElement::Utility) return false;
    std::vector<std::uint16_t> outlets;
    for (const std::size_t feed : feeds) {
        const auto at = std::ranges::find(spec->outlets, m.feeds[feed].name, &PowerOutlet::name);
        if (at == spec->outlets.end()) return false;
        outlets.push_back(std::uint16_t(spec->interfaces.size() + spec->inlets.size() + std::size_t(at - spec->outlets.begin())));
    }
    const auto board = addSupply(panel.name, "utility", TierKind::Power, part, panel.inSite, panel.inLocation);
    if (!board) return false;
    for (std::size_t n = 0; n < feeds.size(); ++n) m_feeds[feeds[n]] = Supply{board->id, part, outlets[n]};
    return true;
}

void DesignWriter::addFeed(std::size_t i, const Supply& board, std::size_t number, bool sided)
{
    const PowerFeed& feed = m.feeds[i];
    const bool three = feed.phase.starts_with("three");
    const double apparent = feed.voltage * feed.amperage * (three ? 1.732 : 1), share = feed.maxUtilization > 0 ? feed.maxUtilization : 80;
    const std::string slug = slugOf(fmt::format("power-feed-{:.0f}v-{:.0f}a-{}-{:.0f}", feed.voltage, feed.amperage,
                                                three                 ? "3ph"
                                                : feed.supply == "dc" ? "dc"
                                                                      : "1ph",
                                                share));
    const std::string head = fmt::format(
        "manufacturer: Generic\nmodel: \"Power feed {:.0f} V {:.0f} A\"\nslug: {{SLUG}}\nu_height: 0\nis_full_depth: false\n" // no text: YAML
        "power-ports:\n  - {{name: in, type: {}}}\npower-outlets:\n  - {{name: out, type: hardwired, power_port: in}}\n",
        feed.voltage, feed.amperage, feed.supply == "dc" ? "dc-terminal" : "hardwired");
    std::string side = "kind: device\nslug: {SLUG}\n" + sizeFact("width", 200) + sizeFact("depth", 200) + sizeFact("height", 300); // no text: YAML
    if (apparent >= 1)
        side += fmt::format(
            "capacity: {{value: {:.0f}, unit: W, source: \"NetBox: voltage x amperage x max_utilization\", confidence: B}}\n", // no text: YAML
            apparent * share / 100);
    side += "power:\n  element: switchboard\n"; // no text: YAML
    if (apparent >= 1)
        side += fmt::format("  apparent: {{value: {:.0f}, unit: VA, source: \"NetBox: voltage x amperage\", confidence: B}}\n" // no text: YAML
                            "  continuous: {{value: {:.0f}, unit: \"%\", source: \"NetBox: max_utilization\", confidence: B}}\n",
                            apparent, share);
    const PowerPanel& panel = m.panels[feed.ofPanel];
    m_feeds[i] = addSupply(panel.name + "/" + feed.name, "power-feed", TierKind::Power, m_parts.made(slug, head, side, feed.where), panel.inSite,
                           panel.inLocation);
    if (!m_feeds[i]) return;
    if (sided && m_s.devices.side[m_feeds[i]->id] == PowerSide::None)
        m_s.devices.side.set(m_feeds[i]->id, feed.type == "redundant" ? PowerSide::B : PowerSide::A);
    const auto in = portAt(m_feeds[i]->id, 0, 0), out = portAt(board.id, std::uint16_t(number), 0);
    if (in && out && !isUsed(*in) && !isUsed(*out)) use(m_build.cabledLink({.from = *in, .to = *out}));
}

} // namespace hw::importers::netbox_in

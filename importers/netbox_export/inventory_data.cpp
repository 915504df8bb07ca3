// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/topology/cable_runs.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/catalog/slugs.h"
#include "core/foundation/catalog/sockets.h"
#include "importers/netbox_export/inventory_maker.h"

#include <fmt/format.h>

namespace hw::netbox {

void InventoryMaker::makeComponentIndex()
{
    m_cablesOfCage.resize(m_s.cages.nextId());
    const CableRuns& runs = m_f.cabling->runs();
    m_s.links.forEach([&](LinkId link) {
        if (m_s.ports.medium[m_s.links.from[link]] != Medium::Data) return;
        const auto own = runs.of(link);
        const auto first = m_s.links.cable[link];
        const auto last = own.empty() ? first : Maybe<CableId>(m_s.runs.cable[own.back()]);
        const auto put = [&](PortId port, Maybe<CableId> cable) {
            if (!cable) return;
            auto& all = m_cablesOfCage[m_s.ports.cage[port].value];
            const auto found = std::ranges::find(all, *cable, &std::pair<CableId, PortId>::first);
            if (found == all.end())
                all.emplace_back(*cable, port);
            else if (m_s.ports.lane[port] < m_s.ports.lane[found->second])
                found->second = port;
        };
        put(m_s.links.from[link], first), put(m_s.links.to[link], last);
    });
}

Termination InventoryMaker::interfaceOf(PortId port, CableId cable)
{
    const CageId cage = m_s.ports.cage[port];
    const DeviceId device = m_s.ports.device[port];
    const DeviceSpec& spec = m_parts.device(m_s.devices.type[device]);
    const std::size_t number = m_s.cages.number[cage];
    const auto& all = m_cablesOfCage[cage.value];
    std::string name = number < spec.interfaces.size() ? spec.interfaces[number].name : fmt::format("if{}", number + 1);
    if (all.size() > 1) {
        const auto found = std::ranges::find(all, cable, &std::pair<CableId, PortId>::first);
        if (found != all.end()) name = portName(m_s, m_parts, found->second);
    }
    return componentOf("dcim/interfaces", device, name, [&](json& body) {
        if (number < spec.interfaces.size()) body["type"] = interfaceType(spec.interfaces[number], m_o.minor);
        const std::int64_t kbps = std::int64_t(m_s.ports.rate[port].count()) * 1'000'000;
        if (kbps > 0 && kbps <= 2147483647) body["speed"] = kbps;
    });
}

bool InventoryMaker::isTrunk(CableId cable) const
{
    const auto type = (*m_f.cabling)[cable].type;
    return type && m_parts.cable(*type).positions > 1;
}

Termination InventoryMaker::panelEnd(RunId run, CableId cable, bool behind)
{
    const DeviceId panel = m_s.runs.panel[run];
    const int position = m_s.runs.position[run], each = std::max(1, m_parts.device(m_s.devices.type[panel]).panel.perRear);
    const bool rear = isTrunk(cable) || behind;
    return {rear ? "dcim/rear-ports" : "dcim/front-ports", m_devices[panel.value], rear ? rearName(position / each) : frontName(position)};
}

void InventoryMaker::makeDataCables()
{
    const Cabling& cabling = *m_f.cabling;
    const CableRuns& runs = cabling.runs();
    m_s.cables.forEach([&](CableId cable) {
        if (m_s.cables.medium[cable] != Medium::Data) return;
        std::vector<std::array<Termination, 2>> pairs;
        std::map<Termination, int> lanes; // the order of legs
        bool panel = false;
        for (const LinkId link : cabling.linksOf(cable)) {
            const auto own = runs.of(link);
            const bool run = cabling.isRun(cable);
            const auto at = run ? std::ranges::find_if(own, [&](RunId r) { return m_s.runs.cable[r] == cable; }) : own.begin();
            if (run && at == own.end()) continue;
            std::array<Termination, 2> ends;
            if (run) {
                const auto before = at == own.begin() ? m_s.links.cable[link] : Maybe<CableId>(m_s.runs.cable[*(at - 1)]);
                ends[0] = panelEnd(*at, cable, before && !isTrunk(*before)), panel = true;
            } else
                ends[0] = interfaceOf(m_s.links.from[link], cable);
            const auto next = run ? at + 1 : at;
            if (next != own.end())
                ends[1] = panelEnd(*next, cable, false), panel = true;
            else
                ends[1] = interfaceOf(m_s.links.to[link], cable);
            lanes.try_emplace(ends[1], m_s.ports.lane[m_s.links.from[link]]), lanes.try_emplace(ends[0], m_s.ports.lane[m_s.links.to[link]]);
            if (std::ranges::find(pairs, ends) == pairs.end()) pairs.push_back(ends);
        }
        if (!pairs.empty()) addDataCable(cable, pairs, lanes, panel);
    });
}

void InventoryMaker::addDataCable(CableId cable, const std::vector<std::array<Termination, 2>>& pairs, const std::map<Termination, int>& lanes,
                                  bool panel)
{
    const Cabling::Cable& made = (*m_f.cabling)[cable];
    const std::string label = entityName(m_s, m_parts, hw::ref(cable));
    const std::string medium = made.type ? m_parts.cable(*made.type).medium : std::string();
    const std::string type = catalog::isCableSlug(medium) && medium != "coolant" ? medium : std::string();
    std::array<std::vector<Termination>, 2> sides;
    for (const auto& pair : pairs)
        for (std::size_t i = 0; i < 2; ++i)
            if (std::ranges::find(sides[i], pair[i]) == sides[i].end()) sides[i].push_back(pair[i]);
    if (panel && pairs.size() > 1 && sides[0].size() == pairs.size() && sides[1].size() == pairs.size()) {
        // a trunk of several connectors: one cable for each pair of ports, in a bundle, so that every path stays traceable
        std::size_t bundle = kNone;
        if (m_o.minor >= 6) bundle = add("dcim/cable-bundles", label, {{"name", label}, {"tags", tags({})}});
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const std::string own = fmt::format("{}/{}", label, i + 1);
            json body = cableBody(type, made.lengthMm, own, hw::ref(cable));
            if (bundle != kNone) body["bundle"] = ref(bundle);
            addCable(own, std::move(body), {pairs[i][0]}, {pairs[i][1]}, hw::ref(cable));
        }
        return;
    }
    if (sides[0].size() > sides[1].size()) std::swap(sides[0], sides[1]);
    std::ranges::stable_sort(sides[1], {}, [&](const Termination& end) {
        const auto found = lanes.find(end);
        return found == lanes.end() ? 0 : found->second;
    });
    json body = cableBody(type, made.lengthMm, label, hw::ref(cable));
    const std::size_t legs = sides[1].size();
    const bool ports = std::ranges::all_of(sides[1], [](const Termination& end) { return end.table == "dcim/interfaces"; });
    if (m_o.minor >= 5 && sides[0].size() == 1 && ports && (legs == 2 || legs == 4 || legs == 6 || legs == 8))
        body["profile"] = fmt::format("breakout-1c{}p-{}c1p", legs, legs);
    addCable(label, std::move(body), std::move(sides[0]), std::move(sides[1]), hw::ref(cable));
}

} // namespace hw::netbox

// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/properties.h"

#include "core/derived/cabling/cable_index.h"
#include "core/derived/cabling/cable_why.h"
#include "core/derived/figures/power_feeds.h"
#include "core/foundation/model/label.h"
#include "views/style/format.h"

#include <map>
#include <tuple>

namespace hw::views {
namespace {

constexpr std::size_t kNeighbors = 16;

QString coordinates(const Snapshot& s, DeviceId d)
{
    QStringList parts;
    const auto add = [&](const QString& place, int value) {
        if (value >= 0) parts << place.arg(value + 1);
    };
    add(QObject::tr("pod %1"), s.devices.pod[d]);
    add(QObject::tr("segment %1"), s.devices.segment[d]);
    add(QObject::tr("rail %1"), s.devices.rail[d]);
    add(QObject::tr("plane %1"), s.devices.plane[d]);
    return parts.join(" · ");
}

PropertySection neighbors(const DocumentBridge& bridge, DeviceId device)
{
    const Snapshot& s = *bridge.figures()->snapshot;
    std::map<DeviceId, int> far;
    for (const PortId port : bridge.index().portsOfDevice[device.value]) {
        const auto link = bridge.index().linkOfPort[port.value];
        if (link == DesignIndex::kNone) continue;
        const PortId other = s.links.from[LinkId(link)] == port ? s.links.to[LinkId(link)] : s.links.from[LinkId(link)];
        ++far[s.ports.device[other]];
    }
    PropertySection section{QObject::tr("Connected to %1").arg(text(i18np(std::int64_t(far.size()), "{:L} device", "{:L} devices"))), {}};
    for (const auto& [other, links] : far) {
        if (section.rows.size() == kNeighbors) {
            section.rows.push_back({{}, QObject::tr("and %1 more").arg(far.size() - kNeighbors), {}, 0, {}});
            break;
        }
        section.rows.push_back({QString("%1 ×").arg(links), text(s.devices.name[other]), {}, 0, ref(other)});
    }
    return section;
}

PropertySection portSection(const DocumentBridge& bridge, DeviceId device)
{
    const Snapshot& s = *bridge.figures()->snapshot;
    std::map<std::tuple<Medium, int, PortRole>, DesignIndex::PortUse> uses;
    for (const PortId port : bridge.index().portsOfDevice[device.value]) {
        auto& use = uses[{s.ports.medium[port], s.ports.rate[port].count(), s.ports.role[port]}];
        ++use.total;
        if (bridge.index().linkOfPort[port.value] != DesignIndex::kNone) ++use.used;
    }
    static const char* names[] = {QT_TR_NOOP("network"), QT_TR_NOOP("down"), QT_TR_NOOP("up"), QT_TR_NOOP("backup"), QT_TR_NOOP("peer")};
    PropertySection section{QObject::tr("Ports in use"), {}};
    for (const auto& [key, use] : uses) {
        const auto [medium, gbps, role] = key;
        const QString label = medium == Medium::Power ? (role == PortRole::Down ? QObject::tr("Power outlets") : QObject::tr("Power inlets"))
                              : gbps > 0              ? QString("%1 %2").arg(rate(gbps), QObject::tr(names[std::size_t(role)]))
                                                      : QObject::tr(names[std::size_t(role)]);
        section.rows.push_back({label, QObject::tr("%1 of %2").arg(count(use.used), count(use.total)), {}, 0, {}});
    }
    return section;
}

/// What a PDU, busway or transformer carries of what it can.
PropertySection supplySection(const Figures& f, DeviceId id)
{
    PropertySection section{QObject::tr("Load"), {}};
    const Milliwatts capacity = f.parts->device(f.snapshot->devices.type[id]).capacity.value;
    const PowerBasis basis = powerBasisOf(*f.snapshot);
    const PowerChain& chain = powerChain(f, basis);
    const PowerWorst& worst = worstPower(f, basis);
    const auto row = [&](const QString& label, Milliwatts p) {
        const QString share = capacity.count() > 0 ? "  (" + percent(double(p.count()) / double(capacity.count())) + ")" : QString();
        section.rows.push_back({label, power(p) + share, {}, 0, {}});
    };
    row(QObject::tr("Load, %1").arg(text(std::string(powerBasisName(basis)))), chain.through(id));
    if (const auto lost = worst.lost(id)) row(QObject::tr("After loss of %1").arg(text(f.snapshot->devices.name[*lost])), worst.through(id));
    if (capacity.count() > 0) section.rows.push_back({QObject::tr("Rating"), power(capacity), {}, 0, {}});
    const auto dark = racksDark(*f.snapshot, chain, darkWithout(chain, id));
    section.rows.push_back({QObject::tr("Racks without power if lost"), count(std::int64_t(dark.size())), {}, 0, {}});
    return section;
}

/// A tier of power, cooling or other equipment, which belongs to no network.
std::vector<PropertySection> equipmentSections(const DocumentBridge& bridge, TierId tier)
{
    const Figures& f = *bridge.figures();
    const Snapshot& s = *f.snapshot;
    std::map<PartTypeId, std::int64_t> types;
    std::int64_t devices = 0;
    Milliwatts draw, capacity;
    const PowerBasis basis = powerBasisOf(s);
    s.devices.forEach([&](DeviceId id) {
        if (s.devices.tier[id] != tier) return;
        ++devices, ++types[s.devices.type[id]];
        draw += f.power->device(id).at(basis);
        capacity += f.parts->device(s.devices.type[id]).capacity.value;
    });
    PropertySection about{QObject::tr("Tier"), {}}, parts{QObject::tr("Parts"), {}};
    about.rows.push_back({QObject::tr("Devices"), count(devices), {}, 0, {}});
    if (draw.count() > 0) about.rows.push_back({QObject::tr("Power draw, %1").arg(text(std::string(powerBasisName(basis)))), power(draw), {}, 0, {}});
    if (capacity.count() > 0) about.rows.push_back({QObject::tr("Total capacity"), power(capacity), {}, 0, {}});
    for (const auto& [type, n] : types) parts.rows.push_back({QString("%1 ×").arg(count(n)), text((*f.parts)[type].model), {}, 0, ref(type)});
    return {about, parts};
}

void tierRows(PropertySection& section, const Snapshot& s, const FabricFigures::Tier& tier)
{
    section.rows.push_back(
        {text(labelText(s.tiers, tier.id)),
         text(i18np(std::int64_t(tier.switches), "{:L} switch, {} : 1", "{:L} switches, {} : 1", ratio(tier.oversubscription()).toStdString())),
         {},
         0,
         ref(tier.id)});
}

} // namespace

std::vector<PropertySection> deviceSections(const DocumentBridge& bridge, DeviceId id)
{
    const Figures& f = *bridge.figures();
    const Snapshot& s = *f.snapshot;
    PropertySection what{kindName(s, ref(id)), {}};
    if (const auto rack = s.devices.rack[id]) {
        what.rows.push_back({QObject::tr("Rack"), text(s.racks.name[*rack]), {}, 0, ref(*rack)});
        what.rows.push_back(
            {QObject::tr("Lowest unit"), s.devices.u[id] > 0 ? "U" + QString::number(s.devices.u[id]) : QObject::tr("zero-U"), {}, 0, {}});
    }
    if (const QString at = coordinates(s, id); !at.isEmpty()) what.rows.push_back({QObject::tr("Fabric"), at, {}, 0, {}});
    if (s.devices.role[id] == DeviceRole::Backup) what.rows.push_back({QObject::tr("Role"), QObject::tr("backup"), {}, 0, {}});
    addStage(what, s, id);
    PropertySection load = loadSection(f, f.power->device(id), {});
    load.title = QObject::tr("Power with optics");
    const bool supply = s.tiers.kind[s.devices.tier[id]] == TierKind::Power;
    std::vector<PropertySection> sections{what, supply ? supplySection(f, id) : load};
    if (const auto ports = portSection(bridge, id); !ports.rows.empty()) sections.push_back(ports);
    sections.push_back(partSection(*f.parts, s.devices.type[id]));
    if (const auto far = neighbors(bridge, id); !far.rows.empty()) sections.push_back(far);
    return sections;
}

namespace {

/// What lies between a cable's modules, and why it is what it is.
std::vector<Property> whyRows(const Figures& f, CableId cable)
{
    const CableWhy why = CableReasons(*f.snapshot, *f.parts, *f.cabling).of(cable);
    const Channel& channel = why.channel;
    std::vector<Property> rows;
    const auto add = [&](const QString& label, const QString& value) { rows.push_back({label, value, {}, 0, {}}); };
    if (channel.panels > 0) {
        add(QObject::tr("Via panels"), QObject::tr("%1,  %2 in total").arg(channel.panels).arg(length(std::int32_t(channel.lengthMm))));
        for (const RunId run : f.cabling->runs().of(f.cabling->linksOf(cable).front())) {
            const DeviceId panel = f.snapshot->runs.panel[run];
            rows.push_back({QObject::tr("Panel"),
                            QObject::tr("%1, position %2").arg(text(f.snapshot->devices.name[panel])).arg(f.snapshot->runs.position[run] + 1),
                            {},
                            0,
                            ref(panel)});
        }
    }
    if (channel.budgetMdb)
        add(QObject::tr("Loss"), QObject::tr("%1 of %2 dB").arg(channel.lossMdb() / 1000.0, 0, 'f', 2).arg(*channel.budgetMdb / 1000.0, 0, 'f', 2));
    if (!why.reason.empty()) add(QObject::tr("Reason"), text(words(why.reason)));
    if (!why.runnerUp.empty()) add(QObject::tr("Next option"), text(words(why.runnerUp)));
    if (!why.excluded.empty()) add(QObject::tr("Out of reach"), text(words(why.excluded)));
    return rows;
}

} // namespace

namespace {

/// What comes over a way of power: its phase, its load, its cord or cable.
PropertySection tapSection(const Figures& f, LinkId id)
{
    const Snapshot& s = *f.snapshot;
    PropertySection section{QObject::tr("Power path"), {}};
    const PowerChain& chain = powerChain(f, powerBasisOf(s));
    const auto& feeds = f.get<PowerFeedsNode>();
    for (const DeviceId device : {s.ports.device[s.links.from[id]], s.ports.device[s.links.to[id]]}) {
        const auto ways = feeds.of(device);
        for (std::size_t i = 0; i < ways.size(); ++i) {
            if (!(ways[i].link == Maybe<LinkId>(id))) continue;
            const QString phase = ways[i].phase > 0 ? QString("L%1").arg(int(ways[i].phase)) : QObject::tr("three-phase");
            section.rows.push_back(
                {QObject::tr("Phase"), takesDirectCurrent(f.parts->device(s.devices.type[device])) ? QObject::tr("none") : phase, {}, 0, {}});
            if (i < chain.network.feeds(device.value).size())
                section.rows.push_back({QObject::tr("Load, %1").arg(text(std::string(powerBasisName(powerBasisOf(s))))),
                                        power(chain.flow.shares[chain.network.firstFeed(device.value) + i].total()),
                                        {},
                                        0,
                                        {}});
        }
    }
    return section;
}

} // namespace

std::vector<PropertySection> linkSections(const DocumentBridge& bridge, LinkId id)
{
    const Figures& f = *bridge.figures();
    const Snapshot& s = *f.snapshot;
    PropertySection what{QObject::tr("Link"), {}};
    const auto end = [&](const QString& label, PortId port) {
        what.rows.push_back({label, text(portName(s, *f.parts, port)), {}, 0, ref(s.ports.device[port])});
    };
    end(QObject::tr("From"), s.links.from[id]);
    end(QObject::tr("To"), s.links.to[id]);
    if (s.ports.medium[s.links.from[id]] == Medium::Power) return {what, tapSection(f, id)};
    what.rows.push_back({QObject::tr("Rate"), rateText(s.ports.rate[s.links.from[id]]), {}, 0, {}});
    std::vector<PropertySection> sections{what};
    if (const auto cable = s.links.cable[id]) {
        const Cabling::Cable& c = (*f.cabling)[*cable];
        PropertySection section{QObject::tr("Cable"), {}};
        const auto thing = [&](const QString& label, EntityRef e) { section.rows.push_back({label, text(entityName(s, *f.parts, e)), {}, 0, e}); };
        thing(QObject::tr("Name"), ref(*cable)); // what its values are edited by
        thing(QObject::tr("Cage, lower end"), ref(s.ports.cage[s.links.from[id]]));
        thing(QObject::tr("Cage, upper end"), ref(s.ports.cage[s.links.to[id]]));
        section.rows.push_back({QObject::tr("Route"), c.noRoute ? QObject::tr("no tray route") : length(c.routeMm), {}, 0, {}});
        section.rows.push_back({QObject::tr("Ordered length"), length(c.lengthMm), {}, 0, {}});
        if (c.reachExceeded) section.rows.push_back({QObject::tr("Scale limits"), QObject::tr("exceeded"), {}, 0, {}});
        section.rows.push_back({QObject::tr("Links carried"), QString::number(c.links), {}, 0, {}});
        for (const auto& row : whyRows(f, *cable)) section.rows.push_back(row);
        const auto part = [&](const QString& label, Maybe<PartTypeId> type) {
            if (type) section.rows.push_back({label, text((*f.parts)[*type].model), {}, 0, ref(*type)});
        };
        part(QObject::tr("Type"), c.type);
        part(QObject::tr("Transceiver, lower end"), f.cabling->moduleAt(id, *cable, true));
        part(QObject::tr("Transceiver, upper end"), f.cabling->moduleAt(id, *cable, false));
        sections.push_back(section);
    }
    if (const auto& flows = bridge.flows(); flows && 2 * id.value + 1 < flows->loadGbps.size()) {
        PropertySection section{QObject::tr("Load in “%1”").arg(text(flows->scenarioName)), {}};
        if (bridge.flowsMark().stale) section.rows.push_back({QObject::tr("State"), QObject::tr("outdated"), {}, 0, {}});
        for (const std::uint32_t direction : {0u, 1u}) {
            const std::uint32_t directed = 2 * id.value + direction;
            section.rows.push_back({direction == 0 ? QObject::tr("Up") : QObject::tr("Down"),
                                    QString("%1  (%2)").arg(rate(flows->loadGbps[directed]), percent(flows->utilization(directed))),
                                    {},
                                    0,
                                    {}});
        }
        sections.push_back(section);
    }
    return sections;
}

std::vector<PropertySection> fabricSections(const DocumentBridge& bridge, EntityRef e)
{
    const Figures& f = *bridge.figures();
    const Snapshot& s = *f.snapshot;
    for (const auto& network : f.fabric->networks()) {
        const bool whole = e == ref(network.id);
        PropertySection about{QObject::tr("Network"), {}}, tiers{QObject::tr("Tiers and oversubscription"), {}}, ports{QObject::tr("Ports used"), {}};
        for (const auto& tier : network.tiers) {
            tierRows(tiers, s, tier);
            if (e != ref(tier.id)) continue;
            for (const auto& p : tier.ports)
                ports.rows.push_back({(p.role == PortRole::Up       ? QObject::tr("%1 up")
                                       : p.role == PortRole::Backup ? QObject::tr("%1 backup")
                                                                    : QObject::tr("%1 down"))
                                          .arg(rateText(p.rate)),
                                      QObject::tr("%1 of %2").arg(count(p.used), count(p.total)),
                                      {},
                                      0,
                                      {}});
        }
        if (!whole && ports.rows.empty()) continue;
        about.rows.push_back({QObject::tr("Pods, segments per pod"), QString("%1,  %2").arg(network.pods).arg(network.segments), {}, 0, {}});
        about.rows.push_back({QObject::tr("Planes, rails"), QString("%1,  %2").arg(network.planes).arg(network.rails), {}, 0, {}});
        about.rows.push_back({QObject::tr("Oversubscription"), ratio(network.oversubscriptionEndToEnd) + " : 1", {}, 0, {}});
        about.rows.push_back({QObject::tr("Connected"),
                              network.throughServers ? QObject::tr("only if servers forward traffic, which is not modeled")
                              : network.connected    ? QObject::tr("yes")
                                                     : QObject::tr("no"),
                              {},
                              0,
                              {}});
        return ports.rows.empty() ? std::vector{about, tiers} : std::vector{ports, about, tiers};
    }
    if (e.kind == EntityKind::Tier) return equipmentSections(bridge, TierId(e.id));
    return {};
}

} // namespace hw::views

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/count/design.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace hw::count {

namespace {

constexpr std::size_t kKnown = 4; ///< counts that are remembered

} // namespace

Tier::Tier(const SetSpec& spec, const bound::Places& places, Scope& constants) : bound::Tier(spec, places, constants)
{
    fixed.name = name, fixed.label = label, fixed.network = network;
    fixed.kind = kind;
    const bound::Place* stands = standsIn();
    while (stands && stands->parent) stands = stands->parent;
    fixed.inPod = !stands || stands->kind == BuildingKind::Pod;
    for (const auto& group : spec.ports) {
        groups.emplace_back().ports.name = group.name;
        for (const auto* key : {"first", "cages", "split"})
            if (const auto found = group.fields.find(key); found != group.fields.end()) groupNumbers.emplace_back(found->second, constants);
    }
}

Design::Design(const Template& design, const Catalog& catalog)
    : m_design(design), m_spec(m_design.spec()), m_catalog(catalog), m_constants(m_spec), m_networks(m_spec, m_constants.scope()),
      m_places(m_spec, m_constants.scope()), m_ports(m_constants.scope(), m_networks, m_catalog), m_sockets(SocketRules::of(catalog, m_spec.parts))
{
    for (const auto& spec : m_spec.tiers) {
        if (!m_tierNumbers.emplace(spec.name, m_tiers.size()).second)
            throw mistake(spec.where, i18n("tier is declared twice"), i18n("rename one of them"));
        if (spec.types.empty()) throw mistake(spec.where, i18n("'type' is missing"), i18n("specify a device type from the catalog"));
        m_tiers.push_back(std::make_unique<Tier>(spec, m_places, m_constants.scope()));
    }
    bindRules();
}

void Design::bindRules()
{
    const auto number = [&](const std::string& name, const LinkSpec& spec) {
        const auto found = m_tierNumbers.find(name);
        if (found == m_tierNumbers.end()) throw mistake(spec.where, i18n("unknown tier '{}'", name), i18n("declare it under 'tiers'"));
        return found->second;
    };
    for (const auto& spec : m_spec.links)
        m_rules.push_back(std::make_unique<Rule>(spec, number(spec.from, spec), number(spec.to, spec), m_tiers, m_constants.scope()));
}

void Design::refreshChain(Set& set)
{
    if (set.parent()) refreshChain(*set.parent());
    set.refresh();
}

void Design::refresh(const ParameterValues& values)
{
    m_at.reset();
    m_constants.set(values);
    m_constants.check();
    m_networks.refresh();
    m_places.refresh();
    for (auto& tier : m_tiers) {
        tier->absent = m_networks.absent(tier->network);
        if (tier->absent) continue;
        if (tier->broken) throw TemplateFailure{*tier->broken};
        tier->set.refresh();
        tier->fixed.level = int(std::clamp<std::int64_t>(bound::orElse(tier->level, 0), 0, INT16_MAX));
    }
}

void Design::listNetworks(TemplateCount& out) const
{
    for (const auto& network : m_networks.all())
        if (!network.absent) out.networks.push_back({network.name, network.label, network.kind, network.planes, network.rails, false});
}

/// Every type that the tier has must take its ports; the most frequent one stands for their speeds.
void Design::refreshGroups(Tier& tier, const TemplateCount::Tier& counted)
{
    std::vector<std::int64_t> numbers;
    for (const auto& number : tier.groupNumbers) numbers.push_back(number.whole());
    for (const auto& network : m_networks.all()) numbers.push_back(network.absent);
    std::int64_t most = -1;
    for (const auto& type : tier.set.spec().types) {
        std::int64_t devices = 0;
        for (const auto& part : counted.devices)
            if (part.type == type.text) devices += part.count;
        if (devices == 0 && !counted.devices.empty()) continue;
        const auto& entries = m_ports.of(tier.set.spec(), type, numbers);
        if (devices <= most) continue;
        most = devices;
        for (std::size_t g = 0; g < entries.size(); ++g) tier.groups[g] = {entries[g].ports, entries[g].absent, 0};
    }
}

std::vector<TemplateCount::Devices> Design::devicesOf(Tier& tier)
{
    std::map<std::pair<std::string, DeviceRole>, std::int64_t> counts;
    tier.set.forEach(tier.typeMask | tier.backupMask, [&](std::int64_t weight) { counts[{tier.type().text, tier.roleHere()}] += weight; });
    std::vector<TemplateCount::Devices> result;
    for (const auto& [key, count] : counts) result.push_back({key.first, key.second, count});
    return result;
}

std::int64_t Design::accelerators(const ParameterValues& values, bool constraints)
{
    m_at.reset();
    m_constants.set(values);
    if (constraints) m_constants.check();
    m_networks.refresh();
    std::int64_t sum = 0;
    for (auto& tier : m_tiers) {
        if (tier->fixed.kind != TierKind::Server || m_networks.absent(tier->network)) continue;
        refreshChain(tier->set);
        for (const auto& devices : devicesOf(*tier))
            if (devices.role == DeviceRole::Active) sum += devices.count * std::get<DeviceSpec>(m_catalog.find(devices.type)->spec).accelerators;
    }
    return sum;
}

/// A search asks for the same design several times.
TemplateCount Design::count(const ParameterValues& values)
{
    const auto known = std::find_if(m_known.begin(), m_known.end(), [&](const TemplateCount& c) { return c.parameters == values; });
    if (known == m_known.end()) {
        if (m_known.size() == kKnown) m_known.erase(m_known.begin());
        m_known.push_back(countAnew(values));
    } else {
        std::rotate(known, known + 1, m_known.end());
    }
    m_last = values;
    return m_known.back();
}

/// Sets and rules as they were when the last count was made.
void Design::standAtLast()
{
    if (m_at != m_last) (void)countAnew(m_last);
}

TemplateCount Design::countDevices(const ParameterValues& values)
{
    refresh(values);
    TemplateCount out;
    out.parameters = values;
    listNetworks(out);
    countTiers(out);
    return out;
}

TemplateCount Design::countAnew(const ParameterValues& values)
{
    refresh(values);
    TemplateCount out;
    out.parameters = values;
    out.laidOut = laidOutByEngine();
    listNetworks(out);
    countPlaces(out);
    countTiers(out);
    checkSize(out);
    countRules(out);
    m_at = values;
    return out;
}

/// No building of the template is there.
bool Design::laidOutByEngine()
{
    bool any = false;
    for (auto& building : m_places.buildings) building->set.forEach(0, [&](std::int64_t weight) { any = any || weight > 0; });
    return !any;
}

void Design::countPlaces(TemplateCount& out)
{
    for (auto& building : m_places.buildings)
        if (building->kind == BuildingKind::Pod)
            building->set.forEach(building->set.uses(building->set.spec().field("it_limit_w")), [&](std::int64_t weight) {
                out.podBuildings += weight;
                out.podLimit += watts(bound::orElse(building->limit, 0)) * weight;
            });
    for (auto& rack : m_places.racks) rack->set.forEach(rack->typeMask, [&](std::int64_t weight) { out.racks[rack->type().text] += weight; });
    std::map<std::string, std::int64_t> millimeters;
    for (auto& tray : m_places.trays)
        tray->set.forEach(tray->mask, [&](std::int64_t weight) {
            double square = 0;
            for (int i = 0; i < 3; ++i) square += std::pow(double(bound::orElse(tray->to[i], 0) - bound::orElse(tray->from[i], 0)), 2);
            millimeters[tray->set.spec().types.front().text] += std::llround(std::sqrt(square)) * bound::orElse(tray->count, 1) * weight;
        });
    for (const auto& [type, mm] : millimeters) out.traysM[type] = (mm + 999) / 1000;
}

void Design::countTiers(TemplateCount& out)
{
    for (auto& tier : m_tiers) {
        tier->members = 0;
        for (auto& group : tier->groups) group.used = 0;
        auto& counted = out.tiers.emplace_back(tier->fixed);
        if (tier->absent) continue;
        counted.inPod = counted.inPod || out.laidOut;
        if (tier->rack && !out.laidOut) tier->rack->check();
        counted.devices = devicesOf(*tier);
        tier->members = counted.total();
        refreshGroups(*tier, counted);
        for (const auto& devices : counted.devices) {
            const auto* device = std::get_if<DeviceSpec>(&m_catalog.find(devices.type)->spec);
            if (!device || counted.kind != TierKind::Server) continue;
            (devices.role == DeviceRole::Backup ? out.backupAccelerators : out.activeAccelerators) += devices.count * device->accelerators;
        }
    }
}

/// The generator's limits for typing errors.
void Design::checkSize(const TemplateCount& out) const
{
    std::int64_t devices = 0, ports = 0;
    for (std::size_t t = 0; t < m_tiers.size(); ++t) {
        std::int64_t perDevice = 0;
        for (const auto& group : m_tiers[t]->groups)
            if (!group.absent) perDevice += group.ports.perDevice;
        devices += out.tiers[t].total();
        ports += out.tiers[t].total() * perDevice;
        if (devices > 2'000'000)
            throw refusal(m_tiers[t]->set.spec().where, i18n("with {} of these, the design would have {} devices", out.tiers[t].total(), devices),
                          i18n("stay below 2000000"));
        if (ports > 24'000'000)
            throw refusal(m_tiers[t]->set.spec().where,
                          i18n("with {} of these and {} ports each, the design would have {} ports", out.tiers[t].total(), perDevice, ports),
                          i18n("stay below 24000000"));
    }
}

/// Every switch stands in a rail and every link between switches stays in its rail.
bool Design::railsApart(const std::string& network) const
{
    bool any = false;
    const auto inRail = [](const Tier& tier) {
        const auto rail = tier.set.coordinate("rail");
        return rail && tier.set.extents()[*rail] > 1;
    };
    for (const auto& tier : m_tiers) {
        if (tier->fixed.kind != TierKind::Switch || tier->fixed.network != network || tier->members == 0) continue;
        if (!inRail(*tier)) return false;
        any = true;
    }
    for (const auto& rule : m_rules) {
        const auto& spec = rule->spec();
        const bool between = rule->tier(true).fixed.kind == TierKind::Switch && rule->tier(false).fixed.kind == TierKind::Switch;
        if (rule->links() == 0 || !between || rule->tier(true).fixed.network != network) continue;
        if (spec.at.contains("rail") || std::find(spec.free.begin(), spec.free.end(), "rail") != spec.free.end()) return false;
    }
    return any;
}

void Design::findConnectors()
{
    std::set<const Group*> known;
    for (auto& rule : m_rules) {
        if (rule->medium() != Medium::Data || rule->links() == 0) continue;
        for (const bool from : {true, false}) {
            auto& own = rule->group(from);
            const auto& peer = rule->group(!from);
            if (own.ports.split > 1 && known.insert(&own).second)
                own.ports.connectors = m_sockets.connectors(own.ports.interface, own.ports.split, peer.ports.interface, peer.ports.split);
        }
    }
}

/// As the generator leads links over panels.
std::optional<TemplateCount::Rule::Panels> Design::panelsOf(const LinkSpec& spec)
{
    const auto field = [&](const char* key) {
        const auto found = spec.fields.find(key);
        return found == spec.fields.end() ? nullptr : &found->second;
    };
    const auto* panel = field("panels.panel");
    if (!panel) return std::nullopt;
    if (const auto* when = field("panels.when"); when && !Expression(*when, m_constants.scope()).truth()) return std::nullopt;
    const auto *trunk = field("panels.trunk"), *by = field("panels.by");
    for (const auto* part : {panel, trunk})
        if (part && !m_catalog.find(part->text))
            throw refusal(part->where, i18n("unknown part type '{}'", part->text), i18n("specify a part from the catalog"));
    return TemplateCount::Rule::Panels{panel->text, trunk ? trunk->text : std::string(), !by || by->text == "row"};
}

void Design::countRules(TemplateCount& out)
{
    std::int64_t work = 0;
    for (auto& rule : m_rules) {
        const auto* network = rule->field("network");
        const bool left = rule->tier(true).absent || rule->tier(false).absent || rule->group(true).absent || rule->group(false).absent ||
                          (network && m_networks.absent(network->text));
        rule->refresh(left);
        work += rule->work();
        if (work > 60'000'000)
            throw refusal(rule->spec().where, i18n("the rules compare more than 60000000 device pairs"),
                          i18n("let the tiers share more coordinates, or reduce their size"));
    }
    findConnectors();
    const auto cables = countCables(m_rules);
    for (std::size_t r = 0; r < m_rules.size(); ++r) {
        Rule& rule = *m_rules[r];
        out.rules.push_back({rule.spec().name, rule.group(true).ports.network, rule.tierNumber(true), rule.tierNumber(false), rule.groupNumber(true),
                             rule.groupNumber(false), rule.medium(), rule.role(), rule.group(true).ports.rate, rule.links(), cables[r].cables,
                             cables[r].fromSockets, cables[r].toSockets, cables[r].fromJacks, cables[r].toJacks, panelsOf(rule.spec())});
        for (const bool from : {true, false}) rule.group(from).used += rule.links();
    }
    for (auto& network : out.networks) network.railsApart = railsApart(network.name);
    for (std::size_t t = 0; t < m_tiers.size(); ++t)
        for (const auto& group : m_tiers[t]->groups) {
            auto ports = group.ports;
            ports.total = group.absent ? 0 : ports.perDevice * m_tiers[t]->members;
            ports.used = group.used;
            if (ports.used > ports.total)
                throw refusal(m_tiers[t]->set.spec().where,
                              i18n("{} links need '{}' ports, but only {} are available", ports.used, ports.name, ports.total),
                              i18n("use fewer links or a device with more ports"));
            out.tiers[t].ports.push_back(ports);
        }
}

} // namespace hw::count

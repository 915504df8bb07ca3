// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/count/design.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace hw::count {

namespace {

constexpr std::size_t kKnown = 4; ///< counts that are remembered

std::int64_t orElse(const Expression& e, std::int64_t fallback) { return e.empty() ? fallback : e.whole(); }

const ExpressionText& chosen(const std::vector<ExpressionText>& types, const Expression& which)
{
    return types[std::size_t(std::clamp<std::int64_t>(orElse(which, 0), 0, std::int64_t(types.size()) - 1))];
}

} // namespace

Design::Design(const Template& design, const Catalogue& catalogue)
    : m_design(design), m_spec(m_design.spec()), m_catalogue(catalogue), m_constants(m_spec), m_ports(m_spec, m_constants, m_catalogue),
      m_sockets(SocketRules::of(catalogue, m_spec.parts))
{
    for (const auto& spec : m_spec.networks) {
        const auto bound = [&](const char* key) { return spec.field(key) ? Expression(*spec.field(key), m_constants.scope()) : Expression(); };
        const auto kind = wordIn<NetworkKind>(spec.field("kind") ? spec.field("kind")->text : "backend", spec.where);
        m_networks.push_back({{spec.name, spec.field("label") ? spec.field("label")->text : spec.name, kind, 1, 1},
                              bound("when"),
                              bound("planes"),
                              bound("rails"),
                              false});
    }
    bindPlaces();
    bindTrays();
    for (const auto& spec : m_spec.tiers) bindTier(spec);
    bindRules();
}

bool Design::absent(const std::string& network) const
{
    return std::any_of(m_networks.begin(), m_networks.end(), [&](const Network& n) { return n.absent && n.fixed.name == network; });
}

PlaceSet* Design::find(const PlaceSets& sets, const std::string& name) const
{
    for (const auto& set : sets)
        if (set->set.spec().name == name) return set.get();
    return nullptr;
}

void Design::bindPlace(PlaceSets& into, const SetSpec& spec, const PlaceSets* parents)
{
    PlaceSet* parent = parents ? find(*parents, spec.parent) : nullptr;
    if (parents && !parent) throw mistake(spec.where, fmt::format("'in: {}' names no set to stand in", spec.parent), "name a set of the level above");
    auto place = std::make_unique<PlaceSet>(spec, parent ? &parent->set : nullptr, m_constants.scope());
    place->parent = parent;
    place->number = into.size();
    place->x = place->set.expression("atx"), place->y = place->set.expression("aty");
    place->angle = place->set.expression("angle");
    place->along = place->set.expression("along"), place->across = place->set.expression("across");
    place->typeIndex = place->set.expression("type_index");
    place->typeMask = place->set.uses(spec.field("type_index"));
    place->limit = place->set.expression("it_limit_w");
    if (!parents) place->kind = wordIn<BuildingKind>(spec.field("kind") ? spec.field("kind")->text : "pod", spec.where);
    into.push_back(std::move(place));
}

void Design::bindPlaces()
{
    for (const auto& spec : m_spec.buildings) bindPlace(m_buildings, spec, nullptr);
    for (const auto& spec : m_spec.halls) bindPlace(m_halls, spec, &m_buildings);
    for (const auto& spec : m_spec.rows) bindPlace(m_rows, spec, &m_halls);
    for (const auto& spec : m_spec.racks) {
        if (spec.types.empty()) throw mistake(spec.where, "'type' is missing", "name a rack type of the catalogue");
        bindPlace(m_racks, spec, &m_rows);
    }
}

void Design::bindTrays()
{
    for (const auto& spec : m_spec.trays) {
        if (spec.types.empty()) throw mistake(spec.where, "'type' is missing", "name a tray type of the catalogue");
        PlaceSet* const row = find(m_rows, spec.parent);
        PlaceSet* const hall = row ? nullptr : find(m_halls, spec.parent);
        auto tray = std::make_unique<TraySet>(spec, row ? &row->set : hall ? &hall->set : nullptr, m_constants.scope());
        tray->hall = hall;
        constexpr const char* from[] = {"fromx", "fromy", "fromz"};
        constexpr const char* to[] = {"tox", "toy", "toz"};
        for (int i = 0; i < 3; ++i) {
            tray->from[i] = tray->set.expression(from[i]), tray->to[i] = tray->set.expression(to[i]);
            tray->mask |= tray->set.uses(spec.field(from[i])) | tray->set.uses(spec.field(to[i]));
        }
        tray->count = tray->set.expression("count");
        tray->mask |= tray->set.uses(spec.field("count"));
        m_trays.push_back(std::move(tray));
    }
}

const Part& Design::part(const ExpressionText& slug) const
{
    const Part* part = m_catalogue.find(slug.text);
    if (!part) throw noPart(slug, m_catalogue);
    return *part;
}

void Design::bindTier(const SetSpec& spec)
{
    if (m_tierNumbers.contains(spec.name)) throw mistake(spec.where, "the tier is declared twice", "rename one");
    if (spec.types.empty()) throw mistake(spec.where, "'type' is missing", "name a device type of the catalogue");
    PlaceSet* const rack = find(m_racks, spec.parent);
    PlaceSet* const hall = rack ? nullptr : find(m_halls, spec.parent);
    auto tier = std::make_unique<Tier>(spec, rack ? &rack->set : hall ? &hall->set : nullptr, m_constants.scope());
    if (!spec.parent.empty() && !rack && !hall)
        tier->broken = mistake(spec.where, fmt::format("'in: {}' names no set to stand in", spec.parent), "name a set of the level above").error;
    const auto word = [&](const char* key, const char* fallback) { return spec.field(key) ? spec.field(key)->text : std::string(fallback); };
    tier->fixed.name = spec.name;
    tier->fixed.label = word("label", spec.name.c_str());
    tier->fixed.network = word("network", "");
    tier->fixed.kind = wordIn<TierKind>(word("kind", "switch"), spec.where);
    tier->fixed.level = spec.field("level") ? int(Expression(*spec.field("level"), m_constants.scope()).whole()) : 0;
    tier->role = wordIn<DeviceRole>(word("role", "active"), spec.where);
    tier->typeIndex = tier->set.expression("type_index"), tier->typeMask = tier->set.uses(spec.field("type_index"));
    tier->backup = tier->set.expression("backup"), tier->backupMask = tier->set.uses(spec.field("backup"));
    tier->unit = tier->set.expression("u");
    PlaceSet* stands = rack ? rack : hall;
    if (const auto member = spec.members.find("rack"); member != spec.members.end()) {
        stands = find(m_racks, member->second.set);
        if (!stands)
            tier->broken =
                mistake(member->second.where, fmt::format("no racks are called '{}'", member->second.set), "declare them under 'racks'").error;
        else
            tier->rack.emplace(member->second, stands->set, tier->set);
    } else if (const auto inHall = spec.members.find("hall"); inHall != spec.members.end()) {
        stands = find(m_halls, inHall->second.set);
    }
    while (stands && stands->parent) stands = stands->parent;
    tier->fixed.inPod = !stands || stands->kind == BuildingKind::Pod;
    bindGroups(*tier);
    m_tierNumbers[spec.name] = m_tiers.size();
    m_tiers.push_back(std::move(tier));
}

void Design::bindGroups(Tier& tier)
{
    for (const auto& spec : tier.set.spec().ports) {
        Group group;
        group.ports.name = spec.name;
        tier.groups.push_back(group);
        for (const auto* key : {"first", "cages", "split"})
            if (const auto f = spec.fields.find(key); f != spec.fields.end()) tier.groupNumbers.emplace_back(f->second, m_constants.scope());
    }
}

void Design::bindRules()
{
    const auto number = [&](const std::string& name, const LinkSpec& spec) {
        const auto found = m_tierNumbers.find(name);
        if (found == m_tierNumbers.end()) throw mistake(spec.where, fmt::format("no tier is called '{}'", name), "declare it under 'tiers'");
        return found->second;
    };
    for (const auto& spec : m_spec.links)
        m_rules.push_back(std::make_unique<Rule>(spec, number(spec.from, spec), number(spec.to, spec), m_tiers, m_constants.scope()));
}

void Design::refreshNetworks()
{
    for (auto& network : m_networks) {
        network.absent = !network.when.empty() && !network.when.truth();
        network.fixed.planes = int(orElse(network.planes, 1)), network.fixed.rails = int(orElse(network.rails, 1));
    }
}

void Design::refreshChain(Set& set)
{
    if (set.parent()) refreshChain(*set.parent());
    set.refresh();
}

/// Where a value cannot be had, a constraint may say better why: asked of the generator, which says the same.
void Design::setValues(const ParameterValues& values)
{
    try {
        m_constants.set(values);
    } catch (const TemplateFailure&) {
        const Progress progress;
        Generator(m_spec, values, m_catalogue, progress).checkValues();
        throw;
    }
}

void Design::refresh(const ParameterValues& values)
{
    m_at.reset();
    setValues(values);
    m_constants.check();
    refreshNetworks();
    for (auto* sets : {&m_buildings, &m_halls, &m_rows, &m_racks})
        for (auto& place : *sets) place->set.refresh();
    for (auto& tray : m_trays) tray->set.refresh();
    for (auto& tier : m_tiers) {
        tier->absent = absent(tier->fixed.network);
        if (tier->absent) continue;
        if (tier->broken) throw TemplateFailure{*tier->broken};
        tier->set.refresh();
    }
}

/// Every type that the tier has must take its ports; the most frequent one stands for their speeds.
void Design::refreshGroups(Tier& tier, const TemplateCount::Tier& counted, const ParameterValues& values)
{
    std::vector<std::int64_t> numbers;
    for (const auto& number : tier.groupNumbers) numbers.push_back(number.whole());
    for (const auto& network : m_networks) numbers.push_back(network.absent);
    std::int64_t most = -1;
    for (const auto& type : tier.set.spec().types) {
        std::int64_t devices = 0;
        for (const auto& part : counted.devices)
            if (part.type == type.text) devices += part.count;
        if (devices == 0 && !counted.devices.empty()) continue;
        const auto& entries = m_ports.of(tier.set.spec(), type, numbers, values);
        if (devices <= most) continue;
        most = devices;
        for (std::size_t g = 0; g < entries.size(); ++g) tier.groups[g] = {entries[g].ports, entries[g].absent, 0};
    }
}

std::vector<TemplateCount::Devices> Design::devicesOf(Tier& tier)
{
    std::map<std::pair<std::string, DeviceRole>, std::int64_t> counts;
    tier.set.forEach(tier.typeMask | tier.backupMask, [&](std::int64_t weight) {
        const bool backup = !tier.backup.empty() && tier.backup.truth();
        counts[{chosen(tier.set.spec().types, tier.typeIndex).text, backup ? DeviceRole::Backup : tier.role}] += weight;
    });
    std::vector<TemplateCount::Devices> result;
    for (const auto& [key, count] : counts) result.push_back({key.first, key.second, count});
    return result;
}

std::int64_t Design::accelerators(const ParameterValues& values, bool constraints)
{
    m_at.reset();
    setValues(values);
    if (constraints) m_constants.check();
    refreshNetworks();
    std::int64_t sum = 0;
    for (auto& tier : m_tiers) {
        if (tier->fixed.kind != TierKind::Server || absent(tier->fixed.network)) continue;
        refreshChain(tier->set);
        for (const auto& devices : devicesOf(*tier))
            if (devices.role == DeviceRole::Active) sum += devices.count * std::get<DeviceSpec>(m_catalogue.find(devices.type)->spec).accelerators;
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
    for (const auto& network : m_networks)
        if (!network.absent) out.networks.push_back(network.fixed);
    countTiers(out);
    return out;
}

TemplateCount Design::countAnew(const ParameterValues& values)
{
    refresh(values);
    TemplateCount out;
    out.parameters = values;
    out.laidOut = m_spec.buildings.empty();
    for (const auto& network : m_networks)
        if (!network.absent) out.networks.push_back(network.fixed);
    countPlaces(out);
    countTiers(out);
    checkSize(out);
    countRules(out);
    m_at = values;
    return out;
}

void Design::countPlaces(TemplateCount& out)
{
    for (auto& building : m_buildings)
        if (building->kind == BuildingKind::Pod)
            building->set.forEach(building->set.uses(building->set.spec().field("it_limit_w")), [&](std::int64_t weight) {
                out.podBuildings += weight;
                out.podLimit += watts(orElse(building->limit, 0)) * weight;
            });
    for (auto& rack : m_racks)
        rack->set.forEach(rack->typeMask, [&](std::int64_t weight) { out.racks[chosen(rack->set.spec().types, rack->typeIndex).text] += weight; });
    std::map<std::string, std::int64_t> millimetres;
    for (auto& tray : m_trays)
        tray->set.forEach(tray->mask, [&](std::int64_t weight) {
            double square = 0;
            for (int i = 0; i < 3; ++i) square += std::pow(double(orElse(tray->to[i], 0) - orElse(tray->from[i], 0)), 2);
            millimetres[tray->set.spec().types.front().text] += std::llround(std::sqrt(square)) * orElse(tray->count, 1) * weight;
        });
    for (const auto& [type, mm] : millimetres) out.traysM[type] = (mm + 999) / 1000;
}

void Design::countTiers(TemplateCount& out)
{
    for (auto& tier : m_tiers) {
        tier->members = 0;
        for (auto& group : tier->groups) group.used = 0;
        auto& counted = out.tiers.emplace_back(tier->fixed);
        if (tier->absent) continue;
        if (tier->rack) tier->rack->check();
        counted.devices = devicesOf(*tier);
        tier->members = counted.total();
        refreshGroups(*tier, counted, out.parameters);
        for (const auto& devices : counted.devices) {
            const auto* device = std::get_if<DeviceSpec>(&m_catalogue.find(devices.type)->spec);
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
            throw refusal(m_tiers[t]->set.spec().where,
                          fmt::format("with {} of these the design would have {} devices", out.tiers[t].total(), devices), "stay below 2000000");
        if (ports > 24'000'000)
            throw refusal(m_tiers[t]->set.spec().where,
                          fmt::format("with {} of these, {} ports each, the design would have {} ports", out.tiers[t].total(), perDevice, ports),
                          "stay below 24000000");
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

void Design::countRules(TemplateCount& out)
{
    std::int64_t work = 0;
    for (auto& rule : m_rules) {
        const auto network = rule->spec().fields.find("network");
        const bool left = rule->tier(true).absent || rule->tier(false).absent || rule->group(true).absent || rule->group(false).absent ||
                          (network != rule->spec().fields.end() && absent(network->second.text));
        rule->refresh(left);
        work += rule->work();
        if (work > 60'000'000)
            throw refusal(rule->spec().where, "the rules look at more than 60000000 pairs of devices",
                          "let the tiers share more coordinates, or make them smaller");
    }
    findConnectors();
    const auto cables = countCables(m_rules);
    for (std::size_t r = 0; r < m_rules.size(); ++r) {
        Rule& rule = *m_rules[r];
        out.rules.push_back({rule.spec().name, rule.group(true).ports.network, rule.tierNumber(true), rule.tierNumber(false), rule.groupNumber(true),
                             rule.groupNumber(false), rule.medium(), rule.role(), rule.group(true).ports.rate, rule.links(), cables[r].cables,
                             cables[r].fromSockets, cables[r].toSockets, cables[r].fromJacks, cables[r].toJacks});
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
                              fmt::format("{} links need '{}' ports, and there are {}", ports.used, ports.name, ports.total),
                              "use fewer links or a device with more ports");
            out.tiers[t].ports.push_back(ports);
        }
}

} // namespace hw::count

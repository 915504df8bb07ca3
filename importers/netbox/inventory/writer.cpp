// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/netbox/inventory/writer.h"

#include "core/derived/figures/link_sides.h"
#include "core/derived/geometry/frame.h"
#include "core/derived/topology/rack_units.h"
#include "core/design/build/device_sockets.h"
#include "core/design/template/offered_parts.h"
#include "core/foundation/catalogue/slugs.h"
#include "core/foundation/catalogue/sockets.h"
#include "importers/netbox/inventory/places.h"
#include "importers/netbox/inventory/values.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::importers::netbox_in {

namespace {

constexpr double kFarthestSpot = 1'000'000; ///< mm, of a place in a hall

Stage deviceStage(const std::string& status)
{
    if (status == "inventory") return Stage::Received;
    if (status == "staged" || status == "offline" || status == "failed") return Stage::Installed;
    if (status == "active" || status == "decommissioning") return Stage::Live;
    return Stage::Planned;
}

bool contains(const std::string& text, std::initializer_list<std::string_view> words)
{
    return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != text.npos; });
}
/// What a network is for, by the words of the role of its switches.
std::optional<NetworkKind> networkOf(const std::string& role)
{
    if (contains(role, {"storage", "stor-"})) return NetworkKind::Storage;
    if (contains(role, {"mgmt", "management", "oob", "bmc"})) return NetworkKind::Management;
    if (contains(role, {"frontend", "front-end", "inband", "in-band", "border"}) || role.starts_with("fe-") || role.starts_with("fe_"))
        return NetworkKind::Frontend;
    if (contains(role, {"nvlink", "scale-up", "scaleup", "nvswitch", "ualink"})) return NetworkKind::ScaleUp;
    return std::nullopt;
}

TierKind tierKindOf(Purpose purpose)
{
    switch (purpose) {
    case Purpose::Server: return TierKind::Server;
    case Purpose::Switch: return TierKind::Switch;
    case Purpose::Power: return TierKind::Power;
    case Purpose::Cooling: return TierKind::Cooling;
    case Purpose::Panel:
    case Purpose::Other: break;
    }
    return TierKind::Other;
}

class Writer {
public:
    Writer(Snapshot& design, Inventory& inventory, const Wiring& wiring, ChosenParts& parts, const Catalogue& catalogue)
        : m_s(design), m_build(design), m(inventory), m_wiring(wiring), m_parts(parts), m_catalogue(catalogue),
          m_places(design, m_build, inventory, parts)
    {
    }

    void run()
    {
        m_places.write();
        findManagement();
        nameDevices();
        chooseTiers();
        findUnits();
        for (std::size_t i = 0; i < m.devices.size(); ++i) addDevice(i);
        addSupplies();
        planPorts();
        addPorts();
        addLinks();
        addCooling();
        addNumbers();
        offerParts();
        m_places.finish();
        findNetworkBuildings();
        tell();
    }

private:
    /// What a port of a device that is written is to be.
    struct Cage {
        DeviceSocket socket;
        int split = 1;
        std::map<int, int> subs; ///< of a cage whose ports NetBox has as interfaces of their own: their numbers, and the links of each
        /// The place of a port among them; they are counted from 0 or 1.
        [[nodiscard]] int laneOf(int sub) const { return sub - (subs.empty() || subs.begin()->first == 0 ? 0 : 1); }
        [[nodiscard]] int needed() const
        {
            int most = 1;
            for (const auto& [sub, links] : subs) most = std::max(most, laneOf(sub) + links);
            return most;
        }
    };
    struct Written {
        std::optional<DeviceId> id;
        bool isNew = false;
        std::shared_ptr<const Part> part;
        std::size_t tier = 0; ///< in m_tiers
        std::map<std::uint16_t, Cage> cages;
    };
    struct Tier {
        std::string name;
        TierKind kind = TierKind::Other;
        NetworkKind network = NetworkKind::Backend; ///< of a switch tier
        std::optional<TierId> id;
        int level = 0;
        std::int32_t next = 0; ///< running number of its devices
    };
    /// A power feed of NetBox, or anything that is not one of its devices.
    struct Supply {
        DeviceId id{};
        std::shared_ptr<const Part> part;
        std::uint16_t cage = 1; ///< of the outlet that a cable of the feed is on
    };

    // --- names and tiers

    /// Ports that only cables name are for management where their type says so.
    void findManagement()
    {
        for (std::size_t i = 0; i < m.of(PortKind::Interface).size(); ++i) {
            Port& port = m.of(PortKind::Interface)[i];
            const auto part = m_parts.ofDevice(port.ofDevice);
            const auto socket = part && port.implied ? m_parts.socket({PortKind::Interface, i}) : std::nullopt;
            if (socket) port.management = std::get<DeviceSpec>(part->spec).interfaces[socket->cage].management;
        }
    }

    void nameDevices()
    {
        std::map<std::string, int> uses;
        for (const Device& device : m.devices) ++uses[device.name];
        std::set<std::string> taken;
        std::size_t renamed = 0, unnamed = 0;
        for (const Device& device : m.devices) {
            std::string name = device.name;
            if (name.empty()) {
                name = fmt::format("{}-{}", m.deviceTypes[device.ofType].slug,
                                   device.id != 0 ? std::to_string(device.id) : std::to_string(m_names.size() + 1));
                ++unnamed;
            } else if (uses[name] > 1) {
                if (device.inSite != kNone) name = m.sites[device.inSite].name + "-" + name;
                ++renamed;
            }
            const std::string wanted = name;
            for (int n = 2; !taken.insert(name).second; ++n) name = fmt::format("{}-{}", wanted, n);
            m_names.push_back(std::move(name));
        }
        if (unnamed > 0)
            m.facts.push_back(i18np(unnamed, "{:L} device without name: named by its type and number",
                                    "{:L} devices without names: named by their types and numbers"));
        if (renamed > 0)
            m.facts.push_back(i18np(renamed, "{:L} device with a name that others have, too: its site is put before it",
                                    "{:L} devices with names that others have, too: their sites are put before them"));
        m_s.devices.forEach([&](DeviceId id) { m_known.emplace(m_s.devices.name[id], id); });
    }

    std::size_t tierOf(const std::string& role, TierKind kind)
    {
        const std::string name = slugOf(role.empty() ? std::string(wordOf(kind)) : role);
        for (std::size_t t = 0; t < m_tiers.size(); ++t)
            if (m_tiers[t].name == name && m_tiers[t].kind == kind) return t;
        m_tiers.push_back({name, kind, networkOf(name).value_or(NetworkKind::Backend), {}, 0, 0});
        return m_tiers.size() - 1;
    }

    void chooseTiers()
    {
        m_written.resize(m.devices.size());
        const auto accelerators = [&](std::size_t i) {
            const auto part = m_parts.ofDevice(i);
            return part ? std::get<DeviceSpec>(part->spec).accelerators : 0;
        };
        bool any = false;
        for (std::size_t i = 0; i < m.devices.size(); ++i) any = any || accelerators(i) > 0;
        for (std::size_t i = 0; i < m.devices.size(); ++i) {
            Written& written = m_written[i];
            written.part = m_parts.ofDevice(i);
            if (!written.part) continue;
            const Device& device = m.devices[i];
            const Purpose purpose = m_parts.purpose(i);
            // beside servers with accelerators, those without are storage and support nodes, as in templates
            const TierKind kind = any && purpose == Purpose::Server && accelerators(i) == 0 ? TierKind::Other : tierKindOf(purpose);
            const std::string role = device.role.slug.empty() ? device.role.name : device.role.slug;
            written.tier = tierOf(purpose == Purpose::Panel && role.empty() ? "patch-panel" : role, kind); // no text: a name
            if (const auto known = m_known.find(m_names[i]); known != m_known.end()) written.id = known->second;
        }
        chooseLevels();
        for (Tier& tier : m_tiers) writeTier(tier);
    }

    /// Servers are level 0; a tier of switches is one above what it is cabled to, seen from the servers.
    void chooseLevels()
    {
        std::set<std::pair<std::size_t, std::size_t>> cabled;
        for (const WholeLink& link : m_wiring.links) {
            if (link.a.kind != PortKind::Interface || link.b.kind != PortKind::Interface) continue;
            const Port &a = m.of(link.a.kind)[link.a.port], &b = m.of(link.b.kind)[link.b.port];
            if (a.management || b.management || !m_written[a.ofDevice].part || !m_written[b.ofDevice].part) continue;
            const std::size_t x = m_written[a.ofDevice].tier, y = m_written[b.ofDevice].tier;
            if (x != y) cabled.insert({x, y}), cabled.insert({y, x});
        }
        chooseNetworks(cabled);
        std::vector<int> level(m_tiers.size(), -1);
        std::vector<std::size_t> open;
        for (std::size_t t = 0; t < m_tiers.size(); ++t)
            if (m_tiers[t].kind == TierKind::Server) level[t] = 0, open.push_back(t);
        for (std::size_t i = 0; i < open.size(); ++i)
            for (std::size_t t = 0; t < m_tiers.size(); ++t)
                if (level[t] < 0 && m_tiers[t].kind == TierKind::Switch && cabled.contains({open[i], t}))
                    level[t] = level[open[i]] + 1, open.push_back(t);
        for (std::size_t t = 0; t < m_tiers.size(); ++t) m_tiers[t].level = level[t] >= 0 ? level[t] : m_tiers[t].kind == TierKind::Switch ? 1 : 0;
    }

    /// Switches whose role does not tell belong to the network of those that they are cabled to.
    void chooseNetworks(const std::set<std::pair<std::size_t, std::size_t>>& cabled)
    {
        std::vector<bool> known(m_tiers.size());
        for (std::size_t t = 0; t < m_tiers.size(); ++t) known[t] = networkOf(m_tiers[t].name).has_value();
        for (bool more = true; more;) {
            more = false;
            for (const auto& [from, to] : cabled)
                if (m_tiers[from].kind == TierKind::Switch && m_tiers[to].kind == TierKind::Switch && known[from] && !known[to] &&
                    m_tiers[from].network != NetworkKind::Management) // which reaches every switch
                    m_tiers[to].network = m_tiers[from].network, known[to] = more = true;
        }
    }

    NetworkId networkId(NetworkKind kind)
    {
        if (const auto known = m_networks.find(kind); known != m_networks.end()) return known->second;
        std::optional<NetworkId> found;
        m_s.networks.forEach([&](NetworkId id) {
            if (!found && m_s.networks.kind[id] == kind) found = id;
        });
        static constexpr std::uint32_t kColors[] = {0x3b82f6, 0x22c55e, 0xf59e0b, 0x94a3b8, 0xa855f7}; // as of kinds in templates
        if (!found) found = m_build.network({.name = std::string(wordOf(kind)), .color = kColors[std::size_t(kind)], .kind = kind});
        return m_networks.emplace(kind, *found).first->second;
    }

    void writeTier(Tier& tier)
    {
        std::optional<NetworkId> network;
        if (tier.kind == TierKind::Switch) network = networkId(tier.network);
        m_s.tiers.forEach([&](TierId id) {
            if (m_s.tiers.name[id] == tier.name && m_s.tiers.kind[id] == tier.kind) tier.id = id, tier.level = m_s.tiers.level[id];
        });
        if (tier.id)
            m_s.devices.forEach([&](DeviceId id) {
                if (m_s.devices.tier[id] == *tier.id) tier.next = std::max(tier.next, m_s.devices.index[id] + 1);
            });
        else
            tier.id = m_build.tier({.name = tier.name,
                                    .label = tier.name,
                                    .kind = tier.kind,
                                    .network = network ? Maybe<NetworkId>(*network) : Maybe<NetworkId>(),
                                    .level = std::int16_t(tier.level)});
    }

    // --- devices

    void findUnits()
    {
        m_s.racks.forEach([&](RackId id) {
            if (const auto part = partOf(m_s.racks.type[id])) m_units.emplace(id, RackUnits(std::get<RackSpec>(part->spec)));
        });
        const auto parts = ProjectParts::of(m_s.partTypes);
        if (!parts) return;
        m_s.devices.forEach([&](DeviceId id) {
            const auto rack = m_s.devices.rack[id];
            if (!rack || m_s.devices.u[id] < 1) return;
            if (const auto units = m_units.find(*rack); units != m_units.end()) units->second.put(mounted(m_s, **parts, id));
        });
    }
    /// Of a type that is in the design by now.
    [[nodiscard]] std::shared_ptr<const Part> partOf(PartTypeId id)
    {
        if (const auto known = m_types.find(id); known != m_types.end()) return known->second;
        auto part = Catalogue::parse(m_s.partTypes.definition[id], m_s.partTypes.slug[id]);
        return m_types[id] = part ? std::make_shared<const Part>(std::move(*part)) : nullptr;
    }

    /// The lowest unit of a device in its rack, from 1 at the bottom; 0: none that is in it.
    [[nodiscard]] int unitOf(const Device& device, const DeviceSpec& spec)
    {
        const Rack& rack = m.racks[device.inRack];
        const RackSize& size = rack.ofType != kNone && m.rackTypes[rack.ofType].size.units > 0 ? m.rackTypes[rack.ofType].size : rack.size;
        const auto part = m_parts.ofRack(device.inRack);
        const int height = part ? std::get<RackSpec>(part->spec).heightU : size.units;
        const double position = *device.position;
        m_halves += std::floor(position) != position;
        const int tall = (spec.halfUnits + 1) / 2, first = std::max(1, rack.size.startingUnit);
        if (position < 0 || position > 1'000) return 0;
        const int own = int(std::floor(position)) - first + 1;
        const int u = rack.size.fromTop || size.fromTop ? height - own + 1 - std::max(tall, 1) + 1 : own;
        return u >= 1 && u + std::max(tall, 1) - 1 <= height ? u : 0;
    }

    void addDevice(std::size_t i)
    {
        Written& written = m_written[i];
        if (!written.part) return;
        const Device& device = m.devices[i];
        const auto& spec = std::get<DeviceSpec>(written.part->spec);
        Tier& tier = m_tiers[written.tier];
        NewDevice row{.name = m_names[i], .tier = *tier.id};
        place(i, spec, row);
        if (written.id) return compare(i, row);
        row.type = m_build.partType(*written.part);
        const bool backup = contains(tier.name, {"backup", "spare"}) && tier.kind == TierKind::Server;
        row.role = backup                                                           ? DeviceRole::Backup
                   : tier.kind == TierKind::Server || tier.kind == TierKind::Switch ? DeviceRole::Active
                                                                                    : DeviceRole::Support;
        row.index = tier.next++;
        const DeviceId id = m_build.device(std::move(row));
        if (const Stage stage = deviceStage(device.status); stage != Stage::Planned) m_s.devices.stage.set(id, stage);
        if (!device.serial.empty()) m_s.devices.serial.set(id, device.serial);
        written.id = id, written.isNew = true;
    }

    void place(std::size_t i, const DeviceSpec& spec, NewDevice& row)
    {
        const Device& device = m.devices[i];
        const auto rack = device.inRack == kNone ? std::nullopt : m_places.rack(device.inRack);
        row.face = device.face == "rear" ? Face::Rear : Face::Front;
        if (!rack) return placeFree(i, spec, row);
        row.rack = *rack;
        const auto units = m_units.find(*rack);
        if (device.inParent != kNone && !device.position) { // in a bay of another device
            ++m_children;                                   // takes no unit of its own
            return;
        }
        if (device.position) row.u = std::int16_t(unitOf(device, spec));
        if (spec.halfUnits == 0) {
            if (row.u == 0 && device.face.empty()) row.face = ++m_zeroU[*rack] % 2 == 1 ? Face::Left : Face::Right;
            if (const auto& mount = device.spot.mount; mount == "left" || mount == "right") row.face = mount == "left" ? Face::Left : Face::Right;
            return;
        }
        if (row.u == 0 && units != m_units.end()) {
            const bool known = m_written[i].id && m_s.devices.rack[*m_written[i].id] == Maybe<RackId>(*rack);
            row.u = known ? m_s.devices.u[*m_written[i].id] : std::int16_t(units->second.lowestFor(spec, row.face));
            if (!known) ++(device.position ? m_outside : m_noUnit), m_unitWhere = device.where;
            if (row.u == 0) {
                row.rack = {};
                m.remarks.push_back({device.where, i18n("no room for device {} in its rack: not placed", m_names[i])});
                return;
            }
        }
        if (units != m_units.end() && !m_written[i].id) units->second.put(mountedAt(spec, row.face, row.u));
    }

    void placeFree(std::size_t i, const DeviceSpec& spec, NewDevice& row)
    {
        const Device& device = m.devices[i];
        const std::int32_t width = std::max(spec.width.value.count(), 300), depth = std::max(spec.depth.value.count(), 300);
        const auto hall = m_places.hall(device.inSite, device.inLocation);
        if (!hall) return;
        if (device.spot.placed() && std::abs(*device.spot.x) < kFarthestSpot && std::abs(*device.spot.y) < kFarthestSpot) {
            const double rotation = std::abs(device.spot.rotation.value_or(0)) < 1e6 ? device.spot.rotation.value_or(0) : 0;
            const int quarter = int((std::lround(rotation / 90) % 4 + 4) % 4);
            const std::int32_t x = std::int32_t(std::lround(*device.spot.x)) - (device.drawn ? width / 2 : 0);
            const std::int32_t y = std::int32_t(std::lround(*device.spot.y)) - (device.drawn ? depth / 2 : 0);
            const double z = device.spot.z.value_or(0);
            row.z = Millimetres(std::abs(z) < kFarthestSpot ? std::int32_t(std::lround(z)) : 0);
            if (const auto over = m_places.row(*hall, device.spot.row)) return placeOver(*over, spec, quarter, x, y, row);
            row.hall = *hall, row.angle = std::int16_t(quarter * 90);
            row.x = Millimetres(x), row.y = Millimetres(y);
            return;
        }
        const Purpose purpose = m_parts.purpose(i);
        if (device.inLocation == kNone || (purpose != Purpose::Power && purpose != Purpose::Cooling) || m_written[i].id) {
            m_loose += !m_written[i].id;
            return;
        }
        if (const auto at = m_places.besides(*hall, width, depth))
            row.hall = *hall, row.x = Millimetres(at->first), row.y = Millimetres(at->second), ++m_besides;
    }

    /// Over a row: in the row's own frame.
    void placeOver(RowId over, const DeviceSpec& spec, int quarter, std::int32_t x, std::int32_t y, NewDevice& row)
    {
        const int turn = quarterOf(m_s.rows.angle[over]), own = ((quarter - turn) % 4 + 4) % 4;
        std::int32_t along = spec.width.value.count(), across = spec.depth.value.count();
        if (own % 2 != 0) std::swap(along, across);
        if (turn % 2 != 0) std::swap(along, across); // in the frame of the hall
        const std::int32_t dx = x - m_s.rows.x[over].count(), dy = y - m_s.rows.y[over].count();
        std::int32_t ahead = 0, left = 0;
        switch (turn) {
        case 0: ahead = dx, left = dy; break;
        case 1: ahead = dy, left = -(dx + along); break;
        case 2: ahead = -(dx + along), left = -(dy + across); break;
        default: ahead = -(dy + across), left = dx; break;
        }
        row.row = over, row.angle = std::int16_t(own * 90);
        row.x = Millimetres(ahead), row.y = Millimetres(left);
    }

    /// A device that the design has: where it differs.
    void compare(std::size_t i, const NewDevice& row)
    {
        const DeviceId id = *m_written[i].id;
        const Device& device = m.devices[i];
        ++m_there;
        const auto say = [&](Text what) { m.remarks.push_back({device.where, i18n("device {}: {}; unchanged", m_names[i], std::move(what))}); };
        const std::string& here = m_s.partTypes.slug[m_s.devices.type[id]];
        const bool another = here != m_written[i].part->slug;
        if (another) say(i18n("type {} in the design, {} in NetBox", here, m_written[i].part->slug));
        const auto rackName = [&](Maybe<RackId> rack) { return rack ? m_s.racks.name[*rack] : std::string("–"); };
        if (m_s.devices.rack[id] != row.rack)
            say(i18n("rack {} in the design, {} in NetBox", rackName(m_s.devices.rack[id]), rackName(row.rack)));
        else if (row.rack && m_s.devices.u[id] != row.u)
            say(i18n("rack unit {} in the design, {} in NetBox", m_s.devices.u[id], row.u));
        if (another) m_written[i].part.reset(); // its ports are not those of NetBox: nothing is connected to it
    }

    // --- panels, feeds and cooling sources: no devices in NetBox

    TierId supplyTier(const char* name, TierKind kind)
    {
        const std::size_t at = tierOf(name, kind);
        if (!m_tiers[at].id) writeTier(m_tiers[at]);
        return *m_tiers[at].id;
    }

    std::optional<Supply> addSupply(const std::string& name, const char* tierName, TierKind kind, std::shared_ptr<const Part> part, std::size_t site,
                                    std::size_t location)
    {
        if (!part) return std::nullopt;
        if (const auto known = m_known.find(name); known != m_known.end()) return Supply{known->second, partOf(m_s.devices.type[known->second]), 1};
        const TierId tier = supplyTier(tierName, kind);
        const auto& spec = std::get<DeviceSpec>(part->spec);
        NewDevice row{.name = name, .tier = tier, .type = m_build.partType(*part), .role = DeviceRole::Support};
        row.index = m_tiers[tierOf(tierName, kind)].next++;
        if (const auto hall = m_places.hall(site, location))
            if (const auto at = m_places.besides(*hall, std::max(spec.width.value.count(), 300), std::max(spec.depth.value.count(), 300)))
                row.hall = *hall, row.x = Millimetres(at->first), row.y = Millimetres(at->second);
        const DeviceId id = m_build.device(std::move(row));
        m_known.emplace(name, id);
        m_build.allPorts(id, spec, kind, {});
        return Supply{id, part, 1};
    }

    static std::string sizeFact(const char* key, int mm)
    {
        return fmt::format("{}: {{value: {}, unit: mm, source: assumed, confidence: C}}\n", key, mm); // no text: YAML
    }

    void addSupplies()
    {
        std::vector<std::vector<std::size_t>> ofPanel(m.panels.size());
        for (std::size_t i = 0; i < m.feeds.size(); ++i) ofPanel[m.feeds[i].ofPanel].push_back(i);
        m_feeds.resize(m.feeds.size());
        const bool sided = std::ranges::any_of(m.feeds, [](const PowerFeed& feed) { return feed.type == "redundant"; });
        for (std::size_t p = 0; p < m.panels.size(); ++p) {
            const PowerPanel& panel = m.panels[p];
            std::ranges::sort(ofPanel[p], [&](std::size_t a, std::size_t b) { return naturalLess(m.feeds[a].name, m.feeds[b].name); });
            if (addKnownPanel(panel, ofPanel[p])) continue;
            std::string head = fmt::format(
                "manufacturer: Generic\nmodel: {}\nslug: {{SLUG}}\nu_height: 0\nis_full_depth: true\ndescription: \"Power " // no text: YAML
                "panel of NetBox\"\n",                                                                                      // no text: YAML
                Json("Power panel " + panel.name).dump(-1, ' ', false, Json::error_handler_t::replace));                    // no text: YAML
            if (!ofPanel[p].empty()) head += "power-outlets:\n";
            for (std::size_t n = 1; n <= ofPanel[p].size(); ++n) head += fmt::format("  - {{name: \"{}\", type: hardwired}}\n", n); // no text: YAML
            const std::string side = "kind: device\nslug: {SLUG}\n" + sizeFact("width", 800) + sizeFact("depth", 400) +             // no text: YAML
                                     sizeFact("height", 2000) +                                                                     // no text: YAML
                                     "power:\n  element: utility\n";                                                                // no text: YAML
            const auto board = addSupply(panel.name, "power-panel", TierKind::Power,
                                         m_parts.made(slugOf("power-panel-" + std::to_string(ofPanel[p].size())), head, side, panel.where),
                                         panel.inSite, panel.inLocation);
            if (!board) continue;
            for (std::size_t n = 0; n < ofPanel[p].size(); ++n) addFeed(ofPanel[p][n], *board, n, sided);
        }
        if (!m.panels.empty())
            m.facts.push_back(i18np(m.panels.size(), "{:L} power panel: it is a source of power, as NetBox has nothing upstream of it",
                                    "{:L} power panels: they are sources of power, as NetBox has nothing upstream of them"));
    }

    /// A panel whose description names a utility of the catalogue, as an export of a design writes it: its feeds are outlets of that part.
    bool addKnownPanel(const PowerPanel& panel, const std::vector<std::size_t>& feeds)
    {
        const auto found = m_catalogue.parts().find(panel.description);
        const auto id = m_build.findPartType(panel.description);
        const auto part = id ? partOf(*id) : found == m_catalogue.parts().end() ? nullptr : found->second;
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

    void addFeed(std::size_t i, const Supply& board, std::size_t number, bool sided)
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
        std::string side =
            "kind: device\nslug: {SLUG}\n" + sizeFact("width", 200) + sizeFact("depth", 200) + sizeFact("height", 300); // no text: YAML
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

    // --- ports

    /// Sockets with the ports that cables and interfaces of NetBox divide them into, their networks and roles.
    void planPorts()
    {
        for (std::size_t i = 0; i < m_written.size(); ++i) {
            Written& written = m_written[i];
            if (!written.isNew) continue;
            const Tier& tier = m_tiers[written.tier];
            const Maybe<NetworkId> network = tier.kind == TierKind::Switch ? m_s.tiers.network[*tier.id] : Maybe<NetworkId>();
            for (DeviceSocket& socket : socketsOf(std::get<DeviceSpec>(written.part->spec), tier.kind, network))
                written.cages[socket.cage].socket = socket;
        }
        for (std::size_t i = 0; i < m.of(PortKind::Interface).size(); ++i)
            if (const auto socket = m_parts.socket({PortKind::Interface, i});
                socket && socket->sub >= 0 && !catalogue::isUncabled(m.of(PortKind::Interface)[i].type)) // eth0.10 is a VLAN, swp1s0 a port
                m_written[m.of(PortKind::Interface)[i].ofDevice].cages[socket->cage].subs.emplace(socket->sub, 1);
        for (const WholeLink& link : m_wiring.links) {
            planEnd(link.a, link.splitA, link.b);
            planEnd(link.b, link.splitB, link.a);
        }
        for (Written& written : m_written)
            for (auto& [number, cage] : written.cages) cage.split = allowedSplit(written, number, std::max(cage.split, cage.needed()));
        for (const WholeLink& link : m_wiring.links) evenRates(link.a, link.b), evenRates(link.b, link.a);
    }

    /// The least number of ports that an interface's type breaks it out into and that has room for so many; that number where none has.
    [[nodiscard]] static int allowedSplit(const Written& written, std::uint16_t number, int needed)
    {
        int best = std::clamp(needed, 1, 64);
        if (needed <= 1 || !written.part) return best;
        const auto& interfaces = std::get<DeviceSpec>(written.part->spec).interfaces;
        if (number >= interfaces.size()) return best;
        std::optional<int> least;
        for (const int split : interfaces[number].splits)
            if (split >= needed && split <= 64 && (!least || split < *least)) least = split;
        return least.value_or(best);
    }

    /// A port of 800G on one of 400G is one of two that its cage is broken out into, where its type allows that.
    void evenRates(PortAt own, PortAt other)
    {
        Cage *cage = cageOf(own), *far = cageOf(other);
        if (!cage || !far || cage->socket.rate.count() <= 0 || far->socket.rate.count() <= 0) return;
        const auto rate = cage->socket.rate.count(), wanted = far->socket.rate.count() / far->split;
        if (wanted <= 0 || rate / cage->split <= wanted || rate % wanted != 0) return;
        const Written& written = m_written[m.of(own.kind)[own.port].ofDevice];
        const auto& interfaces = std::get<DeviceSpec>(written.part->spec).interfaces;
        const int split = int(rate / wanted);
        if (cage->socket.cage < interfaces.size() &&
            std::ranges::find(interfaces[cage->socket.cage].splits, split) != interfaces[cage->socket.cage].splits.end())
            cage->split = split, ++m_halved;
    }
    /// Of an interface of a device that is made here.
    [[nodiscard]] Cage* cageOf(PortAt at)
    {
        if (at.kind != PortKind::Interface) return nullptr;
        Written& written = m_written[m.of(at.kind)[at.port].ofDevice];
        const auto socket = written.isNew && written.part ? m_parts.socket(at) : std::nullopt;
        const auto found = socket ? written.cages.find(socket->cage) : written.cages.end();
        return found == written.cages.end() ? nullptr : &found->second;
    }

    void planEnd(PortAt own, int split, PortAt other)
    {
        if (own.kind != PortKind::Interface || other.kind != PortKind::Interface) return;
        const Port &port = m.of(own.kind)[own.port], &far = m.of(other.kind)[other.port];
        Written &written = m_written[port.ofDevice], &beyond = m_written[far.ofDevice];
        const auto socket = written.part && beyond.part ? m_parts.socket(own) : std::nullopt;
        if (!socket || !written.cages.contains(socket->cage)) return;
        Cage& cage = written.cages[socket->cage];
        if (socket->sub < 0)
            cage.split = std::clamp(std::max(cage.split, split), 1, 64);
        else
            cage.subs[socket->sub] = std::max(cage.subs[socket->sub], std::min(split, 64));
        const Tier &mine = m_tiers[written.tier], &theirs = m_tiers[beyond.tier];
        const bool ofSwitch = mine.kind == TierKind::Switch && !port.management;
        if (!ofSwitch && theirs.kind == TierKind::Switch) cage.socket.network = m_s.tiers.network[*theirs.id];
        if (ofSwitch && theirs.kind == TierKind::Switch && !far.management && mine.level < theirs.level) cage.socket.role = PortRole::Up;
        if (ofSwitch && theirs.kind == TierKind::Switch && !far.management && mine.level == theirs.level) cage.socket.role = PortRole::Peer;
        if (ofSwitch && written.isNew && beyond.id && beyond.isNew && m_s.devices.role[*beyond.id] == DeviceRole::Backup)
            cage.socket.role = PortRole::Backup;
    }

    void addPorts()
    {
        for (Written& written : m_written) {
            if (!written.isNew || !written.id) continue;
            std::map<std::tuple<PortRole, std::optional<NetworkId>, Medium>, std::uint16_t> numbers;
            for (auto& [number, cage] : written.cages) {
                if (cage.split > 1) cage.socket.rate = Gbps(cage.socket.rate.count() / cage.split);
                auto& next = numbers[{cage.socket.role, std::optional<NetworkId>(cage.socket.network), cage.socket.medium}];
                const std::uint16_t at = number;
                (void)m_build.ports(*written.id, std::span(&at, 1),
                                    {.split = std::uint8_t(cage.split),
                                     .firstNumber = next,
                                     .rate = cage.socket.rate,
                                     .role = cage.socket.role,
                                     .network = cage.socket.network,
                                     .medium = cage.socket.medium});
                next = std::uint16_t(next + cage.split);
            }
        }
    }

    /// By device, cage and lane; the index is made anew when ports were added.
    [[nodiscard]] std::optional<PortId> portAt(DeviceId device, std::uint16_t cage, int lane)
    {
        for (; m_portsSeen < m_s.ports.nextId(); ++m_portsSeen) {
            const PortId port(m_portsSeen);
            if (m_s.ports.contains(port))
                m_ports[{m_s.ports.device[port].value, m_s.cages.number[m_s.ports.cage[port]], m_s.ports.lane[port]}] = port;
        }
        const auto found = m_ports.find({device.value, cage, std::uint8_t(lane)});
        return found == m_ports.end() ? std::nullopt : std::optional(found->second);
    }
    [[nodiscard]] bool isUsed(PortId port)
    {
        for (; m_linksSeen < m_s.links.nextId(); ++m_linksSeen)
            if (const LinkId link(m_linksSeen); m_s.links.contains(link)) use(link);
        return m_used.contains(port);
    }
    void use(LinkId link) { m_used[m_s.links.from[link]] = link, m_used[m_s.links.to[link]] = link; }

    // --- links

    /// The port of the design at an end of a link.
    [[nodiscard]] std::optional<PortId> endOf(PortAt at, int lane)
    {
        if (at.kind == PortKind::Feed)
            return at.port < m_feeds.size() && m_feeds[at.port] ? portAt(m_feeds[at.port]->id, m_feeds[at.port]->cage, 0) : std::nullopt;
        const Port& port = m.of(at.kind)[at.port];
        const Written& written = m_written[port.ofDevice];
        const auto socket = written.id && written.part ? m_parts.socket(at) : std::nullopt;
        if (!socket) return std::nullopt;
        if (socket->sub >= 0)
            if (const auto cage = written.cages.find(socket->cage); cage != written.cages.end()) lane += cage->second.laneOf(socket->sub);
        return portAt(*written.id, socket->cage, lane);
    }

    CableId cableOf(std::size_t cable, Medium medium)
    {
        if (const auto known = m_cables.find(cable); known != m_cables.end()) return known->second;
        const std::string trunk = trunkOf(m.cables[cable]);
        if (const auto known = m_trunks.find(trunk); !trunk.empty() && known != m_trunks.end())
            return m_cables.emplace(cable, known->second).first->second;
        const CableId id = m_build.cable(medium);
        if (const auto& metres = m.cables[cable].metres)
            m_s.cables.length.set(id, Millimetres(std::int32_t(std::lround(std::min(*metres, 100'000.0) * 1000))));
        if (!trunk.empty()) m_trunks.emplace(trunk, id);
        return m_cables.emplace(cable, id).first->second;
    }
    /// Cables of one bundle between rear ports that are labeled BUNDLE/1, BUNDLE/2 … are connectors of one trunk; empty: none of a trunk.
    [[nodiscard]] static std::string trunkOf(const Cable& cable)
    {
        const auto isRear = [](const std::vector<CableEnd>& side) { return side.size() == 1 && side.front().kind == PortKind::Rear; };
        const auto slash = cable.name.rfind('/');
        if (slash == std::string::npos || !isRear(cable.sides[0]) || !isRear(cable.sides[1])) return {};
        const std::string trunk = cable.name.substr(0, slash);
        const bool counted = slash + 1 < cable.name.size() && cable.name.find_first_not_of("0123456789", slash + 1) == std::string::npos;
        return counted && (cable.bundle.empty() || cable.bundle == trunk) ? trunk : std::string();
    }

    void addLinks()
    {
        for (const WholeLink& link : m_wiring.links) {
            const auto a = endOf(link.a, link.laneA), b = endOf(link.b, link.laneB);
            const std::string& where = m.cables[link.cables.front()].where;
            if (!a || !b) {
                ++m_unmade, m_unmadeWhere = where;
                continue;
            }
            if (m_s.ports.medium[*a] != m_s.ports.medium[*b] || m_s.ports.device[*a] == m_s.ports.device[*b]) {
                m.leave(where,
                        i18n("cable {} connects ports of different kinds, or a device to itself: skipped", m.cables[link.cables.front()].name));
                continue;
            }
            if (isUsed(*a) || isUsed(*b)) {
                const auto known = m_used.find(*a);
                const bool same = known != m_used.end() && (m_s.links.from[known->second] == *b || m_s.links.to[known->second] == *b);
                if (same)
                    ++m_linksThere;
                else
                    m.leave(where, i18n("cable {} ends at a port that has another use in the design: skipped", m.cables[link.cables.front()].name));
                continue;
            }
            addLink(link, *a, *b);
        }
    }

    void addLink(const WholeLink& link, PortId a, PortId b)
    {
        const Medium medium = m_s.ports.medium[a];
        bool turned = false;
        if (medium == Medium::Data) {
            const LowerEnd lowest = lowerEnd(m_s, a, b);
            turned = lowest == LowerEnd::To || (lowest == LowerEnd::Neither && b < a);
        } else {
            if ((m_s.ports.role[a] == PortRole::Up) == (m_s.ports.role[b] == PortRole::Up))
                return m.leave(m.cables[link.cables.front()].where,
                               i18n("cable {} connects two outlets or two inlets: skipped", m.cables[link.cables.front()].name));
            turned = m_s.ports.role[a] != PortRole::Up;
        }
        if (medium == Medium::Data && m_s.ports.rate[a] != m_s.ports.rate[b]) ++m_rates, m_rateWhere = m.cables[link.cables.front()].where;
        auto cables = link.cables;
        auto panels = link.panels;
        if (turned) std::swap(a, b), std::ranges::reverse(cables), std::ranges::reverse(panels);
        const auto isBackup = [&](PortId port) { return m_s.devices.role[m_s.ports.device[port]] == DeviceRole::Backup; };
        for (const auto& [own, other] : {std::pair(a, b), std::pair(b, a)})
            if (medium == Medium::Data && !m_s.ports.network[own] && m_s.ports.network[other]) m_s.ports.network.set(own, m_s.ports.network[other]);
        std::vector<std::pair<DeviceId, std::int32_t>> crossed;
        for (const Crossing& crossing : panels) {
            const Written& panel = m_written[m.of(PortKind::Front)[crossing.front].ofDevice];
            const auto* spec = panel.part ? &std::get<DeviceSpec>(panel.part->spec) : nullptr;
            const std::int32_t position = m_parts.position(crossing.front);
            if (!panel.id || !spec || position >= spec->panel.positions) {
                crossed.clear(), cables = {cables.front()}; // no panel of the design: the link is direct
                ++m_direct;
                break;
            }
            crossed.emplace_back(*panel.id, position);
        }
        const CableId first = cableOf(cables.front(), medium);
        const LinkId id = m_build.link({.from = a,
                                        .to = b,
                                        .cable = first,
                                        .role = isBackup(a) || isBackup(b) ? LinkRole::Backup : LinkRole::Active,
                                        .overridden = m_s.cables.length[first].count() > 0 ? std::uint8_t(overridden::kLength) : std::uint8_t(0)});
        for (std::size_t n = 0; n < crossed.size(); ++n) {
            const RunId run = m_s.runs.insert();
            m_s.runs.link.set(run, id), m_s.runs.number.set(run, std::int32_t(n + 1));
            m_s.runs.panel.set(run, crossed[n].first), m_s.runs.position.set(run, crossed[n].second);
            m_s.runs.cable.set(run, cableOf(cables[n + 1], medium));
        }
        use(id);
        ++(medium == Medium::Data ? m_dataLinks : m_powerLinks);
        m_followed += !crossed.empty();
    }

    // --- cooling (4.7)

    void addCooling()
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
            if (const auto named = outflows.find({port.outflowDevice, port.outflow.name}); from == kNone && named != outflows.end())
                from = named->second;
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

    std::optional<Supply> addSource(const CoolingSource& source, std::size_t ways)
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

    // --- what else there is

    static bool isMac(const std::string& text)
    {
        return text.size() == 17 && std::ranges::all_of(text, [i = 0](char c) mutable {
                   return i++ % 3 == 2 ? c == ':' : (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
               });
    }

    void addNumbers()
    {
        std::set<std::string> known;
        m_s.hardwareIds.forEach([&](HardwareIdId id) { known.insert(m_s.hardwareIds.value[id]); });
        for (const Port& port : m.of(PortKind::Interface)) {
            const auto device = m_written[port.ofDevice].id;
            if (!device || !isMac(port.mac) || !known.insert(port.mac).second) continue;
            const HardwareIdId id = m_s.hardwareIds.insert();
            m_s.hardwareIds.device.set(id, *device), m_s.hardwareIds.value.set(id, port.mac);
        }
        std::size_t optics = 0;
        for (const Optic& optic : m.optics) {
            const Part* part = m_catalogue.find(slugOf(optic.part));
            const Written& written = m_written[std::size_t(optic.device.id)];
            if (!part || !std::holds_alternative<TransceiverSpec>(part->spec) || !written.isNew) continue;
            for (std::size_t i = 0; i < m.of(PortKind::Interface).size(); ++i) {
                const Port& port = m.of(PortKind::Interface)[i];
                if (std::int64_t(port.ofDevice) != optic.device.id || port.name != optic.component.name) continue;
                if (const auto at = endOf({PortKind::Interface, i}, 0))
                    m_s.cages.module.set(m_s.ports.cage[*at], Maybe<PartTypeId>(m_build.partType(*part))), ++optics;
            }
        }
        if (optics > 0) m.facts.push_back(i18np(optics, "{:L} transceiver of the inventory", "{:L} transceivers of the inventory"));
    }

    /// Modules and cables that a planner can choose from, where the project has none.
    void offerParts()
    {
        Catalogue all = m_catalogue;
        std::set<std::string> panels;
        for (const PartTypeId id : m_s.partTypes.ids()) {
            const auto part = partOf(id);
            if (!part) return;
            if (const auto* device = std::get_if<DeviceSpec>(&part->spec); device && device->panel.positions > 0)
                panels.insert({device->panel.connector, device->panel.behind()});
            if (!all.find(part->slug)) all.add(*part);
        }
        const auto offered = offeredParts(m_s.partTypes, all);
        for (const auto& slug : offered)
            if (const Part* part = m_catalogue.find(slug)) (void)m_build.partType(*part);
        if (offered.empty()) return;
        for (const auto& [slug, part] : m_catalogue.parts()) // trunks and straight cords for panels
            if (const auto* cable = std::get_if<CableSpec>(&part->spec);
                cable && (cable->positions > 1 || !cable->crosses) && panels.contains(cable->connector))
                (void)m_build.partType(*part);
    }

    /// A new building with switches and no servers is a network building where another one has the servers.
    void findNetworkBuildings()
    {
        std::set<BuildingId> servers, switches;
        m_s.devices.forEach([&](DeviceId id) {
            const auto rack = m_s.devices.rack[id];
            if (!rack) return;
            const BuildingId building = m_s.halls.building[m_s.rows.hall[m_s.racks.row[*rack]]];
            const TierKind kind = m_s.tiers.kind[m_s.devices.tier[id]];
            if (kind == TierKind::Server) servers.insert(building);
            if (kind == TierKind::Switch) switches.insert(building);
        });
        if (servers.empty()) return;
        for (const BuildingId building : switches)
            if (!servers.contains(building) && m_places.isNew(building)) m_s.buildings.kind.set(building, BuildingKind::Network);
    }

    void tell()
    {
        const auto fresh = std::ranges::count_if(m_written, [](const Written& written) { return written.isNew; });
        m.facts.push_back(i18n("{}, {}, {}, {}", i18np(m.sites.size(), "{:L} site", "{:L} sites"), i18np(m.racks.size(), "{:L} rack", "{:L} racks"),
                               i18np(m.devices.size(), "{:L} device", "{:L} devices"), i18np(m.cables.size(), "{:L} cable", "{:L} cables")));
        m.facts.push_back(
            i18n("{}, {}", i18np(m_dataLinks, "{:L} data link", "{:L} data links"), i18np(m_powerLinks, "{:L} power link", "{:L} power links")));
        if (m_followed > 0) m.facts.push_back(i18np(m_followed, "{:L} link over patch panels followed", "{:L} links over patch panels followed"));
        if (m_there > 0) m.facts.push_back(i18np(m_there, "{:L} device is in the design already", "{:L} devices are in the design already"));
        if (m_linksThere > 0) m.facts.push_back(i18np(m_linksThere, "{:L} link is in the design already", "{:L} links are in the design already"));
        if (fresh == 0 && m_there == 0) m.remarks.push_back({m.source, i18n("no devices: only sites, locations and racks are imported")});
        if (m_children > 0)
            m.facts.push_back(i18np(m_children, "{:L} device in a bay of another: placed in its rack, at no unit",
                                    "{:L} devices in bays of others: placed in their racks, at no unit"));
        if (m_loose > 0)
            m.facts.push_back(i18np(m_loose, "{:L} device without rack and position: not placed; `layout` places it",
                                    "{:L} devices without rack and position: not placed; `layout` places them"));
        if (m_besides > 0)
            m.facts.push_back(i18np(m_besides, "{:L} piece of equipment without position: placed beside the rows",
                                    "{:L} pieces of equipment without positions: placed beside the rows"));
        std::size_t tagged = 0;
        for (const auto& rack : m.racks) tagged += rack.tagged;
        for (const auto& device : m.devices) tagged += device.tagged;
        if (tagged > 0)
            m.facts.push_back(i18np(tagged, "tags of {:L} rack or device: not kept, a design has none",
                                    "tags of {:L} racks and devices: not kept, a design has none"));
        if (m_halved > 0)
            m.facts.push_back(
                i18np(m_halved, "{:L} port is broken out, as its peer is slower", "{:L} ports are broken out, as their peers are slower"));
        const auto doubt = [&](std::size_t count, const std::string& where, Text what) {
            if (count > 0) m.remarks.push_back({where, std::move(what)});
        };
        doubt(m_noUnit, m_unitWhere,
              i18np(m_noUnit, "{:L} device in a rack without position: lowest free unit assumed",
                    "{:L} devices in racks without positions: lowest free units assumed"));
        doubt(m_outside, m_unitWhere,
              i18np(m_outside, "{:L} device with a position outside its rack: lowest free unit assumed",
                    "{:L} devices with positions outside their racks: lowest free units assumed"));
        doubt(m_halves, m.source, i18np(m_halves, "{:L} device at half a unit: rounded down", "{:L} devices at half units: rounded down"));
        doubt(m_rates, m_rateWhere, i18np(m_rates, "{:L} link joins ports of different rates", "{:L} links join ports of different rates"));
        doubt(m_direct, m.source,
              i18np(m_direct, "{:L} link over a panel that is not a patch panel of the design: connected directly",
                    "{:L} links over panels that are not patch panels of the design: connected directly"));
        doubt(m_unmade, m_unmadeWhere,
              i18np(m_unmade, "{:L} link not made: its device was left out, or its type has no such port",
                    "{:L} links not made: their devices were left out, or their types have no such ports"));
    }

    Snapshot& m_s;
    DesignBuilder m_build;
    Inventory& m;
    const Wiring& m_wiring;
    ChosenParts& m_parts;
    const Catalogue& m_catalogue;
    Places m_places;
    std::vector<std::string> m_names; ///< by device
    std::vector<Written> m_written;   ///< by device
    std::vector<Tier> m_tiers;
    std::vector<std::optional<Supply>> m_feeds; ///< by power feed
    std::map<std::string, DeviceId> m_known;    ///< of the design, by name
    std::map<NetworkKind, NetworkId> m_networks;
    std::map<RackId, RackUnits> m_units;
    std::map<RackId, int> m_zeroU;
    std::map<PartTypeId, std::shared_ptr<const Part>> m_types;
    std::map<std::tuple<std::uint32_t, std::uint16_t, std::uint8_t>, PortId> m_ports;
    std::map<PortId, LinkId> m_used;
    std::map<std::size_t, CableId> m_cables;
    std::map<std::string, CableId> m_trunks;
    std::uint32_t m_portsSeen = 0, m_linksSeen = 0;
    std::size_t m_dataLinks = 0, m_powerLinks = 0, m_followed = 0, m_there = 0, m_linksThere = 0, m_children = 0, m_loose = 0, m_besides = 0,
                m_noUnit = 0, m_outside = 0, m_halves = 0, m_rates = 0, m_halved = 0, m_direct = 0, m_unmade = 0;
    std::string m_unitWhere, m_rateWhere, m_unmadeWhere;
};

} // namespace

void writeDesign(Snapshot& design, Inventory& inventory, const Wiring& wiring, ChosenParts& parts, const Catalogue& catalogue)
{
    Writer(design, inventory, wiring, parts, catalogue).run();
}

} // namespace hw::importers::netbox_in

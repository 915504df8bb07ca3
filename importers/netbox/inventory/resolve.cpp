// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/netbox/inventory/resolve.h"

#include "importers/netbox/inventory/values.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

namespace hw::importers::netbox_in {

namespace {

/// Objects by number, name and slug.
class Index {
public:
    void add(const Object& object, std::size_t at)
    {
        if (object.id != 0) m_ids.emplace(object.id, at);
        m_names.emplace(lower(object.name), at);
        if (!object.slug.empty()) m_slugs.emplace(lower(object.slug), at);
    }
    /// The one that fits: by number, else by name, else by slug. Nothing: none, or several.
    template <class Fits>
    [[nodiscard]] std::size_t find(const Ref& ref, Fits&& fits) const
    {
        if (ref.id != 0)
            if (const auto found = m_ids.find(ref.id); found != m_ids.end()) return found->second;
        if (const std::size_t named = one(m_names, ref.name, fits); named != kNone) return named;
        return one(m_slugs, ref.slug, fits);
    }
    [[nodiscard]] std::size_t find(const Ref& ref) const
    {
        return find(ref, [](std::size_t) { return true; });
    }

private:
    using Names = std::multimap<std::string, std::size_t>;
    template <class Fits>
    static std::size_t one(const Names& names, const std::string& name, Fits&& fits)
    {
        if (name.empty()) return kNone;
        std::size_t found = kNone;
        const auto [first, last] = names.equal_range(lower(name));
        for (auto it = first; it != last; ++it) {
            if (!fits(it->second)) continue;
            if (found != kNone) return kNone;
            found = it->second;
        }
        return found;
    }
    std::unordered_map<std::int64_t, std::size_t> m_ids;
    Names m_names, m_slugs;
};

template <class T>
Index indexOf(const std::vector<T>& all)
{
    Index index;
    for (std::size_t i = 0; i < all.size(); ++i) index.add(all[i], i);
    return index;
}

class Resolver {
public:
    Resolver(Inventory& inventory, const Selection& selection, const PerRear& perRear) : m(inventory), m_selection(selection), m_perRear(perRear) {}

    Result<void> run()
    {
        places();
        const auto chosen = chosenPlaces(m, m_selection);
        if (!chosen) return tl::unexpected(chosen.error());
        m_chosen = *chosen;
        racks();
        devices();
        drawn();
        supplies();
        ports();
        mappings();
        cables();
        return {};
    }

private:
    [[nodiscard]] bool isFiltered() const { return !m_selection.sites.empty() || !m_selection.locations.empty(); }
    [[nodiscard]] bool isWanted(std::size_t site, std::size_t location) const
    {
        if (!isFiltered()) return true;
        if (!m_selection.locations.empty()) return location != kNone && m_chosen.locations.contains(location);
        return site != kNone && m_chosen.sites.contains(site);
    }

    /// The site of a reference; one that no list has is made, as exported files may lack that list.
    std::size_t siteOf(const Ref& ref, const std::string& where)
    {
        if (ref.empty()) return kNone;
        if (const std::size_t known = m_sites.find(ref); known != kNone) return known;
        Site site;
        site.id = ref.id, site.name = ref.name.empty() ? ref.slug : ref.name, site.slug = ref.slug, site.where = where;
        if (site.name.empty()) return kNone;
        m.sites.push_back(site);
        m_sites.add(site, m.sites.size() - 1);
        return m.sites.size() - 1;
    }
    std::size_t locationOf(const Ref& ref, std::size_t site, const std::string& where)
    {
        if (ref.empty()) return kNone;
        const auto inSite = [&](std::size_t i) { return site == kNone || m.locations[i].inSite == kNone || m.locations[i].inSite == site; };
        if (const std::size_t known = m_locations.find(ref, inSite); known != kNone) return known;
        Location location;
        location.id = ref.id, location.name = ref.name.empty() ? ref.slug : ref.name, location.slug = ref.slug, location.where = where;
        location.inSite = site;
        if (location.name.empty()) return kNone;
        m.locations.push_back(location);
        m_locations.add(location, m.locations.size() - 1);
        return m.locations.size() - 1;
    }

    void places()
    {
        m_sites = indexOf(m.sites);
        m_locations = indexOf(m.locations);
        for (std::size_t i = 0, given = m.locations.size(); i < given; ++i) {
            const std::size_t site = siteOf(m.locations[i].site, m.locations[i].where);
            m.locations[i].inSite = site;
        }
        for (std::size_t i = 0, given = m.locations.size(); i < given; ++i) {
            const Ref parent = m.locations[i].parent;
            const std::size_t above = locationOf(parent, m.locations[i].inSite, m.locations[i].where);
            m.locations[i].inParent = above == i ? kNone : above;
        }
        for (auto& location : m.locations) { // a ring of parents, as no NetBox has it, but a broken file
            std::size_t steps = 0;
            for (std::size_t up = location.inParent; up != kNone; up = m.locations[up].inParent)
                if (++steps > m.locations.size()) {
                    location.inParent = kNone;
                    break;
                }
        }
    }

    void racks()
    {
        const Index types = indexOf(m.rackTypes);
        for (Rack& rack : m.racks) {
            rack.inSite = siteOf(rack.site, rack.where);
            rack.inLocation = locationOf(rack.location, rack.inSite, rack.where);
            if (rack.inSite == kNone && rack.inLocation != kNone) rack.inSite = m.locations[rack.inLocation].inSite;
            rack.ofType = rack.type.empty() ? kNone : types.find(rack.type);
            if (rack.ofType == kNone && !rack.type.empty() && rack.type.id == 0) // "Maker Model", as lists show it
                for (std::size_t i = 0; i < m.rackTypes.size() && rack.ofType == kNone; ++i)
                    if (bare(m.rackTypes[i].manufacturer + m.rackTypes[i].model) == bare(rack.type.name)) rack.ofType = i;
        }
        std::erase_if(m.racks, [&](const Rack& rack) { return !isWanted(rack.inSite, rack.inLocation); });
        m_racks = indexOf(m.racks);
    }

    std::size_t rackOf(const Ref& ref, std::size_t site, std::size_t location)
    {
        if (ref.empty()) return kNone;
        const auto here = [&](std::size_t i) {
            return (site == kNone || m.racks[i].inSite == site) && (location == kNone || m.racks[i].inLocation == location);
        };
        const std::size_t exact = m_racks.find(ref, here);
        return exact != kNone ? exact : m_racks.find(ref, [&](std::size_t i) { return site == kNone || m.racks[i].inSite == site; });
    }

    std::size_t typeOf(Index& types, const Device& device)
    {
        if (const std::size_t known = types.find(device.type,
                                                 [&](std::size_t i) {
                                                     return device.manufacturer.empty() || m.deviceTypes[i].manufacturer.empty() ||
                                                            bare(m.deviceTypes[i].manufacturer) == bare(device.manufacturer);
                                                 });
            known != kNone)
            return known;
        DeviceType type;
        type.id = device.type.id, type.model = device.type.name.empty() ? device.type.slug : device.type.name;
        type.manufacturer = device.manufacturer,
        type.slug = device.type.slug.empty() || device.type.slug == device.type.name ? slugOf(type.model) : device.type.slug;
        if (type.model.empty()) type.model = "device type " + std::to_string(type.id), type.slug = slugOf(type.model); // no text: a name
        type.name = type.model, type.where = device.where;
        m.deviceTypes.push_back(type);
        types.add(type, m.deviceTypes.size() - 1);
        return m.deviceTypes.size() - 1;
    }

    void devices()
    {
        Index types = indexOf(m.deviceTypes);
        for (Device& device : m.devices) {
            device.inSite = siteOf(device.site, device.where);
            device.inLocation = locationOf(device.location, device.inSite, device.where);
            device.inRack = rackOf(device.rack, device.inSite, device.inLocation);
            if (device.inRack != kNone) {
                if (device.inSite == kNone) device.inSite = m.racks[device.inRack].inSite;
                if (device.inLocation == kNone) device.inLocation = m.racks[device.inRack].inLocation;
            } else if (!device.rack.empty() && isWanted(device.inSite, device.inLocation))
                m.remarks.push_back({device.where, i18n("rack {} of device {} is not in the imported data: device not placed",
                                                        device.rack.name.empty() ? std::to_string(device.rack.id) : device.rack.name, device.name)});
            device.ofType = typeOf(types, device);
        }
        std::erase_if(m.devices, [&](const Device& device) { return !isWanted(device.inSite, device.inLocation); });
        m_devices = indexOf(m.devices);
        for (std::size_t i = 0; i < m.devices.size(); ++i) {
            Device& device = m.devices[i];
            if (!device.parent.empty())
                device.inParent = m_devices.find(device.parent, [&](std::size_t j) { return m.devices[j].inSite == device.inSite; });
            if (device.inParent == i) device.inParent = kNone;
            if (device.inParent != kNone && device.inRack == kNone) device.inRack = m.devices[device.inParent].inRack;
        }
    }

    /// Places of the floor-plan plugin, where custom fields state none.
    void drawn()
    {
        for (const Drawn& drawn : m.drawn) {
            const Ref ref{drawn.id, drawn.name, {}};
            const std::size_t at = drawn.rack ? m_racks.find(ref) : m_devices.find(ref);
            if (at == kNone) continue;
            Spot& spot = drawn.rack ? m.racks[at].spot : m.devices[at].spot;
            if (spot.placed()) continue;
            spot.x = drawn.x, spot.y = drawn.y, spot.rotation = drawn.rotation;
            (drawn.rack ? m.racks[at].drawn : m.devices[at].drawn) = true;
        }
    }

    void supplies()
    {
        for (PowerPanel& panel : m.panels) {
            panel.inSite = siteOf(panel.site, panel.where);
            panel.inLocation = locationOf(panel.location, panel.inSite, panel.where);
        }
        std::erase_if(m.panels, [&](const PowerPanel& panel) {
            return !isWanted(panel.inSite, panel.inLocation) && (panel.inLocation != kNone || !m_chosen.sites.contains(panel.inSite));
        });
        const Index panels = indexOf(m.panels);
        for (PowerFeed& feed : m.feeds) {
            feed.ofPanel = panels.find(feed.panel);
            if (feed.ofPanel == kNone && feed.panel.id == 0 && !isFiltered()) { // the list of panels is missing
                PowerPanel panel;
                panel.name = feed.panel.name, panel.where = feed.where;
                const auto made = std::ranges::find(m.panels, panel.name, &PowerPanel::name);
                feed.ofPanel = std::size_t(made - m.panels.begin());
                if (made == m.panels.end()) m.panels.push_back(std::move(panel));
            }
            feed.inRack = rackOf(feed.rack, feed.ofPanel == kNone ? kNone : m.panels[feed.ofPanel].inSite, kNone);
        }
        std::erase_if(m.feeds, [](const PowerFeed& feed) { return feed.ofPanel == kNone; });
        for (CoolingSource& source : m.coolingSources) {
            source.inSite = siteOf(source.site, source.where);
            source.inLocation = locationOf(source.location, source.inSite, source.where);
        }
        std::erase_if(m.coolingSources, [&](const CoolingSource& source) {
            return !isWanted(source.inSite, source.inLocation) && (source.inLocation != kNone || !m_chosen.sites.contains(source.inSite));
        });
        const Index sources = indexOf(m.coolingSources);
        for (CoolingFeed& feed : m.coolingFeeds) {
            feed.ofSource = sources.find(feed.source);
            feed.inRack = rackOf(feed.rack, feed.ofSource == kNone ? kNone : m.coolingSources[feed.ofSource].inSite, kNone);
        }
        std::erase_if(m.coolingFeeds, [](const CoolingFeed& feed) { return feed.ofSource == kNone; });
    }

    void ports()
    {
        for (std::size_t kind = 0; kind < kPortKinds; ++kind) {
            auto& all = m.ports[kind];
            for (Port& port : all) port.ofDevice = m_devices.find(port.device);
            std::size_t lost = 0;
            std::string where;
            for (const Port& port : all)
                if (port.ofDevice == kNone && lost++ == 0) where = port.where;
            if (lost > 0 && !isFiltered()) {
                m.left += lost, m.read -= std::min(m.read, lost);
                m.remarks.push_back({where, i18np(lost, "{:L} port of a device not included in the import: skipped",
                                                  "{:L} ports of devices not included in the import: skipped")});
            }
            std::erase_if(all, [](const Port& port) { return port.ofDevice == kNone; });
            for (std::size_t i = 0; i < all.size(); ++i) index(PortKind(kind), i);
        }
        for (Optic& optic : m.optics) {
            const std::size_t device = m_devices.find(optic.device);
            const std::size_t port = device == kNone ? kNone : portOf(PortKind::Interface, optic.component.id, device, optic.component.name);
            optic.component.name = port == kNone ? std::string() : m.of(PortKind::Interface)[port].name;
            optic.device.id = port == kNone ? -1 : std::int64_t(device);
        }
        std::erase_if(m.optics, [](const Optic& optic) { return optic.device.id < 0; });
    }

    void index(PortKind kind, std::size_t i)
    {
        const Port& port = m.of(kind)[i];
        if (port.id != 0) m_portIds[std::size_t(kind)].emplace(port.id, i);
        m_portNames[std::size_t(kind)].emplace(std::pair(port.ofDevice, lower(port.name)), i);
    }
    [[nodiscard]] std::size_t portOf(PortKind kind, std::int64_t id, std::size_t device, const std::string& name) const
    {
        if (id != 0)
            if (const auto found = m_portIds[std::size_t(kind)].find(id); found != m_portIds[std::size_t(kind)].end()) return found->second;
        const auto found = m_portNames[std::size_t(kind)].find(std::pair(device, lower(name)));
        return device == kNone || found == m_portNames[std::size_t(kind)].end() ? kNone : found->second;
    }

    /// Front ports on rear ports; where no list says it, a panel's front belongs to the rear of the same number.
    void mappings()
    {
        std::map<std::pair<std::size_t, int>, std::size_t> rears; // by device and number
        std::map<std::pair<std::size_t, std::string>, std::size_t> alike;
        std::set<std::size_t> mapped;
        for (std::size_t i = 0; i < m.of(PortKind::Rear).size(); ++i) {
            const Port& rear = m.of(PortKind::Rear)[i];
            rears.emplace(std::pair(rear.ofDevice, numberOfPort(rear.name)), i);
            alike.emplace(std::pair(rear.ofDevice, lower(rear.name)), i);
        }
        for (Port& front : m.of(PortKind::Front)) {
            for (Mapping& mapping : front.mappings) {
                mapping.onRear = portOf(PortKind::Rear, mapping.rear.id, front.ofDevice, mapping.rear.name);
                if (mapping.onRear != kNone) mapped.insert(front.ofDevice);
            }
            std::erase_if(front.mappings, [](const Mapping& mapping) { return mapping.onRear == kNone; });
        }
        for (Port& front : m.of(PortKind::Front)) {
            if (mapped.contains(front.ofDevice)) continue;
            const int each = std::max(1, m_perRear(m.deviceTypes[m.devices[front.ofDevice].ofType])), number = numberOfPort(front.name);
            if (number > 0) {
                if (const auto rear = rears.find({front.ofDevice, (number - 1) / each + 1}); rear != rears.end())
                    front.mappings.push_back({1, {}, (number - 1) % each + 1, rear->second});
            } else if (const auto rear = alike.find({front.ofDevice, lower(front.name)}); rear != alike.end())
                front.mappings.push_back({1, {}, 1, rear->second});
        }
    }

    void cables()
    {
        std::map<std::pair<std::string, std::string>, std::size_t> feeds; // by panel and name
        std::unordered_map<std::int64_t, std::size_t> feedIds;
        for (std::size_t i = 0; i < m.feeds.size(); ++i) {
            feeds.emplace(std::pair(lower(m.panels[m.feeds[i].ofPanel].name), lower(m.feeds[i].name)), i);
            if (m.feeds[i].id != 0) feedIds.emplace(m.feeds[i].id, i);
        }
        const auto find = [&](CableEnd& end, const std::string& where) {
            if (end.kind == PortKind::Feed) {
                if (const auto byId = feedIds.find(end.id); end.id != 0 && byId != feedIds.end()) return byId->second;
                const auto byName = feeds.find({lower(end.panel), lower(end.name)});
                return byName == feeds.end() ? kNone : byName->second;
            }
            if (end.kind == PortKind::Circuit || end.kind == PortKind::Console) return kNone;
            const std::size_t device = m_devices.find({0, end.device, {}});
            if (end.kind == PortKind::Unknown) end.kind = guessed(end, device);
            if (const std::size_t known = portOf(end.kind, end.id, device, end.name); known != kNone) return known;
            if (device == kNone || end.name.empty()) return kNone;
            Port port; // exported files may lack the list of ports
            port.kind = end.kind, port.name = end.name, port.where = where, port.ofDevice = device, port.implied = true;
            m.of(end.kind).push_back(port);
            index(end.kind, m.of(end.kind).size() - 1);
            return m.of(end.kind).size() - 1;
        };
        for (Cable& cable : m.cables)
            for (auto& side : cable.sides)
                for (CableEnd& end : side) end.port = find(end, cable.where);
        mappingsOfImplied();
    }
    /// Of a list without types of terminations: what the device has under that name.
    [[nodiscard]] PortKind guessed(const CableEnd& end, std::size_t device) const
    {
        for (const PortKind kind : {PortKind::Interface, PortKind::PowerPort, PortKind::PowerOutlet, PortKind::Front, PortKind::Rear})
            if (portOf(kind, 0, device, end.name) != kNone) return kind;
        const std::string name = lower(end.name);
        if (name.starts_with("psu") || name.starts_with("power")) return PortKind::PowerPort;
        if (name.starts_with("outlet")) return PortKind::PowerOutlet;
        if (name.starts_with("rear")) return PortKind::Rear;
        if (name.starts_with("front")) return PortKind::Front;
        return PortKind::Interface;
    }
    void mappingsOfImplied()
    {
        if (std::ranges::any_of(m.of(PortKind::Front), [](const Port& port) { return port.implied; }) ||
            std::ranges::any_of(m.of(PortKind::Rear), [](const Port& port) { return port.implied; }))
            mappings();
    }

    Inventory& m;
    const Selection& m_selection;
    const PerRear& m_perRear;
    ChosenPlaces m_chosen;
    Index m_sites, m_locations, m_racks, m_devices;
    std::array<std::unordered_map<std::int64_t, std::size_t>, kPortKinds> m_portIds;
    std::array<std::map<std::pair<std::size_t, std::string>, std::size_t>, kPortKinds> m_portNames;
};

template <class T>
std::set<std::size_t> namedIn(const std::vector<T>& all, const std::string& name)
{
    std::set<std::size_t> found;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (lower(all[i].name) == lower(name) || (!all[i].slug.empty() && lower(all[i].slug) == lower(name))) found.insert(i);
    return found;
}
template <class T>
tl::unexpected<Error> unknown(const std::vector<T>& all, const std::string& where, Text what)
{
    std::vector<std::string> names;
    for (const auto& one : all)
        if (names.size() < 20) names.push_back(one.name);
    return fail(ErrorCode::Usage, where, std::move(what), names.empty() ? i18n("omit it") : i18n("choose from {}", listedNames(names)));
}

} // namespace

Result<ChosenPlaces> chosenPlaces(Inventory& inventory, const Selection& selection)
{
    ChosenPlaces chosen;
    for (const auto& name : selection.sites) {
        const auto found = namedIn(inventory.sites, name);
        if (found.empty()) return unknown(inventory.sites, "--site " + name, i18n("site not found"));
        chosen.sites.insert(found.begin(), found.end());
    }
    const auto siteOf = [&](const Location& location) -> std::size_t {
        if (location.inSite != kNone) return location.inSite;
        for (std::size_t i = 0; i < inventory.sites.size(); ++i)
            if ((location.site.id != 0 && inventory.sites[i].id == location.site.id) || inventory.sites[i].name == location.site.name) return i;
        return kNone;
    };
    for (const auto& name : selection.locations) {
        std::set<std::size_t> found = namedIn(inventory.locations, name);
        std::erase_if(found, [&](std::size_t i) { return !selection.sites.empty() && !chosen.sites.contains(siteOf(inventory.locations[i])); });
        if (found.empty()) return unknown(inventory.locations, "--location " + name, i18n("location not found"));
        chosen.locations.insert(found.begin(), found.end());
    }
    const auto parentOf = [&](const Location& location) -> std::size_t {
        if (location.inParent != kNone) return location.inParent;
        for (std::size_t i = 0; i < inventory.locations.size(); ++i)
            if (location.parent.id != 0 && inventory.locations[i].id == location.parent.id) return i;
        return kNone;
    };
    for (bool more = !chosen.locations.empty(); more;) { // what is within them
        more = false;
        for (std::size_t i = 0; i < inventory.locations.size(); ++i)
            if (!chosen.locations.contains(i) && chosen.locations.contains(parentOf(inventory.locations[i])))
                more = chosen.locations.insert(i).second;
    }
    if (selection.sites.empty())
        for (const std::size_t location : chosen.locations)
            if (const std::size_t site = siteOf(inventory.locations[location]); site != kNone) chosen.sites.insert(site);
    return chosen;
}

int numberOfPort(const std::string& name)
{
    const auto digits = name.find_last_not_of("0123456789") + 1; // npos + 1 = 0
    int number = 0;
    const auto read = std::from_chars(name.data() + digits, name.data() + name.size(), number);
    return digits < name.size() && read.ec == std::errc() && number < 100'000 ? number : 0;
}

Result<void> resolve(Inventory& inventory, const Selection& selection, const PerRear& perRear)
{
    return Resolver(inventory, selection, perRear).run();
}

} // namespace hw::importers::netbox_in

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/headroom/headroom.h"

#include "core/derived/cooling/facility.h"

#include "core/derived/headroom/supply.h"
#include "core/derived/topology/rack_units.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace hw {

namespace {

constexpr std::int64_t kUnlimited = PowerSupply::kUnlimited;
constexpr std::int64_t kMostOfRack = 1000; ///< servers that a single resource is counted for
constexpr unsigned kAllResources = (1u << kResources) - 1;

constexpr bool has(unsigned mask, Resource r) { return mask & (1u << unsigned(r)); }

/// The servers of the most frequent type that are in use, the lowest id first.
std::vector<DeviceId> ownServers(const Snapshot& s)
{
    std::map<PartTypeId, std::vector<DeviceId>> ofType;
    s.devices.forEach([&](DeviceId id) {
        if (s.tiers.kind[s.devices.tier[id]] == TierKind::Server && s.devices.role[id] == DeviceRole::Active)
            ofType[s.devices.type[id]].push_back(id);
    });
    std::vector<DeviceId> most;
    for (auto& [type, servers] : ofType)
        if (servers.size() > most.size()) most = std::move(servers);
    return most;
}

/// Where servers are plugged in: switches of the backend, and ports that one server takes of each.
using PortGroup = std::vector<std::pair<DeviceId, int>>;

class Filling {
public:
    Filling(const Figures& figures, Headroom& out)
        : m_s(*figures.snapshot), m_figures(figures), m_out(out), m_basis(powerBasisOf(m_s)), m_supply(PowerSupply::of(figures, m_basis)),
          m_freePorts(m_s.devices.nextId(), 0), m_group(m_s.racks.nextId(), -1), m_wholeOnly(m_s.racks.nextId(), 0), m_ofRow(m_s.rows.nextId())
    {
        m_out.racks.resize(m_s.racks.nextId());
        findServer();
        findPorts();
        m_s.racks.forEach([&](RackId id) { m_ofRow[m_s.racks.row[id].value].push_back(id); });
        fillRacks();
    }

    PlaceSpare place(EntityRef entity, std::string name, const std::vector<RackId>& racks)
    {
        PlaceSpare out{.entity = entity, .name = std::move(name)};
        std::int64_t grams = 0;
        bool weighed = false;
        std::set<DeviceId> switches;
        for (const RackId id : racks) {
            const RackSpare& spare = m_out.racks[id.value];
            out.units += spare.units;
            if (spare.weight) grams += std::max<std::int64_t>(0, spare.weight->count()), weighed = true;
            if (m_group[id.value] >= 0)
                for (const auto& [device, use] : m_groups[std::size_t(m_group[id.value])]) switches.insert(device);
        }
        if (weighed) out.weight = Grams(grams);
        for (const DeviceId id : switches) out.ports += m_freePorts[id.value];
        m_budgetMw = budgetMw(racks.front());
        out.power = powerOf(racks);
        if (!m_out.server) return out;
        out.servers = servers(racks, kAllResources).value_or(0);
        for (std::size_t r = 0; r < kResources; ++r) {
            out.alone[r] = servers(racks, 1u << r);
            if (out.alone[r] && (!out.limit || *out.alone[r] < *out.alone[std::size_t(*out.limit)])) out.limit = Resource(r);
        }
        return out;
    }
    [[nodiscard]] const std::vector<RackId>& racksOf(RowId row) const { return m_ofRow[row.value]; }

private:
    void findServer()
    {
        m_servers = ownServers(m_s);
        if (m_servers.empty()) return;
        const PartTypeId type = m_s.devices.type[m_servers.front()];
        const DeviceSpec& spec = m_figures.parts->device(type);
        m_out.server = type;
        m_out.serverPower = m_figures.power->device(m_servers.front()).at(m_basis);
        m_out.serverUnits = std::max(1, (spec.halfUnits + 1) / 2);
        m_out.serverWeight = spec.weight.value;
        if (spec.accelerators > 0 && spec.scaleUpDomain > spec.accelerators) m_out.serversPerRack = spec.scaleUpDomain / spec.accelerators;
    }

    /// Of a rack-scale system: what a domain that is not complete lacks, or a whole one in a rack without anything.
    [[nodiscard]] std::int64_t placesInDomain(std::size_t ofThem, std::size_t others) const
    {
        const auto whole = std::size_t(m_out.serversPerRack);
        if (ofThem > 0) return std::int64_t(whole - std::min(whole, ofThem));
        return others == 0 ? m_out.serversPerRack : 0;
    }

    /// Free ports of the backend's switches, and on which of them the servers of every rack are.
    void findPorts()
    {
        const DesignIndex& index = m_figures.get<IndexNode>();
        const auto backend = [&](PortId port) {
            const auto network = m_s.ports.network[port];
            return m_s.ports.medium[port] == Medium::Data && network && m_s.networks.kind[*network] == NetworkKind::Backend;
        };
        m_s.ports.forEach([&](PortId port) {
            if (m_s.ports.role[port] == PortRole::Down && backend(port) && !index.linkOf(port)) ++m_freePorts[m_s.ports.device[port].value];
        });
        std::map<PortGroup, int> numbers;
        for (const DeviceId server : m_servers) {
            std::map<DeviceId, int> uses;
            for (const PortId port : index.portsOfDevice[server.value])
                if (backend(port))
                    if (const auto peer = index.peerOf(m_s, port)) ++uses[m_s.ports.device[*peer]];
            PortGroup group(uses.begin(), uses.end());
            if (m_out.serverPorts == 0)
                for (const auto& [device, use] : group) m_out.serverPorts += use;
            const auto rack = m_s.devices.rack[server];
            if (!rack || group.empty() || m_group[(*rack).value] >= 0) continue;
            const auto [at, fresh] = numbers.emplace(group, int(m_groups.size()));
            if (fresh) m_groups.push_back(std::move(group));
            m_group[(*rack).value] = at->second;
        }
        std::vector<int> ofRow(m_s.rows.nextId(), -1); // racks without servers: where those of their row are
        m_s.racks.forEach([&](RackId id) {
            if (int& row = ofRow[m_s.racks.row[id].value]; row < 0) row = m_group[id.value];
        });
        m_s.racks.forEach([&](RackId id) {
            if (m_group[id.value] < 0) m_group[id.value] = ofRow[m_s.racks.row[id].value];
        });
    }

    void fillRacks()
    {
        const auto units = unitsOfRacks(m_s, *m_figures.parts);
        std::vector<std::int64_t> grams(m_s.racks.nextId(), 0);
        std::vector<std::array<std::size_t, 2>> inside(m_s.racks.nextId(), {0, 0}); // servers of the type, others
        m_s.devices.forEach([&](DeviceId id) {
            const auto rack = m_s.devices.rack[id];
            if (!rack) return;
            grams[(*rack).value] += m_figures.parts->device(m_s.devices.type[id]).weight.value.count();
            ++inside[(*rack).value][m_s.devices.type[id] == m_out.server ? 0 : 1];
        });
        std::set<PartTypeId> ofThem; // types of racks that have such servers
        m_s.racks.forEach([&](RackId id) {
            if (inside[id.value][0] > 0) ofThem.insert(m_s.racks.type[id]);
        });
        m_s.racks.forEach([&](RackId id) {
            RackSpare& spare = m_out.racks[id.value];
            int run = 0;
            for (int u = 1; u <= units[id.value].height(); ++u) {
                const bool free = units[id.value].isOpen(u);
                spare.units += free;
                run = free ? run + 1 : 0;
                if (m_out.serverUnits > 0 && run == m_out.serverUnits) ++spare.servers, run = 0;
            }
            if (m_out.serversPerRack > 0) {
                const bool holdsThem = ofThem.contains(m_s.racks.type[id]); // no other type of rack has their manifold and shelves
                const std::int64_t most = holdsThem ? placesInDomain(inside[id.value][0], inside[id.value][1]) : 0;
                m_wholeOnly[id.value] = inside[id.value][0] == 0;
                spare.servers = m_wholeOnly[id.value] && spare.servers < most ? 0 : std::int32_t(std::min<std::int64_t>(spare.servers, most));
            }
            std::int64_t power = m_supply.spareOfRackMw(id);
            if (const Milliwatts limit = rackPowerLimit(m_s, *m_figures.parts, id); limit.count() > 0)
                power = std::min(power, std::max<std::int64_t>(0, (limit - m_figures.power->rack(id).at(m_basis)).count()));
            if (power < kUnlimited) spare.power = Milliwatts(power);
            if (const auto rating = m_figures.parts->rack(m_s.racks.type[id]).maxWeight.value.count(); rating > 0)
                spare.weight = Grams(rating - grams[id.value]);
        });
    }

    /// What the limits of the hall and the building leave; kUnlimited where neither states one.
    [[nodiscard]] std::int64_t budgetMw(RackId rack) const
    {
        const HallId hall = m_s.rows.hall[m_s.racks.row[rack]];
        const BuildingId building = m_s.halls.building[hall];
        const double pue = settingOf(m_s, "site.limit_basis") == "facility" ? pueOf(m_figures, m_basis).value : 1.0;
        std::int64_t budget = kUnlimited;
        if (const auto limit = m_s.halls.itLimit[hall].count(); limit > 0) budget = limit - m_figures.power->hall(hall).at(m_basis).count();
        if (const auto limit = m_s.buildings.itLimit[building].count(); limit > 0)
            budget = std::min(budget, std::int64_t(double(limit) / pue) - m_figures.power->building(building).at(m_basis).count());
        return std::max<std::int64_t>(0, budget);
    }

    /// Fills rack by rack; what is upstream is shared.
    std::optional<Milliwatts> powerOf(const std::vector<RackId>& racks)
    {
        auto spare = m_supply.spareMw;
        std::int64_t sum = 0;
        for (const RackId id : racks) {
            if (!m_out.racks[id.value].power) return m_budgetMw < kUnlimited ? std::optional(Milliwatts(m_budgetMw)) : std::nullopt;
            std::int64_t more = m_out.racks[id.value].power->count();
            for (const auto& part : m_supply.ofRack[id.value])
                if (spare[part.element.value] < kUnlimited)
                    more = std::min(more, std::int64_t(std::floor(double(std::max<std::int64_t>(0, spare[part.element.value])) / part.share)));
            for (const auto& part : m_supply.ofRack[id.value])
                if (spare[part.element.value] < kUnlimited) spare[part.element.value] -= std::int64_t(std::ceil(double(more) * part.share));
            sum += more;
        }
        return Milliwatts(std::min(sum, m_budgetMw));
    }

    /// How many more servers fit as far as these resources go; none where they never run out.
    std::optional<std::int64_t> servers(const std::vector<RackId>& racks, unsigned mask)
    {
        std::map<std::uint32_t, std::int64_t> drawn; // by element, what new servers add
        std::map<DeviceId, int> plugged;             // by switch
        const bool limited = has(mask, Resource::Power) && m_budgetMw < kUnlimited;
        std::int64_t sum = 0;
        for (const RackId id : racks) {
            const RackSpare& spare = m_out.racks[id.value];
            std::int64_t here = 0;
            const bool whole = has(mask, Resource::Units) && m_wholeOnly[id.value];
            const auto before = whole ? std::pair(drawn, plugged) : std::pair<std::map<std::uint32_t, std::int64_t>, std::map<DeviceId, int>>();
            while (here < kMostOfRack && fits(id, spare, here, mask, drawn, plugged)) ++here, take(id, mask, drawn, plugged);
            if (here == kMostOfRack && !limited) return std::nullopt;
            if (whole && here < m_out.serversPerRack) here = 0, std::tie(drawn, plugged) = before;
            sum += here;
        }
        if (!limited) return sum;
        const std::int64_t byBudget = m_budgetMw / std::max<std::int64_t>(1, m_out.serverPower.count());
        const std::int64_t per = has(mask, Resource::Units) ? std::max<std::int64_t>(1, m_out.serversPerRack) : 1;
        return sum <= byBudget ? sum : byBudget / per * per;
    }

    [[nodiscard]] bool fits(RackId id, const RackSpare& spare, std::int64_t here, unsigned mask, const std::map<std::uint32_t, std::int64_t>& drawn,
                            const std::map<DeviceId, int>& plugged) const
    {
        if (has(mask, Resource::Units) && here >= spare.servers) return false;
        if (has(mask, Resource::Weight) && spare.weight && (here + 1) * m_out.serverWeight.count() > spare.weight->count()) return false;
        if (has(mask, Resource::Ports)) {
            if (m_group[id.value] < 0) return m_groups.empty(); // nowhere to be plugged in; or nothing is anywhere
            for (const auto& [device, use] : m_groups[std::size_t(m_group[id.value])]) {
                const auto at = plugged.find(device);
                if (m_freePorts[device.value] < use + (at == plugged.end() ? 0 : at->second)) return false;
            }
        }
        if (has(mask, Resource::Power)) {
            if (spare.power && (here + 1) * m_out.serverPower.count() > spare.power->count()) return false;
            for (const auto& part : m_supply.ofRack[id.value]) {
                const auto at = drawn.find(part.element.value);
                const auto more = (at == drawn.end() ? 0 : at->second) + added(part);
                if (m_supply.spareMw[part.element.value] < more) return false;
            }
        }
        return true;
    }

    void take(RackId id, unsigned mask, std::map<std::uint32_t, std::int64_t>& drawn, std::map<DeviceId, int>& plugged) const
    {
        if (has(mask, Resource::Power))
            for (const auto& part : m_supply.ofRack[id.value]) drawn[part.element.value] += added(part);
        if (has(mask, Resource::Ports) && m_group[id.value] >= 0)
            for (const auto& [device, use] : m_groups[std::size_t(m_group[id.value])]) plugged[device] += use;
    }
    [[nodiscard]] std::int64_t added(const PowerSupply::Part& part) const
    {
        return std::int64_t(std::ceil(double(m_out.serverPower.count()) * part.share));
    }

    const Snapshot& m_s;
    const Figures& m_figures;
    Headroom& m_out;
    PowerBasis m_basis;
    PowerSupply m_supply;
    std::int64_t m_budgetMw = kUnlimited; ///< of the place that is looked at
    std::vector<DeviceId> m_servers;
    std::vector<std::int64_t> m_freePorts; ///< by device
    std::vector<PortGroup> m_groups;
    std::vector<int> m_group;      ///< by rack: in m_groups; -1: none
    std::vector<char> m_wholeOnly; ///< by rack: of a rack-scale system, a whole one or none
    std::vector<std::vector<RackId>> m_ofRow;
};

} // namespace

std::string_view resourceName(Resource resource)
{
    static constexpr std::string_view kNames[] = {"kw", "u", "ports", "kg"};
    return kNames[std::size_t(resource)];
}

Text resourceWord(Resource resource)
{
    switch (resource) {
    case Resource::Power: return TextId("power");
    case Resource::Units: return TextId("rack units");
    case Resource::Ports: return TextId("ports");
    case Resource::Weight: return TextId("weight");
    }
    return {};
}

double Headroom::stranded(const PlaceSpare& place, Resource resource) const
{
    const auto n = double(place.servers);
    const auto left = [](double spare, double taken) { return std::max(0.0, spare - taken); };
    switch (resource) {
    case Resource::Power: return place.power ? left(double(place.power->count()) * 1e-6, n * double(serverPower.count()) * 1e-6) : 0;
    case Resource::Units: return left(place.units, n * serverUnits);
    case Resource::Ports: return left(double(place.ports), n * double(serverPorts));
    case Resource::Weight: return place.weight ? left(double(place.weight->count()) * 1e-3, n * double(serverWeight.count()) * 1e-3) : 0;
    }
    return 0;
}

Headroom headroomOf(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    Headroom out;
    Filling filling(figures, out);
    std::vector<std::vector<RackId>> ofHall(s.halls.nextId());
    s.rows.forEach([&](RowId id) {
        const auto& racks = filling.racksOf(id);
        if (racks.empty()) return;
        out.rows.push_back(filling.place(ref(id), s.rows.name[id], racks));
        auto& hall = ofHall[s.rows.hall[id].value];
        hall.insert(hall.end(), racks.begin(), racks.end());
    });
    s.halls.forEach([&](HallId id) {
        if (!ofHall[id.value].empty()) out.halls.push_back(filling.place(ref(id), s.halls.name[id], ofHall[id.value]));
    });
    return out;
}

} // namespace hw

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/device_draw.h"
#include "core/derived/topology/rack_units.h"
#include "core/design/sizing/demand.h"
#include "core/design/sizing/parts_of_size.h"
#include "core/foundation/model/places.h"
#include "core/foundation/model/setting_values.h"
#include "core/output/report/report.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace hw::sizing {

namespace {

/// What one building holds; the whole design has the sums.
struct Holding {
    std::string name;
    bool pod = false;
    std::int64_t active = 0, servers = 0;          ///< accelerators and servers
    std::int64_t accessPorts = 0, activeLinks = 0; ///< of access switches toward active servers
    std::int64_t inRacks = 0;                      ///< accelerators that its server racks take
    Milliwatts it, limit;
};

class LimitFinder {
public:
    explicit LimitFinder(const Figures& figures)
        : m_f(figures), m_s(*figures.snapshot), m_basis(powerBasisOf(m_s)), m_holdings(m_s.buildings.nextId())
    {
        m_s.buildings.forEach([&](BuildingId id) {
            auto& holding = m_holdings[id.value];
            holding.name = m_s.buildings.name[id];
            holding.pod = m_s.buildings.kind[id] == BuildingKind::Pod;
            holding.limit = m_s.buildings.itLimit[id];
            holding.it = figures.power->building(id).at(m_basis);
        });
        countServers();
        countPorts();
        countRacks();
    }

    std::vector<DesignLimit> run() const
    {
        std::vector<DesignLimit> result;
        Holding all;
        for (const auto& h : m_holdings) {
            if (!h.pod && h.active == 0) continue;
            all.active += h.active, all.servers += h.servers, all.accessPorts += h.accessPorts, all.activeLinks += h.activeLinks;
            all.inRacks += h.inRacks, all.it += h.it, all.limit += h.limit;
        }
        add(result, all);
        if (std::count_if(m_holdings.begin(), m_holdings.end(), [](const Holding& h) { return h.active > 0; }) > 1)
            for (const auto& h : m_holdings)
                if (h.active > 0) add(result, h);
        return result;
    }

private:
    std::optional<BuildingId> buildingOf(DeviceId device) const { return hw::buildingOf(m_s, device); }
    bool isServer(DeviceId id) const { return m_s.tiers.kind[m_s.devices.tier[id]] == TierKind::Server; }
    int acceleratorsOf(DeviceId id) const { return m_f.parts->device(m_s.devices.type[id]).accelerators; }

    void countServers()
    {
        m_s.devices.forEach([&](DeviceId id) {
            if (!isServer(id) || m_s.devices.role[id] != DeviceRole::Active) return;
            const auto building = buildingOf(id);
            if (!building) return;
            m_holdings[building->value].active += acceleratorsOf(id);
            if (acceleratorsOf(id) > 0) ++m_holdings[building->value].servers;
        });
    }

    /// Ports of the kinds (switch tier, role, rate) that active servers of the sized network plug into.
    void countPorts()
    {
        std::set<std::tuple<TierId, PortRole, std::int32_t>> kinds;
        const auto network = sizedNetworkOf();
        if (!network) return;
        const auto& ports = m_s.ports;
        m_s.links.forEach([&](LinkId id) {
            const PortId a = m_s.links.from[id], b = m_s.links.to[id];
            if (m_s.links.role[id] == LinkRole::Backup || !(ports.network[a] == *network) || !isServer(ports.device[a]) || isServer(ports.device[b]))
                return;
            kinds.emplace(m_s.devices.tier[ports.device[b]], ports.role[b], ports.rate[b].count());
            if (const auto building = buildingOf(ports.device[a])) ++m_holdings[building->value].activeLinks;
        });
        ports.forEach([&](PortId id) {
            if (!(ports.network[id] == *network) || !kinds.contains({m_s.devices.tier[ports.device[id]], ports.role[id], ports.rate[id].count()}))
                return;
            if (const auto building = buildingOf(ports.device[id])) ++m_holdings[building->value].accessPorts;
        });
    }

    /// The first network of kind backend that servers are linked to, else any.
    std::optional<NetworkId> sizedNetworkOf() const
    {
        std::set<NetworkId> linked;
        m_s.links.forEach([&](LinkId id) {
            const PortId a = m_s.links.from[id];
            if (m_s.ports.medium[a] == Medium::Data && m_s.ports.network[a] && isServer(m_s.ports.device[a])) linked.insert(*m_s.ports.network[a]);
        });
        for (const auto id : linked)
            if (m_s.networks.kind[id] == NetworkKind::Backend) return id;
        return linked.empty() ? std::nullopt : std::optional(*linked.begin());
    }

    /// Servers that a rack with servers takes: those there, and as many of the same type as its largest
    /// free run of units and its power limit let in.
    void countRacks()
    {
        std::map<RackId, std::vector<DeviceId>> content;
        m_s.devices.forEach([&](DeviceId id) {
            if (const auto rack = m_s.devices.rack[id]; rack && m_s.devices.u[id] > 0) content[*rack].push_back(id);
        });
        for (const auto& [rack, devices] : content) {
            const auto first = std::find_if(devices.begin(), devices.end(), [&](DeviceId id) {
                return isServer(id) && m_s.devices.role[id] == DeviceRole::Active && acceleratorsOf(id) > 0;
            });
            if (first == devices.end()) continue;
            std::int64_t held = 0;
            for (const DeviceId id : devices)
                if (isServer(id) && m_s.devices.role[id] == DeviceRole::Active) held += acceleratorsOf(id);
            const BuildingId building = m_s.halls.building[m_s.rows.hall[m_s.racks.row[rack]]];
            m_holdings[building.value].inRacks += held + roomFor(rack, devices, m_s.devices.type[*first]) * acceleratorsOf(*first);
        }
    }

    std::int64_t roomFor(RackId rack, const std::vector<DeviceId>& devices, PartTypeId type) const
    {
        const auto& server = m_f.parts->device(type);
        const int units = std::max((server.halfUnits + 1) / 2, 1);
        RackUnits there(m_f.parts->rack(m_s.racks.type[rack]));
        for (const DeviceId id : devices) there.put(mounted(m_s, *m_f.parts, id));
        std::int64_t room = 0;
        for (int u = 1, run = 0; u <= there.height(); ++u) {
            run = there.isOpen(u) ? run + 1 : 0;
            if (run == units) ++room, run = 0;
        }
        const auto limit = rackPowerLimit(m_s, *m_f.parts, rack).count(), load = m_f.power->rack(rack).at(m_basis).count(),
                   draw = drawOf(server, m_basis).value.count();
        return limit > 0 && draw > 0 ? std::clamp<std::int64_t>((limit - load) / draw, 0, room) : room;
    }

    void add(std::vector<DesignLimit>& out, const Holding& h) const
    {
        if (h.active == 0) return;
        out.push_back({"servers", h.name, h.active, i18np(h.servers, "{:L} server placed", "{:L} servers placed")});
        if (h.activeLinks > 0) {
            const double each = double(h.activeLinks) / double(h.active);
            out.push_back({"ports", h.name, std::int64_t(double(h.accessPorts) / each + 1e-9),
                           i18np(h.accessPorts, "{:L} access port at {:.4g} per accelerator", "{:L} access ports at {:.4g} per accelerator", each)});
        }
        if (h.limit.count() > 0 && h.it.count() > 0) {
            const bool facility = settingOf(m_s, "site.limit_basis") == "facility";
            const double pue = facility ? pueOf(m_f, powerBasisOf(m_s)).value : 1.0;
            const auto servers = site::hostsAtLimit(toWatts(h.limit), toWatts(h.it) / double(std::max<std::int64_t>(h.servers, 1)), pue);
            const Text limit = powerText(toWatts(h.limit));
            const double each = toWatts(h.it) * pue / double(h.active);
            out.push_back({"power", h.name, servers * (h.active / std::max<std::int64_t>(h.servers, 1)),
                           facility ? i18n("{} facility power at {:.0f} W per accelerator", limit, each)
                                    : i18n("{} IT power at {:.0f} W per accelerator", limit, each)});
        }
        if (h.inRacks > 0) out.push_back({"racks", h.name, h.inRacks, i18n("rack units and power of server racks")});
    }

    const Figures& m_f;
    const Snapshot& m_s;
    PowerBasis m_basis;
    std::vector<Holding> m_holdings; ///< by building
};

} // namespace

std::vector<DesignLimit> designLimits(const Figures& figures) { return LimitFinder(figures).run(); }

} // namespace hw::sizing

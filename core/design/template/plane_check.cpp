// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/plane_check.h"

#include "core/derived/topology/nic_ports.h"
#include "core/design/template/failure.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace hw {

namespace {

class PlaneCheck {
public:
    PlaneCheck(const Snapshot& design, const Catalog& catalog, const TemplateSpec& spec) : m_s(design), m_catalog(catalog), m_spec(spec)
    {
        m_nics.resize(design.partTypes.nextId());
    }

    void run()
    {
        bool any = false;
        m_s.networks.forEach([&](NetworkId id) { any = any || m_s.networks.planes[id] > 1; });
        if (!any) return;
        m_s.links.forEach([&](LinkId link) {
            const auto network = m_s.ports.network[m_s.links.from[link]];
            if (network && m_s.ports.medium[m_s.links.from[link]] == Medium::Data && m_s.networks.planes[*network] > 1) checkLink(*network, link);
        });
        checkNics();
    }

private:
    /// Port of a NIC and the plane that it ends in.
    struct End {
        NetworkId network;
        DeviceId device;
        std::uint32_t nic;
        LinkId link;
        int plane;
    };

    bool inNetwork(DeviceId device, NetworkId network) const { return m_s.tiers.network[m_s.devices.tier[device]] == network; }

    /// Where the template has the rule that made a link.
    std::string whereOf(LinkId link) const
    {
        const auto& rule = m_s.linkRules.key[*m_s.links.rule[link]];
        const auto found = std::find_if(m_spec.links.begin(), m_spec.links.end(), [&](const LinkSpec& spec) { return spec.name == rule; });
        return found == m_spec.links.end() ? m_spec.file : found->where;
    }

    void checkLink(NetworkId network, LinkId link)
    {
        PortId low = m_s.links.from[link], high = m_s.links.to[link];
        if (!inNetwork(m_s.ports.device[high], network)) std::swap(low, high);
        const DeviceId below = m_s.ports.device[low], above = m_s.ports.device[high];
        const int a = m_s.devices.plane[below], b = m_s.devices.plane[above];
        if (!inNetwork(below, network)) return attach(network, link, low, above);
        if (a >= 0 && b >= 0 && a != b)
            throw refusal(whereOf(link),
                          i18n("{} of plane {} would be connected to {} of plane {}, but the planes of network '{}' must be isolated",
                               m_s.devices.name[below], a + 1, m_s.devices.name[above], b + 1, m_s.networks.name[network]),
                          i18n("make the coordinate 'plane' equal at both ends"));
    }

    void attach(NetworkId network, LinkId link, PortId port, DeviceId above)
    {
        const DeviceId host = m_s.ports.device[port];
        const int plane = m_s.devices.plane[above];
        if (plane < 0)
            throw refusal(whereOf(link),
                          i18n("network '{}' has {} planes, but {}, to which {} is connected, belongs to none", m_s.networks.name[network],
                               m_s.networks.planes[network], m_s.devices.name[above], m_s.devices.name[host]),
                          i18n("add the coordinate 'plane' to the tier, or set 'planes: 1' for the network"));
        m_ends.push_back({network, host, nicNumber(port), link, plane});
    }

    /// Equal for ports of one NIC: the number of the NIC's first interface.
    std::uint32_t nicNumber(PortId port)
    {
        const CageId cage = m_s.ports.cage[port];
        const PartTypeId type = m_s.devices.type[m_s.ports.device[port]];
        auto& numbers = m_nics[type.value];
        if (numbers.empty()) {
            const auto& interfaces = std::get<DeviceSpec>(m_catalog.find(m_s.partTypes.slug[type])->spec).interfaces;
            std::map<std::string_view, std::uint32_t> first;
            for (std::uint32_t i = 0; i < interfaces.size(); ++i) numbers.push_back(first.emplace(nicOf(interfaces[i].name), i).first->second);
        }
        return numbers[m_s.cages.number[cage]];
    }

    void checkNics()
    {
        const auto key = [](const End& e) { return std::tuple(e.network, e.device, e.nic); };
        std::stable_sort(m_ends.begin(), m_ends.end(), [&](const End& a, const End& b) {
            return std::tuple_cat(key(a), std::tuple(a.plane)) < std::tuple_cat(key(b), std::tuple(b.plane));
        });
        for (std::size_t i = 0, next; i < m_ends.size(); i = next) {
            int planes = 0;
            for (next = i; next < m_ends.size() && key(m_ends[next]) == key(m_ends[i]); ++next)
                planes += next == i || m_ends[next].plane != m_ends[next - 1].plane;
            const int ports = int(next - i), wanted = std::min<int>(ports, m_s.networks.planes[m_ends[i].network]);
            if (planes < wanted) refuseNic(m_ends[i], ports, planes);
        }
    }

    [[noreturn]] void refuseNic(const End& end, int ports, int planes) const
    {
        const auto& interfaces = std::get<DeviceSpec>(m_catalog.find(m_s.partTypes.slug[m_s.devices.type[end.device]])->spec).interfaces;
        throw refusal(whereOf(end.link),
                      i18n("{} ports of {} of {} connect to {} of the {} planes of network '{}'; each NIC port must connect to a separate plane",
                           ports, nicOf(interfaces[end.nic].name), m_s.devices.name[end.device], planes, m_s.networks.planes[end.network],
                           m_s.networks.name[end.network]),
                      i18n("connect the ports of each NIC to different planes, or set 'planes: 1' for the network"));
    }

    const Snapshot& m_s;
    const Catalog& m_catalog;
    const TemplateSpec& m_spec;
    std::vector<std::vector<std::uint32_t>> m_nics; ///< by part type, then interface
    std::vector<End> m_ends;
};

} // namespace

void checkPlanes(const Snapshot& design, const Catalog& catalog, const TemplateSpec& spec) { PlaneCheck(design, catalog, spec).run(); }

} // namespace hw

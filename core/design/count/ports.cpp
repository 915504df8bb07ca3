// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/count/ports.h"

#include "core/design/template/port_groups.h"

namespace hw::count {

const std::vector<PortTable::Entry>& PortTable::of(const SetSpec& tier, const ExpressionText& type, const std::vector<std::int64_t>& numbers)
{
    const auto [found, fresh] = m_known.try_emplace({tier.name, type.text, numbers});
    if (!fresh) return found->second;
    try {
        found->second = bind(tier, type);
    } catch (...) {
        m_known.erase(found); // a refusal is worked out again, with its words
        throw;
    }
    return found->second;
}

std::vector<PortTable::Entry> PortTable::bind(const SetSpec& tier, const ExpressionText& type) const
{
    const PortBinder binder(m_constants, m_networks, m_catalog, tier);
    const auto groups = binder.bind(type);
    const auto layout = binder.layout();
    const auto& interfaces = std::get<DeviceSpec>(m_catalog.find(type.text)->spec).interfaces;
    std::map<std::uint16_t, std::size_t> groupOf; // by socket
    std::vector<Entry> result;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        Entry entry;
        entry.absent = layout[i].absent;
        entry.ports.name = layout[i].name;
        if (groups[i].network) entry.ports.network = m_networks.name(*groups[i].network);
        entry.ports.role = groups[i].role;
        entry.ports.medium = groups[i].medium;
        entry.ports.rate = groups[i].rate;
        entry.ports.split = groups[i].split;
        entry.ports.perDevice = layout[i].count;
        if (groups[i].medium == Medium::Data)
            for (const auto cage : groups[i].cages) {
                entry.ports.interfaces.push_back(interfaces[cage].name);
                entry.ports.sockets.push_back(interfaces[cage].socket);
                const auto other = groupOf.try_emplace(interfaces[cage].socket, i).first->second;
                if (other != i) entry.ports.sharesSockets = result[other].ports.sharesSockets = true;
            }
        if (groups[i].medium == Medium::Data && !groups[i].cages.empty()) entry.ports.interface = interfaces[groups[i].cages.front()];
        result.push_back(std::move(entry));
    }
    return result;
}

} // namespace hw::count

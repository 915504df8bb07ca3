// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/plant_wirer.h"

#include "core/derived/figures/power_chain.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::layout {

TierId Wirer::tier(const std::string& key, TextId label, std::int16_t level)
{
    if (const auto found = findTier(m_out, key)) return *found;
    return m_builder.tier({.key = key,
                           .name = key,
                           .label = std::string(label.id),
                           .kind = m_medium == Medium::Power ? TierKind::Power : TierKind::Cooling,
                           .level = level});
}

DeviceId Wirer::device(TierId tier, const std::string& slug, const std::string& key, std::string name, int side)
{
    auto [running, fresh] = m_running.try_emplace(tier.value, 0);
    if (fresh) m_out.devices.forEach([&](DeviceId other) { running->second += m_out.devices.tier[other] == tier; });
    return m_builder.device({.key = key.empty() ? key : "device." + key,
                             .name = std::move(name),
                             .tier = tier,
                             .type = m_parts.use(slug),
                             .side = side < 0 ? PowerSide::None : PowerSide(1 + side),
                             .index = running->second++});
}

void Wirer::feed(DeviceId consumer, DeviceId supplier)
{
    feedInReserve(consumer, supplier);
    carry(supplier, consumer);
}

std::int64_t Wirer::lossAt(const std::string& slug, std::int64_t mw)
{
    const auto [loss, fresh] = m_losses.try_emplace(slug);
    if (fresh) loss->second = lossOf(m_parts.device(slug).power, powerFactorOf(m_out));
    return loss->second.at(Milliwatts(mw)).count();
}

LinkId Wirer::join(DeviceId consumer, DeviceId supplier, int ordinal)
{
    const TierId low = m_out.devices.tier[consumer], high = m_out.devices.tier[supplier];
    auto [rule, fresh] = m_rules.try_emplace({low, high});
    if (fresh)
        rule->second = m_builder.linkRule(
            {.key = fmt::format("{}/{}-{}", m_medium == Medium::Power ? "plant" : "water", m_out.tiers.key[low], m_out.tiers.key[high]),
             .from = low,
             .to = high,
             .medium = m_medium});
    const LinkId link = m_builder.cabledLink(
        {.rule = rule->second, .from = port(consumer, PortRole::Up), .to = port(supplier, PortRole::Down), .ordinal = std::uint16_t(ordinal)});
    if (m_fed.size() <= consumer.value) m_fed.resize(consumer.value + 1u, 0);
    m_fed[consumer.value] = 1;
    return link;
}

void Wirer::read()
{
    std::vector<char> linked(m_out.ports.nextId(), 0);
    m_fed.assign(m_out.devices.nextId(), 0), m_feeds = m_fed;
    m_out.links.forEach([&](LinkId link) {
        const PortId from = m_out.links.from[link], to = m_out.links.to[link];
        if (m_out.ports.medium[from] != m_medium) return;
        linked[from.value] = linked[to.value] = 1;
        m_fed[m_out.ports.device[from].value] = m_feeds[m_out.ports.device[to].value] = 1;
    });
    m_out.ports.forEach([&](PortId id) {
        if (m_out.ports.medium[id] != m_medium) return;
        const PortRole role = m_out.ports.role[id] == PortRole::Up ? PortRole::Up : PortRole::Down;
        Sockets& sockets = m_sockets[{m_out.ports.device[id].value, role}];
        sockets.next = std::max<std::uint16_t>(sockets.next, std::uint16_t(m_out.ports.number[id] + 1));
        if (!linked[id.value]) sockets.free.insert(sockets.free.begin(), id);
    });
    m_cages.assign(m_out.devices.nextId(), 0);
    m_out.cages.forEach([&](CageId id) {
        auto& next = m_cages[m_out.cages.device[id].value];
        next = std::max<std::uint16_t>(next, std::uint16_t(m_out.cages.number[id] + 1));
    });
}

PortId Wirer::port(DeviceId device, PortRole role)
{
    Sockets& sockets = m_sockets[{device.value, role}];
    if (!sockets.free.empty()) {
        const PortId id = sockets.free.back();
        sockets.free.pop_back();
        return id;
    }
    if (m_cages.size() <= device.value) m_cages.resize(device.value + 1u, 0);
    return m_builder.ports(device, m_cages[device.value]++, 1, {.firstNumber = sockets.next++, .role = role, .medium = m_medium});
}

} // namespace hw::layout

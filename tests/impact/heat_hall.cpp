// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/impact/heat_hall.h"

#include <stdexcept>

using namespace hw;

HeatHall::HeatHall(const Size& size, bool pumpsOnUps) : CoolingHall(size)
{
    change("c-cabinet", "optics_included: true", "accelerators: 72\noptics_included: true");
    powerTier = s.tiers.insert();
    s.tiers.name.set(powerTier, "power"), s.tiers.kind.set(powerTier, TierKind::Power);
    s.putSetting("site.power_basis", "design");
    s.putSetting("impact.trips", "off");
    utility = equipment("utility", "element: utility");
    generator = equipment("generator", "element: generator");
    board = equipment("board", "element: static-switch");
    ups = equipment("ups", "element: ups, battery: {value: 500, unit: kWh, source: t, confidence: A}");
    feed(board, utility), feed(board, generator), feed(ups, board);
    const auto hang = [&](const std::vector<DeviceId>& list, DeviceId on) {
        for (const DeviceId id : list) feed(id, on);
    };
    hang(chillers, board);
    hang(cdus, pumpsOnUps ? ups : board), hang(pumps, pumpsOnUps ? ups : board), hang(fans, pumpsOnUps ? ups : board);
}

DeviceId HeatHall::equipment(const std::string& name, const std::string& own)
{
    const std::string slug = "h-" + name;
    const PartTypeId type = s.partTypes.insert();
    s.partTypes.slug.set(type, slug), s.partTypes.kind.set(type, PartKind::Device);
    s.partTypes.definition.set(
        type, "manufacturer: Test\nmodel: m\nslug: " + slug + "\nu_height: 0\nis_full_depth: true\n---\nkind: device\nslug: " + slug +
                  "\nreviewed: \"2026-11-20\"\ncapacity: {value: 10, unit: MW, source: t, confidence: A}\npower: {" + own + "}\n");
    return add(name, powerTier, slug);
}

void HeatHall::feed(DeviceId consumer, DeviceId supplier)
{
    const auto port = [&](DeviceId device, PortRole role) {
        const CageId cage = s.cages.insert();
        s.cages.device.set(cage, device), s.cages.number.set(cage, std::uint16_t(m_port)), s.cages.split.set(cage, 1);
        const PortId id = s.ports.insert();
        s.ports.cage.set(id, cage), s.ports.device.set(id, device), s.ports.role.set(id, role), s.ports.medium.set(id, Medium::Power);
        s.ports.number.set(id, std::uint16_t(m_port++));
        return id;
    };
    const PortId from = port(consumer, PortRole::Up), to = port(supplier, PortRole::Down);
    (void)SmallHall::connect(from, to, addCable(Medium::Power));
    feedOf[consumer] = supplier;
}

const CoolingLoop& HeatHall::loopOf(const CoolingChain& chain, const std::string& name)
{
    for (const CoolingLoop& loop : chain.loops)
        if (loop.name == name) return loop;
    throw std::runtime_error("not connected to a loop" + name);
}

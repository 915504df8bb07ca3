// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/impact/random_plant.h"

namespace hw::test {

namespace {

class Plant {
public:
    explicit Plant(unsigned seed) : m_h(randomHall(seed)), m_state(seed * 77 + 5) {}

    Snapshot make()
    {
        Snapshot& s = m_h.s;
        s.devices.forEach([&](DeviceId id) {
            if (s.devices.tier[id] == m_h.torTier) m_tors.push_back(id);
        });
        m_storage = s.networks.insert();
        s.networks.name.set(m_storage, "storage"), s.networks.kind.set(m_storage, NetworkKind::Storage);
        power();
        cooling();
        for (const RackId rack : s.racks.ids())
            for (unsigned n = random(3); n-- > 0;) host(rack);
        for (const DeviceId id : s.devices.ids()) s.devices.name.set(id, "d" + std::to_string(id.value));
        for (const TrayId id : s.trays.ids()) s.trays.name.set(id, "t" + std::to_string(id.value));
        s.putSetting("site.power_basis", "design");
        return s;
    }

private:
    unsigned random(unsigned n) { return nextRandom(m_state) % n; }

    TierId tier(TierKind kind, int level)
    {
        const TierId id = m_h.s.tiers.insert();
        m_h.s.tiers.kind.set(id, kind), m_h.s.tiers.level.set(id, std::int16_t(level));
        return id;
    }
    DeviceId device(TierId of, const char* slug, Maybe<RackId> rack)
    {
        const DeviceId id = m_h.addSwitch(of, m_h.s.racks.ids().front(), 0);
        m_h.s.devices.type.set(id, m_h.part(slug)), m_h.s.devices.rack.set(id, rack), m_h.s.devices.u.set(id, std::int16_t(1));
        if (!rack) m_h.s.devices.hall.set(id, m_h.hall);
        return id;
    }
    void feed(DeviceId from, DeviceId to, Medium medium, int number)
    {
        const auto port = [&](DeviceId d, PortRole role) {
            const PortId id = m_h.addPort(d, role, 0);
            m_h.s.ports.medium.set(id, medium), m_h.s.ports.network.set(id, {}), m_h.s.ports.number.set(id, std::uint16_t(number));
            return id;
        };
        m_h.connect(port(from, PortRole::Up), port(to, PortRole::Down), m_h.addCable(medium));
    }
    void power()
    {
        const TierId transformers = tier(TierKind::Power, 1), busways = tier(TierKind::Power, 2), strips = tier(TierKind::Power, 3);
        for (int i = 0; i < 2; ++i) m_transformers.push_back(device(transformers, "transformer-3150kva", {}));
        for (int i = 0; i < 4; ++i) {
            m_busways.push_back(device(busways, "busway-1600a-400v", {}));
            feed(m_busways.back(), m_transformers[std::size_t(i % 2)], Medium::Power, 0);
            if (random(4) == 0) feed(m_busways.back(), m_transformers[std::size_t(1 - i % 2)], Medium::Power, 1);
        }
        for (const RackId rack : m_h.s.racks.ids())
            for (unsigned side = 0; side < 2; ++side)
                if (random(5)) feed(device(strips, "rack-pdu-63a", rack), m_busways[side + 2 * random(2)], Medium::Power, 0);
    }
    void cooling()
    {
        const TierId units = tier(TierKind::Cooling, 0);
        for (unsigned n = 1 + random(3); n-- > 0;) m_cdus.push_back(device(units, "cdu-1300kw", {}));
        m_cdus.push_back(device(units, "fan-wall-450kw", {}));
        if (random(3) == 0) m_cdus.push_back(device(units, "fan-wall-450kw", {}));
        for (const DeviceId unit : m_cdus)
            for (unsigned w = random(3); w-- > 0;) feed(unit, m_busways[random(4)], Medium::Power, int(w));
    }
    void host(RackId rack)
    {
        const DeviceId id = m_h.addServer(rack, int(1 + random(30)), random(4) ? DeviceRole::Active : DeviceRole::Backup);
        m_h.s.devices.segment.set(id, std::int16_t(random(3)));
        const LinkRole role = m_h.s.devices.role[id] == DeviceRole::Backup ? LinkRole::Backup : LinkRole::Active;
        for (unsigned p = 1 + random(6); p-- > 0;) {
            const PortId own = m_h.addPort(id, PortRole::Host, 200),
                         other = m_h.addPort(m_tors[random(unsigned(m_tors.size()))], PortRole::Down, 200);
            if (random(6) == 0) m_h.s.ports.network.set(own, m_storage), m_h.s.ports.network.set(other, m_storage);
            m_h.connect(own, other, m_h.addCable(), role);
        }
        if (random(3) == 0)
            for (unsigned w = 1 + random(4); w-- > 0;) feed(id, m_busways[random(4)], Medium::Power, int(w));
        if (random(3) == 0)
            for (unsigned w = 1 + random(2); w-- > 0;) feed(id, m_cdus[random(unsigned(m_cdus.size()))], Medium::Coolant, int(w));
    }

    SmallHall m_h;
    unsigned m_state;
    NetworkId m_storage;
    std::vector<DeviceId> m_tors, m_transformers, m_busways, m_cdus;
};

} // namespace

Snapshot randomPlant(unsigned seed) { return Plant(seed).make(); }

} // namespace hw::test

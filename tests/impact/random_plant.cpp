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
    /// Power equipment of its own type: `own` are keys of its definition, among them how much it carries, little enough for some to trip.
    DeviceId equipment(TierId of, const std::string& element, const std::string& own = {})
    {
        static constexpr int kKw[] = {15, 30, 60, 120};
        const std::string slug = "t-" + element + std::to_string(m_made++);
        const PartTypeId type = m_h.s.partTypes.insert();
        m_h.s.partTypes.slug.set(type, slug);
        m_h.s.partTypes.kind.set(type, PartKind::Device);
        m_h.s.partTypes.definition.set(type, "manufacturer: Test\nmodel: m\nslug: " + slug +
                                                 "\nu_height: 0\nis_full_depth: true\n---\nkind: device\nslug: " + slug +
                                                 "\nreviewed: \"2026-11-20\"\ncapacity: {value: " + std::to_string(kKw[random(4)]) +
                                                 ", unit: kW, source: t, confidence: A}\npower: {element: " + element + own + "}\n");
        const DeviceId id = device(of, "transformer-3150kva", {});
        m_h.s.devices.type.set(id, type);
        return id;
    }
    /// Utilities or none, transformers, generators here and there, boards with one to three ways in, UPS with and without batteries, busways.
    void power()
    {
        Snapshot& s = m_h.s;
        const TierId sources = tier(TierKind::Power, 0), transformers = tier(TierKind::Power, 1), boards = tier(TierKind::Power, 2),
                     ups = tier(TierKind::Power, 3), busways = tier(TierKind::Power, 4), strips = tier(TierKind::Power, 5);
        std::vector<DeviceId> above;
        const bool plain = random(3) == 0;
        for (int i = 0; i < 2; ++i) {
            m_transformers.push_back(plain ? device(transformers, "transformer-3150kva", {}) : equipment(transformers, "transformer"));
            if (!plain && random(3)) feed(m_transformers.back(), equipment(sources, "utility"), Medium::Power, 0);
        }
        for (unsigned i = 0; !plain && i < 2; ++i) {
            const DeviceId board = equipment(boards, random(4) ? "switchboard" : "static-switch");
            feed(board, m_transformers[i], Medium::Power, 0);
            int ways = 1;
            if (random(2)) feed(board, m_transformers[1 - i], Medium::Power, ways++);
            for (unsigned n = random(3); n-- > 0;) feed(board, equipment(sources, "generator"), Medium::Power, ways++);
            above.push_back(board);
            for (unsigned n = random(3); n-- > 0;) {
                static constexpr const char* kEnergy[] = {"0.05", "0.3", "2"};
                const std::string battery = std::string(", battery: {value: ") + kEnergy[random(3)] + ", unit: kWh, source: t, confidence: A}";
                const std::string curve = ", apparent: {value: 100, unit: kVA, source: t, confidence: A}, efficiency: {points: [25/94, 100/97], "
                                          "source: t, confidence: A}";
                const DeviceId unit = equipment(ups, "ups", (random(4) ? battery : "") + (random(2) ? curve : ""));
                feed(unit, board, Medium::Power, 0);
                above.push_back(unit);
            }
        }
        if (plain) above = m_transformers;
        for (unsigned i = 0; i < 4; ++i) {
            m_busways.push_back(plain ? device(busways, "busway-1600a-400v", {}) : equipment(busways, "busway"));
            feed(m_busways.back(), above[(i + (plain ? 0 : random(2))) % above.size()], Medium::Power, 0);
            if (random(4) == 0) feed(m_busways.back(), above[(i + 1) % above.size()], Medium::Power, 1);
        }
        static constexpr const char* kSeconds[] = {"0", "7", "60"};
        if (random(2)) s.putSetting("impact.trip_s", kSeconds[random(3)]);
        if (random(3) == 0) s.putSetting("impact.generator_start_s", kSeconds[random(3)]);
        if (random(3) == 0) s.putSetting("impact.change_over_s", random(2) ? "0" : "3");
        if (random(6) == 0) s.putSetting("impact.trips", "off");
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
    int m_made = 0;
    NetworkId m_storage;
    std::vector<DeviceId> m_tors, m_transformers, m_busways, m_cdus;
};

} // namespace

Snapshot randomPlant(unsigned seed) { return Plant(seed).make(); }

} // namespace hw::test

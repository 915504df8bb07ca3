// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/impact/random_plant.h"

namespace hw::test {

namespace {

class Plant {
public:
    Plant(unsigned seed, bool switchgear) : m_h(randomHall(seed)), m_state(seed * 77 + 5), m_switchgear(switchgear) {}

    Snapshot make()
    {
        m_plant = m_h.addHall(m_h.building, 51000, 1000, 5000, 5000);
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
        if (!rack) m_h.s.devices.hall.set(id, m_plant); // whose losses are in no room with racks
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
    /// Utilities, transformers, generators here and there, boards with one to three ways in, UPS with and without batteries, busways.
    void power()
    {
        Snapshot& s = m_h.s;
        const TierId sources = tier(TierKind::Power, 0), gear = tier(TierKind::Power, 0), transformers = tier(TierKind::Power, 1),
                     boards = tier(TierKind::Power, 2), ups = tier(TierKind::Power, 3), busways = tier(TierKind::Power, 4),
                     strips = tier(TierKind::Power, 5);
        std::vector<DeviceId> above;
        const bool plain = random(3) == 0;
        for (int i = 0; i < 2; ++i) {
            m_transformers.push_back(plain ? device(transformers, "transformer-3150kva", {}) : equipment(transformers, "transformer"));
            const DeviceId utility = !plain && random(3) ? equipment(sources, "utility") : device(sources, "utility-20kv-25mva", {});
            const DeviceId between = m_switchgear ? device(gear, "mv-switchgear-20kv-1250a", {}) : utility;
            if (m_switchgear) feed(between, utility, Medium::Power, 0);
            feed(m_transformers.back(), between, Medium::Power, 0);
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
            if (m_switchgear && random(3) == 0) feed(m_busways.back(), above[random(unsigned(above.size()))], Medium::Power, 2);
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
    /// A part of its own: `own` are lines of its definition.
    PartTypeId partOf(const std::string& stem, const std::string& own, int units = 0)
    {
        const std::string slug = "t-" + stem + std::to_string(m_made++);
        const PartTypeId type = m_h.s.partTypes.insert();
        m_h.s.partTypes.slug.set(type, slug), m_h.s.partTypes.kind.set(type, PartKind::Device);
        m_h.s.partTypes.definition.set(type, "manufacturer: Test\nmodel: m\nslug: " + slug + "\nu_height: " + std::to_string(units) +
                                                 "\nis_full_depth: true\n---\nkind: device\nslug: " + slug + "\nreviewed: \"2026-11-20\"\n" + own);
        return type;
    }
    static std::string kw(const char* key, unsigned value)
    {
        return std::string(key) + ": {value: " + std::to_string(value) + ", unit: kW, source: t, confidence: A}\n";
    }
    static std::string more(const char* key, unsigned value, const char* unit) // of `cooling`
    {
        return std::string("  ") + key + ": {value: " + std::to_string(value) + ", unit: " + unit + ", source: t, confidence: A}\n";
    }
    /// CDUs, some of them in a loop behind a header, fan walls, chillers or none of them; pumps of facility water here and there.
    void cooling()
    {
        const TierId units = tier(TierKind::Cooling, 0);
        const auto add = [&](const std::string& element, const std::string& own, const std::string& cooling) {
            const DeviceId id = device(units, "cdu-1300kw", {});
            m_h.s.devices.hall.set(id, m_h.hall);
            m_h.s.devices.type.set(id, partOf(element, own + "cooling:\n  element: " + element + "\n" + cooling));
            for (unsigned w = random(3); w-- > 0;) feed(id, m_busways[random(4)], Medium::Power, int(w));
            return id;
        };
        std::vector<DeviceId> chillers;
        const bool facility = random(3) != 0;
        for (unsigned n = facility ? 1 + random(3) : 0; n-- > 0;)
            chillers.push_back(add("chiller", kw("capacity", 10 + random(60)) + kw("design_power", 1),
                                   more("liters", random(200), "L") + more("restart", 1 + random(40), "s")));
        DeviceId from;
        if (facility && random(2)) {
            from = add("pump", "coolant_flow: {value: 900, unit: L/min, source: t, confidence: A}\n", more("liters", 5, "L"));
            for (const DeviceId id : chillers) feed(from, id, Medium::Coolant, 0);
        }
        const auto water = [&](DeviceId id) {
            if (!facility) return;
            if (from != DeviceId())
                feed(id, from, Medium::Coolant, 0);
            else
                for (const DeviceId chiller : chillers) feed(id, chiller, Medium::Coolant, 0);
        };
        for (unsigned n = 1 + random(3); n-- > 0;) {
            const bool pumps = random(2);
            m_cdus.push_back(add("cdu", kw("capacity", 5 + random(40)) + "removes: liquid\n", // whose pumps add no heat of their own
                                 more("feed_liters", random(60), "L") + (pumps ? "  pumps: 2\n" : "") + (pumps && random(2) ? "  spares: 1\n" : "")));
            water(m_cdus.back());
        }
        if (random(2)) {
            const DeviceId header = add("header", "", more("liters", 20, "L"));
            for (const DeviceId id : m_cdus)
                if (random(3)) feed(header, id, Medium::Coolant, int(random(2)));
            m_cdus.push_back(header);
        }
        for (unsigned n = 1 + random(2); n-- > 0;)
            water(add("fan-wall", kw("capacity", 10 + random(200)) + "removes: air\n" + kw("design_power", 1), ""));
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
        if (random(2) == 0) return;
        m_h.s.devices.type.set(id, partOf("host",
                                          kw("design_power", 2 + random(20)) +
                                              "accelerators: 4\nliquid_share: {value: 80, unit: \"%\", source: t, "
                                              "confidence: A}\ncooling:\n" +
                                              more("liters", random(3), "L"),
                                          4));
        for (unsigned w = 1 + random(2); w-- > 0;) feed(id, m_cdus[random(unsigned(m_cdus.size()))], Medium::Coolant, int(w));
    }

    SmallHall m_h;
    unsigned m_state;
    bool m_switchgear;
    int m_made = 0;
    NetworkId m_storage;
    HallId m_plant;
    std::vector<DeviceId> m_tors, m_transformers, m_busways, m_cdus;
};

} // namespace

Snapshot randomPlant(unsigned seed, bool switchgear) { return Plant(seed, switchgear).make(); }

} // namespace hw::test

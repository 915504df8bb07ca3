// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <span> in them
#include "core/design/addressing/address_files.h"
#include "core/design/addressing/address_rules.h"
#include "core/design/addressing/pool.h"
#include "core/design/template/template.h"

#include <nlohmann/json.hpp>
#endif

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace hw;

namespace {

const Catalog& catalog()
{
    static const auto loaded = Catalog::load(HW_RESOURCES "/catalog");
    return *loaded;
}

SnapshotPtr design(const std::string& name, const ParameterValues& values = {})
{
    const auto made = instantiate(*Template::load(HW_RESOURCES "/templates/" + name + ".yaml"), values, catalog());
    if (!made) qFatal("%s", made.error().text().c_str());
    return *made;
}

AddressPlan plan(const Snapshot& s)
{
    auto made = planAddresses(s);
    if (!made) qFatal("%s", made.error().text().c_str());
    return std::move(*made);
}

/// The design with some settings.
SnapshotPtr with(const SnapshotPtr& s, const std::map<std::string, std::string>& settings)
{
    auto copy = std::make_shared<Snapshot>(*s);
    for (const auto& [key, value] : settings) copy->putSetting("addressing." + key, value);
    return copy;
}

std::string contents(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

} // namespace

class TestAddressing : public QObject {
    Q_OBJECT
private slots:
    void prefixes()
    {
        for (const char* text : {"10.0.0.0/8", "0.0.0.0/0", "192.168.1.4/30", "10.0.0.1/32", "fd00:1::/48", "::/0", "fd00::1/128"}) {
            const auto prefix = parsePrefix(text);
            QVERIFY2(prefix.has_value(), text);
            QCOMPARE(prefixText(*prefix), std::string(text));
        }
        for (const char* text : {"10.0.0.0", "10.0.0.1/8", "10.0.0/8", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8x", "fd00::1/48", "fd00::/129", "",
                                 "/8", "300.0.0.0/8", "10.0.0.0/-1"})
            QVERIFY2(!parsePrefix(text).has_value(), text);
        QCOMPARE(addressText(parsePrefix("10.1.0.0/16")->last(), IpFamily::V4), std::string("10.1.255.255"));
        QCOMPARE(addressText(parsePrefix("::/0")->last(), IpFamily::V6), std::string("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"));
    }

    /// Blocks start at multiples of their size, follow each other, and end with the pool.
    void poolsHandOutAlignedBlocks()
    {
        AddressPool pool(*parsePrefix("10.0.0.0/28"), "pool");
        QCOMPARE(prefixText(*pool.take(32)), std::string("10.0.0.0/32"));
        QCOMPARE(prefixText(*pool.take(31)), std::string("10.0.0.2/31"));
        QCOMPARE(prefixText(*pool.take(30)), std::string("10.0.0.4/30"));
        QCOMPARE(prefixText(*pool.take(29)), std::string("10.0.0.8/29"));
        const auto none = pool.take(32);
        QVERIFY(!none.has_value());
        QCOMPARE(none.error().code, ErrorCode::Refused);
        QVERIFY(none.error().text().find("pool 10.0.0.0/28 is exhausted: no /") != std::string::npos);
        QVERIFY(!AddressPool(*parsePrefix("10.0.0.0/24"), "pool").take(23).has_value());
        AddressPool last(*parsePrefix("255.255.255.254/31"), "pool"); // the end of all addresses
        QVERIFY(last.take(32).has_value() && last.take(32).has_value() && !last.take(32).has_value());
        AddressPool six(*parsePrefix("ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe/127"), "pool");
        AddressPool ones(*parsePrefix("10.0.0.0/30"), "pool");
        for (const char* next : {"10.0.0.1", "10.0.0.2", "10.0.0.3"}) QCOMPARE(addressText(*ones.takeOne(), IpFamily::V4), std::string(next));
        QVERIFY(!ones.takeOne().has_value());
        QVERIFY(six.take(128).has_value() && six.take(128).has_value() && !six.take(128).has_value());
    }

    void poolsThatOverlapAreRefused()
    {
        Pools pools;
        const auto first = pools.addresses("10.0.0.0/9", "a", IpFamily::V4);
        QVERIFY(first.has_value());
        QVERIFY(*pools.addresses("10.0.0.0/9", "b", IpFamily::V4) == *first);
        QVERIFY(pools.addresses("10.128.0.0/9", "b", IpFamily::V4).has_value());
        const auto inside = pools.addresses("10.1.0.0/16", "c", IpFamily::V4);
        QVERIFY(!inside.has_value() && inside.error().text().find("10.1.0.0/16 overlaps 10.0.0.0/9 of a") != std::string::npos);
        QVERIFY(!pools.addresses("fd00::/48", "d", IpFamily::V4).has_value());
        QVERIFY(pools.asns("1-5", "a").has_value());
        QVERIFY(!pools.asns("5-9", "b").has_value());
        for (const char* bad : {"", "7", "9-8", "a-b", "1-99999999999", "-5"}) QVERIFY2(!pools.asns(bad, "x").has_value(), bad);
    }

    void uniqueness_data()
    {
        QTest::addColumn<std::string>("name");
        const auto all = loadTemplates(HW_RESOURCES "/templates");
        QVERIFY2(all.has_value(), all ? "" : all.error().text().c_str());
        for (const auto& t : *all) QTest::newRow(t.name().c_str()) << t.name();
    }
    /// Every shipped template as it stands: no address is given twice, every port has at most one, hosts lie in their
    /// subnet beside its gateway, subnets are apart, every data link is either point to point or under an access
    /// switch, every server and switch has a management address, every switch a loopback.
    void uniqueness()
    {
        QFETCH(std::string, name);
        const auto s = design(name);
        const auto p = plan(*s);
        std::vector<AddressNumber> four, six;
        std::vector<char> ports(s->ports.nextId(), 0);
        std::size_t outside = 0, twice = 0;
        const auto take = [&](AddressNumber a, AddressNumber b) { four.push_back(a), six.push_back(b); };
        const auto use = [&](PortId port) { twice += std::exchange(ports[port.value], char(1)); };
        for (const auto& e : p.switches) take(e.loopback4, e.loopback6);
        for (const auto& e : p.subnets) take(e.gateway4(), e.gateway6());
        for (const auto& e : p.links) {
            take(e.lower4, e.lower6), take(e.lower4 + 1, e.lower6 + 1);
            outside += e.lower4 % 2 != 0 || e.lower6 % 2 != 0;
            use(e.lower), use(e.upper);
        }
        for (const auto& e : p.hostPorts) {
            take(e.v4, e.v6);
            use(e.port);
            const auto& subnet = p.subnets[e.subnet];
            outside += !(e.v4 > subnet.gateway4() && e.v4 < subnet.v4.last() && e.v6 > subnet.gateway6() && e.v6 < subnet.v6.last());
        }
        std::vector<char> linked(s->devices.nextId(), 0); // whose management address is that of a port, counted above
        for (const auto& e : p.hostPorts)
            if (s->networks.kind[p.subnets[e.subnet].network] == NetworkKind::Management) linked[s->ports.device[e.port].value] = 1;
        std::size_t managed = 0, switches = 0, wanted = 0;
        for (const auto& e : p.management) {
            if (!linked[e.device.value]) take(e.v4, e.v6);
            const TierKind kind = s->tiers.kind[s->devices.tier[e.device]];
            managed += kind == TierKind::Server || kind == TierKind::Switch;
            switches += kind == TierKind::Switch;
        }
        s->devices.forEach([&](DeviceId d) {
            const TierKind kind = s->tiers.kind[s->devices.tier[d]];
            wanted += kind == TierKind::Server || kind == TierKind::Switch;
        });
        QCOMPARE(twice, std::size_t(0));
        QCOMPARE(outside, std::size_t(0));
        QCOMPARE(managed, wanted);
        for (auto* addresses : {&four, &six}) {
            std::sort(addresses->begin(), addresses->end());
            QVERIFY(std::adjacent_find(addresses->begin(), addresses->end()) == addresses->end());
        }
        std::vector<Prefix> order;
        for (const auto& e : p.subnets) order.push_back(e.v4);
        std::sort(order.begin(), order.end());
        for (std::size_t k = 1; k < order.size(); ++k) QVERIFY(order[k - 1].last() < order[k].first);
        std::size_t data = 0;
        s->links.forEach([&](LinkId id) { data += s->ports.medium[s->links.from[id]] == Medium::Data; });
        QCOMPARE(p.links.size() + p.hostPorts.size(), data);
        QCOMPARE(p.switches.size(), switches);
    }

    /// Leaves of a network have an AS each, aggregation shares one per pod and plane, cores per plane (RFC 7938).
    void autonomousSystems()
    {
        const auto s = design("hpn", {{"pods", 2}, {"segments", 2}});
        std::map<std::string, std::set<std::uint32_t>> ofTier;
        std::map<std::pair<int, int>, std::set<std::uint32_t>> ofAgg;
        for (const auto& e : plan(*s).switches) {
            const auto& tier = s->tiers.key[s->devices.tier[e.device]];
            ofTier[tier].insert(e.asn);
            if (tier == "agg") ofAgg[{s->devices.pod[e.device], s->devices.plane[e.device]}].insert(e.asn);
            QVERIFY(e.asn >= 4200000000u && e.asn <= 4294967294u);
        }
        QCOMPARE(ofTier["tor"].size(), std::size_t(64));
        QCOMPARE(ofTier["agg"].size(), std::size_t(4));
        QCOMPARE(ofTier["core"].size(), std::size_t(2));
        for (const auto& [place, numbers] : ofAgg) QCOMPARE(numbers.size(), std::size_t(1));
    }

    /// A subnet for each ToR: 136 ports of 128 active and 8 backup hosts and their gateway need a /24.
    void subnetsOfRails()
    {
        const auto s = design("hpn", {{"segments", 2}});
        int backend = 0;
        for (const auto& subnet : plan(*s).subnets) {
            if (s->networks.key[subnet.network] != "backend") continue;
            ++backend;
            QCOMPARE(subnet.v4.length, 24);
            QCOMPARE(subnet.ports, 136u);
        }
        QCOMPARE(backend, 32);
        int rails = 0;
        for (const auto& subnet : plan(*with(s, {{"network.backend.host_subnet", "rail"}})).subnets)
            rails += s->networks.key[subnet.network] == "backend";
        QCOMPARE(rails, 8);
    }

    void settingsGoTierNetworkGeneral()
    {
        const auto s = with(design("hpn", {{"segments", 1}}), {{"loopback4", "172.16.0.0/16"},
                                                               {"network.backend.loopback4", "172.17.0.0/16"},
                                                               {"tier.tor.loopback4", "172.18.0.0/16"},
                                                               {"asn_per", "tier"}});
        std::set<std::uint32_t> asns;
        for (const auto& e : plan(*s).switches) {
            const TierId tier = s->devices.tier[e.device];
            const auto& network = s->networks.key[*s->tiers.network[tier]];
            const std::string start = s->tiers.key[tier] == "tor" ? "172.18." : network == "backend" ? "172.17." : "172.16.";
            QVERIFY2(addressText(e.loopback4, IpFamily::V4).starts_with(start), s->tiers.key[tier].c_str());
            if (s->tiers.key[tier] == "tor") asns.insert(e.asn);
        }
        QCOMPARE(asns.size(), std::size_t(1));
    }

    void badSettings_data()
    {
        QTest::addColumn<std::string>("key");
        QTest::addColumn<std::string>("value");
        QTest::addColumn<std::string>("says");
        QTest::newRow("small") << std::string("loopback4") << std::string("192.168.0.0/29")
                               << std::string("addressing.loopback4: pool 192.168.0.0/29 is exhausted");
        QTest::newRow("small for hosts") << std::string("network.backend.host4") << std::string("192.168.0.0/20")
                                         << std::string("addressing.network.backend.host4: pool 192.168.0.0/20 is exhausted");
        QTest::newRow("word") << std::string("fabric4") << std::string("many") << std::string("'many' is not an IPv4 prefix");
        QTest::newRow("family") << std::string("fabric6") << std::string("10.0.0.0/8") << std::string("is not an IPv6 prefix");
        QTest::newRow("overlap") << std::string("fabric4") << std::string("10.0.0.0/8") << std::string("overlaps");
        QTest::newRow("few numbers") << std::string("tier.tor.asn") << std::string("64512-64520")
                                     << std::string("does not contain enough AS numbers");
        QTest::newRow("sharing") << std::string("asn_per") << std::string("building") << std::string("unknown keyword 'building'");
        QTest::newRow("subnets") << std::string("host_subnet") << std::string("device") << std::string("use switch, tier");
    }
    void badSettings()
    {
        QFETCH(std::string, key);
        QFETCH(std::string, value);
        QFETCH(std::string, says);
        const auto made = planAddresses(*with(design("hpn", {{"segments", 2}}), {{key, value}}));
        QVERIFY(!made.has_value());
        QCOMPARE(made.error().code, ErrorCode::Refused);
        QVERIFY2(made.error().text().find(says) != std::string::npos, made.error().text().c_str());
    }

    /// Bonded over two ToRs: both ports of a NIC have one address, in a subnet of both ToRs.
    void oneAddressForEachNic()
    {
        const auto s = with(design("hpn", {{"segments", 1}}), {{"network.backend.host_address", "nic"}});
        const auto each = plan(*design("hpn", {{"segments", 1}})), p = plan(*s);
        std::map<AddressNumber, std::vector<PortId>> at;
        std::size_t backend = 0;
        for (const auto& e : p.hostPorts) {
            if (s->networks.kind[p.subnets[e.subnet].network] != NetworkKind::Backend) continue;
            at[e.v4].push_back(e.port), ++backend;
            QVERIFY(e.v4 > p.subnets[e.subnet].gateway4() && e.v4 < p.subnets[e.subnet].v4.last());
        }
        QCOMPARE(backend, std::size_t(136 * 16));
        QCOMPARE(at.size(), std::size_t(136 * 8));
        for (const auto& [address, ports] : at) {
            QCOMPARE(ports.size(), std::size_t(2));
            QCOMPARE(s->ports.device[ports[0]], s->ports.device[ports[1]]);
        }
        QCOMPARE(p.hostPorts.size(), each.hostPorts.size());
        QCOMPARE(each.subnets.size() - p.subnets.size(), std::size_t(8)); // 8 rails instead of 16 ToRs
        const auto apart = planAddresses(*with(s, {{"network.backend.host_subnet", "pod segment rail plane"}}));
        QVERIFY(!apart && apart.error().code == ErrorCode::Refused);
        QCOMPARE(apart.error().where, std::string("addressing.network.backend.host_subnet"));
        QVERIFY(!planAddresses(*with(s, {{"host_address", "card"}})));
    }

    void breakouts()
    {
        const auto s = design("hpn", {{"segments", 1}});
        std::size_t tors = 0;
        for (const auto& e : plan(*s).breakouts) {
            if (s->tiers.key[s->devices.tier[e.device]] != "tor") continue;
            QCOMPARE(int(e.split), 2);
            QCOMPARE(e.portRate, Gbps(200));
            ++tors;
        }
        QCOMPARE(tors, std::size_t(16 * 68));
    }

    void files()
    {
        const auto s = design("hpn", {{"segments", 1}});
        const auto parts = *ProjectParts::of(s->partTypes);
        const auto p = plan(*s);
        QTemporaryDir folder;
        const std::filesystem::path out(folder.path().toStdString());
        QVERIFY(writeAddressFolder(p, *s, *parts, out / "plan").has_value());
        const auto json = nlohmann::json::parse(contents(out / "plan/addressing.json"));
        QCOMPARE(json["schema"].get<std::string>(), std::string("hallwright.addressing/1"));
        QCOMPARE(json["switches"].size(), p.switches.size());
        QCOMPARE(json["host_ports"].size(), p.hostPorts.size());
        QCOMPARE(json["links"].size(), p.links.size());
        QVERIFY(json["switches"][0]["asn"].is_number());
        for (const char* name : {"switches", "subnets", "host_ports", "links", "management", "breakouts"}) {
            const auto csv = contents(out / "plan" / (std::string(name) + ".csv"));
            QCOMPARE(std::size_t(std::count(csv.begin(), csv.end(), '\n')), json[name].size() + 1);
        }
        const auto tor = contents(out / "plan/breakout/pod1-seg01-tor-rail1-plane1.txt");
        QVERIFY2(tor.find("\nport1 2x200G\n") != std::string::npos, tor.c_str());
        QCOMPARE(std::count(tor.begin(), tor.end(), '\n'), 69);
        QVERIFY(writeAddressJson(p, *s, *parts, out / "again.json").has_value());
        QCOMPARE(contents(out / "again.json"), contents(out / "plan/addressing.json"));
        QVERIFY(writeAddressCsv(p, *s, *parts, out / "all.csv").has_value());
        const auto all = contents(out / "all.csv");
        QCOMPARE(std::size_t(std::count(all.begin(), all.end(), '\n')),
                 1 + p.switches.size() + p.subnets.size() + p.hostPorts.size() + 2 * p.links.size());
        QVERIFY(!writeAddressJson(p, *s, *parts, out / "missing" / "x.json").has_value());
    }

    void canceled()
    {
        std::stop_source source;
        source.request_stop();
        QCOMPARE(planAddresses(*design("hpn", {{"segments", 1}}), Progress{source.get_token(), {}}).error().code, ErrorCode::Canceled);
    }
};

QTEST_APPLESS_MAIN(TestAddressing)
#include "test_addressing.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/check.h"
#include "core/design/template/template.h"
#include "core/output/report/report.h"

#include <QtTest>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

using namespace hw;

namespace {

using Given = std::map<std::string, std::string>;

const Catalog& catalog()
{
    static const auto loaded = Catalog::load(HW_RESOURCES "/catalog");
    return *loaded;
}

Template shipped(const std::string& name)
{
    auto read = Template::load(HW_RESOURCES "/templates/" + name + ".yaml");
    if (!read) qFatal("%s", read.error().text().c_str());
    return *read;
}

SnapshotPtr design(const std::string& name, const Given& given = {})
{
    const auto read = shipped(name);
    const auto values = read.complete(given);
    if (!values) qFatal("%s", values.error().text().c_str());
    auto made = instantiate(read, *values, catalog());
    if (!made) qFatal("%s", made.error().text().c_str());
    return *made;
}

FiguresPtr figured(const std::string& name, const Given& given = {})
{
    auto figures = computeFigures(design(name, given));
    if (!figures) qFatal("%s", figures.error().text().c_str());
    return *figures;
}

std::string tierOf(const Snapshot& s, PortId port) { return s.tiers.key[s.devices.tier[s.ports.device[port]]]; }
std::string networkOf(const Snapshot& s, PortId port) { return s.ports.network[port] ? s.networks.key[*s.ports.network[port]] : std::string(); }

std::map<std::string, int> devicesByTier(const Snapshot& s)
{
    std::map<std::string, int> count;
    s.devices.forEach([&](DeviceId id) { ++count[s.tiers.key[s.devices.tier[id]]]; });
    return count;
}

/// Data links by "network: lower - upper".
std::map<std::string, int> linksByEnds(const Snapshot& s)
{
    std::map<std::string, int> count;
    s.links.forEach([&](LinkId id) {
        const PortId a = s.links.from[id], b = s.links.to[id];
        if (s.ports.medium[a] == Medium::Data) ++count[networkOf(s, a) + ": " + tierOf(s, a) + " - " + tierOf(s, b)];
    });
    return count;
}

int sumOf(const std::map<std::string, int>& links, const std::string& network)
{
    int sum = 0;
    for (const auto& [ends, n] : links)
        if (ends.starts_with(network + ": ")) sum += n;
    return sum;
}

const FabricFigures::Network& network(const Figures& f, const std::string& name)
{
    for (const auto& n : f.fabric->networks())
        if (f.snapshot->networks.key[n.id] == name) return n;
    throw std::runtime_error("no network " + name);
}

const FabricFigures::Tier& tier(const Figures& f, const std::string& networkName, const std::string& name)
{
    for (const auto& t : network(f, networkName).tiers)
        if (f.snapshot->tiers.key[t.id] == name) return t;
    throw std::runtime_error("unknown tier '" + name);
}

int accelerators(const Snapshot& s, DeviceRole role)
{
    int sum = 0;
    s.devices.forEach([&](DeviceId id) {
        if (s.tiers.kind[s.devices.tier[id]] == TierKind::Server && s.devices.role[id] == role)
            sum += std::get<DeviceSpec>(catalog().find(s.partTypes.slug[s.devices.type[id]])->spec).accelerators;
    });
    return sum;
}

constexpr const char* kDesigns[] = {"hpn",      "hpn-five-tuple", "hpn-single-plane", "hpn-single-tor", "hpn-stacked-tor", "hpn-scale-table",
                                    "hpn-102t", "hpn-rail-only",  "dcn-plus",         "xingmai-1",      "xingmai-2"};

} // namespace

/// The networks beside the back end, and the variants of the published designs: counts are port arithmetic, exact.
class TestHpnNetworks : public QObject {
    Q_OBJECT

private slots:
    void fiveNetworks()
    {
        const auto s = design("hpn");
        std::vector<std::string> names;
        s->networks.forEach([&](NetworkId id) { names.push_back(s->networks.key[id]); });
        QCOMPARE(names, (std::vector<std::string>{"backend", "frontend", "storage", "oob", "nvlink"}));
        std::set<std::uint32_t> colors;
        s->networks.forEach([&](NetworkId id) { QVERIFY(colors.insert(s->networks.color[id]).second); });
        const auto links = linksByEnds(*s);
        QCOMPARE(sumOf(links, "backend"), 30720 + 1920 + 14400 + 960);
        QCOMPARE(sumOf(links, "frontend"), 8240);
        QCOMPARE(sumOf(links, "storage"), 948);
        QCOMPARE(sumOf(links, "oob"), 4538);
    }

    /// Every host's front-end NIC has 2 x 200G on two ToRs; three tiers 1:1 under 256 cores in four planes.
    void frontEnd_data()
    {
        QTest::addColumn<int>("pods");
        QTest::newRow("one pod") << 1;
        QTest::newRow("eight pods") << 8;
    }
    void frontEnd()
    {
        QFETCH(int, pods);
        const auto f = figured("hpn", {{"pods", std::to_string(pods)}});
        const auto devices = devicesByTier(*f->snapshot), links = linksByEnds(*f->snapshot);
        QCOMPARE(devices.at("fe_tor"), 30 * pods);
        QCOMPARE(devices.at("fe_tor_backup"), 2 * pods); // 15 x 8 backup hosts on 120 of their 128 ports each
        QCOMPARE(devices.at("fe_agg"), 32 * pods);
        QCOMPARE(devices.at("fe_core"), 256);
        QCOMPARE(links.at("frontend: server - fe_tor"), 3840 * pods);
        QCOMPARE(links.at("frontend: server - fe_tor_backup"), 240 * pods);
        QCOMPARE(links.at("frontend: fe_tor - fe_agg") + links.at("frontend: fe_tor_backup - fe_agg"), 32 * 64 * pods);
        QCOMPARE(links.at("frontend: fe_agg - fe_core"), 32 * 64 * pods);
        QVERIFY(network(*f, "frontend").connected);
        for (const char* name : {"fe_tor", "fe_agg"}) QCOMPARE(tier(*f, "frontend", name).oversubscription(), 1.0);
        for (const auto& count : tier(*f, "frontend", "fe_core").ports)
            if (count.role == PortRole::Down) QCOMPARE(count.used, std::int64_t(256 * 8 * pods)); // 8 ports a pod, at most 64
        QVERIFY(network(*f, "frontend").oversubscriptionEndToEnd <= 1.0);
    }

    /// An aggregation switch of the front end reaches the 64 cores of one plane, and its ToRs all four planes.
    void frontEndPlanes()
    {
        const auto s = design("hpn", {{"segments", "5"}});
        std::map<std::uint32_t, std::set<std::uint32_t>> above;
        s->links.forEach([&](LinkId id) {
            const PortId a = s->links.from[id], b = s->links.to[id];
            if (networkOf(*s, a) == "frontend") above[s->ports.device[a].value].insert(s->ports.device[b].value);
        });
        s->devices.forEach([&](DeviceId id) {
            const auto name = s->tiers.key[s->devices.tier[id]];
            if (name == "fe_agg") QCOMPARE(above[id.value].size(), std::size_t(64));
            if (name == "fe_tor" || name == "fe_tor_backup") QCOMPARE(above[id.value].size(), std::size_t(8));
            if (name == "server") QCOMPARE(above[id.value].size(), std::size_t(2));
        });
    }

    /// 250 hot nodes a pod on four leaves, evenly, two leaves each; behind the front-end core stands the cold tier.
    void storage()
    {
        const auto f = figured("hpn");
        const auto& s = *f->snapshot;
        std::map<std::string, int> ofLeaf;
        std::map<std::uint32_t, std::set<std::uint32_t>> leavesOf;
        s.links.forEach([&](LinkId id) {
            const PortId a = s.links.from[id], b = s.links.to[id];
            if (tierOf(s, a) != "hot_node" || tierOf(s, b) != "hot_leaf") return;
            ++ofLeaf[s.devices.name[s.ports.device[b]]];
            leavesOf[s.ports.device[a].value].insert(s.ports.device[b].value);
        });
        QCOMPARE(ofLeaf.size(), std::size_t(4));
        for (const auto& [leaf, nodes] : ofLeaf) QCOMPARE(nodes, 125);
        QCOMPARE(leavesOf.size(), std::size_t(250));
        for (const auto& [node, leaves] : leavesOf) QCOMPARE(leaves.size(), std::size_t(2));
        const auto links = linksByEnds(s);
        QCOMPARE(links.at("storage: hot_leaf - fe_core"), 4 * 64);
        QCOMPARE(links.at("storage: cold_leaf - fe_core"), 4 * 16);
        QVERIFY(network(*f, "storage").connected);
        QVERIFY(tier(*f, "storage", "hot_leaf").oversubscription() <= 1.0);
    }

    /// Every host, switch, storage node, gateway and rack PDU has one management port, and it is cabled once.
    void management_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("pods");
        QTest::addColumn<int>("others"); // tiers that manage themselves, or have no port
        QTest::newRow("hpn") << QByteArray("hpn") << QByteArray("1") << 0;
        QTest::newRow("hpn, two pods") << QByteArray("hpn") << QByteArray("2") << 0;
        QTest::newRow("dcn-plus") << QByteArray("dcn-plus") << QByteArray("32") << 0;
        QTest::newRow("xingmai-1, three tiers") << QByteArray("xingmai-1") << QByteArray("4") << 1;
    }
    void management()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, pods);
        QFETCH(int, others);
        const auto s = design(name.toStdString(), {{"pods", pods.toStdString()}});
        std::map<std::uint32_t, int> cabled;
        s->links.forEach([&](LinkId id) {
            const PortId a = s->links.from[id];
            if (networkOf(*s, a) == "oob" && s->ports.rate[a].count() == 1) ++cabled[s->ports.device[a].value];
        });
        int managed = 0;
        s->devices.forEach([&](DeviceId id) {
            const auto tierName = s->tiers.key[s->devices.tier[id]];
            const auto kind = s->tiers.kind[s->devices.tier[id]];
            const bool own = tierName.find("mgmt") != tierName.npos;
            const bool plant = kind == TierKind::Cooling || (kind == TierKind::Power && (others || tierName != "pdu"));
            QCOMPARE(cabled[id.value], own || plant ? 0 : 1);
            managed += !own && !plant;
        });
        QVERIFY(managed > 1000);
    }

    /// No port serves two links or two networks; a server's cages are used exactly once each.
    void portsAreExact_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"hpn", "hpn-single-tor", "hpn-stacked-tor", "dcn-plus", "xingmai-1"}) QTest::newRow(name) << QByteArray(name);
    }
    void portsAreExact()
    {
        QFETCH(QByteArray, name);
        const auto s = design(name.toStdString());
        std::vector<int> uses(s->ports.nextId(), 0);
        s->links.forEach([&](LinkId id) {
            const PortId a = s->links.from[id], b = s->links.to[id];
            ++uses[a.value], ++uses[b.value];
            QVERIFY(s->ports.network[a] == s->ports.network[b]);
        });
        s->ports.forEach([&](PortId id) { QVERIFY(uses[id.value] <= 1); });
        std::map<std::uint32_t, std::map<std::string, int>> ofServer;
        s->ports.forEach([&](PortId id) {
            const DeviceId device = s->ports.device[id];
            if (s->tiers.kind[s->devices.tier[device]] == TierKind::Server) ofServer[device.value][networkOf(*s, id)] += uses[id.value];
        });
        for (const auto& [server, used] : ofServer) QCOMPARE(used, (std::map<std::string, int>{{"backend", 16}, {"frontend", 2}, {"oob", 1}}));
        std::set<std::pair<std::uint32_t, std::uint32_t>> cages; // of one device
        s->cages.forEach([&](CageId id) { QVERIFY(cages.insert({s->cages.device[id].value, s->cages.number[id]}).second); });
    }

    void backendAlone()
    {
        const auto s = design("hpn", {{"networks", "backend"}});
        const auto links = linksByEnds(*s);
        QCOMPARE(sumOf(links, "backend"), 48000);
        QCOMPARE(links.size(), std::size_t(3));
        QVERIFY(!devicesByTier(*s).contains("fe_core") && !devicesByTier(*s).contains("mgmt"));
    }

    /// The memory domain inside a server is the catalog's, with its source.
    void scaleUpIsTheCatalogs_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : kDesigns) QTest::newRow(name) << QByteArray(name);
    }
    void scaleUpIsTheCatalogs()
    {
        QFETCH(QByteArray, name);
        const auto read = shipped(name.toStdString());
        const bool small = name == "hpn-102t" || name == "hpn-rail-only";
        const auto s = design(name.toStdString(), small                                                  ? Given{{"segments", "1"}}
                                                  : name.startsWith("xingmai") || name.startsWith("dcn") ? Given{{"pods", "1"}}
                                                                                                         : Given{});
        Maybe<NetworkId> scaleUp;
        s->networks.forEach([&](NetworkId id) {
            if (s->networks.kind[id] == NetworkKind::ScaleUp) scaleUp = id;
        });
        QVERIFY(bool(scaleUp));
        s->devices.forEach([&](DeviceId id) {
            if (s->tiers.kind[s->devices.tier[id]] != TierKind::Server) return;
            const auto& host = std::get<DeviceSpec>(catalog().find(s->partTypes.slug[s->devices.type[id]])->spec);
            QCOMPARE(s->networks.domain[*scaleUp], host.scaleUpDomain);
            QCOMPARE(s->networks.acceleratorRate[*scaleUp], host.scaleUpRate.value);
        });
    }

    /// CHECKS P4, and the comparisons of the paper: accelerators of a pod, ToRs, aggregation switches, ToR uplinks.
    void variants_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<Given>("given");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<int>("tors");
        QTest::addColumn<int>("aggs");
        QTest::addColumn<int>("torAgg");
        const auto row = [](const char* title, const char* name, const Given& given, int gpus, int tors, int aggs, int torAgg) {
            QTest::newRow(title) << QByteArray(name) << given << gpus << tors << aggs << torAgg;
        };
        row("pod", "hpn", {}, 15360, 240, 120, 14400);
        row("five-tuple core", "hpn-five-tuple", {}, 15360, 240, 120, 14400);
        row("single plane", "hpn-single-plane", {}, 7168, 112, 60, 6720);
        row("single ToR", "hpn-single-tor", {}, 7680, 120, 60, 7200);
        row("stacked ToR", "hpn-stacked-tor", {}, 7168, 112, 56, 6272);
        row("no dual plane, 64 down", "hpn-scale-table", {{"row", "single-plane"}}, 4096, 64, 60, 3840);
        row("dual plane, 64 down", "hpn-scale-table", {{"row", "dual-plane"}}, 8192, 128, 120, 7680);
        row("dual plane, 120 down", "hpn-scale-table", {{"row", "dual-plane-15to1"}}, 15360, 240, 120, 14400);
        row("102.4T", "hpn-102t", {}, 61440, 480, 240, 57600);
        row("rail-only second tier", "hpn-rail-only", {}, 122880, 1920, 960, 115200);
    }
    void variants()
    {
        QFETCH(QByteArray, name);
        QFETCH(Given, given);
        const auto s = design(name.toStdString(), given);
        QTEST(accelerators(*s, DeviceRole::Active), "gpus");
        const auto devices = devicesByTier(*s);
        QTEST(devices.at("tor"), "tors");
        QTEST(devices.at("agg"), "aggs");
        QTEST(linksByEnds(*s).at("backend: tor - agg"), "torAgg");
    }

    /// Without planes an aggregation switch reaches both ToRs of a rail; stacked ToRs have four cables between them.
    void planesAndPeers()
    {
        for (const auto& [name, torsOfRail] :
             std::map<std::string, int>{{"hpn", 1}, {"hpn-single-plane", 2}, {"hpn-single-tor", 1}, {"hpn-stacked-tor", 2}}) {
            const auto s = design(name, {{"segments", "2"}});
            std::map<std::tuple<std::uint32_t, int, int>, int> tors; // by aggregation switch, segment, rail
            std::map<std::pair<std::uint32_t, std::uint32_t>, int> peers;
            s->links.forEach([&](LinkId id) {
                const PortId a = s->links.from[id], b = s->links.to[id];
                const DeviceId low = s->ports.device[a], high = s->ports.device[b];
                if (tierOf(*s, a) == "tor" && tierOf(*s, b) == "agg") ++tors[{high.value, s->devices.segment[low], s->devices.rail[low]}];
                if (tierOf(*s, a) == "tor" && tierOf(*s, b) == "tor") {
                    ++peers[{low.value, high.value}];
                    QCOMPARE(s->devices.rail[low], s->devices.rail[high]);
                }
            });
            QVERIFY(!tors.empty());
            for (const auto& [key, count] : tors) QCOMPARE(count, torsOfRail);
            QCOMPARE(peers.size(), std::size_t(name == "hpn-stacked-tor" ? 16 : 0));
            for (const auto& [pair, count] : peers) QCOMPARE(count, 4);
        }
    }

    /// A rail-only second tier never joins rails: NIC r of all hosts and their switches are on rail r alone.
    void railOnlyKeepsRailsApart()
    {
        const auto s = design("hpn-rail-only", {{"segments", "3"}});
        std::set<std::pair<int, int>> planes;
        s->links.forEach([&](LinkId id) {
            const PortId a = s->links.from[id], b = s->links.to[id];
            if (tierOf(*s, b) != "agg") return;
            const DeviceId low = s->ports.device[a], high = s->ports.device[b];
            QCOMPARE(s->devices.rail[low], s->devices.rail[high]);
            QCOMPARE(s->devices.plane[low], s->devices.plane[high]);
            planes.insert({s->devices.rail[high], s->devices.plane[high]});
        });
        QCOMPARE(planes.size(), std::size_t(16)); // the paper counts 16 planes
    }

    void coreHash()
    {
        QCOMPARE(design("hpn", {{"segments", "1"}})->setting("network.backend.hash.core"), std::string("source-port"));
        QCOMPARE(design("hpn-five-tuple", {{"segments", "1"}})->setting("network.backend.hash.core"), std::string("five-tuple"));
    }

    /// CHECKS P5: 1.6T hosts, 2K accelerators in two tiers and 32K in three, non-blocking; 3.2T hosts and 100K.
    void xingmai_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<int>("pods");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<int>("hostGbps");
        QTest::addColumn<int>("tiers");
        QTest::newRow("1.0, typical") << QByteArray("xingmai-1") << 1 << 2048 << 1600 << 2;
        QTest::newRow("1.0, three pods") << QByteArray("xingmai-1") << 3 << 6144 << 1600 << 3;
        QTest::newRow("1.0, largest") << QByteArray("xingmai-1") << 16 << 32768 << 1600 << 3;
        QTest::newRow("2.0") << QByteArray("xingmai-2") << 25 << 102400 << 3200 << 3;
    }
    void xingmai()
    {
        QFETCH(QByteArray, name);
        QFETCH(int, pods);
        QFETCH(int, gpus);
        QFETCH(int, hostGbps);
        QFETCH(int, tiers);
        QCOMPARE(shipped("xingmai-1").complete(Given{})->at("pods"), 1);
        QCOMPARE(shipped("xingmai-2").complete(Given{})->at("pods"), 25);
        const auto f = figured(name.toStdString(), {{"pods", std::to_string(pods)}});
        const auto& s = *f->snapshot;
        QCOMPARE(accelerators(s, DeviceRole::Active), gpus);
        const auto& backend = network(*f, "backend");
        QCOMPARE(backend.rails, 8);
        QVERIFY(backend.connected);
        QCOMPARE(backend.oversubscriptionEndToEnd, 1.0);
        int tiersUsed = 0;
        for (const auto& t : backend.tiers) {
            tiersUsed += t.switches > 0;
            QCOMPARE(t.oversubscription(), 1.0);
        }
        QCOMPARE(tiersUsed, tiers);
        std::int64_t access = 0;
        for (const auto& l : backend.links)
            if (s.tiers.kind[l.from] == TierKind::Server) access += l.active * l.rate.count();
        QCOMPARE(access, std::int64_t(gpus / 8) * hostGbps);
        QVERIFY(network(*f, "frontend").oversubscriptionEndToEnd <= 1.0);
    }

    /// 2,048 x 312 TF are 0.639 EF: "over 1 EFLOPS" is false for dense FP16.
    void xingmaiPeak()
    {
        const auto f = figured("xingmai-1");
        const auto json = reportJson(makeReport(*f, makeBom(*f)), *f);
        const double peak = json["accelerators"]["peak_flops"]["fp16"].get<double>();
        QVERIFY(std::abs(peak - 0.639e18) < 0.001e18 && peak < 1e18);
    }

    void dcnPlusNetworks()
    {
        const auto f = figured("dcn-plus");
        const auto devices = devicesByTier(*f->snapshot), links = linksByEnds(*f->snapshot);
        QCOMPARE(devices.at("fe_tor"), 32); // a pair for two pods of 64 hosts
        QCOMPARE(devices.at("fe_agg"), 32);
        QCOMPARE(links.at("frontend: server - fe_tor"), 4096);
        QCOMPARE(links.at("frontend: fe_tor - fe_agg"), 2048);
        QCOMPARE(links.at("frontend: fe_agg - fe_core"), 2048);
        for (const char* name : {"fe_tor", "fe_agg"}) QCOMPARE(tier(*f, "frontend", name).oversubscription(), 1.0);
        for (const char* name : {"backend", "frontend", "storage", "oob"}) QVERIFY2(network(*f, name).connected, name);
    }

    /// As shipped, no design has an error that is not accepted, and every cable of it can be bought.
    void checksClean_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : kDesigns) QTest::newRow(name) << QByteArray(name);
    }
    void checksClean()
    {
        QFETCH(QByteArray, name);
        const auto f = figured(name.toStdString());
        const auto result = check(*f);
        QVERIFY(result.has_value());
        QVERIFY2(result->errors == 0, checkText(*result, *f, 3).c_str());
        if (name == "hpn" || name == "dcn-plus") // every tier is wired evenly; management switches take what stands around them
            QVERIFY(std::ranges::none_of(result->findings, [](const Finding& finding) { return finding.rule == "N13"; }));
        f->snapshot->cables.forEach([&](CableId id) {
            if (f->snapshot->cables.medium[id] != Medium::Data) return;
            const auto& cable = (*f->cabling)[id];
            QVERIFY(cable.type && !cable.noRoute && !cable.reachExceeded);
        });
    }

    /// Between the ends of the ranges every design can be built, with ports to spare or none.
    void everyCornerBuilds_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<Given>("given");
        const auto row = [](const char* title, const char* name, const Given& given) { QTest::newRow(title) << QByteArray(name) << given; };
        row("hpn, least", "hpn", {{"segments", "1"}, {"tor_uplinks", "1"}, {"backup_hosts", "0"}});
        row("hpn, odd", "hpn", {{"segments", "7"}, {"tor_uplinks", "31"}, {"backup_hosts", "5"}, {"pods", "3"}});
        row("single plane, least", "hpn-single-plane", {{"segments", "1"}, {"backup_hosts", "0"}});
        row("single ToR, odd", "hpn-single-tor", {{"segments", "11"}, {"backup_hosts", "3"}, {"tor_uplinks", "7"}, {"pods", "2"}});
        row("stacked, least", "hpn-stacked-tor", {{"segments", "1"}, {"tor_uplinks", "1"}});
        row("102.4T, odd", "hpn-102t", {{"segments", "3"}, {"pods", "2"}, {"tor_uplinks", "77"}});
        row("rail-only, least", "hpn-rail-only", {{"segments", "1"}, {"backup_hosts", "0"}});
        row("dcn-plus, least", "dcn-plus", {{"pods", "1"}, {"segments", "1"}});
        row("dcn-plus, odd", "dcn-plus", {{"pods", "5"}, {"segments", "3"}});
        row("xingmai-1, odd", "xingmai-1", {{"pods", "5"}, {"segments", "1"}});
        row("xingmai-2, odd", "xingmai-2", {{"pods", "3"}, {"segments", "3"}});
    }
    void everyCornerBuilds()
    {
        QFETCH(QByteArray, name);
        QFETCH(Given, given);
        const auto f = figured(name.toStdString(), given);
        for (const auto& n : f->fabric->networks())
            if (!n.tiers.empty()) QVERIFY2(n.connected, f->snapshot->networks.key[n.id].c_str());
        const auto result = check(*f);
        QVERIFY(result.has_value());
        QVERIFY2(result->errors == 0, checkText(*result, *f, 3).c_str());
    }

    /// The gallery is made from the product's outputs (docs/gallery/make); none may be missing there.
    void galleryShowsEveryTemplate()
    {
        const std::filesystem::path gallery = HW_RESOURCES "/../docs/gallery";
        std::ifstream in(gallery / "README.md");
        const std::string page{std::istreambuf_iterator<char>(in), {}};
        int shown = 0;
        for (const auto& entry : std::filesystem::directory_iterator(HW_RESOURCES "/templates")) {
            if (entry.path().extension() != ".yaml") continue;
            const std::string name = entry.path().stem().string();
            QVERIFY2(page.find("`" + name + "`: ") != page.npos, (name + " is not one of the gallery: run docs/gallery/make").c_str());
            for (const char* picture : {"fabric", "plan", "twin"}) {
                const auto file = gallery / (name + "-" + picture + ".png");
                QVERIFY2(std::filesystem::exists(file) && std::filesystem::file_size(file) <= 150'000, file.c_str());
            }
            ++shown;
        }
        QVERIFY(shown >= 22);
    }

    void refusals_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<Given>("given");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* title, const char* name, const Given& given, const char* says) {
            QTest::newRow(title) << QByteArray(name) << given << QByteArray(says);
        };
        row("eighth segment without planes", "hpn-single-plane", {{"segments", "8"}}, "each segment uses 16, so up to 7 segments fit");
        row("uplink that is a peer link", "hpn-stacked-tor", {{"tor_uplinks", "57"}},
            "a ToR has 60 ports of 400G in addition to its host ports; four of them connect it to its peer");
        row("31 segments of 102.4T", "hpn-102t", {{"segments", "31"}}, "240 downlink ports");
        row("121 segments rail-only", "hpn-rail-only", {{"segments", "121"}}, "120 segments fit");
        row("17 pods of 2K", "xingmai-1", {{"pods", "17"}}, "32,768");
        row("33 pods of 4K", "xingmai-2", {{"pods", "33"}}, "131,072");
        row("unknown row", "hpn-scale-table", {{"row", "triple-plane"}}, "dual-plane-15to1");
    }
    void refusals()
    {
        QFETCH(QByteArray, name);
        QFETCH(Given, given);
        QFETCH(QByteArray, says);
        const auto values = shipped(name.toStdString()).complete(given);
        QVERIFY(!values.has_value());
        QCOMPARE(values.error().code, ErrorCode::Refused);
        QVERIFY2(QByteArray::fromStdString(values.error().text()).contains(says), values.error().text().c_str());
    }
};

QTEST_GUILESS_MAIN(TestHpnNetworks)
#include "test_hpn_networks.moc"

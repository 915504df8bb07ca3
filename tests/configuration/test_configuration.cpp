// SPDX-License-Identifier: GPL-3.0-or-later
// Expected configuration of devices, what their commands print, and how the two compare.
#include "core/operations/asbuilt/gates.h"
#include "importers/configuration/config_files.h"
#include "importers/formats.h"
#include "tests/asbuilt/built_hall.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace hw;
using namespace hw::configuration;
using exchange::ImportSource;
using importers::ReadConfiguration;

namespace {

const BuiltHall& hall()
{
    static const BuiltHall built = BuiltHall::of("hpn", {{"segments", "1"}, {"backup_hosts", "0"}, {"tor_uplinks", "4"}, {"networks", "backend"}});
    return built;
}
const std::vector<Profile>& profiles()
{
    static const auto shipped = shippedProfiles().value();
    return shipped;
}
std::string hostName()
{
    std::string name;
    hall().s().devices.forEach([&](DeviceId id) {
        if (name.empty() && hall().s().tiers.kind[hall().s().devices.tier[id]] == TierKind::Server) name = hall().s().devices.name[id];
    });
    return name;
}
/// A ToR and one of its host ports.
PortId torPort()
{
    for (const auto& plug : hall().plugs)
        if (hall().device(plug.a) == hostName()) return plug.b;
    return {};
}

ReadConfiguration read(const std::vector<ImportSource>& sources) { return importers::readConfiguration(sources, hall().s()).value(); }
std::string valueOf(const ReadConfiguration& all, const std::string& item, const std::string& port = {})
{
    std::string out;
    for (const auto& one : all.items)
        if (one.item == item && (port.empty() || one.port == port)) out += (out.empty() ? "" : "|") + one.value;
    return out;
}
configuration::Comparison compared(const std::vector<ImportSource>& sources)
{
    return configuration::compare(*hall().figures, profiles(), read(sources).items).value();
}
const ComparedItem* found(const configuration::Comparison& c, const std::string& item)
{
    const auto at = std::ranges::find(c.items, item, &ComparedItem::item);
    return at == c.items.end() ? nullptr : &*at;
}

const char* const kSmi = "==============NVSMI LOG==============\n\n"
                         "Driver Version                            : 550.54.15\n"
                         "Attached GPUs                             : 7\n"
                         "GPU 00000000:1B:00.0\n"
                         "    Persistence Mode                      : Enabled\n"
                         "    MIG Mode\n"
                         "        Current                           : Disabled\n"
                         "        Pending                           : Disabled\n"
                         "    VBIOS Version                         : 96.00.74.00.01\n"
                         "    PCI\n"
                         "        GPU Link Info\n"
                         "            PCIe Generation\n"
                         "                Current                   : 5\n"
                         "            Link Width\n"
                         "                Max                       : 16x\n"
                         "                Current                   : 8x\n"
                         "    Fabric\n"
                         "        State                             : Completed\n"
                         "        Status                            : Success\n"
                         "    ECC Mode\n"
                         "        Current                           : Disabled\n"
                         "        Pending                           : Enabled\n";
const char* const kDriver = "driver: mlx5_core\nversion: 24.01-0.3.3\nfirmware-version: 28.39.1002 (MT_0000000838)\nexpansion-rom-version: \n"
                            "bus-info: 0000:1a:00.0\nsupports-statistics: yes\n";
const char* const kQos = "DCBX mode: OS controlled\nPriority trust state: pcp\ndscp2prio mapping:\n\tprio:0 dscp:07,06,05,04,03,02,01,00,\n"
                         "PFC configuration:\n\tpriority    0   1   2   3   4   5   6   7\n\tenabled     0   0   0   1   1   0   0   0   \n"
                         "\tbuffer      0   0   0   1   0   0   0   0   \n";
const char* const kPci =
    "00:01.0 PCI bridge: Intel Corporation Device 352a (rev 04)\n\tCapabilities: [148 v1] Access Control Services\n"
    "\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-\n\n"
    "1a:00.0 Ethernet controller: Mellanox Technologies MT2910 Family [ConnectX-7]\n\tNUMA node: 1\n"
    "\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM not supported\n\t\tLnkSta:\tSpeed 16GT/s (downgraded), Width x8 (downgraded)\n";

} // namespace

class TestConfiguration : public QObject {
    Q_OBJECT

private slots:
    void formulas()
    {
        // 400 Gb/s = 50 B/ns; 30 m both ways at 5 ns/m: 300 ns = 15,000 B; two frames of 9,216 B and 3,840 B.
        QCOMPARE(headroomBytes(400, 30, 9216), std::int64_t(15000 + 2 * 9216 + 3840));
        QCOMPARE(pcieGts(100), 8);  // 126 Gb/s
        QCOMPARE(pcieGts(200), 16); // 252
        QCOMPARE(pcieGts(400), 32); // 504
        QCOMPARE(pcieGts(800), 64);
    }

    void profilesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<QString>("said");
        const QByteArray item = "items: {mtu: {value: 1, set: x, source: y, confidence: C}}";
        QTest::newRow("target") << QByteArray("profiles: {p: {for: rack, " + item + "}}") << "rack";
        QTest::newRow("match") << QByteArray("profiles: {p: {for: host, items: {mtu: {value: 1, match: most, set: x, source: y, confidence: C}}}}")
                               << "most";
        QTest::newRow("condition") << QByteArray("profiles: {p: {for: host, when: {moon: [full]}, " + item + "}}") << "moon";
        QTest::newRow("no source") << QByteArray("profiles: {p: {for: host, items: {mtu: {value: 1, set: x, confidence: C}}}}") << "source";
        QTest::newRow("no items") << QByteArray("profiles: {p: {for: host}}") << "items";
        QTest::newRow("empty") << QByteArray("{}") << "profiles";
        QTest::newRow("no YAML") << QByteArray("profiles: [") << "p.yaml";
    }
    void profilesAreRefused()
    {
        QFETCH(QByteArray, yaml);
        QFETCH(QString, said);
        const auto got = readProfiles(yaml.toStdString(), "p.yaml");
        QVERIFY(!got);
        QVERIFY2(got.error().text().find(said.toStdString()) != std::string::npos, got.error().text().c_str());
    }

    void expectedFollowsArchitectureBusinessAndNic()
    {
        const auto valueAt = [](const std::vector<Expected>& all, const std::string& item) {
            const auto at = std::ranges::find(all, item, &Expected::item);
            return at == all.end() ? std::string("-") : at->value;
        };
        const auto roce = expectedOf(*hall().figures, profiles()).value();
        QCOMPARE(valueAt(roce, "pfc.priorities"), std::string("3"));
        QCOMPARE(valueAt(roce, "nccl.NCCL_IB_TC"), std::string("104"));
        QCOMPARE(valueAt(roce, "nccl.NCCL_IB_QPS_PER_CONNECTION"), std::string("4"));
        QCOMPARE(valueAt(roce, "nic.pcie.gts"), std::string("32")); // 2 × 200 Gb/s on one NIC
        QCOMPARE(valueAt(roce, "gpu.count"), std::string("8"));
        QVERIFY(valueAt(roce, "nccl.NCCL_IB_HCA").starts_with("=mlx5_0,mlx5_1"));
        for (const auto& e : roce) QVERIFY2(e.set.find('{') == std::string::npos && e.value.find('{') == std::string::npos, e.set.c_str());

        const BuiltHall ib = BuiltHall::of("rail-optimized-2", {{"segments", "1"}, {"networks", "backend"}}); // InfiniBand
        const auto without = expectedOf(*ib.figures, profiles()).value();
        QCOMPARE(valueAt(without, "pfc.priorities"), std::string("-"));
        QCOMPARE(valueAt(without, "nccl.NCCL_CROSS_NIC"), std::string("0"));

        Snapshot other(hall().s());
        other.putSetting("config.business", "inference"), other.putSetting("config.values", "nic.firmware=28.39.1002; mtu = 9000");
        const auto inference = expectedOf(*figuresOf(std::make_shared<const Snapshot>(other)).value(), profiles()).value();
        QCOMPARE(valueAt(inference, "nccl.NCCL_IB_QPS_PER_CONNECTION"), std::string("-"));
        QCOMPARE(valueAt(inference, "nic.firmware"), std::string("28.39.1002"));
        QCOMPARE(valueAt(roce, "nvlink.gbytes_per_s"), std::string("200"));
        QCOMPARE(valueAt(roce, "nccl.TCCL_TOPO_AFFINITY"), std::string("-"));
        Snapshot tencent(hall().s());
        tencent.putSetting("config.library", "tccl");
        const auto tccl = expectedOf(*figuresOf(std::make_shared<const Snapshot>(tencent)).value(), profiles()).value();
        QCOMPARE(valueAt(tccl, "nccl.TCCL_TOPO_AFFINITY"), std::string("4"));
        QCOMPARE(valueAt(tccl, "nccl.NCCL_IB_TC"), std::string("160"));
        for (const char* bad : {"mtu", "=3", "no.such.item=1"}) {
            Snapshot wrong(hall().s());
            wrong.putSetting("config.values", bad);
            QVERIFY(!expectedOf(*figuresOf(std::make_shared<const Snapshot>(wrong)).value(), profiles()));
        }
    }

    void hostOutputs()
    {
        const std::string host = hostName();
        const auto smi = read({{host + ".smi.txt", kSmi, {}}});
        QCOMPARE(valueOf(smi, "gpu.count"), std::string("7"));
        QCOMPARE(valueOf(smi, "gpu.ecc", "gpu0"), std::string("Disabled"));
        QCOMPARE(valueOf(smi, "gpu.mig"), std::string("Disabled"));
        QCOMPARE(valueOf(smi, "gpu.pcie.width"), std::string("8"));
        QCOMPARE(valueOf(smi, "gpu.fabric"), std::string("Completed"));
        QCOMPARE(valueOf(smi, "gpu.fabric.status"), std::string("Success"));
        // Eight links of 26.562 GB/s, one of them inactive at the second GPU.
        std::string nvlink;
        for (int gpu = 0; gpu < 2; ++gpu) {
            nvlink += "GPU " + std::to_string(gpu) + ": NVIDIA H800 (UUID: GPU-1)\n";
            for (int link = 0; link < 8; ++link)
                nvlink += "\t Link " + std::to_string(link) + (gpu == 1 && link == 3 ? ": <inactive>\n" : ": 26.562 GB/s\n");
        }
        QCOMPARE(valueOf(read({{host + ".nvlink.txt", nvlink, {}}}), "nvlink.gbytes_per_s"), std::string("212.496|185.934"));
        const auto links = compared({{host + ".nvlink.txt", nvlink, {}}});
        QVERIFY(found(links, "nvlink.gbytes_per_s"));
        QCOMPARE(valueOf(read({{host + ".env.txt", "export TCCL_TOPO_AFFINITY=4\n", {}}}), "nccl.TCCL_TOPO_AFFINITY"), std::string("4"));
        const auto terminal =
            read({{"log.txt",
                   "root@" + host + ":~# ethtool -i nic1p1\n" + kDriver + "root@" + host + ":~# mlnx_qos -i nic1p1\n" + kQos + "root@" + host +
                       ":~# ethtool -a nic1p1\nPause parameters for nic1p1:\nAutonegotiate:\toff\nRX:\t\toff\nTX:\t\ton\n",
                   {}}});
        QCOMPARE(valueOf(terminal, "nic.firmware", "nic1p1"), std::string("28.39.1002"));
        QCOMPARE(valueOf(terminal, "nic.bus", "nic1p1"), std::string("0000:1a:00.0"));
        QCOMPARE(valueOf(terminal, "pfc.priorities", "nic1p1"), std::string("3,4"));
        QCOMPARE(valueOf(terminal, "qos.trust"), std::string("pcp"));
        QCOMPARE(valueOf(terminal, "pause.rx") + valueOf(terminal, "pause.tx"), std::string("offon"));
        const auto pci = read({{host + ".lspci.txt", kPci, {}}});
        QCOMPARE(valueOf(pci, "pcie.acs"), std::string("on"));
        QCOMPARE(valueOf(pci, "nic.pcie.gts", "pci 0000:1a:00.0"), std::string("16"));
        QCOMPARE(valueOf(pci, "nic.pcie.width"), std::string("8"));
        QCOMPARE(valueOf(pci, "nic.numa"), std::string("1"));
        const auto link = read({{host + ".ip.txt", "1: lo: <LOOPBACK,UP> mtu 65536 qdisc\n2: nic1p1: <BROADCAST,UP> mtu 1500 qdisc mq\n", {}}});
        QCOMPARE(valueOf(link, "mtu"), std::string("1500"));
        const auto speed = read({{host + ".e.txt", "Settings for nic1p1:\n\tSpeed: 200000Mb/s\n\tDuplex: Full\n", {}}});
        QCOMPARE(valueOf(speed, "nic.speed_gbps", "nic1p1"), std::string("200"));
        const auto nccl = read({{host + ".env", "# comment\nexport NCCL_IB_TC=\"106\"\nNCCL_CROSS_NIC=1\n", {}}});
        QCOMPARE(valueOf(nccl, "nccl.NCCL_IB_TC") + valueOf(nccl, "nccl.NCCL_CROSS_NIC"), std::string("1061"));
    }

    void switchOutputs()
    {
        const std::string tor = hall().device(torPort());
        const auto sonic =
            read({{tor + ".txt", "Interface    Lossless priorities\n-----------  ---------------------\nEthernet0    3,4\nEthernet4    N/A\n", {}}});
        QCOMPARE(valueOf(sonic, "pfc.priorities", "Ethernet0") + " " + valueOf(sonic, "pfc.priorities", "Ethernet4"), std::string("3,4 none"));
        const auto status = read({{tor + ".txt",
                                   "  Interface            Lanes    Speed    MTU    FEC    Alias    Vlan    Oper    Admin\n"
                                   "-----------  ---------------  -------  -----  -----  -------  ------  ------  -------\n"
                                   "  Ethernet0  1,2,3,4,5,6,7,8     400G   9100     rs     etp1  routed      up       up\n",
                                   {}}});
        QCOMPARE(valueOf(status, "nic.speed_gbps") + " " + valueOf(status, "mtu"), std::string("400 9100"));
        const auto nxos = read({{tor + ".txt",
                                 "Port               Mode Oper(VL bmap)  RxPPP      TxPPP\nEthernet1/1        Auto On   (8)       0          0\n"
                                 "Ethernet1/2        Off  Off            0          0\n",
                                 {}}});
        QCOMPARE(valueOf(nxos, "pfc.priorities", "Ethernet1/1") + valueOf(nxos, "pfc.priorities", "Ethernet1/2"), std::string("3none"));
        const auto policy =
            read({{tor + ".txt",
                   "  Type network-qos policy-maps\n  policy-map type network-qos roce\n    class type network-qos c-8q-nq3\n"
                   "      mtu 9216\n      pause pfc-cos 3\n    class type network-qos c-8q-nq-default\n      mtu 1500\n"
                   "  policy-map type queuing out\n    class type queuing c-out-8q-q3\n      random-detect minimum-threshold 150 kbytes "
                   "maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn\n",
                   {}}});
        QCOMPARE(valueOf(policy, "mtu", "*"), std::string("9216"));
        QCOMPARE(valueOf(policy, "ecn.queues"), std::string("3"));
        const auto nvue =
            read({{tor + ".json",
                   R"([{"header": {}}, {"set": {"system": {"hostname": ")" + tor +
                       R"("}, "interface": {"swp1s0": {"link": {"mtu": 9216, "speed": "200G"}}}, "qos": {"roce": {"mode": "lossless"}}}}])",
                   {}}});
        QCOMPARE(valueOf(nvue, "mtu", "swp1s0"), std::string("9216"));
        QCOMPARE(valueOf(nvue, "nic.speed_gbps", "swp1s0"), std::string("200"));
        QCOMPARE(valueOf(nvue, "pfc.priorities", "*") + valueOf(nvue, "ecn.queues"), std::string("30,3"));
        const auto roce = read({{tor + ".json", R"({"enable": "off", "mode": "lossless", "pfc": {}, "congestion-control": {}})", {}}});
        QCOMPARE(valueOf(roce, "pfc.priorities") + valueOf(roce, "qos.trust"), std::string("nonenone"));
    }

    /// What is wrong is found at its device and port, with what to set; the rest is as expected.
    void comparedWithTheDesign()
    {
        const std::string host = hostName();
        const auto c = compared({{host + ".smi.txt", kSmi, {}},
                                 {host + ".nic1p1.ethtool.txt", kDriver, {}},
                                 {host + ".nic1p1.qos.txt", kQos, {}},
                                 {host + ".lspci.txt", kPci, {}}});
        QVERIFY2(c.unmatched.empty(), comparisonText(c).c_str());
        for (const char* wrong :
             {"gpu.count", "gpu.ecc", "gpu.pcie.width", "pcie.acs", "pfc.priorities", "qos.trust", "nic.pcie.gts", "nic.pcie.width", "nic.numa"}) {
            const auto* one = found(c, wrong);
            QVERIFY2(one && !one->ok, wrong);
            QVERIFY(!one->set.empty() && !one->source.empty());
        }
        for (const char* right : {"gpu.mig", "gpu.persistence", "gpu.fabric", "nic.firmware"})
            QVERIFY2(found(c, right) && found(c, right)->ok, right);
        QCOMPARE(found(c, "nic.pcie.gts")->port, std::string("nic1p1")); // by the address of ethtool -i
        QVERIFY(comparisonText(c).find(host + ":nic1p1: qos.trust is pcp, expected dscp; mlnx_qos -i nic1p1 --trust dscp") != std::string::npos);
        const auto json = nlohmann::json::parse(comparisonJson(c));
        QCOMPARE(json["different"].get<std::size_t>(), c.differing());
        QVERIFY(
            std::ranges::any_of(auditOf(c), [](const auto& check) { return check.check == "nic1p1 qos.trust" && !check.ok && !check.set.empty(); }));
    }

    /// What is to be typed at a switch has the names that the switch uses.
    void commandsNamePortsAsCaptured()
    {
        const std::string tor = hall().device(torPort());
        Snapshot s(hall().s());
        s.putSetting("asbuilt.ports", "Ethernet0=" + hall().port(torPort()));
        const auto figures = figuresOf(std::make_shared<const Snapshot>(s)).value();
        const auto c =
            configuration::compare(
                *figures, profiles(),
                read({{tor + ".txt", "Interface    Lossless priorities\n-----------  ---------------------\nEthernet0    N/A\n", {}}}).items)
                .value();
        const auto* pfc = found(c, "pfc.priorities");
        QVERIFY2(pfc && !pfc->ok, comparisonText(c).c_str());
        QVERIFY2(pfc->set.find("config interface pfc priority Ethernet0 3 on") != std::string::npos, pfc->set.c_str());
        QCOMPARE(pfc->port, hall().port(torPort())); // the design's own
    }

    void oneFirmwareForAll()
    {
        std::vector<ImportSource> sources;
        std::vector<std::string> hosts;
        hall().s().devices.forEach([&](DeviceId id) {
            if (hosts.size() < 3 && hall().s().tiers.kind[hall().s().devices.tier[id]] == TierKind::Server)
                hosts.push_back(hall().s().devices.name[id]);
        });
        for (const auto& host : hosts) {
            std::string text = kDriver;
            if (host == hosts[1]) text.replace(text.find("28.39.1002"), 10, "28.38.1900");
            sources.push_back({host + ".nic1p1.txt", text, {}});
        }
        const auto c = compared(sources);
        QCOMPARE(c.differing(), std::size_t(1));
        const auto wrong = std::ranges::find(c.items, false, &ComparedItem::ok);
        QCOMPARE(wrong->deviceName + " " + wrong->expected, hosts[1] + " 28.39.1002");
    }

    /// The switch is looked at before its hosts are deployed.
    void preCheckOfSwitches()
    {
        const Snapshot& s = hall().s();
        const auto segment = asbuilt::segmentAt(s, asbuilt::findSegment(s, "1").value());
        const auto nvue = [&](DeviceId id, const char* roce) {
            return ImportSource{s.devices.name[id] + ".json", std::string(R"({"set": {"qos": {)") + roce + "}}}", {}};
        };
        std::vector<ImportSource> sources;
        for (const DeviceId id : segment.switches) sources.push_back(nvue(id, R"("roce": {"mode": "lossless"})"));
        const auto good = asbuilt::judgeSwitches(*hall().figures, segment, auditOf(compared(sources)));
        QVERIFY2(good.passes, good.faults.empty() ? "" : words(good.faults.front()).c_str());
        sources.front() = nvue(segment.switches.front(), R"("roce": {"mode": "lossy"})");
        const auto lossy = asbuilt::judgeSwitches(*hall().figures, segment, auditOf(compared(sources)));
        QVERIFY(!lossy.passes);
        std::string all;
        for (const Text& fault : lossy.faults) all += words(fault) + "\n";
        QVERIFY2(all.find("pfc.priorities is none, expected 3; enable PFC") != std::string::npos, all.c_str());
        QVERIFY2(all.find("do not deploy yet: ") != std::string::npos, all.c_str());
        sources.erase(sources.begin());
        QVERIFY(!asbuilt::judgeSwitches(*hall().figures, segment, auditOf(compared(sources))).passes); // one was not captured
    }

    /// What is exported as SONiC's configuration is read back: speed and MTU as expected, flow control missing.
    void sonicConfigurationIsReadBack()
    {
        const std::string tor = hall().device(torPort()), port = hall().port(torPort());
        const auto config = [&](const char* pfc) {
            return ImportSource{
                "config_db.json",
                fmt::format(R"({{"DEVICE_METADATA": {{"localhost": {{"hostname": "{}"}}}}, "PORT": {{"{}": {{"speed": "200000", "mtu": "9216"}}}},
                                            "PORT_QOS_MAP": {{"{}": {{"pfc_enable": "{}", "dscp_to_tc_map": "AZURE"}}}},
                                            "DSCP_TO_TC_MAP": {{"AZURE": {{"26": "3", "0": "0"}}}},
                                            "WRED_PROFILE": {{"W": {{"ecn": "ecn_all"}}}}, "QUEUE": {{"{}|3-4": {{"wred_profile": "W"}}}},
                                            "BUFFER_PROFILE": {{"P": {{"xoff": "900000"}}}}, "BUFFER_PG": {{"{}|3": {{"profile": "P"}}}}}})",
                            tor, port, port, pfc, port, port),
                {}};
        };
        const auto good = compared({config("3")});
        QVERIFY2(good.clean(), comparisonText(good).c_str());
        QCOMPARE(good.items.size(), std::size_t(7));
        const auto bad = compared({config("3,4")});
        QCOMPARE(bad.differing(), std::size_t(1));
        QCOMPARE(found(bad, "pfc.priorities")->actual, std::string("3,4"));
    }

    /// A recorded terminal with whole outputs: what is read, and every line of them and every command that is not.
    void unreadLinesAreNamed()
    {
        const std::string host = hostName();
        const auto got = read({{"session.log",
                                "root@" + host +
                                    ":~# ethtool nic1p1\nSettings for nic1p1:\n\tSupported ports: [ FIBRE ]\n"
                                    "\tSupported link modes:   200000baseCR4/Full\n\tSpeed: Unknown!\n\tDuplex: Unknown! (255)\n\tLink detected: no\n"
                                    "root@" +
                                    host +
                                    ":~# mlnx_qos -i nic1p1\nDCBX mode: OS controlled\nPriority trust state: dscp\ndscp2prio mapping:\n"
                                    "\tprio:3 dscp:31,30,29,28,27,26,25,24,\ndefault priority:\nReceive buffer size (bytes): "
                                    "20016,156096,0,0,0,0,0,0,max_buffer_size=2097088\n"
                                    "Cable len: 7\nPFC configuration:\n\tpriority    0   1   2   3   4   5   6   7\n\tenabled     0   0   0   1\n"
                                    "tc: 0 ratelimit: unlimited, tsa: vendor\n\t priority:  1\n"
                                    "root@" +
                                    host +
                                    ":~# lspci -vv\n1a:00.0 Infiniband controller: Mellanox Technologies MT2910 Family [ConnectX-7]\n"
                                    "\tControl: I/O- Mem+ BusMaster+ SpecCycle- MemWINV- VGASnoop- ParErr+ Stepping- SERR+ FastB2B- DisINTx+\n"
                                    "\tNUMA node: 0\n\t\tLnkSta:\tSpeed unknown, Width x0\n"
                                    "root@" +
                                    host +
                                    ":~# uptime\n 10:00:00 up 3 days\n"
                                    "root@" +
                                    host + ":~# cat /etc/nccl.conf\nNCCL_IB_TC=104\nNCCL_DEBUG\n",
                                {}}});
        QCOMPARE(valueOf(got, "nic.speed_gbps", "nic1p1"), std::string("Unknown!"));
        QCOMPARE(valueOf(got, "qos.trust") + valueOf(got, "nic.numa") + valueOf(got, "nccl.NCCL_IB_TC"), std::string("dscp0104"));
        std::string doubts;
        for (const auto& doubt : got.doubts) doubts += doubt.where + " " + words(doubt.what) + "\n";
        for (const char* named :
             {"enabled     0   0   0   1", "Speed unknown, Width x0", "'uptime' is not read", "line not read: NCCL_DEBUG", "session.log:"})
            QVERIFY2(doubts.find(named) != std::string::npos, (named + (": " + doubts)).c_str());
        QCOMPARE(got.doubts.size(), std::size_t(4));
        const auto c = compared({{host + ".nic1p1.txt", "Settings for nic1p1:\n\tSpeed: Unknown!\n", {}}}); // a dead link differs
        QVERIFY(found(c, "nic.speed_gbps") && !found(c, "nic.speed_gbps")->ok);

        const std::string tor = hall().device(torPort());
        const auto sonic =
            read({{tor + ".txt",
                   "admin@" + tor +
                       ":~$ show pfc priority\n\nInterface    Lossless priorities\n-----------  ---------------------\n"
                       "Ethernet0    3,4\nEthernet8\n\nadmin@" +
                       tor +
                       ":~$ show interfaces status\n"
                       "      Interface            Lanes    Speed    MTU    FEC         Alias    Vlan    Oper    Admin             Type    Asym PFC\n"
                       "---------------  ---------------  -------  -----  -----  ------------  ------  ------  -------  ---------------  ----------\n"
                       "      Ethernet0  33,34,35,36,37,38,39,40  400G   9100     rs        etp1  routed      up       up  OSFP 8X Pluggable "
                       "Transceiver  N/A\n"
                       "PortChannel0001              N/A     200G   9100    N/A           N/A  routed      up       up              N/A         N/A\n"
                       "      Ethernet8  41,42\n",
                   {}}});
        QCOMPARE(valueOf(sonic, "pfc.priorities") + " " + valueOf(sonic, "nic.speed_gbps"), std::string("3,4 400"));
        QCOMPARE(sonic.doubts.size(), std::size_t(2)); // Ethernet8 of both
        const auto nxos =
            read({{tor + ".txt",
                   tor + "# show interface priority-flow-control\nRX/TX OK: 0\n============================================================\n"
                         "Port               Mode Oper(VL bmap)  RxPPP      TxPPP\n============================================================\n\n"
                         "Ethernet1/1        On   On  (8)        12         3\nEthernet1/2\nEthernet1/3        Auto Off           0          0\n",
                   {}}});
        QCOMPARE(valueOf(nxos, "pfc.priorities", "Ethernet1/1") + valueOf(nxos, "pfc.priorities", "Ethernet1/3"), std::string("3none"));
        QCOMPARE(nxos.doubts.size(), std::size_t(1));
    }

    /// Layouts of real captures of several releases: order of lines, columns, wrapped lines, interface ranges.
    void layoutsOfReleases()
    {
        const std::string tor = hall().device(torPort()), host = hostName();
        const auto doubtsOf = [](const ReadConfiguration& all) {
            std::string out;
            for (const auto& doubt : all.doubts) out += words(doubt.what) + "\n";
            return out;
        };
        const auto nxos =
            read({{tor + ".txt",
                   "Port       Mode     Oper(VL bmap)   RxPPP     TxPPP\n---------  -------  -------------   -------   -------\n"
                   "Eth1/1     ON       On(8)           4885      3709920\nEthernet1/2  On   On  (18)      0   12\n"
                   "Vethernet9547      Auto Off           0          0\nEthernet1/1/3    Auto Off  2  0\nEth1/4     ON       ??   0   0\n",
                   {}}});
        QCOMPARE(valueOf(nxos, "pfc.priorities"), std::string("3|3,4|none"));
        QCOMPARE(doubtsOf(nxos), std::string("line not read: Eth1/4     ON       ??   0   0\n"));

        const auto policy =
            read({{tor + ".txt",
                   "  Type network-qos policy-maps\n  ==============================\n  policy-map type network-qos roce\n"
                   "    class type network-qos c-8q-nq3\n      pause pfc-cos 3\n      mtu 9216\n"
                   "    class type network-qos c-8q-nq-default\n      mtu 1500\n      multicast-optimize\n"
                   "  Service-policy (queuing) output:   QOS_EGRESS_PORT\n    Class-map (queuing):   c-out-8q-q3 (match-any)\n"
                   "      random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes\n      drop-probability 7 weight 0 ecn\n"
                   "    Class-map (queuing):   c-out-8q-q-default (match-any)\n      bandwidth remaining percent 50\n"
                   "    class type queuing OWN\n      random-detect minimum-threshold 1 kbytes maximum-threshold 3 kbytes ecn\n",
                   {}}});
        QCOMPARE(valueOf(policy, "mtu", "*") + " " + valueOf(policy, "ecn.queues"), std::string("9216 3"));
        QVERIFY2(doubtsOf(policy).starts_with("line not read: random-detect minimum-threshold 1 kbytes"), doubtsOf(policy).c_str());

        const auto table =
            read({{tor + ".txt",
                   tor + "# nv show qos roce\n                    operational            applied\n"
                         "------------------  ---------------------  ---------------------\n"
                         "state                                      enabled\nmode                lossless-single-ipool  "
                         "lossless-single-ipool\npfc\n  pfc-priority      3\n  rx-enabled        enabled\n  cable-length      100\n"
                         "congestion-control\n  congestion-mode   ECN\n  enabled-tc        0,3\n  max-threshold     1.43 MB\n"
                         "trust\n  trust-mode        pcp,dscp\nRoCE PCP/DSCP->SP mapping configurations\n"
                         "===========================================\n       pcp  dscp                     switch-prio\n"
                         "    -  ---  -----------------------  -----------\n    3  3    24,25,26,27              3\n    5  5    -       5\n"
                         "RoCE SP->TC mapping and ETS configurations\n=====\n       switch-prio  traffic-class  scheduler-weight\n"
                         "    3  3            3              DWRR-50%\n",
                   {}}});
        QCOMPARE(valueOf(table, "pfc.priorities", "*") + " " + valueOf(table, "ecn.queues") + " " + valueOf(table, "qos.trust") + " " +
                     valueOf(table, "qos.dscp_priority"),
                 std::string("3 0,3 pcp,dscp 24:3,25:3,26:3,27:3"));
        QCOMPARE(doubtsOf(table), std::string());
        const auto off = read({{tor + ".txt",
                                "        operational  applied\n------  -----------  -------\nenable               off\n\n"
                                "RoCE PCP/DSCP->SP mapping configurations\n====\n",
                                {}}});
        QCOMPARE(valueOf(off, "pfc.priorities") + " " + valueOf(off, "ecn.queues"), std::string("none none"));
        const auto lossy = read({{tor + ".json", R"({"mode": "lossy-multi-tc", "pfc": {"pfc-priority": "-"}, "state": "enabled"})", {}}});
        QCOMPARE(valueOf(lossy, "pfc.priorities"), std::string("none"));

        const auto nvue =
            read({{tor + ".json",
                   R"([{"header": {"model": "x"}}, {"set": {"interface": {"swp1-3,swp5s0-1": {"link": {"mtu": 9216, "mtuu": 1, "speed": "200G"},
                                     "type": "swp"}}, "qos": {"roce": {"state": "enabled", "mode": "lossless-single-ipool", "moode": "x"}}}}])",
                   {}}});
        QCOMPARE(valueOf(nvue, "mtu"), std::string("9216|9216|9216|9216|9216"));
        QCOMPARE(valueOf(nvue, "mtu", "swp5s1") + " " + valueOf(nvue, "pfc.priorities", "*"), std::string("9216 3"));
        QCOMPARE(doubtsOf(nvue), std::string("key not read: interface.link.mtuu\nkey not read: qos.roce.moode\n"));
        const auto profiles = read(
            {{tor + ".json",
              R"({"interface": {"swp1": {"qos": {"pfc": {"profile": "own"}}, "type": "swp"}}, "qos": {"pfc": {"default-global": {"switch-priority":
                       {"3": {}}, "tx": "enable"}, "own": {"switch-priority": {"3": {}, "4": {}}}}, "mapping": {"default-global": {"trust": "l3", "dscp":
                       {"26": {"switch-priority": 3}}}}, "congestion-control": {"default-global": {"traffic-class": {"3": {"ecn": "enable"}}}}}})",
              {}}});
        QCOMPARE(valueOf(profiles, "pfc.priorities", "*") + " " + valueOf(profiles, "pfc.priorities", "swp1") + " " + valueOf(profiles, "qos.trust") +
                     " " + valueOf(profiles, "qos.dscp_priority") + " " + valueOf(profiles, "ecn.queues"),
                 std::string("3 3,4 dscp 26:3 3"));
        const auto shown = read({{tor + ".json", R"({"swp1": {"link": {"mtu": 9000, "speed": "400G", "oper-status": "up"}, "type": "swp"}})", {}}});
        QCOMPARE(valueOf(shown, "mtu") + " " + valueOf(shown, "nic.speed_gbps"), std::string("9000 400"));

        const auto sonic = read({{tor + ".json",
                                  R"({"PORT": {"Ethernet0": {"mtu": "9100", "speeed": "400000"}, "Ethernet8": {"mtu": []}}, "QUEUEX": {}, "VLAN": {},
                       "PORT_QOS_MAP": {"Ethernet0,Ethernet8": {"pfc_enable": "3,4", "dscp_to_tc_map": "[DSCP_TO_TC_MAP|AZURE]"},
                                        "global": {"dscp_to_tc_map": "AZURE"}},
                       "DSCP_TO_TC_MAP": {"AZURE": {"26": "3", "x": "1"}, "unused": {"26": "5"}},
                       "WRED_PROFILE": {"W": {"ecn": "ecn_all"}}, "QUEUE": {"Ethernet0|3-4": {"wred_profile": "W"}, "leaf|asic0|Ethernet16|3":
                       {"wred_profile": "W"}, "Ethernet0": {}}})",
                                  {}}});
        QCOMPARE(valueOf(sonic, "pfc.priorities", "Ethernet8") + " " + valueOf(sonic, "qos.dscp_priority"), std::string("3,4 26:3"));
        QCOMPARE(valueOf(sonic, "ecn.queues"), std::string("3|3,4|none")); // Ethernet16, Ethernet0, and Ethernet8 without
        QCOMPARE(doubtsOf(sonic), std::string("key not read: QUEUEX\nkey not read: PORT.speeed\nkey not read: PORT.mtu\n"
                                              "key not read: DSCP_TO_TC_MAP.x\nkey not read: QUEUE.Ethernet0\n"));
        const auto alias =
            read({{tor + ".txt",
                   "  Interface    Lanes    Speed    MTU    FEC          Alias    Vlan    Oper    Admin            Type    Asym PFC    Oper Speed\n"
                   "  +------------------------------------------------------+\n"
                   "       etp1  65,66    200G   9100     rs  Eth6/4(Port3)  routed    down       up  SFP/SFP+/SFP28         N/A         200G\n"
                   "Ethernet0.10      N/A    200G   9100    N/A            N/A  routed      up       up             N/A         N/A\n",
                   {}}});
        QCOMPARE(valueOf(alias, "nic.speed_gbps", "etp1") + doubtsOf(alias), std::string("200"));

        const auto qos = read({{"log.txt",
                                "root@" + host +
                                    ":~# sudo /usr/bin/mlnx_qos -i nic1p1 --trust dscp\nPriority trust mode: dscp\nPFC configuration:\n"
                                    "        priority:  0   1   2   3   4   5   6   7\n        enabled:   0   0   0   1   0   0   0   0\n"
                                    "tc: 0 ratelimit: unlimited, tsa: ets, bw: 12%\n root@" +
                                    host + ":~# ethtool -i nic1p2 | head -5\n" + kDriver,
                                {}}});
        QCOMPARE(valueOf(qos, "pfc.priorities", "nic1p1") + valueOf(qos, "qos.trust", "nic1p1"), std::string("3dscp"));
        const auto user = importers::readConfiguration(
            std::vector<ImportSource>{
                {host + ".lspci.txt", "1a:00.0 Ethernet controller: Mellanox\n\tNUMA node: 1\n\tCapabilities: <access denied>\n", {}}},
            hall().s());
        QVERIFY(user && user->doubts.size() == 1 && words(user->doubts.front().what).find("access denied") != std::string::npos);
    }

    void whatIsNoOutputIsNamed_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("prose") << QByteArray("read me\n");
        QTest::newRow("broken JSON") << QByteArray("{\"PORT\": ");
        QTest::newRow("other JSON") << QByteArray("[1, {\"set\": 3}]");
        QTest::newRow("odd types") << QByteArray(
            "{\"PORT\": [], \"DEVICE_METADATA\": 7, \"QUEUE\": {\"x\": 1, \"Ethernet0|99999999999-3\": {\"wred_profile\": \"[W\"}}}");
        QTest::newRow("NVUE of odd types") << QByteArray(R"({"set": {"qos": {"roce": 7}, "interface": {"swp1": null}, "system": []}})");
    }
    void whatIsNoOutputIsNamed()
    {
        QFETCH(QByteArray, content);
        const auto got = importers::readConfiguration(std::vector<ImportSource>{{"x.txt", content.toStdString(), {}}}, hall().s());
        QVERIFY(!got);
        QVERIFY(got.error().code == ErrorCode::Unreadable && !words(got.error().todo).empty());
    }

    void exported()
    {
        exchange::Formats formats;
        importers::registerFormats(formats);
        QTemporaryDir dir;
        const auto write = [&](const char* name, exchange::FormatChoices options) {
            exchange::ExportJob job;
            job.project = "x.hall", job.output = dir.filePath(name).toStdString(), job.options = std::move(options);
            job.design = [] { return Result<SnapshotPtr>(hall().figures->snapshot); };
            job.figures = [] { return Result<FiguresPtr>(hall().figures); };
            const auto exporter = formats.exporter("config-expected");
            const auto done = (*exporter)->write(job, {});
            std::ifstream in(job.output);
            std::ostringstream text;
            text << in.rdbuf();
            return done ? text.str() : done.error().text();
        };
        const auto json = nlohmann::json::parse(write("a.json", {{"only", hostName()}}));
        QCOMPARE(json["devices"].size(), std::size_t(1));
        QVERIFY(json["devices"][0]["items"].size() > 50);
        const std::string csv = write("a.csv", {});
        QCOMPARE(std::size_t(std::ranges::count(csv, '\n')), expectedOf(*hall().figures, profiles()).value().size() + 1);
        QCOMPARE(csv, write("b.csv", {}));
        QVERIFY(write("c.csv", {{"only", "nobody"}}).find("nobody") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestConfiguration)
#include "test_configuration.moc"

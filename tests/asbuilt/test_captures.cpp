// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/asbuilt/name_rules.h"
#include "tests/asbuilt/captures.h"

#include <QElapsedTimer>
#include <QTest>

#include <fmt/format.h>

using namespace captures;

namespace {

/// A MAC for each device, made from its id.
std::string macOf(DeviceId id) { return fmt::format("02:00:{:02x}:{:02x}:{:02x}:01", id.value >> 16, (id.value >> 8) & 0xFF, id.value & 0xFF); }

/// What lldpcli says on every device. `anonymous`: devices whose names their neighbors do not tell.
std::vector<ImportSource> lldpOf(const BuiltHall& built, const std::set<DeviceId>& anonymous = {})
{
    const Snapshot& s = built.s();
    std::map<DeviceId, std::string> interfaces;
    for (const auto& p : built.plugs) {
        if (!p.there) continue;
        for (const auto& [near, far] : {std::pair(p.a, p.b), std::pair(p.b, p.a)}) {
            const DeviceId there = s.ports.device[far];
            const std::string name = anonymous.contains(there) ? "" : fmt::format(R"(,"name":[{{"value":"{}"}}])", s.devices.name[there]);
            std::string& list = interfaces[s.ports.device[near]];
            list += fmt::format(
                R"({}{{"name":"{}","chassis":[{{"id":[{{"type":"mac","value":"{}"}}]{}}}],"port":[{{"id":[{{"type":"ifname","value":"{}"}}]}}]}})",
                list.empty() ? "" : ",", built.port(near), macOf(there), name, built.port(far));
        }
    }
    std::vector<ImportSource> all;
    for (const auto& [device, list] : interfaces)
        all.push_back({"run/" + s.devices.name[device] + ".json", R"({"lldp":[{"interface":[)" + list + "]}]}", {}});
    return all;
}

} // namespace

class TestCaptures : public QObject {
    Q_OBJECT

private slots:
    void readsLldpd()
    {
        const auto one = read("lldp", {sample("leaf1.json0.json", {{"local", "leaf1"}})});
        QCOMPARE(one.size(), std::size_t(2));
        QCOMPARE(one[0].fromDevice, std::string("leaf1"));
        QCOMPARE(one[0].fromPort, std::string("swp1s0"));
        QCOMPARE(one[0].toDevice, std::string("host01"));
        QCOMPARE(one[0].toPort, std::string("nic1p1")); // the port's id is a MAC: its description names it
        QCOMPARE(one[1].toDevice, std::string("b8:3f:d2:00:02:02"));
        const auto two = read("lldp", {sample("leaf2.json")});
        QCOMPARE(two.size(), std::size_t(2));
        QCOMPARE(two[0].fromDevice, std::string("leaf2"));
        QCOMPARE(two[0].toPort, std::string("eth2"));
        QCOMPARE(read("lldp", {sample("leaf3.single.json")}).front().toDevice, std::string("host01"));
    }

    void readsOtherDialects()
    {
        const auto arista = read("lldp", {sample("arista.json", {{"local", "leaf9"}})});
        QCOMPARE(arista.size(), std::size_t(1));
        QCOMPARE(arista[0].fromPort, std::string("Ethernet5/1"));
        QCOMPARE(arista[0].toDevice, std::string("host01.dc.example"));
        QCOMPARE(arista[0].toPort, std::string("eth2"));
        const auto sonic = read("lldp", {sample("sonic.txt")});
        QCOMPARE(sonic.size(), std::size_t(2));
        QCOMPARE(sonic[0].toPort, std::string("nic1p1"));
        QCOMPARE(sonic[1].fromPort, std::string("Ethernet8"));
        QCOMPARE(sonic[1].toDevice, std::string("spine1"));
        const auto nvue = read("lldp", {sample("nvue.json")});
        QCOMPARE(nvue.size(), std::size_t(1));
        QCOMPARE(nvue[0].toPort, std::string("eth2"));
    }

    void readsInfiniBand()
    {
        const auto blocks = read("ibnetdiscover", {sample("ibnetdiscover.txt")});
        QCOMPARE(blocks.size(), std::size_t(3)); // the aggregation node is inside of the switch
        QCOMPARE(blocks[0].fromDevice, std::string("sw01"));
        QCOMPARE(blocks[0].fromPort, std::string("1"));
        QCOMPARE(blocks[0].toDevice, std::string("host01"));
        QCOMPARE(blocks[0].toPort, std::string("mlx5_0/1"));
        QCOMPARE(blocks[0].rateGbps, 400);
        QCOMPARE(blocks[0].lanes, 4);
        QCOMPARE(blocks[1].rateGbps, 200);
        QCOMPARE(blocks[1].lanes, 2);
        QCOMPARE(blocks[2].fromDevice, std::string("host01"));
        const auto lines = read("ibnetdiscover", {sample("ibnetdiscover-p.txt")});
        QCOMPARE(lines.size(), std::size_t(2));
        QCOMPARE(lines[0].toPort, std::string("mlx5_0/1"));
        QCOMPARE(lines[0].rateGbps, 400);
        QCOMPARE(lines[1].toDevice, std::string("sw01"));
    }

    void readsNetboxCables()
    {
        const auto plan = importer("netbox-cables").plan(sample("netbox-cables.csv"), std::make_shared<const Snapshot>(), {}).value();
        const auto cables = sightingsOf(*plan.after);
        QCOMPARE(cables.size(), std::size_t(1)); // one planned, one power, one to a panel
        QCOMPARE(cables[0].label, std::string("R01-10:swp1/R02-05:eth2"));
        QCOMPARE(plan.issues.size(), std::size_t(3));
        QVERIFY(plan.read == 2 && plan.left == 2); // the cable to the panel was read, and leads nowhere
    }

    /// The list of cables as the page exports it; an assembly in one row is a link for each of its ends.
    void readsTheExportedListOfCables()
    {
        const std::string list = "ID,Label,Termination A,Termination B,Device A,Device B,Rack A,Rack B,Status,Type\n"
                                 "7,L-7,swp1,eth2,leaf1,host1,R1,R2,Connected,AOC\n8,,swp2,eth2,leaf1,host2,R1,R2,Planned,\n"
                                 "9,,\"swp3,swp4\",eth2,leaf1,host3,R1,R2,Connected,\n";
        const auto plan = importer("netbox-cables").plan({"cables.csv", list, {}}, std::make_shared<const Snapshot>(), {}).value();
        const auto cables = sightingsOf(*plan.after);
        QCOMPARE(cables.size(), std::size_t(3));
        QVERIFY(cables[0].fromDevice == "leaf1" && cables[0].fromPort == "swp1" && cables[0].toDevice == "host1" && cables[0].toPort == "eth2");
        QVERIFY(cables[1].fromPort == "swp3" && cables[1].toPort == "eth2s1" && cables[2].fromPort == "swp4" && cables[2].toPort == "eth2s2");
        QCOMPARE(plan.issues.size(), std::size_t(1));
        QVERIFY(importer("netbox-cables").probe({"cables.csv", list, {}}));
        QVERIFY(words(refused("netbox-cables", "x", "ID,Termination A,Device A\n1,a,b\n").what).find("device b") != std::string::npos);
    }

    /// Rows whose ends are feeds and circuits are no cables of devices; break-outs are as many links; what is uneven is left out. All are counted.
    void netboxRowsThatAreNoLinks()
    {
        const std::string list = "ID,Label,Device A,Termination A,Device B,Termination B,Status,Type\n"
                                 "1,,leaf1,swp1,host1,eth2,Connected,MMF (OM4)\n"
                                 "2,,,Feed A01-1,pdu-a01-a,Input,Connected,Power\n"
                                 "3,,r1,xe-0/0/0,,CID-1: Termination A,Connected,SMF\n"
                                 "4,,pdu-a01-a,Outlet 1,host1,PSU1,Connected,Power\n"
                                 "5,,leaf1,port7,\"host1, host2\",\"nic1, nic1\",Connected,AOC\n"
                                 "6,,leaf1,\"a,b,c\",host1,\"x,y\",Connected,AOC\n";
        const auto plan = importer("netbox-cables").plan({"cables.csv", list, {}}, std::make_shared<const Snapshot>(), {}).value();
        const auto cables = sightingsOf(*plan.after);
        QCOMPARE(cables.size(), std::size_t(3));
        QVERIFY(cables[1].fromPort == "port7s1" && cables[1].toDevice == "host1" && cables[2].fromPort == "port7s2" && cables[2].toDevice == "host2");
        QVERIFY(plan.read == 2 && plan.left == 4);
        std::string told;
        for (const auto& issue : plan.issues) told += words(issue.what) + "\n";
        for (const char* part : {"2 cables skipped: one of their ends is not a port of a device", "lines 3", "1 power cable skipped", "line 7"})
            QVERIFY2(told.find(part) != std::string::npos, told.c_str());
    }

    /// Cables over panels are whole links, where front and rear ports tell which belong together; also panel after panel, and from either end.
    void netboxPanelsAreFollowed()
    {
        const std::string head = "side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,status\n",
                          list = head + "leaf1,dcim.interface,swp1,pp-a,dcim.frontport,Front 01,connected\n"
                                        "pp-a,dcim.rearport,Rear 01,pp-b,dcim.rearport,Rear 07,connected\n"
                                        "pp-b,dcim.frontport,Front 07,host1,dcim.interface,eth2,connected\n"
                                        "leaf1,dcim.interface,swp2,pp-a,dcim.frontport,Front 02,connected\n"
                                        "pp-a,dcim.rearport,Rear 02,pp-b,dcim.rearport,Rear 08,connected\n";
        const auto plan = importer("netbox-cables").plan({"cables.csv", list, {}}, std::make_shared<const Snapshot>(), {}).value();
        const auto cables = sightingsOf(*plan.after);
        QCOMPARE(cables.size(), std::size_t(1));
        QVERIFY(cables[0].fromDevice == "leaf1" && cables[0].fromPort == "swp1" && cables[0].toDevice == "host1" && cables[0].toPort == "eth2");
        QCOMPARE(plan.issues.size(), std::size_t(1)); // swp2 leads to a front port with nothing in it
        // A rear connector of many fibers with several fronts: which is which the list does not tell.
        const std::string trunk =
            head + "leaf1,dcim.interface,swp1,pp-a,dcim.frontport,1,connected\nleaf1,dcim.interface,swp2,pp-a,dcim.frontport,2,connected\n"
                   "pp-a,dcim.rearport,1,pp-b,dcim.rearport,1,connected\npp-b,dcim.frontport,1,host1,dcim.interface,eth1,connected\n";
        QVERIFY(sightingsOf(*importer("netbox-cables").plan({"x.csv", trunk, {}}, std::make_shared<const Snapshot>(), {})->after).empty());
    }

    /// What a terminal writes around a capture is no part of it.
    void promptsAreNoRows()
    {
        const std::string table = "admin@tor1:~$ show lldp table\n"
                                  "Capability codes: (R) Router, (B) Bridge, (O) Other\n"
                                  "LocalPort    RemoteDevice        RemotePortID    Capability    RemotePortDescr\n"
                                  "-----------  ------------------  --------------  ------------  -----------------\n"
                                  "port1s1      pod1-seg01-host001  nic1p1          BR            nic1p1\n"
                                  "--------------------------------------------------\n"
                                  "Total entries displayed:  1\n"
                                  "admin@tor1:~$ exit\n";
        const auto rows = read("lldp", {ImportSource{"tor1.txt", table, {}}});
        QCOMPARE(rows.size(), std::size_t(1));
        QVERIFY(rows[0].fromPort == "port1s1" && rows[0].toDevice == "pod1-seg01-host001");
        const std::string json = R"({"lldp":{"interface":[{"swp1":{"chassis":{"host1":{}},"port":{"id":{"type":"ifname","value":"eth2"}}}}]}})";
        for (const char* prompt :
             {"leaf1#", "leaf1(config)#", "admin@leaf1:mgmt:~$", "[root@leaf1 ~]#", "<leaf1>", "Script started on 2026-11-23 10:00:00"})
            QCOMPARE(read("lldp",
                          {ImportSource{"leaf1.json", std::string(prompt) + " lldpcli show neighbors -f json\n" + json + "\n" + prompt + "\n", {}}})
                         .size(),
                     std::size_t(1));
        // A line in between that is broken keeps itself out, and is reported.
        const std::string fabric =
            "root@ufm:~# ibnetdiscover\nSwitch\t2 \"S-e8ebd30300000001\"\t\t# \"a\" lid 5\n[1]\t\"S-e8ebd30300000002\"[1]\t\t# \"b\" lid 6 4xHDR\n"
            "ibwarn: [123] mad_rpc: timeout\n[2]\t\"S-e8ebd303\n\nSwitch\t2 \"S-e8ebd30300000002\"\t\t# \"b\" lid 6\n"
            "[1]\t\"S-e8ebd30300000001\"[1]\t\t# \"a\" lid 5 4xHDR\nroot@ufm:~# exit\n";
        const auto plan = importer("ibnetdiscover").plan({"x", fabric, {}}, std::make_shared<const Snapshot>(), {}).value();
        QCOMPARE(sightingsOf(*plan.after).size(), std::size_t(2));
        QVERIFY(plan.read == 2 && plan.left == 2 && plan.issues.size() == 2);
    }

    /// Fields are text: only arithmetic makes numbers of them.
    void namesKeepTheirZeros()
    {
        const auto rule = [](const char* text) { return asbuilt::readNameRules(text, "x").value().front(); };
        QCOMPARE(*rule("gpu-{s}-{h}=pod1-seg{s}-host{h}").apply("gpu-01-001", false), std::string("pod1-seg01-host001"));
        QCOMPARE(*rule("gpu-{s}=host{s+0}").apply("gpu-010", false), std::string("host10"));
        const BuiltHall built = BuiltHall::of("hpn", kSmall);
        const std::string capture =
            R"({"lldp": {"interface": [{"port1s1": {"chassis": {"gpu-01-001": {}}, "port": {"id": {"type": "ifname", "value": "nic1p1"}}}}]}})";
        const ImportSource source{"pod1-seg01-tor-rail1-plane1.json", capture, {{"device", "gpu-{s}-{h}=pod1-seg{s}-host{h}"}}};
        std::int64_t seen = 0;
        for (const auto& network : compareAfter(built, "lldp", {source}).networks) seen += network.asDesigned;
        QCOMPARE(seen, std::int64_t(1));
    }

    void saysWhatIsWrongAndWhere_data()
    {
        QTest::addColumn<QByteArray>("format");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("where");
        QTest::newRow("no JSON") << QByteArray("lldp") << QByteArray("{\n\"lldp\": [}") << QByteArray("x:2");
        QTest::newRow("not LLDP") << QByteArray("lldp") << QByteArray("{\"a\": 1}") << QByteArray("x: lldp");
        QTest::newRow("nameless") << QByteArray("lldp") << QByteArray(R"({"lldp":{"interface":{"swp1":{"port":{}}}}})") << QByteArray("swp1.chassis");
        QTest::newRow("list of numbers") << QByteArray("lldp") << QByteArray(R"({"lldp":{"interface":[1]}})") << QByteArray("lldp.interface");
        QTest::newRow("sonic") << QByteArray("lldp") << QByteArray("LocalPort RemoteDevice\nEthernet0 x\n") << QByteArray("x");
        QTest::newRow("ib port first") << QByteArray("ibnetdiscover") << QByteArray("#\n[1]\t\"H-00\"[1]\n") << QByteArray("x:2");
        QTest::newRow("ib cut off") << QByteArray("ibnetdiscover") << QByteArray("Switch\t64 \"S-e8ebd30300abcd00\"\n[1]\t\"H-b83f\n")
                                    << QByteArray("x:2");
        QTest::newRow("ib other") << QByteArray("ibnetdiscover") << QByteArray("hello world\n") << QByteArray("x:1");
        QTest::newRow("ib empty") << QByteArray("ibnetdiscover") << QByteArray("#\n") << QByteArray("x:1");
        QTest::newRow("netbox columns") << QByteArray("netbox-cables") << QByteArray("a,b\n1,2\n") << QByteArray("x:1");
        QTest::newRow("netbox end") << QByteArray("netbox-cables") << QByteArray("side_a_device,side_a_name,side_b_device,side_b_name\nx,1,,2\n")
                                    << QByteArray("x:2");
        QTest::newRow("labels columns") << QByteArray("labels") << QByteArray("a,b\n1,2\n") << QByteArray("x:1");
        QTest::newRow("labels rate") << QByteArray("labels") << QByteArray("label,rate_gbps\nq,fast\n") << QByteArray("x:2");
        QTest::newRow("labels half") << QByteArray("labels") << QByteArray("from_device,from_port,to_device,to_port\nx,1,,\n") << QByteArray("x:2");
    }
    void saysWhatIsWrongAndWhere()
    {
        QFETCH(QByteArray, format);
        QFETCH(QByteArray, content);
        QFETCH(QByteArray, where);
        const Error error = refused(format.constData(), "x", content.toStdString());
        QCOMPARE(int(error.code), int(ErrorCode::Unreadable));
        QVERIFY2(error.where.find(where.toStdString()) != std::string::npos, error.text().c_str());
        QVERIFY(!error.todo.empty());
    }

    void aCaptureOfTheDesignIsTheDesign()
    {
        const BuiltHall built = BuiltHall::of("hpn", kSmall);
        const Comparison c = compareAfter(built, "lldp", lldpOf(built));
        QVERIFY2(c.clean(), shown(built, c).c_str());
        std::int64_t seen = 0;
        for (const auto& n : c.networks) seen += n.asDesigned;
        QCOMPARE(seen, std::int64_t(built.plugs.size()));
    }

    void knowsDevicesByTheirMac()
    {
        const BuiltHall built = BuiltHall::of("hpn", kSmall);
        const auto& broken = built.plugs.front();
        const DeviceId host = built.s().ports.device[broken.a];
        auto files = lldpOf(built);
        auto hidden = lldpOf(built, {host}); // all say its MAC, nobody its name, and it does not speak for itself
        const std::string own = "run/" + built.s().devices.name[host] + ".json";
        std::erase_if(hidden, [&](const ImportSource& file) { return file.path == own; });
        const Comparison stranger = compareAfter(built, "lldp", hidden);
        QVERIFY(!stranger.clean() && !stranger.unmatched.empty() && stranger.count(Kind::UnknownDevice) == 0);
        const auto learned = importer("lldp").planTogether(files, built.figures->snapshot, {}).value();
        QVERIFY(learned.after->hardwareIds.size() > 0);
        const auto again = importer("lldp").planTogether(hidden, learned.after, {}).value();
        const auto c = compareStored(figuresOf(again.after).value()).value();
        QVERIFY2(c.clean(), shown(built, c).c_str());
        QCOMPARE(again.after->observations.size(), learned.after->observations.size()); // each device's again
    }

    void keepsWhatIsPlanned()
    {
        const BuiltHall built = BuiltHall::of("hpn", kSmall);
        const auto plan = importer("lldp").planTogether(lldpOf(built), built.figures->snapshot, {}).value();
        for (const auto& rows : exchange::plannedRows(plan))
            QVERIFY2(rows.table == "observations" || rows.table == "hardware_ids", rows.table.c_str());
    }

    void netboxAndLabelsAgree()
    {
        const BuiltHall built = BuiltHall::of("hpn", kSmall);
        std::string netbox = "side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,status\n",
                    ends = "label,from_device,from_port,to_device,to_port\n";
        for (const auto& p : built.plugs) {
            netbox += fmt::format("{},dcim.interface,{},{},dcim.interface,{},connected\n", built.device(p.b), built.port(p.b), built.device(p.a),
                                  built.port(p.a));
            ends += fmt::format(",{},{},{},{}\n", built.device(p.a), built.port(p.a), built.device(p.b), built.port(p.b));
        }
        for (const auto& [format, text] : {std::pair("netbox-cables", netbox), std::pair("labels", ends)}) {
            const Comparison c = compareAfter(built, format, {{"x.csv", text, {}}});
            QVERIFY2(c.clean(), shown(built, c).c_str());
        }
    }

    /// A neighbor of which only a number is known may be what is planned: nothing to move, and nothing is proved either.
    void aNumberAloneIsNoStranger()
    {
        const auto built = BuiltHall::of("hpn", kSmall);
        const DeviceId host = built.s().ports.device[built.plugs[0].a];
        auto captures = lldpOf(built, {host});
        std::erase_if(captures, [&](const ImportSource& one) { return one.path.stem() == built.s().devices.name[host]; });
        for (auto& one : captures) // the host's own files are missing, and nobody else has its name
            for (std::size_t at; (at = one.content.find(macOf(host))) != std::string::npos;)
                one.content.replace(at, macOf(host).size(), "0a:0a:0a:0a:0a:0a");
        const auto found = compareAfter(built, "lldp", captures);
        QVERIFY2(found.differences.empty() && !found.unmatched.empty() && !found.clean(), shown(built, found).c_str());
        std::int64_t notTold = 0, links = 0;
        for (const auto& network : found.networks) notTold += network.notTold;
        for (const auto& p : built.plugs) links += built.s().ports.device[p.a] == host || built.s().ports.device[p.b] == host;
        QCOMPARE(notTold, links);
    }

    /// lldpd gives several neighbors of a port; Arista's eAPI wraps what the switch prints.
    void unusualShapes()
    {
        const auto neighbor = [](const char* name, const char* port) {
            return fmt::format("{{\"chassis\":{{\"{}\":{{}}}},\"port\":{{\"id\":{{\"type\":\"ifname\",\"value\":\"{}\"}}}}}}", name, port);
        };
        const std::string lldpd = "{\"lldp\":{\"interface\":{\"swp1\":[" + neighbor("a", "x") + "," + neighbor("b", "y") + "]}}}";
        const auto two = read("lldp", {ImportSource{"leaf1.json", lldpd, {}}});
        QCOMPARE(two.size(), std::size_t(2));
        QVERIFY(two[0].toDevice == "a" && two[1].toDevice == "b" && two[1].toPort == "y" && two[1].fromPort == "swp1");
        const std::string arista = "{\"lldpNeighbors\":[{\"port\":\"Ethernet1\",\"neighborDevice\":\"a\",\"neighborPort\":\"x\"}]}";
        const auto eapi = read("lldp", {ImportSource{"leaf2.json", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[" + arista + "]}", {}}});
        QCOMPARE(eapi.size(), std::size_t(1));
        QVERIFY(eapi[0].fromDevice == "leaf2" && eapi[0].toDevice == "a");
        QVERIFY(refused("lldp", "x", "{\"jsonrpc\":\"2.0\",\"result\":[]}").where.find("result") != std::string::npos);
    }

    /// A director's chips share its name; a host whose adapters were not renamed; the same fabric as iblinkinfo tells it.
    void infiniBandOfOtherTools()
    {
        const auto ports = [](const std::vector<Sighting>& all) {
            std::set<std::string> out;
            for (const auto& one : all) out.insert(one.fromDevice + ":" + one.fromPort + ">" + one.toDevice + ":" + one.toPort);
            return out;
        };
        const std::string director = "Switch\t40 \"S-e8ebd30300000001\"\t\t# \"MF0;dir1:CS8500/L01/U1\" enhanced port 0 lid 5 lmc 0\n"
                                     "[1]\t\"H-b83fd20300000001\"[1](b83fd20300000001) \t\t# \"host01 HCA-2\" lid 12 4xHDR\n"
                                     "[21]\t\"S-e8ebd30300000002\"[1]\t\t# \"MF0;dir1:CS8500/S01/U1\" lid 6 4xHDR\n\n";
        QCOMPARE(ports(read("ibnetdiscover", {{"x", director, {}}})),
                 (std::set<std::string>{"dir1/L01/U1:1>host01:HCA-2/1", "dir1/L01/U1:21>dir1/S01/U1:1"}));
        const std::string info =
            "0xe8ebd30300abcd00 \"           MF0;sw01:MQM9700/U1\"      5    1[  ] ==( 4X      106.25 Gbps Active/  LinkUp)==>  0xb83fd20300f1e2d0   "
            "  12    "
            "1[  ] \"host01 mlx5_0\" ( )\n"
            "0xe8ebd30300abcd00 \"           MF0;sw01:MQM9700/U1\"      5    2[  ] ==( 2X      106.25 Gbps Active/  LinkUp)==>  0xe8ebd30300abce00   "
            "   6   "
            "33[  ] \"MF0;sw02:MQM9700/U1\" ( Could be 4X)\n"
            "0xe8ebd30300abcd00 \"           MF0;sw01:MQM9700/U1\"      5    3[  ] ==(                Down/ Polling)==>             [  ] \"\" ( )\n";
        const auto lines = read("ibnetdiscover", {{"x", info, {}}});
        QCOMPARE(ports(lines), (std::set<std::string>{"sw01:1>host01:mlx5_0/1", "sw01:2>sw02:33"}));
        QVERIFY(lines[0].rateGbps == 400 && lines[0].lanes == 4 && lines[1].rateGbps == 200 && lines[1].lanes == 2);
        QVERIFY(!refused("ibnetdiscover", "x", "0xe8 \"a\" 1 ==( 4X\n").where.empty());
        // Without --line: blocks whose lines have the GUID of one side and the address in the subnet of the other
        const std::string blocks =
            "CA: su01-host001 HCA-1:\n"
            "      0xb83fd20300aa0001     12    1[  ] ==( 4X        106.25 Gbps Active/  LinkUp)==>       5    1[  ] "
            "\"MF0;su01-leaf-rail1:MQM9700/U1\" ( )\n"
            "Switch: 0x2c5eab0300bb0001 MF0;su01-leaf-rail1:MQM9700/U1:\n"
            "           5    1[  ] ==( 4X        106.25 Gbps Active/  LinkUp)==>      12    1[  ] \"su01-host001 HCA-1\" ( )\n"
            "           5    2[  ] ==(                Down/ Polling)==>             [  ] \"\" ( )\n"
            "           5    3[  ] ==( 4X        106.25 Gbps Active/  LinkUp)==>      77    1[  ] \"su01-host002 HCA-1\" ( )\n";
        const auto told = read("ibnetdiscover", {{"x", blocks, {}}});
        QCOMPARE(ports(told), (std::set<std::string>{"su01-host001:HCA-1/1>su01-leaf-rail1:1", "su01-leaf-rail1:1>su01-host001:HCA-1/1",
                                                     "su01-leaf-rail1:3>su01-host002:HCA-1/1"}));
        QVERIFY(told[0].rateGbps == 400 && told[0].lanes == 4);
    }

    /// A fabric of many adapters is read in time that grows with its lines.
    void manyAdapters()
    {
        constexpr int kAdapters = 49'152, kPerLeaf = 32;
        std::string text;
        const auto node = [](int kind, int n) { return fmt::format("{:x}{:015x}", kind, n); };
        for (int leaf = 0; leaf < kAdapters / kPerLeaf; ++leaf) {
            text += fmt::format("\nSwitch\t65 \"S-{}\"\t\t# \"MF0;leaf{:05}:MQM9700/U1\" enhanced port 0 lid {} lmc 0\n", node(1, leaf), leaf, leaf);
            for (int port = 1; port <= kPerLeaf; ++port) {
                const int h = leaf * kPerLeaf + port - 1;
                text +=
                    fmt::format("[{}]\t\"H-{}\"[1]({}) \t\t# \"host{:06} mlx5_{}\" lid {} 4xNDR\n", port, node(2, h), node(2, h), h / 8, h % 8, port);
            }
        }
        for (int h = 0; h < kAdapters; ++h)
            text += fmt::format(
                "\nCa\t1 \"H-{}\"\t\t# \"host{:06} mlx5_{}\"\n[1]({}) \t\"S-{}\"[{}]\t\t# lid {} lmc 0 \"MF0;leaf{:05}:MQM9700/U1\" lid 1 4xNDR\n",
                node(2, h), h / 8, h % 8, node(2, h), node(1, h / kPerLeaf), h % kPerLeaf + 1, h, h / kPerLeaf);
        QElapsedTimer timer;
        timer.start();
        const auto plan = importer("ibnetdiscover").plan({"x", text, {}}, std::make_shared<const Snapshot>(), {}).value();
        QVERIFY2(timer.elapsed() < 8'000, qPrintable(QString::number(timer.elapsed()))); // 15 s and more where it is quadratic
        QCOMPARE(plan.after->observations.size(), 2U * kAdapters);
        QVERIFY(plan.issues.empty());
    }

    /// A file that ends too early, at the end of a line: what is not in it is no proof, and that is said.
    void capturesThatWereCutOff()
    {
        const auto issues = [](const char* format, const ImportSource& source) {
            return importer(format).plan(source, std::make_shared<const Snapshot>(), {}).value().issues.size();
        };
        auto table = sample("sonic.txt");
        QCOMPARE(issues("lldp", table), std::size_t(0));
        const auto total = table.content.find("Total"), row = table.content.rfind('\n', table.content.rfind("\n---", total) - 1);
        ImportSource noTotal = table, lessRows = table;
        noTotal.content.erase(total);
        lessRows.content.erase(row, table.content.rfind("\n---", total) - row);
        QCOMPARE(issues("lldp", noTotal), std::size_t(1));
        QCOMPARE(issues("lldp", lessRows), std::size_t(1));
        const std::string two = "Switch\t2 \"S-e8ebd30300000001\"\t\t# \"a\" lid 5\n[1]\t\"S-e8ebd30300000002\"[1]\t\t# \"b\" lid 6 4xHDR\n\n",
                          other = "Switch\t2 \"S-e8ebd30300000002\"\t\t# \"b\" lid 6\n[1]\t\"S-e8ebd30300000001\"[1]\t\t# \"a\" lid 5 4xHDR\n";
        QCOMPARE(issues("ibnetdiscover", {"x", two + other, {}}), std::size_t(0));
        QCOMPARE(issues("ibnetdiscover", {"x", two, {}}), std::size_t(1));
    }

    /// EOS and NX-OS shorten the names of interfaces; Linux's eth1 is something else.
    void shortNamesOfInterfaces()
    {
        const BuiltHall built = BuiltHall::of("hpn", kSmall);
        const auto& p = built.plugs.front();
        for (const char* name : {"Ethernet7/1", "Et7/1", "Eth7/1", "ethernet7/1", "eth7/1"})
            for (const char* rule : {"Ethernet7/1", "Et7/1"}) {
                if (rule == std::string("Et7/1") && name[1] != 't') continue;
                Snapshot ruled(built.s());
                ruled.putSetting("asbuilt.ports", std::string(rule) + "=" + built.port(p.b) + "; Ethernet48=-");
                const bool reached = rule == std::string("Ethernet7/1") || std::string(name) == "Et7/1";
                const auto with = figuresOf(std::make_shared<const Snapshot>(std::move(ruled))).value();
                const Sighting one{Witness::Lldp, built.device(p.a), built.port(p.a), built.device(p.b), name, 0, 0, {}, "x", {}, {}};
                const Sighting aside{Witness::Lldp, built.device(p.b), "Et48", "firewall", "x", 0, 0, {}, "x", {}, {}};
                const Comparison c = asbuilt::compare(with, std::array{one, aside}).value();
                QVERIFY2((c.linkState[p.link.value] == char(LinkState::AsDesigned)) == reached, name);
                QVERIFY(c.strangers.empty());
            }
    }

    void infiniBandFromTheDesign()
    {
        const BuiltHall built = BuiltHall::of("nvl72", {{"segments", "1"}});
        const Snapshot& s = built.s();
        const auto guid = [](DeviceId id) { return fmt::format("{:016x}", 0x1000 + id.value); };
        const auto number = [&](PortId port) { // of a switch's data ports
            int n = 0;
            const auto& interfaces = built.figures->parts->device(s.devices.type[s.ports.device[port]]).interfaces;
            std::vector<std::pair<std::pair<int, int>, PortId>> all;
            s.ports.forEach([&](PortId id) {
                if (s.ports.device[id] != s.ports.device[port] || s.ports.medium[id] != Medium::Data) return;
                const auto cage = s.cages.number[s.ports.cage[id]];
                if (cage < interfaces.size() && interfaces[cage].management) return;
                all.push_back({{cage, s.ports.lane[id]}, id});
            });
            std::ranges::sort(all);
            for (const auto& [place, id] : all)
                if (++n; id == port) return n;
            return 0;
        };
        std::map<DeviceId, std::string> blocks;
        std::set<NetworkId> fabric;
        s.networks.forEach([&](NetworkId id) {
            if (s.networks.kind[id] == NetworkKind::Backend) fabric.insert(id);
        });
        std::int64_t links = 0;
        for (const auto& p : built.plugs) {
            if (!s.ports.network[p.a] || !fabric.contains(*s.ports.network[p.a])) continue;
            ++links;
            for (const auto& [near, far] : {std::pair(p.a, p.b), std::pair(p.b, p.a)}) {
                const DeviceId there = s.ports.device[far];
                blocks[s.ports.device[near]] += fmt::format("[{}]\t\"S-{}\"[{}]\t\t# \"MF0;{}:X/U1\" lid 1 4xNDR\n", number(near), guid(there),
                                                            number(far), s.devices.name[there]);
            }
        }
        std::string text;
        for (const auto& [device, lines] : blocks)
            text += fmt::format("Switch\t64 \"S-{}\"\t\t# \"MF0;{}:X/U1\" lid 1\n{}\n", guid(device), s.devices.name[device], lines);
        const Comparison c = compareAfter(built, "ibnetdiscover", {{"ib.txt", text, {}}});
        QVERIFY2(c.differences.empty() ||
                     std::ranges::all_of(c.differences, [](const auto& d) { return d.kind == Kind::WrongSpeed || d.kind == Kind::DegradedLanes; }),
                 shown(built, c).c_str());
        std::int64_t seen = 0;
        for (const auto& n : c.networks) seen += n.asDesigned + n.differs;
        QCOMPARE(seen, links);
    }
};

QTEST_APPLESS_MAIN(TestCaptures)
#include "test_captures.moc"

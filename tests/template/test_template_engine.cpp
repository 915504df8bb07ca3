// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <span> in it
#include "tests/template/small_templates.h"
#endif

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <random>

using namespace hw;
using namespace hw::test;

class TestTemplateEngine : public QObject {
    Q_OBJECT
private slots:
    void functions_data()
    {
        QTest::addColumn<std::string>("expression");
        QTest::addColumn<int>("value");
        const auto row = [](const char* text, int value) { QTest::newRow(text) << std::string(text) << value; };
        row("ceil_div(7, 2)", 4);
        row("ceil_div(8, 2)", 4);
        row("grow(3, 64)", 4);
        row("grow(4, 64)", 4);
        row("grow(5, 60)", 5);
        row("grow(7, 60)", 10);
        row("grow(0, 60)", 1);
        row("grow(60, 60)", 60);
        row("pick(0, 5, 7)", 5);
        row("pick(1, 5, 7)", 7);
    }
    void functions()
    {
        QFETCH(std::string, expression);
        QFETCH(int, value);
        const auto s = need("template: t\nvalues: {v: \"" + expression + "\"}\nnetworks: {n: {planes: v}}\n" + kPlaces);
        QCOMPARE(int(s->networks.planes[NetworkId(0)]), value);
    }

    /// grow against a search through all counts.
    void growIsTheSmallestDivisor()
    {
        for (int total : {1, 2, 12, 60, 64, 97, 128})
            for (int n = 1; n <= total; ++n) {
                int expected = n;
                while (total % expected != 0) ++expected;
                const auto s =
                    need("template: t\nnetworks: {n: {planes: \"grow(" + std::to_string(n) + ", " + std::to_string(total) + ")\"}}\n" + kPlaces);
                QCOMPARE(int(s->networks.planes[NetworkId(0)]), expected);
            }
    }

    /// There are no half devices, cages or links; a value that is no count must be whole.
    void countsAreRoundedDown()
    {
        auto yaml = twoTiers(7, 9, 2, "spread: true, count: uplinks / 2");
        yaml.replace(yaml.find("{leaf: leaves}"), 14, "{leaf: leaves / 2}");
        yaml.replace(yaml.find("{cages: 128}"), 12, "{cages: 129 / 2}");
        const auto s = need(yaml);
        QCOMPARE(s->devices.size(), 5u);
        QCOMPARE(s->links.size(), 12u);
        QCOMPARE(s->ports.size(), 3u * 9 + 2u * 64);
        QVERIFY(says(errorOf("template: t\nnetworks: {n: {planes: 7 / 2}}\n" + kPlaces), "not a whole number"));
    }

    void valuesInAnyOrder()
    {
        const auto s = need("template: t\nvalues: {a: b + c, b: 2 * c, c: 5}\nnetworks: {n: {planes: a}}\n" + kPlaces);
        QCOMPARE(int(s->networks.planes[NetworkId(0)]), 15);
    }

    void errors_data()
    {
        QTest::addColumn<std::string>("yaml");
        QTest::addColumn<std::string>("phrase");
        const auto row = [](const char* name, const std::string& yaml, const char* phrase) { QTest::newRow(name) << yaml << std::string(phrase); };
        row("circle of values", "template: t\nvalues: {a: b, b: a}\n", "' depends on itself");
        row("value like a parameter", "template: t\nparameters:\n  a: {default: 1, min: 1, max: 2}\nvalues: {a: 2}\n", "' is already a parameter");
        row("grow past the total", "template: t\nvalues: {a: \"grow(9, 8)\"}\n" + kPlaces, "t.yaml:2: values.a: grow(9, 8)");
        row("pick outside", "template: t\nvalues: {a: \"pick(2, 5, 7)\"}\n" + kPlaces, "pick: index 2 is out of range; number of values");
        row("kind", "template: t\nnetworks:\n  n: {kind: fast}\n", "t.yaml:3: networks.n.kind: unknown keyword 'fast'");
        row("planes", "template: t\nnetworks: {n: {planes: 0}}\n", "planes is 0");
        row("digits", "template: t\nbuildings:\n  b: {name: \"b{=1:999999999}\"}\n", "' is not a valid number of digits");
        row("choices and range", "template: t\nparameters:\n  p: {default: a, choices: [a, b], min: 0}\n",
            "t.yaml:3: parameters.p.min: cannot be combined with 'choices'");
        row("default no choice", "template: t\nparameters:\n  p: {default: c, choices: [a, b]}\n", "'c' is not one of the choices");
        row("choice twice", "template: t\nparameters:\n  p: {default: a, choices: [a, a]}\n", "a name occurs twice");
        row("flag", "template: t\nparameters:\n  p: {default: 2, flag: true}\n", "neither 0 nor 1");
        row("sizing", "template: t\nsizing: {grow: [x]}\n", "t.yaml:2: sizing.grow: unknown parameter 'x'");
        row("addressing", "template: t\naddressing: {loop: 1}\n", "addressing.loop: unknown key");
        row("no mapping", "template: t\nsizing: 5\n", "t.yaml:2: sizing: must be a mapping");
        row("list wanted", "template: t\nconstraints: {a: b}\n", "constraints: must be a list");
        row("message missing", "template: t\nconstraints:\n  - {require: 1}\n", "constraints: 'message' is missing");
        row("nothing to extend", "template: t\nextends: no-such-one\n", "t.yaml:2: extends: template 'no-such-one' not found");
        row("extends a path", "template: t\nextends: ../hpn\n", "must be a template name");
        row("takes away nothing", "template: t\nextends: hpn\ntiers: {nobody: null}\n", "t.yaml:3: tiers.nobody: no such entry to remove");
        row("a deep error of the base", "template: t\nextends: hpn\nvalues: {hosts: none}\n",
            "t.yaml:3: values.hosts: unknown name 'none' in 'none'");
        row("an error in what the base says", "template: t\nextends: hpn\nvalues: {rails: null}\n", "hpn.yaml:");
    }
    void errors()
    {
        QFETCH(std::string, yaml);
        QFETCH(std::string, phrase);
        const auto text = errorOf(yaml);
        QVERIFY2(says(text, phrase), text.c_str());
    }

    void choicesAndFlags()
    {
        const std::string yaml = "template: t\nparameters:\n"
                                 "  switch: {default: large, choices: [small, large, huge], limit: \"what we stock\"}\n"
                                 "  twice: {default: 0, flag: true}\n"
                                 "networks: {n: {planes: \"pick(switch, 3, 5, 7) * (twice + 1)\"}}\n" +
                                 kPlaces;
        const auto planes = [&](const std::map<std::string, std::string>& given) { return int(need(yaml, given)->networks.planes[NetworkId(0)]); };
        QCOMPARE(planes({}), 5);
        QCOMPARE(planes({{"switch", "small"}}), 3);
        QCOMPARE(planes({{"switch", "2"}}), 7);
        QCOMPARE(planes({{"twice", "true"}, {"switch", "huge"}}), 14);
        QCOMPARE(need(yaml, {{"switch", "huge"}})->setting("choice.switch"), std::string("huge"));
        const auto parsed = Template::parse(yaml, "t.yaml");
        for (const char* bad : {"tiny", "3", "-1", "1e18", ""}) {
            const auto result = parsed->complete(std::map<std::string, std::string>{{"switch", bad}});
            QVERIFY2(!result.has_value(), bad);
            QCOMPARE(result.error().code, ErrorCode::Refused);
            QVERIFY2(says(result.error().text(), "small, large, huge"), result.error().text().c_str());
        }
        for (const char* bad : {"2", "maybe"})
            QCOMPARE(parsed->complete(std::map<std::string, std::string>{{"twice", bad}}).error().code, ErrorCode::Refused);
        Document document(need(yaml));
        auto transaction = document.begin("Switch");
        QVERIFY(regenerate(transaction, {{"switch", 0}}, catalog()).has_value());
        transaction.commit();
        QCOMPARE(int(document.snapshot()->networks.planes[NetworkId(0)]), 3);
        QCOMPARE(document.snapshot()->setting("choice.switch"), std::string("small"));
    }

    /// Depth, order and lists of an overlay; the stored text needs no other file.
    void extends()
    {
        QTemporaryDir folder;
        const std::filesystem::path at(folder.path().toStdString());
        std::ofstream(at / "base.yaml")
            << twoTiers(4, 8, 2, "spread: true") +
                   "parameters:\n  x: {default: 1, min: 1, max: 3, label: Old}\nparts: [400g-sr4]\nsettings: {a: one, b: two}\n";
        std::ofstream(at / "middle.yaml")
            << "template: middle\nextends: base\nvalues: {spines: half, half: \"div(leaves, 1)\"}\nsettings: {b: null, c: three}\n";
        std::ofstream(at / "top.yaml") << "template: top\nextends: middle\nparameters: {x: {label: New}}\nvalues: {leaves: 2 * x}\nparts+: "
                                          "[400g-dr4]\nlinks: {up: {spread: null, from_index: spine, to_index: leaf}}\n";
        const auto top = Template::load(at / "top.yaml");
        QVERIFY2(top.has_value(), top ? "" : top.error().text().c_str());
        QCOMPARE(top->name(), std::string("top"));
        QCOMPARE(top->parameters().front().label, std::string("New"));
        QCOMPARE(top->parameters().front().maximum, std::int64_t(3));
        const auto s = instantiate(*top, {{"x", 3}}, catalog());
        QVERIFY2(s.has_value(), s ? "" : s.error().text().c_str());
        QCOMPARE((*s)->devices.size(), 12u); // six leaves, as many spines
        QCOMPARE((*s)->links.size(), 36u);
        QCOMPARE((*s)->setting("a"), std::string("one"));
        QCOMPARE((*s)->setting("b"), std::string());
        QCOMPARE((*s)->setting("c"), std::string("three"));
        std::set<std::string> slugs;
        (*s)->partTypes.forEach([&](PartTypeId id) { slugs.insert((*s)->partTypes.slug[id]); });
        QVERIFY(slugs.contains("400g-sr4") && slugs.contains("400g-dr4"));
        std::filesystem::remove(at / "base.yaml");
        std::filesystem::remove(at / "middle.yaml");
        Document document(*s);
        auto transaction = document.begin("Again");
        const auto again = regenerate(transaction, {}, catalog());
        QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
        QVERIFY(transaction.changesSoFar().empty());
    }

    void extendsInCircles()
    {
        QTemporaryDir folder;
        const std::filesystem::path at(folder.path().toStdString());
        std::ofstream(at / "a.yaml") << "template: a\nextends: b\n";
        std::ofstream(at / "b.yaml") << "template: b\nextends: a\n";
        const auto made = Template::load(at / "a.yaml");
        QVERIFY(!made.has_value() && says(made.error().text(), "circular 'extends' references between templates"));
        std::ofstream(at / "c.yaml") << "template: c\nextends: d\n";
        std::ofstream(at / "d.yaml") << "template: d\nvalues: &a [*a]\n";
        const auto loop = Template::load(at / "c.yaml");
        QVERIFY(!loop.has_value());
        QCOMPARE(loop.error().code, ErrorCode::Unreadable);
    }

    /// `when: 0` leaves a network out with its tiers, port groups and links; port numbers run within a network.
    void networksWithEverythingTheirOwn()
    {
        const std::string yaml =
            "template: t\nparameters: {storage: {default: 1, flag: true}}\n"
            "networks:\n"
            "  back: {label: Back, kind: backend}\n"
            "  store: {label: Store, kind: storage, color: \"#112233\", when: storage}\n"
            "  nv: {kind: scale-up, domain: 72, rate_gbps: 7200}\n" +
            kPlaces +
            "tiers:\n"
            "  server: {kind: server, level: 0, each: {n: 4}, name: \"s{n}\", type: hpn-host-8gpu, rack: k,\n"
            "           ports: {st: {role: host, interfaces: fe, cages: 2, network: store}, host: {interfaces: nic, cages: 16, network: back}}}\n"
            "  tor: {network: back, level: 1, name: tor, type: switch-51t-128x400g, rack: k, ports: {down: {cages: 32, split: 2}}}\n"
            "  leaf: {network: store, level: 1, name: leaf, type: switch-51t-128x400g, rack: k, ports: {down: {cages: 4, split: 2}}}\n"
            "links:\n"
            "  a: {from: server.host, to: tor.down, each: {p: 16}, from_index: p, to_index: n * 16 + p}\n"
            "  b: {from: server.st, to: leaf.down, each: {p: 2}, from_index: p, to_index: n * 2 + p}\n";
        const auto s = need(yaml);
        QCOMPARE(fault(*s), std::string());
        QCOMPARE(s->networks.size(), 3u);
        QVERIFY(s->networks.kind[NetworkId(1)] == NetworkKind::Storage && s->networks.kind[NetworkId(2)] == NetworkKind::ScaleUp);
        QCOMPARE(s->networks.domain[NetworkId(2)], 72);
        QCOMPARE(s->networks.acceleratorRate[NetworkId(2)], Gbps(7200));
        QCOMPARE(s->links.size(), 72u);
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<int>> numbers; // host ports: 0-15 in the one network, 0-1 in the other
        s->ports.forEach([&](PortId p) {
            if (s->ports.role[p] == PortRole::Host) numbers[{s->ports.device[p].value, (*s->ports.network[p]).value}].insert(s->ports.number[p]);
        });
        QCOMPARE(numbers.size(), std::size_t(8));
        for (const auto& [key, set] : numbers) QCOMPARE(*set.rbegin(), key.second == 0 ? 15 : 1);
        s->linkRules.forEach([&](LinkRuleId id) { QVERIFY(s->linkRules.network[id].has_value()); });

        const auto without = need(yaml, {{"storage", "0"}});
        QCOMPARE(without->networks.size(), 2u);
        QCOMPARE(without->devices.size(), 5u);
        QCOMPARE(without->links.size(), 64u);
        QCOMPARE(without->linkRules.size(), 1u);
        // The cages of the servers stay the same: switching the network on later keeps what was made by hand.
        Document document(without);
        auto transaction = document.begin("Storage");
        const auto report = regenerate(transaction, {{"storage", 1}}, catalog());
        QVERIFY(report.has_value() && report->erased == 0);
        transaction.commit();
        QCOMPARE(document.snapshot()->links.size(), 72u);
        QCOMPARE(fault(*document.snapshot()), std::string());
    }

    void portGroups_data()
    {
        QTest::addColumn<std::string>("ports");
        QTest::addColumn<std::string>("phrase");
        const auto row = [](const char* name, const char* ports, const char* phrase) {
            QTest::newRow(name) << std::string(ports) << std::string(phrase);
        };
        row("split", "{down: {cages: 4, split: 3}}", "port1 of switch-51t-128x400g (400G cage) does not support breakout into 3 ports, only into 2");
        row("cages", "{down: {cages: 100}, up: {cages: 29}}",
            "port group 'up' needs interfaces 101 to 129, but switch-51t-128x400g has only 128 (51.2T in total)");
        row("twice", "{down: {cages: 4}, up: {first: 3, cages: 4}}", "' claims port4 of switch-51t-128x400g, which belongs to another group");
        row("prefix", "{down: {interfaces: nic, cages: 1}}", "named 'nic…'");
        row("mixed speeds", "{down: {cages: 129}}", "port group 'down'");
        row("negative", "{down: {cages: 0 - 1}}", "cages is -1");
        row("huge", "{down: {cages: 10^15}}", "cages is 1000000000000000; allowed range: 0 to 4096");
        row("role", "{side: {cages: 1}}", "add 'role: up', or host, down, peer or backup");
    }
    void portGroups()
    {
        QFETCH(std::string, ports);
        QFETCH(std::string, phrase);
        const auto text = errorOf("template: t\nnetworks: {n: {planes: 1}}\n" + kPlaces +
                                  "tiers:\n  tor: {network: n, level: 1, name: tor, type: switch-51t-128x400g, rack: k, ports: " + ports + "}\n");
        QVERIFY2(says(text, phrase), text.c_str());
    }

    /// A ToR over the capacity of its chip: a device whose cages add up to more than the chip switches.
    void chipCapacity()
    {
        auto own = catalog();
        Part part = *own.find("switch-51t-128x400g");
        part.slug = "switch-small-chip";
        std::get<DeviceSpec>(part.spec).switching.value = Gbps(25600);
        own.add(part);
        const auto design = *Template::parse(
            "template: t\nnetworks: {n: {planes: 1}}\n" + kPlaces +
                "tiers:\n  tor: {network: n, level: 1, name: tor, type: switch-small-chip, rack: k, ports: {down: {cages: 40}, up: {cages: 30}}}\n",
            "t.yaml");
        const auto result = instantiate(design, {}, own);
        QVERIFY(!result.has_value());
        QCOMPARE(result.error().code, ErrorCode::Refused);
        QVERIFY2(says(result.error().text(),
                      "total port bandwidth is 28T (down 16T + up 12T), but the switch ASIC of switch-small-chip provides only 25.6T"),
                 result.error().text().c_str());
    }

    /// Every pair of devices gets its share, the rest goes round: no pair differs by more than one link, no leaf
    /// and no spine has more than its share. Numbers against those that arithmetic gives.
    void spreadIsEven()
    {
        for (const int leaves : {1, 2, 3, 5, 8, 13})
            for (const int uplinks : {1, 4, 6, 12})
                for (const int spines : {1, 2, 3, 4, 6, 7, 12, 16}) {
                    if (leaves * ((uplinks + spines - 1) / spines) > 128) continue;
                    const auto s = need(twoTiers(leaves, uplinks, spines, "spread: true"));
                    QCOMPARE(fault(*s), std::string());
                    QCOMPARE(s->links.size(), std::uint32_t(leaves * uplinks));
                    const auto pairs = linksOfPairs(*s);
                    std::map<std::uint32_t, int> ofSpine;
                    int most = 0, least = 1 << 30;
                    for (int leaf = 0; leaf < leaves; ++leaf)
                        for (int spine = 0; spine < spines; ++spine) {
                            const auto found = pairs.find({std::uint32_t(leaf), std::uint32_t(leaves + spine)});
                            const int n = found == pairs.end() ? 0 : found->second;
                            most = std::max(most, n), least = std::min(least, n);
                            ofSpine[std::uint32_t(spine)] += n;
                        }
                    QVERIFY(least == uplinks / spines && most - least == (uplinks % spines != 0));
                    for (const auto& [spine, n] : ofSpine) QVERIFY(n == leaves * uplinks / spines || n == (leaves * uplinks + spines - 1) / spines);
                    QCOMPARE(s->setting("wiring.up.uneven").empty(), uplinks % spines == 0);
                }
        QCOMPARE(need(twoTiers(4, 6, 4, "spread: true"))->setting("wiring.up.uneven"),
                 std::string("each leaf distributes 6 ports across 4 spine: 2 of them get 2, 2 get 1"));
        QCOMPARE(need(twoTiers(4, 8, 4, "spread: true, count: 4"))->links.size(), 16u);
    }

    /// How many ports a leaf deals out may follow from its own place.
    void spreadCountReadsCoordinates()
    {
        const auto s = need(twoTiers(5, 8, 4, "spread: true, count: \"leaf == 0 ? 4 : mod(leaf, 2) == 1 ? 8 : 0\""));
        std::map<std::string, int> links;
        for (const auto id : s->links.ids()) ++links[s->devices.name[s->ports.device[s->links.from[id]]]];
        QCOMPARE(links, (std::map<std::string, int>{{"leaf1", 4}, {"leaf2", 8}, {"leaf4", 8}}));
        QVERIFY2(says(errorOf(twoTiers(5, 8, 4, "spread: true, count: 8 + leaf")), "group 'up' has 8"), "more than there are");
    }

    /// A parameter that evens the wiring out takes the note away.
    void unevenNoteFollowsTheParameters()
    {
        auto yaml = twoTiers(4, 8, 3, "spread: true");
        yaml.replace(yaml.find("spines: 3"), 9, "spines: n");
        Document document(need(yaml + "parameters: {n: {default: 3, min: 1, max: 8}}\n"));
        QVERIFY(!document.snapshot()->setting("wiring.up.uneven").empty());
        auto transaction = document.begin("Even");
        QVERIFY(regenerate(transaction, {{"n", 4}}, catalog()).has_value());
        transaction.commit();
        QVERIFY(document.snapshot()->setting("wiring.up.uneven").empty());
    }

    void spreadRefusals()
    {
        QVERIFY2(says(errorOf(twoTiers(20, 8, 1, "spread: true")), "spine1 has 128 'down' ports, but this rule requires port 129"), "ports");
        QVERIFY2(says(errorOf(twoTiers(2, 8, 1, "spread: true, count: 9")), "group 'up' has 8"), "count");
        QVERIFY2(says(errorOf(twoTiers(2, 8, 1, "spread: true, to_index: 0")), "cannot be combined with 'spread'"), "index");
        QVERIFY2(says(errorOf(twoTiers(2, 8, 1, "count: 3")), "only valid with 'spread'"), "no spread");
        QVERIFY2(says(errorOf(twoTiers(2, 8, 1, "spread: perhaps")), "neither true nor false"), "word");
    }

    void planes_data()
    {
        QTest::addColumn<std::string>("index");
        QTest::addColumn<std::string>("torEach");
        QTest::addColumn<std::string>("uplink");
        QTest::addColumn<std::string>("phrase");
        const auto row = [](const char* name, const char* index, const char* tor, const char* uplink, const char* phrase) {
            QTest::newRow(name) << std::string(index) << std::string(tor) << std::string(uplink) << std::string(phrase);
        };
        row("right", "rail * 2 + plane", "{rail: 8, plane: 2}", "", "no error");
        row("both ports on one plane", "plane * 8 + rail", "{rail: 8, plane: 2}", "",
            "t.yaml:16: links.access: 2 ports of nic1 of s1 connect to 1 of the 2 planes of network 'n'; each "
            "NIC port must connect to a separate plane");
        row("no plane at all", "side * 8 + rail", "{rail: 8, side: 2}", "",
            "network 'n' has 2 planes, but tor1, to which s1 is connected, belongs to none");
        row("crossed uplinks", "rail * 2 + plane", "{rail: 8, plane: 2}", "free: [plane], to_index: rail * 2 + plane, from_index: to.plane",
            "tor1 of plane 1 would be connected to agg2 of plane 2, but the planes of network 'n' must be isolated");
    }
    /// Both ports of a NIC on one plane are not "dual-plane"; a plane never touches another.
    void planes()
    {
        QFETCH(std::string, index);
        QFETCH(std::string, torEach);
        QFETCH(std::string, uplink);
        QFETCH(std::string, phrase);
        std::string yaml =
            "template: t\nnetworks: {n: {planes: 2, rails: 8}}\n" + kPlaces +
            "tiers:\n"
            "  server: {kind: server, level: 0, each: {h: 2}, name: \"s{h}\", type: hpn-host-8gpu, rack: k, ports: {host: {interfaces: nic, cages: "
            "16, network: n}}}\n"
            "  tor: {network: n, level: 1, each: " +
            torEach +
            ", name: \"tor{rail}\", type: switch-51t-128x400g, rack: k, ports: {down: {cages: 4, split: 2}, up: {cages: 2}}}\n"
            "  agg: {network: n, level: 2, each: {plane: 2}, name: \"agg{plane}\", type: switch-51t-128x400g, rack: k, ports: {down: {cages: 16}}}\n"
            "links:\n  access: {from: server.host, to: tor.down, from_index: " +
            index + ", to_index: h}\n";
        if (!uplink.empty()) yaml += "  up: {from: tor.up, to: agg.down, " + uplink + "}\n";
        const auto text = errorOf(yaml);
        QVERIFY2(says(text, phrase), text.c_str());
    }

    void portsOfTwoNetworksAreNotJoined()
    {
        auto yaml = twoTiers(2, 2, 2, "spread: true");
        yaml.replace(yaml.find("  net: {label: Net}"), 19, "  net: {label: Net}\n  other: {label: Other}");
        yaml.replace(yaml.find("spine: {network: net"), 20, "spine: {network: other");
        QVERIFY2(says(errorOf(yaml), "ports of network 'net' would be connected to ports of network 'other'"), errorOf(yaml).c_str());
    }

    void absurdSizes_data()
    {
        QTest::addColumn<std::string>("yaml");
        QTest::addColumn<std::string>("phrase");
        const auto row = [](const char* name, const std::string& yaml, const char* phrase) { QTest::newRow(name) << yaml << std::string(phrase); };
        const std::string head =
            "template: t\nparameters: {n: {default: 1000000000000000000, min: 1, max: 1000000000000000000}}\nnetworks: {w: {planes: 1}}\n" + kPlaces;
        const std::string tier = "type: switch-51t-128x400g, network: w, level: 1, rack: k";
        row("devices", head + "tiers:\n  a: {each: {x: n}, name: \"a{x}\", " + tier + "}\n", "'n' evaluates to 1e+18, which is too large");
        row("fewer devices", head + "tiers:\n  a: {each: {x: 10^12}, name: \"a{x}\", " + tier + "}\n", "limit each set to fewer than");
        row("devices of two coordinates", head + "tiers:\n  a: {each: {x: 3000, y: 3000}, name: \"a{x}-{y}\", " + tier + "}\n",
            "limit each set to fewer than");
        row("more than a design has", head + "tiers:\n  a: {each: {x: 2000, y: 1500}, name: \"a{x}-{y}\", " + tier + "}\n", "devices; stay below");
        row("ports", head + "tiers:\n  a: {each: {x: 200000}, name: \"a{x}\", " + tier + ", ports: {down: {cages: 128}}}\n",
            "the design would have 25600000 ports");
        row("links",
            head + "tiers:\n  a: {each: {x: 10}, name: \"a{x}\", " + tier +
                ", ports: {down: {cages: 4}}}\nlinks:\n  l: {from: a.down, to: a.down, each: {k: 10^9}, when: 0}\n",
            "repetitions are out of range for one link rule");
        row("pairs",
            head + "tiers:\n  a: {each: {x: 9000}, name: \"a{x}\", " + tier +
                ", ports: {down: {cages: 1}}}\n"
                "  b: {each: {y: 9000}, name: \"b{y}\", " +
                tier + ", ports: {down: {cages: 1}}}\nlinks:\n  l: {from: a.down, to: b.down, when: 0}\n",
            "the rules compare more than");
        row("planes", "template: t\nnetworks: {w: {planes: 10^18}}\n", "which is too large");
        row("coordinate", head + "tiers:\n  a: {each: {pod: 40000}, name: \"a{pod}\", " + tier + "}\n", "values, more than a design supports");
    }
    void absurdSizes()
    {
        QFETCH(std::string, yaml);
        QFETCH(std::string, phrase);
        const auto result = made(yaml);
        QVERIFY(!result.has_value());
        QVERIFY2(says(result.error().text(), phrase), result.error().text().c_str());
        QCOMPARE(result.error().code, ErrorCode::Refused);
    }

    /// Texts that are nearly templates: an error, never a crash, and soon.
    void damagedTexts()
    {
        std::ifstream file(HW_RESOURCES "/templates/hpn.yaml", std::ios::binary);
        const std::string good((std::istreambuf_iterator<char>(file)), {});
        std::mt19937 random(5);
        const std::string noise = "{}[]:,&*!|>'\"%@`#-?~\n\t 09azZ\x80";
        for (int i = 0; i < 150; ++i) {
            std::string text = good;
            for (int k = 0; k < 1 + i % 4; ++k) {
                const std::size_t at = random() % text.size();
                switch (random() % 3) {
                case 0: text[at] = noise[random() % noise.size()]; break;
                case 1: text.erase(at, 1 + random() % 40); break;
                default: text.insert(at, text.substr(random() % text.size(), random() % 30));
                }
            }
            const auto parsed = Template::parse(text, "t.yaml");
            if (!parsed) {
                QVERIFY(parsed.error().code == ErrorCode::Unreadable && !parsed.error().where.empty() && !parsed.error().what.empty());
                continue;
            }
            ParameterValues small;
            for (const auto& p : parsed->parameters()) small[p.name] = p.minimum;
            const auto s = instantiate(*parsed, small, catalog());
            if (!s) QVERIFY(s.error().code == ErrorCode::Unreadable || s.error().code == ErrorCode::Refused);
        }
    }
};

QTEST_APPLESS_MAIN(TestTemplateEngine)
#include "test_template_engine.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <span> in it
#include "tests/template/small_templates.h"
#endif

#include <QTest>

using namespace hw;
using namespace hw::test;

/// Which ends a template joins, and where; the shipped ones and those of the documentation.
class TestWiring : public QObject {
    Q_OBJECT
private slots:
    /// The lower end of a link: by the roles of its ports, whatever the levels are; by levels where roles do not tell.
    void lowerEnds_data()
    {
        QTest::addColumn<int>("fromRole");
        QTest::addColumn<int>("fromLevel");
        QTest::addColumn<int>("toRole");
        QTest::addColumn<int>("toLevel");
        QTest::addColumn<int>("lower");
        const auto row = [](const char* name, PortRole a, int la, PortRole b, int lb, LowerEnd lower) {
            QTest::newRow(name) << int(a) << la << int(b) << lb << int(lower);
        };
        row("server and ToR", PortRole::Host, 0, PortRole::Down, 1, LowerEnd::From);
        row("backup host", PortRole::Host, 0, PortRole::Backup, 1, LowerEnd::From);
        row("ToR and server", PortRole::Down, 1, PortRole::Host, 0, LowerEnd::To);
        row("a PDU of level 22 below a management switch", PortRole::Up, 22, PortRole::Down, 1, LowerEnd::From);
        row("a core's management port", PortRole::Down, 1, PortRole::Up, 3, LowerEnd::To);
        row("gateway beside a core", PortRole::Peer, 3, PortRole::Peer, 3, LowerEnd::Neither);
        row("peers of two levels", PortRole::Peer, 2, PortRole::Peer, 1, LowerEnd::To);
        row("up meets up", PortRole::Up, 1, PortRole::Up, 2, LowerEnd::From);
        row("a ring", PortRole::Peer, 1, PortRole::Peer, 1, LowerEnd::Neither);
    }
    void lowerEnds()
    {
        QFETCH(int, fromRole);
        QFETCH(int, fromLevel);
        QFETCH(int, toRole);
        QFETCH(int, toLevel);
        QFETCH(int, lower);
        Snapshot s;
        const auto end = [&](int role, int level) {
            const TierId tier = s.tiers.insert();
            s.tiers.level.set(tier, std::int16_t(level));
            const DeviceId device = s.devices.insert();
            s.devices.tier.set(device, tier);
            const PortId port = s.ports.insert();
            s.ports.device.set(port, device);
            s.ports.role.set(port, PortRole(role));
            return port;
        };
        const PortId from = end(fromRole, fromLevel), to = end(toRole, toLevel);
        QCOMPARE(int(lowerEnd(s, from, to)), lower);
    }

    void sectionsForOthers()
    {
        const auto t = Template::parse(
            "template: t\nparameters:\n  n: {default: 2, min: 1, max: 9}\n  s: {default: b, choices: [a, b]}\n"
            "sizing: {grow: [n], vary: {s: [a, b], n: [1, 3]}, server: hpn-host-8gpu}\n"
            "addressing: {loopback4: 10.1.0.0/16, host_subnet: [pod, rail], networks: {x: {asn: 1-5}}, tiers: {y: {fabric6: \"fd00::/64\"}}}\n" +
                kPlaces,
            "t.yaml");
        QVERIFY2(t.has_value(), t ? "" : t.error().text().c_str());
        const auto& spec = t->spec();
        QVERIFY(spec.sizing.grow == std::vector<std::string>{"n"});
        QCOMPARE(spec.sizing.vary.size(), std::size_t(2));
        QVERIFY(spec.sizing.vary[0].parameter == "s" && (spec.sizing.vary[0].values == std::vector<std::int64_t>{0, 1}));
        QCOMPARE(spec.sizing.fields.at("server").text, std::string("hpn-host-8gpu"));
        const auto s = instantiate(*t, {}, catalog());
        QVERIFY2(s.has_value(), s ? "" : s.error().text().c_str());
        QCOMPARE((*s)->setting("addressing.loopback4"), std::string("10.1.0.0/16"));
        QCOMPARE((*s)->setting("addressing.host_subnet"), std::string("pod rail"));
        QCOMPARE((*s)->setting("addressing.network.x.asn"), std::string("1-5"));
        QCOMPARE((*s)->setting("addressing.tier.y.fabric6"), std::string("fd00::/64"));
    }

    /// A pool changed by hand stays when a parameter changes.
    void poolsByHandStay()
    {
        Document document(
            need("template: t\nparameters: {n: {default: 2, min: 1, max: 9}}\naddressing: {loopback4: 10.1.0.0/16, asn: 1-5}\n" + kPlaces));
        auto transaction = document.begin("By hand");
        transaction->putSetting("addressing.asn", "7-9");
        QVERIFY(regenerate(transaction, {{"n", 3}}, catalog()).has_value());
        transaction.commit();
        QCOMPARE(document.snapshot()->setting("addressing.asn"), std::string("7-9"));
        QCOMPARE(document.snapshot()->setting("addressing.loopback4"), std::string("10.1.0.0/16"));
    }

    /// Every complete template in the README builds as it stands there.
    void readmeExamples()
    {
        std::ifstream readme(HW_RESOURCES "/templates/README.md");
        std::vector<std::string> blocks;
        bool inside = false;
        for (std::string line; std::getline(readme, line);) {
            if (line.starts_with("    template:")) blocks.emplace_back(), inside = true;
            inside = inside && (line.starts_with("    ") || line.empty());
            if (inside && !line.empty()) blocks.back() += line.substr(4) + "\n";
        }
        QVERIFY(blocks.size() >= 2);
        for (const auto& block : blocks) {
            const auto s = made(block);
            QVERIFY2(s.has_value(), s ? "" : (s.error().text() + "\n" + block).c_str());
            QVERIFY((*s)->links.size() > 0);
            QCOMPARE(fault(**s), std::string());
        }
    }

    /// A mapping may read the loops of `each`: every turn has a target of its own.
    void loopsMoveTheTarget()
    {
        const auto looped = need(peers(9, "each: {b: n}, when: b > x, at: {x: b}"));
        const auto free = need(peers(9, "free: [x], when: to.x > x"));
        QCOMPARE(fault(*looped), std::string());
        QCOMPARE(linksOfPairs(*looped).size(), std::size_t(36));
        QCOMPARE(linksOfPairs(*looped), linksOfPairs(*free));
        // Turns that meet at one target are parallel links, told apart by their ordinals.
        const auto twice = need(peers(5, "each: {k: 2, b: n}, when: b > x, at: {x: b}"));
        QCOMPARE(fault(*twice), std::string());
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<int>> ordinals;
        twice->links.forEach([&](LinkId id) {
            ordinals[{twice->ports.device[twice->links.from[id]].value, twice->ports.device[twice->links.to[id]].value}].insert(
                twice->links.ordinal[id]);
        });
        QCOMPARE(ordinals.size(), std::size_t(10));
        for (const auto& [pair, numbers] : ordinals) QCOMPARE(numbers, (std::set<int>{0, 1}));
    }

    /// A target that does not exist matters only where `when` wants the link.
    void whenLeavesOutMissingTargets()
    {
        const auto chain = need(peers(6, "at: {x: x + 1}, when: x + 1 < n"));
        QCOMPARE(fault(*chain), std::string());
        QCOMPARE(linksOfPairs(*chain).size(), std::size_t(5));
        const auto looped = need(peers(6, "each: {k: 3}, at: {x: x + k + 1}, when: x + k + 1 < n"));
        QCOMPARE(linksOfPairs(*looped).size(), std::size_t(5 + 4 + 3));
        const auto shared = need(peers(6, "at: {x: x + 2}, each: {k: 2}, when: \"k == 1 && x < 4\""));
        QCOMPARE(linksOfPairs(*shared).size(), std::size_t(4));
        const auto missing = errorOf(peers(6, "at: {x: x + 1}, when: x > 2"));
        QVERIFY2(says(missing, "connected to a nonexistent 'node': its 'x' would be 6 (counted from 0), but there are only 6"), missing.c_str());
    }

    void wiringErrorsNameBothEnds()
    {
        const auto self = errorOf(peers(4, "free: [x]"));
        QVERIFY2(says(self, "s1 would be connected to itself; exclude that link with 'when'"), self.c_str());
        const auto twice = errorOf(peers(4, "each: {b: n}, when: b > x, at: {x: b}, from_index: b, to_index: 0"));
        QVERIFY2(says(twice, "port 1 of group 'peer' on s3 would be used twice, the second time for link s2 – s3"), twice.c_str());
    }

    void setsAndPortsErrorsTellTheRemedy()
    {
        const auto with = [](const char* from, const char* to) {
            std::string yaml = peers(4, "at: {x: \"mod(x + 1, n)\"}");
            const auto at = yaml.find(from);
            if (at == std::string::npos) qFatal("%s", from);
            return errorOf(yaml.replace(at, std::string(from).size(), to));
        };
        const auto networkless = with("{network: net, ", "{");
        QVERIFY2(says(networkless, "links.mesh: ports 'node.peer' are not assigned to a network; assign a 'network' to the port group or its tier"),
                 networkless.c_str());
        const auto role = with("peer: {cages: 16}", "east: {cages: 16}");
        QVERIFY2(says(role, "ports.east: group 'east' must specify its role; add 'role: up'"), role.c_str());
        const auto wrong = with("peer: {cages: 16}", "peer: {role: east, cages: 16}");
        QVERIFY2(says(wrong, "'east' is not a valid port role"), wrong.c_str());
        const auto part = with("switch-51t-128x400g", "switch-51t-128");
        QVERIFY2(says(part, "part 'switch-51t-128' is not in the catalog; closest matches: switch-51t-128x400g; correct the name"), part.c_str());
    }

    /// docs/examples: two groups share one link, two routers of a group one, and nothing else is joined.
    void exampleDragonfly()
    {
        for (const auto& [groups, routers] : {std::pair(9, 4), {2, 2}, {7, 3}, {33, 2}, {12, 5}}) {
            const auto s = example("dragonfly", {{"groups", std::to_string(groups)}, {"routers", std::to_string(routers)}, {"hosts", "2"}});
            QCOMPARE(fault(*s), std::string());
            std::map<std::pair<int, int>, int> between;
            int inside = 0;
            for (const auto& [pair, n] : linksOfPlaces(*s)) {
                const auto& [a, b] = pair;
                if (a.first != b.first)
                    between[{a.first, b.first}] += n;
                else
                    inside += n == 1 && a.second != b.second ? 1 : 1000000;
            }
            QCOMPARE(inside, groups * routers * (routers - 1) / 2);
            QCOMPARE(int(between.size()), groups * (groups - 1) / 2);
            for (const auto& [pair, n] : between) QCOMPARE(n, 1);
        }
        QCOMPARE(findings(example("dragonfly", {})), std::string());
    }

    /// docs/examples: leaf i meets leaf i one column and one row on, round the ends, and all leaves of its pod.
    void exampleTorus()
    {
        for (const auto& [columns, rows, leaves] : {std::tuple(4, 3, 2), {2, 2, 1}, {2, 5, 3}, {5, 4, 2}}) {
            const int width = 3;
            const auto s = example("torus", {{"columns", std::to_string(columns)},
                                             {"rows", std::to_string(rows)},
                                             {"leaves", std::to_string(leaves)},
                                             {"hosts", "1"},
                                             {"width", "3"}});
            QCOMPARE(fault(*s), std::string());
            std::map<std::pair<Place, Place>, int> expected;
            const auto join = [&](Place a, Place b) { expected[std::minmax(a, b)] += width; };
            for (int x = 0; x < columns; ++x)
                for (int y = 0; y < rows; ++y)
                    for (int i = 0; i < leaves; ++i) {
                        const Place here(y * columns + x, i);
                        join(here, {y * columns + (x + 1) % columns, i});
                        join(here, {(y + 1) % rows * columns + x, i});
                        for (int j = i + 1; j < leaves; ++j) join(here, {here.first, j});
                    }
            QVERIFY(linksOfPlaces(*s) == expected);
        }
        QCOMPARE(findings(example("torus", {})), std::string());
    }

    void shippedTemplates_data()
    {
        QTest::addColumn<std::string>("name");
        const auto all = loadTemplates(HW_RESOURCES "/templates");
        QVERIFY2(all.has_value(), all ? "" : all.error().text().c_str());
        for (const auto& t : *all) QTest::newRow(t.name().c_str()) << t.name();
    }
    /// Random valid parameters: each port used at most once, splits and chips respected, planes apart, names and
    /// numbers unique; what is refused is refused with a reason.
    void shippedTemplates()
    {
        QFETCH(std::string, name);
        const auto t = Template::load(HW_RESOURCES "/templates/" + name + ".yaml");
        QVERIFY2(t.has_value(), t ? "" : t.error().text().c_str());
        std::mt19937 random(7);
        int built = 0;
        for (int round = 0; round < 4; ++round) {
            ParameterValues values;
            for (const auto& p : t->parameters()) {
                const std::int64_t span = p.maximum - p.minimum;
                // First the defaults; then some parameters change, mostly to small values: the large cost time and show nothing else.
                const std::int64_t step = p.choices.empty() && !p.flag ? std::min<std::int64_t>(span, 1 + span / 8) : span;
                const bool stays = round == 0 || random() % 2 == 0;
                values[p.name] = stays ? p.defaultValue : p.minimum + (step > 0 ? std::int64_t(random() % std::uint64_t(step + 1)) : 0);
            }
            const auto s = instantiate(*t, values, catalog());
            if (!s) {
                QVERIFY2(round > 0, s.error().text().c_str());
                QCOMPARE(s.error().code, ErrorCode::Refused);
                QVERIFY(!s.error().what.empty() && !s.error().todo.empty());
                continue;
            }
            ++built;
            std::string text = fault(**s);
            for (const auto& [key, value] : values) text += text.empty() ? "" : " " + key + "=" + std::to_string(value);
            QCOMPARE(text.empty() ? std::string() : name + ": " + text, std::string());
        }
        QVERIFY(built > 0);
        // The text that a project keeps stands alone.
        const auto alone = Template::parse(t->text(), "kept.yaml");
        QVERIFY2(alone.has_value(), alone ? "" : alone.error().text().c_str());
        QCOMPARE(alone->parameters().size(), t->parameters().size());
    }
};

QTEST_APPLESS_MAIN(TestWiring)
#include "test_wiring.moc"

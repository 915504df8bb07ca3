// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/template.h"

#include "core/design/template/expression.h"

#include <QTest>

#include <map>
#include <set>

using namespace hw;

namespace {

const Catalog& catalog()
{
    static const auto loaded = Catalog::load(HW_RESOURCES "/catalog");
    return *loaded;
}

Template shipped(const std::string& name) { return *Template::load(HW_RESOURCES "/templates/" + name + ".yaml"); }

SnapshotPtr design(const std::string& name, const ParameterValues& values = {})
{
    auto made = instantiate(shipped(name), values, catalog());
    if (!made) qFatal("%s", made.error().text().c_str());
    return *made;
}

std::map<std::string, int> linksByRule(const Snapshot& s)
{
    std::map<std::string, int> count;
    s.links.forEach([&](LinkId id) { ++count[s.linkRules.key[*s.links.rule[id]]]; });
    return count;
}

std::map<std::string, int> devicesByTier(const Snapshot& s)
{
    std::map<std::string, int> count;
    s.devices.forEach([&](DeviceId id) { ++count[s.tiers.key[s.devices.tier[id]]]; });
    return count;
}

template <class TableT>
typename TableT::IdType byName(const TableT& table, const std::string& name)
{
    typename TableT::IdType found(0xFFFFFFFFu);
    table.forEach([&](auto id) {
        if (table.name[id] == name) found = id;
    });
    return found;
}

/// A ring of `n` switches: one tier joined to itself by a mapping.
std::string ringTemplate(const std::string& mapping)
{
    return "template: ring\n"
           "parameters:\n  n: {default: 5, min: 3, max: 64}\n"
           "networks:\n  net: {planes: 1}\n"
           "buildings:\n  b: {name: b, size: [9000, 9000, 4000]}\n"
           "halls:\n  h: {in: b, name: h, size: [9000, 9000, 4000]}\n"
           "rows:\n  r: {in: h, name: r}\n"
           "racks:\n  k: {in: r, each: {p: n}, name: \"k{p}\", type: rack-48u-600x1200, along: p * 600}\n"
           "tiers:\n"
           "  node:\n    network: net\n    each: {x: n}\n    name: \"n{x}\"\n    type: switch-51t-128x400g\n    rack: {set: k, at: {p: x}}\n    u: "
           "1\n"
           "    ports: {peer: {cages: 2}}\n"
           "links:\n"
           "  around: {network: net, from: node.peer, to: node.peer, at: {x: \"" +
           mapping + "\"}, from_index: 0, to_index: 1}\n";
}

} // namespace

class TemplateTest : public QObject {
    Q_OBJECT
private slots:
    /// CHECKS P1.
    void dcnPlusCounts()
    {
        const auto s = design("dcn-plus");
        const auto devices = devicesByTier(*s), links = linksByRule(*s);
        QCOMPARE(devices.at("server"), 2048);
        QCOMPARE(devices.at("tor"), 256);
        QCOMPARE(devices.at("agg"), 256);
        QCOMPARE(devices.at("core"), 128);
        QCOMPARE(links.at("access"), 32768);
        QCOMPARE(links.at("tor-agg"), 16384);
        QCOMPARE(links.at("agg-core"), 16384);
    }

    /// CHECKS P2 and P3.
    void hpnCounts_data()
    {
        QTest::addColumn<int>("pods");
        QTest::newRow("one pod") << 1;
        QTest::newRow("seven pods, above 100,000 GPUs") << 7;
        QTest::newRow("eight pods") << 8;
    }
    void hpnCounts()
    {
        QFETCH(int, pods);
        const auto s = design("hpn", {{"pods", pods}});
        const auto devices = devicesByTier(*s), links = linksByRule(*s);
        QCOMPARE(devices.at("server"), 2040 * pods);
        QCOMPARE(devices.at("tor"), 240 * pods);
        QCOMPARE(devices.at("agg"), 120 * pods);
        QCOMPARE(devices.at("core"), 64);
        QCOMPARE(links.at("access"), 30720 * pods);
        QCOMPARE(links.at("access-backup"), 1920 * pods);
        QCOMPARE(links.at("tor-agg"), 14400 * pods);
        QCOMPARE(links.at("agg-core"), 960 * pods);
        std::map<std::uint32_t, int> corePorts;
        s->links.forEach([&](LinkId id) {
            const DeviceId upper = s->ports.device[s->links.to[id]];
            if (s->tiers.key[s->devices.tier[upper]] == "core") ++corePorts[upper.value];
        });
        for (const auto& [core, used] : corePorts) QCOMPARE(used, 15 * pods);
    }

    /// Every ToR has exactly one link to each aggregation switch of its plane and none to the other plane;
    /// the two ports of a NIC are on ToRs of different planes; NIC r is on rail r (CHECKS P2).
    void hpnInvariants()
    {
        const auto s = design("hpn");
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> pairs;
        std::map<std::pair<std::uint32_t, int>, std::set<int>> planesOfNic;
        s->links.forEach([&](LinkId id) {
            const PortId a = s->links.from[id];
            const DeviceId lower = s->ports.device[a], upper = s->ports.device[s->links.to[id]];
            const auto rule = s->linkRules.key[*s->links.rule[id]];
            if (rule == "tor-agg") {
                QCOMPARE(s->devices.plane[lower], s->devices.plane[upper]);
                ++pairs[{lower.value, upper.value}];
            }
            if (rule.starts_with("access")) {
                const int nic = s->ports.number[a] / 2;
                QCOMPARE(int(s->devices.rail[upper]), nic);
                QVERIFY((planesOfNic[{lower.value, nic}].insert(s->devices.plane[upper]).second));
            }
        });
        QCOMPARE(pairs.size(), std::size_t(240 * 60));
        for (const auto& [pair, count] : pairs) QCOMPARE(count, 1);
        QCOMPARE(planesOfNic.size(), std::size_t(2040 * 8));
        for (const auto& [nic, planes] : planesOfNic) QCOMPARE(planes.size(), std::size_t(2));
    }

    /// Two 200G links of one split ToR cage are one Y-cable: 32,640 host links, 16,320 cables (SAMPLES).
    void breakoutsShareACable()
    {
        const auto s = design("hpn");
        std::map<std::uint32_t, int> linksOfCable;
        s->links.forEach([&](LinkId id) {
            if (s->linkRules.key[*s->links.rule[id]].starts_with("access")) ++linksOfCable[(*s->links.cable[id]).value];
        });
        QCOMPARE(linksOfCable.size(), std::size_t(16320));
        for (const auto& [cable, links] : linksOfCable) QCOMPARE(links, 2);
    }

    void namesAndKeysAreUnique()
    {
        for (const auto* name : {"hpn", "dcn-plus"}) {
            const auto s = design(name);
            std::set<std::string> names, keys;
            s->devices.forEach([&](DeviceId id) {
                QVERIFY2(names.insert(s->devices.name[id]).second, s->devices.name[id].c_str());
                QVERIFY(keys.insert(s->devices.key[id]).second);
            });
            s->racks.forEach([&](RackId id) { QVERIFY(names.insert(s->racks.name[id]).second); });
        }
    }

    /// A name stands for one thing, whatever its kind: an edit of "spine" finds the tier and not a tray.
    void namesStandForOneThing()
    {
        static const auto all = loadTemplates(HW_RESOURCES "/templates");
        for (const Template& t : *all) {
            ParameterValues values;
            for (const Parameter& p : t.parameters())
                if (std::set<std::string>{"segments", "last_segments", "pods", "tpu_pods"}.contains(p.name)) values[p.name] = p.minimum;
            const auto made = instantiate(t, *t.complete(values), catalog());
            QVERIFY2(made, made ? "" : made.error().text().c_str());
            std::set<std::string> names;
            (*made)->eachTable([&](const auto& table) {
                if constexpr (requires {
                                  table.name;
                                  table.overridden;
                              })
                    table.forEach([&](auto id) { QVERIFY2(names.insert(table.name[id]).second, (t.name() + ": " + table.name[id]).c_str()); });
            });
        }
    }

    void everyParameterValueBuilds()
    {
        for (int segments = 1; segments <= 15; segments += 7)
            for (int uplinks : {1, 15, 16, 59})
                for (int backup : {0, 3, 8}) {
                    const auto s = design("hpn", {{"segments", segments}, {"tor_uplinks", uplinks}, {"backup_hosts", backup}});
                    QCOMPARE(devicesByTier(*s).at("server"), segments * (128 + backup));
                    QCOMPARE(linksByRule(*s).at("tor-agg"), segments * 16 * uplinks);
                }
        for (int pods = 1; pods <= 32; pods += 10)
            for (int segments = 1; segments <= 4; ++segments)
                QCOMPARE(linksByRule(*design("dcn-plus", {{"pods", pods}, {"segments", segments}})).at("access"), pods * segments * 256);
    }

    void badParameters_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("nine pods") << QByteArray("pods") << QByteArray("9") << int(ErrorCode::Refused) << QByteArray("128 ports");
        QTest::newRow("sixteen segments") << QByteArray("segments") << QByteArray("16") << int(ErrorCode::Refused)
                                          << QByteArray("120 downlink ports");
        QTest::newRow("61 uplinks") << QByteArray("tor_uplinks") << QByteArray("61") << int(ErrorCode::Refused) << QByteArray("60 ports");
        QTest::newRow("zero") << QByteArray("pods") << QByteArray("0") << int(ErrorCode::Refused) << QByteArray("1 to 8");
        QTest::newRow("word") << QByteArray("pods") << QByteArray("two") << int(ErrorCode::Refused) << QByteArray("whole number");
        QTest::newRow("huge") << QByteArray("pods") << QByteArray("99999999999999999999") << int(ErrorCode::Refused) << QByteArray("whole number");
        QTest::newRow("unknown name") << QByteArray("racks") << QByteArray("1") << int(ErrorCode::Usage) << QByteArray("no parameter 'racks'");
    }
    void badParameters()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, value);
        QFETCH(int, code);
        QFETCH(QByteArray, says);
        const auto result = shipped("hpn").complete(std::map<std::string, std::string>{{name.toStdString(), value.toStdString()}});
        QVERIFY(!result.has_value());
        QCOMPARE(int(result.error().code), code);
        QVERIFY2(QByteArray::fromStdString(result.error().text()).contains(says), result.error().text().c_str());
    }

    void tierJoinedToItself()
    {
        const auto made = instantiate(*Template::parse(ringTemplate("mod(x + 1, n)"), "ring.yaml"), {}, catalog());
        QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
        const Snapshot& s = **made;
        QCOMPARE(s.links.size(), 5u);
        s.links.forEach([&](LinkId id) {
            const int a = s.devices.index[s.ports.device[s.links.from[id]]], b = s.devices.index[s.ports.device[s.links.to[id]]];
            QCOMPARE(b, (a + 1) % 5);
        });
    }

    void templateErrorsNameLineAndKey_data()
    {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("unknown key") << QByteArray("template: t\nfoo: 1\n") << QByteArray("t.yaml:2: template.foo");
        QTest::newRow("not yaml") << QByteArray("template: [t\n") << QByteArray("invalid YAML");
        QTest::newRow("no default") << QByteArray("template: t\nparameters:\n  a: {min: 1, max: 2}\n")
                                    << QByteArray("parameters.a: 'default' is missing");
        QTest::newRow("one of nothing") << QByteArray("template: t\nparameters:\n  a: {default: 1, min: 1, max: 2, one: pod}\n")
                                        << QByteArray("parameters.a.one: 'unit' is missing");
        QTest::newRow("range") << QByteArray("template: t\nparameters:\n  a: {default: 5, min: 1, max: 2}\n") << QByteArray("out of order");
        QTest::newRow("unknown variable") << QByteArray("template: t\nvalues:\n  a: b + 1\n")
                                          << QByteArray("t.yaml:3: values.a: unknown name 'b' in 'b + 1'");
        QTest::newRow("syntax") << QByteArray("template: t\nvalues:\n  a: 1 +\n") << QByteArray("' is not a valid expression");
        QTest::newRow("not whole") << QByteArray("template: t\nvalues:\n  a: 7 / 2\n")
                                   << QByteArray("' evaluates to 3.5, which is not a whole number");
        QTest::newRow("division by zero") << QByteArray("template: t\nvalues:\n  a: 7 / 0\n") << QByteArray("' does not evaluate to a finite value");
        QTest::newRow("constraint") << QByteArray("template: t\nvalues:\n  a: 7\nconstraints:\n  - {require: a < 5, message: \"{=a} is too many\"}\n")
                                    << QByteArray("7 is too many (constraint: a < 5)");
        QTest::newRow("mapping outside") << QByteArray(ringTemplate("x + 1").c_str()) << QByteArray("connected to a nonexistent 'node'");
        QTest::newRow("port twice") << QByteArray(ringTemplate("x == 0 ? 1 : 0").c_str()) << QByteArray("would be used twice");
        QTest::newRow("to itself") << QByteArray(ringTemplate("0").c_str()) << QByteArray("n1 would be connected to itself");
    }
    void templateErrorsNameLineAndKey()
    {
        QFETCH(QByteArray, yaml);
        QFETCH(QByteArray, says);
        auto parsed = Template::parse(yaml.toStdString(), "t.yaml");
        const auto made = parsed ? instantiate(*parsed, {}, catalog()) : Result<SnapshotPtr>(tl::unexpected(parsed.error()));
        QVERIFY(!made.has_value());
        QVERIFY2(QByteArray::fromStdString(made.error().text()).contains(says), made.error().text().c_str());
    }

    void cancelLeavesNothing()
    {
        std::stop_source source;
        source.request_stop();
        QCOMPARE(instantiate(shipped("hpn"), {}, catalog(), Progress{source.get_token(), {}}).error().code, ErrorCode::Canceled);
    }

    /// Regenerating with the same parameters changes nothing at all.
    void regenerateSameIsIdentity()
    {
        Document document(design("hpn", {{"segments", 3}}));
        auto tx = document.begin("Regenerate");
        const auto report = regenerate(tx, {}, catalog());
        QVERIFY(report.has_value());
        QCOMPARE(report->inserted, std::size_t(0));
        QCOMPARE(report->erased, std::size_t(0));
        QVERIFY(tx.changesSoFar().empty());
    }

    /// Fewer and again as many segments: the design is what it was; a fresh one has the same content by key.
    void regenerateEqualsFresh()
    {
        Document document(design("hpn", {{"segments", 5}}));
        for (const int segments : {2, 7}) {
            auto tx = document.begin("Segments");
            QVERIFY(regenerate(tx, {{"segments", segments}}, catalog()).has_value());
            tx.commit();
            const Snapshot& s = *document.snapshot();
            const auto fresh = design("hpn", {{"segments", segments}});
            QCOMPARE(linksByRule(s), linksByRule(*fresh));
            QCOMPARE(devicesByTier(s), devicesByTier(*fresh));
            QCOMPARE(s.cables.size(), fresh->cables.size());
            QCOMPARE(s.ports.size(), fresh->ports.size());
            std::map<std::string, std::pair<std::string, int>> a, b;
            const auto collect = [](const Snapshot& t, auto& into) {
                t.devices.forEach([&](DeviceId id) {
                    into[t.devices.key[id]] = {t.devices.rack[id] ? t.racks.key[*t.devices.rack[id]] : "", t.devices.u[id]};
                });
            };
            collect(s, a), collect(*fresh, b);
            QVERIFY(a == b);
            s.links.forEach([&](LinkId id) {
                QVERIFY(s.ports.contains(s.links.from[id]) && s.ports.contains(s.links.to[id]));
                QVERIFY(s.cables.contains(*s.links.cable[id]));
            });
        }
    }

    void editsByHandSurvive()
    {
        Document document(design("hpn", {{"segments", 5}}));
        const auto before = document.snapshot();
        const RowId row = byName(before->rows, "pod1-c02-row1");
        const BuildingId building = before->buildings.ids().front();
        const DeviceId tor = byName(before->devices, "pod1-seg02-tor-rail3-plane1"), doomed = byName(before->devices, "pod1-seg05-host001");
        {
            auto tx = document.begin("By hand");
            tx->rows.x.set(row, Millimeters(123456));
            tx->rows.overridden.set(row, overridden::kPlace);
            tx->devices.name.set(tor, "the-special-one");
            tx->devices.overridden.set(tor, overridden::kName);
            tx->devices.name.set(doomed, "going");
            tx->devices.overridden.set(doomed, overridden::kName);
            tx->buildings.itLimit.set(building, watts(25'000'000));
            tx->buildings.overridden.set(building, overridden::kLimit);
            tx.commit();
        }
        const auto edited = document.snapshot();
        auto tx = document.begin("Segments");
        const auto report = regenerate(tx, {{"segments", 4}}, catalog());
        QVERIFY(report.has_value());
        tx.commit();
        const Snapshot& s = *document.snapshot();
        QCOMPARE(s.rows.x[row], Millimeters(123456));
        QCOMPARE(s.buildings.itLimit[building], watts(25'000'000));
        QCOMPARE(s.devices.name[tor], std::string("the-special-one"));
        QVERIFY(!s.devices.contains(doomed));
        QCOMPARE(report->notKept.size(), std::size_t(1));
        QVERIFY(words(report->notKept.front()).find("going") != std::string::npos);
        QCOMPARE(parametersOf(s).at("segments"), 4);
        QVERIFY(document.undo()); // one step
        QVERIFY(sameContent(*document.snapshot(), *edited));
    }

    void wiringByHandKeepsItsPorts()
    {
        Document document(design("hpn", {{"segments", 2}}));
        const auto s = document.snapshot();
        const auto linkOf = [&](const std::string& host) {
            LinkId found;
            s->links.forEach([&](LinkId id) {
                if (s->devices.name[s->ports.device[s->links.from[id]]] == host && s->ports.number[s->links.from[id]] == 0) found = id;
            });
            return found;
        };
        const LinkId first = linkOf("pod1-seg01-host001"), second = linkOf("pod1-seg01-host002");
        const PortId a = s->links.from[first], b = s->links.to[second];
        auto tx = document.begin("Rewire");
        tx->links.erase(first);
        tx->links.erase(second);
        const LinkId hand = tx->links.insert();
        tx->links.from.set(hand, a), tx->links.to.set(hand, b);
        tx->links.overridden.set(hand, std::uint8_t(overridden::kWiring));
        tx.commit();
        auto again = document.begin("Regenerate");
        const auto report = regenerate(again, {{"segments", 3}}, catalog());
        QVERIFY(report.has_value());
        again.commit();
        std::map<std::uint32_t, int> use;
        const auto after = document.snapshot();
        after->links.forEach([&](LinkId id) { ++use[after->links.from[id].value], ++use[after->links.to[id].value]; });
        for (const auto& [port, count] : use) QCOMPARE(count, 1);
        QVERIFY(after->links.contains(hand));
        QVERIFY(!after->links.contains(first) && !after->links.contains(second));
        QCOMPARE(after->links.size(), design("hpn", {{"segments", 3}})->links.size() - 1); // two disconnected, one made
    }

    /// A link that was disconnected by hand does not come back, though its ports are free.
    void disconnectedStaysSo()
    {
        Document document(design("hpn", {{"segments", 2}}));
        auto tx = document.begin("Disconnect");
        tx->links.erase(LinkId(5));
        tx.commit();
        for (const int segments : {3, 2}) {
            auto again = document.begin("Regenerate");
            QVERIFY(regenerate(again, {{"segments", segments}}, catalog()).has_value());
            again.commit();
            QCOMPARE(document.snapshot()->links.size(), design("hpn", {{"segments", segments}})->links.size() - 1);
        }
    }
};

QTEST_APPLESS_MAIN(TemplateTest)
#include "test_template.moc"

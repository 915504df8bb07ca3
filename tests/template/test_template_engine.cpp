// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <span> in them
#include "core/derive/figures.h"
#include "core/derive/link_sides.h"
#include "core/rules/check.h"
#include "core/template/spec.h"
#include "core/template/template.h"
#endif

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <map>
#include <random>
#include <set>

using namespace hw;

namespace {

const Catalogue& catalogue()
{
    static const auto loaded = Catalogue::load(HW_RESOURCES "/catalogue");
    return *loaded;
}

Result<SnapshotPtr> made(const std::string& yaml, const std::map<std::string, std::string>& given = {})
{
    const auto parsed = Template::parse(yaml, "t.yaml");
    if (!parsed) return tl::unexpected(parsed.error());
    const auto values = parsed->complete(given);
    if (!values) return tl::unexpected(values.error());
    return instantiate(*parsed, *values, catalogue());
}

SnapshotPtr need(const std::string& yaml, const std::map<std::string, std::string>& given = {})
{
    auto result = made(yaml, given);
    if (!result) qFatal("%s", result.error().text().c_str());
    return *result;
}

std::string errorOf(const std::string& yaml, const std::map<std::string, std::string>& given = {})
{
    const auto result = made(yaml, given);
    return result ? std::string("no error") : result.error().text();
}

bool says(const std::string& text, const std::string& phrase) { return text.find(phrase) != std::string::npos; }

/// Places for everything, so that no test waits for a layout.
const std::string kPlaces = "buildings:\n  b: {name: b, size: [9000, 9000, 4000]}\n"
                            "halls:\n  h: {in: b, name: h, size: [9000, 9000, 4000]}\n"
                            "rows:\n  r: {in: h, name: r}\n"
                            "racks:\n  k: {in: r, name: k, type: rack-48u-600x1200}\n";

/// Two tiers of 51.2T switches, `lower` ports up against `upper` switches.
std::string twoTiers(int leaves, int uplinks, int spines, const std::string& rule)
{
    return "template: t\nvalues: {leaves: " + std::to_string(leaves) + ", uplinks: " + std::to_string(uplinks) +
           ", spines: " + std::to_string(spines) + "}\n" + "networks:\n  net: {label: Net}\n" + kPlaces +
           "tiers:\n"
           "  leaf: {network: net, level: 1, each: {leaf: leaves}, name: \"leaf{leaf}\", type: switch-51t-128x400g, rack: k, ports: {up: {cages: "
           "uplinks}}}\n"
           "  spine: {network: net, level: 2, each: {spine: spines}, name: \"spine{spine}\", type: switch-51t-128x400g, rack: k, ports: {down: "
           "{cages: 128}}}\n"
           "links:\n  up: {from: leaf.up, to: spine.down, " +
           rule + "}\n";
}

std::map<std::pair<std::uint32_t, std::uint32_t>, int> linksOfPairs(const Snapshot& s)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> pairs;
    s.links.forEach([&](LinkId id) { ++pairs[{s.ports.device[s.links.from[id]].value, s.ports.device[s.links.to[id]].value}]; });
    return pairs;
}

/// A ring, a mesh or a chain: `n` switches, 16 ports each, and one rule.
std::string peers(int n, const std::string& rule)
{
    return "template: t\nvalues: {n: " + std::to_string(n) + "}\nnetworks:\n  net: {label: Net}\n" + kPlaces +
           "tiers:\n  node: {network: net, level: 1, each: {x: n}, name: \"s{x}\", type: switch-51t-128x400g, rack: k, ports: {peer: {cages: 16}}}\n"
           "links:\n  mesh: {from: node.peer, to: node.peer, " +
           rule + "}\n";
}

/// Links between switches by their coordinates (pod, segment), the lower pair first.
using Place = std::pair<int, int>;
std::map<std::pair<Place, Place>, int> linksOfPlaces(const Snapshot& s)
{
    std::map<std::pair<Place, Place>, int> result;
    const auto place = [&](PortId p) { return Place(s.devices.pod[s.ports.device[p]], s.devices.segment[s.ports.device[p]]); };
    s.links.forEach([&](LinkId id) {
        const PortId a = s.links.from[id], b = s.links.to[id];
        if (s.ports.role[a] == PortRole::Peer) ++result[std::minmax(place(a), place(b))];
    });
    return result;
}

SnapshotPtr example(const char* name, const std::map<std::string, std::string>& given)
{
    const auto design = Template::load(std::string(HW_RESOURCES "/../docs/examples/") + name + ".yaml");
    if (!design) qFatal("%s", design.error().text().c_str());
    const auto values = design->complete(given);
    auto made = values ? instantiate(*design, *values, catalogue()) : Result<SnapshotPtr>(tl::unexpected(values.error()));
    if (!made) qFatal("%s", made.error().text().c_str());
    return *made;
}

/// Errors that the rules find in a design.
std::string findings(const SnapshotPtr& s)
{
    const auto figures = computeFigures(s);
    if (!figures) return figures.error().text();
    const auto checked = check(**figures);
    if (!checked) return checked.error().text();
    std::string text;
    for (const auto& finding : checked->findings)
        if (finding.severity == Severity::Error && !finding.waived) text += finding.rule + " " + words(finding.message) + "\n";
    return text;
}

/// What every generated design must keep; empty when it does.
std::string fault(const Snapshot& s)
{
    std::vector<int> uses(s.ports.nextId(), 0);
    std::string found;
    const auto say = [&](const std::string& text) {
        if (found.empty()) found = text;
    };
    s.links.forEach([&](LinkId id) {
        const PortId a = s.links.from[id], b = s.links.to[id];
        if (++uses[a.value] > 1 || ++uses[b.value] > 1) say("a port is used twice");
        if (s.ports.rate[a] != s.ports.rate[b]) say("rates differ");
        if (s.ports.medium[a] != s.ports.medium[b]) say("media differ");
        if (!(s.ports.network[a] == s.ports.network[b])) say("a link joins two networks");
        if (!s.links.cable[id]) say("a link has no cable");
        const auto network = s.ports.network[a];
        const int pa = s.devices.plane[s.ports.device[a]], pb = s.devices.plane[s.ports.device[b]];
        if (network && s.networks.planes[*network] > 1 && pa >= 0 && pb >= 0 && pa != pb) say("a link joins two planes");
    });
    std::map<std::uint32_t, std::shared_ptr<const DeviceSpec>> specs;
    s.partTypes.forEach([&](PartTypeId id) {
        const auto* part = catalogue().find(s.partTypes.slug[id]);
        if (const auto* device = part ? std::get_if<DeviceSpec>(&part->spec) : nullptr) specs[id.value] = std::make_shared<DeviceSpec>(*device);
    });
    std::set<std::pair<std::uint32_t, int>> sockets;
    std::vector<std::int64_t> gbps(s.cages.nextId(), 0), chip(s.devices.nextId(), 0);
    s.ports.forEach([&](PortId id) {
        gbps[s.ports.cage[id].value] += s.ports.rate[id].count();
        if (s.ports.lane[id] >= s.cages.split[s.ports.cage[id]]) say("a lane past its cage");
    });
    s.cages.forEach([&](CageId id) {
        const DeviceId device = s.cages.device[id];
        if (!sockets.insert({device.value, s.cages.number[id]}).second) say("a cage stands there twice");
        const auto& interfaces = specs[s.devices.type[device].value]->interfaces;
        if (gbps[id.value] == 0) return; // power
        if (s.cages.number[id] >= interfaces.size()) return say("a cage that the device does not have");
        const auto& interface = interfaces[s.cages.number[id]];
        if (gbps[id.value] > interface.rate.count()) say("ports faster than their cage");
        if (s.cages.split[id] > 1 && std::find(interface.splits.begin(), interface.splits.end(), int(s.cages.split[id])) == interface.splits.end())
            say("a split that the device has not");
        if (!interface.management) chip[device.value] += gbps[id.value];
    });
    std::set<std::string> names;
    s.devices.forEach([&](DeviceId id) {
        const auto most = specs[s.devices.type[id].value]->switching.value.count();
        if (most > 0 && chip[id.value] > most) say("more than the chip switches");
        if (!names.insert(s.devices.name[id]).second) say("two devices called " + s.devices.name[id]);
    });
    // Numbers run from 0 within device, role, network and medium.
    std::map<std::tuple<std::uint32_t, PortRole, std::uint32_t, Medium>, std::set<int>> numbers;
    s.ports.forEach([&](PortId id) {
        const auto network = s.ports.network[id];
        if (!numbers[{s.ports.device[id].value, s.ports.role[id], network ? (*network).value : 0xFFFFFFFFu, s.ports.medium[id]}]
                 .insert(s.ports.number[id])
                 .second)
            say("a port number stands there twice");
    });
    for (const auto& [key, set] : numbers)
        if (*set.begin() != 0 || *set.rbegin() != int(set.size()) - 1) say("port numbers have gaps");
    return found;
}

} // namespace

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
        row("circle of values", "template: t\nvalues: {a: b, b: a}\n", "needs itself");
        row("value like a parameter", "template: t\nparameters:\n  a: {default: 1, min: 1, max: 2}\nvalues: {a: 2}\n", "is a parameter already");
        row("grow past the total", "template: t\nvalues: {a: \"grow(9, 8)\"}\n" + kPlaces, "t.yaml:2: values.a: grow(9, 8)");
        row("pick outside", "template: t\nvalues: {a: \"pick(2, 5, 7)\"}\n" + kPlaces, "there is no value 2");
        row("kind", "template: t\nnetworks:\n  n: {kind: fast}\n", "t.yaml:3: networks.n.kind: 'fast' is not known here");
        row("planes", "template: t\nnetworks: {n: {planes: 0}}\n", "planes is 0");
        row("digits", "template: t\nbuildings:\n  b: {name: \"b{=1:999999999}\"}\n", "not a number of digits");
        row("choices and range", "template: t\nparameters:\n  p: {default: a, choices: [a, b], min: 0}\n",
            "t.yaml:3: parameters.p.min: does not go with 'choices'");
        row("default no choice", "template: t\nparameters:\n  p: {default: c, choices: [a, b]}\n", "'c' is not one of the choices");
        row("choice twice", "template: t\nparameters:\n  p: {default: a, choices: [a, a]}\n", "stands there twice");
        row("flag", "template: t\nparameters:\n  p: {default: 2, flag: true}\n", "neither 0 nor 1");
        row("sizing", "template: t\nsizing: {grow: [x]}\n", "t.yaml:2: sizing.grow: no parameter is called 'x'");
        row("addressing", "template: t\naddressing: {loop: 1}\n", "addressing.loop: unknown key");
        row("no mapping", "template: t\nsizing: 5\n", "t.yaml:2: sizing: must be a mapping");
        row("list wanted", "template: t\nconstraints: {a: b}\n", "constraints: must be a list");
        row("message missing", "template: t\nconstraints:\n  - {require: 1}\n", "'message' is missing");
        row("nothing to extend", "template: t\nextends: no-such-one\n", "t.yaml:2: extends: there is no template 'no-such-one'");
        row("extends a path", "template: t\nextends: ../hpn\n", "must be the name of a template");
        row("takes away nothing", "template: t\nextends: hpn\ntiers: {nobody: null}\n",
            "t.yaml:3: tiers.nobody: there is no such entry to take away");
        row("a deep error of the base", "template: t\nextends: hpn\nvalues: {hosts: none}\n",
            "t.yaml:3: values.hosts: 'none' uses the unknown name 'none'");
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
        QVERIFY(regenerate(transaction, {{"switch", 0}}, catalogue()).has_value());
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
        const auto s = instantiate(*top, {{"x", 3}}, catalogue());
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
        const auto again = regenerate(transaction, {}, catalogue());
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
        QVERIFY(!made.has_value() && says(made.error().text(), "without end"));
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
        const auto report = regenerate(transaction, {{"storage", 1}}, catalogue());
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
        row("split", "{down: {cages: 4, split: 3}}", "switch-51t-128x400g, a 400G cage, cannot be split into 3 ports, but into 2");
        row("cages", "{down: {cages: 100}, up: {cages: 29}}",
            "port group 'up' needs interfaces 101 to 129, and switch-51t-128x400g has 128 of 51.2T in all");
        row("twice", "{down: {cages: 4}, up: {first: 3, cages: 4}}", "wants port4 of switch-51t-128x400g, which another group has");
        row("prefix", "{down: {interfaces: nic, cages: 1}}", "called 'nic…'");
        row("mixed speeds", "{down: {cages: 129}}", "port group 'down'");
        row("negative", "{down: {cages: 0 - 1}}", "cages is -1");
        row("huge", "{down: {cages: 10^15}}", "can be");
        row("role", "{side: {cages: 1}}", "add 'role: up', or host, down, peer, backup");
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
        auto own = catalogue();
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
        QVERIFY2(says(result.error().text(), "its ports add up to 28T (down 16T + up 12T), and the switch chip of switch-small-chip has 25.6T"),
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
                 std::string("each leaf deals 6 ports over 4 spine: 2 of them get 2, 2 get 1"));
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
        QVERIFY(regenerate(transaction, {{"n", 4}}, catalogue()).has_value());
        transaction.commit();
        QVERIFY(document.snapshot()->setting("wiring.up.uneven").empty());
    }

    void spreadRefusals()
    {
        QVERIFY2(says(errorOf(twoTiers(20, 8, 1, "spread: true")), "spine1 has 128 'down' ports, and this rule needs number 129"), "ports");
        QVERIFY2(says(errorOf(twoTiers(2, 8, 1, "spread: true, count: 9")), "group 'up' has 8"), "count");
        QVERIFY2(says(errorOf(twoTiers(2, 8, 1, "spread: true, to_index: 0")), "does not go with 'spread'"), "index");
        QVERIFY2(says(errorOf(twoTiers(2, 8, 1, "count: 3")), "is for 'spread' only"), "no spread");
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
            "t.yaml:16: links.access: 2 ports of nic1 of s1 end on 1 of the 2 planes of network 'n'; each port of a NIC must have a plane of its "
            "own");
        row("no plane at all", "side * 8 + rail", "{rail: 8, side: 2}", "", "network 'n' has 2 planes, and tor1, where s1 attaches, is in none");
        row("crossed uplinks", "rail * 2 + plane", "{rail: 8, plane: 2}", "free: [plane], to_index: rail * 2 + plane, from_index: to.plane",
            "planes of network 'n' never touch");
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
        QVERIFY2(says(errorOf(yaml), "ports of network 'net' would be joined to ports of network 'other'"), errorOf(yaml).c_str());
    }

    void absurdSizes_data()
    {
        QTest::addColumn<std::string>("yaml");
        QTest::addColumn<std::string>("phrase");
        const auto row = [](const char* name, const std::string& yaml, const char* phrase) { QTest::newRow(name) << yaml << std::string(phrase); };
        const std::string head =
            "template: t\nparameters: {n: {default: 1000000000000000000, min: 1, max: 1000000000000000000}}\nnetworks: {w: {planes: 1}}\n" + kPlaces;
        const std::string tier = "type: switch-51t-128x400g, network: w, level: 1, rack: k";
        row("devices", head + "tiers:\n  a: {each: {x: n}, name: \"a{x}\", " + tier + "}\n", "'n' is 1e+18 here, more than can be counted");
        row("fewer devices", head + "tiers:\n  a: {each: {x: 10^12}, name: \"a{x}\", " + tier + "}\n", "keep a set below");
        row("devices of two coordinates", head + "tiers:\n  a: {each: {x: 3000, y: 3000}, name: \"a{x}-{y}\", " + tier + "}\n", "keep a set below");
        row("more than a design has", head + "tiers:\n  a: {each: {x: 2000, y: 1500}, name: \"a{x}-{y}\", " + tier + "}\n", "devices; stay below");
        row("ports", head + "tiers:\n  a: {each: {x: 200000}, name: \"a{x}\", " + tier + ", ports: {down: {cages: 128}}}\n",
            "the design would have 25600000 ports");
        row("links",
            head + "tiers:\n  a: {each: {x: 10}, name: \"a{x}\", " + tier +
                ", ports: {down: {cages: 4}}}\nlinks:\n  l: {from: a.down, to: a.down, each: {k: 10^9}, when: 0}\n",
            "are too many for one link rule");
        row("pairs",
            head + "tiers:\n  a: {each: {x: 9000}, name: \"a{x}\", " + tier +
                ", ports: {down: {cages: 1}}}\n"
                "  b: {each: {y: 9000}, name: \"b{y}\", " +
                tier + ", ports: {down: {cages: 1}}}\nlinks:\n  l: {from: a.down, to: b.down, when: 0}\n",
            "pairs of devices");
        row("planes", "template: t\nnetworks: {w: {planes: 10^18}}\n", "more than can be counted");
        row("coordinate", head + "tiers:\n  a: {each: {pod: 40000}, name: \"a{pod}\", " + tier + "}\n", "more than a design can tell apart");
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
            const auto s = instantiate(*parsed, small, catalogue());
            if (!s) QVERIFY(s.error().code == ErrorCode::Unreadable || s.error().code == ErrorCode::Refused);
        }
    }

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
        const auto s = instantiate(*t, {}, catalogue());
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
        QVERIFY(regenerate(transaction, {{"n", 3}}, catalogue()).has_value());
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
        QVERIFY2(says(missing, "does not exist: its 'x' would be 6, counted from 0, and there are 6"), missing.c_str());
    }

    void wiringErrorsNameBothEnds()
    {
        const auto self = errorOf(peers(4, "free: [x]"));
        QVERIFY2(says(self, "s1 would be joined to itself; leave that link out with 'when'"), self.c_str());
        const auto twice = errorOf(peers(4, "each: {b: n}, when: b > x, at: {x: b}, from_index: b, to_index: 0"));
        QVERIFY2(says(twice, "port 1 of group 'peer' of s3 would be used twice, the second time from s2 to s3"), twice.c_str());
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
        QVERIFY2(says(networkless, "links.mesh: the ports 'node.peer' belong to no network; give the port group or its tier a 'network'"),
                 networkless.c_str());
        const auto role = with("peer: {cages: 16}", "east: {cages: 16}");
        QVERIFY2(says(role, "ports.east: a group called 'east' must say its role; add 'role: up'"), role.c_str());
        const auto wrong = with("peer: {cages: 16}", "peer: {role: east, cages: 16}");
        QVERIFY2(says(wrong, "'east' is no role of ports"), wrong.c_str());
        const auto part = with("switch-51t-128x400g", "switch-51t-128");
        QVERIFY2(says(part, "no part 'switch-51t-128'; close to it is switch-51t-128x400g; correct the name"), part.c_str());
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
            const auto s = instantiate(*t, values, catalogue());
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

QTEST_APPLESS_MAIN(TestTemplateEngine)
#include "test_template_engine.moc"

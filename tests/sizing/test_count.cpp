// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/count/count.h"

#include "core/foundation/model/snapshot.h"
#include "core/foundation/model/tables.h"

#include <QElapsedTimer>
#include <QTest>

#include <cmath>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include <fmt/format.h>

using namespace hw;

namespace {

const Catalog& catalog()
{
    static const auto loaded = Catalog::load(HW_RESOURCES "/catalog");
    return *loaded;
}

const std::vector<Template>& shipped()
{
    static const auto loaded = loadTemplates(HW_RESOURCES "/templates");
    if (!loaded) qFatal("%s", loaded.error().text().c_str());
    return *loaded;
}

/// Everything that is compared, as lines "what: how many".
using Lines = std::map<std::string, std::int64_t>;

const char* roleText(DeviceRole role) { return role == DeviceRole::Active ? "active" : role == DeviceRole::Backup ? "backup" : "support"; }

/// The automatic layout adds power and cooling equipment of its own, which is not counted.
bool counted(const TemplateCount& count, const TemplateCount::Tier& tier)
{
    return !count.laidOut || (tier.kind != TierKind::Power && tier.kind != TierKind::Cooling);
}

void countLinks(const Snapshot& s, const TemplateCount& like, Lines& lines)
{
    std::map<std::string, bool> rules;
    for (const auto& rule : like.rules)
        if (!like.laidOut || rule.medium == Medium::Data) rules[rule.name] = true;
    s.links.forEach([&](LinkId id) {
        const auto& rule = s.linkRules.key[*s.links.rule[id]];
        if (rules.contains(rule)) ++lines[fmt::format("links {} {}", rule, s.links.role[id] == LinkRole::Backup ? "backup" : "active")];
    });
}

void countPorts(const Snapshot& s, const std::map<std::string, bool>& tiers, Lines& lines)
{
    std::vector<char> linked(s.ports.nextId(), 0);
    s.links.forEach([&](LinkId id) { linked[s.links.from[id].value] = linked[s.links.to[id].value] = 1; });
    s.ports.forEach([&](PortId id) {
        const auto& tier = s.tiers.key[s.devices.tier[s.ports.device[id]]];
        if (!tiers.contains(tier) || s.ports.medium[id] != Medium::Data)
            return; // the engine's: it brings the power and the water that the design lacks
        const auto key = fmt::format("ports {} {} {} {} {}", tier, int(s.ports.role[id]), s.ports.rate[id].count(), int(s.ports.medium[id]),
                                     s.ports.network[id] ? s.networks.key[*s.ports.network[id]] : "");
        ++lines[key];
        lines[key + " used"] += linked[id.value];
    });
}

/// Sockets that hold a module or an end of a cable: two ports of a twin-port socket are one.
std::int64_t socketsUsed(const Snapshot& s)
{
    std::set<std::pair<DeviceId, std::uint16_t>> used;
    s.links.forEach([&](LinkId id) {
        for (const PortId port : {s.links.from[id], s.links.to[id]}) {
            if (s.ports.medium[port] != Medium::Data) continue;
            const DeviceId device = s.ports.device[port];
            const auto& spec = std::get<DeviceSpec>(catalog().find(s.partTypes.slug[s.devices.type[device]])->spec);
            used.emplace(device, spec.interfaces.at(s.cages.number[s.ports.cage[port]]).socket);
        }
    });
    return std::int64_t(used.size());
}

Lines linesOf(const Snapshot& s, const TemplateCount& like)
{
    Lines lines;
    std::map<std::string, bool> tiers;
    for (const auto& tier : like.tiers)
        if (counted(like, tier)) tiers[tier.name] = true;
    s.devices.forEach([&](DeviceId id) {
        const auto& tier = s.tiers.key[s.devices.tier[id]];
        if (tiers.contains(tier)) ++lines[fmt::format("devices {} {} {}", tier, s.partTypes.slug[s.devices.type[id]], roleText(s.devices.role[id]))];
    });
    countLinks(s, like, lines);
    countPorts(s, tiers, lines);
    s.cables.forEach([&](CableId id) { lines["data cables"] += s.cables.medium[id] == Medium::Data; });
    lines["sockets"] = socketsUsed(s);
    if (like.laidOut) return lines;
    std::map<std::string, std::int64_t> trayMm;
    s.racks.forEach([&](RackId id) { ++lines["racks " + s.partTypes.slug[s.racks.type[id]]]; });
    s.trays.forEach([&](TrayId id) {
        const auto& t = s.trays;
        if (t.key[id].starts_with("tray.plant/")) return; // the engine's, as what it feeds with
        const double square = std::pow(t.x2[id].count() - t.x1[id].count(), 2) + std::pow(t.y2[id].count() - t.y1[id].count(), 2) +
                              std::pow(t.z2[id].count() - t.z1[id].count(), 2);
        trayMm[s.partTypes.slug[t.type[id]]] += std::llround(std::sqrt(square)) * t.count[id];
    });
    for (const auto& [type, mm] : trayMm) lines["tray meters " + type] = (mm + 999) / 1000;
    s.buildings.forEach([&](BuildingId id) {
        if (s.buildings.kind[id] != BuildingKind::Pod) return;
        ++lines["pod buildings"];
        lines["pod limit"] += s.buildings.itLimit[id].count();
    });
    return lines;
}

Lines linesOf(const TemplateCount& count)
{
    Lines lines;
    for (const auto& tier : count.tiers) {
        if (!counted(count, tier)) continue;
        for (const auto& devices : tier.devices)
            lines[fmt::format("devices {} {} {}", tier.name, devices.type, roleText(devices.role))] += devices.count;
        for (const auto& ports : tier.ports) {
            if (ports.total == 0 || ports.medium != Medium::Data) continue;
            const auto key = fmt::format("ports {} {} {} {} {}", tier.name, int(ports.role), ports.rate.count(), int(ports.medium), ports.network);
            lines[key] += ports.total;
            lines[key + " used"] += ports.used;
        }
    }
    for (const auto& rule : count.rules)
        if (rule.links && (!count.laidOut || rule.medium == Medium::Data))
            lines[fmt::format("links {} {}", rule.name, rule.role == LinkRole::Backup ? "backup" : "active")] += rule.links;
    lines["data cables"] = count.dataCables();
    for (const auto& rule : count.rules)
        if (rule.medium == Medium::Data) lines["sockets"] += rule.fromSockets + rule.toSockets;
    if (count.laidOut) return lines;
    for (const auto& [type, n] : count.racks) lines["racks " + type] = n;
    for (const auto& [type, n] : count.traysM) lines["tray meters " + type] = n;
    if (count.podBuildings) lines["pod buildings"] = count.podBuildings, lines["pod limit"] = count.podLimit.count();
    return lines;
}

/// The first difference, for the message.
QByteArray difference(const Lines& counted, const Lines& made)
{
    for (const auto& [key, n] : made)
        if (const auto found = counted.find(key); (found == counted.end() ? 0 : found->second) != n)
            return QByteArray::fromStdString(fmt::format("{}: {} counted, {} made", key, found == counted.end() ? 0 : found->second, n));
    for (const auto& [key, n] : counted)
        if (n != 0 && !made.contains(key)) return QByteArray::fromStdString(fmt::format("{}: {} counted, none made", key, n));
    return {};
}

/// Random values; numbers mostly in the lower part of their range, so that designs stay small.
ParameterValues randomValues(const Template& design, std::mt19937& random)
{
    ParameterValues values;
    for (const auto& p : design.parameters()) {
        const std::int64_t span = p.maximum - p.minimum;
        const bool choice = !p.choices.empty() || p.flag || span < 4;
        const double at = std::uniform_real_distribution<>(0, 1)(random);
        values[p.name] = p.minimum + std::int64_t(std::floor((choice ? at : at * at) * double(span) + 0.999 * (choice && at > 0.5)));
        values[p.name] = std::clamp(values[p.name], p.minimum, p.maximum);
    }
    return values;
}

std::string textOf(const ParameterValues& values)
{
    std::string text;
    for (const auto& [name, value] : values) text += fmt::format(" {}={}", name, value);
    return text;
}

} // namespace

class CountTest : public QObject {
    Q_OBJECT
private slots:
    void equalsInstantiate_data()
    {
        QTest::addColumn<int>("number");
        for (std::size_t i = 0; i < shipped().size(); ++i) QTest::newRow(shipped()[i].name().c_str()) << int(i);
    }

    /// The defaults and random parameters of every shipped template: the same counts, the same refusals.
    void equalsInstantiate()
    {
        QFETCH(int, number);
        const Template& design = shipped()[std::size_t(number)];
        auto counter = TemplateCounter::bind(design, catalog());
        QVERIFY2(counter.has_value(), counter ? "" : counter.error().text().c_str());
        std::mt19937 random(1234u + unsigned(number));
        int compared = 0, refused = 0;
        QElapsedTimer timer;
        timer.start();
        for (int round = 0; round < 60 && compared < 5 && (compared == 0 || timer.elapsed() < 400); ++round) {
            const auto values = *design.complete(round == 0 ? ParameterValues{} : randomValues(design, random));
            const auto counted = counter->count(values);
            if (counted && counted->activeAccelerators > (round == 0 ? 20'000 : 9'000)) continue; // large ones take seconds to make
            const auto made = instantiate(design, values, catalog());
            if (!made) {
                ++refused;
                QVERIFY2(!counted.has_value(), (textOf(values) + ": " + made.error().text()).c_str());
                continue;
            }
            QVERIFY2(counted.has_value(), (textOf(values) + ": " + (counted ? "" : counted.error().text())).c_str());
            const auto wrong = difference(linesOf(*counted), linesOf(**made, *counted));
            QVERIFY2(wrong.isEmpty(), (textOf(values) + ": " + wrong.toStdString()).c_str());
            ++compared;
        }
        QVERIFY2(compared > 0, "nothing was compared");
    }

    /// A number of accelerators alone is that of the whole count.
    void acceleratorsAlone()
    {
        for (const auto& design : shipped()) {
            auto counter = TemplateCounter::bind(design, catalog());
            QVERIFY2(counter.has_value(), design.name().c_str());
            const auto values = *design.complete(ParameterValues{});
            const auto counted = counter->count(values);
            const auto alone = counter->accelerators(values);
            QVERIFY2(counted.has_value() && alone.has_value(), design.name().c_str());
            QCOMPARE(*alone, counted->activeAccelerators);
        }
    }

    /// Wiring that the shortcuts do not cover is walked: both ends broken out, rules that share a port
    /// group, ports that are taken in order, uneven spreading.
    void irregularWiring_data()
    {
        QTest::addColumn<QByteArray>("links");
        QTest::newRow("both ends split, numbered") << QByteArray("  a: {from: low.up, to: high.down, from_index: y, to_index: x}\n");
        QTest::newRow("both ends split, in order") << QByteArray("  a: {from: low.up, to: high.down}\n");
        QTest::newRow("several rules on one group")
            << QByteArray("  a: {from: low.up, to: high.down, when: \"x < 3\"}\n  b: {from: low.up, to: high.down, when: \"x >= 3\"}\n");
        QTest::newRow("parallel links") << QByteArray(
            "  a: {from: low.up, to: high.down, each: {k: 2}, from_index: y * 2 + k, to_index: x * 2 + k}\n");
        QTest::newRow("some left out") << QByteArray("  a: {from: low.up, to: high.down, when: \"mod(x + y, 3) > 0\"}\n");
        QTest::newRow("spread evenly") << QByteArray("  a: {from: low.up, to: high.down, spread: true, count: 8}\n");
        QTest::newRow("spread unevenly") << QByteArray("  a: {from: low.up, to: high.down, spread: true, count: 7}\n");
        QTest::newRow("spread by coordinates") << QByteArray("  a: {from: low.up, to: high.down, spread: true, count: \"x == 0 ? 3 : 8\"}\n");
        QTest::newRow("spread by coordinates, none of some")
            << QByteArray("  a: {from: low.up, to: high.down, spread: true, count: \"mod(x, 3) * 2 + p\", when: \"x != 1\"}\n");
        QTest::newRow("spread unevenly over some") << QByteArray(
            "  a: {from: low.up, to: high.down, spread: true, count: 7, when: \"mod(x + y, 2) == 0 && x != 1\"}\n");
        QTest::newRow("a mapping by loops") << QByteArray("  a: {from: low.up, to: high.down, each: {k: 2}, at: {y: \"mod(x + k, 3)\"}}\n");
        QTest::newRow("a mapping by loops, numbered")
            << QByteArray("  a: {from: low.up, to: high.down, each: {k: 3}, at: {y: \"mod(x + k, 3)\"}, from_index: k, to_index: x}\n");
        QTest::newRow("a mesh") << QByteArray(
            "  a: {from: low.up, to: low.down, each: {b: n}, when: b > x, at: {x: b}, from_index: b - x - 1, to_index: b - x - 1}\n");
        QTest::newRow("a chain: no target past its end") << QByteArray("  a: {from: low.up, to: low.down, at: {x: x + 1}, when: x + 1 < n}\n");
        QTest::newRow("steps along a chain") << QByteArray(
            "  a: {from: low.up, to: low.down, each: {k: 3}, at: {x: x + k + 1}, when: x + k + 1 < n, from_index: k, to_index: k}\n");
        QTest::newRow("a ring") << QByteArray("  a: {from: low.up, to: low.down, at: {x: \"mod(x + 1, n)\"}, from_index: 0, to_index: 0}\n");
    }

    void irregularWiring()
    {
        QFETCH(QByteArray, links);
        for (const auto* type : {"switch-51t-128x400g", "switch-ib-ndr-64x400g"})
            for (const int split : {1, 2})
                for (const int n : {3, 5, 8}) {
                    const auto text =
                        fmt::format("template: t\nparameters:\n  n: {{default: {}, min: 1, max: 64}}\nnetworks:\n  net: {{planes: 1}}\n"
                                    "tiers:\n"
                                    "  low: {{network: net, level: 1, each: {{p: 2, x: n}}, name: \"l{{p}}-{{x}}\", type: {}, ports: {{up: {{cages: "
                                    "9, split: {}}}, down: {{cages: 9, split: {}}}}}}}\n"
                                    "  high: {{network: net, level: 2, each: {{p: 2, y: 4}}, name: \"h{{p}}-{{y}}\", type: {}, when: \"p == 0 || y < "
                                    "3\", ports: {{down: {{cages: 32, split: {}}}}}}}\n"
                                    "links:\n{}",
                                    n, type, split, split, type, split, links.toStdString()); // odd groups: a twin-port socket has a port in each
                    const auto design = Template::parse(text, "t.yaml");
                    QVERIFY2(design.has_value(), design ? "" : design.error().text().c_str());
                    auto counter = TemplateCounter::bind(*design, catalog());
                    QVERIFY2(counter.has_value(), counter ? "" : counter.error().text().c_str());
                    const auto counted = counter->count(*design->complete(ParameterValues{}));
                    const auto made = instantiate(*design, {}, catalog());
                    QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
                    QVERIFY2(counted.has_value(), counted ? "" : counted.error().text().c_str());
                    const auto wrong = difference(linesOf(*counted), linesOf(**made, *counted));
                    QVERIFY2(wrong.isEmpty(), wrong.constData());
                }
    }

    /// What cannot be wired is refused by both.
    void refusals_data()
    {
        QTest::addColumn<QByteArray>("low");
        QTest::addColumn<QByteArray>("links");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("a port twice") << QByteArray("") << QByteArray("  a: {from: low.up, to: high.down, from_index: y, to_index: 0}\n")
                                      << QByteArray("used twice");
        QTest::newRow("past the group") << QByteArray("") << QByteArray("  a: {from: low.up, to: high.down, from_index: y, to_index: x * 20}\n")
                                        << QByteArray("' ports, but this rule requires port");
        QTest::newRow("outside the set") << QByteArray("") << QByteArray("  a: {from: low.up, to: high.down, at: {y: x}}\n")
                                         << QByteArray("nonexistent 'high': its 'y' would be 4 (counted from 0)");
        QTest::newRow("outside the set by a loop") << QByteArray("")
                                                   << QByteArray("  a: {from: low.up, to: high.down, each: {k: 2}, at: {y: \"mod(x, 4) + k\"}}\n")
                                                   << QByteArray("its 'y' would be 4 (counted from 0), but there are only 4");
        QTest::newRow("outside the set where wanted")
            << QByteArray("") << QByteArray("  a: {from: low.up, to: high.down, at: {y: x}, when: x < 5}\n") << QByteArray("its 'y' would be 4");
        QTest::newRow("other networks") << QByteArray(", network: other")
                                        << QByteArray("  a: {from: low.up, to: high.down, from_index: y, to_index: x}\n")
                                        << QByteArray("connected to ports of network 'net'");
        QTest::newRow("speeds") << QByteArray(", split: 2") << QByteArray("  a: {from: low.up, to: high.down, from_index: y, to_index: x}\n")
                                << QByteArray("a 200 Gb/s port of 'low' is connected to a 400 Gb/s port of 'high'");
        QTest::newRow("unfit split") << QByteArray(", split: 3") << QByteArray("  a: {from: low.up, to: high.down, from_index: y, to_index: x}\n")
                                     << QByteArray("does not support breakout into 3 ports");
        QTest::newRow("a spread past the group") << QByteArray("") << QByteArray("  a: {from: low.up, to: high.down, spread: true, count: 2 * x}\n")
                                                 << QByteArray("10 ports requested, but group 'up' has 8");
        QTest::newRow("too many in order") << QByteArray("") << QByteArray("  a: {from: low.up, to: high.down, each: {k: 9}}\n")
                                           << QByteArray("' ports, but this rule requires port");
    }

    void refusals()
    {
        QFETCH(QByteArray, low);
        QFETCH(QByteArray, links);
        QFETCH(QByteArray, says);
        const auto text = fmt::format(
            "template: t\nnetworks:\n  net: {{planes: 1}}\n  other: {{planes: 1}}\n"
            "tiers:\n"
            "  low: {{network: net, level: 1, each: {{x: 6}}, name: \"l{{x}}\", type: switch-51t-128x400g, ports: {{up: {{cages: 8{}}}}}}}\n"
            "  high: {{network: net, level: 2, each: {{y: 4}}, name: \"h{{y}}\", type: switch-51t-128x400g, ports: {{down: {{cages: 32}}}}}}\n"
            "links:\n{}",
            low.toStdString(), links.toStdString());
        const auto design = Template::parse(text, "t.yaml");
        QVERIFY2(design.has_value(), design ? "" : design.error().text().c_str());
        const auto made = instantiate(*design, {}, catalog());
        QVERIFY(!made.has_value());
        QVERIFY2(QByteArray::fromStdString(made.error().text()).contains(says), made.error().text().c_str());
        auto counter = TemplateCounter::bind(*design, catalog());
        QVERIFY2(counter.has_value(), counter ? "" : counter.error().text().c_str());
        const auto counted = counter->count({});
        QVERIFY(!counted.has_value());
        QCOMPARE(int(counted.error().code), int(made.error().code));
        QVERIFY2(QByteArray::fromStdString(counted.error().text()).contains(says), counted.error().text().c_str());
    }

    /// As many accelerators as pods hold, however many pods: `hallwright-bench size` times it.
    void anySize()
    {
        const auto design = *Template::load(HW_RESOURCES "/templates/hpn.yaml");
        auto counter = *TemplateCounter::bind(design, catalog());
        for (const auto* networks : {"all", "backend"})
            for (int pods = 1; pods <= 8; ++pods) {
                const auto values = *design.complete(std::map<std::string, std::string>{{"pods", std::to_string(pods)}, {"networks", networks}});
                QCOMPARE(counter.count(values)->activeAccelerators, std::int64_t(15'360) * pods);
            }
    }
};

QTEST_APPLESS_MAIN(CountTest)
#include "test_count.moc"

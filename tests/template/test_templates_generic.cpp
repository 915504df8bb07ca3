// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/figures.h"
#include "core/derived/rules/check.h"
#include "core/design/count/count.h"
#include "core/design/template/template.h"

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

using Texts = std::map<std::string, std::string>;

/// "a=1 b=x" as parameters.
Texts parameters(const QByteArray& text)
{
    Texts result;
    for (const auto& word : text.split(' '))
        if (const auto at = word.indexOf('='); at > 0) result[word.left(at).toStdString()] = word.mid(at + 1).toStdString();
    return result;
}

Result<SnapshotPtr> make(const QByteArray& name, const QByteArray& values)
{
    const auto design = Template::load(std::string(HW_RESOURCES "/templates/") + name.toStdString() + ".yaml");
    if (!design) return tl::unexpected(design.error());
    const auto complete = design->complete(parameters(values));
    if (!complete) return tl::unexpected(complete.error());
    return instantiate(*design, *complete, catalog());
}

/// Devices by tier, links by rule, accelerators as "gpus".
std::map<std::string, std::int64_t> countsOf(const Snapshot& s)
{
    std::map<std::string, std::int64_t> count;
    s.devices.forEach([&](DeviceId id) {
        const TierId tier = s.devices.tier[id];
        ++count[s.tiers.key[tier]];
        if (s.tiers.kind[tier] != TierKind::Server) return;
        const Part* part = catalog().find(s.partTypes.slug[s.devices.type[id]]);
        count["gpus"] += std::get<DeviceSpec>(part->spec).accelerators;
    });
    s.links.forEach([&](LinkId id) { ++count[s.linkRules.key[*s.links.rule[id]]]; });
    return count;
}

QString errorsOf(const SnapshotPtr& s)
{
    const auto figures = computeFigures(s);
    if (!figures) return QString::fromStdString(figures.error().text());
    const auto checked = check(**figures);
    if (!checked) return QString::fromStdString(checked.error().text());
    QString text;
    for (const auto& finding : checked->findings)
        if (finding.severity == Severity::Error && !finding.waived)
            text += QString::fromStdString(finding.rule + " " + words(finding.message) + "\n");
    return text;
}

/// Every switch of a tier has the same number of links of a rule, and every linked pair as many as any other.
void evenWiring(const Snapshot& s, const std::string& rule)
{
    std::map<std::uint32_t, int> lower, upper;
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> pairs;
    s.links.forEach([&](LinkId id) {
        if (s.linkRules.key[*s.links.rule[id]] != rule) return;
        const std::uint32_t a = s.ports.device[s.links.from[id]].value, b = s.ports.device[s.links.to[id]].value;
        ++lower[a], ++upper[b], ++pairs[{a, b}];
    });
    const auto allSame = [](const auto& map) {
        for (const auto& [key, n] : map)
            if (n != map.begin()->second) return false;
        return !map.empty();
    };
    QVERIFY(allSame(lower));
    QVERIFY(allSame(upper));
    QVERIFY(allSame(pairs));
}

} // namespace

class GenericTemplates : public QObject {
    Q_OBJECT
private slots:
    /// Published counts, or those that port arithmetic fixes (CHECKS P4, SOURCES D1, D2, D4, SAMPLES).
    void counts_data()
    {
        QTest::addColumn<QByteArray>("design");
        QTest::addColumn<QByteArray>("values");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const char* design, const char* values, const char* expected) {
            QTest::newRow(name) << QByteArray(design) << QByteArray(values) << QByteArray(expected);
        };
        // Four units of 32 servers, 8 leaves each: 4 x 8 x 32 uplinks on 64-port spines.
        row("rail-optimized, four units", "rail-optimized-2", "", "server=128 gpus=1024 leaf=32 spine=16 access=1024 leaf-spine=1024");
        row("rail-optimized, full k = 64", "rail-optimized-2", "segments=8 networks=backend", "gpus=2048 leaf=64 spine=32 leaf-spine=2048");
        row("800G as 2 x 400G", "rail-optimized-2", "segments=8 switch=51t-64x800g networks=backend",
            "server=512 gpus=4096 leaf=64 spine=32 access=4096 leaf-spine=2048");
        row("800G as 2 x 400G, uplinks too", "rail-optimized-2", "segments=16 switch=51t-64x800g leaf_up_split=2 networks=backend",
            "server=1024 gpus=8192 leaf=128 spine=64 access=8192 leaf-spine=8192");
        row("uplinks as fine as the ports below", "fat-tree-2", "segments=128 switch=51t-64x800g leaf_up_split=0 networks=backend",
            "gpus=8192 leaf=128 spine=64 leaf-spine=8192");
        row("four sockets as eight ports in three tiers: k^3/4", "fat-tree-3",
            "radix=4 nics=1 switch=51t-64x800g leaf_up_split=0 spine_up_split=0 pods=8 segments=4 networks=backend",
            "server=128 leaf=32 spine=32 core=16 access=128 leaf-spine=128 spine-core=128");
        row("eight planes of 100G", "multi-plane",
            "planes=8 server=hgx-b300 switch=51t-64x800g leaf_up_split=0 segments=1 hosts_per_segment=32 networks=backend",
            "gpus=256 access=2048 leaf=64 leaf-spine=16384");
        row("400G as 2 x 200G, 16 accelerators a host", "rail-optimized-2", "segments=2 server=ppu-16 switch=51t-128x400g networks=backend",
            "server=128 gpus=2048 access=2048 leaf=16");
        row("a NIC of 800G as 2 x 400G", "rail-optimized-2", "segments=2 server=hgx-b300 switch=51t-128x400g networks=backend",
            "server=64 gpus=512 access=1024");
        row("CPU and GPU chassis", "rail-optimized-2", "segments=2 server=panjiu switch=51t-128x400g",
            "server=128 head=128 gpus=1024 fe-head=256 oob-head=128");
        // 3 units leave 24 x 32 uplinks for 12 spines of 64; 32 uplinks divide by 16, not by 12.
        row("spines grow until uplinks divide", "rail-optimized-2", "segments=3 networks=backend", "leaf=24 spine=16 leaf-spine=768");
        row("rail-optimized in pods", "rail-optimized-3", "networks=backend", "gpus=4096 leaf=128 spine=128 core=64 leaf-spine=4096 spine-core=4096");
        row("fat tree, two tiers, k = 64: k^2/2", "fat-tree-2", "segments=64 networks=backend",
            "gpus=2048 leaf=64 spine=32 access=2048 leaf-spine=2048");
        row("fat tree, k = 64, hosts of one NIC", "fat-tree-2", "segments=64 nics=1 networks=backend", "server=2048 access=2048 leaf=64");
        row("fat tree, k = 20: servers straddle leaves", "fat-tree-2", "segments=5 radix=20 networks=backend",
            "server=25 access=200 leaf=20 spine=10 leaf-spine=200");
        row("fat tree, two tiers, k = 128: k^2/2", "fat-tree-2", "segments=128 switch=51t-128x400g networks=backend",
            "gpus=8192 leaf=128 spine=64 access=8192");
        row("fat tree, three tiers, k = 8: k^3/4", "fat-tree-3", "radix=8 nics=1 pods=8 segments=4 networks=backend",
            "server=128 leaf=32 spine=32 core=16 access=128 leaf-spine=128 spine-core=128");
        row("fat tree, three tiers, k = 48: k^3/4", "fat-tree-3", "radix=48 pods=48 segments=24 networks=backend",
            "gpus=27648 access=27648 leaf=1152 spine=1152 core=576");
        row("fat tree, three tiers, k = 64: k^3/4", "fat-tree-3", "pods=64 segments=32 networks=backend",
            "gpus=65536 access=65536 leaf=2048 spine=2048 core=1024");
        row("two planes, k = 128", "multi-plane", "segments=16 networks=backend", "gpus=16384 access=32768 leaf=256 spine=128 leaf-spine=16384");
        row("four planes of 200G, 51.2T", "multi-plane", "planes=4 server=hgx-b300 switch=51t-64x800g segments=2 networks=backend",
            "server=256 access=8192 leaf=64");
        row("eight rails of k^2/2, 16,384 GPUs", "rail-only", "segments=64 networks=backend",
            "gpus=16384 leaf=512 spine=256 access=16384 leaf-spine=16384");
        // SAMPLES: 224 racks, 256 leaves, 128 spines, two links a leaf and spine, 8 shelves a rack.
        row("NVL72, 16,128 GPUs", "nvl72", "networks=backend",
            "server=4032 gpus=16128 leaf=256 spine=128 access=16128 leaf-spine=16384 nvswitch=2016 scale-up=36288");
        row("NVL36, one group", "nvl36", "segments=1 networks=backend", "server=126 gpus=504 leaf=8 nvswitch=126");
        row("NVL72 under a plain fat tree: four racks fill nine leaves", "fat-tree-2", "segments=7 server=gb200-nvl72 networks=backend",
            "server=504 gpus=2016 access=2016 leaf=63 spine=32 nvswitch=252");
        row("NVL36 under two planes", "multi-plane", "segments=2 server=gb200-nvl36 networks=backend", "server=252 gpus=1008 access=2016 leaf=16");
        row("GB300 NVL72, 800G, three tiers", "rail-optimized-3", "pods=2 segments=2 server=gb300-nvl72 switch=51t-64x800g networks=backend",
            "server=72 gpus=288 access=288 leaf=16");
        row("Meta 24K", "meta-24k", "networks=backend",
            "server=3072 gpus=24576 leaf=1536 spine=128 core=28 access=24576 leaf-spine=24576 spine-core=3584");
        row("ByteDance 12K", "bytedance-12k", "networks=backend",
            "server=1536 gpus=12288 leaf=192 spine=192 core=128 access=12288 leaf-spine=6144 spine-core=6144");
        row("Google-like pods, 199 x 256", "google-pods", "networks=backend",
            "server=6368 gpus=50944 leaf=199 spine=104 core=64 access=6368 leaf-spine=3184 spine-core=3328");
    }
    void counts()
    {
        QFETCH(QByteArray, design);
        QFETCH(QByteArray, values);
        QFETCH(QByteArray, expected);
        const auto made = make(design, values);
        QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
        auto counted = countsOf(**made);
        for (const auto& [what, number] : parameters(expected))
            QVERIFY2(std::to_string(counted[what]) == number,
                     qPrintable(QString("%1: %2, expected %3").arg(what.c_str()).arg(counted[what]).arg(number.c_str())));
    }

    /// CHECKS P4, k = 128, counted without being made: 524,288 ends, (k/2)^2 cores.
    void largestFatTree()
    {
        const auto design = Template::load(HW_RESOURCES "/templates/fat-tree-3.yaml");
        QVERIFY2(design.has_value(), design ? "" : design.error().text().c_str());
        const auto values = design->complete(parameters("switch=51t-128x400g pods=128 segments=64 networks=backend"));
        QVERIFY2(values.has_value(), values ? "" : values.error().text().c_str());
        auto counter = TemplateCounter::bind(*design, catalog());
        QVERIFY2(counter.has_value(), counter ? "" : counter.error().text().c_str());
        const auto count = counter->count(*values);
        QVERIFY2(count.has_value(), count ? "" : count.error().text().c_str());
        QCOMPARE(count->activeAccelerators, std::int64_t(524288));
        std::map<std::string, std::int64_t> tiers;
        for (const auto& tier : count->tiers) tiers[tier.name] = tier.total();
        QCOMPARE(tiers.at("leaf"), std::int64_t(8192));
        QCOMPARE(tiers.at("spine"), std::int64_t(8192));
        QCOMPARE(tiers.at("core"), std::int64_t(4096));
        QCOMPARE(count->dataLinks(), std::int64_t(3 * 524288));
    }

    /// What the multi-plane template's sources name: 131,072 ends in two tiers of 512-port switches, eight planes of 100G or four of 200G.
    void largestMultiPlane_data()
    {
        QTest::addColumn<QByteArray>("values");
        QTest::addColumn<int>("planes");
        QTest::newRow("51.2T, 100G") << QByteArray("planes=8 switch=51t-64x800g") << 8;
        QTest::newRow("102.4T, 200G") << QByteArray("planes=4 switch=102t-64x1600g") << 4;
    }
    void largestMultiPlane()
    {
        QFETCH(QByteArray, values);
        QFETCH(int, planes);
        const auto design = Template::load(HW_RESOURCES "/templates/multi-plane.yaml");
        QVERIFY2(design.has_value(), design ? "" : design.error().text().c_str());
        const auto complete = design->complete(parameters(values + " server=hgx-b300 leaf_up_split=0 segments=64 networks=backend"));
        QVERIFY2(complete.has_value(), complete ? "" : complete.error().text().c_str());
        auto counter = TemplateCounter::bind(*design, catalog());
        QVERIFY2(counter.has_value(), counter ? "" : counter.error().text().c_str());
        const auto count = counter->count(*complete);
        QVERIFY2(count.has_value(), count ? "" : count.error().text().c_str());
        QCOMPARE(count->activeAccelerators, std::int64_t(131072));
        std::map<std::string, std::int64_t> tiers;
        for (const auto& tier : count->tiers) tiers[tier.name] = tier.total();
        QCOMPARE(tiers.at("leaf"), std::int64_t(planes) * 512);
        QCOMPARE(tiers.at("spine"), std::int64_t(planes) * 256);
        QCOMPARE(count->dataLinks(), std::int64_t(2) * planes * 131072);
    }

    /// Above a limit the design is refused and the message says which limit.
    void limits_data()
    {
        QTest::addColumn<QByteArray>("design");
        QTest::addColumn<QByteArray>("values");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* design, const char* values, const char* says) {
            QTest::newRow(name) << QByteArray(design) << QByteArray(values) << QByteArray(says);
        };
        row("two tiers", "rail-optimized-2", "segments=9", "2 tiers of these switches support up to 2048 ports of 400G");
        row("two plain tiers", "fat-tree-2", "segments=65", "2 tiers of these switches support up to 2048 ports of 400G");
        row("three tiers", "rail-optimized-3", "pods=65 networks=backend", "3 tiers of these switches support up to 65536 ports of 400G");
        row("radix above the switch", "rail-optimized-2", "radix=66", "radix 66 is not an even number up to the 64 cages of the switch");
        row("odd radix", "rail-optimized-2", "radix=31", "radix 31 is not an even number up to the");
        for (const char* name : {"rail-optimized-2", "rail-optimized-3", "fat-tree-2", "fat-tree-3", "multi-plane", "rail-only"})
            row(name, name, "radix=1", "radix 1 is not an even number up to the");
        row("leaf ports", "rail-optimized-2", "hosts_per_segment=33", "33 servers need 264 ports on the leaves of a unit, which have 256");
        row("no optics", "rail-optimized-2", "server=hgx-b300 switch=25t-64x400g",
            "no optics connect an 800G NIC to the cages of this switch; choose a switch with OSFP cages");
        row("planes", "multi-plane", "planes=4", "a 400G NIC cage carries 4 of the 4 planes but supports breakout into no more than 2 ports");
        row("uplinks too fine", "rail-optimized-2", "leaf_up_split=4", "a leaf uplink cage does not support breakout into 4 ports; the maximum is 2");
        row("uplinks in three", "fat-tree-3", "switch=51t-64x800g spine_up_split=3",
            "a spine uplink cage does not support breakout into 3 ports; the maximum is");
        row("two tiers with whole uplinks", "rail-optimized-2", "segments=9 switch=51t-64x800g",
            "up to 4096 ports of 400G with 800G uplinks, and 32768 with cages broken out into 8 ports");
        row("uneven planes", "multi-plane", "planes=3", "a 400G NIC cannot be divided into 3 planes");
        row("rails", "rail-only", "segments=65", "which has 64");
        row("a pod too many", "meta-24k", "pods=9", "so up to 8 pods fit");
        row("not a choice", "nvl72", "server=gb900", "gb900");
    }
    void limits()
    {
        QFETCH(QByteArray, design);
        QFETCH(QByteArray, values);
        QFETCH(QByteArray, says);
        const auto made = make(design, values);
        QVERIFY(!made.has_value());
        QVERIFY2(QByteArray::fromStdString(made.error().text()).contains(says), made.error().text().c_str());
        QCOMPARE(int(made.error().code), int(ErrorCode::Refused));
    }

    /// All networks at the default parameters: no rule finds an error, everything stands somewhere.
    void defaultsPassEveryRule_data()
    {
        QTest::addColumn<QByteArray>("design");
        for (const char* name : {"rail-optimized-2", "rail-optimized-3", "fat-tree-2", "fat-tree-3", "multi-plane", "rail-only", "nvl72", "nvl36",
                                 "meta-24k", "bytedance-12k", "google-pods"})
            QTest::newRow(name) << QByteArray(name);
    }
    void defaultsPassEveryRule()
    {
        QFETCH(QByteArray, design);
        const auto made = make(design, {});
        QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
        const Snapshot& s = **made;
        s.devices.forEach([&](DeviceId id) { QVERIFY(s.devices.rack[id] || s.devices.row[id] || s.devices.hall[id]); });
        const QString errors = errorsOf(*made);
        QVERIFY2(errors.isEmpty(), qPrintable(errors));
    }

    /// Every server under every generic fabric that takes it, small, with all networks.
    void serversPassEveryRule_data()
    {
        QTest::addColumn<QByteArray>("design");
        QTest::addColumn<QByteArray>("values");
        for (const char* design : {"rail-optimized-2", "fat-tree-3", "multi-plane", "rail-only"})
            for (const char* server : {"hgx-b200", "hgx-b300", "ppu-16", "panjiu", "gb200-nvl72", "gb300-nvl72", "gb200-nvl36"}) {
                const QByteArray values = QByteArray("switch=51t-128x400g segments=2 server=") + server;
                QTest::newRow((QByteArray(design) + " " + server).constData())
                    << QByteArray(design) << (QByteArray(design).endsWith("-3") ? values + " pods=2" : values);
            }
    }
    void serversPassEveryRule()
    {
        QFETCH(QByteArray, design);
        QFETCH(QByteArray, values);
        const auto made = make(design, values);
        QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
        const QString errors = errorsOf(*made);
        QVERIFY2(errors.isEmpty(), qPrintable(errors));
    }

    /// Whole plugs fill one phase of a strip before the strip is full: six racks, whose strips would carry up to 14.7 kW on a phase that may carry
    /// 14.0 kW (80 % of 55.43 kVA at power factor 0.95), get a third and fourth strip. Servers that do so by their nameplates alone (3 plugs of
    /// 5.1 kW) get none.
    void stripsCarryEachPhase()
    {
        const auto made = make("nvl72", "segments=64 server=gb200-nvl36 switch=51t-64x800g leaf_up_split=2 racks=1 support=64");
        QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
        const QString errors = errorsOf(*made);
        QVERIFY2(!errors.contains("P6 "), qPrintable(errors));
        const auto stripsOfRacks = [](const Snapshot& s) {
            std::map<std::uint32_t, int> strips;
            s.devices.forEach([&](DeviceId id) {
                if (s.devices.rack[id] && s.tiers.key[s.devices.tier[id]].ends_with("pdu")) ++strips[(*s.devices.rack[id]).value];
            });
            std::map<int, int> racks;
            for (const auto& [rack, count] : strips) ++racks[count];
            return racks;
        };
        QCOMPARE(stripsOfRacks(**made).at(4), 9); // three of them by all that they draw
        const auto plain = make("rail-optimized-2", "segments=4 networks=backend");
        QVERIFY2(plain.has_value(), plain ? "" : plain.error().text().c_str());
        QCOMPARE(stripsOfRacks(**plain), (std::map<int, int>{{2, 37}}));
    }

    void uplinksAreEven_data()
    {
        QTest::addColumn<QByteArray>("design");
        QTest::addColumn<QByteArray>("values");
        QTest::newRow("three units") << QByteArray("rail-optimized-2") << QByteArray("segments=3 networks=backend");
        QTest::newRow("five units in three pods") << QByteArray("rail-optimized-3") << QByteArray("segments=3 pods=3 networks=backend");
        QTest::newRow("eleven leaves") << QByteArray("fat-tree-2") << QByteArray("segments=11 networks=backend");
        QTest::newRow("two planes") << QByteArray("multi-plane") << QByteArray("segments=3 networks=backend");
        QTest::newRow("meta, five pods") << QByteArray("meta-24k") << QByteArray("pods=5 segments=24 networks=backend");
    }
    void uplinksAreEven()
    {
        QFETCH(QByteArray, design);
        QFETCH(QByteArray, values);
        const auto made = make(design, values);
        QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
        evenWiring(**made, "leaf-spine");
        if (design.endsWith("-3") || design.startsWith("meta")) evenWiring(**made, "spine-core");
    }

    /// An NVL72 rack: 18 compute trays, 9 switch trays, 8 power shelves, four fed from A and four from B.
    void nvl72RackIsWhole()
    {
        const auto made = make("nvl72", "segments=1 networks=backend");
        QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
        const Snapshot& s = **made;
        std::map<std::uint32_t, std::map<std::string, int>> racks;
        std::map<std::uint32_t, std::map<char, int>> feeds;
        s.devices.forEach([&](DeviceId id) {
            if (s.devices.rack[id] && s.partTypes.slug[s.racks.type[*s.devices.rack[id]]] == "rack-nvl72")
                ++racks[(*s.devices.rack[id]).value][s.partTypes.slug[s.devices.type[id]]];
        });
        s.links.forEach([&](LinkId id) {
            const DeviceId fed = s.ports.device[s.links.from[id]], by = s.ports.device[s.links.to[id]];
            if (s.partTypes.slug[s.devices.type[fed]] == "power-shelf-33kw") ++feeds[(*s.devices.rack[fed]).value][s.devices.key[by].back()];
        });
        QCOMPARE(racks.size(), std::size_t(7));
        for (const auto& [rack, inside] : racks) {
            QCOMPARE(inside, (std::map<std::string, int>{
                                 {"gb200-compute-tray", 18}, {"nvlink-switch-tray", 9}, {"power-shelf-33kw", 8}, {"manifold-nvl72", 1}}));
            QCOMPARE(feeds[rack], (std::map<char, int>{{'0', 4}, {'1', 4}}));
        }
    }
};

QTEST_APPLESS_MAIN(GenericTemplates)
#include "test_templates_generic.moc"

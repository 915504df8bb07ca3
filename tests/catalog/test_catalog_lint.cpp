// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/catalog.h"

#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace hw;

/// Bad definitions: what cannot be read fails with file, line and key; what can be read but is
/// doubtful is listed. The samples are the known bad data of the community library, shortened.
class TestCatalogLint : public QObject {
    Q_OBJECT

    static std::string doubts(const std::string& yaml)
    {
        std::vector<LintIssue> lint;
        const auto part = Catalog::parse(yaml, "part.yaml", &lint);
        if (!part) return "ERROR " + part.error().text();
        std::string all;
        for (const auto& issue : lint) all += issue.where + ": " + words(issue.what) + "\n";
        return all;
    }
    static bool has(const std::string& text, const char* piece)
    {
        if (text.find(piece) != text.npos) return true;
        qWarning("'%s' is not in:\n%s", piece, text.c_str());
        return false;
    }

    inline static const std::string kHead = "manufacturer: X\nmodel: X\nslug: x\nu_height: 1\nis_full_depth: true\n"
                                            "airflow: front-to-rear\nweight: 1\nweight_unit: kg\n";

private slots:
    void supplies()
    {
        // a copied switch: two supplies of 1,071 W where the text says 6.5 kW
        const auto text = doubts("manufacturer: Nvidia\nmodel: DGC-A100\nslug: nvidia-dgc-a100\nu_height: 6\nis_full_depth: true\n"
                                 "comments: 'Max power 6.5 kW'\npower-ports:\n"
                                 "  - {name: PSU0, type: iec-60320-c14, maximum_draw: 1071}\n"
                                 "  - {name: PSU1, type: iec-60320-c14, maximum_draw: 1071}\n");
        QVERIFY(has(text, "power supplies provide 2142 W, but the draw is 6500 W"));
        QVERIFY(has(text, "no weight given"));
        QVERIFY(has(text, "no airflow given"));
    }

    void missingPortsOfASeries()
    {
        std::string yaml = kHead + "interfaces:\n";
        for (int cage = 1; cage <= 32; ++cage)
            for (int port = 0; port < 2; ++port)
                if (!(cage == 22 && port == 1) && !(cage == 23 && port == 0))
                    yaml += "  - {name: P" + std::to_string(cage) + "." + std::to_string(port) + ", type: infiniband-ndr}\n";
        QVERIFY(has(doubts(yaml), "2 of 64 ports of series P#.# are missing"));
    }

    void wrongSlugsAndDuplicates()
    {
        std::string yaml = "manufacturer: ServerTech\nmodel: C3\nslug: c3\nu_height: 0\nis_full_depth: false\ninterfaces:\n"
                           "  - {name: MGMT0, type: 1000base-t, mgmt_only: true}\n  - {name: MGMT0, type: 1000base-t, mgmt_only: true}\n"
                           "power-ports:\n  - {name: In, type: iec-60309-3p-e-9h}\npower-outlets:\n";
        for (int i = 1; i <= 3; ++i) yaml += "  - {name: O" + std::to_string(i) + ", type: HDOT-Cx, power_port: In, feed_leg: A}\n";
        const auto text = doubts(yaml);
        QVERIFY(has(text, "part.yaml:12 power-outlets[1].type: unknown slug 'HDOT-Cx', did you mean 'hdot-cx'?"));
        QVERIFY(has(text, "part.yaml:8 interfaces[2].name: duplicate name 'MGMT0'"));
        QVERIFY(has(text, "all outlets specify leg A, which carries no information"));
    }

    void copiedSwitchPorts()
    {
        std::string yaml = kHead + "interfaces:\n";
        for (int i = 1; i <= 36; ++i) yaml += "  - {name: p" + std::to_string(i) + ", type: 400gbase-x-osfp}\n";
        yaml += "---\nkind: device\nslug: x\naccelerators: 8\ncages:\n  - {type: 400gbase-x-osfp, count: 32}\n";
        const auto text = doubts(yaml);
        QVERIFY(has(text, "36 data ports for 8 accelerators"));
        QVERIFY(has(text, "32 interfaces of type 400gbase-x-osfp declared, 36 listed"));
    }

    void doubtfulKeys_data()
    {
        QTest::addColumn<QString>("more");
        QTest::addColumn<QString>("doubt");
        QTest::newRow("unknown key") << "heightt: 3\n"
                                     << "part.yaml:9 heightt: unknown key";
        QTest::newRow("unknown key inside") << "interfaces:\n  - {name: a, type: lag, speed: 3}\n"
                                            << "interfaces[1].speed: unknown key";
        QTest::newRow("interface") << "interfaces:\n  - {name: a, type: 401gbase-x-osfp}\n"
                                   << "unknown slug '401gbase-x-osfp'";
        QTest::newRow("power port") << "power-ports:\n  - {name: a, type: IEC-60320-C20}\n"
                                    << "did you mean 'iec-60320-c20'?";
        QTest::newRow("no such inlet") << "power-outlets:\n  - {name: a, type: hardwired, power_port: Q}\n"
                                       << "unknown power port 'Q'";
        QTest::newRow("bays") << "device-bays:\n  - {name: a}\n"
                              << "requires subdevice_role: parent";
        QTest::newRow("sidecar key") << "---\nkind: device\nslug: x\ntypical: 3\n"
                                     << "part.yaml:12 typical: unknown key";
        QTest::newRow("order of powers")
            << "---\nkind: device\nslug: x\n"
               "typical_power: {value: 2, unit: kW, source: s, confidence: C}\ndesign_power: {value: 1, unit: kW, source: s, confidence: C}\n"
               "nameplate_power: {value: 3, unit: kW, source: s, confidence: C}\n"
            << "typical_power: exceeds design_power";
        QTest::newRow("socket") << "interfaces:\n  - {name: a, type: 800gbase-x-osfp}\n---\nkind: device\nslug: x\n"
                                   "cages:\n  - {type: 800gbase-x-osfp, socket: 800gbase-x-osfp-ihs}\n"
                                << "unknown slug '800gbase-x-osfp-ihs'";
        QTest::newRow("chip") << "interfaces:\n  - {name: a, type: 800gbase-x-osfp}\n---\nkind: device\nslug: x\n"
                                 "switching: {value: 400, unit: Gb/s, source: s, confidence: A}\n"
                              << "ports total 800 Gb/s, switch chip 400 Gb/s";
    }
    void doubtfulKeys()
    {
        QFETCH(QString, more);
        QFETCH(QString, doubt);
        QVERIFY(has(doubts(kHead + more.toStdString()), doubt.toUtf8().constData()));
    }

    void airflowAndWeight()
    {
        const auto text = doubts("manufacturer: X\nmodel: X\nslug: x\nu_height: 1\nis_full_depth: true\nairflow: up\nweight: 3\n");
        QVERIFY(has(text, "part.yaml:6 airflow: unknown airflow 'up'"));
        QVERIFY(has(text, "part.yaml:7 weight: weight without weight_unit"));
    }

    void errors_data()
    {
        QTest::addColumn<QString>("yaml");
        QTest::addColumn<QString>("error");
        const QString head = QString::fromStdString(kHead);
        QTest::newRow("not yaml") << "a: [1\nb: 2\n"
                                  << "part.yaml:2: invalid YAML";
        QTest::newRow("begins with a comma") << ",manufacturer: X\nmodel: X\n"
                                             << "part.yaml:1: invalid YAML";
        QTest::newRow("alias of itself") << "a: &x [*x]\n"
                                         << "part.yaml:1: invalid YAML: nested too deeply";
        QTest::newRow("aliases of aliases")
            << "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"
               "d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n"
            << "invalid YAML: too many values";
        QTest::newRow("bracket after it") << head + "]\n"
                                          << "invalid YAML";
        QTest::newRow("comma after it") << head + "...\n,\n"
                                        << "part.yaml:10: invalid YAML";
        QTest::newRow("second begins with a comma") << head + "---\n, kind: device\n"
                                                    << "invalid YAML";
        QTest::newRow("comma after the mark") << head + "--- ,\nkind: device\n"
                                              << "invalid YAML";
        QTest::newRow("empty last document") << head + "---\nkind: device\nslug: x\n---\nkind: device\nslug: x\n---\n"
                                             << "3 YAML documents";
        QTest::newRow("empty") << ""
                               << "0 YAML documents";
        QTest::newRow("list") << "- a\n"
                              << "not a map";
        QTest::newRow("missing slug") << "manufacturer: X\nmodel: X\n"
                                      << "part.yaml:1 slug: missing; add the key slug";
        QTest::newRow("bad slug") << "manufacturer: X\nmodel: X\nslug: A b\nu_height: 1\nis_full_depth: true\n"
                                  << "part.yaml:3 slug: 'A b' contains characters other than a-z, 0-9, - and _";
        QTest::newRow("twice") << head + "slug: x\n"
                               << "slug: duplicate key";
        QTest::newRow("no number") << "manufacturer: X\nmodel: X\nslug: x\nu_height: tall\nis_full_depth: true\n"
                                   << "part.yaml:4 u_height: 'tall' is not a number";
        QTest::newRow("third of a unit") << "manufacturer: X\nmodel: X\nslug: x\nu_height: 1.3\nis_full_depth: true\n"
                                         << "multiple of 0.5";
        QTest::newRow("unit") << head + "---\nkind: device\nslug: x\ndesign_power: {value: 1, unit: hp, source: s, confidence: C}\n"
                              << "part.yaml:12 design_power.unit: unknown unit 'hp'; use W, kW, MW";
        QTest::newRow("confidence") << head + "---\nkind: device\nslug: x\nprice: {value: 1, unit: USD, source: s, confidence: E}\n"
                                    << "price.confidence: 'E' is not A, B, C or D";
        QTest::newRow("no source") << head + "---\nkind: device\nslug: x\nprice: {value: 1, unit: USD, confidence: C}\n"
                                   << "part.yaml:12 price.source: missing; add the key price.source";
        QTest::newRow("negative") << head + "---\nkind: device\nslug: x\nprice: {value: -1, unit: USD, source: s, confidence: C}\n"
                                  << "price.value: -1 is negative";
        QTest::newRow("share") << head + "---\nkind: device\nslug: x\nliquid_share: {value: 101, unit: '%', source: s, confidence: C}\n"
                               << "exceeds 100 %";
        QTest::newRow("other slug") << head + "---\nkind: device\nslug: y\n"
                                    << "'y' does not match the slug of its NetBox document, 'x'";
        QTest::newRow("kind") << "kind: boat\nslug: x\n"
                              << "part.yaml:1 kind: 'boat' is not a part kind";
        QTest::newRow("reach") << "kind: transceiver\nslug: x\nmodel: X\nrate: {value: 1, unit: Gb/s, source: s, confidence: C}\n"
                                  "fits: []\nstandard: s\nsignal: s\nconnector: lc-duplex\n"
                               << "part.yaml:1 reach: missing; specify the reach for each fiber type";
        QTest::newRow("lengths") << "kind: cable\nslug: x\nmodel: X\nmedium: mmf-om4\nconnector: lc-duplex\nstocked: {unit: m, lengths: [2, 1]}\n"
                                 << "lengths must be in ascending order";
    }
    void errors()
    {
        QFETCH(QString, yaml);
        QFETCH(QString, error);
        const auto part = Catalog::parse(yaml.toStdString(), "part.yaml");
        QVERIFY(!part.has_value());
        QCOMPARE(part.error().code, ErrorCode::Unreadable);
        QVERIFY(has(part.error().text(), error.toUtf8().constData()));
    }

    void notUtf8()
    {
        const auto part = Catalog::parse("a: 1\nb: \xff\n", "part.yaml");
        QVERIFY(!part.has_value());
        QVERIFY(has(part.error().text(), "part.yaml:2: invalid YAML: invalid leading UTF-8 octet"));
    }

    /// Line numbers are those of the file on disk, also in a sidecar.
    void filesOnDisk()
    {
        QTemporaryDir folder;
        const auto write = [&](const char* name, const std::string& text) { std::ofstream(folder.filePath(name).toStdString()) << text; };
        write("x.yaml", kHead);
        write("x.hw.yaml", "kind: device\nslug: x\nprice: {value: 1, unit: EUR, source: s, confidence: C}\n");
        write("y.yaml", kHead + "slug: y\n"); // the first counts
        auto loaded = Catalog::load(folder.path().toStdString());
        QVERIFY(!loaded);
        QVERIFY(has(loaded.error().text(), "' is already used by another part"));
        write("y.yaml", "manufacturer: X\nmodel: Y\nslug: y\nu_height: 1\nis_full_depth: true\n");
        loaded = Catalog::load(folder.path().toStdString());
        QVERIFY(loaded.has_value());
        QVERIFY(!loaded->find("x")); // and only this one
        QVERIFY(has(loaded->errorOf("x")->text(), "x.hw.yaml:3 price.unit: unknown unit 'EUR'; use USD"));
        QCOMPARE(loaded->slugs(), (std::vector<std::string>{"x", "y"}));
        QCOMPARE(loaded->parts().size(), std::size_t(1));
        QCOMPARE(loaded->parts(PartKind::Device).count("y"), std::size_t(1));
        QVERIFY(loaded->parts(PartKind::Rack).empty());
        QVERIFY(std::ranges::any_of(loaded->lint(), [](const LintIssue& issue) { return words(issue.what).find("EUR") != std::string::npos; }));
        write("y.yaml", "manufacturer: [X\n"); // has no slug
        loaded = Catalog::load(folder.path().toStdString());
        QVERIFY(!loaded);
        QVERIFY(has(loaded.error().text(), "y.yaml:"));
        std::filesystem::remove(folder.filePath("y.yaml").toStdString());
        write("x.hw.yaml", "kind: device\nslug: x\nprice: {value: 1, unit: USD, source: s, confidence: C}\n");
        loaded = Catalog::load(folder.path().toStdString());
        QVERIFY(loaded.has_value());
        QCOMPARE(std::get<DeviceSpec>(loaded->find("x")->spec).price.value, Money(10000));
        write("z.yaml", kHead);
        loaded = Catalog::load(folder.path().toStdString());
        QVERIFY(!loaded);
        QVERIFY(has(loaded.error().text(), "' is already used by another part"));
        QVERIFY(!Catalog::load(folder.filePath("nowhere").toStdString()));
    }

    /// A plain NetBox device without a sidecar is usable: everything unstated is assumed.
    void plainNetBox()
    {
        const auto part = Catalog::parse(kHead + "interfaces:\n  - {name: a, type: 1.6tbase-x-osfp1600}\n", "x");
        QVERIFY(part.has_value());
        const auto& device = std::get<DeviceSpec>(part->spec);
        QCOMPARE(device.interfaces[0].rate.count(), 1600);
        QVERIFY(device.design.assumed());
    }
};

QTEST_GUILESS_MAIN(TestCatalogLint)
#include "test_catalog_lint.moc"

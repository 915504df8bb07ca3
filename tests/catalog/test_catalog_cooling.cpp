// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/catalog.h"

#include <QtTest>

using namespace hw;

namespace {

const std::string kDevice = "manufacturer: X\nmodel: X\nslug: x\nu_height: 0\nis_full_depth: true\n---\nkind: device\nslug: x\n";
const std::string kCable = "kind: cable\nslug: x\nmodel: X\nmedium: coolant\nconnector: lqc-1in\nstocked: {unit: m, lengths: [1]}\n";
std::string fact(const char* key, const char* value, const char* unit)
{
    return std::string(key) + ": {value: " + value + ", unit: '" + unit + "', source: s, confidence: B}\n";
}

} // namespace

/// What parts say of coolant, air, upkeep and laying: read with units, checked for range, doubted where halves are missing.
class TestCatalogCooling : public QObject {
    Q_OBJECT

    Catalog m_library;

    const DeviceSpec& device(const char* slug) const { return std::get<DeviceSpec>(m_library.find(slug)->spec); }
    const CableSpec& cable(const char* slug) const { return std::get<CableSpec>(m_library.find(slug)->spec); }

private slots:
    void initTestCase()
    {
        auto library = Catalog::load(HW_RESOURCES "/catalog");
        QVERIFY2(library.has_value(), library ? "" : library.error().text().c_str());
        m_library = *library;
    }

    void everyKeyIsRead()
    {
        const auto part = Catalog::parse(
            kDevice +
                "failures: {value: 0.05, unit: 1/y, source: s, confidence: C}\nrepair: {value: 2, unit: d, source: s, confidence: C}\n"
                "lead_time: {value: 3, unit: weeks, source: s, confidence: C}\nliquid_share: {value: 85, unit: '%', source: s, confidence: C}\n"
                "cooling:\n  element: cdu\n  ports:\n    - {name: facility, connector: flange-dn100}\n    - {name: loop, feeds: true, count: 2}\n"
                "  coolant: {value: pg25, source: s, confidence: A}\n  flow_need: {points: [30/0.75, 45/2], source: s, confidence: D}\n"
                "  warmest_supply: {value: 45, unit: '°C', source: s, confidence: C}\n"
                "  loss: {drop: {value: 1, unit: bar, source: s, confidence: C}, at: {value: 60, unit: m3/h, source: s, confidence: C}, exponent: "
                "1.85}\n"
                "  liters: {value: 0.5, unit: m3, source: s, confidence: C}\n  approach: {value: 4, unit: K, source: s, confidence: C}\n"
                "  head: {value: 10, unit: psi, source: s, confidence: C}\n  pumps: 2\n  spares: 1\n"
                "  inner_diameter: {value: 54.76, unit: mm, source: s, confidence: A}\n  roughness: {value: 0.015, unit: mm, source: s, confidence: "
                "C}\n"
                "  kv: {value: 7.5, unit: m3/h, source: s, confidence: C}\n  rejection: {points: [-5/18/1.1, 35/18/1.25/4.3], source: s, confidence: "
                "D}\n"
                "  restart: {value: 10, unit: min, source: s, confidence: C}\n  air_flow: {value: 7200, unit: m3/h, source: s, confidence: C}\n"
                "  face_area: {value: 2.5, unit: m2, source: s, confidence: C}\n  leak_sensor: true\n  isolates: true\n",
            "x");
        QVERIFY2(part.has_value(), part ? "" : part.error().text().c_str());
        QCOMPARE(part->failuresPerYear.value, 0.05);
        QCOMPARE(part->repairHours.value, 48);
        QCOMPARE(part->leadDays.value, 21);
        const auto& c = std::get<DeviceSpec>(part->spec).cooling;
        QCOMPARE(c.element, CoolingElement::Cdu);
        QCOMPARE(c.ports.size(), std::size_t(3));
        QVERIFY(!c.ports[0].feeds && c.ports[1].feeds && c.ports[1].name == "loop-1" && c.ports[2].name == "loop-2");
        QCOMPARE(c.coolant.value, std::string("pg25"));
        QCOMPARE(c.coolant.confidence, Confidence::A);
        QCOMPARE(c.flowNeed.value, (std::vector<std::pair<double, double>>{{30, 0.75}, {45, 2}}));
        QCOMPARE(c.warmestSupplyC.value, 45.0);
        QCOMPARE(c.loss.kilopascal.value, 100.0);
        QCOMPARE(c.loss.lpm.value, 1000.0);
        QCOMPARE(c.loss.exponent, 1.85);
        QCOMPARE(c.liters.value, 500.0);
        QCOMPARE(c.approachK.value, 4.0);
        QVERIFY(std::abs(c.headKpa.value - 68.95) < 0.01);
        QVERIFY(c.pumps == 2 && c.spares == 1 && c.leakSensor && c.isolates);
        QCOMPARE(c.innerMm.value, 54.76);
        QCOMPARE(c.roughnessMm.value, 0.015);
        QCOMPARE(c.kv.value, 7.5);
        QCOMPARE(c.points.size(), std::size_t(2));
        QVERIFY(c.points[0].ambientC == -5 && c.points[0].cop == 0 && c.points[1].share == 1.25 && c.points[1].cop == 4.3);
        QCOMPARE(c.pointsConfidence, Confidence::Derived);
        QCOMPARE(c.restartS.value, 600.0);
        QCOMPARE(c.airM3s.value, 2.0);
        QCOMPARE(c.faceM2.value, 2.5);
    }

    void hosesAndTrays()
    {
        const auto hose = Catalog::parse(kCable + fact("diameter", "38", "mm") + fact("bend_radius", "200", "mm") + fact("mass", "1.3", "kg/m") +
                                             fact("inner_diameter", "25.4", "mm") + fact("roughness", "0.0015", "mm") + fact("kv", "7", "m3/h"),
                                         "x");
        QVERIFY2(hose.has_value(), hose ? "" : hose.error().text().c_str());
        const auto& spec = std::get<CableSpec>(hose->spec);
        QVERIFY(spec.bend.value == Millimeters(200) && spec.gramsPerMeter.value == 1300 && spec.innerMm.value == 25.4 && spec.kv.value == 7);
        const auto cord =
            Catalog::parse("kind: cable\nslug: x\nmodel: X\nmedium: power\nconnector: iec-60320-c20\nstocked: {unit: m, lengths: [1]}\n" +
                               fact("ampacity", "16", "A") + fact("conductor", "2.5", "mm2"),
                           "x");
        QVERIFY2(cord.has_value(), cord ? "" : cord.error().text().c_str());
        QCOMPARE(std::get<CableSpec>(cord->spec).milliamperes.value, 16'000);
        QCOMPARE(std::get<CableSpec>(cord->spec).squareMm.value, 2.5);
        const auto tray = Catalog::parse("kind: tray\nslug: x\nmodel: X\nform: ladder\n" + fact("width", "600", "mm") + fact("height", "100", "mm") +
                                             fact("mass", "6", "kg/m") + fact("bears", "120", "kg/m"),
                                         "x");
        QVERIFY2(tray.has_value(), tray ? "" : tray.error().text().c_str());
        const auto& ladder = std::get<TraySpec>(tray->spec);
        QVERIFY(ladder.form == "ladder" && ladder.gramsPerMeter.value == 6'000 && ladder.bearsGramsPerMeter.value == 120'000);
    }

    void lossBudgets()
    {
        const std::string head = "kind: transceiver\nslug: x\nmodel: X\nrate: {value: 400, unit: Gb/s, source: s, confidence: A}\n"
                                 "fits: [400gbase-x-osfp]\nstandard: s\nsignal: s\nconnector: lc-duplex\nreach:\n  smf-os2: {value: 2, unit: km, "
                                 "source: s, confidence: A}\n";
        std::vector<LintIssue> lint;
        const auto part = Catalog::parse(head + "loss_budget: {smf-os2: {value: 4.0, unit: dB, source: s, confidence: A}, "
                                                "mmf-om4: {value: 1.8, unit: dB, source: s, confidence: A}}\n",
                                         "x", &lint);
        QVERIFY2(part.has_value(), part ? "" : part.error().text().c_str());
        QCOMPARE(std::get<TransceiverSpec>(part->spec).lossBudget.at("smf-os2").value, 4.0);
        QCOMPARE(lint.size(), std::size_t(1)); // the other has no reach
        QVERIFY(!Catalog::parse(head + "loss_budget: {smf-os2: {value: 400, unit: dB, source: s, confidence: A}}\n", "x"));
    }

    void errors_data()
    {
        QTest::addColumn<QString>("yaml");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* name, const std::string& more, const char* error) {
            QTest::newRow(name) << QString::fromStdString(kDevice + "cooling:\n" + more) << error;
        };
        row("element", "  element: fridge\n", "'fridge' is not a cooling chain element; choose from manifold, header");
        row("coolant", "  coolant: {value: oil, source: s, confidence: A}\n", "unknown coolant 'oil'");
        row("port twice", "  ports: [{name: a}, {name: a}]\n", "empty or used twice");
        row("flow", "  flow_need: {points: [30], source: s, confidence: A}\n", "'30' is not a supply temperature/flow pair");
        row("flow order", "  flow_need: {points: [30/1, 20/1], source: s, confidence: A}\n", "temperatures are not in ascending order");
        row("point", "  rejection: {points: [35/18/9], source: s, confidence: A}\n", "'35/18/9' is not a valid heat rejector point");
        row("point order", "  rejection: {points: [35/18/1, 35/7/1], source: s, confidence: A}\n",
            "points are not in ascending order of outdoor, then supply temperature");
        row("spares", "  pumps: 2\n  spares: 2\n", "2 standby pumps of 2 leave no duty pump");
        row("half a loss", "  loss: {drop: {value: 1, unit: kPa, source: s, confidence: C}}\n", "both values are required");
        row("unit", "  " + fact("head", "3", "m"), "unknown unit 'm'; use kPa, bar, psi");
        row("range", "  " + fact("approach", "400", "K"), "400 exceeds 50");
        row("zero", "  " + fact("kv", "0", "m3/h"), "must be greater than 0");
        QTest::newRow("hose") << QString::fromStdString(kCable) << "inner_diameter: missing or 0";
        QTest::newRow("hose walls") << QString::fromStdString(kCable + fact("diameter", "20", "mm") + fact("inner_diameter", "25", "mm"))
                                    << "must be smaller than the diameter";
        QTest::newRow("form") << QString::fromStdString("kind: tray\nslug: x\nmodel: X\nform: gutter\n" + fact("width", "1", "mm") +
                                                        fact("height", "1", "mm"))
                              << "'gutter' is not a valid tray form";
    }
    void errors()
    {
        QFETCH(QString, yaml);
        QFETCH(QString, error);
        const auto part = Catalog::parse(yaml.toStdString(), "part.yaml");
        QVERIFY(!part.has_value());
        QCOMPARE(part.error().code, ErrorCode::Unreadable);
        QVERIFY2(QString::fromStdString(part.error().text()).contains(error), part.error().text().c_str());
    }

    void doubts_data()
    {
        QTest::addColumn<QString>("more");
        QTest::addColumn<QString>("doubt");
        const auto row = [](const char* name, const char* more, const char* doubt) { QTest::newRow(name) << more << doubt; };
        row("cdu", "  element: cdu\n", "without approach");
        row("cdu head", "  element: cdu\n", "pump without head");
        row("cdu ports", "  element: cdu\n", "two loops meet here");
        row("header", "  element: header\n", "pipe without diameter");
        row("chiller", "  element: chiller\n", "no capacity vs outdoor temperature given");
        row("crah", "  element: crah\n", "moves air, but no air flow is given");
        row("air-cooled", "  warmest_supply: {value: 45, unit: '°C', source: s, confidence: C}\n", "requires coolant, but has no liquid_share");
        row("connector", "  ports: [{name: a, connector: hosepipe}]\n", "unknown coolant connector 'hosepipe'");
        row("warmer", "  flow_need: {points: [30/2, 40/1], source: s, confidence: A}\n",
            "required flow decreases at a higher supply temperature, from");
        row("key", "  presure: 3\n", "cooling.presure: unknown key");
    }
    void doubts()
    {
        QFETCH(QString, more);
        QFETCH(QString, doubt);
        std::vector<LintIssue> lint;
        const auto part = Catalog::parse(kDevice + "cooling:\n" + more.toStdString(), "part.yaml", &lint);
        QVERIFY2(part.has_value(), part ? "" : part.error().text().c_str());
        QString all;
        for (const auto& issue : lint) all += QString::fromStdString(issue.where + ": " + words(issue.what) + "\n");
        QVERIFY2(all.contains(doubt), all.toUtf8().constData());
    }

    /// A tray's plates take their flow at every supply; the warmer, the more. At 30 °C the 1.25 L/min a kW of a 12 K loop are enough.
    void flowOverSupply()
    {
        int found = 0;
        for (const auto& [slug, part] : m_library.parts()) {
            const auto* spec = std::get_if<DeviceSpec>(&part->spec);
            if (!spec || spec->liquidPermille.value == 0) continue;
            ++found;
            QVERIFY2(!spec->cooling.flowNeed.value.empty() && spec->cooling.warmestSupplyC.value > 0 && spec->cooling.loss.lpm.value > 0,
                     slug.c_str());
            for (const auto& [supply, flow] : spec->cooling.flowNeed.value) QVERIFY2(supply > 38 || flow <= 1.25, slug.c_str());
        }
        QVERIFY(found >= 5);
    }

    /// Known answers of the screw chiller's fit, and that nothing is trusted above 1.25.
    void chillerPoints()
    {
        const auto& points = device("chiller-air-1500kw").cooling.points;
        const auto at = [&](double ambient, double supply) {
            const auto found = std::ranges::find_if(points, [&](const RejectionPoint& p) { return p.ambientC == ambient && p.supplyC == supply; });
            return found == points.end() ? RejectionPoint{} : *found;
        };
        QCOMPARE(qRound(at(35, 7).share * 100), 101);
        QCOMPARE(qRound(at(40, 18).share * 100), 120);
        QCOMPARE(qRound(at(35, 20).share * 100), 125); // the fit says 1.32
        QCOMPARE(qRound(at(35, 20).cop * 10), 43);
        QCOMPARE(qRound(at(45, 24).cop * 10), 39);
        for (const auto& p : points) QVERIFY(p.share <= 1.25 && p.share > 0.5);
    }

    /// Sizes of a series: the larger the unit, the more flow, weight, power, price and length; its rating gives its flow and its curves.
    void sizeSeries_data()
    {
        QTest::addColumn<QString>("stem");
        QTest::addColumn<QList<int>>("sizes");
        QTest::newRow("air-cooled chillers") << "chiller-air-%1kw" << QList<int>{75, 150, 300, 500, 750, 1000, 1500};
        QTest::newRow("water-cooled chillers") << "chiller-water-%1kw" << QList<int>{500, 1000, 1500, 3000};
        QTest::newRow("dry coolers") << "dry-cooler-%1kw" << QList<int>{300, 500, 1000, 1500, 2000, 2900};
        QTest::newRow("fan walls") << "fan-wall-%1kw" << QList<int>{200, 300, 450, 600};
        QTest::newRow("air handlers") << "crah-%1kw" << QList<int>{50, 100, 250, 400};
        QTest::newRow("towers") << "tower-%1kw" << QList<int>{500, 1000, 2000, 4000};
        QTest::newRow("plates") << "exchanger-%1kw" << QList<int>{500, 1000, 2000};
        QTest::newRow("CDUs") << "cdu-%1kw" << QList<int>{600, 1300, 1500, 2000, 2300, 2500};
    }
    void sizeSeries()
    {
        QFETCH(QString, stem);
        QFETCH(QList<int>, sizes);
        const DeviceSpec* before = nullptr;
        for (const int size : sizes) {
            const std::string slug = stem.arg(size).toStdString();
            QVERIFY2(m_library.find(slug), slug.c_str());
            const DeviceSpec& d = device(slug.c_str());
            const double kw = toWatts(d.capacity.value) / 1000;
            QVERIFY2(std::abs(kw / size - 1) < 0.02, slug.c_str());
            const bool air = d.cooling.element == CoolingElement::FanWall || d.cooling.element == CoolingElement::Crah;
            if (air) {
                QVERIFY2(std::abs(d.cooling.airM3s.value / (kw / (1.2 * 1.005 * 12)) - 1) < 0.01, slug.c_str()); // air at 12 K
                QVERIFY2(std::abs(d.cooling.facilityLoss.lpm.value / (kw * 60'000 / (4186 * 10.0)) - 1) < 0.01, slug.c_str());
                QVERIFY2(d.cooling.airM3s.value / d.cooling.faceM2.value < 3.5, slug.c_str()); // m/s before the coil
            } else if (d.cooling.element == CoolingElement::Tower) {
                QVERIFY2(std::abs(toWatts(d.design.value) / (kw * 16) - 1) < 0.01, slug.c_str()); // fans of 1.6 % of the heat
            } else if (d.cooling.element != CoolingElement::Cdu) {
                // Flow of the capacity at 10 K, 5.5 K of the largest dry cooler; rho cp of water about 4,186 kJ/m³.
                const double lpm = kw * 60'000 / (4186 * (size == 2900 ? 5.5 : 10.0));
                QVERIFY2(std::abs(d.cooling.loss.lpm.value / lpm - 1) < 0.01, slug.c_str());
                for (const auto& p : d.cooling.points) QVERIFY2(p.share >= 0 && p.share <= 1.5 && (p.share == 0 || p.cop > 1), slug.c_str());
            } else {
                QVERIFY2(d.coolantLpm.value >= 0.9 * kw && d.coolantLpm.value <= 1.6 * kw, slug.c_str()); // 9.5 to 16 K of PG25
            }
            if (d.cooling.element != CoolingElement::Exchanger) QVERIFY2(d.design.value > d.typical.value, slug.c_str());
            if (before) {
                QVERIFY2(d.price.value > before->price.value && d.capacity.value > before->capacity.value, slug.c_str());
                if (d.cooling.element != CoolingElement::Cdu && d.cooling.element != CoolingElement::Exchanger)
                    QVERIFY2(d.design.value > before->design.value, slug.c_str());
            }
            before = &d;
        }
    }

    /// A dry cooler gives its rating where its source has it: 2,931 kW at 35 °C with water of 40.6 °C.
    void dryCoolerPoint()
    {
        const auto& d = device("dry-cooler-2900kw");
        QCOMPARE(toWatts(d.capacity.value), 2'931e3);
        const auto low = std::ranges::find_if(d.cooling.points, [](const RejectionPoint& p) { return p.ambientC == 35 && p.supplyC == 40; });
        const auto high = std::ranges::find_if(d.cooling.points, [](const RejectionPoint& p) { return p.ambientC == 35 && p.supplyC == 45; });
        const double share = low->share + (high->share - low->share) * 0.12;
        QVERIFY2(std::abs(share - 1) < 0.01, qPrintable(QString::number(share)));
    }

    /// Inner diameters of ASME pipes, and what they carry: 1,010 L/min in DN100 and 2,249 in DN150 at 1.83 m/s.
    void pipesAndHeaders()
    {
        const auto lpm = [](double mm) { return 1.83 * 3.14159265 / 4 * mm * mm / 1e6 * 60'000; };
        QCOMPARE(qRound(lpm(cable("pipe-dn100").innerMm.value)), 1010);
        QCOMPARE(qRound(lpm(cable("pipe-dn150").innerMm.value)), 2249);
        for (const char* dn : {"100", "150"}) {
            const auto& header = device((std::string("row-header-dn") + dn).c_str());
            QCOMPARE(header.cooling.innerMm.value, cable((std::string("pipe-dn") + dn).c_str()).innerMm.value);
            QVERIFY(header.cooling.leakSensor && header.cooling.isolates);
        }
        QCOMPARE(cable("hose-lqc-1in").medium, std::string("coolant"));
    }
};

QTEST_GUILESS_MAIN(TestCatalogCooling)
#include "test_catalog_cooling.moc"

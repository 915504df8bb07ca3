// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/coolant/heat.h"
#include "core/physics/coolant/library.h"

#include <QTest>

#include <cmath>

using namespace hw;
using namespace hw::coolant;

namespace {

const Library& shipped() { return *shippedLibrary(); }

Properties at(const char* coolant, double celsius)
{
    const auto p = shippedProperties(coolant, celsius);
    if (!p) qFatal("%s", p.error().text().c_str());
    return *p;
}

/// As near as the last digit of a published number allows.
bool near(double value, double published, double halfDigit)
{
    if (std::abs(value - published) <= halfDigit) return true;
    qWarning("%.8g instead of %.8g", value, published);
    return false;
}

} // namespace

class TestCoolant : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(shippedLibrary().has_value(), shippedLibrary() ? "" : shippedLibrary().error().text().c_str()); }

    /// The printed table of 25 % propylene glycol.
    void pg25()
    {
        const double celsius[] = {10, 20, 30, 40, 45, 50, 60};
        const double density[] = {1027.8, 1023.9, 1019.4, 1014.5, 1011.8, 1009.0, 1003.0};
        const double specificHeat[] = {3888, 3913, 3938, 3962, 3975, 3987, 4012};
        const double viscosity[] = {3.556, 2.466, 1.797, 1.368, 1.21, 1.081, 0.8808};
        const double conductivity[] = {0.4559, 0.4676, 0.478, 0.4871, 0.4911, 0.4949, 0.5013};
        for (std::size_t i = 0; i < std::size(celsius); ++i) {
            const Properties p = at("pg25", celsius[i]);
            QVERIFY(near(p.density, density[i], 0.051));
            QVERIFY(near(p.specificHeat, specificHeat[i], 0.51));
            QVERIFY(near(p.viscosity * 1e3, viscosity[i], celsius[i] == 45 ? 0.0051 : celsius[i] > 55 ? 0.000051 : 0.00051));
            QVERIFY(near(p.conductivity, conductivity[i], celsius[i] == 30 ? 0.00051 : 0.000051));
        }
        QVERIFY(near(at("pg25", 30).kinematicViscosity(), 1.762801648e-6, 2e-10)); // of the networks with answers: rounded viscosity and density
    }

    /// Water: viscosities of the same table, and reference values of IAPWS (at 0.1 MPa).
    void water()
    {
        const double celsius[] = {10, 20, 30, 40, 45, 50, 60}, viscosity[] = {1.306, 1.002, 0.797, 0.653, 0.596, 0.547, 0.466};
        for (std::size_t i = 0; i < std::size(celsius); ++i) QVERIFY(near(at("water", celsius[i]).viscosity * 1e3, viscosity[i], 0.00051));
        QVERIFY(near(at("water", 20).density, 998.21, 0.1)); // the fit is at 0.3 MPa, which adds 0.09
        QVERIFY(near(at("water", 60).density, 983.20, 0.1));
        QVERIFY(near(at("water", 25).specificHeat, 4181.6, 1));
        QVERIFY(near(at("water", 80).specificHeat, 4196.9, 2));
        QVERIFY(near(at("water", 20).conductivity, 0.598, 0.0005));
        QVERIFY(near(at("water", 80).conductivity, 0.667, 0.0005));
        for (double c = 0; c <= 100; c += 5) {
            QVERIFY(at("water", c).volumetricHeat() > 4.03e6);
            QVERIFY(at("water", c).volumetricHeat() < 4.22e6);
        }
        for (double c = 10; c <= 55; c += 5) QVERIFY(near(at("water", c).volumetricHeat(), 4.15e6, 0.05e6));
    }

    void litersPerKilowatt()
    {
        for (double c = 10; c <= 65; c += 0.5)
            for (const double delta : {5.0, 10.0, 12.0, 15.0}) {
                const double lpm = litersPerMinutePerKilowatt(delta, at("pg25", c));
                QVERIFY2(std::abs(lpm * delta / 15.0 - 1) <= 0.0061, qPrintable(QString::number(lpm * delta)));
            }
        QVERIFY(near(litersPerMinutePerKilowatt(10, at("water", 30)), 1.44, 0.005));
        QCOMPARE(litersPerMinutePerKilowatt(0, at("pg25", 30)), 0.0); // it does not warm up
        QVERIFY(near(volumeFlow(1000, 10, at("air", 20)) * 3600, 298.5, 0.1));
        QVERIFY(near(volumeFlow(17.86e6, 15, at("air", 20)), 987.3, 0.1));
    }

    void rideThrough()
    {
        const Properties pg25 = at("pg25", 12); // where its heat is 4.00 MJ/(m³ K)
        QVERIFY(near(rideThroughS(2e6, 0.815, 15, pg25), 24.45, 0.05));
        QVERIFY(near(rideThroughS(2e6, 0.815, 15, at("pg25", 35)), 24.45, 0.15)); // and in a loop
        QCOMPARE(rideThroughS(0, 1, 1, pg25), 0.0);
    }

    /// Glycol between its limits: more of it is denser, holds less heat, flows worse.
    void fractions()
    {
        Properties last = at("water", 30);
        for (const double x : {0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6}) {
            const auto mixed = shipped().mixture("propylene-glycol", x);
            QVERIFY(mixed.has_value());
            const Properties p = *mixed->at(30);
            QVERIFY(p.density > last.density && p.specificHeat < last.specificHeat && p.viscosity > last.viscosity);
            QVERIFY(p.conductivity < last.conductivity);
            last = p;
        }
    }

    void refusals()
    {
        QCOMPARE(shipped().mixture("propylene-glycol", 0.7).error().code, ErrorCode::Refused);
        QCOMPARE(shipped().mixture("propylene-glycol", std::nan("")).error().code, ErrorCode::Refused);
        QCOMPARE(shipped().mixture("water", 0.2).error().code, ErrorCode::Refused);
        QCOMPARE(shipped().mixture("mercury", 0).error().code, ErrorCode::Refused);
        QVERIFY(words(shipped().coolant("pg26").error().todo).find("pg25") != std::string::npos);
        const auto pg25 = shipped().coolant("pg25");
        QVERIFY(pg25.has_value());
        for (const double c : {-40.0, 101.0, std::nan("")}) QCOMPARE(pg25->at(c).error().code, ErrorCode::Refused);
    }

    void ownCoolant()
    {
        Library library = shipped();
        const auto added = library.add(R"(fluids:
  oil:
    title: Oil
    temperature_c: [10, 60]
    reference_k: 293.15
    density: {unit: kg/m3, source: maker, confidence: B, rows: [[850], [-0.6]]}
    specific_heat: {unit: J/(kg K), source: maker, confidence: B, rows: [[1900]]}
coolants:
  bath: {fluid: oil, title: Immersion bath}
)",
                                       "own.yaml");
        QVERIFY2(added.has_value(), added ? "" : added.error().text().c_str());
        QCOMPARE(library.coolant("bath")->at(30)->density, 844.0);
        QCOMPARE(library.coolant("bath")->at(30)->viscosity, 0.0); // not known
        QVERIFY(!shipped().fluid("oil"));
    }

    /// A file that is wrong says where, and changes nothing.
    void brokenFiles_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("where");
        const QByteArray head = "fluids:\n  oil:\n    title: Oil\n    temperature_c: [10, 60]\n    reference_k: 293.15\n";
        const QByteArray heat = "    specific_heat: {unit: J/(kg K), source: m, confidence: B, rows: [[1900]]}\n";
        const QByteArray density = "    density: {unit: kg/m3, source: m, confidence: B, rows: [[850]]}\n";
        QTest::newRow("unit") << head + heat + "    density: {unit: g/l, source: m, confidence: B, rows: [[850]]}\n"
                              << QByteArray("own.yaml:7: fluids.oil.density.unit");
        QTest::newRow("source") << head + heat + "    density: {unit: kg/m3, confidence: B, rows: [[850]]}\n"
                                << QByteArray("own.yaml:7: fluids.oil.density.source");
        QTest::newRow("confidence") << head + heat + "    density: {unit: kg/m3, source: m, confidence: X, rows: [[850]]}\n"
                                    << QByteArray("own.yaml:7: fluids.oil.density.confidence");
        QTest::newRow("not a number") << head + heat + "    density: {unit: kg/m3, source: m, confidence: B, rows: [[.nan]]}\n"
                                      << QByteArray("own.yaml:7: fluids.oil.density.rows");
        QTest::newRow("missing") << head + density << QByteArray("own.yaml:3: fluids.oil.specific_heat");
        QTest::newRow("unknown key") << head + density + heat + "    smell: bad\n" << QByteArray("own.yaml:8: fluids.oil.smell");
        QTest::newRow("range") << QByteArray("fluids:\n  oil:\n    title: Oil\n    temperature_c: [60, 10]\n")
                               << QByteArray("own.yaml:4: fluids.oil.temperature_c");
        QTest::newRow("fraction") << QByteArray("coolants:\n  pg70: {fluid: propylene-glycol, fraction: 0.7, title: x}\n")
                                  << QByteArray("own.yaml:2: coolants.pg70.fluid");
        QTest::newRow("syntax") << QByteArray("fluids:\n  oil: [\n") << QByteArray("own.yaml:3");
        QTest::newRow("no map") << QByteArray("just words\n") << QByteArray("own.yaml:1: ");
        QTest::newRow("plate") << QByteArray(
                                      "cold_plates:\n  p: {title: P, source: m, confidence: A, flow_lpm: [2, 1], kelvin_per_watt: [0.1, 0.1]}\n")
                               << QByteArray("own.yaml:2: cold_plates.p.flow_lpm");
    }
    void brokenFiles()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, where);
        Library library = shipped();
        const auto added = library.add(text.toStdString(), "own.yaml");
        QVERIFY(!added);
        QCOMPARE(added.error().code, ErrorCode::Unreadable);
        QCOMPARE(QByteArray::fromStdString(added.error().where), where);
        QCOMPARE(library.fluids().size(), shipped().fluids().size());
    }
};

QTEST_GUILESS_MAIN(TestCoolant)
#include "test_coolant.moc"

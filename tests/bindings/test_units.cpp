// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/operations/bindings/units.h"

#include <cmath>

using namespace hw;
using namespace hw::bindings;

namespace {

/// A value of a source in the unit of a measure; NaN where it cannot be converted.
double converted(double value, std::string_view unit, Measure measure)
{
    const auto read = readUnit(unit, measure);
    return read.kind == UnitReading::Kind::Converted ? read.conversion(value) : std::nan("");
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max(1.0, std::abs(b)); }

UnitReading::Kind kindOf(std::string_view unit, Measure measure) { return readUnit(unit, measure).kind; }

} // namespace

class UnitsTest : public QObject {
    Q_OBJECT
private slots:
    /// Hand-computed, and what standards define.
    void knownAnswers()
    {
        struct Case {
            double value;
            const char* unit;
            Measure measure;
            double wanted;
        };
        const std::vector<Case> cases = {
            {1.5, "kW", Measure::ActivePower, 1500},
            {1.5, "MW", Measure::ActivePower, 1.5e6},
            {1500, "mW", Measure::ActivePower, 1.5},
            {2, "unit:KiloW", Measure::ActivePower, 2000},
            {2, "http://qudt.org/vocab/unit/KiloW", Measure::ActivePower, 2000},
            {2, "kilowatts", Measure::ActivePower, 2000},
            {3, "0.01 kW", Measure::ActivePower, 30},
            {1, "tonsOfRefrigeration", Measure::Heat, 3516.8528},
            {10, "kVA", Measure::ApparentPower, 10'000},
            {10, "kV.A", Measure::ApparentPower, 10'000},
            {10, "KiloV-A", Measure::ApparentPower, 10'000},
            {2, "kW.h", Measure::Energy, 2000},
            {2, "KiloW-HR", Measure::Energy, 2000},
            {3.6e6, "mJ", Measure::Energy, 1},
            {400, "mA", Measure::Current, 0.4},
            {1.2, "kV", Measure::Voltage, 1200},
            {50, "hertz", Measure::Frequency, 50},
            {212, "°F", Measure::SupplyTemperature, 100},
            {32, "[degF]", Measure::AirInlet, 0},
            {300, "K", Measure::Temperature, 26.85},
            {25, "Cel", Measure::Temperature, 25},
            {25, "DEG_C", Measure::Temperature, 25},
            {25, "degrees Celsius", Measure::Temperature, 25},
            {25, "C", Measure::Temperature, 25},
            {6, "m3/h", Measure::Flow, 100},
            {1, "l/s", Measure::Flow, 60},
            {100, "GPM", Measure::Flow, 378.5411784},
            {100, "[gal_us]/min", Measure::Flow, 378.5411784},
            {7, "L-PER-MIN", Measure::Flow, 7},
            {7, "litersPerMinute", Measure::Flow, 7},
            {7, "LPM", Measure::Flow, 7},
            {1000, "cfm", Measure::AirFlow, 0.4719474432},
            {3600, "m³/h", Measure::AirFlow, 1},
            {1, "bar", Measure::Pressure, 100},
            {250, "mbar", Measure::DifferentialPressure, 25},
            {10, "psi", Measure::Pressure, 68.94757293168},
            {10, "[psi]", Measure::Pressure, 68.94757293168},
            {5000, "Pa", Measure::DifferentialPressure, 5},
            {5, "KiloPA", Measure::DifferentialPressure, 5},
            {0.4, "ratio", Measure::Utilization, 40},
            {40, "PERCENT", Measure::ValvePosition, 40},
            {95, "%", Measure::PowerFactor, 0.95},
            {0.95, "1", Measure::PowerFactor, 0.95},
            {1.2, "GHz", Measure::Clock, 1200},
            {2, "MiB", Measure::MemoryUsed, 2'097'152},
            {400, "Gbit/s", Measure::LinkRate, 4e11},
            {100'000, "Mbit/s", Measure::LinkRate, 1e11},
            {25, "GB/s", Measure::LinkRate, 2e11},
            {5, "bytes/s", Measure::Receive, 40},
            {-3, "dBm", Measure::OpticalPower, -3},
            {4, "count", Measure::LinkLanes, 4},
            {7, "packets/s", Measure::Drops, 7},
        };
        for (const Case& c : cases) {
            const double is = converted(c.value, c.unit, c.measure);
            const bool same = near(is, c.wanted);
            QVERIFY2(same, (std::string(c.unit) + ": " + std::to_string(is)).c_str());
        }
    }

    /// What is counted up is converted by the second.
    void counters()
    {
        for (const char* unit : {"octets total", "bytes total", "B", "B total"}) {
            const auto read = readUnit(unit, Measure::Transmit);
            QVERIFY2(read.kind == UnitReading::Kind::Converted && read.conversion.counter && near(read.conversion.factor, 8), unit);
        }
        QVERIFY(readUnit("packets total", Measure::Drops).conversion.counter);
        QVERIFY(readUnit("1", Measure::Errors).conversion.counter);
        QVERIFY(!readUnit("1/s", Measure::Errors).conversion.counter);
        QVERIFY(!readUnit("B/s", Measure::Receive).conversion.counter);
        const auto energy = readUnit("kWh total", Measure::ActivePower); // 1 kWh a second is 3.6 MW
        QVERIFY(energy.conversion.counter && near(energy.conversion.factor, 3.6e6));
        QVERIFY(kindOf("°C total", Measure::Temperature) == UnitReading::Kind::Other);
        QVERIFY(kindOf("bytes", Measure::LinkRate) == UnitReading::Kind::Other); // an amount is no rate of a link
    }

    /// Nothing that cannot be converted passes.
    void conflicts()
    {
        using Kind = UnitReading::Kind;
        QVERIFY(kindOf("kW", Measure::Flow) == Kind::Other);
        QVERIFY(kindOf("kVA", Measure::ActivePower) == Kind::Other);
        QVERIFY(kindOf("rpm", Measure::FanSpeed) == Kind::Other);
        QVERIFY(kindOf("{rev}/min", Measure::PumpSpeed) == Kind::Other);
        QVERIFY(kindOf("mW", Measure::OpticalPower) == Kind::Other);
        QVERIFY(kindOf("%", Measure::Leak) == Kind::Other);
        QVERIFY(kindOf("C", Measure::Flow) == Kind::Other);
        QVERIFY(kindOf("furlong", Measure::Flow) == Kind::Unknown);
        QVERIFY(kindOf("mw", Measure::ActivePower) == Kind::Unknown); // milli or mega
        QVERIFY(kindOf("", Measure::ActivePower) == Kind::Unknown);
    }

    /// Every unit that values are kept in is understood as itself.
    void ownUnits()
    {
        for (std::size_t i = 0; i < kWords<Measure>.size(); ++i) {
            const auto measure = Measure(i);
            const auto unit = infoOf(measure).unit;
            QVERIFY(!words(infoOf(measure).title).empty());
            if (unit.empty()) continue;
            const auto read = readUnit(unit, measure);
            QVERIFY2(read == (UnitReading{UnitReading::Kind::Converted, {1, 0, false}}), std::string(wordOf(measure)).c_str());
        }
    }

    void states()
    {
        QCOMPARE(converted(1, "closed", Measure::BreakerClosed), 1.0);
        QCOMPARE(converted(1, "Open", Measure::BreakerClosed), 0.0);
        QCOMPARE(converted(0, "Open", Measure::BreakerClosed), 1.0);
        QCOMPARE(converted(1, "fault", Measure::Status), 0.0);
        QCOMPARE(converted(1, "Running", Measure::Status), 1.0);
        QCOMPARE(converted(1, "Leak", Measure::Leak), 1.0);
        QCOMPARE(converted(0, "dry", Measure::Leak), 1.0);
        QCOMPARE(converted(1, "open", Measure::ValvePosition), 100.0);
        QCOMPARE(converted(1, "ifOperStatus", Measure::LinkUp), 1.0);
        QCOMPARE(converted(2, "ifOperStatus", Measure::LinkUp), 0.0);
        QVERIFY(kindOf("open", Measure::Flow) == UnitReading::Kind::Unknown);
        QCOMPARE(stateUnit("0=Open,1=Closed"), std::string("Closed"));
        QCOMPARE(stateUnit(R"([{"value": 1, "text": "Closed"}, {"value": 0, "text": "Open"}])"), std::string("Closed"));
        QCOMPARE(stateUnit("0=Stopped,1=Running,2=Fault"), std::string());
        QCOMPARE(stateUnit("nonsense"), std::string());
    }
};

QTEST_GUILESS_MAIN(UnitsTest)
#include "test_units.moc"

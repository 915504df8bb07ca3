// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/demand.h"
#include "importers/demand/demand_reader.h"

#include "core/foundation/base/progress.h"
#include "core/foundation/model/snapshot.h"

#include <QTest>

#include <cmath>
#include <nlohmann/json.hpp>

using namespace hw;
using namespace hw::sizing;

namespace {

DemandCurve read(const std::string& text)
{
    const auto list = importers::readDemand(text, "curve");
    if (!list) qFatal("%s", list.error().text().c_str());
    return list->curve;
}

std::string runsOut(const DemandCurve& curve, std::int64_t carries)
{
    const auto answer = meetDemand(curve, {{"ports", "", carries, {}}});
    return answer.runOuts.front().quarter ? quarterName(*answer.runOuts.front().quarter) : "lasts";
}

} // namespace

class DemandTest : public QObject {
    Q_OBJECT
private slots:
    void dates()
    {
        QCOMPARE(*quarterTime("2026-01-01"), 4.0 * 2026);
        QCOMPARE(*quarterTime("2026-04"), 4.0 * 2026 + 1);
        QCOMPARE(*quarterTime("2026-Q3"), 4.0 * 2026 + 2);
        QCOMPARE(*quarterTime("2026 Q4"), 4.0 * 2026 + 3);
        QCOMPARE(*quarterTime("2026-05-16"), 4.0 * 2026 + 1 + (1 + 15.0 / 31) / 3);
        QCOMPARE(*quarterTime("2024-02-29"), 4.0 * 2024 + (1 + 28.0 / 29) / 3);
        QCOMPARE(quarterName(4 * 2026 + 2), std::string("2026 Q3"));
        for (const auto* bad : {"", "2026", "2026-13", "2026-00", "2026-02-30", "2025-02-29", "2026-Q5", "26-01", "2026/01", "2026-1-1", "x"})
            QVERIFY2(!quarterTime(bad), bad);
    }

    /// Steps hold until the next point, tenants add up: 8,000 + 4,000 from May, 12,000 + 4,000 from October.
    void stepsByTenant()
    {
        const auto curve = read("date,accelerators,tenant\n2026-01-01,8000,a\n2026-05-10,4000,b\n2026-10-01,12000,a\n");
        QCOMPARE(curve.peak(*quarterTime("2026-Q1")), 8000.0);
        QCOMPARE(curve.peak(*quarterTime("2026-Q2")), 12000.0);
        QCOMPARE(curve.peak(*quarterTime("2026-Q3")), 12000.0);
        QCOMPARE(curve.peak(*quarterTime("2026-Q4")), 16000.0);
        QCOMPARE(runsOut(curve, 7999), std::string("2026 Q1"));
        QCOMPARE(runsOut(curve, 8000), std::string("2026 Q2"));
        QCOMPARE(runsOut(curve, 12000), std::string("2026 Q4"));
        QCOMPARE(runsOut(curve, 15360), std::string("2026 Q4"));
        QCOMPARE(runsOut(curve, 16000), std::string("lasts"));
    }

    /// In quotes a comma belongs to the field.
    void quotedFields()
    {
        const auto curve = read("\"date\",accelerators,tenant\n2026-01-01, 5 ,\"a, \"\"b\"\"\"\n");
        QCOMPARE(curve.tenants.size(), std::size_t(1));
        QCOMPARE(curve.tenants[0].tenant, std::string("a, \"b\""));
    }

    /// A peak within a quarter counts although the quarter begins and ends lower.
    void peakWithinAQuarter()
    {
        const auto curve = read("date,accelerators\n2026-01-01,100\n2026-02-01,900\n2026-03-01,200\n");
        QCOMPARE(curve.peak(*quarterTime("2026-Q1")), 900.0);
        QCOMPARE(runsOut(curve, 500), std::string("2026 Q1"));
    }

    /// 750 times in two years from 1,000 (SOURCES A2): a quarter multiplies by 750^(1/8) = 2.2876. 15,360 are
    /// passed after ln 15.36 / ln 750 x 8 = 3.30 quarters, so in the fourth; 122,880 after 5.81, in the sixth.
    void scalingLaw()
    {
        const auto curve = read(R"({"laws": [{"start": "2026-01-01", "accelerators": 1000, "multiply": 750, "years": 2}]})");
        QVERIFY(std::abs(curve.peak(*quarterTime("2026-Q1")) - 1000 * std::pow(750.0, 0.125)) < 1e-6);
        QVERIFY(std::abs(curve.peak(*quarterTime("2027-Q4")) - 750'000) < 1e-3);
        QCOMPARE(runsOut(curve, 15'360), std::string("2026 Q4"));
        QCOMPARE(runsOut(curve, 122'880), std::string("2027 Q2"));
    }

    /// 20 % a quarter from 10,000: 12,000, 14,400, 17,280 at the ends of the quarters. Exactly reaching a limit
    /// at the end of a quarter does not pass it.
    void percentPerQuarter()
    {
        const auto curve = read(R"({"laws": [{"start": "2026-Q1", "accelerators": 10000, "percent_per_quarter": 20}]})");
        QCOMPARE(runsOut(curve, 11'999), std::string("2026 Q1"));
        QCOMPARE(runsOut(curve, 12'000), std::string("2026 Q2"));
        QCOMPARE(runsOut(curve, 15'360), std::string("2026 Q3"));
        QCOMPARE(runsOut(curve, 17'280), std::string("2026 Q4"));
    }

    /// 2,048 more each quarter from 2,048: 15,360 = 7.5 x 2,048 are passed half-way through the seventh quarter.
    void linearGrowth()
    {
        const auto curve = read(R"({"laws": [{"start": "2026-01", "accelerators": 2048, "add": 2048, "quarters": 1, "until": "2028-01"}]})");
        QCOMPARE(curve.peak(*quarterTime("2026-Q1")), 4096.0);
        QCOMPARE(runsOut(curve, 15'360), std::string("2027 Q3"));
        QCOMPARE(curve.peak(*quarterTime("2028-Q1")), 2048.0 * 9);
        QCOMPARE(runsOut(curve, 2048 * 9), std::string("lasts"));
    }

    /// Straight lines: 0 in January 2026 to 12,000 in January 2027 pass 5,000 after 5/12 of the year, in Q2.
    void straightLines()
    {
        const auto curve = read(
            R"({"interpolation": "linear", "points": [{"date": "2026-01-01", "accelerators": 0}, {"date": "2027-01-01", "accelerators": 12000}]})");
        QCOMPARE(curve.peak(*quarterTime("2026-Q1")), 3000.0);
        QCOMPARE(runsOut(curve, 5000), std::string("2026 Q2"));
        QCOMPARE(runsOut(curve, 6000), std::string("2026 Q3"));
    }

    /// Laws and points of several tenants in one file.
    void pointsAndLaws()
    {
        const auto curve = read(
            R"({"points": [{"date": "2026-01", "accelerators": 5000, "tenant": "a"}], "laws": [{"tenant": "b", "start": "2026-07", "accelerators": 100, "multiply": 2, "quarters": 1, "until": "2027-01"}]})");
        QCOMPARE(curve.peak(*quarterTime("2026-Q2")), 5000.0);
        QCOMPARE(curve.peak(*quarterTime("2026-Q3")), 5200.0);
        QCOMPARE(curve.peak(*quarterTime("2026-Q4")), 5400.0);
        const auto answer = meetDemand(curve, {});
        QCOMPARE(answer.quarters.at(2).byTenant.at("b"), 200.0);
        QCOMPARE(answer.quarters.at(2).byTenant.at("a"), 5000.0);
    }

    /// Buildings fill in order: 15,360 each; the second runs out when the demand passes 30,720.
    void buildingsFillInOrder()
    {
        const auto curve = read(R"({"laws": [{"start": "2026-01", "accelerators": 8000, "add": 8000, "quarters": 1, "until": "2028-01"}]})");
        const auto answer = meetDemand(curve, {{"power", "", 46'080, {}},
                                               {"power", "pod1", 15'360, {}},
                                               {"power", "pod2", 15'360, {}},
                                               {"power", "pod3", 15'360, {}},
                                               {"racks", "pod1", 20'000, {}}});
        const auto quarter = [&](std::size_t i) { return quarterName(*answer.runOuts[i].quarter); };
        QCOMPARE(quarter(0), std::string("2027 Q1")); // 48,000 at the end of the fifth quarter is the first above 46,080
        QCOMPARE(quarter(1), std::string("2026 Q1")); // 16,000
        QCOMPARE(quarter(2), std::string("2026 Q3")); // 32,000
        QCOMPARE(quarter(3), quarter(0));
        QCOMPARE(answer.runOuts[2].filledBefore, std::int64_t(15'360));
        QCOMPARE(quarter(4), std::string("2026 Q2")); // 24,000 pass 20,000
    }

    /// As spreadsheets save it in countries with a decimal comma, and with capitals.
    void separatorsOfSpreadsheets()
    {
        for (const char* text : {"Date;Accelerators;Tenant\n2026-01;5000;a\n", "date\taccelerators\ttenant\n2026-01\t5000\ta\n"})
            QCOMPARE(read(text).peak(*quarterTime("2026-Q2")), 5000.0);
    }

    /// One bad row is named with its place; the others count.
    void badRowsAreNamed()
    {
        const auto csv = importers::readDemand("date,accelerators,tenant\n2026-01,5000,a\n2026-13,1,a\n2026-02,many,a\n2026-03,7,\"b\n"
                                               "2026-Q1,6,a\n2026-Q2,1,2,3\n2026-Q3,9000,a\n",
                                               "curve");
        QVERIFY2(csv, csv ? "" : csv.error().text().c_str());
        QCOMPARE(csv->curve.peak(), 9000.0);
        QCOMPARE(csv->rows, std::size_t(7));
        std::vector<std::string> places;
        for (const Error& error : csv->left) places.push_back(error.where);
        QCOMPARE(places, (std::vector<std::string>{"curve:3", "curve:4", "curve:5", "curve:6", "curve:7"}));
        QVERIFY(csv->left[3].text().find("has two values for the same date") != std::string::npos);
        QCOMPARE(words(csv->counts()), std::string("7 rows: 2 read, 5 skipped"));

        const auto json = importers::readDemand(R"({"points": [{"date": "2026-01", "accelerators": 10}, {"date": 5, "accelerators": 1}],
            "laws": [{"start": "2026-01", "accelerators": 1, "multiply": 0, "years": 1},
                     {"start": "2026-01", "accelerators": 20, "add": 1, "years": 1, "until": "2027-01"}]})",
                                                "curve");
        QVERIFY2(json, json ? "" : json.error().text().c_str());
        QCOMPARE(json->rows, std::size_t(4));
        QCOMPARE(json->left.size(), std::size_t(2));
        QCOMPARE(json->left[0].where, std::string("curve: points[1].date"));
        QCOMPARE(json->left[1].where, std::string("curve: laws[0].multiply"));
    }

    void badCurves_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("empty") << QByteArray("") << QByteArray("contains no demand");
        QTest::newRow("header only") << QByteArray("date,accelerators\n") << QByteArray("contains no demand");
        QTest::newRow("header") << QByteArray("when,what\n2026-01,5\n") << QByteArray("curve:1: header must be");
        QTest::newRow("date") << QByteArray("date,accelerators\n\n2026-13,5\n") << QByteArray("curve:3: '2026-13' is not a valid date");
        QTest::newRow("number") << QByteArray("date,accelerators\n2026-01,many\n") << QByteArray("curve:2: 'many' is not a valid accelerator count");
        QTest::newRow("negative") << QByteArray("date,accelerators\n2026-01,-5\n") << QByteArray("'-5' is not a valid accelerator count");
        QTest::newRow("open quote") << QByteArray("date,accelerators,tenant\n2026-01,5,\"a\n") << QByteArray("curve:2: quotation mark is not closed");
        QTest::newRow("fields") << QByteArray("date,accelerators\n2026-01,5,a,b\n") << QByteArray("4 fields found");
        QTest::newRow("not JSON") << QByteArray("{\"laws\": [") << QByteArray("invalid JSON");
        QTest::newRow("key") << QByteArray("{\"lawz\": []}") << QByteArray("unknown key");
        QTest::newRow("no growth") << QByteArray("{\"laws\": [{\"start\": \"2026-01\", \"accelerators\": 1}]}")
                                   << QByteArray("must have exactly one of multiply, percent, percent_per_quarter and add");
        QTest::newRow("no period") << QByteArray("{\"laws\": [{\"start\": \"2026-01\", \"accelerators\": 1, \"multiply\": 2}]}")
                                   << QByteArray("period is missing");
        QTest::newRow("zero factor") << QByteArray("{\"laws\": [{\"start\": \"2026-01\", \"accelerators\": 1, \"multiply\": 0, \"years\": 1}]}")
                                     << QByteArray("out of range");
        QTest::newRow("wrong type") << QByteArray("{\"points\": [{\"date\": 5, \"accelerators\": 1}]}") << QByteArray("is not a string");
        QTest::newRow("point is a number") << QByteArray("{\"points\": [5]}") << QByteArray("not an object");
    }
    void badCurves()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto curve = importers::readDemand(text.toStdString(), "curve");
        QVERIFY(!curve.has_value());
        QCOMPARE(int(curve.error().code), int(ErrorCode::Unreadable));
        QVERIFY2(QByteArray::fromStdString(curve.error().text()).contains(says), curve.error().text().c_str());
    }

    /// CHECKS P6 on a pod of HPN: 15,360 stand there, 30,720 ports at two each, 18 MW over the power of a host.
    void limitsOfAPod()
    {
        const auto catalog = *Catalog::load(HW_RESOURCES "/catalog");
        const auto design = *Template::load(HW_RESOURCES "/templates/hpn.yaml");
        const auto figures = *computeFigures(*instantiate(design, {{"segments", 2}}, catalog));
        std::map<std::string, std::int64_t> carries;
        for (const auto& limit : designLimits(*figures)) carries[limit.resource + " " + limit.building] = limit.accelerators;
        QCOMPARE(carries.at("servers "), std::int64_t(2048));
        QCOMPARE(carries.at("ports "), std::int64_t(2048));
        QVERIFY(carries.at("racks ") >= 2048);
        double it = 0, limit = 0;
        figures->snapshot->buildings.forEach([&](BuildingId id) {
            if (figures->snapshot->buildings.kind[id] != BuildingKind::Pod) return;
            it += toWatts(figures->power->building(id).at(PowerBasis::Design));
            limit += toWatts(figures->snapshot->buildings.itLimit[id]);
        });
        QCOMPARE(carries.at("power "), std::int64_t(limit / (it / 256) + 1e-9) * 8);

        auto typed = std::make_shared<Snapshot>(*figures->snapshot); // the same limit, stated by the racks' type alone
        for (const RackId rack : typed->racks.ids()) typed->racks.powerLimit.set(rack, Milliwatts());
        for (const auto& each : designLimits(**computeFigures(typed)))
            if (each.resource == "racks") QCOMPARE(each.accelerators, carries.at("racks " + each.building));
        for (const RackId rack : typed->racks.ids()) typed->racks.powerLimit.set(rack, watts(1'000'000));
        for (const auto& each : designLimits(**computeFigures(typed)))
            if (each.resource == "racks") QVERIFY(each.accelerators > carries.at("racks " + each.building));
    }
};

QTEST_APPLESS_MAIN(DemandTest)

#include "test_demand.moc"

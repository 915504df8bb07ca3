// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli_process.h"

#include <QTemporaryDir>
#include <QtTest>

/// `impact --json` as CLI.md fixes it.
class CliImpactTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_file;

    static void hasItsKeys(const nlohmann::json& row)
    {
        for (const char* key : {"gpus_lost", "gpus_degraded", "hosts_lost", "ports_lost", "nics_lost", "nics_half"})
            for (const char* suffix : {"", "_backup"}) QVERIFY2(row.value(std::string(key) + suffix, nlohmann::json()).is_number_integer(), key);
        QVERIFY(row["devices_dark"].is_number_integer());
        for (const char* key : {"devices_interrupted", "hosts_interrupted", "hosts_interrupted_backup", "elements_tripped"})
            QVERIFY2(row.value(key, nlohmann::json()).is_number_integer(), key);
        QVERIFY(row["cooling_short_w"].is_number() && row["cooling_lost_w"].is_number() && row["tripped"].is_array());
        QVERIFY(row.contains("ride_through_s") && (row["ride_through_s"].is_null() || row["ride_through_s"].is_number()));
        QVERIFY(row["bisection_share"].is_number());
        QVERIFY(row["failed"].is_array() && !row["failed"].empty());
        for (const auto& lost : row["redundancy_lost"]) QVERIFY(lost["entity"].is_string() && lost["what"].is_string());
        QVERIFY(!row["cascade"].empty());
        for (const auto& step : row["cascade"]) QVERIFY(step["after_s"].is_number() && step["entity"].is_string() && step["because"].is_string());
    }

private slots:
    void initTestCase()
    {
        m_file = m_folder.filePath("one.hall");
        QCOMPARE(runCli({"new", "hpn", "-o", m_file, "--set", "segments=1"}).code, 0);
    }

    void oneTor()
    {
        const CliRun run = runCli({"impact", m_file, "pod1-seg01-tor-rail1-plane1", "--json"});
        QCOMPARE(run.code, 0);
        const auto json = run.json();
        QCOMPARE(json["schema"].get<std::string>(), std::string("hallwright.impact/1"));
        hasItsKeys(json);
        QCOMPARE(json["ports_lost"].get<int>(), 128);
        QCOMPARE(json["ports_lost_backup"].get<int>(), 8);
        QCOMPARE(json["nics_half"].get<int>(), 128);
        QCOMPARE(json["nics_half_backup"].get<int>(), 8);
        QCOMPARE(json["gpus_lost"].get<int>(), 0);
        QCOMPARE(json["cascade"][0]["entity"].get<std::string>(), std::string("pod1-seg01-tor-rail1-plane1"));
    }

    void severalTogether()
    {
        const auto json = runCli({"impact", m_file, "pod1-seg01-tor-rail1-plane1", "pod1-seg01-tor-rail1-plane2", "--json"}).json();
        QCOMPARE(json["failed"].size(), std::size_t(2));
        QCOMPARE(json["nics_lost"].get<int>(), 128);
        QCOMPARE(json["gpus_lost"].get<int>(), 0);
    }

    /// With --air, the air of the hall whose unit fails: that of `air --failed`. What keeps all units changes no air.
    void airBeforeAndAfter()
    {
        const QString hall = m_folder.filePath("air.hall");
        QCOMPARE(runCli({"new", "fat-tree-2", "-o", hall, "--set", "segments=1"}).code, 0);
        const auto json = runCli({"impact", hall, "fanwall1-01", "--air", "--cells", "2000", "--json"}).json();
        QCOMPARE(json["air"].size(), std::size_t(1));
        const auto alone = runCli({"air", hall, "--failed", "fanwall1-01", "--cells", "2000", "--json"}).json();
        QVERIFY(json["air"][0] == alone);
        QVERIFY(alone["failed"][0] == "fanwall1-01" && alone["racks"][0].contains("before_inlet_max_c"));
        QVERIFY(runCli({"impact", hall, "fanwall1-01", "--air", "--cells", "2000"}).out.contains("Before and after the failure"));
        const auto two = runCli({"impact", hall, "fanwall1-01", "fanwall1-02", "--air", "--cells", "2000", "--json"}).json();
        QVERIFY2(two["air"][0]["error"].get<std::string>().find("temperatures rise without end") != std::string::npos, two["air"].dump().c_str());
        QVERIFY(runCli({"impact", hall, "c01-r1-01", "--air", "--cells", "2000", "--json"}).json()["air"].empty());
        QCOMPARE(runCli({"impact", hall, "--air"}).code, 2);
        QCOMPARE(runCli({"impact", hall, "fanwall1-01", "--cells", "2000"}).code, 2);
    }

    /// Batteries carry until the generators run; chillers need 610 s to start again, and the tanks that the water flows through last longer.
    /// The breaker of a board is an element, too.
    void inOrderOfTime()
    {
        const auto json = runCli({"impact", m_file, "utility-a", "utility-b", "--json"}).json();
        QCOMPARE(json["hosts_lost"].get<int>(), 0);
        QCOMPARE(json["gpus_lost"].get<int>(), 0);
        QCOMPARE(json["hosts_interrupted"].get<int>(), 0);
        QCOMPARE(json["ride_through_of"].get<std::string>(), std::string("air")); // fan walls stand until the generators run
        QVERIFY(json["ride_through_s"].get<double>() >= 120);
        double last = 0, started = -1;
        for (const auto& step : json["cascade"]) {
            QVERIFY(step["after_s"].get<double>() >= last);
            last = step["after_s"].get<double>();
            if (step["because"].get<std::string>().find("run") != std::string::npos && started < 0) started = last;
        }
        QCOMPARE(started, 10.0);
        QVERIFY(runCli({"impact", m_file, "utility-a"}).out.contains("on battery, carrying"));
        const auto breaker = runCli({"impact", m_file, "pod1-switchboard1-1:In1", "--json"}).json();
        QCOMPARE(breaker["failed"][0].get<std::string>(), std::string("pod1-switchboard1-1:In1"));
        QVERIFY(breaker["cascade"].back()["after_s"].get<double>() > 60); // batteries: central sets do not reach a board behind an open breaker
        QVERIFY(runCli({"impact", m_file, "spine-pod1-plane1"}).out.contains("data links are routed through it"));
    }

    void ranking()
    {
        const CliRun run = runCli({"impact", m_file, "--json", "--pairs"});
        QCOMPARE(run.code, 0);
        const auto json = run.json();
        QCOMPARE(json["schema"].get<std::string>(), std::string("hallwright.impact/1"));
        QVERIFY(json["ranking"].size() > 100);
        int last = std::numeric_limits<int>::max();
        for (const auto& row : json["ranking"]) {
            QVERIFY(row["entity"].is_string());
            hasItsKeys(row);
            QVERIFY(row["gpus_lost"].get<int>() <= last);
            last = row["gpus_lost"].get<int>();
        }
        QVERIFY(!json["pairs"].empty());
        hasItsKeys(json["pairs"][0]);
        QCOMPARE(json["pairs"][0]["failed"].size(), std::size_t(2));
        QCOMPARE(json["pairs_left_out"].get<int>(), 0);
    }

    void forPeople()
    {
        QVERIFY(runCli({"impact", m_file}).out.contains("pod1-seg01-tor-rail1-plane1"));
        QVERIFY(runCli({"impact", m_file, "pod1-seg01-tor-rail1-plane1"}).out.contains("128 plus 8 backup"));
    }

    void wrongNames()
    {
        const CliRun run = runCli({"impact", m_file, "nothing-of-this-name"});
        QCOMPARE(run.code, 3);
        QVERIFY(run.errorLine().startsWith("error: nothing-of-this-name: "));
        QVERIFY(run.out.isEmpty());
        QVERIFY(runCli({"impact", m_file, "utilty-a"}).errorLine().contains("utility-a"));
        QVERIFY(runCli({"impact", m_file, "pod1-switchboard1-1:Wax"}).errorLine().contains("Way1"));
        QCOMPARE(runCli({"impact", m_file, "backend"}).code, 3);
        QCOMPARE(runCli({"impact", m_file, "pod1-seg01-tor-rail1-plane1", "--pairs"}).code, 2);
        QCOMPARE(runCli({"impact", m_folder.filePath("missing.hall")}).code, 4);
    }
};

QTEST_GUILESS_MAIN(CliImpactTest)
#include "cli_impact_test.moc"

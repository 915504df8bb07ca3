// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli_process.h"

#include <QTemporaryDir>
#include <QtTest>

/// The published numbers (CHECKS P1, P2, P3) as `report --json` gives them.
class CliNumbersTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    nlohmann::json report(const QString& design, const QStringList& set, const QStringList& options = {})
    {
        const QString file = m_folder.filePath(design + set.join('-') + ".hall");
        QStringList arguments{"new", design, "-o", file};
        for (const QString& one : set) arguments << "--set" << one;
        if (!QFile::exists(file))
            if (const CliRun made = runCli(arguments); made.code != 0) throw std::runtime_error(made.error.toStdString());
        const CliRun run = runCli(QStringList{"report", file, "--json"} + options);
        if (run.code != 0) throw std::runtime_error(run.error.toStdString());
        return run.json();
    }

    static const nlohmann::json& tier(const nlohmann::json& report, const std::string& name)
    {
        for (const auto& t : report["networks"][0]["tiers"])
            if (t["name"] == name) return t;
        throw std::runtime_error("unknown tier '" + name);
    }

    static nlohmann::json link(const nlohmann::json& report, const std::string& from, const std::string& to)
    {
        for (const auto& l : report["networks"][0]["links"])
            if (l["from"] == from && l["to"] == to) return {l["active"], l["backup"], l["rate_gbps"]};
        throw std::runtime_error("no links " + from + " – " + to);
    }

    static int ports(const nlohmann::json& report, const std::string& tierName, const std::string& role, const char* what)
    {
        int sum = 0;
        for (const auto& p : tier(report, tierName)["ports"])
            if (p["role"] == role) sum += p[what].get<int>();
        return sum;
    }

    static bool near(const nlohmann::json& value, double expected) { return std::abs(value.get<double>() - expected) <= 1e-3 * expected; }

private slots:
    void dcnPlus() // P1
    {
        const auto r = report("dcn-plus", {});
        QCOMPARE(r["schema"].get<std::string>(), std::string("hallwright.report/1"));
        QCOMPARE(r["accelerators"]["active"].get<int>(), 16384);
        QCOMPARE(r["networks"][0]["pods"].get<int>(), 32);
        QCOMPARE(r["networks"][0]["segments"].get<int>(), 4);
        QCOMPARE(r["networks"][0]["planes"].get<int>(), 1);
        QCOMPARE(r["networks"][0]["rails"].get<int>(), 1);
        QCOMPARE(tier(r, "tor")["switches"].get<int>(), 256);
        QCOMPARE(tier(r, "agg")["switches"].get<int>(), 256);
        QCOMPARE(tier(r, "core")["switches"].get<int>(), 128);
        for (const char* name : {"tor", "agg", "core"}) QVERIFY(near(tier(r, name)["oversubscription"], 1.0));
        QVERIFY(link(r, "server", "tor") == nlohmann::json({32768, 0, 200}));
        QVERIFY(link(r, "tor", "agg") == nlohmann::json({16384, 0, 400}));
        QVERIFY(link(r, "agg", "core") == nlohmann::json({16384, 0, 400}));
        QVERIFY(near(r["networks"][0]["oversubscription_end_to_end"], 1.0));
        QVERIFY(r["networks"][0]["connected"].get<bool>());
    }

    void hpnPod() // P2
    {
        const auto r = report("hpn", {});
        QCOMPARE(r["accelerators"]["active"].get<int>(), 15360);
        QCOMPARE(r["accelerators"]["backup"].get<int>(), 960);
        QCOMPARE(r["servers"]["active"].get<int>(), 1920);
        QCOMPARE(r["servers"]["backup"].get<int>(), 120);
        QCOMPARE(r["networks"][0]["planes"].get<int>(), 2);
        QCOMPARE(r["networks"][0]["rails"].get<int>(), 8);
        QCOMPARE(r["networks"][0]["segments"].get<int>(), 15);
        QCOMPARE(tier(r, "tor")["switches"].get<int>() + tier(r, "agg")["switches"].get<int>(), 360);
        QVERIFY(near(tier(r, "tor")["oversubscription"], 16.0 / 15));
        QVERIFY(near(tier(r, "tor")["oversubscription_with_backup"], 17.0 / 15));
        QVERIFY(near(tier(r, "agg")["oversubscription"], 15));
        QVERIFY(link(r, "server", "tor") == nlohmann::json({30720, 1920, 200}));
        QVERIFY(link(r, "tor", "agg") == nlohmann::json({14400, 0, 400}));
        QVERIFY(link(r, "agg", "core") == nlohmann::json({960, 0, 400}));
        QVERIFY(near(r["networks"][0]["oversubscription_end_to_end"], 16));
        QCOMPARE(ports(r, "tor", "down", "total"), 240 * 128);
        QCOMPARE(ports(r, "tor", "backup", "total"), 240 * 8);
        QCOMPARE(ports(r, "tor", "up", "total"), 240 * 60);
        QCOMPARE(ports(r, "core", "down", "used"), 960);
        // back end; front end, storage, management (tests/template/test_hpn_networks.cpp)
        QCOMPARE(r["fibre"]["cables"].get<int>(), 30720 + 1920 + 14400 + 960 + 8240 + 948 + 4538);
    }

    void hpnCore_data() // P3
    {
        QTest::addColumn<int>("pods");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<int>("switches");
        QTest::addColumn<int>("portsPerCore");
        QTest::newRow("7 pods") << 7 << 107520 << 2584 << 105;
        QTest::newRow("8 pods") << 8 << 122880 << 2944 << 120;
    }

    void hpnCore()
    {
        QFETCH(int, pods);
        QFETCH(int, gpus);
        QFETCH(int, switches);
        QFETCH(int, portsPerCore);
        const auto r = report("hpn", {"pods=" + QString::number(pods)});
        QCOMPARE(r["accelerators"]["active"].get<int>(), gpus);
        QCOMPARE(tier(r, "tor")["switches"].get<int>() + tier(r, "agg")["switches"].get<int>() + tier(r, "core")["switches"].get<int>(), switches);
        QCOMPARE(ports(r, "core", "down", "used"), 64 * portsPerCore);
        QCOMPARE(ports(r, "core", "down", "total"), 64 * 128);
        QVERIFY(near(r["networks"][0]["oversubscription_end_to_end"], 16));
    }

    void hpnFewerSegments() // "8 HPN segments give the aggregation tier 8"
    {
        QVERIFY(near(tier(report("hpn", {"segments=8"}), "agg")["oversubscription"], 8));
    }

    void siteLimitByBasis() // SAMPLES: 99 % of 18 MW as designed, 22 MW at nameplate
    {
        const auto design = report("hpn", {}), nameplate = report("hpn", {}, {"--basis", "nameplate"});
        QCOMPARE(design["power"]["basis"].get<std::string>(), std::string("design"));
        QVERIFY(design["site"]["fits"].get<bool>());
        const double share = design["power"]["it_w"].get<double>() / 18e6;
        QVERIFY2(share > 0.98 && share < 1.0, qPrintable(QString::number(share)));
        QCOMPARE(nameplate["power"]["basis"].get<std::string>(), std::string("nameplate"));
        QVERIFY(!nameplate["site"]["fits"].get<bool>());
        QVERIFY(nameplate["power"]["it_w"].get<double>() > 21e6);
    }
};

QTEST_GUILESS_MAIN(CliNumbersTest)
#include "cli_numbers_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli_process.h"

#include <QTemporaryDir>
#include <QtTest>

/// `hydraulics`: answers, exit codes, and nothing half-written.
class CliHydraulicsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString file(const QByteArray& text)
    {
        QFile out(m_folder.filePath("in.json"));
        if (!out.open(QIODevice::WriteOnly)) qFatal("no file");
        out.write(text);
        return out.fileName();
    }
    static QByteArray loop(const QByteArray& valve, const QByteArray& demand = "0")
    {
        return R"({"formula": "darcy-weisbach", "coolant": "pg25", "temperature_c": 36, "nodes": [
            {"id": "vessel", "kind": "fixed", "head_m": 20}, {"id": "supply", "kind": "junction"},
            {"id": "out", "kind": "junction", "demand_lps": )" +
               demand + R"(}], "links": [
            {"id": "pump", "kind": "pump", "from": "vessel", "to": "supply", "curve_lps_m": [[0, 32], [1, 30], [2, 24]]},
            {"id": "plate", "kind": "cold-plate", "from": "supply", "to": "out", "at_lps": 1, "loss_kpa": 50},
            {"id": "valve", "kind": "valve", "from": "out", "to": "vessel", )" +
               valve + "}]}";
    }

private slots:
    void answers()
    {
        const QString out = m_folder.filePath("out.json");
        for (const char* name : {"net1", "row16-direct", "row16-reverse"}) {
            const QString in = QStringLiteral(HW_TEST_DATA "/hydraulics/%1.json").arg(name);
            const CliRun run = runCli({"hydraulics", in, "-o", out});
            QCOMPARE(run.code, 0);
            QVERIFY(run.out.contains("Pump") && run.out.contains("Verification"));
            QFile theirsFile(in), oursFile(out);
            QVERIFY(theirsFile.open(QIODevice::ReadOnly) && oursFile.open(QIODevice::ReadOnly));
            const auto theirs = nlohmann::json::parse(theirsFile.readAll().toStdString()),
                       ours = nlohmann::json::parse(oursFile.readAll().toStdString());
            for (std::size_t n = 0; n < theirs["nodes"].size(); ++n)
                QVERIFY(std::abs(theirs["nodes"][n]["head_m"].get<double>() - ours["nodes"][n]["head_m"].get<double>()) < 0.003);
            for (std::size_t l = 0; l < theirs["links"].size(); ++l) {
                const double wanted = theirs["links"][l]["flow_lps"];
                QVERIFY(std::abs(wanted - ours["links"][l]["flow_lps"].get<double>()) <= 1e-4 * std::abs(wanted));
            }
        }
    }

    /// 815 L of PG25 take 2 MW for 24 s at 15 K, two rows of 14 cabinets take 3,927 L/min at 12 K by planners' rule, and what the
    /// polynomials say parts from it by less than 0.6 % from 10 to 65 °C.
    void coolants()
    {
        const auto asked = runCli({"coolant", "pg25", "--at", "37.5", "--delta", "15", "--heat", "2e6", "--liters", "815", "--json"}).json();
        QVERIFY(std::abs(asked["ride_through_s"].get<double>() - 24.5) < 0.15);
        QVERIFY(asked["litres"] == asked["liters"] && asked["deprecated"]["litres"] == "liters");
        QCOMPARE(runCli({"coolant", "pg25", "--at", "37.5", "--delta", "15", "--heat", "2e6", "--litres", "815", "--json"}).json(), asked);
        for (const char* celsius : {"10", "25", "36", "50", "65"}) {
            const auto json = runCli({"coolant", "pg25", "--at", celsius, "--heat", "3.1416e6", "--json"}).json();
            QVERIFY(std::abs(json["rule_lpm_per_kw"].get<double>() * 3141.6 - 3927) < 0.5);
            QVERIFY2(std::abs(json["flow_lpm"].get<double>() / 3927 - 1) < 0.0061, celsius);
        }
        QVERIFY(runCli({"coolant", "water", "--at", "30", "--json"}).json()["rule_lpm_per_kw"].is_null());
        QVERIFY(runCli({"coolant"}).out.contains("pg25"));
        QCOMPARE(runCli({"coolant", "pg26"}).code, 2);
        QCOMPARE(runCli({"coolant", "pg25", "--litres", "815"}).code, 2);
        QCOMPARE(runCli({"coolant", "pg25", "--heat", "-1"}).code, 3);
        QCOMPARE(runCli({"coolant", "pg25", "--delta", "nan"}).code, 3);
        QCOMPARE(runCli({"coolant", "pg25", "--at", "140"}).code, 3);
    }

    void balances()
    {
        const CliRun run = runCli({"hydraulics", file(loop(R"("wanted_lps": 1.2)")), "--json"});
        QCOMPARE(run.code, 0);
        const auto json = run.json();
        QCOMPARE(json["schema"].get<std::string>(), std::string("hallwright.hydraulics/1"));
        QVERIFY(std::abs(json["links"][0]["flow_lps"].get<double>() - 1.2) < 1e-6);
        QVERIFY(json["links"][2]["set_kv_m3_h"].get<double>() > 1);
        QVERIFY(runCli({"hydraulics", file(loop(R"("wanted_lps": 1.2)"))}).out.contains("Valve valve: Kv"));
    }

    void saysNo()
    {
        const CliRun weak = runCli({"hydraulics", file(loop(R"("wanted_lps": 3)"))});
        QCOMPARE(weak.code, 3);
        QVERIFY(weak.errorLine().contains("more head at valve"));
        const QByteArray shut = loop(R"("kv_m3_h": 5, "open": false)", "1");
        QCOMPARE(runCli({"hydraulics", file(shut)}).code, 0); // the pump brings it
        QByteArray both = shut;
        both.replace(R"("at_lps": 1)", R"("open": false, "at_lps": 1)");
        const CliRun dry = runCli({"hydraulics", file(both), "-o", m_folder.filePath("none.json")});
        QCOMPARE(dry.code, 3);
        QVERIFY(dry.errorLine().contains("in.json: links: no open path supplies the demand of out"));
        QVERIFY(!QFile::exists(m_folder.filePath("none.json")));
    }

    /// A pump of one point against 20 m; the demand follows its pattern.
    void epanetNetwork()
    {
        const QString in = file("[JUNCTIONS]\nJ1 0 5 day\n[RESERVOIRS]\nR1 0\n[PIPES]\nP1 R1 J1 100 300 130 0 Open\n[PATTERNS]\nday 1 2\n"
                                "[OPTIONS]\nUNITS LPS\n[END]\n");
        const QString out = m_folder.filePath("solved.json");
        QCOMPARE(runCli({"hydraulics", in, "-o", out}).code, 0);
        const CliRun later = runCli({"hydraulics", in, "--hour", "1", "--json"});
        QCOMPARE(later.code, 0);
        QVERIFY(later.out.contains("\"flow_lps\": 10.0"));
        QCOMPARE(runCli({"hydraulics", in, "--hour", "-1"}).code, 2);
        const CliRun again = runCli({"hydraulics", out}); // it is a network of ours now
        QCOMPARE(again.code, 0);
    }

    void cannotRead()
    {
        QCOMPARE(runCli({"hydraulics", m_folder.filePath("missing.json")}).code, 4);
        QCOMPARE(runCli({"hydraulics", file("{")}).code, 4);
        const CliRun key = runCli({"hydraulics", file(loop(R"("kv_m3_h": -5)"))});
        QCOMPARE(key.code, 4);
        QVERIFY(key.errorLine().contains("in.json: links[2].kv_m3_h: \"valve\""));
        QCOMPARE(runCli({"hydraulics", file(loop(R"("kv_m3_h": 5)")), "--coolants", m_folder.filePath("missing.yaml")}).code, 4);
        QCOMPARE(runCli({"hydraulics", file(loop(R"("kv_m3_h": 5)")), "-o", m_folder.filePath("no/folder/out.json")}).code, 4);
        const CliRun epanet =
            runCli({"hydraulics", file("[TITLE]\nOwn network\n[JUNCTIONS]\nJ1 10 5\n[PIPES]\nP1 R1 J1 100 300 130 0 Open\n[END]\n")});
        QCOMPARE(epanet.code, 4);
        QVERIFY2(epanet.errorLine().contains("in.json: has fewer than two nodes"), qPrintable(epanet.errorLine()));
        QCOMPARE(runCli({"hydraulics", file(loop(R"("kv_m3_h": 5)")), "--hour", "3"}).code, 2);
        QCOMPARE(runCli({"hydraulics"}).code, 2);
        QCOMPARE(runCli({"hydraulics", file("{}"), "--nonsense"}).code, 2);
    }

    void ownCoolant()
    {
        QFile more(m_folder.filePath("more.yaml"));
        QVERIFY(more.open(QIODevice::WriteOnly));
        more.write("coolants:\n  pg40: {fluid: propylene-glycol, fraction: 0.4, title: Forty}\n");
        more.close();
        QByteArray text = loop(R"("kv_m3_h": 5)");
        text.replace("pg25", "pg40");
        QCOMPARE(runCli({"hydraulics", file(text)}).code, 4);
        QCOMPARE(runCli({"hydraulics", file(text), "--coolants", more.fileName()}).code, 0);
    }
};

QTEST_GUILESS_MAIN(CliHydraulicsTest)
#include "cli_hydraulics_test.moc"

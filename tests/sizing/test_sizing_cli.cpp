// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_process.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

/// `size`, `compare` and `demand` as scripts call them: output, exit codes, errors.
class SizingCliTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString written(const QString& name, const QByteArray& text)
    {
        QFile file(m_folder.filePath(name));
        if (file.open(QIODevice::WriteOnly)) file.write(text);
        return file.fileName();
    }

    QString pod()
    {
        const QString file = m_folder.filePath("pod.hall");
        if (!QFile::exists(file) && runCli({"new", "hpn", "-o", file, "--set", "segments=2", "--set", "networks=backend"}).code != 0)
            qFatal("no pod");
        return file;
    }

private slots:
    void size()
    {
        const CliRun run = runCli({"size", "--accelerators", "100000", "--template", "hpn", "--json"});
        QCOMPARE(run.code, 0);
        const auto json = run.json();
        QCOMPARE(json["schema"].get<std::string>(), std::string("hallwright.size/1"));
        QCOMPARE(json["designs"].size(), std::size_t(1));
        QCOMPARE(json["designs"][0]["accelerators"]["active"].get<int>(), 100'352); // 98 segments in seven pods of 14
        QCOMPARE(json["designs"][0]["network"]["switches"].get<int>(), 98 * 16 + 7 * 120 + 64);
        QVERIFY(runCli({"size", "--accelerators", "15360"}).out.contains("Pareto-optimal"));
    }

    /// What fits into 18 MW, or 400 racks, or a hall; each with what ends it.
    void sizeWithinLimits()
    {
        const CliRun run = runCli({"size", "--limit-mw", "18", "--template", "hpn", "--json"});
        QCOMPARE(run.code, 0);
        const auto json = run.json();
        QCOMPARE(json["designs"].size(), std::size_t(1));
        const auto& design = json["designs"][0];
        QVERIFY(design["limits"][0]["share"].get<double>() <= 1.0 && design["limits"][0]["share"].get<double>() > 0.9);
        QVERIFY(!design["binding"].get<std::string>().empty());
        const CliRun both = runCli({"size", "--limit-mw", "18", "--limit-racks", "400", "--template", "hpn"});
        QCOMPARE(both.code, 0);
        QVERIFY2(both.out.contains("racks 416 of 400 in the next larger design"), both.out.constData());
        QVERIFY(runCli({"size", "--limit-hall", "60x25", "--template", "rail-optimized-2"}).out.contains("hall"));
        QCOMPARE(runCli({"size", "--limit-mw", "0.1", "--template", "hpn"}).code, 3);
        QCOMPARE(runCli({"size", "--limit-racks", "100", "--template", "hpn"}).code, 3); // one segment with its network takes 128
        QCOMPARE(
            runCli({"size", "--accelerators", "1024", "--template", "rail-optimized-2", "--server", "hgx-h100", "--switch", "51t-128x400g"}).code, 0);
    }

    void sizeAnswersNo()
    {
        const CliRun run = runCli({"size", "--accelerators", "200000", "--template", "hpn"});
        QCOMPARE(run.code, 3);
        QVERIFY(run.out.contains("no matching design"));
        QCOMPARE(runCli({"size", "--accelerators", "4096", "--template", "hpn", "--growth", "to", "200000"}).code, 3);
        QCOMPARE(runCli({"size", "--accelerators", "4096", "--template", "hpn", "--growth", "50%"}).code, 0);
    }

    void wrongUsage_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::newRow("nothing asked") << QStringList{"size"} << 2;
        QTest::newRow("zero") << QStringList{"size", "--accelerators", "0"} << 3;
        QTest::newRow("no planes") << QStringList{"size", "--accelerators", "8", "--planes", "0"} << 3;
        QTest::newRow("no tiers") << QStringList{"size", "--accelerators", "8", "--tiers", "-1"} << 3;
        QTest::newRow("negative") << QStringList{"size", "--accelerators", "-8"} << 3;
        QTest::newRow("not a number") << QStringList{"size", "--accelerators", "many"} << 2;
        QTest::newRow("unknown server") << QStringList{"size", "--accelerators", "8", "--server", "nonesuch"} << 2;
        QTest::newRow("a cable as switch") << QStringList{"size", "--accelerators", "8", "--switch", "lc-os2"} << 2;
        QTest::newRow("unknown template") << QStringList{"size", "--accelerators", "8", "--template", "nonesuch"} << 2;
        QTest::newRow("hall") << QStringList{"size", "--limit-hall", "large"} << 2;
        QTest::newRow("no power") << QStringList{"size", "--limit-mw", "0"} << 3;
        QTest::newRow("basis of nothing") << QStringList{"size", "--accelerators", "8", "--limit-basis", "facility"} << 2;
        QTest::newRow("class") << QStringList{"size", "--accelerators", "8", "--class", "abacus"} << 2;
        QTest::newRow("growth beyond what fits") << QStringList{"size", "--limit-mw", "5", "--growth", "50%"} << 2;
        QTest::newRow("growth") << QStringList{"size", "--accelerators", "8", "--growth", "much"} << 2;
        QTest::newRow("ratio") << QStringList{"size", "--accelerators", "8", "--max-oversubscription", "0.5"} << 3;
        QTest::newRow("compare with one") << QStringList{"compare", "hpn"} << 2;
        QTest::newRow("compare with nothing") << QStringList{"compare", "hpn", "nonesuch"} << 2;
        QTest::newRow("compare a missing file") << QStringList{"compare", "hpn", "/nonesuch.hall"} << 4;
        QTest::newRow("parameter of nobody") << QStringList{"compare", "hpn", "dcn-plus", "--set", "nonesuch=1"} << 2;
        QTest::newRow("bad value") << QStringList{"compare", "hpn", "dcn-plus", "--set", "pods=99"} << 3;
        QTest::newRow("demand without a curve") << QStringList{"demand", "x.hall"} << 2;
        QTest::newRow("curve missing") << QStringList{"demand", "x.hall", "--curve", "/nonesuch.csv"} << 4;
    }
    void wrongUsage()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        const CliRun run = runCli(arguments);
        QCOMPARE(run.code, code);
        QVERIFY2(!run.errorLine().isEmpty() && run.out.isEmpty(), run.error.constData());
    }

    void compareTemplates()
    {
        const QStringList small{"--set-a", "segments=1", "--set-b", "pods=2", "--set", "networks=backend"};
        const CliRun run = runCli(QStringList{"compare", "hpn", "dcn-plus", "--json"} + small);
        QCOMPARE(run.code, 0);
        const auto json = run.json();
        QCOMPARE(json["schema"].get<std::string>(), std::string("hallwright.compare/1"));
        bool found = false;
        for (const auto& row : json["rows"])
            if (row["key"] == "accelerators.active") {
                found = true;
                QCOMPARE(row["a"].get<int>(), 1024);
                QCOMPARE(row["b"].get<int>(), 1024);
                QVERIFY(row["same"].get<bool>());
            }
        QVERIFY(found);
        // that they are made of different servers is said first
        QVERIFY(!json["same_servers"].get<bool>());
        QCOMPARE(json["servers"][0]["a"].get<std::string>(), std::string("hpn-host-8gpu"));
        QCOMPARE(json["servers"][0]["b"].get<std::string>(), std::string("dcn-host-8gpu"));
        bool rate = false;
        for (const auto& row : json["servers"])
            if (row["key"] == "scale_up_gbps") rate = row["a"] == 1600 && row["b"] == 3600;
        QVERIFY(rate);
        const QByteArray text = runCli(QStringList{"compare", "hpn", "dcn-plus"} + small).out;
        QVERIFY2(text.indexOf("Different servers") >= 0 && text.indexOf("Different servers") < text.indexOf("Cost per accelerator"),
                 text.constData());
        const CliRun same = runCli({"compare", "hpn", "hpn", "--set-a", "segments=1", "--set-b", "segments=2", "--set", "networks=backend"});
        QVERIFY(!same.out.contains("Different servers"));
        QCOMPARE(runCli(QStringList{"compare", "hpn", "dcn-plus", "--expect-same"} + small).code, 3);
    }

    void compareProjects()
    {
        QCOMPARE(runCli({"compare", pod(), pod(), "--expect-same"}).code, 0);
        QCOMPARE(runCli({"compare", pod(), "hpn", "--set", "segments=2", "--set", "networks=backend", "--expect-same"}).code, 0);
        const CliRun run = runCli({"compare", pod(), "hpn", "--set", "segments=1", "--set", "networks=backend", "--differences"});
        QCOMPARE(run.code, 0);
        QVERIFY(run.out.contains("accelerators") && !run.out.contains(" = "));
    }

    void demand()
    {
        const QString curve = written("curve.csv", "date,accelerators,tenant\n2026-01-01,1000,a\n2026-08-15,1500,b\n2027-02-01,130000,c\n");
        const CliRun run = runCli({"demand", pod(), "--curve", curve, "--json"});
        QCOMPARE(run.code, 0);
        const auto json = run.json();
        QCOMPARE(json["schema"].get<std::string>(), std::string("hallwright.demand/1"));
        std::map<std::string, std::string> when;
        for (const auto& limit : json["limits"])
            if (limit["building"].is_null()) when[limit["resource"]] = limit["runs_out"].is_null() ? "lasts" : limit["runs_out"].get<std::string>();
        QCOMPARE(when.at("servers"), std::string("2026 Q3"));
        QCOMPARE(when.at("ports"), std::string("2026 Q3"));
        QCOMPARE(when.at("template"), std::string("2027 Q1"));
        QVERIFY(runCli({"demand", pod(), "--curve", curve}).out.contains("In 2026 Q3"));
        QCOMPARE(runCli({"demand", pod(), "--curve", written("bad.csv", "date,accelerators\nsoon,5\n")}).code, 4);
    }

    /// Which pods when: 8,000 take a part of one pod in the first quarter, 20,000 one and five segments, 40,000 two and ten.
    void sizeWithACurve()
    {
        const QString curve = written("pods.csv", "date,accelerators\n2026-01-01,8000\n2026-07-01,20000\n2027-01-01,40000\n");
        const CliRun run = runCli({"size", "--curve", curve, "--template", "hpn", "--json"});
        QCOMPARE(run.code, 0);
        const auto json = run.json();
        QCOMPARE(json["request"]["accelerators"].get<int>(), 40'000);
        const auto& stages = json["designs"][0]["stages"];
        QCOMPARE(stages.size(), std::size_t(3));
        QCOMPARE(stages[0]["quarter"].get<std::string>(), std::string("2026 Q1"));
        QCOMPARE(stages[0]["accelerators"].get<int>(), 8192);
        QCOMPARE(stages[1]["quarter"].get<std::string>(), std::string("2026 Q3"));
        QCOMPARE(stages[1]["accelerators"].get<int>(), 20'480);
        QCOMPARE(stages[2]["accelerators"].get<int>(), 40'960);
    }
};

QTEST_APPLESS_MAIN(SizingCliTest)
#include "test_sizing_cli.moc"

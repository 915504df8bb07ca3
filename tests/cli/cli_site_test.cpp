// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli_process.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

/// From an empty site to a room that is drawn: `new empty` and `import dxf`.
class CliSiteTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString path(const QString& name) const { return m_folder.filePath(name); }
    static QString drawing(const QString& name) { return QStringLiteral(HW_TEST_DATA "/dxf/") + name; }
    static QByteArray read(const QString& name)
    {
        QFile file(name);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QString empty(const QString& name) const
    {
        QFile::remove(path(name));
        if (runCli({"new", "empty", "-o", path(name), "--name", "Far end"}).code != 0) qFatal("no empty project");
        return path(name);
    }
    QByteArray text(const QString& hall) const
    {
        QFile::remove(path("t.txt"));
        if (runCli({"export", "text", hall, "-o", path("t.txt")}).code != 0) return {};
        return read(path("t.txt"));
    }

private slots:
    void emptySite()
    {
        const QString hall = empty("e.hall");
        const QByteArray all = text(hall);
        QVERIFY(all.contains("\tsite\t") && all.contains("Far end"));
        const CliRun report = runCli({"report", hall, "--json"});
        QCOMPARE(report.code, 0);
        QCOMPARE(report.json()["design"]["name"].get<std::string>(), "Far end");
        QCOMPARE(report.json()["accelerators"]["active"].get<int>(), 0);
        QCOMPARE(report.json()["racks"]["total"].get<int>(), 0);
        const CliRun check = runCli({"check", hall, "--json"});
        QCOMPARE(check.code, 0);
        QCOMPARE(check.json()["errors"].get<int>(), 0);
        for (const char* output : {"bom", "cables"}) QCOMPARE(runCli({output, hall, "-o", path(QString(output) + ".csv")}).code, 0);
        QCOMPARE(runCli({"new", "empty", "-o", path("x.hall"), "--set", "pods=1"}).code, 2);
        QVERIFY(!QFile::exists(path("x.hall")));
    }

    /// The example hall, by script alone: a pod that does not fit and why, one that does, and its loss.
    void aPodInAGivenHall()
    {
        const QString hall = empty("given.hall");
        QCOMPARE(runCli({"import", "dxf", HW_EXAMPLES "/hall-120x20.dxf", "--into", hall}).code, 0);
        const auto edit = [&](const QByteArray& edits) {
            QFile script(path("edits.json"));
            if (!script.open(QIODevice::WriteOnly)) return CliRun{};
            script.write("{\"edits\": [" + edits + "]}");
            script.close();
            return runCli({"edit", hall, "--script", path("edits.json")});
        };
        QCOMPARE(edit(R"({"do": "use-template", "template": "no-such"})").code, 2);
        QCOMPARE(edit(R"({"do": "use-template", "template": "hpn", "parameters": {"segment": 3}})").code, 2);
        const CliRun used = edit(R"({"do": "set", "entity": "hall-120x20-hall", "column": "it_limit_mw", "value": "18 MW"},
                                    {"do": "use-template", "template": "nvl72"})");
        QVERIFY2(used.code == 0, used.error.constData());
        const CliRun refused = runCli({"layout", hall, "--json"});
        QCOMPARE(refused.code, 3);
        QCOMPARE(refused.json()["schema"].get<std::string>(), "hallwright.layout/1");
        QVERIFY(!refused.json()["fits"].get<bool>());
        const int fit = refused.json()["accelerators"]["fit"].get<int>();
        QVERIFY2(fit > 7'700 && fit <= 8'640 && fit % 72 == 0, std::to_string(fit).c_str()); // 15 scalable units of 1.2 MW, and what all share
        QCOMPARE(refused.json()["limits"][0]["kind"].get<std::string>(), "power");
        QVERIFY(edit(R"({"do": "layout"})").code == 3);
        const QString largest = path("largest.hall");
        QVERIFY(QFile::copy(hall, largest));
        const CliRun most = runCli({"layout", largest, "--as-many-as-fit", "--json"});
        QCOMPARE(most.code, 0);
        QVERIFY(!most.json()["fits"].get<bool>());
        QCOMPARE(most.json()["accelerators"]["laid_out"].get<int>(), fit);
        QCOMPARE(most.json()["limits"][0]["kind"].get<std::string>(), "power");
        QCOMPARE(runCli({"check", largest, "--rules", "S1,S2,S3,S4,S5,S8"}).code, 0);
        QCOMPARE(edit(R"({"do": "use-template", "template": "hpn", "parameters": {"segments": 12}})").code, 0);
        QCOMPARE(runCli({"layout", hall, "--hall", "hall"}).code, 3);
        QCOMPARE(runCli({"layout", hall, "--fast"}).code, 2);
        const CliRun laid = runCli({"layout", hall, "--hall", "hall-120x20-hall", "--json"});
        QVERIFY2(laid.code == 0, laid.out.constData());
        const auto objective = laid.json()["objective"];
        QVERIFY(objective["value"].get<double>() >= objective["lower_bound"].get<double>() && objective["lower_bound"].get<double>() > 0);
        const CliRun check = runCli({"check", hall, "--json"});
        QCOMPARE(check.json()["errors"].get<int>(), 0);
        const CliRun lost = runCli({"impact", hall, "c01-row1-busway1", "--json"});
        QVERIFY2(lost.code == 0, lost.error.constData());
        const CliRun again = runCli({"layout", hall});
        QVERIFY(again.code == 0 && again.out.contains("all equipment is placed; no layout required in"));
        QCOMPARE(runCli({"layout", empty("bare.hall")}).code, 3); // no hall
    }

    /// The same room in three units is the same project.
    void drawingInAnyUnit()
    {
        QByteArray first;
        for (const QString unit : {"mm", "m", "in"}) {
            const QString hall = empty(unit + ".hall"), name = "room-" + unit;
            const CliRun run = runCli({"import", "dxf", drawing(name + ".dxf"), "--into", hall});
            QVERIFY2(run.code == 0, run.error.constData());
            QVERIFY2(run.error.contains("2 TEXT ignored") && run.error.contains("layer A-WALL interpreted as walls"), run.error.constData());
            const QByteArray rows = text(hall).replace(name.toUtf8(), "room");
            QVERIFY(rows.contains("room-hall-column-4") && rows.contains("\t24000\t12000\t4500\thall"));
            if (first.isEmpty()) first = rows;
            QCOMPARE(rows, first);
        }
    }

    void planChangesNothing()
    {
        const QString hall = empty("p.hall");
        const QByteArray before = read(hall);
        const CliRun plan = runCli({"import", "dxf", drawing("room-m.dxf"), "--into", hall, "--dry-run", "--json"});
        QVERIFY2(plan.code == 0, plan.error.constData());
        const auto json = plan.json();
        QCOMPARE(json["schema"].get<std::string>(), "hallwright.import-plan/1");
        std::map<std::string, int> added;
        for (const auto& rows : json["rows"]) added[rows["table"]] = rows["added"];
        QCOMPARE(added["corners"], 6);
        QCOMPARE(added["structures"], 14);
        QCOMPARE(added["underlays"], 6);
        QVERIFY(json["issues"].size() > 3);
        QCOMPARE(read(hall), before);
    }

    /// Into a hall that is there; a known length.
    void intoAHall()
    {
        const QString hall = empty("h.hall");
        QCOMPARE(runCli({"import", "dxf", drawing("room-m.dxf"), "--into", hall, "--known-length", "width=24.6 m"}).code, 0);
        QCOMPARE(runCli({"import", "dxf", drawing("room-in.dxf"), "--into", hall, "--hall", "room-m-hall"}).code, 0);
        const QByteArray rows = text(hall);
        QCOMPARE(rows.count("\thall\tslab"), 1);
        QVERIFY(rows.contains("room-in.dxf") && rows.contains("room-m.dxf"));
    }

    void refusals_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("names");
        QFile cut(path("cut.dxf")), odd(path("odd.dxf"));
        if (cut.open(QIODevice::WriteOnly)) cut.write(read(drawing("room-m.dxf")).left(900));
        if (odd.open(QIODevice::WriteOnly)) odd.write("not a drawing\n");
        const QString m = drawing("room-m.dxf");
        QTest::newRow("cut") << QStringList{"dxf", path("cut.dxf")} << 4 << "cut.dxf:";
        QTest::newRow("foreign") << QStringList{"dxf", path("odd.dxf")} << 4 << "odd.dxf:1: is not a DXF drawing";
        QTest::newRow("missing") << QStringList{"dxf", path("none.dxf")} << 4 << "none.dxf";
        QTest::newRow("known length") << QStringList{"dxf", m, "--known-length", "width=12 m"} << 3 << "--known-length width";
        QTest::newRow("unit") << QStringList{"dxf", m, "--units", "ell"} << 3 << "--units ell";
        QTest::newRow("hall") << QStringList{"dxf", m, "--hall", "H9"} << 3 << "--hall H9";
        QTest::newRow("layer") << QStringList{"dxf", m, "--layers", "walls=W"} << 3 << "A-WALL";
        QTest::newRow("option of another format") << QStringList{"netbox", m, "--units", "m"} << 2 << "--units";
        QTest::newRow("empty option") << QStringList{"dxf", m, "--hall", ""} << 2 << "--hall";
    }
    void refusals()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, names);
        const QString hall = empty("r.hall");
        const QByteArray before = read(hall);
        const CliRun run = runCli(QStringList{"import"} + arguments + QStringList{"--into", hall});
        QVERIFY2(run.code == code, run.error.constData());
        QVERIFY2(run.errorLine().contains(names.toUtf8()), run.error.constData());
        QCOMPARE(read(hall), before);
    }
};

QTEST_APPLESS_MAIN(CliSiteTest)
#include "cli_site_test.moc"

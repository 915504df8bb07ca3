// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli_process.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

/// `export dsx-metadata`, `bindings` and the edits of bindings, from a shell.
class CliBindingsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_file, m_set;

    QString write(const char* name, const QByteArray& text)
    {
        QFile out(m_folder.filePath(name));
        if (!out.open(QIODevice::WriteOnly)) qFatal("no file");
        out.write(text);
        return out.fileName();
    }
    CliRun edit(const QByteArray& edits) { return runCli({"edit", m_file, "--script", write("edits.json", "{\"edits\": [" + edits + "]}")}); }

private slots:
    void initTestCase()
    {
        m_file = m_folder.filePath("pod.hall"), m_set = m_folder.filePath("set.json");
        QCOMPARE(runCli({"new", "nvl72", "-o", m_file}).code, 0);
        QCOMPARE(runCli({"export", "dsx-metadata", m_file, "-o", m_set}).code, 0);
    }

    void exportedSetBinds()
    {
        const CliRun run = runCli({"bindings", m_file, "--metadata", m_set, "--json"});
        QCOMPARE(run.code, 0);
        const auto json = run.json();
        QCOMPARE(json["schema"].get<std::string>(), std::string("hallwright.bindings/1"));
        QVERIFY(json["channels"].get<int>() > 100);
        QCOMPARE(json["bound"], json["channels"]);
        const QString lines = m_folder.filePath("set.jsonl");
        QCOMPARE(runCli({"export", "dsx-metadata", m_file, "-o", lines}).code, 0);
        QCOMPARE(runCli({"bindings", m_file, "--metadata", lines, "--json"}).json()["bound"], json["bound"]);
    }

    void doubtsAreTheAnswerNo()
    {
        const QString list = write("list.txt", "plant/a\nplant/b\n");
        CliRun run = runCli({"bindings", m_file, "--metadata", list});
        QCOMPARE(run.code, 0); // unbound is no doubt
        QVERIFY(run.out.contains("2 unbound"));
        const QByteArray rule =
            R"({"do": "add", "what": "binding-rule", "name": "plant", "channel": "plant/{p}", "entity": "hall1", "measure": "humidity", "unit": "%"})";
        QCOMPARE(edit(rule).code, 0);
        run = runCli({"bindings", m_file, "--metadata", list});
        QCOMPARE(run.code, 3);
        QVERIFY(run.out.contains("2 ambiguous") && run.out.contains("plant/b is already bound to the same point"));
        QCOMPARE(edit(R"({"do": "set-aside", "channel": "plant/b"})").code, 0);
        run = runCli({"bindings", m_file, "--metadata", list});
        QCOMPARE(run.code, 0);
        QVERIFY(run.out.contains("1 bound") && run.out.contains("1 ignored"));
        QVERIFY(runCli({"bindings", m_file}).out.contains("plant/b"));
        QCOMPARE(edit(R"({"do": "unbind", "channel": "plant/b"})").code, 0);
    }

    void badInput()
    {
        QCOMPARE(runCli({"bindings", m_file, "--metadata", m_folder.filePath("none.json")}).code, 4);
        QCOMPARE(runCli({"bindings", m_file, "--metadata", write("bad.json", "[{\"topic\": 3}, 4]")}).code, 4);
        QCOMPARE(runCli({"bindings", m_file, "--channels", m_set}).code, 2);
        QCOMPARE(edit(R"({"do": "bind", "channel": "a", "entity": "hall1", "measure": "humidty"})").code, 3);
        QVERIFY(edit(R"({"do": "bind", "channel": "a", "entity": "hall1", "measure": "humidty"})").errorLine().contains("humidity"));
        QCOMPARE(edit(R"({"do": "bind", "channel": "a", "entity": "hall1"})").code, 4);
        QVERIFY(runCli({"bindings", "--help"}).out.contains("--metadata"));
    }
};

QTEST_GUILESS_MAIN(CliBindingsTest)
#include "cli_bindings_test.moc"

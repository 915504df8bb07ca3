// SPDX-License-Identifier: GPL-3.0-or-later
// --log and --log-level of every command, and HALLWRIGHT_LOG: what an engineer finds the next morning, without a secret in it.
#include "tests/cli/cli_process.h"

#include <QCryptographicHash>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

class CliLogTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString m_hall;

    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(name); }
    static QString textOf(const QString& file)
    {
        QFile in(file);
        return in.open(QIODevice::ReadOnly) ? QString::fromUtf8(in.readAll()) : QString();
    }

private slots:
    void initTestCase()
    {
        m_hall = path("a.hall");
        const auto made = runCli({"new", "hpn", "-o", m_hall, "--log", path("new.log")});
        QCOMPARE(made.code, 0);
        const QString log = textOf(path("new.log"));
        QVERIFY2(log.contains(" info I301 program: hallwright-cli ") && log.contains("new hpn -o ") && log.contains("exit code 0 after "),
                 qPrintable(log));
    }

    void everyCommandHasIt()
    {
        const auto help = runCli({"--help-all"});
        const auto commands = QString::fromUtf8(help.out).count(QRegularExpression("^ *--log FILE", QRegularExpression::MultilineOption));
        QVERIFY2(commands >= 30, qPrintable(QString::number(commands)));
    }

    void errorsAreThereWithTheirCode()
    {
        const auto run = runCli({"report", path("nosuch.hall"), "--log", path("e.log")});
        QCOMPARE(run.code, 4);
        const QString log = textOf(path("e.log"));
        QVERIFY2(log.contains("error E303 program: ") && log.contains("nosuch.hall") && log.contains("exit code 4"), qPrintable(log));
        QCOMPARE(runCli({"report", path("nosuch.hall"), "--log", path("quiet.log"), "--log-level", "error"}).code, 4);
        QCOMPARE(textOf(path("quiet.log")).count('\n'), 1);
    }

    void theEnvironmentNamesIt()
    {
        qputenv("HALLWRIGHT_LOG", path("env.log").toUtf8());
        const auto run = runCli({"templates"});
        qunsetenv("HALLWRIGHT_LOG");
        QCOMPARE(run.code, 0);
        QVERIFY(textOf(path("env.log")).contains("templates"));
    }

    void whatCannotBe_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        QTest::newRow("no such level") << QStringList{"--log", path("x.log"), "--log-level", "loud"} << 2 << "unknown level \"loud\"";
        QTest::newRow("a level of nothing") << QStringList{"--log-level", "debug"} << 2 << "--log-level: has no effect without a log";
        QTest::newRow("no such place") << QStringList{"--log", "/proc/no/such/x.log"} << 4 << "cannot be written";
        QTest::newRow("the design itself") << QStringList{"--log", m_hall} << 4 << "is not a Hallwright log";
        QTest::newRow("empty") << QStringList{"--log", ""} << 2 << "empty";
    }
    void whatCannotBe()
    {
        QFETCH(QStringList, options);
        QFETCH(int, code);
        QFETCH(QString, says);
        const QByteArray before = QCryptographicHash::hash(textOf(m_hall).toUtf8(), QCryptographicHash::Sha1);
        const auto run = runCli(QStringList{"rules"} + options);
        QCOMPARE(run.code, code);
        QVERIFY2(run.errorLine().contains(says.toUtf8()), run.error);
        QCOMPARE(QCryptographicHash::hash(textOf(m_hall).toUtf8(), QCryptographicHash::Sha1), before);
    }

    /// A recording judged: sources, bindings, history, counts; a server that is away; no password anywhere.
    void aHallThatIsFollowed()
    {
        QFile recording(path("r.jsonl"));
        QVERIFY(recording.open(QIODevice::WriteOnly));
        for (int i = 0; i < 5; ++i)
            recording.write(QString("{\"time\": %1, \"channel\": \"a\", \"value\": 3, \"unit\": \"W\"}\n").arg(1743620423000LL + i * 1000).toUtf8());
        recording.close();
        QCOMPARE(runCli({"replay", m_hall, recording.fileName(), "--speed", "max", "--log", path("r.log"), "--log-level", "debug"}).code, 0);
        const QString log = textOf(path("r.log"));
        for (const char* line : {"info I503 hall: design ", "info I402 sources: ", "info I501 hall: 1 channels: 0 bound, 1 unbound",
                                 "info I408 sources: ", "info I504 hall: 5 received, "})
            QVERIFY2(log.contains(line), qPrintable(line + ("\n" + log)));

        qputenv("HALLWRIGHT_MQTT_USER", "bob");
        qputenv("HALLWRIGHT_MQTT_PASSWORD", "s3cret");
        (void)runCli({"live", m_hall, "--mqtt", "mqtt://127.0.0.1:1", "--for", "1", "--no-store", "--log", path("l.log"), "--log-level", "debug"});
        (void)runCli({"live", m_hall, "--mqtt", "mqtt://bob:s3cret@127.0.0.1:1", "--for", "1", "--no-store", "--log", path("l.log")});
        qunsetenv("HALLWRIGHT_MQTT_USER");
        qunsetenv("HALLWRIGHT_MQTT_PASSWORD");
        const QString lost = textOf(path("l.log"));
        QVERIFY2(lost.contains("warning W404 sources: mqtt://127.0.0.1:1 since "), qPrintable(lost));
        QVERIFY2(lost.count("I301") == 2 && !lost.contains("s3cret"), qPrintable(lost));
    }
};

QTEST_GUILESS_MAIN(CliLogTest)
#include "cli_log_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>

#include <set>

#include <nlohmann/json.hpp>

namespace {

const QString kProgram = HW_BIN_DIR "/hallwright-cli";

struct Ran {
    int code = -1;
    QString out, error;
};
Ran run(const QStringList& arguments, const QByteArray& input = {})
{
    QProcess process;
    process.start(kProgram, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000)) return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

int freePort()
{
    QTcpServer server;
    server.listen(QHostAddress::LocalHost);
    return server.serverPort();
}

bool answers(int port)
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, quint16(port));
    return socket.waitForConnected(200);
}

QByteArray page(int port, const QByteArray& request)
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, quint16(port));
    socket.write(request + "\r\nHost: localhost\r\n\r\n");
    QByteArray out;
    while (socket.waitForReadyRead(5000)) out += socket.readAll();
    return out;
}

/// The program as it runs, with a way to type.
struct Emulator {
    QProcess process;
    explicit Emulator(const QStringList& arguments) { process.start(kProgram, arguments); }
    ~Emulator()
    {
        process.terminate();
        process.waitForFinished(5000);
    }
};

QList<QByteArray> linesOf(const QString& file)
{
    QFile read(file);
    if (!read.open(QIODevice::ReadOnly)) return {};
    auto lines = read.readAll().split('\n');
    lines.removeAll({});
    return lines;
}

} // namespace

class TestEmulateCommand : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_pod = m_folder.filePath("pod.hall");
        QCOMPARE(run({"new", "nvl72", "--set", "segments=1", "-o", m_pod}).code, 0);
    }

    void usage_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const QStringList& arguments, int code, const char* says) {
            QTest::newRow(name) << arguments << code << QString(says);
        };
        row("nowhere", {}, 2, "--mqtt URL, --prometheus PORT or -o RECORDING");
        row("endless recording", {"-o", "x.jsonl"}, 2, "--for");
        row("two ends", {"-o", "x.jsonl", "--for", "3", "--prometheus", "9400"}, 2, "-o");
        row("no broker's address", {"--mqtt", "localhost"}, 2, "mqtt://HOST:PORT");
        row("a password in the address", {"--mqtt", "mqtt://me:secret@localhost"}, 2, "HALLWRIGHT_MQTT_PASSWORD");
        row("nobody there", {"--mqtt", "mqtt://localhost:1"}, 4, "unreachable");
        row("no such script", {"-o", "x.jsonl", "--for", "3", "--fault", "none.json"}, 4, "none.json");
        row("jobs without a scenario", {"-o", "x.jsonl", "--for", "3", "--series", "jobs"}, 2, "jobs requires a training job");
        row("a scenario without links", {"-o", "x.jsonl", "--for", "3", "--scenario", "s9-goodput"}, 3, "does not use a design and has no links");
        row("unknown series", {"--prometheus", "9400", "--series", "water"}, 2, "--series");
        for (const char* meters : {"often", "0", "60-10", "10-", "1.5-3", "4000"})
            row(meters, {"--prometheus", "9400", "--meters", meters}, 2, "--meters");
        row("no meters", {"--prometheus", "9400", "--series", "gpus", "--meters", "10-60"}, 2, "--meters");
    }
    void usage()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, says);
        const Ran ran = run(QStringList{"emulate", m_pod} + arguments);
        QCOMPARE(ran.code, code);
        QVERIFY2(ran.error.startsWith("error: ") && ran.error.contains(says), qPrintable(ran.error));
    }

    /// A script with a name that there is not: refused with its place, nothing is written.
    void refusesAScript()
    {
        const QString script = m_folder.filePath("faults.json"), out = m_folder.filePath("never.jsonl");
        QFile file(script);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"schema": "hallwright.faults/1", "deeds": [{"at_s": 1, "do": "fail", "entity": "hall1-c1-row1-busway9"}]})");
        file.close();
        const Ran ran = run({"emulate", m_pod, "-o", out, "--for", "3", "--fault", script});
        QCOMPARE(ran.code, 3);
        QVERIFY2(ran.error.contains("faults.json: deeds[0]: hall1-c1-row1-busway9"), qPrintable(ran.error));
        QVERIFY(!QFile::exists(out));
    }

    /// At once, the same with the same seed; each line JSON, channels before their values.
    void recordings()
    {
        const QString a = m_folder.filePath("a.jsonl"), b = m_folder.filePath("b.jsonl"), c = m_folder.filePath("c.jsonl");
        for (const auto& [file, seed] : {std::pair(a, "7"), std::pair(b, "7"), std::pair(c, "8")}) {
            const Ran ran = run({"emulate", m_pod, "-o", file, "--for", "20", "--seed", seed, "--series", "facility,gpus"});
            QVERIFY2(ran.code == 0, qPrintable(ran.error));
        }
        const auto lines = linesOf(a);
        QCOMPARE(lines, linesOf(b));
        QVERIFY(lines != linesOf(c));
        QCOMPARE(lines.front(), QByteArray(R"({"hallwright":"recording/1"})"));
        std::set<int> channels;
        std::int64_t samples = 0, last = 0;
        for (const auto& line : lines) {
            const auto json = nlohmann::json::parse(line.toStdString());
            if (json.contains("c")) QVERIFY(channels.insert(json["c"].get<int>()).second);
            if (!json.contains("s")) continue;
            QVERIFY(json["t"].get<std::int64_t>() > last);
            last = json["t"];
            for (const auto& sample : json["s"]) {
                QVERIFY(channels.count(sample[0].get<int>()) == 1);
                QCOMPARE(sample[1].get<std::int64_t>(), last);
                ++samples;
            }
        }
        QVERIFY(samples > 10'000);
        QVERIFY(nlohmann::json::parse(lines.back().toStdString())["end"] == true);
    }

    /// What it says of a scenario's flows is what `replay` expects of them.
    void playsAScenario()
    {
        const QString scenario = m_folder.filePath("flows.json"), out = m_folder.filePath("flows.jsonl");
        QFile file(scenario);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"workload": "permutation"})");
        file.close();
        const Ran ran = run({"emulate", m_pod, "-o", out, "--for", "400", "--poll", "10", "--scenario", scenario});
        QVERIFY2(ran.code == 0, qPrintable(ran.error));
        const Ran same = run({"replay", m_pod, out, "--speed", "max", "--scenario", scenario, "--json"});
        QVERIFY2(same.code == 0, qPrintable(same.error));
        QVERIFY2(!same.out.contains("low-link-load"), qPrintable(same.out.left(2000)));
        const Ran other = run({"emulate", m_pod, "-o", out, "--for", "400", "--poll", "10"});
        QVERIFY2(other.code == 0, qPrintable(other.error));
        const Ran less = run({"replay", m_pod, out, "--speed", "max", "--scenario", scenario, "--json"});
        QVERIFY2(less.code == 0, qPrintable(less.error));
        QVERIFY2(less.out.contains("low-link-load"), qPrintable(less.out.left(2000)));
    }

    /// Everything that it says it published arrives at somebody else; what is typed happens.
    /// A slow NIC of a job: of the job by name, of its host, and of one that it does not have.
    void jobIsLocated()
    {
        const QString hall = m_folder.filePath("job.hall"), day = m_folder.filePath("job.jsonl"), faults = m_folder.filePath("job.json");
        QCOMPARE(run({"new", "dcn-plus", "-o", hall, "--set", "pods=1", "--set", "segments=1", "--set", "networks=backend"}).code, 0);
        QFile script(faults);
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write(
            R"({"schema": "hallwright.faults/1", "actions": [{"at_s": 20, "do": "degrade", "entity": "pod01-seg1-host03:nic2p1", "gbps": 25}]})");
        script.close();
        const Ran made =
            run({"emulate", hall, "-o", day, "--scenario", "gpt3-iteration", "--series", "ports,jobs", "--fault", faults, "--for", "120"});
        QVERIFY2(made.code == 0 && made.error.isEmpty(), qPrintable(made.error)); // a shipped scenario says nothing of its own design
        const Ran job = run({"tickets", hall, day, "--locate", "gpt3-iteration"});
        QVERIFY2(job.code == 0 && job.out.contains("slows a training job: pod01-seg1-host03:nic2p1"), qPrintable(job.out + job.error));
        const auto host = nlohmann::json::parse(run({"tickets", hall, day, "--locate", "pod01-seg1-host03", "--json"}).out.toStdString());
        QCOMPARE(host["job_causes"].size(), std::size_t(1));
        QCOMPARE(run({"tickets", hall, day, "--locate", "other-job"}).code, 3);
    }

    void broker()
    {
        const QString server = QStandardPaths::findExecutable("mosquitto", {"/usr/sbin", "/usr/bin", "/usr/local/sbin"});
        const QString listener = QStandardPaths::findExecutable("mosquitto_sub");
        QVERIFY2(!server.isEmpty() && !listener.isEmpty(), "mosquitto and mosquitto-clients are needed");
        const int port = freePort();
        QFile config(m_folder.filePath("mosquitto.conf"));
        QVERIFY(config.open(QIODevice::WriteOnly));
        config.write(QString("listener %1 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n").arg(port).toUtf8());
        config.close();
        QProcess broker, heard;
        broker.start(server, {"-c", config.fileName()});
        QTRY_VERIFY(answers(port));
        const QString got = m_folder.filePath("got");
        heard.setStandardOutputFile(got);
        QCOMPARE(QProcess::execute(QStandardPaths::findExecutable("mosquitto_pub"), {"-p", QString::number(port), "-r", "-t", "ready", "-m", "1"}),
                 0);
        heard.start(listener, {"-p", QString::number(port), "-v", "-t", "#"});
        QTRY_VERIFY(linesOf(got).contains("ready 1")); // it has subscribed
        const Ran ran = run({"emulate", m_pod, "--mqtt", QString("mqtt://localhost:%1").arg(port), "--for", "3", "--rate", "4", "--poll", "2"},
                            "list busway\nfail hall1-c1-row1-busway1\nfail nothing-of-it\n");
        QVERIFY2(ran.code == 0, qPrintable(ran.error));
        QVERIFY2(ran.out.contains("hall1-c3-row1-busway2") && ran.out.contains("fail hall1-c1-row1-busway1\n"), qPrintable(ran.out));
        QVERIFY2(ran.error.contains("nothing-of-it"), qPrintable(ran.error));
        const auto said = QRegularExpression("published ([\\d,]+) values \\(0 lost\\) and ([\\d,]+) metadata messages").match(ran.out);
        QVERIFY2(said.hasMatch(), qPrintable(ran.out));
        const auto number = [&](int i) { return said.captured(i).remove(',').toInt(); };
        const auto count = [&](const QByteArray& start) {
            return int(std::ranges::count_if(linesOf(got), [&](const QByteArray& line) { return line.startsWith(start); }));
        };
        QTRY_COMPARE_WITH_TIMEOUT(count("BMS/v1/PUB/Value/") + count("telemetry/"), number(1), 5000);
        QCOMPARE(count("BMS/v1/PUB/Metadata/"), number(2));
        QVERIFY(number(1) > 5'000);
        QByteArray last;
        for (const auto& line : linesOf(got))
            if (line.startsWith("BMS/v1/PUB/Value/PowerMeter/ActivePower/hall1/hall1-c1-row1/hall1-c1-row1-busway1 ")) last = line;
        QVERIFY2(last.contains("{\"value\":0,"), last.constData());
        heard.kill(), broker.terminate();
        heard.waitForFinished(2000), broker.waitForFinished(2000);
    }

    /// A broker that goes away and comes back: it is said, nothing else stops, and what points are is reported again.
    void brokerComesBack()
    {
        const QString server = QStandardPaths::findExecutable("mosquitto", {"/usr/sbin", "/usr/bin", "/usr/local/sbin"});
        const int port = freePort();
        QFile config(m_folder.filePath("again.conf"));
        QVERIFY(config.open(QIODevice::WriteOnly));
        config.write(QString("listener %1 127.0.0.1\nallow_anonymous true\n").arg(port).toUtf8());
        config.close();
        QProcess broker;
        broker.start(server, {"-c", config.fileName()});
        QTRY_VERIFY(answers(port));
        Emulator emulator({"emulate", m_pod, "--mqtt", QString("mqtt://localhost:%1").arg(port), "--rate", "5", "--series", "facility"});
        QTRY_VERIFY(emulator.process.bytesAvailable() > 0); // it is connected
        broker.kill();
        QVERIFY(broker.waitForFinished(3000));
        QByteArray notes;
        QTRY_VERIFY_WITH_TIMEOUT((notes += emulator.process.readAllStandardError()).contains("does not respond; retrying"), 5000);
        QTest::qWait(1000); // at least one step of the hall, whose values are lost
        broker.start(server, {"-c", config.fileName()});
        QTRY_VERIFY(answers(port));
        QProcess heard;
        heard.start(QStandardPaths::findExecutable("mosquitto_sub"),
                    {"-p", QString::number(port), "-t", "BMS/v1/PUB/Metadata/CDU/#", "-C", "1", "-W", "8"});
        QVERIFY(heard.waitForFinished(10'000));
        QVERIFY(heard.readAllStandardOutput().contains("\"objectType\":\"CDU\""));
        emulator.process.write("quit\n");
        QVERIFY(emulator.process.waitForFinished(5000));
        QCOMPARE(emulator.process.exitCode(), 0);
        const QString said = emulator.process.readAllStandardOutput();
        const auto lost = QRegularExpression("values \\(([\\d,]+) lost\\)").match(said);
        QVERIFY2(lost.hasMatch() && lost.captured(1) != "0", qPrintable(said));
        broker.terminate();
        broker.waitForFinished(2000);
    }

    /// Prometheus' text: one TYPE a metric, labels, GET alone.
    void metrics()
    {
        const int port = freePort();
        Emulator emulator({"emulate", m_pod, "--prometheus", QString::number(port), "--rate", "5", "--poll", "1"});
        QTRY_VERIFY(answers(port));
        const auto has = [&](const char* text) { return page(port, "GET /metrics HTTP/1.1").contains(text); };
        QTRY_VERIFY_WITH_TIMEOUT(has("ifHCInOctets{") && has("DCGM_FI_DEV_GPU_TEMP{Hostname=\"g01-rack1-tray01\""), 8000);
        const QByteArray text = page(port, "GET /metrics HTTP/1.1");
        QVERIFY(text.startsWith("HTTP/1.1 200 OK\r\n"));
        QCOMPARE(text.count("# TYPE DCGM_FI_DEV_POWER_USAGE gauge\n"), 1);
        QCOMPARE(text.count("# TYPE ifHCInOctets counter\n"), 1);
        QVERIFY(text.contains("\nDCGM_FI_DEV_GPU_TEMP{Hostname=\"g01-rack1-tray01\",UUID="));
        QVERIFY(text.contains("rackLocationId=\"hall1-c1-r1-01\""));
        QVERIFY(page(port, "POST /metrics HTTP/1.1").startsWith("HTTP/1.1 405"));
        QVERIFY(page(port, "GET /else HTTP/1.1").startsWith("HTTP/1.1 404"));
        const Ran second = run({"emulate", m_pod, "--prometheus", QString::number(port), "--for", "1"});
        QCOMPARE(second.code, 4);
        QVERIFY2(second.error.contains("choose a free port"), qPrintable(second.error));
        emulator.process.write("fail g01-rack1-tray01\n");
        QTRY_VERIFY_WITH_TIMEOUT(!page(port, "GET /metrics HTTP/1.1").contains("Hostname=\"g01-rack1-tray01\""), 6000); // it does not answer
    }

private:
    QTemporaryDir m_folder;
    QString m_pod;
};

QTEST_GUILESS_MAIN(TestEmulateCommand)
#include "test_emulate_command.moc"

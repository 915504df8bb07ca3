// SPDX-License-Identifier: GPL-3.0-or-later
// `live` against a real broker, and `replay` of what it wrote down.
#include "tests/cli/cli_process.h"
#include "tests/telemetry/server_process.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <map>

#include <fmt/format.h>
#include <sys/stat.h>

namespace {

std::int64_t now() { return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count(); }

/// The lines of an output, by event.
std::multimap<std::string, nlohmann::json> eventsOf(const QByteArray& out)
{
    std::multimap<std::string, nlohmann::json> events;
    for (const auto& line : out.split('\n'))
        if (!line.isEmpty()) {
            auto json = nlohmann::json::parse(line.toStdString());
            events.emplace(json.at("event").get<std::string>(), json);
        }
    return events;
}

} // namespace

class TestLiveCommands : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    ServerProcess m_broker;
    std::uint16_t m_port = 0;
    std::map<std::string, std::string> m_metadata; ///< by topic

    [[nodiscard]] QString path(const char* name) const { return m_folder.filePath(name); }
    [[nodiscard]] QString url() const { return QString("mqtt://localhost:%1").arg(m_port); }

    void describe(MqttPublisher& hall) const
    {
        for (const auto& [topic, payload] : m_metadata) hall.publish(topic, payload, true);
        hall.flush();
    }
    /// What five racks draw, and the first of them.
    void publish(MqttPublisher& hall, double kilowatts, double first) const
    {
        int racks = 5;
        for (const auto& [topic, payload] : m_metadata) {
            if (topic.find("/Rack/RackPower/") == std::string::npos || racks-- <= 0) continue;
            std::string value = topic;
            value.replace(value.find("Metadata"), 8, "Value");
            hall.publish(value, fmt::format(R"({{"value":{},"timestamp":{},"quality":1}})", racks == 4 ? first : kilowatts, now()));
        }
        hall.flush();
    }

private slots:
    void initTestCase()
    {
        QCOMPARE(runCli({"new", "hpn", "-o", path("x.hall"), "--set", "segments=1"}).code, 0);
        const auto written = runCli({"export", "dsx-metadata", path("x.hall"), "-o", path("x.jsonl")});
        QVERIFY2(written.code == 0, written.error.constData());
        for (const auto& line : QByteArray::fromStdString(textOf(path("x.jsonl").toStdString())).split('\n'))
            if (!line.isEmpty()) {
                const auto json = nlohmann::json::parse(line.toStdString());
                m_metadata[json.at("topic").get<std::string>()] = json.at("payload").dump();
            }
        QVERIFY(m_metadata.size() > 10);
        m_port = freePort();
        writeText(path("broker.conf").toStdString(),
                  fmt::format("user root\nallow_anonymous true\nlistener {} 127.0.0.1\nmax_queued_messages 0\n", m_port));
        QVERIFY(m_broker.start("/usr/sbin/mosquitto", {"-c", path("broker.conf")}, m_port));
        MqttPublisher hall(m_port);
        describe(hall);
    }

    /// The same at any speed, and the same as it was.
    void aReplaySaysWhatLiveSaid()
    {
        QProcess live;
        live.start(HW_BIN_DIR "/hallwright-cli", {"live", path("x.hall"), "--mqtt", url(), "--record", path("r.jsonl.zst"), "--no-store", "--json"});
        QVERIFY(live.waitForStarted());
        MqttPublisher hall(m_port);
        QElapsedTimer timer;
        timer.start();
        QByteArray out;
        while (timer.elapsed() < 60'000 && !out.contains("\"deviation\"") && !out.contains("\"alarm\"")) { // one rack beyond all plans
            publish(hall, 2.0, 900.0);
            QTest::qWait(200);
            out += live.readAllStandardOutput();
        }
        ::kill(pid_t(live.processId()), SIGINT);
        QVERIFY(live.waitForFinished(10'000));
        out += live.readAllStandardOutput();
        const QByteArray error = live.readAllStandardError();
        QCOMPARE(live.exitCode(), 0); // Ctrl-C is how it ends
        const auto events = eventsOf(out);
        QVERIFY2(events.contains("deviation") || events.contains("alarm"), (out.right(3000) + error).constData());
        QCOMPARE(events.count("summary"), std::size_t(1));
        const auto& summary = events.find("summary")->second;
        QVERIFY(summary["received"].get<int>() > 0 && summary["stored"] == 0 && summary["bound"].get<int>() > 0);
        for (const auto* key : {"t", "received", "stored", "lost", "channels", "bound", "unbound", "ambiguous"}) QVERIFY2(summary.contains(key), key);
        QVERIFY(!QFile::exists(path("x.telemetry")));
        for (const auto* speed : {"max", "100", "1"}) {
            const auto replay = runCli({"replay", path("x.hall"), path("r.jsonl.zst"), "--speed", speed, "--json"});
            QCOMPARE(replay.code, 0);
            QCOMPARE(replay.out, out);
        }
        const auto text = runCli({"replay", path("x.hall"), path("r.jsonl.zst"), "--speed", "max"});
        QVERIFY(text.code == 0 && !text.out.isEmpty() && !text.out.startsWith('{'));
    }

    void whatIsKeptIsCounted()
    {
        QProcess live;
        live.start(HW_BIN_DIR "/hallwright-cli", {"live", path("x.hall"), "--mqtt", url(), "--json", "--for", "4"});
        QVERIFY(live.waitForStarted());
        MqttPublisher hall(m_port);
        for (int i = 0; i < 40 && live.state() == QProcess::Running; ++i) {
            publish(hall, 2.0 + i, 2.0 + i);
            QTest::qWait(100);
        }
        QVERIFY(live.waitForFinished(20'000));
        QCOMPARE(live.exitCode(), 0);
        const auto events = eventsOf(live.readAllStandardOutput());
        const auto& summary = events.find("summary")->second;
        QVERIFY(summary["received"].get<int>() > 0);
        QCOMPARE(summary["received"].get<int>(), summary["stored"].get<int>() + summary["lost"].get<int>() + summary["duplicate"].get<int>());
        QCOMPARE(summary["received"].get<int>(),
                 summary["evaluated"].get<int>() + summary["out_of_order"].get<int>() + summary["duplicate"].get<int>());
        QCOMPARE(summary["lost"].get<int>(), 0);
        QVERIFY(QFile::exists(path("x.telemetry")));
    }

    void damagedAndCutRecordings()
    {
        const std::string whole =
            "{\"hallwright\":\"recording/"
            "1\"}\n{\"c\":0,\"name\":\"a\"}\n{\"t\":1763899200000,\"s\":[[0,1763899200000,1]]}\n{\"t\":1763899203000,\"end\":true}\n";
        const auto replay = [&](const std::string& text) {
            writeText(path("bad.jsonl").toStdString(), text);
            return runCli({"replay", path("x.hall"), path("bad.jsonl"), "--speed", "max", "--json"});
        };
        const auto good = replay(whole);
        QCOMPARE(good.code, 0);
        QCOMPARE(eventsOf(good.out).find("summary")->second["received"].get<int>(), 1);
        const auto cut = replay(whole.substr(0, whole.size() - 10));
        QCOMPARE(cut.code, 0);
        QVERIFY(cut.error.contains("bad.jsonl:4") && cut.error.startsWith("note: "));
        QCOMPARE(eventsOf(cut.out).find("summary")->second["received"].get<int>(), 1);
        const auto damaged = replay(whole.substr(0, whole.rfind("{\"t\"")) + "kaput\n" + whole.substr(whole.rfind("{\"t\"")));
        QCOMPARE(damaged.code, 4);
        QVERIFY(damaged.errorLine().contains("bad.jsonl:4: "));
        QCOMPARE(eventsOf(damaged.out).find("summary")->second["received"].get<int>(), 1);
    }

    void whatIsRefused_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("where");
        const QString x = path("x.hall");
        QTest::newRow("no source") << QStringList{"live", x} << 2 << "live";
        QTest::newRow("password in a URL") << QStringList{"live", x, "--mqtt", "mqtt://me:secret@h"} << 2 << QString::fromUtf8("mqtt://…@h");
        QTest::newRow("other scheme") << QStringList{"live", x, "--prometheus", "mqtt://h"} << 2 << "mqtt://h:1883";
        QTest::newRow("mapping of no use") << QStringList{"live", x, "--mqtt", url(), "--mapping", HW_RESOURCES "/telemetry/dcgm.yaml"} << 2
                                           << HW_RESOURCES "/telemetry/dcgm.yaml";
        QTest::newRow("no mapping there") << QStringList{"live", x, "--mqtt", url(), "--mapping", "/nonexistent.yaml"} << 4 << "/nonexistent.yaml";
        QTest::newRow("interval of a broker") << QStringList{"live", x, "--mqtt", url(), "--interval", "5"} << 2 << "--interval";
        QTest::newRow("time") << QStringList{"live", x, "--mqtt", url(), "--for", "-1"} << 3 << "--for";
        QTest::newRow("credentials that others read")
            << QStringList{"live", x, "--mqtt", url(), "--credentials", path("open.yaml")} << 4 << path("open.yaml");
        QTest::newRow("record over a project") << QStringList{"live", x, "--mqtt", url(), "--record", x} << 4 << x;
        QTest::newRow("speed") << QStringList{"replay", x, "r.jsonl", "--speed", "0"} << 3 << "--speed";
        writeText(path("sweep.json").toStdString(), R"({"workload": "permutation", "sweep": {"parameter": "bytes", "values": [1e6, 2e6]}})");
        QTest::newRow("sweep") << QStringList{"replay", x, "r.jsonl", "--scenario", path("sweep.json")} << 3 << path("sweep.json");
        QTest::newRow("no scenario") << QStringList{"replay", x, "r.jsonl", "--scenario", "none"} << 2 << "--scenario none";
        QTest::newRow("scenario without links") << QStringList{"replay", x, "r.jsonl", "--scenario", "s9-goodput"} << 3
                                                << HW_RESOURCES "/scenarios/s9-goodput.json";
        QTest::newRow("no recording") << QStringList{"replay", x, "/nonexistent.jsonl"} << 4 << "/nonexistent.jsonl";
        QTest::newRow("no project") << QStringList{"replay", "/nonexistent.hall", "r.jsonl"} << 4 << "/nonexistent.hall";
    }
    void whatIsRefused()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, where);
        writeText(path("open.yaml").toStdString(), "mqtt://h: {password: secret}\n");
        ::chmod(path("open.yaml").toUtf8().constData(), 0644);
        const auto got = runCli(arguments, 20'000);
        QVERIFY2(got.code == code, got.error.constData());
        QVERIFY2(got.errorLine().startsWith("error: " + where.toUtf8() + ": "), got.error.constData());
        QVERIFY(!got.error.contains("secret"));
        QVERIFY(got.out.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestLiveCommands)
#include "test_live_commands.moc"

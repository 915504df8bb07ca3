// SPDX-License-Identifier: GPL-3.0-or-later
// The MQTT source against a real broker.
#include "importers/telemetry/sources.h"
#include "tests/telemetry/collected.h"
#include "tests/telemetry/server_process.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

using namespace hw;
using namespace hw::telemetry;
using namespace std::chrono_literals;

namespace {

std::int64_t now() { return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count(); }

std::string value(double number, std::int64_t timeMs, int quality = 1)
{
    return fmt::format(R"({{"value":{},"timestamp":{},"quality":{}}})", number, timeMs, quality);
}

const std::string kValue = "BMS/v1/PUB/Value/", kMetadata = "BMS/v1/PUB/Metadata/";

} // namespace

class TestMqtt : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    ServerProcess m_broker;
    std::uint16_t m_port = 0;

    [[nodiscard]] std::filesystem::path path(const char* name) const { return std::filesystem::path(m_folder.path().toStdString()) / name; }

    bool startBroker(const std::string& more = "allow_anonymous true\n")
    {
        m_broker.stop();
        if (m_port == 0) m_port = freePort();
        writeText(path("broker.conf"),
                  fmt::format("user root\nlog_type all\nlog_dest file {}\npersistence true\npersistence_location {}/\nmax_queued_messages 0\n"
                              "max_queued_bytes 0\nlistener {} 127.0.0.1\n{}",
                              path("broker.log").string(), m_folder.path().toStdString(), m_port, more));
        return m_broker.start("/usr/sbin/mosquitto", {"-c", QString::fromStdString(path("broker.conf").string())}, m_port);
    }
    [[nodiscard]] SourceOptions options(const std::string& scheme = "mqtt") const
    {
        SourceOptions options;
        options.url = fmt::format("{}://localhost:{}", scheme, m_port);
        options.firstWait = 50ms, options.longestWait = 200ms;
        return options;
    }
    std::unique_ptr<bindings::Source> source(SourceOptions with)
    {
        auto made = makeMqttSource(std::move(with));
        return made ? std::move(*made) : nullptr;
    }

private slots:
    void initTestCase() { QVERIFY(makeCertificates(path("."))); }
    void init() { std::filesystem::remove(path("mosquitto.db")), std::filesystem::remove(path("broker.log")); }
    void cleanup() { m_broker.stop(), m_port = 0; }

    void addresses()
    {
        m_port = 1883;
        for (const auto* url : {"http://h", "mqtt://h/topic", "mqtt://a:b@h", "h:1883"}) {
            SourceOptions with;
            with.url = url;
            const auto made = makeMqttSource(with);
            QVERIFY2(!made && made.error().code == ErrorCode::Usage, url);
        }
    }

    void valuesAndWhatIsSaidOfThem()
    {
        QVERIFY(startBroker());
        MqttPublisher hall(m_port);
        hall.publish(kMetadata + "Rack/RackPower/a/b", R"({"rackLocationId":"b","engUnit":"kW","servesId":["x","y"]})", true);
        hall.publish(kValue + "Rack/RackPower/a/b", value(46.5, now()), true);
        hall.flush();
        Collected got;
        const auto mqtt = source(options());
        QVERIFY(mqtt && mqtt->start(got));
        QVERIFY(got.wait([&] { return got.samples.size() == 1 && !got.channels[0].labels.empty(); }));
        QCOMPARE(got.channels[0].name, kValue + "Rack/RackPower/a/b");
        QCOMPARE(got.channels[0].unit, std::string("kW"));
        QVERIFY((got.channels[0].labels == bindings::Labels{{"engUnit", "kW"}, {"rackLocationId", "b"}, {"servesId", "x,y"}}));
        QCOMPARE(got.samples[0].value, 46.5);
        // A unit may come later than the value, or change.
        hall.publish(kValue + "CDU/LiquidFlow/c", value(500, now()));
        hall.publish(kMetadata + "CDU/LiquidFlow/c", R"({"objectId":"c","engUnit":"LPM"})", true);
        hall.publish(kMetadata + "Rack/RackPower/a/b", R"({"rackLocationId":"b","engUnit":"W"})", true);
        hall.flush();
        QVERIFY(got.wait([&] { return got.channels.size() == 2 && got.channels[1].unit == "LPM" && got.channels[0].unit == "W"; }));
        mqtt->stop();
        QVERIFY(got.gaps.empty());
        QVERIFY(mqtt->trouble().empty());
    }

    /// An exception in the client's own thread, and in the source's: neither ends the program nor the source.
    void whatThrowsEndsNothing()
    {
        struct Throwing final : Collected {
            std::atomic<int> channelsLeft{1}, takesLeft{1};
            bindings::ChannelNo channel(const bindings::ChannelText& text) override
            {
                if (text.name.ends_with("bad") && channelsLeft-- > 0) throw std::runtime_error("no channel");
                return Collected::channel(text);
            }
            void take(std::span<const bindings::Sample> samples) override
            {
                if (takesLeft-- > 0) throw std::runtime_error("no room");
                Collected::take(samples);
            }
        } got;
        QVERIFY(startBroker());
        const auto mqtt = source(options());
        QVERIFY(mqtt && mqtt->start(got));
        MqttPublisher hall(m_port);
        hall.publish(kValue + "bad", value(1, now()));  // the client's thread
        hall.publish(kValue + "good", value(2, now())); // the source's
        hall.flush();
        QVERIFY(got.wait([&] { return !got.gaps.empty(); }));
        QVERIFY(words(got.gaps[0].why).find("no room") != std::string::npos);
        QVERIFY(got.wait([&] { return got.gaps.size() == 2 && got.gaps[1].toMs > 0; })); // connected again
        hall.publish(kValue + "bad", value(3, now()));
        hall.publish(kValue + "good", value(4, now()));
        hall.flush();
        QVERIFY(got.wait([&] { return got.of(kValue + "bad").size() == 1 && !got.of(kValue + "good").empty(); }));
        QVERIFY(!mqtt->ended());
        mqtt->stop();
    }

    /// What the broker received from us: nothing that could switch anything.
    void nothingIsPublished()
    {
        QVERIFY(startBroker());
        Collected got;
        const auto mqtt = source(options());
        QVERIFY(mqtt && mqtt->start(got));
        MqttPublisher hall(m_port);
        hall.publish(kValue + "x", value(1, now()));
        hall.flush();
        QVERIFY(got.wait([&] { return !got.samples.empty(); }));
        mqtt->stop();
        m_broker.stop();
        const std::string log = textOf(path("broker.log"));
        QVERIFY(log.find("Received SUBSCRIBE from hallwright-") != std::string::npos);
        QVERIFY(log.find("Received PUBLISH from publisher") != std::string::npos); // the log would show it
        QVERIFY(log.find("Received PUBLISH from hallwright-") == std::string::npos);
        QVERIFY(log.find("Will message") == std::string::npos);
    }

    void passwords()
    {
        QProcess make;
        make.start("mosquitto_passwd", {"-b", "-c", QString::fromStdString(path("users").string()), "hall", "right-password"});
        QVERIFY(make.waitForFinished() && make.exitCode() == 0);
        QVERIFY(startBroker(fmt::format("allow_anonymous false\npassword_file {}\n", path("users").string())));
        for (const auto& [user, password] : {std::pair("hall", "wrong-password"), std::pair("nobody", "right-password"), std::pair("", "")}) {
            Collected got;
            auto with = options();
            with.access.user = user, with.access.password = password;
            const auto mqtt = source(with);
            QVERIFY(mqtt);
            const auto started = mqtt->start(got);
            QVERIFY(!started);
            QCOMPARE(started.error().code, ErrorCode::Unreadable);
            QVERIFY(started.error().text().find(fmt::format("mqtt://localhost:{}", m_port)) != std::string::npos);
            QVERIFY(started.error().text().find("password: ") == std::string::npos && started.error().text().find("right-") == std::string::npos);
        }
        Collected got;
        auto with = options();
        with.access.user = "hall", with.access.password = "right-password";
        const auto mqtt = source(with);
        QVERIFY(mqtt && mqtt->start(got));
        QVERIFY(mqtt->name().find("right") == std::string::npos);
    }

    void certificates_data()
    {
        QTest::addColumn<QString>("certificate");
        QTest::addColumn<QString>("ca");
        QTest::addColumn<QString>("host");
        QTest::addColumn<QString>("says"); // empty: it works
        QTest::newRow("good") << "server.pem"
                              << "ca.pem"
                              << "localhost"
                              << "";
        QTest::newRow("expired") << "expired.pem"
                                 << "ca.pem"
                                 << "localhost"
                                 << "expired";
        QTest::newRow("unknown authority") << "server.pem"
                                           << "other-ca.pem"
                                           << "localhost"
                                           << "certificate";
        QTest::newRow("other name") << "server.pem"
                                    << "ca.pem"
                                    << "127.0.0.2"
                                    << "127.0.0.2";
    }
    void certificates()
    {
        QFETCH(QString, certificate);
        QFETCH(QString, ca);
        QFETCH(QString, host);
        QFETCH(QString, says);
        m_port = freePort();
        QVERIFY(startBroker(fmt::format("allow_anonymous true\ncertfile {}\nkeyfile {}\nlistener {} 127.0.0.2\ncertfile {}\nkeyfile {}\n",
                                        path(certificate.toUtf8()).string(), path("server.key").string(), m_port, path(certificate.toUtf8()).string(),
                                        path("server.key").string())));
        auto with = options("mqtts");
        with.url = fmt::format("mqtts://{}:{}", host.toStdString(), m_port);
        with.access.ca = path(ca.toUtf8());
        Collected got;
        const auto mqtt = source(with);
        QVERIFY(mqtt);
        const auto started = mqtt->start(got);
        QCOMPARE(started.has_value(), says.isEmpty());
        if (!started) QVERIFY2(started.error().text().find(says.toStdString()) != std::string::npos, started.error().text().c_str());
    }
    void clientCertificates()
    {
        QVERIFY(startBroker(fmt::format("allow_anonymous true\ncertfile {}\nkeyfile {}\ncafile {}\nrequire_certificate true\n",
                                        path("server.pem").string(), path("server.key").string(), path("ca.pem").string())));
        auto with = options("mqtts");
        with.access.ca = path("ca.pem");
        {
            Collected got;
            const auto mqtt = source(with);
            if (mqtt->start(got))
                QVERIFY(got.wait([&] { return !got.gaps.empty(); })); // whether the refusal comes in time depends on the version of TLS
        }
        with.access.certificate = path("client.pem"), with.access.key = path("client.key");
        Collected got;
        const auto mqtt = source(with);
        const auto started = mqtt->start(got);
        QVERIFY2(started, started ? "" : started.error().text().c_str());
        QTest::qWait(100);
        QVERIFY(got.gaps.empty());
    }

    /// A break is a gap with both its ends; what the broker retains and sends again is not told again.
    void aRestartIsAGapAndNothingComesTwice()
    {
        QVERIFY(startBroker());
        const auto old = now() - 60'000;
        {
            MqttPublisher hall(m_port);
            for (int i = 0; i < 500; ++i) hall.publish(fmt::format("{}p{}", kValue, i), value(i, old), true);
            hall.publish("telemetry/h/host/node_hwmon_power_average_watt", R"({"value":5})", true); // without a time
        }
        Collected got;
        const auto mqtt = source(options());
        QVERIFY(mqtt && mqtt->start(got));
        QVERIFY(got.wait([&] { return got.samples.size() == 501; }));
        m_broker.stop(); // keeps what it retains
        QVERIFY(got.wait([&] { return got.gaps.size() == 1; }));
        QVERIFY(got.gaps[0].toMs == 0 && got.gaps[0].fromMs > old && !got.gaps[0].why.empty());
        QVERIFY(!mqtt->trouble().empty());
        QVERIFY(startBroker());
        QVERIFY(got.wait([&] { return got.gaps.size() == 2; }));
        QVERIFY(got.gaps[1].fromMs == got.gaps[0].fromMs && got.gaps[1].toMs >= got.gaps[1].fromMs);
        QCOMPARE(got.gaps[1].source, mqtt->name());
        MqttPublisher hall(m_port);
        hall.publish(kValue + "p7", value(70, now()), true);
        hall.flush();
        QVERIFY(got.wait([&] { return got.samples.size() > 501; }));
        QTest::qWait(300); // what is retained has come again by now
        mqtt->stop();
        QCOMPARE(got.samples.size(), std::size_t(502));
        QCOMPARE(got.samples.back().value, 70.0);
        QVERIFY(mqtt->trouble().empty());
    }

    void aBrokerThatIsAwayIsTriedAgain()
    {
        m_port = freePort();
        Collected got;
        const auto mqtt = source(options());
        QVERIFY(mqtt && mqtt->start(got));
        QVERIFY(got.wait([&] { return got.gaps.size() == 1; }));
        QVERIFY(startBroker());
        QVERIFY(got.wait([&] { return got.gaps.size() == 2; }));
        m_broker.abort();
        QVERIFY(got.wait([&] { return got.gaps.size() == 3; }));
        QElapsedTimer timer;
        timer.start();
        mqtt->stop();
        QVERIFY(timer.elapsed() < 3000); // not the time of a whole attempt
    }

    /// They are passed on: who counts them is further down.
    void duplicatesDisorderAndNoNumbers()
    {
        QVERIFY(startBroker());
        Collected got;
        const auto mqtt = source(options());
        QVERIFY(mqtt && mqtt->start(got));
        MqttPublisher hall(m_port);
        const auto at = now();
        hall.publish(kValue + "a", value(1, at));
        hall.publish(kValue + "a", value(1, at));                                              // twice
        hall.publish(kValue + "a", value(2, at - 5000));                                       // late
        hall.publish(kValue + "a", fmt::format(R"({{"value":null,"timestamp":{}}})", at + 1)); // nothing
        hall.publish(kValue + "a", value(3, at + 2, 0));                                       // not trusted
        hall.publish(kValue + "a", "kaput");
        hall.publish(kValue + "a", "{\"timestamp\":5}");
        hall.publish(kValue + "a", value(4, at + 3));
        hall.flush();
        QVERIFY(got.wait([&] { return got.samples.size() == 6; }));
        QTRY_VERIFY(words(mqtt->trouble()).find("2 messages") != std::string::npos);
        mqtt->stop();
        const std::vector<bindings::Sample> a = got.of(kValue + "a");
        QVERIFY((a[0] == bindings::Sample{0, at, 1, true}) && a[1] == a[0] && (a[2] == bindings::Sample{0, at - 5000, 2, true}));
        QVERIFY(std::isnan(a[3].value) && a[3].timeMs == at + 1);
        QVERIFY(!a[4].good && a[5].value == 4);
    }

    void aClockThatGoesWrongIsTold()
    {
        QVERIFY(startBroker());
        Collected got;
        const auto mqtt = source(options());
        QVERIFY(mqtt && mqtt->start(got));
        MqttPublisher hall(m_port);
        hall.publish(kValue + "a", value(1, now() - 3'600'000));
        hall.flush();
        QTRY_VERIFY(words(mqtt->trouble()).find("behind") != std::string::npos);
        hall.publish(kValue + "a", value(1, now() + 120'000));
        hall.flush();
        QTRY_VERIFY(words(mqtt->trouble()).find("ahead") != std::string::npos);
        hall.publish(kValue + "a", value(1, now()));
        hall.flush();
        QTRY_VERIFY(mqtt->trouble().empty());
        QCOMPARE(got.samples.size(), std::size_t(3)); // and kept as they are dated
    }

    /// All that a broker retains comes at once; a consumer that is slow makes the broker wait, and loses nothing.
    void aFloodOfRetainedMessages()
    {
        QVERIFY(startBroker());
        bool asked = false; // HALLWRIGHT_FLOOD=1000000 tries more
        const int number = qEnvironmentVariableIntValue("HALLWRIGHT_FLOOD", &asked);
        const std::size_t kTopics = asked ? std::size_t(number) : 100'000;
        {
            MqttPublisher hall(m_port);
            for (std::size_t i = 0; i < kTopics; ++i)
                hall.publish(fmt::format("{}Sensor/AirTemperature/hall-1/row-{}/s{}", kValue, i / 1000, i), value(double(i), now()), true);
        }
        Collected got;
        got.pauseMs = 20;
        auto with = options();
        with.mostWaiting = 1000;
        const auto mqtt = source(with);
        QVERIFY(mqtt && mqtt->start(got));
        QVERIFY(got.wait([&] { return got.samples.size() == kTopics; }, asked ? 300s : 60s));
        mqtt->stop();
        QCOMPARE(got.channels.size(), kTopics);
        std::set<bindings::ChannelNo> numbers;
        for (const auto& sample : got.samples) numbers.insert(sample.channel);
        QCOMPARE(numbers.size(), kTopics);
        for (const auto& entry : got.log) QVERIFY(std::stoi(entry.substr(5)) <= 1000); // never more than may wait
        QVERIFY(got.gaps.empty());
    }

    void otherTopicsByAMapping()
    {
        QVERIFY(startBroker());
        writeText(path("mine.yaml"),
                  "kind: mqtt\ntopics:\n  - subscribe: pdu/+/state\n    values: {/p: W, /i/0: A}\n    time: /at\n    time_unit: s\n"
                  "  - subscribe: valve/#\n    value: ''\n    words: {open: 1, shut: 0}\n");
        auto with = options();
        with.mappings = {path("mine.yaml")};
        Collected got;
        const auto mqtt = source(with);
        QVERIFY(mqtt && mqtt->start(got));
        MqttPublisher hall(m_port);
        hall.publish("pdu/a7/state", R"({"at": 1763899200.5, "p": 1200, "i": [5.5, 6]})");
        hall.publish("valve/1", "open");
        hall.publish(kValue + "x", value(1, now()));
        hall.flush();
        QVERIFY(got.wait([&] { return got.samples.size() == 3; }));
        mqtt->stop();
        QVERIFY(got.find("pdu/a7/state#/p") && got.find("pdu/a7/state#/i/0") && got.find("valve/1"));
        QVERIFY((got.of("pdu/a7/state#/i/0").at(0) == bindings::Sample{*got.find("pdu/a7/state#/i/0"), 1'763'899'200'500, 5.5, true}));
        QCOMPARE(got.channels[*got.find("pdu/a7/state#/p")].unit, std::string("W"));
        QCOMPARE(got.of("valve/1").at(0).value, 1.0);
    }
};

QTEST_GUILESS_MAIN(TestMqtt)
#include "test_mqtt.moc"

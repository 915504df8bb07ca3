// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/mapping.h"
#include "importers/telemetry/mqtt_payload.h"
#include "importers/telemetry/polling_thread.h"
#include "importers/telemetry/prometheus_answer.h"
#include "importers/telemetry/prometheus_queries.h"
#include "importers/telemetry/prometheus_text.h"
#include "importers/telemetry/redfish_readings.h"
#include "importers/telemetry/sources.h"
#include "tests/telemetry/collected.h"
#include "tests/telemetry/redfish_examples.h"

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>
#include <sys/stat.h>

using namespace hw;
using namespace hw::telemetry;

namespace {

std::filesystem::path write(const QTemporaryDir& folder, const char* name, const std::string& text, mode_t mode = 0600)
{
    const auto file = std::filesystem::path(folder.path().toStdString()) / name;
    std::ofstream(file) << text;
    chmod(file.c_str(), mode);
    return file;
}

TopicMapping dsx()
{
    TopicMapping mapping;
    mapping.subscribe = "BMS/v1/PUB/Value/#";
    mapping.values = {{"/value", ""}};
    mapping.time = "/timestamp", mapping.quality = "/quality", mapping.good = {"1"};
    return mapping;
}

} // namespace

class TestTelemetry : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        for (const auto* name : {"USER", "PASSWORD", "TOKEN", "CA", "CERTIFICATE", "KEY"})
            qunsetenv((std::string("HALLWRIGHT_MQTT_") + name).c_str());
        qputenv("HALLWRIGHT_CREDENTIALS", "/nonexistent/credentials.yaml");
        qunsetenv("HALLWRIGHT_CREDENTIALS");
        qputenv("XDG_CONFIG_HOME", "/nonexistent");
    }

    /// A server whose answer makes the program throw is one that cannot be read: a gap, tried again, and back.
    void whatThrowsIsAGap()
    {
        std::atomic<int> asked = 0, found = 0;
        SourceOptions options;
        options.interval = options.firstWait = options.longestWait = std::chrono::milliseconds(5);
        PollingThread thread("http://hall", options,
                             {[&](const std::stop_token&) -> ServerState {
                                  if (++found == 2) throw std::out_of_range("find");
                                  return {};
                              },
                              [&](const std::stop_token&) -> Text {
                                  if (++asked == 2) throw std::runtime_error("ask");
                                  if (asked == 4) throw 5;
                                  return {};
                              }});
        Collected got;
        QVERIFY(thread.start(got));
        QVERIFY(got.wait([&] { return got.gaps.size() >= 4; }));
        QVERIFY(!thread.ended());
        thread.stop();
        QVERIFY(words(got.gaps[0].why).find("ask") != std::string::npos && got.gaps[1].toMs > 0);
        QVERIFY(words(got.gaps[2].why).find("unknown type") != std::string::npos && got.gaps[3].toMs > 0);
        QVERIFY(found >= 4 && thread.trouble().empty());
    }

    void payloadsThatAreNotAsMapped()
    {
        TopicMapping mapping;
        for (const char* pointer : {"/a/0/b", "/a/18446744073709551616", "/a/-", "/a/00", "/~1x~0", "no pointer"}) {
            mapping.values = {{pointer, ""}};
            Payload payload;
            for (const char* text : {R"({"a":[{"b":7}]})", R"({"a":{"0":{"b":1}}})", R"([1])", R"({"/x~":3})", "7", "{"}) {
                const bool read = readPayload(mapping, text, payload);
                const bool has = (std::string_view(pointer) == "/a/0/b" && std::string_view(text).starts_with("{\"a\"")) ||
                                 (std::string_view(pointer) == "/~1x~0" && std::string_view(text).starts_with("{\"/"));
                QVERIFY2(read == has, (std::string(pointer) + " in " + text).c_str());
            }
        }
    }

    void urls_data()
    {
        QTest::addColumn<std::string>("url");
        QTest::addColumn<std::string>("text"); // empty: refused
        QTest::newRow("port of the scheme") << std::string("mqtts://broker.example") << std::string("mqtts://broker.example:8883");
        QTest::newRow("path") << std::string("http://h:9090/prom/") << std::string("http://h:9090/prom");
        QTest::newRow("IPv6") << std::string("https://[::1]:8443") << std::string("https://[::1]:8443");
        QTest::newRow("no scheme") << std::string("broker:1883") << std::string();
        QTest::newRow("other scheme") << std::string("ftp://broker") << std::string();
        QTest::newRow("no host") << std::string("mqtt://:1883") << std::string();
        QTest::newRow("port too large") << std::string("mqtt://h:70000") << std::string();
        QTest::newRow("port no number") << std::string("mqtt://h:x") << std::string();
        QTest::newRow("password") << std::string("mqtt://me:secret@h") << std::string();
        QTest::newRow("query") << std::string("http://h?token=secret") << std::string();
    }
    void urls()
    {
        QFETCH(std::string, url);
        QFETCH(std::string, text);
        const auto parsed = parseUrl(url);
        QCOMPARE(parsed.has_value(), !text.empty());
        if (parsed) QCOMPARE(parsed->text(), text);
    }
    void aPasswordOfAUrlIsNotRepeated()
    {
        const auto parsed = parseUrl("mqtt://me:secret@h");
        QVERIFY(!parsed && parsed.error().text().find("secret") == std::string::npos);
    }

    void accessComesFromEnvironmentFileKeychain()
    {
        QTemporaryDir folder;
        const auto file = write(folder, "c.yaml", "mqtt://h:1883: {user: fromFile, password: p1}\nmqtt://other: {user: x}\n");
        qputenv("HALLWRIGHT_MQTT_USER", "fromEnvironment");
        const auto access = accessOf("mqtt://h", "mqtt", file, [](const std::string& address) {
            return address == "mqtt://h:1883" ? std::optional(Access{"k", "k", "fromKeychain", {}, {}, {}}) : std::nullopt;
        });
        QVERIFY(access.has_value());
        QCOMPARE(access->user, std::string("fromEnvironment"));
        QCOMPARE(access->password, std::string("p1"));
        QCOMPARE(access->token, std::string("fromKeychain"));
    }
    void credentialsThatOthersCanReadAreRefused()
    {
        QTemporaryDir folder;
        for (const mode_t mode : {0640, 0604, 0644}) {
            const auto access = accessOf("mqtt://h", "mqtt", write(folder, "c.yaml", "mqtt://h: {password: secret}\n", mode));
            QVERIFY(!access);
            QCOMPARE(access.error().code, ErrorCode::Unreadable);
            QVERIFY(access.error().text().find("chmod 600") != std::string::npos);
        }
        QVERIFY(accessOf("mqtt://h", "mqtt", write(folder, "c.yaml", "mqtt://h: {password: secret}\n", 0600)).has_value());
    }
    void malformedCredentialsAreRefused_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<int>("line");
        QTest::newRow("key") << std::string("mqtt://h:\n  passwort: secret\n") << 2;
        QTest::newRow("address") << std::string("\nh: {user: a}\n") << 2;
        QTest::newRow("no map") << std::string("- a\n") << 1;
        QTest::newRow("no YAML") << std::string("mqtt://h: {user: \"secret\n") << 0;
    }
    void malformedCredentialsAreRefused()
    {
        QFETCH(std::string, text);
        QFETCH(int, line);
        QTemporaryDir folder;
        const auto file = write(folder, "c.yaml", text);
        const auto access = accessOf("mqtt://h", "mqtt", file);
        QVERIFY(!access);
        if (line > 0) QCOMPARE(access.error().where, file.string() + ':' + std::to_string(line));
        QVERIFY(access.error().text().find("secret") == std::string::npos);
    }

    void shippedMappingsAreRead()
    {
        const auto mqtt = mappingsOf(Mapping::Kind::Mqtt, {});
        QVERIFY2(mqtt, mqtt ? "" : mqtt.error().text().c_str());
        QCOMPARE(mqtt->size(), std::size_t(3));
        const auto prometheus = mappingsOf(Mapping::Kind::Prometheus, {});
        QVERIFY2(prometheus, prometheus ? "" : prometheus.error().text().c_str());
        QCOMPARE(prometheus->size(), std::size_t(8));
    }
    void malformedMappingsAreRefused_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<int>("line");
        QTest::newRow("kind") << std::string("kind: opcua\n") << 1;
        QTest::newRow("unknown key") << std::string("kind: prometheus\nqueries:\n  - metric: a\n    units: W\n") << 4;
        QTest::newRow("rate") << std::string("kind: prometheus\nqueries:\n  - metric: a\n    rate: often\n") << 4;
        QTest::newRow("rate of nothing") << std::string("kind: prometheus\nqueries:\n  - metric: a\n    rate: 0s\n") << 4;
        QTest::newRow("rate and query") << std::string("kind: prometheus\nqueries:\n  - metric: a\n    rate: 1m\n    query: a*2\n") << 4;
        QTest::newRow("metric") << std::string("kind: prometheus\nqueries:\n  - metric: 'a{b=\"c\"}'\n") << 3;
        QTest::newRow("no queries") << std::string("kind: prometheus\n") << 1;
        QTest::newRow("filter") << std::string("kind: mqtt\ntopics:\n  - subscribe: a/#/b\n    value: ''\n") << 3;
        QTest::newRow("pointer") << std::string("kind: mqtt\ntopics:\n  - subscribe: a\n    value: value\n") << 4;
        QTest::newRow("pointer with a sign of its own") << std::string("kind: mqtt\ntopics:\n  - subscribe: a\n    value: /a~b\n") << 4;
        QTest::newRow("pointers") << std::string("kind: mqtt\ntopics:\n  - subscribe: a\n    values: {/a: W, /b~: W}\n") << 4;
        QTest::newRow("without") << std::string("kind: prometheus\nqueries:\n  - metric: a\nwithout: {pod: x}\n") << 4;
        QTest::newRow("no value") << std::string("kind: mqtt\ntopics:\n  - subscribe: a\n") << 3;
        QTest::newRow("quality") << std::string("kind: mqtt\ntopics:\n  - subscribe: a\n    value: /v\n    quality: /q\n") << 5;
        QTest::newRow("describes") << std::string("kind: mqtt\ntopics:\n  - subscribe: a/#\n    describes: b\n") << 4;
        QTest::newRow("no YAML") << std::string("kind: [mqtt\n") << 0;
    }
    void malformedMappingsAreRefused()
    {
        QFETCH(std::string, text);
        QFETCH(int, line);
        QTemporaryDir folder;
        const auto file = write(folder, "m.yaml", text);
        const auto mapping = readMapping(file);
        QVERIFY(!mapping);
        QCOMPARE(mapping.error().code, ErrorCode::Unreadable);
        const std::string place = file.string() + ':' + std::to_string(line) + ": "; // then the path of the key
        if (line > 0) QVERIFY2(mapping.error().where.starts_with(place), mapping.error().where.c_str());
    }
    void aMappingOfTheOtherKindIsRefused()
    {
        const auto mappings = mappingsOf(Mapping::Kind::Prometheus, {HW_RESOURCES "/telemetry/dsx.yaml"});
        QVERIFY(!mappings && mappings.error().code == ErrorCode::Usage);
    }

    void filters_data() // MQTT 3.1.1, 4.7
    {
        QTest::addColumn<std::string>("filter");
        QTest::addColumn<std::string>("topic");
        QTest::addColumn<bool>("is");
        const auto row = [](const char* filter, const char* topic, bool is) {
            QTest::addRow("%s %s", filter, topic) << std::string(filter) << std::string(topic) << is;
        };
        row("sport/tennis/player1/#", "sport/tennis/player1", true);
        row("sport/tennis/player1/#", "sport/tennis/player1/score/wimbledon", true);
        row("sport/#", "sports", false);
        row("#", "a/b", true);
        row("#", "$SYS/x", false);
        row("sport/tennis/+", "sport/tennis/player1", true);
        row("sport/tennis/+", "sport/tennis/player1/ranking", false);
        row("sport/+", "sport", false);
        row("+/+", "a/b", true);
        row("a", "a/b", false);
        row("a/b", "a", false);
    }
    void filters()
    {
        QFETCH(std::string, filter);
        QFETCH(std::string, topic);
        QFETCH(bool, is);
        QCOMPARE(matches(filter, topic), is);
    }
    void describedTopics()
    {
        TopicMapping mapping;
        mapping.subscribe = "BMS/v1/PUB/Metadata/#", mapping.describes = "BMS/v1/PUB/Value/#";
        QCOMPARE(describedTopic(mapping, "BMS/v1/PUB/Metadata/Rack/RackPower/a/b"), std::string("BMS/v1/PUB/Value/Rack/RackPower/a/b"));
        mapping.subscribe = "+/about/+/x", mapping.describes = "v/+/+";
        QCOMPARE(describedTopic(mapping, "p/about/q/x"), std::string("v/p/q"));
    }

    void payloads_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<bool>("understood");
        QTest::addColumn<double>("value");
        QTest::addColumn<qint64>("time"); // -1: none
        QTest::addColumn<bool>("good");
        const double nan = std::nan("");
        const auto row = [](const char* name, const char* text, bool is, double value = 0, qint64 time = -1, bool good = true) {
            QTest::newRow(name) << std::string(text) << is << value << time << good;
        };
        row("plain", R"({"value":22.96,"timestamp":1743620423000,"quality":1})", true, 22.96, 1743620423000);
        row("spaces, other order", "{ \"quality\" : 1, \"timestamp\":1743620423000 ,\n\"value\" : -1e3 }", true, -1000, 1743620423000);
        row("more keys", R"({"value":1,"timestamp":5,"quality":1,"note":"a, b:","more":{"value":9}})", true, 1, 5);
        row("not good", R"({"value":1,"timestamp":5,"quality":0})", true, 1, 5, false);
        row("quality as a text", R"({"value":1,"timestamp":5,"quality":"1"})", true, 1, 5);
        row("no quality", R"({"value":1,"timestamp":5})", true, 1, 5);
        row("no time", R"({"value":1,"quality":1})", true, 1);
        row("null", R"({"value":null,"timestamp":5,"quality":1})", true, nan, 5);
        row("NaN as a text", R"({"value":"NaN","timestamp":5,"quality":1})", true, nan, 5);
        row("number as a text", R"({"value":"3.5","timestamp":5,"quality":1})", true, 3.5, 5);
        row("true", R"({"value":true,"timestamp":5,"quality":1})", true, 1, 5);
        row("ISO time", R"({"value":1,"timestamp":"2025-04-02T19:00:23+0000","quality":1})", true, 1, 1743620423000);
        row("time as a text", R"({"value":1,"timestamp":"1743620423000","quality":1})", true, 1, 1743620423000);
        row("null as a time", R"({"value":1,"timestamp":null,"quality":1})", true, 1);
        row("time past all calendars", R"({"value":1,"timestamp":1e300,"quality":1})", false);
        row("time that is none", R"({"value":1,"timestamp":"yesterday","quality":1})", false);
        row("word", R"({"value":"Open","timestamp":5,"quality":1})", false);
        row("NaN, which is no JSON", R"({"value":NaN,"timestamp":5,"quality":1})", false);
        row("no value", R"({"timestamp":5,"quality":1})", false);
        row("cut", "{\"value\":22.96,\"timest", false);
        row("list", "[1,2]", false);
        row("nothing", "", false);
    }
    void payloads()
    {
        QFETCH(std::string, text);
        QFETCH(bool, understood);
        Payload payload;
        QCOMPARE(readPayload(dsx(), text, payload), understood);
        if (!understood) return;
        QFETCH(double, value);
        QFETCH(qint64, time);
        QFETCH(bool, good);
        QCOMPARE(payload.values.size(), std::size_t(1));
        QVERIFY(payload.values[0].value == value || (std::isnan(value) && std::isnan(payload.values[0].value)));
        QCOMPARE(payload.timeMs.value_or(-1), std::int64_t(time));
        QCOMPARE(payload.good, good);
    }
    void otherPayloads()
    {
        TopicMapping mapping;
        mapping.values = {{"", "W"}};
        mapping.words = {{"on", 1}};
        Payload payload;
        QVERIFY(readPayload(mapping, "46.5", payload) && payload.values[0].value == 46.5);
        QVERIFY(readPayload(mapping, "on", payload) && payload.values[0].value == 1);
        QVERIFY(!readPayload(mapping, "off", payload));
        mapping.values = {{"/a/0/w", "W"}, {"/v", "V"}, {"/x", ""}};
        mapping.time = "/at", mapping.msPerTime = 1000;
        QVERIFY(readPayload(mapping, R"({"at": 7.5, "v": 230, "a": [{"w": 3}]})", payload));
        QCOMPARE(payload.values.size(), std::size_t(2));
        QCOMPARE(payload.values[0].place, std::size_t(0));
        QCOMPARE(payload.values[0].value, 3.0);
        QCOMPARE(payload.values[1].place, std::size_t(1));
        QCOMPARE(payload.timeMs.value_or(0), std::int64_t(7500));
    }
    void descriptions()
    {
        TopicMapping mapping;
        mapping.unitAt = "/engUnit";
        const auto text = readDescription(
            mapping,
            R"({"servesId":["a07","a08"],"engUnit":"kW","isSetpoint":false,"stateText":[{"value":0,"text":"Open"},{"value":1,"text":"Closed"}],"none":null})");
        QVERIFY(text.has_value());
        QCOMPARE(text->unit, std::string("kW"));
        const bindings::Labels expected{{"engUnit", "kW"}, {"isSetpoint", "false"}, {"servesId", "a07,a08"}, {"stateText", "0=Open,1=Closed"}};
        QVERIFY(text->labels == expected);
        QVERIFY(!readDescription(mapping, "[]"));
    }

    void seriesNamesComeBack()
    {
        const bindings::Labels labels{{"a", "x\"y\\z\n"}, {"b", ""}};
        const auto name = seriesName("m:x", labels);
        QCOMPARE(name, std::string("m:x{a=\"x\\\"y\\\\z\\n\",b=\"\"}"));
        QVERIFY(readSeriesName(name).labels == labels);
        QVERIFY(readSeriesName("BMS/v1/PUB/Value/x").metric.empty());
    }
    void expositionLines()
    {
        const auto plain = readExposition("a_b{y=\"2\", x=\"1\",} 3.5 1743620423000");
        QVERIFY(plain && plain->value == 3.5 && plain->timeMs == 1743620423000);
        QVERIFY((plain->labels == bindings::Labels{{"x", "1"}, {"y", "2"}}));
        const auto seconds = readExposition("a +Inf 1743620423.25 # {id=\"1\"} 1"); // OpenMetrics
        QVERIFY(seconds && std::isinf(seconds->value) && seconds->timeMs == 1743620423250);
        QVERIFY(std::isnan(readExposition("a NaN")->value));
        for (const auto* bad : {"", "a", "a{b=1} 2", "a{b=\"c\" 2", "a 1 2 3", "a 1 x", "1a 2", "{} 1"}) QVERIFY2(!readExposition(bad), bad);
    }
    void answersOfPrometheus()
    {
        const auto matrix = readAnswer(
            R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"m","b":"2","a":"1"},"values":[[1.5,"3"],[2,"NaN"],[3,"+Inf"]]}]}})");
        QCOMPARE(matrix.series.size(), std::size_t(1));
        QCOMPARE(seriesName(matrix.series[0].metric, matrix.series[0].labels), std::string("m{a=\"1\",b=\"2\"}"));
        QVERIFY((matrix.series[0].timesMs == std::vector<std::int64_t>{1500, 2000, 3000}));
        QVERIFY(matrix.series[0].values[0] == 3 && std::isnan(matrix.series[0].values[1]) && std::isinf(matrix.series[0].values[2]));
        QCOMPARE(readAnswer(R"({"status":"success","data":{"resultType":"scalar","result":[7,"7"]}})").series[0].values[0], 7.0);
        QVERIFY(words(readAnswer(R"({"status":"error","errorType":"bad_data","error":"parse error"})").why).find("parse error") != std::string::npos);
        QVERIFY(!readAnswer("<html>").why.empty());
        const auto partial = [](const char* more) {
            return words(readAnswer(fmt::format(R"({{"status":"success"{},"data":{{"resultType":"vector","result":[]}}}})", more)).doubt());
        };
        QCOMPARE(partial(R"(,"warnings":[],"infos":["PromQL info: metric might not be a counter"])"), std::string());
        QCOMPARE(partial(R"(,"isPartial":false)"), std::string());
        QVERIFY(partial(R"(,"warnings":["store gateway-2 is away"])").find("store gateway-2 is away") != std::string::npos); // Thanos
        QVERIFY(partial(R"(,"isPartial":true)").find("incomplete response") != std::string::npos);                           // VictoriaMetrics
        for (const auto* odd :
             {"null", "[]", "7", "{}", R"({"result":null})", R"({"result":{"a":1}})", R"({"resultType":"scalar","result":null})",
              R"({"result":[{"metric":{},"values":[[1e300,"5"]]}]})", R"({"resultType":[],"result":[1,null,{"metric":[],"values":7,"value":{}}]})"}) {
            const auto answer = readAnswer(fmt::format(R"({{"status":"success","data":{}}})", odd));
            for (const auto& series : answer.series) QVERIFY2(series.timesMs.empty(), odd);
        }
    }
    void questions()
    {
        Mapping mapping;
        mapping.queries.resize(4);
        mapping.queries[0].metric = "a", mapping.queries[0].unit = "W";
        mapping.queries[1].metric = "b_total", mapping.queries[1].unit = "B", mapping.queries[1].rate = "1m";
        mapping.queries[2].metric = "c", mapping.queries[2].query = "d / 10";
        mapping.queries[3].metric = "e", mapping.queries[3].unitLabel = "u";
        const auto asked = questionsOf({mapping});
        QCOMPARE(selectorOf(asked.plain), std::string("{__name__=~\"a|e\"}"));
        QCOMPARE(selectorOf({"a"}), std::string("a"));
        QCOMPARE(asked.expressions.size(), std::size_t(2));
        QCOMPARE(asked.expressions[0].query, std::string("rate(b_total[1m])"));
        QCOMPARE(asked.unitOf("b_total", {}, false), std::string("B/s"));
        QCOMPARE(asked.unitOf("b_total", {}, true), std::string("B"));
        QCOMPARE(asked.unitOf("e", {{"u", "kPa"}}, false), std::string("kPa"));
        QCOMPARE(queryOf("b_total{x=\"1\"}", {mapping}), std::string("rate(b_total{x=\"1\"}[1m])"));
        QCOMPARE(queryOf("z{x=\"1\"}", {mapping}), std::string("z{x=\"1\"}"));
    }

    void redfishShowsWhatIsMeasured()
    {
        const auto connector = nlohmann::json::parse(examples::kConnector);
        std::map<std::string, RedfishReading> found;
        for (const auto& reading : redfishReadings(connector)) found[reading.property] = reading;
        QCOMPARE(found.size(), std::size_t(5));
        QVERIFY(found["FlowLitersPerMinute"].value == 512.5 && found["FlowLitersPerMinute"].unit == "L/min");
        QVERIFY(std::isnan(found["ReturnTemperatureCelsius"].value) && !found["ReturnTemperatureCelsius"].good);
        QCOMPARE(found["HeatRemovedkW"].unit, std::string("kW"));
        QCOMPARE(found["Status"].value, 1.0);
        QCOMPARE(found["FlowLitersPerMinute"].sensor, std::string("/redfish/v1/Chassis/CDU/Sensors/PrimaryFlow"));
        QVERIFY(found["SupplyPressurekPa"].sensor.empty());

        const auto outlet = nlohmann::json::parse(examples::kOutlet);
        found.clear();
        for (const auto& reading : redfishReadings(outlet)) found[reading.property] = reading;
        QCOMPARE(found["PolyPhaseCurrentAmps/Line1"].unit, std::string("A"));
        QCOMPARE(found["PowerWatts/ApparentVA"].unit, std::string("VA"));
        QCOMPARE(found["EnergykWh"].unit, std::string("kWh"));
        QCOMPARE(found["PowerState"].value, 1.0);
        QVERIFY(!found.contains("RatedCurrentAmps"));

        const auto leak = nlohmann::json::parse(examples::kLeak);
        QCOMPARE(redfishReadings(leak).at(0).value, 1.0);
        const auto detector = [&](const char* text) {
            double most = 0;
            for (const auto& reading : redfishReadings(nlohmann::json::parse(text)))
                if (reading.property != "Status" && reading.value > most) most = reading.value;
            return most;
        };
        const double leak1 = detector(
            "{\"@odata.type\":\"#LeakDetector.v1_0_0.LeakDetector\",\"DetectorState\":\"OK\",\"Status\":{\"State\":\"Enabled\",\"Health\":\"OK\"}}");
        QCOMPARE(leak1, 0.0);
        const double leak2 =
            detector("{\"@odata.type\":\"#LeakDetector.v1_0_0.LeakDetector\",\"Status\":{\"State\":\"Enabled\",\"Health\":\"Critical\"}}");
        QCOMPARE(leak2, 1.0);
        const double leak3 =
            detector("{\"@odata.type\":\"#LeakDetector.v1_0_0.LeakDetector\",\"Status\":{\"State\":\"UnavailableOffline\",\"Health\":\"Critical\"}}");
        QCOMPARE(leak3, 0.0);
        const double leak4 = detector("{\"@odata.type\":\"#LeakDetector.v1_0_0.LeakDetector\",\"DetectorState\":\"LeakDetected\"}");
        QCOMPARE(leak4, 1.0); // whatever the word
        const double leak5 = detector("{\"@odata.type\":\"#Chassis.v1_0_0.Chassis\",\"Oem\":{\"Vendor\":{\"LeakDetected\":true}}}");
        QCOMPARE(leak5, 1.0);
        const auto sensor = nlohmann::json::parse(examples::kSensor);
        QVERIFY(redfishReadings(sensor).at(0).unit == "Cel" && !redfishReadings(sensor).at(0).good);
        const auto older = nlohmann::json::parse(examples::kThermal);
        found.clear();
        for (const auto& reading : redfishReadings(older)) found[reading.property] = reading;
        QCOMPARE(found.size(), std::size_t(2));
        QCOMPARE(found["Temperatures/0/ReadingCelsius"].unit, std::string("°C"));
        QCOMPARE(found["Fans/0"].unit, std::string("RPM"));
        QVERIFY(found["Temperatures/0/ReadingCelsius"].member == "Inlet Temp" && found["Fans/0"].member.empty());
    }
    void redfishStaysOnItsServer()
    {
        const auto resource = nlohmann::json::parse(examples::kElsewhere);
        QCOMPARE(redfishLinks(resource, {"https://here:443", "/redfish/v1/"}), std::vector<std::string>{"/redfish/v1/ThermalEquipment"});
    }
};

QTEST_GUILESS_MAIN(TestTelemetry)
#include "test_telemetry.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Prometheus against a real server; exporters' pages and Redfish against a small one that counts what it is asked.
#include "importers/telemetry/http_reader.h"
#include "importers/telemetry/sources.h"
#include "tests/telemetry/collected.h"
#include "tests/telemetry/http_server.h"
#include "tests/telemetry/server_process.h"

#include <QScopeGuard>
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

SourceOptions to(const std::string& url)
{
    SourceOptions options;
    options.url = url;
    options.interval = 200ms, options.firstWait = 50ms, options.longestWait = 200ms;
    return options;
}

template <class Made>
auto taken(Made made)
{
    return made ? std::move(*made) : nullptr;
}

/// What real firmware shows of a coolant distribution unit, cut to what matters here.
std::map<std::string, std::string> coolingUnit()
{
    return {
        {"/redfish/v1/",
         R"({"@odata.type":"#ServiceRoot.v1_15_0.ServiceRoot","Chassis":{"@odata.id":"/redfish/v1/Chassis"},"ThermalEquipment":{"@odata.id":"/redfish/v1/ThermalEquipment"},"Systems":{"@odata.id":"/redfish/v1/Systems"}})"},
        {"/redfish/v1/Chassis", R"({"Members":[{"@odata.id":"/redfish/v1/Chassis/1"}],"Members@odata.count":1})"},
        {"/redfish/v1/Chassis/1",
         R"({"@odata.type":"#Chassis.v1_23_0.Chassis","Id":"1","Name":"CDU","SerialNumber":"SN1","Sensors":{"@odata.id":"/redfish/v1/Chassis/1/Sensors"},"Actions":{"#Chassis.Reset":{"target":"/redfish/v1/Chassis/1/Actions/Chassis.Reset"}}})"},
        {"/redfish/v1/Chassis/1/Sensors",
         R"({"Members":[{"@odata.id":"/redfish/v1/Chassis/1/Sensors/PrimaryFlow"},{"@odata.id":"/redfish/v1/Chassis/1/Sensors/DewPoint"},{"@odata.id":"/redfish/v1/Chassis/1/Sensors/Gone"}]})"},
        {"/redfish/v1/Chassis/1/Sensors/PrimaryFlow",
         R"({"@odata.type":"#Sensor.v1_7_0.Sensor","Id":"PrimaryFlow","Reading":512.5,"ReadingUnits":"L/min"})"},
        {"/redfish/v1/Chassis/1/Sensors/DewPoint",
         R"({"@odata.type":"#Sensor.v1_7_0.Sensor","Id":"DewPoint","Name":"Dew point","Reading":11.5,"ReadingUnits":"Cel","PhysicalContext":"Intake"})"},
        {"/redfish/v1/ThermalEquipment", R"({"CDUs":{"@odata.id":"/redfish/v1/ThermalEquipment/CDUs"}})"},
        {"/redfish/v1/ThermalEquipment/CDUs", R"({"Members":[{"@odata.id":"/redfish/v1/ThermalEquipment/CDUs/1"}]})"},
        {"/redfish/v1/ThermalEquipment/CDUs/1",
         R"({"@odata.type":"#CoolingUnit.v1_1_0.CoolingUnit","Id":"1","Name":"cdu-7","SerialNumber":"C7","EquipmentType":"CDU","CoolingCapacityWatts":1300000,
            "PrimaryCoolantConnectors":{"@odata.id":"/redfish/v1/ThermalEquipment/CDUs/1/PrimaryCoolantConnectors"},"LeakDetection":{"@odata.id":"/redfish/v1/ThermalEquipment/CDUs/1/LeakDetection"},"Status":{"State":"Enabled","Health":"OK"}})"},
        {"/redfish/v1/ThermalEquipment/CDUs/1/PrimaryCoolantConnectors",
         R"({"Members":[{"@odata.id":"/redfish/v1/ThermalEquipment/CDUs/1/PrimaryCoolantConnectors/1"}]})"},
        {"/redfish/v1/ThermalEquipment/CDUs/1/PrimaryCoolantConnectors/1",
         R"({"@odata.type":"#CoolantConnector.v1_0_1.CoolantConnector","Id":"1","Name":"Primary supply","RatedFlowLitersPerMinute":900,
            "FlowLitersPerMinute":{"DataSourceUri":"/redfish/v1/Chassis/1/Sensors/PrimaryFlow","Reading":512.5},"SupplyTemperatureCelsius":{"Reading":18.2}})"},
        {"/redfish/v1/ThermalEquipment/CDUs/1/LeakDetection",
         R"({"@odata.type":"#LeakDetection.v1_0_0.LeakDetection","LeakDetectors":{"@odata.id":"/redfish/v1/ThermalEquipment/CDUs/1/LeakDetection/LeakDetectors"}})"},
        {"/redfish/v1/ThermalEquipment/CDUs/1/LeakDetection/LeakDetectors",
         R"({"Members":[{"@odata.id":"/redfish/v1/ThermalEquipment/CDUs/1/LeakDetection/LeakDetectors/1"}]})"},
        {"/redfish/v1/ThermalEquipment/CDUs/1/LeakDetection/LeakDetectors/1",
         R"({"@odata.type":"#LeakDetector.v1_0_0.LeakDetector","Id":"1","DetectorState":"OK"})"},
    };
}

} // namespace

class TestHttpSources : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    [[nodiscard]] std::filesystem::path path(const char* name) const { return std::filesystem::path(m_folder.path().toStdString()) / name; }

    /// A server that scrapes a page of the test every quarter of a second.
    bool startPrometheus(ServerProcess& server, std::uint16_t port, std::uint16_t page, const QStringList& more = {})
    {
        writeText(
            path("prometheus.yml"),
            fmt::format("global:\n  scrape_interval: 250ms\n  scrape_timeout: 200ms\nscrape_configs:\n  - job_name: hall\n    honor_labels: true\n"
                        "    static_configs:\n      - targets: ['127.0.0.1:{}']\n",
                        page));
        return server.start("prometheus",
                            QStringList{"--config.file=" + QString::fromStdString(path("prometheus.yml").string()),
                                        "--storage.tsdb.path=" + QString::fromStdString(path("data").string()),
                                        QString("--web.listen-address=127.0.0.1:%1").arg(port), "--log.level=error"} +
                                more,
                            port) &&
               ready(port, more.isEmpty() ? "http" : "https");
    }
    /// It listens before it has read what it stored.
    [[nodiscard]] bool ready(std::uint16_t port, const char* scheme) const
    {
        HttpReader server(fmt::format("{}://localhost:{}", scheme, port), {"hall", "right-password", "", path("ca.pem"), {}, {}});
        for (int i = 0; i < 500; ++i) {
            const auto answer = server.get("/-/ready", {});
            if (answer.status == 200 || answer.distrusted) return true;
            QTest::qWait(20);
        }
        return false;
    }

private slots:
    void initTestCase() { QVERIFY(makeCertificates(path("."))); }

    void onlyGet()
    {
        HttpServer server([](const HttpRequest& request) {
            return request.path == "/old" ? HttpReply{301, ""} : HttpReply{200, request.authorization};
        });
        HttpReader plain(server.url(), {});
        QCOMPARE(plain.get("/a", {}).status, 200);
        QCOMPARE(plain.get("/old", {}).status, 301); // not followed: a password must not go elsewhere
        QCOMPARE(HttpReader(server.url(), {"u", "p", "", {}, {}, {}}).get("/", {}).body, std::string("Basic dTpw"));
        QCOMPARE(HttpReader(server.url(), {"", "", "t0ken", {}, {}, {}}).get("/", {}).body, std::string("Bearer t0ken"));
        QCOMPARE(server.methods(), (std::map<std::string, int>{{"GET", 4}}));
        QVERIFY(!server.paths().contains("/moved"));
        QVERIFY(!HttpReader(fmt::format("http://127.0.0.1:{}", freePort()), {}).get("/", {}).why.empty());
        std::stop_source stopped;
        stopped.request_stop();
        QCOMPARE(plain.get("/a", stopped.get_token()).status, 0);
    }

    void aPageOfMetricsIsScraped()
    {
        std::atomic<int> scrapes = 0;
        HttpServer page([&](const HttpRequest& request) {
            if (request.path != "/metrics") return HttpReply{404, ""};
            return HttpReply{
                200,
                fmt::format(
                    "# HELP x y\n# UNIT own_thing kPa\nDCGM_FI_DEV_POWER_USAGE{{gpu=\"3\",Hostname=\"h1\"}} {}\nifHCInOctets{{ifName=\"swp1\"}} 1e9\n"
                    "own_thing 4 {}\ngo_threads 8\nlatency_bucket{{le=\"1\"}} 3\nbroken{{\nbms_point{{engUnit=\"LPM\"}} NaN\n",
                    700 + scrapes++, 1'763'899'200'000)};
        });
        Collected got;
        const auto source = taken(makePrometheusSource(to(page.url())));
        QVERIFY(source && source->start(got));
        QVERIFY(got.wait([&] { return scrapes >= 4; }));
        source->stop();
        QCOMPARE(got.channels.size(), std::size_t(4));
        const auto named = [&](const char* metric, const char* before = "") {
            return fmt::format("{}{{{}instance=\"127.0.0.1:{}\"}}", metric, before, page.port()); // as a server that scrapes it would
        };
        const std::string gpu = fmt::format("DCGM_FI_DEV_POWER_USAGE{{Hostname=\"h1\",gpu=\"3\",instance=\"127.0.0.1:{}\"}}", page.port());
        const auto power = got.of(gpu);
        QVERIFY(power.size() >= 2 && power[1].value == power[0].value + 1 && power[1].timeMs > power[0].timeMs);
        QCOMPARE(got.channels[*got.find(gpu)].unit, std::string("W"));
        QCOMPARE(got.channels[*got.find(named("ifHCInOctets", "ifName=\"swp1\","))].unit, std::string("B")); // a counter, as it is
        QCOMPARE(got.channels[*got.find(named("own_thing"))].unit, std::string("kPa"));
        QCOMPARE(got.channels[*got.find(named("bms_point", "engUnit=\"LPM\","))].unit, std::string("LPM"));
        QCOMPARE(got.of(named("own_thing")).size(), std::size_t(1)); // dated by the page, and not dated again
        QVERIFY(words(source->trouble()).find("1 line") != std::string::npos);
        QCOMPARE(page.methods().size(), std::size_t(1));
    }

    void whatIsNeitherServerNorPageIsRefused()
    {
        HttpServer nothing([](const HttpRequest&) { return HttpReply{404, ""}; });
        HttpServer closed([](const HttpRequest&) { return HttpReply{401, ""}; });
        for (const auto* server : {&nothing, &closed}) {
            Collected got;
            const auto source = taken(makePrometheusSource(to(server->url())));
            QVERIFY(source);
            const auto started = source->start(got);
            QVERIFY(!started && started.error().code == ErrorCode::Unreadable);
        }
        QVERIFY(!makePrometheusSource(to("mqtt://h")) && !makeRedfishSource(to("http://h/other")));
    }

    void aServerIsAskedAndReadBack()
    {
        std::atomic<int> bytes = 0;
        HttpServer page([&](const HttpRequest&) {
            return HttpReply{200, fmt::format("DCGM_FI_DEV_POWER_USAGE{{gpu=\"3\",Hostname=\"h1\"}} 700\nDCGM_FI_DEV_GPU_TEMP{{gpu=\"3\"}} "
                                              "NaN\nifHCInOctets{{ifName=\"swp1\"}} {}\n"
                                              "not_asked_for 1\n",
                                              bytes += 1000)};
        });
        const auto port = freePort();
        ServerProcess server;
        QVERIFY(startPrometheus(server, port, page.port()));
        const std::string power =
            fmt::format("DCGM_FI_DEV_POWER_USAGE{{Hostname=\"h1\",gpu=\"3\",instance=\"127.0.0.1:{}\",job=\"hall\"}}", page.port());
        const std::string octets = fmt::format("ifHCInOctets{{ifName=\"swp1\",instance=\"127.0.0.1:{}\",job=\"hall\"}}", page.port());
        const auto began = now();
        Collected got;
        auto with = to(fmt::format("http://127.0.0.1:{}", port));
        with.interval = 1000ms;
        const auto source = taken(makePrometheusSource(with));
        QVERIFY(source && source->start(got));
        QVERIFY(got.wait([&] { return got.of(power).size() >= 12 && got.of(octets).size() >= 2; }));
        QCOMPARE(got.channels[*got.find(power)].unit, std::string("W"));
        QCOMPARE(got.channels[*got.find(octets)].unit, std::string("B/s"));
        QVERIFY(!got.find(fmt::format("not_asked_for{{instance=\"127.0.0.1:{}\",job=\"hall\"}}", page.port())));

        // Away and back: a gap, and no sample twice. What the server itself has no value of stays a hole.
        server.stop();
        QVERIFY(got.wait([&] { return got.gaps.size() == 1; }));
        QVERIFY(startPrometheus(server, port, page.port()));
        QVERIFY(got.wait([&] { return got.gaps.size() == 2; }));
        const auto before = got.of(power).size();
        QVERIFY(got.wait([&] { return got.of(power).size() >= before + 4; }));
        source->stop();
        QVERIFY(got.gaps[1].toMs > got.gaps[0].fromMs && got.gaps[0].toMs == 0);
        std::set<std::int64_t> times;
        for (const auto& sample : got.of(power)) QVERIFY(times.insert(sample.timeMs).second);
        for (const auto& sample : got.of(octets)) QVERIFY(sample.value > 0 && sample.value < 8'000); // at most four thousand a second

        const auto reader = taken(makePrometheusReader(with));
        QVERIFY(reader);
        const std::vector<std::string> names{power, octets, "DCGM_FI_DEV_POWER_USAGE{gpu=\"9\"}"};
        const auto read = reader->read(names, began, now(), 10'000);
        QVERIFY2(read, read ? "" : read.error().text().c_str());
        QVERIFY((*read)[0].timesMs.size() >= 12 && std::ranges::is_sorted((*read)[0].timesMs) && (*read)[0].least.empty());
        QVERIFY(std::ranges::all_of((*read)[0].values, [](double value) { return value == 700; }));
        QVERIFY((*read)[2].timesMs.empty());
        const auto steps = reader->read(names, began - 600'000, now() + 60'000, 4);
        QVERIFY2(steps, steps ? "" : steps.error().text().c_str());
        QVERIFY(!(*steps)[0].timesMs.empty() && (*steps)[0].timesMs.size() <= 4);
        QVERIFY((*steps)[0].least.size() == (*steps)[0].timesMs.size() && (*steps)[0].most.size() == (*steps)[0].timesMs.size());
        QCOMPARE((*steps)[0].most.back(), 700.0);
        const auto at = reader->at(names, now(), 60'000);
        QVERIFY2(at, at ? "" : at.error().text().c_str());
        QVERIFY((*at)[0] == 700 && std::isnan((*at)[2]));
        QVERIFY(std::isnan(reader->at(names, began - 3'600'000, 60'000)->at(0)));
        server.stop();
        QVERIFY(!reader->read(names, began, now(), 100));
    }

    /// What overlaps is taken once, a clock that goes wrong is reported, a query that is refused too; the rest goes on.
    void answersThatOverlap()
    {
        std::atomic<int> behindMs = 0;
        HttpServer server([&](const HttpRequest& request) {
            const double time = double(now() - behindMs) / 1000;
            if (request.path.find("query=time") != std::string::npos)
                return HttpReply{200, fmt::format(R"({{"status":"success","data":{{"resultType":"scalar","result":[{:.3f},"0"]}}}})", time)};
            if (request.path.find("query_range") != std::string::npos && behindMs == 0)
                return HttpReply{422, R"({"status":"error","errorType":"execution","error":"too many samples"})"};
            std::string values;
            for (int i = 4; i >= 0; --i)
                values += fmt::format("{}[{},\"{}\"]", i == 4 ? "" : ",", std::int64_t(time) - i, (std::int64_t(time) - i) % 1000);
            return HttpReply{
                200,
                fmt::format(
                    R"({{"status":"success","data":{{"resultType":"matrix","result":[{{"metric":{{"__name__":"DCGM_FI_DEV_GPU_TEMP","gpu":"0"}},"values":[{}]}}]}}}})",
                    values)};
        });
        Collected got;
        const auto source = taken(makePrometheusSource(to(server.url())));
        QVERIFY(source && source->start(got));
        QVERIFY(got.wait([&] { return got.samples.size() >= 7; }));
        QTRY_VERIFY(words(source->trouble()).find("too many samples") != std::string::npos);
        behindMs = 60'000;
        QTRY_VERIFY(words(source->trouble()).find("behind") != std::string::npos);
        source->stop();
        const auto samples = got.of("DCGM_FI_DEV_GPU_TEMP{gpu=\"0\"}"); // a refused query catches up when it is answered
        for (std::size_t i = 1; i < samples.size(); ++i) QCOMPARE(samples[i].timeMs, samples[i - 1].timeMs + 1000);
        for (const auto& sample : samples) QCOMPARE(sample.value, double(sample.timeMs / 1000 % 1000));
        QVERIFY(got.gaps.empty());
    }

    /// A query that fails blinds itself alone and is named with its own reason; so does one of many metrics that are asked for together.
    void oneQueryThatFails()
    {
        HttpServer server([&](const HttpRequest& request) {
            if (request.path.find("query=time") != std::string::npos)
                return HttpReply{
                    200, fmt::format(R"({{"status":"success","data":{{"resultType":"scalar","result":[{:.3f},"0"]}}}})", double(now()) / 1000)};
            if (request.path.find("DCGM_FI_DEV_POWER_USAGE") != std::string::npos) return HttpReply{503, ""};
            if (request.path.find("DCGM_FI_DEV_GPU_UTIL") != std::string::npos)
                return HttpReply{422, R"({"status":"error","errorType":"execution","error":"too many samples"})"};
            if (request.path.find("DCGM_FI_DEV_GPU_TEMP") == std::string::npos)
                return HttpReply{200, R"({"status":"success","data":{"resultType":"matrix","result":[]}})"};
            return HttpReply{
                200,
                fmt::format(
                    R"({{"status":"success","data":{{"resultType":"matrix","result":[{{"metric":{{"__name__":"DCGM_FI_DEV_GPU_TEMP","gpu":"0"}},"values":[[{},"50"]]}}]}}}})",
                    now() / 1000)};
        });
        Collected got;
        const auto source = taken(makePrometheusSource(to(server.url())));
        QVERIFY(source && source->start(got));
        QVERIFY(got.wait([&] { return got.samples.size() >= 2; }));
        const auto named = [&](const char* what) { return words(source->trouble()).find(what) != std::string::npos; };
        QTRY_VERIFY(named("query of DCGM_FI_DEV_POWER_USAGE failed: server returned status 503"));
        QTRY_VERIFY(named("query of DCGM_FI_DEV_GPU_UTIL failed: request rejected by the server: too many samples"));
        source->stop();
        QVERIFY(got.gaps.empty());
    }

    /// A query that is not answered in time is named, whether it was asked together with others or by itself; the others go on meanwhile.
    void oneQueryThatIsSlow_data()
    {
        QTest::addColumn<std::string>("queries");
        QTest::addColumn<std::string>("named");
        QTest::newRow("metric as it is") << std::string("{metric: slow_w, unit: W}") << std::string("query of slow_w failed");
        QTest::newRow("two expressions") << std::string("{metric: slow_w, unit: W, query: sum(slow_w)}\n  - {metric: b, unit: W, query: sum(slow_b)}")
                                         << std::string("queries of 2 metrics failed");
    }
    void oneQueryThatIsSlow()
    {
        QFETCH(std::string, queries);
        QFETCH(std::string, named);
        writeText(path("slow.yaml"), "kind: prometheus\nqueries:\n  - {metric: fast_w, unit: W}\n  - " + queries + "\n");
        std::atomic<bool> over = false, waitsForTwo = false; // over: until then the slow ones are not answered
        std::atomic<int> slow = 0, inARow = 0;
        HttpServer server([&](const HttpRequest& request) {
            if (request.path.find("query=time") != std::string::npos)
                return HttpReply{
                    200, fmt::format(R"({{"status":"success","data":{{"resultType":"scalar","result":[{:.3f},"0"]}}}})", double(now()) / 1000)};
            if (request.path.find("slow_") == std::string::npos) {
                inARow = 0;
            } else {
                if (++slow, ++inARow > 1) waitsForTwo = true;
                over.wait(false);
            }
            return HttpReply{
                200,
                fmt::format(
                    R"({{"status":"success","data":{{"resultType":"matrix","result":[{{"metric":{{"__name__":"fast_w","rack":"1"}},"values":[[{:.3f},"50"]]}}]}}}})",
                    double(now()) / 1000)};
        });
        const auto answer = [&] { over = true, over.notify_all(); };
        const auto atLast = qScopeGuard(answer);
        SourceOptions options = to(server.url());
        options.longestAnswer = 1s, options.mappings = {path("slow.yaml")};
        Collected got;
        const auto source = taken(makePrometheusSource(std::move(options)));
        QVERIFY(source && source->start(got));
        QTRY_VERIFY_WITH_TIMEOUT(words(source->trouble()).find(named) != std::string::npos, 60'000);
        waitsForTwo = false, inARow = 0;
        std::size_t then = 0;
        QVERIFY(got.wait([&] { return then = got.samples.size(), true; }));
        const int asked = slow;
        QVERIFY(got.wait([&] { return slow > asked + 1 && got.samples.size() >= then + 3; }, 60s)); // asked again, and waited for
        QVERIFY(!waitsForTwo);
        answer();
        QTRY_VERIFY_WITH_TIMEOUT(words(source->trouble()).empty(), 60'000);
        source->stop();
        QVERIFY(got.gaps.empty());
    }

    void anAnswerWithoutEndIsCut()
    {
        HttpServer server([](const HttpRequest& request) { return HttpReply{200, std::string(request.path == "/small" ? 1000 : 2 << 20, 'x')}; });
        HttpReader reader(server.url(), {});
        const auto cut = reader.get("/large", {}, 10s, 1 << 20);
        QVERIFY(cut.status == 0 && cut.body.empty() && words(cut.why).find("1 MiB") != std::string::npos);
        QCOMPARE(reader.get("/small", {}, 10s, 1 << 20).body.size(), std::size_t(1000));
    }

    /// A GPU stays one channel when its pod, its Slurm job or the words of its last XID change; a page shows one after the other, a server both.
    void whoUsesAGpuIsNoPartOfItsName()
    {
        std::atomic<int> scrapes = 0;
        HttpServer page([&](const HttpRequest& request) {
            if (request.path != "/metrics") return HttpReply{404, ""};
            const bool later = scrapes++ > 1;
            return HttpReply{200, fmt::format("DCGM_FI_DEV_XID_ERRORS{{gpu=\"0\",Hostname=\"h1\",pod=\"{}\",hpc_job=\"{}\",err_code=\"{}\"}} {}\n",
                                              later ? "b" : "a", later ? 2 : 1, later ? 79 : 0, later ? 79 : 0)};
        });
        Collected scraped;
        const auto source = taken(makePrometheusSource(to(page.url())));
        QVERIFY(source && source->start(scraped));
        QVERIFY(scraped.wait([&] { return !scraped.samples.empty() && scraped.samples.back().value == 79; }));
        source->stop();
        QCOMPARE(scraped.channels.size(), std::size_t(1));
        QCOMPARE(scraped.channels[0].name, fmt::format("DCGM_FI_DEV_XID_ERRORS{{Hostname=\"h1\",gpu=\"0\",instance=\"127.0.0.1:{}\"}}", page.port()));

        const std::string kGpu = "DCGM_FI_DEV_GPU_TEMP{Hostname=\"h1\",gpu=\"0\"}";
        HttpServer server([&](const HttpRequest& request) {
            if (request.path.find("query=time") != std::string::npos)
                return HttpReply{200, R"({"status":"success","data":{"resultType":"scalar","result":[1000,"0"]}})"};
            if (request.path.find("query_range") != std::string::npos)
                return HttpReply{200, R"({"status":"success","data":{"resultType":"matrix","result":[]}})"};
            const bool counts = request.path.find("count_over_time") != std::string::npos;
            const auto series = [&](const char* pod, const char* values) {
                return fmt::format(R"({{"metric":{{"__name__":"DCGM_FI_DEV_GPU_TEMP","Hostname":"h1","gpu":"0","pod":"{}"}},{}}})", pod,
                                   counts ? R"("value":[1000,"2"])" : values);
            };
            return HttpReply{200, fmt::format(R"({{"status":"success","data":{{"resultType":"matrix","result":[{},{}]}}}})",
                                              series("new", R"("values":[[990,"61"],[1000,"62"]])"),
                                              series("old", R"("values":[[970,"41"],[980,"42"]])"))};
        });
        Collected asked;
        const auto second = taken(makePrometheusSource(to(server.url())));
        QVERIFY(second && second->start(asked));
        QVERIFY(asked.wait([&] { return asked.samples.size() >= 4; }));
        second->stop();
        QCOMPARE(asked.channels.size(), std::size_t(1));
        QCOMPARE(asked.channels[0].name, kGpu);
        for (int i = 0; i < 4; ++i) QCOMPARE(asked.samples[std::size_t(i)].timeMs, 970'000 + 10'000 * std::int64_t(i));
        const auto reader = taken(makePrometheusReader(to(server.url())));
        const auto read = reader->read(std::vector<std::string>{kGpu}, 900'000, 1'000'000, 100);
        QVERIFY(read.has_value());
        QVERIFY(((*read)[0].values == std::vector<double>{41, 42, 61, 62}));
    }

    void certificatesAndPasswordsOfAServer_data()
    {
        QTest::addColumn<QString>("certificate");
        QTest::addColumn<QString>("password");
        QTest::addColumn<QString>("says"); // empty: it works
        QTest::newRow("good") << "server.pem"
                              << "right-password"
                              << "";
        QTest::newRow("expired") << "expired.pem"
                                 << "right-password"
                                 << "expired";
        QTest::newRow("wrong password") << "server.pem"
                                        << "wrong-password"
                                        << "password";
    }
    void certificatesAndPasswordsOfAServer()
    {
        QFETCH(QString, certificate);
        QFETCH(QString, password);
        QFETCH(QString, says);
        // bcrypt of "right-password"
        writeText(path("web.yml"), fmt::format("tls_server_config:\n  cert_file: {}\n  key_file: {}\nbasic_auth_users:\n  hall: "
                                               "$2b$04$abcdefghijklmnopqrstuuS80hwFD6gSIL20SCUGvmL7S939BjOHW\n",
                                               path(certificate.toUtf8()).string(), path("server.key").string()));
        const auto port = freePort();
        ServerProcess server;
        QVERIFY(startPrometheus(server, port, freePort(), {"--web.config.file=" + QString::fromStdString(path("web.yml").string())}));
        auto with = to(fmt::format("https://localhost:{}", port));
        with.access.ca = path("ca.pem"), with.access.user = "hall", with.access.password = password.toStdString();
        Collected got;
        const auto source = taken(makePrometheusSource(with));
        QVERIFY(source);
        const auto started = source->start(got);
        QVERIFY2(started.has_value() == says.isEmpty(), started ? "" : started.error().text().c_str());
        if (started) return;
        QVERIFY2(started.error().text().find(says.toStdString()) != std::string::npos, started.error().text().c_str());
        QVERIFY(started.error().text().find("right-") == std::string::npos);
    }

    void redfishIsWalkedAndAsked()
    {
        auto resources = coolingUnit();
        std::mutex mutex;
        HttpServer unit([&](const HttpRequest& request) {
            const std::lock_guard lock(mutex);
            const auto found = resources.find(request.path);
            if (request.path != "/redfish/v1/" && request.authorization != "Basic aGFsbDpyaWdodA==") return HttpReply{401, ""};
            return found == resources.end() ? HttpReply{404, ""} : HttpReply{200, found->second};
        });
        auto with = to(unit.url());
        with.access.user = "hall", with.access.password = "wrong";
        {
            Collected got;
            const auto source = taken(makeRedfishSource(with));
            const auto started = source->start(got);
            QVERIFY(!started && started.error().text().find("password") != std::string::npos);
        }
        with.access.password = "right";
        Collected got;
        const auto source = taken(makeRedfishSource(with));
        QVERIFY(source && source->start(got));
        const std::string root = fmt::format("//127.0.0.1:{}/redfish/v1/", unit.port()),
                          connector = root + "ThermalEquipment/CDUs/1/PrimaryCoolantConnectors/1";
        QVERIFY(got.wait([&] { return got.of(connector + "#FlowLitersPerMinute").size() >= 2; }));
        QCOMPARE(got.of(connector + "#FlowLitersPerMinute")[0].value, 512.5);
        const auto& flow = got.channels[*got.find(connector + "#FlowLitersPerMinute")];
        QVERIFY(
            (flow.labels ==
             bindings::Labels{{"Id", "1"}, {"Name", "cdu-7"}, {"ResourceName", "Primary supply"}, {"SerialNumber", "C7"}, {"host", "127.0.0.1"}}));
        QCOMPARE(flow.unit, std::string("L/min"));
        QVERIFY(got.find(root + "ThermalEquipment/CDUs/1#Status") &&
                got.find(root + "ThermalEquipment/CDUs/1/LeakDetection/LeakDetectors/1#DetectorState"));
        QCOMPARE(got.of(root + "Chassis/1/Sensors/DewPoint#Reading").at(0).value, 11.5);
        QVERIFY(!got.find(root + "Chassis/1/Sensors/PrimaryFlow#Reading")); // the connector repeats it
        QCOMPARE(got.channels.size(), std::size_t(5));
        {
            const std::lock_guard lock(mutex);
            resources["/redfish/v1/ThermalEquipment/CDUs/1/LeakDetection/LeakDetectors/1"] =
                R"({"@odata.type":"#LeakDetector.v1_0_0.LeakDetector","DetectorState":"Critical"})";
        }
        QVERIFY(got.wait([&] { return got.of(root + "ThermalEquipment/CDUs/1/LeakDetection/LeakDetectors/1#DetectorState").back().value == 1; }));
        unit.away = true;
        QVERIFY(got.wait([&] { return got.gaps.size() == 1; }));
        unit.away = false;
        QVERIFY(got.wait([&] { return got.gaps.size() == 2; }));
        source->stop();
        QCOMPARE(unit.methods().size(), std::size_t(1)); // GET
        QVERIFY(!unit.paths().contains("/redfish/v1/Systems"));
        QVERIFY(!unit.paths().contains("/redfish/v1/Chassis/1/Actions/Chassis.Reset"));
        QVERIFY(unit.paths()["/redfish/v1/Chassis/1/Sensors"] < unit.paths()["/redfish/v1/Chassis/1/Sensors/DewPoint"]); // walked once, asked often
    }

    /// A part that may not be read, or that hangs up, takes nothing else along and is reported as long as it is so.
    void redfishGoesOnWithoutAPart()
    {
        auto resources = coolingUnit();
        const std::string dew = "/redfish/v1/Chassis/1/Sensors/DewPoint";
        HttpServer unit([&](const HttpRequest& request) {
            const auto found = resources.find(request.path);
            if (request.path == dew) return HttpReply{401, ""};
            return found == resources.end() ? HttpReply{404, ""} : HttpReply{200, found->second};
        });
        Collected got;
        const auto source = taken(makeRedfishSource(to(unit.url())));
        QVERIFY(source && source->start(got));
        const std::string flow =
            fmt::format("//127.0.0.1:{}/redfish/v1/ThermalEquipment/CDUs/1/PrimaryCoolantConnectors/1#FlowLitersPerMinute", unit.port());
        QVERIFY(got.wait([&] { return got.of(flow).size() >= 3; }));
        QVERIFY(words(source->trouble()).find("/redfish/v1/Chassis/1/Sensors/") != std::string::npos);
        source->stop();
        QVERIFY(got.gaps.empty());
    }

    /// A service whose certificate is expired, or of nobody that is trusted, hears no password.
    void redfishChecksCertificates_data()
    {
        QTest::addColumn<QString>("certificate");
        QTest::addColumn<QString>("ca");
        QTest::addColumn<QString>("says");
        QTest::newRow("good") << "server.pem"
                              << "ca.pem"
                              << "Redfish"; // the server is trusted, and no Redfish service
        QTest::newRow("expired") << "expired.pem"
                                 << "ca.pem"
                                 << "expired";
        QTest::newRow("of another authority") << "server.pem"
                                              << "other-ca.pem"
                                              << "certificate";
    }
    void redfishChecksCertificates()
    {
        QFETCH(QString, certificate);
        QFETCH(QString, ca);
        QFETCH(QString, says);
        const auto port = freePort();
        ServerProcess server;
        QVERIFY(server.start("openssl",
                             {"s_server", "-accept", QString::number(port), "-cert", QString::fromStdString(path(certificate.toUtf8()).string()),
                              "-key", QString::fromStdString(path("server.key").string()), "-www", "-quiet"},
                             port));
        auto with = to(fmt::format("https://localhost:{}", port));
        with.access.ca = path(ca.toUtf8()), with.access.user = "hall", with.access.password = "right-password";
        Collected got;
        const auto source = taken(makeRedfishSource(with));
        QVERIFY(source);
        const auto started = source->start(got);
        QVERIFY(!started);
        QVERIFY2(started.error().text().find(says.toStdString()) != std::string::npos, started.error().text().c_str());
        QVERIFY(started.error().text().find("right-") == std::string::npos);
        QCOMPARE(started.error().text().find("Redfish service exposes no chassis, power or thermal equipment") != std::string::npos,
                 certificate == "server.pem" && ca == "ca.pem");
    }

    void redfishThatIsNoneIsRefused()
    {
        HttpServer other([](const HttpRequest&) { return HttpReply{404, ""}; });
        HttpServer empty([](const HttpRequest&) { return HttpReply{200, "{}"}; });
        for (const auto* server : {&other, &empty}) {
            Collected got;
            const auto source = taken(makeRedfishSource(to(server->url())));
            QVERIFY(source && !source->start(got));
        }
    }
};

QTEST_GUILESS_MAIN(TestHttpSources)
#include "test_http_sources.moc"

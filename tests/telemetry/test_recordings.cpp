// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/incident/alarm_responses.h"
#include "importers/telemetry/sources.h"
#include "tests/telemetry/collected.h"

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>
#include <zlib.h>

using namespace hw;
using namespace hw::telemetry;

namespace {

constexpr std::int64_t kNoon = 1'763'899'200'000;

std::string contentOf(const std::filesystem::path& file)
{
    std::ostringstream out;
    out << std::ifstream(file, std::ios::binary).rdbuf();
    return out.str();
}

void write(const std::filesystem::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

/// Plays a file to its end as fast as it goes.
RecordingEnd play(const std::filesystem::path& file, Collected& into, double speed = 0)
{
    auto replay = openRecording(file, speed);
    if (!replay) return {replay.error(), {}};
    if (auto started = (*replay)->start(into); !started) return {started.error(), {}};
    for (int i = 0; i < 2000 && !(*replay)->ended(); ++i) QTest::qWait(5);
    (*replay)->stop();
    return *(*replay)->end();
}

/// Three channels, values of every kind, a gap.
std::vector<bindings::Sample> someSamples()
{
    return {{0, kNoon, 46.2, true},
            {1, kNoon + 1, 0.1 + 0.2, true},
            {2, kNoon - 5000, std::nan(""), false},
            {0, kNoon + 999, -1e-300, true},
            {1, kNoon, INFINITY, true}};
}

void record(const std::filesystem::path& file, int batches = 3)
{
    auto recorder = makeRecorder(file);
    QVERIFY2(recorder, recorder ? "" : recorder.error().text().c_str());
    (*recorder)->channel(0, {"a \"b\"\n", {{"x", "1"}, {"y", "ü"}}, "kW"});
    (*recorder)->channel(1, {"b", {}, ""});
    (*recorder)->channel(2, {"c", {}, "°C"});
    for (int i = 0; i < batches; ++i) (*recorder)->take(kNoon + 1500 + i * 700, someSamples());
    (*recorder)->gap(kNoon + 9000, {"mqtt://h:1883", kNoon + 8000, 0, i18n("connection closed by the broker")});
    QVERIFY((*recorder)->finish(kNoon + 12'000).has_value());
}

bool same(const bindings::Sample& a, const bindings::Sample& b)
{
    return a.channel == b.channel && a.timeMs == b.timeMs && a.good == b.good && (a.value == b.value || (std::isnan(a.value) && std::isnan(b.value)));
}

} // namespace

class TestRecordings : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    [[nodiscard]] std::filesystem::path path(const char* name) const { return std::filesystem::path(m_folder.path().toStdString()) / name; }

private slots:
    /// What fails while it is played is the recording's end, with its reason.
    void whatThrowsEndsTheReplay()
    {
        struct Throwing final : Collected {
            void take(std::span<const bindings::Sample>) override { throw std::length_error("no room"); }
        } got;
        record(path("t.jsonl"));
        const auto end = play(path("t.jsonl"), got);
        QVERIFY(end.damage && end.damage->code == ErrorCode::Fault);
        QVERIFY(end.damage->text().find("no room") != std::string::npos);
    }
    /// Numbers beyond 32 bits are those of no channel.
    void numbersOfNoChannel()
    {
        write(path("n.jsonl"), "");
        record(path("n.jsonl"));
        std::string all = contentOf(path("n.jsonl"));
        const auto at = all.find("\"s\":[[0,");
        QVERIFY(at != std::string::npos);
        write(path("n.jsonl"), all.replace(at + 6, 1, "4294967296"));
        Collected got;
        const auto end = play(path("n.jsonl"), got);
        QVERIFY(end.damage && end.damage->code == ErrorCode::Unreadable);
    }

    void whatIsRecordedComesBack_data()
    {
        QTest::addColumn<std::string>("name");
        QTest::newRow("plain") << std::string("a.jsonl");
        QTest::newRow("compressed") << std::string("a.jsonl.zst");
    }
    void whatIsRecordedComesBack()
    {
        QFETCH(std::string, name);
        record(path(name.c_str()));
        Collected got;
        const auto end = play(path(name.c_str()), got);
        QVERIFY(!end.damage && end.cut.empty());
        QCOMPARE(got.channels.size(), std::size_t(3));
        QVERIFY((got.channels[0] == bindings::ChannelText{"a \"b\"\n", {{"x", "1"}, {"y", "ü"}}, "kW"}));
        QCOMPARE(got.samples.size(), std::size_t(15));
        for (std::size_t i = 0; i < 15; ++i) QVERIFY(same(got.samples[i], someSamples()[i % 5]));
        QCOMPARE(got.gaps.size(), std::size_t(1));
        QCOMPARE(words(got.gaps[0].why), words(i18n("connection closed by the broker")));
        QCOMPARE(got.clockMs, kNoon + 12'000);
        QVERIFY(!got.backwards);
        QCOMPARE(got.log, (std::vector<std::string>{"take 5", "take 5", "take 5", "gap"}));
    }

    /// gzip, also of several members and of what unpacks to more than is read at once.
    void gzip()
    {
        std::string text = "time,channel,value\n";
        for (int i = 0; i < 40'000; ++i) text += std::to_string(kNoon + i) + ",a," + std::to_string(i % 3) + "\n";
        const auto packed = [](const std::string& plain) {
            std::string out(compressBound(uLong(plain.size())) + 64, '\0');
            z_stream zip{};
            if (deflateInit2(&zip, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK) qFatal("zlib");
            zip.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data())), zip.avail_in = uInt(plain.size());
            zip.next_out = reinterpret_cast<Bytef*>(out.data()), zip.avail_out = uInt(out.size());
            deflate(&zip, Z_FINISH);
            out.resize(zip.total_out);
            deflateEnd(&zip);
            return out;
        };
        write(path("a.csv.gz"), packed(text.substr(0, 100'000)) + packed(text.substr(100'000)));
        Collected got;
        const auto end = play(path("a.csv.gz"), got);
        QVERIFY2(!end.damage, end.damage ? end.damage->text().c_str() : "");
        QCOMPARE(got.samples.size(), std::size_t(40'000));
        std::string broken = packed(text);
        for (std::size_t i = broken.size() / 2; i < broken.size() / 2 + 40; ++i) broken[i] = char(~broken[i]);
        write(path("b.csv.gz"), broken);
        Collected none;
        QVERIFY(play(path("b.csv.gz"), none).damage);
    }

    /// One page of an exporter has no times: it is of the moment when its file was written, and of the host that the file is called by.
    void onePage()
    {
        write(path("host-7.prom"),
              "# TYPE ipmi_power_watts gauge\nipmi_power_watts{name=\"Pwr\"} 5400\nnode_load1{instance=\"b:9100\"} 2\ngo_goroutines 7\n");
        const auto written = std::filesystem::file_time_type(
            std::chrono::file_clock::from_sys(std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(kNoon))));
        std::filesystem::last_write_time(path("host-7.prom"), written);
        Collected got;
        const auto end = play(path("host-7.prom"), got);
        QVERIFY2(!end.damage, end.damage ? end.damage->text().c_str() : "");
        QCOMPARE(got.samples.size(), std::size_t(2));
        QCOMPARE(got.channels[0].name, std::string("ipmi_power_watts{instance=\"host-7\",name=\"Pwr\"}"));
        QCOMPARE(got.channels[1].name, std::string("node_load1{instance=\"b:9100\"}"));
        QCOMPARE(got.samples[0].timeMs, kNoon);
        QCOMPARE(got.clockMs, kNoon + 1000);     // so that it is judged
        write(path("two.prom"), "up 1\nup 0\n"); // two pages: which came when is not known
        Collected none;
        const auto two = play(path("two.prom"), none);
        QVERIFY(two.damage && two.damage->where.ends_with("two.prom:2"));
    }

    /// What a Prometheus server answered, saved to a file: in one line or many, as a list of series, of a range or of a moment.
    void answersOfPrometheus()
    {
        const std::string series = R"([{"metric":{"__name__":"up","host":"b"},"values":[[1763899210,"3"],[1763899220,"4"]]},
            {"metric":{"__name__":"up","host":"a"},"values":[[1763899200,"1"],[1763899210,"NaN"]]}])";
        const std::string answer = R"({"status":"success","data":{"resultType":"matrix","result":)" + series + "}}";
        std::string oneLine = answer;
        std::erase(oneLine, '\n');
        for (const std::string& text : {answer, oneLine, nlohmann::json::parse(answer).dump(2), series}) {
            write(path("answer.json"), text);
            Collected got;
            const auto end = play(path("answer.json"), got);
            QVERIFY2(!end.damage, end.damage ? end.damage->text().c_str() : "");
            QCOMPARE(got.channels[0].name, std::string("up{host=\"b\"}"));
            QCOMPARE(got.samples.size(), std::size_t(4));
            QVERIFY(got.samples[0].channel == 1 && got.samples[0].timeMs == kNoon && got.samples[0].value == 1);
            QVERIFY(!got.backwards && got.clockMs == kNoon + 21'000);
        }
        const auto refused = [&](const std::string& text) {
            write(path("bad.json"), text);
            Collected none;
            const auto end = play(path("bad.json"), none);
            return end.damage ? end.damage->text() : std::string();
        };
        QVERIFY(refused(R"({"status":"error","error":"parse error"})").find("parse error") != std::string::npos);
        QVERIFY(refused(R"({"status":"success","data":{"resultType":"matrix","result":[]}})").find("without values") != std::string::npos);
        QVERIFY(refused("{\n  \"lldp\": {}\n}\n").find("without timestamped values") != std::string::npos);
        QVERIFY(refused("PK\x03\x04 rest").find("ZIP archive") != std::string::npos);
        QVERIFY(refused("<html>\n</html>\n").find("web page") != std::string::npos);
        QVERIFY(refused("PAR1....").find("Parquet") != std::string::npos);
    }

    /// States in words, as Redfish writes them.
    void statesInWords()
    {
        std::string lines;
        for (const auto& [channel, word] : {std::pair("//c/redfish/v1/LeakDetectors/1#DetectorState", "Critical"),
                                            {"//c/redfish/v1/LeakDetectors/2#DetectorState", "OK"},
                                            {"leak", "true"},
                                            {"number", "3.5"}})
            lines += std::string("{\"time\":1763899200000,\"channel\":\"") + channel + "\",\"value\":\"" + word + "\"}\n";
        write(path("words.jsonl"), lines);

        Collected got;
        QVERIFY(!play(path("words.jsonl"), got).damage);
        QCOMPARE(got.samples.size(), std::size_t(4));
        QVERIFY(got.samples[0].value == 1 && got.samples[1].value == 0 && got.samples[2].value == 1 && got.samples[3].value == 3.5);
    }

    /// The same, recorded again from its replay.
    void recordingAReplayGivesTheSameBytes()
    {
        record(path("first.jsonl"));
        struct Again : Collected {
            std::unique_ptr<bindings::Recorder> recorder;
            std::int64_t at = 0;
            bindings::ChannelNo channel(const bindings::ChannelText& text) override
            {
                const auto number = Collected::channel(text);
                return recorder->channel(number, text), number;
            }
            void take(std::span<const bindings::Sample> samples) override { recorder->take(at, samples); }
            void gap(const bindings::Gap& gap) override { recorder->gap(at, gap); }
            void clock(std::int64_t atMs) override { at = atMs; }
        };
        for (const double speed : {0., 20.}) {
            Again again;
            again.recorder = std::move(*makeRecorder(path("again.jsonl")));
            QVERIFY(!play(path("first.jsonl"), again, speed).damage);
            QVERIFY(again.recorder->finish(again.at).has_value());
            QCOMPARE(contentOf(path("again.jsonl")), contentOf(path("first.jsonl")));
        }
    }

    /// What people said of alarms is kept in its place, and said again by a replay at its moment.
    void answersAreKept()
    {
        const auto file = path("answers.jsonl");
        const monitoring::Answer seen{monitoring::Answer::Kind::Acknowledge, "cause:a \"b\"@7", 0, "Ä"},
            shelved{monitoring::Answer::Kind::Shelve, "x@9", kNoon + 60'000, ""};
        {
            auto recorder = std::move(*makeRecorder(file));
            auto* answers = dynamic_cast<monitoring::AlarmResponseSink*>(recorder.get());
            QVERIFY(answers);
            recorder->channel(0, {"a", {}, ""});
            const bindings::Sample one{0, kNoon, 1, true};
            recorder->take(kNoon, {&one, 1});
            answers->answered(kNoon + 2500, seen), answers->answered(kNoon + 2600, shelved);
            recorder->take(kNoon + 3000, {&one, 1});
            QVERIFY(recorder->finish(kNoon + 4000).has_value());
        }
        struct CooledState : Collected, monitoring::AlarmResponseSink {
            std::vector<std::pair<std::int64_t, monitoring::Answer>> said;
            void answered(std::int64_t, const monitoring::Answer& answer) override { said.emplace_back(clockMs, answer), log.push_back("answer"); }
        } got;
        QVERIFY(!play(file, got).damage);
        QCOMPARE(got.said.size(), std::size_t(2));
        QCOMPARE(got.said[0].first, kNoon + 2500);
        QCOMPARE(got.said[0].second.alarm, seen.alarm);
        QCOMPARE(got.said[0].second.author, seen.author);
        QVERIFY(got.said[1].second.kind == shelved.kind && got.said[1].second.untilMs == shelved.untilMs);
        QCOMPARE(got.log, (std::vector<std::string>{"take 1", "answer", "answer", "take 1"}));
        Collected blind; // whoever has no alarms passes them over
        QVERIFY(!play(file, blind).damage);
        QCOMPARE(blind.samples.size(), std::size_t(2));
    }

    /// Cut anywhere, what stands before is played: lines that are whole, and nothing else.
    void aCutRecordingIsPlayedToTheCut()
    {
        record(path("whole.jsonl"), 2);
        const std::string whole = contentOf(path("whole.jsonl"));
        const auto header = whole.find('\n') + 1;
        for (std::size_t length = header; length < whole.size(); length += 7) {
            write(path("cut.jsonl"), whole.substr(0, length));
            Collected got;
            const auto end = play(path("cut.jsonl"), got);
            QVERIFY2(!end.damage, end.damage ? end.damage->text().c_str() : "");
            QVERIFY(!end.cut.empty());
            std::size_t lines = 0;
            for (std::size_t at = whole.find("\"s\":"); at != std::string::npos; at = whole.find("\"s\":", at + 1))
                lines += whole.find('\n', at) <= length;
            QCOMPARE(got.samples.size(), lines * 5);
        }
    }
    void aCompressedRecordingThatIsCutIsPlayedToTheCut()
    {
        auto recorder = std::move(*makeRecorder(path("open.jsonl.zst")));
        recorder->channel(0, {"a", {}, ""});
        QTest::qWait(250); // after which what comes is passed on to the file at once
        const std::vector<bindings::Sample> one{{0, kNoon, 1, true}};
        recorder->take(kNoon, one);
        Collected got;
        const auto end = play(path("open.jsonl.zst"), got); // as a killed program leaves it
        QVERIFY(!end.damage && !end.cut.empty());
        QCOMPARE(got.samples.size(), std::size_t(1));
    }

    void damageIsNamedWithItsLine_data()
    {
        QTest::addColumn<std::string>("line");
        QTest::newRow("no JSON") << std::string("{\"t\":1,");
        QTest::newRow("channel that is none") << std::string("{\"t\":1,\"s\":[[9,1,2]]}");
        QTest::newRow("short sample") << std::string("{\"t\":1,\"s\":[[0,1]]}");
        QTest::newRow("text for a time") << std::string("{\"t\":\"x\",\"s\":[]}");
        QTest::newRow("channel left out") << std::string("{\"c\":7,\"name\":\"x\"}");
        QTest::newRow("something else") << std::string("{\"hello\":1}");
    }
    void damageIsNamedWithItsLine()
    {
        QFETCH(std::string, line);
        record(path("good.jsonl"));
        std::string text = contentOf(path("good.jsonl"));
        std::size_t at = 0;
        for (int i = 0; i < 5; ++i) at = text.find('\n', at) + 1;
        write(path("bad.jsonl"), text.substr(0, at) + line + '\n' + text.substr(at));
        Collected got;
        const auto end = play(path("bad.jsonl"), got);
        QVERIFY(end.damage.has_value());
        QCOMPARE(end.damage->where, path("bad.jsonl").string() + ":6");
        QCOMPARE(got.samples.size(), std::size_t(5)); // what stood before
    }
    void damagedCompressionIsNamed()
    {
        record(path("z.jsonl.zst"), 2000);
        std::string bytes = contentOf(path("z.jsonl.zst"));
        for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 40; ++i) bytes[i] = char(~bytes[i]);
        write(path("z.jsonl.zst"), bytes);
        Collected got;
        const auto end = play(path("z.jsonl.zst"), got);
        QVERIFY(end.damage.has_value());
        QVERIFY(end.damage->where.starts_with(path("z.jsonl.zst").string() + ':'));
    }
    void whatIsNoRecordingIsRefused_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::newRow("empty") << std::string();
        QTest::newRow("newer") << std::string("{\"hallwright\":\"recording/2\"}\n");
        QTest::newRow("some table") << std::string("a,b\n1,2\n");
        QTest::newRow("bytes") << std::string("\x01\x02\x00\x03\n", 5);
    }
    void whatIsNoRecordingIsRefused()
    {
        QFETCH(std::string, text);
        write(path("none"), text);
        const auto replay = openRecording(path("none"));
        QVERIFY(!replay);
        QCOMPARE(replay.error().code, ErrorCode::Unreadable);
        QVERIFY(replay.error().where.starts_with(path("none").string()));
        QVERIFY(!openRecording(path("absent")));
    }
    void onlyRecordingsAreReplaced()
    {
        write(path("mine.txt"), "my notes\n");
        QVERIFY(!makeRecorder(path("mine.txt")));
        QCOMPARE(contentOf(path("mine.txt")), std::string("my notes\n"));
        record(path("old.jsonl"));
        QVERIFY(makeRecorder(path("old.jsonl")).has_value());
        QVERIFY(!makeRecorder(path("no/such/folder.jsonl")));
    }
    void aFullDiskIsSaid()
    {
        if (!std::filesystem::exists("/dev/full")) QSKIP("no /dev/full here");
        QVERIFY(!makeRecorder("/dev/full")); // no regular file
    }

    void tablesOfOthers_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::newRow("rows") << std::string(
            "time,channel,value,unit\n2025-11-23T12:00:00Z,p,1.5,kW\n2025-11-23T13:00:01+01:00,q,NaN,\n1763899202.5,p,2,kW\n");
        QTest::newRow("times of others") << std::string(
            "Time,Channel,Value,Unit\n1763899200000000,p,1.5,kW\n\"2025-11-23 13:00:01,000+0100\",q,null,\n1763899202500000000,p,2,kW\n");
        QTest::newRow("states") << std::string(
            "{\"time\":\"2025-11-23T13:00:00+01\",\"channel\":\"p\",\"value\":1.5,\"unit\":\"kW\"}\n"
            "{\"time\":1763899201000000000,\"channel\":\"q\",\"value\":null}\n{\"time\":1763899202500000,\"channel\":\"p\",\"value\":2}\n");
        QTest::newRow("columns") << std::string("time;p [kW];q\n1763899200000;1.5;\n1763899201000;;NaN\n1763899202500;2;\n");
        QTest::newRow("JSON lines") << std::string(
            "{\"time\":1763899200000,\"channel\":\"p\",\"value\":1.5,\"unit\":\"kW\"}\n"
            "{\"timestamp\":\"2025-11-23T12:00:01Z\",\"topic\":\"q\",\"value\":null}\n{\"t\":1763899202.5,\"name\":\"p\",\"value\":2}\n");
        QTest::newRow("Prometheus text") << std::string(
            "# UNIT p kW\n# TYPE p gauge\np 1.5 1763899200000\nq NaN 1763899201000\ngo_threads 8 1763899201000\n\np 2 1763899202500\n");
    }
    void tablesOfOthers()
    {
        QFETCH(std::string, text);
        write(path("table"), text);
        Collected got;
        const auto end = play(path("table"), got);
        QVERIFY2(!end.damage, end.damage ? end.damage->text().c_str() : "");
        QCOMPARE(got.channels.size(), std::size_t(2));
        QCOMPARE(got.channels[0].name, std::string("p"));
        QCOMPARE(got.channels[0].unit, std::string("kW"));
        QCOMPARE(got.samples.size(), std::size_t(3));
        QVERIFY(same(got.samples[0], {0, kNoon, 1.5, true}));
        QVERIFY(same(got.samples[1], {1, kNoon + 1000, std::nan(""), true}));
        QVERIFY(same(got.samples[2], {0, kNoon + 2500, 2, true}));
        QCOMPARE(got.clockMs, kNoon + 3000); // the next whole second, in which the last of it is judged
    }
    void wordsOfStates()
    {
        write(path("states.csv"), "time,pump,valve\n1763899200,TRUE,false\n1763899201,,true\n");
        write(path("states.jsonl"), "{\"time\":1763899200,\"channel\":\"pump\",\"value\":true}\n");
        Collected table, lines;
        QVERIFY(!play(path("states.csv"), table).damage && !play(path("states.jsonl"), lines).damage);
        QVERIFY(same(table.samples.at(0), {0, kNoon, 1, true}) && same(table.samples.at(1), {1, kNoon, 0, true}));
        QCOMPARE(table.samples.size(), std::size_t(3));
        QVERIFY(same(lines.samples.at(0), {0, kNoon, 1, true}));
    }
    void badRowsAreNamed_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("place");
        QTest::newRow("number") << std::string("time,channel,value\n1763899200,p,1\n1763899201,p,high\n") << std::string(":3: value");
        QTest::newRow("time") << std::string("time,channel,value\nyesterday,p,1\n") << std::string(":2: time");
        QTest::newRow("zone") << std::string("time,channel,value\n2025-11-23T12:00:00+1,p,1\n") << std::string(":2: time");
        QTest::newRow("word as a time") << std::string("time,channel,value\ntrue,p,1\n") << std::string(":2: time");
        QTest::newRow("month 13") << std::string("time,channel,value\n2025-13-01T00:00:00Z,p,1\n") << std::string(":2: time");
        QTest::newRow("column without a name") << std::string("time,,p\n1763899200,1,2\n") << std::string(":1");
        QTest::newRow("channel without a name") << std::string("time,channel,value\n1763899200,,1\n") << std::string(":2: channel");
        QTest::newRow("scrape without times") << std::string("# TYPE p gauge\np 1.5\np 2\n") << std::string(":3");
        QTest::newRow("scrape") << std::string("p 1 1763899200000\np one 1763899200000\n") << std::string(":2");
        QTest::newRow("JSON") << std::string("{\"time\":1,\"channel\":\"p\",\"value\":1}\n{\"time\":1,\"value\":1}\n") << std::string(":2");
    }
    void badRowsAreNamed()
    {
        QFETCH(std::string, text);
        QFETCH(std::string, place);
        write(path("bad"), text);
        Collected got;
        const auto end = play(path("bad"), got);
        QVERIFY(end.damage.has_value());
        QCOMPARE(end.damage->where, path("bad").string() + place);
    }

    /// Between two values the clock runs second by second, and can be halted.
    void aReplayKeepsItsPace()
    {
        write(path("slow.csv"), "time,channel,value\n1763899200,p,1\n1763899204,p,2\n");
        Collected fast, halted;
        QVERIFY(!play(path("slow.csv"), fast, 100).damage);
        QCOMPARE(fast.samples.size(), std::size_t(2));
        QVERIFY(fast.clocks >= 3 && !fast.backwards);

        auto replay = std::move(*openRecording(path("slow.csv"), 1000));
        replay->pause(true);
        QVERIFY(replay->start(halted).has_value());
        QTest::qWait(100);
        QVERIFY(halted.samples.empty());
        replay->pause(false);
        QVERIFY(halted.wait([&] { return halted.samples.size() == 2; }));
        replay->stop();
    }
};

QTEST_GUILESS_MAIN(TestRecordings)
#include "test_recordings.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/emulation/pod.h"

#include <fstream>
#include <set>

using namespace hw;
using namespace hw::emulation;

namespace {

std::string script(const std::string& deeds) { return R"({"schema": "hallwright.faults/1", "actions": [)" + deeds + "]}"; }
std::string wrong(const std::string& text)
{
    const auto read = readScript(text, "faults.json");
    return read ? "" : read.error().text();
}

} // namespace

class TestDeeds : public QObject {
    Q_OBJECT
private slots:
    void readsAScript()
    {
        const auto deeds = readScript(script(R"({"at_s": 30, "do": "restore"}, {"at_s": 5.5, "do": "fail", "entity": "a b", "for_s": 10},
                                                {"at_s": 6, "do": "degrade", "entity": "h:p1", "lanes": 2},
                                                {"do": "sensor-missing", "percent": 5},
                                                {"at_s": 8, "do": "sensor-offset", "entity": "r", "reading": "active-power", "by": -3})"),
                                      "faults.json");
        QVERIFY2(deeds.has_value(), deeds ? "" : deeds.error().text().c_str());
        QCOMPARE(deeds->size(), std::size_t(5));
        QCOMPARE(deeds->front().verb, Verb::SensorMissing); // by time
        QCOMPARE((*deeds)[1].entity, std::string("a b"));
        QCOMPARE((*deeds)[1].forS, 10.0);
        QCOMPARE(*(*deeds)[2].lanes, 2.0);
        QCOMPARE(*(*deeds)[3].reading, Reading::ActivePower);
        QCOMPARE((*deeds)[4].verb, Verb::Restore);
    }

    /// Scripts of version 0.3 call the list "deeds".
    void readsTheFormerName()
    {
        const auto read = readScript(R"({"schema": "hallwright.faults/1", "deeds": [{"at_s": 1, "do": "restore"}]})", "faults.json");
        QVERIFY(read.has_value());
        QCOMPARE(read->size(), std::size_t(1));
        QVERIFY(wrong(R"({"schema": "hallwright.faults/1", "deeds": [], "actions": []})").starts_with("faults.json: deeds"));
    }

    /// Everything that is wrong is named with its place and what to do.
    void refusesWhatIsWrong_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("place");
        QTest::addColumn<std::string>("says");
        const auto row = [](const char* name, const std::string& text, const std::string& place, const std::string& says) {
            QTest::newRow(name) << text << place << says;
        };
        row("no JSON", "{\n\"schema\": ", "faults.json:2", "invalid JSON");
        row("another file", R"({"schema": "hallwright.report/1"})", "faults.json:", "is not a fault script");
        row("a list", "[]", "faults.json:", "is not a fault script");
        row("an unknown key above", R"({"schema": "hallwright.faults/1", "actions": [], "loop": 1})", "faults.json: loop",
            "is not a fault script key");
        row("no action", script("3"), "actions[0]", "is not a valid fault action");
        row("no verb", script(R"({"at_s": 1})"), "actions[0].do", "missing");
        row("unknown verb", script(R"({"at_s": 1, "do": "explode"})"), "actions[0].do", "unknown value explode");
        row("verb is a number", script(R"({"at_s": 1, "do": 1})"), "actions[0].do", "unknown value 1");
        row("no entity", script(R"({"at_s": 1, "do": "fail"})"), "actions[0]", "fail requires entity");
        row("second deed", script(R"({"do": "restore"}, {"at_s": 1, "do": "fail", "entity": ""})"), "actions[1].entity", "is not a valid name");
        row("key of another verb", script(R"({"do": "fail", "entity": "x", "lanes": 2})"), "actions[0].lanes", "is not a key of fail");
        row("time is a text", script(R"({"at_s": "soon", "do": "restore"})"), "actions[0].at_s", "is not a number in the allowed range");
        row("time before the start", script(R"({"at_s": -1, "do": "restore"})"), "actions[0].at_s", "is not a number in the allowed range");
        row("too many per cent", script(R"({"do": "drop-packets", "entity": "x", "percent": 101})"), "actions[0].percent", "from 0 to 100");
        row("no phase", script(R"({"do": "replug", "entity": "x"})"), "actions[0]", "replug requires phase");
        row("fourth phase", script(R"({"do": "replug", "entity": "x", "phase": 4})"), "actions[0].phase", "4 is not a number in the allowed range");
        row("no lanes", script(R"({"do": "degrade", "entity": "x"})"), "actions[0]", "degrade requires lanes or gbps");
        row("lanes and rate", script(R"({"do": "degrade", "entity": "x", "lanes": 1, "gbps": 50})"), "actions[0]",
            "specifies both a number of lanes and a rate in Gb/s");
        row("unknown reading", script(R"({"do": "sensor-stuck", "entity": "x", "reading": "mood"})"), "actions[0].reading", "unknown value mood");
        row("both of one", script(R"({"do": "sensor-missing", "entity": "x", "percent": 5})"), "actions[0]", "one of them");
        row("endless gap", script(R"({"do": "gap"})"), "actions[0]", "gap requires for_s");
        row("a number too large", script(R"({"at_s": 1e999, "do": "restore"})"), "faults.json", "");
    }
    void refusesWhatIsWrong()
    {
        QFETCH(std::string, text);
        QFETCH(std::string, place);
        QFETCH(std::string, says);
        const std::string error = wrong(text);
        QVERIFY2(error.find(place) != std::string::npos && error.find(says) != std::string::npos && error.find("; ") != std::string::npos,
                 error.c_str());
    }

    void readsLines()
    {
        const auto fail = readLine("fail pod1 row 3");
        QCOMPARE(fail->entity, std::string("pod1 row 3"));
        const auto degrade = readLine("degrade host:nic1 lanes=2 for_s=30");
        QCOMPARE(degrade->verb, Verb::Degrade);
        QCOMPARE(*degrade->lanes, 2.0);
        QCOMPARE(degrade->forS, 30.0);
        QCOMPARE(readLine("rename-channel r1 to=_2")->to, std::string("_2"));
        QVERIFY(!readLine("explode now"));
        QVERIFY(!readLine("fail"));
        QVERIFY(!readLine("degrade x lanes=many"));
    }

    /// Names that the design does not have, and things that cannot be done to them; nothing of such a script is taken.
    void refusesUnknownEntities()
    {
        Pod pod;
        const auto deeds =
            readScript(script(R"({"at_s": 1, "do": "fail", "entity": "hall1-c1-row1-busway1"}, {"at_s": 2, "do": "fail", "entity": "busway-77"})"),
                       "faults.json");
        const auto planned = pod.hall->plan(*deeds, "faults.json");
        QVERIFY(!planned);
        QVERIFY2(planned.error().text().find("faults.json: actions[1]: busway-77") == 0, planned.error().text().c_str());
        QCOMPARE(planned.error().code, ErrorCode::Refused);
        pod.run(4);
        QVERIFY(pod.truth("hall1-c1-row1-busway1", Reading::ActivePower) > 0);
        QVERIFY(!pod.act("degrade hall1-c1-row1-busway1 lanes=1").empty()); // no data link
        QVERIFY(!pod.act("leak hall1-c3-r1-01").empty());                   // cooled by air
        QVERIFY(!pod.act("xid g01-rack1-tray01 gpu=4 code=79").empty());    // it has four
        QVERIFY(!pod.act("throttle hall1-c1-r1-01 percent=50").empty());    // a rack
        QVERIFY(!pod.act("sensor-stuck hall1-c1-r1-01 reading=gpu-power").empty());
        QCOMPARE(pod.act("xid g01-rack1-tray01 gpu=3 code=79", "leak hall1-c1-r1-01", "leak hall1-c1-cdu1-1"), std::string());
        pod.run(1);
        QCOMPARE(pod.truth("g01-rack1-tray01", Reading::GpuXid, 3), 79.0);
        QCOMPARE(pod.truth("g01-rack1-tray01", Reading::GpuXid, 2), 0.0);
        QCOMPARE(pod.truth("hall1-c1-r1-01", Reading::Leak) + pod.truth("hall1-c1-cdu1-1", Reading::Leak), 2.0);
        QCOMPARE(pod.truth("hall1-c1-r1-02", Reading::Leak), 0.0);
    }

    /// The script of the documentation, on the sample pod: all of it can be done.
    void theExampleRuns()
    {
        std::ifstream file(HW_EXAMPLES "/faults.json");
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        const auto deeds = readScript(text, "faults.json");
        QVERIFY2(deeds.has_value(), deeds ? "" : deeds.error().text().c_str());
        Pod pod;
        const auto planned = pod.hall->plan(*deeds, "faults.json");
        QVERIFY2(planned.has_value(), planned ? "" : planned.error().text().c_str());
        std::set<std::string> seen;
        for (int i = 0; i < 310; ++i) {
            pod.run(1);
            for (const auto& happening : pod.hall->happenings()) seen.insert(words(happening.what));
            if (i == 100) QCOMPARE(pod.truth("hall1-c1-row1-busway1", Reading::ActivePower) + pod.truth("hall1-c1-cdu1-1", Reading::Status), 0.0);
        }
        for (const char* what :
             {"sensor-missing ", "fail hall1-c1-row1-busway1", "fail hall1-c1-cdu1-1 has ended", "degrade g01-rack1-tray01:nic1", "restore "})
            QVERIFY2(seen.count(what) == 1, what);
        QVERIFY(pod.truth("hall1-c1-row1-busway1", Reading::ActivePower) > 0);
    }

    /// At its second, and undone after its time.
    void deedsHaveTheirTime()
    {
        Pod pod;
        const auto deeds = readScript(script(R"({"at_s": 5, "do": "fail", "entity": "hall1-c1-row1-busway1", "for_s": 4})"), "faults.json");
        QVERIFY(bool(pod.hall->plan(*deeds, "faults.json")));
        for (int second = 1; second <= 12; ++second) {
            pod.run(1);
            const bool fails = second >= 5 && second < 9;
            QCOMPARE(pod.truth("hall1-c1-row1-busway1", Reading::ActivePower) == 0, fails);
        }
    }
};

QTEST_GUILESS_MAIN(TestDeeds)
#include "test_deeds.moc"

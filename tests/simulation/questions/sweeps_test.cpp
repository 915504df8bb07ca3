// SPDX-License-Identifier: GPL-3.0-or-later
// Many answers: sweeps, tables and charts of them, what is kept, how they are told apart and stopped.
#include "tests/simulation/near.h"
#include "tests/simulation/questions/scenario_run.h"

#include "core/foundation/model/fingerprint.h"
#include "simulation/answers/answer_text.h"
#include "simulation/answers/plot_svg.h"
#include "simulation/questions/identity.h"
#include "simulation/questions/result_store.h"
#include "simulation/questions/run_request.h"

#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <algorithm>
#include <fstream>

using namespace hw;
using namespace hw::sim;
using namespace hw::sim::test;

class SweepsTest : public QObject {
    Q_OBJECT
private slots:
    void sweeps()
    {
        const auto one = runText(R"({"schema": "hallwright.scenario/1", "analysis": "xlink", "name": "EP",
            "domains": [64, 1024], "sweep": {"parameter": "expert_parallel", "values": [64, 128, 256]}})");
        QVERIFY(one.has_value());
        QCOMPARE((*one)["name"].get<std::string>(), std::string("EP"));
        const Json points = (*one)["sweep"]["points"];
        QCOMPARE(points.size(), std::size_t(3));
        for (const Json& p : points) QVERIFY(p["results"]["flat_from_gpus"] == p["values"][0]);

        const std::string text = R"({"analysis": "priority", "phases": 2, "measure_s": 100, "sweep":
            [{"parameter": "jobs[0].gpus", "values": [8, 32]}, {"parameter": "jobs[1].communicate_s", "from": 1, "to": 3, "steps": 3}]})";
        const auto grid = runText(text, {1, {}}), parallel = runText(text, {4, {}});
        QVERIFY(grid.has_value() && parallel.has_value());
        QCOMPARE((*grid)["sweep"]["points"].size(), std::size_t(6));
        QCOMPARE((*grid)["sweep"]["points"][4]["values"].dump(), std::string("[32,2]"));
        QCOMPARE(grid->dump(), parallel->dump());
    }

    void sweepsFromTheCommandLine()
    {
        auto request = parseScenarioRequest(R"({"analysis": "xlink"})", "f.json");
        QVERIFY(request.has_value());
        QVERIFY(addSweepAxis(*request, "expert_parallel=64:256:64").has_value());
        QCOMPARE(request->points(), std::size_t(4));
        QCOMPARE(request->valuesAt(3)[0].dump(), std::string("256"));
        for (const char* wrong : {"x", "expert_parallel=", "expert_parallel=3:1:1", "nothing=1", "expert_parallel=-5", "design.pods=1"})
            QCOMPARE(addSweepAxis(*request, wrong).error().code, ErrorCode::Usage);
    }

    void sweepsRefuse()
    {
        QCOMPARE(whereOf(R"({"analysis": "xlink", "sweep": {"parameter": "x.y", "values": [1]}})"), std::string("f.json:1: sweep.parameter"));
        QCOMPARE(whereOf("{\"analysis\": \"xlink\", \"sweep\": {\"parameter\": \"expert_parallel\",\n\"values\": [64,\n-1]}}"),
                 std::string("f.json:3: sweep.values[1] (expert_parallel = -1)"));
        QCOMPARE(runText(R"({"analysis": "xlink", "sweep": {"parameter": "xy", "values": [1]}})").error().code, ErrorCode::Unreadable);
        QCOMPARE(
            whereOf(
                R"({"analysis": "xlink", "sweep": [{"parameter": "expert_parallel", "values": [1]}, {"parameter": "expert_parallel", "values": [2]}]})"),
            std::string("f.json:1: sweep[1].parameter"));
        // A key that is at fault at a swept point is named with its line, and the point with it.
        QCOMPARE(
            whereOf("{\"analysis\": \"port-failover\", \"faults\": [\n{\"port\": 3}],\n\"sweep\": {\"parameter\": \"ports\", \"values\": [4, 2]}}"),
            std::string("f.json:2: faults[0].port (at ports = 2)"));
    }

    /// A sweep that was stopped goes on with the points it has; another sweep's file is not taken for its own.
    void sweepsGoOn()
    {
        QTemporaryDir folder;
        const std::filesystem::path keep = folder.filePath("kept").toStdString();
        const std::string text = R"({"analysis": "xlink", "sweep": {"parameter": "expert_parallel", "values": [64, 128, 256, 512]}})";
        const auto whole = runText(text, {1, keep});
        QVERIFY(whole.has_value());
        std::ifstream in(keep);
        std::vector<std::string> lines;
        for (std::string line; std::getline(in, line);) lines.push_back(line);
        QCOMPARE(lines.size(), std::size_t(5));
        Json marked = Json::parse(lines[2]);
        marked["result"]["results"] = "kept";
        std::ofstream(keep) << lines[0] << '\n' << marked.dump() << '\n' << lines[3].substr(0, 20); // the last was cut off
        const auto resumed = runText(text, {2, keep});
        QVERIFY(resumed.has_value());
        QCOMPARE((*resumed)["sweep"]["points"][marked["point"].get<std::size_t>()]["results"].dump(), std::string("\"kept\""));
        QCOMPARE((*resumed)["sweep"]["points"][3].dump(), (*whole)["sweep"]["points"][3].dump());
        const auto renamed =
            runText(R"({"analysis": "xlink", "name": "other", "sweep": {"parameter": "expert_parallel", "values": [64, 128, 256, 512]}})", {1, keep});
        QVERIFY(renamed->dump().find("kept") != std::string::npos); // a name changes no answer
        const auto other = runText(
            R"({"analysis": "xlink", "bytes_per_gpu": 2e9, "sweep": {"parameter": "expert_parallel", "values": [64, 128, 256, 512]}})", {1, keep});
        QVERIFY(other->dump().find("kept") == std::string::npos);
    }

    /// Saying what holds anyway is no fault and changes nothing.
    void defaultsMayBeSaid()
    {
        const auto plain = runText(R"({"analysis": "goodput", "failures": 2000})");
        const auto said = runText(R"({"analysis": "goodput", "failures": 2000, "precision": 1, "recall": 0})");
        QVERIFY2(said.has_value(), said ? "" : said.error().text().c_str());
        QCOMPARE((*said)["results"].dump(), (*plain)["results"].dump());
        QVERIFY((*said)["identity"] == (*plain)["identity"]);
        const std::string start = R"({"workload": "training", "design": {"template": "hpn", "set": {"segments": 1, "networks": "backend"}}, )";
        QVERIFY(runText(start + R"("placement_seed": 1, "expert_alltoall": "forwarded", "overlap": {"expert": 0, "context": 1}})").has_value());
        QCOMPARE(whereOf(start + R"("placement_seed": 2})"), std::string("f.json:1: placement_seed"));
        QCOMPARE(whereOf(start + R"("tensor_allreduce": "tree"})"), std::string("f.json:1: tensor_allreduce"));
    }

    /// What an answer belongs to is content: not the name, the template or the revision of a design, nor the name of the question.
    void identityIsContent()
    {
        const auto made = [](int uplinks) {
            return *generatedDesign("hpn", {{"segments", 1}, {"networks", "backend"}, {"tor_uplinks", uplinks}}, {});
        };
        const ScenarioDesign a = made(60), other = made(30), anew = made(60);
        QCOMPARE(a.snapshot->revision, other.snapshot->revision);
        const auto request = parseScenarioRequest(R"({"workload": "permutation", "sweep": {"parameter": "seed", "values": [1, 2]}})", "f.json");
        QVERIFY(request.has_value());
        QTemporaryDir folder;
        const std::filesystem::path keep = folder.filePath("kept").toStdString();
        const auto keptBy = [&](const ScenarioDesign& design) { // of a marked point that was kept for `a`
            auto first = runRequest(*request, a, {1, keep});
            std::ifstream in(keep);
            std::vector<std::string> lines;
            for (std::string line; std::getline(in, line);) lines.push_back(line);
            in.close();
            Json marked = Json::parse(lines.at(1));
            marked["result"]["results"] = "kept";
            std::ofstream(keep) << lines[0] << '\n' << marked.dump() << '\n';
            const auto second = runRequest(*request, design, {1, keep});
            return second->document.dump().find("\"kept\"") != std::string::npos;
        };
        QVERIFY(!keptBy(other)); // two designs of one name and revision are never mixed
        std::filesystem::remove(keep);
        QVERIFY(keptBy(anew));
        const auto one = runRequest(*request, a), two = runRequest(*request, other), three = runRequest(*request, anew);
        QVERIFY(one->document["identity"] != two->document["identity"]);
        QVERIFY(one->document["identity"] == three->document["identity"]);
        ResultStore store(folder.filePath("x.hall").toStdString());
        const auto entry = store.add(one->document);
        QVERIFY(entry->staleAt(designFingerprint(*other.snapshot)) && !entry->staleAt(designFingerprint(*anew.snapshot)));
        Snapshot renamed = *a.snapshot;
        renamed.putSetting("project.name", "Another");
        QVERIFY(!entry->staleAt(designFingerprint(renamed)));
        Json older = one->document;
        older["design"].erase("content");
        QVERIFY(store.add(older)->staleAt(designFingerprint(*a.snapshot))); // nobody knows what it belongs to
    }

    void sweepsTellAll()
    {
        // A result of the swept name stands beside what was asked.
        const auto interval = runText(R"({"analysis": "goodput", "failures": 2000, "sweep": {"parameter": "interval_s", "values": [0, 600]}})");
        QVERIFY2(interval.has_value(), interval ? "" : interval.error().text().c_str());
        const AnswerTable table = answerTables(*interval).front();
        QCOMPARE(table.columns.front(), std::string("interval_s"));
        QCOMPARE(table.rows[0].front(), std::string("0"));
        const auto found = std::ranges::find(table.columns, "results.interval_s");
        QVERIFY(found != table.columns.end());
        QNEAR(std::stod(table.rows[0][std::size_t(found - table.columns.begin())]), 1541, 1e-3);
        // Notes are those of every point.
        const auto claims = runText(R"({"analysis": "amdahl", "sweep": {"parameter": "claimed_eflops", "values": [0.5, 1.0, 1.2]}})");
        QVERIFY(claims.has_value());
        const std::string notes = (*claims)["notes"].dump();
        QVERIFY2(notes.find("At claimed_eflops = 1.0: The claim of more than 1 EFLOPS") != std::string::npos &&
                     notes.find("At claimed_eflops = 1.2: The claim of more than 1.2 EFLOPS") != std::string::npos,
                 notes.c_str());
        const Json& points = (*claims)["sweep"]["points"];
        QVERIFY(!points[0].contains("notes") && points[1]["notes"].size() == 1);
        QVERIFY((*claims)["notes"][0].get<std::string>().starts_with("Closed form"));
        // A key that counts at some point only may be given; one that counts at none is refused.
        QVERIFY(runText(R"({"analysis": "goodput", "failures": 2000, "precision": 0.5, "sweep": {"parameter": "recall", "values": [0, 0.5]}})")
                    .has_value());
        QCOMPARE(
            whereOf("{\"analysis\": \"goodput\", \"failures\": 2000,\n\"drain_s\": 5, \"sweep\": {\"parameter\": \"recall\", \"values\": [0, 0.5]}}"),
            std::string("f.json:2: drain_s (at recall = 0)"));
        // A list that was left to its default can be swept into.
        QVERIFY(runText(R"({"analysis": "priority", "phases": 2, "measure_s": 100, "sweep": {"parameter": "jobs[1].priority", "values": [0, 1]}})")
                    .has_value());
    }

    void tablesPlotsAndComparisons()
    {
        const auto sweep = runText(R"({"analysis": "amdahl", "name": "a, b", "sweep": {"parameter": "communication_share", "values": [0.2, 0.35]}})");
        QVERIFY2(sweep.has_value(), sweep ? "" : sweep.error().text().c_str());
        const std::string csv = answerCsv(*sweep);
        QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), std::ptrdiff_t(3));
        QVERIFY(csv.starts_with("communication_share,"));
        const auto plot = plotSvg(*sweep, "iteration_time");
        QVERIFY2(plot.has_value(), plot ? "" : plot.error().text().c_str());
        QXmlStreamReader xml(QByteArray::fromStdString(*plot));
        int circles = 0;
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("circle")) ++circles;
        QVERIFY(!xml.hasError());
        QCOMPARE(circles, 2);
        QCOMPARE(plotSvg(*sweep, "nothing").error().code, ErrorCode::Usage);
        const auto a = runText(R"({"analysis": "xlink"})"), b = runText(R"({"analysis": "xlink", "expert_parallel": 256})");
        QCOMPARE(plotSvg(*a, "").error().code, ErrorCode::Usage);
        const Json rows = compareAnswers(*a, *b)["rows"];
        const auto flat = std::ranges::find_if(rows, [](const Json& r) { return r["key"] == "flat_from_gpus"; });
        QVERIFY(flat != rows.end());
        QCOMPARE((*flat)["ratio"].get<double>(), 2.0);
        const Json same = compareAnswers(*a, *a);
        for (const Json& row : same["rows"]) QVERIFY(row["a"] == row["b"]);
        QVERIFY(answerText(*a).find("flat_from_gpus") != std::string::npos);
    }

    void resultsAreStored()
    {
        QTemporaryDir folder;
        ResultStore store(folder.filePath("x.hall").toStdString());
        QVERIFY(store.list().empty());
        const auto a = runText(R"({"analysis": "xlink", "name": "Domain, EP 128"})");
        QCOMPARE(store.add(*a)->number, 1);
        Json onDesign = *a;
        onDesign.erase("analysis");
        onDesign["workload"] = "permutation";
        onDesign["design"] = {{"name", "x"}, {"template", "hpn"}, {"revision", 7u}, {"content", fingerprintText(7)}};
        QCOMPARE(store.add(onDesign)->number, 2);
        const auto list = store.list();
        QCOMPARE(list.size(), std::size_t(2));
        QVERIFY(list[0].file.filename() == "0001-domain-ep-128.json");
        QVERIFY(!list[0].staleAt(9) && list[1].staleAt(9) && !list[1].staleAt(7));
        QCOMPARE(store.load(1)->dump(), a->dump());
        std::ofstream(store.folder() / "0009-broken.json") << "{";
        QCOMPARE(store.list().size(), std::size_t(2));
        QCOMPARE(store.load(9).error().code, ErrorCode::Unreadable);
        QCOMPARE(store.load(5).error().code, ErrorCode::Usage);
        QVERIFY(store.remove(1).has_value());
        QCOMPARE(store.list().size(), std::size_t(1));
    }

    void stops()
    {
        std::stop_source source;
        source.request_stop();
        const Progress stopped{source.get_token(), {}};
        QCOMPARE(runKind("goodput", {}, Json::object(), stopped).error().code, ErrorCode::Canceled);
        QCOMPARE(runKind("priority", {}, Json::object(), stopped).error().code, ErrorCode::Canceled);
        QCOMPARE(runText(R"({"analysis": "xlink", "sweep": {"parameter": "expert_parallel", "values": [1]}})", {}, stopped).error().code,
                 ErrorCode::Canceled);
    }

    void keyLinesOfOddText()
    {
        const KeyLines l = keyLines("{\"a\\\"b\": \"}\\\\\",\n\"c\": [[1], {\"d\": {}}],\n\"e\": []\n,\"f\":-1.5e3}");
        QCOMPARE(l.line.at("c"), 2);
        QCOMPARE(l.line.at("c[1].d"), 2);
        QCOMPARE(l.line.at("e"), 3);
        QCOMPARE(l.line.at("f"), 4);
        QVERIFY(l.duplicate.empty());
        (void)keyLines(std::string(100000, '[')); // deep: no overflow
        for (const char* broken : {"{", "{\"a", "{\"a\":", "[1,", "\"\\", "{,}", ""}) (void)keyLines(broken);
    }
};

QTEST_APPLESS_MAIN(SweepsTest)
#include "sweeps_test.moc"

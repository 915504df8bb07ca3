// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/explore/explore.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace hw;
using namespace hw::sim;

/// Many designs from templates: what is asked, their figures, the front, parts and tables.
class ExploreTest : public QObject {
    Q_OBJECT

    static std::string whereOf(const char* text)
    {
        const auto request = parseExploreRequest(text, "e.json");
        return request ? std::string() : request.error().where;
    }
    static constexpr const char* kSmall = R"({"name": "small", "goodput": {"failures": 2000}, "limits": {"accelerators": {"max": 100}},
        "designs": [{"template": "fat-tree-2", "vary": {"segments": [1, 2, 4]}},
                    {"template": "fat-tree-2", "vary": {"segments": [0]}}]})";

private slots:
    void requestsAreRead()
    {
        const auto request = parseExploreRequest(R"({"designs": [{"template": "a", "set": {"x": 1}, "vary": {"y": [1, 2], "z": ["p", "q", "r"]}},
            {"template": "b"}]})",
                                                 "e.json");
        QVERIFY(request.has_value());
        QCOMPARE(request->candidates.size(), std::size_t(7));
        QCOMPARE(request->candidates[4].parameters.at("y").dump(), std::string("2"));
        QCOMPARE(request->candidates[4].parameters.at("z").dump(), std::string("\"q\""));
        QCOMPARE(request->candidates[6].designTemplate, std::string("b"));
        QCOMPARE(request->objectives.size(), std::size_t(3));
        QCOMPARE(whereOf("{"), std::string("e.json"));
        QCOMPARE(whereOf("[]"), std::string("e.json: explore"));
        QCOMPARE(whereOf(R"({"desings": []})"), std::string("e.json: desings"));
        QCOMPARE(whereOf(R"({"designs": [{"set": {}}]})"), std::string("e.json: designs[0]"));
        QCOMPARE(whereOf(R"({"designs": [{"template": "a", "set": {"x": 1}, "vary": {"x": [1]}}]})"), std::string("e.json: designs[0].vary.x"));
        QCOMPARE(whereOf(R"({"designs": [{"template": "a", "vary": {"x": []}}]})"), std::string("e.json: designs[0].vary.x"));
        QCOMPARE(whereOf(R"({"designs": [{"template": "a"}], "limits": {"mass": {"max": 1}}})"), std::string("e.json: limits.mass"));
        QCOMPARE(whereOf(R"({"designs": [{"template": "a"}], "limits": {"pue": {"max": "1"}}})"), std::string("e.json: limits.pue.max"));
        QCOMPARE(whereOf(R"({"designs": [{"template": "a"}], "objectives": [{"figure": "pue"}]})"), std::string("e.json: objectives[0]"));
        QCOMPARE(whereOf(R"({"designs": [{"template": "a"}], "goodput": {"failures": -1}})"), std::string("e.json: goodput.failures"));
    }

    /// Brute force: a point is on the front if and only if no other one is at least as good in all and better in one.
    void frontIsTheFront()
    {
        std::mt19937 random(7);
        for (int round = 0; round < 40; ++round) {
            Json points = Json::array();
            const int n = 1 + int(random() % 30);
            for (int i = 0; i < n; ++i) {
                points.push_back({{"pue", double(random() % 6)}, {"goodput", double(random() % 6)}, {"outside", Json::array()}});
                if (random() % 8 == 0) points.back()["outside"].push_back("pue");
                if (random() % 8 == 0) points.back()["goodput"] = nullptr;
            }
            const Objective objectives[] = {{"pue", false}, {"goodput", true}};
            const auto front = paretoFront(points, objectives);
            const auto counts = [&](int i) { return points[i]["outside"].empty() && !points[i]["goodput"].is_null(); };
            for (int a = 0; a < n; ++a) {
                bool best = counts(a);
                for (int b = 0; b < n && best; ++b) {
                    if (b == a || !counts(b)) continue;
                    const double pa = points[a]["pue"], pb = points[b]["pue"], ga = points[a]["goodput"], gb = points[b]["goodput"];
                    if (pb <= pa && gb >= ga && (pb < pa || gb > ga || b < a)) best = false;
                }
                QCOMPARE(std::ranges::find(front, std::size_t(a)) != front.end(), best);
            }
        }
    }

    void designsAreCompared()
    {
        const auto request = parseExploreRequest(kSmall, "e.json");
        QVERIFY2(request.has_value(), request ? "" : request.error().text().c_str());
        const auto one = exploreDesigns(*request, {.threads = 1}), two = exploreDesigns(*request, {.threads = 2});
        QVERIFY2(one && two, one ? "" : one.error().text().c_str());
        QCOMPARE(one->dump(), two->dump());
        const Json& found = *one;
        QVERIFY(found["designs"] == 4 && found["points"].size() == 3 && found["failed"].size() == 1);
        QVERIFY(found["failed"][0]["error"].get<std::string>().find("segments") != std::string::npos);
        for (const Json& p : found["points"]) {
            for (const char* key : {"accelerators", "facility_w", "capital", "cost_hour", "goodput", "goodput_per_mw", "worst_loss_share"})
                QVERIFY2(p[key].is_number() && p[key].get<double>() > 0, key);
            QVERIFY(p["facility_w"].get<double>() > p["it_w"].get<double>());
            QVERIFY(p["goodput"].get<double>() <= 1 && p["worst_loss_gpus"] <= p["accelerators"]);
            QCOMPARE(p["outside"].size(), std::size_t(p["accelerators"].get<int>() > 100));
        }
        QVERIFY(found["points"][0]["accelerators"] < found["points"][1]["accelerators"]);
        for (const Json& place : found["front"]) QVERIFY(found["points"][place.get<std::size_t>()]["outside"].empty());
        const std::string text = exploreText(found);
        QVERIFY2(text.find("hallwright-cli new fat-tree-2 --set segments=") != std::string::npos, text.c_str());

        const auto chart = exploreSvg(found, {}, {});
        QVERIFY(chart && chart->find("Pareto front") != std::string::npos &&
                chart->find("<title>hallwright-cli new fat-tree-2") != std::string::npos);
        QCOMPARE(exploreSvg(found, "mass", {}).error().code, ErrorCode::Usage);

        QTemporaryDir folder;
        const auto at = [&](const char* name) { return folder.filePath(name).toStdString(); };
        QVERIFY(writeExploreTable(found, at("a.csv")).has_value());
        QFile csv(folder.filePath("a.csv"));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const QByteArray table = csv.readAll();
        QCOMPARE(table.trimmed().split('\n').size(), 4);
        QVERIFY(table.startsWith("template,on_front,outside,") && table.contains("cost_hour"));

        // Parts, in any order, then the whole from what they left.
        const std::size_t later[] = {2, 3}, first[] = {0};
        const ExploreOptions keep{.threads = 1, .keep = at("kept")};
        QVERIFY(explorePoints(*request, later, keep).has_value() && explorePoints(*request, first, keep).has_value());
        const auto whole = exploreDesigns(*request, keep);
        QVERIFY(whole.has_value());
        QCOMPARE(whole->dump(), one->dump());
    }

    void nothingToCompareIsRefused()
    {
        const auto request = parseExploreRequest(R"({"designs": [{"template": "no-such"}]})", "e.json");
        QVERIFY(request.has_value());
        const auto none = exploreDesigns(*request);
        QVERIFY(!none && none.error().code == ErrorCode::Refused);
        std::stop_source stop;
        stop.request_stop();
        const auto small = parseExploreRequest(kSmall, "e.json");
        const auto stopped = exploreDesigns(*small, {}, Progress{stop.get_token(), {}});
        QVERIFY(!stopped && stopped.error().code == ErrorCode::Canceled);
    }
};

QTEST_APPLESS_MAIN(ExploreTest)
#include "explore_test.moc"

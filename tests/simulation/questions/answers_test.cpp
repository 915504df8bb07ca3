// SPDX-License-Identifier: GPL-3.0-or-later
// Answers as people read them: words and units of keys, the sentence, tables, comparisons.
#include "simulation/answers/answer_in_words.h"
#include "simulation/answers/answer_words.h"
#include "simulation/answers/plot_svg.h"
#include "simulation/questions/scenario_kind.h"

#include <QTest>

#include <algorithm>

using namespace hw;
using namespace hw::sim;

namespace {

Json answer(const char* kind, Json results, Json parameters = Json::object())
{
    return {{"schema", "hallwright.result/1"},
            {"name", kind},
            {"workload", kind},
            {"design", {{"name", "Hall"}, {"template", "hpn"}, {"revision", 3}}},
            {"parameters", std::move(parameters)},
            {"results", std::move(results)},
            {"notes", Json::array()}};
}

} // namespace

class TestAnswers : public QObject {
    Q_OBJECT

private slots:
    void keysCarryTheirUnit_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("label");
        QTest::addColumn<QString>("shown");
        QTest::newRow("seconds") << "iteration_s" << 6.4411 << "Iteration"
                                 << "6.44 s";
        QTest::newRow("short") << "latency_s" << 12.3e-6 << "Latency"
                               << "12.3 µs";
        QTest::newRow("rounded up") << "black_hole_s" << 0.00099999999 << "Black-hole duration"
                                    << "1 ms";
        QTest::newRow("long") << "restore_s" << 7200.0 << "Restore"
                              << "2 h";
        QTest::newRow("days") << "training_days" << 43.21 << "Total training time"
                              << "43.2 days";
        QTest::newRow("share") << "exposed_share" << 0.1234 << "Exposed communication"
                               << "12.3 %";
        QTest::newRow("rate") << "before.nic_gbps" << 400.0 << "NIC rate"
                              << "400 Gb/s";
        QTest::newRow("fast") << "cross_gbps" << 24576.0 << "Cross-pod traffic"
                              << "24.6 Tb/s";
        QTest::newRow("count/s") << "tokens_per_s" << 4881234.0 << "Tokens per second"
                                 << "4,881,234";
        QTest::newRow("bytes") << "memory_bytes_per_gpu" << 21.2e9 << "Memory per GPU"
                               << "21.2 GB";
        QTest::newRow("factor") << "worst_slow_down" << 2.0 << "Worst slowdown"
                                << "2x";
        QTest::newRow("new key") << "nics_stopped" << 3.0 << "NICs stopped"
                                 << "3";
        QTest::newRow("new seconds") << "drained_after_s" << 0.25 << "Drained after"
                                     << "250 ms";
        QTest::newRow("inherited") << "iteration_s.before" << 6.4 << "Before the fault"
                                   << "6.4 s";
        QTest::newRow("error of a mean") << "gpus_in_use_share_error" << 0.01 << "GPUs in use, ±"
                                         << "1 %";
        QTest::newRow("written label") << "fifo" << 1.0 << "First in, first out"
                                       << "1";
        QTest::newRow("microseconds") << "alpha_us" << 5.0 << "Latency (alpha)"
                                      << "5 µs";
        QTest::newRow("new share") << "gpus_idle_share" << 0.5 << "GPUs idle"
                                   << "50 %";
    }
    void keysCarryTheirUnit()
    {
        QFETCH(QString, key);
        QFETCH(double, value);
        QFETCH(QString, label);
        QFETCH(QString, shown);
        const KeyWords words = wordsOf(key.toStdString());
        QCOMPARE(QString::fromStdString(hw::words(words.label)), label);
        QCOMPARE(QString::fromStdString(hw::words(shownValue(value, words.quantity))), shown);
    }

    void valuesOfOtherTypes()
    {
        QCOMPARE(words(shownValue(true, sim::Quantity::Plain)), "yes");
        QCOMPARE(words(shownValue(Json(), sim::Quantity::Seconds)), "–");
        QCOMPARE(words(shownValue("tor", sim::Quantity::Plain)), "tor");
        QCOMPARE(words(shownValue(Json::array({1024, 2048}), sim::Quantity::Plain)), "1,024, 2,048");
        QCOMPARE(words(shownValue(-3, sim::Quantity::Plain)), "−3");
        QCOMPARE(words(shownValue(0.0, sim::Quantity::Share)), "0 %");
    }

    /// No key of any kind of scenario is shown with an underscore.
    void parametersReadAsWords()
    {
        for (const auto& kind : scenarioKinds())
            for (const auto& field : kind.fields) QVERIFY2(words(wordsOf(field.key).label).find('_') == std::string::npos, field.key.c_str());
    }

    void aTrainingAnswerIsASentenceAndFigures()
    {
        const auto said =
            inWords(answer("training", {{"runs", true},
                                        {"gpus", 15360},
                                        {"iteration_s", 6.441},
                                        {"mfu", 0.347},
                                        {"exposed_share", 0.08},
                                        {"tokens_per_s", 4.88e6},
                                        {"certificate", {{"ok", true}, {"worst_gap", 1e-15}}},
                                        {"phases", {{{"phase", "gradient"}, {"seconds", 0.5}}, {{"phase", "tensor"}, {"seconds", 0.25}}}}}));
        QCOMPARE(words(said.verdict), "An iteration on 15,360 GPUs takes 6.44 s at 34.7 % MFU; 8 % of it is exposed communication.");
        QVERIFY(!said.figures.empty() && said.figures.front().value == "6.44 s");
        QVERIFY(!said.proof.empty());
        const auto phases = std::ranges::find_if(said.tables, [](const ResultTable& t) { return t.title == "Phases"; });
        QVERIFY(phases != said.tables.end());
        QCOMPARE(words(phases->columns[1].title), "Time");
        QVERIFY(phases->columns[1].number && !phases->columns[0].number);
        QCOMPARE(words(phases->rows[0][1]), "500 ms");
    }

    void aTargetNamesWhatItTakes()
    {
        Json results = {{"gpus", 3000},
                        {"target", 0.99},
                        {"least_demanding", {{"save_s", 1.2}, {"interval_s", 381}, {"detect_s", 30}, {"longest_restart_s", 184}}},
                        {"combinations", {{{"save_s", 1.2}, {"reached", true}}}}};
        QCOMPARE(words(inWords(answer("goodput-target", results)).verdict),
                 "A goodput of 99 % on 3,000 GPUs requires a checkpoint of 1.2 s every 381 s, detection within 30 s and a restart within 184 s.");
        results["least_demanding"] = nullptr;
        QCOMPARE(words(inWords(answer("goodput-target", results)).verdict), "No combination reaches a goodput of 99 % on 3,000 GPUs.");
    }

    void likeThingsAreOneTable()
    {
        const auto said = inWords(answer("failure", {{"before", {{"host_gbps", 3200}, {"nic_gbps", 400}}},
                                                     {"degraded", {{"host_gbps", 3000}, {"nic_gbps", 200}}},
                                                     {"job_lost", false},
                                                     {"job_continues", true},
                                                     {"ring_slow_down_static", 2.0},
                                                     {"black_hole_s", 0.4}}));
        QCOMPARE(words(said.verdict), "The job survives with a slowdown of 2x until the repair, after a black hole of 400 ms.");
        const auto both = std::ranges::find_if(said.tables, [](const ResultTable& t) { return t.rows.size() == 2 && t.columns.size() == 3; });
        QVERIFY(both != said.tables.end());
        QCOMPARE(words(both->rows[0][0]), "Before the fault");
        QCOMPARE(words(both->rows[1][0]), "Degraded");
        QCOMPARE(words(both->rows[1][2]), "200 Gb/s");
    }

    /// A host that is back before the others give up still takes its ranks with it.
    void aDeadHostIsNoWaiting()
    {
        Json d = answer("failure", {{"job_lost", true}, {"job_lost_at_s", 70.0}});
        QCOMPARE(words(verdictOf(d)), "The job is lost 70 s into the timeline: the stall exceeds the collective timeout.");
        d["parameters"] = {{"fault", "host"}};
        QCOMPARE(words(verdictOf(d)), "The job is lost 70 s into the timeline: the ranks of the failed host are lost.");
    }

    /// Where nothing differs as far as it is shown, nothing is best.
    void policiesThatDoAlike()
    {
        const auto said = [&](double other) {
            return words(verdictOf(
                answer("jobs", {{"until_s", 268.4},
                                {"policies", {{{"policy", "fair"}, {"utilization", 0.9713}}, {{"policy", "fifo"}, {"utilization", other}}}}})));
        };
        QCOMPARE(said(0.97131), "All 2 are equal: GPU utilization 97.1 %.");
        QCOMPARE(said(0.5), "Best: fair (GPU utilization 97.1 %); worst: fifo (50 %).");
    }

    void causesVolumesAndPublishedRunsAreSentences()
    {
        QCOMPARE(words(verdictOf(answer(
                     "fault-causes",
                     {{"faults", 50},
                      {"causes", {{{"component", "NIC"}, {"faults", 10}, {"share", 0.2}}, {{"component", "GPU"}, {"faults", 40}, {"share", 0.8}}}},
                      {"sizes", {{{"job_gpus", 512}, {"mtbf_s", 7200.0}}}}}))),
                 "GPU is the most frequent of 50 faults (80 %); the MTBF of a job on 512 GPUs is 2 h.");
        QCOMPARE(words(verdictOf(answer("training-volume", {{"gpus", 256}, {"iteration", {{"iteration_s", 2.5}}}}))),
                 "An iteration on 256 GPUs takes 2.5 s.");
        QCOMPARE(words(verdictOf(answer("published-training", {{"predicted_runs", 27}, {"mean_absolute_error", 0.038}, {"worst_error", 0.093}}))),
                 "27 published runs are predicted within 3.8 % on average, 9.3 % worst case.");
    }

    void aVerdictOfTheKindIsTaken() { QCOMPARE(words(verdictOf(answer("anything", {{"verdict", "It fits."}, {"iteration_s", 1.0}}))), "It fits."); }

    /// A swept key is not hidden by a result of the same name; what does not vary is said once.
    void sweepsShowWhatVaries()
    {
        Json d = answer("scaling", Json::object());
        d.erase("results");
        d["sweep"] = {{"parameters", {"gpus"}}, {"points", Json::array()}};
        for (const int n : {1024, 2048})
            d["sweep"]["points"].push_back({{"values", {n}}, {"results", {{"gpus", n - 24}, {"layers", 96}, {"iteration_s", 10.0 * 1024 / n}}}});
        const auto said = inWords(d);
        QCOMPARE(said.tables.size(), std::size_t(1));
        const auto& table = said.tables.front();
        QCOMPARE(table.columns.size(), std::size_t(3));
        QVERIFY(table.columns[0].swept && table.columns[0].key == "gpus");
        QCOMPARE(table.columns[1].key, std::string("iteration_s"));
        QCOMPARE(words(listed(table.rows[1])), "2,048, 5 s, 2,024");
        QCOMPARE(said.constants.size(), std::size_t(1));
        QCOMPARE(words(said.constants[0].value), "96");
        QCOMPARE(words(said.verdict), "Iteration ranges from 5 s (at 2,048) to 10 s (at 1,024) over GPUs.");
        QCOMPARE(sweptNumbers(d), (std::vector<std::string>{"gpus", "iteration_s"}));
        const auto plot = sweepPlot(d, "iteration_s");
        QVERIFY(plot.has_value());
        QCOMPARE(plot->lines.size(), std::size_t(1));
        QCOMPARE(plot->lines[0].points[1], std::pair(2048.0, 5.0));
    }

    void comparisonsSayWhatDiffers()
    {
        const Json a = answer("failure", {{"job_lost", false}, {"black_hole_s", 0.5}}, {{"fault", "port"}, {"seed", 1}}),
                   b = answer("failure", {{"job_lost", false}, {"black_hole_s", 1.0}}, {{"fault", "tor"}, {"seed", 1}});
        const auto said = compareInWords(a, b);
        QCOMPARE(words(said.verdict), "1 of 2 values differ.");
        QCOMPARE(words(said.first), "failure [fault port]");
        QCOMPARE(words(said.second), "failure [fault tor]");
        QCOMPARE(said.rows.size(), std::size_t(1));
        QCOMPARE(words(said.rows[0].second), "1 s");
        QCOMPARE(words(said.rows[0].change), "2x");
        const auto same = compareInWords(a, a);
        QVERIFY(same.rows.empty() && words(same.verdict).find("The two results are identical in all 2 values") != std::string::npos);
        QVERIFY(same.first != same.second);
        const auto unlike = compareInWords(a, answer("training", {{"iteration_s", 1.0}}));
        QVERIFY(unlike.rows.empty() &&
                words(unlike.verdict).find(") and have no values in common; pin a result of the same scenario to compare") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestAnswers)
#include "answers_test.moc"

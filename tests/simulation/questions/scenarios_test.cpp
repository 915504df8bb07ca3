// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/simulation/near.h"
#include "tests/simulation/questions/scenario_run.h"

#include "simulation/answers/answer_in_words.h"
#include "simulation/answers/answer_verdicts.h"
#include "simulation/questions/model_fields.h"
#include "simulation/questions/result_store.h"
#include "simulation/questions/run_request.h"

#include <QTemporaryDir>

#include <algorithm>
#include <fstream>

using namespace hw;
using namespace hw::sim;
using namespace hw::sim::test;

using Expected = std::vector<std::tuple<const char*, double, double>>; ///< place, value, relative tolerance

class ScenariosTest : public QObject {
    Q_OBJECT
private slots:
    /// Without parameters every analysis answers its acceptance case; the place is a JSON pointer.
    void defaultsAnswerTheChecks_data()
    {
        QTest::addColumn<QByteArray>("analysis");
        QTest::addColumn<QByteArray>("place");
        QTest::addColumn<double>("value");
        QTest::addColumn<double>("tolerance");
        const auto row = [](const char* analysis, const char* place, double value, double tolerance) {
            QTest::newRow((std::string(analysis) + place).c_str()) << QByteArray(analysis) << QByteArray(place) << value << tolerance;
        };
        row("goodput", "/results/simulated", 0.8325, 0.01);
        row("goodput", "/results/closed_form", 0.8325, 1e-3);
        row("goodput", "/results/interval_s", 1541, 1e-3);
        row("checkpoint", "/results/rows/2/at_intervals/0/goodput", 0.679, 1e-3);
        row("checkpoint", "/results/rows/3/mtbf_s", 1824, 1e-3);
        row("checkpoint", "/results/sizes/dump_drain_s", 4.8, 1e-9);
        row("checkpoint", "/results/sizes/state_bytes", 9.8e12, 1e-9);
        row("checkpoint", "/results/link_failures/1/failures_per_month", 8.76, 1e-3);
        row("checkpoint", "/results/gpus_for_a_fault_every_3_min", 1013540, 1e-4);
        row("amdahl", "/results/iteration_time", 0.675, 1e-3);
        row("amdahl", "/results/throughput", 1.4815, 1e-3);
        row("amdahl", "/results/throughput_at_time_saved", 2.778, 1e-3);
        row("amdahl", "/results/allreduce_ratio/2/serial_hierarchical", 10.36, 0.01);
        row("amdahl", "/results/peak/dense_eflops", 0.639, 1e-3);
        row("collective", "/results/points/0/time_s", 0.0375, 1e-9);
        row("collective", "/results/points/0/bus_gbytes_per_s", 50, 1e-9);
        row("pxn", "/results/points/1/speedup_overlapped", 1.32, 0.01);
        row("pxn", "/results/flows_forwarded", 7936, 0);
        row("xlink", "/results/points/4/time_s", 8.8e-3, 0.01);
        row("xlink", "/results/flat_from_gpus", 128, 0);
        row("priority", "/results/policies/0/utilization", 0.622, 0.01);
        row("hash-dodging", "/results/remedies/0/restored_at_s", 11, 1e-9);
        row("hash-dodging", "/results/remedies/1/first_try_share", 0.983, 1e-3);
        row("hash-dodging", "/results/remedies/2/lost_bytes", 1e12, 1e-9);
        row("port-failover", "/results/port_loss/0/host_gbps", 3000, 0);
        row("training-volume", "/results/volumes/gradient_bytes", 5.469e9, 0.01); // P8, counted with 175e9 parameters; the shape has 174.6e9
        row("training-volume", "/results/parameters/total",
            12.0 * 96 * 12288 * 12288 * (1 + 13 / (12.0 * 12288) + (51200 + 2048) / (12.0 * 96 * 12288)), 1e-6);
        row("training-volume", "/results/volumes/pipeline_send_bytes", 6291456, 0);
        row("training-volume", "/results/petaflop_days", 3646, 1e-3);
    }
    void defaultsAnswerTheChecks()
    {
        QFETCH(QByteArray, analysis);
        QFETCH(QByteArray, place);
        QFETCH(double, value);
        QFETCH(double, tolerance);
        const Json r = run(analysis);
        const Json::json_pointer at(place.toStdString());
        QVERIFY2(r.contains(at), r.dump(1).c_str());
        QNEAR(r[at].get<double>(), value, tolerance);
    }

    /// Recorded prices of two types, at irregular times; a price holds until the next one.
    void spotPricesOfAFile()
    {
        QTemporaryDir folder;
        const std::string file = folder.filePath("prices.csv").toStdString();
        const auto ask = [&](const std::string& content, const Json& more = Json::object()) {
            std::ofstream(file) << content;
            Json request = {{"analysis", "spot"}, {"draws", 100},         {"machines", 1},
                            {"work_h", 4},        {"step_h", 0.25},       {"checkpoint_h", 0},
                            {"restart_h", 0},     {"reclaimed_per_h", 0}, {"types", {{{"name", "a"}}}},
                            {"prices_file", file}};
            request.update(more);
            return runText(request.dump());
        };
        const auto steady = ask("time,type,price\n2026-01-05T08:00:00Z,a,0.5\n2026-01-05T09:10:00Z,b,9\n2026-01-05T20:00:00Z,a,0.5\n");
        QVERIFY2(steady, steady ? "" : steady.error().text().c_str());
        QNEAR((*steady)["results"]["types"][0]["cost_usd"]["mean"].get<double>(), 4 * 0.5, 1e-9);
        const auto dearer = ask("Timestamp,InstanceType,SpotPrice\n2026-01-05T20:00:00,a,1.5\n2026-01-05T08:00:00,a,0.5\n");
        QVERIFY((*dearer)["results"]["types"][0]["cost_usd"]["p95"].get<double>() >= 4 * 0.5);
        QVERIFY(ask("price\n0.5\n0.5\n"));
        for (const char* bad : {"", "cost\n1\n", "price\nfree\n", "price\n-1\n", "time,price\nnoon,1\n", "type,price\nb,1\n"})
            QVERIFY2(!ask(bad), bad);
        const Json missing = {{"analysis", "spot"}, {"prices_file", "/no/such"}};
        QVERIFY(whereOf(missing.dump()).find("prices_file") != std::string::npos);
        QVERIFY(!ask("price\n1\n", {{"volatility", 0.5}})); // a walk, and prices
    }

    /// Recall and precision are measured and feed the goodput.
    void predictionFeedsGoodput()
    {
        const Json measured = run("fault-prediction", {{"days", 90}, {"thresholds", {0.2, 0.6}}})["results"];
        const Json& shares = measured["prediction"];
        QVERIFY(shares["recall"].get<double>() > 0.1 && shares["precision"].get<double>() > 0.2);
        QVERIFY(measured["thresholds"][0]["recall"] >= measured["thresholds"][1]["recall"]);
        QVERIFY(measured["thresholds"][0]["false_alarms_per_month"] > measured["thresholds"][1]["false_alarms_per_month"]);
        const Json without = run("goodput", {{"gpus", 3000}, {"failures", 2000}})["results"],
                   with = run("goodput", {{"gpus", 3000}, {"failures", 2000}, {"prediction", "emulated"}})["results"];
        QVERIFY(with["closed_form"] > without["closed_form"]);
        const Json given = run("goodput", {{"gpus", 3000},
                                           {"failures", 2000},
                                           {"recall", with["prediction"]["recall"]},
                                           {"precision", with["prediction"]["precision"]}})["results"];
        QNEAR(given["closed_form"].get<double>(), with["closed_form"].get<double>(), 1e-12);
        QVERIFY(!runKind("goodput", {}, {{"prediction", "emulated"}, {"recall", 0.5}}));
        QVERIFY(run("goodput-target", {{"prediction", "emulated"}})["results"].contains("prediction"));
    }

    /// The acceptance scenarios as they ship, by one call each; places are JSON pointers, tolerances those of the checks.
    void shippedScenarios_data()
    {
        QTest::addColumn<QByteArray>("scenario");
        QTest::addColumn<Expected>("expected");
        const auto row = [](const char* scenario, const Expected& expected) { QTest::newRow(scenario) << QByteArray(scenario) << expected; };
        row("s1-dual-plane", {{"/results/as_designed/0/max_min_gbps", 400, 0.01},
                              {"/results/single_plane/0/max_min_gbps", 300, 0.02},
                              {"/results/single_plane/1/max_min_gbps", 341.7, 0.02},
                              {"/results/single_plane/2/max_min_gbps", 384.3, 0.02},
                              {"/results/single_plane/3/max_min_gbps", 399, 0.02},
                              {"/results/single_plane/1/paced_gbps", 325, 0.02},
                              {"/results/single_plane/0/slowest_nic_factor", 2.0, 0.05},
                              {"/results/single_plane/1/slowest_nic_factor", 1.94, 0.05},
                              {"/results/single_plane/2/slowest_nic_factor", 1.70, 0.05},
                              {"/results/single_plane/3/slowest_nic_factor", 1.51, 0.05},
                              {"/results/tor_uplinks/busy_share", 0.635, 0.02},
                              {"/results/tor_uplinks/mean_max_load", 3.9, 0.05},
                              {"/results/tor_uplinks/disjoint_busy_share", 1, 1e-9}});
        row("s2-port-down", {{"/sweep/points/0/results/degraded/nic_gbps", 200, 0.01},
                             {"/sweep/points/0/results/degraded/host_gbps", 3000, 0.01},
                             {"/sweep/points/0/results/ring_slow_down_static", 2, 0.01},
                             {"/sweep/points/0/results/ring_slow_down_rebalanced", 16.0 / 15, 0.01},
                             {"/sweep/points/0/results/repaired_nic_gbps", 400, 0.01}});
        row("s2-port-down-between-segments", {{"/sweep/points/0/results/degraded/nic_gbps", 200, 0.01},
                                              {"/sweep/points/0/results/flows_into_dead_after_convergence", 0, 0},
                                              {"/sweep/points/0/results/flows_on_dead_plane_after_convergence", 0, 0},
                                              {"/sweep/points/0/results/surviving_ways", 60, 0}});
        row("s2-nic-down", {{"/sweep/points/0/results/nics_stopped", 2, 0}});
        row("s2-tor-down", {{"/sweep/points/0/results/nics_halved", 128, 0},
                            {"/sweep/points/0/results/degraded/segment_gbps", 384000, 0.01},
                            {"/sweep/points/0/results/ring_slow_down_static", 2, 0.01},
                            {"/sweep/points/0/results/ring_slow_down_rebalanced", 16.0 / 15, 0.01},
                            {"/sweep/points/2/results/nics_stopped", 128, 0}});
        row("s3-cross-pod", {{"/results/cases/0/seconds", 0.503e-3, 0.01},
                             {"/results/cases/0/exposed_s", 24.2e-3, 0.01},
                             {"/results/cases/1/seconds", 0.218, 0.01},
                             {"/results/cases/2/seconds", 3.49, 0.01},
                             {"/results/cases/3/slow_down", 8, 0.01},
                             {"/results/cases/4/core_slow_down", 1, 1e-9}});
        row("s4-rail-locality", {{"/results/ring/under_one_switch_share", 1, 0},
                                 {"/results/ring/load_between_switches_gbps", 0, 0},
                                 {"/results/all_to_all/crosses_rails_share", 0.875, 0.01},
                                 {"/results/forwarded_all_to_all/crosses_rails_share", 0, 0}});
        row("s4-rail-locality-dcn-plus", {{"/results/ring/crosses_segments_share", 0.0625, 0.01},
                                          {"/results/ring/random_order_crosses_segments_share", 48.0 / 63, 0.02},
                                          {"/results/all_to_all/crosses_segments_share", 48.0 / 63, 0.01}});
        row("s5-pxn-forwarding", {{"/results/points/1/speedup_overlapped", 1.32, 0.01}});
        row("s6-core-hash", {{"/results/source_port_hash/throughput_share", 1, 0},
                             {"/results/five_tuple/throughput_share", 0.645, 0.02},
                             {"/results/source_port_hash_link_down/throughput_share", 14.0 / 15, 0.001},
                             {"/results/five_tuple_link_down/throughput_share", 0.626, 0.02},
                             {"/results/untouched_flows", 13, 0},
                             {"/results/no_collision_probability", 3.0e-6, 0.02}});
        row("s7-hash-dodging", {{"/results/remedies/0/restored_at_s", 11, 1e-9}, {"/results/remedies/2/lost_bytes", 1e12, 1e-9}});
        row("s8-job-priority", {{"/results/policies/0/utilization", 0.622, 0.016}, {"/results/policies/1/utilization", 0.542, 0.037}});
        row("s9-goodput", {{"/sweep/points/0/results/simulated", 0.9636, 0.01},
                           {"/sweep/points/1/results/simulated", 0.9345, 0.01},
                           {"/sweep/points/2/results/simulated", 0.8325, 0.012},
                           {"/sweep/points/3/results/simulated", 0.506, 0.02}});
        row("s9-checkpoint-interval", {{"/results/rows/0/goodput_at_optimum", 0.9636, 0.001}});
        row("s9-design-goodput", {{"/results/storage/path_gbps", 100000, 0.01}});
        row("s10-xlink-domain", {{"/results/points/0/time_s", 18.9e-3, 0.01}, {"/results/points/5/time_s", 2.22e-3, 0.01}});
        row("gpt3-iteration", {{"/results/gpus", 15360, 0}});
        row("published-training", {{"/results/predicted_runs", 50, 0}});
        row("moe-iteration", {{"/results/gpus", 15360, 0}});
        row("job-mix", {{"/results/jobs_under_1000_gpus", 0.963, 0.02}});
        row("given-jobs", {{"/results/jobs/0/gpus", 1024, 0}, {"/results/jobs/2/iterations_fair", 10, 0}});
        row("training-port-down", {{"/results/phases/1/slow_down", 2, 1e-9}, {"/results/stands_s", 0.1, 1e-6}});
        row("fault-causes", {{"/results/faults", 419, 0},
                             {"/results/sizes/0/mtbf_s", 185.58 * 60, 1e-4},
                             {"/results/sizes/3/mtbf_s", 30.41 * 60, 1e-3},
                             {"/results/causes/0/share", 148.0 / 419, 1e-9},
                             {"/results/causes/0/per_gpu_year", 148.0 / 54 * 365 / 16384, 1e-9},
                             {"/results/causes/3/mtbf_s", 54 * 86400.0 / 35, 1e-9}});
    }
    void shippedScenarios()
    {
        QFETCH(QByteArray, scenario);
        QFETCH(Expected, expected);
        std::ifstream in(HW_RESOURCES "/scenarios/" + scenario.toStdString() + ".json");
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        QVERIFY(!text.empty());
        const auto r = runText(text);
        QVERIFY2(r.has_value(), r ? "" : r.error().text().c_str());
        for (const auto& [place, value, tolerance] : expected) {
            const Json::json_pointer at(place);
            QVERIFY2(r->contains(at) && (*r)[at].is_number(), place);
            const double found = (*r)[at].get<double>();
            QVERIFY2(std::abs(found - value) <= std::max(tolerance * std::abs(value), 1e-12),
                     qPrintable(QString("%1 is %2, expected %3").arg(place).arg(found).arg(value)));
        }
        if (scenario == "s2-tor-down") {
            const Json& points = (*r)["sweep"]["points"];
            QVERIFY(!points[0]["results"]["job_lost"].get<bool>() && !points[1]["results"]["job_lost"].get<bool>()); // dual ToR: the job goes on
            QVERIFY(!points[2]["results"]["job_lost"].get<bool>() &&
                    points[3]["results"]["job_lost"].get<bool>()); // single ToR: 60 s resumes, 121 s is lost
        }
    }

    /// Where ranks cannot reach each other the job does not run, however little is left to wait for.
    void aJobThatIsCutOffDoesNotRun()
    {
        const auto r = runText(
            R"({"workload": "training", "design": {"template": "hpn", "set": {"segments": 2, "networks": "backend"}}, "failed_links": 1000000})");
        QVERIFY2(r.has_value(), r ? "" : r.error().text().c_str());
        QVERIFY(!(*r)["results"]["runs"].get<bool>());
        const Json written = Json::parse(r->dump());
        QVERIFY(written["results"]["iteration_s"].is_null());
        QVERIFY(written["results"]["tokens_per_s"].is_null() && written["results"]["mfu"].is_null());
        QVERIFY(written["results"]["unreachable_flows"].get<int>() > 0 && !written["results"]["cut_off"].get<std::string>().empty());
        QVERIFY((*r)["notes"][0].get<std::string>().find("does not run") != std::string::npos);
    }

    /// A job that needs more memory than its accelerator has does not run, and the verdict says how much, and what to change.
    void aJobWithoutMemoryDoesNotRun()
    {
        const std::string start = R"({"workload": "training", "design": {"template": "hpn", "set": {"segments": 2, "networks": "backend"}}, )";
        const auto r = runText(start + R"("pipeline": 1, "sharded_optimizer": false})");
        QVERIFY2(r.has_value(), r ? "" : r.error().text().c_str());
        const Json& results = (*r)["results"];
        QVERIFY(!results["runs"].get<bool>() && !results["memory"]["fits"].get<bool>() && answerIsNo(*r));
        QCOMPARE(results["memory"]["available_bytes"].get<double>(), 80e9);
        QVERIFY(results["memory"]["total_bytes"] > 80e9);
        const std::string verdict = words(verdictOf(*r));
        for (const char* part : {"does not run", "GB needed", "H800 has 80 GB", "shard the optimizer"})
            QVERIFY2(verdict.find(part) != std::string::npos, verdict.c_str());
        const auto fine = runText(start + R"("pipeline": 8})");
        QVERIFY(fine && (*fine)["results"]["runs"].get<bool>() && !answerIsNo(*fine));
        const auto volume = runText(R"({"analysis": "training-volume", "parallelism": {"pipeline": 1}})");
        QVERIFY(volume && answerIsNo(*volume));
        const auto sizes =
            runText(R"({"workload": "scaling", "design": {"template": "hpn", "set": {"segments": 2, "networks": "backend"}}, "pipeline": 1})");
        QVERIFY(sizes && answerIsNo(*sizes));
        const auto fault = runText(
            R"({"workload": "training-failure", "design": {"template": "hpn", "set": {"segments": 1, "networks": "backend"}}, "pipeline": 1})");
        QVERIFY(fault && answerIsNo(*fault));
        const auto jobs = runText(
            R"({"workload": "jobs", "design": {"template": "hpn", "set": {"segments": 1, "networks": "backend"}}, "jobs": [{"gpus": 512}, {"gpus": 256, "pipeline": 1}]})");
        QVERIFY2(jobs.has_value(), jobs ? "" : jobs.error().text().c_str());
        QVERIFY(answerIsNo(*jobs) && words(verdictOf(*jobs)).starts_with("job 2 does not run"));
        const auto sweep = runText(start + R"("sweep": {"parameter": "pipeline", "values": [1, 8]}})");
        QVERIFY(sweep && !answerIsNo(*sweep)); // one point runs
    }

    /// TPU designs compute with TPU facts, and what they cannot compute is refused.
    void tpuDesigns()
    {
        const std::string start =
            R"({"workload": "training", "design": {"template": "google-pods", "set": {"tpu_pods": 2}}, "pipeline": 8, "tensor": 8, )";
        const auto r = runText(start + R"("model": {"layers": 32, "hidden": 4096, "heads": 32}})");
        QVERIFY2(r.has_value(), r ? "" : r.error().text().c_str());
        QCOMPARE((*r)["results"]["accelerator"]["name"].get<std::string>(), std::string("TPU v5e"));
        QCOMPARE((*r)["results"]["accelerator"]["peak_tflops"].get<double>(), 197.0);
        QVERIFY(!(*r)["results"]["validated_range"]["validated"].get<bool>());
        QVERIFY((*r)["notes"].dump().find("Outside the validated range of the training model: no published run of this kind on TPU v5e") !=
                std::string::npos);
        const auto narrow = runText(start + R"("precision": "fp8"})");
        QVERIFY(!narrow && narrow.error().text().find("TPU v5e does not support fp8") != std::string::npos);
    }

    /// The answer names the calibrated constants and the range in which the model is checked.
    void calibratedConstantsAreNamed()
    {
        const auto r = runText(R"({"workload": "training", "design": {"template": "nvl72"}, "precision": "fp8"})");
        QVERIFY2(r.has_value(), r ? "" : r.error().text().c_str());
        const Json& constants = (*r)["results"]["calibrated_constants"];
        QCOMPARE(constants["matrix_share"].get<double>(), 0.775);
        QCOMPARE(constants["depth"].get<double>(), 288.0);
        QCOMPARE(constants["sustained"].get<double>(), 0.84);
        const std::string notes = (*r)["notes"].dump();
        QVERIFY2(notes.find("Calibrated constants of the compute model: matrix share 0.775 and depth 288") != std::string::npos, notes.c_str());
        QVERIFY2(notes.find("Validated range: ") != std::string::npos, notes.c_str());
        QVERIFY(run("published-training")["results"]["outside_range"].size() >= 10);
    }

    /// A workload runs on a template's design and on variants of it; the design sweep changes only the run.
    void designsAndVariants()
    {
        const auto r = runText(
            R"({"workload": "permutation", "design": {"template": "hpn", "set": {"segments": 2}}, "sweep": {"parameter": "design.tor_uplinks", "values": [30, 60]}})");
        QVERIFY2(r.has_value(), r ? "" : r.error().text().c_str());
        const Json& points = (*r)["sweep"]["points"];
        const auto rate = [&](int i) { return points[i]["results"]["flows"]["rate_mean_gbps"].get<double>(); };
        QVERIFY(rate(0) < rate(1)); // half of the uplinks
        QCOMPARE(runText(R"({"workload": "permutation", "design": {"template": "hpn", "set": {"segments": 99}}})").error().code, ErrorCode::Refused);
        QCOMPARE(runText(R"({"workload": "permutation", "design": {"template": "hpn", "set": {"nothing": 1}}})").error().code, ErrorCode::Unreadable);
    }

    /// Sizes that nobody stated are those that a small design has; stated ones that it has not are refused by their key.
    void usualSizesFollowTheDesign()
    {
        const std::string small =
            "\"design\": {\"template\": \"rail-optimized-2\", \"set\": {\"segments\": 1, \"networks\": \"backend\"}}"; // 32 servers
        const auto seen = [&](const char* kind, const char* key) {
            const auto r = runText("{\"workload\": \"" + std::string(kind) + "\", " + small + "}");
            if (!r) qFatal("%s", r.error().text().c_str());
            std::set<int> values;
            for (const Json& point : (*r)["results"]["points"]) values.insert(point[key].get<int>());
            return values;
        };
        QCOMPARE(seen("bandwidth", "hosts"), (std::set<int>{2, 8, 32}));
        QCOMPARE(seen("scaling", "gpus"), (std::set<int>{64, 128, 256})); // one replica of GPT-3 has 64
        QCOMPARE(whereOf("{\"workload\": \"bandwidth\", " + small + ",\n\"hosts\": [2, 33]}"), std::string("f.json:2: hosts"));
    }

    void everyAnalysisIsComplete()
    {
        QCOMPARE(describeScenarioKinds().size(), scenarioKinds().size());
        for (const ScenarioKind& k : scenarioKinds()) {
            if (k.onDesign) continue;
            const auto r = runText("{\"analysis\": \"" + k.name + "\"}");
            QVERIFY2(r.has_value(), r ? "" : r.error().text().c_str());
            QCOMPARE((*r)["schema"].get<std::string>(), std::string("hallwright.result/1"));
            QVERIFY((*r)["results"].is_object() && !(*r)["results"].empty());
            QVERIFY((*r)["notes"].is_array() && !(*r)["notes"].empty());
            for (const Json& note : (*r)["notes"]) QVERIFY(note.is_string());
            // the complete parameters are parameters again, with the same answer
            Json again = (*r)["parameters"];
            again["analysis"] = k.name;
            const auto second = runText(again.dump());
            QVERIFY(second.has_value());
            QCOMPARE(second->dump(), r->dump());
        }
    }

    /// Stating what is so anyway changes no number: every field of the kind, for every preset (training) and model (training-volume).
    void changingNothingChangesNothing_data()
    {
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QByteArray>("preset");
        for (const auto& preset : workloadLibrary()->presets)
            QTest::newRow(("training " + preset.slug).c_str()) << QByteArray("training") << QByteArray::fromStdString(preset.slug);
        for (const auto& model : workloadLibrary()->models)
            QTest::newRow(("training-volume " + model.slug).c_str()) << QByteArray("training-volume") << QByteArray::fromStdString(model.slug);
    }
    void changingNothingChangesNothing()
    {
        QFETCH(QByteArray, kind);
        QFETCH(QByteArray, preset);
        const bool training = kind == "training";
        const std::string slug = preset.toStdString();
        static const auto hall = generatedDesign("hpn", {{"segments", 2}}, {}); // made once, not for each key
        QVERIFY2(hall.has_value(), hall ? "" : hall.error().text().c_str());
        const ScenarioDesign given = training ? *hall : ScenarioDesign{};
        Json base =
            training ? Json{{"workload", "training"}, {"preset", slug}} : Json{{"analysis", "training-volume"}, {"model", {{"preset", slug}}}};
        const auto before = runText(base.dump(), {}, {}, given);
        QVERIFY2(before.has_value(), before ? "" : before.error().text().c_str());
        const Json& results = (*before)["results"];
        const TrainingJob job = training ? workloadLibrary()->preset(slug)->job : TrainingJob{};
        const TransformerModel& m = training ? job.model : workloadLibrary()->model(slug)->model;
        const Json cut = training ? results["cut"] : Json::object();
        const Json model = {{"layers", m.layers},
                            {"hidden", m.hidden},
                            {"heads", m.heads},
                            {"key_value_heads", m.keyValueHeads || m.latent.used() ? m.keyValueHeads : m.heads},
                            {"head_width", m.headWidth || m.latent.used() ? m.headWidth : m.hidden / m.heads},
                            {"dense_first", m.denseFirst},
                            {"expert_feed_forward", m.mixture() ? int(m.expertWidth()) : 0},
                            {"shared_feed_forward", m.sharedFeedForward},
                            {"node_limit", m.nodeLimit},
                            {"feed_forward", m.feedForward ? m.feedForward : 4 * m.hidden},
                            {"gated", m.gatedFeedForward},
                            {"vocabulary", m.vocabulary},
                            {"tied_embedding", m.tiedEmbedding},
                            {"learned_positions", m.learnedPositions},
                            {"sequence", m.sequence},
                            {"experts", m.experts},
                            {"top_k", m.topK},
                            {"expert_every", m.expertEvery},
                            {"bytes_per_value", m.bytesPerValue},
                            {"causal_attention", true},
                            {"attention", "flash"},
                            {"parameters", countParameters(m).total()}};
        Json machine = results["accelerator"]; // peak, memory, rates
        machine["accelerator"] = training ? "h800" : "h100";
        machine["nvlink_gbytes_per_s"] = machine["scale_up_gbps"].get<double>() / 8;
        Json own = machine;
        own["preset"] = slug;
        if (training)
            own.update(Json{{"gpus", results["gpus"]},
                            {"data", cut["data"]},
                            {"tensor", cut["tensor"]},
                            {"pipeline", cut["pipeline"]},
                            {"virtual_stages", cut["virtual_stages"]},
                            {"expert", cut["expert"]},
                            {"context", cut["context"]},
                            {"micro_batch", cut["micro_batch"]},
                            {"micro_batches", cut["micro_batches"]},
                            {"samples_per_iteration", cut["data"].get<int>() * cut["micro_batch"].get<int>() * cut["micro_batches"].get<int>()},
                            {"sequence_parallel", true},
                            {"scatter_gather", true},
                            {"precision", "bf16"},
                            {"recompute", name(job.recompute)},
                            {"gradient_allreduce", "automatic"},
                            {"tensor_allreduce", "automatic"},
                            {"expert_alltoall", name(job.algorithms.expert)},
                            {"sharded_optimizer", true},
                            {"sharded_gradients", job.algorithms.shardedGradients},
                            {"library", "ideal"},
                            {"library_factor", 1},
                            {"tokens_to_train", job.tokensToTrain},
                            {"overlap", {{"tensor", 0}, {"context", 1}, {"expert", 0}, {"gradient", 0.5}}},
                            {"latency", {{"inside_us", 3}, {"outside_us", 9}, {"hop_us", 1}}}});
        const auto same = [&](Json with, const std::string& what) {
            const auto after = runText(with.dump(), {}, {}, given);
            QVERIFY2(after.has_value(), after ? "" : (what + ": " + after.error().text()).c_str());
            QVERIFY2((*after)["results"].dump() == results.dump(), what.c_str());
            QVERIFY2((*after)["notes"].dump() == (*before)["notes"].dump(), what.c_str());
        };
        const auto value = [&](const Field& f, const Json& table) { return table.contains(f.key) ? table[f.key] : f.fallback; };
        for (const Field& f : findScenarioKind(kind.toStdString())->fields) {
            if (f.kind != Field::Kind::Object) {
                if (f.key == "failed" || f.key == "efficiency" || f.key == "compute_tflops_per_gpu")
                    continue; // instead of the compute model: it has none
                QVERIFY2(!value(f, own).is_null(), f.key.c_str());
                Json with = base;
                with[f.key] = value(f, own);
                same(std::move(with), f.key);
                continue;
            }
            for (const Field& inner : f.fields) {
                if (inner.key == "efficiency" || inner.key == "compute_tflops_per_gpu") continue;
                const Json& table = f.key == "model" ? model : f.key == "machine" ? machine : f.key == "parallelism" ? Json::object() : own[f.key];
                QVERIFY2(!value(inner, table).is_null() || inner.key == "preset", (f.key + "." + inner.key).c_str());
                Json with = base;
                with[f.key][inner.key] = inner.key == "preset" ? Json(slug) : value(inner, table);
                same(std::move(with), f.key + "." + inner.key);
            }
        }
    }

    /// GPUs, TP, CP, PP and DP stated together must multiply.
    void statedDegreesMustMultiply()
    {
        const std::string start =
            R"({"workload": "training", "design": {"template": "hpn", "set": {"segments": 1}}, "tensor": 8, "pipeline": 4, "context": 1, )";
        const auto wrong = runText(start + R"("data": 16, "gpus": 1024})");
        QVERIFY(!wrong && wrong.error().code == ErrorCode::Refused);
        QVERIFY2(wrong.error().text().find("tensor 8 x context 1 x pipeline 4 x data 16 = 512") != std::string::npos, wrong.error().text().c_str());
        const auto right = runText(start + R"("data": 16, "gpus": 512})"), alone = runText(start + R"("data": 16})");
        QVERIFY(right && alone);
        QCOMPARE((*right)["results"].dump(), (*alone)["results"].dump());
        QCOMPARE((*alone)["results"]["gpus"].get<int>(), 512);
        QVERIFY(!runText(start + R"("data": 64})")); // more than the 1,024 of the segment
        const auto part = runText(start + R"("gpus": 1000})");
        QVERIFY(part && (*part)["results"]["gpus"] == 992 &&
                (*part)["notes"].dump().find("992 of the 1000 requested GPUs are used: whole replicas (tensor x context x pipeline)") !=
                    std::string::npos);
        const auto volume = runText(R"({"analysis": "training-volume", "parallelism": {"gpus": 1000}})");
        QVERIFY(!volume && volume.error().where.find("parallelism.gpus") != std::string::npos);
    }

    void accelerators()
    {
        const auto with = [](const std::string& more) {
            const auto r = runText(R"({"workload": "training", "design": {"template": "hpn", "set": {"segments": 1}}, "pipeline": 1)" + more + "}");
            return r ? (*r)["results"] : Json{{"error", r.error().text()}};
        };
        const Json h800 = with(""), a100 = with(R"(, "accelerator": "a100")"), faster = with(R"(, "peak_tflops": 2000)"),
                   wide = with(R"(, "scale_up_gbps": 7200)");
        QCOMPARE(h800["accelerator"]["scale_up_gbps"].get<double>(), 1600.0);
        QCOMPARE(a100["accelerator"]["scale_up_gbps"].get<double>(), 2400.0);
        QCOMPARE(a100["accelerator"]["peak_tflops"].get<double>(), 312.0);
        QVERIFY(a100["time"]["compute_s"] > h800["time"]["compute_s"] && faster["time"]["compute_s"] < h800["time"]["compute_s"]);
        QVERIFY(wide["time"]["exposed_tensor_s"] < h800["time"]["exposed_tensor_s"] && wide["time"]["compute_s"] == h800["time"]["compute_s"]);
        const Json stated = with(R"(, "compute_tflops_per_gpu": 400)"), share = with(R"(, "efficiency": 0.5)");
        QNEAR(stated["compute_tflops_per_gpu"].get<double>(), 400, 1e-9);
        QNEAR(share["compute_tflops_per_gpu"].get<double>(), 0.5 * 989.5, 1e-9);
        QNEAR(h800["tflops_per_gpu"].get<double>(), h800["mfu"].get<double>() * 989.5, 1e-9);
        QVERIFY(with(R"(, "compute_tflops_per_gpu": 400, "efficiency": 0.5)").contains("error"));
        QVERIFY(with(R"(, "compute_tflops_per_gpu": 1400)").contains("error"));
    }

    /// The same job by closed forms and on a segment: volumes, counts (recomputed all-reduces too), computing and time.
    void volumesAndTrainingAgree()
    {
        for (const char* recompute : {"none", "selective", "full"}) {
            const std::string stated = std::string("\"recompute\": \"") + recompute + "\"}";
            const auto onDesign = runText(
                R"({"workload": "training", "design": {"template": "hpn", "set": {"segments": 1}}, "pipeline": 2, "micro_batches": 8, )" + stated);
            const auto closed = runText(
                R"({"analysis": "training-volume", "parallelism": {"pipeline": 2, "data": 64, "micro_batches": 8}, "machine": {"accelerator": "h800"}, )" +
                stated);
            QVERIFY2(onDesign.has_value(), onDesign ? "" : onDesign.error().text().c_str()); // the text is made in any case
            QVERIFY2(closed.has_value(), closed ? "" : closed.error().text().c_str());
            const Json &a = (*onDesign)["results"], &b = (*closed)["results"];
            QCOMPARE(a["gpus"].get<double>(), b["gpus"].get<double>());
            const auto phase = [&](const char* name) {
                return *std::ranges::find_if(a["phases"], [&](const Json& p) { return p["phase"] == name; });
            };
            QCOMPARE(phase("tensor")["times"].get<double>(), b["volumes"]["tensor_allreduces"].get<double>());
            QCOMPARE(phase("tensor")["times"].get<double>(), (std::string(recompute) == "full" ? 6.0 : 4.0) * 48 * 8);
            QNEAR(phase("tensor")["bytes"].get<double>(), b["volumes"]["tensor_allreduce_bytes"].get<double>(), 1e-12);
            QNEAR(phase("gradient")["bytes"].get<double>(), b["volumes"]["gradient_bytes"].get<double>(), 1e-12);
            QNEAR(phase("send forward")["bytes"].get<double>(), b["volumes"]["pipeline_send_bytes"].get<double>(), 1e-12);
            QNEAR(a["time"]["compute_s"].get<double>(), b["iteration"]["compute_s"].get<double>(), 1e-9);
            QNEAR(a["time"]["exposed_tensor_s"].get<double>(), b["iteration"]["exposed_tensor_s"].get<double>(), 1e-9);
            QNEAR(a["iteration_s"].get<double>(), b["iteration"]["iteration_s"].get<double>(),
                  0.02); // sends between hosts of a stage, the unsharded optimizer
        }
    }

    void publishedRunsAsAScenario()
    {
        const Json r = run("published-training")["results"];
        QCOMPARE(r["calibration"].size(), std::size_t(3));
        QCOMPARE(std::size_t(r["predicted_runs"].get<int>()), r["predicted"].size());
        QVERIFY(r["mean_absolute_error"].get<double>() < 0.08 && r["worst_error"].get<double>() < 0.25);
        const Json llama = run("published-training", {{"series", "llama3-2024"}})["results"];
        QCOMPARE(llama["predicted"].size(), std::size_t(3));
        QCOMPARE(llama["calibration"].size(), std::size_t(3));
    }

    void priorityRanks()
    {
        const Json r = run("priority")["results"]["policies"];
        QCOMPARE(r[0]["policy"].get<std::string>(), std::string("intensity"));
        QCOMPARE(r[1]["policy"].get<std::string>(), std::string("fair"));
    }

    void claimIsCalledFalse()
    {
        const Json r = run("amdahl");
        QCOMPARE(r["results"]["peak"]["dense_exceeds_claim"].get<bool>(), false);
        QCOMPARE(r["results"]["peak"]["sparse_exceeds_claim"].get<bool>(), true);
        QVERIFY(r["notes"].dump().find("false for dense") != std::string::npos);
    }

    void checkpointStates()
    {
        const auto statement = run("checkpoint")["results"]["statements"][0].get<std::string>();
        QVERIFY2(statement.find("intervals of 2 h to 4 h suit jobs up to about 1,300 GPUs") != std::string::npos, statement.c_str());
    }

    void modelsMayBeChanged()
    {
        const Json mixture = run("training-volume", {{"model", {{"preset", "moe-1.8t"}}}, {"parallelism", {{"expert", 16}}}});
        QVERIFY(mixture["results"]["volumes"]["expert_alltoalls"].get<int>() > 0);
        const Json small = run("training-volume", {{"model", {{"layers", 48}}}});
        QNEAR(small["results"]["parameters"]["total"].get<double>(), 87.6e9, 0.01);
    }

    void errorsNameLineAndKey_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("where");
        const auto row = [](const char* name, const char* text, const char* where) { QTest::newRow(name) << QByteArray(text) << QByteArray(where); };
        row("not JSON", "{\n\"analysis\" 3}", "f.json:2");
        row("no object", "[]", "f.json: scenario");
        row("no kind", "{}", "f.json: workload");
        row("two kinds", "{\"analysis\": \"pxn\", \"workload\": \"permutation\"}", "f.json:1: analysis");
        row("analysis as workload", "{\"workload\": \"pxn\"}", "f.json:1: workload");
        row("no design", "{\"workload\": \"permutation\"}", "f.json");
        row("selection", "{\"workload\": \"permutation\",\n\"pods\": \"some\"}", "f.json:2: pods");
        row("design template", "{\"workload\": \"permutation\", \"design\": {\n\"template\": \"none\"}}", "f.json:2: design.template");
        row("unknown analysis", "{\"analysis\": \"magic\"}", "f.json:1: analysis");
        row("schema", "{\"analysis\": \"amdahl\",\n \"schema\": \"other/1\"}", "f.json:2: schema");
        row("workload unknown", "{\"workload\": \"magic\"}", "f.json:1: workload");
        row("misspelled key", "{\"workload\": \"permutation\", \"sede\": 1}", "f.json:1: sede");
        row("negative bytes", "{\"workload\": \"permutation\", \"bytes\": -1}", "f.json:1: bytes");
        row("segment 0", "{\"workload\": \"permutation\", \"segments\": [0]}", "f.json:1: segments[0]");
        row("path selection", "{\"workload\": \"permutation\",\n\"path_selection\": \"magic\"}", "f.json:2: path_selection");
        row("unknown key", "{\"analysis\": \"goodput\",\n\n \"gpu\": 5}", "f.json:3: gpu");
        row("wrong type", "{\"analysis\": \"goodput\", \"gpus\": \"many\"}", "f.json:1: gpus");
        row("not whole", "{\"analysis\": \"goodput\", \"failures\": 2000.5}", "f.json:1: failures");
        row("out of range", "{\"analysis\": \"goodput\",\n\"recall\": 1.5}", "f.json:2: recall");
        row("nested", "{\"analysis\": \"priority\", \"jobs\": [\n{\"gpus\": 8},\n{\"name\": \"x\",\n \"gpus\": -1}]}", "f.json:4: jobs[1].gpus");
        row("entry", "{\"analysis\": \"pxn\", \"bytes_per_pair\": [1,\n2,\n\"x\"]}", "f.json:3: bytes_per_pair[2]");
        row("empty list", "{\"analysis\": \"pxn\", \"bytes_per_pair\": []}", "f.json:1: bytes_per_pair");
        row("choice", "{\"analysis\": \"collective\", \"algorithm\": \"magic\"}", "f.json:1: algorithm");
        row("twice", "{\"analysis\": \"goodput\", \"gpus\": 1,\n\"gpus\": 2}", "f.json:1: gpus");
        row("together", "{\"analysis\": \"goodput\",\n\"drain_s\": 5}", "f.json:2: drain_s");
        row("link not there", "{\"analysis\": \"priority\", \"jobs\": [{\"links\": [1]}]}", "f.json:1: jobs[0].links");
        row("sweep of nothing", "{\"analysis\": \"goodput\",\n\"sweep\": {\"parameter\": \"x\"}}", "f.json:2: sweep.values");
        row("too large a number", "{\"analysis\": \"goodput\", \"gpus\": 1e999}", "f.json");
        row("null", "{\"analysis\": \"goodput\", \"gpus\": null}", "f.json:1: gpus");
        row("without effect", "{\"analysis\": \"goodput\",\n\"precision\": 0.5}", "f.json:2: precision");
        row("parameter of the template", "{\"workload\": \"permutation\", \"design\": {\"template\": \"hpn\", \"set\": {\n\"segments\": 99}}}",
            "f.json:2: design.set.segments");
        row("constraint of the template", "{\"workload\": \"permutation\",\n\"design\": {\"template\": \"hpn\", \"set\": {\"pods\": 9}}}",
            "f.json:2: design.set.pods");
        row("cut",
            "{\"workload\": \"training\", \"design\": {\"template\": \"hpn\", \"set\": {\"segments\": 1, \"networks\": \"backend\"}},\n\"tensor\": "
            "7}",
            "f.json:2: tensor");
        row("swept cut",
            "{\"workload\": \"training\", \"design\": {\"template\": \"hpn\", \"set\": {\"segments\": 1, \"networks\": \"backend\"}},\n\"sweep\": "
            "{\"parameter\": \"tensor\", \"values\": [8,\n7]}}",
            "f.json:3: sweep.values[1] (tensor = 7)");
        row("swept design",
            "{\"workload\": \"permutation\", \"design\": {\"template\": \"hpn\", \"set\": {\"segments\": 1, \"networks\": \"backend\"}},\n\"sweep\": "
            "{\"parameter\": \"design.segments\", \"values\": [1,\n99]}}",
            "f.json:3: sweep.values[1] (design.segments = 99)");
        row("dense model",
            "{\"workload\": \"training\", \"design\": {\"template\": \"hpn\", \"set\": {\"segments\": 1, \"networks\": "
            "\"backend\"}},\n\"expert_alltoall\": \"direct\"}",
            "f.json:2: expert_alltoall");
    }
    void errorsNameLineAndKey()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, where);
        const auto r = runText(text.toStdString());
        QVERIFY(!r.has_value());
        QCOMPARE(QByteArray::fromStdString(r.error().where), where);
        QVERIFY(!r.error().todo.empty());
    }

    void unknownNameIsUsage()
    {
        QCOMPARE(runKind("magic", {}, Json::object()).error().code, ErrorCode::Usage);
        QCOMPARE(runKind("permutation", {}, Json::object()).error().code, ErrorCode::Usage);
    }
};

QTEST_APPLESS_MAIN(ScenariosTest)
#include "scenarios_test.moc"

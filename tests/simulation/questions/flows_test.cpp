// SPDX-License-Identifier: GPL-3.0-or-later
#include <QObject> // before the others: moc cannot read <concepts> as the very first one

#include "core/derived/figures/figures.h"
#include "core/derived/impact/study.h"
#include "core/design/template/template.h"
#include "core/foundation/catalog/entity.h"
#include "simulation/fabric/hottest_links.h"
#include "simulation/questions/cut_off.h"
#include "simulation/questions/flow_run.h"
#include "simulation/questions/flow_traffic.h"
#include "simulation/questions/link_name.h"
#include "simulation/questions/scenario_kind.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <functional>
#include <map>
#include <set>

using namespace hw;
using namespace hw::sim;

namespace {

SnapshotPtr design(const char* name, const ParameterValues& values)
{
    static const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
    const auto loaded = Template::load(std::string(HW_RESOURCES "/templates/") + name + ".yaml");
    return *instantiate(*loaded, values, *catalog);
}

FlowQuestion question(Workload workload, std::vector<int> segments = {})
{
    FlowQuestion s;
    s.workload = workload;
    s.segments = std::move(segments);
    return s;
}

} // namespace

class FlowsTest : public QObject {
    Q_OBJECT
private slots:
    /// Within an HPN segment a rail ring stays under one ToR: every flow at 200 Gb/s, nothing on the aggregation
    /// links, 2 (n - 1) / n x S over 2 x 25 GB/s (SOURCES S4, CHECKS P8).
    void ringWithinASegmentStaysUnderTheToR()
    {
        const auto s = design("hpn", {{"segments", 2}});
        const auto result = askFlows(*s, question(Workload::RingAllReduce, {1}));
        QVERIFY(result.has_value());
        const FlowResult& r = **result;
        QCOMPARE(r.flows.size(), std::size_t(128 * 8 * 2));
        QVERIFY(r.certificateOk);
        for (const auto& flow : r.flows) QCOMPARE(flow.rateGbps, 200.0);
        QVERIFY(std::abs(r.completionS - 2.0 * 127 / 128 * 1e9 / 50e9) < 1e-12);
        for (std::uint32_t l = 0; l < r.loadGbps.size(); ++l)
            if (r.loadGbps[l] > 0) QVERIFY(s->ports.rate[s->links.from[LinkId(l / 2)]] == Gbps(200));
    }

    /// The frontend: all GPUs of a host share its NIC, whose ports carry what they send and no more.
    void frontendNicIsShared()
    {
        const auto s = design("hpn", {{"segments", 1}});
        FlowQuestion ask = question(Workload::Permutation);
        ask.network = "frontend";
        const auto result = askFlows(*s, ask);
        QVERIFY2(result.has_value(), result ? "" : result.error().text().c_str());
        const FlowResult& r = **result;
        QVERIFY(r.certificateOk);
        QCOMPARE(r.unreachable, std::size_t(0));
        double bytes = 0;
        std::map<std::uint32_t, double> sent; // by host
        for (const auto& flow : r.flows) bytes += flow.bytes, sent[flow.source.value] += flow.rateGbps;
        QVERIFY(bytes > 1e9 * 1000 && bytes <= 1e9 * 1024); // pairs inside a host send nothing
        for (const auto& [host, gbps] : sent) QVERIFY(gbps <= 400 * (1 + 1e-9));
    }

    /// What has failed before: of HPN one ToR leaves the cards of its rail one port of two, a host less makes a shorter ring, and what stands
    /// in the scenario is all that it takes to have the same answer again.
    void startsAfterAFailure()
    {
        const auto s = design("hpn", {{"segments", 2}});
        const ScenarioDesign given{s, *ProjectParts::of(s->partTypes)};
        const auto ask = [&](const char* failed) {
            Json p = Json::parse(R"({"segments": [1]})");
            if (*failed) p["failed"] = Json::parse(failed);
            return runKind("ring-allreduce", given, p);
        };
        const auto seconds = [](double hosts, double bytesPerS) { return 2 * (hosts - 1) / hosts * 1e9 / bytesPerS; };
        const auto completion = [&](const Result<ScenarioOutcome>& r) { return r->flows->completionS; };
        const auto tor = ask(R"(["pod1-seg01-tor-rail1-plane1"])");
        QVERIFY2(tor.has_value(), tor ? "" : tor.error().text().c_str());
        QVERIFY(std::abs(completion(tor) - seconds(128, 25e9)) < 1e-12);
        QCOMPARE(tor->results["lost_before"]["hosts"].get<int>(), 0);
        std::size_t slow = 0, dead = 0;
        std::map<std::pair<std::uint32_t, int>, double> nics;
        for (const auto& f : tor->flows->flows) nics[{f.source.value, f.rail}] += f.rateGbps;
        for (const auto& [nic, rate] : nics) {
            slow += rate < 399;
            QVERIFY(std::abs(rate - (nic.second == 0 ? 200 : 400)) < 1e-9);
        }
        QCOMPARE(slow, std::size_t(128));
        std::size_t own = 0; // links of the ToR in this network
        s->links.forEach([&](LinkId id) {
            for (const PortId port : {s->links.from[id], s->links.to[id]})
                own += s->devices.name[s->ports.device[port]] == "pod1-seg01-tor-rail1-plane1" && s->ports.network[port] &&
                       s->networks.key[*s->ports.network[port]] == "backend";
        });
        const auto whole = ask("");
        for (std::size_t l = 0; l < tor->flows->capacityGbps.size(); ++l)
            dead += tor->flows->capacityGbps[l] == 0 && whole->flows->capacityGbps[l] > 0;
        QVERIFY(own > 128);
        QCOMPARE(dead, 2 * own);
        const auto host = ask(R"(["pod1-seg01-host007"])");
        QVERIFY(std::abs(completion(host) - seconds(127, 50e9)) < 1e-12);
        QCOMPARE(host->results["lost_before"]["hosts"].get<int>(), 1);
        QCOMPARE(host->results["lost_before"]["gpus"].get<int>(), 8);
        for (const auto& f : host->flows->flows) QVERIFY(s->devices.name[f.source] != "pod1-seg01-host007");
        // Two sides: one busway leaves all hosts their power.
        std::string over; // the row of the first host
        s->devices.forEach([&](DeviceId id) {
            if (s->devices.name[id] == "pod1-seg01-host001") over = s->rows.name[s->racks.row[*s->devices.rack[id]]] + "-busway";
        });
        const auto busway = ask(("[\"" + over + "1\"]").c_str());
        QVERIFY2(busway.has_value(), busway ? "" : busway.error().text().c_str());
        QCOMPARE(completion(busway), completion(whole));
        const auto both = ask(("[\"" + over + "1\", \"" + over + "2\"]").c_str());
        QVERIFY2(both.has_value(), both ? "" : both.error().text().c_str());
        QVERIFY(both->results["lost_before"]["hosts"].get<int>() > 8);
        QCOMPARE(ask(R"(["no such thing"])").error().where, std::string("failed[0]"));
        QCOMPARE(ask(R"(["pod1"])").error().where, std::string("failed")); // the whole building
    }

    /// The training model starts from the same state.
    void trainingStartsAfterAFailure()
    {
        const auto s = design("hpn", {{"segments", 2}});
        const ScenarioDesign given{s, *ProjectParts::of(s->partTypes)};
        const auto ask = [&](const Json& p) { return runKind("training", given, p); };
        const auto whole = ask(Json::object()), lost = ask(Json{{"failed", {"pod1-seg01-tor-rail1-plane1", "pod1-seg01-host007"}}});
        QVERIFY2(lost.has_value(), lost ? "" : lost.error().text().c_str());
        QVERIFY(lost->results["iteration_s"].get<double>() > 0);
        QVERIFY(lost->results["gpus"].get<int>() < whole->results["gpus"].get<int>()); // a host less, in whole replicas
        QVERIFY(lost->results.dump() != whole->results.dump());
    }

    /// Studies, too: without one ToR the cards of its rail have 200 of 400 Gb/s, and the loss of its partner leaves them none.
    void studiesStartAfterAFailure()
    {
        const auto s = design("hpn", {{"segments", 2}, {"pods", 2}});
        const ScenarioDesign given{s, *ProjectParts::of(s->partTypes)};
        const Json tor = Json::array({"pod1-seg01-tor-rail1-plane1"});
        const auto ask = [&](const char* kind, Json p, bool failed) {
            if (failed) p["failed"] = tor;
            const auto r = runKind(kind, given, p);
            return r ? r->results : Json{{"refused", r.error().where}, {"why", words(r.error().what)}};
        };
        const auto near = [](const Json& value, double expected) { return value.is_number() && std::abs(value.get<double>() - expected) < 1e-6; };
        const Json few = {{"seeds", 5}, {"connections", Json::array({2})}};
        const Json wholePlanes = ask("dual-plane", few, false), planes = ask("dual-plane", few, true);
        QVERIFY2(near(wholePlanes["as_designed"][0]["max_min_gbps"], 400), wholePlanes.dump().c_str());
        QVERIFY2(near(planes["as_designed"][0]["max_min_gbps"], 200), planes.dump().c_str());
        QCOMPARE(planes["lost_before"]["hosts"].get<int>(), 0);
        const Json rails = {{"hosts", 64}, {"seeds", 5}};
        const Json wholeRails = ask("rail-locality", rails, false), lessRails = ask("rail-locality", rails, true);
        QVERIFY2(near(wholeRails["ring"]["slowest_nic_gbps"], 400), wholeRails.dump().c_str());
        QVERIFY2(near(lessRails["ring"]["slowest_nic_gbps"], 200), lessRails.dump().c_str());
        const Json wholePods = ask("cross-pod", Json::object(), false), lessPods = ask("cross-pod", Json::object(), true);
        QVERIFY2(!lessPods.contains("refused") && !wholePods.contains("refused"), lessPods.dump().c_str());
        for (const int ring : {1, 2}) { // it waits for the card that is left with one port
            const double ratio = lessPods["cases"][ring]["free_seconds"].get<double>() / wholePods["cases"][ring]["free_seconds"].get<double>();
            QVERIFY2(std::abs(ratio - 2) < 1e-9, qPrintable(QString::number(ratio)));
        }
        const Json partner = {{"fault", "tor"}, {"device", "pod1-seg01-tor-rail1-plane2"}, {"down_s", 0}};
        const Json first = ask("failure", partner, false), second = ask("failure", partner, true);
        QVERIFY2(!second.contains("refused"), second.dump().c_str());
        QCOMPARE(first["nics_halved"].get<int>(), 128);
        QCOMPARE(first["nics_stopped"].get<int>(), 0);
        QCOMPARE(second["nics_stopped"].get<int>(), 128);
        QVERIFY(first["job_continues"].get<bool>() && !second["job_continues"].get<bool>());
        const Json gone = {{"fault", "tor"}, {"device", "pod1-seg01-tor-rail1-plane1"}};
        QCOMPARE(ask("failure", gone, true)["refused"].get<std::string>(), std::string("device")); // it is lost already
        const Json silent = ask("silent-fault", {{"draws", 20}}, true);
        QVERIFY2(near(silent["nic_gbps"], 200) && near(silent["equal_ways"], 60), silent.dump().c_str());
        const Json wholeJob = ask("training-failure", Json::object(), false), lessJob = ask("training-failure", {{"port", 2}}, true);
        QCOMPARE(ask("training-failure", Json::object(), true)["refused"].get<std::string>(), std::string("port")); // the first is lost already
        QVERIFY2(!lessJob.contains("refused"), lessJob.dump().c_str());
        QVERIFY(lessJob["iteration_s"]["before"].get<double>() >= wholeJob["iteration_s"]["before"].get<double>());
        QVERIFY(ask("core-hash", {{"seeds", 5}}, true)["lost_before"].is_object());
        for (const char* kind : {"dual-plane", "failure", "silent-fault", "cross-pod", "rail-locality", "core-hash", "training-failure"}) {
            Json p = Json::object();
            p["failed"] = Json::array({"object not found"});
            const auto none = runKind(kind, given, p);
            QVERIFY(!none);
            QCOMPARE(none.error().where, std::string("failed[0]"));
        }
        QCOMPARE(ask("design-goodput", Json::object(), true)["refused"].get<std::string>(), std::string("failed")); // it draws failures itself
    }

    /// One port of a NIC lost: impact, a failure under a ring, a fault under a training job and flows that start without it count the same losses,
    /// and leave the NIC the same bandwidth. A NIC with one port has none left: then nothing goes on.
    void onePortLost_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("host");
        QTest::addColumn<QString>("port");
        QTest::addColumn<int>("ports");
        QTest::newRow("two planes") << "hpn"
                                    << "pod1-seg01-host001"
                                    << "nic1p1" << 2;
        QTest::newRow("two ToRs") << "dcn-plus"
                                  << "pod01-seg1-host01"
                                  << "nic1p1" << 2;
        QTest::newRow("one port") << "rail-optimized-2"
                                  << "su01-host001"
                                  << "nic1" << 1;
    }

    void onePortLost()
    {
        QFETCH(QString, name);
        QFETCH(QString, host);
        QFETCH(QString, port);
        QFETCH(int, ports);
        const bool dual = ports == 2;
        ParameterValues values{{"segments", 2}};
        if (name == "dcn-plus") values["pods"] = 1;
        const auto s = design(name.toStdString().c_str(), values);
        const ScenarioDesign given{s, *ProjectParts::of(s->partTypes)};
        const std::string lost = (host + ":" + port).toStdString();
        const auto model = impact::Model::of(computeFigures(s).value()).value();
        const impact::Loss loss = impact::Study(model).lose(std::vector{impact::findFailing(*model, lost).value()}).loss;
        QCOMPARE(loss.nicsHalf.active, dual ? 1 : 0);
        QCOMPARE(loss.nicsLost.active, dual ? 0 : 1);
        QCOMPARE(loss.gpusDegraded.active, 1);
        QCOMPARE(loss.gpusLost.active, 0); // seven NICs are left to its host
        const Json counts = {{"gpus_lost", 0},
                             {"gpus_degraded", 1},
                             {"hosts_lost", 0},
                             {"ports_lost", loss.portsLost.active},
                             {"nics_lost", loss.nicsLost.active},
                             {"nics_half", loss.nicsHalf.active}};
        const double left = dual ? 0.5 : 0; // of the NIC
        const auto near = [](const Json& value, double expected) { return value.is_number() && std::abs(value.get<double>() - expected) < 1e-6; };

        const auto failure = runKind("failure", given, {{"device", lost}, {"fault", "port"}, {"down_s", 0}});
        QVERIFY2(failure.has_value(), failure ? "" : failure.error().text().c_str());
        QVERIFY2(failure->results["lost"] == counts, failure->results["lost"].dump().c_str());
        QVERIFY(near(failure->results["degraded"]["nic_gbps"], left * failure->results["before"]["nic_gbps"].get<double>()));
        QCOMPARE(failure->results["job_continues"].get<bool>(), dual);

        const auto training = runKind("training-failure", given, {{"fault", "access-link"}, {"down_s", 0}, {"gpus", 256}});
        QVERIFY2(training.has_value(), training ? "" : training.error().text().c_str());
        QVERIFY2(training->results["lost"] == counts, training->results["lost"].dump().c_str());
        for (const Json& phase : training->results["phases"]) // the gradients of a rail wait for this NIC
            if (phase["phase"] == "gradient")
                QVERIFY2(dual ? near(phase["slow_down"], 1 / left) : phase["slow_down"].is_null(), phase.dump().c_str());
        QCOMPARE(training->results["job_lost"].get<bool>(), !dual);

        const Json one = {{"segments", {1}}};
        Json without = one;
        without["failed"] = Json::array({lost});
        const auto whole = runKind("ring-allreduce", given, one), flows = runKind("ring-allreduce", given, without);
        QVERIFY2(flows.has_value(), flows ? "" : flows.error().text().c_str());
        Json before = flows->results["lost_before"];
        for (const char* key : {"hosts", "gpus", "links"}) before.erase(key);
        QVERIFY2(before == counts, before.dump().c_str());
        QCOMPARE(flows->results.contains("cut_off"), !dual);
        double rate = 0;
        for (const auto& flow : flows->flows->flows)
            if (s->devices.name[flow.source] == host.toStdString() && flow.rail == 0) rate += flow.rateGbps;
        QVERIFY(near(rate, left * 400));
        if (name == "hpn") QVERIFY(near(flows->results["completion_s"].get<double>() / whole->results["completion_s"].get<double>(), 2));
    }

    /// What a failure cuts off is named, whatever the question; nobody prints a rate of 0 or a time without end.
    void whatIsCutOffIsNamed_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("more");
        for (const auto& [kind, more] : {std::pair("ring-allreduce", "{}"),
                                         {"permutation", "{}"},
                                         {"training", R"({"gpus": 512})"},
                                         {"scaling", R"({"sizes": [512, 1024]})"},
                                         {"bandwidth", R"({"hosts": [2, 8], "bytes": [1e6]})"},
                                         {"job-mix", R"({"jobs": 20})"},
                                         {"jobs", R"({"jobs": [{"gpus": 64}, {"gpus": 64}]})"},
                                         {"training-failure", R"({"gpus": 512})"},
                                         {"dual-plane", R"({"seeds": 2})"},
                                         {"failure", "{}"},
                                         {"silent-fault", R"({"draws": 10})"},
                                         {"rail-locality", R"({"seeds": 2})"},
                                         {"aicb", "{}"}})
            QTest::newRow(kind) << kind << more;
    }

    void whatIsCutOffIsNamed()
    {
        QFETCH(QString, kind);
        QFETCH(QString, more);
        static const auto s = design("rail-optimized-2", {{"segments", 4}});
        const ScenarioDesign given{s, *ProjectParts::of(s->partTypes)};
        QTemporaryDir folder;
        Json p = Json::parse(more.toStdString());
        p["failed"] = Json::array({"su01-leaf-rail1"});
        if (kind == "aicb") {
            QFile file(folder.filePath("all-reduce.txt"));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: 64 checkpoints: 0 "
                       "checkpoint_initiates: 0\n1\ngrad -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 1073741824 1\n");
            p["file"] = file.fileName().toStdString();
        }
        const auto r = runKind(kind.toStdString(), given, p);
        const std::string named = "rail 1 of unit 1 is cut off";
        if (!r) {
            QCOMPARE(r.error().code, ErrorCode::Refused);
            QCOMPARE(words(r.error().what), named);
            return;
        }
        const Json results = Json::parse(r->results.dump());
        QCOMPARE(results["cut_off"].get<std::string>(), named);
        QVERIFY(results["unreachable_flows"].get<int>() > 0);
        QCOMPARE(cutOffOf({{"results", results}}), named);
        QCOMPARE(cutOffOf({{"sweep", {{"points", {{{"results", Json::object()}}, {{"results", results}}}}}}}), named);
        std::function<void(const Json&, const std::string&)> look = [&](const Json& value, const std::string& key) {
            if (value.is_structured())
                for (const auto& [name, inner] : value.items()) look(inner, value.is_object() ? name : key);
            const bool rate = key.ends_with("bytes_per_s") || key == "tokens_per_s" || key == "mfu";
            if (rate && value.is_number()) QVERIFY2(value.get<double>() > 0, key.c_str());
        };
        for (const auto& [name, value] : results.items())
            if (value.is_structured()) look(value, name);
        QVERIFY(!results.contains("tokens_per_s") || results["tokens_per_s"].is_null());
    }

    /// What a group is called: all of a pod, a rail, a unit, a rail of a unit, hosts, NICs.
    void cutOffGroups()
    {
        const auto s = design("rail-optimized-3", {{"pods", 2}, {"segments", 2}});
        const ScenarioDesign given{s, *ProjectParts::of(s->partTypes)};
        const auto named = [&](const std::vector<std::string>& failed) {
            const auto r = runKind("ring-allreduce", given, {{"failed", failed}});
            return r ? r->results.value("cut_off", std::string()) : r.error().text();
        };
        QCOMPARE(named({"pod01-su1-leaf-rail1"}), std::string("rail 1 of unit 1 of pod 1 is cut off"));
        QCOMPARE(named({"pod01-su1-leaf-rail1", "pod02-su2-leaf-rail3"}),
                 std::string("rail 1 of unit 1 of pod 1, rail 3 of unit 2 of pod 2 are cut off"));
        QCOMPARE(named({"pod01-su1-host001:nic2"}), std::string("NIC 2 of pod01-su1-host001 is cut off"));
        QCOMPARE(named({"pod01-su1-host001"}), std::string()); // a host that is gone takes no part
    }

    /// Connections of a pair of NICs that are chosen to be disjoint share no link between switches; where there is but one the choice is refused.
    void disjointConnectionsShareNoLink()
    {
        for (const auto& [name, values, perPort] : {std::tuple<const char*, ParameterValues, int>{"dcn-plus", {{"pods", 1}}, 2},
                                                    {"fat-tree-2", {}, 4},
                                                    {"rail-optimized-3", {{"pods", 2}, {"segments", 2}}, 4},
                                                    {"hpn", {{"segments", 2}}, 3}}) {
            const auto s = design(name, values);
            FlowQuestion asked = question(Workload::Permutation);
            asked.selection = PathSelection::Disjoint;
            asked.flowsPerPort = perPort;
            const auto result = askFlows(*s, asked);
            QVERIFY2(result.has_value(), result ? "" : result.error().text().c_str());
            const FlowResult& r = **result;
            std::map<std::tuple<std::uint32_t, std::uint32_t, int>, std::set<std::uint32_t>> used;
            std::size_t between = 0;
            for (std::size_t f = 0; f < r.flows.size(); ++f)
                for (auto i = r.flowLinkOffset[f] + 1; i + 1 < r.flowLinkOffset[f + 1]; ++i, ++between) {
                    auto& links = used[std::tuple(r.flows[f].source.value, r.flows[f].destination.value, int(r.flows[f].rail))];
                    QVERIFY2(links.insert(r.flowLinks[i]).second, name);
                }
            QVERIFY(between > 0);
        }
        const auto s = design("fat-tree-2", {});
        FlowQuestion asked = question(Workload::Permutation);
        asked.selection = PathSelection::Disjoint;
        const auto alone = askFlows(*s, asked);
        QVERIFY(!alone && alone.error().code == ErrorCode::Refused && alone.error().where == "path_selection");
        const ScenarioDesign given{s, *ProjectParts::of(s->partTypes)};
        const auto job = runKind("training", given, {{"gpus", 512}, {"routing", "disjoint"}});
        QVERIFY(!job && job.error().where == "routing");
    }

    /// A storage tier that is not there is named as such.
    void unknownStorageTier()
    {
        const auto s = design("hpn", {{"segments", 1}});
        const auto r = runKind("design-goodput", {s, *ProjectParts::of(s->partTypes)}, {{"storage_tier", "attic"}});
        QVERIFY(!r && r.error().code == ErrorCode::Refused && r.error().where == "storage_tier");
        QVERIFY2(words(r.error().what).find("attic") != std::string::npos && words(r.error().todo).find("hot_node") != std::string::npos,
                 r.error().text().c_str());
    }

    /// 16 replicas of 2.45 TB: where the storage is the limit, eight hosts that read and pass on are faster than all; where the
    /// links are, all hosts are.
    void fewReadersWinAtASlowStorage()
    {
        const auto s = design("hpn", {{"segments", 1}});
        const ScenarioDesign given{s, *ProjectParts::of(s->partTypes)};
        const auto restore = [&](Json more) {
            Json p = {{"dump_gbytes_per_gpu", 0}, {"failures", 2000}};
            p.update(more);
            const auto r = runKind("design-goodput", given, p);
            return r ? std::pair(r->results["checkpoint"]["restore_s"].get<double>(), r->results["checkpoint"]["read_bytes"].get<double>())
                     : std::pair(-1.0, -1.0);
        };
        const auto near = [](double value, double expected) { return std::abs(value / expected - 1) < 1e-3; };
        const auto all = restore({{"replicas", 16}, {"storage_gbytes_per_s", 100}});
        const auto few = restore({{"readers", 8}, {"storage_gbytes_per_s", 100}});
        QVERIFY2(near(all.first, 392) && near(all.second, 39.2e12), qPrintable(QString("%1 s, %2 bytes").arg(all.first).arg(all.second)));
        QVERIFY2(near(few.first, 24.5 + 6.125) && near(few.second, 2.45e12), qPrintable(QString("%1 s, %2 bytes").arg(few.first).arg(few.second)));
        const auto fast = restore({{"replicas", 16}}), one = restore({{"readers", 1}});
        QVERIFY2(near(fast.first, 39.2e12 / (6.4e12 * 0.8)) && one.first > 49, qPrintable(QString("%1 s, %2 s").arg(fast.first).arg(one.first)));
        QCOMPARE(restore({{"replicas", 1}}), restore(Json::object()));
        const auto refused = runKind("design-goodput", given, {{"dump_gbytes_per_gpu", 0}, {"replicas", 2000}});
        QVERIFY(!refused && refused.error().where == "replicas");
    }

    /// No flow leaves its rail or its plane, and each crosses 2 links inside a segment or 4 between segments.
    void waysKeepToRailAndPlane()
    {
        const auto s = design("hpn", {{"segments", 3}});
        const auto result = askFlows(*s, question(Workload::RingAllReduce));
        QVERIFY(result.has_value());
        const FlowResult& r = **result;
        for (std::uint32_t f = 0; f < r.flows.size(); ++f) {
            const auto hops = r.flowLinkOffset[f + 1] - r.flowLinkOffset[f];
            const bool same = s->devices.segment[r.flows[f].source] == s->devices.segment[r.flows[f].destination];
            QCOMPARE(hops, same ? 2u : 4u);
            for (auto i = r.flowLinkOffset[f]; i < r.flowLinkOffset[f + 1]; ++i) {
                const LinkId link(r.flowLinks[i] / 2);
                const DeviceId upper = s->ports.device[s->links.to[link]];
                QCOMPARE(s->devices.plane[upper], r.flows[f].plane);
                if (s->devices.rail[upper] >= 0) QCOMPARE(s->devices.rail[upper], r.flows[f].rail);
            }
        }
    }

    /// Every way is connected: each link starts where the one before ended.
    void waysAreConnected()
    {
        const auto s = design("dcn-plus", {{"pods", 3}});
        const auto result = askFlows(*s, question(Workload::Permutation));
        QVERIFY(result.has_value());
        const FlowResult& r = **result;
        QVERIFY(r.certificateOk);
        const auto end = [&](std::uint32_t directed, bool tail) {
            const LinkId link(directed / 2);
            return s->ports.device[((directed % 2 == 0) == tail) ? s->links.to[link] : s->links.from[link]];
        };
        for (std::uint32_t f = 0; f < r.flows.size(); ++f) {
            DeviceId at = r.flows[f].source;
            for (auto i = r.flowLinkOffset[f]; i < r.flowLinkOffset[f + 1]; ++i) {
                QCOMPARE(end(r.flowLinks[i], false), at);
                at = end(r.flowLinks[i], true);
            }
            QCOMPARE(at, r.flows[f].destination);
        }
    }

    void loadsAreTheSumsOfTheirFlows()
    {
        const auto s = design("hpn", {{"segments", 2}, {"tor_uplinks", 20}});
        const auto result = askFlows(*s, question(Workload::Permutation));
        const FlowResult& r = **result;
        std::vector<double> load(r.loadGbps.size(), 0.0);
        for (std::uint32_t f = 0; f < r.flows.size(); ++f)
            for (auto i = r.flowLinkOffset[f]; i < r.flowLinkOffset[f + 1]; ++i) load[r.flowLinks[i]] += r.flows[f].rateGbps;
        for (std::size_t l = 0; l < load.size(); ++l) {
            QVERIFY(std::abs(load[l] - double(r.loadGbps[l])) < 1e-3);
            QVERIFY(load[l] <= double(r.capacityGbps[l]) * (1 + 1e-9));
        }
        QVERIFY(!r.hottest.empty());
        QVERIFY(r.hottest.front().utilization >= r.hottest.back().utilization - 1e-6);
    }

    void sameSeedSameResultOtherSeedOther()
    {
        const auto s = design("hpn", {{"segments", 2}});
        FlowQuestion a = question(Workload::Permutation), b = a;
        b.seed = 2;
        const auto first = *askFlows(*s, a), again = *askFlows(*s, a), other = *askFlows(*s, b);
        QVERIFY(first->loadGbps == again->loadGbps);
        QVERIFY(first->loadGbps != other->loadGbps);
    }

    void permutationSendsOnceAndReceivesOnce()
    {
        const auto s = design("hpn", {{"segments", 1}});
        const auto servers = *chosenServers(*s, question(Workload::Permutation));
        std::set<std::pair<std::uint32_t, int>> to;
        for (const auto& t : transfersOf(question(Workload::Permutation), servers, 8)) {
            QVERIFY(t.source != t.destination);
            QVERIFY(to.insert({t.destination.value, t.destinationGpu}).second);
        }
    }

    void refusesWhatIsNotThere()
    {
        const auto s = design("hpn", {{"segments", 2}});
        QCOMPARE(askFlows(*s, question(Workload::RingAllReduce, {3})).error().code, ErrorCode::Refused);
        FlowQuestion elsewhere = question(Workload::RingAllReduce);
        elsewhere.network = "nowhere";
        QCOMPARE(askFlows(*s, elsewhere).error().where, std::string("network"));
    }

    void stops()
    {
        const auto s = design("hpn", {{"segments", 2}});
        std::stop_source source;
        source.request_stop();
        QCOMPARE(askFlows(*s, question(Workload::Permutation), Progress{source.get_token(), {}}).error().code, ErrorCode::Canceled);
    }

    /// A link is named by its ends, with either dash, as devices or ports, in either order, or by a port or its cable.
    void linksByName()
    {
        const auto s = design("hpn", {{"segments", 2}});
        const auto parts = *ProjectParts::of(s->partTypes);
        std::optional<LinkId> between; // two switches
        s->links.forEach([&](LinkId l) {
            const auto tierOf = [&](PortId port) { return s->tiers.kind[s->devices.tier[s->ports.device[port]]]; };
            const PortId a = s->links.from[l], b = s->links.to[l];
            if (!between && s->ports.medium[a] == Medium::Data && tierOf(a) == TierKind::Switch && tierOf(b) == TierKind::Switch) between = l;
        });
        QVERIFY(between.has_value());
        const PortId from = s->links.from[*between], to = s->links.to[*between];
        const std::string a = entityName(*s, *parts, ref(from)), b = entityName(*s, *parts, ref(to));
        const std::string deviceA = s->devices.name[s->ports.device[from]], deviceB = s->devices.name[s->ports.device[to]];
        const std::vector<LinkId> one{*between};
        for (const std::string& text : {entityName(*s, *parts, ref(*between)), a + " - " + b, b + " – " + a, a, b, a + " - " + deviceB,
                                        entityName(*s, *parts, ref(CableId(*s->links.cable[*between])))}) {
            const auto found = linksNamed(*s, *parts, text);
            QVERIFY2(found.has_value(), text.c_str());
            QVERIFY2(*found == one, text.c_str());
        }
        std::size_t joined = 0;
        s->links.forEach([&](LinkId l) {
            const DeviceId x = s->ports.device[s->links.from[l]], y = s->ports.device[s->links.to[l]];
            joined += x == s->ports.device[from] && y == s->ports.device[to];
        });
        QCOMPARE(linksNamed(*s, *parts, deviceA + " - " + deviceB)->size(), joined);
        for (const std::string& text : {std::string("nobody - nothing"), deviceA, deviceA + " - " + deviceA, std::string()})
            QCOMPARE(linksNamed(*s, *parts, text).error().where, std::string("link"));

        const ScenarioDesign asked{s, parts};
        const Json given = {{"fault", "link"}, {"link", a + " - " + b}, {"segments", 2}, {"ring", "alternating-segments"}};
        const auto failed = runKind("failure", asked, given);
        QVERIFY2(failed.has_value(), failed ? "" : failed.error().text().c_str());
        QCOMPARE(failed->results["flows_into_dead_after_convergence"].get<int>(), 0);
        QCOMPARE(runKind("failure", asked, {{"fault", "link"}, {"link", "nobody - nothing"}}).error().where, std::string("link"));
        QCOMPARE(runKind("failure", asked, {{"fault", "port"}, {"link", a}}).error().where, std::string("link")); // would change nothing
    }

    /// The stack has one name; the older one is read and the new one told.
    void stackedHasOneName()
    {
        const auto& fields = findScenarioKind("failure")->fields;
        const auto old = readParameters({{"variant", "stacked"}}, fields), now = readParameters({{"variant", "stacked-tor"}}, fields);
        QVERIFY(old.has_value() && now.has_value());
        QCOMPARE((*old)["variant"].get<std::string>(), std::string("stacked-tor"));
        QVERIFY(*old == *now);
        QVERIFY(!readParameters({{"variant", "stack"}}, fields).has_value());
    }

    /// Links that are full but for rounding rank by the flows that share them, then by number; what carries nothing is not there.
    void hottestLinks()
    {
        FlowResult r;
        r.capacityGbps = {400, 400, 400, 400, 0, 200};
        r.loadGbps = {400, 399.99997f, 100, 0, 50, 200};
        r.flowLinkOffset = {0, 2, 4, 5};
        r.flowLinks = {0, 1, 1, 2, 5};
        rankHottest(r);
        std::vector<std::uint32_t> order;
        for (const auto& hot : r.hottest) order.push_back(hot.directedLink);
        QCOMPARE(order, (std::vector<std::uint32_t>{1, 0, 5, 2, 4}));
        QCOMPARE(r.hottest[0].flows, 2u);
        QCOMPARE(r.hottest.back().utilization, 0.0); // no capacity
        rankHottest(r, 2);
        QCOMPARE(r.hottest.size(), std::size_t(2));
    }

    /// Sprayed flows of a permutation between two segments share no uplink unevenly: every uplink of a ToR carries the same.
    void sprayingLoadsUplinksEvenly()
    {
        const auto s = design("hpn", {{"segments", 2}});
        FlowQuestion spray = question(Workload::Permutation);
        spray.selection = PathSelection::Spray;
        const auto result = askFlows(*s, spray);
        QVERIFY(result.has_value());
        const FlowResult& r = **result;
        QVERIFY(r.certificateOk);
        std::map<std::pair<std::uint32_t, bool>, std::pair<double, double>> range; // by ToR and direction: least and most
        for (std::uint32_t l = 0; l < r.loadGbps.size(); ++l) {
            const LinkId link(l / 2);
            if (r.capacityGbps[l] != 400 || l % 2) continue;
            const DeviceId from = s->ports.device[s->links.from[link]];
            if (s->devices.segment[from] < 0) continue;
            auto& [least, most] = range.try_emplace({from.value, false}, 1e9, 0.0).first->second;
            least = std::min(least, double(r.loadGbps[l])), most = std::max(most, double(r.loadGbps[l]));
        }
        QCOMPARE(range.size(), std::size_t(32));
        for (const auto& [tor, loads] : range) QVERIFY(loads.second > 0 && loads.second - loads.first < 1e-3 * loads.second);
        const auto hashed = askFlows(*s, question(Workload::Permutation));
        QVERIFY(r.meanRateGbps > (*hashed)->meanRateGbps);
    }

    /// A single plane lets flows meet at the last port; equal hash seeds and pacing never help.
    void optionsChangeTheAnswer()
    {
        const auto s = design("hpn", {{"segments", 2}});
        const auto mean = [&](auto change) {
            FlowQuestion c = question(Workload::Permutation);
            c.flowsPerPort = 2;
            change(c);
            const auto result = askFlows(*s, c);
            return result && (*result)->certificateOk ? (*result)->meanRateGbps : -1.0;
        };
        const double plain = mean([](FlowQuestion&) {});
        QVERIFY(mean([](FlowQuestion& c) { c.variant = FabricVariant::SinglePlane; }) < plain);
        QVERIFY(mean([](FlowQuestion& c) { c.rateControl = RateControl::Paced; }) < plain);
        QVERIFY(mean([](FlowQuestion& c) { c.selection = PathSelection::LeastLoad; }) > plain);
        QVERIFY(mean([](FlowQuestion& c) { c.variant = FabricVariant::SingleToR; }) > 0);
    }
};

QTEST_APPLESS_MAIN(FlowsTest)
#include "flows_test.moc"

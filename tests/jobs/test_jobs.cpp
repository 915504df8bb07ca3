// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs as their channels and logs show them, beside the plan: which rank, host, NIC or storage slows them.
#include "core/foundation/base/resources.h"
#include "core/operations/jobs/fault_location.h"
#include "core/operations/jobs/job_tap.h"
#include "importers/cluster/job_hosts.h"
#include "importers/joblogs/job_log.h"
#include "simulation/emulation/job_series.h"
#include "tests/asbuilt/built_hall.h"

#include <QTest>

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace hw;
using namespace hw::jobs;

namespace {

constexpr std::int64_t kNow = 1'767'600'000'000;

const BuiltHall& hall()
{
    static const BuiltHall built = BuiltHall::of("dcn-plus", {{"pods", "1"}, {"segments", "1"}, {"networks", "backend"}});
    return built;
}
std::vector<DeviceId> hosts()
{
    std::vector<DeviceId> out;
    hall().s().devices.forEach([&](DeviceId id) {
        if (hall().s().tiers.kind[hall().s().devices.tier[id]] == TierKind::Server) out.push_back(id);
    });
    return out;
}
std::string name(DeviceId id) { return hall().s().devices.name[id]; }

JobPlan plan()
{
    JobPlan out;
    out.name = "gpt3", out.gpus = 128, out.iterationS = 6, out.computeS = 4, out.sendS = 0.6, out.tokensPerS = 40000, out.mfu = 0.4,
    out.checkpointS = 5;
    return out;
}

/// Ten minutes of a job on all hosts, an iteration of `seconds` each; `change` what a rank says.
JobData job(double seconds, const std::function<void(int rank, double& compute, double& send, double& wait)>& change = {})
{
    JobTelemetry telemetry;
    const auto all = hosts();
    for (int minute = 0; minute < 10; ++minute) {
        const std::int64_t ms = kNow + minute * 60'000;
        telemetry.take({"gpt", JobMeasure::Iteration, -1, {}, ms, std::floor(minute * 60 / seconds)});
        telemetry.take({"gpt", JobMeasure::IterationTime, -1, {}, ms, seconds});
        telemetry.take({"gpt", JobMeasure::CheckpointTime, -1, {}, ms, 5});
        telemetry.take({"gpt", JobMeasure::TokensPerS, -1, {}, ms, 40000 * 6 / seconds});
        for (int rank = 0; rank < 8 * int(all.size()); ++rank) {
            double compute = 4 + 0.01 * (rank % 3), send = 0.6, wait = 0.02;
            if (change) change(rank, compute, send, wait);
            telemetry.take({"gpt", JobMeasure::ComputeTime, rank, name(all[std::size_t(rank / 8)]), ms, compute});
            telemetry.take({"gpt", JobMeasure::SendTime, rank, {}, ms, send});
            telemetry.take({"gpt", JobMeasure::DataWait, rank, {}, ms, wait});
        }
    }
    return telemetry.jobs().front();
}
JobState stateOf(const JobData& data, const std::vector<JobPlace>& places = {}, std::int64_t atMs = 0)
{
    return evaluateJobs(*hall().figures, {data}, places, plan(), nullptr, atMs).front();
}

/// What comes in at a tapped source.
struct Sink final : bindings::Intake {
    std::size_t channels = 0, samples = 0;
    bindings::ChannelNo channel(const bindings::ChannelText&) override { return bindings::ChannelNo(channels++); }
    void take(std::span<const bindings::Sample> some) override { samples += some.size(); }
    void gap(const bindings::Gap&) override {}
    void clock(std::int64_t) override {}
};
class OneShot final : public bindings::Source {
public:
    explicit OneShot(std::vector<std::pair<bindings::ChannelText, double>> says) : m_says(std::move(says)) {}
    [[nodiscard]] std::string name() const override { return "once"; }
    Result<void> start(bindings::Intake& intake) override
    {
        for (const auto& [text, value] : m_says) {
            const bindings::Sample sample{intake.channel(text), kNow, value, true};
            intake.take({&sample, 1});
        }
        return {};
    }
    void stop() override {}
    [[nodiscard]] bool ended() const override { return true; }
    [[nodiscard]] Text trouble() const override { return {}; }

private:
    std::vector<std::pair<bindings::ChannelText, double>> m_says;
};

Result<std::vector<JobPlace>> placesIn(const std::string& text) { return importers::readJobHosts({"h.txt", text, {}}); }

} // namespace

class TestJobs : public QObject {
    Q_OBJECT

private slots:
    void plannedOnWhatIsLeft()
    {
        JobPlan left = plan();
        left.hostsLost = 2, left.linksLost = 3, left.wholeIterationS = 5;
        const auto states = evaluateJobs(*hall().figures, {job(6)}, {}, left, nullptr);
        QVERIFY(!states.front().slow); // compared with 6 s on what is left, not with 5 s of the whole design
        const auto json = nlohmann::json::parse(jobsJson(states, *hall().figures));
        QVERIFY(json["jobs"][0]["plan"]["lost_before"] == nlohmann::json({{"hosts", 2}, {"links", 3}}));
        QVERIFY(jobsText(states).find("2 hosts, 3 links out of service (whole design: 5 s)") != std::string::npos);
    }

    void storageNodesAsEvidence()
    {
        Snapshot s(hall().s());
        const NetworkId network = s.networks.insert();
        s.networks.kind.set(network, NetworkKind::Storage);
        const TierId tier = s.tiers.insert();
        s.tiers.kind.set(tier, TierKind::Other), s.tiers.network.set(tier, network);
        const DeviceId node = s.devices.insert();
        s.devices.tier.set(node, tier), s.devices.name.set(node, "store7"), s.devices.type.set(node, s.devices.type[hosts().front()]);
        const auto figures = figuresOf(std::make_shared<const Snapshot>(s)).value();
        monitoring::Frame frame;
        frame.alarms.emplace_back();
        frame.alarms.back().kind = monitoring::AlarmKind::Cause, frame.alarms.back().cause = ref(node), frame.alarms.back().sinceMs = kNow;
        frame.alarms.back().what = i18n("{} failed", "store7");
        const auto waits = job(8, [](int, double&, double&, double& wait) { wait = 2; });
        const auto states = evaluateJobs(*figures, {waits}, {}, plan(), &frame, kNow);
        const auto cause = std::ranges::find(states.front().causes, CauseKind::Storage, &JobCause::kind);
        QVERIFY(cause != states.front().causes.end() && cause->entity == ref(node));
        QCOMPARE(cause->evidence, std::vector<std::string>{"store7 failed"});
    }

    void asPlanned()
    {
        const JobState state = stateOf(job(6));
        QVERIFY(!state.slow && !state.stalled && state.causes.empty());
        QCOMPARE(state.ranks, std::int64_t(128));
        QCOMPARE(state.hosts.size(), std::size_t(16));
        QVERIFY(std::abs(state.times.effective - 1) < 0.001 && state.times.slow < 1e-9);
        const auto json = nlohmann::json::parse(jobsJson({state}, *hall().figures));
        QVERIFY(json["schema"] == "hallwright.jobs/1" && json["jobs"][0]["plan"]["iteration_s"] == 6);
    }

    /// A slow GPU, a slow host, a NIC, a host without its data, storage, all.
    void whatSlowsIt_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<QByteArray>("kind");
        const char* kinds[] = {"gpu", "host", "link", "host-data", "storage", "all-compute", "network", "unlocated"};
        for (int which = 0; which < 8; ++which) QTest::newRow(kinds[which]) << which << QByteArray(kinds[which]);
    }
    void whatSlowsIt()
    {
        QFETCH(int, which);
        QFETCH(QByteArray, kind);
        const JobState state = stateOf(job(7.5, [&](int rank, double& compute, double& send, double& wait) {
            if (which == 0 && rank == 26) compute = 5.5;
            if (which == 1 && rank / 8 == 3) compute = 5.5;
            if (which == 2 && rank == 26) send = 2.1;
            if (which == 3 && rank / 8 == 3) wait = 0.5;
            if (which == 4) wait = 1.5;
            if (which == 5) compute *= 1.4;
            if (which == 6 && rank / 8 < 8) send = 2.1;
        }));
        QVERIFY(state.slow);
        QCOMPARE(state.slowSinceMs, kNow);
        QCOMPARE(state.causes.size(), std::size_t(1));
        const JobCause& cause = state.causes.front();
        QCOMPARE(QByteArray::fromStdString(std::string(wordOf(cause.kind))), kind);
        const std::string host = name(hosts()[3]);
        if (which <= 3) QVERIFY2(words(cause.what).find(host) != std::string::npos, words(cause.what).c_str());
        if (which == 0) QCOMPARE(cause.element, std::string("gpu2"));
        if (which == 0 || which == 2) QCOMPARE(cause.ranks, std::vector<int>{26});
        if (which == 1) QCOMPARE(cause.ranks.size(), std::size_t(8));
        if (which == 2) { // the NIC of the third GPU
            QVERIFY(cause.entity.kind == EntityKind::Port);
            QCOMPARE(entityName(hall().s(), *hall().figures->parts, cause.entity).find(host + ":nic3"), std::size_t(0));
        }
        QVERIFY(std::abs(state.times.effective - 0.8) < 0.02 && std::abs(state.times.slow - 0.2) < 0.02);
    }

    /// The job is as fast as planned, and one card is slow.
    void aSlowNicInARunningJob()
    {
        const JobState state = stateOf(job(6, [](int rank, double&, double& send, double&) { send = rank == 26 ? 0.96 : 0.6; }));
        QVERIFY(!state.slow);
        QCOMPARE(state.causes.size(), std::size_t(1));
        QVERIFY(state.causes.front().kind == CauseKind::Link && state.causes.front().ranks == std::vector<int>{26});
        QVERIFY(jobsText({state}).find("running, with deviations") != std::string::npos);
        QVERIFY(nlohmann::json::parse(jobsJson({state}, *hall().figures))["jobs"][0]["throughput_loss"] == 0.0);
        const JobState slower = stateOf(job(7.5)); // of 6 s as planned
        QVERIFY(nlohmann::json::parse(jobsJson({slower}, *hall().figures))["jobs"][0]["throughput_loss"] == 0.2);
        // Its host is to be isolated, in a list that has another one already.
        isolation::List list;
        isolation::addReason(list, *hall().figures, hosts()[7], {"lost", "cause", {}, kNow});
        addSlowHosts(list, *hall().figures, {state});
        QCOMPARE(list.nodes.size(), std::size_t(2));
        QCOMPARE(list.nodes[0].name, name(hosts()[3]));
        QCOMPARE(list.nodes[0].reasons.front().kind, std::string("job-link"));
        QVERIFY(list.nodes[0].reasons.front().evidence.front().find("rank 26") != std::string::npos);
        QVERIFY(list.nodes[0].sinceMs() > 0 && list.nodes[0].sinceMs() <= state.toMs); // its age, although the job is not slow
        // What all hosts share isolates none.
        JobState shared = state;
        shared.causes.front().kind = CauseKind::Storage;
        isolation::List none;
        addSlowHosts(none, *hall().figures, {shared});
        QVERIFY(none.nodes.empty());
    }

    /// Of a host, of a link, of nothing that is measured.
    void locatesAFault()
    {
        const JobState slow = stateOf(job(7.5, [](int rank, double& compute, double&, double&) { compute = rank == 26 ? 5.5 : 4; }));
        const DeviceId host = hosts()[3];
        PortId port{};
        hall().s().links.forEach([&](LinkId link) {
            if (hall().s().ports.device[hall().s().links.from[link]] == host) port = hall().s().links.from[link];
        });
        auto bound = std::make_shared<bindings::Bound>();
        bound->points = {{ref(port), bindings::Measure::Errors, ""}, {ref(port), bindings::Measure::LinkUp, ""}};
        monitoring::Frame frame;
        frame.values = {120, 1}, frame.bound = bound;
        monitoring::Deviation lost;
        lost.kind = monitoring::DeviationKind::PacketLoss, lost.entity = ref(port), lost.what = verbatim("loses packets");
        frame.deviations = {lost};
        const auto of = [&](EntityRef entity, const monitoring::Frame* seen = nullptr) {
            return locateFault(*hall().figures, {entity}, seen, {slow});
        };
        const auto link = [&](PortId end) {
            LinkId found{};
            hall().s().links.forEach([&](LinkId one) {
                if (hall().s().links.from[one] == end) found = one;
            });
            return ref(found);
        };
        for (const EntityRef entity : {ref(host), link(port)}) {
            const FaultLocation location = of(entity, &frame);
            QVERIFY(location.dimensions[0].excluded() && location.dimensions[0].kind == monitoring::DeviationKind::NoConnection);
            QVERIFY(!location.dimensions[1].excluded() && location.dimensions[1].found.empty()); // nothing measures it
            QCOMPARE(location.dimensions[2].found.size(), std::size_t(1));
            QVERIFY(!location.dimensions[2].excluded());
            QCOMPARE(location.causes.size(), std::size_t(entity == ref(host)));
            QCOMPARE(location.dimensions[3].found.size(), location.causes.size()); // performance, as its ranks show it
            QVERIFY(location.dimensions[3].kind == monitoring::DeviationKind::LowPerformance);
            QVERIFY(location.links >= 1);
        }
        const FaultLocation other = of(ref(hosts()[4]), &frame), unmeasured = of(ref(host));
        QVERIFY(other.causes.empty() && other.dimensions[2].found.empty() && other.dimensions[2].readings == 0);
        QCOMPARE(unmeasured.causes.size(), std::size_t(1));
        QVERIFY(of({EntityKind::Link, 0xFFFF'FF00}, &frame).links == 0); // gone
    }

    /// Between leaf and spine, where none of the hosts of a job has a port.
    void locatesLossBehindTheHostsOfAJob()
    {
        const Snapshot& s = hall().s();
        JobState job;
        job.hosts = {hosts()[3]};
        const auto equipment = equipmentOf(*hall().figures, job);
        QVERIFY(equipment.size() >= 2);
        QCOMPARE(equipment.front(), ref(hosts()[3]));
        std::optional<PortId> uplink;
        s.links.forEach([&](LinkId link) {
            for (const auto& [near, far] : {std::pair(s.links.from[link], s.links.to[link]), std::pair(s.links.to[link], s.links.from[link])})
                if (ref(s.ports.device[near]) == equipment[1] && s.tiers.kind[s.devices.tier[s.ports.device[far]]] == TierKind::Switch) uplink = near;
        });
        QVERIFY(uplink.has_value());
        auto bound = std::make_shared<bindings::Bound>();
        bound->points = {{ref(*uplink), bindings::Measure::Errors, ""}};
        monitoring::Frame frame;
        frame.values = {120}, frame.bound = bound;
        monitoring::Deviation lost;
        lost.kind = monitoring::DeviationKind::PacketLoss, lost.entity = ref(*uplink), lost.what = verbatim("loses packets");
        frame.deviations = {lost};
        QCOMPARE(locateFault(*hall().figures, equipment, &frame, {}).dimensions[2].found.size(), std::size_t(1));
        QVERIFY(locateFault(*hall().figures, {ref(hosts()[3])}, &frame, {}).dimensions[2].found.empty());
    }

    /// Its own ports are up, and what lies behind them is lost.
    void locatesALostNetwork()
    {
        const Snapshot& s = hall().s();
        const DeviceId host = hosts()[3];
        impact::NetworkLoss loss; // the links of both ToRs to their hosts but those of two
        std::size_t hostLinks = 0;
        s.links.forEach([&](LinkId link) {
            const DeviceId from = s.ports.device[s.links.from[link]], to = s.ports.device[s.links.to[link]];
            const auto ends = [&](DeviceId device) { return from == device || to == device; };
            if (s.tiers.kind[s.devices.tier[from]] == TierKind::Server || s.tiers.kind[s.devices.tier[to]] == TierKind::Server) ++hostLinks;
            if (!ends(host) && !ends(hosts()[4])) loss.links.push_back(link);
        });
        QVERIFY(hostLinks > 32);
        monitoring::Frame frame;
        monitoring::Alarm far, over;
        far.kind = over.kind = monitoring::AlarmKind::Cause, far.cause = over.cause = ref(hosts()[7]), far.what = verbatim("failed");
        over.clearedMs = kNow;
        frame.alarms = {far, over};
        const auto connection = [&](const FaultLocation& location) { return location.dimensions[0]; };
        const FaultLocation location = locateFault(*hall().figures, {ref(host)}, &frame, {}, loss);
        QCOMPARE(connection(location).found.size(), std::size_t(1));
        const std::string what = words(connection(location).found.front().second);
        QVERIFY2(what.find(fmt::format("1 of {} devices reachable", hosts().size() - 1)) != std::string::npos, what.c_str());
        QCOMPARE(location.alarms.size(), std::size_t(1)); // of a cause elsewhere, the one that stands
        const FaultLocation whole = locateFault(*hall().figures, {ref(host)}, &frame, {});
        QVERIFY(connection(whole).found.empty() && whole.alarms.empty());
    }

    void withoutAPlan()
    {
        JobTelemetry telemetry;
        for (int i = 0; i < 100; ++i) {
            telemetry.take({"a", JobMeasure::Iteration, -1, {}, kNow + i * 6000, double(i)});
            telemetry.take({"a", JobMeasure::IterationTime, -1, {}, kNow + i * 6000, i < 60 ? 6.0 : 7.2});
        }
        const JobState state = evaluateJobs(*hall().figures, telemetry.jobs(), {}, std::nullopt, nullptr).front();
        QCOMPARE(state.referenceS, 6.0);
        QVERIFY(state.slow && !state.plan);
        QCOMPARE(state.slowSinceMs, kNow + 60 * 6000);
        QCOMPARE(QByteArray::fromStdString(std::string(wordOf(state.causes.front().kind))), QByteArray("unlocated"));
    }

    void stallsAndRestarts()
    {
        JobTelemetry telemetry;
        // 50 iterations, 300 s of standing, back to 40, on to 90.
        for (int i = 0; i <= 50; ++i) telemetry.take({"a", JobMeasure::Iteration, -1, {}, kNow + i * 6000, double(i)});
        for (int i = 0; i <= 50; ++i) telemetry.take({"a", JobMeasure::Iteration, -1, {}, kNow + 600'000 + i * 6000, 40.0 + i});
        for (int i = 0; i <= 150; ++i) telemetry.take({"a", JobMeasure::IterationTime, -1, {}, kNow + i * 6000, 6});
        const JobState state = evaluateJobs(*hall().figures, telemetry.jobs(), {}, plan(), nullptr).front();
        QCOMPARE(state.times.wallS, 900.0);
        QVERIFY(std::abs(state.times.effective - 90 * 6 / 900.0) < 1e-9);
        QVERIFY(std::abs(state.times.repeated - 10 * 6 / 900.0) < 1e-9);
        QVERIFY(std::abs(state.times.other - 300 / 900.0) < 1e-9);
        QVERIFY(!state.stalled);
        QVERIFY(evaluateJobs(*hall().figures, telemetry.jobs(), {}, plan(), nullptr, kNow + 1'000'000).front().stalled); // nothing came for 100 s
    }

    void hostsOfTheScheduler()
    {
        const auto all = hosts();
        std::vector<JobPlace> places;
        for (std::size_t i = 0; i < all.size(); ++i) places.push_back({"gpt", name(all[all.size() - 1 - i]), int(8 * i)}); // in another order
        places.push_back({"gpt", "nobody", -1});
        JobData data = job(7.5, [](int rank, double& compute, double&, double&) { compute = rank == 0 ? 5.5 : 4; });
        for (auto& [number, rank] : data.ranks) rank.host.clear();
        const JobState state = stateOf(data, places);
        QCOMPARE(state.hosts.front(), all.back());
        QCOMPARE(state.unknownHosts, std::vector<std::string>{"nobody"});
        QVERIFY(state.causes.front().entity == ref(all.back()));

        QCOMPARE(*placesIn("JobId=7 JobName=gpt\n   UserId=a\n   NodeList=n[1-2]\n   BatchHost=n1\n\nJobId=8 JobName=b\n   NodeList=(null)\n"),
                 (std::vector<JobPlace>{{"gpt", "n1", -1}, {"gpt", "n2", -1}}));
        QCOMPARE(
            *placesIn("JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)\n  7 gpu gpt a R 1:00 2 n[1-2]\n  8 gpu b a PD 0:00 2 (Resources)\n"),
            (std::vector<JobPlace>{{"gpt", "n1", -1}, {"gpt", "n2", -1}}));
        QCOMPARE(*placesIn("job,host,rank\ngpt,n1,8\ngpt,n2,0\n"), (std::vector<JobPlace>{{"gpt", "n1", 8}, {"gpt", "n2", 0}}));
        const auto pods = placesIn(R"({"items": [
            {"metadata": {"labels": {"training.kubeflow.org/job-name": "gpt", "training.kubeflow.org/replica-type": "worker",
                                     "training.kubeflow.org/replica-index": "0"}}, "spec": {"nodeName": "n2"}},
            {"metadata": {"labels": {"training.kubeflow.org/job-name": "gpt", "training.kubeflow.org/replica-type": "master",
                                     "training.kubeflow.org/replica-index": "0"}}, "spec": {"nodeName": "n1"}},
            {"metadata": {"labels": {"app": "x"}}, "spec": {"nodeName": "n3"}}, 3]})");
        QCOMPARE(*pods, (std::vector<JobPlace>{{"gpt", "n1", -1}, {"gpt", "n2", -1}}));
        for (const char* bad :
             {"", "hello", "{\"items\": 3}", "[1", "JobId=7 NodeList=n[1-\n", "JOBID NAME NODELIST\n7 gpt n[2-1]\n", "job,host,rank\na,b,c\n"}) {
            const auto got = placesIn(bad);
            QVERIFY2(!got && got.error().code == ErrorCode::Unreadable, bad);
        }
    }

    void logsOfFrameworks_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("framework");
        QTest::addColumn<double>("last");
        QTest::addColumn<double>("seconds");
        QTest::addColumn<double>("tokens");
        QTest::newRow("Megatron-LM")
            << QByteArray("  seq_length ...................................... 2048\n"
                          " [2026-01-05 08:00:10] iteration       10/  500000 | consumed samples:  5120 | elapsed time per iteration (ms): 6512.3 | "
                          "throughput per GPU (TFLOP/s/GPU): 450.1 | learning rate: 1.0E-05 | global batch size:   512 | lm loss: 1.0E+01 |\n"
                          "(min, max) time across ranks (ms):\n"
                          "    forward-backward ...............................: (5000.12, 5100.34)\n"
                          "    batch-generator ................................: (10.1, 1020.2)\n"
                          "    save-checkpoint ................................: (8000.1, 8200.2)\n"
                          " [2026-01-05 08:01:15] iteration       20/  500000 | consumed samples: 10240 | elapsed time per iteration (ms): 6500.0 | "
                          "learning rate: 1.0E-05 | global batch size:   512 | lm loss: 9.0E+00 |\n")
            << QByteArray("Megatron-LM") << 20.0 << 6.5 << 512 * 2048 / 6.5;
        QTest::newRow("NeMo 2") << QByteArray("Training epoch 0, iteration 8/99 | lr: 3e-06 | global_batch_size: 512 | global_step: 8 | "
                                              "reduced_train_loss: 10.3 | train_step_timing in s: 6.6 | consumed_samples: 4608\n"
                                              "Training epoch 0, iteration 9/99 | lr: 3e-06 | global_batch_size: 512 | global_step: 9 | "
                                              "reduced_train_loss: 10.3 | train_step_timing in s: 6.52 | consumed_samples: 5120\n")
                                << QByteArray("NeMo") << 9.0 << 6.52 << 0.0;
        QTest::newRow("NeMo 1") << QByteArray("Epoch 0: :  10%|#| 10/100 [01:05<09:45, v_num=0, reduced_train_loss=10.30, global_step=9.000, "
                                              "consumed_samples=5120.0, train_step_timing in s=6.520]\r")
                                << QByteArray("NeMo") << 9.0 << 6.52 << 0.0;
        QTest::newRow("DeepSpeed pipeline") << QByteArray("[2026-01-05 08:00:30,123] [INFO] [logging.py:96:log_dist] [Rank 0] step=20, skipped=0\n"
                                                          "steps: 20 loss: 2.3085 iter time (s): 6.400 samples/sec: 80.000\n")
                                            << QByteArray("DeepSpeed") << 20.0 << 6.4 << 0.0;
        QTest::newRow("DeepSpeed") << QByteArray("  train_batch_size ............. 512\n"
                                                 "[2026-01-05 08:00:00,123] [INFO] [timer.py:258:stop] epoch=0/micro_step=20/global_step=20, "
                                                 "RunningAvgSamplesPerSec=80.1, CurrSamplesPerSec=80.0, MemAllocated=30.1GB, MaxMemAllocated=60GB\n")
                                   << QByteArray("DeepSpeed") << 20.0 << 6.4 << 0.0;
        QTest::newRow("torchtitan") << QByteArray(
                                           "[rank0]:[titan] 2026-01-05 08:00:00,000 - root - INFO - step: 10  loss:  7.1  memory: 60.1GiB(75%)  "
                                           "tps: 1,234  tflops: 56.7  mfu: 40.1%\n"
                                           "[rank0]:[titan] 2026-01-05 08:01:05,000 - root - INFO - step: 20  loss:  6.1  memory: 60.1GiB(75%)  "
                                           "tps: 1,234  tflops: 56.7  mfu: 40.1%\n")
                                    << QByteArray("torchtitan") << 20.0 << 6.5 << 0.0;
    }
    void logsOfFrameworks()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, framework);
        QFETCH(double, last);
        QFETCH(double, seconds);
        QFETCH(double, tokens);
        const auto log = importers::readJobLog(text.toStdString(), "job.log", "gpt");
        QVERIFY2(log, log ? "" : log.error().text().c_str());
        QCOMPARE(QByteArray::fromStdString(log->framework), framework);
        JobTelemetry telemetry;
        for (const auto& sample : log->samples) telemetry.take(sample);
        const JobData data = telemetry.jobs().front();
        QCOMPARE(data.whole.at(JobMeasure::Iteration).back().value, last);
        QVERIFY(std::abs(data.whole.at(JobMeasure::IterationTime).back().value - seconds) < 1e-9);
        if (tokens > 0) {
            QVERIFY(std::abs(data.whole.at(JobMeasure::TokensPerS).back().value - tokens) < 1e-6);
            QCOMPARE(data.whole.at(JobMeasure::DataWait).back().value, 1.0202); // the longest of the ranks
            QCOMPARE(data.whole.at(JobMeasure::CheckpointTime).back().value, 8.2002);
            QCOMPARE(data.whole.at(JobMeasure::Iteration).back().timeMs - data.whole.at(JobMeasure::Iteration).front().timeMs, std::int64_t(65'000));
        }
    }
    void brokenLogs()
    {
        for (const char* bad :
             {"", "hello\n", "iteration 7\n", "elapsed time per iteration (ms): x | iteration y\n", "global_step=, CurrSamplesPerSec=\n"})
            QVERIFY2(!importers::readJobLog(bad, "f", "j"), bad);
        const auto noBatch = importers::readJobLog("global_step=20, CurrSamplesPerSec=80.0\n", "f", "j");
        QVERIFY(noBatch && noBatch->notes.size() == 2);
    }

    /// What the frameworks state besides iterations: size of the job, throughput, checkpoints, times of each rank.
    void logsStateMore()
    {
        const auto data = [](const char* text) {
            const auto log = importers::readJobLog(text, "job.log", "gpt");
            JobTelemetry telemetry;
            if (log)
                for (const auto& sample : log->samples) telemetry.take(sample);
            return log ? telemetry.jobs().front() : JobData();
        };
        const auto last = [](const JobSeries& all, JobMeasure measure) { return all.contains(measure) ? all.at(measure).back().value : -1; };
        const JobData titan =
            data("[rank0]:[titan] 2026-11-28 09:00:00,001 - root - INFO - Building 2-D device mesh with ['dp', 'tp'], [8, 4]\n"
                 "[rank0]:[titan] 2026-11-28 09:00:10,001 - root - INFO - step:  1  loss: 12.2  memory: 30GiB(38%)  tps: 1,500  mfu: 41%\n"
                 "[rank0]:[titan] 2026-11-28 09:00:12,001 - root - INFO - Finished saving the checkpoint (or staging if async is "
                 "enabled)in 14.31 seconds.\n"
                 "[rank0]:[titan] 2026-11-28 09:01:10,001 - root - INFO - step: 11  loss: 11.2  memory: 30GiB(38%)  tps: 1,500  mfu: 41%\n");
        QCOMPARE(last(titan.whole, JobMeasure::Ranks), 32.0);
        QCOMPARE(last(titan.whole, JobMeasure::TokensPerS), 48'000.0);
        QCOMPARE(last(titan.whole, JobMeasure::CheckpointTime), 14.31);
        QCOMPARE(last(titan.whole, JobMeasure::IterationTime), 6.0);
        const JobData mesh = data("INFO - Building device mesh with parallelism: pp=2, dp_replicate=1, dp_shard=8, cp=1, tp=4, ep=1, etp=1\n"
                                  "2026-11-28 09:00:10 step: 1 loss: 2 tps: 10\n");
        QCOMPARE(last(mesh.whole, JobMeasure::Ranks), 64.0);
        const JobData ranks =
            data("using world size: 128, data-parallel size: 4, tensor-model-parallel size: 8\n"
                 " [2026-11-28 09:15:31.482] iteration 10/ 500 | elapsed time per iteration (ms): 4312.7 | global batch size: 1536 |\n"
                 "times across ranks (ms):\n    forward-compute:\n     rank  0: 1300.00\n     rank  1: 1900.00\n"
                 "    backward-compute:\n     rank  0: 2600.00\n     rank  1: 3100.00\n");
        QCOMPARE(last(ranks.whole, JobMeasure::Ranks), 128.0);
        QCOMPARE(last(ranks.ranks.at(0).series, JobMeasure::ComputeTime), 3.9);
        QCOMPARE(last(ranks.ranks.at(1).series, JobMeasure::ComputeTime), 5.0);
        const JobData deep =
            data("[2026-11-28 09:01:00,124] [INFO] [timer.py:260:stop] epoch=0/micro_step=20/global_step=10, CurrSamplesPerSec=50.9\n"
                 "[2026-11-28 09:01:01,000] [INFO] time (ms) | fwd: 1624.2 | bwd: 3260.4 | bwd_inner: 3201.0 | bwd_allreduce: 58.2\n"
                 "[2026-11-28 09:01:02,000] [INFO] [Torch] Saving /ckpt/a.pt...\n[2026-11-28 09:01:09,000] [INFO] [Torch] Saved /ckpt/a.pt.\n"
                 "[2026-11-28 09:01:20,124] [INFO] [timer.py:260:stop] epoch=0/micro_step=40/global_step=12, CurrSamplesPerSec=50.9\n");
        QCOMPARE(last(deep.whole, JobMeasure::IterationTime), 10.0); // from the dates
        QCOMPARE(last(deep.whole, JobMeasure::CheckpointTime), 7.0);
        QVERIFY(std::abs((deep.ranks.empty() ? last(deep.whole, JobMeasure::ComputeTime) : last(deep.ranks.at(0).series, JobMeasure::ComputeTime)) -
                         4.8252) < 1e-9);
        const JobData lightning =
            data("Initializing distributed: GLOBAL_RANK: 0, MEMBER: 1/64\n"
                 "Epoch 3:  45%|####5     | 450/1000 [12:30<15:16,  0.60it/s, v_num=12]\r"
                 "Epoch 3:  46%|####6     | 460/1000 [12:50<15:00,  0.60it/s, v_num=12]\r"
                 "Epoch 4:   0%|          | 0/1000 [00:00<?, ?it/s]\rEpoch 4:   2%|2         | 20/1000 [00:44<33:00,  2.20s/it]\n");
        QCOMPARE(last(lightning.whole, JobMeasure::Ranks), 64.0);
        QCOMPARE(lightning.whole.at(JobMeasure::IterationTime)[1].value, 2.0);
        QCOMPARE(last(lightning.whole, JobMeasure::IterationTime), 2.2);
        QCOMPARE(last(lightning.whole, JobMeasure::Iteration), 4020.0);
    }

    void channels()
    {
        const auto rules = JobRules::of({});
        QVERIFY2(rules, rules ? "" : rules.error().text().c_str());
        const auto rank = rules->find(
            {"training_compute_seconds{host=\"h1\",job_name=\"gpt\",rank=\"3\"}", {{"host", "h1"}, {"job_name", "gpt"}, {"rank", "3"}}, {}});
        QVERIFY(rank && rank->job == "gpt" && rank->host == "h1" && rank->rank == 3 && rank->measure == JobMeasure::ComputeTime);
        const auto nemo = rules->find({"train_step_timing_in_s{instance=\"h1:9000\"}", {{"instance", "h1:9000"}}, {}});
        QVERIFY(nemo && nemo->job == "job" && nemo->host == "h1" && nemo->rank == -1);
        const auto deepSpeed = rules->find({"deepspeed_step_time_ms", {}, {}});
        QVERIFY(deepSpeed && deepSpeed->factor == 1e-3);
        const auto topic = rules->find({"training/gpt/rank/3/h1/send_seconds", {}, {}});
        QVERIFY(topic && topic->job == "gpt" && topic->host == "h1" && topic->rank == 3 && topic->measure == JobMeasure::SendTime);
        QVERIFY(!rules->find({"DCGM_FI_DEV_GPU_TEMP", {}, {}}));
        const std::string head = "set: a\ntitle: b\nsource: c\nchannels:\n";
        QVERIFY(JobRules::read(head + "  - {channel: a, measure: mfu, unit: '%'}\n", "x.yaml"));
        for (const char* bad :
             {"  - {channel: a, measure: speed}\n", "  - {channel: a, measure: mfu, unit: s}\n", "  - {channel: 'a{b', measure: ranks}\n",
              "  - {channel: 'a/{gpu}', measure: ranks}\n", "  - {channel: a, measure: ranks, color: red}\n"})
            QVERIFY2(!JobRules::read(head + bad, "x.yaml"), bad);
    }

    void aTapPassesAllOn()
    {
        const auto telemetry = std::make_shared<JobTelemetry>();
        const auto rules = std::make_shared<const JobRules>(JobRules::of({}).value());
        Sink sink;
        std::vector<std::pair<bindings::ChannelText, double>> says = {{{"training_iteration_seconds{job_name=\"a\"}", {{"job_name", "a"}}, {}}, 6},
                                                                      {{"DCGM_FI_DEV_GPU_TEMP", {}, {}}, 60}};
        const auto source = tapped(std::make_unique<OneShot>(says), rules, telemetry);
        QVERIFY(source->start(sink));
        QCOMPARE(sink.channels, std::size_t(2));
        QCOMPARE(sink.samples, std::size_t(2));
        QCOMPARE(telemetry->jobs().size(), std::size_t(1));
        QCOMPARE(telemetry->jobs().front().whole.at(JobMeasure::IterationTime).front().value, 6.0);
    }

    /// The emulated job is as planned, and a NIC behind a slow slot is found in it although its mean load is far below the slot's rate.
    void anEmulatedJob()
    {
        emulation::Options options;
        options.facility = options.gpus = options.ports = false, options.startMs = kNow;
        options.linkGbps.assign(2 * hall().s().links.nextId(), 0);
        for (const auto& plug : hall().plugs)
            if (hall().s().tiers.kind[hall().s().devices.tier[hall().s().ports.device[plug.a]]] == TierKind::Server)
                options.linkGbps[2 * plug.link.value] = options.linkGbps[2 * plug.link.value + 1] = 4;
        auto made = emulation::Hall::of(hall().figures, options);
        QVERIFY(made);
        emulation::TrainingSeries series;
        series.job = "gpt", series.iterationS = 6, series.computeS = 4, series.sendS = 0.6, series.tokensPerS = 40000, series.mfu = 0.4;
        series.checkpointS = 5;
        emulation::JobEmulation job(**made, series, 1);
        const auto rules = JobRules::of({}).value();
        const auto follow = [&](std::int64_t fromS, std::int64_t toS) {
            JobTelemetry telemetry;
            for (std::int64_t s = fromS; s <= toS; ++s) {
                (void)(*made)->advance(s * 1000);
                for (const auto& reading : job.advance()) {
                    bindings::ChannelText text{job.series(reading.channel), job.labels(reading.channel), {}};
                    const auto found = rules.find(text);
                    QVERIFY2(found, text.name.c_str());
                    QVERIFY(rules.find({job.topic(reading.channel), {}, {}}));
                    telemetry.take({found->job, found->measure, found->rank, found->host, reading.timeMs, reading.value});
                }
            }
            m_state = evaluateJobs(*hall().figures, telemetry.jobs(), {}, plan(), nullptr).front();
        };
        follow(1, 200);
        QVERIFY2(!m_state.slow && !m_state.stalled, std::to_string(m_state.iterationS).c_str());
        QCOMPARE(m_state.ranks, std::int64_t(128));
        QVERIFY(m_state.times.effective > 0.8);
        const std::string port = name(hosts()[3]) + ":nic3p1", other = name(hosts()[3]) + ":nic3p2";
        for (const auto& which : {port, other}) {
            emulation::FaultAction slot;
            slot.verb = emulation::Verb::Degrade, slot.entity = which, slot.gbps = 50;
            QVERIFY((*made)->apply(slot, "test"));
        }
        follow(201, 290);
        QVERIFY(m_state.slow);
        QCOMPARE(m_state.causes.size(), std::size_t(1));
        QVERIFY(m_state.causes.front().kind == CauseKind::Link);
        QCOMPARE(m_state.causes.front().ranks, std::vector<int>{26});
        QVERIFY(std::abs(m_state.causes.front().extraS - 1.8) < 0.1); // four times 0.6 s
        QVERIFY(words(m_state.causes.front().what).find(port) != std::string::npos);
    }

private:
    JobState m_state;
};

QTEST_APPLESS_MAIN(TestJobs)
#include "test_jobs.moc"

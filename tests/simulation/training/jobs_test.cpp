// SPDX-License-Identifier: GPL-3.0-or-later
#include "designs.h"
#include "tests/simulation/mixture.h"
#include "tests/simulation/near.h"
#include "together.h"

#include "simulation/formulas/xlink.h"
#include "simulation/training/job_flows.h"

#include <QElapsedTimer>

#include <array>
#include <map>
#include <numeric>

using namespace hw;
using namespace hw::sim;
using hw::test::runTogether;

namespace {

/// All GPUs of `hosts` hosts as one group.
CollectivePlan wholePlan(const WorkloadFabric& f, std::uint32_t hosts, Operation op)
{
    std::vector<std::uint32_t> gpus(hosts * f.gpusPerHost);
    std::iota(gpus.begin(), gpus.end(), 0u);
    CollectivePlan plan;
    CollectivePlanner(f.domainOfHost, f.gpusPerHost).add(op, gpus, plan);
    return plan;
}

TrainingJob quiet()
{
    TrainingJob job;
    job.latency = {0, 0, 0};
    return job;
}

double upBytes(const PhaseResult& r, std::size_t level) { return level <= r.tiers.size() ? r.tiers[level - 1].upBytes : 0.0; }

} // namespace

class JobsTest : public QObject {
    Q_OBJECT
private slots:
    void fabricOfADesign()
    {
        const auto f = hpn(1, 2);
        QCOMPARE(f.hosts.size(), std::size_t(256));
        QCOMPARE(f.gpusPerHost, 8u);
        QCOMPARE(f.segments, 2);
        QCOMPARE(f.ports(0).size(), std::size_t(2));
        QVERIFY(f.domainOfHost[1] == f.domainOfHost[0] + 1);
        const auto wrong = workloadFabric(*design("hpn", {{"segments", std::int64_t(1)}}), "backbone");
        QVERIFY(!wrong && wrong.error().text().find("backbone") != std::string::npos);
    }

    /// One segment, TP 8, DP 16: a ring per rail under its ToR, 2 (n - 1) / n S over 2 x 25 GB/s; the aggregation tier sees nothing.
    void gradientsInASegment()
    {
        const auto f = hpn(1, 2);
        const auto run = runJob(f, gptJob(8, 1, 16));
        QRUN(run);
        const auto* g = run->phase("gradient");
        QVERIFY(g);
        const double s = countParameters(gpt3()).total() / 8 * 2;
        QNEAR(g->bytes, s, 1e-9);
        QCOMPARE(g->groups, 8u);
        QCOMPARE(g->groupSize, 16u);
        QNEAR(g->result.durationS, 2 * 15 / 16.0 * s / 50e9, 1e-9);
        QVERIFY(g->result.certified);
        QCOMPARE(g->result.flows, std::uint64_t(8 * 16 * 2));
        QNEAR(g->result.networkBytes, 8 * 16 * 2 * 15 / 16.0 * s, 1e-9);
        QNEAR(upBytes(g->result, 1), g->result.networkBytes, 1e-6);
        QNEAR(g->result.tiers[0].downBytes, g->result.networkBytes, 1e-6);
        QCOMPARE(upBytes(g->result, 2), 0.0);
        QNEAR(g->result.leastGbps, 200, 1e-9);
        const auto* t = run->phase("tensor"); // 2 (n - 1) / n over NVLink of 200 GB/s
        QNEAR(t->result.durationS, 2 * 7 / 8.0 * t->bytes / 200e9, 1e-9);
        QCOMPARE(t->result.flows, std::uint64_t(0));
        QCOMPARE(run->mostConnections, 8u * 2);
        QNEAR(run->connectionsPerHost, 16, 1e-9);
    }

    /// CHECKS P8 out of the job model: GPT-3, TP 8, PP 8, DP 512 = 32,768 GPUs on three pods.
    void publishedVolumes()
    {
        const auto f = hpn(3, 15);
        JobRunOptions options;
        options.keepLinkBytes = false;
        const auto run = runJob(f, gptJob(8, 8, 512), options);
        QRUN(run);
        QCOMPARE(run->hosts.size(), std::size_t(4096));
        QNEAR(run->phase("gradient")->bytes, 5.469e9, 0.01);
        QNEAR(run->phase("send forward")->bytes, 6.0 * 1024 * 1024, 0.01);
        const double tensor = run->phase("tensor")->bytes * 96 / 8; // one tensor of every layer of a stage
        QVERIFY2(tensor >= 500e6 && tensor <= 620e6, qPrintable(QString::number(tensor)));
        for (const auto& phase : run->phases) QVERIFY2(phase.result.certified, phase.name.c_str());
        QVERIFY(run->iteration.mfu > 0.2 && run->iteration.mfu < 0.55);
        QCOMPARE(run->spread.pods, 3u);
    }

    /// CHECKS S3 on two full pods, load spread evenly: cross-pod PP cheap, DP by rank order free or 16 times dear.
    void acrossPods()
    {
        const auto f = hpn(2, 15);
        JobRunOptions options;
        options.phase = sprayed();
        TrainingJob job = gptJob(8, 8, 480);
        job.cut.microBatches = 64;
        auto run = runJob(f, job, options); // stages 1 to 4 in the first pod
        QRUN(run);
        const auto& send = run->times.sendForwardS;
        QNEAR(send[3], 0.503e-3, 0.01);
        // 0.126 ms at the NICs; all hosts of a segment send out of it at once, and their ToRs have 15/16 of that.
        for (const std::size_t s : {0u, 1u, 2u, 4u, 5u, 6u}) QNEAR(send[s], 0.126e-3 * 16 / 15, 0.01);
        QNEAR(64 * (send[3] - 6.0 * 1024 * 1024 / 50e9), 24.2e-3, 0.01);
        QNEAR(run->iteration.gradientS, 0.218, 0.01);
        QCOMPARE(upBytes(run->phase("gradient")->result, 3), 0.0);
        QVERIFY(upBytes(run->phase("send forward")->result, 3) > 0);

        job.order = *parseRankOrder("tp-pp-dp"); // rings lie in a row over both pods
        run = runJob(f, job, options);
        QRUN(run);
        QNEAR(run->iteration.gradientS, 0.218, 0.01);
        QVERIFY(upBytes(run->phase("gradient")->result, 3) > 0);

        job.order = kMegatronOrder; // every hop crosses
        job.placement = Placement::AlternatingPods;
        run = runJob(f, job, options);
        QRUN(run);
        QNEAR(run->iteration.gradientS, 3.49, 0.01);
        const auto& g = run->phase("gradient")->result;
        QNEAR(upBytes(g, 3), g.networkBytes, 1e-6);
    }

    /// CHECKS S3 (d) and (e): uniform all-to-all over two pods is 16 (P - 1) / P times as long as without oversubscription; with one
    /// segment a pod it is not slowed. One group over all hosts would be 10^9 pairs, so the expert group takes one GPU of each host.
    void allToAllAcrossPods()
    {
        const auto f = hpn(2, 15);
        const auto plan = [&](const std::vector<std::uint32_t>& hosts) {
            CollectivePlan p;
            CollectivePlanner planner(f.domainOfHost, f.gpusPerHost);
            std::vector<std::uint32_t> gpus;
            for (std::uint32_t rail = 0; rail < 1; ++rail) {
                gpus.clear();
                for (const auto h : hosts) gpus.push_back(h * 8 + rail);
                planner.add({Collective::AllToAll, {}, AllToAllAlgorithm::Direct, 1e6}, gpus, p);
            }
            return p;
        };
        // Every 15th host of both pods: 128 a pod, spread over all segments. One rail uses all its planes' cores alone: an eighth of the
        // load of eight rails on 1/15 of the hosts, so cores carry 8 / 15 x 1 / 8 of the full case: 8 / 120.
        std::vector<std::uint32_t> hosts;
        for (std::uint32_t h = 0; h < 3840; h += 15) hosts.push_back(h);
        const auto r = runPlan(f, plan(hosts), quiet(), sprayed());
        QRUN(r);
        const double crossing = 256 * 128 * (1e6 / 256); // bytes that change pods, both ways
        QNEAR(upBytes(*r, 3), crossing, 1e-6);
        const double coreBusyS = crossing / 2 / (960 * 50e9); // one pod's up-links: 960 x 400G
        QNEAR(r->tiers[2].busiestShare * r->fluidS, coreBusyS, 0.01);
        QNEAR(coreBusyS * 120 / (255.0 / 256 * 1e6 / 50e9), 8, 0.01); // all rails and hosts: 8 times the NIC time
        std::vector<std::uint32_t> segment;
        for (std::uint32_t h = 0; h < 128; ++h) segment.push_back(h), segment.push_back(1920 + h);
        const auto e = runPlan(f, plan(segment), quiet(), sprayed());
        QRUN(e);
        QNEAR(e->fluidS, 255.0 / 256 * 1e6 / 50e9, 0.01); // the NICs are the limit
    }

    /// The ways of one collective on four hosts of a segment, by hand.
    void collectivesByHand()
    {
        const auto f = hpn(1, 1);
        const double s = 8e9, nic = 50e9, nv = 200e9;
        const auto time = [&](Operation op, TrainingJob job = quiet()) {
            op.bytes = s;
            const auto r = runPlan(f, wholePlan(f, 4, op), job);
            return r && r->certified ? r->durationS : -1;
        };
        QNEAR(time({Collective::AllReduce, AllReduceAlgorithm::Ring}), 2 * 31 / 32.0 * s / nv,
              1e-9); // eight NICs feed a ring faster than NVLink takes it
        QNEAR(time({Collective::AllReduce, AllReduceAlgorithm::FlatRing}), 2 * 31 / 32.0 * s / nic, 1e-9);
        QNEAR(time({Collective::AllReduce, AllReduceAlgorithm::Hierarchical}), 2 * 7 / 8.0 * s / nv + 2 * 3 / 4.0 * s / 8 / nic, 1e-9);
        QNEAR(time({Collective::AllReduce, AllReduceAlgorithm::InNetwork}), 2 * 7 / 8.0 * s / nv + s / 8 / nic, 1e-9);
        QNEAR(time({Collective::AllGather}), 31 / 32.0 * s / nv, 1e-9);
        TrainingJob wide = quiet();
        wide.accelerator.scaleUpGbps = 8000; // now the NICs are the limit
        QNEAR(time({Collective::AllReduce, AllReduceAlgorithm::Ring}, wide), 2 * 31 / 32.0 * s / 8 / nic, 1e-9);
        QNEAR(time({Collective::AllToAll, {}, AllToAllAlgorithm::Direct}), 24 / 32.0 * s / nic, 1e-9);
        QNEAR(time({Collective::AllToAll, {}, AllToAllAlgorithm::Forwarded}), 24 / 32.0 * s / nic, 1e-9);
        // An inner host gets half its buffer from two children and its parent in one tree and from its parent in the other.
        QNEAR(time({Collective::AllReduce, AllReduceAlgorithm::Tree}, wide), 2 * s / 8 / nic, 1e-9);
        TrainingJob slow = quiet();
        slow.accelerator.pcieGbps = 50; // a bad slot (SOURCES C15)
        QNEAR(time({Collective::AllReduce, AllReduceAlgorithm::Ring}, slow), 2 * 31 / 32.0 * s / 8 / 6.25e9, 1e-9);
        TrainingJob library = quiet();
        library.libraryFactor = 0.5;
        QNEAR(time({Collective::AllGather}, library), 2 * 31 / 32.0 * s / nv, 1e-9);
        TrainingJob late = quiet();
        late.latency = {1e-3, 1e-2, 0}; // 31 steps; 4 of a ring's 32 edges leave a host
        QNEAR(time({Collective::AllGather}, late), 31 / 32.0 * s / nv + 31 * (4 / 32.0 * 1e-2 + 28 / 32.0 * 1e-3), 1e-9);
        late.latency.hopS = 1e-3; // one switch
        QNEAR(time({Collective::AllGather}, late), 31 / 32.0 * s / nv + 31 * (4 / 32.0 * 1.1e-2 + 28 / 32.0 * 1e-3), 1e-9);
    }

    /// CHECKS S10 on a real fabric: expert all-to-all of 128 ranks while the scale-up domain grows.
    void scaleUpDomain()
    {
        auto f = hpn(1, 1);
        XlinkCase c;
        c.insideBytesPerS = 450e9;
        double before = 1e9;
        for (const int domain : {8, 16, 32, 64, 128}) {
            for (std::uint32_t h = 0; h < f.hosts.size(); ++h) f.domainOfHost[h] = h / std::uint32_t(domain / 8);
            TrainingJob job = quiet();
            job.accelerator.scaleUpGbps = 3600;
            const auto r = runPlan(f, wholePlan(f, 16, {Collective::AllToAll, {}, AllToAllAlgorithm::Direct, 1e9 * 128 / 127}), job);
            QRUN(r);
            QNEAR(r->fluidS, xlinkAllToAll(c, domain).timeS, 0.001);
            QVERIFY(r->fluidS < before);
            before = r->fluidS;
        }
    }

    /// More bandwidth is never slower, a dead port halves its NIC, and the hosts' order within a segment changes nothing.
    void monotonicAndSymmetric()
    {
        const auto f = hpn(1, 2);
        TrainingJob job = gptJob(8, 2, 16);
        const auto base = runJob(f, job);
        QRUN(base);
        TrainingJob faster = job;
        faster.accelerator.scaleUpGbps *= 2;
        QVERIFY(runJob(f, faster)->iteration.iterationS < base->iteration.iterationS);

        FabricState state(*f.graph);
        state.setLink(f.ports(0)[0].link, false);
        JobRunOptions broken;
        broken.phase.state = &state;
        const auto hurt = runJob(f, job, broken);
        QRUN(hurt);
        QNEAR(hurt->phase("gradient")->result.durationS, 2 * base->phase("gradient")->result.durationS, 1e-9);
        state.setLink(f.ports(0)[1].link, false); // both ports: the job stands
        const auto stands = runJob(f, job, broken);
        QVERIFY(stands && std::isinf(stands->phase("gradient")->result.durationS) && stands->phase("gradient")->result.unreachable > 0);

        JobRunOptions turned;
        for (std::uint32_t h = 0; h < 32; ++h) turned.hosts.push_back(31 - h);
        const auto mirrored = runJob(f, job, turned);
        QRUN(mirrored);
        QNEAR(mirrored->iteration.iterationS, base->iteration.iterationS, 1e-12);
        QNEAR(mirrored->networkBytes, base->networkBytes, 1e-12);
    }

    /// Hashing is at best as good as spreading evenly, and never carries other bytes.
    void hashingAgainstSpraying()
    {
        const auto f = hpn(1, 4);
        TrainingJob job = gptJob(8, 4, 96);
        job.placement = Placement::AlternatingSegments;
        JobRunOptions spray;
        spray.phase = sprayed();
        const auto even = runJob(f, job, spray), hashed = runJob(f, job);
        QRUN(even);
        QRUN(hashed);
        const auto &a = even->phase("gradient")->result, &b = hashed->phase("gradient")->result;
        QVERIFY2(b.fluidS > a.fluidS * 1.2, qPrintable(QString("%1 %2").arg(a.fluidS).arg(b.fluidS))); // collisions on ToR up-links (S1)
        QNEAR(a.networkBytes, b.networkBytes, 1e-12);
        for (std::size_t t = 0; t < 2; ++t) QNEAR(a.tiers[t].upBytes, b.tiers[t].upBytes, 1e-6);
        QNEAR(a.tiers[0].upBytes, a.networkBytes, 1e-6);
        QCOMPARE(a.flows, b.flows);
        job.placementSeed = 2; // seeds of what is not random change nothing
        QCOMPARE(runJob(f, job)->phase("gradient")->result.fluidS, b.fluidS);
    }

    /// As the engine's flows a phase takes the same ways: link by link the same bytes.
    void flowsOfAPhase()
    {
        const auto f = hpn(1, 4);
        TrainingJob job = gptJob(8, 4, 24);
        job.placement = Placement::AlternatingSegments;
        const auto run = runJob(f, job);
        QRUN(run);
        for (const auto& phase : run->phases) {
            const auto plan = planPhase(f, *run, phase.name);
            QRUN(plan);
            const auto specs = flowSpecs(f, *plan, *run, 3);
            QCOMPARE(specs.size(), std::size_t(phase.result.flows));
            const auto routed = routeFlows(*f.graph, {}, specs);
            QRUN(routed);
            std::vector<double> bytes(f.graph->directedCount(), 0.0);
            for (std::uint32_t i = 0; i < routed->flows.size(); ++i)
                for (const auto l : routed->problem.linksOf(i)) bytes[l] += routed->flows[i].bytes;
            for (std::size_t l = 0; l < bytes.size(); ++l) QVERIFY(near(bytes[l], double(phase.result.linkBytes[l]), 1e-5));
            if (specs.empty()) continue;
            QCOMPARE(specs[0].group, 3u);
            QCOMPARE(f.hosts[run->hosts[specs[0].sourceRank / 8]], specs[0].source);
        }
        QVERIFY(!planPhase(f, *run, "expert").has_value());
    }

    /// Two jobs send S and 2 S into one NIC: the short one ends after 2 S / B, the long one after 3 S / B (max-min by hand).
    void phasesThatOverlap()
    {
        const auto f = hpn(1, 1);
        TransferSet a, b;
        a.add(8, 0, 50e9, 0);
        b.add(16, 0, 100e9, 0);
        const std::array sets{a, b};
        const std::array jobs{quiet()};
        const auto r = runTogether(f, sets, jobs);
        QRUN(r);
        QNEAR(r->finishS[0], 2, 1e-9);
        QNEAR(r->finishS[1], 3, 1e-9);
        QNEAR(r->aloneS[0], 1, 1e-9);
        QNEAR(r->aloneS[1], 2, 1e-9);
        QVERIFY(r->certified);
        QCOMPARE(r->flows, std::uint64_t(4));
        QVERIFY(!runTogether(f, {}, jobs).has_value());
    }

    /// The claim behind every phase's time, against a simulation of all completions one by one: the last flow ends with the busiest
    /// link, and no flow of a lane ends after the busiest link that its lane uses.
    void lastFlowEndsWithTheBusiestLink()
    {
        const auto f = hpn(1, 4);
        TrainingJob job = gptJob(8, 4, 24);
        for (const auto placement : {Placement::Random, Placement::AlternatingSegments}) {
            job.placement = placement;
            const auto run = runJob(f, job);
            QRUN(run);
            for (const char* phase : {"gradient", "send forward", "send backward"}) {
                const auto plan = planPhase(f, *run, phase);
                QRUN(plan);
                QCOMPARE(plan->size(), std::size_t(1));
                const PhaseResult& r = run->phase(phase)->result;
                std::vector<TransferSet> lanes(r.laneS.size());
                for (std::size_t t = 0; t < plan->front().transfers.size(); ++t) {
                    const auto& x = plan->front().transfers[t];
                    lanes[plan->front().tag[t]].add(x.source, x.destination, x.bytes, 0);
                }
                const auto exact = runTogether(f, lanes, std::array{job});
                QRUN(exact);
                double last = 0;
                for (std::size_t l = 0; l < lanes.size(); ++l) {
                    last = std::max(last, exact->finishS[l]);
                    QVERIFY2(exact->finishS[l] <= r.laneS[l] * (1 + 1e-9), phase);
                    QVERIFY(exact->aloneS[l] <= exact->finishS[l] * (1 + 1e-9));
                }
                QNEAR(last, r.fluidS, 1e-9);
            }
        }
    }

    /// Racks of 72 are one scale-up domain each: tensor and expert groups inside one use no NIC.
    void rackScaleDomains()
    {
        const auto f = *workloadFabric(*design("nvl72", {}));
        QCOMPARE(f.gpusPerHost, 4u);
        QCOMPARE(f.scaleUpGbps, 7200.0);
        std::map<std::uint32_t, int> size;
        for (const auto d : f.domainOfHost) ++size[d];
        for (const auto& [domain, hosts] : size) QCOMPARE(hosts, 18);
        TrainingJob job = gptJob(8, 1, 18);
        const auto run = runJob(f, job);
        QRUN(run);
        QCOMPARE(run->phase("tensor")->result.flows, std::uint64_t(0)); // over two trays
        QNEAR(run->phase("tensor")->result.fluidS, 2 * 7 / 8.0 * run->phase("tensor")->bytes / 900e9, 1e-9);
        QVERIFY(run->phase("gradient")->result.flows > 0);
    }

    /// A mixture of experts: expert groups inside the data ranks, their gradients over the rest.
    void mixtureOfExperts()
    {
        const auto f = hpn(1, 4);
        TrainingJob job = gptJob(8, 8, 64);
        job.model = mixture1800B();
        job.model.heads = 96;
        job.cut.expert = 16;
        job.cut.microBatches = 16;
        const auto run = runJob(f, job);
        QRUN(run);
        const auto *expert = run->phase("expert"), *rest = run->phase("expert gradient");
        QVERIFY(expert && rest);
        QCOMPARE(expert->groupSize, 16u);
        QCOMPARE(rest->groupSize, 4u);
        QNEAR(expert->timesPerIteration, 4.0 * 120 / 8 * 16, 1e-12);
        QNEAR(rest->bytes, trainingVolume(job.model, job.cut, job.recompute).gradientExpertBytes, 1e-12);
        const Iteration& it = run->iteration;
        QNEAR(it.computeS + it.exposedTensorS + it.exposedContextS + it.exposedExpertS + it.bubbleS + it.exposedPipelineS + it.exposedGradientS +
                  it.optimizerS,
              it.iterationS, 1e-9);
        QVERIFY(it.exposedExpertS > 0);
        QVERIFY(!run->warnings.empty()); // 1.8T on 64 GPUs a replica does not fit
    }

    /// 122,880 GPUs: every ring edge, send and expert message, in seconds.
    void wholeSuperPod()
    {
        const auto f = hpn(8, 15);
        QCOMPARE(f.gpuCount(), 122880u);
        TrainingJob job = gptJob(8, 8, 1920);
        JobRunOptions options;
        options.keepLinkBytes = false;
        QElapsedTimer timer;
        timer.start();
        const auto run = runJob(f, job, options);
        const double seconds = double(timer.elapsed()) / 1000;
        QRUN(run);
        qInfo("122,880 GPUs: %.2f s, iteration %.3f s, gradient %.3f s, MFU %.3f", seconds, run->iteration.iterationS, run->iteration.gradientS,
              run->iteration.mfu);
        QCOMPARE(run->phase("gradient")->result.flows, std::uint64_t(245760));
        QVERIFY(run->phase("gradient")->result.certified);
        QVERIFY2(seconds < 60, qPrintable(QString::number(seconds)));
    }
};

QTEST_APPLESS_MAIN(JobsTest)
#include "jobs_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "designs.h"
#include "preset_job.h"
#include "tests/simulation/mixture.h"
#include "tests/simulation/near.h"

#include "simulation/training/aicb.h"
#include "simulation/training/curves.h"
#include "simulation/training/job_mix.h"
#include "simulation/training/presets.h"

#include <QFile>
#include <QTemporaryDir>

#include <array>
#include <map>
#include <numeric>

using namespace hw;
using namespace hw::sim;
using namespace hw::importers;

namespace {

/// A sample in the shape of AICB's files: an older header is one without ep, pp and counts of GPUs.
const std::string kSample = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 2 pp: 1 vpp: 2 ga: 1 all_gpus: 128 checkpoints: 0 "
                            "checkpoint_initiates: 0 pp_comm: 0.0\n"
                            "4\n"
                            "grad_gather\t-1\t1\tNONE\t0\t1\tNONE\t0\t1\tALLGATHER\t2807758848\t100\n"
                            "attention   -1 2571000 ALLREDUCE 50331648 2454000 ALLREDUCE 50331648 2454000 NONE 0 100\r\n"
                            "moe_route\t-1\t1584000\tALLTOALL_EP\t33554432\t2081000\tALLTOALL_EP\t33554432\t2081000\tNONE\t0\t100\n"
                            "moe_grads\t-1\t1\tNONE\t0\t1\tNONE\t0\t1\tREDUCESCATTER_DP_EP\t1000000000\t100\n";

SharingJob sharing(const char* name, double gpus, double compute, double communicate, std::vector<SharingJob::Load> load)
{
    SharingJob j;
    j.name = name, j.gpus = gpus, j.computeS = compute, j.communicateS = communicate, j.load = std::move(load);
    return j;
}

double utilization(const std::vector<SharingJob>& jobs, SharePolicy policy)
{
    SharingSettings s;
    s.policy = policy;
    s.warmUpS = 500, s.measureS = 5000, s.phases = 16;
    const auto r = shareFabric(jobs, s);
    return r ? r->utilization : -1;
}

} // namespace

class StudiesTest : public QObject {
    Q_OBJECT
private slots:
    void aicbRoundTrip()
    {
        const auto read = parseAicb(kSample, "sample.txt");
        QRUN(read);
        QCOMPARE(read->tensor, 8);
        QCOMPARE(read->gpus, 128LL);
        QCOMPARE(read->layers.size(), std::size_t(4));
        QCOMPARE(read->layers[0].weightGradient.communication.bytes, std::uint64_t(2807758848));
        QVERIFY(read->layers[2].forward.communication.group == AicbGroup::Expert);
        QVERIFY(read->layers[3].weightGradient.communication.group == AicbGroup::ExpertData);
        QCOMPARE(read->layers[1].forward.computeNs, std::uint64_t(2571000));
        const auto again = parseAicb(toText(*read), "again");
        QRUN(again);
        QVERIFY(*again == *read);
        const auto old = parseAicb("HYBRID_TRANSFORMER_FWD_IN_BCKWD\tmodel_parallel_NPU_group: 8 checkpoints: 0 checkpoint_initiates: 0\n1\n"
                                   "micro_test\t-1\t1\tNONE\t0\t1\tNONE\t0\t1\tALLREDUCE\t4096\t1",
                                   "old");
        QRUN(old);
        QCOMPARE(old->gpus, 0LL);
    }

    /// Kinds of workloads that one column or layer of communicates, among all GPUs; lists of checkpoints; BROADCAST.
    void aicbKinds()
    {
        const auto f = hpn(1, 1);
        TrainingJob base;
        base.latency = {0, 0, 0};
        const std::string layers = "\n2\na -1 1000 ALLGATHER 1000000000 1000 NONE 0 1000 ALLREDUCE 1000000000 10\n"
                                   "b -1 1000 NONE 0 1000 NONE 0 1000 ALLREDUCE 1000000000 10\n";
        const auto run = [&](const std::string& header) {
            const auto read = parseAicb(header + layers, "w");
            if (!read) qFatal("%s", read.error().text().c_str());
            if (!(*parseAicb(toText(*read), "again") == *read)) qFatal("not the same again");
            auto made = runAicb(f, *read, base, 128);
            if (!made) qFatal("%s", made.error().text().c_str());
            return *made;
        };
        const AicbRun micro = run("MICRO"), data = run("DATA"), model = run("MODEL");
        QCOMPARE(micro.kinds.size(), std::size_t(1));
        QCOMPARE(micro.kinds[0].operations, std::uint64_t(1)); // of the first layer
        QCOMPARE(data.kinds.size(), std::size_t(1));
        QCOMPARE(data.kinds[0].operations, std::uint64_t(2));
        QNEAR(data.communicationS, 2 * micro.communicationS, 1e-9);
        QCOMPARE(model.kinds.size(), std::size_t(1));
        QCOMPARE(model.kinds[0].name, std::string("tensor all-gather"));
        QVERIFY(data.computeS > micro.computeS);
        const auto old = run("HYBRID_TRANSFORMER model_parallel_NPU_group: 8");
        QCOMPARE(old.kinds.size(), std::size_t(2));
        const auto listed = parseAicb(
            "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 checkpoints: 3 1 4 9 checkpoint_initiates: 2 3 8 pp_comm: 7" + layers, "w");
        QRUN(listed);
        QVERIFY((listed->checkpointLayers == std::vector<std::int64_t>{1, 4, 9}));
        QVERIFY((listed->initiateLayers == std::vector<std::int64_t>{3, 8}));
        QCOMPARE(listed->pipelineBytes, std::uint64_t(7));
        QVERIFY(*parseAicb(toText(*listed), "again") == *listed);
        const auto cast = parseAicb("DATA\n1\na -1 1 NONE 0 1 NONE 0 1 BROADCAST 1000000000 1\n", "w");
        QRUN(cast);
        const auto played = runAicb(f, *cast, base, 128);
        QRUN(played);
        QVERIFY(played->communicationS > 0);
        for (const char* header : {"HYBRID_DLRM", "HYBRID_DATA_MODEL"}) {
            const auto refused = parseAicb(header + layers, "w");
            QVERIFY(!refused && refused.error().text().find("dimensions") != std::string::npos);
        }
        QVERIFY(looksLikeAicb("MICRO" + layers) && looksLikeAicb("DATA\n") && !looksLikeAicb("DATA of the hall\n") && !looksLikeAicb(""));
    }

    void aicbErrors_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("error");
        QTest::newRow("policy") << "HYBRID"
                                << "DATA"
                                << "sample.txt:1: does not start with";
        QTest::newRow("key") << "vpp:"
                             << "wpp:"
                             << "sample.txt:1: \"wpp\" is not a valid header key";
        QTest::newRow("degree") << "ep: 2"
                                << "ep: 0"
                                << "sample.txt:1: ep \"0\"";
        QTest::newRow("count") << "\n4\n"
                               << "\nfour\n"
                               << "sample.txt:2: number of layers \"four\"";
        QTest::newRow("few") << "\n4\n"
                             << "\n5\n"
                             << "file ends after 4 of 5 layers";
        QTest::newRow("many") << "\n4\n"
                              << "\n3\n"
                              << "sample.txt:6: exceeds the layer count of the file";
        QTest::newRow("huge") << "\n4\n"
                              << "\n99999999999\n"
                              << "sample.txt:2: too many layers";
        QTest::newRow("columns") << "\t2807758848\t100"
                                 << "\t2807758848"
                                 << "sample.txt:3: has 11 columns";
        QTest::newRow("collective") << "ALLTOALL_EP"
                                    << "ALLTOSOME_EP"
                                    << "sample.txt:5: \"ALLTOSOME\" is not a valid collective";
        QTest::newRow("size") << "33554432"
                              << "-5"
                              << "sample.txt:5: size \"-5\"";
        QTest::newRow("fraction") << "2571000"
                                  << "2571.5"
                                  << "sample.txt:4: compute time";
    }
    void aicbErrors()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, error);
        QString text = QString::fromStdString(kSample);
        text.replace(text.indexOf(from), from.size(), to);
        const auto read = parseAicb(text.toStdString(), "sample.txt");
        QVERIFY(!read.has_value());
        QCOMPARE(read.error().code, ErrorCode::Unreadable);
        QVERIFY2(read.error().text().find(error.toStdString()) != std::string::npos, read.error().text().c_str());
        QVERIFY(!parseAicb("", "empty").has_value());
        for (std::size_t cut = 0; cut + 8 < kSample.size(); cut += 7)
            QVERIFY(!parseAicb(kSample.substr(0, cut), "cut").has_value()); // truncated anywhere
    }

    /// The sample by hand: 16 hosts of a segment, TP 8 in the host, DP 16 over the rail, EP 2 of neighbors.
    void aicbOnAFabric()
    {
        const auto f = hpn(1, 1);
        TrainingJob base;
        base.latency = {0, 0, 0};
        const auto run = runAicb(f, *parseAicb(kSample, "sample"), base);
        QRUN(run);
        const double nic = 50e9, nv = 200e9;
        const double tensor = 2 * (2 * 7 / 8.0 * 50331648 / nv), gather = 15 / 16.0 * 2807758848.0 / nic, expert = 2 * (33554432.0 / 2 / nic),
                     scatter = 7 / 8.0 * 1e9 / nic;
        QNEAR(run->communicationS, tensor + gather + expert + scatter, 1e-9);
        QNEAR(run->computeS, (1 + 1 + 1 + 2571000 + 2454000 + 2454000 + 1584000 + 2081000 + 2081000 + 1 + 1 + 1 + 400) * 1e-9, 1e-12);
        QNEAR(run->iterationS, run->computeS + run->communicationS, 1e-12);
        QCOMPARE(run->kinds.size(), std::size_t(4));
        QCOMPARE(run->kinds[0].name, std::string("tensor all-reduce"));
        QCOMPARE(run->kinds[0].operations, std::uint64_t(2));
        QVERIFY(run->certified);
        // Two stages, four micro-batches: one micro-batch's work more, and a send of 1 GB there and one back.
        AicbWorkload staged = *parseAicb(kSample, "sample");
        staged.pipeline = 2, staged.gradientAccumulation = 4, staged.pipelineBytes = 1'000'000'000;
        const auto two = runAicb(f, staged, base);
        QRUN(two);
        const double gather8 = 7 / 8.0 * 2807758848.0 / nic, scatter4 = 3 / 4.0 * 1e9 / nic; // eight replicas now
        QNEAR(two->bubbleS, (run->computeS + tensor + expert) / 4, 1e-9);
        QNEAR(two->pipelineS, 2 * 1e9 / nic, 1e-9);
        QNEAR(two->iterationS, run->computeS + tensor + expert + gather8 + scatter4 + two->bubbleS + two->pipelineS, 1e-9);
        AicbWorkload odd = *parseAicb(kSample, "sample");
        odd.gpus = 100;
        QVERIFY(!runAicb(f, odd, base).has_value());
        odd.gpus = 0;
        QVERIFY(!runAicb(f, odd, base).has_value());
        QVERIFY(runAicb(f, odd, base, 64).has_value());
    }

    /// Small messages are bound by latency, large ones by the wires; busbw is what the NICs carry (here: all of NVLink's 200 GB/s).
    void bandwidthOverSizeAndHosts()
    {
        const auto f = hpn(1, 2);
        TrainingJob job;
        const std::array hosts{2u, 16u};
        const std::array bytes{1e4, 1e6, 1e8, 1e12};
        const auto curve = bandwidthCurve(f, {Collective::AllReduce, AllReduceAlgorithm::Hierarchical}, hosts, bytes, job);
        QRUN(curve);
        QCOMPARE(curve->size(), std::size_t(8));
        for (std::size_t i = 0; i < curve->size(); ++i) {
            const auto& p = (*curve)[i];
            if (i % 4 > 0) QVERIFY(p.busBytesPerS > (*curve)[i - 1].busBytesPerS);
            HostGroup g{int(p.hosts), 8, {job.latency.insideS, 200e9}, {job.latency.outsideS + job.latency.hopS, 50e9}}; // all under one switch
            QNEAR(p.timeS, hierarchicalAllReduceS(g, p.bytes), 1e-9);
            QNEAR(p.algorithmBytesPerS * 2 * (p.ranks - 1.0) / p.ranks, p.busBytesPerS, 1e-12);
        }
        QVERIFY((*curve)[4].timeS > (*curve)[0].timeS);
        QVERIFY(!bandwidthCurve(f, {}, hosts, std::array{0.0}, job).has_value());
        QVERIFY(!bandwidthCurve(f, {}, std::array{1000u}, bytes, job).has_value());
    }

    /// CHECKS P5: hierarchical all-reduce on 1.6T hosts against 100G ones, NVLink 300 GB/s: 7.92, 10.0, 10.36 times.
    void fasterHosts()
    {
        auto f = hpn(1, 1);
        TrainingJob job;
        job.latency = {0, 0, 0};
        job.accelerator.scaleUpGbps = 2400;
        FabricState fast(*f.graph), slow(*f.graph); // 400G NICs become 200G, and 12.5G
        for (std::uint32_t gpu = 0; gpu < f.gpuCount(); ++gpu)
            for (const auto& port : f.ports(gpu)) fast.setShare(port.link, 0.5), slow.setShare(port.link, 1 / 32.0);
        for (const auto& [hosts, ratio] : {std::pair(2u, 7.92), std::pair(8u, 10.0), std::pair(32u, 10.36)}) {
            double time[2];
            int i = 0;
            for (const auto* state : {&slow, &fast}) {
                JobRunOptions options;
                options.phase.state = state;
                const auto curve =
                    bandwidthCurve(f, {Collective::AllReduce, AllReduceAlgorithm::Hierarchical}, std::array{hosts}, std::array{1e9}, job, options);
                QRUN(curve);
                time[i++] = curve->front().timeS;
            }
            QNEAR(time[0] / time[1], ratio, 0.01);
        }
    }

    void scaling()
    {
        const auto f = hpn(1, 8);
        TrainingJob job = gptJob(8, 8, 1);
        job.cut.microBatches = 64;
        const std::array<std::int64_t, 4> gpus{64, 512, 2048, 8192};
        const auto weak = scalingCurve(f, job, gpus), strong = scalingCurve(f, job, gpus, 64 * 128);
        QRUN(weak);
        QRUN(strong);
        for (std::size_t i = 1; i < 4; ++i) {
            QVERIFY((*weak)[i].efficiency <= (*weak)[i - 1].efficiency + 1e-12); // more replicas only add gradients
            QVERIFY((*strong)[i].efficiency < (*strong)[i - 1].efficiency);
            QVERIFY((*strong)[i].tokensPerS > (*strong)[i - 1].tokensPerS);
            QNEAR((*weak)[i].efficiencyToFirst, (*weak)[i].efficiency / (*weak)[0].efficiency, 1e-9);
        }
        QCOMPARE((*weak)[3].gpus, 8192LL);
        QVERIFY((*weak)[0].efficiency < 1 && (*weak)[3].efficiency > 0.5);
        QCOMPARE((*strong)[0].cut.microBatches, 8192);
    }

    /// CHECKS S3, SOURCES A18 against B14: which dimension may cross pods is a result. Two pods of four segments, TP 8, PP 8, DP 128.
    void whichDimensionMayCross()
    {
        const auto f = hpn(2, 15);
        TrainingJob job = gptJob(8, 8, 480);
        job.overlap.gradient = 0;
        JobRunOptions options;
        options.phase = sprayed();
        const auto rows = comparePodCrossings(f, job, options);
        QRUN(rows);
        QCOMPARE(rows->size(), std::size_t(4));
        std::map<std::pair<Dimension, Placement>, const PodCrossing*> by;
        for (const auto& r : *rows) {
            by[{r.crossing, r.placement}] = &r;
            QVERIFY2(r.refused.empty(), words(r.refused).c_str());
        }
        const auto &pp = *by[{Dimension::Pipeline, Placement::Contiguous}], &dp = *by[{Dimension::Data, Placement::Contiguous}];
        const auto &ppEach = *by[{Dimension::Pipeline, Placement::AlternatingPods}], &dpEach = *by[{Dimension::Data, Placement::AlternatingPods}];
        QNEAR(dpEach.crossingPhaseS, 3.49, 0.01);
        QNEAR(dp.crossingPhaseS, 0.218, 0.01);
        QNEAR(pp.crossingPhaseS, 0.503e-3, 0.01);
        QNEAR(pp.crossShare, 1 / 7.0, 1e-9);
        QNEAR(dp.crossShare, 1 / 479.0, 1e-9);
        QNEAR(dpEach.crossShare, 1, 1e-12);
        QVERIFY(rows->back().crossing == Dimension::Data && rows->back().placement == Placement::AlternatingPods);
        QVERIFY(dpEach.slowDown > 1.2 && pp.slowDown < 1.05 && dp.slowDown < 1.05);
        QVERIFY(ppEach.iterationS > pp.iterationS);
        QNEAR(rows->front().slowDown, 1, 1e-12);
        for (std::size_t i = 1; i < rows->size(); ++i) QVERIFY((*rows)[i].iterationS >= (*rows)[i - 1].iterationS);
        QVERIFY(!comparePodCrossings(hpn(1, 2), gptJob(8, 1, 4)).has_value());
    }

    /// The same for a mixture of experts: all-to-all across pods is dear, sends across pods are cheap (CHECKS S3, conclusion).
    void expertsAcrossPodsAreDear()
    {
        const auto f = hpn(2, 4);
        TrainingJob job = gptJob(8, 8, 128);
        job.model = mixture1800B();
        job.model.heads = 96;
        job.cut.expert = 16, job.cut.microBatches = 16;
        JobRunOptions options;
        options.phase = sprayed();
        const auto rows = comparePodCrossings(f, job, options);
        QRUN(rows);
        QCOMPARE(rows->size(), std::size_t(6));
        std::map<Dimension, const PodCrossing*> inARow;
        for (const auto& r : *rows)
            if (r.placement == Placement::Contiguous) inARow[r.crossing] = &r;
        const auto &pp = *inARow[Dimension::Pipeline], &ep = *inARow[Dimension::Expert];
        QVERIFY2(pp.refused.empty() && ep.refused.empty(), (words(pp.refused) + words(ep.refused)).c_str());
        QVERIFY(pp.slowDown < 1.05);
        QVERIFY2(ep.slowDown > 1.08 && ep.topTierBytes > 10 * pp.topTierBytes,
                 qPrintable(QString("%1 %2").arg(ep.slowDown).arg(ep.topTierBytes / pp.topTierBytes)));
    }

    /// Long work stops when asked to, with nothing but the word that it was stopped.
    void stopping()
    {
        const auto f = hpn(1, 1);
        std::stop_source source;
        source.request_stop();
        Progress progress;
        progress.stop = source.get_token();
        const auto stopped = [](const auto& result) { return !result && result.error().code == ErrorCode::Canceled; };
        QVERIFY(stopped(runJob(f, gptJob(8, 1, 16), {}, progress)));
        JobRunOptions even;
        even.phase = sprayed();
        QVERIFY(stopped(runJob(f, gptJob(8, 1, 16), even, progress)));
        JobMix mix = defaultMix();
        mix.classes.resize(4);
        QVERIFY(stopped(occupy(f, mix, 10, progress)));
        const std::array jobs{sharing("a", 8, 1, 1, {{0, 1}}), sharing("b", 8, 1, 1, {{0, 1}})};
        QVERIFY(stopped(shareFabric(jobs, {}, progress)));
    }

    /// CHECKS S8: utilization 62.2 % by intensity, about 54.2 % fair, 50.0 % reversed.
    void priorities()
    {
        std::vector<SharingJob> jobs{sharing("J1", 32, 2, 1, {{7, 1}}), sharing("J2", 8, 2, 2, {{7, 1}})};
        const double byIntensity = utilization(jobs, SharePolicy::ByIntensity), fair = utilization(jobs, SharePolicy::Fair),
                     reversed = utilization(jobs, SharePolicy::ByReverseIntensity);
        QVERIFY2(std::abs(byIntensity - 0.622) < 0.01, qPrintable(QString::number(byIntensity)));
        QVERIFY2(std::abs(fair - 0.542) < 0.02, qPrintable(QString::number(fair)));
        QVERIFY2(std::abs(reversed - 0.500) < 0.01, qPrintable(QString::number(reversed)));
        QCOMPARE(utilization(jobs, SharePolicy::Listed), fair); // equals share fairly
        jobs[1].priority = 1;
        QCOMPARE(utilization(jobs, SharePolicy::Listed), reversed);
        jobs[0].priority = 2;
        QCOMPARE(utilization(jobs, SharePolicy::Listed), byIntensity);
        const double fifo = utilization(jobs, SharePolicy::Fifo);
        QVERIFY(fifo > 0.49 && fifo < 0.63);
    }

    /// Jobs that do not compete run as alone; half-loads fit together; adding a job never speeds the others up.
    void sharingLaws()
    {
        std::vector<SharingJob> jobs{sharing("a", 8, 1, 1, {{0, 1}}), sharing("b", 8, 1, 1, {{1, 1}}), sharing("c", 16, 3, 1, {{1, 0.5}, {2, 0.5}})};
        auto r = shareFabric(jobs);
        QRUN(r);
        QCOMPARE(r->jobs[0].slowDown, 1.0);
        QVERIFY(!r->jobs[0].shares && r->jobs[1].shares && r->jobs[2].shares);
        QCOMPARE(r->sharedLinks, 1u);
        QVERIFY(r->jobs[1].slowDown > 1.01 && r->jobs[1].slowDown < 2);
        jobs[1].load[0].share = 0.5;
        r = shareFabric(jobs);
        QCOMPARE(r->worstSlowDown, 1.0);
        QNEAR(r->utilization, r->utilizationAlone, 1e-12);
        QNEAR(r->utilization, (8 * 0.5 + 8 * 0.5 + 16 * 0.75) / 32, 1e-12);
        // Two like jobs that always communicate share a link evenly.
        std::vector<SharingJob> pair{sharing("a", 8, 1e-3, 1, {{0, 1}}), sharing("b", 8, 1e-3, 1, {{0, 1}})};
        r = shareFabric(pair);
        QNEAR(r->jobs[0].slowDown, 2, 0.01);
        QNEAR(r->jobs[1].slowDown, 2, 0.01);
        // Parts: only half of each one's communication is on the shared link. With strict priority the second waits for half of the time.
        SharingJob burst = sharing("p", 8, 1e-3, 2, {});
        burst.parts = {{1, {{0, 1}}}, {1, {{1, 1}}}};
        burst.priority = 1;
        SharingJob other = sharing("q", 8, 1e-3, 1, {{1, 1}});
        const std::array mixed{burst, other};
        SharingSettings listed;
        listed.policy = SharePolicy::Listed;
        r = shareFabric(mixed, listed);
        QRUN(r);
        QNEAR(r->jobs[0].slowDown, 1, 1e-6); // it goes first everywhere
        QNEAR(r->jobs[1].slowDown, 2, 0.02); // link 1 is taken half of the time
        QCOMPARE(r->sharedLinks, 1u);
        burst.parts.pop_back();
        QVERIFY(!shareFabric(std::array{burst, other}).has_value()); // the parts do not add up
        // A link of which every job asks less than of another one is never full first.
        const std::vector<SharingJob> one{sharing("a", 8, 1, 2, {{0, 0.9}}), sharing("b", 16, 2, 1, {{0, 0.7}})},
            two{sharing("a", 8, 1, 2, {{0, 0.9}, {1, 0.8}}), sharing("b", 16, 2, 1, {{0, 0.7}, {1, 0.6}})},
            crossing{sharing("a", 8, 1, 2, {{0, 0.9}, {1, 0.5}}), sharing("b", 16, 2, 1, {{0, 0.7}, {1, 0.95}})};
        for (const SharePolicy policy : {SharePolicy::Fair, SharePolicy::ByIntensity, SharePolicy::Fifo}) {
            SharingSettings by;
            by.policy = policy;
            const auto narrow = shareFabric(one, by), wide = shareFabric(two, by), both = shareFabric(crossing, by);
            QCOMPARE(wide->utilization, narrow->utilization);
            QVERIFY(narrow->sharedLinks == 1 && wide->sharedLinks == 2 && both->sharedLinks == 2);
            QVERIFY(both->utilization > 0 && both->utilization <= both->utilizationAlone);
        }
        // Hidden communication costs nothing alone.
        SharingJob hidden = sharing("h", 8, 2, 1, {{0, 1}});
        hidden.overlap = 0.5;
        QNEAR(hidden.aloneS(), 2, 1e-12);
        QVERIFY(!shareFabric({}).has_value());
        pair[0].computeS = 0;
        QVERIFY(!shareFabric(pair).has_value());
    }

    /// From given starts: A and B, like jobs that only communicate (1 s), on one link. A is alone until B starts at 2.5; then both have half of
    /// it. A leaves after its 4th iteration: 1, 2, then half an iteration alone and half of one shared: 3.5, and a shared one: 5.5. B has its
    /// first at 4.5 and half of its second by then; it goes on alone: 6, 7, 8.
    void givenStarts()
    {
        std::vector<SharingJob> jobs{sharing("A", 8, 1e-9, 1, {{0, 1}}), sharing("B", 8, 1e-9, 1, {{0, 1}})};
        jobs[0].iterations = 4;
        jobs[1].startS = 2.5;
        SharingSettings settings;
        settings.untilS = 8.2;
        const auto check = [&](std::size_t job, const SharingOutcome& r, const std::vector<double>& ends) {
            QCOMPARE(r.jobs[job].endsS.size(), ends.size());
            for (std::size_t i = 0; i < ends.size(); ++i)
                QVERIFY2(std::abs(r.jobs[job].endsS[i] - ends[i]) < 1e-6, qPrintable(QString("%1 %2").arg(i).arg(r.jobs[job].endsS[i])));
        };
        const auto fair = shareFabric(jobs, settings);
        QRUN(fair);
        check(0, *fair, {1, 2, 3.5, 5.5});
        check(1, *fair, {4.5, 6, 7, 8});
        QNEAR(fair->jobs[0].slowDown, 5.5 / 4, 1e-6);
        settings.policy = SharePolicy::Listed; // equals: the same
        check(0, *shareFabric(jobs, settings), {1, 2, 3.5, 5.5});
        jobs[1].priority = 1; // B preempts: A stands in the middle of its third
        const auto preempted = shareFabric(jobs, settings);
        QRUN(preempted);
        check(0, *preempted, {1, 2});
        check(1, *preempted, {3.5, 4.5, 5.5, 6.5, 7.5});
        jobs[1].startS = 9;
        QVERIFY(!shareFabric(jobs, settings).has_value());
    }

    /// Two jobs from the fabric: alone they take what their iteration says; interleaved on the same ToR up-links they slow each other down.
    void sharedFabric()
    {
        const auto f = hpn(1, 4);
        TrainingJob job = gptJob(8, 1, 64);
        job.cut.microBatches = 1, job.overlap.gradient = 0;
        std::vector<SharingJob> jobs;
        for (std::uint32_t first = 0; first < 2; ++first) {
            JobRunOptions options;
            for (std::uint32_t k = 0; k < 64; ++k) options.hosts.push_back(k % 4 * 128 + k / 4 * 2 + first); // segment by segment in turn
            const auto run = runJob(f, job, options);
            QRUN(run);
            jobs.push_back(sharingJob(f, *run));
            QNEAR(jobs.back().aloneS(), run->iteration.iterationS, 1e-9);
            double most = 0;
            for (const auto& l : jobs.back().load) most = std::max(most, l.share);
            QNEAR(most, 1, 1e-6); // at full speed its bottleneck is full
            double seconds = 0;
            for (const auto& part : jobs.back().parts) seconds += part.seconds;
            QNEAR(seconds, jobs.back().communicateS, 1e-12);
        }
        const auto r = shareFabric(jobs);
        QRUN(r);
        QVERIFY(r->sharedLinks > 0);
        QVERIFY(r->meanSlowDown > 1.01 && r->meanSlowDown < 2.01);
        QVERIFY(r->utilization < r->utilizationAlone);
    }

    /// Two tenants' jobs, placed one after the other: in segments of their own they do not meet, in turn over all segments they do.
    void jobsOfTenants()
    {
        const auto f = hpn(1, 4);
        TrainingJob a = gptJob(8, 1, 128), b = a;
        a.name = "a", a.tenant = "red", b.name = "b", b.tenant = "blue";
        a.overlap.gradient = b.overlap.gradient = 0;
        a.cut.microBatches = b.cut.microBatches = 1;
        const std::array policies{SharePolicy::Fair, SharePolicy::ByIntensity};
        auto apart = runJobs(f, std::array{a, b}, policies);
        QRUN(apart);
        QCOMPARE(apart->runs[0].spread.segments, 1u);
        QVERIFY(apart->runs[1].hosts.front() == 128);
        QCOMPARE(apart->policies[0].outcome.worstSlowDown, 1.0);
        QCOMPARE(apart->jobs[1].tenant, std::string("blue"));
        a.placement = b.placement = Placement::AlternatingSegments;
        const auto mixed = runJobs(f, std::array{a, b}, policies);
        QRUN(mixed);
        // Every ring edge climbs. Alone a job's slowest ToR up-link is full (hash collisions); some of these carry the other's flows too.
        float most = 0;
        for (const float share : mixed->askedShare) most = std::max(most, share);
        QVERIFY2(most > 1.0f && most < 2.1f, qPrintable(QString::number(most)));
        QVERIFY(mixed->policies[0].outcome.worstSlowDown > 1.001);
        // Each on the paths that the others load least: no link is asked for more, and nobody waits longer.
        const auto chosen = runJobs(f, std::array{a, b}, policies, {}, {}, 1, JobPaths::ByIntensity);
        QRUN(chosen);
        QCOMPARE(chosen->runs[1].hosts, mixed->runs[1].hosts);
        QVERIFY(*std::ranges::max_element(chosen->askedShare) <= most);
        QVERIFY(chosen->policies[0].outcome.worstSlowDown <= mixed->policies[0].outcome.worstSlowDown + 1e-9);
        const auto run = runJobs(f, std::array{a, gptJob(8, 1, 1024)}, policies);
        QVERIFY(!run && run.error().text().find("job \"GPT-3 175B\"") != std::string::npos); // not enough is left
        const std::array<std::vector<std::uint32_t>, 1> one;
        QVERIFY(!runJobs(f, std::array{a, b}, policies, {}, one).has_value());
        std::vector<std::uint32_t> same(128);
        std::iota(same.begin(), same.end(), 0u);
        QVERIFY(!runJobs(f, std::array{a, b}, policies, {}, std::array{same, same}).has_value());
    }

    void mixOfJobs()
    {
        const JobMix mix = defaultMix();
        double all = 0, under = 0;
        for (const MixClass& c : mix.classes) all += c.share, under += c.gpus < 1000 ? c.share : 0;
        QNEAR(under / all, 0.963, 1e-9);
        const auto f = hpn(1, 4);
        const auto packed = occupy(f, mix, 1000);
        QRUN(packed);
        QVERIFY2(std::abs(packed->jobsUnder1000 - 0.963) < 0.02, qPrintable(QString::number(packed->jobsUnder1000)));
        QVERIFY2(packed->utilization.value > 0.6 && packed->utilization.value <= 1, qPrintable(QString::number(packed->utilization.value)));
        QVERIFY(packed->fragmentation.value >= 0 && packed->fragmentation.value <= 1);
        QVERIFY(packed->largestGpus <= 2048);
        std::map<std::uint32_t, int> users;
        for (const auto& job : packed->running)
            for (const auto h : job.hosts) QCOMPARE(++users[h], 1); // no host twice
        // With half the hosts free, packing keeps whole segments free and jobs inside one; random places break up all of them.
        const auto wide = hpn(1, 8);
        JobMix roomy = mix;
        roomy.offeredLoad = 0.5;
        JobMix scattered = roomy;
        scattered.placement = Placement::Random;
        const auto tidy = occupy(wide, roomy, 1000), random = occupy(wide, scattered, 1000);
        QRUN(tidy);
        QRUN(random);
        QVERIFY2(random->fragmentation.value > tidy->fragmentation.value + 0.1,
                 qPrintable(QString("%1 %2").arg(random->fragmentation.value).arg(tidy->fragmentation.value)));
        QVERIFY2(random->spreadJobs.value > 0.9 && tidy->spreadJobs.value < 0.3,
                 qPrintable(QString("%1 %2").arg(random->spreadJobs.value).arg(tidy->spreadJobs.value)));
        QCOMPARE(occupy(f, mix, 1000)->utilization.value, packed->utilization.value); // repeatable
        // Everything waits behind a job too large to start, but for backfill.
        JobMix strict = mix;
        strict.backfill = false;
        QVERIFY(occupy(f, strict, 1000)->waitH.value > packed->waitH.value);
        JobMix low = mix;
        low.offeredLoad = 0.3;
        // What is asked for is what runs: the long run lies within the error bar, of few jobs as of many.
        for (const std::uint64_t jobs : {200, 1000, 4000}) {
            const auto few = occupy(f, low, jobs);
            QRUN(few);
            QVERIFY2(std::abs(few->utilization.value - 0.3) <= 1.5 * few->utilization.error,
                     qPrintable(QString("%1 ± %2").arg(few->utilization.value).arg(few->utilization.error)));
            QVERIFY2(few->utilization.error < 1.2 / std::sqrt(double(jobs)), qPrintable(QString::number(few->utilization.error)));
        }
        JobMix half = mix; // half of the hosts, as on a fabric of that size
        half.classes.pop_back(), half.classes.pop_back();
        half.free.assign(f.hosts.size(), 0);
        std::fill_n(half.free.begin(), f.hosts.size() / 2, 1);
        const auto inHalf = occupy(f, half, 200);
        QRUN(inHalf);
        for (const auto& job : inHalf->running)
            for (const auto h : job.hosts) QVERIFY(h < f.hosts.size() / 2);
        QVERIFY(!occupy(hpn(1, 1), mix, 10).has_value());
    }

    void mixOnTheFabric()
    {
        const auto f = hpn(1, 4);
        JobMix mix = defaultMix();
        mix.placement = Placement::Random;
        const std::array policies{SharePolicy::Fair, SharePolicy::Fifo, SharePolicy::ByIntensity};
        const auto study = runMix(f, mix, policies, {}, 300);
        QRUN(study);
        QCOMPARE(study->jobs.size(), study->occupancy.running.size());
        QCOMPARE(study->policies.size(), std::size_t(3));
        QVERIFY(study->meanConnectionsPerHost > 1 && study->mostConnectionsPerHost < 1000); // SOURCES B16
        double gpus = 0;
        for (const auto& t : study->tenants) {
            gpus += t.gpus;
            QVERIFY(t.meanSlowDown >= 1 - 1e-9);
        }
        double running = 0;
        for (const auto& j : study->jobs) running += j.gpus;
        QNEAR(gpus, running, 1e-12);
        for (const auto& p : study->policies) {
            QVERIFY(p.outcome.utilization <= p.outcome.utilizationAlone + 1e-9);
            QVERIFY(p.outcome.worstSlowDown >= 1 - 1e-9);
        }
        QVERIFY(study->policies[2].outcome.utilization >= study->policies[0].outcome.utilization - 0.02); // intensity first is for the whole
    }

    void shippedData()
    {
        const auto library = loadWorkloads(HW_RESOURCES "/workloads");
        QRUN(library);
        QVERIFY(library->accelerators.size() >= 10 && library->presets.size() >= 4);
        for (const auto& fact : library->facts) QVERIFY2(!fact.source.empty() && fact.confidence >= 'A' && fact.confidence <= 'D', fact.path.c_str());
        QNEAR(library->library("tccl")->factor / library->library("nccl")->factor, 1.4, 2e-3); // SOURCES C10
        QNEAR(countParameters(library->model("moe-1.8t")->model).total(), 1.8e12, 0.03);
        QNEAR(countParameters(library->model("gpt3-175b")->model).total(), 175e9, 3e-3); // derived: 174.6e9
        QCOMPARE(library->model("gpt3-175b")->model.publishedParameters, 175e9);
        QNEAR(countParameters(library->model("llama3-405b")->model).total(), 405e9, 3e-3);
        const auto f = *workloadFabric(*design("hpn", {{"segments", std::int64_t(2)}}));
        QCOMPARE(f.serverType, std::string("hpn-host-8gpu"));
        for (const char* slug : {"gpt3-175b", "llama3-405b"}) {
            const auto job = presetJob(*library, slug, f);
            QRUN(job);
            QCOMPARE(job->accelerator.name, std::string("H800"));
            QCOMPARE(job->accelerator.scaleUpGbps, 1600.0);
            QVERIFY(checkJob(*job).has_value());
        }
        const auto f15 = *workloadFabric(*design("hpn", {{"segments", std::int64_t(15)}}));
        const auto moe = presetJob(*library, "moe-1.8t", f15);
        QRUN(moe);
        QCOMPARE(moe->cut.gpus(), 15360LL);
        JobRunOptions lean;
        lean.keepLinkBytes = false;
        const auto run = runJob(f15, *moe, lean);
        QRUN(run);
        QVERIFY2(run->iteration.mfu > 0.05 && run->iteration.mfu < 0.55, qPrintable(QString::number(run->iteration.mfu)));
        QVERIFY(run->phase("expert") && run->phase("expert gradient") && run->phase("send forward"));
    }

    /// Each server type computes with its own accelerator, with the peaks that catalog and workload data agree on, or is refused.
    void acceleratorsOfServers()
    {
        const auto library = *loadWorkloads(HW_RESOURCES "/workloads");
        const auto catalog = *Catalog::load(HW_RESOURCES "/catalog");
        int servers = 0;
        for (const auto& entry : library.accelerators)
            for (const std::string& slug : entry.servers) {
                const Part* part = catalog.find(slug);
                QVERIFY2(part, slug.c_str());
                for (const Precision p : kPrecisionList) {
                    const auto& stated = std::get<DeviceSpec>(part->spec).teraflops;
                    if (const auto found = stated.find(name(p)); found != stated.end())
                        QVERIFY2(near(found->second.value * 1e12, entry.accelerator.peakFlops[std::size_t(p)]), (slug + " " + name(p)).c_str());
                }
                ++servers;
            }
        QVERIFY(servers >= 14);
        for (const char* slug : {"b200", "b300", "gb200", "gb300"}) {
            const auto& peak = library.accelerator(slug)->accelerator.peakFlops;
            QVERIFY(peak[2] == 2 * peak[1] && peak[3] >= 2 * peak[2]);
        }
        auto f = *workloadFabric(*design("google-pods", {{"tpu_pods", std::int64_t(2)}}));
        const auto tpu = designAccelerator(library, f);
        QRUN(tpu);
        QCOMPARE(tpu->name, std::string("TPU v5e"));
        QCOMPARE(tpu->peakFlops[1], 197e12);
        QCOMPARE(tpu->memoryBytes, 16e9);
        QCOMPARE(tpu->scaleUpGbps, 1600.0);
        f.serverType = "made-up-host";
        const auto unknown = designAccelerator(library, f);
        QVERIFY(!unknown && unknown.error().code == ErrorCode::Refused && unknown.error().text().find("made-up-host") != std::string::npos);
        QCOMPARE(designScaleUp(library, f)->scaleUpGbps, 1600.0); // enough for a collective
        f.scaleUpGbps = 0;
        QVERIFY(!designScaleUp(library, f).has_value());
        const auto gb200 = *workloadFabric(*design("nvl72", {}));
        QCOMPARE(designAccelerator(library, gb200)->peakFlops[3], 10e15);
    }

    void brokenData_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("error");
        QTest::newRow("unit") << "accelerators.yaml"
                              << "unit: GB,"
                              << "unit: MB,"
                              << "accelerators.a100.memory.unit";
        QTest::newRow("range") << "accelerators.yaml"
                               << "value: 1.0,"
                               << "value: 3.0,"
                               << "accelerators.a100.sustained.value";
        QTest::newRow("confidence") << "libraries.yaml"
                                    << "confidence: D"
                                    << "confidence: E"
                                    << "libraries.ideal.factor.confidence";
        QTest::newRow("source") << "libraries.yaml"
                                << "source: \"the fluid limit, not reached by any library\", "
                                << ""
                                << "libraries.ideal.factor.source";
        QTest::newRow("key") << "models.yaml"
                             << "heads: {value: 96, s"
                             << "hats: {value: 96, s"
                             << "heads";
        QTest::newRow("extra") << "libraries.yaml"
                               << "name: TCCL"
                               << "name: TCCL\n    color: red"
                               << "libraries.tccl.color";
        QTest::newRow("model") << "presets.yaml"
                               << "model: moe-1.8t"
                               << "model: moe-18t"
                               << "presets.moe-1.8t.model";
        QTest::newRow("cut") << "presets.yaml"
                             << "pipeline: 15"
                             << "pipeline: 150"
                             << "chunks exceed the 120 layers";
        QTest::newRow("batch") << "published.yaml"
                               << "batch: 512"
                               << "batch: 520"
                               << "series.megatron-2021.rows.gpt-1.7b.batch";
        QTest::newRow("figure") << "published.yaml"
                                << "hardware_tflops: 137"
                                << "hardware_flops: 137"
                                << "has no published figure: iteration_s, hardware_tflops, tflops or tokens_per_s";
        QTest::newRow("yaml") << "models.yaml"
                              << "models:"
                              << "models: ["
                              << "models.yaml:";
    }
    void brokenData()
    {
        QFETCH(QString, file);
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, error);
        QTemporaryDir folder;
        for (const char* name : {"accelerators.yaml", "libraries.yaml", "models.yaml", "presets.yaml", "published.yaml"}) {
            QFile in(QString(HW_RESOURCES "/workloads/") + name), out(folder.filePath(name));
            QVERIFY(in.open(QIODevice::ReadOnly) && out.open(QIODevice::WriteOnly));
            QString text = QString::fromUtf8(in.readAll());
            if (file == name) {
                QVERIFY(text.indexOf(from) >= 0);
                text.replace(text.indexOf(from), from.size(), to);
            }
            out.write(text.toUtf8());
        }
        const auto library = loadWorkloads(folder.path().toStdString());
        QVERIFY(!library.has_value());
        QCOMPARE(library.error().code, ErrorCode::Unreadable);
        QVERIFY2(library.error().text().find(error.toStdString()) != std::string::npos, library.error().text().c_str());
        QVERIFY(!loadWorkloads("/nowhere").has_value());
    }
};

QTEST_APPLESS_MAIN(StudiesTest)
#include "studies_test.moc"

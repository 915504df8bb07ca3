// SPDX-License-Identifier: GPL-3.0-or-later
// The compute model against published runs, jobs in scale-up domains, algorithms chosen by size.
#include "designs.h"
#include "preset_job.h"
#include "tests/simulation/near.h"

#include "simulation/training/curves.h"
#include "simulation/training/presets.h"

#include <array>
#include <limits>
#include <numeric>

using namespace hw;
using namespace hw::sim;

namespace {

const WorkloadLibrary& library()
{
    static const auto read = loadWorkloads(HW_RESOURCES "/workloads");
    if (!read) qFatal("%s", read.error().text().c_str());
    return *read;
}

/// Share of the peak while computing, of a plain GPT layer's sizes.
double computeShare(int hidden, int tensor, int microBatch, int sequence = 2048)
{
    TrainingJob job;
    job.model.layers = 16, job.model.hidden = hidden, job.model.heads = hidden / 128, job.model.sequence = sequence;
    job.accelerator = library().accelerator("a100")->accelerator;
    job.cut = {};
    job.cut.tensor = tensor, job.cut.pipeline = 1, job.cut.data = 1, job.cut.microBatch = microBatch, job.cut.microBatches = 4;
    return layOutIteration(job, {}).computeFlopsPerGpu / job.peakFlops();
}

/// Fits matrixShare (to 0.005) and depth (to 16) to the calibration rows among `runs`: the least sum of squared errors.
ComputeCalibration calibrate(std::span<const PublishedRun> runs)
{
    const auto misfit = [&](const ComputeCalibration& c) {
        double sum = 0;
        for (const PublishedRun& run : runs)
            if (run.calibration) sum += std::pow(predict(run, c).error, 2);
        return sum;
    };
    ComputeCalibration best;
    double least = std::numeric_limits<double>::infinity();
    for (int depth = 0; depth <= 640; depth += 16)
        for (int share = 120; share <= 200; ++share) { // 0.6 to 1
            ComputeCalibration c;
            c.depth = depth, c.matrixShare = share / 200.0;
            if (const double m = misfit(c); m < least) least = m, best = c;
        }
    return best;
}

} // namespace

class ModelTest : public QObject {
    Q_OBJECT
private slots:
    /// The constants of the model are what the calibration rows (CHECKS T1, T2, T3) give, and nothing else.
    void fittedToTheCalibrationRowsAlone()
    {
        std::vector<PublishedRun> rows;
        for (const PublishedRun& run : library().published)
            if (run.calibration) rows.push_back(run);
        QCOMPARE(rows.size(), std::size_t(3));
        QCOMPARE(rows[0].published, 137.0);
        QCOMPARE(rows[1].published, 135.0);
        QCOMPARE(rows[2].published, 29.02);
        const ComputeCalibration fitted = calibrate(rows), used;
        QCOMPARE(used.matrixShare, fitted.matrixShare);
        QCOMPARE(used.depth, fitted.depth);
        for (const PublishedRun& run : rows) QVERIFY2(std::abs(predict(run).error) < 0.01, run.slug.c_str());
        // T1 and T3 in the other figures that CHECKS gives
        QNEAR(predict(rows[0]).iteration.iterationS, 3.53, 0.02);
        QNEAR(predict(rows[1]).iteration.iterationS, 9.40, 0.02);
        QNEAR(predict(rows[2]).iteration.mfu, 0.487, 0.02);
    }

    /// Everything else is predicted: dense runs from 70B parameters on and all at 16 bits within 15 %, smaller ones in FP8 within 20 %,
    /// mixtures of experts within 25 %, the mean within 8 %. What a row says is outside is outside these bounds indeed.
    void predictsPublishedRuns()
    {
        int mixtures = 0, narrow = 0;
        for (const PublishedRun& run : library().published) {
            const PublishedPrediction p = predict(run);
            qInfo("%-26s %-10s %s %-24s published %8.2f predicted %8.2f error %+6.1f %% peak share %.3f%s", run.slug.c_str(),
                  run.job.accelerator.name.c_str(), name(run.job.precision), name(run.measure), run.published, p.predicted, 100 * p.error,
                  p.iteration.hfu,
                  run.calibration       ? " (calibration)"
                  : run.outside.empty() ? ""
                                        : " (outside)");
            const bool mixture = run.job.model.mixture(), large = countParameters(run.job.model).total() > 65e9;
            const double bound = mixture ? 0.25 : large || run.job.precision == Precision::Bf16 ? 0.15 : 0.20;
            if (run.outside.empty()) mixtures += mixture, narrow += run.job.precision == Precision::Fp8;
            QVERIFY2((std::abs(p.error) < bound) == run.outside.empty(), run.slug.c_str());
        }
        QVERIFY(mixtures >= 8 && narrow >= 16);
        const PredictionQuality q = qualityOf(library().published);
        QVERIFY(q.runs >= 45);
        QVERIFY2(q.meanError < 0.08, qPrintable(QString::number(q.meanError)));
        // as in life: from 18.4B on the share of the peak rises with the hidden size
        double before = 0;
        for (const PublishedRun& run : library().published)
            if (run.series == "megatron-2021" && run.job.model.hidden >= 6144 && run.job.model.hidden <= 20480) {
                QVERIFY2(predict(run).iteration.hfu > before, run.slug.c_str());
                before = predict(run).iteration.hfu;
            }
    }

    /// An answer knows which published runs are like it: kind, precision, accelerator, number of parameters.
    void validatedRanges()
    {
        std::vector<double> errors;
        for (const PublishedRun& run : library().published) errors.push_back(predict(run).error);
        TrainingJob job; // GPT-3 in bf16 on an H800
        job.accelerator = library().accelerator("h800")->accelerator;
        const auto range = [&] { return validatedRange(job, library().published, errors); };
        QVERIFY(range().inside() && range().quality.runs >= 27 && range().quality.worstError < 0.15); // H800 computes as H100
        QVERIFY(range().leastParameters < 4e9 && range().mostParameters > 1e12);
        job.precision = Precision::Fp8;
        QVERIFY(range().inside() && range().leastParameters > 7e9 && range().mostParameters < 410e9);
        job.model.layers *= 4;
        QVERIFY(range().outside == ValidatedRange::Outside::Parameters);
        job = TrainingJob();
        job.accelerator = library().accelerator("tpu-v5e")->accelerator;
        QVERIFY(range().outside == ValidatedRange::Outside::Accelerator);
        job.accelerator.efficiency = 0.4;
        QVERIFY(range().inside());
        job.accelerator = library().accelerator("gb300")->accelerator;
        job.precision = Precision::Fp4;
        QVERIFY(range().outside == ValidatedRange::Outside::NoRuns && range().quality.runs == 0);
        job.precision = Precision::Bf16;
        job.model = library().model("deepseek-v3")->model;
        QVERIFY(range().inside() && range().mixture && range().quality.worstError < 0.25);
        job.model = library().model("qwen3-30b")->model;
        QVERIFY(range().outside == ValidatedRange::Outside::Parameters);
        job.accelerator = library().accelerator("b200")->accelerator;
        job.precision = Precision::Fp8; // its mixtures ran without CUDA graphs
        QVERIFY(range().outside == ValidatedRange::Outside::Accelerator);
    }

    void shareOfThePeakFollowsTheSizes()
    {
        for (const int tensor : {1, 2, 8})
            for (const int microBatch : {1, 4})
                for (int hidden = 1024; hidden < 32768; hidden += 1024)
                    QVERIFY(computeShare(hidden + 1024, tensor, microBatch) > computeShare(hidden, tensor, microBatch));
        for (const int hidden : {4096, 12288}) {
            for (const int tensor : {1, 2, 4}) QVERIFY(computeShare(hidden, 2 * tensor, 1) < computeShare(hidden, tensor, 1));
            for (const int batch : {1, 2, 4, 8}) QVERIFY(computeShare(hidden, 8, 2 * batch) > computeShare(hidden, 8, batch));
            QVERIFY(computeShare(hidden, 8, 1, 4096) > computeShare(hidden, 8, 1, 2048));
        }
    }

    /// FlashAttention keeps no scores; without it 5 a s / h more a value, half of that if causal; without sequence parallelism 10 bytes whole.
    void activationsKept()
    {
        TrainingJob job;
        job.recompute = Recompute::None;
        const double value = 2048.0 * 12288;
        QNEAR(memoryPerGpu(job).layerActivationBytes, value * 34 / 8, 1e-12);
        job.model.flashAttention = false;
        QNEAR(memoryPerGpu(job).layerActivationBytes, value * (34 + 2.5 * 96 * 2048 / 12288) / 8, 1e-12);
        job.model.causalAttention = false;
        QNEAR(memoryPerGpu(job).layerActivationBytes, value * (34 + 5.0 * 96 * 2048 / 12288) / 8, 1e-12);
        job.cut.sequenceParallel = false;
        QNEAR(memoryPerGpu(job).layerActivationBytes, value * (10 + 24 / 8.0 + 5.0 * 96 * 2048 / 12288 / 8), 1e-12);
        job.recompute = Recompute::Full;
        QNEAR(memoryPerGpu(job).layerActivationBytes, value * 2, 1e-12);
        for (const auto& preset : library().presets) QVERIFY(preset.job.model.flashAttention);
    }

    /// A fuller stage sets the pace, and the parts still add up.
    void unevenStagesOnATimeLine()
    {
        TrainingJob job;
        job.accelerator.efficiency = 0.5;
        job.model.vocabulary = 1;
        job.cut.pipeline = 16, job.cut.data = 1, job.cut.microBatches = 64;
        job.model.layers = 126;
        const Iteration uneven = layOutIteration(job, {});
        job.model.layers = 128;
        const Iteration even = layOutIteration(job, {});
        job.model.layers = 112;
        const Iteration seven = layOutIteration(job, {});
        QVERIFY(uneven.iterationS < even.iterationS && uneven.iterationS > 0.98 * even.iterationS);
        QNEAR(uneven.computeS, even.computeS, 1e-6);
        QNEAR(seven.computeS, even.computeS * 7 / 8, 1e-6);
        QNEAR(uneven.computeS + uneven.bubbleS, uneven.iterationS, 1e-9);
        const auto f = hpn(1, 2);
        TrainingJob llama = library().preset("llama3-405b")->job;
        llama.cut.pipeline = 16, llama.cut.virtualStages = 1, llama.cut.data = 4, llama.cut.microBatches = 16;
        const auto run = runJob(f, llama);
        QRUN(run);
        QNEAR(run->phase("tensor")->timesPerIteration, 4.0 * 8 * 16, 1e-12);
        const Iteration& it = run->iteration;
        QNEAR(it.computeS + it.exposedTensorS + it.exposedContextS + it.exposedExpertS + it.bubbleS + it.exposedPipelineS + it.exposedGradientS +
                  it.optimizerS,
              it.iterationS, 1e-9);
    }

    void unitsOfADomain()
    {
        QVERIFY((domainUnit(8, 8, 1) == DomainUnit{1, 8}));
        QVERIFY((domainUnit(1, 4, 18) == DomainUnit{1, 4}));
        QVERIFY((domainUnit(8, 4, 18) == DomainUnit{2, 8})); // nine units, no GPU idle
        QVERIFY((domainUnit(6, 4, 18) == DomainUnit{3, 12}));
        QVERIFY((domainUnit(16, 4, 18) == DomainUnit{4, 16})); // four units, eight GPUs idle
        QVERIFY((domainUnit(64, 4, 18) == DomainUnit{16, 64}));
        QVERIFY((domainUnit(6, 8, 1) == DomainUnit{1, 6}));
        QVERIFY((domainUnit(100, 4, 18) == DomainUnit{1, 4})); // larger than the domain
        for (std::uint32_t hosts = 1; hosts <= 18; ++hosts)
            for (std::uint32_t block = 1; block <= 80; ++block) {
                const DomainUnit u = domainUnit(block, 4, hosts);
                if (block <= 4 * hosts)
                    QVERIFY(u.ranks % block == 0 && u.ranks <= 4 * u.hosts && hosts / u.hosts * u.ranks >= 4 * hosts / block * block / 2);
            }
    }

    /// On racks of 72, tensor groups of 16 stay in a rack and 8 of its GPUs idle; else every ninth group straddles two, and says what that costs.
    void groupsStayInTheirDomain()
    {
        const auto f = *workloadFabric(*design("nvl72", {}));
        TrainingJob job = gptJob(16, 1, 8); // 128 ranks, two racks
        QCOMPARE(usableGpus(f, job, {}), std::int64_t(f.gpuCount()) / 72 * 64);
        const auto whole = runJob(f, job);
        QRUN(whole);
        QVERIFY((whole->unit == DomainUnit{4, 16}));
        QVERIFY(whole->straddling.empty());
        QCOMPARE(whole->idleGpus, 16u); // 8 of each rack
        QCOMPARE(whole->phase("tensor")->result.flows, std::uint64_t(0));
        job.keepInDomains = false;
        const auto straddles = runJob(f, job);
        QRUN(straddles);
        QCOMPARE(straddles->straddling.size(), std::size_t(1));
        QCOMPARE(straddles->straddling[0].groups, 8u);
        QCOMPARE(straddles->straddling[0].straddling, 1u);
        QVERIFY(straddles->straddling[0].fits);
        QVERIFY(straddles->phase("tensor")->result.flows > 0);
        QNEAR(straddles->straddling[0].extraS,
              straddles->phase("tensor")->timesPerIteration *
                  (straddles->phase("tensor")->result.durationS - whole->phase("tensor")->result.durationS),
              1e-9);
        QVERIFY(straddles->iteration.iterationS > whole->iteration.iterationS);
        for (const Placement placement :
             {Placement::Random, Placement::Packed, Placement::AlternatingSegments}) { // whichever hosts: never over two racks
            job.keepInDomains = true, job.placement = placement;
            const auto run = runJob(f, job);
            QRUN(run);
            QVERIFY(run->straddling.empty());
        }
        // in hosts of eight: six of them, two idle
        const auto hosts = hpn(1, 1);
        TrainingJob six = gptJob(6, 1, 4);
        six.model.hidden = 12288, six.model.heads = 96, six.model.sequence = 3072;
        const auto padded = runJob(hosts, six);
        QRUN(padded);
        QCOMPARE(padded->hosts.size(), std::size_t(4));
        QCOMPARE(padded->idleGpus, 8u);
        QCOMPARE(padded->places.gpu(6), 8u);
        QCOMPARE(padded->phase("tensor")->result.flows, std::uint64_t(0));
        // a group larger than a domain cannot stay: said and priced
        TrainingJob larger = gptJob(16, 1, 4);
        const auto free = runJob(hosts, larger);
        QRUN(free);
        QVERIFY(free->straddling.size() == 1 && !free->straddling[0].fits && free->straddling[0].straddling == 4);
        const PhaseReport& quick = *free->phase("tensor"); // its eight NICs share what crosses: quicker than 1,600 Gb/s inside alone
        const double inside = 2.0 * 15 / 16 * quick.bytes / 200e9;
        QVERIFY(quick.result.durationS < inside);
        QNEAR(free->straddling[0].extraS, quick.timesPerIteration * (quick.result.durationS - inside), 1e-9);
        larger.accelerator.scaleUpGbps = 7200; // faster inside than they are
        const auto wide = runJob(hosts, larger);
        QRUN(wide);
        QVERIFY(wide->straddling.size() == 1 && !wide->straddling[0].fits && wide->straddling[0].straddling == 4 && wide->straddling[0].extraS > 0);
        const PhaseReport& tensor = *wide->phase("tensor");
        QNEAR(wide->straddling[0].extraS, tensor.timesPerIteration * (tensor.result.durationS - 2.0 * 15 / 16 * tensor.bytes / 900e9), 1e-9);
    }

    /// No job is slower on larger scale-up domains.
    void moreDomainIsNeverSlower()
    {
        auto f = *workloadFabric(*design("hpn", {{"segments", std::int64_t(8)}}));
        for (const char* slug : {"gpt3-175b", "moe-1.8t", "llama3-405b"}) {
            double before = 0;
            for (const std::uint32_t domain : {8u, 16u, 32u, 64u, 128u, 256u}) {
                for (std::uint32_t h = 0; h < f.hosts.size(); ++h) f.domainOfHost[h] = h / (domain / 8);
                auto job = presetJob(library(), slug, f);
                QRUN(job);
                job->cut.data = slug == std::string("moe-1.8t") ? 64 : 32;
                JobRunOptions lean;
                lean.keepLinkBytes = false;
                const auto run = runJob(f, *job, lean);
                QRUN(run);
                qInfo("%s domain %u: %.4f s, expert %.3e s, tensor %.3e s, gradient %.3e s", slug, domain, run->iteration.iterationS,
                      run->times.expertS, run->times.tensorS, run->iteration.gradientS);
                if (before > 0) QVERIFY2(run->iteration.iterationS <= before * (1 + 1e-9), slug);
                before = run->iteration.iterationS;
            }
        }
    }

    /// Domains whose size does not divide groups, against single hosts: expert groups lie in them in parts of other sizes, and no job is
    /// slower for it. Where the parts make it slower than a smaller domain that divides them, the run says so.
    void unevenDomainsAreNeverSlower()
    {
        auto f = *workloadFabric(*design("hpn", {{"segments", std::int64_t(4)}}));
        const auto in = [&](std::uint32_t domain) {
            for (std::uint32_t h = 0; h < f.hosts.size(); ++h) f.domainOfHost[h] = h / (domain / 8);
        };
        for (const char* slug : {"gpt3-175b", "moe-1.8t", "llama3-405b", "deepseek-v3"})
            for (const bool spray : {false, true}) {
                double single = 0, divided = 0;
                for (const std::uint32_t domain : {8u, 16u, 24u, 32u, 40u, 48u, 56u, 72u, 96u}) {
                    in(8);
                    auto job = presetJob(library(), slug, f);
                    QRUN(job);
                    job->cut.data = slug == std::string("deepseek-v3") ? 128 : 32;
                    if (job->cut.microBatches > 32) job->cut.microBatches = job->cut.virtualStages > 1 ? 2 * job->cut.pipeline : 32;
                    in(domain);
                    JobRunOptions lean;
                    lean.keepLinkBytes = false;
                    if (spray) lean.phase = sprayed();
                    const auto run = runJob(f, *job, lean);
                    QRUN(run);
                    const double s = run->iteration.iterationS;
                    if (domain == 8) single = s;
                    if (domain == 16) divided = s;
                    QVERIFY2(s <= single * (1 + 1e-9),
                             qPrintable(QString("%1 in domains of %2: %3 s, %4 s").arg(slug).arg(domain).arg(s).arg(single)));
                    if (domain > 16 && s > divided * (1 + 1e-9) && job->model.mixture()) {
                        QVERIFY2(!run->straddling.empty(), qPrintable(QString("%1 in %2").arg(slug).arg(domain)));
                        QVERIFY(run->straddling.front().leastPart < run->straddling.front().mostPart);
                    }
                }
            }
    }

    /// Expert groups of 128 GPUs on racks of 72: they straddle, which is reported, and no model is slower than in domains of 8.
    void racksAreNotWorseThanHosts()
    {
        auto f = *workloadFabric(*design("nvl72", {{"segments", std::int64_t(4)}}));
        const auto rack = f.domainOfHost;
        for (const char* slug : {"moe-1.8t", "moe-3t", "moe-5t"}) {
            double before = 0;
            for (const std::uint32_t domain : {8u, 72u}) {
                f.domainOfHost = rack;
                if (domain == 8)
                    for (std::uint32_t h = 0; h < f.hosts.size(); ++h) f.domainOfHost[h] = h / 2;
                auto job = presetJob(library(), slug, f);
                QRUN(job);
                job->cut.data = 16;
                JobRunOptions lean;
                lean.keepLinkBytes = false;
                lean.phase = sprayed();
                const auto run = runJob(f, *job, lean);
                QRUN(run);
                QVERIFY(run->memory.fits());
                if (domain == 72) {
                    QVERIFY2(run->iteration.iterationS <= before, slug);
                    QVERIFY(run->straddling.size() == 1 && !run->straddling[0].fits);
                }
                before = run->iteration.iterationS;
            }
        }
    }

    /// Small messages of many ranks go by tree, large ones by ring; the choice is never slower than what it chose from, on the fabric too.
    void algorithmsBySizeAndRanks()
    {
        const AlphaBeta inside{3e-6, 200e9}, outside{10e-6, 50e9};
        const GroupShape rail{128, 128, 1}, hosts{128, 16, 8};
        QVERIFY(chooseAllReduce(rail, 1e5, inside, outside) == AllReduceAlgorithm::Tree);
        QVERIFY(chooseAllReduce(rail, 1e11, inside, outside) == AllReduceAlgorithm::Ring);
        QVERIFY(chooseAllReduce({8, 1, 8}, 1e5, inside, outside) == AllReduceAlgorithm::Ring);
        for (const GroupShape& shape : {rail, hosts, GroupShape{16, 2, 8}, GroupShape{2, 2, 1}})
            for (double bytes = 1e3; bytes < 1e12; bytes *= 3) {
                const double chosen = allReduceS(AllReduceAlgorithm::Automatic, shape, bytes, inside, outside);
                for (const AllReduceAlgorithm way : {AllReduceAlgorithm::Ring, AllReduceAlgorithm::Tree, AllReduceAlgorithm::Hierarchical})
                    QVERIFY(chosen <= allReduceS(way, shape, bytes, inside, outside) * (1 + 1e-8));
            }
        const auto f = hpn(1, 2);
        TrainingJob job;
        const std::array sizes{1e4, 1e6, 1e8, 1e10};
        const std::array counts{2u, 16u, 128u};
        const auto best = bandwidthCurve(f, {Collective::AllReduce, AllReduceAlgorithm::Automatic}, counts, sizes, job);
        QRUN(best);
        for (const AllReduceAlgorithm way : {AllReduceAlgorithm::Ring, AllReduceAlgorithm::Tree, AllReduceAlgorithm::Hierarchical}) {
            const auto one = bandwidthCurve(f, {Collective::AllReduce, way}, counts, sizes, job);
            QRUN(one);
            for (std::size_t i = 0; i < best->size(); ++i) {
                QVERIFY((*best)[i].timeS <= (*one)[i].timeS * (1 + 1e-12));
                if ((*best)[i].way == way) QCOMPARE((*best)[i].timeS, (*one)[i].timeS);
            }
        }
    }

    /// A step between segments passes three switches, between pods five.
    void latencyByTheRoute()
    {
        const auto f = hpn(2, 2);
        TrainingJob job = gptJob(8, 1, 2);
        job.latency = {0, 9e-6, 1e-6};
        job.algorithms.gradient = AllReduceAlgorithm::Ring;
        JobRunOptions options;
        for (const auto& [other, switches] : {std::pair(1u, 1.0), std::pair(128u, 3.0), std::pair(256u, 5.0)})
            for (const bool spray : {false, true}) {
                options.hosts = {0, other};
                if (spray)
                    options.phase = sprayed();
                else
                    options.phase = {};
                const auto run = runJob(f, job, options);
                QRUN(run);
                QNEAR(run->phase("gradient")->result.switches, switches, 1e-6);
                QNEAR(run->phase("gradient")->result.latencyS, 2 * (9e-6 + switches * 1e-6), 1e-6);
            }
    }
};

QTEST_APPLESS_MAIN(ModelTest)
#include "model_test.moc"

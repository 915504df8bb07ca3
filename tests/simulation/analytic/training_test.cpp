// SPDX-License-Identifier: GPL-3.0-or-later
#include "near.h"

#include "simulation/analytic/training_time.h"
#include "simulation/analytic/training_volume.h"

using namespace hw::sim;

/// CHECKS P8: GPT-3 175B, TP 8, PP 8, DP 512. ±1 % but for TP, which the paper gives without a derivation.
class TrainingTest : public QObject {
    Q_OBJECT
private slots:
    void parameterCounts()
    {
        TransformerModel derived = gpt3();
        derived.statedParameters = 0;
        QNEAR(countParameters(derived).total(), 175e9, 0.01);
        // 12 L h² (1 + 13 / (12 h) + V / (12 L h)): Narayanan et al. 2021, formula 2 without its position table
        const double h = 12288, l = 96, v = 51200;
        QNEAR(countParameters(derived).total(), 12 * l * h * h * (1 + 13 / (12 * h) + v / (12 * l * h)), 1e-6);
        QNEAR(countParameters(gpt3()).total(), 175e9, 1e-12);
        const ParameterCount mixture = countParameters(mixture1800B());
        QNEAR(mixture.total(), 1.8e12, 0.03);
        QNEAR(mixture.active - mixture.dense(), mixture.expert / 8, 1e-12); // 2 of 16
    }

    /// Llama 3 405B: 126 layers, 16,384 wide, 128 heads on 8 key-value heads, 53,248 gated, 128,256 words twice.
    void gatedAndGroupedModel()
    {
        TransformerModel m;
        m.layers = 126;
        m.hidden = 16384;
        m.heads = 128;
        m.keyValueHeads = 8;
        m.feedForward = 53248;
        m.gatedFeedForward = true;
        m.vocabulary = 128256;
        m.tiedEmbedding = false;
        QNEAR(countParameters(m).total(), 405e9, 0.01);
    }

    void volumes()
    {
        const Parallelism cut;
        QCOMPARE(cut.gpus(), 32768LL);
        const TrainingVolume v = trainingVolume(gpt3(), cut);
        QNEAR(v.gradientBytes(), 5.469e9, 1e-3);
        QNEAR(v.gradientBytes(), 5.5e9, 0.01);
        QNEAR(v.pipelineBytes, 6.0 * 1024 * 1024, 1e-12);
        QCOMPARE(v.layersPerStage, 12);
        QVERIFY(v.tensorPassBytes() >= 500e6 && v.tensorPassBytes() <= 620e6);
        QNEAR(v.tensorPassBytes(), 604e6, 1e-3);
        QNEAR(v.tensorPassBytes() * 7 / 8, 528e6, 1e-2);
        QCOMPARE(v.pipelineSends, 128LL);
        QCOMPARE(v.tensorAllReduces, 4LL * 12 * 64);
        Parallelism whole = cut;
        whole.scatterGather = false;
        QNEAR(trainingVolume(gpt3(), whole).pipelineBytes, 48.0 * 1024 * 1024, 1e-12);
        QNEAR(countParameters(gpt3()).total() * 2, 350e9, 1e-12); // C14
    }

    void expertVolumes()
    {
        Parallelism cut;
        cut.expert = 16;
        const TransformerModel m = mixture1800B();
        const ParameterCount p = countParameters(m);
        const TrainingVolume v = trainingVolume(m, cut);
        QNEAR(v.gradientDenseBytes, p.dense() / 64 * 2, 1e-12);
        QNEAR(v.gradientExpertBytes, p.expert / 64 / 16 * 2, 1e-12);
        QNEAR(v.expertBytes, 8192.0 * 10752 * 2 * 2 / 8, 1e-12);
        QCOMPARE(trainingVolume(gpt3(), cut).expertBytes, 0.0);
    }

    /// C1: 6 × 175e9 × 300e9 = 3,646 petaflop/s-days; OpenAI states 3,640.
    void trainingLength()
    {
        QNEAR(petaflopDays(175e9, 300e9), 3646, 1e-3);
        QNEAR(petaflopDays(175e9, 300e9), 3640, 0.01);
        QNEAR(trainingDays(3640, 10000, 125e12, 0.3), 3640e15 / (1e4 * 125e12 * 0.3), 1e-12);
    }

    /// 72 L h² (1 + s / (6 h)) per token without recompute, 96 L h² with (Narayanan et al. 2021, formula 3), embedding left out.
    void flops()
    {
        TransformerModel m = gpt3();
        const double h = 12288, l = 96;
        m.statedParameters = 12 * l * h * h;
        QNEAR(flopsPerToken(m, Recompute::None).model, 72 * l * h * h * (1 + 2048 / (6 * h)), 1e-9);
        QNEAR(flopsPerToken(m, Recompute::Full).hardware, 96 * l * h * h * (1 + 2048 / (6 * h)), 1e-9);
        QCOMPARE(flopsPerToken(m, Recompute::Full).model, flopsPerToken(m, Recompute::None).model);
        QVERIFY(flopsPerToken(m, Recompute::Selective).hardware > flopsPerToken(m, Recompute::Selective).model);
    }

    void bubble_data()
    {
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("batches");
        QTest::addColumn<int>("pieces");
        QTest::addColumn<double>("share");
        QTest::newRow("no pipeline") << 1 << 64 << 1 << 0.0;
        QTest::newRow("8 stages") << 8 << 64 << 1 << 7.0 / 71;
        QTest::newRow("interleaved") << 8 << 64 << 2 << 7.0 / 135;
        QTest::newRow("one batch") << 8 << 1 << 1 << 7.0 / 8;
    }
    void bubble()
    {
        QFETCH(int, stages);
        QFETCH(int, batches);
        QFETCH(int, pieces);
        QFETCH(double, share);
        Parallelism cut;
        cut.pipeline = stages;
        cut.microBatches = batches;
        cut.virtualStages = pieces;
        QWITHIN(pipelineBubbleShare(cut), share, 1e-12);
    }

    /// The parts make the whole; without communication, recompute and bubble MFU is the efficiency.
    void iteration()
    {
        TrainingMachine machine;
        machine.outside.alphaS = 0;
        const Parallelism cut;
        const IterationEstimate e = estimateIteration(gpt3(), cut, machine, Recompute::Selective);
        QNEAR(e.computeS + e.bubbleS + e.exposedTensorS + e.exposedPipelineS + e.exposedDataS + e.exposedExpertS, e.iterationS, 1e-12);
        QNEAR(e.dataS, 0.218, 0.01); // S3 (b): 5.469 GB over 400G
        QVERIFY(e.mfu > 0.2 && e.mfu < machine.computeEfficiency);
        QVERIFY(e.hfu > e.mfu);
        QNEAR(e.tokensPerS * e.iterationS, 512.0 * 64 * 2048, 1e-12);

        Parallelism one;
        one.tensor = one.pipeline = one.data = 1;
        QNEAR(estimateIteration(gpt3(), one, machine, Recompute::None).mfu, machine.computeEfficiency, 1e-12);
    }
};

QTEST_APPLESS_MAIN(TrainingTest)
#include "training_test.moc"

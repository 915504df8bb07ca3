// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/simulation/mixture.h"
#include "tests/simulation/near.h"

#include "simulation/formulas/compute_model.h"

#include <tuple>

using namespace hw::sim;

/// CHECKS P8: GPT-3 175B, TP 8, PP 8, DP 512. ±1 % but for TP, which the paper gives without a derivation.
class TrainingTest : public QObject {
    Q_OBJECT
private slots:
    void parameterCounts()
    {
        // 12 L h² (1 + 13 / (12 h) + (V + s) / (12 L h)): Narayanan et al. 2021, formula 2; rows T1 to T3 of CHECKS
        for (const auto& [l, h, heads, v, billions] : {std::tuple(24, 2304, 24, 51200, 1.7), std::tuple(40, 6144, 48, 51200, 18.4),
                                                       std::tuple(96, 12288, 96, 64000, 175.0), std::tuple(96, 12288, 96, 51200, 175.0)}) {
            TransformerModel m = gpt3();
            m.layers = l, m.hidden = h, m.heads = heads, m.vocabulary = v;
            QNEAR(countParameters(m).total(), 12.0 * l * h * h * (1 + 13 / (12.0 * h) + (v + 2048.0) / (12.0 * l * h)), 1e-6);
            QNEAR(countParameters(m).total(), billions * 1e9, 0.03); // as the paper rounds them
        }
        TransformerModel stated = gpt3();
        stated.statedParameters = 175e9;
        QNEAR(countParameters(stated).total(), 175e9, 1e-12);
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

    /// DeepSeek-V3 by hand: latent attention, three dense layers, 256 experts and a shared one of 2,048; 671B, 37B of them for a token. The
    /// same width of all heads without latents counts as before.
    void latentAttentionAndSharedExperts()
    {
        TransformerModel m;
        m.layers = 61, m.hidden = 7168, m.heads = 128, m.feedForward = 18432, m.gatedFeedForward = true, m.vocabulary = 129280;
        m.tiedEmbedding = m.learnedPositions = false, m.sequence = 4096;
        m.experts = 256, m.topK = 8, m.denseFirst = 3, m.expertFeedForward = m.sharedFeedForward = 2048;
        m.latent = {1536, 512, 128, 64, 128};
        QCOMPARE(m.expertLayers(), 58);
        const double attention = 7168.0 * 1536 + 1536.0 * 128 * 192 + 7168.0 * 576 + 512.0 * 128 * 256 + 128.0 * 128 * 7168;
        QNEAR(m.attentionWeights(), attention, 1e-12);
        const double expert = 3.0 * 7168 * 2048, dense = 3.0 * 7168 * 18432, router = 7168.0 * 256, words = 2.0 * 129280 * 7168;
        QNEAR(countParameters(m).total(), 61 * attention + 58 * (257 * expert + router) + 3 * dense + words, 1e-5); // but for norms
        QNEAR(countParameters(m).total(), 671e9, 2e-3);
        QNEAR(countParameters(m).active, 37e9, 0.03);
        QNEAR(flopsPerToken(m, Recompute::None).model,
              6 * (61 * attention + 58 * (9 * expert + router) + 3 * dense + 129280.0 * 7168) + 3 * 61 * 2 * 128.0 * (192 + 128) * 4096 / 2, 1e-9);
        TransformerModel plain = gpt3(), stated = gpt3();
        stated.headWidth = 128;
        QCOMPARE(countParameters(stated).total(), countParameters(plain).total());
        stated.headWidth = 256; // Q, K, V and O twice as wide
        QNEAR(countParameters(stated).total() - countParameters(plain).total(), 96.0 * (4.0 * 12288 * 12288 + 3 * 12288), 1e-9);
    }

    void volumes()
    {
        const Parallelism cut;
        QCOMPARE(cut.gpus(), 32768LL);
        const TrainingVolume v = trainingVolume(gpt3(), cut, Recompute::None);
        QNEAR(v.gradientBytes(), 5.469e9, 0.01); // CHECKS P8 counts 175e9 parameters, the model's shape has 174.6e9
        QNEAR(v.gradientBytes(), 2 * countParameters(gpt3()).total() / 64, 1e-12);
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
        QNEAR(trainingVolume(gpt3(), whole, Recompute::None).pipelineBytes, 48.0 * 1024 * 1024, 1e-12);
        QCOMPARE(trainingVolume(gpt3(), cut, Recompute::Full).tensorAllReduces, 6LL * 12 * 64); // the forward pass's two again
        QNEAR(countParameters(gpt3()).total() * 2, 350e9, 3e-3);                                // C14
    }

    void expertVolumes()
    {
        Parallelism cut;
        cut.expert = 16;
        const TransformerModel m = mixture1800B();
        const ParameterCount p = countParameters(m);
        const TrainingVolume v = trainingVolume(m, cut, Recompute::None);
        QNEAR(v.gradientDenseBytes, p.dense() / 64 * 2, 1e-12);
        QNEAR(v.gradientExpertBytes, p.expert / 64 / 16 * 2, 1e-12);
        QNEAR(v.expertBytes, 8192.0 * 10752 * 2 * 2 / 8, 1e-12);
        QCOMPARE(trainingVolume(gpt3(), cut, Recompute::None).expertBytes, 0.0);
    }

    /// C1: 6 × 175e9 × 300e9 = 3,646 petaflop/s-days; OpenAI states 3,640.
    void trainingLength()
    {
        QNEAR(petaflopDays(175e9, 300e9), 3646, 1e-3);
        QNEAR(petaflopDays(175e9, 300e9), 3640, 0.01);
        QNEAR(trainingDays(3640, 10000, 125e12, 0.3), 3640e15 / (1e4 * 125e12 * 0.3), 1e-12);
    }

    /// F = 96 B s l h² (1 + s / (6 h) + V / (16 l h)) with full recompute (Narayanan et al. 2021, formula 3), attention not causal: the
    /// logits are computed once. Without it three quarters of the layer terms.
    void flops()
    {
        for (const auto& [l, h, heads, v] : {std::tuple(24, 2304, 24, 51200), std::tuple(40, 6144, 48, 51200), std::tuple(96, 12288, 96, 64000)}) {
            TransformerModel m = gpt3();
            m.layers = l, m.hidden = h, m.heads = heads, m.vocabulary = v;
            m.causalAttention = m.flashAttention = false;
            const double layers = 96.0 * l * h * h * (1 + 2048 / (6.0 * h)), logits = 6.0 * v * h;
            QNEAR(flopsPerToken(m, Recompute::Full).hardware, 96.0 * l * h * h * (1 + 2048 / (6.0 * h) + v / (16.0 * l * h)), 1e-12);
            QNEAR(flopsPerToken(m, Recompute::None).hardware, 0.75 * layers + logits, 1e-12);
            QCOMPARE(flopsPerToken(m, Recompute::Full).model, flopsPerToken(m, Recompute::None).model);
            QNEAR(flopsPerToken(m, Recompute::Selective).hardware, 0.75 * layers + logits + 4.0 * l * h * 2048, 1e-12);
            m.causalAttention = true;
            QNEAR(flopsPerToken(m, Recompute::Full).hardware, 96.0 * l * h * h * (1 + 2048 / (12.0 * h) + v / (16.0 * l * h)), 1e-12);
            m.flashAttention = true;
            QCOMPARE(flopsPerToken(m, Recompute::Selective).hardware, flopsPerToken(m, Recompute::None).hardware);
        }
    }

    /// 126 layers on 16 stages as Llama 3 has them; whatever the numbers, all layers are there and no piece has two more than another.
    void unevenStages()
    {
        TransformerModel m = gpt3();
        m.layers = 126;
        Parallelism cut;
        cut.pipeline = 16;
        const auto pieces = cutLayers(m, cut);
        QCOMPARE(pieces.size(), std::size_t(16));
        for (std::size_t i = 0; i < 16; ++i) QCOMPARE(pieces[i].layers(), i == 0 || i == 15 ? 7 : 8);
        QVERIFY(pieces.back().output && !pieces.front().output);
        cut.virtualStages = 8;
        QCOMPARE(cutLayers(m, cut).front().layers(), 0); // the embedding alone
        QCOMPARE(cutLayers(m, cut).back().layers(), 0);  // the output alone
        QCOMPARE(trainingVolume(m, cut, Recompute::None).layersPerStage, 8);
        QCOMPARE(trainingVolume(m, cut, Recompute::None).tensorAllReduces, 4LL * 8 * 64);
        m.experts = 8, m.topK = 2;
        for (m.layers = 1; m.layers < 60; ++m.layers)
            for (cut.pipeline = 1; cut.pipeline < 12; ++cut.pipeline)
                for (cut.virtualStages = 1; cut.virtualStages < 4; ++cut.virtualStages)
                    for (m.expertEvery = 1; m.expertEvery < 4; ++m.expertEvery) {
                        int layers = 0, expert = 0, least = 1000, most = 0;
                        for (const PieceLayers& p : cutLayers(m, cut))
                            layers += p.layers(), expert += p.expert, least = std::min(least, p.layers()), most = std::max(most, p.layers());
                        QCOMPARE(layers, m.layers);
                        QCOMPARE(expert, m.expertLayers());
                        QVERIFY(most - least <= 1);
                    }
    }

    /// Every side of a product raises the share of the peak that it reaches; memory bounds the small ones.
    void products()
    {
        const ComputeUnit unit{312e12, 2039e9, 108, 1};
        const auto share = [&](double m, double k, double n) { return 2 * m * k * n / productS(m, k, n, unit) / unit.peakFlops; };
        for (double s = 128; s < 60000; s *= 1.3) {
            QVERIFY(share(s * 1.3, 4096, 4096) >= share(s, 4096, 4096) && share(4096, s * 1.3, 4096) >= share(4096, s, 4096) &&
                    share(4096, 4096, s * 1.3) >= share(4096, 4096, s));
            QVERIFY(share(s, s, s) < ComputeCalibration{}.matrixShare);
        }
        QVERIFY(share(1e5, 1e5, 1e5) > 0.98 * ComputeCalibration{}.matrixShare);
        const ComputeUnit slow{312e12, 100e9, 108, 1}; // its memory is the limit
        QNEAR(productS(4096, 4096, 4096, slow), 2 * 3 * 4096.0 * 4096 / (100e9 * 0.85), 1e-12);
    }

    /// At the same peak a narrow format costs its casts alone: 4 bytes read and 1 + 1 written for each input of a product forward, and for
    /// each gradient of its result backward. Attention, router and output keep the 16-bit peak.
    void casts()
    {
        TransformerModel m = gpt3();
        Parallelism cut;
        cut.tensor = 1;
        const double rows = 2048, h = 12288, rate = 2e12 * 0.85;
        ComputeUnit wide{312e12, 2e12, 108, 1}, narrow = wide;
        narrow.valueBytes = 1, narrow.widePeakFlops = 312e12;
        const PieceLayers one{1, 0, false}, head{0, 0, true};
        const auto a = pieceCompute(m, cut, Recompute::None, one, wide), b = pieceCompute(m, cut, Recompute::None, one, narrow);
        QNEAR(b.forwardS - a.forwardS, rows * (h + h + h + 4 * h) * 6 / rate, 1e-9);       // into QKV, projection, both of the MLP
        QNEAR(b.backwardS - a.backwardS, rows * (3 * h + h + 4 * h + h) * 6 / rate, 1e-9); // out of them
        narrow.peakFlops = 624e12;
        const auto fast = pieceCompute(m, cut, Recompute::None, one, narrow);
        const auto core = [&](const ComputeUnit& unit) { // the difference of two sequences with as many tokens
            TransformerModel longer = m;
            longer.sequence = 4096;
            Parallelism half = cut;
            half.microBatch = 1;
            Parallelism two = cut;
            two.microBatch = 2;
            return pieceCompute(longer, half, Recompute::None, one, unit).forwardS - pieceCompute(m, two, Recompute::None, one, unit).forwardS;
        };
        QNEAR(core(narrow), core(wide), 1e-9);
        QCOMPARE(pieceCompute(m, cut, Recompute::None, head, narrow).forwardS, pieceCompute(m, cut, Recompute::None, head, wide).forwardS);
        QVERIFY(fast.forwardS < a.forwardS && fast.forwardS > a.forwardS / 2 + rows * 7 * h * 6 / rate);
    }

    /// Few tokens for each expert: the products wait for the weights of all of them, and backward for the sums of their gradients in 32 bits.
    void groupedProducts()
    {
        const ComputeUnit unit{989.5e12, 3.35e12, 132, 0.84};
        const double rate = 3.35e12 * 0.85, h = 7168, w = 2048, rows = 16, groups = 32;
        QNEAR(productS(rows, h, w, unit, {}, groups), groups * 2 * (rows * h + h * w + rows * w) / rate, 1e-9);
        QNEAR(productS(h, rows, w, unit, {}, groups, 8), groups * (2 * (rows * h + rows * w) + 8 * h * w) / rate, 1e-9);
        // whole layer: weights forward, and backward again with their gradients: 2 + 8 bytes against 2
        TransformerModel m;
        m.layers = 2, m.hidden = 7168, m.heads = 56, m.sequence = 16, m.experts = 256, m.topK = 1, m.expertFeedForward = 2048,
        m.gatedFeedForward = true;
        Parallelism cut;
        cut.tensor = cut.pipeline = 1, cut.data = cut.expert = 8, cut.microBatches = 1;
        const auto expert = pieceCompute(m, cut, Recompute::None, {0, 1, false}, unit),
                   none = pieceCompute(m, cut, Recompute::None, {1, 0, false}, unit);
        m.sharedFeedForward = 2048;
        const auto shared = pieceCompute(m, cut, Recompute::None, {0, 1, false}, unit);
        QVERIFY(expert.forwardS > 32 * 3 * h * w * 2 / rate && expert.backwardS > 32 * 3 * h * w * 10 / rate);
        QVERIFY(expert.backwardS > 3 * expert.forwardS && none.backwardS > none.forwardS);
        QVERIFY(shared.forwardS - expert.forwardS > 3 * h * w * 2 / rate && shared.forwardS - expert.forwardS < 0.2 * expert.forwardS);
    }

    /// Half of the scores is half of the core's operations, time and, unfused, of its bytes.
    void causalCore()
    {
        TransformerModel m = gpt3();
        const ComputeUnit unit;
        Parallelism cut;
        const PieceLayers one{1, 0, false};
        for (const bool flash : {false, true}) {
            m.flashAttention = flash;
            double time[3];
            int i = 0;
            for (const auto& [causal, sequence] : {std::pair(false, 2048), std::pair(true, 2048), std::pair(true, 2)}) {
                m.causalAttention = causal, m.sequence = sequence;
                cut.microBatch = 2048 / sequence; // as many tokens
                time[i++] = pieceCompute(m, cut, Recompute::None, one, unit).forwardS;
            }
            QVERIFY(time[1] < time[0]);
            if (flash) QNEAR(time[0] - time[1], 2.0 * 2048 * 2048 * 12288 / 8 / (unit.peakFlops * unit.sustained * 0.5), 1e-9);
            QVERIFY(time[0] - time[2] < 2.01 * (time[0] - time[1]));
        }
        // recomputing repeats the forward pass, but for the output layer
        m = gpt3();
        const PieceLayers last{2, 0, true}, layers{2, 0, false};
        const auto none = pieceCompute(m, cut, Recompute::None, last, unit), full = pieceCompute(m, cut, Recompute::Full, last, unit);
        QNEAR(full.backwardS - none.backwardS, pieceCompute(m, cut, Recompute::None, layers, unit).forwardS, 1e-9);
        QCOMPARE(full.forwardS, none.forwardS);
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
};

QTEST_APPLESS_MAIN(TrainingTest)
#include "training_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/inference.h"

#include <QTest>

#include <cmath>

using namespace hw::sim;

/// Replicas within a latency budget: memory, batch, domain.
class InferenceTest : public QObject {
    Q_OBJECT
private slots:
    /// By hand: 100 GB of weights on one GPU of 1 TB/s, one request.
    void oneGpuByHand()
    {
        InferenceCase c;
        c.parameters = c.activeParameters = 100e9, c.layers = 10, c.hidden = 1000, c.keyValueHeads = 10, c.headSize = 100;
        c.gpuMemoryBytes = 200e9, c.memoryBytesPerS = 1e12, c.memoryEfficiency = 1, c.memoryShare = 1, c.efficiency = 1, c.peakFlops = 1e15;
        c.promptTokens = 1000, c.answerTokens = 100, c.tokenS = 0.11, c.firstTokenS = 1, c.kwPerGpu = 2;
        const auto p = inferenceOn(c, 1);
        QVERIFY(p.fits && p.meetsBudget && !p.straddles);
        QCOMPARE(p.keyValueBytesPerRequest, 2.0 * 10 * 10 * 100 * 1100);
        QVERIFY(std::abs(p.prefillS - 2 * 100e9 * 1000 / 1e15) < 1e-12);
        const double each = 2.0 * 10 * 10 * 100 * 1050; // KV of a request, in the middle of its answer
        const double batch = std::floor((0.11 * 1e12 - 100e9) / each);
        QCOMPARE(p.batch, batch);
        QVERIFY(std::abs(p.stepS - (100e9 + batch * each) / 1e12) < 1e-12);
        QVERIFY(std::abs(p.tokensPerSPerGpu - 100 / (p.prefillS + 100 * p.stepS / batch)) < 1e-9);
        QCOMPARE(p.tokensPerSPerKw, p.tokensPerSPerGpu / 2);
        c.gpuMemoryBytes = 100e9;
        QVERIFY(!inferenceOn(c, 1).fits);
    }

    /// A wider domain is never worse; a replica beyond its domain pays for the network.
    void wideDomains()
    {
        InferenceCase c;
        double before = 0;
        for (const int domain : {8, 36, 72, 128}) {
            c.domainGpus = domain;
            const auto best = bestReplica(c, 256);
            QVERIFY(best);
            QVERIFY(best->tokensPerSPerKw >= before);
            before = best->tokensPerSPerKw;
        }
        InferenceCase large = c; // its best replica is 36 of a rack: larger domains take it, too
        large.parameters = 5e12, large.activeParameters = 4e11, large.layers = 100, large.hidden = 14336;
        before = 0;
        for (const int domain : {8, 36, 72, 128, 256}) {
            large.domainGpus = domain;
            const auto best = bestReplica(large, 256);
            QVERIFY(best);
            QVERIFY(best->tokensPerSPerGpu >= before);
            before = best->tokensPerSPerGpu;
        }
        c.domainGpus = 8;
        QVERIFY(inferenceOn(c, 64).straddles);
        const double across = inferenceOn(c, 64).prefillS;
        c.domainGpus = 64;
        QVERIFY(inferenceOn(c, 64).prefillS < across);
        c.firstTokenS = 1e-3;
        QVERIFY(!bestReplica(c, 256));
    }
};

QTEST_APPLESS_MAIN(InferenceTest)
#include "inference_test.moc"

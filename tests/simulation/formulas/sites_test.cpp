// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/simulation/near.h"

#include "simulation/formulas/sites.h"

using namespace hw::sim;

namespace {

SiteJob job(double gpus)
{
    SiteJob out;
    out.gpus = gpus;
    return out;
}

} // namespace

class SitesTest : public QObject {
    Q_OBJECT
private slots:
    /// 175e9 parameters, 1,536 samples of 2,048 tokens: gradients 350 GB, activations 77.3 GB in each direction.
    void splits()
    {
        const SiteJob j = job(2048);
        const double alone = 6 * 175e9 * 1536 * 2048 / (2048 * 989.5e12 * 0.4);
        QNEAR(j.iterationS(), alone, 1e-12);
        WanLink link;
        link.pairs = 1, link.channels = 4; // 1.6 Tb/s: 200 GB/s
        const SplitTimes data = splitTimes(j, link, SiteSplit::Data), pipeline = splitTimes(j, link, SiteSplit::Pipeline);
        QNEAR(data.wanBytes, 350e9, 1e-12);
        QNEAR(data.iterationS, alone + std::max(0.0, 350e9 / 200e9 + 2 * 60 * 4.9e-6 - 0.5 * alone), 1e-12);
        QNEAR(pipeline.wanBytes, 2.0 * 1536 * 2048 * 12288, 1e-12);
        QNEAR(pipeline.iterationS, alone + 2 * (60 * 4.9e-6 + pipeline.wanBytes / 200e9 / 64), 1e-12);
        link.channels = 1, link.gbpsPerChannel = 10; // too little for the pipeline: the link sets the pace
        QNEAR(splitTimes(j, link, SiteSplit::Pipeline).iterationS, pipeline.wanBytes / 1.25e9, 1e-12);
        QCOMPARE(splitTimes(j, link, SiteSplit::None).iterationS, j.iterationS());
    }

    void placements()
    {
        const std::vector<WanLink> links(1);
        const auto places = placeOnSites({2048, 3072}, links, {job(1024), job(3584), job(1024)}, 1.2);
        QCOMPARE(places.size(), std::size_t(3));
        QVERIFY(places[0].site == 0u && !places[0].other && places[0].slowDown == 1); // the smaller site that takes it
        QVERIFY(places[1].site == 1u && places[1].other == 0u && places[1].gpusThere == 512 && places[1].slowDown < 1.01);
        QVERIFY(!places[2].site); // nothing is left
        const auto apart = placeOnSites({2048, 3072}, {}, {job(3584)}, 1.2);
        QVERIFY(!apart[0].site); // without a link
        std::vector<WanLink> slow(1);
        slow[0].pairs = 1, slow[0].channels = 1, slow[0].gbpsPerChannel = 10;
        QVERIFY(!placeOnSites({2048, 3072}, slow, {job(3584)}, 1.2)[0].site); // it would be slowed down too much
        QVERIFY(placeOnSites({2048, 3072}, slow, {job(3584)}, 100)[0].slowDown > 1.2);
    }
};

QTEST_GUILESS_MAIN(SitesTest)
#include "sites_test.moc"

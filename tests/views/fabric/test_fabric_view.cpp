// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/template.h"
#include "views/fabric/diagram.h"
#include "views/fabric/render.h"

#include <QSet>
#include <QTest>

using namespace hw;
using namespace hw::views;

namespace {

FiguresPtr figuresOf(int pods)
{
    const auto catalogue = *Catalogue::load(HW_RESOURCES "/catalogue");
    const auto design = *Template::load(HW_RESOURCES "/templates/hpn.yaml");
    return *computeFigures(*instantiate(design, {{"pods", pods}}, catalogue));
}

} // namespace

class TestFabricView : public QObject {
    Q_OBJECT
private slots:
    /// One pod: 15 segments of servers, 30 blocks of 8 ToRs, one block of 60 aggregation switches and one of
    /// 32 cores a plane; the sums between layers are those of CHECKS P2.
    void onePodBySegmentAndPlane()
    {
        const auto figures = figuresOf(1);
        const auto d = fabricDiagram(*figures, figures->fabric->networks().front());
        QCOMPARE(d.layers.size(), std::size_t(4));
        const std::size_t blocks[] = {15, 30, 2, 2};
        for (std::size_t i = 0; i < 4; ++i) QCOMPARE(d.layers[i].blocks.size(), blocks[i]);
        QCOMPARE(d.between[0].links, 32640);
        QCOMPARE(d.between[1].links, 14400);
        QCOMPARE(d.between[2].links, 960);
        for (const auto& bundle : d.bundles) {
            const auto &from = d.blocks[bundle.from], &to = d.blocks[bundle.to];
            if (from.plane >= 0) QCOMPARE(from.plane, to.plane); // planes never meet
            QCOMPARE(to.layer, from.layer + 1);
        }
    }

    void campusIsCollapsedToPods()
    {
        const auto figures = figuresOf(8);
        const auto d = fabricDiagram(*figures, figures->fabric->networks().front());
        for (const auto& layer : d.layers) QVERIFY(layer.blocks.size() <= kReadableBlocks);
        QCOMPARE(d.layers[0].blocks.size(), std::size_t(8));
        QCOMPARE(d.layers[1].blocks.size(), std::size_t(16));
    }

    void drawsAndRefuses()
    {
        const auto figures = figuresOf(1);
        const auto image = renderFabric(figures, "backend", {800, 500}, true);
        QVERIFY(image.has_value());
        QCOMPARE(image->size(), QSize(800, 500));
        QSet<QRgb> colors;
        for (int y = 0; y < image->height(); y += 3)
            for (int x = 0; x < image->width(); x += 3) colors.insert(image->pixel(x, y));
        QVERIFY(colors.size() > 50);
        QCOMPARE(renderFabric(figures, "nothing", {800, 500}, true).error().code, ErrorCode::Usage);
    }
};

QTEST_MAIN(TestFabricView)
#include "test_fabric_view.moc"

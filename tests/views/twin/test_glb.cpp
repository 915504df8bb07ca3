// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest> // first: moc stumbles over <compare> as the first header

#include "core/output/scene/scene.h"
#include "importers/gltf/glb_writer.h"
#include "tests/views/twin/gltf_import.h"
#include "tests/views/twin/sample_hall.h"

#include <QTemporaryDir>

#include <cmath>
#include <fstream>

using namespace hw;

/// An exported model as another program reads it.
class GlbTest : public QObject {
    Q_OBJECT

private slots:
    void sameBodiesInVtk()
    {
        const FiguresPtr figures = test::figuresOf(test::hpnDesign(1, 1));
        const scene::Scope scope{.devices = true};
        QTemporaryDir folder;
        const std::string file = folder.filePath("pod.glb").toStdString();
        std::ofstream(file, std::ios::binary) << importers::glbOf(*figures, scope);
        auto actors = test::actorBounds(file);
        std::vector<Box> boxes;
        for (const auto& e : scene::Scene::of(*figures, scope).elements) boxes.push_back(e.box());
        const Snapshot& s = *figures->snapshot;
        s.halls.forEach([&](HallId id) { // floors
            Box floor = figures->placement->hall(id);
            floor.high.z = floor.low.z;
            boxes.push_back(floor);
        });
        QCOMPARE(actors.size(), boxes.size());
        for (const Box& box : boxes) { // y up: x, z, -y
            const std::array<double, 6> wanted{box.low.x / 1e3,  box.high.x / 1e3,  box.low.z / 1e3,
                                               box.high.z / 1e3, -box.high.y / 1e3, -box.low.y / 1e3};
            const auto found = std::ranges::find_if(actors, [&](const auto& actor) {
                for (std::size_t i = 0; i < 6; ++i)
                    if (std::abs(actor[i] - wanted[i]) > 0.003) return false;
                return true;
            });
            QVERIFY2(found != actors.end(), qPrintable(QString("%1 %2 %3").arg(box.low.x).arg(box.low.y).arg(box.low.z)));
            actors.erase(found);
        }
    }
};

QTEST_MAIN(GlbTest)
#include "test_glb.moc"

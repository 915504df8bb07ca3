// SPDX-License-Identifier: GPL-3.0-or-later
// Plan and elevation against pictures that somebody has looked at. HALLWRIGHT_BASELINES=write makes them again.
#include "sample.h"

#include "tests/views/picture_difference.h"
#include "views/plan/plan_view.h"
#include "views/plan/render.h"
#include "views/values/overlay_source.h"

#include <QApplication>
#include <QDir>
#include <QTest>

#include <cmath>
#include <map>

using namespace hw;
using namespace hw::views;

namespace {

constexpr double kTolerance = 6.0;

} // namespace

class TestPictures : public QObject {
    Q_OBJECT
    test::Sample m_sample = test::makeSample();

    void compare(const QString& name, const QImage& picture)
    {
        const QString folder = HW_TEST_DATA "/../baselines/window";
        const QString file = folder + "/" + name + ".png";
        if (qEnvironmentVariable("HALLWRIGHT_BASELINES") == "write") {
            QDir().mkpath(folder);
            QVERIFY(picture.save(file));
        }
        const QImage baseline(file);
        QVERIFY2(!baseline.isNull(), qPrintable("no baseline " + file));
        const double found = test::pictureDifference(picture, baseline);
        if (found > kTolerance) picture.save(QDir::tempPath() + "/" + name + "-now.png");
        QVERIFY2(found <= kTolerance, qPrintable(QString("%1 differs by %2").arg(name).arg(found)));
    }

private slots:
    void plan_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<QString>("overlay");
        QTest::newRow("plan-dark") << true << "";
        QTest::newRow("plan-light") << false << "";
        QTest::newRow("plan-power") << true << "power";
        QTest::newRow("plan-heat-light") << false << "heat";
        QTest::newRow("plan-findings") << true << "findings";
    }
    void plan()
    {
        QFETCH(bool, dark);
        QFETCH(QString, overlay);
        const auto picture = renderPlan(m_sample.figures, {1200, 700}, dark, overlay);
        QVERIFY(picture.has_value());
        compare(QTest::currentDataTag(), *picture);
    }
    /// Wherever everything is in view, the legend stands beside the rooms.
    void legendCoversNoRoom()
    {
        DocumentBridge bridge;
        bridge.load(m_sample.snapshot, m_sample.figures);
        for (const QSize size : {QSize(340, 330), QSize(430, 460), QSize(800, 600), QSize(1600, 900)})
            for (const char* overlay : {"kind", "power", "tray-fill", "side"}) {
                OverlaySource::of(bridge).choose(overlay);
                PlanView view(bridge);
                view.resize(size);
                view.zoomToAll();
                const QRectF legend = view.legendRect();
                QVERIFY(!legend.isEmpty());
                m_sample.snapshot->halls.forEach([&](HallId id) {
                    QVERIFY2(!view.screenRect(ref(id)).intersects(legend), qPrintable(QString("%1 at %2").arg(overlay).arg(size.width())));
                    QVERIFY(QRectF(view.rect()).contains(view.screenRect(ref(id))));
                });
            }
    }

    /// Every layer draws something of its own, and several at once all of it.
    void layersAreDrawnTogether()
    {
        const auto picture = [&](std::uint8_t bits) {
            PlanExtras extras;
            extras.layers.bits = bits;
            return renderPlan(m_sample.figures, {3200, 2600}, false, "", nullptr, extras).value();
        };
        const QImage none = picture(0), all = picture(63);
        for (unsigned layer = 0; layer < kPlanLayerNames.size(); ++layer) {
            QVERIFY2(picture(std::uint8_t(1U << layer)) != none, kPlanLayerNames[layer]);
            QVERIFY2(picture(std::uint8_t(63U & ~(1U << layer))) != all, kPlanLayerNames[layer]);
        }
    }

    /// The taps of a busway: one for every strip that depends on it, each at its rack.
    void tapsAreThoseOfTheChain()
    {
        const Snapshot& s = *m_sample.snapshot;
        PlanLayerFacts facts;
        facts.update(*m_sample.figures, PlanLayers{1});
        std::map<DeviceId, int> taps, plugged;
        for (const auto& tap : facts.taps) {
            ++taps[tap.busway];
            QCOMPARE(s.racks.row[tap.rack], *s.devices.row[tap.busway]);
            QVERIFY(tap.side == 'A' || tap.side == 'B');
            QVERIFY2(tap.name.starts_with("tap"), tap.name.c_str());
        }
        s.links.forEach([&](LinkId id) {
            for (const PortId port : {s.links.from[id], s.links.to[id]})
                if (const DeviceId device = s.ports.device[port];
                    s.devices.row[device] && s.ports.medium[port] == Medium::Power && s.ports.role[port] == PortRole::Down)
                    ++plugged[device];
        });
        QVERIFY(taps.size() > 4);
        if (!plugged.empty()) QCOMPARE(taps.size(), plugged.size());
    }

    void contained()
    {
        auto changed = std::make_shared<Snapshot>(*m_sample.snapshot);
        const auto rows = changed->rows.ids();
        changed->rows.containment.set(rows[0], Containment::HotAisle);
        changed->rows.containment.set(rows[2], Containment::ColdAisle);
        compare("plan-contained", renderPlan(computeFigures(changed).value(), {1200, 700}, false, "").value());
    }
    /// An arrow at the upper right where north is not up, and nothing where it is.
    void northIsShownWhereItIsNotUp()
    {
        const auto picture = [&](const char* bearing) {
            auto design = std::make_shared<Snapshot>(*m_sample.snapshot);
            design->putSetting("site.plan_north_deg", bearing);
            return renderPlan(computeFigures(design).value(), {1200, 700}, false, "").value();
        };
        const QImage up = picture("0"), turned = picture("340"), other = picture("200");
        QCOMPARE(up, renderPlan(m_sample.figures, {1200, 700}, false, "").value());
        QRect changed;
        for (int y = 0; y < up.height(); ++y)
            for (int x = 0; x < up.width(); ++x)
                if (up.pixel(x, y) != turned.pixel(x, y)) changed |= QRect(x, y, 1, 1);
        QVERIFY(changed.width() > 20 && changed.width() < 120 && changed.height() < 120);
        QVERIFY(changed.center().x() > 1000 && changed.center().y() < 120);
        QVERIFY(turned != other);
    }
    void layersPicture()
    {
        PlanExtras extras;
        extras.layers.bits = 0b111101;
        compare("plan-layers", renderPlan(m_sample.figures, {1200, 900}, false, "", nullptr, extras).value());
    }
    void elevation() { compare("elevation", renderRack(m_sample.figures, m_sample.snapshot->racks.ids()[3], {400, 900}, true).value()); }
    void elevationPower()
    {
        compare("elevation-power", renderRack(m_sample.figures, m_sample.snapshot->racks.ids()[3], {400, 900}, false, "power").value());
    }
    void unknownOverlayIsRefused() { QVERIFY(!renderPlan(m_sample.figures, {300, 200}, true, "nonsense").has_value()); }
};

QTEST_MAIN(TestPictures)
#include "test_pictures.moc"

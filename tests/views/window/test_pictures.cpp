// SPDX-License-Identifier: GPL-3.0-or-later
// Plan and elevation against pictures that somebody has looked at. HALLWRIGHT_BASELINES=write makes them anew.
#include "sample.h"

#include "tests/views/picture_difference.h"
#include "views/plan/render.h"

#include <QApplication>
#include <QDir>
#include <QTest>

#include <cmath>

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
    void elevation() { compare("elevation", renderRack(m_sample.figures, m_sample.snapshot->racks.ids()[3], {400, 900}, true).value()); }
    void elevationPower()
    {
        compare("elevation-power", renderRack(m_sample.figures, m_sample.snapshot->racks.ids()[3], {400, 900}, false, "power").value());
    }
    void unknownOverlayIsRefused() { QVERIFY(!renderPlan(m_sample.figures, {300, 200}, true, "nonsense").has_value()); }
};

QTEST_MAIN(TestPictures)
#include "test_pictures.moc"

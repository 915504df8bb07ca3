// SPDX-License-Identifier: GPL-3.0-or-later
// The panel of the air in the real window: the result of the command, its pictures in the 3D view and the plan, a failure, results of an edited
// design.
#include "window_test.h"

#include "core/design/edit/edits.h"
#include "views/air/air_look_form.h"
#include "views/air/air_panel.h"
#include "views/panels/list_view.h"
#include "views/twin/twin_view.h"
#include "views/values/overlay_source.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>

using namespace hw;
using namespace hw::views;

class TestAirPanel : public test::WindowTest {
    Q_OBJECT
    AirPanel* panel() { return qobject_cast<AirPanel*>(m_window->panel("air")); }
    TwinView* twin() { return m_window->central()->twin(); }
    template <class W>
    W* part(const char* name)
    {
        return panel()->findChild<W*>(name);
    }
    void choose(const char* box, int data) { part<QComboBox>(box)->setCurrentIndex(part<QComboBox>(box)->findData(data)); }
    OverlaySource& overlay() { return OverlaySource::of(bridge()); }
    const ValueField* rackField() { return overlay().values()->of(EntityKind::Rack); }
    /// HALLWRIGHT_PICTURES names a folder.
    void picture(const QString& name)
    {
        const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES");
        if (folder.isEmpty()) return;
        QTest::qWait(800);
        QVERIFY(m_window->grab().save(folder + "/" + name));
    }

public:
    TestAirPanel() : WindowTest(1) {}

private slots:
    void initTestCase()
    {
        keepSettingsHere();
        openWindow({1500, 950}, Library::Later);
        m_window->action("design.air")->trigger();
        QVERIFY(panel() && panel()->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(part<QComboBox>("airHall")->count() > 0, 60000);
        QVERIFY(!part<QPushButton>("airClear")->isEnabled() && part<QPushButton>("airRun")->isEnabled());
    }
    void cleanupTestCase() { closeWindow(); }

    /// The same figures as those of the command; racks have their colors in all views, the list selects them.
    void resultOfTheCommand()
    {
        part<QSpinBox>("airCells")->setValue(3000);
        part<QPushButton>("airRun")->click();
        QVERIFY(bridge().jobs().busy("air"));
        QTRY_VERIFY_WITH_TIMEOUT(panel()->finished(), 60000);
        const HallId hall = sim::air::airHalls(*bridge().figures()).front();
        sim::air::HallOptions options;
        options.cells = 3000;
        const auto command = sim::air::studyHall(*bridge().figures(), hall, options);
        QVERIFY(command.has_value());
        const sim::air::HallAir& shown = *panel()->study().air;
        QCOMPARE(shown.racks.size(), command->air->racks.size());
        for (std::size_t i = 0; i < shown.racks.size(); ++i) QCOMPARE(shown.racks[i].inletMaxC, command->air->racks[i].inletMaxC);
        QCOMPARE(overlay().name(), std::string(sim::air::kAirOverlay));
        QCOMPARE(rackField()->at(shown.racks[0].rack.value), float(shown.racks[0].inletMaxC));
        QCOMPARE(std::size_t(panel()->racks()->model()->rowCount()), shown.racks.size());
        QCOMPARE(std::size_t(panel()->units()->model()->rowCount()), shown.units.size());
        QCOMPARE(panel()->metrics()->model()->index(0, 1).data().toString(), QString::number(shown.rciHigh, 'f', 1) + " %");
        const QModelIndex at = panel()->racks()->model()->index(1, 0);
        QTest::mouseClick(panel()->racks()->viewport(), Qt::LeftButton, {}, panel()->racks()->visualRect(at).center());
        QCOMPARE(bridge().selected(), panel()->racks()->rowOf(at)->entity);
        QCOMPARE(bridge().selected().kind, EntityKind::Rack);
        choose("airRackColor", int(sim::air::RackQuantity::InletMean));
        QCOMPARE(rackField()->at(shown.racks[0].rack.value), float(shown.racks[0].inletMeanC));
        overlay().choose("power"); // another choice of colors takes them back
        QCOMPARE(part<QComboBox>("airRackColor")->currentData().toInt(), -1);
        choose("airRackColor", int(sim::air::RackQuantity::InletMax));
        QCOMPARE(overlay().name(), std::string(sim::air::kAirOverlay));
        picture("air-racks.png");
    }

    /// A slice that follows the slider and the mouse, streamlines, a surface.
    void slicesAndStreamlines()
    {
        if (!twin()) QSKIP("needs an X server with OpenGL");
        QTRY_VERIFY(twin()->statistics().airSlice > 100);
        const auto flat = twin()->statistics().airSlice;
        choose("airSlice", 0);
        QTRY_VERIFY(twin()->statistics().airSlice != flat);
        picture("air-vertical.png");
        choose("airSlice", 2);
        QTRY_COMPARE(twin()->statistics().airSlice, flat);
        const double before = panel()->look()->look().sliceAt;
        const auto handle = twin()->sliceHandle();
        QVERIFY(handle);
        QTest::mousePress(twin(), Qt::LeftButton, {}, handle->toPoint());
        QMouseEvent move(QEvent::MouseMove, *handle - QPointF(0, 12), twin()->mapToGlobal(*handle - QPointF(0, 12)), Qt::NoButton, Qt::LeftButton,
                         {});
        const TwinCamera camera = twin()->camera();
        QCoreApplication::sendEvent(twin(), &move);
        QTest::mouseRelease(twin(), Qt::LeftButton, {}, handle->toPoint() - QPoint(0, 12));
        QVERIFY(panel()->look()->look().sliceAt > before + 0.05); // upwards; the camera stays
        QVERIFY(twin()->camera() == camera);
        choose("airQuantity", int(sim::air::Quantity::Speed));
        choose("airPaths", int(sim::air::PathStart::Units));
        QTRY_VERIFY(twin()->statistics().airPaths > 400);
        picture("air-speed.png");
        choose("airQuantity", int(sim::air::Quantity::Celsius));
        part<QDoubleSpinBox>("airSurfaceC")->setValue(panel()->study().air->returnC); // in the hot aisle; walls are no part of the surface
        part<QCheckBox>("airSurface")->setChecked(true);
        QTRY_VERIFY(twin()->statistics().airSurface > 10);
        picture("air-surface.png");
        applyTheme(*qApp, ThemeKind::Light);
        m_window->setTheme(ThemeKind::Light);
        picture("air-light.png");
        m_window->setTheme(ThemeKind::Dark);
        part<QCheckBox>("airSurface")->setChecked(false);
        choose("airPaths", -1);
        QTRY_COMPARE(twin()->statistics().airPaths, std::size_t(0));
    }

    /// In a narrow panel what is shown is a page beside the form, and nothing scrolls sideways.
    void narrowPanelHasPages()
    {
        auto* sides = panel()->findChild<QTabWidget*>();
        QVERIFY(sides);
        m_window->resize(1000, 700);
        QTRY_COMPARE(sides->count(), 2);
        QVERIFY(panel()->minimumSizeHint().width() <= 1000);
        QVERIFY(panel()->look()->isEnabled());
        QWidget* box = panel();
        while (!qobject_cast<QDockWidget*>(box)) box = box->parentWidget();
        auto* dock = qobject_cast<QDockWidget*>(box);
        dock->setFloating(true);
        dock->resize(1590, 500);
        QTRY_COMPARE(sides->count(), 1);
        QVERIFY(panel()->look()->isVisible());
        dock->setFloating(false);
        m_window->resize(1500, 950);
    }

    /// The impact panel asks for the units that a failure takes along.
    void failureFromTheImpactPanel()
    {
        const DeviceId unit = panel()->study().air->units.front().device;
        panel()->simulateFailure(panel()->study().air->hall.hall, {unit});
        QTRY_VERIFY_WITH_TIMEOUT(panel()->finished() && panel()->study().whole, 60000);
        QVERIFY(panel()->study().air->units.front().failed);
        QCOMPARE(std::ranges::count_if(panel()->study().air->units, &sim::air::UnitAir::failed), std::ptrdiff_t(1));
        part<QListWidget>("airFailed")->item(0)->setCheckState(Qt::Unchecked);
        for (int i = 0; i < part<QListWidget>("airFailed")->count(); ++i) part<QListWidget>("airFailed")->item(i)->setCheckState(Qt::Unchecked);
        panel()->run();
        QTRY_VERIFY_WITH_TIMEOUT(panel()->finished() && !panel()->study().whole, 60000);
        QVERIFY(panel()->current());
    }

    /// One unit less: before, after and what changed.
    void failureOfAUnit()
    {
        auto* failed = part<QListWidget>("airFailed");
        QVERIFY(failed->count() > 1);
        failed->item(0)->setCheckState(Qt::Checked);
        part<QPushButton>("airRun")->click();
        QTRY_VERIFY_WITH_TIMEOUT(panel()->finished() && panel()->study().whole, 60000);
        const auto& study = panel()->study();
        QCOMPARE(std::ranges::count_if(study.air->units, &sim::air::UnitAir::failed), std::ptrdiff_t(1));
        QVERIFY(!panel()->racks()->isColumnHidden(4));
        choose("airState", int(AirLookForm::State::Change));
        const sim::air::RackAir& rack = study.air->racks[3];
        QCOMPARE(rackField()->unit, std::string("K"));
        QCOMPARE(rackField()->at(rack.rack.value), float(rack.inletMaxC - sim::air::rackOf(study.whole.get(), rack.rack)->inletMaxC));
        picture("air-change.png");
        choose("airState", int(AirLookForm::State::Before));
        QCOMPARE(rackField()->at(rack.rack.value), float(sim::air::rackOf(study.whole.get(), rack.rack)->inletMaxC));
        choose("airState", int(AirLookForm::State::After));
    }

    /// After an edit the result stays and is marked; where the air is the same again, it is not.
    void resultOfAnEditedDesign()
    {
        QVERIFY(!panel()->stale());
        const RowId row = firstRow();
        QVERIFY(bridge().edit("Move row", [&](Transaction& t) { return edit::moveEntity(t, ref(row), 600, 0); }).has_value());
        QTRY_VERIFY(bridge().figuresCurrent() && panel()->stale());
        QCOMPARE(overlay().name(), std::string(sim::air::kAirOverlay));
        QVERIFY(rackField()->stale);
        QVERIFY(part<QLabel>("airSummary")->text().contains("outdated"));
        picture("air-outdated.png");
        bridge().undo();
        QTRY_VERIFY_WITH_TIMEOUT(!panel()->stale(), 20000);
        QVERIFY(!rackField()->stale);
        const RackId rack = panel()->study().air->racks[0].rack;
        QVERIFY(bridge().edit("Rename", [&](Transaction& t) { return edit::renameEntity(t, ref(rack), "renamed"); }).has_value());
        QTRY_VERIFY(bridge().figuresCurrent());
        QTRY_VERIFY_WITH_TIMEOUT(!panel()->stale(), 20000);
        part<QPushButton>("airClear")->click();
        QVERIFY(!panel()->study().air && overlay().name() == "power");
        QCOMPARE(panel()->racks()->model()->rowCount(), 0);
        if (twin()) QTRY_COMPARE(twin()->statistics().airSlice, std::size_t(0));
    }
};

QTEST_MAIN(TestAirPanel)
#include "test_air_panel.moc"

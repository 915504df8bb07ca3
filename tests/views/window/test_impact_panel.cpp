// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample.h"

#include "core/derived/values/impact_fields.h"
#include "core/design/build/design_builder.h"
#include "core/design/edit/edits.h"
#include "views/bridge/document_bridge.h"
#include "views/models/cell_table_model.h"
#include "views/panels/impact_panel.h"
#include "views/panels/list_view.h"
#include "views/values/overlay_source.h"

#include <QSignalSpy>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>

using namespace hw;
using namespace hw::views;

class TestImpactPanel : public QObject {
    Q_OBJECT
private slots:
    void rankingChoiceAndColors()
    {
        const auto sample = test::makeSample();
        DocumentBridge bridge;
        bridge.load(sample.snapshot, sample.figures);
        ImpactPanel panel(bridge);
        QCOMPARE(panel.rankedRevision(), 0u); // nobody looks
        panel.show();
        QTRY_COMPARE(panel.rankedRevision(), sample.snapshot->revision);
        const CellTableModel& cells = *panel.list()->cells();
        QVERIFY(cells.rowCount() > 0);
        const EntityRef worst = cells.rowAt(0)->entity;
        QVERIFY(bool(worst));

        // Nothing is chosen by itself; the lists of what is chosen come with colors in all views.
        auto& overlay = OverlaySource::of(bridge);
        overlay.choose("power");
        QVERIFY(panel.answer()->toPlainText().isEmpty());
        EntityRef host;
        sample.snapshot->devices.forEach([&](DeviceId id) {
            if (!host && sample.snapshot->tiers.kind[sample.snapshot->devices.tier[id]] == TierKind::Server) host = ref(id);
        });
        panel.ask({host});
        QTRY_VERIFY(panel.answer()->toPlainText().contains(bridge.nameOf(host)));
        QCOMPARE(overlay.name(), std::string(kImpactOverlay));
        const ValueField* devices = overlay.values()->of(EntityKind::Device);
        QVERIFY(devices);
        QCOMPARE(devices->at(host.id), 3.0F); // failed itself
        QCOMPARE(std::ranges::count(devices->values, 3.0F), 1);

        // An edit takes back both, and what was chosen before is shown again.
        const RowId row = sample.snapshot->rows.ids().front();
        QVERIFY(bridge.edit("Move row", [&](Transaction& t) { return edit::moveEntity(t, ref(row), 6000, 0); }).has_value());
        QTRY_VERIFY(bridge.figuresCurrent());
        QVERIFY(panel.answer()->toPlainText().isEmpty());
        QCOMPARE(overlay.name(), std::string("power"));
        QTRY_COMPARE(panel.rankedRevision(), bridge.snapshot()->revision);
    }

    /// The colors and the text go with "Clear", and what was chosen before shows again.
    void anAnswerIsTakenBack()
    {
        const auto sample = test::makeSample();
        DocumentBridge bridge;
        bridge.load(sample.snapshot, sample.figures);
        ImpactPanel panel(bridge);
        panel.show();
        QTRY_COMPARE(panel.rankedRevision(), sample.snapshot->revision);
        auto& overlay = OverlaySource::of(bridge);
        auto* clear = panel.findChild<QToolButton*>("impactClear");
        auto* simulate = panel.findChild<QToolButton*>("impactSimulate");
        QVERIFY(!clear->isEnabled() && !simulate->isEnabled());
        overlay.choose("power");
        const QModelIndex line = panel.list()->model()->index(1, 0); // a click on a line asks, and selects
        QTest::mouseClick(panel.list()->viewport(), Qt::LeftButton, {}, panel.list()->visualRect(line).center());
        const EntityRef chosen = panel.list()->currentRow()->entity;
        QTRY_COMPARE(overlay.name(), std::string(kImpactOverlay));
        QCOMPARE(bridge.selected(), chosen);
        QSignalSpy zoomed(&bridge, &DocumentBridge::zoomRequested);
        QTest::mouseDClick(panel.list()->viewport(), Qt::LeftButton, {}, panel.list()->visualRect(line).center()); // and goes there
        QCOMPARE(zoomed.count(), 1);
        QTRY_VERIFY(!bridge.jobs().busy("impact.answer"));
        QSignalSpy asked(&panel, &ImpactPanel::simulateRequested);
        simulate->click();
        QCOMPARE(asked.front().front().value<std::vector<std::string>>(), std::vector{bridge.nameOf(chosen).toStdString()});
        clear->click();
        QCOMPARE(overlay.name(), std::string("power"));
        QVERIFY(panel.answer()->toPlainText().isEmpty());
        QVERIFY(!clear->isEnabled() && !simulate->isEnabled());
        QVERIFY(panel.list()->currentRow() == nullptr);
    }

    /// Stopped, it says so and works it out when asked; what was worked out before an edit is not taken for the present.
    void rankingCanBeStopped()
    {
        const auto sample = test::makeSample(15);
        DocumentBridge bridge;
        bridge.load(sample.snapshot, sample.figures);
        ImpactPanel panel(bridge);
        panel.show();
        QTRY_VERIFY(bridge.jobs().busy("impact.ranking"));
        auto* stop = panel.findChild<QToolButton*>("impactStop");
        QVERIFY(stop->isVisible());
        stop->click();
        QVERIFY(!bridge.jobs().busy("impact.ranking"));
        QCOMPARE(panel.rankedRevision(), 0u);
        QVERIFY2(panel.summary().startsWith("Stopped"), qPrintable(panel.summary()));
        panel.hide();
        panel.show();
        QTest::qWait(50);
        QVERIFY(!bridge.jobs().busy("impact.ranking")); // not by itself
        stop->click();
        QTRY_COMPARE_WITH_TIMEOUT(panel.rankedRevision(), sample.snapshot->revision, 30000);
        QVERIFY(!stop->isVisible());
        QVERIFY(panel.list()->cells()->rowCount() > 0);
    }

    /// Another design is another design, also with the same revision.
    void anotherDesignIsRankedAnew()
    {
        const auto sample = test::makeSample(), larger = test::makeSample(3);
        QCOMPARE(sample.snapshot->revision, larger.snapshot->revision);
        DocumentBridge bridge;
        bridge.load(sample.snapshot, sample.figures);
        ImpactPanel panel(bridge);
        panel.show();
        QTRY_COMPARE(panel.rankedRevision(), sample.snapshot->revision);
        const QString before = panel.summary();
        bridge.load(larger.snapshot, larger.figures);
        QTRY_VERIFY(panel.summary().contains("single failures") && panel.summary() != before);
        const QString after = panel.summary();
        const int rows = panel.list()->cells()->rowCount();
        // A ranking that comes late, of the design before, is not taken for the present one, nor is its model.
        bridge.load(sample.snapshot, sample.figures);
        for (int turn = 0; turn < 100 && !bridge.jobs().busy("impact.ranking"); ++turn) QCoreApplication::processEvents(); // it may be quicker
        panel.hide();
        bridge.load(larger.snapshot, larger.figures);
        QTRY_VERIFY(!bridge.jobs().busy("impact.ranking"));
        panel.show();
        QTRY_COMPARE(panel.summary(), after);
        QCOMPARE(panel.list()->cells()->rowCount(), rows);
    }

    /// A lost busway of two: its racks have a way less and none is lost; both: the hosts over them are.
    void aRackIsLostWithItsHostsOnly()
    {
        const auto sample = test::makeSample();
        const Snapshot& s = *sample.snapshot;
        RowId row;
        s.devices.forEach([&](DeviceId id) {
            if (s.tiers.kind[s.devices.tier[id]] == TierKind::Server && s.devices.rack[id] && s.devices.segment[id] == 0)
                row = s.racks.row[*s.devices.rack[id]];
        });
        std::vector<EntityRef> busways;
        s.devices.forEach([&](DeviceId id) {
            if (s.devices.row[id] == row) busways.push_back(ref(id));
        });
        QCOMPARE(busways.size(), std::size_t(2));
        DocumentBridge bridge;
        bridge.load(sample.snapshot, sample.figures);
        ImpactPanel panel(bridge);
        panel.show();
        auto& overlay = OverlaySource::of(bridge);
        const auto states = [&](const std::vector<EntityRef>& failing) {
            panel.clear();
            panel.ask(failing);
            std::array<int, 4> found{};
            if (!QTest::qWaitFor([&] { return overlay.name() == kImpactOverlay; }, 20000)) return found;
            s.racks.forEach([&](RackId id) {
                const float v = overlay.values()->of(EntityKind::Rack)->at(id.value);
                if (s.racks.row[id] == row && known(v)) ++found[std::size_t(v)];
            });
            return found;
        };
        const auto one = states({busways[0]});
        QCOMPARE(one[2], 0);
        QVERIFY(one[1] > 10);
        QVERIFY(states(busways)[2] > 10);
    }

    void anEmptyDesignSaysSo()
    {
        auto empty = std::make_shared<Snapshot>();
        DesignBuilder(*empty).site({.name = "site"});
        empty->revision = 1;
        DocumentBridge bridge;
        bridge.load(empty, computeFigures(empty).value());
        ImpactPanel panel(bridge);
        panel.show();
        QTRY_COMPARE(panel.rankedRevision(), empty->revision);
        QCOMPARE(panel.list()->cells()->rowCount(), 0);
        QVERIFY2(panel.summary().startsWith("The design contains no equipment"), qPrintable(panel.summary()));
    }

    void newerQuestionsReplaceOlderOnes()
    {
        const auto sample = test::makeSample();
        DocumentBridge bridge;
        bridge.load(sample.snapshot, sample.figures);
        ImpactPanel panel(bridge);
        const auto ids = sample.snapshot->devices.ids();
        for (std::size_t i = 0; i < 10; ++i) panel.ask({ref(ids[i])});
        QTRY_VERIFY(!panel.answer()->toPlainText().isEmpty());
        QVERIFY(panel.answer()->toPlainText().contains(bridge.nameOf(ref(ids[9]))));
        QTRY_VERIFY(!bridge.jobs().busy("impact.answer"));
        QVERIFY(panel.answer()->toPlainText().contains(bridge.nameOf(ref(ids[9]))));
    }
};

QTEST_MAIN(TestImpactPanel)
#include "test_impact_panel.moc"

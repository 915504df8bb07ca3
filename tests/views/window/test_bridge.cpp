// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample.h"

#include "core/values/overlays.h"
#include "views/bridge/document_bridge.h"
#include "views/panels/properties.h"
#include "views/plan/rack_facts.h"

#include "core/edit/edits.h"

#include <QSignalSpy>
#include <QTest>

using namespace hw;
using namespace hw::views;

class TestBridge : public QObject {
    Q_OBJECT
private slots:
    void previewShowsCommitsAndGivesUp()
    {
        const auto sample = test::makeSample();
        DocumentBridge bridge;
        bridge.load(sample.snapshot, sample.figures);
        const RowId row = sample.snapshot->rows.ids().front();
        const auto before = bridge.figures()->get<CableTotalsNode>();
        QVERIFY(bridge.beginPreview("Move row"));
        QVERIFY(!bridge.beginPreview("another"));
        QVERIFY(bridge.preview([&](Transaction& t) { return edit::moveEntity(t, ref(row), 6000, 0); }).has_value());
        QTRY_VERIFY(bridge.figures()->placement->row(row) != sample.figures->placement->row(row));
        QVERIFY(bridge.figures()->get<CableTotalsNode>().lengthMm != before.lengthMm);
        QCOMPARE(bridge.snapshot(), sample.snapshot); // nothing is committed yet
        bridge.cancelPreview();
        QVERIFY(sameFigures(*bridge.figures(), *sample.figures));
        QVERIFY(!bridge.document().canUndo());

        QVERIFY(bridge.beginPreview("Move row"));
        for (int i = 0; i < 3; ++i) QVERIFY(bridge.preview([&](Transaction& t) { return edit::moveEntity(t, ref(row), 200, 0); }).has_value());
        bridge.commitPreview();
        QCOMPARE(bridge.document().undoName(), std::string("Move row"));
        QCOMPARE(bridge.historyPosition(), 1);
        QTRY_VERIFY(bridge.figuresCurrent());
        const auto full = computeFigures(bridge.snapshot());
        QVERIFY(full.has_value());
        QVERIFY(sameFigures(*bridge.figures(), **full));
        bridge.undo();
        QTRY_VERIFY(bridge.figuresCurrent());
        QVERIFY(!bridge.document().canUndo()); // one gesture, one step
        QCOMPARE(bridge.figures()->get<CableTotalsNode>().lengthMm, before.lengthMm);
    }

    /// Colours and inspector show power on the basis that limits are compared on.
    void powerFollowsTheBasis()
    {
        const auto sample = test::makeSample();
        DocumentBridge bridge;
        bridge.load(sample.snapshot, sample.figures);
        const auto shares = [&] { return makeOverlay(*findOverlay("power"), {*bridge.figures()}).of(EntityKind::Rack)->values; };
        const auto onDesign = shares();
        RackId rack(0);
        for (std::uint32_t i = 0; i < onDesign.size(); ++i)
            if (known(onDesign[i]) && !(onDesign[rack.value] >= onDesign[i])) rack = RackId(i);
        const auto limitRow = [&] { return propertiesOf(bridge, ref(rack))[1].rows[3].value; };
        const QString before = limitRow();
        QVERIFY(bridge.edit("basis", [](Transaction& t) {
            t->putSetting("site.power_basis", "nameplate");
            return Result<void>();
        }));
        QTRY_VERIFY(bridge.figuresCurrent());
        const float share = shares()[rack.value];
        QVERIFY(share > onDesign[rack.value]);
        const double load = toWatts(bridge.figures()->power->rack(rack).at(PowerBasis::Nameplate));
        QVERIFY(std::abs(double(share) - load / toWatts(rackLimit(*bridge.figures(), rack))) < 1e-6);
        QVERIFY(limitRow() != before);
    }

    void checksByItself()
    {
        const auto sample = test::makeSample();
        DocumentBridge bridge;
        QSignalSpy found(&bridge, &DocumentBridge::findingsChanged);
        bridge.load(sample.snapshot, sample.figures);
        QTRY_VERIFY_WITH_TIMEOUT(bridge.findings() != nullptr, 30000);
        QCOMPARE(bridge.findings()->revision, sample.snapshot->revision);
    }

    void aJobReplacesTheOneBefore()
    {
        Jobs jobs;
        int first = 0, second = 0;
        std::atomic<bool> stopped = false;
        jobs.start<int>(
            "slot", "slow",
            [&](const Progress& p) {
                while (!p.stopRequested()) std::this_thread::yield();
                stopped = true;
                return 1;
            },
            [&](int v) { first = v; });
        jobs.start<int>(
            "slot", "quick", [](const Progress&) { return 2; }, [&](int v) { second = v; });
        QTRY_COMPARE(second, 2);
        QTRY_VERIFY(stopped);
        QTest::qWait(20);
        QCOMPARE(first, 0);
        QVERIFY(jobs.running().empty());
    }

    void aFaultIsTold()
    {
        Jobs jobs;
        QSignalSpy fault(&jobs, &Jobs::faulted);
        jobs.start<int>(
            "slot", "bad", [](const Progress&) -> int { throw std::runtime_error("broken"); }, [](int) { QFAIL("no value"); });
        QTRY_COMPARE(fault.size(), 1);
        QCOMPARE(fault[0][1].toString(), QString("broken"));
    }

    void aLargeEditRunsBeside()
    {
        const auto sample = test::makeSample();
        DocumentBridge bridge;
        bridge.load(sample.snapshot, sample.figures);
        bool done = false;
        bridge.editInWorker<MergeReport>(
            "Parameters",
            [&](Transaction& t, const Progress& p) {
                return regenerate(t, {{"segments", 3}}, *sample.library.catalogue, p);
            },
            [&](const Result<MergeReport>& r) { done = r.has_value(); });
        QVERIFY(!bridge.edit("other", [](Transaction&) { return Result<void>(); }).has_value());
        QTRY_VERIFY_WITH_TIMEOUT(done, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(bridge.figuresCurrent(), 60000);
        QVERIFY(bridge.snapshot()->racks.size() > sample.snapshot->racks.size());
        QTRY_VERIFY(bridge.edit("other", [](Transaction&) { return Result<void>(); }).has_value());
        bridge.undo();
        QVERIFY(sameContent(*bridge.snapshot(), *sample.snapshot));
    }
};

QTEST_MAIN(TestBridge)
#include "test_bridge.moc"

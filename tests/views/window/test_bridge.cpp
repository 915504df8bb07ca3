// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample.h"

#include "core/operations/overlays/overlays.h"
#include "views/bridge/following_view.h"
#include "views/panels/properties.h"
#include "views/plan/rack_facts.h"

#include "core/design/edit/edits.h"
#include "tests/figures/same_figures.h"

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
        QVERIFY(test::sameFigures(*bridge.figures(), *sample.figures));
        QVERIFY(!bridge.document().canUndo());

        QVERIFY(bridge.beginPreview("Move row"));
        for (int i = 0; i < 3; ++i) QVERIFY(bridge.preview([&](Transaction& t) { return edit::moveEntity(t, ref(row), 200, 0); }).has_value());
        bridge.commitPreview();
        QCOMPARE(bridge.document().undoName(), std::string("Move row"));
        QCOMPARE(bridge.historyPosition(), 1);
        QTRY_VERIFY(bridge.figuresCurrent());
        const auto full = computeFigures(bridge.snapshot());
        QVERIFY(full.has_value());
        QVERIFY(test::sameFigures(*bridge.figures(), **full));
        bridge.undo();
        QTRY_VERIFY(bridge.figuresCurrent());
        QVERIFY(!bridge.document().canUndo()); // one gesture, one step
        QCOMPARE(bridge.figures()->get<CableTotalsNode>().lengthMm, before.lengthMm);
    }

    /// Colors and inspector show power on the basis that limits are compared on.
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

    /// A view is told while it can be seen, several changes together once; of a gesture live ones meanwhile, others at its end.
    void viewsAreToldWhileTheyAreSeen()
    {
        const auto sample = test::makeSample(1);
        DocumentBridge bridge;
        QWidget seen, hidden, slow;
        int seenTold = 0, hiddenTold = 0, slowTold = 0;
        auto passing = std::make_unique<FollowingView>(bridge, seen, FollowingView::Pace::Live, [] { QFAIL("told after its end"); });
        passing.reset();
        const FollowingView live(bridge, seen, FollowingView::Pace::Live, [&] { ++seenTold; });
        const FollowingView unseen(bridge, hidden, FollowingView::Pace::Live, [&] { ++hiddenTold; });
        FollowingView rested(bridge, slow, FollowingView::Pace::Rested, [&] { ++slowTold; });
        seen.show(), slow.show();
        QTest::qWait(20);
        QCOMPARE(seenTold + slowTold, 0); // there are no figures yet
        bridge.load(sample.snapshot, sample.figures);
        QTRY_COMPARE(seenTold, 1);
        QTRY_COMPARE(slowTold, 1);
        QCOMPARE(hiddenTold, 0);
        hidden.show();
        QTRY_COMPARE(hiddenTold, 1);
        hidden.hide(), hidden.show(); // nothing changed meanwhile
        QTest::qWait(50);
        QCOMPARE(hiddenTold, 1);

        const RowId row = sample.snapshot->rows.ids().front();
        const auto move = [&] { return bridge.preview([&](Transaction& t) { return edit::moveEntity(t, ref(row), 100, 0); }).has_value(); };
        const QSignalSpy changes(&bridge, &DocumentBridge::figuresChanged);
        QVERIFY(bridge.beginPreview("Move row"));
        for (int i = 0; i < 20; ++i) {
            QVERIFY(move());
            QTest::qWait(1); // a turn of the event loop: figures follow each time
        }
        QTRY_VERIFY(seenTold > 1);
        QVERIFY(seenTold <= 1 + int(changes.size()));
        QTest::qWait(400);
        QCOMPARE(slowTold, 1); // the hand is still on it
        bridge.commitPreview();
        QTRY_COMPARE(slowTold, 2);
        slow.hide();
        rested.missed();
        slow.show();
        QTRY_COMPARE(slowTold, 3);
        rested.soon();
        QTRY_COMPARE(slowTold, 4);
    }

    /// Work that is running is let finish; what came meanwhile is worked out once more, from what holds then.
    void workIsLetFinish()
    {
        const auto sample = test::makeSample(1);
        DocumentBridge bridge;
        QWidget view;
        std::atomic<bool> go = false;
        std::vector<std::uint64_t> shown;
        std::unique_ptr<FollowingView> following;
        following = std::make_unique<FollowingView>(bridge, view, FollowingView::Pace::Live, [&] {
            following->work<std::uint64_t>(
                "slot",
                [&go, revision = bridge.figures()->snapshot->revision](const Progress&) {
                    while (!go) std::this_thread::yield();
                    return revision;
                },
                [&](std::uint64_t revision) { shown.push_back(revision); });
        });
        view.show();
        bridge.load(sample.snapshot, sample.figures);
        QTRY_VERIFY(bridge.jobs().busy("slot"));
        const auto first = bridge.snapshot()->revision;
        for (const char* name : {"a", "b", "c"}) {
            QVERIFY(bridge.edit("name", [&](Transaction& t) { return edit::renameEntity(t, ref(RackId(0)), name); }));
            QTRY_VERIFY(bridge.figuresCurrent());
            QTest::qWait(5);
        }
        go = true;
        QTRY_COMPARE(shown.size(), std::size_t(2));
        QVERIFY(shown[0] == first && shown[1] == bridge.snapshot()->revision);
        QTest::qWait(30);
        QCOMPARE(shown.size(), std::size_t(2));
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
                return regenerate(t, {{"segments", 3}}, *sample.library.catalog, p);
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

    /// The next edit may begin as soon as one is done, whatever its thread still holds; one that comes too early is refused, and its caller gets the
    /// error.
    void largeEditsFollowEachOther()
    {
        const auto sample = test::makeSample();
        DocumentBridge bridge;
        bridge.load(sample.snapshot, sample.figures);
        int done = 0;
        bool refused = false;
        const auto nothing = [](Transaction&, const Progress&) -> Result<int> { return fail(ErrorCode::Refused, "hall", i18n("not a number")); };
        for (int round = 1; round <= 20; ++round) {
            bridge.editInWorker<int>("first", nothing, [&](const Result<int>& r) { done += !r && r.error().where == "hall"; });
            bridge.editInWorker<int>("second", nothing, [&](const Result<int>& r) { refused = !r && r.error().where == "edit"; });
            QVERIFY(std::exchange(refused, false));
            QTRY_COMPARE(done, round);
        }
        QVERIFY(bridge.edit("other", [](Transaction&) { return Result<void>(); }).has_value());
    }
};

QTEST_MAIN(TestBridge)
#include "test_bridge.moc"

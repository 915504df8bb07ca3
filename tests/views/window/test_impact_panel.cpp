// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample.h"

#include "core/edit/edits.h"
#include "core/values/impact_fields.h"
#include "views/bridge/document_bridge.h"
#include "views/models/cell_table_model.h"
#include "views/panels/impact_panel.h"
#include "views/panels/list_view.h"
#include "views/values/overlay_source.h"

#include <QTest>
#include <QTextBrowser>

using namespace hw;
using namespace hw::views;

class TestImpactPanel : public QObject {
    Q_OBJECT
private slots:
    void rankingChoiceAndColours()
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

        // Nothing is chosen by itself; the lists of what is chosen come with colours in all views.
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
        QCOMPARE(devices->at(host.id), 2.0F);
        QCOMPARE(std::ranges::count(devices->values, 2.0F), 1);

        // An edit takes back both, and what was chosen before is shown again.
        const RowId row = sample.snapshot->rows.ids().front();
        QVERIFY(bridge.edit("Move row", [&](Transaction& t) { return edit::moveEntity(t, ref(row), 6000, 0); }).has_value());
        QTRY_VERIFY(bridge.figuresCurrent());
        QVERIFY(panel.answer()->toPlainText().isEmpty());
        QCOMPARE(overlay.name(), std::string("power"));
        QTRY_COMPARE(panel.rankedRevision(), bridge.snapshot()->revision);
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

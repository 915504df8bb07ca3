// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample.h"

#include "core/foundation/model/outline.h"
#include "views/models/cell_table_model.h"
#include "views/models/project_tree_model.h"
#include "views/simulation/field_form.h"
#include "views/style/format.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace hw;
using namespace hw::views;

class TestModels : public QObject {
    Q_OBJECT
private slots:
    void treeIsSoundAndComplete()
    {
        const auto sample = test::makeSample();
        ProjectTreeModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSnapshot(sample.snapshot, nullptr);
        int racks = 0;
        sample.snapshot->racks.forEach([&](RackId id) {
            const QModelIndex at = model.indexOf(ref(id));
            QVERIFY(at.isValid());
            QCOMPARE(model.entityAt(at), ref(id));
            QCOMPARE(model.entityAt(at.parent()), ref(sample.snapshot->racks.row[id]));
            ++racks;
        });
        QCOMPARE(racks, int(sample.snapshot->racks.size()));
        const RackId rack = sample.snapshot->racks.ids().front();
        QCOMPARE(model.data(model.indexOf(ref(rack)), ProjectTreeModel::NameRole).toString(),
                 QString::fromStdString(sample.snapshot->racks.name[rack]));
    }

    /// Everything that has a name and a parent stands once under it; switches once more under their tier; what is not placed is listed last.
    void treeShowsWhatTheTablesDeclare()
    {
        const auto sample = test::makeSample();
        Document document(sample.snapshot);
        auto transaction = document.begin("lift");
        const DeviceId lifted = [&] {
            for (const DeviceId id : transaction->devices.ids())
                if (transaction->devices.rack[id]) return id;
            return DeviceId(0);
        }();
        transaction->devices.rack.set(lifted, std::nullopt);
        transaction.commit();
        const Snapshot& s = *document.snapshot();
        const Outline outline(s);
        s.trays.forEach([&](TrayId id) {
            const EntityRef parent = s.trays.row[id] ? ref(*s.trays.row[id]) : s.trays.hall[id] ? ref(*s.trays.hall[id]) : EntityRef{};
            if (parent) QCOMPARE(std::ranges::count(outline.children(parent), ref(id)), 1);
        });
        s.devices.forEach([&](DeviceId id) { QCOMPARE(std::ranges::count(outline.children(ref(s.devices.tier[id])), ref(id)), 1); });
        s.racks.forEach([&](RackId id) { // from the top down
            int above = 1000;
            for (const EntityRef e : outline.children(ref(id))) {
                if (e.kind != EntityKind::Device) continue;
                QVERIFY(s.devices.u[DeviceId(e.id)] <= above);
                above = s.devices.u[DeviceId(e.id)];
            }
        });
        QCOMPARE(outline.unplaced(), std::vector{ref(lifted)});
        ProjectTreeModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSnapshot(document.snapshot(), nullptr);
        const QModelIndex last = model.index(model.rowCount() - 1, 0);
        QCOMPARE(model.rowCount(last), 1);
        QVERIFY(!model.entityAt(last));
        QCOMPARE(model.entityAt(model.index(0, 0, last)), ref(lifted));
    }

    void treeFollowsRenameInPlace()
    {
        const auto sample = test::makeSample();
        ProjectTreeModel model;
        model.setSnapshot(sample.snapshot, nullptr);
        Document document(sample.snapshot);
        auto transaction = document.begin("rename");
        const RackId rack = sample.snapshot->racks.ids().front();
        transaction->racks.name.set(rack, "a new name");
        const auto changes = transaction.commit();
        int resets = 0;
        connect(&model, &QAbstractItemModel::modelReset, this, [&] { ++resets; });
        model.setSnapshot(document.snapshot(), changes.get());
        QCOMPARE(resets, 0);
        QCOMPARE(model.data(model.indexOf(ref(rack)), ProjectTreeModel::NameRole).toString(), QString("a new name"));
    }

    void cellsKeepRowsOnRefill()
    {
        CellTableModel model({"a", "b"});
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto rows = [](int n, const QString& text) {
            std::vector<CellRow> result(std::size_t(n), CellRow{});
            for (int i = 0; i < n; ++i)
                result[std::size_t(i)] = {{{text}, {QString::number(i), i, {}, {}, -1, true}}, {}, QString::number(i), {}, false, false};
            return result;
        };
        model.setRows(rows(3, "x"));
        QCOMPARE(model.rowCount(), 3);
        int resets = 0;
        connect(&model, &QAbstractItemModel::modelReset, this, [&] { ++resets; });
        model.setRows(rows(3, "y"));
        QCOMPARE(resets, 0);
        QCOMPARE(model.data(model.index(1, 0)).toString(), QString("y"));
        model.setRows(rows(2, "y"));
        QCOMPARE(resets, 1);
    }

    void segmentsAreUnderstood()
    {
        QVERIFY(FieldForm::selectionOf("") == "all");
        QVERIFY(FieldForm::selectionOf("1-3, 7") == sim::Json({1, 2, 3, 7}));
        for (const char* wrong : {"0", "3-1", "two"}) QVERIFY(FieldForm::selectionOf(wrong).is_null());
    }

    void numbersReadWell()
    {
        QLocale::setDefault(QLocale(QLocale::English));
        QCOMPARE(views::power(watts(17'860'000)), QString("17.86 MW"));
        QCOMPARE(views::power(watts(32'600)), QString("32.6 kW"));
        QCOMPARE(views::power(watts(312)), QString("312 W"));
        QCOMPARE(length(69'800), QString("69.8 m"));
        QCOMPARE(views::count(15360), QString("15,360"));
        QCOMPARE(rate(400), QString("400 Gb/s"));
        QCOMPARE(rate(51200), QString("51.2 Tb/s"));
        QCOMPARE(signedText("3 m", -1), QString("−3 m"));
    }
};

QTEST_MAIN(TestModels)
#include "test_models.moc"

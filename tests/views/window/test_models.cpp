// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample.h"

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
        QCOMPARE(power(watts(17'860'000)), QString("17.86 MW"));
        QCOMPARE(power(watts(32'600)), QString("32.6 kW"));
        QCOMPARE(power(watts(312)), QString("312 W"));
        QCOMPARE(length(69'800), QString("69.8 m"));
        QCOMPARE(views::count(15360), QString("15,360"));
        QCOMPARE(rate(400), QString("400 Gb/s"));
        QCOMPARE(rate(51200), QString("51.2 Tb/s"));
        QCOMPARE(signedText("3 m", -1), QString("−3 m"));
    }
};

QTEST_MAIN(TestModels)
#include "test_models.moc"

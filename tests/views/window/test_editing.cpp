// SPDX-License-Identifier: GPL-3.0-or-later
// Panels that make, change and take away: the form of every column, and the catalog.
#include "sample.h"

#include "core/design/edit/edits_create.h"
#include "core/design/edit/lookup.h"
#include "core/foundation/base/language.h"
#include "tests/figures/same_figures.h"
#include "views/panels/catalog_panel.h"
#include "views/panels/entity_form.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>

#include <fstream>

using namespace hw;
using namespace hw::views;

class TestEditing : public QObject {
    Q_OBJECT
    const test::Sample m_sample = test::makeSample(1);

    static void write(QWidget* editor, const char* text)
    {
        auto* line = qobject_cast<QLineEdit*>(editor);
        QVERIFY(line);
        line->selectAll();
        QTest::keyClicks(line, text);
        QTest::keyClick(line, Qt::Key_Return);
    }

private slots:
    /// Every field of every kind has an editor, which shows what holds.
    void formsFollowTheSchema()
    {
        DocumentBridge bridge;
        bridge.load(m_sample.snapshot, m_sample.figures);
        EntityForm form(bridge);
        m_sample.snapshot->eachTable([&](const auto& table) {
            constexpr auto kind = kKindOf<std::decay_t<decltype(table)>>;
            if constexpr (kind != EntityKind::None) {
                if (table.size() == 0) return;
                form.setEntity(ref(table.ids().front()));
                for (const edit::Field& field : edit::fieldsOf(kind))
                    QCOMPARE(form.editor(QString::fromStdString(field.column)) != nullptr, field.column != "name");
            }
        });
        form.setEntity({});
        QVERIFY(!form.editor("powerLimit"));
    }

    /// A label of any column is looked up in the language's catalog.
    void formsSpeakTheLanguage()
    {
        QTemporaryDir folder;
        std::ofstream(folder.filePath("one.po").toStdString())
            << "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\nmsgid \"Clear height\"\nmsgstr \"净高\"\n"
               "msgid \"Floor load\"\nmsgstr \"楼面荷载\"\n";
        QCOMPARE(QProcess::execute("msgfmt", {"-o", folder.filePath("zh.mo"), folder.filePath("one.po")}), 0);
        setLanguage(Language::load("zh", folder.path().toStdString()).value());
        DocumentBridge bridge;
        bridge.load(m_sample.snapshot, m_sample.figures);
        EntityForm form(bridge);
        form.setEntity(ref(m_sample.snapshot->halls.ids().front()));
        const auto label = [&](const char* column) { return form.editor(column)->accessibleName(); };
        QCOMPARE(label("clear_height_mm"), QString("净高"));
        QCOMPARE(label("floor_load_kg_m2"), QString("楼面荷载"));
        setLanguage({});
        form.setEntity({});
        form.setEntity(ref(m_sample.snapshot->halls.ids().front()));
        QCOMPARE(label("clear_height_mm"), QString("Clear height"));
    }

    void aValueIsOneStepAndABadOneGoesBack()
    {
        DocumentBridge bridge;
        bridge.load(m_sample.snapshot, m_sample.figures);
        QSignalSpy problems(&bridge, &DocumentBridge::problem);
        EntityForm form(bridge);
        form.show();
        const RackId rack = m_sample.snapshot->racks.ids().front();
        form.setEntity(ref(rack));
        write(form.editor("power_limit_mw"), "33 kW");
        QCOMPARE(bridge.snapshot()->racks.powerLimit[rack].count(), watts(33'000).count());
        QCOMPARE(bridge.historyPosition(), 1);
        QTRY_VERIFY(bridge.figuresCurrent());
        form.setEntity(ref(rack));
        write(form.editor("power_limit_mw"), "many");
        QCOMPARE(problems.size(), 1);
        QCOMPARE(bridge.historyPosition(), 1);
        QCOMPARE(qobject_cast<QLineEdit*>(form.editor("power_limit_mw"))->text(), QString("33 kW"));
    }

    /// A number without a unit has the unit that the field shows, also where it shows zero.
    void aPlainNumberHasTheUnitShown()
    {
        DocumentBridge bridge;
        bridge.load(m_sample.snapshot, m_sample.figures);
        EntityForm form(bridge);
        form.show();
        const RackId rack = m_sample.snapshot->racks.ids().front();
        form.setEntity(ref(rack));
        write(form.editor("power_limit_mw"), "33 kW");
        QTRY_VERIFY(bridge.figuresCurrent());
        form.setEntity(ref(rack));
        write(form.editor("power_limit_mw"), "60");
        QCOMPARE(bridge.snapshot()->racks.powerLimit[rack].count(), watts(60'000).count());
        QTRY_VERIFY(bridge.figuresCurrent());
        form.setEntity(ref(rack));
        write(form.editor("power_limit_mw"), "0");
        QTRY_VERIFY(bridge.figuresCurrent());
        form.setEntity(ref(rack));
        QCOMPARE(qobject_cast<QLineEdit*>(form.editor("power_limit_mw"))->text(), QString()); // none
        write(form.editor("power_limit_mw"), "45");
        QCOMPARE(bridge.snapshot()->racks.powerLimit[rack].count(), watts(45'000).count());
        QCOMPARE(edit::inUnitShown("1.5", "600 mm"), "1.5 mm");
        QCOMPARE(edit::inUnitShown("1.5", "1.2 m"), "1.5 m");
        QCOMPARE(edit::inUnitShown("12 ft", "1.2 m"), "12 ft");
        QCOMPARE(edit::inUnitShown("7", "6"), "7");
        QCOMPARE(edit::inUnitShown("row-01", "row-02"), "row-01");
    }

    /// With several objects a value goes to all of a kind, in one undo step; what differs says so.
    void aValueGoesToAllThatAreSelected()
    {
        DocumentBridge bridge;
        bridge.load(m_sample.snapshot, m_sample.figures);
        EntityForm form(bridge);
        form.show();
        std::vector<EntityRef> racks;
        for (const RackId rack : m_sample.snapshot->racks.ids())
            if (racks.size() < 9) racks.push_back(ref(rack));
        const EntityRef hall = ref(m_sample.snapshot->halls.ids().front());
        form.setEntity(racks[0]);
        write(form.editor("power_limit_mw"), "33 kW");
        QTRY_VERIFY(bridge.figuresCurrent());
        std::vector<EntityRef> selected = racks;
        selected.push_back(hall);
        form.setEntity(racks[0], selected);
        auto* line = qobject_cast<QLineEdit*>(form.editor("power_limit_mw"));
        QCOMPARE(line->text(), QString());
        QCOMPARE(line->placeholderText(), QString("Mixed values"));
        QVERIFY(form.findChild<QLabel*>("editScope")->text().contains("9"));
        const int before = bridge.historyPosition();
        write(line, "60");
        for (const EntityRef rack : racks) QCOMPARE(bridge.snapshot()->racks.powerLimit[RackId(rack.id)].count(), watts(60'000).count());
        QCOMPARE(bridge.historyPosition(), before + 1);
        QTRY_VERIFY(bridge.figuresCurrent());
        form.setEntity(racks[0], selected);
        QCOMPARE(qobject_cast<QLineEdit*>(form.editor("power_limit_mw"))->text(), QString("60 kW"));
    }

    void theCatalogIsSearchedAndAdds()
    {
        DocumentBridge bridge;
        bridge.load(m_sample.snapshot, m_sample.figures);
        CatalogPanel panel(bridge);
        panel.setCatalog(m_sample.library.catalog);
        panel.search()->setText("rack 800");
        QTreeWidgetItem* found = nullptr;
        int shown = 0;
        for (int g = 0; g < panel.list()->topLevelItemCount(); ++g)
            for (int i = 0; i < panel.list()->topLevelItem(g)->childCount(); ++i)
                if (auto* item = panel.list()->topLevelItem(g)->child(i); !item->isHidden()) found = item, ++shown;
        QCOMPARE(shown, 1);
        panel.list()->setCurrentItem(found);
        auto* add = panel.findChild<QPushButton*>("catalogAdd");
        QVERIFY(!add->isEnabled()); // nothing is selected that could hold a rack
        const RowId row = m_sample.snapshot->rows.ids().front();
        bridge.select(ref(row));
        QVERIFY(add->isEnabled());
        const auto racks = bridge.snapshot()->racks.size();
        add->click();
        QCOMPARE(bridge.snapshot()->racks.size(), racks + 1);
        const RackId made = bridge.snapshot()->racks.ids().back();
        QVERIFY(bridge.snapshot()->racks.row[made] == row);
        QCOMPARE(bridge.snapshot()->partTypes.slug[bridge.snapshot()->racks.type[made]], std::string("rack-48u-800x1200"));
        QTRY_VERIFY(bridge.figuresCurrent());
        const auto full = computeFigures(bridge.snapshot());
        QVERIFY(full && test::sameFigures(*bridge.figures(), **full));
        bridge.undo();
        QCOMPARE(bridge.snapshot()->racks.size(), racks);
        QVERIFY(sameContent(*bridge.snapshot(), *m_sample.snapshot));
    }

    /// Part types of one's own stand in the catalog panel beside the shipped ones, and so does what a hall holds besides rows.
    void theCatalogOffersWhatTheProjectHas()
    {
        DocumentBridge bridge;
        bridge.load(m_sample.snapshot, m_sample.figures);
        CatalogPanel panel(bridge);
        panel.setCatalog(m_sample.library.catalog);
        const auto shown = [&] {
            std::vector<QTreeWidgetItem*> items;
            for (int g = 0; g < panel.list()->topLevelItemCount(); ++g)
                for (int i = 0; i < panel.list()->topLevelItem(g)->childCount(); ++i)
                    if (auto* item = panel.list()->topLevelItem(g)->child(i); !item->isHidden()) items.push_back(item);
            return items;
        };
        auto* add = panel.findChild<QPushButton*>("catalogAdd");
        panel.search()->setText("own-box");
        QVERIFY(shown().empty());
        const auto taken = bridge.edit("Own part", [&](Transaction& t) -> Result<void> {
            edit::Lookup lookup(t.preview());
            const auto type = edit::addPartType(t, lookup, "manufacturer: Own\nmodel: My box\nslug: own-box\nu_height: 0\nis_full_depth: true\n");
            return type ? Result<void>() : tl::unexpected(type.error());
        });
        QVERIFY(taken.has_value());
        QTRY_VERIFY(bridge.figuresCurrent() && shown().size() == 1);
        panel.list()->setCurrentItem(shown().front());
        const auto& s = *bridge.snapshot();
        panel.findChild<QComboBox*>()->setCurrentIndex(1);
        bridge.select(ref(s.racks.ids().front()));
        const auto devices = s.devices.size();
        QVERIFY(add->isEnabled());
        add->click();
        QCOMPARE(bridge.snapshot()->devices.size(), devices + 1);
        panel.search()->setText("wall, column");
        QCOMPARE(shown().size(), std::size_t(1));
        panel.list()->setCurrentItem(shown().front());
        QVERIFY(add->isEnabled()); // into the hall of the rack
        add->click();
        QCOMPARE(bridge.snapshot()->structures.size(), m_sample.snapshot->structures.size() + 1);
        QTRY_VERIFY(bridge.figuresCurrent());
        while (bridge.historyPosition() > 0) bridge.undo();
        QTRY_VERIFY(bridge.figuresCurrent() && shown().size() == 1);
        QVERIFY(sameContent(*bridge.snapshot(), *m_sample.snapshot));
        panel.search()->setText("own-box");
        QVERIFY(shown().empty());
    }

    /// What follows from a design is the same, made from the changes or again, also when rows come and go and come back.
    void figuresFollowWhatComesAndGoes()
    {
        DocumentBridge bridge;
        bridge.load(m_sample.snapshot, m_sample.figures);
        const EntityRef rack = ref(m_sample.snapshot->racks.ids()[1]);
        const auto check = [&] {
            QTRY_VERIFY_WITH_TIMEOUT(bridge.figuresCurrent(), 60000);
            const auto full = computeFigures(bridge.snapshot());
            QVERIFY(full && test::sameFigures(*bridge.figures(), **full));
        };
        const auto removed = bridge.edit("Remove", [&](Transaction& t) -> Result<void> {
            edit::Lookup lookup(t.preview());
            const auto gone = edit::remove(t, lookup, std::span(&rack, 1));
            return gone ? Result<void>() : tl::unexpected(gone.error());
        });
        QVERIFY(removed.has_value());
        check();
        bridge.undo();
        check();
        const auto copied = bridge.edit("Copy", [&](Transaction& t) -> Result<void> {
            edit::Lookup lookup(t.preview());
            const auto made = edit::copy(t, **ProjectParts::of(t->partTypes), lookup, rack, {});
            return made ? Result<void>() : tl::unexpected(made.error());
        });
        QVERIFY(copied.has_value());
        check();
        bridge.undo();
        check();
    }
};

QTEST_MAIN(TestEditing)
#include "test_editing.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The planner's dialogs: a new design with its drawing and limits, sizes, demand, comparison.
#include "sample.h"

#include "app/window/central_area.h"
#include "app/window/dialogs/compare_dialog.h"
#include "app/window/dialogs/demand_dialog.h"
#include "app/window/dialogs/design_sketch.h"
#include "app/window/dialogs/import_dialog.h"
#include "app/window/dialogs/layout_dialog.h"
#include "app/window/dialogs/new_design_dialog.h"
#include "app/window/dialogs/prices_dialog.h"
#include "app/window/dialogs/size_dialog.h"
#include "app/window/main_window.h"
#include "core/foundation/money/price_book.h"
#include "core/foundation/money/price_rows.h"
#include "importers/formats.h"
#include "views/panels/impact_panel.h"
#include "views/panels/list_view.h"
#include "views/panels/parameter_form.h"
#include "views/panels/proof_panel.h"
#include "views/plan/plan_view.h"
#include "views/style/format.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>

using namespace hw;
using namespace hw::app;
using namespace hw::views;

class TestPlanning : public QObject {
    Q_OBJECT

    test::Sample m_sample = test::makeSample();
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    Session& session() { return m_window->session(); }

private slots:
    void initTestCase()
    {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
        QCoreApplication::setOrganizationName("HallwrightTest");
        applyTheme(*qApp, ThemeKind::Dark);
        m_window = std::make_unique<MainWindow>(nullptr);
        session().loadLibrary();
        QTRY_VERIFY_WITH_TIMEOUT(session().hasLibrary(), 30000);
        session().bridge().load(m_sample.snapshot, m_sample.figures);
        QTRY_VERIFY_WITH_TIMEOUT(session().bridge().figuresCurrent(), 60000);
    }
    void cleanupTestCase()
    {
        session().discardChanges();
        m_window.reset();
    }

    void assistantCountsDrawsAndLimits()
    {
        NewDesignDialog dialog(session(), nullptr);
        dialog.show();
        QVERIFY(dialog.choose("hpn", {{"segments", 2}}));
        QTRY_VERIFY_WITH_TIMEOUT(dialog.form()->acceptable(), 60000);
        QCOMPARE(dialog.form()->counts()->accelerators, std::int64_t(2048));
        QVERIFY(dialog.sketch()->drawn());
        QTRY_VERIFY2(dialog.sketch()->limitsText().contains("2,048"), qPrintable(dialog.sketch()->limitsText()));
        auto* networks = dialog.findChild<QComboBox*>("sketchNetwork");
        QVERIFY(networks->count() >= 4); // backend, front end, storage, management, …
        dialog.form()->field("segments")->setValue(1);
        QTRY_VERIFY_WITH_TIMEOUT(dialog.form()->acceptable() && dialog.form()->counts()->accelerators == 1024, 60000);
    }

    /// Every shipped template opens in the assistant with its defaults.
    void everyTemplateHasAForm()
    {
        NewDesignDialog dialog(session(), nullptr);
        for (const Template& t : session().library().templates) {
            QVERIFY(dialog.choose(t.name(), {}));
            for (const Parameter& p : t.parameters())
                QVERIFY2(dialog.form()->field(p.name) || dialog.form()->findChild<QComboBox*>(QString::fromStdString("parameter." + p.name)),
                         p.name.c_str());
        }
    }

    /// From an empty project: a room by drawing, filled with a pod; what does not fit is reported with its numbers and changes nothing. There is room
    /// for its racks, but not the power.
    void aHallIsFilled()
    {
        const auto document = session().bridge().snapshot();
        const auto figures = session().bridge().figures();
        auto site = std::make_shared<Snapshot>();
        const auto source = exchange::readSource(HW_EXAMPLES "/hall-120x20.dxf");
        QVERIFY(source);
        exchange::Formats formats;
        importers::registerFormats(formats);
        const exchange::Importer* importer = formats.importerOf(*source);
        QVERIFY(importer);
        session().bridge().load(site, *computeFigures(site));
        QTRY_VERIFY_WITH_TIMEOUT(session().bridge().figuresCurrent(), 60000);
        const auto plan = importer->plan(*source, session().bridge().snapshot(), {});
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        QVERIFY(session().bridge().edit("room", [&](Transaction& t) { return exchange::applyPlan(t, *plan); }));
        QVERIFY(session().bridge().edit("limit", [](Transaction& t) -> Result<void> {
            t->halls.itLimit.set(t->halls.ids().front(), watts(18'000'000));
            return {};
        }));
        LayoutDialog dialog(session(), nullptr);
        dialog.show();
        QCOMPARE(dialog.halls()->count(), 1);
        dialog.designs()->setCurrentIndex(dialog.designs()->findData("hpn"));
        QTRY_VERIFY_WITH_TIMEOUT(dialog.applyButton()->isEnabled(), 60000);
        QSignalSpy done(&dialog, &LayoutDialog::finishedOne);
        const SnapshotPtr before = session().bridge().snapshot();
        dialog.applyButton()->click();
        QTRY_COMPARE_WITH_TIMEOUT(done.size(), 1, 60000);
        QVERIFY(!done[0][0].toBool());
        QVERIFY2(dialog.result()->toPlainText().contains("do not fit") &&
                     dialog.result()->toPlainText().contains("power: 18.53 MW required from hall-120x20-hall, 18.00 MW of 18.00 MW available"),
                 qPrintable(dialog.result()->toPlainText()));
        QCOMPARE(session().bridge().snapshot()->devices.size(), before->devices.size());
        // A button offers the number that fits, until something else is chosen.
        const auto maximum = QRegularExpression("maximum ([0-9,]+)").match(dialog.result()->toPlainText());
        QVERIFY(maximum.hasMatch());
        QVERIFY(dialog.fittingButton()->isVisible() && dialog.fittingButton()->isEnabled());
        QCOMPARE(QString(dialog.fittingButton()->text()).remove('&'), QString("Lay out the %1 that fit").arg(maximum.captured(1)));
        dialog.form()->field("segments")->setValue(6);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.fittingButton()->isVisible(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(dialog.applyButton()->isEnabled(), 60000);
        dialog.applyButton()->click();
        QTRY_COMPARE_WITH_TIMEOUT(done.size(), 2, 60000);
        QVERIFY(!dialog.fittingButton()->isVisible());
        QVERIFY2(done[1][0].toBool(), qPrintable(dialog.result()->toPlainText()));
        QVERIFY(dialog.result()->toPlainText().contains("6,144 accelerators"));
        QVERIFY(session().bridge().snapshot()->racks.size() > 200);

        // A busway is cut: nothing is lost, its racks run on the other side.
        QTRY_VERIFY_WITH_TIMEOUT(session().bridge().figuresCurrent(), 60000);
        EntityRef busway;
        const Snapshot& filled = *session().bridge().snapshot();
        filled.devices.forEach([&](DeviceId id) {
            const auto& spec = session().bridge().figures()->get<PartsNode>().device(filled.devices.type[id]);
            if (spec.power.element == PowerElement::Busway && filled.devices.row[id]) busway = ref(id);
        });
        QVERIFY(busway);
        session().bridge().select(busway);
        m_window->action("design.impact")->trigger();
        const auto* impact = qobject_cast<ImpactPanel*>(m_window->panel("impact"));
        QTRY_VERIFY_WITH_TIMEOUT(impact->answer()->toPlainText().contains(session().bridge().nameOf(busway)), 60000);
        const QString answer = impact->answer()->toPlainText().simplified();
        QVERIFY2(answer.contains("GPUs lost 0") && answer.contains("way") && answer.contains("instead of"), qPrintable(answer));

        // NVL72 racks in its place: the power of the hall stops them.
        dialog.designs()->setCurrentIndex(dialog.designs()->findData("nvl72"));
        QTRY_VERIFY_WITH_TIMEOUT(dialog.applyButton()->isEnabled(), 60000);
        QTest::mouseClick(dialog.applyButton(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(done.size(), 3, 60000);
        QVERIFY(!done[2][0].toBool());
        QVERIFY2(dialog.result()->toPlainText().contains("maximum 7,776") && dialog.result()->toPlainText().contains("power:"),
                 qPrintable(dialog.result()->toPlainText()));
        const std::size_t racks = session().bridge().snapshot()->racks.size();
        QVERIFY(dialog.fittingButton()->isVisible());
        QTest::mouseClick(dialog.fittingButton(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(done.size(), 4, 60000);
        QVERIFY2(done[3][0].toBool(), qPrintable(dialog.result()->toPlainText()));
        QVERIFY2(dialog.result()->toPlainText().contains("7,776 accelerators in"), qPrintable(dialog.result()->toPlainText()));
        QVERIFY(!dialog.fittingButton()->isVisible());
        std::size_t unplaced = 0;
        const Snapshot& most = *session().bridge().snapshot();
        most.devices.forEach([&](DeviceId id) { unplaced += !most.devices.rack[id] && !most.devices.row[id] && !most.devices.hall[id]; });
        QVERIFY(unplaced > 0);
        session().bridge().undo(); // one step
        QCOMPARE(session().bridge().snapshot()->racks.size(), racks);
        session().bridge().undo();
        QCOMPARE(session().bridge().snapshot()->racks.size(), std::size_t(0));
        dialog.reject();
        session().bridge().load(document, figures);
        QTRY_VERIFY_WITH_TIMEOUT(session().bridge().figuresCurrent(), 60000);
    }

    void sizesAnswerAndExplain()
    {
        SizeDialog dialog(session(), nullptr);
        dialog.show();
        auto* wanted = dialog.findChild<QSpinBox*>("sizeAccelerators");
        wanted->setValue(100'000); // replaces the request that the dialog opens with
        QTRY_VERIFY_WITH_TIMEOUT(dialog.answer() && dialog.answer()->request.accelerators == 100'000, 60000);
        QVERIFY(!dialog.answer()->designs.empty() && dialog.answer()->designs.front().pareto);
        QVERIFY(dialog.chosen());
        QVERIFY(dialog.findChild<QTextBrowser*>("sizeDetails")->toPlainText().contains("Servers"));
        for (const auto& d : dialog.answer()->designs) QVERIFY(d.accelerators >= 100'000);
        const auto hpn = std::ranges::find_if(dialog.answer()->designs, [](const auto& d) { return d.templateName == "hpn"; });
        QVERIFY(hpn != dialog.answer()->designs.end());
        QCOMPARE(hpn->accelerators, std::int64_t(100'352)); // seven pods of 14 segments
        QVERIFY(!dialog.answer()->refused.empty() && !dialog.answer()->refused.front().reason.empty());
        for (const auto& d : dialog.answer()->designs) QCOMPARE(d.acceleratorClass, std::string("gpu")); // "GPUs wanted"
        QVERIFY(dialog.minimumSizeHint().width() <= 1240 && dialog.minimumSizeHint().height() <= 660);   // a screen of 1280 x 720
        auto* list = dialog.findChild<ListView*>("sizeList");
        dialog.resize(1240, 660);
        const auto excess = [&] {
            int columns = -list->viewport()->width();
            for (int c = 0; c < list->model()->columnCount(); ++c) columns += list->columnWidth(c);
            return columns;
        };
        QTRY_VERIFY2(excess() <= 4, qPrintable(QString("columns are out of sight by %1 of %2 pixels").arg(excess()).arg(list->viewport()->width())));
        // As painted, margins included: numbers whole, of the design enough to tell it.
        for (int row = 0; row < 8; ++row)
            for (int c = 0; c < list->model()->columnCount(); ++c) {
                const QModelIndex at = list->model()->index(row, c);
                const QString shown = at.data().toString(), needed = c == 0 ? shown.left(16) : shown;
                QFont font = list->font();
                if (const QVariant own = at.data(Qt::FontRole); own.isValid()) font = own.value<QFont>();
                const QFontMetrics metrics(font);
                const int width = list->sizeHintForIndex(at).width() - metrics.horizontalAdvance(shown) + metrics.horizontalAdvance(needed);
                if (at.data(Qt::DisplayRole).toString().startsWith("no.")) continue; // why not, told below in full
                QVERIFY2(width <= list->columnWidth(c),
                         qPrintable(QString("%1 is cut off: %2 of %3 pixels").arg(needed).arg(list->columnWidth(c)).arg(width)));
            }
        wanted->setValue(256); // losses and cooling of the design, as its report has them, once it is made
        const auto details = [&] { return dialog.findChild<QTextBrowser*>("sizeDetails")->toPlainText(); };
        QTRY_VERIFY2_WITH_TIMEOUT(details().contains("Supply") && details().contains("losses and cooling of this design"), qPrintable(details()),
                                  60000);
        QVERIFY2(!details().contains("constant of the template"), qPrintable(details()));
        wanted->setValue(0);
        dialog.findChild<QDoubleSpinBox*>("sizeMegawatts")->setValue(18);
        QTRY_VERIFY_WITH_TIMEOUT(dialog.answer()->request.accelerators == 0 && dialog.answer()->request.limits.megawatts == 18.0, 60000);
        QVERIFY(!dialog.answer()->designs.empty() && !dialog.answer()->designs.front().binding.empty());
        QVERIFY(dialog.findChild<QTextBrowser*>("sizeDetails")->toPlainText().contains("Limiting factor"));
        QVERIFY(dialog.findChild<QTextBrowser*>("sizeDetails")->toPlainText().contains("Free ports, ToR up"));
        QSignalSpy created(&dialog, &SizeDialog::createRequested);
        for (auto* button : dialog.findChildren<QPushButton*>())
            if (button->text().contains("Create")) QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(created.count(), 1);
    }

    /// Sized for a hall that does not exist yet: the hall is made, limits and parameters come along, and "Lay out" stands it there.
    void aSizedDesignGoesIntoItsHall()
    {
        const auto document = session().bridge().snapshot();
        const auto figures = session().bridge().figures();
        m_window->session().discardChanges();
        m_window->action("design.size")->trigger();
        auto* size = qobject_cast<SizeDialog*>(QApplication::activeModalWidget());
        QVERIFY(size);
        size->findChild<QSpinBox*>("sizeAccelerators")->setValue(256);
        size->findChild<QDoubleSpinBox*>("sizeMegawatts")->setValue(2);
        size->findChild<QDoubleSpinBox*>("sizeHallLength")->setValue(120);
        size->findChild<QDoubleSpinBox*>("sizeHallWidth")->setValue(60);
        QTRY_VERIFY_WITH_TIMEOUT(size->answer() && size->answer()->request.accelerators == 256 && size->answer()->request.limits.hall &&
                                     size->answer()->request.limits.megawatts == 2.0,
                                 60000);
        QVERIFY(size->chosen());
        const sizing::SizedDesign design = *size->chosen();
        // What is not possible takes a row for each kind of reason, and the details name the designs.
        auto* list = size->findChild<ListView*>("sizeList");
        int groups = 0;
        for (int row = 0; row < list->model()->rowCount(); ++row)
            if (list->model()->index(row, 1).data().toString() == "not possible") {
                ++groups;
                list->showRow(row);
                QVERIFY(size->findChild<QTextBrowser*>("sizeDetails")->toPlainText().startsWith("Not possible: "));
                QVERIFY(!size->findChild<QPushButton*>("sizePlace")->isEnabled());
            }
        QVERIFY(groups >= 1 && groups <= 4);
        list->showRow(0);
        QVERIFY(size->chosen() && size->chosen()->templateName == design.templateName);
        auto* place = size->findChild<QPushButton*>("sizePlace");
        auto* menu = place->menu();
        menu->popup(place->mapToGlobal(QPoint())); // what a click does, without waiting for its end
        QAction* fresh = nullptr;
        for (auto* entry : menu->actions())
            if (entry->text() == "New project with a hall of 120 × 60 m") fresh = entry;
        QVERIFY(fresh && menu->actions().size() > 1); // halls of the project come first
        menu->close();
        fresh->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(qobject_cast<LayoutDialog*>(QApplication::activeModalWidget()), 30000);
        auto* layout = qobject_cast<LayoutDialog*>(QApplication::activeModalWidget());
        const Snapshot& site = *session().bridge().snapshot();
        QCOMPARE(site.halls.size(), 1u);
        QCOMPARE(site.halls.sizeX[site.halls.ids().front()].count(), 120'000);
        QCOMPARE(site.halls.itLimit[site.halls.ids().front()], watts(2'000'000));
        QCOMPARE(layout->designs()->currentData().toString().toStdString(), design.templateName);
        QTRY_VERIFY_WITH_TIMEOUT(layout->applyButton()->isEnabled(), 60000);
        QCOMPARE(layout->form()->values(), design.parameters);
        QSignalSpy done(layout, &LayoutDialog::finishedOne);
        QTest::mouseClick(layout->applyButton(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(done.size(), 1, 60000);
        QVERIFY2(done[0][0].toBool(), qPrintable(layout->result()->toPlainText()));
        QVERIFY(session().bridge().snapshot()->racks.size() > 10);
        layout->reject();
        m_window->session().discardChanges();
        session().bridge().load(document, figures);
        QTRY_VERIFY_WITH_TIMEOUT(session().bridge().figuresCurrent(), 60000);
    }

    void demandNamesTheQuarter()
    {
        const QString path = m_folder.filePath("curve.csv");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("date,accelerators,tenant\n2027-01-01,1000,a\n2027-07-01,3000,a\n");
        file.close();
        DemandDialog dialog(session(), nullptr);
        dialog.show();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.answer().runOuts.empty(), 60000);
        QVERIFY(dialog.loadCurve(path));
        const auto servers =
            std::ranges::find_if(dialog.answer().runOuts, [](const auto& r) { return r.limit.resource == "servers" && r.limit.building.empty(); });
        QVERIFY(servers != dialog.answer().runOuts.end());
        QCOMPARE(servers->limit.accelerators, std::int64_t(2048)); // two segments
        QVERIFY(servers->quarter.has_value());
        QCOMPARE(sizing::quarterName(*servers->quarter), std::string("2027 Q3"));
        // While a file is shown the form is out of use, until one goes back to it.
        auto* form = dialog.findChild<QWidget*>("demandForm");
        QVERIFY(form && !form->isEnabled());
        QTest::mouseClick(dialog.findChild<QPushButton*>("demandBackToForm"), Qt::LeftButton);
        QVERIFY(form->isEnabled());
        QVERIFY(dialog.answer().quarters.size() > 10);
        QVERIFY(!dialog.loadCurve(m_folder.filePath("none.csv")));
        QVERIFY(form->isEnabled());
    }

    /// Proved while it can be seen, and again after an edit.
    void proofFollowsTheDesign()
    {
        m_window->resize(1400, 900);
        m_window->show();
        m_window->raisePanel("proof");
        auto* panel = qobject_cast<ProofPanel*>(m_window->panel("proof"));
        QVERIFY(panel);
        QTRY_VERIFY_WITH_TIMEOUT(panel->provedRevision() == session().bridge().snapshot()->revision, 60000);
        QVERIFY2(panel->toPlainText().contains("none: no single switch or cable disconnects two NICs"), qPrintable(panel->toPlainText().left(600)));
        const LinkId link = session().bridge().snapshot()->links.ids().front();
        QVERIFY(session()
                    .bridge()
                    .edit("Cut",
                          [&](Transaction& t) -> Result<void> {
                              t->links.erase(link);
                              return {};
                          })
                    .has_value());
        QTRY_VERIFY_WITH_TIMEOUT(panel->provedRevision() == session().bridge().snapshot()->revision, 60000);
        QVERIFY(!panel->toPlainText().contains("none: no single switch or cable disconnects two NICs") || panel->toPlainText().contains("!"));
        session().bridge().undo();
        m_window->hide();
    }

    void comparisonShowsDifferences()
    {
        CompareDialog dialog(session(), nullptr);
        dialog.show();
        dialog.compareWithTemplate("dcn-plus");
        QTRY_VERIFY_WITH_TIMEOUT(dialog.comparison().has_value(), 60000);
        QVERIFY(dialog.comparison()->differences() > 20);
        auto* list = dialog.findChild<ListView*>("compareList");
        QCOMPARE(dialog.comparison()->headline.size(), std::size_t(10));
        QCOMPARE(std::size_t(list->model()->rowCount()), dialog.comparison()->differences() + 10);
        QCOMPARE(list->model()->index(0, 0).data().toString(), QString("Accelerators"));
        QCOMPARE(list->model()->index(3, 3).data().toString(), QString("MW")); // IT power, with its unit
        bool found = false;
        for (const auto& v : dialog.comparison()->values)
            found = found || (v.key == "accelerators.active" && v.numberA == 2048.0 && v.numberB == 16384.0);
        QVERIFY(found);
    }

    /// Parts with quantity, price and sum, the costliest first; a search leaves those that hold its words; a price changes the sum.
    void pricesHaveQuantitiesAndSums()
    {
        PricesDialog dialog(session(), nullptr);
        dialog.show();
        auto* table = dialog.table();
        QTRY_VERIFY_WITH_TIMEOUT(table->rowCount() > 3, 60000);
        const auto column = [&](const char* title) {
            for (int c = 0; c < table->columnCount(); ++c)
                if (table->horizontalHeaderItem(c)->text() == title) return c;
            return -1;
        };
        const int quantity = column("Quantity"), each = column("Unit price"), sum = column("Amount");
        QVERIFY(quantity >= 0 && each >= 0 && sum >= 0 && !table->item(0, quantity)->text().isEmpty());
        const Bom bom = makeBom(*session().bridge().figures());
        std::map<std::string, Money> sums;
        for (const auto& line : bom.lines)
            if (line.group != Bom::Group::Charges) sums[line.part] += line.sum;
        QCOMPARE(table->rowCount(), int(sums.size()));
        const auto part = [&](int row) { return table->item(row, 0)->text().toStdString(); };
        for (int row = 0; row + 1 < table->rowCount(); ++row) QVERIFY(sums.at(part(row)) >= sums.at(part(row + 1)));
        QCOMPARE(table->item(0, sum)->text(), moneyExact(sums.at(part(0))));
        QVERIFY(!(table->item(0, quantity)->flags() & Qt::ItemIsEditable) && !(table->item(0, sum)->flags() & Qt::ItemIsEditable));
        QVERIFY2(dialog.total()->text().contains(moneyExact(bom.total)), qPrintable(dialog.total()->text()));
        dialog.search()->setText(table->item(1, 0)->text());
        int shown = 0;
        for (int row = 0; row < table->rowCount(); ++row) shown += !table->isRowHidden(row);
        QVERIFY(shown >= 1 && shown < table->rowCount() && !table->isRowHidden(1));
        dialog.search()->setText("no such part");
        QVERIFY(table->isRowHidden(0));
        dialog.search()->clear();
        QVERIFY(!table->isRowHidden(0));
        const QString before = dialog.total()->text(), slug = table->item(0, 0)->text();
        table->item(0, each)->setText("1.00");
        QTRY_VERIFY_WITH_TIMEOUT(dialog.total()->text() != before, 60000);
        session().bridge().undo();
    }

    /// An offer with tiers and a last day: an edited price is that of the tier that is shown, all else stays.
    void anEditedPriceKeepsItsOffer()
    {
        auto& bridge = session().bridge();
        const Bom bom = makeBom(*bridge.figures());
        std::string part;
        for (const auto& line : bom.lines)
            if (line.group == Bom::Group::Cables && part.empty()) part = line.part;
        QVERIFY(!part.empty());
        const auto steps = readSteps("3000:1=120.0000;3000:100=110.0000;5000:1=150.0000;m:1=30.0000;m:500=25.0000");
        const auto made = bridge.edit("offer", [&](Transaction& t) -> Result<void> {
            const auto parts = ProjectParts::of(t->partTypes);
            if (!parts) return tl::unexpected(parts.error());
            const auto put = putPrice(
                *t, **parts,
                {part, *readMoney("120"), *readMoney("30"), "USD", "Quote 7", "Acme", "2026-11-01", Trust::Quoted, 30, {steps, "2026-12-31"}});
            return put ? Result<void>() : tl::unexpected(put.error());
        });
        QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
        QTRY_VERIFY_WITH_TIMEOUT(bridge.figuresCurrent(), 60000);
        PricesDialog dialog(session(), nullptr);
        dialog.show();
        auto* table = dialog.table();
        const auto column = [&](const char* title) {
            for (int c = 0; c < table->columnCount(); ++c)
                if (table->horizontalHeaderItem(c)->text() == title) return c;
            return -1;
        };
        const auto row = [&] {
            for (int r = 0; r < table->rowCount(); ++r)
                if (table->item(r, 0)->text().toStdString() == part) return r;
            return -1;
        };
        QTRY_VERIFY_WITH_TIMEOUT(row() >= 0 && table->item(row(), column("Unit price"))->text() == "120.00", 60000);
        const QString offer = table->item(row(), column("Offer"))->text();
        QVERIFY2(offer.contains("1 of 5 tiers") && offer.contains("3 m") && offer.contains("2026-12-31"), qPrintable(offer));
        QVERIFY(!(table->item(row(), column("Offer"))->flags() & Qt::ItemIsEditable));
        QVERIFY(table->item(row(), column("Unit price"))->toolTip().contains("110.00"));
        const auto terms = [&] { return OfferTerms::of(*bridge.snapshot(), part, "Acme"); };
        table->item(row(), column("Unit price"))->setText("118.50");
        QTRY_COMPARE_WITH_TIMEOUT(stepsText(terms().steps),
                                  std::string("m:1=30.0000;m:500=25.0000;3000:1=118.5000;3000:100=110.0000;5000:1=150.0000"), 30000);
        QCOMPARE(terms().validUntil, std::string("2026-12-31"));
        QTRY_VERIFY_WITH_TIMEOUT(bridge.figuresCurrent() && table->item(row(), column("Unit price"))->text() == "118.50", 60000);
        table->item(row(), column("Per meter"))->setText("29");
        QTRY_VERIFY_WITH_TIMEOUT(stepsText(terms().steps).find("m:1=29.0000;m:500=25.0000") != std::string::npos, 30000);
        QTRY_VERIFY_WITH_TIMEOUT(bridge.figuresCurrent(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(table->item(row(), column("Per meter"))->text() == "29.00", 60000);
        table->item(row(), column("Lead time, days"))->setText("45");
        QTRY_COMPARE_WITH_TIMEOUT(terms().steps.size(), std::size_t(5), 30000);
        QCOMPARE(terms().validUntil, std::string("2026-12-31"));
        for (int i = 0; i < 4; ++i) bridge.undo();
        QVERIFY(terms().steps.empty());
        QTRY_VERIFY_WITH_TIMEOUT(bridge.figuresCurrent(), 60000);
    }

    /// A drawing of a room: its plan follows what is typed, one step brings it in, and what stands in it can be taken hold of.
    void drawingIsImported()
    {
        auto& bridge = session().bridge();
        const auto before = bridge.snapshot();
        const auto importer = importers::dxfImporter();
        auto source = exchange::readSource(HW_TEST_DATA "/dxf/room-in.dxf");
        QVERIFY(source.has_value());
        ImportDialog dialog(session(), *importer, {*source}, nullptr);
        dialog.show();
        auto* apply = dialog.findChild<QPushButton*>("applyImport");
        auto* plan = dialog.findChild<QPlainTextEdit*>("plan");
        QTRY_VERIFY_WITH_TIMEOUT(apply->isEnabled(), 30000);
        QVERIFY2(plan->toPlainText().contains("24 m × 12 m"), qPrintable(plan->toPlainText()));
        dialog.findChild<QLineEdit*>("known-length")->setText("width=12 m");
        const auto says = [&](const char* words) { return plan->toPlainText().contains(words); };
        QTRY_VERIFY_WITH_TIMEOUT(says("12 m was specified") || says("specified length of 12 m"), 30000);
        QVERIFY(!apply->isEnabled());
        dialog.findChild<QLineEdit*>("known-length")->setText("width=24.6 m");
        QTRY_VERIFY_WITH_TIMEOUT(apply->isEnabled(), 30000);
        QVERIFY(sameContent(*bridge.snapshot(), *before));
        apply->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.isVisible(), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(bridge.figuresCurrent(), 30000);

        const SnapshotPtr after = bridge.snapshot();
        const Snapshot& s = *after;
        const auto pieces = s.structures.ids();
        QCOMPARE(s.structures.size() - before->structures.size(), 14u);
        auto* view = m_window->central()->plan();
        view->resize(900, 500);
        for (const StructureId id : pieces) {
            const auto kind = s.structures.kind[id];
            view->zoomTo(ref(id));
            const QRectF rect = view->screenRect(ref(id));
            QVERIFY(!rect.isEmpty());
            QVERIFY2(view->entityAt(rect.center()) == ref(id) || kind == StructureKind::Wall, s.structures.name[id].c_str());
        }
        const StructureId column = *std::ranges::find(pieces, StructureKind::Column, [&](StructureId id) { return s.structures.kind[id]; });
        bridge.select(ref(column));
        PlanDrag drag(bridge);
        QVERIFY(drag.begin(PlanDrag::movable(s, bridge.selection())));
        drag.moveTo({600, 0}, 100);
        drag.commit();
        QCOMPARE(bridge.snapshot()->structures.x1[column].count() - s.structures.x1[column].count(), 600);
        bridge.undo(), bridge.undo();
        QVERIFY(sameContent(*bridge.snapshot(), *before));
        QTRY_VERIFY_WITH_TIMEOUT(bridge.figuresCurrent(), 30000);
    }
};

QTEST_MAIN(TestPlanning)
#include "test_planning.moc"

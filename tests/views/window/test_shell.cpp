// SPDX-License-Identifier: GPL-3.0-or-later
// The shell around the views: sizes, menus, settings, what survives a kill. Real clicks where only clicks show it.
#include "window_test.h"

#include "app/window/dialogs/new_design_dialog.h"
#include "app/window/dialogs/settings_dialog.h"
#include "app/window/drafts.h"
#include "app/window/export_name.h"
#include "core/design/edit/edits.h"
#include "views/fabric/fabric_canvas.h"
#include "views/fabric/fabric_view.h"
#include "views/models/project_tree_model.h"
#include "views/panels/budgets_panel.h"
#include "views/panels/impact_panel.h"
#include "views/panels/list_view.h"
#include "views/panels/message_bar.h"
#include "views/panels/parameter_form.h"
#include "views/panels/properties.h"
#include "views/panels/settings_form.h"
#include "views/panels/tree_panel.h"
#include "views/plan/plan_view.h"
#include "views/simulation/scenario_setup.h"
#include "views/simulation/simulation_panel.h"
#include "views/start/start_page.h"
#include "views/twin/twin_view.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QContextMenuEvent>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMouseEvent>
#include <QProcess>
#include <QPushButton>
#include <QScreen>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

#include <cstdio>
#include <set>
#include <utility>

using namespace hw;
using namespace hw::app;
using namespace hw::views;

namespace {

constexpr QSize kSmallScreen(1280, 720); ///< also 1920 × 1080 at 150 %

/// Moves the first row by a known amount, as the killed program did.
Result<void> moveFirstRow(Transaction& t) { return edit::moveEntity(t, ref(t->rows.ids().front()), 1234, 0); }

/// What the test starts and kills: a design that is in no file, edited, until it is kept.
int beKilled(QApplication& application)
{
    MainWindow window;
    window.show();
    QObject::connect(&window.session(), &Session::libraryLoaded, &window, [&] {
        window.session().startDesign(*window.session().library().find("hpn"), {{"segments", 1}});
    });
    bool edited = false;
    QObject::connect(&window.session(), &Session::stateChanged, &window, [&] {
        if (window.session().durability() != Session::Durability::Kept) return;
        if (!std::exchange(edited, true)) {
            (void)window.session().bridge().edit("Move", moveFirstRow);
            return;
        }
        if (window.session().bridge().historyPosition() != 1) return;
        std::puts("kept");
        std::fflush(stdout);
    });
    window.session().loadLibrary();
    return application.exec();
}

} // namespace

class TestShell : public test::WindowTest {
    Q_OBJECT

public:
    TestShell() : WindowTest(1) {}

private:
    QStringList entriesOf(const QMenu* menu) const
    {
        QStringList texts;
        for (const QAction* action : menu->actions()) texts << QString(action->text()).remove('&');
        return texts;
    }
    QMenu* openMenu() const { return qobject_cast<QMenu*>(QApplication::activePopupWidget()); }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers)
    {
        const auto send = [&](QEvent::Type type, QPoint at, Qt::MouseButton button, Qt::MouseButtons buttons) {
            QMouseEvent event(type, at, plan()->mapToGlobal(at), button, buttons, modifiers);
            QCoreApplication::sendEvent(plan(), &event);
        };
        send(QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
        for (int i = 1; i <= 4; ++i) send(QEvent::MouseMove, from + (to - from) * i / 4, Qt::NoButton, Qt::LeftButton);
        send(QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton);
    }

private slots:
    /// HALLWRIGHT_README=DIR: the pictures of the README, on a screen of 1920 x 1080.
    void picturesOfTheReadme()
    {
        const QString folder = qEnvironmentVariable("HALLWRIGHT_README");
        if (folder.isEmpty()) QSKIP("HALLWRIGHT_README is not set");
        const auto take = [&](const char* name) { QVERIFY(m_window->screen()->grabWindow(0).save(QString("%1/%2.png").arg(folder, name))); };
        m_window->move(0, 0);
        m_window->resize(m_window->screen()->availableGeometry().size());
        m_window->resetLayout();
        m_window->session().startDesign(*m_window->session().library().find("hpn"), {});
        QTRY_VERIFY_WITH_TIMEOUT(bridge().snapshot()->racks.size() > m_sample.snapshot->racks.size(), 120000);
        settle();
        QTest::qWait(2500);
        take("window");
        auto& session = m_window->simulationSession();
        auto* panel = m_window->simulation();
        m_window->raisePanel("scenario");
        QVERIFY(panel->setup()->choose("training"));
        QTest::mouseClick(panel->findChild<QPushButton*>("scenarioRun"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(session.playback() && !session.busy(), 120000);
        panel->showPage("timeline");
        session.setPosition(session.playback()->endS * 0.985); // while gradients travel
        QTest::qWait(2500);
        take("simulation");
        bridge().snapshot()->devices.forEach([&](DeviceId id) {
            if (bridge().nameOf(ref(id)) == "pod1-seg03-tor-rail1-plane1") bridge().select(ref(id));
        });
        m_window->setShown("fabric", true);
        QTest::qWait(2000);
        take("fabric");
        m_window->setShown("fabric", false);
        for (const auto& [action, name] : {std::pair("file.new", "new-design"), std::pair("design.size", "size")}) {
            m_window->action(action)->trigger();
            QTest::qWait(5000);
            take(name);
            if (QWidget* open = QApplication::activeModalWidget()) open->close();
        }
    }

    /// For looking at, not for comparing: HALLWRIGHT_PICTURES names a folder; the window is as large as the screen. HALLWRIGHT_OPEN: of a
    /// project, only what fails, what fits and the power chain.
    void pictures()
    {
        const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES");
        if (folder.isEmpty()) QSKIP("HALLWRIGHT_PICTURES is not set");
        QDir().mkpath(folder);
        QScreen* screen = m_window->screen();
        const auto take = [&](const QString& name) { screen->grabWindow(0).save(folder + "/" + name + ".png"); };
        const auto dialog = [&](const char* id, const QString& name, int wait) {
            m_window->action(id)->trigger();
            QTest::qWait(wait);
            take(name);
            if (QWidget* open = QApplication::activeModalWidget()) open->close();
        };
        m_window->setTheme(qEnvironmentVariable("HALLWRIGHT_THEME") == "light" ? ThemeKind::Light : ThemeKind::Dark);
        m_window->move(0, 0);
        m_window->resize(screen->availableGeometry().size());
        m_window->resetLayout();
        if (const QString project = qEnvironmentVariable("HALLWRIGHT_OPEN"); !project.isEmpty()) {
            m_window->session().open(project);
            QTRY_COMPARE_WITH_TIMEOUT(m_window->session().path(), project, 60000);
            settle();
        }
        QTest::qWait(1500);
        take("01-window");
        EntityRef busway;
        const Snapshot& s = *bridge().snapshot();
        s.devices.forEach([&](DeviceId id) {
            if (!busway && s.devices.row[id]) busway = ref(id);
        });
        for (const char* panel : {"impact", "headroom", "cost", "bom"}) {
            m_window->raisePanel(panel);
            QTest::qWait(2500);
            take(QString("20-") + panel);
        }
        bridge().select(busway);
        m_window->action("design.impact")->trigger();
        QTest::qWait(2500);
        take("21-impact");
        m_window->raisePanel("impact");
        auto* list = qobject_cast<ImpactPanel*>(m_window->panel("impact"))->list();
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(4, 0)).center());
        QTest::qWait(2500);
        take("22-ranked");
        m_window->panel("impact")->findChild<QToolButton*>("impactSimulate")->click();
        QTest::qWait(1000);
        take("23-simulate");
        m_window->panel("impact")->findChild<QToolButton*>("impactClear")->click();
        m_window->setShown("power", true);
        QTest::qWait(2500);
        take("24-power");
        m_window->setShown("power", false);
        m_window->setShown("cooling", true);
        QTest::qWait(2500);
        take("25-cooling");
        m_window->setShown("cooling", false);
        if (qEnvironmentVariableIsSet("HALLWRIGHT_OPEN")) return;
        const RackId rack = bridge().index().racksOfRow[firstRow().value][1];
        plan()->zoomTo(ref(rack));
        QTest::mouseClick(plan(), Qt::RightButton, {}, plan()->screenRect(ref(rack)).center().toPoint());
        QTest::qWait(800);
        take("02-menu");
        while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
        m_window->zoomToAll();
        DeviceId tor{};
        m_sample.snapshot->devices.forEach([&](DeviceId id) {
            if (m_sample.snapshot->tiers.kind[m_sample.snapshot->devices.tier[id]] == TierKind::Switch &&
                m_sample.snapshot->tiers.level[m_sample.snapshot->devices.tier[id]] == 1)
                tor = id;
        });
        bridge().select(ref(tor));
        m_window->action("edit.showCables")->trigger();
        QTest::qWait(1500);
        take("03-cables");
        bridge().select(EntityRef{});
        for (const auto& [overlay, name] : {std::pair("power", "04-power"), std::pair("findings", "05-findings"), std::pair("kind", "06-kind")}) {
            m_window->zoomToAll();
            m_window->setOverlay(overlay);
            m_window->raisePanel(QLatin1String(overlay) == QLatin1String("findings") ? "findings" : "budgets");
            QTest::qWait(1200);
            take(name);
        }
        for (const char* panel : {"proof", "scenario", "bom", "history"}) {
            m_window->raisePanel(panel);
            QTest::qWait(700);
            take(QString("07-") + panel);
        }
        for (auto* button : m_window->findChildren<QToolButton*>())
            if (button->isVisible() && (button->text() == "Networks" || button->text() == "Colors")) {
                QTimer::singleShot(500, this, [&] {
                    take("08-" + button->text());
                    while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
                });
                button->showMenu();
            }
        dialog("file.new", "09-new", 4000);
        dialog("design.parameters", "10-parameters", 3000);
        dialog("design.settings", "11-settings", 700);
        dialog("design.size", "12-size", 3500);
        dialog("design.demand", "13-demand", 1500);
        dialog("design.compare", "14-compare", 700);
        dialog("design.layout", "18-layout", 3000);
        dialog("help.shortcuts", "15-keys", 500);
        dialog("help.about", "16-about", 500);
        m_window->setShown("fabric", true);
        QTest::qWait(1500);
        take("17-fabric");
        m_window->setShown("fabric", false);
    }

    void initTestCase() { keepSettingsHere(); }

    void init()
    {
        openWindow({1400, 900}, Library::Loaded);
        settle();
    }

    void cleanup() { closeWindow(); }

    /// No panel, whatever it shows, asks for more than a small screen has, and none squeezes the docks beside it.
    void nothingWidensTheWindow()
    {
        m_window->resize(kSmallScreen - QSize(16, 46));
        m_window->resetLayout();
        QCoreApplication::processEvents();
        const QSize size = m_window->size();
        QVERIFY2(size.width() <= kSmallScreen.width() && size.height() <= kSmallScreen.height(),
                 qPrintable(QString("%1 x %2").arg(size.width()).arg(size.height())));
        const auto widthOf = [&](const char* name) { return m_window->findChild<QDockWidget*>(QString("dock.") + name)->width(); };
        const int tree = widthOf("tree"), inspector = widthOf("inspector");
        QVERIFY2(tree > 200 && inspector > 200, qPrintable(QString("%1 %2").arg(tree).arg(inspector)));
        for (const char* panel : {"budgets", "findings", "proof", "impact", "scenario", "bom", "history"}) {
            m_window->raisePanel(panel);
            QTest::qWait(50);
            const QSize least = m_window->minimumSizeHint();
            QVERIFY2(least.width() <= size.width() && least.height() <= size.height(),
                     qPrintable(QString("%1 wants %2 x %3").arg(panel).arg(least.width()).arg(least.height())));
            QCOMPARE(m_window->size(), size);
            QCOMPARE(widthOf("tree"), tree);
            QCOMPARE(widthOf("inspector"), inspector);
        }
        for (const EntityRef e :
             {ref(firstRow()), ref(m_sample.snapshot->devices.ids().front()), ref(m_sample.snapshot->links.ids().front()), EntityRef{}}) {
            bridge().select(e);
            QTest::qWait(30);
            QCOMPARE(m_window->size(), size);
            QCOMPARE(widthOf("inspector"), inspector);
        }
        m_window->resetLayout();
        QCoreApplication::processEvents();
        QCOMPARE(m_window->size(), size);
    }

    /// Every dialog that a menu opens can be used on a small screen: it is not larger, nor can it not be made smaller.
    void everyDialogFitsASmallScreen()
    {
        m_window->resize(kSmallScreen - QSize(16, 46));
        std::set<QString> seen;
        for (const char* id : {"file.new", "design.parameters", "design.settings", "design.prices", "design.layout", "design.size", "design.demand",
                               "design.compare", "export.other", "live.connect", "help.shortcuts", "help.about"}) {
            m_window->action(id)->trigger();
            QTRY_VERIFY2(QApplication::activeModalWidget(), id);
            auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            QTest::qWait(200);
            const QSize least = dialog->minimumSizeHint().expandedTo(dialog->minimumSize());
            QVERIFY2(least.width() <= kSmallScreen.width() - 16 && least.height() <= kSmallScreen.height() - 46,
                     qPrintable(QString("%1 is at least %2 x %3").arg(id).arg(least.width()).arg(least.height())));
            seen.insert(dialog->windowTitle());
            dialog->close();
            QTRY_VERIFY(!QApplication::activeModalWidget());
        }
        QCOMPARE(seen.size(), std::size_t(12));
    }

    void templatesAreSearched()
    {
        NewDesignDialog dialog(m_window->session(), m_window.get());
        dialog.show();
        auto* list = dialog.findChild<QListWidget*>();
        const auto visible = [&] {
            int n = 0;
            for (int i = 0; i < list->count(); ++i) n += !list->item(i)->isHidden();
            return n;
        };
        const int all = visible();
        QTest::keyClicks(dialog.findChild<QLineEdit*>("templateFilter"), "nvl");
        QVERIFY(visible() > 0 && visible() < all);
    }

    /// Any part of a title finds a scenario; a text that is in none changes nothing.
    void scenariosAreSearched()
    {
        m_window->raisePanel("scenario");
        auto* chooser = m_window->simulation()->findChild<QComboBox*>("scenarioChooser");
        QVERIFY(chooser);
        const int wanted = chooser->findData("hall-air");
        QVERIFY(wanted >= 0 && wanted != chooser->currentIndex());
        QLineEdit* line = chooser->lineEdit();
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, chooser->itemText(wanted).mid(2));
        auto* popup = chooser->completer()->popup();
        QTRY_VERIFY(popup->isVisible());
        QTest::keyClick(popup, Qt::Key_Down);
        QTest::keyClick(popup, Qt::Key_Return);
        QTRY_COMPARE(chooser->currentIndex(), wanted);
        QTRY_COMPARE(m_window->simulation()->setup()->request()->kind->name, std::string("hall-air"));
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, "no such scenario");
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_COMPARE(line->text(), chooser->itemText(wanted));
        QCOMPARE(chooser->currentIndex(), wanted);
    }

    void choicesOfParametersAreChoiceBoxes()
    {
        const Template* design = nullptr;
        for (const Template& t : m_sample.library.templates)
            if (std::ranges::any_of(t.parameters(), [](const Parameter& p) { return !p.choices.empty(); })) design = &t;
        QVERIFY(design);
        const auto choice = std::ranges::find_if(design->parameters(), [](const Parameter& p) { return !p.choices.empty(); });
        ParameterForm form(bridge().jobs(), m_sample.library.catalog);
        form.setTemplate(*design, {});
        auto* box = form.findChild<QComboBox*>("parameter." + QString::fromStdString(choice->name));
        QVERIFY(box);
        QCOMPARE(box->count(), int(choice->choices.size()));
        box->setCurrentIndex(box->count() - 1);
        QCOMPARE(form.values()[choice->name], std::int64_t(box->count() - 1));
    }

    /// "1 pod", "2 pods".
    void oneOfAThingHasItsOwnWord()
    {
        ParameterForm form(bridge().jobs(), m_sample.library.catalog);
        for (const Template& design : m_sample.library.templates) {
            if (design.name() != "hpn") continue;
            form.setTemplate(design, {});
            auto* pods = form.findChild<QSpinBox*>("parameter.pods");
            QVERIFY(pods);
            QCOMPARE(pods->text(), QString("1 pod"));
            pods->setValue(2);
            QCOMPARE(pods->text(), QString("2 pods"));
            pods->setValue(1);
            QCOMPARE(pods->text(), QString("1 pod"));
            return;
        }
        QFAIL("no hpn");
    }

    void theInspectorSaysOneOfAThing()
    {
        QStringList ones;
        for (const PropertySection& section : designSections(bridge()))
            for (const Property& row : section.rows)
                if (row.value.startsWith("1 ")) ones << row.label + ": " + row.value;
        QCOMPARE(ones, QStringList({"Pods: 1 pod", "Segments per pod: 1 segment per pod"}));
    }

    void aDragMovesTheRowAndWithControlTheRack()
    {
        const RackId rack = bridge().index().racksOfRow[firstRow().value][2];
        plan()->zoomTo(ref(rack));
        const QPoint at = plan()->screenRect(ref(rack)).center().toPoint(), by(0, -int(600 * plan()->camera().scale));
        drag(at, at + by, Qt::NoModifier);
        QCOMPARE(bridge().historyPosition(), 1);
        QVERIFY(bridge().snapshot()->rows.y[firstRow()] != m_sample.snapshot->rows.y[firstRow()]);
        QCOMPARE(bridge().snapshot()->racks.across[rack].count(), m_sample.snapshot->racks.across[rack].count());
        QVERIFY2(bridge().history().last().contains(" m, y +0."), qPrintable(bridge().history().last()));
        bridge().undo();
        QCOMPARE(bridge().snapshot()->rows.y[firstRow()].count(), m_sample.snapshot->rows.y[firstRow()].count());
        bridge().select(EntityRef{});
        drag(at, at + by, Qt::ControlModifier);
        QCOMPARE(bridge().snapshot()->rows.y[firstRow()].count(), m_sample.snapshot->rows.y[firstRow()].count());
        QVERIFY(bridge().snapshot()->racks.across[rack] != m_sample.snapshot->racks.across[rack] ||
                bridge().snapshot()->racks.along[rack] != m_sample.snapshot->racks.along[rack]);
    }

    /// A rack that stands in the corridor is a finding that the panel shows.
    void aRackOutOfItsRowIsAFinding()
    {
        const auto places = [&] {
            return std::ranges::count_if(bridge().findings()->findings,
                                         [](const Finding& f) { return f.rule == "S4" && f.severity == Severity::Error; });
        };
        QCOMPARE(places(), 0);
        const RackId rack = bridge().index().racksOfRow[firstRow().value][2];
        QVERIFY(bridge().edit("Move", [&](Transaction& t) -> Result<void> {
            t->racks.across.set(rack, t->racks.across[rack] - Millimeters(1500));
            return {};
        }));
        settle();
        QVERIFY(places() > 0);
    }

    void menuOfEveryView()
    {
        const RackId rack = bridge().index().racksOfRow[firstRow().value][1];
        plan()->zoomTo(ref(rack));
        QTest::mouseClick(plan(), Qt::RightButton, {}, plan()->screenRect(ref(rack)).center().toPoint());
        QTRY_VERIFY(openMenu());
        QCOMPARE(bridge().selected(), ref(rack));
        const QStringList entries = entriesOf(openMenu());
        for (const char* wanted :
             {"Zoom to selection", "Show cables", "Show in rack", "Rename", "Copy name", "Duplicate", "Change type …", "Edit properties", "Delete"})
            QVERIFY2(entries.contains(wanted), qPrintable(QString(wanted) + " in " + entries.join(" | ")));
        openMenu()->close();

        auto* tree = qobject_cast<TreePanel*>(m_window->panel("tree"));
        const EntityRef row = ref(firstRow());
        for (QModelIndex at = tree->viewIndexOf(row); at.isValid(); at = at.parent()) tree->view()->expand(at);
        tree->view()->scrollTo(tree->viewIndexOf(row));
        const QPoint inTree = tree->view()->visualRect(tree->viewIndexOf(row)).center();
        QContextMenuEvent event(QContextMenuEvent::Mouse, inTree, tree->view()->viewport()->mapToGlobal(inTree));
        QCoreApplication::sendEvent(tree->view()->viewport(), &event);
        QTRY_VERIFY(openMenu());
        QCOMPARE(bridge().selected(), row);
        openMenu()->close();

        if (auto* twin = m_window->central()->twin()) {
            bridge().zoomTo(ref(rack));
            QTest::qWait(600);
            const QPoint middle = twin->rect().center();
            const EntityRef seen = twin->pick(middle);
            QTest::mouseClick(twin, Qt::RightButton, {}, middle);
            QTRY_VERIFY(openMenu());
            if (seen) QCOMPARE(bridge().selected(), seen);
            openMenu()->close();
        }

        m_window->setShown("fabric", true);
        auto* canvas = m_window->central()->fabric()->canvas();
        QTRY_VERIFY_WITH_TIMEOUT(canvas->model() != nullptr, 20000);
        QTest::qWait(600);
        int leaf = 0;
        while (!canvas->model()->boxes()[std::size_t(leaf)].leaf()) ++leaf;
        QTest::mouseClick(canvas, Qt::RightButton, {}, canvas->boxRect(leaf).center().toPoint());
        QTRY_VERIFY(openMenu());
        QVERIFY(bridge().selected());
        openMenu()->close();
    }

    void f2RenamesWhatIsSelected()
    {
        bridge().select(ref(firstRow()));
        plan()->setFocus();
        m_window->action("edit.rename")->trigger();
        auto* name = m_window->panel("inspector")->findChild<QLineEdit*>("inspectorName");
        QTRY_VERIFY(name->hasFocus());
        QTest::keyClicks(name, "the first row");
        QTest::keyClick(name, Qt::Key_Return);
        QCOMPARE(bridge().nameOf(ref(firstRow())), QString("the first row"));
        QVERIFY(bridge().history().last().endsWith(" to the first row"));
    }

    void cablesOfASwitchAreShown()
    {
        DeviceId tor{};
        m_sample.snapshot->devices.forEach([&](DeviceId id) {
            if (m_sample.snapshot->tiers.kind[m_sample.snapshot->devices.tier[id]] == TierKind::Switch) tor = id;
        });
        bridge().select(ref(tor));
        const auto links = bridge().linksOf(ref(tor));
        QVERIFY(!links.empty());
        for (const LinkId link : links)
            QVERIFY(m_sample.snapshot->ports.device[m_sample.snapshot->links.from[link]] == tor ||
                    m_sample.snapshot->ports.device[m_sample.snapshot->links.to[link]] == tor);
        const QImage before = plan()->grab().toImage();
        m_window->action("edit.showCables")->trigger();
        QVERIFY(bridge().cablesShown());
        QVERIFY(m_window->action("edit.showCables")->isChecked());
        QVERIFY(plan()->grab().toImage() != before);
        QVERIFY2(m_window->messages()->text().contains(QString::number(links.size())), qPrintable(m_window->messages()->text()));
        bridge().select(EntityRef{});
        QVERIFY(!bridge().cablesShown());
    }

    /// One choice of colors for plan and twin.
    void colorsApplyToTheTwin()
    {
        auto* twin = m_window->central()->twin();
        if (!twin) QSKIP("needs OpenGL");
        m_window->zoomToAll();
        QTest::qWait(800);
        const QImage byKind = twin->grabImage();
        m_window->setOverlay("power");
        const QImage byPower = twin->grabImage();
        QVERIFY(byPower != byKind);
        m_window->setOverlay("findings");
        QVERIFY(twin->grabImage() != byPower);
        m_window->setOverlay("kind");
        QTest::qWait(300);
        QVERIFY2(twin->grabImage() == byKind, "back to the colors of kinds, nothing else moved");
    }

    void settingsAreOneForm()
    {
        SettingsDialog dialog(m_window->session(), m_window.get());
        dialog.show();
        auto* pue = qobject_cast<QLineEdit*>(dialog.form()->editor("site.pue"));
        auto* basis = qobject_cast<QComboBox*>(dialog.form()->editor("site.power_basis"));
        const BuildingId building = m_sample.snapshot->buildings.ids().front();
        auto* limit = qobject_cast<QLineEdit*>(dialog.form()->editor("limit." + QString::fromStdString(m_sample.snapshot->buildings.name[building])));
        QVERIFY(pue && basis && limit && dialog.form()->editor("site.substations") && dialog.form()->editor("rule.s4.rear_aisle_mm"));
        auto* apply = dialog.findChild<QPushButton*>("applySettings");
        QVERIFY(!apply->isEnabled());
        const auto type = [](QLineEdit* field, const char* text) {
            field->setFocus();
            field->selectAll();
            QTest::keyClicks(field, text);
        };
        type(pue, "0.5");
        QVERIFY(pue->property("bad").toBool());
        QVERIFY(!dialog.form()->apply()); // refused as the command line refuses it, and nothing changed
        QVERIFY(sameContent(*bridge().snapshot(), *m_sample.snapshot));
        type(pue, "1.31");
        QVERIFY(!pue->property("bad").toBool());
        type(limit, "450 kW");
        basis->setCurrentIndex(basis->findData("nameplate"));
        QVERIFY(apply->isEnabled());
        QTest::mouseClick(apply, Qt::LeftButton);
        QCOMPARE(bridge().snapshot()->setting("site.pue"), std::string("1.31"));
        QCOMPARE(bridge().snapshot()->setting("site.power_basis"), std::string("nameplate"));
        QCOMPARE(bridge().snapshot()->buildings.itLimit[building].count(), watts(450'000).count());
        QCOMPARE(bridge().historyPosition(), 1);
        SettingsDialog again(m_window->session(), m_window.get());
        qobject_cast<QLineEdit*>(again.form()->editor("site.pue"))->clear();
        QVERIFY(again.form()->apply()); // back to the default: the setting is gone
        QCOMPARE(bridge().snapshot()->setting("site.pue", "none"), std::string("none"));
        settle();
    }

    void budgetRowsLeadToWhatTheyAreOf()
    {
        auto* budgets = qobject_cast<BudgetsPanel*>(m_window->panel("budgets"));
        QTRY_VERIFY(budgets->cards().size() >= 4);
        const auto& power = budgets->cards().front();
        const auto bar = std::ranges::find_if(power.bars, [](const LoadBar& b) { return b.label.startsWith("Most loaded"); });
        QVERIFY(bar != power.bars.end());
        QVERIFY2(bar->label.contains(bar->subject), qPrintable(bar->label)); // it says which
        const QRectF place = budgets->barRect(0, std::size_t(bar - power.bars.begin()));
        QTest::mouseClick(budgets->widget(), Qt::LeftButton, {}, place.center().toPoint());
        QCOMPARE(bridge().nameOf(bridge().selected()), bar->subject);
    }

    void powerEquipmentSaysWhatItCarries()
    {
        const Snapshot& s = *m_sample.snapshot;
        std::optional<DeviceId> busway;
        s.devices.forEach([&](DeviceId id) {
            if (s.tiers.kind[s.devices.tier[id]] == TierKind::Power && !s.devices.rack[id] && !busway) busway = id;
        });
        QVERIFY(busway);
        QString carried;
        for (const auto& section : deviceSections(bridge(), *busway))
            for (const auto& row : section.rows) {
                QVERIFY2(!row.label.contains("Gb/s") && !row.value.contains("Gb/s"), qPrintable(row.label + " " + row.value));
                if (row.label.startsWith("Load")) carried = row.value;
            }
        QVERIFY2(carried.contains("%") && !carried.startsWith("0 W"), qPrintable(carried));
        QVERIFY(!propertiesOf(bridge(), ref(s.devices.tier[*busway])).front().rows.empty());
    }

    void exportsAreHonestAboutFormats()
    {
        const QString filter = "Text (*.txt);;JSON (*.json)";
        QCOMPARE(exportName("/a/x.txt", filter, {}).path, QString("/a/x.txt"));
        QCOMPARE(exportName("/a/x.JSON", filter, {}).problem, QString());
        QCOMPARE(exportName("/a/x", filter, "JSON (*.json)").path, QString("/a/x.json"));
        QCOMPARE(exportName("/a/x", filter, {}).path, QString("/a/x.txt"));
        const ExportName pdf = exportName("/a/x.pdf", filter, {});
        QVERIFY(pdf.problem.contains(".pdf") && pdf.problem.contains("*.json"));
        QCOMPARE(pdf.path, QString("/a/x.txt"));
    }

    /// The fabric drawing is exported from wherever one is.
    void fabricIsReadyWithoutBeingShown()
    {
        QVERIFY(!m_window->shown("fabric"));
        bool ready = false;
        m_window->central()->fabric()->whenReady([&] { ready = true; });
        QTRY_VERIFY_WITH_TIMEOUT(ready, 20000);
        QVERIFY(m_window->central()->fabric()->canvas()->model() != nullptr);
        QVERIFY(!m_window->shown("fabric"));
    }

    void keysAreListed()
    {
        m_window->action("help.shortcuts")->trigger();
        QTRY_VERIFY(QApplication::activeModalWidget());
        const auto* list = QApplication::activeModalWidget()->findChild<QTreeWidget*>("shortcuts");
        QStringList keys;
        for (int i = 0; i < list->topLevelItemCount(); ++i) keys << list->topLevelItem(i)->text(1);
        for (const QAction* action : m_window->actions())
            QVERIFY(action->shortcut().isEmpty() || keys.contains(action->shortcut().toString(QKeySequence::NativeText)));
        QVERIFY(keys.contains("F1") && keys.contains("F2"));
        QApplication::activeModalWidget()->close();
    }

    /// A panel that comes to the front while a message is shown does not lie over it.
    void messagesAreNotCovered()
    {
        auto* messages = m_window->messages();
        messages->say("One thing", true);
        for (const char* panel : {"findings", "findings", "bom", "budgets", "budgets"}) { // also one that is in front already
            m_window->raisePanel(panel);
            QTest::qWait(50);
            const QWidget* there = m_window->childAt(messages->geometry().center());
            QVERIFY2(there == messages || messages->isAncestorOf(there), panel);
        }
    }

    /// A large design, then a small one, then the project of another: plan and twin show all of it.
    void newDesignsAreSeenWhole()
    {
        auto* twin = m_window->central()->twin();
        m_window->session().startDesign(*m_sample.library.find("hpn"), {{"pods", 4}, {"segments", 1}});
        QTRY_VERIFY_WITH_TIMEOUT(bridge().snapshot()->buildings.size() > m_sample.snapshot->buildings.size(), 120000);
        settle();
        plan()->zoomTo(ref(bridge().snapshot()->racks.ids().back()));
        if (twin) twin->zoomTo(ref(bridge().snapshot()->racks.ids().back()));
        QTest::qWait(500);
        m_window->session().startDesign(*m_sample.library.find("hpn"), {{"segments", 1}});
        QTRY_COMPARE_WITH_TIMEOUT(bridge().snapshot()->buildings.size(), m_sample.snapshot->buildings.size(), 120000);
        settle();
        allIsSeen();
        plan()->zoomTo(ref(bridge().snapshot()->racks.ids().front()));
        if (twin) twin->zoomTo(ref(bridge().snapshot()->racks.ids().front()));
        m_window->session().startDesign(*m_sample.library.find("fat-tree-2"), {});
        QTRY_VERIFY_WITH_TIMEOUT(bridge().snapshot()->racks.size() != m_sample.snapshot->racks.size(), 120000);
        settle();
        allIsSeen();
    }

private:
    void allIsSeen()
    {
        bridge().snapshot()->racks.forEach([&](RackId id) { QVERIFY(QRectF(plan()->rect()).contains(plan()->screenRect(ref(id)))); });
        auto* twin = m_window->central()->twin();
        if (!twin) return;
        QTest::qWait(800);
        TwinView fresh;
        fresh.resize(twin->size());
        fresh.setDark(true);
        fresh.setFigures(bridge().figures());
        fresh.show();
        QVERIFY(QTest::qWaitForWindowExposed(&fresh));
        QTest::qWait(500);
        QCOMPARE(twin->camera(), fresh.camera());
    }

private slots:
    /// A design that was never saved survives kill -9, is offered at the next start, and is nobody else's while its window lives.
    void unsavedDesignSurvivesAKill()
    {
        QVERIFY(abandonedDrafts().empty());
        QProcess victim;
        victim.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        victim.start(QCoreApplication::arguments().front(), {"--to-be-killed"});
        QVERIFY(victim.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(victim.bytesAvailable() > 0 && victim.peek(100).contains("kept"), 120000);
        QVERIFY2(abandonedDrafts().empty(), "a draft that its window still has is nobody else's");
        victim.kill();
        QVERIFY(victim.waitForFinished());
        QCOMPARE(abandonedDrafts().size(), std::size_t(1));

        m_window->session().discardChanges();
        m_window = std::make_unique<MainWindow>(nullptr);
        m_window->show();
        m_window->start({});
        const auto* page = m_window->startPage();
        QVERIFY(page->isVisible());
        auto* carryOn = page->findChild<QAbstractButton*>("startRecovered");
        QVERIFY(carryOn);
        QCOMPARE(carryOn->text(), abandonedDrafts().front().title);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->session().hasLibrary(), 60000);
        QTest::mouseClick(carryOn, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(bridge().snapshot()->setting("parameter.segments"), std::string("1"), 120000);
        const auto was = instantiate(*m_sample.library.find("hpn"), *m_sample.library.find("hpn")->complete(ParameterValues{{"segments", 1}}),
                                     *m_sample.library.catalog);
        Document document(*was);
        auto moved = document.begin("Move");
        QVERIFY(moveFirstRow(moved));
        moved.commit();
        QVERIFY(sameContent(*bridge().snapshot(), *document.snapshot()));
        QVERIFY(m_window->session().modified());
        QVERIFY(m_window->session().path().isEmpty());
        QTRY_COMPARE(m_window->session().durability(), Session::Durability::Kept);
        QCOMPARE(bridge().history(), QStringList{"Move"});
        bridge().undo();
        QVERIFY(sameContent(*bridge().snapshot(), **was));
        bridge().redo();

        const QString path = m_folder.filePath("kept.hall"); // and once it has a file, the draft goes
        m_window->session().saveAs(path);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->session().path(), path, 60000);
        QVERIFY(!m_window->session().modified());
        QVERIFY(QDir(draftFolder()).entryList({"*.hall"}).isEmpty());
    }

    /// An edited design that the user lets go leaves nothing behind.
    void discardedDraftsAreGone()
    {
        QVERIFY(bridge().edit("Move", moveFirstRow));
        QTRY_COMPARE_WITH_TIMEOUT(m_window->session().durability(), Session::Durability::Kept, 60000);
        QCOMPARE(QDir(draftFolder()).entryList({"*.hall"}).size(), 1);
        m_window->session().discardChanges();
        m_window.reset();
        QVERIFY(QDir(draftFolder()).entryList(QDir::Files).isEmpty());
    }

    /// After a clean end with a saved project, that project is offered.
    void lastProjectIsOffered()
    {
        const QString path = m_folder.filePath("last.hall");
        m_window->session().saveAs(path);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->session().path(), path, 60000);
        m_window.reset();
        m_window = std::make_unique<MainWindow>(nullptr);
        m_window->show();
        m_window->start({});
        QTRY_VERIFY_WITH_TIMEOUT(m_window->session().hasLibrary(), 60000);
        auto* recent = m_window->startPage()->findChild<QAbstractButton*>("startRecent");
        QVERIFY(recent);
        QCOMPARE(recent->text(), QString("last"));
        QVERIFY(!bridge().figures()); // nothing is open until something is chosen
        QTest::mouseClick(recent, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->session().path(), path, 60000);
        QVERIFY(!m_window->startPage()->isVisible());
    }
};

int main(int argc, char** argv)
{
    TwinView::prepareApplication();
    test::keepSettingsApart();
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName("HallwrightTest");
    if (application.arguments().contains("--to-be-killed")) return beKilled(application);
    TestShell test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_shell.moc"

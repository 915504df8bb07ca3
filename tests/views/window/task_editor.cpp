// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks of an editor done with keys and mouse alone, as a planner does them; a picture before and one after, which differ.
#include "window_test.h"

#include "app/window/dialogs/documentation.h"
#include "app/window/dialogs/preferences_dialog.h"
#include "app/window/dialogs/settings_dialog.h"
#include "app/window/dialogs/shortcuts_dialog.h"
#include "core/design/edit/edits_arrange.h"
#include "core/design/edit/edits_create.h"
#include "core/design/edit/lookup.h"
#include "core/foundation/storage/project_file.h"
#include "views/panels/catalog_panel.h"
#include "views/panels/find_palette.h"
#include "views/panels/findings_panel.h"
#include "views/panels/list_view.h"
#include "views/panels/message_bar.h"
#include "views/panels/settings_form.h"
#include "views/plan/elevation_view.h"
#include "views/plan/plan_view.h"
#include "views/style/units.h"

#include <QClipboard>
#include <QComboBox>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QTextBrowser>
#include <QTreeWidget>
#include <QWindow>

using namespace hw;
using namespace hw::views;

class TaskEditor : public test::WindowTest {
    Q_OBJECT
public:
    TaskEditor() : WindowTest(1) {}

private:
    const Snapshot& now() { return *bridge().snapshot(); }
    FindPalette* palette() { return m_window->palette(); }
    void ready() { QTRY_VERIFY_WITH_TIMEOUT(bridge().figuresCurrent() && !bridge().previewing(), 20000); }
    /// Keys go to the window that has the focus, and there to the widget that has it.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(QGuiApplication::focusWindow(), key, modifiers); }
    void type(const char* text)
    {
        for (; *text; ++text) QTest::keyClick(QGuiApplication::focusWindow(), *text);
    }
    /// The keyboard is the main window's again; without a window manager nobody else gives it back.
    void returned()
    {
        m_window->activateWindow();
        QTRY_VERIFY(QGuiApplication::focusWindow() == m_window->windowHandle());
    }
    void openPalette(const char* text)
    {
        returned();
        press(Qt::Key_K, Qt::ControlModifier);
        QTRY_VERIFY(palette()->isVisible() && palette()->field()->hasFocus());
        type(text);
    }
    /// The name of the line that Return would run.
    QString current() { return palette()->list()->currentItem() ? palette()->list()->currentItem()->text() : QString(); }
    template <class Dialog>
    Dialog* opened()
    {
        Dialog* dialog = nullptr;
        (void)QTest::qWaitFor([&] { return (dialog = m_window->findChild<Dialog*>()) && dialog->isActiveWindow(); }, 10000);
        return dialog;
    }
    void closed(QWidget* dialog)
    {
        dialog->close();
        returned();
    }
    QImage picture(const char* name, QWidget* of = nullptr)
    {
        const QImage image = (of ? of : m_window.get())->grab().toImage();
        const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES");
        if (!folder.isEmpty()) (void)image.save(folder + "/" + name);
        return image;
    }

private slots:
    void initTestCase()
    {
        keepSettingsHere();
        openWindow({1400, 900}, Library::Loaded);
        settle();
    }
    void cleanupTestCase() { closeWindow(); }

    /// Both keys, a command, and Escape, which gives the focus back.
    void taskRunACommandFromThePalette()
    {
        plan()->setFocus();
        const QImage before = picture("palette-before.png");
        press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(palette()->isVisible());
        QVERIFY(palette()->list()->count() > 50); // commands, where nothing is typed
        press(Qt::Key_Escape);
        QVERIFY(!palette()->isVisible() && plan()->hasFocus());
        openPalette("color by power");
        picture("palette-open.png");
        QVERIFY2(current().startsWith("Color by power"), qPrintable(current()));
        press(Qt::Key_Return);
        QCOMPARE(m_window->overlay(), std::string("power"));
        QVERIFY(plan()->hasFocus());
        ready();
        QVERIFY(picture("palette-after.png") != before);
        openPalette(">color by kin");
        press(Qt::Key_Return);
        QCOMPARE(m_window->overlay(), std::string("kind"));
    }

    /// A device to another unit of its rack with the mouse, over the edge to the next rack and back by Escape.
    void taskDragADeviceInItsRack()
    {
        auto* view = m_window->findChild<ElevationView*>();
        QVERIFY(view);
        const SnapshotPtr kept = bridge().snapshot();
        const Snapshot& s = *kept;
        DeviceId device{};
        for (const DeviceId id : s.devices.ids()) // a switch: it leaves room in its rack
            if (!device.value && s.devices.rack[id] && s.devices.u[id] > 0 && s.tiers.kind[s.devices.tier[id]] == TierKind::Switch) device = id;
        const int before = s.devices.u[device];
        const RackId rack = *s.devices.rack[device];
        m_window->setShown("elevation", true);
        bridge().select(ref(device));
        QTRY_VERIFY(view->isVisible() && view->rack() == rack && view->height() > 200);
        const QImage front = view->grab().toImage();
        const auto hold = [&] {
            QTest::mousePress(view, Qt::LeftButton, {}, view->screenRect(device).center().toPoint());
            QTest::mouseMove(view, view->screenRect(device).center().toPoint() + QPoint(0, 30));
        };
        hold();
        int target = 0;
        for (int u = bridge().figures()->parts->rack(s.racks.type[rack]).heightU; u >= 1 && target == 0; --u) {
            QTest::mouseMove(view, view->pointAt(device, u).toPoint());
            QVERIFY(view->ghost().has_value());
            if (view->ghost()->fits && view->ghost()->places.front().second != before) target = view->ghost()->places.front().second;
        }
        QVERIFY(target > 0);
        QVERIFY2(view->ghost()->lines.join(' ').contains("Weight") && view->ghost()->lines.join(' ').contains("kW"),
                 qPrintable(view->ghost()->lines.join(' ')));
        QVERIFY(view->grab().toImage() != front);
        QTest::mouseRelease(view, Qt::LeftButton, {}, view->pointAt(device, target).toPoint());
        ready();
        QCOMPARE(int(now().devices.u[device]), target);
        QVERIFY(!view->ghost());
        hold();
        QTest::keyClick(view, Qt::Key_Right);
        QTest::keyClick(view, Qt::Key_Left);
        QTest::keyClick(view, Qt::Key_Escape);
        QVERIFY(!view->ghost() && view->rack() == rack);
        QTest::mouseRelease(view, Qt::LeftButton, {}, QPoint(5, 5));
        QCOMPARE(int(now().devices.u[device]), target);
        bridge().undo();
        ready();
        QCOMPARE(int(now().devices.u[device]), before);
        m_window->setShown("elevation", false);
    }

    /// The best match is first, whatever its group; arrows go through the others.
    void taskFindAnObject()
    {
        const RackId rack = now().racks.ids()[3];
        openPalette(bridge().nameOf(ref(rack)).toUtf8());
        QVERIFY2(current().startsWith(bridge().nameOf(ref(rack))), qPrintable(current()));
        press(Qt::Key_Return);
        QCOMPARE(bridge().selected(), ref(rack));
        openPalette("@rack");
        const QString first = current();
        press(Qt::Key_Down);
        QVERIFY(current() != first);
        press(Qt::Key_Up);
        QCOMPARE(current(), first);
        press(Qt::Key_Escape);
        openPalette("no such thing at all");
        QCOMPARE(current(), QString("No match"));
        press(Qt::Key_Return); // does nothing
        press(Qt::Key_Escape);
        QCOMPARE(bridge().selected(), ref(rack));
    }

    /// From the palette to one more rack in the row that is selected, without the mouse.
    void taskAddAPartFromThePalette()
    {
        bridge().select(ref(firstRow()));
        const auto racks = now().racks.size();
        openPalette("#rack-48u-600x1200");
        QVERIFY2(current().contains("rack-48u-600x1200"), qPrintable(current()));
        press(Qt::Key_Return);
        auto* catalog = qobject_cast<CatalogPanel*>(m_window->panel("catalog"));
        QTRY_VERIFY(catalog->list()->hasFocus());
        press(Qt::Key_Return);
        QCOMPARE(now().racks.size(), racks + 1);
        bridge().undo();
        ready();
        catalog->search()->clear();
    }

    /// A setting, found by its name, is changed where the palette leads.
    void taskChangeASetting()
    {
        openPalette(":pue");
        QVERIFY2(current().startsWith("PUE"), qPrintable(current()));
        press(Qt::Key_Return);
        auto* dialog = opened<app::SettingsDialog>();
        QVERIFY(dialog && qobject_cast<QLineEdit*>(QApplication::focusWidget()));
        QCOMPARE(QApplication::focusWidget()->objectName(), QString("setting.site.pue"));
        type("1.33");
        press(Qt::Key_Return);
        QTRY_COMPARE(now().setting("site.pue"), std::string("1.33"));
        returned();
        bridge().undo();
        ready();
    }

    /// A rule leads to its findings alone: C1 is not C12.
    void taskShowFindingsOfARule()
    {
        settle();
        const auto& findings = bridge().findings()->findings;
        QVERIFY(!findings.empty());
        const QString rule = QString::fromStdString(findings.front().rule);
        openPalette(("!" + rule).toUtf8());
        QVERIFY2(current().startsWith(rule + " "), qPrintable(current()));
        press(Qt::Key_Return);
        auto* panel = qobject_cast<FindingsPanel*>(m_window->panel("findings"));
        QTRY_VERIFY(panel->isVisible());
        const auto wanted = std::ranges::count_if(findings, [&](const Finding& f) { return f.rule == rule.toStdString(); });
        QCOMPARE(panel->list()->model()->rowCount(), int(wanted));
        panel->search()->setText("no finding has these words");
        QCOMPARE(panel->list()->model()->rowCount(), 0);
        panel->search()->clear();
    }

    void taskReadAHelpTopic()
    {
        openPalette("?move the row");
        press(Qt::Key_Return);
        auto* keys = opened<app::ShortcutsDialog>();
        QVERIFY(keys);
        auto* list = keys->findChild<QTreeWidget*>("shortcuts");
        int shown = 0;
        for (int i = 0; i < list->topLevelItemCount(); ++i) shown += list->topLevelItem(i)->isHidden() ? 0 : 1;
        QCOMPARE(shown, 1);
        closed(keys);
        openPalette("?commands");
        press(Qt::Key_Return);
        auto* pages = opened<app::DocumentationDialog>();
        QVERIFY(pages);
        QCOMPARE(pages->page()->source().fileName(), QString("commands.md"));
        QVERIFY(pages->page()->toPlainText().contains("edit"));
        for (const app::HelpTopic& topic : app::helpTopics()) QVERIFY2(!topic.page.isEmpty() && !topic.section.contains('`'), qPrintable(topic.file));
        closed(pages);
    }

    /// Feet, °F and BTU/h are chosen by keys; fields then show and read them, and the file keeps what it always keeps.
    void taskWorkInFeet()
    {
        const HallId hall = now().halls.ids().front();
        bridge().select(ref(hall));
        returned();
        const QImage before = picture("units-before.png");
        press(Qt::Key_Comma, Qt::ControlModifier);
        auto* preferences = opened<app::PreferencesDialog>();
        QVERIFY(preferences && preferences->search()->hasFocus());
        type("feet");
        QVERIFY(preferences->choice("length")->isVisible() && !preferences->choice("theme")->isVisible());
        press(Qt::Key_Tab);
        QVERIFY(preferences->choice("length")->hasFocus());
        press(Qt::Key_Down);
        preferences->search()->clear();
        preferences->choice("temperature")->setFocus();
        press(Qt::Key_Down);
        preferences->choice("heat")->setFocus();
        press(Qt::Key_Down);
        picture("preferences.png", preferences);
        QCOMPARE(units(), (UnitPreference{true, true, true}));
        closed(preferences);
        press(Qt::Key_F4);
        auto* size = m_window->panel("inspector")->findChild<QLineEdit*>("field.size_x_mm");
        QTRY_VERIFY(size && size->isVisible());
        const auto wide = now().halls.sizeX[hall].count();
        QVERIFY2(size->text().endsWith(" ft"), qPrintable(size->text()));
        QVERIFY(picture("units-after.png") != before);
        const auto enter = [&](QLineEdit* line, const char* text) {
            line->setFocus();
            line->selectAll();
            type(text);
            press(Qt::Key_Return);
            ready();
        };
        enter(size, "412");
        QCOMPARE(now().halls.sizeX[hall].count(), 125578); // a number alone is in feet
        QCOMPARE(size->text(), QString("412 ft"));
        enter(size, "126.5 m");
        QCOMPARE(now().halls.sizeX[hall].count(), 126500);
        enter(m_window->panel("inspector")->findChild<QLineEdit*>("field.it_limit_mw"), "1,320 kW");
        QCOMPARE(toWatts(now().halls.itLimit[hall]), 1'320'000.0);
        for (int i = 0; i < 3; ++i) bridge().undo();
        ready();
        QCOMPARE(now().halls.sizeX[hall].count(), wide);
        openPalette(":coolant supply");
        press(Qt::Key_Return);
        auto* settings = opened<app::SettingsDialog>();
        auto* supply = settings ? qobject_cast<QLineEdit*>(settings->form()->editor("cooling.coolant_supply_c")) : nullptr;
        QVERIFY(supply);
        QCOMPARE(supply->placeholderText(), QString("86")); // 30 °C
        enter(supply, "95");
        QTRY_COMPARE(now().setting("cooling.coolant_supply_c"), std::string("35"));
        bridge().undo();
        returned();
        m_window->setUnits({});
        QTRY_VERIFY(m_window->panel("inspector")->findChild<QLineEdit*>("field.size_x_mm")->text().endsWith(" m")); // made anew
        press(Qt::Key_F4);
    }

    /// A column is copied with the keyboard and pasted where the mouse is; over it there is no room, so the next one stands beside it. Cut and
    /// paste moves them; each is one step.
    void taskCopyAndPaste()
    {
        const HallId hall = now().halls.ids().front();
        EntityRef column;
        QVERIFY(bridge().edit("column", [&](Transaction& t) -> Result<void> {
            const auto parts = ProjectParts::of(t->partTypes);
            edit::Lookup lookup(t.preview());
            const auto made = edit::add(
                t, **parts, lookup, {},
                {.kind = EntityKind::Structure,
                 .into = ref(hall),
                 .fields = {{"kind", "column"}, {"x1_mm", "200"}, {"y1_mm", "700"}, {"x2_mm", "700"}, {"y2_mm", "700"}, {"width_mm", "500"}}});
            if (!made) return tl::unexpected(made.error());
            column = made->front();
            return {};
        }));
        ready();
        plan()->zoomTo(ref(hall));
        bridge().select(column);
        plan()->setFocus();
        const QRectF where = plan()->screenRect(column);
        const auto columns = now().structures.size();
        const int steps = bridge().historyPosition();
        const QImage before = picture("paste-before.png");
        press(Qt::Key_C, Qt::ControlModifier);
        QTRY_VERIFY(QGuiApplication::clipboard()->mimeData()->hasFormat("application/x-hallwright-objects"));
        QCOMPARE(QGuiApplication::clipboard()->text(), bridge().nameOf(column));
        const auto pasteAt = [&](QPointF at) {
            QTest::mouseMove(plan(), at.toPoint() + QPoint(1, 1));
            QTest::mouseMove(plan(), at.toPoint());
            const auto had = now().structures.size();
            press(Qt::Key_V, Qt::ControlModifier);
            QTRY_COMPARE_WITH_TIMEOUT(now().structures.size(), had + 1, 10000);
            ready();
        };
        pasteAt(where.center());
        QCOMPARE(bridge().historyPosition(), steps + 1);
        const EntityRef pasted = bridge().selected();
        QVERIFY(pasted != column && pasted.kind == EntityKind::Structure);
        const auto boxOf = [&](EntityRef e) { return edit::boxOf(now(), *bridge().figures()->parts, *bridge().figures()->placement, e).value(); };
        const Box a = boxOf(column), b = boxOf(pasted);
        QVERIFY(a.high.x <= b.low.x || b.high.x <= a.low.x || a.high.y <= b.low.y || b.high.y <= a.low.y);
        QCOMPARE(b.high.x - b.low.x, a.high.x - a.low.x);
        QVERIFY(picture("paste-after.png") != before);
        bridge().undo();
        ready();
        bridge().select(column);
        press(Qt::Key_X, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(now().structures.size(), columns - 1, 10000);
        ready();
        pasteAt(where.center());
        const Box c = boxOf(bridge().selected());
        QVERIFY(std::abs(c.low.x - a.low.x) <= 100 && std::abs(c.low.y - a.low.y) <= 100); // where it stood, to a pixel
        for (int i = 0; i < 3; ++i) bridge().undo();
        ready();
    }

    /// A file that another window has open is offered read-only, and what a message is about is shown.
    void taskLookAtALockedFile()
    {
        const QString path = m_folder.filePath("locked.hall");
        QVERIFY(writeProject(*m_sample.snapshot, path.toStdString()));
        auto writer = ProjectFile::open(path.toStdString());
        QVERIFY(writer.has_value());
        auto& session = m_window->session();
        session.discardChanges();
        session.open(path);
        const auto choice = [&](const char* text) -> QPushButton* {
            for (auto* button : m_window->messages()->findChildren<QPushButton*>())
                if (button->text() == text && button->isVisible()) return button;
            return nullptr;
        };
        QTRY_VERIFY_WITH_TIMEOUT(choice("Open read-only"), 10000);
        QVERIFY2(m_window->messages()->text().contains("already open"), qPrintable(m_window->messages()->text()));
        picture("read-only-before.png");
        session.discardChanges();
        QTest::mouseClick(choice("Open read-only"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(session.title(), QString("locked (read-only)"), 20000);
        QVERIFY(session.path().isEmpty());
        settle();
        picture("read-only-after.png");
        const RackId rack = now().racks.ids()[4];
        bridge().report({ErrorCode::Refused, bridge().nameOf(ref(rack)).toStdString(), i18n("missing"), {}});
        QVERIFY(choice("Show"));
        QTest::mouseClick(choice("Show"), Qt::LeftButton);
        QCOMPARE(bridge().selected(), ref(rack));
        bridge().report({ErrorCode::Refused, "nothing of this name", i18n("missing"), {}});
        QTRY_VERIFY(!choice("Show"));
        (*writer)->close();
    }

    /// With another design open nothing of the one before stays in memory, whatever panels were looked at.
    void taskOpenAnotherDesign()
    {
        auto& session = m_window->session();
        session.discardChanges();
        session.startEmpty();
        QTRY_VERIFY_WITH_TIMEOUT(now().halls.size() == 0 && bridge().figuresCurrent(), 10000);
        for (const char* panel : {"tables", "impact", "feeders", "bom", "scenario", "budgets"}) {
            m_window->raisePanel(panel);
            QTest::qWait(0);
        }
        settle();
        std::weak_ptr<const Snapshot> gone = bridge().snapshot();
        std::weak_ptr<const Figures> figures = bridge().figures();
        session.discardChanges();
        session.startWith(m_sample.snapshot);
        QTRY_VERIFY_WITH_TIMEOUT(now().halls.size() > 0 && bridge().figuresCurrent(), 20000);
        QTRY_VERIFY_WITH_TIMEOUT(gone.expired() && figures.expired(), 20000);
    }

    /// On the start page there are commands and help, and nothing that needs a design.
    void taskPaletteOnTheStartPage()
    {
        m_window->showStart(true);
        openPalette("#rack");
        QCOMPARE(current(), QString("No match"));
        press(Qt::Key_Escape);
        openPalette(">open");
        QVERIFY(current() != "No match");
        press(Qt::Key_Escape);
        m_window->showStart(false);
    }
};

QTEST_MAIN(TaskEditor)
#include "task_editor.moc"

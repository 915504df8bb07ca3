// SPDX-License-Identifier: GPL-3.0-or-later
// The start page with mouse and keys: what it offers, where each choice leads, and back.
#include "window_test.h"

#include "app/window/dialogs/import_dialog.h"
#include "app/window/dialogs/new_design_dialog.h"
#include "core/foundation/base/resources.h"
#include "views/panels/message_bar.h"
#include "views/plan/plan_view.h"
#include "views/start/start_page.h"
#include "views/start/template_cards.h"

#include <QPushButton>

#include <filesystem>

using namespace hw;
using namespace hw::views;

class TestStart : public test::WindowTest {
    Q_OBJECT
public:
    TestStart() : WindowTest(1) {}

private:
    StartPage* page() { return m_window->startPage(); }
    TemplateCards* cards() { return page()->templates(); }
    QAbstractButton* choice(const char* name) { return page()->findChild<QAbstractButton*>(name); }
    void picture(const char* name)
    {
        const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES");
        if (!folder.isEmpty()) QVERIFY(m_window->grab().save(folder + "/" + name));
    }
    /// A window as it starts without a file.
    void begin(QSize size = {1600, 950})
    {
        closeWindow();
        m_window = std::make_unique<app::MainWindow>(nullptr);
        m_window->resize(size);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->activateWindow();
        m_window->start({});
        QVERIFY(page()->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(m_window->session().hasLibrary() && cards()->count() > 0, 30000);
    }
    template <class Dialog>
    Dialog* dialog()
    {
        return qobject_cast<Dialog*>(QApplication::activeModalWidget());
    }

private slots:
    void initTestCase() { keepSettingsHere(); }
    void cleanupTestCase() { closeWindow(); }

    /// As many templates as there are, each with a picture that the script has made.
    void everyTemplateHasItsPicture()
    {
        for (const Template& design : m_sample.library.templates) {
            const auto file = resourceFolder() / "templates" / "pictures" / (design.name() + ".png");
            QVERIFY2(std::filesystem::exists(file), file.c_str());
            QCOMPARE(QImage(QString::fromStdString(file.string())).size(), QSize(320, 180));
            QVERIFY(std::filesystem::file_size(file) < 40'000);
        }
    }

    void itCoversTheViewsUntilSomethingIsOpen()
    {
        begin();
        QVERIFY(!bridge().figures());
        QCOMPARE(cards()->count(), int(m_sample.library.templates.size()));
        QCOMPARE(m_window->childAt(m_window->width() / 2, m_window->height() / 2)->window(), m_window.get());
        QVERIFY(page()->isAncestorOf(m_window->childAt(m_window->width() / 2, m_window->height() / 2)));
        QVERIFY(page()->isAncestorOf(m_window->childAt(20, m_window->height() / 2)));
        QVERIFY(!choice("startClose")->isVisible()); // there is nothing to go back to
        QVERIFY(!choice("startRecovered") && !choice("startRecent"));
        QVERIFY(m_window->action("file.open")->isEnabled());
        QVERIFY(!m_window->action("edit.add")->isEnabled());
        picture("start-dark.png");
    }

    /// Tab goes around in the page, and never into what it covers.
    void tabStaysInThePage()
    {
        QTRY_VERIFY(choice("startEmpty")->hasFocus());
        std::set<QWidget*> seen;
        for (int i = 0; i < 12; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QVERIFY(page()->isAncestorOf(QApplication::focusWidget()));
            seen.insert(QApplication::focusWidget());
        }
        QVERIFY(seen.contains(page()->search()) && seen.contains(cards()) && seen.contains(choice("startSample")));
    }

    /// Typing narrows the templates down, Return takes the first: its parameters follow.
    void aTemplateIsFoundAndTaken()
    {
        page()->search()->setFocus();
        QTest::keyClicks(page()->search(), "zzz");
        QCOMPARE(cards()->filter("zzz"), 0);
        QTest::keyClick(page()->search(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(page()->search(), "nvl72");
        QTest::keyClick(page()->search(), Qt::Key_Return);
        QVERIFY(cards()->hasFocus());
        QTest::keyClick(cards(), Qt::Key_Return);
        QTRY_VERIFY(dialog<app::NewDesignDialog>());
        QCOMPARE(dialog<app::NewDesignDialog>()->chosen().name(), std::string("nvl72"));
        dialog<app::NewDesignDialog>()->reject();
        page()->search()->clear();
        for (int i = 0; i < cards()->count(); ++i)
            if (cards()->item(i)->data(Qt::UserRole).toString() == "fat-tree-2") {
                cards()->scrollToItem(cards()->item(i));
                QTest::mouseClick(cards()->viewport(), Qt::LeftButton, {}, cards()->visualItemRect(cards()->item(i)).center());
            }
        QTRY_VERIFY(dialog<app::NewDesignDialog>());
        QCOMPARE(dialog<app::NewDesignDialog>()->chosen().name(), std::string("fat-tree-2"));
        dialog<app::NewDesignDialog>()->reject();
        QVERIFY(page()->isVisible());
    }

    void anEmptySiteIsDrawnOn()
    {
        QTRY_VERIFY(!QApplication::activeModalWidget());
        choice("startEmpty")->setFocus();
        QTest::keyClick(choice("startEmpty"), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(bridge().figuresCurrent() && bridge().snapshot()->sites.size() == 1, 20000);
        QVERIFY(!page()->isVisible());
        QCOMPARE(bridge().snapshot()->buildings.size(), 0u);
        QVERIFY(plan()->isVisible());
        QVERIFY(m_window->action("draw.hall")->isEnabled());
    }

    /// Over an open project it can be left again, and what it covers cannot be edited meanwhile.
    void itComesBackOverAProject()
    {
        m_window->action("file.start")->trigger();
        QVERIFY(page()->isVisible() && choice("startClose")->isVisible());
        QVERIFY(!m_window->action("draw.hall")->isEnabled());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(!page()->isVisible());
        QVERIFY(m_window->action("draw.hall")->isEnabled());
        m_window->action("file.start")->trigger();
        QTest::mouseClick(choice("startClose"), Qt::LeftButton);
        QVERIFY(!page()->isVisible());
    }

    /// The drawing of a hall: a site of its own, then the preview of what the drawing says.
    void aHallComesFromItsDrawing()
    {
        begin();
        answerFileDialog(HW_EXAMPLES "/hall-120x20.dxf");
        QTest::mouseClick(choice("startDrawing"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(dialog<app::ImportDialog>(), 30000);
        QVERIFY(!page()->isVisible());
        QCOMPARE(bridge().snapshot()->halls.size(), 0u);
        auto* import = dialog<app::ImportDialog>();
        QPushButton* apply = nullptr;
        for (auto* button : import->findChildren<QPushButton*>())
            if (button->text().remove('&').startsWith("Import")) apply = button;
        QVERIFY(apply);
        QTRY_VERIFY_WITH_TIMEOUT(apply->isEnabled(), 30000);
        QTest::mouseClick(apply, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(bridge().snapshot()->halls.size(), 1u, 30000);
    }

    /// On a small screen, in the light theme: nothing is cut, the choices scroll.
    void smallAndLight()
    {
        views::applyTheme(*qApp, views::ThemeKind::Light);
        const QString path = m_folder.filePath("hall of my own.hall");
        m_window->session().saveAs(path);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->session().path(), path, 60000);
        begin({1280, 720});
        QVERIFY(m_window->width() <= 1280);
        QVERIFY(choice("startRecent"));
        QCOMPARE(choice("startRecent")->text(), QString("hall of my own"));
        QVERIFY(cards()->card().width() * 3 <= cards()->width());
        picture("start-light.png");
        QTest::mouseClick(choice("startRecent"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->session().path(), path, 60000);
        QVERIFY(!page()->isVisible());
        views::applyTheme(*qApp, views::ThemeKind::Dark);
    }
};

QTEST_MAIN(TestStart)
#include "test_start.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sample.h"

#include "app/window/central_area.h"
#include "app/window/main_window.h"
#include "views/style/theme.h"

#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

namespace hw::test {

/// What tests of the real window begin and end with: settings of their own, a window on a sample, no questions at the end.
class WindowTest : public QObject {
protected:
    enum class Library { Later, Loaded }; ///< templates and catalog: only where the test asks for them, or before it starts

    explicit WindowTest(std::int64_t segments = 2) : m_sample(makeSample(segments)) {}

    views::DocumentBridge& bridge() { return m_window->session().bridge(); }
    views::PlanView* plan() { return m_window->central()->plan(); }
    RowId firstRow() const { return m_sample.snapshot->rows.ids().front(); }
    /// Figures and findings are those of the present revision.
    void settle()
    {
        QTRY_VERIFY_WITH_TIMEOUT(bridge().figuresCurrent(), 60000);
        QTRY_VERIFY_WITH_TIMEOUT(bridge().findings() && bridge().findings()->revision == bridge().snapshot()->revision, 60000);
    }

    void keepSettingsHere()
    {
        QCoreApplication::setOrganizationName("HallwrightTest");
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
        views::applyTheme(*qApp, views::ThemeKind::Dark);
    }

    void openWindow(QSize size, Library library)
    {
        m_window = std::make_unique<app::MainWindow>(nullptr);
        m_window->resize(size);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        if (library == Library::Loaded) {
            m_window->activateWindow();
            m_window->session().loadLibrary();
            QTRY_VERIFY_WITH_TIMEOUT(m_window->session().hasLibrary(), 30000);
        }
        bridge().load(m_sample.snapshot, m_sample.figures);
        QTRY_VERIFY_WITH_TIMEOUT(bridge().figuresCurrent(), 60000);
    }

    void closeWindow()
    {
        while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
        if (m_window) m_window->session().discardChanges();
        m_window.reset();
    }

    /// Answers the next file dialog with a path.
    void answerFileDialog(const QString& path)
    {
        auto* timer = new QTimer(this);
        timer->setInterval(50);
        connect(timer, &QTimer::timeout, this, [timer, path] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (!dialog) return;
            timer->deleteLater();
            dialog->findChild<QLineEdit*>("fileNameEdit")->setText(path);
            QMetaObject::invokeMethod(dialog, "accept");
        });
        timer->start();
    }

    Sample m_sample;
    QTemporaryDir m_folder;
    std::unique_ptr<app::MainWindow> m_window;
};

} // namespace hw::test

// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that offers what to begin with.
#include "app/window/dialogs/documentation.h"
#include "app/window/drafts.h"
#include "app/window/main_window.h"
#include "core/foundation/base/resources.h"
#include "views/start/start_page.h"
#include "views/style/format.h"

#include <QFileInfo>
#include <QKeyEvent>
#include <QMenuBar>
#include <QStatusBar>

namespace hw::app {

void MainWindow::makeStart()
{
    m_start = new views::StartPage(this);
    m_start->hide();
    QCoreApplication::instance()->installEventFilter(this); // keys of dialogs, too
    const auto trigger = [this](const char* id) { return [this, id] { action(id)->trigger(); }; };
    connect(m_start, &views::StartPage::emptySiteChosen, this, trigger("file.newSite"));
    connect(m_start, &views::StartPage::drawingChosen, this, trigger("file.newDrawing"));
    connect(m_start, &views::StartPage::sizeChosen, this, trigger("design.size"));
    connect(m_start, &views::StartPage::openChosen, this, trigger("file.open"));
    connect(m_start, &views::StartPage::sampleChosen, this, [this] {
        if (m_session.hasLibrary()) openSample();
    });
    connect(m_start, &views::StartPage::templateChosen, this, [this](const QString& name) { openNewDesign(*this, name); });
    connect(m_start, &views::StartPage::projectChosen, this, [this](const QString& path) {
        if (mayLeave()) m_session.open(path);
    });
    connect(m_start, &views::StartPage::recoveredChosen, this, [this](const QString& path) {
        if (mayLeave()) m_session.openDraft(path);
    });
    connect(m_start, &views::StartPage::recoveredDropped, this, [this](const QString& path) {
        if (!removeDraft(path)) say(tr("%1: in use; close the window that has it open").arg(QFileInfo(path).completeBaseName()), true);
        fillStart();
    });
    connect(m_start, &views::StartPage::closed, this, [this] { showStart(false); });
    connect(&m_session, &Session::opened, this, [this] { showStart(false); });
    connect(&m_session, &Session::libraryLoaded, this, [this] {
        std::vector<views::StartTemplate> templates;
        for (const Template& t : m_session.library().templates)
            templates.push_back({views::text(t.name()), views::text(resourceText(t.title())), views::text(resourceText(t.summary())),
                                 QString::fromStdString((resourceFolder() / "templates" / "pictures" / (t.name() + ".png")).string())});
        m_start->setTemplates(std::move(templates));
    });
}

bool MainWindow::startShown() const { return m_start && !m_start->isHidden(); }

void MainWindow::showStart(bool shown)
{
    if (shown) {
        fillStart();
        placeStart();
        m_start->setCanClose(m_session.bridge().figures() != nullptr);
    }
    const bool had = m_start->isAncestorOf(focusWidget());
    m_start->setVisible(shown);
    if (shown)
        m_start->raise();
    else if (had)
        centralWidget()->setFocus(Qt::OtherFocusReason);
    refreshActions();
}

void MainWindow::fillStart()
{
    std::vector<views::StartProject> recovered, recent;
    for (const Draft& draft : abandonedDrafts())
        recovered.push_back({draft.path, draft.title, tr("not saved, %1").arg(QLocale().toString(draft.changed, QLocale::ShortFormat))});
    for (const QString& path : Session::recentFiles()) recent.push_back({path, QFileInfo(path).completeBaseName(), QFileInfo(path).absolutePath()});
    m_start->setProjects(recovered, recent);
}

/// Between the menu and the status line.
void MainWindow::placeStart()
{
    const int top = menuBar()->geometry().bottom() + 1, bottom = statusBar()->geometry().top();
    m_start->setGeometry(0, top, width(), std::max(0, (bottom > top ? bottom : height()) - top));
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    if (m_start) placeStart();
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && m_start && watched == menuBar()) placeStart();
    if (event->type() == QEvent::KeyPress && watched->isWidgetType() && static_cast<QKeyEvent*>(event)->key() == Qt::Key_F1) {
        const QWidget* window = static_cast<QWidget*>(watched)->window();
        if (qobject_cast<const QDialog*>(window) && !qobject_cast<const DocumentationDialog*>(window)) { // no shortcut of this window
            showGuide();
            return true;
        }
    }
    return QMainWindow::eventFilter(watched, event);
}

} // namespace hw::app

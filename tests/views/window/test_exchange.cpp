// SPDX-License-Identifier: GPL-3.0-or-later
// Everything behind the registry of formats from the window: the same list as on the command line, export and import by clicks.
#include "window_test.h"

#include "app/window/dialogs/export_dialog.h"
#include "app/window/dialogs/import_dialog.h"
#include "app/window/formats.h"
#include "views/twin/twin_view.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QSignalSpy>
#include <QTimer>
#include <QTreeWidget>

using namespace hw;
using namespace hw::app;

namespace {

constexpr const char* kRouter = "manufacturer: Acme\n"
                                "model: Router 2\n"
                                "slug: acme-router-2\n"
                                "u_height: 1\n"
                                "is_full_depth: true\n"
                                "interfaces:\n"
                                "  - name: swp1\n"
                                "    type: 400gbase-x-qsfp112\n";

} // namespace

class TestExchange : public test::WindowTest {
    Q_OBJECT

    QString file(const char* name) const { return m_folder.filePath(name); }
    QString write(const char* name, const QByteArray& content) const
    {
        QFile out(file(name));
        if (!out.open(QIODevice::WriteOnly)) qFatal("cannot write %s", name);
        out.write(content);
        return out.fileName();
    }
    /// The dialog that an action opens.
    template <class Dialog>
    Dialog* opened(const char* action)
    {
        m_window->action(action)->trigger();
        (void)QTest::qWaitFor([] { return qobject_cast<Dialog*>(QApplication::activeModalWidget()) != nullptr; }, 30000);
        auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget());
        if (dialog) (void)QTest::qWaitForWindowExposed(dialog);
        return dialog;
    }
    static void type(QLineEdit* line, const QString& text)
    {
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, text);
    }
    /// By a click on its row.
    static void pick(QTreeWidget* list, const QString& format)
    {
        const auto found = list->findItems(format, Qt::MatchExactly, 0);
        QCOMPARE(found.size(), 1);
        QVERIFY(!found[0]->isHidden());
        list->scrollToItem(found[0]);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(found[0]).center());
        QCOMPARE(list->currentItem(), found[0]);
    }
    static void click(QWidget* dialog, const char* button) { QTest::mouseClick(dialog->findChild<QPushButton*>(button), Qt::LeftButton); }
    void picture(QWidget* dialog, const QString& name) const
    {
        const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES");
        if (folder.isEmpty()) return;
        QTest::qWait(500);
        dialog->screen()->grabWindow(0).save(folder + "/" + name + ".png");
    }

private slots:
    void initTestCase()
    {
        keepSettingsHere();
        openWindow({1280, 720}, Library::Loaded);
    }
    void cleanupTestCase() { closeWindow(); }
    void cleanup()
    {
        while (QWidget* open = QApplication::activeModalWidget()) open->close(), QTest::qWait(10);
    }

    /// One list: what the window offers is what the command line names.
    void bothProgramsHaveTheSameFormats()
    {
        const auto namesOf = [](const QStringList& arguments) {
            QProcess process;
            process.start(HW_BIN_DIR "/hallwright-cli", arguments);
            if (!process.waitForFinished(60000)) return QStringList();
            static const QRegularExpression list("choose from (.*)\\n?");
            QStringList names = list.match(QString::fromUtf8(process.readAllStandardError())).captured(1).trimmed().split(", ");
            names.sort();
            return names;
        };
        QStringList exporters, importers;
        for (const auto& format : formats().exporters()) exporters << QString::fromStdString(format->info().name);
        for (const auto& format : formats().importers()) importers << QString::fromStdString(format->info().name);
        exporters.sort(), importers.sort();
        QVERIFY(exporters.contains("sonic") && exporters.contains("fabric-svg") && exporters.contains("addressing") && importers.contains("dxf"));
        QCOMPARE(namesOf({"export", "no-such", "x.hall", "-o", "y"}), exporters);
        QCOMPARE(namesOf({"import", "no-such", "x", "--into", "y"}), importers);
        auto* dialog = opened<ExportDialog>("export.other");
        QVERIFY(dialog);
        QStringList listed;
        auto* list = dialog->findChild<QTreeWidget*>("exportFormats");
        for (int i = 0; i < list->topLevelItemCount(); ++i) {
            listed << list->topLevelItem(i)->text(0);
            QVERIFY(!list->topLevelItem(i)->text(1).isEmpty());
        }
        listed.sort();
        QCOMPARE(listed, exporters);
    }

    void exportsByClicks()
    {
        auto* dialog = opened<ExportDialog>("export.other");
        QVERIFY(dialog);
        auto* list = dialog->findChild<QTreeWidget*>("exportFormats");
        type(dialog->findChild<QLineEdit*>("exportSearch"), "lldp port");
        int shown = 0;
        for (int i = 0; i < list->topLevelItemCount(); ++i) shown += !list->topLevelItem(i)->isHidden();
        QCOMPARE(shown, 1);
        pick(list, "ptm");
        picture(dialog, "export-dark");
        auto* output = dialog->findChild<QLineEdit*>("exportOutput");
        QVERIFY2(output->text().endsWith("-ptm.dot"), qPrintable(output->text()));
        auto* names = dialog->findChild<QComboBox*>("names");
        QVERIFY(names);
        names->setFocus();
        QTest::keyClicks(names, "sonic");
        QCOMPARE(names->currentText(), QString("sonic"));
        type(output, file("pod.dot"));
        QSignalSpy done(dialog, &ExportDialog::exported);
        click(dialog, "startExport");
        QTRY_COMPARE_WITH_TIMEOUT(done.size(), 1, 60000);
        QFile written(file("pod.dot"));
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QByteArray dot = written.readAll();
        QVERIFY(dot.startsWith("graph ") && dot.contains("\"pod1-seg01-tor-rail1-plane1\":\"Ethernet0\" -- \"pod1-seg01-host001\":\"nic1p1\""));
        QVERIFY(dialog->findChild<QLabel*>("exportMessage")->text().contains("pod.dot"));

        // Another format in the same dialog: a folder, of one network.
        type(dialog->findChild<QLineEdit*>("exportSearch"), "");
        dialog->findChild<QLineEdit*>("exportSearch")->clear();
        pick(list, "avd");
        QVERIFY(!dialog->findChild<QComboBox*>("names"));
        QVERIFY(output->text().endsWith("-avd"));
        auto* network = dialog->findChild<QComboBox*>("exportNetwork");
        QVERIFY(network->isVisibleTo(dialog));
        network->setCurrentIndex(network->findData("frontend"));
        type(output, file("avd"));
        click(dialog, "startExport");
        QTRY_COMPARE_WITH_TIMEOUT(done.size(), 2, 60000);
        QFile inventory(file("avd/inventory.yml"));
        QVERIFY(inventory.open(QIODevice::ReadOnly));
        QVERIFY(inventory.readAll().contains("fe-tor"));

        // A drawing, which the command line has another program draw.
        pick(list, "fabric-svg");
        type(output, file("backend.svg"));
        click(dialog, "startExport");
        QTRY_COMPARE_WITH_TIMEOUT(done.size(), 3, 60000);
        QVERIFY(QFileInfo(file("backend.svg")).size() > 1000);
    }

    /// Errors say where, what and what to do; nothing is written, and the dialog can be used on.
    void errorsAreShown()
    {
        auto* dialog = opened<ExportDialog>("export.other");
        QVERIFY(dialog->choose("slurm-topology"));
        auto* output = dialog->findChild<QLineEdit*>("exportOutput");
        auto* message = dialog->findChild<QLabel*>("exportMessage");
        type(output, file("topology.txt"));
        QSignalSpy failed(dialog, &ExportDialog::failed), done(dialog, &ExportDialog::exported);
        click(dialog, "startExport");
        QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 30000);
        QVERIFY2(message->text().contains("topology.txt") && message->text().contains("unknown file type") &&
                     message->text().contains(".conf or .yaml"),
                 qPrintable(message->text()));
        QCOMPARE(message->property("role").toString(), QString("error"));
        QVERIFY(!QFileInfo::exists(file("topology.txt")));
        type(output, file("topology.conf"));
        click(dialog, "startExport");
        QTRY_COMPARE_WITH_TIMEOUT(done.size(), 1, 30000);

        // Replacing something else is asked first.
        const QString mine = write("mine.conf", "keep");
        type(output, mine);
        QTimer::singleShot(200, this, [] {
            if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) box->button(QMessageBox::No)->click();
        });
        click(dialog, "startExport");
        QFile kept(mine);
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll(), QByteArray("keep"));
    }

    /// A canceled export leaves nothing half-written and the dialog usable.
    void anExportIsCanceled()
    {
        auto* dialog = opened<ExportDialog>("export.other");
        QVERIFY(dialog->choose("sonic"));
        auto* output = dialog->findChild<QLineEdit*>("exportOutput");
        type(output, file("sonic"));
        QSignalSpy done(dialog, &ExportDialog::exported);
        click(dialog, "startExport");
        QVERIFY(dialog->running());
        QTRY_VERIFY(dialog->findChild<QPushButton*>("stopExport")->isVisible());
        click(dialog, "stopExport");
        QTRY_VERIFY(!dialog->running());
        QCOMPARE(done.size(), 0);
        QVERIFY(dialog->findChild<QPushButton*>("startExport")->isEnabled());
        type(output, file("sonic-2"));
        click(dialog, "startExport");
        QTRY_COMPARE_WITH_TIMEOUT(done.size(), 1, 60000);
        QVERIFY(QFileInfo::exists(file("sonic-2/sonic-switches.csv")));
        for (const QString& entry : QDir(m_folder.path()).entryList({"sonic*"})) QVERIFY2(!entry.contains(".new-"), qPrintable(entry));
    }

    /// Preview, one undo step, undone.
    void importsByClicks()
    {
        const SnapshotPtr before = bridge().snapshot();
        answerFileDialog(write("router.yaml", kRouter));
        auto* dialog = opened<ImportDialog>("file.import");
        QVERIFY(dialog);
        QVERIFY(dialog->findChild<QComboBox*>("importFormat")->currentData().toString() == "netbox");
        auto* plan = dialog->findChild<QPlainTextEdit*>("plan");
        QTRY_VERIFY_WITH_TIMEOUT(plan->toPlainText().contains("acme-router-2"), 30000);
        QCOMPARE(bridge().snapshot(), before); // only planned
        picture(dialog, "import-dark");
        click(dialog, "applyImport");
        QTRY_VERIFY(!QApplication::activeModalWidget());
        const auto has = [&] {
            const auto parts = ProjectParts::of(bridge().snapshot()->partTypes);
            return parts && (*parts)->find("acme-router-2").has_value();
        };
        QVERIFY(has());
        m_window->action("edit.undo")->trigger();
        QVERIFY(!has());
        QVERIFY(sameContent(*bridge().snapshot(), *before));
    }

    /// A file that no format knows: the user says which it is, and sees why it cannot be read; options of each format are fields.
    void aFormatIsChosen()
    {
        answerFileDialog(write("notes.bin", "nothing of the kind"));
        auto* dialog = opened<ImportDialog>("file.import");
        QVERIFY(dialog);
        auto* list = dialog->findChild<QComboBox*>("importFormat");
        auto* plan = dialog->findChild<QPlainTextEdit*>("plan");
        QVERIFY(!dialog->importer() && !dialog->findChild<QPushButton*>("applyImport")->isEnabled());
        QCOMPARE(list->count(), int(formats().importers().size()) + 1);
        for (const auto& format : formats().importers()) {
            list->setCurrentIndex(list->findData(QString::fromStdString(format->info().name)));
            QCOMPARE(dialog->importer(), format.get());
            for (const auto& option : format->options())
                QVERIFY2(dialog->findChild<QWidget*>(QString::fromStdString(option.name)), option.name.c_str());
            QTRY_VERIFY2_WITH_TIMEOUT(!plan->toPlainText().isEmpty(), format->info().name.c_str(), 30000);
            QVERIFY(!dialog->findChild<QPushButton*>("applyImport")->isEnabled() || format->observes());
        }
    }

    /// The text form of a design becomes a project of its own, which is opened.
    void aProjectIsMade()
    {
        auto* exporting = opened<ExportDialog>("export.other");
        QVERIFY(exporting->choose("text"));
        type(exporting->findChild<QLineEdit*>("exportOutput"), file("design.txt"));
        QSignalSpy done(exporting, &ExportDialog::exported);
        click(exporting, "startExport");
        QTRY_COMPARE_WITH_TIMEOUT(done.size(), 1, 60000);
        exporting->close();
        const SnapshotPtr before = bridge().snapshot();
        m_window->session().discardChanges();
        answerFileDialog(file("design.txt"));
        auto* dialog = opened<ImportDialog>("file.import");
        QVERIFY(dialog);
        QTRY_VERIFY_WITH_TIMEOUT(dialog->importer(), 30000);
        QVERIFY(dialog->importer()->makesProject());
        QTRY_VERIFY_WITH_TIMEOUT(dialog->findChild<QPushButton*>("applyImport")->isEnabled(), 60000);
        answerFileDialog(file("made.hall"));
        QTimer::singleShot(0, dialog, [dialog] { click(dialog, "applyImport"); });
        QSignalSpy openedOne(&m_window->session(), &Session::opened);
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(file("made.hall")), 60000);
        QTest::qWait(200);
        if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) // unsaved changes of the sample
            for (QAbstractButton* button : box->buttons())
                if (box->buttonRole(button) == QMessageBox::DestructiveRole) button->click();
        QTRY_COMPARE_WITH_TIMEOUT(openedOne.size(), 1, 60000);
        QVERIFY(sameContent(*bridge().snapshot(), *before));
    }

    void light()
    {
        m_window->setTheme(views::ThemeKind::Light);
        auto* dialog = opened<ExportDialog>("export.other");
        QVERIFY(dialog->choose("labels"));
        QVERIFY(dialog->width() <= 1280 && dialog->height() <= 720);
        QTest::qWait(100);
        picture(dialog, "export-light");
    }
};

int main(int argc, char** argv)
{
    views::TwinView::prepareApplication();
    test::keepSettingsApart();
    QApplication application(argc, argv);
    TestExchange test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_exchange.moc"

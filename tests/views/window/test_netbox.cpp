// SPDX-License-Identifier: GPL-3.0-or-later
// NetBox from the window, by clicks, against a server that checks what NetBox checks: imported, compared, written in both directions; and
// folders with files of several kinds.
#include "window_test.h"

#include "app/window/dialogs/import_dialog.h"
#include "app/window/dialogs/netbox_compare_dialog.h"
#include "app/window/dialogs/netbox_rows_model.h"
#include "tests/cli/cli_process.h"
#include "tests/netbox/netbox_server.h"
#include "views/twin/twin_view.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScreen>
#include <QSignalSpy>
#include <QTimer>
#include <QTreeView>

#include <atomic>
#include <thread>

using namespace hw;
using namespace hw::app;
using nlohmann::json;

class TestWindowNetbox : public test::WindowTest {
    Q_OBJECT

    std::unique_ptr<NetboxServer> m_server;

    QString file(const char* name) const { return m_folder.filePath(name); }
    QString url() const { return QString::fromStdString(m_server->url()); }
    void write(const QString& name, const QByteArray& content) const
    {
        QFile out(m_folder.filePath(name));
        QDir().mkpath(QFileInfo(out.fileName()).absolutePath());
        if (!out.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(name));
        out.write(content);
    }
    static QByteArray bytes(const QString& path)
    {
        QFile in(path);
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }
    template <class Dialog>
    Dialog* opened(const char* action)
    {
        m_window->action(action)->trigger();
        Dialog* dialog = nullptr;
        for (int i = 0; i < 200 && !dialog; ++i) {
            QTest::qWait(20);
            for (QWidget* widget : QApplication::topLevelWidgets())
                if (auto* one = qobject_cast<Dialog*>(widget); one && one->isVisible()) dialog = one;
        }
        if (dialog) (void)QTest::qWaitForWindowExposed(dialog);
        return dialog;
    }
    static void type(QWidget* dialog, const char* field, const QString& text)
    {
        auto* line = dialog->findChild<QLineEdit*>(field);
        QVERIFY2(line, field);
        line->setFocus();
        line->selectAll();
        QTest::keyClick(line, Qt::Key_Delete);
        QTest::keyClicks(line, text);
    }
    static void click(QWidget* dialog, const char* button)
    {
        auto* one = dialog->findChild<QAbstractButton*>(button);
        QVERIFY2(one && one->isEnabled(), button);
        QTest::mouseClick(one, Qt::LeftButton, {}, {10, one->height() / 2});
    }
    static QString planOf(QDialog* dialog) { return dialog->findChild<QPlainTextEdit*>("plan")->toPlainText(); }
    static bool canApply(QDialog* dialog) { return dialog->findChild<QPushButton*>("applyImport")->isEnabled(); }
    /// The preview that the comparison asks with.
    static QDialog* preview()
    {
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (widget->objectName() == "netboxPreview" && widget->isVisible()) return qobject_cast<QDialog*>(widget);
        return nullptr;
    }
    /// By a click on the box of a row of the list.
    static void check(QTreeView* list, const QModelIndex& index)
    {
        list->scrollTo(index);
        const QRect box = list->visualRect(index);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, {box.left() + 10, box.center().y()});
    }
    /// The first row whose cells have all of these words.
    static QModelIndex rowWith(QTreeView* list, const QStringList& words)
    {
        const QAbstractItemModel* model = list->model();
        for (int g = 0; g < model->rowCount(); ++g) {
            const QModelIndex group = model->index(g, 0);
            for (int r = 0; r < model->rowCount(group); ++r) {
                QString all;
                for (int c = 0; c < model->columnCount(group); ++c) all += model->index(r, c, group).data().toString() + '\n';
                if (std::ranges::all_of(words, [&](const QString& word) { return all.contains(word); })) return model->index(r, 0, group);
            }
        }
        return {};
    }
    void picture(QWidget* dialog, const QString& name) const
    {
        const QString folder = qEnvironmentVariable("HALLWRIGHT_PICTURES");
        if (folder.isEmpty()) return;
        QTest::qWait(500);
        dialog->screen()->grabWindow(0).save(folder + "/" + name + ".png");
    }
    std::set<std::string> deviceNames()
    {
        std::set<std::string> names;
        const Snapshot& s = *bridge().snapshot();
        s.devices.forEach([&](DeviceId id) { names.insert(s.devices.name[id]); });
        return names;
    }

    /// Two racks, a server and a switch with four cables between them.
    void seed()
    {
        const auto post = [&](const char* table, const json& body) {
            const json answer = m_server->post(table, body);
            QVERIFY2(answer.contains("id"), (std::string(table) + answer.dump()).c_str());
        };
        for (const char* field : {"hall_x_mm", "hall_y_mm", "hall_rotation"})
            post("extras/custom-fields", {{"name", field}, {"type", "integer"}, {"object_types", {"dcim.rack", "dcim.device"}}});
        post("extras/tags", {{"name", "Production"}, {"slug", "prod"}, {"color", "ff0000"}});
        post("dcim/sites", {{"name", "Campus A"}, {"slug", "campus-a"}});
        post("dcim/locations", {{"site", 1}, {"name", "Hall 7"}, {"slug", "hall-7"}});
        post("dcim/manufacturers", {{"name", "Generic"}, {"slug", "generic"}});
        for (const char* role : {"server", "leaf"}) post("dcim/device-roles", {{"name", role}, {"slug", role}});
        post("dcim/rack-types", {{"manufacturer", 1}, {"model", "48U"}, {"slug", "acme-48u"}, {"form_factor", "4-post-cabinet"}, {"u_height", 48}});
        for (int i = 1; i <= 2; ++i)
            post("dcim/racks", {{"site", 1},
                                {"location", 1},
                                {"name", "NB-R" + std::to_string(i)},
                                {"rack_type", 1},
                                {"tags", json::array({1})},
                                {"custom_fields", {{"hall_x_mm", 1200 * i}, {"hall_y_mm", 2000}, {"hall_rotation", 0}}}});
        post("dcim/device-types", {{"manufacturer", 1}, {"model", "Box"}, {"slug", "nb-box"}, {"u_height", 2}});
        post("dcim/device-types", {{"manufacturer", 1}, {"model", "Leaf"}, {"slug", "nb-leaf"}, {"u_height", 1}});
        for (int kind = 1; kind <= 2; ++kind)
            for (int n = 1; n <= 4; ++n)
                post("dcim/interface-templates",
                     {{"device_type", kind}, {"name", (kind == 1 ? "nic" : "swp") + std::to_string(n)}, {"type", "400gbase-x-osfp"}});
        for (int n = 1; n <= 2; ++n)
            post("dcim/devices", {{"name", n == 1 ? "nb-host1" : "nb-leaf1"},
                                  {"device_type", n},
                                  {"role", n},
                                  {"site", 1},
                                  {"rack", n},
                                  {"position", 10},
                                  {"face", "front"},
                                  {"status", "planned"}});
        const auto end = [](int id) { return json::array({{{"object_type", "dcim.interface"}, {"object_id", id}}}); };
        for (int n = 1; n <= 4; ++n)
            post("dcim/cables",
                 {{"a_terminations", end(n)}, {"b_terminations", end(4 + n)}, {"status", "planned"}, {"label", "C" + std::to_string(n)}});
    }

private slots:
    void initTestCase()
    {
        qunsetenv("HALLWRIGHT_NETBOX_TOKEN");
        qputenv("HALLWRIGHT_CREDENTIALS", "");
        qunsetenv("HALLWRIGHT_CREDENTIALS");
        qputenv("XDG_CONFIG_HOME", m_folder.path().toUtf8()); // no credentials of the user
        m_server = std::make_unique<NetboxServer>(NetboxOptions{.branching = true});
        seed();
        keepSettingsHere();
        openWindow({1280, 720}, Library::Loaded);
        bridge().load(std::make_shared<const Snapshot>());
        QTRY_VERIFY_WITH_TIMEOUT(bridge().figuresCurrent(), 60000);
    }
    void cleanupTestCase() { closeWindow(); }
    void cleanup()
    {
        while (QWidget* open = QApplication::activeModalWidget()) open->close(), QTest::qWait(10);
    }

    /// Nothing is read before it is asked for; without a token the server's refusal is shown; a typed one is kept nowhere.
    void importsFromAServer()
    {
        auto* dialog = opened<ImportDialog>("file.importNetbox");
        QVERIFY(dialog);
        QVERIFY(dialog->width() <= 1280 && dialog->height() <= 720);
        QVERIFY(!dialog->findChild<QPushButton*>("readImport")->isEnabled());
        type(dialog, "netboxUrl", url());
        QTest::qWait(500);
        QVERIFY(m_server->requests().empty());
        picture(dialog, "netbox-import-empty");
        click(dialog, "readImport");
        QTRY_VERIFY2_WITH_TIMEOUT(planOf(dialog).contains("HALLWRIGHT_NETBOX_TOKEN"), qPrintable(planOf(dialog)), 30000);
        QVERIFY(!canApply(dialog));
        type(dialog, "netboxToken", NetboxServer::kReadOnly);
        type(dialog, "site", "Elsewhere");
        click(dialog, "readImport");
        QTRY_VERIFY2_WITH_TIMEOUT(planOf(dialog).contains("Campus A"), qPrintable(planOf(dialog)), 30000); // the sites that there are
        type(dialog, "site", "campus-a");
        const SnapshotPtr before = bridge().snapshot();
        click(dialog, "readImport");
        QTRY_VERIFY2_WITH_TIMEOUT(canApply(dialog), qPrintable(planOf(dialog)), 30000);
        QVERIFY2(planOf(dialog).contains("NB-R1") && planOf(dialog).contains("tags of 2 objects"), qPrintable(planOf(dialog)));
        QCOMPARE(bridge().snapshot(), before); // only planned
        picture(dialog, "netbox-import");
        click(dialog, "applyImport");
        QTRY_VERIFY_WITH_TIMEOUT(!QApplication::activeModalWidget() && deviceNames().contains("nb-host1"), 30000);
        QCOMPARE(m_server->writes(), 0);
        m_window->action("edit.undo")->trigger();
        QVERIFY(sameContent(*bridge().snapshot(), *before));
        m_window->action("edit.redo")->trigger();
        QVERIFY(deviceNames().contains("nb-leaf1"));
        QTRY_VERIFY_WITH_TIMEOUT(bridge().figuresCurrent(), 60000);
        // of the token nothing is left: neither in the project nor in the settings
        m_window->session().saveAs(file("hall.hall"));
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(file("hall.hall")).size() > 0 && !m_window->session().modified(), 30000);
        const CliRun text = runCli({"export", "text", file("hall.hall"), "-o", file("hall.txt")});
        QVERIFY2(text.code == 0 && bytes(file("hall.txt")).contains("nb-host1"), text.error.constData());
        QVERIFY(!bytes(file("hall.txt")).contains(NetboxServer::kReadOnly));
        QSettings().sync();
        for (const QString& key : QSettings().allKeys())
            QVERIFY2(!QSettings().value(key).toString().contains(NetboxServer::kReadOnly), qPrintable(key));
        QCOMPARE(QSettings().value("netbox/url").toString(), url());
    }

    /// A reading is stopped; the window stays usable meanwhile.
    void aReadingIsStopped()
    {
        std::atomic<bool> hold = true, silent = true;
        std::atomic<int> asked = 0;
        m_server->intercept([&](const NetboxRequest& request) -> std::optional<NetboxReply> {
            if (request.path.find("/dcim/racks/") == std::string::npos) return std::nullopt;
            ++asked;
            for (int i = 0; hold && i < 1500; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
            silent = false;
            return std::nullopt;
        });
        auto* dialog = opened<ImportDialog>("file.importNetbox");
        QVERIFY(dialog);
        QCOMPARE(dialog->findChild<QLineEdit*>("netboxUrl")->text(), url()); // remembered
        QVERIFY(dialog->findChild<QLineEdit*>("netboxToken")->text().isEmpty());
        type(dialog, "netboxToken", NetboxServer::kToken);
        click(dialog, "readImport");
        QTRY_VERIFY_WITH_TIMEOUT(asked > 0, 30000);
        auto* stop = dialog->findChild<QPushButton*>("stopImport");
        QTRY_VERIFY_WITH_TIMEOUT(stop->isVisible(), 10000);
        for (int turns = 0; turns < 40; ++turns) QTest::qWait(5); // of the event loop
        QVERIFY(silent && stop->isVisible());                     // the server is waited for all the time
        picture(dialog, "netbox-import-reading");
        click(dialog, "stopImport");
        QTRY_VERIFY_WITH_TIMEOUT(planOf(dialog).startsWith("Stopped"), 10000);
        QVERIFY(!canApply(dialog) && dialog->findChild<QPushButton*>("readImport")->isEnabled());
        hold = false;
        m_server->intercept({});
        click(dialog, "readImport");
        QTRY_VERIFY_WITH_TIMEOUT(canApply(dialog), 30000);
        QVERIFY2(planOf(dialog).contains("2 devices are already in the design"), qPrintable(planOf(dialog)));
    }

    /// Exported lists: the same importer, in the same dialog, and by File > Import folder.
    void importsExportedLists()
    {
        const QString lists = HW_TEST_DATA "/netbox/api";
        const CliRun cli = runCli({"import", "netbox", lists, "--dry-run"});
        QCOMPARE(cli.code, 0);
        auto* dialog = opened<ImportDialog>("file.importNetbox");
        QVERIFY(dialog);
        click(dialog, "netboxFiles");
        type(dialog, "netboxPath", lists);
        click(dialog, "readImport");
        QTRY_VERIFY2_WITH_TIMEOUT(canApply(dialog), qPrintable(planOf(dialog)), 30000);
        for (const QByteArray& line : cli.out.split('\n'))
            if (line.contains("gpu01") || line.contains("skipped")) QVERIFY2(planOf(dialog).contains(QString::fromUtf8(line)), line.constData());
        picture(dialog, "netbox-import-lists");
        dialog->close();
        QTRY_VERIFY(!QApplication::activeModalWidget());
        answerFileDialog(lists);
        auto* folder = opened<ImportDialog>("file.importFolder");
        QVERIFY(folder && folder->importer());
        QCOMPARE(folder->importer()->info().name, std::string("netbox"));
        QTRY_VERIFY2_WITH_TIMEOUT(canApply(folder), qPrintable(planOf(folder)), 30000);
        QVERIFY(planOf(folder).contains("gpu01"));
        folder->close();
    }

    /// Captures with other files beside them: these are named and skipped, as on the command line.
    void aFolderOfCaptures()
    {
        for (const char* name : {"leaf1.json0.json", "host02.json"})
            write(QString("captures/") + name, bytes(HW_TEST_DATA "/asbuilt/" + QString(name)));
        write("captures/photo.png", QByteArray("\x89PNG\r\n\x1a\n\0\0", 10));
        write("captures/notes.txt", "Pulled by the night shift.\n");
        const CliRun cli = runCli({"import", "lldp", file("captures"), "--dry-run", "--json"});
        QCOMPARE(cli.code, 0);
        const json plan = cli.json();
        answerFileDialog(file("captures"));
        auto* dialog = opened<ImportDialog>("file.importFolder");
        QVERIFY(dialog && dialog->importer());
        QCOMPARE(dialog->importer()->info().name, std::string("lldp"));
        QTRY_VERIFY2_WITH_TIMEOUT(canApply(dialog), qPrintable(planOf(dialog)), 30000);
        int skipped = 0;
        for (const json& issue : plan["issues"]) {
            const auto where = QString::fromStdString(issue["where"].get<std::string>());
            if (where.contains("photo.png") || where.contains("notes.txt")) {
                ++skipped;
                QVERIFY2(planOf(dialog).contains(where) && planOf(dialog).contains(QString::fromStdString(issue["what"].get<std::string>())),
                         qPrintable(planOf(dialog)));
            }
        }
        QCOMPARE(skipped, 2);
        picture(dialog, "captures-folder");
        dialog->close();
        QTRY_VERIFY(!QApplication::activeModalWidget());
        // all files of the folder chosen one by one are the same
        QStringList quoted;
        for (const QString& name : QDir(file("captures")).entryList(QDir::Files)) quoted << '"' + file("captures") + "/" + name + '"';
        answerFileDialog(quoted.join(' '));
        auto* several = opened<ImportDialog>("design.asbuilt");
        QVERIFY(several && several->importer());
        QTRY_VERIFY2_WITH_TIMEOUT(canApply(several), qPrintable(planOf(several)), 30000);
        QVERIFY(planOf(several).contains("photo.png") && planOf(several).contains("notes.txt"));
    }

    /// The design that was imported against its server: rows by kind, a filter, either side, a table.
    void compares()
    {
        auto* dialog = opened<NetboxCompareDialog>("design.netbox");
        QVERIFY(dialog);
        QVERIFY(dialog->width() <= 1280 && dialog->height() <= 720);
        auto* list = dialog->findChild<QTreeView*>("netboxRows");
        auto* model = qobject_cast<NetboxRowsModel*>(list->model());
        auto* message = dialog->findChild<QLabel*>("netboxMessage");
        QVERIFY(!dialog->findChild<QPushButton*>("netboxWrite")->isEnabled() && !dialog->findChild<QPushButton*>("netboxTake")->isEnabled());
        type(dialog, "netboxToken", NetboxServer::kToken);
        QVERIFY(m_server->patch("dcim/devices", 1, {{"serial", "SN-5"}}).contains("id"));
        QVERIFY(m_server->post("dcim/racks", {{"site", 1}, {"location", 1}, {"name", "by-hand"}, {"rack_type", 1}}).contains("id"));
        QSignalSpy compared(dialog, &NetboxCompareDialog::compared), failed(dialog, &NetboxCompareDialog::failed);
        const int before = m_server->writes();
        click(dialog, "netboxCompare");
        QTRY_VERIFY2_WITH_TIMEOUT(compared.size() == 1, qPrintable(message->text()), 60000);
        QCOMPARE(m_server->writes(), before);
        picture(dialog, "netbox-compare");
        const QModelIndex serial = rowWith(list, {"nb-host1", "Serial number", "SN-5"}), alone = rowWith(list, {"by-hand", "racks"});
        QVERIFY(serial.isValid() && alone.isValid());
        QVERIFY(serial.parent().data().toString().startsWith("Different values"));
        QVERIFY(alone.parent().data().toString().startsWith("Missing in the design"));
        for (const netbox::Difference& row : model->rows()) // what was imported is found again
            QVERIFY2(row.kind == netbox::DifferenceKind::Differs || row.name == "by-hand", row.name.c_str());
        QVERIFY(!(alone.flags() & Qt::ItemIsUserCheckable));

        // the same rows as the command line has, with the same numbers
        qputenv("HALLWRIGHT_NETBOX_TOKEN", NetboxServer::kToken);
        const CliRun cli = runCli({"compare", file("hall.hall"), "--netbox", url(), "--json"});
        qunsetenv("HALLWRIGHT_NETBOX_TOKEN");
        QVERIFY2(cli.code == 0, cli.error.constData());
        const json rows = cli.json()["rows"];
        QCOMPARE(rows.size(), model->rows().size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            QVERIFY(rows[i]["name"] == model->rows()[i].name && rows[i].value("field", "") == model->rows()[i].field);

        type(dialog, "netboxFilter", "sn-5 serial");
        QCOMPARE(model->rowCount(), 1);
        QCOMPARE(model->rowCount(model->index(0, 0)), 1);
        check(list, rowWith(list, {"SN-5"}));
        QCOMPARE(model->checkedRows(), std::size_t(1));
        dialog->findChild<QLineEdit*>("netboxFilter")->clear();
        QCOMPARE(model->checkedRows(), std::size_t(1));
        QVERIFY(dialog->findChild<QPushButton*>("netboxTake")->text().contains("1 row"));

        // into the design, previewed, one step
        const SnapshotPtr base = bridge().snapshot();
        click(dialog, "netboxTake");
        QTRY_VERIFY_WITH_TIMEOUT(preview(), 30000);
        QVERIFY2(preview()->findChild<QPlainTextEdit*>("netboxPreviewText")->toPlainText().contains("devices"),
                 qPrintable(preview()->findChild<QPlainTextEdit*>("netboxPreviewText")->toPlainText()));
        picture(dialog, "netbox-compare-take");
        QCOMPARE(bridge().snapshot(), base);
        QSignalSpy taken(dialog, &NetboxCompareDialog::taken);
        click(preview(), "netboxApply");
        QTRY_COMPARE_WITH_TIMEOUT(taken.size(), 1, 30000);
        QTRY_VERIFY2_WITH_TIMEOUT(compared.size() == 2, qPrintable(message->text()), 60000);
        QVERIFY(!rowWith(list, {"SN-5"}).isValid());
        QVERIFY(message->text().contains("1 row taken into the design"));
        const Snapshot& s = *bridge().snapshot();
        bool kept = false;
        s.devices.forEach([&](DeviceId id) { kept = kept || (s.devices.name[id] == "nb-host1" && s.devices.serial[id] == "SN-5"); });
        QVERIFY(kept);
        m_window->action("edit.undo")->trigger();
        QVERIFY(sameContent(*bridge().snapshot(), *base));
        QVERIFY(message->text().contains("compare again"));
        QVERIFY(!dialog->findChild<QPushButton*>("netboxTake")->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(bridge().figuresCurrent(), 60000);
        click(dialog, "netboxCompare");
        QTRY_COMPARE_WITH_TIMEOUT(compared.size(), 3, 60000);

        // as a table
        answerFileDialog(file("differences.csv"));
        click(dialog, "netboxExport");
        QTRY_VERIFY2_WITH_TIMEOUT(message->text().contains("differences.csv"), qPrintable(message->text()), 30000);
        QVERIFY(bytes(file("differences.csv")).contains("only-netbox,racks,by-hand"));

        check(list, rowWith(list, {"nb-host1", "SN-5"})); // NetBox alone has a value: there is nothing to write
        QVERIFY(dialog->findChild<QPushButton*>("netboxTake")->isEnabled() && !dialog->findChild<QPushButton*>("netboxWrite")->isEnabled());
        click(dialog, "netboxAll");
        QVERIFY(model->checkedRows() > 1);
        picture(dialog, "netbox-compare-checked");
        click(dialog, "netboxNone");
        QCOMPARE(model->checkedRows(), std::size_t(0));
        QCOMPARE(failed.size(), 0);
    }

    void writesToNetbox()
    {
        auto* dialog = opened<NetboxCompareDialog>("design.netbox"); // the same one, or a new one
        QVERIFY(dialog);
        auto* list = dialog->findChild<QTreeView*>("netboxRows");
        auto* model = qobject_cast<NetboxRowsModel*>(list->model());
        auto* message = dialog->findChild<QLabel*>("netboxMessage");
        QSignalSpy compared(dialog, &NetboxCompareDialog::compared), written(dialog, &NetboxCompareDialog::written);
        type(dialog, "netboxToken", NetboxServer::kToken);
        QVERIFY(m_server->remove("dcim/cables", 1));
        click(dialog, "netboxCompare");
        QTRY_VERIFY2_WITH_TIMEOUT(compared.size() == 1, qPrintable(message->text()), 60000);
        QModelIndex missing;
        for (int g = 0; g < model->rowCount(); ++g)
            if (model->index(g, 0).data().toString().startsWith("Missing in NetBox")) missing = model->index(0, 0, model->index(g, 0));
        QVERIFY(missing.isValid());
        const int before = m_server->writes();
        check(list, missing);
        QCOMPARE(model->chosen(&netbox::Difference::toNetbox).size(), std::size_t(1));
        click(dialog, "netboxWrite");
        QTRY_VERIFY2_WITH_TIMEOUT(message->text().contains("specify a branch"), qPrintable(message->text()), 10000);
        QVERIFY(!preview());
        type(dialog, "netboxBranch", "phase-1");
        QVERIFY(!dialog->findChild<QPushButton*>("netboxWrite")->isEnabled()); // compared with main
        click(dialog, "netboxCompare");
        QTRY_COMPARE_WITH_TIMEOUT(compared.size(), 2, 60000);
        for (int g = 0; g < model->rowCount(); ++g)
            if (model->index(g, 0).data().toString().startsWith("Missing in NetBox")) check(list, model->index(g, 0)); // all of the kind
        QVERIFY(model->checkedRows() >= 1);
        click(dialog, "netboxWrite");
        QTRY_VERIFY_WITH_TIMEOUT(preview(), 30000);
        QVERIFY(preview()->findChild<QPlainTextEdit*>("netboxPreviewText")->toPlainText().contains("new branch phase-1"));
        QCOMPARE(m_server->writes(), before);
        picture(dialog, "netbox-compare-write");
        click(preview(), "netboxApply");
        QTRY_VERIFY2_WITH_TIMEOUT(written.size() == 1, qPrintable(message->text()), 60000);
        QTRY_COMPARE_WITH_TIMEOUT(compared.size(), 3, 60000);
        QVERIFY2(message->text().contains("written to NetBox"), qPrintable(message->text()));
        QCOMPARE(m_server->count("dcim/cables"), std::size_t(3)); // main
        const std::string schema = m_server->get("plugins/branching/branches").front()["schema_id"];
        QCOMPARE(m_server->count("dcim/cables", schema), std::size_t(4));
        picture(dialog, "netbox-compare-written");
        m_window->setTheme(views::ThemeKind::Light);
        picture(dialog, "netbox-compare-light");
        m_window->setTheme(views::ThemeKind::Dark);
        dialog->close();
    }
};

int main(int argc, char** argv)
{
    views::TwinView::prepareApplication();
    test::keepSettingsApart();
    QApplication application(argc, argv);
    TestWindowNetbox test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_netbox.moc"

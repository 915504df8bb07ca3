// SPDX-License-Identifier: GPL-3.0-or-later
// `compare --netbox` as it is run: a project against a server over HTTP, previewed, written in both directions.
#include "tests/cli/cli_process.h"
#include "tests/netbox/netbox_server.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using nlohmann::json;

class TestNetboxCompare : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::unique_ptr<NetboxServer> m_server;
    QString m_project;

    [[nodiscard]] QString url() const { return QString::fromStdString(m_server->url()); }
    [[nodiscard]] CliRun compare(const QStringList& more) const { return runCli(QStringList{"compare", m_project, "--netbox", url()} + more); }
    [[nodiscard]] std::size_t differences(const QStringList& more = {}) const
    {
        return compare(QStringList{"--json"} + more).json()["differences"].get<std::size_t>();
    }
    static QByteArray bytes(const QString& file)
    {
        QFile in(file);
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }
    [[nodiscard]] json device(const std::string& name) const { return m_server->get("dcim/devices?name=" + name).front(); }

private slots:
    void initTestCase()
    {
        qputenv("HALLWRIGHT_NETBOX_TOKEN", NetboxServer::kToken);
        m_server = std::make_unique<NetboxServer>(NetboxOptions{.branching = true});
        m_project = m_folder.filePath("hall.hall");
        QCOMPARE(runCli({"new", "fat-tree-2", "--set", "segments=1", "-o", m_project}).code, 0);
        const CliRun out = runCli({"export", "netbox", m_project, "--url", url(), "--to-main"});
        QVERIFY2(out.code == 0, out.error.constData());
    }

    void equalSides()
    {
        const CliRun same = compare({"--expect-same"});
        QVERIFY2(same.code == 0, same.out.constData());
        QVERIFY(same.out.contains("No differences"));
    }

    /// Rows are listed, as text, JSON and CSV; nothing is written by that.
    void rowsAreListed()
    {
        const json first = m_server->get("dcim/devices").front(), rack = m_server->get("dcim/racks").front();
        QVERIFY(m_server->patch("dcim/devices", first["id"], {{"serial", "SN-77"}}).contains("id"));
        QVERIFY(
            m_server
                ->post(
                    "dcim/racks",
                    {{"site", rack["site"]["id"]}, {"location", rack["location"]["id"]}, {"name", "by-hand"}, {"rack_type", rack["rack_type"]["id"]}})
                .contains("id"));
        const int before = m_server->writes();
        const CliRun text = compare({"--expect-same"});
        QCOMPARE(text.code, 3);
        QVERIFY2(text.out.contains("SN-77") && text.out.contains("racks: by-hand is in NetBox only"), text.out.constData());
        const json rows = compare({"--json"}).json();
        QCOMPARE(rows["schema"].get<std::string>(), std::string("hallwright.netbox-diff/1"));
        QCOMPARE(rows["rows"].size(), std::size_t(2));
        const QString csv = m_folder.filePath("rows.csv");
        QCOMPARE(compare({"-o", csv}).code, 0);
        const QByteArray table = bytes(csv);
        QVERIFY2(table.startsWith("row,kind,table,name,field,design,netbox,netbox_id,take") && table.contains("SN-77") &&
                     table.contains("only-netbox,racks,by-hand"),
                 table.constData());
        QCOMPARE(table.count('\n'), 3);
        QCOMPARE(m_server->writes(), before);
        QCOMPARE(compare({"-o", m_folder.filePath("rows.txt")}).code, 2);
        QCOMPARE(compare({"-o", csv, "--json"}).code, 2);
        QCOMPARE(compare({"--dry-run"}).code, 2);
        QCOMPARE(runCli({"compare", m_project, m_project, "-o", csv}).code, 2);
        QCOMPARE(runCli({"compare", m_project, m_project, "--dry-run"}).code, 2);
    }

    /// NetBox's side into the project: previewed, then one step; the row is gone.
    void intoTheProject()
    {
        const QByteArray before = bytes(m_project);
        const json rows = compare({"--json"}).json()["rows"];
        int row = 0;
        std::string name;
        for (const json& one : rows)
            if (one.value("field", "") == "serial") row = one["row"], name = one["name"];
        QVERIFY(row > 0);
        const QString take = QString("netbox:%1").arg(row);
        const CliRun dry = compare({"--take", take, "--dry-run"});
        QVERIFY2(dry.code == 0 && dry.out.contains("devices") && dry.error.contains("nothing was written"), (dry.out + dry.error).constData());
        QCOMPARE(bytes(m_project), before);
        const json planned = compare({"--take", take, "--dry-run", "--json"}).json();
        QCOMPARE(planned["to_design"]["schema"].get<std::string>(), std::string("hallwright.import-plan/1"));
        const CliRun done = compare({"--take", take});
        QVERIFY2(done.code == 0 && done.error.contains("1 row applied to the project"), done.error.constData());
        QCOMPARE(differences(), rows.size() - 1);
        QVERIFY(bytes(m_project) != before);
        const CliRun device = runCli({"export", "text", m_project, "-o", m_folder.filePath("hall.txt")});
        QCOMPARE(device.code, 0);
        QVERIFY(bytes(m_folder.filePath("hall.txt")).contains("SN-77"));
        const CliRun all = compare({"--take", "netbox:99"});
        QVERIFY2(all.code == 2 && all.errorLine().contains("no such row"), all.error.constData());
    }

    /// The design's side to NetBox: never to main unless asked in so many words, a branch is made, and the preview writes nothing.
    void intoNetbox()
    {
        const json first = m_server->get("dcim/devices").front(), cable = m_server->get("dcim/cables").front();
        QVERIFY(m_server->patch("dcim/devices", first["id"], {{"serial", "SN-78"}}).contains("id"));
        QVERIFY(m_server->remove("dcim/cables", cable["id"]));
        const std::size_t cables = m_server->count("dcim/cables"), rows = differences();
        const int before = m_server->writes();
        const CliRun refused = compare({"--take", "design:all"});
        QVERIFY2(refused.code == 2 && refused.errorLine().contains("without a branch"), refused.error.constData());
        const CliRun dry = compare({"--take", "design:all", "--branch", "b1", "--dry-run"});
        QVERIFY2(dry.code == 0 && dry.out.contains("new branch b1"), (dry.out + dry.error).constData());
        const json planned = compare({"--take", "design:all", "--dry-run", "--json"}).json()["to_netbox"];
        const json expected = {{{"table", "dcim/devices"}, {"create", 0}, {"change", 1}}, {{"table", "dcim/cables"}, {"create", 1}, {"change", 0}}};
        QVERIFY2(planned == expected, planned.dump().c_str());
        QCOMPARE(m_server->writes(), before);

        const CliRun branch = compare({"--take", "design:all", "--branch", "b1"});
        QVERIFY2(branch.code == 0 && branch.error.contains("2 rows written to NetBox"), branch.error.constData());
        QCOMPARE(m_server->count("dcim/cables"), cables); // main is as it was
        QCOMPARE(differences(), rows);
        QCOMPARE(differences({"--branch", "b1"}), rows - 2);

        const CliRun main = compare({"--take", "design:all", "--to-main"});
        QVERIFY2(main.code == 0, main.error.constData());
        QCOMPARE(m_server->count("dcim/cables"), cables + 1);
        QCOMPARE(device(first["name"])["serial"].get<std::string>(), std::string("SN-77"));
        const json left = compare({"--json"}).json()["rows"];
        QVERIFY2(left.size() == 1 && left[0]["name"] == "by-hand", left.dump().c_str());
    }

    /// Answers of a server, and a token that may only read.
    void refusals()
    {
        const json first = m_server->get("dcim/devices").front();
        QVERIFY(m_server->patch("dcim/devices", first["id"], {{"serial", "SN-79"}}).contains("id"));
        qputenv("HALLWRIGHT_NETBOX_TOKEN", NetboxServer::kReadOnly);
        const CliRun write = compare({"--take", "design:all", "--to-main"});
        QVERIFY2(write.code != 0 && !write.errorLine().isEmpty(), write.error.constData());
        QCOMPARE(device(first["name"])["serial"].get<std::string>(), std::string("SN-79"));
        QCOMPARE(compare({"--expect-same"}).code, 3); // reading is enough for the comparison
        qputenv("HALLWRIGHT_NETBOX_TOKEN", "wrong");
        const CliRun token = compare({});
        QVERIFY2(token.code != 0 && token.errorLine().contains("access denied"), token.error.constData());
        qputenv("HALLWRIGHT_NETBOX_TOKEN", NetboxServer::kToken);
    }
};

QTEST_GUILESS_MAIN(TestNetboxCompare)
#include "test_netbox_compare.moc"

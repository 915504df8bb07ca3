// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <span> in them
#include "core/foundation/base/hash.h"
#include "core/foundation/storage/chunk_codec.h"
#include "core/foundation/storage/file_image.h"
#include "core/foundation/storage/file_lock.h"
#include "core/foundation/storage/project_file.h"
#include "core/foundation/storage/sqlite.h"
#include "core/foundation/storage/text_form.h"
#include "core/foundation/storage/validate.h"
#include "tests/storage/files.h"
#include "tests/storage/random_document.h"
#endif

#include <QTemporaryDir>
#include <QTest>

using namespace hw;
using storage::Database;
using test::bytesOf, test::putBytes, test::folderBytes, test::identical;

/// Projects as older versions wrote them, and as text.
class TestForms : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = std::filesystem::path(m_folder->path().toStdString()) / "project.hall";
    }
    void readsFormat1();
    void writesOnFromFormat1();
    void readsAndWritesFormat2();
    void tablesAndColumnsByName();
    void damageInFormat1IsNotRenewed();
    void textRoundTrip();
    void textErrorsNameTheLine_data();
    void textErrorsNameTheLine();
    void textIsUtf8();
    void textSparesProjects();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_path;
};

/// tests/data/format-1.*: written by version 0.1.0, with three commits in the journal; one of them adds a network.
void TestForms::readsFormat1()
{
    putBytes(m_path, bytesOf(HW_TEST_DATA "/format-1.hall"));
    const auto before = folderBytes(m_folder->path().toStdString());
    const auto read = readProject(m_path);
    QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
    QVERIFY(folderBytes(m_folder->path().toStdString()) == before);
    const auto text = importText(HW_TEST_DATA "/format-1.txt");
    QVERIFY2(text.has_value(), text ? "" : text.error().text().c_str());
    QVERIFY(identical(*read->snapshot, **text));
    QCOMPARE(read->journal.size(), std::size_t(3));
    QCOMPARE(read->saved->networks.size(), 2u);
    const auto& networks = read->snapshot->networks;
    QCOMPARE(networks.size(), 3u);
    QCOMPARE(networks.planes[NetworkId(0)], std::int16_t(2));
    QCOMPARE(networks.color[NetworkId(3)], 0x445566u);
    networks.forEach([&](NetworkId id) {
        QVERIFY(networks.kind[id] == NetworkKind::Backend);
        QVERIFY(networks.domain[id] == 0 && networks.acceleratorRate[id] == Gbps(0));
    });
}

void TestForms::writesOnFromFormat1()
{
    putBytes(m_path, bytesOf(HW_TEST_DATA "/format-1.hall"));
    SnapshotPtr last;
    {
        auto file = ProjectFile::open(m_path);
        QVERIFY2(file.has_value(), file ? "" : file.error().text().c_str());
        Document document((*file)->loaded().snapshot);
        const auto follow = (*file)->follow(document);
        auto transaction = document.begin("Kind");
        transaction->networks.kind.set(NetworkId(3), NetworkKind::ScaleUp);
        transaction->networks.domain.set(NetworkId(3), 72);
        transaction.commit();
        last = document.snapshot();
        QVERIFY((*file)->close());
    }
    const auto image = storage::readImage(m_path);
    QVERIFY(image && image->version == storage::kFormatVersion);
    const auto read = readProject(m_path);
    QVERIFY(read && read->journal.size() == 4 && identical(*read->snapshot, *last));
    auto again = ProjectFile::open(m_path);
    QVERIFY(again);
    (*again)->save((*again)->loaded().snapshot);
    QVERIFY((*again)->close());
    const auto saved = readProject(m_path);
    QVERIFY(saved && saved->journal.empty() && identical(*saved->snapshot, *last));
}

/// tests/data/format-2.*: written by version 0.2.0 from the example torus.
void TestForms::readsAndWritesFormat2()
{
    putBytes(m_path, bytesOf(HW_TEST_DATA "/format-2.hall"));
    const auto text = importText(HW_TEST_DATA "/format-2.txt");
    QVERIFY2(text.has_value(), text ? "" : text.error().text().c_str());
    {
        const auto read = readProject(m_path);
        QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
        QVERIFY(identical(*read->snapshot, **text));
        auto file = ProjectFile::open(m_path);
        QVERIFY2(file.has_value(), file ? "" : file.error().text().c_str());
        QVERIFY((*file)->close());
    }
    const auto read = readProject(m_path); // in this program's list now
    QVERIFY(read && identical(*read->snapshot, **text));
    QVERIFY(storage::readImage(m_path)->version == storage::kFormatVersion);
}

/// What a file of another version lists otherwise: text and database are read by the names of tables and columns.
void TestForms::tablesAndColumnsByName()
{
    const auto path = m_path.parent_path() / "text.txt";
    const SnapshotPtr design = test::makeDesign(5);
    QVERIFY(exportText(*design, path));
    QStringList lines = QString::fromStdString(bytesOf(path)).split('\n');
    const auto waivers = lines.indexOf("table waivers next_id 0");
    QVERIFY(waivers > 0);
    for (int i = 0; i < 3; ++i) lines.removeAt(waivers - 1);                   // a table that came later: blank, name, columns
    for (auto i = lines.indexOf("id\tkey\tvalue"); !lines[i].isEmpty(); ++i) { // columns in another order
        const QStringList cells = lines[i].split('\t');
        lines[i] = QStringList{cells[0], cells[2], cells[1]}.join('\t');
    }
    putBytes(path, lines.join('\n').toStdString());
    const auto read = importText(path);
    QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
    QVERIFY(sameContent(**read, *design));

    QVERIFY(writeProject(*design, m_path));
    const auto spoil = [&](const char* sql) {
        auto database = Database::open(m_path.string(), false);
        QVERIFY(database && database->run(sql) && database->run("PRAGMA wal_checkpoint(TRUNCATE)"));
    };
    spoil("UPDATE tab SET columns = columns || ' depth_mm' WHERE name = 'racks'; UPDATE meta SET value = '9.1.0' WHERE key = 'needs'");
    for (const char* side : {"-wal", "-shm"}) std::filesystem::remove(m_path.string() + side);
    const auto newer = readProject(m_path);
    QVERIFY(!newer);
    QVERIFY2(newer.error().text().find("table racks contains a column 'depth_mm' that this version does not support") != std::string::npos,
             newer.error().text().c_str());
    QVERIFY2(newer.error().text().find("9.1.0") != std::string::npos, newer.error().text().c_str());
}

void TestForms::damageInFormat1IsNotRenewed()
{
    const auto good = bytesOf(HW_TEST_DATA "/format-1.hall");
    for (const char* harm :
         {"UPDATE meta SET value = value + 1 WHERE key = 'manifest'", "UPDATE journal SET hash = hash + 1 WHERE revision = 3",
          "UPDATE journal SET name = 'Other' WHERE revision = 2", "DELETE FROM journal WHERE revision = 4", "UPDATE tab SET size = 3 WHERE id = 2",
          "UPDATE tab SET columns = 'alive key' WHERE id = 2", "DELETE FROM chunk WHERE tab = 'networks' AND col = 'rails'",
          "UPDATE chunk SET data = x'00' WHERE tab = 'networks' AND col = 'alive'"}) {
        putBytes(m_path, good);
        {
            auto database = Database::open(m_path.string(), false);
            QVERIFY(database && database->run(harm) && database->run("PRAGMA wal_checkpoint(TRUNCATE)"));
        }
        for (const char* side : {"-wal", "-shm"}) std::filesystem::remove(m_path.string() + side);
        const auto read = readProject(m_path);
        QVERIFY2(!read.has_value(), harm);
        QCOMPARE(read.error().code, ErrorCode::Unreadable);
        QCOMPARE(read.error().where, m_path.string());
        QVERIFY2(read.error().text().find("damaged") != std::string::npos, read.error().text().c_str());
    }
}

void TestForms::textRoundTrip()
{
    Document document(test::makeDesign(700));
    test::Random random{9};
    for (int i = 0; i < 40; ++i) test::randomEdit(document, random);
    const auto text = m_path.string() + ".txt", again = m_path.string() + ".again.txt";
    QVERIFY(exportText(*document.snapshot(), text));
    const auto read = importText(text);
    QVERIFY2(read, read ? "" : read.error().text().c_str());
    QVERIFY(identical(**read, *document.snapshot()));
    QVERIFY(exportText(**read, again));
    QVERIFY(bytesOf(text) == bytesOf(again));
    QVERIFY(!QString::fromStdString(bytesOf(text)).contains(QChar::ReplacementCharacter)); // it is UTF-8
    QVERIFY(writeProject(**read, m_path));
    const auto project = readProject(m_path);
    QVERIFY(project && identical(*project->snapshot, *document.snapshot()));
}

void TestForms::textErrorsNameTheLine_data()
{
    QTest::addColumn<std::string>("find");
    QTest::addColumn<std::string>("replace");
    QTest::addColumn<std::string>("phrase");
    const auto row = [](const char* name, const char* find, const char* replace, const char* phrase) {
        QTest::newRow(name) << std::string(find) << std::string(replace) << std::string(phrase);
    };
    row("other file", "hallwright text 3", "hello", "not a Hallwright text export");
    row("newer", "hallwright text 3", "hallwright text 4", ":1: format version is 4; this version (");
    row("revision", "revision 1", "revision one", ":2: ");
    row("column", "id\tkey\tvalue", "id\tkey\tvalues", ":5: table settings has no column 'values'");
    row("number", "\nend", "\n17\tx\nend", "text.txt:");
    row("id order", "\n1\ttemplate.name", "\n0\ttemplate.name", ":7: duplicate ID 0");
    row("id range", "\n1\ttemplate.name", "\n99\ttemplate.name", "' is not an ID below next_id");
    row("missing value", "\ttemplate.name\tnone", "\ttemplate.name", "missing value for value");
    row("extra value", "\ttemplate.name\tnone", "\ttemplate.name\tnone\tmore", "more values");
    row("escape", "template.name\tnone", "template.name\tno\\qne", "'no\\qne' is not a valid value for value");
    row("cut", "\nend\n", "\n", "unexpected end of file; expected");
    row("behind the end", "\nend\n", "\nend\nmore\n", "unexpected text after the end");
    row("huge", "table trays next_id ", "table trays next_id 99999999", "too large");
}

void TestForms::textErrorsNameTheLine()
{
    QFETCH(std::string, find);
    QFETCH(std::string, replace);
    QFETCH(std::string, phrase);
    const auto path = m_path.parent_path() / "text.txt";
    QVERIFY(exportText(*test::makeDesign(5), path));
    std::string text = bytesOf(path);
    QVERIFY(text.find(find) != std::string::npos);
    text.replace(text.find(find), find.size(), replace);
    putBytes(path, text);
    const auto read = importText(path);
    QVERIFY(!read && read.error().code == ErrorCode::Unreadable);
    QVERIFY2(read.error().text().find(phrase) != std::string::npos, read.error().text().c_str());
}

void TestForms::textIsUtf8()
{
    const auto path = m_path.parent_path() / "text.txt";
    QVERIFY(exportText(*test::makeDesign(5), path));
    const std::string text = bytesOf(path);
    const auto at = text.find("template.name\tnone") + std::string("template.name\t").size();
    const auto line = std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n') + 1;
    for (const char* bad : {"\xff", "a\x80", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
        putBytes(path, std::string(text).insert(at, bad));
        const auto read = importText(path);
        QVERIFY(!read);
        QCOMPARE(read.error().code, ErrorCode::Unreadable);
        QCOMPARE(read.error().where, path.string() + ":" + std::to_string(line));
        QCOMPARE(words(read.error().what), std::string("is not UTF-8"));
    }
    for (const char* good : {"é", "日本", "\xf0\x9f\x98\x80"}) {
        putBytes(path, std::string(text).insert(at, good));
        QVERIFY(importText(path));
    }
    std::string longValue = "x"; // a message quotes its first 60 bytes, in whole characters
    for (int i = 0; i < 40; ++i) longValue += "é";
    putBytes(path, std::string(text).insert(at, longValue + "\\q"));
    const auto read = importText(path);
    QVERIFY(!read && QString::fromStdString(words(read.error().what)).toStdString() == words(read.error().what));
    QVERIFY(!QString::fromStdString(words(read.error().what)).contains(QChar::ReplacementCharacter));
}

void TestForms::textSparesProjects()
{
    const SnapshotPtr design = test::makeDesign(20);
    QVERIFY(!isProjectFile(m_path) && !isProjectFile(m_path.parent_path()) && !isProjectFile("/dev/null"));
    QVERIFY(writeProject(*design, m_path));
    const auto before = folderBytes(m_path.parent_path());
    const auto link = m_path.parent_path() / "link";
    QVERIFY(isProjectFile(m_path));
    const auto written = exportText(*design, m_path);
    QVERIFY(!written);
    QCOMPARE(written.error().code, ErrorCode::Unreadable);
    QCOMPARE(written.error().where, m_path.string());
    QCOMPARE(words(written.error().what), std::string("is a Hallwright project file"));
    QCOMPARE(words(written.error().todo), std::string("choose another file name"));
    QVERIFY(folderBytes(m_path.parent_path()) == before);
    std::filesystem::create_symlink(m_path, link);
    QVERIFY(!exportText(*design, link) && std::filesystem::is_symlink(link));
    const auto text = m_path.parent_path() / "text.txt";
    QVERIFY(exportText(*design, text) && !isProjectFile(text));
    QVERIFY(exportText(*design, text)); // an earlier export is replaced
}

QTEST_APPLESS_MAIN(TestForms)
#include "test_forms.moc"

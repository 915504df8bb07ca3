// SPDX-License-Identifier: GPL-3.0-or-later
// Broken files: refused with a message, never changed, never read as something else, never a crash.
#include "core/foundation/storage/file_image.h"
#include "core/foundation/storage/project_file.h"
#include "tests/storage/files.h"
#include "tests/storage/random_document.h"

#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

using namespace hw;
using test::bytesOf, test::putBytes, test::folderBytes;

namespace {

/// What a writer leaves behind that dies: the main file and its log, with commits since the last save.
struct Leftover {
    std::string main, log;
    std::vector<SnapshotPtr> states; ///< of every revision from the last save on
};

Leftover leftover(const std::filesystem::path& folder)
{
    const auto path = folder / "leftover.hall";
    const SnapshotPtr design = test::makeDesign(60);
    auto file = ProjectFile::create(path, design);
    if (!file) qFatal("%s", file.error().text().c_str());
    Document document(design);
    Leftover result;
    result.states.push_back(design);
    const auto follow = (*file)->follow(document);
    const auto record = document.changed.connect([&](const ChangeEvent& event) { result.states.push_back(event.after); });
    test::Random random{5};
    while (result.states.size() < 12) {
        test::randomEdit(document, random);
        if (!(*file)->flush()) qFatal("flush"); // each commit is one on disk; those that wait behind each other would be one
    }
    result.main = bytesOf(path);
    result.log = bytesOf(path.string() + "-wal");
    if (!(*file)->close()) qFatal("close");
    std::filesystem::remove(path);
    return result;
}

bool isOneOf(const Snapshot& snapshot, const std::vector<SnapshotPtr>& states)
{
    return std::any_of(states.begin(), states.end(),
                       [&](const SnapshotPtr& s) { return s->revision == snapshot.revision && sameContent(*s, snapshot); });
}

std::string withNumber(std::string bytes, std::size_t at, std::uint32_t value)
{
    for (int i = 0; i < 4; ++i) bytes[at + std::size_t(i)] = char(value >> (24 - 8 * i));
    return bytes;
}

} // namespace

class TestDamage : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void refusesWithReason_data();
    void refusesWithReason();
    void refusesMissingAndFolders();
    void refusesForeignDatabase();
    void bitFlips();
    void truncations();
    void bitFlipsInTheLog();
    void truncatedLogs();
    void shuffledPages();

private:
    void expectRefusal(const std::string& bytes, const char* phrase);
    std::string needing(const char* program) const; ///< the good file, for this program or newer ones
    QTemporaryDir m_folder;
    std::filesystem::path m_path;
    SnapshotPtr m_design;
    std::string m_good;
};

void TestDamage::initTestCase()
{
    m_path = std::filesystem::path(m_folder.path().toStdString()) / "project.hall";
    m_design = test::makeDesign(400);
    QVERIFY(writeProject(*m_design, m_path));
    m_good = bytesOf(m_path);
}

void TestDamage::expectRefusal(const std::string& bytes, const char* phrase)
{
    putBytes(m_path, bytes);
    putBytes(m_path.string() + "-shm", "a side file of somebody");
    const auto before = folderBytes(m_folder.path().toStdString());
    const auto read = readProject(m_path);
    const auto opened = ProjectFile::open(m_path);
    QVERIFY(!read && !opened);
    for (const auto& error : {read.error(), opened.error()}) {
        QCOMPARE(error.code, ErrorCode::Unreadable);
        QCOMPARE(error.where, m_path.string());
        QVERIFY2(error.text().find(phrase) != std::string::npos, error.text().c_str());
        QVERIFY(!error.todo.empty());
    }
    QVERIFY(folderBytes(m_folder.path().toStdString()) == before);
    std::filesystem::remove(m_path.string() + "-shm");
}

std::string TestDamage::needing(const char* program) const
{
    const auto path = m_path.parent_path() / "needing.hall";
    putBytes(path, m_good);
    sqlite3* db = nullptr;
    const std::string sql = std::string("UPDATE meta SET value = '") + program + "' WHERE key = 'needs'";
    if (sqlite3_open(path.c_str(), &db) != SQLITE_OK || sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) qFatal("needing");
    sqlite3_close(db);
    const auto bytes = bytesOf(path);
    std::filesystem::remove(path);
    return bytes;
}

void TestDamage::refusesWithReason_data()
{
    QTest::addColumn<std::string>("bytes");
    QTest::addColumn<std::string>("phrase");
    QTest::newRow("empty") << std::string() << std::string("empty");
    QTest::newRow("text") << std::string("hello, this is a letter to a friend") << std::string("not a Hallwright project");
    QTest::newRow("zeros") << std::string(10000, '\0') << std::string("not a Hallwright project");
    QTest::newRow("one byte") << std::string("S") << std::string("truncated");
    QTest::newRow("header cut") << m_good.substr(0, 50) << std::string("truncated");
    QTest::newRow("half") << m_good.substr(0, m_good.size() / 2) << std::string("truncated");
    QTest::newRow("last page missing") << m_good.substr(0, m_good.size() - 4096) << std::string("truncated");
    QTest::newRow("last byte missing") << m_good.substr(0, m_good.size() - 1) << std::string("truncated");
    QTest::newRow("foreign id") << withNumber(m_good, 68, 0x12345678) << std::string("database of another application (application ID 305419896)");
    QTest::newRow("no id") << withNumber(m_good, 68, 0) << std::string("database of another application (application ID 0)");
    QTest::newRow("newer") << withNumber(m_good, 60, 7) << std::string("was written by a newer version of Hallwright: file format 7; this version (");
    QTest::newRow("newer, needs this program") << withNumber(m_good, 60, storage::kFormatVersion + 1)
                                               << std::string("open it with a newer version of Hallwright (file format");
    QTest::newRow("newer says what is read") << withNumber(m_good, 60, storage::kFormatVersion + 1) << std::string("reads file formats up to 3");
    QTest::newRow("newer says which") << withNumber(needing("99.2.0"), 60, storage::kFormatVersion + 1)
                                      << std::string("open it with Hallwright 99.2.0 or later");
    QTest::newRow("newer, needs nonsense") << withNumber(needing("sudo"), 60, storage::kFormatVersion + 1)
                                           << std::string("open it with a newer version of Hallwright (file format");
    const auto sizes = [&](std::size_t more) {
        return "file size is " + std::to_string(m_good.size() + more) + " bytes, but the header specifies " + std::to_string(m_good.size());
    };
    QTest::newRow("four bytes more") << m_good + "more" << sizes(4);
    QTest::newRow("zeros behind it") << m_good + std::string(10, '\0') << sizes(10);
    QTest::newRow("a page of zeros behind it") << m_good + std::string(4096, '\0') << sizes(4096);
    QTest::newRow("format 0") << withNumber(m_good, 60, 0) << std::string("damaged");
    QTest::newRow("page size") << withNumber(m_good, 16, 0x02000101) << std::string("damaged");
    QTest::newRow("encoding") << withNumber(m_good, 56, 2) << std::string("damaged");
    std::string wiped = m_good;
    wiped.replace(4096, wiped.size() - 4096, wiped.size() - 4096, '\0');
    QTest::newRow("all but the first page wiped") << wiped << std::string("");
}

void TestDamage::refusesWithReason()
{
    QFETCH(std::string, bytes);
    QFETCH(std::string, phrase);
    expectRefusal(bytes, phrase.c_str());
}

void TestDamage::refusesMissingAndFolders()
{
    const auto missing = readProject(m_path.string() + ".none");
    QVERIFY(!missing && missing.error().code == ErrorCode::Unreadable);
    QVERIFY(!ProjectFile::open(m_path.string() + ".none"));
    const auto folder = readProject(m_path.parent_path());
    QVERIFY(!folder && folder.error().code == ErrorCode::Unreadable);
    QVERIFY(!writeProject(*m_design, m_path.parent_path()));
    QVERIFY(!writeProject(*m_design, m_path.parent_path() / "no such folder" / "x.hall"));
}

void TestDamage::refusesForeignDatabase()
{
    const auto path = m_path.parent_path() / "foreign.db";
    sqlite3* db = nullptr;
    QCOMPARE(sqlite3_open(path.c_str(), &db), SQLITE_OK);
    sqlite3_exec(db, "CREATE TABLE chunk(a); INSERT INTO chunk VALUES(1)", nullptr, nullptr, nullptr);
    sqlite3_close(db);
    const auto bytes = bytesOf(path);
    std::filesystem::remove(path);
    expectRefusal(bytes, "database of another application");
    expectRefusal(withNumber(withNumber(bytes, 68, 0x48414C4C), 60, 1), "damaged"); // ours by name only
}

void TestDamage::bitFlips()
{
    test::Random random{42};
    int refused = 0, unnoticed = 0;
    for (int i = 0; i < 1200; ++i) {
        std::string bytes = m_good;
        // A third in the first pages (header, schema, trees), some changes of several bytes.
        const std::size_t at = i % 3 == 0 ? random() % std::min<std::size_t>(bytes.size(), 3 * 4096) : random() % bytes.size();
        bytes[at] = char(bytes[at] ^ (1 << random() % 8));
        if (i % 10 == 0)
            for (int more = 0; more < 20; ++more) bytes[random() % bytes.size()] = char(random());
        putBytes(m_path, bytes);
        const auto read = readProject(m_path);
        if (!read) {
            ++refused;
            QCOMPARE(read.error().code, ErrorCode::Unreadable);
        } else {
            if (i % 10 != 0 && m_good[at] != 0) ++unnoticed;
            QVERIFY2(sameContent(*read->snapshot, *m_design), std::to_string(at).c_str());
            QCOMPARE(read->snapshot->revision, m_design->revision);
            QVERIFY(!read->recovery());
        }
        if (i % 20 == 0 && !read) {
            QVERIFY(!ProjectFile::open(m_path));
            QVERIFY(bytesOf(m_path) == bytes);
            QVERIFY(!std::filesystem::exists(m_path.string() + "-wal"));
        }
    }
    // What is read unchanged was hit where nothing is stored: the free space of pages.
    qInfo("1200 damaged files: %d refused, %d read unchanged, of these %d in bytes that are not 0", refused, 1200 - refused, unnoticed);
    QVERIFY(refused > 300);
}

void TestDamage::truncations()
{
    test::Random random{43};
    for (int i = 0; i < 100; ++i) {
        const auto bytes = m_good.substr(0, random() % m_good.size());
        putBytes(m_path, bytes);
        QVERIFY(!readProject(m_path));
        QVERIFY(bytesOf(m_path) == bytes);
    }
}

void TestDamage::bitFlipsInTheLog()
{
    const auto left = leftover(m_path.parent_path());
    putBytes(m_path, left.main);
    test::Random random{44};
    int refused = 0, torn = 0;
    for (int i = 0; i < 400; ++i) {
        std::string log = left.log;
        const std::size_t at = random() % log.size();
        log[at] = char(log[at] ^ (1 << random() % 8));
        putBytes(m_path.string() + "-wal", log);
        const auto read = readProject(m_path);
        if (!read)
            ++refused;
        else if (read->tornTail)
            ++torn; // only the very last commit, and it says so
        if (read && !read->tornTail) QVERIFY(sameContent(*read->snapshot, *left.states.back()));
        if (read && read->tornTail) QVERIFY(isOneOf(*read->snapshot, {left.states[left.states.size() - 2]}));
        QVERIFY(bytesOf(m_path.string() + "-wal") == log && bytesOf(m_path) == left.main);
    }
    qInfo("400 damaged logs: %d refused, %d without the last commit", refused, torn);
    QVERIFY(refused > 200);
    std::filesystem::remove(m_path.string() + "-wal");
}

void TestDamage::truncatedLogs()
{
    const auto left = leftover(m_path.parent_path());
    test::Random random{45};
    putBytes(m_path, left.main);
    for (int i = 0; i < 100; ++i) {
        putBytes(m_path.string() + "-wal", left.log.substr(0, random() % left.log.size()));
        const auto read = readProject(m_path);
        QVERIFY2(read, read ? "" : read.error().text().c_str());
        QVERIFY(isOneOf(*read->snapshot, left.states)); // a power cut: some commit boundary
    }
    std::filesystem::remove(m_path.string() + "-wal");
}

void TestDamage::shuffledPages()
{
    test::Random random{46};
    for (int i = 0; i < 60; ++i) {
        std::string bytes = m_good;
        const std::size_t pages = bytes.size() / 4096, a = 1 + random() % (pages - 1), b = 1 + random() % (pages - 1);
        std::swap_ranges(bytes.begin() + std::ptrdiff_t(a * 4096), bytes.begin() + std::ptrdiff_t((a + 1) * 4096),
                         bytes.begin() + std::ptrdiff_t(b * 4096));
        putBytes(m_path, bytes);
        const auto read = readProject(m_path);
        QVERIFY(!read || sameContent(*read->snapshot, *m_design));
    }
}

QTEST_APPLESS_MAIN(TestDamage)
#include "test_damage.moc"

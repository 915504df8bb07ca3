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

#include <atomic>
#include <csignal>
#include <mutex>
#include <thread>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace hw;
using storage::Database;
using test::bytesOf, test::putBytes, test::folderBytes, test::identical;

class TestStorage : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = std::filesystem::path(m_folder->path().toStdString()) / "project.hall";
    }
    void hashIsXxh64();
    void roundTrip_data();
    void roundTrip();
    void chunkCodecs();
    void journalSurvivesClosing();
    void undoGoesBackToTheSave_data();
    void undoGoesBackToTheSave();
    void historyKeepsToItsLimit();
    void discardGoesBackToTheSave();
    void saveFoldsTheJournal();
    void savesOnlyWhatChanged();
    void readersChangeNothing();
    void secondWriterIsRefused();
    void readsWhileWritten();
    void replacesOnSuccessOnly();
    void orphanedSideFiles();
    void gapInTheJournalIsHealedBySaving();
    void fullDiskLosesNothing();
    void callbacksThatThrow();
    void validationFindsWhatIsWrong();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_path;
};

void TestStorage::hashIsXxh64()
{
    // Test vectors of the xxHash repository's specification and command line tool.
    QCOMPARE(hash64(""), 0xEF46DB3751D8E999ull);
    QCOMPARE(hash64("a"), 0xD24EC4F1A98C6E5Bull);
    QCOMPARE(hash64("abc"), 0x44BC2CF5AD770999ull);
    QCOMPARE(hash64("Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1ull);
}

void TestStorage::roundTrip_data()
{
    QTest::addColumn<int>("servers");
    QTest::addColumn<int>("edits");
    QTest::newRow("empty") << 0 << 0;
    QTest::newRow("small") << 3 << 0;
    QTest::newRow("several chunks") << 1500 << 0;
    QTest::newRow("after edits") << 200 << 60;
}

void TestStorage::roundTrip()
{
    QFETCH(int, servers);
    QFETCH(int, edits);
    Document document(servers == 0 ? std::make_shared<const Snapshot>() : SnapshotPtr(test::makeDesign(servers)));
    test::Random random{1};
    for (int i = 0; i < edits; ++i) test::randomEdit(document, random);
    QVERIFY(!findInconsistency(*document.snapshot()));
    QVERIFY(writeProject(*document.snapshot(), m_path));
    QCOMPARE(folderBytes(m_path.parent_path()).size(), 1u);
    const auto read = readProject(m_path);
    QVERIFY2(read, read ? "" : read.error().text().c_str());
    QVERIFY(identical(*read->snapshot, *document.snapshot()));
    QVERIFY(!read->recovery() && read->saved == read->snapshot);
    QCOMPARE(folderBytes(m_path.parent_path()).size(), 1u);
}

void TestStorage::chunkCodecs()
{
    const SnapshotPtr design = test::makeDesign(1000);
    Document document(design);
    test::Random random{2};
    for (int i = 0; i < 40; ++i) test::randomEdit(document, random);
    const auto tables = document.snapshot()->tables(), old = design->tables();
    for (std::uint16_t t = 0; t < tables.size(); ++t) {
        const auto columns = tables[t]->columnList(), before = old[t]->columnList();
        for (std::uint16_t c = 0; c < columns.size(); ++c) {
            const auto width = columns[c]->valueBytes();
            for (std::uint32_t i = 0; i < columns[c]->chunkCount(); ++i) {
                const auto chunk = columns[c]->chunk(i), was = before[c]->chunk(i);
                const auto packed = storage::packChunk(*columns[c], *chunk, width);
                const auto delta = storage::packDelta(*columns[c], was.get(), *chunk, width);
                const auto again = storage::unpackChunk(*columns[c], packed.codec, packed.data, width);
                const auto patched = delta.empty() ? again : storage::unpackDelta(*columns[c], *was, delta, width);
                QVERIFY(again && patched && again->rows() == chunk->rows() && patched->rows() == chunk->rows());
                for (std::uint32_t row = 0; row < chunk->rows(); ++row)
                    QVERIFY(columns[c]->same(again.get(), chunk.get(), row) && columns[c]->same(patched.get(), chunk.get(), row));
            }
        }
    }
}

void TestStorage::journalSurvivesClosing()
{
    const SnapshotPtr design = test::makeDesign(100);
    Document document(design);
    std::vector<std::uint64_t> durable;
    {
        auto file = ProjectFile::create(m_path, design, {[&](std::uint64_t r) { durable.push_back(r); }, {}, {}});
        QVERIFY2(file, file ? "" : file.error().text().c_str());
        const auto follow = (*file)->follow(document);
        test::Random random{3};
        while (document.snapshot()->revision < 40) test::randomEdit(document, random);
        QVERIFY((*file)->flush());
        QCOMPARE((*file)->durableRevision(), 40u);
        QCOMPARE((*file)->savedRevision(), 1u);
        QVERIFY((*file)->close());
    }
    QCOMPARE(durable.size(), 39u); // each is reported, in order, also those that were written together
    QVERIFY(std::ranges::is_sorted(durable) && durable.front() == 2u && durable.back() == 40u);
    QCOMPARE(folderBytes(m_path.parent_path()).size(), 1u); // one file remains
    const auto read = readProject(m_path);
    QVERIFY2(read, read ? "" : read.error().text().c_str());
    QVERIFY(read->recovery());
    QCOMPARE(read->journal.size(), 39u);
    QCOMPARE(read->journal.back().revision, 40u);
    QVERIFY(!read->recoveryText().empty());
    QVERIFY(identical(*read->snapshot, *document.snapshot()));
    QVERIFY(identical(*read->saved, *design));
}

namespace {

std::vector<std::string> names(const std::deque<UndoHistory::Step>& steps)
{
    std::vector<std::string> result;
    for (const auto& step : steps) result.push_back(step->name);
    return result;
}

/// The text form without the revision, which only goes forward.
std::string textOf(const Snapshot& snapshot, const std::filesystem::path& path)
{
    Snapshot same = snapshot;
    same.revision = 1;
    return exportText(same, path) ? bytesOf(path) : std::string();
}

} // namespace

void TestStorage::undoGoesBackToTheSave_data()
{
    QTest::addColumn<int>("seed");
    for (const int seed : {8, 9, 10, 11}) QTest::newRow(std::to_string(seed).c_str()) << seed;
}

/// A writer is killed among edits, undos and redos after a save; whoever opens the file next can undo and redo what he could.
void TestStorage::undoGoesBackToTheSave()
{
    QFETCH(int, seed);
    Document document(test::makeDesign(60));
    auto file = ProjectFile::create(m_path, document.snapshot());
    const auto follow = (*file)->follow(document);
    test::Random random{std::uint64_t(seed)};
    while (document.snapshot()->revision < 12) test::randomEdit(document, random);
    (*file)->save(document.snapshot());
    const SnapshotPtr saved = document.snapshot();
    document.load(saved); // its history begins at the save
    while (document.snapshot()->revision < 45) test::randomEdit(document, random);
    while (names(document.history().undone()).size() < 3) QVERIFY(document.undo());
    QVERIFY((*file)->flush());
    const auto dead = m_path.parent_path() / "dead.hall", text = m_path.parent_path() / "text";
    putBytes(dead, bytesOf(m_path));
    putBytes(dead.string() + "-wal", bytesOf(m_path.string() + "-wal"));

    for (int round = 0; round < 2; ++round) { // the second reads what the first one wrote
        auto again = ProjectFile::open(dead);
        QVERIFY2(again, again ? "" : again.error().text().c_str());
        const LoadedProject loaded = (*again)->loaded();
        QVERIFY(identical(*loaded.saved, *saved));
        Document reopened(loaded.snapshot, loaded.history);
        QCOMPARE(names(reopened.history().done()), names(document.history().done()));
        QCOMPARE(names(reopened.history().undone()), names(document.history().undone()));
        const auto writes = (*again)->follow(reopened);
        const auto both = [&](bool (Document::*go)()) {
            const bool went = (document.*go)();
            return (reopened.*go)() == went && went;
        };
        const SnapshotPtr was = reopened.snapshot();
        while (both(&Document::redo)) QVERIFY(sameContent(*reopened.snapshot(), *document.snapshot()));
        while (both(&Document::undo)) QVERIFY(sameContent(*reopened.snapshot(), *document.snapshot()));
        QVERIFY(!textOf(*saved, text).empty());
        QCOMPARE(textOf(*reopened.snapshot(), text), textOf(*saved, text));
        for (std::size_t i = loaded.history.done().size(); i > 0; --i) QVERIFY(both(&Document::redo));
        QVERIFY(sameContent(*reopened.snapshot(), *was));
        QVERIFY((*again)->flush());
    }
    const auto read = readProject(dead);
    QVERIFY(read && read->history.done().empty()); // a reader has nothing to undo
}

/// What a reopened file can undo costs no more memory than the same steps did before.
void TestStorage::historyKeepsToItsLimit()
{
    UndoHistory history;
    Document document(test::makeDesign(5));
    for (int i = 0; i < 6; ++i) {
        auto transaction = document.begin("Step " + std::to_string(i));
        transaction->racks.along.set(RackId(0), Millimeters(100 + i));
        history.recall(transaction.commit());
    }
    QCOMPARE(history.done().size(), std::size_t(6));
    history.setLimit(history.done()[3]->bytes() + history.done()[4]->bytes() + history.done()[5]->bytes());
    QCOMPARE(names(history.done()), (std::vector<std::string>{"Step 3", "Step 4", "Step 5"}));
    auto transaction = document.begin("Step 6");
    transaction->racks.along.set(RackId(0), Millimeters(105)); // as before "Step 6", by another name than the step: an edit of its own
    transaction->racks.along.set(RackId(0), Millimeters(104));
    history.recall(transaction.commit());
    QCOMPARE(names(history.done()), (std::vector<std::string>{"Step 4", "Step 5", "Step 6"}));
    QVERIFY(history.undone().empty());
}

void TestStorage::discardGoesBackToTheSave()
{
    const SnapshotPtr design = test::makeDesign(50);
    {
        auto file = ProjectFile::create(m_path, design);
        Document document(design);
        const auto follow = (*file)->follow(document);
        test::Random random{4};
        while (document.snapshot()->revision < 10) test::randomEdit(document, random);
    }
    {
        auto file = ProjectFile::open(m_path);
        QVERIFY(file && (*file)->loaded().recovery());
        (*file)->discardJournal();
        Document document((*file)->loaded().saved);
        const auto follow = (*file)->follow(document);
        auto transaction = document.begin("After");
        transaction->racks.name.set(RackId(0), "after");
        transaction.commit();
        QVERIFY((*file)->flush());
    }
    const auto read = readProject(m_path);
    QVERIFY(read && read->journal.size() == 1 && identical(*read->saved, *design));
    QCOMPARE(read->snapshot->racks.name[RackId(0)], std::string("after"));
}

void TestStorage::saveFoldsTheJournal()
{
    Document document(test::makeDesign(1500));
    auto file = ProjectFile::create(m_path, document.snapshot());
    QVERIFY(file);
    const auto follow = (*file)->follow(document);
    test::Random random{5};
    for (int round = 0; round < 5; ++round) {
        for (int i = 0; i < 15; ++i) test::randomEdit(document, random);
        (*file)->save(document.snapshot());
        QVERIFY((*file)->flush());
        QCOMPARE((*file)->savedRevision(), document.snapshot()->revision);
        const auto read = readProject(m_path); // beside the living writer
        QVERIFY2(read, read ? "" : read.error().text().c_str());
        QVERIFY(!read->recovery() && identical(*read->snapshot, *document.snapshot()));
    }
    while (document.undo()) {}
    (*file)->save(document.snapshot());
    QVERIFY((*file)->close());
    const auto read = readProject(m_path);
    QVERIFY(read && identical(*read->snapshot, *document.snapshot()));
}

void TestStorage::savesOnlyWhatChanged()
{
    QVERIFY(writeProject(*test::makeDesign(3000), m_path));
    auto file = ProjectFile::open(m_path);
    QVERIFY(file);
    Document document((*file)->loaded().snapshot);
    auto transaction = document.begin("One rack");
    transaction->racks.along.set(RackId(0), Millimeters(1));
    transaction.commit();
    (*file)->save(document.snapshot());
    QVERIFY((*file)->close());
    auto database = storage::Database::open(m_path.string(), false);
    QVERIFY(database);
    QVERIFY(*database->integer("SELECT count(*) FROM chunk WHERE revision = 1") > 100);
    QCOMPARE(*database->text("SELECT group_concat(tab || '.' || col) FROM chunk WHERE revision = 2"), std::string("racks.along_mm"));
}

void TestStorage::readersChangeNothing()
{
    Document document(test::makeDesign(50));
    auto file = ProjectFile::create(m_path, document.snapshot());
    const auto follow = (*file)->follow(document);
    test::Random random{6};
    while (document.snapshot()->revision < 8) test::randomEdit(document, random);
    QVERIFY((*file)->flush());
    const auto main = bytesOf(m_path), log = bytesOf(m_path.string() + "-wal");
    QVERIFY(!log.empty());
    const auto dead = m_path.parent_path() / "dead.hall"; // as if its writer had died here
    putBytes(dead, main);
    putBytes(dead.string() + "-wal", log);
    const auto before = folderBytes(m_path.parent_path());
    const auto read = readProject(dead);
    QVERIFY2(read, read ? "" : read.error().text().c_str());
    QVERIFY(read->recovery() && read->writer == 0);
    QVERIFY(identical(*read->snapshot, *document.snapshot()));
    QVERIFY(folderBytes(m_path.parent_path()) == before);

    auto recovered = ProjectFile::open(dead); // a writer carries on
    QVERIFY(recovered && identical(*(*recovered)->loaded().snapshot, *document.snapshot()));
    (*recovered)->save((*recovered)->loaded().snapshot);
    QVERIFY((*recovered)->close());
    QVERIFY(!std::filesystem::exists(dead.string() + "-wal"));
    const auto again = readProject(dead);
    QVERIFY(again && !again->recovery() && identical(*again->snapshot, *document.snapshot()));
}

void TestStorage::secondWriterIsRefused()
{
    const SnapshotPtr design = test::makeDesign(5);
    auto file = ProjectFile::create(m_path, design);
    QVERIFY(file);
    const auto second = ProjectFile::open(m_path);
    QVERIFY(!second && second.error().code == ErrorCode::Unreadable);
    QVERIFY2(second.error().text().find("already open") != std::string::npos, second.error().text().c_str());
    QVERIFY(!writeProject(*design, m_path)); // replacing is writing, too
    const auto read = readProject(m_path);
    QVERIFY(read);
    QCOMPARE(read->writer, long(::getpid()));

    const pid_t child = ::fork(); // another process is reported who has it
    if (child == 0) {
        const auto lock = storage::FileLock::acquire(m_path);
        ::_exit(!lock && words(lock.error().what).find(std::to_string(::getppid())) != std::string::npos ? 0 : 1);
    }
    int status = 1;
    ::waitpid(child, &status, 0);
    QCOMPARE(status, 0);
    QVERIFY((*file)->close());
    QVERIFY(ProjectFile::open(m_path));
}

void TestStorage::readsWhileWritten()
{
    Document document(test::makeDesign(200));
    auto file = ProjectFile::create(m_path, document.snapshot());
    QVERIFY(file);
    std::mutex mutex;
    std::map<std::uint64_t, SnapshotPtr> states{{1, document.snapshot()}};
    const auto record = document.changed.connect([&](const ChangeEvent& e) {
        const std::lock_guard lock(mutex);
        states[e.after->revision] = e.after;
    });
    const auto follow = (*file)->follow(document); // after `record`: a reader may see a commit as soon as it is appended
    std::atomic<bool> stop = false;
    std::atomic<int> reads = 0, wrong = 0;
    std::string problem;
    std::jthread reader([&] {
        while (!stop) {
            const std::uint64_t durable = (*file)->durableRevision();
            const auto read = readProject(m_path);
            ++reads;
            const std::lock_guard lock(mutex);
            if (!read) problem = read.error().text();
            const bool good = read && read->snapshot->revision >= durable && identical(*read->snapshot, *states.at(read->snapshot->revision));
            if (!good) ++wrong;
        }
    });
    test::Random random{7};
    for (int i = 0; i < 300; ++i) {
        test::randomEdit(document, random);
        if (i % 7 == 0) (*file)->save(document.snapshot());
        if (i % 3 == 0) QVERIFY((*file)->flush());
    }
    stop = true;
    reader.join();
    QVERIFY2(wrong == 0, problem.c_str());
    QVERIFY(reads > 5);
}

void TestStorage::replacesOnSuccessOnly()
{
    const SnapshotPtr first = test::makeDesign(50), second = test::makeDesign(70);
    QVERIFY(writeProject(*first, m_path));
    const auto before = folderBytes(m_path.parent_path());
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = writeProject(*second, m_path, {stop.get_token(), {}});
    QVERIFY(!stopped && stopped.error().code == ErrorCode::Canceled);
    QVERIFY(folderBytes(m_path.parent_path()) == before);
    {
        auto file = ProjectFile::open(m_path); // dies with a log beside the file
        Document document((*file)->loaded().snapshot);
        const auto follow = (*file)->follow(document);
        auto t = document.begin("Edit");
        t->racks.name.set(RackId(0), "edited");
        t.commit();
        QVERIFY((*file)->flush());
        const auto main = bytesOf(m_path), log = bytesOf(m_path.string() + "-wal");
        QVERIFY((*file)->close());
        putBytes(m_path, main);
        putBytes(m_path.string() + "-wal", log);
    }
    QVERIFY(writeProject(*second, m_path)); // the old log must not end up in the new file
    QCOMPARE(folderBytes(m_path.parent_path()).size(), 1u);
    const auto read = readProject(m_path);
    QVERIFY(read && identical(*read->snapshot, *second));
}

void TestStorage::orphanedSideFiles()
{
    const SnapshotPtr first = test::makeDesign(50), second = test::makeDesign(70);
    QVERIFY(writeProject(*first, m_path));
    std::string log;
    {
        auto file = ProjectFile::open(m_path);
        Document document((*file)->loaded().snapshot);
        const auto follow = (*file)->follow(document);
        auto t = document.begin("Edit");
        t->racks.name.set(RackId(0), "edited");
        t.commit();
        QVERIFY((*file)->flush());
        log = bytesOf(m_path.string() + "-wal");
    }
    const std::string name = m_path.string();
    const auto orphan = [&] { // a crash left side files, and somebody deleted the project
        std::filesystem::remove(m_path);
        putBytes(name + "-wal", log);
        putBytes(name + "-shm", "index");
        putBytes(name + "-journal", "old pages");
    };
    orphan();
    QVERIFY(writeProject(*second, m_path));
    auto read = readProject(m_path);
    QVERIFY2(read, read ? "" : read.error().text().c_str());
    QVERIFY(!read->recovery() && identical(*read->snapshot, *second));
    QCOMPARE(folderBytes(m_path.parent_path()).size(), 4u);
    QVERIFY(bytesOf(name + "-wal.orphan") == log && bytesOf(name + "-shm.orphan") == "index" && bytesOf(name + "-journal.orphan") == "old pages");

    orphan(); // once more: the first backup stays
    auto created = ProjectFile::create(m_path, first);
    QVERIFY(created && (*created)->close());
    read = readProject(m_path);
    QVERIFY(read && !read->recovery() && identical(*read->snapshot, *first));
    QVERIFY(bytesOf(name + "-wal.orphan") == log && bytesOf(name + "-wal.orphan-2") == log);

    orphan(); // nothing was written: nothing is moved
    const auto before = folderBytes(m_path.parent_path());
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!writeProject(*second, m_path, {stop.get_token(), {}}));
    QVERIFY(folderBytes(m_path.parent_path()) == before);
}

void TestStorage::gapInTheJournalIsHealedBySaving()
{
    Document document(test::makeDesign(20));
    std::atomic<int> failures = 0;
    auto file = ProjectFile::create(m_path, document.snapshot(), {{}, {}, [&](const Error&) { ++failures; }});
    auto lost = document.begin("Not told to the file");
    lost->racks.name.set(RackId(0), "lost");
    lost.commit();
    const auto follow = (*file)->follow(document);
    auto told = document.begin("Told");
    told->racks.name.set(RackId(1), "told");
    told.commit();
    QVERIFY(!(*file)->flush());
    QTRY_VERIFY(failures > 0); // told by the storage thread, maybe a moment after flush
    (*file)->save(document.snapshot());
    QVERIFY((*file)->flush());
    QCOMPARE((*file)->durableRevision(), document.snapshot()->revision);
    QVERIFY((*file)->close());
    const auto read = readProject(m_path);
    QVERIFY(read && identical(*read->snapshot, *document.snapshot()));
}

/// Whom it is told to may fail: the thread that writes goes on, and nothing is done twice.
void TestStorage::callbacksThatThrow()
{
    Document document(test::makeDesign(20));
    std::atomic<int> told = 0;
    const auto throws = [&](const auto&) {
        ++told;
        throw std::runtime_error("nobody listens");
    };
    auto file = ProjectFile::create(m_path, document.snapshot(), {throws, throws, throws});
    QVERIFY(file);
    const auto follow = (*file)->follow(document);
    test::Random random{8};
    for (int i = 0; i < 3; ++i) {
        auto transaction = document.begin("Edit");
        for (const auto id : transaction->ports.ids()) transaction->ports.number.set(id, std::uint16_t(random()));
        transaction.commit();
        QVERIFY((*file)->flush());
    }
    (*file)->save(document.snapshot());
    QVERIFY((*file)->flush());
    QVERIFY(told >= 4);
    QCOMPARE((*file)->savedRevision(), document.snapshot()->revision);
    QVERIFY((*file)->close());
    const auto read = readProject(m_path);
    QVERIFY(read && read->journal.empty() && identical(*read->snapshot, *document.snapshot()));
}

void TestStorage::fullDiskLosesNothing()
{
    std::signal(SIGXFSZ, SIG_IGN);
    Document document(test::makeDesign(2000));
    std::atomic<int> failures = 0;
    auto file = ProjectFile::create(m_path, document.snapshot(), {{}, {}, [&](const Error&) { ++failures; }});
    QVERIFY(file);
    const auto follow = (*file)->follow(document);
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    rlimit small = limit;
    small.rlim_cur = 32 * 1024; // the log cannot take a large commit
    setrlimit(RLIMIT_FSIZE, &small);
    test::Random random{8};
    auto transaction = document.begin("Large");
    for (const auto id : transaction->ports.ids()) transaction->ports.number.set(id, std::uint16_t(random()));
    transaction.commit();
    const auto failed = (*file)->flush();
    const bool told = QTest::qWaitFor([&] { return failures > 0; });
    const auto durable = (*file)->durableRevision();
    const auto meanwhile = readProject(m_path);
    setrlimit(RLIMIT_FSIZE, &limit); // from here on the file tries again by itself
    QVERIFY(!failed);
    QVERIFY(told);
    QCOMPARE(durable, 1u);
    QVERIFY(meanwhile && meanwhile->snapshot->revision == 1);
    auto next = document.begin("Next");
    next->racks.name.set(RackId(0), "next");
    next.commit();
    QVERIFY((*file)->flush());
    QCOMPARE((*file)->durableRevision(), 3u);
    QVERIFY((*file)->close());
    const auto read = readProject(m_path);
    QVERIFY(read && identical(*read->snapshot, *document.snapshot()));
}

void TestStorage::validationFindsWhatIsWrong()
{
    const SnapshotPtr good = test::makeDesign(20);
    QVERIFY(!findInconsistency(*good));
    const auto expect = [&](auto&& spoil, const char* phrase) {
        Snapshot bad = *good;
        spoil(bad);
        const std::string problem = words(findInconsistency(bad).value_or(Text()));
        QVERIFY2(problem.find(phrase) != std::string::npos, problem.c_str());
    };
    expect([](Snapshot& s) { s.racks.row.set(RackId(0), RowId(1000)); }, "racks 0, row");
    expect([](Snapshot& s) { s.racks.erase(RackId(1)); }, "devices");
    expect([](Snapshot& s) { s.devices.rack.set(DeviceId(2), RackId(77)); }, "devices 2, rack");
    expect([](Snapshot& s) { s.ports.role.set(PortId(3), PortRole(99)); }, "ports 3, role");
    expect([](Snapshot& s) { s.ports.restoreCounters(s.ports.nextId(), 1); }, "row count of table ports is wrong");
    expect([](Snapshot& s) { s.ports.restoreCounters(10, s.ports.size()); }, "contains rows beyond its ID range");
    expect([](Snapshot& s) { s.racks.key.extendTo(100); }, "length of column");
    Snapshot refused = *good;
    refused.racks.row.set(RackId(0), RowId(1000));
    QVERIFY(writeProject(refused, m_path)); // the checksums are right; the contents are not
    const auto read = readProject(m_path);
    QVERIFY(!read && read.error().text().find("racks 0, row") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestStorage)
#include "test_storage.moc"

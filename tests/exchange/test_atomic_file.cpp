// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/files/atomic_file.h"
#include "core/foundation/files/csv.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace hw;

/// Counts, and does what the one of the library does.
static int umaskCalls = 0;
extern "C" mode_t umask(mode_t mask) noexcept
{
    ++umaskCalls;
    return mode_t(::syscall(SYS_umask, mask));
}

/// Outputs appear whole or not at all.
class TestAtomicFile : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::filesystem::path path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    static std::string read(const std::filesystem::path& file)
    {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    int files() const { return int(QDir(m_folder.path()).entryList(QDir::Files | QDir::Hidden).size()); }

private slots:
    void init()
    {
        for (const auto& name : QDir(m_folder.path()).entryList(QDir::Files | QDir::Hidden)) QFile::remove(m_folder.filePath(name));
    }

    void writesAndReplaces()
    {
        QVERIFY(writeFile(path("a.csv"), "old").has_value());
        QCOMPARE(read(path("a.csv")), std::string("old"));
        QVERIFY(writeFile(path("a.csv"), std::string(300'000, 'x')).has_value());
        QCOMPARE(read(path("a.csv")).size(), std::size_t(300'000));
        QCOMPARE(files(), 1);
    }

    void keepsTheOldWithoutCommit()
    {
        QVERIFY(writeFile(path("a.csv"), "old").has_value());
        {
            auto file = AtomicFile::create(path("a.csv"));
            QVERIFY(file.has_value());
            QVERIFY(file->write("half").has_value());
            QCOMPARE(files(), 2);
        }
        QCOMPARE(read(path("a.csv")), std::string("old"));
        QCOMPARE(files(), 1);
    }

    void modes()
    {
        const auto mode = [&](const char* name) {
            struct stat status {};
            ::stat(path(name).c_str(), &status);
            return int(status.st_mode & 0777);
        };
        const auto mask = ::umask(022);
        QVERIFY(writeFile(path("new.csv"), "x").has_value());
        QCOMPARE(mode("new.csv"), 0644);
        ::chmod(path("new.csv").c_str(), 0600);
        QVERIFY(writeFile(path("new.csv"), "y").has_value());
        QCOMPARE(mode("new.csv"), 0600);
        ::umask(mask);
    }

    /// The umask is the whole process's: changing it for a moment would open the files that other threads make then.
    void umaskStaysAsItIs()
    {
        const mode_t before = ::umask(027);
        umaskCalls = 0;
        QVERIFY(writeFile(path("masked.csv"), "x").has_value());
        QCOMPARE(umaskCalls, 0);
        struct stat status {};
        QCOMPARE(::stat(path("masked.csv").c_str(), &status), 0);
        QCOMPARE(int(status.st_mode & 0777), 0640);
        ::umask(before);
    }

    void linksStayLinks()
    {
        QVERIFY(writeFile(path("real.csv"), "old").has_value());
        std::filesystem::create_symlink(path("real.csv"), path("link.csv"));
        QVERIFY(writeFile(path("link.csv"), "new").has_value());
        QVERIFY(std::filesystem::is_symlink(path("link.csv")));
        QCOMPARE(read(path("real.csv")), std::string("new"));
    }

    void refusals()
    {
        for (const auto& bad : {path("no/such/folder.csv"), std::filesystem::path(m_folder.path().toStdString()), std::filesystem::path()}) {
            const auto done = writeFile(bad, "x");
            QVERIFY(!done.has_value());
            QCOMPARE(done.error().code, ErrorCode::Unreadable);
        }
        const auto full = writeFile("/dev/full/x", "x");
        QVERIFY(!full.has_value());
    }

    void csvFields()
    {
        std::string out;
        for (const char* field : {"plain", "a,b", "say \"x\"", "two\nlines"}) {
            appendCsv(out, field);
            out += '|';
        }
        QCOMPARE(out, std::string("plain|\"a,b\"|\"say \"\"x\"\"\"|\"two\nlines\"|"));
    }
};

QTEST_GUILESS_MAIN(TestAtomicFile)
#include "test_atomic_file.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// A process is killed at random moments while it edits and saves: 200 times, in four
// chains, each time on the file that the last one left. Reopened, the project is what it was at some revision that is not older
// than the last one that was called durable.
#include "core/foundation/storage/project_file.h"
#include "tests/storage/random_document.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <thread>
#include <vector>

using namespace hw;

namespace {

struct Said {
    std::uint64_t durable = 0;
    bool discarded = false, any = false;
};

/// What the victim said before it died; a line without an end does not count.
Said parse(const QByteArray& output)
{
    Said said;
    for (const auto& line : output.left(output.lastIndexOf('\n') + 1).split('\n')) {
        const auto words = line.split(' ');
        if (words.size() != 2) continue;
        said.any = true;
        if (words[0] == "durable")
            said.durable = words[1].toULongLong();
        else if (words[0] == "discarded")
            said.discarded = true;
    }
    return said;
}

/// Starts the victim and kills it after some milliseconds.
Said runVictim(const QString& path, std::uint64_t seed, bool discard, int after_ms)
{
    QProcess victim;
    victim.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    victim.start(QStringLiteral(HW_BIN_DIR "/storage_victim"), {path, QString::number(seed), discard ? "discard" : "recover"});
    if (!victim.waitForStarted()) qFatal("cannot start storage_victim");
    if (victim.waitForFinished(after_ms)) qFatal("storage_victim ended by itself: %d", victim.exitCode());
    ::kill(pid_t(victim.processId()), SIGKILL);
    victim.waitForFinished();
    return parse(victim.readAllStandardOutput());
}

/// The victim's edits again, until `revision`.
SnapshotPtr replay(const SnapshotPtr& start, std::uint64_t seed, std::uint64_t revision)
{
    Document document(start);
    test::Random random{seed};
    (void)random(); // the victim draws its second generator's seed
    while (document.snapshot()->revision < revision) test::randomEdit(document, random);
    return document.snapshot();
}

struct Chain {
    QString error;
    std::uint64_t commits = 0;
    int recoveries = 0;
};

/// Kills one victim after the other, each on the file that the last one left.
Chain killed(const QString& path, std::uint64_t seedOfAll, int kills)
{
    Chain chain;
    test::Random random{seedOfAll};
    const auto failed = [&](const QString& why) {
        chain.error = why;
        return chain;
    };
    for (int i = 0; i < kills; ++i) {
        if (i % 25 == 0 && !writeProject(*test::makeDesign(40), path.toStdString())) return failed("cannot write");
        const auto before = readProject(path.toStdString());
        if (!before) return failed(QString::fromStdString(before.error().text()));
        const bool discard = i % 5 == 4;
        const std::uint64_t seed = random();
        const Said said = runVictim(path, seed, discard, int(random() % 200));

        const auto after = readProject(path.toStdString());
        if (!after) return failed(QString::fromStdString(after.error().text()));
        if (after->recovery()) ++chain.recoveries;
        if (!said.any && sameContent(*after->snapshot, *before->snapshot)) continue; // killed before it did anything
        const SnapshotPtr start = discard ? before->saved : before->snapshot;
        const std::uint64_t revision = after->snapshot->revision;
        if (revision < said.durable || revision < start->revision)
            return failed(QString("revision %1, durable %2, from %3").arg(revision).arg(said.durable).arg(start->revision));
        if (!sameContent(*after->snapshot, *replay(start, seed, revision))) return failed(QString("other content at revision %1").arg(revision));
        chain.commits += revision - start->revision;
        if (i % 10 == 0) { // a writer cleans up, and loses nothing either
            auto file = ProjectFile::open(path.toStdString());
            if (!file || !(*file)->close()) return failed("cannot open and close");
            if (QFile::exists(path + "-wal") || QFile::exists(path + "-shm")) return failed("not cleaned up");
            const auto cleaned = readProject(path.toStdString());
            if (!cleaned || !sameContent(*cleaned->snapshot, *after->snapshot)) return failed("other content once cleaned up");
        }
    }
    return chain;
}

} // namespace

class TestKill : public QObject {
    Q_OBJECT
private slots:
    void survivesKills();
};

void TestKill::survivesKills()
{
    constexpr int kKills = 200, kChains = 4; // side by side: a victim waits most of its time
    QTemporaryDir folder;
    std::vector<Chain> chains(kChains);
    {
        std::vector<std::jthread> threads;
        for (int k = 0; k < kChains; ++k)
            threads.emplace_back([&, k] {
                chains[std::size_t(k)] = killed(folder.filePath(QString("victim%1.hall").arg(k)), 20 + std::uint64_t(k), kKills / kChains);
            });
    }
    std::uint64_t commits = 0;
    int recoveries = 0;
    for (const Chain& chain : chains) {
        QVERIFY2(chain.error.isEmpty(), qPrintable(chain.error));
        commits += chain.commits, recoveries += chain.recoveries;
    }
    qInfo("%d kills, %llu commits survived, %d recoveries", kKills, static_cast<unsigned long long>(commits), recoveries);
    QVERIFY(commits > 200);
    QVERIFY(recoveries > 20);
}

QTEST_GUILESS_MAIN(TestKill)
#include "test_kill.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// A process is killed at random moments while it edits and saves: 200 times in a row, each time on the
// file that the last one left. Reopened, the project is what it was at some revision that is not older
// than the last one that was called durable.
#include "core/foundation/storage/project_file.h"
#include "tests/storage/random_document.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

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

} // namespace

class TestKill : public QObject {
    Q_OBJECT
private slots:
    void survivesKills();
};

void TestKill::survivesKills()
{
    constexpr int kKills = 200;
    QTemporaryDir folder;
    const QString path = folder.filePath("victim.hall");
    test::Random random{20};
    std::uint64_t commits = 0;
    int recoveries = 0;
    for (int i = 0; i < kKills; ++i) {
        if (i % 25 == 0) QVERIFY(writeProject(*test::makeDesign(40), path.toStdString()));
        const auto before = readProject(path.toStdString());
        QVERIFY2(before, before ? "" : before.error().text().c_str());
        const bool discard = i % 5 == 4;
        const std::uint64_t seed = random();
        const Said said = runVictim(path, seed, discard, int(random() % 200));

        const auto after = readProject(path.toStdString());
        QVERIFY2(after, after ? "" : after.error().text().c_str());
        if (after->recovery()) ++recoveries;
        if (!said.any && sameContent(*after->snapshot, *before->snapshot)) continue; // killed before it did anything
        const SnapshotPtr start = discard ? before->saved : before->snapshot;
        const std::uint64_t revision = after->snapshot->revision;
        QVERIFY2(revision >= said.durable, qPrintable(QString("%1 < %2").arg(revision).arg(said.durable)));
        QVERIFY(revision >= start->revision);
        QVERIFY(sameContent(*after->snapshot, *replay(start, seed, revision)));
        commits += revision - start->revision;
        if (i % 10 == 0) { // a writer cleans up, and loses nothing either
            auto file = ProjectFile::open(path.toStdString());
            QVERIFY(file);
            QVERIFY((*file)->close());
            QVERIFY(!QFile::exists(path + "-wal") && !QFile::exists(path + "-shm"));
            const auto cleaned = readProject(path.toStdString());
            QVERIFY(cleaned && sameContent(*cleaned->snapshot, *after->snapshot));
        }
    }
    qInfo("%d kills, %llu commits survived, %d recoveries", kKills, static_cast<unsigned long long>(commits), recoveries);
    QVERIFY(commits > 200);
    QVERIFY(recoveries > 20);
}

QTEST_GUILESS_MAIN(TestKill)
#include "test_kill.moc"

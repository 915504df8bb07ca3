// SPDX-License-Identifier: GPL-3.0-or-later
// A process that appends is killed again and again: what it appended more than a second before is there, and nothing is there twice.
#include "core/operations/history/store.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <functional>
#include <random>

using namespace hw;

class TestKill : public QObject {
    Q_OBJECT
private slots:
    void losesASecondAtMost();
};

void TestKill::losesASecondAtMost()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("x.telemetry");
    std::vector<std::string> names;
    for (int i = 0; i < 200; ++i) names.push_back("meter/" + std::to_string(i));
    std::mt19937 random(3);
    std::int64_t oldest = 0, worst = 0;
    std::uint64_t samples = 0;
    for (int kill = 0; kill < 12; ++kill) {
        QProcess victim;
        victim.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        victim.start(QStringLiteral(HW_BIN_DIR "/history_victim"), {path});
        QVERIFY(victim.waitForStarted());
        QVERIFY(victim.waitForReadyRead(20'000));
        QTest::qWait(900 + int(random() % 700));
        ::kill(pid_t(victim.processId()), SIGKILL);
        victim.waitForFinished();
        const auto said = victim.readAllStandardOutput();
        const auto lines = said.left(said.lastIndexOf('\n')).split('\n');
        const std::int64_t appended = lines.last().toLongLong();
        if (oldest == 0) oldest = lines.first().toLongLong();

        auto store = history::Store::open(path.toStdString(), {});
        QVERIFY2(store, store ? "" : store.error().text().c_str());
        const auto figures = (*store)->figures();
        worst = std::max(worst, appended - figures.newestMs);
        QVERIFY2(appended - figures.newestMs <= 1000, qPrintable(QString::number(appended - figures.newestMs)));
        QVERIFY(figures.samples > samples);
        const auto read = (*store)->read(names, oldest, appended, 100'000'000);
        QVERIFY(read);
        samples = 0;
        for (const auto& series : *read) {
            samples += series.values.size();
            QVERIFY(std::ranges::adjacent_find(series.timesMs, std::greater_equal<>()) == series.timesMs.end());
            QCOMPARE(series.timesMs.back(), figures.newestMs);
        }
        QCOMPARE(samples, figures.samples);
        // Everything that was said up to the newest is there.
        for (const auto& line : lines)
            if (const std::int64_t time = line.toLongLong(); time <= figures.newestMs) QVERIFY(std::ranges::binary_search((*read)[5].timesMs, time));
    }
    qInfo("%llu samples, maximum %lld ms lost", static_cast<unsigned long long>(samples), static_cast<long long>(worst));
}

QTEST_GUILESS_MAIN(TestKill)
#include "test_kill.moc"

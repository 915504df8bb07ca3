// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are no store, of another version, cut short or damaged are refused and stay as they are; so does one that is being written.
#include "core/operations/history/embedded_store.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

#include <unistd.h>

using namespace hw;
using namespace hw::history;
using namespace std::chrono_literals;

namespace {

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

const std::vector<bindings::ChannelText> kChannels{{"a", {}, {}}, {"b", {}, {}}};

void fill(Store& store, int count)
{
    std::vector<bindings::Sample> samples;
    for (int i = 0; i < count; ++i) samples.push_back({bindings::ChannelNo(i % 2), 1'700'000'000'000 + i * 10, std::sqrt(i), true});
    store.append(samples, kChannels);
    QVERIFY(store.flush());
}

} // namespace

class TestDamage : public QObject {
    Q_OBJECT
private slots:
    void init();
    void refused_data();
    void refused();
    void secondWriter();
    void damagedRows();
    void nowhere();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
    void refusedWith(const QString& what);
};

void TestDamage::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath("x.telemetry");
    auto store = EmbeddedStore::open(m_path.toStdString(), {}, {1ms, 600s, 100, 100'000});
    fill(**store, 20'000);
}

void TestDamage::refusedWith(const QString& what)
{
    const auto before = bytesOf(m_path);
    const auto opened = Store::open(m_path.toStdString(), {});
    QVERIFY(!opened);
    QCOMPARE(opened.error().code, ErrorCode::Unreadable);
    QVERIFY2(QString::fromStdString(opened.error().text()).contains(what), opened.error().text().c_str());
    QVERIFY(opened.error().where == m_path.toStdString());
    QVERIFY(bytesOf(m_path) == before);
}

void TestDamage::refused_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<int>("at"); ///< byte that is changed; -1: all; -2: cut short
    QTest::addColumn<QString>("said");
    QTest::newRow("some text") << "hello" << -1 << "not a Hallwright telemetry store";
    QTest::newRow("another SQLite file") << "x" << 68 << "not a Hallwright telemetry store";
    QTest::newRow("a newer form") << "\x7f" << 63 << "written by a newer version (format 127)";
    QTest::newRow("cut short") << "" << -2 << "truncated";
    QTest::newRow("damaged schema") << QString(200, 'x') << 16200 << "";
}

void TestDamage::refused()
{
    QFETCH(QString, what);
    QFETCH(int, at);
    QFETCH(QString, said);
    auto bytes = bytesOf(m_path);
    if (at == -1)
        bytes = what.toLatin1();
    else if (at == -2)
        bytes.truncate(bytes.size() - 20'000);
    else
        bytes.replace(at, what.size(), what.toLatin1());
    write(m_path, bytes);
    refusedWith(said);
}

void TestDamage::secondWriter()
{
    auto first = Store::open(m_path.toStdString(), {});
    QVERIFY(first);
    const auto second = Store::open(m_path.toStdString(), {});
    QVERIFY(!second);
    QVERIFY2(second.error().text().find("already open for writing") != std::string::npos, second.error().text().c_str());
    fill(**first, 100); // all there: nothing is twice
    QCOMPARE((*first)->figures().duplicate, std::uint64_t(100));
    first->reset();
    QVERIFY(Store::open(m_path.toStdString(), {}));
}

/// Bytes inside rows: reading says so and names the file, or gives what was there.
void TestDamage::damagedRows()
{
    const auto whole = bytesOf(m_path);
    const std::vector<std::string> names{"a", "b"};
    int said = 0;
    for (int at = 30'000; at < whole.size() - 100; at += whole.size() / 40) {
        auto bytes = whole;
        bytes.replace(at, 40, QByteArray(40, '\x55'));
        write(m_path, bytes);
        auto store = Store::open(m_path.toStdString(), {});
        if (!store) {
            ++said;
            continue;
        }
        const auto read = (*store)->read(names, 0, 2'000'000'000'000, 1'000'000);
        if (!read) {
            ++said;
            QVERIFY(read.error().where == m_path.toStdString());
            continue;
        }
        for (const auto& series : *read)
            for (std::size_t i = 0; i < series.values.size(); ++i)
                QCOMPARE(series.values[i], std::sqrt(double(series.timesMs[i] - 1'700'000'000'000) / 10));
    }
    QVERIFY(said > 5);
}

void TestDamage::nowhere()
{
    const auto opened = Store::open(m_folder->filePath("no/such/folder/x.telemetry").toStdString(), {});
    QVERIFY(!opened && opened.error().code == ErrorCode::Unreadable);
    QFile::setPermissions(m_path, QFile::ReadOwner);
    if (::geteuid() != 0) QVERIFY(!Store::open(m_path.toStdString(), {}));
}

QTEST_GUILESS_MAIN(TestDamage)
#include "test_damage.moc"

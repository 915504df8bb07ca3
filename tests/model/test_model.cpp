// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/model/document.h"
#include "core/foundation/model/find_network.h"
#include "core/foundation/model/fingerprint.h"
#include "tests/storage/random_document.h"

#include <QTest>

#include <atomic>
#include <map>
#include <thread>

using namespace hw;

namespace {

/// Every living row as text: independent of chunks, pointers and changesets.
std::map<std::string, std::string> rowsOf(const Snapshot& snapshot)
{
    std::map<std::string, std::string> rows;
    for (const auto* table : snapshot.tables())
        for (std::uint32_t row = 0; row < table->nextId(); ++row) {
            if (!table->alive(row)) continue;
            std::string line;
            for (const auto* column : table->columnList()) line += column->rowText(row) + '|';
            rows[std::string(table->name()) + "#" + std::to_string(row)] = line;
        }
    return rows;
}

} // namespace

class TestModel : public QObject {
    Q_OBJECT
private slots:
    void undoAllAndRedoAll_data();
    void undoAllAndRedoAll();
    void snapshotsStayAsTheyWere();
    void changesetsNameTheRows();
    void rollsBackWithoutCommit();
    void emptyTransactionPublishesNothing();
    void idsAreNeverReused();
    void undoMemoryIsBounded();
    void sameContentSeesEveryDifference();
    void fingerprintIsTheContent();
    void fingerprintFollowsEveryEdit();
    void rowsCrossChunkBorders();
    void networksAreFoundByNameKeyAndKind();
    void oldSnapshotsCanBeReadWhileWriting();
};

void TestModel::undoAllAndRedoAll_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 1; seed <= 8; ++seed) QTest::addRow("seed %d", seed) << seed;
}

void TestModel::undoAllAndRedoAll()
{
    QFETCH(int, seed);
    test::Random random{std::uint64_t(seed)};
    const SnapshotPtr start = test::makeDesign(500);
    Document document(start);
    document.setUndoLimit(std::size_t(4) << 30);
    for (int i = 0; i < 120; ++i) test::randomEdit(document, random);
    while (document.redo()) {}
    const SnapshotPtr end = document.snapshot();
    const auto startRows = rowsOf(*start), endRows = rowsOf(*end);
    QVERIFY(startRows != endRows);

    std::uint64_t revision = end->revision;
    while (document.undo()) QCOMPARE(document.snapshot()->revision, ++revision);
    QVERIFY(sameContent(*document.snapshot(), *start));
    QVERIFY(rowsOf(*document.snapshot()) == startRows);
    while (document.redo()) {}
    QVERIFY(sameContent(*document.snapshot(), *end));
    QVERIFY(rowsOf(*document.snapshot()) == endRows);
}

void TestModel::snapshotsStayAsTheyWere()
{
    test::Random random{7};
    Document document(test::makeDesign(300));
    std::vector<std::pair<SnapshotPtr, std::map<std::string, std::string>>> kept;
    for (int i = 0; i < 60; ++i) {
        if (i % 10 == 0) kept.emplace_back(document.snapshot(), rowsOf(*document.snapshot()));
        test::randomEdit(document, random);
    }
    for (const auto& [snapshot, rows] : kept) QVERIFY(rowsOf(*snapshot) == rows);
}

void TestModel::changesetsNameTheRows()
{
    test::Random random{11};
    Document document(test::makeDesign(300));
    const auto connection = document.changed.connect([&](const ChangeEvent& event) {
        const auto before = rowsOf(*event.before), after = rowsOf(*event.after);
        event.after->eachTable([&]<class T>(const T& t) {
            const TableBase* table = &t;
            const auto rows = event.changes->rows<T>();
            std::map<std::string, std::string> expected;
            const auto key = [&](std::uint32_t row) { return std::string(table->name()) + "#" + std::to_string(row); };
            for (const auto row : rows.inserted) QVERIFY(!before.contains(key(row)) && after.contains(key(row)));
            for (const auto row : rows.erased) QVERIFY(before.contains(key(row)) && !after.contains(key(row)));
            std::size_t updated = 0;
            for (std::uint32_t row = 0; row < table->nextId(); ++row)
                if (before.contains(key(row)) && after.contains(key(row)) && before.at(key(row)) != after.at(key(row))) ++updated;
            QCOMPARE(rows.updated.size(), updated);
            QCOMPARE(rows.empty(), !event.changes->touches<T>());
        });
    });
    for (int i = 0; i < 25; ++i) test::randomEdit(document, random);
}

void TestModel::rollsBackWithoutCommit()
{
    Document document(test::makeDesign(10));
    const SnapshotPtr before = document.snapshot();
    {
        auto transaction = document.begin("Forgotten");
        transaction->racks.erase(RackId(0));
        transaction->devices.name.set(DeviceId(0), "other");
        QVERIFY(transaction.preview()->devices.name[DeviceId(0)] == "other");
    }
    QCOMPARE(document.snapshot().get(), before.get());
    QVERIFY(!document.canUndo());
    QVERIFY(before->devices.name[DeviceId(0)] != "other");
}

void TestModel::emptyTransactionPublishesNothing()
{
    Document document(test::makeDesign(10));
    int events = 0;
    const auto connection = document.changed.connect([&](const ChangeEvent&) { ++events; });
    QVERIFY(document.begin("Nothing").commit()->empty());
    QCOMPARE(events, 0);
    QVERIFY(!document.canUndo());
}

/// Erased rows keep their id; what is undone was never given out.
void TestModel::idsAreNeverReused()
{
    Document document(test::makeDesign(10));
    auto first = document.begin("Add");
    const RackId id = first->racks.insert();
    first.commit();
    auto gone = document.begin("Erase");
    gone->racks.erase(id);
    gone.commit();
    auto second = document.begin("Add another");
    const RackId other = second->racks.insert();
    QVERIFY(other > id);
    second.commit();
    const auto next = document.snapshot()->racks.nextId();
    for (int i = 0; i < 3; ++i) document.undo();
    QVERIFY(!document.snapshot()->racks.contains(id));
    QCOMPARE(document.snapshot()->racks.nextId(), id.value);
    for (int i = 0; i < 3; ++i) document.redo();
    QVERIFY(document.snapshot()->racks.contains(other));
    QCOMPARE(document.snapshot()->racks.nextId(), next);
}

void TestModel::undoMemoryIsBounded()
{
    Document document(test::makeDesign(2000));
    document.setUndoLimit(std::size_t(1) << 20);
    for (int i = 0; i < 50; ++i) {
        auto transaction = document.begin("All");
        for (const auto id : transaction->cables.ids()) transaction->cables.length.set(id, Millimeters(i + 1));
        transaction.commit();
    }
    std::size_t steps = 0;
    while (document.undo()) ++steps;
    QVERIFY(steps >= 1 && steps < 50);
}

/// Any other value than the row has; words of enums are numbers, too.
static bool giveAnotherValue(ColumnBase& column, std::uint32_t row)
{
    const std::string before = column.rowText(row);
    return column.setRowText(row, "1") && (column.rowText(row) != before || column.setRowText(row, "2"));
}

void TestModel::sameContentSeesEveryDifference()
{
    const SnapshotPtr a = test::makeDesign(20), b = test::makeDesign(20);
    QVERIFY(sameContent(*a, *b));
    const auto tables = a->tables();
    for (std::size_t t = 0; t < tables.size(); ++t) {
        if (static_cast<const TableBase*>(tables[t])->size() == 0) continue;
        for (std::size_t c = 1; c < tables[t]->columnList().size(); ++c) {
            Snapshot changed = *b;
            auto& column = *changed.tables()[t]->columnList()[c];
            QVERIFY(giveAnotherValue(column, 0));
            QVERIFY2(!sameContent(*a, changed), column.name().data());
        }
    }
    Snapshot erased = *b;
    erased.racks.erase(RackId(1));
    QVERIFY(!sameContent(*a, erased));
}

/// One number for the same content, made at another time, under another revision and name; another one for every other value.
void TestModel::fingerprintIsTheContent()
{
    const SnapshotPtr a = test::makeDesign(20), b = test::makeDesign(20);
    QCOMPARE(designFingerprint(*a), designFingerprint(*b));
    QCOMPARE(fingerprintText(0x0123456789abcdefull), std::string("0123456789abcdef"));
    Snapshot renamed = *b;
    renamed.revision = 99;
    renamed.putSetting("project.name", "Another");
    renamed.racks.name.set(RackId(0), "Another");
    QCOMPARE(designFingerprint(renamed), designFingerprint(*a));
    const auto tables = a->tables();
    for (std::size_t t = 0; t < tables.size(); ++t) {
        if (tables[t]->empty() || tables[t] == &a->waivers) continue;
        for (std::size_t c = 1; c < tables[t]->columnList().size(); ++c) {
            Snapshot changed = *b;
            auto& column = *changed.tables()[t]->columnList()[c];
            const bool forPeople = column.name() == "name" || column.name() == "label" || column.name() == "color" || column.name() == "overridden";
            std::uint32_t row = 0;
            while (tables[t] == &a->settings && a->settings.key[SettingId(row)] == "project.name") ++row;
            QVERIFY(giveAnotherValue(column, row));
            QVERIFY2((designFingerprint(changed) == designFingerprint(*a)) == forPeople,
                     (std::string(tables[t]->name()) + "." + std::string(column.name())).c_str());
        }
    }
    Snapshot erased = *b;
    erased.racks.erase(RackId(1));
    QVERIFY(designFingerprint(erased) != designFingerprint(*a));
}

/// Along random edits, undo and redo the fingerprint is that of a snapshot made again row by row, and the cache finds the same.
void TestModel::fingerprintFollowsEveryEdit()
{
    test::Random random{5};
    Document document(test::makeDesign(300));
    std::map<std::string, std::uint64_t> ofContent;
    FingerprintCache cache;
    for (int i = 0; i < 150; ++i) {
        std::string text;
        for (auto& [key, row] : rowsOf(*document.snapshot())) text += key + row;
        Snapshot anew;
        const auto from = document.snapshot()->tables();
        const auto to = anew.tables();
        for (std::size_t t = 0; t < from.size(); ++t)
            for (std::uint32_t row = 0; row < from[t]->nextId(); ++row) {
                if (!from[t]->alive(row)) continue;
                QVERIFY(to[t]->insertAt(row));
                for (std::size_t c = 1; c < from[t]->columnList().size(); ++c)
                    QVERIFY(to[t]->columnList()[c]->setRowText(row, from[t]->columnList()[c]->rowText(row)));
            }
        QCOMPARE(designFingerprint(*document.snapshot()), designFingerprint(anew));
        QCOMPARE(cache.of(document.snapshot()), designFingerprint(anew));
        const auto [known, isNew] = ofContent.emplace(text, designFingerprint(anew));
        QCOMPARE(known->second, designFingerprint(anew));
        test::randomEdit(document, random);
    }
}

void TestModel::networksAreFoundByNameKeyAndKind()
{
    Snapshot s;
    const auto add = [&](const char* name, const char* key, NetworkKind kind) {
        const NetworkId id = s.networks.insert();
        s.networks.name.set(id, name);
        s.networks.key.set(id, key);
        s.networks.kind.set(id, kind);
        return id;
    };
    const NetworkId compute = add("compute", "", NetworkKind::Backend), front = add("entry", "frontend", NetworkKind::Frontend);
    QVERIFY(findNetwork(s, "compute") == compute);
    QVERIFY(findNetwork(s, "backend") == compute); // the only one of this kind
    QVERIFY(findNetwork(s, "frontend") == front && findNetwork(s, "entry") == front);
    QVERIFY(!findNetwork(s, "") && !findNetwork(s, "storage") && !findNetwork(s, "comp"));
    const NetworkId second = add("training", "", NetworkKind::Backend);
    QVERIFY(!findNetwork(s, "backend")); // which of the two?
    const NetworkId named = add("frontend", "", NetworkKind::Storage);
    QVERIFY(findNetwork(s, "frontend") == named); // a name counts before a key
    QVERIFY(findNetwork(s, "training") == second);
    QCOMPARE(networkNames(s), (std::vector<std::string>{"compute", "entry", "training", "frontend"}));
}

void TestModel::rowsCrossChunkBorders()
{
    Document document;
    auto grow = document.begin("Grow");
    for (std::uint32_t i = 0; i < 3 * kChunkRows + 1; ++i) {
        const auto id = grow->settings.insert();
        grow->settings.key.set(id, std::to_string(i));
    }
    grow.commit();
    QCOMPARE(document.snapshot()->settings.key.chunkCount(), 4u);
    document.undo();
    QCOMPARE(document.snapshot()->settings.key.chunkCount(), 0u);
    document.redo();
    QCOMPARE(document.snapshot()->settings.key[SettingId(3 * kChunkRows)], std::to_string(3 * kChunkRows));
    document.undo();
    auto again = document.begin("dditional server"); // as if the others had never been
    const auto id = again->settings.insert();
    again.commit();
    QCOMPARE(id.value, 0u);
    QCOMPARE(document.snapshot()->settings.key.chunkCount(), 1u);
    QVERIFY(document.snapshot()->settings.contains(id) && !document.snapshot()->settings.contains(SettingId(5)));
}

void TestModel::oldSnapshotsCanBeReadWhileWriting()
{
    test::Random random{3};
    Document document(test::makeDesign(300));
    const SnapshotPtr old = document.snapshot();
    const auto rows = rowsOf(*old);
    std::atomic<bool> stop = false, good = true;
    std::jthread reader([&] {
        while (!stop)
            if (rowsOf(*old) != rows) good = false;
    });
    for (int i = 0; i < 300; ++i) test::randomEdit(document, random);
    stop = true;
    reader.join();
    QVERIFY(good);
}

QTEST_APPLESS_MAIN(TestModel)
#include "test_model.moc"

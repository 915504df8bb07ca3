// SPDX-License-Identifier: GPL-3.0-or-later
// One table more than the product has (list.h, tables.h): all that works on any table works on it.
#include "core/design/merge/merge.h"
#include "core/foundation/catalog/catalog.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/document.h"
#include "core/foundation/model/outline.h"
#include "core/foundation/storage/project_file.h"
#include "core/foundation/storage/text_form.h"
#include "core/foundation/storage/validate.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

using namespace hw;

namespace {

/// A small design as the product writes it, which knows nothing of the further table.
SnapshotPtr torus(int columns = 3, int width = 3)
{
    static std::map<std::pair<int, int>, SnapshotPtr> made;
    SnapshotPtr& design = made[{columns, width}];
    if (design) return design;
    QTemporaryDir folder;
    const QString file = folder.filePath("torus.hall");
    QStringList arguments{"new", HW_EXAMPLES "/torus.yaml", "-o", file};
    for (const QString& value :
         {QString("columns=%1").arg(columns), QString("rows=2"), QString("leaves=1"), QString("hosts=2"), QString("width=%1").arg(width)})
        arguments << "--set" << value;
    if (QProcess::execute(HW_BIN_DIR "/hallwright-cli", arguments) != 0) qFatal("hallwright-cli new did not work");
    const auto read = readProject(file.toStdString());
    if (!read) qFatal("%s", read.error().text().c_str());
    return design = read->snapshot;
}

/// What the program does when parameters change.
Result<MergeReport> mergeInto(Transaction& transaction, const SnapshotPtr& theirs)
{
    return mergeDesign(*transaction, *theirs, [] { return torus(); });
}

std::string textOf(const Snapshot& snapshot, const std::filesystem::path& path)
{
    if (!exportText(snapshot, path)) qFatal("cannot write %s", path.c_str());
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    std::string all = text.str();
    return all.substr(all.find("\n\n")); // without the revision
}

} // namespace

class TestOneMoreTable : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::filesystem::path path(const char* name) const { return m_folder.filePath(name).toStdString(); }

    /// A sensor by hand on the first rack, and one that a template could have made on the last.
    static std::pair<SensorId, SensorId> addTwo(Document& document)
    {
        auto tx = document.begin("Add sensors");
        const auto racks = tx->racks.ids();
        const SensorId own = tx->sensors.insert(), given = tx->sensors.insert();
        tx->sensors.name.set(own, "leak-under-row");
        tx->sensors.kind.set(own, SensorKind::Leak);
        tx->sensors.rack.set(own, racks.front());
        tx->sensors.name.set(given, "inlet-9");
        tx->sensors.key.set(given, "sensor/n=8");
        tx->sensors.rack.set(given, racks.back());
        tx->sensors.x.set(given, Millimeters(300));
        tx->sensors.y.set(given, Millimeters(1800));
        tx.commit();
        return {own, given};
    }

private slots:
    void isAnEntity()
    {
        Document document(torus());
        const auto [own, given] = addTwo(document);
        const Snapshot& s = *document.snapshot();
        const auto parts = ProjectParts::of(s.partTypes);
        QVERIFY(parts.has_value());
        QCOMPARE(s.sensors.period[own], 60); // of the traits
        QCOMPARE(ref(own).kind, EntityKind::Sensor);
        QVERIFY(living(s, ref(own)));
        QVERIFY(!living(s, EntityRef{EntityKind::Sensor, 99}));
        QCOMPARE(entityName(s, **parts, ref(own)), std::string("leak-under-row"));
        QVERIFY(findEntity(s, **parts, "leak-under-row") == ref(own));
        QVERIFY(findEntity(s, **parts, "sensor/n=8") == ref(given));
        const auto hits = searchEntities(s, "LEAK", 5);
        QVERIFY(std::ranges::find(hits, ref(own)) != hits.end());
        const auto chain = ancestry(s, ref(own));
        QCOMPARE(chain.size(), std::size_t(5)); // building, hall, row, rack, sensor
        QCOMPARE(chain[3], ref(s.racks.ids().front()));
        QVERIFY(std::ranges::count(Outline(s).children(chain[3]), ref(own)) == 1); // what the tree shows
    }

    void isUndone()
    {
        Document document(torus());
        const SnapshotPtr start = document.snapshot();
        const std::string before = textOf(*start, path("before.txt"));
        addTwo(document);
        const std::string after = textOf(*document.snapshot(), path("after.txt"));
        QVERIFY(before != after);
        const auto changes = difference(*start, *document.snapshot(), "");
        QVERIFY(changes.touches(&Sensors::kind) && changes.touches<Sensors>() && !changes.touches<Racks>());
        QCOMPARE(changes.rows<Sensors>().inserted.size(), std::size_t(2));
        QVERIFY(document.undo());
        QCOMPARE(textOf(*document.snapshot(), path("undone.txt")), before);
        QVERIFY(document.redo());
        QCOMPARE(textOf(*document.snapshot(), path("redone.txt")), after);
    }

    void isStored()
    {
        Document document(torus());
        const auto file = path("stored.hall");
        {
            const auto created = ProjectFile::create(file, document.snapshot());
            QVERIFY(created.has_value());
            const auto connection = (*created)->follow(document);
            addTwo(document); // journaled, not saved
        }
        const auto read = readProject(file);
        QVERIFY(read.has_value());
        QVERIFY(sameContent(*read->snapshot, *document.snapshot()));
        QVERIFY(writeProject(*document.snapshot(), path("whole.hall")).has_value());
        const auto whole = readProject(path("whole.hall"));
        QVERIFY(whole.has_value() && sameContent(*whole->snapshot, *document.snapshot()));
    }

    /// Files that were written without the table have none of its rows.
    void filesWithoutItOpen()
    {
        const auto file = path("format-2.hall");
        QVERIFY(QFile::copy(HW_TEST_DATA "/format-2.hall", QString::fromStdString(file.string())));
        const auto read = readProject(file);
        QVERIFY(read.has_value());
        QVERIFY(read->snapshot->sensors.empty() && !read->snapshot->racks.empty());
        const auto text = importText(HW_TEST_DATA "/format-2.txt");
        QVERIFY(text.has_value() && (*text)->sensors.empty());
    }

    void isExportedInWords()
    {
        Document document(torus());
        addTwo(document);
        const std::string text = textOf(*document.snapshot(), path("words.txt"));
        QVERIFY(text.find("table sensors next_id "
                          "2\nid\tkey\tname\track\tkind\tx_mm\ty_mm\tperiod_s\toverridden\n0\t\tleak-under-row\t0\tleak\t0\t0\t60\t0\n") !=
                std::string::npos);
        const auto read = importText(path("words.txt"));
        QVERIFY(read.has_value() && sameContent(**read, *document.snapshot()));
        std::string wrong = "hallwright text 3\nrevision 1" + text;
        wrong.replace(wrong.find("\tleak\t"), 6, "\tsmoke\t");
        std::ofstream(path("wrong.txt")) << wrong;
        const auto refused = importText(path("wrong.txt"));
        QVERIFY(!refused.has_value());
        QVERIFY2(refused.error().text().find("'smoke' is not a valid value for kind") != std::string::npos, refused.error().text().c_str());
    }

    void isValidated()
    {
        Document document(torus());
        const auto [own, given] = addTwo(document);
        QVERIFY(!findInconsistency(*document.snapshot()));
        Snapshot broken(*document.snapshot());
        broken.sensors.kind.set(own, SensorKind(7));
        QCOMPARE(words(findInconsistency(broken).value_or(Text())), std::string("sensors 0, kind: 7 is not a valid value"));
        Snapshot dangling(*document.snapshot());
        dangling.racks.erase(dangling.sensors.rack[given]);
        QVERIFY(findInconsistency(dangling).has_value());
    }

    /// A regeneration keeps what was made by hand and takes away what the template no longer gives.
    void isMerged()
    {
        Document document(torus());
        const auto [own, given] = addTwo(document);
        auto tx = document.begin("Wider");
        const auto report = mergeInto(tx, torus(3, 4));
        QVERIFY(report.has_value());
        tx.commit();
        const Snapshot& s = *document.snapshot();
        QVERIFY(s.sensors.contains(own) && !s.sensors.contains(given));
        QCOMPARE(s.sensors.name[own], std::string("leak-under-row"));
        QVERIFY(!findInconsistency(s));
    }

    /// What stands on a rack that a regeneration takes away goes with it, and is named.
    void goesWithItsParent()
    {
        Document document(torus());
        const auto racks = document.snapshot()->racks.ids();
        {
            auto tx = document.begin("Add");
            for (const RackId rack : racks) {
                const SensorId id = tx->sensors.insert();
                tx->sensors.name.set(id, "s-" + tx->racks.name[rack]);
                tx->sensors.rack.set(id, rack);
            }
            tx.commit();
        }
        auto tx = document.begin("Smaller");
        const auto report = mergeInto(tx, torus(2));
        QVERIFY(report.has_value());
        tx.commit();
        const Snapshot& s = *document.snapshot();
        QVERIFY(s.racks.size() < racks.size());
        QCOMPARE(s.sensors.size(), s.racks.size());
        QVERIFY(!findInconsistency(s));
        QVERIFY(!report->notKept.empty());
    }
};

QTEST_GUILESS_MAIN(TestOneMoreTable)
#include "test_one_more_table.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/listing/entity_list.h"
#include "core/design/listing/natural_order.h"
#include "tests/edit/desk.h"

#include <sstream>

using namespace hw;
using namespace hw::test;

namespace {

/// A generated pod with hosts, switches, cables, power and cooling.
FiguresPtr smallDesign()
{
    static const FiguresPtr made = [] {
        static Desk desk;
        build(desk);
        return *figuresOf(desk.document.snapshot());
    }();
    return made;
}

} // namespace

class TestListing : public QObject {
    Q_OBJECT
private slots:
    void namesAreOrderedAsPeopleCount()
    {
        QVERIFY(naturallyBefore("rack-2", "rack-10"));
        QVERIFY(!naturallyBefore("rack-10", "rack-2"));
        QVERIFY(naturallyBefore("rack-02", "rack-10"));
        QVERIFY(naturallyBefore("Rack-9", "rack-10"));
        QVERIFY(naturallyBefore("a", "a1"));
        QVERIFY(naturallyBefore("", "a"));
        QVERIFY(!naturallyBefore("a", "a"));
        // a strict order over everything: no two are each before the other, and equal ones only where the texts are equal
        const std::vector<std::string> all{
            "", "1", "01", "001", "1a", "a1", "a01", "A1", "a1b2", "a1b10", "a10b1", "B", "b", "99999999999999999999999", "é"};
        for (const auto& a : all)
            for (const auto& b : all) {
                QVERIFY(!(naturallyBefore(a, b) && naturallyBefore(b, a)));
                QVERIFY(a == b || naturallyBefore(a, b) || naturallyBefore(b, a));
            }
    }

    void everyKindIsListedWhole()
    {
        for (const EntityKind kind : EntityList::kinds()) {
            const EntityList list(smallDesign(), kind);
            const auto rows = list.rows({});
            QVERIFY(rows);
            QCOMPARE(rows->size(), EntityList::count(*smallDesign()->snapshot, kind));
            std::set<std::string> keys;
            for (const ListColumn& column : list.columns()) {
                QVERIFY2(keys.insert(column.key).second, qPrintable(QString::fromStdString(edit::kindWord(kind) + ": " + column.key)));
                QVERIFY(list.column(column.key));
            }
            for (const std::uint32_t row : *rows)
                for (std::size_t at = 0; at < list.columns().size(); ++at) (void)list.text(row, at); // none throws
        }
    }

    void cellsSayWhatTheDesignHas()
    {
        const Snapshot& s = *smallDesign()->snapshot;
        const EntityList list(smallDesign(), EntityKind::Device);
        const auto name = *list.column("name"), load = *list.column("load"), tier = *list.column("tier"), segment = *list.column("segment");
        s.devices.forEach([&](DeviceId id) {
            QCOMPARE(list.text(id.value, name), s.devices.name[id]);
            QCOMPARE(list.number(id.value, load), double(smallDesign()->power->device(id).at(powerBasisOf(s)).count()));
            QCOMPARE(list.text(id.value, tier), s.tiers.name[s.devices.tier[id]]);
            const int raw = s.devices.segment[id]; // people count from 1
            QCOMPARE(list.text(id.value, segment), raw < 0 ? std::string() : std::to_string(raw + 1));
        });
    }

    void filtersAgreeWithAScan()
    {
        const Snapshot& s = *smallDesign()->snapshot;
        const EntityList list(smallDesign(), EntityKind::Device);
        const auto rowsOf = [&](const char* filter) {
            const auto filters = readFilters(list, filter);
            if (!filters) qFatal("%s", filters.error().text().c_str());
            return *list.rows({.filters = *filters});
        };
        const auto brute = [&](auto&& holds) {
            std::vector<std::uint32_t> rows;
            s.devices.forEach([&](DeviceId id) {
                if (holds(id)) rows.push_back(id.value);
            });
            return rows;
        };
        const auto watts = [&](DeviceId id) { return double(smallDesign()->power->device(id).at(powerBasisOf(s)).count()) / 1000; };
        QCOMPARE(rowsOf("load>1 kW"), brute([&](DeviceId id) { return watts(id) > 1000; }));
        QCOMPARE(rowsOf("load<=1000 W"), brute([&](DeviceId id) { return watts(id) <= 1000; }));
        QCOMPARE(rowsOf("role=backup"), brute([&](DeviceId id) { return s.devices.role[id] == DeviceRole::Backup; }));
        QCOMPARE(rowsOf("ROLE!=Backup"), brute([&](DeviceId id) { return s.devices.role[id] != DeviceRole::Backup; }));
        QCOMPARE(rowsOf("role!=backup; load > 1 kW"),
                 brute([&](DeviceId id) { return s.devices.role[id] != DeviceRole::Backup && watts(id) > 1000; }));
        const std::string first = s.devices.name[s.devices.ids().front()];
        QCOMPARE(rowsOf(("name=" + first).c_str()), (std::vector<std::uint32_t>{s.devices.ids().front().value}));
        QVERIFY(!rowsOf(first.substr(0, 3).c_str()).empty());
        QCOMPARE(rowsOf("").size(), s.devices.ids().size());
        QCOMPARE(rowsOf("serial=").size(), s.devices.ids().size()); // nobody has entered one
    }

    void wrongFiltersAreRefusedWithARemedy()
    {
        const EntityList list(smallDesign(), EntityKind::Rack);
        for (const auto& [filter, says] : std::vector<std::pair<const char*, const char*>>{{"nothing=1", "choose from"},
                                                                                           {"load>30", "specify a unit"},
                                                                                           {"load>30 furlongs", "units:"},
                                                                                           {"load>much", "is not a number"},
                                                                                           {"name>a", "not a numeric column"}}) {
            const auto read = readFilters(list, filter);
            QVERIFY2(!read, filter);
            QVERIFY2(read.error().text().find(says) != std::string::npos, read.error().text().c_str());
        }
        QVERIFY(readFilters(list, ";;  ;"));
        QCOMPARE(readFilters(list, "tor-1:port3")->size(), std::size_t(1)); // a name with a colon is words
    }

    void sortingIsStableAndWhole()
    {
        const EntityList list(smallDesign(), EntityKind::Rack);
        const auto load = *list.column("load"), name = *list.column("name");
        for (const bool descending : {false, true}) {
            const auto rows = *list.rows({.sortBy = load, .descending = descending});
            QCOMPARE(rows.size(), EntityList::count(*smallDesign()->snapshot, EntityKind::Rack));
            for (std::size_t i = 1; i < rows.size(); ++i) {
                const double a = list.number(rows[i - 1], load).value_or(-1), b = list.number(rows[i], load).value_or(-1);
                QVERIFY(descending ? a >= b : a <= b);
                if (a == b) QVERIFY(rows[i - 1] < rows[i]); // as they were
            }
        }
        const auto byName = *list.rows({.sortBy = name});
        for (std::size_t i = 1; i < byName.size(); ++i) QVERIFY(!naturallyBefore(list.text(byName[i], name), list.text(byName[i - 1], name)));
    }

    void groupsAddUpToTheWhole()
    {
        const EntityList list(smallDesign(), EntityKind::Device);
        const auto rows = *list.rows({});
        const auto load = *list.column("load");
        const auto groups = list.groups(rows, *list.column("type"));
        QVERIFY(groups.size() > 1);
        std::size_t count = 0;
        double sum = 0;
        for (const auto& group : groups) {
            count += group.rows.size();
            sum += *list.totals(group.rows)[load];
            for (const std::uint32_t row : group.rows) QCOMPARE(list.text(row, *list.column("type")), group.text);
        }
        QCOMPARE(count, rows.size());
        QCOMPARE(sum, *list.totals(rows)[load]);
        QVERIFY(!list.totals(rows)[*list.column("u")]); // a sum of rack units says nothing
    }

    void filesHaveTheUnitsOfTheirHeaders()
    {
        QTemporaryDir folder;
        const EntityList list(smallDesign(), EntityKind::Rack);
        const auto rows = *list.rows({});
        const std::vector<std::size_t> columns{*list.column("name"), *list.column("load"), *list.column("power_limit")};
        const std::string path = folder.filePath("racks.csv").toStdString();
        QVERIFY(writeList(list, rows, columns, path));
        std::ifstream file(path);
        std::string line;
        std::getline(file, line);
        QCOMPARE(line, std::string("name,load_kw,power_limit_kw"));
        std::getline(file, line);
        std::istringstream cells(line);
        std::string name, load;
        std::getline(cells, name, ',');
        std::getline(cells, load, ',');
        QCOMPARE(name, list.text(rows.front(), columns[0]));
        QCOMPARE(std::stod(load), *list.number(rows.front(), columns[1]) / 1e6);
        QVERIFY(!writeList(list, rows, columns, folder.filePath("racks.txt").toStdString()));
    }

    void formsCountFromOneAndLeaveNothingEmpty()
    {
        const auto& fields = edit::fieldsOf(EntityKind::Device);
        const auto* segment = edit::findField(EntityKind::Device, "segment");
        QVERIFY(segment && segment->fromZero);
        QCOMPARE(edit::fromForm(*segment, "7", "1"), std::optional<std::string>("6"));
        QCOMPARE(edit::fromForm(*segment, "", "1"), std::optional<std::string>("-1"));
        QCOMPARE(edit::fromForm(*segment, "0", "1"), std::optional<std::string>("-2")); // out of range, and so refused
        QCOMPARE(edit::fromForm(*segment, "x", "1"), std::optional<std::string>("x"));
        const auto* limit = edit::findField(EntityKind::Rack, "power_limit");
        QVERIFY(limit && limit->zeroIsNone);
        QCOMPARE(edit::fromForm(*limit, "", "45 kW"), std::optional<std::string>("0"));
        QCOMPARE(edit::fromForm(*limit, "60", "45 kW"), std::optional<std::string>("60 kW"));
        QCOMPARE(edit::fromForm(*limit, "60", ""), std::optional<std::string>("60 kW")); // none is shown yet
        QCOMPARE(edit::fromForm(*edit::findField(EntityKind::Hall, "clear_height"), "4.5", ""), std::optional<std::string>("4.5 m"));
        QVERIFY(!fields.empty());
        const auto* phase = edit::findField(EntityKind::Device, "phase");
        QCOMPARE(edit::fromForm(*phase, " ", "phase-1"), std::optional<std::string>());
    }
};

QTEST_GUILESS_MAIN(TestListing)
#include "test_listing.moc"

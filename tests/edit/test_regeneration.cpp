// SPDX-License-Identifier: GPL-3.0-or-later
// What a change of parameters makes of what a person put beside the template's own: places, units of racks, names.
#include "core/derived/topology/rack_units.h"
#include "tests/edit/desk.h"

using namespace hw;
using namespace hw::test;

namespace {

const std::string kBox =
    "{'do': 'add', 'what': 'part-type', 'definition': 'manufacturer: Own\\nmodel: Box\\nslug: own-box\\nu_height: 1\\nis_full_depth: true\\n'}, "
    "{'do': 'add', 'what': 'tier', 'name': 'mine', 'kind': 'other'}";

SnapshotPtr made(const std::string& name, const ParameterValues& values)
{
    static const auto all = loadTemplates(HW_RESOURCES "/templates");
    const auto design = std::ranges::find_if(*all, [&](const Template& t) { return t.name() == name; });
    const auto snapshot = instantiate(*design, *design->complete(values), catalog());
    if (!snapshot) qFatal("%s", snapshot.error().text().c_str());
    return *snapshot;
}

/// A desk on which parameters can be changed; `told` is what could not be kept the last time.
struct Table : Desk {
    std::vector<Text> told;
    Table(const std::string& name, const ParameterValues& values) : Desk(made(name, values))
    {
        context.regenerate = [this](Transaction& t, std::string_view parameter, std::string_view value) -> Result<void> {
            auto merged = regenerate(t, {{std::string(parameter), std::stoll(std::string(value))}}, catalog());
            if (!merged) return tl::unexpected(merged.error());
            told = std::move(merged->notKept);
            return {};
        };
    }
    Result<void> change(const std::string& parameter, int value)
    {
        return run(json("{'do': 'set-parameter', 'name': '" + parameter + "', 'value': " + std::to_string(value) + "}"));
    }
    [[nodiscard]] std::string doubledName() const
    {
        std::set<std::string> names;
        std::string found;
        now().eachTable([&](const auto& table) {
            if constexpr (edit::Named<decltype(table)>)
                table.forEach([&](auto id) {
                    if (!names.insert(table.name[id]).second) found = table.name[id];
                });
        });
        return found;
    }
    /// Two devices that share units of a rack.
    [[nodiscard]] std::string overlapping() const
    {
        const Snapshot& s = now();
        const auto types = parts();
        std::string found;
        std::vector<RackUnits> units;
        s.racks.forEach([&](RackId id) {
            units.resize(id.value, RackUnits(types->rack(s.racks.type[id])));
            units.emplace_back(types->rack(s.racks.type[id]));
        });
        s.devices.forEach([&](DeviceId id) {
            const auto rack = s.devices.rack[id];
            if (!rack || s.devices.u[id] == 0) return;
            if (!units[(*rack).value].takes(mounted(s, *types, id))) found = s.devices.name[id] + " in " + s.racks.name[*rack];
            units[(*rack).value].put(mounted(s, *types, id));
        });
        return found;
    }
};

} // namespace

class TestRegeneration : public QObject {
    Q_OBJECT
private slots:
    /// A rack that was moved into a row that is no longer made stands in its own again, with all that is in it.
    void rackOfAGoneRowComesBack()
    {
        Table table("rail-only", {{"segments", 4}, {"networks", 1}});
        const Snapshot first = table.now();
        const RackId rack = first.racks.ids().front();
        const RowId own = first.racks.row[rack], last = first.rows.ids().back();
        QVERIFY(own != last);
        VERIFY_DONE(
            table.run(json("{'do': 'set', 'entity': '" + first.racks.name[rack] + "', 'column': 'row', 'value': '" + first.rows.name[last] + "'}")));
        QVERIFY(table.now().racks.row[rack] == last);
        VERIFY_DONE(table.change("segments", 1));
        const Snapshot& s = table.now();
        QVERIFY(!s.rows.contains(last));
        QVERIFY(s.racks.contains(rack) && s.racks.row[rack] == own);
        QCOMPARE(dangling(s), std::string());
        const auto fresh = made("rail-only", {{"segments", 1}, {"networks", 1}});
        QCOMPARE(s.racks.size(), fresh->racks.size());
        fresh->racks.forEach([&](RackId id) {
            if (fresh->racks.key[id] == s.racks.key[rack]) QVERIFY(fresh->racks.along[id] == s.racks.along[rack]);
        });
        std::size_t nowhere = 0;
        s.devices.forEach([&](DeviceId id) { nowhere += !s.devices.rack[id] && !s.devices.row[id] && !s.devices.hall[id]; });
        QCOMPARE(nowhere, std::size_t(0));
        QCOMPARE(table.told.size(), std::size_t(1));
    }

    /// What was mounted by hand keeps its units; what the template would put there stands elsewhere in the rack, each time in the same place.
    void mountedByHandKeepsItsUnits()
    {
        Table table("nvl36", {{"segments", 1}, {"racks", 4}, {"support", 0}});
        VERIFY_DONE(table.run(json(kBox)));
        const Snapshot first = table.now();
        std::string boxes;
        first.racks.forEach([&](RackId id) {
            boxes += std::string(boxes.empty() ? "" : ", ") + "{'do': 'add', 'what': 'device', 'in': '" + first.racks.name[id] +
                     "', 'type': 'own-box', 'tier': 'mine', 'count': 4}";
        });
        VERIFY_DONE(table.run(json(boxes)));
        const Snapshot before = table.now();
        const std::string text = exported(before);
        VERIFY_DONE(table.change("support", 12));
        QCOMPARE(table.overlapping(), std::string());
        QVERIFY(!table.told.empty());
        const Snapshot after = table.now();
        QVERIFY(after.devices.size() > before.devices.size());
        before.devices.forEach([&](DeviceId id) {
            if (before.devices.key[id].empty())
                QVERIFY(after.devices.rack[id] == before.devices.rack[id] && after.devices.u[id] == before.devices.u[id]);
        });
        VERIFY_DONE(table.change("support", 11));
        VERIFY_DONE(table.change("support", 12));
        QCOMPARE(table.overlapping(), std::string());
        after.devices.forEach([&](DeviceId id) {
            if (table.now().devices.contains(id)) QCOMPARE(table.now().devices.u[id], after.devices.u[id]);
        });
        QVERIFY(table.document.undo() && table.document.undo() && table.document.undo());
        QVERIFY(exported(table.now()) == text);
    }

    /// A name that a person gave, or that a copy has, is theirs; the template's thing of that name gets another.
    void namesByHandStay()
    {
        Table table("fat-tree-2", {{"segments", 2}, {"networks", 1}});
        const Snapshot first = table.now();
        const std::string rack = first.racks.name[first.racks.ids().back()];
        VERIFY_DONE(table.run(json("{'do': 'copy', 'entity': '" + rack + "', 'count': 2}")));
        const Snapshot before = table.now();
        QCOMPARE(table.doubledName(), std::string());
        VERIFY_DONE(table.change("segments", 8));
        QCOMPARE(table.doubledName(), std::string());
        QCOMPARE(table.told.size(), std::size_t(1));
        before.racks.forEach([&](RackId id) { // the template's own are called by their place, which is another in a larger hall
            if (before.racks.key[id].empty()) QCOMPARE(table.now().racks.name[id], before.racks.name[id]);
        });
        const Snapshot after = table.now();
        VERIFY_DONE(table.change("segments", 7));
        VERIFY_DONE(table.change("segments", 8));
        after.racks.forEach([&](RackId id) {
            if (table.now().racks.contains(id)) QVERIFY(table.now().racks.name[id] == after.racks.name[id]);
        });
        QCOMPARE(table.doubledName(), std::string());
    }
};

QTEST_APPLESS_MAIN(TestRegeneration)
#include "test_regeneration.moc"

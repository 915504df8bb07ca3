// SPDX-License-Identifier: GPL-3.0-or-later
// Tags of NetBox: kept by the design, given back by an export, compared row by row.
#include "core/foundation/model/tags.h"
#include "importers/formats.h"
#include "importers/netbox_export/differences.h"
#include "tests/netbox/designs.h"
#include "tests/netbox/netbox_server.h"

#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>

using namespace hw;
using namespace hw::netbox;
using nlohmann::json;

namespace {

using TagsOf = std::map<std::string, std::set<std::string>>; ///< slugs by object

std::set<std::string> slugsOf(const json& tags)
{
    std::set<std::string> all;
    for (const json& tag : tags)
        if (tag["slug"] != kExportTag) all.insert(tag["slug"].get<std::string>() + ' ' + tag["name"].get<std::string>());
    return all;
}

/// Tags of all objects of a server but that of exports; a cable is named by its ends.
TagsOf tagsOn(NetboxServer& server)
{
    TagsOf all;
    for (const char* table : {"dcim/sites", "dcim/locations", "dcim/racks", "dcim/devices", "dcim/power-panels", "dcim/power-feeds", "dcim/cables"})
        for (const json& one : server.get(table)) {
            std::string name = one.value("name", "");
            if (std::string(table) == "dcim/cables") {
                std::set<std::string> ends;
                for (const char* side : {"a_terminations", "b_terminations"})
                    for (const json& end : one[side]) {
                        const json& object = end["object"];
                        ends.insert((object.contains("device") ? object["device"]["name"].get<std::string>() : std::string("feed")) + ':' +
                                    object["name"].get<std::string>());
                    }
                for (const auto& end : ends) name += end + ' ';
            }
            if (std::string(table) == "dcim/power-feeds") name = one["power_panel"]["name"].get<std::string>() + '/' + name;
            const auto slugs = slugsOf(one["tags"]);
            if (!slugs.empty()) all[std::string(table) + ' ' + name] = slugs;
        }
    return all;
}

std::string linesOf(const TagsOf& all)
{
    std::string out;
    for (const auto& [object, tags] : all) {
        out += object + ':';
        for (const auto& tag : tags) out += ' ' + tag;
        out += '\n';
    }
    return out;
}

} // namespace

class TestNetboxTags : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    FiguresPtr m_design, m_back; ///< m_back: as it was imported from a server with tags
    TagsOf m_given;

    [[nodiscard]] static Target target(const NetboxServer& server) { return {server.url(), {}, {}, false, {}, {}}; }
    void write(const Figures& figures, NetboxServer& server, const char* project)
    {
        auto session = planned(figures, target(server), {});
        QVERIFY2(session.has_value(), session ? "" : session.error().text().c_str());
        const auto written = writeTo(**session, target(server), m_folder.filePath(project).toStdString(), {});
        QVERIFY2(written.has_value(), written ? "" : written.error().text().c_str());
        for (const Text& one : (*session)->sync->refused()) QVERIFY2(false, words(one).c_str());
    }
    static Result<exchange::ImportPlan> import(const std::string& path, const SnapshotPtr& base = std::make_shared<const Snapshot>())
    {
        exchange::Formats formats;
        importers::registerFormats(formats);
        return (*formats.importer("netbox"))->plan({path, {}, {}}, base, {});
    }

private slots:
    void initTestCase()
    {
        qputenv("HALLWRIGHT_NETBOX_TOKEN", NetboxServer::kToken);
        m_design = designOf("fat-tree-2", {{"segments", "1"}});
        QVERIFY(m_design);
    }

    /// The form in which a project keeps them; what is broken, or of no row, is left out.
    void keptInAProject()
    {
        Snapshot s(*m_design->snapshot);
        const auto racks = s.racks.ids();
        const auto devices = s.devices.ids();
        const ObjectTag tag{
            "prod", "Production, hall 1", "ff0000", {ref(racks[0]), ref(devices[0]), ref(devices[1]), ref(devices[2]), ref(devices[4])}};
        putObjectTag(s, tag);
        QCOMPARE(objectTags(s), std::vector{tag});
        QCOMPARE(tagNamesOf(s, ref(devices[1])), std::vector<std::string>{"Production, hall 1"});
        QVERIFY(tagNamesOf(s, ref(devices[3])).empty());
        const std::string text = taggedText(tag.on);
        QCOMPARE(text, fmt::format("racks:{};devices:{}-{},{}", racks[0].value, devices[0].value, devices[2].value, devices[4].value));
        QCOMPARE(readTagged(s, text), tag.on);
        QCOMPARE(readTagged(s, "racks:x,-,5-2,;nothing:1;devices;racks:0-4294967295").size(), racks.size());
        s.devices.erase(devices[1]);
        QVERIFY(!objectTags(s).front().on.contains(ref(devices[1])));
        putObjectTag(s, {"prod", {}, {}, {}});
        QVERIFY(objectTags(s).empty());
    }

    /// Out of one NetBox, into another: the same tags on the same objects.
    void importedAndExportedAgain()
    {
        NetboxServer first;
        write(*m_design, first, "first");
        for (const auto& [slug, name, color] : {std::tuple("prod", "Production", "ff0000"), std::tuple("row-a", "Row A", "00ff00")})
            QVERIFY(first.post("extras/tags", {{"name", name}, {"slug", slug}, {"color", color}}).contains("id"));
        const auto id = [&](const char* slug) {
            for (const json& tag : first.get("extras/tags"))
                if (tag["slug"] == slug) return tag["id"].get<int>();
            return 0;
        };
        const int prod = id("prod"), row = id("row-a"), ours = id(kExportTag);
        int n = 0;
        for (const char* table :
             {"dcim/sites", "dcim/locations", "dcim/racks", "dcim/devices", "dcim/power-panels", "dcim/power-feeds", "dcim/cables"})
            for (const json& one : first.get(table)) {
                if (++n % 3 == 0 && std::string(table) != "dcim/sites") continue;
                json tags = json::array({prod});
                if (n % 2 == 0) tags.push_back(row);
                if (std::string(table) != "dcim/sites") tags.push_back(ours);
                QVERIFY(first.patch(table, one["id"], {{"tags", tags}}).contains("id"));
            }
        m_given = tagsOn(first);
        QVERIFY(m_given.size() > 20);

        const auto plan = import(first.url());
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        QVERIFY(exchange::planText(*plan).find("tags of") != std::string::npos);
        const auto tags = objectTags(*plan->after);
        QCOMPARE(tags.size(), std::size_t(2));
        QCOMPARE(tags[0].name + ' ' + tags[0].color, std::string("Production ff0000"));
        const auto back = figuresOf(plan->after);
        QVERIFY(back.has_value());
        m_back = *back;
        NetboxServer second;
        write(*m_back, second, "second");
        const auto given = tagsOn(second);
        QVERIFY2(given == m_given, ("given:\n" + linesOf(m_given) + "back:\n" + linesOf(given)).c_str());
        for (const json& tag : second.get("extras/tags"))
            if (tag["slug"] == "prod") QCOMPARE(tag["color"].get<std::string>(), std::string("ff0000"));

        // as files, where tags stand by their slugs
        const auto exporter = netboxExporter();
        exchange::ExportJob job;
        job.output = m_folder.filePath("files").toStdString();
        job.figures = [&] { return Result<FiguresPtr>(m_back); };
        const auto written = exporter->write(job, {});
        QVERIFY2(written.has_value(), written ? "" : written.error().text().c_str());
        const auto again = import(m_folder.filePath("files").toStdString());
        QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
        const auto fromFiles = objectTags(*again->after);
        QCOMPARE(fromFiles.size(), tags.size());
        for (std::size_t i = 0; i < tags.size(); ++i) {
            QCOMPARE(fromFiles[i].name + fromFiles[i].color, tags[i].name + tags[i].color);
            QCOMPARE(fromFiles[i].on.size(), tags[i].on.size());
        }

        // a second import changes nothing
        const auto same = import(first.url(), plan->after);
        QVERIFY(same && exchange::plannedRows(*same).empty());
    }

    /// A list view names tags, an import has their slugs; a tag that no list has keeps its name.
    void filesNameTags()
    {
        exchange::Formats formats;
        importers::registerFormats(formats);
        const json all = {{"sites", {{{"name", "S"}, {"slug", "s"}, {"tags", json::array()}}}},
                          {"tags", {{{"name", "Hall A"}, {"slug", "hall-a"}, {"color", "AABBCC"}}, {{"slug", ""}}}},
                          {"racks",
                           {{{"name", "R1"}, {"site", "S"}, {"u_height", 42}, {"tags", "hall a, Spare parts"}},
                            {{"name", "R2"}, {"site", "S"}, {"u_height", 42}, {"tags", {"hall-a", 7, {{"slug", "hallwright"}}}}}}},
                          {"devices", json::array()}};
        const auto plan = (*formats.importer("netbox"))->plan({"all.json", all.dump(), {}}, std::make_shared<const Snapshot>(), {});
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        const auto tags = objectTags(*plan->after);
        QCOMPARE(tags.size(), std::size_t(2));
        QCOMPARE(tags[0].slug + ',' + tags[0].name + ',' + tags[0].color, std::string("hall-a,Hall A,aabbcc"));
        QCOMPARE(tags[0].on.size(), std::size_t(2));
        QCOMPARE(tags[1].slug + ',' + tags[1].name, std::string("spare-parts,Spare parts"));
        QCOMPARE(tags[1].on.size(), std::size_t(1));
        QVERIFY(std::ranges::any_of(plan->issues, [](const auto& issue) { return words(issue.what).find("tag without name") != std::string::npos; }));
    }

    /// What differs is one row for each object; either side is taken.
    void compared()
    {
        QVERIFY(m_back);
        NetboxServer server;
        write(*m_back, server, "third");
        auto equal = planned(*m_back, target(server), {});
        QVERIFY2(equal && differencesOf(**equal).empty(), equal ? differencesText(differencesOf(**equal)).c_str() : "");
        const json rack = server.get("dcim/racks").front(), device = server.get("dcim/devices").back();
        QVERIFY(server.post("extras/tags", {{"name", "By hand"}, {"slug", "by-hand"}}).contains("id"));
        const int hand = server.get("extras/tags").back()["id"].get<int>();
        QVERIFY(server.patch("dcim/racks", rack["id"], {{"tags", {hand}}}).contains("id"));
        Snapshot changed(*m_back->snapshot);
        ObjectTag fresh{"fresh", "Fresh", "123456", {}};
        changed.devices.forEach([&](DeviceId one) {
            if (changed.devices.name[one] == device["name"]) fresh.on.insert(ref(one));
        });
        QCOMPARE(fresh.on.size(), std::size_t(1));
        putObjectTag(changed, fresh);
        const auto figures = figuresOf(std::make_shared<const Snapshot>(changed));
        QVERIFY(figures.has_value());
        auto session = planned(**figures, target(server), {});
        QVERIFY(session.has_value());
        const auto rows = differencesOf(**session);
        QCOMPARE(rows.size(), std::size_t(2));
        QVERIFY(rows[0].table == tableIndex("dcim/racks") && rows[0].field == "tags" && rows[0].toDesign);
        QCOMPARE(rows[0].netbox, std::string("By hand"));
        QVERIFY(rows[1].table == tableIndex("dcim/devices") && rows[1].toNetbox);
        QVERIFY2(rows[1].design.find("Fresh") != std::string::npos && rows[1].netbox.find("Fresh") == std::string::npos, rows[1].design.c_str());

        const auto plan = planFromNetbox(**session, rows, {0}, (*figures)->snapshot);
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        const auto now = objectTags(*plan->after);
        const auto by = std::ranges::find(now, std::string("by-hand"), &ObjectTag::slug);
        QVERIFY(by != now.end() && by->on.size() == 1);
        const EntityRef one = *by->on.begin();
        QCOMPARE(plan->after->racks.name[RackId(one.id)], rack["name"].get<std::string>());
        QCOMPARE(tagNamesOf(*plan->after, one), std::vector<std::string>{"By hand"}); // as NetBox has it

        const auto wanted = wantedBy(**session, rows, {1});
        const auto counts = countsOf(**session, wanted);
        QVERIFY(counts[tableIndex("extras/tags")].create == 1 && counts[tableIndex("dcim/devices")].change == 1);
        const int before = server.writes();
        QVERIFY(words(wantedReport(**session, target(server), wanted)).find("main") != std::string::npos);
        QCOMPARE(server.writes(), before); // a report alone
        const auto done = takeFromDesign(**session, rows, {1}, target(server), m_folder.filePath("third").toStdString(), {});
        QVERIFY2(done.has_value(), done ? "" : done.error().text().c_str());
        const json changedDevice = server.get("dcim/devices?name=" + device["name"].get<std::string>()).front();
        QVERIFY2(slugsOf(changedDevice["tags"]).contains("fresh Fresh"), changedDevice["tags"].dump().c_str());
        QVERIFY((*session)->sync->refused().empty());
    }

    /// A NetBox that no export has written to: its objects are found; that they lack the tag of exports is no difference.
    void aNetboxWithoutTheTagOfExports()
    {
        NetboxServer server;
        write(*m_design, server, "fourth");
        int ours = 0;
        for (const json& tag : server.get("extras/tags"))
            if (tag["slug"] == kExportTag) ours = tag["id"].get<int>();
        for (const char* table : {"dcim/locations", "dcim/racks", "dcim/power-panels", "dcim/power-feeds", "dcim/devices", "dcim/cables"})
            for (const json& one : server.get(table)) QVERIFY(server.patch(table, one["id"], {{"tags", json::array()}}).contains("id"));
        QVERIFY(server.remove("extras/tags", ours));
        auto session = planned(*m_design, target(server), {});
        QVERIFY(session.has_value());
        const auto rows = differencesOf(**session);
        QVERIFY2(rows.empty(), differencesText(rows).c_str());
        QVERIFY((*session)->sync->counts()[tableIndex("dcim/racks")].create == 0);
    }
};

QTEST_GUILESS_MAIN(TestNetboxTags)
#include "test_netbox_tags.moc"

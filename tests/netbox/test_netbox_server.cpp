// SPDX-License-Identifier: GPL-3.0-or-later
// The NetBox-like server itself: it refuses what NetBox refuses, so that tests against it mean something.
#include "tests/netbox/netbox_server.h"

#include <QTest>

using nlohmann::json;

namespace {

/// A site with one rack and one type of devices of 2 U with two interfaces.
void seedServer(NetboxServer& server)
{
    server.post("dcim/sites", {{"name", "Campus A"}, {"slug", "campus-a"}});
    server.post("dcim/manufacturers", {{"name", "Example"}, {"slug", "example"}});
    server.post("dcim/device-roles", {{"name", "Leaf"}, {"slug", "leaf"}});
    server.post("dcim/rack-types", {{"manufacturer", 1}, {"model", "48U"}, {"slug", "48u"}, {"form_factor", "4-post-cabinet"}, {"u_height", 48}});
    server.post("dcim/locations", {{"site", 1}, {"name", "Hall"}, {"slug", "hall"}});
    server.post("dcim/racks", {{"site", {{"slug", "campus-a"}}}, {"location", 1}, {"name", "R10"}, {"rack_type", {{"slug", "48u"}}}});
    server.post("dcim/device-types", {{"manufacturer", 1}, {"model", "S"}, {"slug", "s"}, {"u_height", 2}});
    for (const char* name : {"swp1", "swp2"})
        server.post("dcim/interface-templates", {{"device_type", 1}, {"name", name}, {"type", "800gbase-x-osfp"}});
}

json device(const char* name, int position)
{
    return {{"name", name}, {"device_type", 1},     {"role", 1},       {"site", 1},
            {"rack", 1},    {"position", position}, {"face", "front"}, {"status", "planned"}};
}

json cable(int a, int b, const char* type = "dcim.interface")
{
    return {{"a_terminations", json::array({{{"object_type", type}, {"object_id", a}}})},
            {"b_terminations", json::array({{{"object_type", type}, {"object_id", b}}})}};
}

} // namespace

class TestNetboxServer : public QObject {
    Q_OBJECT
private slots:
    void requiresFieldsChoicesAndKeys()
    {
        NetboxServer server;
        QVERIFY(server.post("dcim/sites", {{"name", "A"}}).contains("slug"));
        QVERIFY(server.post("dcim/sites", {{"name", "A"}, {"slug", "a"}, {"status", "planned"}})["id"] == json(1));
        QVERIFY(server.post("dcim/sites", {{"name", "A"}, {"slug", "b"}}).contains("name"));
        QVERIFY(server.post("dcim/sites", {{"name", "B"}, {"slug", "b"}, {"status", "connected"}}).contains("status"));
        QCOMPARE(server.count("dcim/sites"), std::size_t(1));
    }

    void makesComponentsFromTemplatesAndChecksPositions()
    {
        NetboxServer server;
        seedServer(server);
        QVERIFY(server.post("dcim/devices", device("leaf01", 40))["id"] == json(1));
        QCOMPARE(server.get("dcim/interfaces?device_id=1").size(), std::size_t(2));
        QVERIFY(server.post("dcim/devices", device("leaf02", 41)).contains("position"));         // taken
        QVERIFY(server.post("dcim/devices", device("leaf02", 48)).contains("position"));         // out of the rack
        QVERIFY(server.post("dcim/devices", device("LEAF01", 10)).contains("non_field_errors")); // a name in another case
        json faceless = device("leaf02", 10);
        faceless.erase("face");
        QVERIFY(server.post("dcim/devices", faceless).contains("face"));
        QVERIFY(server.get("dcim/racks").front()["u_height"] == json(48)); // that of its type
    }

    void listsAreWrittenWholeOrNotAtAll()
    {
        NetboxServer server;
        seedServer(server);
        const json answer = server.post("dcim/devices", json::array({device("a", 1), device("b", 2)}));
        QVERIFY(answer.is_array() && answer[0].empty() && answer[1].contains("position"));
        QCOMPARE(server.count("dcim/devices"), std::size_t(0));
        QCOMPARE(server.post("dcim/devices", json::array({device("a", 1), device("b", 3)})).size(), std::size_t(2));
    }

    void cablesNeedFreePortsOfAllowedPairs()
    {
        NetboxServer server;
        seedServer(server);
        server.post("dcim/devices", json::array({device("a", 1), device("b", 3)}));
        QVERIFY(server.post("dcim/cables", cable(1, 3))["id"] == json(1));
        QVERIFY(server.post("dcim/cables", cable(1, 4)).contains("a_terminations")); // one cable a port
        QVERIFY(server.post("dcim/cables", cable(2, 99)).contains("b_terminations"));
        const json port = server.get("dcim/interfaces?id=1").front();
        QVERIFY(port["connected_endpoints"][0]["device"]["name"] == json("b"));
        server.post("dcim/power-outlets", json::array({{{"device", 1}, {"name", "o1"}}, {{"device", 2}, {"name", "o1"}}}));
        QVERIFY(server.post("dcim/cables", cable(1, 2, "dcim.poweroutlet")).contains("non_field_errors")); // no outlet to outlet
    }

    void relatedObjectsMatchExactlyOne()
    {
        NetboxServer server;
        seedServer(server);
        json one = device("a", 1);
        one["rack"] = {{"name", "R10"}, {"site", {{"slug", "campus-a"}}}};
        QVERIFY(server.post("dcim/devices", one)["rack"]["name"] == json("R10"));
        one["name"] = "b", one["rack"] = {{"name", "R11"}};
        QVERIFY(server.post("dcim/devices", one).contains("rack"));
    }

    void branchesKeepTheirOwnState()
    {
        NetboxServer server({.branching = true, .pollsUntilReady = 2});
        seedServer(server);
        QVERIFY(server.post("plugins/branching/branches", {{"name", "plan"}})["status"]["value"] == json("new"));
        const std::string schema = server.get("plugins/branching/branches").front()["schema_id"];
        QVERIFY(server.post("dcim/devices", device("a", 1), schema).contains("detail")); // not ready
        for (int i = 0; i < 2; ++i) server.get("plugins/branching/branches/1");
        QVERIFY(server.post("dcim/devices", device("a", 1), schema)["id"] == json(1));
        QCOMPARE(server.count("dcim/devices"), std::size_t(0));
        QCOMPARE(server.count("dcim/devices", schema), std::size_t(1));
    }

    void releasesDiffer()
    {
        NetboxServer old({.version = "4.4.10"}), beta({.version = "4.7.0-beta1"});
        QVERIFY(old.post("dcim/cable-bundles", {{"name", "x"}}).contains("detail"));
        QVERIFY(beta.post("dcim/cooling-sources", {{"name", "x"}, {"site", 1}, {"type", "chiller"}}).contains("site"));
        old.post("dcim/device-types", json::object());
        old.post("dcim/cables", {{"profile", "breakout-1c2p-2c1p"}});
        QVERIFY(old.ignored().contains("dcim/cables: profile"));
    }
};

QTEST_GUILESS_MAIN(TestNetboxServer)
#include "test_netbox_server.moc"

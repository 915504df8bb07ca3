// SPDX-License-Identifier: GPL-3.0-or-later
// Installations of NetBox as designs: exported files, the API, and what is wrong with both.
#include "core/derived/figures/figures.h"
#include "core/derived/geometry/placement.h"
#include "core/derived/rules/check.h"
#include "core/design/template/template.h"
#include "core/foundation/catalog/entity.h"
#include "importers/formats.h"
#include "importers/netbox/inventory/objects.h"
#include "importers/netbox/inventory/reader.h"
#include "tests/cli/cli_process.h"
#include "tests/netbox/netbox_server.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <random>

using namespace hw;
using namespace hw::exchange;
using nlohmann::json;

namespace {

const std::string kApi = HW_TEST_DATA "/netbox/api", kLibrary = HW_TEST_DATA "/netbox/library";

const Importer& netbox()
{
    static const auto formats = [] {
        auto all = std::make_unique<Formats>();
        importers::registerFormats(*all);
        return all;
    }();
    return **formats->importer("netbox");
}

Result<ImportPlan> planOf(const std::string& path, FormatChoices options = {}, const SnapshotPtr& base = std::make_shared<const Snapshot>())
{
    return netbox().plan({path, {}, std::move(options)}, base, {});
}

/// A file, read as the program does.
Result<ImportPlan> planFile(const std::string& path)
{
    auto source = readSource(path);
    if (!source) return tl::unexpected(source.error());
    return netbox().plan(*source, std::make_shared<const Snapshot>(), {});
}

/// A file as if it were on disk.
Result<ImportPlan> planText(const std::string& name, const std::string& content, FormatChoices options = {})
{
    return netbox().plan({name, content, std::move(options)}, std::make_shared<const Snapshot>(), {});
}

std::string textOfPlan(const ImportPlan& plan) { return exchange::planText(plan); }

/// What a design has by a name.
struct Look {
    SnapshotPtr design;
    FiguresPtr figures;
    explicit Look(const ImportPlan& plan) : design(plan.after), figures(hw::figuresOf(plan.after).value()) {}
    [[nodiscard]] DeviceId device(const std::string& name) const
    {
        std::optional<DeviceId> found;
        design->devices.forEach([&](DeviceId id) {
            if (design->devices.name[id] == name) found = id;
        });
        if (!found) qFatal("no device %s", name.c_str());
        return *found;
    }
    [[nodiscard]] RackId rack(const std::string& name) const
    {
        std::optional<RackId> found;
        design->racks.forEach([&](RackId id) {
            if (design->racks.name[id] == name) found = id;
        });
        if (!found) qFatal("no rack %s", name.c_str());
        return *found;
    }
    [[nodiscard]] std::optional<PortId> port(const std::string& name) const
    {
        const auto found = findEntity(*design, *figures->parts, name);
        return found && found->kind == EntityKind::Port ? std::optional(PortId(found->id)) : std::nullopt;
    }
    /// "from > to" of all links of a medium.
    [[nodiscard]] std::set<std::string> links(Medium medium) const
    {
        std::set<std::string> all;
        design->links.forEach([&](LinkId id) {
            if (design->ports.medium[design->links.from[id]] != medium) return;
            const auto name = [&](PortId port) { return entityName(*design, *figures->parts, ref(port)); };
            all.insert(name(design->links.from[id]) + " > " + name(design->links.to[id]));
        });
        return all;
    }
    [[nodiscard]] std::optional<LinkId> linkAt(const std::string& portName) const
    {
        std::optional<LinkId> found;
        const auto at = port(portName);
        design->links.forEach([&](LinkId id) {
            if (at && (design->links.from[id] == *at || design->links.to[id] == *at)) found = id;
        });
        return found;
    }
    [[nodiscard]] std::string slug(const std::string& deviceName) const { return design->partTypes.slug[design->devices.type[device(deviceName)]]; }
};

json readJson(const std::string& path)
{
    std::ifstream in(path);
    return json::parse(in, nullptr, false);
}

/// All lists of the small site in one document.
json bundle()
{
    json all = json::object();
    for (const char* list : {"sites", "locations", "rack-types", "racks", "device-types", "devices", "interfaces", "power-ports", "power-outlets",
                             "front-ports", "rear-ports", "power-panels", "power-feeds", "cables"})
        all[list] = readJson(kApi + "/" + list + ".json")["results"];
    return all;
}

FiguresPtr hpnOf(const std::map<std::string, std::string>& values)
{
    const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
    const auto design = Template::load(HW_RESOURCES "/templates/hpn.yaml");
    const auto complete = design->complete(values);
    const auto snapshot = complete ? instantiate(*design, *complete, *catalog) : tl::unexpected(complete.error());
    const auto figures = snapshot ? hw::figuresOf(*snapshot) : Result<FiguresPtr>(nullptr);
    return figures ? *figures : nullptr;
}

/// A design as NetBox would answer it: places, devices, and a cable for each link, between ports by name.
json answersOf(const FiguresPtr& figures)
{
    const Snapshot& s = *figures->snapshot;
    const auto& boxes = *figures->placement;
    json all;
    all["sites"] = json::array({{{"id", 1}, {"name", "Campus"}, {"slug", "campus"}}});
    const json site = {{"id", 1}, {"name", "Campus"}};
    for (const char* list : {"locations", "racks", "devices", "cables"}) all[list] = json::array();
    const auto place = [](const Box& box, Point frame) { return json{{"hall_x_mm", box.low.x - frame.x}, {"hall_y_mm", box.low.y - frame.y}}; };
    const int halls = int(s.buildings.nextId()) + 1;
    s.buildings.forEach([&](BuildingId id) { all["locations"].push_back({{"id", id.value + 1}, {"name", s.buildings.name[id]}, {"site", site}}); });
    s.halls.forEach([&](HallId id) {
        all["locations"].push_back(
            {{"id", halls + int(id.value)}, {"name", s.halls.name[id]}, {"site", site}, {"parent", {{"id", s.halls.building[id].value + 1}}}});
    });
    s.racks.forEach([&](RackId id) {
        const RowId row = s.racks.row[id];
        const HallId hall = s.rows.hall[row];
        json fields = place(boxes.rack(id), boxes.hall(hall).low);
        fields["hall_rotation"] = s.rows.angle[row], fields["hall_row"] = s.rows.name[row];
        const std::string& slug = s.partTypes.slug[s.racks.type[id]];
        all["racks"].push_back({{"id", id.value + 1},
                                {"name", s.racks.name[id]},
                                {"site", site},
                                {"location", {{"id", halls + int(hall.value)}}},
                                {"rack_type", {{"id", 0}, {"model", slug}, {"slug", slug}}},
                                {"status", {{"value", "planned"}}},
                                {"custom_fields", fields}});
    });
    s.devices.forEach([&](DeviceId id) {
        const auto& t = s.devices;
        const std::string& slug = s.partTypes.slug[t.type[id]];
        json device{{"id", id.value + 1},
                    {"name", t.name[id]},
                    {"site", site},
                    {"status", {{"value", "planned"}}},
                    {"device_type", {{"manufacturer", {{"name", "Generic"}}}, {"model", slug}, {"slug", slug}}},
                    {"role", {{"name", s.tiers.name[t.tier[id]]}, {"slug", s.tiers.name[t.tier[id]]}}}};
        json fields = json::object();
        if (const auto rack = t.rack[id]) {
            device["rack"] = {{"id", (*rack).value + 1}};
            if (t.u[id] > 0) device["position"] = double(t.u[id]), device["face"] = {{"value", t.face[id] == hw::Face::Rear ? "rear" : "front"}};
            if (t.face[id] == hw::Face::Left || t.face[id] == hw::Face::Right) fields["hall_mount"] = t.face[id] == hw::Face::Left ? "left" : "right";
        } else {
            const auto hall = t.hall[id] ? t.hall[id] : t.row[id] ? Maybe<HallId>(s.rows.hall[*t.row[id]]) : Maybe<HallId>();
            if (hall) {
                device["location"] = {{"id", halls + int((*hall).value)}};
                fields = place(boxes.device(s, *figures->parts, id), boxes.hall(*hall).low);
                fields["hall_z_mm"] = boxes.device(s, *figures->parts, id).low.z - boxes.hall(*hall).low.z;
                fields["hall_rotation"] = (t.angle[id] + (t.row[id] ? s.rows.angle[*t.row[id]] : 0)) % 360;
                if (t.row[id]) fields["hall_row"] = s.rows.name[*t.row[id]];
            }
        }
        if (t.role[id] == hw::DeviceRole::Backup) fields["hall_backup"] = true;
        device["custom_fields"] = fields;
        all["devices"].push_back(std::move(device));
    });
    s.links.forEach([&](LinkId id) {
        const auto end = [&](PortId port, const char* type) {
            const std::string name = entityName(s, *figures->parts, ref(port)), &device = s.devices.name[s.ports.device[port]];
            return json::array({{{"object_type", type}, {"object", {{"name", name.substr(device.size() + 1)}, {"device", {{"name", device}}}}}}});
        };
        const Medium medium = s.ports.medium[s.links.from[id]];
        if (medium == Medium::Coolant) return;
        const bool data = medium == Medium::Data;
        all["cables"].push_back({{"id", id.value + 1},
                                 {"status", {{"value", "planned"}}},
                                 {"label", "L" + std::to_string(id.value)},
                                 {"a_terminations", end(s.links.from[id], data ? "dcim.interface" : "dcim.powerport")},
                                 {"b_terminations", end(s.links.to[id], data ? "dcim.interface" : "dcim.poweroutlet")}});
    });
    return all;
}

json one(const char* object, int id) { return json::array({{{"object_type", object}, {"object_id", id}}}); }

/// Two racks, a server with two ports and a leaf with two, cabled; names as NetBox's templates make them.
void seed(NetboxServer& server, int minor)
{
    const auto post = [&](const char* table, const json& body) {
        const json answer = server.post(table, body);
        if (!answer.contains("id")) qWarning("%s: %s", table, answer.dump().c_str());
    };
    for (const char* field : {"hall_x_mm", "hall_y_mm", "hall_rotation"})
        post("extras/custom-fields", {{"name", field}, {"type", "integer"}, {"object_types", {"dcim.rack", "dcim.device"}}});
    post("dcim/sites", {{"name", "Campus A"}, {"slug", "campus-a"}});
    post("dcim/sites", {{"name", "Campus B"}, {"slug", "campus-b"}});
    post("dcim/locations", {{"site", 1}, {"name", "Hall"}, {"slug", "hall"}});
    post("dcim/locations", {{"site", 2}, {"name", "Other hall"}, {"slug", "other-hall"}});
    post("dcim/manufacturers", {{"name", "Generic"}, {"slug", "generic"}});
    post("dcim/device-roles", {{"name", "Server"}, {"slug", "server"}});
    post("dcim/device-roles", {{"name", "Leaf"}, {"slug", "leaf"}});
    post("dcim/rack-types", {{"manufacturer", 1}, {"model", "48U"}, {"slug", "acme-48u"}, {"form_factor", "4-post-cabinet"}, {"u_height", 48}});
    for (int i = 1; i <= 3; ++i)
        post("dcim/racks", {{"site", i == 3 ? 2 : 1},
                            {"location", i == 3 ? 2 : 1},
                            {"name", "R" + std::to_string(i)},
                            {"rack_type", 1},
                            {"custom_fields", {{"hall_x_mm", 1200 * i}, {"hall_y_mm", 2000}, {"hall_rotation", 0}}}});
    post("dcim/device-types", {{"manufacturer", 1}, {"model", "Box"}, {"slug", "box"}, {"u_height", 2}});
    post("dcim/device-types", {{"manufacturer", 1}, {"model", "Leaf"}, {"slug", "leafy"}, {"u_height", 1}});
    for (int type = 1; type <= 2; ++type)
        for (int n = 1; n <= 4; ++n)
            post("dcim/interface-templates",
                 {{"device_type", type}, {"name", (type == 1 ? "nic" : "swp") + std::to_string(n)}, {"type", "400gbase-x-osfp"}});
    const auto device = [&](const char* name, int type, int rack, int site) {
        post("dcim/devices", {{"name", name},
                              {"device_type", type},
                              {"role", type},
                              {"site", site},
                              {"rack", rack},
                              {"position", 10},
                              {"face", "front"},
                              {"status", "planned"}});
    };
    device("host1", 1, 1, 1), device("leaf1", 2, 2, 1), device("host9", 1, 3, 2);
    for (int n = 1; n <= 4; ++n) {
        json cable{{"a_terminations", one("dcim.interface", n)},
                   {"b_terminations", one("dcim.interface", 4 + n)},
                   {"status", "planned"},
                   {"label", "C" + std::to_string(n)}};
        if (minor >= 5) cable["profile"] = "single-1c1p";
        post("dcim/cables", cable);
    }
}

importers::netbox_in::Patience hasty() { return {std::chrono::milliseconds(20), std::chrono::seconds(5), 3}; }

Result<ImportPlan> planServer(const NetboxServer& server, FormatChoices options = {}, const Progress& progress = {})
{
    const ImportSource source{server.url(), {}, std::move(options)};
    return importers::netbox_in::planInventory(std::span(&source, 1), std::make_shared<const Snapshot>(), progress, hasty());
}

} // namespace

class TestNetboxImport : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    std::string write(const std::string& name, const std::string& content)
    {
        const std::string path = (m_folder.path().toStdString() + "/") + name;
        std::filesystem::create_directories(std::filesystem::path(path).parent_path());
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }

private slots:
    void initTestCase()
    {
        qunsetenv("HALLWRIGHT_NETBOX_TOKEN");
        qputenv("HALLWRIGHT_CREDENTIALS", "");
        qunsetenv("HALLWRIGHT_CREDENTIALS");
        qputenv("XDG_CONFIG_HOME", m_folder.path().toUtf8()); // no credentials of the user
    }

    /// Two racks, one counted from the top; servers, a leaf, panels, a breakout, strips and feeds.
    void smallSite()
    {
        const auto plan = planOf(kApi, {{"library", kLibrary}});
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        const Look look(*plan);
        const Snapshot& s = *look.design;
        QCOMPARE(s.sites.size(), std::size_t(1));
        QCOMPARE(s.racks.size(), std::size_t(2));
        QCOMPARE(s.devices.size(), std::size_t(14)); // 11, the panel and two feeds
        // places
        QCOMPARE(s.racks.along[look.rack("A01")].count(), 0);
        QCOMPARE(s.racks.along[look.rack("A02")].count(), 600);
        const Box& rack = look.figures->placement->rack(look.rack("A02"));
        const Box& hall = look.figures->placement->hall(s.rows.hall[s.racks.row[look.rack("A02")]]);
        QCOMPARE(rack.low.x - hall.low.x, 3600);
        QCOMPARE(rack.low.y - hall.low.y, 3000);
        QCOMPARE(int(s.devices.u[look.device("gpu01")]), 10);
        QCOMPARE(int(s.devices.u[look.device("gpu02")]), 20);
        QCOMPARE(int(s.devices.u[look.device("leaf01")]), 42); // position 1 from the top
        QCOMPARE(int(s.devices.u[look.device("mgmt01")]), 40); // position 3.5 from the top
        QCOMPARE(s.devices.face[look.device("leaf01")], hw::Face::Rear);
        QCOMPARE(s.devices.face[look.device("pdu-a01-a")], hw::Face::Left);
        QCOMPARE(int(s.devices.u[look.device("node01")]), 0);
        QVERIFY(s.devices.rack[look.device("node01")] == Maybe<RackId>(look.rack("A01")));
        // what it is
        QCOMPARE(s.devices.serial[look.device("gpu01")], std::string("SN-1"));
        QCOMPARE(s.devices.stage[look.device("gpu01")], Stage::Live);
        QCOMPARE(s.devices.stage[look.device("gpu02")], Stage::Planned);
        QCOMPARE(s.hardwareIds.size(), std::size_t(4));
        QCOMPARE(look.slug("acme-gpu-box-8-11"), std::string("acme-gpu-box-8")); // nameless, and without a list of components
        const DeviceSpec& server = look.figures->parts->device(s.devices.type[look.device("gpu01")]);
        QCOMPARE(server.accelerators, 2); // of the sidecar
        QCOMPARE(toWatts(server.design.value), 5000.0);
        QCOMPARE(s.tiers.kind[s.devices.tier[look.device("gpu01")]], TierKind::Server);
        QCOMPARE(s.tiers.kind[s.devices.tier[look.device("leaf01")]], TierKind::Switch);
        QCOMPARE(s.tiers.kind[s.devices.tier[look.device("pdu-a01-a")]], TierKind::Power);
        QCOMPARE(int(s.tiers.level[s.devices.tier[look.device("leaf01")]]), 1);
        // links: the breakout, over two panels (planned), management
        const auto data = look.links(Medium::Data);
        QCOMPARE(data.size(), std::size_t(5));
        for (const char* link : {"gpu01:nic1 > leaf01:Ethernet1s1", "gpu01:nic2 > leaf01:Ethernet1s2", "gpu02:nic1 > leaf01:Ethernet2s1",
                                 "gpu01:bmc > mgmt01:ge1", "leaf01:mgmt0 > mgmt01:ge2"})
            QVERIFY2(data.contains(link), link);
        const LinkId a = *look.linkAt("gpu01:nic1"), b = *look.linkAt("gpu01:nic2"), over = *look.linkAt("gpu02:nic1");
        QVERIFY(s.links.cable[a] == s.links.cable[b]);
        QCOMPARE(s.cables.length[*s.links.cable[a]].count(), 2000);
        QCOMPARE(s.runs.size(), std::size_t(2));
        std::vector<std::string> panels;
        s.runs.forEach([&](RunId run) {
            QVERIFY(s.runs.link[run] == over && s.runs.position[run] == 0);
            panels.push_back(s.devices.name[s.runs.panel[run]]);
            if (s.runs.number[run] == 1) QCOMPARE(s.cables.length[s.runs.cable[run]].count(), 12192); // 40 ft
        });
        QCOMPARE(panels, (std::vector<std::string>{"pp-a01", "pp-a02"})); // from the server up
        QCOMPARE(s.networks.kind[*s.ports.network[*look.port("gpu01:nic1")]], NetworkKind::Backend);
        QCOMPARE(s.networks.kind[*s.ports.network[*look.port("leaf01:mgmt0")]], NetworkKind::Management);
        // power: servers on strips, strips on feeds, feeds on the panel
        const auto power = look.links(Medium::Power);
        QCOMPARE(power.size(), std::size_t(8));
        for (const char* link : {"gpu01:PSU1 > pdu-a01-a:1", "gpu02:PSU2 > pdu-a01-b:2", "pdu-a01-b:Input > MDB-1/F2:out", "MDB-1/F2:in > MDB-1:2"})
            QVERIFY2(power.contains(link), link);
        const DeviceSpec& feed = look.figures->parts->device(s.devices.type[look.device("MDB-1/F1")]);
        QVERIFY(std::abs(toWatts(feed.capacity.value) - 400 * 32 * 1.732 * 0.8) < 1);
        QCOMPARE(s.devices.side[look.device("MDB-1/F2")], PowerSide::B);
        const std::string text = textOfPlan(*plan);
        for (const char* said : {"C-008 ends at a circuit", "1 port is cabled, but the cable leads to no other device", "cable with an open end",
                                 "no equipment upstream", "1 link over patch panels followed", "half a unit", "tags of 1 object"})
            QVERIFY2(text.find(said) != std::string::npos, said);
        QCOMPARE(plan->left, std::size_t(1));
    }

    /// One undo step; the second time there is nothing to do.
    void appliedAndAgain()
    {
        Document document(std::make_shared<const Snapshot>());
        const auto plan = planOf(kApi, {{"library", kLibrary}}, document.snapshot());
        QVERIFY(plan.has_value());
        {
            auto t = document.begin(words(plan->name));
            QVERIFY(applyPlan(t, *plan));
            QVERIFY(t.commit());
        }
        const auto again = planOf(kApi, {{"library", kLibrary}}, document.snapshot());
        QVERIFY(again.has_value());
        QVERIFY2(plannedRows(*again).empty(), textOfPlan(*again).c_str());
        const auto same = planOf(kApi, {{"library", kLibrary}});
        QVERIFY(sameContent(*same->after, *plan->after));
        // what differs is said, and stays
        json all = bundle();
        all["devices"][0]["position"] = 11;
        const auto moved = netbox().plan({"site.json", all.dump(), {{"library", kLibrary}}}, document.snapshot(), {});
        QVERIFY(moved.has_value() && plannedRows(*moved).empty());
        QVERIFY(textOfPlan(*moved).find("gpu01: rack unit 10 in the design, 11 in NetBox") != std::string::npos);
        QVERIFY(document.undo());
        QVERIFY(!document.canUndo());
    }

    /// The imported design is one that is checked and reported.
    void isChecked()
    {
        const auto plan = planOf(kApi, {{"library", kLibrary}});
        const Look look(*plan);
        const auto checked = check(*look.figures);
        QVERIFY(checked.has_value());
        const auto& findings = checked->findings;
        QVERIFY(std::ranges::any_of(findings, [](const auto& finding) { return finding.rule == "D4"; })); // types without weight and power
        QVERIFY(std::ranges::none_of(findings, [](const auto& finding) { return finding.rule == "S1" || finding.rule == "N1"; }));
    }

    void placesAndLocations()
    {
        const auto unknown = planOf(kApi, {{"site", "Elsewhere"}});
        QVERIFY(!unknown && unknown.error().code == ErrorCode::Usage && words(unknown.error().todo).find("Lab") != std::string::npos);
        QCOMPARE(planOf(kApi, {{"location", "Room 9"}}).error().code, ErrorCode::Usage);
        const auto house = planOf(kApi, {{"location", "house"}}); // with what is within it
        QVERIFY(house.has_value());
        QCOMPARE(house->after->racks.size(), std::size_t(2));
        QCOMPARE(planOf(kApi, {{"position-fields", "x"}}).error().code, ErrorCode::Usage);
        // other fields: nothing is there, so racks are in rows
        const auto rows = planOf(kApi, {{"position-fields", "pos_x,pos_y"}});
        QVERIFY(rows.has_value());
        QVERIFY(textOfPlan(*rows).find("2 racks without positions: placed in rows") != std::string::npos);
        const Look look(*rows);
        const Box &a = look.figures->placement->rack(look.rack("A01")), &b = look.figures->placement->rack(look.rack("A02"));
        QCOMPARE(a.high.x, b.low.x);
        const Box& hall = look.figures->placement->hall(look.design->rows.hall[look.design->racks.row[look.rack("A01")]]);
        QVERIFY(a.low.x > hall.low.x && b.high.x < hall.high.x && a.low.y > hall.low.y && a.high.y < hall.high.y);
    }

    /// Every quarter turn puts the lower corner of the footprint where the fields say.
    void rotations()
    {
        json all = bundle();
        for (const int turn : {0, 90, 180, 270}) {
            all["racks"][0]["custom_fields"] = {{"hall_x_mm", 5000}, {"hall_y_mm", 7000}, {"hall_rotation", turn}, {"hall_row", "Row 7"}};
            const auto plan = planText("site.json", all.dump());
            QVERIFY(plan.has_value());
            const Look look(*plan);
            const RackId rack = look.rack("A01");
            const Box& box = look.figures->placement->rack(rack);
            const Box& hall = look.figures->placement->hall(look.design->rows.hall[look.design->racks.row[rack]]);
            QCOMPARE(box.low.x - hall.low.x, 5000);
            QCOMPARE(box.low.y - hall.low.y, 7000);
            QCOMPARE(box.high.x - box.low.x, turn % 180 == 0 ? 600 : 1200);
            QCOMPARE(int(look.design->rows.angle[look.design->racks.row[rack]]), turn);
            QCOMPARE(look.design->rows.name[look.design->racks.row[rack]], std::string("Row 7"));
        }
    }

    /// The floor-plan plugin: pixels of a drawing, 100 to a meter, from its upper left corner.
    void floorPlan()
    {
        json all = bundle();
        for (auto& rack : all["racks"]) rack["custom_fields"] = json::object();
        const auto drawn = [](int id, double left, double top, double angle) {
            return json{
                {"type", "group"},
                {"left", left},
                {"top", top},
                {"width", 60},
                {"height", 120},
                {"angle", angle},
                {"scaleX", 1},
                {"scaleY", 1},
                {"objects", json::array({{{"type", "rect"}, {"custom_meta", {{"object_type", "rack"}, {"object_id", std::to_string(id)}}}}})}};
        };
        all["floorplans"] =
            json::array({{{"id", 1},
                          {"width", "20.00"},
                          {"height", "10.00"},
                          {"measurement_unit", "m"},
                          {"canvas", {{"objects", json::array({drawn(1, 200, 400, 0), drawn(2, 260, 400, 0), {{"type", "i-text"}}})}}}}});
        const auto plan = planText("site.json", all.dump());
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        const Look look(*plan);
        const Box& box = look.figures->placement->rack(look.rack("A01"));
        const Box& hall = look.figures->placement->hall(look.design->rows.hall[look.design->racks.row[look.rack("A01")]]);
        QCOMPARE(box.low.x - hall.low.x, 2000);
        QCOMPARE(box.low.y - hall.low.y, 10'000 - 4000 - 1200);
        QVERIFY(look.design->racks.row[look.rack("A01")] == look.design->racks.row[look.rack("A02")]);
    }

    /// Columns of imports and of lists, compressed or not, and a broken row between good ones.
    void csvFiles()
    {
        write("csv/01-racks.csv", "site,location,name,status,u_height,desc_units,cf_hall_x_mm,cf_hall_y_mm\n"
                                  "Lab,Room 1,A01,planned,42,false,1000,2000\nLab,Room 1,A02,planned,42,false,1600,2000\n,,,,,,,\n");
        write("csv/02-devices.csv", "Name,Status,Site,Location,Rack,Role,Manufacturer,Type,Position (U),Face\n"
                                    "host1,Planned,Lab,Room 1,A01,GPU server,Generic,HPN host 8 GPU,1.0,Front\n"
                                    "leaf1,Active,Lab,Room 1,A02,Leaf,Generic,switch-51t-128x400g,10,Front\n"
                                    "broken,\"Active\"x,Lab,Room 1,A02,Leaf,Generic,switch-51t-128x400g,10,Front\n"
                                    ",Active,Lab,Room 1,A02,Leaf,,,20,Front\n");
        write("csv/03-cables.csv", "side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,type,status,label\n"
                                   "host1,dcim.interface,nic1p1,leaf1,dcim.interface,port1s1,mmf-om4,planned,X1\n"
                                   "host1,dcim.interface,nic2p1,leaf1,dcim.interface,port1s2,mmf-om4,planned,X2\n");
        const auto plan = planOf(m_folder.filePath("csv").toStdString());
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        const Look look(*plan);
        QCOMPARE(look.slug("host1"), std::string("hpn-host-8gpu")); // of the catalog, by manufacturer and model
        QCOMPARE(look.slug("leaf1"), std::string("switch-51t-128x400g"));
        QVERIFY2(look.links(Medium::Data).contains("host1:nic1p1 > leaf1:port1s1") &&
                     look.links(Medium::Data).contains("host1:nic2p1 > leaf1:port1s2"),
                 textOfPlan(*plan).c_str());
        QCOMPARE(look.design->ports.rate[*look.port("leaf1:port1s1")].count(), 200);
        QCOMPARE(look.figures->parts->device(look.design->devices.type[look.device("host1")]).accelerators, 8);
        QVERIFY2(plan->left == 2, textOfPlan(*plan).c_str());
        QVERIFY(textOfPlan(*plan).find("02-devices.csv:4") != std::string::npos);
        // modules and cables to choose from
        bool module = false, cable = false;
        look.design->partTypes.forEach([&](PartTypeId id) {
            module = module || look.design->partTypes.kind[id] == PartKind::Transceiver;
            cable = cable || look.design->partTypes.kind[id] == PartKind::Cable;
        });
        QVERIFY(module && cable);
    }

    void kindsOfFiles()
    {
        using namespace importers::netbox_in;
        QVERIFY(kindNamed("devices") == Kind::Devices && kindNamed("07-device_types") == Kind::DeviceTypes &&
                kindNamed("netbox_power-ports") == Kind::PowerPorts);
        QVERIFY(kindNamed("dcim/front-ports") == Kind::FrontPorts && kindNamed("tags") == Kind::Tags && !kindNamed("curve"));
        QVERIFY(importers::netbox_in::kindOf(json{{"url", "https://nb/api/dcim/rear-ports/3/"}}) == Kind::RearPorts);
        QCOMPARE(interfaceSlug("OSFP (800GE)"), std::string("800gbase-x-osfp"));
        QCOMPARE(interfaceSlug("OSFP-RHS (400GE)"), std::string("400gbase-x-osfp-rhs"));
        QCOMPARE(interfaceSlug("SFP+ (10GE)"), std::string("10gbase-x-sfpp"));
        QCOMPARE(interfaceSlug("NDR (400 Gbps)"), std::string("infiniband-ndr"));
        QCOMPARE(interfaceSlug("1000BASE-T (1GE)"), std::string("1000base-t"));
        QVERIFY(naturalLess("swp2", "swp10") && !naturalLess("swp10", "swp2") && naturalLess("a01", "a1") != naturalLess("a1", "a01"));
        QCOMPARE(*metersOf(10, "ft"), 3.048);
        QVERIFY(!metersOf(1, "furlong"));
        const auto unknown = planText("curve.json", "{\"points\": []}");
        QVERIFY(!unknown && unknown.error().code == ErrorCode::Unreadable);
        QVERIFY(!planOf(m_folder.filePath("nothing").toStdString()));
        const auto type = netbox().plan({"a.yaml", "slug: a\n", {{"site", "x"}}}, std::make_shared<const Snapshot>(), {});
        QVERIFY(!type && type.error().code == ErrorCode::Usage); // no option without effect
    }

    /// Front ports as 4.4 has them, cassettes without a list of mappings, and a shuffle.
    void panelsAndShuffles()
    {
        json all = bundle();
        for (auto& front : all["front-ports"]) {
            front["rear_port"] = {{"id", front["rear_ports"][0]["rear_port"]}}, front["rear_port_position"] = 1;
            front.erase("rear_ports");
        }
        QVERIFY(Look(*planText("old.json", all.dump())).links(Medium::Data).contains("gpu02:nic1 > leaf01:Ethernet2s1"));
        for (auto& front : all["front-ports"]) front.erase("rear_port"); // by number
        QVERIFY(Look(*planText("none.json", all.dump())).links(Medium::Data).contains("gpu02:nic1 > leaf01:Ethernet2s1"));

        // two ports of 800G on eight of 200G over a shuffle: halves of a connector go to either group of four
        json shuffle = {{"sites", json::array({{{"name", "S"}, {"slug", "s"}, {"facility", ""}}})}, {"racks", json::array()}};
        json devices = json::array(), interfaces = json::array(), a = json::array(), b = json::array();
        const auto device = [&](int id, const char* name, const char* role) {
            devices.push_back({{"id", id},
                               {"name", name},
                               {"device_type", {{"id", id}, {"model", name}, {"slug", name}}},
                               {"role", {{"slug", role}}},
                               {"site", "S"}});
        };
        const auto port = [&](int owner, int id, const std::string& name, const char* type) {
            interfaces.push_back({{"id", id}, {"device", {{"id", owner}}}, {"name", name}, {"type", type}, {"mgmt_only", false}});
            return json{{"object_type", "dcim.interface"}, {"object_id", id}};
        };
        device(1, "sw", "leaf"), device(2, "box", "server");
        for (int n = 1; n <= 2; ++n) a.push_back(port(1, 10 + n, "swp" + std::to_string(n), "800gbase-x-osfp"));
        for (int n = 1; n <= 8; ++n) b.push_back(port(2, 20 + n, "nic" + std::to_string(n), "200gbase-x-qsfp56"));
        shuffle["devices"] = devices, shuffle["interfaces"] = interfaces;
        shuffle["cables"] =
            json::array({{{"id", 1}, {"a_terminations", a}, {"b_terminations", b}, {"profile", {{"value", "breakout-2c4p-8c1p-shuffle"}}}}});
        const auto plan = planText("shuffle.json", shuffle.dump());
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        const auto links = Look(*plan).links(Medium::Data);
        QCOMPARE(links.size(), std::size_t(8));
        for (const char* link :
             {"box:nic1 > sw:swp1s1", "box:nic2 > sw:swp1s2", "box:nic5 > sw:swp1s3", "box:nic3 > sw:swp2s1", "box:nic8 > sw:swp2s4"})
            QVERIFY2(links.contains(link), link);
    }

    /// Coolant of 4.7: a source feeds the rack's distribution unit, which feeds a server.
    void cooling()
    {
        json all = bundle();
        all["devices"].push_back({{"id", 90},
                                  {"name", "cdu1"},
                                  {"device_type", {{"id", 90}, {"model", "CDU 100"}, {"slug", "acme-cdu"}}},
                                  {"role", {{"slug", "cdu"}}},
                                  {"site", {{"id", 1}}},
                                  {"location", {{"id", 2}}},
                                  {"rack", {{"id", 1}}}});
        all["cooling-sources"] = json::array({{{"id", 1},
                                               {"site", {{"id", 1}}},
                                               {"location", {{"id", 2}}},
                                               {"name", "CH-1"},
                                               {"type", {{"value", "chiller"}}},
                                               {"fluid_type", {{"value", "water"}}},
                                               {"cooling_capacity", "500.00"}}});
        all["cooling-feeds"] = json::array({{{"id", 1}, {"cooling_source", {{"id", 1}}}, {"rack", {{"id", 1}}}, {"name", "CF-1"}}});
        all["cooling-outflows"] = json::array({{{"id", 5}, {"device", {{"id", 90}}}, {"name", "out"}}});
        all["cooling-intakes"] = json::array({{{"id", 6}, {"device", {{"id", 90}}}, {"name", "in"}, {"cooling_outflow", nullptr}},
                                              {{"id", 7}, {"device", {{"id", 1}}}, {"name", "cold"}, {"cooling_outflow", {{"id", 5}}}}});
        const auto plan = planText("cool.json", all.dump());
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        const Look look(*plan);
        QCOMPARE(look.links(Medium::Coolant), (std::set<std::string>{"cdu1:in > CH-1:feed-1", "gpu01:cold > cdu1:out"}));
        const DeviceSpec& chiller = look.figures->parts->device(look.design->devices.type[look.device("CH-1")]);
        QCOMPARE(chiller.cooling.element, CoolingElement::Chiller);
        QCOMPARE(toWatts(chiller.capacity.value), 500'000.0);
        QCOMPARE(look.slug("gpu01"), std::string("acme-gpu-box-8")); // made with its connection
    }

    /// Cut text, missing keys, other types, odd numbers: a plan or an error, never a crash, never a guess about a list.
    void mutations()
    {
        const std::string whole = bundle().dump();
        std::mt19937 random(20260901);
        for (int i = 0; i < 60; ++i) (void)planText("cut.json", whole.substr(0, random() % whole.size()));
        const json odd[] = {nullptr,        "",
                            "x\n\"{}",      -1,
                            1e300,          123456789012345,
                            true,           json::array(),
                            json::object(), json::array({nullptr}),
                            {{"id", -5}},   {{"value", nullptr}}};
        for (int i = 0; i < 250; ++i) {
            json all = bundle();
            for (int changes = 0; changes < 4; ++changes) {
                auto list = std::next(all.begin(), std::ptrdiff_t(random() % all.size()));
                if (!list->is_array() || list->empty()) continue;
                json& object = (*list)[random() % list->size()];
                if (!object.is_object() || object.empty()) continue;
                auto member = std::next(object.begin(), std::ptrdiff_t(random() % object.size()));
                json* value = &*member;
                while ((value->is_object() || value->is_array()) && !value->empty() && random() % 3 != 0)
                    value = &*std::next(value->begin(), std::ptrdiff_t(random() % value->size()));
                switch (random() % 3) {
                case 0: object.erase(member); break;
                case 1: *value = odd[random() % std::size(odd)]; break;
                default: (*list)[random() % list->size()] = odd[random() % std::size(odd)]; break;
                }
            }
            const auto plan = planText("site.json", all.dump());
            if (!plan) QVERIFY(plan.error().code == ErrorCode::Unreadable || plan.error().code == ErrorCode::Usage);
            if (plan && i % 10 == 0) {
                const auto figures = hw::figuresOf(plan->after);
                QVERIFY2(figures.has_value(), figures ? "" : figures.error().text().c_str());
            }
        }
    }

    /// A whole design of two segments out and in: the same links, places, figures, and the same simulation.
    void wholeDesign()
    {
        const auto before = hpnOf({{"segments", "2"}, {"backup_hosts", "2"}, {"tor_uplinks", "8"}});
        QVERIFY(before != nullptr);
        const std::string file = write("whole.json", answersOf(before).dump());
        const auto plan = planFile(file);
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        const Look look(*plan);
        const Snapshot &a = *before->snapshot, &b = *look.design;
        QVERIFY2(plan->left == 0, textOfPlan(*plan).c_str());
        QCOMPARE(b.devices.size(), a.devices.size());
        QCOMPARE(b.racks.size(), a.racks.size());
        const auto links = [](const Snapshot& s, const ProjectParts& parts) {
            std::set<std::string> names;
            s.links.forEach([&](LinkId id) {
                if (s.ports.medium[s.links.from[id]] != Medium::Coolant)
                    names.insert(std::ranges::min(entityName(s, parts, ref(s.links.from[id])), entityName(s, parts, ref(s.links.to[id]))) + " - " +
                                 std::ranges::max(entityName(s, parts, ref(s.links.from[id])), entityName(s, parts, ref(s.links.to[id]))));
            });
            return names;
        };
        const auto was = links(a, *before->parts), now = links(b, *look.figures->parts);
        std::vector<std::string> lost;
        std::ranges::set_difference(was, now, std::back_inserter(lost));
        QVERIFY2(lost.empty(), (std::to_string(lost.size()) + " lost, such as " + (lost.empty() ? "" : lost.front())).c_str());
        QCOMPARE(now.size(), was.size());
        // everything is where it was
        const auto where = [](const Snapshot& s, const Figures& f) {
            std::map<std::string, std::string> all;
            const auto text = [](const Box& box, Point from) {
                return std::to_string(box.low.x - from.x) + "," + std::to_string(box.low.y - from.y) + "," + std::to_string(box.low.z) + " " +
                       std::to_string(box.high.x - from.x) + "," + std::to_string(box.high.y - from.y);
            };
            s.racks.forEach(
                [&](RackId id) { all[s.racks.name[id]] = text(f.placement->rack(id), f.placement->hall(s.rows.hall[s.racks.row[id]]).low); });
            s.devices.forEach([&](DeviceId id) {
                const auto hall = s.devices.rack[id]  ? s.rows.hall[s.racks.row[*s.devices.rack[id]]]
                                  : s.devices.row[id] ? s.rows.hall[*s.devices.row[id]]
                                                      : *s.devices.hall[id];
                all[s.devices.name[id]] =
                    text(f.placement->device(s, *f.parts, id), f.placement->hall(hall).low) + s.partTypes.slug[s.devices.type[id]];
            });
            return all;
        };
        const auto placed = where(a, *before), found = where(b, *look.figures);
        for (const auto& [name, at] : placed) {
            const auto there = found.find(name);
            QVERIFY2(there != found.end() && there->second == at, (name + ": " + at + " / " + (there == found.end() ? "-" : there->second)).c_str());
        }

        // as a project: reported and simulated as before
        const QString first = m_folder.filePath("before.hall"), second = m_folder.filePath("after.hall"), json = m_folder.filePath("whole.json");
        QCOMPARE(runCli({"new", "hpn", "-o", first, "--set", "segments=2", "--set", "backup_hosts=2", "--set", "tor_uplinks=8"}).code, 0);
        QCOMPARE(runCli({"new", "empty", "-o", second}).code, 0);
        const CliRun imported = runCli({"import", "netbox", json, "--into", second});
        QVERIFY2(imported.code == 0, imported.error.constData());
        const auto one = runCli({"report", first, "--json"}).json(), other = runCli({"report", second, "--json"}).json();
        QCOMPARE(other["accelerators"].dump(), one["accelerators"].dump());
        QCOMPARE(other["servers"].dump(), one["servers"].dump());
        const double was_w = one["power"]["it_w"].get<double>(), now_w = other["power"]["it_w"].get<double>();
        QVERIFY2(std::abs(now_w - was_w) < 0.02 * was_w,
                 (std::to_string(was_w) + " W, " + std::to_string(now_w) + " W").c_str()); // modules are chosen again
        const auto backend = [](const nlohmann::json& report) {
            for (const auto& network : report["networks"])
                if (network["name"] == "backend") return network;
            return nlohmann::json();
        };
        QVERIFY(backend(other)["connected"] == true);
        QCOMPARE(backend(other)["links"].dump(), backend(one)["links"].dump());
        const QString scenario = QString::fromStdString(write("ring.json", R"({"workload": "ring-allreduce", "bytes": 1000000})"));
        const CliRun ring = runCli({"simulate", first, "--scenario", scenario, "--json"}),
                     again = runCli({"simulate", second, "--scenario", scenario, "--json"});
        QVERIFY2(ring.code == 0 && again.code == 0, (ring.error + again.error).constData());
        QVERIFY(!ring.out.isEmpty());
    }

    void commandLine()
    {
        const QString file = m_folder.filePath("cli.hall");
        QCOMPARE(runCli({"new", "empty", "-o", file}).code, 0);
        const CliRun dry = runCli(
            {"import", "netbox", QString::fromStdString(kApi), "--library", QString::fromStdString(kLibrary), "--into", file, "--dry-run", "--json"});
        QCOMPARE(dry.code, 0);
        QCOMPARE(dry.json()["schema"].get<std::string>(), std::string("hallwright.import-plan/1"));
        QCOMPARE(runCli({"report", file, "--json"}).json()["racks"]["total"].get<int>(), 0);
        QCOMPARE(runCli({"import", "netbox", QString::fromStdString(kApi), "--library", QString::fromStdString(kLibrary), "--into", file}).code, 0);
        QCOMPARE(runCli({"report", file, "--json"}).json()["racks"]["total"].get<int>(), 2);
        QCOMPARE(runCli({"import", "netbox", QString::fromStdString(kApi), "--site", "Elsewhere", "--into", file}).code, 2);
        QCOMPARE(runCli({"import", "netbox", m_folder.filePath("none"), "--into", file}).code, 4);
        QCOMPARE(runCli({"import", "netbox", "http://127.0.0.1:1/", QString::fromStdString(kApi), "--into", file}).code, 2);
    }

    // --- the API

    void servers_data()
    {
        QTest::addColumn<QString>("version");
        for (const char* version : {"4.4.10", "4.5.9", "4.6.8", "4.7.0-beta1"}) QTest::newRow(version) << version;
    }
    void servers()
    {
        QFETCH(QString, version);
        NetboxServer server({.version = version.toStdString(), .mostPerPage = 3}); // pages, though 500 were asked for
        const int minor = version[2].digitValue();
        seed(server, minor);
        qputenv("HALLWRIGHT_NETBOX_TOKEN", minor >= 5 ? NetboxServer::kReadOnly2 : NetboxServer::kReadOnly);
        const auto plan = planServer(server);
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        const Look look(*plan);
        QCOMPARE(look.design->racks.size(), std::size_t(3));
        QCOMPARE(look.design->devices.size(), std::size_t(3));
        QCOMPARE(look.links(Medium::Data).size(), std::size_t(4));
        QVERIFY(look.links(Medium::Data).contains("host1:nic3 > leaf1:swp3"));
        QCOMPARE(look.design->racks.along[look.rack("R2")].count(), 1200);
        QVERIFY(textOfPlan(*plan).find("NetBox " + version.toStdString()) != std::string::npos);
        QCOMPARE(server.writes(), 0);
        for (const auto& request : server.requests()) {
            QCOMPARE(request.method, std::string("GET"));
            QVERIFY(request.path.ends_with('/') && request.query.size() < 8'000);
            QVERIFY(request.query.find("limit=0&") == std::string::npos);
        }
        for (const auto& ignored : server.ignored()) QVERIFY2(false, ignored.c_str());
        // one site: components are asked for by device
        server.forgetRequests();
        const auto one = planServer(server, {{"site", "campus-b"}});
        QVERIFY2(one.has_value(), one ? "" : one.error().text().c_str());
        QCOMPARE(one->after->racks.size(), std::size_t(1));
        QCOMPARE(one->after->devices.size(), std::size_t(1));
        bool byDevice = false;
        for (const auto& request : server.requests())
            byDevice = byDevice || (request.path == "/api/dcim/interfaces/" && request.query.find("device_id=3") != std::string::npos);
        QVERIFY(byDevice);
        for (const auto& ignored : server.ignored()) QVERIFY2(false, ignored.c_str());
    }

    void longListsOfDevices()
    {
        NetboxServer server;
        seed(server, 6);
        for (int n = 0; n < 130; ++n)
            server.post("dcim/devices",
                        {{"name", "x" + std::to_string(n)}, {"device_type", 1}, {"role", 1}, {"site", 2}, {"location", 2}, {"status", "planned"}});
        qputenv("HALLWRIGHT_NETBOX_TOKEN", NetboxServer::kReadOnly);
        const auto plan = planServer(server, {{"location", "Other hall"}});
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        QCOMPARE(plan->after->devices.size(), std::size_t(131));
        std::size_t calls = 0;
        for (const auto& request : server.requests()) {
            calls += request.path == "/api/dcim/interfaces/";
            QVERIFY(request.query.size() < 8'000);
        }
        QVERIFY(calls >= 3);
        QVERIFY(textOfPlan(*plan).find("130 devices without rack and position: not placed") != std::string::npos);
    }

    void refusalsAndWrongAnswers()
    {
        NetboxServer server;
        seed(server, 6);
        qunsetenv("HALLWRIGHT_NETBOX_TOKEN");
        const auto none = planServer(server);
        QVERIFY(!none && none.error().code == ErrorCode::Refused);
        QVERIFY(words(none.error().todo).find("HALLWRIGHT_NETBOX_TOKEN") != std::string::npos);
        qputenv("HALLWRIGHT_NETBOX_TOKEN", "wrong");
        QVERIFY(!planServer(server));
        qputenv("HALLWRIGHT_NETBOX_TOKEN", NetboxServer::kReadOnly);

        // a list that the token may not view is named; without devices there is nothing
        server.intercept([](const NetboxRequest& request) -> std::optional<NetboxReply> {
            if (request.path != "/api/dcim/power-feeds/") return std::nullopt;
            return NetboxReply{403, {{"detail", "You do not have permission to perform this action."}}};
        });
        const auto part = planServer(server);
        QVERIFY(part.has_value() && textOfPlan(*part).find("power-feeds/: no view permission for this list") != std::string::npos);
        server.intercept([](const NetboxRequest& request) -> std::optional<NetboxReply> {
            return request.path == "/api/dcim/devices/" ? std::optional(NetboxReply{403, {{"detail", "no"}}}) : std::nullopt;
        });
        QCOMPARE(planServer(server).error().code, ErrorCode::Refused);

        // busy twice, then there
        int busy = 0;
        server.intercept([&](const NetboxRequest& request) -> std::optional<NetboxReply> {
            if (request.path == "/api/dcim/racks/" && ++busy <= 2) return NetboxReply{503, {{"detail", "busy"}}};
            if (request.path == "/api/dcim/sites/" && ++busy <= 1) return NetboxReply{200, {}, {}, true};
            return std::nullopt;
        });
        QVERIFY(planServer(server).has_value());
        server.intercept([](const NetboxRequest&) -> std::optional<NetboxReply> { return NetboxReply{503, {{"detail", "busy"}}}; });
        QCOMPARE(planServer(server).error().code, ErrorCode::Unreadable);

        // wrong answers: no list, another program, a redirection, a list of nonsense
        for (const json& answer : {json("hello"), json::array({1, 2}), json{{"results", "none"}}, json{{"count", 3}}}) {
            server.intercept([&](const NetboxRequest& request) -> std::optional<NetboxReply> {
                return request.path == "/api/dcim/interfaces/" ? std::optional(NetboxReply{200, answer}) : std::nullopt;
            });
            const auto wrong = planServer(server);
            QVERIFY(!wrong && wrong.error().code == ErrorCode::Unreadable && wrong.error().where.find("/api/dcim/interfaces/") != std::string::npos);
        }
        server.intercept([](const NetboxRequest& request) -> std::optional<NetboxReply> {
            if (request.path != "/api/dcim/devices/") return std::nullopt;
            return NetboxReply{
                200,
                {{"count", 5}, {"next", "http://inner:8000/api/dcim/devices/?limit=2"}, {"results", json::array({nullptr, 7, {{"id", "x"}}, "y"})}}};
        });
        const auto nonsense = planServer(server); // left out and counted
        QVERIFY(nonsense.has_value() && nonsense->left >= 3);
        server.intercept([](const NetboxRequest&) -> std::optional<NetboxReply> {
            return NetboxReply{302, json::object(), {{"Location", "https://other/"}}};
        });
        QVERIFY(planServer(server).error().text().find("redirects") != std::string::npos);
        server.intercept([](const NetboxRequest&) -> std::optional<NetboxReply> { return NetboxReply{200, {{"django-version", "5"}}}; });
        QVERIFY(planServer(server).error().text().find("does not report a NetBox version") != std::string::npos);
        QCOMPARE(server.writes(), 0);
    }

    /// `next` names an inner host: pages are asked for at the address that was given.
    void ownPages()
    {
        NetboxServer server({.mostPerPage = 2});
        seed(server, 6);
        qputenv("HALLWRIGHT_NETBOX_TOKEN", NetboxServer::kReadOnly);
        server.intercept([&](const NetboxRequest& request) -> std::optional<NetboxReply> {
            if (request.query.find("start=") != std::string::npos) return NetboxReply{400, {{"detail", "unknown parameter: start"}}};
            return std::nullopt;
        });
        const auto plan = planServer(server); // then with offsets
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        QCOMPARE(Look(*plan).links(Medium::Data).size(), std::size_t(4));
    }

    void stops()
    {
        NetboxServer server;
        seed(server, 6);
        qputenv("HALLWRIGHT_NETBOX_TOKEN", NetboxServer::kReadOnly);
        std::stop_source stop;
        server.intercept([&](const NetboxRequest& request) -> std::optional<NetboxReply> {
            if (request.path == "/api/dcim/devices/") {
                stop.request_stop();
                std::this_thread::sleep_for(std::chrono::milliseconds(200)); // slower than patience lasts
            }
            return std::nullopt;
        });
        Progress progress;
        progress.stop = stop.get_token();
        const auto plan = planServer(server, {}, progress);
        QVERIFY(!plan && plan.error().code == ErrorCode::Canceled);
        QCOMPARE(planOf("http://127.0.0.1:1").error().code, ErrorCode::Unreadable); // nobody there
        QCOMPARE(planOf("http://user:secret@host/").error().code, ErrorCode::Usage);
    }
};

QTEST_GUILESS_MAIN(TestNetboxImport)
#include "test_netbox_import.moc"

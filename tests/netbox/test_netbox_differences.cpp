// SPDX-License-Identifier: GPL-3.0-or-later
// What differs between a design and a NetBox, row by row, and either side taken.
#include "importers/netbox_export/differences.h"
#include "tests/netbox/designs.h"
#include "tests/netbox/netbox_server.h"

#include <QTemporaryDir>
#include <QTest>

using namespace hw;
using namespace hw::netbox;
using nlohmann::json;

namespace {

const Difference* rowOf(const std::vector<Difference>& rows, const std::string& name, const std::string& field)
{
    for (const auto& row : rows)
        if (row.name == name && row.field == field) return &row;
    return nullptr;
}

} // namespace

class TestNetboxDifferences : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    FiguresPtr m_design;
    std::unique_ptr<NetboxServer> m_server;

    [[nodiscard]] Target target() const { return {m_server->url(), {}, {}, false, {}, {}}; }
    [[nodiscard]] std::filesystem::path project() const { return m_folder.filePath("a.hall").toStdString(); }

private slots:
    void initTestCase()
    {
        qputenv("HALLWRIGHT_NETBOX_TOKEN", NetboxServer::kToken);
        m_design = designOf("fat-tree-2", {{"segments", "1"}});
        QVERIFY(m_design);
    }

    /// A server that has the whole design.
    void init()
    {
        m_server = std::make_unique<NetboxServer>();
        auto session = planned(*m_design, target(), {});
        QVERIFY2(session.has_value(), session ? "" : session.error().text().c_str());
        const auto written = writeTo(**session, target(), project(), {});
        QVERIFY2(written.has_value(), written ? "" : written.error().text().c_str());
    }
    void cleanup() { m_server.reset(); }

    void equalSidesHaveNoRows()
    {
        const auto session = planned(*m_design, target(), {});
        QVERIFY(session.has_value());
        const auto rows = differencesOf(**session);
        QVERIFY2(rows.empty(), differencesText(rows).c_str());
        QVERIFY(differencesJson(**session, rows)["differences"] == 0);
    }

    void valuesOfNetboxGoIntoTheDesignInOneStep()
    {
        const Snapshot& s = *m_design->snapshot;
        json device, cable, rack = m_server->get("dcim/racks").front();
        for (const json& one : m_server->get("dcim/devices"))
            if (one["position"].is_number() && device.is_null()) device = one;
        for (const json& one : m_server->get("dcim/cables"))
            if (one["a_terminations"][0]["object_type"] == "dcim.interface" && one["length"].is_number() && cable.is_null()) cable = one;
        QVERIFY(!device.is_null() && !cable.is_null());
        QVERIFY(m_server->patch("dcim/devices", device["id"], {{"serial", "SN-1"}}).contains("id"));
        int unit = 0;
        for (int u = 1; u <= 48 && unit == 0; ++u)
            if (u != device["position"].get<int>() && m_server->patch("dcim/devices", device["id"], {{"position", u}}).contains("id")) unit = u;
        QVERIFY(unit > 0);
        QVERIFY(m_server->patch("dcim/cables", cable["id"], {{"length", 77.5}}).contains("id"));
        const int x = rack["custom_fields"]["hall_x_mm"].get<int>() + 40;
        QVERIFY(m_server->patch("dcim/racks", rack["id"], {{"custom_fields", {{"hall_x_mm", x}}}}).contains("id"));

        const auto session = planned(*m_design, target(), {});
        QVERIFY(session.has_value());
        const auto rows = differencesOf(**session);
        QCOMPARE(rows.size(), std::size_t(4));
        const std::string name = device["name"], label = cable["label"];
        const Difference* position = rowOf(rows, name, "position");
        QVERIFY(position && position->toDesign && position->toNetbox);
        QCOMPARE(position->netbox, std::to_string(unit));
        QVERIFY(rowOf(rows, name, "serial") && rowOf(rows, label, "length") && rowOf(rows, rack["name"], "custom_fields.hall_x_mm"));

        const auto all = chosenRows("all", rows, &Difference::toDesign);
        QVERIFY(all && all->size() == 4);
        Document document(m_design->snapshot);
        {
            auto transaction = document.begin("take");
            const auto done = takeFromNetbox(transaction, **session, rows, *all);
            QVERIFY2(done.has_value(), done ? "" : done.error().text().c_str());
            transaction.commit();
        }
        const Snapshot& now = *document.snapshot();
        for (const DeviceId id : now.devices.ids())
            if (now.devices.name[id] == name) QVERIFY(now.devices.u[id] == unit && now.devices.serial[id] == "SN-1");
        const auto figures = figuresOf(document.snapshot());
        QVERIFY(figures.has_value());
        const auto again = planned(**figures, target(), {});
        QVERIFY(again.has_value());
        const auto left = differencesOf(**again); // lengths of other cables follow the rack
        QVERIFY(!rowOf(left, name, "position") && !rowOf(left, name, "serial") && !rowOf(left, label, "length") &&
                !rowOf(left, rack["name"], "custom_fields.hall_x_mm"));
        QVERIFY(document.undo());
        QVERIFY(!document.canUndo());
        QCOMPARE(document.snapshot()->devices.serial[s.devices.ids().front()], s.devices.serial[s.devices.ids().front()]);
    }

    void chosenRowsOfTheDesignGoToNetbox()
    {
        auto changed = std::make_shared<Snapshot>(*m_design->snapshot);
        const auto ids = changed->devices.ids();
        changed->devices.serial.set(ids[0], "S-0");
        changed->devices.serial.set(ids[1], "S-1");
        const auto figures = figuresOf(changed);
        auto session = planned(**figures, target(), {});
        QVERIFY(session.has_value());
        const auto rows = differencesOf(**session);
        QCOMPARE(rows.size(), std::size_t(2));
        const auto second = chosenRows("2", rows, &Difference::toNetbox);
        QVERIFY(second.has_value());
        const auto done = takeFromDesign(**session, rows, *second, target(), project(), {});
        QVERIFY2(done.has_value(), done ? "" : done.error().text().c_str());
        std::size_t serials = 0;
        for (const json& one : m_server->get("dcim/devices")) serials += one["serial"] == rows[1].design;
        QCOMPARE(serials, std::size_t(1));
        const auto again = planned(**figures, target(), {});
        QCOMPARE(differencesOf(**again).size(), std::size_t(1));
    }

    void whatOneSideLacksIsListedAndANewDeviceBringsWhatItNeeds()
    {
        // a rack of NetBox alone, and a device of the design alone, with its cables
        const json site = m_server->get("dcim/sites").front(), type = m_server->get("dcim/rack-types").front(),
                   location = m_server->get("dcim/locations").back();
        QVERIFY(m_server->post("dcim/racks", {{"site", site["id"]}, {"location", location["id"]}, {"name", "by-hand"}, {"rack_type", type["id"]}})
                    .contains("id"));
        const json cable = m_server->get("dcim/cables").front();
        QVERIFY(m_server->remove("dcim/cables", cable["id"]));
        auto session = planned(*m_design, target(), {});
        QVERIFY(session.has_value());
        const auto rows = differencesOf(**session);
        QCOMPARE(rows.size(), std::size_t(2));
        QVERIFY(rows[0].kind == DifferenceKind::NetboxOnly && rows[0].name == "by-hand" && !rows[0].toDesign && !rows[0].toNetbox);
        QVERIFY(rows[1].kind == DifferenceKind::DesignOnly && rows[1].name == cable["label"] && rows[1].toNetbox);
        QCOMPARE(chosenRows("1", rows, &Difference::toNetbox).error().code, ErrorCode::Refused);
        QCOMPARE(chosenRows("3", rows, &Difference::toNetbox).error().code, ErrorCode::Usage);
        QCOMPARE(chosenRows("1-", rows, &Difference::toNetbox).error().code, ErrorCode::Usage);
        const auto done = takeFromDesign(**session, rows, *chosenRows("all", rows, &Difference::toNetbox), target(), project(), {});
        QVERIFY2(done.has_value(), done ? "" : done.error().text().c_str());
        QCOMPARE(differencesOf(**planned(*m_design, target(), {})).size(), std::size_t(1));
    }
};

QTEST_GUILESS_MAIN(TestNetboxDifferences)
#include "test_netbox_differences.moc"

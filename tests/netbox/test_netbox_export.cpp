// SPDX-License-Identifier: GPL-3.0-or-later
// A design to a server that checks what NetBox checks: complete, in order, twice the same, broken off and gone on.
#include "core/foundation/files/csv_table.h"
#include "importers/netbox_export/netbox_export.h"
#include "tests/netbox/designs.h"
#include "tests/netbox/netbox_server.h"

#include <QTemporaryDir>
#include <QTest>
#include <fstream>

using namespace hw;
using nlohmann::json;

namespace {

/// An export as the command runs it.
struct NetboxRun {
    FiguresPtr figures;
    std::filesystem::path project;
    std::unique_ptr<exchange::Exporter> exporter = netbox::netboxExporter();

    Result<exchange::RemoteExporter::Outcome> operator()(exchange::FormatChoices choices, const Progress& progress = {}) const
    {
        const auto job = jobOf(std::move(choices));
        return dynamic_cast<const exchange::RemoteExporter&>(*exporter).send(job, progress);
    }
    [[nodiscard]] exchange::ExportJob jobOf(exchange::FormatChoices choices, const std::filesystem::path& output = {}) const
    {
        return {
            project,           [this] { return Result<SnapshotPtr>(figures->snapshot); }, [this] { return Result<FiguresPtr>(figures); }, output, {},
            std::move(choices)};
    }
};

std::string firstLines(const std::set<std::string>& all)
{
    std::string out;
    for (const auto& one : all) out += one + '\n';
    return out;
}

std::size_t created(const std::vector<NetboxRequest>& requests)
{
    std::size_t n = 0;
    for (const auto& one : requests)
        if (one.method == "POST") {
            const json body = json::parse(one.body, nullptr, false);
            n += body.is_array() ? body.size() : 0;
        }
    return n;
}

} // namespace

class TestNetboxExport : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    FiguresPtr m_design;

    NetboxRun run(const FiguresPtr& figures, const char* name) const
    {
        return {figures, std::filesystem::path(m_folder.filePath(name).toStdString())};
    }

private slots:
    void initTestCase()
    {
        qputenv("HALLWRIGHT_NETBOX_TOKEN", NetboxServer::kToken);
        m_design = designOf("fat-tree-2", {{"segments", "1"}});
        QVERIFY(m_design);
    }

    void aBranchTakesAllAndASecondRunNothing()
    {
        NetboxServer server({.branching = true});
        const auto send = run(m_design, "branch.hall");
        const auto dry = send({{"url", server.url()}, {"branch", "plan"}, {"dry-run", "yes"}});
        QVERIFY2(dry.has_value(), dry ? "" : dry.error().text().c_str());
        QVERIFY2(dry->done, words(dry->report).c_str());
        QCOMPARE(server.writes(), 0);
        const auto sent = send({{"url", server.url()}, {"branch", "plan"}});
        QVERIFY2(sent.has_value(), sent ? "" : sent.error().text().c_str());
        QVERIFY2(sent->done, words(sent->report).c_str());
        QVERIFY2(server.ignored().empty(), firstLines(server.ignored()).c_str());
        const std::string schema = server.get("plugins/branching/branches").front()["schema_id"];
        const Snapshot& s = *m_design->snapshot;
        QCOMPARE(server.count("dcim/racks", schema), std::size_t(s.racks.size()));
        QCOMPARE(server.count("dcim/racks"), std::size_t(0)); // nothing in main
        QCOMPARE(server.count("dcim/devices", schema) + server.count("dcim/power-panels", schema), std::size_t(s.devices.size()));
        QVERIFY(server.count("dcim/cables", schema) > 0);
        QVERIFY(server.count("extras/custom-fields") > 0); // those are never in a branch
        for (const json& one : server.get("dcim/devices", schema)) QVERIFY(one["status"]["value"] == "planned");
        for (const json& one : server.get("dcim/cables", schema)) QVERIFY(one["status"]["value"] == "planned" && !one["a_terminations"].empty());
        for (const auto& request : server.requests())
            QVERIFY(request.method == "GET" || request.branch == schema || request.path.starts_with("/api/extras/custom-fields") ||
                    request.path.starts_with("/api/plugins/"));
        server.forgetRequests();
        const auto again = send({{"url", server.url()}, {"branch", "plan"}});
        QVERIFY2(again && again->done, again ? words(again->report).c_str() : again.error().text().c_str());
        QCOMPARE(server.writes(), 0);
        QVERIFY(words(again->report).find("Created: 0. Changed: 0.") != std::string::npos);
    }

    void mainIsWrittenOnRequestOnly()
    {
        NetboxServer server;
        const auto send = run(m_design, "main.hall");
        const auto refused = send({{"url", server.url()}});
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::Usage);
        QVERIFY(refused.error().text().find("--to-main") != std::string::npos);
        const auto noPlugin = send({{"url", server.url()}, {"branch", "plan"}});
        QVERIFY(!noPlugin);
        QVERIFY2(noPlugin.error().text().find("netbox-branching is not installed") != std::string::npos, noPlugin.error().text().c_str());
        QCOMPARE(server.writes(), 0);
    }

    void everyRelease_data()
    {
        QTest::addColumn<QString>("version");
        for (const char* version : {"4.4.10", "4.5.5", "4.6.8", "4.7.0-beta1"}) QTest::newRow(version) << QString(version);
    }
    void everyRelease()
    {
        QFETCH(QString, version);
        NetboxServer server({.version = version.toStdString()});
        const auto send = run(m_design, "release.hall");
        const auto sent = send({{"url", server.url()}, {"to-main", "yes"}, {"cords", "yes"}});
        QVERIFY2(sent && sent->done, sent ? words(sent->report).c_str() : sent.error().text().c_str());
        QVERIFY2(server.ignored().empty(), firstLines(server.ignored()).c_str());
        QCOMPARE(server.count("dcim/racks"), std::size_t(m_design->snapshot->racks.size()));
    }

    void aBrokenRunGoesOn()
    {
        NetboxServer server;
        const auto send = run(m_design, "broken.hall");
        int batches = 0;
        server.intercept([&](const NetboxRequest& request) -> std::optional<NetboxReply> {
            if (request.method == "POST" && request.path == "/api/dcim/devices/" && ++batches == 1)
                return NetboxReply{503, {{"detail", "busy"}}}; // passes
            if (request.method == "POST" && request.path == "/api/dcim/cables/") return NetboxReply{403, {{"detail", "no right"}}};
            return {};
        });
        const auto broken = send({{"url", server.url()}, {"to-main", "yes"}});
        QVERIFY(!broken);
        QVERIFY(broken.error().text().find("no right") != std::string::npos);
        const std::size_t devices = server.count("dcim/devices");
        QVERIFY(devices > 0);
        server.intercept({});
        server.forgetRequests();
        const auto done = send({{"url", server.url()}, {"to-main", "yes"}});
        QVERIFY2(done && done->done, done ? words(done->report).c_str() : done.error().text().c_str());
        QCOMPARE(server.count("dcim/devices"), devices);
        QCOMPARE(created(server.requests()), server.count("dcim/cables")); // nothing but cables
    }

    void anAnswerThatIsLostIsFoundAgain()
    {
        NetboxServer server;
        const auto send = run(m_design, "lost.hall");
        int racks = 0;
        server.intercept([&](const NetboxRequest& request) -> std::optional<NetboxReply> {
            if (request.method == "POST" && request.path == "/api/dcim/racks/" && ++racks == 1) return NetboxReply{200, {}, {}, true};
            return {};
        });
        const auto sent = send({{"url", server.url()}, {"to-main", "yes"}});
        QVERIFY2(sent && sent->done, sent ? words(sent->report).c_str() : sent.error().text().c_str());
        QCOMPARE(racks, 2);
        QCOMPARE(server.count("dcim/racks"), std::size_t(m_design->snapshot->racks.size()));
    }

    void aStopIsClean()
    {
        NetboxServer server;
        const auto send = run(m_design, "stop.hall");
        std::stop_source stop;
        server.intercept([&](const NetboxRequest& request) -> std::optional<NetboxReply> {
            if (request.method == "POST" && request.path == "/api/dcim/devices/") stop.request_stop();
            return {};
        });
        const auto stopped = send({{"url", server.url()}, {"to-main", "yes"}}, Progress{stop.get_token(), {}});
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code, ErrorCode::Canceled);
        server.intercept({});
        const auto done = send({{"url", server.url()}, {"to-main", "yes"}});
        QVERIFY2(done && done->done, done ? words(done->report).c_str() : done.error().text().c_str());
    }

    void conflictsAreNamedAndNothingIsWritten()
    {
        NetboxServer server;
        const auto send = run(m_design, "conflict.hall");
        QVERIFY(send({{"url", server.url()}, {"to-main", "yes"}})->done);
        // a port of the design is cabled elsewhere
        const json cable = server.get("dcim/cables").front();
        const std::string type = cable["a_terminations"][0]["object_type"];
        QVERIFY(server.post("dcim/sites", {{"name", "Other"}, {"slug", "other"}}).contains("id"));
        const json extra = server.post("dcim/interfaces", {{"device", 1}, {"name", "spare"}, {"type", "other"}});
        QVERIFY(extra.contains("id"));
        const json data = [&] {
            for (const json& one : server.get("dcim/cables"))
                if (one["a_terminations"][0]["object_type"] == "dcim.interface") return one;
            return json();
        }();
        QVERIFY(!data.is_null());
        QVERIFY(server.remove("dcim/cables", data["id"].get<int>()));
        const json wrong = server.post(
            "dcim/cables",
            {{"a_terminations", json::array({{{"object_type", "dcim.interface"}, {"object_id", data["a_terminations"][0]["object_id"]}}})},
             {"b_terminations", json::array({{{"object_type", "dcim.interface"}, {"object_id", extra["id"]}}})},
             {"label", "by-hand"}});
        QVERIFY2(wrong.contains("id"), wrong.dump().c_str());
        server.forgetRequests();
        const auto sent = send({{"url", server.url()}, {"to-main", "yes"}});
        QVERIFY2(sent.has_value(), sent ? "" : sent.error().text().c_str());
        QVERIFY(!sent->done);
        QVERIFY2(words(sent->report).find("by-hand") != std::string::npos, words(sent->report).c_str());
        QCOMPARE(server.writes(), 0);
    }

    void whatDiffersIsChangedAndNothingElse()
    {
        NetboxServer server;
        const auto send = run(m_design, "change.hall");
        QVERIFY(send({{"url", server.url()}, {"to-main", "yes"}})->done);
        auto moved = std::make_shared<Snapshot>(*m_design->snapshot);
        const RackId rack = moved->racks.ids().front();
        moved->racks.along.set(rack, Millimeters(moved->racks.along[rack].count() + 10));
        const auto figures = figuresOf(moved);
        QVERIFY(figures.has_value());
        server.forgetRequests();
        const auto sent = run(*figures, "change.hall")({{"url", server.url()}, {"to-main", "yes"}});
        QVERIFY2(sent && sent->done, sent ? words(sent->report).c_str() : sent.error().text().c_str());
        QVERIFY(server.writes() >= 1);
        for (const auto& request : server.requests())
            if (request.method == "PATCH" && request.path == "/api/dcim/racks/") {
                const json body = json::parse(request.body);
                QCOMPARE(body.size(), std::size_t(1));
                QVERIFY(body[0].size() == 2 && body[0].contains("custom_fields"));
            } else
                QVERIFY2(request.method == "GET" || request.path == "/api/dcim/cables/", request.path.c_str());
    }

    void aReadOnlyTokenIsRefusedAndNeverShown()
    {
        NetboxServer server;
        qputenv("HALLWRIGHT_NETBOX_TOKEN", NetboxServer::kReadOnly2);
        const auto send = run(m_design, "token.hall");
        QVERIFY(send({{"url", server.url()}, {"dry-run", "yes"}})->done); // reading is enough for that
        const auto refused = send({{"url", server.url()}, {"to-main", "yes"}});
        qputenv("HALLWRIGHT_NETBOX_TOKEN", NetboxServer::kToken);
        QVERIFY(!refused);
        QVERIFY2(refused.error().text().find("permission") != std::string::npos, refused.error().text().c_str());
        QVERIFY(refused.error().text().find("nbt_") == std::string::npos);
        std::ifstream journal(m_folder.filePath("token.hall.netbox.jsonl").toStdString());
        const std::string kept{std::istreambuf_iterator<char>(journal), {}};
        QVERIFY(kept.find("nbt_") == std::string::npos);
    }

    void whatIsNoNetboxIsSaid()
    {
        NetboxServer server;
        const auto send = run(m_design, "none.hall");
        server.intercept([](const NetboxRequest&) { return NetboxReply{200, "hello"}; });
        const auto sent = send({{"url", server.url()}, {"dry-run", "yes"}});
        QVERIFY(!sent);
        QCOMPARE(sent.error().code, ErrorCode::Unreadable);
        server.intercept([](const NetboxRequest&) { return NetboxReply{200, {{"netbox-version", "4.3.0"}}}; });
        const auto old = send({{"url", server.url()}, {"dry-run", "yes"}});
        QVERIFY(!old && old.error().text().find("4.3.0") != std::string::npos);
        for (const json& broken : {json::object(), json{{"results", 3}}, json{{"results", json::array({1, "x", nullptr})}, {"next", nullptr}}}) {
            server.intercept([&](const NetboxRequest& request) -> std::optional<NetboxReply> {
                if (request.path == "/api/status/") return {};
                return NetboxReply{200, broken};
            });
            (void)send({{"url", server.url()}, {"dry-run", "yes"}}); // no crash
        }
    }

    void filesAreNumberedInTheOrderOfImport()
    {
        const auto writer = run(m_design, "files.hall");
        const std::filesystem::path folder = m_folder.filePath("csv").toStdString();
        const auto written = writer.exporter->write(writer.jobOf({}, folder), {});
        QVERIFY2(written.has_value(), written ? "" : written.error().text().c_str());
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename().string());
        std::ranges::sort(names);
        const auto at = [&](const std::string& name) {
            return std::ranges::find_if(names, [&](const std::string& one) { return one.size() > 3 && one.substr(3) == name; }) - names.begin();
        };
        for (const char* name : {"sites.csv", "locations.csv", "device-types.yaml", "racks.csv", "devices.csv", "cables.csv"})
            QVERIFY2(std::size_t(at(name)) < names.size(), name);
        QVERIFY(at("sites.csv") < at("locations.csv") && at("locations.csv") < at("racks.csv") && at("device-types.yaml") < at("devices.csv") &&
                at("racks.csv") < at("devices.csv") && at("devices.csv") < at("cables.csv"));
        std::ifstream file(folder / names[std::size_t(at("racks.csv"))]);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        const auto table = readCsv(bytes, "racks.csv");
        QVERIFY(table.has_value());
        QCOMPARE(table->rows.size(), std::size_t(m_design->snapshot->racks.size()));
        QVERIFY(!writer.exporter->write(writer.jobOf({{"branch", "x"}}, folder), {}).has_value());
    }
};

QTEST_GUILESS_MAIN(TestNetboxExport)
#include "test_netbox_export.moc"

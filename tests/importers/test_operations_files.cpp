// SPDX-License-Identifier: GPL-3.0-or-later
// Files for those who run the hall: names for subnet managers, targets for Prometheus, dashboards for Grafana.
#include "core/operations/asbuilt/compare_output.h"
#include "importers/formats.h"
#include "importers/telemetry/mapping.h"
#include "tests/asbuilt/built_hall.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace hw;
using Json = nlohmann::json;

class TestOperationsFiles : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    static const exchange::Formats& formats()
    {
        static const auto all = [] {
            auto made = std::make_unique<exchange::Formats>();
            importers::registerFormats(*made);
            return made;
        }();
        return *all;
    }
    [[nodiscard]] std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }

    /// The file, or how it was refused.
    std::string written(const char* format, const FiguresPtr& figures, const exchange::FormatChoices& options = {}, const std::string& network = {},
                        const char* name = "out")
    {
        const auto exporter = formats().exporter(format).value();
        const exchange::ExportJob job{"x.hall", [&] { return figures->snapshot; }, [&] { return figures; }, path(name), network, options};
        if (const auto done = exporter->write(job, {}); !done) return done.error().text();
        std::ifstream in(path(name), std::ios::binary);
        std::ostringstream text;
        text << in.rdbuf();
        return text.str();
    }
    static std::vector<std::string> lines(const std::string& text)
    {
        std::vector<std::string> out;
        std::istringstream in(text);
        for (std::string line; std::getline(in, line);) out.push_back(line);
        return out;
    }
    static BuiltHall hall() { return BuiltHall::of("hpn", {{"segments", "1"}, {"tor_uplinks", "4"}, {"backup_hosts", "0"}}); }

    static void check(const QTemporaryDir& folder, const QString& program, const QStringList& arguments)
    {
        QProcess run;
        run.setWorkingDirectory(folder.path());
        run.setProcessChannelMode(QProcess::MergedChannels);
        run.start(program, arguments);
        QVERIFY(run.waitForFinished(30'000));
        QVERIFY2(run.exitCode() == 0, run.readAll().constData());
    }

private slots:
    /// Each link of the network once; read back as ports by their numbers they are the links of the design.
    void plannedLinksForUfm()
    {
        const BuiltHall built = hall();
        const Snapshot& s = built.s();
        QVERIFY(written("ufm-ndt", built.figures).find("--network: ") != std::string::npos); // nothing of the design is InfiniBand
        // Types of QM9700 cages do not say InfiniBand, its description does; the frontend is Ethernet.
        const BuiltHall quantum = BuiltHall::of("fat-tree-2", {{"segments", "1"}});
        const std::string planned = written("ufm-ndt", quantum.figures);
        QVERIFY2(planned.starts_with("#StartDevice"), planned.c_str());
        QCOMPARE(planned, written("ufm-ndt", quantum.figures, {}, "backend"));
        const std::string text = written("ufm-ndt", built.figures, {}, "backend");
        QVERIFY(text.find('\r') == std::string::npos);
        const auto rows = lines(text);
        QCOMPARE(rows.front(), std::string("#StartDevice,StartPort,EndDevice,EndPort,LinkType"));
        std::set<std::string> expected, found(rows.begin() + 1, rows.end());
        const auto end = [&](PortId port) {
            const DeviceId device = s.ports.device[port];
            const std::string own = built.port(port);
            if (s.tiers.kind[s.devices.tier[device]] == TierKind::Server) { // nic3p2
                const auto p = own.find('p', 3);
                return built.device(port) + " HCA-" + own.substr(3, p - 3) + ",Port " + (p == own.npos ? "1" : own.substr(p + 1));
            }
            int number = 0;
            const auto& interfaces = built.figures->parts->device(s.devices.type[device]).interfaces;
            std::vector<std::tuple<int, int, std::uint32_t>> all;
            s.ports.forEach([&](PortId id) {
                if (s.ports.device[id] == device && s.ports.medium[id] == Medium::Data && !interfaces[s.cages.number[s.ports.cage[id]]].management)
                    all.emplace_back(s.cages.number[s.ports.cage[id]], s.ports.lane[id], id.value);
            });
            std::ranges::sort(all);
            for (std::size_t i = 0; i < all.size(); ++i)
                if (std::get<2>(all[i]) == port.value) number = int(i) + 1;
            return built.device(port) + ",Port " + std::to_string(number);
        };
        std::size_t backend = 0;
        for (const auto& p : built.plugs) {
            if (s.networks.kind[*s.ports.network[p.a]] != NetworkKind::Backend) continue;
            if (++backend <= 40) expected.insert(end(p.b) + "," + end(p.a) + ",Data");
        }
        QVERIFY(backend > 40);
        QCOMPARE(rows.size(), backend + 1);
        for (const auto& row : expected) QVERIFY2(found.contains(row), row.c_str());
    }

    void namesForOpensm()
    {
        const BuiltHall built = hall();
        QVERIFY(written("ib-node-names", built.figures, {}, "backend").find("import ibnetdiscover") != std::string::npos);
        Snapshot learned(built.s());
        std::vector<DeviceId> switches;
        learned.devices.forEach([&](DeviceId id) {
            if (learned.tiers.kind[learned.devices.tier[id]] == TierKind::Switch && switches.size() < 2) switches.push_back(id);
        });
        for (std::size_t i = 0; i < 2; ++i) {
            const auto row = learned.hardwareIds.insert();
            learned.hardwareIds.device.set(row, switches[i]);
            learned.hardwareIds.value.set(row, i == 0 ? "0x2c5eab0300bb0001" : "02:00:00:00:00:01");
        }
        const auto text = written("ib-node-names", figuresOf(std::make_shared<const Snapshot>(std::move(learned))).value(), {}, "backend");
        QVERIFY2(text.starts_with("0x2c5eab0300bb0001 \"" + built.s().devices.name[switches[0]] + "\"\n# "), text.c_str());
        QVERIFY(text.find("\n# " + built.s().devices.name[switches[1]] + "\n") != text.npos); // a MAC is no GUID
        // The importer of captures takes it as names
        QVERIFY(text.find("nodes without a known GUID") != text.npos);
    }

    void targets()
    {
        const BuiltHall built = hall();
        const Snapshot& s = built.s();
        const std::string text = written("prometheus-sd", built.figures);
        QCOMPARE(written("prometheus-sd", built.figures), text);
        const Json all = Json::parse(text);
        std::map<std::string, std::set<std::string>> byJob;
        static const std::regex label("[a-zA-Z_][a-zA-Z0-9_]*");
        for (const auto& group : all) {
            QCOMPARE(group.size(), std::size_t(2));
            for (const auto& [name, value] : group["labels"].items())
                QVERIFY(std::regex_match(name, label) && value.is_string() && !value.get<std::string>().empty());
            for (const auto& target : group["targets"]) QVERIFY(byJob[group["labels"]["job"]].insert(target.get<std::string>()).second);
        }
        std::size_t servers = 0, switches = 0;
        s.devices.forEach([&](DeviceId id) {
            const auto kind = s.tiers.kind[s.devices.tier[id]];
            servers += kind == TierKind::Server, switches += kind == TierKind::Switch;
            if (kind != TierKind::Server || servers > 1) return;
            const auto group = std::ranges::find_if(all, [&](const Json& one) { return one["targets"][0] == s.devices.name[id] + ":9400"; });
            QVERIFY(group != all.end());
            QCOMPARE(group->at("labels").at("rack").get<std::string>(), s.racks.name[*s.devices.rack[id]]);
            QCOMPARE(group->at("labels").at("row").get<std::string>(), s.rows.name[s.racks.row[*s.devices.rack[id]]]);
            QCOMPARE(group->at("labels").at("hall").get<std::string>(), s.halls.name[s.rows.hall[s.racks.row[*s.devices.rack[id]]]]);
        });
        QVERIFY(servers > 0 && byJob["dcgm"].size() == servers && byJob["node"].size() == servers && byJob["ipmi"].size() == servers);
        QCOMPARE(byJob["snmp-switch"].size(), switches);
        QVERIFY(!byJob["snmp-pdu"].empty() && !byJob["snmp-ups"].empty());
        const Json pdus = Json::parse(written("prometheus-sd", built.figures, {{"job", "snmp-pdu\nsnmp-ups"}}));
        for (const auto& group : pdus) QVERIFY(group["labels"]["job"] == "snmp-pdu" || group["labels"]["job"] == "snmp-ups");
        QVERIFY(std::ranges::any_of(pdus, [](const Json& one) { return one["labels"].contains("feed"); }));
        const Json addresses = Json::parse(written("prometheus-sd", built.figures, {{"job", "snmp-switch"}, {"target", "address"}}));
        QVERIFY(addresses[0]["targets"][0].get<std::string>().find_first_not_of("0123456789.") == std::string::npos &&
                addresses[0]["labels"].contains("device"));
        QVERIFY(written("prometheus-sd", built.figures, {{"target", "both"}}).find("--target both") != std::string::npos);
        QVERIFY(written("prometheus-sd", built.figures, {{"job", "snmp"}}).find("--job snmp") != std::string::npos);
        const QString promtool = QStandardPaths::findExecutable("promtool");
        if (promtool.isEmpty()) QSKIP("promtool is not installed (package prometheus)");
        written("prometheus-sd", built.figures, {}, {}, "targets.json");
        std::ofstream(path("prometheus.yml")) << "scrape_configs:\n- job_name: hall\n  file_sd_configs:\n  - files: [targets.json]\n";
        check(m_folder, promtool, {"check", "config", "prometheus.yml"});
    }

    void dashboards()
    {
        const BuiltHall built = hall();
        const std::string text = written("grafana", built.figures);
        QCOMPARE(written("grafana", built.figures), text);
        const Json board = Json::parse(text);
        QVERIFY(board["id"].is_null() && board["schemaVersion"] == 39 && board["__inputs"][0]["name"] == "DS_PROMETHEUS");
        QVERIFY(board["uid"].get<std::string>().size() <= 40 && !board["uid"].get<std::string>().empty());
        std::string name;
        built.s().halls.forEach([&](HallId id) {
            if (built.s().halls.kind[id] == RoomKind::Hall) name = built.s().halls.name[id];
        });
        std::set<int> ids;
        std::set<std::pair<int, int>> cells;
        std::set<std::string> types, metrics;
        std::string rules = "groups: [{name: all, rules: [\n";
        int number = 0;
        for (const auto& panel : board["panels"]) {
            QVERIFY(ids.insert(panel["id"].get<int>()).second);
            types.insert(panel["type"]);
            const auto& grid = panel["gridPos"];
            QVERIFY(grid["x"].get<int>() + grid["w"].get<int>() <= 24);
            for (int x = 0; x < grid["w"]; ++x)
                for (int y = 0; y < grid["h"]; ++y)
                    QVERIFY(cells.insert({grid["x"].get<int>() + x, grid["y"].get<int>() + y}).second); // none over another
            if (!panel.contains("targets")) continue;
            for (const auto& target : panel["targets"]) {
                std::string expression = target["expr"];
                QVERIFY2(expression.find("{hall=\"" + name + "\", row=~\"$row\"}") != expression.npos, expression.c_str());
                static const std::regex metric("([A-Za-z_][A-Za-z0-9_]*)\\{");
                for (std::sregex_iterator at(expression.begin(), expression.end(), metric), end; at != end; ++at) metrics.insert((*at)[1]);
                for (const auto& [variable, value] : {std::pair("$row", ".*"), std::pair("$__rate_interval", "5m")})
                    for (auto at = expression.find(variable); at != expression.npos; at = expression.find(variable))
                        expression.replace(at, std::string(variable).size(), value);
                rules += fmt::format("  {{record: q{}, expr: {}}},\n", number++, Json(expression).dump());
            }
        }
        for (const char* type : {"row", "stat", "timeseries", "bargauge", "table", "alertlist"}) QVERIFY(types.contains(type));
        // Nothing is shown that is not asked for live
        std::set<std::string> known{"up"};
        const auto mappings = telemetry::mappingsOf(telemetry::Mapping::Kind::Prometheus, {});
        QVERIFY(mappings);
        for (const auto& mapping : *mappings)
            for (const auto& query : mapping.queries) known.insert(query.metric);
        for (const auto& metric : metrics) QVERIFY2(known.contains(metric), metric.c_str());
        QVERIFY(metrics.size() > 12);
        QVERIFY(written("grafana", built.figures, {{"hall", "elsewhere"}}).find("--hall elsewhere") != std::string::npos);
        const QString promtool = QStandardPaths::findExecutable("promtool");
        if (promtool.isEmpty()) QSKIP("promtool is not installed (package prometheus)");
        std::ofstream(path("rules.yml")) << rules << "]}]\n";
        check(m_folder, promtool, {"check", "rules", "rules.yml"});
    }
};

QTEST_GUILESS_MAIN(TestOperationsFiles)
#include "test_operations_files.moc"

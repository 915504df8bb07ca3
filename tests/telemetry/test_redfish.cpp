// SPDX-License-Identifier: GPL-3.0-or-later
// Redfish as vendors write it: coolant distribution units, power shelves, rack PDUs and servers, from the wire to the points of a design.
#include "importers/telemetry/redfish_readings.h"
#include "importers/telemetry/sources.h"
#include "tests/bindings/desk.h"
#include "tests/telemetry/collected.h"
#include "tests/telemetry/http_server.h"

#include <QDateTime>
#include <QTest>
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

using namespace hw;
using namespace hw::telemetry;
using namespace std::chrono_literals;

namespace {

using Resources = std::map<std::string, std::string>;

std::string redfishId(const std::string& path) { return R"({"@odata.id":")" + path + "\"}"; }
std::string redfishMembers(const std::vector<std::string>& paths, const std::string& next = {})
{
    std::string all;
    for (const auto& path : paths) all += (all.empty() ? "" : ",") + redfishId(path);
    return R"({"Members":[)" + all + "]" + (next.empty() ? "" : R"(,"Members@odata.nextLink":")" + next + "\"") + "}";
}
std::string redfishSensor(const std::string& name, const std::string& reading, const std::string& unit)
{
    return R"({"@odata.type":"#Sensor.v1_1_0.Sensor","Id":")" + name + R"(","Name":")" + name + R"(","Reading":)" + reading + R"(,"ReadingUnits":")" +
           unit + "\"}";
}
const std::string kRoot = "/redfish/v1/"; // no text

/// A unit whose firmware writes numbers in quotes and words for numbers, calls its connector A, and has a part of its own.
Resources oddCdu()
{
    const std::string sensors = kRoot + "Chassis/1/Sensors/", unit = kRoot + "ThermalEquipment/CDUs/1";
    return {
        {kRoot, R"({"Chassis":{"@odata.id":"/redfish/v1/Chassis"},"ThermalEquipment":{"@odata.id":"/redfish/v1/ThermalEquipment"}})"},
        {kRoot + "Chassis", redfishMembers({kRoot + "Chassis/1"})},
        {kRoot + "Chassis/1",
         R"({"@odata.type":"#Chassis.v1_25_0.Chassis","Id":"1","SerialNumber":"CDU-77","Sensors":{"@odata.id":"/redfish/v1/Chassis/1/Sensors"},"EnvironmentMetrics":{"@odata.id":"/redfish/v1/Chassis/1/EnvironmentMetrics"}})"},
        {kRoot + "Chassis/1/EnvironmentMetrics", R"({"PowerWatts":{"DataSourceUri":"/redfish/v1/Chassis/1/Sensors/Power","Reading":5300}})"},
        {kRoot + "Chassis/1/Sensors",
         redfishMembers({sensors + "Power", sensors + "SecondaryFlow", sensors + "SecondaryHeat", sensors + "PrimaryFlowLitersPerMinute"})},
        {sensors + "Power", redfishSensor("Power", "5300", "W")},
        {sensors + "SecondaryFlow", redfishSensor("SecondaryFlow", "812.5", "L/min")},
        {sensors + "SecondaryHeat", redfishSensor("SecondaryHeat", "600", "kW")},
        {sensors + "PrimaryFlowLitersPerMinute", redfishSensor("PrimaryFlowLitersPerMinute", "\"912.25\"", "L/min")},
        {kRoot + "ThermalEquipment", R"({"CDUs":{"@odata.id":"/redfish/v1/ThermalEquipment/CDUs"}})"},
        {kRoot + "ThermalEquipment/CDUs", redfishMembers({unit})},
        {unit, R"({"@odata.type":"#CoolingUnit.v1_1_0.CoolingUnit","Id":"1","SerialNumber":"CDU-77","CoolingCapacityWatts":1300000,
            "SecondaryCoolantConnectors":{"@odata.id":"/redfish/v1/ThermalEquipment/CDUs/1/SecondaryCoolantConnectors"},
            "EnvironmentMetrics":{"@odata.id":"/redfish/v1/ThermalEquipment/CDUs/1/EnvironmentMetrics"},"Pumps":{"@odata.id":"/redfish/v1/ThermalEquipment/CDUs/1/Pumps"},
            "Oem":{"Vendor":{"Loop":{"ConductivityMicroSiemens":{"Reading":2.5},"Bypass":{"ValvePositionPercent":{"Reading":12}}},"SetPointCelsius":31}}})"},
        {unit + "/EnvironmentMetrics",
         R"({"PowerWatts":{"DataSourceUri":"/redfish/v1/Chassis/1/Sensors/Power","Reading":5300},"DewPointCelsius":{"Reading":11}})"},
        {unit + "/SecondaryCoolantConnectors", redfishMembers({unit + "/SecondaryCoolantConnectors/A"})},
        {unit + "/SecondaryCoolantConnectors/A", R"({"@odata.type":"#CoolantConnector.v1_0_1.CoolantConnector","Id":"A","CoolantConnectorType":"Pair",
            "FlowLitersPerMinute":{"DataSourceUri":"/redfish/v1/Chassis/1/Sensors/SecondaryFlow","Reading":812.5},
            "HeatRemovedkW":{"DataSourceUri":"/redfish/v1/Chassis/1/Sensors/SecondaryHeat"},
            "SupplyTemperatureCelsius":{"Reading":"31.5"},"ReturnTemperatureCelsius":{"Reading":"Out of range"},"DeltaTemperatureCelsius":{"Reading":null}})"},
        {unit + "/Pumps", redfishMembers({unit + "/Pumps/1"})},
        {unit + "/Pumps/1", R"({"@odata.type":"#Pump.v1_2_0.Pump","Id":"1","PumpSpeedPercent":{"Reading":29,"SpeedRPM":2004},"ServiceHours":1336.67,
            "SpeedControlPercent":{"SetPoint":0,"AllowableMax":100}})"},
    };
}

/// A shelf with two inputs, as the public mockups have it: its power is said by its chassis, too.
Resources powerShelf()
{
    const std::string unit = kRoot + "PowerEquipment/PowerShelves/1";
    return {
        {kRoot, R"({"Chassis":{"@odata.id":"/redfish/v1/Chassis"},"PowerEquipment":{"@odata.id":"/redfish/v1/PowerEquipment"}})"},
        {kRoot + "Chassis", redfishMembers({kRoot + "Chassis/PowerShelf"})},
        {kRoot + "Chassis/PowerShelf",
         R"({"@odata.type":"#Chassis.v1_25_0.Chassis","SerialNumber":"SH-9","EnvironmentMetrics":{"@odata.id":"/redfish/v1/Chassis/PowerShelf/EnvironmentMetrics"}})"},
        {kRoot + "Chassis/PowerShelf/EnvironmentMetrics",
         R"({"PowerWatts":{"DataSourceUri":"/redfish/v1/Chassis/PowerShelf/Sensors/ShelfPower","Reading":6438}})"},
        {kRoot + "PowerEquipment", R"({"PowerShelves":{"@odata.id":"/redfish/v1/PowerEquipment/PowerShelves"}})"},
        {kRoot + "PowerEquipment/PowerShelves", redfishMembers({unit})},
        {unit,
         R"({"@odata.type":"#PowerDistribution.v1_3_2.PowerDistribution","SerialNumber":"SH-9","Mains":{"@odata.id":"/redfish/v1/PowerEquipment/PowerShelves/1/Mains"},
            "Outlets":{"@odata.id":"/redfish/v1/PowerEquipment/PowerShelves/1/Outlets"},"Metrics":{"@odata.id":"/redfish/v1/PowerEquipment/PowerShelves/1/Metrics"}})"},
        {unit + "/Metrics",
         R"({"PowerWatts":{"DataSourceUri":"/redfish/v1/Chassis/PowerShelf/Sensors/ShelfPower","Reading":6438,"ApparentVA":6300,"PowerFactor":0.93}})"},
        {unit + "/Mains", redfishMembers({unit + "/Mains/AC1", unit + "/Mains/AC2"})},
        {unit + "/Mains/AC1",
         R"({"NominalVoltage":"AC200To240V","Voltage":{"Reading":222.8},"CurrentAmps":{"Reading":5.68},"PowerWatts":{"Reading":897.4}})"},
        {unit + "/Mains/AC2",
         R"({"NominalVoltage":"AC200To240V","Voltage":{"Reading":221.2},"CurrentAmps":{"Reading":5.72},"PowerWatts":{"Reading":899}})"},
    };
}

/// Sensors on three pages, links as whole and as relative addresses, outlets that the account may not read.
Resources pagedPdu(const std::string& server)
{
    const std::string sensors = kRoot + "Chassis/1/Sensors", unit = kRoot + "PowerEquipment/RackPDUs/1";
    return {
        {kRoot, R"({"Chassis":{"@odata.id":"Chassis"},"PowerEquipment":{"@odata.id":")" + server + R"(/redfish/v1/PowerEquipment"}})"},
        {kRoot + "Chassis", redfishMembers({server + kRoot + "Chassis/1", "http://elsewhere/redfish/v1/Chassis/2"})},
        {kRoot + "Chassis/1", R"({"@odata.type":"#Chassis.v1_25_0.Chassis","SerialNumber":"P-1","Sensors":)" + redfishId(sensors) + "}"},
        {sensors, redfishMembers({sensors + "/T1"}, sensors + "?$skip=1")},
        {sensors + "?$skip=1", redfishMembers({sensors + "/T2"}, sensors + "?$skip=2")},
        {sensors + "?$skip=2", redfishMembers({sensors + "/T3"})},
        {sensors + "/T1", redfishSensor("T1", "21", "Cel")},
        {sensors + "/T2", redfishSensor("T2", "22", "Cel")},
        {sensors + "/T3", redfishSensor("T3", "null", "Cel")},
        {kRoot + "PowerEquipment", R"({"RackPDUs":{"@odata.id":"/redfish/v1/PowerEquipment/RackPDUs"}})"},
        {kRoot + "PowerEquipment/RackPDUs", redfishMembers({unit})},
        {unit, R"({"@odata.type":"#PowerDistribution.v1_0_1.PowerDistribution","SerialNumber":"P-1","Mains":)" + redfishId(unit + "/Mains") +
                   R"(,"Outlets":)" + redfishId(unit + "/Outlets") + R"(,"Metrics":)" + redfishId(unit + "/Metrics") + "}"},
        {unit + "/Metrics", R"({"PowerWatts":{"Reading":4200}})"},
        {unit + "/Mains", redfishMembers({unit + "/Mains/A"})},
        {unit + "/Mains/A", R"({"PolyPhaseCurrentAmps":{"Line1":{"Reading":8.1},"Line2":{"Reading":8.4},"Line3":{"Reading":7.9}},
            "PolyPhaseVoltage":{"Line1ToNeutral":{"Reading":230},"Line1ToLine2":{"Reading":398}}})"},
    };
}

/// All channels of a service, and what it was asked, until every resource was read twice.
struct Service {
    explicit Service(Resources shown, std::string wanted = {}) : resources(std::move(shown)), token(std::move(wanted)) {}
    Resources resources;
    std::string token;
    HttpServer server{[this](const HttpRequest& request) {
        if (!token.empty() && request.path != kRoot && request.token != token) return HttpReply{401, ""};
        if (request.path.ends_with("/Outlets")) return HttpReply{403, ""};
        const auto found = resources.find(request.path);
        return found == resources.end() ? HttpReply{404, ""} : HttpReply{200, found->second};
    }};
    Collected got;

    /// Why it did not start; empty: it did.
    std::string read(const std::string& withToken = {})
    {
        SourceOptions options;
        options.url = server.url(), options.access.token = withToken;
        options.interval = 100ms, options.firstWait = 50ms, options.longestWait = 100ms;
        auto source = makeRedfishSource(options);
        if (!source) return source.error().text();
        if (const auto started = (*source)->start(got); !started) return started.error().text();
        const bool twice = got.wait([&] { return got.samples.size() >= 2 * got.channels.size() && !got.channels.empty(); });
        (*source)->stop();
        return twice ? std::string() : "nothing came";
    }
    /// The last value of a resource's property.
    [[nodiscard]] std::optional<bindings::Sample> last(const std::string& property)
    {
        const auto all = got.of("//127.0.0.1:" + std::to_string(server.port()) + property);
        return all.empty() ? std::nullopt : std::optional(all.back());
    }
};

/// Points that the channels of a service are bound to, "flow primary", and how many are ambiguous or conflict.
struct Points {
    std::map<std::string, std::string> channels; ///< by point: the channel
    std::size_t ambiguous = 0, conflicting = 0;
};
Points pointsOf(const hw::test::BoundDesk& desk, const Service& service)
{
    const auto bound = desk.bind(service.got.channels);
    Points out{{}, bound->ambiguous, bound->conflicting};
    for (std::size_t i = 0; i < bound->channels.size(); ++i)
        if (bound->channels[i].point != bindings::kNoPoint) {
            const auto& point = bound->points[bound->channels[i].point];
            out.channels[std::string(wordOf(point.measure)) + (point.element.empty() ? "" : " " + point.element)] =
                service.got.channels[i].name.substr(service.got.channels[i].name.find('/', 2));
        }
    return out;
}

} // namespace

class TestRedfish : public QObject {
    Q_OBJECT
    std::unique_ptr<hw::test::BoundDesk> m_desk;

    [[nodiscard]] std::string firstDevice() const
    {
        std::string name;
        m_desk->s().devices.forEach([&](DeviceId id) { name = name.empty() ? m_desk->s().devices.name[id] : name; });
        return name;
    }
    /// It gets a serial number.
    void called(const std::string& serial)
    {
        QCOMPARE(m_desk->edit(hw::test::said("{'do': 'set', 'entity': '%1', 'column': 'serial', 'value': '%2'}", firstDevice(), serial)),
                 std::string());
    }

private slots:
    void init() { m_desk = std::make_unique<hw::test::BoundDesk>("hpn", std::map<std::string, std::int64_t>{{"segments", 1}, {"backup_hosts", 0}}); }

    void aUnitWithItsOwnIdeas()
    {
        Service service(oddCdu());
        QCOMPARE(service.read(), std::string());
        const std::string connector = "/redfish/v1/ThermalEquipment/CDUs/1/SecondaryCoolantConnectors/A#";
        QCOMPARE(service.last("/redfish/v1/Chassis/1/Sensors/PrimaryFlowLitersPerMinute#Reading")->value, 912.25); // in quotes
        QCOMPARE(service.last(connector + "SupplyTemperatureCelsius")->value, 31.5);
        QVERIFY(std::isnan(service.last(connector + "ReturnTemperatureCelsius")->value)); // a word: there is none, and the channel is known
        QVERIFY(!service.last(connector + "ReturnTemperatureCelsius")->good);
        QVERIFY(std::isnan(service.last(connector + "DeltaTemperatureCelsius")->value));
        QVERIFY(!service.last(connector + "HeatRemovedkW"));                                         // it only says where to look
        QCOMPARE(service.last("/redfish/v1/Chassis/1/Sensors/SecondaryHeat#Reading")->value, 600.0); // there
        QVERIFY(!service.last("/redfish/v1/Chassis/1/Sensors/SecondaryFlow#Reading"));               // repeated by the connector
        QVERIFY(!service.last("/redfish/v1/Chassis/1/EnvironmentMetrics#PowerWatts"));               // the unit says it itself
        QCOMPARE(service.last("/redfish/v1/ThermalEquipment/CDUs/1/Pumps/1#PumpSpeedPercent/SpeedRPM")->value, 2004.0);
        QCOMPARE(service.last("/redfish/v1/ThermalEquipment/CDUs/1#Oem/Vendor/Loop/ConductivityMicroSiemens")->value, 2.5);
        QCOMPARE(service.last("/redfish/v1/ThermalEquipment/CDUs/1#Oem/Vendor/Loop/Bypass/ValvePositionPercent")->value, 12.0);
        QVERIFY(!service.last("/redfish/v1/ThermalEquipment/CDUs/1#Oem/Vendor/SetPointCelsius"));

        called("CDU-77");
        const auto points = pointsOf(*m_desk, service);
        QVERIFY(points.ambiguous == 0 && points.conflicting == 0);
        QCOMPARE(points.channels.at("active-power"), std::string("/redfish/v1/ThermalEquipment/CDUs/1/EnvironmentMetrics#PowerWatts"));
        QCOMPARE(points.channels.at("flow"), connector + "FlowLitersPerMinute");
        QCOMPARE(points.channels.at("flow primary"), std::string("/redfish/v1/Chassis/1/Sensors/PrimaryFlowLitersPerMinute#Reading"));
        QVERIFY(points.channels.contains("supply-temperature") && points.channels.contains("dew-point") &&
                points.channels.contains("pump-speed pump1"));
    }

    /// Two pairs of connectors say one point: neither is taken for the whole unit.
    /// Sensors that a report names are asked once, and then it is: one question for all of them. What it says of a GPU that no resource here
    /// shows comes, too; where it is old, the sensor itself is asked.
    void reportsSayManyAtOnce()
    {
        const std::string now = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString(), sensors = kRoot + "Chassis/1/Sensors/";
        const std::string service = kRoot + "TelemetryService", gpu = "/redfish/v1/Systems/HGX/Processors/GPU_0";
        const auto metric = [](const std::string& property, const std::string& value, const std::string& time) {
            return nlohmann::json{{"MetricProperty", property}, {"MetricValue", value}, {"Timestamp", time}};
        };
        const nlohmann::json report{
            {"@odata.type", "#MetricReport.v1_5_0.MetricReport"},
            {"Timestamp", now},
            {"MetricValues",
             {metric(sensors + "Inlet#/Reading", "22.5", now), metric(sensors + "Outlet#/Reading", "null", now),
              metric(sensors + "Old#/Reading", "99", "2020-01-01T00:00:00Z"), metric(gpu + "/EnvironmentMetrics#/PowerWatts/Reading", "612.5", now),
              metric(gpu + "#/SpeedLimit", "5", now)}}};
        const nlohmann::json chassis{
            {"@odata.type", "#Chassis.v1_25_0.Chassis"}, {"Id", "1"}, {"Sensors", {{"@odata.id", kRoot + "Chassis/1/Sensors"}}}};
        const nlohmann::json telemetry{{"@odata.type", "#TelemetryService.v1_3_4.TelemetryService"},
                                       {"Status", {{"State", "Enabled"}}},
                                       {"MetricReports", {{"@odata.id", service + "/MetricReports"}}}};
        const nlohmann::json root{{"Chassis", {{"@odata.id", kRoot + "Chassis"}}}, {"TelemetryService", {{"@odata.id", service}}}};
        Service shown({{kRoot, root.dump()},
                       {kRoot + "Chassis", redfishMembers({kRoot + "Chassis/1"})},
                       {kRoot + "Chassis/1", chassis.dump()},
                       {kRoot + "Chassis/1/Sensors", redfishMembers({sensors + "Inlet", sensors + "Outlet", sensors + "Old"})},
                       {sensors + "Inlet", redfishSensor("Inlet", "21", "Cel")},
                       {sensors + "Outlet", redfishSensor("Outlet", "31", "Cel")},
                       {sensors + "Old", redfishSensor("Old", "41", "Cel")},
                       {service, telemetry.dump()},
                       {service + "/MetricReports", redfishMembers({service + "/MetricReports/All"})},
                       {service + "/MetricReports/All", report.dump()}});
        QCOMPARE(shown.read(), std::string());
        QCOMPARE(shown.last(sensors + "Inlet#Reading")->value, 22.5);
        QVERIFY(std::isnan(shown.last(sensors + "Outlet#Reading")->value));
        QCOMPARE(shown.last(sensors + "Old#Reading")->value, 41.0);
        QCOMPARE(shown.last(gpu + "/EnvironmentMetrics#PowerWatts")->value, 612.5);
        QCOMPARE(shown.got.channels.size(), std::size_t(4)); // neither a limit nor the state of the TelemetryService
    }

    void severalConnectorsAreAmbiguous()
    {
        auto resources = oddCdu();
        const std::string connectors = kRoot + "ThermalEquipment/CDUs/1/SecondaryCoolantConnectors";
        resources[connectors] = redfishMembers({connectors + "/1", connectors + "/2"});
        resources[connectors + "/1"] = resources[connectors + "/2"] = R"({"FlowLitersPerMinute":{"Reading":400}})";
        Service service(std::move(resources));
        QCOMPARE(service.read(), std::string());
        called("CDU-77");
        const auto points = pointsOf(*m_desk, service);
        QCOMPARE(points.ambiguous, std::size_t(2));
        QVERIFY(!points.channels.contains("flow"));
    }

    void aShelfIsMeasuredOnce()
    {
        Service service(powerShelf());
        QCOMPARE(service.read(), std::string());
        called("SH-9");
        const auto points = pointsOf(*m_desk, service);
        QVERIFY(points.ambiguous == 0 && points.conflicting == 0);
        QCOMPARE(points.channels.at("active-power"), std::string("/redfish/v1/PowerEquipment/PowerShelves/1/Metrics#PowerWatts"));
        QVERIFY(points.channels.contains("apparent-power") && points.channels.contains("power-factor"));
        QVERIFY(points.channels.contains("current mainAC1") && points.channels.contains("voltage mainAC2"));
    }

    /// A tray shows its GPUs, boards and itself as chassis, each with a power: the machine's is that of the one that stands in the rack.
    void aMachineAndWhatIsInIt()
    {
        Resources shown{
            {kRoot, R"({"Chassis":{"@odata.id":"/redfish/v1/Chassis"}})"},
            {kRoot + "Chassis", redfishMembers({kRoot + "Chassis/Chassis_0", kRoot + "Chassis/HGX_Chassis_0", kRoot + "Chassis/HGX_GPU_0"})}};
        for (const auto& [name, type, watts] :
             {std::tuple("Chassis_0", "RackMount", 5420), {"HGX_Chassis_0", "Module", 4100}, {"HGX_GPU_0", "Component", 880}}) {
            const std::string path = kRoot + "Chassis/" + name;
            shown[path] = nlohmann::json{{"@odata.type", "#Chassis.v1_22_0.Chassis"},
                                         {"ChassisType", type},
                                         {"SerialNumber", name == std::string("Chassis_0") ? "TRAY-1" : name},
                                         {"EnvironmentMetrics", {{"@odata.id", path + "/EnvironmentMetrics"}}}}
                              .dump();
            shown[path + "/EnvironmentMetrics"] = nlohmann::json{{"PowerWatts", {{"Reading", watts}}}}.dump();
        }
        Service service(std::move(shown));
        QCOMPARE(service.read(), std::string());
        called("TRAY-1");
        const auto points = pointsOf(*m_desk, service);
        QCOMPARE(points.ambiguous, std::size_t(0));
        QCOMPARE(points.channels.at("active-power"), std::string("/redfish/v1/Chassis/Chassis_0/EnvironmentMetrics#PowerWatts"));
        for (auto& channel : service.got.channels) { // asked by the name of a host that the design has
            std::erase_if(channel.labels, [](const auto& label) { return label.first == "SerialNumber" || label.first == "host"; });
            channel.labels.emplace_back("host", firstDevice());
        }
        const auto parts = pointsOf(*m_desk, service);
        QCOMPARE(parts.ambiguous, std::size_t(0));
        QVERIFY(parts.channels.contains("active-power") && parts.channels.contains("active-power HGX_GPU_0"));
    }

    /// A chassis with a PowerSubsystem that says its power nowhere but in the deprecated Power.
    void powerThatOnlyTheOlderResourceSays()
    {
        const std::string chassis = kRoot + "Chassis/1";
        Service service({{kRoot, R"({"Chassis":{"@odata.id":"/redfish/v1/Chassis"}})"},
                         {kRoot + "Chassis", redfishMembers({chassis})},
                         {chassis, R"({"@odata.type":"#Chassis.v1_14_0.Chassis","SerialNumber":"S-1","Power":)" + redfishId(chassis + "/Power") +
                                       R"(,"PowerSubsystem":)" + redfishId(chassis + "/PowerSubsystem") + "}"},
                         {chassis + "/PowerSubsystem", R"({"CapacityWatts":3000})"},
                         {chassis + "/Power", R"({"PowerControl":[{"PowerConsumedWatts":1210}]})"}});
        QCOMPARE(service.read(), std::string());
        called("S-1");
        QCOMPARE(pointsOf(*m_desk, service).channels.count("active-power"), std::size_t(1));
    }

    void pagesAddressesAndWhatIsForbidden()
    {
        Service service{Resources()};
        service.resources = pagedPdu(service.server.url());
        QCOMPARE(service.read(), std::string()); // 403 for the outlets is no reason to leave the others
        for (const char* sensor : {"T1", "T2", "T3"}) QVERIFY2(service.last(kRoot + "Chassis/1/Sensors/" + sensor + "#Reading"), sensor);
        QVERIFY(!service.server.paths().contains("/redfish/v1/Chassis/2"));
        called("P-1");
        const auto points = pointsOf(*m_desk, service);
        QVERIFY(points.ambiguous == 0 && points.conflicting == 0);
        for (const char* point : {"active-power", "current l1", "current l2", "current l3", "voltage l1"})
            QVERIFY2(points.channels.contains(point), point);
        QCOMPARE(service.server.methods().size(), std::size_t(1)); // GET
    }

    /// A token of a session that somebody opened; Hallwright opens none, as that is no GET.
    void tokensOfSessions()
    {
        Service right(powerShelf(), "s3ss10n"), wrong(powerShelf(), "s3ss10n");
        QCOMPARE(right.read("s3ss10n"), std::string());
        QVERIFY(!wrong.read("old").empty());
    }
};

QTEST_GUILESS_MAIN(TestRedfish)
#include "test_redfish.moc"

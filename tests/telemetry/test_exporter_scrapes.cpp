// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "importers/telemetry/mapping.h"
#include "importers/telemetry/prometheus_answer.h"
#include "importers/telemetry/prometheus_text.h"
#include "tests/bindings/desk.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

using namespace hw;
using namespace hw::telemetry;
using hw::test::BoundDesk;
using hw::test::said;

/// Pages of exporters, in the words of each, against a design with named devices.
class TestExporterScrapes : public QObject {
    Q_OBJECT

    std::unique_ptr<BoundDesk> m_desk;
    std::string m_host, m_pdu, m_ups;

    /// HOST, PDU and UPS stand for devices of the design.
    [[nodiscard]] std::string named(std::string text) const
    {
        for (const auto& [word, name] : {std::pair("HOST", &m_host), std::pair("PDU", &m_pdu), std::pair("UPS", &m_ups)})
            for (auto at = text.find("\"" + std::string(word)); at != text.npos; at = text.find("\"" + std::string(word), at))
                text.replace(at + 1, std::string(word).size(), *name);
        return text;
    }
    struct Page {
        std::vector<bindings::ChannelText> channels;
        std::vector<double> values;
    };
    [[nodiscard]] Page page(const std::string& text) const
    {
        Page out;
        std::istringstream in(named(text));
        for (std::string line; std::getline(in, line);) {
            if (line.empty() || line.front() == '#') continue;
            const auto sample = readExposition(line);
            if (!sample) qFatal("%s", line.c_str());
            out.channels.push_back({seriesName(sample->metric, sample->labels), sample->labels, {}});
            out.values.push_back(sample->value);
        }
        return out;
    }
    /// "MEASURE ELEMENT VALUE" of a channel that is bound, else its state.
    [[nodiscard]] std::vector<std::string> told(const std::string& text) const
    {
        const Page all = page(text);
        const auto bound = m_desk->bind(all.channels);
        std::vector<std::string> out;
        for (std::size_t i = 0; i < all.channels.size(); ++i) {
            const auto& channel = bound->channels[i];
            if (channel.point == bindings::kNoPoint) {
                out.emplace_back(wordOf(channel.reason));
                continue;
            }
            const auto& point = bound->points[channel.point];
            const double value = channel.conversion(all.values[i]);
            out.push_back(fmt::format("{}{} {}", wordOf(point.measure), point.element.empty() ? "" : " " + point.element,
                                      std::isnan(value) ? std::string("none") : fmt::format("{:.6g}", value)));
        }
        return out;
    }
    void compare(const std::string& text, const std::vector<std::string>& expected)
    {
        const auto found = told(text);
        std::istringstream in(text);
        std::string line;
        for (std::size_t i = 0; i < std::max(found.size(), expected.size()); ++i) {
            while (std::getline(in, line) && (line.empty() || line.front() == '#')) {}
            QVERIFY2(
                i < found.size() && i < expected.size() && found[i] == expected[i],
                fmt::format("{}: {} in place of {}", line, i < found.size() ? found[i] : "nothing", i < expected.size() ? expected[i] : "nothing")
                    .c_str());
        }
    }

private slots:
    void initTestCase()
    {
        m_desk = std::make_unique<BoundDesk>("hpn", std::map<std::string, std::int64_t>{{"segments", 1}});
        const Snapshot& s = m_desk->s();
        s.devices.forEach([&](DeviceId id) {
            const auto element = m_desk->figures->parts->device(s.devices.type[id]).power.element;
            if (s.tiers.kind[s.devices.tier[id]] == TierKind::Server && m_host.empty()) m_host = s.devices.name[id];
            if (element == PowerElement::Pdu && m_pdu.empty()) m_pdu = s.devices.name[id];
            if (element == PowerElement::Ups && m_ups.empty()) m_ups = s.devices.name[id];
        });
        QVERIFY(!m_host.empty() && !m_pdu.empty() && !m_ups.empty());
    }

    void apc()
    {
        compare("rPDU2DeviceStatusPower{instance=\"PDU\"} 1234\n"
                "rPDU2DeviceStatusApparentPower{instance=\"PDU\"} 1250\n"
                "rPDU2DeviceStatusPowerFactor{instance=\"PDU\"} 98\n"
                "rPDU2DeviceStatusEnergy{instance=\"PDU\"} 123456\n"
                "rPDU2PhaseStatusCurrent{instance=\"PDU\",rPDU2PhaseStatusIndex=\"2\"} 157\n"
                "rPDU2PhaseStatusVoltage{instance=\"PDU\",rPDU2PhaseStatusIndex=\"2\"} 231\n"
                "rPDU2PhaseStatusPower{instance=\"PDU\",rPDU2PhaseStatusIndex=\"2\"} 362\n"
                "rPDU2BankStatusCurrent{instance=\"PDU\",rPDU2BankStatusIndex=\"1\"} 81\n"
                "rPDU2SensorTempHumidityStatusTempC{instance=\"PDU\",rPDU2SensorTempHumidityStatusIndex=\"1\"} 235\n"
                "rPDU2SensorTempHumidityStatusRelativeHumidity{instance=\"PDU\",rPDU2SensorTempHumidityStatusIndex=\"1\"} 45\n"
                "iemStatusProbeCurrentTemp{instance=\"PDU\",iemStatusProbeNumber=\"1\"} 75\n"
                "upsAdvOutputLoad{instance=\"UPS\"} 61\n"
                "upsAdvOutputActivePower{instance=\"UPS\"} 610000\n"
                "upsAdvBatteryTemperature{instance=\"UPS\"} 27\n",
                {"active-power 12340", "apparent-power 12500", "power-factor 0.98", "energy 1.23456e+07", "current l2 15.7", "voltage l2 231",
                 "active-power l2 3620", "current bank1 8.1", "temperature sensor1 23.5", "humidity sensor1 45", "unit-conflict", "utilization 61",
                 "active-power 610000", "temperature battery 27"});
    }

    void upsMib()
    {
        compare("upsOutputPower{instance=\"UPS\",upsOutputLineIndex=\"1\"} 200000\n"
                "upsOutputCurrent{instance=\"UPS\",upsOutputLineIndex=\"1\"} 9000\n"
                "upsInputTruePower{instance=\"UPS\",upsInputLineIndex=\"1\"} 210000\n"
                "upsBatteryCurrent{instance=\"UPS\"} 125\n"
                "upsBatteryVoltage{instance=\"UPS\"} 540\n"
                "upsOutputFrequency{instance=\"UPS\"} 50\n",
                {"active-power l1 200000", "current l1 900", "active-power input l1 210000", "current battery 12.5", "voltage battery 540",
                 "frequency 50"});
    }

    void serverTechnology()
    {
        compare("st4InputCordActivePower{instance=\"PDU\",st4UnitIndex=\"1\",st4InputCordIndex=\"1\"} 8100\n"
                "st4InputCordPowerUtilized{instance=\"PDU\",st4UnitIndex=\"1\",st4InputCordIndex=\"1\"} 473\n"
                "st4InputCordPowerFactor{instance=\"PDU\",st4UnitIndex=\"1\",st4InputCordIndex=\"1\"} 97\n"
                "st4InputCordEnergy{instance=\"PDU\",st4UnitIndex=\"1\",st4InputCordIndex=\"1\"} 55\n"
                "st4PhaseVoltage{instance=\"PDU\",st4PhaseIndex=\"3\"} 2312\n"
                "st4PhaseCurrent{instance=\"PDU\",st4PhaseIndex=\"3\"} 1234\n"
                "st4BranchCurrent{instance=\"PDU\",st4BranchIndex=\"2\"} -1\n"
                "st4OutletEnergy{instance=\"PDU\",st4OutletIndex=\"7\"} 4321\n"
                "st4TempSensorValue{instance=\"PDU\",st4TempSensorIndex=\"1\"} 235\n"
                "infeedLoadValue{instance=\"PDU\",infeedIndex=\"1\"} 1520\n",
                {"active-power 8100", "utilization 47.3", "power-factor 0.97", "energy 5500", "voltage l3 231.2", "current l3 12.34",
                 "current branch2 none", "energy outlet7 4321", "unit-conflict", "current infeed1 15.2"});
        // Two cords of one unit: whose power the unit's is cannot be told.
        compare("st4InputCordActivePower{instance=\"PDU\",st4InputCordIndex=\"1\"} "
                "1\nst4InputCordActivePower{instance=\"PDU\",st4InputCordIndex=\"2\"} 1\n",
                {"ambiguous", "ambiguous"});
    }

    /// The factor differs from unit to unit: nothing is assumed, and a rule of the project states it.
    void raritan()
    {
        const std::string inlet = "measurementsInletSensorValue{instance=\"PDU\",pduId=\"1\",inletId=\"1\",sensorType=\"activePower\"} 81234\n",
                          outlet = "measurementsOutletSensorValue{instance=\"PDU\",pduId=\"1\",outletId=\"4\",sensorType=\"rmsCurrent\"} 1234\n";
        compare(inlet + outlet + "measurementsInletSensorValue{instance=\"PDU\",pduId=\"1\",inletId=\"1\",sensorType=\"frequency\"} 500\n",
                {"unit-conflict", "unit-conflict", "unbound"});
        compare(
            "inletActivePower{instance=\"PDU\"} 8123\noutletCurrent{instance=\"PDU\",outletIndex=\"4\"} 1234\nunitCpuTemp{instance=\"PDU\"} 412\n",
            {"active-power 8123", "current outlet4 1.234", "temperature cpu 41.2"});
        const auto rule = [&](const char* edit) { QCOMPARE(m_desk->edit(edit), std::string()); };
        rule("{\"do\": \"add\", \"what\": \"binding-rule\", \"name\": \"px-power\", \"channel\": \"measurementsInletSensorValue\", \"labels\": "
             "\"sensorType=activePower, "
             "instance={pdu}\", \"entity\": \"{pdu}\", \"measure\": \"active-power\", \"unit\": \"0.1 W\"}");
        rule("{\"do\": \"add\", \"what\": \"binding-rule\", \"name\": \"px-outlet\", \"channel\": \"measurementsOutletSensorValue\", \"labels\": "
             "\"sensorType=rmsCurrent, "
             "outletId={n}, instance={pdu}\", \"entity\": \"{pdu}\", \"element\": \"outlet{n}\", \"measure\": \"current\", \"unit\": \"0.001 A\"}");
        compare(inlet + outlet, {"active-power 8123.4", "current outlet4 1.234"});
        for (const char* name : {"px-power", "px-outlet"}) QCOMPARE(m_desk->edit(said("{'do': 'remove', 'entity': '%1'}", name)), std::string());
    }

    void vertivAndEaton()
    {
        compare("lgpPduPsEntryPwrTotal{instance=\"PDU\"} 9100\n"
                "lgpPduPsLineEntryEpLNTenths{instance=\"PDU\",lgpPduPsLineEntryIndex=\"1\"} 2301\n"
                "lgpPduRcpEntryEcHundredths{instance=\"PDU\",lgpPduRcpEntryIndex=\"5\"} 210\n"
                "lgpPduAuxSensorTempMeasurementDegC{instance=\"PDU\",lgpPduAuxSensorIndex=\"1\"} 24\n",
                {"active-power 9100", "voltage l1 230.1", "current outlet5 2.1", "temperature sensor1 24"});
        compare("pduTotalRealPower{instance=\"PDU\"} 7000\npduTotalPowerFactor{instance=\"PDU\"} "
                "96\npduPhaseCurrent{instance=\"PDU\",pduPhaseIndex=\"1\"} 1015\n"
                "thdSensorTemp{instance=\"PDU\",thdSensorIndex=\"1\"} 241\n",
                {"active-power 7000", "power-factor 0.96", "current l1 10.15", "unit-conflict"});
        compare("inputTotalWatts{instance=\"PDU\"} 6500\ninputVoltage{instance=\"PDU\",inputVoltageIndex=\"1\"} 230400\n"
                "inputCurrent{instance=\"PDU\",inputCurrentIndex=\"1\"} 9870\noutletWatts{instance=\"PDU\",outletIndex=\"1\"} -1\n",
                {"active-power 6500", "voltage l1 230.4", "current l1 9.87", "active-power outlet1 none"});
    }

    void serversAndAccelerators()
    {
        compare("ipmi_dcmi_power_consumption_current_watts{instance=\"HOST:9290\"} 9400\n"
                "ipmi_voltage_volts{instance=\"HOST:9290\",id=\"1\",name=\"P12V\"} 12.1\n"
                "ipmi_chassis_power_state{instance=\"HOST:9290\"} 1\n"
                "nvidia_smi_power_draw_watts{instance=\"HOST:9835\",uuid=\"abc\",index=\"3\"} 690\n"
                "nvidia_smi_enforced_power_limit_watts{instance=\"HOST:9835\",uuid=\"abc\",index=\"3\"} 700\n"
                "nvidia_smi_utilization_gpu_ratio{instance=\"HOST:9835\",uuid=\"def\"} 0.5\n",
                {"active-power 9400", "voltage P12V 12.1", "status chassis-power 1", "active-power gpu3 690", "active-power gpu3 limit setpoint 700",
                 "utilization gpu-def 50"});
        compare("amd_gpu_package_power{hostname=\"HOST\",gpu_id=\"0\",gpu_partition_id=\"0\"} 740\n"
                "site_gpu_package_power{hostname=\"HOST\",gpu_id=\"1\",gpu_partition_id=\"0\"} 741\n"
                "gpu_package_power{hostname=\"HOST\",gpu_id=\"2\",gpu_partition_id=\"1\"} 0\n"
                "gpu_energy_consumed{hostname=\"HOST\",gpu_id=\"2\"} 3600000000\n"
                "amd_gpu_power{instance=\"HOST:2021\",gpu_power=\"0\"} 74000000\n"
                "amd_socket_power{instance=\"HOST:2021\",socket_power=\"0\"} 25000\n",
                {"active-power gpu0 740", "active-power gpu1 741", "set-aside", "energy gpu2 1", "unit-conflict", "unit-conflict"});
        compare("idrac_power_control_consumed_watts{instance=\"HOST:9348\",id=\"0\"} 9300\n"
                "idrac_dell_estimated_system_airflow_cfm{instance=\"HOST:9348\"} 211.888\n"
                "idrac_system_power_on{instance=\"HOST:9348\"} 1\n"
                "mysite_sensors_temperature{instance=\"HOST:9348\",name=\"Inlet\",units=\"celsius\"} 22\n"
                "mysite_pdu_power_watts{instance=\"PDU\"} 8000\n",
                {"active-power 9300", "air-flow 0.1", "status power 1", "temperature Inlet 22", "active-power 8000"});
    }

    /// What a Prometheus server makes of the queries of the mappings, with promtool as the server.
    void queries()
    {
        const QString promtool = QStandardPaths::findExecutable("promtool");
        if (promtool.isEmpty()) QSKIP("promtool is not installed (package prometheus)");
        std::map<std::string, QueryMapping> all;
        const auto mappings = mappingsOf(Mapping::Kind::Prometheus, {});
        QVERIFY(mappings);
        for (const auto& mapping : *mappings)
            for (const auto& query : mapping.queries) all.emplace(query.metric, query);
        QTemporaryDir folder;
        const auto yaml = [](std::string text) {
            for (auto at = text.find('\''); at != text.npos; at = text.find('\'', at + 2)) text.insert(at, 1, '\'');
            return "'" + text + "'";
        };
        std::string rules = "groups: [{name: all, rules: [\n";
        int number = 0;
        for (const auto& [metric, query] : all)
            if (!query.query.empty()) rules += fmt::format("  {{record: q{}, expr: {}}},\n", number++, yaml(query.query));
        QVERIFY(number > 50);
        std::ofstream(folder.filePath("rules.yml").toStdString()) << rules << "]}]\n";
        // What comes in, and what is answered: all digits walked, none walked, a signed value, an index by its UUID, a probe in °F, an absent inlet.
        const std::vector<std::pair<std::string, double>> given = {
            {"measurementsInletSensorValue{instance=\"a\",pduId=\"1\",inletId=\"1\",sensorType=\"activePower\"}", 81234},
            {"inletSensorDecimalDigits{instance=\"a\",pduId=\"1\",inletId=\"1\",sensorType=\"activePower\"}", 1},
            {"measurementsInletSensorValue{instance=\"b\",pduId=\"1\",inletId=\"1\",sensorType=\"activePower\"}", 0},
            {"measurementsInletSensorSignedValue{instance=\"b\",pduId=\"1\",inletId=\"1\",sensorType=\"activePower\"}", -5},
            {"nvidia_smi_power_draw_watts{instance=\"h\",uuid=\"u\"}", 690},
            {"nvidia_smi_gpu_info{index=\"3\",instance=\"h\",name=\"x\",uuid=\"u\"}", 1},
            {"nvidia_smi_power_draw_watts{instance=\"i\",uuid=\"v\"}", 300},
            {"iemStatusProbeCurrentTemp{instance=\"p\",iemStatusProbeNumber=\"1\"}", 68},
            {"iemStatusProbeTempUnits{instance=\"p\",iemStatusProbeNumber=\"1\"}", 2},
            {"inputTotalWatts{instance=\"e\",strappingIndex=\"1\"}", 100},
            {"inputTotalWatts{instance=\"e\",strappingIndex=\"2\"}", -1},
            {"inputTotalWatts{instance=\"e\",strappingIndex=\"3\"}", 50},
        };
        const std::vector<std::tuple<std::string, std::string, double>> expected = {
            {"measurementsInletSensorValue", "{engUnit=\"W\",inletId=\"1\",instance=\"a\",pduId=\"1\",sensorType=\"activePower\"}", 8123.4},
            {"measurementsInletSensorValue",
             "measurementsInletSensorSignedValue{inletId=\"1\",instance=\"b\",pduId=\"1\",sensorType=\"activePower\"}", -5},
            {"nvidia_smi_power_draw_watts", "{index=\"3\",instance=\"h\",uuid=\"u\"}", 690},
            {"nvidia_smi_power_draw_watts", "nvidia_smi_power_draw_watts{instance=\"i\",uuid=\"v\"}", 300},
            {"iemStatusProbeCurrentTemp", "{iemStatusProbeNumber=\"1\",instance=\"p\"}", 20},
            {"inputTotalWatts", "{instance=\"e\"}", 150},
        };
        std::string test = "rule_files: [rules.yml]\nevaluation_interval: 1m\ntests:\n- interval: 1m\n  input_series:\n";
        for (const auto& [series, value] : given) test += fmt::format("  - {{series: {}, values: '{} {}'}}\n", yaml(series), value, value);
        test += "  promql_expr_test:\n";
        std::string last;
        for (const auto& [metric, series, value] : expected) {
            if (metric != last) test += fmt::format("  - expr: {}\n    eval_time: 0m\n    exp_samples:\n", yaml(all.at(metric).query));
            last = metric;
            test += fmt::format("    - {{labels: {}, value: {}}}\n", yaml(series), value);
        }
        std::ofstream(folder.filePath("test.yml").toStdString()) << test;
        for (const QStringList& arguments : {QStringList{"check", "rules", "rules.yml"}, QStringList{"test", "rules", "test.yml"}}) {
            QProcess run;
            run.setWorkingDirectory(folder.path());
            run.setProcessChannelMode(QProcess::MergedChannels);
            run.start(promtool, arguments);
            QVERIFY(run.waitForFinished(30'000));
            QVERIFY2(run.exitCode() == 0, run.readAll().constData());
        }
    }
};

QTEST_GUILESS_MAIN(TestExporterScrapes)
#include "test_exporter_scrapes.moc"

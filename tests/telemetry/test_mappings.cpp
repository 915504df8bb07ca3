// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bindings/rules.h"
#include "core/operations/bindings/state_words.h"
#include "importers/telemetry/mapping.h"

#include <QTest>

using namespace hw;
using namespace hw::telemetry;

/// The shipped mappings, which say what is asked, against the shipped rules, which say what it belongs to.
class TestMappings : public QObject {
    Q_OBJECT

    static bool anyRuleFits(std::string_view channel)
    {
        for (const auto& set : *bindings::shippedRuleSets())
            for (const auto& text : set.rules) {
                const auto rule = bindings::readRule(text);
                bindings::Captures captures;
                if (rule && rule->channel.matches(channel, captures, false)) return true;
            }
        return false;
    }

private slots:
    void everyMetricHasARule()
    {
        std::string missing;
        std::size_t metrics = 0;
        const auto mappings = mappingsOf(Mapping::Kind::Prometheus, {});
        QVERIFY(mappings);
        for (const auto& mapping : *mappings)
            for (const auto& query : mapping.queries)
                if (++metrics; !anyRuleFits(query.metric)) missing += mapping.file.filename().string() + ": " + query.metric + "\n";
        QVERIFY2(missing.empty(), missing.c_str());
        QVERIFY(metrics > 80);
    }

    void everyTopicHasARule()
    {
        std::string missing;
        const auto mappings = mappingsOf(Mapping::Kind::Mqtt, {});
        QVERIFY(mappings);
        for (const auto& mapping : *mappings)
            for (const auto& topic : mapping.topics) {
                std::string channel = topic.subscribe;
                if (channel.ends_with('#')) continue; // whatever is there
                for (auto at = channel.find('+'); at != channel.npos; at = channel.find('+')) channel[at] = 'x';
                if (!anyRuleFits(channel)) missing += mapping.file.filename().string() + ": " + channel + "\n";
            }
        QVERIFY2(missing.empty(), missing.c_str());
    }

    void whatReportsALeak_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("leak");
        const auto row = [](const char* name, bool leak) { QTest::newRow(name) << QByteArray(name) << leak; };
        row("BMS/v1/PUB/Value/Rack/RackLeakDetect/hall/health/a1", true);
        row("BMS/v1/AI/Value/Rack/RackLeakDetectTray/a1", true);
        row("BMS/v1/PUB/Value/Rack/RackLeakSensorFault/a1", false);
        row("BMS/v1/PUB/Value/Rack/RackPower/leak-corner", false);
        row("//x/redfish/v1/Oem/Leak/1#DetectorState", true);
        row("//x/redfish/v1/Chassis/1/LeakDetectors/1#Status/Health", true);
        row("//x/redfish/v1/Chassis/1/LeakDetectors/1#Status", false);
        row("//x/redfish/v1/Chassis/1/Sensors/Leak1_Voltage#Reading", false);
        row("plant/cdu1/leak", true);
        row("cdu_leak_detected{instance=\"a\"}", true);
        row("rcd_leakage_current_amperes", false);
        row("ipmi_temperature_celsius", false);
        row("BMS/", false);
    }
    void whatReportsALeak()
    {
        QFETCH(QByteArray, name);
        QFETCH(bool, leak);
        QCOMPARE(bindings::reportsLeak({name.toStdString(), {}, ""}), leak);
    }
};

QTEST_GUILESS_MAIN(TestMappings)
#include "test_mappings.moc"

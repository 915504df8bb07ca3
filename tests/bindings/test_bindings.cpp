// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/foundation/catalog/entity.h"
#include "core/operations/bindings/names.h"
#include "core/operations/bindings/preview.h"
#include "tests/bindings/desk.h"

#include <set>

#include <nlohmann/json.hpp>

using namespace hw;
using namespace hw::bindings;
using Reason = Bound::Reason;
using hw::test::BoundDesk;
using hw::test::said;

namespace {

ChannelText metric(const std::string& name, Labels labels, const std::string& unit = {})
{
    std::string whole = name + '{';
    for (const auto& [label, value] : labels) whole += (whole.back() == '{' ? "" : ",") + label + "=\"" + value + '"';
    return {whole + '}', std::move(labels), unit};
}

ChannelText gpu(const std::string& host, const std::string& number, const std::string& unit = "W")
{
    return metric("DCGM_FI_DEV_POWER_USAGE", {{"Hostname", host}, {"gpu", number}}, unit);
}

ChannelText topic(const std::string& path, Labels labels, const std::string& unit)
{
    labels.emplace_back("engUnit", unit);
    std::ranges::sort(labels);
    return {"BMS/v1/PUB/Value/" + path, std::move(labels), unit};
}

Reason reasonOf(const Bound& bound, std::size_t i) { return bound.channels[i].reason; }
Cause causeOf(const Bound& bound, std::size_t i) { return bound.channels[i].cause; }

/// What a channel of its bound is, "rack-1 active-power gpu0".
std::string pointOf(const BoundDesk& desk, const Bound& bound, std::size_t i)
{
    const auto& channel = bound.channels[i];
    if (channel.point == kNoPoint) return words(bound.why(ChannelNo(i)));
    const bindings::Point& point = bound.points[channel.point];
    return entityName(desk.s(), *desk.figures->parts, point.entity) + " " + std::string(wordOf(point.measure)) +
           (point.element.empty() ? "" : " " + point.element);
}

/// Two states of a binding are the same.
bool same(const Bound& a, const Bound& b)
{
    if (a.points != b.points || a.channels.size() != b.channels.size()) return false;
    for (std::size_t i = 0; i < a.channels.size(); ++i)
        if (a.channels[i].reason != b.channels[i].reason || a.channels[i].point != b.channels[i].point ||
            !(a.channels[i].conversion == b.channels[i].conversion) || words(a.why(ChannelNo(i))) != words(b.why(ChannelNo(i))))
            return false;
    return std::tie(a.bound, a.unbound, a.ambiguous, a.conflicting, a.setAside) ==
           std::tie(b.bound, b.unbound, b.ambiguous, b.conflicting, b.setAside);
}

} // namespace

class BindingsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<BoundDesk> m_desk;
    std::string m_host, m_otherHost, m_switch, m_rack, m_otherRack;
    DeviceId m_hostId{};

private slots:
    void init()
    {
        m_desk = std::make_unique<BoundDesk>("hpn", std::map<std::string, std::int64_t>{{"segments", 1}});
        const Snapshot& s = m_desk->s();
        m_host.clear(), m_switch.clear(), m_rack.clear();
        s.devices.forEach([&](DeviceId id) {
            const auto kind = s.tiers.kind[s.devices.tier[id]];
            if (kind == TierKind::Server && m_host.empty())
                m_host = s.devices.name[id], m_hostId = id;
            else if (kind == TierKind::Server)
                m_otherHost = s.devices.name[id];
            if (kind == TierKind::Switch && m_switch.empty()) m_switch = s.devices.name[id];
        });
        s.racks.forEach([&](RackId id) { (m_rack.empty() ? m_rack : m_otherRack) = s.racks.name[id]; });
    }

    void everyReason()
    {
        const std::vector<ChannelText> channels = {
            gpu(m_host, "0"),                                                                                   // bound
            gpu(m_host + "x", "1"),                                                                             // nothing of the name, however near
            gpu(m_host, "2", "°C"),                                                                             // other unit
            gpu(m_host, "3", "furlong"),                                                                        // unknown unit
            metric("ifOperStatus_", {{"instance", m_switch}}),                                                  // no rule
            metric("node_hwmon_temp_celsius", {{"chip", "c"}, {"instance", "hpn-pod"}, {"sensor", "t"}}, "°C"), // not there either
            gpu(m_host, "4", ""),                                                                               // the rule states the unit
            topic("Rack/RackPower/x", {{"rackLocationName", m_rack}}, ""),                                      // nobody does
        };
        const auto bound = m_desk->bind(channels);
        QCOMPARE(pointOf(*m_desk, *bound, 0), m_host + " active-power gpu0");
        QVERIFY(causeOf(*bound, 1) == Cause::UnknownName && reasonOf(*bound, 1) == Reason::Unbound);
        QVERIFY(QString::fromStdString(words(bound->why(1))).contains(QString::fromStdString(m_host + "x")));
        QVERIFY(causeOf(*bound, 2) == Cause::OtherUnit && reasonOf(*bound, 2) == Reason::UnitConflict);
        QVERIFY(causeOf(*bound, 3) == Cause::UnknownUnit && reasonOf(*bound, 3) == Reason::UnitConflict);
        QVERIFY(causeOf(*bound, 4) == Cause::NoRule && reasonOf(*bound, 4) == Reason::Unbound);
        QVERIFY(causeOf(*bound, 5) == Cause::UnknownName);
        QCOMPARE(pointOf(*m_desk, *bound, 6), m_host + " active-power gpu4");
        QVERIFY(causeOf(*bound, 7) == Cause::NoUnit && reasonOf(*bound, 7) == Reason::UnitConflict);
        const auto qualified =
            m_desk->bind(std::vector<ChannelText>{gpu(m_host + ".dc1.example.com", "0"), gpu("x." + m_host, "1")}); // the host's name first
        QCOMPARE(pointOf(*m_desk, *qualified, 0), m_host + " active-power gpu0");
        QVERIFY(reasonOf(*qualified, 1) == Reason::Unbound);
        QCOMPARE(bound->bound, std::size_t(2));
        QCOMPARE(bound->unbound, std::size_t(3));
        QCOMPARE(bound->conflicting, std::size_t(3));
        QCOMPARE(bound->find({ref(m_hostId), Measure::ActivePower, "gpu4"}), bound->channels[6].point);
        QCOMPARE(bound->find({ref(m_hostId), Measure::ActivePower, "gpu5"}), kNoPoint);
        const auto [first, last] = bound->pointsOf(ref(m_hostId));
        QCOMPARE(last - first, PointNo(2));
        for (std::size_t i = 0; i < channels.size(); ++i) QCOMPARE(bound->why(ChannelNo(i)).empty(), reasonOf(*bound, i) == Reason::Bound);
    }

    void valuesAreConverted()
    {
        const auto bound = m_desk->bind({topic("Rack/RackPower/x", {{"rackLocationName", m_rack}}, "kW"),
                                         metric("ifHCInOctets", {{"ifName", "no-such"}, {"instance", m_switch}}, "B")});
        QCOMPARE(bound->channels[0].conversion(46.2), 46'200.0);
        QVERIFY(causeOf(*bound, 1) == Cause::UnknownName); // a device, and no port of it
    }

    void portsByTheirNames()
    {
        const Snapshot& s = m_desk->s();
        PortId port{};
        s.ports.forEach([&](PortId id) {
            if (s.devices.name[s.ports.device[id]] == m_switch && s.ports.medium[id] == Medium::Data) port = id;
        });
        const auto bound =
            m_desk->bind({metric("ifHCInOctets", {{"ifName", portName(s, *m_desk->figures->parts, port)}, {"instance", m_switch}}, "B")});
        QCOMPARE(reasonOf(*bound, 0), Reason::Bound);
        QVERIFY(bound->points[0].entity == ref(port) && bound->points[0].measure == Measure::Receive);
        QVERIFY(bound->channels[0].conversion.counter);
    }

    /// Hosts and switches have names of their own for interfaces: those that captures of what is built know lead to the same ports.
    void portsAsTheyAreCalledWhereTheyAreRead()
    {
        const auto rate = [&](const std::string& host, const std::string& device) {
            return metric("node_infiniband_rate_bytes_per_second", {{"device", device}, {"instance", host + ":9100"}, {"port", "1"}}, "B/s");
        };
        const auto octets = [&](const std::string& port) { return metric("ifHCInOctets", {{"ifName", port}, {"instance", m_switch}}, "B"); };
        const std::vector<ChannelText> channels = {
            rate(m_host, "mlx5_0"), rate(m_host, "mlx5_3"),
            octets("swp1s0"),       rate("node-9", "mlx5_0"),
            octets("Ethernet9/1"),  metric("node_infiniband_state_id", {{"device", "mlx5_0"}, {"instance", m_host}, {"port", "1"}})};
        Binder binder(m_desk->figures);
        auto bound = binder.bind(channels);
        QCOMPARE(pointOf(*m_desk, *bound, 0), m_host + ":nic1p1 link-rate");
        QCOMPARE(pointOf(*m_desk, *bound, 1), m_host + ":nic2p2 link-rate");
        QCOMPARE(pointOf(*m_desk, *bound, 2), m_switch + ":port1s1 receive");
        QVERIFY(causeOf(*bound, 3) == Cause::UnknownName && causeOf(*bound, 4) == Cause::UnknownName);
        QVERIFY(bound->channels[5].conversion(4) == 1 && bound->channels[5].conversion(1) == 0); // active, down
        // A rule of the project for captured names holds here, too.
        QCOMPARE(m_desk->edit(said("{'do': 'set-setting', 'key': 'asbuilt.ports', 'value': 'Ethernet{n}/1=port{n}s1'}")), std::string());
        QCOMPARE(m_desk->edit(said("{'do': 'set-setting', 'key': 'asbuilt.devices', 'value': 'node-9=%1'}", m_otherHost)), std::string());
        binder.design(m_desk->figures);
        bound = binder.bind(channels);
        QCOMPARE(pointOf(*m_desk, *bound, 3), m_otherHost + ":nic1p1 link-rate");
        QCOMPARE(pointOf(*m_desk, *bound, 4), m_switch + ":port9s1 receive");
    }

    /// Interfaces as devices and topics write them: every data port of a design with chassis switches is found under each of its names.
    void interfacesAsDevicesWriteThem()
    {
        const BoundDesk desk("meta-24k", {{"pods", 1}, {"segments", 2}});
        const Snapshot& s = desk.s();
        std::vector<ChannelText> channels;
        std::vector<PortId> ports;
        std::size_t chassis = 0;
        s.ports.forEach([&](PortId id) {
            if (s.ports.medium[id] != Medium::Data) return;
            const std::string own = portName(s, *desk.figures->parts, id), &device = s.devices.name[s.ports.device[id]];
            std::vector<std::string> names{own};
            if (const auto slash = own.find('/'); slash != own.npos) {
                ++chassis;
                std::string topic = own;
                topic[slash] = '-';
                const std::string rest = own.substr(own.find_first_of("0123456789"));
                names.insert(names.end(), {topic, "Ethernet" + rest, "Eth" + rest});
            }
            for (const std::string& name : names)
                channels.push_back(metric(names.size() > 1 ? "ifHCInOctets" : "ifHCOutOctets", {{"ifName", name}, {"instance", device}}, "B")),
                    ports.push_back(id);
        });
        QVERIFY(chassis > 100);
        Binder binder(desk.figures);
        const auto bound = binder.bind(channels);
        for (std::size_t i = 0; i < channels.size(); ++i) {
            const auto& channel = bound->channels[i];
            const bool ambiguous = reasonOf(*bound, i) == Reason::Ambiguous; // the same under several names
            QVERIFY2(ambiguous || (reasonOf(*bound, i) == Reason::Bound && bound->points[channel.point].entity == ref(ports[i])),
                     channels[i].name.c_str());
        }
    }

    void renamedChannelIsUnbound()
    {
        std::vector<ChannelText> channels = {gpu(m_host, "0")};
        channels[0].labels[0].first = "hostname"; // as an exporter that spells it otherwise
        QVERIFY(causeOf(*m_desk->bind(channels), 0) == Cause::NoRule);
        channels[0] = gpu(m_host, "0");
        channels[0].name.insert(0, "x_");
        QVERIFY(causeOf(*m_desk->bind(channels), 0) == Cause::NoRule);
    }

    void doubledChannelsAreAmbiguous()
    {
        auto again = gpu(m_host, "0");
        again.name.insert(again.name.size() - 1, ",instance=\"b\"");
        const auto bound = m_desk->bind({gpu(m_host, "0"), gpu(m_host, "1"), again});
        QCOMPARE(bound->ambiguous, std::size_t(2));
        QVERIFY(causeOf(*bound, 0) == Cause::Doubled && causeOf(*bound, 2) == Cause::Doubled);
        QVERIFY(QString::fromStdString(words(bound->why(0))).contains(QString::fromStdString(again.name)));
        QVERIFY(QString::fromStdString(words(bound->why(2))).contains(QString::fromStdString(gpu(m_host, "0").name)));
        QCOMPARE(bound->points.size(), std::size_t(1)); // only gpu1
        QCOMPARE(reasonOf(*bound, 1), Reason::Bound);
    }

    void rulesThatDisagree()
    {
        const auto add = [&](const char* name, const char* entity, const char* measure) {
            return said("{'do': 'add', 'what': 'binding-rule', 'name': '%1', 'channel': 'plc/{rack}', 'entity': '%2', 'measure': '%3', 'unit': 'kW'}",
                        std::string(name), entity, measure);
        };
        QCOMPARE(m_desk->edit(add("one", "{rack}", "active-power")), std::string());
        const std::vector<ChannelText> channels = {{"plc/" + m_rack, {}, ""}};
        QCOMPARE(pointOf(*m_desk, *m_desk->bind(channels), 0), m_rack + " active-power");
        QCOMPARE(m_desk->edit(add("two", "{rack}", "active-power")), std::string()); // the same point is no doubt
        QCOMPARE(reasonOf(*m_desk->bind(channels), 0), Reason::Bound);
        QCOMPARE(m_desk->edit(add("three", "{rack}", "heat")), std::string());
        const auto bound = m_desk->bind(channels);
        QVERIFY(causeOf(*bound, 0) == Cause::RulesDisagree && reasonOf(*bound, 0) == Reason::Ambiguous);
        QVERIFY(QString::fromStdString(words(bound->why(0))).contains("one") && QString::fromStdString(words(bound->why(0))).contains("three"));
    }

    /// A project's own rule stands over the shipped sets, also where it finds nothing; and sets can be left out.
    void ownRulesComeFirst()
    {
        const std::vector<ChannelText> channels = {gpu(m_host, "0"), gpu(m_host, "1")};
        QCOMPARE(m_desk->edit(said("{'do': 'add', 'what': 'binding-rule', 'channel': 'DCGM_FI_DEV_POWER_USAGE', 'labels': 'gpu=0',"
                                   "'entity': 'elsewhere', 'measure': 'active-power', 'unit': 'W'}")),
                 std::string());
        const auto bound = m_desk->bind(channels);
        QVERIFY(causeOf(*bound, 0) == Cause::UnknownName);
        QCOMPARE(reasonOf(*bound, 1), Reason::Bound);
        QCOMPARE(m_desk->edit(said("{'do': 'set-setting', 'key': 'telemetry.rule_sets', 'value': 'dsx, node'}")), std::string());
        QVERIFY(causeOf(*m_desk->bind(channels), 1) == Cause::NoRule);
        QVERIFY(
            QString::fromStdString(m_desk->edit(said("{'do': 'set-setting', 'key': 'telemetry.rule_sets', 'value': 'dsx, nod'}"))).contains("nod"));
    }

    void identities()
    {
        const auto id = objectIdOf(*findEntity(m_desk->s(), *m_desk->figures->parts, m_rack));
        const auto power = [&](Labels labels) { return topic("Rack/RackPower/x", std::move(labels), "kW"); };
        const auto why = [&](Labels labels) { return causeOf(*m_desk->bind({power(std::move(labels))}), 0); };
        QCOMPARE(why({{"rackLocationId", id}}), Cause::None);
        QCOMPARE(why({{"rackLocationId", id}, {"rackLocationName", m_rack}}), Cause::None);
        QCOMPARE(why({{"rackLocationId", id}, {"rackLocationName", "BMS 17"}}), Cause::None); // the facility may call it as it likes
        QCOMPARE(why({{"rackLocationId", id}, {"rackLocationName", m_otherRack}}), Cause::RulesDisagree);
        QCOMPARE(why({{"rackLocationId", "hw:rack:999999"}}), Cause::UnknownName);
        QCOMPARE(why({{"rackLocationId", "hw:rack:0"}}), Cause::UnknownName);
        QCOMPARE(why({}), Cause::NoRule); // a tag path says nothing
        QCOMPARE(m_desk->edit(said("{'do': 'set', 'entity': '%1', 'column': 'serial', 'value': 'SN-77'}", m_rack)), std::string());
        QCOMPARE(why({{"rackLocationId", "SN-77"}}), Cause::None);
        QCOMPARE(m_desk->edit(said("{'do': 'set', 'entity': '%1', 'column': 'serial', 'value': 'SN-77'}", m_otherRack)), std::string());
        QCOMPARE(why({{"rackLocationId", "SN-77"}}), Cause::SeveralNames);
        auto setpoint = topic("Rack/RackPower/x", {{"isSetpoint", "true"}, {"rackLocationId", id}}, "kW");
        const auto bound = m_desk->bind({setpoint});
        QVERIFY(bound->points.size() == 1 && isSetpoint(bound->points[0]));
    }

    void asideByRule()
    {
        const std::vector<ChannelText> channels = {{"BMS/v1/PUB/Value/System/HeartbeatTimestampBms/bms", {{"objectId", "BMS"}}, ""}};
        auto bound = m_desk->bind(channels);
        QVERIFY(reasonOf(*bound, 0) == Reason::SetAside && causeOf(*bound, 0) == Cause::SetAsideByRule);
        QVERIFY(QString::fromStdString(words(bound->why(0))).contains("dsx"));
        QCOMPARE(m_desk->edit(said("{'do': 'add', 'what': 'binding-rule', 'name': 'away', 'channel': '*', 'entity': '-'}")), std::string());
        bound = m_desk->bind({{"anything", {}, ""}});
        QVERIFY(causeOf(*bound, 0) == Cause::SetAsideByRule);
        QCOMPARE(
            m_desk->edit(said("{'do': 'add', 'what': 'binding-rule', 'channel': 'any{x}', 'entity': '%1', 'measure': 'heat', 'unit': 'W'}", m_rack)),
            std::string());
        QVERIFY(causeOf(*m_desk->bind({{"anything", {}, ""}}), 0) == Cause::RulesDisagree);
        QVERIFY(!m_desk->edit(said("{'do': 'add', 'what': 'binding-rule', 'channel': 'b', 'entity': '-', 'measure': 'heat'}")).empty());
    }

    void byHand()
    {
        const std::vector<ChannelText> channels = {{"plant/p1", {}, "kW"}, gpu(m_host, "0")};
        const auto bindIt = [&](const std::string& more) {
            return m_desk->edit(said("{'do': 'bind', 'channel': 'plant/p1', 'entity': '%1', %2}", m_rack, more));
        };
        QCOMPARE(bindIt(said("'measure': 'heat', 'element': 'left'")), std::string());
        QCOMPARE(pointOf(*m_desk, *m_desk->bind(channels), 0), m_rack + " heat left");
        QCOMPARE(m_desk->bind(channels)->channels[0].conversion.factor, 1000.0);
        QCOMPARE(bindIt(said("'measure': 'heat', 'unit': 'W'")), std::string()); // what a person says of the unit holds
        QCOMPARE(m_desk->bind(channels)->channels[0].conversion.factor, 1.0);
        QCOMPARE(m_desk->s().bindings.size(), 1u);
        QCOMPARE(m_desk->edit(said("{'do': 'undo'}")), std::string());
        QCOMPARE(pointOf(*m_desk, *m_desk->bind(channels), 0), m_rack + " heat left");
        QCOMPARE(m_desk->edit(said("{'do': 'undo'}")), std::string());
        QVERIFY(causeOf(*m_desk->bind(channels), 0) == Cause::NoRule);
        QCOMPARE(m_desk->edit(said("{'do': 'redo'}")), std::string());
        QCOMPARE(reasonOf(*m_desk->bind(channels), 0), Reason::Bound);
        QCOMPARE(m_desk->edit(said("{'do': 'unbind', 'channel': 'plant/p1'}")), std::string());
        QVERIFY(causeOf(*m_desk->bind(channels), 0) == Cause::NoRule);
        QVERIFY(!m_desk->edit(said("{'do': 'unbind', 'channel': 'plant/p1'}")).empty());
        QCOMPARE(m_desk->edit(said("{'do': 'set-aside', 'channel': 'plant/p1'}")), std::string());
        const auto aside = m_desk->bind(channels);
        QVERIFY(reasonOf(*aside, 0) == Reason::SetAside && aside->setAside == 1);
    }

    /// What was bound by hand goes with its entity, and comes back with it.
    void removedEntity()
    {
        QCOMPARE(m_desk->edit(said("{'do': 'bind', 'channel': 'x', 'entity': '%1', 'measure': 'heat', 'unit': 'W'}", m_host)), std::string());
        QCOMPARE(m_desk->edit(said("{'do': 'remove', 'entity': '%1'}", m_host)), std::string());
        QCOMPARE(m_desk->s().bindings.size(), 0u);
        QVERIFY(causeOf(*m_desk->bind({{"x", {}, ""}, gpu(m_host, "0")}), 1) == Cause::UnknownName);
        QCOMPARE(m_desk->edit(said("{'do': 'undo'}")), std::string());
        QCOMPARE(m_desk->bind({{"x", {}, ""}, gpu(m_host, "0")})->bound, std::size_t(2));
    }

    void handSettlesDoubles()
    {
        auto again = gpu(m_host, "0");
        again.name.insert(again.name.size() - 1, ",instance=\"b\"");
        const std::vector<ChannelText> channels = {gpu(m_host, "0"), again};
        const auto quoted = nlohmann::json(again.name).dump(), first = nlohmann::json(channels[0].name).dump();
        QCOMPARE(m_desk->edit(said("{'do': 'set-aside', 'channel': %1}", quoted)), std::string());
        QCOMPARE(reasonOf(*m_desk->bind(channels), 0), Reason::Bound);
        QCOMPARE(m_desk->edit(said("{'do': 'bind', 'channel': %1, 'entity': '%2', 'measure': 'active-power', 'element': 'gpu0'}", quoted, m_host)),
                 std::string());
        const auto held = m_desk->bind(channels);
        QVERIFY(reasonOf(*held, 1) == Reason::Bound && causeOf(*held, 0) == Cause::HeldByHand && reasonOf(*held, 0) == Reason::Ambiguous);
        QCOMPARE(m_desk->edit(said("{'do': 'bind', 'channel': %1, 'entity': '%2', 'measure': 'active-power', 'element': 'gpu0'}", first, m_host)),
                 std::string());
        QCOMPARE(m_desk->bind(channels)->ambiguous, std::size_t(2)); // two by hand are no better
    }

    /// Leak detectors in all the places where Redfish shows them; none is given up because another says the same.
    void leaksAreNeverGivenUp()
    {
        const BoundDesk cooled("nvl72");
        std::string tray;
        cooled.s().devices.forEach([&](DeviceId id) {
            if (tray.empty() && cooled.s().tiers.kind[cooled.s().devices.tier[id]] == TierKind::Server) tray = cooled.s().devices.name[id];
        });
        std::vector<ChannelText> channels;
        for (const char* path :
             {"/ThermalEquipment/CDUs/1/LeakDetection/LeakDetectors/1#DetectorState",
              "/ThermalEquipment/CDUs/1/LeakDetection#LeakDetectorGroups/0/Detectors/0/DetectorState",
              "/ThermalEquipment/CDUs/1/LeakDetection/LeakDetectors/1#Status/Health", "/Chassis/CDU/LeakDetectors/Moisture#DetectorState",
              "/ThermalEquipment/CoolingLoops/1/LeakDetection/LeakDetectors/A#DetectorState"})
            channels.push_back({std::string("//cdu7/redfish/v1") + path, {{"ChassisType", "RackMount"}, {"host", "hall1-c1-cdu1-1"}}, ""});
        for (const char* path :
             {"/ThermalSubsystem/LeakDetection/LeakDetectors/Tray_0#DetectorState", "/ThermalSubsystem/LeakDetection#Status/Health"})
            channels.push_back({std::string("//bmc/redfish/v1/Chassis/Chassis_0") + path, {{"host", tray}}, ""});
        for (const char* tag : {"a", "b", "c"}) // three detectors of one object
            channels.push_back({std::string("BMS/v1/PUB/Value/CDU/LeakDetect/") + tag, {{"objectName", "hall1-c1-cdu1-1"}}, ""});
        channels.push_back({"BMS/v1/PUB/Value/Sensor/LeakDetect/hall", {{"objectName", "hall1"}, {"processArea", "Pod1,Floor"}}, ""});
        channels.push_back({"BMS/v1/PUB/Value/PowerMeter/LeakDetect/x", {{"objectName", "hall1"}}, ""});
        const auto bound = cooled.bind(channels);
        std::set<std::string> points;
        for (std::size_t i = 0; i < channels.size(); ++i) {
            QVERIFY2(reasonOf(*bound, i) == Reason::Bound, (channels[i].name + ": " + words(bound->why(ChannelNo(i)))).c_str());
            QVERIFY(bound->points[bound->channels[i].point].measure == Measure::Leak);
            points.insert(pointOf(cooled, *bound, i));
        }
        QCOMPARE(points.size(), channels.size());
        QVERIFY(std::ranges::is_sorted(bound->points));
        const auto more = cooled.bind({channels[0], {"//cdu7/redfish/v1/Chassis/NU#PowerState", channels[0].labels, ""}});
        QCOMPARE(more->bound, std::size_t(2));
    }

    /// Which states of a detector are a leak, its words say; where they say nothing, 1 is.
    void statesOfLeakDetectors()
    {
        const auto leaks = [&](const std::string& states, double value) {
            const auto bound = m_desk->bind({{"BMS/v1/PUB/Value/Rack/RackLeakDetect/x", {{"rackLocationName", m_rack}, {"stateText", states}}, ""}});
            return reasonOf(*bound, 0) == Reason::Bound ? bound->channels[0].conversion(value) : -1;
        };
        QCOMPARE(leaks("0=NoLeak,1=Leak", 1), 1.0);
        QCOMPARE(leaks("0=Leak,1=Normal", 0), 1.0);
        QCOMPARE(leaks("0=Normal,1=Leak,2=Fault", 1), 1.0);
        QCOMPARE(leaks("0=Normal,1=Leak,2=Fault", 2), 0.0);
        QCOMPARE(leaks("0=Sensor fault,1=Normal,2=Leak", 1), 0.0);
        QCOMPARE(leaks("0=Sensor fault,1=Normal,2=Leak", 2), 1.0);
        QCOMPARE(leaks("0=OK,1=Small leak,2=Large leak", 2), 1.0);
        QCOMPARE(leaks("0=Zustand A,1=Zustand B", 1), 1.0);
        QCOMPARE(leaks("0=Zustand A,1=Zustand B", 0), 0.0);
    }

    /// Areas that a site names as it likes become elements; what rules say more exactly holds first.
    void areasOfABuilding()
    {
        const auto of = [&](const char* path, const char* area, const char* unit) {
            const auto bound = m_desk->bind({topic(path, {{"objectName", m_rack}, {"processArea", area}}, unit)});
            return pointOf(*m_desk, *bound, 0).substr(m_rack.size() + 1);
        };
        QCOMPARE(of("CDU/LiquidPressure/a", "Primary,Inlet", "kPa"), std::string("pressure primary supply"));
        QCOMPARE(of("CDU/LiquidPressure/a", "Secondary,Filter", "kPa"), std::string("pressure Secondary,Filter"));
        QCOMPARE(of("CDU/PumpSpeed/a", "Secondary", "%"), std::string("pump-speed"));
        QCOMPARE(of("Valve/ValvePosition/a", "Supply", "%"), std::string("valve-position Supply"));
        QCOMPARE(of("Sensor/AirTemperature/a", "Pod1,ColdAisle", "C"), std::string("air-inlet Pod1"));
        QCOMPARE(of("Sensor/AirTemperature/a", "Plenum", "C"), std::string("temperature Plenum"));
        QCOMPARE(of("Sensor/AirRelativeHumidity/a", "Pod1,ColdAisle", "%RH"), std::string("humidity Pod1,ColdAisle"));
        QCOMPARE(of("CDU/LiquidTemperature/a", "Secondary,Supply", "C"), std::string("supply-temperature"));
    }

    /// Exporters that all state the power of a server: one holds it, the others are kept beside it; alone, each is the server's.
    void severalExporters()
    {
        const auto at = [&](const char* name, Labels labels) {
            labels.emplace_back("instance", m_host + ":9290");
            std::ranges::sort(labels);
            return metric(name, std::move(labels));
        };
        const std::vector<ChannelText> channels = {at("ipmi_dcmi_power_consumption_watts", {}),
                                                   at("ipmi_power_watts", {{"id", "90"}, {"name", "Pwr Consumption"}}),
                                                   at("ipmi_fan_speed_rpm", {{"id", "4"}, {"name", "Fan1"}}),
                                                   at("redfish_chassis_power_average_consumed_watts", {{"chassis_id", "1"}}),
                                                   at("idrac_power_control_consumed_watts", {{"id", "0"}}),
                                                   at("nvidia_smi_power_draw_watts", {{"uuid", "x"}}),
                                                   at("amd_gpu_package_power", {{"gpu_id", "0"}, {"hostname", m_host}})};
        const auto bound = m_desk->bind(channels);
        for (std::size_t i = 0; i < channels.size(); ++i)
            QVERIFY2(reasonOf(*bound, i) == Reason::Bound, (channels[i].name + ": " + words(bound->why(ChannelNo(i)))).c_str());
        QCOMPARE(pointOf(*m_desk, *bound, 0), m_host + " active-power");
        QCOMPARE(pointOf(*m_desk, *bound, 3), m_host + " active-power redfish-average");
        QCOMPARE(pointOf(*m_desk, *bound, 4), m_host + " active-power idrac");
        const auto two = m_desk->bind({channels[3], channels[4]});
        QCOMPARE(two->bound, std::size_t(2));
        QCOMPARE(pointOf(*m_desk, *two, 0), m_host + " active-power"); // the first rule of them
        QCOMPARE(pointOf(*m_desk, *m_desk->bind({channels[4]}), 0), m_host + " active-power");
        Binder binder(m_desk->figures); // in any order
        QCOMPARE(binder.bind(std::vector{channels[4]})->bound, std::size_t(1));
        QVERIFY(same(*binder.bind(std::vector{channels[4], channels[0]}), *m_desk->bind({channels[4], channels[0]})));
        auto other = channels[4];
        other.labels.emplace_back("name", "again"), other.name.insert(other.name.size() - 1, ",name=\"again\"");
        QCOMPARE(m_desk->bind({channels[4], other})->ambiguous, std::size_t(2)); // of one rule it is not known which
    }

    void refusedEdits()
    {
        const auto says = [&](const std::string& edit, const char* word) {
            const auto before = m_desk->s().revision;
            const auto said = m_desk->edit(edit);
            return QString::fromStdString(said).contains(word) && m_desk->s().revision == before;
        };
        const std::string head = said("{'do': 'bind', 'channel': 'c', 'entity': '%1', ", m_rack);
        QVERIFY(says(head + said("'measure': 'activ-power'}"), "active-power"));
        QVERIFY(says(head + said("'measure': 'zzzzzz'}"), "supply-temperature"));
        QVERIFY(says(head + said("'measure': 'flow', 'unit': 'kW'}"), "L/min"));
        QVERIFY(says(head + said("'measure': 'flow', 'unit': 'furlong'}"), "furlong"));
        QVERIFY(says(said("{'do': 'bind', 'channel': '', 'entity': '%1', 'measure': 'flow'}", m_rack), "channel"));
        QVERIFY(says(said("{'do': 'bind', 'channel': 'c', 'entity': 'backend', 'measure': 'flow'}"), "rack"));
        QVERIFY(says(said("{'do': 'bind', 'channel': 'c', 'entity': 'nobody', 'measure': 'flow'}"), "nobody"));
        QVERIFY(says(said("{'do': 'bind', 'channel': 'c', 'measure': 'flow'}"), "entity"));
        QVERIFY(says(said("{'do': 'add', 'what': 'binding-rule', 'channel': 'a', 'entity': 'b', 'measure': 'flaw'}"), "flow"));
        QVERIFY(says(said("{'do': 'add', 'what': 'binding-rule', 'channel': 'a{', 'entity': 'b', 'measure': 'flow'}"), "channel"));
        QVERIFY(says(said("{'do': 'add', 'what': 'binding-rule', 'channel': 'a', 'entity': '{b}', 'measure': 'flow'}"), "{b}"));
        QVERIFY(says(said("{'do': 'add', 'what': 'binding-rule', 'channel': 'a', 'measure': 'flow'}"), "entity"));
        QCOMPARE(m_desk->edit(
                     said("{'do': 'add', 'what': 'binding-rule', 'name': 'r', 'channel': 'a', 'entity': 'b', 'measure': 'flow', 'unit': 'L/min'}")),
                 std::string());
        QVERIFY(says(said("{'do': 'set', 'entity': 'r', 'column': 'measure', 'value': 'flwo'}"), "flow"));
        QVERIFY(says(said("{'do': 'set', 'entity': 'r', 'column': 'unit', 'value': 'kW'}"), "L/min"));
        QVERIFY(says(said("{'do': 'set', 'entity': 'r', 'column': 'channel', 'value': '{'}"), "channel"));
        QCOMPARE(m_desk->edit(said("{'do': 'set', 'entity': 'r', 'column': 'unit', 'value': 'GPM'}")), std::string());
        QCOMPARE(m_desk->edit(said("{'do': 'remove', 'entity': 'r'}")), std::string());
        QCOMPARE(m_desk->s().bindingRules.size(), 0u);
    }

    /// Names of the design are what is bound to; ids and rows by hand outlive a new name.
    void renamedEntity()
    {
        const auto id = objectIdOf(*findEntity(m_desk->s(), *m_desk->figures->parts, m_rack));
        const std::vector<ChannelText> channels = {topic("Rack/RackPower/x", {{"rackLocationName", m_rack}}, "kW"),
                                                   topic("Rack/RackLiquidFlow/x", {{"rackLocationId", id}, {"rackLocationName", m_rack}}, "LPM"),
                                                   {"by/hand", {}, "kW"}};
        QCOMPARE(m_desk->edit(said("{'do': 'bind', 'channel': 'by/hand', 'entity': '%1', 'measure': 'heat'}", m_rack)), std::string());
        Binder binder(m_desk->figures);
        QCOMPARE(binder.bind(channels)->bound, std::size_t(3));
        QCOMPARE(m_desk->edit(said("{'do': 'rename', 'entity': '%1', 'name': 'new-name'}", m_rack)), std::string());
        binder.design(m_desk->figures);
        const auto bound = binder.bind(channels);
        QVERIFY(causeOf(*bound, 0) == Cause::UnknownName);
        QCOMPARE(pointOf(*m_desk, *bound, 1), std::string("new-name flow"));
        QCOMPARE(pointOf(*m_desk, *bound, 2), std::string("new-name heat"));
        QVERIFY(same(*bound, *m_desk->bind(channels)));
    }

    /// Channels that appear, and that say more of themselves later, in any order: the same as all at once.
    void stepByStepAsAtOnce()
    {
        const Snapshot& s = m_desk->s();
        std::vector<ChannelText> all;
        s.devices.forEach([&](DeviceId id) {
            if (s.tiers.kind[s.devices.tier[id]] == TierKind::Server)
                for (const char* n : {"0", "1", "7"}) all.push_back(gpu(s.devices.name[id], n, n[0] == '7' ? "kW" : "W"));
        });
        auto again = gpu(m_host, "1");
        again.name.insert(again.name.size() - 1, ",instance=\"b\"");
        all.push_back(again);
        for (std::size_t i = 0; i < all.size(); i += 5) all[i].unit = "°C"; // until it is corrected
        std::vector<ChannelText> now;
        Binder binder(m_desk->figures);
        BoundPtr bound;
        for (std::size_t i = 0; i < all.size(); i += 37) {
            now.insert(now.end(), all.begin() + std::ptrdiff_t(i), all.begin() + std::ptrdiff_t(std::min(i + 37, all.size())));
            bound = binder.bind(now);
            QVERIFY(same(*bound, *m_desk->bind(now)));
        }
        std::vector<ChannelNo> changed;
        for (std::size_t i = 0; i < now.size(); i += 5) now[i].unit = "W", changed.push_back(ChannelNo(i));
        bound = binder.bind(now, changed);
        QVERIFY(same(*bound, *m_desk->bind(now)));
        QCOMPARE(bound->conflicting, std::size_t(0));
        QCOMPARE(bound->ambiguous, std::size_t(2));
        QCOMPARE(bound->bound, now.size() - 2);
        QVERIFY(std::ranges::is_sorted(bound->points));
    }

    void channelFiles()
    {
        std::vector<Error> left;
        const auto names = [&](const std::string& content) {
            left.clear();
            const auto read = channelsOf(content, "f", left);
            std::string out;
            if (!read) return read.error().where;
            for (const auto& channel : *read) out += channel.name + (channel.unit.empty() ? "" : "|" + channel.unit) + ";";
            return out;
        };
        QCOMPARE(names(said("[{'topic': 'BMS/v1/PUB/Metadata/Rack/RackPower/a', 'payload': {'engUnit': 'kW'}}]")),
                 std::string("BMS/v1/PUB/Value/Rack/RackPower/a|kW;"));
        QCOMPARE(names(said("{'BMS/v1/PUB/Metadata/CDU/X/a': {'integration': 'AI'}, 'b': null}")), std::string("BMS/v1/AI/Value/CDU/X/a;b;"));
        QCOMPARE(names("{\"topic\": \"a\", \"payload\": {}}\n{\"topic\": \"b\"}\n"), std::string("a;b;"));
        QCOMPARE(names("{\"recording\":1}\n{\"c\":0,\"name\":\"m\",\"labels\":{\"a\":\"b\"},\"unit\":\"W\"}\n{\"t\":5,\"s\":[[0,1,2]]}\n{\"cut"),
                 std::string("m|W;"));
        QCOMPARE(names("# HELP x\nx 3\nx{b=\"2\",a=\"1\"} 3 1700000000\ntopic/with/path\n\n"), std::string("x;x{a=\"1\",b=\"2\"};topic/with/path;"));
        QCOMPARE(names("x{a=\"1} 3\n"), std::string("f:1"));
        QCOMPARE(names("[1]"), std::string("f: [0]"));
        QCOMPARE(names("{\"a\": 3}"), std::string("f: a"));
        QCOMPARE(names(""), std::string());
        QCOMPARE(names("a\nx{b=\"1} 3\n{\"topic\": }\nc\n"), std::string("a;c;")); // a bad row does not refuse the others
        QCOMPARE(left.size(), std::size_t(2));
        QCOMPARE(left[0].where + " " + left[1].where, std::string("f:2 f:3"));
        QCOMPARE(names("[1, \"t\"]"), std::string("t;"));
        QCOMPARE(left.size(), std::size_t(1));
        const auto read =
            channelsOf(said("[{'topic': 'BMS/v1/PUB/Metadata/CDU/L/a', 'payload': {'processArea': ['Primary', 'Inlet'], 'isSetpoint': true,"
                            "'stateText': [{'value': 0, 'text': 'Open'}, {'value': 1, 'text': 'Closed'}]}}]"),
                       "f", left);
        QCOMPARE((*read)[0].labels, (Labels{{"isSetpoint", "true"}, {"processArea", "Primary,Inlet"}, {"stateText", "0=Open,1=Closed"}}));
    }

    void preview()
    {
        auto again = gpu(m_host, "0");
        again.name.insert(again.name.size() - 1, ",instance=\"b\"");
        const auto report = bindingsReport(m_desk->figures, {gpu(m_host, "1"), again, gpu(m_host, "0"), {"x", {}, ""}});
        QVERIFY(!report.clear());
        const auto json = bindingsJson(report);
        QCOMPARE(json["bound"].get<int>(), 1);
        QCOMPARE(json["ambiguous"].get<int>(), 2);
        QCOMPARE(json["rows"].size(), std::size_t(4));
        QCOMPARE(json["rows"][0]["state"].get<std::string>(), std::string("ambiguous"));
        QCOMPARE(json["rows"][3]["entity"].get<std::string>(), m_host);
        const auto text = QString::fromStdString(bindingsText(report));
        QVERIFY(text.contains("2 ambiguous") && text.contains("1 unbound") && text.contains("1 bound"));
        QVERIFY(bindingsReport(m_desk->figures, {gpu(m_host, "1")}).clear());
    }
};

QTEST_GUILESS_MAIN(BindingsTest)
#include "test_bindings.moc"

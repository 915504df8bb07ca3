// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes to isolate: from alarms, deviations and failed gates; as schedulers take them; beside what they cordoned.
#include "core/operations/asbuilt/segment.h"
#include "importers/cluster/cordoned_nodes.h"
#include "tests/asbuilt/built_hall.h"

#include <QRegularExpression>
#include <QTest>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

using namespace hw;
using namespace hw::isolation;

namespace {

constexpr std::int64_t kNow = 1'767'600'600'000; // 2026-01-05T08:10:00Z

const BuiltHall& hall()
{
    static const BuiltHall built = BuiltHall::of("hpn", {{"segments", "1"}, {"backup_hosts", "0"}, {"tor_uplinks", "4"}, {"networks", "backend"}});
    return built;
}
std::vector<DeviceId> hosts()
{
    std::vector<DeviceId> out;
    hall().s().devices.forEach([&](DeviceId id) {
        if (hall().s().tiers.kind[hall().s().devices.tier[id]] == TierKind::Server) out.push_back(id);
    });
    return out;
}
std::string name(DeviceId id) { return hall().s().devices.name[id]; }

monitoring::Alarm alarm(EntityRef cause, Text what, std::int64_t sinceMs, monitoring::AlarmKind kind = monitoring::AlarmKind::Cause)
{
    monitoring::Alarm out;
    out.kind = kind, out.cause = cause, out.what = std::move(what), out.sinceMs = sinceMs;
    return out;
}
/// A host that failed, a port, a cable between switches, a ToR that costs GPUs, a threshold, packet loss.
monitoring::Frame frame()
{
    monitoring::Frame f;
    f.atMs = kNow, f.design = hall().figures;
    const auto all = hosts();
    f.alarms.push_back(alarm(ref(all[2]), i18n("\"{}\" has $failed", name(all[2])), kNow - 120'000));
    const auto& plug = *std::ranges::find_if(hall().plugs, [&](const auto& p) { return hall().s().ports.device[p.a] == all[3]; });
    f.alarms.push_back(alarm(ref(plug.a), i18n("port flaps"), kNow - 60'000, monitoring::AlarmKind::Flapping));
    const auto& up = *std::ranges::find_if(hall().plugs, [&](const auto& p) {
        return hall().s().tiers.kind[hall().s().devices.tier[hall().s().ports.device[p.a]]] == TierKind::Switch;
    });
    f.alarms.push_back(alarm(ref(up.link), i18n("link between switches"), kNow - 50'000));
    auto tor = alarm(ref(hall().s().ports.device[plug.b]), i18n("switch failed"), kNow - 40'000);
    tor.gpusLost = 8, tor.symptoms = {ref(all[5])};
    f.alarms.push_back(tor);
    f.alarms.push_back(alarm(ref(all[6]), i18n("temperature"), kNow - 30'000, monitoring::AlarmKind::Threshold));
    monitoring::Deviation loss;
    loss.kind = monitoring::DeviationKind::PacketLoss, loss.entity = ref(all[2]), loss.measured = 2.5, loss.sinceMs = kNow - 300'000;
    loss.what = i18n("loses packets");
    f.deviations.push_back(loss);
    return f;
}

std::vector<Cordoned> read(const std::string& text) { return importers::readCordoned({"f.txt", text, {}}).value(); }

} // namespace

class TestIsolation : public QObject {
    Q_OBJECT

private slots:
    void fromAlarmsAndDeviations()
    {
        const auto f = frame();
        const List list = nodesToIsolate(*hall().figures, &f, f.atMs);
        const auto all = hosts();
        std::vector<std::string> names;
        for (const auto& node : list.nodes) names.push_back(node.name);
        QCOMPARE(names, (std::vector<std::string>{name(all[2]), name(all[3]), name(all[5])}));
        QCOMPARE(list.nodes[0].reasons.size(), std::size_t(2));
        QCOMPARE(list.nodes[0].sinceMs(), kNow - 300'000); // the first that was seen
        QCOMPARE(list.nodes[0].reasons[0].kind, std::string("packet-loss"));
        QCOMPARE(list.nodes[1].reasons[0].kind, std::string("flapping"));
        QVERIFY(nodesToIsolate(*hall().figures, nullptr, kNow).nodes.empty());
    }

    void fromFailedGates()
    {
        Snapshot s(hall().s());
        const auto key = asbuilt::findSegment(s, "1").value();
        const auto all = hosts();
        const std::string evidence = fmt::format("{}:nic1: 95 Gb/s of 200; x{} is another; {}.", name(all[1]), name(all[2]), name(all[4]));
        QVERIFY(asbuilt::setGate(s, key, 1, {GateResult::Failed, evidence, "me", "2026-01-05"}));
        const auto figures = figuresOf(std::make_shared<const Snapshot>(s)).value();
        const List list = nodesToIsolate(*figures, nullptr, kNow);
        QCOMPARE(list.nodes.size(), std::size_t(2));
        QCOMPARE(list.nodes[0].name + list.nodes[1].name, name(all[1]) + name(all[4]));
        QCOMPARE(list.nodes[0].reasons[0].kind, std::string("gate-1"));
        const auto json = nlohmann::json::parse(isolationJson(list));
        QVERIFY(json["nodes"][0]["since"].get<std::string>().starts_with("2026-01-05T00:00:00")); // the day of the test
        QVERIFY(json["nodes"][0]["age_s"].get<std::int64_t>() >= 0);
    }

    void asSchedulersTakeThem()
    {
        const auto f = frame();
        List list = nodesToIsolate(*hall().figures, &f, f.atMs);
        const auto all = hosts();
        const std::string first = name(all[2]), second = name(all[3]);
        compareWith(
            list, *hall().figures,
            read(fmt::format("NodeName={} Arch=x86_64\n   State=IDLE+DRAIN ThreadsPerCore=1\n   Reason=nic check [root@2026-01-05T07:00:00]\n\n"
                             "NodeName={}\n   State=DOWN\n   Reason=gone\n\nNodeName={}\n   State=ALLOCATED\n\nNodeName=nobody\n   State=DOWN\n",
                             first, name(all[9]), name(all[8]))));
        QCOMPARE(list.both.size(), std::size_t(1));
        QCOMPARE(list.onlyCordoned.size(), std::size_t(1));
        QCOMPARE(list.unknown.size(), std::size_t(1));

        const auto json = nlohmann::json::parse(isolationJson(list));
        QVERIFY(json["schema"] == "hallwright.isolation/1");
        QCOMPARE(json["nodes"].size(), std::size_t(3));
        QVERIFY(json["nodes"][0]["age_s"] == 300);
        QVERIFY(json["nodes"][0]["since"] == "2026-01-05T08:05:00.000Z");
        QVERIFY(json["nodes"][0]["cordoned"]["reason"] == "nic check");
        QVERIFY(json["nodes"][0]["cordoned"]["since"] == "2026-01-05T07:00:00");
        QVERIFY(json["nodes"][1]["cordoned"].is_null());
        QVERIFY(json["only_cordoned"][0]["node"] == name(all[9]));

        const QStringList slurm = QString::fromStdString(isolationSlurm(list)).split('\n', Qt::SkipEmptyParts);
        QVERIFY(slurm.filter(QRegularExpression("^scontrol update NodeName=\\S+ State=DRAIN Reason=\"[^\"$`\\\\']+\"$")).size() == 2);
        QVERIFY(slurm.filter(QString::fromStdString("# scontrol update NodeName=" + first + " ")).size() == 1); // is drained already

        const auto documents = YAML::LoadAll(isolationKubernetes(list));
        QCOMPARE(documents.size(), std::size_t(3));
        for (const auto& node : documents) {
            QCOMPARE(node["kind"].as<std::string>(), std::string("Node"));
            QCOMPARE(node["spec"]["taints"][0]["effect"].as<std::string>(), std::string("NoSchedule"));
            QVERIFY(!node["metadata"]["annotations"]["hallwright/reason"].as<std::string>().empty());
        }
        QCOMPARE(documents[1]["metadata"]["name"].as<std::string>(), second);

        const QStringList csv = QString::fromStdString(isolationCsv(list)).split("\r\n", Qt::SkipEmptyParts);
        QCOMPARE(csv.size(), 1 + 4 + 2); // four reasons, two that schedulers alone know
        QVERIFY(csv[1].contains("packet-loss") && csv[1].contains("slurm"));
    }

    void whatSchedulersCordoned()
    {
        const auto sinfo = read("REASON               USER      TIMESTAMP           NODELIST\n"
                                "nic check            root      2026-01-05T07:00:00 host[001-003,12],gpu2\n"
                                "Not responding       slurm     2026-01-05T07:30:00 a[1-2]-x\n");
        QCOMPARE(sinfo.size(), std::size_t(7));
        QCOMPARE(sinfo[1].node + sinfo[3].node + sinfo[4].node + sinfo[6].node, std::string("host002host12gpu2a2-x"));
        QCOMPARE(sinfo[0].reason + "|" + sinfo[0].since, std::string("nic check|2026-01-05T07:00:00"));
        const auto kube = read(R"({"items": [{"metadata": {"name": "a"}, "spec": {"unschedulable": true}},
            {"metadata": {"name": "b"}, "spec": {"taints": [{"key": "x", "value": "y", "effect": "NoSchedule", "timeAdded": "2026-01-05T07:00:00Z"}]}},
            {"metadata": {"name": "c"}, "spec": {"taints": [{"key": "nvidia.com/gpu", "effect": "NoSchedule"}]}}, {"metadata": {"name": "d"}}, 7]})");
        QCOMPARE(kube.size(), std::size_t(2));
        QCOMPARE(kube[1].node + kube[1].reason + kube[1].since, std::string("bx=y:NoSchedule2026-01-05T07:00:00Z"));
        const auto json =
            read(R"({"nodes": [{"name": "a", "state": ["IDLE", "DRAIN"], "reason": "r"}, {"name": "b", "state": ["IDLE"]}, {"name": 3}]})");
        QCOMPARE(json.size(), std::size_t(1));
        for (const char* bad :
             {"", "hello", "{\"items\": 3}", "[1", "{\"nodes\": {}}", "REASON  USER  TIMESTAMP  NODELIST\nx  root  2026  host[001-\n",
              "REASON  USER  TIMESTAMP  NODELIST\nx  root  2026  a[0-999999999]\n"}) {
            const auto got = importers::readCordoned({"f.txt", bad, {}});
            QVERIFY2(!got && got.error().code == ErrorCode::Unreadable, bad);
        }
    }
};

QTEST_APPLESS_MAIN(TestIsolation)
#include "test_isolation.moc"

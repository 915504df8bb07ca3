// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of the three kinds, put in by the emulator and by hand into the files of a test, and the gate that finds each.
#include "app/acceptance/acceptance.h"
#include "importers/asbuilt/evidence_readers.h"
#include "importers/configuration/config_files.h"
#include "simulation/emulation/output.h"
#include "tests/asbuilt/built_hall.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

#include <fmt/format.h>

using namespace hw;
using namespace hw::asbuilt;

namespace {

using Values = std::map<std::string, std::string>;

/// A design with its first host, a port of it, and a link between switches.
struct Under {
    explicit Under(const std::string& name, const Values& values) : built(BuiltHall::of(name.c_str(), values))
    {
        const Snapshot& s = built.s();
        segment = segmentAt(s, findSegment(s, "1").value());
        for (const auto& plug : built.plugs) {
            const bool own = s.ports.network[plug.a] && *s.ports.network[plug.a] == segment.key.network;
            const bool host = s.tiers.kind[s.devices.tier[s.ports.device[plug.a]]] == TierKind::Server;
            if (own && host) hostPorts.push_back(plug);
            if (own && !host && !trunk) trunk = plug;
        }
    }
    [[nodiscard]] std::string name(PortId port) const { return built.device(port) + ":" + built.port(port); }
    BuiltHall built;
    Segment segment;
    std::vector<BuiltHall::Plug> hostPorts;
    std::optional<BuiltHall::Plug> trunk;
};

std::string everything(const std::vector<Text>& all)
{
    std::string out;
    for (const Text& one : all) out += words(one) + "\n";
    return out;
}

void write(const QString& file, const std::string& text) { std::ofstream(file.toStdString()) << text; }

/// Four minutes of the ports and the training job of a hall.
void emulate(const Under& under, const std::string& script, const QString& recording)
{
    emulation::Options options;
    options.startMs = 1'767'600'000'000, options.facility = options.gpus = false;
    options.linkGbps.assign(2 * std::size_t(under.built.s().links.nextId()), 40); // of a job that uses all links alike
    auto hall = std::move(emulation::Hall::of(under.built.figures, options).value());
    QVERIFY(hall->plan(emulation::readScript(script, "faults").value(), "faults"));
    emulation::TrainingSeries series;
    series.job = "llm", series.iterationS = 5, series.computeS = 4, series.sendS = 0.5, series.tokensPerS = 1e5, series.mfu = 0.5;
    emulation::JobEmulation job(*hall, series, 1);
    const auto output = emulation::recordingOutput(*hall, recording.toStdString());
    QVERIFY(output->begin());
    while (hall->nowMs() < 240'000) {
        QVERIFY(output->say(hall->advance(hall->nowMs() + 1000)));
        QVERIFY(output->sayJob(job, job.advance()));
    }
    QVERIFY(output->end());
}

} // namespace

class TestInjectedFaults : public QObject {
    Q_OBJECT

    static const Under& under(const QString& name)
    {
        static const Under tree("fat-tree-2", {{"segments", "1"}, {"switch", "25t-64x400g"}, {"networks", "backend"}});
        static const Under dual("dcn-plus", {{"pods", "1"}, {"segments", "1"}, {"networks", "backend"}}); // two ports a NIC
        return name == "fat-tree-2" ? tree : dual;
    }
    static void designs()
    {
        QTest::addColumn<QString>("design");
        for (const char* name : {"fat-tree-2", "dcn-plus"}) QTest::newRow(name) << name;
    }
    GateEvaluation evaluated(const Under& u, const app::GateEvidence& evidence)
    {
        auto results = app::evaluateGates(u.built.figures, u.segment.key, evidence, {});
        if (!results) return {0, false, {}, {verbatim(results.error().text())}};
        return results->gates.front();
    }
    QTemporaryDir m_folder;
    std::string path(const char* name) const { return m_folder.filePath(name).toStdString(); }

private slots:
    void byEmulation_data() { designs(); }
    /// Gate 4: the live twin reports a NIC in a slow slot, packets lost between switches and a wrong rate; what it cannot report fails the gate.
    void byEmulation()
    {
        QFETCH(QString, design);
        const Under& u = under(design);
        const std::string slow = u.name(u.hostPorts[17].a), loss = u.name(u.trunk->a), wrong = u.name(u.hostPorts[11].a);
        const auto script = [&](const std::string& more) {
            return fmt::format(R"({{"schema": "hallwright.faults/1", "actions": [
                {{"at_s": 30, "do": "degrade", "entity": "{}", "gbps": 25}}, {{"at_s": 30, "do": "drop-packets", "entity": "{}", "percent": 2}}{}]}})",
                               slow, loss, more);
        };
        const std::string misconfigured = fmt::format(R"(, {{"at_s": 30, "do": "misconfigure", "entity": "{}", "gbps": 50}})", wrong);
        emulate(u, script(misconfigured), m_folder.filePath("run.jsonl"));
        write(m_folder.filePath("model.json"), R"({"model": {"name": "llm", "measured": 2, "expected": 1}})");
        write(m_folder.filePath("faults.json"), script(misconfigured));
        app::GateEvidence evidence{{}, path("model.json")};
        evidence.injected = path("faults.json"), evidence.recording = path("run.jsonl");
        const auto gate = evaluated(u, evidence);
        const std::string facts = everything(gate.facts);
        QVERIFY2(gate.gate == 4 && gate.passes, (facts + everything(gate.faults)).c_str());
        for (const std::string& part :
             {fmt::format("degrade {} (host): reported", slow), fmt::format("drop-packets {} (network): reported after", loss),
              fmt::format("misconfigure {} (switch-config): reported after", wrong), std::string("job llm: ")})
            QVERIFY2(facts.find(part) != facts.npos, (part + "\n" + facts).c_str());

        // Of a kind that was not put in, and a fault that never happened.
        write(m_folder.filePath("faults.json"),
              script(fmt::format(R"(, {{"at_s": 30, "do": "fail", "entity": "{}"}})", u.built.device(u.hostPorts.back().a))));
        const auto missed = evaluated(u, evidence);
        const std::string faults = everything(missed.faults);
        QVERIFY(!missed.passes);
        QVERIFY2(faults.find("(host): not reported by the live twin") != faults.npos && faults.find("no fault of kind switch-config") != faults.npos,
                 faults.c_str());
        write(m_folder.filePath("faults.json"), R"({"schema": "hallwright.faults/1", "actions": [{"at_s": 1, "do": "fail", "entity": "nobody"}]})");
        QVERIFY(everything(evaluated(u, evidence).faults).find("nobody is not in the design") != std::string::npos);
        evidence.recording.clear();
        QVERIFY(everything(evaluated(u, evidence).faults).find("without the recording") != std::string::npos);
    }

    void byHandAtAHost_data() { designs(); }
    /// Gate 2: one file of a bandwidth test shows what a slot of four lanes lets through.
    void byHandAtAHost()
    {
        QFETCH(QString, design);
        const Under& u = under(design);
        QDir(m_folder.path()).mkpath("perf");
        int n = 0;
        std::string host;
        std::map<std::string, int> adapters;
        for (const auto& plug : u.hostPorts) {
            const std::string device = u.built.device(plug.a), adapter = fmt::format("mlx5_{}", adapters[device]++);
            const bool slow = n++ == 9;
            if (slow) host = device;
            write(m_folder.filePath(QString::fromStdString("perf/" + device + "." + adapter + ".txt")),
                  fmt::format(" Dual-port       : OFF\t\tDevice         : {}\n #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   "
                              "MsgRate[Mpps]\n"
                              " 65536      5000             {}             {}   0.37\n",
                              adapter, plug.rate, slow ? 50.1 : 0.98 * plug.rate));
        }
        app::GateEvidence evidence;
        evidence.perftest = {path("perf")};
        const auto gate = evaluated(u, evidence);
        QCOMPARE(gate.gate, 2);
        QVERIFY2(!gate.passes && gate.faults.size() == 1, everything(gate.faults).c_str());
        const std::string fault = everything(gate.faults);
        QVERIFY2(fault.find(host) != fault.npos && fault.find("PCIe") != fault.npos, fault.c_str());
        QDir(m_folder.filePath("perf")).removeRecursively();
    }

    void byHandInTheNetwork_data() { designs(); }
    /// Gate 1: two connectors of the capture are exchanged.
    void byHandInTheNetwork()
    {
        QFETCH(QString, design);
        const Under& u = under(design);
        BuiltHall built = u.built;
        auto at = [&](const BuiltHall::Plug& wanted) -> BuiltHall::Plug& {
            return *std::ranges::find(built.plugs, wanted.link, &BuiltHall::Plug::link);
        };
        std::swap(at(u.hostPorts[0]).b, at(u.hostPorts[8]).b);
        const auto gate = judgeAudit(*built.figures, u.segment, built.compare(), {}, {});
        const std::string faults = everything(gate.faults);
        QVERIFY2(!gate.passes && faults.find("swapped") != faults.npos, faults.c_str());
        QVERIFY2(faults.find(u.built.device(u.hostPorts[0].b)) != faults.npos, faults.c_str());
    }

    void byHandOfASwitch_data() { designs(); }
    /// Gate 1 and the check before it: flow control of one port is removed from the configuration of its switch.
    void byHandOfASwitch()
    {
        QFETCH(QString, design);
        const Under& u = under(design);
        const PortId port = u.hostPorts[0].b;
        std::string ports, maps;
        for (const auto& plug : u.built.plugs)
            for (const PortId end : {plug.a, plug.b}) {
                if (u.built.device(end) != u.built.device(port)) continue;
                ports += fmt::format(R"({}"{}": {{"mtu": "9216"}})", ports.empty() ? "" : ", ", u.built.port(end));
                maps += fmt::format(R"({}"{}": {{"dscp_to_tc_map": "A"{}}})", maps.empty() ? "" : ", ", u.built.port(end),
                                    end == port ? "" : R"(, "pfc_enable": "3")");
            }
        QDir(m_folder.path()).mkpath("config");
        write(m_folder.filePath("config/config_db.json"),
              fmt::format(R"({{"DEVICE_METADATA": {{"localhost": {{"hostname": "{}"}}}}, "PORT": {{{}}}, "PORT_QOS_MAP": {{{}}},
                              "DSCP_TO_TC_MAP": {{"A": {{"26": "3"}}}}}})",
                          u.built.device(port), ports, maps));
        app::GateEvidence evidence;
        evidence.config = {path("config")}, evidence.preCheck = true;
        const auto gate = evaluated(u, evidence);
        const std::string faults = everything(gate.faults);
        QVERIFY2(!gate.passes && faults.find(u.built.device(port) + ": " + u.built.port(port) + " pfc.priorities is none, expected 3") != faults.npos,
                 faults.c_str());
        QVERIFY2(faults.find("do not deploy yet: ") != faults.npos, faults.c_str());
        evidence.preCheck = false;
        QVERIFY(everything(evaluated(u, evidence).faults).find(u.built.port(port) + " pfc.priorities is none") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestInjectedFaults)
#include "test_injected_faults.moc"

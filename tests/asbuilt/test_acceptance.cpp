// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/script.h"
#include "core/operations/asbuilt/gates.h"
#include "core/output/document/handover.h"
#include "importers/asbuilt/evidence_readers.h"
#include "tests/asbuilt/built_hall.h"
#include "tests/edit/apply_script.h"

#include <QTest>

#include <cmath>

#include <fmt/format.h>

using namespace hw;
using namespace hw::asbuilt;
using exchange::ImportSource;

namespace {

const std::map<std::string, std::string> kSmall = {{"segments", "1"}, {"tor_uplinks", "4"}, {"backup_hosts", "0"}};
const BuiltHall& hall()
{
    static const BuiltHall built = BuiltHall::of("hpn", kSmall);
    return built;
}
Segment segment() { return segmentAt(hall().s(), findSegment(hall().s(), "1").value()); }

ImportSource sample(const char* name) { return exchange::readSource(std::string(HW_TEST_DATA "/asbuilt/") + name).value(); }

/// A measure of every port of some hosts: `gbps(host, port)`, the port counted from 0 as its adapter is.
template <class F>
std::vector<CardMeasure> measured(const Segment& of, std::size_t hosts, F&& gbps)
{
    std::vector<CardMeasure> all;
    for (std::size_t h = 0; h < hosts; ++h)
        for (int port = 0; port < 16; ++port)
            all.push_back(
                {hall().s().devices.name[of.hosts[h]] + ".mlx5_" + std::to_string(port), "mlx5_" + std::to_string(port), gbps(h, port), "made"});
    return all;
}

/// A small segment: the first hosts of the design's.
Segment firstHosts(std::size_t count)
{
    Segment all = segment();
    const auto& s = hall().s();
    std::vector<DeviceId> out(all.hosts.begin() + std::ptrdiff_t(count), all.hosts.end());
    all.hosts.resize(count);
    for (const DeviceId id : out) all.has[id.value] = 0;
    std::erase_if(all.links, [&](LinkId id) {
        const auto gone = [&](PortId port) { return std::ranges::binary_search(out, s.ports.device[port]); };
        return gone(s.links.from[id]) || gone(s.links.to[id]);
    });
    return all;
}

std::string said(const GateEvaluation& gate)
{
    std::string all;
    for (const Text& fault : gate.faults) all += words(fault) + "\n";
    return all;
}

} // namespace

class TestAcceptance : public QObject {
    Q_OBJECT

private slots:
    void findsSegments()
    {
        const Segment one = segment();
        QCOMPARE(one.hosts.size(), std::size_t(128));
        QCOMPARE(one.switches.size(), std::size_t(16));
        QCOMPARE(findSegment(hall().s(), "1/1").value(), one.key);
        QVERIFY(!findSegment(hall().s(), "9"));
        QVERIFY(!findSegment(hall().s(), "1", "nonet"));
        QVERIFY(std::ranges::is_sorted(one.hosts) && std::ranges::is_sorted(one.links));
    }

    void gatesGoInOrder()
    {
        Document document(hall().figures->snapshot);
        edit::EditContext context;
        context.author = "ann", context.date = "2026-11-23";
        const auto edits = [&](const std::string& list) {
            const auto script = edit::parseScript("{\"edits\": [" + list + "]}", "s").value();
            return test::applyScript(document, script, context, "s");
        };
        const auto gate = [](int number, const char* result, const char* more = "") {
            return fmt::format(R"({{"do": "accept-gate", "segment": "1", "gate": {}, "result": "{}"{}}})", number, result, more);
        };
        const auto states = [&] { return gatesOf(*document.snapshot(), segment().key); };
        const auto early = edits(gate(2, "passed"));
        QVERIFY(!early);
        QCOMPARE(int(early.error().code), int(ErrorCode::Refused));
        QVERIFY(document.snapshot()->acceptances.empty());
        QVERIFY(!edits(gate(1, "waived"))); // without a reason
        QVERIFY(!edits(gate(5, "passed")));
        QVERIFY(!edits(gate(1, "fine")));
        QVERIFY(edits(gate(1, "waived", R"(, "evidence": "audited by the maker")")));
        QVERIFY(edits(gate(2, "passed", R"(, "evidence": "run 7")")));
        QCOMPARE(states()[0].result, GateResult::Waived);
        QCOMPARE(states()[1].result, GateResult::Passed);
        QCOMPARE(states()[1].author, std::string("ann"));
        QVERIFY(!edits(gate(4, "passed")));
        QVERIFY(edits(gate(3, "passed") + "," + gate(4, "passed")));
        QVERIFY(edits(gate(2, "failed"))); // what passed behind it no longer stands on anything
        QCOMPARE(states()[2].result, GateResult::Open);
        QCOMPARE(states()[3].result, GateResult::Open);
        QVERIFY(edits(R"({"do": "undo"})"));
        QCOMPARE(states()[1].result, GateResult::Passed);
        QCOMPARE(states()[3].result, GateResult::Passed);
    }

    void readsEvidence()
    {
        const auto text = importers::readPerftest(sample("host01.mlx5_0.txt")).value();
        QCOMPARE(text.size(), std::size_t(1));
        QCOMPARE(text[0].device, std::string("mlx5_0"));
        QCOMPARE(text[0].gbps, 196.48);
        QCOMPARE(importers::readPerftest(sample("host02.json")).value()[0].gbps, 50.25);
        QVERIFY(std::abs(importers::readPerftest(sample("mebibytes.txt")).value()[0].gbps - 23456.78 * 8 * 1.048576 / 1000) < 1e-6);
        const auto run = importers::readNccl(sample("all_reduce_perf.txt")).value();
        QCOMPARE(run.collective, std::string("all-reduce"));
        QCOMPARE(run.ranks, 4);
        QCOMPARE(run.hosts, (std::vector<std::string>{"host01", "host02"}));
        QCOMPARE(run.sizes.size(), std::size_t(2));
        QCOMPARE(run.sizes[1].busGBps, 379.07);
        QCOMPARE(run.sizes[1].algorithmGBps, 202.17);
        const auto audit = importers::readAudit(sample("audit.json")).value();
        QVERIFY(audit[0].ok && !audit[1].ok);
        const auto model = importers::readModelTest(sample("model.json")).value();
        QVERIFY(judgeModel({model}).passes);
        ModelTest kinds = model; // of each kind one, where kinds are stated
        kinds.faults = {{"NIC off", {}, true, "host"}, {"link with loss", {}, true, "network"}};
        QVERIFY(!judgeModel({kinds}).passes);
        QVERIFY(said(judgeModel({kinds})).find("no fault of kind switch-config injected") != std::string::npos);
        kinds.faults.push_back({"PFC off at a ToR", {}, true, "switch-config"});
        QVERIFY(judgeModel({kinds}).passes);
        const auto faults = [](const char* kind) {
            return importers::readModelTest(
                {"x", std::string(R"({"model": {"name": "m", "ok": true}, "faults": [{"what": "w", "ok": true, "kind": ")") + kind + "\"}]}", {}});
        };
        QVERIFY(faults("network") && faults("network")->faults[0].kind == "network" && !faults("cable"));
        const std::string bare = " #bytes #iterations BW peak[Gb/sec] BW average[Gb/sec]\n 65536 5000 196.5 196.4\n"; // no header with the device
        QCOMPARE(importers::readPerftest({"host01.mlx5_3.txt", bare, {}}).value()[0].device, std::string("mlx5_3"));
        for (const char* number : {"inf", "nan", "1e999"}) {
            const std::string table = std::string(" #bytes #iterations BW peak[Gb/sec] BW average[Gb/sec]\n 65536 5000 1.0 ") + number + "\n";
            QVERIFY(!importers::readPerftest({"x", table, {}}));
        }
        for (const char* bad : {"", "hello", "{}", "{\"checks\": [{}]}"}) {
            const ImportSource source{"x", bad, {}};
            QVERIFY(!importers::readPerftest(source));
            QVERIFY(!importers::readNccl(source));
            QVERIFY(!importers::readAudit(source));
            QVERIFY(!importers::readModelTest(source));
        }
    }

    /// Both directions together are twice one; what no port carries is not taken for a fast card.
    void measuresInOtherForms()
    {
        const auto gbps = [](const std::string& text) { return importers::readPerftest({"h.mlx5_0.txt", text, {}}).value().at(0).gbps; };
        const std::string table = "                    RDMA_Write {}BW Test\n Device : mlx5_0\n #bytes #iterations BW peak[{}] BW average[{}] "
                                  "MsgRate[Mpps]\n 65536 5000 {} {} 0.1\n";
        const auto made = [&](const char* way, const char* unit, double value) {
            return fmt::format(fmt::runtime(table), way, unit, unit, value, value);
        };
        QCOMPARE(gbps(made("", "Gb/sec", 196.5)), 196.5);
        QCOMPARE(gbps(made("Bidirectional ", "Gb/sec", 393.0)), 196.5);
        QVERIFY(std::abs(gbps(made("Bidirectional ", "MiB/sec", 46851.2)) - 46851.2 * 8 * 1.048576 / 1000 / 2) < 1e-6);
        QCOMPARE(gbps(R"({"test_info": {"test": "RDMA_Write_Bidirectional_BW", "Device": "mlx5_0"}, "results": {"BW_average": 393.0}})"), 196.5);
        QVERIFY(!importers::readPerftest({"x", made("", "furlong", 1), {}}));
        QVERIFY(!importers::readPerftest({"x", table.substr(0, 60), {}}));

        const Segment two = firstHosts(2);
        const auto judged = judgeCards(*hall().figures, two, hall().compare(),
                                       measured(two, 2, [](std::size_t h, int p) { return h == 0 && p == 0 ? 23456.0 : 196.0; }), 0.9);
        QVERIFY(!judged.judgment.passes); // MiB/s without their unit
        QCOMPARE(judged.doubts.size(), std::size_t(1));
        QVERIFY2(said(judged.judgment).find("--report_gbits") != std::string::npos, said(judged.judgment).c_str());
    }

    void collectivesInOtherForms()
    {
        const auto run = [](const char* name, const std::string& text) { return importers::readNccl({name, text, {}}); };
        const std::string head = "# nThread 1 nGpus 1\n#  Rank  0 Group  0 Pid 1 on  host01 device  0 [0000:1b:00] NVIDIA H100\n";
        // In place alone is missing; a launcher's tags; several header lines.
        const auto half = run("all_gather_perf.txt", head + "#       size         count      type   redop    root     time   algbw   busbw #wrong\n"
                                                            "  1048576  16384  float  none  -1  50.1  20.93  19.62  0\n");
        QVERIFY(half && half->sizes.at(0).busGBps == 19.62 && half->sizes[0].algorithmGBps == 20.93);
        const auto tagged = run("x.txt", "[1,0]<stdout>:# Collective test starting: all_reduce_perf\n[1,0]<stdout>:#  Rank  0 Group  0 Pid 1 on "
                                         "host02 device  0 [0x1b] NVIDIA H100\n"
                                         "[1,0]<stdout>:#  size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"
                                         "[1,0]<stdout>:  8 2 float sum -1 1 10 20 0 1 11 22 N/A\n[1,0]<stdout>:# Out of bounds values : 0 OK\n");
        QVERIFY(tagged && tagged->collective == "all-reduce" && tagged->sizes.at(0).busGBps == 22 &&
                tagged->hosts == std::vector<std::string>{"host02"});
        const auto labeled = run("all_reduce.txt", "0: #  size count type redop root time algbw busbw #wrong\n0:   8 2 float sum -1 1 10 20 0\n");
        QVERIFY(labeled && labeled->sizes.at(0).busGBps == 20);
        // Older: no root, and nothing where an operation has no redop.
        const auto older = run("all_gather.txt", "#  size  count  type  redop  time  algbw  busbw  error  time  algbw  busbw  error\n"
                                                 "  1048576 16384 float  50.1 20.93 19.62 0e+00 49.9 21.01 19.70 0e+00\n");
        QVERIFY(older && older->sizes.at(0).busGBps == 19.70 && older->sizes[0].wrong == 0);
        // The word in a line that is no head leaves the columns as they are.
        const std::string rows =
            "#  size count type redop root time algbw busbw #wrong\n#  busbw #wrong busbw busbw (GB/s) al\n  8 2 float sum -1 1 10 20 0\n";
        const auto twice = run("all_reduce.txt", rows);
        QVERIFY(twice && twice->sizes.at(0).busGBps == 20 && twice->sizes[0].algorithmGBps == 10);
        const auto bad =
            run("all_reduce.txt",
                "#  size count type redop root time algbw busbw #wrong\n 8 2 float sum -1 1 10 20 N/A\n# Out of bounds values : 3 FAILED\n");
        QVERIFY(bad && bad->sizes.at(0).wrong == 3);
        // Cut off in a row, cut off before any, other columns.
        const std::string whole =
            "#  size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n 8 2 float sum -1 1 10 20 0 1 11 22 0\n";
        for (const std::string& text :
             {whole + " 16 4 float sum -1 1 10", whole.substr(0, 40), std::string("#  size count type speed\n 8 2 float 20\n")})
            QVERIFY2(!run("all_reduce.txt", text), text.c_str());
        QVERIFY(run("all_reduce.txt", whole + " 16 4 float sum -1 1 10").error().where.ends_with(":3"));
    }

    void pcieLinksByWhatTheyCarry()
    {
        QCOMPARE(pcieLinksOf(50), std::string("Gen5 x2, Gen4 x4, Gen3 x8")); // raw 63 Gb/s
        QCOMPARE(pcieLinksOf(100), std::string("Gen5 x4, Gen4 x8, Gen3 x16"));
        QVERIFY(pcieLinksOf(70).empty());
    }

    void slowCardsAreBlamedOnTheRightThing()
    {
        const Segment four = firstHosts(4);
        const Comparison clean = hall().compare();
        const auto judge = [&](auto&& gbps, const Comparison& c) { return judgeCards(*hall().figures, four, c, measured(four, 4, gbps), 0.9); };
        const auto sound = judge([](std::size_t, int) { return 196.0; }, clean);
        QVERIFY2(sound.judgment.passes, said(sound.judgment).c_str());
        QCOMPARE(sound.ports, std::size_t(64));

        const auto pcie = judge([](std::size_t h, int p) { return h == 1 && p == 5 ? 50.0 : 196.0; }, clean);
        QCOMPARE(pcie.slow.size(), std::size_t(1));
        QCOMPARE(int(pcie.slow[0].cause), int(NicCause::Pcie));
        QCOMPARE(pcie.slow[0].host, four.hosts[1]);
        QCOMPARE(hall().port(pcie.slow[0].ports[0]), std::string("nic3p2"));
        QVERIFY(words(pcie.slow[0].why).find("Gen4 x4") != std::string::npos);
        QVERIFY(!pcie.judgment.passes);

        const auto card = judge([](std::size_t h, int p) { return h == 1 && p == 5 ? 70.0 : 196.0; }, clean);
        QCOMPARE(int(card.slow.at(0).cause), int(NicCause::Card));

        const auto rail = judge([](std::size_t, int p) { return p == 6 ? 120.0 : 196.0; }, clean); // nic4p1 of every host
        QCOMPARE(rail.slow.size(), std::size_t(4));
        for (const auto& slow : rail.slow) {
            QCOMPARE(int(slow.cause), int(NicCause::Switch));
            QCOMPARE(hall().s().devices.rail[slow.culprit], std::int16_t(3));
            QCOMPARE(hall().s().devices.plane[slow.culprit], std::int16_t(0));
        }
        const auto host = judge([](std::size_t h, int) { return h == 2 ? 100.0 : 196.0; }, clean);
        QCOMPARE(host.slow.size(), std::size_t(16));
        for (const auto& slow : host.slow) {
            QCOMPARE(int(slow.cause), int(NicCause::Host));
            QCOMPARE(slow.culprit, four.hosts[2]);
        }
        BuiltHall broken(hall().figures);
        for (auto& p : broken.plugs)
            if (broken.s().ports.device[p.a] == four.hosts[1] && broken.port(p.a) == "nic3p2") p.rate = 50, p.lanes = 1;
        const auto cable = judge([](std::size_t h, int p) { return h == 1 && p == 5 ? 48.0 : 196.0; }, broken.compare());
        QCOMPARE(int(cable.slow.at(0).cause), int(NicCause::Cable));

        const auto few = judgeCards(*hall().figures, four, clean, measured(four, 3, [](std::size_t, int) { return 196.0; }), 0.9);
        QVERIFY(!few.judgment.passes); // a host was not measured
        const auto odd = judgeCards(*hall().figures, four, clean, {{"nobody", "mlx5_0", 196, "x", {}}}, 0.9);
        QCOMPARE(odd.doubts.size(), std::size_t(1));
        auto one = measured(four, 4, [](std::size_t, int) { return 196.0; });
        one.front().failed = i18n("contains no bandwidth test result");
        const auto without = judgeCards(*hall().figures, four, clean, one, 0.9); // its card, and no other
        QCOMPARE(without.measured, without.ports - 1);
        QVERIFY(!without.judgment.passes && said(without.judgment).find("no bandwidth test result") != std::string::npos);
    }

    /// Backup hosts are tested like the others, but nobody has to wait for them.
    void backupHostsAreMeasuredToo()
    {
        Segment four = firstHosts(4);
        const auto all = four;
        four.backup = {four.hosts.back()};
        four.hosts.pop_back();
        const Comparison clean = hall().compare();
        const auto judge = [&](std::size_t hosts, auto&& gbps) { return judgeCards(*hall().figures, four, clean, measured(all, hosts, gbps), 0.9); };
        const auto active = judge(3, [](std::size_t, int) { return 196.0; });
        QVERIFY2(active.judgment.passes, said(active.judgment).c_str());
        QCOMPARE(active.ports, std::size_t(48));
        QCOMPARE(active.judgment.facts.size(), std::size_t(1));
        const auto both = judge(4, [](std::size_t, int) { return 196.0; });
        QVERIFY2(both.judgment.passes && both.doubts.empty(), said(both.judgment).c_str());
        QCOMPARE(both.measured, std::size_t(48));
        QCOMPARE(QString::fromStdString(words(both.judgment.facts.at(1))), QString("16 of 16 ports of backup hosts measured"));
        const auto slow = judge(4, [](std::size_t h, int p) { return h == 3 && p == 2 ? 50.0 : 196.0; });
        QVERIFY(!slow.judgment.passes);
        QCOMPARE(slow.slow.size(), std::size_t(1));
        QCOMPARE(slow.slow[0].host, all.hosts[3]);
        QCOMPARE(int(slow.slow[0].cause), int(NicCause::Pcie));
    }

    /// Collectives over backup hosts: named when they passed, and when nobody tested them; the gate waits for active hosts only.
    void backupHostsRunCollectives()
    {
        Segment four = firstHosts(4);
        four.backup = {four.hosts[2], four.hosts[3]};
        four.hosts.resize(2);
        const auto limit = [](const CollectiveRun&) -> Result<CollectiveLimit> { return CollectiveLimit{"all-reduce", 8e9, 400, 8}; };
        const auto over = [&](const std::vector<DeviceId>& hosts, double gbytesPerS, long long wrong) {
            CollectiveRun run{"all-reduce", {}, int(hosts.size()) * 8, 0, {{8e9, 200, gbytesPerS, wrong}}, "r", {}};
            for (const DeviceId id : hosts) run.hosts.push_back(hall().s().devices.name[id]);
            return run;
        };
        const auto& name = hall().s().devices.name;
        const auto judged = [&](const std::vector<CollectiveRun>& runs) { return judgeCollectives(*hall().figures, four, runs, 0.8, limit); };
        const auto facts = [](const GateEvaluation& gate) {
            std::string all;
            for (const Text& fact : gate.facts) all += words(fact) + "\n";
            return all;
        };
        const auto active = judged({over(four.hosts, 375, 0)});
        QVERIFY(active.passes);
        QVERIFY2(facts(active).find("backup hosts not tested: " + name[four.backup[0]]) != std::string::npos, facts(active).c_str());
        const auto both = judged({over(four.hosts, 375, 0), over(four.backup, 380, 0)});
        QVERIFY(both.passes);
        QVERIFY2(facts(both).find("2 of 2 backup hosts passed: " + name[four.backup[0]]) != std::string::npos, facts(both).c_str());
        QVERIFY(facts(both).find("not tested") == std::string::npos);
        for (const auto& bad : {over(four.backup, 100, 0), over(four.backup, 380, 3)}) { // slow; wrong values
            const auto failed = judged({over(four.hosts, 375, 0), bad});
            QVERIFY(!failed.passes && facts(failed).find("backup hosts passed") == std::string::npos);
        }
    }

    void auditWantsEverythingThere()
    {
        const Segment one = firstHosts(2);
        Snapshot s(hall().s());
        std::vector<AuditCheck> audit;
        for (const DeviceId id : one.devices()) {
            s.devices.stage.set(id, Stage::Installed);
            audit.push_back({s.devices.name[id], "firmware", "1", "1", true});
        }
        const auto figures = figuresOf(std::make_shared<const Snapshot>(s)).value();
        const auto clean = judgeAudit(*figures, one, hall().compare(), {}, audit);
        QVERIFY2(clean.passes, said(clean).c_str());
        QVERIFY(!judgeAudit(*hall().figures, one, hall().compare(), {}, audit).passes); // nothing is installed
        QVERIFY(!judgeAudit(*figures, one, hall().compare(), {i18n("a rule says no")}, audit).passes);
        auto wrong = audit;
        wrong[0].ok = false;
        QVERIFY(!judgeAudit(*figures, one, hall().compare(), {}, wrong).passes);
        wrong = audit;
        wrong.pop_back();
        QVERIFY(!judgeAudit(*figures, one, hall().compare(), {}, wrong).passes);
        BuiltHall broken(hall().figures);
        for (auto& p : broken.plugs)
            if (p.link == one.links.front()) p.there = false;
        QVERIFY(!judgeAudit(*figures, one, broken.compare(), {}, audit).passes);
        QVERIFY(!judgeAudit(*figures, one, compare(figures, {}).value(), {}, audit).passes); // nobody looked
    }

    void collectivesAgainstTheSimulation()
    {
        const Segment two = firstHosts(2);
        CollectiveRun run{"all-reduce", {}, 16, 0, {{8e9, 200, 375, 0}}, "r", {}};
        for (const DeviceId id : two.hosts) run.hosts.push_back(hall().s().devices.name[id]);
        const auto limit = [](const CollectiveRun&) -> Result<CollectiveLimit> { return CollectiveLimit{"all-reduce", 8e9, 400, 8}; };
        QVERIFY(judgeCollectives(*hall().figures, two, {run}, 0.8, limit).passes);
        QVERIFY(!judgeCollectives(*hall().figures, two, {run}, 0.95, limit).passes);
        CollectiveRun rail = run;
        rail.rail = 3, rail.sizes[0].busGBps = 48;
        QVERIFY(judgeCollectives(*hall().figures, two, {run, rail}, 0.8, limit).passes);
        CollectiveRun above = run;
        above.sizes[0].busGBps = 900; // switches that reduce could double it, and no more
        const auto refused = judgeCollectives(*hall().figures, two, {run, above}, 0.8, limit);
        QVERIFY(!refused.passes && said(refused).find("physical limit") != std::string::npos);
        above.failed = i18n("contains no nccl-tests result rows");
        QVERIFY(!judgeCollectives(*hall().figures, two, {run, above}, 0.8, limit).passes);
        rail.sizes[0].busGBps = 20;
        const auto low = judgeCollectives(*hall().figures, two, {run, rail}, 0.8, limit);
        QVERIFY(!low.passes);
        QVERIFY(said(low).find("rail 3") != std::string::npos);
        run.sizes[0].wrong = 1;
        QVERIFY(!judgeCollectives(*hall().figures, two, {run}, 0.8, limit).passes);
        run.sizes[0].wrong = 0;
        run.hosts.pop_back();
        QVERIFY(!judgeCollectives(*hall().figures, two, {run}, 0.8, limit).passes); // not all hosts
        for (std::string& host : run.hosts) host = "gpu-node-17";
        const auto unknown = judgeCollectives(*hall().figures, two, {run}, 0.8, limit);
        QVERIFY2(!unknown.passes && unknown.facts.empty(), said(unknown).c_str());
        QVERIFY2(said(unknown).find("r: gpu-node-17 is not in the design") != std::string::npos, said(unknown).c_str());
        QVERIFY2(said(unknown).find("map names with asbuilt.devices") != std::string::npos, said(unknown).c_str());
        run.hosts.clear();
        const auto nobody = judgeCollectives(*hall().figures, two, {run}, 0.8, limit);
        QVERIFY2(!nobody.passes && said(nobody).find("keep the lines '# Rank") != std::string::npos, said(nobody).c_str());
    }

    void handOverPack()
    {
        const auto pack = document::makeHandover(hall().figures, segment().key, DesignStamp{"Pod", 1, "2026-11-23"}).value();
        std::set<std::string> anchors;
        for (const auto& section : pack.sections) QVERIFY2(anchors.insert(section.anchor).second, section.anchor.c_str());
        for (const char* needed : {"segment", "load-bank", "failover", "failover.1", "network", "as-built", "punch", "sign-off"})
            QVERIFY2(anchors.contains(needed), needed);
        QCOMPARE(pack.cover.tiles.size(), std::size_t(4));
    }

    void loadBankReadingsAddUp()
    {
        const auto model = impact::Model::of(hall().figures).value();
        const Segment one = segment();
        const Comparison nothing;
        const CheckResult none;
        const document::HandoverInput in{*hall().figures, one, nothing, none, model};
        const auto feeds = document::feedsOf(in);
        QVERIFY(!feeds.empty());
        std::vector<double> before(feeds.size(), 0);
        double draw = 0, cooling = 0, sources = 0, idle = 0;
        const Snapshot& s = *hall().figures->snapshot;
        s.devices.forEach([&](DeviceId id) {
            if (s.tiers.kind[s.devices.tier[id]] == TierKind::Cooling) cooling += toWatts(model->chain->network[id.value].draw);
        });
        for (const DeviceId id : one.devices()) draw += toWatts(model->chain->network[id.value].draw);
        const auto off = document::loadBankReadings(in, feeds, 0);
        for (const double share : {0.25, 0.5, 0.75, 1.0}) {
            const auto now = document::loadBankReadings(in, feeds, share);
            for (std::size_t i = 0; i < feeds.size(); ++i) QVERIFY(now[i] >= before[i]);
            before = now;
        }
        for (std::size_t i = 0; i < feeds.size(); ++i)
            if (model->chain->network[feeds[i].value].source) sources += before[i], idle += off[i];
        QVERIFY(sources - idle >= draw * 0.999 && sources - idle < draw * 1.3 + cooling); // all of it, losses, and what its heat asks of the cooling
        QVERIFY2(idle < 0.5 * cooling, qPrintable(QString("%1 W of %2 W").arg(idle).arg(cooling))); // no heat: pumps and fans at their least flow
        for (std::size_t i = 0; i < feeds.size(); ++i)
            QVERIFY(before[i] <= toWatts(model->chain->load(feeds[i])) + 1e-6); // never more than the whole hall
    }
};

QTEST_APPLESS_MAIN(TestAcceptance)
#include "test_acceptance.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "designs.h"
#include "simulation/fabric/hash.h"
#include "simulation/fabric/timeline.h"
#include "simulation/fairshare/completion.h"

#include <QTest>

using namespace hw;
using namespace hw::sim;
using hw::test::design;

namespace {

FlowSpec flow(DeviceId from, DeviceId to, double bytes, int nic = 0, int port = 0)
{
    FlowSpec f;
    f.source = from, f.destination = to;
    f.sourceNic = f.destinationNic = std::int16_t(nic);
    f.sourcePort = std::int16_t(port);
    f.connection = std::uint16_t(port);
    f.bytes = bytes;
    return f;
}

/// The loads that the frames up to a time add up to, by directed link.
std::vector<float> loadsAt(const TimelineResult& r, double timeS, std::size_t links)
{
    std::vector<float> result(links, 0.0f);
    for (std::size_t i = 0; i < r.frames.size() && r.frames[i].timeS <= timeS; ++i) {
        const std::size_t end = i + 1 < r.frames.size() ? r.frames[i + 1].firstLoad : r.loads.size();
        for (std::size_t k = r.frames[i].firstLoad; k < end; ++k)
            if (r.loads[k].link < links) result[r.loads[k].link] = r.loads[k].gbps;
    }
    return result;
}

} // namespace

class TimelineTest : public QObject {
    Q_OBJECT
private slots:
    /// Without faults the time line is the flow solver's: the same finish times, flow by flow.
    void completionsEqualTheSolvers()
    {
        const auto f = *studyFabric(*design("hpn", {{"segments", 2}, {"tor_uplinks", 20}}), "backend");
        std::vector<FlowSpec> flows;
        for (std::size_t i = 0; i < 600; ++i)
            flows.push_back(
                flow(f.servers[mix(i) % 256], f.servers[(mix(i) + 1 + mix(i + 9) % 255) % 256], 1e8 * double(1 + i % 7), int(i % 8), int(i % 2)));
        const auto routed = routeFlows(f.graph, {}, flows);
        const auto expected = runToCompletion(routed->problem).finish;
        FabricTimeline line(f.graph, {});
        for (const auto& spec : flows) line.addFlow(spec);
        QVERIFY(line.run(1e9).has_value());
        QVERIFY(line.result().certificateOk);
        for (std::size_t i = 0; i < flows.size(); ++i) QVERIFY(std::abs(line.result().finishS[i] - expected[i]) <= 1e-9 * expected[i]);
    }

    /// 10 GB at 400 Gb/s shared by two ports; the port dies at 0.1 s for good: known answer by hand.
    /// Port 0's flow: 0.1 s at 200G = 2.5 GB, dead for 0.25 s (carrier 0.25), then both share port 1 at 100G: …
    void aKnownAnswerByHand()
    {
        const auto f = *studyFabric(*design("hpn", {{"segments", 1}}), "backend");
        FabricTimeline::Options options;
        options.convergence = {0.25, 0.25, 0.25, 0};
        FabricTimeline line(f.graph, {}, options);
        const auto a = line.addFlow(flow(f.servers[0], f.servers[1], 5e9, 0, 0)), b = line.addFlow(flow(f.servers[0], f.servers[1], 10e9, 0, 1));
        line.add({0.1, FabricEventKind::LinkDown, f.graph.nicPorts(f.servers[0], 0)[0].link.value});
        QVERIFY(line.run(10).has_value());
        // a: 2.5 GB left at 0.35 s. b has sent 8.75 GB by then, 1.25 GB left: both at 12.5 GB/s; b ends at 0.45 s. a has 1.25 GB left
        // and the port for itself: 0.05 s.
        QVERIFY(std::abs(line.result().finishS[b] - 0.45) < 1e-9);
        QVERIFY(std::abs(line.result().finishS[a] - 0.50) < 1e-9);
        QVERIFY(std::abs(line.result().blackHoledBytes[0] - 200 * kBytesPerGbit * 0.25) < 1);
        QVERIFY(line.result().certificateOk);
    }

    /// A repair before anybody noticed: the flow just goes on.
    void aRepairBeforeConvergence()
    {
        const auto f = *studyFabric(*design("hpn", {{"segments", 1}}), "backend");
        FabricTimeline::Options options;
        options.convergence = {1, 1, 1, 0};
        FabricTimeline line(f.graph, {}, options);
        line.addFlow(flow(f.servers[0], f.servers[1], 25e9));
        const auto link = f.graph.nicPorts(f.servers[0], 0)[0].link.value;
        line.add({0.2, FabricEventKind::LinkDown, link});
        line.add({0.5, FabricEventKind::LinkUp, link});
        QVERIFY(line.run(10).has_value());
        QVERIFY(std::abs(line.result().finishS[0] - 1.3) < 1e-9);
        QCOMPARE(f.graph.head(line.wayOf(0).front()), f.graph.nicPorts(f.servers[0], 0)[0].access);
    }

    void degradedLinksShareLess()
    {
        const auto f = *studyFabric(*design("hpn", {{"segments", 1}}), "backend");
        FabricTimeline line(f.graph, {});
        line.addFlow(flow(f.servers[0], f.servers[1], 0));
        line.add({1, FabricEventKind::LinkShare, f.graph.nicPorts(f.servers[0], 0)[0].link.value, 0.25}); // 50 of 200 Gb/s, a bad PCIe lane
        QVERIFY(line.run(2).has_value());
        QCOMPARE(line.result().groupAt(0, 0.5).sumGbps, 200.0);
        QCOMPARE(line.result().groupAt(0, 1.5).sumGbps, 50.0);
    }

    /// Flows may depend on others: a chain of three hops takes three times one.
    void flowsMayFollowOthers()
    {
        const auto f = *studyFabric(*design("hpn", {{"segments", 1}}), "backend");
        FabricTimeline line(f.graph, {});
        line.addFlow(flow(f.servers[0], f.servers[1], 25e9));
        int hops = 1;
        line.onFinish = [&](std::uint32_t, double now) {
            if (hops < 3) line.addFlow(flow(f.servers[std::size_t(hops)], f.servers[std::size_t(hops) + 1], 25e9), now + 0.5), ++hops;
        };
        QVERIFY(line.run(100).has_value());
        QVERIFY(std::abs(line.result().finishS.back() - 4.0) < 1e-9);
    }

    /// Random faults and repairs: proofs hold at every frame, the frames add up to the loads of the present, no flow uses what
    /// is dead, and after the last repair everything is as before the first fault.
    void randomFaultsKeepTheInvariants()
    {
        const auto f = *studyFabric(*design("hpn", {{"pods", 2}, {"segments", 2}, {"tor_uplinks", 20}}), "backend");
        FabricTimeline line(f.graph, {});
        for (std::size_t i = 0; i < 1500; ++i) {
            auto spec = flow(f.servers[mix(i) % 512], f.servers[(mix(i) + 1 + mix(i + 9) % 511) % 512], 0, int(i % 8), int(i % 2));
            spec.group = std::uint32_t(i % 3);
            line.addFlow(spec);
        }
        double t = 1;
        for (std::uint64_t i = 0; i < 12; ++i, t += 0.7) {
            const auto v = std::uint32_t(mix(i) % f.graph.switchCount());
            line.add({t, FabricEventKind::SwitchDown, v});
            line.add({20 + t, FabricEventKind::SwitchUp, v});
            const auto link = std::uint32_t(f.graph.nicPorts(f.servers[mix(i + 50) % 512], int(i % 8))[0].link.value);
            line.add({t + 0.3, FabricEventKind::LinkDown, link});
            line.add({25 + t, FabricEventKind::LinkUp, link});
        }
        QVERIFY(line.run(0.5).has_value());
        const auto before = loadsAt(line.result(), 0.5, f.graph.directedCount());
        std::vector<double> rates;
        for (std::uint32_t i = 0; i < line.flowCount(); ++i) rates.push_back(line.rateGbps(i));
        QVERIFY(line.run(15).has_value()); // all faults known
        std::vector<double> load(f.graph.directedCount(), 0.0);
        for (std::uint32_t i = 0; i < line.flowCount(); ++i) {
            if (line.stalled(i)) continue;
            for (const auto l : line.wayOf(i)) {
                QVERIFY(line.physical().up(l));
                load[l] += line.rateGbps(i);
            }
        }
        const auto shown = loadsAt(line.result(), 15, f.graph.directedCount());
        for (DirectedLink l = 0; l < load.size(); ++l) {
            QVERIFY(std::abs(load[l] - double(shown[l])) < 1e-3);
            QVERIFY(load[l] <= line.physical().capacityGbps(l) * (1 + 1e-9));
            for (const auto i : line.flowsOn(l)) QVERIFY(std::find(line.wayOf(i).begin(), line.wayOf(i).end(), l) != line.wayOf(i).end());
        }
        QVERIFY(line.run(100).has_value());
        QVERIFY(line.physical().allUp());
        const auto after = loadsAt(line.result(), 100, f.graph.directedCount());
        for (DirectedLink l = 0; l < after.size(); ++l) QVERIFY(std::abs(after[l] - before[l]) < 1e-3f);
        for (std::uint32_t i = 0; i < line.flowCount(); ++i) QVERIFY(std::abs(line.rateGbps(i) - rates[i]) < 1e-9 * std::max(1.0, rates[i]));
        QVERIFY(line.result().certificateOk);
        QVERIFY(line.result().proofs > 40);
        QVERIFY(line.result().reroutes > 100);
    }

    void sprayIsRefused()
    {
        const auto f = *studyFabric(*design("hpn", {{"segments", 1}}), "backend");
        RoutingOptions options;
        options.selection = PathSelection::Spray;
        FabricTimeline line(f.graph, options);
        QCOMPARE(line.run(1).error().code, ErrorCode::Refused);
        QCOMPARE(routeFlows(f.graph, options, {}).error().code, ErrorCode::Refused);
    }
};

QTEST_APPLESS_MAIN(TimelineTest)
#include "timeline_test.moc"

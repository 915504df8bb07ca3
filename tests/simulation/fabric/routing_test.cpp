// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/model/find_network.h"
#include "designs.h"
#include "simulation/fabric/flow_index.h"
#include "simulation/fabric/hash.h"
#include "simulation/fabric/spray.h"
#include "simulation/fairshare/live_rates.h"
#include "simulation/fairshare/max_min.h"
#include "simulation/questions/flow_run.h"

#include <QTest>

#include <numeric>
#include <set>

using namespace hw;
using namespace hw::sim;
using hw::test::design;

namespace {

StudyFabric fabricOf(const SnapshotPtr& s, FabricVariant variant = FabricVariant::AsDesigned) { return *studyFabric(*s, "backend", variant); }

FlowSpec flow(DeviceId from, DeviceId to, int nic = 0, int port = 0, int connection = 0)
{
    FlowSpec f;
    f.source = from, f.destination = to;
    f.sourceNic = f.destinationNic = std::int16_t(nic);
    f.sourcePort = std::int16_t(port);
    f.connection = std::uint16_t(connection);
    f.bytes = 1e9;
    return f;
}

/// The slow truth: distances by relaxing all arcs until nothing changes, over ways that do not climb after going down.
std::vector<int> bruteDistances(const FabricGraph& g, std::uint32_t target, const FabricState& state, bool mayClimb)
{
    const int far = 1 << 20;
    std::vector<int> down(g.switchCount(), far), any(g.switchCount(), far);
    if (state.switchUp(target)) down[target] = any[target] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::uint32_t v = 0; v < g.switchCount(); ++v)
            for (const auto& arc : g.arcs(v)) {
                if (!state.up(arc.link)) continue;
                const bool climbs = g.at(arc.to).level > g.at(v).level, descends = g.at(arc.to).level < g.at(v).level;
                const auto relax = [&](int& value, int by) {
                    if (by + 1 < value) value = by + 1, changed = true;
                };
                if (!climbs) relax(down[v], down[arc.to]);
                relax(any[v], descends ? down[arc.to] : any[arc.to]);
                relax(any[v], down[v] - 1);
            }
    }
    return mayClimb ? any : down;
}

/// Kills some links and switches, the same ones for a seed.
void damage(const FabricGraph& g, FabricState& state, std::uint64_t seed, int links, int switches)
{
    for (int i = 0; i < links; ++i) {
        const auto v = std::uint32_t(mix(seed * 1000 + std::uint64_t(i)) % g.switchCount());
        if (const auto arcs = g.arcs(v); !arcs.empty()) state.setLink(LinkId(arcs[mix(seed + std::uint64_t(i) * 77) % arcs.size()].link / 2), false);
    }
    for (int i = 0; i < switches; ++i) state.setSwitch(std::uint32_t(mix(seed * 31 + std::uint64_t(i)) % g.switchCount()), false);
}

} // namespace

class RoutingTest : public QObject {
    Q_OBJECT
private slots:
    /// The graph holds what the design has: CHECKS P2, 1,024 GPUs a segment under 16 ToRs with 60 uplinks each.
    void graphHoldsTheDesign()
    {
        const auto s = design("hpn", {{"segments", 2}});
        const auto f = fabricOf(s);
        QCOMPARE(f.layout.nics, 8);
        QCOMPARE(f.layout.portsPerNic, 2);
        QCOMPARE(f.servers.size(), std::size_t(256));
        std::map<int, int> byLevel;
        for (std::uint32_t v = 0; v < f.graph.switchCount(); ++v) ++byLevel[f.graph.at(v).level];
        QCOMPARE(byLevel[1], 32);
        QCOMPARE(byLevel[2], 120);
        for (std::uint32_t v = 0; v < f.graph.switchCount(); ++v)
            if (f.graph.at(v).level == 1) {
                QCOMPARE(f.graph.upArcs(v).size(), std::size_t(60));
                QCOMPARE(f.graph.downArcs(v).size(), std::size_t(0));
                QVERIFY(f.graph.hostLinks(v).size() >= 128);
                QVERIFY(f.graph.partner(v) != FabricGraph::kNone);
                QCOMPARE(f.graph.at(f.graph.partner(v)).rail, f.graph.at(v).rail);
                QVERIFY(f.graph.at(f.graph.partner(v)).plane != f.graph.at(v).plane);
            }
        for (const auto& port : f.graph.hostPorts(f.servers.front())) {
            QCOMPARE(f.graph.head(f.graph.upward(port)), port.access);
            QCOMPARE(f.graph.tail(f.graph.upward(port)), FabricGraph::kNone);
        }
    }

    /// As a single plane every switch keeps its links, and both ToRs of a NIC see the same aggregation switches.
    void singlePlaneKeepsTheEquipment()
    {
        const auto s = design("hpn", {{"segments", 2}});
        const auto dual = fabricOf(s), single = fabricOf(s, FabricVariant::SinglePlane);
        for (std::uint32_t v = 0; v < dual.graph.switchCount(); ++v) QCOMPARE(single.graph.arcs(v).size(), dual.graph.arcs(v).size());
        const auto above = [](const FabricGraph& g, std::uint32_t v) {
            std::set<std::uint32_t> result;
            for (const auto& arc : g.upArcs(v)) result.insert(arc.to);
            return result;
        };
        const auto ports = single.graph.nicPorts(single.servers.front(), 3);
        QVERIFY(above(single.graph, ports[0].access) == above(single.graph, ports[1].access));
        QVERIFY(above(dual.graph, ports[0].access) != above(dual.graph, ports[1].access));
        PathField field(single.graph); // any two NICs of a pod still meet above their ToRs, whatever their rails
        for (int rail = 0; rail < 8; ++rail) {
            const std::uint32_t target = single.graph.nicPorts(single.servers.back(), rail)[1].access;
            field.aimAt({&target, 1}, nullptr);
            for (const auto& port : single.graph.hostPorts(single.servers.front())) QCOMPARE(int(field.any(port.access)), 2);
        }
    }

    /// A link is down while it or one of its switches is; two reasons need two repairs.
    void stateCountsItsReasons()
    {
        const auto f = fabricOf(design("hpn", {{"segments", 1}}));
        FabricState state(f.graph);
        const auto port = f.graph.nicPorts(f.servers.front(), 0).front();
        const auto l = f.graph.upward(port);
        QCOMPARE(state.capacityGbps(l), 200.0);
        state.setLink(port.link, false);
        state.setSwitch(port.access, false);
        state.setLink(port.link, true);
        QVERIFY(!state.up(l) && !state.allUp());
        QCOMPARE(state.capacityGbps(l), 0.0);
        state.setSwitch(port.access, true);
        QVERIFY(state.up(l) && state.allUp());
        state.setShare(port.link, 0.25);
        QCOMPARE(state.capacityGbps(l), 50.0);
    }

    void distancesAreThoseOfBruteForce_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("variant");
        QTest::newRow("hpn") << "hpn" << int(FabricVariant::AsDesigned);
        QTest::newRow("hpn, one plane") << "hpn" << int(FabricVariant::SinglePlane);
        QTest::newRow("hpn, stacked (links inside a level)") << "hpn" << int(FabricVariant::StackedToR);
        QTest::newRow("dcn-plus") << "dcn-plus" << int(FabricVariant::AsDesigned);
    }
    void distancesAreThoseOfBruteForce()
    {
        QFETCH(QString, name);
        QFETCH(int, variant);
        const auto s =
            name == "hpn" ? design("hpn", {{"pods", 2}, {"segments", 1}, {"tor_uplinks", 4}}) : design("dcn-plus", {{"pods", 2}, {"segments", 2}});
        const auto f = fabricOf(s, FabricVariant(variant));
        PathField field(f.graph);
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            FabricState state(f.graph);
            damage(f.graph, state, seed, int(seed) * 6, int(seed) / 2);
            for (std::uint32_t target = 0; target < f.graph.switchCount(); target += 3) {
                field.aimAt({&target, 1}, &state);
                const auto any = bruteDistances(f.graph, target, state, true), down = bruteDistances(f.graph, target, state, false);
                for (std::uint32_t v = 0; v < f.graph.switchCount(); ++v) {
                    QCOMPARE(int(field.any(v)) == PathField::kFar, any[v] >= 1 << 20);
                    if (field.any(v) != PathField::kFar) QCOMPARE(int(field.any(v)), any[v]);
                    if (field.down(v) != PathField::kFar) QCOMPARE(int(field.down(v)), down[v]);
                }
            }
        }
    }

    /// With knowledge of all damage no way holds anything dead, every way is connected and as short as it can be.
    void waysAvoidDamageAndAreShortest()
    {
        const auto s = design("hpn", {{"pods", 2}, {"segments", 2}, {"tor_uplinks", 20}});
        const auto f = fabricOf(s);
        std::size_t arrived = 0, lost = 0;
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            FabricState state(f.graph);
            damage(f.graph, state, seed, 60, 6);
            FlowRouter router(f.graph, {}, &state, &state);
            std::vector<DirectedLink> way;
            for (std::size_t i = 0; i < 400; ++i) {
                const auto spec =
                    flow(f.servers[mix(i + seed) % f.servers.size()], f.servers[mix(i * 3 + seed + 7) % f.servers.size()], int(i % 8), int(i % 2));
                if (spec.source == spec.destination) continue;
                if (!router.route(spec, way)) {
                    ++lost;
                    continue;
                }
                ++arrived;
                for (std::size_t k = 0; k < way.size(); ++k) {
                    QVERIFY(state.up(way[k]));
                    if (k > 0) QCOMPARE(f.graph.head(way[k - 1]), f.graph.tail(way[k]));
                }
                QCOMPARE(int(way.size()), *router.router().distance(f.graph.head(way.front())) + 2);
            }
        }
        QVERIFY(arrived > 1500);
        QVERIFY(lost < arrived / 4);
    }

    /// Resilient hashing: killing one uplink moves the flows on it and no others; with the link back all are where they were.
    void onlyFlowsThatLostTheirWayMove()
    {
        const auto f = fabricOf(design("hpn", {{"segments", 2}}));
        const auto uplink = f.graph.upArcs(f.graph.nicPorts(f.servers.front(), 0).front().access)[7];
        FabricState state(f.graph);
        state.setLink(LinkId(uplink.link / 2), false);
        FlowRouter before(f.graph, {}), after(f.graph, {}, &state, &state);
        std::size_t moved = 0;
        std::vector<DirectedLink> a, b;
        for (int k = 0; k < 600; ++k) {
            const auto spec = flow(f.servers[std::size_t(k) % 128], f.servers[128 + std::size_t(k * 7) % 128], 0, 0, k);
            QVERIFY(before.route(spec, a) && after.route(spec, b));
            const bool hit = std::any_of(a.begin(), a.end(), [&](DirectedLink l) { return l / 2 == uplink.link / 2; });
            QCOMPARE(a != b, hit);
            moved += hit;
        }
        QVERIFY(moved > 0 && moved < 40);
    }

    /// A NIC whose port on plane 0 is dead is reached on plane 1, by both flows of its peer: 60 ways, none on the dead plane.
    void hostRoutesAreWithdrawn()
    {
        const auto f = fabricOf(design("hpn", {{"segments", 2}}));
        const DeviceId from = f.servers.front(), to = f.servers.back();
        FabricState state(f.graph);
        state.setLink(f.graph.nicPorts(to, 0).front().link, false);
        FlowRouter router(f.graph, {}, &state, &state);
        std::vector<DirectedLink> way;
        for (int port = 0; port < 2; ++port) {
            QVERIFY(router.route(flow(from, to, 0, port, port), way));
            QCOMPARE(f.graph.at(f.graph.head(way.front())).plane, std::int16_t(1));
            QCOMPARE(way.back(), f.graph.downward(f.graph.nicPorts(to, 0)[1]));
        }
        std::vector<LinkShare> shares;
        QVERIFY(!router.router().usable(f.graph.nicPorts(from, 0)[0]));
        QVERIFY(router.router().spread(f.graph.nicPorts(from, 0)[1], shares));
        QCOMPARE(shares.size(), std::size_t(1 + 60 + 60 + 1));
        // Before the routes are withdrawn the way leads into the dead port.
        FlowRouter unaware(f.graph, {}, nullptr, &state);
        QVERIFY(unaware.route(flow(from, to, 0, 0), way));
        QCOMPARE(way.back(), f.graph.downward(f.graph.nicPorts(to, 0)[0]));
        QVERIFY(!state.up(way.back()));
    }

    /// Unreachable flows have rate 0 and stay in the problem; the dead link shows as black hole.
    void flowsWithoutAWayStayWithRateZero()
    {
        const auto f = fabricOf(design("hpn", {{"segments", 1}}));
        FabricState state(f.graph);
        for (const auto& port : f.graph.nicPorts(f.servers[1], 0)) state.setLink(port.link, false);
        const std::vector<FlowSpec> flows = {flow(f.servers[0], f.servers[1]), flow(f.servers[0], f.servers[2])};
        const auto aware = routeFlows(f.graph, {}, flows, &state, &state, &state), unaware = routeFlows(f.graph, {}, flows, &state);
        QCOMPARE(aware->unreachable, std::size_t(1));
        QVERIFY(!aware->reaches(0) && aware->reaches(1));
        QCOMPARE(unaware->unreachable, std::size_t(0));
        QCOMPARE(unaware->blackHoled, std::size_t(1));
        RoutingOptions paced;
        paced.rateControl = RateControl::Paced;
        const auto limited = routeFlows(f.graph, paced, flows, &state, nullptr, &state); // dropped at the last switch
        QVERIFY(!limited->reaches(0) == (limited->unreachable == 1) && limited->reaches(1));
        for (const auto& routed : {*aware, *unaware, *limited}) {
            const auto proved = proveRates(routed.problem);
            QVERIFY(proved.ok);
            QCOMPARE(proved.gbps[0], 0.0);
            QCOMPARE(proved.gbps[1], routed.problem.capacity.size() > aware->problem.capacity.size() ? 100.0 : 200.0); // paced: half of its port
        }
    }

    void pacedFlowsKeepToTheirShare()
    {
        const auto f = fabricOf(design("hpn", {{"segments", 1}}));
        std::vector<FlowSpec> flows; // host 0 sends to 1 and 2, host 3 to 1: the last hop into 1 is shared
        flows.push_back(flow(f.servers[0], f.servers[1])), flows.push_back(flow(f.servers[0], f.servers[2], 0, 0, 1));
        flows.push_back(flow(f.servers[3], f.servers[1]));
        RoutingOptions paced;
        paced.rateControl = RateControl::Paced;
        const auto a = proveRates(routeFlows(f.graph, paced, flows)->problem), b = proveRates(routeFlows(f.graph, {}, flows)->problem);
        QVERIFY(a.ok && b.ok);
        QCOMPARE(a.gbps, (std::vector<double>{100, 100, 100}));
        QCOMPARE(b.gbps, (std::vector<double>{100, 100, 100}));
        flows.pop_back(), flows.push_back(flow(f.servers[3], f.servers[1], 0, 0, 2)), flows.push_back(flow(f.servers[4], f.servers[1]));
        const auto c = proveRates(routeFlows(f.graph, paced, flows)->problem), d = proveRates(routeFlows(f.graph, {}, flows)->problem);
        QCOMPARE(c.gbps[1], 100.0);                      // may not use what its neighbor leaves
        QVERIFY(std::abs(d.gbps[1] - 400.0 / 3) < 1e-9); // 200 - 200 / 3
    }

    /// Equal seeds at all tiers repeat choices; own seeds do not. 8 of 8 core links of an Agg are used only with own seeds.
    void equalSeedsPolarize()
    {
        const auto f = fabricOf(design("hpn", {{"pods", 2}, {"segments", 3}}));
        const auto degree = [&](bool equal, bool perSwitch) {
            RoutingOptions options;
            options.equalSeeds = equal;
            options.perSwitchSeeds = perSwitch;
            std::vector<FlowSpec> flows;
            for (std::size_t i = 0; i < 384; ++i)
                for (int k = 0; k < 32; ++k) flows.push_back(flow(f.servers[i], f.servers[384 + i], 0, 0, k));
            const auto routed = routeFlows(f.graph, options, flows);
            double most = 0;
            for (const auto& p : polarization(f.graph, routed->problem.offset, routed->problem.link))
                if (p.level == 2) most = p.degree();
            return most;
        };
        QVERIFY(degree(true, false) > 0.4); // 60 and 8 share the factor 4: two of eight
        QVERIFY(std::abs(degree(false, false)) < 0.05);
        QVERIFY(std::abs(degree(true, true)) < 0.05);
    }

    void disjointWaysShareNoLink()
    {
        const auto f = fabricOf(design("hpn", {{"segments", 2}}));
        RoutingOptions options;
        options.selection = PathSelection::Disjoint;
        std::vector<FlowSpec> flows;
        for (int k = 0; k < 60; ++k) flows.push_back(flow(f.servers.front(), f.servers.back(), 0, 0, k));
        const auto routed = routeFlows(f.graph, options, flows);
        std::set<DirectedLink> uplinks;
        for (std::uint32_t i = 0; i < 60; ++i) uplinks.insert(routed->problem.linksOf(i)[1]);
        QCOMPARE(uplinks.size(), std::size_t(60));
    }

    /// Least load beats the hash: 40 host pairs of one ToR on 60 uplinks of twice their rate, none shared by three.
    void leastLoadSpreads()
    {
        const auto f = fabricOf(design("hpn", {{"segments", 2}}));
        const auto most = [&](PathSelection selection) {
            RoutingOptions options;
            options.selection = selection;
            std::vector<FlowSpec> flows;
            for (std::size_t i = 0; i < 60; ++i) flows.push_back(flow(f.servers[i], f.servers[128 + i]));
            const auto routed = routeFlows(f.graph, options, flows);
            std::map<DirectedLink, int> load;
            int result = 0;
            for (std::uint32_t i = 0; i < 60; ++i) result = std::max(result, ++load[routed->problem.linksOf(i)[1]]);
            return result;
        };
        QVERIFY(most(PathSelection::Hash) >= 3);
        QVERIFY(most(PathSelection::LeastLoad) <= 2);
    }

    /// Where both ports of a NIC can be reached (DCN+: no planes), the way decides which one receives, and which one a bonded connection leaves
    /// by: least load keeps the ports even, the hash does not.
    void leastLoadSeesTheNicsOwnPorts()
    {
        const auto f = fabricOf(design("dcn-plus", {{"pods", 1}, {"segments", 2}}));
        const auto uneven = [&](PathSelection selection, int sourcePort) {
            RoutingOptions options;
            options.selection = selection;
            int worst = 0;
            for (std::size_t host = 0; host < 8; ++host) {
                std::vector<FlowSpec> flows;
                for (int k = 0; k < 8; ++k) flows.push_back(flow(f.servers[host], f.servers[16 + host], 0, sourcePort < 0 ? -1 : k % 2, k));
                const auto routed = routeFlows(f.graph, options, flows);
                std::map<DirectedLink, int> load;
                for (std::uint32_t i = 0; i < 8; ++i) {
                    const auto way = routed->problem.linksOf(i);
                    worst = std::max({worst, ++load[way.front()], ++load[way.back()]});
                }
            }
            return worst;
        };
        QCOMPARE(uneven(PathSelection::LeastLoad, 0), 4);
        QCOMPARE(uneven(PathSelection::LeastLoad, -1), 4);
        QVERIFY(uneven(PathSelection::Hash, 0) > 4 && uneven(PathSelection::Hash, -1) > 4);
    }

    void settingsChooseTheHash()
    {
        Snapshot s = *design("hpn", {{"segments", 1}}); // the HPN template sets it
        const auto network = *findNetwork(s, "backend");
        QCOMPARE(routingOptions(s, network)->kindOf(3), HashKind::SourcePort);
        s.putSetting("network.backend.hash.core", "five-tuple");
        QCOMPARE(routingOptions(s, network)->kindOf(3), HashKind::FiveTuple);
        s.putSetting("network.backend.hash.core", "source-port");
        const auto options = routingOptions(s, network);
        QCOMPARE(options->kindOf(3), HashKind::SourcePort);
        QCOMPARE(options->kindOf(2), HashKind::FiveTuple);
        s.putSetting("network.backend.hash.core", "dice");
        const auto refused = routingOptions(s, network);
        QVERIFY(!refused && refused.error().code == ErrorCode::Refused);
        QCOMPARE(refused.error().where, std::string("network.backend.hash.core"));
    }

    /// Two sprayed flows out of one port share it; a third from elsewhere into the same NIC shares the way in.
    /// A (0→x), B (0→y), C (z→y): port 0 gives 100 each, y's port has 100 left for C but shares 3 ways … B = C = 100 at least.
    void sprayedRatesAreProved()
    {
        const auto f = fabricOf(design("hpn", {{"pods", 2}, {"segments", 2}, {"tor_uplinks", 20}}));
        for (const bool broken : {false, true}) {
            FabricState state(f.graph);
            if (broken) damage(f.graph, state, 3, 40, 3);
            SprayRates spray(f.graph, {}, &state);
            std::size_t wanted = 0;
            for (std::size_t i = 0; i < 300; ++i) {
                auto spec = flow(f.servers[mix(i) % f.servers.size()], f.servers[mix(i * 5 + 1) % f.servers.size()], int(i % 4), int(i % 2), 0);
                spec.weight = i % 3 ? 1 : 2;
                wanted += spec.source != spec.destination && spray.addFlow(spec);
            }
            QCOMPARE(spray.flowCount(), wanted);
            const auto rate = spray.solve();
            const auto proof = spray.prove(rate);
            QVERIFY2(proof.ok, qPrintable(QString("overload %1 gap %2").arg(proof.overload).arg(proof.worstGap)));
            auto wrong = rate;
            wrong[7] *= 1.01;
            QVERIFY(!spray.prove(wrong).ok);
            wrong[7] = rate[7] * 0.99;
            QVERIFY(!spray.prove(wrong).ok);
        }
    }

    /// A lone sprayed flow from a 200G port over 60 ways of 400G gets 200; on 2 of its 60 uplinks cut to 1 Gb/s it gets 60.
    void sprayingIsBlindToCongestion()
    {
        const auto f = fabricOf(design("hpn", {{"segments", 2}}));
        FabricState state(f.graph);
        const auto uplinks = f.graph.upArcs(f.graph.nicPorts(f.servers.front(), 0).front().access);
        for (const double share : {1.0, 1.0 / 400}) {
            for (int i = 0; i < 2; ++i) state.setShare(LinkId(uplinks[std::size_t(i)].link / 2), share);
            SprayRates spray(f.graph, {}, &state);
            QVERIFY(spray.addFlow(flow(f.servers.front(), f.servers.back())));
            QVERIFY(std::abs(spray.solve()[0] - (share == 1.0 ? 200.0 : 60.0)) < 1e-5);
        }
    }

    /// What is spread arrives: out of every sender what it sends, into every receiver what is for it, through every switch as much
    /// out as in.
    void spreadLoadsAreConserved()
    {
        const auto f = fabricOf(design("hpn", {{"pods", 2}, {"segments", 2}, {"tor_uplinks", 20}}));
        FabricState state(f.graph);
        damage(f.graph, state, 9, 30, 0);
        std::vector<Demand> demands;
        std::vector<double> balance(f.graph.switchCount(), 0.0);
        for (std::uint32_t a = 0; a < f.graph.switchCount(); ++a)
            for (std::uint32_t b = 0; b < f.graph.switchCount(); ++b)
                if (a != b && f.graph.at(a).level == 1 && f.graph.at(b).level == 1 && f.graph.at(a).plane == f.graph.at(b).plane) {
                    demands.push_back({a, b, double(mix(a * 1000 + b) % 100)});
                    balance[a] += demands.back().amount, balance[b] -= demands.back().amount;
                }
        const auto load = spreadLoads(f.graph, &state, demands);
        QVERIFY(load.has_value());
        for (DirectedLink l = 0; l < load->size(); ++l) {
            if ((*load)[l] <= 0) continue;
            QVERIFY(state.up(l));
            balance[f.graph.tail(l)] -= (*load)[l];
            balance[f.graph.head(l)] += (*load)[l];
        }
        for (const double b : balance) QVERIFY(std::abs(b) < 1e-6);
        // The router's even spread of one flow says the same.
        Router router(f.graph, {}, &state, &state);
        const auto from = f.graph.nicPorts(f.servers.front(), 0), to = f.graph.nicPorts(f.servers.back(), 0);
        router.aimAt(to);
        std::vector<LinkShare> shares;
        QVERIFY(router.spread(from[0], shares));
        const auto one = spreadLoads(f.graph, &state, {{from[0].access, to[0].access, 1.0}});
        for (const auto& share : shares)
            if (f.graph.tail(share.link) != FabricGraph::kNone && f.graph.head(share.link) != FabricGraph::kNone)
                QVERIFY(std::abs((*one)[share.link] - share.share) < 1e-12);
    }

    /// Rates that follow changes of ways, capacities and flows equal those solved from nothing, and are proved.
    void liveRatesEqualAFreshSolve()
    {
        const std::uint32_t links = 260; // from 60 on each flow has one to itself
        std::vector<double> capacity(links);
        for (std::uint32_t l = 0; l < links; ++l) capacity[l] = l < 60 ? 10 + double(mix(l) % 90) : 1 + double(mix(l) % 40);
        LiveRates rates(capacity);
        std::vector<std::vector<std::uint32_t>> way(200);
        for (int i = 0; i < 200; ++i) rates.addFlow(i % 5 ? 1.0 : 2.5);
        for (std::uint64_t step = 0; step < 400; ++step) {
            for (std::uint64_t k = 0; k < 1 + mix(step) % 5; ++k) {
                const auto f = std::uint32_t(mix(step * 11 + k) % 200);
                std::set<std::uint32_t> chosen;
                for (std::uint64_t h = 0; h < mix(step + k * 3) % 6; ++h) chosen.insert(std::uint32_t(mix(step * 97 + k * 13 + h) % 60));
                if (!chosen.empty() && f % 3) chosen.insert(60 + f);
                if (!chosen.empty() && f % 3 == 1 && f + 1 < 200) chosen.insert(60 + f - 1); // two of its own
                way[f].assign(chosen.begin(), chosen.end());
                rates.setWay(f, way[f]);
            }
            if (step % 3 == 0) {
                const auto l = std::uint32_t(mix(step + 5) % links);
                capacity[l] = step % 9 ? 1 + double(mix(step) % 100) : 0;
                rates.setCapacity(l, capacity[l]);
            }
            rates.update();
            FlowProblem fresh;
            fresh.capacity = capacity;
            std::vector<std::uint32_t> flows;
            for (std::uint32_t f = 0; f < 200; ++f)
                if (!way[f].empty()) fresh.addFlow(1, way[f], f % 5 ? 1.0 : 2.5), flows.push_back(f);
            if (flows.empty()) continue;
            MaxMinSolver solver(fresh);
            const auto expected = solver.solve();
            for (std::size_t i = 0; i < flows.size(); ++i) QVERIFY(std::abs(rates.rate(flows[i]) - expected[i]) <= 1e-9 * std::max(1.0, expected[i]));
            QVERIFY(rates.prove().ok);
            std::vector<double> load(links, 0.0);
            for (const auto f : flows)
                for (const auto l : way[f]) load[l] += rates.rate(f);
            for (std::uint32_t l = 0; l < links; ++l) QVERIFY(std::abs(rates.load(l) - load[l]) < 1e-9 * std::max(1.0, capacity[l]));
        }
    }

    /// Flows on a link, collisions and histograms agree with the flows of the result.
    void indexAgreesWithTheFlows()
    {
        const auto s = design("hpn", {{"segments", 2}, {"tor_uplinks", 20}});
        FlowQuestion scenario;
        scenario.workload = Workload::Permutation;
        const auto result = *askFlows(*s, scenario);
        const FlowIndex index(*result);
        const auto f = fabricOf(s);
        std::size_t entries = 0;
        for (std::uint32_t l = 0; l < index.linkCount(); ++l)
            for (const auto flow : index.flowsOn(l)) {
                const auto begin = result->flowLinks.begin() + result->flowLinkOffset[flow],
                           end = result->flowLinks.begin() + result->flowLinkOffset[flow + 1];
                QVERIFY(std::find(begin, end, l) != end);
                ++entries;
            }
        QCOMPARE(entries, result->flowLinks.size());
        const auto found = collisions(f.graph, *result, index);
        QVERIFY(!found.empty());
        for (std::size_t i = 0; i < found.size(); ++i) {
            QVERIFY(found[i].flows.size() >= 2);
            QVERIFY(double(result->loadGbps[found[i].directedLink]) > 399.9);
            if (i > 0) QVERIFY(found[i - 1].lostGbps >= found[i].lostGbps);
        }
        const auto histograms = loadHistograms(f.graph, result->loadGbps);
        std::uint32_t links = 0, capable = 0;
        for (const auto& h : histograms) {
            links += h.total;
            QCOMPARE(std::accumulate(h.links.begin(), h.links.end(), 0u), h.total);
            QVERIFY(h.maxUtilization <= 1 + 1e-6);
        }
        for (const float c : f.graph.capacityGbps()) capable += c > 0;
        QCOMPARE(links, capable);
        QCOMPARE(histograms.front().fromLevel, std::int16_t(0));
    }
};

QTEST_APPLESS_MAIN(RoutingTest)
#include "routing_test.moc"

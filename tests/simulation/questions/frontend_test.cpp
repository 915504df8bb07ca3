// SPDX-License-Identifier: GPL-3.0-or-later
// Storage, images and inference on the frontend: known answers, limits, broken input.
#include "simulation/questions/design_variant.h"
#include "simulation/questions/frontend_flows.h"
#include "simulation/questions/scenario_kind.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace hw;
using namespace hw::sim;

namespace {

bool isNear(double value, double expected, double relative = 1e-9) { return std::abs(value - expected) <= relative * std::abs(expected); }

} // namespace

class FrontendTest : public QObject {
    Q_OBJECT

    ScenarioDesign m_hall, m_bare;

    Json ask(const char* kind, const Json& parameters, const ScenarioDesign* of = nullptr)
    {
        const auto r = runKind(kind, of ? *of : m_hall, parameters);
        if (!r) return {{"where", r.error().where}, {"what", words(r.error().what)}, {"todo", words(r.error().todo)}};
        Json out = r->results;
        out["steady"] = !r->steadyGbps.empty();
        return out;
    }
    double load(const Json& results, const char* from, const char* to)
    {
        for (const Json& tier : results["tiers"])
            if (tier["from"] == from && tier["to"] == to) return tier["load_gbps"];
        return 0;
    }
    ScenarioDesign with(const char* setting, const char* value)
    {
        auto changed = std::make_shared<Snapshot>(*m_hall.snapshot);
        changed->putSetting(setting, value);
        return {changed, m_hall.parts};
    }

private slots:
    void initTestCase()
    {
        m_hall = generatedDesign("hpn", {{"segments", 1}}, {}).value();
        m_bare = generatedDesign("hpn", {{"segments", 1}, {"networks", "backend"}}, {}).value();
    }

    /// The switches of the frontend and of storage, and no others; storage nodes and gateways are ends with all their ports.
    void networksAreOne()
    {
        const Snapshot& s = *m_hall.snapshot;
        const auto frontend = frontendOf(s).value();
        std::set<DeviceId> switches;
        s.devices.forEach([&](DeviceId id) {
            const TierId tier = s.devices.tier[id];
            const auto network = s.tiers.network[tier];
            if (s.tiers.kind[tier] == TierKind::Switch && network &&
                (s.networks.kind[*network] == NetworkKind::Frontend || s.networks.kind[*network] == NetworkKind::Storage))
                switches.insert(id);
        });
        QCOMPARE(std::size_t(frontend.graph->switchCount()), switches.size());
        for (std::uint32_t v = 0; v < frontend.graph->switchCount(); ++v) QVERIFY(switches.contains(frontend.graph->at(v).device));
        QCOMPARE(frontend.hosts.size(), std::size_t(128)); // backup hosts serve no job
        QCOMPARE(frontend.gateways.size(), std::size_t(32));
        const auto hot = storageNodesOf(s, "").value(), cold = storageNodesOf(s, "cold_node").value();
        QCOMPARE(hot.size() * 1000 + cold.size(), std::size_t(250 * 1000 + 64));
        for (const DeviceId id : {hot.front(), cold.back(), frontend.gateways.front(), frontend.hosts.back()}) {
            const auto ports = frontend.graph->nicPorts(id, 0);
            QCOMPARE(ports.size(), std::size_t(2));
            for (const auto& port : ports) QVERIFY(port.access != FabricGraph::kNone);
        }
    }

    /// One host and one node share one port of 200 Gb/s: 240 GB in 9.6 s, in both directions.
    void oneHostOneNode()
    {
        for (const char* direction : {"read", "write"}) {
            const Json r = ask("storage-flows", {{"hosts", 1}, {"nodes_per_host", 1}, {"direction", direction}});
            QVERIFY2(isNear(r["completion_s"], 9.6), r.dump().c_str());
            QVERIFY(isNear(r["gbytes_per_s"], 25) && r["certificate"]["ok"] == true);
            const bool reads = direction == std::string("read");
            QCOMPARE(load(r, reads ? "hot_node" : "hot_leaf", reads ? "hot_leaf" : "hot_node"), 200.0);
            QCOMPARE(load(r, reads ? "hot_leaf" : "hot_node", reads ? "hot_node" : "hot_leaf"), 0.0);
        }
    }

    /// What leaves the nodes arrives at the hosts; all of it takes at least as long as the maximum flow.
    void storageIsTheLimit()
    {
        const Json r = ask("storage-flows", {{"gbytes_per_host", 100}});
        double sum = r["flows"]["rate_mean_gbps"].get<double>() * r["flows"]["count"].get<double>();
        for (const auto& [from, to] : {std::pair("hot_node", "hot_leaf"), std::pair("hot_leaf", "fe_core"), std::pair("fe_tor", "server")})
            QVERIFY2(isNear(load(r, from, to), sum, 1e-6), from);
        QVERIFY(r["completion_s"].get<double>() >= r["max_flow_s"].get<double>());
        // Cold storage: 64 nodes on 64 links of 400G.
        const Json cold = ask("storage-flows", {{"gbytes_per_host", 100}, {"storage_tier", "cold_node"}});
        QVERIFY(cold["storage"]["path_gbps"] == Json(25600.0));
        QVERIFY(cold["completion_s"] > r["completion_s"]);
    }

    /// Slow media are the limit where they are stated: 5 GB/s a node.
    void slowMedia()
    {
        const auto slow = with("storage.hot_node.media_gbytes_per_s", "5");
        const Json one = ask("storage-flows", {{"hosts", 1}, {"nodes_per_host", 1}}, &slow);
        QVERIFY(isNear(one["completion_s"], 240 / 5.0));
        QVERIFY(one["tiers"][0]["to"] == Json("media"));
        QVERIFY(one["storage"]["media_gbytes_per_s"] == Json(1250.0));
    }

    /// A host that passes an image on needs no second trip to the registry.
    void images()
    {
        const Json one = ask("image-pull", {{"hosts", 1}, {"registry_nodes", 1}});
        QVERIFY(isNear(one["completion_s"], 20 * 8 / 200.0));
        const Json all = ask("image-pull", {{"registry_nodes", 1}});
        const double seconds = all["completion_s"];
        QVERIFY2(seconds >= 128 * 20 * 8 / 400.0 * (1 - 1e-9) && seconds <= 128 * 20 * 8 / 200.0, all.dump().c_str()); // two ports, by hash
        const Json tree = ask("image-pull", {{"registry_nodes", 1}, {"pass_on", "tree"}});
        QVERIFY(tree["hosts_from_registry"] == Json(2));
        QVERIFY(tree["depth"] == Json(7)); // 2 + 4 + 8 + 16 + 32 + 64 + 2 = 128
        QVERIFY(tree["completion_s"].get<double>() < 0.2 * seconds);
        const Json chain = ask("image-pull", {{"registry_nodes", 1}, {"pass_on", "tree"}, {"children", 1}, {"hosts", 16}, {"piece_mbytes", 1000}});
        QVERIFY(chain["depth"] == Json(16));
        QVERIFY(isNear(chain["completion_s"], (20 + 15) * 8 / chain["flows"]["rate_min_gbps"].get<double>()));
    }

    /// The stated limit is the limit: all is carried just below it, and not all just above.
    void inference()
    {
        const Json r = ask("inference-flows", Json::object());
        const double limit = r["limit_requests_per_s_per_host"];
        QVERIFY(r["steady"] == true && limit > 1);
        const Json below = ask("inference-flows", {{"requests_per_s_per_host", 0.999 * limit}}),
                   above = ask("inference-flows", {{"requests_per_s_per_host", 1.01 * limit}});
        QVERIFY(isNear(below["carried_share"], 1) && isNear(below["worst_flow_share"], 1, 1e-6));
        QVERIFY(above["carried_share"].get<double>() < 1 - 1e-6);
        QVERIFY(r["key_value"]["slowest_s"].get<double>() < below["key_value"]["slowest_s"].get<double>());
        QVERIFY(above["key_value"]["slowest_s"].is_null() && above["key_value"]["within_budget"] == false);
        // An idle network: 491.52 MB over four connections on two ports of 200 Gb/s; at least 9.8 ms, at most 19.7 ms.
        const double idle = ask("inference-flows", {{"requests_per_s_per_host", 1e-6}})["key_value"]["mean_s"];
        QVERIFY(idle > 0.0098 && idle < 0.0198);
        const Json together = ask("inference-flows", {{"prefill_share", 0}});
        QVERIFY(together["prefill_hosts"].is_null() && together["key_value"].is_null() && together["carried_share"] == 1.0);
    }

    void afterAFailure()
    {
        const Json whole = ask("storage-flows", {{"gbytes_per_host", 100}}),
                   less = ask("storage-flows", {{"gbytes_per_host", 100}, {"failed", {"pod1-storage-leaf1"}}});
        QVERIFY2(less.contains("lost_before"), less.dump().c_str());
        QVERIFY(less["completion_s"].get<double>() > 1.2 * whole["completion_s"].get<double>());
    }

    void designsWithout()
    {
        for (const char* kind : {"storage-flows", "image-pull", "inference-flows"}) {
            const Json r = ask(kind, Json::object(), &m_bare);
            QVERIFY(r["where"] == Json("network"));
            QVERIFY(!r["todo"].get<std::string>().empty());
        }
        const Json none = ask("storage-flows", {{"storage_tier", "tape"}});
        QVERIFY2(none["todo"].get<std::string>().find("cold_node") != std::string::npos, none.dump().c_str());
        QVERIFY(ask("storage-flows", {{"hosts", 129}})["where"] == Json("hosts"));
        QVERIFY(ask("image-pull", {{"registry_nodes", 251}})["where"] == Json("registry_nodes"));
        QVERIFY(ask("inference-flows", {{"prefill_share", 1}})["where"] == Json("prefill_share"));
        auto bare = std::make_shared<Snapshot>(*m_hall.snapshot); // a frontend without storage
        bare->networks.forEach([&](NetworkId id) {
            if (bare->networks.kind[id] == NetworkKind::Storage) bare->networks.kind.set(id, NetworkKind::Management);
        });
        const ScenarioDesign noStorage{bare, m_hall.parts};
        const Json r = ask("storage-flows", Json::object(), &noStorage);
        QVERIFY2(r["what"] == "the design has no storage nodes" && r["todo"].get<std::string>().find("kind storage") != std::string::npos,
                 r.dump().c_str());
        QVERIFY(ask("inference-flows", Json::object(), &noStorage).contains("carried_share"));
    }
};

QTEST_APPLESS_MAIN(FrontendTest)
#include "frontend_test.moc"

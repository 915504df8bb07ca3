// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/proof/proof.h"
#include "core/derived/proof/proof_node.h"
#include "core/derived/proof/proof_output.h"
#include "core/derived/rules/check.h"
#include "core/design/template/template.h"
#include "core/output/report/report.h"
#include "tests/proof/prove_one.h"

#include <QtTest>
#include <nlohmann/json.hpp>

#include <algorithm>

using namespace hw;

/// The proofs of shipped designs against their published properties.
class TestProofDesigns : public QObject {
    Q_OBJECT

    Catalog m_catalog;

    SnapshotPtr make(const char* name, const std::map<std::string, std::string>& given)
    {
        const auto design = Template::load(std::string(HW_RESOURCES "/templates/") + name + ".yaml");
        if (!design) qFatal("%s", design.error().text().c_str());
        const auto snapshot = instantiate(*design, *design->complete(given), m_catalog);
        if (!snapshot) qFatal("%s", snapshot.error().text().c_str());
        return *snapshot;
    }

    static NetworkProof backend(const Snapshot& s)
    {
        std::optional<NetworkId> id;
        s.networks.forEach([&](NetworkId n) {
            if (s.networks.name[n] == "backend") id = n;
        });
        auto proof = test::proveNetwork(s, id.value());
        if (!proof) qFatal("%s", proof.error().text().c_str());
        return *proof;
    }

    static const NetworkProof::PairClass& pairs(const NetworkProof& proof, const std::string& label)
    {
        const auto it = std::ranges::find_if(proof.pairs, [&](const auto& p) { return words(p.label) == label; });
        if (it == proof.pairs.end()) qFatal("no pairs '%s'", label.c_str());
        return *it;
    }
    static double fraction(const NetworkProof& proof, const std::string& level)
    {
        return std::ranges::find(proof.bisections, level, &NetworkProof::Bisection::level)->fraction();
    }
    static bool near(double a, double b) { return std::abs(a - b) < 1e-9; }

private slots:
    void initTestCase() { m_catalog = Catalog::load(HW_RESOURCES "/catalog").value(); }

    void hpnPod()
    {
        const auto proof = backend(*make("hpn", {}));
        QVERIFY(proof.holds());
        QCOMPARE(proof.size.nics, 15360);
        QCOMPARE(proof.size.backupNics, 960);
        QVERIFY(proof.method.exhaustive);
        QCOMPARE(proof.method.sourceClasses, 1);
        QVERIFY(proof.connectivity.throughSwitches && proof.wiring.planesDisjoint && proof.wiring.sound());
        QCOMPARE(proof.connectivity.planes.size(), std::size_t(2));
        for (const auto& plane : proof.connectivity.planes) QVERIFY(plane.connected && plane.nics == 16320 && plane.switches == 212);
        for (const auto* rail : {"same rail", "different rail"}) {
            const auto& far = pairs(proof, std::string(rail) + ", different segment");
            QVERIFY(far.paths.equal() && far.pathsPerPort.equal());
            QCOMPARE(far.paths.min, 120u);
            QCOMPARE(far.pathsPerPort.min, 60u);
            QCOMPARE(far.searchSpace(), 60u);
            QCOMPARE(far.hops.max, 3);
            QCOMPARE(far.disjointSwitches.min, 2);
        }
        QCOMPARE(pairs(proof, "same rail, same segment").hops.max, 1);
        QVERIFY(near(fraction(proof, "segments"), 15.0 / 16)); // ToR 16:15
        QVERIFY(near(fraction(proof, "hosts"), 1.0));
        QCOMPARE(proof.switchCut.size, 2); // one ToR lost disconnects no NIC
        QCOMPARE(proof.cableCut.size, 2);
        QVERIFY(proof.singleSwitches.empty() && proof.singleCables.empty());
        const auto tor = std::ranges::find(proof.tiers, std::string("tor"), &NetworkProof::TierPair::lower);
        QVERIFY(tor->even && tor->perLower.min == 60 && tor->perPair.max == 1 && tor->perUpper.min == 120);
    }

    void hpnEightPods()
    {
        const auto snapshot = make("hpn", {{"pods", "8"}});
        std::optional<NetworkProof> proof;
        QBENCHMARK_ONCE { proof = backend(*snapshot); }
        QVERIFY(proof->holds() && proof->method.exhaustive);
        QCOMPARE(proof->size.nics, 122880);
        const auto& far = pairs(*proof, "same rail, different pod");
        QVERIFY(far.pathsPerPort.equal());
        QCOMPARE(far.pathsPerPort.min, 60u * 8 * 15);
        QCOMPARE(far.searchSpaceUp(), 480u);
        QVERIFY(near(fraction(*proof, "pods"), 1.0 / 16));
        QVERIFY(proof->worstBisection()->level == "pods");
        QCOMPARE(proof->switchCut.size, 2);
    }

    void dcnPlus()
    {
        const auto proof = backend(*make("dcn-plus", {}));
        QVERIFY(proof.holds() && proof.method.exhaustive);
        QCOMPARE(proof.size.nics, 16384);
        QCOMPARE(proof.size.switches, 640);
        for (const auto& b : proof.bisections) QVERIFY2(near(b.fraction(), 1.0), words(b.halves).c_str());
        const auto& far = pairs(proof, "different segment");
        QCOMPARE(far.pathsPerPort.min, 64u * 16); // 8 x 8 cables up, then 8 to each of two ToRs
        QCOMPARE(far.paths.max, 2u * 64 * 16);
        QCOMPARE(proof.switchCut.size, 2);
        QVERIFY(proof.singleSwitches.empty());
    }

    /// Every network of a design has its proof in the report, and the two ways to the end-to-end ratio agree.
    void inReport()
    {
        const auto figures = computeFigures(make("hpn", {{"pods", "2"}, {"segments", "15"}})).value();
        const auto bom = makeBom(*figures);
        QVERIFY(!reportJson(makeReport(*figures, bom), *figures).at("networks").at(0).contains("proof")); // figures that follow every edit
        const auto report = makeProvenReport(*figures, bom).value();
        const auto json = reportJson(report, *figures);
        QCOMPARE(report.proofs.size(), std::size_t(5));
        for (const auto& network : json.at("networks"))
            QVERIFY2(network.at("proof").at("holds").get<bool>(), network.at("name").get<std::string>().c_str());
        const auto& backend = json.at("networks").at(0);
        QVERIFY(near(backend.at("proof").at("worst_bisection").at("fraction").get<double>() * backend.at("oversubscription_end_to_end").get<double>(),
                     1.0));
        QCOMPARE(backend.at("connected").get<bool>(), true);
        const auto& storage = json.at("networks").at(2).at("proof");
        QCOMPARE(storage.at("carriers").at(0).get<std::string>(), std::string("frontend"));
        QVERIFY(json.at("networks").at(4).at("proof").at("flags").at(0).get<std::string>().starts_with("no cables: the 8 accelerators"));
        QVERIFY(reportText(report, *figures).find("\n  Verification         passed\n") != std::string::npos);
    }

    void railOnly()
    {
        const auto proof = backend(*make("hpn-rail-only", {{"segments", "8"}}));
        QVERIFY(proof.holds() && !proof.connectivity.throughSwitches);
        QCOMPARE(words(proof.flags.front()), std::string("rail-only: cross-rail and all-to-all traffic only through the host"));
        QVERIFY(!pairs(proof, "different rail, same segment").reachable);
        QCOMPARE(pairs(proof, "same rail, different segment").searchSpace(), 60u);
    }

    void singleTor()
    {
        const auto proof = backend(*make("hpn-single-tor", {{"segments", "4"}}));
        QCOMPARE(proof.switchCut.size, 1);
        QCOMPARE(proof.singleSwitches.count, 32);
        QVERIFY(proof.singleCables.empty()); // both ports of a NIC end there, by two cables
        QCOMPARE(proof.cableCut.size, 2);
        QVERIFY(words(proof.singleSwitches.names.front()).find("tor") != std::string::npos);
    }

    void output()
    {
        const auto proof = backend(*make("hpn", {{"segments", "2"}, {"tor_uplinks", "30"}}));
        const auto json = proofJson(proof);
        QCOMPARE(json.at("holds").get<bool>(), true);
        QCOMPARE(json.at("pairs").at(1).at("path_search_space").get<int>(), 30);
        QCOMPARE(json.at("smallest_switch_cut").at("members").size(), std::size_t(2));
        const auto lines = proofLines(proof);
        QVERIFY(lines.size() > 8);
        for (const auto& line : lines) QVERIFY2(line.size() <= 100, line.c_str());
        QVERIFY(std::ranges::any_of(lines, [](const auto& l) { return l.find("no cable or switch connects two planes") != l.npos; }));
    }

    /// N9 and N12 say of every network what its proof says: of whole designs, and with a port pulled, a leaf without its uplinks, a server unplugged.
    void rulesSayWhatTheProofSays()
    {
        std::size_t apart = 0, single = 0;
        const auto compare = [&](const SnapshotPtr& s, const std::string& label) {
            const auto figures = computeFigures(s).value();
            const auto* proofs = proofOf(*figures).value();
            const auto found = check(*figures, {{"N9", "N12"}, {}}).value().findings;
            for (const NetworkProof& proof : *proofs) {
                if (!proof.hasCables()) continue;
                const auto says = [&](const char* rule, const char* mark) {
                    return std::ranges::find_if(found, [&](const Finding& f) {
                        return f.rule == rule && f.entities.front() == ref(proof.network) && f.id.find(mark) != std::string::npos;
                    });
                };
                const std::string where = label + ", " + proof.name;
                const bool connected = proof.connectivity.holds(proof.scaleUp);
                QVERIFY2(connected || !proof.holds(), where.c_str());
                QVERIFY2((says("N12", "") == found.end()) == connected, where.c_str());
                apart += !connected;
                const auto points = says("N9", "single");
                QVERIFY2((points == found.end()) == (proof.singleSwitches.empty() && proof.singleCables.empty()), where.c_str());
                if (points == found.end()) continue;
                ++single;
                for (const NamedSet* set : {&proof.singleSwitches, &proof.singleCables})
                    if (!set->empty()) {
                        const auto text = words(points->message);
                        QVERIFY2(text.find(words(i18n("{:L}", set->count))) != std::string::npos &&
                                     text.find(words(set->names.front())) != std::string::npos,
                                 (where + ": " + text).c_str());
                    }
            }
        };
        const auto templates = loadTemplates(HW_RESOURCES "/templates").value();
        for (const auto& design : templates) {
            std::map<std::string, std::string> few;
            for (const Parameter& p : design.parameters()) // the smallest of what multiplies, two segments where there are any
                if (p.choices.empty() && !p.flag && (p.name == "pods" || p.name == "segments" || p.name == "racks" || p.name == "tpu_pods"))
                    few[p.name] = std::to_string(std::clamp<std::int64_t>(2, p.minimum, p.maximum));
            const auto values = design.complete(few);
            const auto made = values ? instantiate(design, *values, m_catalog) : Result<SnapshotPtr>(tl::unexpected(values.error()));
            if (!made) continue; // with so few it cannot be built
            compare(*made, design.name());
            const auto damaged = [&](const char* what, auto&& damage) {
                auto s = std::make_shared<Snapshot>(**made);
                damage(*s);
                compare(s, design.name() + ", " + what);
            };
            std::optional<NetworkId> network;
            (*made)->networks.forEach([&](NetworkId n) {
                if (!network && (*made)->networks.kind[n] == NetworkKind::Backend) network = n;
            });
            std::vector<LinkId> access, uplinks;
            std::optional<DeviceId> server, leaf;
            (*made)->links.forEach([&](LinkId link) {
                const Snapshot& s = **made;
                const PortId a = s.links.from[link], b = s.links.to[link];
                if (!network || !(s.ports.network[a] == *network) || s.ports.medium[a] != Medium::Data) return;
                const DeviceId low = s.ports.device[a], high = s.ports.device[b];
                if (s.tiers.kind[s.devices.tier[low]] == TierKind::Server) {
                    if (!server) server = low, leaf = high;
                    if (low == *server) access.push_back(link);
                } else if (leaf && low == *leaf) {
                    uplinks.push_back(link);
                }
            });
            if (access.empty()) continue;
            damaged("a port pulled", [&](Snapshot& s) { s.links.erase(access.front()); });
            damaged("a server unplugged", [&](Snapshot& s) {
                for (const LinkId link : access) s.links.erase(link);
            });
            if (!uplinks.empty())
                damaged("a leaf without uplinks", [&](Snapshot& s) {
                    for (const LinkId link : uplinks) s.links.erase(link);
                });
        }
        QVERIFY(apart > 20 && single > 10);
    }
};

QTEST_GUILESS_MAIN(TestProofDesigns)
#include "test_proof_designs.moc"

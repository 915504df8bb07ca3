// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare.h"
#include "core/derived/proof/graph.h"
#include "core/derived/proof/proof_output.h"
#include "core/derived/proof/sections.h"
#include "core/foundation/catalog/catalog.h"
#include "tests/proof/prove_one.h"

#include <QtTest>

#include <algorithm>

using namespace hw;

/// The proof against brute force on fabrics small enough for it, and against what designs of the field are
/// known to have.
class TestProof : public QObject {
    Q_OBJECT

    static FabricShape randomShape(std::mt19937& random)
    {
        const auto upTo = [&](int n) { return 1 + int(random() % unsigned(n)); };
        FabricShape f;
        f.pods = upTo(2), f.segments = upTo(2), f.hosts = upTo(3), f.nics = upTo(2), f.planes = upTo(2);
        f.railSwitches = random() % 2, f.railOnly = f.railSwitches && random() % 2;
        f.aggs = upTo(2), f.parallel = upTo(2), f.cores = int(random() % 3), f.backupHosts = int(random() % 2);
        const int tors = f.pods * f.segments * f.planes * (f.railSwitches ? f.nics : 1);
        const int others = f.pods * f.aggs * f.planes * (f.railOnly ? f.nics : 1) + f.cores * f.planes;
        return tors + others <= 12 ? f : randomShape(random);
    }

    static LinkId anyLink(FabricBuilder& b, std::mt19937& random)
    {
        const auto ids = b.s.links.ids();
        return ids[random() % ids.size()];
    }

    /// What happens to fabrics: a cable gone, a switch dead, planes or rails crossed, an extra cable.
    static void damage(FabricBuilder& b, std::mt19937& random)
    {
        std::vector<DeviceId> switches;
        b.s.devices.forEach([&](DeviceId d) {
            if (b.s.tiers.kind[b.s.devices.tier[d]] == TierKind::Switch) switches.push_back(d);
        });
        const DeviceId some = switches[random() % switches.size()];
        switch (random() % 4) {
        case 0: b.remove(anyLink(b, random)); break;
        case 1:
            for (const auto id : b.linksOf(some)) b.remove(id);
            break;
        case 2: {
            const LinkId x = anyLink(b, random), y = anyLink(b, random);
            const PortId upper = b.s.links.to[x];
            b.s.links.to.set(x, b.s.links.to[y]);
            b.s.links.to.set(y, upper);
            break;
        }
        case 3:
            if (const DeviceId other = switches[random() % switches.size()]; !(other == some)) b.up(std::min(some, other), std::max(some, other));
            break;
        }
    }

private slots:
    void tangles()
    {
        for (unsigned seed = 0; seed < 250; ++seed) {
            std::mt19937 random(seed);
            QVERIFY2(sameAsBruteForce(makeTangle(random)), qPrintable(QString("seed %1").arg(seed)));
        }
    }

    void shapes()
    {
        for (unsigned seed = 0; seed < 60; ++seed) {
            std::mt19937 random(seed);
            auto b = makeFabric(randomShape(random));
            QVERIFY2(sameAsBruteForce(b), qPrintable(QString("seed %1").arg(seed)));
            QVERIFY(prove(b).wiring.sound());
            for (int k = 0; k < 3 && b.s.links.size() > 4; ++k) {
                damage(b, random);
                QVERIFY2(sameAsBruteForce(b), qPrintable(QString("seed %1, damage %2").arg(seed).arg(k + 1)));
            }
        }
    }

    /// Coordinates save work and change nothing: keys that say nothing, or lie, give the same proof.
    void keysDoNotMatter()
    {
        for (const char* key : {"device.x", "device.x/pod=%1", "device.x/segment=%1/rail=0"}) {
            auto b = makeFabric({.pods = 3, .segments = 3, .hosts = 2, .nics = 2, .planes = 2, .railSwitches = true, .aggs = 3, .cores = 2});
            const auto before = prove(b);
            QCOMPARE(before.method.sourceClasses, 1);
            b.s.devices.forEach(
                [&](DeviceId d) { b.s.devices.key.set(d, QString(key).contains("%1") ? QString(key).arg(d.value).toStdString() : key); });
            const auto after = prove(b);
            QVERIFY(after.method.sourceClasses >= before.method.sourceClasses);
            QCOMPARE(after.pairs.size(), before.pairs.size());
            for (std::size_t i = 0; i < after.pairs.size(); ++i) {
                QVERIFY(after.pairs[i].label == before.pairs[i].label);
                QVERIFY(after.pairs[i].paths == before.pairs[i].paths);
                QVERIFY(after.pairs[i].disjointCables == before.pairs[i].disjointCables);
                QVERIFY(after.pairs[i].disjointSwitches == before.pairs[i].disjointSwitches);
            }
            QCOMPARE(after.cableCut.size, before.cableCut.size);
            QCOMPARE(after.switchCut.size, before.switchCut.size);
        }
    }

    /// A pod of HPN's shape: a sender picks one of the 60 uplinks of its ToR, in either plane.
    void hpnSearch()
    {
        const auto proof = prove(makeFabric({.segments = 3, .hosts = 2, .nics = 2, .planes = 2, .railSwitches = true, .aggs = 60}));
        const auto& far = pairs(proof, "same rail, different segment");
        QCOMPARE(far.searchSpace(), 60u);
        QCOMPARE(far.paths.min, 120u);
        QVERIFY(far.paths.equal() && far.pathsPerPort.equal());
        QCOMPARE(far.pathsPerPort.min, 60u);
        QCOMPARE(pairs(proof, "same rail, same segment").searchSpace(), 1u);
        QCOMPARE(proof.switchCut.size, 2);
        QVERIFY(proof.wiring.planesDisjoint && proof.singleSwitches.empty() && proof.singleCables.empty() && proof.holds());
    }

    /// 32 spines, each with 4 cables to every of its 8 cores: 32 x 32 x 4 = 4,096.
    void superPodSearch()
    {
        FabricBuilder b(1, 1);
        const auto server = b.tier("server", TierKind::Server, 0), leaf = b.tier("leaf", TierKind::Switch, 1),
                   spine = b.tier("spine", TierKind::Switch, 2), core = b.tier("core", TierKind::Switch, 3);
        std::vector<DeviceId> cores;
        for (int i = 0; i < 32 * 8; ++i) cores.push_back(b.device(core, "group=" + std::to_string(i / 8) + "/member=" + std::to_string(i % 8), {}));
        for (int pod = 0; pod < 2; ++pod) {
            const auto low = b.device(leaf, "pod=" + std::to_string(pod), {pod, -1, -1, -1});
            for (int h = 0; h < 2; ++h)
                b.access(b.device(server, "pod=" + std::to_string(pod) + "/host=" + std::to_string(h), {pod, -1, -1, -1}), 0, 0, low);
            for (int i = 0; i < 32; ++i) {
                const auto mid = b.device(spine, "pod=" + std::to_string(pod) + "/group=" + std::to_string(i), {pod, -1, -1, -1});
                b.up(low, mid);
                for (int k = 0; k < 32; ++k) b.up(mid, cores[std::size_t(i * 8 + k / 4)]);
            }
        }
        const auto proof = prove(b);
        const auto& far = pairs(proof, "different pod");
        QCOMPARE(far.searchSpace(), 4096u);
        QCOMPARE(far.searchSpaceUp(), 1024u);
        QCOMPARE(far.paths.max, 4096u);
        QCOMPARE(far.choices.size(), std::size_t(5));
        QCOMPARE(far.choices[2].choices, 4);
    }

    /// Eight middle blocks, 256 uplinks each, every one to a spine of its own: 8 x 256 = 2,048.
    void jupiterSearch()
    {
        FabricBuilder b(1, 1);
        const auto server = b.tier("server", TierKind::Server, 0), tor = b.tier("tor", TierKind::Switch, 1),
                   block = b.tier("block", TierKind::Switch, 2), spine = b.tier("spine", TierKind::Switch, 3);
        std::vector<DeviceId> spines;
        for (int i = 0; i < 8 * 256; ++i)
            spines.push_back(b.device(spine, "block=" + std::to_string(i / 256) + "/member=" + std::to_string(i % 256), {}));
        for (int pod = 0; pod < 2; ++pod) {
            const auto low = b.device(tor, "pod=" + std::to_string(pod), {pod, -1, -1, -1});
            b.access(b.device(server, "pod=" + std::to_string(pod), {pod, -1, -1, -1}), 0, 0, low);
            for (int i = 0; i < 8; ++i) {
                const auto mid = b.device(block, "pod=" + std::to_string(pod) + "/block=" + std::to_string(i), {pod, -1, -1, -1});
                b.up(low, mid);
                for (int k = 0; k < 256; ++k) b.up(mid, spines[std::size_t(i * 256 + k)]);
            }
        }
        QCOMPARE(pairs(prove(b), "different pod").searchSpace(), 2048u);
    }

    /// Two pods of the fat tree of 48-port switches: 24 x 24 = 576 ways; 48 x 48 = 2,304, as published, counts
    /// all ports of the two switches that choose.
    void fatTreeSearch()
    {
        FabricBuilder b(1, 1);
        const auto server = b.tier("server", TierKind::Server, 0), edge = b.tier("edge", TierKind::Switch, 1),
                   agg = b.tier("agg", TierKind::Switch, 2), core = b.tier("core", TierKind::Switch, 3);
        std::vector<DeviceId> cores;
        for (int i = 0; i < 24 * 24; ++i)
            cores.push_back(b.device(core, "group=" + std::to_string(i / 24) + "/member=" + std::to_string(i % 24), {}));
        for (int pod = 0; pod < 2; ++pod) {
            std::vector<DeviceId> aggs;
            for (int a = 0; a < 24; ++a) {
                aggs.push_back(b.device(agg, "pod=" + std::to_string(pod) + "/group=" + std::to_string(a), {pod, -1, -1, -1}));
                for (int c = 0; c < 24; ++c) b.up(aggs.back(), cores[std::size_t(a * 24 + c)]);
            }
            for (int e = 0; e < 24; ++e) {
                const auto low = b.device(edge, "pod=" + std::to_string(pod) + "/segment=" + std::to_string(e), {pod, e, -1, -1});
                for (const auto a : aggs) b.up(low, a);
                for (int h = 0; h < 24; ++h) b.access(b.device(server, "x", {pod, e, -1, -1}), 0, 0, low, 400);
            }
        }
        const auto proof = prove(b);
        const auto& far = pairs(proof, "different pod");
        QCOMPARE(far.searchSpace(), 576u);
        QCOMPARE(far.searchSpaceUp(), 576u);
        QCOMPARE(far.searchSpaceBlind(), 2304u);
        QCOMPARE(pairs(proof, "different segment").searchSpace(), 24u);
        QCOMPARE(proof.method.sourceClasses, 1);
        QCOMPARE(proof.worstBisection()->fraction(), 1.0);
        QCOMPARE(proof.singleSwitches.count, 48); // a NIC has one cable, its edge switch is alone
    }

    void railOnly()
    {
        const auto proof = prove(makeFabric({.segments = 2, .hosts = 2, .nics = 2, .planes = 2, .railSwitches = true, .railOnly = true, .aggs = 2}));
        QVERIFY(!proof.connectivity.throughSwitches && proof.connectivity.throughHosts && proof.connectivity.whole.withinRails);
        QVERIFY(std::ranges::any_of(proof.flags,
                                    [](const Text& f) { return words(f) == "rail-only: cross-rail and all-to-all traffic only through the host"; }));
        QVERIFY(!pairs(proof, "different rail, same segment").reachable && pairs(proof, "same rail, different segment").reachable);
        QVERIFY(proof.holds());
        const auto rails = std::ranges::find(proof.bisections, "rails", &NetworkProof::Bisection::level);
        QVERIFY(rails != proof.bisections.end() && rails->carriedGbps == 0);
    }

    /// Eight hosts of 200G under each of two ToRs with two uplinks of 400G: half of full bisection.
    void bisectionOfHalf()
    {
        const auto proof = prove(makeFabric({.segments = 2, .hosts = 8, .nics = 1, .aggs = 2}));
        QCOMPARE(words(proof.worstBisection()->halves), std::string("segments 1 vs 2"));
        QCOMPARE(proof.worstBisection()->carriedGbps, 800);
        QCOMPARE(proof.worstBisection()->wantedGbps, 1600);
    }

    /// Neighboring pods share their own core: only odd against even ones find that the pairs are not joined well.
    void oddAgainstEven()
    {
        FabricBuilder b(1, 1);
        const auto server = b.tier("server", TierKind::Server, 0), tor = b.tier("tor", TierKind::Switch, 1),
                   core = b.tier("core", TierKind::Switch, 2);
        const DeviceId cores[2] = {b.device(core, "n=0", {}), b.device(core, "n=1", {})};
        b.peer(cores[0], cores[1], 100);
        for (int pod = 0; pod < 4; ++pod) {
            const auto own = b.device(tor, "pod=" + std::to_string(pod), {pod, -1, -1, -1});
            for (int h = 0; h < 2; ++h) b.access(b.device(server, "h", {pod, -1, -1, -1}), 0, 0, own);
            b.up(own, cores[pod % 2], 400); // pods 1 and 3 on one core, 2 and 4 on the other
        }
        const auto proof = prove(b);
        QCOMPARE(words(proof.worstBisection()->halves), std::string("odd vs even pods"));
        QCOMPARE(proof.worstBisection()->carriedGbps, 100);
        QCOMPARE(proof.worstBisection()->wantedGbps, 800);
    }

    void planes()
    {
        auto b = makeFabric({.segments = 2, .hosts = 2, .nics = 1, .planes = 2, .aggs = 2});
        QVERIFY(prove(b).wiring.planesDisjoint);
        QCOMPARE(prove(b).connectivity.planes.size(), std::size_t(2));
        QVERIFY(prove(b).connectivity.planes[1].connected);
        std::vector<DeviceId> tors;
        b.s.devices.forEach([&](DeviceId d) {
            if (b.s.tiers.name[b.s.devices.tier[d]] == "tor") tors.push_back(d);
        });
        const auto bridge = b.up(tors[0], tors[1]);
        auto crossed = prove(b);
        QVERIFY(!crossed.wiring.planesDisjoint && !crossed.holds());
        QCOMPARE(words(listed(crossed.wiring.planesCrossed.names)), b.s.devices.name[tors[0]] + " - " + b.s.devices.name[tors[1]]);
        b.remove(bridge);
        const auto core = b.device(b.tier("meet", TierKind::Switch, 5), "x", {});
        b.s.devices.forEach([&](DeviceId d) {
            if (b.s.tiers.name[b.s.devices.tier[d]] == "agg") b.up(d, core);
        });
        const auto met = prove(b);
        QCOMPARE(met.wiring.planesMeetAt, std::string("meet"));
        QVERIFY(met.wiring.planesCrossed.empty() && met.holds());
    }

    void bothPortsOnOnePlane()
    {
        auto b = makeFabric({.segments = 1, .hosts = 2, .nics = 1, .planes = 2, .aggs = 1});
        const auto links = b.linksOf(DeviceId([&] {
            std::uint32_t first = 0;
            b.s.devices.forEach([&](DeviceId d) {
                if (b.s.tiers.kind[b.s.devices.tier[d]] == TierKind::Server && !first) first = d.value;
            });
            return first;
        }()));
        b.s.links.to.set(links[1], b.s.links.to[links[0]]);
        const auto proof = prove(b);
        QCOMPARE(proof.wiring.nicsOnOnePlane.count, 1);
        QCOMPARE(proof.wiring.portsUsedTwice.count, 1);
        QCOMPARE(proof.connectivity.planes[1].missing.count, 1);
        QVERIFY(!proof.connectivity.planes[1].connected && !proof.holds());
    }

    void wiringFaults()
    {
        const auto good = makeFabric({.segments = 2, .hosts = 2, .nics = 1, .aggs = 2});
        QVERIFY(prove(good).wiring.sound());
        auto b = good;
        const auto ids = b.s.links.ids();
        b.s.links.cable.set(ids[0], b.s.links.cable[ids[1]]);
        QCOMPARE(prove(b).wiring.cablesUsedTwice.count, 1);
        b = good;
        b.s.links.cable.set(ids[0], std::nullopt);
        QCOMPARE(prove(b).wiring.linksWithoutCable.count, 1);
        b = good;
        b.s.ports.rate.set(b.s.links.from[ids[0]], Gbps(100));
        QCOMPARE(prove(b).wiring.ratesThatDiffer.count, 1);
        b = good;
        const auto other = b.s.networks.insert();
        b.s.networks.name.set(other, "other");
        b.s.ports.network.set(b.s.links.from[ids[0]], other);
        QCOMPARE(prove(b).wiring.portsOfOtherNetworks.count, 1);
        QVERIFY(!prove(b).holds());
        QVERIFY(test::proveNetwork(b.s, other).value().hasCables()); // the link counts for both
    }

    void unevenIsTold()
    {
        auto b = makeFabric({.segments = 3, .hosts = 2, .nics = 1, .aggs = 2, .parallel = 2});
        QVERIFY(std::ranges::all_of(prove(b).tiers, &NetworkProof::TierPair::even));
        for (const auto id : b.s.links.ids())
            if (b.s.tiers.name[b.s.devices.tier[b.s.ports.device[b.s.links.from[id]]]] == "tor") {
                b.remove(id);
                break;
            }
        const auto proof = prove(b);
        const auto uneven = std::ranges::find(proof.tiers, false, &NetworkProof::TierPair::even);
        QVERIFY(uneven != proof.tiers.end());
        QCOMPARE(uneven->lower + uneven->upper, std::string("toragg"));
        QCOMPARE(uneven->where.count, 3); // the ToR, the aggregation switch, the pair
        QCOMPARE(uneven->perLower.min, 3);
        QVERIFY(!pairs(proof, "different segment").paths.equal() && !pairs(proof, "different segment").fewest.empty());
    }

    /// A torus of end devices: everyone forwards, four ways out of each.
    void torusOfEndDevices()
    {
        constexpr int kSide = 4;
        FabricBuilder b(1, 1);
        const auto chip = b.tier("server", TierKind::Server, 0);
        std::vector<DeviceId> chips;
        for (int i = 0; i < kSide * kSide; ++i)
            chips.push_back(b.device(chip, "x=" + std::to_string(i / kSide) + "/y=" + std::to_string(i % kSide), {}));
        for (int x = 0; x < kSide; ++x)
            for (int y = 0; y < kSide; ++y) {
                b.peer(chips[std::size_t(x * kSide + y)], chips[std::size_t((x + 1) % kSide * kSide + y)]);
                b.peer(chips[std::size_t(x * kSide + y)], chips[std::size_t(x * kSide + (y + 1) % kSide)]);
            }
        const auto proof = prove(b);
        QCOMPARE(proof.size.switches, 0);
        QCOMPARE(proof.size.endDevices, kSide * kSide);
        const auto& any = pairs(proof, "any two NICs");
        QCOMPARE(any.disjointCables.min, 4);
        QVERIFY(any.disjointCables.equal());
        QCOMPARE(any.hops.max, 5);    // opposite corners: four hops
        QCOMPARE(any.paths.max, 24u); // two ways round in x and in y, interleaved in 4!/(2! 2!) orders: 2 x 2 x 6
        QVERIFY(proof.connectivity.throughSwitches && proof.singleSwitches.empty() && proof.singleCables.empty());
        QCOMPARE(proof.method.sourceClasses, 1); // the torus turns
        QCOMPARE(proof.cableCut.members.size(), std::size_t(4));
        QCOMPARE(proof.worstBisection()->carriedGbps, 16 * 400 / 2); // two rows against two: eight cables of 400G cross
    }

    /// Storage leaves under the front end's core: together with it servers reach the storage nodes.
    void storageOverFrontEnd()
    {
        auto b = makeFabric({.segments = 2, .hosts = 2, .nics = 1, .aggs = 2});
        b.s.networks.kind.set(b.network, NetworkKind::Frontend);
        const auto frontend = b.network;
        const auto storage = b.network = b.s.networks.insert();
        b.s.networks.name.set(storage, "storage");
        b.s.networks.kind.set(storage, NetworkKind::Storage);
        const auto leaf = b.tier("leaf", TierKind::Switch, 1), node = b.tier("node", TierKind::Other, 0);
        std::vector<DeviceId> aggs;
        b.s.devices.forEach([&](DeviceId d) {
            if (b.s.tiers.name[b.s.devices.tier[d]] == "agg") aggs.push_back(d);
        });
        for (int i = 0; i < 2; ++i) {
            const auto own = b.device(leaf, "index=" + std::to_string(i), {});
            b.up(own, aggs[std::size_t(i)], 200); // each leaf under one aggregation switch: alone they are apart
            b.access(b.device(node, "index=" + std::to_string(i), {}), 0, 0, own);
        }
        const auto proof = prove(b);
        QCOMPARE(proof.carriers, std::vector<std::string>{"net"});
        QVERIFY(proof.holds());
        QCOMPARE(pairs(proof, "server to node").paths.max, 1u);
        QVERIFY(std::ranges::none_of(proof.pairs, [](const auto& p) { return words(p.label).starts_with("server to server"); }));
        QCOMPARE(words(proof.bisections.at(0).halves), std::string("servers vs node"));
        QCOMPARE(proof.bisections.at(0).carriedGbps, 400);
        QVERIFY(test::proveNetwork(b.s, frontend).value().carriers.empty());
    }

    /// Racks of a scale-up network are joined within themselves, and that is all that is asked of them.
    void scaleUpDomains()
    {
        FabricBuilder b(1, 1);
        b.s.networks.kind.set(b.network, NetworkKind::ScaleUp);
        const auto tray = b.tier("server", TierKind::Server, 0), nvSwitch = b.tier("switch", TierKind::Switch, 1);
        std::vector<DeviceId> trays;
        for (int rack = 0; rack < 3; ++rack) {
            const std::string key = "rack=" + std::to_string(rack);
            const DeviceId s[2] = {b.device(nvSwitch, key + "/n=0", {}), b.device(nvSwitch, key + "/n=1", {})};
            for (int t = 0; t < 4; ++t) {
                trays.push_back(b.device(tray, key + "/tray=" + std::to_string(t), {}));
                for (int n = 0; n < 2; ++n) b.access(trays.back(), 0, n, s[n], 400);
            }
        }
        const auto proof = prove(b);
        QVERIFY(proof.holds() && !proof.connectivity.throughHosts && proof.connectivity.throughSwitches);
        QCOMPARE(proof.connectivity.domains, 3);
        QVERIFY(std::ranges::any_of(proofLines(proof),
                                    [](const auto& l) { return l.find("3 of 4 end devices, each internally connected by its switches") != l.npos; }));
        QCOMPARE(proof.connectivity.domainDevices.min, 4);
        QCOMPARE(pairs(proof, "any two NICs").disjointCables.min, 2);
        QVERIFY(proof.singleSwitches.empty());
        for (const auto id : b.linksOf(trays[0])) b.remove(id);
        QVERIFY(!prove(b).holds());
    }

    /// Management: a tree without any second way. Every switch and every cable is a single point of failure.
    void tree()
    {
        const auto b = makeFabric({.segments = 3, .hosts = 4, .nics = 1, .aggs = 1});
        const auto proof = prove(b);
        QVERIFY(proof.holds());
        QCOMPARE(proof.singleSwitches.count, 4);
        QCOMPARE(proof.singleCables.count, 12 + 3);
        QCOMPARE(proof.switchCut.size, 1);
        QCOMPARE(proof.cableCut.size, 1);
    }

    void withoutCables()
    {
        FabricBuilder b(1, 1);
        (void)b.device(b.tier("server", TierKind::Server, 0), "x", {});
        const auto proof = prove(b);
        QVERIFY(!proof.hasCables() && proof.holds() && proof.flags.size() == 1);
    }

    /// Without the work that exactness takes, a part of the truth, and called so.
    void sampled()
    {
        std::mt19937 random(7);
        FabricBuilder b(1, 1);
        const auto server = b.tier("server", TierKind::Server, 0), tor = b.tier("tor", TierKind::Switch, 1), agg = b.tier("agg", TierKind::Switch, 2);
        std::vector<DeviceId> aggs;
        for (int i = 0; i < 6; ++i) aggs.push_back(b.device(agg, "a", {}));
        for (int i = 0; i < 20; ++i) {
            const auto own = b.device(tor, "t", {});
            for (int k = 0; k < 4; ++k) b.up(own, aggs[random() % aggs.size()]);
            b.access(b.device(server, "s", {}), 0, 0, own);
            b.access(b.device(server, "s", {}), 0, 0, own);
        }
        const auto links = linksByNetwork(b.s);
        const NetworkId networks[] = {b.network};
        const auto parts = ProjectParts::of(b.s.partTypes).value();
        const proof::Graph graph(b.s, *parts, networks, links[b.network.value]);
        NetworkProof sample;
        QVERIFY(proof::provePaths(graph, {}, sample, 2000));
        const auto whole = prove(b);
        QVERIFY(whole.method.exhaustive && !sample.method.exhaustive);
        QVERIFY(sample.method.sources > 0 && sample.method.sources < whole.method.sources && sample.method.pairs < whole.method.pairs);
        QVERIFY(sample.pairs.at(0).paths.min >= whole.pairs.at(0).paths.min && sample.pairs.at(0).paths.max <= whole.pairs.at(0).paths.max);
    }

    void stopped()
    {
        std::stop_source source;
        source.request_stop();
        const auto b = makeFabric({.segments = 2, .hosts = 2});
        const auto proof = test::proveNetwork(b.s, b.network, {source.get_token(), {}});
        QVERIFY(!proof && proof.error().code == ErrorCode::Canceled);
    }
};

QTEST_GUILESS_MAIN(TestProof)
#include "test_proof.moc"

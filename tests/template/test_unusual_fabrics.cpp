// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/figures.h"
#include "core/derived/proof/proof.h"
#include "core/derived/proof/proof_output.h"
#include "core/derived/rules/check.h"
#include "core/design/count/count.h"
#include "core/design/template/template.h"
#include "core/output/report/network_view.h"
#include "tests/proof/prove_one.h"

#include <QTest>

#include <algorithm>

#include <fmt/format.h>

using namespace hw;

namespace {

const Catalog& catalog()
{
    static const auto loaded = Catalog::load(HW_RESOURCES "/catalog");
    return *loaded;
}

/// BCube(n, 1): server (a, b) is on switch a of level 0 and on switch b of level 1.
std::string bcube(int n)
{
    return fmt::format(
        "template: bcube\nvalues: {{n: {}}}\nnetworks: {{net: {{label: BCube}}}}\n"
        "tiers:\n"
        "  server: {{kind: server, each: {{a: n, b: n}}, name: \"s{{a}}-{{b}}\", type: hgx-h100-8gpu, ports: {{host: {{interfaces: nic, cages: 2, "
        "network: net}}}}}}\n"
        "  level0: {{network: net, level: 1, each: {{a: n}}, name: \"low{{a}}\", type: switch-25t-64x400g, ports: {{down: {{cages: n}}}}}}\n"
        "  level1: {{network: net, level: 1, each: {{b: n}}, name: \"high{{b}}\", type: switch-25t-64x400g, ports: {{down: {{cages: n}}}}}}\n"
        "links:\n"
        "  zero: {{from: server.host, to: level0.down, from_index: 0, to_index: b}}\n"
        "  one: {{from: server.host, to: level1.down, from_index: 1, to_index: a}}\n",
        n);
}

/// A small HammingMesh: boards in rows and columns, each board with four links into the switch of its row and four into that of its column.
std::string hammingMesh(int rows, int columns)
{
    return fmt::format("template: hamming-mesh\nvalues: {{rows: {}, columns: {}}}\nnetworks: {{net: {{label: HammingMesh}}}}\n"
                       "tiers:\n"
                       "  board: {{kind: server, each: {{y: rows, x: columns}}, name: \"board{{y}}-{{x}}\", type: hgx-h100-8gpu, ports: {{host: "
                       "{{interfaces: nic, cages: 8, network: net}}}}}}\n"
                       "  row: {{network: net, level: 1, each: {{y: rows}}, name: \"row{{y}}\", type: switch-25t-64x400g, ports: {{down: {{cages: 4 "
                       "* columns}}}}}}\n"
                       "  column: {{network: net, level: 1, each: {{x: columns}}, name: \"column{{x}}\", type: switch-25t-64x400g, ports: {{down: "
                       "{{cages: 4 * rows}}}}}}\n"
                       "links:\n"
                       "  east-west: {{from: board.host, to: row.down, each: {{k: 4}}, from_index: k, to_index: x * 4 + k}}\n"
                       "  north-south: {{from: board.host, to: column.down, each: {{k: 4}}, from_index: 4 + k, to_index: y * 4 + k}}\n",
                       rows, columns);
}

/// Servers in a ring, joined to each other by peer ports.
std::string serverRing(int n)
{
    return fmt::format("template: ring\nvalues: {{n: {}}}\nnetworks: {{net: {{label: Ring}}}}\n"
                       "tiers:\n"
                       "  server: {{kind: server, each: {{x: n}}, name: \"s{{x}}\", type: hgx-h100-8gpu, ports: {{peer: {{interfaces: nic, cages: 2, "
                       "network: net}}, host: {{interfaces: nic, cages: 1, network: net}}}}}}\n"
                       "  tor: {{network: net, level: 1, name: tor, type: switch-25t-64x400g, ports: {{down: {{cages: 64}}}}}}\n"
                       "links:\n"
                       "  around: {{from: server.peer, to: server.peer, at: {{x: \"mod(x + 1, n)\"}}, from_index: 0, to_index: 1}}\n"
                       "  first: {{from: server.host, to: tor.down, when: x < 2, from_index: 0, to_index: x}}\n",
                       n);
}

/// NICs of two ports (nic1p1, nic1p2 …). `rail`: the rail of port p of NIC c; switches join the rails where `joined`.
std::string dualRailNics(const std::string& rails, const std::string& port, bool joined, const std::string& extra = {})
{
    return "template: dual-rail\nvalues: {rails: " + rails +
           "}\nnetworks: {net: {label: Backend, rails: rails}}\n"
           "tiers:\n"
           "  server: {kind: server, each: {segment: 2, host: 4}, name: \"seg{segment}-host{host}\", type: hpn-host-8gpu, ports: {host: {interfaces: "
           "nic, cages: 16, network: net}}}\n"
           "  tor: {network: net, level: 1, each: {segment: 2, rail: rails}, name: \"seg{segment}-tor{rail}\", type: switch-51t-128x400g, ports: "
           "{down: {cages: 8, split: 2}, up: {cages: 8}}}\n"
           "  agg: {network: net, level: 2, each: {" +
           std::string(joined ? "" : "rail: rails, ") + "index: 4}, name: \"agg" + (joined ? "" : "{rail}-") +
           "{index}\", type: switch-51t-128x400g, ports: {down: {cages: 128}}}\n"
           "links:\n"
           "  access: {from: server.host, to: tor.down, each: {q: \"16 / rails\"}, from_index: \"" +
           port + "\", to_index: host * (16 / rails) + q" + extra +
           "}\n"
           "  up: {from: tor.up, to: agg.down, spread: true}\n";
}

struct Made {
    SnapshotPtr design;
    std::shared_ptr<const Figures> figures;
    NetworkProof proof;
    std::string text; ///< of the proof
    const FabricFigures::Network& network() const { return figures->fabric->networks().front(); }
    std::string findings(const std::string& rule) const
    {
        std::string all;
        const auto report = check(*figures);
        for (const auto& finding : report->findings)
            if (finding.rule == rule) all += (finding.severity == Severity::Error ? "error " : "warning ") + words(finding.message) + "\n";
        return all;
    }
};

/// The design, its proof and figures; its links counted without it must be the same.
Made make(const std::string& yaml)
{
    Made made;
    const auto design = Template::parse(yaml, "t.yaml");
    if (!design) qFatal("%s", design.error().text().c_str());
    const auto snapshot = instantiate(*design, {}, catalog());
    if (!snapshot) qFatal("%s", snapshot.error().text().c_str());
    made.design = *snapshot;
    const auto figures = computeFigures(*snapshot);
    if (!figures) qFatal("%s", figures.error().text().c_str());
    made.figures = *figures;
    const auto proof = test::proveNetwork(*made.design, NetworkId(0));
    if (!proof) qFatal("%s", proof.error().text().c_str());
    made.proof = *proof;
    for (const auto& line : proofLines(made.proof)) made.text += line + "\n";
    auto counter = TemplateCounter::bind(*design, catalog());
    const auto counted = counter->count({});
    if (!counted || counted->dataLinks() != std::int64_t(made.proof.size.cables)) qFatal("counted otherwise");
    return made;
}

bool says(const std::string& text, const char* phrase) { return text.find(phrase) != std::string::npos; }

} // namespace

class UnusualFabrics : public QObject {
    Q_OBJECT
private slots:
    /// Two servers of BCube or HammingMesh without a common switch meet only if a third one forwards: figures, proof and check all say that this is
    /// not modeled, and none says "connected" or names what is cut off.
    void serversWouldHaveToForward_data()
    {
        QTest::addColumn<std::string>("yaml");
        QTest::newRow("BCube(4, 1)") << bcube(4);
        QTest::newRow("BCube(2, 1)") << bcube(2);
        QTest::newRow("HammingMesh 3 x 4") << hammingMesh(3, 4);
    }
    void serversWouldHaveToForward()
    {
        QFETCH(std::string, yaml);
        const Made made = make(yaml);
        QVERIFY(!made.network().connected);
        QVERIFY(made.network().throughServers);
        QVERIFY(made.proof.needsForwarding());
        QVERIFY(!made.proof.holds());
        QVERIFY2(says(made.text, "Verification         not modeled"), made.text.c_str());
        QVERIFY2(says(made.text, "connected only if end devices forward traffic"), made.text.c_str());
        QVERIFY2(!says(made.text, "NOT connected") && !says(made.text, "cut off"), made.text.c_str());
        const auto found = made.findings("N12");
        QVERIFY2(says(found, "warning") && says(found, "s forward traffic, as in BCube: not modeled"), found.c_str());
    }

    /// Every card of a server has a fabric of its own, and the network says nothing of rails: servers meet, their cards do not, and the
    /// line above the proof says both.
    void serversMeetButNotTheirCards()
    {
        const std::string yaml =
            "template: t\nnetworks: {backend: {kind: backend}}\n"
            "tiers:\n"
            "  server: {kind: server, each: {host: 4}, name: \"s{host}\", type: dcn-host-8gpu, ports: {host: {interfaces: nic, cages: 16, "
            "network: backend}}}\n"
            "  tor: {network: backend, level: 1, each: {n: 16}, name: \"tor{n}\", type: switch-25t-64x400g, ports: {down: {cages: 8, "
            "split: 2}}}\n"
            "links:\n  a: {from: server.host, to: tor.down, from_index: n, to_index: host}\n";
        const Made made = make(yaml);
        QVERIFY(!made.proof.holds() && made.network().connected);
        QCOMPARE(words(connectionText(made.network(), &made.proof)), "all servers connected, but not every pair of their NICs");
        QCOMPARE(words(connectionText(made.network(), nullptr)), "all servers connected");
    }

    /// Storage leaves meet in the front end, whose core carries them: no storage node has to forward.
    void carriedNetworks_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"rail-optimized-2", "fat-tree-3", "hpn", "dcn-plus", "xingmai-1", "xingmai-2", "meta-24k"})
            QTest::newRow(name) << QString(name);
    }
    void carriedNetworks()
    {
        QFETCH(QString, name);
        const auto design = Template::load(std::string(HW_RESOURCES "/templates/") + name.toStdString() + ".yaml");
        ParameterValues small;
        for (const auto& p : design->parameters())
            if (p.name == "pods" || p.name == "segments") small[p.name] = std::min<std::int64_t>(p.maximum, 2);
        const auto made = instantiate(*design, *design->complete(small), catalog());
        QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
        const auto figures = computeFigures(*made);
        for (const auto& network : (*figures)->fabric->networks()) {
            if (network.tiers.empty()) continue;
            QVERIFY2(network.connected && !network.throughServers, (*made)->networks.name[network.id].c_str());
            const auto proof = test::proveNetwork(**made, network.id);
            QVERIFY2(proof->holds() && !proof->needsForwarding(), proof->name.c_str());
        }
    }

    /// One row is a star: everyone is on one switch.
    void oneRowIsWhole()
    {
        const Made made = make(hammingMesh(1, 4));
        QVERIFY(made.network().connected && !made.network().throughServers);
        QVERIFY(!made.proof.needsForwarding());
    }

    /// Peer ports say that servers forward: the proof counts that, and both say that no simulation does.
    void serversJoinedByPeers()
    {
        const Made made = make(serverRing(6));
        QVERIFY(made.network().connected && made.network().throughServers);
        QVERIFY(!made.proof.needsForwarding());
        QVERIFY2(says(made.text, "interconnected end devices forward traffic: included here, but not modeled"), made.text.c_str());
        QCOMPARE(made.findings("N12"), std::string());
        const Made pair = make(serverRing(3)); // each has both others beside it
        QVERIFY(pair.network().connected && !pair.network().throughServers);
    }

    /// Two ports of a NIC in two rails: each port has a rail of its own, in every server the same.
    void nicOfTwoRails_data()
    {
        QTest::addColumn<std::string>("rails");
        QTest::addColumn<std::string>("port");
        QTest::newRow("a rail for every port") << std::string("16") << std::string("rail");
        QTest::newRow("first ports, then second ports") << std::string("16") << std::string("mod(rail, 8) * 2 + div(rail, 8)");
        QTest::newRow("the rail beside") << std::string("8") << std::string("2 * mod(rail + 8 - q, 8) + q"); // NIC r: rails r and r + 1
    }
    void nicOfTwoRails()
    {
        QFETCH(std::string, rails);
        QFETCH(std::string, port);
        for (const bool joined : {true, false}) {
            const Made made = make(dualRailNics(rails, port, joined));
            QVERIFY2(made.findings("N8").empty(), made.findings("N8").c_str());
            QVERIFY2(made.findings("N12").empty(), made.findings("N12").c_str());
            QVERIFY(made.network().connected);
            QVERIFY2(made.proof.holds(), made.text.c_str());
        }
    }

    /// A NIC crossed over is found among them.
    void crossedNicOfTwoRails()
    {
        const Made made = make(dualRailNics("16", "segment == 1 && host == 2 && rail < 2 ? 1 - rail : rail", true));
        const auto found = made.findings("N8");
        QVERIFY2(says(found, "on most servers this port of NIC 1 connects to rail 1, but the switch belongs to rail 2"), found.c_str());
        QCOMPARE(std::count(found.begin(), found.end(), '\n'), std::ptrdiff_t(2));
    }
};

QTEST_APPLESS_MAIN(UnusualFabrics)
#include "test_unusual_fabrics.moc"

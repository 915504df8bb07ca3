// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/template.h"
#include "core/foundation/catalog/catalog.h"
#include "core/foundation/catalog/entity.h"
#include "importers/formats.h"
#include "importers/simulators/htsim_topology.h"
#include "importers/simulators/sim_fabric.h"
#include "importers/simulators/simai_topology.h"
#include "importers/simulators/simgrid_platform.h"
#include "simulation/fabric/flow_router.h"
#include "simulation/fabric/hosts.h"
#include "simulation/fairshare/max_min.h"

#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace hw;
using namespace hw::importers;
using namespace hw::exchange;

namespace {

SnapshotPtr made(const char* name, const ParameterValues& values)
{
    static const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
    const auto shape = Template::load(std::string(HW_RESOURCES "/templates/") + name + ".yaml");
    auto design = instantiateLoose(*shape, values, *catalog);
    if (!design) qFatal("%s", design.error().text().c_str());
    return *design;
}
/// Two segments of 16 servers under two ToRs each, eight aggregation switches: 256 GPUs.
SnapshotPtr dual()
{
    static const SnapshotPtr design = made("dcn-plus", {{"pods", 1}, {"segments", 2}});
    return design;
}

ExportJob jobOf(const SnapshotPtr& design, const std::filesystem::path& output, FormatChoices choices = {})
{
    ExportJob job;
    job.design = [design]() -> Result<SnapshotPtr> { return design; };
    job.output = output;
    job.options = std::move(choices);
    return job;
}
SimFabric fabricOf(const SnapshotPtr& design)
{
    auto fabric = simFabric(jobOf(design, {}));
    if (!fabric) qFatal("%s", fabric.error().text().c_str());
    return std::move(*fabric);
}

std::string contentOf(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
std::vector<std::vector<std::string>> linesOf(const std::string& text)
{
    std::vector<std::vector<std::string>> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        out.emplace_back();
        for (std::string word; words >> word;) out.back().push_back(word);
    }
    return out;
}

/// The conditions of htsim on a .topo file, from its text alone; empty when they hold.
std::string wrongTopo(const std::string& text)
{
    std::map<std::string, long> head;
    std::vector<std::map<std::string, long>> tiers;
    for (const auto& words : linesOf(text)) {
        if (words.empty() || words[0][0] == '#') continue;
        if (words.size() != 2) return "not a key and a value";
        const long value = std::stol(words[1]);
        if (words[0] == "Tier") {
            if (value != long(tiers.size())) return "tiers out of order";
            tiers.emplace_back();
        } else if (!(tiers.empty() ? head : tiers.back()).emplace(words[0], value).second) {
            return "double " + words[0];
        }
    }
    const long nodes = head["Nodes"], pod = head["Podsize"];
    if (long(tiers.size()) != head["Tiers"] || tiers.size() < 2 || tiers.size() > 3) return "tiers";
    if (nodes <= 0 || pod <= 0 || nodes % pod != 0) return "Nodes % Podsize";
    const auto of = [&](std::size_t tier, const char* key, long otherwise = 0) { return tiers[tier].contains(key) ? tiers[tier][key] : otherwise; };
    for (std::size_t t = 0; t < tiers.size(); ++t) {
        if (of(t, "Downlink_speed_Gbps") <= 0 || of(t, "Downlink_Latency_ns") <= 0 || of(t, "Radix_Down") <= 0 || of(t, "Queue_down") <= 0)
            return "missing";
        if (of(t, "Radix_Down") % of(t, "Bundle", 1) != 0) return "bundle down";
        if ((t + 1 < tiers.size()) != tiers[t].contains("Radix_Up")) return "Radix_Up";
        if (t + 1 < tiers.size() && of(t, "Radix_Up") % of(t + 1, "Bundle", 1) != 0) return "bundle up";
    }
    if (of(0, "Bundle", 1) != 1) return "bundle of tier 0";
    if (pod % of(0, "Radix_Down") != 0) return "Podsize % Radix_Down";
    if (of(0, "Radix_Down") != of(0, "Radix_Up") * of(0, "Oversubscribed", 1)) return "Oversubscribed";
    const long up = nodes * of(0, "Downlink_speed_Gbps") / (of(1, "Downlink_speed_Gbps") * of(0, "Oversubscribed", 1)), pods = nodes / pod;
    const long aggs = up / (pods * of(1, "Radix_Down"));
    if (up % (pods * of(1, "Radix_Down")) != 0 || aggs * of(1, "Bundle", 1) != of(0, "Radix_Up")) return "aggregation";
    if (tiers.size() == 3) {
        const long top = up * of(1, "Downlink_speed_Gbps") / (of(2, "Downlink_speed_Gbps") * of(1, "Oversubscribed", 1)),
                   cores = top / of(2, "Radix_Down");
        if (top % of(2, "Radix_Down") != 0 || cores % aggs != 0 || cores * of(2, "Bundle", 1) / aggs != of(1, "Radix_Up")) return "cores";
    }
    return {};
}

/// The same of a .cm file.
std::string wrongConnections(const std::string& text, long nodes)
{
    long count = 0, said = -1;
    std::set<long> ids;
    for (const auto& words : linesOf(text)) {
        if (words.size() == 2 && words[0] == "Nodes" && std::stol(words[1]) != nodes) return "Nodes";
        if (words.size() == 2 && words[0] == "Connections") said = std::stol(words[1]);
        if (words.size() != 7) continue;
        const auto arrow = words[0].find("->");
        if (arrow == std::string::npos || words[1] != "id" || words[3] != "start" || words[5] != "size") return "form";
        const long from = std::stol(words[0].substr(0, arrow)), to = std::stol(words[0].substr(arrow + 2)), size = std::stol(words[6]);
        if (from == to || from >= nodes || to >= nodes || size <= 0 || size > 2147483647) return "ends";
        if (!ids.insert(std::stol(words[2])).second) return "id";
        ++count;
    }
    return count == said ? std::string() : "Connections";
}

#define QDONE(result) QVERIFY2((result).has_value(), (result).has_value() ? "" : (result).error().text().c_str())

} // namespace

class SimulatorsTest : public QObject {
    Q_OBJECT
    Formats m_formats;
    QTemporaryDir m_folder;

    std::filesystem::path path(const char* name) { return m_folder.filePath(name).toStdString(); }
    Result<void> write(const char* format, const SnapshotPtr& design, const std::filesystem::path& to, FormatChoices choices = {})
    {
        return (*m_formats.exporter(format))->write(jobOf(design, to, std::move(choices)), {});
    }

private slots:
    void initTestCase() { registerFormats(m_formats); }

    /// 8 GPUs a server over NVLink, 16 servers a segment at 400G, two segments at 1:1.
    void astra()
    {
        QDONE(write("astra", dual(), path("astra")));
        const auto yml = contentOf(path("astra") / "network.yml");
        const auto value = [&](const std::string& key) {
            const auto at = yml.find(key + ": [ ");
            return at == std::string::npos ? std::string() : yml.substr(at + key.size() + 4, yml.find(" ]", at) - at - key.size() - 4);
        };
        QCOMPARE(value("npus_count"), std::string("8, 16, 2"));
        QCOMPARE(value("topology"), std::string("Switch, Switch, Switch"));
        const SimFabric f = fabricOf(dual());
        QCOMPARE(value("bandwidth"), fmt::format("{:.1f}, 50.0, 50.0", f.accelerator.scaleUpGbps / 8));
        QCOMPARE(value("latency"), std::string("50.0, 1000.0, 2000.0"));
        const auto system = nlohmann::json::parse(contentOf(path("astra") / "system.json"));
        for (const char* key :
             {"all-reduce-implementation", "all-gather-implementation", "reduce-scatter-implementation", "all-to-all-implementation"})
            QCOMPARE(system[key].size(), std::size_t(3));
        QCOMPARE(system["scheduling-policy"].get<std::string>(), std::string("LIFO"));
        QCOMPARE(nlohmann::json::parse(contentOf(path("astra") / "remote_memory.json"))["memory-type"].get<std::string>(),
                 std::string("NO_MEMORY_EXPANSION"));
        QCOMPARE(nlohmann::json::parse(contentOf(path("astra") / "ns3_logical.json"))["logical-dims"].dump(), std::string("[\"8\",\"16\",\"2\"]"));
        const auto ns3 = linesOf(contentOf(path("astra") / "ns3_topology.txt"));
        QCOMPARE(ns3[0].size(), std::size_t(3));
        const long nodes = std::stol(ns3[0][0]), switches = std::stol(ns3[0][1]), links = std::stol(ns3[0][2]);
        QCOMPARE(nodes - switches, 256);
        QCOMPARE(long(ns3[1].size()), switches);
        QCOMPARE(long(ns3.size()), links + 2);
        std::set<std::pair<long, long>> seen;
        for (std::size_t l = 2; l < ns3.size(); ++l) {
            const long a = std::stol(ns3[l][0]), b = std::stol(ns3[l][1]);
            QVERIFY(a < nodes && b < nodes && a != b && seen.emplace(a, b).second); // ns-3 would keep the last of several
            QVERIFY(ns3[l].size() == 5 && ns3[l][2].ends_with("Gbps") && ns3[l][3].ends_with("ms") && ns3[l][4] == "0");
        }
        // A hall of which one segment is smaller has no dimensions.
        auto odd = std::make_shared<Snapshot>(*dual());
        odd->devices.role.set(sim::activeServers(*odd).back(), DeviceRole::Backup);
        const auto refused = write("astra", odd, path("odd"));
        QVERIFY(!refused && refused.error().code == ErrorCode::Refused);
        QVERIFY(!std::filesystem::exists(path("odd")));
        QCOMPARE(write("astra", dual(), path("none"), {{"link-latency-ns", "soon"}}).error().code, ErrorCode::Refused);
    }

    /// Out, and in again into an empty project: the same numbers, the same fabric.
    void simaiThereAndBack()
    {
        QDONE(write("simai", dual(), path("simai"), {{"gpu-type", "H800"}}));
        const std::string text = contentOf(path("simai") / "topology");
        QVERIFY(looksLikeSimaiTopology(text));
        const auto read = readSimaiTopology(text, "topology");
        QDONE(read);
        QCOMPARE(read->gpus, 256u);
        QCOMPARE(read->gpusPerServer, 8u);
        QCOMPARE(read->nvswitches, 32u);
        const SimFabric f = fabricOf(dual());
        QCOMPARE(read->switches, std::uint32_t(f.switches.size()));
        QCOMPARE(read->links.size(), f.access.size() + f.trunks.size() + 256);
        QCOMPARE(write("simai", dual(), path("b"), {{"gpu-type", "B200"}}).error().code, ErrorCode::Refused);

        // Parallel links of 400G between ToR and aggregation became one: a rate that no port has.
        std::string single = text;
        for (std::size_t at = single.find("3200Gbps"); at != std::string::npos; at = single.find("3200Gbps", at)) single.replace(at, 8, "1600Gbps");
        const ImportSource source{"topology", single};
        const auto* importer = *m_formats.importer("simai");
        QVERIFY(importer->probe(source));
        const auto plan = importer->plan(source, std::make_shared<const Snapshot>(), {});
        QDONE(plan);
        QVERIFY(plan->after);
        const auto again = sim::workloadFabric(*plan->after);
        QDONE(again);
        QCOMPARE(again->gpuCount(), 256u);
        QCOMPARE(again->graph->portsPerNic(), f.fabric.graph->portsPerNic());
        QCOMPARE(again->graph->switchCount(), std::uint32_t(f.switches.size()));
        QCOMPARE(again->segments, 2);
        QCOMPARE(std::size_t(again->graph->designedCount() / 2), f.access.size() + f.trunks.size());
        // As written: 8 x 400G became 3200G, which are two of 1600G here.
        const auto whole = importer->plan({"topology", text}, std::make_shared<const Snapshot>(), {});
        QDONE(whole);
        QCOMPARE(std::size_t(whole->after->links.size()),
                 f.access.size() + f.trunks.size() + std::size_t(std::ranges::count(f.trunks, 3200, &SimFabric::Bundle::gbps)));
        const auto none = importer->plan(source, plan->after, {});
        QVERIFY(!none && none.error().code == ErrorCode::Refused);
    }

    void simaiBroken_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("where");
        QTest::newRow("counts") << "4 2 0 1 3 H100\n3\n"
                                << "t:1";
        QTest::newRow("header") << "4 3 0\n"
                                << "t:1";
        QTest::newRow("ids") << "3 2 0 1 2 H100\n5\n"
                             << "t:2";
        QTest::newRow("few ids") << "3 2 0 1 2 H100\n"
                                 << "t:1";
        QTest::newRow("few") << "3 2 0 1 2 H100\n2\n0 2 400Gbps 0.0005ms 0\n"
                             << "t:3";
        QTest::newRow("rate") << "3 2 0 1 2 H100\n2\n0 2 fast 0.0005ms 0\n1 2 400Gbps 0.0005ms 0\n"
                              << "t:3";
        QTest::newRow("node") << "3 2 0 1 2 H100\n2\n0 9 400Gbps 0.0005ms 0\n1 2 400Gbps 0.0005ms 0\n"
                              << "t:3";
        QTest::newRow("more") << "3 2 0 1 1 H100\n2\n0 2 400Gbps 0.0005ms 0\n1 2 400Gbps 0.0005ms 0\n"
                              << "t:4";
        QTest::newRow("odd rate") << "3 2 0 1 2 H100\n2\n0 2 401Gbps 0.0005ms 0\n1 2 400Gbps 0.0005ms 0\n"
                                  << "t:3";
        QTest::newRow("gpus") << "3 2 0 1 2 H100\n2\n0 1 400Gbps 0.0005ms 0\n1 2 400Gbps 0.0005ms 0\n"
                              << "t:3";
    }
    void simaiBroken()
    {
        QFETCH(QString, text);
        QFETCH(QString, where);
        const auto plan = planTopology(text.toStdString(), "t", std::make_shared<const Snapshot>());
        QVERIFY(!plan);
        QVERIFY2(plan.error().where == where.toStdString(), plan.error().text().c_str());
    }

    void workloadRemarks()
    {
        const auto told = [&](const std::string& text) {
            const auto plan = (*m_formats.importer("simai"))->plan({"w.txt", text}, std::make_shared<const Snapshot>(), {});
            if (!plan) return plan.error().text();
            std::string all;
            for (const auto& issue : plan->issues) all += words(issue.what) + "\n";
            return all;
        };
        const std::string layer = "\n1\nlayer -1 10 NONE 0 10 NONE 0 10 BROADCAST 4096 1\n";
        QVERIFY(told("MICRO" + layer).find("only the weight gradient communication of the first layer") != std::string::npos);
        QVERIFY(told("MICRO" + layer).find("SimAI generates no traffic") != std::string::npos);
        QVERIFY(
            told("HYBRID_TRANSFORMER model_parallel_NPU_group: 8 checkpoints: 2 3 9 checkpoint_initiates: 1 8" + layer).find("first number only") !=
            std::string::npos);
        QVERIFY(told("HYBRID_DLRM" + layer).find("dimensions of the simulated network") != std::string::npos);
        QVERIFY((*m_formats.importer("aicb"))->probe({"w.txt", "MICRO" + layer}));
    }

    /// Two tiers, three, and rails that nothing joins: a file each.
    void htsim_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("pods");
        QTest::addColumn<int>("segments");
        QTest::addColumn<int>("files");
        QTest::addColumn<int>("tiers");
        QTest::newRow("two tiers") << "fat-tree-2" << 0 << 4 << 1 << 2;
        QTest::newRow("three tiers") << "rail-optimized-3" << 2 << 2 << 1 << 3;
        QTest::newRow("rails") << "rail-only" << 0 << 2 << 8 << 2;
    }
    void htsim()
    {
        QFETCH(QString, name);
        QFETCH(int, pods);
        QFETCH(int, segments);
        QFETCH(int, files);
        QFETCH(int, tiers);
        ParameterValues values{{"segments", segments}};
        if (pods > 0) values["pods"] = pods;
        const auto design = made(qPrintable(name), values);
        const auto folder = path(qPrintable(name));
        QDONE(write("htsim", design, folder));
        int found = 0;
        long hosts = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            if (entry.path().extension() != ".topo") continue;
            const std::string topo = contentOf(entry.path());
            QVERIFY2(wrongTopo(topo).empty(), (wrongTopo(topo) + "\n" + topo).c_str());
            QVERIFY(topo.find(fmt::format("\nTiers {}\n", tiers)) != std::string::npos);
            auto cm = entry.path();
            cm.replace_extension(".cm");
            const long nodes = std::stol(topo.substr(topo.find("Nodes ") + 6));
            QVERIFY2(wrongConnections(contentOf(cm), nodes).empty(), wrongConnections(contentOf(cm), nodes).c_str());
            hosts += nodes, ++found;
        }
        QCOMPARE(found, files);
        QCOMPARE(hosts, long(fabricOf(design).gpus()));
        QVERIFY(std::filesystem::exists(folder / "notes.txt"));
    }

    void htsimRefuses()
    {
        // Two links of 200G a NIC under uplinks of 400G: htsim would count half of the uplinks.
        const auto mixed = write("htsim", dual(), path("mixed"));
        QVERIFY(!mixed && mixed.error().code == ErrorCode::Refused);
        QVERIFY2(mixed.error().text().find("from rates of 200 and 400 Gb/s") != std::string::npos, mixed.error().text().c_str());
        QVERIFY(!std::filesystem::exists(path("mixed")));
        // HPN: 128 ports down and 60 up.
        const auto hpn = write("htsim", made("hpn", {{"segments", 2}}), path("hpn"));
        QVERIFY(!hpn && hpn.error().code == ErrorCode::Refused);
        QVERIFY2(hpn.error().text().find("htsim cannot describe this fabric: ") != std::string::npos, hpn.error().text().c_str());
        QCOMPARE(write("htsim", dual(), path("big"), {{"flow-bytes", "3000000000"}}).error().code, ErrorCode::Refused);
    }

    /// Each condition by itself.
    void htsimConditions()
    {
        HtsimTopology good;
        good.name = "own";
        for (std::uint32_t h = 0; h < 128; ++h) good.hosts.push_back(h);
        good.podSize = 128;
        good.tiers = {{400, 16, 16, 1, 1}, {400, 8, 0, 1, 1}};
        QVERIFY2(checkHtsim(good), checkHtsim(good) ? "" : checkHtsim(good).error().text().c_str());
        QVERIFY(wrongTopo(htsimText(good, 500)).empty());
        const auto bad = [&](auto change) {
            HtsimTopology other = good;
            change(other);
            return !checkHtsim(other).has_value() && !wrongTopo(htsimText(other, 500)).empty();
        };
        QVERIFY(bad([](HtsimTopology& t) { t.podSize = 100; }));
        QVERIFY(bad([](HtsimTopology& t) { t.tiers[0].radixDown = 24; }));
        QVERIFY(bad([](HtsimTopology& t) { t.tiers[0].radixUp = 15; }));
        QVERIFY(bad([](HtsimTopology& t) { t.tiers[0].oversubscribed = 2; }));
        QVERIFY(bad([](HtsimTopology& t) { t.tiers[0].bundle = 2; }));
        QVERIFY(bad([](HtsimTopology& t) { t.tiers[1].bundle = 3; }));
        QVERIFY(bad([](HtsimTopology& t) { t.tiers[1].radixDown = 4; }));
        QVERIFY(bad([](HtsimTopology& t) { t.tiers[1].gbps = 800; }));
        QVERIFY(bad([](HtsimTopology& t) { t.tiers.pop_back(); }));
    }

    /// Well-formed, elements before routes, every link of a route there, a route for every pair.
    void simgridForm()
    {
        const SimFabric f = fabricOf(dual());
        const auto platform = simgridPlatform(f, "2");
        QDONE(platform);
        QCOMPARE(platform->gpus, 128u);
        std::set<QString> hosts, links;
        std::size_t routes = 0;
        QXmlStreamReader xml(QByteArray::fromStdString(platform->xml));
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement) continue;
            const auto name = xml.name();
            const auto id = xml.attributes().value("id").toString();
            if (name == QStringLiteral("host")) QVERIFY(hosts.insert(id).second && xml.attributes().value("speed").endsWith(QStringLiteral("f")));
            if (name == QStringLiteral("link"))
                QVERIFY(links.insert(id).second && routes == 0 && xml.attributes().value("bandwidth").endsWith(QStringLiteral("Gbps")) &&
                        xml.attributes().value("latency").endsWith(QStringLiteral("ns")));
            if (name == QStringLiteral("link_ctn")) QVERIFY(links.contains(id));
            if (name == QStringLiteral("route")) {
                ++routes;
                QVERIFY(hosts.contains(xml.attributes().value("src").toString()) && hosts.contains(xml.attributes().value("dst").toString()));
            }
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(hosts.size(), std::size_t(128));
        QCOMPARE(routes, std::size_t(128 * 127));
        QCOMPARE(simgridPlatform(f, "9").error().code, ErrorCode::Refused);
        QCOMPARE(simgridPlatform(f, "one").error().code, ErrorCode::Refused);
    }

    /// SimGrid on the exported platform against our max-min rates, within 1 %.
    void simgridRates_data()
    {
        QTest::addColumn<bool>("routed");
        QTest::newRow("routes") << true;
        QTest::newRow("links alone") << false;
    }
    void simgridRates()
    {
        QFETCH(bool, routed);
        const QString driver = QFileInfo(QStringLiteral("/proc/self/exe")).canonicalFilePath().section('/', 0, -2) + "/simgrid_flows";
        if (!QFile::exists(driver)) QSKIP("SimGrid (libsimgrid-dev) was not there when this was built");
        const SnapshotPtr design = routed ? dual() : made("dcn-plus", {{"pods", 1}, {"segments", 3}});
        const SimFabric f = fabricOf(design);
        const auto platform = simgridPlatform(f, "");
        QDONE(platform);
        QCOMPARE(platform->routed, routed);
        const auto xml = path(routed ? "platform.xml" : "graph.xml"), list = path("flows.txt");
        std::ofstream(xml) << platform->xml;
        const auto gpuName = [&](std::uint32_t gpu) { return fmt::format("{}-gpu{}", f.hostName(gpu), gpu % f.fabric.gpusPerHost + 1); };
        const auto specOf = [&](std::uint32_t from, std::uint32_t to) {
            sim::FlowSpec flow;
            flow.source = f.fabric.hosts[from / 8], flow.destination = f.fabric.hosts[to / 8];
            flow.sourceNic = std::int16_t(f.fabric.nicOf(from)), flow.destinationNic = std::int16_t(f.fabric.nicOf(to));
            return flow;
        };
        // Several to one, several from one, and some across.
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        if (routed)
            for (std::uint32_t i = 0; i < 60; ++i) pairs.emplace_back(8 + i, 128 + (i * 7) % 40);
        else
            pairs = {{8, 16}, {24, 16}, {32, 16}, {32, 40}};
        std::ofstream flows(list);
        std::vector<sim::FlowSpec> specs;
        for (const auto& [from, to] : pairs) flows << gpuName(from) << " " << gpuName(to) << "\n", specs.push_back(specOf(from, to));
        flows.close();
        QProcess process;
        process.start(driver, {QString::fromStdString(xml.string()), QString::fromStdString(list.string())});
        QVERIFY(process.waitForFinished(60000));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        std::istringstream answer(process.readAllStandardOutput().toStdString());
        std::vector<double> theirs;
        for (double rate; answer >> rate;) theirs.push_back(rate);
        QCOMPARE(theirs.size(), pairs.size());
        if (!routed) { // a shortest path uses one of the two ports of a NIC: three share one receiver, two one sender
            for (const double rate : {theirs[0], theirs[1], theirs[2]}) QVERIFY(std::abs(rate - 200 / 3.0) < 0.7);
            QVERIFY(std::abs(theirs[3] - 400 / 3.0) < 1.4);
            return;
        }
        const auto network = *sim::routingOptions(*design, NetworkId{0});
        const auto problem = sim::routeFlows(*f.fabric.graph, network, specs);
        QDONE(problem);
        sim::MaxMinSolver solver(problem->problem);
        const auto ours = solver.solve();
        std::set<int> different;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            QVERIFY2(std::abs(theirs[i] - ours[i]) <= 0.01 * ours[i], fmt::format("{} {}", theirs[i], ours[i]).c_str());
            different.insert(int(ours[i]));
        }
        QVERIFY(different.size() >= 3);
    }
};

QTEST_APPLESS_MAIN(SimulatorsTest)
#include "test_simulators.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Files for the network team and the cluster: each read back, by its own tool where there is one.
#include <QtTest> // first: moc stumbles over <compare> as the first header

#include "core/derived/cabling/cable_label.h"
#include "core/design/template/template.h"
#include "core/foundation/catalog/entity.h"
#include "importers/formats.h"
#include "importers/network/wiring.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

using namespace hw;
using namespace hw::exchange;
using namespace hw::importers;

namespace {

using Values = std::map<std::string, std::string>;

FiguresPtr figuresOfTemplate(const char* name, const Values& values)
{
    static const auto catalog = Catalog::load(HW_RESOURCES "/catalog");
    const auto design = Template::load(std::string(HW_RESOURCES "/templates/") + name + ".yaml").value();
    return figuresOf(instantiate(design, design.complete(values).value(), *catalog).value()).value();
}

std::string slurp(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

/// Runs a tool; nothing where it is not installed.
std::optional<std::pair<int, QByteArray>> runTool(const QString& tool, const QStringList& arguments)
{
    const QString path = QStandardPaths::findExecutable(tool);
    if (path.isEmpty()) return std::nullopt;
    QProcess process;
    process.start(path, arguments);
    if (!process.waitForFinished(60000)) return std::pair(-1, process.readAllStandardError());
    return std::pair(process.exitCode(), process.exitCode() == 0 ? process.readAllStandardOutput() : process.readAllStandardError());
}

/// "n[01-03,07],m5" as names, as Slurm reads it.
std::vector<std::string> expanded(const std::string& list)
{
    std::vector<std::string> names;
    for (std::size_t at = 0; at < list.size();) {
        std::size_t end = at, depth = 0;
        for (; end < list.size() && (depth || list[end] != ','); ++end) depth += list[end] == '[', depth -= list[end] == ']';
        const std::string item = list.substr(at, end - at);
        at = end + 1;
        const auto open = item.find('[');
        if (open == item.npos) {
            names.push_back(item);
            continue;
        }
        std::stringstream ranges(item.substr(open + 1, item.find(']') - open - 1));
        for (std::string range; std::getline(ranges, range, ',');) {
            const auto dash = range.find('-');
            const std::string from = range.substr(0, dash), to = dash == range.npos ? from : range.substr(dash + 1);
            for (int n = std::stoi(from); n <= std::stoi(to); ++n) names.push_back(fmt::format("{}{:0{}}", item.substr(0, open), n, from.size()));
        }
    }
    return names;
}

struct Ends {
    std::string a, portA, b, portB;
};

/// What topology.yaml(5) of Slurm 25.05 does not allow, field by field; empty: nothing.
std::string topologyFault(const YAML::Node& whole)
{
    const auto keysOf = [](const YAML::Node& node) {
        std::vector<std::string> keys;
        for (const auto& one : node) keys.push_back(one.first.as<std::string>());
        return keys;
    };
    const auto within = [](const std::vector<std::string>& keys, const std::set<std::string>& known) {
        return std::ranges::all_of(keys, [&](const std::string& key) { return known.contains(key); });
    };
    if (!whole.IsSequence()) return "no list";
    std::set<std::string> names;
    for (const auto& topology : whole) {
        const auto keys = keysOf(topology);
        if (keys.empty() || keys.front() != "topology" || !names.insert(topology["topology"].as<std::string>()).second) return "topology";
        if (!within(keys, {"topology", "cluster_default", "block", "flat", "tree"})) return "keys of " + topology["topology"].as<std::string>();
        if (std::ranges::count_if(keys, [](const std::string& key) { return key == "block" || key == "flat" || key == "tree"; }) != 1) return "type";
        if (topology["cluster_default"].IsDefined()) (void)topology["cluster_default"].as<bool>();
        if (const auto tree = topology["tree"]; tree.IsDefined()) {
            std::set<std::string> switches;
            if (keysOf(tree) != std::vector<std::string>{"switches"}) return "tree";
            for (const auto& one : tree["switches"]) {
                const auto name = one["switch"].as<std::string>();
                if (!within(keysOf(one), {"switch", "children", "nodes"}) || name.empty() || name.size() > 64 || !switches.insert(name).second)
                    return name;
                if (one["children"].IsDefined() == one["nodes"].IsDefined()) return name + ": children or nodes";
            }
        }
        if (const auto block = topology["block"]; block.IsDefined()) {
            std::set<std::string> blocks;
            if (!within(keysOf(block), {"block_sizes", "blocks"}) || !block["block_sizes"].IsSequence()) return "block";
            int before = 0;
            for (const auto& size : block["block_sizes"]) {
                const int now = size.as<int>(), times = before > 0 ? now / before : 1;
                if (now <= before || (before > 0 && (now % before != 0 || (times & (times - 1)) != 0))) return "block_sizes";
                before = now;
            }
            for (const auto& one : block["blocks"])
                if (!within(keysOf(one), {"block", "nodes"}) || !one["nodes"].IsScalar() || !blocks.insert(one["block"].as<std::string>()).second)
                    return "blocks";
        }
    }
    return {};
}

} // namespace

class ClusterFilesTest : public QObject {
    Q_OBJECT

    Formats m_formats;
    QTemporaryDir m_folder;
    FiguresPtr m_hpn, m_nvl, m_sn5600;

    std::filesystem::path at(const std::string& name) const { return m_folder.filePath(QString::fromStdString(name)).toStdString(); }
    Result<void> exported(const char* format, const FiguresPtr& figures, const std::string& output, const FormatChoices& options = {},
                          const std::string& network = {}) const
    {
        const auto exporter = m_formats.exporter(format);
        if (!exporter) return tl::unexpected(exporter.error());
        if (auto fine = checkChoices(format, (*exporter)->options(), options); !fine) return fine;
        return (*exporter)->write({{},
                                   [&]() -> Result<SnapshotPtr> { return figures->snapshot; },
                                   [&]() -> Result<FiguresPtr> { return figures; },
                                   at(output),
                                   network,
                                   options},
                                  {});
    }
    std::string text(const char* format, const FiguresPtr& figures, const std::string& output, const FormatChoices& options = {},
                     const std::string& network = {}) const
    {
        const auto done = exported(format, figures, output, options, network);
        if (!done) qFatal("%s: %s", format, done.error().text().c_str());
        return slurp(at(output));
    }

    /// Links that LLDP can see, as the design names them.
    static std::vector<LinkId> dataLinks(const Snapshot& s)
    {
        std::vector<LinkId> links;
        s.links.forEach([&](LinkId id) {
            const PortId from = s.links.from[id];
            const auto network = s.ports.network[from];
            if (s.ports.medium[from] == Medium::Data && !(network && s.networks.kind[*network] == NetworkKind::ScaleUp)) links.push_back(id);
        });
        return links;
    }

    /// Every link of the design once, no port twice; names of hosts as they are, those of switches as the naming has them.
    static void verifyLinks(const Figures& f, const std::vector<Ends>& read, PortNaming naming)
    {
        const Snapshot& s = *f.snapshot;
        const PortNames names(s, *f.parts, naming);
        std::multiset<std::set<std::string>> expectedLinks, readLinks;
        for (const LinkId id : dataLinks(s)) {
            std::set<std::string> ends;
            for (const PortId port : {s.links.from[id], s.links.to[id]}) ends.insert(s.devices.name[s.ports.device[port]] + ":" + names.of(port));
            expectedLinks.insert(ends);
        }
        std::set<std::string> ports;
        for (const Ends& link : read) {
            readLinks.insert({link.a + ":" + link.portA, link.b + ":" + link.portB});
            for (const std::string& port : {link.a + ":" + link.portA, link.b + ":" + link.portB}) QVERIFY2(ports.insert(port).second, port.c_str());
        }
        QVERIFY(!read.empty());
        QCOMPARE(read.size(), expectedLinks.size());
        QVERIFY(readLinks == expectedLinks);
    }

private slots:
    void initTestCase()
    {
        registerFormats(m_formats);
        m_hpn = figuresOfTemplate("hpn", {{"segments", "2"}, {"tor_uplinks", "4"}, {"backup_hosts", "1"}});
        m_nvl = figuresOfTemplate("nvl72", {{"segments", "1"}});
        m_sn5600 = figuresOfTemplate("rail-optimized-2", {{"switch", "51t-64x800g"}, {"segments", "2"}});
    }

    /// Known names: SN5600, a chassis with cards, sockets with two ports.
    void portNames()
    {
        const auto nameOf = [](const FiguresPtr& f, const char* part, PortNaming naming, std::size_t number, int split, int lane) {
            const auto type = f->parts->find(part);
            if (!type) qFatal("%s is not in the design", part);
            return PortNames(*f->snapshot, *f->parts, naming).of(*type, number, split, lane);
        };
        using enum PortNaming;
        const char* sn = "switch-51t-64x800g";
        QCOMPARE(nameOf(m_sn5600, sn, Sonic, 0, 1, 0), std::string("Ethernet0"));
        QCOMPARE(nameOf(m_sn5600, sn, Sonic, 0, 2, 1), std::string("Ethernet4"));
        QCOMPARE(nameOf(m_sn5600, sn, Sonic, 32, 1, 0), std::string("Ethernet256"));
        QCOMPARE(nameOf(m_sn5600, sn, Sonic, 63, 8, 7), std::string("Ethernet511"));
        QCOMPARE(nameOf(m_sn5600, sn, Sonic, 64, 1, 0), std::string("eth0"));
        QCOMPARE(nameOf(m_sn5600, sn, Eos, 0, 1, 0), std::string("Ethernet1/1"));
        QCOMPARE(nameOf(m_sn5600, sn, Eos, 1, 2, 1), std::string("Ethernet2/5"));
        QCOMPARE(nameOf(m_sn5600, sn, Eos, 1, 4, 3), std::string("Ethernet2/7"));
        QCOMPARE(nameOf(m_sn5600, sn, Eos, 64, 1, 0), std::string("Management1"));
        QCOMPARE(nameOf(m_sn5600, sn, Cumulus, 2, 1, 0), std::string("swp3"));
        QCOMPARE(nameOf(m_sn5600, sn, Cumulus, 2, 2, 1), std::string("swp3s1"));
        QCOMPARE(nameOf(m_sn5600, sn, Design, 2, 2, 1), std::string("port3s2"));
        const auto meta = figuresOfTemplate("meta-24k", {});
        QCOMPARE(nameOf(meta, "switch-modular-288x400g", Eos, 36, 1, 0), std::string("Ethernet2/1/1"));
        const auto ndr = figuresOfTemplate("rail-optimized-2", {{"segments", "1"}, {"networks", "backend"}});
        QCOMPARE(nameOf(ndr, "switch-ib-ndr-64x400g", Cumulus, 1, 1, 0), std::string("swp1s1")); // P1.2
        QCOMPARE(nameOf(ndr, "switch-ib-ndr-64x400g", Eos, 1, 1, 0), std::string("Ethernet1/5"));
        // No two lane groups of a switch share a name, in any naming.
        for (const PortNaming naming : {Sonic, Eos, Cumulus})
            for (const int split : {1, 2, 4, 8}) {
                std::set<std::string> names;
                for (std::size_t i = 0; i < 65; ++i)
                    for (int lane = 0; lane < (i < 64 ? split : 1); ++lane)
                        QVERIFY(names.insert(nameOf(m_sn5600, sn, naming, i, split, lane)).second);
            }
    }

    void hostLists()
    {
        const auto list = [](const std::vector<std::string>& names) { return hostList(names); };
        QCOMPARE(list({"gpu-r10-u03", "gpu-r10-u05", "gpu-r10-u07"}), std::string("gpu-r10-u[03,05,07]"));
        QCOMPARE(list({"n01", "n02", "n03", "m1", "login"}), std::string("n[01-03],m1,login"));
        QCOMPARE(list({"n9", "n10", "n11"}), std::string("n9,n[10-11]"));
        QCOMPARE(list({}), std::string());
        for (const std::vector<std::string>& names :
             {std::vector<std::string>{"a1", "a2", "a4", "b01", "b02", "c"}, {"x-1-001", "x-1-002", "x-2-001"}, {"n", "n2"}})
            QCOMPARE(expanded(list(names)), names);
    }

    void yamlTexts()
    {
        for (const char* word : {"no", "1.5", "a: b", "", "x\ny", "\"q\"", "- a", "plain", "r10", "0x10", "null", "[a]", "back\\slash", "ünd"})
            QCOMPARE(YAML::Load(yamlText(word)).as<std::string>(), std::string(word));
    }

    void ptmHasEveryLinkOnce()
    {
        for (const auto& [figures, file] : {std::pair(m_hpn, "hpn.dot"), std::pair(m_nvl, "nvl.dot")}) {
            const std::string dot = text("ptm", figures, file);
            QVERIFY(dot.find("hostnametype=\"hostname\"") != dot.npos);
            static const std::regex line("\\s+\"([^\"]*)\":\"([^\"]*)\" -- \"([^\"]*)\":\"([^\"]*)\"");
            std::vector<Ends> read;
            for (std::sregex_iterator it(dot.begin(), dot.end(), line), end; it != end; ++it)
                read.push_back({(*it)[1], (*it)[2], (*it)[3], (*it)[4]});
            verifyLinks(*figures, read, PortNaming::Cumulus);
            if (QTest::currentTestFailed()) return;
            if (const auto checked = runTool("gc", {"-e", QString::fromStdString(at(file).string())})) { // counts edges
                QCOMPARE(checked->first, 0);
                QCOMPARE(checked->second.trimmed().split(' ').front().toULongLong(), qulonglong(read.size()));
            } else
                qInfo("graphviz is not installed: read by the test alone");
        }
        const std::string eos = text("ptm", m_nvl, "eos.dot", {{"names", "eos"}}, "backend");
        QVERIFY(eos.find("\"g01-leaf-rail1-1\":\"Ethernet1/1\" -- \"g01-rack1-tray01\":\"nic1\"") != eos.npos);
        QVERIFY(eos.find("bmc") == eos.npos);
    }

    void containerlabHasEveryLinkOnce()
    {
        const YAML::Node whole = YAML::Load(text("containerlab", m_nvl, "nvl.clab.yml"));
        const YAML::Node topology = whole["topology"];
        std::vector<Ends> read;
        std::set<std::string> nodes, used;
        for (const auto& node : topology["nodes"]) nodes.insert(node.first.as<std::string>());
        for (const auto& link : topology["links"]) {
            const auto split = [](const std::string& end) { return std::pair(end.substr(0, end.rfind(':')), end.substr(end.rfind(':') + 1)); };
            const auto [a, portA] = split(link["endpoints"][0].as<std::string>());
            const auto [b, portB] = split(link["endpoints"][1].as<std::string>());
            for (const std::string& port : {portA, portB}) QVERIFY2(port.size() <= 15 && port.find('/') == port.npos && port != "eth0", port.c_str());
            read.push_back({a, portA, b, portB});
            used.insert(a), used.insert(b);
        }
        QCOMPARE(read.size(), dataLinks(*m_nvl->snapshot).size());
        QVERIFY(used == nodes);
        std::set<std::string> ports;
        for (const Ends& link : read)
            for (const std::string& port : {link.a + ":" + link.portA, link.b + ":" + link.portB}) QVERIFY2(ports.insert(port).second, port.c_str());
        for (const auto& node : topology["nodes"]) QVERIFY(topology["kinds"][node.second["kind"].as<std::string>()]["image"].IsDefined());

        // Names of the container, with the real ones beside them.
        const std::string ceos = text("containerlab", m_nvl, "ceos.clab.yml", {{"kind", "arista_ceos"}, {"image", "ceos:4.32.0F"}}, "backend");
        QVERIFY(ceos.find("[\"g01-leaf-rail1-1:eth1_1\", \"g01-rack1-tray01:nic1\"] # Ethernet1/1 - nic1") != ceos.npos);
        const std::string sonic = text("containerlab", m_nvl, "sonic.clab.yml", {{"kind", "sonic-vs"}, {"image", "sonic-vs:latest"}}, "backend");
        QVERIFY(sonic.find("[\"g01-leaf-rail1-1:eth1\", \"g01-rack1-tray01:nic1\"] # Ethernet0 - nic1") != sonic.npos);

        // A segment: its hosts and no others, their switches, and the uplinks of these.
        const YAML::Node one = YAML::Load(text("containerlab", m_hpn, "one.clab.yml", {{"segment", "2"}}, "backend"))["topology"];
        std::size_t hosts = 0, tors = 0, aggs = 0;
        for (const auto& node : one["nodes"]) {
            const std::string name = node.first.as<std::string>();
            QVERIFY2(name.find("seg01") == name.npos, name.c_str());
            hosts += name.find("host") != name.npos, tors += name.find("tor") != name.npos, aggs += name.find("agg") != name.npos;
        }
        QCOMPARE(hosts, std::size_t(129));
        QCOMPARE(tors, std::size_t(16));
        QCOMPARE(aggs, std::size_t(8));
        QCOMPARE(one["links"].size(), std::size_t(129 * 16 + 16 * 4));
    }

    /// What sonic-yang-models demand, and what both ends must agree on.
    void sonicConfigurations()
    {
        QVERIFY(exported("sonic", m_hpn, "sonic"));
        const auto plan = planAddresses(*m_hpn->snapshot).value();
        const Snapshot& s = *m_hpn->snapshot;
        std::map<std::string, nlohmann::json> all;
        for (const auto& entry : std::filesystem::directory_iterator(at("sonic")))
            if (entry.is_directory()) all[entry.path().filename().string()] = nlohmann::json::parse(slurp(entry.path() / "config_db.json"));
        QVERIFY(all.size() > 40);
        static const std::regex portName("Ethernet[0-9]+");
        std::map<std::string, std::pair<std::string, std::string>> interfaceOf; // of an address: switch and port
        for (const auto& [name, config] : all) {
            const auto allStrings = [](const auto& self, const nlohmann::json& value) -> bool {
                if (!value.is_object()) return value.is_string();
                return std::ranges::all_of(value, [&](const auto& inner) { return self(self, inner); });
            };
            QVERIFY2(allStrings(allStrings, config), name.c_str());
            QCOMPARE(config["DEVICE_METADATA"]["localhost"]["hostname"].get<std::string>(), name);
            std::set<std::string> lanes, aliases;
            for (const auto& [port, entry] : config["PORT"].items()) {
                QVERIFY2(std::regex_match(port, portName), port.c_str());
                std::stringstream list(entry["lanes"].get<std::string>());
                for (std::string lane; std::getline(list, lane, ',');) QVERIFY2(lanes.insert(lane).second, (name + " " + lane).c_str());
                QVERIFY(aliases.insert(entry["alias"]).second);
                QVERIFY(std::stoi(entry["speed"].get<std::string>()) >= 1000);
                QVERIFY(std::set<std::string>({"rs", "fc", "none", "auto"}).contains(entry["fec"]));
                QVERIFY(std::set<std::string>({"up", "down"}).contains(entry["admin_status"]));
                const int mtu = std::stoi(entry["mtu"].get<std::string>());
                QVERIFY(mtu >= 68 && mtu <= 9216);
                if (entry.contains("subport")) QVERIFY(std::stoi(entry["subport"].get<std::string>()) <= 8);
            }
            for (const char* table : {"BREAKOUT_CFG", "DEVICE_NEIGHBOR"})
                if (config.contains(table))
                    for (const auto& [port, entry] : config[table].items()) QVERIFY2(config["PORT"].contains(port), (name + " " + port).c_str());
            if (config.contains("INTERFACE"))
                for (const auto& [key, entry] : config["INTERFACE"].items()) {
                    const std::string port = key.substr(0, key.find('|'));
                    QVERIFY(config["PORT"].contains(port) && config["INTERFACE"].contains(port));
                    if (port == key) continue;
                    const std::string address = key.substr(port.size() + 1, key.find('/') - port.size() - 1);
                    QVERIFY2(interfaceOf.emplace(address, std::pair(name, port)).second, address.c_str());
                }
        }
        std::size_t sessions = 0;
        for (const auto& [name, config] : all) {
            if (!config.contains("BGP_NEIGHBOR")) continue;
            for (const auto& [address, entry] : config["BGP_NEIGHBOR"].items()) {
                ++sessions;
                const auto far = interfaceOf.find(address), near = interfaceOf.find(entry["local_addr"]);
                QVERIFY2(far != interfaceOf.end() && near != interfaceOf.end(), address.c_str());
                QCOMPARE(near->second.first, name);
                QCOMPARE(entry["name"].get<std::string>(), far->second.first);
                QCOMPARE(entry["asn"], all[far->second.first]["DEVICE_METADATA"]["localhost"]["bgp_asn"]);
                QVERIFY(all[far->second.first]["BGP_NEIGHBOR"].contains(entry["local_addr"].get<std::string>()));
                const auto& neighbor = config["DEVICE_NEIGHBOR"][near->second.second];
                QCOMPARE(neighbor["name"].get<std::string>(), far->second.first);
                QCOMPARE(neighbor["port"], all[far->second.first]["PORT"][far->second.second]["alias"]);
            }
        }
        QVERIFY(sessions > 100);
        for (const auto& own : plan.switches) {
            const auto& config = all[s.devices.name[own.device]];
            QCOMPARE(config["DEVICE_METADATA"]["localhost"]["bgp_asn"].get<std::string>(), std::to_string(own.asn));
            QVERIFY(config["LOOPBACK_INTERFACE"].contains("Loopback0|" + addressText(own.loopback4, IpFamily::V4) + "/32"));
        }
        std::set<DeviceId> planned; // gateways are no switches
        for (const auto& own : plan.switches) planned.insert(own.device);
        for (const auto& link : plan.links)
            for (const auto& [port, address] : {std::pair(link.lower, link.lower4), std::pair(link.upper, link.lower4 + 1)}) {
                const DeviceId device = s.ports.device[port];
                if (!planned.contains(device)) continue;
                const auto found = interfaceOf.find(addressText(address, IpFamily::V4));
                QVERIFY(found != interfaceOf.end());
                QCOMPARE(found->second.first, s.devices.name[device]);
            }
        std::map<std::string, std::size_t> members;
        for (const auto& port : plan.hostPorts) ++members[s.devices.name[s.ports.device[port.switchPort]]];
        for (const auto& [name, count] : members) {
            const auto& config = all[name];
            std::size_t in = config.contains("VLAN_MEMBER") ? config["VLAN_MEMBER"].size() : 0;
            QCOMPARE(in, count);
        }

        // The sample of a SN5600: two servers on one socket, an uplink, their lanes, aliases and modes.
        QVERIFY(exported("sonic", m_sn5600, "sn5600", {{"hwsku", "switch-51t-64x800g=Mellanox-SN5600-V256"}}, "backend"));
        std::size_t broken = 0;
        for (const auto& entry : std::filesystem::directory_iterator(at("sn5600"))) {
            if (!entry.is_directory()) continue;
            const auto config = nlohmann::json::parse(slurp(entry.path() / "config_db.json"));
            QCOMPARE(config["DEVICE_METADATA"]["localhost"]["hwsku"].get<std::string>(), std::string("Mellanox-SN5600-V256"));
            if (config["BREAKOUT_CFG"]["Ethernet0"]["brkout_mode"] != "2x400G[200G,100G,50G,40G,25G,10G]") continue;
            ++broken;
            QCOMPARE(config["PORT"]["Ethernet4"]["lanes"].get<std::string>(), std::string("4,5,6,7"));
            QCOMPARE(config["PORT"]["Ethernet4"]["alias"].get<std::string>(), std::string("etp1b"));
            QCOMPARE(config["PORT"]["Ethernet4"]["subport"].get<std::string>(), std::string("2"));
            QCOMPARE(config["PORT"]["Ethernet4"]["speed"].get<std::string>(), std::string("400000"));
            QCOMPARE(config["PORT"]["Ethernet4"]["index"].get<std::string>(), std::string("1"));
        }
        QVERIFY(broken > 0);
    }

    /// Lanes, aliases and modes of a platform.json are used; what it does not have is refused.
    void sonicPlatforms()
    {
        const auto platform = [&](const char* name, int sockets, const char* mode) {
            nlohmann::json json;
            for (int i = 0; i < sockets; ++i) {
                std::string lanes;
                for (int lane = 0; lane < 8; ++lane) lanes += fmt::format("{}{}", lane ? "," : "", 1000 - 8 * i - lane);
                auto& entry = json["interfaces"][fmt::format("Ethernet{}", 8 * i)];
                entry["index"] = fmt::format("{0},{0}", i + 1);
                entry["lanes"] = lanes;
                entry["breakout_modes"][mode] = {fmt::format("e{}a", i), fmt::format("e{}b", i)};
                entry["breakout_modes"]["1x800G[400G]"] = {fmt::format("e{}", i)};
            }
            std::ofstream(at(name)) << json.dump();
            return "switch-51t-64x800g=" + at(name).string();
        };
        const std::string good = platform("platform.json", 64, "2x400G(4)");
        QCOMPARE(exported("sonic", m_sn5600, "p0", {{"platform-json", good}}, "backend").error().code, ErrorCode::Refused); // other modes
        QVERIFY(exported("sonic", m_sn5600, "p1", {{"platform-json", platform("p1.json", 64, "2x400G[200G]")}}, "backend"));
        bool seen = false;
        for (const auto& entry : std::filesystem::directory_iterator(at("p1"))) {
            if (!entry.is_directory()) continue;
            const auto config = nlohmann::json::parse(slurp(entry.path() / "config_db.json"));
            if (config["BREAKOUT_CFG"]["Ethernet0"]["brkout_mode"] != "2x400G[200G]") continue;
            seen = true;
            QCOMPARE(config["PORT"]["Ethernet4"]["lanes"].get<std::string>(), std::string("996,995,994,993"));
            QCOMPARE(config["PORT"]["Ethernet4"]["alias"].get<std::string>(), std::string("e0b"));
        }
        QVERIFY(seen);
        QCOMPARE(exported("sonic", m_sn5600, "p2", {{"platform-json", platform("p2.json", 10, "2x400G[200G]")}}, "backend").error().code,
                 ErrorCode::Refused);
        for (const char* broken :
             {"", "[]", "{\"interfaces\": 3}", "{\"interfaces\": {\"eth\": {}}}", "{\"interfaces\": {\"Ethernet0\": {\"lanes\": 3}}}",
              "{\"interfaces\": {\"Ethernet0\": {\"lanes\": \"0,x\"}}}", "{\"interfaces\": {\"Ethernet0\": {\"lanes\": \"0,1\"}}}",
              "{\"interfaces\": {\"Ethernet0\": 7}}", "{\"interfaces\": {\"Ethernet99999999999\": {}}}"}) {
            std::ofstream(at("broken.json")) << broken;
            const auto done = exported("sonic", m_sn5600, "p3", {{"platform-json", "switch-51t-64x800g=" + at("broken.json").string()}}, "backend");
            QVERIFY(!done);
            QVERIFY2(done.error().code == ErrorCode::Unreadable && !done.error().todo.empty(), broken);
            QVERIFY(!std::filesystem::exists(at("p3")));
        }
    }

    void avdVariables()
    {
        const Snapshot& s = *m_hpn->snapshot;
        const auto plan = planAddresses(s).value();
        for (const bool uplinks : {false, true}) {
            const std::string folder = uplinks ? "avd-uplinks" : "avd";
            QVERIFY(exported("avd", m_hpn, folder, uplinks ? FormatChoices{{"links", "uplinks"}} : FormatChoices{}));
            const YAML::Node fabric = YAML::Load(slurp(at(folder) / "group_vars/FABRIC.yml"));
            std::map<std::string, YAML::Node> nodes;
            std::size_t up = 0;
            for (const char* key : {"l3leaf", "spine", "super_spine"}) {
                std::set<int> ids;
                for (const auto& node : fabric[key]["nodes"]) {
                    QVERIFY(nodes.emplace(node["name"].as<std::string>(), node).second);
                    QVERIFY(ids.insert(node["id"].as<int>()).second);
                    if (!uplinks || !node["uplink_interfaces"].IsDefined()) continue;
                    QCOMPARE(node["uplink_interfaces"].size(), node["uplink_switches"].size());
                    QCOMPARE(node["uplink_interfaces"].size(), node["uplink_switch_interfaces"].size());
                    up += node["uplink_interfaces"].size();
                }
            }
            const auto backend = [&](DeviceId device) {
                const auto network = s.tiers.network[s.devices.tier[device]];
                return network && s.networks.kind[*network] == NetworkKind::Backend;
            };
            std::size_t fabricLinks = 0;
            for (const auto& link : plan.links) fabricLinks += s.networks.kind[link.network] == NetworkKind::Backend;
            for (const auto& own : plan.switches) {
                const auto found = nodes.find(s.devices.name[own.device]);
                if (found == nodes.end()) continue; // of another network, or without a link so far
                QVERIFY(backend(own.device));
                QCOMPARE(found->second["bgp_as"].as<std::string>(), std::to_string(own.asn));
                QCOMPARE(found->second["loopback_ipv4_address"].as<std::string>(), addressText(own.loopback4, IpFamily::V4));
            }
            if (uplinks) {
                QCOMPARE(up, fabricLinks);
                QVERIFY(!fabric["core_interfaces"].IsDefined());
                continue;
            }
            std::set<std::string> addresses;
            for (const auto& link : fabric["core_interfaces"]["p2p_links"])
                for (int end : {0, 1}) QVERIFY(addresses.insert(link["ip"][end].as<std::string>()).second);
            QCOMPARE(addresses.size(), 2 * fabricLinks);
            for (const auto& link : plan.links)
                if (s.networks.kind[link.network] == NetworkKind::Backend)
                    for (const auto address : {link.lower4, link.lower4 + 1}) QVERIFY(addresses.contains(addressText(address, IpFamily::V4) + "/31"));
            const YAML::Node inventory = YAML::Load(slurp(at(folder) / "inventory.yml"));
            std::size_t hosts = 0;
            for (const auto& group : inventory["all"]["children"]["FABRIC"]["children"]) {
                hosts += group.second["hosts"].size();
                const auto vars = YAML::Load(slurp(at(folder) / ("group_vars/" + group.first.as<std::string>() + ".yml")));
                QVERIFY(std::set<std::string>({"l3leaf", "spine", "super-spine"}).contains(vars["type"].as<std::string>()));
            }
            QCOMPARE(hosts, nodes.size());
            QVERIFY(nodes.size() > 2 * 16);
            const YAML::Node endpoints = YAML::Load(slurp(at(folder) / "group_vars/CONNECTED_ENDPOINTS.yml"));
            QCOMPARE(endpoints["servers"].size(), std::size_t(2 * 129));
            for (const auto& server : endpoints["servers"]) {
                const auto adapter = server["adapters"][0];
                QCOMPARE(adapter["switch_ports"].size(), std::size_t(16));
                QCOMPARE(adapter["switches"].size(), adapter["endpoint_ports"].size());
            }
        }
    }

    /// Two tiers of one level are two groups of one type.
    void avdGroups()
    {
        QVERIFY(exported("avd", m_hpn, "avd-frontend", {}, "frontend"));
        for (const char* group : {"fe_tor", "fe_tor_backup"})
            QCOMPARE(YAML::Load(slurp(at("avd-frontend") / "group_vars" / (std::string(group) + ".yml")))["type"].as<std::string>(),
                     std::string("l3leaf"));
        const auto leaves = YAML::Load(slurp(at("avd-frontend") / "group_vars/FABRIC.yml"))["l3leaf"]["nodes"];
        const auto inventory = YAML::Load(slurp(at("avd-frontend") / "inventory.yml"))["all"]["children"]["FABRIC"]["children"];
        QCOMPARE(leaves.size(), inventory["fe_tor"]["hosts"].size() + inventory["fe_tor_backup"]["hosts"].size());
    }

    /// Every node once; blocks are the racks of an NVL72.
    void slurmTopologies()
    {
        const auto nodesOf = [](const Figures& f) {
            std::multiset<std::string> names;
            const Snapshot& s = *f.snapshot;
            s.devices.forEach([&](DeviceId id) {
                if (s.tiers.kind[s.devices.tier[id]] == TierKind::Server && f.parts->device(s.devices.type[id]).accelerators > 0)
                    names.insert(s.devices.name[id]);
            });
            return names;
        };
        struct Line {
            std::string name, below;
            bool leaf;
        };
        const auto linesOf = [](const std::string& conf) {
            static const std::regex pattern("(SwitchName|BlockName)=(\\S+) (Nodes|Switches)=(\\S+)");
            std::vector<Line> lines;
            for (std::sregex_iterator it(conf.begin(), conf.end(), pattern), end; it != end; ++it)
                lines.push_back({(*it)[2], (*it)[4], (*it)[3] == "Nodes"});
            return lines;
        };
        for (const auto& [figures, file] : {std::pair(m_hpn, "hpn"), std::pair(m_nvl, "nvl"), std::pair(m_sn5600, "sn")}) {
            const std::string conf = text("slurm-topology", figures, std::string(file) + ".conf", {{"plugin", "tree"}});
            std::multiset<std::string> nodes;
            std::set<std::string> switches, children;
            for (const Line& line : linesOf(conf)) {
                QVERIFY(line.name.size() <= 64 && switches.insert(line.name).second);
                for (const std::string& below : expanded(line.below)) (line.leaf ? (void)nodes.insert(below) : (void)children.insert(below));
            }
            QVERIFY(nodes == nodesOf(*figures));
            QVERIFY(std::ranges::includes(switches, children));
            QVERIFY(switches.size() == children.size() + 1); // one top over all others

            const YAML::Node yaml = YAML::Load(text("slurm-topology", figures, std::string(file) + ".yaml"));
            QCOMPARE(topologyFault(yaml), std::string());
            QCOMPARE(yaml.size(), std::size_t(2));
            std::multiset<std::string> inTree, inBlocks;
            int defaults = 0;
            for (const auto& topology : yaml) {
                defaults += topology["cluster_default"].as<bool>();
                if (!topology["block"].IsDefined()) {
                    for (const auto& one : topology["tree"]["switches"])
                        if (one["nodes"].IsDefined())
                            for (const auto& name : expanded(one["nodes"].as<std::string>())) inTree.insert(name);
                    continue;
                }
                const int base = topology["block"]["block_sizes"][0].as<int>();
                for (std::size_t i = 1; i < topology["block"]["block_sizes"].size(); ++i)
                    QCOMPARE(topology["block"]["block_sizes"][i].as<int>(), base << i);
                for (const auto& one : topology["block"]["blocks"]) {
                    const auto names = expanded(one["nodes"].as<std::string>());
                    QVERIFY(int(names.size()) >= base);
                    inBlocks.insert(names.begin(), names.end());
                }
            }
            QCOMPARE(defaults, 1);
            QVERIFY(inTree == nodesOf(*figures) && inBlocks == inTree);
        }
        QCOMPARE(topologyFault(YAML::Load("- {topology: a, cluster_default: True, tree: {switches: [{switch: root, nodes: \"n[01-04]\"}]}}\n"
                                          "- {topology: b, block: {block_sizes: [4, 16], blocks: [{block: b1, nodes: \"n[01-04]\"}]}}\n"
                                          "- {topology: c, flat: True}\n")),
                 std::string());
        QCOMPARE(topologyFault(YAML::Load("- {topology: a, block: {block_sizes: [4, 12], blocks: []}}")), std::string("block_sizes"));
        const std::string blocks = slurp(at("nvl.yaml"));
        QVERIFY(blocks.find("block_sizes: [18, 36, 72]") != blocks.npos);
        QVERIFY(blocks.find("nodes: \"g01-rack1-tray[01-18]\"") != blocks.npos);
        const std::string conf = text("slurm-topology", m_nvl, "blocks.conf");
        QCOMPARE(linesOf(conf).size(), std::size_t(7));
        QVERIFY(conf.find("BlockSizes=18,36,72\n") != conf.npos);
        QVERIFY(text("slurm-topology", m_hpn, "two.conf").find("SwitchName=fabric Switches=seg[01-02]") != std::string::npos);
        const auto campus =
            figuresOfTemplate("hpn", {{"pods", "2"}, {"segments", "2"}, {"backup_hosts", "0"}, {"networks", "backend"}, {"tor_uplinks", "1"}});
        const std::string tree = text("slurm-topology", campus, "pods.conf");
        QVERIFY2(tree.find("SwitchName=fabric Switches=pod[01-02]") != tree.npos &&
                     tree.find("SwitchName=pod02 Switches=pod02-seg[01-02]") != tree.npos,
                 tree.c_str());
    }

    /// Slurm itself reads the tree: a controller without nodes to talk to, on a port of its own.
    void slurmReadsTheTree()
    {
        const QString controller = QStandardPaths::findExecutable("slurmctld", {"/usr/sbin", "/usr/bin"});
        if (controller.isEmpty() || QStandardPaths::findExecutable("scontrol").isEmpty()) QSKIP("slurmctld and slurm-client are not installed");
        const auto campus =
            figuresOfTemplate("hpn", {{"pods", "2"}, {"segments", "2"}, {"backup_hosts", "0"}, {"networks", "backend"}, {"tor_uplinks", "1"}});
        const std::string conf = text("slurm-topology", campus, "topology.conf", {{"plugin", "tree"}});
        std::string nodes;
        std::size_t leaves = 0;
        for (std::size_t at = conf.find("Nodes="); at != conf.npos; at = conf.find("Nodes=", at + 1), ++leaves)
            nodes += (nodes.empty() ? "" : ",") + conf.substr(at + 6, conf.find('\n', at) - at - 6);
        std::filesystem::create_directories(at("slurm-state"));
        const qint64 pid = QCoreApplication::applicationPid();
        std::ofstream(at("slurm.conf")) << fmt::format(
            "ClusterName=t\nSlurmctldHost=localhost\nSlurmUser={}\nAuthType=auth/none\nStateSaveLocation={}\n"
            "SlurmctldPort={}\nSlurmctldPidFile={}\nTopologyPlugin=topology/tree\n"
            "ProctrackType=proctrack/linuxproc\nSwitchType=switch/none\nMailProg=/bin/true\n"
            "NodeName={} CPUs=2 NodeAddr=127.0.0.1\nPartitionName=p Nodes=ALL Default=YES\n",
            qEnvironmentVariable("USER", "root").toStdString(), at("slurm-state").string(), 27000 + pid % 5000, at("slurmctld.pid").string(), nodes);
        const QString file = QString::fromStdString(at("slurm.conf").string());
        QProcess server;
        server.setProcessChannelMode(QProcess::MergedChannels);
        server.start(controller, {"-D", "-c", "-f", file});
        QVERIFY(server.waitForStarted(10000));
        QByteArray shown;
        for (int i = 0; i < 60 && !shown.contains("SwitchName") && server.state() == QProcess::Running; ++i) {
            QTest::qWait(200);
            QProcess client;
            auto environment = QProcessEnvironment::systemEnvironment();
            environment.insert("SLURM_CONF", file);
            client.setProcessEnvironment(environment);
            client.start("scontrol", {"show", "topology"});
            if (client.waitForFinished(5000)) shown = client.readAllStandardOutput();
        }
        server.terminate();
        if (!server.waitForFinished(10000)) server.kill(), server.waitForFinished(5000);
        QVERIFY2(shown.contains("SwitchName=fabric Level=2"), (shown + server.readAll()).right(2000).constData());
        QCOMPARE(std::size_t(shown.count("Level=0")), leaves);
        QVERIFY2(shown.contains(QByteArray::fromStdString("Nodes=" + nodes + " ")), shown.constData());
    }

    void kubernetesLabels()
    {
        const auto documents = YAML::LoadAll(text("k8s-labels", m_nvl, "k8s.yaml", {{"cluster", "north-1"}}));
        std::map<std::string, int> domains;
        std::set<std::string> names;
        for (const auto& node : documents) {
            QCOMPARE(node["kind"].as<std::string>(), std::string("Node"));
            QVERIFY(names.insert(node["metadata"]["name"].as<std::string>()).second);
            const auto labels = node["metadata"]["labels"];
            QCOMPARE(labels["fabric.topograph.run/tier-0"].as<std::string>(), std::string("seg01"));
            QCOMPARE(labels["topograph.run/cluster-id"].as<std::string>(), std::string("north-1"));
            ++domains[labels["accelerator.topograph.run/domain"].as<std::string>()];
        }
        QCOMPARE(names.size(), std::size_t(126));
        QCOMPARE(domains.size(), std::size_t(7));
        for (const auto& [domain, count] : domains) QCOMPARE(count, 18);
        const auto hpn = YAML::LoadAll(text("k8s-labels", m_hpn, "k8s-hpn.yaml"));
        QCOMPARE(hpn.size(), std::size_t(2 * 129));
        QCOMPARE(hpn.back()["metadata"]["labels"]["fabric.topograph.run/tier-1"].as<std::string>(), std::string("fabric"));
        QVERIFY(!hpn.back()["metadata"]["labels"]["accelerator.topograph.run/domain"].IsDefined());
    }

    void ncclTopologies()
    {
        QVERIFY(exported("nccl-topology", m_hpn, "nccl"));
        const std::string xml = slurp(at("nccl") / "nccl-topo-hpn-host-8gpu.xml");
        QXmlStreamReader reader(QString::fromStdString(xml));
        int gpus = 0, nets = 0, links = 0;
        std::set<QString> buses, devices;
        while (!reader.atEnd()) {
            if (reader.readNext() != QXmlStreamReader::StartElement) continue;
            const auto attributes = reader.attributes();
            QVERIFY(attributes.size() <= 16);
            for (const auto& attribute : attributes) QVERIFY(attribute.value().size() <= 255);
            if (reader.name() == QLatin1String("pci")) QVERIFY(buses.insert(attributes.value("busid").toString()).second);
            if (reader.name() == QLatin1String("gpu")) {
                ++gpus;
                QCOMPARE(attributes.value("sm").toInt(), 90);
            }
            if (reader.name() == QLatin1String("nvlink")) links += attributes.value("count").toInt();
            if (reader.name() != QLatin1String("net")) continue;
            ++nets;
            QVERIFY(devices.insert(attributes.value("name").toString()).second);
            QCOMPARE(attributes.value("speed").toInt(), 200000);
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QCOMPARE(gpus, 8);
        QCOMPARE(nets, 16);
        QCOMPARE(links, 8 * 8); // 1,600 Gb/s in links of 200 Gb/s
        if (const auto checked = runTool("xmllint", {"--noout", QString::fromStdString((at("nccl") / "nccl-topo-hpn-host-8gpu.xml").string())}))
            QVERIFY2(checked->first == 0, checked->second.constData());
        const std::string env = slurp(at("nccl") / "nccl-hpn-host-8gpu.env");
        QVERIFY2(env.find("NCCL_IB_HCA==mlx5_0,mlx5_1,mlx5_2,") != env.npos &&
                     env.find("# NCCL_IB_HCA==mlx5_0:1:0:0,mlx5_1:1:0:1,mlx5_2:1:1:0,") != env.npos,
                 env.c_str());
        // Rails are those of the switches.
        const Snapshot& s = *m_hpn->snapshot;
        std::stringstream rows(slurp(at("nccl") / "nccl-rails.csv"));
        std::map<std::string, DeviceId> byName;
        s.devices.forEach([&](DeviceId id) { byName[s.devices.name[id]] = id; });
        std::size_t count = 0;
        std::string line;
        std::getline(rows, line);
        while (std::getline(rows, line)) {
            std::vector<std::string> cells;
            std::stringstream split(line);
            for (std::string cell; std::getline(split, cell, ',');) cells.push_back(cell);
            QVERIFY(cells.size() == 8 && byName.contains(cells[5]));
            QCOMPARE(std::stoi(cells[3]), int(s.devices.rail[byName[cells[5]]]));
            QCOMPARE(std::stoi(cells[4]), int(s.devices.plane[byName[cells[5]]]));
            ++count;
        }
        QCOMPARE(count, std::size_t(2 * 129 * 16));
        QVERIFY(exported("nccl-topology", m_nvl, "nccl-nvl", {{"sm", "120"}, {"numa", "1"}}));
        const std::string nvl = slurp(at("nccl-nvl") / "nccl-topo-gb200-compute-tray.xml");
        QVERIFY(nvl.find("sm=\"120\"") != nvl.npos && nvl.find("numaid=\"1\"") == nvl.npos && nvl.find("count=\"18\"") != nvl.npos);
    }

    void ansibleInventories()
    {
        const Snapshot& s = *m_nvl->snapshot;
        const auto plan = planAddresses(s).value();
        std::map<std::string, std::string> expected;
        for (const auto& own : plan.management) expected[s.devices.name[own.device]] = addressText(own.v4, IpFamily::V4);
        const YAML::Node yaml = YAML::Load(text("ansible", m_nvl, "inventory.yml"));
        std::map<std::string, std::string> read;
        static const std::regex groupName("[a-z_][a-z0-9_]*");
        for (const auto& parent : yaml["all"]["children"])
            for (const auto& group : parent.second["children"]) {
                QVERIFY(std::regex_match(group.first.as<std::string>(), groupName));
                for (const auto& host : group.second["hosts"])
                    QVERIFY(read.emplace(host.first.as<std::string>(), host.second["ansible_host"].as<std::string>()).second);
            }
        QVERIFY(read == expected);
        QCOMPARE(yaml["all"]["children"]["fabric"]["children"]["backend_leaf"]["hosts"]["g01-leaf-rail1-1"]["bgp_asn"].as<std::uint32_t>(),
                 plan.switches.front().asn);
        const auto json = nlohmann::json::parse(text("ansible", m_nvl, "inventory.json"));
        QCOMPARE(json["_meta"]["hostvars"].size(), expected.size());
        if (const auto listed = runTool("ansible-inventory", {"-i", QString::fromStdString(at("inventory.yml").string()), "--list"})) {
            QVERIFY2(listed->first == 0, listed->second.constData());
            const auto own = nlohmann::json::parse(listed->second.toStdString());
            QCOMPARE(own["_meta"]["hostvars"].size(), expected.size());
            for (const auto& [name, address] : expected) QCOMPARE(own["_meta"]["hostvars"][name]["ansible_host"].get<std::string>(), address);
        } else
            qInfo("ansible is not installed: read by the test alone");
    }

    /// Each leg of a breakout has its own port, at both ends; what is printed is read as scanned.
    void labelsOfLegs()
    {
        const Figures& f = *m_sn5600;
        const Snapshot& s = *f.snapshot;
        const CablePlugs plugs(s, *f.parts, *f.cabling);
        std::size_t legs = 0;
        s.cables.forEach([&](CableId id) {
            const auto ends = plugs.of(id);
            if (s.cables.medium[id] != Medium::Data || std::max(ends.from.size(), ends.to.size()) < 2) return;
            const auto pairs = plugs.pairs(id);
            QCOMPARE(pairs.size(), std::max(ends.from.size(), ends.to.size()));
            std::set<std::string> near, far;
            for (const auto& pair : pairs) {
                near.insert(s.devices.name[pair.from.device] + pair.from.port), far.insert(s.devices.name[pair.to.device] + pair.to.port);
                bool linked = false; // the two are a link of the design
                for (const LinkId link : f.cabling->linksOf(id)) {
                    std::set<std::string> ports,
                        wanted{s.devices.name[pair.from.device] + ":" + pair.from.port, s.devices.name[pair.to.device] + ":" + pair.to.port};
                    for (const PortId port : {s.links.from[link], s.links.to[link]})
                        ports.insert(s.devices.name[s.ports.device[port]] + ":" + portName(s, *f.parts, port));
                    linked = linked || ports == wanted;
                }
                QVERIFY(linked);
            }
            QCOMPARE(near.size(), pairs.size());
            QCOMPARE(far.size(), pairs.size());
            ++legs;
        });
        QVERIFY(legs > 0);
        const std::string table = text("labels", m_sn5600, "labels.csv");
        const std::string list = text("labels", m_sn5600, "printer.csv", {{"format", "csv"}});
        QVERIFY(list.starts_with("\xEF\xBB\xBFline1,line2,qr\r\n"));
        const auto lines = [](const std::string& text) { return std::size_t(std::ranges::count(text, '\n')); };
        QCOMPARE(lines(list) - 1, 2 * (lines(table) - 1));
        // As scanned: the labels that are printed, of cables of data, are those of the design, and none is unknown.
        std::string scans = "label\n";
        std::stringstream rows(table);
        std::size_t data = 0;
        for (std::string row; std::getline(rows, row);) {
            std::vector<std::string> cells;
            std::stringstream split(row);
            for (std::string cell; std::getline(split, cell, ',');) cells.push_back(cell);
            if (cells.size() < 6 || cells[1] == "power" || cells[1] == "coolant" || cells[4] == "label_from") continue;
            scans += cells[4] + "\n";
            ++data;
        }
        QVERIFY(data > 500);
        const auto plan = (*m_formats.importer("labels"))->planTogether(std::vector<ImportSource>{{"scans.csv", scans, {}}}, f.snapshot, {});
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        QCOMPARE(plan->read, data);
        QCOMPARE(plan->left, std::size_t(0));
    }

    void labelsForPrinters()
    {
        const std::string zpl = text("labels", m_sn5600, "labels.zpl", {{"format", "zpl"}});
        static const std::regex label("\\^XA\\^CI28\\^PW400\\^LL200(\\^FO[0-9]+,[0-9]+\\^A0N,([0-9]+),\\2\\^FH\\^FD[^\\^~]*\\^FS){2,3}"
                                      "\\^FO16,16\\^BQN,2,[1-9]\\^FH\\^FDQA,([^\\^~]*)\\^FS\\^PQ1\\^XZ");
        std::stringstream rows(zpl);
        std::size_t count = 0;
        for (std::string row; std::getline(rows, row) && count < 2000; ++count) QVERIFY2(std::regex_match(row, label), row.c_str());
        QCOMPARE(count, std::size_t(2000));
        const std::string fine = text("labels", m_sn5600, "fine.zpl", {{"format", "zpl"}, {"dots-per-mm", "23.6"}, {"size", "40x20"}});
        QVERIFY2(fine.starts_with("^XA^CI28^PW944^LL472"), fine.substr(0, 40).c_str());

        // The unit of a device from its top, the tile of its rack, and signs that are commands of ZPL.
        Snapshot changed = *m_sn5600->snapshot;
        changed.putSetting("cabling.label", "{hall}-{grid}-{u}:{port} ^ {far_grid}-{far_u}");
        changed.putSetting("cabling.label_unit", "top");
        const CableLabels labels(changed);
        const auto devices = changed.devices.ids();
        const DeviceId tall = *std::ranges::find_if(
            devices, [&](DeviceId id) { return changed.devices.rack[id] && m_sn5600->parts->device(changed.devices.type[id]).halfUnits == 4; });
        const auto rack = *changed.devices.rack[tall];
        const auto row = changed.racks.row[rack];
        changed.rows.x.set(row, Millimeters(0)), changed.rows.y.set(row, Millimeters(2400)), changed.rows.angle.set(row, 0);
        changed.racks.along.set(rack, Millimeters(21000)), changed.racks.across.set(rack, Millimeters(100));
        const std::string of = labels.of(CableId(0), {tall, "33"}, {tall, "01"});
        const std::string hall = changed.halls.name[changed.rows.hall[row]];
        QCOMPARE(of,
                 fmt::format("{}-BJ05-{:02}:33 ^ BJ05-{:02}", hall, changed.devices.u[tall] + 1, changed.devices.u[tall] + 1)); // 2U; tile 35 is BJ
        const auto two = labels.lines(CableId(0), {tall, "33"}, {tall, "01"});
        QCOMPARE(two.second, fmt::format("BJ05-{:02}", changed.devices.u[tall] + 1));
        const auto figures = figuresOf(std::make_shared<const Snapshot>(changed)).value();
        const std::string escaped = text("labels", figures, "escaped.zpl", {{"format", "zpl"}});
        QVERIFY(escaped.find(" _5E ") != escaped.npos);
    }

    void whatCannotBeIsRefused()
    {
        const std::vector<std::tuple<const char*, std::string, FormatChoices, std::string, ErrorCode>> cases = {
            {"ptm", "x.dot", {{"names", "ios"}}, "", ErrorCode::Usage},
            {"ptm", "x.dot", {}, "no-such", ErrorCode::Usage},
            {"ptm", "x.dot", {}, "nvlink", ErrorCode::Refused},
            {"sonic", "x", {{"hwsku", "switch"}}, "", ErrorCode::Usage},
            {"sonic", "x", {{"hwsku", "no-part=X"}}, "", ErrorCode::Usage},
            {"sonic", "x", {{"platform-json", "switch-51t-64x800g=/nonexistent"}}, "", ErrorCode::Unreadable},
            {"avd", "x", {{"links", "both"}}, "", ErrorCode::Usage},
            {"avd", "x", {}, "no-such", ErrorCode::Usage},
            {"containerlab", "x.yml", {{"kind", "ios"}}, "", ErrorCode::Usage},
            {"containerlab", "x.yml", {{"kind", "arista_ceos"}}, "", ErrorCode::Usage},
            {"containerlab", "x.yml", {{"segment", "0"}}, "", ErrorCode::Usage},
            {"containerlab", "x.yml", {{"segment", "99"}}, "", ErrorCode::Refused},
            {"containerlab", "x.yml", {{"pod", "1"}}, "", ErrorCode::Usage},
            {"nccl-topology", "x", {{"sm", "H100"}}, "", ErrorCode::Usage},
            {"nccl-topology", "x", {{"numa", "0"}}, "", ErrorCode::Usage},
            {"slurm-topology", "x.conf", {{"plugin", "3d"}}, "", ErrorCode::Usage},
            {"slurm-topology", "x.txt", {}, "", ErrorCode::Usage},
            {"k8s-labels", "x.yaml", {{"cluster", "a b"}}, "", ErrorCode::Usage},
            {"ansible", "x.ini", {}, "", ErrorCode::Usage},
            {"labels", "x.csv", {{"format", "epl"}}, "", ErrorCode::Usage},
            {"labels", "x.csv", {{"size", "50x25"}}, "", ErrorCode::Usage},
            {"labels", "x.zpl", {{"format", "zpl"}, {"size", "5x5"}}, "", ErrorCode::Usage},
            {"labels", "x.zpl", {{"format", "zpl"}, {"dots-per-mm", "nan"}}, "", ErrorCode::Usage},
        };
        for (const auto& [format, output, options, network, code] : cases) {
            const auto done = exported(format, m_sn5600, output, options, network);
            QVERIFY2(!done, format);
            QVERIFY2(done.error().code == code && !done.error().where.empty() && !done.error().todo.empty(), done.error().text().c_str());
            QVERIFY2(!std::filesystem::exists(at(output)), format);
        }
        // Names that the other side cannot take, and a design without what a file is about.
        Snapshot renamed = *m_sn5600->snapshot;
        const auto ids = renamed.devices.ids();
        renamed.devices.name.set(*std::ranges::find_if(ids, [&](DeviceId id) { return renamed.devices.name[id].find("host") != std::string::npos; }),
                                 "host 1\"");
        const auto bad = figuresOf(std::make_shared<const Snapshot>(renamed)).value();
        const auto empty = figuresOf(std::make_shared<const Snapshot>()).value();
        for (const auto& [format, output] : {std::pair("ptm", "y.dot"),
                                             {"containerlab", "y.clab.yml"},
                                             {"sonic", "y"},
                                             {"slurm-topology", "y.conf"},
                                             {"k8s-labels", "y.yaml"},
                                             {"ansible", "y.yml"},
                                             {"nccl-topology", "y"},
                                             {"avd", "y"}}) {
            for (const auto& figures : {bad, empty}) {
                const auto done = exported(format, figures, output);
                QVERIFY2(!done, format);
                QVERIFY2(!done.error().todo.empty(), done.error().text().c_str());
                QVERIFY(!std::filesystem::exists(at(output)));
            }
        }
        // A folder of somebody else stays.
        std::filesystem::create_directories(at("foreign"));
        std::ofstream(at("foreign") / "thesis.txt") << "x";
        for (const char* format : {"sonic", "avd", "nccl-topology"})
            QCOMPARE(exported(format, m_sn5600, "foreign").error().code, ErrorCode::Unreadable);
        QVERIFY(std::filesystem::exists(at("foreign") / "thesis.txt"));
    }

    /// The same design, the same bytes; a second export replaces the first.
    void deterministic()
    {
        const auto whole = [&](const std::string& name) {
            std::map<std::string, std::string> files;
            if (!std::filesystem::is_directory(at(name))) return std::map<std::string, std::string>{{"", slurp(at(name))}};
            for (const auto& entry : std::filesystem::recursive_directory_iterator(at(name)))
                if (entry.is_regular_file()) files[entry.path().string()] = slurp(entry.path());
            return files;
        };
        const auto again = figuresOfTemplate("rail-optimized-2", {{"switch", "51t-64x800g"}, {"segments", "2"}});
        for (const auto& [format, output] : {std::pair("ptm", "d.dot"),
                                             {"containerlab", "d.clab.yml"},
                                             {"sonic", "d-sonic"},
                                             {"slurm-topology", "d.conf"},
                                             {"k8s-labels", "d.yaml"},
                                             {"ansible", "d.yml"},
                                             {"nccl-topology", "d-nccl"},
                                             {"avd", "d-avd"},
                                             {"labels", "d.csv"}}) {
            QVERIFY(exported(format, m_sn5600, output));
            const auto first = whole(output);
            QVERIFY(exported(format, again, output));
            QVERIFY2(whole(output) == first, format);
        }
    }
};

QTEST_GUILESS_MAIN(ClusterFilesTest)
#include "test_cluster_files.moc"

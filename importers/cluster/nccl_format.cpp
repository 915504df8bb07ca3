// SPDX-License-Identifier: GPL-3.0-or-later
// For NCCL: a topology of each host type, and the rails that its NICs are on.
#include "core/derived/figures/link_sides.h"
#include "core/derived/topology/nic_ports.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/files/atomic_file.h"
#include "core/foundation/files/csv.h"
#include "core/foundation/model/find_network.h"
#include "core/foundation/model/text_values.h"
#include "importers/cluster/cluster_formats.h"
#include "importers/cluster/compute_nodes.h"
#include "importers/network/wiring.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

namespace hw::importers {

namespace {

constexpr const char* kNcclRails = "nccl-rails.csv";

/// A port of a node in the network, as an InfiniBand or RoCE device of its operating system.
struct NcclPort {
    int number = 0; ///< of mlx5_N
    PortId port{};
    int rail = 0, plane = 0, card = 0, mbps = 0; ///< card: from 0, as the node's interfaces list them
    Maybe<PortId> far{};
    friend bool operator==(const NcclPort& a, const NcclPort& b)
    {
        const auto key = [](const NcclPort& p) { return std::tuple(p.number, p.rail, p.plane, p.card, p.mbps, bool(p.far)); };
        return key(a) == key(b);
    }
};

/// Nodes of one type whose NICs are on the same rails.
struct NcclPattern {
    struct Node {
        DeviceId device{};
        std::vector<NcclPort> ports;
    };
    PartTypeId type{};
    std::vector<Node> nodes; ///< one at least
    std::string name;        ///< of its files
    [[nodiscard]] const std::vector<NcclPort>& ports() const { return nodes.front().ports; }
};

/// What NCCL wants to know of an accelerator: compute capability, and Gb/s of one NVLink in one direction.
struct Generation {
    const char* word; ///< in the slug of a host
    int sm, nvlinkGbps;
    const char* arch;
};
constexpr std::array<Generation, 10> kGenerations{{{"a100", 80, 200, "x86_64"},
                                                   {"h100", 90, 200, "x86_64"},
                                                   {"h800", 90, 200, "x86_64"},
                                                   {"h20", 90, 200, "x86_64"},
                                                   {"gb200", 100, 400, "arm64"},
                                                   {"gb300", 103, 400, "arm64"},
                                                   {"b200", 100, 400, "x86_64"},
                                                   {"b300", 103, 400, "x86_64"},
                                                   {"vr-", 100, 800, "arm64"},
                                                   {"hpn", 90, 200, "x86_64"}}};
constexpr Generation kUsual{"", 90, 200, "x86_64"}; ///< of hosts whose name does not tell (assumed)

class NcclWriter {
public:
    NcclWriter(const ComputeNodes& nodes, NetworkId network, int sm, int numa)
        : m_n(nodes), m_s(*nodes.snapshot), m_network(network), m_sm(sm), m_numa(numa)
    {
    }

    void findPatterns()
    {
        std::vector<std::vector<PortId>> ports(m_s.devices.nextId());
        m_s.ports.forEach([&](PortId port) {
            if (m_s.ports.medium[port] == Medium::Data && m_s.ports.network[port] == m_network) ports[m_s.ports.device[port].value].push_back(port);
        });
        std::vector<Maybe<PortId>> far(m_s.ports.nextId());
        m_s.links.forEach([&](LinkId link) {
            far[m_s.links.from[link].value] = m_s.links.to[link];
            far[m_s.links.to[link].value] = m_s.links.from[link];
        });
        NicPorts nics(*m_n.parts);
        CardsOfTypes cards(*m_n.parts);
        for (const DeviceId node : m_n.nodes) {
            auto own = ports[node.value];
            std::ranges::sort(own, {}, [&](PortId p) { return std::pair(m_s.cages.number[m_s.ports.cage[p]], m_s.ports.lane[p]); });
            const PartTypeId type = m_s.devices.type[node];
            std::vector<NcclPort> nodePorts;
            std::map<std::uint16_t, int> cardAt;
            for (const PortId port : own) {
                const NicPort nic = nics.of(m_s, port);
                const int card = cardAt.try_emplace(cards.orOwn(m_s, port), int(cardAt.size())).first->second;
                NcclPort one{int(nodePorts.size()),
                             port,
                             std::max(0, nic.rail - 1),
                             std::max(0, nic.plane - 1),
                             card,
                             int(m_s.ports.rate[port].count()) * 1000,
                             far[port.value]};
                if (one.far) { // the switch tells
                    const DeviceId device = m_s.ports.device[*one.far];
                    if (m_s.devices.rail[device] >= 0) one.rail = m_s.devices.rail[device];
                    if (m_s.devices.plane[device] >= 0) one.plane = m_s.devices.plane[device];
                }
                nodePorts.push_back(one);
            }
            if (std::ranges::none_of(nodePorts, [](const NcclPort& p) { return bool(p.far); })) continue;
            auto known = std::ranges::find_if(m_patterns, [&](const NcclPattern& p) { return p.type == type && p.ports() == nodePorts; });
            if (known == m_patterns.end()) known = m_patterns.insert(known, {type, {}, {}});
            known->nodes.push_back({node, std::move(nodePorts)});
        }
        std::map<PartTypeId, int> count, number;
        for (const auto& pattern : m_patterns) ++count[pattern.type];
        for (auto& pattern : m_patterns) {
            pattern.name = (*m_n.parts)[pattern.type].slug;
            if (const int n = ++number[pattern.type]; count[pattern.type] > 1) pattern.name += fmt::format("-{}", n);
        }
    }

    [[nodiscard]] const std::vector<NcclPattern>& patterns() const { return m_patterns; }

    [[nodiscard]] std::string topology(const NcclPattern& pattern) const
    {
        const DeviceSpec& spec = m_n.parts->device(pattern.type);
        const Generation generation = generationOf(pattern.type);
        const int gpus = spec.accelerators, numa = std::clamp(m_numa, 1, gpus);
        std::map<int, std::vector<const NcclPort*>> cards;
        for (const auto& port : pattern.ports()) cards[port.card].push_back(&port);
        const int links = spec.scaleUpRate.value.count() > 0 ? int(spec.scaleUpRate.value.count()) / generation.nvlinkGbps : 0;
        std::string out = "<system version=\"1\">\n";
        int bus = 0;
        const auto busId = [](int number) { return fmt::format("{:04x}:{:02x}:00.0", number / 255, number % 255 + 1); };
        for (int node = 0; node < numa; ++node) {
            out += fmt::format("  <cpu numaid=\"{}\" affinity=\"ffffffff,ffffffff,ffffffff,ffffffff\" arch=\"{}\"{}>\n", node, generation.arch,
                               std::string_view(generation.arch) == "x86_64" ? " vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"143\"" : "");
            for (int gpu = node * gpus / numa; gpu < (node + 1) * gpus / numa; ++gpu) {
                out += fmt::format("    <pci busid=\"{}\" class=\"0x060400\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">\n", busId(bus++));
                out += fmt::format("      <pci busid=\"{}\" class=\"0x030200\" vendor=\"0x10de\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">\n",
                                   busId(bus++));
                out += fmt::format("        <gpu dev=\"{0}\" sm=\"{1}\" rank=\"{0}\" gdr=\"1\">\n", gpu, m_sm > 0 ? m_sm : generation.sm);
                if (links > 0) out += fmt::format("          <nvlink target=\"{}\" count=\"{}\" tclass=\"0x068000\"/>\n", busId(254), links);
                out += "        </gpu>\n      </pci>\n";
                for (const auto& [card, ports] : cards) {
                    if (card * gpus / int(cards.size()) != gpu) continue;
                    out += fmt::format("      <pci busid=\"{}\" class=\"0x020000\" vendor=\"0x15b3\" link_speed=\"32.0 GT/s PCIe\" "
                                       "link_width=\"16\">\n        <nic>\n",
                                       busId(bus++));
                    for (const NcclPort* port : ports)
                        out += fmt::format("          <net name=\"mlx5_{0}\" dev=\"{0}\" latency=\"0\" speed=\"{1}\" port=\"1\" guid=\"0x{2:x}\" "
                                           "maxconn=\"131072\" gdr=\"1\" rail=\"{3}\" plane=\"{4}\"/>\n",
                                           port->number, port->mbps, card + 1, port->rail, port->plane);
                    out += "        </nic>\n      </pci>\n";
                }
                out += "    </pci>\n";
            }
            out += "  </cpu>\n";
        }
        return out + "</system>\n";
    }

    [[nodiscard]] std::string environment(const NcclPattern& pattern) const
    {
        std::string plain, rails;
        bool several = false;
        for (const auto& port : pattern.ports()) {
            if (!port.far) continue;
            plain += fmt::format("{}mlx5_{}", plain.empty() ? "" : ",", port.number);
            rails += fmt::format("{}mlx5_{}:1:{}:{}", rails.empty() ? "" : ",", port.number, port.rail, port.plane);
            several = several || port.rail != pattern.ports().front().rail;
        }
        std::string out = fmt::format(
            "# {}\n", words(i18np(pattern.nodes.size(), "{:L} node of type {}", "{:L} nodes of type {}", (*m_n.parts)[pattern.type].slug)));
        out +=
            fmt::format("NCCL_IB_HCA=={}\n# {}\n# NCCL_IB_HCA=={}\n", plain, words(i18n("NCCL 2.30.7 and later, with port, rail and plane:")), rails);
        if (several) out += "NCCL_CROSS_NIC=0\n";
        return out;
    }

    void railRows(const NcclPattern& pattern, std::string& out) const
    {
        for (const auto& node : pattern.nodes)
            for (const auto& port : node.ports) {
                const bool linked = bool(port.far);
                const std::array<std::string, 8> row{m_s.devices.name[node.device],
                                                     fmt::format("mlx5_{}", port.number),
                                                     portName(m_s, *m_n.parts, port.port),
                                                     std::to_string(port.rail),
                                                     std::to_string(port.plane),
                                                     linked ? m_s.devices.name[m_s.ports.device[*port.far]] : std::string(),
                                                     linked ? portName(m_s, *m_n.parts, *port.far) : std::string(),
                                                     pattern.name};
                for (std::size_t c = 0; c < row.size(); ++c) {
                    if (c) out += ',';
                    appendCsv(out, row[c]);
                }
                out += "\r\n";
            }
    }

private:
    [[nodiscard]] Generation generationOf(PartTypeId type) const
    {
        const std::string& slug = (*m_n.parts)[type].slug;
        for (const auto& one : kGenerations)
            if (slug.find(one.word) != slug.npos) return one;
        return kUsual;
    }

    const ComputeNodes& m_n;
    const Snapshot& m_s;
    NetworkId m_network;
    int m_sm, m_numa;
    std::vector<NcclPattern> m_patterns;
};

Result<int> wholeOption(const exchange::ExportJob& job, const char* option, int least, int most)
{
    const std::string text = job.option(option);
    int value = 0;
    if (text.empty()) return 0;
    if (!text::fromText(text, value) || value < least || value > most)
        return fail(ErrorCode::Usage, fmt::format("--{} {}", option, text), i18n("out of range"), i18n("specify {} to {}", least, most));
    return value;
}

class NcclExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"nccl-topology", i18n("NCCL topology XML of each host type, NCCL_IB_HCA lists and the rail of every NIC; output is a folder")};
    }
    bool takesNetwork() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override
    {
        return {{"sm", "N", i18n("compute capability of the GPUs, such as 90 (default: assumed from the host type)")},
                {"numa", "N", i18n("NUMA nodes of a host (default: 2)")}};
    }
    Result<void> write(const exchange::ExportJob& job, const Progress& progress) const override
    {
        const auto sm = wholeOption(job, "sm", 30, 999), numa = wholeOption(job, "numa", 1, 64);
        if (!sm) return tl::unexpected(sm.error());
        if (!numa) return tl::unexpected(numa.error());
        const auto design = job.design();
        if (!design) return tl::unexpected(design.error());
        const Snapshot& s = **design;
        const std::string name = job.network.empty() ? "backend" : job.network;
        const auto network = findNetwork(s, name);
        if (!network)
            return fail(ErrorCode::Usage, "--network " + name, i18n("no network with this name"),
                        i18n("choose from {}", listedNames(networkNames(s))));
        const auto nodes = ComputeNodes::of(*design, name);
        if (!nodes) return tl::unexpected(nodes.error());
        NcclWriter nccl(*nodes, *network, *sm, *numa > 0 ? *numa : 2);
        nccl.findPatterns();
        if (nccl.patterns().empty())
            return fail(ErrorCode::Refused, "--network " + name, i18n("no compute node has a link in this network"), i18n("choose another network"));
        return exchange::writeFolderWhole(job.output, kNcclRails, [&](const std::filesystem::path& folder) -> Result<void> {
            std::string rails = "host,hca,port,rail,plane,switch,switch_port,files\r\n";
            for (const auto& pattern : nccl.patterns()) {
                if (progress.stopRequested()) return fail(ErrorCode::Canceled, job.output.string(), i18n("canceled"));
                if (const auto done = writeFile(folder / ("nccl-topo-" + pattern.name + ".xml"), nccl.topology(pattern)); !done) return done;
                if (const auto done = writeFile(folder / ("nccl-" + pattern.name + ".env"), nccl.environment(pattern)); !done) return done;
                nccl.railRows(pattern, rails);
            }
            return writeFile(folder / kNcclRails, rails);
        });
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> ncclExporter() { return std::make_unique<NcclExporter>(); }

} // namespace hw::importers

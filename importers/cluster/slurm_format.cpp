// SPDX-License-Identifier: GPL-3.0-or-later
// topology.conf and topology.yaml of Slurm.
#include "core/foundation/files/atomic_file.h"
#include "importers/cluster/cluster_formats.h"
#include "importers/cluster/compute_nodes.h"
#include "importers/network/wiring.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

namespace hw::importers {

namespace {

constexpr std::size_t kLongestSwitch = 64; ///< of SwitchName (topology.conf.5)

/// Switches of a tree and blocks, as names.
struct SlurmTopology {
    struct Switch {
        std::string name;
        std::vector<std::string> below;
        bool leaf = false;
    };
    std::vector<Switch> switches; ///< from the top down
    std::vector<Switch> blocks;
    std::vector<std::size_t> blockSizes;
    bool domains = false; ///< the blocks are scale-up domains

    static SlurmTopology of(const ComputeNodes& nodes)
    {
        SlurmTopology out;
        const auto namesOf = [&](const std::vector<DeviceId>& devices) {
            std::vector<std::string> names;
            for (const DeviceId device : devices) names.push_back(nodes.name(device));
            return names;
        };
        if (nodes.leaves.size() > 1) {
            Switch top{nodes.top, nodes.pods, false};
            if (nodes.pods.empty())
                for (const auto& leaf : nodes.leaves) top.below.push_back(leaf.name);
            out.switches.push_back(std::move(top));
        }
        for (std::size_t p = 0; p < nodes.pods.size(); ++p) {
            Switch pod{nodes.pods[p], {}, false};
            for (const auto& leaf : nodes.leaves)
                if (leaf.pod == int(p)) pod.below.push_back(leaf.name);
            out.switches.push_back(std::move(pod));
        }
        for (const auto& leaf : nodes.leaves) out.switches.push_back({leaf.name, namesOf(leaf.nodes), true});
        out.domains = !nodes.domains.empty();
        std::size_t least = 0;
        const auto add = [&](const std::string& name, const std::vector<DeviceId>& devices) {
            out.blocks.push_back({name, namesOf(devices), true});
            least = least == 0 ? devices.size() : std::min(least, devices.size());
        };
        if (out.domains)
            for (const auto& domain : nodes.domains) add(domain.name, domain.nodes);
        else
            for (const auto& leaf : nodes.leaves) add(leaf.name, leaf.nodes);
        for (std::size_t size = least, count = 1; least > 0 && count <= out.blocks.size(); size *= 2, count *= 2) out.blockSizes.push_back(size);
        return out;
    }

    [[nodiscard]] Result<void> check() const
    {
        std::set<std::string_view> known;
        for (const auto* list : {&switches, &blocks}) {
            known.clear();
            for (const auto& one : *list) {
                const bool plain = one.name.find_first_of(" ,[]=#\"\t") == one.name.npos && !one.name.empty();
                if (!plain || one.name.size() > kLongestSwitch)
                    return fail(ErrorCode::Refused, one.name, i18n("not a switch name for Slurm"),
                                i18n("rename it: up to {} characters, without spaces, commas and brackets", kLongestSwitch));
                if (!known.insert(one.name).second)
                    return fail(ErrorCode::Refused, one.name, i18n("two switches have this name"), i18n("rename one of them"));
            }
        }
        return {};
    }
};

class SlurmExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"slurm-topology", i18n("node topology for Slurm: topology.conf, or topology.yaml (Slurm 25.05 and later); .conf or .yaml")};
    }
    bool oneFile() const override { return true; }
    bool takesNetwork() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override
    {
        return {{"plugin", "tree|block", i18n("topology plugin (default: tree; block if nodes share scale-up domains)")}};
    }
    Result<void> write(const exchange::ExportJob& job, const Progress&) const override
    {
        const std::string plugin = job.option("plugin");
        if (!plugin.empty() && plugin != "tree" && plugin != "block")
            return fail(ErrorCode::Usage, "--plugin " + plugin, i18n("unknown topology plugin"),
                        i18n("choose from {}", listedNames(std::array{"tree", "block"})));
        const std::string ending = job.output.extension().string();
        const bool yaml = ending == ".yaml" || ending == ".yml";
        if (!yaml && ending != ".conf")
            return fail(ErrorCode::Usage, "-o " + job.output.string(), i18n("unknown file type"), i18n("use the extension .conf or .yaml"));
        const auto design = job.design();
        if (!design) return tl::unexpected(design.error());
        const auto nodes = ComputeNodes::of(*design, job.network);
        if (!nodes) return tl::unexpected(nodes.error());
        const SlurmTopology topology = SlurmTopology::of(*nodes);
        if (const auto checked = topology.check(); !checked) return checked;
        const bool block = plugin == "block" || (plugin.empty() && topology.domains);
        return writeFile(job.output, yaml ? yamlOf(topology, block) : confOf(topology, block));
    }

private:
    static std::string sizesOf(const SlurmTopology& topology, const char* between)
    {
        std::string out;
        for (const std::size_t size : topology.blockSizes) out += (out.empty() ? "" : between) + std::to_string(size);
        return out;
    }
    static std::string confOf(const SlurmTopology& topology, bool block)
    {
        if (block) {
            std::string out = "# TopologyPlugin=topology/block (Slurm 23.11 and later)\n"; // no text
            for (const auto& one : topology.blocks) out += fmt::format("BlockName={} Nodes={}\n", one.name, hostList(one.below));
            return out + fmt::format("BlockSizes={}\n", sizesOf(topology, ","));
        }
        std::string out = "# TopologyPlugin=topology/tree\n";
        for (const auto& one : topology.switches)
            out += fmt::format("SwitchName={} {}={}\n", one.name, one.leaf ? "Nodes" : "Switches", hostList(one.below));
        return out;
    }
    static std::string yamlOf(const SlurmTopology& topology, bool block)
    {
        std::string out = fmt::format("---\n- topology: fabric\n  cluster_default: {}\n  tree:\n    switches:\n", // no text
                                      block ? "false" : "true");
        for (const auto& one : topology.switches)
            out += fmt::format("      - switch: {}\n        {}: {}\n", yamlText(one.name), one.leaf ? "nodes" : "children",
                               yamlText(hostList(one.below)));
        out += fmt::format("- topology: blocks\n  cluster_default: {}\n  block:\n    block_sizes: [{}]\n    blocks:\n", // no text
                           block ? "true" : "false", sizesOf(topology, ", "));
        for (const auto& one : topology.blocks)
            out += fmt::format("      - block: {}\n        nodes: {}\n", yamlText(one.name), yamlText(hostList(one.below)));
        return out;
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> slurmExporter() { return std::make_unique<SlurmExporter>(); }

} // namespace hw::importers

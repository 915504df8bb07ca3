// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of Kubernetes nodes as topograph 1.0 writes them.
#include "core/foundation/files/atomic_file.h"
#include "importers/cluster/cluster_formats.h"
#include "importers/cluster/compute_nodes.h"
#include "importers/network/wiring.h"

#include <algorithm>
#include <cctype>
#include <map>

#include <fmt/format.h>

namespace hw::importers {

namespace {

/// What a label's value may be: up to 63 letters, digits, '-', '_' and '.', ends with letters or digits.
bool isLabelValue(std::string_view text)
{
    const auto alnum = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    return !text.empty() && text.size() <= 63 && alnum(text.front()) && alnum(text.back()) &&
           std::ranges::all_of(text, [&](char c) { return alnum(c) || c == '-' || c == '_' || c == '.'; });
}

/// A node's name is a DNS subdomain: no capitals, no underscores.
bool isNodeName(std::string_view text)
{
    return isLabelValue(text) && std::ranges::none_of(text, [](char c) { return c == '_' || std::isupper(static_cast<unsigned char>(c)); });
}

class NodeLabelExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"k8s-labels", i18n("Kubernetes node labels in topograph 1.0 format: fabric tiers and scale-up domain; .yaml")};
    }
    bool oneFile() const override { return true; }
    bool takesNetwork() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override
    {
        return {{"cluster", "ID", i18n("value of topograph.run/cluster-id")}, {"region", "NAME", i18n("value of topograph.run/region")}};
    }
    Result<void> write(const exchange::ExportJob& job, const Progress&) const override
    {
        for (const char* option : {"cluster", "region"})
            if (const std::string value = job.option(option); !value.empty() && !isLabelValue(value))
                return fail(ErrorCode::Usage, fmt::format("--{} {}", option, value), i18n("not a valid label value"),
                            i18n("use up to 63 letters, digits, '-', '_' and '.'"));
        const auto design = job.design();
        if (!design) return tl::unexpected(design.error());
        const auto nodes = ComputeNodes::of(*design, job.network);
        if (!nodes) return tl::unexpected(nodes.error());
        std::map<DeviceId, std::string> domainOf;
        for (const auto& domain : nodes->domains)
            for (const DeviceId node : domain.nodes) domainOf[node] = domain.name;
        std::string out;
        for (const auto& leaf : nodes->leaves) {
            std::vector<std::string> tiers{leaf.name};
            for (auto& name : nodes->above(leaf)) tiers.push_back(std::move(name));
            for (const DeviceId node : leaf.nodes) {
                const std::string& name = nodes->name(node);
                if (!isNodeName(name))
                    return fail(ErrorCode::Refused, name, i18n("not a valid Kubernetes node name"),
                                i18n("rename it: lowercase letters, digits, '-' and '.'"));
                out += fmt::format("---\napiVersion: v1\nkind: Node\nmetadata:\n  name: {}\n  labels:\n", yamlText(name));
                const auto put = [&](const std::string& key, const std::string& value) -> Result<void> {
                    if (!isLabelValue(value))
                        return fail(ErrorCode::Refused, value, i18n("not a valid label value"),
                                    i18n("rename it: up to 63 letters, digits, '-', '_' and '.'"));
                    out += fmt::format("    {}: {}\n", key, yamlText(value));
                    return {};
                };
                for (std::size_t t = 0; t < tiers.size(); ++t)
                    if (const auto done = put(fmt::format("fabric.topograph.run/tier-{}", t), tiers[t]); !done) return done;
                if (const auto domain = domainOf.find(node); domain != domainOf.end())
                    if (const auto done = put("accelerator.topograph.run/domain", domain->second); !done) return done;
                if (!job.option("region").empty()) out += fmt::format("    topograph.run/region: {}\n", yamlText(job.option("region")));
                if (!job.option("cluster").empty()) out += fmt::format("    topograph.run/cluster-id: {}\n", yamlText(job.option("cluster")));
            }
        }
        return writeFile(job.output, out);
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> nodeLabelExporter() { return std::make_unique<NodeLabelExporter>(); }

} // namespace hw::importers

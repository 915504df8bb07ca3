// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/simulators/sim_fabric.h"

#include "core/foundation/base/resources.h"
#include "core/foundation/files/csv.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace hw::importers {

namespace {

/// Links by their two ends; in the order of ends.
using SimBundles = std::map<std::pair<std::uint32_t, std::uint32_t>, SimFabric::Bundle>;

void addTo(SimBundles& bundles, std::uint32_t a, std::uint32_t b, double gbps)
{
    auto& bundle = bundles[{a, b}];
    bundle.a = a, bundle.b = b;
    bundle.gbps += std::llround(gbps), ++bundle.links;
}

void readLinks(SimFabric& out)
{
    const sim::FabricGraph& graph = *out.fabric.graph;
    SimBundles access, trunks;
    for (std::uint32_t gpu = 0; gpu < out.gpus(); ++gpu) {
        if (out.fabric.nicsPerHost == 1 && gpu % out.fabric.gpusPerHost != 0) continue; // the one NIC counts once, with the first GPU
        for (const auto& port : out.fabric.ports(gpu))
            if (port.access != sim::FabricGraph::kNone) addTo(access, gpu, port.access, graph.capacityGbps()[graph.upward(port)]);
    }
    for (sim::DirectedLink l = 0; l < graph.designedCount(); l += 2) {
        const auto a = graph.tail(l), b = graph.head(l);
        if (a == sim::FabricGraph::kNone || b == sim::FabricGraph::kNone || graph.capacityGbps()[l] <= 0) continue;
        const bool up = graph.at(a).level != graph.at(b).level ? graph.at(a).level < graph.at(b).level : a < b;
        addTo(trunks, up ? a : b, up ? b : a, graph.capacityGbps()[l]);
    }
    std::vector<char> seen(graph.switchCount(), 0);
    for (const auto& [ends, bundle] : access) out.access.push_back(bundle), seen[bundle.b] = 1;
    for (const auto& [ends, bundle] : trunks) out.trunks.push_back(bundle), seen[bundle.a] = seen[bundle.b] = 1;
    for (std::uint32_t v = 0; v < graph.switchCount(); ++v)
        if (seen[v]) out.switches.push_back(v);
    std::ranges::stable_sort(out.switches, {}, [&](std::uint32_t v) { return graph.at(v).level; });
}

} // namespace

bool SimFabric::parallel() const
{
    const auto several = [](const Bundle& bundle) { return bundle.links > 1; };
    return std::ranges::any_of(access, several) || std::ranges::any_of(trunks, several);
}

Result<SimFabric> simFabric(const exchange::ExportJob& job)
{
    SimFabric out;
    if (const std::string given = job.option("link-latency-ns"); !given.empty()) {
        const auto [end, code] = std::from_chars(given.data(), given.data() + given.size(), out.linkNs);
        if (code != std::errc{} || end != given.data() + given.size() || !(out.linkNs >= 1 && out.linkNs <= 1e9))
            return fail(ErrorCode::Refused, "--link-latency-ns " + given, i18n("not between 1 and 1e9 ns"), i18n("specify the latency of a link"));
    }
    const auto design = job.design();
    if (!design) return tl::unexpected(design.error());
    out.design = *design;
    out.network = job.network.empty() ? "backend" : job.network;
    auto fabric = sim::workloadFabric(**design, out.network);
    if (!fabric) return tl::unexpected(fabric.error());
    out.fabric = std::move(*fabric);
    const auto library = sim::loadWorkloads(resourceFolder() / "workloads");
    if (!library) return tl::unexpected(library.error());
    const auto accelerator = sim::designScaleUp(*library, out.fabric);
    if (!accelerator) return tl::unexpected(accelerator.error());
    out.accelerator = *accelerator;
    if (out.fabric.scaleUpGbps > 0) out.accelerator.scaleUpGbps = out.fabric.scaleUpGbps;
    readLinks(out);
    if (out.access.empty())
        return fail(ErrorCode::Refused, out.network, i18n("no server is connected to a switch"),
                    i18n("connect the servers, or choose another network"));
    return out;
}

Result<std::uint32_t> gpusPerDomain(const SimFabric& fabric, const std::string& format)
{
    std::vector<std::uint32_t> hosts(fabric.domains(), 0);
    for (const auto domain : fabric.fabric.domainOfHost) ++hosts[domain];
    const auto [least, most] = std::ranges::minmax_element(hosts);
    if (*least != *most)
        return fail(ErrorCode::Refused, fabric.network,
                    i18n("scale-up domains have {} to {} GPUs; {} needs the same number in each", *least * fabric.fabric.gpusPerHost,
                         *most * fabric.fabric.gpusPerHost, format),
                    i18n("complete the domains"));
    return *most * fabric.fabric.gpusPerHost;
}

exchange::FormatOption linkLatencyOption()
{
    return {"link-latency-ns", "NS", i18n("latency of a data link including its switch (default: 500, assumed)")};
}

std::string milliseconds(double nanoseconds)
{
    std::string out = fmt::format("{:.9f}", nanoseconds / 1e6);
    while (out.ends_with('0')) out.pop_back();
    if (out.ends_with('.')) out += '0';
    return out + "ms";
}

std::string gpuTable(const SimFabric& fabric, const char* first)
{
    std::string out = fmt::format("{},server,gpu\n", first);
    for (std::uint32_t gpu = 0; gpu < fabric.gpus(); ++gpu) {
        out += fmt::format("{},", gpu);
        appendCsv(out, fabric.hostName(gpu));
        out += fmt::format(",{}\n", gpu % fabric.fabric.gpusPerHost + 1);
    }
    return out;
}

std::string notes(const Text& title, const std::vector<Text>& lines)
{
    std::string out = words(title) + "\n\n";
    for (const auto& line : lines) out += "- " + words(line) + "\n";
    return out;
}

} // namespace hw::importers

// SPDX-License-Identifier: GPL-3.0-or-later
// ASTRA-sim 2.0: the network as dimensions (analytical backend) and as nodes and links (ns-3 backend), with the files beside them.
#include "core/foundation/files/atomic_file.h"
#include "importers/simulators/sim_fabric.h"
#include "importers/simulators/simulators.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::importers {

namespace {

/// One dimension of ASTRA-sim: so many of what the dimension inside makes, and what a GPU gets into it.
struct AstraDimension {
    std::uint32_t count = 0;
    double gbytesPerS = 0, latencyNs = 0;
    std::string what;
};

/// Numbers of parts in every part above; Refused where they differ.
Result<std::uint32_t> evenly(const std::map<std::pair<int, int>, std::uint32_t>& counts, const std::string& network, const char* inner,
                             const char* outer)
{
    std::uint32_t least = ~0u, most = 0;
    for (const auto& [part, n] : counts) least = std::min(least, n), most = std::max(most, n);
    if (least == most) return most;
    return fail(ErrorCode::Refused, network, i18n("{} per {} differ ({} to {}); a dimension of ASTRA-sim has one size", inner, outer, least, most),
                i18n("complete the design, or choose parameters that fill all of them"));
}

/// Capacity upward between two levels, GB/s for a GPU.
double perGpu(const SimFabric& f, int level)
{
    double gbps = 0;
    for (const auto& trunk : f.trunks)
        if (f.level(trunk.a) == level && f.level(trunk.b) > level) gbps += double(trunk.gbps);
    return gbps / f.gpus() / 8;
}

Result<std::vector<AstraDimension>> astraDimensions(const SimFabric& f)
{
    const auto inDomain = gpusPerDomain(f, "ASTRA-sim");
    if (!inDomain) return tl::unexpected(inDomain.error());
    std::map<std::pair<int, int>, std::uint32_t> segments; // pod, segment: domains
    std::map<std::pair<int, int>, std::uint32_t> pods;     // pod: segments
    for (std::size_t h = 0; h < f.fabric.hosts.size(); ++h) {
        if (h > 0 && f.fabric.domainOfHost[h] == f.fabric.domainOfHost[h - 1]) continue;
        const auto& place = f.fabric.places[h];
        if (++segments[{place.pod, place.segment}] == 1) ++pods[{place.pod, 0}];
    }
    const auto perSegment = evenly(segments, f.network, "scale-up domains", "segment"); // no text: of another program
    if (!perSegment) return tl::unexpected(perSegment.error());
    const auto perPod = evenly(pods, f.network, "segments", "pod");
    if (!perPod) return tl::unexpected(perPod.error());
    std::int64_t nic = 0;
    for (const auto& bundle : f.access) nic += bundle.gbps;
    const double nicGbytes = double(nic) / f.gpus() / 8;
    std::vector<AstraDimension> out;
    const auto add = [&](std::uint32_t count, double gbytes, double latency, const char* what) {
        if (count > 1) out.push_back({count, gbytes, latency, what});
    };
    add(*inDomain, f.accelerator.scaleUpGbps / 8, 2 * kScaleUpLinkNs, "GPUs of a scale-up domain"); // no text: of another program
    add(*perSegment, nicGbytes, 2 * f.linkNs, "domains of a segment");                              // no text: of another program
    const int access = f.level(f.access.front().b);
    // A level that is not there (all segments under one switch) leaves the NIC as the limit.
    const auto above = [&](int levels) {
        double least = nicGbytes;
        for (int l = 0; l < levels; ++l)
            if (const double share = perGpu(f, access + l); share > 0) least = std::min(least, share);
        return least;
    };
    add(*perPod, above(1), 4 * f.linkNs, "segments of a pod"); // no text: of another program
    add(std::uint32_t(pods.size()), above(2), 6 * f.linkNs, "pods");
    if (out.empty()) return fail(ErrorCode::Refused, f.network, i18n("ASTRA-sim needs more than one GPU"), i18n("add servers"));
    for (const auto& dimension : out)
        if (!(dimension.gbytesPerS > 0))
            return fail(ErrorCode::Refused, f.network, i18n("no bandwidth is specified between {}", dimension.what),
                        i18n("specify the rate of the scale-up network, or connect the servers"));
    return out;
}

template <class Value>
std::string yamlList(const std::vector<AstraDimension>& dimensions, Value value)
{
    std::string out;
    for (const auto& dimension : dimensions) out += (out.empty() ? "[ " : ", ") + value(dimension);
    return out + " ]";
}

std::string analyticalText(const std::vector<AstraDimension>& dimensions)
{
    const auto decimal = [](double value) { return fmt::format("{:.1f}", value); };
    std::string out = "topology: " + yamlList(dimensions, [](const AstraDimension&) { return std::string("Switch"); }) + "\n";
    out += "npus_count: " + yamlList(dimensions, [](const AstraDimension& d) { return std::to_string(d.count); }) + "\n";
    out += "bandwidth: " + yamlList(dimensions, [&](const AstraDimension& d) { return decimal(d.gbytesPerS); }) + "\n";
    return out + "latency: " + yamlList(dimensions, [&](const AstraDimension& d) { return decimal(d.latencyNs); }) + "\n";
}

std::string systemText(const SimFabric& f, std::size_t dimensions)
{
    const std::vector<std::string> ring(dimensions, "ring");
    nlohmann::ordered_json out;
    out["scheduling-policy"] = "LIFO";
    out["endpoint-delay"] = 10;
    out["active-chunks-per-dimension"] = 1;
    out["preferred-dataset-splits"] = 4;
    for (const char* collective : {"all-reduce", "all-gather", "reduce-scatter", "all-to-all"})
        out[std::string(collective) + "-implementation"] = ring;
    out["collective-optimization"] = "localBWAware";
    out["local-mem-bw"] = std::llround(f.accelerator.memoryBytesPerS / 1e9);
    out["boost-mode"] = 0;
    return out.dump(2) + "\n";
}

std::string logicalText(const std::vector<AstraDimension>& dimensions)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& dimension : dimensions) list.push_back(std::to_string(dimension.count));
    return nlohmann::ordered_json{{"logical-dims", list}}.dump(2) + "\n";
}

/// Nodes, switches, links; the switches' ids; a link a line. One switch stands for the scale-up network of each domain.
std::string ns3Text(const SimFabric& f)
{
    const std::uint32_t gpus = f.gpus(), domains = f.domains() < gpus ? f.domains() : 0;
    std::vector<std::uint32_t> id(f.fabric.graph->switchCount(), 0);
    std::string ids, links;
    for (std::uint32_t d = 0; d < domains; ++d) ids += fmt::format("{}{}", ids.empty() ? "" : " ", gpus + d);
    std::uint32_t next = gpus + domains;
    for (const auto vertex : f.switches) ids += fmt::format("{}{}", ids.empty() ? "" : " ", id[vertex] = next++);
    std::size_t count = 0;
    const auto link = [&](std::uint32_t a, std::uint32_t b, double gbps, double latencyNs) {
        links += fmt::format("{} {} {:.0f}Gbps {} 0\n", a, b, gbps, milliseconds(latencyNs)), ++count;
    };
    if (domains > 0)
        for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) link(gpu, gpus + f.domainOf(gpu), f.accelerator.scaleUpGbps, kScaleUpLinkNs);
    for (const auto& bundle : f.access) link(bundle.a, id[bundle.b], double(bundle.gbps), f.linkNs);
    for (const auto& bundle : f.trunks) link(id[bundle.a], id[bundle.b], double(bundle.gbps), f.linkNs);
    return fmt::format("{} {} {}\n{}\n", next, domains + f.switches.size(), count, ids) + links;
}

class AstraExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"astra", i18n("folder for ASTRA-sim 2.0: analytical network, system, remote memory; topology for its ns-3 backend")};
    }
    bool takesNetwork() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override { return {linkLatencyOption()}; }
    Result<void> write(const exchange::ExportJob& job, const Progress&) const override
    {
        const auto fabric = simFabric(job);
        if (!fabric) return tl::unexpected(fabric.error());
        if (fabric->fabric.nicsPerHost == 1 && fabric->fabric.gpusPerHost > 1)
            return fail(ErrorCode::Refused, fabric->network,
                        i18n("servers have one NIC for {} GPUs; ASTRA-sim connects every GPU individually", fabric->fabric.gpusPerHost),
                        i18n("choose the backend network"));
        const auto dimensions = astraDimensions(*fabric);
        if (!dimensions) return tl::unexpected(dimensions.error());
        return exchange::writeFolderWhole(job.output, kNotesFile, [&](const std::filesystem::path& folder) -> Result<void> {
            const std::pair<const char*, std::string> files[] = {{"network.yml", analyticalText(*dimensions)},
                                                                 {"system.json", systemText(*fabric, dimensions->size())},
                                                                 {"remote_memory.json", "{\n  \"memory-type\": \"NO_MEMORY_EXPANSION\"\n}\n"},
                                                                 {"ns3_topology.txt", ns3Text(*fabric)},
                                                                 {"ns3_logical.json", logicalText(*dimensions)},
                                                                 {"npus.csv", gpuTable(*fabric, "npu")},
                                                                 {kNotesFile, notesText(*fabric, *dimensions)}};
            for (const auto& [name, text] : files)
                if (const auto written = writeFile(folder / name, text); !written) return written;
            return {};
        });
    }

private:
    static std::string notesText(const SimFabric& f, const std::vector<AstraDimension>& dimensions)
    {
        std::vector<Text> lines{i18n("{} GPUs of the active servers, listed in npus.csv", f.gpus())};
        for (std::size_t d = 0; d < dimensions.size(); ++d)
            lines.push_back(i18n("dimension {}: {} {}, {:.1f} GB/s per GPU, {:.0f} ns", d + 1, dimensions[d].count, dimensions[d].what,
                                 dimensions[d].gbytesPerS, dimensions[d].latencyNs));
        lines.push_back(i18n("assumed: {:.0f} ns per data link, {:.0f} ns per scale-up link, ring collectives, endpoint delay, chunks", f.linkNs,
                             kScaleUpLinkNs));
        lines.push_back(i18n("not represented in network.yml: rails, planes, ECMP, and that all dimensions above the first share one NIC"));
        if (f.parallel()) lines.push_back(i18n("parallel links between two switches are one link of their total rate in ns3_topology.txt"));
        return notes(i18n("Files for ASTRA-sim 2.0"), lines);
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> astraExporter() { return std::make_unique<AstraExporter>(); }

} // namespace hw::importers
